/* distribution.c: how responses are spread: moments, quantiles, histograms, shares of the cases
 * below a value, and the cases at both ends.
 *
 * The share of independent cases below a value is, for all values together, within
 * sqrt(log(2/0.05)/(2 n)) of that of their distribution with 95 % [Dvoretzky, Kiefer, Wolfowitz 1956;
 * Massart 1990].
 */
#include "study/columns.h"

#include <math.h>

/* ---- summary ---- */

/* The quantiles of the summary, by the names of their columns. */
static const struct quantile {
    const char *name;
    double share;
} quantiles[] = {{"least", 0},  {"p05", 0.05}, {"p25", 0.25}, {"median", 0.5},
                 {"p75", 0.75}, {"p95", 0.95}, {"largest", 1}};

enum { QUANTILES = sizeof quantiles / sizeof *quantiles };

static void put_summary(const hol_study *s, const hol__columns *c, hol__arena *room,
                        hol_answer *answer) {
    hol__sheet *sheet = hol__answer_sheet(answer, "summary", "responses", 2 + QUANTILES);
    hol__sheet_column(sheet, 0, "mean", "");
    hol__sheet_column(sheet, 1, "deviation", "");
    for (int q = 0; q < QUANTILES; q++) hol__sheet_column(sheet, 2 + q, quantiles[q].name, "");
    for (int i = 0, row = 0; i < s->n_responses; i++) {
        const hol__response *r = &s->responses[i];
        int n;
        if (r->yields) continue;
        const double *sorted = hol__sorted(room, c->responses[i], c->rows, &n);
        double *values = hol__sheet_add(sheet, r->about.name);
        if (!sorted || !values) return;
        hol__sheet_row_unit(sheet, row++, r->about.unit);
        const hol__moments m = hol__moments_of(c->responses[i], c->rows);
        values[0] = m.mean;
        values[1] = m.deviation;
        for (int q = 0; q < QUANTILES; q++)
            values[2 + q] = hol__quantile(sorted, n, quantiles[q].share);
    }
}

/* Which cases have the least and the largest values: those to look at. */
static void put_extremes(const hol_study *s, const hol__columns *c, hol_answer *answer) {
    hol__sheet *sheet =
        hol__answer_sheet(answer, "extremes", "cases with the least and the largest response", 2);
    hol__sheet_column(sheet, 0, "case of the least", "");
    hol__sheet_column(sheet, 1, "case of the largest", "");
    for (int i = 0; i < s->n_responses; i++) {
        const double *x = c->responses[i];
        int least = -1, most = -1;
        if (s->responses[i].yields) continue;
        for (int row = 0; row < c->rows; row++) {
            if (!isfinite(x[row])) continue;
            if (least < 0 || x[row] < x[least]) least = row;
            if (most < 0 || x[row] > x[most]) most = row;
        }
        double *values = hol__sheet_add(sheet, s->responses[i].about.name);
        if (!values) return;
        values[0] = least < 0 ? NAN : (double)c->number[least];
        values[1] = most < 0 ? NAN : (double)c->number[most];
    }
}

/* The cases with the least and the largest values, the first of them outermost. */
static void put_ends(const hol__columns *c, int i, const hol__response *r, hol__arena *room,
                     hol_answer *answer) {
    enum { MOST = 10 };
    const char *name = hol__arena_format(room, "ends_%s", r->about.name),
               *title = hol__arena_format(room, "cases with the least and the largest %s",
                                          r->about.name);
    int n;
    const int *order = hol__ranked(room, c->responses[i], c->rows, &n);
    if (!name || !title || !order) return;
    hol__sheet *sheet = hol__answer_sheet(answer, name, title, 4);
    hol__sheet_detail(sheet);
    for (int k = 0; k < 4; k++)
        hol__sheet_column(sheet, k,
                          (const char *const[]){"case of the least", "least", "case of the largest",
                                                "largest"}[k],
                          k % 2 ? r->about.unit : "");
    for (int k = 0; k < MOST && k < n; k++) {
        double *row = hol__sheet_add(sheet, NULL);
        if (!row) return;
        row[0] = (double)c->number[order[k]];
        row[1] = c->responses[i][order[k]];
        row[2] = (double)c->number[order[n - 1 - k]];
        row[3] = c->responses[i][order[n - 1 - k]];
    }
}

