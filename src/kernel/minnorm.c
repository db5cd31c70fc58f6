/* minnorm.c: dense minimum-norm solution by complete orthogonal decomposition. See minnorm.h for
 * the equations. */
#include "kernel/minnorm.h"

#include "la/tolerances.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 3 };

hol__minnorm *hol__minnorm_new(hol__arena *arena, hol__saddle *system, double tolerance,
                               double release, int rooted) {
    const size_t n = (size_t)system->n, m = (size_t)system->m;
    hol__minnorm *mn = HOL__NEW(arena, hol__minnorm);
    if (!mn) return NULL;
    *mn = (hol__minnorm){.system = system, .tolerance = tolerance, .release = release, .share = 1};
    mn->L = rooted ? NULL : HOL__NEW_N(arena, double, n *n);
    mn->H = HOL__NEW_N(arena, double, n *m);
    mn->N = HOL__NEW_N(arena, double, m *m);
    mn->scale = HOL__NEW_N(arena, double, 2 * n + 4 * m);
    mn->cod = hol__cod_new(arena, system->n, system->m);
    if ((!mn->L && !rooted) || !mn->H || !mn->N || !mn->scale || !mn->cod) return NULL;
    mn->gain = mn->scale + m;
    mn->c = mn->gain + m;
    mn->s = mn->c + m;
    mn->u = mn->s + m;
    mn->v = mn->u + n;
    return mn;
}

/* L <- Cholesky factor of L; whether every pivot keeps a share of its diagonal entry (in
 * scratch, n). */
static int cholesky(int n, double *L, double *diagonal) {
    const size_t size = (size_t)n;
    for (size_t i = 0; i < size; i++) diagonal[i] = L[i * size + i];
    if (hol__chol_factor(n, L) != 0) return 0;
    for (size_t i = 0; i < size; i++)
        if (!(L[i * size + i] * L[i * size + i] > HOL__MASS_TOLERANCE * diagonal[i])) return 0;
    return 1;
}

/* L <- W + A^T G A with gains that make each row weigh as much as the largest entry of W. */
static void augment(hol__minnorm *mn) {
    const hol__csr *W = mn->system->W, *A = mn->system->A;
    const size_t n = (size_t)W->rows;
    double most = 0;
    hol__csr_to_dense(W, mn->L);
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(mn->L[i * n + i]));
    if (most == 0) most = 1;
    for (int r = 0; r < A->rows; r++) {
        double length2 = 0;
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++) length2 += A->x[p] * A->x[p];
        mn->gain[r] = length2 > 0 ? most / length2 : 0;
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++)
            for (int q = A->ptr[r]; q < A->ptr[r + 1]; q++)
                mn->L[(size_t)A->idx[p] * n + (size_t)A->idx[q]] += mn->gain[r] * A->x[p] * A->x[q];
    }
}

int hol__minnorm_prefer_plain(hol__minnorm *mn, hol__arena *arena, const hol__csr *W) {
    mn->envelope = hol__envelope_new(arena, W);
    hol__qrp_prefer_plain(mn->cod->qr);
    return mn->envelope != NULL;
}

/* The columns of H with unit length. */
static void scale_columns(hol__minnorm *mn) {
    const size_t n = (size_t)mn->system->n;
    for (int j = 0; j < mn->system->m; j++) {
        double *h = mn->H + (size_t)j * n, sum = 0;
        for (size_t i = 0; i < n; i++) sum += h[i] * h[i];
        mn->scale[j] = sum > 0 ? 1 / sqrt(sum) : 1;
        for (size_t i = 0; i < n; i++) h[i] *= mn->scale[j];
    }
}

/* H = L^-1 A^T within the envelope of W, row by row of A. */
static void solve_rows(const hol__minnorm *mn) {
    const hol__csr *A = mn->system->A;
    const size_t n = (size_t)mn->system->n;
    memset(mn->H, 0, n * (size_t)A->rows * sizeof *mn->H);
    for (int r = 0; r < A->rows; r++) {
        double *h = mn->H + (size_t)r * n;
        int from = A->cols;
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++) {
            h[A->idx[p]] = A->x[p];
            if (A->x[p] != 0 && A->idx[p] < from) from = A->idx[p];
        }
        hol__envelope_solve(mn->envelope, from, h);
    }
}

