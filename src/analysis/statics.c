/* statics.c: hol_statics: one equilibrium, many, a curve of them, or the springs for one. */
#include "analysis/static_contact.h"
#include "analysis/static_curve.h"
#include "analysis/static_preload.h"
#include "analysis/static_starts.h"
#include "analysis/static_tables.h"
#include "analysis/steady.h"
#include "base/argument.h"
#include "model/node.h"

#include <holonom/statics.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 256, MAX_STARTS = 100000 };

static const char call[] = "hol_statics";

/* What all kinds of questions share. */
typedef struct question {
    hol_context *ctx;
    const hol_spec *spec;
    hol_statics_options o;
    hol__statics_method method;
    double time; /* NaN: the start */
} question;

/* ---- one equilibrium ---- */

static hol_status answer_one(const question *q, hol__static_case *c, hol_answer *answer) {
    hol__equilibrium e = {.method = q->method, .tolerance = q->o.tolerance};
    hol_status status = hol__static_case_settle(c, &e);
    if (!status) status = hol__static_case_check(c);
    if (!status) status = hol__static_tables(answer, c, &e);
    if (!status) hol__static_case_tell(answer, c);
    return status;
}

/* ---- many ---- */

/* The columns that tell of an equilibrium or a point of a curve, from column i on. */
static void name_numbers(hol__sheet *sheet, const hol_model *m, int i) {
    char name[NAME];
    for (int k = 0; k < hol__static_numbers(m); k++) {
        const char *unit;
        hol__static_number_name(m, k, name, sizeof name, &unit);
        hol__sheet_column(sheet, i + k, name, unit);
        if (m->n_columns) hol__sheet_column_shown(sheet, i + k, hol__model_asked_unit(m, k));
    }
}

/* One of those that were found, in the tables. */
static hol_status add_found(hol__static_case *c, const hol__static_found *found, int i,
                            hol__sheet *sheet, hol__sheet *positions) {
    char name[64], prefix[32];
    if (found->own)
        c = found->own;
    else
        hol__static_place_put(c->data, &found->place);
    hol_status status = hol__static_evaluate(c->system);
    if (!status) status = hol__equilibrium_solve(c->system);
    if (status) return status;
    snprintf(name, sizeof name, "%d: %s", i + 1, hol__rest_word(found->verdict));
    snprintf(prefix, sizeof prefix, "%d: ", i + 1);
    double *row = hol__sheet_add(sheet, name);
    if (!row) return HOL_ERR_MEMORY;
    row[0] = found->energy;
    row[1] = found->least;
    row[2] = found->negative;
    row[3] = found->zero;
    row[4] = found->count;
    hol__static_positions_add(positions, c->data, prefix);
    status = hol__static_numbers_at(c->data, row + 5);
    return status < 0 ? status : HOL_OK;
}

/* Only those stay whose motion goes on as it is. */
static hol_status drop_unsteady(hol__static_case *c, hol__static_list *list) {
    int kept = 0;
    for (int i = 0; i < list->n; i++) {
        int steady = 0;
        hol__static_place_put(c->data, &list->found[i].place);
        hol_status status = hol__static_evaluate(c->system);
        if (!status) status = hol__steady_check(c, &steady);
        if (status < 0) return status;
        if (steady) list->found[kept++] = list->found[i];
    }
    list->n = kept;
    return HOL_OK;
}

static hol_status answer_many(const question *q, hol__static_case *c, hol_answer *answer) {
    static const char *const columns[] = {"energy", "least_stiffness", "unstable", "neutral",
                                          "searches"};
    hol__static_list list = {.n = 0};
    const double reach = q->o.reach > 0 ? q->o.reach : 3.141592653589793;
    const hol__scatter from = {q->spec, q->time, q->o.steady};
    hol__equilibrium e = {.method = q->method, .tolerance = q->o.tolerance};
    hol__arena_init(&list.arena, q->ctx);
    /* the first of a steady motion says which frame they all ride */
    hol_status status = q->o.steady && !c->gaps ? hol__static_case_settle(c, &e) : HOL_OK;
    if (!status)
        status = c->gaps ? hol__static_scatter(q->ctx, &from, q->o.starts, reach, &list)
                         : hol__static_starts(c->system, q->o.starts, reach, &list);
    if (!status && q->o.steady && !c->gaps) status = drop_unsteady(c, &list);
    if (!status && !list.n)
        status = hol__report(q->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, "statics",
                             "no equilibrium found from %d starts; run without --starts to see "
                             "what stands in the way of the first",
                             q->o.starts);
    if (!status) {
        int stable = 0;
        for (int i = 0; i < list.n; i++) stable += list.found[i].verdict == HOL__REST_STABLE;
        hol__answer_number(answer, "equilibria", "equilibria", list.n, "");
        hol__answer_number(answer, "stable", "of them stable", stable, "");
        hol__answer_number(answer, "searches", "searches", list.searches, "");
        hol__answer_number(answer, "failed", "of them without an end", list.failed, "");
        hol__sheet *sheet =
            hol__answer_sheet(answer, "equilibria", "equilibria by their potential energy",
                              5 + hol__static_numbers(c->model));
        for (int i = 0; i < 5; i++)
            hol__sheet_column(sheet, i, columns[i], i == 0 ? "J" : i == 1 ? "N/m" : "");
        name_numbers(sheet, c->model, 5);
        hol__sheet *positions = hol__static_positions_sheet(answer, c->data->model);
        for (int i = 0; i < list.n && !status; i++)
            status = add_found(c, &list.found[i], i, sheet, positions);
    }
    hol__static_list_free(&list);
    return status;
}

