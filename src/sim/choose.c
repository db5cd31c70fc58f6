/* choose.c: from the options to method, kernel, stabiliser, correction and integrator. */
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

/* The index of a choice option; 0 is `auto`. */
static int chosen(const hol_sim *sim, int option) {
    return (int)sim->options[option];
}

/* The method: `auto` means Lagrange multipliers with the mass-weighted direct correction, which holds the constraints at rounding,
 * takes redundant ones, and passes singular positions. */
static void choose_method(hol_sim *sim) {
    const int method = chosen(sim, HOL__OPT_METHOD), correction = chosen(sim, HOL__OPT_CORRECTION);
    sim->method = method ? hol__method_get(method - 1) : hol__method_find("direct-correction");
    if (correction)
        sim->correction_type = hol__correction_get(correction - 1);
    else
        sim->correction_type = hol__correction_find(method ? sim->method->correction : "direct-mass");
    const int kernel = chosen(sim, HOL__OPT_KERNEL), stabilizer = chosen(sim, HOL__OPT_STABILIZER);
    /* methods that solve through their frame still take a kernel for reactions and corrections */
    sim->kernel_type = kernel ? hol__kernel_get(kernel - 1) : hol__kernel_find(sim->method->kernel);
    if (!sim->kernel_type) sim->kernel_type = hol__kernel_find("kkt");
    const int basis = chosen(sim, HOL__OPT_BASIS);
    const char *name = basis ? hol_options(&(int){0})[HOL__OPT_BASIS].choice(basis) : sim->method->basis;
    sim->frame_basis = strcmp(name, "svd") == 0 ? HOL__FRAME_SVD : strcmp(name, "qr") == 0 ? HOL__FRAME_QR : HOL__FRAME_PARTITION;
    sim->stabilizer =
        stabilizer ? hol__stabilizer_get(stabilizer - 1) : hol__stabilizer_find(sim->method->stabilizer);
}

/* The formula: a fixed step takes rk4; chosen steps take 8(5,3) for tight tolerances, 5(4) otherwise. */
static hol_status choose_integrator(hol_sim *sim) {
    const int integrator = chosen(sim, HOL__OPT_INTEGRATOR);
    const double step = sim->options[HOL__OPT_STEP], tolerance = sim->options[HOL__OPT_TOLERANCE];
    sim->table = integrator ? hol__rk_get(integrator - 1)
                            : hol__rk_find(step > 0 ? "rk4" : tolerance <= 1e-7 ? "dop853" : "dopri5");
    if (!sim->table->error_order && !(step > 0))
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &sim->model->option_where[HOL__OPT_INTEGRATOR], "simulation",
                           "the integrator '%s' has no error estimate and needs a fixed step; set `step`, or take bs32, dopri5 or "
                           "dop853",
                           sim->table->name);
    return HOL_OK;
}

/* A kernel that cannot take a singular mass matrix is refused where there is one. */
static hol_status check_kernel(hol_sim *sim) {
    for (int i = 0; i < sim->model->nb; i++) {
        const hol__body *b = &sim->model->bodies[i];
        if (b->singular && !(sim->kernel_type->flags & HOL__KERNEL_SINGULAR_MASS))
            return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &b->where, b->label,
                               "has no inertia in some direction, which the kernel '%s' cannot take; use the kernel kkt or give it "
                               "an inertia",
                               sim->kernel_type->name);
    }
    return HOL_OK;
}

hol_status hol__sim_choose(hol_sim *sim) {
    choose_method(sim);
    const hol_status status = choose_integrator(sim);
    if (status) return status;
    const int auto_method = !chosen(sim, HOL__OPT_METHOD), auto_integrator = !chosen(sim, HOL__OPT_INTEGRATOR);
    size_t used = 0;
    if (auto_method)
        used = (size_t)snprintf(sim->choice, sizeof sim->choice, "method %s with correction %s (constraints stay at rounding)",
                                sim->method->name, sim->correction_type->name);
    if (auto_integrator)
        snprintf(sim->choice + used, sizeof sim->choice - used, "%sintegrator %s (%s)", used ? "; " : "", sim->table->name,
                 sim->options[HOL__OPT_STEP] > 0                ? "fixed step"
                 : sim->options[HOL__OPT_TOLERANCE] <= 1e-7 ? "tight tolerance"
                                                                : "moderate tolerance");
    return check_kernel(sim);
}
