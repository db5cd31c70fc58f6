/* test_natural_section.c: the section `natural`: the same motion as with bodies and joints that are
 * written out, the joints that are made and their names, parameters, includes and calls, and
 * failing memory. What it refuses is in test_bad_input.c.
 */
#include "schema/schema_doc.h"
#include "model_fixture.h"
#include "tree.h"

/* ---- the same motion ---- */

/* With fixed steps two descriptions of one mechanism differ by rounding, 1e-16, times the growth of
 * disturbances over the run (up to 1e3 in these runs) times the number of steps (some 1e3). */
static const double bound = 1e-10;

/* Run both to the times, and compare all measures of the second in the first. */
static void check_same(run *natural, run *written, double end) {
    for (int k = 1; k <= 3; k++) {
        const double t = end * k / 3;
        run_to(natural, t);
        run_to(written, t);
        for (int i = 0; i < model_info(written->model).n_measures; i++) {
            const char *name = hol_model_measure(written->model, i)->name;
            char what[128];
            snprintf(what, sizeof what, "%s at t = %g", name, t);
            check_near(what, run_measure(natural, name), run_measure(written, name), bound);
        }
    }
    run_close(natural);
    run_close(written);
}

#define POINTS2                                                                                    \
    "points: {O: [0.1, -0.2], A: [0.7, 0.5], B: [1.6, 0.9], C: [2.2, -0.1], D: [1.9, 1.7], E: "    \
    "[2.8, 1.2]}\n"
#define MEASURES2                                                                                  \
    "measures:\n  D: {type: position, body: plate, at: D}\n  B: {type: position, body: follower, " \
    "at: B}\n  E: {type: position, body: E}\n  turn: {type: angle, body: crank}\n  total: {type: " \
    "energy}\n  pin: {type: reaction, joint: O}\nsimulation: {step: 1e-3, end: 1}\n"

/* Rods with and without numbers of their own, a plate of three points, point masses at a rod, at a
 * plate and alone, a massless rod, a driven distance; the velocity of one point. */
static const char *const planar_natural =
    "holonom: 1\nspace: planar\ngravity: [0.4, -9.6]\n" POINTS2 "natural:\n"
    "  fixed: [O, C]\n"
    "  masses: {A: 0.4, D: 0.35, E: 0.8}\n"
    "  velocities: {A: [-0.91, 0.78]}\n"
    "  rods:\n"
    "    crank: {points: [O, A], mass: 1.3}\n"
    "    follower: {points: [C, B], mass: 0.9, mass_centre: 0.4, inertia: 0.13}\n"
    "    strut: {points: [D, E]}\n"
    "  distances:\n"
    "    pull: {points: [C, E], length: \"hypot(0.6, 1.3) + 0.05*sin(2*t)\"}\n"
    "  elements:\n"
    "    plate: {points: [A, B, D], mass: 2.1, inertia: 0.27, mass_centre: [0.5, 0.2]}\n" MEASURES2;

static const char *const planar_written =
    "holonom: 1\nspace: planar\ngravity: [0.4, -9.6]\n" POINTS2 "bodies:\n"
    "  crank: {along: [O, A], shape: [{type: rod, length: \"hypot(0.6, 0.7)\", mass: 1.3, at: "
    "[\"hypot(0.6, 0.7)/2\", 0]}, {type: point, mass: 0.4, at: [\"hypot(0.6, 0.7)\", 0]}], omega: "
    "1.3}\n"
    "  follower: {along: [C, B], mass: 0.9, inertia: 0.13, com: [0.4, 0]}\n"
    "  plate: {along: [A, B], mass: 2.1, inertia: 0.27, com: [0.5, 0.2]}\n"
    "  D: {mass: 0.35, point: true, position: D}\n"
    "  E: {mass: 0.8, point: true, position: E}\n"
    "joints:\n"
    "  O: {type: revolute, bodies: [ground, crank], at: O}\n"
    "  A: {type: revolute, bodies: [crank, plate], at: A}\n"
    "  B: {type: revolute, bodies: [follower, plate], at: B}\n"
    "  C: {type: revolute, bodies: [ground, follower], at: C}\n"
    "  D: {type: revolute, bodies: [plate, D], at: D}\n"
    "  strut: {type: distance, bodies: [plate, E], from: D, to: E}\n"
    "  pull: {type: distance, bodies: [ground, E], from: C, to: E, length: \"hypot(0.6, 1.3) + "
    "0.05*sin(2*t)\"}\n" MEASURES2;

