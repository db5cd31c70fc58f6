/* outline.c: what a body is drawn as where the model gives no shapes, from what is known of it: the
 * points at which it is held, those that its description names, its mass centre and its inertia.
 *
 *     points on a line        a bar from end to end
 *     three points            three bars
 *     more                    in the plane bars around them, in space a star
 *     one point               a bar through the mass centre where the inertia is about that of a
 *                             rod; else the solid of that inertia, with a bar to it
 *     a point on a rail       a block
 *     none                    the solid of that inertia
 *     contacts                the solids that touch, in place of one of its inertia
 *     gears and belts         wheels (wheels.c), in place of one of its inertia
 *
 * A bar of length L from A to B whose mass m, mass centre x and inertia I (about the mass centre)
 * are those of a uniform bar with points of mass at its ends,
 *
 *     I + m x^2 = m_bar L^2/3 + m_B L^2,   m x = m_bar L/2 + m_B L,   m = m_bar + m_A + m_B,
 *
 * is drawn with a ball at an end that has more than half of the mass and that no joint holds: of
 * the density of the bar, but not larger than a tenth of its length.
 */
#include "report/geometry.h"

#include <math.h>
#include <string.h>

static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static double distance(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Room for one more shape; NULL without memory. */
static hol_shape *grow(hol__outline *body, hol__arena *arena) {
    if (body->n_shapes == body->capacity) {
        hol_shape *more = HOL__NEW_N(arena, hol_shape, 2 * body->capacity + 4);
        if (!more) return NULL;
        if (body->n_shapes) memcpy(more, body->shapes, (size_t)body->n_shapes * sizeof *more);
        body->shapes = more;
        body->capacity = 2 * body->capacity + 4;
    }
    return &body->shapes[body->n_shapes++];
}

hol_shape *hol__outline_add(hol__outline *body, hol__arena *arena, hol_shape_kind kind,
                            const double at[3]) {
    hol_shape *shape = grow(body, arena);
    if (!shape) return NULL;
    *shape = (hol_shape){.kind = kind, .color = ""};
    memcpy(shape->at, at, sizeof shape->at);
    memcpy(shape->R, unit, sizeof shape->R);
    return shape;
}

/* A bar between two points; 0 without memory. */
static int add_bar(hol__outline *body, hol__arena *arena, const double *a, const double *b,
                   double radius) {
    double middle[3], axis[3];
    const double length = distance(a, b);
    if (!(length > 0)) return 1;
    for (int i = 0; i < 3; i++) middle[i] = 0.5 * (a[i] + b[i]), axis[i] = b[i] - a[i];
    hol_shape *bar = hol__outline_add(body, arena, HOL_SHAPE_ROD, middle);
    if (!bar) return 0;
    hol__shape_turn(bar, axis);
    bar->size[0] = radius;
    bar->size[1] = length;
    return 1;
}

/* How thick the bars of a body are: as the others, but no stump. */
static double bar_radius(const hol__geometry *g, double length) {
    return fmax(fmin(g->radius, 0.18 * length), 0.0035 * g->size);
}

/* ---- bars ---- */

/* The two points that are farthest apart; returns their distance. */
static double ends_of(const hol__outline *body, int *from, int *to) {
    double most = 0;
    *from = 0, *to = 0;
    for (int i = 0; i < body->n_points; i++)
        for (int k = 0; k < i; k++) {
            const double d = distance(body->points + 3 * i, body->points + 3 * k);
            if (d > most) most = d, *from = k, *to = i;
        }
    return most;
}

/* How far a point is from the line through A and B. */
static double off_line(const double *p, const double *A, const double *B) {
    const double L = distance(A, B);
    double s = 0, d = 0;
    for (int i = 0; i < 3; i++) s += (p[i] - A[i]) * (B[i] - A[i]) / L;
    for (int i = 0; i < 3; i++) {
        const double e = p[i] - A[i] - s * (B[i] - A[i]) / L;
        d += e * e;
    }
    return sqrt(d);
}

/* The inertia about the mass centre, across the direction u (of length 1). */
static double inertia_across(const hol__geometry *g, const hol_body_info *info, const double *u) {
    const double *J = info->inertia;
    double along = 0;
    if (g->planar) return J[8];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) along += u[i] * J[3 * i + k] * u[k];
    return 0.5 * (J[0] + J[4] + J[8] - along);
}

/* Whether a joint holds the body at the point. */
static int is_held(const hol__geometry *g, const hol__outline *body, const double *point) {
    for (int i = 0; i < g->n_joints; i++)
        for (int k = 0; k < 2 && g->marks[i].symbol; k++)
            if (&g->bodies[g->joints[i].body[k]] == body &&
                hol__same_point(g->joints[i].point[k], point))
                return 1;
    return 0;
}

