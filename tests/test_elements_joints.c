/* test_elements_joints.c: gears, cams, curves, shafts and massless links against solutions in
 * closed form, and what joints refuse. */
#include "motion_fixture.h"

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
    /* the contact of planet and ring is a point at rest, that of planet and sun moves alike in
     * both */
    const hol_twist p = twist_of(&run, "planet");
    const hol_pose at = pose_of(&run, "planet");
    const double r = 0.21, rp = r * zp / (zs + zp), ex = at.r[0] / r, ey = at.r[1] / r;
    near_to(p.v[0] - p.omega[2] * rp * ey, 0, 1e-11, "ring x");
    near_to(p.v[1] + p.omega[2] * rp * ex, 0, 1e-11, "ring y");
    run_close(&run, 1e-12);
}

static void test_differential(void **state) {
    (void)state;
    /* w_c = (w_l + w_r)/2 and w_p = k (w_l - w_r)/2, k = 16/11, in the kinetic energy give two
     * linear equations for w_l' and w_r' under the torque M on the left shaft; the planet (alike
     * about x and y) adds m d^2 + J_x to the cage */
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
    near_to(measure_of(run.data, 0), -0.5 * a * 4 / p, 1e-9, "turn");
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
        /* the centre of the circle is at e (cos wt, sin wt); two full turns and more. 15 digits of
         * the drawn point */
        const double c = cos(w * t), s = sin(w * t);
        near_to(pose_of(&run, "roller").r[1], e * s + sqrt((R + rho) * (R + rho) - e * e * c * c),
                1e-9, "roller");
        near_to(pose_of(&run, "flat").r[1], e * s - R, 1e-9, "flat");
        near_to(twist_of(&run, "flat").v[1], e * w * c, 1e-8, "flat rate");
    }
    run_close(&run, 1e-9);
}

/* A closed spline through 24 points of a circle is a circle up to h^4 |C''''| / 384 with h = 2 pi R
 * / 24: 1.2e-5 R. */
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

/* A bead on the parabola y = x^2 has (1/2)(1 + 4 x^2) x'^2 + g x^2 = const and passes the bottom
 * with sqrt(2 g h). */
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

/* ---- shafts and links ---- */

/* At 40 deg a constant-velocity joint passes the rate on unchanged; Hooke's joint has w2 = w1 cos b
 * / (1 - sin^2 b cos^2 psi). */
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
            /* the fork of the input stands upright at the start: its cross is in the plane of the
             * shafts a quarter turn later */
            near_to(w2, cv ? w1 : w1 * cos(b) / (1 - sin(b) * sin(b) * sin(psi) * sin(psi)), 1e-8,
                    "rate");
            differs = fmax(differs, fabs(w2 - w1));
        }
        assert_true(cv ? differs < 1e-9 : differs > 0.3);
        run_close(&run, 1e-9);
    }
}

/* A massless link against a rod with a ten-millionth of the mass: the motions differ in
 * proportion. */
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
    /* a body on a link with a revolute joint at each end: axes in general directions, in one plane
     * with the link, and parallel */
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

/* ---- refusals ---- */

