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
 * That of a rounded shape rolls over both bodies: it has no anchor and sticks by its velocities.
 */
#include "element/rigid.h"

static int is_face(const hol__touch_shape *shape) {
    return shape->half_space || shape->core.n_faces > 0;
}

int hol__rigid_has_anchor(const hol__rigid *r) {
    if (!r->anchored || !r->across) return 0;
    if (r->line) return !(r->radius > 0);
    return !hol__rigid_is_rounded(r) && is_face(&r->pair.shape[0]) && is_face(&r->pair.shape[1]);
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
