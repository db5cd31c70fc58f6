/* test_measure_contract.c: measures against each other, along motions with several full turns.
 *
 *     velocity = d/dt position        acceleration = d/dt velocity with solved equations of motion
 *     rate of a joint = d/dt of its angle and displacement;  omega = d/dt angle
 *     rate of a distance = d/dt distance
 *
 * and angles that are counted over full turns have no jumps, in whatever steps the run is made.
 */
#include "mechanism_fixture.h"

#include "math/vec3.h"

static const double pi = 3.14159265358979323846;

/* ---- rates ---- */

/* Columns in pairs: the second is the rate of the first. */
typedef struct rate_pair {
    const char *value, *rate;
} rate_pair;

static const rate_pair planar_pairs[] = {
    {"P.x", "V.x"},     {"P.y", "V.y"},   {"V.x", "A.x"},     {"V.y", "A.y"},
    {"F.x", "FV.x"},    {"F.y", "FV.y"},  {"FV.x", "FA.x"},   {"FV.y", "FA.y"},
    {"th1", "w1"},      {"th21", "w21"},  {"pin", "pin_w"},   {"rail", "rail_v"},
    {"rail_a", "zero"}, {"gap", "gap_v"}, {"free", "free_v"}, {"free_a", "free_w"},
    {"S.x", "SV.x"},    {"S.y", "SV.y"},  {"SV.x", "SA.x"},   {"SV.y", "SA.y"},
    {"th21", "sw"},     {"sw", "sal"},    {"w1", "al"},       {"G.x", "GV.x"},
};

static const rate_pair spatial_pairs[] = {
    {"P.x", "V.x"},         {"P.y", "V.y"},           {"P.z", "V.z"},
    {"V.x", "A.x"},         {"V.y", "A.y"},           {"V.z", "A.z"},
    {"F.x", "FV.x"},        {"F.y", "FV.y"},          {"F.z", "FV.z"},
    {"FV.x", "FA.x"},       {"FV.y", "FA.y"},         {"FV.z", "FA.z"},
    {"th1", "w1"},          {"th31", "sleeve_w"},     {"pin", "pin_w"},
    {"sleeve", "sleeve_v"}, {"sleeve_a", "sleeve_w"}, {"gap", "gap_v"},
    {"free", "free_v"},     {"free_a", "free_w"},     {"S.x", "SV.x"},
    {"S.y", "SV.y"},        {"S.z", "SV.z"},          {"SV.x", "SA.x"},
    {"SV.y", "SA.y"},       {"SV.z", "SA.z"},         {"sw.x", "sal.x"},
    {"sw.y", "sal.y"},      {"sw.z", "sal.z"},        {"w.x", "al.x"},
    {"w.y", "al.y"},        {"w.z", "al.z"},          {"wb.x", "alb.x"},
    {"wb.z", "alb.z"},      {"G.z", "GV.z"},
};

/* A motor turns b1; b2 slides on it against a spring (in space it turns too); b3 hangs on a loose
 * joint. */