/* ---- a curve ---- */

typedef struct drawing {
    const question *q;
    hol_answer *answer;
    hol__sheet *curve, *points;
    int n, special, kinds[4];
} drawing;

/* A table with the columns of the curve. */
static hol__sheet *curve_sheet(drawing *d, const hol_model *m, const char *name,
                               const char *title) {
    const int n = hol__static_numbers(m);
    hol__sheet *sheet = hol__answer_sheet(d->answer, name, title, 4 + n);
    hol__sheet_column(sheet, 0, d->q->o.vary, "");
    name_numbers(sheet, m, 1);
    hol__sheet_column(sheet, 1 + n, "least_stiffness", "N/m");
    hol__sheet_column(sheet, 2 + n, "unstable_directions", "");
    hol__sheet_column(sheet, 3 + n, "potential_energy", "J");
    return sheet;
}

/* A row of a table of the curve. */
static hol_status add_point(hol__sheet *sheet, const char *name, const hol__curve_point *point) {
    hol__static_case *c = point->at;
    const int n = hol__static_numbers(c->model);
    hol_energy energy;
    double *row = hol__sheet_add(sheet, name);
    if (!row) return HOL_ERR_MEMORY;
    hol_status status = hol__equilibrium_solve(c->system);
    if (!status) status = hol__data_energy(c->data, &energy);
    if (status) return status;
    row[0] = point->p;
    row[1 + n] = point->least;
    row[2 + n] = point->negative;
    row[3 + n] = energy.potential;
    status = hol__static_numbers_at(c->data, row + 1);
    return status < 0 ? status : HOL_OK;
}

/* A point of the curve; limit points stand in both tables. */
static hol_status draw_point(void *self, const hol__curve_point *point) {
    drawing *d = self;
    hol__static_case *c = point->at;
    static const char *const kinds[] = {"", "limit point", "bifurcation", "change"};
    char direction[2 * NAME] = "", name[3 * NAME];
    if (!d->curve) {
        d->curve = curve_sheet(d, c->model, "curve", "equilibria along the curve");
        d->points =
            curve_sheet(d, c->model, "points",
                        c->gaps ? "where other contacts carry" : "limit points and bifurcations");
        hol__sheet_plot(d->curve, 0, 0, 0);
    }
    if (point->change) snprintf(direction, sizeof direction, "%s", point->change);
    if (point->motion) hol__static_tell(c->system, point->motion, direction, sizeof direction);
    snprintf(name, sizeof name, "%s %d: %s", kinds[point->kind], ++d->kinds[point->kind],
             direction);
    hol_status status = HOL_OK;
    if (point->kind < HOL__CURVE_BIFURCATION) status = add_point(d->curve, NULL, point);
    if (!status && point->kind) status = add_point(d->points, name, point);
    return status;
}

static hol_status answer_curve(const question *q, hol_answer *answer) {
    static const char *const ends[] = {
        "the end of the range", "the beginning of the range, to which the curve returned",
        "the largest number of points (--points)",
        "a place where the curve cannot be followed (a corner, or a singular position)"};
    drawing d = {.q = q, .answer = answer};
    hol__curve_end end;
    const hol__curve_options o = {.name = q->o.vary,
                                  .from = q->o.from,
                                  .to = q->o.to,
                                  .time = q->time,
                                  .steady = q->o.steady,
                                  .most = q->o.points,
                                  .method = q->method};
    const hol_status status = hol__static_curve(q->ctx, q->spec, &o, draw_point, &d, &end);
    if (status) return status;
    hol__answer_text(answer, "parameter", "parameter", "%s", q->o.vary);
    hol__answer_number(answer, "points", "points", d.kinds[HOL__CURVE_POINT], "");
    hol__answer_number(answer, "limit_points", "limit points", d.kinds[HOL__CURVE_LIMIT], "");
    hol__answer_number(answer, "bifurcations", "bifurcations", d.kinds[HOL__CURVE_BIFURCATION], "");
    if (d.kinds[HOL__CURVE_CHANGE])
        hol__answer_number(answer, "changes", "changes of contacts", d.kinds[HOL__CURVE_CHANGE],
                           "");
    hol__answer_text(answer, "ended", "ended at", "%s", ends[end]);
    return HOL_OK;
}

