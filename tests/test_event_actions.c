/* test_event_actions.c: events that set variables and events at which bodies rebound, against
 * closed forms; the exact state; what is refused.
 *
 * Motions here are polynomials between events, which the formulas follow exactly but for rounding
 * and the resolution of instants (1e-14 s), some tens of which add up: 1e-11.
 */
#include "event_fixture.h"

static const double g = 9.81, exact = 1e-11;

/* ---- variables ---- */

/* A wheel with a torque that events set: 0.5 N m, from 0.3 s on twice that and a bit by its speed,
 * from 0.7 s on what b was. */
#define WHEEL                                                                                      \
    "holonom: 1\nspace: planar\nbodies:\n  wheel: {mass: 1, inertia: 0.25, position: [0, 0]}\n"    \
    "joints:\n  pin: {type: revolute, bodies: [ground, wheel], at: [0, 0]}\nforces:\n"             \
    "  drive: {type: torque, body: wheel, torque: a}\nmeasures:\n"                                 \
    "  a: {type: variable, value: 500 N*mm}\n  b: {type: variable, value: -0.3, unit: N*m}\n"      \
    "  count: {type: variable}\n  w: {type: angular_velocity, body: wheel}\nevents:\n"             \
    "  more: {when: t > 0.3, do: {set: {a: 2*a + (0.1 N*m)*w/(1 rad/s), count: count + 1}}}\n"     \
    "  swap: {when: t > 0.7, do: [{set: {a: b, b: a}}, record, {set: {count: count + 1}}]}\n"      \
    "  back: {when: w < 1, do: stop}\nsimulation: {end: 3, tolerance: 1e-10}\n"

static void test_variables(void **unused) {
    (void)unused;
    const double w1 = 2 * 0.3, a1 = 1 + 0.1 * w1, w2 = w1 + 4 * a1 * 0.4;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(WHEEL, settings);
        run_to(&r, 0.7);
        check_near("speed", run_measure(&r, "w"), w2, exact);
        check_near("torque", run_measure(&r, "a"), a1, exact);
        run_whole(&r);
        check_near("swapped", run_measure(&r, "a"), -0.3, exact);
        check_near("swapped", run_measure(&r, "b"), a1, exact);
        check_near("count", run_measure(&r, "count"), 2, 0);
        assert_int_equal(sim_info(r.sim).end, HOL_END_STOP);
        check_near("stopped", sim_info(r.sim).t, 0.7 + (w2 - 1) / 1.2, exact);
        check_near("balance", sim_info(r.sim).relative_energy_error, 0, exact);
        assert_string_equal(sim_info(r.sim).event_names, "more; swap; back");
        run_close(&r);
    }
}

/* A spring whose stiffness is a variable: what the change brings is work; the balance closes. */
static void test_potential_of_a_variable(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\nbodies:\n  mass: {mass: 2, inertia: 1, position: [1, 0]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, mass], at: [0, 0], axis: [1, 0]}\n"
        "forces:\n  s: {type: spring, bodies: [ground, mass], from: [-3, 0], to: [1, 0], "
        "stiffness: k, free_length: 3}\nmeasures:\n  k: {type: variable, value: 18 N/m}\n"
        "  x: {type: position, body: mass, component: x}\nevents:\n"
        "  stiffer: {when: x < 0.6, times: 1, do: {set: {k: 4*k}}}\n"
        "simulation: {end: 1, tolerance: 1e-10}\n";
    (void)unused;
    run r = run_text(text, NULL);
    run_whole(&r);
    /* cos(3 t) until 0.6, v = -2.4; then A cos(6 t + phi), A^2 = 0.36 + (2.4/6)^2 */
    const double t0 = acos(0.6) / 3, A = sqrt(0.36 + 0.16), phi = atan2(0.4, 0.6);
    check_near("position", run_measure(&r, "x"), A * cos(6 * (1 - t0) + phi), 1e-9);
    check_near("balance", sim_info(r.sim).relative_energy_error, 0, 1e-9);
    run_close(&r);
}

