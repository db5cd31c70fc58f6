/* drawing_trails.c: the trails of points in a picture: the whole way pale, that so far strong. */
#include "report/drawing.h"

#include "report/parts.h"
#include "report/trails.h"

#include <string.h>

enum { MOST_POINTS = 2000 };

/* A line through the points that are finite, up to the record. */
static void draw_way(const hol__drawing *d, const double *points, int n, int step, int row,
                     unsigned color, double *xy, hol__canvas *canvas) {
    int all = 0, past = 0;
    for (int i = 0; i < n; i++) {
        double p[3];
        hol__camera_project(&d->camera, points + 3 * i, p);
        xy[2 * all] = p[0], xy[2 * all + 1] = p[1];
        all++;
        if (i * step <= row) past = all;
    }
    hol__canvas_line(canvas, all, xy, (hol__stroke){color, 1.2, 0, 0.35});
    if (past > 1) hol__canvas_line(canvas, past, xy, (hol__stroke){color, 2.2, 0, 0.9});
}

int hol__drawing_trails(const hol__drawing *d, int row, hol__canvas *canvas) {
    const hol__movie *movie = d->movie;
    const hol__geometry *g = d->geometry;
    const char *records = hol_result_text(movie->result, "records");
    const int step = 1 + movie->rows / MOST_POINTS, n = (movie->rows + step - 1) / step;
    int bodies[3], trails = 0;
    if (movie->rows < 2 || (records && strcmp(records, "assembly") == 0)) return 1;
    double *points = hol__alloc(movie->ctx, 5 * (size_t)n, sizeof *points);
    if (!points) return 0;
    for (int c = 0; (c = hol__trail_next(movie->result, g->planar, c)) > 0; trails++) {
        for (int i = 0; i < n; i++)
            hol__trail_measured(movie, g->planar, c, i * step, points + 3 * i);
        draw_way(d, points, n, step, row, hol__trail_color(trails), points + 3 * n, canvas);
    }
    for (int k = trails || !movie->model ? 0 : hol__trail_bodies(g, bodies); k > 0; k--) {
        for (int i = 0; i < n; i++)
            hol__trail_centre(movie, bodies[k - 1], i * step, points + 3 * i);
        draw_way(d, points, n, step, row, hol__body_color(bodies[k - 1]), points + 3 * n, canvas);
    }
    hol__release(movie->ctx, points);
    return 1;
}
