/* test_expr.c: values of expressions: precedence, numbers, functions, folding, choices, NaN. */
#include "expr_fixture.h"

#include "base/expr_internal.h"

#include <locale.h>

/* x, y, z, t, tip.x */
static const double in[N_INPUTS] = {0.7312, -1.4861, 2.0973, 3.3317, -0.2954};

typedef struct value_case {
    const char *text;
    double expected;
} value_case;

static void check_values(fixture *f, const value_case *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const double value = value_at(f, cases[i].text, in);
        if (!(value == cases[i].expected || (isnan(value) && isnan(cases[i].expected))))
            fail_msg("%s is %.17g, not %.17g", cases[i].text, value, cases[i].expected);
    }
}
#define CHECK_VALUES(f, cases) check_values((f), (cases), sizeof(cases) / sizeof *(cases))

/* Constants here are small integers or sums of powers of two, so the expected values are exact. */
static void test_precedence(void **state) {
    static const value_case cases[] = {
        {"2+3*4", 14},
        {"(2+3)*4", 20},
        {"7-4-2", 1},
        {"48/4/3", 4},
        {"48/4*3", 36},
        {"2^3^2", 512},
        {"(2^3)^2", 64},
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^-2", 0.25},
        {"2^-1^2", 0.5},
        {"-2^-2", -0.25},
        {"2*-3", -6},
        {"2--3", 5},
        {"2---3", -1},
        {"+-+5", -5},
        {"-3*-4", 12},
        {"6/-2*3", -9},
        {"3*2^2", 12},
        {"1+2<4", 1},
        {"1+2<3", 0},
        {"3<=3", 1},
        {"4>=5", 0},
        {"4>3", 1},
        {"4!=4", 0},
        {"2*3==6", 1},
        {"1<2 and 3<2", 0},
        {"1<2 or 3<2", 1},
        {"0 and 0 or 1", 1},
        {"1 or 0 and 0", 1},
        {"(1 or 0) and 0", 0},
        {"not 1<2", 0},
        {"not 0 and 1", 1},
        {"not (0 and 1)", 1},
        {"not not 7", 1},
        {"not not not 7", 0},
        {"!0", 1},
        {"!1 == 2", 1},
        {"1 && !0 || 0", 1},
        {"1 ? 2 : 3", 2},
        {"0 ? 2 : 0 ? 4 : 5", 5},
        {"0 ? 2 : 1 ? 4 : 5", 4},
        {"1 ? 0 ? 6 : 7 : 8", 7},
        {"1 or 0 ? 10+1 : 20", 11},
        {"1 < 2 ? 3 : 4", 3},
        {"(1 < 2) + (2 < 1)", 1},
        {"  \t2\n+\r3 ", 5},
    };
    CHECK_VALUES(*state, cases);
}

static void test_numbers(void **state) {
    static const value_case cases[] = {
        {"1e-3", 1e-3},
        {".5", .5},
        {"5.", 5},
        {"1E+2", 1e2},
        {"12.5e1", 125},
        {"0", 0},
        {"000.00", 0},
        {"0.1", 0.1},
        {"2.385", 2.385},
        {"179769313486231570e291", 1.7976931348623157e308},
        {"4.9406564584124654e-324", 0x1p-1074},
        {"1e-999999999999999999999", 0},
        {"0e99999999999999", 0},
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740993.0000000000000000000000000000000001", 9007199254740994.0},
        {"0.000000000000000000000000000000000000012345e38", 1.2345},
    };
    CHECK_VALUES(*state, cases);
}

/* A tie of rounding that only the 900th digit breaks: 2^53 + 1 + 10^-900. */
static void test_long_number(void **state) {
    char text[1000] = "9007199254740993.";
    size_t n = strlen(text);
    while (n < 917) text[n++] = '0';
    text[n] = '\0';
    assert_true(value_at(*state, text, in) == 9007199254740992.0);
    text[n++] = '1';
    text[n] = '\0';
    assert_true(value_at(*state, text, in) == 9007199254740994.0);
    /* 950 digits before the point overflow; an exponent brings them back */
    memset(text, '7', 950);
    strcpy(text + 950, "e-950");
    assert_true(fabs(value_at(*state, text, in) - 7.0 / 9) <= 0x1p-52);
}

/* A locale with a decimal comma changes nothing (where one is installed). */
static void test_locale(void **state) {
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "de_DE"};
    int found = 0;
    for (size_t i = 0; i < 4 && !found; i++) found = setlocale(LC_NUMERIC, names[i]) != NULL;
    assert_true(value_at(*state, "2.5e-1 + 1.5", in) == 1.75);
    setlocale(LC_NUMERIC, "C");
}

