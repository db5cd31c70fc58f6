/* test_kinematics.c: driven motions against closed forms, against runs and against differences;
 * singular positions, dead points, and what is said where drivers do not determine the motion. */
#define _POSIX_C_SOURCE 200809L
#include "model_list.h"

#include <math.h>

enum { SAMPLES = 4000, COLUMNS = 24 };

/* A motion with the samples of its measures. */
typedef struct motion {
    run r;
    hol_status status;
    hol_answer *answer;
    int n, columns;
    double t[SAMPLES], x[SAMPLES][COLUMNS];
} motion;

static motion m;

static hol_status keep(void *user, hol_sim *sim) {
    motion *k = user;
    assert_true(k->n < SAMPLES && k->columns <= COLUMNS);
    k->t[k->n] = hol_data_time(hol_sim_data(sim));
    for (int i = 0; i < k->columns; i++) hol_data_measure(hol_sim_data(sim), i, &k->x[k->n][i]);
    k->n++;
    return HOL_OK;
}

/* The motion of a text, whose bodies may lack masses; closed by close_motion. */
static void move(const char *text, const char *settings, hol_kinematics_options how) {
    char path[1024];
    snprintf(path, sizeof path, "%s/test.yaml", HOLONOM_TEST_MODELS);
    m = (motion){.r = {.ctx = hol_context_new()}};
    hol_spec *spec = hol_spec_new(m.r.ctx);
    assert_int_equal(hol_spec_allow_massless(spec), HOL_OK);
    hol_status status = hol_spec_read_text(spec, text, path);
    if (!status) status = run_settings(spec, settings);
    if (!status) m.r.model = hol_model_from_spec(m.r.ctx, spec, &m.r.options);
    if (m.r.model) m.r.sim = hol_kinematics_new(m.r.ctx, m.r.model, m.r.options);
    hol_spec_free(spec);
    if (!m.r.sim) {
        run_print_messages(m.r.ctx);
        fail_msg("no simulation");
    }
    m.columns = model_info(m.r.model).n_measures;
    how.size = sizeof how;
    how.on_output = keep;
    how.user = &m;
    m.status = hol_kinematics(m.r.ctx, m.r.sim, &how, &m.answer);
    assert_true(!m.status == (m.answer != NULL));
}

static void close_motion(void) {
    hol_answer_free(m.answer);
    run_close(&m.r);
}

/* The same, and it has to work. */
static void must_move(const char *text, const char *settings, hol_kinematics_options how) {
    move(text, settings, how);
    if (m.status) run_print_messages(m.r.ctx);
    assert_int_equal(m.status, HOL_OK);
}

static double column(int sample, const char *name) {
    const int i = hol_model_measure_index(m.r.model, name);
    if (i < 0) fail_msg("no measure %s", name);
    return m.x[sample][i];
}

static void near(const char *what, double value, double wanted) {
    check_near(what, value, wanted, 1e-12 * (1 + fabs(wanted)));
}

/* ---- closed forms ---- */

/* A four-bar of a = 0.31, b = 0.83, c = 0.67 over d = 0.92, without masses; the drawing is rough
 * and its lengths are those of the bodies. */
#define FOUR_BAR(DRIVE)                                                                            \
    "holonom: 1\nspace: planar\npoints: {A: [0, 0], B: [0.05, 0.3], C: [0.75, 0.7], D: [0.92, "    \
    "0]}\nbodies:\n  crank: {along: [A, B], length: 0.31}\n  coupler: {along: [B, C], length: "    \
    "0.83}\n  follower: {along: [D, C], length: 0.67}\njoints:\n"                                  \
    "  A: {type: revolute, bodies: [ground, crank], at: A}\n"                                      \
    "  B: {type: revolute, bodies: [crank, coupler], at: B}\n"                                     \
    "  C: {type: revolute, bodies: [coupler, follower], at: C}\n"                                  \
    "  D: {type: revolute, bodies: [ground, follower], at: D}\n" DRIVE                             \
    "measures:\n  theta: {type: angle, body: crank}\n  psi: {type: angle, body: follower}\n"       \
    "  phi: {type: angle, body: coupler}\n  mu: {type: expression, value: phi - psi, unit: rad}\n" \
    "  omega: {type: angular_velocity, body: follower}\n"                                          \
    "  alpha: {type: angular_acceleration, body: follower}\n"                                      \
    "  P: {type: position, body: coupler}\n  B: {type: position, body: crank, at: B}\n"            \
    "simulation: {end: 2, output: 0.01}\n"

