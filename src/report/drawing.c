/* drawing.c: a mechanism at one instant: bodies, joints, springs, cylinders, ground and names. */
#include "report/drawing.h"

#include "base/unit_set.h"
#include "report/parts.h"

#include <math.h>
#include <string.h>

enum { SPRING = 20 };

/* Where an element touches one of its bodies, in the picture. */
static void element_point(const hol__drawing *d, int row, const hol_element_info *e, int k,
                          double out[3]) {
    double p[3];
    const hol_pose pose = hol__movie_pose(d->movie, row, e->body[k]);
    hol__pose_point(&pose, e->point[k], p);
    hol__camera_project(&d->camera, p, out);
}

/* A hatched foot below a point of ground. */
static void draw_foot(hol__canvas *canvas, const double p[3], double r, unsigned ink,
                      unsigned paper) {
    const double foot[6] = {p[0],           p[1],           p[0] + 1.6 * r,
                            p[1] + 2.6 * r, p[0] - 1.6 * r, p[1] + 2.6 * r};
    const double line[4] = {p[0] - 2.4 * r, p[1] + 2.6 * r, p[0] + 2.4 * r, p[1] + 2.6 * r};
    const double outline[8] = {foot[0], foot[1], foot[2], foot[3],
                               foot[4], foot[5], foot[0], foot[1]};
    const hol__stroke stroke = {ink, fmax(1.2, 0.22 * r), 0, 1};
    hol__canvas_fill(canvas, 3, foot, paper, 1);
    hol__canvas_line(canvas, 4, outline, stroke);
    hol__canvas_line(canvas, 2, line, stroke);
    for (int i = 0; i < 6; i++) {
        const double x = line[0] + 0.5 * r + 0.8 * r * i;
        const double hatch[4] = {x, line[1], x - 0.6 * r, line[1] + 0.7 * r};
        hol__canvas_line(canvas, 2, hatch, (hol__stroke){ink, fmax(0.9, 0.15 * r), 0, 1});
    }
}

/* A zigzag between two points. */
static void draw_spring(hol__canvas *canvas, const double a[3], const double b[3], double r,
                        unsigned ink) {
    double xy[2 * SPRING];
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    if (!(length > 0)) return;
    for (int i = 0; i < SPRING; i++) {
        const double s = i == 0 ? 0 : i == SPRING - 1 ? 1 : 0.12 + 0.76 * (i - 1) / (SPRING - 3);
        const double side = i > 1 && i < SPRING - 2 ? (i % 2 ? 2 : -2) * r : 0;
        xy[2 * i] = a[0] + s * dx - side * dy / length;
        xy[2 * i + 1] = a[1] + s * dy + side * dx / length;
    }
    hol__canvas_line(canvas, SPRING, xy, (hol__stroke){ink, fmax(1.2, 0.28 * r), 0, 1});
}

/* The rail of a joint: a line along its axis, hatched where it is ground in the plane. */
static void draw_rail(const hol__drawing *d, hol__canvas *canvas, int row, int index, double r,
                      unsigned ink, hol__labels *labels) {
    const hol__geometry *g = d->geometry;
    const hol_element_info *joint = &g->joints[index];
    const hol__mark *mark = &g->marks[index];
    const int k = mark->rail, ground = g->planar && joint->body[k] == g->n_bodies;
    const hol_pose pose = hol__movie_pose(d->movie, row, joint->body[k]);
    double ends[2][3];
    for (int e = 0; e < 2; e++) {
        double s[3], p[3];
        for (int i = 0; i < 3; i++)
            s[i] = joint->point[k][i] + (e ? mark->high : mark->low) * joint->axis[k][i];
        hol__pose_point(&pose, s, p);
        hol__camera_project(&d->camera, p, ends[e]);
    }
    double ux = ends[1][0] - ends[0][0], uy = ends[1][1] - ends[0][1];
    const double length = hypot(ux, uy), aside = ground ? 2.3 * r : 0;
    if (!(length > 0)) return;
    ux /= length, uy /= length;
    const double x = ends[0][0] - uy * aside, y = ends[0][1] + ux * aside;
    const double line[4] = {x, y, x + length * ux, y + length * uy};
    hol__canvas_line(canvas, 2, line, (hol__stroke){ink, fmax(1.2, 0.3 * r), 0, 1});
    if (labels) hol__labels_line(labels, 2, line, ground ? 1.5 * r : 2);
    for (double s = 0.5 * r; ground && s <= length; s += 0.9 * r) {
        const double px = x + s * ux, py = y + s * uy;
        const double hatch[4] = {px, py, px - 0.6 * r * (ux + uy), py - 0.6 * r * (uy - ux)};
        hol__canvas_line(canvas, 2, hatch, (hol__stroke){ink, fmax(0.9, 0.15 * r), 0, 1});
    }
}

