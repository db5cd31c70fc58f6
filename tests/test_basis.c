/* test_basis.c: every null-space basis on every kind of matrix: A R = 0, full rank of R,
 * orthonormal where promised, the rank of redundant and singular matrices, particular solutions,
 * multipliers, and the coordinates that are kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/basis.h"
#include "kernel/kernel.h"
#include "la_support.h"
#include "linkages.h"

enum { MOST = 60 };

typedef struct rig {
    hol_context *ctx;
    hol__arena arena;
    const hol__basis_type *type;
} rig;

/* Run a check for all bases. */
static void over_all(void (*check)(rig *r)) {
    for (int t = 0; hol__basis_get(t); t++) {
        rig r = {.ctx = hol_context_new(), .type = hol__basis_get(t)};
        hol__arena_init(&r.arena, r.ctx);
        check(&r);
        hol__arena_free(&r.arena);
        hol_context_free(r.ctx);
    }
}

static int has(const rig *r, unsigned flag) {
    return (r->type->flags & flag) != 0;
}

static hol__basis *new_basis(rig *r, int n, int m) {
    hol__basis *basis =
        hol__basis_new(&r->arena, r->type, n, m, HOL__RANK_TOLERANCE, HOL__RELEASE_TOLERANCE);
    assert_non_null(basis);
    return basis;
}

/* A: entries of all magnitudes between 0.1 and 2, rows in different units. */
static double *random_matrix(rig *r, int n, int m, uint64_t *seed) {
    double *A = HOL__NEW_N(&r->arena, double, n *m + 1);
    for (int i = 0; i < m; i++) {
        const double unit = pow(10, 2 * uniform(seed));
        for (int j = 0; j < n; j++) A[i * n + j] = unit * (uniform(seed) + 0.3 * uniform(seed));
    }
    return A;
}

/* The k-th singular value (from 0, falling) of a (rows x cols, column-major). */
static double singular_value(rig *r, int rows, int cols, const double *a, int k) {
    hol__svd *svd = hol__svd_new(&r->arena, rows, cols);
    memcpy(svd->a, a, (size_t)(rows * cols) * sizeof *a);
    assert_int_equal(hol__svd_factor(svd), 0);
    return svd->s[k];
}

/* R is a basis of the null space: |A^ R| within the tolerance in unit rows, columns independent. */
static void check_basis_of(rig *r, const hol__basis *b, double tolerance) {
    const int n = b->n, free = n - b->rank;
    for (int k = 0; k < free; k++)
        for (int i = 0; i < b->m; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += b->At[i * n + j] * b->R[k * n + j];
            assert_true(fabs(sum) < tolerance);
        }
    if (free == 0) return;
    /* Bases with unit rows have singular values of at least 1, orthonormal ones exactly. */
    assert_true(singular_value(r, n, free, b->R, free - 1) > 1 - 1e-13);
    if (has(r, HOL__BASIS_ORTHONORMAL))
        assert_true(singular_value(r, n, free, b->R, 0) < 1 + 1e-13);
    if (!has(r, HOL__BASIS_COORDINATES)) return;
    for (int k = 0; k < free; k++)
        for (int i = 0; i < free; i++)
            assert_true(b->R[k * n + b->column[b->rank + i]] == (i == k));
}

/* S c solves A x = c, with minimum norm where promised; mu solves A^T mu = g with minimum norm. */
static void check_solutions(rig *r, hol__basis *b, const hol__csr *A, double tolerance,
                            uint64_t *seed) {
    const int n = b->n, m = b->m;
    double y[MOST], c[MOST], x[MOST], back[MOST], g[MOST], nu[MOST], mu[MOST];
    for (int j = 0; j < n; j++) y[j] = uniform(seed);
    hol__csr_mul(A, y, c);
    hol__basis_project(b, c, back);
    for (int i = 0; i < m; i++) assert_true(fabs(back[i] - c[i]) * b->scale[i] < tolerance);
    hol__basis_particular(b, c, x);
    hol__csr_mul(A, x, back);
    for (int i = 0; i < m; i++) assert_true(fabs(back[i] - c[i]) * b->scale[i] < tolerance);
    if (has(r, HOL__BASIS_MINIMUM)) {
        hol__dense_mul_t(n, n - b->rank, 1, b->R, x, 0, back);
        assert_true(difference(n - b->rank, back, NULL) < tolerance);
    }
    for (int i = 0; i < m; i++) nu[i] = b->scale[i] * uniform(seed);
    hol__csr_mul_t(A, nu, g);
    hol__basis_multipliers(b, g, mu);
    hol__csr_mul_t(A, mu, back);
    assert_true(difference(n, back, g) < tolerance);
    hol__dense_mul_t(m, b->n_null, 1, b->N, mu, 0, back);
    assert_true(difference(b->n_null, back, NULL) < tolerance);
}

/* ---- matrices ---- */

static void check_regular(rig *r) {
    static const int size[][2] = {{1, 0}, {7, 0}, {1, 1}, {6, 2}, {9, 8}, {9, 9}, {30, 22}};
    uint64_t seed = 123456791;
    for (int k = 0; k < 7; k++) {
        const int n = size[k][0], m = size[k][1];
        for (int round = 0; round < 4; round++) {
            double *dense = random_matrix(r, n, m, &seed);
            hol__csr A = csr_of(&r->arena, m, n, dense, 0);
            hol__basis *b = new_basis(r, n, m);
            assert_int_equal(hol__basis_factor(b, &A), HOL_OK);
            assert_int_equal(b->rank, m);
            /* Roundings eps n, enlarged by the condition of the unit rows, below 1e3 except for
             * the square matrix; through A^T A by eps / share. */
            const double tolerance = 1e-13 / fmin(1, 10 * b->share);
            check_basis_of(r, b, tolerance);
            check_solutions(r, b, &A, 10 * tolerance, &seed);
        }
    }
}

