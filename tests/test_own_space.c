/* test_own_space.c: inverse dynamics, the terms of the equations and gear trains against
 * computations of their own, which know nothing of the library: an arm of three hinges askew by
 * Newton's and Euler's equations from joint to joint, a bevel differential by its energies, a
 * planetary gearbox of two stages by Willis's formula. */
#include "method_fixture.h"

enum { LINKS = 3 };

static const double points[LINKS][3] = {{0, 0, 0}, {0.1, 0.2, 0.4}, {0.55, 0.31, 0.62}},
                    axes[LINKS][3] = {{0.2, 0.1, 1}, {1, 0.3, -0.2}, {0.1, 1, 0.4}},
                    centres[LINKS][3] = {{0.04, 0.12, 0.2}, {0.3, 0.27, 0.5}, {0.71, 0.2, 0.83}},
                    masses[LINKS] = {3.1, 2.2, 1.37}, size[LINKS] = {0.7, 0.5, -0.9},
                    rate[LINKS] = {1.7, 2.9, 2.3};
/* Ixx, Iyy, Izz, Ixy, Ixz, Iyz */
static const double inertias[LINKS][6] = {{0.05, 0.06, 0.03, 0.004, -0.002, 0.003},
                                          {0.02, 0.03, 0.025, 0.001, 0.002, -0.004},
                                          {0.011, 0.009, 0.007, 0.0007, 0.0002, -0.0004}};

/* ---- by hand ---- */

static void cross(const double *a, const double *b, double *out) {
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void apply(const double R[9], const double *x, double *out) {
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}

/* R <- R exp([n] angle), by Rodrigues. */
static void turn(double R[9], const double n[3], double angle) {
    const double K[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
    double E[9], out[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++) square += K[3 * i + k] * K[3 * k + j];
            E[3 * i + j] = (i == j) + sin(angle) * K[3 * i + j] + (1 - cos(angle)) * square;
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) out[3 * i + j] += R[3 * i + k] * E[3 * k + j];
        }
    memcpy(R, out, sizeof out);
}

/* a + alpha x d + w x (w x d) */
static void carried(const double *a, const double *w, const double *alpha, const double *d,
                    double *out) {
    double x[3], y[3], z[3];
    cross(alpha, d, x);
    cross(w, d, y);
    cross(w, y, z);
    for (int i = 0; i < 3; i++) out[i] = a[i] + x[i] + z[i];
}

/* What a body takes: force, moment about its centre, the centre; and its hinge. */
typedef struct link {
    double force[3], moment[3], centre[3], hinge[3], axis[3];
} link_load;

