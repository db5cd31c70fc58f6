/* saddle.c: residual and refinement of the constrained system. See saddle.h.
 *
 *     rf = f - W x - A^T mu,   rc = c - A x,   then  (x, mu) += K^-1 (rf, rc)
 *
 * A factorisation through A W^-1 A^T loses as many digits as the square of the condition of A; the
 * residual is formed from W and A themselves, so each step wins back what the factorisation is good
 * for.
 */
#include "kernel/saddle.h"

#include <float.h>
#include <math.h>

/* Below this omega there is nothing to gain: a few units of rounding. */
#define OMEGA_GOOD 4e-16

/* Sums below this share of what they might be are rounding. */
#define ROUNDING (1000 * DBL_EPSILON)

int hol__saddle_init(hol__saddle *s, hol__arena *arena, int n, int m, long *refinements) {
    *s = (hol__saddle){.n = n, .m = m, .refinements = refinements};
    double *block = HOL__NEW_N(arena, double, 4 * (size_t)n + 6 * (size_t)m);
    if (!block) return 0;
    s->rf = block;
    s->sf = s->rf + n;
    s->dx = s->sf + n;
    s->rc = s->dx + n;
    s->sc = s->rc + m;
    s->dmu = s->sc + m;
    s->mu = s->dmu + m;
    s->c = s->mu + m;
    s->size = s->c + m;
    return 1;
}

/* The larger of a size and another, which counts for nothing where it is NaN: fmax without the
 * call. */
static double larger(double size, double other) {
    return other > size ? other : size;
}

/* The largest |x_i|. */
static double largest_of(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++) most = larger(most, fabs(x[i]));
    return most;
}

/* size <- what the terms of rf might be by the largest coefficient of each equation, of x and of
 * mu; called for the first that leaves more than rounding of its own terms. */
static void measure_loads(hol__saddle *s, const double *x, const double *mu) {
    const hol__csr *W = s->W, *A = s->A;
    const double reach = largest_of(s->n, x), load = largest_of(s->m, mu);
    for (int i = 0; i < s->n; i++) {
        double most = 0;
        for (int p = W->ptr[i]; p < W->ptr[i + 1]; p++) most = larger(most, fabs(W->x[p]));
        s->size[i] = reach * most;
    }
    for (int r = 0; r < s->m; r++)
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++) {
            double *size = &s->size[A->idx[p]];
            *size = larger(*size, load * fabs(A->x[p]));
        }
}

/* The same of rc. */
static void measure_rows(hol__saddle *s, const double *x) {
    const hol__csr *A = s->A;
    const double reach = largest_of(s->n, x);
    for (int r = 0; r < s->m; r++) {
        double most = 0;
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++) most = larger(most, fabs(A->x[p]));
        s->size[r] = reach * most;
    }
}

/* The largest |r_i| / s_i; NaN when there is one. mu is NULL for rc. */
static double largest_share(hol__saddle *s, const double *x, const double *mu, double omega) {
    const int n = mu ? s->n : s->m;
    const double *r = mu ? s->rf : s->rc, *sums = mu ? s->sf : s->sc;
    int measured = 0;
    for (int i = 0; i < n; i++) {
        double share = r[i] == 0 ? 0 : fabs(r[i]) / sums[i];
        if (share <= omega || share <= OMEGA_GOOD) continue;
        if (!measured && mu) measure_loads(s, x, mu);
        if (!measured && !mu) measure_rows(s, x);
        measured = 1;
        if (sums[i] < ROUNDING * s->size[i]) share = fabs(r[i]) / s->size[i];
        if (!(share <= omega)) omega = share;
    }
    return omega;
}

/* Take the directions that are given up out of rc. That spreads rounding over all rows, so that all
 * count against the largest sum. */
static void level(hol__saddle *s) {
    double most = 0;
    s->give_up(s->who, s->rc);
    for (int i = 0; i < s->m; i++) most = fmax(most, s->sc[i]);
    for (int i = 0; i < s->m; i++) s->sc[i] = most;
}

/* The same where W is known by its root: |W_ij x_j| <= sqrt(W_ii) max_j sqrt(W_jj) |x_j|. */
static void begin_loads_by_root(hol__saddle *s, const double *f, const double *x) {
    const hol__csr *W = s->W;
    double most = 0;
    W->root->times(W->root->self, x, s->rf);
    for (int j = 0; j < s->n; j++) most = fmax(most, sqrt(W->x[j]) * fabs(x[j]));
    for (int i = 0; i < s->n; i++) {
        s->rf[i] = (f ? f[i] : 0) - s->rf[i];
        s->sf[i] = (f ? fabs(f[i]) : 0) + sqrt(W->x[i]) * most;
    }
}

