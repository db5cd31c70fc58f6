/* certify_answer.c: what was found, as facts and tables. */
#include "analysis/certify.h"

#include <math.h>
#include <stdio.h>

static const char *column(const hol__certify *c, int j) {
    return c->model->columns[j].name;
}

static double at_end(const hol__certify *c, const double *table, int j) {
    return table[(size_t)(c->grid.rows - 1) * (size_t)c->grid.n + (size_t)j];
}

/* The value of a column at the end of a run. */
static double last_of(const hol__certify *c, const double *x, int j) {
    return x[(size_t)(c->grid.rows - 1) * (size_t)c->grid.width + (size_t)j];
}

/* ---- facts ---- */

static void tell_digits(hol__certify *c, hol_answer *answer) {
    const int rows = c->grid.rows;
    if (c->answer < 0) return;
    const hol__fewest end = hol__certify_fewest(c, c->bound, rows - 1, rows),
                      all = hol__certify_fewest(c, c->bound, 0, rows),
                      run = hol__certify_fewest(c, c->off, 0, rows);
    if (end.column >= 0)
        hol__answer_number(answer, "digits_end", "certain digits at the end", end.digits, "");
    if (all.column < 0) return;
    hol__answer_number(answer, "digits_run", "certain digits along the run", all.digits, "");
    hol__answer_text(answer, "fewest", "fewest of", "%s at t = %.6g s", column(c, all.column),
                     all.t);
    if (!c->o.refine && run.column >= 0)
        hol__answer_number(answer, "digits_judged",
                           c->o.samples ? "digits of the result" : "digits of the run as asked for",
                           run.digits, "");
}

static void tell_growth(hol__certify *c, hol_answer *answer) {
    const hol__growth *g = &c->growth;
    if (!g->known) return;
    hol__answer_number(answer, "growth", "differences at the start grow by", g->most, "");
    hol__answer_number(answer, "growth_rate", "rate of an exponential through them", g->rate,
                       "1/s");
    hol__answer_text(answer, "sensitivity", "neighbouring motions", "%s",
                     g->exponential ? "part exponentially" : "do not part exponentially");
}

static void tell_facts(hol__certify *c, hol_answer *answer) {
    char key[24];
    hol__answer_number(answer, "certified", "certified (1: yes, 0: no)", c->certified, "");
    hol__answer_text(answer, "verdict", "verdict", "%s", c->verdict);
    if (*c->cause) hol__answer_text(answer, "cause", "likely cause", "%s", c->cause);
    if (*c->attempt) hol__answer_text(answer, "try", "try", "%s", c->attempt);
    hol__answer_number(answer, "digits_asked", "digits asked for", c->digits, "");
    tell_digits(c, answer);
    tell_growth(c, answer);
    for (int i = 0; i < c->notes; i++) {
        hol__print(key, sizeof key, "left_out_%d", i + 1);
        hol__answer_text(answer, key, "no witness", "%s", c->note[i]);
    }
    for (int j = 0, n = 0; j < c->grid.n; j++) {
        if (!c->open[j]) continue;
        hol__print(key, sizeof key, "not_unique_%d", ++n);
        hol__answer_text(answer, key, "not judged",
                         "%s: redundant constraints leave the reaction undetermined", column(c, j));
    }
}

/* ---- tables ---- */

/* The largest difference between two counted witnesses at the end. */
static double spread(const hol__certify *c, int j) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < c->n; k++) {
        if (!c->witness[k].counted) continue;
        low = fmin(low, last_of(c, c->witness[k].fine.x, j));
        high = fmax(high, last_of(c, c->witness[k].fine.x, j));
    }
    return high - low;
}

static void tell_values(hol__certify *c, hol_answer *answer) {
    static const char *const names[] = {"value", "bound", "spread", "estimate", "judged", "off"};
    hol__sheet *s = hol__answer_sheet(
        answer, "values",
        "values at the end: the answer, its bound, what the witnesses differ by, the estimate of "
        "the answer's own error; and what is judged, and by how much it can be off",
        6);
    for (int i = 0; i < 6; i++) hol__sheet_column(s, i, names[i], "");
    for (int j = 0, n = 0; j < c->grid.n; j++) {
        if (c->open[j]) continue;
        double *row = hol__sheet_add(s, column(c, j));
        if (!row) return;
        row[0] = last_of(c, c->x, j);
        row[1] = at_end(c, c->bound, j);
        row[2] = spread(c, j);
        row[3] = at_end(c, c->witness[c->answer].error, j);
        row[4] = c->o.refine ? NAN : last_of(c, c->judged.x, j);
        row[5] = c->o.refine ? NAN : at_end(c, c->off, j);
        hol__sheet_row_unit(s, n, c->model->columns[j].unit);
        hol__sheet_row_shown(s, n++, hol__model_asked_unit(c->model, j));
    }
}

/* The fewest digits of one column, and when. */
static hol__fewest fewest_of(const hol__certify *c, const double *table, int j) {
    hol__fewest f = {.digits = NAN, .t = NAN};
    for (int i = 0; i < c->grid.rows; i++) {
        const double b = table[(size_t)i * (size_t)c->grid.n + (size_t)j];
        if (!hol__certify_counts(c, i, j) || isnan(b)) continue;
        const double d = hol__certify_digits(c, j, b);
        if (!(d >= f.digits)) f = (hol__fewest){d, hol__grid_time(&c->grid, i), j, i};
    }
    return f;
}