/* The same library function on the same argument: equal to the last bit. */
static void test_functions(void **state) {
    const double x = in[0], y = in[1], z = in[2], t = in[3], u = in[4];
    const value_case cases[] = {
        {"sin(t)", sin(t)},
        {"cos(t)", cos(t)},
        {"tan(t)", tan(t)},
        {"asin(x)", asin(x)},
        {"acos(tip.x)", acos(u)},
        {"atan(y)", atan(y)},
        {"atan2(y, tip.x)", atan2(y, u)},
        {"sinh(y)", sinh(y)},
        {"cosh(y)", cosh(y)},
        {"tanh(y)", tanh(y)},
        {"exp(y)", exp(y)},
        {"log(t)", log(t)},
        {"log10(t)", log10(t)},
        {"sqrt(t)", sqrt(t)},
        {"cbrt(y)", cbrt(y)},
        {"pow(t, y)", pow(t, y)},
        {"t^y", pow(t, y)},
        {"y^5", pow(y, 5)},
        {"y^-3", pow(y, -3)},
        {"y^2", y * y},
        {"y^0.3", NAN},
        {"hypot(x, y)", hypot(x, y)},
        {"abs(y)", fabs(y)},
        {"sign(y)", -1},
        {"sign(x)", 1},
        {"sign(x - x)", 0},
        {"floor(y)", -2},
        {"ceil(y)", -1},
        {"mod(t, z)", t - z},
        {"mod(y, 1)", y + 2},
        {"mod(x, -1)", x - 1},
        {"mod(-4, 2)", 0},
        {"min(x, y)", y},
        {"max(x, y, z, t, tip.x)", t},
        {"min(x, y, z, -7.25, tip.x)", -7.25},
        {"clamp(t, -1.5, 2.25)", 2.25},
        {"clamp(y, -1.25, 2.25)", -1.25},
        {"clamp(x, y, z)", x},
        {"poly(x, 3.5)", 3.5},
        {"poly(x, 3.5, -1.25)", 3.5 + x * -1.25},
        {"poly(x, 3.5, y, 0.75)", 3.5 + x * (y + x * 0.75)},
        {"if(x < y, z, t)", t},
        {"if(x > y, z, t)", z},
        {"x > y ? z : t", z},
        {"pi", 3.14159265358979323846},
        {"tip.x", u},
        {"L2*k - m", 1.273 * 861.4 - 2.385},
        {"m*L1^2/12", 2.385 * (0.347 * 0.347) / 12},
    };
    /* the last: a constant power is folded with the library's pow, within an ulp of the product */
    check_values(*state, cases, sizeof cases / sizeof *cases - 1);
    const value_case last = cases[sizeof cases / sizeof *cases - 1];
    assert_true(close_to(value_at(*state, last.text, in), last.expected, 4e-16));
}

/* step: y0 and y1 exactly outside, p(s) = s^3 (10 - 15 s + 6 s^2) inside, also with x1 < x0 and
 * variable limits. */
static void test_step(void **state) {
    fixture *f = *state;
    const double s = (in[0] - 0.25) / 1.5, p = s * s * s * (10 - 15 * s + 6 * s * s);
    assert_true(value_at(f, "step(y, 0.25, 3.7, 1.75, -1.1)", in) == 3.7);
    assert_true(value_at(f, "step(t, 0.25, 3.7, 1.75, -1.1)", in) == -1.1);
    assert_true(value_at(f, "step(0.25, 0.25, 3.7, 1.75, -1.1)", in) == 3.7);
    assert_true(value_at(f, "step(1.75, 0.25, 3.7, 1.75, -1.1)", in) == -1.1);
    assert_true(close_to(value_at(f, "step(1, 0.25, 3.7, 1.75, -1.1)", in), 1.3, 1e-15));
    assert_true(close_to(value_at(f, "step(x, 0.25, 3.7, 1.75, -1.1)", in), 3.7 - 4.8 * p, 1e-15));
    assert_true(close_to(value_at(f, "step(x, 1.75, -1.1, 0.25, 3.7)", in), 3.7 - 4.8 * p, 2e-15));
    assert_true(close_to(value_at(f, "step(x, 0.25, 0, 1.75, 2.9)", in), 2.9 * p, 1e-15));
    const double q = (in[0] - in[1]) / (in[2] - in[1]);
    assert_true(close_to(value_at(f, "step(x, y, t, z, tip.x)", in),
                         in[3] + (in[4] - in[3]) * q * q * q * (10 - 15 * q + 6 * q * q), 4e-15));
}

