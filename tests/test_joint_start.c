/* test_joint_start.c: values of joints at the start hold in every set of coordinates, in trees and
 * loops, in the plane and in space; what the joints do not allow is refused with the element and
 * what is nearest. */
#include "model_fixture.h"

static const char *const sets[] = {"reference", "relative", "natural"};
enum { N_SETS = sizeof sets / sizeof *sets };

/* A pendulum of two rods and a slider on the first: a tree. */
#define PLANAR_TREE(A, B, C)                                                                       \
    "holonom: 1\nspace: planar\ngravity: [0.3, -9.81]\nbodies:\n"                                  \
    "  a: {mass: 1.7, inertia: 0.21, along: [[0, 0], [0.83, -0.41]], omega: 7}\n"                  \
    "  b: {mass: 0.9, inertia: 0.06, along: [[0.83, -0.41], [1.21, -0.97]]}\n"                     \
    "  c: {mass: 0.4, inertia: 0.02, position: [0.4, -0.2]}\n"                                     \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]" A "}\n"                                \
    "  B: {type: revolute, bodies: [b, a], at: [0.83, -0.41]" B "}\n"                              \
    "  C: {type: prismatic, bodies: [a, c], at: [0.4, -0.2], axis: [0.83, -0.41]" C "}\n"

/* A four-bar, started by its follower. */
#define PLANAR_LOOP(A, D)                                                                          \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                                    \
    "  crank: {mass: 1, inertia: 0.3, along: [[0, 0], [1, 1.732]]}\n"                              \
    "  coupler: {mass: 2.25, inertia: 2, along: [[1, 1.732], [4.65, 3.37]]}\n"                     \
    "  follower: {mass: 2.2, inertia: 1.35, along: [[2.5, 0], [4.65, 3.37]]}\n"                    \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]" A "}\n"                            \
    "  B: {type: revolute, bodies: [crank, coupler], at: [1, 1.732]}\n"                            \
    "  C: {type: revolute, bodies: [coupler, follower], at: [4.65, 3.37]}\n"                       \
    "  D: {type: revolute, bodies: [follower, ground], at: [2.5, 0]" D "}\n"

/* Revolute, cylindrical and screw in a row. */
#define SPATIAL_TREE(A, B, C)                                                                      \
    "holonom: 1\nspace: spatial\ngravity: [0.3, 0.2, -9.81]\nbodies:\n"                            \
    "  a: {mass: 1.3, inertia: [0.21, 0.24, 0.19], position: [0.4, 0.1, 0.2], orientation: "       \
    "{euler: [0.3, 0.2, -0.4]}}\n"                                                                 \
    "  b: {mass: 0.7, inertia: [0.11, 0.09, 0.1], position: [1.1, 0.5, -0.2]}\n"                   \
    "  c: {mass: 0.5, inertia: [0.07, 0.06, 0.08], position: [1.6, 0.2, 0.3]}\n"                   \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, bodies: [ground, a], at: [0.1, 0.2, 0.1], axis: [0.2, 0.5, 0.7]" A      \
    "}\n"                                                                                          \
    "  B: {type: cylindrical, bodies: [b, a], at: [0.8, 0.3, 0], axis: [0.6, 0.8, 0.1]" B "}\n"    \
    "  C: {type: screw, bodies: [b, c], at: [1.3, 0.4, 0.1], axis: [0.1, 0.9, 0.3], pitch: 0.31" C \
    "}\n"

/* A spatial slider-crank: crank, rod with two balls (its spin held by a universal joint),
 * slider. */
#define SPATIAL_LOOP(A, D)                                                                         \
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"                                \
    "  crank: {mass: 0.12, inertia: [1e-4, 1e-4, 1e-5], position: [0, 0.1, 0.16]}\n"               \
    "  rod: {mass: 0.5, inertia: [4e-3, 4e-4, 4e-3], position: [0.1, 0.05, 0.1]}\n"                \
    "  slider: {mass: 2, inertia: [1e-4, 1e-4, 1e-4], position: [0.2, 0, 0]}\n"                    \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0.1, 0.12], axis: [1, 0, 0]" A "}\n"   \
    "  B: {type: spherical, bodies: [crank, rod], at: [0, 0.1, 0.2]}\n"                            \
    "  C: {type: universal, bodies: [slider, rod], at: [0.2, 0, 0], axis: [0, 0, 1], "             \
    "axis_second: [0.447213595, 0.894427191, 0]}\n"                                                \
    "  D: {type: prismatic, bodies: [ground, slider], at: [0.2, 0, 0], axis: [1, 0, 0]" D "}\n"

