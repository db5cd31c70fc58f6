/* sensitivity.c: hol_sensitivity: derivatives of goals of a run by parameters, as tables. */
#include "analysis/goals.h"
#include "analysis/parameter_tangent.h"
#include "analysis/parting.h"
#include "base/answer.h"
#include "base/argument.h"
#include "base/text.h"
#include "model/node.h"

#include <holonom/sensitivity.h>

#include <math.h>
#include <string.h>

static const char call[] = "hol_sensitivity";

enum { MOST_POINTS = 100000 };

/* What is asked, as it was understood. */
typedef struct question {
    hol_context *ctx;
    const hol_spec *spec;
    hol_sensitivity_options o;
    hol__arena arena;
    int by;
    int n_names;
    const char **names; /* of the parameters */
    int n_goals;        /* those that were asked for … */
    int n_all;          /* … and then all measures at the times of the history, row after row */
    hol_goal *goals;
    hol_model *model;
    hol__goals *object;
    double *p, *value, *gradient;
    double apart; /* how far the run is from one that is less exact (parting.h) */
} question;

/* Derivatives with this share of error, and more, are warned of; those with that one are none. */
static const double doubtful = 0.01, worthless = 0.5;

/* ---- reading ---- */

/* Say that there are none, with a path that this model has. */
static hol_status no_parameters(const question *q) {
    const hol__node *bodies = hol__node_get(q->spec->root, "bodies"), *body = NULL;
    if (bodies && bodies->kind == HOL__MAP) body = bodies->first;
    while (body && !hol__node_get(body, "mass")) body = body->next;
    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "sensitivity",
                       "the model has no section `parameters`; name the numbers of the file that "
                       "are to vary by their paths: --parameters %s%s%s",
                       body ? "bodies." : "gravity.1", body ? body->key : "", body ? ".mass" : "");
}

/* The parameters by their names, or all of them. */
static hol_status read_names(question *q) {
    const hol__node *section = hol__node_get(q->spec->root, "parameters");
    const int given = q->o.n_parameters > 0;
    const int n = given                                  ? q->o.n_parameters
                  : section && section->kind == HOL__MAP ? section->count
                                                         : 0;
    if (!n) return no_parameters(q);
    q->names = HOL__NEW_N(&q->arena, const char *, n + 1);
    if (!q->names) return HOL_ERR_MEMORY;
    if (given) {
        const hol_status status = hol__need_texts(q->ctx, call, "parameters", n, q->o.parameters);
        if (status) return status;
        memcpy(q->names, q->o.parameters, sizeof *q->names * (size_t)n);
    } else {
        int i = 0;
        for (const hol__node *node = section->first; node; node = node->next)
            q->names[i++] = node->key;
    }
    q->n_names = n;
    return HOL_OK;
}

/* Of all parameters those with neighbouring values: numbers of teeth, and words by number, have
 * none. */
static hol_status leave_out(question *q, const char *coordinates) {
    int n = 0;
    if (q->o.n_parameters > 0) return HOL_OK;
    for (int i = 0; i < q->n_names; i++) {
        const char *why;
        int varies;
        if (hol__parameter_varies(q->model, q->spec, coordinates, q->names[i], &q->arena, &varies,
                                  &why))
            return HOL_ERR_MEMORY;
        if (varies)
            q->names[n++] = q->names[i];
        else
            hol__report(q->ctx, HOL_NOTE, HOL_OK, NULL, "sensitivity",
                        "parameter '%s' is left out, since it has no neighbouring values: %s",
                        q->names[i], why);
    }
    q->n_names = n;
    if (n) return HOL_OK;
    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "sensitivity",
                       "no parameter of the model has neighbouring values");
}

static hol_status read_by(question *q) {
    static const char *const words[] = {"auto", "direct", "adjoint"};
    for (int i = 0; i < 3; i++)
        if (!q->o.by || strcmp(q->o.by, words[i]) == 0) {
            q->by = i;
            return HOL_OK;
        }
    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "there is no way '%s'; take auto, direct or adjoint", q->o.by);
}

/* All measures at the end, where no goals are named. */
static hol_status default_goals(question *q) {
    q->n_goals = q->model->n_columns;
    q->goals = HOL__NEW_N(&q->arena, hol_goal, q->n_goals + 1);
    for (int i = 0; q->goals && i < q->n_goals; i++)
        q->goals[i] = (hol_goal){
            .size = sizeof *q->goals, .kind = "end", .measure = q->model->columns[i].name};
    if (!q->goals) return HOL_ERR_MEMORY;
    if (q->n_goals) return HOL_OK;
    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "sensitivity",
                       "the model has no measures; add a section `measures`, for example "
                       "`energy: {type: energy}`");
}

