/* schur.c: the constrained solve through the multipliers [GJB 5.11, 5.12]:
 *
 *     S mu = A W^-1 f - c,   S = A W^-1 A^T,   x = W^-1 (f - A^T mu)
 *
 * Sparse: W = L_W D_W L_W^T (static), G = A L_W^-T row by row on a fixed pattern (a row reaches the
 * columns of its parts of W), S = G D_W^-1 G^T on its fixed pattern, S = L D L^T (static).
 * Dependent constraints are left out and treated by paths.h.
 * Dense: W = L L^T, H = L^-1 A^T with columns of unit length, Cholesky of H^T H (minnorm.h holds L
 * and H). The same where W is known by its root L (la/root.h), which then is not dense.
 *
 * W must be positive definite. Forming S squares the condition of A: with small pivots the
 * solution is refined on the residual of the whole system.
 */
#include "kernel/paths.h"
#include "la/order.h"

#include <math.h>

/* Automatic choice: dense when the sparse form takes more multiplications than MANY_UPDATES and
 * more than the share WORK_SHARE of the dense form, whose BLAS is that much faster. */
#define MANY_UPDATES 5000
#define WORK_SHARE 0.1
/* The graph of S is not formed beyond this many entries. */
#define GRAPH_LIMIT 50000000LL

typedef struct schur {
    hol__paths paths;   /* its ldl is that of S, its decomposition holds the dense form */
    hol__ldl *mass;     /* W */
    int *mass_to;       /* where the entries of W go */
    int *g_ptr, *g_col; /* G by rows, columns as places of mass, rising */
    int *g_up;          /* how far up the list of its column an entry stands */
    double *g_x;
    int *c_ptr, *c_row, *c_at; /* G by columns: rows rising, and where the entry stands in g_x */
    int *s_ptr, *s_col,
        *s_to;     /* lower triangle of S by rows, and where the entries go in ldl->value */
    double *y;     /* n, kept at zero between uses */
    double *acc;   /* m, kept at zero between uses */
    double *u, *t; /* n, m */
    double *S;     /* m x m, dense */
} schur;

/* ---- creation ---- */

/* Parent of a place in the elimination tree of W: the first row of its column. */
static int parent(const hol__ldl *ldl, int k) {
    return ldl->ptr[k] < ldl->ptr[k + 1] ? ldl->row[ldl->ptr[k]] : -1;
}

/* Rows of G: from the columns of a row of A up the elimination tree of W. Two passes: count,
 * then fill. */
static hol_status create_g(schur *s, hol__arena *arena) {
    const hol__pattern *pt = &s->paths.pattern;
    const int n = pt->n, m = pt->m;
    int *mark = HOL__NEW_N(arena, int, n);
    s->g_ptr = HOL__NEW_N(arena, int, m + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        int count = 0, e = pt->nw;
        for (int k = 0; k < n; k++) mark[k] = -1;
        for (int i = 0; i < m; i++) {
            const int start = count;
            for (; e < pt->nw + pt->na && pt->row[e] == n + i; e++)
                for (int k = s->mass->place[pt->col[e]]; k >= 0 && mark[k] != i;
                     k = parent(s->mass, k)) {
                    mark[k] = i;
                    if (pass == 1) s->g_col[count] = k;
                    count++;
                }
            if (pass == 1) hol__sort_rising(s->g_col + start, count - start);
            s->g_ptr[i + 1] = count;
        }
        if (pass == 0) {
            s->g_col = HOL__NEW_N(arena, int, count);
            s->g_up = HOL__NEW_N(arena, int, count);
            s->g_x = HOL__NEW_N(arena, double, count);
            if (arena->failed) return HOL_ERR_MEMORY;
        }
    }
    return HOL_OK;
}

/* G by columns. */
static hol_status create_g_columns(schur *s, hol__arena *arena) {
    const int n = s->paths.system.n, m = s->paths.system.m, count = s->g_ptr[m];
    s->c_ptr = HOL__NEW_N(arena, int, n + 2);
    s->c_row = HOL__NEW_N(arena, int, count);
    s->c_at = HOL__NEW_N(arena, int, count);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int t = 0; t < count; t++) s->c_ptr[s->g_col[t] + 2]++;
    for (int k = 0; k < n; k++) s->c_ptr[k + 2] += s->c_ptr[k + 1];
    for (int i = 0; i < m; i++)
        for (int t = s->g_ptr[i]; t < s->g_ptr[i + 1]; t++) {
            const int q = s->c_ptr[s->g_col[t] + 1]++;
            s->c_row[q] = i;
            s->c_at[q] = t;
            s->g_up[t] = q;
        }
    return HOL_OK;
}

