/* test_elements_wheels.c: disks, spheres, blades and the bicycle against solutions in closed form;
 * they roll without slip. */
#include "motion_fixture.h"

/* ---- rolling ---- */

/* The velocity of the lowest point of a rim with the axis z of the body. */
static void contact_velocity(motion *r, const char *body, double radius, double V[3]) {
    const hol_pose p = pose_of(r, body);
    const hol_twist w = twist_of(r, body);
    const double a[3] = {p.R[2], p.R[5], p.R[8]};
    double u[3] = {-a[2] * a[0], -a[2] * a[1], 1 - a[2] * a[2]}, arm[3], turn[3];
    const double length = hol__norm3(u);
    for (int i = 0; i < 3; i++) arm[i] = -radius * u[i] / length;
    hol__cross3(w.omega, arm, turn);
    hol__add3(w.v, turn, V);
}

/* A disk whose axis keeps the angle th to the vertical while it precesses at W: from torque = rate
 * of angular momentum,
 *     m g r cos th = W sin th (It W cos th - (Ia + m r^2) w3),   w3 the angular velocity about the
 * axis. */
static void test_disk_in_steady_motion(void **state) {
    const double m = 1.7, r = 0.31, th = 1.13, W = 2.35, Ia = 0.5 * m * r * r,
                 It = 0.25 * m * r * r;
    const double w3 = (It * W * cos(th) - m * g * r * cos(th) / (W * sin(th))) / (Ia + m * r * r),
                 s = w3 - W * cos(th);
    mech_text text = {.used = 0};
    (void)state;
    put(&text,
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -%.17g]\nbodies:\n  disk: {mass: %.17g, "
        "inertia: [%.17g, %.17g, %.17g], position: "
        "[%.17g, 0, %.17g], orientation: {axis: [0, 1, 0], angle: %.17g}, velocity: [0, %.17g, 0], "
        "omega: [%.17g, 0, %.17g]}\n"
        "joints:\n  roll: {type: rolling_disk, bodies: [ground, disk], axis: [%.17g, 0, %.17g], "
        "radius: %.17g}\n"
        "simulation: {end: 3, tolerance: 1e-10}\n",
        g, m, It, It, Ia, -r * cos(th), r * sin(th), th, -r * w3, s * sin(th), W + s * cos(th),
        sin(th), cos(th), r);
    motion run = run_open(text.text);
    for (double t = 0.5; t <= 3; t += 0.5) {
        run_to(&run, t);
        const hol_pose p = pose_of(&run, "disk");
        /* the tilt stays, the axis precesses at W, and the centre goes round a circle of radius r
         * w3 / W */
        near_to(p.R[8], cos(th), 1e-9, "tilt");
        near_to(p.R[2], sin(th) * cos(W * t), 1e-8, "axis x");
        near_to(p.R[5], sin(th) * sin(W * t), 1e-8, "axis y");
        const double rho = r * w3 / W, cx = -r * cos(th) + rho;
        near_to(p.r[0], cx - rho * cos(W * t), 1e-8, "x");
        near_to(p.r[1], -rho * sin(W * t), 1e-8, "y");
    }
    run_close(&run, 1e-10);
}