/* Joints that cannot be, and words of the message. */
static const struct {
    int spatial;
    const char *joint, *message;
} refused[] = {
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
    {0, "J: {type: cam, bodies: [a, b], points: [[0, 0], [1, 0], [1, 0], [0, 1]], point: [0, 0]}",
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
    {0, "J: {type: driver, joint: J, position: t}", "no axis to act about or along"},
    {0, "J: {type: driver, measure: nothing, position: t}", "there is no measure 'nothing'"},
    {0, "J: {type: driver, measure: place, position: t}", "name one component"},
    {0, "J: {type: driver, measure: quick.x, position: t}", "is not a coordinate"},
    {0, "J: {type: driver, measure: sum, position: t}", "is not a coordinate"},
    {0, "J: {type: driver, measure: place.x, component: x, position: t}",
     "has no meaning beside 'measure'"},
    {0, "J: {type: velocity_constraint, terms: [{body: a, component: vx, factor: quick.x}]}",
     "'quick.x' is not a coordinate"},
    {0, "J: {type: velocity_constraint, terms: [{body: a, component: vx, factor: sum}]}",
     "'sum' is not a coordinate"},
    {0,
     "J: {type: velocity_constraint, coordinates: {p: {joint: A}, q: {joint: B}, r: {joint: "
     "C}}, terms: [{body: a, component: vx, factor: place.x + place.y}]}",
     "more than 4"},
    {0, "J: {type: velocity_coupler, coordinates: {p: {joint: A}}, factors: [place.x]}",
     "is a measure, which may not be used here"},
    {0, "J: {type: coupler, coordinates: {x: {joint: A}}, equation: t}", "none of the coordinates"},
    {0, "J: {type: coupler, coordinates: {x: {joint: A}}, factors: [1, 2]}", "one factor for each"},
    {0, "J: {type: coupler, coordinates: {t: {joint: A}}, factors: [1]}", "has a meaning already"},
    {0, "J: {type: coupler, coordinates: {x: {joint: A}}, equation: x - y}", "unknown name 'y'"},
    {0, "J: {type: velocity_constraint, terms: [{body: a, component: vz}]}",
     "not a velocity in a planar model"},
    {1,
     "J: {type: revolute_spherical, bodies: [a, b], from: [0, 0, 0], to: [1, 0, 0], axis: [2, "
     "0, 0]}",
     "turn on the spot"},
    {1, "J: {type: constant_angle, bodies: [a, b], axis: [1, 0, 0], axis_second: [1, 0, 0]}",
     "parallel_axes"},
    {1, "J: {type: rolling_disk, bodies: [ground, a], axis: [0, 0, 1], radius: 0.1}", "lying flat"},
    {1, "J: {type: rack_pinion, pinion: A, rack: S}", "joints of one carrier"},
};

static void test_refusals(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        mech_text text = {.used = 0};
        char line[2048];
        int found = 0;
        const char *zero = refused[i].spatial ? "[0, 0, 0]" : "[0, 0]";
        put(&text,
            "holonom: 1\nspace: %s\nbodies:\n  a: {mass: 1, inertia: 1, position: %s}\n  b: {mass: "
            "1, inertia: 1, position: %s}\n"
            "  c: {mass: 1, inertia: 1, position: %s}\njoints:\n",
            refused[i].spatial ? "spatial" : "planar", zero, zero, zero);
        put(&text, "  A: {type: revolute, bodies: [ground, a], at: %s%s}\n", zero,
            refused[i].spatial ? ", axis: [0, 0, 1]" : "");
        put(&text, "  B: {type: revolute, bodies: [b, c], at: %s%s}\n", zero,
            refused[i].spatial ? ", axis: [0, 0, 1]" : "");
        put(&text, "  C: {type: revolute, bodies: [ground, c], at: %s%s}\n", zero,
            refused[i].spatial ? ", axis: [1, 0, 1]" : "");
        put(&text, "  S: {type: prismatic, bodies: [b, c], at: %s%s}\n", zero,
            refused[i].spatial ? ", axis: [1, 0, 0]" : ", axis: [1, 0]");
        put(&text,
            "  %s\nmeasures:\n  place: {type: position, body: a}\n  quick: {type: velocity, body: "
            "a}\n  sum: {type: expression, value: place.x + 1}\n",
            refused[i].joint);
        hol_context *ctx = hol_context_new();
        hol_model *model = compile_text(ctx, text.text, "test.yaml", NULL);
        if (model) fail_msg("compiled: %s", refused[i].joint);
        for (int k = 0; k < hol_message_count(ctx); k++) {
            hol_message_format(hol_message_get(ctx, k), line, sizeof line);
            /* the message names the line of the joint */
            found |=
                strstr(line, refused[i].message) != NULL && strstr(line, "test.yaml:12:") != NULL;
        }
        if (!found) fail_with_messages(ctx, refused[i].joint);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_epicyclic_train),    cmocka_unit_test(test_differential),
        cmocka_unit_test(test_belt_and_rack),      cmocka_unit_test(test_screw_under_gravity),
        cmocka_unit_test(test_cam_lift),           cmocka_unit_test(test_spline_cam),
        cmocka_unit_test(test_bead_on_a_parabola), cmocka_unit_test(test_constant_velocity_joint),
        cmocka_unit_test(test_massless_links),     cmocka_unit_test(test_refusals),
    };
    return run_tests_of_models("tests", tests);
}
