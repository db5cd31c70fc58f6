/* test_elements_joints.c: joints, drivers and rolling contacts against solutions in closed form, and what they refuse.
 *
 * Runs use the tolerance 1e-10 of the local error; the errors of a whole run stay within a few hundred times that, and results are
 * compared at 1e-7 unless a sharper bound follows from the mathematics and is written beside it.
 */
#include "mechanism_fixture.h"

typedef struct motion {
    hol_context *ctx;
    hol_model *model;
    hol_sim *sim;
    hol_data *data;
} motion;

/* A simulation of a text at its start. */
static motion run_open(const char *text) {
    motion r = {.ctx = hol_context_new()};
    r.model = compile_text(r.ctx, text, "test.yaml");
    if (!r.model) fail_with_messages(r.ctx, text);
    r.sim = hol_sim_new(r.model);
    if (!r.sim) fail_with_messages(r.ctx, text);
    r.data = hol_sim_data(r.sim);
    return r;
}

static void run_to(motion *r, double t) {
    if (hol_sim_advance(r->sim, t)) fail_with_messages(r->ctx, "the run stopped");
    assert_true(hol_data_time(r->data) == t);
}

/* No constraint drifts and no energy is lost: both are held to rounding by the corrections, and to the tolerance by the integrator. */
static void run_close(motion *r, double energy) {
    const hol_sim_info info = hol_sim_describe(r->sim);
    assert_true(info.max_position_violation < 1e-11);
    assert_true(info.max_velocity_violation < 1e-10);
    if (!(info.relative_energy_error <= energy))
        fail_msg("the energy error is %g", info.relative_energy_error);
    hol_sim_free(r->sim);
    hol_model_free(r->model);
    hol_context_free(r->ctx);
}

static hol_pose pose_of(motion *r, const char *body) {
    return hol_data_body_pose(r->data, hol_model_body(r->model, body));
}

static hol_twist twist_of(motion *r, const char *body) {
    return hol_data_body_twist(r->data, hol_model_body(r->model, body));
}

static void near_to(double a, double b, double tolerance, const char *what) {
    check_close(a, b, tolerance, what, "");
}

static const double g = 9.81;

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

/* A disk whose axis keeps the angle th to the vertical while it precesses at W: from torque = rate of angular momentum,
 *     m g r cos th = W sin th (It W cos th - (Ia + m r^2) w3),   w3 the angular velocity about the axis. */
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
        /* the tilt stays, the axis precesses at W, and the centre goes round a circle of radius r w3 / W */
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

/* The sleigh: u forward, w its turning rate, mass centre a in front of the blade, k^2 = (I + m a^2)/m:
 *     u' = a w^2,  u^2 + k^2 w^2 = c^2   =>   u = c tanh(a c (t + t0)/k^2),   w = (c/k) / cosh(...). */
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
        ("{type: velocity_constraint, coordinates: {a: {measure: heading}}, terms: [{body: sleigh, "
         "at: [0, 0], component: vx, factor: -sin(a)}, {body: sleigh, at: [0, 0], component: vy, "
         "factor: cos(a)}]}"),
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

/* The same on a plane in space, where the blade is also held down; the sleigh stands upright by a joint. */
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

/* ---- gears ---- */

static void test_epicyclic_train(void **state) {
    const double zs = 24, zp = 18, zr = 60, ws = 7;
    (void)state;
    motion run = run_open("holonom: 1\nspace: planar\nbodies:\n  carrier: {mass: 1, inertia: 0.02, "
                          "position: [0, 0]}\n"
                          "  sun: {mass: 0.5, inertia: 0.003, position: [0, 0], omega: 7}\n  "
                          "planet: {mass: 0.3, inertia: 0.001, position: [0.21, 0]}\n"
                          "joints:\n  mesh: {type: gear, joints: [S, P], teeth: [24, 18]}\n  ring: "
                          "{type: gear, joints: [P, main], teeth: [18, 60], kind: internal}\n"
                          "  main: {type: revolute, bodies: [ground, carrier], at: [0, 0]}\n  S: "
                          "{type: revolute, bodies: [carrier, sun], at: [0, 0]}\n"
                          "  P: {type: revolute, bodies: [planet, carrier], at: [0.21, "
                          "0]}\nsimulation: {end: 1, tolerance: 1e-10}\n");
    run_to(&run, 1);
    /* Willis: (ws - wc)/(wr - wc) = -zr/zs with wr = 0, and (wp - wc) zp = -(ws - wc) zs */
    const double wc = ws / (1 + zr / zs), wp = wc - (ws - wc) * zs / zp;
    near_to(twist_of(&run, "carrier").omega[2], wc, 1e-11, "carrier");
    near_to(twist_of(&run, "planet").omega[2], wp, 1e-11, "planet");
    near_to(twist_of(&run, "sun").omega[2], ws, 1e-11, "sun");
    /* the contact of planet and ring is a point at rest, that of planet and sun moves alike in both */
    const hol_twist p = twist_of(&run, "planet");
    const hol_pose at = pose_of(&run, "planet");
    const double r = 0.21, rp = r * zp / (zs + zp), ex = at.r[0] / r, ey = at.r[1] / r;
    near_to(p.v[0] - p.omega[2] * rp * ey, 0, 1e-11, "ring x");
    near_to(p.v[1] + p.omega[2] * rp * ex, 0, 1e-11, "ring y");
    run_close(&run, 1e-12);
}