/* Balls at the ends of a bar that has masses there; 0 without memory. */
static int add_tips(const hol__geometry *g, hol__outline *body, hol__arena *arena,
                    const hol_body_info *info, const double *A, const double *B, double radius) {
    const double L = distance(A, B), m = info->mass;
    double u[3], x = 0, tip[2];
    if (!(m > 0) || off_line(info->com, A, B) > 1e-3 * L) return 1;
    for (int i = 0; i < 3; i++) u[i] = (B[i] - A[i]) / L, x += (info->com[i] - A[i]) * u[i];
    const double I = inertia_across(g, info, u);
    const double bar = 6 * (m * x * L - I - m * x * x) / (L * L);
    tip[1] = m * x / L - bar / 2;
    tip[0] = m - bar - tip[1];
    if (bar < -1e-3 * m || tip[0] < -0.02 * m || tip[1] < -0.02 * m) return 1;
    for (int k = 0; k < 2; k++) {
        if (tip[k] < 0.5 * m || is_held(g, body, k ? B : A)) continue;
        hol_shape *ball = hol__outline_add(body, arena, HOL_SHAPE_SPHERE, k ? B : A);
        if (!ball) return 0;
        const double r = bar > 0 ? cbrt(0.75 * radius * radius * L * tip[k] / bar) : INFINITY;
        ball->size[0] = fmax(fmin(r, 0.1 * L), 1.6 * radius);
    }
    return 1;
}

/* Bars around points in the plane, to those inside from the middle, and the area below them. */
static int add_plate(hol__outline *body, hol__arena *arena, double radius) {
    const int n = body->n_points;
    double *sorted = HOL__NEW_N(arena, double, 3 * n), middle[3] = {0, 0, 0};
    body->plate = HOL__NEW_N(arena, double, 6 * n);
    if (!sorted || !body->plate) return 0;
    memcpy(sorted, body->points, 3 * (size_t)n * sizeof *sorted);
    body->n_plate = hol__hull_around(sorted, n, 3, body->plate);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) middle[k] += body->points[3 * i + k] / n;
    for (int i = 0; i < body->n_plate; i++)
        if (!add_bar(body, arena, body->plate + 3 * i, body->plate + 3 * ((i + 1) % body->n_plate),
                     radius))
            return 0;
    for (int i = 0; i < n; i++) {
        int inside = 1;
        for (int k = 0; k < body->n_plate; k++)
            if (hol__same_point(body->plate + 3 * k, body->points + 3 * i)) inside = 0;
        if (inside && !add_bar(body, arena, middle, body->points + 3 * i, radius)) return 0;
    }
    return 1;
}

/* Bars between three points, or a star. */
static int add_star(hol__outline *body, hol__arena *arena, double radius) {
    const int n = body->n_points;
    double middle[3] = {0, 0, 0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) middle[k] += body->points[3 * i + k] / n;
    for (int i = 0; i < n; i++) {
        const double *from = n == 3 ? body->points + 3 * ((i + 1) % 3) : middle;
        if (!add_bar(body, arena, from, body->points + 3 * i, radius)) return 0;
    }
    return 1;
}

/* A body with several points. */
static int add_bars(const hol__geometry *g, hol__outline *body, hol__arena *arena,
                    const hol_body_info *info) {
    int from, to, straight = 1;
    const double L = ends_of(body, &from, &to), radius = bar_radius(g, L);
    const double *A = body->points + 3 * from, *B = body->points + 3 * to;
    for (int i = 0; i < body->n_points; i++)
        if (off_line(body->points + 3 * i, A, B) > 0.02 * L) straight = 0;
    if (straight)
        return add_bar(body, arena, A, B, radius) && add_tips(g, body, arena, info, A, B, radius);
    if (g->planar) return add_plate(body, arena, 0.8 * radius);
    return add_star(body, arena, 0.85 * radius);
}

/* ---- blocks and solids ---- */

/* A block for each rail that the body slides on; returns how many, -1 without memory. */
static int add_blocks(const hol__geometry *g, int index, hol__arena *arena) {
    hol__outline *body = &g->bodies[index];
    const double r = g->radius;
    int n = 0;
    for (int i = 0; i < g->n_joints; i++) {
        const hol__mark *mark = &g->marks[i];
        const int k = !mark->rail, round = mark->symbol == HOL__SYMBOL_SLEEVE;
        if ((mark->symbol != HOL__SYMBOL_SLIDE && !round) || g->joints[i].body[k] != index)
            continue;
        hol_shape *block =
            hol__outline_add(body, arena, round ? HOL_SHAPE_CYLINDER : HOL_SHAPE_BOX, mark->block);
        if (!block) return -1;
        const double *axis = g->joints[i].axis[k];
        if (g->planar) {
            const double R[9] = {axis[0], -axis[1], 0, axis[1], axis[0], 0, 0, 0, 1};
            memcpy(block->R, R, sizeof R);
            block->size[0] = 7 * r, block->size[1] = 4.4 * r, block->size[2] = 2 * r;
        } else {
            hol__shape_turn(block, axis);
            block->size[0] = round ? 1.9 * r : 4 * r;
            block->size[1] = round ? 7 * r : 4 * r;
            block->size[2] = 7 * r;
        }
        n++;
    }
    return n;
}

