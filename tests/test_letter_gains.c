/* test_letter_gains.c: gains by joint and by equation, against the printed equations with diagonal
 * matrices, written anew here over dense arrays (plain.h).
 *
 *     Baumgarte [MSF 13; BL 34]   [M A^T; A 0] [v'; lambda] = [Q; c - Kv psi - Kp Phi],
 *                                 Kv = 2 alpha, Kp = beta^2; nonholonomic rows Kv = alpha, Kp = 0
 *     penalty [GJB 5.37, 5.47]    (M + A^T a A) v' = Q + A^T a (c - s),
 *                                 s = 2 Omega mu Phi' + Omega^2 Phi, nonholonomic rows s = mu psi
 *     augmented Lagrangian [GJB 5.51]   M v'_0 = Q,
 *                                 (M + A^T a A) v'_(i+1) = M v'_i + A^T a (c - s)
 *     canonical [GJB 5.125]       (M + A^T a A) v_(i+1) = M v_i + A^T a (b - 2 mu Omega Phi
 *                                                                         - Omega^2 int Phi)
 *                                 sigma = A^-T (p - M v), p' = Q + M' v + A'^T sigma
 *     basic form [GJB 5.116]      (M + A^T a A) v_(i+1) = M v_i + A^T a b, sigma as above,
 *                                 p' = Q + M' v + A'^T sigma - A^T a s
 *
 *     rules for alpha and beta    Baumgarte's terms as above with the gains of the rule; held terms
 *                                 have psi and Phi of the start of the step at all stages
 *
 * a, alpha, beta, Omega, mu have a number for every row; some come from joints as a list, some as
 * one number, and some from the options of the run.
 */
#include "plain.h"

#include <complex.h>
#undef I

enum { GAINS = 5, MOST = 24 };

static const char *const names[GAINS] = {"alpha", "beta", "omega", "mu", "penalty"};

/* Those of the run. */
static const double of_run[GAINS] = {7.3, 4.1, 9.7, 0.83, 210};
#define RUN "step=0.002 end=50 alpha=7.3 beta=4.1 omega=9.7 mu=0.83 penalty=210 iterations=3"

/* Equations of a joint in their order, as many as it has. */
typedef struct joint_rows {
    const char *joint;
    int n;
    const char *rows[6];
} joint_rows;

#define XYZ "translation x", "translation y", "translation z"
#define TURN "rotation x", "rotation y"

/* By subject, NULL-ended. */
static const joint_rows given[PLAIN_SUBJECTS][6] = {
    {{"B", 2, {"translation x", "translation y"}}, {"D", 2, {"translation x", "translation y"}}},
    {{"O", 5, {XYZ, TURN}}, {"S", 4, {XYZ, "right angle"}}, {"T", 3, {XYZ}}},
    {{"steering", 5, {XYZ, TURN}},
     {"rear_contact", 3, {"contact", "rolling along x", "rolling along y"}},
     {"front_contact", 3, {"contact", "rolling along x", "rolling along y"}}},
};

/* The gain g of equation k of the j-th joint of a subject. The first joint gives lists of all, the
 * second single numbers, the third alpha, omega and penalty alone. */
static double gain_of(int j, int k, int g) {
    static const double size[GAINS] = {11, 6, 13, 0.5, 130};
    if (j == 2 && g % 2) return NAN;
    return size[g] * (1 + 0.31 * j + (j == 1 ? 0 : 0.173 * k + 0.07 * g * k));
}

/* A subject whose joints have these gains. */
static run open_subject(int subject, const char *settings) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, plain_subjects[subject].file);
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_status status = hol_spec_read_file(spec, path);
    for (int j = 0; !status && given[subject][j].n; j++) {
        hol_item *item = hol_item_map(
            hol_item_map(hol_spec_section(spec, "joints"), given[subject][j].joint), "gains");
        for (int g = 0; g < GAINS; g++) {
            double list[6];
            for (int k = 0; k < given[subject][j].n; k++) list[k] = gain_of(j, k, g);
            if (isnan(list[0])) continue;
            status = j == 1 ? hol_item_number(item, names[g], list[0])
                            : hol_item_vector(item, names[g], given[subject][j].n, list);
            assert_int_equal(status, HOL_OK);
        }
    }
    return run_from_spec(ctx, spec, status, settings);
}