/* The follower's angle at the crank's, open branch, with its derivatives by the angle, from the
 * distance of B and D. */
static double follower(double theta) {
    const double a = 0.31, b = 0.83, c = 0.67, d = 0.92;
    const double x = a * cos(theta) - d, y = a * sin(theta), s = hypot(x, y);
    return atan2(y, x) - acos((c * c + s * s - b * b) / (2 * c * s));
}

/* f' and f'' by complex steps are not at hand: from the loop equations instead. */
static void follower_rates(double theta, double w, double e, double *psi, double *omega,
                           double *alpha) {
    const double a = 0.31, b = 0.83, c = 0.67, d = 0.92;
    *psi = follower(theta);
    const double phi = atan2(c * sin(*psi) - a * sin(theta), d + c * cos(*psi) - a * cos(theta));
    const double det = b * c * sin(phi - *psi);
    const double f = a * w * b * sin(phi - theta);
    *omega = f / det;
    const double wphi = a * w * c * sin(*psi - theta) / det;
    /* along the coupler: a e sin(phi-theta)... from the second derivative of the loop */
    const double rx = -a * e * sin(theta) - a * w * w * cos(theta) - b * wphi * wphi * cos(phi) +
                      c * *omega * *omega * cos(*psi),
                 ry = a * e * cos(theta) - a * w * w * sin(theta) - b * wphi * wphi * sin(phi) +
                      c * *omega * *omega * sin(*psi);
    *alpha = (rx * cos(phi) + ry * sin(phi)) / (c * sin(phi - *psi));
}

/* theta, its rate and second derivative of a drive over time. */
typedef void law(double t, double x[3]);

static void check_four_bar(law *drive) {
    const double theta0 = column(0, "theta"), psi0 = column(0, "psi");
    for (int i = 0; i < m.n; i++) {
        double x[3], psi, omega, alpha;
        drive(m.t[i], x);
        near("theta", column(i, "theta") - theta0, x[0]);
        follower_rates(theta0 + x[0], x[1], x[2], &psi, &omega, &alpha);
        near("psi", remainder(column(i, "psi") - psi, 2 * acos(-1)), 0);
        near("omega", column(i, "omega"), omega);
        check_near("alpha", column(i, "alpha"), alpha, 1e-11 * (1 + fabs(alpha)));
        assert_true(fabs(column(i, "psi") - psi0) < 3);
    }
}

static void by_position(double t, double x[3]) {
    x[0] = 3 * t + 0.4 * sin(2 * t), x[1] = 3 + 0.8 * cos(2 * t), x[2] = -1.6 * sin(2 * t);
}

static void by_rate(double t, double x[3]) {
    x[0] = 5 * t + 0.25 * t * t * t, x[1] = 5 + 0.75 * t * t, x[2] = 1.5 * t;
}

static void by_acceleration(double t, double x[3]) {
    x[0] = 2 * t + (1 - cos(3 * t)) / 9, x[1] = 2 + sin(3 * t) / 3, x[2] = cos(3 * t);
}

static const char *const in_sets[] = {"coordinates=reference", "coordinates=relative",
                                      "coordinates=natural"};

/* Without masses, in all coordinates; by_rate goes through two turns. */
static void test_four_bar(void **unused) {
    (void)unused;
    for (int k = 0; k < 3; k++) {
        must_move(FOUR_BAR("  M: {type: motor, joint: A, angle: 3*t + 0.4*sin(2*t)}\n"), in_sets[k],
                  (hol_kinematics_options){0});
        check_four_bar(by_position);
        assert_true(m.n == 201);
        close_motion();
        must_move(FOUR_BAR("  M: {type: motor, joint: A, speed: 5 + 0.75*t^2}\n"), in_sets[k],
                  (hol_kinematics_options){0});
        check_four_bar(by_rate);
        close_motion();
        must_move(
            FOUR_BAR("  M: {type: motor, joint: A, acceleration: cos(3*t), initial_rate: 2}\n"),
            in_sets[k], (hol_kinematics_options){0});
        check_four_bar(by_acceleration);
        close_motion();
    }
}

/* An arm in space without masses: turned about z, raised about y and stretched. Its tip in all
 * coordinates, and reactions that nobody can know. */
