/* test_event_section.c: the section `events`: instants, order, cascades, rows, elements that events
 * switch, against closed forms; the exact state; what is refused.
 *
 * Runs have a tolerance of 1e-10 a step and aim at a twentieth of it: 1e-9 for numbers of size one.
 * Motions that the formula follows exactly leave rounding and the resolution of instants (1e-14 s):
 * 1e-12.
 */
#include "event_fixture.h"

static const double g = 9.81, exact = 1e-12, near = 1e-9;

/* ---- rows ---- */

enum { MOST_ROWS = 64 };

/* The rows of a run: times, and one measure. */
typedef struct rows {
    int n, column;
    double t[MOST_ROWS], x[MOST_ROWS];
} rows;

static hol_status keep_row(void *user, hol_sim *sim) {
    rows *all = user;
    assert_true(all->n < MOST_ROWS);
    all->t[all->n] = hol_data_time(hol_sim_data(sim));
    all->x[all->n++] = measure_of(hol_sim_data(sim), all->column);
    return HOL_OK;
}

static rows rows_of(run *r, const char *measure) {
    rows all = {.column = hol_model_measure_index(r->model, measure)};
    const hol_observer observer = {.on_output = keep_row, .user = &all};
    if (hol_sim_run(r->sim, &observer)) {
        run_print_messages(r->ctx);
        fail_msg("the run failed");
    }
    return all;
}

/* A point of mass that is thrown up: y = 3 t - g t^2/2, x = t. */
#define THROWN(events, simulation)                                                                 \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ball: {mass: 0.7, point: true, "   \
    "position: [0, 0], velocity: [1, 3]}\nmeasures:\n  p: {type: position, body: ball}\n  v: "     \
    "{type: velocity, body: ball}\nevents:\n" events "simulation: {" simulation                    \
    ", tolerance: 1e-10}\n"

/* Several within one step come in their order in time, at one instant in that of the file; one that
 * is left again within the step is found. */
static void test_order_within_a_step(void **unused) {
    static const char text[] =
        THROWN("  late: {when: p.x > 0.31, do: record}\n  first: {when: p.x > 0.3, do: record}\n"
               "  second: {measure: p.x, crosses: 0.3, do: record}\n"
               "  top: {measure: p.y, crosses: 0.4587, do: record}\n",
               "end: 0.4, output: 0.4");
    (void)unused;
    const double top = 3 / g, half = sqrt(2 * (3 * 3 / (2 * g) - 0.4587) / g);
    const double wanted[] = {0, 0.3, top - half, top + half, 0.31, 0.4};
    for (int fixed = 0; fixed < 2; fixed++) {
        run r = run_text(text, fixed ? "step=0.2" : NULL);
        const rows all = rows_of(&r, "p.x");
        /* first and second are one row: nothing changes between them */
        assert_int_equal(all.n, 6);
        for (int i = 0; i < 6; i++) check_near("row", all.t[i], wanted[i], exact);
        const hol_sim_info info = sim_info(r.sim);
        assert_string_equal(info.event_names, "first; second; top; top; late");
        assert_int_equal(info.events, 5);
        assert_int_equal(info.event_times.n, 5);
        assert_true(info.event_times.values[0] == info.event_times.values[1]);
        assert_int_equal(info.switches, 0);
        assert_string_equal(event_of(&r, 1).name, "second");
        assert_int_equal(event_of(&r, 1).dof, 2);
        check_near("late", event_of(&r, 4).t, 0.31, exact);
        run_close(&r);
    }
}

/* A value with its unit is that value, whatever the measure is shown in; one without is told. */
static void test_crossed_units(void **unused) {
    static const char *const values[] = {"-17 deg", "-0.29670597283903605 rad",
                                         "-0.29670597283903605"};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  rod: {mass: 1.2, "
                 "inertia: 0.1, along: [[0, 0], [1, 0]]}\njoints:\n  A: {type: revolute, bodies: "
                 "[ground, rod], at: [0, 0]}\nmeasures:\n  angle: {type: joint_coordinate, "
                 "joint: A, unit: deg}\nevents:\n  low: {measure: angle, crosses: %s, do: "
                 "stop}\nsimulation: {end: 1}\n",
                 values[i]);
        run r = run_text(text, NULL);
        assert_int_equal(hol_message_count_of(r.ctx, HOL_WARNING), i == 2);
        assert_int_equal(hol_sim_run(r.sim, NULL), HOL_OK);
        check_near("angle", run_measure(&r, "angle"), -0.29670597283903605, 1e-9);
        run_close(&r);
    }
}

