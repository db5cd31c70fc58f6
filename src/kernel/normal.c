/* normal.c: W + A^T alpha A, assembled and factored. See normal.h.
 *
 * Cost: one multiplication for each pair of entries of a row of A, then those of the factorisation.
 * Symbolic part: the lower triangle of column j of K has the rows of column j of W and all columns
 * >= j of the rows of A that touch j.
 */
#include "kernel/normal.h"

#include "la/dense.h"
#include "la/order.h"
#include "la/tolerances.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Pivots above this many times 1/penalty belong to constraints. */
#define TANGENT_SHARE 30.0
/* Longer lists of products are not made. */
#define PRODUCT_LIMIT 50000000LL

/* Whether an entry can be non-zero. */
static int is_live(const hol__csr *A, int p) {
    return !A->live || A->live[p];
}

/* ---- symbolic ---- */

/* The live entries of A by columns: which row, and which of the row's live entries. */
typedef struct by_columns {
    int *ptr, *row, *local;
} by_columns;

/* The lower triangle of K by columns. */
typedef struct lower {
    int *ptr, *row;
} lower;

/* The live entries of A by rows. */
static int list_live(hol__normal *k, hol__arena *arena, const hol__csr *A) {
    k->row_ptr = HOL__NEW_N(arena, int, A->rows + 1);
    k->live = HOL__NEW_N(arena, int, A->ptr[A->rows]);
    if (!k->row_ptr || !k->live) return 0;
    int e = 0;
    for (int r = 0; r < A->rows; r++) {
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++)
            if (is_live(A, p)) k->live[e++] = p;
        k->row_ptr[r + 1] = e;
    }
    return 1;
}

/* Products of two entries of a row, each pair once. */
static long long count_products(const hol__normal *k) {
    long long sum = 0;
    for (int r = 0; r < k->m; r++) {
        const long long length = k->row_ptr[r + 1] - k->row_ptr[r];
        sum += length * (length + 1) / 2;
    }
    return sum;
}

/* The entries of A by columns. */
static int list_columns(const hol__normal *k, hol__arena *scratch, const hol__csr *A,
                        by_columns *c) {
    c->ptr = HOL__NEW_N(scratch, int, k->n + 2);
    c->row = HOL__NEW_N(scratch, int, k->row_ptr[k->m]);
    c->local = HOL__NEW_N(scratch, int, k->row_ptr[k->m]);
    if (scratch->failed) return 0;
    for (int e = 0; e < k->row_ptr[k->m]; e++) c->ptr[A->idx[k->live[e]] + 2]++;
    for (int j = 0; j < k->n; j++) c->ptr[j + 2] += c->ptr[j + 1];
    for (int r = 0; r < k->m; r++)
        for (int e = k->row_ptr[r]; e < k->row_ptr[r + 1]; e++) {
            const int at = c->ptr[A->idx[k->live[e]] + 1]++;
            c->row[at] = r;
            c->local[at] = e - k->row_ptr[r];
        }
    return 1;
}

/* Two passes: count, then fill. W is symmetric, so row j of W is its column j. */
static int list_lower(const hol__normal *k, hol__arena *scratch, const hol__csr *W,
                      const hol__csr *A, const by_columns *c, lower *l) {
    int *mark = HOL__NEW_N(scratch, int, k->n);
    l->ptr = HOL__NEW_N(scratch, int, k->n + 1);
    if (scratch->failed) return 0;
    for (int pass = 0; pass < 2; pass++) {
        int count = 0;
        for (int j = 0; j < k->n; j++) mark[j] = -1;
        for (int j = 0; j < k->n; j++) {
            mark[j] = j;
            if (pass == 1) l->row[count] = j;
            count++;
            for (int p = W->ptr[j]; p < W->ptr[j + 1]; p++) {
                const int i = W->idx[p];
                if (i <= j || !is_live(W, p) || mark[i] == j) continue;
                mark[i] = j;
                if (pass == 1) l->row[count] = i;
                count++;
            }
            for (int t = c->ptr[j]; t < c->ptr[j + 1]; t++)
                for (int e = k->row_ptr[c->row[t]]; e < k->row_ptr[c->row[t] + 1]; e++) {
                    const int i = A->idx[k->live[e]];
                    if (i <= j || mark[i] == j) continue;
                    mark[i] = j;
                    if (pass == 1) l->row[count] = i;
                    count++;
                }
            l->ptr[j + 1] = count;
        }
        if (pass == 0 && !(l->row = HOL__NEW_N(scratch, int, count))) return 0;
    }
    return 1;
}

