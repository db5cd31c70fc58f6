/* test_symbolic.c: the algebra of formulas: numbers, normal forms, derivatives against differences,
 * simplification at random points, text and LaTeX. */
#include "common.h"
#include "symbolic/sym.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SYMBOLS = 6, MOST = 400000 };

static hol_context *ctx;
static hol__algebra *a;
static hol__sym x, y, l, m, phi, v;

static int open_algebra(void **state) {
    (void)state;
    ctx = hol_context_new();
    a = hol__algebra_new(ctx, MOST);
    assert_non_null(a);
    l = hol__sym_new(a, "l", NULL, HOL__SYM_PARAMETER);
    m = hol__sym_new(a, "m1", NULL, HOL__SYM_PARAMETER);
    x = hol__sym_new(a, "x", NULL, HOL__SYM_COORDINATE);
    y = hol__sym_new(a, "y", NULL, HOL__SYM_COORDINATE);
    phi = hol__sym_new(a, "phi", NULL, HOL__SYM_COORDINATE);
    v = hol__sym_new(a, "phi'", "\\dot{\\varphi}", HOL__SYM_VELOCITY);
    a->symbols[l->symbol].positive = a->symbols[m->symbol].positive = 1;
    return 0;
}

static int close_algebra(void **state) {
    (void)state;
    hol__algebra_free(a);
    hol_context_free(ctx);
    return 0;
}

/* ---- random numbers and expressions ---- */

static unsigned seed = 20250;

static double uniform(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 16777216.0;
}

static int below(int n) {
    return (int)(uniform() * n) % n;
}

static double values[64];

static void draw_values(void) {
    for (int i = 0; i < a->n_symbols; i++) values[i] = 0.3 + 1.7 * uniform();
    values[a->pi->symbol] = acos(-1.0);
}

static double value_of(hol__sym e) {
    double *work = malloc(sizeof *work * (size_t)a->n_nodes);
    const double out = hol__sym_value(a, e, values, work);
    free(work);
    return out;
}

/* An expression that is defined where all symbols are positive. */
static hol__sym draw(int depth) {
    const hol__sym symbols[SYMBOLS] = {x, y, l, m, phi, v};
    static const hol__sym_function smooth[] = {HOL__SYM_SIN,  HOL__SYM_COS,  HOL__SYM_SIN,
                                               HOL__SYM_COS,  HOL__SYM_TANH, HOL__SYM_ATAN,
                                               HOL__SYM_SINH, HOL__SYM_COSH};
    if (depth == 0)
        return below(3) ? symbols[below(SYMBOLS)] : hol__sym_number(a, below(9) * 0.5 - 2);
    const hol__sym p = draw(depth - 1), q = draw(depth - 1);
    switch (below(7)) {
    case 0: return hol__sym_add(a, p, q);
    case 1: return hol__sym_sub(a, p, q);
    case 2: return hol__sym_mul(a, p, q);
    case 3: return hol__sym_div(a, p, hol__sym_add(a, a->two, hol__sym_square(a, q)));
    case 4: return hol__sym_power(a, p, hol__sym_integer(a, 1 + below(3)));
    case 5: return hol__sym_sqrt(a, hol__sym_add(a, a->one, hol__sym_square(a, p)));
    default: return hol__sym_call(a, smooth[below(8)], p, NULL);
    }
}

static char *text_of(hol__sym e, int latex) {
    static char out[4][2000];
    static int k;
    hol__text text;
    hol__text_init(&text, ctx);
    hol__sym_write(a, e, latex, &text);
    char *to = out[k++ % 4];
    snprintf(to, sizeof out[0], "%s", text.data ? text.data : "");
    hol__text_free(&text);
    return to;
}

/* ---- tests ---- */

static void numbers(void **state) {
    (void)state;
    char buf[64];
    const hol__exact g = hol__exact_of(9.81), third = hol__exact_fraction(1, 3);
    assert_string_equal(hol__exact_text(g, buf, sizeof buf), "9.81");
    assert_string_equal(hol__exact_text(hol__exact_mul(g, hol__exact_of(0.5)), buf, sizeof buf),
                        "4.905");
    /* 0.1 + 0.2 is 0.3 */
    assert_true(hol__exact_same(hol__exact_add(hol__exact_of(0.1), hol__exact_of(0.2)),
                                hol__exact_of(0.3)));
    assert_true(hol__exact_same(hol__exact_add(third, hol__exact_fraction(1, 6)),
                                hol__exact_fraction(1, 2)));
    /* too large for fractions: reals, and the value stays */
    hol__exact big = hol__exact_of(9.81);
    for (int i = 0; i < 20; i++) big = hol__exact_mul(big, g);
    assert_true(fabs(hol__exact_value(big) / pow(9.81, 21) - 1) < 1e-14);
    assert_true(hol__exact_of(1.0 / 7).d == 7);
}

