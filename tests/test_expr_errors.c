/* test_expr_errors.c: every error of the expression compiler with its column and its words, and
 * dimensions. */
#include "base/expr_internal.h"
#include "expr_fixture.h"

typedef struct error_case {
    const char *text;
    int offset; /* of the column from the start of the text */
    const char *words;
} error_case;

/* One error, at the right place, of the right element, with these words. */
static void check_error(fixture *f, const error_case *c) {
    hol__expr *e = try_compile(f, c->text);
    if (e) fail_msg("\"%s\" compiles", c->text);
    if (hol_message_count(f->ctx) != 1)
        fail_msg("\"%s\": %d messages", c->text, hol_message_count(f->ctx));
    const hol_message *m = hol_message_get(f->ctx, 0);
    if (m->where.line != text_at.line || m->where.column != text_at.column + c->offset)
        fail_msg("\"%s\": column %d, not %d (%s)", c->text, m->where.column,
                 text_at.column + c->offset, m->text);
    if (!strstr(m->text, c->words))
        fail_msg("\"%s\": \"%s\" lacks \"%s\"", c->text, m->text, c->words);
    assert_string_equal(m->where.file, "model.yaml");
    assert_string_equal(m->element, "force 'F'");
    assert_int_equal(m->status, HOL_ERR_INPUT);
}

static void check_errors(fixture *f, const error_case *cases, size_t n) {
    for (size_t i = 0; i < n; i++) check_error(f, &cases[i]);
}
#define CHECK_ERRORS(f, cases) check_errors((f), (cases), sizeof(cases) / sizeof *(cases))

static void test_syntax(void **state) {
    static const error_case cases[] = {
        {"", 0, "is empty"},
        {"   ", 0, "is empty"},
        {"2 +", 3, "ends where a value is expected"},
        {"2 + ", 4, "ends where a value is expected"},
        {"-", 1, "ends where a value is expected"},
        {"sin(", 4, "ends where a value is expected"},
        {"x ? 1 :", 7, "ends where a value is expected"},
        {"(x + 1", 6, "')' is missing for the '(' in column 9"},
        {"2*(x + (1)", 10, "')' is missing for the '(' in column 11"},
        {"sin(x", 5, "')' is missing for the '(' in column 12"},
        {"x + 1)", 5, "this ')' closes no '('"},
        {")", 0, "a value is expected before ')'"},
        {"()", 1, "a value is expected before ')'"},
        {"x * / 2", 4, "a value is expected before '/'"},
        {"x ** 2", 3, "a power is written x^y"},
        {"max(x,,y)", 6, "a value is expected before ','"},
        {"max(x y)", 6, "an operator is missing before 'y'"},
        {"max(x : y)", 6, "',' or ')' is expected before ':'"},
        {"(x, y)", 2, "')' is expected before ','"},
        {"x y", 2, "an operator is missing before 'y'"},
        {"x 2", 2, "an operator is missing before '2'"},
        {"2(x)", 1, "an operator is missing before '('"},
        {"1.2.3", 3, "an operator is missing before '.3'"},
        {"x not y", 2, "an operator is missing before 'not'"},
        {"x, y", 1, "unexpected ','"},
        {"x : y", 2, "unexpected ':'"},
        {"x = 2", 2, "unexpected '='; equality is written =="},
        {"x % 2", 2, "the remainder is written mod(x, y), a share 0.05"},
        {"x & y", 2, "write 'and', 'or'"},
        {"x $ y", 2, "unexpected '$'"},
        {"x + \x01", 4, "byte 0x01"},
        {"\xce\xb8", 0, "unexpected 'θ'"},
        {"tip.", 0, "unknown name 'tip'; did you mean"},
        {"x ? y", 5, "':' is missing for the '?' in column 11"},
        {"x ? y, z", 5, "':' is expected before ','"},
        {"1 + not x", 4, "put 'not' and what it negates in parentheses"},
        {"x < y < z", 6, "comparisons do not chain"},
        {"x == y != z", 7, "comparisons do not chain"},
        {"1e999", 0, "this number is too large"},
        {"x + 1e300 km^3", 4, "this number is too large"},
    };
    CHECK_ERRORS(*state, cases);
}

