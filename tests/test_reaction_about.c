/* test_reaction_about.c: the point that the moment of a reaction is about. A carriage slides along
 * x with its mass centre e beside the rail and h above it; ground receives its weight where it is,
 *     about the block (second)    M = (0, e, h) x (0, 0, -m g) = (-m g e, 0, 0)
 *     about the drawn point       the same and (x, 0, 0) x (0, 0, -m g) = (0, m g x, 0). */
#include "model_fixture.h"

static const char carriage[] =
    "holonom: 1\n"
    "space: spatial\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  car: {mass: 2.385, inertia: [0.1, 0.2, 0.3], position: [0, 0.37, 0.21], "
    "velocity: [1.7, 0, 0]}\n"
    "joints:\n"
    "  rail: {type: prismatic, bodies: [ground, car], at: [0, 0, 0], axis: [1, 0, 0]}\n"
    "measures:\n"
    "  x: {type: joint_coordinate, joint: rail}\n"
    "  one: {type: reaction, joint: rail}\n"
    "  two: {type: reaction, joint: rail, about: second}\n"
    "  own: {type: reaction, joint: rail, about: second, frame: joint}\n"
    "simulation: {end: 1, tolerance: 1e-10}\n";

static void test_in_space(void **state) {
    (void)state;
    run r = run_text(carriage, NULL);
    run_to(&r, 0.83);
    const double W = 2.385 * 9.81, x = run_measure(&r, "x"), e = 0.37;
    /* a few products and the errors of a solve: 1e-12 of the loads of 23 N and 33 N m */
    check_near("x", x, 1.7 * 0.83, 1e-9);
    check_near("fz", run_measure(&r, "two.fz"), -W, 1e-11);
    check_near("mx", run_measure(&r, "two.mx"), -W * e, 1e-11);
    check_near("my", run_measure(&r, "two.my"), 0, 1e-11);
    check_near("mz", run_measure(&r, "two.mz"), 0, 1e-11);
    check_near("mx of the first", run_measure(&r, "one.mx"), -W * e, 1e-11);
    check_near("my of the first", run_measure(&r, "one.my"), W * x, 1e-11);
    /* in the frame of the joint z lies along the rail */
    check_near("along the rail", run_measure(&r, "own.mz"), -W * e, 1e-11);
    check_near("across it", hypot(run_measure(&r, "own.mx"), run_measure(&r, "own.my")), 0, 1e-11);
    run_close(&r);
}

static void test_in_the_plane(void **state) {
    (void)state;
    run r = run_text("holonom: 1\n"
                     "space: planar\n"
                     "gravity: [0, -9.81]\n"
                     "bodies:\n"
                     "  car: {mass: 2.385, inertia: 0.2, position: [0.37, 0.1], "
                     "velocity: [1.7, 0]}\n"
                     "joints:\n"
                     "  rail: {type: prismatic, bodies: [ground, car], at: [0, 0], axis: [1, 0]}\n"
                     "measures:\n"
                     "  one: {type: reaction, joint: rail, component: mz}\n"
                     "  two: {type: reaction, joint: rail, component: mz, about: second}\n"
                     "  own: {type: reaction, joint: rail, component: mz, about: second, "
                     "frame: joint}\n"
                     "simulation: {end: 1, tolerance: 1e-10}\n",
                     NULL);
    run_to(&r, 0.83);
    const double W = 2.385 * 9.81, x = 1.7 * 0.83, e = 0.37;
    check_near("about the drawn point", run_measure(&r, "one"), -W * (x + e), 1e-8);
    check_near("about the block", run_measure(&r, "two"), -W * e, 1e-11);
    check_near("in the frame of the joint", run_measure(&r, "own"), -W * e, 1e-11);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_space),
                                       cmocka_unit_test(test_in_the_plane)};
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