/* ---- histograms ---- */

/* Freedman and Diaconis: bins of twice the middle half over the third root of n, which is near the
 * least mean square error for smooth densities. */
static int bins_of(const double *sorted, int n) {
    enum { MOST = 200 };
    const double width = 2 * (hol__quantile(sorted, n, 0.75) - hol__quantile(sorted, n, 0.25)) /
                         cbrt((double)n),
                 span = sorted[n - 1] - sorted[0];
    return width > 0 ? (int)fmin(fmax(ceil(span / width), 1), MOST) : 1;
}

static void put_histogram(const hol__response *r, const double *sorted, int n, hol__arena *room,
                          hol_answer *answer) {
    const char *name = hol__arena_format(room, "histogram_%s", r->about.name),
               *title = hol__arena_format(room, "distribution of %s", r->about.name);
    if (!name || !title || !n || !(sorted[n - 1] > sorted[0])) return;
    const int bins = bins_of(sorted, n);
    const double width = (sorted[n - 1] - sorted[0]) / bins;
    hol__sheet *sheet = hol__answer_sheet(answer, name, title, 2);
    hol__sheet_column(sheet, 0, r->about.name, r->about.unit);
    hol__sheet_column(sheet, 1, "cases", "");
    for (int b = 0, i = 0; b < bins; b++) {
        double *row = hol__sheet_add(sheet, NULL);
        if (!row) return;
        row[0] = sorted[0] + (b + 0.5) * width;
        for (; i < n && (b == bins - 1 || sorted[i] < sorted[0] + (b + 1) * width); i++) row[1]++;
    }
    hol__sheet_plot(sheet, 0, 0, 0);
}

/* ---- shares below a value ---- */

/* Every value of a few cases, else the half per cents. */
static void put_shares(const hol__response *r, const double *sorted, int n, hol__arena *room,
                       hol_answer *answer) {
    enum { MOST = 201 };
    const char *name = hol__arena_format(room, "distribution_%s", r->about.name),
               *title = hol__arena_format(room,
                                          "share of the cases up to each %s, and its 95 %% band "
                                          "for independent cases",
                                          r->about.name);
    const int rows = n < MOST ? n : MOST;
    const double band = sqrt(log(2 / 0.05) / (2 * (double)n));
    if (!name || !title || !n) return;
    hol__sheet *sheet = hol__answer_sheet(answer, name, title, 4);
    hol__sheet_detail(sheet);
    for (int k = 0; k < 4; k++)
        hol__sheet_column(sheet, k,
                          k ? (const char *const[]){"share", "low", "high"}[k - 1] : r->about.name,
                          k ? "" : r->about.unit);
    for (int k = 0; k < rows; k++) {
        double *row = hol__sheet_add(sheet, NULL);
        const double share = rows > 1 ? (double)k / (rows - 1) : 1;
        if (!row) return;
        row[0] = hol__quantile(sorted, n, share);
        row[1] = share;
        row[2] = fmax(share - band, 0);
        row[3] = fmin(share + band, 1);
    }
}

void hol__study_distribution(const hol_study *s, const hol__columns *c, hol_answer *answer) {
    hol__arena room;
    hol__arena_init(&room, s->ctx);
    put_summary(s, c, &room, answer);
    put_extremes(s, c, answer);
    for (int i = 0; i < s->n_responses; i++) {
        int n;
        if (s->responses[i].yields) continue;
        const double *sorted = hol__sorted(&room, c->responses[i], c->rows, &n);
        if (!sorted) break;
        put_histogram(&s->responses[i], sorted, n, &room, answer);
        put_shares(&s->responses[i], sorted, n, &room, answer);
        put_ends(c, i, &s->responses[i], &room, answer);
    }
    hol__arena_free(&room);
}
