/* generate.c: code for one mechanism: made, checked, written. See holonom/generate.h. */
#include <holonom/generate.h>

#include "base/answer.h"
#include "analysis/parameter_tangent.h"
#include "analysis/symbolic.h"
#include "base/argument.h"
#include "generate/files.h"
#include "generate/folder.h"
#include "model/node.h"

#include <holonom/options.h>

#include <string.h>

typedef struct making {
    hol_context *ctx;
    const hol_spec *spec;
    const hol_generate_options *how;
    hol_options *options;
    hol_model *model;
    hol__arena arena;
    hol__equations equations; /* of the parameters: their symbols, and models with other values */
    hol__program program;
    hol__gstates states;
    hol__gcode code;
} making;

/* ---- what is asked ---- */

/* An explicit Runge-Kutta formula by its name; 0 after an error. */
static int find_formula(making *g, hol__gstages *out) {
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
static double step_of(const making *g) {
    double h = g->how->step;
    if (h == 0) hol_options_get_real(g->options, "step", &h);
    return h > 0 ? h : 0;
}

/* The name of the model file, without folder and ending. */
static const char *name_of(making *g) {
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

/* The symbol and the value of a parameter; 0 after an error. */
static int take_parameter(making *g, int k) {
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
    hol__report(g->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                "there is no parameter '%s' in the model", name);
    return 0;
}

/* Models with other values of the parameters, and what the program needs of them. */
static hol_status take_parameters(making *g) {
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
    hol_spec *spec = hol__spec_copy(e->quiet, g->spec);
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

/* ---- the program ---- */

static hol_status too_large(making *g) {
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
static hol_status compute(making *g) {
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
    const char *why;
    for (int i = 0; i < p->model->n_columns && !p->dag.status; i++) hol__program_column(p, i, &why);
    if (p->dag.status) return too_large(g);
    return hol__program_check(p, g->states.n, g->states.list);
}

/* ---- the answer ---- */

static void tell(making *g, hol_answer *answer) {
    const hol__program *p = &g->program;
    const hol__gcode *c = &g->code;
    hol__answer_text(answer, "folder", "folder", "%s", g->how->folder);
    hol__answer_text(answer, "name", "name", "%s", c->name);
    hol__answer_text(answer, "integrator", "integrator", "%s: %s", c->formula.name,
                     c->formula.title);
    hol__answer_number(answer, "coordinates", "coordinates", p->model->nq, "");
    hol__answer_number(answer, "velocities", "velocities", p->model->nv, "");
    hol__answer_number(answer, "constraints", "constraints", p->model->m, "");
    hol__answer_number(answer, "independent", "independent constraints", p->n_kept, "");
    hol__answer_number(answer, "operations", "operations of an evaluation",
                       (double)c->rhs_operations, "");
    if (p->model->m)
        hol__answer_number(answer, "projection", "operations of a projection",
                           (double)c->project_operations, "");
    hol__answer_number(answer, "outputs", "outputs", c->n_outputs, "");
    hol__answer_text(answer, "checked", "checked",
                     "against the library at %d states: largest difference %.1g", 2 * g->states.n,
                     p->worst);
}

/* ---- files ---- */

typedef hol_status file_fn(hol__gcode *c, hol__text *out);

static hol_status write_files(making *g) {
    const struct {
        const char *ending; /* behind the name; or the whole, where it is a name itself */
        int whole;
        file_fn *write;
    } rows[] = {{".c", 0, hol__gcode_source},
                {".h", 0, hol__gcode_header},
                {"test.c", 1, hol__gcode_test},
                {"Makefile", 1, hol__gcode_makefile},
                {"README.md", 1, hol__gcode_readme},
                {"_lanes.h", 0, hol__gcode_lanes_header},
                {"_lanes.c", 0, hol__gcode_lanes_source}};
    enum { FILES = sizeof rows / sizeof *rows };
    const int n = g->code.lanes ? FILES : FILES - 2;
    hol__gfile files[FILES];
    hol_status status = HOL_OK;
    for (int i = 0; i < FILES; i++) {
        hol__text_init(&files[i].text, g->ctx);
        files[i].name =
            hol__arena_format(&g->arena, "%s%s", rows[i].whole ? "" : g->code.name, rows[i].ending);
        if (!status && i < n) status = rows[i].write(&g->code, &files[i].text);
        if (!files[i].name || files[i].text.failed) status = HOL_ERR_MEMORY;
    }
    if (!status) status = hol__gfolder_write(g->ctx, g->how->folder, n, files);
    for (int i = 0; i < FILES; i++) hol__text_free(&files[i].text);
    return status;
}

/* ---- all ---- */

static hol_status make(making *g) {
    hol__gstages formula;
    if (!find_formula(g, &formula)) return HOL_ERR_ARGUMENT;
    if (g->how->lanes != 0 && g->how->lanes != 4 && g->how->lanes != 8)
        return hol__report(g->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "%d lanes: there are 4, 8 or none", g->how->lanes);
    hol_status status =
        hol__gstates_make(g->ctx, g->model, g->options, formula.name, step_of(g), &g->states);
    g->program = (hol__program){.ctx = g->ctx,
                                .model = g->model,
                                .n_models = 1,
                                .models = (const hol_model *const *)&g->model};
    if (!status && g->how->n_parameters) status = take_parameters(g);
    if (!status) status = compute(g);
    if (status) return status;
    g->code = (hol__gcode){.program = &g->program,
                           .states = &g->states,
                           .formula = formula,
                           .name = name_of(g),
                           .model = g->model->name,
                           .hash = g->model->hash,
                           .lanes = g->how->lanes};
    status = g->arena.failed ? HOL_ERR_MEMORY : hol__gcode_names(&g->code, &g->arena);
    return status ? status : write_files(g);
}

hol_status hol_generate(hol_context *ctx, const hol_spec *spec, const hol_generate_options *how,
                        hol_answer **out) {
    static const char call[] = "hol_generate";
    if (!ctx || hol__need(ctx, call, "the description", spec) ||
        hol__need(ctx, call, "the options", how) ||
        hol__need(ctx, call, "the folder", how->folder) || hol__need(ctx, call, "the answer", out))
        return HOL_ERR_ARGUMENT;
    *out = NULL;
    making g = {.ctx = ctx, .spec = spec, .how = how};
    hol__arena_init(&g.arena, ctx);
    hol__arena_init(&g.states.arena, ctx);
    hol_message_clear(ctx);
    g.options = hol_options_from_spec(ctx, spec);
    if (g.options) g.model = hol_model_compile(ctx, spec, "relative");
    hol_status status = g.model ? HOL_OK : hol__why_not_made(ctx);
    hol_answer *answer =
        status ? NULL : hol__answer_of(ctx, "generate", "generated code", g.model->name);
    if (!status && !answer) status = HOL_ERR_MEMORY;
    if (!status) status = make(&g);
    if (!status) tell(&g, answer);
    if (answer) status = hol__answer_finish(answer, status, out);
    for (int k = 1; k < g.equations.n_models; k++) hol_model_free(g.equations.models[k]);
    hol__program_close(&g.program);
    hol_context_free(g.equations.quiet);
    hol__gstates_free(&g.states);
    hol__arena_free(&g.arena);
    hol_options_free(g.options);
    hol_model_free(g.model);
    return status;
}