/* Conditions on variables alone may become true again at the same instant: that has no end. */
static void test_endless_cascade(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 1}\nmeasures:\n  flip: {type: "
        "variable}\n  x: {type: position, body: a}\nevents:\n  start: {when: t > 0.2, do: {set: "
        "{flip: 1}}}\n  off: {when: flip > 0.5, do: {set: {flip: 0}}}\n  on: {when: flip < 0.5, "
        "do: {set: {flip: 1}}}\nsimulation: {end: 1}\n";
    (void)unused;
    run r = run_text(text, NULL);
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
    assert_true(said_why(r.ctx, "happens again without time advancing"));
    assert_true(said_why(r.ctx, "'start', 'off', 'on'"));
    check_near("stopped at", sim_info(r.sim).t, 0.2, exact);
    run_close(&r);
}

/* ---- parameters ---- */

/* A mass on a spring whose stiffness events multiply, at a place that moves with them, and a lump
 * that gets heavier. */
#define SPRINGS                                                                                    \
    "holonom: 1\nspace: planar\nparameters: {k: 18 N/m, level: 0.6 m, lump: 2 kg, twice: "         \
    "2*lump}\n"                                                                                    \
    "bodies:\n  mass: {mass: 2, inertia: 1, position: [1, 0]}\n"                                   \
    "  lump: {mass: twice/2, inertia: 1, position: [0, 2]}\njoints:\n"                             \
    "  rail: {type: prismatic, bodies: [ground, mass], at: [0, 0], axis: [1, 0]}\n"                \
    "  way: {type: prismatic, bodies: [ground, lump], at: [0, 2], axis: [1, 0]}\nforces:\n"        \
    "  s: {type: spring, bodies: [ground, mass], from: [-3, 0], to: [1, 0], stiffness: k, "        \
    "free_length: 3}\n  push: {type: force, body: lump, force: [3, 0]}\nmeasures:\n"               \
    "  x: {type: position, body: mass, component: x}\n  v: {type: velocity, body: lump, "          \
    "component: x}\n  y: {type: position, body: lump, component: x}\nevents:\n"                    \
    "  stiffer: {when: x < level, times: 2, do: {set: {k: 4*k, level: level - 0.9}}}\n"            \
    "  heavier: {when: t > 0.5, do: [{set: {lump: lump + 1 kg}}, record]}\n"                       \
    "simulation: {end: 1, tolerance: 1e-10}\n"

/* cos(3 t) until 0.6; A cos(6 s + phi) from there, A^2 = 0.36 + 0.16, until -0.3; then the
 * frequency is 12. The push gives 1.5 m/s^2, from 0.5 s on 1 m/s^2, at the same velocity. */
static void check_springs(run *r) {
    const double t0 = acos(0.6) / 3, A = sqrt(0.36 + 0.16), phi = atan2(0.4, 0.6);
    const double t1 = (acos(-0.3 / A) - phi) / 6, v1 = -6 * A * sin(6 * t1 + phi), s = 1 - t0 - t1;
    run_to(r, 1);
    check_near("first", event_of(r, 0).t, t0, 1e-9);
    check_near("second", event_of(r, 2).t, t0 + t1, 1e-9);
    check_near("position", run_measure(r, "x"), -0.3 * cos(12 * s) + v1 / 12 * sin(12 * s), 1e-8);
    check_near("velocity", run_measure(r, "v"), 0.75 + 0.5, 1e-9);
    check_near("place", run_measure(r, "y"), 0.75 * 0.25 + 0.75 * 0.5 + 0.125, 1e-9);
    check_near("balance", sim_info(r->sim).relative_energy_error, 0, 1e-8);
    assert_string_equal(sim_info(r->sim).event_names, "stiffer; heavier; stiffer");
}

static void test_parameters(void **unused) {
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(SPRINGS, settings);
        check_springs(&r);
        run_close(&r);
    }
}