static void normal_forms(void **state) {
    (void)state;
    const hol__sym s = hol__sym_sin(a, x), c = hol__sym_cos(a, x);
    assert_ptr_equal(hol__sym_add(a, x, y), hol__sym_add(a, y, x));
    assert_ptr_equal(hol__sym_sub(a, x, x), a->zero);
    assert_ptr_equal(hol__sym_mul(a, x, hol__sym_power(a, x, a->minus_one)), a->one);
    assert_ptr_equal(hol__sym_square(a, hol__sym_sqrt(a, y)), y);
    assert_ptr_equal(hol__sym_sqrt(a, hol__sym_square(a, l)), l);
    assert_ptr_not_equal(hol__sym_sqrt(a, hol__sym_square(a, x)), x); /* x may be negative */
    assert_ptr_equal(hol__sym_sin(a, hol__sym_neg(a, x)), hol__sym_neg(a, s));
    assert_ptr_equal(hol__sym_cos(a, hol__sym_neg(a, x)), c);
    const hol__sym quarter = hol__sym_mul(a, a->half, a->pi);
    assert_ptr_equal(hol__sym_sin(a, hol__sym_add(a, x, quarter)), c);
    assert_ptr_equal(hol__sym_cos(a, hol__sym_sub(a, x, a->pi)), hol__sym_neg(a, c));
    assert_ptr_equal(hol__sym_cos(a, hol__sym_div(a, a->pi, hol__sym_integer(a, 3))), a->half);
}

/* Pairs that are equal, and become the same. */
static void identities(void **state) {
    (void)state;
    const hol__sym s = hol__sym_sin(a, x), c = hol__sym_cos(a, x), u = hol__sym_sin(a, y),
                   w = hol__sym_cos(a, y);
    assert_ptr_equal(
        hol__sym_shorten(a, hol__sym_add(a, hol__sym_square(a, s), hol__sym_square(a, c))), a->one);
    assert_ptr_equal(
        hol__sym_shorten(a, hol__sym_add(a, hol__sym_mul(a, s, u), hol__sym_mul(a, c, w))),
        hol__sym_cos(a, hol__sym_sub(a, x, y)));
    /* (x + y)^2 - x^2 - 2 x y - y^2 */
    const hol__sym terms[4] = {hol__sym_square(a, hol__sym_add(a, x, y)),
                               hol__sym_neg(a, hol__sym_square(a, x)),
                               hol__sym_mul(a, hol__sym_integer(a, -2), hol__sym_mul(a, x, y)),
                               hol__sym_neg(a, hol__sym_square(a, y))};
    assert_ptr_equal(hol__sym_shorten(a, hol__sym_sum(a, 4, terms)), a->zero);
    /* m l^2 + x l^2 = l^2 (m + x) */
    const hol__sym l2 = hol__sym_square(a, l);
    assert_ptr_equal(
        hol__sym_shorten(a, hol__sym_add(a, hol__sym_mul(a, m, l2), hol__sym_mul(a, x, l2))),
        hol__sym_mul(a, l2, hol__sym_add(a, m, x)));
}

/* Every form has the value of the expression: to the rounding of its terms. */
static void forms_keep_values(void **state) {
    (void)state;
    int n = 0;
    for (int k = 0; k < 600; k++) {
        const hol__sym e = draw(1 + k % 4);
        if (!e || e->operations > 120) continue;
        const hol__sym wide = hol__sym_expand(a, e);
        const hol__sym forms[] = {wide,
                                  hol__sym_single_angles(a, wide),
                                  hol__sym_pythagoras(a, wide, HOL__SYM_SIN),
                                  hol__sym_pythagoras(a, wide, HOL__SYM_COS),
                                  hol__sym_factor(a, wide),
                                  hol__sym_shorten(a, e)};
        assert_int_equal(a->status, HOL_OK);
        for (int p = 0; p < 3; p++) {
            draw_values();
            const double right = value_of(e);
            if (!isfinite(right)) continue;
            for (int i = 0; i < 6; i++) {
                const double got = value_of(forms[i]);
                if (!(fabs(got - right) <= 1e-9 * (1 + fabs(right))))
                    fail_msg("%s is %.17g, as %s %.17g", text_of(e, 0), right, text_of(forms[i], 0),
                             got);
                n++;
            }
        }
        assert_true(hol__sym_shorten(a, e)->operations <= e->operations);
    }
    print_message("%d values of forms\n", n);
    assert_true(n > 5000);
}

