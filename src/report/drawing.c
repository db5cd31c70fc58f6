/* drawing.c: bodies as bars and solids, joints, springs and ground, from the far ones to the near
 * ones. */
#include "report/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unsigned colors[] = {0x3D74C4, 0xE08A32, 0x3FA277, 0xC2506B,
                                  0x8264C2, 0x2F9FB3, 0xB0872F, 0x7C8794};

enum { CIRCLE = 28, HULL = 2 * CIRCLE, SPRING = 20 };

/* ---- camera ---- */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void normalize(double a[3]) {
    const double length = sqrt(dot(a, a));
    for (int i = 0; i < 3 && length > 0; i++) a[i] /= length;
}

/* Axes of the picture: the plane itself, or a look from the front, the side and above, with gravity
 * downwards. */
static void choose_axes(hol__camera *c, const hol__geometry *g) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(c->right, axes[0], sizeof c->right);
    memcpy(c->up, axes[1], sizeof c->up);
    memcpy(c->back, axes[2], sizeof c->back);
    if (g->planar) return;
    double up[3] = {-g->gravity[0], -g->gravity[1], -g->gravity[2]}, front[3];
    if (!(dot(up, up) > 0)) up[2] = 1;
    normalize(up);
    int side = -1;
    for (int k = 0; k < 3; k++)
        if (fabs(up[k]) < 0.9 &&
            (side < 0 || g->high[k] - g->low[k] > g->high[side] - g->low[side]))
            side = k;
    cross(axes[side], up, front);
    normalize(front);
    for (int i = 0; i < 3; i++) c->back[i] = front[i] + 0.62 * axes[side][i] + 0.5 * up[i];
    normalize(c->back);
    cross(up, c->back, c->right);
    normalize(c->right);
    cross(c->back, c->right, c->up);
}

void hol__camera_init(hol__camera *c, const hol__geometry *g, int width, int height) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    *c = (hol__camera){.x = 0.5 * width, .y = 0.5 * height, .scale = 1};
    choose_axes(c, g);
    for (int k = 0; k < 8; k++) {
        double corner[3], p[3];
        for (int i = 0; i < 3; i++) corner[i] = k >> i & 1 ? g->high[i] : g->low[i];
        hol__camera_project(c, corner, p);
        for (int i = 0; i < 2; i++) low[i] = fmin(low[i], p[i]), high[i] = fmax(high[i], p[i]);
    }
    const double room = 0.12 * g->size;
    c->scale = fmin(width / (high[0] - low[0] + room), height / (high[1] - low[1] + room)) * 0.92;
    for (int i = 0; i < 3; i++) c->centre[i] = 0.5 * (g->low[i] + g->high[i]);
}

void hol__camera_project(const hol__camera *c, const double point[3], double out[3]) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = point[i] - c->centre[i];
    out[0] = c->x + c->scale * dot(d, c->right);
    out[1] = c->y - c->scale * dot(d, c->up);
    out[2] = dot(d, c->back);
}

/* ---- parts ---- */

/* Something to draw: a bar between two points, or an area. */
typedef struct part {
    double depth;
    unsigned color;
    double width; /* of a bar; 0: an area */
    int n;
    double xy[2 * HULL];
} part;

typedef struct parts {
    hol_context *ctx;
    int n, capacity;
    part *items;
    int failed;
} parts;

/* A new part; NULL without memory. */
static part *add_part(parts *list, double depth, unsigned color) {
    if (list->n == list->capacity) {
        const int more = 2 * list->capacity + 64;
        part *items = hol__alloc(list->ctx, (size_t)more, sizeof *items);
        if (!items) {
            list->failed = 1;
            return NULL;
        }
        if (list->n) memcpy(items, list->items, (size_t)list->n * sizeof *items);
        hol__release(list->ctx, list->items);
        list->items = items;
        list->capacity = more;
    }
    part *p = &list->items[list->n++];
    p->depth = depth;
    p->color = color;
    p->width = 0;
    p->n = 0;
    return p;
}

static int by_depth(const void *a, const void *b) {
    const part *p = a, *q = b;
    return p->depth < q->depth ? -1 : p->depth > q->depth;
}