static void test_names(void **state) {
    static const error_case cases[] = {
        {"Lx", 0, "unknown name 'Lx'; did you mean 'L1'?"},
        {"2*tip.y + 1", 2, "unknown name 'tip.y'; did you mean 'tip.x'?"},
        {"qwertyuiop", 0, "unknown name 'qwertyuiop'"},
        {"inf", 0, "unknown name 'inf'"},
        {"x + Pi", 4, "unknown name 'Pi'; did you mean 'pi'?"},
        {"sqr(x)", 0, "unknown function 'sqr'; did you mean 'sqrt'?"},
        {"1 + foobarbaz(x)", 4, "unknown function 'foobarbaz'"},
        {"L2(x)", 0, "'L2' is not a function; to multiply write L2*(...)"},
        {"pi(x)", 0, "'pi' is not a function"},
        {"x + sin", 4, "'sin' is a function; write sin(x)"},
        {"atan2 + 1", 0, "'atan2' is a function; write atan2(y, x)"},
        {"sin(x, y)", 0, "sin takes 1 argument, not 2; write sin(x)"},
        {"2*atan2(x)", 2, "atan2 takes 2 arguments, not 1; write atan2(y, x)"},
        {"sin()", 0, "sin takes 1 argument, not 0"},
        {"max(x)", 0, "max takes at least 2 arguments, not 1"},
        {"if(x, y)", 0, "if takes 3 arguments, not 2"},
        {"step(x, 1, 2, 3)", 0, "step takes 5 arguments, not 4"},
        {"x + far", 4, "'far' is not available here"},
    };
    CHECK_ERRORS(*state, cases);
    try_compile(*state, "qwertyuiop");
    assert_null(strstr(hol_message_get(((fixture *)*state)->ctx, 0)->text, "did you mean"));
}

/* What the scope has reported is not reported again, wherever the name stands. */
static void test_scope_error(void **state) {
    static const char *const texts[] = {"2*broken + x", "broken", "broken(x)", "3 broken",
                                        "sin(broken)"};
    static const int offsets[] = {2, 0, 0, 2, 4};
    fixture *f = *state;
    for (int i = 0; i < 5; i++) {
        assert_null(try_compile(f, texts[i]));
        assert_int_equal(hol_message_count(f->ctx), 1);
        assert_string_equal(hol_message_get(f->ctx, 0)->text, "'broken' is defined by itself");
        assert_int_equal(hol_message_get(f->ctx, 0)->where.column, text_at.column + offsets[i]);
    }
}

static void test_arguments(void **state) {
    static const error_case cases[] = {
        {"table(x, 1, 2, 3)", 0, "table takes at least 5 arguments, not 4"},
        {"table(x, 1, 2, 3, 4, 5)", 21, "an abscissa without its ordinate"},
        {"table(x, 1, 2, 1, 4)", 15, "abscissae must increase, but 1 follows 1"},
        {"table(x, 1, 2, 0.5, 4)", 15, "abscissae must increase, but 0.5 follows 1"},
        {"table(x, 1, 2, y, 4)", 15, "abscissa 2 must be a finite constant"},
        {"table(x, 1, y, 2, 4)", 12, "ordinate 1 must be a finite constant"},
        {"table(x, 1, 2, 3, 1/0)", 18, "ordinate 2 must be a finite constant"},
        {"table(x, 0, -1e308, 1e-8, 1e308)", 9, "too steep"},
        {"step(x, 1, 2, 1, 3)", 14, "x1 must differ from x0 (both are 1)"},
        {"clamp(x, 2, 1)", 12, "the upper limit 1 is below the lower limit 2"},
    };
    CHECK_ERRORS(*state, cases);
}

/* A constant without finite value: the column is that of the operation where it arose. */
static void test_not_finite(void **state) {
    static const error_case cases[] = {
        {"1/0", 1, "infinity"},
        {"2 + 3*(1/0)", 8, "infinity"},
        {"sqrt(-1)", 0, "no number (NaN)"},
        {"1 - log(L1 - L1)*2", 4, "infinity"},
        {"exp(1e4)", 0, "infinity"},
        {"1e200^2", 5, "infinity"},
        {"if(1, 1/0, 2)", 7, "infinity"},
        {"if(0, 1/0, 0/0)", 12, "no number (NaN)"},
        {"asin(2)", 0, "NaN"},
    };
    CHECK_ERRORS(*state, cases);
    assert_non_null(try_compile(*state, "if(0, 1/0, 2)"));
    assert_non_null(try_compile(*state, "x*(1/0)"));
}

