/* test_letter_braun_goldfarb.c: the equation of motion of Braun and Goldfarb, written from their
 * equations (16), (17) and (20) with dense arrays, against the library's.
 *
 *     M = U^T U,  a = M^-1 Q,  C_q = D U^-1,  C_v = A U^-1,  N_v = 1 - C_v^+ C_v
 *     q' = N (v + U^-1 C_q^+ (b_q - D v - Phi_0/h))
 *     v' = a + U^-1 C_v^+ (c - A a - psi_0/h) + U^-1 N_v U^-T Q_0
 *     Q_0 = U^T [C_e N_v]^+ ((b_e - Phi_e0/h) - C_e C_v^+ (c - psi_0/h) - (A_e - C_e C_v^+ A) a)
 *
 * with A_e = v^T M, C_e = A_e U^-1, the bracket limited to +-kappa r r^T/h, r = C_e N_v, and the
 * violations Phi_0, psi_0, Phi_e0 of the start of the step in all its stages.
 */
#include "plain.h"

/* The limit of the bracket, as the option energy_limit has it. */
static const double kappa = 0.01;

/* A quantity g that the motion keeps, at the state in p: its value, dg/dv (n), and its rate dg/dq
 * q' where velocities do not change; what is NULL is not asked for. */
typedef void quantity(const plain *p, double *value, double *by_v, double *rate);

/* What a step is made with. */
typedef struct embedded {
    double h, start;               /* length, energy of the start of the run */
    double Phi[PLAIN], psi[PLAIN]; /* violations at the start of the step */
    double energy;
    quantity *of; /* a further invariant, or NULL */
    double value_start, value;
} embedded;

/* C = X U^-1 for the rows X (m x n): U^T C^T = X^T. */
static void by_factor(const double *X, const double *U, int m, int n, double *C) {
    double Ut[PLAIN2] = {0}, Xt[PLAIN2] = {0};
    plain_transpose(U, n, n, Ut);
    plain_transpose(X, m, n, Xt);
    plain_solve(Ut, Xt, n, m, Xt);
    plain_transpose(Xt, n, m, C);
}

/* x = U^-1 C^+ r for the rows X. */
static void smallest(const double *X, const double *U, const double *r, int m, int n, double *x) {
    double C[PLAIN2], P[PLAIN2];
    by_factor(X, U, m, n, C);
    plain_pinv(C, m, n, P);
    plain_mul(P, r, n, m, 1, x);
    plain_solve(U, x, n, 1, x);
}

/* b_e = Q . v - lambda . b with the multipliers of the constrained acceleration ac; their power
 * goes into W'. */
static double energy_rate(plain *p, const double *ac) {
    const int n = p->nv, m = p->m;
    double At[PLAIN2] = {0}, P[PLAIN2], f[PLAIN], lambda[PLAIN];
    plain_transpose(p->A, m, n, At);
    plain_mul(p->M, ac, n, n, 1, f);
    for (int i = 0; i < n; i++) f[i] = p->Q[i] - f[i];
    plain_pinv(At, n, m, P);
    plain_mul(P, f, m, n, 1, lambda);
    p->power -= plain_dot(lambda, p->b, m);
    return plain_dot(p->Q, p->v, n) - plain_dot(lambda, p->b, m);
}

/* U^-1 N_v U^-T Q_0, added to the constrained acceleration ac. */
static void add_energy(plain *p, const embedded *e, const double *U, double *ac) {
    const int n = p->nv, m = p->m;
    double Ae[PLAIN], Ce[PLAIN], C[PLAIN2], P[PLAIN2], CeP[PLAIN], CePC[PLAIN], r[PLAIN], R[PLAIN],
        x[PLAIN];
    plain_mul(p->v, p->M, 1, n, n, Ae);
    by_factor(Ae, U, 1, n, Ce);
    by_factor(p->A, U, m, n, C);
    plain_pinv(C, m, n, P);
    plain_mul(Ce, P, 1, n, m, CeP);
    plain_mul(CeP, C, 1, m, n, CePC);
    for (int i = 0; i < n; i++) r[i] = Ce[i] - CePC[i];
    const double b_e = energy_rate(p, ac), limit = kappa * plain_dot(r, r, n) / e->h;
    /* the bracket of (20) is b_e - Phi_e0/h - A_e v'_c, term by term */
    const double s = b_e - e->energy / e->h - plain_dot(Ae, ac, n);
    plain_pinv(r, 1, n, R);
    for (int i = 0; i < n; i++) x[i] = R[i] * fmax(-limit, fmin(limit, s));
    plain_solve(U, x, n, 1, x);
    for (int i = 0; i < n; i++) ac[i] += x[i];
}

