/* test_active.c: joints and forces that take hold and let go during a run, against closed forms:
 * impulses, velocities, energies, instants, freedoms, in all methods and coordinates; the exact
 * state; what is refused.
 *
 * Runs have a tolerance of 1e-10 a step, aim at a twentieth of it, and are short: 1e-9 is a wide
 * margin for positions and velocities of size one. Where the motion is a polynomial that the
 * formula follows exactly, rounding and the resolution of instants (1e-14 s) are left: 1e-12.
 */
#include "event_fixture.h"

static const double g = 9.81, exact = 1e-12, near = 1e-9;

/* ---- reading what happened ---- */

static hol_impulse impulse_of(run *r, int i, const char *joint) {
    hol_impulse impulse = {.size = sizeof impulse};
    assert_int_equal(hol_sim_event_impulse(r->sim, i, hol_model_joint(r->model, joint), &impulse),
                     HOL_OK);
    return impulse;
}

/* Fail unless that many switches happened, with these freedoms after them. */
static void check_freedoms(run *r, const int *dof, const int *redundant, int n) {
    assert_int_equal(sim_info(r->sim).switches, n);
    for (int i = 0; i < n; i++) {
        assert_int_equal(event_of(r, i).dof, dof[i]);
        assert_int_equal(event_of(r, i).n_redundant, redundant ? redundant[i] : 0);
    }
}

/* ---- joints that take hold ---- */

/* A rod falls flat and is pinned at one end at t0, where it then is:
 *     (J + m l^2/4) w+ = m v l/2,  v = -g t0;   impulse on the rod m (w+ l/2 - v) */
static void test_falling_rod_is_caught(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  rod: {mass: 1.3, inertia: 0.17, along: [[0.2, 0.4], [1.6, 0.4]]}\njoints:\n"
        "  pin: {type: revolute, bodies: [rod, ground], at: [0.2, 0.4], active: {from: t > 0.35, "
        "catch: here}}\nmeasures:\n  w: {type: angular_velocity, body: rod}\n"
        "simulation: {end: 0.35, tolerance: 1e-10}\n";
    (void)unused;
    const double m = 1.3, J = 0.17, l = 1.4, v = -g * 0.35;
    const double w = m * v * l / 2 / (J + m * l * l / 4), P = m * (w * l / 2 - v);
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(text, settings);
        run_to(&r, 0.35);
        assert_int_equal(sim_info(r.sim).switches, 0);
        run_to(&r, 0.35 + 1e-9);
        const hol_event event = event_of(&r, 0);
        const hol_impulse pin = impulse_of(&r, 0, "pin");
        check_near("instant", event.t, 0.35, 2e-14);
        check_near("impulse y", pin.impulse[1], P, exact);
        check_near("impulse x", pin.impulse[0], 0, exact);
        check_near("angular impulse", pin.angular[2], 0, exact);
        check_near("place", pin.point[1], 0.4 - g * 0.35 * 0.35 / 2, exact);
        assert_true(pin.unique);
        check_near("energy lost", event.energy_lost,
                   m * v * v / 2 - (J + m * l * l / 4) * w * w / 2, exact);
        /* within 1e-9 s gravity adds some 1e-8 of a rate */
        check_near("omega", run_measure(&r, "w"), w, 2e-8);
        assert_int_equal(event.joints[0], 1);
        check_freedoms(&r, (const int[]){1}, NULL, 1);
        check_balance(&r, 1e-13);
        run_close(&r);
    }
}

/* Two discs that have turned often are locked to each other: momentum stays, and the energy
 * J1 J2/(J1 + J2) dw^2/2 is lost. clutch: the joint; here: by their angles, or by rates alone. */
static void check_clutch(const char *clutch, const char *settings) {
    char text[1024];
    snprintf(text, sizeof text,
             "holonom: 1\nspace: planar\nbodies:\n"
             "  a: {mass: 1, inertia: 0.31, position: [0, 0], omega: 17.2}\n"
             "  b: {mass: 2, inertia: 0.12, position: [0, 0], omega: -5.3}\njoints:\n"
             "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
             "  B: {type: revolute, bodies: [ground, b], at: [0, 0]}\n%s"
             "measures:\n  wa: {type: angular_velocity, body: a}\n  wb: {type: angular_velocity, "
             "body: b}\n"
             "  angle: {type: angle, body: a}\nsimulation: {end: 4, tolerance: 1e-10}\n",
             clutch);
    run r = run_text(text, settings);
    run_whole(&r);
    const double w = (0.31 * 17.2 - 0.12 * 5.3) / 0.43, L = 0.31 * (17.2 - w);
    const hol_event event = event_of(&r, 0);
    check_near("instant", event.t, 2.5, 2.5e-14);
    check_near("omega of a", run_measure(&r, "wa"), w, exact);
    check_near("omega of b", run_measure(&r, "wb"), w, exact);
    check_near("energy lost", event.energy_lost, 0.31 * 0.12 / 0.43 * 22.5 * 22.5 / 2, 1e-11);
    /* that of rates acts between more than two bodies, the first of which is ground */
    if (strstr(clutch, "lock"))
        check_near("angular impulse", impulse_of(&r, 0, "clutch").angular[2], -L, 1e-11);
    /* after some forty radians */
    check_near("angle", run_measure(&r, "angle"), 17.2 * 2.5 + w * 1.5, 1e-11);
    check_freedoms(&r, (const int[]){1}, NULL, 1);
    check_balance(&r, 1e-13);
    run_close(&r);
}

