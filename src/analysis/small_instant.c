/* small_instant.c: the linear equations about a state that is not steady, in the independent
 * coordinates and velocities themselves.
 *
 *     x = dq[at_q], y = dv[at_v]        x' = dq'[at_q],  y' = da[at_v],  z' = dr
 *
 * dq is the increment from a state that moves, q = q0(t) (+) dq. Where coordinates add up,
 * dq' = dv. Of turns, R = R0 exp(dq), it is dq' = dv - w0 x dq; that is dv and twice the part of
 * rate(dq, v0) that is odd in dq, J_r^-1(dq) = 1 + [dq]/2 + even terms, in any set of coordinates.
 */
#include "analysis/small.h"

#include <math.h>

/* out = dq' (nv). */
static hol_status increments(hol__small *s, const double *dq, const double *dv, double *out) {
    const hol_model *m = s->model;
    const int n = m->nv;
    double *there = HOL__NEW_N(&s->matrices, double, n + 1),
           *back = HOL__NEW_N(&s->matrices, double, n + 1),
           *ahead = HOL__NEW_N(&s->matrices, double, n + 1), most = 0;
    if (!there || !back || !ahead) return HOL_ERR_MEMORY;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(dq[j]) / hol__coordinate_size(m, j));
    const double h = most > 0 ? 1e-3 / most : 1;
    for (int j = 0; j < n; j++) there[j] = h * dq[j];
    m->coords->rate(m, there, s->data->v, ahead);
    for (int j = 0; j < n; j++) there[j] = -h * dq[j];
    m->coords->rate(m, there, s->data->v, back);
    for (int j = 0; j < n; j++) out[j] = dv[j] + (ahead[j] - back[j]) / h;
    return HOL_OK;
}

hol_status hol__small_instant(hol__small *s, const double *dq, const double *dv, const double *da,
                              double *out) {
    const hol__perturb *p = &s->p;
    double *rate = HOL__NEW_N(&s->matrices, double, p->nv + 1);
    const hol_status status = rate ? increments(s, dq, dv, rate) : HOL_ERR_MEMORY;
    for (int i = 0; i < p->n_q && !status; i++) out[i] = rate[p->at_q[i]];
    for (int i = 0; i < p->n_v && !status; i++) out[p->n_q + i] = da[p->at_v[i]];
    return status;
}

hol_status hol__small_instant_matrix(hol__small *s) {
    const hol__perturb *p = &s->p;
    const int n = p->n, z = n - p->n_aux;
    hol_status status = HOL_OK;
    for (int k = 0; k < n && !status; k++) {
        double *column = s->A + hol__area(k, n);
        status = hol__small_instant(s, p->dq + hol__area(k, p->nv), p->dv + hol__area(k, p->nv),
                                    s->a + hol__area(k, p->nv), column);
        for (int i = 0; i < p->n_aux; i++)
            column[z + i] = s->F[hol__area(k, s->rows) + (size_t)(s->rows - p->n_aux + i)];
    }
    return status;
}
