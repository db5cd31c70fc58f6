/* test_lu_fixed.c: sparse LU with kept pivots: solutions with the matrix and its transpose, other
 * values of the same pattern, what is said of pivots that fall, and singular matrices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "la/lu_fixed.h"
#include "la_support.h"

enum { MOST = 80 };

typedef struct rig {
    hol_context *ctx;
    hol__arena arena;
} rig;

static rig open_rig(void) {
    rig r = {.ctx = hol_context_new()};
    hol__arena_init(&r.arena, r.ctx);
    return r;
}

static void close_rig(rig *r) {
    hol__arena_free(&r->arena);
    hol_context_free(r->ctx);
}

/* About per_row entries in a row, rows in different units, and a permutation that makes it
 * regular. */
static hol__csr random_matrix(rig *r, int n, int per_row, uint64_t *seed) {
    double *dense = HOL__NEW_N(&r->arena, double, (size_t)n *(size_t)n);
    for (int i = 0; i < n; i++) {
        const double unit = pow(10, 3 * uniform(seed));
        for (int k = 0; k < per_row - 1; k++)
            dense[i * n + (int)(0.5 * (uniform(seed) + 1) * n) % n] = unit * uniform(seed);
        dense[i * n + (7 * i + 3) % n] = unit * (2.3 + uniform(seed));
    }
    return csr_of(&r->arena, n, n, dense, 0);
}

/* Residuals of K x = b and K^T y = g, relative to what the terms add up to. */
static double residual(const hol__lu_fixed *lu, const hol__csr *K, uint64_t *seed) {
    const int n = K->rows;
    double b[MOST] = {0}, x[MOST], back[MOST], size[MOST] = {0}, most = 0;
    for (int i = 0; i < n; i++) b[i] = uniform(seed);
    hol__lu_fixed_solve(lu, b, x);
    hol__csr_mul(K, x, back);
    for (int i = 0; i < n; i++) {
        double terms = fabs(b[i]);
        for (int e = K->ptr[i]; e < K->ptr[i + 1]; e++) terms += fabs(K->x[e] * x[K->idx[e]]);
        most = fmax(most, fabs(back[i] - b[i]) / terms);
    }
    hol__lu_fixed_solve_t(lu, b, x);
    hol__csr_mul_t(K, x, back);
    for (int i = 0; i < n; i++)
        for (int e = K->ptr[i]; e < K->ptr[i + 1]; e++) size[K->idx[e]] += fabs(K->x[e] * x[i]);
    for (int j = 0; j < n; j++) most = fmax(most, fabs(back[j] - b[j]) / (size[j] + fabs(b[j])));
    return most;
}

/* Pivots are at least a tenth of their row, so entries grow at most elevenfold in a step; 1e-11
 * leaves room for four such steps in a row, by component. */
static void test_solutions(void **unused) {
    (void)unused;
    static const int sizes[][2] = {{1, 1}, {2, 2}, {9, 3}, {33, 4}, {80, 3}, {20, 20}};
    uint64_t seed = 88172645463325252u;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int round = 0; round < 5; round++) {
            rig r = open_rig();
            hol__csr K = random_matrix(&r, sizes[k][0], sizes[k][1], &seed);
            hol__lu_fixed *lu = hol__lu_fixed_new(&r.arena, K.rows);
            assert_non_null(lu);
            assert_true(hol__lu_fixed_choose(lu, &K));
            assert_true(residual(lu, &K, &seed) < 1e-11);
            /* the same pivots serve when the values change a little */
            for (int e = 0; e < K.ptr[K.rows]; e++) K.x[e] *= 1 + 0.02 * uniform(&seed);
            const double share = hol__lu_fixed_factor(lu, &K);
            assert_true(share > 0.1 && share < 1.2);
            assert_true(residual(lu, &K, &seed) < 1e-11);
            close_rig(&r);
        }
}

/* [c, 1; 1, c]: with c = 1000 the pivot is c; as c falls to 1e-5 it keeps 1e-8 of its size, and the
 * other grows. */
static void test_fallen_pivot(void **unused) {
    (void)unused;
    uint64_t seed = 99991;
    rig r = open_rig();
    const double dense[4] = {1000, 1, 1, 1000};
    hol__csr K = csr_of(&r.arena, 2, 2, dense, 0);
    hol__lu_fixed *lu = hol__lu_fixed_new(&r.arena, 2);
    assert_true(hol__lu_fixed_choose(lu, &K));
    assert_true(fabs(hol__lu_fixed_factor(lu, &K) - 1) < 1e-12);
    K.x[0] = K.x[3] = 1e-5;
    assert_true(fabs(hol__lu_fixed_factor(lu, &K) - 1e-8) < 1e-14);
    assert_true(hol__lu_fixed_choose(lu, &K));
    assert_true(residual(lu, &K, &seed) < 1e-15);
    close_rig(&r);
}

