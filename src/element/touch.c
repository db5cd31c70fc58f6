/* touch.c: depth, normal and places of two features, with their derivatives. See touch.h.
 *
 * A corner C above a face with the normal f through A:   n = f,  gap = f.(C - A)
 * a corner and a corner or an edge, d from the nearest point Q0 of the first to that of the second,
 * Q1:                                                    n = d/|d|,  gap = |d|
 * two edges a + s e0, b + t e1 that cross, seen along n, m = e0 x e1:
 *                        gap = (b - a).m/(n.m),  s = ((b - a) x e1).n/(n.m), t with e0
 *
 * and p = r0 + r1 - gap with the radii of the shapes. n of the edges is m/|m|, the shortest way
 * between them: then, as for the others, p' is the speed of approach at the places of contact, for
 * these are the nearest ones. Where edges cross because two faces lie on each other, m says nothing
 * as the edges become parallel, and n is that of the faces, (f0 - f1)/|f0 - f1|. Between the two
 *
 *     n = c (f0 - f1)/|f0 - f1| + (1 - c) m/|m|,  made a unit vector
 *     c = phi(x0) phi(x1),  phi(x) = x^2 (3 - 2 x)
 *     x0 = (k(f0, f1) - k(g0, f1))/(1 - f0.g0),  k(f, g) = -f.g,  g0: the face beyond the edge
 *
 * c is 1 for faces that lie on each other, 1 - O(angle^2) near it, and 0 where another face is just
 * as near. The weight is 1 + c (turn/(pi/2) - 1), turn: the angle between the edges. See
 * docs/theory/contact.md for why.
 */
#include "element/touch.h"

#include <string.h>

static const double HALF_PI = 1.57079632679489661923;

static hol__dual3 corner_of(const hol__touch_pair *pair, const hol__body_dual *bodies, int k,
                            int i) {
    return hol__dual_place(&bodies[k], pair->shape[k].core.x[i]);
}

static hol__dual3 normal_of(const hol__touch_pair *pair, const hol__body_dual *bodies, int k,
                            int face) {
    return hol__dual_turned(&bodies[k], pair->shape[k].core.normals[face]);
}

/* From the first corner of an edge to the second. */
static hol__dual3 along_edge(const hol__touch_pair *pair, const hol__body_dual *bodies, int k,
                             const hol__feature *f) {
    const double(*x)[3] = pair->shape[k].core.x;
    double e[3];
    hol__sub3(x[f->at[1]], x[f->at[0]], e);
    return hol__dual_turned(&bodies[k], e);
}

static hol__dual3 times(double k, hol__dual3 a) {
    return hol__dual3_scale((hol__dual){k, 0}, a);
}

/* a/|a| with a sign; the zero vector stays one. */
static hol__dual3 unit(hol__dual3 a, double sign, hol__dual *length) {
    if (!(hol__dot3(a.f, a.f) > 0)) {
        *length = (hol__dual){0, 0};
        return (hol__dual3){0};
    }
    hol__dual3 n = hol__dual3_unit(a, length);
    if (sign < 0) {
        n = times(-1, n);
        *length = (hol__dual){-length->f, -length->d};
    }
    return n;
}

/* ---- a corner over a face ---- */

/* k: the shape with the face. */
static void on_face(const hol__touch_pair *pair, const hol__body_dual *bodies,
                    const hol__touch *touch, int k, hol__touch_point *out) {
    const hol__convex *has = &pair->shape[k].core;
    const int face = touch->of[k].at[0], at = has->first ? has->loop[has->first[face]] : 0;
    const double r[2] = {pair->shape[0].core.radius, pair->shape[1].core.radius};
    const hol__feature *over = &touch->of[1 - k];
    const hol__dual3 f = normal_of(pair, bodies, k, face);
    hol__dual share = {1, 0};
    const hol__dual3 C =
        over->kind == HOL__RIM
            ? hol__touch_rim_point(&pair->shape[1 - k].core, &bodies[1 - k], over, f, &share)
            : corner_of(pair, bodies, 1 - k, over->at[0]);
    const hol__dual3 d = hol__dual3_add(C, -1, corner_of(pair, bodies, k, at));
    const hol__dual height = hol__dual3_dot(f, d);
    hol__dual3 foot = hol__dual3_add(C, -1, hol__dual3_scale(height, f));
    if (r[k] > 0) foot = hol__dual3_add(foot, r[k], f);
    out->n = k ? times(-1, f) : f;
    out->p = (hol__dual){r[0] + r[1] - height.f, -height.d};
    out->P = out->S[k] = foot;
    out->S[1 - k] = hol__dual3_add(C, -r[1 - k], f);
    out->weight = hol__dual_mul(out->weight, share);
    /* points beside the lowest one move along the rim, which slopes there */
    out->bent = over->kind == HOL__RIM && over->at[1] % 2 && over->at[1] < HOL__RIM_SQUARE;
}