/* The symbol of a joint, above the bodies. */
static void draw_joint(const hol__drawing *d, hol__canvas *canvas, int row, int index, double r,
                       unsigned ink, unsigned paper) {
    const hol_element_info *joint = &d->geometry->joints[index];
    const hol__joint_symbol symbol = d->geometry->marks[index].symbol;
    double p[3], q[3];
    element_point(d, row, joint, 0, p);
    element_point(d, row, joint, 1, q);
    if (symbol == HOL__SYMBOL_SLIDE || symbol == HOL__SYMBOL_SLEEVE) return;
    const int two = symbol == HOL__SYMBOL_LINK || symbol == HOL__SYMBOL_CYLINDER;
    if (two) hol__canvas_disc(canvas, p[0], p[1], 0.55 * r, ink, 1);
    hol__canvas_disc(canvas, q[0], q[1], (two ? 0.55 : 0.85) * r, ink, 1);
    if (symbol != HOL__SYMBOL_BALL && symbol != HOL__SYMBOL_WELD && !two)
        hol__canvas_disc(canvas, q[0], q[1], 0.5 * r, paper, 1);
}

/* Feet below the points of ground that hold something, in the plane; what they cover goes to the
 * labels where there are some. */
static void draw_feet(const hol__drawing *d, hol__canvas *canvas, int row, double r, unsigned soft,
                      unsigned paper, hol__labels *labels) {
    const hol__geometry *g = d->geometry;
    for (int i = 0; i < g->n_joints && g->planar; i++)
        for (int k = 0; k < 2; k++) {
            const hol__joint_symbol symbol = g->marks[i].symbol;
            double p[3];
            if (g->joints[i].body[k] != g->n_bodies || symbol == HOL__SYMBOL_NONE ||
                symbol == HOL__SYMBOL_SLIDE || symbol == HOL__SYMBOL_TRACK ||
                symbol == HOL__SYMBOL_CURVE)
                continue;
            /* what is free in some direction is held where its body is */
            element_point(d, row, &g->joints[i], symbol == HOL__SYMBOL_POINT ? !k : k, p);
            draw_foot(canvas, p, r, soft, paper);
            const double box[8] = {p[0] - 3 * r,   p[1],           p[0] + 2.4 * r, p[1],
                                   p[0] + 2.4 * r, p[1] + 3.3 * r, p[0] - 3 * r,   p[1] + 3.3 * r};
            if (labels) hol__labels_area(labels, 4, box);
        }
}

/* The road below a tyre. */
static void draw_road(const hol__drawing *d, hol__canvas *canvas, int row, const hol__road *road,
                      unsigned ink) {
    const int up = d->geometry->planar ? 1 : 2, n = road->moves ? 2 : road->n;
    const hol_pose pose = hol__movie_pose(d->movie, row, road->body);
    double centre[3], last[2] = {0, 0};
    hol__pose_point(&pose, road->center, centre);
    for (int i = 0; i < n; i++) {
        double P[3] = {0, 0, 0}, p[3];
        P[1] = d->geometry->planar ? 0 : centre[1];
        P[0] = road->moves ? centre[0] + (i ? 1 : -1) * road->radius : road->x[i];
        P[up] = road->height[road->moves ? row : i];
        hol__camera_project(&d->camera, P, p);
        const double line[4] = {last[0], last[1], p[0], p[1]};
        if (i) hol__canvas_line(canvas, 2, line, (hol__stroke){ink, 2, 0, 1});
        last[0] = p[0], last[1] = p[1];
    }
}

