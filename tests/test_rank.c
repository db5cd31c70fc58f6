/* test_rank.c: rank, redundant rows and multipliers that are not unique, of small, long and
 * looped systems. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "la/rank.h"
#include "la_support.h"
#include "linkages.h"

enum { MOST = 7000 };

static unsigned char redundant[MOST], undetermined[MOST];

static hol__rank_result analyse(hol_context *ctx, const hol__csr *A) {
    hol__rank_result r = {.redundant = redundant, .undetermined = undetermined};
    assert_true(A->rows <= MOST);
    assert_int_equal(hol__rank_analyse(ctx, A, 0, &r), HOL_OK);
    return r;
}

static int count(const unsigned char *flags, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += flags[i];
    return sum;
}

/* Random rows of very different lengths, some of them combinations of others. */
static void finds_combinations(void **state) {
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    (void)state;
    hol__arena_init(&arena, ctx);
    enum { M = 9, N = 12 };
    uint64_t seed = 20240229;
    double a[M * N] = {0};
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) a[i * N + j] = uniform(&seed) > 0.1 ? uniform(&seed) : 0;
    /* Row 4 = combination of 1 and 2; row 7 = multiple of row 0, in other units. */
    for (int j = 0; j < N; j++) {
        a[4 * N + j] = 0.731 * a[1 * N + j] - 2.385 * a[2 * N + j];
        a[7 * N + j] = 1e7 * a[j];
        a[5 * N + j] *= 1e-6;
    }
    const hol__csr A = csr_of(&arena, M, N, a, 4);
    const hol__rank_result r = analyse(ctx, &A);
    assert_int_equal(r.rank, M - 2);
    const unsigned char late[M] = {0, 0, 0, 0, 1, 0, 0, 1, 0},
                        loose[M] = {1, 1, 1, 0, 1, 0, 0, 1, 0};
    assert_memory_equal(redundant, late, M);
    assert_memory_equal(undetermined, loose, M);
    assert_true(r.smallest > 1e-4 && r.largest_dropped < 1e-14);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* No rows, a row of zeros, a row that is not finite. */
static void takes_odd_input(void **state) {
    hol_context *ctx = hol_context_new();
    (void)state;
    int ptr[] = {0, 0, 2}, idx[] = {0, 2};
    double x[] = {0.3, -1.9};
    hol__csr A = {.rows = 0, .cols = 3, .ptr = ptr, .idx = idx, .x = x};
    assert_int_equal(analyse(ctx, &A).rank, 0);
    A.rows = 2;
    assert_int_equal(analyse(ctx, &A).rank, 1);
    assert_int_equal(redundant[0], 1);
    assert_int_equal(undetermined[0], 1);
    assert_int_equal(redundant[1] + undetermined[1], 0);
    x[1] = INFINITY;
    hol__rank_result r = {0};
    assert_int_equal(hol__rank_analyse(ctx, &A, 0, &r), HOL_NONFINITE);
    hol_context_free(ctx);
}

