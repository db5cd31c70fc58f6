/* test_study.c: designs spread as they say, distributions have their closed forms, Sobol's indices
 * hold the exact values within their intervals, cases have the same bits for any number of threads
 * and after any cut of the log, and what cannot be studied is named at its place. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/design.h"
#include "study/factor.h"
#include "study/random.h"
#include "study/sobol.h"

#include <holonom/study.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double PI = 3.14159265358979323846;

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g and %.17g differ by %g", a, b, fabs(a - b));
}

static hol_study *study_of(hol_context *ctx, const char *text) {
    hol_study *study = hol_study_read_text(ctx, text, "test.yaml");
    for (int i = 0; !study && i < hol_message_count(ctx); i++)
        print_message("%s\n", hol_message_get(ctx, i)->text);
    assert_non_null(study);
    return study;
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* The entry of an answer's table by its row (NULL: the first) and column. */
static double entry(const hol_answer *answer, const char *name, const char *row,
                    const char *column) {
    hol_table t = {.size = sizeof t};
    assert_int_equal(hol_answer_table(answer, hol_answer_find(answer, name), &t), HOL_OK);
    for (int i = 0; i < t.rows; i++)
        for (int k = 0; k < t.columns; k++)
            if ((!row || strcmp(t.row_names[i], row) == 0) &&
                strcmp(t.column_names[k], column) == 0)
                return t.values[i * t.columns + k];
    fail_msg("no %s, %s in %s", row ? row : "row", column, name);
    return NAN;
}

/* ---- designs ---- */

/* The first points of Sobol's sequence in natural order [Joe, Kuo 2008], and the spread of a
 * scrambled one: of 2^k points each 2^-k-th of each coordinate holds one, and each quarter by
 * quarter square of two coordinates 2^k/16 of the first two, which are a (0, 2)-sequence. */
static void sobol(void **unused) {
    enum { LOG = 8, N = 1 << LOG };
    static const double first[8][3] = {{0, 0, 0},
                                       {0.5, 0.5, 0.5},
                                       {0.25, 0.75, 0.75},
                                       {0.75, 0.25, 0.25},
                                       {0.125, 0.625, 0.375},
                                       {0.625, 0.125, 0.875},
                                       {0.375, 0.375, 0.625},
                                       {0.875, 0.875, 0.125}};
    (void)unused;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 3; j++)
            assert_true(hol__sobol_bits((uint64_t)i, j) * 0x1p-32 == first[i][j]);
    for (uint64_t seed = 1; seed < 4; seed++) {
        int squares[16] = {0};
        for (int j = 0; j < HOL__SOBOL_MOST; j++) {
            int held[N] = {0};
            for (uint64_t i = 0; i < N; i++) {
                const double u = hol__sobol(i, j, seed);
                assert_true(u > 0 && u < 1);
                held[(int)(u * N)]++;
            }
            for (int k = 0; k < N; k++) assert_int_equal(held[k], 1);
        }
        for (uint64_t i = 0; i < N; i++)
            squares[4 * (int)(4 * hol__sobol(i, 0, seed)) + (int)(4 * hol__sobol(i, 1, seed))]++;
        for (int k = 0; k < 16; k++) assert_int_equal(squares[k], N / 16);
    }
    assert_true(hol__sobol(5, 3, 1) != hol__sobol(5, 3, 2));
}

/* An order of n things holds each of them once, and moves nearly all. */
static void shuffled(void **unused) {
    (void)unused;
    for (uint64_t n = 1; n < 400; n += n < 20 ? 1 : 37) {
        unsigned char seen[400] = {0};
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t to = hol__shuffled(i, n, 77 + n);
            assert_true(to < n && !seen[to]);
            seen[to] = 1;
        }
    }
}

/* Cases of a full factorial in order, the last factor fastest; each level of a Latin hypercube
 * once; cases of sobol and random that do not depend on how many there are. */
