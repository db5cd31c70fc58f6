/* natural_spatial.c: natural coordinates in space: poses of the bodies from base i and legs d1, d2.
 *
 *     e1 = d1 / n1,  e2 = (d2 - h e1) / n2,  e3 = e1 x e2,  h = d2 . e1
 *     R = [e1 e2 e3] E^T,  E: the same of the legs in the body
 *     components of omega along e:
 *         w1 = (e3 . d2' - h e3 . d1' / n1) / n2      w2 = -e3 . d1' / n1      w3 = e2 . d1' / n1
 *     r = r_i + R s          r' = r_i' + R (w x s)
 *
 * A wrench (f, tau about the mass centre, body frame) has t = E^T (tau + s x R^T f) along e and
 * pulls with
 *
 *     leg 1: k1 e3 + k2 e2,  k1 = -t1 h / (n1 n2) - t2 / n1,  k2 = t3 / n1
 *     leg 2: k3 e3,  k3 = t1 / n2
 *     base: f
 *
 * On the constraints d1, d2, n1, n2 and h are those of the body; nothing here assumes it.
 */
#include "coords/natural.h"
#include "coords/natural_variation.h"
#include "coords/tree.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

typedef struct part {
    double e[3][3];
    double n1, n2, h;
    double n1_rate, n2_rate, h_rate;
    double e_rate[3][3];
    double bias[6]; /* J' v */
} part;

#define BODIES b3

/* d, d' or d'' of leg k. */
static void leg_of(const hol_model *model, const hol__carried *b, int k, const double *x, int rate,
                   double d[3]) {
    const double *tip =
        rate ? hol__item_rate(model, x, b->item[k]) : hol__item_place(model, x, b->item[k]);
    const double *base =
        rate ? hol__item_rate(model, x, b->item[0]) : hol__item_place(model, x, b->item[0]);
    for (int i = 0; i < 3; i++) d[i] = tip[i] - (b->by_point[k] ? base[i] : 0);
}

/* The unit quaternion of a rotation matrix, by its largest component; of the two the one nearer to
 * p as it is. */
