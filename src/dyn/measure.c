/* measure.c: evaluation of measures at the current state, in the order that expressions need. */
#include "base/argument.h"
#include "dyn/data.h"

#include <math.h>
#include <string.h>

/* NaN where the equations of motion cannot be solved. */
static hol_reaction reaction_of(void *self, int joint) {
    hol_reaction reaction = {.size = sizeof reaction};
    hol_data_reaction(self, joint, &reaction);
    return reaction;
}

static hol_energy energy_of(void *self) {
    hol_energy energy;
    hol__data_energy(self, &energy);
    return energy;
}

static void force_of(void *self, int force, hol__told *out) {
    hol__data_tell(self, force, out);
}

static void weight_of(void *self, int body, hol__told *out) {
    hol__data_weigh(self, body, out);
}

static double multiplier_of(void *self, int joint, int row) {
    return hol__data_multiplier(self, joint, row);
}

static double power_of(void *self, int joint) {
    return hol__data_joint_power(self, joint);
}

static hol__measure_args arguments(hol_data *d) {
    return (hol__measure_args){.bodies = d->bodies,
                               .acc = d->acc,
                               .inputs = d->inputs,
                               .scratch = d->scratch,
                               .angles = d->angles,
                               .memory = d->memory,
                               .self = d,
                               .reaction = reaction_of,
                               .energy = energy_of,
                               .force = force_of,
                               .multiplier = multiplier_of,
                               .power = power_of,
                               .weight = weight_of};
}

/* One measure into its place among the inputs; NaN where the equations cannot be solved. */
static void evaluate(hol_data *d, const hol__measure *m, const hol__measure_args *args) {
    double *out = d->inputs + 1 + m->first;
    if (m->level == HOL__LEVEL_ACC && !d->solved)
        for (int i = 0; i < m->count; i++) out[i] = NAN;
    else
        m->type->eval(m, args, out);
}

void hol__measure_live(hol_data *d) {
    const hol_model *model = d->model;
    for (int i = 0, left = model->n_live; i < model->n_measures && left > 0; i++) {
        const hol__measure *m = &model->measures[model->measure_order[i]];
        if (!m->live) continue;
        left--;
        const hol__measure_args args = arguments(d);
        evaluate(d, m, &args);
    }
}

/* What the measures need, all together. */
static hol__level needed(const hol_model *model) {
    hol__level most = HOL__LEVEL_POS;
    for (int i = 0; i < model->n_measures; i++)
        if (model->measures[i].level > most) most = model->measures[i].level;
    return most;
}

/* Evaluate all measures; with the status of what they need. */
static hol_status measure(hol_data *d) {
    static const hol_stage stages[] = {[HOL__LEVEL_POS] = HOL_STAGE_POS,
                                       [HOL__LEVEL_VEL] = HOL_STAGE_VEL,
                                       [HOL__LEVEL_FORCE] = HOL_STAGE_DYN,
                                       [HOL__LEVEL_ACC] = HOL_STAGE_DYN};
    const hol_model *model = d->model;
    const hol__level level = needed(model);
    hol_status status = hol_data_update(d, stages[level]);
    if (!status && level == HOL__LEVEL_ACC) status = hol__data_accelerate(d);
    if (d->solved) hol__data_accelerations(d);
    const hol__measure_args args = arguments(d);
    for (int i = 0; i < model->n_measures; i++)
        evaluate(d, &model->measures[model->measure_order[i]], &args);
    if (!status) d->known |= HOL__KNOWN_MEASURES;
    return status;
}

hol_status hol__measure_all(hol_data *d, double *out) {
    const hol_status status = d->known & HOL__KNOWN_MEASURES ? HOL_OK : measure(d);
    if (out) memcpy(out, d->inputs + 1, sizeof(double) * (size_t)d->model->n_columns);
    return status;
}

hol_status hol_data_measure(hol_data *data, int column, double *out) {
    static const char call[] = "hol_data_measure";
    if (!data) return HOL_ERR_ARGUMENT;
    hol_status bad = hol__need_index(data->ctx, call, "column", column, data->model->n_columns);
    if (!bad) bad = hol__need(data->ctx, call, "the number to fill", out);
    if (bad) return bad;
    const hol_status status = hol__measure_all(data, NULL);
    *out = data->inputs[1 + column];
    /* what could not be solved need not concern it */
    return isnan(*out) ? hol__data_answer(data, status) : HOL_OK;
}
