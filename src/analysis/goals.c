/* goals.c: goals and their values. See goals.h. */
#include "analysis/goals_linear.h"

#include "analysis/parameter_tangent.h"
#include "analysis/sliding.h"
#include "base/argument.h"
#include "common/number.h"
#include "model/path.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* ---- the object ---- */

/* The parameters by their names; numbers with paths become parameters of the own description. */
static hol_status name_parameters(hol__goals *g, int n, const char *const *names) {
    g->n_parameters = n;
    g->parameters = HOL__NEW_N(&g->arena, const char *, n + 1);
    g->keys = HOL__NEW_N(&g->arena, const char *, n + 1);
    g->given = HOL__NEW_N(&g->arena, double, n + 1);
    hol_status status = g->arena.failed ? HOL_ERR_MEMORY : HOL_OK;
    for (int j = 0; j < n && !status; j++) {
        g->parameters[j] = hol__arena_text(&g->arena, names[j]);
        status =
            g->parameters[j] ? hol__path_parameter(g->spec, names[j], &g->keys[j]) : HOL_ERR_MEMORY;
    }
    return status;
}

/* Their values in the file. */
static hol_status read_parameters(hol__goals *g, const char *coordinates) {
    hol_status status = HOL_OK;
    for (int j = 0; j < g->n_parameters && !status; j++)
        status = hol__parameter_value(g->ctx, g->spec, coordinates, g->keys[j], &g->given[j]);
    return status;
}

/* Whether the run reaches the times that goals name. */
static hol_status check_times(const hol__goals *g, const hol_options *options) {
    double start = 0, end = 0;
    hol_options_get_real(options, "start", &start);
    hol_options_get_real(options, "end", &end);
    for (int i = 0; i < g->n; i++)
        if (g->goals[i].rule == HOL__GOAL_AT &&
            !(g->goals[i].time >= start && g->goals[i].time <= end))
            return hol__report(g->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "goal '%s': the run goes from %.9g s to %.9g s", g->goals[i].text,
                               start, end);
    return HOL_OK;
}

/* Whether a switch of time alone is passed within the span: not so the ends of a table that reaches
 * over the run, or has it for its period. */
static int is_passed(const hol__expr *e, int k, const double span[2], double *in, double *scratch) {
    hol__instant search = {.clear = span[0]};
    while (!search.found && search.clear < span[1])
        hol__expr_next_instant(e, k, span[1], 256, &search, in, scratch);
    return search.found && search.low > span[0] && search.high < span[1];
}

/* Whether the value of an expression, or its slope, jumps somewhere. */
static int has_corners(const hol__expr *e, const double span[2], double *in, double *scratch) {
    for (int k = 0; k < hol__expr_timed(e); k++)
        if (!hol__cells_are_smooth(hol__expr_timed_cells(e, k)) &&
            is_passed(e, k, span, in, scratch))
            return 1;
    for (int k = 0; k < hol__expr_recorded(e); k++)
        if (!hol__cells_are_smooth(hol__expr_recorded_cells(e, k))) return 1;
    return 0;
}

/* Steps end at the corners of laws and not at those of a measure that no law reads: what is
 * gathered of one is off by a part of the step in which its corner lies. */
static void warn_of_corners(hol__goals *g, const hol_model *model, const hol_options *options,
                            const hol__goal *goal) {
    double span[2] = {0, 0};
    double *in = HOL__NEW_N(&g->arena, double, model->n_inputs + HOL__LOCALS),
           *room = HOL__NEW_N(&g->arena, double, model->n_corners + model->scratch + 1);
    if (!in || !room) return; /* found by the caller */
    hol_options_get_real(options, "start", &span[0]);
    hol_options_get_real(options, "end", &span[1]);
    for (int k = 0; k < model->n_measures && hol__goal_gathers(goal); k++) {
        const hol__measure *m = &model->measures[k];
        if (goal->column < m->first || goal->column >= m->first + m->count) continue;
        if (m->e && !m->live && has_corners(m->e, span, in, room + model->n_corners))
            hol__report(g->ctx, HOL_WARNING, HOL_OK, &m->where, m->label,
                        "goal '%s': the measure has jumps or corners (a comparison, abs, min, "
                        "step), where steps do not end, so that the goal is only as good as steps "
                        "are short, and its derivatives lack what the corners add; write it "
                        "without them, or let a law of the model read it",
                        goal->text);
    }
}

/* The coordinates of the models where none are asked for: those of joints, where they need no
 * constraint and everything acts at all times. Every column is solved for as many numbers then as
 * the mechanism has freedoms. */
static const char *choose_coordinates(const hol__goals *g, const hol_options *options,
                                      const hol_model *model) {
    const char *asked = hol_options_coordinates(options);
    if (strcmp(asked, "auto") != 0 || !model->m || model->n_switched || model->n_slots)
        return asked;
    hol_context *quiet = hol__context_like(g->ctx);
    hol_model *tree = quiet ? hol_model_compile(quiet, g->spec, "relative") : NULL;
    const int open = tree && !tree->m;
    hol_model_free(tree);
    hol_context_free(quiet);
    return open ? "relative" : asked;
}

