/* test_kernel_life.c: kernels with numbers that are not finite, their memory, and their table. */
#include <float.h>

#include "kernel_fixture.h"

/* Values that are not finite are told, and the next good ones are solved. */
static void check_not_finite(rig *r) {
    uint64_t seed = 33333;
    sample s = new_sample(&r->arena, 9, 5, BLOCKS, &seed);
    to_sparse(&r->arena, &s);
    hol__kernel *kernel = new_kernel(r, &s);
    const int at = s.As.ptr[2];
    for (int k = 0; k < 2; k++) {
        const double keep = s.As.x[at];
        s.As.x[at] = k ? INFINITY : NAN;
        s.As.live[at] = 1;
        assert_int_equal(hol__kernel_factor(kernel, &s.Ws, &s.As), HOL_NONFINITE);
        s.As.x[at] = keep;
        compare(r, kernel, &s, 1e-12);
    }
    hol__kernel_free(kernel);
}

/* 300 factorisations with changing values, through regular and flat states: correct, and nothing is
 * allocated on the way. */
static void check_no_allocation(rig *r) {
    counting c;
    hol_context *ctx = counting_context(&c);
    hol__arena arena;
    linkage l;
    hol__arena_init(&arena, ctx);
    linkage_four_bars(&arena, &l, 3);
    hol__kernel *kernel;
    double f[64], x[64], b[64], mu[64], angle[32], y[64];
    for (int i = 0; i < l.W.rows; i++) f[i] = cos(2.7 * i);
    assert_int_equal(hol__kernel_new(ctx, r->type, &l.W, &l.A, &r->options, &kernel), HOL_OK);
    const long made = c.made;
    for (int step = 0; step <= 300; step++) {
        for (int i = 0; i < l.bodies; i++) angle[i] = i <= 3 ? 0.01 * (step - 150) : 0;
        linkage_fill(&l, angle);
        hol__csr_mul(&l.A, f, b);
        assert_int_equal(hol__kernel_factor(kernel, &l.W, &l.A), HOL_OK);
        assert_int_equal(hol__kernel_solve(kernel, f, b, x, mu), HOL_OK);
        hol__csr_mul(&l.A, x, y);
        /* The part of b in weak directions is as small as they are: the penalty kernel violates it
         * by mu / alpha all the same, the iterated one not. A W^-1 A^T has a weak direction by the
         * square of the angle, so that its rounding stands there over that; at 0, where the
         * direction is given up, nothing does. */
        const double weak = step == 150 ? 1 : angle[0] * angle[0];
        assert_true(difference(l.A.rows, y, b) < allowed(r, fmax(1e-13, DBL_EPSILON / weak)));
    }
    assert_int_equal(c.made, made);
    if (!has(r, HOL__KERNEL_SMOOTH))
        assert_true(kernel->info.fallbacks >= 1 && kernel->info.fallbacks < 20);
    hol__kernel_free(kernel);
    hol__arena_free(&arena);
    hol_context_free(ctx);
    assert_int_equal(c.live, 0);
}

