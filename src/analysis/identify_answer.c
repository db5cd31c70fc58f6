/* identify_answer.c: what an identification found, as facts and tables. */
#include "analysis/identify.h"

#include "base/text.h"
#include "la/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void hol__identification_progress(hol__identification *q, hol_answer *answer) {
    q->progress = hol__answer_sheet(
        answer, "progress", "progress: each point that is better than all before", 2 + q->vary.n);
    hol__sheet_column(q->progress, 0, "evaluation", "");
    hol__sheet_column(q->progress, 1, "squares", "");
    for (int j = 0; j < q->vary.n; j++)
        hol__sheet_column(q->progress, 2 + j, q->vary.names[j], q->vary.units[j]);
    hol__sheet_plot(q->progress, 0, 0, 1);
}

/* ---- how well they are known ---- */

/* The statistics of the parameters that are not at a bound; which[k]: the parameter of column k. */
static hol_status statistics(hol__identification *q, const hol__fit *fit, int *which,
                             hol__fit_statistics *s) {
    const int m = q->n * q->rows;
    double *J = hol__arena_alloc(&q->arena, hol__area(m, q->vary.n) + 1, sizeof *J);
    int n = 0;
    if (!J) return HOL_ERR_MEMORY;
    for (int j = 0; j < q->vary.n; j++) {
        if (fit->at_bound[j]) continue;
        memcpy(J + hol__area(n, m), fit->J + hol__area(j, m), sizeof *J * (size_t)m);
        which[n++] = j;
    }
    return hol__fit_statistics_of(m, n, fit->r, J, &q->arena, s);
}

/* "k +1 %, m +1 %": how parameters move together in direction k, the largest share as 1 %. */
static const char *direction(hol__identification *q, const hol__fit *fit, const int *which,
                             const hol__fit_statistics *s, int k) {
    const char *text = "";
    double most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < s->n; j++) {
            if (!hol__fit_takes_part(s, k, j)) continue;
            const double p = fit->p[which[j]], size = p != 0 ? fabs(p) : 1,
                         share = s->direction[k * s->n + j] / s->length[j] / size,
                         by = isfinite(share) ? share : 1; /* length 0: it changes nothing */
            if (!pass) {
                if (fabs(by) > fabs(most)) most = by;
                continue;
            }
            text = hol__arena_format(&q->arena, "%s%s%s %+.3g %%", text ? text : "",
                                     text && *text ? ", " : "", q->vary.names[which[j]], by / most);
        }
    return text ? text : "";
}

/* The parameters that the data do not tell, by name. */
static void put_not_told(hol__identification *q, const hol__fit *fit, const int *which,
                         const hol__fit_statistics *s, hol_answer *answer) {
    for (int k = s->rank; k < s->n; k++) {
        int alone = -1, many = 0;
        char key[48];
        for (int j = 0; j < s->n; j++)
            if (hol__fit_takes_part(s, k, j)) alone = j, many++;
        const char *text = many == 1
                               ? hol__arena_format(&q->arena, "'%s', on which they do not depend",
                                                   q->vary.names[which[alone]])
                               : direction(q, fit, which, s, k);
        snprintf(key, sizeof key, "not_told_%d", k - s->rank + 1);
        hol__answer_text(answer, key, "the data do not tell", "%s%s", text ? text : "",
                         many == 1 ? "" : " (together)");
        hol__warn(q->ctx, NULL, NULL,
                  many == 1 ? "the data do not tell %s; leave it out"
                            : "the data do not tell these parameters apart: %s leave all measures "
                              "as they are; vary fewer of them, or fit further measures",
                  text ? text : "");
    }
}

static void put_parameters(const hol__identification *q, const hol__fit *fit, const int *which,
                           const hol__fit_statistics *s, hol_answer *answer) {
    static const char *const columns[] = {"start", "value", "error", "from", "to", "low", "high"};
    hol__sheet *sheet = hol__answer_sheet(answer, "parameters",
                                          "parameters, standard errors and intervals of 95 %", 7);
    for (int i = 0; i < 7; i++) hol__sheet_column(sheet, i, columns[i], "");
    for (int j = 0, k = 0; j < q->vary.n; j++) {
        double *row = hol__sheet_add(sheet, q->vary.names[j]);
        if (!row) return;
        hol__sheet_row_unit(sheet, j, q->vary.units[j]);
        const int is_free = k < s->n && which[k] == j;
        const double error = is_free ? s->error[k++] : NAN;
        row[0] = q->vary.start[j];
        row[1] = fit->p[j];
        row[2] = error;
        row[3] = fit->p[j] - s->quantile * error;
        row[4] = fit->p[j] + s->quantile * error;
        row[5] = q->vary.low[j];
        row[6] = q->vary.high[j];
    }
}

static void put_correlation(const hol__identification *q, const int *which,
                            const hol__fit_statistics *s, hol_answer *answer) {
    if (s->n < 2) return;
    hol__sheet *sheet =
        hol__answer_sheet(answer, "correlation", "correlation of the parameters", s->n);
    for (int i = 0; i < s->n; i++) hol__sheet_column(sheet, i, q->vary.names[which[i]], "");
    for (int i = 0; i < s->n; i++) {
        double *row = hol__sheet_add(sheet, q->vary.names[which[i]]);
        if (row) memcpy(row, s->correlation + (size_t)i * (size_t)s->n, sizeof *row * (size_t)s->n);
    }
}

