/* test_penalty.c: what is particular to the kernels over W + A^T alpha A: accuracy over penalty and
 * iterations, counts, minimum norm with inconsistent constraints, smooth passage through singular
 * positions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/kernel.h"
#include "la_support.h"
#include "linkages.h"

/* A double pendulum in natural coordinates with loads: n = 4, m = 2. */
typedef struct pendulum {
    hol_context *ctx;
    hol__arena arena;
    linkage l;
    double f[4], c[2];
    double x[4], mu[2]; /* exact, by kkt */
} pendulum;

/* Solve with a kernel and options; returns the iterations that were made. */
static long solve(hol_context *ctx, const hol__kernel_type *type, const hol__kernel_options *o,
                  const hol__csr *W, const hol__csr *A, const double *f, const double *c, double *x,
                  double *mu) {
    hol__kernel *kernel;
    assert_int_equal(hol__kernel_new(ctx, type, W, A, o, &kernel), HOL_OK);
    assert_int_equal(hol__kernel_factor(kernel, W, A), HOL_OK);
    assert_int_equal(hol__kernel_solve(kernel, f, c, x, mu), HOL_OK);
    const long iterations = kernel->info.iterations;
    hol__kernel_free(kernel);
    return iterations;
}

/* The same for the pendulum. */
static long solve_pendulum(const pendulum *p, const hol__kernel_type *type,
                           const hol__kernel_options *o, double x[4], double mu[2]) {
    return solve(p->ctx, type, o, &p->l.W, &p->l.A, p->f, p->c, x, mu);
}

static void open_pendulum(pendulum *p) {
    p->ctx = hol_context_new();
    hol__arena_init(&p->arena, p->ctx);
    linkage_natural(&p->arena, &p->l, 2);
    for (int i = 0; i < 4; i++) p->f[i] = i % 2 ? -9.81 * (i == 1 ? 1 : 0.5) : 0.37 * i;
    p->c[0] = -1.385;
    p->c[1] = -0.717;
    solve_pendulum(p, &hol__kernel_kkt, NULL, p->x, p->mu);
}

static void close_pendulum(pendulum *p) {
    hol__arena_free(&p->arena);
    hol_context_free(p->ctx);
}

/* The pattern of [GJB table 5.1]: errors over penalty and iterations. */
static void follows_the_table(void **state) {
    pendulum p;
    (void)state;
    open_pendulum(&p);
    for (int storage = HOL__STORAGE_DENSE; storage <= HOL__STORAGE_SPARSE; storage++)
        for (int power = 1; power <= 11; power += 2)
            for (int iterations = 0; iterations <= 2; iterations++) {
                const double penalty = pow(10, power);
                const hol__kernel_options o = {.storage = (hol__storage)storage,
                                               .penalty = penalty,
                                               .iteration_tolerance = -1,
                                               .max_iterations = iterations};
                double x[4], mu[2];
                const long made = solve_pendulum(&p, &hol__kernel_augmented_lagrangian, &o, x, mu);
                assert_int_equal(made, iterations);
                /* An error shrinks by 1 / (1 + penalty sigma^2) an iteration; sigma^2 > 0.5 in the
                 * metric of W / max W, |mu| < 20 to begin with. Rounding in W + A^T alpha A enters
                 * as penalty * eps, 1e-3 for the last penalty with a factor of 40, and is refined
                 * by each iteration too. */
                const double shrink = pow(1 / (1 + 0.5 * penalty), iterations + 1),
                             rounding = pow(1e-14 * penalty, iterations + 1) + 1e-13;
                assert_true(difference(4, x, p.x) < 20 * shrink + rounding);
                assert_true(difference(2, mu, p.mu) < 20 * shrink + rounding + 1e-12);
                /* The error is really there. */
                if (power <= 3) assert_true(difference(4, x, p.x) > 0.1 * shrink);
            }
    close_pendulum(&p);
}

/* The penalty kernel is the augmented Lagrangian without iterations, and its error is 1/alpha until
 * rounding. */
static void penalty_error_is_inverse(void **state) {
    pendulum p;
    (void)state;
    open_pendulum(&p);
    for (int storage = HOL__STORAGE_DENSE; storage <= HOL__STORAGE_SPARSE; storage++) {
        double scaled = 0;
        for (int power = 2; power <= 12; power++) {
            const double penalty = pow(10, power);
            const hol__kernel_options o = {
                .storage = (hol__storage)storage, .penalty = penalty, .iteration_tolerance = -1};
            double x[4], mu[2], y[4], nu[2];
            solve_pendulum(&p, &hol__kernel_penalty, &o, x, mu);
            solve_pendulum(&p, &hol__kernel_augmented_lagrangian, &o, y, nu);
            const double error = difference(4, x, p.x);
            /* The penalty kernel refines away the rounding, about penalty * eps. */
            assert_true(difference(4, x, y) < 1e-14 * penalty + 1e-13);
            if (power == 4) scaled = error * penalty;
            if (power > 4 && power < 11) assert_true(fabs(error * penalty / scaled - 1) < 0.01);
            assert_true(error < 20 / penalty + 1e-12);
            assert_true(difference(2, mu, p.mu) < 200 / penalty + 1e-11);
        }
    }
    close_pendulum(&p);
}