/* Diagonal matrices, by row of the system. */
typedef struct diagonals {
    double gain[GAINS][PLAIN];
    int iterations;
    int basic; /* canonical: (5.116), without integrals */
} diagonals;

/* The gains of every row, looked up by what the row holds. */
static diagonals find_diagonals(int subject, const run *r) {
    diagonals d = {.iterations = 3};
    for (int i = 0; i < r->model->m; i++) {
        const hol_row *row = hol_model_row(r->model, i);
        for (int g = 0; g < GAINS; g++) d.gain[g][i] = of_run[g];
        for (int j = 0; given[subject][j].n; j++) {
            char label[64];
            snprintf(label, sizeof label, "joint '%s'", given[subject][j].joint);
            for (int k = 0; strcmp(label, row->element) == 0 && k < given[subject][j].n; k++)
                for (int g = 0; strcmp(given[subject][j].rows[k], row->direction) == 0 && g < GAINS;
                     g++)
                    if (!isnan(gain_of(j, k, g))) d.gain[g][i] = gain_of(j, k, g);
        }
    }
    return d;
}

/* ---- the formulations ---- */

/* Row i of c - Kv psi - Kp Phi. */
static double baumgarte_row(const diagonals *d, const plain *p, int i) {
    const double alpha = d->gain[0][i], beta = d->gain[1][i];
    return i < p->mh ? p->c[i] - 2 * alpha * p->psi[i] - beta * beta * p->Phi[i]
                     : p->c[i] - alpha * p->psi[i];
}

/* Row i of c - s. */
static double penalty_row(const diagonals *d, const plain *p, int i) {
    const double omega = d->gain[2][i], mu = d->gain[3][i];
    return i < p->mh ? p->c[i] - 2 * omega * mu * p->psi[i] - omega * omega * p->Phi[i]
                     : p->c[i] - mu * p->psi[i];
}

/* [MSF 13; BL 34] */
static void baumgarte(void *user, plain *p, double *u, double *a) {
    const diagonals *d = user;
    double c[PLAIN], lambda[PLAIN];
    for (int i = 0; i < p->m; i++) c[i] = baumgarte_row(d, p, i);
    plain_saddle(p, p->M, p->Q, c, a, lambda);
    memcpy(u, p->v, sizeof *u * (size_t)p->nv);
}

/* a_k of row k: the factor times the largest term of M. */
static double factor_of(const diagonals *d, const plain *p, int k) {
    return d->gain[4][k] * hol__largest_mass(p->data->model);
}

/* K = M + A^T a A, and g = A^T a r. */
static void penalize(const diagonals *d, const plain *p, const double *r, double *K, double *g) {
    const int n = p->nv;
    memcpy(K, p->M, sizeof *K * (size_t)(n * n));
    memset(g, 0, sizeof *g * (size_t)n);
    for (int k = 0; k < p->m; k++)
        for (int i = 0; i < n; i++) {
            const double aA = factor_of(d, p, k) * p->A[k * n + i];
            g[i] += aA * r[k];
            for (int j = 0; j < n; j++) K[i * n + j] += aA * p->A[k * n + j];
        }
}

/* (M + A^T a A) x_(i+1) = M x_i + g from M x_0 = f; times: how often. */
static void iterate(const double *K, const plain *p, const double *f, const double *g, int times,
                    double *x) {
    double Mx[PLAIN];
    const int n = p->nv;
    memcpy(Mx, f, sizeof *Mx * (size_t)n);
    for (int pass = 0; pass < times; pass++) {
        if (pass) plain_mul(p->M, x, n, n, 1, Mx);
        for (int i = 0; i < n; i++) Mx[i] += g[i];
        plain_solve(K, Mx, n, 1, x);
    }
}