static const char *const planar_text =
    "holonom: 1\nspace: planar\ngravity: [0.7, -9.3]\n"
    "bodies:\n"
    "  b1: {mass: 1.37, inertia: 0.61, position: [0.11, -0.02], com: [0.03, -0.07], angle: 0.83, "
    "omega: 1.3}\n"
    "  b2: {mass: 0.43, inertia: 0.11, position: [0.41, 0.36], com: [0.05, 0.02], angle: -2.1}\n"
    "  b3: {mass: 0.23, inertia: 0.05, position: [0.9, -0.4], angle: 0.4, velocity: [0.3, 1.1], "
    "omega: -7}\n"
    "joints:\n"
    "  base: {type: revolute, bodies: [ground, b1], at: [-0.05, 0.1]}\n"
    "  guide: {type: prismatic, bodies: [b1, b2], at: [0.3, 0.3], axis: [0.4, 0.9]}\n"
    "  loose: {type: generic, bodies: [b2, b3], at: [0.7, 0.1], axis: [0.8, -0.3], lock: [y]}\n"
    "forces:\n"
    "  motor: {type: torque, body: b1, torque: 9}\n"
    "  hold: {type: spring, bodies: [b1, b2], from: [-0.05, 0.1], to: [0.41, 0.36], stiffness: "
    "160, damping: 2.3}\n"
    "  tie: {type: spring, bodies: [b2, b3], from: [0.41, 0.36], to: [0.9, -0.4], stiffness: 70, "
    "damping: 0.4}\n"
    "measures:\n"
    "  P: {type: position, body: b2, at: [0.2, 0.7]}\n  V: {type: velocity, body: b2, at: [0.2, "
    "0.7]}\n"
    "  A: {type: acceleration, body: b2, at: [0.2, 0.7]}\n"
    "  F: {type: position, body: b1}\n  FV: {type: velocity, body: b1}\n  FA: {type: acceleration, "
    "body: b1}\n"
    "  th1: {type: angle, body: b1}\n  w1: {type: angular_velocity, body: b1}\n"
    "  th21: {type: angle, body: b3, relative_to: b1}\n  w3: {type: angular_velocity, body: b3}\n"
    "  w21: {type: expression, value: w3 - w1}\n  zero: {type: expression, value: '0*t'}\n"
    "  pin: {type: joint_coordinate, joint: base}\n"
    "  pin_w: {type: joint_coordinate, joint: base, component: angle_rate}\n"
    "  rail: {type: joint_coordinate, joint: guide}\n"
    "  rail_v: {type: joint_coordinate, joint: guide, component: displacement_rate}\n"
    "  rail_a: {type: joint_coordinate, joint: guide, component: angle}\n"
    "  free: {type: joint_coordinate, joint: loose, component: displacement}\n"
    "  free_v: {type: joint_coordinate, joint: loose, component: displacement_rate}\n"
    "  free_a: {type: joint_coordinate, joint: loose, component: angle}\n"
    "  free_w: {type: joint_coordinate, joint: loose, component: angle_rate}\n"
    "  gap: {type: distance, bodies: [b1, b3], from: [0.5, 0.1], to: [0.8, -0.7]}\n"
    "  gap_v: {type: distance, bodies: [b1, b3], from: [0.5, 0.1], to: [0.8, -0.7], component: "
    "rate}\n"
    "  S: {type: position, body: b3, at: [0.8, -0.7], relative_to: b1, from: [0.2, 0.3]}\n"
    "  SV: {type: velocity, body: b3, at: [0.8, -0.7], relative_to: b1}\n"
    "  SA: {type: acceleration, body: b3, at: [0.8, -0.7], relative_to: b1}\n"
    "  sw: {type: angular_velocity, body: b3, relative_to: b1}\n"
    "  sal: {type: angular_acceleration, body: b3, relative_to: b1}\n"
    "  al: {type: angular_acceleration, body: b1}\n"
    "  G: {type: position, body: b3, from: [0.2, 0.3]}\n  GV: {type: velocity, body: b3}\n"
    "  SG: {type: velocity, body: b3, at: [0.8, -0.7], relative_to: b1, in: ground}\n"
    "  S2: {type: velocity, body: b3, at: [0.8, -0.7], relative_to: b1, in: b2}\n"
    "  E: {type: energy}\n"
    "simulation: {end: 6, tolerance: 1e-9}\n";

