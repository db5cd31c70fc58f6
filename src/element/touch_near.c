/* touch_near.c: the nearest features of two shapes.
 *
 * Shapes whose cores are apart: those that the nearest points of GJK lie on. Cores that touch or
 * overlap: those of the direction along which they part soonest. A half-space faces every corner of
 * the other shape, and two points face each other, wherever they are.
 */
#include "element/touch.h"
#include "math/gjk.h"
#include "math/overlap.h"

#include <string.h>

/* Cores nearer than this share of their size count as touching: the direction of a shorter line
 * between them would be that of rounding. */
static const double TOUCHING = 1e-9;

void hol__touch_corner(const hol__placed *at, int i, double out[3]) {
    hol__mul3(at->R, at->shape->x[i], out);
    hol__add3(out, at->r, out);
}

int hol__touch_face_has(const hol__convex *shape, int face, int corner) {
    for (int k = shape->first[face]; k < shape->first[face + 1]; k++)
        if (shape->loop[k] == corner) return 1;
    return 0;
}

/* The smallest feature that holds n corners. */
static hol__feature feature_of(const hol__convex *s, const int *corners, int n) {
    int second = corners[0];
    for (int k = 1; k < n; k++)
        if (corners[k] != corners[0]) second = corners[k];
    if (second == corners[0]) return (hol__feature){HOL__CORNER, {second, second}};
    int more = 0;
    for (int k = 1; k < n; k++) more |= corners[k] != corners[0] && corners[k] != second;
    for (int e = 0; e < s->n_edges && !more; e++)
        if ((s->edges[e][0] == corners[0] && s->edges[e][1] == second) ||
            (s->edges[e][1] == corners[0] && s->edges[e][0] == second)) {
            more = 1;
            /* in the plane edges are faces; a segment has none */
            if (!s->n_faces || s->first[1] - s->first[0] > 2)
                return (hol__feature){HOL__EDGE, {s->edges[e][0], s->edges[e][1]}};
        }
    for (int f = 0; f < s->n_faces; f++) {
        int all = 1;
        for (int k = 0; k < n; k++) all &= hol__touch_face_has(s, f, corners[k]);
        if (all) return (hol__feature){HOL__FACE, {f, f}};
    }
    return (hol__feature){HOL__CORNER, {corners[0], corners[0]}};
}

/* The face that a point lies farthest outside of, or least inside; *height: by how much. */
static int foremost_face(const hol__placed *at, const double x[3], double *height) {
    const hol__convex *s = at->shape;
    double d[3], in[3], from[3];
    int best = 0;
    hol__sub3(x, at->r, d);
    hol__mul3_t(at->R, d, in);
    *height = -INFINITY;
    for (int f = 0; f < s->n_faces; f++) {
        hol__sub3(in, s->x[s->loop[s->first[f]]], from);
        const double h = hol__dot3(s->normals[f], from);
        if (h > *height) *height = h, best = f;
    }
    return best;
}