static void designs(void **unused) {
    hol_context *ctx = hol_context_new();
    double x[3], y[3];
    (void)unused;
    hol_study *full = study_of(ctx, "factors: {a: [1.5, 2.5], b: {from: 10, to: 40, steps: 4}}\n"
                                    "responses: {s: a + b}\n");
    hol_study_info info = {.size = sizeof info};
    assert_int_equal(hol_study_describe(full, &info), HOL_OK);
    assert_true(info.cases == 8);
    for (int k = 0; k < 8; k++) {
        assert_int_equal(hol_study_values(full, k, x), HOL_OK);
        assert_true(x[0] == (k < 4 ? 1.5 : 2.5) && x[1] == 10 * (k % 4 + 1));
    }
    assert_int_equal(hol_study_values(full, 8, x), HOL_ERR_ARGUMENT);
    hol_study_free(full);
    hol_study *latin = study_of(ctx, "factors: {a: {from: 2, to: 9}, b: {from: 0, to: 1}}\n"
                                     "design: latin-hypercube\ncases: 70\nresponses: {s: a*b}\n");
    int seen[2][70] = {{0}};
    for (int k = 0; k < 70; k++) {
        assert_int_equal(hol_study_values(latin, k, x), HOL_OK);
        seen[0][(int)((x[0] - 2) * 10)]++;
        seen[1][(int)(x[1] * 70)]++;
    }
    for (int k = 0; k < 70; k++) assert_true(seen[0][k] == 1 && seen[1][k] == 1);
    hol_study_free(latin);
    for (int i = 0; i < 2; i++) {
        char few[200], many[200];
        const char *name = i ? "random" : "sobol";
        snprintf(few, sizeof few,
                 "factors: {a: {from: 0, to: 1}}\ndesign: %s\ncases: 5\n"
                 "responses: {s: a}\n",
                 name);
        snprintf(many, sizeof many,
                 "factors: {a: {from: 0, to: 1}}\ndesign: %s\ncases: 5000\n"
                 "responses: {s: a}\n",
                 name);
        hol_study *one = study_of(ctx, few), *other = study_of(ctx, many);
        for (int k = 0; k < 5; k++) {
            hol_study_values(one, k, x);
            hol_study_values(other, k, y);
            assert_true(x[0] == y[0]);
        }
        hol_study_free(one);
        hol_study_free(other);
    }
    hol_context_free(ctx);
}

/* ---- distributions ---- */

/* Quantiles of the normal distribution in print to 16 digits, symmetry, and that the two functions
 * are each other's inverses; closed forms of the others. */
static void spreads(void **unused) {
    (void)unused;
    assert_near(hol__normal_value(0.975), 1.959963984540054, 4e-15);
    assert_near(hol__normal_value(0.999), 3.090232306167813, 8e-15);
    assert_near(hol__normal_value(1e-10), -6.361340902404056, 2e-14);
    assert_true(hol__normal_value(0.5) == 0 || fabs(hol__normal_value(0.5)) < 1e-16);
    for (double u = 1e-300; u < 0.5; u = u < 1e-3 ? u * 1e9 : u + 0.037)
        assert_near(hol__normal_share(hol__normal_value(u)) / u, 1, 1e-11);
    const hol__factor within = {
        .spread = HOL__SPREAD_NORMAL, .centre = 2, .width = 0.5, .low = 2.75, .high = 3.4};
    /* F(x) = (N((x - m)/s) - N(a))/(N(b) - N(a)) */
    const double A = hol__normal_share(1.5), B = hol__normal_share(2.8);
    for (double u = 0.05; u < 1; u += 0.1) {
        const double x = hol__factor_value(&within, u);
        assert_near((hol__normal_share((x - 2) / 0.5) - A) / (B - A), u, 1e-13);
    }
    const hol__factor triangle = {
        .spread = HOL__SPREAD_TRIANGULAR, .centre = 3, .low = 1, .high = 7};
    assert_near(hol__factor_value(&triangle, 1.0 / 3), 3, 1e-14);
    assert_near(hol__factor_value(&triangle, 1.0 / 12), 2, 1e-14);  /* (x-a)^2/12 */
    assert_near(hol__factor_value(&triangle, 23.0 / 24), 6, 1e-14); /* 1 - (b-x)^2/24 */
    const hol__factor logs = {.spread = HOL__SPREAD_LOGNORMAL,
                              .centre = log(20),
                              .width = log(1.3),
                              .low = 0,
                              .high = INFINITY};
    assert_near(hol__factor_value(&logs, 0.8413447460685429), 26, 1e-12); /* N(1) */
    const hol__factor decades = {.spread = HOL__SPREAD_LOGARITHMIC, .low = 1e-2, .high = 1e4};
    assert_near(hol__factor_value(&decades, 0.5), 10, 1e-13);
}