static void test_differential(void **state) {
    (void)state;
    /* w_c = (w_l + w_r)/2 and w_p = k (w_l - w_r)/2, k = 16/11, in the kinetic energy give two linear equations for w_l' and w_r' under the
     * torque M on the left shaft; the planet (alike about x and y) adds m d^2 + J_x to the cage */
    motion run = run_open(
        "holonom: 1\nspace: spatial\nbodies:\n  cage: {mass: 2, inertia: [0.03, 0.02, 0.02], "
        "position: [0, 0, 0]}\n"
        "  left: {mass: 1, inertia: [0.004, 0.003, 0.003], position: [-0.1, 0, 0], omega: [5, 0, "
        "0]}\n"
        "  right: {mass: 1, inertia: [0.006, 0.003, 0.003], position: [0.1, 0, 0], omega: [2, 0, "
        "0]}\n"
        "  planet: {mass: 0.2, inertia: [0.0002, 0.0002, 0.0003], position: [0, 0, "
        "0.06]}\njoints:\n"
        "  main: {type: revolute, bodies: [ground, cage], at: [0, 0, 0], axis: [1, 0, 0]}\n"
        "  L: {type: revolute, bodies: [left, cage], at: [-0.1, 0, 0], axis: [-1, 0, 0]}\n"
        "  R: {type: revolute, bodies: [cage, right], at: [0.1, 0, 0], axis: [1, 0, 0]}\n"
        "  P: {type: revolute, bodies: [cage, planet], at: [0, 0, 0.06], axis: [0, 0, 1]}\n"
        "  lp: {type: gear, joints: [L, P], teeth: [16, 11], kind: bevel}\n  rp: {type: gear, "
        "joints: [R, P], teeth: [16, 11], kind: bevel}\n"
        "forces:\n  M: {type: torque, body: left, torque: [0.05, 0, 0]}\nsimulation: {end: 1, "
        "tolerance: 1e-10}\n");
    const double M = 0.05, Il = 0.004, Ir = 0.006, Ic = 0.03 + 0.2 * 0.06 * 0.06 + 0.0002,
                 Jp = 0.0003 * (16.0 / 11) * (16.0 / 11), t = 0.7;
    const double ll = Il + (Ic + Jp) / 4, rr = Ir + (Ic + Jp) / 4, lr = (Ic - Jp) / 4,
                 det = ll * rr - lr * lr;
    run_to(&run, t);
    near_to(twist_of(&run, "left").omega[0], 5 + M * rr / det * t, 1e-9, "left");
    near_to(twist_of(&run, "right").omega[0], 2 - M * lr / det * t, 1e-9, "right");
    const double wl = twist_of(&run, "left").omega[0], wr = twist_of(&run, "right").omega[0];
    near_to(twist_of(&run, "cage").omega[0], 0.5 * (wl + wr), 1e-12, "mean");
    /* the planet turns in the cage at (w_l - w_c) 16/11, about the axis that the cage carries */
    const hol_pose cage = pose_of(&run, "cage");
    const hol_twist planet = twist_of(&run, "planet");
    const double z[3] = {cage.R[2], cage.R[5], cage.R[8]};
    near_to(fabs(hol__dot3(z, planet.omega)), fabs(0.5 * (wl - wr)) * 16 / 11, 1e-10, "planet");
    run_close(&run, 1e-10);
}

/* A belt and a rack move as their radii say; the power of the pair is zero, so energy is kept. */
static void test_belt_and_rack(void **state) {
    (void)state;
    for (int crossed = 0; crossed < 2; crossed++) {
        mech_text text = {.used = 0};
        put(&text,
            "holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 0.01, position: [0, 0], "
            "omega: 3}\n"
            "  b: {mass: 2, inertia: 0.08, position: [0.5, 0.1]}\n  c: {mass: 0.7, inertia: 0.02, "
            "position: [0.5, 0.3]}\njoints:\n"
            "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n  B: {type: revolute, bodies: "
            "[b, ground], at: [0.5, 0.1]}\n"
            "  C: {type: prismatic, bodies: [ground, c], at: [0.5, 0.3], axis: [-1, 0]}\n"
            "  belt: {type: belt, joints: [A, B], radii: [0.06, 0.17], crossed: %s}\n  rack: "
            "{type: rack_pinion, pinion: B, rack: C}\n"
            "simulation: {end: 1, tolerance: 1e-10}\n",
            crossed ? "true" : "false");
        motion run = run_open(text.text);
        run_to(&run, 1);
        const double wb = (crossed ? -1 : 1) * 3 * 0.06 / 0.17;
        near_to(twist_of(&run, "a").omega[2], 3, 1e-11, "a");
        near_to(twist_of(&run, "b").omega[2], wb, 1e-11, "b");
        /* the rack lies 0.2 above the wheel: its teeth move with w x r = -0.2 w */
        near_to(twist_of(&run, "c").v[0], -0.2 * wb, 1e-11, "rack");
        run_close(&run, 1e-12);
    }
}

static void test_screw_under_gravity(void **state) {
    const double m = 0.8, I = 0.0035, h = 0.25, p = h / (2 * acos(-1.0)),
                 a = g / (1 + I / (m * p * p));
    (void)state;
    motion run = run_open("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  nut: "
                          "{mass: 0.8, inertia: [0.002, 0.002, 0.0035], position: [0, 0, 1]}\n"
                          "joints:\n  thread: {type: screw, bodies: [ground, nut], at: [0, 0, 1], "
                          "axis: [0, 0, 1], pitch: 0.25}\n"
                          "measures:\n  turn: {type: joint_coordinate, joint: thread, component: "
                          "angle}\nsimulation: {end: 2, tolerance: 1e-10}\n");
    run_to(&run, 2);
    near_to(pose_of(&run, "nut").r[2], 1 - 0.5 * a * 4, 1e-9, "z");
    /* many full turns are counted */
    near_to(hol_data_measure(run.data, 0), -0.5 * a * 4 / p, 1e-9, "turn");
    assert_true(fabs(0.5 * a * 4 / p) > 12.6);
    run_close(&run, 1e-10);
}

