/* scene_moving.c: what is stretched between bodies, and roads. A spring or a rod is made once along
 * z and turned, moved and stretched by its node. */
#include "report/scene.h"

#include <math.h>
#include <string.h>

/* The motion of something along a line: its place, its orientation and its scale at the key
 * frames. */
typedef struct way {
    double *places, *turns, *scales;
} way;

static int way_init(way *w, const hol__scene *scene) {
    hol__arena *arena = &scene->movie->arena;
    const size_t n = (size_t)scene->n_rows;
    w->places = HOL__NEW_N(arena, double, 3 * n);
    w->turns = HOL__NEW_N(arena, double, 4 * n);
    w->scales = HOL__NEW_N(arena, double, 3 * n);
    return w->places && w->turns && w->scales;
}

/* (1 + z.d, z x d), of length 1. */
void hol__turn_from_z(const double d[3], double q[4]) {
    const double size = sqrt(fmax(2 * (1 + d[2]), 0));
    if (!(size > 1e-8)) {
        q[0] = q[2] = q[3] = 0, q[1] = 1;
        return;
    }
    q[0] = (1 + d[2]) / size, q[1] = -d[1] / size, q[2] = d[0] / size, q[3] = 0;
}

/* From end to end at all key frames, where the solid is `length` long. */
static void follow(const hol__scene *scene, const hol__stretch *s, double length, double height,
                   way *w) {
    for (int i = 0; i < scene->n_rows; i++) {
        double ends[2][3], d[3] = {0, 0, 1};
        double *place = w->places + 3 * (size_t)i, *turn = w->turns + 4 * (size_t)i,
               *scale = w->scales + 3 * (size_t)i;
        hol__stretch_ends(s, scene->movie, scene->rows[i], ends);
        double L = hol__stretch_length((const double(*)[3])ends);
        if (!isfinite(L)) L = 0, memset(ends, 0, sizeof ends);
        for (int k = 0; k < 3 && L > 0; k++) d[k] = (ends[1][k] - ends[0][k]) / L;
        memcpy(place, ends[0], 3 * sizeof *place);
        place[2] += height;
        hol__turn_from_z(d, turn);
        scale[0] = scale[1] = 1, scale[2] = fmax(L / length, 1e-6);
    }
}

/* A coil, whose scale is about 1. */
static void add_spring(hol__scene *scene, const hol__stretch *s, int node, way *w, double height) {
    const double r = scene->geometry->radius, width = 1.7 * r,
                 length = fmax(0.5 * (s->shortest + s->longest), 1e-6 * scene->geometry->size);
    const int coils = (int)lround(fmin(16, fmax(4, length / (1.9 * width))));
    hol__surface coil = hol__scene_surface(scene);
    hol__surface_coil(&coil, length, width, 0.26 * r, coils);
    hol__gltf_paint(scene->gltf, node, &coil, HOL__STEEL, 0.3);
    follow(scene, s, length, height, w);
    hol__gltf_move(scene->gltf, node, w->places, w->turns, w->scales);
}

/* A rod of length 1; of a cylinder also the barrel, which keeps its length. */
static void add_link(hol__scene *scene, const hol__stretch *s, int node, way *w, double height) {
    const double r = scene->geometry->radius;
    const hol__placement here = hol__placed_at(0, 0, 0);
    hol__surface rod = hol__scene_surface(scene), barrel = hol__scene_surface(scene);
    follow(scene, s, 1, height, w);
    const int inner = s->barrel > 0 ? hol__gltf_node(scene->gltf, "rod", node) : node;
    hol__surface_cylinder(&rod, &here, (s->kind == HOL__STRETCH_ROPE ? 0.2 : 0.5) * r, 0, 1);
    hol__gltf_paint(scene->gltf, inner, &rod, HOL__METAL, 0.35);
    if (s->barrel > 0) {
        hol__surface_cylinder(&barrel, &here, 1.15 * r, 0, s->barrel);
        hol__gltf_paint(scene->gltf, node, &barrel, HOL__STEEL, 0.3);
        hol__gltf_move(scene->gltf, node, w->places, w->turns, NULL);
        hol__gltf_move(scene->gltf, inner, NULL, NULL, w->scales);
    } else
        hol__gltf_move(scene->gltf, node, w->places, w->turns, w->scales);
}

