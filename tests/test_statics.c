/* test_statics.c: equilibria against closed forms and against the ends of damped runs, in all sets
 * of coordinates; stability, free directions, many starts, curves, preloads, contacts. */
#define _POSIX_C_SOURCE 200809L
#include "asked.h"

#include <dirent.h>

static const char *const sets[] = {"reference", "relative", "natural"};

/* ---- questions ---- */

/* What hol_statics says of a text, or (text NULL) of a file of models/. */
static asked ask(const char *text, const char *file, const char *settings,
                 const hol_statics_options *options) {
    asked a = asked_new();
    const hol_status read =
        text ? hol_spec_read_text(a.spec, text, "statics.yaml") : run_read(a.spec, file);
    assert_int_equal(read, HOL_OK);
    assert_int_equal(run_settings(a.spec, settings), HOL_OK);
    a.status = hol_statics(a.ctx, a.spec, options, &a.answer);
    return a;
}

/* The same; it must have an answer. */
static asked answer_to(const char *text, const char *settings, const hol_statics_options *options) {
    return asked_well(ask(text, NULL, settings, options));
}

static int column_at(const hol_table *t, const char *name) {
    for (int j = 0; j < t->columns; j++)
        if (strcmp(t->column_names[j], name) == 0) return j;
    fail_msg("no column '%s' in '%s'", name, t->name);
    return 0;
}

/* A cell by the names of its row and column. */
static double cell(const asked *a, const char *table, const char *row, const char *column) {
    const hol_table t = answer_table(a->answer, table);
    for (int i = 0; i < t.rows; i++)
        if (strcmp(t.row_names[i], row) == 0)
            return t.values[i * t.columns + column_at(&t, column)];
    fail_msg("no row '%s' in '%s'", row, table);
    return 0;
}

static const char *text_of(const asked *a, const char *key) {
    for (int i = 0; i < hol_answer_facts(a->answer); i++) {
        hol_fact fact = {.size = sizeof fact};
        assert_int_equal(hol_answer_fact(a->answer, i, &fact), HOL_OK);
        if (strcmp(fact.key, key) == 0 && fact.text) return fact.text;
    }
    fail_msg("no fact '%s'", key);
    return "";
}

static void check_close(double found, double wanted, double tolerance, const char *what) {
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%s: %.15g, not %.15g (off by %.2g)", what, found, wanted, found - wanted);
}

/* ---- against damped runs ---- */

static const char linkage[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 1.3, inertia: 0.02, along: [[0, 0], [0.3, 0.4]]}\n"
    "  rod: {mass: 2.1, inertia: 0.09, along: [[0.3, 0.4], [1.2, 0.5]]}\n"
    "  rocker: {mass: 1.7, inertia: 0.05, along: [[1.2, 0.5], [1.1, -0.2]]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [crank, rod], at: [0.3, 0.4]}\n"
    "  C: {type: revolute, bodies: [rod, rocker], at: [1.2, 0.5]}\n"
    "  D: {type: revolute, bodies: [ground, rocker], at: [1.1, -0.2]}\n"
    "forces:\n"
    "  s: {type: spring, bodies: [ground, rod], from: [0.4, 1.3], to: [0.7, 0.44], stiffness: 90,\n"
    "    damping: 25, free_length: 0.5}\n"
    "simulation: {end: 60, tolerance: 1e-10}\n";

static const char pendula[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  upper: {mass: 1.1, inertia: 0.04, along: [[0, 0], [0.6, 0.2]]}\n"
    "  lower: {mass: 0.7, inertia: 0.03, along: [[0.6, 0.2], [1.1, 0.5]]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, upper], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [upper, lower], at: [0.6, 0.2]}\n"
    "forces:\n"
    "  a: {type: torsion, joint: A, stiffness: 3.7, damping: 1.9}\n"
    "  b: {type: torsion, joint: B, stiffness: 1.3, damping: 0.8, free_angle: 0.35}\n"
    "simulation: {end: 60, tolerance: 1e-10}\n";

static const char spatial[] =
    "holonom: 1\nspace: spatial\ngravity: [0.3, 0.2, -9.81]\n"
    "bodies:\n"
    "  arm: {mass: 2.2, inertia: [0.05, 0.11, 0.13], position: [0.3, 0.1, 0.2]}\n"
    "  hand: {mass: 1.4, inertia: [0.03, 0.02, 0.04], position: [0.8, 0.3, 0.5]}\n"
    "joints:\n"
    "  root: {type: spherical, bodies: [ground, arm], at: [0, 0, 0]}\n"
    "  wrist: {type: universal, bodies: [arm, hand], at: [0.6, 0.2, 0.4], axis: [1, 0, 0],\n"
    "    axis_second: [0, 1, 0]}\n"
    "forces:\n"
    "  a: {type: spring, bodies: [ground, arm], from: [0.4, -0.6, 1.2], to: [0.5, 0.1, 0.3],\n"
    "    stiffness: 140, damping: 30, free_length: 0.6}\n"
    "  b: {type: spring, bodies: [ground, hand], from: [1.3, 0.9, 1.1], to: [0.9, 0.4, 0.5],\n"
    "    stiffness: 80, damping: 20, free_length: 0.4}\n"
    "  c: {type: spring, bodies: [ground, hand], from: [0.2, 1.2, 0.1], to: [0.8, 0.5, 0.6],\n"
    "    stiffness: 60, damping: 20, free_length: 0.5}\n"
    "  d: {type: bushing, bodies: [arm, hand], at: [0.6, 0.2, 0.4],\n"
    "    stiffness: [0, 0, 0, 2.5, 2.5, 2.5], damping: [0, 0, 0, 1.5, 1.5, 1.5]}\n"
    "simulation: {end: 60, tolerance: 1e-10}\n";

/* The state at the end of a run, as positions of the bodies. */
static void check_against_run(const char *text, const char *file, const char *settings,
                              const char *set, double end) {
    char all[512];
    hol_statics_options options = {.size = sizeof options};
    snprintf(all, sizeof all, "%s%ssimulation.coordinates=%s", settings ? settings : "",
             settings ? " " : "", set);
    asked a = ask(text, file, all, &options);
    if (a.status) run_print_messages(a.ctx);
    assert_int_equal(a.status, HOL_OK);
    hol_options *o = NULL;
    hol_model *model = hol_model_from_spec(a.ctx, a.spec, &o);
    hol_sim *sim = hol_sim_new(a.ctx, model, o);
    assert_non_null(sim);
    assert_int_equal(hol_sim_advance(sim, end), HOL_OK);
    const hol_table t = answer_table(a.answer, "positions");
    for (int i = 0; i < t.rows; i++) {
        hol_pose pose;
        assert_int_equal(hol_data_body_pose(hol_sim_data(sim), i, &pose), HOL_OK);
        const int dim = t.columns == 3 ? 2 : 3;
        for (int k = 0; k < dim; k++)
            check_close(t.values[i * t.columns + k], pose.r[k], 1e-8, t.row_names[i]);
        if (dim == 2)
            check_close(sin(t.values[i * 3 + 2] - atan2(pose.R[3], pose.R[0])), 0, 1e-8,
                        t.row_names[i]);
    }
    hol_sim_free(sim);
    hol_model_free(model);
    hol_options_free(o);
    done(&a);
}

/* After 60 s the slowest motion of these is below 1e-9 of its start. */
static void test_ends_of_damped_runs(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < 3; k++) {
        check_against_run(linkage, NULL, NULL, sets[k], 60);
        check_against_run(pendula, NULL, NULL, sets[k], 60);
        check_against_run(spatial, NULL, NULL, sets[k], 60);
    }
}