/* Through (0,0), (1,1), (2,0) the natural spline has m_1 = -3, so f = 1.5 x - 0.5 x^3 up to 1, and
 * by symmetry after it. Outside it goes on with slope 1.5. */
static void test_table(void **state) {
    fixture *f = *state;
    const double x = in[0], far = in[3];
    assert_true(
        close_to(value_at(f, "table(x, 0,0, 1,1, 2,0)", in), 1.5 * x - 0.5 * x * x * x, 2e-16));
    assert_true(
        close_to(value_at(f, "table(2 - x, 0,0, 1,1, 2,0)", in), 1.5 * x - 0.5 * x * x * x, 4e-16));
    assert_true(close_to(value_at(f, "table(t, 0,0, 1,1, 2,0)", in), -1.5 * (far - 2), 4e-16));
    assert_true(close_to(value_at(f, "table(y, 0,0, 1,1, 2,0)", in), 1.5 * in[1], 4e-16));
    assert_true(value_at(f, "table(0.5, 0,0, 1,1, 2,0)", in) == 0.6875);
    /* two points: a straight line; units and parameters in the points */
    assert_true(close_to(value_at(f, "table(x, -L1, k, 250 mm, 2*k)", in),
                         861.4 * (1 + (x + 0.347) / 0.597), 1e-15));
}

/* The points are met, and f, f', f'' are continuous across every one of them and at the ends. */
static void test_table_smooth(void **state) {
    fixture *f = *state;
    static const double px[] = {-1.31, -0.42, 0.17, 0.93, 2.75, 3.01};
    static const double py[] = {2.1, -0.7, 0.35, 4.4, 1.9, -3.3};
    hol__expr *e =
        compile(f, "table(x, -1.31,2.1, -0.42,-0.7, 0.17,0.35, 0.93,4.4, 2.75,1.9, 3.01,-3.3)");
    double *scratch = new_scratch(e);
    const double one[N_INPUTS] = {1}, zero[N_INPUTS] = {0};
    for (int i = 0; i < 6; i++) {
        const double h = 1e-9;
        const double left[N_INPUTS] = {px[i] - h}, right[N_INPUTS] = {px[i] + h},
                     at[N_INPUTS] = {px[i]};
        const hol__jet a = hol__expr_jet(e, left, one, zero, scratch);
        const hol__jet b = hol__expr_jet(e, right, one, zero, scratch);
        assert_true(hol__expr_value(e, at, scratch) == py[i]);
        /* the derivatives up to the third are below 1e3 here, so a step of 2 h changes f, f', f''
         * by 2e-6 at most */
        assert_true(close_to(a.f, b.f, 2e-6) && close_to(a.d1, b.d1, 2e-6) &&
                    close_to(a.d2, b.d2, 2e-6));
        if (i == 0 || i == 5) assert_true(fabs(a.d2) < 2e-6 && fabs(b.d2) < 2e-6);
    }
    free(scratch);
}

static void test_folding(void **state) {
    fixture *f = *state;
    hol__expr *e = compile(f, "2*pi*sqrt(L1) + if(1 < 2, 3, x) + x^0 + table(1, 0,0, 2,2)");
    assert_true(hol__expr_is_constant(e));
    assert_int_equal(hol__expr_scratch(e), 0);
    assert_true(
        close_to(hol__expr_constant(e), 2 * 3.14159265358979323846 * sqrt(0.347) + 5, 1e-15));
    assert_true(hol__expr_value(e, NULL, NULL) == hol__expr_constant(e));
    assert_false(hol__expr_reads(e, 0));

    e = compile(f, "x + 2*L1*pi");
    assert_false(hol__expr_is_constant(e));
    assert_true(isnan(hol__expr_constant(e)));
    assert_int_equal(e->n_code, 1);
    assert_true(hol__expr_reads(e, 0) && !hol__expr_reads(e, 1) && !hol__expr_reads(e, 3));

    /* the branch that is known not to be taken leaves no trace */
    e = compile(f, "if(L1 > L2, sin(x), cos(y))");
    assert_true(!hol__expr_reads(e, 0) && hol__expr_reads(e, 1));
    assert_int_equal(e->n_code, 1);

    /* an input alone needs no instruction; equal operations are done once */
    assert_int_equal(compile(f, "tip.x")->n_code, 0);
    assert_true(value_at(f, "tip.x", in) == in[4]);
    assert_int_equal(compile(f, "--(0 + 1*x/1)^1 - 0")->n_code, 0);
    assert_int_equal(compile(f, "sin(2*x)*sin(2*x) + sin(2*x)")->n_code, 4);
    /* 0*x stays, because x may be NaN */
    assert_true(isnan(value_at(f, "0*log(y)", in)));
}

