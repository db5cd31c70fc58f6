/* planar.c: reference-point coordinates in the plane: q = (x, y, theta) of each mass centre, v =
 * q'.
 *
 *     M = diag(m, m, I), constant; no velocity-dependent terms
 */
#include "coords/coords.h"

#include <math.h>

static void start(const hol_model *model, double *q, double *v) {
    for (int i = 0; i < model->nb; i++) {
        const hol__body *b = &model->bodies[i];
        q[3 * i] = b->r[0], q[3 * i + 1] = b->r[1], q[3 * i + 2] = b->theta;
        v[3 * i] = b->v[0], v[3 * i + 1] = b->v[1], v[3 * i + 2] = b->w[2];
    }
}

static void poses(const hol_model *model, const double *q, hol__bodies *bodies, double *work) {
    hol__body2 *b2 = bodies->b2;
    (void)work;
    for (int i = 0; i < model->nb; i++, b2++, q += 3) {
        b2->r[0] = q[0];
        b2->r[1] = q[1];
        const double angle = q[2]; /* not through memory: one call gives both */
        b2->theta = angle + b2->turn;
        b2->c = cos(angle);
        b2->s = sin(angle);
    }
}

static void twists(const hol_model *model, const double *v, hol__bodies *bodies, double *work) {
    hol__body2 *b2 = bodies->b2;
    (void)work;
    for (int i = 0; i < model->nb; i++, b2++, v += 3) {
        b2->v[0] = v[0];
        b2->v[1] = v[1];
        b2->w = v[2];
    }
}

static void plus(const hol_model *model, const double *q, const double *d, double *out) {
    for (int i = 0; i < model->nv; i++) out[i] = q[i] + d[i];
}

static void minus(const hol_model *model, const double *a, const double *b, double *d) {
    for (int i = 0; i < model->nv; i++) d[i] = a[i] - b[i];
}

static void rate(const hol_model *model, const double *d, const double *v, double *ddot) {
    (void)d;
    for (int i = 0; i < model->nv; i++) ddot[i] = v[i];
}

static hol_status mass(hol_model *model) {
    hol__csr *M = &model->M;
    const int n = model->nv;
    *M = (hol__csr){.rows = n,
                    .cols = n,
                    .ptr = HOL__NEW_N(&model->arena, int, n + 1),
                    .idx = HOL__NEW_N(&model->arena, int, n),
                    .x = HOL__NEW_N(&model->arena, double, n)};
    if (model->arena.failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        const hol__body *b = &model->bodies[i / 3];
        M->ptr[i + 1] = i + 1;
        M->idx[i] = i;
        M->x[i] = i % 3 == 2 ? b->inertia : b->mass;
    }
    return HOL_OK;
}

static double inertia(const hol_model *model, const hol__bodies *bodies, double *Q) {
    const hol__body2 *b2 = bodies->b2;
    double potential = 0;
    for (int i = 0; i < model->nb; i++, Q += 3) {
        const double m = model->bodies[i].mass;
        Q[0] = m * model->gravity[0];
        Q[1] = m * model->gravity[1];
        Q[2] = 0;
        potential -= Q[0] * b2[i].r[0] + Q[1] * b2[i].r[1];
    }
    Q[0] = Q[1] = Q[2] = 0;
    return potential;
}

static void wrap(const hol_model *model, double *q, hol__bodies *bodies) {
    hol__body2 *b2 = bodies->b2;
    static const double turn = 6.283185307179586476925286766559;
    for (int i = 0; i < model->nb; i++) {
        const double k = turn * round(q[3 * i + 2] / turn);
        q[3 * i + 2] -= k;
        b2[i].turn += k;
    }
}

const hol__coords hol__coords_planar = {
    .name = "planar",
    .title = "planar reference point",
    .space = HOL_PLANAR,
    .nq_body = 3,
    .nv_body = 3,
    HOL__COORDS_OWN,
    .wrap = wrap,
};
