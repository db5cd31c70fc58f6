/* contacts.c: what contacts touch with: solids on their bodies, each once, and planes as plates
 * below the way that the other shapes go. A body whose shapes the model gives is drawn by these. */
#include "report/geometry.h"

#include <math.h>
#include <string.h>

enum { PLATE_ROWS = 400 };

/* ---- solids ---- */

static int near_to(int n, const double *a, const double *b, double scale) {
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-9 * scale)) return 0;
    return 1;
}

/* Whether two shapes are one. */
static int same_shape(const hol_shape *a, const hol_shape *b) {
    double scale = 0;
    for (int i = 0; i < 3; i++) scale = fmax(scale, fmax(fabs(a->at[i]), a->size[i]));
    if (a->kind != b->kind || a->n_vertices != b->n_vertices ||
        !near_to(3, a->at, b->at, scale + 1e-12) || !near_to(3, a->size, b->size, scale + 1e-12))
        return 0;
    return (a->kind == HOL_SHAPE_SPHERE || near_to(9, a->R, b->R, 1)) &&
           (!a->n_vertices ||
            !memcmp(a->vertices, b->vertices, 3 * (size_t)a->n_vertices * sizeof *a->vertices));
}

static void add_solid(hol__geometry *g, int body, const hol_shape *shape) {
    for (int i = 0; i < g->n_solids; i++)
        if (g->solids[i].body == body && same_shape(g->solids[i].shape, shape)) return;
    g->solids[g->n_solids++] = (hol__solid){body, shape};
}

int hol__geometry_contacts(hol__geometry *g, hol__movie *movie) {
    const int n = g->n_joints + g->n_forces;
    g->solids = HOL__NEW_N(&movie->arena, hol__solid, 2 * n + 1);
    if (!g->solids) return 0;
    for (int i = 0; i < n; i++) {
        const hol_element_info *e = i < g->n_joints ? &g->joints[i] : &g->forces[i - g->n_joints];
        for (int k = 0; k < 2; k++)
            if (e->shapes[k] && e->shapes[k]->kind != HOL_SHAPE_PLANE)
                add_solid(g, e->body[k], e->shapes[k]);
    }
    return 1;
}

int hol__outline_solids(const hol__geometry *g, int body, hol__arena *arena) {
    int n = 0;
    for (int i = 0; i < g->n_solids; i++) {
        if (g->solids[i].body != body) continue;
        hol_shape *shape =
            hol__outline_add(&g->bodies[body], arena, HOL_SHAPE_SPHERE, g->solids[i].shape->at);
        if (!shape) return -1;
        *shape = *g->solids[i].shape;
        if (shape->kind == HOL_SHAPE_MESH) shape->size[0] = hol__shape_reach(shape);
        n++;
    }
    return n;
}

/* ---- planes ---- */

/* A plane of a body with the part of it that others come over, along its x and y axes. */
typedef struct plate {
    int body;
    hol_shape shape;
    double low[2], high[2];
} plate;

/* Whether a plane of a body is that of the plate. */
static int same_plane(const plate *p, int body, const hol_shape *plane) {
    double height = 0, cosine = 0, scale = 0;
    for (int i = 0; i < 3; i++) {
        const double n = p->shape.R[3 * i + 2];
        height += n * (plane->at[i] - p->shape.at[i]);
        cosine += n * plane->R[3 * i + 2];
        scale = fmax(scale, fmax(fabs(plane->at[i]), fabs(p->shape.at[i])));
    }
    return p->body == body && cosine > 1 - 1e-9 && fabs(height) <= 1e-9 * (scale + 1e-12);
}

/* Widen the plate by what is within a distance of a point, from the origin of the plate's body. */
static void widen(plate *p, const double at[3], double reach) {
    for (int k = 0; k < 2; k++) {
        double s = 0;
        for (int i = 0; i < 3; i++) s += p->shape.R[3 * i + k] * (at[i] - p->shape.at[i]);
        if (!isfinite(s)) continue;
        p->low[k] = fmin(p->low[k], s - reach);
        p->high[k] = fmax(p->high[k], s + reach);
    }
}

/* Widen the plate by the way of the other shape of a contact, k: the side of the plane. */
static void follow(plate *p, const hol__movie *movie, const hol_element_info *e, int k) {
    const hol_shape *other = e->shapes[1 - k];
    const double *at = other ? other->at : e->point[1 - k],
                 reach = other ? hol__shape_reach(other) : 0;
    const int step = movie->rows > PLATE_ROWS ? movie->rows / PLATE_ROWS : 1;
    for (int row = 0; row < movie->rows; row += step) {
        const hol_pose own = hol__movie_pose(movie, row, e->body[k]),
                       its = hol__movie_pose(movie, row, e->body[1 - k]);
        double x[3], d[3] = {0, 0, 0};
        hol__pose_point(&its, at, x);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) d[i] += own.R[3 * j + i] * (x[j] - own.r[j]);
        widen(p, d, reach);
    }
}

/* The plate as a shape of its body, about its middle; 0 without memory. */
static int put_plate(hol__geometry *g, hol__arena *arena, const plate *p) {
    hol_shape *shape = hol__outline_add(&g->bodies[p->body], arena, HOL_SHAPE_PLANE, p->shape.at);
    if (!shape) return 0;
    memcpy(shape->R, p->shape.R, sizeof shape->R);
    for (int k = 0; k < 2; k++) {
        const double room = 0.04 * g->size + 0.05 * (p->high[k] - p->low[k]),
                     middle = 0.5 * (p->low[k] + p->high[k]);
        shape->size[k] = fmax(p->high[k] - p->low[k] + 2 * room, 0.2 * g->size);
        for (int i = 0; i < 3; i++) shape->at[i] += middle * shape->R[3 * i + k];
    }
    shape->size[2] = 0.015 * g->size;
    return 1;
}

int hol__geometry_planes(hol__geometry *g, hol__movie *movie) {
    const int n = g->n_joints + g->n_forces;
    plate *plates = HOL__NEW_N(&movie->arena, plate, n + 1);
    int count = 0;
    if (!plates) return 0;
    for (int i = 0; i < 2 * n; i++) {
        const int at = i / 2, k = i % 2;
        const hol_element_info *e =
            at < g->n_joints ? &g->joints[at] : &g->forces[at - g->n_joints];
        const hol_shape *plane = e->shapes[k];
        if (!plane || plane->kind != HOL_SHAPE_PLANE || g->bodies[e->body[k]].given) continue;
        int known = 0;
        while (known < count && !same_plane(&plates[known], e->body[k], plane)) known++;
        if (known == count)
            plates[count++] =
                (plate){e->body[k], *plane, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
        follow(&plates[known], movie, e, k);
    }
    for (int i = 0; i < count; i++)
        if (plates[i].low[0] <= plates[i].high[0] && plates[i].low[1] <= plates[i].high[1] &&
            !put_plate(g, &movie->arena, &plates[i]))
            return 0;
    return 1;
}
