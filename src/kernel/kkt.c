/* kkt.c: the constrained solve through K = [W A^T; A 0] itself [GJB 5.10].
 *
 * Sparse, W positive definite: static K = L D L^T, n positive and m negative pivots, in an order in
 * which all exist (pattern.h). Constraints whose pivot shows dependence are left out and treated by
 * deflate.h.
 * Sparse, W singular: columns X without mass that rows of A alone determine, those of bodies whose
 * motion is given, have any W_X: with S added to it
 *     (K + S) z_1 = b,  (K + S) dz = (S x_1, 0)   give   x_1 = x,  dx = 0,  z = z_1 + dz,
 * a static factorisation and two solutions with it. What that does not solve: LU of K with pivoting
 * (la/klu.h). Rows of A without an entry (stops that are open) have 1 on the diagonal there and
 * c_r = 0, so that mu_r = 0.
 * Dense: Bunch-Kaufman of the equilibrated E K E, E = diag(W_ii^-1/2, 1 / length of the row of A so
 * scaled).
 * Where these break down: paths.h.
 */
#include "kernel/paths.h"
#include "la/klu.h"

#include <math.h>

enum { RETRY_AFTER = 100 };

typedef struct kkt {
    hol__paths paths;
    int *to;   /* where the entries of the pattern go in ldl->value */
    double *w; /* n + m, by places */
    /* W was singular: factorisations left before the static one is tried again */
    int mass_singular;
    int by_singular;         /* the last factorisation took W for singular */
    double shift;            /* what massless columns have on their diagonal then; 0: LU */
    unsigned char *massless; /* n */
    hol__klu *klu;
    int *lower, *upper; /* where the entries of the pattern go in lu_x; upper -1 on the diagonal */
    double *lu_x;
    int *corner;         /* m: where the diagonal of a constraint goes in lu_x; NULL: not in it */
    unsigned char *open; /* m: the row has no entry */
    hol__bk *bk;
    double *E;
} kkt;

/* ---- creation ---- */

/* K by columns for the LU, with the places of the entries of the pattern; corners: with a diagonal
 * for constraints. */
static hol_status create_lu(kkt *k, hol__arena *arena, int corners) {
    const hol__pattern *pt = &k->paths.pattern;
    const int size = pt->n + pt->m, nz = pt->nw + pt->na;
    const size_t most = 2 * (size_t)nz + (size_t)pt->m;
    int *ptr = HOL__NEW_N(arena, int, size + 2), *idx = HOL__NEW_N(arena, int, most);
    k->lower = HOL__NEW_N(arena, int, nz);
    k->upper = HOL__NEW_N(arena, int, nz);
    k->lu_x = HOL__NEW_N(arena, double, most);
    k->open = HOL__NEW_N(arena, unsigned char, pt->m + 1);
    k->corner = corners ? HOL__NEW_N(arena, int, pt->m + 1) : NULL;
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < nz; e++) {
            const int i = pt->row[e], j = pt->col[e];
            if (pass == 0) {
                ptr[j + 2]++;
                if (i != j) ptr[i + 2]++;
                continue;
            }
            idx[k->lower[e] = ptr[j + 1]++] = i;
            k->upper[e] = -1;
            if (i != j) idx[k->upper[e] = ptr[i + 1]++] = j;
        }
        for (int j = pt->n; corners && j < size; j++)
            if (pass == 0)
                ptr[j + 2]++;
            else
                idx[k->corner[j - pt->n] = ptr[j + 1]++] = j;
        if (pass == 0)
            for (int j = 0; j < size; j++) ptr[j + 2] += ptr[j + 1];
    }
    return hol__klu_new(arena->ctx, size, ptr, idx, &k->klu);
}