/* H = L^-1 A^T by the root of W. */
static hol_status prepare_by_root(hol__minnorm *mn) {
    const hol__root *root = mn->system->W->root;
    if (root->singular) return HOL_SINGULAR;
    hol__csr_to_dense(mn->system->A, mn->H);
    for (int r = 0; r < mn->system->m; r++)
        root->lower(root->self, mn->H + (size_t)r * (size_t)mn->system->n);
    scale_columns(mn);
    return HOL_OK;
}

void hol__minnorm_lower(const hol__minnorm *mn, double *x) {
    const hol__root *root = mn->system->W->root;
    if (root)
        root->lower(root->self, x);
    else if (mn->by_envelope)
        hol__envelope_solve(mn->envelope, 0, x);
    else if (mn->system->n > 0)
        hol__lower_solve(mn->system->n, 1, mn->L, x);
}

void hol__minnorm_upper(const hol__minnorm *mn, double *x) {
    const hol__root *root = mn->system->W->root;
    if (root)
        root->upper(root->self, x);
    else if (mn->by_envelope)
        hol__envelope_solve_t(mn->envelope, x);
    else if (mn->system->n > 0)
        hol__lower_solve_t(mn->system->n, 1, mn->L, x);
}

/* H by the Cholesky factor in L. */
static void by_cholesky(hol__minnorm *mn) {
    const int n = mn->system->n, m = mn->system->m;
    /* A by rows is A^T by columns. */
    hol__csr_to_dense(mn->system->A, mn->H);
    if (n > 0 && m > 0) hol__lower_solve(n, m, mn->L, mn->H);
    scale_columns(mn);
}

/* L and H with W + A^T G A for W. */
static hol_status prepare_augmented(hol__minnorm *mn) {
    mn->augmented = 1;
    mn->by_envelope = 0;
    augment(mn);
    if (!cholesky(mn->system->n, mn->L, mn->u)) return HOL_SINGULAR;
    by_cholesky(mn);
    return HOL_OK;
}

hol_status hol__minnorm_prepare(hol__minnorm *mn, int may_augment) {
    const hol__csr *W = mn->system->W, *A = mn->system->A;
    if (!hol__csr_is_finite(W) || !hol__csr_is_finite(A)) return HOL_NONFINITE;
    mn->augmented = 0;
    if (W->root) return prepare_by_root(mn);
    mn->by_envelope = mn->envelope && hol__envelope_factor(mn->envelope, W, HOL__MASS_TOLERANCE);
    if (mn->by_envelope) {
        solve_rows(mn);
        scale_columns(mn);
        return HOL_OK;
    }
    hol__csr_to_dense(W, mn->L);
    if (cholesky(mn->system->n, mn->L, mn->u)) {
        by_cholesky(mn);
        return HOL_OK;
    }
    return may_augment ? prepare_augmented(mn) : HOL_SINGULAR;
}

/* The rank: the last pivots that were dependent before are held to the release tolerance, the
 * others to the rank tolerance. */
static int choose_rank(const hol__minnorm *mn) {
    const int n = mn->system->n, m = mn->system->m, most = n < m ? n : m;
    int rank = most;
    while (rank > 0) {
        const double limit = m - rank < mn->n_null ? mn->release : mn->tolerance;
        if (hol__cod_pivot(mn->cod, rank - 1) > limit) break;
        rank--;
    }
    return rank;
}

/* The decomposition of H as it is prepared. */
static hol_status decompose(hol__minnorm *mn) {
    const int n = mn->system->n, m = mn->system->m;
    const size_t count = (size_t)n * (size_t)m;
    if (count) memcpy(mn->cod->qr->a, mn->H, count * sizeof *mn->H);
    if (hol__cod_factor(mn->cod) != 0) return HOL_SINGULAR;
    const int rank = choose_rank(mn);
    mn->share = rank > 0 ? fmin(1, hol__cod_pivot(mn->cod, rank - 1)) : 1;
    mn->n_null = m - rank;
    hol__cod_truncate(mn->cod, rank);
    for (int k = 0; k < mn->n_null; k++) {
        double *v = mn->N + (size_t)k * (size_t)m;
        hol__cod_null_vector(mn->cod, k, v);
        for (int i = 0; i < m; i++) v[i] *= mn->scale[i];
    }
    hol__orthonormalise(m, mn->n_null, mn->N);
    return HOL_OK;
}

