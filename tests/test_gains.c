/* test_gains.c: the poles that a run shows are those that were asked for, and rules for gains hold
 * the constraints as they claim.
 *
 * The map of a violation over one step, x_1 = T x_0 for x = (Phi, h psi), is measured by starting
 * off the constraints. Where the constraints are linear in the coordinates T is exact; elsewhere
 * the difference of two starts on either side of the constraints removes what the formula adds by
 * itself, and T is off by O(h).
 */
#include "plain.h"

#include "integ/stepper.h"

/* A slider with linear constraints, y = 0 and theta = 0, and a spring along its way. */
static const char slider[] =
    "holonom: 1\nname: slider\nspace: planar\n"
    "bodies:\n  block: {mass: 1.3, inertia: 0.4, position: [0, 0]}\n"
    "joints:\n  guide: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}\n"
    "forces:\n  spring: {type: spring, bodies: [ground, block], from: [-1, 0], to: [0, 0], "
    "stiffness: 7, free_length: 0.4}\n";

enum { Y = 1 }; /* the coordinate that is held */

/* x_1 after one step from Phi = x_0[0], h psi = x_0[1] of the row y. */
static void slide(run *r, double h, const double x0[2], double x1[2]) {
    const double q[3] = {0.2, x0[0], 0}, v[3] = {0.7, x0[1] / h, 0};
    assert_int_equal(hol_sim_restart(r->sim, 0, q, v), HOL_OK);
    assert_int_equal(hol_sim_step(r->sim), HOL_OK);
    x1[0] = hol_data_q(hol_sim_data(r->sim))[Y];
    x1[1] = h * hol_data_v(hol_sim_data(r->sim))[Y];
}

/* Trace and determinant of the measured map against those of two poles. Numbers of 1 with
 * roundings, and implicit formulas iterate to a share of the tolerance. */
static void check_slider(const char *integrator, const char *settings, double first, double second,
                         double allowed) {
    char all[512];
    const double h = 0.0125, ex[2] = {1, 0}, ey[2] = {0, 1};
    double a[2], b[2];
    snprintf(all, sizeof all,
             "step=0.0125 end=50 tolerance=1e-12 method=baumgarte integrator=%s %s", integrator,
             settings);
    run r = run_text(slider, all);
    slide(&r, h, ex, a);
    slide(&r, h, ey, b);
    check_near(all, a[0] + b[1], first + second, allowed);
    check_near(all, a[0] * b[1] - a[1] * b[0], first * second, allowed);
    run_close(&r);
}

/* Every formula, both samplings. Held terms need a formula of order 2, which Euler's is not. */
static void test_poles_of_a_slider(void **unused) {
    static const double poles[] = {0, 0.25, 0.6, 0.95};
    (void)unused;
    for (int i = 0; hol__stepper_get(i); i++)
        for (size_t k = 0; k < sizeof poles / sizeof *poles; k++) {
            const hol__stepper_type *type = hol__stepper_get(i);
            char settings[128];
            /* compositions step backwards in between, where such terms grow */
            if (type->paces || type->holonomic || type->varies) continue;
            snprintf(settings, sizeof settings, "gains=pole-placement pole=%g", poles[k]);
            check_slider(type->name, settings, poles[k], poles[k], 1e-8);
            snprintf(settings, sizeof settings, "gains=pole-placement pole=%g sampling=step",
                     poles[k]);
            if (type->order > 1) check_slider(type->name, settings, poles[k], poles[k], 1e-8);
        }
}

/* The poles of the other rules. Taylor's gains: 1/6 +- i/3 with RK4, none at all with Heun's
 * formula, of whose R they are the zeros, 0 and -1 where they are held: Phi vanishes and Phi' only
 * changes its sign. Optimal: 0 and 1/3. */
