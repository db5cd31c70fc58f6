/* test_extremes.c: the extremes of every measure over all accepted steps, which samples miss.
 *
 * An oscillator x = a sin(w t), v = a w cos(w t), acceleration -a w^2 sin(w t) that is sampled once
 * a period is written as if it stood still. Steps of a controlled run are h = 0.3/w or shorter at
 * these tolerances, so that the largest value among them is within h^2 w^2/8 = 1.2 % of a.
 */
#include "model_fixture.h"

#include <unistd.h>

static const char *const oscillator =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
    "bodies:\n  b: {mass: 2, inertia: 0.3, position: [0, 0], velocity: [W, 0]}\n"
    "joints:\n  rail: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\n"
    "  slide: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0], active: false}\n"
    "forces:\n  f: {type: force, body: b, force: [-K*x, -K*x]}\n"
    "measures:\n  x: {type: position, body: b, component: x}\n"
    "  v: {type: velocity, body: b, component: x}\n"
    "  a: {type: acceleration, body: b, component: x}\n"
    "  side: {type: reaction, joint: rail, component: fy}\n"
    "simulation: {end: 1.00000001, output: 0.02, tolerance: 1e-10}\n";

/* a = 1, w = 2 pi 50, k = m w^2: 50 periods, one a sample. */
static run run_oscillator(const char *settings) {
    char text[2048], *to = text;
    const double w = 2 * acos(-1) * 50;
    for (const char *at = oscillator; *at; at++)
        if (*at == 'W')
            to += sprintf(to, "%.17g", w);
        else if (*at == 'K')
            to += sprintf(to, "%.17g", 2 * w * w);
        else
            *to++ = *at;
    *to = '\0';
    return run_text(text, settings);
}

/* What is kept beside the samples is that of the motion, in all coordinates and with outputs that
 * are landed on or interpolated. */
static void test_extremes_of_the_motion(void **state) {
    static const char *const ways[] = {"", "output_mode=dense", "coordinates=relative",
                                       "coordinates=natural", "integrator=rodas4 tolerance=1e-7"};
    const double w = 2 * acos(-1) * 50, sizes[4] = {1, w, w * w, 2 * w * w};
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        run r = run_oscillator(ways[k]);
        const hol_sim_info info = run_whole(&r);
        assert_int_equal(info.minima.n, 4);
        for (int i = 0; i < 4; i++) {
            check_near("maximum", info.maxima.values[i], sizes[i], 0.012 * sizes[i]);
            check_near("minimum", info.minima.values[i], -sizes[i], 0.012 * sizes[i]);
            assert_true(info.maxima.values[i] <= sizes[i] * (1 + 1e-5));
        }
        /* when: x = sin(w t) */
        check_near("time of the maximum", sin(w * info.maximum_times.values[0]),
                   info.maxima.values[0], 1e-4);
        run_close(&r);
    }
}

/* Samples that miss them are warned of, and only those. */
static void test_missed_extremes_are_warned_of(void **state) {
    (void)state;
    run r = run_oscillator("");
    run_whole(&r);
    assert_true(run_warns(&r, "'x' reaches"));
    run_close(&r);
    r = run_oscillator("output=0.0005");
    run_whole(&r);
    assert_false(run_warns(&r, "reaches"));
    run_close(&r);
    r = run_oscillator("extremes=off");
    const hol_sim_info info = run_whole(&r);
    assert_false(run_warns(&r, "reaches"));
    assert_int_equal(info.minima.n, 0);
    run_close(&r);
}

/* Rounding in a component of what is large otherwise is no extreme: two components of the
 * quaternion of a door stay 0 but for it. */
static void test_rounding_is_no_extreme(void **state) {
    (void)state;
    run r = run_text("holonom: 1\nspace: spatial\ngravity: [0, -9.81, 0]\n"
                     "bodies:\n  door: {mass: 20, inertia: [2, 3, 4], position: [0.4, 0, 1]}\n"
                     "joints:\n  a: {type: revolute, bodies: [ground, door], at: [0, 0, 0], axis: "
                     "[0, 0, 1]}\n  b: {type: revolute, bodies: [ground, door], at: [0, 0, 0.2], "
                     "axis: [0, 0, 1]}\nsimulation: {end: 5, output: 1}\n",
                     "");
    run_whole(&r);
    assert_false(run_warns(&r, "'door.q.x' reaches"));
    assert_false(run_warns(&r, "'energy.balance' reaches"));
    run_close(&r);
}

/* A writer for each file, and how often it was called. */
typedef struct files {
    hol_writer *csv, *hdf5;
    long records;
} files;

static hol_status record(void *user, hol_sim *sim) {
    files *f = user;
    (void)sim;
    f->records++;
    hol_status status = hol_writer_record(f->csv);
    return status || !f->hdf5 ? status : hol_writer_record(f->hdf5);
}

/* What a file says of the extremes is what the run says, to the bit. */
static void check_file(hol_context *ctx, const char *path, const hol_sim_info *info) {
    hol_result *result = hol_result_read(ctx, path);
    assert_non_null(result);
    for (int i = 0; i < info->minima.n; i++) {
        hol_extremes x = {.size = sizeof x};
        assert_int_equal(hol_result_extremes(result, 1 + i, &x), HOL_OK);
        assert_true(x.minimum == info->minima.values[i] && x.maximum == info->maxima.values[i]);
        assert_true(x.minimum_time == info->minimum_times.values[i]);
        assert_true(x.maximum_time == info->maximum_times.values[i]);
    }
    hol_extremes none = {.size = sizeof none};
    assert_int_equal(hol_result_extremes(result, 0, &none), HOL_ERR_ARGUMENT);
    hol_result_free(result);
}