/* A rope. */
static void draw_rope(hol__canvas *canvas, const double a[3], const double b[3], double r,
                      unsigned ink) {
    const double line[4] = {a[0], a[1], b[0], b[1]};
    hol__canvas_line(canvas, 2, line, (hol__stroke){ink, fmax(1, 0.2 * r), 0, 1});
}

/* A massless rod, or the rod of a cylinder and its barrel, which takes a share of the length. */
static void draw_link(hol__canvas *canvas, const double a[3], const double b[3], double share,
                      double r, unsigned ink) {
    const double line[4] = {a[0], a[1], b[0], b[1]};
    hol__canvas_line(canvas, 2, line, (hol__stroke){ink, fmax(1.4, 0.5 * r), 0, 1});
    if (!(share > 0)) return;
    const double end[4] = {a[0], a[1], a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])};
    hol__canvas_line(canvas, 2, end, (hol__stroke){ink, fmax(3, 1.9 * r), 0, 1});
    hol__canvas_line(canvas, 2, end, (hol__stroke){0x9AA6B5, fmax(1.6, 1.4 * r), 0, 1});
}

/* All that is stretched between points; what it covers goes to the labels where there are some. */
static void draw_stretches(const hol__drawing *d, hol__canvas *canvas, int row, double r,
                           unsigned soft, unsigned ink, hol__labels *labels) {
    const hol__geometry *g = d->geometry;
    for (int i = 0; i < g->n_stretches; i++) {
        const hol__stretch *s = &g->stretches[i];
        double ends[2][3], a[3], b[3];
        hol__stretch_ends(s, d->movie, row, ends);
        hol__camera_project(&d->camera, ends[0], a);
        hol__camera_project(&d->camera, ends[1], b);
        if (s->kind == HOL__STRETCH_SPRING)
            draw_spring(canvas, a, b, r, soft);
        else if (s->kind == HOL__STRETCH_ROPE)
            draw_rope(canvas, a, b, r, ink);
        else
            draw_link(canvas, a, b, s->barrel / hol__stretch_length((const double(*)[3])ends), r,
                      ink);
        const double line[4] = {a[0], a[1], b[0], b[1]};
        if (labels) hol__labels_line(labels, 2, line, 3 * r);
    }
}

/* ---- names ---- */

/* A name beside a point of a body, where there is room. */
static void draw_name(const hol__drawing *d, hol__canvas *canvas, hol__labels *labels, int row,
                      int body, const double point[3], double gap, int strong, const char *name) {
    const double size = 13, width = hol__canvas_text_width(name, size) + 4;
    const hol_pose pose = hol__movie_pose(d->movie, row, body);
    double P[3], p[3], at[2];
    hol__pose_point(&pose, point, P);
    hol__camera_project(&d->camera, P, p);
    if (!*name || !hol__labels_place(labels, p, width, 1.15 * size, gap, at)) return;
    const double box[8] = {at[0],         at[1],
                           at[0] + width, at[1],
                           at[0] + width, at[1] + 1.15 * size,
                           at[0],         at[1] + 1.15 * size};
    hol__canvas_fill(canvas, 4, box, hol__drawing_paper(d->dark), 0.72);
    hol__canvas_text(canvas, at[0] + 2, at[1] + 0.9 * size, size, HOL__ANCHOR_START, 0,
                     strong ? (d->dark ? 0xE8ECF2 : 0x1B2430) : (d->dark ? 0x9AA6B5 : 0x5B6776),
                     name);
}

