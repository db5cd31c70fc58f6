/* test_gauge.c: the smallest share of a row that is independent of the others, against definitions.
 *
 * Two rows at an angle: the share is its sine, whatever their lengths. Random rows: the product of
 * all pivots is the Gram determinant, so that the shares multiply to the volume of the unit rows.
 * With a row twice, the share is the smallest singular value that is not zero.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "common.h"

#include "la/dense.h"
#include "la/gauge.h"

#include <math.h>
#include <string.h>

typedef struct rig {
    hol_context *ctx;
    hol__arena arena;
    hol__csr A;
    double length[16], weight[16];
} rig;

/* A full m x n matrix with the values x, metric 1, rows by their own lengths. */
static rig rig_open(int m, int n, const double *x) {
    rig r = {.ctx = hol_context_new()};
    hol__arena_init(&r.arena, r.ctx);
    r.A = (hol__csr){.rows = m,
                     .cols = n,
                     .ptr = HOL__NEW_N(&r.arena, int, m + 1),
                     .idx = HOL__NEW_N(&r.arena, int, m *n),
                     .x = HOL__NEW_N(&r.arena, double, m *n)};
    for (int i = 0; i < m; i++) {
        double square = 0;
        r.A.ptr[i + 1] = (i + 1) * n;
        for (int k = 0; k < n; k++) {
            r.A.idx[i * n + k] = k;
            r.A.x[i * n + k] = x[i * n + k];
            square += x[i * n + k] * x[i * n + k];
        }
        r.length[i] = sqrt(square);
    }
    for (int k = 0; k < n; k++) r.weight[k] = 1;
    return r;
}

static void rig_close(rig *r) {
    hol__arena_free(&r->arena);
    hol_context_free(r->ctx);
}

static double read(rig *r, int rank) {
    double share = -1;
    hol__gauge *gauge = hol__gauge_new(&r->arena, &r->A, r->weight, rank);
    assert_non_null(gauge);
    assert_int_equal(hol__gauge_read(gauge, &r->A, r->length, &share), HOL_OK);
    return share;
}

/* Rows of lengths 2.385 and 1e-3 at an angle. */
static void test_two_rows(void **state) {
    (void)state;
    for (double angle = 1; angle > 1e-6; angle *= 0.37) {
        const double x[] = {2.385, 0, 1e-3 * cos(angle), 1e-3 * sin(angle)};
        rig r = rig_open(2, 2, x);
        /* a pivot is known to eps, the share to eps/share */
        assert_true(fabs(read(&r, 2) - sin(angle)) <= 4e-16 / sin(angle));
        rig_close(&r);
    }
}

/* In the metric W the row (1, 1) and (1, -1) with W = (1, w^2) has (1, 1/w), (1, -1/w). */
static void test_metric(void **state) {
    (void)state;
    const double x[] = {1, 1, 1, -1}, w = 3.7, c = (1 - 1 / (w * w)) / (1 + 1 / (w * w));
    rig r = rig_open(2, 2, x);
    r.weight[1] = w * w;
    r.length[0] = r.length[1] = sqrt(1 + 1 / (w * w));
    assert_true(fabs(read(&r, 2) - sqrt(1 - c * c)) < 1e-15);
    rig_close(&r);
}

static const double rows[] = {0.31, -1.27, 0.55, 2.1,  0.4,  1.9, -0.3, 0.88, -0.61, 0.2,
                              1.44, 0.07,  -2.2, 0.51, 0.93, 0.6, -0.8, 1.31, 0.77,  -1.05};

/* The product of the shares is the volume of the unit rows. */
static void test_volume(void **state) {
    (void)state;
    rig r = rig_open(4, 5, rows);
    hol__gauge *gauge = hol__gauge_new(&r.arena, &r.A, r.weight, 4);
    double share, volume = 1, gram[16];
    int n;
    assert_int_equal(hol__gauge_read(gauge, &r.A, r.length, &share), HOL_OK);
    const double *shares = hol__gauge_shares(gauge, &n);
    assert_int_equal(n, 4);
    for (int k = 0; k < n; k++) volume *= shares[k];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double dot = 0;
            for (int k = 0; k < 5; k++) dot += rows[5 * i + k] * rows[5 * j + k];
            gram[4 * j + i] = dot / (r.length[i] * r.length[j]);
        }
    assert_int_equal(hol__chol_factor(4, gram), 0);
    double wanted = 1;
    for (int i = 0; i < 4; i++) wanted *= gram[5 * i];
    assert_true(fabs(volume - wanted) < 1e-14);
    rig_close(&r);
}

