/* test_elements_contact.c: contact, tyre, the Iltis corner, and the power balance of forces at
 * states where they act.
 *
 * An impact without other forces, m p'' = -k p^n (1 + gain p'/v0), has with u = p'/v0 the integral
 *     int u/(1 + gain u) du = -k/(m v0^2) p^(n+1)/(n + 1)
 * so the speed after it, e v0, follows from the gain alone, whatever m, k, n and v0:
 *     gain (1 + e) = log((1 + gain)/(1 - gain e))
 */
#include "mechanism_fixture.h"
#include "model_fixture.h"

/* e of a gain, by bisection. */
static double restitution_of(double gain) {
    double low = 0, high = fmin(1, 1 / gain * (1 - 1e-12));
    for (int i = 0; i < 200; i++) {
        const double e = 0.5 * (low + high);
        if (log((1 + gain) / (1 - gain * e)) < gain * (1 + e))
            low = e;
        else
            high = e;
    }
    return low;
}

/* ---- where a contact acts ---- */

/* The load of a contact is taken at the place where it touches, which tells itself, about which it
 * has no moment; it is the same wrench as that at the point of the force: M = (place - P) x F. */
static void test_place(void **state) {
    static const char *const text =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  b: {mass: 2.3, inertia: 0.01, position: [0.2, 0.1, 0.0999], velocity: [1.4, "
        "0.3, 0], omega: [2, 0.5, 1]}\n"
        "forces:\n  touch: {type: contact_plane, bodies: [ground, b], plane: [0.7, -0.4, 0], "
        "normal: [0, 0, 1], point: [0.2, 0.1, 0.0999], radius: 0.1, stiffness: 1e6, exponent: 1, "
        "friction: 0.3}\n"
        "measures:\n  at: {type: load, force: touch, quantity: place}\n"
        "  m: {type: load, force: touch, quantity: moment}\n"
        "simulation: {end: 1}\n";
    static const char *const names[2][3] = {{"at.x", "at.y", "at.z"}, {"m.x", "m.y", "m.z"}};
    static const double plane[3] = {0.7, -0.4, 0};
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_text(text, NULL);
    hol_load load = {.size = sizeof load};
    assert_int_equal(hol_data_force(hol_sim_data(r.sim), 0, &load), HOL_OK);
    assert_true(load.force[2] < -50 && fabs(load.force[0]) > 10);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        check_near("place", load.point[i], run_measure(&r, names[0][i]), 1e-15);
        check_near("moment about it", load.moment[i], 0, 1e-12);
        check_near("moment about the point", run_measure(&r, names[1][i]),
                   (load.point[j] - plane[j]) * load.force[k] -
                       (load.point[k] - plane[k]) * load.force[j],
                   1e-12);
    }
    /* apart from each other: at the point, without a load */
    run_close(&r);
    r = run_text(text, "bodies.b.position.2=0.2 forces.touch.point.2=0.2");
    assert_int_equal(hol_data_force(hol_sim_data(r.sim), 0, &load), HOL_OK);
    for (int i = 0; i < 3; i++) {
        check_near("point", load.point[i], plane[i], 1e-15);
        check_near("no force", load.force[i], 0, 0);
    }
    run_close(&r);
}

/* ---- impacts ---- */

static const char *const wall =
    "holonom: 1\nspace: spatial\nparameters: {e: 0.9, v: 2.3}\n"
    "bodies:\n  b: {mass: 0.37, inertia: 1e-3, position: [0.5, 0.1, 0.2], velocity: [-v, 0, 0]}\n"
    "forces:\n  wall: {type: contact_plane, bodies: [ground, b], plane: [0, 0, 0], normal: [1, 0, "
    "0], point: [0.5, 0.1, 0.2], "
    "radius: 0.04, modulus: 3e7, dissipation: MODEL, restitution: e}\n"
    "measures:\n  v: {type: velocity, body: b, component: x}\n"
    "simulation: {end: 1, tolerance: 1e-10}\n";

/* The speed after an impact is that of the integral above, near the restitution that was asked for
 * (exact: that itself); what is lost is the work. The step in which the contact begins is free of
 * other forces, so v0 is exact. */
static void test_restitution(void **state) {
    static const struct {
        const char *model;
        double e, v, near;
    } cases[] = {{"hunt_crossley", 0.95, 2.3, 0.01}, {"hunt_crossley", 0.9, 0.4, 0.02},
                 {"flores", 0.9, 2.3, 0.01},         {"flores", 0.7, 0.6, 0.02},
                 {"flores", 0.4, 2.3, 0.04},         {"exact", 0.95, 2.3, 1e-6},
                 {"exact", 0.5, 2.3, 1e-6},          {"exact", 0.13, 0.7, 1e-6}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double e = cases[i].e, v = cases[i].v,
                     gain = cases[i].model[0] == 'h' ? 1.5 * (1 - e) : 8 * (1 - e) / (5 * e);
        char text[2048], settings[64];
        const char *model = strstr(wall, "MODEL");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(model - wall), wall, cases[i].model,
                 model + 5);
        snprintf(settings, sizeof settings, "e=%g v=%g end=%g", e, v, 0.9 / v);
        run r = run_text(text, settings);
        run_whole(&r);
        const double after = run_measure(&r, "v") / v;
        check_near("speed after the impact", after,
                   cases[i].model[0] == 'e' ? e : restitution_of(gain), 1e-6);
        check_near("restitution", after, e, cases[i].near);
        const hol_energy energy = energy_of(hol_sim_data(r.sim));
        check_near("energy lost", -energy.work, 0.5 * 0.37 * v * v * (1 - after * after), 1e-7);
        run_close(&r);
    }
}

