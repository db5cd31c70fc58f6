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
 *
 * A joint that an event or its condition makes take hold, such as a hook that catches where d
 * crosses 0.4, may hold that number too. Its rows have bands for those numbers that are closer to a
 * boundary than the band, and for no others: the event does not happen again at every step. There h
 * is what the solution inside a step, which is not corrected, may be off by: the tolerance.
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

/* Whether a number of the conditions is within its band of a boundary. */
static int is_near(const hol_sim *sim, int k, double g, double band) {
    const hol__cells *cells = &sim->laws->corners[k].cells;
    return hol__cell(cells, g - band) != hol__cell(cells, g + band);
}

/* What row i, moved by `by`, does to the numbers: the bands grow to it, of all or of those near
 * their boundaries. */
static void widen(hol_sim *sim, hol_data *data, int i, double by, int all, double *work) {
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
    for (int k = 0; k < n; k++) {
        const double wide = fabs(there[k] - here[k]);
        if (isfinite(wide) && (all || is_near(sim, k, here[k], wide)))
            band[k] = fmax(band[k], wide);
    }
}

/* What positions inside a step, where nothing is corrected, are off by. */
static double least_seen(const hol_sim *sim) {
    const double inside = sim->options[HOL__OPT_TOLERANCE] * fmax(1, sim->whole->length);
    return fmax(hol__sim_least_height(sim), inside);
}

/* The bands of what the rows of a joint hold. */
static void widen_by(hol_sim *sim, hol_data *data, int joint, int all, double *work) {
    const double h = all ? hol__sim_least_height(sim) : least_seen(sim);
    for (int i = 0; i < data->model->mh; i++)
        if (data->model->row_joint[i] == joint)
            for (int side = -1; side <= 1; side += 2) widen(sim, data, i, side * h, all, work);
}

hol_status hol__resting_read(hol_sim *sim) {
    hol__events *e = &sim->events;
    int any = 0;
    for (int k = 0; e->n && k < sim->whole->n_joints; k++) {
        const int acts = e->rests[k] | e->holds[k];
        if (acts && sim->switching.off[k]) e->rests[k] = e->holds[k] = 0;
        any |= e->rests[k] | e->holds[k];
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
            if (e->rests[k] | e->holds[k]) widen_by(sim, data, k, e->rests[k], work);
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
