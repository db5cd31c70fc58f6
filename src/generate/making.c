/* making.c: from a description to the computation of its mechanism, checked and with its names. See
 * making.h. */
#include "generate/making.h"

#include "analysis/parameter_tangent.h"
#include "analysis/symbolic.h"
#include "base/argument.h"
#include "model/node.h"

#include <holonom/options.h>

#include <string.h>

/* ---- what is asked ---- */

/* An explicit Runge-Kutta formula by its name; 0 after an error. */
static int find_formula(hol__making *g, hol__gstages *out) {
    const char *word = g->how->integrator;
    hol_location where = {0};
    if (!word && hol_options_is_given(g->options, "integrator")) {
        hol_options_get_choice(g->options, "integrator", &word);
        where = hol_options_where(g->options, "integrator");
    }
    if (hol__gstages_find(word ? word : "rk4", out)) return 1;
    hol__report(g->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, "simulation",
                "integrator '%s': no code can be generated for it: there are explicit Runge-Kutta "
                "formulas of fixed step; use euler, heun, rk4, bs32, dopri5 or dop853",
                word ? word : "");
    return 0;
}

/* The step of the comparison: as given, or of the description; 0: none. */
static double step_of(const hol__making *g) {
    double h = g->how->step;
    if (h == 0) hol_options_get_real(g->options, "step", &h);
    return h > 0 ? h : 0;
}

