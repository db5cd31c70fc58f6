/* test_assembly_turns.c: drivers that ask for angles far from the drawn position at the start. */
#include "method_fixture.h"

/* A motor that asks for an angle many turns away is led there, and degrees are thought of. */
static void test_driver_over_turns(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
        "  crank: {mass: 1, inertia: 0.1, along: [[0, 0], [0.4, 0]]}\n"
        "  rod: {mass: 2, inertia: 0.3, along: [[0.4, 0], [1.6, 0]]}\n"
        "  piston: {mass: 1.5, inertia: 1, position: [1.6, 0]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [crank, rod], at: [0.4, 0]}\n"
        "  C: {type: revolute, bodies: [rod, piston], at: [1.6, 0]}\n"
        "  D: {type: prismatic, bodies: [ground, piston], at: [1.6, 0], axis: [1, 0]}\n"
        "  turn: {type: motor, joint: A, angle: %s}\n"
        "measures:\n  x: {type: position, body: piston, component: x}\n"
        "  turned: {type: joint_coordinate, joint: A, component: angle}\nsimulation: {end: 1}\n";
    (void)unused;
    for (int k = 0; k < 2 * N_SETS; k++) {
        char model[2048], set[64];
        const double angle = k % 2 ? -90 : 2.1;
        snprintf(model, sizeof model, text, k % 2 ? "-90" : "2.1");
        snprintf(set, sizeof set, "coordinates=%s", sets[k / 2]);
        run r = run_text(model, set);
        const double y = 0.4 * sin(angle), x = 0.4 * cos(angle) + sqrt(1.44 - y * y);
        check_near("piston", run_measure(&r, "x"), x, 1e-9);
        check_near("turned", run_measure(&r, "turned"), angle, 1e-9);
        int warned = 0;
        for (int i = 0; i < hol_message_count(r.ctx); i++)
            warned += strstr(hol_message_get(r.ctx, i)->text, "write '90 deg'") != NULL;
        assert_int_equal(warned, k % 2);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_driver_over_turns)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