static void test_clutch(void **unused) {
    static const char lock[] =
        "  clutch: {type: generic, bodies: [a, b], at: [0, 0], lock: [angle], "
        "active: {from: t > 2.5, catch: here}}\n",
                      rate[] =
                          "  clutch: {type: velocity_constraint, terms: [{body: a, component: "
                          "omega}, {body: b, component: omega, factor: -1}], active: t > 2.5}\n";
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        check_clutch(lock, settings);
        if (set == 0) check_clutch(rate, settings);
    }
    check_clutch(lock, "step=0.03"); /* the instant lies inside a fixed step */
}

/* ---- joints that let go ---- */

/* A pendulum is cut loose: a parabola, and a turn at constant speed. */
static void test_pendulum_is_cut_loose(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  rod: {mass: 1.3, inertia: 0.17, along: [[0, 0], [1.1, 0.2]], omega: 1.7}\njoints:\n"
        "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0], active: t <= 0.6}\nmeasures:\n"
        "  p: {type: position, body: rod, at: [0.55, 0.1]}\n  v: {type: velocity, body: rod, at: "
        "[0.55, 0.1]}\n  a: {type: angle, body: rod}\n  w: {type: angular_velocity, body: rod}\n"
        "  N: {type: reaction, joint: pin}\nsimulation: {end: 2, tolerance: 1e-10}\n";
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(text, settings);
        run_to(&r, 0.6);
        assert_true(fabs(run_measure(&r, "N.fy")) > 1);
        const double x = run_measure(&r, "p.x"), y = run_measure(&r, "p.y"),
                     vx = run_measure(&r, "v.x"), vy = run_measure(&r, "v.y"),
                     a = run_measure(&r, "a"), w = run_measure(&r, "w"), dt = 1.4;
        run_to(&r, 2);
        check_near("x", run_measure(&r, "p.x"), x + vx * dt, exact);
        check_near("y", run_measure(&r, "p.y"), y + vy * dt - g * dt * dt / 2, 2e-12);
        check_near("angle", run_measure(&r, "a"), a + w * dt, near); /* unit vectors turn */
        check_near("omega", run_measure(&r, "w"), w, near);
        check_near("reaction", run_measure(&r, "N.fy"), 0, 0);
        check_near("energy lost", event_of(&r, 0).energy_lost, 0, 0);
        check_near("impulse", impulse_of(&r, 0, "pin").impulse[1], 0, 0);
        assert_int_equal(event_of(&r, 0).joints[0], -1);
        check_freedoms(&r, (const int[]){3}, NULL, 1);
        run_close(&r);
    }
}

/* In space a ball joint is lost: the lower body flies on, its angular momentum about the mass
 * centre stays in the global frame. */
