/* leap.c: velocities that jump with the rates that drivers ask for.
 *
 * Where b of A v = b jumps at an instant that is known from the time alone, no finite force brings
 * the velocities along: the drivers push with impulses, whatever the method,
 *
 *     M (v+ - v-) + A^T mu = 0,   A (v+ - v-) = b+ - b-
 *
 * and do the work T+ - T-. Positions that would have to jump by more than the tolerance are an
 * error: no force makes them. What velocities are off their constraints by is left as it is: it is
 * the method's own. States of independent velocities or of momenta give velocities that fit b+ by
 * themselves, the former not those of an impulse; so all go on from v-.
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

hol_status hol__leap_init(hol_sim *sim) {
    const size_t nv = (size_t)sim->model->nv, m = (size_t)sim->model->m;
    hol__leap *leap = &sim->leap;
    leap->Phi = HOL__NEW_N(&sim->arena, double, 4 * m + 3 * nv + 1);
    if (!leap->Phi) return HOL_ERR_MEMORY;
    leap->b = leap->Phi + m;
    leap->by = leap->b + m;
    leap->mu = leap->by + m;
    leap->f = leap->mu + m;
    leap->x = leap->f + nv;
    leap->v = leap->x + nv;
    return hol__data_make_kernel(sim->data);
}

void hol__leap_before(hol_sim *sim) {
    hol_data *data = sim->data;
    const hol_model *m = sim->model;
    if (hol_data_update(data, HOL_STAGE_VEL)) return;
    memcpy(sim->leap.Phi, data->Phi, sizeof(double) * (size_t)m->m);
    memcpy(sim->leap.b, data->b, sizeof(double) * (size_t)m->m);
    memcpy(sim->leap.v, data->v, sizeof(double) * (size_t)m->nv);
    sim->leap.kinetic = hol__data_kinetic(data, data->v);
}

hol_status hol__leap_check(hol_sim *sim) {
    hol_data *data = sim->data;
    const hol_status status = hol_data_update(data, HOL_STAGE_VEL);
    for (int i = 0; i < sim->model->mh && !status; i++) {
        const double by = data->Phi[i] - sim->leap.Phi[i];
        const hol_row *row = &sim->model->rows[i];
        if (fabs(by) <= sim->asked_tolerance * sim->verdict.size[i]) continue;
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &row->where, row->element,
                           "the driven coordinate jumps at t = %.6g, by %.3g (%s); give a "
                           "continuous function, for example with step(t, ...)",
                           data->t, fabs(by), row->direction);
    }
    return status;
}

/* What the rates differ by; whether any does. Where a law has a corner only, that is rounding, and
 * so is the impulse. */
static int rates_differ(hol_sim *sim) {
    hol__leap *leap = &sim->leap;
    int any = 0;
    for (int i = 0; i < sim->model->m; i++) {
        leap->by[i] = sim->data->b[i] - leap->b[i];
        any |= leap->by[i] != 0;
    }
    return any;
}

hol_status hol__leap_after(hol_sim *sim) {
    hol_data *data = sim->data;
    hol__leap *leap = &sim->leap;
    hol_status status = hol_data_update(data, HOL_STAGE_VEL);
    if (status || !rates_differ(sim)) return status;
    status = hol__data_factor(data);
    if (!status) status = hol__kernel_solve(data->kernel, leap->f, leap->by, leap->x, leap->mu);
    if (status) return status;
    for (int i = 0; i < sim->model->nv; i++) leap->x[i] += leap->v[i];
    hol__data_set_v(data, leap->x);
    data->work += hol__data_kinetic(data, data->v) - leap->kinetic;
    hol__form_pack(&sim->form, sim->y);
    status = hol__integrator_continue(sim->integ, sim->y);
    return status ? status : hol__form_unpack(&sim->form, data->t, sim->y);
}