static void test_units(void **state) {
    static const error_case cases[] = {
        {"5 mn", 2, "unknown unit 'mn'; did you mean '"},
        {"5 degs", 2, "unknown unit 'degs'; did you mean 'deg'?"},
        {"5qwertyuiop", 1, "unknown unit 'qwertyuiop'"},
        {"2.5 L1", 4, "'L1' is not a unit; to multiply write 2.5*L1"},
        {"2 sin(x)", 2, "'sin' is not a unit; to multiply write 2*sin"},
        {"2 min(x, y)", 2, "'min' is not a unit"},
        {"2 m^x", 4, "the power of a unit must be an integer"},
        {"2 m^2.5", 4, "the power of a unit must be an integer"},
        {"2 m^-", 4, "the power of a unit must be an integer"},
        {"2 m^12", 4, "the power of a unit must be an integer from -9 to 9"},
        {"2 m^2^2", 5, "a unit has one power only"},
        {"2 s^9*s^9*s^9*s^9*s^9*s^9*s^9*s^9*s^9*s^9*s^9*s^9", 46,
         "powers of the units are too large"},
        /* m is a name of the scope: behind "*" or "/" both meanings are possible */
        {"6 N/m", 4,
         "'m' is a unit and also the name 'm': for the name write (6 N)/m, for the unit rename "
         "the name"},
        {"x + 2 kg * m^2", 11, "for the name write (2 kg)*m, for the unit"},
    };
    CHECK_ERRORS(*state, cases);
}

static void test_dimension_errors(void **state) {
    static const error_case cases[] = {
        {"5 mm + 3 ms", 5, "cannot add m and s"},
        {"5 mm - 3 N", 5, "cannot subtract m and N"},
        {"x + (5 mm + 3 s)", 10, "cannot add m and s"},
        {"3 rad + 2 Hz*s", 6, "cannot add rad and cycle; Hz counts cycles: 2*pi times"},
        {"2*(3 s) + 5 m/(1 s)", 8, "cannot add s and m/s"},
        {"5 mm < 3 s", 5, "cannot compare m and s"},
        {"max(5 mm, x, 2 s)", 13, "cannot compare m and s"},
        {"arm + lag", 4, "cannot add m and s"},
        {"arm + L1*arm/arm + lag", 17, "cannot add m and s"},
        {"clock + arm", 6, "cannot add s and m"},
        {"clock - gap", 6, "cannot subtract s and m"},
        {"clock > 5 mm", 6, "cannot compare s and m"},
        {"sqrt(arm*arm) + lag", 14, "cannot add m and s"},
        {"cbrt(arm^3) - 1 s", 12, "cannot subtract m and s"},
        {"(arm^2)^0.5 - 1 s", 12, "cannot subtract m and s"},
        {"arm*sin(30 deg) + lag", 16, "cannot add m and s"},
        {"arm*(x > y) + lag", 12, "cannot add m and s"},
        {"poly(arm, 1 s, 2 s)", 15, "cannot add s and m*s"},
        {"table(clock, 0 m, 1, 1 m, 2)", 13, "cannot compare s and m"},
        {"table(clock, 0, 1 N, 1, 2 s)", 24, "cannot interpolate between N and s"},
        {"acos(30 deg)", 5, "acos needs a plain number, not rad"},
        {"sin(freq*clock)", 4,
         "sin needs an angle or a plain number, not cycles; Hz counts cycles: 2*pi times"},
        {"freq + 3 rad/s", 5,
         "cannot add Hz and rad/s; Hz counts cycles: 2*pi times Hz is rad/s, a plain rate"},
        {"2.3 kg*freq + 3 kg/s", 12, "Hz counts cycles"},
        {"90 deg - 30", 7,
         "30 has no unit beside a quantity in deg, and would count as 30 rad: "
         "write '30 deg' or '30 rad'"},
        {"20 + 600 mm", 3, "write '20 mm' or '20 m'"},
        {"x - 7.5 rpm*2 > 3", 14, "3 has no unit"},
        {"if(x > 1, 90 deg, 45)", 18, "write '45 deg' or '45 rad'"},
        {"clamp(x, -30, 90 deg)", 14, "-30 has no unit"},
        {"step(x, 0, 10, 1, 90 deg)", 18, "write '10 deg' or '10 rad'"},
        {"2*3 mm + 4", 7, "that was given in another unit than m"},
        {"2/s", 2, "unknown name 's'; the unit stands behind its number: 2 s, 2 1/s"},
        {"2 2/s", 2, "an operator is missing before '2'"},
        {"2^arm", 2, "an exponent must be a plain number, not m"},
        {"max(5 mm, 2 s)", 10, "cannot compare m and s"},
        {"if(x > 0, 5 mm, 2 s)", 16, "cannot choose between m and s"},
        {"x > 0 ? 5 mm : 2 s", 15, "cannot choose between m and s"},
        {"clamp(x, 5 mm, 2 s)", 15, "cannot compare m and s"},
        {"hypot(5 mm, 2 s)", 12, "cannot combine m and s"},
        {"step(x, 1 s, 2 m, 3 m, 4 m)", 18, "cannot compare s and m"},
        {"step(x, 1, 2 m, 3, 4 s)", 19, "cannot step between m and s"},
        {"sin(5 mm)", 4, "sin needs an angle or a plain number, not m"},
        {"exp(5 N/mm)", 4, "exp needs an angle or a plain number, not kg/s^2"},
        {"2^(3 m)", 2, "an exponent must be a plain number, not m"},
        {"x^2 m", 2, "an exponent must be a plain number, not m"},
    };
    CHECK_ERRORS(*state, cases);
}

