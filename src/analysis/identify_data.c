/* identify_data.c: the data of an identification, and which measure follows which column. */
#include "analysis/identify.h"

#include "analysis/parameter_tangent.h"
#include "base/text.h"
#include "base/unit_set.h"
#include "common/ascii.h"
#include "common/extension.h"
#include "common/nearest.h"
#include "model/model.h"

#include <holonom/model.h>

#include <math.h>
#include <string.h>

/* ---- which column ---- */

/* "MEASURE=COLUMN:WEIGHT" as follower i. */
static hol_status read_follower(hol__identification *q, const char *text, hol__follower *f) {
    const char *equals = strchr(text, '='), *colon = strrchr(text, ':'), *end = text + strlen(text),
               *behind = colon ? colon : end;
    f->measure = hol__arena_text_n(&q->arena, text, (size_t)((equals ? equals : behind) - text));
    f->column = equals ? hol__arena_text_n(&q->arena, equals + 1, (size_t)(behind - equals - 1))
                       : f->measure;
    f->weight = 1;
    f->has_weight = colon != NULL;
    if (q->arena.failed) return HOL_ERR_MEMORY;
    if (!*f->measure || !*f->column)
        return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "'%s': write MEASURE, MEASURE=COLUMN or MEASURE=COLUMN:WEIGHT", text);
    if (!colon) return HOL_OK;
    const hol_status status =
        hol__quantity_read(q->ctx, &q->arena, text, colon + 1, NULL, &f->weight);
    if (status || f->weight > 0) return status;
    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "'%s': the weight must be positive: 1 over the deviation of the noise",
                       text);
}

static const char *result_column(const void *self, int i) {
    const hol_column *column = hol_result_column(self, i + 1);
    return column ? column->name : NULL;
}

static const char *model_column(const void *self, int i) {
    const hol_model *m = self;
    return i < m->n_columns ? m->columns[i].name : NULL;
}

/* The column of the data that a follower names. */
static hol_status find_data(hol__identification *q, hol__follower *f) {
    const hol_location where = {q->o.data, 1, 0};
    char near[128];
    const int column = hol_result_find(q->result, f->column);
    if (column <= 0)
        return hol__error(q->ctx, &where, NULL,
                          "the data have no column '%s' (write MEASURE=COLUMN)%s", f->column,
                          hol__did_you_mean(hol__nearest(f->column, result_column, q->result), near,
                                            sizeof near));
    const char *unit = hol_result_column(q->result, column)->unit;
    if (unit && *unit && !hol__dim_of(unit).known)
        return hol__error(q->ctx, &where, NULL,
                          "column '%s': '%s' is not a unit; write it like mm, deg/s or N*m, or "
                          "leave it out for SI units",
                          f->column, unit);
    if (unit && *unit && !hol__units_agree(unit, f->unit))
        return hol__error(q->ctx, &where, NULL, "column '%s' is in %s, and the measure '%s' in %s",
                          f->column, unit, f->measure, *f->unit ? f->unit : "a plain number");
    f->data = hol_result_values(q->result, column);
    return HOL_OK;
}

/* The measured column of the model. */
static hol_status find_measure(hol__identification *q, const hol_model *m, hol__follower *f) {
    const int column = hol_model_measure_index(m, f->measure);
    char near[128];
    if (column < 0)
        return hol__report(
            q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL, "the model has no measure '%s'%s",
            f->measure,
            hol__did_you_mean(hol__nearest(f->measure, model_column, m), near, sizeof near));
    f->unit = hol__arena_text(&q->arena, m->columns[column].unit);
    return f->unit ? HOL_OK : HOL_ERR_MEMORY;
}

/* Every measured column that the data have too. */
static hol_status find_common(hol__identification *q, const hol_model *m) {
    for (int i = 0; i < m->n_columns; i++) {
        if (hol_result_find(q->result, m->columns[i].name) <= 0) continue;
        hol__follower *f = &q->followers[q->n++];
        *f =
            (hol__follower){.measure = hol__arena_text(&q->arena, m->columns[i].name), .weight = 1};
        f->column = f->measure;
    }
    if (q->arena.failed) return HOL_ERR_MEMORY;
    if (q->n) return HOL_OK;
    return hol__report(
        q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
        "no column of '%s' has the name of a measure of the model; say which measure "
        "follows which column (MEASURE=COLUMN)",
        q->o.data);
}

/* A column that is followed twice would count twice in sums and in standard errors. */
static hol_status check_twice(const hol__identification *q) {
    for (int i = 1; i < q->n; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(q->followers[i].measure, q->followers[k].measure) == 0 &&
                q->followers[i].data == q->followers[k].data)
                return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                                   "'%s' follows the column '%s' twice; name each once",
                                   q->followers[i].measure, q->followers[i].column);
    return HOL_OK;
}

