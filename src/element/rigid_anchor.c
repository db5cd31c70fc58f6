/* rigid_anchor.c: where a slot that sticks is held.
 *
 * A sharp corner P of one body on a face of the other, with n and the directions t_k across it
 * fixed to the face, sticks where it is: with the anchor A, the point of the face's body at which P
 * was when it began to stick,
 *
 *     Phi_k = t_k . (P - A) = 0        Phi_k' = t_k . (V2(P) - V1(P))
 *
 * since t_k and A turn with the same body and P - A is across t_k but for what Phi leaves of it. So
 * these are the rows of the velocities across the gap, and their integral. The place of contact of
 * a rounded shape rolls over both bodies, and that of two edges moves along both: they have no
 * anchor and stick by their velocities.
 */
#include "element/rigid.h"

static int is_face(const hol__touch_shape *shape) {
    return shape->half_space || shape->core.n_faces > 0;
}

int hol__rigid_has_anchor(const hol__rigid *r, int slot) {
    if (!r->anchored || !r->across) return 0;
    if (r->line) return !(r->radius > 0);
    return slot < r->corners && !hol__rigid_is_rounded(r) && is_face(&r->pair.shape[0]) &&
           is_face(&r->pair.shape[1]);
}

/* The body of the face. */
static void face_of(const hol__rigid *r, const hol__con_args *args, const hol__rigid_point *at,
                    hol__body_dual *out) {
    const hol__force_args force = {.bodies = args->bodies};
    hol__dual_body(&force, r->body[at->of], out);
}

void hol__rigid_drop_anchor(const hol__rigid *r, const hol__con_args *args, int slot,
                            double *memory) {
    hol__rigid_point at;
    hol__body_dual body;
    double d[3];
    hol__rigid_at(r, args, slot, &at);
    face_of(r, args, &at, &body);
    hol__sub3(at.P.f, body.r.f, d);
    hol__mul3_t(body.R, d, memory + r->memory + HOL__SLIDE * slot);
}

double hol__rigid_strayed(const hol__rigid *r, const hol__con_args *args, int slot,
                          const hol__rigid_point *at, int k) {
    hol__body_dual body;
    double d[3];
    face_of(r, args, at, &body);
    const hol__dual3 A = hol__dual_place(&body, args->memory + r->memory + HOL__SLIDE * slot);
    hol__sub3(at->P.f, A.f, d);
    return hol__dot3(at->lin[k][1].f, d);
}
