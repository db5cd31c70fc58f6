/* test_sdirk_tables.c: every diagonally implicit table against the order conditions. All stages
 * are of second order, sum_j a_ij c_j = c_i^2/2, so that of the conditions up to order 4 there
 * remain those of quadrature, sum w_i c_i^k = s^(k+1)/(k+1) for k < 4, and sum w_i a_ij c_j^2 =
 * s^4/12.
 * 
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "integ/sdirk.h"

enum { MOST = 8 };

/* Numbers of size up to 17 and 16 digits: 17 times 4 eps. */
static const double MET = 2e-14, NOT_MET = 1e-3;

/* The whole matrix. */
static void expand(const hol__sdirk_table *t, double a[MOST][MOST]) {
    for (int i = 0; i < t->stages; i++)
        for (int j = 0; j < t->stages; j++)
            a[i][j] = t->a[i * t->stages + j] + (i == j && i > 0 ? t->gamma : 0);
}

/* The k-th formula; NULL past the end. */
static const hol__stepper_type *get(int k) {
    const hol__stepper_type *type;
    for (int i = 0; (type = hol__stepper_get(i)); i++)
        if (type->ops == &hol__sdirk && k-- == 0) return type;
    return NULL;
}

/* The largest residual of the conditions of an order for weights w at s; rhs 0: of an estimate. */
static double worst(const hol__sdirk_table *t, const double *w, int order, double s, double rhs) {
    double a[MOST][MOST], sum = -rhs * pow(s, order) / order, most;
    expand(t, a);
    for (int i = 0; i < t->stages; i++) sum += w[i] * pow(t->c[i], order - 1);
    most = fabs(sum);
    if (order != 4) return most;
    sum = -rhs * pow(s, 4) / 12;
    for (int i = 0; i < t->stages; i++)
        for (int j = 0; j < t->stages; j++) sum += w[i] * a[i][j] * t->c[j] * t->c[j];
    return fmax(most, fabs(sum));
}

static void check(const hol__sdirk_table *t, const double *w, int order, double s, double rhs) {
    for (int p = 1; p <= order; p++) assert_true(worst(t, w, p, s, rhs) < MET);
    if (order < 4) assert_true(worst(t, w, order + 1, s, rhs) > NOT_MET);
}

/* Stages of second order, strictly lower tables, the last stage at the end. */
static void test_shape(void **state) {
    const hol__stepper_type *type;
    (void)state;
    assert_non_null(get(0));
    for (int k = 0; (type = get(k)); k++) {
        const hol__sdirk_table *t = type->table;
        double a[MOST][MOST];
        expand(t, a);
        assert_true(type->implicit && type->iterates);
        for (int i = 0; i < t->stages; i++) {
            double one = 0, two = 0;
            for (int j = 0; j < t->stages; j++) one += a[i][j], two += a[i][j] * t->c[j];
            assert_true(fabs(one - t->c[i]) < MET && fabs(two - t->c[i] * t->c[i] / 2) < MET);
            for (int j = i; j < t->stages; j++) assert_true(t->a[i * t->stages + j] == 0);
        }
        assert_true(t->c[0] == 0 && t->c[t->stages - 1] == 1);
    }
}

/* b is the last row; at order 5 sum b c^4 = 1/5 is not met. */
static void test_orders(void **state) {
    const hol__stepper_type *type;
    (void)state;
    for (int k = 0; (type = get(k)); k++) {
        const hol__sdirk_table *t = type->table;
        double a[MOST][MOST];
        expand(t, a);
        const double *b = a[t->stages - 1];
        check(t, b, type->order, 1, 1);
        assert_true(worst(t, b, type->order + 1, 1, 1) > NOT_MET);
        check(t, t->e, type->error_order, 1, 0);
    }
}

static void test_dense_orders(void **state) {
    static const double points[] = {0.137, 0.318, 0.5, 0.7431, 0.912};
    const hol__stepper_type *type;
    (void)state;
    for (int k = 0; (type = get(k)); k++) {
        const hol__sdirk_table *t = type->table;
        double a[MOST][MOST];
        expand(t, a);
        for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
            const double s = points[i], r = 1 - s;
            double w[MOST];
            for (int j = 0; j < t->stages; j++)
                w[j] = s * s * (1 + 2 * r) * a[t->stages - 1][j] +
                       s * r * (t->d1[j] * (1 - 2 * s) - t->d2[j] * s);
            for (int p = 1; p <= type->dense_order; p++) assert_true(worst(t, w, p, s, 1) < MET);
            assert_true(t->d1[0] == 0 && t->d2[0] == 0); /* without the slope at the start */
        }
    }
}

/* L-stable: with z to infinity the last of (I - z A) Y = 1 goes as 1/z, for some z of the axis
 * and left of it |Y_s| <= 1; real z is enough for the first, z = i w for the second. */
static void test_stability(void **state) {
    const hol__stepper_type *type;
    (void)state;
    for (int k = 0; (type = get(k)); k++) {
        const hol__sdirk_table *t = type->table;
        double a[MOST][MOST];
        expand(t, a);
        for (double w = 1e-3; w < 1e9; w *= 1.7) {
            double re[MOST], im[MOST]; /* Y for z = i w: Y_i (1 - i w g) = 1 + i w sum a_ij Y_j */
            double x[MOST];            /* and for z = -w */
            for (int i = 0; i < t->stages; i++) {
                const double g = i ? t->gamma : 0;
                double p = 1, q = 0, s = 1;
                for (int j = 0; j < i; j++) {
                    p -= w * a[i][j] * im[j];
                    q += w * a[i][j] * re[j];
                    s -= w * a[i][j] * x[j];
                }
                const double d = 1 + w * w * g * g;
                re[i] = (p - q * w * g) / d;
                im[i] = (q + p * w * g) / d;
                x[i] = s / (1 + w * g);
            }
            const int last = t->stages - 1;
            assert_true(hypot(re[last], im[last]) < 1 + 1e-12);
            assert_true(fabs(x[last]) < fmin(1, 100 / w) + 1e-12);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_dense_orders),
        cmocka_unit_test(test_stability),
    };
    return cmocka_run_group_tests_name("sdirk_tables", tests, NULL, NULL);
}
