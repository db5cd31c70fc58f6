/* qr_plain.c: Householder QR with column pivoting, column by column. See qr_plain.h.
 *
 * The squares of the lengths that are left of the columns are brought down by R_kj^2 and summed
 * anew where that has cancelled half of the digits. A reflection passes columns without an entry
 * in its rows over.
 */
#include "la/qr_plain.h"

#include <math.h>
#include <stddef.h>

/* Where a square has fallen below this share of its last full sum it is summed anew. */
static const double cancelled = 1e-8;

/* v . w over `count` entries, in two sums. */
static double dot(int count, const double *restrict v, const double *restrict w) {
    double even = 0, odd = 0;
    int i = 0;
    for (; i + 1 < count; i += 2) {
        even += v[i] * w[i];
        odd += v[i + 1] * w[i + 1];
    }
    return (i < count ? even + v[i] * w[i] : even) + odd;
}

/* w <- (1 - tau v v^T) w over `count` entries, v_0 = 1. */
static void reflect(int count, double tau, const double *restrict v, double *restrict w) {
    const double sum = tau * (w[0] + dot(count - 1, v + 1, w + 1));
    if (sum == 0) return;
    w[0] -= sum;
    for (int i = 1; i < count; i++) w[i] -= sum * v[i];
}

/* Column `best` to place k. */
static void exchange(int m, int k, int best, double *a, int *column, double *left, double *whole) {
    double *p = a + (size_t)k * (size_t)m, *q = a + (size_t)best * (size_t)m;
    if (best == k) return;
    for (int i = 0; i < m; i++) {
        const double t = p[i];
        p[i] = q[i];
        q[i] = t;
    }
    const int c = column[k];
    column[k] = column[best];
    column[best] = c;
    left[best] = left[k];
    whole[best] = whole[k];
}

/* The reflection that takes w, `count` entries, to w[0]; v in its place. Returns tau. */
static double make_reflection(int count, double *w) {
    const double rest = dot(count - 1, w + 1, w + 1);
    if (rest == 0) return 0;
    const double length = sqrt(w[0] * w[0] + rest), end = w[0] > 0 ? -length : length,
                 inverse = 1 / (w[0] - end), tau = (end - w[0]) / end;
    for (int i = 1; i < count; i++) w[i] *= inverse;
    w[0] = end;
    return tau;
}

void hol__qr_plain_factor(int m, int n, double *a, int *column, double *tau, double *norms) {
    double *left = norms, *whole = norms + n;
    for (int j = 0; j < n; j++) {
        const double *w = a + (size_t)j * (size_t)m;
        column[j] = j;
        left[j] = whole[j] = dot(m, w, w);
    }
    for (int k = 0; k < m && k < n; k++) {
        int best = k;
        for (int j = k + 1; j < n; j++)
            if (left[j] > left[best]) best = j;
        exchange(m, k, best, a, column, left, whole);
        double *v = a + (size_t)k * (size_t)m + k;
        tau[k] = make_reflection(m - k, v);
        for (int j = k + 1; j < n; j++) {
            double *w = a + (size_t)j * (size_t)m + k;
            reflect(m - k, tau[k], v, w);
            left[j] -= w[0] * w[0];
            if (!(left[j] > cancelled * whole[j]))
                left[j] = whole[j] = dot(m - k - 1, w + 1, w + 1);
        }
    }
}

void hol__qr_plain_apply(int m, int k, const double *a, const double *tau, int transposed,
                         double *b) {
    for (int i = 0; i < k; i++) {
        const int at = transposed ? i : k - 1 - i;
        reflect(m - at, tau[at], a + (size_t)at * (size_t)m + at, b + at);
    }
}

void hol__qr_plain_solve(int m, int r, const double *a, double *b) {
    for (int j = r - 1; j >= 0; j--) {
        const double *u = a + (size_t)j * (size_t)m;
        b[j] /= u[j];
        for (int i = 0; i < j; i++) b[i] -= u[i] * b[j];
    }
}

void hol__qr_plain_solve_t(int m, int r, const double *a, double *b) {
    for (int j = 0; j < r; j++) {
        const double *u = a + (size_t)j * (size_t)m;
        b[j] = (b[j] - dot(j, u, b)) / u[j];
    }
}
