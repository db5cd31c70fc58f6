/* test_statics_contact.c: equilibria with contacts that close or open on the way, in all
 * coordinates: against closed solutions, and against the state that a run does not leave. */
#include "asked.h"

static const char *const sets[] = {"coordinates=reference", "coordinates=relative",
                                   "coordinates=natural"};

static asked ask(const char *text, const char *settings, const char *set) {
    asked a = asked_new();
    assert_int_equal(hol_spec_read_text(a.spec, text, "test.yaml"), HOL_OK);
    assert_int_equal(run_settings(a.spec, set), HOL_OK);
    assert_int_equal(run_settings(a.spec, settings), HOL_OK);
    a.status = hol_statics(a.ctx, a.spec, NULL, &a.answer);
    return a;
}

static asked must(const char *text, const char *settings, const char *set) {
    return asked_well(ask(text, settings, set));
}

static double cell(const asked *a, const char *table, const char *row, int column) {
    const hol_table t = answer_table(a->answer, table);
    for (int i = 0; i < t.rows; i++)
        if (strcmp(t.row_names[i], row) == 0) return answer_entry(&t, i, column);
    fail_msg("no %s in %s", row, table);
    return NAN;
}

static void check_close(double a, double b, double tolerance, const char *what) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%s: %.12g, not %.12g", what, a, b);
}

static const char *word(const asked *a, const char *key) {
    hol_fact fact = {.size = sizeof fact};
    for (int i = 0; i < hol_answer_facts(a->answer); i++)
        if (!hol_answer_fact(a->answer, i, &fact) && strcmp(fact.key, key) == 0) return fact.text;
    return "";
}

/* A beam on a hinge at its left end falls onto a post with a round head: it rests where it touches
 * the head, at the angle asin((h + r)/..) of the tangent from the hinge to the circle, and the post
 * carries W l/2 cos(angle)/d with d the length of the tangent. */
static void test_beam(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  beam: {mass: 4, inertia: 0.6, position: [0, 0.65], angle: 90 deg}\n"
        "joints:\n  hinge: {type: revolute, bodies: [ground, beam], at: [0, 0]}\n"
        "  head: {type: rigid_contact, bodies: [ground, beam], shapes: [{type: sphere, at: [0.9, "
        "-0.3], radius: 0.1}, {type: box, size: [1.3, 0.0002]}], restitution: 0}\n"
        "forces:\n  lean: {type: torsion, joint: hinge, torque: -0.01}\n"
        "simulation: {end: 1}\n";
    (void)unused;
    const double far = hypot(0.9, 0.3), tangent = sqrt(far * far - 0.1001 * 0.1001),
                 angle = atan2(-0.3, 0.9) + asin(0.1001 / far);
    for (int i = 0; i < 3; i++) {
        asked a = must(text, "", sets[i]);
        const double N = (4 * 9.81 * 0.65 * cos(angle) + 0.01) / tangent;
        check_close(cell(&a, "positions", "beam", 0), 0.65 * cos(angle), 1e-8, "x");
        check_close(cell(&a, "positions", "beam", 1), 0.65 * sin(angle), 1e-8, "y");
        check_close(hypot(cell(&a, "reactions", "head", 0), cell(&a, "reactions", "head", 1)), N,
                    1e-6, "push");
        assert_string_equal(word(&a, "contact_head"), "carries");
        done(&a);
    }
}

/* A tilted block on one corner comes down on both, and each carries its share: (1/2 + x/w) W of a
 * mass centre x beside the middle. */