/* `times`, directions, and a row that the grid has as well. */
static void test_times_and_directions(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\nbodies:\n  mass: {mass: 2, inertia: 1, position: [1, 0]}\n"
        "forces:\n  s: {type: spring, bodies: [ground, mass], from: [-3, 0], to: [1, 0], "
        "stiffness: 18, free_length: 3}\njoints:\n  rail: {type: prismatic, bodies: [ground, "
        "mass], at: [0, 0], axis: [1, 0]}\nmeasures:\n  p: {type: position, body: mass, component: "
        "x}\nevents:\n  up: {measure: p, crosses: 250 mm, direction: rising, do: record}\n"
        "  down: {measure: p, crosses: 250 mm, direction: falling, times: 2, do: record}\n"
        "  half: {when: t >= 1, do: record}\n"
        "simulation: {end: 6.5, output: 0.5, tolerance: 1e-10}\n";
    (void)unused;
    /* p = cos(3 t): falls below 1/4 at acos(1/4)/3 + 2 pi k/3 */
    const double fall = acos(0.25) / 3, turn = 2 * acos(-1) / 3;
    run r = run_text(text, NULL);
    const rows all = rows_of(&r, "p");
    int down = 0, up = 0;
    for (int i = 0; i < sim_info(r.sim).events; i++) {
        const hol_event event = event_of(&r, i);
        if (event.name[0] == 'd') check_near("falls", event.t, fall + turn * down++, near);
        if (event.name[0] == 'u') check_near("rises", event.t, turn * (1 + up++) - fall, near);
    }
    assert_int_equal(down, 2);
    assert_int_equal(up, 3);
    /* 14 of the grid, 5 crossings; the instant t = 1 is a row of the grid, or the number behind */
    assert_in_range(all.n, 19, 20);
    for (int i = 1; i < all.n; i++) assert_true(all.t[i] > all.t[i - 1]);
    run_close(&r);
}

/* However loose the tolerance, an event happens once for each crossing: the interpolant may say
 * that it has been when the end of the step does not. cos(3 t) crosses any value twice a turn. */
static void test_once_a_crossing(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\nbodies:\n  mass: {mass: 2, inertia: 1, position: [1, 0]}\n"
        "forces:\n  s: {type: spring, bodies: [ground, mass], from: [-3, 0], to: [1, 0], "
        "stiffness: 18, free_length: 3}\njoints:\n  rail: {type: prismatic, bodies: [ground, "
        "mass], at: [0, 0], axis: [1, 0]}\nmeasures:\n  p: {type: position, body: mass, component: "
        "x}\nevents:\n  a: {measure: p, crosses: 0.1, do: record}\n  b: {when: p < 0.3, do: "
        "record}\nsimulation: {end: 20.9, tolerance: 1e-3, output: 5}\n";
    static const char *const settings[] = {"integrator=dopri5",
                                           "integrator=dop853",
                                           "integrator=radau5",
                                           "integrator=rk4 step=0.1",
                                           "integrator=dopri5 tolerance=1e-6",
                                           "coordinates=relative"};
    (void)unused;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        run r = run_text(text, settings[i]);
        run_whole(&r);
        /* 20.9/(2 pi/3) = 9.98 turns: 20 crossings, 10 falls */
        if (sim_info(r.sim).events != 30)
            fail_msg("%s: %ld events", settings[i], sim_info(r.sim).events);
        run_close(&r);
    }
}

/* The run ends at the instant, with its row; what stands behind `stop` in the list is still done,
 * later events are not. */
static void test_stop(void **unused) {
    static const char text[] =
        THROWN("  apex: {when: v.y < 0, do: [stop, record]}\n  after: {when: v.y <= 0, do: "
               "record}\n",
               "end: 2, output: 0.1");
    (void)unused;
    run r = run_text(text, NULL);
    const rows all = rows_of(&r, "p.y");
    const hol_sim_info info = sim_info(r.sim);
    assert_int_equal(info.end, HOL_END_STOP);
    check_near("apex", info.t, 3 / g, exact);
    check_near("row", all.x[all.n - 1], 4.5 / g, exact);
    assert_int_equal(all.n, 5); /* 0, 0.1, 0.2, 0.3, the apex, once */
    assert_string_equal(info.event_names, "apex");
    run_close(&r);
}