/* ---- springs ---- */

static hol_status answer_preload(const question *q, hol__static_case *c, hol_answer *answer) {
    const int n = q->o.n_preload;
    hol__preload *found = HOL__NEW_N(&answer->arena, hol__preload, n);
    hol__equilibrium e = {.method = HOL__STATICS_NEWTON};
    if (!found) return HOL_ERR_MEMORY;
    hol_status status = hol__static_preload(c, q->spec, n, q->o.preload, found, &e.residual);
    if (!status) status = hol__static_evaluate(c->system);
    if (!status) status = hol__static_stiffness(c->system);
    if (status) return status;
    hol__sheet *sheet = hol__answer_sheet(
        answer, "preload", "settings that make the drawn position an equilibrium", 2);
    hol__sheet_column(sheet, 0, "before", "");
    hol__sheet_column(sheet, 1, "after", "");
    for (int i = 0; i < n; i++) {
        char key[48];
        double *row = hol__sheet_add(sheet, found[i].path);
        hol__sheet_row_unit(sheet, i, found[i].unit);
        if (!row) return HOL_ERR_MEMORY;
        row[0] = found[i].before;
        row[1] = found[i].after;
        snprintf(key, sizeof key, "set_%d", i + 1);
        hol__answer_text(answer, key, "--set", "%s=%.17g", found[i].path, found[i].after);
    }
    return hol__static_tables(answer, c, &e);
}

/* ---- the call ---- */

/* The search by its word. */
static hol_status read_search(question *q) {
    static const char *const words[] = {"auto", "descent", "newton"};
    for (int i = 0; i < 3; i++)
        if (!q->o.search || strcmp(q->o.search, words[i]) == 0) {
            q->method = (hol__statics_method)i;
            return HOL_OK;
        }
    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "there is no search '%s'; take auto, descent or newton", q->o.search);
}

/* What is asked, checked. */
static hol_status read_question(question *q, const hol_statics_options *options) {
    if (options) {
        const size_t size = options->size < sizeof q->o ? options->size : sizeof q->o;
        memcpy(&q->o, options, size);
    }
    const int kinds = (q->o.starts > 1) + (q->o.vary != NULL) + (q->o.n_preload > 0);
    if (kinds > 1)
        return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "starts, vary and preload are three questions; ask one at a time");
    if (q->o.starts < 0 || q->o.starts > MAX_STARTS || q->o.points < 0)
        return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "starts must lie between 1 and %d, and points must not be negative",
                           MAX_STARTS);
    q->time = q->o.time ? *q->o.time : NAN;
    if (q->o.time && !isfinite(q->time))
        return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "the time must be a finite number");
    return read_search(q);
}

/* The answer to a question about one mechanism. */
static hol_status answer_case(const question *q, hol_answer *answer) {
    hol__static_case c;
    hol_status status = hol__static_case_open(q->ctx, q->spec, q->time, q->o.steady, &c);
    if (!status)
        status = q->o.n_preload    ? answer_preload(q, &c, answer)
                 : q->o.starts > 1 ? answer_many(q, &c, answer)
                                   : answer_one(q, &c, answer);
    hol__static_case_close(&c);
    return status > 0 ? HOL_ERR_SINGULAR : status;
}

hol_status hol_statics(hol_context *ctx, const hol_spec *spec, const hol_statics_options *options,
                       hol_answer **out) {
    question q = {.ctx = ctx, .spec = spec};
    if (out) *out = NULL;
    if (!ctx || hol__need(ctx, call, "the answer", out) || !hol__spec_is_whole(ctx, call, spec))
        return HOL_ERR_ARGUMENT;
    hol_status status = read_question(&q, options);
    if (status) return status;
    const hol__node *name = hol__node_get(spec->root, "name");
    hol_answer *answer = hol__answer_of(
        ctx, "statics", q.o.steady ? "equilibrium in a steady motion" : "static equilibrium",
        name && name->kind == HOL__SCALAR ? name->text : NULL);
    if (!answer) return HOL_ERR_MEMORY;
    status = q.o.vary ? answer_curve(&q, answer) : answer_case(&q, answer);
    return hol__answer_finish(answer, status, out);
}
