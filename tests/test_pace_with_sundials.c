/* test_pace_with_sundials.c: independent coordinates under integrators with a history of steps are
 * exchanged when their loss of speed has become what a fresh start costs (sim/pace.h) [GJB 5.2.1]:
 * the rule on courses made here, and runs with it and without.
 */
#include "model_fixture.h"

#include "sim/pace.h"

/* ---- the rule ---- */

/* The pace of the course below: evaluations a second once the start is over. */
static const double rate = 238.5;

/* A fresh start of steps of 2 evaluations that grow by a tenth until `rate` is reached, then go on.
 * Returns what it has cost: evaluations less rate times time, summed while steps grow. */
static double start(hol__pace *p, double strain) {
    double cost = 0, h = 1e-4;
    for (int i = 0; i < 600; i++) {
        const hol__paced_step step = {
            .h = h, .next = h, .evaluations = 2, .strain = strain, .fresh = i == 0};
        assert_int_equal(hol__pace_step(p, &step), 0);
        cost += 2 - rate * h;
        h = fmin(1.1 * h, 2 / rate);
    }
    return cost;
}

/* Where the line of the steady pace meets the start: within a tenth of what the steps cost. Marks
 * lie at doubled counts, so that the last stretch before the one that is no faster may hold a few
 * steps that still grew. */
static void test_cost_of_a_start(void **state) {
    (void)state;
    hol__pace p = {.slack = NAN, .drop = NAN};
    const double first = start(&p, 0.5);
    print_message("costs %.1f, found %.1f\n", first, p.cost);
    assert_int_equal(p.measured, 1);
    assert_int_equal(p.starting, 0);
    assert_true(fabs(p.cost - first) < 0.1 * first);
    assert_true(fabs(p.per_second - rate) < 1e-9 * rate);
    start(&p, 0.5);
    assert_int_equal(p.measured, 2);
    assert_true(fabs(p.cost - first) < 0.1 * first);
}

/* Steps of half the pace lose one evaluation each: the change comes with the first step that makes
 * it more than the cost, and not while the pace stays. */
static void test_loss(void **state) {
    (void)state;
    hol__pace p = {.slack = NAN, .drop = NAN};
    start(&p, 0.99);
    const double h = 1 / rate, cost = p.cost;
    hol__paced_step step = {.h = 2 * h, .next = h, .evaluations = 2, .strain = 1.04};
    for (int i = 0; i < 300; i++) assert_int_equal(hol__pace_step(&p, &step), 0);
    step.h = h;
    int n = 1;
    while (!hol__pace_step(&p, &step)) n++;
    print_message("cost %.2f, changed after %d\n", cost, n);
    assert_int_equal(n, (int)floor(cost) + 1);
}

/* Coordinates that become good again in between owe nothing. */
static void test_loss_is_forgotten(void **state) {
    (void)state;
    hol__pace p = {.slack = NAN, .drop = NAN};
    start(&p, 0.99);
    const double h = 1 / rate;
    const hol__paced_step worse = {.h = h, .next = h, .evaluations = 2, .strain = 1.02},
                          good = {.h = 2 * h, .next = h, .evaluations = 2, .strain = 0.99};
    for (int i = 0; i < 10 * (int)p.cost; i++)
        assert_int_equal(hol__pace_step(&p, i % (int)p.cost ? &worse : &good), 0);
}

/* Strain that grows towards a fold: 1/strain falls along a line, and the change comes before it
 * would reach zero, although nothing is lost. */
static void test_fold(void **state) {
    (void)state;
    hol__pace p = {.slack = NAN, .drop = NAN};
    start(&p, 0.979);
    const double h = 2 / rate, fold = 7.4 * h;
    int changed = -1;
    for (int i = 0; i < 8 && changed < 0; i++) {
        const double slack = 0.9 * (1 - i * h / fold);
        const hol__paced_step step = {.h = h, .next = h, .evaluations = 2, .strain = 1 / slack};
        if (hol__pace_step(&p, &step)) changed = i;
    }
    assert_int_equal(changed, 7); /* the next step would end at 8 h > fold */
}

/* Nothing known yet: the watch decides alone. */
static void test_nothing_measured(void **state) {
    (void)state;
    hol__pace p = {.slack = NAN, .drop = NAN};
    const hol__paced_step step = {.h = 0.01, .next = 0.01, .evaluations = 2, .strain = 1.1};
    assert_int_equal(hol__pace_step(&p, &step), 1);
}

/* ---- runs ---- */

