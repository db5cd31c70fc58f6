/* kernel_fixture.h: shared by the tests of kernels: random systems of any rank, and a check over
 * every kernel, storage, basis and form. */
#ifndef HOL_TESTS_KERNEL_FIXTURE_H
#define HOL_TESTS_KERNEL_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/basis.h"
#include "kernel/kernel.h"
#include "la_support.h"
#include "linkages.h"

static const double eps = 2.220446049250313e-16;

/* A system with its dense copies. */
typedef struct sample {
    int n, m;
    double *W, *A, *f, *c; /* row-major */
    hol__csr Ws, As;
} sample;

typedef enum mass { DIAGONAL, BLOCKS, BAND } mass;

/* W: positive definite, L L^T of a unit-like lower triangle in blocks of 3 or 6, or in a band
 * across all columns. */
static inline void random_mass(sample *s, mass kind, hol__arena *arena, uint64_t *seed) {
    const int n = s->n;
    double *L = HOL__NEW_N(arena, double, (size_t)(n * n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const int joined = kind == DIAGONAL ? 0 : kind == BLOCKS ? i / 3 == j / 3 : i - j <= 2;
            L[i * n + j] = i == j ? 1.3 + 0.5 * uniform(seed) : joined ? 0.4 * uniform(seed) : 0;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            s->W[i * n + j] = 0;
            for (int k = 0; k < n; k++) s->W[i * n + j] += L[i * n + k] * L[j * n + k];
        }
}

static inline sample new_sample(hol__arena *arena, int n, int m, mass kind, uint64_t *seed) {
    sample s = {.n = n, .m = m};
    s.W = HOL__NEW_N(arena, double, n *n + 1);
    s.A = HOL__NEW_N(arena, double, n *m + 1);
    s.f = HOL__NEW_N(arena, double, n + 1);
    s.c = HOL__NEW_N(arena, double, m + 1);
    random_mass(&s, kind, arena, seed);
    for (int i = 0; i < m; i++) {
        /* A regular part on a stride of columns, and a few entries elsewhere. */
        s.A[i * n + (i * 7 + 3) % n] = 1.5 + 0.4 * uniform(seed);
        for (int k = 0; k < 3; k++)
            s.A[i * n + (int)(0.5 * (uniform(seed) + 1) * n) % n] += 0.6 * uniform(seed);
    }
    for (int i = 0; i < n; i++) s.f[i] = 3 * uniform(seed);
    for (int i = 0; i < m; i++) s.c[i] = 2 * uniform(seed);
    return s;
}

static inline void to_sparse(hol__arena *arena, sample *s) {
    s->Ws = csr_of(arena, s->n, s->n, s->W, 0);
    s->As = csr_of(arena, s->m, s->n, s->A, 5);
}

/* c becomes A times something: consistent. */
static inline void make_consistent(sample *s, uint64_t *seed) {
    double x[64];
    for (int j = 0; j < s->n; j++) x[j] = uniform(seed);
    for (int i = 0; i < s->m; i++) {
        s->c[i] = 0;
        for (int j = 0; j < s->n; j++) s->c[i] += s->A[i * s->n + j] * x[j];
    }
}

/* What a check needs for one kernel and storage. */
typedef struct rig {
    hol_context *ctx;
    hol__arena arena;
    const hol__kernel_type *type;
    hol__kernel_options options;
} rig;

/* Whether a kernel has this variant and no other one stands for it: udwadia-kalaba has two forms,
 * of which the first, the pseudoinverse, is dense. */
static inline int exists(const hol__kernel_type *type, int storage, int basis, int form) {
    const int uk = type == &hol__kernel_udwadia_kalaba;
    if (storage != HOL__STORAGE_AUTO && (!(type->flags & HOL__KERNEL_SPARSE) || (uk && !form)))
        return 0;
    return (type->flags & HOL__KERNEL_BASIS) || (basis == 0 && (form == 0 || uk));
}

/* Run a check for all kernels, storages, bases and forms. */
static inline void over_all(void (*check)(rig *r)) {
    for (int t = 0; hol__kernel_get(t); t++)
        for (int s = HOL__STORAGE_AUTO; s <= HOL__STORAGE_SPARSE; s++)
            for (int b = 0; hol__basis_get(b); b++)
                for (int form = HOL__NULLSPACE_REDUCED; form <= HOL__NULLSPACE_STACKED; form++) {
                    if (!exists(hol__kernel_get(t), s, b, form)) continue;
                    rig r = {.ctx = hol_context_new(),
                             .type = hol__kernel_get(t),
                             .options = {.storage = (hol__storage)s,
                                         .basis = hol__basis_get(b),
                                         .form = (hol__nullspace_form)form,
                                         .uk_form = (hol__uk_form)form}};
                    hol__arena_init(&r.arena, r.ctx);
                    check(&r);
                    assert_int_equal(hol_message_count(r.ctx), 0);
                    hol__arena_free(&r.arena);
                    hol_context_free(r.ctx);
                }
}

static inline int has(const rig *r, unsigned flag) {
    const int is_dense =
        r->type == &hol__kernel_udwadia_kalaba && r->options.uk_form == HOL__UK_PSEUDOINVERSE;
    return (r->type->flags & flag & ~(is_dense ? (unsigned)HOL__KERNEL_SPARSE : 0U)) != 0;
}

/* Whether the rig works with A^T A. */
static inline int is_squared(const rig *r) {
    return has(r, HOL__KERNEL_BASIS) && (r->options.basis->flags & HOL__BASIS_SQUARED);
}

/* What may be asked instead of a tolerance near rounding. Penalty: the violation is mu / alpha and
 * moves x by mu / (alpha sigma^2); with |mu| < 10 and sigma^2 > 1e-2 in the systems below this is
 * 1e-4 at the default penalty. Augmented Lagrangian: mu follows from A^T mu = f - W x, which
 * enlarges the rounding of x by 1/sigma. */
static inline double allowed(const rig *r, double tolerance) {
    if (has(r, HOL__KERNEL_APPROXIMATE)) return 1e3 / HOL__KERNEL_PENALTY;
    return has(r, HOL__KERNEL_SMOOTH) ? 5 * tolerance : tolerance;
}

static inline hol__kernel *new_kernel(rig *r, const sample *s) {
    hol__kernel *kernel;
    assert_int_equal(hol__kernel_new(r->ctx, r->type, &s->Ws, &s->As, &r->options, &kernel),
                     HOL_OK);
    return kernel;
}

/* Factor and solve, compare with the reference; returns the rank that the kernel found. */
static inline int compare(rig *r, hol__kernel *kernel, const sample *s, double tolerance) {
    double x[64], mu[64], ref_x[64], ref_mu[64];
    assert_int_equal(hol__kernel_factor(kernel, &s->Ws, &s->As), HOL_OK);
    assert_int_equal(hol__kernel_solve(kernel, s->f, s->c, x, mu), HOL_OK);
    const int rank =
        reference_solve(&r->arena, s->n, s->m, s->W, s->A, s->f, s->c, 1e-10, ref_x, ref_mu);
    assert_true(rank >= 0);
    assert_true(difference(s->n, x, ref_x) < allowed(r, tolerance));
    assert_true(difference(s->m, mu, ref_mu) < allowed(r, tolerance));
    assert_int_equal(kernel->info.rank, has(r, HOL__KERNEL_SMOOTH) ? s->m : rank);
    return rank;
}

/* A test that makes its check over all of them. */
#define OVER_ALL(name)                                                                             \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        over_all(check_##name);                                                                    \
    }

#endif