/* The goals of the history behind those that were asked for. */
static hol_status add_history(question *q, const hol_options *options) {
    double start = 0, end = 0;
    const int columns = q->model->n_columns, rows = q->o.points > 0 ? q->o.points + 1 : 0;
    hol_options_get_real(options, "start", &start);
    hol_options_get_real(options, "end", &end);
    q->n_all = q->n_goals + rows * columns;
    hol_goal *all = HOL__NEW_N(&q->arena, hol_goal, q->n_all + 1);
    if (!all) return HOL_ERR_MEMORY;
    memcpy(all, q->goals, sizeof *all * (size_t)q->n_goals);
    for (int i = 0; i < rows * columns; i++)
        all[q->n_goals + i] =
            (hol_goal){.size = sizeof *all,
                       .kind = "at",
                       .measure = q->model->columns[i % columns].name,
                       .time = i / columns == q->o.points
                                   ? end
                                   : start + (end - start) * (i / columns) / q->o.points};
    q->goals = all;
    return HOL_OK;
}

/* Everything, checked. */
static hol_status read_question(question *q, const hol_sensitivity_options *options) {
    if (options) memcpy(&q->o, options, options->size < sizeof q->o ? options->size : sizeof q->o);
    if (q->o.n_parameters < 0 || q->o.points < 0 || q->o.points > MOST_POINTS ||
        !(q->o.tolerance >= 0))
        return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "numbers of parameters and points and the tolerance must not be "
                           "negative, and there are at most %d points",
                           MOST_POINTS);
    hol_options *run = NULL;
    hol_status status = read_by(q);
    if (!status) status = read_names(q);
    if (!status) q->model = hol_model_from_spec(q->ctx, q->spec, &run);
    if (!status && !q->model) status = HOL_ERR_INPUT;
    if (!status) status = leave_out(q, hol_options_coordinates(run));
    if (!status)
        status = q->o.goals ? hol__goals_read(q->ctx, q->o.goals, &q->arena, &q->n_goals, &q->goals)
                            : default_goals(q);
    if (!status) status = add_history(q, run);
    hol_options_free(run);
    return status;
}

/* ---- answering ---- */

/* Refuse what would be the derivatives of another motion: that of the errors of the run. */
static hol_status check_parting(question *q) {
    const hol_status status = hol__parting(q->object, q->p, &q->apart);
    if (status || !(q->apart > worthless)) return status;
    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, "sensitivity",
                       "a run with ten times the tolerance (or twice the fixed step) is %.2g "
                       "radians or lengths of the mechanism away from this one, so that its "
                       "derivatives would say nothing: neighbouring motions part faster than its "
                       "states are exact; shorten the run (--end) or give it a smaller tolerance "
                       "(--tol)",
                       q->apart);
}

static hol_status evaluate(question *q) {
    const size_t n = (size_t)q->n_all;
    q->p = HOL__NEW_N(&q->arena, double, q->n_names + 1);
    q->value = HOL__NEW_N(&q->arena, double, n + 1);
    q->gradient = HOL__NEW_N(&q->arena, double, n *(size_t)q->n_names + 1);
    if (q->arena.failed) return HOL_ERR_MEMORY;
    hol_status status =
        hol__goals_new(q->ctx, q->spec, NULL, q->n_names, q->names, q->n_all, q->goals, &q->object);
    if (status) return status;
    if (q->o.tolerance > 0) hol__goals_set_tolerance(q->object, q->o.tolerance);
    hol__goals_given(q->object, q->p);
    /* first of all: a run that chatters takes ever so many steps */
    if (q->model->n_corners) status = hol__goals_try(q->object, q->p, q->value);
    if (!status) status = check_parting(q);
    if (status < 0) return status;
    if (!status) status = hol__goals_evaluate(q->object, q->p, q->by, q->value, q->gradient);
    hol__goals_tell(q->object);
    return status > 0 ? HOL_ERR_TOLERANCE : status;
}

/* A table with a row for each goal and a column for each parameter. */
static hol__sheet *goal_sheet(question *q, hol_answer *answer, const char *name,
                              const char *title) {
    hol__sheet *sheet = hol__answer_sheet(answer, name, title, q->n_names);
    for (int j = 0; j < q->n_names; j++) hol__sheet_column(sheet, j, q->names[j], "");
    return sheet;
}

static void add_goals(question *q, hol_answer *answer) {
    hol__sheet *values = hol__answer_sheet(answer, "goals", "goals", 1);
    hol__sheet_column(values, 0, "value", "");
    hol__sheet *by = goal_sheet(q, answer, "sensitivity", "derivatives by the parameters, dg/dp");
    hol__sheet_matrix(by);
    hol__sheet *scaled =
        goal_sheet(q, answer, "scaled", "per cent for a per cent of the parameter, (p/g) dg/dp");
    double largest = 0;
    for (int i = 0; i < q->n_goals; i++) largest = fmax(largest, fabs(q->value[i]));
    for (int i = 0; i < q->n_goals; i++) {
        const hol__goal *goal = hol__goals_get(q->object, i);
        const int some = fabs(q->value[i]) > 1e-12 * largest; /* else it is rounding */
        double *value = hol__sheet_add(values, goal->text), *row = hol__sheet_add(by, goal->text),
               *share = hol__sheet_add(scaled, goal->text);
        if (!value || !row || !share) return;
        hol__sheet_row_unit(values, i, goal->unit);
        hol__sheet_row_unit(by, i, goal->unit);
        *value = q->value[i];
        for (int j = 0; j < q->n_names; j++) {
            row[j] = q->gradient[i * q->n_names + j];
            share[j] = some ? row[j] * q->p[j] / q->value[i] : NAN;
        }
    }
}