static void test_ball_joint_is_lost(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  a: {mass: 1.3, inertia: [0.21, 0.24, 0.19], position: [0.5, 0, 0], omega: [0.3, 1, "
        "0.4]}\n"
        "  b: {mass: 0.7, inertia: [0.11, 0.05, 0.09], position: [1.3, 0.2, 0.1], omega: [2, -1, "
        "3]}\njoints:\n"
        "  A: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
        "  B: {type: spherical, bodies: [a, b], at: [1, 0, 0], active: {until: t > "
        "0.5}}\nmeasures:\n"
        "  p: {type: position, body: b}\n  v: {type: velocity, body: b}\n  w: {type: "
        "angular_velocity, body: "
        "b, "
        "frame: body}\nsimulation: {end: 1.2, tolerance: 1e-10}\n";
    static const double J[3] = {0.11, 0.05, 0.09};
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        double L[2][3], p[3], v[3];
        static const char *const axes = "xyz";
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(text, settings);
        for (int k = 0; k < 2; k++) {
            hol_pose pose;
            run_to(&r, k ? 1.2 : 0.5);
            hol_data_body_pose(hol_sim_data(r.sim), 1, &pose);
            for (int i = 0; i < 3; i++) L[k][i] = 0;
            for (int j = 0; j < 3; j++) {
                const char name[] = {'w', '.', axes[j], 0}, at[] = {'p', '.', axes[j], 0},
                           of[] = {'v', '.', axes[j], 0};
                const double h = J[j] * run_measure(&r, name);
                for (int i = 0; i < 3; i++) L[k][i] += pose.R[3 * i + j] * h;
                if (k)
                    check_near(at, run_measure(&r, at),
                               p[j] + 0.7 * v[j] - (j == 2 ? g * 0.49 / 2 : 0), exact);
                else
                    p[j] = run_measure(&r, at), v[j] = run_measure(&r, of);
            }
        }
        for (int i = 0; i < 3; i++) check_near("angular momentum", L[1][i], L[0][i], near);
        check_freedoms(&r, (const int[]){9}, NULL, 1);
        check_balance(&r, near);
        run_close(&r);
    }
}

/* ---- nonholonomic rows ---- */

/* A skate lifts off, drifts and turns freely, and comes down: with the blade at distance d before
 * the mass centre, along e and across n,
 *     Lambda = (n . v + d w)/(1/m + d^2/J) */
static void test_skate_lifts_off(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\nbodies:\n"
        "  sled: {mass: 1.6, inertia: 0.23, position: [0, 0], velocity: [1.4, 0.39], omega: -1.3}\n"
        "joints:\n  blade: {type: knife_edge, bodies: [ground, sled], at: [0.3, 0], axis: [1, 0], "
        "active: {initially: true, until: t > 0.4, from: t > 0.9}}\nmeasures:\n"
        "  v: {type: velocity, body: sled}\n  w: {type: angular_velocity, body: sled}\n"
        "  a: {type: angle, body: sled}\nsimulation: {end: 0.9, tolerance: 1e-10}\n";
    (void)unused;
    const double m = 1.6, J = 0.23, d = 0.3;
    run r = run_text(text, NULL);
    run_to(&r, 0.4);
    const double vx = run_measure(&r, "v.x"), vy = run_measure(&r, "v.y"), w = run_measure(&r, "w");
    run_to(&r, 0.9);
    check_near("vx", run_measure(&r, "v.x"), vx, exact);
    check_near("vy", run_measure(&r, "v.y"), vy, exact);
    check_near("omega", run_measure(&r, "w"), w, exact);
    const double a = run_measure(&r, "a"), nx = -sin(a), ny = cos(a),
                 P = (nx * vx + ny * vy + d * w) / (1 / m + d * d / J);
    run_to(&r, 0.9 + 1e-9);
    const hol_impulse blade = impulse_of(&r, 1, "blade"); /* on ground */
    check_near("impulse x", blade.impulse[0], P * nx, exact);
    check_near("impulse y", blade.impulse[1], P * ny, exact);
    check_near("omega after", run_measure(&r, "w"), w - P * d / J, 1e-8);
    check_near("energy lost", event_of(&r, 1).energy_lost, P * P * (1 / m + d * d / J) / 2, exact);
    check_freedoms(&r, (const int[]){3, 2}, NULL, 2);
    check_balance(&r, 1e-10);
    run_close(&r);
}

/* ---- a unilateral support ---- */

#define TABLE                                                                                      \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {w: 6, a: 0.4}\nbodies:\n"        \
    "  table: {motion: {y: a*sin(w*t)}, position: [0, 0]}\n"                                       \
    "  block: {mass: 2, inertia: 0.1, position: [0, 0.1]}\njoints:\n"                              \
    "  guide: {type: prismatic, bodies: [ground, block], at: [0, 0.1], axis: [0, 1]}\n"            \
    "  rest: {type: generic, bodies: [table, block], at: [0, 0.1], lock: [y], active: "            \
    "{initially: "                                                                                 \
    "true, until: N.fy > 0, from: gap < -1e-9}}\nmeasures:\n  y: {type: position, body: block}\n"  \
    "  N: {type: reaction, joint: rest}\n  gap: {type: expression, value: y.y - 0.1 - "            \
    "a*sin(w*t)}\n"                                                                                \
    "simulation: {end: 1, tolerance: 1e-10}\n"

/* A block on a shaking table lifts off when a w^2 sin(w t) = g, flies, and lands. */
static void test_block_lifts_off(void **unused) {
    (void)unused;
    const double w = 6, a = 0.4, t1 = asin(g / (a * w * w)) / w, y1 = a * sin(w * t1),
                 v1 = a * w * cos(w * t1);
    double low = t1 + 0.1, high = 1;
    for (int i = 0; i < 60; i++) {
        const double t = (low + high) / 2, dt = t - t1;
        if (y1 + v1 * dt - g * dt * dt / 2 > a * sin(w * t) - 1e-9) /* as `from` says */
            low = t;
        else
            high = t;
    }
    const double down = v1 - g * (low - t1), up = a * w * cos(w * low);
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(TABLE, settings);
        run_whole(&r);
        check_freedoms(&r, (const int[]){1, 0}, NULL, 2);
        check_near("lift-off", event_of(&r, 0).t, t1, near);
        check_near("landing", event_of(&r, 1).t, low, near);
        check_near("impulse on the table", impulse_of(&r, 1, "rest").impulse[1], -2 * (up - down),
                   1e-8);
        check_near("energy lost", event_of(&r, 1).energy_lost, down * down - up * up, 1e-7);
        check_near("impulse of the drive", impulse_of(&r, 1, "table.motion").impulse[1],
                   -2 * (up - down), 1e-8);
        check_balance(&r, 1e-8); /* the block is lifted by 1e-9 m */
        run_close(&r);
    }
}

/* ---- freedoms that come and go ---- */