/* [GJB 5.37, 5.47] with one solution, [GJB 5.51] with more. */
static void penalty(void *user, plain *p, double *u, double *a) {
    const diagonals *d = user;
    double K[PLAIN2], r[PLAIN], g[PLAIN];
    for (int i = 0; i < p->m; i++) r[i] = penalty_row(d, p, i);
    penalize(d, p, r, K, g);
    iterate(K, p, p->Q, g, 1 + d->iterations, a);
    memcpy(u, p->v, sizeof *u * (size_t)p->nv);
}

/* ---- one step of each ---- */

/* The largest difference between a step of the library and one of the equations. */
static double difference_of(int subject, const char *method, plain_fn *f, int iterations) {
    char settings[512];
    double q[PLAIN], v[PLAIN], q2[PLAIN], v2[PLAIN];
    snprintf(settings, sizeof settings, RUN " method=%s", method);
    run r = open_subject(subject, settings);
    plain p = plain_open(&r);
    diagonals d = find_diagonals(subject, &r);
    d.iterations = iterations;
    plain_start(&plain_subjects[subject], 1e-3, q, v);
    plain_library_step(&r, plain_subjects[subject].t, q, v, q2, v2);
    plain_rk4(&p, f, &d, plain_subjects[subject].t, 0.002, q, v);
    const double most = plain_difference(&p, q, v, q2, v2);
    plain_close(&p);
    run_close(&r);
    return most;
}

/* Rounding: numbers up to 10, times eps, a condition of about 1e3 and a few operations. */
static void steps_have_diagonal_gains(void **unused) {
    static const struct {
        const char *method;
        plain_fn *f;
        int iterations;
    } methods[] = {
        {"baumgarte", baumgarte, 0},
        {"penalty", penalty, 0},
        {"augmented-lagrangian", penalty, 3},
        /* (5.27), BL (6) with (34), PV (90), BL (38a), and (5.92) with (5.28) */
        {"projection stabilizer=baumgarte", baumgarte, 0},
        {"nullspace basis=local stabilizer=baumgarte", baumgarte, 0},
        {"udwadia-kalaba stabilizer=baumgarte", baumgarte, 0},
        {"lagrange kernel=schur stabilizer=baumgarte", baumgarte, 0},
        {"velocity-transformation coordinates=reference correction=none stabilizer=baumgarte",
         baumgarte, 0}};
    (void)unused;
    for (int s = 0; s < PLAIN_SUBJECTS; s++)
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            const double off =
                difference_of(s, methods[i].method, methods[i].f, methods[i].iterations);
            if (getenv("LETTER_VERBOSE"))
                print_message("%s %s: %.2g\n", plain_subjects[s].file, methods[i].method, off);
            check_near(methods[i].method, off, 0, 1e-12);
        }
}

/* ---- rules for the gains ---- */

/* alpha and beta of a rule for h, and whether its terms are held. */
typedef struct rule {
    const char *settings;
    double alpha, beta, rate; /* times h */
    int held;
} rule;

/* What a step of such a formulation needs. */
typedef struct ruled {
    const rule *rule;
    double h, Phi[PLAIN], psi[PLAIN]; /* at the start of the step */
} ruled;

/* [MSF 13] with the gains of a rule, over the violations of the stage or of the start. */
static void ruled_baumgarte(void *user, plain *p, double *u, double *a) {
    const ruled *r = user;
    diagonals d = {.iterations = 0};
    plain with = *p;
    for (int i = 0; i < p->m; i++) {
        d.gain[0][i] = (i < p->mh ? r->rule->alpha : r->rule->rate) / r->h;
        d.gain[1][i] = r->rule->beta / r->h;
        if (r->rule->held) with.Phi[i] = r->Phi[i], with.psi[i] = r->psi[i];
    }
    baumgarte(&d, &with, u, a);
}

/* The zero of 1 + z + z^2/2 + z^3/6 + z^4/24 - p near z by Newton, and the zero of its derivative
 * near x: RK4's stability polynomial, by hand. */
static double complex rk4_root(double pole, double complex z) {
    for (int i = 0; i < 50; i++)
        z -= (1 - pole + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)))) /
             (1 + z * (1 + z / 2 * (1 + z / 3)));
    return z;
}