/* As many rows as max_rows allows, events included. */
static void test_most_rows(void **unused) {
    static const char text[] =
        THROWN("  often: {when: sin(200*t) > 0, do: record}\n", "end: 2, output: 1, max_rows: 20");
    (void)unused;
    run r = run_text(text, NULL);
    rows all = {0};
    const hol_observer observer = {.on_output = keep_row, .user = &all};
    assert_int_equal(hol_sim_run(r.sim, &observer), HOL_ERR_TOLERANCE);
    assert_true(said_why(r.ctx, "as many as max_rows allows"));
    assert_int_equal(all.n, 20);
    run_close(&r);
}

/* ---- elements ---- */

/* The model catch: a bar falls and is caught by a wheel, J w = (J + J2) w+. */
static void check_catch(run *r, double tolerance) {
    const double L = 0.8, m = 1.7, J2 = 0.21, J = m * L * L / 3, pi = acos(-1);
    const double w = -sqrt(2 * m * g * L / 2 * sin(70 * pi / 180) / J), after = J * w / (J + J2);
    run_to(r, 0.38);
    const hol_event event = event_of(r, 0);
    assert_string_equal(event.name, "catch");
    assert_int_equal(event.joints[hol_model_joint(r->model, "latch")], 1);
    check_near("energy lost", event.energy_lost, J * w * w / 2 - (J + J2) * after * after / 2,
               20 * tolerance);
    hol_impulse impulse = {.size = sizeof impulse};
    assert_int_equal(hol_sim_event_impulse(r->sim, 0, hol_model_joint(r->model, "latch"), &impulse),
                     HOL_OK);
    check_near("impulse on the wheel", impulse.angular[2], J2 * after, 10 * tolerance);
    assert_int_equal(event.dof, 1);
    /* from there on energy: (J + J2) w^2/2 = … + m g L/2 (sin a - sin 70 deg) */
    run_to(r, 0.5);
    const double a = -run_measure(r, "angle"), v = run_measure(r, "w");
    check_near("energy", (J + J2) * v * v / 2,
               (J + J2) * after * after / 2 + m * g * L / 2 * (sin(a) - sin(70 * pi / 180)),
               20 * tolerance);
    check_near("as one", v, run_measure(r, "wheel_w"), tolerance);
    run_to(r, 1.5);
    check_near("let go", run_measure(r, "torque.mz"), 0, 0);
    assert_string_equal(sim_info(r->sim).event_names, "catch; turned; lowest; turned; let_go");
}

static void test_catch(void **unused) {
    (void)unused;
    const subject catcher = {"catch", NULL, 2};
    const hol_method_doc *method;
    int n = 0;
    for (int set = 0; set < N_SETS; set++)
        for (int i = 0; (method = hol_method_get(i)); i++) {
            const rule allowed = rule_of(method->name);
            set_now = sets[set];
            if (!belongs(method->name) || !(allowed.moved > 0)) continue;
            run r = start_method(&catcher, method->name, allowed.motion_settings);
            check_catch(&r, allowed.moved);
            n++;
            run_close(&r);
        }
    set_now = "reference";
    assert_true(n > 40);
    run r = run_open("catch", NULL);
    check_catch(&r, near);
    check_near("balance", sim_info(r.sim).relative_energy_error, 0, near);
    run_close(&r);
}

/* Two discs with a clutch, a brake and a drag, which events switch. */
#define DISCS(events)                                                                              \
    "holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 0.3, position: [0, 0], omega: "   \
    "3}\n  b: {mass: 1, inertia: 0.2, position: [0, 0]}\njoints:\n"                                \
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"                                     \
    "  B: {type: revolute, bodies: [ground, b], at: [0, 0]}\n"                                     \
    "  clutch: {type: generic, bodies: [a, b], at: [0, 0], lock: [angle], active: {catch: "        \
    "here}}\nforces:\n  drag: {type: torque, body: b, torque: -1, active: false}\n"                \
    "  drive: {type: torque, body: b, torque: 0.5}\nmeasures:\n"                                   \
    "  wa: {type: angular_velocity, body: a}\n  wb: {type: angular_velocity, body: b}\n"           \
    "events:\n" events "simulation: {end: 2, tolerance: 1e-10}\n"