/* The corner of the Iltis with its chassis held: tyre, leaf spring and shock absorber. */
static void test_iltis_corner(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char held[] = "bodies.chassis.motion.x=0*t simulation.tolerance=1e-10";
    for (int k = 0; k < 3; k++) check_against_run(NULL, "iltis_corner", held, sets[k], 25);
}

/* ---- closed forms ---- */

static const char truss[] =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
    "parameters: {b: 1.3, h: 0.21, k: 870, P: 0}\n"
    "bodies:\n  node: {mass: 1, inertia: 1, position: [0, h]}\n"
    "joints:\n  guide: {type: prismatic, bodies: [ground, node], at: [0, h], axis: [0, 1]}\n"
    "forces:\n"
    "  left: {type: spring, bodies: [ground, node], from: [-b, 0], to: [0, h], stiffness: k,\n"
    "    free_length: 'sqrt(b^2 + h^2)'}\n"
    "  right: {type: spring, bodies: [ground, node], from: [b, 0], to: [0, h], stiffness: k,\n"
    "    free_length: 'sqrt(b^2 + h^2)'}\n"
    "  load: {type: force, body: node, force: [0, -P]}\n"
    "measures:\n  height: {type: position, body: node, component: y}\n"
    "simulation: {end: 1}\n";

/* P = 2 k (l0 - l) y/l has its extremes at l^3 = l0 b^2. */
static void test_truss(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const double b = 1.3, k = 870, l0 = hypot(b, 0.21), l = cbrt(l0 * b * b),
                 y = sqrt(l * l - b * b), P = 2 * k * (l0 - l) * y / l;
    for (int i = 0; i < 3; i++) {
        char set[64];
        snprintf(set, sizeof set, "simulation.coordinates=%s", sets[i]);
        hol_statics_options options = {
            .size = sizeof options, .vary = "P", .from = -1.7 * P, .to = 1.7 * P};
        asked a = answer_to(truss, set, &options);
        check_close(hol_answer_value(a.answer, "limit_points"), 2, 0, "limit points");
        check_close(hol_answer_value(a.answer, "bifurcations"), 0, 0, "bifurcations");
        const hol_table t = answer_table(a.answer, "points"), c = answer_table(a.answer, "curve");
        const int height = column_at(&t, "height"), p = column_at(&t, "P");
        check_close(t.values[p], P, 1e-9 * P, "upper limit load");
        check_close(t.values[height], y, 1e-6 * b, "its height");
        check_close(t.values[t.columns + p], -P, 1e-9 * P, "lower limit load");
        for (int r = 0; r < c.rows; r++) { /* every point is on the curve */
            const double at = c.values[r * c.columns + height], now = hypot(b, at);
            check_close(c.values[r * c.columns + p], 2 * k * (l0 - now) * at / now, 1e-8 * P,
                        "load");
        }
        check_close(c.values[(c.rows - 1) * c.columns + p], 1.7 * P, 0, "end of the range");
        assert_true(c.values[(c.rows - 1) * c.columns + height] < -0.21);
        done(&a);
    }
}