static void test_coin_keeps_energy_and_does_not_slip(void **state) {
    (void)state;
    motion run = run_open("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                          "  coin: {mass: 0.3, inertia: [0.00075, 0.00075, 0.0015], position: [0, "
                          "0.04, 0.09], orientation: {axis: [1, 0, 0], angle: 2}, "
                          "omega: [0.2, 14, 3]}\njoints:\n"
                          "  roll: {type: rolling_disk, bodies: [ground, coin], axis: [0, "
                          "-0.909297426825682, -0.416146836547142], radius: 0.1}\n"
                          "simulation: {end: 1, tolerance: 1e-11}\n");
    for (double t = 0.1; t <= 1; t += 0.1) {
        double V[3];
        run_to(&run, t);
        contact_velocity(&run, "coin", 0.1, V);
        /* the correction holds A v at 1e-12; V is made of the same few products */
        for (int i = 0; i < 3; i++) near_to(V[i], 0, 1e-11, "slip");
        const hol_pose p = pose_of(&run, "coin");
        near_to(p.r[2], 0.1 * sqrt(1 - p.R[8] * p.R[8]), 1e-12, "height");
    }
    run_close(&run, 1e-9);
}

/* A uniform ball on a slope: a = 5/7 g sin(slope), without spin about the normal in either case. */
static void test_ball_on_a_slope(void **state) {
    const double slope = 0.23, r = 0.06, m = 0.41;
    (void)state;
    for (int spin = 0; spin < 2; spin++) {
        mech_text text = {.used = 0};
        put(&text,
            "holonom: 1\nspace: spatial\ngravity: [%.17g, 0, %.17g]\nbodies:\n  ball: {mass: %g, "
            "inertia: %.17g, position: [0, 0, %g], "
            "velocity: [0.2, 0.1, 0]}\njoints:\n  roll: {type: rolling_sphere, bodies: [ground, "
            "ball], radius: %g, spin: %s}\n"
            "simulation: {end: 1, tolerance: 1e-10}\n",
            g * sin(slope), -g * cos(slope), m, 0.4 * m * r * r, r, r, spin ? "true" : "false");
        motion run = run_open(text.text);
        run_to(&run, 1);
        const hol_pose p = pose_of(&run, "ball");
        near_to(p.r[0], 0.2 + 0.5 * 5.0 / 7 * g * sin(slope), 1e-9, "x");
        near_to(p.r[1], 0.1, 1e-9, "y");
        near_to(p.r[2], r, 1e-12, "z");
        run_close(&run, 1e-10);
    }
}

/* A planar disk on a slope: a = g sin / (1 + I / (m r^2)). */
static void test_planar_disk(void **state) {
    const double m = 1.3, r = 0.2, I = 0.017, slope = 0.4;
    mech_text text = {.used = 0};
    (void)state;
    put(&text,
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  disk: {mass: %g, inertia: %g, "
        "position: [%.17g, %.17g]}\njoints:\n"
        "  roll: {type: rolling_disk, bodies: [ground, disk], normal: [%.17g, %.17g], radius: "
        "%g}\nsimulation: {end: 1, tolerance: 1e-10}\n",
        m, I, r * sin(slope), r * cos(slope), sin(slope), cos(slope), r);
    motion run = run_open(text.text);
    run_to(&run, 1);
    const double s = 0.5 * g * sin(slope) / (1 + I / (m * r * r));
    const hol_pose p = pose_of(&run, "disk");
    near_to(p.r[0], r * sin(slope) + s * cos(slope), 1e-9, "x");
    near_to(p.r[1], r * cos(slope) - s * sin(slope), 1e-9, "y");
    near_to(twist_of(&run, "disk").omega[2], -2 * s / r, 1e-9, "omega");
    run_close(&run, 1e-10);
}

/* A plate that rolls on a disk of ground: the line is that of the moving body, drawn turned and
 * away from the origin. It starts where it is drawn, up to rounding, since the drawing fulfils the
 * contact. */
static void test_plate_on_a_disk_starts_as_drawn(void **state) {
    const double th = 0.37, r = 0.25, c[2] = {0.4, 0.7};
    mech_text text = {.used = 0};
    (void)state;
    put(&text,
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  plate: {mass: 1.3, inertia: "
        "0.09, position: [0.9, 1.1], angle: %.17g}\njoints:\n"
        "  roll: {type: rolling_disk, bodies: [plate, ground], plane: [%.17g, %.17g], normal: "
        "[%.17g, %.17g], center: [%.17g, %.17g], radius: %g}\nsimulation: {end: 1, tolerance: "
        "1e-10}\n",
        th, c[0] + r * sin(th), c[1] - r * cos(th), -sin(th), cos(th), c[0], c[1], r);
    motion run = run_open(text.text);
    const hol_pose p = pose_of(&run, "plate");
    near_to(p.r[0], 0.9, 1e-13, "x");
    near_to(p.r[1], 1.1, 1e-13, "y");
    near_to(p.R[3], sin(th), 1e-13, "angle");
    run_to(&run, 0.2);
    run_close(&run, 1e-10);
}

/* The sleigh: u forward, w its turning rate, mass centre a in front of the blade, k^2 = (I + m
 * a^2)/m:
 *     u' = a w^2,  u^2 + k^2 w^2 = c^2   =>   u = c tanh(a c (t + t0)/k^2),   w = (c/k)
 * cosh(...). */
static void test_chaplygin_sleigh(void **state) {
    const double m = 2.3, I = 0.31, a = 0.4, u0 = 0.3, w0 = 3, k = sqrt(I / m + a * a),
                 c = sqrt(u0 * u0 + k * k * w0 * w0);
    const double t0 = atanh(u0 / c) * k * k / (a * c);
    static const char *const joints[] = {
        "{type: knife_edge, bodies: [ground, sleigh], at: [0, 0], axis: [1, 0]}",
        "{type: wheel, bodies: [ground, sleigh], center: [0, 0], axis: [0, 1]}",
        ("{type: velocity_constraint, coordinates: {a: {body: sleigh, component: angle}}, terms: "
         "[{body: sleigh, at: [0, 0], component: vx, factor: "
         "-sin(a)}, {body: sleigh, at: [0, 0], component: vy, factor: cos(a)}]}"),
        ("{type: velocity_constraint, terms: [{body: sleigh, at: [0, 0], component: vx, factor: "
         "-sin(heading)}, {body: sleigh, at: [0, 0], component: vy, factor: cos(heading)}]}"),
        "{type: velocity_constraint, terms: [{body: sleigh, at: [0, 0], component: vy, frame: "
        "body}]}"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        mech_text text = {.used = 0};
        put(&text,
            "holonom: 1\nspace: planar\nbodies:\n  sleigh: {mass: %g, inertia: %g, position: [%g, "
            "0], velocity: [%g, %.17g], omega: %g}\n"
            "joints:\n  blade: %s\nmeasures:\n  heading: {type: angle, body: "
            "sleigh}\nsimulation: {end: 2, tolerance: 1e-10}\n",
            m, I, a, u0, a * w0, w0, joints[i]);
        motion run = run_open(text.text);
        for (double t = 0.5; t <= 2; t += 0.5) {
            run_to(&run, t);
            const double x = a * c * (t + t0) / (k * k);
            const hol_pose p = pose_of(&run, "sleigh");
            const hol_twist w = twist_of(&run, "sleigh");
            near_to(w.omega[2], c / k / cosh(x), 1e-8, "turning rate");
            near_to(p.R[0] * w.v[0] + p.R[3] * w.v[1], c * tanh(x), 1e-8, "speed");
        }
        run_close(&run, 1e-10);
    }
}

/* The same on a plane in space, where the blade is also held down; the sleigh stands upright by a
 * joint. */
static void test_sleigh_in_space(void **state) {
    const double m = 2.3, I = 0.31, a = 0.4, u0 = 0.3, w0 = 3, k = sqrt(I / m + a * a),
                 c = sqrt(u0 * u0 + k * k * w0 * w0);
    const double t = 1.5, x = a * c * t / (k * k) + atanh(u0 / c);
    mech_text text = {.used = 0};
    (void)state;
    put(&text,
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  sleigh: {mass: %g, "
        "inertia: [0.2, 0.3, %g], position: [%g, 0, 0.1], "
        "velocity: [%g, %.17g, 0], omega: [0, 0, %g]}\njoints:\n  up: {type: parallel_axes, "
        "bodies: [ground, sleigh], axis: [0, 0, 1]}\n"
        "  blade: {type: knife_edge, bodies: [ground, sleigh], at: [0, 0, 0], axis: [1, 0, "
        "0]}\nsimulation: {end: 2, tolerance: 1e-10}\n",
        m, I, a, u0, a * w0, w0);
    motion run = run_open(text.text);
    run_to(&run, t);
    near_to(twist_of(&run, "sleigh").omega[2], c / k / cosh(x), 1e-8, "turning rate");
    near_to(pose_of(&run, "sleigh").r[2], 0.1, 1e-12, "height");
    run_close(&run, 1e-10);
}

/* ---- the bicycle ---- */

/* The bicycle at a speed, after a push sideways. */
static motion bicycle_open(double v, double push) {
    char text[64];
    motion run = {.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(run.ctx);
    if (hol_spec_read_file(spec, HOLONOM_TEST_MODELS "/bicycle.yaml"))
        fail_with_messages(run.ctx, "bicycle.yaml");
    snprintf(text, sizeof text, "%.17g", v);
    assert_int_equal(hol_spec_set(spec, "v", text, "test"), HOL_OK);
    snprintf(text, sizeof text, "%.17g", push);
    assert_int_equal(hol_spec_set(spec, "roll_rate", text, "test"), HOL_OK);
    run.model = hol_model_from_spec(run.ctx, spec, &run.options);
    if (!run.model) fail_with_messages(run.ctx, "bicycle.yaml");
    hol_spec_free(spec);
    run.sim = hol_sim_new(run.ctx, run.model, run.options);
    if (!run.sim) fail_with_messages(run.ctx, "bicycle.yaml");
    run.data = hol_sim_data(run.sim);
    return run;
}

/* Both wheels touch the ground and roll: independent of the rows. */
static void check_wheels(motion *run) {
    static const struct {
        const char *body;
        double r;
    } wheels[] = {{"rear", 0.3}, {"front", 0.35}};
    for (int i = 0; i < 2; i++) {
        const hol_pose p = pose_of(run, wheels[i].body);
        const hol_twist w = twist_of(run, wheels[i].body);
        const double axis[3] = {p.R[1], p.R[4], p.R[7]};
        double u[3] = {-axis[2] * axis[0], -axis[2] * axis[1], 1 - axis[2] * axis[2]}, arm[3],
               turn[3];
        const double length = hol__norm3(u);
        for (int k = 0; k < 3; k++) arm[k] = -wheels[i].r * u[k] / length;
        hol__cross3(w.omega, arm, turn);
        for (int k = 0; k < 3; k++) near_to(w.v[k] + turn[k], 0, 1e-10, "contact velocity");
        near_to(p.r[2] + arm[2], 0, 1e-11, "contact height");
    }
}

/* The roll angle is a sum of four modes with the published eigenvalues. The fastest is gone after
 * 1.5 s (e^-18 at the most); the others make samples at distance T satisfy the recurrence whose
 * characteristic roots are exp(lambda T). What is left is cubic in the angles (1e-2 rad at most)
 * and the mode that is gone. Below 4.292 m/s the weave grows, above 6.024 m/s the capsize, between
 * them all decay. */
static void test_bicycle(void **state) {
    static const struct {
        double v, capsize, weave, omega;
    } speeds[] = {{4, -1.429444273613326, 0.413253315211270, 3.079108186032045},
                  {5, -0.322866429004087, -0.775341882195845, 4.464867713788234},
                  {7, 0.102681705747656, -2.138756442583595, 7.195259133298000}};
    enum { SAMPLES = 24 };
    const double T = 0.15;
    (void)state;
    for (int s = 0; s < 3; s++) {
        motion run = bicycle_open(speeds[s].v, 0.004);
        double roll[SAMPLES], largest = 0, early = 0, late = 0;
        for (int i = 0; i < SAMPLES; i++) {
            run_to(&run, 1.5 + T * i);
            /* the y axis of the frame leaves the ground plane with the roll angle */
            roll[i] = asin(pose_of(&run, "frame").R[7]);
            largest = fmax(largest, fabs(roll[i]));
            if (i < SAMPLES / 2) early = fmax(early, fabs(roll[i]));
            if (i >= SAMPLES / 2) late = fmax(late, fabs(roll[i]));
        }
        /* (z - e^{capsize T}) (z^2 - 2 e^{weave T} cos(omega T) z + e^{2 weave T}) */
        const double a = exp(speeds[s].capsize * T),
                     b = 2 * exp(speeds[s].weave * T) * cos(speeds[s].omega * T),
                     c = exp(2 * speeds[s].weave * T);
        assert_true(largest > 1e-4 && largest < 0.01);
        for (int i = 0; i + 3 < SAMPLES; i++) {
            const double left =
                roll[i + 3] - (a + b) * roll[i + 2] + (c + a * b) * roll[i + 1] - a * c * roll[i];
            if (!(fabs(left) < 2e-4 * largest))
                fail_msg("%g m/s: the recurrence of the eigenvalues leaves %g of %g", speeds[s].v,
                         left, largest);
        }
        /* half of the samples are 1.8 s: e^(0.41 1.8) = 2.1, e^(-0.32 1.8) = 0.56, e^(0.10 1.8) =
         * 1.2 */
        if (speeds[s].v == 5 ? late > 0.8 * early : late < 1.1 * early)
            fail_msg("%g m/s: the roll goes from %g to %g", speeds[s].v, early, late);
        check_wheels(&run);
        run_close(&run, 1e-9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disk_in_steady_motion),
        cmocka_unit_test(test_coin_keeps_energy_and_does_not_slip),
        cmocka_unit_test(test_ball_on_a_slope),
        cmocka_unit_test(test_planar_disk),
        cmocka_unit_test(test_plate_on_a_disk_starts_as_drawn),
        cmocka_unit_test(test_chaplygin_sleigh),
        cmocka_unit_test(test_sleigh_in_space),
        cmocka_unit_test(test_bicycle),
    };
    return run_tests_of_models("tests", tests);
}