/* Two spheres head on, each with its mass: relative speeds have the same ratio, and momentum
 * stays. */
static void test_spheres(void **state) {
    (void)state;
    run r = run_text(
        "holonom: 1\nspace: spatial\n"
        "bodies:\n  a: {shape: {type: sphere, radius: 0.05, density: 2700}, velocity: [0.3, 0, "
        "0]}\n"
        "  b: {shape: {type: sphere, radius: 0.03, density: 7800}, position: [0, 0, 0.2], "
        "velocity: [0.3, 0, -1.9]}\n"
        "forces:\n  hit: {type: contact_spheres, bodies: [a, b], from: [0, 0, 0], to: [0, 0, 0.2], "
        "radius_from: 0.05, "
        "radius_to: 0.03, modulus: 4e8, dissipation: flores, restitution: 0.8, friction: 0.3}\n"
        "measures:\n  a: {type: velocity, body: a}\n  b: {type: velocity, body: b}\nsimulation: "
        "{end: 0.15, tolerance: 1e-10}\n",
        NULL);
    const double pi = acos(-1.0), ma = 2700 * 4 / 3.0 * pi * 0.05 * 0.05 * 0.05,
                 mb = 7800 * 4 / 3.0 * pi * 0.03 * 0.03 * 0.03;
    run_whole(&r);
    const double va = run_measure(&r, "a.z"), vb = run_measure(&r, "b.z");
    check_near("relative speed", vb - va, 1.9 * restitution_of(8 * 0.2 / (5 * 0.8)), 1e-6);
    check_near("momentum", ma * va + mb * vb, -1.9 * mb, 1e-10);
    check_near("across", run_measure(&r, "a.x"), 0.3, 1e-10);
    run_close(&r);
}

/* Dropped from h the ball comes back to e^2 h, up to gravity during the impact (m g against a peak
 * of some hundred m g) and the floor under the speed: 2 %. */
static void test_bounce(void **state) {
    (void)state;
    run r = run_text("holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                     "bodies:\n  b: {mass: 0.2, inertia: 1e-4, position: [0, 0.73]}\n"
                     "forces:\n  floor: {type: contact_plane, bodies: [ground, b], plane: [0, 0], "
                     "normal: [0, 1], point: [0, 0.73], radius: 0.03, "
                     "modulus: 2e8, dissipation: flores, restitution: 0.75}\n"
                     "measures:\n  y: {type: position, body: b, component: y}\n  v: {type: "
                     "velocity, body: b, component: y}\n"
                     "stop_when: 'if(t > 0.45, -v, -1)'\nsimulation: {end: 2, tolerance: 1e-9}\n",
                     NULL);
    const double start = energy_of(hol_sim_data(r.sim)).balance;
    run_whole(&r);
    const double e = restitution_of(8 * 0.25 / (5 * 0.75));
    check_near("height", run_measure(&r, "y") - 0.03, e * e * 0.7, 0.02 * e * e * 0.7);
    check_near("balance", energy_of(hol_sim_data(r.sim)).balance, start, 1e-7);
    run_close(&r);
}