/* Names of joints, then of bodies. A joint "B.coupler" beside a joint "B" has none of its own. */
static void draw_names(const hol__drawing *d, hol__canvas *canvas, hol__labels *labels, int row,
                       double r) {
    const hol__geometry *g = d->geometry;
    for (int i = 0; i < g->n_joints; i++) {
        const char *name = g->joints[i].name, *dot = strchr(name, '.');
        int part = !g->marks[i].symbol;
        for (int k = 0; dot && k < g->n_joints && !part; k++)
            part = strlen(g->joints[k].name) == (size_t)(dot - name) &&
                   strncmp(g->joints[k].name, name, (size_t)(dot - name)) == 0;
        int body;
        double point[3];
        hol__mark_place(g, i, &body, point);
        if (!part) draw_name(d, canvas, labels, row, body, point, r + 3, 1, name);
    }
    for (int i = 0; i < g->n_bodies; i++) {
        const char *name = d->movie->model ? hol_model_body_name(d->movie->model, i) : "";
        draw_name(d, canvas, labels, row, i, g->bodies[i].label, r + 3, 0, name ? name : "");
    }
}

int hol__drawing_draw(const hol__drawing *d, int row, hol__canvas *canvas) {
    const hol__geometry *g = d->geometry;
    const double r = fmax(3.2, g->radius * d->camera.scale);
    const unsigned ink = d->dark ? 0xD7DDE6 : 0x26303D, paper = d->dark ? 0x1B212A : 0xFFFFFF;
    const unsigned soft = d->dark ? 0x8D99A8 : 0x566170;
    hol__parts list = {.ctx = d->movie->ctx};
    const unsigned arrows = d->show & (HOL_MOTION_REACTIONS | HOL_MOTION_FORCES);
    hol__labels names, *labels = d->names || arrows ? &names : NULL;
    if (labels &&
        !hol__labels_init(&names, list.ctx, (int)(2 * d->camera.x), (int)(2 * d->camera.y)))
        return 0;
    if (d->show & HOL_MOTION_TRAILS && !hol__drawing_trails(d, row, canvas)) list.failed = 1;
    for (int i = 0; i < g->n_roads; i++) draw_road(d, canvas, row, &g->roads[i], soft);
    draw_feet(d, canvas, row, r, soft, paper, labels);
    for (int i = 0; i < g->n_joints; i++)
        if (g->marks[i].high > g->marks[i].low) draw_rail(d, canvas, row, i, r, soft, labels);
    for (int i = 0; i <= g->n_bodies; i++) hol__parts_add(&list, d, row, i);
    hol__parts_draw(&list, canvas);
    draw_stretches(d, canvas, row, r, soft, ink, labels);
    for (int i = 0; i < g->n_joints; i++)
        if (g->marks[i].symbol) draw_joint(d, canvas, row, i, r, ink, paper);
    for (int i = 0; labels && i < list.n; i++) {
        const hol__part *p = &list.items[i];
        if (!isfinite(p->depth)) continue; /* names may stand on a floor */
        if (p->width > 0)
            hol__labels_line(labels, p->n, list.xy + p->at, p->width);
        else
            hol__labels_area(labels, p->n, list.xy + p->at);
    }
    if (d->show & HOL_MOTION_AXES) hol__drawing_axes(d, row, canvas);
    if (arrows) hol__drawing_arrows(d, row, labels, canvas);
    if (d->names) draw_names(d, canvas, labels, row, r);
    if (labels) hol__labels_free(labels);
    hol__parts_free(&list);
    return !list.failed;
}

void hol__drawing_show(hol__drawing *d, hol__movie *movie, hol__loads *loads, unsigned show) {
    static const char *const si[2] = {"N", "N*m"};
    hol__unit_set set = {0};
    d->show = show;
    if (!(show & (HOL_MOTION_REACTIONS | HOL_MOTION_FORCES))) return;
    if (hol__unit_set_read(movie->quiet, &set, hol_result_text(movie->result, "options.units")))
        set = (hol__unit_set){0};
    for (int i = 0; i < 2; i++) hol__unit_set_show(&set, si[i], &d->load_units[i]);
    hol__loads_init(loads, movie, d->geometry, movie->rows, NULL);
    d->loads = loads;
}

unsigned hol__drawing_paper(int dark) {
    return dark ? 0x14181F : 0xFFFFFF;
}

void hol__drawing_caption(const hol__drawing *d, hol__canvas *canvas, int height,
                          const char *words) {
    hol__canvas_text(canvas, 14, height - 14, 15, HOL__ANCHOR_START, 0,
                     d->dark ? 0x94A0B0 : 0x5B6776, words);
}
