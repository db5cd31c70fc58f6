/* test_expr_range.c: the values of an expression over a span of time lie in the interval that is
 * computed for them, which is as narrow as the span where nothing makes it wide; and no instant at
 * which a law of time changes its branch is passed over or invented.
 */
#include "expr_fixture.h"

#include "base/expr_internal.h"

/* The interval of the values of e over the times x (input 0). */
static hol__range range_of(const hol__expr *e, double low, double high) {
    double *r = calloc(2 * (size_t)e->n_registers + 2, sizeof *r);
    const hol__range x = {low, high};
    hol__expr_run_range(e, e->n_code, x, r);
    const hol__range f = hol__expr_range_operand(e, e->result, x, r);
    free(r);
    return f;
}

/* ---- intervals ---- */

typedef struct law {
    const char *text;
    double low, high; /* where it is looked at */
    double steepest;  /* |df/dx| there; 0: it jumps, or a sharp interval is not promised */
} law;

#define TABLE_X "0,0.3, 0.7,1.9, 1.6,-0.4, 2.9,0.8, 3.3,0.7"

/* clang-format off */
static const law laws[] = {
    {"-x", -3, 3, 1},               {"x*1.7 - 0.3", -3, 3, 1.7},    {"0.4/(x + 4)", -3, 3, 0.4},
    {"1/x", -2, 2, 0},              {"sin(3*x)", -7, 7, 3},         {"cos(2*x + 0.4)", -9, 9, 2},
    {"sin(1e6*x)", 0, 5, 1e6},      {"tan(x)", -1.4, 1.4, 35},      {"tan(x)", -4, 4, 0},
    {"asin(x/3)", -2.9, 2.9, 1.4},  {"acos(x/3)", -2.9, 2.9, 1.4},  {"atan(x)", -5, 5, 1},
    {"sinh(x)", -2, 2, 3.8},        {"cosh(x)", -2, 2, 3.7},        {"tanh(x)", -4, 4, 1},
    {"exp(x)", -3, 2, 7.4},         {"log(x + 4)", -3, 3, 1},       {"log10(x + 4)", -3, 3, 0.44},
    {"sqrt(x + 4)", -3, 3, 0.51},   {"cbrt(x)", -3, 3, 0},          {"abs(x)", -3, 3, 1},
    {"sign(x)", -2, 2, 0},          {"floor(x)", -3, 3, 0},         {"ceil(x)", -3, 3, 0},
    {"step(x, -1, 0.2, 1, 0.9)", -3, 3, 0.7},
    {"table(x, " TABLE_X ")", -0.5, 4, 6},
    {"x^2", -3, 3, 6},              {"x^3", -3, 3, 27},             {"x^(-2)", -3, 3, 0},
    {"(x + 4)^1.7", -3, 3, 7},      {"1.3^x", -3, 3, 0.6},          {"(x + 4)^(x/3)", -3, 3, 0},
    {"x^0", -1, 1, 0},              {"atan2(x, 2)", -3, 3, 0.51},   {"atan2(2, x)", -3, 3, 0},
    {"atan2(x, x - 1)", -3, 3, 0},  {"hypot(x, 1.3)", -3, 3, 1},    {"mod(x, 0.75)", -3, 3, 0},
    {"mod(x, -0.5)", -3, 3, 0},     {"mod(x, x + 4)", -3, 3, 0},    {"min(x, 0.4)", -3, 3, 1},
    {"max(x, sin(x))", -3, 3, 1},   {"x < 0.3", -3, 3, 0},          {"x <= 0.3", -3, 3, 0},
    {"x > 0.3", -3, 3, 0},          {"floor(x) == 1", -3, 3, 0},    {"floor(x) != 1", -3, 3, 0},
    {"x > -1 && x < 1", -3, 3, 0},  {"x < -1 || x > 1", -3, 3, 0},  {"!(x > 1)", -3, 3, 0},
    {"x > 1 ? x^2 : 2 - x", -3, 3, 6},
    {"if(sin(4*x) > 0.2, 3*x, mod(x, 1))", -3, 3, 0},
    {"x*x - x", -3, 3, 13},         {"x*y", -3, 3, 0},              {"sqrt(x)", -3, -1, 0},
    {"log(x)", -1, 2, 0},           {"exp(800*x)", -3, 3, 0},       {"2.385", -3, 3, 1},
};
/* clang-format on */

