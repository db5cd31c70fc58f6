/* parts.c: the bodies of a mechanism at one instant as bars and areas of a picture. */
#include "report/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unsigned colors[] = {0x3D74C4, 0xE08A32, 0x3FA277, 0xC2506B,
                                  0x8264C2, 0x2F9FB3, 0xB0872F, 0x7C8794};

enum { CIRCLE = 28, HULL = 2 * CIRCLE, FEW_FACES = 130, RING = 48, TUBE = 16 };

/* ---- the list ---- */

/* Room for so many points behind those of the pool; NULL without memory. */
static double *room(hol__parts *list, size_t n) {
    if (list->n_xy + 2 * n > list->xy_capacity) {
        const size_t more = 2 * list->xy_capacity + 2 * n + 512;
        double *xy = hol__alloc(list->ctx, more, sizeof *xy);
        if (!xy) {
            list->failed = 1;
            return NULL;
        }
        if (list->n_xy) memcpy(xy, list->xy, list->n_xy * sizeof *xy);
        hol__release(list->ctx, list->xy);
        list->xy = xy;
        list->xy_capacity = more;
    }
    return list->xy + list->n_xy;
}

/* A new part with n points; returns where these go, NULL without memory. */
static double *add_part(hol__parts *list, double depth, unsigned color, double width, int n) {
    if (list->n == list->capacity) {
        const int more = 2 * list->capacity + 64;
        hol__part *items = hol__alloc(list->ctx, (size_t)more, sizeof *items);
        if (!items) {
            list->failed = 1;
            return NULL;
        }
        if (list->n) memcpy(items, list->items, (size_t)list->n * sizeof *items);
        hol__release(list->ctx, list->items);
        list->items = items;
        list->capacity = more;
    }
    double *xy = room(list, (size_t)n);
    if (!xy) return NULL;
    list->items[list->n++] =
        (hol__part){depth, color, hol__darken(color, 0.62), 1, width, n, list->n_xy};
    list->n_xy += 2 * (size_t)n;
    return xy;
}

static int by_depth(const void *a, const void *b) {
    const hol__part *p = a, *q = b;
    return p->depth < q->depth ? -1 : p->depth > q->depth;
}

void hol__parts_free(hol__parts *list) {
    hol__release(list->ctx, list->items);
    hol__release(list->ctx, list->xy);
}

/* ---- colours ---- */

unsigned hol__body_color(int index) {
    return colors[(size_t)index % (sizeof colors / sizeof *colors)];
}

unsigned hol__darken(unsigned color, double factor) {
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

unsigned hol__color_of(const char *text, unsigned otherwise) {
    return text && text[0] == '#' ? (unsigned)strtoul(text + 1, NULL, 16) & 0xFFFFFF : otherwise;
}

/* ---- shapes ---- */

/* A bar between two points of a body. */
static void add_bar(const hol__drawing *d, hol__parts *list, const hol_pose *pose, const double *a,
                    const double *b, double radius, unsigned color) {
    double A[3], B[3], p[3], q[3];
    hol__pose_point(pose, a, A);
    hol__pose_point(pose, b, B);
    hol__camera_project(&d->camera, A, p);
    hol__camera_project(&d->camera, B, q);
    double *xy =
        add_part(list, 0.5 * (p[2] + q[2]), color, fmax(2.5, 2 * radius * d->camera.scale), 2);
    if (xy) xy[0] = p[0], xy[1] = p[1], xy[2] = q[0], xy[3] = q[1];
}

/* A point of a shape, in space. */
static void shape_point(const hol_pose *pose, const hol_shape *shape, const double point[3],
                        double out[3]) {
    double s[3];
    for (int k = 0; k < 3; k++)
        s[k] = shape->at[k] + shape->R[3 * k] * point[0] + shape->R[3 * k + 1] * point[1] +
               shape->R[3 * k + 2] * point[2];
    hol__pose_point(pose, s, out);
}

/* A convex solid from points in its own frame. */
static void add_hull(const hol__drawing *d, hol__parts *list, const hol_pose *pose,
                     const hol_shape *shape, int n, double (*points)[3], unsigned color) {
    double xy[2 * HULL], out[4 * HULL], depth = 0;
    for (int i = 0; i < n; i++) {
        double P[3], p[3];
        shape_point(pose, shape, points[i], P);
        hol__camera_project(&d->camera, P, p);
        xy[2 * i] = p[0], xy[2 * i + 1] = p[1];
        depth += p[2] / n;
    }
    const int corners = hol__hull_around(xy, n, 2, out);
    double *area = corners > 0 ? add_part(list, depth, color, 0, corners) : NULL;
    if (area) memcpy(area, out, 2 * (size_t)corners * sizeof *out);
}

/* How bright a face through three points is, seen by its nearer side: 0.55 … 1. */
static double brightness(const hol__drawing *d, const double a[3], const double b[3],
                         const double c[3]) {
    double n[3], u[3], v[3], size = 0, light = 0;
    for (int i = 0; i < 3; i++) u[i] = b[i] - a[i], v[i] = c[i] - a[i];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = u[j] * v[k] - u[k] * v[j];
        size += n[i] * n[i];
    }
    if (!(size > 0)) return 1;
    for (int i = 0; i < 3; i++)
        light +=
            n[i] * (0.8 * d->camera.back[i] + 0.5 * d->camera.up[i] - 0.33 * d->camera.right[i]);
    return d->geometry->planar ? 1 : 0.55 + 0.45 * fmin(1, fabs(light) / sqrt(size));
}

