/* roads.c: the wheel of a tyre as a ring with a spoke about its axis (across the direction of
 * travel at the start), and the road below it: over the way that the wheel goes, or, where the road
 * itself moves, its height below the wheel at each record. */
#include "report/geometry.h"

#include <math.h>
#include <string.h>

enum { ROAD_POINTS = 600 };

/* The wheel as shapes of its body; 0 without memory. */
static int add_wheel(const hol__geometry *g, hol__movie *movie, const hol__road *road) {
    hol__outline *body = &g->bodies[road->body];
    const hol_pose pose = hol__movie_pose(movie, 0, road->body);
    const double r = road->radius;
    double axis[3] = {0, 0, 1};
    for (int i = 0; !g->planar && i < 3; i++) axis[i] = pose.R[3 + i];
    if (body->given) return 1;
    hol_shape *ring = hol__outline_add(body, &movie->arena, HOL_SHAPE_TORUS, road->center);
    if (!ring) return 0;
    hol__shape_turn(ring, axis);
    ring->size[1] = 0.14 * r;
    ring->size[0] = r - ring->size[1];
    ring->color = "#6b7685";
    hol_shape *rim = hol__outline_add(body, &movie->arena, HOL_SHAPE_TORUS, road->center);
    if (!rim) return 0;
    hol__shape_turn(rim, axis);
    rim->size[0] = 0.66 * r, rim->size[1] = 0.06 * r;
    hol_shape *spoke = hol__outline_add(body, &movie->arena, HOL_SHAPE_ROD, road->center);
    if (!spoke) return 0;
    for (int i = 0; i < 3; i++) axis[i] = g->planar ? i == 0 : pose.R[i];
    hol__shape_turn(spoke, axis);
    spoke->size[0] = 0.05 * r, spoke->size[1] = 1.3 * r;
    body->behind = 1;
    return 1;
}

/* Where the wheel centre is at a record. */
static void centre_at(const hol__movie *movie, const hol__road *road, int row, double out[3]) {
    const hol_pose pose = hol__movie_pose(movie, row, road->body);
    hol__pose_point(&pose, road->center, out);
}

/* Heights over the way of the wheel, or at each record below it; 0 without memory. */
static int sample(hol__movie *movie, hol__road *road) {
    double low = INFINITY, high = -INFINITY, p[3];
    for (int row = 0; row < movie->rows; row++) {
        centre_at(movie, road, row, p);
        if (!isfinite(p[0])) continue;
        low = fmin(low, p[0]), high = fmax(high, p[0]);
    }
    if (!(low <= high)) return 1;
    low -= 2 * road->radius, high += 2 * road->radius;
    road->n = road->moves ? movie->rows : ROAD_POINTS;
    road->x = HOL__NEW_N(&movie->arena, double, road->n);
    road->height = HOL__NEW_N(&movie->arena, double, road->n);
    if (!road->x || !road->height) return 0;
    for (int i = 0; i < road->n; i++) {
        double t = hol__movie_time(movie, 0), x = low + (high - low) * i / (ROAD_POINTS - 1);
        int moves;
        if (road->moves) {
            centre_at(movie, road, i, p);
            t = hol__movie_time(movie, i), x = p[0];
        }
        road->x[i] = x;
        if (hol_model_road(movie->quiet, movie->model, road->force, t, x, &road->height[i],
                           &moves) == HOL_ERR_MEMORY)
            return 0;
    }
    return 1;
}

int hol__geometry_roads(hol__geometry *g, hol__movie *movie) {
    g->roads = HOL__NEW_N(&movie->arena, hol__road, g->n_forces + 1);
    if (!g->roads) return 0;
    g->n_roads = 0;
    for (int i = 0; i < g->n_forces; i++) {
        hol__road *road = &g->roads[g->n_roads];
        double height;
        int count;
        *road = (hol__road){.force = i, .body = g->forces[i].body[0]};
        if (hol_model_road(movie->quiet, movie->model, i, 0, 0, &height, &road->moves)) continue;
        char *path = hol__arena_format(&movie->arena, "forces.%s.radius", g->forces[i].name);
        if (!path) return 0;
        if (hol_model_field(movie->quiet, movie->model, path, 1, &road->radius, &count) ||
            count != 1)
            continue;
        memcpy(road->center, g->forces[i].point[0], sizeof road->center);
        if (!sample(movie, road) || !add_wheel(g, movie, road)) return 0;
        g->n_roads++;
    }
    return 1;
}