static void tell_column_digits(hol__certify *c, hol_answer *answer) {
    static const char *const names[] = {"end", "run", "at", "judged_end", "judged_run"};
    hol__sheet *s = hol__answer_sheet(
        answer, "digits",
        "certain digits, against the largest value of the measure: at the end, the fewest along "
        "the run and when; and those of what is judged",
        5);
    for (int i = 0; i < 5; i++) hol__sheet_column(s, i, names[i], i == 2 ? "s" : "");
    for (int j = 0; j < c->grid.n; j++) {
        double *row = c->open[j] ? NULL : hol__sheet_add(s, column(c, j));
        if (!row) continue;
        const hol__fewest all = fewest_of(c, c->bound, j);
        row[0] = hol__certify_digits(c, j, at_end(c, c->bound, j));
        row[1] = all.digits;
        row[2] = all.t;
        row[3] = c->o.refine ? NAN : hol__certify_digits(c, j, at_end(c, c->off, j));
        row[4] = c->o.refine ? NAN : fewest_of(c, c->off, j).digits;
    }
}

/* A row of the table of runs. */
static void tell_run(hol__sheet *s, const hol__run *run, const char *name, double own, double off) {
    double *row = hol__sheet_add(s, name);
    if (!row) return;
    const double values[] = {run->with.step > 0 ? NAN : run->with.tolerance,
                             (double)run->steps,
                             (double)run->evaluations,
                             (double)run->factorizations,
                             own,
                             off,
                             run->energy_error,
                             (double)run->crossings,
                             run->t};
    for (int i = 0; i < 9; i++) row[i] = values[i];
}

/* The largest share of a size by which a run differs from the answer. */
static double off_of(const hol__certify *c, const double *x) {
    double most = 0;
    for (int i = 0; i < c->grid.rows && c->x; i++)
        for (int j = 0; j < c->grid.n; j++) {
            const size_t at = (size_t)i * (size_t)c->grid.width + (size_t)j;
            const double d = fabs(x[at] - c->x[at]) / c->size[j];
            if (hol__certify_counts(c, i, j) && d > most) most = d;
        }
    return c->x ? most : NAN;
}

static void tell_runs(hol__certify *c, hol_answer *answer) {
    static const char *const names[] = {"tolerance",      "steps",     "evaluations",
                                        "factorizations", "estimate",  "off",
                                        "energy_error",   "crossings", "ended"};
    hol__sheet *s = hol__answer_sheet(
        answer, "runs",
        "the runs: estimate is what a run and a coarser one differ by, off what it and the answer "
        "differ by, as the largest share of the sizes of the measures",
        9);
    char text[160];
    for (int i = 0; i < 9; i++) hol__sheet_column(s, i, names[i], i == 8 ? "s" : "");
    if (!c->o.samples) {
        hol__print(text, sizeof text, "as asked for: %s, %s, %s", c->judged.method,
                   c->judged.coordinates, c->judged.integrator);
        tell_run(s, &c->judged, text, NAN, off_of(c, c->judged.x));
        if (c->refined.whole)
            tell_run(s, &c->refined.fine, "the same, refined", c->refined.own,
                     off_of(c, c->refined.fine.x));
    }
    for (int k = 0; k < c->n; k++) {
        const hol__witness *w = &c->witness[k];
        if (w->fine.with.as_asked) continue;
        hol__print(text, sizeof text, "%s: %s, %s, %s%s", w->fine.with.family, w->fine.method,
                   w->fine.coordinates, w->fine.integrator,
                   k == c->answer ? " (the answer)"
                   : w->counted   ? ""
                                  : " (not in the bound)");
        tell_run(s, &w->fine, text, w->coarse.x == w->fine.x ? NAN : w->own, w->off);
    }
}

static void tell_history(hol__certify *c, hol_answer *answer) {
    int n = 0;
    for (int j = 0; j < c->grid.n; j++) n += !c->open[j];
    hol__sheet *s = hol__answer_sheet(answer, "history", "certain digits over time", n + 2);
    hol__sheet_column(s, 0, "t", "s");
    hol__sheet_column(s, 1, "fewest", "");
    for (int j = 0, k = 2; j < c->grid.n; j++)
        if (!c->open[j]) hol__sheet_column(s, k++, column(c, j), "");
    hol__sheet_plot(s, 0, 0, 0);
    for (int i = 0; i < c->grid.rows; i++) {
        double *row = c->left[i] ? NULL : hol__sheet_add(s, NULL);
        if (!row) continue;
        row[0] = hol__grid_time(&c->grid, i);
        row[1] = hol__certify_fewest(c, c->bound, i, i + 1).digits;
        for (int j = 0, k = 2; j < c->grid.n; j++)
            if (!c->open[j])
                row[k++] =
                    hol__certify_digits(c, j, c->bound[(size_t)i * (size_t)c->grid.n + (size_t)j]);
    }
}

hol_answer *hol__certify_tell(hol__certify *c) {
    hol_answer *answer = hol__answer_of(c->ctx, "certify", "certain digits", c->model->name);
    if (!answer) return NULL;
    tell_facts(c, answer);
    if (c->answer >= 0) {
        tell_values(c, answer);
        tell_column_digits(c, answer);
    }
    tell_runs(c, answer);
    if (c->answer >= 0) tell_history(c, answer);
    return answer;
}