/* q' and the constrained acceleration at the state in p: (16) and (17) without Q_0. */
static void constrained(const embedded *e, plain *p, const double *U, double *u, double *a) {
    const int n = p->nv, m = p->m;
    double r[PLAIN] = {0}, x[PLAIN];
    for (int i = 0; i < p->mh; i++) r[i] = -p->psi[i] - e->Phi[i] / e->h;
    smallest(p->A, U, r, p->mh, n, x);
    for (int i = 0; i < n; i++) u[i] = p->v[i] + x[i];
    plain_solve(p->M, p->Q, n, 1, a);
    for (int i = 0; i < m; i++) r[i] = p->c[i] - plain_dot(p->A + i * n, a, n) - e->psi[i] / e->h;
    smallest(p->A, U, r, m, n, x);
    for (int i = 0; i < n; i++) a[i] += x[i];
}

/* q' and v' at the state in p. */
static void braun_goldfarb(void *user, plain *p, double *u, double *a) {
    const embedded *e = user;
    double U[PLAIN2];
    plain_cholesky(p->M, p->nv, U);
    constrained(e, p, U, u, a);
    add_energy(p, e, U, a);
}

/* The violations of (t, q, v). */
static void hold(plain *p, embedded *e, double t, const double *q, const double *v) {
    plain_at(p, t, q, v);
    memcpy(e->Phi, p->Phi, sizeof e->Phi);
    memcpy(e->psi, p->psi, sizeof e->psi);
    e->energy = p->kinetic + p->potential - p->work - e->start;
    if (e->of) e->of(p, &e->value, NULL, NULL);
    e->value -= e->value_start;
}

/* Steps of a run of the library from (t, q, v); each is compared with the plain one from the same
 * state and taken over as the next start. */
static void follow_with(const char *what, run *r, plain_fn *f, quantity *of, double h, double t,
                        double *q, double *v, int steps, double bound) {
    double q_new[PLAIN], v_new[PLAIN];
    embedded e = {.h = h, .of = of};
    plain p = plain_open(r);
    plain_at(&p, t, q, v);
    e.start = p.kinetic + p.potential;
    if (of) of(&p, &e.value_start, NULL, NULL);
    for (int k = 0; k < steps; k++, t += h) {
        if (k == 0)
            plain_library_step(r, t, q, v, q_new, v_new);
        else
            plain_next_step(r, q_new, v_new);
        hold(&p, &e, t, q, v);
        plain_rk4(&p, f, &e, t, h, q, v);
        check_near(what, plain_difference(&p, q, v, q_new, v_new), 0, bound);
        check_near("work", p.work, hol_sim_data(r->sim)->work, bound);
        memcpy(q, q_new, sizeof *q * (size_t)p.nq);
        memcpy(v, v_new, sizeof *v * (size_t)p.nv);
    }
    plain_close(&p);
}

static void follow(const char *what, run *r, double h, double t, double *q, double *v, int steps,
                   double bound) {
    follow_with(what, r, braun_goldfarb, NULL, h, t, q, v, steps, bound);
}

/* Ten steps of 2 ms of the three subjects, on the constraints and off them by up to 1e-3 m, rad,
 * m/s and rad/s. Off them v' is some 1e-3/2e-3 times the share of the mechanism's size, so that
 * rounding leaves what it leaves in test_plain: a few 1e-13. */