static void test_massless_arm(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  turret: {position: [0, 0, 0.3]}\n  arm: {position: [0.4, 0, 0.6]}\n"
        "  tool: {position: [0.9, 0, 0.6]}\njoints:\n"
        "  base: {type: revolute, bodies: [ground, turret], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  shoulder: {type: revolute, bodies: [turret, arm], at: [0, 0, 0.6], axis: [0, 1, 0]}\n"
        "  slide: {type: prismatic, bodies: [arm, tool], at: [0.7, 0, 0.6], axis: [1, 0, 0]}\n"
        "  m1: {type: motor, joint: base, angle: 2.3*t}\n"
        "  m2: {type: motor, joint: shoulder, angle: 0.7*sin(1.9*t)}\n"
        "  m3: {type: driver, joint: slide, position: 0.11*t^2}\nmeasures:\n"
        "  tip: {type: position, body: tool, at: [1, 0, 0.6]}\n"
        "  a: {type: acceleration, body: tool, at: [1, 0, 0.6]}\n"
        "  F: {type: reaction, joint: shoulder}\nsimulation: {end: 4, output: 0.05}\n";
    (void)unused;
    for (int k = 0; k < 3; k++) {
        must_move(text, in_sets[k], (hol_kinematics_options){0});
        for (int i = 0; i < m.n; i++) {
            const double t = m.t[i], th = 2.3 * t, al = 0.7 * sin(1.9 * t),
                         da = 0.7 * 1.9 * cos(1.9 * t), dda = -1.9 * 1.9 * al;
            const double s = 1 + 0.11 * t * t, ds = 0.22 * t, dds = 0.22, w = 2.3;
            /* in the plane of the arm: along it from the axis, and up */
            const double r = s * cos(al), dr = ds * cos(al) - s * sin(al) * da,
                         ddr = dds * cos(al) - 2 * ds * sin(al) * da -
                               s * (cos(al) * da * da + sin(al) * dda),
                         ddz = -(dds * sin(al) + 2 * ds * cos(al) * da +
                                 s * (-sin(al) * da * da + cos(al) * dda));
            near("x", column(i, "tip.x"), r * cos(th));
            near("y", column(i, "tip.y"), r * sin(th));
            near("z", column(i, "tip.z"), 0.6 - s * sin(al));
            near("ax", column(i, "a.x"), (ddr - w * w * r) * cos(th) - 2 * w * dr * sin(th));
            near("ay", column(i, "a.y"), (ddr - w * w * r) * sin(th) + 2 * w * dr * cos(th));
            near("az", column(i, "a.z"), ddz);
            assert_true(isnan(column(i, "F.fx")) && isnan(column(i, "F.mz")));
        }
        close_motion();
    }
}

/* One turn: the least transmission angle is where crank and frame lie in line, and B runs around a
 * circle. */
static void test_cycle(void **unused) {
    const double pi = acos(-1), a = 0.31, b = 0.83, c = 0.67, d = 0.92;
    (void)unused;
    must_move(FOUR_BAR("  M: {type: motor, joint: A, speed: 7}\n"), NULL,
              (hol_kinematics_options){.cycle = "M", .points = 721, .transmission = "mu"});
    assert_int_equal(m.n, 721);
    near("one turn", m.t[720], 2 * pi / 7);
    near("closed", column(720, "psi"), column(0, "psi"));
    const double low = acos((b * b + c * c - (d - a) * (d - a)) / (2 * b * c)),
                 high = acos((b * b + c * c - (d + a) * (d + a)) / (2 * b * c));
    const double least = fmin(low, pi - high) < low ? fmin(low, pi - high) : low;
    /* half a degree to the sixth */
    check_near("transmission", hol_answer_value(m.answer, "transmission_least"), least, 1e-11);
    hol_table curves = {.size = sizeof curves};
    assert_int_equal(hol_answer_table(m.answer, hol_answer_find(m.answer, "curves"), &curves),
                     HOL_OK);
    assert_int_equal(curves.rows, 2);
    assert_string_equal(curves.row_names[1], "B");
    near("length", curves.values[4 + 2], 2 * pi * a);
    near("area", curves.values[4 + 3], pi * a * a);
    close_motion();
}

/* Several turns, and a part of one, of a drive whose speed changes: 3 t + 0.4 sin 2 t = 2 pi n. */
static void test_turns(void **unused) {
    const double pi = acos(-1);
    (void)unused;
    must_move(FOUR_BAR("  M: {type: motor, joint: A, angle: 3*t + 0.4*sin(2*t)}\n"), NULL,
              (hol_kinematics_options){.cycle = "M", .turns = 2});
    assert_int_equal(m.n, 721);
    near("two turns", 3 * m.t[720] + 0.4 * sin(2 * m.t[720]), 4 * pi);
    near("closed", column(720, "psi"), column(0, "psi"));
    check_four_bar(by_position);
    close_motion();
    must_move(FOUR_BAR("  M: {type: motor, joint: A, speed: -7}\n"), NULL,
              (hol_kinematics_options){.cycle = "M", .turns = 0.25, .points = 11});
    assert_int_equal(m.n, 11);
    near("a quarter", m.t[10], pi / 14);
    close_motion();
}

