/* polygon.c: polygons cut into triangles, ear by ear: a corner that turns left and whose triangle
 * holds no other corner is cut off. */
#include "report/surface.h"

/* Twice the area of a triangle, positive where it is counter-clockwise. */
static double turn(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Whether p is in the triangle or on its edge. */
static int is_in(const double *p, const double *a, const double *b, const double *c) {
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

/* Whether the corner i of the m that are left is an ear. */
static int is_ear(const double *xy, const int *left, int m, int i) {
    const int before = left[(i + m - 1) % m], here = left[i], after = left[(i + 1) % m];
    const double *a = xy + 2 * before, *b = xy + 2 * here, *c = xy + 2 * after;
    if (!(turn(a, b, c) > 0)) return 0;
    for (int k = 0; k < m; k++) {
        const double *p = xy + 2 * left[k];
        if (left[k] != before && left[k] != here && left[k] != after &&
            turn(xy + 2 * left[(k + m - 1) % m], p, xy + 2 * left[(k + 1) % m]) <= 0 &&
            is_in(p, a, b, c))
            return 0;
    }
    return 1;
}

int hol__triangulate(int n, const double *xy, int *out, int *left) {
    int m = n, count = 0;
    for (int i = 0; i < n; i++) left[i] = i;
    while (m >= 3) {
        int ear = -1;
        for (int i = 0; i < m && ear < 0; i++)
            if (is_ear(xy, left, m, i)) ear = i;
        /* nothing turns left any more: what remains has no area, or crosses itself */
        const int cut = ear < 0 ? 0 : ear;
        if (ear >= 0) {
            out[count++] = left[(cut + m - 1) % m];
            out[count++] = left[cut];
            out[count++] = left[(cut + 1) % m];
        }
        for (int i = cut; i + 1 < m; i++) left[i] = left[i + 1];
        m--;
    }
    return count;
}
