/* test_assemblies.c: all assemblies of linkages against those that are found by other means:
 * circles that meet, a scan of one angle, a grid of starts with Newton's method of its own. */
#define _POSIX_C_SOURCE 200809L
#include "model_list.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

typedef struct found {
    hol_context *ctx;
    hol_spec *spec;
    hol_model *model;
    hol_options *options;
    hol_answer *answer;
    hol_status status;
    int records;
    double last;
} found;

static hol_status count_records(void *user, hol_sim *sim, int number, int count) {
    found *f = user;
    f->records++;
    assert_true(number == f->records && number <= count);
    f->last = hol_data_time(hol_sim_data(sim));
    return HOL_OK;
}

static hol_status set_start(void *user, const char *joint, const char *key, double value) {
    hol_item *item = hol_item_map(hol_spec_section(((found *)user)->spec, "joints"), joint);
    return hol_item_number(hol_item_map(item, "start"), key, value);
}

static found search(const char *text, hol_assemblies_options how) {
    found f = {.ctx = hol_context_new()};
    f.spec = hol_spec_new(f.ctx);
    hol_spec_allow_massless(f.spec);
    assert_int_equal(hol_spec_read_text(f.spec, text, "test.yaml"), HOL_OK);
    f.model = hol_model_from_spec(f.ctx, f.spec, &f.options);
    if (!f.model) run_print_messages(f.ctx);
    assert_non_null(f.model);
    how.size = sizeof how;
    how.on_assembly = count_records;
    how.on_setting = set_start;
    how.user = &f;
    f.status = hol_assemblies(f.ctx, f.model, f.options, &how, &f.answer);
    return f;
}

static void done(found *f) {
    hol_answer_free(f->answer);
    hol_options_free(f->options);
    hol_model_free(f->model);
    hol_spec_free(f->spec);
    hol_context_free(f->ctx);
}

static int branches(const found *f) {
    if (f->status) run_print_messages(f->ctx);
    assert_int_equal(f->status, HOL_OK);
    return (int)hol_answer_value(f->answer, "assemblies");
}

/* Pose k of a body in an assembly, both from 0. */
static double pose(const found *f, int branch, const char *body, int k) {
    const hol_table poses = answer_table(f->answer, "poses");
    char name[64];
    snprintf(name, sizeof name, "%d %s", branch + 1, body);
    for (int i = 0; i < poses.rows; i++)
        if (strcmp(poses.row_names[i], name) == 0) return poses.values[i * poses.columns + k];
    fail_msg("no pose %s", name);
    return NAN;
}

/* ---- four-bar ---- */