/* The static factorisation with its thresholds. */
static hol_status create_ldl(kkt *k, hol__arena *arena) {
    const hol__pattern *pt = &k->paths.pattern;
    const int size = pt->n + pt->m, nz = pt->nw + pt->na;
    int *perm = HOL__NEW_N(arena, int, size);
    signed char *sign = HOL__NEW_N(arena, signed char, size);
    k->to = HOL__NEW_N(arena, int, nz);
    k->w = HOL__NEW_N(arena, double, size);
    k->massless = HOL__NEW_N(arena, unsigned char, pt->n);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < size; i++) sign[i] = i < pt->n ? 1 : -1;
    const hol_status status = hol__pattern_order(pt, arena->ctx, perm);
    if (status != HOL_OK) return status;
    k->paths.ldl = hol__ldl_new(arena, size, nz, pt->row, pt->col, perm, sign, k->to);
    return k->paths.ldl ? HOL_OK : HOL_ERR_MEMORY;
}

/* Dense storage of K. */
static hol_status create_dense(kkt *k, hol__arena *arena) {
    const int size = k->paths.system.n + k->paths.system.m;
    k->bk = hol__bk_new(arena, size);
    k->E = HOL__NEW_N(arena, double, 2 * (size_t)size);
    return k->bk && k->E ? HOL_OK : HOL_ERR_MEMORY;
}

static void apply_ldl(void *self, const double *f, const double *c, double *x, double *mu);
static hol_status factor_light(hol__kernel *kernel);

/* The forms for the storage, and the paths behind them. */
static hol_status create(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                         const hol__kernel_options *options) {
    hol__arena *arena = &kernel->arena;
    const int n = W->rows, m = A->rows;
    kkt *k = kernel->self = HOL__NEW(arena, kkt);
    if (!k) return HOL_ERR_MEMORY;
    k->paths.offset = n;
    k->paths.may_augment = 1;
    hol_status status = hol__paths_init(&k->paths, kernel, W, A);
    if (status == HOL_OK && options->storage != HOL__STORAGE_DENSE) status = create_ldl(k, arena);
    if (status == HOL_OK && k->paths.ldl && options->storage == HOL__STORAGE_AUTO &&
        hol__ldl_wants_dense(k->paths.ldl))
        k->paths.ldl = NULL;
    if (status == HOL_OK && k->paths.ldl) {
        for (int i = 0; i < n; i++)
            k->paths.ldl->threshold[k->paths.ldl->place[i]] = HOL__MASS_TOLERANCE;
        status = hol__paths_add_deflation(&k->paths, arena, options, apply_ldl, k);
        k->paths.factor_light = factor_light;
    }
    const int has_lu = k->paths.ldl && hol__klu_available(); /* made when W is singular */
    if (status == HOL_OK && (!k->paths.ldl || (!has_lu && n + m <= HOL__MINNORM_SIZE)))
        status = create_dense(k, arena);
    return status == HOL_OK ? hol__paths_add_minnorm(&k->paths, arena, options) : status;
}

/* What KLU holds. */
static void destroy(hol__kernel *kernel) {
    kkt *k = kernel->self;
    if (k) hol__klu_free(k->klu);
}

/* ---- factorisation ---- */

/* The diagonal of W, if anyone asks, and the largest of it; 0 where there is none. */
static double diagonal(const hol__csr *W, double *d) {
    double most = 0;
    for (int i = 0; i < W->rows; i++) {
        double x = 0;
        for (int p = W->ptr[i]; p < W->ptr[i + 1]; p++)
            if (W->idx[p] == i) x = W->x[p];
        if (d) d[i] = x;
        most = fmax(most, x);
    }
    return most;
}

/* E: W to unit diagonal, then the rows of A to unit length. */
static void equilibrate(kkt *k) {
    const hol__csr *A = k->paths.system.A;
    const int n = k->paths.system.n;
    double most = diagonal(k->paths.system.W, k->E);
    if (!(most > 0)) most = 1;
    /* Massless columns are scaled as the heaviest. */
    for (int i = 0; i < n; i++) k->E[i] = 1 / sqrt(k->E[i] > HOL__MASSLESS * most ? k->E[i] : most);
    for (int r = 0; r < A->rows; r++) {
        double sum = 0;
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++)
            sum += A->x[p] * A->x[p] * k->E[A->idx[p]] * k->E[A->idx[p]];
        k->E[n + r] = sum > 0 ? 1 / sqrt(sum) : 1;
    }
}

