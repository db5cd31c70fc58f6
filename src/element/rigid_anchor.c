/* rigid_anchor.c: where a slot that sticks is held.
 *
 * A sharp corner P of one body on a face of the other, with n and the directions t_k across it
 * fixed to the face, sticks where it is: with the anchor A, the point of the face's body at which P
 * was when it began to stick,
 *
 *     Phi_k = t_k . (P - A) = 0        Phi_k' = t_k . (V2(P) - V1(P))
 *
 * since t_k and A turn with the same body and P - A is across t_k but for what Phi leaves of it. So
 * these are the rows of the velocities across the gap, and their integral. Two edges that cross and
 * stick hold one point of each, A and B, Phi_k = t_k . (B - A): the place of contact stays there.
 *
 * The place of contact of a rounded shape rolls over both bodies, a velocity that is no rate of a
 * position in space: a ball sticks by its velocities. Where so many rounded corners of one body are
 * closed on a plane that it cannot roll, two in the plane and three in space that are not in line,
 * it can at most turn about n, and a corner with the centre C and the radius r touches at C - r n:
 *
 *     Phi_k = t_k . (C - r n - A) = t_k . (C - A)        V2(C - r n) = V2(C) - r omega x n = V2(C)
 *
 * so that its place is a point of the body like a sharp corner.
 */
#include "element/rigid.h"

#include <float.h>
#include <math.h>

static int is_face(const hol__touch_shape *shape) {
    return shape->half_space || shape->core.n_faces > 0;
}

/* Whether the shapes are a plane and one with more corners than one. */
static int is_on_plane(const hol__rigid *r) {
    return r->pair.shape[0].half_space != r->pair.shape[1].half_space && r->corners > 1;
}

int hol__rigid_can_anchor(const hol__rigid *r) {
    if (!r->anchored || !r->across) return 0;
    if (r->line) return !(r->radius > 0);
    if (hol__rigid_is_rounded(r)) return is_on_plane(r);
    return is_face(&r->pair.shape[0]) && is_face(&r->pair.shape[1]);
}

int hol__rigid_has_anchor(const hol__rigid *r) {
    return hol__rigid_can_anchor(r) && (r->line || !hol__rigid_is_rounded(r) || r->level);
}

/* Whether the third of three points is so far beside the line through the others that gaps, which
 * are known to eps of the size, hold the turn about it with half of the digits. */
static int is_beside(const double a[3], const double b[3], const double c[3]) {
    double u[3], v[3], across[3];
    hol__sub3(b, a, u);
    hol__sub3(c, a, v);
    hol__cross3(u, v, across);
    return hol__norm3(across) > sqrt(DBL_EPSILON) * hol__norm3(u) * hol__norm3(v);
}

int hol__rigid_is_level(const hol__rigid *r) {
    const double(*x)[3] = r->pair.shape[r->pair.shape[0].half_space].core.x, *first = NULL,
          *second = NULL;
    if (!r->touch || !is_on_plane(r)) return 0;
    for (int i = 0; i < r->corners; i++) {
        if (!(r->touch[i] & HOL__TOUCH_CLOSED)) continue;
        if (second && is_beside(first, second, x[i])) return 1;
        if (first && r->across == 1) return 1;
        if (!first)
            first = x[i];
        else if (!second)
            second = x[i];
    }
    return 0;
}

/* The second point of two edges is fixed to the second body. */
static int is_edge(const hol__rigid *r, int slot) {
    return slot >= r->corners;
}

static void body_of(const hol__rigid *r, const hol__con_args *args, int k, hol__body_dual *out) {
    const hol__force_args force = {.bodies = args->bodies};
    hol__dual_body(&force, r->body[k], out);
}

/* The point of a body at which a place is, in the frame of the body. */
static void point_of(const hol__rigid *r, const hol__con_args *args, int k, const double P[3],
                     double out[3]) {
    hol__body_dual body;
    double d[3];
    body_of(r, args, k, &body);
    hol__sub3(P, body.r.f, d);
    hol__mul3_t(body.R, d, out);
}

void hol__rigid_drop_anchor(const hol__rigid *r, const hol__con_args *args, int slot,
                            double *memory) {
    hol__rigid_point at;
    double *anchor = memory + r->memory + HOL__SLIDE * slot;
    hol__rigid_at(r, args, slot, &at);
    point_of(r, args, at.of, at.P.f, anchor);
    if (is_edge(r, slot)) point_of(r, args, 1, at.P.f, anchor + HOL__SECOND);
}

double hol__rigid_strayed(const hol__rigid *r, const hol__con_args *args, int slot,
                          const hol__rigid_point *at, int k) {
    const double *anchor = args->memory + r->memory + HOL__SLIDE * slot;
    hol__body_dual body;
    hol__dual3 P = at->P;
    double d[3];
    if (is_edge(r, slot)) {
        body_of(r, args, 1, &body);
        P = hol__dual_place(&body, anchor + HOL__SECOND);
    }
    body_of(r, args, at->of, &body);
    hol__sub3(P.f, hol__dual_place(&body, anchor).f, d);
    return hol__dot3(at->lin[k][1].f, d);
}
