/* test_ldl.c: the static sparse L D L^T, the orderings, the sparse LU and the complete
 * orthogonal decomposition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "la/cod.h"
#include "la/klu.h"
#include "la/ldl.h"
#include "la/order.h"
#include "la_support.h"

/* A random symmetric pattern: n diagonal entries, then about extra pairs. */
typedef struct entries {
    int n, nz, *row, *col;
    double *x;
} entries;

static entries random_entries(hol__arena *arena, int n, int extra, uint64_t *seed) {
    entries e = {.n = n};
    const size_t most = (size_t)n + (size_t)extra;
    e.row = HOL__NEW_N(arena, int, most);
    e.col = HOL__NEW_N(arena, int, most);
    e.x = HOL__NEW_N(arena, double, most);
    unsigned char *taken = HOL__NEW_N(arena, unsigned char, (size_t)n *(size_t)n);
    for (int i = 0; i < n; i++) {
        e.row[e.nz] = e.col[e.nz] = i;
        e.nz++;
    }
    for (int k = 0; k < extra; k++) {
        const int a = (int)(0.5 * (uniform(seed) + 1) * n) % n,
                  b = (int)(0.5 * (uniform(seed) + 1) * n) % n;
        const size_t at = (size_t)(a > b ? a : b) * (size_t)n + (size_t)(a < b ? a : b);
        if (a == b || taken[at]) continue;
        taken[at] = 1;
        e.row[e.nz] = a;
        e.col[e.nz++] = b;
    }
    return e;
}

/* Adjacency lists for the orderings. */
static void graph_of(hol__arena *arena, const entries *e, int **ptr_out, int **idx_out) {
    int *ptr = HOL__NEW_N(arena, int, e->n + 2), *idx = HOL__NEW_N(arena, int, 2 * e->nz);
    for (int k = e->n; k < e->nz; k++) ptr[e->row[k] + 2]++, ptr[e->col[k] + 2]++;
    for (int i = 0; i < e->n; i++) ptr[i + 2] += ptr[i + 1];
    for (int k = e->n; k < e->nz; k++)
        idx[ptr[e->row[k] + 1]++] = e->col[k], idx[ptr[e->col[k] + 1]++] = e->row[k];
    *ptr_out = ptr;
    *idx_out = idx;
}

static void assert_permutation(hol__arena *arena, int n, const int *perm) {
    unsigned char *seen = HOL__NEW_N(arena, unsigned char, n);
    for (int k = 0; k < n; k++) {
        assert_in_range(perm[k], 0, n - 1);
        assert_false(seen[perm[k]]);
        seen[perm[k]] = 1;
    }
}

/* Diagonally dominant with the given signs: then every pivot exists and has its sign. */
static void random_values(entries *e, const signed char *sign, uint64_t *seed) {
    double *sum = e->x;
    for (int i = 0; i < e->n; i++) sum[i] = 0.4 + 0.3 * uniform(seed);
    for (int k = e->n; k < e->nz; k++) {
        e->x[k] = uniform(seed);
        sum[e->row[k]] += fabs(e->x[k]);
        sum[e->col[k]] += fabs(e->x[k]);
    }
    for (int i = 0; i < e->n; i++) e->x[i] *= sign[i];
}

static void multiply(const entries *e, const double *x, double *y) {
    for (int i = 0; i < e->n; i++) y[i] = 0;
    for (int k = 0; k < e->nz; k++) {
        y[e->row[k]] += e->x[k] * x[e->col[k]];
        if (e->row[k] != e->col[k]) y[e->col[k]] += e->x[k] * x[e->row[k]];
    }
}

