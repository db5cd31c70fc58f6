/* spectrum.c: eigenvalues after zeros were split off. See spectrum.h. */
#include "analysis/spectrum.h"

#include "la/dense.h"
#include "la/eigen.h"

#include <math.h>
#include <string.h>

static double *numbers(hol__arena *arena, size_t n) {
    return HOL__NEW_N(arena, double, n + 1);
}

/* One split of the trailing block: A (n x n) whose last `size` rows and columns are the block; Q
 * (n x n) collects the bases. wanted: how many directions, -1: those below HOL__NULL of the norm.
 * Returns how many were split off, < 0 where there is no decomposition. */
static int split(hol__svd *svd, int n, int size, int wanted, double norm, double *A, double *Q,
                 double *room) {
    const int first = n - size;
    double *V = room, *product = room + hol__area(n, n);
    int zero = 0;
    for (int j = 0; j < size; j++)
        memcpy(svd->a + hol__area(j, size), A + hol__area(first + j, n) + first,
               sizeof(double) * (size_t)size);
    svd->m = svd->n = size;
    if (hol__svd_factor(svd)) return -1;
    while (zero < size &&
           (wanted < 0 ? svd->s[size - 1 - zero] <= HOL__NULL * norm : zero < wanted))
        zero++;
    if (!zero) return 0;
    /* V: the null space first, then the rest */
    for (int j = 0; j < size; j++) {
        const int from = j < zero ? size - 1 - j : j - zero;
        for (int i = 0; i < size; i++)
            V[hol__area(j, size) + (size_t)i] = svd->vt[hol__area(i, size) + (size_t)from];
    }
    /* columns of A and Q, then rows of the block */
    hol__dense_product(0, 0, n, size, size, A + hol__area(first, n), V, product);
    memcpy(A + hol__area(first, n), product, sizeof(double) * hol__area(n, size));
    hol__dense_product(0, 0, n, size, size, Q + hol__area(first, n), V, product);
    memcpy(Q + hol__area(first, n), product, sizeof(double) * hol__area(n, size));
    for (int j = first; j < n; j++) {
        hol__dense_mul_t(size, size, 1, V, A + hol__area(j, n) + first, 0, product);
        memcpy(A + hol__area(j, n) + first, product, sizeof(double) * (size_t)size);
    }
    for (int j = first; j < first + zero; j++)
        memset(A + hol__area(j, n) + first, 0, sizeof(double) * (size_t)size);
    return zero;
}

/* What the block above gives an eigenvector w of the trailing one: (lambda - N) u = A12 w with N
 * strictly upper in blocks, from below upwards; complex, in place of u = 0. */
static void complete(int n, int zeros, const double *A, double re, double im, double *x,
                     double *y) {
    const double square = re * re + im * im;
    for (int i = zeros - 1; i >= 0; i--) {
        double a = 0, b = 0;
        for (int j = i + 1; j < n; j++) {
            a += A[hol__area(j, n) + (size_t)i] * x[j];
            if (y) b += A[hol__area(j, n) + (size_t)i] * y[j];
        }
        x[i] = (a * re + b * im) / square;
        if (y) y[i] = (b * re - a * im) / square;
    }
}

/* The vector of eigenvalue k from the trailing block: completed, in the old directions and scales,
 * of norm 1 with its largest entry real. */
static void bring_back(const hol__eig *eig, int k, int n, int zeros, const double *A,
                       const double *Q, const double *d, double *x, double *y, double *out) {
    const int size = n - zeros, pair = eig->im[k] != 0;
    memcpy(x + zeros, eig->v + hol__area(k, size), sizeof(double) * (size_t)size);
    if (pair) memcpy(y + zeros, eig->v + hol__area(k + 1, size), sizeof(double) * (size_t)size);
    complete(n, zeros, A, eig->re[k], eig->im[k], x, pair ? y : NULL);
    double *real = out, *imaginary = out + n, sum = 0, most = 0, c = 1, s = 0;
    hol__dense_mul(n, n, 1, Q, x, 0, real);
    if (pair) hol__dense_mul(n, n, 1, Q, y, 0, imaginary);
    for (int i = 0; i < n; i++) {
        real[i] *= d[i];
        if (pair) imaginary[i] *= d[i];
        const double a = real[i], b = pair ? imaginary[i] : 0, here = hypot(a, b);
        sum += here * here;
        if (here > most) most = here, c = a / here, s = b / here;
    }
    const double scale = sum > 0 ? 1 / sqrt(sum) : 1;
    for (int i = 0; i < n; i++) {
        const double a = real[i], b = pair ? imaginary[i] : 0;
        real[i] = scale * (c * a + s * b);
        if (pair) imaginary[i] = scale * (c * b - s * a);
    }
}