/* The value of an entry of the pattern. */
static double entry(const kkt *k, int e) {
    const hol__pattern *pt = &k->paths.pattern;
    return (e < pt->nw ? k->paths.system.W : k->paths.system.A)->x[pt->from[e]];
}

/* Lower triangle of E K E into the dense factorisation. */
static void fill_dense(kkt *k) {
    const hol__pattern *pt = &k->paths.pattern;
    const size_t size = (size_t)k->bk->n;
    for (size_t i = 0; i < size * size; i++) k->bk->a[i] = 0;
    for (int e = 0; e < pt->nw + pt->na; e++) {
        const double x = entry(k, e);
        k->bk->a[(size_t)pt->col[e] * size + (size_t)pt->row[e]] =
            x * k->E[pt->row[e]] * k->E[pt->col[e]];
    }
}

/* Bunch-Kaufman of E K E, or the decomposition where constraints depend. Pivots that rounding has
 * left of dependent rows may be so small that their inverses are infinite. */
static hol_status factor_dense(hol__kernel *kernel) {
    kkt *k = kernel->self;
    if (k->paths.minnorm && k->paths.minnorm->n_null > 0)
        return hol__paths_factor_minnorm(kernel, &k->paths);
    double low, high;
    equilibrate(k);
    fill_dense(k);
    const int info = hol__bk_factor(k->bk);
    hol__bk_pivots(k->bk, &low, &high);
    const int finite = isfinite(high);
    if (!finite &&
        !(hol__csr_is_finite(k->paths.system.W) && hol__csr_is_finite(k->paths.system.A)))
        return HOL_NONFINITE;
    const int pivots = info == 0 && finite && high > 0;
    const double ratio = k->bk->n == 0 ? 1 : pivots ? low / high : 0;
    if (!(ratio > HOL__DEFLATE_PIVOT)) return hol__paths_factor_minnorm(kernel, &k->paths);
    return hol__paths_report_regular(kernel, &k->paths, HOL__BY_DENSE, "dense LDL^T", ratio);
}

/* The LU, which takes as much memory as all else and is for a singular W alone, once it is
 * needed. */
static hol_status make_lu(hol__kernel *kernel, int corners) {
    kkt *k = kernel->self;
    if (k->klu && (k->corner || !corners)) return HOL_OK;
    hol__klu_free(k->klu);
    k->klu = NULL;
    return create_lu(k, &kernel->arena, corners);
}

/* Whether a row of A has no entry. */
static int has_open_rows(const hol__csr *A) {
    for (int r = 0; r < A->rows; r++) {
        int open = 1;
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++) open &= A->x[p] == 0;
        if (open) return 1;
    }
    return 0;
}

/* The entries of K for the LU, and which rows are open. */
static void fill_lu(kkt *k) {
    const hol__pattern *pt = &k->paths.pattern;
    const hol__csr *A = k->paths.system.A;
    for (int r = 0; r < pt->m; r++) k->open[r] = k->corner != NULL;
    for (int e = 0; e < pt->nw + pt->na; e++) {
        const double x = entry(k, e);
        k->lu_x[k->lower[e]] = x;
        if (k->upper[e] >= 0) k->lu_x[k->upper[e]] = x;
    }
    for (int r = 0; k->corner && r < pt->m; r++) {
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++) k->open[r] &= A->x[p] == 0;
        k->lu_x[k->corner[r]] = k->open[r];
    }
}