/* Refusing every allocation in turn: NULL, HOL_ERR_MEMORY, nothing left behind. */
static void check_lack_of_memory(rig *r) {
    counting c;
    hol_context *ctx = counting_context(&c);
    hol__arena arena;
    linkage l;
    hol__arena_init(&arena, ctx);
    linkage_four_bars(&arena, &l, 9);
    for (long fail = 1;; fail++) {
        hol__kernel *kernel = NULL;
        const long live = c.live;
        c.made = 0;
        c.fail_at = fail;
        const hol_status status = hol__kernel_new(ctx, r->type, &l.W, &l.A, &r->options, &kernel);
        c.fail_at = 0;
        hol_message_clear(ctx);
        if (status == HOL_OK) {
            hol__kernel_free(kernel);
            assert_int_equal(c.live, live);
            assert_true(fail > 3);
            break;
        }
        assert_int_equal(status, HOL_ERR_MEMORY);
        assert_null(kernel);
        assert_int_equal(c.live, live);
    }
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* Factor and solve a linkage whose bodies 0 … 3 stand at this angle. */
static void solve_at(hol__kernel *kernel, linkage *l, double angle, double *x, double *mu) {
    double f[64], b[64], all[32] = {0};
    for (int i = 0; i < 4; i++) all[i] = angle;
    linkage_fill(l, all);
    for (int i = 0; i < l->W.rows; i++) f[i] = cos(2.7 * i);
    hol__csr_mul(&l->A, f, b);
    assert_int_equal(hol__kernel_factor(kernel, &l->W, &l->A), HOL_OK);
    assert_int_equal(hol__kernel_solve(kernel, f, b, x, mu), HOL_OK);
}

/* Solve with both at the angle; whether x and mu are the same bits. */
static int agree_at(hol__kernel *one, hol__kernel *other, linkage *l, double angle) {
    double x[64], mu[64], y[64], nu[64];
    solve_at(one, l, angle, x, mu);
    solve_at(other, l, angle, y, nu);
    return memcmp(x, y, sizeof *x * (size_t)l->W.rows) == 0 &&
           memcmp(mu, nu, sizeof *mu * (size_t)l->A.rows) == 0;
}

/* A kernel that has come through the flat state, where directions are given up, holds on to that;
 * another that remembers the same solves with the same bits from there on, also with a massless
 * turn (pivots by LU), and one that is told to forget is as new. */
static void check_memory(rig *r) {
    for (int massless = 0; massless < 2; massless++) {
        linkage l;
        hol__kernel *old, *other, *fresh;
        double x[64], mu[64];
        if (massless && !has(r, HOL__KERNEL_SINGULAR_MASS)) continue;
        linkage_four_bars(&r->arena, &l, 3);
        if (massless) l.W.x[2] = l.W.x[5] = 0;
        r->options.release_tolerance = 0.1;
        assert_int_equal(hol__kernel_new(r->ctx, r->type, &l.W, &l.A, &r->options, &old), HOL_OK);
        assert_int_equal(hol__kernel_new(r->ctx, r->type, &l.W, &l.A, &r->options, &other), HOL_OK);
        assert_int_equal(hol__kernel_new(r->ctx, r->type, &l.W, &l.A, &r->options, &fresh), HOL_OK);
        for (int k = -3; k <= 1; k++) solve_at(old, &l, 0.013 * k, x, mu);
        solve_at(other, &l, 0.9, x, mu);
        assert_int_equal(hol__kernel_remember_as(other, old), HOL_OK);
        for (int k = 2; k <= 40; k++) assert_true(agree_at(old, other, &l, 0.013 * k));
        for (int k = -3; k <= 1; k++) solve_at(other, &l, 0.013 * k, x, mu);
        assert_int_equal(hol__kernel_remember_as(other, NULL), HOL_OK);
        for (int k = 2; k <= 40; k++) assert_true(agree_at(fresh, other, &l, 0.013 * k));
        hol__kernel_free(old);
        hol__kernel_free(other);
        hol__kernel_free(fresh);
    }
}

/* Names, flags, and patterns that do not fit. */
static void has_a_table(void **state) {
    hol_context *ctx = hol_context_new();
    hol__kernel *kernel;
    (void)state;
    assert_ptr_equal(hol__kernel_find("kkt"), &hol__kernel_kkt);
    assert_ptr_equal(hol__kernel_find("schur"), &hol__kernel_schur);
    assert_ptr_equal(hol__kernel_find("penalty"), &hol__kernel_penalty);
    assert_ptr_equal(hol__kernel_find("augmented-lagrangian"), &hol__kernel_augmented_lagrangian);
    assert_ptr_equal(hol__kernel_find("udwadia-kalaba"), &hol__kernel_udwadia_kalaba);
    assert_ptr_equal(hol__kernel_find("nullspace"), &hol__kernel_nullspace);
    assert_null(hol__kernel_find("kk"));
    assert_null(hol__kernel_get(-1));
    for (int t = 0; hol__kernel_get(t); t++)
        assert_ptr_equal(hol__kernel_find(hol__kernel_get(t)->name), hol__kernel_get(t));
    int ptr[] = {0, 1, 2}, idx[] = {0, 1};
    double x[] = {1.1, 2.3};
    const hol__csr W = {.rows = 2, .cols = 2, .ptr = ptr, .idx = idx, .x = x},
                   A = {.rows = 2, .cols = 3, .ptr = ptr, .idx = idx, .x = x};
    assert_int_equal(hol__kernel_new(ctx, &hol__kernel_kkt, &W, &A, NULL, &kernel),
                     HOL_ERR_ARGUMENT);
    assert_null(kernel);
    assert_int_equal(hol_message_count(ctx), 1);
    hol__kernel_free(NULL);
    hol_context_free(ctx);
}

OVER_ALL(not_finite)
OVER_ALL(no_allocation)
OVER_ALL(lack_of_memory)
OVER_ALL(memory)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_a_table),   cmocka_unit_test(not_finite),
        cmocka_unit_test(no_allocation), cmocka_unit_test(lack_of_memory),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
