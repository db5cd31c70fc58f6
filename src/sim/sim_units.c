/* sim_units.c: the units that the results of a run are shown in: the option `units`, and the key
 * `unit` of measures. */
#include "base/argument.h"
#include "sim/sim.h"

#include "base/option.h"

hol_status hol__sim_read_units(hol_sim *sim) {
    const int i = hol__options_find(sim->given, "units");
    const hol__option_text *texts = i < 0 ? NULL : hol__options_texts(sim->given, i);
    hol_status status = HOL_OK;
    for (int k = 0; texts && k < (int)hol__options_value(sim->given, i); k++)
        if (hol__unit_set_add(sim->ctx, &sim->units, texts[k].text, &texts[k].where))
            status = HOL_ERR_INPUT;
    return status;
}

void hol_sim_unit(const hol_sim *sim, const char *si, hol_unit *out) {
    if (out) *out = (hol_unit){.times = 1, .over = 1};
    if (sim && out) hol__unit_set_show(&sim->units, si ? si : "", out);
}

hol_status hol_sim_measure_unit(const hol_sim *sim, int measure, hol_unit *out) {
    static const char call[] = "hol_sim_measure_unit";
    if (!sim) return HOL_ERR_ARGUMENT;
    const hol_model *model = sim->whole;
    if (hol__need_index(sim->ctx, call, "measured column", measure, model->n_columns) ||
        hol__need(sim->ctx, call, "the unit to fill", out))
        return HOL_ERR_ARGUMENT;
    const hol_unit *asked = hol__model_asked_unit(model, measure);
    if (asked)
        *out = *asked;
    else
        hol_sim_unit(sim, model->columns[measure].unit, out);
    return HOL_OK;
}