/* y = h, -h are stable, y = 0 is not: three equilibria, with energies 0, 0 and k (l0 - b)^2. */
static void test_starts(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    hol_statics_options options = {.size = sizeof options, .starts = 25};
    asked a = answer_to(truss, NULL, &options);
    const hol_table t = answer_table(a.answer, "equilibria");
    assert_int_equal(t.rows, 3);
    check_close(hol_answer_value(a.answer, "stable"), 2, 0, "stable ones");
    const int height = column_at(&t, "height"), unstable = column_at(&t, "unstable");
    const double l0 = hypot(1.3, 0.21), most = 870 * (l0 - 1.3) * (l0 - 1.3);
    check_close(t.values[2 * t.columns], most, 1e-9 * most, "energy of the unstable one");
    check_close(t.values[2 * t.columns + height], 0, 1e-9, "its height");
    check_close(t.values[2 * t.columns + unstable], 1, 0, "its unstable directions");
    check_close(fabs(t.values[height]), 0.21, 1e-9, "height of a stable one");
    check_close(t.values[height] + t.values[t.columns + height], 0, 1e-9, "both");
    done(&a);
}

/* Two pendula without springs: four equilibria. */
static void test_starts_of_pendula(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    hol_statics_options options = {.size = sizeof options, .starts = 100};
    asked a = answer_to(pendula,
                        "forces.a.stiffness=0 forces.b.stiffness=0 simulation.coordinates=relative",
                        &options);
    const hol_table t = answer_table(a.answer, "equilibria");
    assert_int_equal(t.rows, 4);
    static const double unstable[] = {0, 1, 1, 2};
    for (int i = 0; i < 4; i++)
        check_close(t.values[i * t.columns + column_at(&t, "unstable")], unstable[i], 0,
                    t.row_names[i]);
    done(&a);
}

/* tan(theta_i) = -(V - (i + 1/2) w)/H along a chain of N links that hangs between two points. */
enum { LINKS = 8 };

static void chain_misses(const double x[2], double link, double span, double rise, double out[2]) {
    out[0] = -span, out[1] = -rise;
    for (int i = 0; i < LINKS; i++) {
        const double angle = atan(-(x[1] - (i + 0.5)) / x[0]);
        out[0] += link * cos(angle), out[1] += link * sin(angle);
    }
}

/* H and V over the weight of a link. */
static void solve_chain(double link, double span, double rise, double x[2]) {
    x[0] = 2, x[1] = LINKS / 2.0;
    for (int k = 0; k < 60; k++) {
        double f[2], g[2][2], at[2];
        chain_misses(x, link, span, rise, f);
        for (int j = 0; j < 2; j++) {
            memcpy(at, x, sizeof at);
            at[j] += 1e-6;
            chain_misses(at, link, span, rise, g[j]);
            for (int i = 0; i < 2; i++) g[j][i] = (g[j][i] - f[i]) / 1e-6;
        }
        const double det = g[0][0] * g[1][1] - g[1][0] * g[0][1];
        x[0] -= (f[0] * g[1][1] - g[1][0] * f[1]) / det;
        x[1] -= (g[0][0] * f[1] - f[0] * g[0][1]) / det;
    }
}

static void test_hanging_chain(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const double link = 0.25, span = 1.2, rise = 0.3, half = LINKS / 2 * link;
    /* drawn as a V with legs of equal length */
    const double d = hypot(span, rise), deep = sqrt(half * half - d * d / 4);
    const double bx = span / 2 + deep * rise / d, by = rise / 2 - deep * span / d;
    char text[8192];
    size_t n = 0;
    double px[LINKS + 1], py[LINKS + 1], x[2];
    for (int i = 0; i <= LINKS; i++) {
        const double s = (double)(i <= LINKS / 2 ? i : i - LINKS / 2) / (LINKS / 2);
        px[i] = i <= LINKS / 2 ? s * bx : bx + s * (span - bx);
        py[i] = i <= LINKS / 2 ? s * by : by + s * (rise - by);
    }
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    for (int i = 0; i < LINKS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "  L%d: {mass: 0.4, inertia: 0.003, along: [[%.15g, %.15g], [%.15g, "
                              "%.15g]], com: [%.15g, 0]}\n",
                              i, px[i], py[i], px[i + 1], py[i + 1], link / 2);
    n += (size_t)snprintf(text + n, sizeof text - n, "joints:\n");
    for (int i = 0; i <= LINKS; i++) {
        char first[16] = "ground", second[16] = "ground";
        if (i) snprintf(first, sizeof first, "L%d", i - 1);
        if (i < LINKS) snprintf(second, sizeof second, "L%d", i);
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "  J%d: {type: revolute, bodies: [%s, %s], at: [%.15g, %.15g]}\n", i,
                              first, second, px[i], py[i]);
    }
    assert_true(n < sizeof text);
    solve_chain(link, span, rise, x);
    for (int k = 0; k < 3; k++) {
        char set[64], name[16];
        snprintf(set, sizeof set, "simulation.coordinates=%s", sets[k]);
        asked a = answer_to(text, set, NULL);
        assert_string_equal(text_of(&a, "equilibrium"), "stable");
        for (int i = 0; i < LINKS; i++) {
            snprintf(name, sizeof name, "L%d", i);
            check_close(tan(cell(&a, "positions", name, "angle")), -(x[1] - (i + 0.5)) / x[0], 1e-9,
                        name);
        }
        /* ground receives the pull of the first link */
        check_close(cell(&a, "reactions", "J0", "fx"), x[0] * 0.4 * 9.81, 1e-9, "H");
        check_close(cell(&a, "reactions", "J0", "fy"), -x[1] * 0.4 * 9.81, 1e-9, "V");
        done(&a);
    }
}

/* ---- steady motions ---- */

