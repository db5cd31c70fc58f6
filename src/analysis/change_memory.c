/* change_memory.c: contact forces whose damping follows the speed of their impact, to first order.
 *
 * Such a force remembers the speed v_0 with which its contact began, a number beside the state on
 * which it depends until the contact ends. At the corner at which it begins each neighbour of the
 * run is put at its own instant, a hair beyond, where its own force finds its own v_0; by how much
 * that differs is kept with the neighbour (family.h), and so enters the differences that follow.
 */
#include "analysis/change.h"

#include <math.h>

/* A speed that is remembered from here on. */
static int begins(const hol__change_work *w, const hol_data *at, int k) {
    return w->memory[k] == 0 && at->memory[k] > 0;
}

int hol__change_remembers(const hol__change_work *w, const hol_data *at) {
    int n = 0;
    for (int k = 0; k < at->model->n_memory; k++) n += begins(w, at, k);
    return n;
}

/* What a data near the corner remembers from right behind it on. It is moved along the motion to
 * its own instant first. */
static hol_status meet(hol__change_work *w, hol__bundle *b, hol_sim *sim, hol_data *data) {
    const hol__direction motion = {w->f, w->f + b->nv, w->f + 2 * b->nv, 1};
    const double hair = 1e-9 * fmax(1, fabs(data->t));
    for (int i = 0; i < 4; i++) {
        double over, rate;
        const hol_status status = hol__change_corner_number(w, b, sim, data, &over, &rate);
        if (status) return status;
        hol__nudge_put(&b->nudge, data, i < 3 ? -over / rate : hair, &motion, data);
    }
    /* as if it were far from contact before, the speed of now is that of the impact */
    for (int k = 0; k < data->model->n_memory; k++)
        if (w->starts[k]) data->memory[k] = 0, data->memory[k + 1] = -1e300;
    hol__data_keep_angles(data);
    return HOL_OK;
}

/* Say that only the direct way takes a number beside the state. */
static hol_status refuse(const hol__change_work *w, const hol_data *at) {
    return hol__report(w->family->goals->own, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                       "at t = %.9g a contact begins whose damping follows the speed of its impact "
                       "(`restitution`), a number beside the state, which the adjoint does not "
                       "carry: take --by direct",
                       at->t);
}

/* What neighbour i of parameter j remembers otherwise than the run, whose speeds are in `own`. */
static hol_status remember(hol__change_work *w, hol__bundle *b, const hol_data *at, int j, int i,
                           const double *own) {
    hol__neighbour *x = hol__family_get(w->family, j, i);
    const hol__direction along = hol__bundle_direction(b, b->Y, b->free + j);
    hol_data *to = hol__family_put(w->family, j, i, at);
    hol__nudge_put(&b->nudge, at, x->by, &along, to);
    const hol_status status = meet(w, b, x->trial.sim, to);
    for (int k = 0; k < at->model->n_memory && !status; k++)
        if (w->starts[k]) x->memory[k] = to->memory[k] - own[k];
    return status;
}

hol_status hol__change_remember(hol__change_work *w, hol__bundle *b, hol__passage *p) {
    const hol_data *at = p->at;
    const int n = at->model->n_memory;
    for (int i = 0; i < w->family->n * HOL__STENCIL; i++)
        for (int k = 0; k < n; k++)
            if (w->memory[k] != 0 && at->memory[k] == 0) w->family->all[i].memory[k] = 0;
    if (!hol__change_remembers(w, at)) return HOL_OK;
    if (b->free) return refuse(w, at);
    w->starts = HOL__NEW_N(&w->arena, unsigned char, n + 2);
    if (!w->starts) return HOL_ERR_MEMORY;
    for (int k = 0; k < n; k++) w->starts[k] = (unsigned char)begins(w, at, k);
    hol_status status = hol_data_copy(b->side, at);
    if (!status) status = meet(w, b, p->sim, b->side);
    double *own = HOL__NEW_N(&w->arena, double, n + 1);
    if (!own) return HOL_ERR_MEMORY;
    for (int k = 0; k < n; k++) own[k] = b->side->memory[k];
    for (int i = 0; i < w->family->n * HOL__STENCIL && !status; i++)
        status = remember(w, b, at, i / HOL__STENCIL, i % HOL__STENCIL, own);
    return status;
}
