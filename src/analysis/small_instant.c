/* small_instant.c: the linear equations about a state that is not steady, in the independent
 * coordinates and velocities themselves.
 *
 *     x = dq[at_q], y = dv[at_v]        x' = dq'[at_q],  y' = da[at_v],  z' = dr
 *
 * dq is the increment from a state that moves, so that dq' = dv + G dq (hol__perturb_turning): of
 * turns in space dq' = dv - w0 x dq.
 */
#include "analysis/small.h"

hol_status hol__small_instant(hol__small *s, const double *dq, const double *dv, const double *da,
                              double *out) {
    const hol__perturb *p = &s->p;
    double *turn = HOL__NEW_N(&s->matrices, double, 4 * p->nv + 1);
    if (!turn) return HOL_ERR_MEMORY;
    hol__perturb_turning(s->model, s->data->v, dq, turn + p->nv, turn);
    for (int i = 0; i < p->n_q; i++) out[i] = dv[p->at_q[i]] + turn[p->at_q[i]];
    for (int i = 0; i < p->n_v; i++) out[p->n_q + i] = da[p->at_v[i]];
    return HOL_OK;
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