/* Penalties by row [GJB 5.31]: with one number in all rows the same bits as without, with others
 * (W + A^T diag(alpha) A) x = f + A^T diag(alpha) c, and multipliers alpha (A x - c), in both
 * storages. Rounding enters with the largest penalty, 1e5 times eps, and a few operations; the
 * multipliers of the penalty kernel are those of a share of 10 over the smallest. */
static void penalties_by_row(void **state) {
    const double same[2] = {3e4, 3e4}, own[2] = {1e5, 40}, half[2] = {1e5, NAN};
    pendulum p;
    (void)state;
    open_pendulum(&p);
    double mass = 0;
    for (int i = 0; i < p.l.W.ptr[4]; i++) mass = fmax(mass, fabs(p.l.W.x[i]));
    for (int storage = HOL__STORAGE_DENSE; storage <= HOL__STORAGE_SPARSE; storage++) {
        hol__kernel_options o = {.storage = (hol__storage)storage, .penalty = 3e4};
        double x[4], mu[2], y[4], nu[2], Wx[4];
        solve_pendulum(&p, &hol__kernel_penalty, &o, x, mu);
        o.penalties = same;
        solve_pendulum(&p, &hol__kernel_penalty, &o, y, nu);
        assert_memory_equal(x, y, sizeof x);
        for (int k = 0; k < 2; k++) {
            o.penalty = k ? 40 : 7;
            o.penalties = k ? half : own;
            solve_pendulum(&p, &hol__kernel_penalty, &o, x, mu);
            hol__csr_mul(&p.l.W, x, Wx);
            double r[2] = {-p.c[0], -p.c[1]};
            hol__csr_mul_add(&p.l.A, 1, x, r);
            for (int i = 0; i < 2; i++) r[i] *= own[i] * mass;
            hol__csr_mul_t_add(&p.l.A, 1, r, Wx);
            assert_true(difference(4, Wx, p.f) < 1e-8);
            assert_true(difference(2, r, mu) < 10.0 / 40 * (fabs(r[0]) + fabs(r[1])));
        }
        o.penalty = 1e5;
        o.penalties = own;
        solve_pendulum(&p, &hol__kernel_augmented_lagrangian, &o, x, mu);
        assert_true(difference(4, x, p.x) < 1e-9 && difference(2, mu, p.mu) < 1e-8);
    }
    close_pendulum(&p);
}

/* By the tolerance: few iterations at a large penalty, more at a small one, right in all cases. */
static void counts_iterations(void **state) {
    pendulum p;
    (void)state;
    open_pendulum(&p);
    long before = 1000;
    for (int power = 1; power <= 9; power += 2) {
        const hol__kernel_options o = {.penalty = pow(10, power)};
        double x[4], mu[2];
        const long made = solve_pendulum(&p, &hol__kernel_augmented_lagrangian, &o, x, mu);
        assert_true(made <= before && made >= 1);
        assert_true(difference(4, x, p.x) < 1e-11);
        assert_true(difference(2, mu, p.mu) < 1e-10);
        before = made;
    }
    assert_true(before <= 3);
    /* A loose tolerance saves iterations, a limit holds. Errors shrink by 1/6 and more an iteration
     * (sigma^2 > 0.5), so that a fifth of the last change is left at most. */
    const hol__kernel_options loose = {.penalty = 10, .iteration_tolerance = 1e-3},
                              exact = {.penalty = 10},
                              limited = {.penalty = 10, .max_iterations = 4};
    double x[4], y[4], mu[2];
    const long made = solve_pendulum(&p, &hol__kernel_augmented_lagrangian, &loose, x, mu);
    const long all = solve_pendulum(&p, &hol__kernel_augmented_lagrangian, &exact, y, mu);
    assert_true(made < all && difference(4, x, p.x) < 2e-4 && difference(4, x, p.x) > 1e-9);
    assert_int_equal(solve_pendulum(&p, &hol__kernel_augmented_lagrangian, &limited, x, mu), 4);
    close_pendulum(&p);
}

/* A flat four-bar is passed in steps of 1e-7: f pulls in the direction that is lost. x is bounded
 * and continuous, where an exact solution jumps. */