static void test_block(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  block: {mass: 3, inertia: 0.2, position: [0, 0.5], angle: 0.3}\n"
        "joints:\n"
        "  floor: {type: rigid_contact, bodies: [ground, block], shapes: [{type: plane, normal: "
        "[0, 1]}, {type: box, size: [0.6, 0.2]}], friction: 0.6}\n"
        "simulation: {end: 1}\n";
    (void)unused;
    for (int i = 0; i < 3; i++) {
        asked a = must(text, "", sets[i]);
        check_close(cell(&a, "positions", "block", 1), 0.1, 1e-8, "height");
        check_close(sin(cell(&a, "positions", "block", 2)), 0, 1e-8, "angle");
        check_close(cell(&a, "reactions", "floor", 1), -3 * 9.81, 1e-7, "weight");
        done(&a);
    }
}

/* Two stops in a row: a mass on a spring between them is pulled to one where it is drawn beyond it
 * by the spring, k (x0 - stop), and hangs free where the spring is too weak for that; drawn at the
 * stop it leaves it. */
static void test_leaves(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {free: 0.5}\nbodies:\n"
        "  cart: {mass: 2, inertia: 0.1, position: [0, 0]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
        "  ends: {type: rigid_stop, joint: rail, lower: 0, upper: 0.4}\n"
        "forces:\n  spring: {type: spring, bodies: [ground, cart], from: [-1, 0], to: [0, 0], "
        "stiffness: 70, free_length: 1 + free}\n"
        "simulation: {end: 1}\n";
    (void)unused;
    for (int i = 0; i < 3; i++) {
        asked a = must(text, "free=0.5", sets[i]); /* beyond the upper end */
        check_close(cell(&a, "positions", "cart", 0), 0.4, 1e-9, "at the stop");
        assert_string_equal(word(&a, "contact_ends"), "carries");
        done(&a);
        a = must(text, "free=0.23", sets[i]); /* between them: the lower one lets go */
        check_close(cell(&a, "positions", "cart", 0), 0.23, 1e-9, "free");
        assert_string_equal(word(&a, "contact_ends"), "open");
        done(&a);
        a = must(text, "free=-0.1", sets[i]); /* pressed against the lower one */
        check_close(cell(&a, "positions", "cart", 0), 0, 1e-9, "at the lower one");
        done(&a);
    }
}

/* What slips has no equilibrium, and the contact is named; where friction holds it has. */
static void test_slope(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {mu: 0.1}\nbodies:\n"
        "  block: {mass: 3, inertia: 0.2, position: [-0.1*sin(0.2), 0.1*cos(0.2)], angle: 0.2}\n"
        "joints:\n"
        "  floor: {type: rigid_contact, bodies: [ground, block], shapes: [{type: plane, normal: "
        "[-sin(0.2), cos(0.2)]}, {type: box, size: [0.6, 0.2]}], friction: mu}\n"
        "simulation: {end: 1}\n";
    (void)unused;
    asked a = ask(text, "", sets[0]);
    assert_int_equal(a.status, HOL_ERR_TOLERANCE);
    assert_string_equal(run_last_error(a.ctx)->element, "joint 'floor'");
    assert_non_null(strstr(run_last_error(a.ctx)->text, "slips"));
    done(&a);
    a = must(text, "mu=0.21", sets[0]); /* tan 0.2 = 0.2027 */
    done(&a);
}

/* Small motions about what rests on a stop: the mass on the free side swings with sqrt(k/m), the
 * one on the stop not at all. */
