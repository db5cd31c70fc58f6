/* twin.c: reactions in coordinates where joints hold by themselves: the equations of motion in reference-point coordinates at the
 * same state, by one solve of the kernel where reactions are asked for. */
#include "sim/sim.h"

/* lambda and a of the twin at its state. */
static hol_status solve(void *self, hol_data *twin) {
    hol_sim *sim = self;
    hol_status status = hol_data_update(twin, HOL_STAGE_DYN);
    if (!status) status = hol__kernel_factor(sim->twin_kernel, hol__data_mass(twin), &twin->A);
    if (!status)
        status = hol__kernel_solve(sim->twin_kernel, twin->Q, twin->c, twin->a, twin->lambda);
    twin->solved = !status;
    return status;
}

/* Which multipliers are unique. */
static hol_status analyse(hol_sim *sim) {
    const int m = sim->twin->model->m;
    hol__rank_result found = {.redundant = HOL__NEW_N(&sim->arena, unsigned char, m + 1),
                              .undetermined = HOL__NEW_N(&sim->arena, unsigned char, m + 1)};
    if (sim->arena.failed) return HOL_ERR_MEMORY;
    hol_data_update(sim->twin, HOL_STAGE_POS);
    const hol_status status = hol__rank_analyse(sim->ctx, &sim->twin->A, 0, &found);
    sim->twin->undetermined = !status && found.rank < m ? found.undetermined : NULL;
    return status;
}

hol_status hol__sim_twin(hol_sim *sim, const hol__kernel_options *options) {
    sim->twin = hol_data_new(sim->model->reference);
    if (!sim->twin) return HOL_ERR_MEMORY;
    hol_status status = hol__kernel_new(sim->ctx, &hol__kernel_kkt, &sim->twin->M, &sim->twin->A,
                                        options, &sim->twin_kernel);
    if (status) return status;
    sim->data->twin = sim->twin;
    sim->data->solve_twin = solve;
    sim->data->twin_self = sim;
    hol__data_twin(sim->data);
    return analyse(sim);
}
