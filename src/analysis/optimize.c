/* optimize.c: hol_optimize: goals of runs over parameters, to the search of minimize.h. */
#include "analysis/optimize.h"

#include "base/argument.h"
#include "model/node.h"

#include <math.h>
#include <string.h>

static const char call[] = "hol_optimize";

const char *hol_optimize_algorithm(int i, const char **title) {
    const hol__algorithm *a = hol__algorithm_get(i);
    if (title) *title = a ? a->title : NULL;
    return a ? a->name : NULL;
}

/* ---- the functions ---- */

hol_status hol__optimization_values(void *self, const double *p, double *values, double *gradient) {
    hol__optimization *q = self;
    const int n = q->vary.n;
    const hol_status status =
        hol__goals_evaluate(q->goals, p, q->by, q->values, gradient ? q->gradient : NULL);
    if (status) {
        if (status > 0 && !q->reason) {
            q->reason = hol__arena_text(&q->arena, hol__goals_reason(q->goals));
            if (!q->seen) hol__goals_tell(q->goals); /* why the model itself does not run */
        }
        if (status < 0) hol__goals_tell(q->goals);
        return status;
    }
    q->seen = 1;
    values[0] = 0;
    if (gradient) memset(gradient, 0, sizeof *gradient * (size_t)n);
    for (int i = 0, k = 1; i < q->n_aims; i++) {
        const hol__aim *aim = &q->aims[i];
        const double *row = q->gradient + (size_t)i * (size_t)n;
        if (aim->weight != 0) {
            values[0] += aim->weight * q->values[i];
            for (int j = 0; j < n && gradient; j++) gradient[j] += aim->weight * row[j];
            continue;
        }
        const int sign = aim->sign ? aim->sign : 1;
        values[k] = sign * (q->values[i] - aim->limit);
        for (int j = 0; j < n && gradient; j++) gradient[k * n + j] = sign * row[j];
        k++;
    }
    return HOL_OK;
}

/* A row of the table of progress, and the caller. */
static hol_status tell(void *self, const hol__attempt *attempt) {
    hol__optimization *q = self;
    q->failed += attempt->failed;
    if (attempt->better && q->before + attempt->number == 1) q->first = attempt->value;
    if (attempt->better && q->progress) {
        double *row = hol__sheet_add(q->progress, NULL);
        if (!row) return HOL_ERR_MEMORY;
        row[0] = (double)(q->before + attempt->number);
        row[1] = attempt->value;
        row[2] = attempt->violation;
        row[3] = attempt->gradient;
        memcpy(row + 4, attempt->p, sizeof *row * (size_t)q->vary.n);
    }
    if (!q->o.on_attempt) return HOL_OK;
    const hol_attempt told = {.size = sizeof told,
                              .number = q->before + attempt->number,
                              .better = attempt->better,
                              .failed = attempt->failed,
                              .value = attempt->value,
                              .violation = attempt->violation,
                              .n = q->vary.n,
                              .names = q->vary.names,
                              .values = attempt->p};
    return q->o.on_attempt(q->o.user, &told);
}

/* ---- the search ---- */

/* Where the search ended with a violated constraint: once more from the nearest point at which all
 * hold, if there is one. The better of both stays. */
static hol_status search_again(hol__optimization *q, hol__objective *problem, hol__minimum *best) {
    const hol__algorithm *a = q->algorithms[q->n_algorithms - 1];
    if (!(best->violation > HOL__FEASIBLE) || best->ended == HOL__ENDED_INTERRUPTED ||
        best->ended == HOL__ENDED_EVALUATIONS || !(a->able & HOL__BY_GRADIENT))
        return HOL_OK;
    hol__minimum at = *best, again;
    int holds;
    hol_status status = hol__optimization_restore(q, problem, &at, &holds);
    if (status || !holds) return status;
    problem->start = at.p;
    status = hol__minimize(problem, a, &q->arena, &again);
    if (status) return status == HOL_ERR_MEMORY ? status : HOL_OK;
    q->before += again.evaluations;
    again.gradients += best->gradients;
    if (again.violation < best->violation) *best = again;
    return HOL_OK;
}