/* ---- corners and edges ---- */

/* How far a shape reaches beyond a feature: the side of a cylinder is an edge with its radius. */
static double radius_at(const hol__touch_pair *pair, const hol__touch *touch, int k) {
    const hol__convex *core = &pair->shape[k].core;
    return core->radius + (touch->of[k].kind == HOL__EDGE ? core->disc : 0);
}

/* Nearest points of the cores and a direction: the rest. */
static void between(const hol__touch_pair *pair, const hol__touch *touch, hol__dual3 Q0,
                    hol__dual3 Q1, hol__dual3 n, hol__dual gap, hol__touch_point *out) {
    const double r[2] = {radius_at(pair, touch, 0), radius_at(pair, touch, 1)};
    out->n = n;
    out->p = (hol__dual){r[0] + r[1] - gap.f, -gap.d};
    const hol__dual in = {r[0] - 0.5 * out->p.f, -0.5 * out->p.d};
    out->P = hol__dual3_add(Q0, 1, hol__dual3_scale(in, n));
    out->S[0] = hol__dual3_add(Q0, r[0], n);
    out->S[1] = hol__dual3_add(Q1, -r[1], n);
}

/* The point of an edge (as a line) or a corner that is nearest to C. */
static hol__dual3 foot_on(const hol__touch_pair *pair, const hol__body_dual *bodies, int k,
                          const hol__feature *f, hol__dual3 C) {
    const hol__dual3 A = corner_of(pair, bodies, k, f->at[0]);
    if (f->kind == HOL__CORNER) return A;
    if (f->kind == HOL__RIM)
        return hol__touch_rim_near(&pair->shape[k].core, &bodies[k], f->at[0], C);
    const hol__dual3 e = along_edge(pair, bodies, k, f);
    const hol__dual t =
        hol__dual_over(hol__dual3_dot(hol__dual3_add(C, -1, A), e), hol__dual3_dot(e, e));
    return hol__dual3_add(A, 1, hol__dual3_scale(t, e));
}

static void from_corner(const hol__touch_pair *pair, const hol__body_dual *bodies,
                        const hol__touch *touch, hol__touch_point *out) {
    const int k = touch->of[0].kind == HOL__CORNER ? 0 : 1;
    hol__dual3 Q[2];
    hol__dual gap;
    Q[k] = corner_of(pair, bodies, k, touch->of[k].at[0]);
    Q[1 - k] = foot_on(pair, bodies, 1 - k, &touch->of[1 - k], Q[k]);
    const hol__dual3 n = unit(hol__dual3_add(Q[1], -1, Q[0]), touch->sign, &gap);
    between(pair, touch, Q[0], Q[1], n, gap, out);
}

/* ---- edges that cross ---- */

/* phi of how much nearer to g the face f is than the face next to it. */
static hol__dual nearness(hol__dual3 f, hol__dual3 next, hol__dual3 g) {
    const hol__dual by = hol__dual_add(hol__dual3_dot(next, g), -1, hol__dual3_dot(f, g)),
                    all = hol__dual3_dot(f, next);
    const hol__dual x = hol__dual_over(by, (hol__dual){1 - all.f, -all.d});
    if (x.f <= 0) return (hol__dual){0, 0};
    if (x.f >= 1) return (hol__dual){1, 0};
    return (hol__dual){x.f * x.f * (3 - 2 * x.f), 6 * x.f * (1 - x.f) * x.d};
}

/* c of two faces that lie on each other, and the direction between them. */
static hol__dual flatness(const hol__touch_pair *pair, const hol__body_dual *bodies,
                          const hol__touch *touch, hol__dual3 *n) {
    hol__dual3 f[2], g[2];
    hol__dual length;
    for (int k = 0; k < 2; k++) {
        f[k] = normal_of(pair, bodies, k, touch->face[k]);
        g[k] = normal_of(pair, bodies, k, touch->beyond[k]);
    }
    *n = unit(hol__dual3_add(f[0], -1, f[1]), 1, &length);
    return hol__dual_mul(nearness(f[0], g[0], f[1]), nearness(f[1], g[1], f[0]));
}