/* Derivatives are those of central differences of order four. */
static void derivatives(void **state) {
    (void)state;
    int n = 0;
    for (int k = 0; k < 400; k++) {
        const hol__sym e = draw(1 + k % 4), d = hol__sym_derivative(a, e, x);
        static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
        const double h = 1e-3;
        draw_values();
        const double x0 = values[x->symbol], size = fabs(value_of(e)), got = value_of(d);
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            values[x->symbol] = x0 + at[i] * h;
            sum += weight[i] * value_of(e) / (12 * h);
        }
        if (!isfinite(sum) || size > 1e4 || fabs(got) > 1e4) continue;
        n++;
        if (!(fabs(got - sum) <= 1e-5 * (1 + fabs(got) + size)))
            fail_msg("d/dx %s is %.10g, by differences %.10g", text_of(e, 0), got, sum);
    }
    print_message("%d derivatives\n", n);
    assert_true(n > 200);
}

static void replacement(void **state) {
    (void)state;
    hol__sym by[64] = {NULL};
    by[x->symbol] = hol__sym_mul(a, l, hol__sym_cos(a, phi));
    by[y->symbol] = hol__sym_mul(a, l, hol__sym_sin(a, phi));
    const hol__sym r = hol__sym_add(a, hol__sym_square(a, x), hol__sym_square(a, y));
    assert_ptr_equal(hol__sym_shorten(a, hol__sym_sqrt(a, hol__sym_replace(a, r, by))), l);
}

static void texts(void **state) {
    (void)state;
    const hol__sym third = hol__sym_fraction(a, 1, 3);
    const hol__sym M[3] = {third, m, hol__sym_square(a, l)};
    const hol__sym inertia = hol__sym_product(a, 3, M);
    assert_string_equal(text_of(inertia, 0), "l^2*m1/3");
    assert_string_equal(text_of(inertia, 1), "\\frac{l^{2}\\,m_{1}}{3}");
    assert_string_equal(text_of(hol__sym_sub(a, x, hol__sym_sin(a, phi)), 0), "x - sin(phi)");
    assert_string_equal(text_of(hol__sym_square(a, v), 0), "phi'^2");
    assert_string_equal(text_of(hol__sym_square(a, hol__sym_cos(a, phi)), 1),
                        "\\cos^{2}\\left(\\varphi\\right)");
    assert_string_equal(
        text_of(hol__sym_div(a, hol__sym_add(a, x, y), hol__sym_mul(a, l, hol__sym_sqrt(a, m))), 0),
        "(x + y)/(l*sqrt(m1))");
    assert_string_equal(text_of(hol__sym_neg(a, hol__sym_div(a, x, l)), 1), "-\\frac{x}{l}");
    assert_string_equal(text_of(hol__sym_power(a, hol__sym_neg(a, x), a->half), 0), "sqrt(-x)");
    assert_string_equal(text_of(hol__sym_power(a, x, y), 1), "x^{y}");
    assert_string_equal(text_of(hol__sym_mul(a, hol__sym_number(a, 1.5e-5), x), 1),
                        "1.5 \\cdot 10^{-5}\\,x");
}

static void names(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"l", "l"},
                                           {"omega", "\\omega"},
                                           {"omega0", "\\omega_{0}"},
                                           {"m1", "m_{1}"},
                                           {"start", "\\mathrm{start}"},
                                           {"l_rod", "l_{\\mathrm{rod}}"},
                                           {"k2_left", "k_{2,\\mathrm{left}}"},
                                           {"a_b", "a_{b}"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        hol__text text;
        hol__text_init(&text, ctx);
        hol__latex_name(pairs[i][0], &text);
        assert_string_equal(text.data, pairs[i][1]);
        hol__text_free(&text);
    }
}

/* An algebra that is full says so and hands NULL on. */
static void room(void **state) {
    (void)state;
    hol__algebra *small = hol__algebra_new(ctx, 60);
    const hol__sym p = hol__sym_new(small, "p", NULL, HOL__SYM_OTHER);
    hol__sym e = p;
    for (int i = 0; i < 50; i++)
        e = hol__sym_add(small, hol__sym_square(small, e), hol__sym_sin(small, e));
    assert_null(e);
    assert_int_equal(small->status, HOL_ERR_ARGUMENT);
    assert_null(hol__sym_shorten(small, e));
    assert_null(hol__sym_mul(small, p, p));
    hol__algebra_free(small);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),     cmocka_unit_test(normal_forms),
        cmocka_unit_test(identities),  cmocka_unit_test(forms_keep_values),
        cmocka_unit_test(derivatives), cmocka_unit_test(replacement),
        cmocka_unit_test(texts),       cmocka_unit_test(names),
        cmocka_unit_test(room),
    };
    return cmocka_run_group_tests(tests, open_algebra, close_algebra);
}