/* Both texts in every set of coordinates. The points and vectors that natural coordinates choose,
 * and the tree of relative ones, need not be the same for both, so the error of the formula differs
 * too: 1e-10 with a step of 1e-3, 256 times less with a quarter of it. */
static void check_coordinates(const char *natural, const char *written, double end) {
    static const char *const sets[] = {"coordinates=reference", "coordinates=natural step=2.5e-4",
                                       "coordinates=relative step=2.5e-4"};
    for (int i = 0; i < 3; i++) {
        run a = run_text(natural, sets[i]), b = run_text(written, sets[i]);
        check_same(&a, &b, end);
    }
}

static void test_planar(void **state) {
    (void)state;
    check_coordinates(planar_natural, planar_written, 1);
}

#define POINTS3                                                                                    \
    "points: {O: [0, 0, 0], A: [0.3, 0.4, 0], B: [0.9, 0.5, 0.4], C: [1.2, -0.2, 0.5], D: [1.5, "  \
    "0.6, 0.9], E: [2, 0.3, 0.2]}\n"
#define MEASURES3                                                                                  \
    "measures:\n  B: {type: position, body: plate, at: B}\n  D: {type: position, body: flap, at: " \
    "D}\n  E: {type: position, body: gyro, at: E}\n  turn: {type: angular_velocity, body: link}\n" \
    "  total: {type: energy}\nsimulation: {step: 1e-3, end: 0.6}\n"

/* Every kind of joint that shared points and vectors make in space. The frame of the arm has x
 * along OA and y along u. */
static const char *const spatial_natural =
    "holonom: 1\nspace: spatial\ngravity: [0.4, -1.1, -9.6]\n" POINTS3 "natural:\n"
    "  fixed: [O, u]\n"
    "  vectors: {u: [0, 0, 2], w: [0.5, -0.3, 0.8], s: [1, 0, 0.2]}\n"
    "  masses: {A: 0.25}\n"
    "  velocities: {A: [-0.76, 0.57, 0]}\n"
    "  rods:\n"
    "    link: {points: [D, E], mass: 0.4, radius: 0.03}\n"
    "  elements:\n"
    "    arm: {points: [O, A], vectors: [u, w], mass: 1.1, inertia: [0.02, 0.05, 0.06], "
    "mass_centre: [0.2, 0.03, -0.04]}\n"
    "    plate: {points: [A, B, C], vectors: [w], mass: 0.7, inertia: 0.03}\n"
    "    flap: {points: [B, C, D], vectors: [s], mass: 0.5, inertia: 0.04}\n"
    "    gyro: {points: [E], vectors: [s], mass: 0.9, inertia: 0.02}\n" MEASURES3;

static const char *const spatial_written =
    "holonom: 1\nspace: spatial\ngravity: [0.4, -1.1, -9.6]\n" POINTS3 "bodies:\n"
    "  link: {along: [D, E], mass: 0.4, shape: {type: cylinder, radius: 0.03, length: "
    "\"sqrt(0.83)\", axis: [1, 0, 0]}}\n"
    "  arm: {position: O, orientation: {euler: [90 deg, \"atan2(0.4, 0.3)\", 0]}, mass: 1.1, "
    "inertia: [0.02, 0.05, 0.06], com: [0.2, 0.03, -0.04], omega: [0, 0, 1.9]}\n"
    "  bob: {mass: 0.25, point: true, position: A}\n"
    "  plate: {position: [2.4/3, 0.7/3, 0.3], mass: 0.7, inertia: 0.03}\n"
    "  flap: {position: [1.2, 0.3, 0.6], mass: 0.5, inertia: 0.04}\n"
    "  gyro: {position: E, mass: 0.9, inertia: 0.02}\n"
    "joints:\n"
    "  O: {type: revolute, bodies: [ground, arm], at: O, axis: [0, 0, 1]}\n"
    "  bob: {type: spherical, bodies: [arm, bob], at: A}\n"
    "  A: {type: revolute, bodies: [arm, plate], at: A, axis: [0.5, -0.3, 0.8]}\n"
    "  B: {type: revolute, bodies: [plate, flap], at: B, axis: [0.3, -0.7, 0.1]}\n"
    "  D: {type: spherical, bodies: [link, flap], at: D}\n"
    "  E: {type: spherical, bodies: [link, gyro], at: E}\n"
    "  s: {type: parallel_axes, bodies: [flap, gyro], axis: [1, 0, 0.2]}\n" MEASURES3;

static void test_spatial(void **state) {
    (void)state;
    check_coordinates(spatial_natural, spatial_written, 0.6);
}

/* ---- the models ---- */