/* A face of a mesh, by its brightness; without a rim where it is one of many. */
static void add_face(const hol__drawing *d, hol__parts *list, const hol_pose *pose,
                     const hol_shape *shape, int n, const int *corners, int rim, unsigned color) {
    double P[3][3], p[3], depth = 0;
    for (int i = 0; i < 3; i++) shape_point(pose, shape, shape->vertices + 3 * corners[i], P[i]);
    const unsigned shade = hol__darken(color, brightness(d, P[0], P[1], P[2]));
    double *xy = add_part(list, 0, shade, 0, n);
    if (!xy) return;
    for (int i = 0; i < n; i++) {
        shape_point(pose, shape, shape->vertices + 3 * corners[i], P[0]);
        hol__camera_project(&d->camera, P[0], p);
        xy[2 * i] = p[0], xy[2 * i + 1] = p[1];
        depth += p[2] / n;
    }
    list->items[list->n - 1].depth = depth;
    list->items[list->n - 1].rim = rim ? hol__darken(color, 0.5) : shade;
}

/* The faces of a mesh. */
static void add_mesh(const hol__drawing *d, hol__parts *list, const hol_pose *pose,
                     const hol_shape *shape, unsigned color) {
    int faces = 0;
    for (int i = 0; i < shape->n_indices; i++) faces += shape->indices[i] < 0;
    for (int i = 0, start = 0; i < shape->n_indices; i++) {
        if (shape->indices[i] >= 0) continue;
        if (i - start >= 3)
            add_face(d, list, pose, shape, i - start, shape->indices + start, faces <= FEW_FACES,
                     color);
        start = i + 1;
    }
}

/* A flat face of a solid through points in the frame of the shape, if its front is seen; depth:
 * that of the solid, whose faces do not hide each other. */
static void add_front(const hol__drawing *d, hol__parts *list, const hol_pose *pose,
                      const hol_shape *shape, int n, double (*points)[3], double depth,
                      unsigned color) {
    double P[3][3], p[3], turn = 0;
    for (int i = 0; i < 3; i++) shape_point(pose, shape, points[i * n / 3], P[i]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        turn += d->camera.back[i] * ((P[1][j] - P[0][j]) * (P[2][k] - P[0][k]) -
                                     (P[1][k] - P[0][k]) * (P[2][j] - P[0][j]));
    }
    if (!(turn > 0)) return;
    double *xy = add_part(list, depth, hol__darken(color, brightness(d, P[0], P[1], P[2])), 0, n);
    for (int i = 0; xy && i < n; i++) {
        shape_point(pose, shape, points[i], P[0]);
        hol__camera_project(&d->camera, P[0], p);
        xy[2 * i] = p[0], xy[2 * i + 1] = p[1];
    }
    if (xy) list->items[list->n - 1].rim = hol__darken(color, 0.5);
}

/* How near the middle of a shape is. */
static double depth_of(const hol__drawing *d, const hol_pose *pose, const hol_shape *shape) {
    double P[3], p[3];
    hol__pose_point(pose, shape->at, P);
    hol__camera_project(&d->camera, P, p);
    return p[2];
}