static double rk4_lowest(double x) {
    for (int i = 0; i < 50; i++) x -= (1 + x * (1 + x / 2 * (1 + x / 3))) / (1 + x * (1 + x / 2));
    return x;
}

/* The rates of nonholonomic rows below the lowest value of R are found to the root of rounding,
 * where R is flat: 1e-7 of the speed, 1e-3 m/s, that is taken away. */
static void steps_have_the_gains_of_rules(void **unused) {
    const double complex dead = rk4_root(0, -1.7 + 0.9 * _Complex_I);
    const double real = creal(rk4_root(0.6, -0.5)), lowest = rk4_lowest(-1.6);
    const rule rules[] = {
        {"gains=step step_gain=0.7", 0.7, 0.7, 0.7, 0},
        {"gains=taylor", 1, sqrt(2), 1, 0},
        {"gains=pole-placement pole=0.6", -real, -real, -real, 0},
        {"gains=pole-placement", -creal(dead), cabs(dead), -lowest, 0},
        {"gains=taylor sampling=step", 1, sqrt(2), 1, 1},
        {"gains=pole-placement pole=0.6 sampling=step", 0.4 * 3.6 / 4, 0.4, 0.4, 1},
        {"gains=optimal", 2.0 / 3, sqrt(2.0 / 3), 1, 1},
        {"sampling=step alpha=50 beta=40", 0.1, 0.08, 0.1, 1},
    };
    (void)unused;
    for (int s = 0; s < PLAIN_SUBJECTS; s++)
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
            char settings[512];
            double q[PLAIN], v[PLAIN], q2[PLAIN], v2[PLAIN];
            const double t = plain_subjects[s].t;
            snprintf(settings, sizeof settings, "step=0.002 end=50 method=baumgarte %s",
                     rules[i].settings);
            run r = run_open(plain_subjects[s].file, settings);
            plain p = plain_open(&r);
            plain_start(&plain_subjects[s], 1e-3, q, v);
            plain_library_step(&r, t, q, v, q2, v2);
            plain_at(&p, t, q, v);
            ruled user = {.rule = &rules[i], .h = 0.002};
            memcpy(user.Phi, p.Phi, sizeof p.Phi);
            memcpy(user.psi, p.psi, sizeof p.psi);
            plain_rk4(&p, ruled_baumgarte, &user, t, 0.002, q, v);
            const double off = plain_difference(&p, q, v, q2, v2);
            if (getenv("LETTER_VERBOSE"))
                print_message("%s %s: %.2g\n", plain_subjects[s].file, rules[i].settings, off);
            check_near(rules[i].settings, off, 0, p.m > p.mh && i == 3 ? 1e-10 : 1e-12);
            plain_close(&p);
            run_close(&r);
        }
}

/* The adaptive rule over some steps: E = sqrt(|Phi|^2 + h^2 |psi|^2), d = E - p_last E_last (0 at
 * the first), p = (threshold - d)/E within 0 and exp(-alpha h), beta h = 1 - p, alpha h = (1 - p)(3
 * + p)/4. */
static void adaptive_steps(void **unused) {
    enum { STEPS = 6 };
    const double h = 0.002, threshold = 3e-4, alpha = 6;
    (void)unused;
    for (int s = 0; s < PLAIN_SUBJECTS; s++) {
        double q[PLAIN], v[PLAIN], pole = 0, before = 0;
        const double t = plain_subjects[s].t;
        run r = run_open(plain_subjects[s].file, "step=0.002 end=50 method=baumgarte "
                                                 "gains=adaptive threshold=3e-4 alpha=6");
        plain p = plain_open(&r);
        plain_start(&plain_subjects[s], 1e-3, q, v);
        assert_int_equal(hol_sim_restart(r.sim, t, q, v), HOL_OK);
        int within = 0;
        for (int k = 0; k < STEPS; k++) {
            plain_at(&p, t + k * h, q, v);
            const double E =
                sqrt(plain_dot(p.Phi, p.Phi, p.mh) + h * h * plain_dot(p.psi, p.psi, p.m));
            const double d = k ? fmax(0, E - pole * before) : 0;
            pole = fmax(0, fmin(exp(-alpha * h), (threshold - d) / E));
            before = E;
            within += pole > 0 && pole < exp(-alpha * h);
            const rule now = {"", (1 - pole) * (3 + pole) / 4, 1 - pole, 1 - pole, 1};
            ruled user = {.rule = &now, .h = h};
            memcpy(user.Phi, p.Phi, sizeof p.Phi);
            memcpy(user.psi, p.psi, sizeof p.psi);
            plain_rk4(&p, ruled_baumgarte, &user, t + k * h, h, q, v);
            assert_int_equal(hol_sim_step(r.sim), HOL_OK);
        }
        const hol_data *data = hol_sim_data(r.sim);
        const double off = plain_difference(&p, q, v, hol_data_q(data), hol_data_v(data));
        if (getenv("LETTER_VERBOSE"))
            print_message("%s adaptive: %.2g, %d poles within\n", plain_subjects[s].file, off,
                          within);
        assert_true(within > 0);
        check_near("adaptive", off, 0, STEPS * 1e-12);
        plain_close(&p);
        run_close(&r);
    }
}

