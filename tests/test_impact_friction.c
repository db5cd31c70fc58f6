/* test_impact_friction.c: the action `impact` of events with Coulomb friction, against closed forms
 * and against rigid contacts at the same collision; and with contacts that rest meanwhile.
 *
 * Velocities jump by one small solve: 1e-12 of numbers of order 1 to 10, and ten times that where
 * they are reached through a run. */
#include "event_fixture.h"

static const double g = 9.81, exact = 1e-12, near = 1e-11;

/* ---- a ball with spin ---- */

/* u = v - r w x n at the lowest point; sticking takes -m u/(1 + m r^2/J), sliding mu z_N against u,
 * which keeps its direction; w changes by -r n x z/J. */
static void check_ball(double wx, double wy, double mu, const char *settings) {
    char text[1024];
    const double m = 0.6, J = 0.0024, radius = 0.1, e = 0.6, v[2] = {1.3, -0.4}, h = 0.4,
                 vz = sqrt(2 * g * h), w[2] = {wx, wy};
    snprintf(text, sizeof text,
             "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {r: 10 cm}\nbodies:\n"
             "  ball: {mass: 0.6, inertia: [0.0024, 0.0024, 0.0024], position: [0, 0, 0.5], "
             "velocity: [1.3, -0.4, 0], omega: [%g, %g, 7]}\n"
             "joints:\n  floor: {type: point_in_plane, bodies: [ground, ball], at: [0, 0, 0.5], "
             "axis: [0, 0, 1], active: false}\n"
             "measures:\n  p: {type: position, body: ball}\n  v: {type: velocity, body: ball}\n"
             "  w: {type: angular_velocity, body: ball}\n"
             "events:\n  bounce: {when: p.z < r, do: {impact: {joint: floor, restitution: 0.6, "
             "friction: %g, radius: r}}}\nsimulation: {end: 0.5}\n",
             wx, wy, mu);
    run r = run_text(text, settings);
    const double t = sqrt(2 * h / g), u[2] = {v[0] - radius * w[1], v[1] + radius * w[0]},
                 sticks = m * hypot(u[0], u[1]) / (1 + m * radius * radius / J),
                 most = mu * (1 + e) * m * vz, size = fmin(sticks, most) / hypot(u[0], u[1]),
                 z[2] = {-size * u[0], -size * u[1]};
    run_to(&r, t + 1e-3);
    check_near("impact", event_of(&r, 0).t, t, exact);
    check_near("vx", run_measure(&r, "v.x"), v[0] + z[0] / m, near);
    check_near("vy", run_measure(&r, "v.y"), v[1] + z[1] / m, near);
    check_near("vz", run_measure(&r, "v.z"), e * vz - g * 1e-3, near);
    check_near("wx", run_measure(&r, "w.x"), w[0] + radius * z[1] / J, 10 * near);
    check_near("wy", run_measure(&r, "w.y"), w[1] - radius * z[0] / J, 10 * near);
    check_near("wz", run_measure(&r, "w.z"), 7, near);
    /* the floor receives the opposite, at the lowest point */
    hol_impulse floor = {.size = sizeof floor};
    assert_int_equal(hol_sim_event_impulse(r.sim, 0, 0, &floor), HOL_OK);
    const double arm[3] = {v[0] * t - floor.point[0], v[1] * t - floor.point[1],
                           0 - floor.point[2]},
                 F[3] = {-z[0], -z[1], -(1 + e) * m * vz};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        check_near("impulse", floor.impulse[i], F[i], near);
        check_near("its moment", floor.angular[i], arm[j] * F[k] - arm[k] * F[j], near);
    }
    check_near("lost", event_of(&r, 0).energy_lost,
               m * vz * vz * (1 - e * e) / 2 -
                   z[0] * (u[0] + z[0] * (1 / m + radius * radius / J) / 2) -
                   z[1] * (u[1] + z[1] * (1 / m + radius * radius / J) / 2),
               near);
    check_balance(&r, 1e-13);
    run_close(&r);
}

static void test_ball(void **unused) {
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        check_ball(3, 20, 0.2, coordinates(set));   /* sticks: it rolls off */
        check_ball(3, -90, 0.2, coordinates(set));  /* slides throughout */
        check_ball(-40, 60, 0.1, coordinates(set)); /* driven forwards by its spin */
    }
}

/* ---- a rod ---- */