#define ELBOW                                                                                      \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                                    \
    "  upper: {mass: 1.2, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"                                \
    "  lower: {mass: 0.8, inertia: 0.05, along: [[1, 0], [1.7, 0.1]]}\njoints:\n"                  \
    "  A: {type: revolute, bodies: [ground, upper], at: [0, 0]}\n"                                 \
    "  B: {type: revolute, bodies: [upper, lower], at: [1, 0]}\n"                                  \
    "  lock: {type: generic, bodies: [upper, lower], at: [1, 0], lock: [angle], active: "          \
    "{initially: false, from: t > 0.5, until: t > 1.1, catch: here}}\nmeasures:\n"                 \
    "  tip: {type: position, body: lower, at: [1.7, 0.1]}\n"                                       \
    "  speed: {type: velocity, body: lower, at: [1.7, 0.1]}\n  N: {type: reaction, joint: lock}\n" \
    "  bend: {type: joint_coordinate, joint: B}\nsimulation: {end: 1.5, tolerance: 1e-10}\n"

/* Every method in every set of coordinates: 2, 1, 2 freedoms, the same motion, impulse and loss. */
static void test_elbow_in_all_methods(void **unused) {
    const subject elbow = {"elbow", ELBOW, 1.5};
    const hol_method_doc *method;
    (void)unused;
    run reference = run_text(ELBOW, "tolerance=1e-12");
    run_whole(&reference);
    const double lost = event_of(&reference, 0).energy_lost,
                 moment = impulse_of(&reference, 0, "lock").angular[2];
    assert_true(lost > 0.1 && fabs(moment) > 0.1);
    for (int set = 0; set < N_SETS; set++)
        for (int i = 0; (method = hol_method_get(i)); i++) {
            const rule allowed = rule_of(method->name);
            set_now = sets[set];
            if (!belongs(method->name) || !(allowed.moved > 0)) continue;
            run r = start_method(&elbow, method->name, allowed.motion_settings);
            run_to(&r, 1.5);
            const double difference = run_difference(&r, &reference);
            if (difference > 10 * allowed.moved) /* speeds of 10 m/s and reactions of 10 N */
                fail_msg("%s in %s coordinates: off by %.3g", method->name, set_now, difference);
            check_near(method->name, event_of(&r, 0).energy_lost, lost, 10 * allowed.moved);
            check_near(method->name, impulse_of(&r, 0, "lock").angular[2], moment, allowed.moved);
            check_freedoms(&r, (const int[]){1, 2}, NULL, 2);
            run_close(&r);
        }
    set_now = "reference";
    run_close(&reference);
}

/* A ball that slides on a floor gets a grip and loses it, in every method and set of coordinates:
 * rows of velocities appear, and of positions one that the floor has already. By the angular
 * momentum about the contact m r v + J w, w = v/r from then on: v = (1.22, 0.15), and with r = 1/2
 * all is rational. The impulse is what the ground receives. Penalties leave 1e-7 of their loads in
 * the velocities. */