static const char governor[] =
    "holonom: 1\nspace: spatial\ngravity: [0, -G, G - 9.81]\n"
    "parameters: {w: 6, r: 0.4, e: 0, G: 0}\n"
    "bodies:\n"
    "  shaft: {mass: 1, inertia: 0.1, position: [0, 0, 0]}\n"
    "  ball: {mass: 2.3, inertia: 1e-9, position: [0.05 + e, 0, -sqrt(r^2 - 0.05^2)]}\n"
    "joints:\n"
    "  base: {type: revolute, bodies: [ground, shaft], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  arm: {type: revolute, bodies: [shaft, ball], at: [e, 0, 0], axis: [0, 1, 0]}\n"
    "  drive: {type: driver, joint: base, velocity: w}\n"
    "measures:\n  ball: {type: position, body: ball}\n"
    "simulation: {end: 1}\n";

/* A ball on an arm r: z = -g/w^2 above w = sqrt(g/r), where the hanging ball becomes unstable. */
static void test_governor(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const double limit = sqrt(9.81 / 0.4);
    hol_statics_options one = {.size = sizeof one, .steady = 1};
    asked a = answer_to(governor, NULL, &one);
    check_close(cell(&a, "positions", "ball", "z"), -9.81 / 36, 1e-11, "height");
    assert_string_equal(text_of(&a, "equilibrium"), "stable");
    /* the shaft receives weight and centrifugal force */
    check_close(fabs(cell(&a, "reactions", "arm", "fx")), 2.3 * 36 * sqrt(0.16 - pow(9.81 / 36, 2)),
                1e-8, "centrifugal force");
    check_close(cell(&a, "reactions", "arm", "fz"), -2.3 * 9.81, 1e-8, "weight");
    done(&a);
    hol_statics_options curve = {
        .size = sizeof curve, .steady = 1, .vary = "w", .from = 1.2, .to = 9.3};
    a = answer_to(governor, NULL, &curve); /* the ball hangs, and then stays at the top of a hill */
    hol_table t = answer_table(a.answer, "points");
    assert_int_equal(t.rows, 1);
    assert_non_null(strstr(t.row_names[0], "bifurcation 1: body 'ball'"));
    check_close(t.values[0], limit, 1e-9 * limit, "stability limit");
    done(&a);
    curve.from = 9.3, curve.to = 1.2;
    a = answer_to(governor, NULL, &curve); /* the other branch ends there and returns */
    t = answer_table(a.answer, "points");
    assert_int_equal(t.rows, 1);
    check_close(t.values[0], limit, 1e-6 * limit, "stability limit from above");
    t = answer_table(a.answer, "curve");
    const int z = column_at(&t, "ball.z");
    for (int i = 0; i < t.rows; i++) {
        const double w = t.values[i * t.columns];
        check_close(t.values[i * t.columns + z], -9.81 / (w * w), 1e-8, "height along the curve");
    }
    done(&a);
}

/* Gravity across the axis turns against the mechanism: that is no equilibrium. */
static void test_not_steady(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    hol_statics_options one = {.size = sizeof one, .steady = 1};
    asked a = ask(governor, NULL, "G=9 e=0.1", &one);
    assert_int_equal(a.status, HOL_ERR_TOLERANCE);
    assert_null(a.answer);
    assert_non_null(strstr(run_last_error(a.ctx)->text, "no steady motion"));
    done(&a);
}

/* ---- stability and free directions ---- */