/* A fill-reducing order of K. */
static hol_status order(const hol__normal *k, hol__arena *scratch, const lower *l, int *perm) {
    const int n = k->n;
    int *ptr = HOL__NEW_N(scratch, int, n + 2),
        *idx = HOL__NEW_N(scratch, int, 2 * (size_t)(l->ptr[n] - n));
    if (scratch->failed) return HOL_ERR_MEMORY;
    for (int j = 0; j < n; j++)
        for (int e = l->ptr[j] + 1; e < l->ptr[j + 1]; e++) {
            ptr[j + 2]++;
            ptr[l->row[e] + 2]++;
        }
    for (int j = 0; j < n; j++) ptr[j + 2] += ptr[j + 1];
    for (int j = 0; j < n; j++)
        for (int e = l->ptr[j] + 1; e < l->ptr[j + 1]; e++) {
            idx[ptr[j + 1]++] = l->row[e];
            idx[ptr[l->row[e] + 1]++] = j;
        }
    return hol__order(scratch->ctx, n, ptr, idx, perm);
}

/* Where the entries of W and the products of A go; map leads from entries of l into the factor. */
static int list_targets(hol__normal *k, hol__arena *arena, hol__arena *scratch, const hol__csr *W,
                        const hol__csr *A, const by_columns *c, const lower *l, const int *map) {
    int *place = HOL__NEW_N(scratch, int, k->n), *first = HOL__NEW_N(scratch, int, k->m + 1);
    k->from = HOL__NEW_N(arena, int, W->ptr[k->n]);
    k->to = HOL__NEW_N(arena, int, W->ptr[k->n]);
    k->target = HOL__NEW_N(arena, int, count_products(k));
    if (scratch->failed || arena->failed) return 0;
    for (int r = 0; r < k->m; r++) {
        const int length = k->row_ptr[r + 1] - k->row_ptr[r];
        first[r + 1] = first[r] + length * (length + 1) / 2;
    }
    for (int j = 0; j < k->n; j++) {
        for (int e = l->ptr[j]; e < l->ptr[j + 1]; e++) place[l->row[e]] = map[e];
        for (int p = W->ptr[j]; p < W->ptr[j + 1]; p++)
            if (W->idx[p] >= j && is_live(W, p)) {
                k->from[k->nw] = p;
                k->to[k->nw++] = place[W->idx[p]];
            }
        for (int t = c->ptr[j]; t < c->ptr[j + 1]; t++) {
            const int r = c->row[t], b = c->local[t];
            for (int e = k->row_ptr[r], a = 0; e < k->row_ptr[r + 1]; e++, a++) {
                const int i = A->idx[k->live[e]], high = a > b ? a : b, low = a > b ? b : a;
                if (i >= j) k->target[first[r] + high * (high + 1) / 2 + low] = place[i];
            }
        }
    }
    return 1;
}

