/* geometry.c: outlines of bodies from the points at which they are held, and the size of the whole
 * motion.
 *
 * A body that is held at fewer than two points and has no shapes is drawn as the solid with its
 * mass and inertia:
 *
 *     cylinder:  r^2 = 2 I3/m,  L^2 = 12 (I1/m - r^2/4)          where two principal moments agree
 *     box:       a_i^2 = 6 (I_j + I_k - I_i)/m
 *
 * but one that is held at P and has about the inertia m d^2/3 of a rod from P through its mass
 * centre, at the distance d, is drawn as that rod.
 */
#include "report/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOUND_ROWS = 400 };

/* ---- points ---- */

/* Whether two points are one. */
static int is_same(const double a[3], const double b[3]) {
    double d = 0, s = 0;
    for (int i = 0; i < 3; i++) d += fabs(a[i] - b[i]), s += fabs(a[i]) + fabs(b[i]);
    return d <= 1e-9 * (1 + s);
}

/* Add a point of a body unless it is there. */
static void add_point(hol__outline *body, const double point[3]) {
    for (int i = 0; i < body->n_points; i++)
        if (is_same(body->points + 3 * i, point)) return;
    memcpy(body->points + 3 * body->n_points++, point, 3 * sizeof *point);
}

/* On how many of its bodies, from the first, a force has a point: between two points, at one, or
 * none. */
static int force_ends(const char *type) {
    if (strcmp(type, "spring") == 0 || strcmp(type, "bushing") == 0) return 2;
    return strcmp(type, "force") == 0;
}

/* The points of all bodies. */
static void collect_points(hol__geometry *g) {
    for (int i = 0; i < g->n_joints; i++)
        for (int k = 0; k < 2; k++)
            add_point(&g->bodies[g->joints[i].body[k]], g->joints[i].point[k]);
    for (int i = 0; i < g->n_forces; i++)
        for (int k = 0; k < force_ends(g->forces[i].type); k++)
            add_point(&g->bodies[g->forces[i].body[k]], g->forces[i].point[k]);
}

