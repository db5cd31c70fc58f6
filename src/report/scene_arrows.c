/* scene_arrows.c: reactions and forces as arrows, moments as turning arrows, in the sizes of the
 * page: the longest vector of an ordinary instant is 0.15 of the mechanism long, short peaks stop
 * at 1.4 of that, and what is only rounding has no arrow. The first node's extras say how much a
 * length of one metre stands for.
 *
 * An arrow is a node at the point of its element on the first body that turns z to the vector, with
 * two nodes below it: a shaft of length 1, which is stretched, and a head at its end, which keeps
 * its size.
 */
#include "report/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 40, REACTION = 0xD3455B, FORCE = 0x2A9D5C, MOMENT = 0x8A5FD0 };

/* A node that is not to be seen is this small. */
static const double HIDDEN = 1e-6;

/* Vectors of all records by element, and what is drawn of them. */
typedef struct arrows {
    const char *name, *per_metre; /* before the name of an element; the key of the scale */
    const double *values;
    int n;
    const hol_element_info *elements;
    unsigned color;
    int turns;    /* a moment */
    double unit;  /* length of 1 N, or radius of 1 N m; 0: no arrows */
    double width; /* of a shaft, times 0.32 its radius */
    double most;  /* the longest */
} arrows;

/* ---- sizes ---- */

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double length_of(const double *v) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return isfinite(length) ? length : 0;
}

/* How long vectors are: of the longest one in each key frame that which eight in ten frames stay
 * below. */
static double typical(const hol__scene *scene, const double *values, int n) {
    double *most = HOL__NEW_N(&scene->movie->arena, double, scene->n_rows + 1);
    if (!most || !values) return 0;
    for (int i = 0; i < scene->n_rows; i++)
        for (int k = 0; k < n; k++)
            most[i] = fmax(
                most[i], length_of(values + 3 * ((size_t)scene->rows[i] * (size_t)n + (size_t)k)));
    qsort(most, (size_t)scene->n_rows, sizeof *most, by_value);
    return most[(int)(0.8 * (scene->n_rows - 1))];
}

/* ---- one arrow ---- */

/* Where an arrow is at the key frames. */
typedef struct flight {
    double *places, *turns, *lengths;
} flight;

static int flight_of(const hol__scene *scene, const arrows *a, int index, flight *f) {
    hol__arena *arena = &scene->movie->arena;
    const hol_element_info *e = &a->elements[index];
    const size_t n = (size_t)scene->n_rows;
    f->places = HOL__NEW_N(arena, double, 3 * n);
    f->turns = HOL__NEW_N(arena, double, 4 * n);
    f->lengths = HOL__NEW_N(arena, double, n);
    if (!f->places || !f->turns || !f->lengths) return 0;
    int seen = 0;
    for (size_t i = 0; i < n; i++) {
        const int row = scene->rows[i];
        const double *v = a->values + 3 * ((size_t)row * (size_t)a->n + (size_t)index);
        const double size = length_of(v), length = fmin(size * a->unit, a->most);
        const hol_pose pose = hol__movie_pose(scene->movie, row, e->body[0]);
        double *place = f->places + 3 * i, *turn = f->turns + 4 * i;
        hol__pose_point(&pose, e->point[0], place);
        for (int k = 0; k < 3; k++)
            if (!isfinite(place[k])) place[k] = i ? place[k - 3] : 0;
        if (scene->geometry->planar && isfinite(place[2])) place[2] = scene->front;
        f->lengths[i] = length > 0.35 * a->width ? length : 0;
        seen |= f->lengths[i] > 0;
        /* what is not seen points where it did */
        if (f->lengths[i] > 0) {
            const double d[3] = {v[0] / size, v[1] / size, v[2] / size};
            hol__turn_from_z(d, turn);
        } else if (i)
            memcpy(turn, turn - 4, 4 * sizeof *turn);
        else
            turn[0] = 1;
    }
    return seen;
}

