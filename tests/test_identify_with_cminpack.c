/* test_identify_with_cminpack.c: parameters of a damped oscillator from data of its closed
 * solution: the truth to 1e-8 from exact data, standard errors against the spread of fits of noisy
 * data, parameters that the data do not tell apart, weights, a coupler curve with its times; what
 * is refused, with its place. */
#define _GNU_SOURCE
#include "asked.h"
#include "search_fixture.h"

/* m x'' + c x' + k x = 0 from x0 at rest. */
static const char rig[] =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
    "parameters:\n  k: 30 N/m   # guessed\n  c: 0.4\n  mass: 2.385 kg\n  x0: 0.31\n"
    "bodies: {block: {mass: mass, inertia: 1, position: [x0, 0]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}}\n"
    "forces: {spring: {type: spring, bodies: [ground, block], from: [-5, 0], to: [x0, 0], "
    "stiffness: k, damping: c, free_length: 5}}\n"
    "measures:\n  x: {type: position, body: block, component: x}\n"
    "  v: {type: velocity, body: block, component: x}\nsimulation: {end: 1, tolerance: 1e-11}\n";

static const double K = 41.7, C = 0.93, MASS = 2.385, X0 = 0.31;

/* x and x' of the solution. */
static double position(double t) {
    const double d = C / (2 * MASS), w = sqrt(K / MASS - d * d);
    return X0 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
}

static double velocity(double t) {
    const double d = C / (2 * MASS), w = sqrt(K / MASS - d * d);
    return -X0 * exp(-d * t) * (w + d * d / w) * sin(w * t);
}

/* The data: n rows 0.05 s apart, with noise of both columns. */
static void write_data(const char *path, int n, double noise_x, double noise_v, uint64_t *seed) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "time [s],x [mm],speed [m/s]\n");
    for (int i = 1; i <= n; i++) {
        const double t = 0.05 * i,
                     x = position(t) + (noise_x > 0 ? noise_x * random_normal(seed) : 0),
                     v = velocity(t) + (noise_v > 0 ? noise_v * random_normal(seed) : 0);
        fprintf(file, "%.17g,%.17g,%.17g\n", t, 1000 * x, v);
    }
    fclose(file);
}

static int loose; /* tolerance of the runs, where noise is larger anyway */

static asked ask(const char *text, const char *name, const char *data, const char *const *vary,
                 const char *const *fit, int model) {
    asked a = {.ctx = hol_context_new()};
    a.spec = hol_spec_new(a.ctx);
    assert_int_equal(hol_spec_read_text(a.spec, text, name), HOL_OK);
    if (loose) hol_spec_set(a.spec, "tolerance", "1e-8", "test");
    const hol_identify_options how = {.size = sizeof how,
                                      .n_vary = count(vary),
                                      .vary = vary,
                                      .data = data,
                                      .n_fit = count(fit),
                                      .fit = fit,
                                      .model = model};
    a.status = hol_identify(a.ctx, a.spec, &how, &a.answer);
    return a;
}

static asked find(const char *data, const char *const *vary, const char *const *fit) {
    return asked_well(ask(rig, "rig.yaml", data, vary, fit, 1));
}

static double entry(const asked *a, const char *table, int i, int j) {
    const hol_table t = answer_table(a->answer, table);
    assert_non_null(t.name);
    return answer_entry(&t, i, j);
}

/* ---- exact data ---- */

static void test_truth(void **state) {
    (void)state;
    static const char *const vary[] = {"k=10:90 N/m", "c=0:5", NULL}, *const one[] = {"x", NULL},
                             *const both[] = {"x=x:1/0.01", "v=speed:1/0.1", NULL};
    write_data("exact.csv", 60, 0, 0, NULL);
    for (int i = 0; i < 2; i++) {
        asked a = find("exact.csv", vary, i ? both : one);
        check("k", entry(&a, "parameters", 0, 1), K, 1e-8 * K);
        check("c", entry(&a, "parameters", 1, 1), C, 1e-8);
        assert_true(entry(&a, "measures", 0, 1) < 1e-9); /* rms of x after … */
        assert_true(entry(&a, "measures", 0, 0) > 0.05); /* … and before */
        check("data", entry(&a, "fit_x", 7, 1), position(0.4), 1e-12);
        check("model", entry(&a, "fit_x", 7, 3), position(0.4), 1e-9);
        const char *model = hol_answer_model(a.answer);
        assert_non_null(strstr(model, " N/m   # guessed\n  c: 0.9"));
        check("k in the file", strtod(strstr(model, "k: ") + 3, NULL), K, 1e-6);
        done(&a);
    }
}

/* Of k, c and m only k/m and c/m are told. */
static void test_not_told(void **state) {
    (void)state;
    static const char *const vary[] = {"k=10:90", "c=0:5", "mass=1:5", NULL}, *const fit[] = {"x",
                                                                                              NULL};
    write_data("exact.csv", 60, 0, 0, NULL);
    asked a = find("exact.csv", vary, fit);
    const double m = entry(&a, "parameters", 2, 1);
    check("k/m", entry(&a, "parameters", 0, 1) / m, K / MASS, 1e-7);
    check("c/m", entry(&a, "parameters", 1, 1) / m, C / MASS, 1e-7);
    assert_true(said(a.ctx, "do not tell these parameters apart: "));
    assert_true(said(a.ctx, "k +1 %, c +1 %, mass +1 %"));
    assert_true(isnan(entry(&a, "parameters", 0, 2)) && isnan(entry(&a, "parameters", 2, 2)));
    done(&a);
}

