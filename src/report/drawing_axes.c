/* drawing_axes.c: the axes of the frames of bodies in a picture, x red, y green, z blue, as those
 * in the page; their letters stand at their ends. */
#include "report/drawing.h"

#include <math.h>

const unsigned hol__axis_colors[3] = {0xC22F45, 0x1D7D46, 0x2767D2};

double hol__axis_length(const hol__geometry *g) {
    return fmax(0.3 * g->link, 5 * g->radius);
}

void hol__drawing_axes(const hol__drawing *d, int row, hol__canvas *canvas) {
    static const char *const letters[3] = {"x", "y", "z"};
    const double length = hol__axis_length(d->geometry), size = 11;
    for (int i = 0; i < d->geometry->n_bodies; i++) {
        const hol_pose pose = hol__movie_pose(d->movie, row, i);
        static const double origin[3] = {0, 0, 0};
        double O[3], o[3];
        hol__pose_point(&pose, origin, O);
        hol__camera_project(&d->camera, O, o);
        for (int k = 0; k < (d->geometry->planar ? 2 : 3); k++) {
            double s[3] = {0, 0, 0}, P[3], p[3];
            s[k] = length;
            hol__pose_point(&pose, s, P);
            hol__camera_project(&d->camera, P, p);
            const double line[4] = {o[0], o[1], p[0], p[1]}, seen = hypot(p[0] - o[0], p[1] - o[1]);
            if (!(seen > 3)) continue; /* towards the eye */
            hol__canvas_line(canvas, 2, line, (hol__stroke){hol__axis_colors[k], 2.2, 0, 1});
            hol__canvas_text(canvas, p[0] + 8 * (p[0] - o[0]) / seen,
                             p[1] + 8 * (p[1] - o[1]) / seen + 0.35 * size, size,
                             HOL__ANCHOR_MIDDLE, 0, hol__axis_colors[k], letters[k]);
        }
    }
}