/* Weights are needed where units differ. */
static hol_status check_weights(const hol__identification *q) {
    for (int i = 1; i < q->n; i++)
        if (strcmp(q->followers[i].unit, q->followers[0].unit) != 0)
            for (int k = 0; k < q->n; k++)
                if (!q->followers[k].has_weight)
                    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                                       "the measures '%s' and '%s' have different units, so '%s' "
                                       "needs a weight: 1 "
                                       "over the deviation of its noise, in SI units ('%s:1/0.01')",
                                       q->followers[0].measure, q->followers[i].measure,
                                       q->followers[k].measure, q->followers[k].measure);
    return HOL_OK;
}

static hol_status find_followers(hol__identification *q) {
    hol_options *options = NULL;
    hol_model *m = hol_model_from_spec(q->ctx, q->spec, &options);
    hol_status status = m ? HOL_OK : hol__why_not_made(q->ctx);
    if (m) {
        const int most = q->o.n_fit ? q->o.n_fit : m->n_columns;
        q->followers = HOL__NEW_N(&q->arena, hol__follower, most + 1);
        if (!q->followers) status = HOL_ERR_MEMORY;
        for (int i = 0; i < q->o.n_fit && !status; i++)
            status = read_follower(q, q->o.fit[i], &q->followers[q->n++]);
        if (!status && !q->o.n_fit) status = find_common(q, m);
        for (int i = 0; i < q->n && !status; i++) status = find_measure(q, m, &q->followers[i]);
        for (int i = 0; i < q->n && !status; i++) status = find_data(q, &q->followers[i]);
    }
    if (!status) status = check_twice(q);
    if (!status) status = check_weights(q);
    hol_model_free(m);
    hol_options_free(options);
    return status;
}

/* ---- numbers ---- */

/* The place of a row: its line where the data are text, which have a line of names. */
static hol_location row_place(const hol__identification *q, int row) {
    return (hol_location){q->o.data, hol__has_extension(q->o.data, ".csv") ? row + 2 : 0, 0};
}

static hol_status check_numbers(const hol__identification *q) {
    double start = 0;
    hol_options *options = hol_options_from_spec(q->ctx, q->spec);
    if (!options) return hol__why_not_made(q->ctx);
    hol_options_get_real(options, "start", &start);
    hol_options_free(options);
    for (int i = 0; i < q->rows; i++) {
        const hol_location where = row_place(q, i);
        if (!isfinite(q->times[i]) || (i && q->times[i] < q->times[i - 1]))
            return hol__error(q->ctx, &where, NULL,
                              "row %d: the times must be numbers that do not "
                              "decrease",
                              i + 1);
        if (q->times[i] < start)
            return hol__error(q->ctx, &where, NULL,
                              "row %d: the time %.9g s lies before the start of the run, %.9g s; "
                              "leave such rows out, or set simulation.start",
                              i + 1, q->times[i], start);
        for (int k = 0; k < q->n; k++)
            if (!isfinite(q->followers[k].data[i]))
                return hol__error(q->ctx, &where, NULL,
                                  "row %d: column '%s' has no finite number; leave such rows out",
                                  i + 1, q->followers[k].column);
    }
    return HOL_OK;
}

/* Leave out what comes after the end that the caller names, and say so. */
static hol_status cut_rows(hol__identification *q) {
    const int all = q->rows;
    if (!(q->o.end > 0)) return HOL_OK;
    while (q->rows > 0 && q->times[q->rows - 1] > q->o.end) q->rows--;
    if (q->rows == all) return HOL_OK;
    const hol_location where = {q->o.data, 0, 0};
    if (!q->rows)
        return hol__error(q->ctx, &where, NULL,
                          "all %d rows lie after the end of %.9g s that is asked for", all,
                          q->o.end);
    hol__report(q->ctx, HOL_NOTE, HOL_OK, &where, NULL,
                "%d of %d rows lie after the end of %.9g s and are left out", all - q->rows, all,
                q->o.end);
    return HOL_OK;
}

hol_status hol__identification_data(hol__identification *q) {
    if (!q->o.data || !*q->o.data)
        return hol__report(
            q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
            "name a file with the data, .csv or .h5, whose first column is the time");
    const int before = hol_message_count(q->ctx);
    q->result = hol_result_read(q->ctx, q->o.data);
    if (!q->result) {
        hol_status status = HOL_ERR_IO;
        for (int i = before; i < hol_message_count(q->ctx); i++)
            if (hol_message_get(q->ctx, i)->severity == HOL_ERROR)
                status = hol_message_get(q->ctx, i)->status;
        return status;
    }
    hol_status status = hol_result_set_units(q->result, "");
    q->rows = hol_result_rows(q->result);
    q->times = hol_result_values(q->result, 0);
    if (!status) status = find_followers(q);
    if (!status) status = check_numbers(q);
    if (!status) status = cut_rows(q);
    if (status) return status;
    const long long count = (long long)q->rows * q->n;
    if (count >= q->vary.n && q->rows) return HOL_OK;
    const hol_location where = {q->o.data, 0, 0};
    return hol__error(q->ctx, &where, NULL,
                      "%lld number%s cannot determine %d parameter%s; give more data, or vary less",
                      count, count == 1 ? "" : "s", q->vary.n, q->vary.n == 1 ? "" : "s");
}
