/* columns.c: cases as columns. See columns.h. */
#include "study/columns.h"

#include "study/design.h"

#include <limits.h>
#include <math.h>

/* The rows that there are. */
static int count(const hol_study *s, const hol__cases *cases) {
    long long n = 0;
    for (long long k = 0; k < s->cases; k++)
        n += cases->state[k] == HOL__CASE_DONE || cases->state[k] == HOL__CASE_BEYOND;
    return n < INT_MAX ? (int)n : -1;
}

/* Columns of so many rows. */
static double **make(hol__arena *arena, int n, int rows) {
    double **columns = HOL__NEW_N(arena, double *, n + 1);
    for (int i = 0; i < n && columns; i++) {
        columns[i] = HOL__NEW_N(arena, double, rows + 1);
        if (!columns[i]) return NULL;
    }
    return columns;
}

/* What is known of each case. */
static void fill(hol__columns *c, const hol_study *s, const hol__cases *cases, double *values) {
    int row = 0;
    for (long long k = 0; k < s->cases; k++) {
        if (cases->state[k] != HOL__CASE_DONE && cases->state[k] != HOL__CASE_BEYOND) continue;
        hol__study_values(s, k, values);
        c->number[row] = k;
        for (int j = 0; j < s->n_factors; j++) c->factors[j][row] = values[j];
        for (int i = 0; i < s->n_responses; i++)
            c->responses[i][row] =
                s->responses[i].goal >= 0 ? cases->goals[s->responses[i].goal][k] : NAN;
        row++;
    }
}

hol_status hol__columns_init(hol__columns *c, hol_study *s, const hol__cases *cases) {
    const int rows = count(s, cases);
    *c = (hol__columns){.rows = rows};
    hol__arena_init(&c->arena, s->ctx);
    if (rows < 0)
        return hol__report(s->ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL,
                           "a table has at most %d rows", INT_MAX);
    c->number = HOL__NEW_N(&c->arena, long long, rows + 1);
    c->factors = make(&c->arena, s->n_factors, rows);
    c->responses = make(&c->arena, s->n_responses, rows);
    double *values = HOL__NEW_N(&c->arena, double, s->n_factors + 1);
    if (!c->number || !c->factors || !c->responses || !values) return HOL_ERR_MEMORY;
    fill(c, s, cases, values);
    return hol__responses_evaluate(s, rows, c->factors, c->responses);
}

void hol__columns_free(hol__columns *c) {
    hol__arena_free(&c->arena);
}