/* R J R^T x, J of a body in its drawn position */
static void turned_inertia(const double R[9], const double *J, const double *x, double *out) {
    const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
    double back[3], mid[3];
    for (int i = 0; i < 3; i++) back[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
    apply(full, back, mid);
    apply(R, mid, out);
}

/* Angles of the hinges with their rates; gravity is an acceleration of the ground. */
typedef struct pose_of_arm {
    double q[LINKS], v[LINKS], a[LINKS], gravity;
} pose_of_arm;

/* Joint by joint outwards. */
static void outwards(const pose_of_arm *at, link_load link[LINKS]) {
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, w[3] = {0}, alpha[3] = {0};
    double a[3] = {0, 0, at->gravity};
    double hinge[3] = {0};
    for (int i = 0; i < LINKS; i++) {
        const double q = at->q[i], v = at->v[i], vv = at->a[i],
                     length = sqrt(axes[i][0] * axes[i][0] + axes[i][1] * axes[i][1] +
                                   axes[i][2] * axes[i][2]);
        double n[3], own[3], d[3], arm[3], x[3], y[3], at_hinge[3];
        for (int k = 0; k < 3; k++) own[k] = axes[i][k] / length;
        for (int k = 0; k < 3; k++) d[k] = i ? points[i][k] - points[i - 1][k] : points[i][k];
        apply(R, d, arm);
        carried(a, w, alpha, arm, at_hinge);
        memcpy(a, at_hinge, sizeof a);
        for (int k = 0; k < 3; k++) hinge[k] += arm[k];
        apply(R, own, n);
        turn(R, own, q);
        for (int k = 0; k < 3; k++) x[k] = n[k] * v;
        cross(w, x, y);
        for (int k = 0; k < 3; k++) alpha[k] += n[k] * vv + y[k], w[k] += x[k];
        for (int k = 0; k < 3; k++) d[k] = centres[i][k] - points[i][k];
        apply(R, d, arm);
        carried(a, w, alpha, arm, x);
        for (int k = 0; k < 3; k++) {
            link[i].force[k] = masses[i] * x[k];
            link[i].centre[k] = hinge[k] + arm[k];
            link[i].hinge[k] = hinge[k];
            link[i].axis[k] = n[k];
        }
        turned_inertia(R, inertias[i], w, x);
        cross(w, x, y);
        turned_inertia(R, inertias[i], alpha, x);
        for (int k = 0; k < 3; k++) link[i].moment[k] = x[k] + y[k];
    }
}

/* The torque of each hinge: what all bodies behind it take, about its axis. */
static void torques(const pose_of_arm *at, double out[LINKS]) {
    link_load link[LINKS];
    outwards(at, link);
    for (int i = 0; i < LINKS; i++) {
        out[i] = 0;
        for (int k = i; k < LINKS; k++) {
            double arm[3], moment[3];
            for (int c = 0; c < 3; c++) arm[c] = link[k].centre[c] - link[i].hinge[c];
            cross(arm, link[k].force, moment);
            for (int c = 0; c < 3; c++) out[i] += link[i].axis[c] * (link[k].moment[c] + moment[c]);
        }
    }
}

/* As the drivers move it. */
static pose_of_arm driven(double t) {
    pose_of_arm out = {.gravity = 9.81};
    for (int i = 0; i < LINKS; i++) {
        out.q[i] = size[i] * sin(rate[i] * t);
        out.v[i] = size[i] * rate[i] * cos(rate[i] * t);
        out.a[i] = -rate[i] * rate[i] * out.q[i];
    }
    return out;
}

/* ---- the library ---- */

static hol_status take(void *user, hol_sim *sim) {
    return hol_inverse_take(user, hol_sim_data(sim));
}

/* The arm as a text; free: it starts at these angles and rates, and nothing drives it. */
static void write_arm(char *text, size_t room, const pose_of_arm *free) {
    static const char *const before[LINKS] = {"ground", "b0", "b1"};
    size_t n = (size_t)snprintf(text, room, "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n");
    n += (size_t)snprintf(text + n, room - n, "bodies:\n");
    for (int i = 0; i < LINKS; i++) {
        const double *J = inertias[i], *c = centres[i];
        n += (size_t)snprintf(text + n, room - n,
                              "  b%d: {mass: %g, inertia: [%g, %g, %g, %g, %g, %g], position: "
                              "[%g, %g, %g]}\n",
                              i, masses[i], J[0], J[1], J[2], J[3], J[4], J[5], c[0], c[1], c[2]);
    }
    n += (size_t)snprintf(text + n, room - n, "joints:\n");
    for (int i = 0; i < LINKS; i++) {
        n += (size_t)snprintf(text + n, room - n,
                              "  j%d: {type: revolute, bodies: [%s, b%d], at: [%g, %g, %g], "
                              "axis: [%g, %g, %g]",
                              i, before[i], i, points[i][0], points[i][1], points[i][2], axes[i][0],
                              axes[i][1], axes[i][2]);
        n += free ? (size_t)snprintf(text + n, room - n,
                                     ", start: {angle: %.17g, angle_rate: %.17g}}\n", free->q[i],
                                     free->v[i])
                  : (size_t)snprintf(text + n, room - n,
                                     "}\n  d%d: {type: driver, joint: j%d, position: "
                                     "%g*sin(%g*t)}\n",
                                     i, i, size[i], rate[i]);
    }
    snprintf(text + n, room - n, "simulation: {end: 1, output: 0.1, tolerance: 1e-9}\n");
}

/* The loads of the drivers, in all coordinates: within rounding of some N m. */
static void test_arm(void **unused) {
    char text[2048];
    (void)unused;
    write_arm(text, sizeof text, NULL);
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(text, settings);
        const hol_inverse_options how = {.size = sizeof how};
        hol_inverse *inverse;
        hol_answer *answer = NULL;
        assert_int_equal(hol_inverse_new(r.ctx, r.model, &how, &inverse), HOL_OK);
        const hol_observer observer = {.on_output = take, .user = inverse};
        assert_int_equal(hol_sim_run(r.sim, &observer), HOL_OK);
        assert_int_equal(hol_inverse_finish(inverse, &answer), HOL_OK);
        const hol_table t = answer_table(answer, "loads");
        assert_int_equal(t.rows, 11);
        for (int i = 0; i < t.rows; i++) {
            double wanted[LINKS];
            const pose_of_arm at = driven(answer_entry(&t, i, 0));
            torques(&at, wanted);
            for (int k = 0; k < LINKS; k++)
                check_near("torque", answer_entry(&t, i, 1 + k), wanted[k], 1e-11);
        }
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* M, Q and accelerations of the free arm in joint coordinates: M_ij is the torque of hinge i for a
 * unit acceleration of hinge j at rest without gravity, -Q that of no acceleration. */
static void test_terms(void **unused) {
    const pose_of_arm at = {.q = {0.4, -1.1, 0.7}, .v = {1.9, -0.6, 2.3}, .gravity = 9.81};
    char text[2048];
    double bias[LINKS];
    (void)unused;
    write_arm(text, sizeof text, &at);
    run r = run_text(text, "coordinates=relative");
    hol_answer *answer = NULL;
    assert_int_equal(hol_equations(r.ctx, r.sim, &answer), HOL_OK);
    const hol_table M = answer_table(answer, "M"), Q = answer_table(answer, "Q"),
                    a = answer_table(answer, "accelerations");
    torques(&at, bias);
    double left[LINKS];
    for (int i = 0; i < LINKS; i++) {
        check_near("Q", answer_entry(&Q, i, 0), -bias[i], 1e-12);
        left[i] = bias[i];
    }
    for (int j = 0; j < LINKS; j++) {
        pose_of_arm still = {.q = {at.q[0], at.q[1], at.q[2]}};
        double column[LINKS];
        still.a[j] = 1;
        torques(&still, column);
        for (int i = 0; i < LINKS; i++) {
            check_near("M", answer_entry(&M, i, j), column[i], 1e-14);
            left[i] += column[i] * answer_entry(&a, j, 0);
        }
    }
    for (int i = 0; i < LINKS; i++) check_near("M v' - Q", left[i], 0, 1e-11);
    hol_answer_free(answer);
    run_close(&r);
}

/* ---- a planetary gearbox ---- */

/* Two stages with rings that stand still: the carrier turns with z_s/(z_s + z_r) of the sun, and
 * the planet, which rolls in the ring, with 1 - z_r/z_p of the carrier. The mesh of the second sun
 * is a coupler, z_p planet + z_s sun = (z_p + z_s) carrier. A motor whose torque falls with its
 * speed, a load that rises with it: M, K, the root, and the power when it is steady. */
static void test_gearbox(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
        "  sun1: {mass: 0.6, inertia: 0.0021, position: [0, 0]}\n"
        "  planet1: {mass: 0.3, inertia: 0.0007, position: [0.105, 0]}\n"
        "  shaft: {mass: 2.3, inertia: 0.016, position: [0, 0]}\n"
        "  planet2: {mass: 0.5, inertia: 0.0013, position: [0, 0.12]}\n"
        "  out: {mass: 2.2, inertia: 0.031, position: [0, 0]}\njoints:\n"
        "  m1: {type: revolute, bodies: [ground, shaft], at: [0, 0]}\n"
        "  s1: {type: revolute, bodies: [shaft, sun1], at: [0, 0]}\n"
        "  p1: {type: revolute, bodies: [shaft, planet1], at: [0.105, 0]}\n"
        "  g1: {type: gear, joints: [s1, p1], teeth: [19, 23]}\n"
        "  r1: {type: gear, joints: [p1, m1], teeth: [23, 65], kind: internal}\n"
        "  m2: {type: revolute, bodies: [ground, out], at: [0, 0]}\n"
        "  s2: {type: coupler, coordinates: {a: {body: out, component: angle}, b: {body: planet2, "
        "component: angle}, c: {body: shaft, component: angle}}, factors: [-48, 27, 21]}\n"
        "  p2: {type: revolute, bodies: [out, planet2], at: [0, 0.12]}\n"
        "  r2: {type: gear, joints: [p2, m2], teeth: [27, 75], kind: internal}\nforces:\n"
        "  motor: {type: torque, body: sun1, torque: 12 - 0.03*w}\n"
        "  load: {type: torque, body: out, torque: -6.8*u}\nmeasures:\n"
        "  w: {type: angular_velocity, body: sun1}\n  u: {type: angular_velocity, body: out}\n"
        "simulation: {end: 4, tolerance: 1e-11}\n";
    static const char *const shafts[] = {"sun1.angle"};
    const double i1 = 19. / (19 + 65), i2 = 21. / (21 + 75), turn1 = i1 * (1 - 65. / 23),
                 turn2 = i1 * i2 * (1 - 75. / 27),
                 M = 0.0021 + 0.0007 * turn1 * turn1 + (0.016 + 0.3 * 0.105 * 0.105) * i1 * i1 +
                     0.0013 * turn2 * turn2 + (0.031 + 0.5 * 0.12 * 0.12) * i1 * i1 * i2 * i2,
                 K = 0.03 + 6.8 * i1 * i1 * i2 * i2, steady = 12 / K;
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(text, settings);
        const hol_gears_options how = {.size = sizeof how, .n_shafts = 1, .shafts = shafts};
        hol_answer *answer = NULL;
        assert_int_equal(hol_sim_run(r.sim, NULL), HOL_OK);
        assert_int_equal(hol_gears(r.ctx, r.sim, &how, &answer), HOL_OK);
        check_near("M", answer_table(answer, "M").values[0], M, 1e-15);
        check_near("K", answer_table(answer, "K").values[0], K, 1e-9);
        check_near("root", answer_table(answer, "eigenvalues").values[0], -K / M, 1e-6);
        /* after 56 time constants only the tolerance is left, 1e-11 of 257 rad/s and its sums */
        check_near("speed", run_measure(&r, "w"), steady, 1e-7);
        check_near("out", run_measure(&r, "u"), steady * i1 * i2, 1e-8);
        const hol_table power = answer_table(answer, "forces");
        check_near("motor", answer_entry(&power, 0, 0), (12 - 0.03 * steady) * steady, 1e-6);
        check_near("load", answer_entry(&power, 1, 0), -6.8 * pow(steady * i1 * i2, 2), 1e-6);
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* ---- a bevel differential ---- */

/* The cage turns with (a + b)/2 of the two wheels, the planet with (a - b)/2 z/z_p about its pin.
 * M over the wheels from T = 1/2 (I_a a^2 + I_b b^2 + C cage^2 + P planet^2), C with the planet
 * about the axis of the wheels. */
static void test_differential(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\nbodies:\n"
        "  left: {mass: 1.2, inertia: [0.0041, 0.003, 0.003], position: [-0.1, 0, 0]}\n"
        "  right: {mass: 0.9, inertia: [0.0057, 0.004, 0.004], position: [0.1, 0, 0]}\n"
        "  cage: {mass: 2.3, inertia: [0.021, 0.018, 0.017], position: [0, 0, 0]}\n"
        "  planet: {mass: 0.3, inertia: [0.0006, 0.0006, 0.0011], position: [0, 0, 0.07]}\n"
        "joints:\n"
        "  hub: {type: revolute, bodies: [ground, cage], at: [0, 0, 0], axis: [1, 0, 0]}\n"
        "  a: {type: revolute, bodies: [cage, left], at: [-0.1, 0, 0], axis: [1, 0, 0]}\n"
        "  b: {type: revolute, bodies: [cage, right], at: [0.1, 0, 0], axis: [1, 0, 0]}\n"
        "  pin: {type: revolute, bodies: [cage, planet], at: [0, 0, 0.07], axis: [0, 0, 1]}\n"
        "  ma: {type: gear, joints: [a, pin], teeth: [23, 17], kind: bevel}\n"
        "  mb: {type: gear, joints: [b, pin], teeth: [23, 17], kind: bevel}\n"
        "simulation: {end: 1}\n";
    static const char *const shafts[] = {"left.omega_x", "right.omega_x"};
    const double cage = 0.021 + 0.0006 + 0.3 * 0.07 * 0.07,
                 planet = 0.0011 * (23. / 17) * (23. / 17);
    const double wanted[4] = {0.0041 + (cage + planet) / 4, (cage - planet) / 4,
                              (cage - planet) / 4, 0.0057 + (cage + planet) / 4};
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(text, settings);
        const hol_gears_options how = {.size = sizeof how, .n_shafts = 2, .shafts = shafts};
        hol_answer *answer = NULL;
        assert_int_equal(hol_gears(r.ctx, r.sim, &how, &answer), HOL_OK);
        const hol_table M = answer_table(answer, "M");
        for (int i = 0; i < 4; i++) check_near("M", M.values[i], wanted[i], 1e-15);
        hol_answer_free(answer);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arm), cmocka_unit_test(test_terms),
                                       cmocka_unit_test(test_gearbox),
                                       cmocka_unit_test(test_differential)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