static void test_poles_of_rules(void **unused) {
    (void)unused;
    const double sum = 1.0 / 3, product = 1.0 / 36 + 1.0 / 9, half = sum / 2;
    char all[] = "step=0.0125 end=50 method=baumgarte integrator=rk4 gains=taylor";
    const double h = 0.0125, ex[2] = {1, 0}, ey[2] = {0, 1};
    double a[2], b[2];
    run r = run_text(slider, all);
    slide(&r, h, ex, a);
    slide(&r, h, ey, b);
    check_near("trace", a[0] + b[1], 2 * half, 1e-12);
    check_near("determinant", a[0] * b[1] - a[1] * b[0], product, 1e-12);
    run_close(&r);
    check_slider("heun", "gains=taylor", 0, 0, 1e-12);
    check_slider("rk4", "gains=taylor sampling=step", 0, -1, 1e-12);
    check_slider("rk4", "gains=optimal", 0, sum, 1e-12);
}

/* ---- curved constraints ---- */

/* Phi and h psi after a step from a state off by d in positions and u in velocities. */
static void step_off(run *r, plain *p, double t, double h, const double *q, const double *v,
                     double sign, const double *d, const double *u, double *x0, double *x1) {
    const hol_model *model = r->model;
    double start_d[PLAIN], q0[PLAIN], v0[PLAIN], q1[PLAIN], v1[PLAIN];
    for (int i = 0; i < p->nv; i++) start_d[i] = sign * d[i], v0[i] = v[i] + sign * u[i];
    model->coords->plus(model, q, start_d, q0);
    plain_library_step(r, t, q0, v0, q1, v1);
    for (int k = 0; k < 2; k++) {
        double *x = k ? x1 : x0;
        plain_at(p, k ? t + h : t, k ? q1 : q0, k ? v1 : v0);
        for (int i = 0; i < p->m; i++)
            x[i] = i < p->mh ? p->Phi[i] : 0, x[p->m + i] = h * p->psi[i];
    }
}

/* What a step leaves of a violation, against the map x -> T x of a row. The difference of two
 * starts has no even terms, so that what is left beside T is O(h) of it, about h times the rates of
 * the motion, 10/s, times some factors of the formula; held terms have the map of the double
 * integrator, up to the square of the offset. */
static void check_step(int subject, const char *settings, const double T[2][2], double rate) {
    char all[512];
    const double h = 1e-4, t = plain_subjects[subject].t;
    double q[PLAIN], v[PLAIN], d[PLAIN], u[PLAIN];
    double up0[2 * PLAIN], up1[2 * PLAIN], low0[2 * PLAIN], low1[2 * PLAIN], worst = 0, size = 0;
    uint64_t seed = 99;
    snprintf(all, sizeof all, "step=1e-4 end=50 method=baumgarte %s", settings);
    run r = run_open(plain_subjects[subject].file, all);
    plain p = plain_open(&r);
    plain_start(&plain_subjects[subject], 0, q, v);
    for (int i = 0; i < p.nv; i++) d[i] = 1e-6 * random_one(&seed), u[i] = 1e-2 * random_one(&seed);
    step_off(&r, &p, t, h, q, v, 1, d, u, up0, up1);
    step_off(&r, &p, t, h, q, v, -1, d, u, low0, low1);
    for (int i = 0; i < p.m; i++) {
        const double Phi = (up0[i] - low0[i]) / 2, psi = (up0[p.m + i] - low0[p.m + i]) / 2;
        const double got[2] = {(up1[i] - low1[i]) / 2, (up1[p.m + i] - low1[p.m + i]) / 2};
        const double want[2] = {i < p.mh ? T[0][0] * Phi + T[0][1] * psi : 0,
                                i < p.mh ? T[1][0] * Phi + T[1][1] * psi : rate * psi};
        for (int k = 0; k < 2; k++) worst = fmax(worst, fabs(got[k] - want[k]));
        size = fmax(size, hypot(Phi, psi));
    }
    if (getenv("GAINS_VERBOSE"))
        print_message("%s %s: off by %.1e of %.1e\n", plain_subjects[subject].file, settings, worst,
                      size);
    check_near(all, worst / size, 0, strstr(settings, "sampling=step") ? 1e-8 : 100 * h);
    plain_close(&p);
    run_close(&r);
}

/* RK4 without poles leaves nothing, and 0.2704 of nonholonomic rows; held terms leave what their
 * map says. */
