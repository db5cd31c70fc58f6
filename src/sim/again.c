/* again.c: a step that has failed is tried once more with everything factored anew.
 *
 * Kernels take over pivots, dependent rows and chosen coordinates from one factorisation to the
 * next, implicit formulas their Jacobians, and those with a history of steps that. What has served
 * until now may be what fails: before the run stops all of it is forgotten, the last good state is
 * restored, and the step is made again from there, as at the start of a run. The rank of the
 * constraints stays as it was found: a singular position is no factorisation that has gone wrong
 * (crossing.c).
 *
 * Each kernel goes through further factorisations of its own before it says that it cannot
 * (kernel/paths.h), and steps that are chosen are shortened before they fail; this is the last
 * means. Where it helps a warning says so. A step that fails again within MOST steps of one that
 * was saved is not tried again.
 */
#include "sim/sim.h"

enum { MOST = 10 };

/* Whether a step that failed with the status may pass otherwise: numbers failed, in an attempt at
 * it, and no singular position is being crossed. */
static int may_help(const hol_sim *sim, hol_status status) {
    const hol__integ_stats now = hol__integrator_stats(sim->integ);
    const int numeric = status > 0 || status == HOL_ERR_TOLERANCE;
    return numeric && now.rejected + now.failures > sim->again.thrown && !sim->crossing.active &&
           (!sim->again.count || now.steps >= sim->again.step + MOST);
}

/* What kernels know of earlier factorisations is forgotten. */
static hol_status forget(hol_sim *sim) {
    const hol__correction *c = sim->correction;
    hol__kernel *const kernels[] = {sim->kernel, sim->form.mass, c->positions, c->velocities};
    hol_status status = HOL_OK;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels && !status; i++)
        if (kernels[i]) status = hol__kernel_remember_as(kernels[i], NULL);
    return status;
}

void hol__again_begin(hol_sim *sim) {
    const hol__integ_stats now = hol__integrator_stats(sim->integ);
    sim->again.thrown = now.rejected + now.failures;
    sim->again.tried = 0;
    hol__context_hold(sim->ctx);
}

int hol__again(hol_sim *sim, hol_status status) {
    if (sim->again.tried || !may_help(sim, status)) return 0;
    sim->again.tried = 1;
    sim->again.said = hol__context_held(sim->ctx);
    hol__integrator_commit(sim->integ);
    hol_status made = hol__form_unpack(&sim->form, hol__integrator_time(sim->integ),
                                       hol__integrator_state(sim->integ));
    if (!made) made = forget(sim);
    return !made && !hol__sim_start_anew(sim);
}

void hol__again_end(hol_sim *sim, hol_status status) {
    const hol__integ_stats now = hol__integrator_stats(sim->integ);
    if (sim->again.tried && !status) {
        sim->again.count++;
        sim->again.step = now.steps;
        hol__context_forget_errors(sim->ctx, 0, sim->again.said);
        hol__warn(sim->ctx, NULL, "simulation",
                  "the step of %s from t = %.9g failed and passed with everything factored anew",
                  sim->stepper->name, hol__integrator_old_time(sim->integ));
    } else if (sim->again.tried)
        hol__context_forget_errors(sim->ctx, sim->again.said, hol__context_held(sim->ctx));
    hol__context_tell(sim->ctx);
}