/* "position: …, inertia: …" of a uniform element from P to Q: axes parallel to the global ones, J =
 * R diag R^T with x along PQ and y to the side of a. */
static void upright(const double P[3], const double Q[3], const double a[3], const double diag[3],
                    char *text, size_t size) {
    double R[3][3], J[3][3] = {{0}}, length = 0, along = 0, side = 0;
    for (int k = 0; k < 3; k++) R[0][k] = Q[k] - P[k], length += R[0][k] * R[0][k];
    for (int k = 0; k < 3; k++) R[0][k] /= sqrt(length), along += R[0][k] * a[k];
    for (int k = 0; k < 3; k++) R[1][k] = a[k] - along * R[0][k], side += R[1][k] * R[1][k];
    for (int k = 0; k < 3; k++) R[1][k] /= sqrt(side);
    for (int k = 0; k < 3; k++)
        R[2][k] = R[0][(k + 1) % 3] * R[1][(k + 2) % 3] - R[0][(k + 2) % 3] * R[1][(k + 1) % 3];
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) J[i][j] += diag[e] * R[e][i] * R[e][j];
    snprintf(text, size,
             "position: [%.17g, %.17g, %.17g], inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]",
             (P[0] + Q[0]) / 2, (P[1] + Q[1]) / 2, (P[2] + Q[2]) / 2, J[0][0], J[1][1], J[2][2],
             J[0][1], J[0][2], J[1][2]);
}

static void test_spatial_model(void **state) {
    (void)state;
    static const double A0[3] = {0, 0, 0}, A[3] = {0, 0.2, 0.15}, B0[3] = {1, 0.4, 0},
                        B[3] = {0.9, 0.5, 0.6}, u[3] = {1, 0, 0}, w[3] = {0.2, 1, 0};
    static const double crank[3] = {0.002, 0.01, 0.009}, rocker[3] = {0.003, 0.06, 0.062};
    char text[4096], crank_text[400], rocker_text[400];
    upright(A0, A, u, crank, crank_text, sizeof crank_text);
    upright(B0, B, w, rocker, rocker_text, sizeof rocker_text);
    const int size = snprintf(
        text, sizeof text,
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
        "points: {A0: [0, 0, 0], A: [0, 0.2, 0.15], B: [0.9, 0.5, 0.6], B0: [1, 0.4, 0]}\nbodies:\n"
        "  crank: {mass: 1.2, %s, omega: [10, 0, 0]}\n"
        "  coupler: {along: [A, B], mass: 1.7, shape: {type: cylinder, radius: 0.02, length: "
        "\"sqrt(1.1025)\", axis: [1, 0, 0]}}\n"
        "  rocker: {mass: 2.1, %s}\n"
        "joints:\n"
        "  A0: {type: revolute, bodies: [ground, crank], at: A0, axis: [1, 0, 0]}\n"
        "  A: {type: spherical, bodies: [crank, coupler], at: A}\n"
        "  B: {type: spherical, bodies: [coupler, rocker], at: B}\n"
        "  B0: {type: revolute, bodies: [ground, rocker], at: B0, axis: [0.2, 1, 0]}\n"
        "measures:\n  A: {type: position, body: crank, at: A}\n  B: {type: position, body: rocker, "
        "at: B}\n  energy: {type: energy}\nsimulation: {step: 1e-3, end: 0.6}\n",
        crank_text, rocker_text);
    assert_true(size < (int)sizeof text);
    run a = run_open("four_bar_spatial_natural", "step=1e-3 end=0.6"), b = run_text(text, NULL);
    check_same(&a, &b, 0.6);
}

static void test_planar_models(void **state) {
    (void)state;
    run a = run_open("double_four_bar_natural", "step=1e-3 end=0.4");
    run b = run_open("a02_two_four_bar", "step=1e-3 end=0.4");
    check_same(&a, &b, 0.4);
    a = run_open("double_pendulum_natural", "step=1e-3 end=1");
    b = run_text("holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                 "  a: {mass: 1, point: true, position: [1, 0]}\n"
                 "  b: {mass: 1, point: true, position: [2, 0]}\n"
                 "joints:\n"
                 "  upper: {type: distance, bodies: [ground, a], from: [0, 0], to: [1, 0]}\n"
                 "  lower: {type: distance, bodies: [a, b], from: [1, 0], to: [2, 0]}\n"
                 "measures:\n  p1: {type: position, body: a}\n  p2: {type: position, body: b}\n"
                 "simulation: {step: 1e-3, end: 1}\n",
                 NULL);
    check_same(&a, &b, 1);
}