static const char *const spatial_text =
    "holonom: 1\nspace: spatial\ngravity: [0.7, -1.9, -9.3]\n"
    "bodies:\n"
    "  b1: {mass: 1.37, inertia: [0.61, 0.44, 0.57, 0.02, -0.03, 0.01], position: [0.11, -0.02, "
    "0.07], com: [0.03, -0.07, "
    "0.09], orientation: {euler: [0.4, -0.7, 1.1]}}\n"
    "  b2: {mass: 0.43, inertia: [0.11, 0.15, 0.18], position: [0.41, 0.36, 0.29], com: [0.05, "
    "0.02, 0.01], orientation: "
    "{axis: [1, 2, -0.5], angle: 0.9}}\n"
    "  b3: {mass: 0.23, inertia: [0.05, 0.07, 0.06], position: [0.9, -0.4, 0.2], orientation: "
    "{euler: [-0.2, 0.1, 0.9]}}\n"
    "joints:\n"
    "  base: {type: revolute, bodies: [ground, b1], at: [-0.05, 0.1, 0.02], axis: [0.2, 0.1, "
    "0.9]}\n"
    "  sleeve: {type: cylindrical, bodies: [b1, b2], at: [0.3, 0.3, 0.1], axis: [0.4, 0.9, -0.2]}\n"
    "  loose: {type: generic, bodies: [b2, b3], at: [0.7, 0.1, 0.2], axis: [0.8, -0.3, 0.1], lock: "
    "[x, y]}\n"
    "forces:\n"
    "  motor: {type: torque, body: b1, torque: [1.9, 0.9, 8.5]}\n"
    "  twist: {type: torsion, joint: sleeve, torque: 0.9, damping: 0.02}\n"
    "  hold: {type: spring, bodies: [b1, b2], from: [-0.05, 0.1, 0.02], to: [0.41, 0.36, 0.29], "
    "stiffness: 160, damping: 2.3}\n"
    "  tie: {type: spring, bodies: [b2, b3], from: [0.41, 0.36, 0.29], to: [0.9, -0.4, 0.2], "
    "stiffness: 70, damping: 0.4}\n"
    "measures:\n"
    "  P: {type: position, body: b2, at: [0.2, 0.7, -0.3]}\n  V: {type: velocity, body: b2, at: "
    "[0.2, 0.7, -0.3]}\n"
    "  A: {type: acceleration, body: b2, at: [0.2, 0.7, -0.3]}\n"
    "  F: {type: position, body: b1}\n  FV: {type: velocity, body: b1}\n  FA: {type: acceleration, "
    "body: b1}\n"
    "  th1: {type: angle, body: b1, axis: [0.2, 0.1, 0.9]}\n"
    "  w: {type: angular_velocity, body: b1}\n"
    "  w1: {type: expression, value: '(0.2*w.x + 0.1*w.y + 0.9*w.z)/sqrt(0.86)'}\n"
    "  th31: {type: angle, body: b2, relative_to: b1, axis: [0.4, 0.9, -0.2]}\n"
    "  pin: {type: joint_coordinate, joint: base}\n"
    "  pin_w: {type: joint_coordinate, joint: base, component: angle_rate}\n"
    "  sleeve: {type: joint_coordinate, joint: sleeve}\n"
    "  sleeve_v: {type: joint_coordinate, joint: sleeve, component: displacement_rate}\n"
    "  sleeve_a: {type: joint_coordinate, joint: sleeve, component: angle}\n"
    "  sleeve_w: {type: joint_coordinate, joint: sleeve, component: angle_rate}\n"
    "  free: {type: joint_coordinate, joint: loose, component: displacement}\n"
    "  free_v: {type: joint_coordinate, joint: loose, component: displacement_rate}\n"
    "  free_a: {type: joint_coordinate, joint: loose, component: angle}\n"
    "  free_w: {type: joint_coordinate, joint: loose, component: angle_rate}\n"
    "  gap: {type: distance, bodies: [b1, b3], from: [0.5, 0.1, 0.2], to: [0.8, -0.7, 0.1]}\n"
    "  gap_v: {type: distance, bodies: [b1, b3], from: [0.5, 0.1, 0.2], to: [0.8, -0.7, 0.1], "
    "component: rate}\n"
    "  S: {type: position, body: b3, at: [0.8, -0.7, 0.2], relative_to: b1, from: [0.2, 0.3, "
    "0.1]}\n"
    "  SV: {type: velocity, body: b3, at: [0.8, -0.7, 0.2], relative_to: b1}\n"
    "  SA: {type: acceleration, body: b3, at: [0.8, -0.7, 0.2], relative_to: b1}\n"
    "  sw: {type: angular_velocity, body: b3, relative_to: b1}\n"
    "  sal: {type: angular_acceleration, body: b3, relative_to: b1}\n"
    "  al: {type: angular_acceleration, body: b1}\n"
    "  wb: {type: angular_velocity, body: b3, frame: body}\n"
    "  alb: {type: angular_acceleration, body: b3, in: b3}\n"
    "  G: {type: position, body: b3, from: [0.2, 0.3, 0.1]}\n  GV: {type: velocity, body: b3}\n"
    "  SG: {type: velocity, body: b3, at: [0.8, -0.7, 0.2], relative_to: b1, in: ground}\n"
    "  S2: {type: velocity, body: b3, at: [0.8, -0.7, 0.2], relative_to: b1, in: b2}\n"
    "  E: {type: energy}\n"
    "simulation: {end: 6, tolerance: 1e-9}\n";

/* All columns; those of acceleration are NaN off the solved state and not asked for there. */
static void value_columns(void *user, hol_data *data, double *out) {
    (void)user;
    hol__measure_all(data, out);
}

static int column_of(const hol_model *model, const char *name) {
    const int i = hol_model_measure_index(model, name);
    if (i < 0) fail_msg("no column '%s'", name);
    return i;
}

/* The rates of all pairs at the state of the run. With angular velocities up to 40 rad/s f^(7) is
 * some 1e11 at h = 5e-5: h^6 1e11/140 = 1e-17, and 2 eps |f|/h = 1e-11 |f| with |f| up to 100. */
