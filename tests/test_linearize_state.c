/* test_linearize_state.c: the linear equations about a state in motion are those of neighbouring
 * motions, s' = A s + B u: against a closed solution, and against differences of runs that start
 * beside each other. */
#include "model_fixture.h"

#include "analysis/linearize.h"
#include "sim/sim.h"

static const char *const sets[] = {"coordinates=reference", "coordinates=relative",
                                   "coordinates=natural"};

static const char swing[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {T: 0}\nbodies:\n"
    "  rod: {mass: 2.3, inertia: 0.31, position: [0.7, 0], omega: 2}\n"
    "joints:\n  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
    "forces:\n  damper: {type: torsion, joint: hinge, damping: 0.9, torque: T}\n"
    "measures:\n  angle: {type: angle, body: rod}\nsimulation: {end: 1, tolerance: 1e-12}\n";

/* J phi'' = -m g l cos(phi) - d phi' + T: A = [0 1; m g l sin(phi)/J -d/J], B = [0 1/J]. */
static void test_pendulum(void **unused) {
    const double m = 2.3, l = 0.7, J = 0.31 + m * l * l, d = 0.9;
    static const char *const inputs[] = {"T"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx), *copy = hol_spec_new(ctx);
        hol_answer *answer = NULL;
        assert_int_equal(hol_spec_read_text(spec, swing, "swing.yaml"), HOL_OK);
        run r = run_from_spec(ctx, copy, hol_spec_read_text(copy, swing, "swing.yaml"), sets[i]);
        const hol_linearize_options how = {
            .size = sizeof how, .n_inputs = 1, .inputs = inputs, .n_frequencies = 2};
        assert_int_equal(hol_sim_advance(r.sim, 0.5), HOL_OK);
        assert_int_equal(hol_linearize(ctx, r.sim, spec, &how, &answer), HOL_OK);
        double phi = 0;
        assert_int_equal(hol__measure_all(hol_sim_data(r.sim), &phi), HOL_OK);
        const hol_table A = answer_table(answer, "A"), B = answer_table(answer, "B");
        const double wanted[] = {0, 1, m * 9.81 * l * sin(phi) / J, -d / J}, by[] = {0, 1 / J};
        for (int k = 0; k < 4; k++) assert_true(fabs(A.values[k] - wanted[k]) < 1e-10);
        for (int k = 0; k < 2; k++) assert_true(fabs(B.values[k] - by[k]) < 1e-9);
        hol_answer_free(answer);
        hol_spec_free(spec);
        run_close(&r);
    }
}

/* Where a run from the state of s, moved by e along perturbation k, is after h: s = (x, y). */
static void after(const hol__small *s, hol_sim *sim, int k, double e, double h, const double *q0,
                  const double *v0, double *out) {
    const hol_model *m = s->model;
    const hol__perturb *p = &s->p;
    double d[64] = {0}, v[64], q[64];
    for (int i = 0; i < m->nv; i++) {
        d[i] = e * p->dq[k * p->nv + i];
        v[i] = s->data->v[i] + e * p->dv[k * p->nv + i];
    }
    m->coords->plus(m, s->data->q, d, q);
    assert_int_equal(hol_sim_restart(sim, s->data->t, q, v), HOL_OK);
    assert_int_equal(hol_sim_advance(sim, s->data->t + h), HOL_OK);
    const hol_data *at = hol_sim_data(sim);
    m->coords->minus(m, at->q, q0, d);
    for (int i = 0; i < p->n_q; i++) out[i] = d[p->at_q[i]];
    for (int i = 0; i < p->n_v; i++) out[p->n_q + i] = at->v[p->at_v[i]] - v0[p->at_v[i]];
}

/* (s(h) - s(0))/h along perturbation k, by central differences over e. */
static void slope(const hol__small *s, hol_sim *sim, int k, double h, double *out) {
    const hol_model *m = s->model;
    const double e = 1e-4 * s->scale[k];
    double q0[64], v0[64], plus[64], minus[64];
    assert_int_equal(hol_sim_restart(sim, s->data->t, s->data->q, s->data->v), HOL_OK);
    assert_int_equal(hol_sim_advance(sim, s->data->t + h), HOL_OK);
    memcpy(q0, hol_sim_data(sim)->q, sizeof(double) * (size_t)m->nq);
    memcpy(v0, hol_sim_data(sim)->v, sizeof(double) * (size_t)m->nv);
    after(s, sim, k, e, h, q0, v0, plus);
    after(s, sim, k, -e, h, q0, v0, minus);
    for (int i = 0; i < s->p.n; i++) out[i] = ((plus[i] - minus[i]) / (2 * e) - (i == k)) / h;
}

/* Extrapolated over three lengths h, whose error is (h rate)^3 of the fastest rate; neighbouring
 * runs are off by e^2 over h rate. With h rate = 0.02 and e = 1e-4, 1e-4 is ten times of that. */
static void compare(const char *file, const char *set, double t) {
    char settings[128];
    snprintf(settings, sizeof settings, "%s tolerance=1e-13 integrator=dop853", set);
    run r = run_open(file, settings);
    hol__small *s = NULL;
    double D[3][64];
    assert_int_equal(hol_sim_advance(r.sim, t), HOL_OK);
    assert_int_equal(hol__small_new(hol_sim_data(r.sim), 0, &s), HOL_OK);
    assert_int_equal(s->motion, HOL__MOTION_STATE);
    const double h = 0.02 / s->rate;
    for (int k = 0; k < s->p.n; k++) {
        for (int j = 0; j < 3; j++) slope(s, r.sim, k, ldexp(h, -j), D[j]);
        for (int i = 0; i < s->p.n; i++) {
            const double a = 2 * D[1][i] - D[0][i], b = 2 * D[2][i] - D[1][i],
                         got = s->A[k * s->p.n + i], wanted = (4 * b - a) / 3,
                         size = s->rate * s->scale[i] / s->scale[k];
            if (!(fabs(got - wanted) <= 1e-4 * size))
                fail_msg("%s, %s: A(%d, %d) = %.9g, differences of runs %.9g", file, set, i, k, got,
                         wanted);
        }
    }
    hol__small_free(s);
    run_close(&r);
}

static void test_runs(void **unused) {
    static const char *const files[] = {"heavy_top", "bicycle", "four_bar", "a05_flyball_governor",
                                        "slider_crank_spatial"};
    (void)unused;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 2; k++) compare(files[i], sets[k], 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pendulum),
                                       cmocka_unit_test(test_runs)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