/* All methods. */
static void test_parameters_in_all_methods(void **unused) {
    const subject springs = {"springs", SPRINGS, 1};
    const hol_method_doc *method;
    run reference = run_text(SPRINGS, "tolerance=1e-12");
    (void)unused;
    run_to(&reference, 0.9);
    for (int i = 0; (method = hol_method_get(i)); i++) {
        const rule allowed = rule_of(method->name);
        if (!belongs(method->name) || !(allowed.moved > 0)) continue;
        run r = start_method(&springs, method->name, allowed.motion_settings);
        run_to(&r, 0.9);
        check_near(method->name, run_difference(&r, &reference), 0, 10 * allowed.moved);
        run_close(&r);
    }
    run_close(&reference);
}

/* A driver that turns faster from some instant on: the bar is where it was and jumps to the new
 * speed; a parameter that moves joints apart, or makes no sense, is an error. */
static void test_parameters_of_joints(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\nparameters: {w: 2, w0: 0, m: 1.3, L: 0.7}\nbodies:\n"
        "  bar: {mass: m, inertia: 0.1, along: [[0, 0], [L, 0]]}\njoints:\n"
        "  pin: {type: revolute, bodies: [ground, bar], at: [0, 0]}\n"
        "  motor: {type: motor, joint: pin, angle: w0 + w*t}\nmeasures:\n"
        "  w_bar: {type: angular_velocity, body: bar}\n  a: {type: angle, body: bar}\nevents:\n"
        "  e: {when: t > 0.5, do: {set: %s}}\nsimulation: {end: 1, tolerance: 1e-10}\n";
    static const struct {
        const char *set, *why;
    } cases[] = {
        {"{w: 3, w0: -0.5}", NULL},
        {"{w: 3}", "cannot take hold at t = 0.5"},
        {"{m: -m}", "with the values that events have given to parameters"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char all[1024];
        snprintf(all, sizeof all, text, cases[i].set);
        run r = run_text(all, NULL);
        const hol_status status = hol_sim_run(r.sim, NULL);
        if ((status != HOL_OK) != (cases[i].why != NULL) ||
            (cases[i].why && !said_why(r.ctx, cases[i].why))) {
            run_print_messages(r.ctx);
            fail_msg("set: %s", cases[i].set);
        }
        if (!cases[i].why) {
            const double J = 0.1 + 1.3 * 0.35 * 0.35;
            check_near("speed", run_measure(&r, "w_bar"), 3, 1e-9);
            check_near("angle", run_measure(&r, "a"), 2.5, 1e-9);
            check_near("work", event_of(&r, 0).energy_lost, J * (4 - 9) / 2, 1e-9);
            check_near("balance", sim_info(r.sim).relative_energy_error, 0, 1e-9);
        }
        run_close(&r);
    }
}

/* ---- impacts ---- */

/* A ball is thrown up from a floor at 4 m/s. */
#define BALL(floor)                                                                                \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ball: {mass: 0.7, inertia: 0.1, "  \
    "position: [0, 0], velocity: [0.5, 4]}\njoints:\n  floor: {type: generic, bodies: [ground, "   \
    "ball], at: [0, 0], lock: [y], active: " floor "}\nmeasures:\n  p: {type: position, body: "    \
    "ball}\n  v: {type: velocity, body: ball}\n  N: {type: reaction, "                             \
    "joint: floor}\nevents:\n  bounce: {when: p.y < 0, do: {impact: {joint: floor, restitution: "  \
    "0.8}}}\nsimulation: {end: 6, tolerance: 1e-10}\n"

/* Flights take 2 v/g, and v becomes e v: the k-th bounce at t1 (1 + e + … + e^k), each takes
 * 1 - e^2 of the kinetic energy, and there is rest at t1/(1 - e). */
static void check_bounces(run *r, double tolerance) {
    const double e = 0.8, t1 = 8 / g, m = 0.7;
    double t = t1, energy = m * 16 / 2;
    run_to(r, 4.02);
    for (int k = 0; k < 18; k++) {
        const hol_event event = event_of(r, k);
        hol_impulse impulse = {.size = sizeof impulse};
        check_near("bounce", event.t, t, tolerance);
        check_near("energy lost", event.energy_lost, (1 - e * e) * energy, tolerance);
        assert_int_equal(hol_sim_event_impulse(r->sim, k, 0, &impulse), HOL_OK);
        check_near("impulse on the floor", impulse.impulse[1], -m * (1 + e) * sqrt(2 * energy / m),
                   tolerance);
        assert_int_equal(event.joints[0], 0);
        energy *= e * e;
        t += t1 * pow(e, k + 1);
    }
}

static void test_bouncing_ball(void **unused) {
    (void)unused;
    const double rest = 8 / g / (1 - 0.8);
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(BALL("{initially: false, until: N.fy > 0}"), settings);
        check_bounces(&r, 1e-11);
        run_whole(&r);
        /* the joint takes hold where rebounds cannot be told apart: heights of some 1e-12 m take
         * microseconds */
        const hol_sim_info info = sim_info(r.sim);
        const hol_event last = event_of(&r, (int)info.switches - 1);
        assert_int_equal(last.joints[0], 1);
        check_near("rest", last.t, rest, 2e-5);
        assert_in_range(info.events, 40, 90);
        check_near("height", run_measure(&r, "p.y"), 0, exact);
        check_near("speed", run_measure(&r, "v.x"), 0.5, exact);
        check_near("weight", run_measure(&r, "N.fy"), -0.7 * g, 1e-11);
        check_near("balance", info.relative_energy_error, 0, 1e-11);
        run_close(&r);
    }
}