/* The name of the model file, without folder and ending. */
static const char *name_of(hol__making *g) {
    const char *path = g->how->name ? g->how->name : g->model->source,
               *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path;
    if (g->how->name) return g->how->name;
    if (!name || !*name) return "mechanism";
    const char *dot = strchr(name, '.');
    return hol__arena_text_n(&g->arena, name,
                             dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* ---- parameters that stay inputs ---- */

/* The name of parameter i of the description. */
static const char *name_at(const void *equations, int i) {
    const hol__equations *e = equations;
    return i < e->n_names ? e->names[i] : NULL;
}

/* The symbol and the value of a parameter; 0 after an error. */
static int take_parameter(hol__making *g, int k) {
    const hol__equations *e = &g->equations;
    const char *name = g->how->parameters[k];
    for (int i = 0; i < e->n_names; i++) {
        if (strcmp(e->names[i], name) != 0) continue;
        const int symbol = e->values[i] && e->values[i]->kind == HOL__SYM_SYMBOL;
        if (symbol && !e->definition[i]) {
            g->program.parameter_value[k] = e->numbers.sample[0][e->values[i]->symbol];
            return 1;
        }
        hol__report(g->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                    symbol ? "parameter '%s' follows from others: name those"
                           : "parameter '%s' cannot be an input: with another value the model has "
                             "other coordinates or constraints",
                    name);
        return 0;
    }
    char hint[160];
    hol__did_you_mean(hol__nearest(name, name_at, e), hint, sizeof hint);
    hol__report(g->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                "there is no parameter '%s' in the model%s", name, hint);
    return 0;
}

/* Models with other values of the parameters, and what the program needs of them. */
static hol_status take_parameters(hol__making *g) {
    hol__equations *e = &g->equations;
    hol__program *p = &g->program;
    const int n = g->how->n_parameters;
    *e = (hol__equations){.ctx = g->ctx,
                          .quiet = hol__context_like(g->ctx),
                          .n_wanted = n,
                          .wanted = g->how->parameters};
    e->a = p->a = e->quiet ? hol__algebra_new(g->ctx, HOL__PROGRAM_FORMULAS) : NULL;
    p->parameter = HOL__NEW_N(&g->arena, const char *, n + 1);
    p->parameter_value = HOL__NEW_N(&g->arena, double, n + 1);
    if (!e->a || g->arena.failed) return HOL_ERR_MEMORY;
    e->to = (hol__symbolic){.a = e->a, .model = g->model, .numbers = &e->numbers};
    hol_spec *spec = hol_spec_copy(e->quiet, g->spec);
    hol_status status = spec ? hol_spec_set(spec, "simulation.coordinates", "relative", "generate")
                             : HOL_ERR_MEMORY;
    if (!status) status = hol__symbolic_models(e, spec, g->model);
    hol_spec_free(spec);
    const hol_model **all = HOL__NEW_N(&g->arena, const hol_model *, e->n_models + 1);
    if (!status && !all) status = HOL_ERR_MEMORY;
    for (int k = 0; k < n && !status; k++) {
        p->parameter[k] = g->how->parameters[k];
        if (!take_parameter(g, k)) status = HOL_ERR_ARGUMENT;
    }
    if (status) return status;
    for (int k = 0; k < e->n_models; k++) all[k] = k ? e->models[k] : g->model;
    p->to = e->to;
    p->numbers = e->numbers;
    p->n_parameters = n;
    p->n_models = e->n_models;
    p->models = all;
    p->n_names = e->n_names;
    p->names = e->names;
    p->symbols = e->values;
    p->definitions = e->definition;
    p->samples = (const double *const *)e->numbers.sample;
    return HOL_OK;
}

/* The models with other values, behind that of the description. */
static hol_status take_others(hol__making *g) {
    hol__program *p = &g->program;
    const hol_model **all = HOL__NEW_N(&g->arena, const hol_model *, g->n_others + 1);
    if (!all) return HOL_ERR_MEMORY;
    all[0] = g->model;
    for (int k = 0; k < g->n_others; k++) {
        const hol_model *m = all[k + 1] = g->others[k];
        if (m->nq != g->model->nq || m->nv != g->model->nv || m->m != g->model->m ||
            m->n_angles != g->model->n_angles || m->n_con_batches != g->model->n_con_batches ||
            m->n_force_batches != g->model->n_force_batches)
            return hol__report(g->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "no code can be generated for all values: with some of them the "
                               "model has other coordinates or constraints");
    }
    p->n_models = 1 + g->n_others;
    p->models = all;
    p->open = 1;
    return HOL_OK;
}

/* ---- the program ---- */

static hol_status too_large(hol__making *g) {
    const char *why = g->program.dag.why;
    if (g->program.dag.status != HOL_ERR_ARGUMENT && g->program.a &&
        g->program.a->status != HOL_ERR_ARGUMENT)
        return HOL_ERR_MEMORY;
    return hol__report(g->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "no code can be generated for this model: %s; 'holonom run --coordinates "
                       "relative' takes it",
                       why ? why : "its formulas are too long");
}

/* The mechanism as a computation, and its check. */
static hol_status compute(hol__making *g) {
    hol__program *p = &g->program;
    hol_status status = hol__program_open(p);
    if (!status) status = hol__program_rows(p, g->states.n, g->states.list);
    if (!status) status = hol__program_weigh(p, g->states.n, g->states.list);
    if (status) {
        if (!hol_message_count(g->ctx)) return too_large(g);
        return status;
    }
    hol__program_solve(p);
    hol__program_partition(p, g->states.n, g->states.list);
    hol__program_power(p);
    const char *why;
    for (int i = 0; i < p->model->n_columns && !p->dag.status; i++) hol__program_column(p, i, &why);
    if (p->dag.status) return too_large(g);
    return hol__program_check(p, g->states.n, g->states.list);
}

/* ---- all ---- */

static hol_status make(hol__making *g) {
    hol__gstages formula;
    if (!find_formula(g, &formula)) return HOL_ERR_ARGUMENT;
    hol_status status =
        hol__gstates_make(g->ctx, g->model, g->options, formula.name, step_of(g), &g->states);
    g->program = (hol__program){.ctx = g->ctx,
                                .model = g->model,
                                .n_models = 1,
                                .models = (const hol_model *const *)&g->model};
    if (!status && g->how->n_parameters) status = take_parameters(g);
    if (!status && g->n_others) status = take_others(g);
    if (!status) status = compute(g);
    if (status) return status;
    g->code = (hol__gcode){.program = &g->program,
                           .states = &g->states,
                           .formula = formula,
                           .name = name_of(g),
                           .model = g->model->name,
                           .hash = g->model->hash,
                           .lanes = g->how->lanes};
    return g->arena.failed ? HOL_ERR_MEMORY : hol__gcode_names(&g->code, &g->arena);
}

hol_status hol__making_open(hol__making *g, hol_context *ctx, const hol_spec *spec,
                            const hol_generate_options *how) {
    return hol__making_open_varied(g, ctx, spec, how, 0, NULL);
}

hol_status hol__making_open_varied(hol__making *g, hol_context *ctx, const hol_spec *spec,
                                   const hol_generate_options *how, int n_others,
                                   const hol_model *const *others) {
    *g =
        (hol__making){.ctx = ctx, .spec = spec, .how = how, .n_others = n_others, .others = others};
    hol__arena_init(&g->arena, ctx);
    hol__arena_init(&g->states.arena, ctx);
    g->options = hol_options_from_spec(ctx, spec);
    if (g->options) g->model = hol_model_compile(ctx, spec, "relative");
    return g->model ? make(g) : hol__why_not_made(ctx);
}

void hol__making_close(hol__making *g) {
    for (int k = 1; k < g->equations.n_models; k++) hol_model_free(g->equations.models[k]);
    hol__program_close(&g->program);
    hol_context_free(g->equations.quiet);
    hol__gstates_free(&g->states);
    hol__arena_free(&g->arena);
    hol_options_free(g->options);
    hol_model_free(g->model);
}