#define MEASURES(joint, component)                                                                 \
    "  " joint "_" component ": {type: joint_coordinate, joint: " joint ", component: " component  \
    "}\n"
static const char measures_ABC[] = "measures:\n" MEASURES("A", "angle") MEASURES("A", "angle_rate")
    MEASURES("B", "angle") MEASURES("B", "angle_rate") MEASURES("C", "displacement")
        MEASURES("C", "displacement_rate") MEASURES("B", "displacement")
            MEASURES("B", "displacement_rate") MEASURES("C", "angle") MEASURES("C", "angle_rate");
static const char measures_AD[] = "measures:\n" MEASURES("A", "angle") MEASURES("A", "angle_rate")
    MEASURES("D", "angle") MEASURES("D", "angle_rate") MEASURES("D", "displacement")
        MEASURES("D", "displacement_rate");

typedef struct wanted {
    const char *measure;
    double value;
} wanted;

/* Positions to the tolerance of assembly (1e-10 times the size at the least), rates to rounding of
 * one solution of the multipliers. */
static void check_start(const char *text, const char *measures, const wanted *values) {
    char all[8192];
    snprintf(all, sizeof all, "%s%ssimulation: {end: 1, tolerance: 1e-9}\n", text, measures);
    double before[16] = {0};
    for (int k = 0; k < N_SETS; k++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[k]);
        run r = run_text(all, settings);
        for (const wanted *w = values; w->measure; w++)
            check_near(w->measure, run_measure(&r, w->measure), w->value, 1e-9);
        /* the same motion in every set */
        run_to(&r, 0.3);
        const int n = model_info(r.model).n_measures;
        assert_true(n <= 16);
        for (int i = 0; i < n; i++) {
            const double x = measure_of(hol_sim_data(r.sim), i);
            if (k) check_near(sets[k], x, before[i], 1e-6 * fmax(1, fabs(x)));
            before[i] = x;
        }
        run_close(&r);
    }
}

static void test_trees(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    check_start(PLANAR_TREE(", start: {angle: 50 deg, angle_rate: -1.3}",
                            ", start: {angle: -7.3, angle_rate: 0.7}",
                            ", start: {displacement: 0.17, displacement_rate: 0.6}"),
                measures_ABC,
                (const wanted[]){{"A_angle", 50 * acos(-1.0) / 180},
                                 {"A_angle_rate", -1.3},
                                 {"B_angle", -7.3},
                                 {"B_angle_rate", 0.7},
                                 {"C_displacement", 0.17},
                                 {"C_displacement_rate", 0.6},
                                 {NULL, 0}});
    check_start(PLANAR_TREE(", start: {angle_rate: 2.9}", "", ", start: {displacement: -0.2}"),
                measures_ABC,
                (const wanted[]){{"A_angle_rate", 2.9}, {"C_displacement", -0.2}, {NULL, 0}});
    check_start(SPATIAL_TREE(", start: {angle: 4.1, angle_rate: -1.3}",
                             ", start: {angle: -0.9, displacement: 0.23, displacement_rate: 0.4}",
                             ", start: {angle: 8.1, angle_rate: 2.3}"),
                measures_ABC,
                (const wanted[]){{"A_angle", 4.1},
                                 {"A_angle_rate", -1.3},
                                 {"B_angle", -0.9},
                                 {"B_displacement", 0.23},
                                 {"B_displacement_rate", 0.4},
                                 {"C_angle", 8.1},
                                 {"C_angle_rate", 2.3},
                                 {"C_displacement", 8.1 * 0.31 / (2 * acos(-1.0))},
                                 {NULL, 0}});
}

static void test_loops(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    check_start(PLANAR_LOOP(", start: {angle: 0.8, angle_rate: 1.7}", ""), measures_AD,
                (const wanted[]){{"A_angle", 0.8}, {"A_angle_rate", 1.7}, {NULL, 0}});
    check_start(PLANAR_LOOP("", ", start: {angle: -0.21, angle_rate: -0.6}"), measures_AD,
                (const wanted[]){{"D_angle", -0.21}, {"D_angle_rate", -0.6}, {NULL, 0}});
    check_start(SPATIAL_LOOP(", start: {angle: 0.9, angle_rate: 6}", ""), measures_AD,
                (const wanted[]){{"A_angle", 0.9}, {"A_angle_rate", 6}, {NULL, 0}});
    check_start(
        SPATIAL_LOOP("", ", start: {displacement: 0.013, displacement_rate: -0.2}"), measures_AD,
        (const wanted[]){{"D_displacement", 0.013}, {"D_displacement_rate", -0.2}, {NULL, 0}});
}

