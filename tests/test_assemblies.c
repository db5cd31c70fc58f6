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
        cmocka_unit_test(test_four_bar), cmocka_unit_test(test_pick),
        cmocka_unit_test(test_held),     cmocka_unit_test(test_six_bar),
        cmocka_unit_test(test_platform), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_models),   cmocka_unit_test(test_start_of_run),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
