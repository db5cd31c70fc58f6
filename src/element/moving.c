/* moving.c: points and directions with their rates, along an increment of a pose. See moving.h. */
#include "element/moving.h"

#include <string.h>

/* Orientation and angular velocity (body frame) of the body in a slot; how it turns along the
 * direction. */
typedef struct frame {
    double R[9], w[3], turn[3];
} frame;

static frame frame_of(const hol__pose_direction *at, int slot) {
    const int body = at->con->body[slot];
    const hol__bodies *bodies = &at->args->bodies;
    frame f = {.turn = {0, 0, 0}};
    if (bodies->b2) {
        const hol__body2 *b = &bodies->b2[body];
        const double R[9] = {b->c, -b->s, 0, b->s, b->c, 0, 0, 0, 1};
        memcpy(f.R, R, sizeof R);
        f.w[0] = f.w[1] = 0, f.w[2] = b->w;
        if (slot == at->slot && at->k == 2) f.turn[2] = 1;
    } else {
        memcpy(f.R, bodies->b3[body].R, sizeof f.R);
        memcpy(f.w, bodies->b3[body].w, sizeof f.w);
        if (slot == at->slot && at->k >= 3) f.turn[at->k - 3] = 1;
    }
    return f;
}

/* A vector of plane or space: its third component is 0 in the plane. */
static void local_of(const hol__pose_direction *at, const double *e, double out[3]) {
    out[0] = e[0], out[1] = e[1], out[2] = at->args->bodies.b2 ? 0 : e[2];
}

hol__moving hol__moving_direction(const hol__pose_direction *at, int slot, const double *e) {
    const frame f = frame_of(at, slot);
    double local[3], we[3], wwe[3];
    local_of(at, e, local);
    hol__cross3(f.w, local, we);
    hol__cross3(f.w, we, wwe);
    return (hol__moving){hol__dual3_out(f.R, f.turn, hol__dual3_still(local)),
                         hol__dual3_out(f.R, f.turn, hol__dual3_still(we)),
                         hol__dual3_out(f.R, f.turn, hol__dual3_still(wwe))};
}

hol__moving hol__moving_point(const hol__pose_direction *at, int slot, const double *s) {
    const hol__bodies *bodies = &at->args->bodies;
    const int body = at->con->body[slot], dim = bodies->b2 ? 2 : 3;
    hol__moving p = hol__moving_direction(at, slot, s);
    for (int i = 0; i < dim; i++) {
        p.x.f[i] += bodies->b2 ? bodies->b2[body].r[i] : bodies->b3[body].r[i];
        p.rate.f[i] += bodies->b2 ? bodies->b2[body].v[i] : bodies->b3[body].v[i];
        if (slot == at->slot && at->k == i) p.x.d[i] += 1;
    }
    return p;
}

hol__moving hol__moving_gap(const hol__pose_direction *at, const double *s1, const double *s2) {
    const hol__moving a = hol__moving_point(at, 1, s2), b = hol__moving_point(at, 0, s1);
    return (hol__moving){hol__dual3_add(a.x, -1, b.x), hol__dual3_add(a.rate, -1, b.rate),
                         hol__dual3_add(a.second, -1, b.second)};
}

double hol__moving_bias(const hol__moving *x, const hol__moving *y) {
    return -(hol__dual3_dot(x->second, y->x).d + 2 * hol__dual3_dot(x->rate, y->rate).d +
             hol__dual3_dot(x->x, y->second).d);
}