static void test_small_motions(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
        "  cart: {mass: 2, inertia: 0.1, position: [0, 0]}\n"
        "  rider: {mass: 0.7, inertia: 0.1, position: [1, 0]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
        "  rail2: {type: prismatic, bodies: [ground, rider], at: [1, 0], axis: [1, 0]}\n"
        "  ends: {type: rigid_stop, joint: rail, lower: -1, upper: 0.4}\n"
        "forces:\n"
        "  push: {type: spring, bodies: [ground, cart], from: [-1, 0], to: [0, 0], stiffness: 70, "
        "free_length: 1.5}\n"
        "  tie: {type: spring, bodies: [cart, rider], from: [0, 0], to: [1, 0], stiffness: 30}\n"
        "simulation: {end: 1}\n";
    (void)unused;
    for (int i = 0; i < 3; i++) {
        run r = run_text(text, sets[i]);
        const hol_linearize_options how = {.size = sizeof how, .settle = 2};
        hol_answer *answer = NULL;
        const hol_status status = hol_linearize(r.ctx, r.sim, NULL, &how, &answer);
        if (status) run_print_messages(r.ctx);
        assert_int_equal(status, HOL_OK);
        const hol_table t = answer_table(answer, "eigenvalues");
        assert_int_equal(t.rows, 1);
        check_close(answer_entry(&t, 0, 1), sqrt(30 / 0.7), 1e-8, "frequency");
        check_close(hol_data_time(hol_sim_data(r.sim)), 0, 0, "the simulation stays");
        check_close(hol_data_q(hol_sim_data(r.sim))[0], 0, 1e-12, "where it was");
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* The same over a parameter: sqrt(30/m) of the mass on the free side. */
static void test_locus(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {m: 0.7}\nbodies:\n"
        "  cart: {mass: 2, inertia: 0.1, position: [0, 0]}\n"
        "  rider: {mass: m, inertia: 0.1, position: [1, 0]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
        "  rail2: {type: prismatic, bodies: [ground, rider], at: [1, 0], axis: [1, 0]}\n"
        "  ends: {type: rigid_stop, joint: rail, lower: -1, upper: 0.4}\n"
        "forces:\n"
        "  push: {type: spring, bodies: [ground, cart], from: [-1, 0], to: [0, 0], stiffness: 70, "
        "free_length: 1.5}\n"
        "  tie: {type: spring, bodies: [cart, rider], from: [0, 0], to: [1, 0], stiffness: 30}\n"
        "simulation: {end: 1}\n";
    const hol_locus_options how = {
        .size = sizeof how, .parameter = "m", .from = 0.5, .to = 2, .n = 4, .settle = 2};
    (void)unused;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_answer *answer = NULL;
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    const hol_status status = hol_locus(ctx, spec, NULL, &how, &answer);
    if (status) run_print_messages(ctx);
    assert_int_equal(status, HOL_OK);
    const hol_table t = answer_table(answer, "locus");
    assert_int_equal(t.rows, 4);
    for (int i = 0; i < 4; i++)
        check_close(fabs(answer_entry(&t, i, 3)), sqrt(30 / answer_entry(&t, i, 0)), 1e-8, "w");
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* A cart between stops whose spring is drawn over: free at 0.23 for 0 < free < 0.4, on the stops
 * beyond; the lower one lets go at 0, the upper one carries from 0.4 on. */
static void test_curve(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {free: 0.5}\nbodies:\n"
        "  cart: {mass: 2, inertia: 0.1, position: [0.1, 0]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, cart], at: [0.1, 0], axis: [1, 0]}\n"
        "  ends: {type: rigid_stop, joint: rail, lower: -0.1, upper: 0.3}\n"
        "forces:\n  spring: {type: spring, bodies: [ground, cart], from: [-1, 0], to: [0.1, 0], "
        "stiffness: 70, free_length: 1 + free}\n"
        "measures:\n  x: {type: position, body: cart, component: x}\n"
        "simulation: {end: 1}\n";
    const hol_statics_options how = {
        .size = sizeof how, .vary = "free", .from = -0.15, .to = 0.6, .points = 26};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        hol_answer *answer = NULL;
        assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
        assert_int_equal(run_settings(spec, sets[i]), HOL_OK);
        const hol_status status = hol_statics(ctx, spec, &how, &answer);
        if (status) run_print_messages(ctx);
        assert_int_equal(status, HOL_OK);
        const hol_table curve = answer_table(answer, "curve"), at = answer_table(answer, "points");
        assert_int_equal(curve.rows, 26);
        for (int k = 0; k < 26; k++)
            check_close(answer_entry(&curve, k, 1), fmin(fmax(answer_entry(&curve, k, 0), 0), 0.4),
                        1e-8, "x");
        assert_int_equal(at.rows, 2);
        check_close(answer_entry(&at, 0, 0), 0, 0.03 * 0x1p-16, "lets go");
        check_close(answer_entry(&at, 1, 0), 0.4, 0.03 * 0x1p-16, "carries");
        assert_non_null(strstr(at.row_names[0], "joint 'ends' lets go"));
        assert_non_null(strstr(at.row_names[1], "joint 'ends' carries"));
        hol_answer_free(answer);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

/* An answer to other questions, in a set of coordinates. */
static asked ask_how(const char *text, const char *set, const hol_statics_options *how) {
    asked a = asked_new();
    assert_int_equal(hol_spec_read_text(a.spec, text, "test.yaml"), HOL_OK);
    assert_int_equal(run_settings(a.spec, set), HOL_OK);
    a.status = hol_statics(a.ctx, a.spec, how, &a.answer);
    return a;
}

/* A beam that stands between two posts: it may lie on the one or on the other, at the tangents from
 * its hinge, balance, or hang where a start lies below the posts. */
static void test_starts(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  beam: {mass: 4, inertia: 0.6, position: [0, 0.65], angle: 90 deg}\n"
        "joints:\n  hinge: {type: revolute, bodies: [ground, beam], at: [0, 0]}\n"
        "  right: {type: rigid_contact, bodies: [ground, beam], shapes: [{type: sphere, at: [0.9, "
        "-0.3], radius: 0.1}, {type: box, size: [1.3, 0.0002]}]}\n"
        "  left: {type: rigid_contact, bodies: [ground, beam], shapes: [{type: sphere, at: [-0.9, "
        "-0.2], radius: 0.1}, {type: box, size: [1.3, 0.0002]}]}\n"
        "simulation: {end: 1}\n";
    const hol_statics_options how = {.size = sizeof how, .starts = 9};
    const double right = atan2(-0.3, 0.9) + asin(0.1001 / hypot(0.9, 0.3)),
                 left = atan2(-0.2, 0.9) + asin(0.1001 / hypot(0.9, 0.2)),
                 y[] = {0.65 * sin(right), 0.65 * sin(left), 0.65, -0.65};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        asked a = asked_well(ask_how(text, sets[i], &how));
        const hol_table t = answer_table(a.answer, "equilibria");
        int found[4] = {0}, known = 0;
        for (int k = 0; k < t.rows; k++)
            for (int j = 0; j < 4; j++) {
                if (fabs(answer_entry(&t, k, 0) - 4 * 9.81 * y[j]) > 1e-6) continue;
                found[j]++, known++;
                assert_true(!strstr(t.row_names[k], "unstable") == (j != 2));
            }
        assert_int_equal(known, t.rows);
        assert_true(found[0] == 1 && found[1] == 1 && found[2] == 1 && found[3] <= 1);
        done(&a);
    }
}

/* A bar on a rest and on a spring, half of the weight each; a spring on the wrong side would have
 * the rest pull. */
static void test_preload(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  bar: {mass: 3, inertia: 0.2, position: [0, 0.4], angle: 0.1}\njoints:\n"
        "  rest: {type: rigid_contact, bodies: [ground, bar], friction: 0.6, shapes: [{type: "
        "plane, "
        "normal: [0, 1], at: [0, 0.3]}, {type: sphere, at: [-0.5, 0.4], radius: 0.1}]}\nforces:\n"
        "  s: {type: spring, bodies: [ground, bar], from: [0.5, 1.4], to: [0.5, 0.4], stiffness: "
        "300, free_length: 0.99}\nsimulation: {end: 1}\n";
    static const char *const names[] = {"s"};
    const hol_statics_options how = {.size = sizeof how, .n_preload = 1, .preload = names};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        asked a = asked_well(ask_how(text, sets[i], &how));
        const hol_table t = answer_table(a.answer, "preload");
        check_close(answer_entry(&t, 0, 1), 1 - 1.5 * 9.81 / 300, 1e-12, "free length");
        check_close(cell(&a, "reactions", "rest", 1), -1.5 * 9.81, 1e-9, "rest");
        done(&a);
    }
}

/* A curve of a model with a force that does not act at the start: torque f on a torsion spring. */
static void test_active_curve(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {f: 1}\n"
        "bodies: {bar: {mass: 3, inertia: 0.2, position: [0.4, 0]}}\n"
        "joints: {hinge: {type: revolute, bodies: [ground, bar], at: [0, 0]}}\nforces:\n"
        "  s: {type: torsion, joint: hinge, stiffness: 30}\n"
        "  late: {type: torque, body: bar, torque: 7*f, active: t > 0.5}\n"
        "  early: {type: torque, body: bar, torque: f, active: t < 0.5}\n"
        "measures: {a: {type: angle, body: bar}}\nsimulation: {end: 1}\n";
    const hol_statics_options how = {
        .size = sizeof how, .vary = "f", .from = 0, .to = 9, .points = 400};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        asked a = asked_well(ask_how(text, sets[i], &how));
        const hol_table t = answer_table(a.answer, "curve");
        assert_true(t.rows > 5);
        check_close(answer_entry(&t, t.rows - 1, 0), 9, 1e-9, "end of the curve");
        for (int k = 0; k < t.rows; k++)
            check_close(answer_entry(&t, k, 1), answer_entry(&t, k, 0) / 30, 1e-9, "angle");
        done(&a);
    }
}

/* Without memory at the k-th place, for all k, the call says so and leaves nothing behind. */
static void test_memory(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {free: 0.5}\nbodies:\n"
        "  cart: {mass: 2, inertia: 0.1, position: [0, 0]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
        "  ends: {type: rigid_stop, joint: rail, lower: -0.1, upper: 0.4}\n"
        "forces:\n  spring: {type: spring, bodies: [ground, cart], from: [-1, 0], to: [0, 0], "
        "stiffness: 70, free_length: 1 + free}\n"
        "simulation: {end: 1}\n";
    const hol_statics_options hows[] = {
        {.size = sizeof *hows},
        {.size = sizeof *hows, .vary = "free", .from = 0.35, .to = 0.45, .points = 2},
        {.size = sizeof *hows, .starts = 2}};
    (void)unused;
    for (int i = 0; i < 3; i++)
        for (long left = 0, done = 0; !done; left += i == 1 ? 211 : i ? 37 : 5) {
            counting c;
            hol_context *ctx = counting_context(&c);
            hol_spec *spec = hol_spec_new(ctx);
            hol_answer *answer = NULL;
            assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
            c.fail_at = c.made + 1 + left;
            const hol_status status = hol_statics(ctx, spec, &hows[i], &answer);
            const int was_reached = c.made >= c.fail_at;
            c.fail_at = 0;
            if (status && status != HOL_ERR_MEMORY) {
                print_error("%d, place %ld: %s\n", i, left, hol_status_name(status));
                run_print_messages(ctx);
            }
            assert_true(status == HOL_OK || status == HOL_ERR_MEMORY);
            done = !was_reached;
            assert_int_equal(answer != NULL, status == HOL_OK);
            hol_answer_free(answer);
            hol_spec_free(spec);
            hol_context_free(ctx);
            assert_int_equal(c.live, 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beam),          cmocka_unit_test(test_block),
        cmocka_unit_test(test_leaves),        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_small_motions), cmocka_unit_test(test_curve),
        cmocka_unit_test(test_locus),         cmocka_unit_test(test_starts),
        cmocka_unit_test(test_preload),       cmocka_unit_test(test_active_curve),
        cmocka_unit_test(test_memory),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
