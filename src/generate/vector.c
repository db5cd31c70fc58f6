/* vector.c: three-vectors, matrices and quaternions of a computation. See vector.h. */
#include "generate/vector.h"

#include <string.h>

hol__ref hol__gdot(hol__dag *d, const hol__ref x[3], const hol__ref y[3]) {
    const hol__ref first =
        hol__dag_add(d, hol__dag_mul(d, x[0], y[0]), hol__dag_mul(d, x[1], y[1]));
    return hol__dag_add(d, first, hol__dag_mul(d, x[2], y[2]));
}

void hol__gadd(hol__dag *d, const hol__ref x[3], const hol__ref y[3], hol__ref out[3]) {
    for (int i = 0; i < 3; i++) out[i] = hol__dag_add(d, x[i], y[i]);
}

void hol__gsub(hol__dag *d, const hol__ref x[3], const hol__ref y[3], hol__ref out[3]) {
    for (int i = 0; i < 3; i++) out[i] = hol__dag_sub(d, x[i], y[i]);
}

void hol__gscale(hol__dag *d, hol__ref k, const hol__ref x[3], hol__ref out[3]) {
    for (int i = 0; i < 3; i++) out[i] = hol__dag_mul(d, k, x[i]);
}

void hol__gcross(hol__dag *d, const hol__ref x[3], const hol__ref y[3], hol__ref out[3]) {
    hol__ref z[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        z[i] = hol__dag_sub(d, hol__dag_mul(d, x[j], y[k]), hol__dag_mul(d, x[k], y[j]));
    }
    memcpy(out, z, sizeof z);
}

void hol__gmul(hol__dag *d, const hol__ref A[9], const hol__ref x[3], hol__ref out[3]) {
    hol__ref y[3];
    for (int i = 0; i < 3; i++) y[i] = hol__gdot(d, A + 3 * i, x);
    memcpy(out, y, sizeof y);
}

static void transpose(const hol__ref A[9], hol__ref out[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = A[3 * j + i];
}

void hol__gmul_t(hol__dag *d, const hol__ref A[9], const hol__ref x[3], hol__ref out[3]) {
    hol__ref T[9];
    transpose(A, T);
    hol__gmul(d, T, x, out);
}

void hol__gproduct(hol__dag *d, const hol__ref A[9], const hol__ref B[9], hol__ref out[9]) {
    hol__ref T[9], C[9];
    transpose(B, T);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 * i + j] = hol__gdot(d, A + 3 * i, T + 3 * j);
    memcpy(out, C, sizeof C);
}

void hol__gzero(hol__dag *d, hol__ref x[3]) {
    for (int i = 0; i < 3; i++) x[i] = d->zero;
}

void hol__gunit(hol__dag *d, hol__ref A[9]) {
    for (int i = 0; i < 9; i++) A[i] = i % 4 == 0 ? d->one : d->zero;
}

void hol__gsimilar(hol__dag *d, const hol__ref R[9], const hol__ref S[9], hol__ref out[9]) {
    hol__ref RS[9], C[9];
    hol__gproduct(d, R, S, RS);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            C[3 * i + j] = C[3 * j + i] = hol__gdot(d, RS + 3 * i, R + 3 * j);
    memcpy(out, C, sizeof C);
}

void hol__gshift(hol__dag *d, hol__ref m, const hol__ref h[3], const hol__ref a[3], hol__ref S[9]) {
    /* with u = m a + 2 h: a.u 1 - (a u^T + u a^T)/2 */
    hol__ref u[3];
    const hol__ref two = hol__dag_number(d, 2), half = hol__dag_number(d, 0.5);
    for (int i = 0; i < 3; i++)
        u[i] = hol__dag_add(d, hol__dag_mul(d, m, a[i]), hol__dag_mul(d, two, h[i]));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            const int k = (i + 1) % 3, l = (i + 2) % 3;
            const hol__ref other =
                i == j ? hol__dag_add(d, hol__dag_mul(d, a[k], u[k]), hol__dag_mul(d, a[l], u[l]))
                       : hol__dag_mul(d, half,
                                      hol__dag_add(d, hol__dag_mul(d, a[i], u[j]),
                                                   hol__dag_mul(d, u[i], a[j])));
            S[3 * i + j] = S[3 * j + i] = i == j ? hol__dag_add(d, S[3 * i + j], other)
                                                 : hol__dag_sub(d, S[3 * i + j], other);
        }
}

void hol__gquat_mul(hol__dag *d, const hol__ref p[4], const hol__ref q[4], hol__ref out[4]) {
    hol__ref cross[3], r[4];
    hol__gcross(d, p + 1, q + 1, cross);
    r[0] = hol__dag_sub(d, hol__dag_mul(d, p[0], q[0]), hol__gdot(d, p + 1, q + 1));
    for (int i = 0; i < 3; i++)
        r[1 + i] = hol__dag_add(
            d, hol__dag_add(d, hol__dag_mul(d, p[0], q[1 + i]), hol__dag_mul(d, q[0], p[1 + i])),
            cross[i]);
    memcpy(out, r, sizeof r);
}