static void crossing(const hol__touch_pair *pair, const hol__body_dual *bodies,
                     const hol__touch *touch, hol__touch_point *out) {
    const hol__dual3 a = corner_of(pair, bodies, 0, touch->of[0].at[0]),
                     b = corner_of(pair, bodies, 1, touch->of[1].at[0]),
                     e0 = along_edge(pair, bodies, 0, &touch->of[0]),
                     e1 = along_edge(pair, bodies, 1, &touch->of[1]), m = hol__dual3_cross(e0, e1),
                     w = hol__dual3_add(b, -1, a);
    hol__dual length, size;
    hol__dual3 n = unit(m, touch->sign, &length);
    if (touch->face[0] >= 0) {
        hol__dual3 flat;
        const hol__dual c = flatness(pair, bodies, touch, &flat), rest = {1 - c.f, -c.d};
        n = unit(hol__dual3_add(hol__dual3_scale(c, flat), 1, hol__dual3_scale(rest, n)), 1, &size);
        const hol__dual cosine = hol__dual3_dot(e0, e1), sine = hol__dual_norm(m);
        const double square = sine.f * sine.f + cosine.f * cosine.f;
        const hol__dual turn = {atan2(sine.f, cosine.f) / HALF_PI - 1,
                                (cosine.f * sine.d - sine.f * cosine.d) / square / HALF_PI};
        out->weight = hol__dual_add((hol__dual){1, 0}, 1, hol__dual_mul(c, turn));
        out->bent = 1;
    }
    const hol__dual over = hol__dual3_dot(n, m);
    const hol__dual gap = hol__dual_over(hol__dual3_dot(w, m), over),
                    s = hol__dual_over(hol__dual3_dot(hol__dual3_cross(w, e1), n), over),
                    t = hol__dual_over(hol__dual3_dot(hol__dual3_cross(w, e0), n), over);
    between(pair, touch, hol__dual3_add(a, 1, hol__dual3_scale(s, e0)),
            hol__dual3_add(b, 1, hol__dual3_scale(t, e1)), n, gap, out);
}

/* ---- all ---- */

/* The weight of a touch that counts for what others leave over. */
static void take_rest(const hol__touch *touch, const hol__touch_point *all, hol__touch_point *out) {
    for (int k = touch->first; k < touch->first + touch->count; k++) {
        if (!(all[k].p.f > 0) || !(out->p.f > 0)) continue;
        const hol__dual ratio = hol__dual_over(all[k].p, out->p);
        if (ratio.f >= 1)
            out->weight = (hol__dual){0, 0};
        else
            out->weight = hol__dual_mul(out->weight,
                                        (hol__dual){1 - ratio.f * ratio.f, -2 * ratio.f * ratio.d});
    }
}

void hol__touch_points(const hol__touch_pair *pair, const hol__body_dual bodies[2],
                       const hol__touch *touches, int n, hol__touch_point *out) {
    for (int i = 0; i < n; i++) {
        const hol__touch *touch = &touches[i];
        out[i].weight = (hol__dual){touch->weight, 0};
        out[i].bent = 0;
        if (touch->of[0].kind == HOL__FACE || touch->of[1].kind == HOL__FACE)
            on_face(pair, bodies, touch, touch->of[1].kind == HOL__FACE, &out[i]);
        else if (touch->of[0].kind == HOL__EDGE && touch->of[1].kind == HOL__EDGE)
            crossing(pair, bodies, touch, &out[i]);
        else
            from_corner(pair, bodies, touch, &out[i]);
        if (touch->count) take_rest(touch, out, &out[i]);
    }
}

void hol__touch_move(const hol__force_args *args, int body, hol__body_dual *out) {
    hol__dual_body(args, body, out);
    memcpy(out->r.d, out->v.f, sizeof out->r.d);
    hol__mul3_t(out->R, out->w.f, out->turn);
}

void hol__touch_row(const hol__touch_point *at, const hol__body_dual bodies[2],
                    hol__dual3 row[2][2]) {
    for (int k = 0; k < 2; k++) {
        row[k][0] = times(k ? 1 : -1, at->n);
        row[k][1] = hol__dual3_cross(hol__dual3_add(at->P, -1, bodies[k].r), row[k][0]);
    }
}
