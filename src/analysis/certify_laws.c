/* certify_laws.c: forces whose energy is not what they do.
 *
 * What a force does to its bodies comes out of its potential energy, or is counted as lost or fed
 * in:
 *
 *     P + V' + D = 0      P: power on its bodies, D: what leaves the energy there
 *
 * V' along the motion, by differences of order four over states moved along it (nudge.h). Together
 * with the masses this is the energy balance of the whole, force by force.
 */
#include "analysis/certify.h"

#include "analysis/nudge.h"
#include "dyn/probe.h"
#include "sim/sim.h"

#include <math.h>

/* What is missing of the sum for a force at the state of `at`, solved; *largest takes the largest
 * power. */
static double missing(hol__nudge *nudge, const hol_data *at, hol_data *room, int force, double h,
                      double *largest) {
    const hol__direction along = {.dq = at->v, .dv = at->a, .dz = at->aux_rate, .dt = 1};
    hol__told told;
    double rate = 0;
    for (int i = 0; i < HOL__STENCIL; i++) {
        hol__nudge_put(nudge, at, hol__stencil[i].at * h, &along, room);
        if (hol_data_update(room, HOL_STAGE_DYN)) return 0;
        hol__data_tell(room, force, &told);
        rate += hol__stencil[i].weight / h * told.energy;
    }
    hol__nudge_put(nudge, at, 0, &along, room);
    if (hol_data_update(room, HOL_STAGE_DYN)) return 0;
    hol__data_tell(room, force, &told);
    *largest = fmax(*largest, fmax(fabs(told.power), fmax(fabs(rate), fabs(told.loss))));
    return told.power + rate + told.loss;
}

hol_status hol__certify_laws(hol_sim *sim, int *force, double *by) {
    hol_data *data = hol_sim_data(sim), *room = hol_data_new(data->ctx, data->model);
    hol__nudge nudge = {0};
    hol__arena arena;
    hol_status status = room ? hol_data_update(data, HOL_STAGE_ACC) : HOL_ERR_MEMORY;
    double largest = 0, worst = 0;
    *force = -1;
    *by = 0;
    hol__arena_init(&arena, data->ctx);
    if (!status) status = hol_data_copy(room, data);
    if (!status && !hol__nudge_init(&nudge, data->model, &arena)) status = HOL_ERR_MEMORY;
    const double h = status ? 0 : 1e-3 / hol__nudge_rate(data);
    for (int i = 0; i < data->model->n_forces && !status; i++) {
        if (data->model->forces[i].off) continue;
        const double m = fabs(missing(&nudge, data, room, i, h, &largest));
        if (m > worst) worst = m, *force = i;
    }
    if (worst > 0 && largest > 0) *by = worst / largest;
    hol__arena_free(&arena);
    hol_data_free(room);
    return status;
}

/* The worst state of a run. */
typedef struct search {
    int force;
    double by, t;
} search;

static hol_status on_output(void *user, hol_sim *sim) {
    search *s = user;
    int force;
    double by;
    const hol_status status = hol__certify_laws(sim, &force, &by);
    if (!status && by > s->by) *s = (search){force, by, hol_data_time(hol_sim_data(sim))};
    return status == HOL_ERR_MEMORY ? status : HOL_OK;
}

hol_status hol__certify_find_law(hol__certify *c, int *force, double *by, double *t) {
    const hol__run_setting *with = &c->witness[c->answer].coarse.with;
    const hol_model *m = hol__certify_model(c, with->coordinates);
    hol_options *options = m ? hol__certify_options(c, with) : NULL;
    hol_sim *sim = options ? hol_sim_new(c->quiet, m, options) : NULL;
    search s = {.force = -1};
    const hol_observer observer = {on_output, NULL, &s};
    const hol_status status = sim ? hol_sim_run(sim, &observer) : HOL_ERR_MEMORY;
    hol_sim_free(sim);
    hol_options_free(options);
    *force = s.force;
    *by = s.by;
    *t = s.t;
    return status == HOL_ERR_MEMORY ? status : HOL_OK;
}