/* The static factorisation of S. */
static hol_status create_s(schur *s, hol__arena *arena) {
    const int m = s->paths.system.m;
    int *ptr, *idx;
    hol_status status = hol__pattern_schur(&s->paths.pattern, arena, GRAPH_LIMIT, &ptr, &idx);
    if (status != HOL_OK) return status;
    if (!ptr)
        return hol__report(
            arena->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
            "kernel 'schur': A W^-1 A^T is too full for this size; use the kernel 'kkt'");
    const int nz = ptr[m] / 2 + m;
    int *row = HOL__NEW_N(arena, int, nz), *perm = HOL__NEW_N(arena, int, m);
    s->s_ptr = HOL__NEW_N(arena, int, m + 1);
    s->s_col = HOL__NEW_N(arena, int, nz);
    s->s_to = HOL__NEW_N(arena, int, nz);
    if (arena->failed) return HOL_ERR_MEMORY;
    int e = 0;
    for (int i = 0; i < m; i++) {
        row[e] = s->s_col[e] = i;
        e++;
        for (int p = ptr[i]; p < ptr[i + 1]; p++)
            if (idx[p] < i) {
                row[e] = i;
                s->s_col[e++] = idx[p];
            }
        s->s_ptr[i + 1] = e;
    }
    status = hol__order(arena->ctx, m, ptr, idx, perm);
    if (status != HOL_OK) return status;
    s->paths.ldl = hol__ldl_new(arena, m, nz, row, s->s_col, perm, NULL, s->s_to);
    return s->paths.ldl ? HOL_OK : HOL_ERR_MEMORY;
}

/* W, G and S on their patterns. */
static hol_status create_sparse(schur *s, hol__arena *arena) {
    const hol__pattern *pt = &s->paths.pattern;
    int *perm = HOL__NEW_N(arena, int, pt->n);
    s->mass_to = HOL__NEW_N(arena, int, pt->nw);
    s->y = HOL__NEW_N(arena, double, 2 * (size_t)pt->n + 2 * (size_t)pt->m);
    if (arena->failed) return HOL_ERR_MEMORY;
    s->u = s->y + pt->n;
    s->acc = s->u + pt->n;
    s->t = s->acc + pt->m;
    hol_status status = hol__pattern_order_mass(pt, arena->ctx, perm);
    if (status != HOL_OK) return status;
    s->mass = hol__ldl_new(arena, pt->n, pt->nw, pt->row, pt->col, perm, NULL, s->mass_to);
    if (!s->mass) return HOL_ERR_MEMORY;
    for (int k = 0; k < pt->n; k++) s->mass->threshold[k] = HOL__MASS_TOLERANCE;
    status = create_g(s, arena);
    if (status == HOL_OK) status = create_g_columns(s, arena);
    if (status == HOL_OK) status = create_s(s, arena);
    return status;
}

/* Multiplications of the sparse form: the two factorisations, G and S. */
static double sparse_work(const schur *s) {
    double work = (double)s->mass->updates + (double)s->paths.ldl->updates;
    for (int t = 0; t < s->g_ptr[s->paths.system.m]; t++) {
        const int k = s->g_col[t];
        work += s->mass->ptr[k + 1] - s->mass->ptr[k] + s->g_up[t] - s->c_ptr[k] + 1;
    }
    return work;
}

/* Multiplications of the dense form: n^3/6 + n^2 m/2 + n m^2/2 + m^3/6. */
static double dense_work(const schur *s) {
    const double size = s->paths.system.n + s->paths.system.m;
    return size * size * size / 6;
}

/* Whether the dense form is faster. */
static int is_dense(const schur *s) {
    const double work = sparse_work(s);
    return work > MANY_UPDATES && work > WORK_SHARE * dense_work(s);
}

static void apply_ldl(void *self, const double *f, const double *c, double *x, double *mu);

