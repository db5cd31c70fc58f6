/* test_letter_active.c: constraints that appear and disappear, against the equations written out.
 *
 * Plain loops over dense arrays: RK4 steps of M v' + A^T lambda = Q, A v' = c on the grid, one
 * that ends at the instant, positions nearest on the constraints in the metric of M, the jump
 *
 *     M (v+ - v-) + A^T Lambda = 0,   A v+ = b
 *
 * one step back to the grid, and on. The library does the same with method lagrange and fixed
 * steps. States of size one, some twenty solutions of systems with condition numbers below 1e3:
 * 1e-12.
 */
#include "plain.h"

static const double tolerance = 1e-12;

/* [M A^T; A 0] [x; mu] = [f; c], by the pseudoinverse of A M^-1 A^T, so that rows may depend. */
static void constrained(const plain *p, const double *f, const double *c, double *x, double *mu) {
    double At[PLAIN2] = {0}, B[PLAIN2], S[PLAIN2], P[PLAIN2], free[PLAIN], r[PLAIN];
    const int n = p->nv, m = p->m;
    plain_transpose(p->A, m, n, At);
    plain_solve(p->M, At, n, m, B);
    plain_solve(p->M, f, n, 1, free);
    memcpy(x, free, sizeof *x * (size_t)n);
    if (!m) return;
    plain_mul(p->A, B, m, n, m, S);
    plain_pinv(S, m, m, P);
    for (int i = 0; i < m; i++) r[i] = plain_dot(p->A + i * n, free, n) - c[i];
    plain_mul(P, r, m, m, 1, mu);
    for (int i = 0; i < n; i++) x[i] -= plain_dot(B + i * m, mu, m);
}

/* Lagrange's multipliers. */
static void lagrange(void *user, plain *p, double *u, double *a) {
    double lambda[PLAIN];
    (void)user;
    constrained(p, p->Q, p->c, a, lambda);
    memcpy(u, p->v, sizeof *u * (size_t)p->nv);
    for (int i = 0; i < p->m; i++) p->power -= lambda[i] * p->b[i];
}

/* Positions onto the holonomic rows: M d + D^T mu = 0, D d = -Phi, until it does not move. */
static void close_positions(plain *p, double t, double *q, const double *v) {
    const hol_model *model = p->data->model;
    const int all = p->m;
    for (int k = 0; k < 6; k++) {
        double zero[PLAIN] = {0}, c[PLAIN], d[PLAIN], mu[PLAIN], there[PLAIN];
        plain_at(p, t, q, v);
        for (int i = 0; i < p->mh; i++) c[i] = -p->Phi[i];
        p->m = p->mh;
        constrained(p, zero, c, d, mu);
        p->m = all;
        model->coords->plus(model, q, d, there);
        memcpy(q, there, sizeof *q * (size_t)p->nq);
    }
}

/* v+ and Lambda; the energy that is lost. */
static double jump(plain *p, double t, const double *q, double *v, double *Lambda) {
    double f[PLAIN], after[PLAIN];
    plain_at(p, t, q, v);
    const double before = p->kinetic;
    plain_mul(p->M, v, p->nv, p->nv, 1, f);
    constrained(p, f, p->b, after, Lambda);
    memcpy(v, after, sizeof *v * (size_t)p->nv);
    plain_at(p, t, q, v);
    return before - p->kinetic;
}

/* Impulses of the joints: what the rows of a joint do to its first body, -A^T Lambda, or the
 * opposite of what they do to the second where the first is ground. Lambda is the smallest where
 * rows depend, as the pseudoinverse makes it. */
static void compare_impulses(run *r, int event, const plain *p, const double *Lambda) {
    const hol_model *m = p->data->model;
    for (int k = 0; k < m->n_joints; k++) {
        hol_impulse impulse = {.size = sizeof impulse};
        const int second = m->joints[k].body[0] == m->nb, body = m->joints[k].body[second];
        assert_int_equal(hol_sim_event_impulse(r->sim, event, k, &impulse), HOL_OK);
        for (int j = 0; j < m->dim; j++) {
            double sum = 0;
            for (int i = 0; i < p->m; i++)
                if (m->row_joint[i] == k) sum -= p->A[i * p->nv + m->bw * body + j] * Lambda[i];
            check_near(m->joints[k].name, impulse.impulse[j], second ? -sum : sum, tolerance);
        }
    }
}

/* The mechanics of the set that a run is in now. */
static plain open_now(run *r) {
    const hol_model *m = hol_data_model(hol_sim_data(r->sim));
    plain p = {.ctx = hol_context_new(), .nq = m->nq, .nv = m->nv, .mh = m->mh, .m = m->m};
    p.data = hol_data_new(p.ctx, m);
    assert_non_null(p.data);
    assert_int_equal(hol_data_copy(p.data, hol_sim_data(r->sim)), HOL_OK);
    return p;
}