/* ---- refusals ---- */

static void check_refused(const char *text, const char *element, const char *words) {
    for (int k = 0; k < N_SETS; k++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
        assert_int_equal(hol_spec_set(spec, "coordinates", sets[k], "test"), HOL_OK);
        hol_options *options;
        hol_model *model = hol_model_from_spec(ctx, spec, &options);
        hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
        hol_options_free(options);
        assert_null(sim);
        int said = 0;
        for (int i = 0; i < hol_message_count(ctx); i++) {
            const hol_message *m = hol_message_get(ctx, i);
            said |= m->severity == HOL_ERROR && m->element && strcmp(m->element, element) == 0 &&
                    strstr(m->text, words) && m->where.line > 0;
        }
        if (!said) {
            run_print_messages(ctx);
            fail_msg("%s: no message of %s says '%s'", sets[k], element, words);
        }
        hol_model_free(model);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

static void test_refusals(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    /* the follower stands at 57 degrees and swings between 47 and 156, mirrored -156 and -47 */
    check_refused(PLANAR_LOOP("", ", start: {angle: 57 deg}"), "start of joint 'D'",
                  "cannot be closed with this angle");
    /* one degree of freedom, two values that do not belong together */
    check_refused(PLANAR_LOOP(", start: {angle: 0.3}", ", start: {angle: 0.9}"),
                  "start of joint 'D'", "cannot be closed with this angle");
    check_refused(PLANAR_LOOP(", start: {angle_rate: 1}", ", start: {angle_rate: 30}"),
                  "start of joint 'A'", "the joints do not allow angle_rate = 1");
    check_refused(PLANAR_TREE(", start: {displacement: 1}", "", ""), "joint 'A'",
                  "locks its displacement");
    check_refused(PLANAR_TREE(", start: {speed: 1}", "", ""), "joint 'A'", "unknown key 'speed'");
    check_refused(PLANAR_TREE(", start: 3", "", ""), "joint 'A'", "{angle: 30 deg");
    check_refused("holonom: 1\nspace: spatial\nbodies:\n"
                  "  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                  "joints:\n  A: {type: spherical, bodies: [ground, a], at: [0, 0, 0], start: "
                  "{angle: 1}}\n",
                  "joint 'A'", "a spherical joint has no angle");
}

/* Two values that do belong together are one too many and still hold. */
static void test_redundant(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    char text[4096], start[96];
    run r = run_text(PLANAR_LOOP(", start: {angle: 0.8}", "") "measures:\n" MEASURES("D", "angle"),
                     NULL);
    const double D = run_measure(&r, "D_angle");
    run_close(&r);
    snprintf(start, sizeof start, ", start: {angle: %.16g}", D);
    snprintf(text, sizeof text,
             "%s  D: {type: revolute, bodies: [follower, ground], at: [2.5, 0]%s}\n%s",
             "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
             "  crank: {mass: 1, inertia: 0.3, along: [[0, 0], [1, 1.732]]}\n"
             "  coupler: {mass: 2.25, inertia: 2, along: [[1, 1.732], [4.65, 3.37]]}\n"
             "  follower: {mass: 2.2, inertia: 1.35, along: [[2.5, 0], [4.65, 3.37]]}\n"
             "joints:\n"
             "  A: {type: revolute, bodies: [ground, crank], at: [0, 0], start: {angle: 0.8}}\n"
             "  B: {type: revolute, bodies: [crank, coupler], at: [1, 1.732]}\n"
             "  C: {type: revolute, bodies: [coupler, follower], at: [4.65, 3.37]}\n",
             start, "measures:\n" MEASURES("A", "angle") MEASURES("D", "angle"));
    r = run_text(text, "coordinates=relative");
    check_near("A", run_measure(&r, "A_angle"), 0.8, 1e-9);
    check_near("D", run_measure(&r, "D_angle"), D, 1e-9);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_redundant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