void hol__scene_stretches(hol__scene *scene) {
    const hol__geometry *g = scene->geometry;
    for (int i = 0; i < g->n_stretches; i++) {
        const hol__stretch *s = &g->stretches[i];
        const int node = hol__gltf_node(scene->gltf, s->element->name, -1);
        const double height = g->planar ? hol__scene_top(g) + 1.2 * g->radius : 0;
        way w;
        if (node < 0 || !way_init(&w, scene)) return;
        if (s->kind == HOL__STRETCH_SPRING)
            add_spring(scene, s, node, &w, height);
        else
            add_link(scene, s, node, &w, height);
    }
}

/* ---- roads ---- */

/* The road below a wheel as it is over its way: a strip, across which the wheel stands. */
static void add_road(hol__scene *scene, const hol__road *road, int node) {
    const hol__geometry *g = scene->geometry;
    const hol_pose pose = hol__movie_pose(scene->movie, scene->rows[0], road->body);
    double *xy = HOL__NEW_N(&scene->movie->arena, double, 4 * (size_t)road->n), centre[3];
    hol__surface s = hol__scene_surface(scene);
    if (!xy || road->n < 2) return;
    hol__pose_point(&pose, road->center, centre);
    for (int i = 0; i < road->n; i++) {
        const int back = 2 * road->n - 1 - i;
        xy[2 * i] = xy[2 * back] = road->x[i];
        xy[2 * i + 1] = road->height[i];
        xy[2 * back + 1] = road->height[i] - 0.1 * road->radius;
    }
    /* heights are along y in the plane, along z in space, where the strip lies across y */
    const double half = g->planar ? 2.5 * g->radius : 0.6 * road->radius;
    hol__placement place = hol__placed_at(0, g->planar ? 0 : centre[1], 0);
    const double upright[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    if (!g->planar) memcpy(place.R, upright, sizeof upright);
    hol__surface_prism(&s, &place, 2 * road->n, xy, -half, half);
    hol__gltf_paint(scene->gltf, node, &s, HOL__METAL, 0);
}

/* A road that moves: a plate below the wheel, at its height. */
static void add_plate(hol__scene *scene, const hol__road *road, int node) {
    const hol__geometry *g = scene->geometry;
    const double r = road->radius, size[3] = {2 * r, g->planar ? 0.1 * r : 1.2 * r,
                                              g->planar ? 5 * g->radius : 0.1 * r};
    const hol__placement below =
        hol__placed_at(0, g->planar ? -0.05 * r : 0, g->planar ? 0 : -0.05 * r);
    double *places = HOL__NEW_N(&scene->movie->arena, double, 3 * (size_t)scene->n_rows);
    hol__surface s = hol__scene_surface(scene);
    if (!places) return;
    for (int i = 0; i < scene->n_rows; i++) {
        const hol_pose pose = hol__movie_pose(scene->movie, scene->rows[i], road->body);
        double *p = places + 3 * (size_t)i;
        hol__pose_point(&pose, road->center, p);
        p[g->planar ? 1 : 2] = road->height[scene->rows[i]];
        for (int k = 0; k < 3; k++)
            if (!isfinite(p[k])) p[k] = i ? p[k - 3] : 0;
    }
    hol__surface_box(&s, &below, size);
    hol__gltf_paint(scene->gltf, node, &s, HOL__METAL, 0);
    hol__gltf_move(scene->gltf, node, places, NULL, NULL);
}

void hol__scene_roads(hol__scene *scene) {
    const hol__geometry *g = scene->geometry;
    for (int i = 0; i < g->n_roads; i++) {
        const hol__road *road = &g->roads[i];
        char *name =
            hol__arena_format(&scene->movie->arena, "road of %s", g->forces[road->force].name);
        const int node = name ? hol__gltf_node(scene->gltf, name, -1) : -1;
        if (node < 0 || !road->n) continue;
        if (road->moves)
            add_plate(scene, road, node);
        else
            add_road(scene, road, node);
    }
}
