/* first_order.c: multipliers of a minimum and what is left of its gradient.
 *
 * With the gradient g of f and the rows G of the constraints and bounds that are met, all in
 * shares, the direction d of steepest descent that keeps them is the nearest to -g with G d <= 0
 * (= 0 for equations): z = d + g is the point nearest to the origin with -G z >= -G g
 * (la/nearest_point.h), z = -G^T mu, and d = -(g + G^T mu) is what is left.
 */
#include "analysis/minimize.h"

#include "la/dense.h"
#include "la/nearest_point.h"

#include <math.h>
#include <string.h>

/* Where a row came from. */
typedef struct origin {
    double *multiplier; /* to add to */
    double factor;      /* from shares to units */
} origin;

typedef struct rows {
    hol__nearest_point *nearest;
    origin *from;
    int n; /* parameters */
    int count;
} rows;

/* One more row with G d <= 0 times a sign, from shares; g: the gradient of f. */
static void add_row(rows *r, const double *row, double sign, const double *g, double *multiplier,
                    double factor) {
    double *B = r->nearest->B + hol__area(r->count, r->n), dot = 0;
    for (int j = 0; j < r->n; j++) {
        B[j] = -sign * row[j];
        dot += row[j] * g[j];
    }
    r->nearest->h[r->count] = -sign * dot;
    r->from[r->count++] = (origin){multiplier, sign * factor};
}

/* The rows of constraints that are met. */
static void add_limits(rows *r, const hol__objective *o, const double *width, const double *size,
                       double scale, double active, const double *g, double *row,
                       hol__minimum *out) {
    for (int i = 0; i < o->m; i++) {
        if (!o->equal[i] && out->values[1 + i] / size[1 + i] < -active) continue;
        out->is_active[i] = 1;
        for (int j = 0; j < o->n; j++)
            row[j] = out->gradient[hol__area(1 + i, o->n) + (size_t)j] * width[j] / size[1 + i];
        add_row(r, row, 1, g, &out->on_limit[i], scale / size[1 + i]);
        if (o->equal[i]) add_row(r, row, -1, g, &out->on_limit[i], scale / size[1 + i]);
    }
}

/* The rows of bounds that are met. */
static void add_bounds(rows *r, const hol__objective *o, const double *width, double scale,
                       double active, const double *g, double *row, hol__minimum *out) {
    for (int j = 0; j < o->n; j++) {
        memset(row, 0, sizeof(double) * (size_t)o->n);
        row[j] = 1;
        if (out->p[j] - o->low[j] <= active * width[j])
            add_row(r, row, -1, g, &out->on_low[j], -scale / width[j]);
        if (o->high[j] - out->p[j] <= active * width[j])
            add_row(r, row, 1, g, &out->on_high[j], scale / width[j]);
    }
}

hol_status hol__first_order(const hol__objective *o, const double *width, const double *size,
                            double active, double largest, hol__arena *arena, hol__minimum *out) {
    const int most = 2 * o->m + 2 * o->n;
    rows r = {.n = o->n};
    double *g = HOL__NEW_N(arena, double, o->n + 1), *row = HOL__NEW_N(arena, double, o->n + 1);
    out->on_limit = HOL__NEW_N(arena, double, o->m + 1);
    out->on_low = HOL__NEW_N(arena, double, o->n + 1);
    out->on_high = HOL__NEW_N(arena, double, o->n + 1);
    out->is_active = HOL__NEW_N(arena, unsigned char, o->m + 1);
    r.from = HOL__NEW_N(arena, origin, most + 1);
    r.nearest = hol__nearest_point_new(arena, most, o->n);
    if (arena->failed) return HOL_ERR_MEMORY;
    if (!out->gradient) return HOL_OK;
    double scale = 0; /* of the gradient of f, which becomes 1 */
    for (int j = 0; j < o->n; j++) scale = fmax(scale, fabs(out->gradient[j] * width[j]));
    for (int j = 0; j < o->n && scale > 0; j++) g[j] = out->gradient[j] * width[j] / scale;
    add_limits(&r, o, width, size, scale, active, g, row, out);
    add_bounds(&r, o, width, scale, active, g, row, out);
    r.nearest->m = r.count;
    out->residual = 0;
    if (!(scale > 0) || hol__nearest_point_solve(r.nearest)) return HOL_OK;
    for (int j = 0; j < o->n; j++)
        out->residual = fmax(out->residual, fabs(r.nearest->z[j] - g[j]));
    out->residual *= scale / (size[0] * largest);
    for (int i = 0; i < r.count; i++)
        *r.from[i].multiplier += r.from[i].factor * r.nearest->force[i];
    return HOL_OK;
}
