/* certify_bound.c: how far the answer can be from the truth.
 *
 *     B = e + 2 max over the counted witnesses c of |x - x_c|
 *
 * x: the fine run of the witness whose own estimate is least (the answer); x_c: the fine runs; e =
 * |x_coarse - x| of the answer. Both are taken as the largest over a tenth of the span before and
 * behind an instant, since differences pass through zero. If x is off by more than B, every counted
 * witness is off by more than half as much, to the same side, and refining x did not halve its
 * error (docs/theory/certify.md).
 */
#include "analysis/certify.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The largest of |x| of a column. */
static double largest(const hol__certify *c, const double *x, int column) {
    double most = 0;
    for (int i = 0; i < c->grid.rows; i++) {
        const double v = fabs(x[(size_t)i * (size_t)c->grid.width + (size_t)column]);
        if (v > most && !c->left[i] && isfinite(v)) most = v;
    }
    return most;
}

/* The largest of the columns that are not zero and have the unit of this one (by_unit), or belong
 * to the same measure; 0: none. */
static double largest_beside(const hol__certify *c, const double *own, int column, int by_unit) {
    const hol_model *m = c->model;
    double most = 0;
    int first = 0, end = m->n_columns;
    for (int i = 0; i < m->n_measures && !by_unit; i++) {
        const hol__measure *e = &m->measures[i];
        if (column >= e->first && column < e->first + e->count)
            first = e->first, end = e->first + e->count;
    }
    for (int k = first; k < end; k++)
        if (!c->open[k] && !c->zero[k] &&
            (!by_unit || strcmp(m->columns[k].unit, m->columns[column].unit) == 0))
            most = fmax(most, own[k]);
    return most;
}

/* The sizes: the largest value of a column; of one that is zero as far as is known that of the
 * others of its unit, where these are a thousand times larger, or of its measure, or 1. */
static void set_sizes(hol__certify *c, const double *own) {
    for (int j = 0; j < c->grid.n; j++) {
        const double unit = largest_beside(c, own, j, 1), measure = largest_beside(c, own, j, 0);
        c->size[j] = own[j];
        if (c->zero[j] && unit > 0)
            c->size[j] = own[j] <= 1e-3 * unit ? unit : own[j];
        else if (c->zero[j] && measure > 0)
            c->size[j] = fmax(measure, own[j]);
        if (!(c->size[j] > 1e-9) && c->zero[j]) c->size[j] = 1;
    }
}

/* Columns that are zero by this share of the largest of all that is measured. */
static void guess_zeros(hol__certify *c, const double *own, double share) {
    double most = 0;
    for (int j = 0; j < c->grid.n; j++) most = fmax(most, own[j]);
    for (int j = 0; j < c->grid.n; j++) c->zero[j] = own[j] <= share * most;
}

void hol__certify_sizes(hol__certify *c, const double *x) {
    double *own = hol__alloc(c->ctx, (size_t)c->grid.n + 1, sizeof *own);
    if (!own) {
        c->arena.failed = 1;
        return;
    }
    for (int j = 0; j < c->grid.n; j++) own[j] = largest(c, x, j);
    guess_zeros(c, own, 1e-9); /* until the bound is known */
    set_sizes(c, own);
    hol__release(c->ctx, own);
}

double hol__certify_digits(const hol__certify *c, int column, double bound) {
    if (!(bound < INFINITY)) return 0;
    const double share = fmax(bound / c->size[column], DBL_EPSILON);
    /* tenths, rounded down: more of it means nothing */
    return fmin(HOL__MOST_DIGITS, fmax(0, floor(-10 * log10(share)) / 10));
}

hol__fewest hol__certify_fewest(const hol__certify *c, const double *bound, int from, int to) {
    hol__fewest f = {.digits = INFINITY, .column = -1, .row = -1};
    for (int i = from; i < to; i++)
        for (int j = 0; j < c->grid.n; j++) {
            const double b = bound[(size_t)i * (size_t)c->grid.n + (size_t)j];
            if (!hol__certify_counts(c, i, j) || isnan(b)) continue;
            const double d = hol__certify_digits(c, j, b);
            if (d < f.digits) f = (hol__fewest){d, hol__grid_time(&c->grid, i), j, i};
        }
    return f;
}

/* ---- witnesses ---- */

/* Count the most precise ones; the first of them is the answer. */
static void count(hol__certify *c) {
    c->answer = -1;
    c->n_counted = 0;
    for (int k = 0; k < HOL__COUNTED && k < c->n; k++) {
        int best = -1;
        for (int i = 0; i < c->n; i++)
            if (!c->witness[i].counted && (best < 0 || c->witness[i].own < c->witness[best].own))
                best = i;
        c->witness[best].counted = 1;
        c->n_counted++;
        if (c->answer < 0) c->answer = best;
    }
    /* a run that is refined twice is what its own estimate says; one without says nothing */
    if (c->o.quick && c->n == 2) c->answer = 1;
    c->x = c->answer >= 0 ? c->witness[c->answer].fine.x : NULL;
}