/* Hertz: at rest p = (m g/k)^(2/3), k = 4/3 E sqrt(R), R = r1 r2/(r1 + r2) between spheres. */
static void test_hertz(void **state) {
    static const char *const ends[] = {"type: contact_plane, plane: [0, 0, 0.3], normal: [0, 0, "
                                       "1], point: [0, 0, h], radius: 0.04",
                                       "type: contact_spheres, from: [0, 0, 0.2], radius_from: "
                                       "0.1, to: [0, 0, h], radius_to: 0.04"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[1024];
        const double R = i ? 0.1 * 0.04 / 0.14 : 0.04, k = 4.0 / 3 * 6e7 * sqrt(R),
                     p = pow(3.1 * 9.81 / k, 2.0 / 3);
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {h: %.17g}\n"
                 "bodies:\n  b: {mass: 3.1, inertia: 0.01, position: [0, 0, h]}\nforces:\n  c: "
                 "{%s, bodies: [ground, b], modulus: 6e7}\n",
                 0.34 - p, ends[i]);
        run r = run_text(text, NULL);
        run_to(&r, 0);
        /* p = 1e-4 is a difference of numbers near 0.34: 1e-12 of it is lost, and 1.5 times as much
         * of the force */
        check_near("acceleration", hol_data_acceleration(hol_sim_data(r.sim))[2], 0, 1e-10);
        run_close(&r);
    }
}

/* A sphere that is set down sliding with v0 slows down with mu g and rolls in the end with about
 * 5/7 v0, whatever the friction is. */
static void test_sliding_to_rolling(void **state) {
    (void)state;
    run r = run_text("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {p: "
                     "(0.7*9.81/2e5)^(1/1.5)}\n"
                     "bodies:\n  b: {mass: 0.7, shape: {type: sphere, radius: 0.05}, position: [0, "
                     "0, 0.05 - p], velocity: [1.4, 0, 0]}\n"
                     "forces:\n  floor: {type: contact_plane, bodies: [ground, b], plane: [0, 0, "
                     "0], normal: [0, 0, 1], point: [0, 0, 0.05 - p], "
                     "radius: 0.05, stiffness: 2e5, friction: 0.25, slip_speed: 1e-3}\n"
                     "measures:\n  v: {type: velocity, body: b, component: x}\n  w: {type: "
                     "angular_velocity, body: b, component: y}\n"
                     "simulation: {end: 1, tolerance: 1e-9}\n",
                     NULL);
    const double start = energy_of(hol_sim_data(r.sim)).balance;
    run_to(&r, 0.1);
    check_near("sliding", run_measure(&r, "v"), 1.4 - 0.25 * 9.81 * 0.1, 1e-3);
    run_to(&r, 1);
    /* the arm of friction is r - p: v = v0 q/(1 + q), q = m (r - p)^2/I, which is 5/7 v0 for p = 0;
     * slip dies out */
    const double p = pow(0.7 * 9.81 / 2e5, 2.0 / 3), q = 2.5 * (1 - p / 0.05) * (1 - p / 0.05);
    check_near("rolling", run_measure(&r, "v"), 1.4 * q / (1 + q), 1e-6);
    check_near("slip", run_measure(&r, "v") - (0.05 - p) * run_measure(&r, "w"), 0, 1e-6);
    check_near("balance", energy_of(hol_sim_data(r.sim)).balance, start, 1e-8);
    run_close(&r);
}

/* ---- shapes ---- */

/* Things of a millimetre at 1000 m/s against a plate as thin, where nothing else asks for short
 * steps: they come back as fast as they came. Without a bound on the speed of approach most of them
 * pass through the plate unnoticed. */