/* Pairs and real ones in falling order of the real part: the order of their first columns. */
static int order(const hol__eig *eig, int size, int *at) {
    int count = 0;
    for (int k = 0; k < size; k++) {
        int i = count++;
        for (; i > 0 && eig->re[at[i - 1]] < eig->re[k]; i--) at[i] = at[i - 1];
        at[i] = k;
        if (eig->im[k] != 0) k++;
    }
    return count;
}

hol_status hol__spectrum_of(const double *A, int n, const double *d, double rate,
                            const hol__spectrum *like, hol__arena *arena, hol__spectrum *out) {
    *out = (hol__spectrum){.n = n};
    double *B = numbers(arena, hol__area(n, n)), *Q = numbers(arena, hol__area(n, n)),
           *room = numbers(arena, 2 * hol__area(n, n));
    out->re = numbers(arena, (size_t)n);
    out->im = numbers(arena, (size_t)n);
    out->vectors = numbers(arena, hol__area(n, n) + (size_t)n);
    out->split = HOL__NEW_N(arena, int, n + 1);
    int *at = HOL__NEW_N(arena, int, n + 1);
    hol__svd *svd = hol__svd_new(arena, n, n);
    hol__eig *eig = hol__eig_new(arena, n);
    if (arena->failed || !svd || !eig) return HOL_ERR_MEMORY;
    if (!n) return HOL_OK;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            B[hol__area(j, n) + (size_t)i] = A[hol__area(j, n) + (size_t)i] * d[j] / d[i];
    for (int i = 0; i < n; i++) Q[hol__area(i, n) + (size_t)i] = 1;
    double norm = rate;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += B[hol__area(j, n) + (size_t)i] * B[hol__area(j, n) + (size_t)i];
        norm = fmax(norm, sqrt(sum));
    }
    int zeros = 0, found = 1;
    while (zeros < n && found > 0) {
        const int i = out->splits, wanted = !like ? -1 : i < like->splits ? like->split[i] : 0;
        found = split(svd, n, n - zeros, wanted, norm, B, Q, room);
        if (found < 0) return HOL_NOT_CONVERGED;
        if (!zeros) out->n_still = found;
        zeros += found;
        if (found) out->split[out->splits++] = found;
    }
    const int size = n - zeros;
    for (int j = 0; j < size; j++)
        memcpy(eig->a + hol__area(j, size), B + hol__area(zeros + j, n) + zeros,
               sizeof(double) * (size_t)size);
    if (hol__eig_factor(eig, size)) return HOL_NOT_CONVERGED;
    out->n_zero = zeros;
    const int count = order(eig, size, at);
    for (int i = 0, k = 0; i < count; i++) {
        const int from = at[i], pair = eig->im[from] != 0;
        out->re[k] = eig->re[from], out->im[k] = eig->im[from];
        bring_back(eig, from, n, zeros, B, Q, d, room, room + n, out->vectors + hol__area(k, n));
        if (pair) out->re[k + 1] = out->re[k], out->im[k + 1] = -out->im[k];
        k += 1 + pair;
    }
    for (int k = 0; k < zeros; k++) {
        double *x = out->vectors + hol__area(size + k, n), sum = 0;
        for (int i = 0; i < n; i++)
            x[i] = d[i] * Q[hol__area(k, n) + (size_t)i], sum += x[i] * x[i];
        for (int i = 0; i < n; i++) x[i] /= sqrt(sum);
    }
    return HOL_OK;
}