/* ---- cams ---- */

static void test_cam_lift(void **state) {
    const double e = 0.03, R = 0.1, rho = 0.02, w = 6;
    (void)state;
    motion run =
        run_open("holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  cam: {mass: 1, "
                 "inertia: 0.004, position: [0, 0]}\n"
                 "  roller: {mass: 0.3, inertia: 0.001, position: [0, 0.11618950038622]}\n  flat: "
                 "{mass: 0.4, inertia: 0.002, position: [0, -0.1]}\n"
                 "joints:\n  A: {type: revolute, bodies: [ground, cam], at: [0, 0]}\n"
                 "  B: {type: prismatic, bodies: [ground, roller], at: [0, 0.15], axis: [0, 1]}\n"
                 "  C: {type: prismatic, bodies: [ground, flat], at: [0, -0.1], axis: [0, 1]}\n  "
                 "motor: {type: motor, joint: A, speed: 6}\n"
                 "  lift: {type: cam, bodies: [cam, roller], x: 0.03 + 0.1*cos(s), y: 0.1*sin(s), "
                 "point: [0, 0.11618950038622], radius: 0.02}\n"
                 "  push: {type: cam, bodies: [cam, flat], x: 0.03 + 0.1*cos(s), y: 0.1*sin(s), "
                 "point: [0.3, -0.1], face: [0, -1]}\n"
                 "simulation: {end: 2.5, tolerance: 1e-10}\n");
    for (double t = 0.25; t <= 2.5; t += 0.25) {
        run_to(&run, t);
        /* the centre of the circle is at e (cos wt, sin wt); two full turns and more. 15 digits of the drawn point */
        const double c = cos(w * t), s = sin(w * t);
        near_to(pose_of(&run, "roller").r[1], e * s + sqrt((R + rho) * (R + rho) - e * e * c * c),
                1e-9, "roller");
        near_to(pose_of(&run, "flat").r[1], e * s - R, 1e-9, "flat");
        near_to(twist_of(&run, "flat").v[1], e * w * c, 1e-8, "flat rate");
    }
    run_close(&run, 1e-9);
}

/* A closed spline through 24 points of a circle is a circle up to h^4 |C''''| / 384 with h = 2 pi R / 24: 1.2e-5 R. */
static void test_spline_cam(void **state) {
    mech_text text = {.used = 0};
    (void)state;
    put(&text, "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  cam: {mass: 1, inertia: "
               "0.004, position: [0, 0], omega: 9}\n"
               "  rod: {mass: 0.3, inertia: 0.001, position: [0, 0.12]}\njoints:\n  A: {type: "
               "revolute, bodies: [ground, cam], at: [0, 0]}\n"
               "  B: {type: prismatic, bodies: [ground, rod], at: [0, 0.12], axis: [0, 1]}\n"
               "  lift: {type: cam, bodies: [cam, rod], closed: true, radius: 0.02, point: [0, "
               "0.12], points: [");
    for (int i = 0; i < 24; i++)
        put(&text, "%s[%.17g, %.17g]", i ? ", " : "", 0.1 * cos(i * acos(-1.0) / 12),
            0.1 * sin(i * acos(-1.0) / 12));
    put(&text, "]}\nsimulation: {end: 2, tolerance: 1e-10}\n");
    motion run = run_open(text.text);
    for (double t = 0.2; t <= 2; t += 0.2) {
        run_to(&run, t);
        assert_true(fabs(pose_of(&run, "rod").r[1] - 0.12) < 1.5e-6);
    }
    run_close(&run, 1e-7);
}

/* A bead on the parabola y = x^2 has (1/2)(1 + 4 x^2) x'^2 + g x^2 = const and passes the bottom with sqrt(2 g h). */
static void test_bead_on_a_parabola(void **state) {
    (void)state;
    for (int spatial = 0; spatial < 2; spatial++) {
        motion run = run_open(
            spatial ? "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  bead: {mass: "
                      "0.2, inertia: 1e-4, position: [0.8, 0, 0.64]}\n"
                      "joints:\n  wire: {type: point_on_curve, bodies: [ground, bead], axis: [0, "
                      "-1, 0], x_axis: [1, 0, 0], x: s, y: s^2, s_from: -2, "
                      "s_to: 2, point: [0.8, 0, 0.64]}\nsimulation: {end: 2, tolerance: 1e-10}\n"
                    : "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  bead: {mass: "
                      "0.2, inertia: 1e-4, position: [0.8, 0.64]}\n"
                      "joints:\n  wire: {type: point_on_curve, bodies: [ground, bead], x: s, y: "
                      "s^2, s_from: -2, s_to: 2, point: [0.8, 0.64]}\n"
                      "simulation: {end: 2, tolerance: 1e-10}\n");
        for (double t = 0.1; t <= 2; t += 0.1) {
            run_to(&run, t);
            const hol_pose p = pose_of(&run, "bead");
            const hol_twist w = twist_of(&run, "bead");
            const double x = p.r[0], h = p.r[spatial ? 2 : 1];
            near_to(h, x * x, 1e-12, "on the wire");
            near_to(0.5 * (1 + 4 * x * x) * w.v[0] * w.v[0] + g * x * x, g * 0.64, 1e-8,
                    "energy of the bead");
        }
        run_close(&run, 1e-9);
    }
}

