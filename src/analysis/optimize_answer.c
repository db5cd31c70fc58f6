/* optimize_answer.c: what an optimization found, as facts and tables. */
#include "analysis/optimize.h"

#include "common/number.h"

#include <math.h>
#include <string.h>

/* Below this share of the largest gradient the first-order conditions are said to hold. */
static const double holds = 1e-4;

void hol__optimization_progress(hol__optimization *q, hol_answer *answer) {
    static const char *const names[] = {"evaluation", "value", "violation", "gradient"};
    q->progress = hol__answer_sheet(
        answer, "progress", "progress: each point that is better than all before", 4 + q->vary.n);
    for (int i = 0; i < 4; i++)
        hol__sheet_column(q->progress, i, names[i], i == 1 || i == 3 ? q->unit : "");
    for (int j = 0; j < q->vary.n; j++)
        hol__sheet_column(q->progress, 4 + j, q->vary.names[j], q->vary.units[j]);
}

/* Draw the values over the evaluations, on a logarithmic scale where they fall far. */
static void plot_progress(hol__optimization *q) {
    double least = INFINITY, most = 0;
    for (int i = 0; q->progress && i < q->progress->about.rows; i++) {
        const double value = hol__sheet_row(q->progress, i)[1];
        least = fmin(least, value);
        most = fmax(most, value);
    }
    hol__sheet_plot(q->progress, 0, 0, least > 0 && most > 30 * least);
}

/* Start, value and bounds of the parameters. */
static void put_parameters(const hol__optimization *q, const hol__minimum *best,
                           hol_answer *answer) {
    static const char *const columns[] = {"start", "value", "low", "high"};
    hol__sheet *sheet = hol__answer_sheet(answer, "parameters", "parameters", 4);
    for (int i = 0; i < 4; i++) hol__sheet_column(sheet, i, columns[i], "");
    for (int j = 0; j < q->vary.n; j++) {
        double *row = hol__sheet_add(sheet, q->vary.names[j]);
        if (!row) return;
        hol__sheet_row_unit(sheet, j, q->vary.units[j]);
        row[0] = q->vary.start[j];
        row[1] = best->p[j];
        row[2] = q->vary.low[j];
        row[3] = q->vary.high[j];
    }
}

/* A goal with its factor or its limit: "0.5*max torque", "max torque <= 20 N*m". */
static const char *goal_text(hol__optimization *q, int i) {
    const hol__aim *aim = &q->aims[i];
    const char *goal = hol__goals_get(q->goals, i)->text, *text = goal;
    char number[HOL__NUMBER_SIZE];
    if (aim->weight == 0)
        text = hol__arena_format(&q->arena, "%s %s %s", goal,
                                 aim->sign > 0   ? "<="
                                 : aim->sign < 0 ? ">="
                                                 : "=",
                                 aim->limit_text + strspn(aim->limit_text, " "));
    else if (aim->weight != 1)
        text = hol__arena_format(&q->arena, "%s*%s", hol__number_text(aim->weight, number), goal);
    return text ? text : "";
}

/* What each goal was and is. */
static void put_goals(hol__optimization *q, hol_answer *answer) {
    static const char *const columns[] = {"start", "value", "limit"};
    hol__sheet *sheet = hol__answer_sheet(answer, "goals", "goals", 3);
    for (int i = 0; i < 3; i++) hol__sheet_column(sheet, i, columns[i], "");
    for (int i = 0; i < q->n_aims; i++) {
        const hol__aim *aim = &q->aims[i];
        double *row = hol__sheet_add(sheet, goal_text(q, i));
        if (!row) return;
        hol__sheet_row_unit(sheet, i, hol__goals_get(q->goals, i)->unit);
        row[0] = aim->at_start;
        row[1] = aim->at_end;
        row[2] = aim->weight == 0 ? aim->limit : NAN;
    }
}

/* One row of the table of what is active. */
static void put_active(hol__optimization *q, hol__sheet *sheet, const char *name, const char *unit,
                       double multiplier) {
    double *row = hol__sheet_add(sheet, name);
    if (!row) return;
    hol__sheet_row_unit(sheet, sheet->about.rows - 1,
                        hol__unit_over(&q->arena, q->unit ? q->unit : "", unit));
    row[0] = multiplier;
}