/* The form for the storage, and the paths behind it. */
static hol_status create(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                         const hol__kernel_options *options) {
    hol__arena *arena = &kernel->arena;
    const int m = A->rows;
    schur *s = kernel->self = HOL__NEW(arena, schur);
    if (!s) return HOL_ERR_MEMORY;
    hol_status status = hol__paths_init(&s->paths, kernel, W, A);
    if (status == HOL_OK && options->storage != HOL__STORAGE_DENSE && !W->root)
        status = create_sparse(s, arena);
    if (status == HOL_OK && s->paths.ldl && options->storage == HOL__STORAGE_AUTO && is_dense(s))
        s->paths.ldl = NULL;
    if (status == HOL_OK && s->paths.ldl)
        status = hol__paths_add_deflation(&s->paths, arena, options, apply_ldl, s);
    if (status == HOL_OK) status = hol__paths_add_minnorm(&s->paths, arena, options);
    if (status == HOL_OK && !W->root) /* the root of a tree is no full matrix */
        kernel->info.work = s->paths.ldl ? sparse_work(s) : dense_work(s);
    if (status == HOL_OK && !s->paths.ldl) {
        s->S = HOL__NEW_N(arena, double, (size_t)m *(size_t)m);
        if (!s->S) status = HOL_ERR_MEMORY;
    }
    return status;
}

/* ---- factorisation ---- */

/* Cholesky of H^T H, whose diagonal is 1, so that the pivots are shares. */
static hol_status factor_dense(hol__kernel *kernel) {
    schur *s = kernel->self;
    const int n = s->paths.system.n, m = s->paths.system.m;
    const hol_status status = hol__minnorm_prepare(s->paths.minnorm, 0);
    if (status != HOL_OK) return status;
    if (s->paths.minnorm->n_null > 0) return hol__paths_factor_prepared(kernel, &s->paths);
    if (m > 0) hol__dense_gram(n, m, s->paths.minnorm->H, s->S);
    if (m > 0 && hol__chol_factor(m, s->S) != 0)
        return hol__paths_factor_prepared(kernel, &s->paths);
    double ratio = 1;
    for (size_t i = 0, size = (size_t)m; i < size; i++)
        ratio = fmin(ratio, s->S[i * size + i] * s->S[i * size + i]);
    if (!(ratio > HOL__DEFLATE_PIVOT)) return hol__paths_factor_prepared(kernel, &s->paths);
    return hol__paths_report_regular(
        kernel, &s->paths, HOL__BY_DENSE,
        kernel->rooted ? "Schur complement by recursion" : "dense Schur complement", ratio);
}

/* Row i of G: y = L_W^-1 a_i over the pattern of the row, e: the first entry of row i in the
 * pattern. */
static int form_g_row(const schur *s, int i, int e) {
    const hol__pattern *pt = &s->paths.pattern;
    const hol__ldl *mass = s->mass;
    const double *l = mass->value + mass->n, *ax = s->paths.system.A->x;
    double *y = s->y;
    for (; e < pt->nw + pt->na && pt->row[e] == pt->n + i; e++)
        y[mass->place[pt->col[e]]] = ax[pt->from[e]];
    for (int t = s->g_ptr[i]; t < s->g_ptr[i + 1]; t++) {
        const int k = s->g_col[t];
        const double yk = y[k];
        for (int p = mass->ptr[k]; p < mass->ptr[k + 1]; p++) y[mass->row[p]] -= l[p] * yk;
        s->g_x[t] = yk;
        y[k] = 0;
    }
    return e;
}

/* S = G D_W^-1 G^T into the static factorisation, lower triangle row by row. */
static void form_s(const void *self) {
    const schur *s = self;
    double *restrict acc = s->acc, *restrict value = s->paths.ldl->value;
    const double *restrict g = s->g_x;
    for (int i = 0, e = s->paths.pattern.nw; i < s->paths.system.m; i++) {
        e = form_g_row(s, i, e);
        for (int t = s->g_ptr[i]; t < s->g_ptr[i + 1]; t++) {
            const int k = s->g_col[t];
            const double gd = g[t] * s->mass->inverse[k];
            for (int q = s->c_ptr[k]; q <= s->g_up[t]; q++) acc[s->c_row[q]] += gd * g[s->c_at[q]];
        }
        for (int q = s->s_ptr[i]; q < s->s_ptr[i + 1]; q++) {
            value[s->s_to[q]] = acc[s->s_col[q]];
            acc[s->s_col[q]] = 0;
        }
    }
}