/* ---- canonical ---- */

/* The state of a canonical formulation: d from the start of the step, p, I. */
typedef struct canonical {
    double d[PLAIN], p[PLAIN], I[PLAIN];
} canonical;

/* v from p and I at the positions in p, with b; sigma from A^T sigma = p - M v. */
static void velocities(const diagonals *d, plain *p, const canonical *y, double *v, double *sigma) {
    const int n = p->nv, m = p->m;
    double K[PLAIN2], r[PLAIN] = {0}, g[PLAIN], rest[PLAIN], x[PLAIN];
    double unit[PLAIN2] = {0}, none[PLAIN] = {0};
    for (int i = 0; i < m; i++) {
        const double omega = d->gain[2][i], mu = d->gain[3][i];
        r[i] = p->b[i];
        if (d->basic) continue;
        r[i] -= i < p->mh ? 2 * mu * omega * p->Phi[i] + omega * omega * y->I[i] : mu * y->I[i];
    }
    penalize(d, p, r, K, g);
    iterate(K, p, y->p, g, 1 + d->iterations, v);
    plain_mul(p->M, v, n, n, 1, rest);
    for (int i = 0; i < n; i++) rest[i] = y->p[i] - rest[i];
    for (int i = 0; i < n; i++) unit[i * n + i] = 1;
    plain_saddle(p, unit, rest, none, x, sigma);
}

/* y' at t from the base q0, and v there. */
static void canonical_rate(const diagonals *d, plain *p, double t, const double *q0,
                           const canonical *y, canonical *rate, double *v) {
    const hol_model *model = p->data->model;
    double q[PLAIN], sigma[PLAIN], Adot[PLAIN2];
    model->coords->plus(model, q0, y->d, q);
    plain_at(p, t, q, v);
    velocities(d, p, y, v, sigma);
    plain_at(p, t, q, v);
    hol__data_adot(p->data);
    hol__csr rows = p->data->A;
    rows.x = p->data->Adot;
    hol__csr_to_dense(&rows, Adot);
    model->coords->rate(model, y->d, v, rate->d);
    memcpy(rate->p, p->Q, sizeof *v * (size_t)p->nv);
    hol__data_add_momentum_rate(p->data, rate->p);
    for (int k = 0; k < p->m; k++) {
        const double s = d->basic ? factor_of(d, p, k) * (p->c[k] - penalty_row(d, p, k)) : 0;
        for (int i = 0; i < p->nv; i++)
            rate->p[i] += Adot[k * p->nv + i] * sigma[k] - p->A[k * p->nv + i] * s;
        rate->I[k] = k < p->mh ? p->Phi[k] : p->psi[k];
    }
}

/* y + h k */
static canonical moved(const canonical *y, double h, const canonical *k) {
    canonical z = *y;
    for (int i = 0; i < PLAIN; i++)
        z.d[i] += h * k->d[i], z.p[i] += h * k->p[i], z.I[i] += h * k->I[i];
    return z;
}

