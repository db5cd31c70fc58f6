/* event.c: stopping at the instant at which stop_when becomes positive.
 *
 * After a step across which it rises through zero, the instant is found on the interpolant by
 * bisection; the step is then taken again so that it ends there, with its correction, and the state
 * is a true point of the integration.
 */
#include "sim/sim.h"

#include <math.h>

double hol__sim_event(hol_sim *sim) {
    const hol_model *m = sim->model;
    if (!m->stop_when) return -1;
    hol__measure_all(sim->data, NULL);
    const double value = hol__expr_value(m->stop_when, sim->data->inputs, sim->data->scratch);
    return isnan(value) ? -1 : value;
}

/* The value on the interpolant at t. */
static hol_status value_at(hol_sim *sim, double t, double *value) {
    hol_status status = hol__integrator_dense(sim->integ, t, sim->y);
    if (status) return status;
    hol__form_unpack(&sim->form, t, sim->y);
    status = hol__form_solve(&sim->form);
    *value = hol__sim_event(sim);
    return status;
}

hol_status hol__sim_locate_stop(hol_sim *sim, double before) {
    double low = hol__integrator_old_time(sim->integ), high = hol__integrator_time(sim->integ),
           value = before;
    const double end = high;
    for (int i = 0; i < 60 && high - low > 1e-14 * fmax(1, fabs(high)); i++) {
        const double middle = 0.5 * (low + high);
        const hol_status status = value_at(sim, middle, &value);
        if (status) return status;
        if (value > 0)
            high = middle;
        else
            low = middle;
    }
    return high < end ? hol__integrator_retake(sim->integ, high) : HOL_OK;
}