static void check_rates(mech *m, hol_data *now, const rate_pair *pairs, int n_pairs) {
    const int n = m->model->n_columns;
    double *at = calloc((size_t)n, sizeof *at), *rate = calloc((size_t)n, sizeof *rate);
    double *a = calloc((size_t)m->model->nv, sizeof *a);
    hol__measure_all(now, at);
    memcpy(a, hol_data_acceleration(now), (size_t)m->model->nv * sizeof *a);
    hol_data_copy(m->data, now);
    mech_line l = line_open(m);
    l.h = 5e-5;
    line_along_motion(&l, a);
    line_derivative(&l, value_columns, NULL, n, rate);
    line_close(&l);
    for (int i = 0; i < n_pairs; i++) {
        const double expected = at[column_of(m->model, pairs[i].rate)];
        assert_true(isfinite(expected));
        check_close(rate[column_of(m->model, pairs[i].value)], expected, 4e-9, pairs[i].value,
                    pairs[i].rate);
    }
    free(at), free(rate), free(a);
}

/* Run in steps of 1/50 s: all rates now and then, and no jump of an angle: over the step of length
 * h it changes by h (w + w_next)/2 up to h^3 |w''|/12, here less than 0.3 rad. */
static void check_run(const char *text, const rate_pair *pairs, int n_pairs,
                      const char *const (*angles)[2], double turns) {
    if (!reads_yaml()) skip();
    mech m = mech_open(text);
    hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
    if (!sim) fail_with_messages(m.ctx, text);
    double last[8] = {0}, last_rate[8] = {0};
    for (int k = 0; k <= 300; k++) {
        assert_int_equal(hol_sim_advance(sim, 0.02 * k), HOL_OK);
        hol_data *now = hol_sim_data(sim);
        if (k % 15 == 0) check_rates(&m, now, pairs, n_pairs);
        for (int i = 0; angles[i][0]; i++) {
            const double angle = measure_of(now, column_of(m.model, angles[i][0]));
            const double rate = measure_of(now, column_of(m.model, angles[i][1]));
            if (k > 0)
                check_close(angle - last[i], 0.01 * (rate + last_rate[i]), 0.3,
                            "change of an angle", angles[i][0]);
            last[i] = angle, last_rate[i] = rate;
        }
    }
    if (!(fabs(last[0]) > 2 * pi * turns)) fail_msg("only %g turns", last[0] / (2 * pi));
    assert_true(sim_info(sim).relative_energy_error < 1e-6);
    hol_sim_free(sim);
    mech_close(&m);
}

static void test_planar_rates(void **state) {
    static const char *const angles[][2] = {
        {"pin", "pin_w"}, {"th1", "w1"}, {"th21", "w21"}, {"free_a", "free_w"}, {NULL, NULL}};
    (void)state;
    check_run(planar_text, planar_pairs, sizeof planar_pairs / sizeof *planar_pairs, angles, 5);
}

static void test_spatial_rates(void **state) {
    static const char *const angles[][2] = {{"pin", "pin_w"},
                                            {"th1", "w1"},
                                            {"th31", "sleeve_w"},
                                            {"sleeve_a", "sleeve_w"},
                                            {NULL, NULL}};
    (void)state;
    check_run(spatial_text, spatial_pairs, sizeof spatial_pairs / sizeof *spatial_pairs, angles, 5);
}

/* Pairs that hold at any state, also off the constraints, where distance vectors do not lie along
 * the axes of their joints. */
static const rate_pair planar_anywhere[] = {
    {"P.x", "V.x"},     {"F.y", "FV.y"},      {"pin", "pin_w"}, {"rail", "rail_v"},
    {"free", "free_v"}, {"free_a", "free_w"}, {"gap", "gap_v"}, {"th1", "w1"}};

static const rate_pair spatial_anywhere[] = {
    {"P.x", "V.x"},     {"F.z", "FV.z"},      {"pin", "pin_w"}, {"sleeve", "sleeve_v"},
    {"free", "free_v"}, {"free_a", "free_w"}, {"gap", "gap_v"}, {"sleeve_a", "sleeve_w"}};