/* Registers are used again: a sum of 3000 terms needs two, a right-nested one as many as it is
 * deep. */
static void test_registers(void **state) {
    fixture *f = *state;
    static char text[64000];
    size_t n = 0;
    double expected = 0;
    for (int i = 1; i <= 3000; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%d.5*x", i > 1 ? "+" : "", i);
        expected += (i + 0.5) * in[0];
    }
    hol__expr *e = compile(f, text);
    assert_int_equal(e->n_registers, 2);
    assert_int_equal(hol__expr_scratch(e), 8);
    assert_true(value_at(f, text, in) == expected);
    e = compile(f, "x*1.5+(x*2.5+(x*3.5+(x*4.5+x*5.5)))");
    assert_int_equal(e->n_registers, 5);
    assert_true(
        close_to(value_at(f, "x*1.5+(x*2.5+(x*3.5+(x*4.5+x*5.5)))", in), 17.5 * in[0], 4e-16));
}

/* Undefined is NaN and is seen, but not from a branch that was not taken. */
static void test_nan(void **state) {
    static const value_case cases[] = {
        {"log(y)", NAN},
        {"if(y > 0, log(y), 7.5)", 7.5},
        {"if(y < 0, 7.5, log(y))", 7.5},
        {"if(log(y) > 0, 1, 2)", NAN},
        {"log(y) < 1", NAN},
        {"log(y) != 1", NAN},
        {"not log(y)", NAN},
        {"y > 0 and log(y) > 1", 0},
        {"log(y) > 1 and y > 0", 0},
        {"x > 0 and log(y) > 1", NAN},
        {"x > 0 or log(y) > 1", 1},
        {"log(y) > 1 or x > 0", 1},
        {"y > 0 or log(y) > 1", NAN},
        {"min(x, log(y))", NAN},
        {"max(log(y), x)", NAN},
        {"clamp(log(y), 0, 1)", NAN},
        {"step(log(y), 0, 0, 1, 1)", NAN},
        {"table(log(y), 0,0, 1,1)", NAN},
        {"mod(x, x - x)", NAN},
        {"1/(x - x)", INFINITY},
        {"sqrt(y)^2", NAN},
    };
    CHECK_VALUES(*state, cases);
}

/* A name of the scope comes before pi, and is not a function. */
static hol__symbol find_pi(void *self, const char *name, const hol_location *where) {
    (void)self, (void)where;
    if (strcmp(name, "pi") == 0 || strcmp(name, "min") == 0)
        return (hol__symbol){.kind = HOL__SYMBOL_CONSTANT, .value = 3.25};
    return (hol__symbol){.kind = HOL__SYMBOL_UNKNOWN};
}

static void test_shadowing(void **state) {
    fixture *f = *state;
    const hol__scope scope = {.find = find_pi};
    hol__expr *e = hol__expr_compile(&f->arena, "pi + min(min, 7)", &scope, 0, NULL, NULL);
    assert_non_null(e);
    assert_true(hol__expr_constant(e) == 6.5);
    e = hol__expr_compile(&f->arena, "cos(pi)", NULL, 0, NULL, NULL);
    assert_true(e && hol__expr_constant(e) == -1);
}

/* ---- random expressions against an evaluation beside their writing ---- */

typedef struct writer {
    uint64_t random;
    char text[20000];
    size_t length;
} writer;

static void write_text(writer *w, const char *text) {
    const size_t n = strlen(text);
    assert_true(w->length + n < sizeof w->text);
    memcpy(w->text + w->length, text, n + 1);
    w->length += n;
}

/* Write a random operand and return its value. */
static double write_leaf(writer *w) {
    char number[40];
    const uint64_t r = next_word(&w->random) % 8;
    if (r < 5) {
        write_text(w, input_names[r]);
        return in[r];
    }
    snprintf(number, sizeof number, "%.17g", uniform(&w->random, 5, 9));
    write_text(w, number);
    return strtod(number, NULL);
}

/* Write a random expression of at least this precedence (0 sum, 1 product, 2 sign, 3 power, 4
 * operand), with parentheses only where they are needed, and return its value. */