/* |x - x_c| of a number. */
static double difference(const hol__certify *c, const double *a, int row, int column) {
    const size_t at = (size_t)row * (size_t)c->grid.width + (size_t)column;
    return fabs(a[at] - c->x[at]);
}

double hol__certify_around(const hol__certify *c, const hol__witness *w, int row, int column) {
    const double *a = w->fine.x;
    const int rows = c->grid.rows, half = rows / 10 > 1 ? rows / 10 : 1;
    double most = 0;
    for (int k = row > half ? row - half : 0; k < rows && k <= row + half; k++) {
        const double d = difference(c, a, k, column);
        if (hol__certify_counts(c, k, column) && d > most) most = d;
    }
    return most;
}

static void find_bound(hol__certify *c) {
    const int n = c->grid.n;
    for (int i = 0; i < c->grid.rows; i++)
        for (int j = 0; j < n; j++) {
            const size_t at = (size_t)i * (size_t)n + (size_t)j;
            double apart = 0;
            for (int k = 0; k < c->n; k++)
                if (c->witness[k].counted)
                    apart = fmax(apart, hol__certify_around(c, &c->witness[k], i, j));
            c->bound[at] =
                fmax(4 * DBL_EPSILON * c->size[j], 2 * apart + c->witness[c->answer].error[at]);
        }
}

/* The joint whose place first differs by more than `share` of the mechanism up to a row; -1. */
static int joint_apart(const hol__certify *c, const double *a, int row, double limit) {
    const hol__grid *g = &c->grid;
    int worst = -1;
    for (int i = 0; i <= row && worst < 0; i++)
        for (int k = 0; k < 3 * g->joints; k++) {
            const double d = difference(c, a, i, g->n + k);
            if (d > limit) limit = d, worst = k / 3;
        }
    return worst;
}

/* How far a witness is from the answer, and whether by more than both say of themselves. */
static void hold_against(hol__certify *c, hol__witness *w) {
    const hol__witness *r = &c->witness[c->answer];
    w->apart_row = w->apart_column = w->apart_joint = -1;
    w->off = 0;
    for (int i = 0; i < c->grid.rows; i++)
        for (int j = 0; j < c->grid.n; j++) {
            const size_t at = (size_t)i * (size_t)c->grid.n + (size_t)j;
            if (!hol__certify_counts(c, i, j)) continue;
            const double d = difference(c, w->fine.x, i, j), size = c->size[j];
            if (d / size > w->off) w->off = d / size, w->off_column = j, w->off_row = i;
            if (w->apart || w == r || !(d > c->share * size)) continue;
            /* three times: the estimates are those of runs with a hundred times the tolerance */
            if (d > 3 * (w->error[at] + r->error[at])) {
                w->apart = 1;
                w->apart_row = i;
                w->apart_column = j;
            }
        }
    if (w->apart)
        w->apart_joint = joint_apart(c, w->fine.x, w->apart_row, 0.1 * c->share * c->model->length);
}

/* Instants within a whisker of a jump belong to either side of it. */
static void leave_out_jumps(hol__certify *c) {
    const hol__grid *g = &c->grid;
    for (int k = 0; k < c->n; k++) {
        const hol__run *f = &c->witness[k].fine;
        for (int i = 0; i < g->rows - 1; i++)
            for (int e = 0; e < f->n_jumps; e++)
                if (fabs(hol__grid_time(g, i) - f->jumps[e]) <= 1e-3 * g->interval) c->left[i] = 1;
    }
}

hol_status hol__certify_bound(hol__certify *c) {
    const size_t n = (size_t)c->grid.rows * (size_t)c->grid.n + 1;
    double *own = HOL__NEW_N(&c->arena, double, c->grid.n + 1);
    double *bound = HOL__NEW_N(&c->arena, double, n);
    c->off = HOL__NEW_N(&c->arena, double, n);
    if (!own || !bound || !c->off) return HOL_ERR_MEMORY;
    if (!c->n) return HOL_OK;
    leave_out_jumps(c);
    for (int k = 0; k < c->n; k++) c->witness[k].own = hol__certify_own(c, &c->witness[k]);
    count(c);
    const hol_status status = hol__certify_sharpen(c);
    if (status) return status;
    hol__certify_sizes(c, c->x);
    c->bound = bound;
    find_bound(c);
    for (int j = 0; j < c->grid.n; j++) {
        double most = 0;
        for (int i = 0; i < c->grid.rows; i++)
            if (!c->left[i]) most = fmax(most, bound[(size_t)i * (size_t)c->grid.n + (size_t)j]);
        own[j] = largest(c, c->x, j);
        c->zero[j] = own[j] <= 10 * most;
    }
    set_sizes(c, own);
    for (int k = 0; k < c->n; k++) hold_against(c, &c->witness[k]);
    for (int i = 0; i < c->grid.rows; i++)
        for (int j = 0; j < c->grid.n; j++) {
            const size_t at = (size_t)i * (size_t)c->grid.n + (size_t)j;
            c->off[at] = c->o.refine ? bound[at] : difference(c, c->judged.x, i, j) + bound[at];
        }
    return HOL_OK;
}
