/* test_expr_jet.c: first and second derivatives of expressions, against formulas and against
 * differences. */
#include "expr_fixture.h"

#define PI 3.14159265358979323846

/* f, f', f'' of a text in x alone, along x(s) = x + s. */
static hol__jet jet_of_x(fixture *f, const char *text, double x) {
    const double in[N_INPUTS] = {x, -1.4861, 2.0973, 3.3317, -0.2954}, one[N_INPUTS] = {1},
                 zero[N_INPUTS] = {0};
    hol__expr *e = compile(f, text);
    double *scratch = new_scratch(e);
    const hol__jet jet = hol__expr_jet(e, in, one, zero, scratch);
    free(scratch);
    return jet;
}

typedef struct jet_case {
    const char *text;
    double x, f, d1, d2;
} jet_case;

/* A few operations, each within an ulp or two of its own size: 64 ulp is generous. */
static void check_jets(fixture *f, const jet_case *cases, size_t n) {
    const double tolerance = 64 * 0x1p-52;
    for (size_t i = 0; i < n; i++) {
        const jet_case *c = &cases[i];
        const hol__jet j = jet_of_x(f, c->text, c->x);
        const double got[] = {j.f, j.d1, j.d2}, want[] = {c->f, c->d1, c->d2};
        for (int k = 0; k < 3; k++)
            if (!(got[k] == want[k] || (isnan(got[k]) && isnan(want[k])) ||
                  close_to(got[k], want[k], tolerance)))
                fail_msg("%s at %g: derivative %d is %.17g, not %.17g", c->text, c->x, k, got[k],
                         want[k]);
    }
}
#define CHECK_JETS(f, cases) check_jets((f), (cases), sizeof(cases) / sizeof *(cases))

/* Every function of one argument, against its derivatives written another way than in the
 * library. */
static void test_formulas(void **state) {
    const double x = 0.7312, w = 1 - x * x;
    const jet_case cases[] = {
        {"x", x, x, 1, 0},
        {"-x", x, -x, -1, 0},
        {"3.7", x, 3.7, 0, 0},
        {"y*z", x, -1.4861 * 2.0973, 0, 0},
        {"sin(x)", x, sin(x), cos(x), -sin(x)},
        {"cos(x)", x, cos(x), -sin(x), -cos(x)},
        {"tan(x)", x, tan(x), pow(cos(x), -2), 2 * sin(x) * pow(cos(x), -3)},
        {"asin(x)", x, asin(x), pow(w, -0.5), x * pow(w, -1.5)},
        {"acos(x)", x, acos(x), -pow(w, -0.5), -x * pow(w, -1.5)},
        {"atan(x)", x, atan(x), 1 / (1 + x * x), -2 * x * pow(1 + x * x, -2)},
        {"sinh(x)", x, sinh(x), cosh(x), sinh(x)},
        {"cosh(x)", x, cosh(x), sinh(x), cosh(x)},
        {"tanh(x)", x, tanh(x), 1 - pow(tanh(x), 2), -2 * tanh(x) * (1 - pow(tanh(x), 2))},
        {"exp(x)", x, exp(x), exp(x), exp(x)},
        {"log(x)", x, log(x), 1 / x, -pow(x, -2)},
        {"log10(x)", x, log10(x), 1 / (x * log(10)), -pow(x, -2) / log(10)},
        {"sqrt(x)", x, sqrt(x), 0.5 * pow(x, -0.5), -0.25 * pow(x, -1.5)},
        {"cbrt(x)", x, cbrt(x), pow(x, -2.0 / 3) / 3, -2 * pow(x, -5.0 / 3) / 9},
        {"cbrt(-x)", x, -cbrt(x), -pow(x, -2.0 / 3) / 3, 2 * pow(x, -5.0 / 3) / 9},
        {"1/x", x, 1 / x, -pow(x, -2), 2 * pow(x, -3)},
        {"x^2.7", x, pow(x, 2.7), 2.7 * pow(x, 1.7), 2.7 * 1.7 * pow(x, 0.7)},
        {"1.9^x", x, pow(1.9, x), log(1.9) * pow(1.9, x), log(1.9) * log(1.9) * pow(1.9, x)},
        {"x^x", x, pow(x, x), pow(x, x) * (1 + log(x)), pow(x, x) * (pow(1 + log(x), 2) + 1 / x)},
        {"hypot(x, 2.1)", x, hypot(x, 2.1), x / hypot(x, 2.1), 2.1 * 2.1 * pow(hypot(x, 2.1), -3)},
        {"atan2(x, 2.1)", x, atan(x / 2.1), 2.1 / (x * x + 4.41), -4.2 * x * pow(x * x + 4.41, -2)},
        {"atan2(2.1, x)", x, atan2(2.1, x), -2.1 / (x * x + 4.41), 4.2 * x * pow(x * x + 4.41, -2)},
        {"poly(x, 1.5, -2.5, 0.5, 3)", x, 1.5 + x * (-2.5 + x * (0.5 + 3 * x)),
         -2.5 + x * (1 + 9 * x), 1 + 18 * x},
        {"mod(5*x, 1)", x, 5 * x - 3, 5, 0},
        {"mod(7.5, x)", x, 7.5 - 10 * x, -10, 0},
        {"floor(5*x)", x, 3, 0, 0},
        {"ceil(5*x)", x, 4, 0, 0},
        {"sign(x)*x^3", x, x * x * x, 3 * x * x, 6 * x},
        {"table(x, 0,0, 1,1, 2,0)", x, 1.5 * x - 0.5 * x * x * x, 1.5 - 1.5 * x * x, -3 * x},
        {"table(x, 0,0, 1,1, 2,0)", -2.3, -1.5 * 2.3, 1.5, 0},
        {"step(x, 0, 0, 1, 1)", 0.25, 0.103515625, 1.0546875, 5.625},
        {"step(x, 0, 0, 1, 1)", 0, 0, 0, 0},
        {"step(x, 0, 0, 1, 1)", 1, 1, 0, 0},
        {"step(x, 0, 2.5, 1, 1)", 1.25, 1, 0, 0},
        {"x < 2", x, 1, 0, 0},
        {"not x", x, 0, 0, 0},
        {"x > 0 and x < 1 or x == 7", x, 1, 0, 0},
    };
    CHECK_JETS(*state, cases);
}

