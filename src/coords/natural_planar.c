/* natural_planar.c: natural coordinates in the plane: poses of the bodies from base i and leg d.
 *
 *     theta: angle of d less that of the leg in the body
 *     w = (J d . d') / d^2,  J = [0 -1; 1 0]          bias of w': -2 (d . d') w / d^2
 *     r = r_i + R s,  r' = r_i' + w J R s             bias: w' J R s - w^2 R s
 *
 * A wrench (f, n about the mass centre) pulls with tau = n + (R s) x f on the leg: tau J d / d^2,
 * and with f on the base.
 */
#include "coords/natural.h"
#include "coords/natural_variation.h"
#include "coords/tree.h"

#include <math.h>
#include <string.h>

typedef struct part {
    double arm[2];  /* R s */
    double turn[2]; /* J d / d^2 */
    double d[2];
    double ratio;   /* d . d' / d^2 */
    double bias[3]; /* J' v */
} part;

#define BODIES b2

/* The leg of a body and the angle of the body against the drawn one, within half a turn. */
static double deviation(const hol_model *model, int body, const double *q, double d[2]) {
    const hol__carried *b = &model->items->carried[body];
    const double *base = hol__item_place(model, q, b->item[0]),
                 *tip = hol__item_place(model, q, b->item[1]);
    const double theta = model->bodies[body].theta, c = cos(theta), s = sin(theta);
    for (int k = 0; k < 2; k++) d[k] = tip[k] - (b->by_point[1] ? base[k] : 0);
    const double x = c * b->leg[1][0] - s * b->leg[1][1], y = s * b->leg[1][0] + c * b->leg[1][1];
    return atan2(x * d[1] - y * d[0], x * d[0] + y * d[1]);
}

static double nearest(double angle, double to) {
    static const double turn = 6.283185307179586476925286766559;
    return angle + turn * round((to - angle) / turn);
}

/* The pose of a body. */
static void pose_body(const hol_model *model, int i, const double *q, const double *base,
                      hol__body2 *x, part *w) {
    const hol__carried *b = &model->items->carried[i];
    x->theta = model->bodies[i].theta;
    if (b->n == 1) {
        x->c = cos(x->theta), x->s = sin(x->theta);
    } else {
        const double dev = deviation(model, i, q, w->d);
        const double *l = b->leg[1], *d = w->d;
        const double d2 = d[0] * d[0] + d[1] * d[1], k = 1 / sqrt(d2 * (l[0] * l[0] + l[1] * l[1]));
        x->theta += nearest(dev, x->turn);
        x->c = k * (d[0] * l[0] + d[1] * l[1]);
        x->s = k * (d[1] * l[0] - d[0] * l[1]);
        w->turn[0] = -d[1] / d2;
        w->turn[1] = d[0] / d2;
    }
    w->arm[0] = x->c * b->s[0] - x->s * b->s[1];
    w->arm[1] = x->s * b->s[0] + x->c * b->s[1];
    x->r[0] = base[0] + w->arm[0];
    x->r[1] = base[1] + w->arm[1];
}

/* turn . d' or turn . d'' of the leg. */
static double leg_turn(const hol_model *model, const hol__carried *b, const part *w,
                       const double *v, double d[2]) {
    const double *base = hol__item_rate(model, v, b->item[0]),
                 *tip = hol__item_rate(model, v, b->item[1]);
    for (int k = 0; k < 2; k++) d[k] = tip[k] - (b->by_point[1] ? base[k] : 0);
    return w->turn[0] * d[0] + w->turn[1] * d[1];
}

/* Its velocity, and J' v. */
static void turn_body(const hol_model *model, const hol__carried *b, const double *v,
                      const double *base, hol__body2 *x, part *w) {
    x->w = w->bias[2] = w->ratio = 0;
    if (b->n > 1) {
        double d[2];
        x->w = leg_turn(model, b, w, v, d);
        const double d2 = w->d[0] * w->d[0] + w->d[1] * w->d[1];
        w->ratio = (w->d[0] * d[0] + w->d[1] * d[1]) / d2;
        w->bias[2] = -2 * w->ratio * x->w;
    }
    x->v[0] = base[0] - x->w * w->arm[1];
    x->v[1] = base[1] + x->w * w->arm[0];
    w->bias[0] = -w->bias[2] * w->arm[1] - x->w * x->w * w->arm[0];
    w->bias[1] = w->bias[2] * w->arm[0] - x->w * x->w * w->arm[1];
}

