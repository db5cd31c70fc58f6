/* reassign.c: parameters that events set: the model is made anew with their values, and the bodies
 * stay where they are.
 *
 * Conditions, events and values are expressions in which parameters are constants, so they are
 * taken from a model of all elements with the values of now, the laws; models of sets are made when
 * they are met, with these values. What the change does to T + V at the same state is work.
 * Constraints that no longer hold are closed as where joints take hold (jump.c): a gap that errors
 * explain, and a jump of the velocities.
 */
#include "compile/compile.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* The laws for the values of now. */
static hol_status make_laws(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    const hol_model *m = sim->whole;
    const hol__marker **place = hol__alloc(sim->ctx, (size_t)m->n_joints, sizeof *place);
    unsigned char *off = hol__alloc(sim->ctx, (size_t)s->n_elements, 1);
    const hol__variant variant = {.n_joints = m->n_joints,
                                  .off = off,
                                  .place = place,
                                  .n_values = m->n_assigned,
                                  .names = m->assigned,
                                  .values = sim->events.values};
    hol_model *made = place && off ? hol__model_variant(sim->ctx, m, &variant) : NULL;
    double *block =
        made ? hol__alloc(sim->ctx, (size_t)(made->n_corners + made->scratch + 1), sizeof *block)
             : NULL;
    hol__release(sim->ctx, place);
    hol__release(sim->ctx, off);
    if (!block) {
        hol_model_free(made);
        return HOL_ERR_INPUT;
    }
    hol__release(sim->ctx, s->block);
    s->block = block;
    s->scratch = block + made->n_corners;
    if (sim->laws != sim->whole) hol__model_release(sim->laws);
    sim->laws = made;
    hol__switching_aim(sim);
    hol__switching_forget_sets(sim);
    return HOL_OK;
}

/* Whether the constraints hold at the state in data, as well as corrections leave them. */
static int holds(const hol_sim *sim, hol_data *data) {
    const hol_model *m = data->model;
    const double length = fmax(1, sim->whole->length), *o = sim->options;
    /* positions may have drifted by what the run allows; ten times that is another mechanism */
    const double most = 10 * fmax(o[HOL__OPT_POSITION_TOLERANCE], o[HOL__OPT_TOLERANCE]) * length,
                 fast = 10 * fmax(o[HOL__OPT_VELOCITY_TOLERANCE], o[HOL__OPT_TOLERANCE]) * length;
    hol_data_update(data, HOL_STAGE_VEL);
    hol__data_psi(data);
    return hol__norm(data->Phi, m->mh) <= most && hol__norm(data->psi, m->m) <= fast;
}

/* Positions and velocities onto the constraints of the new model, as an entry of the list. */
static hol_status close_up(hol_sim *sim, hol_data *rows, double *work) {
    hol__switching *s = &sim->switching;
    hol__switch *entry = hol__switching_new_entry(sim);
    signed char *change = entry ? hol__alloc(sim->ctx, (size_t)s->n_elements, 1) : NULL;
    hol__jump jump = {.change = change,
                      .tolerance =
                          sim->options[HOL__OPT_CATCH_TOLERANCE] * fmax(1, sim->whole->length)};
    for (int k = 0; change && k < s->n_joints; k++) change[k] = !s->off[k];
    hol_status status = change ? hol__sim_jump(sim, rows, &jump) : HOL_ERR_MEMORY;
    hol__release(sim->ctx, change);
    if (status) {
        if (entry) hol__release(sim->ctx, entry->change);
        return status;
    }
    hol__switching_keep_impulses(sim, rows);
    entry->gap = jump.gap;
    entry->dof = sim->rank.dof;
    entry->n_redundant = sim->rank.n_redundant;
    s->lost[s->n] = 0 - jump.work;
    *work += jump.work;
    status = hol__switching_close_entry(sim);
    return status ? status : hol__events_note(sim, s->n - 1);
}

/* The state of the run into a data of the new model, with the work of it all. */
static hol_status carry(hol_sim *sim, hol_data *next, double energy) {
    const hol_model *m = next->model;
    hol_data *rows = hol_data_new(sim->ctx, m->reference ? m->reference : m);
    double work = 0;
    if (!rows) return HOL_ERR_MEMORY;
    next->on_force = sim->data->on_force, next->user = sim->data->user;
    hol__data_carry(next, sim->data);
    hol__rigid_hold_here(next); /* shapes may be others */
    hol_status status = hol_data_update(next, HOL_STAGE_DYN);
    work = next->potential + hol__data_kinetic(next, next->v) - energy;
    hol__data_carry(rows, sim->data);
    hol__rigid_hold_here(rows);
    if (!status && !holds(sim, rows)) {
        status = close_up(sim, rows, &work);
        if (!status) hol__data_carry(next, rows);
    }
    next->work = sim->data->work + work;
    hol_data_free(rows);
    return status;
}

hol_status hol__sim_reassign(hol_sim *sim, double energy) {
    hol__switching *s = &sim->switching;
    hol_status status = make_laws(sim);
    if (status) return status;
    const hol_model *const before = s->own;
    s->own = NULL;
    const hol_model *model = hol__switching_model(sim, NULL);
    hol_data *next = model ? hol_data_new(sim->ctx, model) : NULL;
    status = next ? carry(sim, next, energy) : HOL_ERR_MEMORY;
    const hol_model *unused = before;
    if (status) {
        unused = s->own;
        s->own = before;
    } else
        status = hol__sim_change_model(sim, model, next);
    hol_data_free(next);
    if (unused) hol__model_release(unused);
    return status;
}

/* Whether two values are the same, or both as described. */
static int same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

hol_status hol__sim_walk_values(hol_sim *sim, hol__archive *archive, int *other) {
    const int n = sim->whole->n_assigned;
    for (int i = 0; i < n; i++) {
        const double was = sim->events.values[i];
        HOL__ARCHIVE(archive, sim->events.values[i]);
        *other |= !same(was, sim->events.values[i]);
    }
    return *other && !archive->mismatch ? make_laws(sim) : HOL_OK;
}

hol_status hol__sim_adopt_values(hol_sim *sim, const hol_model *model) {
    int other = 0;
    for (int i = 0; i < sim->whole->n_assigned; i++) {
        const double value = model->values ? model->values[i] : NAN;
        other |= !same(value, sim->events.values[i]);
        sim->events.values[i] = value;
    }
    return other ? make_laws(sim) : HOL_OK;
}
