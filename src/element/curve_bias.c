/* curve_bias.c: how c of a contact with a plane curve follows an increment of a pose.
 *
 * While the velocities of the bodies stay, c = -Phi''. In the frame of the curve, for a point p
 * with e = p - C, H = C' . C' - e . C'', and for a face m through Q (joint_curve.c):
 *
 *     point   Phi'' = side/|C'| (C' x p'' - (C' x C'') (C' . p')^2 / (C' . C' H))
 *             ds = C' . dp/H
 *     face    Phi'' = m'' . (Q - C) + 2 m' . Q' + m . Q'' + (m' . C')^2 / (m . C'')
 *             ds = -dm . C'/(m . C'')
 *
 * in dual numbers, which carry the increment. C''' of a spline is constant between its knots and
 * jumps there: the derivative is that of the side on which s lies. Expressions have no third
 * derivatives: those are differences of the second ones, of order four with steps of 1e-4 of the
 * range.
 */
#include "element/curve_bias.h"

#include "element/dual_forces.h"

/* C, C', C'' at a place that moves by ds. */
typedef struct place {
    hol__dual3 C, C1, C2;
} place;

/* C'''. */
static void third(const hol__curve *curve, double s, double out[2], double *scratch) {
    static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    const double h = 1e-4 * (curve->to - curve->from);
    if (curve->n) {
        hol__curve_jerk(curve, s, out);
        return;
    }
    out[0] = out[1] = 0;
    for (int i = 0; i < 4; i++) {
        double C[2], C1[2], C2[2];
        hol__curve_at(curve, s + at[i] * h, C, C1, C2, scratch);
        for (int k = 0; k < 2; k++) out[k] += weight[i] / (12 * h) * C2[k];
    }
}

/* The curve at s. */
static place place_at(const hol__curve *curve, double s, double *scratch) {
    place p = {.C = {{0}, {0}}};
    hol__curve_at(curve, s, p.C.f, p.C1.f, p.C2.f, scratch);
    return p;
}

/* Let it move by ds. */
static void move(const hol__curve *curve, double s, double ds, place *p, double *scratch) {
    double C3[2];
    third(curve, s, C3, scratch);
    for (int i = 0; i < 2; i++) {
        p->C.d[i] = ds * p->C1.f[i];
        p->C1.d[i] = ds * p->C2.f[i];
        p->C2.d[i] = ds * C3[i];
    }
}

/* a x b in the plane. */
static hol__dual cross2(hol__dual3 a, hol__dual3 b) {
    const hol__dual3 c = hol__dual3_cross(a, b);
    return (hol__dual){c.f[2], c.d[2]};
}

double hol__curve_point_bias(const hol__curve *curve, double s, double side, const hol__seen *p,
                             double *scratch) {
    place k = place_at(curve, s, scratch);
    hol__dual3 x = p->x; /* the curve lies in the plane z = 0 */
    x.f[2] = x.d[2] = 0;
    const hol__dual3 e = hol__dual3_add(x, -1, k.C);
    const double stiff = hol__dot3(k.C1.f, k.C1.f) - hol__dot3(e.f, k.C2.f);
    move(curve, s, hol__dot3(k.C1.f, x.d) / stiff, &k, scratch);
    const hol__dual square = hol__dual3_dot(k.C1, k.C1), speed = hol__dual_norm(k.C1),
                    H = hol__dual_add(square, -1, hol__dual3_dot(hol__dual3_add(x, -1, k.C), k.C2)),
                    along = hol__dual3_dot(k.C1, p->rate),
                    bend = hol__dual_over(
                        hol__dual_mul(cross2(k.C1, k.C2), hol__dual_mul(along, along)),
                        hol__dual_mul(square, H)),
                    sum = hol__dual_add(cross2(k.C1, p->second), -1, bend);
    return -side * hol__dual_over(sum, speed).d;
}

double hol__curve_face_bias(const hol__curve *curve, double s, const hol__seen *m,
                            const hol__seen *Q, double *scratch) {
    place k = place_at(curve, s, scratch);
    move(curve, s, -hol__dot3(m->x.d, k.C1.f) / hol__dot3(m->x.f, k.C2.f), &k, scratch);
    const hol__dual turn = hol__dual3_dot(m->rate, k.C1),
                    roll = hol__dual_over(hol__dual_mul(turn, turn), hol__dual3_dot(m->x, k.C2));
    return -(hol__dual3_dot(m->second, hol__dual3_add(Q->x, -1, k.C)).d +
             2 * hol__dual3_dot(m->rate, Q->rate).d + hol__dual3_dot(m->x, Q->second).d + roll.d);
}
