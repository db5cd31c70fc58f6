/* wheels.c: the wheels of gears and belts with their pitch radii.
 *
 * Where teeth are given, the radii follow from the distance d of the axes, as drawn:
 *
 *     external   r_i = d z_i/(z_1 + z_2)
 *     internal   r_i = d z_i/|z_1 - z_2|, and the larger one is a ring around the other
 */
#include "report/geometry.h"

#include <math.h>
#include <string.h>

/* Two numbers of a field of a joint; 0 where it has none. */
static int two_numbers(hol__movie *movie, const char *joint, const char *field, double out[2]) {
    int count = 0;
    char *path = hol__arena_format(&movie->arena, "joints.%s.%s", joint, field);
    return path && hol_model_field(movie->quiet, movie->model, path, 2, out, &count) == HOL_OK &&
           count == 2;
}

/* Whether one of the two gears runs inside the other. */
static int is_internal(hol__movie *movie, const char *joint) {
    char *path = hol__arena_format(&movie->arena, "joints.%s.kind", joint);
    char *kind = path ? hol_model_field_text(movie->quiet, movie->model, path) : NULL;
    const int is = kind && strcmp(kind, "internal") == 0;
    hol_free(movie->quiet, kind);
    return is;
}

/* The distance of the axes as drawn, across the first of them. */
static double axes_distance(const hol__geometry *g, hol__movie *movie,
                            const hol_element_info *joint) {
    double P[2][3], axis[3], d[3], along = 0, sum = 0;
    for (int k = 0; k < 2; k++) {
        const hol_pose pose = hol__movie_pose(movie, 0, joint->body[k]);
        hol__pose_point(&pose, joint->point[k], P[k]);
        for (int i = 0; i < 3 && !k; i++) {
            axis[i] = 0;
            for (int j = 0; j < 3; j++) axis[i] += pose.R[3 * i + j] * joint->axis[0][j];
        }
    }
    for (int i = 0; i < 3; i++) d[i] = P[1][i] - P[0][i], along += d[i] * axis[i];
    for (int i = 0; i < 3; i++) {
        const double across = g->planar ? d[i] : d[i] - along * axis[i];
        sum += across * across;
    }
    return sqrt(sum);
}

/* The pitch radii of a gear or a belt; 0 where they are not known. */
static int pitch_radii(const hol__geometry *g, hol__movie *movie, const hol_element_info *joint,
                       double r[2], int *internal) {
    const int gear = strcmp(joint->type, "gear") == 0;
    *internal = gear && is_internal(movie, joint->name);
    if (!gear && strcmp(joint->type, "belt") != 0) return 0;
    if (two_numbers(movie, joint->name, "radii", r)) return 1;
    if (!gear || !two_numbers(movie, joint->name, "teeth", r)) return 0;
    const double sum = *internal ? fabs(r[1] - r[0]) : r[0] + r[1],
                 size = axes_distance(g, movie, joint) / sum;
    r[0] *= size, r[1] *= size;
    return isfinite(size) && size > 0;
}

/* A disc, or a ring whose inner edge is the pitch circle; 0 without memory. */
static int add_wheel(const hol__geometry *g, hol__outline *body, hol__arena *arena,
                     const hol_element_info *joint, int k, double radius, int ring) {
    hol_shape *wheel =
        hol__outline_add(body, arena, ring ? HOL_SHAPE_TORUS : HOL_SHAPE_CYLINDER, joint->point[k]);
    if (!wheel) return 0;
    if (!g->planar) hol__shape_turn(wheel, joint->axis[k]);
    wheel->size[0] = radius + (ring ? g->radius : 0);
    wheel->size[1] = ring ? g->radius : 2 * g->radius;
    body->behind = 1;
    return 1;
}

int hol__outline_wheels(hol__geometry *g, hol__movie *movie, int index) {
    int n = 0;
    for (int i = 0; i < g->n_joints && movie->model && movie->rows; i++) {
        const hol_element_info *joint = &g->joints[i];
        double r[2];
        int internal;
        const int k = joint->body[1] == index;
        if (joint->body[k] != index || !pitch_radii(g, movie, joint, r, &internal)) continue;
        if (!add_wheel(g, &g->bodies[index], &movie->arena, joint, k, r[k],
                       internal && r[k] > r[!k]))
            return -1;
        n++;
    }
    return n;
}
