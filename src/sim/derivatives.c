/* derivatives.c: what an implicit integrator asks of the system: its own derivatives where the
 * formulation has them (form/linear.h), differences of its right-hand side elsewhere. */
#include "form/linear.h"
#include "sim/sim.h"

static hol_status linearize(void *self, double t, const double *y, const double *f, double h,
                            double *ft) {
    hol_sim *sim = self;
    return sim->linear ? hol__linear_update(sim->linear, t, y, h, ft)
                       : hol__differences_linearize(sim->differences, t, y, f, h, ft);
}

static hol_status shift(void *self, double g) {
    hol_sim *sim = self;
    return sim->linear ? hol__linear_shift(sim->linear, g)
                       : hol__differences_shift(sim->differences, g);
}

static hol_status solve(void *self, const double *r, double *x) {
    hol_sim *sim = self;
    return sim->linear ? hol__linear_solve(sim->linear, r, x)
                       : hol__differences_solve(sim->differences, r, x);
}

void hol__sim_free_derivatives(hol_sim *sim) {
    hol__linear_free(sim->linear);
    hol__differences_free(sim->differences);
    sim->linear = NULL;
    sim->differences = NULL;
}

hol_status hol__sim_make_derivatives(hol_sim *sim) {
    hol__sim_free_derivatives(sim);
    if (!sim->stepper->implicit) return HOL_OK;
    sim->system.linearize = linearize;
    sim->system.shift = shift;
    sim->system.solve = solve;
    if (hol__linear_serves(&sim->form)) return hol__linear_new(sim->ctx, &sim->form, &sim->linear);
    sim->differences = hol__differences_new(sim->ctx, &sim->system);
    return sim->differences ? HOL_OK : HOL_ERR_MEMORY;
}
