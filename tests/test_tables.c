/* test_tables.c: the section `tables`: curves through points and through columns of CSV files.
 *
 * Values between and beyond the points against own formulas; derivatives through a driven joint,
 * whose rate and acceleration are those of the curve; reading files, with the place of every error;
 * and descriptions that need no file once they were read.
 */
#include "mechanism_fixture.h"
#include "model_fixture.h"

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A model whose measure f is the table at t, as a time or (in a file of angles) in rad. */
static void put_model(mech_text *text, const char *table) {
    const int turns = strstr(table, "gas.csv") != NULL;
    put(text,
        "holonom: 1\nspace: planar\ngravity: [0, 0]\ntables:\n  curve: {%s}\n"
        "bodies:\n  b: {mass: 1, inertia: 1}\n"
        "measures:\n  f: {type: expression, value: curve(t%s)}\nsimulation: {end: 9}\n",
        table, turns ? "*1 rad/s" : "");
}

/* The value of the table at t. */
static double value_at(const mech *m, double t) {
    hol_data_set(m->data, t, NULL, NULL);
    return measure_of(m->data, hol_model_measure_index(m->model, "f"));
}

static mech open_table(const char *table) {
    mech_text text = {.used = 0};
    put_model(&text, table);
    return mech_open(text.text);
}

/* ---- values ---- */

static void test_linear(void **state) {
    static const double x[] = {1, 1.5, 3, 3.2}, y[] = {2, -1, 0.5, 4};
    (void)state;
    if (!reads_yaml()) skip();
    mech m = open_table("points: [[1, 2], [1.5, -1], [3, 0.5], [3.2, 4]], interpolation: linear, "
                        "outside: straight");
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= 4; k++) {
            const double s = 0.25 * k, t = x[i] + s * (x[i + 1] - x[i]);
            check_close(value_at(&m, t), y[i] + s * (y[i + 1] - y[i]), 1e-14, "linear", "");
        }
    check_close(value_at(&m, 0), 2 + 6, 1e-13, "before", "");
    check_close(value_at(&m, 4.2), 4 + 17.5, 1e-13, "behind", "");
    mech_close(&m);
}

static void test_outside(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    mech m = open_table("points: [[1, 2], [1.5, -1], [3, 0.5]], outside: clamp");
    assert_true(value_at(&m, 0) == 2 && value_at(&m, 8) == 0.5 && value_at(&m, 1.5) == -1);
    mech_close(&m);
    m = open_table("points: [[1, 2], [1.5, -1], [3, 0.5]]"); /* error is the default */
    assert_true(isnan(value_at(&m, 0.999)) && isnan(value_at(&m, 3.001)));
    assert_true(value_at(&m, 1) == 2 && value_at(&m, 3) == 0.5);
    mech_close(&m);
    m = open_table("points: [[1, 2], [1.5, -1], [3, 2]], interpolation: linear, outside: periodic");
    check_close(value_at(&m, 0.5), value_at(&m, 2.5), 1e-13, "periodic", "");
    check_close(value_at(&m, 1.25 + 4), 0.5, 1e-13, "periodic", "");
    mech_close(&m);
}

/* sin at n points over a period: the periodic spline is off by 5/384 h^4 at most, and its slope at
 * both ends is the same; a natural one is off by h^2 there. */
static void test_periodic_spline(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int n = 8; n <= 32; n *= 2) {
        mech_text points = {.used = 0};
        const double h = 2 * acos(-1.0) / n;
        put(&points, "points: [");
        for (int i = 0; i <= n; i++)
            put(&points, "%s[%.17g, %.17g]", i ? ", " : "", i * h, i == n ? 0 : sin(i * h));
        put(&points, "], outside: periodic");
        mech m = open_table(points.text);
        double off = 0;
        for (int i = 0; i < 500; i++)
            off = fmax(off, fabs(value_at(&m, 0.018 * i) - sin(0.018 * i)));
        /* a margin of two on the constant for what the ends of the interval add */
        assert_true(off < 2 * 5.0 / 384 * pow(h, 4));
        mech_close(&m);
    }
}

/* A joint driven by a spline of points of a smooth law: the speed and the acceleration of the body
 * are those of the curve, by differences of the angle over small times. */
static void test_derivatives(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    run r = run_text("holonom: 1\nspace: planar\ngravity: [0, 0]\ntables:\n"
                     "  drive: {points: [[0, 0], [0.3, 20], [0.7, 35], [1.1, 20], [1.5, -10]], "
                     "y_unit: deg, outside: straight}\nbodies:\n  b: {mass: 1, inertia: 1}\n"
                     "joints:\n  A: {type: revolute, bodies: [ground, b], at: [0, 0]}\n"
                     "  M: {type: motor, joint: A, angle: drive(t)}\nmeasures:\n"
                     "  a: {type: angle, body: b}\n  w: {type: angular_velocity, body: b}\n"
                     "  al: {type: angular_acceleration, body: b}\n"
                     "simulation: {end: 2, tolerance: 1e-10}\n",
                     NULL);
    for (int i = 1; i < 14; i++) {
        const double t = 0.1 * i + 0.03, h = 1e-4;
        double a[3], w = 0, al = 0;
        for (int k = 0; k < 3; k++) {
            run_to(&r, t + (k - 1) * h);
            a[k] = run_measure(&r, "a");
            if (k == 1) w = run_measure(&r, "w"), al = run_measure(&r, "al");
        }
        /* cubic pieces: the central differences are off by h^2 f'''/6 < 2e-7, and by 4e-8 from
         * rounding in the second */
        check_near("rate", w, (a[2] - a[0]) / (2 * h), 1e-6);
        check_near("second derivative", al, (a[2] - 2 * a[1] + a[0]) / (h * h), 1e-5);
    }
    run_to(&r, 1.9);
    check_near("straight", run_measure(&r, "al"), 0, 1e-12);
    run_close(&r);
}

