/* answer.c: the answer of a study: its cases, those that failed, and what they say. */
#include "study/answer.h"

/* All cases that ended: number, factors, responses, and what they cost. */
static void put_cases(const hol_study *s, const hol__cases *all, const hol__columns *c,
                      hol_answer *answer) {
    const int n = s->n_factors, m = s->n_responses, costs = s->spec ? 3 : 0;
    hol__sheet *sheet = hol__answer_sheet(answer, "cases", "cases that ended", 1 + n + m + costs);
    hol__sheet_column(sheet, 0, "case", "");
    for (int j = 0; j < n; j++)
        hol__sheet_column(sheet, 1 + j, s->factors[j].about.name, s->factors[j].about.unit);
    for (int i = 0; i < m; i++)
        hol__sheet_column(sheet, 1 + n + i, s->responses[i].about.name, s->responses[i].about.unit);
    for (int k = 0; k < costs; k++)
        hol__sheet_column(sheet, 1 + n + m + k,
                          (const char *const[]){"steps", "evaluations", "beyond"}[k], "");
    for (int row = 0; row < c->rows; row++) {
        double *x = hol__sheet_add(sheet, NULL);
        const long long k = c->number[row];
        if (!x) return;
        x[0] = (double)k;
        for (int j = 0; j < n; j++) x[1 + j] = c->factors[j][row];
        for (int i = 0; i < m; i++) x[1 + n + i] = c->responses[i][row];
        if (!costs) continue;
        x[1 + n + m] = all->steps[k];
        x[2 + n + m] = all->evaluations[k];
        x[3 + n + m] = all->state[k] == HOL__CASE_BEYOND;
    }
}

hol_status hol__study_answer(hol_study *s, const hol__cases *cases, double seconds,
                             hol_answer **out) {
    hol__columns columns;
    hol_answer *answer = hol__answer_new(s->ctx, "study", s->title);
    if (!answer) return HOL_ERR_MEMORY;
    hol_status status = hol__columns_init(&columns, s, cases);
    if (!status) {
        hol__study_facts(s, cases, seconds, answer);
        hol__study_failures(s, cases, answer);
        hol__study_indices(s, &columns, answer);
        hol__study_distribution(s, &columns, answer);
        hol__study_yield(s, &columns, answer);
        hol__study_effects(s, &columns, answer);
        status = hol__study_surfaces(s, &columns, answer);
        put_cases(s, cases, &columns, answer);
    }
    hol__columns_free(&columns);
    return hol__answer_finish(answer, status, out);
}