static void the_subjects(void **unused) {
    (void)unused;
    for (int s = 0; s < PLAIN_SUBJECTS; s++)
        for (int k = 0; k < 2; k++) {
            const plain_subject *subject = &plain_subjects[s];
            double q[PLAIN], v[PLAIN];
            run r = run_open(subject->file, "method=braun-goldfarb step=2e-3 end=100");
            plain_start(subject, k * 1e-3, q, v);
            follow(subject->file, &r, 2e-3, subject->t, q, v, 10, 1e-12);
            run_close(&r);
        }
}

/* A crank with a law of time, a link on it with a damper: b is not zero, and W counts driver and
 * damper. */
static const char driven[] = "holonom: 1\n"
                             "space: planar\n"
                             "gravity: [0, -9.81]\n"
                             "bodies:\n"
                             "  crank: {mass: 1.3, inertia: 0.2, along: [[0, 0], [0.7, 0]]}\n"
                             "  link: {mass: 0.8, inertia: 0.1, along: [[0.7, 0], [0.7, -0.9]]}\n"
                             "joints:\n"
                             "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
                             "  B: {type: revolute, bodies: [crank, link], at: [0.7, 0]}\n"
                             "  drive: {type: driver, joint: A, position: '0.6*sin(3*t)'}\n"
                             "forces:\n"
                             "  damper: {type: torsion, joint: B, damping: 0.3}\n"
                             "simulation: {end: 100}\n";

static void a_driven_one(void **unused) {
    (void)unused;
    run r = run_text(driven, "method=braun-goldfarb step=2e-3");
    double q[PLAIN], v[PLAIN];
    memcpy(q, hol_data_q(hol_sim_data(r.sim)), sizeof *q * 6);
    memcpy(v, hol_data_v(hol_sim_data(r.sim)), sizeof *v * 6);
    follow("driven crank", &r, 2e-3, 0, q, v, 40, 1e-12);
    run_close(&r);
}

/* At rest, and through the state of rest a quarter of a swing later, where the limit acts. The
 * quotient of small numbers magnifies rounding there: 1e-16/v at v = 1e-4. */
static void at_rest(void **unused) {
    (void)unused;
    run r = run_open("slider_crank", "method=braun-goldfarb step=1e-2 end=100");
    double q[PLAIN], v[PLAIN];
    memcpy(q, hol_data_q(hol_sim_data(r.sim)), sizeof *q * 6);
    memset(v, 0, sizeof v);
    follow("slider-crank", &r, 1e-2, 0, q, v, 40, 1e-12);
    run_close(&r);
}

/* ---- a further invariant ---- */

/* (20) with two rows, the quantity and the energy: Q_0 through the pseudoinverse of both together.
 * The limit of the energy does not act at these states. */
static void two_rows(void *user, plain *p, double *u, double *a) {
    const embedded *e = user;
    const int n = p->nv, m = p->m;
    double U[PLAIN2], E[2 * PLAIN] = {0}, Ce[2 * PLAIN], C[PLAIN2], P[PLAIN2], CeP[2 * PLAIN],
                            CePC[2 * PLAIN], R[2 * PLAIN], s[2], x[PLAIN], rate;
    plain_cholesky(p->M, n, U);
    constrained(e, p, U, u, a);
    e->of(p, &s[0], E, &rate);
    plain_mul(p->v, p->M, 1, n, n, E + n);
    by_factor(E, U, 2, n, Ce);
    by_factor(p->A, U, m, n, C);
    plain_pinv(C, m, n, P);
    plain_mul(Ce, P, 2, n, m, CeP);
    plain_mul(CeP, C, 2, m, n, CePC);
    for (int i = 0; i < 2 * n; i++) Ce[i] -= CePC[i];
    s[0] = -rate - e->value / e->h - plain_dot(E, a, n);
    s[1] = energy_rate(p, a) - e->energy / e->h - plain_dot(E + n, a, n);
    plain_pinv(Ce, 2, n, R);
    plain_mul(R, s, n, 2, 1, x);
    plain_solve(U, x, n, 1, x);
    for (int i = 0; i < n; i++) a[i] += x[i];
}