/* A shaft and a head below the node, at the lengths of the key frames. */
static void add_arrow(hol__scene *scene, const arrows *a, int node, const flight *f) {
    hol__arena *arena = &scene->movie->arena;
    const size_t n = (size_t)scene->n_rows;
    double *shafts = HOL__NEW_N(arena, double, 3 * n), *heads = HOL__NEW_N(arena, double, 3 * n),
           *tips = HOL__NEW_N(arena, double, 3 * n);
    const hol__placement here = hol__placed_at(0, 0, 0);
    hol__surface shaft = hol__scene_surface(scene), head = hol__scene_surface(scene);
    if (!shafts || !heads || !tips) return;
    for (size_t i = 0; i < n; i++) {
        const double length = f->lengths[i], tip = fmin(2.6 * a->width, 0.6 * length),
                     share = fmax(tip / (2.6 * a->width), HIDDEN);
        for (int k = 0; k < 2; k++) shafts[3 * i + (size_t)k] = length > 0 ? 1 : HIDDEN;
        shafts[3 * i + 2] = fmax(length - tip, HIDDEN);
        tips[3 * i + 2] = length - tip;
        for (int k = 0; k < 3; k++) heads[3 * i + (size_t)k] = share;
    }
    hol__surface_cylinder(&shaft, &here, 0.32 * a->width, 0, 1);
    hol__surface_cone(&head, &here, 0.95 * a->width, 0, 2.6 * a->width);
    const int stem = hol__gltf_node(scene->gltf, "shaft", node),
              end = hol__gltf_node(scene->gltf, "head", node);
    hol__gltf_paint(scene->gltf, stem, &shaft, a->color, 0);
    hol__gltf_paint(scene->gltf, end, &head, a->color, 0);
    hol__gltf_move(scene->gltf, stem, NULL, NULL, shafts);
    hol__gltf_move(scene->gltf, end, tips, NULL, heads);
}

/* Three quarters of a ring about z with a head, whose radius follows the moment. */
static void add_turn(hol__scene *scene, const arrows *a, int node, const flight *f) {
    static const double side[3] = {0, 0, 1}, last[3] = {0, -1, 0}, along[3] = {1, 0, 0};
    const size_t n = (size_t)scene->n_rows;
    double *scales = HOL__NEW_N(&scene->movie->arena, double, 3 * n), points[3 * (RING + 1)];
    const hol__placement here = hol__placed_at(0, 0, 0), end = hol__placed_along(last, along);
    hol__surface ring = hol__scene_surface(scene);
    if (!scales) return;
    for (int i = 0; i <= RING; i++) {
        const double angle = 1.5 * acos(-1.0) * i / RING;
        points[3 * i] = cos(angle), points[3 * i + 1] = sin(angle), points[3 * i + 2] = 0;
    }
    for (size_t i = 0; i < 3 * n; i++) scales[i] = fmax(f->lengths[i / 3], HIDDEN);
    hol__surface_tube(&ring, &here, RING + 1, points, 0, side, 0.055);
    hol__surface_cone(&ring, &end, 0.17, -0.21, 0.21);
    hol__gltf_paint(scene->gltf, node, &ring, a->color, 0);
    hol__gltf_move(scene->gltf, node, NULL, NULL, scales);
}

static void add_arrows(hol__scene *scene, const arrows *a) {
    if (!(a->unit > 0)) return;
    hol__gltf_note(scene->gltf, a->per_metre, 1 / a->unit);
    for (int i = 0; i < a->n; i++) {
        flight f;
        if (!flight_of(scene, a, i, &f)) continue;
        char *name = hol__arena_format(&scene->movie->arena, "%s %s", a->name, a->elements[i].name);
        const int node = name ? hol__gltf_node(scene->gltf, name, -1) : -1;
        if (node < 0) return;
        hol__gltf_move(scene->gltf, node, f.places, f.turns, NULL);
        if (a->turns)
            add_turn(scene, a, node, &f);
        else
            add_arrow(scene, a, node, &f);
    }
}

void hol__scene_arrows(hol__scene *scene, int reactions, int forces) {
    const hol__movie *m = scene->movie;
    const hol__geometry *g = scene->geometry;
    const double size = fmax(g->size, 4 * g->radius), longest = 0.15 * size,
                 width = 0.8 * g->radius;
    /* the model may be missing, and with it the points of the elements */
    if (!m->model) return;
    arrows all[] = {
        {"reaction of", "reaction_newtons_per_metre", m->joint_force, g->n_joints, g->joints,
         REACTION, 0, 0, width, 1.4 * longest},
        {"reaction moment of", "reaction_moment_newton_metres_per_metre", m->joint_moment,
         g->n_joints, g->joints, MOMENT, 1, 0, width, 0.3 * longest},
        {"force of", "force_newtons_per_metre", m->force_force, g->n_forces, g->forces, FORCE, 0, 0,
         width, 1.4 * longest},
        {"moment of", "moment_newton_metres_per_metre", m->force_moment, g->n_forces, g->forces,
         MOMENT, 1, 0, width, 0.3 * longest},
    };
    const double noise = 1e-9 * fmax(typical(scene, m->joint_force, g->n_joints),
                                     typical(scene, m->force_force, g->n_forces));
    for (int i = 0; i < 4; i++) {
        arrows *a = &all[i];
        const double most = typical(scene, a->values, a->n),
                     least = a->turns ? noise * size : noise;
        if (!(i < 2 ? reactions : forces) || !a->values || !(most > least)) continue;
        a->unit = (a->turns ? 0.22 : 1) * longest / most;
        add_arrows(scene, a);
    }
}