/* Large arguments of tanh: 1 - tanh^2 would be 0 long before 1/cosh^2 is. */
static void test_tanh_tail(void **state) {
    const hol__jet j = jet_of_x(*state, "tanh(x)", 25);
    assert_true(fabs(j.d1 / (4 * exp(-50.0)) - 1) < 1e-14);
    assert_true(fabs(j.d2 / (-8 * exp(-50.0)) - 1) < 1e-14);
}

/* Powers where x or the exponent is at an edge. */
static void test_powers(void **state) {
    static const jet_case cases[] = {
        {"x^0", 0, 1, 0, 0},
        {"x^1", 0, 0, 1, 0},
        {"x^2", 0, 0, 0, 2},
        {"x^3", 0, 0, 0, 0},
        {"x^4", 0, 0, 0, 0},
        {"x^5", 0, 0, 0, 0},
        {"x^1.5", 0, 0, 0, INFINITY},
        {"x^0.5", 0, 0, INFINITY, -INFINITY},
        {"x^2", -1.5, 2.25, -3, 2},
        {"x^3", -1.5, -3.375, 6.75, -9},
        {"x^4", -1.5, 5.0625, -13.5, 27},
        {"x^5", -1.5, -7.59375, 25.3125, -67.5},
        {"x^7", -0.5, -0.0078125, 0.109375, -1.3125},
        {"x^-1", -0.5, -2, -4, -16},
        {"x^-2", -0.5, 4, 16, 96},
        {"pow(x, 2)", 0, 0, 0, 2},
        {"pow(x, 1 + 1)", -1.5, 2.25, -3, 2},
        {"x^(y/y)", 0, 0, 1, 0},
        {"x^(2*y/y)", 0, 0, 0, 2},
        {"x^(0*y)", 0, 1, 0, 0},
        {"x^(3 + 0*y)", -1.5, -3.375, 6.75, -9},
        {"0^(x + 1)", 1, 0, 0, 0},
        {"x^2.5", -1.5, NAN, NAN, NAN},
    };
    CHECK_JETS(*state, cases);
}