static void quaternion_of(const double R[9], double p[4]) {
    const double t[4] = {R[0] + R[4] + R[8], R[0] - R[4] - R[8], R[4] - R[0] - R[8],
                         R[8] - R[0] - R[4]};
    int m = 0;
    double x[4];
    for (int i = 1; i < 4; i++)
        if (t[i] > t[m]) m = i;
    const double a[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                 s[3] = {R[5] + R[7], R[2] + R[6], R[1] + R[3]};
    x[m] = 1 + t[m];
    if (m == 0)
        for (int i = 0; i < 3; i++) x[i + 1] = a[i];
    else {
        x[0] = a[m - 1];
        for (int i = 1; i < 4; i++)
            if (i != m) x[i] = s[6 - m - i - 1];
    }
    double norm = 0, along = 0;
    for (int i = 0; i < 4; i++) norm += x[i] * x[i], along += x[i] * p[i];
    norm = (along < 0 ? -1 : 1) / sqrt(norm);
    for (int i = 0; i < 4; i++) p[i] = norm * x[i];
}

/* e, n1, n2, h from the legs. */
static void frame_of(const double d1[3], const double d2[3], part *w) {
    w->n1 = hol__norm3(d1);
    for (int i = 0; i < 3; i++) w->e[0][i] = d1[i] / w->n1;
    w->h = hol__dot3(d2, w->e[0]);
    for (int i = 0; i < 3; i++) w->e[1][i] = d2[i] - w->h * w->e[0][i];
    w->n2 = hol__norm3(w->e[1]);
    for (int i = 0; i < 3; i++) w->e[1][i] /= w->n2;
    hol__cross3(w->e[0], w->e[1], w->e[2]);
}

/* The pose of a body. */
static void pose_body(const hol_model *model, int i, const double *q, const double *base,
                      hol__body3 *x, part *w) {
    const hol__carried *b = &model->items->carried[i];
    if (b->n == 1) {
        memcpy(x->p, model->bodies[i].p, sizeof x->p);
        hol__quat_matrix(x->p, x->R);
    } else {
        double d1[3], d2[3];
        leg_of(model, b, 1, q, 0, d1);
        leg_of(model, b, 2, q, 0, d2);
        frame_of(d1, d2, w);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                x->R[3 * r + c] = w->e[0][r] * b->E[3 * c] + w->e[1][r] * b->E[3 * c + 1] +
                                  w->e[2][r] * b->E[3 * c + 2];
        quaternion_of(x->R, x->p);
    }
    hol__mul3(x->R, b->s, x->r);
    hol__add3(x->r, base, x->r);
}

/* omega along e and the rates of the frame from d'; and the bias of omega' along e: its rate for
 * constant d'. */
static void turn_of(part *w, const double v1[3], const double v2[3], double omega[3],
                    double bias[3]) {
    const double a = hol__dot3(w->e[2], v1), b = hol__dot3(w->e[1], v1), g = hol__dot3(w->e[2], v2);
    const double n1 = w->n1, n2 = w->n2, h = w->h, x = g - h * a / n1;
    omega[0] = x / n2;
    omega[1] = -a / n1;
    omega[2] = b / n1;
    /* e_k' = omega x e_k */
    for (int i = 0; i < 3; i++) {
        w->e_rate[0][i] = omega[2] * w->e[1][i] - omega[1] * w->e[2][i];
        w->e_rate[1][i] = omega[0] * w->e[2][i] - omega[2] * w->e[0][i];
        w->e_rate[2][i] = omega[1] * w->e[0][i] - omega[0] * w->e[1][i];
    }
    w->n1_rate = hol__dot3(w->e[0], v1);
    /* d2 = h e1 + n2 e2 */
    w->h_rate = hol__dot3(v2, w->e[0]) + n2 * hol__dot3(w->e[1], w->e_rate[0]);
    w->n2_rate = hol__dot3(w->e[1], v2) - h * b / n1;
    const double da = hol__dot3(w->e_rate[2], v1), db = hol__dot3(w->e_rate[1], v1),
                 dg = hol__dot3(w->e_rate[2], v2), r1 = w->n1_rate / n1, r2 = w->n2_rate / n2;
    bias[0] = (dg - (w->h_rate * a + h * da - h * a * r1) / n1 - x * r2) / n2;
    bias[1] = -(da - a * r1) / n1;
    bias[2] = (db - b * r1) / n1;
}

/* Its velocity, and J' v. */
static void turn_body(const hol_model *model, const hol__carried *b, const double *v,
                      const double *base, hol__body3 *x, part *w) {
    memset(w->bias, 0, sizeof w->bias);
    memcpy(x->v, base, sizeof x->v);
    memset(x->w, 0, sizeof x->w);
    if (b->n == 1) return;
    double v1[3], v2[3], omega[3], bias[3], ws[3], wws[3], as[3];
    leg_of(model, b, 1, v, 1, v1);
    leg_of(model, b, 2, v, 1, v2);
    turn_of(w, v1, v2, omega, bias);
    hol__mul3(b->E, omega, x->w);
    hol__mul3(b->E, bias, w->bias + 3);
    hol__cross3(x->w, b->s, ws);
    hol__cross3(x->w, ws, wws);
    hol__cross3(w->bias + 3, b->s, as);
    hol__add3(as, wws, as);
    hol__mul3(x->R, as, w->bias);
    hol__mul3(x->R, ws, as);
    hol__add3(x->v, as, x->v);
}

static void from_bodies(const hol_model *model, const hol__bodies *bodies, double *q, double *v) {
    const hol__body3 *b3 = bodies->b3;
    const hol__items *nat = model->items;
    for (int i = 0; i < nat->n_free; i++, q += 3, v += 3) {
        const hol__item *item = &nat->items[i];
        const hol__body3 *b = &b3[item->body];
        double ws[3];
        hol__mul3(b->R, item->local, q);
        hol__cross3(b->w, item->local, ws);
        hol__mul3(b->R, ws, v);
        if (item->vector) continue;
        hol__add3(q, b->r, q);
        hol__add3(v, b->v, v);
    }
}

/* Pulls on the legs from t (along e), with the base taking what point legs take off. */
static void spread(const hol__carried *b, const double *f, const double leg[2][3],
                   double out[3][3]) {
    for (int i = 0; i < 3; i++) {
        out[0][i] = f[i];
        for (int k = 0; k < 2; k++) {
            out[k + 1][i] = leg[k][i];
            if (b->by_point[k + 1]) out[0][i] -= leg[k][i];
        }
    }
}

/* t = E^T (tau + s x f) for f in the body frame. */
static void moment(const hol__carried *b, const double f[3], const double tau[3], double t[3]) {
    double sf[3];
    hol__cross3(b->s, f, sf);
    hol__add3(sf, tau, sf);
    hol__mul3_t(b->E, sf, t);
}

static void pull(const hol_model *model, int body, const hol__bodies *bodies, const double *work,
                 const double *g, double out[3][3]) {
    const hol__body3 *b3 = bodies->b3;
    const hol__carried *b = &model->items->carried[body];
    const part *w = (const part *)(const void *)work + body;
    double f[3], t[3], leg[2][3] = {{0}};
    if (b->n > 1) {
        hol__mul3_t(b3[body].R, g, f);
        moment(b, f, g + 3, t);
        const double k1 = -(t[0] * w->h / w->n2 + t[1]) / w->n1, k2 = t[2] / w->n1,
                     k3 = t[0] / w->n2;
        for (int i = 0; i < 3; i++) {
            leg[0][i] = k1 * w->e[2][i] + k2 * w->e[1][i];
            leg[1][i] = k3 * w->e[2][i];
        }
    }
    spread(b, g, (const double(*)[3])leg, out);
}

static void pull_rate(const hol_model *model, int body, const hol__bodies *bodies,
                      const double *work, const double *g, const double *gdot, double out[3][3]) {
    const hol__body3 *b3 = bodies->b3;
    const hol__carried *b = &model->items->carried[body];
    const part *w = (const part *)(const void *)work + body;
    double f[3], fdot[3], wf[3], t[3], tdot[3], leg[2][3] = {{0}};
    if (b->n > 1) {
        const hol__body3 *x = &b3[body];
        hol__mul3_t(x->R, g, f);
        hol__mul3_t(x->R, gdot, fdot);
        hol__cross3(x->w, f, wf);
        hol__sub3(fdot, wf, fdot);
        moment(b, f, g + 3, t);
        moment(b, fdot, gdot + 3, tdot);
        const double n1 = w->n1, n2 = w->n2, h = w->h, r1 = w->n1_rate / n1, r2 = w->n2_rate / n2;
        const double k1 = -(t[0] * h / n2 + t[1]) / n1, k2 = t[2] / n1, k3 = t[0] / n2;
        const double d1 =
            -((tdot[0] * h + t[0] * w->h_rate - t[0] * h * r2) / n2 + tdot[1]) / n1 - k1 * r1;
        const double d2 = tdot[2] / n1 - k2 * r1, d3 = tdot[0] / n2 - k3 * r2;
        for (int i = 0; i < 3; i++) {
            leg[0][i] =
                d1 * w->e[2][i] + k1 * w->e_rate[2][i] + d2 * w->e[1][i] + k2 * w->e_rate[1][i];
            leg[1][i] = d3 * w->e[2][i] + k3 * w->e_rate[2][i];
        }
    }
    spread(b, gdot, (const double(*)[3])leg, out);
}

/* Its acceleration. */
static void accelerate_body(const hol_model *model, const hol__carried *b, const double *a,
                            const double *base, const hol__body3 *x, const part *w, double *acc) {
    double a1[3], a2[3], as[3], u[3];
    memcpy(acc, base, 3 * sizeof *acc);
    memset(acc + 3, 0, 3 * sizeof *acc);
    if (b->n == 1) return;
    leg_of(model, b, 1, a, 1, a1);
    leg_of(model, b, 2, a, 1, a2);
    const double k = hol__dot3(w->e[2], a1) / w->n1;
    const double along[3] = {(hol__dot3(w->e[2], a2) - w->h * k) / w->n2, -k,
                             hol__dot3(w->e[1], a1) / w->n1};
    hol__mul3(b->E, along, acc + 3);
    hol__cross3(acc + 3, b->s, as);
    hol__mul3(x->R, as, u);
    hol__add3(acc, u, acc);
    for (int i = 0; i < 6; i++) acc[i] += w->bias[i];
}

/* Gravity alone: the constant mass matrix of the items holds what rotation does. */
static double inertia(const hol_model *model, const hol__bodies *bodies, double *load) {
    const double potential = hol__coords_spatial.inertia(model, bodies, load);
    for (int i = 0; i < model->nb; i++) memset(load + 6 * i + 3, 0, 3 * sizeof *load);
    return potential;
}

#include "coords/natural_shell.h"

const hol__pulls hol__pulls_spatial = {pull, pull_rate, bias_of};

const hol__coords hol__coords_natural_spatial = {
    .name = "natural-spatial",
    .title = "natural: points and vectors shared at the joints, in space",
    .space = HOL_SPATIAL,
    ITEMS_COORDS,
};