/* W is singular: LU with pivoting, or the dense form. */
static hol_status factor_singular_mass(hol__kernel *kernel) {
    kkt *k = kernel->self;
    if (k->bk) return factor_dense(kernel);
    const hol_status made = make_lu(kernel, has_open_rows(k->paths.system.A));
    if (made) return made; /* it says what is not built in */
    if (k->paths.minnorm && k->paths.minnorm->n_null > 0)
        return hol__paths_factor_minnorm(kernel, &k->paths);
    fill_lu(k);
    const hol_status status = hol__klu_factor(k->klu, k->lu_x);
    const double ratio = hol__klu_rcond(k->klu);
    if (status != HOL_OK && status != HOL_SINGULAR) return status;
    if (k->paths.minnorm && !(ratio > HOL__DEFLATE_PIVOT))
        return hol__paths_factor_minnorm(kernel, &k->paths);
    if (status != HOL_OK) return status;
    return hol__paths_report(kernel, &k->paths, HOL__BY_LU, "sparse LU", k->paths.system.m,
                             sqrt(ratio), HOL__REFINEMENTS);
}

/* The values of W and A to their places in the factor. */
static void gather(const void *self) {
    const kkt *k = self;
    const hol__pattern *pt = &k->paths.pattern;
    const int *restrict from = pt->from, *restrict to = k->to;
    const double *restrict wx = k->paths.system.W->x, *restrict ax = k->paths.system.A->x;
    double *restrict value = k->paths.ldl->value;
    for (int e = 0; e < pt->nw; e++) value[to[e]] = wx[from[e]];
    from += pt->nw;
    to += pt->nw;
    for (int e = 0; e < pt->na; e++) value[to[e]] = ax[from[e]];
}

/* Whether the constraints determine the massless columns: a force S r on them, each another, moves
 * none. Where they do not, K is singular, and a solution for forces that happen to vanish there
 * would not tell. */
static int determines_massless(kkt *k) {
    const hol__saddle *s = &k->paths.system;
    double most = 0;
    for (int i = 0; i < s->n; i++) s->rf[i] = k->massless[i] ? k->shift * (2 + sin(1.0 + i)) : 0;
    apply_ldl(k, s->rf, NULL, s->dx, s->dmu);
    for (int i = 0; i < s->n; i++)
        if (k->massless[i]) most = fmax(most, fabs(s->dx[i]));
    return most <= HOL__CANCELLED;
}

/* The static factorisation of K + S; LU where a pivot is weak, for its solutions need no
 * refinement, and where massless columns are open. */
static hol_status factor_shifted(hol__kernel *kernel) {
    kkt *k = kernel->self;
    hol__ldl *ldl = k->paths.ldl;
    hol__ldl_clear(ldl);
    gather(k);
    for (int i = 0; i < k->paths.system.n; i++)
        if (k->massless[i]) ldl->value[ldl->place[i]] += k->shift;
    const int dropped = hol__ldl_factor(ldl);
    if (dropped < 0) return HOL_NONFINITE;
    if (dropped > 0 || ldl->smallest < HOL__REFINE_PIVOT || !determines_massless(k)) {
        k->shift = 0;
        return factor_singular_mass(kernel);
    }
    return hol__paths_report(kernel, &k->paths, HOL__BY_SHIFT, "sparse LDL^T, shifted",
                             k->paths.system.m, sqrt(ldl->smallest), 0);
}

/* Whether columns of W were dropped. These are massless then: heavier than all others in S, so that
 * no constraint is weak for their sake. */
static int finds_massless(kkt *k) {
    const hol__ldl *ldl = k->paths.ldl;
    int found = 0;
    for (int i = 0; i < k->paths.system.n; i++) k->massless[i] = 0;
    for (int i = 0; i < ldl->n_dropped; i++) {
        const int j = ldl->perm[ldl->dropped[i]];
        if (j < k->paths.system.n) found = k->massless[j] = 1;
    }
    k->shift = found ? diagonal(k->paths.system.W, NULL) : 0;
    return found;
}

/* W is singular: shifted, or with pivoting. */
static hol_status factor_massless(hol__kernel *kernel) {
    const kkt *k = kernel->self;
    return k->shift > 0 ? factor_shifted(kernel) : factor_singular_mass(kernel);
}

/* Columns of W are next to nothing, or nothing: for some factorisations to come. */
static hol_status factor_light(hol__kernel *kernel) {
    kkt *k = kernel->self;
    k->mass_singular = RETRY_AFTER;
    k->by_singular = 1;
    return factor_massless(kernel);
}

