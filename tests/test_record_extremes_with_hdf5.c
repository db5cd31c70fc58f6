/* test_record_extremes_with_hdf5.c: the extremes over all accepted steps of what results hold
 * beside the measures: bodies, joints, forces, energies, reactions of single constraints.
 *
 * An oscillator x = sin(w t) that is sampled once a period, as in test_extremes.c: it is written as
 * if it stood still, and its steps are so short that the largest value among them is within 1.2 %
 * of the amplitude, of a square 2.4 %.
 */
#include "model_fixture.h"

#include <hdf5.h>

static const double W = 314.15926535897932; /* 2 pi 50 */

/* m = 2, k = m w^2; the force has a part across the rail, which the joint takes. */
static run run_oscillator(const char *settings) {
    static const char form[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
        "bodies:\n  b: {mass: 2, inertia: 0.3, position: [0, 0], velocity: [%.17g, 0]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\n"
        "forces:\n  f: {type: force, body: b, force: [-%.17g*x, -%.17g*x]}\n"
        "measures:\n  x: {type: position, body: b, component: x}\n"
        "  a: {type: acceleration, body: b, component: x}\n"
        "simulation: {end: 1.00000001, output: 0.02, tolerance: 1e-10, units: {energy: kJ}}\n";
    char text[1024];
    snprintf(text, sizeof text, form, W, 2 * W * W, 2 * W * W);
    return run_text(text, settings);
}

static hol_status record(void *user, hol_sim *sim) {
    (void)sim;
    return hol_writer_record(user);
}

/* Run it into the file. */
static void run_into(run *r, const char *path) {
    hol_writer *writer = hol_writer_open(r->sim, path);
    assert_non_null(writer);
    const hol_observer observer = {record, NULL, writer};
    assert_int_equal(hol_sim_run(r->sim, &observer), HOL_OK);
    assert_int_equal(hol_writer_close(writer), HOL_OK);
}

/* The attribute `extremes` of a dataset; how many numbers it has, 0 where there is none. */
static int read_extremes(const char *path, const char *dataset, double out[64]) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT),
                set = H5Dopen2(file, dataset, H5P_DEFAULT);
    int n = 0;
    assert_true(set >= 0);
    if (H5Aexists(set, "extremes") > 0) {
        const hid_t attribute = H5Aopen(set, "extremes", H5P_DEFAULT),
                    space = H5Aget_space(attribute);
        n = (int)H5Sget_simple_extent_npoints(space);
        assert_in_range(n, 1, 64);
        assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, out) >= 0);
        H5Sclose(space);
        H5Aclose(attribute);
    }
    H5Dclose(set);
    H5Fclose(file);
    return n;
}

/* Value k of n numbers swings between -size and size, at times when x = sin(w t) does. */
static void check_swing(const char *what, const double *x, int n, int k, double size, double sign) {
    check_near(what, x[k], -size, 0.012 * size);
    check_near(what, x[2 * n + k], size, 0.012 * size);
    check_near(what, sign * size * sin(W * x[n + k]), x[k], 1e-4 * size);
    check_near(what, sign * size * sin(W * x[3 * n + k]), x[2 * n + k], 1e-4 * size);
}

/* Bodies, forces and joints, whose reactions are known at the end of steps because a measure of the
 * acceleration asks for them to be solved there. */
static void test_arrays(void **state) {
    double x[64];
    (void)state;
    run r = run_oscillator("");
    run_into(&r, "arrays.h5");
    assert_int_equal(read_extremes("arrays.h5", "bodies/position", x), 12);
    check_swing("position", x, 3, 0, 1, 1);
    assert_int_equal(read_extremes("arrays.h5", "state/v", x), 12);
    check_near("velocity", x[6], W, 0.012 * W);
    assert_int_equal(read_extremes("arrays.h5", "forces/force", x), 12);
    check_swing("force", x, 3, 0, 2 * W * W, -1);
    assert_int_equal(read_extremes("arrays.h5", "joints/force", x), 12);
    check_swing("reaction", x, 3, 1, 2 * W * W, -1);
    assert_int_equal(read_extremes("arrays.h5", "bodies/quaternion", x), 16);
    run_close(&r);
    r = run_oscillator("extremes=off");
    run_into(&r, "none.h5");
    assert_int_equal(read_extremes("none.h5", "bodies/position", x), 0);
    run_close(&r);
}

