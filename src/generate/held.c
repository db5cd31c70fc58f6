/* held.c: variables as parameters. See held.h.
 *
 *     measures.F: {type: variable, value: 3, unit: N}  ->  parameters.F: 3 N
 */
#include "generate/held.h"

#include "base/text.h"
#include "common/format.h"
#include "model/build.h"
#include "model/node.h"

#include <holonom/drive.h>
#include <holonom/model.h>

/* One variable, of which the model tells value and unit. */
static hol_status hold(hol_context *ctx, hol_spec *spec, const hol_model *model, int column) {
    const hol_column *about = hol_model_measure(model, column);
    hol__node *measures = hol__node_get(spec->root, "measures"),
              *measure = hol__node_get(measures, about->name),
              *same = hol__node_get(hol__node_get(spec->root, "parameters"), about->name);
    char text[160];
    double value = 0;
    if (same)
        return hol__error(ctx, &measure->where, NULL,
                          "'%s' is a parameter and a variable: give one of them another name",
                          about->name);
    for (int i = 0; i < model->n_measures; i++)
        if (model->measures[i].first == column) value = model->measures[i].start;
    hol__print(text, sizeof text, "%.17g %s", value, about->unit ? about->unit : "");
    hol__node_remove(measure);
    if (!measures->count) hol__node_remove(measures);
    hol_item *parameters = hol_spec_section(spec, "parameters");
    return parameters ? hol_item_text(parameters, about->name, text) : HOL_ERR_MEMORY;
}

hol_status hol__held_spec(hol_context *ctx, const hol_spec *spec, hol_spec **out) {
    hol_context *quiet = hol__context_like(ctx);
    hol_model *model = quiet ? hol_model_compile(quiet, spec, "relative") : NULL;
    hol_status status = quiet ? HOL_OK : HOL_ERR_MEMORY;
    *out = NULL;
    if (model && hol_model_input(model, 0) >= 0) {
        *out = hol_spec_copy(ctx, spec);
        if (!*out) status = HOL_ERR_MEMORY;
        for (int i = 0, column; !status && (column = hol_model_input(model, i)) >= 0; i++)
            status = hold(ctx, *out, model, column);
    }
    if (status) {
        hol_spec_free(*out);
        *out = NULL;
    }
    hol_model_free(model);
    hol_context_free(quiet);
    return status;
}