/* ---- indices ---- */

/* Ishigami's function sin x1 + a sin^2 x2 + b x3^4 sin x1 on (-pi, pi)^3: V = a^2/8 + b pi^4/5 +
 * b^2 pi^8/18 + 1/2, V1 = (1 + b pi^4/5)^2/2, V2 = a^2/8, V13 = 8 b^2 pi^8/225. Intervals hold the
 * exact value with 95 %: of 6 in each of 30 studies at most 9 % miss it (the chance of more, were
 * they independent, is below 1 %). */
static void ishigami(void **unused) {
    static const char *const names[] = {"x1", "x2", "x3"};
    const double a = 7, b = 0.1, p4 = pow(PI, 4);
    const double V1 = pow(1 + b * p4 / 5, 2) / 2, V2 = a * a / 8, V13 = 8 * b * b * p4 * p4 / 225,
                 V = V1 + V2 + V13;
    const double exact[3][2] = {{V1 / V, (V1 + V13) / V}, {V2 / V, V2 / V}, {0, V13 / V}};
    int missed = 0, seeds = 30;
    (void)unused;
    for (int seed = 1; seed <= seeds; seed++) {
        char text[500];
        hol_context *ctx = hol_context_new();
        hol_answer *answer;
        snprintf(text, sizeof text,
                 "factors:\n  x1: {from: -pi, to: pi}\n  x2: {from: -pi, to: pi}\n"
                 "  x3: {from: -pi, to: pi}\ndesign: indices\npoints: 1024\nseed: %d\n"
                 "responses: {y: \"sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)\"}\n",
                 seed);
        hol_study *study = study_of(ctx, text);
        assert_int_equal(hol_study_run(study, NULL, &answer), HOL_OK);
        for (int j = 0; j < 3; j++) {
            const double first = entry(answer, "indices_y", names[j], "first"),
                         first_half = entry(answer, "indices_y", names[j], "first +-"),
                         total = entry(answer, "indices_y", names[j], "total"),
                         total_half = entry(answer, "indices_y", names[j], "total +-");
            missed += fabs(first - exact[j][0]) > first_half;
            missed += fabs(total - exact[j][1]) > total_half;
            assert_true(first_half < 0.12 && total_half < 0.12); /* and they say something */
        }
        hol_answer_free(answer);
        hol_study_free(study);
        hol_context_free(ctx);
    }
    print_message("%d of %d intervals miss the exact value\n", missed, 6 * seeds);
    assert_true(missed <= 0.09 * 6 * seeds);
}

static const char pendulum[] = "holonom: 1\nname: pendulum\nspace: planar\ngravity: [0, -9.81]\n"
                               "parameters: {L: 1.3, a0: 0.4}\n"
                               "bodies: {bob: {mass: 2.385, inertia: 0, position: "
                               "[L*sin(a0), -L*cos(a0)]}}\n"
                               "joints: {pivot: {type: revolute, bodies: [ground, bob], at: [0, "
                               "0]}}\n"
                               "measures: {v: {type: velocity, body: bob, component: "
                               "magnitude}}\n"
                               "simulation: {end: 1.5, tolerance: 1e-9}\n";

/* Simpson's rule for the mean of f over a range. */
static double mean_of(double (*f)(double), double low, double high) {
    enum { N = 2000 };
    double sum = 0;
    for (int i = 0; i <= N; i++)
        sum += (i == 0 || i == N ? 1 : i % 2 ? 4 : 2) * f(low + (high - low) * i / N);
    return sum / (3 * N);
}

