/* crossing_start.c: a start in a singular position.
 *
 * Constraints that depend at the start may always do so (redundant) or there alone (singular): the
 * rank beside it tells. In a singular position the constraints do not determine the motion. Given
 * velocities say which branch is meant; its acceleration, which the equations of motion leave open,
 * is extrapolated from both sides,
 *
 *     a = (4 a(tau) - a(2 tau))/3 + O(tau^4),   a(tau) the mean of those at -tau and tau.
 */
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A direction of motion at the state in data, the first that of the velocities, if it moves, all
 * others any that the constraints allow there; its size. */
static double some_direction(hol_sim *sim, hol__correction *correction, int which, double *d) {
    const int nv = sim->model->nv;
    memcpy(d, sim->data->v, sizeof(double) * (size_t)nv);
    if (which == 0) return hol__crossing_size(sim, d);
    for (int i = 0; i < nv; i++) d[i] = sin(which + 2.385 * i);
    hol__data_set_q(correction->data, sim->data->t, sim->data->q);
    hol__correction_tangent(correction, d, d);
    return hol__crossing_size(sim, d);
}

/* The rank a little way along motions from the state in data, on the constraints, until one shows a
 * larger rank. */
static hol_status rank_beside(hol_sim *sim, hol_data *there, hol__correction *correction) {
    const hol_model *m = sim->model;
    double *d = HOL__NEW_N(&sim->arena, double, m->nv + 1),
           *q = HOL__NEW_N(&sim->arena, double, m->nq + 1);
    if (sim->arena.failed) return HOL_ERR_MEMORY;
    hol_status status = HOL_OK;
    for (int which = 0; which < HOL__MOST_DIRECTIONS && status >= 0; which++) {
        const double size = some_direction(sim, correction, which, d);
        for (int i = 0; i < m->nv; i++) d[i] *= size > 0 ? HOL__BESIDE / size : 0;
        m->coords->plus(m, sim->data->q, d, q);
        hol__data_set_q(there, there->t, q);
        status = hol__correction_run(correction);
        if (!status) status = hol__data_analyse(there);
        if (!status && there->rank > sim->data->rank) return HOL_OK;
    }
    return status;
}

/* Say that the run starts in a singular position, and which joints are in it. */
static void report_start(hol_sim *sim, const hol_data *there) {
    const hol_model *m = sim->model;
    char joints[512] = "";
    for (int i = 0; i < m->m; i++) {
        const size_t used = strlen(joints);
        if (sim->data->redundant_rows[i] && !there->redundant_rows[i])
            snprintf(joints + used, sizeof joints - used, "%s%.100s (%s)", used ? "; " : "",
                     m->rows[i].element, m->rows[i].direction);
    }
    hol__warn(
        sim->ctx, NULL, "singular position",
        "the run starts in one: the constraints lose rank there (%s) and do not determine the "
        "motion, branches of which cross. %s",
        joints,
        hol__crossing_size(sim, sim->data->v) > 0
            ? "The velocities at the start say which one is followed"
            : "At rest the start does not say which one is followed; start beside it, or "
              "give velocities");
}

hol_status hol__crossing_probe(hol_sim *sim, const hol__kernel_options *options) {
    hol__kernel *kernel = NULL;
    hol__correction *correction = NULL;
    hol_data *there = hol_data_new(sim->ctx, sim->model);
    hol_status status = there ? hol_data_copy(there, sim->data) : HOL_ERR_MEMORY;
    if (!status) status = hol__crossing_units(sim);
    const hol__csr *M = NULL;
    if (!status) status = hol__data_cheaper_mass(there, options->storage, &M);
    if (!status)
        status = hol__kernel_new(sim->ctx, &hol__kernel_kkt, M, &there->A, options, &kernel);
    if (!status) {
        correction = hol__correction_new(there, hol__correction_find("direct"), kernel, options,
                                         sim->options[HOL__OPT_POSITION_TOLERANCE],
                                         sim->options[HOL__OPT_VELOCITY_TOLERANCE]);
        status = correction ? rank_beside(sim, there, correction) : HOL_ERR_MEMORY;
    }
    if (!status && there->rank > sim->data->rank) {
        report_start(sim, there);
        sim->crossing.at_start = 1;
        hol__data_adopt_rank(sim->data, there);
    }
    hol__correction_free(correction);
    hol__kernel_free(kernel);
    hol_data_free(there);
    return status < 0 ? status : HOL_OK;
}

/* The mean of the accelerations a time tau before and behind the state that is kept, into out. */
static hol_status mean_acceleration(hol_sim *sim, double tau, double *out) {
    const int nv = sim->model->nv;
    hol_status status = HOL_OK;
    memset(out, 0, sizeof(double) * (size_t)nv);
    for (int side = -1; side <= 1 && !status; side += 2) {
        hol__crossing_move(sim, side * tau);
        hol__data_set_v(sim->data, sim->crossing.v);
        status = hol__correction_run(hol__crossing_correction(sim));
        if (!status) status = hol__form_solve(&sim->form);
        for (int i = 0; i < nv; i++) out[i] += 0.5 * sim->data->a[i];
    }
    return status;
}

/* The acceleration of the branch at the start, a = (4 a(tau) - a(2 tau))/3 + O(tau^4), where the
 * equations of motion leave it open. */
static hol_status extrapolate(hol_sim *sim, double tau) {
    hol__crossing *c = &sim->crossing;
    memset(c->a, 0, sizeof(double) * (size_t)sim->model->nv);
    hol_status status = mean_acceleration(sim, tau, c->y);
    if (!status) status = mean_acceleration(sim, 2 * tau, c->a_away);
    if (!status) status = hol__crossing_put_back(sim);
    for (int i = 0; i < sim->model->nv; i++) c->a[i] = (4 * c->y[i] - c->a_away[i]) / 3;
    return status;
}

/* The first step from a singular position, in motion: its slope there is that of the branch. */
hol_status hol__crossing_leave(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    const double speed = hol__crossing_size(sim, sim->data->v);
    if (!c->lays || !(speed > 0) || !sim->form.state->dependent) return HOL_OK;
    c->active = 1;
    hol_status status = hol__crossing_keep(sim);
    if (!status) status = extrapolate(sim, HOL__BESIDE / speed);
    if (!status) status = sim->system.rhs(sim, c->t, sim->y, c->stage);
    memcpy(c->stage + sim->model->nv, c->a, sizeof(double) * (size_t)sim->model->nv);
    if (!status) hol__integrator_prime(sim->integ, c->stage);
    c->t_singular = c->t;
    return status;
}