static void test_grip_in_all_methods(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  ball: {mass: 1.6, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5], velocity: [1.4, 0.2, "
        "0], omega: [0.1, 1, 0.4]}\njoints:\n"
        "  floor: {type: point_in_plane, bodies: [ground, ball], at: [0, 0, 0.5], axis: [0, 0, "
        "1]}\n"
        "  roll: {type: rolling_sphere, bodies: [ground, ball], radius: 0.5, normal: [0, 0, 1], "
        "active: t > 0.1037 && t < 0.217}\nmeasures:\n"
        "  v: {type: velocity, body: ball}\n  w: {type: angular_velocity, body: ball}\n"
        "simulation: {end: 0.3, tolerance: 1e-9}\n";
    static const char *const sets_of_coordinates[] = {"reference", "relative", "natural"};
    const hol_method_doc *method;
    int runs = 0;
    (void)unused;
    for (int set = 0; set < 3; set++)
        for (int i = 0; (method = hol_method_get(i)); i++) {
            char settings[128];
            /* implicit formulas iterate up to a hundredth of the tolerance */
            const double bound = strcmp(method->kernel, "penalty") == 0   ? 1e-6
                                 : strcmp(method->stabilizer, "ggl") == 0 ? 1e-11
                                                                          : 1e-12;
            /* positions more than velocities: refused, test_letter_independent */
            if (strcmp(method->state, "independent") == 0 ||
                strcmp(method->state, "canonical-independent") == 0)
                continue;
            snprintf(settings, sizeof settings, "method=%s coordinates=%s", method->name,
                     sets_of_coordinates[set]);
            run r = run_text(text, settings);
            run_to(&r, 0.3);
            check_near(settings, run_measure(&r, "v.x"), 1.22, bound);
            check_near(settings, run_measure(&r, "v.y"), 0.15, bound);
            check_near(settings, run_measure(&r, "w.y"), 2.44, bound);
            check_near(settings, event_of(&r, 0).energy_lost, 0.1396, bound);
            check_near(settings, impulse_of(&r, 0, "roll").impulse[0], 1.6 * 0.18, bound);
            check_near(settings, sim_info(r.sim).relative_energy_error, 0, bound);
            check_freedoms(&r, (const int[]){3, 5}, (const int[]){1, 0}, 2);
            runs++;
            run_close(&r);
        }
    assert_true(runs >= 48);
}

/* A four-bar is cut at its coupler and joined again where the two ends then are. */
static void test_four_bar_is_cut_and_joined(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  crank: {mass: 1, inertia: 0.3, along: [[0, 0], [1, 1.732]]}\n"
        "  coupler: {mass: 2.25, inertia: 2, along: [[1, 1.732], [4.65, 3.37]]}\n"
        "  follower: {mass: 2.2, inertia: 1.35, along: [[2.5, 0], [4.65, 3.37]]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [crank, coupler], at: [1, 1.732]}\n"
        "  C: {type: revolute, bodies: [coupler, follower], at: [4.65, 3.37], active: {initially: "
        "true, until: t > 0.3, from: t > 0.45, catch: here}}\n"
        "  D: {type: revolute, bodies: [follower, ground], at: [2.5, 0]}\nmeasures:\n"
        "  c: {type: position, body: coupler}\n  v: {type: velocity, body: coupler}\n"
        "simulation: {end: 0.7, tolerance: 1e-10}\n";
    (void)unused;
    run first = run_text(text, NULL);
    run_whole(&first);
    check_freedoms(&first, (const int[]){3, 1}, NULL, 2);
    check_balance(&first, near);
    assert_true(event_of(&first, 1).energy_lost > 1e-3);
    for (int set = 1; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(text, settings);
        run_whole(&r);
        check_freedoms(&r, (const int[]){3, 1}, NULL, 2);
        check_near(sets[set], run_difference(&r, &first), 0, 1e-8);
        check_near("energy lost", event_of(&r, 1).energy_lost, event_of(&first, 1).energy_lost,
                   1e-8);
        run_close(&r);
    }
    run_close(&first);
}

/* The third link of a parallelogram takes hold: it is redundant, and nothing else happens. */
static void test_redundant_link_appears(void **unused) {
#define PARALLELOGRAM(active)                                                                      \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                                    \
    "  a: {mass: 1, inertia: 0.1, along: [[0, 0], [0.4, 0.9]], omega: 1}\n"                        \
    "  c: {mass: 2, inertia: 0.5, along: [[0.4, 0.9], [2.4, 0.9]]}\n"                              \
    "  b: {mass: 1, inertia: 0.1, along: [[2, 0], [2.4, 0.9]]}\njoints:\n"                         \
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"                                     \
    "  B: {type: revolute, bodies: [a, c], at: [0.4, 0.9]}\n"                                      \
    "  C: {type: revolute, bodies: [c, b], at: [2.4, 0.9]}\n"                                      \
    "  D: {type: revolute, bodies: [b, ground], at: [2, 0]}\n"                                     \
    "  link: {type: distance, bodies: [ground, c], from: [1, 0], to: [1.4, 0.9], active: " active  \
    "}\nmeasures:\n  p: {type: position, body: c}\n  v: {type: velocity, body: c}\n"               \
    "simulation: {end: 0.8, tolerance: 1e-10}\n"
    (void)unused;
    run with = run_text(PARALLELOGRAM("t > 0.3"), NULL),
        without = run_text(PARALLELOGRAM("false"), NULL);
    run_whole(&with);
    run_whole(&without);
    check_freedoms(&with, (const int[]){1}, (const int[]){1}, 1);
    check_near("motion", run_difference(&with, &without), 0, near);
    check_near("energy lost", event_of(&with, 0).energy_lost, 0, 1e-10);
    assert_false(impulse_of(&with, 0, "link").unique);
    int said = 0;
    for (int i = 0; i < hol_message_count(with.ctx); i++)
        said |= strstr(hol_message_get(with.ctx, i)->text, "1 of 9 is redundant") != NULL;
    assert_true(said);
    assert_int_equal(sim_info(without.sim).switches, 0);
    run_close(&with);
    run_close(&without);
}

/* ---- forces ---- */

/* A constant force between two instants, and a spring that lets go of what it holds. */
static void test_forces_switch(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\nbodies:\n"
        "  car: {mass: 1.6, inertia: 0.1, position: [0, 0]}\n  cart: {mass: 0.8, inertia: 0.1, "
        "position: [0, 1]}\njoints:\n"
        "  rail: {type: prismatic, bodies: [ground, car], at: [0, 0], axis: [1, 0]}\n"
        "  way: {type: prismatic, bodies: [ground, cart], at: [0, 1], axis: [1, 0]}\nforces:\n"
        "  push: {type: force, body: car, at: [0, 0], force: [3.7, 0], active: t > 0.313 && t < "
        "0.871}\n"
        "  spring: {type: spring, bodies: [ground, cart], from: [-1, 1], to: [0, 1], stiffness: "
        "20, "
        "free_length: 0.7, active: x.x < 0.05 || t < 0}\nmeasures:\n  v: {type: velocity, body: "
        "car}\n"
        "  x: {type: position, body: cart}\nsimulation: {end: 1.2, tolerance: 1e-10}\n";
    (void)unused;
    for (int fixed = 0; fixed < 2; fixed++) {
        run r = run_text(text, fixed ? "step=0.01" : NULL);
        run_whole(&r);
        check_near("speed", run_measure(&r, "v.x"), 3.7 * (0.871 - 0.313) / 1.6, 1e-12);
        assert_int_equal(event_of(&r, 0).forces[0], 1);
        check_near("push takes hold", event_of(&r, 0).t, 0.313, 2e-14);
        /* work of the push, and nothing lost */
        check_near("loss of the push", event_of(&r, 0).energy_lost, 0, 0);
        check_freedoms(&r, (const int[]){2, 2}, NULL, 2);
        check_balance(&r, fixed ? 1e-7 : near);
        run_close(&r);
    }
    /* released at x: V = 20 (0.3 + x)^2/2 goes with it */
    run r = run_text(text, "forces.spring.active=t<0.05");
    run_whole(&r);
    const double w = 5, stretch = 0.3 * cos(w * 0.05);
    check_near("potential", event_of(&r, 0).energy_lost, 20 * stretch * stretch / 2, near);
    check_balance(&r, near);
    run_close(&r);
}

/* ---- instants ---- */

/* Several elements at one instant, conditions that follow from others, and a stop at a switch. */
static void test_one_instant(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 0.3, position: [0, 0], omega: "
        "3}\n  b: {mass: 1, inertia: 0.2, position: [0, 0]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [ground, b], at: [0, 0]}\n"
        "  clutch: {type: generic, bodies: [a, b], at: [0, 0], lock: [angle], active: {from: t > "
        "1, "
        "catch: here}}\n"
        "  brake: {type: generic, bodies: [ground, b], at: [0, 0], lock: [angle], active: {until: "
        "wb "
        "> 0, catch: here}}\nforces:\n"
        "  drag: {type: torque, body: b, torque: -1, active: wb > 1}\nmeasures:\n"
        "  wa: {type: angular_velocity, body: a}\n  wb: {type: angular_velocity, body: "
        "b}\nsimulation: {end: 1.05, "
        "tolerance: 1e-10}\n";
    (void)unused;
    /* the brake holds b against the clutch: the jump stops both, and nothing follows */
    run r = run_text(text, NULL);
    run_whole(&r);
    assert_int_equal(sim_info(r.sim).switches, 1);
    check_near("stopped", run_measure(&r, "wa"), 0, exact);
    run_close(&r);
    /* without it, b is at 1.8 rad/s at once, and the drag acts from the same instant on */
    r = run_text(text, "joints.brake.active.initially=false");
    run_whole(&r);
    assert_int_equal(sim_info(r.sim).switches, 2);
    assert_true(event_of(&r, 0).t == event_of(&r, 1).t);
    assert_int_equal(event_of(&r, 1).forces[0], 1);
    check_near("dragged", run_measure(&r, "wa"), 1.8 - 0.05 / 0.5, near);
    run_close(&r);
    r = run_text(
        "holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 0.3, position: [0, 0], "
        "omega: 3}\njoints:\n  A: {type: revolute, bodies: [ground, a], at: [0, 0], active: t "
        "< 0.5}\nstop_when: t >= 0.5\n",
        NULL);
    assert_int_equal(run_whole(&r).end, HOL_END_STOP);
    assert_int_equal(sim_info(r.sim).switches, 0);
    run_close(&r);
}

/* A condition that the assembled mechanism meets, but not the drawn one: a switch at the start. */
static void test_switch_at_the_start(void **unused) {
    (void)unused;
    run r =
        run_text("holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 0.3, along: [[0, 0], "
                 "[1, 0]], omega: 2}\njoints:\n  A: {type: revolute, bodies: [ground, a], at: [0, "
                 "0], start: {angle: 0.4}}\n  B: {type: velocity_constraint, terms: [{body: a, "
                 "component: omega}], active: phi > 0.2}\nmeasures:\n  phi: {type: angle, body: "
                 "a}\n  w: {type: angular_velocity, body: a}\nsimulation: {end: 1}\n",
                 NULL);
    run_whole(&r);
    assert_int_equal(sim_info(r.sim).switches, 1);
    check_near("at the start", event_of(&r, 0).t, 0, 0);
    check_near("held", run_measure(&r, "w"), 0, exact);
    check_near("where it started", run_measure(&r, "phi"), 0.4, near);
    check_near("energy lost", event_of(&r, 0).energy_lost, 0.3 * 4 / 2 + 0.25 * 4 / 2, exact);
    run_close(&r);
}

/* ---- states ---- */

/* Saved in one set and loaded in another, before and after switches: the same bits. */
static void test_state_across_sets(void **unused) {
    static const double saves[] = {0.2, 0.8, 1.3};
    (void)unused;
    for (int set = 0; set < N_SETS; set++)
        for (int k = 0; k < 3; k++) {
            char settings[64];
            snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
            run a = run_text(ELBOW, settings), b = run_text(ELBOW, settings);
            run_to(&a, saves[k]);
            run_to(&b, k == 1 ? 1.2 : 0.7); /* in another set */
            const size_t size = hol_sim_state_size(a.sim);
            void *block = malloc(size);
            assert_int_equal(hol_sim_state_save(a.sim, block, size), HOL_OK);
            assert_int_equal(hol_sim_state_load(b.sim, block, size), HOL_OK);
            assert_int_equal(hol_sim_state_size(b.sim), size);
            run_to(&a, 1.45);
            run_to(&b, 1.45);
            for (int i = 0; i < model_info(a.model).n_measures; i++)
                assert_true(measure_of(hol_sim_data(a.sim), i) ==
                            measure_of(hol_sim_data(b.sim), i));
            const hol_sim_info one = sim_info(a.sim), other = sim_info(b.sim);
            assert_true(one.steps == other.steps && one.evaluations == other.evaluations &&
                        one.factorizations == other.factorizations &&
                        one.switches == other.switches &&
                        one.relative_energy_error == other.relative_energy_error);
            assert_true(event_of(&a, 0).energy_lost == event_of(&b, 0).energy_lost);
            assert_true(impulse_of(&a, 0, "lock").angular[2] ==
                        impulse_of(&b, 0, "lock").angular[2]);
            assert_string_equal(one.switch_names, other.switch_names);
            free(block);
            run_close(&a);
            run_close(&b);
        }
}

/* A copy of the data follows the sets, and answers when the simulation is gone. */
static void test_copies(void **unused) {
    (void)unused;
    run r = run_text(ELBOW, "coordinates=relative");
    hol_data *copy = hol_data_new(r.ctx, r.model);
    for (int k = 0; k < 3; k++) {
        run_to(&r, 0.3 + 0.5 * k);
        assert_int_equal(hol_data_copy(copy, hol_sim_data(r.sim)), HOL_OK);
        assert_int_equal(model_info(hol_data_model(copy)).n_constraints, k == 1);
    }
    run_to(&r, 0.8 + 0.4);
    const double tip = run_measure(&r, "tip.x");
    assert_int_equal(hol_data_copy(copy, hol_sim_data(r.sim)), HOL_OK);
    hol_sim_free(r.sim);
    r.sim = NULL;
    check_near("tip", measure_of(copy, hol_model_measure_index(r.model, "tip.x")), tip, 0);
    hol_data_free(copy);
    run_close(&r);
}

/* A run goes back to a snapshot of another set, and makes the same motion again. */
static void test_back_to_a_snapshot(void **unused) {
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(ELBOW, settings);
        run_to(&r, 0.8);
        hol_data *copy = hol_data_new(r.ctx, r.model);
        assert_int_equal(hol_data_copy(copy, hol_sim_data(r.sim)), HOL_OK);
        run_to(&r, 1.4);
        const double tip = run_measure(&r, "tip.x"), bend = run_measure(&r, "bend");
        assert_int_equal(hol_data_copy(hol_sim_data(r.sim), copy), HOL_OK);
        assert_int_equal(hol_sim_step(r.sim), HOL_ERR_ARGUMENT);
        assert_int_equal(hol_sim_restart(r.sim, 0.8, hol_data_q(copy), hol_data_v(copy)), HOL_OK);
        run_to(&r, 1.4);
        check_near("tip", run_measure(&r, "tip.x"), tip, near);
        check_near("bend", run_measure(&r, "bend"), bend, near);
        hol_data_free(copy);
        run_close(&r);
    }
}

