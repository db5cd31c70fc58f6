/* geometry.c: what there is to draw of a mechanism, pass by pass, and the size of the whole
 * motion. */
#include "report/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOUND_ROWS = 400 };

/* Elements of the model; 0 without memory. */
static int read_model(hol__geometry *g, hol__movie *movie) {
    const hol_model *model = movie->model;
    hol__arena *arena = &movie->arena;
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(model, &info);
    g->planar = info.space == HOL_PLANAR;
    hol_model_gravity(model, g->gravity);
    g->joints = HOL__NEW_N(arena, hol_element_info, g->n_joints);
    g->forces = HOL__NEW_N(arena, hol_element_info, g->n_forces);
    g->marks = HOL__NEW_N(arena, hol__mark, g->n_joints);
    if (!g->joints || !g->forces || !g->marks) return 0;
    for (int i = 0; i < g->n_joints; i++) {
        g->joints[i].size = sizeof g->joints[i];
        hol_model_joint_describe(model, i, &g->joints[i]);
    }
    for (int i = 0; i < g->n_forces; i++) {
        g->forces[i].size = sizeof g->forces[i];
        hol_model_force_describe(model, i, &g->forces[i]);
    }
    hol__geometry_marks(g, movie);
    return hol__geometry_points(g, movie) && hol__geometry_curves(g, movie) &&
           hol__geometry_contacts(g, movie);
}

/* ---- size ---- */

/* A box around points. */
typedef struct box {
    double low[3], high[3];
} box;

static const box empty = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* Stretch the box to hold a point. */
static void stretch(box *b, const double p[3]) {
    for (int i = 0; i < 3; i++)
        if (!isfinite(p[i])) return;
    for (int i = 0; i < 3; i++) {
        if (p[i] < b->low[i]) b->low[i] = p[i];
        if (p[i] > b->high[i]) b->high[i] = p[i];
    }
}

/* The diagonal of a box; 0 when nothing is in it. */
static double diagonal(const box *b) {
    double sum = 0;
    for (int i = 0; i < 3 && b->low[i] <= b->high[i]; i++)
        sum += (b->high[i] - b->low[i]) * (b->high[i] - b->low[i]);
    return sqrt(sum);
}

