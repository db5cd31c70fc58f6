/* open_chain.c: the constrained solve by the velocity transformation of an open chain [GJB 5.89 to
 * 5.92].
 *
 * The rows of A are those of the open chain, A1, and those that were cut, A2 (options.cut). With R1
 * and S1 of A1 (basis.h: A1 R1 = 0, A1 S1 = 1) and x = S1 c1 + R1 z
 *
 *     [R1^T W R1  (A2 R1)^T] [z  ]   [R1^T (f - W S1 c1)]
 *     [A2 R1          0    ] [mu2] = [c2 - A2 S1 c1     ]
 *
 * is the same problem over the coordinates of the open chain, few of them, and goes to a kernel kkt
 * of its own, which takes redundant rows and singular positions of the closure. mu1 follows from
 * A1^T mu1 = f - W x - A2^T mu2. Where all rows are cut (relative coordinates have no others) the
 * inner kernel is kkt over W and A themselves, bit for bit.
 * The rows A1 must be independent: HOL_SINGULAR where they are not.
 */
#include "kernel/basis.h"
#include "kernel/kernel.h"
#include "la/dense.h"
#include "la/tolerances.h"

#include <math.h>
#include <string.h>

typedef struct open_chain {
    int n, n1, m1, m2; /* n1 = n - m1 coordinates of the open chain */
    int *row1, *row2;  /* rows of A */
    const hol__csr *W, *A;
    hol__csr A1;           /* pattern of the rows of A, values here */
    hol__basis *basis;     /* of A1 */
    hol__kernel *inner;    /* over W2 and C2, or over W and A */
    hol__csr W2, C2;       /* R1^T W R1 and A2 R1, all entries */
    double *WR;            /* n x n1 */
    double *s, *g, *z;     /* n1, n, n1 */
    double *c1, *c2, *mu2; /* m each */
} open_chain;

/* A matrix with all its entries. */
static int full_matrix(hol__arena *arena, int rows, int cols, hol__csr *A) {
    const size_t count = (size_t)rows * (size_t)cols;
    *A = (hol__csr){.rows = rows,
                    .cols = cols,
                    .ptr = HOL__NEW_N(arena, int, rows + 1),
                    .idx = HOL__NEW_N(arena, int, count + 1),
                    .x = HOL__NEW_N(arena, double, count + 1)};
    if (arena->failed) return 0;
    for (int i = 0; i < rows; i++) {
        A->ptr[i + 1] = A->ptr[i] + cols;
        for (int j = 0; j < cols; j++) A->idx[A->ptr[i] + j] = j;
    }
    return 1;
}

/* Which rows are of the open chain and which were cut. */
static void split_rows(open_chain *s, const hol__csr *A, const unsigned char *cut) {
    for (int i = 0; i < A->rows; i++)
        if (cut[i])
            s->row2[s->m2++] = i;
        else
            s->row1[s->m1++] = i;
    s->n1 = s->n - s->m1;
}

/* The pattern of A1. */
static int make_open_rows(open_chain *s, hol__arena *arena, const hol__csr *A) {
    int count = 0;
    s->A1 = (hol__csr){.rows = s->m1, .cols = A->cols, .ptr = HOL__NEW_N(arena, int, s->m1 + 1)};
    if (arena->failed) return 0;
    for (int i = 0; i < s->m1; i++) {
        count += A->ptr[s->row1[i] + 1] - A->ptr[s->row1[i]];
        s->A1.ptr[i + 1] = count;
    }
    s->A1.idx = HOL__NEW_N(arena, int, count + 1);
    s->A1.x = HOL__NEW_N(arena, double, count + 1);
    if (arena->failed) return 0;
    for (int i = 0; i < s->m1; i++)
        memcpy(s->A1.idx + s->A1.ptr[i], A->idx + A->ptr[s->row1[i]],
               sizeof(int) * (size_t)(s->A1.ptr[i + 1] - s->A1.ptr[i]));
    return 1;
}