/* h = 5e-4 and rates below 10/s: h^6 1e8/140 = 1e-14, and 2 eps |f|/h = 4e-12. */
static void check_anywhere(const char *text, const rate_pair *pairs, int n_pairs, uint64_t seed) {
    if (!reads_yaml()) skip();
    mech m = mech_open(text);
    const int n = m.model->n_columns;
    double *at = calloc((size_t)n, sizeof *at), *rate = calloc((size_t)n, sizeof *rate);
    for (int trial = 0; trial < 20; trial++) {
        do {
            mech_random(&m, &seed);
        } while (is_turned_over(m.data));
        hol__measure_all(m.data, at);
        mech_line l = line_open(&m);
        l.h = 5e-4;
        line_along_motion(&l, NULL);
        line_derivative(&l, value_columns, NULL, n, rate);
        line_close(&l);
        for (int i = 0; i < n_pairs; i++)
            check_close(rate[column_of(m.model, pairs[i].value)],
                        at[column_of(m.model, pairs[i].rate)], 1e-9, pairs[i].value, pairs[i].rate);
    }
    free(at), free(rate);
    mech_close(&m);
}

static void test_rates_anywhere(void **state) {
    (void)state;
    check_anywhere(planar_text, planar_anywhere, sizeof planar_anywhere / sizeof *planar_anywhere,
                   88172645463325252u);
    check_anywhere(spatial_text, spatial_anywhere,
                   sizeof spatial_anywhere / sizeof *spatial_anywhere, 4101842887655102017u);
}

/* ---- frames ---- */

/* One vector in the axes of three bodies: turned by their poses it is the same. */
static void check_axes(const char *text, uint64_t seed) {
    if (!reads_yaml()) skip();
    mech m = mech_open(text);
    static const char *const names[3] = {"SG", "SV", "S2"};
    for (int trial = 0; trial < 5; trial++) {
        double v[3][3] = {{0}};
        mech_random(&m, &seed);
        for (int i = 0; i < 3; i++) {
            char name[8];
            double own[3] = {0};
            for (int k = 0; k < m.model->dim; k++) {
                snprintf(name, sizeof name, "%s.%c", names[i], "xyz"[k]);
                own[k] = measure_of(m.data, column_of(m.model, name));
            }
            const hol_pose pose = pose_at(m.data, i ? i - 1 : m.model->nb);
            hol__mul3(pose.R, own, v[i]);
        }
        for (int i = 1; i < 3; i++)
            for (int k = 0; k < 3; k++) check_close(v[i][k], v[0][k], 1e-13, "axes", names[i]);
        assert_true(hol__norm3(v[0]) > 0.01);
    }
    mech_close(&m);
}

static void test_axes(void **state) {
    (void)state;
    check_axes(planar_text, 88172645463325252u);
    check_axes(spatial_text, 4101842887655102017u);
}

/* A wheel that spins with w = 5 on an arm that turns with W = 3, seen from the arm: the point on
 * its rim has the speed w r and the acceleration w^2 r towards its centre; from ground W^2 R and
 * the Coriolis part 2 W w r belong to it. */