/* One step of RK4 over (d, p, I) from p = M v, I = 0; then the velocities at its end. */
static void canonical_step(const diagonals *d, plain *p, double t, double h, double *q, double *v) {
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const hol_model *model = p->data->model;
    canonical y = {{0}, {0}, {0}}, k = y, end, stage;
    double vs[PLAIN], q_new[PLAIN];
    memcpy(vs, v, sizeof vs);
    plain_at(p, t, q, v);
    plain_mul(p->M, v, p->nv, p->nv, 1, y.p);
    end = y;
    for (int s = 0; s < 4; s++) {
        stage = moved(&y, h * at[s], &k);
        memset(&k, 0, sizeof k);
        canonical_rate(d, p, t + h * at[s], q, &stage, &k, vs);
        end = moved(&end, h / 6 * weight[s], &k);
    }
    canonical_rate(d, p, t + h, q, &end, &k, vs);
    model->coords->plus(model, q, end.d, q_new);
    memcpy(q, q_new, sizeof *q * (size_t)p->nq);
    memcpy(v, vs, sizeof *v * (size_t)p->nv);
}

/* Velocities come straight from a solution with M + A^T a A: rounding of 1.1e-16 by its condition,
 * 9e3 of the bicycle, on speeds up to 17, is 1.7e-11. sigma is found by at most 50 passes, each of
 * which leaves 1/(1 + penalty share^2) of an error, 1e-6 for the lightest body of the slider-crank
 * with these small penalties; a start off by 1e-5 makes sigma so small that this does not count. */
static void canonical_steps_have_diagonal_gains(void **unused) {
    static const char *const settings[] = {RUN " method=canonical-augmented step=0.0005",
                                           RUN " method=canonical-augmented-basic step=0.0005"};
    (void)unused;
    for (int k = 0; k < 2 * PLAIN_SUBJECTS; k++) {
        const int s = k / 2, basic = k % 2;
        double q[PLAIN] = {0}, v[PLAIN] = {0}, q2[PLAIN], v2[PLAIN];
        run r = open_subject(s, settings[basic]);
        plain p = plain_open(&r);
        diagonals d = find_diagonals(s, &r);
        d.basic = basic;
        plain_start(&plain_subjects[s], 1e-5, q, v);
        plain_library_step(&r, plain_subjects[s].t, q, v, q2, v2);
        canonical_step(&d, &p, plain_subjects[s].t, 0.0005, q, v);
        const double off = plain_difference(&p, q, v, q2, v2);
        if (getenv("LETTER_VERBOSE"))
            print_message("%s %s: %.2g\n", plain_subjects[s].file, settings[basic], off);
        check_near(settings[basic], off, 0, 2e-11);
        plain_close(&p);
        run_close(&r);
    }
}

/* ---- where gains are given ---- */

/* The gain of the row of that element and direction, which the test fails without. */
static double row_gain(const run *r, int gain, const char *element, const char *direction) {
    for (int i = 0; i < r->model->m; i++) {
        const hol_row *row = hol_model_row(r->model, i);
        if (strcmp(row->element, element) == 0 && strcmp(row->direction, direction) == 0)
            return r->model->gains[gain] ? r->model->gains[gain][i] : NAN;
    }
    fail_msg("no row '%s' of %s", direction, element);
    return NAN;
}

/* In relative coordinates joints of the tree have no rows and the others keep their own gains; in
 * natural ones rigid-body constraints have those of their body. */