/* Factor, solve and compare with the known solution; then again with other values. */
static void check_factor(hol_context *ctx, int n, int extra, uint64_t seed, int expect_targets) {
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    entries e = random_entries(&arena, n, extra, &seed);
    int *ptr, *idx, *perm = HOL__NEW_N(&arena, int, n), *map = HOL__NEW_N(&arena, int, e.nz);
    signed char *sign = HOL__NEW_N(&arena, signed char, n);
    double *x = HOL__NEW_N(&arena, double, n), *b = HOL__NEW_N(&arena, double, n),
           *y = HOL__NEW_N(&arena, double, n);
    for (int i = 0; i < n; i++) sign[i] = uniform(&seed) > -0.3 ? 1 : -1;
    graph_of(&arena, &e, &ptr, &idx);
    assert_int_equal(hol__order(ctx, n, ptr, idx, perm), HOL_OK);
    assert_permutation(&arena, n, perm);
    hol__ldl *ldl = hol__ldl_new(&arena, n, e.nz, e.row, e.col, perm, sign, map);
    assert_non_null(ldl);
    assert_int_equal(ldl->target != NULL, expect_targets);
    for (int round = 0; round < 3; round++) {
        random_values(&e, sign, &seed);
        hol__ldl_clear(ldl);
        for (int k = 0; k < e.nz; k++) ldl->value[map[k]] = e.x[k];
        assert_int_equal(hol__ldl_factor(ldl), 0);
        for (int i = 0; i < n; i++) x[i] = uniform(&seed);
        multiply(&e, x, b);
        hol__ldl_solve(ldl, b, y);
        /* Dominant by at least 0.1: the inverse is below 10 in the maximum norm, sums have up to
         * n terms of size n. */
        assert_true(difference(n, x, y) < 1e-12);
        assert_true(ldl->smallest > 0);
    }
    hol__arena_free(&arena);
}

static void factors_with_targets(void **state) {
    hol_context *ctx = hol_context_new();
    (void)state;
    check_factor(ctx, 1, 0, 77, 1);
    check_factor(ctx, 7, 9, 1234567, 1);
    check_factor(ctx, 60, 130, 987654321, 1);
    hol_context_free(ctx);
}

/* A full matrix of 330 rows has 6 million updates: too many for a list. */
static void factors_by_rows(void **state) {
    hol_context *ctx = hol_context_new();
    (void)state;
    check_factor(ctx, 330, 800000, 5550123, 0);
    hol_context_free(ctx);
}

/* A row that is the sum of two others of a Gram matrix is dropped, and the rest is solved as if
 * it were not there. */
static void drops_dependent_rows(void **state) {
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    (void)state;
    hol__arena_init(&arena, ctx);
    enum { N = 6, K = 9 };
    uint64_t seed = 424242;
    double h[N][K], S[N][N], b[N], y[N], back[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < K; j++)
            h[i][j] = i == 3 ? 2.385 * h[0][j] - 0.77 * h[2][j] : uniform(&seed);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            S[i][j] = 0;
            for (int k = 0; k < K; k++) S[i][j] += h[i][k] * h[j][k];
        }
    int row[N * (N + 1) / 2], col[N * (N + 1) / 2], map[N * (N + 1) / 2],
        perm[N] = {0, 1, 2, 3, 4, 5}, nz = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) row[nz] = i, col[nz++] = j;
    hol__ldl *ldl = hol__ldl_new(&arena, N, nz, row, col, perm, NULL, map);
    assert_non_null(ldl);
    for (int k = 0; k < N; k++) ldl->threshold[k] = 1e-12;
    for (int e = 0; e < nz; e++) ldl->value[map[e]] = S[row[e]][col[e]];
    assert_int_equal(hol__ldl_factor(ldl), 1);
    assert_int_equal(ldl->dropped[0], 3);
    for (int i = 0; i < N; i++) b[i] = uniform(&seed);
    hol__ldl_solve(ldl, b, y);
    assert_true(y[3] == 0);
    for (int i = 0; i < N; i++) {
        back[i] = 0;
        for (int j = 0; j < N; j++) back[i] += S[i][j] * y[j];
        if (i != 3) assert_true(fabs(back[i] - b[i]) < 1e-11);
    }
    /* A threshold above 1 drops a row whatever its pivot; a value that is not finite is told. */
    ldl->threshold[1] = 2;
    hol__ldl_clear(ldl);
    for (int e = 0; e < nz; e++) ldl->value[map[e]] = S[row[e]][col[e]];
    assert_int_equal(hol__ldl_factor(ldl), 2);
    hol__ldl_clear(ldl);
    for (int e = 0; e < nz; e++) ldl->value[map[e]] = e == 4 ? NAN : S[row[e]][col[e]];
    assert_int_equal(hol__ldl_factor(ldl), -1);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* Late nodes come after their early neighbours, and on a path the fill is none. */