/* Some pivots were dropped: of W, then it is singular; of constraints, then deflation takes
 * them. */
static hol_status factor_dropped(hol__kernel *kernel) {
    kkt *k = kernel->self;
    return finds_massless(k)
               ? factor_light(kernel)
               : hol__paths_factor_dropped(kernel, &k->paths, "sparse LDL^T, deflated");
}

/* Whether W is to be taken for singular, as it was some factorisations ago, or the last time. */
static int takes_singular(const hol__kernel *kernel) {
    kkt *k = kernel->self;
    if (!kernel->again) k->by_singular = k->mass_singular > 0 && k->mass_singular-- > 0;
    return k->by_singular;
}

/* The static factorisation, or what has to stand in for it. */
static hol_status factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    kkt *k = kernel->self;
    k->paths.system.W = W;
    k->paths.system.A = A;
    if (!k->paths.ldl) return factor_dense(kernel);
    if ((k->mass_singular || k->by_singular) && takes_singular(kernel))
        return factor_massless(kernel);
    const int dropped = hol__paths_factor_static(&k->paths, gather, k);
    if (dropped < 0) return HOL_NONFINITE;
    if (dropped > 0) return factor_dropped(kernel);
    return hol__paths_report_regular(kernel, &k->paths, HOL__BY_LDL, "sparse LDL^T",
                                     k->paths.ldl->smallest);
}

/* ---- solution ---- */

/* By the static factorisation; dropped constraints have mu = 0. */
static void apply_ldl(void *self, const double *f, const double *c, double *x, double *mu) {
    const kkt *k = self;
    const int n = k->paths.system.n, m = k->paths.system.m, *restrict place = k->paths.ldl->place;
    double *restrict w = k->w;
    for (int i = 0; i < n; i++) w[place[i]] = f ? f[i] : 0;
    for (int i = 0; i < m; i++) w[place[n + i]] = c ? c[i] : 0;
    hol__ldl_solve_places(k->paths.ldl, w);
    for (int i = 0; i < n; i++) x[i] = w[place[i]];
    if (mu)
        for (int i = 0; i < m; i++) mu[i] = w[place[n + i]];
}

/* By the dense factorisation, z = E (E K E)^-1 E b. */
static void apply_dense(void *self, const double *f, const double *c, double *x, double *mu) {
    const kkt *k = self;
    const int n = k->paths.system.n, m = k->paths.system.m;
    double *z = k->E + n + m;
    for (int i = 0; i < n; i++) z[i] = f ? k->E[i] * f[i] : 0;
    for (int i = 0; i < m; i++) z[n + i] = c ? k->E[n + i] * c[i] : 0;
    if (n + m > 0) hol__bk_solve(k->bk, z);
    for (int i = 0; i < n; i++) x[i] = k->E[i] * z[i];
    for (int i = 0; i < m; i++) mu[i] = k->E[n + i] * z[n + i];
}

/* By the sparse LU. */
static void apply_lu(void *self, const double *f, const double *c, double *x, double *mu) {
    kkt *k = self;
    const int n = k->paths.system.n, m = k->paths.system.m;
    for (int i = 0; i < n; i++) k->w[i] = f ? f[i] : 0;
    for (int i = 0; i < m; i++) k->w[n + i] = c && !k->open[i] ? c[i] : 0;
    hol__klu_solve(k->klu, k->w);
    for (int i = 0; i < n; i++) x[i] = k->w[i];
    for (int i = 0; i < m; i++) mu[i] = k->w[n + i];
}

/* Whether the largest of the residuals of the forces is rounding beside the largest sum of terms:
 * S dx, the only error that a shift makes, is none. */
static int forces_vanish(hol__saddle *s, const double *f, const double *c, const double *x,
                         const double *mu) {
    double most = 0, terms = 0;
    if (!isfinite(hol__saddle_residual(s, f, c, x, mu))) return 0;
    for (int i = 0; i < s->n; i++) {
        most = fmax(most, fabs(s->rf[i]));
        terms = fmax(terms, s->sf[i]);
    }
    return most <= HOL__CANCELLED * terms;
}

