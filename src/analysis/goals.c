/* goals.c: goals and their values. See goals.h. */
#include "analysis/goals_linear.h"

#include "analysis/parameter_tangent.h"
#include "base/argument.h"
#include "common/number.h"
#include "model/node.h"

#include <math.h>
#include <string.h>

/* Parts of a step for the nodes of integrals. */
enum { PARTS = 2 };

/* Steps of the formula in one of the run at most; and how often neighbours are sought nearer. */
enum { MOST_PARTS = 64, ROUNDS = 4 };

/* ---- the object ---- */

/* The parameters with their values in the file. */
static hol_status read_parameters(hol__goals *g, const char *coordinates, int n,
                                  const char *const *names) {
    g->n_parameters = n;
    g->parameters = HOL__NEW_N(&g->arena, const char *, n + 1);
    g->given = HOL__NEW_N(&g->arena, double, n + 1);
    hol_status status = g->arena.failed ? HOL_ERR_MEMORY : HOL_OK;
    for (int j = 0; j < n && !status; j++) {
        g->parameters[j] = hol__arena_text(&g->arena, names[j]);
        if (!g->parameters[j]) return HOL_ERR_MEMORY;
        status = hol__parameter_value(g->ctx, g->spec, coordinates, names[j], &g->given[j]);
    }
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
    if (!status) status = check_times(g, options);
    if (model) g->columns = model->n_columns;
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
    g->spec = hol__spec_copy(ctx, spec);
    g->run = run ? hol_options_copy(ctx, run) : NULL;
    hol_status status = g->spec && (g->run || !run) ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) status = read_goals(g, n_goals, list);
    if (!status)
        status = read_parameters(g, run ? hol_options_coordinates(run) : "auto", n_parameters,
                                 parameters);
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

const char *hol__goals_reason(const hol__goals *g) {
    return g->reason;
}

void hol__goals_tell(hol__goals *g) {
    for (int i = 0; g->own && i < hol_message_count(g->own); i++) {
        const hol_message *m = hol_message_get(g->own, i);
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
        hol__print(path, sizeof path, "parameters.%s", g->parameters[k]);
        status = hol_spec_set(spec, path, hol__number_text(value, number), "parameter");
    }
    return status;
}

hol_status hol__trial_open(hol__goals *g, hol_context *ctx, const double *p, int j, double shift,
                           hol_status (*adapt)(hol_options *options), hol__trial *trial) {
    *trial = (hol__trial){.spec = hol__spec_copy(ctx, g->spec)};
    if (!trial->spec) return HOL_ERR_MEMORY;
    hol_status status = set_values(g, p, j, shift, trial->spec);
    if (status) return status;
    trial->options =
        g->run ? hol_options_copy(ctx, g->run) : hol_options_from_spec(ctx, trial->spec);
    if (trial->options && adapt) status = adapt(trial->options);
    if (trial->options && !status)
        trial->model = hol_model_compile(ctx, trial->spec, hol_options_coordinates(trial->options));
    if (trial->model) trial->sim = hol_sim_new(ctx, trial->model, trial->options);
    return trial->sim ? HOL_OK : hol__why_not_made(ctx);
}

void hol__trial_close(hol__trial *trial) {
    hol_sim_free(trial->sim);
    hol_model_free(trial->model);
    hol_options_free(trial->options);
    hol_spec_free(trial->spec);
}

/* ---- values ---- */

static hol_status begin(void *self, hol__passage *c) {
    return hol__gather_begin(self, c);
}

static hol_status span(void *self, hol__passage *c, double t0, double t1) {
    return hol__gather_span(self, c, PARTS, t0, t1);
}

static hol_status before(void *self, hol__passage *c, hol__change_kind kind) {
    (void)kind;
    return hol__gather_side(self, c, 0);
}

static hol_status after(void *self, hol__passage *c, hol__change_kind kind) {
    (void)kind;
    return hol__gather_side(self, c, 1);
}

static hol_status end(void *self, hol__passage *c) {
    return hol__gather_end(self, c);
}

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

