/* raster.c: areas filled on pixels, smooth at their edges.
 *
 * Every line of pixels is sampled at SAMPLES heights; along each the spans with a non-zero winding
 * number are exact, so that the share of a pixel that is covered comes out to 1/SAMPLES in one
 * direction and exactly in the other. All rings turn the same way, which makes the area their
 * union.
 */
#include "report/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 5 };

typedef struct edge {
    double x0, y0, x1, y1; /* y0 < y1 */
    int turn;              /* +1 downwards, -1 upwards in the ring */
} edge;

typedef struct crossing {
    double x;
    int turn;
} crossing;

int hol__raster_init(hol__raster *raster, hol_context *ctx, int width, int height,
                     unsigned background) {
    *raster =
        (hol__raster){.ctx = ctx, .width = width, .height = height, .clip = {0, 0, width, height}};
    raster->pixels = hol__alloc(ctx, (size_t)width * (size_t)height, 3);
    raster->cover = hol__alloc(ctx, (size_t)width + 2, sizeof *raster->cover);
    if (!raster->pixels || !raster->cover) {
        hol__raster_free(raster);
        return 0;
    }
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++)
        for (int k = 0; k < 3; k++)
            raster->pixels[3 * i + (size_t)k] = (unsigned char)(background >> (16 - 8 * k) & 0xFF);
    return 1;
}

void hol__raster_free(hol__raster *raster) {
    hol__release(raster->ctx, raster->pixels);
    hol__release(raster->ctx, raster->cover);
    raster->pixels = NULL;
    raster->cover = NULL;
}

/* Twice the area of a ring, positive when it turns clockwise on the screen. */
static double area(const double *xy, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
        const int k = i + 1 < to ? i + 1 : from;
        sum += xy[2 * i] * xy[2 * k + 1] - xy[2 * k] * xy[2 * i + 1];
    }
    return sum;
}

static int by_top(const void *a, const void *b) {
    const edge *p = a, *q = b;
    return p->y0 < q->y0 ? -1 : p->y0 > q->y0;
}

static int by_x(const void *a, const void *b) {
    const crossing *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x;
}

/* The edges of all rings from top to bottom; their number. */
static int make_edges(int n, const int *ends, const double *xy, edge *edges) {
    int count = 0;
    for (int r = 0, from = 0; r < n; from = ends[r++]) {
        const int way = area(xy, from, ends[r]) < 0 ? -1 : 1;
        for (int i = from; i < ends[r]; i++) {
            const int k = i + 1 < ends[r] ? i + 1 : from;
            const double *a = xy + 2 * i, *b = xy + 2 * k;
            if (a[1] == b[1] || !isfinite(a[0] + a[1] + b[0] + b[1])) continue;
            const int down = a[1] < b[1];
            edges[count++] =
                down ? (edge){a[0], a[1], b[0], b[1], way} : (edge){b[0], b[1], a[0], a[1], -way};
        }
    }
    qsort(edges, (size_t)count, sizeof *edges, by_top);
    return count;
}

/* Add the span x0 … x1 to the cover of the line. */
static void add_span(hol__raster *raster, double x0, double x1) {
    if (x0 < raster->clip[0]) x0 = raster->clip[0];
    if (x1 > raster->clip[2]) x1 = raster->clip[2];
    if (!(x1 > x0)) return;
    const int first = (int)x0, last = (int)x1;
    if (first == last) {
        raster->cover[first] += (float)(x1 - x0);
        return;
    }
    raster->cover[first] += (float)(first + 1 - x0);
    for (int i = first + 1; i < last; i++) raster->cover[i] += 1;
    raster->cover[last] += (float)(x1 - last);
}

/* Mix the colour into a line of pixels by its cover, and clear the cover. */
static void blend(hol__raster *raster, int row, unsigned color, double opacity) {
    unsigned char *pixel = raster->pixels + (size_t)row * (size_t)raster->width * 3;
    for (int i = 0; i < raster->width; i++, pixel += 3) {
        double share = (double)raster->cover[i] / SAMPLES * opacity;
        raster->cover[i] = 0;
        if (share <= 0) continue;
        if (share > 1) share = 1;
        for (int k = 0; k < 3; k++) {
            const double to = (double)(color >> (16 - 8 * k) & 0xFF);
            pixel[k] = (unsigned char)(pixel[k] + share * (to - pixel[k]) + 0.5);
        }
    }
    raster->cover[raster->width] = 0;
}

/* The spans at one height from the edges that cross it, the first `live` of the active list. */
static void sweep(hol__raster *raster, const edge *edges, const int *active, int live, double y,
                  crossing *found) {
    for (int i = 0; i < live; i++) {
        const edge *e = &edges[active[i]];
        found[i] = (crossing){e->x0 + (y - e->y0) / (e->y1 - e->y0) * (e->x1 - e->x0), e->turn};
    }
    qsort(found, (size_t)live, sizeof *found, by_x);
    for (int i = 0, wind = 0; i < live; i++) {
        if (wind != 0) add_span(raster, found[i - 1].x, found[i].x);
        wind += found[i].turn;
    }
}

/* Line after line over the sorted edges. */
static void scan(hol__raster *raster, const edge *edges, int count, int *active, crossing *found,
                 unsigned color, double opacity) {
    double bottom = 0;
    for (int i = 0; i < count; i++) bottom = edges[i].y1 > bottom ? edges[i].y1 : bottom;
    const double top = edges[0].y0 > raster->clip[1] ? edges[0].y0 : raster->clip[1];
    const int first = (int)floor(top);
    const int last = (int)floor(bottom < raster->clip[3] ? bottom : raster->clip[3] - 1e-9);
    int live = 0, next = 0;
    for (int row = first < 0 ? 0 : first; row <= last && row < raster->height; row++) {
        for (int s = 0; s < SAMPLES; s++) {
            const double y = row + (s + 0.5) / SAMPLES;
            if (y < raster->clip[1] || y >= raster->clip[3]) continue;
            for (; next < count && edges[next].y0 <= y; next++) active[live++] = next;
            int kept = 0;
            for (int i = 0; i < live; i++)
                if (edges[active[i]].y1 > y) active[kept++] = active[i];
            live = kept;
            sweep(raster, edges, active, live, y, found);
        }
        blend(raster, row, color, opacity);
    }
}

void hol__raster_fill(hol__raster *raster, int n, const int *ends, const double *xy, unsigned color,
                      double opacity) {
    const size_t points = n ? (size_t)ends[n - 1] : 0;
    edge *edges = hol__alloc(raster->ctx, points + 1, sizeof *edges);
    int *active = hol__alloc(raster->ctx, points + 1, sizeof *active);
    crossing *found = hol__alloc(raster->ctx, points + 1, sizeof *found);
    if (edges && active && found) {
        const int count = make_edges(n, ends, xy, edges);
        if (count) scan(raster, edges, count, active, found, color, opacity);
    } else
        raster->failed = 1;
    hol__release(raster->ctx, edges);
    hol__release(raster->ctx, active);
    hol__release(raster->ctx, found);
}