static hol_status solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                        double *mu);

/* By the shifted factorisation, or by LU where the constraints do not determine the massless
 * columns. */
static hol_status solve_shifted(hol__kernel *kernel, const double *f, const double *c, double *x,
                                double *mu) {
    kkt *k = kernel->self;
    hol__saddle *s = &k->paths.system;
    double *found = mu ? mu : s->mu;
    apply_ldl(k, f, c, x, found);
    for (int i = 0; i < s->n; i++) s->rf[i] = k->massless[i] ? k->shift * x[i] : 0;
    apply_ldl(k, s->rf, NULL, s->dx, s->dmu);
    for (int i = 0; i < s->n; i++) x[i] += s->dx[i];
    for (int i = 0; i < s->m; i++) found[i] += s->dmu[i];
    if (forces_vanish(s, f, c, x, found)) return HOL_OK;
    k->shift = 0;
    const hol_status status = factor_singular_mass(kernel);
    return status == HOL_OK ? solve(kernel, f, c, x, mu) : status;
}

/* By the path that the factorisation took. */
static hol_status solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                        double *mu) {
    kkt *k = kernel->self;
    switch (k->paths.taken) {
    case HOL__BY_LDL:
        if (k->paths.refine == 0)
            apply_ldl(k, f, c, x, mu);
        else
            hol__saddle_solve(&k->paths.system, apply_ldl, k, f, c, x, mu, k->paths.refine);
        break;
    case HOL__BY_DEFLATION: return hol__paths_solve_deflated(kernel, &k->paths, f, c, x, mu);
    case HOL__BY_SHIFT: return solve_shifted(kernel, f, c, x, mu);
    case HOL__BY_LU:
        hol__saddle_solve(&k->paths.system, apply_lu, k, f, c, x, mu, k->paths.refine);
        break;
    case HOL__BY_DENSE:
        hol__saddle_solve(&k->paths.system, apply_dense, k, f, c, x, mu, k->paths.refine);
        break;
    case HOL__BY_MINNORM: hol__minnorm_solve(k->paths.minnorm, f, c, x, mu); break;
    }
    return HOL_OK;
}

/* The LU, in as many bytes whether it was made or not. */
static void remember_lu(hol__kernel *kernel, hol__archive *archive) {
    kkt *k = kernel->self;
    const hol__pattern *pt = &k->paths.pattern;
    int made = k->klu != NULL, corners = k->corner != NULL;
    size_t entries = 0;
    HOL__ARCHIVE(archive, made);
    HOL__ARCHIVE(archive, corners);
    if (made && hol__archive_reads(archive) && make_lu(kernel, corners)) archive->mismatch = 1;
    for (int e = 0; e < pt->nw + pt->na; e++) entries += pt->row[e] != pt->col[e] ? 2 : 1;
    const size_t more = sizeof(double) * (size_t)pt->m; /* of the diagonal, in it or not */
    if (k->klu)
        hol__klu_remember(k->klu, archive);
    else
        hol__archive_nothing(archive, hol__klu_remembers(entries));
    if (!k->klu || !k->corner) hol__archive_nothing(archive, more);
}

static void remember(hol__kernel *kernel, hol__archive *archive) {
    kkt *k = kernel->self;
    hol__paths_remember(&k->paths, archive);
    HOL__ARCHIVE(archive, k->mass_singular);
    HOL__ARCHIVE(archive, k->by_singular);
    HOL__ARCHIVE(archive, k->shift);
    if (k->massless) HOL__ARCHIVE_N(archive, k->massless, k->paths.system.n);
    if (k->paths.ldl && hol__klu_available()) remember_lu(kernel, archive);
}

const hol__kernel_type hol__kernel_kkt = {
    .name = "kkt",
    .flags = HOL__KERNEL_GENERAL,
    .title = "Lagrange multipliers: the whole system [W A^T; A 0]",
    HOL__KERNEL_FUNCTIONS,
};
