/* deflate.c: dependent and nearly dependent constraints beside a static factorisation. See
 * deflate.h for the equations. */
#include "kernel/deflate.h"

#include <math.h>

/* Room for about this many numbers in each of Z, Y, T, N together. */
enum { ROOM = 4000000, LEAST_ROWS = 16, REFINEMENTS = 4, CORRECTIONS = 4 };

/* z_j is good when the last correction changed it by less than this. */
#define Z_GOOD 1e-14

/* A threshold that no pivot passes. */
#define ALWAYS 2.0

hol__deflate *hol__deflate_new(hol__arena *arena, hol__saddle *system, hol__saddle_apply *basic,
                               void *self, double tolerance, double release) {
    const size_t n = (size_t)system->n, m = (size_t)system->m;
    hol__deflate *d = HOL__NEW(arena, hol__deflate);
    if (!d) return NULL;
    int most = ROOM / (system->n + system->m + 1);
    if (most < LEAST_ROWS) most = LEAST_ROWS;
    if (most > system->m) most = system->m;
    *d = (hol__deflate){.system = system,
                        .basic = basic,
                        .self = self,
                        .tolerance = tolerance,
                        .release = release,
                        .most = most};
    const size_t k = (size_t)most;
    d->row = HOL__NEW_N(arena, int, k);
    d->scale = HOL__NEW_N(arena, double, 3 * k + 2 * m);
    d->Z = HOL__NEW_N(arena, double, m *k);
    d->N = HOL__NEW_N(arena, double, m *k);
    d->Y = HOL__NEW_N(arena, double, n *k);
    d->T = HOL__NEW_N(arena, double, n *k);
    d->eigh = hol__eigh_new(arena, most);
    if (!d->row || !d->scale || !d->Z || !d->N || !d->Y || !d->T || !d->eigh) return NULL;
    d->gamma = d->scale + k;
    d->beta = d->gamma + k;
    d->c = d->beta + k;
    d->step = d->c + m;
    d->share = 1;
    return d;
}