/* The faces of a box that are seen. */
static void add_box(const hol__drawing *d, hol__parts *list, const hol_pose *pose,
                    const hol_shape *shape, unsigned color) {
    static const double around[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    const double depth = depth_of(d, pose, shape);
    for (int f = 0; f < 6; f++) {
        const int k = f / 2, i = (k + 1) % 3, j = (k + 2) % 3;
        double points[4][3];
        for (int c = 0; c < 4; c++) {
            const int at = f % 2 ? c : 3 - c;
            points[c][i] = around[at][0] * shape->size[i];
            points[c][j] = around[at][1] * shape->size[j];
            points[c][k] = (f % 2 ? 0.5 : -0.5) * shape->size[k];
        }
        add_front(d, list, pose, shape, 4, points, depth, color);
    }
}

/* The end of a cylinder that is seen, above its outline. */
static void add_ends(const hol__drawing *d, hol__parts *list, const hol_pose *pose,
                     const hol_shape *shape, unsigned color) {
    for (int end = -1; end <= 1; end += 2) {
        double points[CIRCLE][3];
        for (int i = 0; i < CIRCLE; i++) {
            const double angle = 2 * acos(-1.0) * i / CIRCLE * end;
            points[i][0] = shape->size[0] * cos(angle), points[i][1] = shape->size[0] * sin(angle);
            points[i][2] = 0.5 * end * shape->size[1];
        }
        const double depth = list->n ? list->items[list->n - 1].depth : 0;
        add_front(d, list, pose, shape, CIRCLE, points, nextafter(depth, INFINITY), color);
    }
}

/* The part of a plane below what comes over it. In space it lies below all else where its front is
 * seen, and is a veil before it where its back is. */
static void add_plane(const hol__drawing *d, hol__parts *list, const hol_pose *pose,
                      const hol_shape *shape, unsigned color) {
    const int planar = d->geometry->planar;
    const double *size = shape->size;
    const unsigned pale = mix(color, hol__drawing_paper(d->dark), planar ? 1 : 0.45);
    double front = 0;
    for (int i = 0; i < 3; i++) {
        double n = 0;
        for (int j = 0; j < 3; j++) n += pose->R[3 * i + j] * shape->R[3 * j + 2];
        front += n * d->camera.back[i];
    }
    double *xy = add_part(list, front < 0 ? INFINITY : -INFINITY, pale, 0, 4);
    for (int c = 0; xy && c < 4; c++) {
        const double x = (c == 1 || c == 2 ? 0.5 : -0.5) * size[0],
                     up = c < 2 ? (planar ? -1 : -0.5) : (planar ? 0 : 0.5);
        const double point[3] = {x, planar ? 0 : up * size[1], planar ? up * size[2] : 0};
        double P[3], p[3];
        shape_point(pose, shape, point, P);
        hol__camera_project(&d->camera, P, p);
        xy[2 * c] = p[0], xy[2 * c + 1] = p[1];
    }
    if (xy && front < 0 && !planar) list->items[list->n - 1].opacity = 0.25;
}

/* The point of a ring at an angle around its axis and one around its tube, as parts of a turn. */
static void ring_point(const hol_shape *shape, double around, double tube, double out[3]) {
    const double a = 2 * acos(-1.0) * around, b = 2 * acos(-1.0) * tube,
                 r = shape->size[0] + shape->size[1] * cos(b);
    out[0] = r * cos(a), out[1] = r * sin(a), out[2] = shape->size[1] * sin(b);
}

/* A ring in the plane: a wide closed line. */
static void add_flat_ring(const hol__drawing *d, hol__parts *list, const hol_pose *pose,
                          const hol_shape *shape, unsigned color) {
    double *xy =
        add_part(list, 0, color, fmax(2.5, 2 * shape->size[1] * d->camera.scale), RING + 1);
    for (int i = 0; xy && i <= RING; i++) {
        double point[3], P[3], p[3];
        ring_point(shape, (double)i / RING, 0.25, point);
        shape_point(pose, shape, point, P);
        hol__camera_project(&d->camera, P, p);
        xy[2 * i] = p[0], xy[2 * i + 1] = p[1];
    }
}

/* A ring in space: the faces of its tube that are seen, shaded, without rims of their own. */
static void add_ring(const hol__drawing *d, hol__parts *list, const hol_pose *pose,
                     const hol_shape *shape, unsigned color) {
    for (int i = 0; i < RING; i++)
        for (int j = 0; j < TUBE; j++) {
            double points[4][3], P[3], p[3], depth = 0;
            for (int c = 0; c < 4; c++) {
                ring_point(shape, (double)(i + (c == 1 || c == 2)) / RING,
                           (double)(j + c / 2) / TUBE, points[c]);
                shape_point(pose, shape, points[c], P);
                hol__camera_project(&d->camera, P, p);
                depth += 0.25 * p[2];
            }
            const int before = list->n;
            add_front(d, list, pose, shape, 4, points, depth, color);
            if (list->n > before) list->items[before].rim = list->items[before].color;
        }
}

/* A shape of a body. */
static void add_shape(const hol__drawing *d, hol__parts *list, const hol_pose *pose,
                      const hol_shape *shape, unsigned color) {
    double points[HULL][3];
    int n = 0;
    const double *size = shape->size;
    const double a[3] = {0, 0, -0.5 * size[1]}, b[3] = {0, 0, 0.5 * size[1]};
    switch (shape->kind) {
    case HOL_SHAPE_MESH: add_mesh(d, list, pose, shape, color); return;
    case HOL_SHAPE_TORUS:
        (d->geometry->planar ? add_flat_ring : add_ring)(d, list, pose, shape, color);
        return;
    case HOL_SHAPE_CONE:
        for (; n < CIRCLE; n++) {
            const double angle = 2 * acos(-1.0) * n / CIRCLE;
            points[n][0] = size[0] * cos(angle), points[n][1] = size[0] * sin(angle),
            points[n][2] = -0.25 * size[1];
        }
        points[n][0] = points[n][1] = 0, points[n++][2] = 0.75 * size[1];
        break;
    case HOL_SHAPE_PLANE: add_plane(d, list, pose, shape, color); return;
    case HOL_SHAPE_BOX:
        if (!d->geometry->planar) {
            add_box(d, list, pose, shape, color);
            return;
        }
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
    if (shape->kind == HOL_SHAPE_CYLINDER && !d->geometry->planar)
        add_ends(d, list, pose, shape, color);
}

/* The area between points of a body. */
static void add_area(const hol__drawing *d, hol__parts *list, const hol_pose *pose, int n,
                     const double *points, unsigned color) {
    double *xy = n > 2 ? add_part(list, 0, color, 0, n) : NULL, depth = 0;
    for (int k = 0; xy && k < n; k++) {
        double P[3], p[3];
        hol__pose_point(pose, points + 3 * k, P);
        hol__camera_project(&d->camera, P, p);
        xy[2 * k] = p[0], xy[2 * k + 1] = p[1];
        depth += p[2] / n;
    }
    if (xy && !d->geometry->planar) list->items[list->n - 1].depth = depth;
}

/* The edges of cams, filled, and open tracks as bars; their bodies may be ground. */
static void add_curves(const hol__drawing *d, hol__parts *list, const hol_pose *pose, int index,
                       unsigned color) {
    const hol__geometry *g = d->geometry;
    for (int i = 0; i < g->n_curves; i++) {
        const hol__curve_mark *c = &g->curves[i];
        if (c->body != index || g->bodies[index].given) continue;
        if (c->closed && index < g->n_bodies) add_area(d, list, pose, c->n, c->points, color);
        for (int k = 0; (!c->closed || index == g->n_bodies) && k + !c->closed < c->n; k++)
            add_bar(d, list, pose, c->points + 3 * k, c->points + 3 * ((k + 1) % c->n),
                    0.35 * g->radius, color);
    }
}

void hol__parts_add(hol__parts *list, const hol__drawing *d, int row, int index) {
    const hol__geometry *g = d->geometry;
    const hol__outline *body = &g->bodies[index];
    const int ground = index == g->n_bodies, start = list->n;
    const hol_pose pose = hol__movie_pose(d->movie, row, index);
    const unsigned color = ground ? 0x8B95A3 : hol__body_color(index),
                   pale = mix(color, hol__drawing_paper(d->dark), 0.28);
    add_curves(d, list, &pose, index, color);
    if (body->n_plate) add_area(d, list, &pose, body->n_plate, body->plate, pale);
    for (int k = 0; k < body->n_shapes; k++) {
        const hol_shape *shape = &body->shapes[k];
        add_shape(d, list, &pose, shape, hol__color_of(shape->color, color));
    }
    /* in the plane later bodies lie above earlier ones, solids below bars */
    for (int k = start; g->planar && k < list->n; k++)
        list->items[k].depth = 1 + (ground ? -2 * g->n_bodies : index) -
                               (body->behind ? g->n_bodies : 0) +
                               (double)(k - start) / (list->n - start + 1);
}

void hol__parts_draw(hol__parts *list, hol__canvas *canvas) {
    if (list->n) qsort(list->items, (size_t)list->n, sizeof *list->items, by_depth);
    for (int i = 0; i < list->n; i++) {
        const hol__part *p = &list->items[i];
        const double *xy = list->xy + p->at;
        if (p->width > 0) {
            hol__canvas_line(canvas, p->n, xy, (hol__stroke){p->rim, p->width, 0, 1});
            hol__canvas_line(canvas, p->n, xy,
                             (hol__stroke){p->color, fmax(1.2, 0.74 * p->width), 0, 1});
            continue;
        }
        const double close[4] = {xy[2 * p->n - 2], xy[2 * p->n - 1], xy[0], xy[1]};
        const hol__stroke rim = {p->rim, p->rim == p->color ? 0.7 : 1.4, 0, p->opacity};
        hol__canvas_fill(canvas, p->n, xy, p->color, p->opacity);
        hol__canvas_line(canvas, p->n, xy, rim);
        hol__canvas_line(canvas, 2, close, rim);
    }
}