static void test_bullets(void **state) {
    static const char *const shapes[] = {
        "{type: sphere, radius: 0.5 mm}",
        "{type: capsule, at: [0, 0, -1 mm], to: [0, 0, 1 mm], radius: 0.5 mm}",
        "{type: box, size: [1 mm, 0.7 mm, 0.9 mm]}"};
    (void)state;
    for (int k = 0; k < 24; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\n"
                 "bodies:\n  b: {mass: 0.003, inertia: 1e-7, position: [0, 0, 0], velocity: [1000, "
                 "0, 0]}\n"
                 "forces:\n  plate: {type: contact, bodies: [ground, b], shapes: [{type: box, at: "
                 "[%g, 0.01, 0.02], size: [0.001, 0.4, 0.5]}, %s], stiffness: 1e13, exponent: 1}\n"
                 "measures:\n  v: {type: velocity, body: b, component: x}\n"
                 "simulation: {end: 0.2, tolerance: 1e-6}\n",
                 45.0973 + 0.93 * k, shapes[k % 3]);
        run r = run_text(text, NULL);
        run_whole(&r);
        check_near("speed after the plate", run_measure(&r, "v"), -1000, 0.1);
        run_close(&r);
    }
}

/* A contact that is too soft for an impact, m v^2/4 above what it can store until the middles meet
 * (k R^2.5/2.5, R = 0.04 m), lets shapes through and says so; a stiff one turns them back in
 * silence. */
static void test_too_soft(void **state) {
    static const char *const shapes[] = {"{type: sphere, radius: 0.02}",
                                         "{type: box, size: [0.1, 0.1, 0.04]}"};
    (void)state;
    for (int k = 0; k < 6; k++) {
        const double speed = 50, energy = speed * speed / 4, R = 0.04;
        const double stiffness = 2.5 * energy / pow(R, 2.5) * (k % 2 ? 100 : 0.2);
        char shape[2][128], text[1024];
        for (int i = 0; i < 2; i++)
            if (k / 2 == 2)
                snprintf(shape[i], sizeof shape[i],
                         "{type: capsule, at: [-0.1, 0, %d], to: [0.1, 0, %d], radius: 0.02}",
                         i == 0, i == 0);
            else
                snprintf(shape[i], sizeof shape[i], "%s", shapes[k / 2]);
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\nbodies:\n"
                 "  a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1], velocity: [0, 0, %g]}\n"
                 "  b: {mass: 1, inertia: [1, 1, 1]}\n"
                 "forces:\n  c: {type: contact, bodies: [a, b], shapes: [%s, %s], stiffness: %g}\n"
                 "measures:\n  v: {type: velocity, body: a, component: z}\n"
                 "simulation: {end: 0.05, tolerance: 1e-6}\n",
                 -speed, shape[0], shape[1], stiffness);
        run r = run_text(text, NULL);
        run_whole(&r);
        const int warned = run_warns(&r, "too soft for this impact");
        const double left = fabs(run_measure(&r, "v"));
        if (warned != (k % 2 == 0) || (k % 2 && left > 0.1))
            fail_msg("%s, stiffness %g: %d warnings, %g m/s are left", shape[0], stiffness, warned,
                     left);
        run_close(&r);
    }
}

/* ---- tyre ---- */

/* On flat ground the tyre carries the weight with p = m g/k. Over a short bump at speed the wheel
 * leaves the road: then nothing but gravity acts on a wheel without a car, so its acceleration is
 * exactly -g and never below. */
static void test_tyre(void **state) {
    (void)state;
    run r = run_text(
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {p: 31*9.81/1.6e5}\n"
        "bodies:\n  w: {mass: 31, inertia: 1, position: [0, 0.3 - p], velocity: [9, 0]}\n"
        "forces:\n  tyre: {type: tyre, body: w, radius: 0.3, stiffness: 1.6e5, damping: 200, "
        "road: 'if(x > 1 and x < 1.8, 0.03*(1 - cos(2*pi*(x - 1)/0.8)), 0)'}\n"
        "measures:\n  y: {type: position, body: w, component: y}\n  a: {type: acceleration, body: "
        "w, component: y}\n"
        "simulation: {end: 1, tolerance: 1e-9}\n",
        NULL);
    run_to(&r, 0);
    check_near("rest", run_measure(&r, "a"), 0, 1e-10);
    const double start = energy_of(hol_sim_data(r.sim)).balance;
    int airborne = 0;
    for (int i = 1; i <= 200; i++) {
        run_to(&r, i * 0.002);
        const double a = run_measure(&r, "a");
        assert_true(a >= -9.81 - 1e-12);
        airborne += a == -9.81;
    }
    assert_true(airborne > 20);
    check_near("balance", energy_of(hol_sim_data(r.sim)).balance, start, 1e-5);
    run_close(&r);
}