/* From (t, q, v) on the grid of steps h to t_end, with the set in p. */
static void march(plain *p, double h, double *t, double t_end, double *q, double *v) {
    while (*t < t_end - 1e-9 * h) {
        const double next = fmin(h * (floor(*t / h + 1e-6) + 1), t_end);
        plain_rk4(p, lagrange, NULL, *t, next - *t, q, v);
        *t = next;
    }
}

/* Compare with the library, which is at t. */
static void compare(const char *what, run *r, const plain *p, const double *q, const double *v) {
    const hol_data *data = hol_sim_data(r->sim);
    const double off = plain_difference(p, hol_data_q(data), hol_data_v(data), q, v);
    if (!(off <= tolerance)) fail_msg("%s at t = %g: off by %.3g", what, hol_data_time(data), off);
}

/* A model that switches at two instants inside steps: in the first set for some steps, through the
 * first switch, in the second for some, through the second, and on. */
static void check_model(const char *what, const char *text) {
    const double h = 1.0 / 256;
    run r = run_text(text, "method=lagrange step=0.00390625 end=1 coordinates=reference");
    double t = 0, q[PLAIN], v[PLAIN];
    run_to(&r, 0);
    plain p = open_now(&r);
    memcpy(q, p.data->q, sizeof *q * (size_t)p.nq);
    memcpy(v, p.data->v, sizeof *v * (size_t)p.nv);
    for (int k = 0; k < 2; k++) {
        hol_event event = {.size = sizeof event};
        run_to(&r, (k ? 16 : 8) * h);
        assert_int_equal(hol_sim_event(r.sim, k, &event), HOL_OK);
        assert_true(event.t > t && fabs(event.t / h - round(event.t / h)) > 0.1);
        march(&p, h, &t, event.t, q, v);
        if (event.joints[hol_model_joint(r.model, "switched")] > 0)
            close_positions(&p, t, q, v); /* what is held is held without the drift of the others */
        plain_close(&p);
        p = open_now(&r);
        double Lambda[PLAIN] = {0}, lost = 0;
        if (event.joints[hol_model_joint(r.model, "switched")] > 0) {
            close_positions(&p, t, q, v);
            lost = jump(&p, t, q, v, Lambda);
            assert_true(lost > 1e-4);
            compare_impulses(&r, k, &p, Lambda);
        }
        check_near("energy lost", event.energy_lost, lost, tolerance);
        march(&p, h, &t, (k ? 16 : 8) * h, q, v);
        compare(what, &r, &p, q, v);
    }
    plain_close(&p);
    run_close(&r);
}

/* In the plane: a double pendulum whose elbow is locked and released. */
static void test_planar(void **unused) {
    (void)unused;
    check_model("elbow",
                "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                "  a: {mass: 1.2, inertia: 0.1, along: [[0, 0], [1, 0.3]], omega: 1.1}\n"
                "  b: {mass: 0.8, inertia: 0.05, along: [[1, 0.3], [1.7, 0.1]], omega: -2}\n"
                "joints:\n  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
                "  B: {type: revolute, bodies: [a, b], at: [1, 0.3]}\n"
                "  switched: {type: fixed, bodies: [a, b], at: [1, 0.3], active: {initially: "
                "false, from: t > 0.0143, until: t > 0.0443, catch: here}}\n");
}

/* In space: a hinge takes hold of a body that hangs on a ball joint, and lets it go. */
static void test_spatial(void **unused) {
    (void)unused;
    check_model(
        "hinge",
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  a: {mass: 1.3, inertia: [0.21, 0.24, 0.19], position: [0.5, 0, 0], omega: [0.3, 1, "
        "0.4]}\n"
        "  b: {mass: 0.7, inertia: [0.11, 0.05, 0.09], position: [1.3, 0.2, 0.1], omega: [2, "
        "-1, 3]}\njoints:\n"
        "  A: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
        "  B: {type: spherical, bodies: [a, b], at: [1, 0, 0]}\n"
        "  switched: {type: revolute, bodies: [a, b], at: [1, 0, 0], axis: [0.2, 0.5, 0.8], "
        "active: {initially: false, from: t > 0.0143, until: t > 0.0443, catch: here}}\n");
}

/* Nonholonomic: a skate comes down on its blade beside a rod that hangs on it, and lifts off. */
static void test_nonholonomic(void **unused) {
    (void)unused;
    check_model(
        "skate",
        "holonom: 1\nspace: planar\ngravity: [0.3, -0.2]\nbodies:\n"
        "  sled: {mass: 1.6, inertia: 0.23, position: [0, 0], velocity: [1.4, 0.39], omega: "
        "-1.3}\n"
        "  rod: {mass: 0.4, inertia: 0.03, along: [[-0.2, 0], [-0.7, 0.2]], omega: 2.1}\n"
        "joints:\n  hitch: {type: revolute, bodies: [sled, rod], at: [-0.2, 0]}\n"
        "  switched: {type: knife_edge, bodies: [ground, sled], at: [0.3, 0], axis: [1, 0.1], "
        "active: t > 0.0143 && t <= 0.0443}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_spatial),
        cmocka_unit_test(test_nonholonomic),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
