/* natural_planar.c: natural coordinates in the plane: poses of the bodies from base i and leg d.
 *
 *     theta: angle of d less that of the leg in the body       w = (J d . d') / d^2,  J = [0 -1; 1 0]     bias of w': -2 (d . d') w / d^2
 *     r = r_i + R s                                            r' = r_i' + w J R s                        bias: w' J R s - w^2 R s
 *
 * A wrench (f, n about the mass centre) pulls with tau = n + (R s) x f on the leg: tau J d / d^2, and with f on the base.
 */
#include "coords/natural.h"
#include "coords/natural_variation.h"
#include "coords/tree.h"

#include <math.h>
#include <string.h>

typedef struct work2 {
    double arm[2];  /* R s */
    double turn[2]; /* J d / d^2 */
    double d[2];
    double ratio;   /* d . d' / d^2 */
    double bias[3]; /* J' v */
} work2;

static work2 *work_of(double *work) {
    return (work2 *)(void *)work;
}

static const work2 *read_work(const double *work) {
    return (const work2 *)(const void *)work;
}

static int work_size(const hol_model *model) {
    return model->nb * (int)(sizeof(work2) / sizeof(double));
}

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

static void poses(const hol_model *model, const double *q, hol__bodies *bodies, double *work) {
    hol__body2 *b2 = bodies->b2;
    work2 *w = work_of(work);
    for (int i = 0; i < model->nb; i++, b2++, w++) {
        const hol__carried *b = &model->items->carried[i];
        const double *base = hol__item_place(model, q, b->item[0]);
        b2->theta = model->bodies[i].theta;
        if (b->n == 1) {
            b2->c = cos(b2->theta), b2->s = sin(b2->theta);
        } else {
            const double dev = deviation(model, i, q, w->d);
            const double *l = b->leg[1], *d = w->d;
            const double d2 = d[0] * d[0] + d[1] * d[1],
                         k = 1 / sqrt(d2 * (l[0] * l[0] + l[1] * l[1]));
            b2->theta += nearest(dev, b2->turn);
            b2->c = k * (d[0] * l[0] + d[1] * l[1]);
            b2->s = k * (d[1] * l[0] - d[0] * l[1]);
            w->turn[0] = -d[1] / d2;
            w->turn[1] = d[0] / d2;
        }
        w->arm[0] = b2->c * b->s[0] - b2->s * b->s[1];
        w->arm[1] = b2->s * b->s[0] + b2->c * b->s[1];
        b2->r[0] = base[0] + w->arm[0];
        b2->r[1] = base[1] + w->arm[1];
    }
}

/* turn . d' or turn . d'' of the leg. */
static double leg_turn(const hol_model *model, const hol__carried *b, const work2 *w,
                       const double *v, double d[2]) {
    const double *base = hol__item_rate(model, v, b->item[0]),
                 *tip = hol__item_rate(model, v, b->item[1]);
    for (int k = 0; k < 2; k++) d[k] = tip[k] - (b->by_point[1] ? base[k] : 0);
    return w->turn[0] * d[0] + w->turn[1] * d[1];
}

static void twists(const hol_model *model, const double *v, hol__bodies *bodies, double *work) {
    hol__body2 *b2 = bodies->b2;
    work2 *w = work_of(work);
    for (int i = 0; i < model->nb; i++, b2++, w++) {
        const hol__carried *b = &model->items->carried[i];
        const double *base = hol__item_rate(model, v, b->item[0]);
        b2->w = w->bias[2] = w->ratio = 0;
        if (b->n > 1) {
            double d[2];
            b2->w = leg_turn(model, b, w, v, d);
            const double d2 = w->d[0] * w->d[0] + w->d[1] * w->d[1];
            w->ratio = (w->d[0] * d[0] + w->d[1] * d[1]) / d2;
            w->bias[2] = -2 * w->ratio * b2->w;
        }
        b2->v[0] = base[0] - b2->w * w->arm[1];
        b2->v[1] = base[1] + b2->w * w->arm[0];
        w->bias[0] = -w->bias[2] * w->arm[1] - b2->w * b2->w * w->arm[0];
        w->bias[1] = w->bias[2] * w->arm[0] - b2->w * b2->w * w->arm[1];
    }
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
    const work2 *w = read_work(work) + body;
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
    const work2 *w = read_work(work) + body;
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

static const double *bias_of(const hol_model *model, int body, const double *work) {
    (void)model;
    return read_work(work)[body].bias;
}

const hol__pulls hol__pulls_planar = {pull, pull_rate, bias_of};

static void accelerations(const hol_model *model, const hol__bodies *bodies, double *work,
                          const double *a, double *acc) {
    (void)bodies;
    const work2 *w = work_of(work);
    for (int i = 0; i < model->nb; i++, w++, acc += 3) {
        const hol__carried *b = &model->items->carried[i];
        const double *base = hol__item_rate(model, a, b->item[0]);
        double d[2];
        const double alpha = b->n > 1 ? leg_turn(model, b, w, a, d) : 0;
        acc[0] = base[0] - alpha * w->arm[1] + w->bias[0];
        acc[1] = base[1] + alpha * w->arm[0] + w->bias[1];
        acc[2] = alpha + w->bias[2];
    }
    memset(acc, 0, 3 * sizeof *acc);
}

static double inertia(const hol_model *model, const hol__bodies *bodies, double *load) {
    return hol__coords_planar.inertia(model, bodies, load);
}

static const hol__maps maps = {.choose = hol__items_choose,
                               .count_own = hol__items_count_own,
                               .own_row = hol__items_own_row,
                               .lay_rows = hol__items_lay_rows,
                               .work_size = work_size,
                               .from_bodies = from_bodies,
                               .rows = hol__items_rows,
                               .rows_rate = hol__items_rows_rate,
                               .bias = hol__items_bias,
                               .own_position = hol__items_own_position,
                               .own_bias = hol__items_own_bias,
                               .own_rate = hol__items_own_rate,
                               .forces = hol__items_forces,
                               .accelerations = accelerations,
                               HOL__ITEMS_VARIATION};

const hol__coords hol__coords_natural_planar = {
    .name = "natural-planar",
    .title = "natural: points and vectors shared at the joints, in the plane",
    .space = HOL_PLANAR,
    .start = hol__start_drawn,
    .poses = poses,
    .twists = twists,
    .plus = hol__items_plus,
    .minus = hol__items_minus,
    .rate = hol__items_rate,
    .wrap = wrap,
    .mass = hol__items_mass,
    .inertia = inertia,
    .maps = &maps,
};