static void orders_with_precedence(void **state) {
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    (void)state;
    hol__arena_init(&arena, ctx);
    enum { N = 41 };
    /* A path in which odd nodes are late: 0 - 1 - 2 - … */
    int row[2 * N], col[2 * N], perm[N], place[N], *ptr, *idx;
    unsigned char late[N];
    entries e = {.n = N, .row = row, .col = col};
    for (int i = 0; i < N; i++) row[e.nz] = col[e.nz] = i, e.nz++, late[i] = i % 2 == 1;
    for (int i = 0; i + 1 < N; i++) row[e.nz] = i + 1, col[e.nz++] = i;
    graph_of(&arena, &e, &ptr, &idx);
    assert_int_equal(hol__order_minimum_degree(ctx, N, ptr, idx, late, perm), HOL_OK);
    assert_permutation(&arena, N, perm);
    for (int k = 0; k < N; k++) place[perm[k]] = k;
    for (int i = 1; i < N; i += 2)
        assert_true(place[i] > place[i - 1] && (i + 1 >= N || place[i] > place[i + 1]));
    /* Without precedence a path has no fill: one entry of L for each edge, no updates. */
    long long entries_of_L;
    assert_int_equal(hol__order_minimum_degree(ctx, N, ptr, idx, NULL, perm), HOL_OK);
    assert_int_equal(hol__ldl_count(ctx, N, e.nz, row, col, perm, &entries_of_L), 0);
    assert_int_equal(entries_of_L, N - 1);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* Minimum degree by its definition, on a matrix of neighbours: the eligible node with the fewest
 * goes next, the lowest number first among equals, and joins its neighbours. */
static void degree_order(int n, unsigned char *joined, const unsigned char *late, int *perm) {
    unsigned char done[64] = {0};
    for (int k = 0; k < n; k++) {
        int best = -1, least = n;
        for (int i = 0; i < n; i++) {
            int count = 0, blocked = done[i];
            for (int j = 0; j < n; j++) {
                const int next = joined[n * i + j] % 4 && !done[j];
                count += next;
                blocked |= next && joined[n * i + j] % 2 && late[i] && !late[j];
            }
            if (!blocked && (best < 0 || count < least)) best = i, least = count;
        }
        perm[k] = best;
        done[best] = 1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (i != j && joined[n * best + i] && joined[n * best + j]) joined[n * i + j] |= 2;
    }
}

/* The order of random graphs is the one of the definition, until the rest is complete: then fill
 * is as large whatever the order. */
static void orders_by_degree(void **state) {
    hol_context *ctx = hol_context_new();
    uint64_t seed = 20;
    (void)state;
    for (int round = 0; round < 40; round++) {
        enum { N = 60 };
        hol__arena arena;
        hol__arena_init(&arena, ctx);
        int row[8 * N], col[8 * N], perm[N], expected[N], *ptr, *idx;
        unsigned char late[N] = {0}, joined[N * N] = {0};
        long long fill, least;
        entries e = {.n = N, .row = row, .col = col};
        for (int i = 0; i < N; i++)
            row[e.nz] = col[e.nz] = i, e.nz++, late[i] = round % 2 && i > 40;
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 2; k++) {
                const int j = (int)(0.5 * (uniform(&seed) + 1) * N) % N;
                if (i == j || j < 0 || joined[N * i + j]) continue;
                joined[N * i + j] = joined[N * j + i] = 1;
                row[e.nz] = i > j ? i : j, col[e.nz++] = i > j ? j : i;
            }
        graph_of(&arena, &e, &ptr, &idx);
        assert_int_equal(hol__order_minimum_degree(ctx, N, ptr, idx, late, perm), HOL_OK);
        assert_permutation(&arena, N, perm);
        degree_order(N, joined, late, expected);
        for (int k = 0; k < N / 2; k++) assert_int_equal(perm[k], expected[k]);
        assert_int_equal(hol__ldl_count(ctx, N, e.nz, row, col, perm, &fill),
                         hol__ldl_count(ctx, N, e.nz, row, col, expected, &least));
        assert_int_equal(fill, least);
        hol__arena_free(&arena);
    }
    hol_context_free(ctx);
}