/* A row that is a combination of two others, a column without an entry, a NaN: refused, and the
 * object serves again. */
static void test_singular(void **unused) {
    (void)unused;
    uint64_t seed = 4242424243u;
    rig r = open_rig();
    hol__csr K = random_matrix(&r, 12, 12, &seed), bad = random_matrix(&r, 12, 12, &seed);
    double dense[144];
    hol__csr_to_dense(&bad, dense);
    for (int j = 0; j < 12; j++)
        dense[5 * 12 + j] = 0.7 * dense[2 * 12 + j] - 31 * dense[9 * 12 + j];
    bad = csr_of(&r.arena, 12, 12, dense, 0);
    hol__lu_fixed *lu = hol__lu_fixed_new(&r.arena, 12);
    assert_false(hol__lu_fixed_choose(lu, &bad));
    assert_true(hol__lu_fixed_choose(lu, &K));
    assert_true(residual(lu, &K, &seed) < 1e-11);
    const double kept = K.x[17];
    K.x[17] = NAN;
    assert_true(hol__lu_fixed_factor(lu, &K) == 0);
    assert_false(hol__lu_fixed_choose(lu, &K));
    K.x[17] = kept;
    assert_true(hol__lu_fixed_choose(lu, &K));
    assert_true(residual(lu, &K, &seed) < 1e-11);
    for (int i = 0; i < 12; i++) dense[i * 12 + 4] = 0;
    bad = csr_of(&r.arena, 12, 12, dense, 0);
    assert_false(hol__lu_fixed_choose(lu, &bad));
    close_rig(&r);
}

/* A chain with the ends joined fills in two more entries a row at most, whatever its order. */
static void test_fill(void **unused) {
    (void)unused;
    uint64_t seed = 1234577;
    rig r = open_rig();
    const int n = 60;
    double *dense = HOL__NEW_N(&r.arena, double, (size_t)n *(size_t)n);
    for (int i = 0; i < n; i++) {
        const int a = (i * 17) % n, next = ((i + 1) * 17) % n, before = ((i + n - 1) * 17) % n;
        dense[a * n + a] = 3 + uniform(&seed);
        dense[a * n + next] = uniform(&seed);
        dense[a * n + before] = uniform(&seed);
    }
    hol__csr K = csr_of(&r.arena, n, n, dense, 0);
    hol__lu_fixed *lu = hol__lu_fixed_new(&r.arena, n);
    assert_true(hol__lu_fixed_choose(lu, &K));
    assert_true(lu->lower_ptr[n] + lu->upper_ptr[n] <= 4 * n);
    assert_true(residual(lu, &K, &seed) < 1e-11);
    close_rig(&r);
}

/* Masses beside directions of constraints, in any unit of mass: two bodies along a line that keep
 * their distance,
 *
 *     [ a  0  1 ]
 *     [ 0  b -1 ]        v = (f_1 + f_2) / (a + b) (1, 1)
 *     [ 1 -1  0 ]
 *
 * is regular however small a and b are beside 1; with the constraint twice it is not, however large
 * they are. */
static void test_units(void **state) {
    (void)state;
    for (int power = -300; power <= 150; power += 15) {
        rig r = open_rig();
        const double unit = pow(10, power), a = 1.7 * unit, b = 0.43 * unit;
        const double once[] = {a, 0, 1, 0, b, -1, 1, -1, 0};
        const double twice[] = {a, 0, 1, 1, 0, b, -1, -1, 1, -1, 0, 0, 1, -1, 0, 0};
        const double f[] = {0.31 * unit, -1.24 * unit, 0};
        double x[3];
        hol__csr K = csr_of(&r.arena, 3, 3, once, 0), K2 = csr_of(&r.arena, 4, 4, twice, 0);
        hol__lu_fixed *lu = hol__lu_fixed_new(&r.arena, 3), *lu2 = hol__lu_fixed_new(&r.arena, 4);
        assert_true(hol__lu_fixed_choose(lu, &K));
        hol__lu_fixed_solve(lu, f, x);
        for (int i = 0; i < 2; i++) assert_true(fabs(x[i] / ((0.31 - 1.24) / 2.13) - 1) < 1e-14);
        assert_false(hol__lu_fixed_choose(lu2, &K2));
        close_rig(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions), cmocka_unit_test(test_fallen_pivot),
        cmocka_unit_test(test_singular),  cmocka_unit_test(test_fill),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests_name("lu_fixed", tests, NULL, NULL);
}