/* At kinks the branch that the value comes from; nothing leaks from the other. */
static void test_branches(void **state) {
    const double x = 0.7312;
    const jet_case cases[] = {
        {"if(x > 0, sqrt(x), sqrt(-x))", x, sqrt(x), 0.5 / sqrt(x), -0.25 * pow(x, -1.5)},
        {"if(x > 0, sqrt(x), sqrt(-x))", -x, sqrt(x), -0.5 / sqrt(x), -0.25 * pow(x, -1.5)},
        {"x == 0 ? 1 : sin(x)/x", 0, 1, 0, 0},
        {"2.5*if(x == 0, 1, sin(x)/x) + x^2", 0, 2.5, 0, 2},
        {"if(x < 0, x^2, x^3)", -2, 4, -4, 2},
        {"if(x < 0, x^2, x^3)", 2, 8, 12, 12},
        {"if(log(y) > 0, x, x)", x, NAN, NAN, NAN},
        {"abs(x)", -x, x, -1, 0},
        {"abs(x)", 0, 0, 1, 0},
        {"x*abs(x)", -1.5, -2.25, 3, -2},
        {"x*abs(x)", 0, 0, 0, 2},
        {"min(x, 2*x)", 1.5, 1.5, 1, 0},
        {"min(x, 2*x)", -1.5, -3, 2, 0},
        {"max(x^2, x^3, 0.5)", 2, 8, 12, 12},
        {"max(x^2, x^3, 0.5)", -2, 4, -4, 2},
        {"clamp(x^2, 0, 1)", 0.5, 0.25, 1, 2},
        {"clamp(x^2, 0, 1)", 1.5, 1, 0, 0},
        {"clamp(x, 0, 1)", 1, 1, 1, 0},
        {"max(sqrt(x), 0)", -1, NAN, NAN, NAN},
    };
    CHECK_JETS(*state, cases);
}

/* A part that does not change contributes nothing, however singular it is. */
static void test_zero_stays_zero(void **state) {
    fixture *f = *state;
    const double in[N_INPUTS] = {0, -1.4861, 2.0973, 3.3317, -0.2954};
    static const char *const texts[] = {"sqrt(x) + y^2",     "cbrt(x) + y^2",
                                        "hypot(x, x) + y^2", "x^0.5 + y^2",
                                        "asin(x + 1) + y^2", "1/(x + 1e-320)^2 + y^2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double g[N_INPUTS], h[N_INPUTS * N_INPUTS];
        hol__expr *e = compile(f, texts[i]);
        double *scratch = new_scratch(e);
        hol__expr_hessian(e, in, g, h, scratch);
        assert_true(close_to(g[1], 2 * in[1], 1e-15));
        assert_true(h[N_INPUTS + 1] == 2 && h[1] == 0 && g[2] == 0);
        free(scratch);
    }
}

/* ---- several inputs: against differences ---- */

/* f'(s) by the central difference of sixth order; its error is h^6 f^(7)/140 + 2 eps |f|/h. */
static double difference(double (*f)(void *self, double s), void *self, double h) {
    return (45 * (f(self, h) - f(self, -h)) - 9 * (f(self, 2 * h) - f(self, -2 * h)) +
            (f(self, 3 * h) - f(self, -3 * h))) /
           (60 * h);
}

typedef struct probe {
    const hol__expr *e;
    const double *in;
    double *scratch;
    int along, entry; /* the input that is moved; the entry of the gradient, -1 for the value */
} probe;

static double probe_at(void *self, double s) {
    const probe *p = self;
    double in[N_INPUTS], g[N_INPUTS];
    memcpy(in, p->in, sizeof in);
    in[p->along] += s;
    if (p->entry < 0) return hol__expr_value(p->e, in, p->scratch);
    hol__expr_gradient(p->e, in, g, p->scratch);
    return g[p->entry];
}

/* Gradient against differences of the value, Hessian against differences of the gradient. With h =
 * 2e-3 the truncation is 5e-19 f^(7) and the rounding 2e-13 |f|; seventh derivatives here stay
 * below 1e6 |f|. */
