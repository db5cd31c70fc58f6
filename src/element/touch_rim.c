/* touch_rim.c: cylinders: two discs of radius R about the ends c0, c1 of the axis a, and their
 * hull.
 *
 * Over a half-space with the normal f only its rims can touch. With m = f - (f.a) a, s = |m|, the
 * lowest point of a rim is
 *
 *     c - R m/s
 *
 * which is all that is needed of a cylinder that lies or leans; one that stands needs more to stand
 * on. So four points of the rim touch, a quarter turn apart from the lowest on. Under an elastic
 * force in proportion to the depth, of points at equal angles force and moment do not depend on
 * where the first is. Where the cylinder stands upright, s -> 0, no point is lowest, and eight
 * points that are fixed to the body take over, each with half the weight:
 *
 *     weight of the four: c = phi(s/STANDS), of the eight: (1 - c)/2,  phi(x) = x^2 (3 - 2 x)
 *
 * A point (the centre of a sphere) at the distance rho from the axis is nearest to a flat end, to
 * the side, or beyond both to the rim; inside to that of end and side which is less deep.
 */
#include "element/touch.h"

#include <string.h>

/* The sine of the tilt below which a cylinder begins to stand. */
static const double STANDS = 1e-3;

static hol__dual3 scaled(double k, hol__dual3 a) {
    return hol__dual3_scale((hol__dual){k, 0}, a);
}

/* What of a vector lies across the axis. */
static hol__dual3 across(hol__dual3 a, hol__dual3 v) {
    return hol__dual3_add(v, -1, hol__dual3_scale(hol__dual3_dot(a, v), a));
}

/* c = phi(s/STANDS). */
static hol__dual leaning(hol__dual s) {
    const double x = s.f / STANDS;
    if (x >= 1) return (hol__dual){1, 0};
    return (hol__dual){x * x * (3 - 2 * x), 6 * x * (1 - x) * s.d / STANDS};
}

hol__dual3 hol__touch_rim_point(const hol__convex *core, const hol__body_dual *body,
                                const hol__feature *rim, hol__dual3 f, hol__dual *weight) {
    const hol__dual3 c = hol__dual_place(body, core->x[rim->at[0]]),
                     a = hol__dual_turned(body, core->axis),
                     m = across(a, across(a, f)); /* again: m may be short */
    const int fixed = rim->at[1] >= HOL__RIM_SQUARE, upright = !(hol__dot3(m.f, m.f) > 0);
    hol__dual s = {0, 0};
    hol__dual3 u = {0};
    if (!upright) u = scaled(-1, hol__dual3_unit(m, &s));
    const hol__dual lean = leaning(s);
    *weight = fixed ? (hol__dual){0.5 * (1 - lean.f), -0.5 * lean.d} : lean;
    if (fixed || upright) {
        double e[2][3], d[3];
        const double angle = 0.785398163397448309616 * (rim->at[1] - HOL__RIM_SQUARE);
        hol__perpendicular3(core->axis, e[0]);
        hol__cross3(core->axis, e[0], e[1]);
        for (int i = 0; i < 3; i++) d[i] = cos(angle) * e[0][i] + sin(angle) * e[1][i];
        u = hol__dual_turned(body, d);
    } else if (rim->at[1] % 2)
        u = hol__dual3_cross(a, u);
    const double side = !fixed && rim->at[1] >= 2 ? -core->disc : core->disc;
    return hol__dual3_add(c, side, u);
}

hol__dual3 hol__touch_rim_near(const hol__convex *core, const hol__body_dual *body, int end,
                               hol__dual3 C) {
    const hol__dual3 c = hol__dual_place(body, core->x[end]),
                     a = hol__dual_turned(body, core->axis);
    hol__dual length;
    return hol__dual3_add(c, core->disc,
                          hol__dual3_unit(across(a, hol__dual3_add(C, -1, c)), &length));
}

/* All points of both rims over a half-space; k: the cylinder. */
static int over_plane(int k, hol__touch *out) {
    for (int i = 0; i < 2 * HOL__RIM_POINTS; i++) {
        out[i] = (hol__touch){.sign = 1, .weight = 1, .face = {-1, -1}, .slot = i};
        out[i].of[1 - k] = (hol__feature){HOL__FACE, {0, 0}};
        out[i].of[k] = (hol__feature){HOL__RIM, {i / HOL__RIM_POINTS, i % HOL__RIM_POINTS}};
    }
    return 2 * HOL__RIM_POINTS;
}

/* The part of the cylinder that faces a point (global). */
static hol__feature facing(const hol__convex *core, const hol__body_dual *body, const double C[3]) {
    double in[3], d[3], e[3];
    hol__sub3(C, body->r.f, d);
    hol__mul3_t(body->R, d, in);
    hol__sub3(in, core->x[0], d);
    hol__sub3(core->x[1], core->x[0], e);
    const double length = hol__norm3(e), z = hol__dot3(d, core->axis);
    for (int i = 0; i < 3; i++) d[i] -= z * core->axis[i];
    const double out = hol__norm3(d) - core->disc, above = fmax(-z, z - length);
    const int end = 2 * z > length;
    if (out > 0 && above > 0) return (hol__feature){HOL__RIM, {end, 0}};
    return above > out ? (hol__feature){HOL__FACE, {end, end}} : (hol__feature){HOL__EDGE, {0, 1}};
}

int hol__touch_cylinder(const hol__touch_pair *pair, const hol__body_dual bodies[2],
                        hol__touch *out) {
    const int k = pair->shape[0].core.disc > 0 ? 0 : 1;
    if (pair->shape[1 - k].half_space) return over_plane(k, out);
    double C[3];
    hol__mul3(bodies[1 - k].R, pair->shape[1 - k].core.x[0], C);
    hol__add3(C, bodies[1 - k].r.f, C);
    out[0] = (hol__touch){.sign = 1, .weight = 1, .face = {-1, -1}};
    out[0].of[k] = facing(&pair->shape[k].core, &bodies[k], C);
    out[0].of[1 - k] = (hol__feature){HOL__CORNER, {0, 0}};
    return 1;
}