/* The objective with its constraints; the search begins at `start`. */
static hol_status pose(hol__optimization *q, const double *start, hol__objective *problem) {
    unsigned char *equal = HOL__NEW_N(&q->arena, unsigned char, q->n_limits + 1);
    double *size = HOL__NEW_N(&q->arena, double, q->n_limits + 1);
    if (!equal || !size) return HOL_ERR_MEMORY;
    for (int i = 0, k = 0; i < q->n_aims; i++) {
        if (q->aims[i].weight != 0) continue;
        equal[k] = q->aims[i].sign == 0;
        size[k++] = fabs(q->aims[i].limit);
    }
    *problem = (hol__objective){.ctx = q->ctx,
                                .n = q->vary.n,
                                .m = q->n_limits,
                                .start = start,
                                .low = q->vary.low,
                                .high = q->vary.high,
                                .equal = equal,
                                .size = size,
                                .tolerance = hol__optimization_tolerance(q),
                                .evaluations = q->o.evaluations,
                                .seed = q->o.seed ? q->o.seed : 1,
                                .evaluate = hol__optimization_values,
                                .tell = tell,
                                .self = q};
    return HOL_OK;
}

double hol__optimization_tolerance(const hol__optimization *q) {
    return q->o.tolerance > 0 ? q->o.tolerance : 1e-6;
}

hol_status hol__optimization_search(hol__optimization *q, const double *start, int first,
                                    hol__minimum *best) {
    hol__objective problem;
    hol_status status = pose(q, start, &problem);
    for (int i = first; i < q->n_algorithms && !status; i++) {
        const long gradients = i > first ? best->gradients : 0;
        status = hol__minimize(&problem, q->algorithms[i], &q->arena, best);
        if (status) break;
        q->before += best->evaluations;
        best->gradients += gradients;
        problem.start = best->p;
        if (best->ended == HOL__ENDED_INTERRUPTED) break;
    }
    return status || !q->n_limits ? status : search_again(q, &problem, best);
}

hol_status hol__optimization_judge(hol__optimization *q, const double *from, const double *p,
                                   hol__minimum *best) {
    hol__objective problem;
    hol__sheet *const progress = q->progress;
    hol_status status = pose(q, from, &problem);
    q->progress = NULL; /* nothing is looked for */
    if (!status) status = hol__minimize_judge(&problem, p, &q->arena, best);
    q->progress = progress;
    if (!status) q->before += best->evaluations;
    return status;
}

/* The goals at one set of values, for the table. */
static hol_status note_goals(hol__optimization *q, const double *p, int at_end) {
    const hol_status status = hol__goals_evaluate(q->goals, p, q->by, q->values, NULL);
    for (int i = 0; i < q->n_aims; i++) {
        const double value = status ? NAN : q->values[i];
        *(at_end ? &q->aims[i].at_end : &q->aims[i].at_start) = value;
    }
    return status < 0 ? status : HOL_OK;
}

/* The goals, as the vary and aims ask for them. */
static hol_status make_goals(hol__optimization *q) {
    hol_goal *list = HOL__NEW_N(&q->arena, hol_goal, q->n_aims + 1);
    q->values = HOL__NEW_N(&q->arena, double, q->n_aims + 1);
    q->gradient = HOL__NEW_N(&q->arena, double, q->n_aims * q->vary.n + 1);
    if (q->arena.failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < q->n_aims; i++) list[i] = q->aims[i].goal;
    hol_status status =
        hol__goals_new(q->ctx, q->spec, NULL, q->vary.n, q->vary.names, q->n_aims, list, &q->goals);
    if (status) return status;
    hol__goals_given(q->goals, q->vary.start);
    status = hol__vary_check(q->ctx, &q->vary);
    return status ? status : hol__optimization_limits(q);
}