/* The static factorisation of K and where everything goes in it. */
static hol_status create_sparse(hol__normal *k, hol__arena *arena, hol__arena *scratch,
                                const hol__csr *W, const hol__csr *A) {
    by_columns c = {0};
    lower l = {0};
    if (!list_columns(k, scratch, A, &c) || !list_lower(k, scratch, W, A, &c, &l))
        return HOL_ERR_MEMORY;
    const int nz = l.ptr[k->n];
    int *perm = HOL__NEW_N(arena, int, k->n), *map = HOL__NEW_N(scratch, int, nz),
        *col = HOL__NEW_N(scratch, int, nz);
    if (arena->failed || scratch->failed) return HOL_ERR_MEMORY;
    for (int j = 0; j < k->n; j++)
        for (int e = l.ptr[j]; e < l.ptr[j + 1]; e++) col[e] = j;
    const hol_status status = order(k, scratch, &l, perm);
    if (status != HOL_OK) return status;
    k->ldl = hol__ldl_new(arena, k->n, nz, l.row, col, perm, NULL, map);
    if (!k->ldl || !list_targets(k, arena, scratch, W, A, &c, &l, map)) return HOL_ERR_MEMORY;
    for (int i = 0; i < k->n; i++) k->ldl->threshold[i] = HOL__NORMAL_PIVOT;
    k->form = "sparse LDL^T of W + A^T alpha A";
    return HOL_OK;
}