/* ---- drivers ---- */

/* x(t) = 0.4 t + 0.3 sin 2t given as itself, as its rate and as its second derivative. */
static void test_motors_at_three_levels(void **state) {
    static const char *const laws[] = {"angle: 0.4*t + 0.3*sin(2*t)", "speed: 0.4 + 0.6*cos(2*t)",
                                       "acceleration: -1.2*sin(2*t), initial_rate: 1.0"};
    double torque[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        mech_text text = {.used = 0};
        put(&text,
            "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  rod: {mass: 1.2, inertia: "
            "0.13, along: [[0, 0], [0.9, 0]]}\njoints:\n"
            "  motor: {type: motor, joint: A, %s}\n  A: {type: revolute, bodies: [ground, rod], "
            "at: [0, 0]}\n"
            "simulation: {end: 3, tolerance: 1e-10}\n",
            laws[i]);
        motion run = run_open(text.text);
        run_to(&run, 2.7);
        const double x = 0.4 * 2.7 + 0.3 * sin(5.4);
        const hol_pose p = pose_of(&run, "rod");
        near_to(atan2(p.R[3], p.R[0]), x, 1e-8, "angle");
        near_to(twist_of(&run, "rod").omega[2], 0.4 + 0.6 * cos(5.4), 1e-8, "speed");
        hol_sim_step(run.sim);
        torque[i] = hol_data_reaction(run.data, hol_model_joint(run.model, "motor")).moment[2];
        /* what ground receives is the opposite of the torque on the rod, (I + m l^2/4) x'' + m g l/2 cos x */
        const double t = hol_data_time(run.data), y = 0.4 * t + 0.3 * sin(2 * t);
        near_to(-torque[i], (0.13 + 1.2 * 0.2025) * -1.2 * sin(2 * t) + 1.2 * g * 0.45 * cos(y),
                1e-6, "torque");
        run_close(&run, 1e-9);
    }
}