/* rf = f - W x, sf its terms. */
static void begin_loads(hol__saddle *s, const double *f, const double *x) {
    const hol__csr *W = s->W;
    if (W->root) {
        begin_loads_by_root(s, f, x);
        return;
    }
    for (int i = 0; i < s->n; i++) {
        double r = f ? f[i] : 0, sum = fabs(r);
        for (int p = W->ptr[i]; p < W->ptr[i + 1]; p++) {
            const double t = W->x[p] * x[W->idx[p]];
            r -= t;
            sum += fabs(t);
        }
        s->rf[i] = r;
        s->sf[i] = sum;
    }
}

double hol__saddle_loads(hol__saddle *s, const double *f, const double *x, const double *mu) {
    const hol__csr *A = s->A;
    begin_loads(s, f, x);
    for (int i = 0; i < s->m; i++)
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
            const double u = A->x[p] * mu[i];
            s->rf[A->idx[p]] -= u;
            s->sf[A->idx[p]] += fabs(u);
        }
    return largest_share(s, x, mu, 0);
}

double hol__saddle_residual(hol__saddle *s, const double *f, const double *c, const double *x,
                            const double *mu) {
    const hol__csr *A = s->A;
    begin_loads(s, f, x);
    for (int i = 0; i < s->m; i++) {
        double r = c ? c[i] : 0, sum = fabs(r);
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
            const int j = A->idx[p];
            const double t = A->x[p] * x[j], u = A->x[p] * mu[i];
            r -= t;
            sum += fabs(t);
            s->rf[j] -= u;
            s->sf[j] += fabs(u);
        }
        s->rc[i] = r;
        s->sc[i] = sum;
    }
    if (s->give_up) level(s);
    return largest_share(s, x, NULL, largest_share(s, x, mu, 0));
}

/* (x, mu) += sign (dx, dmu). */
static void correct(const hol__saddle *s, double sign, double *x, double *mu) {
    for (int i = 0; i < s->n; i++) x[i] += sign * s->dx[i];
    for (int i = 0; i < s->m; i++) mu[i] += sign * s->dmu[i];
}

double hol__saddle_solve(hol__saddle *s, hol__saddle_apply *apply, void *self, const double *f,
                         const double *c, double *x, double *mu, int most) {
    if (!mu) mu = s->mu;
    apply(self, f, c, x, mu);
    if (most == 0) return 0;
    double omega = hol__saddle_residual(s, f, c, x, mu);
    for (int step = 0; step < most && omega > OMEGA_GOOD; step++) {
        apply(self, s->rf, s->rc, s->dx, s->dmu);
        correct(s, 1, x, mu);
        ++*s->refinements;
        const double next = hol__saddle_residual(s, f, c, x, mu);
        if (!(next < omega)) {
            correct(s, -1, x, mu);
            break;
        }
        const int slow = next > 0.5 * omega;
        omega = next;
        if (slow) break;
    }
    return omega;
}

/* Entries that are rounding beside the largest of their row do not count. */
void hol__saddle_columns(hol__saddle *s) {
    const hol__csr *A = s->A;
    for (int j = 0; j < s->n; j++) s->size[j] = 0;
    for (int i = 0; i < s->m; i++) {
        double most = 0;
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++) most = fmax(most, fabs(A->x[p]));
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++)
            if (fabs(A->x[p]) > ROUNDING * most)
                s->size[A->idx[p]] = fmax(s->size[A->idx[p]], fabs(A->x[p]));
    }
}

void hol__saddle_terms(hol__saddle *s, const double *v) {
    const hol__csr *A = s->A;
    for (int j = 0; j < s->n; j++) s->rf[j] = s->sf[j] = 0;
    for (int i = 0; i < s->m; i++)
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
            const double t = A->x[p] * v[i];
            s->rf[A->idx[p]] += t;
            s->sf[A->idx[p]] += fabs(t);
        }
    for (int j = 0; j < s->n; j++) {
        const double size = s->size[j];
        s->rf[j] = size > 0 ? fabs(s->rf[j]) / size : 0;
        s->sf[j] = size > 0 ? s->sf[j] / size : 0;
    }
}

int hol__saddle_depend(hol__saddle *s, int count, const double *N) {
    if (count) hol__saddle_columns(s);
    for (int k = 0; k < count; k++) {
        hol__saddle_terms(s, N + (size_t)k * (size_t)s->m);
        const double left = largest_of(s->n, s->rf), terms = largest_of(s->n, s->sf);
        if (terms > 0 && left / terms > HOL__SADDLE_CANCELLED) return 0;
    }
    return 1;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

void hol__project_out(int size, int count, const double *N, double *v) {
    for (int k = 0; k < count; k++) {
        const double *u = N + (size_t)k * (size_t)size, share = dot(size, u, v);
        for (int i = 0; i < size; i++) v[i] -= share * u[i];
    }
}

void hol__orthonormalise(int size, int count, double *N) {
    for (int k = 0; k < count; k++) {
        double *v = N + (size_t)k * (size_t)size;
        for (int twice = 0; twice < 2; twice++) {
            hol__project_out(size, k, N, v);
            const double norm = sqrt(dot(size, v, v));
            for (int i = 0; i < size && norm > 0; i++) v[i] /= norm;
        }
    }
}