/* Sparse LU: solves, keeps its pivots while they fit, and chooses new ones when they do not. */
static void factors_unsymmetric(void **state) {
    hol_context *ctx = hol_context_new();
    hol__klu *klu;
    (void)state;
    int ptr[] = {0, 2, 5, 7, 9}, idx[] = {0, 1, 0, 1, 2, 2, 3, 3, 1};
    double x[] = {2.385, 0.31, -1.07, 0.45, 0.77, 3.1, -0.6, 1.9, 0.23};
    const hol_status status = hol__klu_new(ctx, 4, ptr, idx, &klu);
    if (!hol__klu_available()) {
        assert_int_equal(status, HOL_ERR_FEATURE);
        assert_null(klu);
        assert_int_equal(hol_message_count(ctx), 1);
        hol_context_free(ctx);
        return;
    }
    assert_int_equal(status, HOL_OK);
    for (int round = 0; round < 3; round++) {
        /* In the last round the old pivots all but vanish. */
        if (round == 2) x[0] = 1e-13, x[3] = 1e-13;
        const double known[4] = {0.7, -1.3, 2.2, 0.41};
        double b[4] = {0};
        for (int j = 0; j < 4; j++)
            for (int p = ptr[j]; p < ptr[j + 1]; p++) b[idx[p]] += x[p] * known[j];
        assert_int_equal(hol__klu_factor(klu, x), HOL_OK);
        assert_int_equal(hol__klu_solve(klu, b), HOL_OK);
        assert_true(difference(4, b, known) < 1e-13);
        assert_int_equal(hol__klu_pivotings(klu), round == 2 ? 2 : 1);
        x[1] *= 1.1;
    }
    /* A column of zeros. */
    x[0] = x[1] = 0;
    assert_int_equal(hol__klu_factor(klu, x), HOL_SINGULAR);
    hol__klu_free(klu);
    hol_context_free(ctx);
}

/* Complete orthogonal decomposition against singular values, for tall, wide and rank-deficient
 * matrices. */
