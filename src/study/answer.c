/* answer.c: the answer of a study: its cases, those that failed, and what they say. */
#include "study/answer.h"

#include "study/design.h"

#include <math.h>
#include <string.h>

/* ---- facts ---- */

static void put_facts(const hol_study *s, const hol__cases *c, hol_answer *answer) {
    hol__answer_text(answer, "design", "design", "%s", s->design->name);
    hol__answer_number(answer, "cases", "cases", (double)s->cases, "");
    hol__answer_number(answer, "done", "done", (double)c->done, "");
    hol__answer_number(answer, "failed", "of them failed", (double)c->failed, "");
    hol__answer_number(answer, "beyond", "of them beyond their tolerances", (double)c->beyond, "");
    if (s->model_path[0]) hol__answer_text(answer, "model", "model", "%s", s->model_path);
    if (s->compiled) hol__answer_text(answer, "kernel", "kernel", "compiled");
    hol__answer_number(answer, "seed", "seed", (double)s->seed, "");
    for (int i = 0; i < s->n_words; i++) {
        const hol__factor *f = &s->factors[s->words[i]];
        char words[400] = "";
        size_t n = 0;
        for (int k = 0; k < f->n_levels && n < sizeof words - 1; k++)
            n += (size_t)hol__print(words + n, sizeof words - n, "%s%d %s", k ? ", " : "", k,
                                    f->words[k]);
        hol__answer_text(answer, f->about.name, f->about.name, "%s", words);
    }
}

/* ---- cases ---- */

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

/* ---- failures ---- */

/* Texts that differ in numbers alone are one reason: with other values a run stops at another
 * time. */
static int is_same_reason(const char *a, const char *b) {
    static const char digits[] = "0123456789.+-e";
    while (*a && *b) {
        const size_t n = strspn(a, digits), m = strspn(b, digits);
        if (n && m)
            a += n, b += m;
        else if (*a++ != *b++)
            return 0;
    }
    return *a == *b;
}

/* One row for each reason: how many cases, and the first of them; the texts are those of these. */
static void put_failures(const hol__cases *c, hol_answer *answer) {
    enum { MOST = 100 };
    struct kind {
        const struct hol__reason *first;
        double cases;
    } kinds[MOST];
    int n = 0;
    for (int i = 0; i < c->n_reasons; i++) {
        const struct hol__reason *r = &c->reasons[i];
        int k = 0;
        while (k < n && !is_same_reason(kinds[k].first->text, r->text)) k++;
        if (k == MOST) k--; /* the last row has the rest */
        if (k == n) kinds[n++] = (struct kind){r, 0};
        if (r->number < kinds[k].first->number) kinds[k].first = r;
        kinds[k].cases++;
    }
    if (!n) return;
    hol__sheet *sheet = hol__answer_sheet(answer, "failures", "why cases failed", 2);
    hol__sheet_column(sheet, 0, "cases", "");
    hol__sheet_column(sheet, 1, "first case", "");
    for (int k = 0; k < n; k++) {
        double *row = hol__sheet_add(sheet, kinds[k].first->text);
        if (!row) return;
        row[0] = kinds[k].cases;
        row[1] = (double)kinds[k].first->number;
    }
}

hol_status hol__study_answer(hol_study *s, const hol__cases *cases, hol_answer **out) {
    hol__columns columns;
    hol_answer *answer = hol__answer_new(s->ctx, "study", s->title);
    if (!answer) return HOL_ERR_MEMORY;
    hol_status status = hol__columns_init(&columns, s, cases);
    if (!status) {
        put_facts(s, cases, answer);
        put_failures(cases, answer);
        hol__study_indices(s, &columns, answer);
        hol__study_distribution(s, &columns, answer);
        hol__study_effects(s, &columns, answer);
        put_cases(s, cases, &columns, answer);
    }
    hol__columns_free(&columns);
    return hol__answer_finish(answer, status, out);
}
