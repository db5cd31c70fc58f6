/* scene_joints.c: symbols of joints as solids, each part on the body that it belongs to. */
#include "report/scene.h"

#include <math.h>

/* What is metal on a body. */
typedef struct metal {
    hol__surface light, dark, pale;
} metal;

/* ---- in space ---- */

static void add_pin(hol__surface *s, const double at[3], const double axis[3], double radius,
                    double length) {
    const hol__placement place = hol__placed_along(at, axis);
    hol__surface_cylinder(s, &place, radius, -0.5 * length, 0.5 * length);
}

static void add_ball(hol__surface *s, const double at[3], double radius) {
    const hol__placement place = hol__placed_at(at[0], at[1], at[2]);
    hol__surface_rod(s, &place, radius, 0);
}

/* The part of a joint that stands on its body k. */
static void add_solid(metal *m, const hol_element_info *joint, hol__joint_symbol symbol, int k,
                      double r) {
    const double *p = joint->point[k], *axis = joint->axis[k],
                 block[3] = {2.2 * r, 2.2 * r, 2.2 * r};
    const hol__placement place = hol__placed_along(p, axis);
    switch (symbol) {
    case HOL__SYMBOL_PIN:
        add_pin(&m->light, p, axis, (k ? 1.7 : 1.35) * r, (k ? 1.5 : 3.6) * r);
        break;
    case HOL__SYMBOL_CROSS: add_pin(&m->light, p, axis, 0.75 * r, 4.6 * r); break;
    case HOL__SYMBOL_BALL:
        if (!k) add_ball(&m->light, p, 1.7 * r);
        break;
    case HOL__SYMBOL_TRACK:
    case HOL__SYMBOL_CURVE:
        if (k) add_ball(&m->light, p, 1.2 * r);
        break;
    case HOL__SYMBOL_LINK:
    case HOL__SYMBOL_CYLINDER: add_ball(&m->light, p, 1.1 * r); break;
    case HOL__SYMBOL_WELD:
    case HOL__SYMBOL_POINT:
        if (!k) hol__surface_box(&m->light, &place, block);
        break;
    case HOL__SYMBOL_NONE:
    case HOL__SYMBOL_SLIDE:
    case HOL__SYMBOL_SLEEVE: break;
    }
}

/* ---- in the plane ---- */

/* A pin through the plates, dark with a pale middle, on the body that the page draws it on. */
static void add_flat(metal *m, const hol__geometry *g, int index, int k) {
    const hol_element_info *joint = &g->joints[index];
    const hol__joint_symbol symbol = g->marks[index].symbol;
    const double r = g->radius;
    const int follows = symbol == HOL__SYMBOL_TRACK || symbol == HOL__SYMBOL_CURVE,
              two = symbol == HOL__SYMBOL_LINK || symbol == HOL__SYMBOL_CYLINDER;
    const double size = (two ? 0.7 : 1) * r, *p = joint->point[k];
    const hol__placement place = hol__placed_at(p[0], p[1], 0);
    if (symbol == HOL__SYMBOL_NONE || symbol == HOL__SYMBOL_SLIDE || symbol == HOL__SYMBOL_SLEEVE ||
        (!two && k != follows))
        return;
    /* through the plates of both bodies; what is stretched is held above them */
    const double one = hol__scene_level(g, joint->body[0]),
                 other = hol__scene_level(g, joint->body[1]),
                 low = (two ? hol__scene_level(g, joint->body[k]) : fmin(one, other)) - 0.3 * r,
                 high = two ? hol__scene_top(g) + 1.6 * r : fmax(one, other) + 1.1 * r;
    hol__surface_cylinder(&m->dark, &place, 0.78 * size, low, high);
    if (symbol != HOL__SYMBOL_BALL && symbol != HOL__SYMBOL_WELD)
        hol__surface_cylinder(&m->pale, &place, 0.48 * size, high - 0.2 * r, high + 0.15 * r);
}