/* A colour that is darker by the factor. */
static unsigned darken(unsigned color, double factor) {
    unsigned out = 0;
    for (int k = 0; k < 3; k++)
        out |= (unsigned)(factor * (double)(color >> (8 * k) & 0xFF)) << (8 * k);
    return out;
}

/* A colour of which the share is one and the rest the other. */
static unsigned mix(unsigned one, unsigned other, double share) {
    unsigned out = 0;
    for (int k = 0; k < 3; k++)
        out |= (unsigned)(share * (double)(one >> (8 * k) & 0xFF) +
                          (1 - share) * (double)(other >> (8 * k) & 0xFF))
               << (8 * k);
    return out;
}

/* "#rrggbb", or the other colour. */
static unsigned color_of(const char *text, unsigned otherwise) {
    return text && text[0] == '#' ? (unsigned)strtoul(text + 1, NULL, 16) & 0xFFFFFF : otherwise;
}

static void add_bar(const hol__drawing *d, parts *list, const hol_pose *pose, const double *a,
                    const double *b, double radius, unsigned color) {
    double A[3], B[3], p[3], q[3];
    hol__pose_point(pose, a, A);
    hol__pose_point(pose, b, B);
    hol__camera_project(&d->camera, A, p);
    hol__camera_project(&d->camera, B, q);
    part *bar = add_part(list, 0.5 * (p[2] + q[2]), color);
    if (!bar) return;
    bar->width = fmax(2.5, 2 * radius * d->camera.scale);
    bar->n = 2;
    bar->xy[0] = p[0], bar->xy[1] = p[1], bar->xy[2] = q[0], bar->xy[3] = q[1];
}

/* A convex solid from points in its own frame. */
static void add_hull(const hol__drawing *d, parts *list, const hol_pose *pose,
                     const hol_shape *shape, int n, double (*points)[3], unsigned color) {
    double xy[2 * HULL], out[4 * HULL], depth = 0;
    for (int i = 0; i < n; i++) {
        double s[3], P[3], p[3];
        for (int k = 0; k < 3; k++)
            s[k] = shape->at[k] + shape->R[3 * k] * points[i][0] +
                   shape->R[3 * k + 1] * points[i][1] + shape->R[3 * k + 2] * points[i][2];
        hol__pose_point(pose, s, P);
        hol__camera_project(&d->camera, P, p);
        xy[2 * i] = p[0], xy[2 * i + 1] = p[1];
        depth += p[2] / n;
    }
    part *area = add_part(list, depth, color);
    if (!area) return;
    const int corners = hol__hull(xy, n, 2, out);
    area->n = corners < HULL ? corners : HULL;
    memcpy(area->xy, out, 2 * (size_t)area->n * sizeof *out);
}

/* The faces of a mesh, each by itself. */
static void add_mesh(const hol__drawing *d, parts *list, const hol_pose *pose,
                     const hol_shape *shape, unsigned color) {
    double points[HULL][3];
    int n = 0;
    for (int i = 0; i < shape->n_indices; i++) {
        if (shape->indices[i] >= 0 && n < HULL) {
            memcpy(points[n++], shape->vertices + 3 * shape->indices[i], sizeof *points);
            continue;
        }
        if (n >= 3) add_hull(d, list, pose, shape, n, points, color);
        n = 0;
    }
}

/* A ring as bars around its axis. */
static void add_ring(const hol__drawing *d, parts *list, const hol_pose *pose,
                     const hol_shape *shape, unsigned color) {
    double last[3] = {0, 0, 0};
    for (int i = 0; i <= CIRCLE; i++) {
        const double angle = 2 * acos(-1.0) * i / CIRCLE;
        double now[3];
        for (int k = 0; k < 3; k++)
            now[k] = shape->at[k] + shape->size[0] * (shape->R[3 * k] * cos(angle) +
                                                      shape->R[3 * k + 1] * sin(angle));
        if (i) add_bar(d, list, pose, last, now, shape->size[1], color);
        memcpy(last, now, sizeof last);
    }
}