/* The goals against the measures of the model. */
static hol_status read_goals(hol__goals *g, int n, const hol_goal *list) {
    hol_options *options =
        g->run ? hol_options_copy(g->ctx, g->run) : hol_options_from_spec(g->ctx, g->spec);
    hol_model *model =
        options ? hol_model_compile(g->ctx, g->spec, hol_options_coordinates(options)) : NULL;
    hol_status status = model ? HOL_OK : hol__why_not_made(g->ctx);
    g->goals = HOL__NEW_N(&g->arena, hol__goal, n + 1);
    if (!g->goals) status = HOL_ERR_MEMORY;
    for (g->n = 0; g->n < n && !status; g->n++)
        status = hol__goal_resolve(g->ctx, model, &list[g->n], &g->arena, &g->goals[g->n]);
    if (!status && hol__goal_is_time(&g->goals[g->n]))
        status = hol__report(g->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                             "'%s' is a time of the run, whose derivatives are not computed; "
                             "it can be a response of 'holonom study'",
                             g->goals[g->n].text);
    g->kind = HOL__NEW_N(&g->arena, int, n + 1);
    if (!g->kind) status = HOL_ERR_MEMORY;
    for (int i = 0; i < n && !status; i++)
        while (strcmp(g->goals[g->kind[i]].unit, g->goals[i].unit) != 0) g->kind[i]++;
    if (!status) status = check_times(g, options);
    for (int i = 0; i < n && !status; i++) warn_of_corners(g, model, options, &g->goals[i]);
    if (!status && g->arena.failed) status = HOL_ERR_MEMORY;
    if (model) g->columns = model->n_columns;
    if (!status) g->coordinates = choose_coordinates(g, options, model);
    hol_model_free(model);
    hol_options_free(options);
    return status;
}

hol_status hol__goals_new(hol_context *ctx, const hol_spec *spec, const hol_options *run,
                          int n_parameters, const char *const *parameters, int n_goals,
                          const hol_goal *list, hol__goals **out) {
    hol__goals *g = *out = hol__alloc(ctx, 1, sizeof *g);
    if (!g) return HOL_ERR_MEMORY;
    g->ctx = ctx;
    g->tolerance = 1e-9;
    hol__arena_init(&g->arena, ctx);
    g->spec = hol_spec_copy(ctx, spec);
    g->run = run ? hol_options_copy(ctx, run) : NULL;
    hol_status status = g->spec && (g->run || !run) ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) status = name_parameters(g, n_parameters, parameters);
    if (!status) status = read_goals(g, n_goals, list);
    if (!status) status = read_parameters(g, run ? hol_options_coordinates(run) : "auto");
    if (!status) return HOL_OK;
    hol__goals_free(g);
    *out = NULL;
    return status;
}

void hol__goals_free(hol__goals *g) {
    if (!g) return;
    hol_context_free(g->own);
    hol_options_free(g->run);
    hol_spec_free(g->spec);
    hol__arena_free(&g->arena);
    hol__release(g->ctx, g);
}

const hol__goal *hol__goals_get(const hol__goals *g, int i) {
    return &g->goals[i];
}

void hol__goals_given(const hol__goals *g, double *p) {
    memcpy(p, g->given, sizeof *p * (size_t)g->n_parameters);
}

hol__goals_info hol__goals_describe(const hol__goals *g) {
    return g->info;
}

void hol__goals_set_tolerance(hol__goals *g, double tolerance) {
    g->tolerance = tolerance;
}

const char *hol__goals_reason(const hol__goals *g) {
    return g->reason;
}

/* Whether message i was there before, of another run. */
static int is_repeated(const hol_context *ctx, int i) {
    const hol_message *m = hol_message_get(ctx, i);
    for (int k = 0; k < i; k++) {
        const hol_message *other = hol_message_get(ctx, k);
        if (other->severity == m->severity && strcmp(other->text, m->text) == 0 &&
            other->where.line == m->where.line && other->where.column == m->where.column)
            return 1;
    }
    return 0;
}

void hol__goals_tell(hol__goals *g) {
    for (int i = 0; g->own && i < hol_message_count(g->own); i++) {
        const hol_message *m = hol_message_get(g->own, i);
        if (is_repeated(g->own, i)) continue;
        /* of neighbours that were too far away, where nearer ones did it */
        if (m->severity == HOL_ERROR && !g->reason[0]) continue;
        hol__report(g->ctx, m->severity, m->status, &m->where, m->element, "%s", m->text);
    }
}

/* ---- one run ---- */

