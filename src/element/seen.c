/* seen.c: the motion of bodies as ground or another body sees it. See seen.h. */
#include "element/seen.h"
#include "element/kinematics.h"

#include <string.h>

void hol__turning_of(const hol__measure_args *args, int body, int order, hol__turning *out) {
    memset(out, 0, sizeof *out);
    if (args->bodies.b2) {
        const hol__body2 *b = &args->bodies.b2[body];
        out->R[0] = out->R[4] = b->c, out->R[1] = -b->s, out->R[3] = b->s, out->R[8] = 1;
        if (order > 0) out->w[2] = b->w;
        if (order == 2) out->alpha[2] = args->acc[3 * body + 2];
        return;
    }
    const hol__body3 *b = &args->bodies.b3[body];
    memcpy(out->R, b->R, sizeof out->R);
    if (order > 0) hol__mul3(b->R, b->w, out->w);
    if (order == 2) hol__mul3(b->R, args->acc + 6 * body + 3, out->alpha);
}

/* out += k a x b */
static void add_cross(double k, const double *a, const double *b, double *out) {
    double c[3];
    hol__cross3(a, b, c);
    for (int i = 0; i < 3; i++) out[i] += k * c[i];
}

/* out += k (alpha x u + w x (w x u)) */
static void add_swing(double k, const hol__turning *t, const double *u, double *out) {
    double wu[3];
    hol__cross3(t->w, u, wu);
    add_cross(k, t->alpha, u, out);
    add_cross(k, t->w, wu, out);
}

void hol__point_motion(const hol__measure_args *args, int body, const double s[3], int order,
                       double x[3][3]) {
    const int dim = args->bodies.b2 ? 2 : 3, n = args->bodies.b2 ? 3 : 6;
    const double *r = args->bodies.b2 ? args->bodies.b2[body].r : args->bodies.b3[body].r;
    const double *v = args->bodies.b2 ? args->bodies.b2[body].v : args->bodies.b3[body].v;
    hol__turning t;
    double u[3];
    hol__turning_of(args, body, order, &t);
    memset(x, 0, sizeof(double[3][3]));
    hol__mul3(t.R, s, u);
    for (int i = 0; i < dim; i++) {
        x[0][i] = r[i], x[1][i] = v[i];
        if (order == 2) x[2][i] = args->acc[n * body + i];
    }
    hol__add3(x[0], u, x[0]);
    if (order > 0) add_cross(1, t.w, u, x[1]);
    if (order == 2) add_swing(1, &t, u, x[2]);
}

void hol__seen_motion(const hol__measure_args *args, int body, const double s[3], int from,
                      const double o[3], int order, double x[3][3]) {
    hol__turning t;
    double O[3][3];
    hol__point_motion(args, body, s, order, x);
    hol__point_motion(args, from, o, order, O);
    hol__turning_of(args, from, order, &t);
    for (int k = 0; k < 3; k++) hol__sub3(x[k], O[k], x[k]);
    if (order < 1) return;
    add_cross(-1, t.w, x[0], x[1]);
    if (order < 2) return;
    add_swing(-1, &t, x[0], x[2]);
    add_cross(-2, t.w, x[1], x[2]);
}

void hol__write_in(const hol__measure_args *args, int body, double v[3]) {
    hol__turning t;
    double out[3];
    hol__turning_of(args, body, 0, &t);
    hol__mul3_t(t.R, v, out);
    memcpy(v, out, sizeof out);
}