/* The values at p. */
static hol_status find_values(hol__goals *g, const double *p, hol__gather *gather) {
    static const hol__passage_watcher watcher = {begin, span, before, after, end};
    hol__trial trial;
    hol_status status = hol__trial_open(g, g->own, p, -1, 0, NULL, &trial);
    if (!status) status = hol__passage_run(trial.sim, &watcher, gather);
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

/* One pass at p with so many steps of the formula in a step of the run. */
static hol_status pass(hol__linear *l, const double *p, int by) {
    hol__trial trial;
    hol_status status = hol__trial_open(l->goals, l->goals->own, p, -1, 0, NULL, &trial);
    l->steps = 0;
    if (!status)
        status = by == HOL__BY_ADJOINT ? hol__linear_adjoint(l, trial.sim)
                                       : hol__linear_direct(l, trial.sim);
    hol__trial_close(&trial);
    return status;
}

/* By how much two gradients differ, against the largest derivative of goals with the same unit by
 * the same parameter; of the second a 63rd of it is left. */
static double differ(const hol__goals *g, const double *a, const double *b) {
    const int n = g->n_parameters;
    double most = 0;
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < n; j++) {
            double size = 0;
            for (int k = 0; k < g->n; k++)
                if (strcmp(g->goals[k].unit, g->goals[i].unit) == 0)
                    size = fmax(size, fabs(b[k * n + j]));
            if (size > 0) most = fmax(most, fabs(a[i * n + j] - b[i * n + j]) / size);
        }
    return most / 63;
}

/* The gradient with enough steps: passes until two agree. */
static hol_status refine(hol__linear *l, const double *p, int by, double *last) {
    hol__goals *g = l->goals;
    const size_t size = hol__area(g->n, g->n_parameters);
    hol_status status = HOL_OK;
    g->uncertain = INFINITY;
    for (l->parts = 1; l->parts <= MOST_PARTS && !status && !(g->uncertain <= g->tolerance);
         l->parts *= 2) {
        status = pass(l, p, by);
        if (status || l->family->split || l->too_far > 1) break;
        if (l->parts > 1) g->uncertain = differ(g, last, l->gradient);
        memcpy(last, l->gradient, sizeof *last * size);
        g->parts = l->parts;
        g->steps = l->steps;
    }
    return status;
}

/* The pass that takes less: a column for each parameter, or a functional for each goal; that of an
 * integral is read at every node along all numbers of the state, and at changes there are as many
 * columns as free perturbations. */
static int choose_pass(const hol__linear *l, int by) {
    const hol__goals *g = l->goals;
    if (by != HOL__BY_CHEAPER || !g->n_parameters) return by;
    int gathers = hol__family_get(l->family, 0, 0)->trial.sim->switching.n_watches > 0;
    for (int i = 0; i < g->n; i++) gathers |= hol__goal_gathers(&g->goals[i]);
    return !gathers && g->n_parameters > 2 * g->n ? HOL__BY_ADJOINT : HOL__BY_DIRECT;
}

/* The gradient at p, with neighbours as near as it needs. */
static hol_status find_gradient(hol__goals *g, const double *p, int by, const hol__gather *found,
                                double *gradient, hol__arena *room) {
    hol__linear l = {.goals = g, .p = p, .found = found, .gradient = gradient};
    double *last = HOL__NEW_N(room, double, hol__area(g->n, g->n_parameters) + 1), share = 1e-3;
    hol_status status = last ? HOL_OK : HOL_ERR_MEMORY;
    for (int round = 0; round < ROUNDS && !status; round++) {
        status = hol__family_new(g, p, share, &l.family);
        if (!status) g->by = choose_pass(&l, by);
        if (!status) status = refine(&l, p, g->by, last);
        const int split = l.family && l.family->split;
        hol__family_free(l.family);
        l.family = NULL;
        if (!split && !(l.too_far > 1)) return status;
        if (status == HOL_ERR_MEMORY) return status;
        status = HOL_OK;
        share /= split ? 100 : 2 * l.too_far;
    }
    if (status) return status;
    return hol__report(g->own, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "the derivatives are so large, or corners of laws so close to each other, "
                       "that differences over neighbouring models do not reach them; shorten the "
                       "run, or smooth the laws");
}

hol_status hol__goals_evaluate(hol__goals *g, const double *p, int by, double *values,
                               double *gradient) {
    hol__gather gather;
    hol__arena room;
    hol_context_free(g->own);
    g->own = hol__context_like(g->ctx);
    if (!g->own) return HOL_ERR_MEMORY;
    hol__arena_init(&room, g->ctx);
    hol_status status = hol__gather_init(&gather, g->n, g->goals, g->columns, &room)
                            ? find_values(g, p, &gather)
                            : HOL_ERR_MEMORY;
    if (!status) memcpy(values, gather.value, sizeof *values * (size_t)g->n);
    if (!status && gradient && g->n_parameters)
        status = find_gradient(g, p, by, &gather, gradient, &room);
    hol__arena_free(&room);
    return conclude(g, status);
}