/* ---- Iltis corner ---- */

/* Over the bump and to rest again in both readings, links as bodies of 0.1 g and as massless links:
 * masses of 2e-4 kg beside 60 kg change the motion by some 3e-6 of 0.1 m. The bump stop and the
 * tyre work, and the corner comes back to where it was before the bump. */
static void test_iltis(void **state) {
    (void)state;
    run light = run_open("iltis_corner", NULL), links = run_open("iltis_corner_links", NULL);
    assert_int_equal(sim_info(light.sim).dof, 1);
    assert_int_equal(sim_info(links.sim).dof, 1);
    double rest = 0, top = 0;
    for (int i = 1; i <= 24; i++) {
        run_to(&light, 0.25 * i);
        run_to(&links, 0.25 * i);
        const double z = run_measure(&links, "wheel.z");
        check_near("wheel.z of both readings", run_measure(&light, "wheel.z"), z, 3e-7);
        check_near("arm of both readings", run_measure(&light, "arm_angle"),
                   run_measure(&links, "arm_angle"), 1e-6);
        if (i == 4) rest = z;
        if (run_measure(&links, "leaf_deflection") > top)
            top = run_measure(&links, "leaf_deflection");
    }
    assert_true(top > 0.145);
    check_near("at rest again", run_measure(&links, "wheel.z"), rest, 1e-5);
    assert_true(sim_info(light.sim).max_position_violation < 1e-12);
    assert_true(sim_info(links.sim).relative_energy_error < 1e-6);
    run_close(&light);
    run_close(&links);
}

/* ---- power balance where forces act ---- */

enum { CONSERVATIVE = 1 };

typedef struct variant {
    int spatial, flags;
    const char *force;
} variant;