#define SLIDER                                                                                     \
    "holonom: 1\nspace: planar\npoints: {O: [0, 0], P: [0.3, 0], S: [1.1, 0]}\nbodies:\n"          \
    "  crank: {along: [O, P]}\n  rod: {along: [P, S]}\n  slider: {position: S}\njoints:\n"         \
    "  O: {type: revolute, bodies: [ground, crank], at: O}\n"                                      \
    "  P: {type: revolute, bodies: [crank, rod], at: P}\n"                                         \
    "  S: {type: revolute, bodies: [rod, slider], at: S}\n"                                        \
    "  guide: {type: prismatic, bodies: [ground, slider], at: S, axis: [1, 0]}\n"                  \
    "  M: {type: motor, joint: O, speed: 2.7}\nmeasures:\n"                                        \
    "  x: {type: position, body: slider, component: x}\n"                                          \
    "  v: {type: velocity, body: slider, component: x}\n"                                          \
    "  a: {type: acceleration, body: slider, component: x}\nsimulation: {end: 3}\n"

static void test_slider_crank(void **unused) {
    const double r = 0.3, l = 0.8, w = 2.7;
    (void)unused;
    must_move(SLIDER, NULL, (hol_kinematics_options){0});
    assert_int_equal(m.n, 1001);
    for (int i = 0; i < m.n; i++) {
        const double s = sin(w * m.t[i]), c = cos(w * m.t[i]), u = sqrt(l * l - r * r * s * s);
        near("x", column(i, "x"), r * c + u);
        near("v", column(i, "v"), w * (-r * s - r * r * s * c / u));
        check_near(
            "a", column(i, "a"),
            w * w * (-r * c - r * r * (c * c - s * s) / u - pow(r, 4) * s * s * c * c / pow(u, 3)),
            1e-11);
    }
    close_motion();
}

static void test_spatial_slider_crank(void **unused) {
    const double L2 = 0.147 * 0.147 + 0.0625;
    (void)unused;
    static const char *const coordinates[] = {"reference", "natural", "relative"};
    for (int k = 0; k < 3; k++) {
        char settings[64];
        snprintf(settings, sizeof settings, "end=2 output=0.01 coordinates=%s", coordinates[k]);
        must_move("holonom: 1\ninclude: slider_crank_spatial.yaml\njoints:\n"
                  "  M: {type: motor, joint: O, angle: 2*pi*t}\n",
                  settings, (hol_kinematics_options){0});
        for (int i = 0; i < m.n; i++) {
            const double s = 0.1 * sin(2 * acos(-1) * m.t[i]), c = 0.1 * cos(2 * acos(-1) * m.t[i]);
            near("y", column(i, "y"), sqrt(L2 - s * s - (c + 0.15) * (c + 0.15)));
        }
        close_motion();
    }
}

/* Bricard's linkage moves by its overconstrained geometry: accelerations are the differences of
 * velocities, of fourth order. */
static void test_bricard(void **unused) {
    (void)unused;
    must_move("holonom: 1\ninclude: a04_bricard.yaml\njoints:\n"
              "  M: {type: motor, joint: J1, angle: 0.4*sin(t)}\nmeasures:\n"
              "  v: {type: velocity, body: rod3}\n  a: {type: acceleration, body: rod3}\n",
              "end=4 output=0.002", (hol_kinematics_options){0});
    assert_true(hol_answer_value(m.answer, "redundant") >= 1);
    const int v = hol_model_measure_index(m.r.model, "v.x"),
              a = hol_model_measure_index(m.r.model, "a.x");
    double most = 0;
    for (int i = 2; i < m.n - 2; i++)
        for (int c = 0; c < 3; c++) {
            const double d = (8 * (m.x[i + 1][v + c] - m.x[i - 1][v + c]) -
                              (m.x[i + 2][v + c] - m.x[i - 2][v + c])) /
                             (12 * 0.002);
            most = fmax(most, fabs(m.x[i][a + c]));
            /* h^4/30 of the fifth derivative, and rounding over h */
            check_near("acceleration", m.x[i][a + c], d, 1e-9);
        }
    assert_true(most > 0.01);
    close_motion();
}

