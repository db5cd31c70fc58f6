/* hull.c: the convex hull of points in the plane, by the monotone chain. Rounding may keep a point
 * of a straight side on both ways, so that there are up to 2 n corners. */
#include "report/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_x_then_y(const void *a, const void *b) {
    const double *p = a, *q = b;
    if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
    return p[1] < q[1] ? -1 : p[1] > q[1];
}

/* Move the points with finite coordinates, which can be ordered, to the front; how many. */
static int keep_finite(double *points, int n, int width) {
    int kept = 0;
    for (int i = 0; i < n; i++) {
        const double *p = points + width * i;
        if (!isfinite(p[0]) || !isfinite(p[1])) continue;
        memmove(points + width * kept++, p, (size_t)width * sizeof *p);
    }
    return kept;
}

int hol__hull_around(double *points, int n, int width, double *out) {
    const size_t bytes = (size_t)width * sizeof *points;
    int m = 0;
    n = keep_finite(points, n, width);
    if (n == 0) return 0;
    qsort(points, (size_t)n, bytes, by_x_then_y);
    for (int pass = 0; pass < 2; pass++) {
        const int start = m;
        for (int i = 0; i < n; i++, m++) {
            const double *p = points + width * (pass ? n - 1 - i : i);
            for (; m >= start + 2; m--) {
                const double *a = out + width * (m - 2), *b = out + width * (m - 1);
                if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
            }
            memcpy(out + width * m, p, bytes);
        }
        m--;
    }
    return m;
}
