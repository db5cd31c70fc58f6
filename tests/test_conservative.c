/* test_conservative.c: formulas for long conservative runs: the energy of the four-bar without
 * drift, and what is refused. Orders are those of test_constrained_orders.
 */
#include "model_fixture.h"

#include "sim/sim.h"

/* How the energy balance goes over a run: the largest deviation from the start, and the mean over
 * the last quarter less that over the first, both relative to the energy scale of the run. */
typedef struct drift {
    double most, trend;
} drift;

static drift run_drift(const char *file, const char *settings, double end, int samples) {
    run r = run_open(file, settings);
    drift d = {0};
    double first = 0, last = 0;
    run_to(&r, 0);
    for (int k = 1; k <= samples; k++) {
        run_to(&r, end * k / samples);
        const double off = r.sim->balance - r.sim->balance0;
        d.most = fmax(d.most, fabs(off));
        if (k <= samples / 4) first += off / (samples / 4);
        if (k > samples - samples / 4) last += off / (samples / 4);
    }
    const double scale = hol__sim_energy_scale(r.sim);
    d.most /= scale;
    d.trend = fabs(last - first) / scale;
    print_message("%s, %s: energy within %.1e, trend %.1e over %g s\n", file, settings, d.most,
                  d.trend, end);
    run_close(&r);
    return d;
}

/* The four-bar in all coordinates: kinetic and potential energy change by the work that is done, to
 * rounding of the numbers of some 100 J, at every step and without a trend. */
static void test_energy_momentum(void **state) {
    static const char *const settings[] = {
        "simulation.integrator=energy-momentum simulation.step=0.02 simulation.end=1e9",
        "simulation.integrator=energy-momentum simulation.step=0.02 simulation.end=1e9 "
        "simulation.coordinates=natural",
        "simulation.integrator=energy-momentum simulation.step=0.02 simulation.end=1e9 "
        "simulation.coordinates=relative",
    };
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const drift d = run_drift("four_bar", settings[i], 120, 6000);
        assert_true(d.most < 1e-11);
        assert_true(d.trend < 1e-12);
    }
}

/* Space, rotations, springs, dampers, motors, rolling, rest at the start: the balance closes,
 * whatever the step. */
static void test_balance(void **state) {
    static const struct {
        const char *file;
        double step, end;
    } rows[] = {{"heavy_top", 1e-3, 0.5},
                {"slider_crank_spatial", 0.01, 3},
                {"a04_bricard", 0.01, 3},
                {"elements/bushing", 0.002, 0.6},
                {"elements/spring", 0.005, 1},
                {"elements/motor", 0.005, 0.5},
                {"elements/rolling_disk", 2e-3, 0.5}};
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char settings[160];
        snprintf(settings, sizeof settings,
                 "simulation.integrator=energy-momentum simulation.step=%g simulation.end=1e9",
                 rows[i].step);
        const drift d = run_drift(rows[i].file, settings, rows[i].end, 50);
        assert_true(d.most < 1e-10);
    }
}

/* RATTLE oscillates with h^2 and does not drift: halving the step divides the oscillation by 4, and
 * the trend is a small part of it, while rk4 with the same step goes down all the time. */
static void test_rattle(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const drift coarse =
        run_drift("four_bar",
                  "simulation.integrator=rattle simulation.step=4e-3 simulation.end=1e9", 40, 400);
    const drift fine =
        run_drift("four_bar",
                  "simulation.integrator=rattle simulation.step=2e-3 simulation.end=1e9", 40, 400);
    const double p = log2(coarse.most / fine.most);
    assert_true(p > 1.7 && p < 2.3);
    assert_true(coarse.trend < 0.1 * coarse.most && fine.trend < 0.1 * fine.most);
    const drift rk4 = run_drift(
        "four_bar", "simulation.integrator=rk4 simulation.step=2e-3 simulation.end=1e9", 40, 400);
    assert_true(rk4.trend > 0.5 * rk4.most);
}

/* Of order 8 it stays within 1e-10 of the energy that moves. */
static void test_rattle8(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const drift high =
        run_drift("four_bar",
                  "simulation.integrator=rattle8 simulation.step=5e-3 simulation.end=1e9", 8, 100);
    assert_true(high.most < 1e-10);
}

/* Constraints on velocities alone have no place in it. */
static void test_refused(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run_refuses("elements/rolling_disk", "simulation.integrator=rattle simulation.step=1e-3",
                "constraints on velocities alone");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_momentum), cmocka_unit_test(test_balance),
        cmocka_unit_test(test_rattle),          cmocka_unit_test(test_rattle8),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("conservative", tests, NULL, NULL);
}