/* The list of events ends, and wrong indices are errors. */
static void test_list_of_events(void **unused) {
    (void)unused;
    run r = run_text(ELBOW, NULL);
    hol_event event = {.size = sizeof event};
    hol_impulse impulse = {.size = sizeof impulse};
    assert_int_equal(hol_sim_event(r.sim, 0, &event), HOL_ERR_ARGUMENT);
    run_whole(&r);
    const int before = hol_message_count(r.ctx);
    assert_int_equal(hol_sim_event(r.sim, 2, &event), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_message_count(r.ctx), before);
    assert_int_equal(hol_sim_event(r.sim, -1, &event), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_sim_event_impulse(r.sim, 0, 7, &impulse), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_sim_event_impulse(r.sim, 5, 0, &impulse), HOL_ERR_ARGUMENT);
    event.size = 0;
    assert_int_equal(hol_sim_event(r.sim, 0, &event), HOL_ERR_ARGUMENT);
    run_close(&r);
}

/* ---- what is refused ---- */

/* A pendulum with that key of its joint. */
static hol_context *compile_with(const char *active, hol_model **model, hol_options **options) {
    char text[1024];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(
        text, sizeof text,
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  rod: {mass: 1, inertia: 0.1, "
        "along: [[0, 0], [1, 0]]}\njoints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, "
        "0], active: %s}\n  D: {type: distance, bodies: [ground, rod], from: [0, 1], to: [1, 0], "
        "active: false}\nmeasures:\n  N: {type: reaction, joint: A}\n  twice: {type: expression, "
        "value: 2*N.fy}\n  y: {type: position, body: rod, at: [1, 0]}\n  a: {type: acceleration, "
        "body: rod}\nsimulation: {end: 1}\n",
        active);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    *model = hol_model_from_spec(ctx, spec, options);
    hol_spec_free(spec);
    return ctx;
}

static void test_wrong_conditions(void **unused) {
    static const struct {
        const char *active, *why;
    } cases[] = {
        {"y.z > 0", "unknown name 'y.z'"},
        {"[1, 2]", "expected a condition"},
        {"{}", "says neither"},
        {"{until: t > 1, form: t > 2}", "unknown key 'form'"},
        {"{until: t > 1, from: t > 2}", "does not say whether it acts at the start"},
        {"{until: t > 1, initially: maybe}", "expected true or false"},
        {"{until: t > 1, catch: there}", "there"},
        {"N.fy > 0", "reads the reaction of the joint itself"},
        {"twice > 0", "reads the reaction of the joint itself"},
        {".nan", "not a finite number"},
        {"{until: {a: 1}}", "expected a number or an expression"},
        {"t >", "expected"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol_model *model;
        hol_options *options;
        hol_context *ctx = compile_with(cases[i].active, &model, &options);
        if (model || !said_why(ctx, cases[i].why)) {
            run_print_messages(ctx);
            fail_msg("active: %s: wanted an error with '%s'", cases[i].active, cases[i].why);
        }
        const hol_message *m = hol_message_get(ctx, 0);
        assert_true(m->where.line == 7 && m->where.column > 60);
        assert_string_equal(m->element, "joint 'A'");
        hol_context_free(ctx);
    }
}

/* Where a run stops: a joint that does not fit, and one that cannot decide. */
static void test_runs_that_stop(void **unused) {
    static const struct {
        const char *active, *why;
        double t;
    } cases[] = {
        {"{initially: false, from: t > 0.2}", "cannot take hold at t = 0.2", 0.2},
        {"a.y < -9", "switches back and forth", 0},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run r = {0};
        r.ctx = compile_with(cases[i].active, &r.model, &r.options);
        assert_non_null(r.model);
        r.sim = hol_sim_new(r.ctx, r.model, r.options);
        assert_non_null(r.sim);
        assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
        assert_true(said_why(r.ctx, cases[i].why));
        assert_int_equal(sim_info(r.sim).end, HOL_END_FAILED);
        check_near("stopped at", sim_info(r.sim).t, cases[i].t, 1e-12);
        run_close(&r);
    }
}

/* Columns of single constraints are refused where these come and go. */
static void test_no_columns_of_constraints(void **unused) {
    hol_model *model;
    hol_options *options;
    (void)unused;
    hol_context *ctx = compile_with("t < 1", &model, &options);
    assert_non_null(model);
    assert_int_equal(hol_options_set_choice(options, "constraint_reactions", "on"), HOL_OK);
    assert_null(hol_sim_new(ctx, model, options));
    assert_true(said_why(ctx, "needs the same constraints at all times"));
    hol_options_free(options);
    hol_model_free(model);
    hol_context_free(ctx);
}

/* What makes no sense for an element is refused when it is compiled. */
static void test_only_locks_catch_here(void **unused) {
    hol_model *model;
    hol_options *options;
    (void)unused;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(
        hol_spec_read_text(
            spec,
            "holonom: 1\nspace: planar\nbodies:\n  rod: {mass: 1, inertia: 0.1, along: "
            "[[0, 0], [1, 0]]}\njoints:\n  D: {type: distance, bodies: [ground, rod], "
            "from: [0, 1], to: [1, 0], active: {from: t > 1, catch: here}}\n",
            "test.yaml"),
        HOL_OK);
    model = hol_model_from_spec(ctx, spec, &options);
    assert_null(model);
    assert_true(said_why(ctx, "does not lock directions of a frame"));
    hol_spec_free(spec);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falling_rod_is_caught),
        cmocka_unit_test(test_clutch),
        cmocka_unit_test(test_pendulum_is_cut_loose),
        cmocka_unit_test(test_ball_joint_is_lost),
        cmocka_unit_test(test_skate_lifts_off),
        cmocka_unit_test(test_block_lifts_off),
        cmocka_unit_test(test_elbow_in_all_methods),
        cmocka_unit_test(test_grip_in_all_methods),
        cmocka_unit_test(test_four_bar_is_cut_and_joined),
        cmocka_unit_test(test_redundant_link_appears),
        cmocka_unit_test(test_forces_switch),
        cmocka_unit_test(test_one_instant),
        cmocka_unit_test(test_switch_at_the_start),
        cmocka_unit_test(test_state_across_sets),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_back_to_a_snapshot),
        cmocka_unit_test(test_list_of_events),
        cmocka_unit_test(test_wrong_conditions),
        cmocka_unit_test(test_runs_that_stop),
        cmocka_unit_test(test_only_locks_catch_here),
        cmocka_unit_test(test_no_columns_of_constraints),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