static void test_coriolis(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open(
        "holonom: 1\nspace: planar\nbodies:\n  arm: {mass: 1, inertia: 1, omega: 3}\n"
        "  wheel: {mass: 1, inertia: 1, position: [2, 0], velocity: [0, 6], omega: 8}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [arm, wheel], at: [2, 0]}\nmeasures:\n"
        "  v: {type: velocity, body: wheel, at: [2.5, 0], relative_to: arm}\n"
        "  a: {type: acceleration, body: wheel, at: [2.5, 0], relative_to: arm}\n"
        "  A: {type: acceleration, body: wheel, at: [2.5, 0]}\n"
        "  w: {type: angular_velocity, body: wheel, relative_to: arm}\n");
    static const struct {
        const char *name;
        double value;
    } wanted[] = {{"v.x", 0}, {"v.y", 5 * 0.5}, {"a.x", -25 * 0.5},
                  {"a.y", 0}, {"w", 5},         {"A.x", -9 * 2.5 - 25 * 0.5 - 2 * 3 * 2.5},
                  {"A.y", 0}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        check_close(measure_of(m.data, column_of(m.model, wanted[i].name)), wanted[i].value, 1e-12,
                    wanted[i].name, "wheel on an arm");
    mech_close(&m);
}

/* ---- full turns ---- */

/* A body on a pin that follows a function of time: its angle is that function, to rounding, also
 * over many turns. */
static void check_driven(int spatial, const char *law, double (*value)(double), double end) {
    mech_text text = {.used = 0};
    put(&text,
        "holonom: 1\nspace: %s\nbodies:\n  b: {mass: 1.3, inertia: 0.4, position: %s}\njoints:\n",
        spatial ? "spatial" : "planar", spatial ? "[0.5, 0.2, 0.1]" : "[0.5, 0.2]");
    if (spatial)
        put(&text,
            "  J: {type: generic, bodies: [ground, b], at: [0.1, 0.2, 0.3], axis: [0.3, 0.2, "
            "-0.7], lock: [x, y, z, rx, ry], "
            "drive: {rz: '%s'}}\n",
            law);
    else
        put(&text,
            "  J: {type: generic, bodies: [ground, b], at: [0.1, 0.2], lock: [x, y], drive: "
            "{angle: '%s'}}\n",
            law);
    put(&text,
        "measures:\n  c: {type: joint_coordinate, joint: J, component: angle}\n  a: {type: angle, "
        "body: b%s}\n"
        "simulation: {end: %g, tolerance: 1e-8}\n",
        spatial ? ", axis: [0.3, 0.2, -0.7]" : "", end);
    mech m = mech_open(text.text);
    hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
    if (!sim) fail_with_messages(m.ctx, text.text);
    for (int k = 0; k <= 60; k++) {
        const double t = end * k / 60;
        assert_int_equal(hol_sim_advance(sim, t), HOL_OK);
        for (int c = 0; c < 2; c++)
            check_close(measure_of(hol_sim_data(sim), c), value(t), 1e-13, "driven angle", law);
    }
    hol_sim_free(sim);
    mech_close(&m);
}

static double forwards(double t) {
    return 7 * t + 0.3 * sin(2 * t);
}

static double backwards(double t) {
    return -9 * t;
}

static double to_and_fro(double t) {
    return 11 * sin(t);
}

static void test_driven_turns(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int spatial = 0; spatial < 2; spatial++) {
        check_driven(spatial, "7*t + 0.3*sin(2*t)", forwards, 6);
        check_driven(spatial, "-9*t", backwards, 6);
        check_driven(spatial, "11*sin(t)", to_and_fro, 6);
    }
}

/* A body that spins freely at 40 rad/s about its pin is integrated exactly, in steps as long as
 * they like to grow: no turn may be lost in them. */
static void check_long_steps(int spatial) {
    mech_text text = {.used = 0};
    put(&text,
        "holonom: 1\nspace: %s\nbodies:\n  b: {mass: 1.3, inertia: 0.4, omega: %s}\njoints:\n  J: "
        "{type: revolute, bodies: [ground, b], at: %s}\n",
        spatial ? "spatial" : "planar", spatial ? "[0, 0, 40]" : "40",
        spatial ? "[0, 0, 0], axis: [0, 0, 1]" : "[0, 0]");
    put(&text,
        "forces:\n  twist: {type: torsion, joint: J, torque: '0*angle'}\n"
        "measures:\n  c: {type: joint_coordinate, joint: J, component: angle}\n  a: {type: angle, "
        "body: b%s}\n"
        "simulation: {end: 10}\n",
        spatial ? ", axis: [0, 0, 1]" : "");
    mech m = mech_open(text.text);
    hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
    if (!sim) fail_with_messages(m.ctx, text.text);
    assert_int_equal(hol_sim_advance(sim, 10), HOL_OK);
    for (int c = 0; c < 2; c++)
        check_close(measure_of(hol_sim_data(sim), c), 400, 1e-12, "angle after long steps",
                    text.text);
    hol_sim_free(sim);
    mech_close(&m);
}

static void test_long_steps_planar(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_long_steps(0);
}

static void test_long_steps_spatial(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_long_steps(1);
}

/* A point of a body that spins fast, at output times inside long steps, and the stop at an instant
 * inside one. */
typedef struct spin_watch {
    int outputs;
    double worst;
} spin_watch;

static hol_status watch_spin(void *user, hol_sim *sim) {
    spin_watch *watch = user;
    const double t = hol_data_time(hol_sim_data(sim)), x = 0.7 * cos(40 * t), y = 0.7 * sin(40 * t);
    watch->outputs++;
    watch->worst = fmax(watch->worst, hypot(measure_of(hol_sim_data(sim), 0) - x,
                                            measure_of(hol_sim_data(sim), 1) - y));
    return HOL_OK;
}