static hol_status create(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                         const hol__kernel_options *options) {
    hol__arena *arena = &kernel->arena;
    hol__kernel_options inner = *options;
    open_chain *s = kernel->self = HOL__NEW(arena, open_chain);
    if (!s) return HOL_ERR_MEMORY;
    inner.cut = NULL;
    inner.blocks = NULL;
    s->n = W->rows;
    s->row1 = HOL__NEW_N(arena, int, 2 * (size_t)A->rows + 1);
    if (!s->row1) return HOL_ERR_MEMORY;
    s->row2 = s->row1 + A->rows;
    if (options->cut) split_rows(s, A, options->cut);
    if (s->m1 == 0) return hol__kernel_new(arena->ctx, &hol__kernel_kkt, W, A, &inner, &s->inner);
    if (s->n1 < 0) return HOL_SINGULAR;
    s->basis = hol__basis_new(arena, options->basis, s->n, s->m1, options->rank_tolerance,
                              options->rank_tolerance);
    s->WR = HOL__NEW_N(arena, double, (size_t)s->n *(size_t)s->n1 + 1);
    s->s = HOL__NEW_N(arena, double, 3 * (size_t)s->n);
    s->c1 = HOL__NEW_N(arena, double, 3 * (size_t)A->rows);
    if (!s->basis || arena->failed || !make_open_rows(s, arena, A) ||
        !full_matrix(arena, s->n1, s->n1, &s->W2) || !full_matrix(arena, s->m2, s->n1, &s->C2))
        return HOL_ERR_MEMORY;
    s->g = s->s + s->n;
    s->z = s->g + s->n;
    s->c2 = s->c1 + A->rows;
    s->mu2 = s->c2 + A->rows;
    return hol__kernel_new(arena->ctx, &hol__kernel_kkt, &s->W2, &s->C2, &inner, &s->inner);
}

/* Row i of C2 = A2 R1. Where the open chain holds it by itself only rounding is left of the largest
 * of A2 and R1: it becomes zero, so that its direction is not taken for a constraint. */
static void close_row(open_chain *s, int i) {
    const hol__csr *A = s->A;
    const int row = s->row2[i], n1 = s->n1;
    double *out = s->C2.x + (size_t)i * (size_t)n1, size = 0, most = 0, left = 0;
    for (int k = A->ptr[row]; k < A->ptr[row + 1]; k++) size = fmax(size, fabs(A->x[k]));
    for (int j = 0; j < n1; j++) {
        const double *R = s->basis->R + (size_t)j * (size_t)s->n;
        out[j] = 0;
        for (int k = A->ptr[row]; k < A->ptr[row + 1]; k++) out[j] += A->x[k] * R[A->idx[k]];
        for (int k = 0; k < s->n; k++) most = fmax(most, fabs(R[k]));
        left = fmax(left, fabs(out[j]));
    }
    if (n1 && left < HOL__CANCELLED * size * most) memset(out, 0, sizeof *out * (size_t)n1);
}

/* A1 R1 = 0, then W2 = R1^T W R1 and C2 = A2 R1. */
static hol_status transform(open_chain *s) {
    const hol__csr *A = s->A;
    const size_t n = (size_t)s->n;
    for (int i = 0; i < s->m1; i++)
        memcpy(s->A1.x + s->A1.ptr[i], A->x + A->ptr[s->row1[i]],
               sizeof(double) * (size_t)(s->A1.ptr[i + 1] - s->A1.ptr[i]));
    const hol_status status = hol__basis_factor(s->basis, &s->A1);
    if (status) return status;
    if (s->basis->rank < s->m1) return HOL_SINGULAR;
    const double *R = s->basis->R;
    for (int j = 0; j < s->n1; j++) hol__csr_mul(s->W, R + (size_t)j * n, s->WR + (size_t)j * n);
    if (s->n1 > 0) hol__dense_product(1, 0, s->n1, s->n1, s->n, R, s->WR, s->W2.x);
    for (int i = 0; i < s->m2; i++) close_row(s, i);
    return HOL_OK;
}

/* What the inner kernel found, and what it counted since `before`. */
static void take_info(hol__kernel *kernel, const hol__kernel_info *before) {
    const open_chain *s = kernel->self;
    const hol__kernel_info *inner = &s->inner->info;
    hol__kernel_info *info = &kernel->info;
    info->form = inner->form;
    info->rank = s->m1 + inner->rank;
    info->condition = s->m1 ? fmin(inner->condition, s->basis->share) : inner->condition;
    info->refinements += inner->refinements - before->refinements;
    info->fallbacks += inner->fallbacks - before->fallbacks;
    if (s->m1) info->switches = s->basis->switches;
}