/* ---- singular positions ---- */

/* A parallelogram is singular where it is flat, here right at two output times, and goes on as a
 * parallelogram. */
static void test_parallelogram(void **unused) {
    (void)unused;
    must_move("holonom: 1\nspace: planar\npoints: {A: [0, 0], B: [0, 0.4], C: [1.1, 0.4], D: [1.1, "
              "0]}\nbodies:\n  left: {along: [A, B]}\n  link: {along: [B, C]}\n  right: {along: "
              "[D, C]}\njoints:\n  A: {type: revolute, bodies: [ground, left], at: A}\n"
              "  B: {type: revolute, bodies: [left, link], at: B}\n"
              "  C: {type: revolute, bodies: [link, right], at: C}\n"
              "  D: {type: revolute, bodies: [ground, right], at: D}\n"
              "  M: {type: motor, joint: A, speed: 2*pi}\nmeasures:\n"
              "  tilt: {type: angle, body: link}\n  right: {type: angle, body: right}\n"
              "  w: {type: angular_velocity, body: right}\n"
              "  e: {type: angular_acceleration, body: right}\nsimulation: {end: 1}\n",
              NULL, (hol_kinematics_options){.cycle = "M"});
    near("singular positions", hol_answer_value(m.answer, "singular"), 2);
    hol_table singular = {.size = sizeof singular};
    assert_int_equal(hol_answer_table(m.answer, hol_answer_find(m.answer, "singular"), &singular),
                     HOL_OK);
    check_near("first", singular.values[0], 0.25, 1.0 / 360);
    check_near("second", singular.values[1], 0.75, 1.0 / 360);
    /* flat, all four hinges pull along one line, and the motor at the left does not turn the right:
     * its turn, or that of the link, is free */
    for (int i = 0; i < 2; i++) {
        assert_non_null(strstr(singular.row_names[i], "'A', 'B', 'C', 'D'"));
        assert_non_null(strstr(singular.row_names[i], ".angle is not driven"));
        assert_null(strstr(singular.row_names[i], "left.angle"));
    }
    for (int i = 0; i < m.n; i++) {
        /* rounding counts over the distance to the singular position, a step of a degree */
        check_near("tilt", column(i, "tilt"), 0, 1e-12);
        check_near("right", column(i, "right") - column(0, "right"), 2 * acos(-1) * m.t[i], 1e-12);
        check_near("w", column(i, "w"), 2 * acos(-1), 1e-10);
        check_near("e", column(i, "e"), 0, 1e-7);
    }
    close_motion();
}

/* A crank of 3 over 4 with coupler 1.5 and follower 2 comes to an end where these lie in line. */
static void test_dead_point(void **unused) {
    const double limit = acos((16 + 9 - 3.5 * 3.5) / 24);
    char wanted[64];
    (void)unused;
    move(
        "holonom: 1\nspace: planar\nparameters: {s: 0.5}\npoints: {A: [0, 0], B: [3*cos(s), "
        "3*sin(s)], D: [4, 0], C: [3.9, 1.98]}\nbodies:\n  crank: {along: [A, B]}\n"
        "  coupler: {along: [B, C], length: 1.5}\n  follower: {along: [D, C], length: 2}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: A}\n"
        "  B: {type: revolute, bodies: [crank, coupler], at: B}\n"
        "  C: {type: revolute, bodies: [coupler, follower], at: C}\n"
        "  D: {type: revolute, bodies: [ground, follower], at: D}\n"
        "  M: {type: driver, body: crank, component: angle, position: s + 0.3*t}\n"
        "simulation: {end: 4}\n",
        NULL, (hol_kinematics_options){0});
    assert_int_equal(m.status, HOL_ERR_SINGULAR);
    const hol_message *last = run_last_error(m.r.ctx);
    snprintf(wanted, sizeof wanted, "has reached %.8f", limit);
    if (!strstr(last->text, wanted) || !strstr(last->element, "'M'")) {
        run_print_messages(m.r.ctx);
        fail_msg("wanted '%s'", wanted);
    }
    assert_non_null(strstr(last->text, "joint 'C'"));
    assert_true(m.n > 100 && fabs(m.t[m.n - 1] - (limit - 0.5) / 0.3) < 0.005);
    close_motion();
}

/* ---- loads ---- */