/* All methods; those that hold constraints by penalties have none here to hold. */
static void test_bounces_in_all_methods(void **unused) {
    const subject ball = {"ball", BALL("{initially: false, until: N.fy > 0}"), 1};
    const hol_method_doc *method;
    (void)unused;
    for (int i = 0; (method = hol_method_get(i)); i++) {
        const rule allowed = rule_of(method->name);
        if (!belongs(method->name) || !(allowed.moved > 0)) continue;
        run r = start_method(&ball, method->name, allowed.motion_settings);
        check_bounces(&r, allowed.moved);
        run_close(&r);
    }
}

/* Formulas with a history of their own, and fixed steps that are longer than the last flights. */
static void test_bounces_of_integrators(void **unused) {
    static const char *const settings[] = {"integrator=generalized-alpha",
                                           "integrator=hht",
                                           "integrator=radau5",
                                           "integrator=rk4 step=0.01",
                                           "integrator=real-time step=0.001",
                                           "integrator=dopri5 tolerance=1e-4"};
    (void)unused;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        run r = run_text(BALL("{initially: false, until: N.fy > 0}"), settings[i]);
        run_whole(&r);
        if (sim_info(r.sim).events != 60)
            fail_msg("%s: %ld bounces", settings[i], sim_info(r.sim).events);
        check_near("height", run_measure(&r, "p.y"), 0, exact);
        assert_false(run_warns(&r, "within one fixed step"));
        run_close(&r);
    }
}

/* A joint that could not let go again does not hold: the run says so instead of creeping. */
static void test_no_rest_without_a_way_out(void **unused) {
    (void)unused;
    run r = run_text(BALL("false"), NULL);
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
    assert_true(said_why(r.ctx, "can no longer be told apart"));
    check_near("stopped at", sim_info(r.sim).t, 8 / g * 5, 2e-5);
    run_close(&r);
}

/* A bar on a pin strikes a wall with its tip: w+ = -e w-, the wall receives J (1 + e) w/L, and the
 * pin m (L/2)(1 + e) w less that; two carts swap their velocities where e = 1. */