/* Elements and outlines of the model; 0 without memory. */
static int read_model(hol__geometry *g, hol__movie *movie) {
    const hol_model *model = movie->model;
    hol__arena *arena = &movie->arena;
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(model, &info);
    g->planar = info.space == HOL_PLANAR;
    hol_model_gravity(model, g->gravity);
    g->joints = HOL__NEW_N(arena, hol_element_info, g->n_joints);
    g->forces = HOL__NEW_N(arena, hol_element_info, g->n_forces);
    if (!g->joints || !g->forces) return 0;
    int *count = HOL__NEW_N(arena, int, g->n_bodies + 1);
    if (!count) return 0;
    for (int i = 0; i < g->n_joints; i++) {
        g->joints[i].size = sizeof g->joints[i];
        hol_model_joint_describe(model, i, &g->joints[i]);
        for (int k = 0; k < 2; k++) count[g->joints[i].body[k]]++;
    }
    for (int i = 0; i < g->n_forces; i++) {
        g->forces[i].size = sizeof g->forces[i];
        hol_model_force_describe(model, i, &g->forces[i]);
        for (int k = 0; k < 2; k++) count[g->forces[i].body[k]]++;
    }
    for (int i = 0; i <= g->n_bodies; i++) {
        g->bodies[i].points = HOL__NEW_N(arena, double, 3 * count[i] + 6);
        if (!g->bodies[i].points) return 0;
    }
    collect_points(g);
    return 1;
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

/* How far a shape reaches from its middle. */
static double reach(const hol_shape *shape) {
    const double *s = shape->size;
    double most = 0;
    switch (shape->kind) {
    case HOL_SHAPE_BOX: return 0.5 * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    case HOL_SHAPE_CYLINDER: return hypot(s[0], 0.5 * s[1]);
    case HOL_SHAPE_CONE: return hypot(s[0], 0.75 * s[1]);
    case HOL_SHAPE_ROD: return s[0] + 0.5 * s[1];
    case HOL_SHAPE_TORUS: return s[0] + s[1];
    case HOL_SHAPE_SPHERE: return s[0];
    case HOL_SHAPE_MESH: break;
    }
    for (int i = 0; i < shape->n_vertices; i++) {
        const double *v = shape->vertices + 3 * i;
        most = fmax(most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return most;
}

/* Stretch the box to hold a shape. */
static void stretch_shape(const hol__geometry *g, const hol_pose *pose, const hol_shape *shape,
                          box *b) {
    double p[3], low[3], high[3];
    const double r = reach(shape);
    hol__pose_point(pose, shape->at, p);
    for (int i = 0; i < 3; i++) {
        const double room = g->planar && i == 2 ? 0 : r;
        low[i] = p[i] - room, high[i] = p[i] + room;
    }
    stretch(b, low);
    stretch(b, high);
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
        hol__pose_point(&pose, info.com, p);
        stretch(b, p);
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
    return 1;
}

/* ---- solids ---- */

/* x within limits that can be seen and do not hide the rest. */
static double limit(const hol__geometry *g, double x) {
    const double low = 0.012 * g->size, high = 0.3 * g->size;
    return !(x > low) ? low : x > high ? high : x;
}

/* Turn z of the shape to axis k of the body. */
static void turn_to(hol_shape *shape, int k) {
    memset(shape->R, 0, sizeof shape->R);
    for (int i = 0; i < 3; i++) shape->R[3 * ((k + 1 + i) % 3) + i] = 1;
}

/* The solid with the mass and inertia of the body. */
static hol_shape equivalent(const hol__geometry *g, const hol_body_info *body) {
    hol_shape shape = {.kind = HOL_SHAPE_SPHERE, .color = "", .size = {0.03 * g->size, 0, 0}};
    const double *J = body->inertia, I[3] = {J[0], J[4], J[8]}, m = body->mass;
    memcpy(shape.at, body->com, sizeof shape.at);
    turn_to(&shape, 2);
    if (g->planar) {
        if (J[8] > 0) shape.size[0] = limit(g, sqrt(2 * J[8] / m));
        return shape;
    }
    const double most = I[0] + I[1] + I[2];
    if (!(most > 0) || fabs(J[1]) + fabs(J[2]) + fabs(J[5]) > 1e-6 * most) return shape;
    for (int k = 0; k < 3; k++) {
        const double I1 = I[(k + 1) % 3], I2 = I[(k + 2) % 3];
        if (fabs(I1 - I2) > 1e-6 * most || fabs(I[k] - I1) <= 1e-6 * most) continue;
        const double r2 = 2 * I[k] / m, L2 = 12 * (I1 / m - r2 / 4);
        shape.kind = HOL_SHAPE_CYLINDER;
        turn_to(&shape, k);
        shape.size[0] = limit(g, sqrt(r2));
        shape.size[1] = limit(g, L2 > 0 ? sqrt(L2) : 0);
        return shape;
    }
    if (fabs(I[0] - I[1]) <= 1e-6 * most) {
        shape.size[0] = limit(g, sqrt(2.5 * I[0] / m));
        return shape;
    }
    shape.kind = HOL_SHAPE_BOX;
    for (int k = 0; k < 3; k++) {
        const double a2 = 6 * (most - 2 * I[k]) / m;
        shape.size[k] = limit(g, a2 > 0 ? sqrt(a2) : 0);
    }
    return shape;
}

/* Whether the body is about a uniform rod from the point through its mass centre; end receives its
 * other end. */
static int is_rod(const hol__geometry *g, const hol_body_info *body, const double point[3],
                  double end[3]) {
    double u[3], d2 = 0, along = 0, I = body->inertia[8];
    for (int i = 0; i < 3; i++) {
        u[i] = body->com[i] - point[i];
        end[i] = body->com[i] + u[i];
        d2 += u[i] * u[i];
    }
    if (!(d2 > 0)) return 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) along += u[i] * body->inertia[3 * i + k] * u[k] / d2;
    if (!g->planar) I = 0.5 * (body->inertia[0] + body->inertia[4] + body->inertia[8] - along);
    const double ratio = 3 * I / (body->mass * d2);
    return ratio > 0.6 && ratio < 1.7;
}

/* Shapes of the model, or a solid where there is nothing else to see; a rod to the mass centre
 * joins it to its point. */
static void choose_shapes(hol__geometry *g, const hol__movie *movie) {
    for (int i = 0; i < g->n_bodies; i++) {
        hol__outline *body = &g->bodies[i];
        hol_body_info info = {.size = sizeof info, .name = "", .mass = 1};
        if (movie->model) hol_model_body_describe(movie->model, i, &info);
        body->given = info.n_shapes > 0;
        body->n_shapes = info.n_shapes;
        body->shapes = info.shapes;
        if (body->given || body->n_points > 1) continue;
        double end[3];
        if (body->n_points == 1 && is_rod(g, &info, body->points, end)) {
            add_point(body, end);
            continue;
        }
        body->own = equivalent(g, &info);
        body->shapes = &body->own;
        body->n_shapes = 1;
        if (body->n_points == 1) add_point(body, info.com);
    }
}

int hol__geometry_init(hol__geometry *g, hol__movie *movie) {
    *g = (hol__geometry){.n_bodies = movie->n_bodies};
    if (movie->model) g->n_joints = movie->n_joints, g->n_forces = movie->n_forces;
    g->bodies = HOL__NEW_N(&movie->arena, hol__outline, g->n_bodies + 1);
    if (!g->bodies) return 0;
    if (movie->model && !read_model(g, movie)) return 0;
    if (movie->rows) find_bounds(g, movie);
    if (!find_link(g, &movie->arena)) return 0;
    choose_shapes(g, movie);
    /* the solids that were chosen by the size have a size too */
    if (movie->rows) find_bounds(g, movie);
    if (!(g->size > 0)) g->size = 1;
    return 1;
}