/* Two rods in free flight, hinged with a spring. */
static const char pair[] =
    "holonom: 1\nspace: planar\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: 0.2, along: [[0, 0], [1, 0]], velocity: [0.1, 0.2], omega: 1.7}\n"
    "  b: {mass: 0.7, inertia: 0.1, along: [[1, 0], [1.6, 0.5]], omega: -0.9}\n"
    "joints:\n  H: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
    "forces:\n  s: {type: torsion, joint: H, stiffness: 3}\n"
    "measures:\n"
    "  La: {type: angular_momentum, body: a}\n  Lb: {type: angular_momentum, body: b}\n"
    "  L: {type: expression, value: La + Lb, invariant: true}\n";

/* L = sum m (x v_y - y v_x) + I w of the bodies of `pair`. */
static void planar_spin(const plain *p, double *value, double *by_v, double *rate) {
    *value = 0;
    if (rate) *rate = 0; /* sum m (v_x v_y - v_y v_x) */
    for (int b = 0; b < 2; b++) {
        const double *q = p->q + 3 * b, *v = p->v + 3 * b, mass = p->M[21 * b],
                     inertia = p->M[21 * b + 14];
        *value += mass * (q[0] * v[1] - q[1] * v[0]) + inertia * v[2];
        if (!by_v) continue;
        by_v[3 * b] = -mass * q[1], by_v[3 * b + 1] = mass * q[0], by_v[3 * b + 2] = inertia;
    }
}

/* L_z of a single body in space about the origin: (r x m v + R J w)_z, J = diag as M has it. */
static void spatial_spin(const plain *p, double *value, double *by_v, double *rate) {
    const double *r = p->q, *c = p->q + 3, *v = p->v, *w = p->v + 3, mass = p->M[0];
    /* the third row of R */
    const double R[3] = {2 * (c[1] * c[3] - c[0] * c[2]), 2 * (c[2] * c[3] + c[0] * c[1]),
                         c[0] * c[0] - c[1] * c[1] - c[2] * c[2] + c[3] * c[3]};
    double Jw[3], RJ[3];
    for (int i = 0; i < 3; i++) {
        const double J = p->M[6 * (3 + i) + 3 + i];
        Jw[i] = J * w[i], RJ[i] = R[i] * J;
    }
    *value = mass * (r[0] * v[1] - r[1] * v[0]) + plain_dot(R, Jw, 3);
    if (!by_v) return;
    by_v[0] = -mass * r[1], by_v[1] = mass * r[0], by_v[2] = 0;
    memcpy(by_v + 3, RJ, sizeof RJ);
    *rate = R[0] * (w[1] * Jw[2] - w[2] * Jw[1]) + R[1] * (w[2] * Jw[0] - w[0] * Jw[2]) +
            R[2] * (w[0] * Jw[1] - w[1] * Jw[0]);
}

/* Angular momentum and energy, in the plane and in space (the heavy top, whose gravity and pivot
 * keep L_z), on the constraints and off them. */
static void invariants(void **unused) {
    (void)unused;
    for (int k = 0; k < 2; k++)
        for (int off = 0; off < 2; off++) {
            const char *settings = "method=braun-goldfarb step=2e-3 end=100";
            run r = k ? run_with("heavy_top",
                                 "measures: {L: {type: angular_momentum, body: top, component: z, "
                                 "invariant: true}}\n",
                                 settings)
                      : run_text(pair, settings);
            const hol_model *m = r.model;
            double q[PLAIN], v[PLAIN], d[PLAIN];
            uint64_t seed = 4711;
            run_to(&r, 0.2);
            for (int i = 0; i < m->nv; i++) {
                d[i] = off * 1e-6 * random_one(&seed);
                v[i] = hol_data_v(hol_sim_data(r.sim))[i] + off * 1e-6 * random_one(&seed);
            }
            m->coords->plus(m, hol_data_q(hol_sim_data(r.sim)), d, q);
            follow_with(k ? "heavy top" : "pair", &r, two_rows, k ? spatial_spin : planar_spin,
                        2e-3, 0.2, q, v, 10, 1e-12);
            run_close(&r);
        }
}