static void test_impact_through_joints(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\nbodies:\n"
        "  bar: {mass: 1.7, inertia: 0.09, along: [[0, 0], [0, -0.8]], omega: 2.3}\n"
        "  one: {mass: 1.2, inertia: 1, position: [-2, 3], velocity: [1.5, 0]}\n"
        "  two: {mass: 1.2, inertia: 1, position: [0, 3], velocity: [-0.5, 0]}\njoints:\n"
        "  pin: {type: revolute, bodies: [ground, bar], at: [0, 0]}\n"
        "  wall: {type: generic, bodies: [ground, bar], at: [0, -0.8], lock: [x], active: false}\n"
        "  rail: {type: prismatic, bodies: [ground, one], at: [-2, 3], axis: [1, 0]}\n"
        "  way: {type: prismatic, bodies: [ground, two], at: [0, 3], axis: [1, 0]}\n"
        "  meet: {type: generic, bodies: [one, two], at: [0, 3], lock: [x], active: false}\n"
        "measures:\n  w: {type: angular_velocity, body: bar}\n  angle: {type: angle, body: bar}\n"
        "  v1: {type: velocity, body: one, component: x}\n  v2: {type: velocity, body: two, "
        "component: x}\n  gap: {type: distance, bodies: [one, two], from: [-2, 3], to: [0, 3]}\n"
        "events:\n"
        "  strike: {when: t > 0, do: {impact: {joint: wall, restitution: 0.6}}}\n"
        "  touch: {when: gap < 0.25, do: {impact: {joint: meet, restitution: 1}}}\n"
        "simulation: {end: 1.2, tolerance: 1e-10}\n";
    (void)unused;
    const double J = 0.09 + 1.7 * 0.16, w = 2.3, e = 0.6, P = J * (1 + e) * w / 0.8;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(text, settings);
        run_to(&r, 0.5);
        check_near("omega", run_measure(&r, "w"), -e * w, exact);
        hol_impulse wall = {.size = sizeof wall}, pin = {.size = sizeof pin};
        hol_sim_event_impulse(r.sim, 0, hol_model_joint(r.model, "wall"), &wall);
        hol_sim_event_impulse(r.sim, 0, hol_model_joint(r.model, "pin"), &pin);
        check_near("impulse on the wall", wall.impulse[0], P, exact);
        check_near("impulse on the ground", pin.impulse[0], 1.7 * 0.4 * (1 + e) * w - P, exact);
        check_near("lost", event_of(&r, 0).energy_lost, J * w * w * (1 - e * e) / 2, exact);
        run_whole(&r);
        check_near("touch", event_of(&r, 1).t, 1.75 / 2, exact);
        check_near("swapped", run_measure(&r, "v1"), -0.5, exact);
        check_near("swapped", run_measure(&r, "v2"), 1.5, exact);
        check_near("nothing lost", event_of(&r, 1).energy_lost, 0, exact);
        run_close(&r);
    }
}

/* ---- the exact state ---- */

/* Saved between events and loaded into another run: the same bits. */
static void test_state(void **unused) {
    static const struct {
        const char *text;
        double save, end;
    } cases[] = {{WHEEL, 0.5, 1.5},
                 {WHEEL, 0.8, 1.5},
                 {SPRINGS, 0.2, 0.9},
                 {SPRINGS, 0.4, 0.9},
                 {SPRINGS, 0.6, 0.9},
                 {BALL("{initially: false, until: N.fy > 0}"), 2.1, 3.5},
                 {BALL("{initially: false, until: N.fy > 0}"), 4.5, 5}};
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        run a = run_text(cases[k].text, NULL), b = run_text(cases[k].text, NULL);
        run_to(&a, cases[k].save);
        const size_t size = hol_sim_state_size(a.sim);
        void *block = malloc(size);
        assert_int_equal(hol_sim_state_save(a.sim, block, size), HOL_OK);
        assert_int_equal(hol_sim_state_load(b.sim, block, size), HOL_OK);
        run_to(&a, cases[k].end);
        run_to(&b, cases[k].end);
        check_near("state", run_difference(&a, &b), 0, 0);
        assert_true(sim_info(a.sim).steps == sim_info(b.sim).steps);
        assert_string_equal(sim_info(a.sim).event_names, sim_info(b.sim).event_names);
        assert_string_equal(sim_info(a.sim).switch_names, sim_info(b.sim).switch_names);
        free(block);
        run_close(&a);
        run_close(&b);
    }
}