/* The end of a rod hits a floor; `how` says by what. Returns velocities after it. */
static void hit_with_rod(const char *how, double vx, double vy, double w, double after[3],
                         double *lost, const char *settings) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n  rod: {mass: 1.7, inertia: 0.12, "
        "position: [0.2, 0.31], angle: 35 deg, velocity: [%.17g, %.17g], omega: %.17g}\n"
        "measures:\n  v: {type: velocity, body: rod}\n  w: {type: angular_velocity, body: "
        "rod}\n  end: {type: position, body: rod, at: [0.2 - 0.5*cos(35 deg), 0.31 - "
        "0.5*sin(35 deg)]}\n%ssimulation: {end: 0.1, tolerance: 1e-12}\n",
        vx, vy, w, how);
    run r = run_text(text, settings);
    run_whole(&r);
    assert_int_equal(sim_info(r.sim).switches, 1);
    after[0] = run_measure(&r, "v.x"), after[1] = run_measure(&r, "v.y");
    after[2] = run_measure(&r, "w");
    *lost = event_of(&r, 0).energy_lost;
    check_balance(&r, 1e-13);
    run_close(&r);
}

/* Coulomb's law and Newton's for the end at (x, y) from the centre, written out: it sticks, or
 * slides in one of two directions. */
static void rebound(double x, double y, double e, double mu, double v[3], int *kind) {
    const double m = 1.7, J = 0.12, N = 1 / m + x * x / J, T = 1 / m + y * y / J, C = -x * y / J,
                 bn = (1 + e) * (v[1] + x * v[2]), bt = v[0] - y * v[2], det = N * T - C * C;
    double zn = (C * bt - T * bn) / det, zt = (C * bn - N * bt) / det;
    *kind = 0;
    for (int d = -1; d <= 1 && fabs(zt) > mu * zn; d += 2) {
        const double n = -bn / (N - mu * d * C), t = -mu * d * n;
        if (n >= 0 && (bt + C * n + T * t) * d >= 0) zn = n, zt = t, *kind = d;
    }
    v[0] += zt / m, v[1] += zn / m, v[2] += (x * zn - y * zt) / J;
}

/* Speeds at which it sticks, slides forwards, and slides backwards though it came forwards. */
static void test_rod(void **unused) {
    static const struct {
        double v[3], mu;
        int kind, came;
    } cases[] = {{{0.1, -1, 0.2}, 0.9, 0, 1},
                 {{1.6, -1, 0.2}, 0.15, 1, 1},
                 {{0.3, -1, -0.4}, 0.1, -1, 1},
                 {{-1.2, -1.1, 0.7}, 0.3, -1, -1}};
    static const char *const ways[] = {
        "joints:\n  floor: {type: generic, bodies: [ground, rod], at: [0.2 - 0.5*cos(35 deg), 0.31 "
        "- 0.5*sin(35 deg)], lock: [y], active: false}\nevents:\n  hit: {when: end.y < 0, do: "
        "{impact: {joint: floor, restitution: 0.4, friction: %g}}}\n",
        "joints:\n  floor: {type: rigid_contact, bodies: [ground, rod], restitution: 0.4, "
        "friction: %g, shapes: [{type: plane, normal: [0, 1]}, {type: sphere, at: [0.2 - "
        "0.5*cos(35 deg), 0.31 - 0.5*sin(35 deg)], radius: 1e-12}]}\n"};
    (void)unused;
    for (int set = 0; set < N_SETS; set++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            double after[2][3], lost[2];
            for (int way = 0; way < 2; way++) {
                char how[1024];
                snprintf(how, sizeof how, ways[way], cases[k].mu);
                hit_with_rod(how, cases[k].v[0], cases[k].v[1], cases[k].v[2], after[way],
                             &lost[way], coordinates(set));
            }
            /* the rigid contact is 1e-12 m higher */
            for (int i = 0; i < 3; i++)
                check_near("as rigid contact", after[0][i], after[1][i], 1e-10);
            check_near("lost as rigid contact", lost[0], lost[1], 1e-10);
            /* where the end reaches the floor: 0.31 + vy t - sin(a + w t)/2 = 0 */
            const double a0 = 35 * acos(-1) / 180;
            double t = 0;
            for (int i = 0; i < 60; i++) {
                const double a = a0 + cases[k].v[2] * t;
                t -= (0.31 + cases[k].v[1] * t - 0.5 * sin(a)) /
                     (cases[k].v[1] - 0.5 * cases[k].v[2] * cos(a));
            }
            const double a = a0 + cases[k].v[2] * t, x = -0.5 * cos(a), y = -0.5 * sin(a);
            double v[3] = {cases[k].v[0], cases[k].v[1], cases[k].v[2]};
            int kind;
            assert_int_equal(v[0] - y * v[2] > 0 ? 1 : -1, cases[k].came);
            rebound(x, y, 0.4, cases[k].mu, v, &kind);
            assert_int_equal(kind, cases[k].kind);
            for (int i = 0; i < 3; i++) check_near("written out", after[0][i], v[i], 1e-11);
        }
}