/* clang-format off */
static const variant variants[] = {
    {0, CONSERVATIVE, "type: bushing, bodies: [b1, b2], at: [0.2, 0.1], at_second: [0.3, -0.2], "
     "axis: [1, 0.4], stiffness: [[13, 2, 1], [2, 9, -0.5], [1, -0.5, 3]]"},
    {0, 0,            "type: bushing, bodies: [ground, b2], at: [0.2, 0.1], stiffness: [13, 9, 3], "
     "damping: [[1, 0.2, 0], [0.1, 2, 0], [0, 0.3, 0.4]], force: [3*deflection^3, "
     "rate*deflection], torque: 0.3*deflection*t"},
    {1, CONSERVATIVE, "type: bushing, bodies: [b1, b2], at: [0.2, 0.1, 0.4], axis: [1, 0.4, 0.3], "
     "stiffness: [[13, 2, 1, 0.3, 0, 0], [2, 9, -0.5, 0, 0.2, 0], [1, -0.5, 3, 0, 0, 0.1], [0.3, "
     "0, 0, 2, 0.4, 0], [0, 0.2, 0, 0.4, 3, 0], [0, 0, 0.1, 0, 0, 4]]"},
    {1, 0,            "type: bushing, bodies: [b2, ground], at: [0.2, 0.1, 0.4], stiffness: [13, "
     "9, 7, 3, 2, 1], damping: [1, 2, 3, 0.1, 0.2, 0.3], force: [0, 3*deflection^3, t], torque: "
     "[0, rate^3, deflection]"},
    {0, CONSERVATIVE, "type: bump_stop, bodies: [b1, b2], from: [0.1, 0.7], to: [-0.4, 0.3], "
     "length: 9, stiffness: 3.1, exponent: 1.5"},
    {1, CONSERVATIVE, "type: bump_stop, bodies: [ground, b2], from: [0.1, 0.7, 0.3], to: [-0.4, "
     "0.3, 0.2], length: 0.01, acts: above, stiffness: 3.1, exponent: 2.2"},
    {1, 0,            "type: bump_stop, bodies: [b1, b2], from: [0.1, 0.7, 0.3], to: [-0.4, 0.3, "
     "0.2], length: 9, stiffness: 3.1, damping: 0.4"},
    {0, CONSERVATIVE, "type: limit, joint: pin, lower: 90, stiffness: 0.1"},
    {1, CONSERVATIVE,
     "type: limit, joint: base, component: displacement, upper: -20, stiffness: 0.7"},
    {1, 0,
     "type: limit, joint: base, component: angle, upper: -90, stiffness: 0.1, damping: 0.3"},
    {0, 0,
     "type: friction, joint: pin, level: 0.7 + 0.1*sin(t), slip_speed: 0.8, viscous: 0.2"},
    {1, 0,            "type: friction, joint: base, component: displacement, level: 0.7, "
     "level_static: 1.1, stribeck_speed: 0.9, slip_speed: 0.8"},
    {1, 0,            "type: friction, joint: base, component: angle, model: lugre, level: 0.7, "
     "bristle_stiffness: 3, bristle_damping: 0.3"},
    {0, 0,            "type: drag, body: b1, at: [0.2, 0.9], linear: 0.3, quadratic: 0.2, "
     "turn_linear: 0.1, turn_quadratic: 0.2, wind: [0.3, -0.2]"},
    {1, 0,            "type: drag, body: b2, at: [0.2, 0.9, 0.1], linear: 0.3, quadratic: 0.2, "
     "turn_linear: 0.1, turn_quadratic: 0.2, wind: [0.3*t, -0.2, 1]"},
    {0, 0,            "type: tyre, body: b1, center: [0.3, 0.2], radius: 9, stiffness: 3, damping: "
     "0.2, road: '0.3*sin(1.3*x) + 0.1*t'"},
    {1, 0,
     "type: tyre, body: b2, radius: 9, stiffness: 3, road: '0.3*sin(1.3*x + 0.4*t)'"},
    {1, 0,            "type: tyre, body: b2, radius: 9, stiffness: 3, damping: 0.1, direction: "
     "vertical, road: '0.3*sin(1.3*x)*cos(t)'"},
    {0, CONSERVATIVE, "type: contact_plane, bodies: [b1, b2], plane: [0.1, 0.2], normal: [0.3, "
     "0.8], point: [0.3, 0.4], radius: 9, stiffness: 0.7"},
    {0, 0,            "type: contact_plane, bodies: [b1, b2], plane: [0.1, 0.2], normal: [0.3, "
     "0.8], point: [0.3, 0.4], radius: 9, stiffness: 0.7, friction: 0.4, slip_speed: 2"},
    {1, 0,            "type: contact_plane, bodies: [b2, b1], plane: [0.1, 0.2, 0.3], normal: "
     "[0.3, 0.8, -0.2], point: [0.3, 0.4, 0.1], radius: 9, stiffness: 0.7, dissipation: linear, "
     "damping: 0.2, friction: 0.4, slip_speed: 2"},
    {1, CONSERVATIVE, "type: contact_spheres, bodies: [b2, b1], from: [0.1, 0.2, 0.3], to: [0.3, "
     "0.4, 0.1], radius_from: 5, radius_to: 4, modulus: 0.4"},
    {1, 0,            "type: contact_spheres, bodies: [ground, b1], from: [0.1, 0.2, 0.3], to: "
     "[0.3, 0.4, 0.1], radius_from: 5, radius_to: 4, stiffness: 0.4, friction: 0.7, slip_speed: 3, "
     "restitution: 0.9"},
    {0, CONSERVATIVE, "type: contact, bodies: [b1, b2], shapes: [{type: plane, at: [0.1, 0.2], "
     "normal: [0.3, 0.8]}, {type: box, at: [0.3, 0.4], size: [9, 7]}], stiffness: 0.7"},
    {1, CONSERVATIVE, "type: contact, bodies: [b1, b2], shapes: [{type: box, at: [0.3, 0.4, 0], "
     "size: [9, 7, 8]}, {type: plane, at: [0.1, 0.2, 0], normal: [0.3, 0.8, 1]}], stiffness: 0.7"},
    {1, CONSERVATIVE, "type: contact, bodies: [b1, b2], shapes: [{type: sphere, radius: 0.7}, "
     "{type: box, at: [0, 17, 0], size: [40, 40, 40], along: [1, 0, 0]}], stiffness: 0.7"},
    {1, CONSERVATIVE, "type: contact, bodies: [b1, b2], shapes: [{type: sphere, radius: 5}, "
     "{type: box, at: [2, 1, 1], size: [0.1, 0.2, 0.3], along: [1, 1, 0]}], stiffness: 0.7"},
    {0, CONSERVATIVE, "type: contact, bodies: [b1, b2], shapes: [{type: sphere, radius: 5}, "
     "{type: hull, at: [2, 1], points: [[0, 0], [0.2, 0], [0.1, 0.3]]}], stiffness: 0.7"},
    {0, 0,            "type: contact, bodies: [b1, b2], shapes: [{type: capsule, at: [0, 0], to: "
     "[1, 0.3], radius: 4}, {type: capsule, at: [2, 0], to: [3, 1], radius: 3}], stiffness: 0.7"},
    {1, 0,            "type: contact, bodies: [b1, b2], shapes: [{type: capsule, at: [0, 0, 0], "
     "to: [1, 0.3, 0.2], radius: 4}, {type: capsule, at: [2, 0, 1], to: [3, 1, 1.3], radius: 3}], "
     "stiffness: 0.7"},
    {1, 0,            "type: contact, bodies: [b1, b2], shapes: [{type: capsule, at: [0, 0, 0], "
     "to: [1, 0.3, 0.2], radius: 4}, {type: box, at: [2, 0, 1], size: [0.7, 0.8, 0.5]}], "
     "stiffness: 0.7, friction: 0.3, slip_speed: 2"},
    {0, 0,            "type: contact, bodies: [b1, b2], shapes: [{type: box, size: [6, 7]}, {type: "
     "capsule, at: [2, 0], to: [3, 1], radius: 3}], stiffness: 0.7"},
    {0, 0,            "type: contact, bodies: [b1, b2], shapes: [{type: box, size: [6, 7]}, {type: "
     "hull, points: [[0, 0], [3, 0.2], [4, 2], [1, 3]]}], stiffness: 0.7"},
    {1, 0,            "type: contact, bodies: [b1, b2], shapes: [{type: box, size: [6, 7, 5]}, "
     "{type: box, size: [3, 4, 9]}], stiffness: 0.7"},
    {1, 0,            "type: contact, bodies: [b1, b2], shapes: [{type: box, size: [6, 7, 5]}, "
     "{type: hull, points: [[0, 0, 0], [5, 0, 0.3], [0.2, 4, 0], [0.3, 0.2, 3]]}], stiffness: "
     "0.7, friction: 0.2, slip_speed: 2, dissipation: linear, damping: 0.3"},
    {0, 0,            "type: motor, joint: pin, curve: 2 - 0.3*speed, command: sin(t)"},
    {1, 0,            "type: motor, joint: base, component: displacement, curve: 2 - 0.3*speed"},
    {1, 0,            "type: pid, joint: base, component: displacement, target: t, proportional: "
     "3, integral: 2, derivative: 0.4"},
    {0, 0,            "type: pid, joint: pin, target: t, measured: place.x, measured_rate: "
     "speed.x, proportional: 3, integral: 2, derivative: 0.4"},
    {0, 0,            "type: rolling_resistance, joint: skid, load: 3 + t, arm: 0.2, viscous: 0.3, "
     "friction: 0.4, slip_rate: 2, slip_speed: 3"},
    {1, 0,            "type: rolling_resistance, joint: roll, load: 3 + place.x, arm: 0.2, "
     "spin_arm: 0.3*(1 + t), viscous: 0.3, spin_viscous: 0.1, slip_rate: 4"},
    {1, 0,            "type: rolling_resistance, joint: skid, load: 3, arm: 0.2, spin_arm: 0.1, "
     "friction: 0.4, slip_rate: 4, slip_speed: 5"},
    {1, CONSERVATIVE, "type: rotor, body: b1, axis: [1, 0.3, 0.2], inertia: 0.3, speed: 7"},
};
/* clang-format on */