static double write_random(writer *w, int depth, int precedence) {
    static const char *const names[] = {"sin(", "cos(", "atan(", "tanh(", "abs(", "cbrt("};
    double (*const functions[])(double) = {sin, cos, atan, tanh, fabs, cbrt};
    const int kind = depth == 0 ? 6 : (int)(next_word(&w->random) % 7);
    static const int levels[] = {0, 0, 1, 1, 2, 3, 4};
    const int open = levels[kind] < precedence;
    double a, b;
    if (open) write_text(w, "(");
    switch (kind) {
    case 0:
    case 1:
        a = write_random(w, depth - 1, 0);
        write_text(w, kind ? " - " : "+");
        b = write_random(w, depth - 1, 1);
        a = kind ? a - b : a + b;
        break;
    case 2:
    case 3:
        a = write_random(w, depth - 1, 1);
        write_text(w, kind == 2 ? "*" : " / ");
        b = write_random(w, depth - 1, 2);
        a = kind == 2 ? a * b : a / b;
        break;
    case 4:
        write_text(w, "-");
        a = -write_random(w, depth - 1, 2);
        break;
    case 5:
        a = write_random(w, depth - 1, 4);
        write_text(w, "^");
        a = pow(a, write_random(w, depth - 1, 2));
        break;
    default:
        if (depth > 0) {
            const size_t i = next_word(&w->random) % 6;
            write_text(w, names[i]);
            a = functions[i](write_random(w, depth - 1, 0));
            write_text(w, ")");
        } else {
            a = write_leaf(w);
        }
    }
    if (open) write_text(w, ")");
    return a;
}

/* The arithmetic is the same, so the values are equal to the last bit; both may be NaN. Powers
 * whose exponent is one that is simplified do not arise: exponents are sums of random numbers. */
static void test_random(void **state) {
    fixture *f = *state;
    writer *w = calloc(1, sizeof *w);
    int finite = 0;
    w->random = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 3000; i++) {
        w->length = 0;
        const double expected = write_random(w, 1 + i % 6, 0);
        /* a constant without finite value is rejected; it is tested elsewhere */
        hol__expr *e = try_compile(f, w->text);
        if (!e && !isfinite(expected)) continue;
        if (!e) fail_msg("%s does not compile", w->text);
        const double value = value_at(f, w->text, in);
        if (!(value == expected || (isnan(value) && isnan(expected))))
            fail_msg("%s is %.17g, not %.17g", w->text, value, expected);
        finite += isfinite(value) != 0;
    }
    assert_true(finite > 1500);
    free(w);
}

static void test_documentation(void **state) {
    fixture *f = *state;
    int n = 0;
    assert_null(hol__expr_function(-1).name);
    for (; hol__expr_function(n).name; n++) {
        const hol__function_doc doc = hol__expr_function(n);
        assert_true(strncmp(doc.signature, doc.name, strlen(doc.name)) == 0);
        assert_true(strlen(doc.doc) > 5);
        for (int i = 0; i < n; i++) assert_string_not_equal(hol__expr_function(i).name, doc.name);
    }
    assert_int_equal(n, 30);
    assert_null(hol__expr_function(n + 1000).name);
    (void)f;
}

/* A number alone is told without compiling, with the value that compiling gives, bit for bit. */
static void test_plain_numbers(void **state) {
    fixture *f = *state;
    static const char *const numbers[] = {"0",
                                          "-0",
                                          "7",
                                          " 2.5 ",
                                          "-1.25e-3",
                                          "1e22",
                                          "0.1",
                                          "- 3",
                                          "123456789012345678901234567890",
                                          "4.9406564584124654e-324",
                                          "1.7976931348623157e308",
                                          ".5"};
    static const char *const others[] = {"",  "-",  "1e999", "-1e999", "2 m", "1+1", "--1", "+1",
                                         "x", "pi", "1 2",   "0x10",   "1e",  "(1)", "nan", "1,5"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value = 99;
        assert_true(hol__expr_is_number(numbers[i], &value));
        const double compiled = value_at(f, numbers[i], in);
        assert_memory_equal(&value, &compiled, sizeof value);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        double value;
        if (hol__expr_is_number(others[i], &value)) fail_msg("'%s' is no number", others[i]);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        TEST(test_precedence),  TEST(test_plain_numbers), TEST(test_numbers),
        TEST(test_long_number), TEST(test_locale),        TEST(test_functions),
        TEST(test_step),        TEST(test_table),         TEST(test_table_smooth),
        TEST(test_folding),     TEST(test_registers),     TEST(test_nan),
        TEST(test_shadowing),   TEST(test_random),        TEST(test_documentation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