static void passes_singular_positions(void **state) {
    (void)state;
    const hol__kernel_type *types[] = {&hol__kernel_penalty, &hol__kernel_augmented_lagrangian};
    for (int t = 0; t < 2; t++)
        for (int storage = HOL__STORAGE_DENSE; storage <= HOL__STORAGE_SPARSE; storage++) {
            hol_context *ctx = hol_context_new();
            hol__arena arena;
            linkage l;
            hol__arena_init(&arena, ctx);
            linkage_four_bars(&arena, &l, 1);
            const hol__kernel_options o = {.storage = (hol__storage)storage};
            hol__kernel *kernel;
            double f[9], smooth[9], c[8], x[9], last[9] = {0}, first[9] = {0}, angle[3] = {0},
                                                mu[8];
            double jump = 0, spread = 0, size = 0;
            for (int i = 0; i < 9; i++) {
                f[i] = cos(2.7 * i + 0.3);
                smooth[i] = sin(1.9 * i + 0.3);
            }
            assert_int_equal(hol__kernel_new(ctx, types[t], &l.W, &l.A, &o, &kernel), HOL_OK);
            for (int step = -3000; step <= 3000; step++) {
                angle[0] = 1e-7 * step;
                angle[1] = 1.3e-7 * step;
                linkage_fill(&l, angle);
                hol__csr_mul(&l.A, smooth, c);
                assert_int_equal(hol__kernel_factor(kernel, &l.W, &l.A), HOL_OK);
                assert_int_equal(hol__kernel_solve(kernel, f, c, x, mu), HOL_OK);
                if (step == -3000) memcpy(first, x, sizeof x);
                if (step > -3000) jump = fmax(jump, difference(9, x, last));
                spread = fmax(spread, difference(9, x, first));
                size = fmax(size, difference(9, x, NULL));
                memcpy(last, x, sizeof x);
            }
            assert_true(spread > 0.1 && size < 20);
            assert_true(jump < 0.02);
            hol__kernel_free(kernel);
            hol__arena_free(&arena);
            hol_context_free(ctx);
        }
}

/* Redundant rows that contradict each other by 0.3: mu still has minimum norm, x is the compromise,
 * the same whether mu is asked for or not. */
static void settles_contradictions(void **state) {
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    linkage l;
    (void)state;
    hol__arena_init(&arena, ctx);
    linkage_redundant(&arena, &l, 2);
    const double angle[3] = {1.13, 0.21, -0.93};
    linkage_fill(&l, angle);
    double f[9], c[12], x[9], y[9], z[9], mu[12], nu[12];
    for (int i = 0; i < 9; i++) f[i] = 4 * cos(1.7 * i);
    for (int i = 0; i < 12; i++) c[i] = sin(2.3 * i) + (i > 9 ? 0.3 : 0);
    solve(ctx, &hol__kernel_kkt, NULL, &l.W, &l.A, f, c, x, mu);
    for (int storage = HOL__STORAGE_DENSE; storage <= HOL__STORAGE_SPARSE; storage++) {
        const hol__kernel_options o = {.storage = (hol__storage)storage};
        solve(ctx, &hol__kernel_augmented_lagrangian, &o, &l.W, &l.A, f, c, y, nu);
        solve(ctx, &hol__kernel_augmented_lagrangian, &o, &l.W, &l.A, f, c, z, NULL);
        assert_true(difference(9, x, y) < 1e-11 && difference(12, mu, nu) < 1e-11);
        assert_memory_equal(y, z, sizeof y);
        solve(ctx, &hol__kernel_penalty, &o, &l.W, &l.A, f, c, y, nu);
        assert_true(difference(9, x, y) < 1e-4 && difference(12, mu, nu) < 1e-4);
    }
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* A massless column that no constraint holds is told. */
static void tells_undetermined_motion(void **state) {
    hol_context *ctx = hol_context_new();
    (void)state;
    int w_ptr[] = {0, 1, 2, 3}, w_idx[] = {0, 1, 2}, a_ptr[] = {0, 2}, a_idx[] = {0, 1};
    double w[] = {1.7, 0.9, 0}, a[] = {0.8, -1.2};
    const hol__csr W = {.rows = 3, .cols = 3, .ptr = w_ptr, .idx = w_idx, .x = w},
                   A = {.rows = 1, .cols = 3, .ptr = a_ptr, .idx = a_idx, .x = a};
    for (int storage = HOL__STORAGE_DENSE; storage <= HOL__STORAGE_SPARSE; storage++) {
        const hol__kernel_options o = {.storage = (hol__storage)storage};
        hol__kernel *kernel;
        assert_int_equal(hol__kernel_new(ctx, &hol__kernel_penalty, &W, &A, &o, &kernel), HOL_OK);
        assert_int_equal(hol__kernel_factor(kernel, &W, &A), HOL_SINGULAR);
        hol__kernel_free(kernel);
    }
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_table),         cmocka_unit_test(penalty_error_is_inverse),
        cmocka_unit_test(counts_iterations),         cmocka_unit_test(penalties_by_row),
        cmocka_unit_test(passes_singular_positions), cmocka_unit_test(settles_contradictions),
        cmocka_unit_test(tells_undetermined_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