/* text, SI value where constant, dimension ("?" for open). */
static const struct {
    const char *text;
    double value;
    const char *dim;
} dimensions[] = {
    {"60 deg", 60 * 3.14159265358979323846 / 180, "rad"},
    {"60deg", 60 * 3.14159265358979323846 / 180, "rad"},
    {"5 mm", 0.005, "m"},
    {"-5 mm", -0.005, "m"},
    {"1.2 kN", 1200, "N"},
    {"3000 rpm", 100 * 3.14159265358979323846, "rad/s"},
    {"2 mm/s^2", 0.002, "m/s^2"},
    {"7 kg*mm^2", 7e-6, "kg*m^2"},
    {"7 kg * mm ^ 2", 7e-6, "kg*m^2"},
    {"36 km/h", 10, "m/s"},
    {"4 s^-1", 4, "1/s"},
    {"3 N*s/mm", 3000, "N*s/m"},
    {"90 deg/s", 3.14159265358979323846 / 2, "rad/s"},
    {"5 min", 300, "s"},
    {"abs(-5 mm)", 0.005, "m"},
    {"5 mm + 2 cm", 0.025, "m"},
    {"2*5 mm", 0.01, "m"},
    {"5 mm*2", 0.01, "m"},
    {"2*pi*5 mm/pi", 0.01, "m"},
    {"1/(4 s)", 0.25, "1/s"},
    {"5 mm*(2 kN)", 10, "N*m"},
    {"6 mm/(2 mm)", 3, ""},
    {"(3 mm)^2", 9e-6, "m^2"},
    {"max(5 mm, 2 cm)", 0.02, "m"},
    {"if(1 < 2, 5 mm, 2 cm)", 0.005, "m"},
    {"hypot(3 mm, 4 mm)", 0.005, "m"},
    {"5", 5, "?"},
    {"2*3 + sqrt(4)", 8, "?"},
    {"pi", 3.14159265358979323846, "?"},
    {"L1", 0.347, "?"},
    {"L1 + 5 mm", 0.352, "m"},
    {"L1*5 mm", 0.347 * 0.005, "?"},
    {"5 m + 1", 6, "m"},
    {"5 mm + 0", 0.005, "m"},
    {"90 deg - pi/6", 1.0471975511965977, "rad"},
    {"6 mm/(2 mm) - 1", 2, ""},
    {"4 1/s", 4, "1/s"},
    {"(4.1 1/ms)*m", 4100 * 2.385, "?"},
    {"3 1/s^2*(2 m)", 6, "m/s^2"},
    {"sin(30 deg)", 0.5, "?"},
    {"5 mm < 2 cm", 1, "?"},
    {"not (5 mm)", 0, "?"},
    {"(5 mm)^0.5", 0.070710678118654752, "?"},
    {"sqrt(4 mm^2)", 0.002, "m"},
    {"cbrt(8 m^3)", 2, "m"},
    {"2*arm/lag", 2 * 0.613 / 0.27, "m/s"},
    {"arm^2*3 kg", 0.613 * 0.613 * 3, "kg*m^2"},
    {"sqrt(9.81 m/s^2/arm)", 4.000407809553998, "1/s"},
    {"3 N*sin(30 deg)", 1.5, "N"},
    {"sin(arm/(2 m))", 0.3017236072718155, "?"},
    {"2*pi*freq", 2 * 3.14159265358979323846 * 1.7, "rad/s"},
    {"180 deg*freq", 3.14159265358979323846 * 1.7, "rad/s"},
    {"0.5*freq", 0.85, "Hz"},
    {"3 m/s/arm + 2 rad/s", 3 / 0.613 + 2, "rad/s"}, /* an arc over its radius is an angle */
    {"arm*2 rad/s + 3 m/s", 0.613 * 2 + 3, "m*rad/s"},
    {"poly(lag, 1 m, 2 m/s)", 1 + 2 * 0.27, "m"},
    {"table(1 s, 0, 1 N, 2, 3 N)", 2, "N"},
    /* m is a constant of the scope: directly behind a number it is still the metre */
    {"3 m", 3, "m"},
    {"3 m/s", 3, "m/s"},
    {"(6 N)/m", 6 / 2.385, "?"},
    {"m*3", 2.385 * 3, "?"},
    {"6 s/min(2, 3)", 3, "s"},
};