/* ---- other joints and drivers ---- */

/* The coupler of a driven four-bar (closed loop, one more freedom in a slider on its spring) hits a
 * wall: an event and a rigid contact say the same, and what the driver gives is in the balance. */
static void test_driven_loop(void **unused) {
    static const char format[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  crank: {mass: 1, inertia: 0.02, along: [[0, 0], [0, 0.3]]}\n"
        "  coupler: {mass: 2, inertia: 0.2, along: [[0, 0.3], [1, 0.6]]}\n"
        "  rocker: {mass: 1.5, inertia: 0.1, along: [[1, 0], [1, 0.6]]}\n"
        "  slider: {mass: 0.8, inertia: 0.01, position: [0.6, 0.42]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [crank, coupler], at: [0, 0.3]}\n"
        "  C: {type: revolute, bodies: [coupler, rocker], at: [1, 0.6]}\n"
        "  D: {type: revolute, bodies: [ground, rocker], at: [1, 0]}\n"
        "  way: {type: prismatic, bodies: [coupler, slider], at: [0.6, 0.42], axis: [1, 0.3]}\n"
        "  turn: {type: driver, joint: A, velocity: -4}\n  %s\n"
        "forces:\n  hold: {type: spring, bodies: [coupler, slider], from: [0, 0.3], to: [0.6, "
        "0.42], stiffness: 900}\n"
        "measures:\n  v: {type: velocity, body: slider}\n  w: {type: angular_velocity, body: "
        "slider}\n  p: {type: position, body: slider, at: [0.6, 0.5]}\n%s"
        "simulation: {end: 0.06, tolerance: 1e-11}\n";
    static const char *const ways[2][2] = {
        {"wall: {type: generic, bodies: [ground, slider], at: [0.6, 0.5], lock: [x], active: "
         "false}",
         "events:\n  hit: {when: p.x > 0.62, do: {impact: {joint: wall, restitution: 0.5, "
         "friction: "
         "0.4}}}\n"},
        {"wall: {type: rigid_contact, bodies: [ground, slider], restitution: 0.5, friction: 0.4, "
         "shapes: [{type: plane, at: [0.62, 0], normal: [-1, 0]}, {type: sphere, at: [0.6, 0.5], "
         "radius: 1e-12}]}",
         ""}};
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        double v[2][3], lost[2], push[2];
        for (int way = 0; way < 2; way++) {
            char text[2048];
            hol_impulse turn = {.size = sizeof turn};
            snprintf(text, sizeof text, format, ways[way][0], ways[way][1]);
            run r = run_text(text, coordinates(set));
            run_whole(&r);
            assert_int_equal(sim_info(r.sim).switches, 1);
            v[way][0] = run_measure(&r, "v.x"), v[way][1] = run_measure(&r, "v.y");
            v[way][2] = run_measure(&r, "w");
            lost[way] = event_of(&r, 0).energy_lost;
            hol_sim_event_impulse(r.sim, 0, hol_model_joint(r.model, "turn"), &turn);
            push[way] = turn.angular[2];
            check_near("energy balance", sim_info(r.sim).relative_energy_error, 0, 1e-11);
            run_close(&r);
        }
        for (int i = 0; i < 3; i++) check_near("velocities", v[0][i], v[1][i], 1e-8);
        check_near("lost", lost[0], lost[1], 1e-9);
        check_near("of the driver", push[0], push[1], 1e-9);
        assert_true(fabs(push[0]) > 1e-2); /* it takes part */
    }
}

/* ---- contacts that rest ---- */

/* A hook that flies upwards catches a block that rests on a floor: they go on together, because the
 * floor does not pull. A ball that falls on a block that rests does not go into it: the floor
 * carries the impact. */