/* Singular values of the derivatives with columns of length 1, and the combinations they tell. */
static void put_singular(const hol__identification *q, const int *which,
                         const hol__fit_statistics *s, hol_answer *answer) {
    hol__sheet *sheet = hol__answer_sheet(
        answer, "singular", "combinations of the parameters, from what the data determine best",
        s->n + 1);
    hol__sheet_column(sheet, 0, "singular_value", "");
    for (int j = 0; j < s->n; j++) hol__sheet_column(sheet, j + 1, q->vary.names[which[j]], "");
    for (int k = 0; k < s->n; k++) {
        double *row = hol__sheet_add(sheet, k < s->rank ? "determined" : "not determined");
        if (!row) return;
        row[0] = s->singular[k];
        memcpy(row + 1, s->direction + (size_t)k * (size_t)s->n, sizeof *row * (size_t)s->n);
    }
}

/* ---- measures ---- */

/* Root mean square and largest residual of each measure, before and after. */
static void put_measures(const hol__identification *q, const hol__fit *fit, hol_answer *answer) {
    static const char *const columns[] = {"rms_before", "rms", "largest"};
    hol__sheet *sheet = hol__answer_sheet(answer, "measures", "measures less data", 3);
    for (int i = 0; i < 3; i++) hol__sheet_column(sheet, i, columns[i], "");
    for (int k = 0; k < q->n; k++) {
        const hol__follower *f = &q->followers[k];
        const double *r = fit->r + (size_t)k * (size_t)q->rows,
                     *at_start = q->at_start + (size_t)k * (size_t)q->rows;
        double *row = hol__sheet_add(sheet, f->measure);
        if (!row) return;
        hol__sheet_row_unit(sheet, k, f->unit);
        for (int i = 0; i < q->rows; i++) {
            row[0] += pow(at_start[i] - f->data[i], 2) / q->rows;
            row[1] += pow(r[i] / f->weight, 2) / q->rows;
            row[2] = fmax(row[2], fabs(r[i] / f->weight));
        }
        row[0] = sqrt(row[0]);
        row[1] = sqrt(row[1]);
    }
}

/* Data, model before and after over time, a table for each measure. */
static void put_curves(hol__identification *q, const hol__fit *fit, hol_answer *answer) {
    static const char *const columns[] = {"time", "data", "before", "after"};
    for (int k = 0; k < q->n; k++) {
        const hol__follower *f = &q->followers[k];
        char *name = hol__arena_format(&q->arena, "fit_%s", f->measure);
        char *title =
            hol__arena_format(&q->arena, "%s: data, and model before and after", f->measure);
        for (char *c = name; c && *c; c++)
            if (*c == '.' || *c == ' ' || *c == '/') *c = '_';
        if (!name || !title) return;
        hol__sheet *sheet = hol__answer_sheet(answer, name, title, 4);
        for (int i = 0; i < 4; i++) hol__sheet_column(sheet, i, columns[i], i ? f->unit : "s");
        for (int i = 0; i < q->rows; i++) {
            const size_t at = (size_t)k * (size_t)q->rows + (size_t)i;
            double *row = hol__sheet_add(sheet, NULL);
            if (!row) return;
            row[0] = q->times[i];
            row[1] = f->data[i];
            row[2] = q->at_start[at];
            row[3] = f->data[i] + fit->r[at] / f->weight;
        }
        hol__sheet_plot(sheet, 0, 0, 0);
    }
}

hol_status hol__identification_answer(hol__identification *q, const hol__fit *fit,
                                      hol_answer *answer) {
    const int m = q->n * q->rows;
    hol__fit_statistics s;
    int *which = HOL__NEW_N(&q->arena, int, q->vary.n + 1);
    if (!which) return HOL_ERR_MEMORY;
    const hol_status status = statistics(q, fit, which, &s);
    if (status) return status;
    hol__answer_number(answer, "data", "numbers of the data", m, "");
    hol__answer_number(answer, "squares", "sum of squares", fit->squares, "");
    hol__answer_number(answer, "at_start", "sum of squares at the start", fit->at_start, "");
    if (isnan(s.deviation))
        hol__answer_text(answer, "deviation", "deviation of a weighted residual",
                         "not known: there are no more numbers than parameters, and so no "
                         "standard errors");
    else
        hol__answer_number(answer, "deviation", "deviation of a weighted residual", s.deviation,
                           "");
    hol__answer_text(answer, "ended", "ended because", "%s", hol__ended_text(fit->ended));
    hol__answer_number(answer, "evaluations", "evaluations", (double)fit->evaluations, "");
    hol__answer_number(answer, "gradients", "of them with derivatives", (double)fit->gradients, "");
    hol__answer_number(answer, "failed", "of them without a run to the end", (double)q->failed, "");
    if (q->failed)
        hol__answer_text(answer, "failure", "the first of these", "%s",
                         q->reason && *q->reason ? q->reason : "no reason known");
    for (int j = 0; j < q->vary.n; j++)
        if (fit->at_bound[j]) {
            char key[48];
            snprintf(key, sizeof key, "at_bound_%d", j + 1);
            hol__answer_text(answer, key, "at a bound", "%s at its %s bound", q->vary.names[j],
                             fit->at_bound[j] == 1 ? "lower" : "upper");
        }
    put_not_told(q, fit, which, &s, answer);
    put_parameters(q, fit, which, &s, answer);
    put_correlation(q, which, &s, answer);
    put_measures(q, fit, answer);
    put_singular(q, which, &s, answer);
    put_curves(q, fit, answer);
    hol__answer_last(answer); /* progress */
    return q->arena.failed ? HOL_ERR_MEMORY : HOL_OK;
}
