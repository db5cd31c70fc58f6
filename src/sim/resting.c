/* resting.c: numbers of conditions that a joint holds where they change.
 *
 * Where rebounds of an impact are no longer told apart its joint takes hold (impact.c), and holds
 * the very number by which the event is told, such as p.y < 0, at its boundary: what is left of it
 * is rounding, which crosses from step to step and means nothing. Positions are not known better
 * than to the height h below which rebounds are not told apart. So each row of the joint is moved
 * by h to both sides,
 *
 *     q +- h A_J^T/|A_J|^2
 *
 * and the change of each number g is its band: closer to its boundary than that it has not crossed
 * it. Numbers that do not follow from the joint, and others far from their boundary, are watched as
 * ever. This is done anew wherever the run begins anew; when the joint lets go there are no bands.
 */
#include "sim/sim.h"

#include <math.h>

/* The numbers of all conditions at the state in data into out, by corner of the laws. */
static void read_numbers(hol_sim *sim, hol_data *data, double *out) {
    hol__switching *s = &sim->switching;
    hol__measure_all(data, NULL);
    for (int i = 0; i < s->n_watches; i++)
        hol__expr_value(s->watches[i].e, data->inputs, s->scratch);
    for (int i = 0; i < sim->laws->n_corners; i++) out[i] = *hol__recorded(s->scratch, i);
}

/* The step of the velocities' size that moves row i of A by `by`. */
static void along_row(const hol_data *data, int i, double by, double *step) {
    double square = 0;
    for (int k = 0; k < data->model->nv; k++) step[k] = 0;
    for (int k = data->A.ptr[i]; k < data->A.ptr[i + 1]; k++) square += data->A.x[k] * data->A.x[k];
    for (int k = data->A.ptr[i]; k < data->A.ptr[i + 1]; k++)
        step[data->A.idx[k]] += square > 0 ? by * data->A.x[k] / square : 0;
}

/* What row i, moved by `by`, does to the numbers: the bands grow to it. */
static void widen(hol_sim *sim, hol_data *data, int i, double by, double *work) {
    const hol_model *m = data->model;
    const int n = sim->laws->n_corners;
    double *here = work, *there = here + n, *step = there + n, *q0 = step + m->nv, *q = q0 + m->nq;
    double *band = sim->corners.band + sim->corners.n_model;
    hol_data_update(data, HOL_STAGE_POS);
    along_row(data, i, by, step);
    for (int k = 0; k < m->nq; k++) q0[k] = data->q[k];
    read_numbers(sim, data, here);
    m->coords->plus(m, q0, step, q);
    hol_data_set(data, data->t, q, NULL);
    read_numbers(sim, data, there);
    hol_data_set(data, data->t, q0, NULL);
    for (int k = 0; k < n; k++)
        if (isfinite(there[k] - here[k])) band[k] = fmax(band[k], fabs(there[k] - here[k]));
}

/* The bands of what the rows of a joint hold. */
static void widen_by(hol_sim *sim, hol_data *data, int joint, double *work) {
    const double h = hol__sim_least_height(sim);
    for (int i = 0; i < data->model->mh; i++)
        if (data->model->row_joint[i] == joint)
            for (int side = -1; side <= 1; side += 2) widen(sim, data, i, side * h, work);
}

hol_status hol__resting_read(hol_sim *sim) {
    hol__events *e = &sim->events;
    int any = 0;
    for (int k = 0; e->n && k < sim->whole->n_joints; k++) {
        if (e->rests[k] && sim->switching.off[k]) e->rests[k] = 0;
        any |= e->rests[k];
    }
    for (int i = 0; i < sim->corners.n; i++) sim->corners.band[i] = 0;
    if (!any || sim->corners.n == sim->corners.n_model) return HOL_OK;
    const hol_model *m = sim->model->reference ? sim->model->reference : sim->model;
    hol_data *data = hol_data_new(sim->ctx, m);
    double *work =
        hol__alloc(sim->ctx, (size_t)(2 * sim->laws->n_corners + m->nv + 2 * m->nq), sizeof *work);
    if (data && work) {
        data->on_force = sim->data->on_force, data->user = sim->data->user;
        hol__data_carry(data, sim->data);
        for (int k = 0; k < sim->whole->n_joints; k++)
            if (e->rests[k]) widen_by(sim, data, k, work);
    }
    const hol_status status = data && work ? HOL_OK : HOL_ERR_MEMORY;
    hol__release(sim->ctx, work);
    hol_data_free(data);
    return status;
}

int hol__resting_holds(const hol_sim *sim, const hol__expr *e) {
    const hol__corners *c = &sim->corners;
    const int first = c->n_model + hol__expr_first_recorded(e), n = hol__expr_recorded(e);
    int held = 0;
    for (int i = first; c->n > c->n_model && i < first + n; i++) {
        const double g = *hol__recorded(sim->switching.scratch, i - c->n_model);
        if (hol__corners_other(sim, i, g)) return 0;
        held |= c->band[i] > 0;
    }
    return held;
}