static double root(double L) {
    return sqrt(2 * 9.81 * L);
}
static double root2(double L) {
    return 2 * 9.81 * L;
}
static double drop(double a) {
    return sqrt(1 - cos(a));
}
static double drop2(double a) {
    return 1 - cos(a);
}

/* The largest speed of a pendulum, sqrt(2 g L) sqrt(1 - cos a0): a product f(L) g(a0), of which
 * V = <f2><g2> - <f>^2<g>^2, V_L = (<f2> - <f>^2) <g>^2, and the same for a0. Intervals of
 * 95 % are 2.13 deviations wide; 1.5 times as wide they miss with 0.6 %. */
static void swings(void **unused) {
    const double f = mean_of(root, 0.5, 1.5), f2 = mean_of(root2, 0.5, 1.5),
                 g = mean_of(drop, 0.2, 1.2), g2 = mean_of(drop2, 0.2, 1.2);
    const double V = f2 * g2 - f * f * g * g, VL = (f2 - f * f) * g * g, Va = (g2 - g * g) * f * f;
    hol_context *ctx = hol_context_new();
    hol_answer *answer;
    (void)unused;
    write_file("pendulum.yaml", pendulum);
    hol_study *study =
        study_of(ctx, "model: pendulum.yaml\n"
                      "set: {tolerance: 1e-6, end: 0.7}\n"
                      "factors: {L: {from: 0.5, to: 1.5}, a0: {from: 0.2, to: 1.2}}\n"
                      "design: indices\npoints: 512\nresponses: {top: max v}\n");
    const hol_study_options options = {.size = sizeof options, .threads = 2};
    assert_int_equal(hol_study_run(study, &options, &answer), HOL_OK);
    assert_true(hol_answer_value(answer, "failed") == 0);
    const double first[2] = {VL / V, Va / V}, total[2] = {1 - Va / V, 1 - VL / V};
    for (int j = 0; j < 2; j++) {
        const char *name = j ? "a0" : "L";
        const double half = entry(answer, "indices_top", name, "first +-");
        assert_true(half < 0.05);
        assert_near(entry(answer, "indices_top", name, "first"), first[j], 1.5 * half);
        assert_near(entry(answer, "indices_top", name, "total"), total[j],
                    1.5 * entry(answer, "indices_top", name, "total +-"));
    }
    /* each case by itself: the speed at the bottom, to the tolerance of the run */
    hol_table cases = {.size = sizeof cases};
    assert_int_equal(hol_answer_table(answer, hol_answer_find(answer, "cases"), &cases), HOL_OK);
    for (int i = 0; i < cases.rows; i++) {
        const double *row = cases.values + i * cases.columns;
        assert_near(row[3], root(row[1]) * drop(row[2]), 2e-6 * row[3]);
    }
    hol_answer_free(answer);
    hol_study_free(study);
    hol_context_free(ctx);
}

/* ---- times ---- */

/* x = A cos(w t): the time of the least, pi/w, at the start where it is the highest, the first
 * times below 0 and above -A/2, pi/(2w) and 0, above -A/2 after the start where it begins below,
 * and a level that is never met: no number, and no failure. To the tolerance of the run. */
