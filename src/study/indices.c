/* indices.c: Sobol's indices: which factors cause how much of the variance of a response.
 *
 * With the responses f_A and f_B of two independent points, f_j of A with the factor j of B, and
 * V the variance [Saltelli et al. 2010, Jansen 1999]:
 *
 *     first order  S_j  = <f_B (f_j - f_A)> / V       what is caused by the factor alone
 *     total        ST_j = <(f_A - f_j)^2> / (2 V)     and together with others
 *
 * where f_B is counted from the mean of all f_A and f_B, which leaves the expectation as it is and
 * takes a part of the scatter away. Points belong to R independent scramblings. Leaving out one of
 * them at a time (jackknife) gives R estimates, whose scatter is that of the whole estimate,
 * (R - 1)/R sum (S_-r - mean)^2, with the quotient counted in; with Student's distribution of R - 1
 * degrees it makes the interval that holds the exact value with 95 %.
 */
#include "study/columns.h"
#include "study/design.h"

#include <math.h>

/* The 0.975 quantile of Student's distribution with HOL__REPLICATES - 1 = 15 degrees. */
static const double STUDENT = 2.131449545559323;

_Static_assert(HOL__REPLICATES == 16, "STUDENT is that of 15 degrees");

/* Sums over the points of a replicate; those of f are over A and B. */
typedef struct sums {
    double points, f, ff, first, total;
} sums;

/* What a response is in the parts of a point: A, B, A with factor j of B; 0 where one of the three
 * has no number. */
static int take_point(const hol_study *s, const double *f, long long point, int j, double x[3]) {
    const long long at = point * (s->n_factors + 2);
    x[0] = f[at];
    x[1] = f[at + 1];
    x[2] = f[at + 2 + j];
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* The sums of each replicate, with responses counted from their mean. */
static void add_up(const hol_study *s, const double *f, int j, double mean,
                   sums by[HOL__REPLICATES]) {
    for (int r = 0; r < HOL__REPLICATES; r++) by[r] = (sums){0};
    for (long long point = 0; point < s->asked; point++) {
        sums *sum = &by[point % HOL__REPLICATES];
        double x[3];
        if (!take_point(s, f, point, j, x)) continue;
        const double a = x[0] - mean, b = x[1] - mean, m = x[2] - mean;
        sum->points++;
        sum->f += a + b;
        sum->ff += a * a + b * b;
        sum->first += b * (m - a);
        sum->total += (a - m) * (a - m);
    }
}

/* First and total index of all replicates but one (-1: of all). */
static void estimate(const sums by[HOL__REPLICATES], int but, double *first, double *total) {
    sums all = {0};
    for (int r = 0; r < HOL__REPLICATES; r++) {
        if (r == but) continue;
        all.points += by[r].points;
        all.f += by[r].f;
        all.ff += by[r].ff;
        all.first += by[r].first;
        all.total += by[r].total;
    }
    const double mean = all.f / (2 * all.points),
                 variance = all.ff / (2 * all.points) - mean * mean;
    *first = all.first / all.points / variance;
    *total = all.total / all.points / (2 * variance);
}

/* Half of the interval around an estimate, from those without one replicate each. */
static double half_width(const double without[HOL__REPLICATES]) {
    double mean = 0, squares = 0;
    for (int r = 0; r < HOL__REPLICATES; r++) mean += without[r] / HOL__REPLICATES;
    for (int r = 0; r < HOL__REPLICATES; r++) squares += (without[r] - mean) * (without[r] - mean);
    return STUDENT * sqrt(squares * (HOL__REPLICATES - 1) / HOL__REPLICATES);
}

/* The row of factor j: first, its half width, total, its half width. */
static void put_row(const hol_study *s, const double *f, int j, double mean, double *row) {
    sums by[HOL__REPLICATES];
    double first[HOL__REPLICATES], total[HOL__REPLICATES];
    add_up(s, f, j, mean, by);
    for (int r = 0; r < HOL__REPLICATES; r++) estimate(by, r, &first[r], &total[r]);
    estimate(by, -1, &row[0], &row[2]);
    row[1] = half_width(first);
    row[3] = half_width(total);
}

/* Response i by the number of the case; NaN where it failed. */
static const double *by_case(const hol_study *s, const hol__columns *c, int i, hol__arena *room) {
    double *f = HOL__NEW_N(room, double, s->cases);
    for (long long k = 0; f && k < s->cases; k++) f[k] = NAN;
    for (int row = 0; f && row < c->rows; row++) f[c->number[row]] = c->responses[i][row];
    return f;
}

static void put_indices(const hol_study *s, const hol__columns *c, int i, hol__arena *room,
                        hol_answer *answer) {
    static const char *const names[] = {"first", "first +-", "total", "total +-"};
    const hol__response *r = &s->responses[i];
    const char *name = hol__arena_format(room, "indices_%s", r->about.name),
               *title = hol__arena_format(room,
                                          "Sobol indices of %s: shares of its variance that a "
                                          "factor causes alone (first) and with others (total), "
                                          "+- 95 %%",
                                          r->about.name);
    const double *f = by_case(s, c, i, room);
    if (!name || !title || !f) return;
    hol__sheet *sheet = hol__answer_sheet(answer, name, title, 4);
    for (int k = 0; k < 4; k++) hol__sheet_column(sheet, k, names[k], "");
    const double mean = hol__moments_of(c->responses[i], c->rows).mean;
    for (int j = 0; j < s->n_factors; j++) {
        double *row = hol__sheet_add(sheet, s->factors[j].about.name);
        if (!row) return;
        put_row(s, f, j, mean, row);
    }
}

void hol__study_indices(const hol_study *s, const hol__columns *c, hol_answer *answer) {
    if (!hol__design_is_indices(s->design)) return;
    for (int i = 0; i < s->n_responses; i++) {
        hol__arena room;
        if (s->responses[i].yields) continue;
        hol__arena_init(&room, s->ctx);
        put_indices(s, c, i, &room, answer);
        hol__arena_free(&room);
    }
}