/* The error that is left in L over 20 s of the pair falls with the fifth power of the step, in
 * every set of coordinates; without the row it grows. */
static void invariants_hold(void **unused) {
    (void)unused;
    static const char *const sets[] = {"reference", "natural", "relative"};
    for (int k = 0; k < 3; k++) {
        double most[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            char settings[128];
            snprintf(settings, sizeof settings,
                     "coordinates=%s method=braun-goldfarb step=%g end=20", sets[k],
                     i ? 0.0125 : 0.025);
            run r = run_text(pair, settings);
            const double start = run_measure(&r, "L");
            for (int s = 1; s <= 40; s++) {
                run_to(&r, 0.5 * s);
                most[i] = fmax(most[i], fabs(run_measure(&r, "L") - start));
            }
            run_close(&r);
        }
        if (!(most[1] < most[0] / 16 && most[0] < 2e-5))
            fail_msg("%s: %g, %g", sets[k], most[0], most[1]);
    }
}

/* What changes is refused with its name and rate: L of the pair under gravity. */
static void what_is_no_invariant(void **unused) {
    (void)unused;
    char text[2048];
    snprintf(text, sizeof text, "%sgravity: [0.3, -9.81]\n", pair);
    run r = run_text(text, "method=braun-goldfarb step=1e-2 end=1");
    assert_int_equal(hol_sim_advance(r.sim, 0.1), HOL_ERR_INPUT);
    assert_true(said(r.ctx, "is not an invariant") && said(r.ctx, "'L' changes at a rate of"));
    run_close(&r);
    /* other methods leave it alone */
    r = run_text(text, "method=lagrange step=1e-2 end=1");
    run_to(&r, 0.1);
    run_close(&r);
}

/* b_e is the right-hand side of d(T + V - W)/dt = 0 solved for A_e v': T + V differentiated along
 * q' = N v at fixed v, by differences of fourth order over 1e-3 s, is -b_e + W'. */
static void the_rate_of_energy(void **unused) {
    (void)unused;
    static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
    for (int s = 0; s < PLAIN_SUBJECTS; s++) {
        const plain_subject *subject = &plain_subjects[s];
        double q[PLAIN], v[PLAIN], d[PLAIN], moved[PLAIN], a[PLAIN] = {0}, sum = 0;
        const double tau = 1e-3;
        run r = run_open(subject->file, NULL);
        plain p = plain_open(&r);
        plain_start(subject, 1e-3, q, v);
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < p.nv; i++) d[i] = at[k] * tau * v[i];
            r.model->coords->plus(r.model, q, d, moved);
            plain_at(&p, subject->t, moved, v);
            sum += weight[k] * (p.kinetic + p.potential) / (12 * tau);
        }
        plain_at(&p, subject->t, q, v);
        const double power = p.power;
        /* lambda . b is zero here: any acceleration will do */
        check_near(subject->file, energy_rate(&p, a), power - sum, 1e-6 * fmax(1, fabs(sum)));
        plain_close(&p);
        run_close(&r);
    }
}

/* From a start that is off by up to 1e-3 everywhere one step brings the positions back, up to its
 * error, Phi_0 to the fifth power. c belongs to q' = N v: where the shift x is added to v the rate
 * of psi is off by A_q x v, so that a step leaves w |h x| of velocities, with w the largest rate
 * (wheels of 17 rad/s here): w Phi_0 after the first, w h times as much after each further one. */
