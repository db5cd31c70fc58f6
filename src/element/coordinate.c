/* coordinate.c: the value, the row and the rate of a scalar coordinate.
 *
 * With d = P2 - P1, u_i = P_i - r_i, global directions e_i, and V_i(X) the velocity of the point of
 * body i that is at X:
 *
 *     slide      x = e1 . d               x' = e1 . (V2(P2) - V1(P2))
 *     distance   x = |d|, n = d / x       x' = n . (V2(P2) - V1(P1))
 *     cosine     x = e1 . e2              x' = (e1 x e2) . (omega1 - omega2)
 *     volume     x = (e1 x e2) . d
 *                x' = (e1 x e2) . (V2 - V1) + (e1 x (e2 x d)) . omega1 + (e2 x (d x e1)) . omega2
 *     angle      x = 2 atan2(p3, p0)      x' = G . (omega2 - omega1)
 *
 * p is the quaternion of frame 2 in frame 1. From p' = 1/2 p (0, w), w the relative angular
 * velocity in frame 2, follows G = g_1 x_2 + g_2 y_2 + z_2 over the axes of frame 2 with
 *
 *     g_1 = (p1 p3 - p0 p2) / n,   g_2 = (p0 p1 + p2 p3) / n,   n = p0^2 + p3^2,
 *
 * which is exact whatever the other rotations are (not defined only where frame 2 is turned over,
 * p0 = p3 = 0).
 */
#include "element/coordinate.h"
#include "math/quat.h"

#include <string.h>

/* g above with its rate, in frame 2. */
static hol__dual3 twist_gradient(const double *p, const double *pdot) {
    const double n = p[0] * p[0] + p[3] * p[3], ndot = 2 * (p[0] * pdot[0] + p[3] * pdot[3]);
    const double a = p[1] * p[3] - p[0] * p[2], b = p[0] * p[1] + p[2] * p[3];
    const double adot = pdot[1] * p[3] + p[1] * pdot[3] - pdot[0] * p[2] - p[0] * pdot[2];
    const double bdot = pdot[0] * p[1] + p[0] * pdot[1] + pdot[2] * p[3] + p[2] * pdot[3];
    return (hol__dual3){{a / n, b / n, 1},
                        {(adot - a * ndot / n) / n, (bdot - b * ndot / n) / n, 0}};
}

/* G in global components. */
static hol__dual3 angle_axis(const hol__coordinate *x, const hol__mover *m1, const hol__mover *m2) {
    const double z[3] = {0, 0, 1}, still[3] = {0, 0, 0};
    if (!m1->p) return hol__dual3_still(z);
    double q1[4], q2[4], p[4], omega1[3], own1[3], relative[3], w[4] = {0}, pdot[4];
    hol__quat_mul(m1->p, x->marker[0].f, q1);
    hol__quat_mul(m2->p, x->marker[1].f, q2);
    hol__quat_mul_c(q1, q2, p);
    hol__mul3(m1->R, m1->w, omega1);
    hol__mul3_t(m2->R, omega1, own1);
    hol__sub3(m2->w, own1, relative);
    hol__mul3_t(x->marker[1].F, relative, w + 1);
    hol__quat_mul(p, w, pdot);
    for (int i = 0; i < 4; i++) pdot[i] *= 0.5;
    return hol__dual3_out(m2->R, m2->w,
                          hol__dual3_out(x->marker[1].F, still, twist_gradient(p, pdot)));
}

/* [a . V2(X2) - a . V1(X1)] */
static void points_row(const hol__mover *m1, const hol__mover *m2, hol__dual3 a, hol__dual3 X1,
                       hol__dual3 X2, hol__coordinate_row *out) {
    hol__row_at(m1, -1, a, X1, &out->lin[0], &out->turn[0]);
    hol__row_at(m2, 1, a, X2, &out->lin[1], &out->turn[1]);
}

/* [a . omega2 - a . omega1] */
static void spins_row(hol__dual3 a, hol__coordinate_row *out) {
    out->turn[0] = hol__dual3_add(out->turn[0], -1, a);
    out->turn[1] = hol__dual3_add(out->turn[1], 1, a);
}