/* Rows that repeat and combine others, zero rows, more rows than columns. */
static void check_redundant(rig *r) {
    uint64_t seed = 998877;
    for (int round = 0; round < 6; round++) {
        const int n = 11, m = 7 + round, rank = 5;
        double *dense = random_matrix(r, n, m, &seed);
        for (int i = rank; i < m; i++) {
            const double p = uniform(&seed), q = uniform(&seed);
            for (int j = 0; j < n; j++)
                dense[i * n + j] =
                    i == 6 ? 0 : p * dense[(i - rank) % rank * n + j] + q * dense[i % 3 * n + j];
        }
        hol__csr A = csr_of(&r->arena, m, n, dense, 0);
        hol__basis *b = new_basis(r, n, m);
        for (int again = 0; again < 3; again++) {
            assert_int_equal(hol__basis_factor(b, &A), HOL_OK);
            assert_int_equal(b->rank, rank);
            assert_int_equal(b->n_null, m - rank);
            check_basis_of(r, b, 1e-12);
            check_solutions(r, b, &A, 1e-11, &seed);
        }
    }
}

/* Four-bars through their flat position: the rank drops there and comes back. */
static void check_singular(rig *r) {
    linkage l;
    linkage_four_bars(&r->arena, &l, 3);
    const int n = l.W.rows, m = l.A.rows;
    hol__basis *b = new_basis(r, n, m);
    uint64_t seed = 4711;
    double angle[16];
    for (int step = -20; step <= 20; step++) {
        for (int i = 0; i < l.bodies; i++) angle[i] = i <= 3 ? 0.013 * step * (1 + 0.02 * i) : 0;
        linkage_fill(&l, angle);
        assert_int_equal(hol__basis_factor(b, &l.A), HOL_OK);
        assert_int_equal(b->rank, step == 0 ? m - 3 : m);
        /* eps / share for A^T A, share about the smallest angle 0.013 over 5. */
        check_basis_of(r, b, has(r, HOL__BASIS_SQUARED) ? 1e-12 : 2e-14);
        check_solutions(r, b, &l.A, 1e-11, &seed);
    }
}

/* ---- coordinates ---- */

/* A four-bar turns twice: kept coordinates change a few times, chosen ones at least as often, and R
 * stays bounded. */
static void check_rotation(rig *r) {
    if (!has(r, HOL__BASIS_COORDINATES)) return;
    linkage l;
    linkage_chain(&r->arena, &l, 3, 1);
    hol__basis *b = new_basis(r, 9, 8);
    double angle[3], most = 0;
    for (int step = 0; step < 800; step++) {
        const double a = 0.1 + 4 * acos(-1.0) * step / 800;
        /* A crank-rocker in outline: the crank turns, the others sway. */
        angle[0] = a;
        angle[1] = 0.6 + 0.35 * cos(a);
        angle[2] = -1.1 + 0.45 * sin(a);
        linkage_fill(&l, angle);
        assert_int_equal(hol__basis_factor(b, &l.A), HOL_OK);
        assert_int_equal(b->rank, 8);
        most = fmax(most, difference(9, b->R, NULL));
        check_basis_of(r, b, 1e-12);
    }
    assert_true(b->switches > 0);
    if (has(r, HOL__BASIS_KEPT)) assert_true(b->switches <= 16 && most < 200);
    if (!has(r, HOL__BASIS_KEPT)) assert_true(most < 10);
}

/* ---- table and life ---- */

static void check_not_finite(rig *r) {
    uint64_t seed = 17;
    double *dense = random_matrix(r, 5, 3, &seed);
    hol__csr A = csr_of(&r->arena, 3, 5, dense, 0);
    hol__basis *b = new_basis(r, 5, 3);
    A.x[4] = NAN;
    assert_int_equal(hol__basis_factor(b, &A), HOL_NONFINITE);
    A.x[4] = 0.731;
    assert_int_equal(hol__basis_factor(b, &A), HOL_OK);
    check_basis_of(r, b, 1e-12);
}

static void has_a_table(void **state) {
    static const char *const names[] = {"qr",   "svd",       "eigen", "schur",
                                        "putd", "partition", "local"};
    (void)state;
    for (int i = 0; i < 7; i++) {
        const hol__basis_type *type = hol__basis_find(names[i]);
        assert_non_null(type);
        assert_string_equal(type->name, names[i]);
        assert_true(strlen(type->title) > 5 && strlen(type->source) > 1);
    }
    assert_ptr_equal(hol__basis_find("qr"), &hol__basis_qr);
    assert_null(hol__basis_find("QR"));
    assert_null(hol__basis_get(-1));
    assert_null(hol__basis_get(7));
}

#define OVER_ALL(name)                                                                             \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        over_all(check_##name);                                                                    \
    }

OVER_ALL(regular)
OVER_ALL(redundant)
OVER_ALL(singular)
OVER_ALL(rotation)
OVER_ALL(not_finite)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_a_table), cmocka_unit_test(regular),  cmocka_unit_test(redundant),
        cmocka_unit_test(singular),    cmocka_unit_test(rotation), cmocka_unit_test(not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