/* The column of a result with this name. */
static hol_extremes extremes_of(const hol_result *result, const char *name) {
    hol_extremes x = {.size = sizeof x};
    for (int i = 0; i < hol_result_columns(result); i++)
        if (strcmp(hol_result_column(result, i)->name, name) == 0) {
            assert_int_equal(hol_result_extremes(result, i, &x), HOL_OK);
            return x;
        }
    fail_msg("there is no column %s", name);
    return x;
}

/* Energies, in their unit, and reactions of single constraints, in both formats. */
static void test_columns(void **state) {
    static const char *const paths[] = {"columns.h5", "columns.csv"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        run r = run_oscillator("constraint_reactions=on");
        run_into(&r, paths[i]);
        hol_result *result = hol_result_read(r.ctx, paths[i]);
        assert_non_null(result);
        const hol_extremes side =
            extremes_of(result, "rail.translation along the y axis of the joint.multiplier");
        check_near("multiplier", side.maximum, 2 * W * W, 0.012 * 2 * W * W);
        check_near("multiplier", side.minimum, -2 * W * W, 0.012 * 2 * W * W);
        if (i == 0) {
            const hol_extremes kinetic = extremes_of(result, "energy.kinetic");
            check_near("kinetic", kinetic.maximum, W * W / 1000, 1e-5 * W * W / 1000);
            check_near("kinetic", kinetic.minimum, 0, 0.024 * W * W / 1000);
        }
        hol_result_free(result);
        run_close(&r);
    }
}

/* A load of the text "reaction 12 kN of 'rail' at t = 0.005 s; …": by its value and its time. */
static void check_load(const char *text, const char *words, double size) {
    const char *at = strstr(text, words);
    double value, t;
    char name[32];
    if (!at) fail_msg("there is no '%s' in '%s'", words, text);
    assert_int_equal(
        sscanf(at + strlen(words), "%lf %*s of '%31[^']' at t = %lf s", &value, name, &t), 3);
    check_near(words, value, size, 0.012 * size);
    /* five digits of the value and six of the time are shown: w t to 3e-4 */
    check_near(words, size * fabs(sin(W * t)), value, 1e-3 * size);
}

/* The largest loads over all steps in words: in the description of the run and in the file, in the
 * units of the run. The samples have none of them. */
static void test_loads(void **state) {
    (void)state;
    run r = run_oscillator("");
    hol_sim_info info = {.size = sizeof info};
    run_into(&r, "loads.h5");
    assert_int_equal(hol_sim_describe(r.sim, &info), HOL_OK);
    check_load(info.largest_loads, "reaction ", 2 * W * W);
    check_load(info.largest_loads, "force ", 2 * sqrt(2) * W * W);
    assert_non_null(strstr(info.largest_loads, "'rail'"));
    assert_non_null(strstr(info.largest_loads, "'f'"));
    hol_result *result = hol_result_read(r.ctx, "loads.h5");
    assert_non_null(result);
    assert_string_equal(hol_result_text(result, "statistics.largest_loads"), info.largest_loads);
    hol_result_free(result);
    run_close(&r);
    r = run_oscillator("units=force=kN");
    run_into(&r, "loads.h5");
    assert_int_equal(hol_sim_describe(r.sim, &info), HOL_OK);
    check_load(info.largest_loads, "reaction ", 2 * W * W / 1000);
    run_close(&r);
    r = run_oscillator("extremes=off");
    run_into(&r, "loads.h5");
    assert_int_equal(hol_sim_describe(r.sim, &info), HOL_OK);
    assert_string_equal(info.largest_loads, "");
    run_close(&r);
}

/* The largest reaction of a model, written to a file. */
static char *largest_reaction(const char *text, char *words, size_t size) {
    run r = run_text(text, NULL);
    hol_sim_info info = {.size = sizeof info};
    run_into(&r, "open.h5");
    assert_int_equal(hol_sim_describe(r.sim, &info), HOL_OK);
    const size_t n = strcspn(info.largest_loads, ";");
    assert_true(n > 0 && n < size);
    memcpy(words, info.largest_loads, n);
    words[n] = '\0';
    run_close(&r);
    return words;
}