hol__feature hol__touch_near(const hol__placed *at, const double x[3]) {
    static const double origin[1][3] = {{0, 0, 0}};
    const hol__convex point = {.n = 1, .x = origin};
    const double size = hol__convex_reach(at->shape);
    hol__placed there = {.shape = &point, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    hol__proximity near;
    if (at->shape->n_faces) {
        double height;
        const int face = foremost_face(at, x, &height);
        if (height <= TOUCHING * size) return (hol__feature){HOL__FACE, {face, face}};
    }
    memcpy(there.r, x, sizeof there.r);
    hol__gjk(at, &there, &near);
    return feature_of(at->shape, near.corner[0], near.count);
}

/* The corner that counts most among those that the nearest point lies between. */
static hol__feature main_corner(const hol__proximity *near, int k) {
    int best = 0;
    for (int i = 1; i < near->count; i++)
        if (near->share[i] > near->share[best]) best = i;
    return (hol__feature){HOL__CORNER, {near->corner[k][best], near->corner[k][best]}};
}

/* n: from the first to the second. */
static double sign_of_edges(const hol__placed at[2], const hol__touch *t, const double n[3]) {
    double e[2][3], m[3];
    for (int k = 0; k < 2; k++) {
        double a[3], b[3];
        hol__touch_corner(&at[k], t->of[k].at[0], a);
        hol__touch_corner(&at[k], t->of[k].at[1], b);
        hol__sub3(b, a, e[k]);
    }
    hol__cross3(e[0], e[1], m);
    return hol__dot3(m, n) < 0 ? -1 : 1;
}

/* Whether two edges have a direction across both. */
static int are_parallel(const hol__placed at[2], const hol__feature of[2]) {
    double e[2][3], m[3];
    for (int k = 0; k < 2; k++) {
        const double(*x)[3] = at[k].shape->x;
        double d[3];
        hol__sub3(x[of[k].at[1]], x[of[k].at[0]], d);
        hol__mul3(at[k].R, d, e[k]);
    }
    hol__cross3(e[0], e[1], m);
    return hol__norm3(m) <= 1e-7 * hol__norm3(e[0]) * hol__norm3(e[1]);
}

/* Of cores that are apart. Of two faces or parallel edges that face each other any corner of one
 * will do. */
static hol__touch nearest_apart(const hol__placed at[2], const hol__proximity *near) {
    hol__touch t = {.sign = 1, .weight = 1, .face = {-1, -1}};
    for (int k = 0; k < 2; k++) t.of[k] = feature_of(at[k].shape, near->corner[k], near->count);
    const int face = t.of[0].kind == HOL__FACE ? 0 : t.of[1].kind == HOL__FACE ? 1 : -1;
    if (face >= 0)
        t.of[1 - face] = main_corner(near, 1 - face);
    else if (t.of[0].kind == HOL__EDGE && t.of[1].kind == HOL__EDGE) {
        if (are_parallel(at, t.of))
            t.of[0] = main_corner(near, 0);
        else
            t.sign = sign_of_edges(at, &t, near->d);
    }
    return t;
}

/* Of cores that overlap. */
static hol__touch nearest_inside(const hol__placed at[2], const hol__overlap *o) {
    hol__touch t = {.sign = 1, .weight = 1, .face = {-1, -1}};
    double ignore[3];
    for (int k = 0; k < 2; k++) {
        const double d[3] = {k ? -o->n[0] : o->n[0], k ? -o->n[1] : o->n[1],
                             k ? -o->n[2] : o->n[2]};
        const int corner = hol__convex_support(&at[k], d, ignore), edge = o->edge[k];
        t.of[k] = o->face[k] >= 0 ? (hol__feature){HOL__FACE, {o->face[k], o->face[k]}}
                  : edge >= 0
                      ? (hol__feature){HOL__EDGE,
                                       {at[k].shape->edges[edge][0], at[k].shape->edges[edge][1]}}
                      : (hol__feature){HOL__CORNER, {corner, corner}};
    }
    if (t.of[0].kind == HOL__EDGE && t.of[1].kind == HOL__EDGE)
        t.sign = sign_of_edges(at, &t, o->n);
    else if (o->depth > 0 && t.of[0].kind != HOL__FACE && t.of[1].kind != HOL__FACE)
        t.sign = -1;
    return t;
}

hol__touch hol__touch_nearest(const hol__touch_pair *pair, const hol__placed at[2]) {
    const double size = hol__convex_reach(at[0].shape) + hol__convex_reach(at[1].shape);
    /* shapes with radii touch while their cores are apart, others when these overlap */
    const int sharp = !(at[0].shape->radius + at[1].shape->radius > 0);
    hol__overlap o;
    if (sharp) hol__overlap_of(&at[0], &at[1], pair->plane, &o);
    if (sharp && o.depth > 0) return nearest_inside(at, &o);
    hol__proximity near;
    hol__gjk(&at[0], &at[1], &near);
    if (near.distance > TOUCHING * size) return nearest_apart(at, &near);
    if (!sharp) hol__overlap_of(&at[0], &at[1], pair->plane, &o);
    return nearest_inside(at, &o);
}

/* ---- all touches ---- */

/* A number for what is touched, the same while the same corner is. */
static int slot_of(const hol__touch_pair *pair, const hol__touch *t) {
    const int corner[2] = {t->of[0].kind == HOL__CORNER, t->of[1].kind == HOL__CORNER};
    if (pair->shape[0].half_space || pair->shape[1].half_space)
        return t->of[pair->shape[0].half_space].at[0];
    if (corner[0] == corner[1]) return 0;
    return 1 + t->of[corner[1]].at[0] + (corner[1] ? pair->shape[0].core.n : 0);
}

/* Whether one of the shapes is a cylinder. */
static int has_cylinder(const hol__touch_pair *pair) {
    return pair->shape[0].core.disc > 0 || pair->shape[1].core.disc > 0;
}

int hol__touch_slots(const hol__touch_pair *pair) {
    const int n[2] = {pair->shape[0].core.n, pair->shape[1].core.n};
    if (has_cylinder(pair))
        return pair->shape[0].half_space || pair->shape[1].half_space ? 2 * HOL__RIM_POINTS : 2;
    if (pair->shape[0].half_space || pair->shape[1].half_space) return n[pair->shape[0].half_space];
    return n[0] == 1 && n[1] == 1 ? 1 : 1 + n[0] + n[1];
}

/* Every corner over a half-space. */
static int over_half_space(const hol__touch_pair *pair, hol__touch *out) {
    const int k = pair->shape[0].half_space ? 0 : 1, n = pair->shape[1 - k].core.n;
    for (int i = 0; i < n; i++) {
        out[i] = (hol__touch){.sign = 1, .weight = 1, .face = {-1, -1}, .slot = i};
        out[i].of[k] = (hol__feature){HOL__FACE, {0, 0}};
        out[i].of[1 - k] = (hol__feature){HOL__CORNER, {i, i}};
    }
    return n;
}

int hol__touch_find(const hol__touch_pair *pair, const hol__body_dual bodies[2], hol__touch *out) {
    if (has_cylinder(pair)) return hol__touch_cylinder(pair, bodies, out);
    if (pair->shape[0].half_space || pair->shape[1].half_space) return over_half_space(pair, out);
    hol__touch nearest = {.sign = 1, .weight = 1, .face = {-1, -1}};
    int n = 0;
    if (pair->shape[0].core.n > 1 || pair->shape[1].core.n > 1) {
        hol__placed at[2];
        hol__touch_point where;
        for (int k = 0; k < 2; k++) {
            at[k].shape = &pair->shape[k].core;
            memcpy(at[k].R, bodies[k].R, sizeof at[k].R);
            memcpy(at[k].r, bodies[k].r.f, sizeof at[k].r);
        }
        nearest = hol__touch_nearest(pair, at);
        hol__touch_points(pair, bodies, &nearest, 1, &where);
        if (where.p.f > 0) n = hol__touch_manifold(pair, at, &nearest, where.n.f, out);
    }
    /* of two shapes with faces the corners above are all there is: that which lies deepest need not
     * lie over the face */
    nearest.count = n;
    if (!n || !pair->shape[0].core.n_faces || !pair->shape[1].core.n_faces) out[n++] = nearest;
    for (int i = 0; i < n; i++) out[i].slot = slot_of(pair, &out[i]);
    return n;
}