static void add_shape(const hol__drawing *d, parts *list, const hol_pose *pose,
                      const hol_shape *shape, unsigned color) {
    double points[HULL][3];
    int n = 0;
    const double *size = shape->size;
    const double a[3] = {0, 0, -0.5 * size[1]}, b[3] = {0, 0, 0.5 * size[1]};
    switch (shape->kind) {
    case HOL_SHAPE_MESH: add_mesh(d, list, pose, shape, color); return;
    case HOL_SHAPE_TORUS: add_ring(d, list, pose, shape, color); return;
    case HOL_SHAPE_CONE:
        for (; n < CIRCLE; n++) {
            const double angle = 2 * acos(-1.0) * n / CIRCLE;
            points[n][0] = size[0] * cos(angle), points[n][1] = size[0] * sin(angle),
            points[n][2] = -0.25 * size[1];
        }
        points[n][0] = points[n][1] = 0, points[n++][2] = 0.75 * size[1];
        break;
    case HOL_SHAPE_BOX:
        for (; n < 8; n++)
            for (int k = 0; k < 3; k++) points[n][k] = (n >> k & 1 ? 0.5 : -0.5) * size[k];
        break;
    case HOL_SHAPE_ROD: {
        double from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = shape->at[k] + shape->R[3 * k + 2] * a[2];
            to[k] = shape->at[k] + shape->R[3 * k + 2] * b[2];
        }
        add_bar(d, list, pose, from, to, size[0], color);
        return;
    }
    default:
        /* a sphere is a disc across the view; a cylinder has two */
        for (; n < HULL; n++) {
            const double angle = 2 * acos(-1.0) * (n % CIRCLE) / CIRCLE, x = size[0] * cos(angle),
                         y = size[0] * sin(angle);
            if (shape->kind == HOL_SHAPE_CYLINDER || d->geometry->planar)
                points[n][0] = x, points[n][1] = y,
                points[n][2] = (n < CIRCLE ? -0.5 : 0.5) * size[1];
            else {
                double v[3], w[3];
                for (int k = 0; k < 3; k++) v[k] = x * d->camera.right[k] + y * d->camera.up[k];
                for (int k = 0; k < 3; k++)
                    w[k] = pose->R[k] * v[0] + pose->R[3 + k] * v[1] + pose->R[6 + k] * v[2];
                for (int k = 0; k < 3; k++)
                    points[n][k] =
                        shape->R[k] * w[0] + shape->R[3 + k] * w[1] + shape->R[6 + k] * w[2];
            }
        }
    }
    add_hull(d, list, pose, shape, n, points, color);
}

/* The area between the points of a planar body, pale. */
static void add_plate(const hol__drawing *d, parts *list, const hol_pose *pose,
                      const hol__outline *body, unsigned color) {
    const unsigned paper = hol__drawing_paper(d->dark);
    part *area = body->n_plate > 2 && body->n_plate <= HULL
                     ? add_part(list, 0, mix(color, paper, 0.28))
                     : NULL;
    for (int k = 0; area && k < body->n_plate; k++) {
        double P[3], p[3];
        hol__pose_point(pose, body->plate + 3 * k, P);
        hol__camera_project(&d->camera, P, p);
        area->xy[2 * k] = p[0], area->xy[2 * k + 1] = p[1];
        area->n++;
    }
}

/* A body: its shapes. In the plane later bodies lie above earlier ones, solids below bars. */
static void add_body(const hol__drawing *d, parts *list, const hol_pose *pose, int index) {
    const hol__geometry *g = d->geometry;
    const hol__outline *body = &g->bodies[index];
    const unsigned color = colors[(size_t)index % (sizeof colors / sizeof *colors)];
    const int start = list->n;
    add_plate(d, list, pose, body, color);
    for (int k = 0; k < body->n_shapes; k++) {
        const hol_shape *shape = &body->shapes[k];
        add_shape(d, list, pose, shape, color_of(shape->color, color));
    }
    for (int k = start; g->planar && k < list->n; k++)
        list->items[k].depth = 1 + index - (body->behind ? g->n_bodies : 0) +
                               (double)(k - start) / (list->n - start + 1);
}

static void draw_parts(parts *list, hol__canvas *canvas) {
    qsort(list->items, (size_t)list->n, sizeof *list->items, by_depth);
    for (int i = 0; i < list->n; i++) {
        const part *p = &list->items[i];
        const unsigned rim = darken(p->color, 0.62);
        if (p->width > 0) {
            hol__canvas_line(canvas, 2, p->xy, (hol__stroke){rim, p->width, 0, 1});
            hol__canvas_line(canvas, 2, p->xy,
                             (hol__stroke){p->color, fmax(1.2, 0.74 * p->width), 0, 1});
            continue;
        }
        double ring[2 * (HULL + 1)];
        memcpy(ring, p->xy, 2 * (size_t)p->n * sizeof *ring);
        memcpy(ring + 2 * p->n, p->xy, 2 * sizeof *ring);
        hol__canvas_fill(canvas, p->n, p->xy, p->color, 1);
        hol__canvas_line(canvas, p->n + 1, ring, (hol__stroke){rim, 1.4, 0, 1});
    }
}

