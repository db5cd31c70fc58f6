/* scene_arrows.c: reactions and forces as arrows, moments as turning arrows, in the sizes of the
 * page (loads.h). The first node's extras say how much a length of one metre stands for.
 *
 * An arrow is a node at the point of its element on the first body, of a force where it acts (a
 * contact does at the place of contact), that turns z to the vector, with two nodes below it: a
 * shaft of length 1, which is stretched, and a head at its end, which keeps its size.
 */
#include "report/loads.h"
#include "report/scene.h"

#include <math.h>
#include <string.h>

enum { RING = 40 };

/* A node that is not to be seen is this small. */
static const double HIDDEN = 1e-6;

/* What stands before the name of an element, and the key of the scale, by sets of loads. */
static const char *const names[HOL__LOAD_SETS][2] = {
    {"reaction of", "reaction_newtons_per_metre"},
    {"reaction moment of", "reaction_moment_newton_metres_per_metre"},
    {"force of", "force_newtons_per_metre"},
    {"moment of", "moment_newton_metres_per_metre"},
};

/* ---- one arrow ---- */

/* Where an arrow is at the key frames. */
typedef struct flight {
    double *places, *turns, *lengths;
} flight;

static int flight_of(const hol__scene *scene, const hol__load_set *a, int index, flight *f) {
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
        const double *v = hol__load_vector(a, row, index), size = hol__load_length(v);
        const hol_pose pose = hol__movie_pose(scene->movie, row, e->body[0]);
        double *place = f->places + 3 * i, *turn = f->turns + 4 * i;
        hol__pose_point(&pose, e->point[0], place);
        if (a->points) memcpy(place, hol__load_point(a, row, index), 3 * sizeof *place);
        for (int k = 0; k < 3; k++)
            if (!isfinite(place[k])) place[k] = i ? place[k - 3] : 0;
        if (scene->geometry->planar && isfinite(place[2])) place[2] = scene->front;
        f->lengths[i] = hol__load_drawn(a, size);
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
static void add_arrow(hol__scene *scene, const hol__load_set *a, int node, const flight *f) {
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
static void add_turn(hol__scene *scene, const hol__load_set *a, int node, const flight *f) {
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

static void add_arrows(hol__scene *scene, const hol__load_set *a, const char *const words[2]) {
    if (!(a->unit > 0)) return;
    hol__gltf_note(scene->gltf, words[1], 1 / a->unit);
    for (int i = 0; i < a->n; i++) {
        flight f;
        if (!flight_of(scene, a, i, &f)) continue;
        char *name =
            hol__arena_format(&scene->movie->arena, "%s %s", words[0], a->elements[i].name);
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
    hol__loads loads;
    hol__loads_init(&loads, scene->movie, scene->geometry, scene->n_rows, scene->rows);
    for (int i = 0; i < HOL__LOAD_SETS; i++)
        if (i < HOL__FORCES ? reactions : forces) add_arrows(scene, &loads.sets[i], names[i]);
}
