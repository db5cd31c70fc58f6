/* failures.c: why cases failed, and which: `failures` has a row for each reason, `failed` one for
 * each case. Texts that differ in numbers alone are one reason: with other values a run stops at
 * another time. */
#include "study/columns.h"
#include "study/design.h"

#include <stdlib.h>
#include <string.h>

/* Reasons that have a row of their own. */
enum { MOST = 100 };

typedef struct kind {
    const struct hol__reason *first;
    double cases;
} kind;

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

static int by_number(const void *a, const void *b) {
    const struct hol__reason *const *p = a, *const *q = b;
    return ((*p)->number > (*q)->number) - ((*p)->number < (*q)->number);
}

/* The reasons in the order of their cases, whichever thread met them first; NULL without memory. */
static const struct hol__reason **in_order(const hol__cases *c, hol__arena *room) {
    const struct hol__reason **list = HOL__NEW_N(room, const struct hol__reason *, c->n_reasons);
    for (int i = 0; list && i < c->n_reasons; i++) list[i] = &c->reasons[i];
    if (list) qsort(list, (size_t)c->n_reasons, sizeof *list, by_number);
    return list;
}

/* The kind of a reason, a new one where there is none yet; the last has the rest. */
static int kind_of(const struct hol__reason *r, kind kinds[MOST], int *n) {
    int k = 0;
    while (k < *n && !is_same_reason(kinds[k].first->text, r->text)) k++;
    if (k == MOST) k--;
    if (k == *n) kinds[(*n)++] = (kind){r, 0};
    kinds[k].cases++;
    return k;
}

/* One row for each kind: how many cases, and the first of them, whose text it has. */
static void put_kinds(const kind *kinds, int n, hol_answer *answer) {
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

void hol__study_failures(const hol_study *s, const hol__cases *c, hol_answer *answer) {
    kind kinds[MOST];
    int n = 0;
    hol__arena room;
    if (!c->n_reasons) return;
    hol__arena_init(&room, s->ctx);
    const struct hol__reason **reasons = in_order(c, &room);
    int *which = HOL__NEW_N(&room, int, c->n_reasons);
    for (int i = 0; which && reasons && i < c->n_reasons; i++)
        which[i] = kind_of(reasons[i], kinds, &n);
    put_kinds(kinds, n, answer);
    hol__sheet *sheet = hol__answer_sheet(answer, "failed",
                                          "cases that failed, and the row of "
                                          "their reason among the failures, from 0",
                                          2 + s->n_factors);
    hol__sheet_detail(sheet);
    hol__sheet_column(sheet, 0, "case", "");
    for (int j = 0; j < s->n_factors; j++)
        hol__sheet_column(sheet, 1 + j, s->factors[j].about.name, s->factors[j].about.unit);
    hol__sheet_column(sheet, 1 + s->n_factors, "reason", "");
    for (int i = 0; which && reasons && i < c->n_reasons; i++) {
        double *row = hol__sheet_add(sheet, NULL);
        if (!row) break;
        row[0] = (double)reasons[i]->number;
        hol__study_values(s, reasons[i]->number, row + 1);
        row[1 + s->n_factors] = which[i];
    }
    hol__arena_free(&room);
}