/* The value at x is in the interval, unless it is not a number. */
static void check_inside(const law *l, const hol__expr *e, double x, hol__range f,
                         double *scratch) {
    const double in[N_INPUTS] = {x, 1.9, 0, 0, 0}, value = hol__expr_value(e, in, scratch);
    if (!(value < f.low || value > f.high)) return;
    fail_msg("%s at %.17g: %.17g is not in [%.17g, %.17g]", l->text, x, value, f.low, f.high);
}

static void test_values_are_inside(void **state) {
    fixture *f = *state;
    uint64_t seed = 271828;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        const law *l = &laws[i];
        const hol__expr *e = compile(f, l->text);
        double *scratch = new_scratch(e);
        for (int k = 0; k < 400; k++) {
            /* spans of all lengths, some of which begin and end at quarters */
            const double size = l->high - l->low, length = size * pow(10, -uniform(&seed, 0, 12));
            double low = uniform(&seed, l->low, l->high - length), high = low + length;
            if (k % 4 == 0) low = floor(4 * low) / 4, high = ceil(4 * high) / 4;
            const hol__range range = range_of(e, low, high);
            assert_true(range.low <= range.high);
            for (int j = 0; j < 40; j++)
                check_inside(l, e, uniform(&seed, low, high), range, scratch);
            check_inside(l, e, low, range, scratch);
            check_inside(l, e, high, range, scratch);
        }
        free(scratch);
    }
}

/* No wider than the steepest slope times the span, twice where x stands twice, and rounding. */
static void test_intervals_are_narrow(void **state) {
    fixture *f = *state;
    uint64_t seed = 314159;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        const law *l = &laws[i];
        const hol__expr *e = compile(f, l->text);
        for (int k = 0; k < 100 && l->steepest > 0; k++) {
            const double length = 1e-3 * pow(10, -uniform(&seed, 0, 5)),
                         low = uniform(&seed, l->low, l->high - length);
            const hol__range range = range_of(e, low, low + length);
            if (!(range.high - range.low <= 2 * l->steepest * length + 1e-13))
                fail_msg("%s over %g from %g: [%.17g, %.17g]", l->text, length, low, range.low,
                         range.high);
        }
    }
}

/* ---- instants ---- */

/* A law of time, and when one of its switches changes between 0 and 3: first, then after the two
 * gaps in turn, up to the last. */
typedef struct clock_law {
    const char *text;
    int k;
    double first, gaps[2], last;
} clock_law;

static const clock_law clocks[] = {
    {"floor(4*x)", 0, 0.25, {0.25, 0.25}, 3},
    {"ceil(4*x - 0.5)", 0, 0.125, {0.25, 0.25}, 3},
    {"mod(x, 0.3)", 0, 0.3, {0.3, 0.3}, 3},
    {"mod(x, -0.3)", 0, 0.3, {0.3, 0.3}, 3},
    {"mod(x, -0.5) < -0.2", 1, 0.3, {0.2, 0.3}, 3}, /* -0.5 to 0, and at once back */
    {"sign(sin(5*x + 1))", 0, 0.42831853071795865, {0.6283185307179586, 0.6283185307179586}, 3},
    {"abs(cos(5*x))", 0, 0.3141592653589793, {0.6283185307179586, 0.6283185307179586}, 3},
    {"min(x, 1.3)", 0, 1.3, {0.1, 0.1}, 1.3},
    {"max(2*x, 2.9)", 0, 1.45, {0.1, 0.1}, 1.45},
    {"x < 0.7", 0, 0.7, {0.1, 0.1}, 0.7},
    {"x <= 0.7", 0, 0.7, {0.1, 0.1}, 0.7},
    {"step(x, 0.4, 0, 1.1, 1)", 0, 0.4, {0.7, 0.7}, 1.1},
    {"table(x, 0.5,1, 1,2, 1.5,-1, 2,0, 2.5,1)", 0, 0.5, {0.5, 0.5}, 2.5},
    {"step(cos(2*x), 5, 0, 6, 1)", 0, 1, {1, 1}, 0},
};

/* The next instant after `from`; whether there is one before the end. */
enum { LOOKS = 200 }; /* as a run does */

static int next(const hol__expr *e, int k, double from, double end, hol__instant *search) {
    double in[N_INPUTS] = {0}, *scratch = calloc(2 * (size_t)e->n_registers + 64, sizeof *scratch);
    *search = (hol__instant){.clear = from};
    for (int i = 0; i < 1000 && !search->found && search->clear < end; i++)
        hol__expr_next_instant(e, k, end, LOOKS, search, in, scratch);
    free(scratch);
    return search->found;
}