/* Dense storage of K. */
static hol_status create_dense(hol__normal *k, hol__arena *arena) {
    k->ldl = NULL;
    k->K = HOL__NEW_N(arena, double, (size_t)k->n *(size_t)k->n);
    k->diagonal = HOL__NEW_N(arena, double, k->n);
    k->form = "Cholesky of W + A^T alpha A";
    return k->K && k->diagonal ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol__normal_new(hol__arena *arena, const hol__csr *W, const hol__csr *A,
                           hol__storage storage, hol__normal **made) {
    *made = NULL;
    hol__normal *k = HOL__NEW(arena, hol__normal);
    if (!k) return HOL_ERR_MEMORY;
    *k = (hol__normal){.n = W->rows, .m = A->rows, .share = 1, .least_tangents = W->rows};
    if (!list_live(k, arena, A)) return HOL_ERR_MEMORY;
    const int full = count_products(k) > PRODUCT_LIMIT;
    if (full && storage == HOL__STORAGE_SPARSE)
        return hol__report(arena->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "A^T A is too full for sparse storage; use dense storage or the kernel "
                           "'kkt'");
    hol_status status = HOL_OK;
    if (storage != HOL__STORAGE_DENSE && !full) {
        hol__arena scratch;
        hol__arena_init(&scratch, arena->ctx);
        status = create_sparse(k, arena, &scratch, W, A);
        hol__arena_free(&scratch);
    }
    if (status == HOL_OK &&
        (!k->ldl || (storage == HOL__STORAGE_AUTO && hol__ldl_wants_dense(k->ldl))))
        status = create_dense(k, arena);
    if (status == HOL_OK) *made = k;
    return status;
}

/* ---- numeric ---- */

/* The largest |W_ij|, 1 where all are zero. */
static double largest(const hol__csr *W) {
    double most = 0;
    for (int p = 0; p < W->ptr[W->rows]; p++) most = fmax(most, fabs(W->x[p]));
    return most > 0 ? most : 1;
}

/* K into the static factorisation. */
static void assemble_sparse(const hol__normal *k, const hol__csr *W, const hol__csr *A) {
    double *restrict value = k->ldl->value;
    const double *restrict wx = W->x, *restrict ax = A->x;
    const int *restrict target = k->target, *restrict live = k->live;
    hol__ldl_clear(k->ldl);
    for (int e = 0; e < k->nw; e++) value[k->to[e]] = wx[k->from[e]];
    for (int r = 0; r < k->m; r++) {
        const int first = k->row_ptr[r];
        const double alpha = hol__normal_alpha(k, r);
        for (int p = first; p < k->row_ptr[r + 1]; p++) {
            const double a = alpha * ax[live[p]];
            for (int q = first; q <= p; q++) value[*target++] += a * ax[live[q]];
        }
    }
}

/* The lower triangle of K, column-major. */
static void assemble_dense(const hol__normal *k, const hol__csr *W, const hol__csr *A) {
    const size_t n = (size_t)k->n;
    hol__csr_to_dense(W, k->K);
    for (int r = 0; r < k->m; r++) {
        const int first = k->row_ptr[r], last = k->row_ptr[r + 1];
        const double alpha = hol__normal_alpha(k, r);
        for (int p = first; p < last; p++) {
            const int j = A->idx[k->live[p]];
            const double a = alpha * A->x[k->live[p]];
            double *column = k->K + (size_t)j * n;
            for (int q = first; q < last; q++) {
                const int i = A->idx[k->live[q]];
                if (i >= j) column[i] += a * A->x[k->live[q]];
            }
        }
    }
    for (size_t i = 0; i < n; i++) k->diagonal[i] = k->K[i * n + i];
}

/* The smallest pivot that belongs to a constraint, over its terms; counts the others and notes what
 * rounding is of the smallest of them. */
static double constraint_share(hol__normal *k, double penalty) {
    const double limit = TANGENT_SHARE / penalty;
    /* the smallest as fractions, compared by cross multiplication */
    double over = 1, under = 1, free_over = 1, free_under = 1;
    k->tangents = 0;
    for (size_t i = 0, n = (size_t)k->n; i < n; i++) {
        const double d = k->ldl ? k->ldl->value[i] : k->K[i * n + i] * k->K[i * n + i];
        const double terms = k->ldl ? k->ldl->magnitude[i] : k->diagonal[i];
        if (d <= limit * terms) {
            k->tangents++;
            if (d * free_under < free_over * terms) free_over = d, free_under = terms;
        } else if (d * under < over * terms)
            over = d, under = terms;
    }
    k->blur = DBL_EPSILON * free_under / free_over;
    const int free = k->n > k->m ? k->n - k->m : 0;
    if (k->tangents < k->least_tangents)
        k->least_tangents = k->tangents > free ? k->tangents : free;
    return sqrt(over / under);
}

/* K = L L^T; 0 when a pivot is lost in rounding or not finite. */
static int factor_dense(const hol__normal *k) {
    const size_t n = (size_t)k->n;
    if (n > 0 && hol__chol_factor(k->n, k->K) != 0) return 0;
    for (size_t i = 0; i < n; i++)
        if (!(k->K[i * n + i] * k->K[i * n + i] > HOL__NORMAL_PIVOT * k->diagonal[i])) return 0;
    return 1;
}

hol_status hol__normal_factor(hol__normal *k, const hol__csr *W, const hol__csr *A,
                              double penalty) {
    int fine;
    const double size = largest(W);
    const double mass = k->mass > 0 ? k->mass : size;
    k->alpha = penalty * mass;
    for (int r = 0; k->alphas && r < k->m; r++) k->alphas[r] = k->penalties[r] * mass;
    if (k->ldl) {
        assemble_sparse(k, W, A);
        fine = hol__ldl_factor(k->ldl) == 0;
    } else {
        assemble_dense(k, W, A);
        fine = factor_dense(k);
    }
    if (!fine) return hol__csr_is_finite(W) && hol__csr_is_finite(A) ? HOL_SINGULAR : HOL_NONFINITE;
    k->share = constraint_share(k, k->alpha / size);
    return HOL_OK;
}

void hol__normal_solve(hol__normal *k, const double *b, double *x) {
    if (k->ldl) {
        hol__ldl_solve(k->ldl, b, x);
        return;
    }
    if (x != b) memcpy(x, b, (size_t)k->n * sizeof *x);
    if (k->n > 0) hol__chol_solve(k->n, 1, k->K, x);
}

int hol__normal_take_penalties(hol__normal *k, hol__arena *arena,
                               const hol__kernel_options *options, double *least, double *largest) {
    *least = *largest = options->penalty;
    if (!options->penalties || !k->m) return 1;
    double *penalties = HOL__NEW_N(arena, double, 2 * (size_t)k->m);
    if (!penalties) return 0;
    *least = HUGE_VAL;
    *largest = 0;
    for (int i = 0; i < k->m; i++) {
        penalties[i] = isnan(options->penalties[i]) ? options->penalty : options->penalties[i];
        *least = fmin(*least, penalties[i]);
        *largest = fmax(*largest, penalties[i]);
    }
    k->penalties = penalties;
    k->alphas = penalties + k->m;
    return 1;
}