/* A chain of 1000 links has full rank and falls apart row by row: the dense part stays small. */
static void takes_long_chains(void **state) {
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    linkage l;
    (void)state;
    hol__arena_init(&arena, ctx);
    linkage_chain(&arena, &l, 1000, 1);
    double *angle = HOL__NEW_N(&arena, double, l.bodies);
    for (int i = 0; i < l.bodies; i++) angle[i] = 2.1 * sin(1.3 * i + 0.4);
    linkage_fill(&l, angle);
    hol__rank_result r = analyse(ctx, &l.A);
    assert_int_equal(r.components, 1);
    assert_int_equal(r.rank, l.A.rows);
    assert_true(r.largest_dense <= 200);
    assert_true(r.smallest > 1e-6);
    assert_int_equal(count(redundant, l.A.rows) + count(undetermined, l.A.rows), 0);
    /* All links horizontal, pinned at both ends: the horizontal rows are dependent, the vertical
     * ones are not. */
    for (int i = 0; i < l.bodies; i++) angle[i] = 0;
    linkage_fill(&l, angle);
    r = analyse(ctx, &l.A);
    assert_int_equal(r.rank, l.A.rows - 1);
    for (int i = 0; i < l.A.rows; i++) {
        assert_int_equal(undetermined[i], i % 2 == 0);
        assert_int_equal(redundant[i], i == l.A.rows - 2);
    }
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* N four-bars: regular when inclined, N directions lost when flat; the same by the dense and by
 * the sparse way. */
static void takes_many_loops(void **state) {
    hol_context *ctx = hol_context_new();
    (void)state;
    static const int sizes[] = {1, 5, 60, 250};
    for (int s = 0; s < 4; s++) {
        hol__arena arena;
        linkage l;
        hol__arena_init(&arena, ctx);
        const int N = sizes[s];
        linkage_four_bars(&arena, &l, N);
        double *angle = HOL__NEW_N(&arena, double, l.bodies);
        for (int flat = 0; flat < 2; flat++) {
            for (int i = 0; i < l.bodies; i++) angle[i] = i <= N && !flat ? 1.234 : 0;
            linkage_fill(&l, angle);
            const hol__rank_result r = analyse(ctx, &l.A);
            assert_int_equal(r.rank, l.A.rows - (flat ? N : 0));
            assert_int_equal(count(redundant, l.A.rows), flat ? N : 0);
            /* Flat: every horizontal row carries a reaction that is not unique, no vertical one
             * does. */
            for (int i = 0; i < l.A.rows; i++)
                assert_int_equal(undetermined[i], flat && i % 2 == 0);
            if (N == 250) assert_true(r.largest_dense <= 200 + N);
        }
        hol__arena_free(&arena);
    }
    hol_context_free(ctx);
}

/* Without the redundant rows the rank is the same: they can really be left out. */
static void redundant_rows_can_go(void **state) {
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    linkage l;
    (void)state;
    hol__arena_init(&arena, ctx);
    linkage_four_bars(&arena, &l, 170);
    double *angle = HOL__NEW_N(&arena, double, l.bodies);
    linkage_fill(&l, angle);
    const int rank = analyse(ctx, &l.A).rank;
    hol__csr B = {.cols = l.A.cols, .ptr = HOL__NEW_N(&arena, int, l.A.rows + 1)};
    B.idx = HOL__NEW_N(&arena, int, l.A.ptr[l.A.rows]);
    B.x = HOL__NEW_N(&arena, double, l.A.ptr[l.A.rows]);
    int e = 0;
    for (int i = 0; i < l.A.rows; i++) {
        if (redundant[i]) continue;
        for (int p = l.A.ptr[i]; p < l.A.ptr[i + 1]; p++, e++)
            B.idx[e] = l.A.idx[p], B.x[e] = l.A.x[p];
        B.ptr[++B.rows] = e;
    }
    assert_int_equal(B.rows, rank);
    assert_int_equal(analyse(ctx, &B).rank, rank);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* Refusing every allocation in turn gives HOL_ERR_MEMORY and leaves nothing behind. */
static void survives_lack_of_memory(void **state) {
    counting c;
    hol_context *ctx = counting_context(&c);
    (void)state;
    hol__arena arena;
    linkage l;
    hol__arena_init(&arena, ctx);
    linkage_four_bars(&arena, &l, 110);
    double *angle = HOL__NEW_N(&arena, double, l.bodies);
    linkage_fill(&l, angle);
    for (long fail = 1;; fail++) {
        hol__rank_result r = {.redundant = redundant};
        const long live = c.live;
        c.made = 0;
        c.fail_at = fail;
        const hol_status status = hol__rank_analyse(ctx, &l.A, 0, &r);
        c.fail_at = 0;
        hol_message_clear(ctx);
        assert_int_equal(c.live, live);
        if (status == HOL_OK) break;
        assert_int_equal(status, HOL_ERR_MEMORY);
        assert_true(fail < 10000);
    }
    hol__arena_free(&arena);
    hol_context_free(ctx);
    assert_int_equal(c.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_combinations),    cmocka_unit_test(takes_odd_input),
        cmocka_unit_test(takes_long_chains),     cmocka_unit_test(takes_many_loops),
        cmocka_unit_test(redundant_rows_can_go), cmocka_unit_test(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