/* Whether the body is about a uniform rod from the point through its mass centre; end receives its
 * other end. */
static int is_rod(const hol__geometry *g, const hol_body_info *info, const double point[3],
                  double end[3]) {
    double u[3];
    const double d = distance(info->com, point);
    if (!(d > 0)) return 0;
    for (int i = 0; i < 3; i++) u[i] = (info->com[i] - point[i]) / d;
    for (int i = 0; i < 3; i++) end[i] = info->com[i] + d * u[i];
    const double ratio = 3 * inertia_across(g, info, u) / (info->mass * d * d);
    return ratio > 0.6 && ratio < 1.7;
}

/* A body that is held at one point, or nowhere. */
static int add_solid(const hol__geometry *g, hol__outline *body, hol__arena *arena,
                     const hol_body_info *info) {
    double end[3];
    const double reach = body->n_points ? distance(body->points, info->com) : 0;
    if (body->n_points && is_rod(g, info, body->points, end))
        return add_bar(body, arena, body->points, end, bar_radius(g, 2 * reach));
    if (!(info->mass > 0)) return 1;
    hol_shape *solid = grow(body, arena);
    if (!solid) return 0;
    *solid = hol__equivalent_solid(g, info);
    body->behind = 1;
    return reach < 0.01 * g->link ||
           add_bar(body, arena, body->points, info->com, 0.6 * bar_radius(g, reach));
}

/* How far a mesh reaches from its origin; kept in the copy, since meshes may be large. */
static double mesh_reach(const hol_shape *shape) {
    static const double origin[3] = {0, 0, 0};
    double most = 0;
    for (int i = 0; i < shape->n_vertices; i++)
        most = fmax(most, distance(shape->vertices + 3 * i, origin));
    return most;
}

/* The shapes of the model, with lengths where it leaves them open. */
static int copy_shapes(const hol__geometry *g, hol__outline *body, hol__arena *arena,
                       const hol_body_info *info) {
    body->given = 1;
    for (int k = 0; k < info->n_shapes; k++) {
        hol_shape *shape = grow(body, arena);
        if (!shape) return 0;
        *shape = info->shapes[k];
        double *size = shape->size;
        if (shape->kind == HOL_SHAPE_ROD && !(size[0] > 0)) size[0] = bar_radius(g, size[1]);
        if (shape->kind == HOL_SHAPE_SPHERE && !(size[0] > 0)) size[0] = 1.8 * g->radius;
        if (shape->kind == HOL_SHAPE_TORUS && !(size[1] > 0)) size[1] = 0.6 * g->radius;
        if (shape->kind == HOL_SHAPE_MESH) size[0] = mesh_reach(shape);
    }
    return 1;
}

int hol__geometry_shapes(hol__geometry *g, hol__movie *movie) {
    for (int i = 0; i < g->n_bodies; i++) {
        hol__outline *body = &g->bodies[i];
        hol_body_info info = {.size = sizeof info, .name = "", .mass = 1};
        int from, to;
        if (movie->model) hol_model_body_describe(movie->model, i, &info);
        body->n_shapes = 0;
        if (info.n_shapes) {
            if (!copy_shapes(g, body, &movie->arena, &info)) return 0;
            continue;
        }
        const int solids = hol__outline_solids(g, i, &movie->arena),
                  wheels = hol__outline_wheels(g, movie, i),
                  blocks = add_blocks(g, i, &movie->arena);
        const double length = ends_of(body, &from, &to);
        if (blocks < 0 || solids < 0 || wheels < 0) return 0;
        body->behind = wheels > 0 || (blocks > 0 && length < 0.02 * g->link);
        if (length > 1e-6 * g->size && !add_bars(g, body, &movie->arena, &info)) return 0;
        if (length > 1e-6 * g->size) continue;
        if (solids || wheels || hol__has_edge(g, i))
            body->behind = 1;
        else if (!blocks && !add_solid(g, body, &movie->arena, &info))
            return 0;
    }
    g->bodies[g->n_bodies].behind = 1;
    return hol__outline_solids(g, g->n_bodies, &movie->arena) >= 0 &&
           hol__geometry_followers(g, movie);
}

void hol__geometry_labels(hol__geometry *g, const hol__movie *movie) {
    for (int i = 0; i < g->n_bodies; i++) {
        hol__outline *body = &g->bodies[i];
        hol_body_info info = {.size = sizeof info};
        double least = INFINITY;
        if (movie->model) hol_model_body_describe(movie->model, i, &info);
        memcpy(body->label, info.com, sizeof body->label);
        for (int k = 0; k < body->n_shapes; k++) {
            const double d = distance(body->shapes[k].at, info.com);
            if (body->shapes[k].kind == HOL_SHAPE_MESH || !(d < least)) continue;
            least = d;
            memcpy(body->label, body->shapes[k].at, sizeof body->label);
        }
    }
}