static void times(void **unused) {
    hol_context *ctx = hol_context_new();
    hol_answer *answer;
    (void)unused;
    write_file(
        "spring.yaml",
        "holonom: 1\nname: spring\nspace: planar\ngravity: [0, 0]\nparameters: {A: 0.2, k: 37}\n"
        "bodies:\n  m: {mass: 1.7, inertia: 0.1, position: [A, 0]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, m], at: [0, 0], axis: [1, 0]}\n"
        "forces:\n  s: {type: force, body: m, force: [-k*m.x, 0]}\n"
        "measures:\n  m.x: {type: position, body: m, component: x}\n"
        "simulation: {end: 1.1, tolerance: 1e-10}\n");
    hol_study *study = study_of(
        ctx, "model: spring.yaml\nfactors: {A: [0.13, -0.21], k: [30, 45.5]}\n"
             "responses:\n  low: when min m.x\n  high: when max m.x\n  half: when m.x < 0 mm\n"
             "  up: when m.x > -5 cm\n  never: when m.x > 0.5 m\n  twice: \"2*half\"\n");
    assert_string_equal(hol_study_response(study, 2)->unit, "s");
    assert_int_equal(hol_study_run(study, NULL, &answer), HOL_OK);
    assert_true(hol_answer_value(answer, "failed") == 0);
    hol_table t = {.size = sizeof t};
    assert_int_equal(hol_answer_table(answer, hol_answer_find(answer, "cases"), &t), HOL_OK);
    assert_int_equal(t.rows, 4);
    for (int i = 0; i < t.rows; i++) {
        const double *x = t.values + i * t.columns, A = x[1], w = sqrt(x[2] / 1.7);
        assert_near(x[3], A > 0 ? PI / w : 0, 1e-6); /* flat there: the root of the tolerance */
        assert_near(x[4], A > 0 ? 0 : PI / w, 1e-6);
        assert_near(x[5], A > 0 ? PI / 2 / w : 0, 1e-9);
        assert_near(x[6], A > 0 ? 0 : acos(0.05 / 0.21) / w, 1e-9);
        assert_true(isnan(x[7]) && x[8] == 2 * x[5]);
    }
    hol_answer_free(answer);
    hol_study_free(study);
    hol_context_free(ctx);
}

/* ---- the same bits ---- */

static const char many[] = "model: pendulum.yaml\nset: {tolerance: 1e-5, end: 0.7}\n"
                           "factors:\n"
                           "  L: {mean: 1.1, deviation: 0.1}\n"
                           "  a0: {from: 0.1, to: 1}\n"
                           "  method: {words: [lagrange, nullspace, auto]}\n"
                           "design: latin-hypercube\ncases: 60\n"
                           "responses: {last: end v, top: max v, square: \"last^2\"}\n"
                           "accept: {slow: \"top < 2\"}\n";

static hol_status stop_at(void *user, const hol_study_state *state) {
    return state->done >= *(long long *)user ? HOL_ERR_INTERRUPTED : HOL_OK;
}

/* The cases of a run as a copy of their table; free it. */
static double *run(const hol_study_options *options, hol_status wanted, size_t *size) {
    hol_context *ctx = hol_context_new();
    hol_study *study = study_of(ctx, many);
    hol_answer *answer;
    hol_table t = {.size = sizeof t};
    const hol_status status = hol_study_run(study, options, &answer);
    for (int i = 0; status != wanted && i < hol_message_count(ctx); i++)
        print_message("%s\n", hol_message_get(ctx, i)->text);
    assert_int_equal(status, wanted);
    assert_int_equal(hol_answer_table(answer, hol_answer_find(answer, "cases"), &t), HOL_OK);
    *size = sizeof *t.values * (size_t)t.rows * (size_t)t.columns;
    double *copy = malloc(*size + 1);
    memcpy(copy, t.values, *size);
    hol_answer_free(answer);
    hol_study_free(study);
    hol_context_free(ctx);
    return copy;
}

/* For 1, 2, 3, 7 threads; for a log that was cut at any byte, as a kill leaves it, or whose tail is
 * damaged; and for a study that is ended and started again. */