static void test_instants(void **state) {
    fixture *f = *state;
    const double end = 3.01;
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        const clock_law *c = &clocks[i];
        const hol__expr *e = compile(f, c->text);
        hol__instant found = {.high = 1e-3};
        double expected = c->first;
        assert_true(hol__expr_timed(e) > c->k);
        for (int n = 0; expected < c->last + 1e-9; expected += c->gaps[n++ % 2]) {
            if (!next(e, c->k, found.high, end, &found))
                fail_msg("%s: the change at %.17g was passed over", c->text, expected);
            /* the gaps add up to rounding; low and high are neighbours */
            if (!(fabs(found.low - expected) < 1e-13 && fabs(found.high - expected) < 1e-13 &&
                  found.low < found.high))
                fail_msg("%s: changes at %.17g, found [%.17g, %.17g]", c->text, expected, found.low,
                         found.high);
        }
        if (next(e, c->k, found.high, end, &found))
            fail_msg("%s: no change at %.17g", c->text, found.low);
    }
}

/* ---- cells ---- */

typedef struct border {
    const char *text;
    double low, high, at; /* two values of g on both sides, and the boundary between them */
    int smooth, pieces;
} border;

static const border borders[] = {
    {"floor(y)", 1.4, 2.2, 2, 0, 0},
    {"ceil(y)", 1.4, 2.2, 2, 0, 0},
    {"mod(y, 0.5)", 1.4, 2.2, 2, 0, 0}, /* g = y/0.5 */
    {"abs(y)", -0.7, 0.2, 0, 0, 0},
    {"sign(y)", -0.7, 0.2, 0, 0, 0},
    {"y < z", -0.7, 0.2, 0, 0, 0},
    {"step(y, 0, 2, 1, 3)", -0.7, 0.2, 0, 1, 1},
    {"step(y, 0, 2, 1, 3)", 0.7, 1.2, 1, 1, 1},
    {"table(y, 0.5,1, 1,2, 1.5,-1)", 0.7, 1.2, 1, 1, 1},
    {"table(y, 0.5,1, 1,2, 1.5,-1)", 0.2, 0.7, 0.5, 1, 1},
    {"table(y, 0.5,1, 1,2, 1.5,-1)", 1.2, 8, 1.5, 1, 1},
};

/* The boundary is found from both sides, and a value that is not a number lies with 0. */
static void test_boundaries(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
        const border *b = &borders[i];
        const hol__expr *e = compile(f, b->text);
        assert_int_equal(hol__expr_recorded(e), 1);
        assert_int_equal(hol__expr_timed(e), 0);
        const hol__cells *cells = hol__expr_recorded_cells(e, 0);
        assert_true(hol__cell(cells, b->low) < hol__cell(cells, b->high));
        assert_true(hol__cell(cells, NAN) == hol__cell(cells, 0));
        if (!(hol__cell_boundary(cells, b->low, b->high) == b->at &&
              hol__cell_boundary(cells, b->high, b->low) == b->at))
            fail_msg("%s: boundaries at %g and %g, not %g", b->text,
                     hol__cell_boundary(cells, b->low, b->high),
                     hol__cell_boundary(cells, b->high, b->low), b->at);
        assert_int_equal(hol__cells_are_smooth(cells), b->smooth);
        assert_int_equal(hol__cells_are_pieces(cells), b->pieces);
    }
}

/* What is said of a law that is not smooth. */
static void test_kinks(void **state) {
    static const struct kink {
        const char *text, *word;
    } kinks[] = {
        {"abs(x)", "abs"},
        {"sign(x)", "sign"},
        {"floor(x)", "floor"},
        {"ceil(x)", "ceil"},
        {"mod(x, 2)", "mod"},
        {"min(x, 1)", "min"},
        {"max(x, 1)", "max"},
        {"!x", "a condition"},
        {"x < 1", "a condition"},
        {"x <= 1", "a condition"},
        {"x == 1", "a condition"},
        {"x != 1", "a condition"},
        {"x && y", "a condition"},
        {"x || y", "a condition"},
        {"x ? y : 1", "a condition"},
        {"table(x, 0,0, 1,1)", NULL},
        {"sin(x)*step(y, 0, 0, 1, 1)", NULL},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof kinks / sizeof *kinks; i++) {
        const char *word = hol__expr_kink(compile(f, kinks[i].text));
        if (kinks[i].word ? !word || strcmp(word, kinks[i].word) : word != NULL)
            fail_msg("%s: %s", kinks[i].text, word ? word : "smooth");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values_are_inside, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(test_intervals_are_narrow, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(test_instants, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(test_boundaries, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(test_kinks, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