/* Values and dimensions of expressions with units. */
static void test_dimensions(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions; i++) {
        hol__expr *e = compile(f, dimensions[i].text);
        const hol__dim dim = hol__expr_dim(e), expected = hol__dim_of(dimensions[i].dim);
        /* two roundings in the conversion and one more in the operations */
        if (!close_to(hol__expr_constant(e), dimensions[i].value, 4e-16))
            fail_msg("%s is %.17g, not %.17g", dimensions[i].text, hol__expr_constant(e),
                     dimensions[i].value);
        if (dim.known != expected.known ||
            (dim.known && (dim.m != expected.m || dim.kg != expected.kg || dim.s != expected.s ||
                           dim.rad != expected.rad)))
            fail_msg("%s: dimension %d %d %d %d known %d", dimensions[i].text, dim.m, dim.kg, dim.s,
                     dim.rad, dim.known);
    }
    /* the same double as the literal, because the division is by an exact number */
    assert_true(hol__expr_constant(compile(f, "5 mm")) == 0.005);
    assert_true(hol__expr_constant(compile(f, "7.3 ms")) == 0.0073);
    assert_int_equal(hol__expr_dim(compile(f, "x*5 mm")).known, 0);
    /* a plain number beside the time or a measure is a coefficient of any unit; one with a unit is
     * what it says */
    static const struct {
        const char *text, *dim;
        int soft;
    } inputs[] = {
        {"clock", "s", 1},           {"6*clock", "?", 0},         {"6 rad/s*clock", "rad", 0},
        {"clock - 500 ms", "s", 1},  {"gap/clock", "m/s", 1},     {"clock^2", "s^2", 1},
        {"2*(clock - lag)", "?", 0}, {"1 N/s*clock + 2", "N", 0}, {"atan2(gap, arm)", "rad", 1}};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const hol__dim dim = hol__expr_dim(compile(f, inputs[i].text));
        const hol__dim expected = hol__dim_of(inputs[i].dim);
        if (dim.known != expected.known ||
            (dim.known && (!hol__dim_equal(dim, expected) || dim.soft != inputs[i].soft)))
            fail_msg("%s: dimension %d %d %d %d known %d soft %d", inputs[i].text, dim.m, dim.kg,
                     dim.s, dim.rad, dim.known, dim.soft);
    }
}

/* Without a location columns count from 1; without a scope there are no names. */
static void test_no_location(void **state) {
    fixture *f = *state;
    hol_message_clear(f->ctx);
    assert_null(hol__expr_compile(&f->arena, "1 + qq", NULL, 0, NULL, NULL));
    assert_int_equal(hol_message_count(f->ctx), 1);
    assert_int_equal(hol_message_get(f->ctx, 0)->where.column, 5);
    assert_null(hol_message_get(f->ctx, 0)->where.file);
    assert_null(hol_message_get(f->ctx, 0)->element);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        TEST(test_syntax),           TEST(test_names),      TEST(test_scope_error),
        TEST(test_arguments),        TEST(test_not_finite), TEST(test_units),
        TEST(test_dimension_errors), TEST(test_dimensions), TEST(test_no_location),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