static void check_differences(fixture *f, const char *text, const double *in) {
    const double h = 2e-3, tolerance = 1e-11;
    double g[N_INPUTS], g2[N_INPUTS], H[N_INPUTS * N_INPUTS];
    hol__expr *e = compile(f, text);
    double *scratch = new_scratch(e);
    const double value = hol__expr_value(e, in, scratch);
    assert_true(hol__expr_gradient(e, in, g, scratch) == value);
    assert_true(hol__expr_hessian(e, in, g2, H, scratch) == value);
    for (int i = 0; i < N_INPUTS; i++) {
        probe p = {e, in, scratch, i, -1};
        const double want = difference(probe_at, &p, h), scale = 1 + fabs(value) + fabs(want);
        assert_true(g[i] == g2[i]);
        if (!(fabs(g[i] - want) <= tolerance * scale))
            fail_msg("%s: df/d%s = %.15g, differences %.15g", text, input_names[i], g[i], want);
        for (int j = 0; j < N_INPUTS; j++) {
            p.entry = j;
            const double second = difference(probe_at, &p, h), got = H[i * N_INPUTS + j];
            assert_true(got == H[j * N_INPUTS + i]);
            if (!(fabs(got - second) <= tolerance * (scale + fabs(g[j]) + fabs(second))))
                fail_msg("%s: d2f/d%sd%s = %.15g, differences %.15g", text, input_names[i],
                         input_names[j], got, second);
        }
    }
    free(scratch);
}

static const char *const smooth_texts[] = {
    "x*y*z + t^2*tip.x",
    "k*(hypot(x - L1, y) - L2)",
    "atan2(y, x)*z - t",
    "(x + 3)^(y*z/4)",
    "exp(-x^2/2)*cos(z*t + tip.x)",
    "sin(x*y)/(2.3 + cos(z))",
    "x/(y*z)",
    "sqrt(x^2 + y^2 + z^2 + 0.3)",
    "tanh(x*y) + asin(tip.x/2)*acos(x/3) + atan(z*y)",
    "step(x*y, -4.2, z, 5.1, t^2)",
    "step(t, y, 1.5, 5*z, x)",
    "poly(x*y, z, t, tip.x, 1.7, x)",
    "table(x + y*z, -9,1, -2,3, 1.1,-2.5, 4,0.75, 8,2)",
    "log(x^2 + 2.1)*log10(z + 5) + cbrt(y - 4)",
    "sinh(x/2)*cosh(y/2) + tan(tip.x/3)",
    "if(x > y, sin(x)*y, log(z - 100))",
    "max(x, y - 9)*min(z, t + 9) + abs(y - 8)*clamp(x*y, -99, 99)",
    "mod(x*y + 0.5, 40)*z",
    "pow(t, 3)*pow(y, 4)*pow(z, -1)*pow(x - 5, 7)/1e5",
    "m*(x^2 + y^2)/2 + k*z^2/2 - m*9.81*t",
};

static void test_differences(void **state) {
    uint64_t random = 0x2545f4914f6cdd1du;
    for (size_t i = 0; i < sizeof smooth_texts / sizeof *smooth_texts; i++)
        for (int trial = 0; trial < 4; trial++) {
            const double in[N_INPUTS] = {uniform(&random, 0.4, 1.3), uniform(&random, -2.1, -0.9),
                                         uniform(&random, 1.1, 2.2), uniform(&random, 2.1, 3.4),
                                         uniform(&random, -0.8, 0.8)};
            check_differences(*state, smooth_texts[i], in);
        }
}

/* Along any curve f' = g.d1 and f'' = d1.H d1 + g.d2; both sides are exact up to rounding, and the
 * parts of the sum are at most 1e4 here. */
static void test_curve(void **state) {
    fixture *f = *state;
    uint64_t random = 0x853c49e6748fea9bu;
    for (size_t i = 0; i < sizeof smooth_texts / sizeof *smooth_texts; i++) {
        const double in[N_INPUTS] = {0.7312, -1.4861, 2.0973, 3.3317, -0.2954};
        double g[N_INPUTS], H[N_INPUTS * N_INPUTS], d1[N_INPUTS], d2[N_INPUTS];
        for (int k = 0; k < N_INPUTS; k++) {
            d1[k] = uniform(&random, -2, 2);
            d2[k] = uniform(&random, -3, 3);
        }
        hol__expr *e = compile(f, smooth_texts[i]);
        double *scratch = new_scratch(e);
        const double value = hol__expr_hessian(e, in, g, H, scratch);
        const hol__jet jet = hol__expr_jet(e, in, d1, d2, scratch);
        double first = 0, second = 0, size1 = 0, size2 = 0;
        for (int j = 0; j < N_INPUTS; j++) {
            first += g[j] * d1[j];
            second += g[j] * d2[j];
            size1 += fabs(g[j] * d1[j]);
            size2 += fabs(g[j] * d2[j]);
            for (int k = 0; k < N_INPUTS; k++) {
                second += H[j * N_INPUTS + k] * d1[j] * d1[k];
                size2 += fabs(H[j * N_INPUTS + k] * d1[j] * d1[k]);
            }
        }
        assert_true(jet.f == value);
        assert_true(fabs(jet.d1 - first) <= 1e-13 * (1 + size1));
        assert_true(fabs(jet.d2 - second) <= 1e-13 * (1 + size2));
        free(scratch);
    }
}

