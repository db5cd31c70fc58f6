/* basis.c: the table of bases, and what they share: unit rows, the memory of the rank, the
 * projection on the range of A, the count of changed coordinates. See basis.h.
 *
 * A^ = D A, null space of A^T = D times that of A^^T. S c solves A^ x = D c; A^T mu = g is solved
 * as A^^T y = g, mu = D y, less its part in the null space.
 */
#include "kernel/basis.h"

#include "kernel/saddle.h"

#include <math.h>
#include <string.h>

static const hol__basis_type *const types[] = {
    &hol__basis_qr,   &hol__basis_svd,       &hol__basis_eigen, &hol__basis_schur,
    &hol__basis_putd, &hol__basis_partition, &hol__basis_local,
};

enum { TYPES = sizeof types / sizeof *types };

const hol__basis_type *hol__basis_get(int i) {
    return i >= 0 && i < TYPES ? types[i] : NULL;
}

const hol__basis_type *hol__basis_find(const char *name) {
    for (int i = 0; i < TYPES; i++)
        if (strcmp(types[i]->name, name) == 0) return types[i];
    return NULL;
}

static hol__basis *new_basis(hol__arena *arena, const hol__basis_type *type,
                             const hol__blocks *blocks, const hol__csr *pattern, int n, int m,
                             double tolerance, double release) {
    const size_t sn = (size_t)n, sm = (size_t)m;
    hol__basis *b = HOL__NEW(arena, hol__basis);
    if (!b) return NULL;
    *b = (hol__basis){.type = type,
                      .n = n,
                      .m = m,
                      .tolerance = tolerance,
                      .release = release,
                      .share = 1,
                      .pattern = pattern,
                      .blocks = blocks};
    b->R = HOL__NEW_N(arena, double, sn *sn);
    b->N = HOL__NEW_N(arena, double, sm *sm);
    b->At = HOL__NEW_N(arena, double, sn *sm);
    b->scale = HOL__NEW_N(arena, double, 2 * sm);
    if (type->flags & HOL__BASIS_COORDINATES) {
        b->column = HOL__NEW_N(arena, int, n);
        b->was_dependent = HOL__NEW_N(arena, unsigned char, n);
    }
    if (arena->failed || type->create(b, arena) != HOL_OK) return NULL;
    b->s = b->scale + m;
    return b;
}

hol__basis *hol__basis_new(hol__arena *arena, const hol__basis_type *type, int n, int m,
                           double tolerance, double release) {
    return new_basis(arena, type, NULL, NULL, n, m, tolerance, release);
}

hol__basis *hol__basis_new_sparse(hol__arena *arena, const hol__basis_type *type, const hol__csr *A,
                                  double tolerance, double release) {
    return new_basis(arena, type, NULL, A, A->cols, A->rows, tolerance, release);
}

hol__basis *hol__basis_new_local(hol__arena *arena, const hol__blocks *blocks, int n,
                                 double tolerance, double release) {
    return new_basis(arena, &hol__basis_local, blocks, NULL, n, blocks->m, tolerance, release);
}

double hol__basis_limit(const hol__basis *b, int k) {
    return b->m - k - 1 < b->n_null ? b->release : b->tolerance;
}

int hol__basis_choose_rank(const hol__basis *b, const double *pivot, int count) {
    while (count > 0 && !(pivot[count - 1] > hol__basis_limit(b, count - 1))) count--;
    return count;
}

void hol__basis_row_scales(const hol__csr *A, double *scale) {
    for (int r = 0; r < A->rows; r++) {
        double sum = 0;
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++) sum += A->x[p] * A->x[p];
        scale[r] = sum > 0 ? 1 / sqrt(sum) : 1;
    }
}

void hol__basis_unit_rows(const hol__csr *A, double *At, double *scale) {
    const size_t n = (size_t)A->cols;
    memset(At, 0, n * (size_t)A->rows * sizeof *At);
    hol__basis_row_scales(A, scale);
    for (int r = 0; r < A->rows; r++) {
        double *a = At + (size_t)r * n;
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++) a[A->idx[p]] = A->x[p] * scale[r];
    }
}

/* Whether the set of independent coordinates is another one than before. */
static void count_switches(hol__basis *b) {
    int changed = 0;
    for (int k = 0; k < b->n; k++) {
        const unsigned char dependent = k < b->n_dependent;
        changed |= b->was_dependent[b->column[k]] != dependent;
        b->was_dependent[b->column[k]] = dependent;
    }
    if (changed && b->factorizations > 1) b->switches++;
}

/* N from what the factorisation left: D times it, orthonormal. */
static void finish_null_space(const hol__basis *b) {
    for (int k = 0; k < b->n_null; k++) {
        double *v = b->N + (size_t)k * (size_t)b->m;
        for (int i = 0; i < b->m; i++) v[i] *= b->scale[i];
    }
    hol__orthonormalise(b->m, b->n_null, b->N);
}

hol_status hol__basis_factor(hol__basis *b, const hol__csr *A) {
    if (!hol__csr_is_finite(A)) return HOL_NONFINITE;
    b->A = A;
    if (b->type->flags & HOL__BASIS_OWN_ROWS)
        hol__basis_row_scales(A, b->scale);
    else
        hol__basis_unit_rows(A, b->At, b->scale);
    b->share = 1;
    b->n_dependent = -1;
    const hol_status status = b->type->factor(b);
    if (status != HOL_OK) return status;
    if (b->n_dependent < 0) b->n_dependent = b->rank;
    b->n_null = b->m - b->rank;
    b->factorizations++;
    if (b->column) count_switches(b);
    finish_null_space(b);
    return HOL_OK;
}

void hol__basis_project(const hol__basis *b, const double *c, double *out) {
    for (int i = 0; i < b->m; i++) out[i] = c[i];
    hol__project_out(b->m, b->n_null, b->N, out);
}

void hol__basis_particular(hol__basis *b, const double *c, double *x) {
    for (int i = 0; i < b->m; i++) b->s[i] = b->scale[i] * c[i];
    b->type->solve(b, b->s, x);
}

void hol__basis_multipliers(hol__basis *b, const double *g, double *mu) {
    b->type->solve_t(b, g, mu);
    for (int i = 0; i < b->m; i++) mu[i] *= b->scale[i];
    hol__project_out(b->m, b->n_null, b->N, mu);
}

void hol__basis_remember(hol__basis *b, hol__archive *archive) {
    HOL__ARCHIVE(archive, b->n_null);
    HOL__ARCHIVE(archive, b->factorizations);
    HOL__ARCHIVE(archive, b->switches);
    if (b->was_dependent) HOL__ARCHIVE_N(archive, b->was_dependent, b->n);
    if (b->type->remember) b->type->remember(b, archive);
}