double hol__shape_reach(const hol_shape *shape) {
    const double *s = shape->size;
    double most = 0;
    switch (shape->kind) {
    case HOL_SHAPE_BOX: return 0.5 * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    case HOL_SHAPE_CYLINDER: return hypot(s[0], 0.5 * s[1]);
    case HOL_SHAPE_CONE: return hypot(s[0], 0.75 * s[1]);
    case HOL_SHAPE_TORUS: return s[0] + s[1];
    case HOL_SHAPE_SPHERE: return s[0];
    case HOL_SHAPE_PLANE: return 0.5 * hypot(s[0], s[1]);
    case HOL_SHAPE_ROD: return s[0] + 0.5 * s[1];
    case HOL_SHAPE_MESH: break;
    }
    if (s[0] > 0) return s[0];
    for (int i = 0; i < shape->n_vertices; i++) {
        const double *v = shape->vertices + 3 * i;
        most = fmax(most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return most;
}

/* Stretch the box to hold a ball about a point of a body. */
static void stretch_ball(const hol__geometry *g, const hol_pose *pose, const double at[3],
                         double radius, box *b) {
    double p[3], low[3], high[3];
    hol__pose_point(pose, at, p);
    for (int i = 0; i < 3; i++) {
        const double room = g->planar && i == 2 ? 0 : radius;
        low[i] = p[i] - room, high[i] = p[i] + room;
    }
    stretch(b, low);
    stretch(b, high);
}

/* Stretch the box to hold the corners of a plane. */
static void stretch_plane(const hol_pose *pose, const hol_shape *shape, box *b) {
    for (int k = 0; k < 4; k++) {
        const double x = (k & 1 ? 0.5 : -0.5) * shape->size[0],
                     y = (k & 2 ? 0.5 : -0.5) * shape->size[1];
        double s[3], p[3];
        for (int i = 0; i < 3; i++)
            s[i] = shape->at[i] + x * shape->R[3 * i] + y * shape->R[3 * i + 1];
        hol__pose_point(pose, s, p);
        stretch(b, p);
    }
}

/* Stretch the box to hold a shape. */
static void stretch_shape(const hol__geometry *g, const hol_pose *pose, const hol_shape *shape,
                          box *b) {
    if (shape->kind == HOL_SHAPE_PLANE) {
        stretch_plane(pose, shape, b);
        return;
    }
    if (shape->kind != HOL_SHAPE_ROD) {
        stretch_ball(g, pose, shape->at, hol__shape_reach(shape), b);
        return;
    }
    for (int k = -1; k <= 1; k += 2) {
        double end[3];
        for (int i = 0; i < 3; i++)
            end[i] = shape->at[i] + 0.5 * k * shape->size[1] * shape->R[3 * i + 2];
        stretch_ball(g, pose, end, shape->size[0], b);
    }
}

/* Stretch the box to hold all that moves at a record. */
static void stretch_row(const hol__geometry *g, const hol__movie *movie, int row, box *b) {
    double p[3];
    for (int i = 0; i < g->n_bodies; i++) {
        const hol_pose pose = hol__movie_pose(movie, row, i);
        const hol__outline *body = &g->bodies[i];
        hol_body_info info = {.size = sizeof info, .name = ""};
        if (movie->model) hol_model_body_describe(movie->model, i, &info);
        const int n_shapes = body->n_shapes ? body->n_shapes : info.n_shapes;
        const hol_shape *shapes = body->n_shapes ? body->shapes : info.shapes;
        for (int k = 0; k < body->n_points; k++) {
            hol__pose_point(&pose, body->points + 3 * k, p);
            stretch(b, p);
        }
        for (int k = 0; k < n_shapes; k++) stretch_shape(g, &pose, &shapes[k], b);
        for (int k = 0; k < g->n_solids && !n_shapes; k++)
            if (g->solids[k].body == i) stretch_shape(g, &pose, g->solids[k].shape, b);
        hol__pose_point(&pose, info.com, p);
        stretch(b, p);
    }
    for (int i = 0; i < g->n_curves; i++) {
        const hol__curve_mark *c = &g->curves[i];
        const hol_pose pose = hol__movie_pose(movie, row, c->body);
        for (int k = 0; c->closed && k < c->n; k++) {
            hol__pose_point(&pose, c->points + 3 * k, p);
            stretch(b, p);
        }
    }
}

/* The box around everything over at most BOUND_ROWS records, and how large the mechanism itself is:
 * what travels far is measured by itself. */
static void find_bounds(hol__geometry *g, const hol__movie *movie) {
    const int rows = movie->rows, step = rows > BOUND_ROWS ? rows / BOUND_ROWS : 1;
    const hol__outline *ground = &g->bodies[g->n_bodies];
    box all = empty;
    double extent = 0;
    for (int row = 0; row < rows; row += step) {
        box now = empty;
        stretch_row(g, movie, row, &now);
        extent = fmax(extent, diagonal(&now));
        stretch(&all, now.low);
        stretch(&all, now.high);
    }
    for (int k = 0; k < ground->n_points; k++) stretch(&all, ground->points + 3 * k);
    const hol_pose still = hol__movie_pose(movie, 0, g->n_bodies);
    for (int k = 0; k < ground->n_shapes; k++) stretch_shape(g, &still, &ground->shapes[k], &all);
    for (int k = 0; k < g->n_solids && !ground->n_shapes; k++)
        if (g->solids[k].body == g->n_bodies) stretch_shape(g, &still, g->solids[k].shape, &all);
    if (!(all.low[0] <= all.high[0])) all = (box){{0, 0, 0}, {0, 0, 0}};
    memcpy(g->low, all.low, sizeof g->low);
    memcpy(g->high, all.high, sizeof g->high);
    g->size = diagonal(&all);
    g->travels = extent > 0 && g->size > 6 * extent;
    if (g->travels) g->size = 1.5 * extent;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The largest distance between points of a body. */
static double length_of(const hol__outline *body) {
    double most = 0;
    for (int i = 0; i < body->n_points; i++)
        for (int k = 0; k < i; k++) {
            double d = 0;
            for (int c = 0; c < 3; c++) {
                const double e = body->points[3 * i + c] - body->points[3 * k + c];
                d += e * e;
            }
            if (d > most) most = d;
        }
    return sqrt(most);
}

/* The median length of the bodies; 0 without memory. */
static int find_link(hol__geometry *g, hol__arena *arena) {
    double *lengths = HOL__NEW_N(arena, double, g->n_bodies + 1);
    int n = 0;
    if (!lengths) return 0;
    for (int i = 0; i < g->n_bodies; i++) {
        const double length = length_of(&g->bodies[i]);
        if (length > 0) lengths[n++] = length;
    }
    qsort(lengths, (size_t)n, sizeof *lengths, by_value);
    if (!(g->size > 0)) g->size = 1;
    g->link = n ? lengths[(n - 1) / 2] : 0.4 * g->size;
    g->radius = fmax(0.03 * g->link, 0.0042 * g->size);
    return 1;
}

int hol__geometry_init(hol__geometry *g, hol__movie *movie) {
    *g = (hol__geometry){.n_bodies = movie->n_bodies};
    if (movie->model) g->n_joints = movie->n_joints, g->n_forces = movie->n_forces;
    g->bodies = HOL__NEW_N(&movie->arena, hol__outline, g->n_bodies + 1);
    if (!g->bodies) return 0;
    if (movie->model && !read_model(g, movie)) return 0;
    if (movie->rows) find_bounds(g, movie);
    if (!find_link(g, &movie->arena)) return 0;
    hol__geometry_rails(g, movie);
    if (!hol__geometry_shapes(g, movie) || !hol__geometry_stretches(g, movie)) return 0;
    if (movie->model && movie->rows && !hol__geometry_roads(g, movie)) return 0;
    if (movie->model && movie->rows && !hol__geometry_planes(g, movie)) return 0;
    hol__geometry_labels(g, movie);
    /* the solids that were chosen by the size have a size too */
    if (movie->rows) find_bounds(g, movie);
    if (!(g->size > 0)) g->size = 1;
    return 1;
}