static void volume_row(const hol__mover *m1, const hol__mover *m2, hol__dual3 e1, hol__dual3 e2,
                       hol__dual3 P1, hol__dual3 P2, hol__coordinate_row *out) {
    const hol__dual3 d = hol__dual3_add(P2, -1, P1), normal = hol__dual3_cross(e1, e2);
    out->x = hol__dot3(normal.f, d.f);
    points_row(m1, m2, normal, P1, P2, out);
    out->turn[0] = hol__dual3_add(out->turn[0], 1, hol__dual3_cross(e1, hol__dual3_cross(e2, d)));
    out->turn[1] = hol__dual3_add(out->turn[1], 1, hol__dual3_cross(e2, hol__dual3_cross(d, e1)));
}

void hol__coordinate_eval(const hol__coordinate *x, const hol__mover *movers,
                          const hol__con_args *args, hol__coordinate_row *out) {
    const hol__mover *m1 = &movers[x->slot[0]], *m2 = &movers[x->slot[1]];
    const hol__dual3 P1 = hol__mover_point(m1, x->marker[0].s),
                     P2 = hol__mover_point(m2, x->marker[1].s);
    const hol__dual3 e1 = hol__mover_direction(m1, x->e[0]), e2 = hol__mover_direction(m2, x->e[1]);
    const hol__dual3 e = x->frame == 2 ? hol__dual3_still(x->e[0]) : x->frame ? e2 : e1;
    hol__dual3 normal;
    hol__dual length;
    memset(out, 0, sizeof *out);
    switch (x->kind) {
    case HOL__COORDINATE_ANGLE:
        out->x = args->angles[x->angle];
        spins_row(angle_axis(x, m1, m2), out);
        break;
    case HOL__COORDINATE_SLIDE:
        out->x = hol__dot3(e1.f, P2.f) - hol__dot3(e1.f, P1.f);
        points_row(m1, m2, e1, P2, P2, out);
        break;
    case HOL__COORDINATE_DISTANCE:
        normal = hol__dual3_unit(hol__dual3_add(P2, -1, P1), &length);
        out->x = length.f;
        points_row(m1, m2, normal, P1, P2, out);
        break;
    case HOL__COORDINATE_COSINE:
        out->x = hol__dot3(e1.f, e2.f);
        spins_row(hol__dual3_cross(e2, e1), out);
        break;
    case HOL__COORDINATE_VOLUME: volume_row(m1, m2, e1, e2, P1, P2, out); break;
    case HOL__COORDINATE_VELOCITY: points_row(m1, m2, e, P2, P2, out); break;
    case HOL__COORDINATE_SPIN: spins_row(e, out); break;
    }
    out->x += x->offset;
    out->rate = hol__row_rate(m1, &out->lin[0], &out->turn[0]) +
                hol__row_rate(m2, &out->lin[1], &out->turn[1]);
}

void hol__coordinate_add(const hol__coordinate *x, hol__dual g, const hol__coordinate_row *from,
                         hol__row *row) {
    for (int i = 0; i < 2; i++) {
        const int slot = x->slot[i];
        row->lin[slot] = hol__dual3_add(row->lin[slot], 1, hol__dual3_scale(g, from->lin[i]));
        row->turn[slot] = hol__dual3_add(row->turn[slot], 1, hol__dual3_scale(g, from->turn[i]));
    }
}

unsigned hol__coordinate_live(const hol__coordinate *x) {
    const int turns = x->kind == HOL__COORDINATE_ANGLE || x->kind == HOL__COORDINATE_COSINE ||
                      x->kind == HOL__COORDINATE_SPIN;
    return x->plane ? (turns ? 4 : 7) : (turns ? 56 : 63);
}

int hol__coordinate_place(hol__build *build, hol__con *con, hol__coordinate *x) {
    x->plane = build->model->dim == 2;
    for (int i = 0; i < 2; i++) {
        x->slot[i] = hol__con_slot(build, con, x->body[i]);
        if (x->slot[i] < 0) return 0;
    }
    return 1;
}