static void test_files_hold_them(void **state) {
    (void)state;
    run r = run_oscillator("output=steps");
    files f = {.csv = hol_writer_open(r.sim, "extremes.csv"),
               .hdf5 = built_with("hdf5") ? hol_writer_open(r.sim, "extremes.h5") : NULL};
    assert_non_null(f.csv);
    const hol_observer observer = {record, NULL, &f};
    assert_int_equal(hol_sim_run(r.sim, &observer), HOL_OK);
    const hol_sim_info info = sim_info(r.sim);
    assert_int_equal(hol_writer_close(f.csv), HOL_OK);
    if (f.hdf5) assert_int_equal(hol_writer_close(f.hdf5), HOL_OK);
    /* output: steps writes the start and every step */
    assert_int_equal(f.records, info.steps + 1);
    check_file(r.ctx, "extremes.csv", &info);
    if (f.hdf5) check_file(r.ctx, "extremes.h5", &info);
    run_close(&r);
    /* a run that keeps none leaves none of an earlier one behind */
    r = run_oscillator("extremes=off end=0.1");
    hol_writer *writer = hol_writer_open(r.sim, "extremes.csv");
    assert_non_null(writer);
    run_whole(&r);
    assert_int_equal(hol_writer_close(writer), HOL_OK);
    assert_int_not_equal(access("extremes.extremes.csv", F_OK), 0);
    run_close(&r);
}

/* A run that is split by a checkpoint has the extremes of the whole. */
static void test_extremes_are_saved(void **state) {
    (void)state;
    run a = run_oscillator(""), b = run_oscillator("");
    run_to(&a, 0.3);
    const size_t size = hol_sim_state_size(a.sim);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(hol_sim_state_save(a.sim, bytes, size), HOL_OK);
    assert_int_equal(hol_sim_state_load(b.sim, bytes, size), HOL_OK);
    free(bytes);
    run_to(&a, 0.7);
    run_to(&b, 0.7);
    const hol_sim_info one = sim_info(a.sim), two = sim_info(b.sim);
    for (int i = 0; i < 4; i++) {
        assert_true(one.maxima.values[i] == two.maxima.values[i]);
        assert_true(one.minimum_times.values[i] == two.minimum_times.values[i]);
    }
    run_close(&a);
    run_close(&b);
}

/* What holds only while it is pushed lets go where the forces jump: 100 kg that weigh 1000 N are
 * lifted with 3000 N, at an instant or from a place on. At no time do rope or floor carry more than
 * the weight; to hold the body there they would have to take 2000 N the other way. */
static void test_what_lets_go_carries_nothing_more(void **state) {
    static const char *const holds[] = {
        "rope, bodies: [ground, b], from: [1, 5], to: [0, 0], length: 5.1}",
        "rigid_stop, body: b, component: y, lower: 0}"};
    static const char *const laws[] = {"t > 0.5", "x > 0.50001", "t >= 0.5 and t < 0.503"};
    (void)state;
    for (int k = 0; k < 6; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\ngravity: [0, -10]\nbodies:\n"
                 "  b: {mass: 100, point: true, position: [0, 0], velocity: [1, 0]}\njoints:\n"
                 "  hold: {type: %s\nforces:\n"
                 "  lift: {type: force, body: b, force: [0, \"if(%s, 3000, 0)\"]}\nmeasures:\n"
                 "  x: {type: position, body: b, component: x}\n"
                 "  f: {type: reaction, joint: hold, component: fy}\n"
                 "simulation: {end: 0.6, output: 0.01}\n",
                 holds[k % 2], laws[k / 2]);
        run r = run_text(text, "");
        const hol_sim_info info = run_whole(&r);
        /* what the first body, ground, receives: down by up to the weight, and what a slow swing
         * on the rope adds, m v^2/l = 20 N */
        assert_true(info.minima.values[1] < -900 && info.minima.values[1] > -1100);
        assert_true(info.maxima.values[1] <= 1e-6);
        run_close(&r);
    }
}

/* Behind an instant at which a force sets in and falls again within a millisecond (100 N on 2 kg)
 * its first value counts, at any tolerance: half of it is gone at the end of a step of 0.7 ms. */
static void test_peak_behind_an_instant(void **state) {
    static const char *const ways[] = {"", "tolerance=1e-3", "integrator=radau5", "output=steps"};
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        run r =
            run_text("holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
                     "  b: {mass: 2, inertia: 0.3, position: [0, 0]}\njoints:\n"
                     "  rail: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\n"
                     "measures:\n  a: {type: acceleration, body: b, component: x}\n"
                     "  side: {type: reaction, joint: rail, component: fy}\nforces:\n"
                     "  f: {type: force, body: b, force: ["
                     "\"if(t > 0.50025, 100*exp((0.50025 - t)/1e-3), 0)\","
                     "\"if(t > 0.50025, 100*exp((0.50025 - t)/1e-3), 0)\"]}\n"
                     "simulation: {end: 1, output: 0.1}\n",
                     ways[k]);
        const hol_sim_info info = run_whole(&r);
        check_near("acceleration", info.maxima.values[0], 50, 1e-9);
        check_near("side", info.maxima.values[1], 100, 1e-9);
        check_near("when", info.maximum_times.values[1], 0.50025, 1e-12);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extremes_of_the_motion),
        cmocka_unit_test(test_missed_extremes_are_warned_of),
        cmocka_unit_test(test_rounding_is_no_extreme),
        cmocka_unit_test(test_files_hold_them),
        cmocka_unit_test(test_extremes_are_saved),
        cmocka_unit_test(test_what_lets_go_carries_nothing_more),
        cmocka_unit_test(test_peak_behind_an_instant),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
