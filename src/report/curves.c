/* curves.c: the curves that points and followers run on: the edge of a cam where the curve is
 * closed, a track where it is open; and what follows a cam: a roller, a face.
 */
#include "report/geometry.h"

#include <math.h>
#include <string.h>

enum { CURVE_POINTS = 181 };

/* The diagonal of the box around n points. */
static double extent(int n, const double *points) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < n; i++)
            low = fmin(low, points[3 * i + k]), high = fmax(high, points[3 * i + k]);
        if (high > low) sum += (high - low) * (high - low);
    }
    return sqrt(sum);
}

int hol__geometry_curves(hol__geometry *g, hol__movie *movie) {
    g->curves = HOL__NEW_N(&movie->arena, hol__curve_mark, g->n_joints + 1);
    if (!g->curves) return 0;
    for (int i = 0; i < g->n_joints; i++) {
        hol__curve_mark *c = &g->curves[g->n_curves];
        if (g->marks[i].symbol != HOL__SYMBOL_CURVE) continue;
        *c = (hol__curve_mark){.joint = i, .body = g->joints[i].body[0], .n = CURVE_POINTS};
        c->points = HOL__NEW_N(&movie->arena, double, 3 * CURVE_POINTS);
        c->about.size = sizeof c->about;
        if (!c->points) return 0;
        const hol_status status =
            hol_model_curve(movie->quiet, movie->model, i, c->n, c->points, &c->about);
        if (status == HOL_ERR_MEMORY) return 0;
        if (status) continue;
        c->extent = extent(c->n, c->points);
        double gap = 0;
        for (int k = 0; k < 3; k++) gap += fabs(c->points[3 * (c->n - 1) + k] - c->points[k]);
        c->closed = gap <= 1e-6 * c->extent;
        if (c->closed) c->n--;
        if (isfinite(c->extent) && c->extent > 0) g->n_curves++;
    }
    return 1;
}

int hol__has_edge(const hol__geometry *g, int body) {
    for (int i = 0; i < g->n_curves; i++)
        if (g->curves[i].body == body && g->curves[i].closed) return 1;
    return 0;
}

/* A roller, about the normal of the plane of the curve; 0 without memory. */
static int add_roller(const hol__geometry *g, hol__movie *movie, const hol__curve_mark *c) {
    const hol_element_info *joint = &g->joints[c->joint];
    hol_shape *roller =
        hol__outline_add(&g->bodies[joint->body[1]], &movie->arena,
                         g->planar ? HOL_SHAPE_SPHERE : HOL_SHAPE_CYLINDER, joint->point[1]);
    if (!roller) return 0;
    if (!g->planar) hol__shape_turn(roller, joint->axis[1]);
    roller->size[0] = c->about.radius;
    roller->size[1] = 3 * g->radius;
    return 1;
}

/* A flat face: a bar across its normal in the plane of the curve; 0 without memory. */
static int add_face(const hol__geometry *g, hol__movie *movie, const hol__curve_mark *c) {
    static const double front[3] = {0, 0, 1};
    const hol_element_info *joint = &g->joints[c->joint];
    const double *n = c->about.face, *z = g->planar ? front : joint->axis[1];
    double along[3], at[3], size = 0;
    const double r = g->radius;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        along[i] = n[j] * z[k] - n[k] * z[j];
        size += n[i] * n[i];
    }
    /* the bar lies behind the face: the cam is on the side that the normal points to or away from;
     * its near edge is the face */
    const double side = c->towards >= 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) at[i] = joint->point[1][i] + side * r * n[i] / sqrt(size);
    hol_shape *face =
        hol__outline_add(&g->bodies[joint->body[1]], &movie->arena, HOL_SHAPE_ROD, at);
    if (!face) return 0;
    hol__shape_turn(face, along);
    face->size[0] = r;
    face->size[1] = 0.6 * c->extent;
    return 1;
}

/* On which side of a face the curve lies at the first record: the sign of normal · (curve - face),
 * by the middle of the curve. */
static double side_of_face(const hol__geometry *g, const hol__movie *movie,
                           const hol__curve_mark *c) {
    const hol_element_info *joint = &g->joints[c->joint];
    const hol_pose one = hol__movie_pose(movie, 0, joint->body[0]),
                   two = hol__movie_pose(movie, 0, joint->body[1]);
    double middle[3] = {0, 0, 0}, m[3], q[3], sum = 0;
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < 3; k++) middle[k] += c->points[3 * i + k] / c->n;
    hol__pose_point(&one, middle, m);
    hol__pose_point(&two, joint->point[1], q);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) sum += (m[r] - q[r]) * two.R[3 * r + k] * c->about.face[k];
    return sum;
}

int hol__geometry_followers(hol__geometry *g, hol__movie *movie) {
    for (int i = 0; i < g->n_curves; i++) {
        hol__curve_mark *c = &g->curves[i];
        const int body = g->joints[c->joint].body[1];
        const double *face = c->about.face;
        if (body == g->n_bodies || g->bodies[body].given) continue;
        if (c->about.radius > 0 && !add_roller(g, movie, c)) return 0;
        if (!(fabs(face[0]) + fabs(face[1]) + fabs(face[2]) > 0)) continue;
        c->towards = movie->rows ? side_of_face(g, movie, c) : 1;
        if (!add_face(g, movie, c)) return 0;
    }
    return 1;
}