static void same_bits(void **unused) {
    hol_study_options o = {.size = sizeof o, .threads = 1};
    size_t size, n, length;
    (void)unused;
    write_file("pendulum.yaml", pendulum);
    double *whole = run(&o, HOL_OK, &size), *again;
    assert_true(size == sizeof(double) * 60 * 11);
    o.log = "bits.cases";
    for (int threads = 2; threads < 8; threads += threads == 3 ? 4 : 1) {
        o.threads = threads;
        o.fresh = 1;
        again = run(&o, HOL_OK, &n);
        assert_true(n == size && memcmp(again, whole, n) == 0);
        free(again);
    }
    FILE *file = fopen("bits.cases", "rb");
    char bytes[20000];
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(length == 40 + 60 * 64);
    o.fresh = 0;
    for (size_t cut = 0; cut < length; cut = cut < 50 ? cut + 7 : cut * 9 / 5 + 1) {
        file = fopen("bits.cases", "wb");
        fwrite(bytes, 1, cut, file);
        if (cut % 2) fputs("not a record", file);
        fclose(file);
        if (cut % 2 && cut < 40) continue; /* no log at all: refused, below */
        again = run(&o, HOL_OK, &n);
        assert_true(n == size && memcmp(again, whole, n) == 0);
        free(again);
    }
    unlink("bits.cases");
    o.threads = 1;
    for (long long until = 5; until < 60; until += 25) {
        o.on_progress = stop_at;
        o.user = &until;
        free(run(&o, HOL_ERR_INTERRUPTED, &n));
    }
    o.on_progress = NULL;
    again = run(&o, HOL_OK, &n);
    assert_true(n == size && memcmp(again, whole, n) == 0);
    free(again);
    /* one case by itself */
    hol_context *ctx = hol_context_new();
    hol_study *study = study_of(ctx, many);
    double v;
    for (int k = 3; k < 60; k += 17) {
        hol_sim *sim = hol_study_sim(study, k);
        assert_int_equal(hol_sim_run(sim, NULL), HOL_OK);
        assert_int_equal(hol_data_measure(hol_sim_data(sim), 0, &v), HOL_OK);
        assert_true(v == whole[k * 11 + 4]);
    }
    hol_study_free(study);
    hol_context_free(ctx);
    free(whole);
}

/* ---- failures ---- */

/* Cases that cannot be assembled, or take too long, are told with their numbers, and the others
 * are there. */
static void failures(void **unused) {
    hol_context *ctx = hol_context_new();
    hol_answer *answer;
    (void)unused;
    write_file("reach.yaml",
               "holonom: 1\nname: reach\nspace: planar\nparameters: {d: 1}\n"
               "bodies:\n  a: {mass: 1, inertia: 0.1, position: [0.5, 0.5]}\n"
               "joints:\n  near: {type: distance, bodies: [ground, a], from: [0, 0], to: "
               "[0.5, 0.5], length: 1}\n"
               "  far: {type: distance, bodies: [ground, a], from: [d, 0], to: [0.5, "
               "0.5], length: 1}\n"
               "measures: {x: {type: position, body: a, component: x}}\nsimulation: {end: 0.1}\n");
    hol_study *study = study_of(ctx, "model: reach.yaml\nfactors: {d: [1, 1.5, 2.5, 1.9, 3]}\n"
                                     "responses: {at: end x}\n");
    assert_int_equal(hol_study_run(study, NULL, &answer), HOL_OK);
    assert_true(hol_answer_value(answer, "failed") == 2);
    assert_true(hol_answer_value(answer, "done") == 5);
    assert_true(entry(answer, "failures", NULL, "first case") == 2);
    assert_true(entry(answer, "cases", NULL, "at") == 0.5);
    hol_table t = {.size = sizeof t};
    hol_answer_table(answer, hol_answer_find(answer, "failures"), &t);
    assert_true(strstr(t.row_names[0], "far") || strstr(t.row_names[0], "near"));
    hol_answer_free(answer);
    hol_study_free(study);
    write_file("pendulum.yaml", pendulum);
    study =
        study_of(ctx, "model: pendulum.yaml\nfactors: {a0: [0.3, 0.5], tolerance: [1e-3, 1e-10]}\n"
                      "responses: {v: end v}\nlimits: {steps: 15, time: 100 s}\n");
    assert_int_equal(hol_study_run(study, NULL, &answer), HOL_OK);
    hol_answer_table(answer, hol_answer_find(answer, "failures"), &t);
    assert_non_null(strstr(t.row_names[0], "more than 15 steps"));
    assert_true(hol_answer_value(answer, "failed") == 2);
    hol_answer_free(answer);
    hol_study_free(study);
    study = study_of(ctx, "model: pendulum.yaml\nfactors: {a0: [0.3, 0.5]}\n"
                          "responses: {v: end v}\nlimits: {memory: 60000}\n");
    assert_int_equal(hol_study_run(study, NULL, &answer), HOL_OK);
    hol_answer_table(answer, hol_answer_find(answer, "failures"), &t);
    assert_non_null(strstr(t.row_names[0], "memory"));
    hol_answer_free(answer);
    hol_study_free(study);
    hol_context_free(ctx);
}