/* The jump of one event lets others happen at the same instant, each once; a list of elements. */
static void test_cascade(void **unused) {
    (void)unused;
    run s = run_text(DISCS("  slow: {when: wa < 2.6, do: [{release: clutch}, record]}\n"
                           "  grip: {when: t > 0.9, do: {activate: [clutch, drag]}}\n"
                           "  hot: {when: wb > 2.4, do: {release: [drag, drive]}}\n"),
                     NULL);
    run_whole(&s);
    /* grip at 0.9: momentum 0.9 + 0.2 * 2.25 = 1.35, w = 2.7 > 2.4: hot at the same instant, and
     * nothing drives or drags any more: never slow */
    assert_string_equal(sim_info(s.sim).event_names, "grip; hot");
    assert_true(event_of(&s, 0).t == event_of(&s, 1).t);
    assert_int_equal(event_of(&s, 0).forces[0], 1);
    assert_int_equal(event_of(&s, 1).forces[0], -1);
    assert_int_equal(event_of(&s, 1).forces[1], -1);
    check_near("instant", event_of(&s, 0).t, 0.9, 2e-14);
    check_near("as one", run_measure(&s, "wa"), 2.7, exact);
    check_near("as one", run_measure(&s, "wb"), 2.7, exact);
    run_close(&s);
}

/* Elements keep their own conditions beside events; those come first. */
static void test_with_conditions(void **unused) {
    run r = run_text(DISCS("  let_go: {when: t > 1.5, do: {release: drive}}\n"
                           "  grip: {when: t > 1, do: {activate: clutch}}\n"),
                     "forces.drag.active=t>1");
    (void)unused;
    run_whole(&r);
    /* at 1: drag by its condition, then grip; 1.4/0.5 = 2.8, then -0.5/0.5 for 0.5 s, -1/0.5 */
    assert_int_equal(sim_info(r.sim).switches, 3);
    assert_string_equal(event_of(&r, 0).name, "");
    assert_int_equal(event_of(&r, 0).forces[0], 1);
    assert_string_equal(event_of(&r, 1).name, "grip");
    check_near("at the end", run_measure(&r, "wa"), 2.8 - 0.5 - 1, near);
    run_close(&r);
}

/* ---- the exact state ---- */

/* Saved before, between and after events and loaded elsewhere: the same bits. */
static void test_state(void **unused) {
    static const double saves[] = {0.2, 0.5, 1.3};
    (void)unused;
    for (int set = 0; set < N_SETS; set++)
        for (int k = 0; k < 3; k++) {
            char settings[64];
            snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
            run a = run_open("catch", settings), b = run_open("catch", settings);
            run_to(&a, saves[k]);
            run_to(&b, saves[(k + 1) % 3]);
            const size_t size = hol_sim_state_size(a.sim);
            void *block = malloc(size);
            assert_int_equal(hol_sim_state_save(a.sim, block, size), HOL_OK);
            assert_int_equal(hol_sim_state_load(b.sim, block, size), HOL_OK);
            run_to(&a, 2);
            run_to(&b, 2);
            check_near("state", run_difference(&a, &b), 0, 0);
            assert_string_equal(sim_info(a.sim).event_names, sim_info(b.sim).event_names);
            assert_true(sim_info(a.sim).steps == sim_info(b.sim).steps);
            for (int i = 0; i < 5; i++) {
                assert_true(event_of(&a, i).t == event_of(&b, i).t);
                assert_true(event_of(&a, i).energy_lost == event_of(&b, i).energy_lost);
                assert_int_equal(event_of(&a, i).dof, event_of(&b, i).dof);
            }
            free(block);
            run_close(&a);
            run_close(&b);
        }
}

/* ---- what is refused ---- */

