/* identify.c: hol_identify: residuals of runs over parameters, to the fit of least_squares.h. */
#include "analysis/identify.h"

#include "base/argument.h"
#include "common/number.h"
#include "la/dense.h"
#include "model/node.h"

#include <math.h>
#include <string.h>

static const char call[] = "hol_identify";

/* weight (measure - data) at all times, follower by follower. */
static hol_status evaluate(void *self, const double *p, double *r, double *J) {
    hol__identification *q = self;
    const int n = q->vary.n, m = q->n * q->rows;
    const hol_status status =
        hol__goals_evaluate(q->goals, p, HOL__BY_DIRECT, q->values, J ? q->gradient : NULL);
    if (status) {
        if (status > 0 && !q->reason)
            q->reason = hol__arena_text(&q->arena, hol__goals_reason(q->goals));
        if (status < 0 || !q->seen) hol__goals_tell(q->goals);
        return status;
    }
    if (!q->seen) memcpy(q->at_start, q->values, sizeof *q->values * (size_t)m);
    q->seen = 1;
    for (int i = 0; i < m; i++) {
        const hol__follower *f = &q->followers[i / q->rows];
        r[i] = f->weight * (q->values[i] - f->data[i % q->rows]);
        for (int j = 0; j < n && J; j++)
            J[hol__area(j, m) + (size_t)i] = f->weight * q->gradient[hol__area(i, n) + (size_t)j];
    }
    return HOL_OK;
}

static hol_status tell(void *self, const hol__attempt *attempt) {
    hol__identification *q = self;
    q->failed += attempt->failed;
    if (attempt->better) {
        double *row = hol__sheet_add(q->progress, NULL);
        if (!row) return HOL_ERR_MEMORY;
        row[0] = (double)attempt->number;
        row[1] = attempt->value;
        memcpy(row + 2, attempt->p, sizeof *row * (size_t)q->vary.n);
    }
    if (!q->o.on_attempt) return HOL_OK;
    const hol_attempt told = {.size = sizeof told,
                              .number = attempt->number,
                              .better = attempt->better,
                              .failed = attempt->failed,
                              .value = attempt->value,
                              .n = q->vary.n,
                              .names = q->vary.names,
                              .values = attempt->p};
    return q->o.on_attempt(q->o.user, &told);
}

/* The measures at the times of the data as goals of a run that ends with the last of these. */
static hol_status make_goals(hol__identification *q) {
    const int m = q->n * q->rows;
    char end[HOL__NUMBER_SIZE];
    hol_goal *list = HOL__NEW_N(&q->arena, hol_goal, m + 1);
    q->values = HOL__NEW_N(&q->arena, double, m + 1);
    q->at_start = HOL__NEW_N(&q->arena, double, m + 1);
    q->gradient = hol__arena_alloc(&q->arena, hol__area(m, q->vary.n) + 1, sizeof *q->gradient);
    hol_spec *spec = hol_spec_copy(q->ctx, q->spec);
    hol_status status = q->arena.failed || !spec ? HOL_ERR_MEMORY : HOL_OK;
    for (int i = 0; i < m && !status; i++)
        list[i] = (hol_goal){.size = sizeof *list,
                             .kind = "at",
                             .measure = q->followers[i / q->rows].measure,
                             .time = q->times[i % q->rows]};
    if (!status)
        status = hol_spec_set(spec, "simulation.end", hol__number_text(q->times[q->rows - 1], end),
                              q->o.data);
    if (!status)
        status = hol__goals_new(q->ctx, spec, NULL, q->vary.n, q->vary.names, m, list, &q->goals);
    hol_spec_free(spec);
    if (status) return status;
    hol__goals_given(q->goals, q->vary.start);
    return hol__vary_check(q->ctx, &q->vary);
}

static hol_status answer_question(hol__identification *q, hol_answer *answer) {
    hol__fit fit;
    hol_status status =
        hol__vary_read(q->ctx, q->spec, &q->arena, q->o.n_vary, q->o.vary, &q->vary);
    if (!status) status = hol__identification_data(q);
    if (!status) status = make_goals(q);
    if (!status && q->o.model) status = hol__vary_can_rewrite(q->ctx, q->spec, &q->vary);
    if (status) return status;
    hol__identification_progress(q, answer);
    const hol__residuals problem = {.ctx = q->ctx,
                                    .n = q->vary.n,
                                    .m = q->n * q->rows,
                                    .names = q->vary.names,
                                    .start = q->vary.start,
                                    .low = q->vary.low,
                                    .high = q->vary.high,
                                    .tolerance = q->o.tolerance > 0 ? q->o.tolerance : 1e-8,
                                    .evaluations = q->o.evaluations,
                                    .evaluate = evaluate,
                                    .tell = tell,
                                    .self = q};
    status = hol__least_squares(&problem, &q->arena, &fit);
    if (status == HOL_ERR_TOLERANCE && q->reason && *q->reason)
        hol__report(q->ctx, HOL_ERROR, status, NULL, NULL, "the reason: %s", q->reason);
    if (!status) status = hol__identification_answer(q, &fit, answer);
    if (!status && q->o.model) status = hol__vary_rewrite(q->spec, &q->vary, fit.p, answer);
    return status;
}

hol_status hol_identify(hol_context *ctx, const hol_spec *spec, const hol_identify_options *options,
                        hol_answer **out) {
    hol__identification q = {.ctx = ctx, .spec = spec};
    if (out) *out = NULL;
    if (!ctx || hol__need(ctx, call, "the answer", out) ||
        hol__need(ctx, call, "the options", options) || !hol__spec_is_whole(ctx, call, spec))
        return HOL_ERR_ARGUMENT;
    memcpy(&q.o, options, options->size < sizeof q.o ? options->size : sizeof q.o);
    if (q.o.n_vary < 0 || q.o.n_fit < 0 || q.o.evaluations < 0 ||
        !(q.o.tolerance >= 0 && q.o.tolerance < 1) || !(q.o.end >= 0))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "numbers of texts and evaluations and the end must not be negative, and "
                           "the tolerance lies between 0 and 1");
    const hol__node *name = hol__node_get(spec->root, "name");
    hol_answer *answer = hol__answer_of(ctx, "identify", "identification",
                                        name && name->kind == HOL__SCALAR ? name->text : NULL);
    if (!answer) return HOL_ERR_MEMORY;
    hol__arena_init(&q.arena, ctx);
    const hol_status status = answer_question(&q, answer);
    hol__goals_free(q.goals);
    hol_result_free(q.result);
    hol__arena_free(&q.arena);
    return hol__answer_finish(answer, status, out);
}