/* Measures and their derivatives over time. */
static void add_history_table(question *q, hol_answer *answer) {
    const int columns = q->model->n_columns, np = q->n_names, width = 1 + columns * (1 + np);
    if (!q->o.points) return;
    hol__sheet *sheet =
        hol__answer_sheet(answer, "history", "measures and their derivatives over time", width);
    hol__sheet_column(sheet, 0, "time", "s");
    for (int c = 0; c < columns; c++) {
        const hol_column *column = &q->model->columns[c];
        const hol_unit *asked = hol__model_asked_unit(q->model, c);
        hol__sheet_column(sheet, 1 + c, column->name, column->unit);
        hol__sheet_column_shown(sheet, 1 + c, asked);
        for (int j = 0; j < np; j++) {
            const int at = 1 + columns + c * np + j;
            hol__sheet_column(
                sheet, at, hol__arena_format(&q->arena, "d(%s)/d(%s)", column->name, q->names[j]),
                column->unit);
            hol__sheet_column_shown(sheet, at, asked);
        }
    }
    for (int r = 0; r <= q->o.points; r++) {
        const int first = q->n_goals + r * columns;
        double *row = hol__sheet_add(sheet, NULL);
        if (!row) return;
        row[0] = q->goals[first].time;
        memcpy(row + 1, q->value + first, sizeof *row * (size_t)columns);
        memcpy(row + 1 + columns, q->gradient + (size_t)first * (size_t)np,
               sizeof *row * (size_t)(columns * np));
    }
    hol__sheet_plot(sheet, 0, 0, 0);
}

static void tell(question *q, hol_answer *answer) {
    static const char *const ways[] = {"", "direct", "adjoint"};
    const hol__goals_info info = hol__goals_describe(q->object);
    const double tolerance = q->o.tolerance > 0 ? q->o.tolerance : 1e-9;
    hol__answer_number(answer, "end", "end of the run", info.end, "s");
    hol__answer_text(answer, "by", "way", "%s", ways[info.by]);
    hol__answer_number(answer, "uncertain", "derivatives uncertain by", info.uncertain, "");
    hol__answer_number(answer, "steps", "steps of the formula", (double)info.steps, "");
    for (int j = 0; j < q->n_names; j++)
        hol__answer_number(answer, hol__arena_format(&q->arena, "parameter_%s", q->names[j]),
                           hol__arena_format(&q->arena, "parameter %s", q->names[j]), q->p[j], "");
    hol__answer_number(answer, "apart", "run with ten times the tolerance is away by", q->apart,
                       "");
    if (q->apart > doubtful)
        hol__warn(q->ctx, NULL, "sensitivity",
                  "a run with ten times the tolerance (or twice the fixed step) is %.2g radians or "
                  "lengths of the mechanism away from this one: the derivatives have about that "
                  "share of error; give the run a smaller tolerance (--tol)",
                  q->apart);
    if (!(info.uncertain <= tolerance))
        hol__warn(q->ctx, NULL, "sensitivity",
                  "derivatives still change by %.2g of the largest of their column when the steps "
                  "of the formula are halved; a smaller tolerance of the run gives it smoother "
                  "states",
                  info.uncertain);
}

/* Refuse derivatives of which not even the sign is certain. */
static hol_status check_digits(question *q) {
    const hol__goals_info info = hol__goals_describe(q->object);
    if (!(isfinite(info.uncertain) && info.uncertain > 0.5)) return HOL_OK;
    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, "sensitivity",
                       "derivatives change by %.2g of themselves when the steps of the formula are "
                       "halved, so that not even their sign is certain: neighbouring motions part "
                       "faster than the states of this run are exact; shorten the run or give it a "
                       "smaller tolerance",
                       info.uncertain);
}

hol_status hol_sensitivity(hol_context *ctx, const hol_spec *spec,
                           const hol_sensitivity_options *options, hol_answer **out) {
    question q = {.ctx = ctx, .spec = spec};
    if (out) *out = NULL;
    if (!ctx || hol__need(ctx, call, "the answer", out) || !hol__spec_is_whole(ctx, call, spec))
        return HOL_ERR_ARGUMENT;
    hol__arena_init(&q.arena, ctx);
    hol_status status = read_question(&q, options);
    if (!status) status = evaluate(&q);
    if (!status) status = check_digits(&q);
    if (!status) {
        const hol__node *name = hol__node_get(spec->root, "name");
        hol_answer *answer = hol__answer_of(ctx, "sensitivity", "sensitivities",
                                            name && name->kind == HOL__SCALAR ? name->text : NULL);
        if (answer) {
            tell(&q, answer);
            add_goals(&q, answer);
            add_history_table(&q, answer);
        }
        status = answer ? hol__answer_finish(answer, HOL_OK, out) : HOL_ERR_MEMORY;
    }
    hol__goals_free(q.object);
    hol_model_free(q.model);
    hol__arena_free(&q.arena);
    return status;
}