/* ---- what is refused ---- */

static void test_wrong_actions(void **unused) {
    static const struct {
        const char *action, *why;
    } cases[] = {
        {"{set: 3}", "expected variables or parameters with their values"},
        {"{set: {}}", "found none"},
        {"{set: {spede: 3}}", "there is no variable or parameter 'spede'; did you mean 'speed'?"},
        {"{set: {w: 3}}", "follows from the motion; only measures of type variable and parameters"},
        {"{set: {k: 3 s}}", "has the wrong unit"},
        {"{set: {speed: 3 m}}", "has the wrong unit"},
        {"{set: {speed: u}}", "unknown name 'u'"},
        {"set", "does not say what"},
        {"{impact: pin}", "expected {joint: wall, restitution: 0.8}"},
        {"{impact: {restitution: 1}}", "needs the key 'joint'"},
        {"{impact: {joint: pinn}}", "there is no joint 'pinn'; did you mean 'pin'?"},
        {"{impact: {joint: pin, restitution: 1.5}}", "must not be more than 1"},
        {"{impact: {joint: pin, restitution: -1}}", "must not be negative"},
        {"{impact: {joint: pin, friction: 1}}", "friction needs a joint with one equation"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        hol_options *options = NULL;
        snprintf(
            text, sizeof text,
            "holonom: 1\nspace: planar\nparameters: {k: 3 m}\nbodies:\n  rod: {mass: 1, inertia: "
            "1}\njoints:\n  pin: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
            "measures:\n  speed: {type: variable, value: 3 rad/s}\n  w: {type: "
            "angular_velocity, body: rod}\nevents:\n  e: {when: t > 0.2, do: %s}\n",
            cases[i].action);
        assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
        hol_model *model = hol_model_from_spec(ctx, spec, &options);
        if (model || !said_why(ctx, cases[i].why)) {
            run_print_messages(ctx);
            fail_msg("do: %s: wanted an error with '%s'", cases[i].action, cases[i].why);
        }
        assert_string_equal(run_last_error(ctx)->element, "event 'e'");
        assert_int_equal(run_last_error(ctx)->where.line, 12);
        hol_options_free(options);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

/* Where a run stops: a value that is no number, a joint that acts. */
static void test_runs_that_stop(void **unused) {
    static const struct {
        const char *action, *why;
    } cases[] = {
        {"{set: {x: 1/(t - t)}}", "the value of 'x' is NaN or infinite"},
        {"{impact: {joint: pin}}", "acts at t = 0.2, and what it holds cannot rebound"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\nbodies:\n  rod: {mass: 1, inertia: 1}\njoints:\n"
                 "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0]}\nmeasures:\n  x: "
                 "{type: variable}\nevents:\n  e: {when: t > 0.2, do: %s}\nsimulation: {end: 1}\n",
                 cases[i].action);
        run r = run_text(text, NULL);
        assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
        assert_true(said_why(r.ctx, cases[i].why));
        check_near("stopped at", sim_info(r.sim).t, 0.2, exact);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_potential_of_a_variable),
        cmocka_unit_test(test_endless_cascade),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_parameters_in_all_methods),
        cmocka_unit_test(test_parameters_of_joints),
        cmocka_unit_test(test_bouncing_ball),
        cmocka_unit_test(test_bounces_in_all_methods),
        cmocka_unit_test(test_bounces_of_integrators),
        cmocka_unit_test(test_no_rest_without_a_way_out),
        cmocka_unit_test(test_impact_through_joints),
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_wrong_actions),
        cmocka_unit_test(test_runs_that_stop),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
