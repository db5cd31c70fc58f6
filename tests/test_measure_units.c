/* test_measure_units.c: the key `unit` of a measure in the answers of kinematics and statics and in
 * the warning of missed extremes; extremes of one quantity are the same in all tables. */
#include "method_fixture.h"

#define CRANK(measures, output)                                                                    \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                                    \
    "  crank: {mass: 1, inertia: 0.1, along: [[0, 0], [0.4, 0]]}\n"                                \
    "  rod: {mass: 2, inertia: 0.3, along: [[0.4, 0], [1.6, 0]]}\n"                                \
    "  piston: {mass: 1.5, inertia: 1, position: [1.6, 0]}\njoints:\n"                             \
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"                                 \
    "  B: {type: revolute, bodies: [crank, rod], at: [0.4, 0]}\n"                                  \
    "  C: {type: revolute, bodies: [rod, piston], at: [1.6, 0]}\n"                                 \
    "  D: {type: prismatic, bodies: [ground, piston], at: [1.6, 0], axis: [1, 0]}\n"               \
    "  turn: {type: motor, joint: A, speed: 2*pi}\nmeasures:\n" measures                           \
    "simulation: {end: 1, output: " output "}\n"

/* The row of that name. */
static int row_at(const hol_table *t, const char *name) {
    for (int i = 0; i < t->rows; i++)
        if (t->row_names[i] && strcmp(t->row_names[i], name) == 0) return i;
    fail_msg("no row '%s'", name);
    return 0;
}

/* A point on the rod: its extents in `curves` are the ranges of its measures, and the load of the
 * driver has the extremes of the measure of it. */
static void test_one_extreme(void **unused) {
    static const char text[] =
        CRANK("  p: {type: position, body: rod, at: [1, 0.2], unit: mm}\n"
              "  M: {type: load, joint: turn, quantity: load}\n"
              "  turned: {type: joint_coordinate, joint: A, component: angle, unit: deg}\n",
              "0.0137");
    const hol_kinematics_options how = {.size = sizeof how, .loads = 1};
    hol_answer *answer = NULL;
    (void)unused;
    run r = run_text(text, NULL);
    hol_sim *sim = hol_kinematics_new(r.ctx, r.model, r.options);
    assert_int_equal(hol_kinematics(r.ctx, sim, &how, &answer), HOL_OK);
    const hol_table x = answer_table(answer, "extremes"), c = answer_table(answer, "curves"),
                    l = answer_table(answer, "loads");
    const int px = row_at(&x, "p.x"), py = row_at(&x, "p.y"), m = row_at(&x, "M");
    assert_string_equal(x.row_units[px], "mm");
    assert_string_equal(x.row_units[row_at(&x, "turned")], "deg");
    check_near("turned", answer_entry(&x, row_at(&x, "turned"), 1), 360, 1e-9);
    check_near("extent x", 1e3 * answer_entry(&c, 0, 0), answer_entry(&x, px, 2), 1e-10);
    check_near("extent y", 1e3 * answer_entry(&c, 0, 1), answer_entry(&x, py, 2), 1e-10);
    for (int i = 0; i < 2; i++)
        check_near("load", answer_entry(&l, 0, i), answer_entry(&x, m, i), 1e-10);
    hol_answer_free(answer);
    hol_sim_free(sim);
    run_close(&r);
}

static void test_statics(void **unused) {
    static const char text[] =
        CRANK("  x: {type: position, body: piston, component: x, unit: mm}\n", "0.1");
    hol_answer *answer = NULL;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    (void)unused;
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    assert_int_equal(hol_statics(ctx, spec, NULL, &answer), HOL_OK);
    const hol_table t = answer_table(answer, "measures");
    assert_string_equal(t.row_units[0], "mm");
    check_near("x", answer_entry(&t, 0, 0), 1600, 1e-9);
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* Two samples a turn miss the way of the piston: 1600 and 1600 mm are written, it reaches 800. */
static void test_warning(void **unused) {
    int found = 0;
    (void)unused;
    run r =
        run_text(CRANK("  x: {type: position, body: piston, component: x, unit: mm}\n", "1"), NULL);
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_OK);
    for (int i = 0; i < hol_message_count(r.ctx); i++) {
        const hol_message *m = hol_message_get(r.ctx, i);
        found += strstr(m->text, "'x' reaches 8") && strstr(m->text, "written 1600 mm");
    }
    if (!found) run_print_messages(r.ctx);
    assert_int_equal(found, 1);
    run_close(&r);
}

/* The moments of spherical joints are rounding of forces times lengths: no extremes that are
 * missed. */
static void test_rounding(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  a: {mass: 30, inertia: [0.1, 0.2, 0.3], position: [0.31, 0.12, -0.2]}\n"
        "  b: {mass: 20, inertia: [0.2, 0.1, 0.3], position: [0.83, 0.44, -0.3]}\njoints:\n"
        "  A: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
        "  B: {type: spherical, bodies: [a, b], at: [0.6, 0.3, -0.2]}\n"
        "measures:\n  mx: {type: reaction, joint: B, component: mx}\n"
        "  my: {type: reaction, joint: B, component: my}\n"
        "  fz: {type: reaction, joint: B, component: fz}\n"
        "simulation: {end: 1, output: 0.25}\n";
    (void)unused;
    run r = run_text(text, NULL);
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_OK);
    for (int i = 0; i < hol_message_count(r.ctx); i++)
        assert_null(strstr(hol_message_get(r.ctx, i)->text, " N*m"));
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_extreme),
        cmocka_unit_test(test_statics),
        cmocka_unit_test(test_warning),
        cmocka_unit_test(test_rounding),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