static void test_on_contacts(void **unused) {
    static const char format[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  block: {mass: 2, inertia: 0.1, position: [0, 0.1]}\n"
        "  hook: {mass: 1.3, inertia: 0.1, position: [0, 0.5], velocity: [0, %g]}\njoints:\n"
        "  floor: {type: rigid_contact, bodies: [ground, block], friction: 0.3, shapes: [{type: "
        "plane, normal: [0, 1]}, {type: box, size: [0.4, 0.2]}]}\n"
        "  meet: {type: generic, bodies: [block, hook], at: [0, 0.5], lock: [y], active: "
        "{initially: "
        "false, until: N.fy > 0, catch: here}}\n"
        "measures:\n  N: {type: reaction, joint: meet}\n  block: {type: velocity, body: block, "
        "component: y}\n  hook: {type: velocity, "
        "body: hook, component: y}\n"
        "events:\n  catch: {when: t > 0.1, do: {impact: {joint: meet, friction: %g}}}\n"
        "simulation: {end: 0.1001, impacts: %s}\n";
    (void)unused;
    for (int set = 0; set < N_SETS; set++)
        for (int k = 0; k < 8; k++) {
            char text[2048];
            const int up = k & 1;
            const double v0 = up ? 5 : -3, v = v0 - 0.1 * g;
            snprintf(text, sizeof text, format, v0, k & 2 ? 0.4 : 0.0,
                     k & 4 ? "together" : "sequence");
            run r = run_text(text, coordinates(set));
            run_whole(&r);
            const hol_event event = event_of(&r, 1); /* the first is the floor, at the start */
            check_near("at", event.t, 0.1, exact);
            check_near("lost", event.energy_lost, up ? 2 * 1.3 / 3.3 * v * v / 2 : 1.3 * v * v / 2,
                       near);
            check_near("block", run_measure(&r, "block"), up ? 1.3 * v / 3.3 - g * 1e-4 : 0, near);
            hol_impulse floor = {.size = sizeof floor};
            hol_sim_event_impulse(r.sim, 1, 0, &floor);
            check_near("on the floor", floor.impulse[1], up ? 0 : 1.3 * v, near);
            check_balance(&r, 1e-13);
            run_close(&r);
        }
}

/* ---- what is refused ---- */

/* Where rebounds end the joint holds, with its friction and without a word; a driven one, whose
 * equation moves, without, and that is told. */
static void test_rest(void **unused) {
    (void)unused;
    for (int k = 0; k < 3; k++) {
        char text[768];
        snprintf(
            text, sizeof text,
            "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
            "  ball: {mass: 0.7, inertia: 0.1, position: [0, 0], velocity: [0.5, 4]}\njoints:\n"
            "  floor: {type: generic, bodies: [ground, ball], at: [0, 0], %s: %s, "
            "active: {initially: false, until: N.fy > 0}}\nmeasures:\n"
            "  p: {type: position, body: ball}\n  v: {type: velocity, body: ball}\n"
            "  N: {type: reaction, joint: floor}\nevents:\n"
            "  bounce: {when: p.y < 0, do: {impact: {joint: floor, restitution: 0.3%s}}}\n"
            "simulation: {end: 2}\n",
            k < 2 ? "lock" : "drive", k < 2 ? "[y]" : "{y: 0*t}", k ? ", friction: 0.2" : "");
        run r = run_text(text, NULL);
        run_to(&r, 2);
        check_near("rests", run_measure(&r, "v.y"), 0, near);
        assert_int_equal(run_warns(&r, "holds without friction"), k == 2);
        if (k < 2) check_near("rubs", run_measure(&r, "v.x") < 0.45, k, 0);
        run_close(&r);
    }
}

static void test_refusals(void **unused) {
    static const struct {
        const char *joint, *action, *why;
    } cases[] = {
        {"{type: revolute, bodies: [ground, rod], at: [0, 0], active: false}",
         "{joint: J, friction: 0.3}", "friction needs a joint with one equation"},
        {"{type: generic, bodies: [ground, rod], at: [0, 0], lock: [y], active: false}",
         "{joint: J, radius: 0.1}", "give `friction` too"},
        {"{type: generic, bodies: [ground, rod], at: [0, 0], lock: [y], active: false}",
         "{joint: J, friction: -0.1}", "must not be negative"},
        {"{type: generic, bodies: [ground, rod], at: [0, 0], lock: [angle], active: false}",
         "{joint: J, friction: 0.3}", "no one equation along a line between its two bodies"},
        {"{type: rigid_contact, bodies: [ground, rod], shapes: [{type: plane, normal: [0, 1]}, "
         "{type: sphere, radius: 0.1}]}",
         "{joint: J}", "has impacts of its own"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        hol_options *options = NULL;
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\nbodies:\n  rod: {mass: 1, inertia: 1, position: [0, "
                 "1], omega: 1}\njoints:\n  J: %s\nevents:\n  e: {when: t > 0.2, do: {impact: "
                 "%s}}\nsimulation: {end: 1}\n",
                 cases[i].joint, cases[i].action);
        assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
        hol_model *model = hol_model_from_spec(ctx, spec, &options);
        hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
        if (sim) assert_int_equal(hol_sim_run(sim, NULL), HOL_ERR_TOLERANCE);
        if (!said_why(ctx, cases[i].why)) {
            run_print_messages(ctx);
            fail_msg("%s: wanted an error with '%s'", cases[i].action, cases[i].why);
        }
        assert_string_equal(run_last_error(ctx)->element, "event 'e'");
        assert_int_equal(run_last_error(ctx)->where.line, 8);
        hol_sim_free(sim);
        hol_model_free(model);
        hol_options_free(options);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

/* ---- after the rebounds ---- */

/* A puck that lands without a rebound slides until it stops, sticks while a force against it grows,
 * and slides back: closed forms. Lifted at the end it lets go by itself. */
static void check_puck(const char *settings) {
    const double m = 1.3, mu = 0.23, h = 0.35, k = 1.7, vx = 3.1;
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  puck: {mass: 1.3, inertia: 0.02, position: [0, 0.35], velocity: [3.1, 0]}\njoints:\n"
        "  level: {type: generic, bodies: [ground, puck], at: [0, 0.35], lock: [angle]}\n"
        "  floor: {type: generic, bodies: [ground, puck], at: [0, 0], at_second: [0, 0.35], "
        "lock: [y], active: false}\n"
        "forces:\n  pull: {type: force, body: puck, at: [0, 0.35], force: [\"-1.7*t\", \"if(t > "
        "3, 17, 0)\"]}\n"
        "measures:\n  p: {type: position, body: puck}\n  v: {type: velocity, body: puck}\n"
        "  N: {type: reaction, joint: floor}\n"
        "events:\n  land: {when: p.y < 0, do: {impact: {joint: floor, friction: 0.23}}}\n"
        "simulation: {end: 3.2}\n";
    run r = run_text(text, settings);
    const double fall = sqrt(2 * h / g);
    double v = vx - k / m * fall * fall / 2 - mu * g * fall,
           x = vx * fall - k / m * fall * fall * fall / 6;
    run_to(&r, fall + 0.1);
    check_near("slides", run_measure(&r, "N.fx"), mu * m * g, 1e-9);
    check_near("its push", run_measure(&r, "N.fy"), -m * g, 1e-9);
    /* v = mu g s + k/m (fall s + s^2/2) */
    const double b = mu * g + k / m * fall, a = k / m / 2,
                 s = (sqrt(b * b + 4 * a * v) - b) / (2 * a);
    x += v * s - mu * g * s * s / 2 - k / m * (fall * s * s / 2 + s * s * s / 6);
    const double stops = fall + s, slips = mu * m * g / k, back = 3 - slips;
    run_to(&r, 0.5 * (stops + slips));
    check_near("where it stops", run_measure(&r, "p.x"), x, 1e-9);
    check_near("sticks", run_measure(&r, "N.fx"), -k * 0.5 * (stops + slips), 1e-9);
    run_to(&r, 3);
    check_near("slides back", run_measure(&r, "p.x"),
               x + mu * g * back * back / 2 -
                   k / m * (slips * back * back / 2 + back * back * back / 6),
               1e-9);
    const hol_sim_info info = run_whole(&r);
    check_near("lifted", run_measure(&r, "v.y"), (17 / m - g) * 0.2, 1e-9);
    check_near("free", run_measure(&r, "N.fx"), 0, 0);
    /* lands, takes hold, stops, slips, lets go */
    assert_int_equal(info.switches, 5);
    check_near("stops at", event_of(&r, 2).t, stops, 1e-8);
    check_near("slips at", event_of(&r, 3).t, slips, 1e-8);
    check_near("lets go at", event_of(&r, 4).t, 3, 1e-12);
    check_balance(&r, 1e-11);
    run_close(&r);
}

/* A ball that lands with spin slides, in one direction, and rolls after |u| / (mu g (1 + m r^2/J));
 * with rebounds before, what is left of them when they are no longer told apart, heights of some
 * 2e-12 m, is friction of mu (2 g h)^1/2, 2e-6 m/s. */
static void check_rolling(double e, double off, const char *settings) {
    char text[1024];
    const double m = 0.6, J = 0.0024, r0 = 0.1, mu = 0.17, h = 0.4;
    double v[2] = {1.3, -0.4}, w[2] = {3, -60}, t = sqrt(2 * h / g), vz = g * t;
    snprintf(text, sizeof text,
             "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {r: 10 cm}\nbodies:\n"
             "  ball: {mass: 0.6, inertia: [0.0024, 0.0024, 0.0024], position: [0, 0, 0.5], "
             "velocity: [1.3, -0.4, 0], omega: [3, -60, 7]}\n"
             "joints:\n  floor: {type: point_in_plane, bodies: [ground, ball], at: [0, 0, 0.1], "
             "at_second: [0, 0, 0.5], axis: [0, 0, 1], active: false}\n"
             "measures:\n  p: {type: position, body: ball}\n  v: {type: velocity, body: ball}\n"
             "  w: {type: angular_velocity, body: ball}\n"
             "events:\n  bounce: {when: p.z < r, do: {impact: {joint: floor, restitution: %g, "
             "friction: 0.17, radius: r}}}\nsimulation: {end: 4}\n",
             e);
    double x[2] = {v[0] * t, v[1] * t};
    const double lever = 1 / m + r0 * r0 / J;
    for (int i = 0; i < 60 && vz > 1e-14; i++) { /* impacts: sliding throughout, or rolling */
        const double u[2] = {v[0] - r0 * w[1], v[1] + r0 * w[0]}, speed = hypot(u[0], u[1]),
                     z = fmin(mu * (1 + e) * m * vz, speed / lever);
        for (int k = 0; k < 2; k++) v[k] -= z / m * u[k] / speed;
        w[1] += r0 * z / J * u[0] / speed, w[0] -= r0 * z / J * u[1] / speed;
        vz *= e;
        for (int k = 0; k < 2; k++) x[k] += v[k] * 2 * vz / g;
        t += 2 * vz / g;
    }
    const double u[2] = {v[0] - r0 * w[1], v[1] + r0 * w[0]}, speed = hypot(u[0], u[1]),
                 slides = speed / (mu * m * g * lever);
    for (int k = 0; k < 2; k++) {
        x[k] += v[k] * slides - mu * g * u[k] / speed * slides * slides / 2;
        v[k] -= mu * g * u[k] / speed * slides;
        x[k] += v[k] * (4 - t - slides);
    }
    assert_true(slides > 0.1 && t + slides < 3.9);
    run r = run_text(text, settings);
    run_whole(&r);
    check_near("x", run_measure(&r, "p.x"), x[0], 4 * off);
    check_near("y", run_measure(&r, "p.y"), x[1], 4 * off);
    check_near("z", run_measure(&r, "p.z"), r0, 1e-9);
    check_near("vx", run_measure(&r, "v.x"), v[0], off);
    check_near("vy", run_measure(&r, "v.y"), v[1], off);
    check_near("wz", run_measure(&r, "w.z"), 7, 1e-8);
    check_balance(&r, 1e-9);
    run_close(&r);
}

static void test_after(void **unused) {
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        check_puck(coordinates(set));
        check_rolling(0, 1e-8, coordinates(set));
        check_rolling(0.4, 2e-6, coordinates(set));
    }
    check_puck("coordinates=reference method=lagrange tolerance=1e-10");
    check_puck("coordinates=reference integrator=radau9 tolerance=1e-10");
    check_puck("coordinates=reference method=nullspace tolerance=1e-10");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_after),       cmocka_unit_test(test_ball),
        cmocka_unit_test(test_rod),         cmocka_unit_test(test_driven_loop),
        cmocka_unit_test(test_on_contacts), cmocka_unit_test(test_rest),
        cmocka_unit_test(test_refusals),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