/* The description with the values. */
static hol_status set_values(hol__goals *g, const double *p, int j, double shift, hol_spec *spec) {
    hol_status status = HOL_OK;
    for (int k = 0; k < g->n_parameters && !status; k++) {
        char path[300], number[HOL__NUMBER_SIZE];
        const double value = p[k] + (k == j ? shift : 0);
        /* what is as in the file stays as it is written: a formula of other parameters follows */
        if (k != j && p[k] == g->given[k]) continue;
        hol__print(path, sizeof path, "parameters.%s", g->keys[k]);
        status = hol_spec_set(spec, path, hol__number_text(value, number), "parameter");
    }
    return status;
}

hol_status hol__trial_open(hol__goals *g, hol_context *ctx, const double *p, int j, double shift,
                           hol_status (*adapt)(hol_options *options), hol__trial *trial) {
    *trial = (hol__trial){.spec = hol_spec_copy(ctx, g->spec)};
    if (!trial->spec) return HOL_ERR_MEMORY;
    hol_status status = set_values(g, p, j, shift, trial->spec);
    if (status) return status;
    trial->options =
        g->run ? hol_options_copy(ctx, g->run) : hol_options_from_spec(ctx, trial->spec);
    if (trial->options && adapt) status = adapt(trial->options);
    if (trial->options && !status)
        trial->model = hol_model_compile(ctx, trial->spec, g->coordinates);
    if (trial->model) trial->sim = hol_sim_new(ctx, trial->model, trial->options);
    hol__sim_hold_loosely(trial->sim);
    return trial->sim ? HOL_OK : hol__why_not_made(ctx);
}

void hol__trial_close(hol__trial *trial) {
    hol_sim_free(trial->sim);
    hol_model_free(trial->model);
    hol_options_free(trial->options);
    hol_spec_free(trial->spec);
}

/* ---- values ---- */

/* Goals that have no number because the run ended before. */
static hol_status check_values(hol__goals *g, const hol__gather *gather) {
    for (int i = 0; i < g->n; i++)
        if (!isfinite(gather->value[i]))
            return hol__report(g->own, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                               "goal '%s' has no value: the run ended at t = %.9g, or the measure "
                               "is not finite",
                               g->goals[i].text, gather->end);
    return HOL_OK;
}

/* The values at p; differentiable: a run that has no derivatives is an error as soon as that shows.
 */
static hol_status find_values(hol__goals *g, const double *p, int differentiable,
                              hol__gather *gather) {
    hol__sliding sliding = {gather, g->own};
    hol__trial trial;
    hol_status status = hol__trial_open(g, g->own, p, -1, 0, NULL, &trial);
    if (!status)
        status = differentiable ? hol__passage_run(trial.sim, &hol__sliding_watcher, &sliding)
                                : hol__passage_run(trial.sim, &hol__gather_watcher, gather);
    if (!status) hol__verdict_say(trial.sim);
    if (!status) status = check_values(g, gather);
    hol__trial_close(&trial);
    return status;
}

/* What the evaluation has said last as an error, as its reason; and its status for the caller. */
static hol_status conclude(hol__goals *g, hol_status status) {
    g->reason[0] = '\0';
    if (!status) return HOL_OK;
    for (int i = 0; i < hol_message_count(g->own); i++) {
        const hol_message *m = hol_message_get(g->own, i);
        if (m->severity != HOL_ERROR) continue;
        hol__print(g->reason, sizeof g->reason, "%s%s%s", m->element ? m->element : "",
                   m->element ? ": " : "", m->text);
        break;
    }
    return status == HOL_ERR_MEMORY || status == HOL_ERR_INTERRUPTED ? status : HOL_NOT_CONVERGED;
}

/* The values at p, of a run that may have derivatives where those are asked for, and these. */
static hol_status evaluate(hol__goals *g, const double *p, int differentiable, int by,
                           double *values, double *gradient) {
    hol__gather gather;
    hol__arena room;
    hol_context_free(g->own);
    g->own = hol__context_like(g->ctx);
    if (!g->own) return HOL_ERR_MEMORY;
    hol__arena_init(&room, g->ctx);
    hol_status status = hol__gather_init(&gather, g->n, g->goals, g->columns, &room)
                            ? find_values(g, p, differentiable, &gather)
                            : HOL_ERR_MEMORY;
    g->info = (hol__goals_info){.end = gather.end};
    if (!status) memcpy(values, gather.value, sizeof *values * (size_t)g->n);
    if (!status && gradient) status = hol__goals_gradient(g, p, by, &gather, gradient, &room);
    hol__arena_free(&room);
    return conclude(g, status);
}

hol_status hol__goals_evaluate(hol__goals *g, const double *p, int by, double *values,
                               double *gradient) {
    double *wanted = g->n_parameters ? gradient : NULL;
    return evaluate(g, p, wanted != NULL, by, values, wanted);
}

hol_status hol__goals_try(hol__goals *g, const double *p, double *values) {
    return evaluate(g, p, 1, HOL__BY_CHEAPER, values, NULL);
}