/* ---- noise ---- */

/* 80 sets of data with noise of 2 mm: the spread of k and c is what one fit tells, to 4 deviations
 * of such a spread, 4 / sqrt(160) = 32 %; and 95 % of the intervals hold the truth, to 4 sqrt(0.95
 * 0.05 80) = 7.8 of 76. */
static void test_standard_errors(void **state) {
    (void)state;
    enum { SETS = 80 };
    static const char *const vary[] = {"k=10:90", "c=0:5", NULL}, *const fit[] = {"x", NULL};
    static const double truth[] = {41.7, 0.93};
    double squares[2] = {0}, errors[2] = {0};
    int hits[2] = {0};
    uint64_t seed = 20110311;
    loose = 1;
    for (int s = 0; s < SETS; s++) {
        write_data("noisy.csv", 40, 0.002, 0, &seed);
        asked a = find("noisy.csv", vary, fit);
        for (int j = 0; j < 2; j++) {
            const double p = entry(&a, "parameters", j, 1);
            squares[j] += pow(p - truth[j], 2) / SETS;
            errors[j] += pow(entry(&a, "parameters", j, 2), 2) / SETS;
            hits[j] += truth[j] >= entry(&a, "parameters", j, 3) &&
                       truth[j] <= entry(&a, "parameters", j, 4);
        }
        done(&a);
    }
    loose = 0;
    for (int j = 0; j < 2; j++) {
        check("spread over error", sqrt(squares[j] / errors[j]), 1, 0.32);
        check("intervals", hits[j], 76, 7.8);
    }
}

/* ---- linkages ---- */

/* The points of the coupler curve with their times, which another linkage made. */
static void test_coupler(void **state) {
    (void)state;
    static const char path[] = COUPLER ".yaml";
    static const char *const fit[] = {"P.x=x", "P.y=y", NULL};
    char *text = read_whole(path);
    asked a = ask(text, path, COUPLER "_target.csv", coupler_vary, fit, 0);
    assert_int_equal(a.status, HOL_OK);
    for (int j = 0; j < 6; j++)
        check(coupler_vary[j], entry(&a, "parameters", j, 1), coupler_truth[j], 1e-8);
    done(&a);
    free(text);
}

/* ---- mistakes ---- */

static const char *put(const char *text) {
    FILE *file = fopen("bad.csv", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return "bad.csv";
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *data, *vary[4], *fit[3], *says;
        int line;
    } rows[] = {
        {"x [m],y\n1,2\n", {"k=10:90"}, {"x"}, "the first column must be the time", 1},
        {"time,x\n0.1,0.2\n0.2,nan\n", {"k=10:90"}, {"x"}, "column 'x' has no finite number", 3},
        {"time,x\n0.1,0.2\n0.2,\n", {"k=10:90"}, {"x"}, "column 'x' has no finite number", 3},
        {"time,x\n0.1,0.2\n", {"k=10:90", "c=0:5"}, {"x"}, "1 number cannot determine 2", 0},
        {"time,x\n", {"k=10:90"}, {"x"}, "0 numbers cannot determine 1", 0},
        {"time,x\n0.2,0.2\n0.1,0.3\n", {"k=10:90"}, {"x"}, "do not decrease", 3},
        {"time,x\n-1,0.2\n0.1,0.3\n", {"k=10:90"}, {"x"}, "before the start of the run", 2},
        {"time,y\n0.1,0.2\n0.2,0.3\n", {"k=10:90"}, {"x"}, "no column 'x'", 1},
        {"time,y\n0.1,0.2\n0.2,0.3\n", {"k=10:90"}, {"xx=y"}, "no measure 'xx'", 0},
        {"time,y\n0.1,0.2\n0.2,0.3\n", {"k=10:90"}, {NULL}, "has the name of a measure", 0},
        {"time,x [s]\n0.1,0.2\n0.2,0.3\n",
         {"k=10:90"},
         {"x"},
         "is in s, and the measure 'x' in m",
         1},
        {"time,x,v\n0.1,0.2,1\n0.2,0.3,1\n", {"k=10:90"}, {"x", "v"}, "different units", 0},
        {"time,x\n0.1,0.2\n0.2,0.3\n", {"k=10:90"}, {"x:-1"}, "must be positive", 0},
        {"time,x\n0.1,0.2\n0.2,0.3\n", {"kk=10:90"}, {"x"}, "no parameter 'kk'", 0},
        {"time,x\n0.1,0.2\n0.2,0.3\n", {"k=50:90"}, {"x"}, "outside its bounds", 0},
        {NULL, {"k=10:90"}, {"x"}, "name a file with the data", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        asked a = ask(rig, "rig.yaml", rows[i].data ? put(rows[i].data) : NULL, rows[i].vary,
                      rows[i].fit, 0);
        assert_true(a.status < 0);
        assert_null(a.answer);
        int heard = 0;
        for (int k = 0; k < hol_message_count(a.ctx); k++) {
            const hol_message *m = hol_message_get(a.ctx, k);
            heard |= strstr(m->text, rows[i].says) && m->where.line == rows[i].line;
        }
        if (!heard)
            fail_msg("row %zu says '%s'", i,
                     hol_message_get(a.ctx, hol_message_count(a.ctx) - 1)->text);
        done(&a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth),   cmocka_unit_test(test_not_told),
        cmocka_unit_test(test_coupler), cmocka_unit_test(test_standard_errors),
        cmocka_unit_test(test_refused),
    };
    return run_tests_of_models("identify", tests);
}