/* ---- joints and names ---- */

/* Fail unless the model has this joint. */
static void check_joint(const run *r, const char *name, const char *type, const char *first,
                        const char *second) {
    const int i = hol_model_joint(r->model, name);
    if (i < 0) fail_msg("there is no joint '%s'", name);
    const hol_element_info joint = joint_info(r->model, i);
    assert_string_equal(joint.type, type);
    assert_string_equal(hol_model_body_name(r->model, joint.body[0]), first);
    assert_string_equal(hol_model_body_name(r->model, joint.body[1]), second);
}

static void test_joints_of_the_plane(void **state) {
    (void)state;
    run r = run_text(planar_natural, NULL);
    check_joint(&r, "O", "revolute", "ground", "crank");
    check_joint(&r, "A", "revolute", "crank", "plate");
    check_joint(&r, "B", "revolute", "follower", "plate");
    check_joint(&r, "C", "revolute", "ground", "follower");
    check_joint(&r, "strut", "distance", "plate", "E");
    check_joint(&r, "pull", "distance", "ground", "E");
    check_joint(&r, "E.orientation", "same_orientation", "ground", "E");
    assert_int_equal(model_info(r.model).n_joints, 7);
    assert_int_equal(model_info(r.model).n_bodies, 4);
    run_close(&r);
}

static void test_joints_of_space(void **state) {
    (void)state;
    run r = run_text(spatial_natural, NULL);
    check_joint(&r, "O", "revolute", "ground", "arm");
    check_joint(&r, "A", "revolute", "arm", "plate");
    check_joint(&r, "B", "revolute", "plate", "flap");
    check_joint(&r, "D", "spherical", "link", "flap");
    check_joint(&r, "E", "spherical", "link", "gyro");
    check_joint(&r, "s", "parallel_axes", "flap", "gyro");
    assert_int_equal(model_info(r.model).n_joints, 6);
    run_close(&r);
}

/* k bodies at a point have k - 1 joints, all with the first; two that share two points are one. */
static void test_joints_at_one_point(void **state) {
    (void)state;
    run r = run_text(
        "holonom: 1\nspace: planar\ngravity: [0.3, -9.6]\n"
        "points: {P: [0, 0], A: [1.1, 0.2], B: [-0.4, 0.8], C: [0.1, -0.9], D: [1.4, 1.2]}\n"
        "natural:\n"
        "  fixed: [P]\n"
        "  rods: {a: {points: [P, A], mass: 1}, b: {points: [B, P], mass: 2}, c: {points: [C, P], "
        "mass: 3}}\n"
        "  elements: {d: {points: [D, A, P], mass: 0.3, inertia: 0.02}}\n",
        "end=0.1");
    check_joint(&r, "P.a", "revolute", "ground", "a");
    check_joint(&r, "P.b", "revolute", "ground", "b");
    check_joint(&r, "P.c", "revolute", "ground", "c");
    check_joint(&r, "A", "fixed", "a", "d");
    assert_int_equal(model_info(r.model).n_joints, 4);
    assert_int_equal(sim_info(r.sim).n_redundant, 0);
    run_whole(&r);
    run_close(&r);
}

/* Two directions alone: the orientation; more at one point: rigid. */
static void test_rigid_in_space(void **state) {
    (void)state;
    run r = run_text("holonom: 1\nspace: spatial\n"
                     "points: {P: [0.1, 0.3, 0.2], Q: [1.1, 0.2, 0.7]}\n"
                     "natural:\n"
                     "  vectors: {u: [1, 0.2, 0], w: [0, 0.3, 2]}\n"
                     "  elements:\n"
                     "    a: {points: [P], vectors: [u, w], mass: 1, inertia: 0.1}\n"
                     "    b: {points: [Q], vectors: [u, w], mass: 1.5, inertia: 0.2}\n"
                     "    c: {points: [Q], vectors: [w, u], mass: 0.5, inertia: 0.3}\n",
                     "end=0.1");
    check_joint(&r, "u", "same_orientation", "a", "b");
    check_joint(&r, "Q", "fixed", "b", "c");
    assert_int_equal(model_info(r.model).n_joints, 2);
    run_close(&r);
}

/* ---- the file around it ---- */

/* The example of the reference page runs as it is printed. */
static void test_example(void **state) {
    (void)state;
    char text[2048] = "holonom: 1\nspace: planar\n";
    int inside = 0;
    for (int i = 0; hol__natural_intro[i]; i++) {
        if (strncmp(hol__natural_intro[i], "```", 3) == 0)
            inside = !inside;
        else if (inside)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n",
                     hol__natural_intro[i]);
    }
    run r = run_text(text, "end=1");
    check_joint(&r, "O", "revolute", "ground", "crank");
    check_joint(&r, "follower", "distance", "coupler", "ground");
    assert_true(run_whole(&r).relative_energy_error < 1e-6);
    run_close(&r);
}

