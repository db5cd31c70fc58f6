/* drawing_arrows.c: reactions and forces in a picture: arrows with what they are and how large, and
 * three quarters of a circle for moments. */
#include "report/drawing.h"

#include "common/format.h"
#include "report/labels.h"
#include "report/loads.h"

#include <math.h>
#include <string.h>

enum { ARC = 24 };

/* Where the load of an element is drawn if nothing else was recorded: at the block of what slides
 * (marks), else at its point of the first body; and P1, the point that moments are about. */
static void places_of(const hol__drawing *d, int joints, int index, const hol_element_info *e,
                      int row, double at[3], double P1[3]) {
    double point[3];
    int body = e->body[0];
    const hol_pose first = hol__movie_pose(d->movie, row, e->body[0]);
    memcpy(point, e->point[0], sizeof point);
    if (joints) hol__mark_place(d->geometry, index, &body, point);
    const hol_pose pose = hol__movie_pose(d->movie, row, body);
    hol__pose_point(&pose, point, at);
    hol__pose_point(&first, e->point[0], P1);
}

/* A head at the end of a line that comes from another point. */
static void draw_head(hol__canvas *canvas, const double from[2], const double tip[2], double size,
                      unsigned color) {
    const double dx = tip[0] - from[0], dy = tip[1] - from[1], length = hypot(dx, dy);
    if (!(length > 0)) return;
    const double ux = dx / length, uy = dy / length, x = tip[0] - size * ux, y = tip[1] - size * uy;
    const double head[6] = {tip[0],
                            tip[1],
                            x - 0.38 * size * uy,
                            y + 0.38 * size * ux,
                            x + 0.38 * size * uy,
                            y - 0.38 * size * ux};
    hol__canvas_fill(canvas, 3, head, color, 1);
}

/* The line of an arrow in the picture, and its head. */
typedef struct arrow {
    int n;
    double xy[2 * (ARC + 1)], width, head;
} arrow;

/* The arrow of a force. */
static void trace_force(const hol__drawing *d, const hol__load_set *set, const double at[3],
                        const double v[3], double length, arrow *out) {
    double end[3], a[3], b[3];
    const double size = hol__load_length(v), width = set->width * d->camera.scale;
    for (int k = 0; k < 3; k++) end[k] = at[k] + length * v[k] / size;
    hol__camera_project(&d->camera, at, a);
    hol__camera_project(&d->camera, end, b);
    const double seen = hypot(b[0] - a[0], b[1] - a[1]);
    *out = (arrow){2, {a[0], a[1], b[0], b[1]}, fmax(2, 0.64 * width), 0};
    out->head = fmin(fmax(9, 2.6 * width), 0.6 * seen);
}

/* Two directions across one of length 1, right-handed with it. */
static void across(const double z[3], double x[3], double y[3]) {
    const int k = fabs(z[0]) < 0.6 ? 0 : 1;
    double size = 0;
    for (int i = 0; i < 3; i++) x[i] = (i == k) - z[k] * z[i];
    for (int i = 0; i < 3; i++) size += x[i] * x[i];
    for (int i = 0; i < 3; i++) x[i] /= sqrt(size);
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        y[i] = z[a] * x[b] - z[b] * x[a];
    }
}

/* Three quarters of a circle about a moment. */
static void trace_moment(const hol__drawing *d, const hol__load_set *set, const double at[3],
                         const double v[3], double radius, arrow *out) {
    const double size = hol__load_length(v), width = set->width * d->camera.scale;
    const double z[3] = {v[0] / size, v[1] / size, v[2] / size};
    double x[3], y[3];
    across(z, x, y);
    *out = (arrow){.n = ARC + 1, .width = fmax(1.8, 0.4 * width), .head = fmax(8, 1.6 * width)};
    /* not smaller than what can be seen */
    const double r = fmax(radius, 8 / d->camera.scale);
    for (int i = 0; i <= ARC; i++) {
        const double angle = 1.5 * acos(-1.0) * i / ARC;
        double P[3], p[3];
        for (int k = 0; k < 3; k++) P[k] = at[k] + r * (cos(angle) * x[k] + sin(angle) * y[k]);
        hol__camera_project(&d->camera, P, p);
        out->xy[2 * i] = p[0], out->xy[2 * i + 1] = p[1];
    }
}

