/* test_contact_messages.c: what is said where rigid contacts come to no end, or fit no motion, and
 * that a cascade of events which leaves them alone is none of these. */
#include "model_fixture.h"

#define PLANAR "holonom: 1\nspace: planar\n"

/* Whether a message of a kind has all of the words. */
static int says(const run *r, hol_severity severity, const char *element, const char *words) {
    for (int i = 0; i < hol_message_count(r->ctx); i++) {
        const hol_message *m = hol_message_get(r->ctx, i);
        if (m->severity == severity && m->element && strstr(m->element, element) &&
            strstr(m->text, words))
            return 1;
    }
    run_print_messages(r->ctx);
    return 0;
}

/* A ball that fills the space between two walls, and loses nothing. */
static void test_no_end(void **unused) {
    (void)unused;
    run r = run_text(PLANAR "gravity: [0, 0]\nbodies:\n"
                            "  b: {mass: 2.385, inertia: 0.0731, position: [0.1, 0.3], velocity: "
                            "[0.73, 0.21]}\njoints:\n"
                            "  l: {type: rigid_contact, bodies: [ground, b], shapes: [{type: "
                            "plane, at: [0, 0], normal: [1, 0]}, {type: sphere, radius: 0.1}], "
                            "restitution: 1}\n"
                            "  r: {type: rigid_contact, bodies: [ground, b], shapes: [{type: "
                            "plane, at: [0.2, 0], normal: [-1, 0]}, {type: sphere, radius: 0.1}], "
                            "restitution: 1}\nmeasures:\n  p: {type: position, body: b}\n"
                            "simulation: {end: 1}\n",
                     "");
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_OK);
    assert_true(says(&r, HOL_WARNING, "contact", "hit each other 100000 times"));
    check_near("it stays between them", run_measure(&r, "p.x"), 0.1, 1e-12);
    check_near("and goes along", run_measure(&r, "p.y"), 0.3 + 0.21, 1e-12);
    run_close(&r);
}

/* A driver into a wall that rubs. */
static void test_driven(void **unused) {
    (void)unused;
    run r = run_text(PLANAR "gravity: [0, -9.81]\nbodies:\n"
                            "  b: {mass: 2.385, inertia: 0.0731, position: [0.1, 0.3]}\njoints:\n"
                            "  guide: {type: prismatic, bodies: [ground, b], at: [0.1, 0.3], axis: "
                            "[1, 0]}\n"
                            "  drive: {type: driver, joint: guide, velocity: 0.3}\n"
                            "  l: {type: rigid_contact, bodies: [ground, b], shapes: [{type: "
                            "plane, at: [0.5, 0], normal: [-1, 0.2]}, {type: sphere, radius: "
                            "0.1}], friction: 0.4}\nsimulation: {end: 2}\n",
                     "");
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
    assert_true(says(&r, HOL_ERROR, "contact", "no impulses fit the contacts at t = 1.19339"));
    assert_true(says(&r, HOL_ERROR, "contact", "joint 'drive' drives into them"));
    run_close(&r);
}

/* A chain of events at one instant, each the cause of the one before it in the file; `mu` changes
 * from link to link where it is asked for. */
static run chain(int links, int changes) {
    char text[32768];
    int used = snprintf(text, sizeof text,
                        PLANAR "gravity: [3.1, -9.31]\nparameters: {mu: 0.5}\nbodies:\n"
                               "  b: {mass: 2.385, inertia: 0.0731, position: [0.4173, 0.0937]}\n"
                               "joints:\n  f: {type: rigid_contact, bodies: [ground, b], shapes: "
                               "[{type: plane, normal: [0, 1]}, {type: box, size: [0.5311, "
                               "0.1874]}], friction: mu}\nmeasures:\n");
    for (int i = 0; i <= links; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  v%d: {type: variable, value: 0}\n", i);
    used += snprintf(text + used, sizeof text - (size_t)used, "events:\n");
    for (int i = links; i > 0; i--)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  e%d: {when: v%d > 0.5, do: {set: {v%d: 1%s}}}\n", i, i - 1, i,
                         !changes ? ""
                         : i % 2  ? ", mu: 0.1"
                                  : ", mu: 0.5");
    snprintf(text + used, sizeof text - (size_t)used,
             "  e0: {when: t > 0.371, do: {set: {v0: 1}}}\nsimulation: {end: 0.5}\n");
    return run_text(text, "");
}

static void test_cascade(void **unused) {
    (void)unused;
    run r = chain(120, 0);
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_OK);
    check_near("the last of the chain", run_measure(&r, "v120"), 1, 0);
    run_close(&r);
    r = chain(120, 1);
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
    assert_true(says(&r, HOL_ERROR, "joint 'f'", "changes back and forth 100 times"));
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_end),
        cmocka_unit_test(test_driven),
        cmocka_unit_test(test_cascade),
    };
    if (!run_reads_files()) return skip_models();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