/* ---- files ---- */

static const char gas[] = "\xEF\xBB\xBF# measured\r\nangle [deg];\"p (bar)\";T\r\n\r\n0;1;300\r\n"
                          "90;+3.5e0;320\r\n180;2;310\r\n";

/* Units of the first line, columns by name and number, comments, a mark at the start and line ends
 * of Windows. */
static void test_file(void **state) {
    static const char *const ways[] = {"file: gas.csv, x: angle, y: p", "file: gas.csv",
                                       "file: gas.csv, x: 1, y: 2", "file: ./gas.csv, y: 2"};
    (void)state;
    if (!reads_yaml()) skip();
    write_file("gas.csv", gas);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        mech m = open_table(ways[i]);
        check_close(value_at(&m, acos(-1.0) / 2), 3.5e5, 1e-9, "bar over deg", ways[i]);
        check_close(value_at(&m, acos(-1.0)), 2e5, 1e-9, "bar over deg", ways[i]);
        mech_close(&m);
    }
    mech m = open_table("file: gas.csv, y: T, interpolation: linear");
    check_close(value_at(&m, acos(-1.0) / 4), 310, 1e-12, "K over deg", "");
    mech_close(&m);
}

/* A description that was read needs no file: its text makes the same model after the file is
 * gone. */
static void test_stored(void **state) {
    mech_text text = {.used = 0};
    (void)state;
    if (!reads_yaml()) skip();
    write_file("gas.csv", gas);
    put_model(&text, "file: gas.csv, interpolation: linear, outside: clamp");
    mech m = mech_open(text.text);
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(m.model, &info);
    assert_int_equal(remove("gas.csv"), 0);
    assert_null(strstr(info.text, "file:"));
    assert_non_null(strstr(info.text, "source: gas.csv"));
    mech again = mech_open(info.text);
    for (int i = 0; i < 50; i++) assert_true(value_at(&m, 0.1 * i) == value_at(&again, 0.1 * i));
    hol_model_info other = {.size = sizeof other};
    hol_model_describe(again.model, &other);
    assert_string_equal(info.text, other.text);
    mech_close(&m);
    mech_close(&again);
}

/* The messages, each at its place. */
static void test_errors(void **state) {
    static const struct {
        const char *file, *keys, *message;
    } cases[] = {
        {"a,b\n0,1\n1,2\n1,3\n", "file: bad.csv", "bad.csv:4:1: error: abscissae must increase"},
        {"a,b\n0,1\n1,2\n2,x\n", "file: bad.csv", "bad.csv:4:3: error: 'x' is not a number"},
        {"a,b\n0,1\n1,+\n", "file: bad.csv", "bad.csv:3:3: error: '+' is not a number"},
        {"a,b\n0,1\n1,nan\n", "file: bad.csv", "bad.csv:3:3: error: 'nan' is not a finite number"},
        {"a,b\n0,1\n1,1e999\n", "file: bad.csv", "bad.csv:3:3: error: '1e999' is not a finite"},
        {"a;b\n0;1\n1;2,5\n", "file: bad.csv", "bad.csv:3:3: error: '2,5' has a decimal comma"},
        {"a,b\n0,1\n1,2,5\n", "file: bad.csv", "bad.csv:3:1: error: the line has 3 cells"},
        {"a,b\n0,1\n,2\n", "file: bad.csv", "bad.csv:3:1: error: an empty cell"},
        {"a,b\n0,1\n", "file: bad.csv", "bad.csv:2:1: error: a table has at least two lines"},
        {"", "file: bad.csv", "error: a table has at least two lines"},
        {"angle,b\n0,1\n1,2\n", "file: bad.csv, x: angel", "did you mean 'angle'?"},
        {"0,1\n1,2\n", "file: bad.csv, x: angle", "give the number of the column"},
        {"a [m],b\n0,1\n1,2\n", "file: bad.csv, x_unit: s", "the file says [m]"},
        {"a [m],b\n0,1\n1,2\n", "file: bad.csv", "cannot compare"},
        {"a [furlong],b\n0,1\n1,2\n", "file: bad.csv", "unknown unit 'furlong'"},
        {"a,b\n0,1\n1,2\n", "file: bad.csv, outside: periodic", "the same ordinate at both ends"},
        {"", "file: none.csv", "cannot read 'none.csv'"},
        {"", "points: [[0, 1]]", "at least two points"},
        {"", "points: [[0, 1], [0, 2]]", "abscissae must increase, but 0 follows 0"},
        {"", "points: [[0, 1, 2], [1, 2]]", "is a pair"},
        {"", "points: 3", "is a list such as"},
        {"", "outside: clamp", "needs `file` or `points`"},
        {"", "points: [[0, 1], [1, 2]], outsid: clamp", "unknown key 'outsid'"},
        {"", "data: '0 1 2'", "x and y in turn"},
    };
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol_context *ctx = hol_context_new();
        mech_text text = {.used = 0};
        char line[1024] = "";
        write_file("bad.csv", cases[i].file);
        put_model(&text, cases[i].keys);
        assert_null(compile_text(ctx, text.text, "test.yaml", NULL));
        for (int k = 0; k < hol_message_count(ctx) && !strstr(line, cases[i].message); k++)
            hol_message_format(hol_message_get(ctx, k), line, sizeof line);
        if (!strstr(line, cases[i].message)) fail_msg("%s: %s", cases[i].message, line);
        hol_context_free(ctx);
    }
}