static void test_dense_output_of_spin(void **state) {
    static const char *const format =
        "holonom: 1\nspace: %s\nbodies:\n  b: {mass: 1.3, inertia: 0.4, omega: %s}\njoints:\n  J: "
        "{type: revolute, bodies: "
        "[ground, b], at: %s}\nmeasures:\n  P: {type: position, body: b, at: %s}\n  c: {type: "
        "joint_coordinate, joint: J}\n"
        "stop_when: c - 123.4\nsimulation: {end: 10, output: 0.0173, output_mode: dense}\n";
    (void)state;
    if (!reads_yaml()) skip();
    for (int spatial = 0; spatial < 2; spatial++) {
        mech_text text = {.used = 0};
        put(&text, format, spatial ? "spatial" : "planar", spatial ? "[0, 0, 40]" : "40",
            spatial ? "[0, 0, 0], axis: [0, 0, 1]" : "[0, 0]",
            spatial ? "[0.7, 0, 0]" : "[0.7, 0]");
        mech m = mech_open(text.text);
        hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
        if (!sim) fail_with_messages(m.ctx, text.text);
        spin_watch watch = {0};
        const hol_observer observer = {.on_output = watch_spin, .user = &watch};
        assert_int_equal(hol_sim_run(sim, &observer), HOL_OK);
        assert_int_equal(sim_info(sim).end, HOL_END_STOP);
        /* the motion is linear in the coordinates of increments: exact up to rounding, which grows
         * with the angle of 123 rad */
        check_close(hol_data_time(hol_sim_data(sim)), 123.4 / 40, 1e-12, "time of the stop",
                    text.text);
        assert_true(watch.outputs >= 178);
        if (!(watch.worst < 1e-11)) fail_msg("outputs are off by %g\n%s", watch.worst, text.text);
        hol_sim_free(sim);
        mech_close(&m);
    }
}

/* Coordinates of joints are 0 as drawn, whatever the pose of the bodies, also drawn after full
 * turns. */
static void test_zero_as_drawn(void **state) {
    static const char *const texts[] = {
        "holonom: 1\nspace: planar\nbodies:\n  b: {mass: 1, inertia: 1, position: [1, 2], angle: "
        "8.3}\n  c: {mass: 1, inertia: 1, "
        "position: [2, 1], angle: -31}\njoints:\n  J: {type: revolute, bodies: [b, c], at: [0.3, "
        "0.4]}\n  K: {type: prismatic, "
        "bodies: [ground, b], at: [0.3, 0.4], axis: [1, 2]}\nmeasures:\n  ja: {type: "
        "joint_coordinate, joint: J}\n  ka: {type: "
        "joint_coordinate, joint: K, component: angle}\n  kd: {type: joint_coordinate, joint: K}\n",
        "holonom: 1\nspace: spatial\nbodies:\n  b: {mass: 1, inertia: 1, position: [1, 2, 3], "
        "orientation: {euler: [3.1, 1, -2]}}\n"
        "  c: {mass: 1, inertia: 1, orientation: {euler: [-2.1, 0.3, 2.9]}}\njoints:\n  J: {type: "
        "revolute, bodies: [b, c], at: "
        "[0.3, 0.4, 0.1], axis: [1, 2, 2]}\n  K: {type: cylindrical, bodies: [ground, b], at: "
        "[0.3, 0.4, 2], axis: [1, 0, "
        "1]}\nmeasures:\n  ja: {type: joint_coordinate, joint: J}\n  ka: {type: joint_coordinate, "
        "joint: K, component: angle}\n  "
        "kd: {type: joint_coordinate, joint: K}\n  a: {type: angle, body: c, relative_to: b, axis: "
        "[0.2, 0.5, 0.1]}\n"};
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < 2; i++) {
        mech m = mech_open(texts[i]);
        for (int c = 0; c < m.model->n_columns; c++)
            check_close(measure_of(m.data, c), 0, 4e-14, "coordinate as drawn",
                        hol_model_measure(m.model, c)->name);
        mech_close(&m);
    }
}

/* The angle of a universal joint is the one about its first axis: turned by a about that axis and
 * then by b about the second, it is a, also over full turns and far from b = 0. */