static void finds_pseudoinverse(void **state) {
    hol_context *ctx = hol_context_new();
    (void)state;
    static const int shape[][3] = {{9, 5, 5},  {5, 9, 5}, {8, 7, 4},
                                   {6, 11, 3}, {4, 4, 0}, {6, 6, 6}};
    uint64_t seed = 31415926;
    for (size_t t = 0; t < sizeof shape / sizeof *shape; t++) {
        const int m = shape[t][0], n = shape[t][1], r = shape[t][2];
        hol__arena arena;
        hol__arena_init(&arena, ctx);
        hol__cod *cod = hol__cod_new(&arena, m, n);
        hol__svd *svd = hol__svd_new(&arena, m, n);
        double left[100], right[100], b[12], c[12], x[12], y[12], ref[12];
        for (int k = 0; k < m * r; k++) left[k] = uniform(&seed);
        for (int k = 0; k < n * r; k++) right[k] = uniform(&seed);
        hol__dense_product(0, 1, m, n, r, left, right, svd->a);
        memcpy(cod->qr->a, svd->a, (size_t)(m * n) * sizeof(double));
        assert_int_equal(hol__svd_factor(svd), 0);
        assert_int_equal(hol__cod_factor(cod), 0);
        assert_int_equal(hol__cod_rank(cod, 1e-12), r);
        hol__cod_truncate(cod, r);
        for (int i = 0; i < m; i++) b[i] = uniform(&seed);
        for (int j = 0; j < n; j++) c[j] = uniform(&seed), ref[j] = 0;
        for (int k = 0; k < r; k++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    ref[j] += svd->vt[j * n + k] * svd->u[k * m + i] * b[i] / svd->s[k];
        hol__cod_solve(cod, b, x);
        /* Random factors of these sizes have condition numbers below 1e3. */
        assert_true(difference(n, x, ref) < 1e-11);
        for (int i = 0; i < m; i++) ref[i] = 0;
        for (int k = 0; k < r; k++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    ref[i] += svd->u[k * m + i] * svd->vt[j * n + k] * c[j] / svd->s[k];
        hol__cod_solve_t(cod, c, y);
        assert_true(difference(m, y, ref) < 1e-11);
        /* Null vectors have unit length and are orthogonal to the right singular vectors. */
        for (int k = 0; k < n - r; k++) {
            double length = 0, most = 0;
            hol__cod_null_vector(cod, k, x);
            for (int j = 0; j < n; j++) length += x[j] * x[j];
            for (int q = 0; q < r; q++) {
                double dot = 0;
                for (int j = 0; j < n; j++) dot += svd->vt[j * n + q] * x[j];
                most = fmax(most, fabs(dot));
            }
            assert_true(fabs(length - 1) < 1e-13 && most < 1e-12);
        }
        for (int q = 0; q < r; q++) {
            memcpy(y, svd->u + q * m, (size_t)m * sizeof *y);
            hol__cod_outside_range(cod, y);
            assert_true(difference(m, y, NULL) < 1e-12);
        }
        hol__arena_free(&arena);
    }
    hol_context_free(ctx);
}

/* Sparse products against dense ones. */
static void multiplies(void **state) {
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    (void)state;
    hol__arena_init(&arena, ctx);
    uint64_t seed = 8675309;
    double dense[5 * 7], again[5 * 7], x[7], z[5], y[7], ref[7];
    for (int k = 0; k < 35; k++) dense[k] = uniform(&seed) > 0 ? uniform(&seed) : 0;
    for (int j = 0; j < 7; j++) x[j] = uniform(&seed);
    for (int i = 0; i < 5; i++) z[i] = uniform(&seed);
    const hol__csr A = csr_of(&arena, 5, 7, dense, 3);
    hol__csr_to_dense(&A, again);
    assert_true(difference(35, dense, again) == 0);
    for (int i = 0; i < 5; i++) {
        ref[i] = 0;
        for (int j = 0; j < 7; j++) ref[i] += dense[i * 7 + j] * x[j];
    }
    hol__csr_mul(&A, x, y);
    assert_true(difference(5, y, ref) < 1e-15);
    hol__csr_mul_add(&A, -1, x, y);
    assert_true(difference(5, y, NULL) < 1e-15);
    for (int j = 0; j < 7; j++) {
        ref[j] = 0;
        for (int i = 0; i < 5; i++) ref[j] += dense[i * 7 + j] * z[i];
    }
    hol__csr_mul_t(&A, z, y);
    assert_true(difference(7, y, ref) < 1e-15);
    hol__csr_mul_t_add(&A, -1, z, y);
    assert_true(difference(7, y, NULL) < 1e-15);
    hol__csr *like = hol__csr_like(&arena, &A);
    assert_non_null(like);
    assert_memory_equal(like->idx, A.idx, (size_t)A.ptr[5] * sizeof *A.idx);
    assert_memory_equal(like->live, A.live, (size_t)A.ptr[5]);
    assert_true(like->x != A.x);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiplies),
        cmocka_unit_test(factors_with_targets),
        cmocka_unit_test(factors_by_rows),
        cmocka_unit_test(drops_dependent_rows),
        cmocka_unit_test(orders_with_precedence),
        cmocka_unit_test(orders_by_degree),
        cmocka_unit_test(factors_unsymmetric),
        cmocka_unit_test(finds_pseudoinverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