/* ---- what is wrong ---- */

/* A study and what its first error says, at its line. */
static const struct mistake {
    const char *text, *says;
    int line;
} mistakes[] = {
    {"responses: {a: 1}\n", "needs the section `factors`", 1},
    {"factors: {a: [1]}\n", "needs the section `responses`", 1},
    {"factor: {a: [1]}\nresponses: {b: a}\n", "did you mean 'factors'", 1},
    {"factors: {a: [1]}\nresponses:\n  b: c + 1\n", "c", 3},
    {"factors:\n  a: {form: 1, to: 2}\nresponses: {b: a}\n", "no key 'form'", 2},
    {"factors:\n  a: {from: 2, to: 1}\nresponses: {b: a}\n", "must lie below", 2},
    {"factors:\n  a: {from: 1, to: 2, step: 3}\nresponses: {b: a}\n", "did you mean 'steps'", 2},
    {"factors:\n  a: {from: 1, to: 2, steps: 2.5}\nresponses: {b: a}\n", "whole number", 2},
    {"factors:\n  a: {from: 1, to: 2}\nresponses: {b: a}\n", "needs levels", 2},
    {"factors:\n  a: {from: -1, to: 2, spacing: logarithmic}\ndesign: sobol\ncases: 3\n"
     "responses: {b: a}\n",
     "begins above 0", 2},
    {"factors:\n  a: {from: 1, to: 2, mode: 3}\ndesign: sobol\ncases: 3\nresponses: {b: a}\n",
     "outside the range", 2},
    {"factors:\n  a: {mean: 1, deviation: 0}\ndesign: sobol\ncases: 3\nresponses: {b: a}\n",
     "above 0", 2},
    {"factors:\n  a: {median: 1, factor: 0.5}\ndesign: sobol\ncases: 3\nresponses: {b: a}\n",
     "above 1", 2},
    {"factors: {a: [1]}\ndesign: sobel\ncases: 3\nresponses: {b: a}\n", "did you mean 'sobol'", 2},
    {"factors: {a: [1]}\ndesign: sobol\nresponses: {b: a}\n", "needs the key 'cases'", 2},
    {"factors: {a: [1]}\ncases: 3\nresponses: {b: a}\n", "follow from its levels", 2},
    {"factors: {a: [1]}\ndesign: indices\npoints: 100\nresponses: {b: a}\n", "multiple of 16", 2},
    {"factors: {a: [1]}\ndesign: indices\ncases: 128\nresponses: {b: a}\n", "has points", 3},
    {"factors: {a: [1]}\ndesign: sobol\ncases: -3\nresponses: {b: a}\n", "above 0", 3},
    {"factors: {a: [1]}\nseed: 1.5\nresponses: {b: a}\n", "whole number", 2},
    {"factors: {a: [1]}\nlimits: {step: 3}\nresponses: {b: a}\n", "did you mean 'steps'", 2},
    {"factors: {a: [one]}\nresponses: {b: a}\n", "one", 1},
    {"factors: {a: {words: [one]}}\nresponses: {b: 1}\n", "words are of a model", 1},
    {"factors: {a: [1]}\nresponses: {a: 1}\n", "factor 'a' already", 2},
    {"factors: {a: [1]}\nset: {b: 1}\nresponses: {b: 1}\n", "no model", 2},
    {"factors: {a: [1]}\ntable: x.csv\nresponses: {b: 1}\n", "add `design: table`", 2},
    {"factors: {a: {}}\nresponses: {b: 1}\n", "says nothing of its values", 1},
    {"model: nowhere.yaml\nfactors: {a: [1]}\nresponses: {b: 1}\n", "nowhere.yaml", 0},
    {"model: pendulum.yaml\nfactors: {l: [1]}\nresponses: {b: end v}\n", "'l'", 0},
    {"model: pendulum.yaml\nfactors: {L: [1 kg, 2 kg]}\nresponses: {b: max w}\n", "'w'", 0},
    {"model: pendulum.yaml\nfactors: {L: [1]}\nresponses:\n  b: when v > 3 kg\n", "kg", 0},
    {"model: pendulum.yaml\nfactors: {L: [1]}\nresponses:\n  b: when v\n", "when NAME > LEVEL", 0},
    {"model: pendulum.yaml\nset: {tolerence: 1e-3}\nfactors: {L: [1]}\nresponses: {b: end v}\n",
     "tolerence", 0},
};