/* A row twice: of rank 4 the share is sqrt of the second smallest eigenvalue, of rank 3 of the
 * third. */
static void test_redundant(void **state) {
    (void)state;
    double x[25];
    memcpy(x, rows, sizeof rows);
    memcpy(x + 20, rows, 5 * sizeof *rows);
    rig r = rig_open(5, 5, x);
    const double four = read(&r, 4), three = read(&r, 3);
    assert_true(four > 0.1 && three > four);
    hol__eigh *eigh = hol__eigh_new(&r.arena, 5);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            double dot = 0;
            for (int k = 0; k < 5; k++) dot += x[5 * i + k] * x[5 * j + k];
            eigh->a[5 * j + i] = dot / (r.length[i] * r.length[j]);
        }
    assert_int_equal(hol__eigh_factor(eigh, 5), 0);
    assert_true(fabs(four - sqrt(eigh->values[1])) < 1e-13);
    assert_true(fabs(three - fmin(1, sqrt(eigh->values[2]))) < 1e-13);
    double part[5], share;
    hol__gauge *gauge = hol__gauge_new(&r.arena, &r.A, r.weight, 4);
    assert_int_equal(hol__gauge_read(gauge, &r.A, r.length, &share), HOL_OK);
    hol__gauge_rows(gauge, &r.A, r.length, part);
    int named = 0;
    for (int i = 0; i < 5; i++) named += part[i] == share;
    assert_true(named > 0);
    rig_close(&r);
}

static void test_nonfinite(void **state) {
    (void)state;
    const double x[] = {1, 0, NAN, 1};
    for (int rank = 1; rank <= 2; rank++) {
        rig r = rig_open(2, 2, x);
        double share;
        r.length[1] = 1;
        hol__gauge *gauge = hol__gauge_new(&r.arena, &r.A, r.weight, rank);
        assert_int_equal(hol__gauge_read(gauge, &r.A, r.length, &share), HOL_NONFINITE);
        rig_close(&r);
    }
}

/* Two rows at an angle whose cosine is c: w = S^-1 (r / l) by Cramer's rule, and with the first
 * row twice half of its part for each. A zero share makes any residual infinite. */
static void test_pull(void **state) {
    (void)state;
    const double angle = 3.1e-4, c = cos(angle), s2 = pow(sin(angle), 2);
    const double x[] = {2.385, 0, 0.1 * cos(angle), 0.1 * sin(angle), 2.385, 0};
    const double r[] = {1.7e-9 * 2.385, -0.4e-9 * 0.1, 1.7e-9 * 2.385};
    const double first = (1.7e-9 + c * 0.4e-9) / s2, second = (0.4e-9 + c * 1.7e-9) / s2;
    double scratch[6], share;
    for (int m = 2; m <= 3; m++) {
        rig g = rig_open(m, 2, x);
        hol__gauge *gauge = hol__gauge_new(&g.arena, &g.A, g.weight, 2);
        assert_int_equal(hol__gauge_read(gauge, &g.A, g.length, &share), HOL_OK);
        const double wanted = fmax(m == 2 ? first : first / 2, second),
                     pull = hol__gauge_pull(gauge, &g.A, g.length, r, scratch);
        /* a pivot is known to eps, w to eps / share^2 of itself */
        assert_true(fabs(pull - wanted) <= 20 * 2.2e-16 / s2 * wanted);
        rig_close(&g);
    }
    const double same[] = {1, 2, 1, 2};
    rig g = rig_open(2, 2, same);
    hol__gauge *gauge = hol__gauge_new(&g.arena, &g.A, g.weight, 2);
    assert_int_equal(hol__gauge_read(gauge, &g.A, g.length, &share), HOL_OK);
    assert_true(share > 0 || isinf(hol__gauge_pull(gauge, &g.A, g.length, r, scratch)));
    rig_close(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pull),      cmocka_unit_test(test_two_rows),
        cmocka_unit_test(test_metric),    cmocka_unit_test(test_volume),
        cmocka_unit_test(test_redundant), cmocka_unit_test(test_nonfinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