/* A foot below a point of ground. */
static void add_foot(hol__surface *s, const double *p, double r) {
    const double foot[6] = {0, 0, 1.55 * r, -2.5 * r, -1.55 * r, -2.5 * r};
    const hol__placement place = hol__placed_at(p[0], p[1], -1.2 * r),
                         below = hol__placed_at(p[0], p[1] - 2.7 * r, -0.8 * r);
    const double plate[3] = {4.6 * r, 0.4 * r, 2.4 * r};
    hol__surface_prism(s, &place, 3, foot, 0, 0.8 * r);
    hol__surface_box(s, &below, plate);
}

/* Whether a planar joint stands on ground by a foot at its side k. */
static int has_foot(const hol__geometry *g, int joint, int k) {
    const hol__joint_symbol symbol = g->marks[joint].symbol;
    return g->planar && g->joints[joint].body[k] == g->n_bodies && symbol != HOL__SYMBOL_NONE &&
           symbol != HOL__SYMBOL_SLIDE && symbol != HOL__SYMBOL_SLEEVE &&
           symbol != HOL__SYMBOL_TRACK && symbol != HOL__SYMBOL_CURVE;
}

/* ---- all ---- */

/* The rail of what slides: a rod along its axis, in the plane a bar beside or below it. */
static void add_rail(hol__surface *s, const hol__geometry *g, int index) {
    const hol__mark *mark = &g->marks[index];
    const hol_element_info *joint = &g->joints[index];
    const int k = mark->rail, ground = joint->body[k] == g->n_bodies;
    const double *axis = joint->axis[k], r = g->radius, length = mark->high - mark->low;
    double middle[3];
    for (int i = 0; i < 3; i++)
        middle[i] = joint->point[k][i] + 0.5 * (mark->low + mark->high) * axis[i];
    if (!g->planar) {
        const hol__placement place = hol__placed_along(middle, axis);
        hol__surface_rod(s, &place, 0.5 * r, length);
        return;
    }
    /* beside the block, as it is hatched in the page */
    const double aside = ground ? 2.5 * r : 0;
    hol__placement place = hol__placed_at(middle[0] + aside * axis[1], middle[1] - aside * axis[0],
                                          ground ? 0 : hol__scene_top(g) + 0.3 * r);
    const double turn[9] = {axis[0], -axis[1], 0, axis[1], axis[0], 0, 0, 0, 1};
    const double size[3] = {length, 0.4 * r, ground ? 2.4 * r : 0.4 * r};
    for (int i = 0; i < 9; i++) place.R[i] = turn[i];
    hol__surface_box(s, &place, size);
}

void hol__scene_joints(hol__scene *scene) {
    const hol__geometry *g = scene->geometry;
    const double r = g->radius;
    for (int body = 0; body <= g->n_bodies; body++) {
        metal m = {hol__scene_surface(scene), hol__scene_surface(scene), hol__scene_surface(scene)};
        for (int i = 0; i < g->n_joints; i++) {
            for (int k = 0; k < 2; k++) {
                if (g->joints[i].body[k] != body) continue;
                if (g->planar)
                    add_flat(&m, g, i, k);
                else
                    add_solid(&m, &g->joints[i], g->marks[i].symbol, k, r);
                if (has_foot(g, i, k)) add_foot(&m.light, g->joints[i].point[k], r);
            }
            if (g->marks[i].high > g->marks[i].low && g->joints[i].body[g->marks[i].rail] == body)
                add_rail(&m.light, g, i);
        }
        hol__gltf_paint(scene->gltf, scene->nodes[body], &m.light, HOL__METAL, 0.35);
        hol__gltf_paint(scene->gltf, scene->nodes[body], &m.dark, HOL__DARK, 0.2);
        hol__gltf_paint(scene->gltf, scene->nodes[body], &m.pale, HOL__PALE, 0);
    }
}