/* The objective at the start, from its goals there. */
static double objective_at_start(const hol__optimization *q) {
    double sum = 0;
    for (int i = 0; i < q->n_aims; i++)
        if (q->aims[i].weight != 0) sum += q->aims[i].weight * q->aims[i].at_start;
    return sum;
}

hol_status hol__optimization_finish(hol__optimization *q, const hol__minimum *best,
                                    hol_answer *answer) {
    hol_status status = note_goals(q, q->vary.start, 0);
    if (!status) status = note_goals(q, best->p, 1);
    if (isnan(q->first)) q->first = objective_at_start(q);
    if (!status) status = hol__optimization_answer(q, best, answer);
    if (!status && q->o.model) status = hol__vary_rewrite(q->spec, &q->vary, best->p, answer);
    return status;
}

/* What is asked is whole; the name of the call is for messages. */
static hol_status check_call(hol_context *ctx, const char *name, const hol_spec *spec,
                             const hol_optimize_options *o) {
    if (!hol__spec_is_whole(ctx, name, spec)) return HOL_ERR_ARGUMENT;
    if (o->n_vary < 0 || o->n_minimize < 0 || o->n_maximize < 0 || o->n_subject < 0 ||
        o->evaluations < 0 || !(o->tolerance >= 0 && o->tolerance < 1))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, name,
                           "numbers of texts and evaluations must not be negative, and the "
                           "tolerance lies between 0 and 1");
    return HOL_OK;
}

hol_status hol__optimization_open(hol__optimization *q, hol_context *ctx, const char *name,
                                  const hol_spec *spec, const hol_optimize_options *options) {
    *q = (hol__optimization){.ctx = ctx, .spec = spec, .first = NAN};
    memcpy(&q->o, options, options->size < sizeof q->o ? options->size : sizeof q->o);
    hol__arena_init(&q->arena, ctx);
    hol_status status = check_call(ctx, name, spec, &q->o);
    if (!status) status = hol__optimization_read(q);
    if (!status) status = make_goals(q);
    if (!status && q->o.model) status = hol__vary_can_rewrite(ctx, spec, &q->vary);
    return status;
}

void hol__optimization_close(hol__optimization *q) {
    hol__goals_free(q->goals);
    hol__arena_free(&q->arena);
}

hol_answer *hol__optimization_new_answer(hol_context *ctx, const hol_spec *spec) {
    const hol__node *name = hol__node_get(spec->root, "name");
    return hol__answer_of(ctx, "optimize", "optimum",
                          name && name->kind == HOL__SCALAR ? name->text : NULL);
}

/* One search, from the values of the model. */
static hol_status answer_question(hol__optimization *q, hol_answer *answer) {
    hol__minimum best;
    if (q->algorithms[0]->able & HOL__EVOLVES)
        return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "the algorithm %s is one of hol_optimize_widely",
                           q->algorithms[0]->name);
    hol__optimization_progress(q, answer);
    hol_status status = hol__optimization_search(q, q->vary.start, 0, &best);
    return status ? status : hol__optimization_finish(q, &best, answer);
}

hol_status hol_optimize(hol_context *ctx, const hol_spec *spec, const hol_optimize_options *options,
                        hol_answer **out) {
    hol__optimization q;
    if (out) *out = NULL;
    if (!ctx || hol__need(ctx, call, "the answer", out) ||
        hol__need(ctx, call, "the options", options))
        return HOL_ERR_ARGUMENT;
    hol_status status = hol__optimization_open(&q, ctx, call, spec, options);
    hol_answer *answer = status ? NULL : hol__optimization_new_answer(ctx, spec);
    if (!status) status = answer ? answer_question(&q, answer) : HOL_ERR_MEMORY;
    hol__optimization_close(&q);
    return answer ? hol__answer_finish(answer, status, out) : status;
}
