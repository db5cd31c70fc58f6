/* touch_bound.c: a ball around each shape of a pair, to see without a search that they are apart:
 *
 *     gap >= |c1 - c0| - R0 - R1
 */
#include "element/touch.h"

/* The middle of the box around the points, and how far the shape reaches from there. */
static void bound(hol__touch_shape *s) {
    const hol__convex *core = &s->core;
    double most = 0;
    s->reach = 0;
    if (s->half_space) return;
    for (int i = 0; i < 3; i++) {
        double low = core->x[0][i], high = low;
        for (int k = 1; k < core->n; k++)
            low = fmin(low, core->x[k][i]), high = fmax(high, core->x[k][i]);
        s->center[i] = 0.5 * (low + high);
    }
    for (int k = 0; k < core->n; k++) {
        double d[3];
        hol__sub3(core->x[k], s->center, d);
        most = fmax(most, hol__norm3(d));
    }
    s->reach = most + core->disc + core->radius;
}

void hol__touch_bound(hol__touch_pair *pair) {
    for (int k = 0; k < 2; k++) bound(&pair->shape[k]);
}

double hol__touch_apart(const hol__touch_pair *pair, const hol__body_dual bodies[2]) {
    const hol__touch_shape *s = pair->shape;
    double c[2][3];
    if (!(s[0].reach > 0) || !(s[1].reach > 0)) return -INFINITY;
    for (int k = 0; k < 2; k++) {
        hol__mul3(bodies[k].R, s[k].center, c[k]);
        hol__add3(c[k], bodies[k].r.f, c[k]);
    }
    hol__sub3(c[1], c[0], c[1]);
    return hol__norm3(c[1]) - s[0].reach - s[1].reach;
}