/* Bounds and constraints that hold with equality, with their multipliers. */
static void put_multipliers(hol__optimization *q, const hol__minimum *best, hol_answer *answer) {
    hol__sheet *sheet = hol__answer_sheet(
        answer, "active", "active bounds and constraints: how the objective follows their limits",
        1);
    hol__sheet_column(sheet, 0, "multiplier", "");
    for (int i = 0, k = 0; i < q->n_aims; i++) {
        if (q->aims[i].weight != 0) continue;
        /* g = sign (goal - limit): raising the limit of <= and = lets the objective fall by mu */
        if (best->is_active[k])
            put_active(q, sheet, goal_text(q, i), hol__goals_get(q->goals, i)->unit,
                       q->aims[i].sign < 0 ? best->on_limit[k] : -best->on_limit[k]);
        k++;
    }
    for (int j = 0; j < q->vary.n; j++) {
        const double on[] = {best->on_low[j], best->on_high[j]};
        for (int side = 0; side < 2; side++) {
            if (!(on[side] > 0)) continue;
            const char *name = hol__arena_format(&q->arena, "%s at its %s bound", q->vary.names[j],
                                                 side ? "upper" : "lower");
            put_active(q, sheet, name ? name : "", q->vary.units[j], side ? -on[1] : on[0]);
        }
    }
}

/* Whether it is an optimum, in words. */
static void put_verdict(const hol__optimization *q, const hol__minimum *best, hol_answer *answer) {
    if (isnan(best->residual))
        hol__answer_text(answer, "verdict", "verdict", "not checked: there are no derivatives%s",
                         best->ended == HOL__ENDED_INTERRUPTED ? " at the last point" : "");
    else if (best->violation > HOL__FEASIBLE) {
        hol__answer_text(answer, "verdict", "verdict",
                         "not a solution: a constraint is violated by %.3g of its size",
                         best->violation);
        hol__warn(q->ctx, NULL, NULL,
                  "the search ended where a constraint is violated by %.3g of its size%s; begin "
                  "elsewhere (--set), or search by another algorithm (--algorithm cobyla,slsqp)",
                  best->violation,
                  q->restored ? ", and nearby there is no point at which all hold" : "");
    } else if (best->residual <= holds)
        hol__answer_text(answer, "verdict", "verdict", "the first-order conditions hold");
    else
        hol__answer_text(answer, "verdict", "verdict",
                         "the first-order conditions do not hold: the search ended too early, or "
                         "the objective has a corner there");
}

hol_status hol__optimization_answer(hol__optimization *q, const hol__minimum *best,
                                    hol_answer *answer) {
    char names[200] = "";
    for (int i = 0; i < q->n_algorithms; i++)
        strncat(strncat(names, i ? ", " : "", 3), q->algorithms[i]->name, 16);
    plot_progress(q);
    hol__answer_text(answer, "algorithm", "algorithm", "%s", names);
    hol__answer_number(answer, "value", "objective", best->values[0], q->unit);
    hol__answer_number(answer, "at_start", "objective at the start", q->first, q->unit);
    hol__answer_text(answer, "ended", "ended because", "%s", hol__ended_text(best->ended));
    if (q->restored)
        hol__answer_text(answer, "restored", "feasibility",
                         "%s ended with a violated constraint; what is violated was then minimised "
                         "by itself%s",
                         q->algorithms[q->n_algorithms - 1]->name,
                         best->violation > HOL__FEASIBLE ? ""
                                                         : ", and the search begun again there");
    put_verdict(q, best, answer);
    hol__answer_number(answer, "first_order", "first-order residual, of the largest gradient",
                       best->residual, "");
    hol__answer_number(answer, "violation", "largest violation, of the size of a constraint",
                       best->violation, "");
    hol__answer_number(answer, "evaluations", "evaluations", (double)q->before, "");
    hol__answer_number(answer, "gradients", "of them with derivatives", (double)best->gradients,
                       "");
    hol__answer_number(answer, "failed", "of them without a run to the end", (double)q->failed, "");
    if (q->failed && q->reason)
        hol__answer_text(answer, "failure", "the first of these", "%s",
                         *q->reason ? q->reason : "no reason known");
    put_parameters(q, best, answer);
    put_goals(q, answer);
    put_multipliers(q, best, answer);
    hol__answer_last(answer); /* progress */
    return HOL_OK;
}