static const char column[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {L: 1.2, m: 1.7, k: 30}\n"
    "bodies:\n  rod: {mass: m, inertia: m*L^2/12, position: [0, L/2], angle: 90 deg}\n"
    "joints:\n  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
    "forces:\n  spring: {type: torsion, joint: hinge, stiffness: k}\n"
    "measures:\n  angle: {type: joint_coordinate, joint: hinge}\n"
    "simulation: {end: 1}\n";

/* An upright rod on a torsion spring is stable above k = m g L/2; the pitchfork is there. */
static void test_pitchfork(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const double limit = 1.7 * 9.81 * 0.6;
    hol_statics_options curve = {.size = sizeof curve, .vary = "k", .from = 30, .to = 2};
    asked a = answer_to(column, NULL, &curve);
    const hol_table t = answer_table(a.answer, "points");
    assert_int_equal(t.rows, 1);
    assert_non_null(strstr(t.row_names[0], "bifurcation 1: body 'rod'"));
    check_close(t.values[0], limit, 1e-9 * limit, "critical stiffness");
    done(&a);
    a = answer_to(column, "k=9.7", NULL); /* as drawn it rests, but not for long */
    assert_string_equal(text_of(&a, "equilibrium"), "unstable");
    check_close(hol_answer_value(a.answer, "moved"), 0, 1e-12, "moved");
    done(&a);
    hol_statics_options many = {.size = sizeof many, .starts = 20, .reach = 1.5};
    a = answer_to(column, "k=9.7", &many);
    const hol_table found = answer_table(a.answer, "equilibria");
    assert_int_equal(found.rows, 3); /* upright, and one at each side: k x = m g L/2 sin(x) */
    const double x = found.values[column_at(&found, "angle")];
    check_close(9.7 * x, limit * sin(x), 1e-9, "tilted rod");
    done(&a);
}

/* Two links with a force that follows the last: H = [2k - P, P - k; -k, k] has the determinant k^2
 * for every P, so that no other equilibrium meets this one. With masses of 2 and 1 at the ends,
 * M = [3, 1; 1, 1], the squares x of the frequencies follow 2 x^2 + (2 P - 7 k) x + k^2 = 0:
 * complex between P = (7 -+ sqrt(8)) k/2, negative behind. */
static void test_follower_force(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {P: 1, k: 5}\n"
        "bodies:\n"
        "  a: {mass: 2, inertia: 1e-12, position: [1, 0]}\n"
        "  b: {mass: 1, inertia: 1e-12, position: [2, 0]}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
        "forces:\n"
        "  ka: {type: torsion, joint: A, stiffness: k}\n"
        "  kb: {type: torsion, joint: B, stiffness: k}\n"
        "  follower: {type: force, body: b, at: [2, 0], force: [-P, 0], frame: body}\n"
        "measures:\n  b: {type: angle, body: b}\n"
        "simulation: {end: 1}\n";
    asked a = answer_to(text, "P=10.2", NULL);
    assert_string_equal(text_of(&a, "equilibrium"), "stable");
    done(&a);
    a = answer_to(text, "P=10.6", NULL);
    assert_string_equal(text_of(&a, "equilibrium"), "undecided");
    done(&a);
    a = answer_to(text, "P=24.8", NULL);
    assert_string_equal(text_of(&a, "equilibrium"), "unstable");
    done(&a);
    hol_statics_options curve = {.size = sizeof curve, .vary = "P", .from = 1, .to = 40};
    a = answer_to(text, NULL, &curve);
    check_close(hol_answer_value(a.answer, "bifurcations"), 0, 0, "bifurcations");
    check_close(hol_answer_value(a.answer, "limit_points"), 0, 0, "limit points");
    done(&a);
}

/* A wheel that nothing turns is neutral; with a torque it has no equilibrium, and is named. */
static void test_free_directions(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char wheel[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {T: 0}\n"
        "bodies:\n  wheel: {mass: 2, inertia: 0.3, position: [0.4, 0.1]}\n"
        "joints:\n  axle: {type: revolute, bodies: [ground, wheel], at: [0.4, 0.1]}\n"
        "forces:\n  drive: {type: torque, body: wheel, torque: T}\n"
        "simulation: {end: 1}\n";
    asked a = answer_to(wheel, NULL, NULL);
    assert_string_equal(text_of(&a, "equilibrium"), "neutral");
    assert_non_null(strstr(text_of(&a, "neutral_1"), "body 'wheel' turns"));
    done(&a);
    a = ask(wheel, NULL, "T=0.8", NULL);
    assert_int_equal(a.status, HOL_ERR_TOLERANCE);
    const hol_message *error = run_last_error(a.ctx);
    assert_string_equal(error->element, "body 'wheel'");
    assert_non_null(strstr(error->text, "nothing holds it"));
    assert_int_equal(error->where.line, 6);
    done(&a);
}

/* A controller with an integral part holds a mass at its setpoint: its state takes the weight. */
static void test_states_at_rest(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char lift[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "bodies:\n  cage: {mass: 3.1, inertia: 1, position: [0, 0]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, cage], at: [0, 0], axis: [0, 1]}\n"
        "forces:\n  hold: {type: pid, joint: rail, target: 0.37, proportional: 40, integral: 25,\n"
        "    derivative: 9}\n"
        "simulation: {end: 1}\n";
    asked a = answer_to(lift, NULL, NULL);
    check_close(cell(&a, "positions", "cage", "y"), 0.37, 1e-9, "height of the setpoint");
    check_close(fabs(cell(&a, "loads", "hold", "fy")), 3.1 * 9.81, 1e-8, "force");
    done(&a);
}

/* A driver that is given by its acceleration has its position as a state, which stays; one that is
 * given by its position goes to another time on its branch, many turns on. */
static void test_drivers_hold(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char crank[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  crank: {mass: 1, inertia: 0.1, along: [[0, 0], [0.4, 0]]}\n"
        "  rod: {mass: 2, inertia: 0.3, along: [[0.4, 0], [1.6, 0]]}\n"
        "  piston: {mass: 1.5, inertia: 1, position: [1.6, 0]}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [crank, rod], at: [0.4, 0]}\n"
        "  C: {type: revolute, bodies: [rod, piston], at: [1.6, 0]}\n"
        "  D: {type: prismatic, bodies: [ground, piston], at: [1.6, 0], axis: [1, 0]}\n"
        "  turn: {type: driver, joint: A, %s}\n"
        "simulation: {end: 1}\n";
    const double at = 2.9, angle = 7 * at;
    char text[2048];
    for (int k = 0; k < 3; k++) {
        char set[64];
        snprintf(set, sizeof set, "simulation.coordinates=%s", sets[k]);
        snprintf(text, sizeof text, crank, "position: 7*t");
        hol_statics_options options = {.size = sizeof options, .time = &at};
        asked a = answer_to(text, set, &options);
        const double y = 0.4 * sin(angle), x = 0.4 * cos(angle) + sqrt(1.44 - y * y);
        check_close(cell(&a, "positions", "piston", "x"), x, 1e-10, sets[k]);
        done(&a);
        snprintf(text, sizeof text, crank, "acceleration: 2 - t, initial_rate: 1");
        a = answer_to(text, set, NULL);
        check_close(cell(&a, "positions", "piston", "x"), 1.6, 1e-10, "as drawn");
        done(&a);
        a = ask(text, NULL, set, &options);
        assert_int_equal(a.status, HOL_ERR_INPUT);
        assert_string_equal(run_last_error(a.ctx)->element, "joint 'turn'");
        done(&a);
    }
}

/* A rod that a table turns, at the first and at the last of its times, where differences in time
 * have one side: torque m g L/2 cos(angle), and no power, since the driver holds. */
static void test_ends_of_tables(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "tables: {turn: {points: [[0.3, 0.25], [0.8, 0.61], [1.1, 0.42], [1.7, 0.97]]}}\n"
        "bodies:\n  rod: {mass: 2.3, inertia: 0.1, along: [[0, 0], [0.7, 0]]}\n"
        "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
        "  turn: {type: motor, joint: A, angle: turn(t + 0.3)}\n"
        "measures:\n  M: {type: load, joint: turn}\nsimulation: {end: 1.4}\n";
    const double times[] = {0, 1.4}, angles[] = {0.25, 0.97};
    for (int k = 0; k < 6; k++) {
        char set[64];
        snprintf(set, sizeof set, "simulation.coordinates=%s", sets[k / 2]);
        hol_statics_options options = {.size = sizeof options, .time = &times[k % 2]};
        asked a = answer_to(text, set, &options);
        check_close(cell(&a, "measures", "M.load", "value"), 2.3 * 9.81 * 0.35 * cos(angles[k % 2]),
                    1e-10, sets[k / 2]);
        assert_true(cell(&a, "measures", "M.power", "value") == 0);
        done(&a);
    }
}

/* An upright rod on a weak torsion spring, on a slide that sinks into its spring: downhill the
 * slide comes to rest on a saddle, and the search goes on to k x = m g L/2 sin(x). Newton's method
 * ends upright. */
static void test_saddles(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {L: 1.2, m: 1.7, k: 9.7}\n"
        "bodies:\n"
        "  slide: {mass: 0.8, inertia: 1, position: [0, 0]}\n"
        "  rod: {mass: m, inertia: m*L^2/12, position: [0, L/2], angle: 90 deg}\n"
        "joints:\n"
        "  guide: {type: prismatic, bodies: [ground, slide], at: [0, 0], axis: [0, 1]}\n"
        "  hinge: {type: revolute, bodies: [slide, rod], at: [0, 0]}\n"
        "forces:\n"
        "  spring: {type: torsion, joint: hinge, stiffness: k}\n"
        "  bed: {type: spring, bodies: [ground, slide], from: [0, -1], to: [0, 0], stiffness: 90}\n"
        "measures:\n  angle: {type: joint_coordinate, joint: hinge}\n"
        "simulation: {end: 1}\n";
    double before = NAN;
    for (int k = 0; k < 3; k++) {
        char set[64];
        snprintf(set, sizeof set, "simulation.coordinates=%s", sets[k]);
        asked a = answer_to(text, set, NULL);
        assert_string_equal(text_of(&a, "equilibrium"), "stable");
        const double x = cell(&a, "measures", "angle", "value");
        assert_true(fabs(x) > 0.1);
        if (k) check_close(x, before, 1e-9, "the same side in all coordinates");
        before = x;
        check_close(9.7 * x, 1.7 * 9.81 * 0.6 * sin(x), 1e-9, "tilted rod");
        check_close(cell(&a, "positions", "slide", "y"), -2.5 * 9.81 / 90, 1e-10, "slide");
        done(&a);
        hol_statics_options newton = {.size = sizeof newton, .search = "newton"};
        a = answer_to(text, set, &newton);
        check_close(cell(&a, "measures", "angle", "value"), 0, 1e-9, "upright");
        check_close(hol_answer_value(a.answer, "unstable_directions"), 1, 0, "a saddle");
        done(&a);
    }
}

/* A rod that is drawn level has no stiffness there, and a torque: Newton's step has no end, and
 * goes the way the torque points, to where the rod hangs. */
static void test_level_rod(void **state) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "bodies:\n  rod: {mass: 1.7, inertia: 0.21, position: [0.63, 0]}\n"
        "joints:\n  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
        "simulation: {end: 1}\n";
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < 3; k++) {
        const hol_statics_options newton = {.size = sizeof newton, .search = "newton"};
        char set[64];
        snprintf(set, sizeof set, "simulation.coordinates=%s", sets[k]);
        asked a = answer_to(text, set, &newton);
        assert_string_equal(text_of(&a, "equilibrium"), "stable");
        check_close(cell(&a, "positions", "rod", "y"), -0.63, 1e-12, "it hangs");
        done(&a);
    }
}

/* ---- without memory ---- */

/* Every question ends with HOL_ERR_MEMORY or an answer, whichever allocation fails, and leaves
 * nothing behind. */
static void test_no_memory(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char *const names[] = {"left", "right"};
    const hol_statics_options asked_for[] = {
        {.size = sizeof *asked_for},
        {.size = sizeof *asked_for, .starts = 2},
        {.size = sizeof *asked_for, .vary = "P", .from = 0, .to = 0.3, .points = 4},
        {.size = sizeof *asked_for, .n_preload = 2, .preload = names},
    };
    for (size_t q = 0; q < sizeof asked_for / sizeof *asked_for; q++) {
        int answered = 0;
        for (long k = 1; !answered; k += 1 + k / 9) {
            counting c;
            hol_context *ctx = failing_context(&c, k);
            hol_spec *spec = ctx ? hol_spec_new(ctx) : NULL;
            hol_answer *answer = NULL;
            if (spec && hol_spec_read_text(spec, truss, "statics.yaml") == HOL_OK) {
                const hol_status status = hol_statics(ctx, spec, &asked_for[q], &answer);
                if (status && status != HOL_ERR_MEMORY) run_print_messages(ctx);
                if (status && status != HOL_ERR_MEMORY)
                    fail_msg("question %zu, allocation %ld: %s", q, k, hol_status_name(status));
                assert_true((answer != NULL) == (status == HOL_OK));
                answered = status == HOL_OK;
            }
            hol_answer_free(answer);
            hol_spec_free(spec);
            hol_context_free(ctx);
            assert_int_equal(c.live, 0);
        }
    }
}

/* ---- springs for a drawn position ---- */

static void test_preload(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char *const names[] = {"s"};
    hol_statics_options options = {.size = sizeof options, .n_preload = 1, .preload = names};
    for (int k = 0; k < 3; k++) {
        char set[64], with[160];
        snprintf(set, sizeof set, "simulation.coordinates=%s", sets[k]);
        asked a = answer_to(linkage, set, &options);
        const double free_length = cell(&a, "preload", "forces.s.free_length", "after");
        check_close(cell(&a, "preload", "forces.s.free_length", "before"), 0.5, 1e-12, "before");
        const double x = cell(&a, "positions", "rod", "x");
        done(&a);
        snprintf(with, sizeof with, "%s forces.s.free_length=%.17g", set, free_length);
        hol_statics_options newton = {.size = sizeof newton, .search = "newton"};
        a = answer_to(linkage, with, &newton);
        check_close(hol_answer_value(a.answer, "moved"), 0, 1e-9, "moved from the drawn position");
        check_close(cell(&a, "positions", "rod", "x"), x, 1e-9, "x");
        done(&a);
    }
    static const char *const wrong[] = {"nothing"};
    options.preload = wrong;
    asked a = ask(linkage, NULL, NULL, &options);
    assert_int_equal(a.status, HOL_ERR_ARGUMENT);
    assert_non_null(strstr(run_last_error(a.ctx)->text, "no force 'nothing'"));
    done(&a);
}

/* ---- contacts ---- */

static const char block[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {slope: 0.2, mu: 0.4}\n"
    "bodies:\n"
    "  block: {mass: 3, inertia: 0.2, position: [-0.1*sin(slope), 0.1*cos(slope)], angle: slope}\n"
    "joints:\n"
    "  floor: {type: rigid_contact, bodies: [ground, block], shapes: [{type: plane, at: [0, 0],\n"
    "    normal: [-sin(slope), cos(slope)]}, {type: box, size: [0.6, 0.2]}], friction: mu}\n"
    "simulation: {end: 1}\n";

/* A block on a slope rests where tan(slope) < mu, and slips where not. */
static void test_contacts(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    asked a = answer_to(block, NULL, NULL);
    check_close(cell(&a, "reactions", "floor", "fy"), -3 * 9.81, 1e-8, "weight");
    done(&a);
    a = ask(block, NULL, "mu=0.1", NULL);
    assert_int_equal(a.status, HOL_ERR_TOLERANCE);
    assert_string_equal(run_last_error(a.ctx)->element, "joint 'floor'");
    done(&a);
}

/* ---- the worked machines of the guide ---- */

/* A file of examples/statics, which the page of the guide speaks of. */
static asked ask_example(const char *file, const hol_statics_options *options) {
    asked a = {.ctx = hol_context_new()};
    char path[1024];
    a.spec = hol_spec_new(a.ctx);
    snprintf(path, sizeof path, "%s/examples/statics/%s.yaml", HOLONOM_TEST_SOURCE, file);
    assert_int_equal(hol_spec_read_file(a.spec, path), HOL_OK);
    a.status = hol_statics(a.ctx, a.spec, options, &a.answer);
    if (a.status) run_print_messages(a.ctx);
    assert_int_equal(a.status, HOL_OK);
    return a;
}

/* The numbers of the page, and cos(theta) = (mb + ms) g/(mb r w^2). */
static void test_worked_machines(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    hol_statics_options curve = {.size = sizeof curve, .vary = "P", .from = -5, .to = 5};
    asked a = ask_example("shallow_truss", &curve);
    const hol_table t = answer_table(a.answer, "points");
    assert_int_equal(t.rows, 2);
    check_close(t.values[0], 3.0191474, 5e-8, "limit load");
    check_close(fabs(t.values[column_at(&t, "height")]), 0.1147, 5e-5, "height at it");
    done(&a);
    hol_statics_options steady = {.size = sizeof steady, .steady = 1};
    a = ask_example("governor", &steady);
    check_close(cell(&a, "positions", "sleeve", "z"), -2 * 2.0 * 9.81 / (0.5 * 144), 1e-10,
                "height of the sleeve");
    done(&a);
    hol_statics_options speed = {
        .size = sizeof speed, .steady = 1, .vary = "speed", .from = 20, .to = 5};
    a = ask_example("governor", &speed);
    check_close(answer_table(a.answer, "points").values[0], sqrt(2.0 * 9.81 / (0.5 * 0.3)), 1e-5,
                "speed at which it begins to lift");
    done(&a);
}

/* ---- every model ---- */

/* The largest acceleration of the mechanism at rest where the answer has put it, by the plain
 * equations of motion in reference-point coordinates. */
static double acceleration_at(const asked *a) {
    hol_model *model = hol_model_compile(a->ctx, a->spec, "reference");
    hol_data *data = hol_data_new(a->ctx, model);
    hol_model_info info = {.size = sizeof info};
    const hol_table t = answer_table(a->answer, "positions");
    hol_model_describe(model, &info);
    double *q = calloc((size_t)info.n_q + 1, sizeof *q),
           *v = calloc((size_t)info.n_v + 1, sizeof *v);
    double most = 0, *at = q;
    for (int i = 0; i < t.rows; i++) {
        const double *row = t.values + i * t.columns;
        hol_body_info body = {.size = sizeof body};
        assert_int_equal(hol_model_body_describe(model, i, &body), HOL_OK);
        const double *c = body.com;
        if (t.columns == 3) {
            const double turn = row[2];
            *at++ = row[0] + cos(turn) * c[0] - sin(turn) * c[1];
            *at++ = row[1] + sin(turn) * c[0] + cos(turn) * c[1];
            *at++ = turn;
            continue;
        }
        const double *p = row + 3;
        const double u[3] = {p[2] * c[2] - p[3] * c[1], p[3] * c[0] - p[1] * c[2],
                             p[1] * c[1] - p[2] * c[0]};
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            *at++ = row[k] + c[k] + 2 * (p[0] * u[k] + p[1 + l] * u[m] - p[1 + m] * u[l]);
        }
        memcpy(at, p, 4 * sizeof *at), at += 4;
    }
    hol_data_set(data, hol_answer_value(a->answer, "time"), q, v);
    assert_int_equal(hol_data_solve(data), HOL_OK);
    for (int i = 0; i < info.n_v; i++) most = fmax(most, fabs(hol_data_acceleration(data)[i]));
    free(q);
    free(v);
    hol_data_free(data);
    hol_model_free(model);
    return most;
}

/* Models with contacts that push, whose equations in rest are those of the contacts that are
 * closed; with states of controllers; and whose drivers accelerate at the start. */
static int has_own_equations(const char *file) {
    static const char *const names[] = {"lift_off",        "newtons_cradle", "rocking_block",
                                        "rebounding_ball", "stick_slip",     "woodpecker"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(file, names[i]) == 0) return 1;
    return 0;
}

/* A right answer or an error that says why not. */
static void check_rests(const char *file, const char *set) {
    char settings[96];
    snprintf(settings, sizeof settings, "simulation.coordinates=%s", set);
    asked a = ask(NULL, file, settings, NULL);
    if (a.status) {
        const hol_message *error = run_last_error(a.ctx);
        assert_non_null(error);
        if (!error->element || !error->where.line || strlen(error->text) < 40)
            fail_msg("%s in %s coordinates: '%s' tells too little", file, set, error->text);
        done(&a);
        return;
    }
    if (!(hol_answer_value(a.answer, "residual") < 1e-9))
        fail_msg("%s in %s coordinates: residual %g", file, set,
                 hol_answer_value(a.answer, "residual"));
    const int joints = hol_answer_find(a.answer, "reactions") >= 0;
    const hol_table t = answer_table(a.answer, joints ? "reactions" : "positions");
    for (int i = 0; i < t.rows * t.columns; i++)
        if (!isfinite(t.values[i])) fail_msg("%s in %s: a number is not finite", file, set);
    /* forces cancel to some 1e-12 of the largest, which is at most 1e6 of gravity in these; what is
     * light has more */
    const double a_most = has_own_equations(file) ? 0 : acceleration_at(&a);
    if (!(a_most < 1e-7))
        fail_msg("%s in %s coordinates: accelerates by %g where it should rest", file, set, a_most);
    done(&a);
}

static void test_every_model(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char *const folders[] = {"", "gjb/"};
    int count = 0;
    for (int f = 0; f < 2; f++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", HOLONOM_TEST_MODELS, folders[f]);
        DIR *dir = opendir(path);
        assert_non_null(dir);
        for (struct dirent *e; (e = readdir(dir));) {
            char name[512];
            const char *end = strstr(e->d_name, ".yaml");
            if (!end || end[5]) continue;
            snprintf(name, sizeof name, "%s%.*s", folders[f], (int)(end - e->d_name), e->d_name);
            for (int k = 0; k < 3; k++) check_rests(name, sets[k]);
            count++;
        }
        closedir(dir);
    }
    assert_true(count > 40);
}

/* ---- what cannot be asked ---- */

static void test_questions(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char *const names[] = {"s"};
    const double never = NAN;
    const hol_statics_options wrong[] = {
        {.size = sizeof *wrong, .search = "guess"},
        {.size = sizeof *wrong, .starts = 3, .vary = "P", .from = 0, .to = 1},
        {.size = sizeof *wrong, .n_preload = 1, .preload = names, .starts = 3},
        {.size = sizeof *wrong, .time = &never},
        {.size = sizeof *wrong, .vary = "P", .from = 1, .to = 1},
        {.size = sizeof *wrong, .starts = -2},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        asked a = ask(truss, NULL, NULL, &wrong[i]);
        assert_int_equal(a.status, HOL_ERR_ARGUMENT);
        assert_null(a.answer);
        assert_non_null(run_last_error(a.ctx));
        done(&a);
    }
    hol_statics_options unknown = {.size = sizeof unknown, .vary = "Q", .from = 0, .to = 1};
    asked a = ask(truss, NULL, NULL, &unknown);
    assert_true(a.status < 0);
    assert_non_null(strstr(run_last_error(a.ctx)->text, "Q"));
    assert_int_equal(hol_statics(a.ctx, NULL, NULL, &a.answer), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_statics(a.ctx, a.spec, NULL, NULL), HOL_ERR_ARGUMENT);
    done(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truss),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_starts_of_pendula),
        cmocka_unit_test(test_hanging_chain),
        cmocka_unit_test(test_governor),
        cmocka_unit_test(test_not_steady),
        cmocka_unit_test(test_pitchfork),
        cmocka_unit_test(test_free_directions),
        cmocka_unit_test(test_states_at_rest),
        cmocka_unit_test(test_preload),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_drivers_hold),
        cmocka_unit_test(test_ends_of_tables),
        cmocka_unit_test(test_saddles),
        cmocka_unit_test(test_level_rod),
        cmocka_unit_test(test_follower_force),
        cmocka_unit_test(test_no_memory),

        cmocka_unit_test(test_every_model),
        cmocka_unit_test(test_ends_of_damped_runs),
        cmocka_unit_test(test_iltis_corner),
        cmocka_unit_test(test_worked_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