static hol_sim_info run_by(const char *file, const char *method, const char *integrator,
                           const char *by, double *end) {
    char settings[256];
    snprintf(settings, sizeof settings,
             "simulation.method=%s simulation.integrator=%s simulation.watch_by=%s "
             "simulation.tolerance=1e-8 simulation.end=10",
             method, integrator, by);
    run r = run_open(file, settings);
    run_whole(&r);
    const hol_sim_info info = sim_info(r.sim);
    *end = run_measure(&r, "crank_angle");
    run_close(&r);
    return info;
}

/* Fewer changes and fewer evaluations in all, no run dearer than by a tenth, and the same
 * motion: what the four-bar is off after 10 s at 1e-8 is some 1e-6. */
static void test_runs(void **state) {
    static const char *const methods[] = {"partitioning", "independent", "independent-extended",
                                          "canonical-independent"};
    static const char *const integrators[] = {"adams", "bdf"};
    double evaluations[2] = {0}, changes[2] = {0}, exact, end;
    (void)state;
    if (!run_reads_files()) skip();
    run_by("four_bar", "partitioning", "dop853", "auto", &exact);
    for (int i = 0; i < 8; i++) {
        hol_sim_info info[2];
        for (int k = 0; k < 2; k++) {
            info[k] =
                run_by("four_bar", methods[i / 2], integrators[i % 2], k ? "auto" : "bound", &end);
            evaluations[k] += (double)info[k].evaluations;
            changes[k] += (double)info[k].coordinate_changes;
            assert_true(fabs(end - exact) < 1e-5);
        }
        print_message("%s by %s: %ld -> %ld evaluations, %ld -> %ld changes\n", methods[i / 2],
                      integrators[i % 2], info[0].evaluations, info[1].evaluations,
                      info[0].coordinate_changes, info[1].coordinate_changes);
        assert_true((double)info[1].evaluations < 1.1 * (double)info[0].evaluations);
    }
    assert_true(changes[1] < 0.5 * changes[0]);
    assert_true(evaluations[1] < 0.95 * evaluations[0]);
}

/* A pendulum in natural coordinates that turns over and over: each of x and y tells the motion for
 * half of each turn only, so that changes must come, in time. */
static void test_coordinates_that_fail(void **state) {
    static const char text[] = "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                               "points: {O: [0, 0], P: [0, -1.3]}\n"
                               "natural:\n"
                               "  fixed: [O]\n"
                               "  masses: {P: 2.385}\n"
                               "  rods: {arm: {points: [O, P]}}\n"
                               "  velocities: {P: [9.4, 0]}\n"
                               "measures: {p: {type: position, body: P}}\n"
                               "simulation: {end: 8, tolerance: 1e-9}\n";
    static const char *const integrators[] = {"adams", "bdf"};
    (void)state;
    if (!run_reads_files()) skip();
    run exact = run_text(text, "simulation.integrator=dop853 simulation.tolerance=1e-12");
    run_whole(&exact);
    for (int i = 0; i < 2; i++) {
        char settings[128];
        snprintf(settings, sizeof settings,
                 "simulation.method=partitioning simulation.integrator=%s", integrators[i]);
        run r = run_text(text, settings);
        const hol_sim_info info = run_whole(&r);
        print_message("%s: %ld changes, off by %.1e\n", integrators[i], info.coordinate_changes,
                      run_difference(&r, &exact));
        assert_true(info.coordinate_changes >= 8);
        assert_true(run_difference(&r, &exact) < 1e-5);
        run_close(&r);
    }
    run_close(&exact);
}

/* Formulas without a history are what they were. */
static void test_single_steps(void **state) {
    double ends[2];
    (void)state;
    if (!run_reads_files()) skip();
    const hol_sim_info a = run_by("four_bar", "independent", "dop853", "auto", &ends[0]),
                       b = run_by("four_bar", "independent", "dop853", "bound", &ends[1]);
    assert_int_equal(a.evaluations, b.evaluations);
    assert_int_equal(a.coordinate_changes, b.coordinate_changes);
    assert_true(ends[0] == ends[1]);
}

static void test_refusals(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run_refuses("four_bar",
                "simulation.watch_by=pace simulation.method=independent "
                "simulation.integrator=dopri5",
                "it has no history that a change would cost");
    run_refuses("four_bar",
                "simulation.watch_by=pace simulation.method=lagrange simulation.integrator=bdf",
                "no coordinates are chosen");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cost_of_a_start),
        cmocka_unit_test(test_loss),
        cmocka_unit_test(test_loss_is_forgotten),
        cmocka_unit_test(test_fold),
        cmocka_unit_test(test_nothing_measured),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_coordinates_that_fail),
        cmocka_unit_test(test_single_steps),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