static void value_energy(void *user, hol_data *data, double *out) {
    const hol_energy e = energy_of(data);
    out[0] = *(const int *)user ? e.potential : e.kinetic + e.potential;
}

/* d/dt (T + V) = power along the motion without joints; Q = -dV/dq at rest for conservative forces.
 * Differences of order six with h = 1e-3 are good to 1e-9 for energies of some 1e2 J. */
static void check_power(const variant *v, uint64_t *seed) {
    static const double tolerance = 1e-8;
    mech_text text = {.used = 0};
    put(&text, v->spatial
                   ? "holonom: 1\nspace: spatial\nbodies:\n"
                     "  b1: {mass: 1.37, inertia: [0.21, 0.34, 0.27, 0.02, -0.03, 0.01], position: "
                     "[0.31, -0.22, 0.47], com: [0.13, -0.07, 0.19], "
                     "orientation: {euler: [0.4, -0.7, 1.1]}}\n"
                     "  b2: {mass: 0.83, inertia: [0.11, 0.15, 0.18], position: [-0.41, 0.36, "
                     "0.29], orientation: {axis: [1, 2, -0.5], angle: 0.9}}\n"
                     "joints:\n  base: {type: cylindrical, bodies: [b1, b2], at: [-0.2, 0.1, 0.3], "
                     "axis: [0.6, 0.2, -0.7]}\n"
                     "  roll: {type: rolling_sphere, bodies: [b1, b2], plane: [0.1, 0.2, -0.3], "
                     "normal: [0.2, 0.1, 1], center: [0.1, 0.3, 0.5], radius: 0.4}\n"
                     "  skid: {type: rolling_disk, bodies: [b2, b1], plane: [0.1, 0.2, -0.3], "
                     "normal: [0.2, 0.1, 1], center: [0.1, 0.3, 0.5], axis: [1, 0.4, 0.1], radius: "
                     "0.4, slip: true}\n"
                   : "holonom: 1\nspace: planar\nbodies:\n"
                     "  b1: {mass: 1.37, inertia: 0.21, position: [0.31, -0.22], com: [0.13, "
                     "-0.07], angle: 0.83}\n"
                     "  b2: {mass: 0.83, inertia: 0.11, position: [-0.41, 0.36], angle: -2.1}\n"
                     "joints:\n  pin: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5]}\n"
                     "  skid: {type: rolling_disk, bodies: [b1, b2], plane: [0.1, -0.3], normal: "
                     "[0.2, 1], center: [0.1, 0.3], radius: 0.4, slip: true}\n");
    put(&text,
        "measures:\n  place: {type: position, body: b1}\n  speed: {type: velocity, body: "
        "b1}\nforces:\n  F: {%s}\n",
        v->force);
    mech m = mech_open(text.text);
    const int nv = m.model->nv;
    for (int k = 0; k < 5; k++) {
        double a[12], Q[12], zero[12] = {0}, rate;
        int potential = 0;
        mech_random(&m, seed);
        free_acceleration(m.data, a);
        const double power = m.data->power;
        assert_true(!(v->flags & CONSERVATIVE) || power == 0);
        mech_line l = line_open(&m);
        l.h = 1e-3;
        line_along_motion(&l, a);
        line_derivative(&l, value_energy, &potential, 1, &rate);
        line_close(&l);
        check_close(rate, power, tolerance, "power", text.text);
        if (!(v->flags & CONSERVATIVE)) continue;
        potential = 1;
        hol_data_set(m.data, m.data->t, NULL, zero);
        l = line_open(&m);
        l.h = 1e-3;
        memcpy(Q, m.data->Q, (size_t)nv * sizeof *Q);
        for (int i = 0; i < nv; i++) {
            line_along_coordinate(&l, i);
            line_derivative(&l, value_energy, &potential, 1, &rate);
            check_close(Q[i], -rate, tolerance, "gradient of the potential", text.text);
        }
        line_close(&l);
    }
    mech_close(&m);
}

static void test_power(void **state) {
    uint64_t seed = 88172645463325252u;
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        check_power(&variants[i], &seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_place),   cmocka_unit_test(test_restitution),
        cmocka_unit_test(test_spheres), cmocka_unit_test(test_bounce),
        cmocka_unit_test(test_hertz),   cmocka_unit_test(test_sliding_to_rolling),
        cmocka_unit_test(test_bullets), cmocka_unit_test(test_too_soft),
        cmocka_unit_test(test_tyre),    cmocka_unit_test(test_iltis),
        cmocka_unit_test(test_power),
    };
    return run_tests_of_models("tests", tests);
}