/* Names that cannot be called, and calls that cannot be. */
static void test_names(void **state) {
    static const char *const cases[][3] = {
        {"sin", "0", "is a function already"},
        {"k", "0", "is a parameter already"},
        {"a-b", "0", "cannot be used in expressions"},
        {"good", "good(1, 2)", "takes 1 argument, not 2"},
        {"good", "goood(1)", "unknown function 'goood'"},
        {"good", "good", "unknown name 'good'"},
    };
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol_context *ctx = hol_context_new();
        mech_text text = {.used = 0};
        char line[1024] = "";
        put(&text,
            "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {k: 2}\ntables:\n"
            "  %s: {points: [[0, 1], [1, 2]]}\nbodies:\n  b: {mass: 1, inertia: 1}\n"
            "measures:\n  f: {type: expression, value: '%s'}\n",
            cases[i][0], cases[i][1]);
        assert_null(compile_text(ctx, text.text, "test.yaml", NULL));
        for (int k = 0; k < hol_message_count(ctx) && !strstr(line, cases[i][2]); k++)
            hol_message_format(hol_message_get(ctx, k), line, sizeof line);
        if (!strstr(line, cases[i][2])) fail_msg("%s: %s", cases[i][2], line);
        hol_context_free(ctx);
    }
}

/* How many warnings a model with this line of a table and this torque has, and the last. */
static int warnings_of(const char *table, const char *law, char *line, size_t size) {
    hol_context *ctx = hol_context_new();
    mech_text text = {.used = 0};
    int n = 0;
    put(&text,
        "holonom: 1\nspace: planar\ngravity: [0, 0]\ntables:\n  c: {%s}\n"
        "bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  T: {type: torque, body: b, torque: "
        "'%s'}\n",
        table, law);
    hol_model *model = compile_text(ctx, text.text, "test.yaml", NULL);
    assert_non_null(model);
    for (int k = 0; k < hol_message_count(ctx); k++)
        if (hol_message_get(ctx, k)->severity == HOL_WARNING &&
            strstr(hol_message_get(ctx, k)->text, "far beyond its points")) {
            hol_message_format(hol_message_get(ctx, k), line, size);
            n++;
        }
    hol_model_free(model);
    hol_context_free(ctx);
    return n;
}

/* A spline through a step (0, 0, 1, 1 at 0, 4, 4.01, 8) swings to some 20 on its flat sides, and a
 * warning says so, once for each table; straight lines do not, nor does a smooth curve or a slight
 * overshoot. */
static void test_swing(void **state) {
    char line[1024] = "";
    (void)state;
    if (!reads_yaml()) skip();
    static const char step[] = "points: [[0, 0], [4, 0], [4.01, 1], [8, 1]], outside: clamp";
    static const char flat[] = "points: [[0, 0], [1, 0], [2, 1], [3, 1]], outside: clamp";
    assert_int_equal(warnings_of(step, "c(t) + 2*c(2*t)", line, sizeof line), 1);
    assert_non_null(strstr(line, "table 'c': its spline goes to"));
    char straight[128];
    snprintf(straight, sizeof straight, "%s, interpolation: linear", step);
    assert_int_equal(warnings_of(straight, "c(t)", line, sizeof line), 0);
    assert_int_equal(warnings_of(flat, "c(t)", line, sizeof line), 0);
    assert_int_equal(warnings_of(flat, "table(t, 0, 0, 1, 0, 2, 1, 3, 1)", line, sizeof line), 0);
    assert_int_equal(warnings_of(flat, "table(t, 0, 0, 4, 0, 4.01, 1, 8, 1)", line, sizeof line),
                     1);
    assert_non_null(strstr(line, "force 'T': the spline of table() goes to"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swing),       cmocka_unit_test(test_linear),
        cmocka_unit_test(test_outside),     cmocka_unit_test(test_periodic_spline),
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_file),
        cmocka_unit_test(test_stored),      cmocka_unit_test(test_errors),
        cmocka_unit_test(test_names),
    };
    return run_tests_of_models("tests", tests);
}