/* Paths of --set lead into the section, parameters and included files count, and joints and forces
 * use the names that are made. */
static void test_names_and_settings(void **state) {
    (void)state;
    run a = run_with("double_four_bar_natural",
                     "natural:\n  masses: {B2: 2*m}\n"
                     "forces:\n  drive: {type: torsion, joint: A0, damping: 0.3}\n"
                     "  wind: {type: force, body: top1, at: B2, force: [1.5, 0]}\n",
                     "natural.rods.up1.mass=2.5 parameters.m=1.2 step=1e-3 end=0.3");
    run b = run_with("a02_two_four_bar",
                     "bodies:\n  B2: {mass: 2.4, point: true, position: [2, 1]}\n"
                     "joints:\n  B2: {type: revolute, bodies: [up2, B2], at: [2, 1]}\n"
                     "forces:\n  drive: {type: torsion, joint: A0, damping: 0.3}\n"
                     "  wind: {type: force, body: top1, at: [2, 1], force: [1.5, 0]}\n",
                     "bodies.up1.mass=2.5 bodies.up1.inertia=2.5/12 parameters.m=1.2 step=1e-3 "
                     "end=0.3");
    check_same(&a, &b, 0.3);
}

/* The same description made by calls. */
static void test_calls(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    static const double gravity[2] = {0, -9.81}, O[2] = {0, 0}, P1[2] = {1, 0}, P2[2] = {2, 0};
    static const char *const fixed[] = {"O"}, *const upper[] = {"O", "P1"},
                             *const lower[] = {"P1", "P2"};
    hol_item_number(hol_spec_root(spec), "holonom", 1);
    hol_item_text(hol_spec_root(spec), "space", "planar");
    hol_item_vector(hol_spec_root(spec), "gravity", 2, gravity);
    hol_item *points = hol_spec_section(spec, "points"),
             *natural = hol_spec_section(spec, "natural");
    hol_item_vector(points, "O", 2, O);
    hol_item_vector(points, "P1", 2, P1);
    hol_item_vector(points, "P2", 2, P2);
    hol_item_texts(natural, "fixed", 1, fixed);
    hol_item *masses = hol_item_map(natural, "masses"), *rods = hol_item_map(natural, "rods");
    hol_item_number(masses, "P1", 1);
    hol_item_number(masses, "P2", 1);
    hol_item_texts(hol_item_map(rods, "upper"), "points", 2, upper);
    hol_item_texts(hol_item_map(rods, "lower"), "points", 2, lower);
    hol_item *p2 = hol_spec_add(spec, "measures", "p2", "position");
    hol_item_text(p2, "body", "P2");
    /* compiling does not change the description */
    hol_model *model = hol_model_from_spec(ctx, spec, NULL);
    assert_non_null(model);
    hol_model_free(model);
    run a = run_open("double_pendulum_natural", "step=1e-3 end=1");
    run b = run_from_spec(ctx, spec, HOL_OK, "step=1e-3 end=1");
    check_same(&a, &b, 1);
}

/* Compiling with the k-th allocation failing: no crash, no leak, and no model. */
static void test_failing_allocations(void **state) {
    (void)state;
    int failed = 0;
    for (long k = 1; k < 3000; k++) {
        counting c;
        hol_context *ctx = counting_context(&c);
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_text(spec, spatial_natural, "test.yaml"), HOL_OK);
        c.made = 0;
        c.fail_at = k;
        hol_model *model = hol_model_from_spec(ctx, spec, NULL);
        const int reached = c.made >= k;
        if (reached) assert_null(model);
        if (!reached) assert_non_null(model);
        failed += reached;
        hol_model_free(model);
        hol_spec_free(spec);
        hol_context_free(ctx);
        assert_int_equal(c.live, 0);
        if (!reached) break;
    }
    assert_true(failed > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_spatial),
        cmocka_unit_test(test_planar_models),
        cmocka_unit_test(test_spatial_model),
        cmocka_unit_test(test_joints_of_the_plane),
        cmocka_unit_test(test_joints_of_space),
        cmocka_unit_test(test_joints_at_one_point),
        cmocka_unit_test(test_rigid_in_space),
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_names_and_settings),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_failing_allocations),
    };
    return run_tests_of_models("tests", tests);
}