static void test_universal_angle(void **state) {
    static const char *const text = "holonom: 1\nspace: spatial\nbodies:\n  b: {mass: 1, inertia: "
                                    "1, orientation: {euler: [0.3, "
                                    "-0.4, 2]}}\njoints:\n  J: {type: universal, bodies: [ground, "
                                    "b], at: [0, 0, 0], axis: [0, 0.6, "
                                    "0.8], axis_second: [1, 0, 0]}\nmeasures:\n  a: {type: "
                                    "joint_coordinate, joint: J}\n  w: {type: "
                                    "joint_coordinate, joint: J, component: angle_rate}\n";
    static const double axis[3] = {0, 0.6, 0.8};
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open(text);
    check_close(measure_of(m.data, 0), 0, 1e-14, "angle as drawn", text);
    for (int k = 1; k <= 40; k++) {
        /* R = R1(a) R2(b) R_drawn, both rotations about the drawn axes; omega = a' e1 + b' R1 e2,
         * in the body frame */
        const double a = 0.4 * k, b = 2.4 * sin(0.7 * k), a_rate = 1.7, b_rate = -0.9;
        const double ua[3] = {0, a * axis[1], a * axis[2]}, ub[3] = {b, 0, 0}, e2[3] = {1, 0, 0};
        double pa[4], pb[4], ab[4], q[7] = {0}, v[6] = {0}, R1[9], R[9], second[3], w[3];
        hol__quat_exp(ua, pa);
        hol__quat_exp(ub, pb);
        hol__quat_mul(pa, pb, ab);
        hol__quat_mul(ab, m.model->q0 + 3, q + 3);
        hol__quat_matrix(pa, R1);
        hol__quat_matrix(q + 3, R);
        hol__mul3(R1, e2, second);
        for (int i = 0; i < 3; i++) w[i] = a_rate * axis[i] + b_rate * second[i];
        hol__mul3_t(R, w, v + 3);
        hol_data_set(m.data, 0, q, v);
        assert_true(hol__norm(hol_data_position_residual(m.data), m.model->mh) < 1e-14);
        assert_true(hol__norm(hol_data_velocity_residual(m.data), m.model->m) < 1e-14);
        check_close(measure_of(m.data, 0), a, 1e-14, "angle about the first axis", text);
        check_close(measure_of(m.data, 1), a_rate, 1e-13, "its rate", text);
        hol__data_keep_angles(m.data);
    }
    mech_close(&m);
}

/* ---- momenta ---- */

/* m v, and (r - about) x m v + R J w with the mass centre, at random states: from the pose and the
 * twist of the body, whose frame is not at its mass centre. */
static void test_momenta(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    static const double mass = 2.3, com[3] = {0.11, -0.07, 0.23}, about[3] = {0.4, -0.3, 0.9};
    static const double J[3] = {0.31, 0.22, 0.17};
    mech m = mech_open("holonom: 1\nspace: spatial\n"
                       "bodies:\n  b: {mass: 2.3, inertia: [0.31, 0.22, 0.17], com: [0.11, -0.07, "
                       "0.23], position: [0, 0, 0]}\n"
                       "measures:\n  p: {type: momentum, body: b}\n"
                       "  L: {type: angular_momentum, body: b, about: [0.4, -0.3, 0.9]}\n"
                       "  Ly: {type: angular_momentum, body: b, component: y}\n");
    uint64_t seed = 99;
    for (int k = 0; k < 20; k++) {
        mech_random(&m, &seed);
        const hol_pose pose = pose_at(m.data, 0);
        const hol_twist twist = twist_at(m.data, 0);
        double s[3], ws[3], v[3], r[3], arm[3], spin[3] = {0, 0, 0}, L[3];
        hol__mul3(pose.R, com, s);
        hol__cross3(twist.omega, s, ws);
        for (int i = 0; i < 3; i++) {
            v[i] = mass * (twist.v[i] + ws[i]);
            r[i] = pose.r[i] + s[i];
            arm[i] = r[i] - about[i];
            check_close(measure_of(m.data, i), v[i], 1e-13, "momentum", "");
        }
        /* R J R^T omega */
        for (int i = 0; i < 3; i++)
            for (int a = 0; a < 3; a++)
                for (int j = 0; j < 3; j++)
                    spin[i] += pose.R[3 * i + a] * J[a] * pose.R[3 * j + a] * twist.omega[j];
        hol__cross3(arm, v, L);
        for (int i = 0; i < 3; i++)
            check_close(measure_of(m.data, 3 + i), L[i] + spin[i], 1e-13, "angular momentum", "");
        hol__cross3(r, v, L);
        check_close(measure_of(m.data, 6), L[1] + spin[1], 1e-13, "about the origin", "");
    }
    mech_close(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar_rates),
        cmocka_unit_test(test_spatial_rates),
        cmocka_unit_test(test_driven_turns),
        cmocka_unit_test(test_long_steps_planar),
        cmocka_unit_test(test_long_steps_spatial),
        cmocka_unit_test(test_zero_as_drawn),
        cmocka_unit_test(test_dense_output_of_spin),
        cmocka_unit_test(test_universal_angle),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_coriolis),
        cmocka_unit_test(test_rates_anywhere),
        cmocka_unit_test(test_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