/* W to its static factorisation. */
static hol_status factor_mass(const schur *s) {
    hol__ldl_clear(s->mass);
    for (int e = 0; e < s->paths.pattern.nw; e++)
        s->mass->value[s->mass_to[e]] = s->paths.system.W->x[s->paths.pattern.from[e]];
    const int dropped = hol__ldl_factor(s->mass);
    return dropped < 0 ? HOL_NONFINITE : dropped > 0 ? HOL_SINGULAR : HOL_OK;
}

/* W, then S, or the dense form. */
static hol_status factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    schur *s = kernel->self;
    s->paths.system.W = W;
    s->paths.system.A = A;
    if (!s->paths.ldl) return factor_dense(kernel);
    const hol_status status = factor_mass(s);
    if (status != HOL_OK) return status;
    const int dropped = hol__paths_factor_static(&s->paths, form_s, s);
    if (dropped < 0) return HOL_NONFINITE;
    if (dropped > 0)
        return hol__paths_factor_dropped(kernel, &s->paths, "sparse Schur complement, deflated");
    return hol__paths_report_regular(kernel, &s->paths, HOL__BY_LDL, "sparse Schur complement",
                                     s->paths.ldl->smallest);
}

/* ---- solution ---- */

/* By the static factorisations; dropped constraints have mu = 0. */
static void apply_ldl(void *self, const double *f, const double *c, double *x, double *mu) {
    schur *s = self;
    const int n = s->paths.system.n, m = s->paths.system.m;
    for (int i = 0; i < n; i++) s->u[i] = f ? f[i] : 0;
    hol__ldl_solve(s->mass, s->u, x);
    /* S mu = A W^-1 f - c */
    for (int i = 0; i < m; i++) s->t[i] = c ? -c[i] : 0;
    hol__csr_mul_add(s->paths.system.A, 1, x, s->t);
    hol__ldl_solve(s->paths.ldl, s->t, mu);
    /* x = W^-1 (f - A^T mu) */
    hol__csr_mul_t_add(s->paths.system.A, -1, mu, s->u);
    hol__ldl_solve(s->mass, s->u, x);
}

/* By the dense factors: u = L^-1 f, (H^T H) mu' = H^T u - D c, x = L^-T (u - H mu'), mu = D mu'. */
static void apply_dense(void *self, const double *f, const double *c, double *x, double *mu) {
    const schur *s = self;
    const hol__minnorm *mn = s->paths.minnorm;
    const int n = s->paths.system.n, m = s->paths.system.m;
    for (int i = 0; i < n; i++) x[i] = f ? f[i] : 0;
    hol__minnorm_lower(mn, x);
    for (int i = 0; i < m; i++) mu[i] = c ? -mn->scale[i] * c[i] : 0;
    if (m > 0) {
        hol__dense_mul_t(n, m, 1, mn->H, x, 1, mu);
        hol__chol_solve(m, 1, s->S, mu);
        hol__dense_mul(n, m, -1, mn->H, mu, 1, x);
    }
    for (int i = 0; i < m; i++) mu[i] *= mn->scale[i];
    hol__minnorm_upper(mn, x);
}

/* By the path that the factorisation took. */
static hol_status solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                        double *mu) {
    schur *s = kernel->self;
    if (!mu) mu = s->paths.system.mu;
    switch (s->paths.taken) {
    case HOL__BY_LDL:
        hol__saddle_solve(&s->paths.system, apply_ldl, s, f, c, x, mu, s->paths.refine);
        break;
    case HOL__BY_DEFLATION: return hol__paths_solve_deflated(kernel, &s->paths, f, c, x, mu);
    case HOL__BY_DENSE:
        hol__saddle_solve(&s->paths.system, apply_dense, s, f, c, x, mu, s->paths.refine);
        break;
    case HOL__BY_MINNORM: hol__minnorm_solve(s->paths.minnorm, f, c, x, mu); break;
    case HOL__BY_SHIFT:
    case HOL__BY_LU: break; /* W is positive definite here */
    }
    return HOL_OK;
}

static void remember(hol__kernel *kernel, hol__archive *archive) {
    schur *s = kernel->self;
    hol__paths_remember(&s->paths, archive);
}

const hol__kernel_type hol__kernel_schur = {
    .name = "schur",
    .flags = HOL__KERNEL_REDUNDANT | HOL__KERNEL_SPARSE | HOL__KERNEL_MULTIPLIERS,
    .title = "Schur complement: multipliers from A W^-1 A^T",
    .create = create,
    .factor = factor,
    .solve = solve,
    .remember = remember,
};