/* Whether W is to blame for what the decomposition found: rows that depend by it, but not by their
 * entries, or a weak one beside none that depends. */
static int misled(const hol__minnorm *mn) {
    if (mn->augmented || !mn->L) return 0;
    return mn->n_null ? !hol__saddle_depend(mn->system, mn->n_null, mn->N)
                      : mn->share * mn->share < HOL__DEFLATE_PIVOT;
}

hol_status hol__minnorm_factor(hol__minnorm *mn) {
    const int before = mn->n_null;
    const hol_status status = decompose(mn);
    if (status || !misled(mn)) return status;
    mn->n_null = before;
    return prepare_augmented(mn) ? HOL_SINGULAR : decompose(mn);
}

/* out <- c projected on the range of A. */
static void project(const hol__minnorm *mn, const double *c, double *out) {
    for (int i = 0; i < mn->system->m; i++) out[i] = c ? c[i] : 0;
    if (c) hol__project_out(mn->system->m, mn->n_null, mn->N, out);
}

/* The same with L within the envelope and both parts of xi in one pass. */
static void apply_plain(hol__minnorm *mn, const double *f, const double *c, double *x, double *mu) {
    const int n = mn->system->n, m = mn->system->m;
    project(mn, c, mn->c);
    for (int i = 0; i < n; i++) x[i] = f ? f[i] : 0;
    hol__minnorm_lower(mn, x);
    for (int i = 0; i < m; i++) mn->s[i] = mn->scale[i] * mn->c[i];
    hol__cod_move(mn->cod, mn->s, x, mu);
    hol__minnorm_upper(mn, x);
    if (!mu) return;
    for (int i = 0; i < m; i++) mu[i] *= mn->scale[i];
    hol__project_out(m, mn->n_null, mn->N, mu);
}

void hol__minnorm_apply(void *minnorm, const double *f, const double *c, double *x, double *mu) {
    hol__minnorm *mn = minnorm;
    const int n = mn->system->n, m = mn->system->m;
    if (mn->by_envelope) {
        apply_plain(mn, f, c, x, mu);
        return;
    }
    project(mn, c, mn->c);
    /* u = L^-1 (f + A^T G c) */
    for (int i = 0; i < n; i++) mn->u[i] = f ? f[i] : 0;
    if (mn->augmented) {
        for (int i = 0; i < m; i++) mn->s[i] = mn->gain[i] * mn->c[i];
        hol__csr_mul_t_add(mn->system->A, 1, mn->s, mn->u);
    }
    hol__minnorm_lower(mn, mn->u);
    /* x = xi = (H^+)^T D c + (I - H H^+) u */
    for (int i = 0; i < m; i++) mn->s[i] = mn->scale[i] * mn->c[i];
    hol__cod_solve_t(mn->cod, mn->s, x);
    for (int i = 0; i < n; i++) mn->v[i] = mn->u[i];
    hol__cod_outside_range(mn->cod, mn->v);
    for (int i = 0; i < n; i++) x[i] += mn->v[i];
    /* mu = D H^+ (u - xi) */
    for (int i = 0; i < n; i++) mn->v[i] = mn->u[i] - x[i];
    hol__cod_solve(mn->cod, mn->v, mu);
    for (int i = 0; i < m; i++) mu[i] *= mn->scale[i];
    hol__project_out(m, mn->n_null, mn->N, mu);
    hol__minnorm_upper(mn, x);
}

double hol__minnorm_solve(hol__minnorm *mn, const double *f, const double *c, double *x,
                          double *mu) {
    project(mn, c, mn->system->c);
    if (!mu) mu = mn->system->mu;
    const double omega =
        hol__saddle_solve(mn->system, hol__minnorm_apply, mn, f, mn->system->c, x, mu, REFINEMENTS);
    hol__project_out(mn->system->m, mn->n_null, mn->N, mu);
    return omega;
}