static void refused(void **unused) {
    (void)unused;
    write_file("pendulum.yaml", pendulum);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const struct mistake *m = &mistakes[i];
        hol_context *ctx = hol_context_new();
        assert_null(hol_study_read_text(ctx, m->text, "wrong.yaml"));
        int told = 0;
        for (int k = 0; k < hol_message_count(ctx); k++) {
            const hol_message *message = hol_message_get(ctx, k);
            told |= strstr(message->text, m->says) && (!m->line || message->where.line == m->line);
        }
        if (!told) {
            print_message("%s", m->text);
            for (int k = 0; k < hol_message_count(ctx); k++)
                print_message("  %d: %s\n", hol_message_get(ctx, k)->where.line,
                              hol_message_get(ctx, k)->text);
        }
        assert_true(told);
        hol_context_free(ctx);
    }
}

/* Logs of another study, and files that are none, are left as they are. */
static void other_logs(void **unused) {
    static const char *const texts[] = {
        "model: pendulum.yaml\nfactors: {a0: [0.3]}\nresponses: {v: end v}\n",
        "model: pendulum.yaml\nfactors: {a0: [0.4]}\nresponses: {v: end v}\n"};
    hol_study_options o = {.size = sizeof o, .log = "one.cases"};
    hol_answer *answer;
    (void)unused;
    write_file("pendulum.yaml", pendulum);
    unlink("one.cases");
    hol_context *ctx = hol_context_new();
    hol_study *one = study_of(ctx, texts[0]), *other = study_of(ctx, texts[1]);
    assert_int_equal(hol_study_run(one, &o, &answer), HOL_OK);
    hol_answer_free(answer);
    assert_int_equal(hol_study_run(other, &o, &answer), HOL_ERR_INPUT);
    assert_null(answer);
    assert_int_equal(hol_study_run(one, &o, &answer), HOL_OK);
    hol_answer_free(answer);
    write_file("text.cases", "what somebody wrote, longer than the head of a log would be\n");
    o.log = "text.cases";
    o.fresh = 1;
    assert_int_equal(hol_study_run(one, &o, &answer), HOL_ERR_INPUT);
    char line[100] = "";
    FILE *file = fopen("text.cases", "r");
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_non_null(strstr(line, "somebody"));
    o.log = "nowhere/x.cases";
    assert_int_equal(hol_study_run(one, &o, &answer), HOL_ERR_IO);
    hol_study_free(one);
    hol_study_free(other);
    hol_context_free(ctx);
}

/* The rows of a file, with units. */
static void table(void **unused) {
    hol_context *ctx = hol_context_new();
    double x[2];
    (void)unused;
    write_file("pendulum.yaml", pendulum);
    write_file("rows.csv", "a0 [deg],other,L [mm]\n30,1,1100\n60,2,1200\n");
    hol_study *study = study_of(ctx, "model: pendulum.yaml\ndesign: table\ntable: rows.csv\n"
                                     "factors: {L: {}, a0: {}}\nresponses: {v: end v}\n");
    assert_int_equal(hol_study_values(study, 1, x), HOL_OK);
    assert_near(x[0], 1.2, 1e-15);
    assert_near(x[1], PI / 3, 1e-15);
    assert_int_equal(hol_study_values(study, 2, x), HOL_ERR_ARGUMENT);
    hol_study_free(study);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sobol),   cmocka_unit_test(shuffled),   cmocka_unit_test(designs),
        cmocka_unit_test(spreads), cmocka_unit_test(ishigami),   cmocka_unit_test(swings),
        cmocka_unit_test(times),   cmocka_unit_test(same_bits),  cmocka_unit_test(failures),
        cmocka_unit_test(refused), cmocka_unit_test(other_logs), cmocka_unit_test(table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