/* Inverse dynamics gives what a run of the same driven model does. */
static void test_loads(void **unused) {
    static const char *const columns[] = {"drive.load", "big_end.fx", "big_end.fy", "side", "lift"};
    (void)unused;
    must_move("holonom: 1\ninclude: engine.yaml\n", "end=0.02 output=0.001",
              (hol_kinematics_options){.loads = 1});
    run r = run_open("engine", "end=0.02 tolerance=1e-11");
    for (int i = 0; i < m.n; i++) {
        run_to(&r, m.t[i]);
        assert_int_equal(hol_data_update(hol_sim_data(r.sim), HOL_STAGE_ACC), HOL_OK);
        for (int c = 0; c < 5; c++)
            /* loads are some 1e4 N and change by their size over a radian */
            check_near(columns[c], column(i, columns[c]), run_measure(&r, columns[c]), 1e-5);
    }
    hol_table loads = {.size = sizeof loads};
    assert_int_equal(hol_answer_table(m.answer, hol_answer_find(m.answer, "loads"), &loads),
                     HOL_OK);
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < m.n; i++) {
        least = fmin(least, column(i, "drive.load"));
        most = fmax(most, column(i, "drive.load"));
    }
    near("least", loads.values[0], least);
    near("largest", loads.values[1], most);
    run_close(&r);
    close_motion();
}

/* ---- laws of rates ---- */

/* A crank whose motor has this law, from 0 to 1. */
static const char *crank_by(const char *drive) {
    static char text[512];
    snprintf(text, sizeof text,
             "holonom: 1\nspace: planar\nbodies:\n  crank: {along: [[0, 0], [0.3, 0]]}\njoints:\n"
             "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
             "  M: {type: motor, joint: A, %s}\nmeasures:\n"
             "  x: {type: joint_coordinate, joint: A, component: angle}\n"
             "simulation: {end: 1, output: 0.1}\n",
             drive);
    return text;
}

/* Laws that are steep, singular where they can be integrated all the same, fast or of few digits.
 * The second has x'(t_p) infinite, of which the doubles around t_p leave sqrt(1e-16); the last is
 * itself right to 1e-6 only. */
static void test_steep_laws(void **unused) {
    static const struct {
        const char *law;
        double end, within;
    } cases[] = {
        {"speed: 1/sqrt(t + 1e-9)", 1.9999367554467966, 1e-13},
        {"speed: 1/sqrt(abs(t - 0.537))", 2.826487743741221, 2e-7},
        {"speed: 1/sqrt(sqrt(abs(t - 0.537)))", 1.5847944270236933, 1e-10},
        {"speed: 1e-3*sin(1e6*t)", 6.324787246685526e-11, 1e-15},
        {"speed: 'if(t < 0.337, 0.3, 2.7)'", 0.3 * 0.337 + 2.7 * 0.663, 1e-14},
        {"speed: (1 - cos(1e-5*t))/1e-10", 1.0 / 6, 1e-6},
        {"acceleration: 1/sqrt(abs(t - 0.537))", 1.360977775849757, 2e-7},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        must_move(crank_by(cases[i].law), NULL, (hol_kinematics_options){0});
        check_near(cases[i].law, column(m.n - 1, "x"), cases[i].end, cases[i].within);
        close_motion();
    }
}