static hol_status factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    open_chain *s = kernel->self;
    const hol__kernel_info before = s->inner->info;
    const hol__csr *W2 = s->m1 ? &s->W2 : W, *C2 = s->m1 ? &s->C2 : A;
    s->W = W;
    s->A = A;
    hol_status status = s->m1 ? transform(s) : HOL_OK;
    if (s->m1 && kernel->again) s->basis->factorizations--;
    if (status) return status;
    status = kernel->again ? hol__kernel_factor_again(s->inner, W2, C2)
                           : hol__kernel_factor(s->inner, W2, C2);
    take_info(kernel, &before);
    return status;
}

/* out (m2) -= A2 x */
static void subtract_cut(const open_chain *s, const double *x, double *out) {
    const hol__csr *A = s->A;
    for (int i = 0; i < s->m2; i++)
        for (int k = A->ptr[s->row2[i]]; k < A->ptr[s->row2[i] + 1]; k++)
            out[i] -= A->x[k] * x[A->idx[k]];
}

/* out (n) -= A2^T mu2 */
static void subtract_cut_t(const open_chain *s, const double *mu2, double *out) {
    const hol__csr *A = s->A;
    for (int i = 0; i < s->m2; i++)
        for (int k = A->ptr[s->row2[i]]; k < A->ptr[s->row2[i] + 1]; k++)
            out[A->idx[k]] -= A->x[k] * mu2[i];
}

/* mu from x and mu2: A1^T mu1 = f - W x - A2^T mu2. */
static void multipliers(open_chain *s, const double *f, const double *x, double *mu) {
    for (int i = 0; i < s->n; i++) s->g[i] = f ? f[i] : 0;
    hol__csr_mul_add(s->W, -1, x, s->g);
    subtract_cut_t(s, s->mu2, s->g);
    hol__basis_multipliers(s->basis, s->g, s->c1);
    for (int i = 0; i < s->m1; i++) mu[s->row1[i]] = s->c1[i];
    for (int i = 0; i < s->m2; i++) mu[s->row2[i]] = s->mu2[i];
}

/* The whole solution by (5.92). */
static hol_status solve_open(open_chain *s, const double *f, const double *c, double *x,
                             double *mu) {
    const int n = s->n;
    const double *R = s->basis->R;
    for (int i = 0; i < s->m1; i++) s->c1[i] = c ? c[s->row1[i]] : 0;
    for (int i = 0; i < s->m2; i++) s->c2[i] = c ? c[s->row2[i]] : 0;
    hol__basis_particular(s->basis, s->c1, x);
    for (int i = 0; i < n; i++) s->g[i] = f ? f[i] : 0;
    hol__csr_mul_add(s->W, -1, x, s->g);
    subtract_cut(s, x, s->c2);
    if (s->n1 > 0) hol__dense_mul_t(n, s->n1, 1, R, s->g, 0, s->s);
    const hol_status status = hol__kernel_solve(s->inner, s->s, s->c2, s->z, s->mu2);
    if (status) return status;
    if (s->n1 > 0) hol__dense_mul(n, s->n1, 1, R, s->z, 1, x);
    if (mu) multipliers(s, f, x, mu);
    return HOL_OK;
}

static hol_status solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                        double *mu) {
    open_chain *s = kernel->self;
    const hol__kernel_info before = s->inner->info;
    const hol_status status =
        s->m1 ? solve_open(s, f, c, x, mu) : hol__kernel_solve(s->inner, f, c, x, mu);
    take_info(kernel, &before);
    return status;
}

static void destroy(hol__kernel *kernel) {
    open_chain *s = kernel->self;
    if (s) hol__kernel_free(s->inner);
}

static void remember(hol__kernel *kernel, hol__archive *archive) {
    open_chain *s = kernel->self;
    if (s->basis) hol__basis_remember(s->basis, archive);
    hol__kernel_remember(s->inner, archive);
}

const hol__kernel_type hol__kernel_open_chain = {
    .name = "open-chain",
    .flags = HOL__KERNEL_GENERAL,
    .title = "Velocity transformation: coordinates of the open chain, multipliers for what is cut "
             "(in relative coordinates the kernel kkt)",
    HOL__KERNEL_FUNCTIONS,
};