static void an_inconsistent_start(void **unused) {
    (void)unused;
    for (int s = 0; s < PLAIN_SUBJECTS; s++) {
        const plain_subject *subject = &plain_subjects[s];
        double q[PLAIN], v[PLAIN], Phi[4], psi[4];
        run r = run_open(subject->file, "method=braun-goldfarb step=1e-3 end=100");
        const hol_model *m = r.model;
        hol_data *data = hol_sim_data(r.sim);
        plain_start(subject, 1e-3, q, v);
        assert_int_equal(hol_sim_restart(r.sim, subject->t, q, v), HOL_OK);
        for (int k = 0; k < 4; k++) {
            Phi[k] = hol__norm(hol_data_position_residual(data), m->mh);
            psi[k] = hol__norm(hol_data_velocity_residual(data), m->m);
            assert_int_equal(hol_sim_step(r.sim), HOL_OK);
        }
        assert_true(Phi[0] > 1e-3 && psi[0] > 1e-3);
        assert_true(Phi[1] < 1e-9 * Phi[0] && Phi[2] < 1e-12 && Phi[3] < 1e-12);
        assert_true(psi[1] < 20 * Phi[0] && psi[2] < 20e-3 * psi[1] && psi[3] < 20e-3 * psi[2]);
        run_close(&r);
    }
}

/* ---- orders ---- */

/* Largest errors of positions, velocities and energy over a run, against one at 1e-13. */
typedef struct errors {
    double q, v, energy;
} errors;

static errors errors_of(const char *file, double h, double end) {
    char settings[256];
    errors e = {0, 0, 0};
    snprintf(settings, sizeof settings, "method=braun-goldfarb integrator=rk4 step=%g end=%g", h,
             end);
    run r = run_open(file, settings), exact = run_open(file, "tolerance=1e-13 end=100");
    plain p = plain_open(&r);
    for (int k = 1; k <= 20; k++) {
        run_to(&r, k * end / 20);
        run_to(&exact, k * end / 20);
        const hol_data *a = hol_sim_data(r.sim), *b = hol_sim_data(exact.sim);
        e.q = fmax(e.q, plain_difference(&p, a->q, b->v, b->q, b->v));
        e.v = fmax(e.v, plain_difference(&p, b->q, a->v, b->q, b->v));
    }
    e.energy = sim_info(r.sim).relative_energy_error;
    plain_close(&p);
    run_close(&r);
    run_close(&exact);
    return e;
}

/* The order of the halved step, log2 of the quotient: RK4 has 4, and what a step adds to the energy
 * before the next one takes it away has 5. */
static void halve(const char *file, double h, double end) {
    const errors a = errors_of(file, h, end), b = errors_of(file, h / 2, end);
    const double q = log2(a.q / b.q), v = log2(a.v / b.v), energy = log2(a.energy / b.energy);
    if (!(q > 3.7 && q < 4.5 && v > 3.7 && v < 4.5 && energy > 4.5))
        fail_msg("%s, h = %g: orders %.2f, %.2f, %.2f", file, h, q, v, energy);
}

static void orders(void **unused) {
    (void)unused;
    halve("four_bar", 8e-3, 4);
    halve("four_bar", 4e-3, 4);
    halve("slider_crank", 1e-2, 4);
    halve("slider_crank", 5e-3, 4);
    halve("a02_two_four_bar", 1e-2, 4);
    halve("a02_two_four_bar", 5e-3, 4);
}

/* Error control: the estimate of dopri5 goes as h^5 when f is smooth in the step, so that 1e-4 of
 * the tolerance takes 10^(4/5) = 6.3 times the steps. */
static void orders_under_error_control(void **unused) {
    (void)unused;
    long steps[2];
    for (int i = 0; i < 2; i++) {
        run r = run_open("four_bar", i ? "method=braun-goldfarb integrator=dopri5 tolerance=1e-10"
                                       : "method=braun-goldfarb integrator=dopri5 tolerance=1e-6");
        run_to(&r, 4);
        steps[i] = sim_info(r.sim).steps;
        run_close(&r);
    }
    check_near("growth of the steps", (double)steps[1] / (double)steps[0], 6.3, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_subjects),
        cmocka_unit_test(a_driven_one),
        cmocka_unit_test(at_rest),
        cmocka_unit_test(the_rate_of_energy),
        cmocka_unit_test(an_inconsistent_start),
        cmocka_unit_test(orders),
        cmocka_unit_test(orders_under_error_control),
        cmocka_unit_test(invariants),
        cmocka_unit_test(invariants_hold),
        cmocka_unit_test(what_is_no_invariant),
    };
    return run_tests_of_models("letter braun-goldfarb", tests);
}