static void test_poles_of_mechanisms(void **unused) {
    static const double none[2][2] = {{0}}, dead[2][2] = {{0.5, 0.25}, {-1, -0.5}},
                        best[2][2] = {{2.0 / 3, 1.0 / 3}, {-2.0 / 3, -1.0 / 3}};
    (void)unused;
    for (int s = 0; s < PLAIN_SUBJECTS; s++) {
        check_step(s, "gains=pole-placement", none, 0.270395);
        check_step(s, "gains=pole-placement sampling=step", dead, 0);
        check_step(s, "gains=optimal sampling=step", best, 0);
    }
}

/* ---- what they are good for ---- */

/* The largest violations of a run of 10 s with 1 ms. */
static void violations(const char *model, const char *settings, double *position,
                       double *velocity) {
    char all[256];
    snprintf(all, sizeof all, "method=baumgarte step=1e-3 end=10 %s", settings);
    run r = run_open(model, all);
    run_to(&r, 10);
    const hol_sim_info info = sim_info(r.sim);
    *position = info.max_position_violation;
    *velocity = info.max_velocity_violation;
    run_close(&r);
}

/* On the four-bar gains of 5 hold 9.2e-10; rules with held terms hold less than a tenth of it. */
static void test_rules_hold_more(void **unused) {
    static const char *const rules[] = {"gains=optimal", "gains=pole-placement sampling=step",
                                        "gains=adaptive threshold=1e-12"};
    double usual[2], got[2];
    (void)unused;
    violations("four_bar", "", &usual[0], &usual[1]);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        violations("four_bar", rules[i], &got[0], &got[1]);
        assert_true(got[0] < 0.1 * usual[0]);
    }
}

/* Adaptive gains keep the violation near the threshold that they are given, as long as a step adds
 * less than it: at most twice as much, since the growth is that of the step before. */
static void test_adaptive_threshold(void **unused) {
    static const double thresholds[] = {3e-10, 1e-10, 5e-11};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        char settings[128];
        double position, velocity;
        snprintf(settings, sizeof settings, "gains=adaptive threshold=%g", thresholds[i]);
        violations("four_bar", settings, &position, &velocity);
        assert_true(position < 2 * thresholds[i] && position > 0.2 * thresholds[i]);
    }
}

/* Steps that end early do not enlarge the gains: outputs that lie 1 us and more behind steps of
 * 1 ms leave what a run without them leaves, within a factor of three for other steps. */
static void test_short_steps(void **unused) {
    static const char *const rules[] = {"gains=optimal", "gains=pole-placement sampling=step",
                                        "gains=taylor sampling=step", "gains=step sampling=step"};
    (void)unused;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        char settings[256];
        double largest[2];
        for (int cut = 0; cut < 2; cut++) {
            snprintf(settings, sizeof settings, "method=baumgarte step=1e-3 end=2 output=%s %s",
                     cut ? "0.010001" : "0.01", rules[i]);
            run r = run_open("four_bar", settings);
            assert_int_equal(hol_sim_run(r.sim, NULL), HOL_OK);
            largest[cut] = sim_info(r.sim).max_position_violation;
            run_close(&r);
        }
        assert_true(largest[1] < 3 * largest[0]);
    }
}

/* Gains of 1/h at every stage with error-controlled steps: said to be a bad idea. */
static void test_warning(void **unused) {
    static const struct {
        const char *settings;
        int warns;
    } cases[] = {{"gains=taylor", 1},           {"step_gain=0.5", 1},
                 {"gains=taylor step=1e-3", 0}, {"gains=taylor sampling=step", 0},
                 {"gains=adaptive", 0},         {"gains=fixed", 0}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char all[128], line[1024];
        int said = 0;
        snprintf(all, sizeof all, "method=baumgarte end=1 %s", cases[i].settings);
        run r = run_open("four_bar", all);
        const hol_context *ctx = hol_sim_context(r.sim);
        for (int k = 0; k < hol_message_count(ctx); k++) {
            hol_message_format(hol_message_get(ctx, k), line, sizeof line);
            said |= strstr(line, "at every stage grow as error control") != NULL;
        }
        assert_int_equal(said, cases[i].warns);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poles_of_a_slider),
        cmocka_unit_test(test_poles_of_rules),
        cmocka_unit_test(test_poles_of_mechanisms),
        cmocka_unit_test(test_rules_hold_more),
        cmocka_unit_test(test_adaptive_threshold),
        cmocka_unit_test(test_short_steps),
        cmocka_unit_test(test_warning),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
