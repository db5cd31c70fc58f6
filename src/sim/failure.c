/* failure.c: what is known of a run that has failed, at its last good state.
 *
 * The error itself says what went wrong and which element it was. Beside it stands one note with
 * the figures by which such an error is judged: how far the run came, how long its steps were, how
 * well the constraints and the energy balance held until then, how near the constraints were to
 * losing rank.
 */
#include "base/text.h"
#include "math/vec3.h"
#include "sim/sim.h"

#include <math.h>

/* The largest of n residuals; -1: there are none. */
static int largest(const double *residual, int n) {
    int worst = -1;
    for (int i = 0; i < n; i++)
        if (worst < 0 || !(fabs(residual[i]) <= fabs(residual[worst]))) worst = i;
    return worst;
}

/* "; positions are off by 2e-13 (joint 'C')". */
static void add_residual(hol__text *text, const hol_sim *sim, const char *what,
                         const double *residual, int n) {
    const int i = largest(residual, n);
    if (i < 0) {
        hol__text_add(text, "; %s are off by 0: nothing constrains them", what);
        return;
    }
    const hol_row *row = &sim->model->rows[i];
    hol__text_add(text, "; %s are off by %.2g at most (%s)", what, fabs(residual[i]),
                  row->element ? row->element : "a body");
}

static int has_springs(const hol_sim *sim) {
    return sim->kernel_type == &hol__kernel_penalty || sim->state == &hol__state_canonical_basic;
}

/* The fastest turn of a body. */
static double fastest_turn(const hol_sim *sim) {
    const hol__bodies *b = &sim->data->bodies;
    double most = 0;
    for (int i = 0; i < sim->model->nb; i++)
        most = fmax(most, b->b2 ? fabs(b->b2[i].w) : hol__norm3(b->b3[i].w));
    return most;
}

/* Where constraints are springs whose directions turn, iterations of a given step end at a length
 * that follows from both (docs/theory/radau.md). */
static void add_springs(hol__text *text, const hol_sim *sim) {
    const double penalty = sim->options[HOL__OPT_PENALTY], turn = fastest_turn(sim);
    if (!(sim->options[HOL__OPT_STEP] > 0) || !sim->stepper->iterates || !has_springs(sim)) return;
    if (!(turn > 0)) return;
    hol__text_add(
        text,
        "; the constraints are springs of this method (penalty %.3g), and the bodies turn "
        "by %.3g rad/s: iterations of implicit formulas converge for steps well below "
        "(penalty w^2)^(-1/4) = %.2g s alone, the shorter the weaker a constraint is; try "
        "a quarter of that, leave out `step`, or take a method whose constraints are no "
        "springs (lagrange, augmented-lagrangian, canonical-augmented)",
        penalty, turn, pow(penalty * turn * turn, -0.25));
}

/* The kernels that factor rows, until one has read how far they are from losing rank: 0, none. */
static double weakest_share(const hol_sim *sim) {
    const hol__correction *c = sim->correction;
    const hol__kernel *const kernels[] = {sim->kernel, c->positions, c->velocities};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i] && kernels[i]->info.condition > 0 && isfinite(kernels[i]->info.condition))
            return kernels[i]->info.condition;
    return 0;
}

/* "; the weakest constraint has a share of 2e-4 (rank_tolerance 1e-11)". */
static void add_condition(hol__text *text, const hol_sim *sim) {
    const double share = weakest_share(sim);
    if (!sim->model->m)
        hol__text_add(text, "; there are no constraints that could lose rank");
    else if (share > 0)
        hol__text_add(text, "; the weakest constraint has a share of %.2g (rank_tolerance %.2g)",
                      share, sim->options[HOL__OPT_RANK_TOLERANCE]);
    else
        hol__text_add(text, "; the kernel %s does not tell the share of the weakest constraint",
                      sim->kernel_type->name);
}

/* How well everything held at the state in data, and what changes the fastest there. */
static void add_figures(hol__text *text, hol_sim *sim) {
    const hol_model *m = sim->model;
    hol_data *data = sim->data;
    if (hol_data_update(data, HOL_STAGE_VEL) == HOL_OK) {
        hol__data_psi(data);
        add_residual(text, sim, "positions", data->Phi, m->mh);
        add_residual(text, sim, "velocities", data->psi, m->m);
    }
    hol__text_add(text, "; the energy balance has changed by %.2g of the energy that moves",
                  (sim->balance - sim->balance0) / hol__sim_energy_scale(sim));
    add_condition(text, sim);
    char name[128];
    hol__creep_fastest(sim, name, sizeof name);
    if (*name) hol__text_add(text, "; the velocity that changes the fastest is '%s'", name);
}

void hol__failure_describe(hol_sim *sim, hol_status status) {
    const int judged = status > 0 || status == HOL_ERR_TOLERANCE || status == HOL_ERR_SINGULAR ||
                       status == HOL_ERR_INPUT || status == HOL_ERR_ASSEMBLY;
    if (!judged || !sim->started || sim->broken || sim->end != HOL_END_FAILED || sim->described)
        return;
    const hol__integ_stats stats = hol__integrator_stats(sim->integ);
    hol__text text;
    hol__text_init(&text, sim->ctx);
    sim->described = 1;
    hol__text_add(&text, "t = %.12g, after %ld steps, the last of %.3g s, and %ld thrown away",
                  sim->data->t, stats.steps, stats.last_step, stats.rejected + stats.failures);
    if (sim->again.tried) hol__text_add(&text, "; tried again with everything factored anew");
    add_figures(&text, sim);
    add_springs(&text, sim);
    if (!text.failed)
        hol__report(sim->ctx, HOL_NOTE, HOL_OK, NULL, "the last good state", "%s", text.data);
    hol__text_free(&text);
}