static double *column(double *matrix, int size, int k) {
    return matrix + (size_t)k * (size_t)size;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* z_j and y_j = W^-1 A^T z_j with A_kept y_j = 0: from z = e_j, take away the multipliers of f =
 * A^T z until they vanish. */
static void find_direction(hol__deflate *d, int j) {
    const hol__saddle *s = d->system;
    double *z = column(d->Z, s->m, j), *y = column(d->Y, s->n, j), *t = column(d->T, s->n, j);
    for (int i = 0; i < s->m; i++) z[i] = 0;
    z[d->row[j]] = 1;
    for (int round = 0; round < CORRECTIONS; round++) {
        double change = 0, most = 0;
        hol__csr_mul_t(s->A, z, t);
        d->basic(d->self, t, NULL, y, d->step);
        for (int i = 0; i < s->m; i++) {
            z[i] -= d->step[i];
            change = fmax(change, fabs(d->step[i]));
            most = fmax(most, fabs(z[i]));
        }
        if (change <= Z_GOOD * most) break;
    }
    hol__csr_mul(s->W, y, t);
}

/* Scaled Y^T W Y into the eigenvalue problem. */
static void form_gram(hol__deflate *d) {
    const int n = d->system->n, k = d->k;
    for (int j = 0; j < k; j++)
        for (int i = j; i < k; i++) {
            const double b = 0.5 * (dot(n, column(d->Y, n, i), column(d->T, n, j)) +
                                    dot(n, column(d->Y, n, j), column(d->T, n, i)));
            d->eigh->a[(size_t)j * (size_t)k + (size_t)i] = d->scale[i] * d->scale[j] * b;
        }
}

/* How many of the smallest sigma count as zero: those that did before by the release tolerance,
 * others by the rank tolerance. */
static int count_dependent(const hol__deflate *d) {
    int n = 0;
    while (n < d->k) {
        const double limit = n < d->n_null ? d->release : d->tolerance;
        if (d->eigh->values[n] > limit * limit) break;
        n++;
    }
    return n;
}

/* The null space of A^T: Z scale v for the dependent eigenvectors v, orthonormal. */
static void form_null_space(hol__deflate *d) {
    const int m = d->system->m, k = d->k;
    for (int c = 0; c < d->n_null; c++) {
        double *v = column(d->N, m, c);
        const double *e = column(d->eigh->a, k, c);
        for (int i = 0; i < m; i++) v[i] = 0;
        for (int j = 0; j < k; j++) {
            const double *z = column(d->Z, m, j), share = e[j] * d->scale[j];
            for (int i = 0; i < m; i++) v[i] += share * z[i];
        }
    }
    hol__orthonormalise(m, d->n_null, d->N);
}

void hol__deflate_arm(const hol__deflate *d, hol__ldl *ldl, int offset) {
    for (int i = offset; i < ldl->n; i++) ldl->threshold[ldl->place[i]] = HOL__DEFLATE_PIVOT;
    if (d->n_null > 0)
        for (int j = 0; j < d->k; j++) ldl->threshold[ldl->place[offset + d->row[j]]] = ALWAYS;
}

void hol__deflate_forget(hol__deflate *d, hol__ldl *ldl, int offset) {
    d->n_null = 0;
    hol__deflate_arm(d, ldl, offset);
}

void hol__deflate_remember(hol__deflate *d, hol__ldl *ldl, int offset, hol__archive *archive) {
    HOL__ARCHIVE(archive, d->n_null);
    HOL__ARCHIVE(archive, d->k);
    HOL__ARCHIVE_N(archive, d->row, d->most);
    if (hol__archive_reads(archive)) hol__deflate_arm(d, ldl, offset);
}

void hol__deflate_relax(hol__ldl *ldl, int offset) {
    for (int i = offset; i < ldl->n; i++) ldl->threshold[ldl->place[i]] = HOL__PIVOT_NOISE;
}

/* Directions, Gram matrix and null space of the rows in Z. */
static hol_status build(hol__deflate *d) {
    const size_t k = (size_t)d->k;
    for (int j = 0; j < d->k; j++) find_direction(d, j);
    form_gram(d);
    for (size_t j = 0; j < k; j++)
        for (size_t i = j; i < k; i++)
            if (!isfinite(d->eigh->a[j * k + i])) return HOL_NONFINITE;
    if (hol__eigh_factor(d->eigh, d->k) != 0) return HOL_SINGULAR;
    d->n_null = count_dependent(d);
    d->share = d->n_null < d->k ? fmin(1, sqrt(d->eigh->values[d->n_null])) : 1;
    form_null_space(d);
    return HOL_OK;
}

hol_status hol__deflate_take(hol__deflate *d, hol__ldl *ldl, int offset) {
    if (ldl->n_dropped > d->most) return HOL_SINGULAR;
    d->k = ldl->n_dropped;
    for (int j = 0; j < d->k; j++) {
        const int place = ldl->dropped[j];
        /* For a dependent row the terms add up to twice the square of its length. */
        const double length2 = 0.5 * ldl->magnitude[place];
        d->row[j] = ldl->perm[place] - offset;
        d->scale[j] = length2 > 0 ? 1 / sqrt(length2) : 1;
    }
    const hol_status status = build(d);
    if (status == HOL_OK) hol__deflate_arm(d, ldl, offset);
    return status;
}

/* beta = scale V L^-1 V^T scale gamma over the independent eigenvectors. */
static void solve_small(hol__deflate *d) {
    const int k = d->k;
    for (int j = 0; j < k; j++) d->beta[j] = 0;
    for (int c = d->n_null; c < k; c++) {
        const double *v = column(d->eigh->a, k, c);
        double share = 0;
        for (int j = 0; j < k; j++) share += v[j] * d->scale[j] * d->gamma[j];
        share /= d->eigh->values[c];
        for (int j = 0; j < k; j++) d->beta[j] += v[j] * d->scale[j] * share;
    }
}

/* c projected on the range of A, into out. */
static void project(const hol__deflate *d, const double *c, double *out) {
    for (int i = 0; i < d->system->m; i++) out[i] = c ? c[i] : 0;
    if (c) hol__project_out(d->system->m, d->n_null, d->N, out);
}

void hol__deflate_apply(void *deflate, const double *f, const double *c, double *x, double *mu) {
    hol__deflate *d = deflate;
    const int n = d->system->n, m = d->system->m;
    project(d, c, d->c);
    d->basic(d->self, f, d->c, x, mu);
    if (d->n_null < d->k) {
        for (int j = 0; j < d->k; j++)
            d->gamma[j] = dot(m, column(d->Z, m, j), d->c) - dot(n, column(d->T, n, j), x);
        solve_small(d);
        for (int j = 0; j < d->k; j++) {
            const double *z = column(d->Z, m, j), *y = column(d->Y, n, j), beta = d->beta[j];
            for (int i = 0; i < n; i++) x[i] += beta * y[i];
            for (int i = 0; i < m; i++) mu[i] -= beta * z[i];
        }
    }
    hol__project_out(m, d->n_null, d->N, mu);
}

double hol__deflate_solve(hol__deflate *d, const double *f, const double *c, double *x,
                          double *mu) {
    project(d, c, d->system->c);
    if (!mu) mu = d->system->mu;
    /* off the constraints a dependent direction is not quite dependent: what x does in it does not
     * count */
    d->system->null = d->N;
    d->system->n_null = d->n_null;
    const double omega =
        hol__saddle_solve(d->system, hol__deflate_apply, d, f, d->system->c, x, mu, REFINEMENTS);
    d->system->n_null = 0;
    hol__project_out(d->system->m, d->n_null, d->N, mu);
    return omega;
}
