/* convex.c: support functions. See convex.h. */
#include "math/convex.h"

int hol__convex_support(const hol__placed *at, const double d[3], double out[3]) {
    const hol__convex *s = at->shape;
    double e[3];
    int best = 0;
    hol__mul3_t(at->R, d, e);
    double most = hol__dot3(e, s->x[0]);
    for (int i = 1; i < s->n; i++) {
        const double h = hol__dot3(e, s->x[i]);
        if (h > most) most = h, best = i;
    }
    const double *x = s->x[best];
    double farthest[3] = {x[0], x[1], x[2]};
    if (s->disc > 0) {
        const double along = hol__dot3(e, s->axis);
        for (int i = 0; i < 3; i++) e[i] -= along * s->axis[i];
        const double across = hol__norm3(e), k = across > 0 ? s->disc / across : 0;
        for (int i = 0; i < 3; i++) farthest[i] += k * e[i];
    }
    hol__mul3(at->R, farthest, out);
    return best;
}

double hol__convex_reach(const hol__convex *shape) {
    double most = 0;
    for (int i = 0; i < shape->n; i++) most = fmax(most, hol__norm3(shape->x[i]));
    return most + shape->disc;
}
