/* leap.c: velocities that jump with the rates that drivers ask for.
 *
 * Where b of A v = b jumps at an instant that is known from the time alone, no finite force brings
 * the velocities along: the drivers push with impulses, whatever the method,
 *
 *     M (v+ - v-) + A^T mu = 0,   A (v+ - v-) = b+ - b-
 *
 * and do the work T+ - T-. What velocities are off their constraints by is left as it is: it is the
 * method's own. States of independent velocities or of momenta give velocities that fit b+ by
 * themselves, the former not those of an impulse; so all go on from v-.
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* Of the rates on both sides: a change that is smaller comes from the time, which is another number
 * there, by rounding of the law. */
static const double none = 1e-12;

hol_status hol__leap_init(hol_sim *sim) {
    const size_t nv = (size_t)sim->model->nv, m = (size_t)sim->model->m;
    hol__leap *leap = &sim->leap;
    leap->b = HOL__NEW_N(&sim->arena, double, 3 * m + 3 * nv + 1);
    if (!leap->b) return HOL_ERR_MEMORY;
    leap->by = leap->b + m;
    leap->mu = leap->by + m;
    leap->f = leap->mu + m;
    leap->x = leap->f + nv;
    leap->v = leap->x + nv;
    return HOL_OK;
}

void hol__leap_before(hol_sim *sim) {
    hol_data *data = sim->data;
    const hol_model *m = sim->model;
    if (!m->m || hol_data_update(data, HOL_STAGE_VEL)) return;
    memcpy(sim->leap.b, data->b, sizeof(double) * (size_t)m->m);
    memcpy(sim->leap.v, data->v, sizeof(double) * (size_t)m->nv);
    sim->leap.kinetic = hol__data_kinetic(data, data->v);
}

/* What the rates jump by; whether any does. */
static int rates_jump(hol_sim *sim) {
    const hol_data *data = sim->data;
    hol__leap *leap = &sim->leap;
    int any = 0;
    for (int i = 0; i < sim->model->m; i++) {
        const double by = data->b[i] - leap->b[i], size = fabs(data->b[i]) + fabs(leap->b[i]);
        const int jumps = fabs(by) > none * size;
        leap->by[i] = jumps ? by : 0;
        any |= jumps;
    }
    return any;
}

hol_status hol__leap_after(hol_sim *sim) {
    hol_data *data = sim->data;
    hol__leap *leap = &sim->leap;
    if (!sim->model->m) return HOL_OK;
    hol_status status = hol_data_update(data, HOL_STAGE_VEL);
    if (status || !rates_jump(sim)) return status;
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