static void gains_follow_their_rows(void **unused) {
    static const char text[] =
        "holonom: 1\nname: loop\nspace: planar\ngravity: [0, -9.81]\nparameters: {g: 3.25}\n"
        "points: {A: [0, 0], B: [1, 2], C: [4, 3], D: [3, 0]}\n"
        "bodies:\n"
        "  one: {mass: 1, inertia: 0.3, along: [A, B]}\n"
        "  two: {mass: 2, inertia: 0.5, along: [B, C], gains: {beta: 2*g, penalty: 77}}\n"
        "  three: {mass: 1.5, inertia: 0.7, along: [C, D]}\n"
        "  shaker: {mass: 1, inertia: 1, position: [0, 5], motion: {x: sin(t)},\n"
        "           gains: {alpha: 12}}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, one], at: A, gains: {alpha: [1, 2]}}\n"
        "  B: {type: revolute, bodies: [one, two], at: B, gains: {alpha: 5}}\n"
        "  C: {type: revolute, bodies: [two, three], at: C, cut: true,\n"
        "      gains: {alpha: [6, g], mu: 0.5}}\n"
        "  D: {type: revolute, bodies: [three, ground], at: D}\n"
        "simulation: {end: 1, coordinates: ";
    static const char *const sets[] = {"reference", "relative", "natural"};
    (void)unused;
    for (int s = 0; s < 3; s++) {
        char all[2048];
        snprintf(all, sizeof all, "%s%s}\n", text, sets[s]);
        run r = run_text(all, NULL);
        if (s == 0) assert_true(row_gain(&r, HOL__GAIN_ALPHA, "joint 'A'", "translation y") == 2);
        if (s == 0) assert_true(row_gain(&r, HOL__GAIN_ALPHA, "joint 'B'", "translation x") == 5);
        if (s == 0) assert_true(isnan(row_gain(&r, HOL__GAIN_MU, "joint 'B'", "translation x")));
        if (s < 2) {
            assert_true(row_gain(&r, HOL__GAIN_ALPHA, "joint 'C'", "translation x") == 6);
            assert_true(row_gain(&r, HOL__GAIN_ALPHA, "joint 'C'", "translation y") == 3.25);
            assert_true(row_gain(&r, HOL__GAIN_MU, "joint 'C'", "translation y") == 0.5);
        } else {
            const char *length = "length of its segment";
            assert_true(row_gain(&r, HOL__GAIN_BETA, "body 'two'", length) == 6.5);
            assert_true(row_gain(&r, HOL__GAIN_PENALTY, "body 'two'", length) == 77);
            assert_true(isnan(row_gain(&r, HOL__GAIN_BETA, "body 'one'", length)));
        }
        if (s == 0)
            assert_true(row_gain(&r, HOL__GAIN_ALPHA, "joint 'shaker.motion'", "rotation") == 12);
        run_close(&r);
    }
}

/* Rods, distances and elements of the section `natural` give theirs to the bodies and joints that
 * are made of them. */
static void gains_of_the_natural_section(void **unused) {
    static const char text[] =
        "holonom: 1\nname: parts\nspace: planar\ngravity: [0, -9.81]\n"
        "points: {A: [0, 0], B: [1, 0], C: [2, 0.5], D: [3, 0]}\n"
        "natural:\n"
        "  fixed: [A, D]\n"
        "  rods:\n"
        "    crank: {points: [A, B], mass: 1.1, gains: {beta: 13, penalty: 55}}\n"
        "    link: {points: [B, C], gains: {alpha: 3}}\n"
        "  masses: {C: 2.3}\n"
        "  distances: {tie: {points: [C, D], gains: {omega: 21, mu: 0.4}}}\n"
        "simulation: {end: 1, coordinates: natural}\n";
    (void)unused;
    run r = run_text(text, NULL);
    assert_true(row_gain(&r, HOL__GAIN_BETA, "body 'crank'", "length of its segment") == 13);
    assert_true(row_gain(&r, HOL__GAIN_PENALTY, "body 'crank'", "length of its segment") == 55);
    assert_true(row_gain(&r, HOL__GAIN_ALPHA, "joint 'link'", "distance") == 3);
    assert_true(row_gain(&r, HOL__GAIN_OMEGA, "joint 'tie'", "distance") == 21);
    assert_true(row_gain(&r, HOL__GAIN_MU, "joint 'tie'", "distance") == 0.4);
    assert_true(isnan(row_gain(&r, HOL__GAIN_MU, "joint 'link'", "distance")));
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_have_diagonal_gains),
        cmocka_unit_test(steps_have_the_gains_of_rules),
        cmocka_unit_test(adaptive_steps),
        cmocka_unit_test(canonical_steps_have_diagonal_gains),
        cmocka_unit_test(gains_follow_their_rows),
        cmocka_unit_test(gains_of_the_natural_section),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