/* Which components are not unique: of a slider-crank in the plane x-z with full revolute joints
 * forces across the plane (y) alone, since the others follow from the motion; of a door on two full
 * hinges every one, since a couple of forces does what the moments of the hinges do; none where the
 * lower hinge is a ball and the upper one a sleeve. */
static void test_open_components(void **state) {
    char words[256];
    (void)state;
    largest_reaction("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
                     "points: {O: [0, 0, 0], P: [0.03, 0, 0.04], Q: [0, 0, 0.28]}\n"
                     "bodies:\n"
                     "  crank: {mass: 2, inertia: [1e-3, 1e-3, 1e-3], along: [O, P]}\n"
                     "  rod: {mass: 1, inertia: [5e-3, 5e-3, 1e-4], along: [P, Q]}\n"
                     "  piston: {mass: 0.6, inertia: [4e-4, 4e-4, 4e-4], position: Q}\n"
                     "joints:\n"
                     "  O: {type: revolute, bodies: [ground, crank], at: O, axis: [0, 1, 0]}\n"
                     "  P: {type: revolute, bodies: [crank, rod], at: P, axis: [0, 1, 0]}\n"
                     "  Q: {type: revolute, bodies: [rod, piston], at: Q, axis: [0, 1, 0]}\n"
                     "  bore: {type: prismatic, bodies: [ground, piston], at: Q, axis: [0, 0, 1]}\n"
                     "  drive: {type: motor, joint: O, speed: 40}\n"
                     "simulation: {end: 0.05}\n",
                     words, sizeof words);
    assert_non_null(strstr(words, " (y not unique)"));
    static const char door[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
        "bodies: {door: {mass: 20, inertia: [6, 4, 2], position: [0.4, 0, 1], omega: [0, 0, 1]}}\n"
        "joints:\n"
        "  low: {type: %s, bodies: [ground, door], at: [0, 0, 0.2]%s}\n"
        "  high: {type: %s, bodies: [ground, door], at: [0, 0, 1.8], axis: [0, 0, 1]}\n"
        "simulation: {end: 0.3}\n";
    char text[1024];
    snprintf(text, sizeof text, door, "revolute", ", axis: [0, 0, 1]", "revolute");
    largest_reaction(text, words, sizeof words);
    assert_non_null(strstr(words, " (not unique)"));
    snprintf(text, sizeof text, door, "spherical", "", "point_on_line");
    largest_reaction(text, words, sizeof words);
    assert_null(strstr(words, "unique"));
}

static void test_warnings(void **state) {
    (void)state;
    run r = run_oscillator("");
    run_into(&r, "missed.h5");
    assert_true(run_warns(&r, "bodies/position of 'b' (x) reaches"));
    run_close(&r);
    r = run_oscillator("output=0.0005");
    run_into(&r, "met.h5");
    assert_false(run_warns(&r, "reaches"));
    run_close(&r);
    /* the pivot of a pendulum does not move: its rounding has no extremes */
    r = run_text("holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                 "bodies: {rod: {mass: 2, inertia: 0.1, along: [[0, 0], [0.6, 0]]}}\n"
                 "joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"
                 "forces: {s: {type: torsion, joint: A, stiffness: 20, damping: 0.5}}\n"
                 "simulation: {end: 0.2, output: 0.02, tolerance: 1e-6}\n",
                 NULL);
    run_into(&r, "pivot.h5");
    assert_false(run_warns(&r, "bodies/position"));
    run_close(&r);
}

/* A spring has no moment about its point but rounding, which no record misses; its force is
 * missed. */
static void test_rounding(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_open("stick_slip", "simulation.end=60 simulation.output=20");
    run_into(&r, "stick.h5");
    assert_true(run_warns(&r, "joints/force"));
    assert_false(run_warns(&r, "forces/moment"));
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays),          cmocka_unit_test(test_loads),
        cmocka_unit_test(test_open_components), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_warnings),        cmocka_unit_test(test_rounding),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