/* Draw it, the head over the end of the line. */
static void draw_arrow(hol__canvas *canvas, const arrow *a, unsigned color) {
    const double *tip = a->xy + 2 * (a->n - 1), *from = a->n > 2 ? tip - 6 : tip - 2;
    const double seen = hypot(tip[0] - from[0], tip[1] - from[1]);
    double xy[2 * (ARC + 1)];
    memcpy(xy, a->xy, sizeof xy);
    if (a->n == 2 && seen > 0)
        for (int k = 0; k < 2; k++) xy[2 + k] -= 0.8 * a->head / seen * (tip[k] - from[k]);
    hol__canvas_line(canvas, a->n == 2 ? 2 : a->n - 1, xy, (hol__stroke){color, a->width, 0, 1});
    draw_head(canvas, from, tip, a->head, color);
}

/* "B 12.3 N" beside the tip, in the units of the result. */
static void draw_value(const hol__drawing *d, hol__canvas *canvas, hol__labels *labels,
                       const hol__load_set *set, const char *name, double value,
                       const double tip[2]) {
    const double size = 12, height = 1.15 * size;
    const hol_unit *unit = &d->load_units[set->turns];
    char words[160];
    double at[2];
    hol__print(words, sizeof words, "%.100s %.4g %s", name, hol_unit_show(unit, value), unit->name);
    const double width = hol__canvas_text_width(words, size) + 4;
    if (!hol__labels_place(labels, tip, width, height, 4, at)) return;
    const double box[8] = {at[0],         at[1],          at[0] + width, at[1],
                           at[0] + width, at[1] + height, at[0],         at[1] + height};
    hol__canvas_fill(canvas, 4, box, hol__drawing_paper(d->dark), 0.72);
    hol__canvas_text(canvas, at[0] + 2, at[1] + 0.9 * size, size, HOL__ANCHOR_START, 0, set->color,
                     words);
}

/* M about another point than P1: M + (P1 - at) x F. */
static void carry(const double P1[3], const double at[3], const double *F, double M[3]) {
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        M[i] += (P1[a] - at[a]) * F[b] - (P1[b] - at[b]) * F[a];
    }
}

/* The arrow of one element of a set, and its value with the sign that it has in the plane; 0: there
 * is none. */
static int trace(const hol__drawing *d, int kind, int row, int index, arrow *out, double *value) {
    const hol__load_set *set = &d->loads->sets[kind],
                        *forces = &d->loads->sets[set->turns ? kind - 1 : kind];
    const hol_element_info *e = &set->elements[index];
    double at[3], P1[3], v[3];
    memcpy(v, hol__load_vector(set, row, index), sizeof v);
    places_of(d, kind < HOL__FORCES, index, e, row, at, P1);
    if (set->points) {
        memcpy(at, hol__load_point(set, row, index), sizeof at);
        memcpy(P1, at, sizeof at);
    }
    if (set->turns && forces->values) carry(P1, at, hol__load_vector(forces, row, index), v);
    const double size = hol__load_length(v), length = hol__load_drawn(set, size);
    if (!(length > 0) || !isfinite(at[0] + at[1] + at[2])) return 0;
    (set->turns ? trace_moment : trace_force)(d, set, at, v, length, out);
    *value = set->turns && d->geometry->planar && v[2] < 0 ? -size : size;
    return 1;
}

void hol__drawing_arrows(const hol__drawing *d, int row, hol__labels *labels, hol__canvas *canvas) {
    arrow a;
    double value;
    /* all arrows, then the words beside them */
    for (int words = 0; d->loads && words < 2; words++)
        for (int kind = 0; kind < HOL__LOAD_SETS; kind++) {
            const hol__load_set *set = &d->loads->sets[kind];
            const unsigned wanted = kind < HOL__FORCES ? HOL_MOTION_REACTIONS : HOL_MOTION_FORCES;
            for (int i = 0; d->show & wanted && set->unit > 0 && i < set->n; i++) {
                if (!trace(d, kind, row, i, &a, &value)) continue;
                if (words)
                    draw_value(d, canvas, labels, set, set->elements[i].name, value,
                               a.xy + 2 * (a.n - 1));
                else {
                    draw_arrow(canvas, &a, set->color);
                    hol__labels_line(labels, a.n, a.xy, fmax(a.width, 0.8 * a.head));
                }
            }
        }
}