/* ---- joints, springs, ground ---- */

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
                      unsigned ink) {
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
    if (symbol == HOL__SYMBOL_LINK) {
        const double line[4] = {p[0], p[1], q[0], q[1]};
        hol__canvas_line(canvas, 2, line, (hol__stroke){ink, fmax(1.4, 0.5 * r), 0, 1});
        hol__canvas_disc(canvas, p[0], p[1], 0.55 * r, ink, 1);
    }
    const double size = symbol == HOL__SYMBOL_LINK ? 0.55 : 0.85;
    hol__canvas_disc(canvas, q[0], q[1], size * r, ink, 1);
    if (symbol != HOL__SYMBOL_BALL && symbol != HOL__SYMBOL_WELD && symbol != HOL__SYMBOL_LINK)
        hol__canvas_disc(canvas, q[0], q[1], 0.5 * r, paper, 1);
}

/* Feet below the points of ground that hold something, in the plane. */
static void draw_feet(const hol__drawing *d, hol__canvas *canvas, int row, double r, unsigned soft,
                      unsigned paper) {
    const hol__geometry *g = d->geometry;
    for (int i = 0; i < g->n_joints && g->planar; i++)
        for (int k = 0; k < 2; k++) {
            const hol__joint_symbol symbol = g->marks[i].symbol;
            double p[3];
            if (g->joints[i].body[k] != g->n_bodies || symbol == HOL__SYMBOL_NONE ||
                symbol == HOL__SYMBOL_SLIDE || symbol == HOL__SYMBOL_TRACK)
                continue;
            /* what is free in some direction is held where its body is */
            element_point(d, row, &g->joints[i], symbol == HOL__SYMBOL_POINT ? !k : k, p);
            draw_foot(canvas, p, r, soft, paper);
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

int hol__drawing_draw(const hol__drawing *d, int row, hol__canvas *canvas) {
    const hol__geometry *g = d->geometry;
    const double r = fmax(3.2, g->radius * d->camera.scale);
    const unsigned ink = d->dark ? 0xD7DDE6 : 0x26303D, paper = d->dark ? 0x1B212A : 0xFFFFFF;
    const unsigned soft = d->dark ? 0x8D99A8 : 0x566170;
    parts list = {.ctx = d->movie->ctx};
    for (int i = 0; i < g->n_roads; i++) draw_road(d, canvas, row, &g->roads[i], soft);
    draw_feet(d, canvas, row, r, soft, paper);
    for (int i = 0; i < g->n_joints; i++)
        if (g->marks[i].high > g->marks[i].low) draw_rail(d, canvas, row, i, r, soft);
    for (int i = 0; i < g->n_bodies; i++) {
        const hol_pose pose = hol__movie_pose(d->movie, row, i);
        add_body(d, &list, &pose, i);
    }
    if (list.items) draw_parts(&list, canvas);
    for (int i = 0; i < g->n_forces; i++)
        if (hol__is_spring(&g->forces[i])) {
            double a[3], b[3];
            element_point(d, row, &g->forces[i], 0, a);
            element_point(d, row, &g->forces[i], 1, b);
            draw_spring(canvas, a, b, r, soft);
        }
    for (int i = 0; i < g->n_joints; i++)
        if (g->marks[i].symbol) draw_joint(d, canvas, row, i, r, ink, paper);
    hol__release(list.ctx, list.items);
    return !list.failed;
}

unsigned hol__drawing_paper(int dark) {
    return dark ? 0x14181F : 0xFFFFFF;
}

void hol__drawing_caption(const hol__drawing *d, hol__canvas *canvas, int height,
                          const char *words) {
    hol__canvas_text(canvas, 14, height - 14, 15, HOL__ANCHOR_START, 0,
                     d->dark ? 0x94A0B0 : 0x5B6776, words);
}