/* Expressions made at random, of functions that are smooth and bounded. */
static size_t write_smooth(char *text, size_t room, uint64_t *random, int depth) {
    static const char *const forms[] = {"sin(%s)",  "cos(%s - 0.3)",      "atan(%s)",
                                        "tanh(%s)", "sqrt((%s)^2 + 1.7)", "exp(sin(%s))",
                                        "(%s)/2.7"};
    static const char *const pairs[] = {"(%s) + (%s)",
                                        "(%s)*(%s)",
                                        "(%s) - (%s)",
                                        "(%s)/(2.9 + sin(%s))",
                                        "(1.6 + cos(%s))^sin(%s)",
                                        "atan2(%s, 3.2 + cos(%s))",
                                        "hypot(1.3 + %s, 4 + cos(%s))"};
    char a[1500], b[1500];
    if (depth == 0)
        return (size_t)snprintf(text, room, "%s", input_names[next_word(random) % N_INPUTS]);
    write_smooth(a, sizeof a, random, depth - 1);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (next_word(random) % 2) {
        write_smooth(b, sizeof b, random, depth - 1);
        return (size_t)snprintf(text, room, pairs[next_word(random) % 7], a, b);
    }
    return (size_t)snprintf(text, room, forms[next_word(random) % 7], a);
#pragma GCC diagnostic pop
}

static void test_random_differences(void **state) {
    uint64_t random = 0xda942042e4dd58b5u;
    char text[4000];
    for (int i = 0; i < 150; i++) {
        const double in[N_INPUTS] = {uniform(&random, 0.4, 1.3), uniform(&random, -1.1, -0.4),
                                     uniform(&random, 0.3, 1.2), uniform(&random, 0.1, 1.4),
                                     uniform(&random, -0.8, 0.8)};
        assert_true(write_smooth(text, sizeof text, &random, 1 + i % 3) < sizeof text);
        check_differences(*state, text, in);
    }
}

/* Inputs that are not read have derivative zero, and are not looked at. */
static void test_unread(void **state) {
    fixture *f = *state;
    const double in[N_INPUTS] = {NAN, 1.25, NAN, NAN, NAN}, bad[N_INPUTS] = {NAN, 2, NAN, NAN, NAN},
                 zero[N_INPUTS] = {0};
    double g[N_INPUTS], H[N_INPUTS * N_INPUTS];
    hol__expr *e = compile(f, "y^2");
    double *scratch = new_scratch(e);
    assert_true(hol__expr_hessian(e, in, g, H, scratch) == 1.5625);
    assert_true(g[0] == 0 && g[1] == 2.5 && g[4] == 0 && H[6] == 2 && H[0] == 0 && H[1] == 0);
    const hol__jet jet = hol__expr_jet(e, in, bad, zero, scratch);
    assert_true(jet.d1 == 5 && jet.d2 == 8);
    free(scratch);
    /* a constant reads nothing at all */
    e = compile(f, "2.5*pi");
    memset(g, 0x7f, sizeof g);
    assert_true(hol__expr_gradient(e, NULL, g, NULL) == 2.5 * PI && g[0] == 0 && g[4] == 0);
    assert_true(hol__expr_hessian(e, NULL, g, H, NULL) == 2.5 * PI && H[24] == 0);
    assert_true(hol__expr_jet(e, NULL, NULL, NULL, NULL).d2 == 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        TEST(test_formulas), TEST(test_tanh_tail),          TEST(test_powers),
        TEST(test_branches), TEST(test_zero_stays_zero),    TEST(test_differences),
        TEST(test_curve),    TEST(test_random_differences), TEST(test_unread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