/* Drawn roughly; crank 0.31 at 1.1 rad, coupler 0.83, follower 0.67, frame 0.92. */
static const char four_bar[] =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\npoints: {A: [0, 0], B: [0.31*cos(1.1), "
    "0.31*sin(1.1)], C: [0.7, 0.8], D: [0.92, 0]}\nbodies:\n"
    "  crank: {along: [A, B], com: [0, 0]}\n  coupler: {along: [B, C], length: 0.83, com: [0, 0]}\n"
    "  follower: {along: [D, C], length: 0.67, com: [0, 0]}\njoints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: A}\n"
    "  B: {type: revolute, bodies: [crank, coupler], at: B}\n"
    "  C: {type: revolute, bodies: [coupler, follower], at: C}\n"
    "  D: {type: revolute, bodies: [ground, follower], at: D}\n";

/* C lies where two circles meet. */
static void test_four_bar(void **unused) {
    (void)unused;
    found f = search(four_bar, (hol_assemblies_options){.hold = "crank.angle"});
    assert_int_equal(branches(&f), 2);
    assert_int_equal(f.records, 2);
    check_near("the time is the number", f.last, 2, 0);
    const double bx = 0.31 * cos(1.1), by = 0.31 * sin(1.1), dx = 0.92 - bx, dy = -by,
                 s = hypot(dx, dy),
                 opening = acos((0.83 * 0.83 + s * s - 0.67 * 0.67) / (1.66 * s));
    const hol_table all = answer_table(f.answer, "assemblies");
    int seen = 0;
    for (int i = 0; i < 2; i++) {
        const double angle = pose(&f, i, "coupler", 2) - atan2(dy, dx);
        check_near("coupler", fabs(remainder(angle, 2 * pi)), opening, 1e-12);
        seen += angle > 0 ? 1 : 2;
        check_near("freedoms", all.values[i * all.columns + 1], 0, 0);
        check_near("found", all.values[i * all.columns] > 10, 1, 0);
    }
    assert_int_equal(seen, 3);
    /* the two have determinants of opposite signs */
    check_near("signs", all.values[2] * all.values[all.columns + 2], -1, 0);
    /* the elbow between coupler and rocker is folded to the one side or to the other */
    const hol_table elbows = answer_table(f.answer, "elbows");
    int told = 0;
    for (int i = 0; i < elbows.rows; i++)
        if (strcmp(elbows.row_names[i], "loop 1: C") == 0) {
            const double turn = sin(pose(&f, 0, "follower", 2) - pose(&f, 0, "coupler", 2));
            check_near("folded", elbows.values[2 * i] * elbows.values[2 * i + 1], -1, 0);
            assert_true(fabs(turn) > 0.1);
            told++;
        }
    assert_int_equal(told, 1);
    done(&f);
}

/* A model that starts in the second. */
static void test_pick(void **unused) {
    (void)unused;
    found f = search(four_bar, (hol_assemblies_options){.hold = "crank.angle", .pick = 2});
    assert_int_equal(branches(&f), 2);
    hol_options *options = NULL;
    hol_model *model = hol_model_from_spec(f.ctx, f.spec, &options);
    if (!model) run_print_messages(f.ctx);
    assert_non_null(model);
    hol_sim *sim = hol_kinematics_new(f.ctx, model, options);
    if (!sim) run_print_messages(f.ctx);
    assert_non_null(sim);
    hol_pose at;
    hol_data_body_pose(hol_sim_data(sim), hol_model_body(model, "coupler"), &at);
    check_near("coupler", remainder(atan2(at.R[3], at.R[0]) - pose(&f, 1, "coupler", 2), 2 * pi), 0,
               1e-9);
    hol_sim_free(sim);
    hol_model_free(model);
    hol_options_free(options);
    done(&f);
}

/* What is held where nothing is said, is told; a second search is the first again. */
static void test_held(void **unused) {
    (void)unused;
    found f = search(four_bar, (hol_assemblies_options){0}),
          g = search(four_bar, (hol_assemblies_options){0});
    assert_true(branches(&f) == branches(&g) && branches(&f) >= 2);
    char *text = hol_answer_to_text(f.answer, 100), *other = hol_answer_to_text(g.answer, 100);
    assert_non_null(strstr(text, ".angle"));
    assert_string_equal(text, other);
    hol_free(f.ctx, text);
    hol_free(g.ctx, other);
    done(&g);
    done(&f);
}

/* ---- a Stephenson six-bar ---- */

/* Stephenson III: the four-bar A B C D whose coupler carries P, and a link from P to Q on an arm
 * about R that is held: six assemblies. */
static const char six_bar[] =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\npoints: {A: [0, 0], B: [-0.41, 0.2], C: [-0.08, "
    "0.33], D: [1, 0], P: [0.56, -0.86], R: [-1.2, 0.4], Q: [-0.97, 0.84]}\nbodies:\n"
    "  left: {along: [A, B], com: [0, 0]}\n  plate: {along: [B, C], com: [0, 0]}\n"
    "  right: {along: [D, C], com: [0, 0]}\n  link: {along: [P, Q], com: [0, 0]}\n"
    "  arm: {along: [R, Q], com: [0, 0]}\njoints:\n"
    "  A: {type: revolute, bodies: [ground, left], at: A}\n"
    "  B: {type: revolute, bodies: [left, plate], at: B}\n"
    "  C: {type: revolute, bodies: [plate, right], at: C}\n"
    "  D: {type: revolute, bodies: [ground, right], at: D}\n"
    "  P: {type: revolute, bodies: [plate, link], at: P}\n"
    "  Q: {type: revolute, bodies: [link, arm], at: Q}\n"
    "  R: {type: revolute, bodies: [ground, arm], at: R}\n";

typedef struct point {
    double x, y;
} point;

static double length(point a, point b) {
    return hypot(b.x - a.x, b.y - a.y);
}

/* |P Q| - link over the angle of A B, for one of the two positions of C (side +1, -1); NaN where
 * there is none. */
static double gap(double angle, int side, point Q) {
    const point A = {0, 0}, B0 = {-0.41, 0.2}, C0 = {-0.08, 0.33}, D = {1, 0}, P0 = {0.56, -0.86};
    const double a = length(A, B0), b = length(B0, C0), c = length(D, C0);
    const point B = {a * cos(angle), a * sin(angle)};
    const double s = length(B, D), cosine = (b * b + s * s - c * c) / (2 * b * s);
    if (fabs(cosine) > 1) return NAN;
    const double turn =
        atan2(D.y - B.y, D.x - B.x) + side * acos(cosine) - atan2(C0.y - B0.y, C0.x - B0.x);
    const point P = {B.x + cos(turn) * (P0.x - B0.x) - sin(turn) * (P0.y - B0.y),
                     B.y + sin(turn) * (P0.x - B0.x) + cos(turn) * (P0.y - B0.y)};
    return length(P, Q) - length(P0, Q);
}

static void test_six_bar(void **unused) {
    const point Q = {-0.97, 0.84};
    enum { SCAN = 200000 };
    int wanted = 0;
    (void)unused;
    for (int side = -1; side <= 1; side += 2)
        for (int i = 0; i < SCAN; i++) {
            const double x = gap(2 * pi * i / SCAN, side, Q),
                         y = gap(2 * pi * (i + 1) / SCAN, side, Q);
            wanted += (x < 0 && y >= 0) || (x >= 0 && y < 0);
        }
    found f = search(six_bar, (hol_assemblies_options){.hold = "arm.angle", .starts = 1000});
    assert_int_equal(wanted, 6);
    assert_int_equal(branches(&f), wanted);
    for (int i = 0; i < wanted; i++) {
        const double angle = pose(&f, i, "left", 2);
        check_near("closed", fmin(fabs(gap(angle, 1, Q)), fabs(gap(angle, -1, Q))), 0, 1e-10);
    }
    done(&f);
}

/* ---- 3-RPR ---- */

/* A platform on three legs of given lengths: the direct kinematics has up to six solutions. The
 * legs are distances. */
typedef struct platform {
    point base[3], corner[3];
    double leg[3];
} platform;

/* The residuals of the legs. */
static void legs(const platform *p, const double q[3], double f[3]) {
    for (int i = 0; i < 3; i++) {
        const double x = q[0] + cos(q[2]) * p->corner[i].x - sin(q[2]) * p->corner[i].y -
                         p->base[i].x,
                     y = q[1] + sin(q[2]) * p->corner[i].x + cos(q[2]) * p->corner[i].y -
                         p->base[i].y;
        f[i] = x * x + y * y - p->leg[i] * p->leg[i];
    }
}

/* For one angle the first two differences of the three circles are linear in x, y: what is left of
 * the first is a function of the angle alone, whose zeros are counted by their sign. */
static double eliminated(const platform *p, double angle) {
    double u[3], v[3], w[3];
    for (int i = 0; i < 3; i++) {
        u[i] = cos(angle) * p->corner[i].x - sin(angle) * p->corner[i].y - p->base[i].x;
        v[i] = sin(angle) * p->corner[i].x + cos(angle) * p->corner[i].y - p->base[i].y;
        w[i] = u[i] * u[i] + v[i] * v[i] - p->leg[i] * p->leg[i];
    }
    const double a = 2 * (u[1] - u[0]), b = 2 * (v[1] - v[0]), c = w[0] - w[1],
                 d = 2 * (u[2] - u[0]), e = 2 * (v[2] - v[0]), g = w[0] - w[2], det = a * e - b * d,
                 x = c * e - b * g, y = a * g - c * d;
    /* x^2 + y^2 + 2 (u x + v y) det + w det^2 = 0 */
    return x * x + y * y + 2 * (u[0] * x + v[0] * y) * det + w[0] * det * det;
}

static int count_assemblies(const platform *p) {
    enum { SCAN = 400000 };
    int n = 0;
    for (int i = 0; i < SCAN; i++) {
        const double x = eliminated(p, 2 * pi * i / SCAN),
                     y = eliminated(p, 2 * pi * (i + 1) / SCAN);
        n += (x < 0) != (y < 0);
    }
    return n;
}

/* A platform with six assemblies. */
static void test_platform(void **unused) {
    const platform best = {
        .base = {{0, 0}, {15.91, 0}, {0, 10}},
        .corner = {{0, 0}, {17.04, 0}, {20.84 * cos(0.8822), 20.84 * sin(0.8822)}},
        .leg = {14.98, 15.38, 12}};
    char text[2048];
    (void)unused;
    assert_int_equal(count_assemblies(&best), 6);
    int used = snprintf(text, sizeof text,
                        "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n  plate: {position: "
                        "[3, 4]}\njoints:\n");
    for (int i = 0; i < 3; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  leg%d: {type: distance, bodies: [ground, plate], from: [%.17g, %.17g], "
                         "to: [%.17g, %.17g], length: %.17g}\n",
                         i, best.base[i].x, best.base[i].y, 3 + best.corner[i].x,
                         4 + best.corner[i].y, best.leg[i]);
    found f = search(text, (hol_assemblies_options){.starts = 500});
    assert_int_equal(branches(&f), 6);
    for (int i = 0; i < 6; i++) {
        const double q[3] = {pose(&f, i, "plate", 0), pose(&f, i, "plate", 1),
                             pose(&f, i, "plate", 2)};
        double r[3];
        legs(&best, q, r);
        for (int k = 0; k < 3; k++) check_near("leg", r[k], 0, 1e-9);
    }
    done(&f);
}

/* The first assembly is the one in which a run starts, and nothing is said of another start. */
static void test_start_of_run(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  crank: {mass: 0.3, inertia: 0.01, along: [[0, 0], [0.21, 0.34]]}\n"
        "  coupler: {mass: 2, inertia: 0.3, along: [[0.25, 0.31], [1.4, 0.9]]}\n"
        "  rocker: {mass: 5, inertia: 0.9, along: [[1.5, 0.8], [1.2, 0]]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [crank, coupler], at: [0.21, 0.34], at_second: "
        "[0.25, 0.31]}\n"
        "  C: {type: revolute, bodies: [coupler, rocker], at: [1.4, 0.9], at_second: "
        "[1.5, 0.8]}\n"
        "  D: {type: revolute, bodies: [ground, rocker], at: [1.2, 0]}\n"
        "measures:\n  crank: {type: angle, body: crank}\nsimulation: {end: 1}\n";
    (void)unused;
    if (!run_reads_files()) skip();
    found f = search(text, (hol_assemblies_options){0});
    assert_true(branches(&f) > 0);
    run r = run_text(text, NULL);
    const double crank = run_measure(&r, "crank");
    assert_true(fabs(crank - atan2(0.34, 0.21)) > 1e-3); /* it had to move */
    check_near("crank", pose(&f, 0, "crank", 2), crank, 1e-9);
    for (int i = 0; i < hol_message_count(f.ctx); i++)
        assert_null(strstr(hol_message_get(f.ctx, i)->text, "starts as drawn"));
    run_close(&r);
    done(&f);
}

/* The same platform on three legs that slide, each held by the name of its joint. A leg is drawn
 * from its base to the corner, at its length, with the plate where the first assembly has it. */
static void test_sliding_legs(void **unused) {
    static const double base[3][2] = {{0, 0}, {15.91, 0}, {0, 10}}, leg[3] = {14.98, 15.38, 12};
    const double corner[3][2] = {{0, 0}, {17.04, 0}, {20.84 * cos(0.8822), 20.84 * sin(0.8822)}};
    const platform best = {
        .base = {{0, 0}, {15.91, 0}, {0, 10}},
        .corner = {{0, 0}, {17.04, 0}, {20.84 * cos(0.8822), 20.84 * sin(0.8822)}},
        .leg = {14.98, 15.38, 12}};
    char text[4096];
    double at[3] = {3, 4, 0.4}; /* closed by Newton's method of our own */
    (void)unused;
    for (int round = 0; round < 200; round++) {
        double r[3], J[3][3], h = 1e-6, x[3];
        legs(&best, at, r);
        for (int k = 0; k < 3; k++) {
            double up[3] = {at[0], at[1], at[2]}, down[3] = {at[0], at[1], at[2]}, p[3], q[3];
            up[k] += h, down[k] -= h;
            legs(&best, up, p), legs(&best, down, q);
            for (int i = 0; i < 3; i++) J[i][k] = (p[i] - q[i]) / (2 * h);
        }
        const double det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                           J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                           J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
        for (int k = 0; k < 3; k++) { /* Cramer's rule */
            double K[3][3];
            memcpy(K, J, sizeof K);
            for (int i = 0; i < 3; i++) K[i][k] = r[i];
            x[k] = (K[0][0] * (K[1][1] * K[2][2] - K[1][2] * K[2][1]) -
                    K[0][1] * (K[1][0] * K[2][2] - K[1][2] * K[2][0]) +
                    K[0][2] * (K[1][0] * K[2][1] - K[1][1] * K[2][0])) /
                   det;
        }
        for (int k = 0; k < 3; k++) at[k] -= fmax(-0.3, fmin(0.3, x[k]));
    }
    int n = snprintf(text, sizeof text,
                     "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n  plate: {position: "
                     "[%.17g, %.17g], angle: %.17g}\n",
                     at[0], at[1], at[2]);
    char joints[3072];
    int j = snprintf(joints, sizeof joints, "joints:\n");
    for (int i = 0; i < 3; i++) {
        const double x = at[0] + cos(at[2]) * corner[i][0] - sin(at[2]) * corner[i][1],
                     y = at[1] + sin(at[2]) * corner[i][0] + cos(at[2]) * corner[i][1];
        check_near("leg", hypot(x - base[i][0], y - base[i][1]), leg[i], 1e-11);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  tube%d: {position: [%.17g, %.17g]}\n  rod%d: {position: [%.17g, "
                      "%.17g]}\n",
                      i, base[i][0], base[i][1], i, x, y);
        j += snprintf(joints + j, sizeof joints - (size_t)j,
                      "  foot%d: {type: revolute, bodies: [ground, tube%d], at: [%.17g, %.17g]}\n"
                      "  leg%d: {type: prismatic, bodies: [tube%d, rod%d], at: [%.17g, %.17g], "
                      "axis: [%.17g, %.17g]}\n"
                      "  head%d: {type: revolute, bodies: [rod%d, plate], at: [%.17g, %.17g]}\n",
                      i, i, base[i][0], base[i][1], i, i, i, base[i][0], base[i][1], x - base[i][0],
                      y - base[i][1], i, i, x, y);
    }
    snprintf(text + n, sizeof text - (size_t)n, "%s", joints);
    found f = search(text, (hol_assemblies_options){.hold = "leg0, leg1,leg2", .starts = 1000});
    assert_int_equal(branches(&f), 6);
    const hol_table places = answer_table(f.answer, "joints");
    for (int i = 0; i < places.rows; i++)
        for (int k = 0; k < 6 && strncmp(places.row_names[i], "leg", 3) == 0; k++)
            check_near("held", places.values[i * places.columns + k], 0, 1e-9);
    done(&f);
}

/* A crank about an axis askew in space: held by its joint it leaves the two positions of the sphere
 * that hangs on two rods from it and one from ground; chosen without a word is the same joint. */
static void test_joint_in_space(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\nbodies:\n"
        "  crank: {position: [0.2, 0.1, 0.3]}\n  ball: {position: [1, 0.4, 0.2]}\njoints:\n"
        "  hinge: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0.3, 1, -0.4]}\n"
        "  a: {type: distance, bodies: [crank, ball], from: [0.3, 0.2, 0.1], to: [1, 0.4, 0.2]}\n"
        "  b: {type: distance, bodies: [crank, ball], from: [0.1, 0.4, 0.5], to: [1, 0.4, 0.2]}\n"
        "  c: {type: distance, bodies: [ground, ball], from: [0.9, -0.6, 0.1], to: [1, 0.4, "
        "0.2]}\n";
    (void)unused;
    found f = search(text, (hol_assemblies_options){.hold = "hinge"});
    assert_int_equal(branches(&f), 2);
    /* in the plane of the three fixed points, one is the image of the other */
    const double P[3] = {0.3, 0.2, 0.1}, Q[3] = {0.1, 0.4, 0.5}, R[3] = {0.9, -0.6, 0.1};
    double u[3], v[3], n[3], x[3], size = 0, above = 0;
    for (int i = 0; i < 3; i++) u[i] = Q[i] - P[i], v[i] = R[i] - P[i];
    for (int i = 0; i < 3; i++)
        n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3],
        size += n[i] * n[i];
    for (int i = 0; i < 3; i++) x[i] = pose(&f, 0, "ball", i);
    for (int i = 0; i < 3; i++) above += (x[i] - P[i]) * n[i] / size;
    for (int i = 0; i < 3; i++)
        check_near("image", pose(&f, 1, "ball", i), x[i] - 2 * above * n[i], 1e-9);
    char *text_of = hol_answer_to_text(f.answer, 100);
    assert_non_null(strstr(text_of, "hinge"));
    hol_free(f.ctx, text_of);
    done(&f);
    f = search(text, (hol_assemblies_options){0});
    text_of = hol_answer_to_text(f.answer, 100);
    assert_non_null(strstr(text_of, "held                hinge, "));
    hol_free(f.ctx, text_of);
    done(&f);
    f = search(text, (hol_assemblies_options){.hold = "hinges"});
    assert_int_equal(f.status, HOL_ERR_INPUT);
    assert_non_null(strstr(run_last_error(f.ctx)->text, "did you mean 'hinge'?"));
    done(&f);
}

/* ---- assemblies that can still move ---- */

/* Peaucellier's cell with its arm held. Where U and V are the two points in which circles about O
 * and C meet, P is C or its image: four assemblies. Where both long links go to one of them, P may
 * be anywhere on a circle about it: two families. */
static void test_families(void **unused) {
    const double r = 0.2, a = 0.5, b = 0.2, cx = r + r * cos(0.5), cy = r * sin(0.5),
                 d = hypot(cx, cy), along = (d * d + a * a - b * b) / (2 * d),
                 off = sqrt(a * a - along * along), ex = cx / d, ey = cy / d;
    const double U[2] = {along * ex - off * ey, along * ey + off * ex},
                 V[2] = {along * ex + off * ey, along * ey - off * ex},
                 P[2] = {(2 * along - d) * ex, (2 * along - d) * ey};
    char text[2048];
    (void)unused;
    snprintf(text, sizeof text,
             "holonom: 1\nspace: planar\ngravity: [0, 0]\npoints: {O: [0, 0], Q: [%.17g, 0], C: "
             "[%.17g, %.17g], U: [%.17g, %.17g], V: [%.17g, %.17g], P: [%.17g, %.17g]}\nbodies:\n"
             "  arm: {along: [Q, C]}\n  l1: {along: [O, U]}\n  l2: {along: [O, V]}\n"
             "  r1: {along: [C, U]}\n  r2: {along: [C, V]}\n  r3: {along: [U, P]}\n"
             "  r4: {along: [V, P]}\njoints:\n"
             "  q: {type: revolute, bodies: [ground, arm], at: Q}\n"
             "  o1: {type: revolute, bodies: [ground, l1], at: O}\n"
             "  o2: {type: revolute, bodies: [ground, l2], at: O}\n"
             "  c1: {type: revolute, bodies: [arm, r1], at: C}\n"
             "  c2: {type: revolute, bodies: [arm, r2], at: C}\n"
             "  u1: {type: revolute, bodies: [l1, r1], at: U}\n"
             "  u2: {type: revolute, bodies: [l1, r3], at: U}\n"
             "  v1: {type: revolute, bodies: [l2, r2], at: V}\n"
             "  v2: {type: revolute, bodies: [l2, r4], at: V}\n"
             "  p: {type: revolute, bodies: [r3, r4], at: P}\n",
             r, cx, cy, U[0], U[1], V[0], V[1], P[0], P[1]);
    found f = search(text, (hol_assemblies_options){.hold = "q"});
    assert_int_equal(branches(&f), 6);
    assert_int_equal((int)hol_answer_value(f.answer, "moving"), 2);
    const hol_table all = answer_table(f.answer, "assemblies");
    for (int i = 0; i < 6; i++) {
        const int moves = all.values[i * all.columns + 1] > 0;
        const double one = pose(&f, i, "l1", 2), two = pose(&f, i, "l2", 2);
        check_near("both links at one point", fabs(remainder(one - two, 2 * pi)) < 1e-9, moves, 0);
    }
    done(&f);
}

/* Ten points on two rods each, above or below: 1024 assemblies, of which 512 are kept. */
static void test_too_many(void **unused) {
    char text[4096];
    int n = snprintf(text, sizeof text, "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n");
    (void)unused;
    for (int i = 0; i < 10; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  p%d: {position: [%d, 0.3]}\n", i, i);
    n += snprintf(text + n, sizeof text - (size_t)n, "joints:\n");
    for (int i = 0; i < 10; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  a%d: {type: distance, bodies: [ground, p%d], from: [%g, 0], to: [%d, "
                      "0.3]}\n  b%d: {type: distance, bodies: [ground, p%d], from: [%g, 0], to: "
                      "[%d, 0.3]}\n",
                      i, i, i - 0.4, i, i, i, i + 0.3, i);
    found f = search(text, (hol_assemblies_options){.starts = 1500});
    assert_int_equal(branches(&f), 512);
    int told = 0;
    for (int i = 0; i < hol_message_count(f.ctx); i++)
        told += strstr(hol_message_get(f.ctx, i)->text, "more than 512 were met") != NULL;
    assert_int_equal(told, 1);
    done(&f);
}

/* ---- what cannot be ---- */
static void test_refusals(void **unused) {
    (void)unused;
    found f = search(four_bar, (hol_assemblies_options){.hold = "crank.length"});
    assert_int_equal(f.status, HOL_ERR_INPUT);
    assert_non_null(strstr(run_last_error(f.ctx)->text, "no coordinate 'crank.length'"));
    done(&f);
    f = search(four_bar, (hol_assemblies_options){.hold = "crank.angle", .pick = 3});
    assert_int_equal(f.status, HOL_ERR_INPUT);
    done(&f);
    /* a coupler that is too short */
    f = search("holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n  a: {along: [[0, 0], [1, "
               "0]]}\n  b: {along: [[5, 0], [4, 0]]}\njoints:\n"
               "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
               "  B: {type: revolute, bodies: [ground, b], at: [5, 0]}\n"
               "  link: {type: distance, bodies: [a, b], from: [1, 0], to: [4, 0], length: 0.7}\n",
               (hol_assemblies_options){0});
    assert_int_equal(f.status, HOL_ERR_ASSEMBLY);
    int named = 0;
    for (int i = 0; i < hol_message_count(f.ctx); i++) {
        const hol_message *message = hol_message_get(f.ctx, i);
        named |= message->element && strstr(message->element, "'link'") != NULL;
    }
    assert_true(named);
    done(&f);
}

/* Every model: at least one assembly, closed, or an error that says why not. */
static void test_models(void **unused) {
    static char names[MOST_MODELS][NAME];
    int count = list_models("", names, 0);
    (void)unused;
    for (int i = 0; i < count; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        hol_options *options = NULL;
        hol_answer *answer = NULL;
        const hol_assemblies_options how = {.size = sizeof how, .starts = 5};
        const hol_status read = run_read(spec, names[i]);
        hol_model *model = read ? NULL : hol_model_from_spec(ctx, spec, &options);
        assert_non_null(model);
        const hol_status status = hol_assemblies(ctx, model, options, &how, &answer);
        if (status) {
            run_print_messages(ctx);
            fail_msg("%s", names[i]);
        }
        assert_true(hol_answer_value(answer, "assemblies") >= 1);
        hol_answer_free(answer);
        hol_options_free(options);
        hol_model_free(model);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bar),     cmocka_unit_test(test_pick),
        cmocka_unit_test(test_held),         cmocka_unit_test(test_six_bar),
        cmocka_unit_test(test_platform),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_models),       cmocka_unit_test(test_start_of_run),
        cmocka_unit_test(test_sliding_legs), cmocka_unit_test(test_joint_in_space),
        cmocka_unit_test(test_families),     cmocka_unit_test(test_too_many),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
