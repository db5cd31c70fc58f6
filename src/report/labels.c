/* labels.c: places for words. A word stands in one of eight directions from its point, at one of
 * three distances; what counts is how much of the drawing it covers, then how far away it is, then
 * the order of the directions. The page does the same (web/src/labels.js). */
#include "report/labels.h"

#include <math.h>
#include <string.h>

enum { CELL = 4, FREE = 0, DRAWN = 1, TAKEN = 2 };

/* The directions, the better ones first; y downwards. */
static const int directions[8][2] = {{1, -1}, {1, 1}, {-1, -1}, {-1, 1},
                                     {0, -1}, {0, 1}, {1, 0},   {-1, 0}};
static const double rings[3] = {0, 0.8, 2};

int hol__labels_init(hol__labels *l, hol_context *ctx, int width, int height) {
    *l = (hol__labels){.ctx = ctx, .columns = width / CELL, .rows = height / CELL};
    l->cells = hol__alloc(ctx, (size_t)l->columns * (size_t)l->rows + 1, 1);
    return l->cells != NULL;
}

void hol__labels_free(hol__labels *l) {
    hol__release(l->ctx, l->cells);
    l->cells = NULL;
}

/* Mark the square at a place of the picture. */
static void mark(hol__labels *l, double x, double y) {
    const double c = floor(x / CELL), r = floor(y / CELL);
    if (!(c >= 0 && r >= 0 && c < l->columns && r < l->rows)) return;
    unsigned char *cell = &l->cells[(int)r * l->columns + (int)c];
    if (*cell == FREE) *cell = DRAWN;
}

void hol__labels_line(hol__labels *l, int n, const double *xy, double width) {
    const double limit = CELL * (l->columns + l->rows);
    for (int i = 0; i + 1 < n; i++) {
        const double *a = xy + 2 * i, dx = a[2] - a[0], dy = a[3] - a[1], size = hypot(dx, dy);
        if (!(size <= 4 * limit)) continue;
        const int steps = 1 + (int)(size / CELL), sides = (int)fmin(width / CELL, 40);
        for (int k = 0; k <= steps; k++)
            for (int s = 0; s <= sides; s++) {
                const double off = size > 0 && sides ? width * ((double)s / sides - 0.5) / size : 0;
                mark(l, a[0] + dx * k / steps - dy * off, a[1] + dy * k / steps + dx * off);
            }
    }
}

void hol__labels_area(hol__labels *l, int n, const double *xy) {
    for (int r = 0; r < l->rows; r++) {
        const double y = CELL * (r + 0.5);
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < n; i++) {
            const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % n);
            if ((a[1] <= y) == (b[1] <= y)) continue;
            const double x = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
            low = fmin(low, x), high = fmax(high, x);
        }
        for (double x = fmax(low, 0); x <= fmin(high, CELL * l->columns); x += CELL) mark(l, x, y);
    }
}

/* The share of a box that is drawn on; -1 where it is not free of words or leaves the picture. */
static double covered(const hol__labels *l, double left, double top, double width, double height) {
    const int c0 = (int)floor(left / CELL), c1 = (int)floor((left + width) / CELL),
              r0 = (int)floor(top / CELL), r1 = (int)floor((top + height) / CELL);
    int drawn = 0;
    if (!(left >= 2 && top >= 2) || c1 >= l->columns || r1 >= l->rows) return -1;
    for (int r = r0; r <= r1; r++)
        for (int c = c0; c <= c1; c++) {
            const unsigned char cell = l->cells[r * l->columns + c];
            if (cell == TAKEN) return -1;
            drawn += cell == DRAWN;
        }
    return (double)drawn / ((c1 - c0 + 1) * (r1 - r0 + 1));
}

int hol__labels_place(hol__labels *l, const double point[2], double width, double height,
                      double gap, double out[2]) {
    double best = INFINITY;
    if (!isfinite(point[0]) || !isfinite(point[1])) return 0;
    for (int ring = 0; ring < 3; ring++)
        for (int k = 0; k < 8; k++) {
            const int *d = directions[k];
            const double away = (gap + rings[ring] * height) * (d[0] && d[1] ? 0.7 : 1);
            const double left = point[0] + d[0] * (0.5 * width + away) - 0.5 * width,
                         top = point[1] + d[1] * (0.5 * height + away) - 0.5 * height;
            const double share = covered(l, left, top, width, height);
            const double cost = 2 * share + 0.12 * ring + 0.01 * k;
            if (share < 0 || !(cost < best)) continue;
            best = cost;
            out[0] = left, out[1] = top;
        }
    if (!isfinite(best)) return 0;
    for (int r = (int)floor(out[1] / CELL); r <= (int)floor((out[1] + height) / CELL); r++)
        memset(l->cells + r * l->columns + (int)floor(out[0] / CELL), TAKEN,
               (size_t)((int)floor((out[0] + width) / CELL) - (int)floor(out[0] / CELL) + 1));
    return 1;
}