/* A pendulum with that line in its events. */
static hol_context *compile_with(const char *event, hol_model **model) {
    char text[2048];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    snprintf(
        text, sizeof text,
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {k: 3}\nbodies:\n"
        "  rod: {mass: 1, inertia: 0.1, along: [[0, 0], [1, 0]]}\njoints:\n"
        "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
        "  when: {type: distance, bodies: [ground, rod], from: [0, 1], to: [1, 0], active: t < "
        "1}\n  both: {type: distance, bodies: [ground, rod], from: [0, 2], to: [1, 0], active: "
        "false}\nforces:\n  both: {type: torque, body: rod, torque: 1}\n"
        "measures:\n  tip: {type: position, body: rod, at: [1, 0]}\n  w: {type: "
        "angular_velocity, body: rod}\nevents:\n  e: %s\nsimulation: {end: 1}\n",
        event);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    *model = hol_model_from_spec(ctx, spec, &options);
    hol_options_free(options);
    hol_spec_free(spec);
    return ctx;
}

static void test_wrong_events(void **unused) {
    static const struct {
        const char *event, *why;
    } cases[] = {
        {"stop", "expected a map such as"},
        {"{when: t > 1}", "needs the key 'do'"},
        {"{do: stop}", "says not when it happens"},
        {"{measure: w, do: stop}", "says not when it happens"},
        {"{crosses: 1, do: stop}", "says not when it happens"},
        {"{when: t > 1, crosses: 2, do: stop}", "`crosses` says when it happens, and so does"},
        {"{when: t > 1, measure: w, do: stop}", "`measure` says when it happens, and so does"},
        {"{when: t > 1, direction: both, do: stop}", "`direction` says when it happens"},
        {"{whem: t > 1, do: stop}", "did you mean 'when'"},
        {"{when: u > 1, do: stop}", "unknown name 'u'"},
        {"{measure: tipp.x, crosses: 1, do: stop}", "there is no measure 'tipp.x'; did you mean"},
        {"{measure: tip, crosses: 1, do: stop}", "has several columns; take one, such as tip.x"},
        {"{measure: w, crosses: 3 m, do: stop}", "has the wrong unit"},
        {"{measure: w, crosses: t, do: stop}", "a constant is wanted here"},
        {"{measure: w, crosses: 1, direction: up, do: stop}", "not a value of 'direction'"},
        {"{when: t > 1, times: 0, do: stop}", "must be positive"},
        {"{when: t > 1, times: 1.5, do: stop}", "must be a whole number"},
        {"{when: t > 1, do: []}", "the list of actions is empty"},
        {"{when: t > 1, do: stopp}", "there is no action 'stopp'; did you mean 'stop'?"},
        {"{when: t > 1, do: activate}", "does not say what; write {activate: lock}"},
        {"{when: t > 1, do: {stop: 1}}", "`stop` takes nothing"},
        {"{when: t > 1, do: {activte: pin}}", "did you mean 'activate'?"},
        {"{when: t > 1, do: {activate: pin, release: pin}}", "an action has one key"},
        {"{when: t > 1, do: [[stop]]}", "expected an action such as stop"},
        {"{when: t > 1, do: {activate: pim}}", "there is no joint or force 'pim'; did you mean"},
        {"{when: t > 1, do: {activate: []}}", "found an empty list"},
        {"{when: t > 1, do: {release: {a: pin}}}", "expected a joint or a force"},
        {"{when: t > 1, do: {activate: both}}", "is a joint and also a force"},
        {"{when: t > 1, do: {activate: when}}", "says at every state whether it acts, and events"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol_model *model;
        hol_context *ctx = compile_with(cases[i].event, &model);
        if (model || !said_why(ctx, cases[i].why)) {
            run_print_messages(ctx);
            fail_msg("e: %s: wanted an error with '%s'", cases[i].event, cases[i].why);
        }
        const hol_message *m = hol_message_get(ctx, 0);
        assert_true(m->where.line > 0 && m->where.column > 0);
        if (!strstr(cases[i].why, "at every state")) assert_string_equal(m->element, "event 'e'");
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_within_a_step),
        cmocka_unit_test(test_crossed_units),
        cmocka_unit_test(test_times_and_directions),
        cmocka_unit_test(test_once_a_crossing),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_most_rows),
        cmocka_unit_test(test_catch),
        cmocka_unit_test(test_cascade),
        cmocka_unit_test(test_with_conditions),
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_wrong_events),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