static void from_bodies(const hol_model *model, const hol__bodies *bodies, double *q, double *v) {
    const hol__body2 *b2 = bodies->b2;
    const hol__items *nat = model->items;
    for (int i = 0; i < nat->n_free; i++) {
        const hol__item *item = &nat->items[i];
        const hol__body2 *b = &b2[item->body];
        const double x = b->c * item->local[0] - b->s * item->local[1],
                     y = b->s * item->local[0] + b->c * item->local[1];
        q[2 * i] = x + (item->vector ? 0 : b->r[0]);
        q[2 * i + 1] = y + (item->vector ? 0 : b->r[1]);
        v[2 * i] = -b->w * y + (item->vector ? 0 : b->v[0]);
        v[2 * i + 1] = b->w * x + (item->vector ? 0 : b->v[1]);
    }
}

static void wrap(const hol_model *model, double *q, hol__bodies *bodies) {
    hol__body2 *b2 = bodies->b2;
    for (int i = 0; i < model->nb; i++) {
        double d[2];
        if (model->items->carried[i].n > 1)
            b2[i].turn = nearest(deviation(model, i, q, d), b2[i].turn);
    }
}

static void pull(const hol_model *model, int body, const hol__bodies *bodies, const double *work,
                 const double *g, double out[3][3]) {
    (void)bodies;
    const hol__carried *b = &model->items->carried[body];
    const part *w = (const part *)(const void *)work + body;
    const double tau = g[2] + w->arm[0] * g[1] - w->arm[1] * g[0];
    for (int k = 0; k < 2; k++) {
        out[1][k] = b->n > 1 ? tau * w->turn[k] : 0;
        out[0][k] = g[k] - (b->n > 1 && b->by_point[1] ? out[1][k] : 0);
    }
}

static void pull_rate(const hol_model *model, int body, const hol__bodies *bodies,
                      const double *work, const double *g, const double *gdot, double out[3][3]) {
    const hol__body2 *b2 = bodies->b2;
    const hol__carried *b = &model->items->carried[body];
    const part *w = (const part *)(const void *)work + body;
    const hol__body2 *x = &b2[body];
    const double tau = g[2] + w->arm[0] * g[1] - w->arm[1] * g[0];
    const double rate = gdot[2] + w->arm[0] * gdot[1] - w->arm[1] * gdot[0] -
                        x->w * (w->arm[1] * g[1] + w->arm[0] * g[0]);
    /* d' = ratio d + w J d, so turn' = J d' / d^2 - 2 ratio turn = -ratio turn - w d / d^2 */
    const double d2 = w->d[0] * w->d[0] + w->d[1] * w->d[1];
    for (int k = 0; k < 2; k++) {
        const double turn_rate = b->n > 1 ? -w->ratio * w->turn[k] - x->w * w->d[k] / d2 : 0;
        out[1][k] = b->n > 1 ? rate * w->turn[k] + tau * turn_rate : 0;
        out[0][k] = gdot[k] - (b->n > 1 && b->by_point[1] ? out[1][k] : 0);
    }
}

/* Its acceleration. */
static void accelerate_body(const hol_model *model, const hol__carried *b, const double *a,
                            const double *base, const hol__body2 *x, const part *w, double *acc) {
    double d[2];
    const double alpha = b->n > 1 ? leg_turn(model, b, w, a, d) : 0;
    (void)x;
    acc[0] = base[0] - alpha * w->arm[1] + w->bias[0];
    acc[1] = base[1] + alpha * w->arm[0] + w->bias[1];
    acc[2] = alpha + w->bias[2];
}

static double inertia(const hol_model *model, const hol__bodies *bodies, double *load) {
    return hol__coords_planar.inertia(model, bodies, load);
}

#include "coords/natural_shell.h"

const hol__pulls hol__pulls_planar = {pull, pull_rate, bias_of};

const hol__coords hol__coords_natural_planar = {
    .name = "natural-planar",
    .title = "natural: points and vectors shared at the joints, in the plane",
    .space = HOL_PLANAR,
    .wrap = wrap,
    ITEMS_COORDS,
};
