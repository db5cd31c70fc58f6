/* effects.c: how responses follow single factors.
 *
 * The main effect of a factor is the mean of a response over all cases in which the factor lies
 * near a value. Factors are shown over their shares (0: their least value, 1: their largest), so
 * that all of them go into one chart; those with levels over the shares of these.
 */
#include "study/columns.h"

#include <math.h>

enum { PARTS = 12 };

/* In which of how many parts of its range a factor lies. */
static int part_of(const hol__factor *f, const double *sorted, int n, int parts, double value) {
    if (f->spread == HOL__SPREAD_LEVELS) {
        int level = 0;
        while (level + 1 < f->n_levels && f->levels[level] != value) level++;
        return level;
    }
    int low = 0, high = n; /* how many lie below */
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    const int part = (int)((double)low * parts / n);
    return part < parts ? part : parts - 1;
}

/* The parts of a factor: its levels, or as many as have ten cases each in the mean. */
static int parts_of(const hol__factor *f, int rows) {
    if (f->spread == HOL__SPREAD_LEVELS && f->n_levels <= PARTS) return f->n_levels;
    const int parts = rows / 10;
    return parts < PARTS ? (parts > 1 ? parts : 1) : PARTS;
}

/* Means of a response over the parts of a factor, NaN where there is no case, and of how many. */
static void means(const hol_study *s, const hol__columns *c, int j, const double *x, int parts,
                  hol__arena *room, double *out, double *count) {
    const hol__factor *f = &s->factors[j];
    int n;
    const double *sorted = hol__sorted(room, c->factors[j], c->rows, &n);
    for (int p = 0; p < PARTS; p++) out[p] = count[p] = 0;
    for (int row = 0; sorted && row < c->rows; row++) {
        if (!isfinite(x[row])) continue;
        hol__factor as_range = *f;
        if (f->n_levels > PARTS) as_range.spread = HOL__SPREAD_UNIFORM;
        const int p = part_of(&as_range, sorted, n, parts, c->factors[j][row]);
        out[p] += x[row];
        count[p]++;
    }
    for (int p = 0; p < PARTS; p++) out[p] = count[p] ? out[p] / count[p] : NAN;
}

double hol__main_share(const hol_study *s, const hol__columns *c, int j, int i, hol__arena *room) {
    const hol__moments all = hol__moments_of(c->responses[i], c->rows);
    const int parts = parts_of(&s->factors[j], c->rows);
    double mean[PARTS], count[PARTS], sum = 0;
    means(s, c, j, c->responses[i], parts, room, mean, count);
    for (int p = 0; p < parts; p++)
        if (count[p] > 0) sum += count[p] * (mean[p] - all.mean) * (mean[p] - all.mean);
    const double share = sum / (all.deviation * all.deviation * (all.n - 1));
    return isfinite(share) ? share : 0;
}

/* The means of a response over as many parts, with a column for each factor that has so many. */
static void put_parts(const hol_study *s, const hol__columns *c, int i, int parts, int columns,
                      hol__arena *room, hol_answer *answer) {
    const hol__response *r = &s->responses[i];
    const char *name = parts == PARTS
                           ? hol__arena_format(room, "effects_%s", r->about.name)
                           : hol__arena_format(room, "effects_%s_%d", r->about.name, parts),
               *title = hol__arena_format(
                   room, "main effects on %s: its mean over %d parts of each factor", r->about.name,
                   parts);
    if (!name || !title) return;
    hol__sheet *sheet = hol__answer_sheet(answer, name, title, 1 + columns);
    hol__sheet_column(sheet, 0, "share of the range", "");
    for (int p = 0; p < parts; p++) {
        double *row = hol__sheet_add(sheet, NULL);
        if (!row) return;
        row[0] = (p + 0.5) / parts;
    }
    for (int j = 0, k = 1; j < s->n_factors; j++) {
        double mean[PARTS], count[PARTS];
        if (parts_of(&s->factors[j], c->rows) != parts) continue;
        hol__sheet_column(sheet, k, s->factors[j].about.name, r->about.unit);
        means(s, c, j, c->responses[i], parts, room, mean, count);
        for (int p = 0; p < parts; p++) hol__sheet_row(sheet, p)[k] = mean[p];
        k++;
    }
    hol__sheet_plot(sheet, 0, 0, 0);
}

/* The tables of a response: one for each number of parts that factors have. */
static void put_effects(const hol_study *s, const hol__columns *c, int i, hol__arena *room,
                        hol_answer *answer) {
    for (int parts = 2; parts <= PARTS; parts++) {
        int columns = 0;
        for (int j = 0; j < s->n_factors; j++)
            columns += parts_of(&s->factors[j], c->rows) == parts;
        if (columns) put_parts(s, c, i, parts, columns, room, answer);
    }
}

/* ---- correlation ---- */

/* Pearson's correlation of two columns, over rows in which both are finite. */
static double correlation(const double *x, const double *y, int n) {
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
    int m = 0;
    for (int i = 0; i < n; i++)
        if (isfinite(x[i]) && isfinite(y[i])) mx += x[i], my += y[i], m++;
    mx /= m;
    my /= m;
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) continue;
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

static void put_correlation(const hol_study *s, const hol__columns *c, hol_answer *answer) {
    int n = 0;
    for (int i = 0; i < s->n_responses; i++) n += !s->responses[i].yields;
    hol__sheet *sheet = hol__answer_sheet(
        answer, "correlation", "linear correlation of factors and responses, -1 to 1", n);
    for (int i = 0, k = 0; i < s->n_responses; i++)
        if (!s->responses[i].yields) hol__sheet_column(sheet, k++, s->responses[i].about.name, "");
    for (int j = 0; j < s->n_factors; j++) {
        double *row = hol__sheet_add(sheet, s->factors[j].about.name);
        if (!row) return;
        for (int i = 0, k = 0; i < s->n_responses; i++)
            if (!s->responses[i].yields)
                row[k++] = correlation(c->factors[j], c->responses[i], c->rows);
    }
}

void hol__study_effects(const hol_study *s, const hol__columns *c, hol_answer *answer) {
    hol__arena room;
    put_correlation(s, c, answer);
    for (int i = 0; i < s->n_responses; i++) {
        if (s->responses[i].yields) continue;
        hol__arena_init(&room, s->ctx);
        put_effects(s, c, i, &room, answer);
        hol__arena_free(&room);
    }
}