/* A distance, a component and an angle about an axis in space follow their laws. */
static void test_drivers_in_space(void **state) {
    (void)state;
    motion run = run_open(
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  a: {mass: 1, inertia: "
        "[0.02, 0.03, 0.04], position: [0.5, 0, 0]}\n"
        "joints:\n  ball: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
        "  d: {type: driver, bodies: [ground, a], from: [1, 1, 0.2], to: [0.5, 0, 0], position: "
        "1.1357816691600546 + 0.1*sin(2*t)}\n"
        "  z: {type: driver, body: a, at: [0.5, 0, 0], component: z, velocity: 0.1*cos(t)}\n"
        "  r: {type: driver, bodies: [ground, a], axis: [1, 0, 0], acceleration: 0.5, "
        "initial_rate: 0.2}\n"
        "measures:\n  l: {type: distance, bodies: [ground, a], from: [1, 1, 0.2], to: [0.5, 0, "
        "0]}\n  z: {type: position, body: a, component: z}\n"
        "simulation: {end: 1, tolerance: 1e-10}\n");
    run_to(&run, 0.8);
    near_to(hol_data_measure(run.data, hol_model_measure_index(run.model, "l")),
            1.1357816691600546 + 0.1 * sin(1.6), 1e-9, "distance");
    near_to(hol_data_measure(run.data, hol_model_measure_index(run.model, "z")), 0.1 * sin(0.8),
            1e-9, "z");
    /* the twist of the rotation about x: 2 atan2(p1, p0), in half angles from the matrix */
    const hol_pose p = pose_of(&run, "a");
    near_to(2 * atan2(p.R[7] - p.R[5], 1 + p.R[0] + p.R[4] + p.R[8]), 0.2 * 0.8 + 0.25 * 0.64, 1e-9,
            "twist");
    run_close(&run, 1e-9);
}

/* Every kind of coordinate follows x(t) = x0 + 0.4 t + 0.3 sin 2t, x0 as drawn, when it is given as itself, as its rate and as its second
 * derivative; named by its keys, and by a measure of it. */
static void test_drivers_at_three_levels(void **state) {
    static const struct {
        int spatial;
        const char *what, *joint, *keys, *measure;
        double x0;
    } cases[] = {
        {0, "angle of a revolute joint", "A: {type: revolute, bodies: [ground, a], at: [0.1, 0.2]}",
         "joint: A", "joint_coordinate, joint: A", 0},
        {0, "displacement of a prismatic joint",
         "A: {type: prismatic, bodies: [b, a], at: [0.1, 0.2], axis: [3, 4]}", "joint: A",
         "joint_coordinate, joint: A", 0},
        {0, "distance", NULL, "bodies: [b, a], from: [0.2, 2.3], to: [0.5, 0.1]",
         "distance, bodies: [b, a], from: [0.2, 2.3], to: [0.5, 0.1]", 2.2203603311174516},
        {0, "point", NULL, "body: a, at: [0.7, -0.3], component: y",
         "position, body: a, at: [0.7, -0.3], component: y", -0.3},
        {0, "angle of a body", NULL, "body: a, component: angle", "angle, body: a", 0.35},
        {0, "angle of two bodies", NULL, "bodies: [b, a]", "angle, body: a, relative_to: b", 0},
        {1, "angle of a cylindrical joint",
         "A: {type: cylindrical, bodies: [b, a], at: [0.1, 0.2, 0.3], axis: [1, 2, 2]}",
         "joint: A, component: angle", "joint_coordinate, joint: A, component: angle", 0},
        {1, "displacement of a cylindrical joint",
         "A: {type: cylindrical, bodies: [ground, a], at: [0.1, 0.2, 0.3], axis: [1, 2, 2]}",
         "joint: A", "joint_coordinate, joint: A", 0},
        {1, "distance", NULL, "bodies: [ground, a], from: [0.2, 2.3, 0.4], to: [0.5, 0.1, 0.7]",
         "distance, bodies: [ground, a], from: [0.2, 2.3, 0.4], to: [0.5, 0.1, 0.7]",
         2.240535650240808},
        {1, "point", NULL, "body: a, at: [0.7, -0.3, 0.2], component: z",
         "position, body: a, at: [0.7, -0.3, 0.2], component: z", 0.2},
        {1, "angle of two bodies", NULL, "bodies: [b, a], axis: [0, 0.6, 0.8]",
         "angle, body: a, relative_to: b, axis: [0, 0.6, 0.8]", 0},
    };
    static const char *const laws[] = {"position: %.17g + 0.4*t + 0.3*sin(2*t)",
                                       "velocity: 0.4 + 0.6*cos(2*t)",
                                       "acceleration: -1.2*sin(2*t), initial_rate: 1"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int way = 0; way < 6; way++) {
            mech_text text = {.used = 0};
            char law[128], what[128];
            /* the angle of a body counts from the x axis, the measure of two bodies in the plane as well: -0.9 and 0.35 as drawn */
            const int absolute =
                strcmp(cases[i].what, "angle of two bodies") == 0 && !cases[i].spatial;
            const double x0 = absolute && way >= 3 ? 0.35 + 0.9 : cases[i].x0;
            snprintf(law, sizeof law, laws[way % 3], x0);
            snprintf(what, sizeof what, "%s, way %d", cases[i].what, way);
            put(&text,
                cases[i].spatial
                    ? "holonom: 1\nspace: spatial\ngravity: [0.3, -0.2, -9.81]\nbodies:\n  a: "
                      "{mass: 1.3, inertia: [0.02, 0.03, 0.04], position: [0.5, 0.1, 0.2]}\n  "
                      "b: {mass: 2.1, inertia: [0.2, 0.3, 0.4], position: [-0.4, 0.1, 0.6]}\n"
                    : "holonom: 1\nspace: planar\ngravity: [0.3, -9.81]\nbodies:\n  a: {mass: "
                      "1.3, inertia: 0.02, position: [0.5, 0.1], angle: 0.35}\n  b: {mass: "
                      "2.1, inertia: 0.3, position: [-0.4, 0.1], angle: -0.9}\n");
            put(&text, "joints:\n");
            if (cases[i].joint) put(&text, "  %s\n", cases[i].joint);
            put(&text,
                "  J: {type: driver, %s, %s}\nmeasures:\n  m: {type: %s}\nsimulation: {end: 2, "
                "tolerance: 1e-10}\n",
                way >= 3 ? "measure: m" : cases[i].keys, law, cases[i].measure);
            motion run = run_open(text.text);
            const double drawn = hol_data_measure(run.data, 0), t = 1.3;
            run_to(&run, t);
            near_to(hol_data_measure(run.data, 0) - drawn, 0.4 * t + 0.3 * sin(2 * t), 1e-8, what);
            run_close(&run, 1e-8);
        }
}

/* Position and velocity couplers follow their equations, over full turns. */
static void test_couplers(void **state) {
    (void)state;
    motion run = run_open("holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1.2, inertia: 0.1, "
                          "position: [0, 0], omega: 4}\n"
                          "  b: {mass: 0.7, inertia: 0.05, position: [2, 0]}\n  c: {mass: 0.4, "
                          "inertia: 0.01, position: [3, 0]}\njoints:\n"
                          "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n  B: {type: "
                          "revolute, bodies: [ground, b], at: [2, 0]}\n"
                          "  C: {type: prismatic, bodies: [ground, c], at: [3, 0], axis: [0, 1]}\n"
                          "  f: {type: coupler, coordinates: {x: {joint: A}, y: {joint: B}}, "
                          "equation: y - 0.2*sin(x) - 0.3*x}\n"
                          "  v: {type: velocity_coupler, coordinates: {x: {joint: A}, s: {joint: "
                          "C}}, factors: [0.1*cos(x), 1], value: 0.02*t}\n"
                          "measures:\n  x: {type: joint_coordinate, joint: A}\n  y: {type: "
                          "joint_coordinate, joint: B}\n  s: {type: joint_coordinate, joint: C}\n"
                          "simulation: {end: 3, tolerance: 1e-10}\n");
    run_to(&run, 3);
    const double x = hol_data_measure(run.data, 0);
    assert_true(x > 7);
    near_to(hol_data_measure(run.data, 1), 0.2 * sin(x) + 0.3 * x, 1e-11, "coupler");
    /* s' = 0.02 t - 0.1 cos(x) x' can be integrated */
    near_to(hol_data_measure(run.data, 2), 0.01 * 9 - 0.1 * sin(x), 1e-8, "velocity coupler");
    run_close(&run, 1e-9);
}

/* ---- shafts and links ---- */

/* At 40 deg a constant-velocity joint passes the rate on unchanged; Hooke's joint has w2 = w1 cos b / (1 - sin^2 b cos^2 psi). */
static void test_constant_velocity_joint(void **state) {
    const double b = 40 * acos(-1.0) / 180;
    (void)state;
    for (int cv = 0; cv < 2; cv++) {
        mech_text text = {.used = 0};
        put(&text,
            "holonom: 1\nspace: spatial\nparameters: {b: 40 deg}\nbodies:\n  in: {mass: 1, "
            "inertia: [0.01, 0.02, 0.02], along: [[-0.4, 0, 0], [0, 0, 0]]}\n"
            "  out: {mass: 1.3, inertia: [0.03, 0.05, 0.05], along: [[0, 0, 0], [0.5*cos(b), "
            "0.5*sin(b), 0]]}\njoints:\n"
            "  A: {type: revolute, bodies: [ground, in], at: [-0.3, 0, 0], axis: [1, 0, 0]}\n"
            "  B: {type: parallel_axes, bodies: [ground, out], axis: [cos(b), sin(b), 0]}\n  "
            "motor: {type: motor, joint: A, angle: 3*t + 0.2*sin(5*t)}\n"
            "  J: {%s}\nsimulation: {end: 2, tolerance: 1e-10}\n",
            cv ? "type: constant_velocity, bodies: [in, out], at: [0, 0, 0], axis: [1, 0, 0], "
                 "axis_second: [cos(b), sin(b), 0]"
               : "type: universal, bodies: [in, out], at: [0, 0, 0], axis: [0, 0, 1], axis_second: "
                 "[-sin(b), cos(b), 0]");
        motion run = run_open(text.text);
        double differs = 0;
        for (double t = 0.25; t <= 2; t += 0.25) {
            run_to(&run, t);
            const hol_twist in = twist_of(&run, "in"), out = twist_of(&run, "out");
            const double w1 = in.omega[0], w2 = cos(b) * out.omega[0] + sin(b) * out.omega[1],
                         psi = 3 * t + 0.2 * sin(5 * t);
            /* the fork of the input stands upright at the start: its cross is in the plane of the shafts a quarter turn later */
            near_to(w2, cv ? w1 : w1 * cos(b) / (1 - sin(b) * sin(b) * sin(psi) * sin(psi)), 1e-8,
                    "rate");
            differs = fmax(differs, fabs(w2 - w1));
        }
        assert_true(cv ? differs < 1e-9 : differs > 0.3);
        run_close(&run, 1e-9);
    }
}

/* A massless link against a rod with a ten-millionth of the mass: the motions differ in proportion. */
static void compare_links(const char *head, const char *link, const char *rod_body,
                          const char *rod_joints, const char *body, double tolerance) {
    hol_pose found[2];
    for (int rod = 0; rod < 2; rod++) {
        mech_text text = {.used = 0};
        put(&text, "%s%sjoints:\n%s%s\nsimulation: {end: 1, tolerance: 1e-10}\n", head,
            rod ? rod_body : "", rod ? rod_joints : link, "");
        motion run = run_open(text.text);
        run_to(&run, 0.9);
        found[rod] = pose_of(&run, body);
        run_close(&run, 1e-8);
    }
    for (int i = 0; i < 3; i++) near_to(found[0].r[i], found[1].r[i], tolerance, "position");
    for (int i = 0; i < 9; i++) near_to(found[0].R[i], found[1].R[i], tolerance, "orientation");
}

static void test_massless_links(void **state) {
    (void)state;
    compare_links("holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  crank: {mass: 1, "
                  "inertia: 0.02, along: [[0, 0], [0.3, 0.4]]}\n"
                  "  rocker: {mass: 2, inertia: 0.1, along: [[1.2, 0], [1, 0.9]]}\n",
                  "  O: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n  Q: {type: "
                  "revolute, bodies: [ground, rocker], at: [1.2, 0]}\n"
                  "  link: {type: revolute_revolute, bodies: [crank, rocker], from: [0.3, 0.4], "
                  "to: [1, 0.9]}\n",
                  "  rod: {mass: 1e-7, inertia: 1e-8, along: [[0.3, 0.4], [1, 0.9]]}\n",
                  "  O: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n  Q: {type: "
                  "revolute, bodies: [ground, rocker], at: [1.2, 0]}\n"
                  "  A: {type: revolute, bodies: [crank, rod], at: [0.3, 0.4]}\n  B: {type: "
                  "revolute, bodies: [rod, rocker], at: [1, 0.9]}\n",
                  "rocker", 1e-5);
    const char *head = "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                       "  body: {mass: 2, inertia: [0.05, 0.08, 0.1], position: [0.6, 0.1, -0.1], "
                       "omega: [0.4, 0, 0]}\n";
    /* a body on a ball joint and a link with a revolute foot */
    compare_links(head,
                  "  ball: {type: spherical, bodies: [ground, body], at: [1.1, 0, 0]}\n"
                  "  link: {type: revolute_spherical, bodies: [ground, body], from: [0, 0.3, 0.5], "
                  "to: [0.4, 0.1, 0], axis: [0.2, 1, 0.3]}\n",
                  "  rod: {mass: 1e-7, inertia: 1e-8, along: [[0, 0.3, 0.5], [0.4, 0.1, 0]]}\n",
                  "  ball: {type: spherical, bodies: [ground, body], at: [1.1, 0, 0]}\n"
                  "  A: {type: revolute, bodies: [ground, rod], at: [0, 0.3, 0.5], axis: [0.2, 1, "
                  "0.3]}\n  B: {type: spherical, bodies: [rod, body], at: [0.4, 0.1, 0]}\n",
                  "body", 1e-5);
    /* a body on a link with a revolute joint at each end: axes in general directions, in one plane with the link, and parallel */
    static const char *const axes[][2] = {{"[0.2, 1, 0.3]", "[1, 0.1, 0.7]"},
                                          {"[0, 0.5, -1]", "[0.4, 0.8, -2]"},
                                          {"[0.2, 1, 0.3]", "[0.2, 1, 0.3]"}};
    for (int i = 0; i < 3; i++) {
        char link[512], joints[512];
        snprintf(link, sizeof link,
                 "  link: {type: revolute_revolute, bodies: [ground, body], from: [0, 0.3, 0.5], "
                 "to: [0.4, 0.1, 0], axis: %s, axis_second: %s}\n",
                 axes[i][0], axes[i][1]);
        snprintf(joints, sizeof joints,
                 "  A: {type: revolute, bodies: [ground, rod], at: [0, 0.3, 0.5], axis: %s}\n  B: "
                 "{type: revolute, bodies: [rod, body], "
                 "at: [0.4, 0.1, 0], axis: %s}\n",
                 axes[i][0], axes[i][1]);
        compare_links(head, link,
                      "  rod: {mass: 1e-7, inertia: 1e-8, along: [[0, 0.3, 0.5], [0.4, 0.1, 0]]}\n",
                      joints, "body", 1e-5);
    }
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
    run.model = hol_model_compile(spec);
    if (!run.model) fail_with_messages(run.ctx, "bicycle.yaml");
    hol_spec_free(spec);
    run.sim = hol_sim_new(run.model);
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

/* The roll angle is a sum of four modes with the published eigenvalues. The fastest is gone after 1.5 s (e^-18 at the most); the others make
 * samples at distance T satisfy the recurrence whose characteristic roots are exp(lambda T). What is left is cubic in the
 * angles (1e-2 rad at most) and the mode that is gone. Below 4.292 m/s the weave grows, above 6.024 m/s the capsize, between them all decay. */
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
        /* half of the samples are 1.8 s: e^(0.41 1.8) = 2.1, e^(-0.32 1.8) = 0.56, e^(0.10 1.8) = 1.2 */
        if (speeds[s].v == 5 ? late > 0.8 * early : late < 1.1 * early)
            fail_msg("%g m/s: the roll goes from %g to %g", speeds[s].v, early, late);
        check_wheels(&run);
        run_close(&run, 1e-9);
    }
}

/* ---- refusals ---- */

static void test_refusals(void **state) {
    static const struct {
        int spatial;
        const char *joint, *message;
    } cases[] = {
        {0, "J: {type: gear, joints: [A, B], teeth: [10, 20]}", "no body in common"},
        {0, "J: {type: gear, joints: [A, A], teeth: [10, 20]}", "the same two bodies"},
        {0, "J: {type: gear, joints: [A, S], teeth: [10, 20]}", "must be revolute"},
        {0, "J: {type: gear, joints: [A, C], teeth: [10, -20]}", "positive"},
        {0, "J: {type: gear, joints: [A, C]}", "either `teeth` or `radii`"},
        {1, "J: {type: gear, joints: [A, C], teeth: [10, 20]}", "not parallel"},
        {0, "J: {type: spherical, bodies: [a, b], at: [0, 0]}", "does not exist in the plane"},
        {0, "J: {type: planar, bodies: [a, b], at: [0, 0]}", "does not exist in the plane"},
        {0, "J: {type: knife_edge, bodies: [a, a], axis: [1, 0]}", "twice"},
        {0, "J: {type: point_on_curve, bodies: [a, b], x: s, y: abs(s), point: [0, 0]}",
         "not differentiable"},
        {0, "J: {type: point_on_curve, bodies: [a, b], x: s, y: 's > 1 ? s : 0', point: [0, 0]}",
         "not differentiable"},
        {0,
         "J: {type: point_on_curve, bodies: [a, b], x: s, y: sqrt((s - 0.3)^2), s_from: -1, s_to: "
         "2, point: [0, 0]}",
         "a corner, a jump or no derivative at s = 0.3"},
        {0,
         "J: {type: point_on_curve, bodies: [a, b], x: s, y: '0.1*hypot(s, 0)', s_from: -1, s_to: "
         "2, point: [0, 0]}",
         "not differentiable"},
        {0,
         "J: {type: point_on_curve, bodies: [a, b], x: s, y: 'atan2(s - 0.1, 0)', s_from: -1, "
         "s_to: "
         "2, point: [0, 0]}",
         "not differentiable"},
        {0,
         "J: {type: point_on_curve, bodies: [a, b], x: s, y: cbrt(s), s_from: -1, s_to: 2, point: "
         "[0, 0]}",
         "not differentiable"},
        {0,
         "J: {type: point_on_curve, bodies: [a, b], x: s, y: s^0.5, s_from: 0, s_to: 2, point: [0, "
         "0]}",
         "not differentiable"},
        {0,
         "J: {type: point_on_curve, bodies: [a, b], x: s, y: 'mod(s, 1)', s_from: 0, s_to: 2, "
         "point: [0, 0]}",
         "has mod"},
        {0,
         "J: {type: point_on_curve, bodies: [a, b], x: s^3, y: s^2, s_from: -1, s_to: 1, point: "
         "[0, 0]}",
         "no tangent at s = 0"},
        {0,
         "J: {type: cam, bodies: [a, b], points: [[0, 0], [1, 0], [1, 0], [0, 1]], point: [0, 0]}",
         "not be differentiable"},
        {0, "J: {type: cam, bodies: [a, b], x: s, y: 0.1*s + t, point: [0, 0]}",
         "does not depend on time"},
        {0, "J: {type: cam, bodies: [a, b], x: s, y: 0.1*s, point: [0, 0], face: [0, 1]}",
         "touches the curve nowhere"},
        {0, "J: {type: motor, joint: A}", "exactly one of"},
        {0, "J: {type: motor, joint: A, angle: t, speed: 1}", "exactly one of"},
        {0, "J: {type: motor, joint: A, angle: t, initial_rate: 1}", "has a meaning only beside"},
        {0, "J: {type: driver, position: t}", "names no coordinate"},
        {0, "J: {type: driver, body: a, component: z, position: t}", "has no 'z'"},
        {0, "J: {type: driver, joint: A, body: a, position: t}", "has no meaning beside 'joint'"},
        {0, "J: {type: driver, joint: J, position: t}", "no axis and no coordinate"},
        {0, "J: {type: driver, measure: nothing, position: t}", "there is no measure 'nothing'"},
        {0, "J: {type: driver, measure: place, position: t}", "name one component"},
        {0, "J: {type: driver, measure: quick.x, position: t}", "is no coordinate"},
        {0, "J: {type: driver, measure: sum, position: t}", "is no coordinate"},
        {0, "J: {type: driver, measure: place.x, component: x, position: t}",
         "has no meaning beside 'measure'"},
        {0, "J: {type: coupler, coordinates: {x: {joint: A}}, equation: t}",
         "none of the coordinates"},
        {0, "J: {type: coupler, coordinates: {x: {joint: A}}, factors: [1, 2]}",
         "one factor for each"},
        {0, "J: {type: coupler, coordinates: {t: {joint: A}}, factors: [1]}",
         "has a meaning already"},
        {0, "J: {type: coupler, coordinates: {x: {joint: A}}, equation: x - y}",
         "unknown name 'y'"},
        {0, "J: {type: velocity_constraint, terms: [{body: a, component: vz}]}",
         "no velocity in a planar model"},
        {1,
         "J: {type: revolute_spherical, bodies: [a, b], from: [0, 0, 0], to: [1, 0, 0], axis: [2, "
         "0, 0]}",
         "turn on the spot"},
        {1, "J: {type: constant_angle, bodies: [a, b], axis: [1, 0, 0], axis_second: [1, 0, 0]}",
         "parallel_axes"},
        {1, "J: {type: rolling_disk, bodies: [ground, a], axis: [0, 0, 1], radius: 0.1}",
         "lying flat"},
        {1, "J: {type: rack_pinion, pinion: A, rack: S}", "joints of one carrier"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mech_text text = {.used = 0};
        char line[2048];
        int found = 0;
        const char *zero = cases[i].spatial ? "[0, 0, 0]" : "[0, 0]";
        put(&text,
            "holonom: 1\nspace: %s\nbodies:\n  a: {mass: 1, inertia: 1, position: %s}\n  b: {mass: "
            "1, inertia: 1, position: %s}\n"
            "  c: {mass: 1, inertia: 1, position: %s}\njoints:\n",
            cases[i].spatial ? "spatial" : "planar", zero, zero, zero);
        put(&text, "  A: {type: revolute, bodies: [ground, a], at: %s%s}\n", zero,
            cases[i].spatial ? ", axis: [0, 0, 1]" : "");
        put(&text, "  B: {type: revolute, bodies: [b, c], at: %s%s}\n", zero,
            cases[i].spatial ? ", axis: [0, 0, 1]" : "");
        put(&text, "  C: {type: revolute, bodies: [ground, c], at: %s%s}\n", zero,
            cases[i].spatial ? ", axis: [1, 0, 1]" : "");
        put(&text, "  S: {type: prismatic, bodies: [b, c], at: %s%s}\n", zero,
            cases[i].spatial ? ", axis: [1, 0, 0]" : ", axis: [1, 0]");
        put(&text,
            "  %s\nmeasures:\n  place: {type: position, body: a}\n  quick: {type: velocity, body: "
            "a}\n  sum: {type: expression, value: place.x + 1}\n",
            cases[i].joint);
        hol_context *ctx = hol_context_new();
        hol_model *model = compile_text(ctx, text.text, "test.yaml");
        if (model) fail_msg("compiled: %s", cases[i].joint);
        for (int k = 0; k < hol_message_count(ctx); k++) {
            hol_message_format(hol_message_get(ctx, k), line, sizeof line);
            /* the message names the line of the joint */
            found |=
                strstr(line, cases[i].message) != NULL && strstr(line, "test.yaml:12:") != NULL;
        }
        if (!found) fail_with_messages(ctx, cases[i].joint);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disk_in_steady_motion),
        cmocka_unit_test(test_coin_keeps_energy_and_does_not_slip),
        cmocka_unit_test(test_ball_on_a_slope),
        cmocka_unit_test(test_planar_disk),
        cmocka_unit_test(test_chaplygin_sleigh),
        cmocka_unit_test(test_sleigh_in_space),
        cmocka_unit_test(test_epicyclic_train),
        cmocka_unit_test(test_differential),
        cmocka_unit_test(test_belt_and_rack),
        cmocka_unit_test(test_screw_under_gravity),
        cmocka_unit_test(test_cam_lift),
        cmocka_unit_test(test_spline_cam),
        cmocka_unit_test(test_bead_on_a_parabola),
        cmocka_unit_test(test_motors_at_three_levels),
        cmocka_unit_test(test_drivers_in_space),
        cmocka_unit_test(test_drivers_at_three_levels),
        cmocka_unit_test(test_couplers),
        cmocka_unit_test(test_constant_velocity_joint),
        cmocka_unit_test(test_massless_links),
        cmocka_unit_test(test_bicycle),
        cmocka_unit_test(test_refusals),
    };
    if (!reads_yaml()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