/* Laws with a pole are named with its time, at once; a turn that is full before one is found. */
static void test_poles(void **unused) {
    static const char *const laws[][2] = {
        {"speed: 1/(t - 0.5)", "grows without bound at t = 0.5,"},
        {"speed: 1/(t - 0.53)^2", "grows without bound at t = 0.53,"},
        {"speed: 1 + 1e-3/(t - 0.5)", "grows without bound at t = 0.5,"},
        {"speed: tan(3*t)", "grows without bound at t = 0.523598776,"},
        {"acceleration: 1/(t - 0.537)", "grows without bound at t = 0.537,"},
        {"speed: 'sqrt(0.5 - t)'", "is NaN or infinite at t = 0.5"},
        {"angle: 1/(t - 0.53)", "grows without bound at t = 0.53,"},
        {"angle: tan(3*t)", "grows without bound at t = 0.523598776,"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        move(crank_by(laws[i][0]), NULL, (hol_kinematics_options){0});
        const hol_message *last = run_last_error(m.r.ctx);
        if (!m.status || !last || !strstr(last->text, laws[i][1])) {
            run_print_messages(m.r.ctx);
            fail_msg("%s: wanted '%s'", laws[i][0], laws[i][1]);
        }
        close_motion();
    }
    must_move(crank_by("speed: 1/(t - 0.5)"), NULL, (hol_kinematics_options){.cycle = "M"});
    check_near("turn", m.t[m.n - 1], 0.5 - 0.5 * exp(-2 * acos(-1)), 1e-14);
    close_motion();
}

/* ---- refusals ---- */

static void wont_move(const char *text, hol_kinematics_options how, const char *words) {
    move(text, NULL, how);
    const hol_message *last = run_last_error(m.r.ctx);
    if (!m.status || !last || !strstr(last->text, words)) {
        run_print_messages(m.r.ctx);
        fail_msg("wanted '%s'", words);
    }
    close_motion();
}

static void test_refusals(void **unused) {
    const hol_kinematics_options plain = {0};
    (void)unused;
    wont_move(FOUR_BAR(""), plain, "0 drivers and 1 freedom");
    wont_move(FOUR_BAR(""), plain, "joint: A, angle: 2*pi*t");
    wont_move(
        FOUR_BAR("  M: {type: motor, joint: A, speed: 1}\n  N: {type: motor, joint: A, speed: "
                 "1}\n"),
        plain, "one driver too many");
    wont_move(FOUR_BAR("  M: {type: motor, joint: A, speed: 1}\n"),
              (hol_kinematics_options){.loads = 1}, "which loads need");
    wont_move(FOUR_BAR("  M: {type: motor, joint: A, angle: sin(t)}\n"),
              (hol_kinematics_options){.cycle = "M"}, "does not make 1 turn within 20 times");
    wont_move(SLIDER, (hol_kinematics_options){.cycle = "M", .turns = 1e5}, "at most 10000");
    wont_move(FOUR_BAR("  M: {type: motor, joint: A, speed: 1}\n"),
              (hol_kinematics_options){.cycle = "D"}, "is not a motor or driver of an angle");
    wont_move(FOUR_BAR("  M: {type: motor, joint: A, speed: 1}\n"),
              (hol_kinematics_options){.transmission = "P.x"}, "is not a measure of an angle");
    wont_move("holonom: 1\ninclude: bicycle.yaml\n", plain, "restrains velocities");
}

/* ---- workspace ---- */

/* An arm of two links, 0.7 and 0.4 long: the area is l1 l2 times the turn of the shoulder times the
 * integral of |sin| of the elbow, and the elbow cannot pass the straight arm, which is singular for
 * nothing here: it is driven in its joints. */
static void test_workspace(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\npoints: {A: [0, 0], B: [0.7, 0], T: [0.7, "
        "0.4]}\nbodies:\n  upper: {along: [A, B]}\n  lower: {along: [B, T]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, upper], at: A}\n"
        "  B: {type: revolute, bodies: [upper, lower], at: B}\n"
        "  shoulder: {type: motor, joint: A, angle: 0.1*t}\n"
        "  elbow: {type: motor, joint: B, angle: 0}\n"
        "measures:\n  tip: {type: position, body: lower, at: T}\nsimulation: {end: 1}\n";
    hol_workspace_options how = {.size = sizeof how,
                                 .drivers = {"shoulder", "elbow"},
                                 .from = {-0.5, -1},
                                 .to = {1, 0.6},
                                 .points = 31,
                                 .point = "tip"};
    hol_answer *answer = NULL;
    (void)unused;
    move(text, NULL, (hol_kinematics_options){0});
    hol_sim *sim = hol_kinematics_new(m.r.ctx, m.r.model, m.r.options);
    assert_non_null(sim);
    const hol_status status = hol_workspace(m.r.ctx, sim, &how, &answer);
    if (status) run_print_messages(m.r.ctx);
    assert_int_equal(status, HOL_OK);
    near("reached", hol_answer_value(answer, "reached"), 31 * 31);
    hol_table table = {.size = sizeof table};
    assert_int_equal(hol_answer_table(answer, hol_answer_find(answer, "workspace"), &table),
                     HOL_OK);
    assert_int_equal(table.rows, 31 * 31);
    for (int i = 0; i < table.rows; i++) {
        const double *x = table.values + 4 * i, elbow = x[0] + acos(-1) / 2 + x[1];
        near("x", x[2], 0.7 * cos(x[0]) + 0.4 * cos(elbow));
        near("y", x[3], 0.7 * sin(x[0]) + 0.4 * sin(elbow));
    }
    /* int |cos| over the elbow, by cells of a 20th: off by their squares */
    check_near("area", hol_answer_value(answer, "area"), 0.28 * 1.5 * (sin(1) + sin(0.6)), 1e-3);
    hol_answer_free(answer);
    how.drivers[1] = "A";
    assert_int_equal(hol_workspace(m.r.ctx, sim, &how, &answer), HOL_ERR_INPUT);
    how.drivers[1] = "elbow";
    how.point = "shoulder";
    assert_int_equal(hol_workspace(m.r.ctx, sim, &how, &answer), HOL_ERR_INPUT);
    hol_sim_free(sim);
    close_motion();
}

/* A five-bar with two cranks of 1, links of 1.2 and the frame 2.1: the cranks' ends must be within
 * 2.4 of each other, and what is reached is within that. */
static void test_limited_workspace(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\npoints: {A: [0, 0], B: [0.6, 0.8], C: [1.05, "
        "1.6], D: [1.5, 0.8], E: [2.1, 0]}\nbodies:\n  left: {along: [A, B]}\n  l: {along: [B, C], "
        "length: 1.2}\n  r: {along: [D, C], length: 1.2}\n  right: {along: [E, D]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, left], at: A}\n"
        "  B: {type: revolute, bodies: [left, l], at: B}\n"
        "  C: {type: revolute, bodies: [l, r], at: C}\n"
        "  D: {type: revolute, bodies: [right, r], at: D}\n"
        "  E: {type: revolute, bodies: [ground, right], at: E}\n"
        "  first: {type: motor, joint: A, angle: 0}\n  second: {type: motor, joint: E, angle: 0}\n"
        "measures:\n  tip: {type: position, body: l, at: C}\nsimulation: {end: 1}\n";
    const hol_workspace_options how = {.size = sizeof how,
                                       .drivers = {"first", "second"},
                                       .from = {-1.2, -1.2},
                                       .to = {1.2, 1.2},
                                       .points = 25,
                                       .point = "tip"};
    hol_answer *answer = NULL;
    int wanted = 0;
    (void)unused;
    for (int i = 0; i < 25; i++)
        for (int j = 0; j < 25; j++) {
            const double a = atan2(0.8, 0.6) - 1.2 + 0.1 * i, b = atan2(0.8, -0.6) - 1.2 + 0.1 * j;
            wanted += hypot(2.1 + cos(b) - cos(a), sin(b) - sin(a)) < 2.4;
        }
    move(text, NULL, (hol_kinematics_options){0});
    hol_sim *sim = hol_kinematics_new(m.r.ctx, m.r.model, m.r.options);
    assert_non_null(sim);
    assert_int_equal(hol_workspace(m.r.ctx, sim, &how, &answer), HOL_OK);
    assert_true(wanted > 100 && wanted < 620);
    near("reached", hol_answer_value(answer, "reached"), wanted);
    hol_answer_free(answer);
    hol_sim_free(sim);
    close_motion();
}

/* ---- every model ---- */

/* An answer whose states satisfy the constraints, or an error that says why not. */
static void test_models(void **unused) {
    static char names[MOST_MODELS][NAME];
    int count = list_models("", names, 0), answered = 0;
    (void)unused;
    count = list_models("elements/", names, count);
    for (int i = 0; i < count; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        hol_options *options = NULL;
        hol_answer *answer = NULL;
        const hol_status read = run_read(spec, names[i]);
        hol_model *model = read ? NULL : hol_model_from_spec(ctx, spec, &options);
        assert_non_null(model);
        hol_sim *sim = hol_kinematics_new(ctx, model, options);
        const hol_status status = sim ? hol_kinematics(ctx, sim, NULL, &answer) : HOL_ERR_INPUT;
        if (!status) {
            answered++;
            const double length = 1e-11 * (1 + hol_answer_value(answer, "end"));
            check_near(names[i], hol_answer_value(answer, "position_residual"), 0, length);
            check_near(names[i], hol_answer_value(answer, "velocity_residual"), 0, 1e-8);
        } else {
            const hol_message *last = run_last_error(ctx);
            if (!last || strlen(last->text) < 30) fail_msg("%s: no word why not", names[i]);
        }
        hol_answer_free(answer);
        hol_sim_free(sim);
        hol_options_free(options);
        hol_model_free(model);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
    assert_true(answered >= 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bar),
        cmocka_unit_test(test_massless_arm),
        cmocka_unit_test(test_cycle),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_spatial_slider_crank),
        cmocka_unit_test(test_bricard),
        cmocka_unit_test(test_parallelogram),
        cmocka_unit_test(test_dead_point),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_workspace),
        cmocka_unit_test(test_limited_workspace),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_steep_laws),
        cmocka_unit_test(test_poles),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
