/* inverse_loads.c: the least loads that make a given sum, within limits.
 *
 * With x = sqrt(w) u: x = x0 + N z, x0 the least solution of G W^-1/2 x = g and N an orthonormal
 * basis of what makes nothing; |x|^2 = |x0|^2 + |z|^2. Where x0 is beyond a limit, z is the point
 * nearest to the origin among those within (la/nearest_point.h).
 */
#include "analysis/inverse.h"

#include "la/tolerances.h"

#include <math.h>
#include <string.h>

hol_status hol__loads_new(hol__arena *arena, int k, int n, const hol__actuator *actuators,
                          hol__loads *loads) {
    *loads = (hol__loads){.k = k,
                          .n = n,
                          .svd = hol__svd_new(arena, k, n),
                          .root = HOL__NEW_N(arena, double, n + 1),
                          .x = HOL__NEW_N(arena, double, n + 1),
                          .part = HOL__NEW_N(arena, double, k + 1)};
    if (!loads->svd || !loads->root || !loads->x || !loads->part) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) loads->root[i] = sqrt(actuators[i].weight);
    loads->nearest = hol__nearest_point_new(arena, 2 * n, n);
    return loads->nearest ? HOL_OK : HOL_ERR_MEMORY;
}

static int has_limits(const hol__actuator *a) {
    return a->low != 0 || a->high != 0;
}

/* z within the limits; x takes what it adds. N: the last n - rank rows of V^T. */
static hol_status keep_limits(hol__loads *l, const hol__actuator *a, int rank) {
    const int free = l->n - rank;
    hol__nearest_point *p = l->nearest;
    int rows = 0;
    for (int i = 0; i < l->n; i++) {
        if (!has_limits(&a[i])) continue;
        for (int side = 0; side < 2; side++) {
            const double sign = side ? -1 : 1, limit = (side ? a[i].high : a[i].low) * l->root[i];
            if (isinf(limit)) continue;
            for (int j = 0; j < free; j++)
                p->B[rows * free + j] = sign * l->svd->vt[i * l->n + rank + j];
            p->h[rows++] = sign * (limit - l->x[i]);
        }
    }
    p->m = rows;
    p->n = free;
    const hol_status status = hol__nearest_point_solve(p);
    for (int i = 0; i < l->n && !status; i++)
        for (int j = 0; j < free; j++) l->x[i] += l->svd->vt[i * l->n + rank + j] * p->z[j];
    return status;
}

hol_status hol__loads_find(hol__loads *l, const hol__actuator *a, const double *sizes,
                           const double *G, const double *g, double *u, double *left) {
    const int k = l->k, n = l->n, most = k < n ? k : n;
    hol__svd *svd = l->svd;
    int rank = 0, beyond = 0;
    double size = 0;
    for (int j = 0; j < n; j++) {
        size = fmax(size, sizes[j] / l->root[j]);
        for (int i = 0; i < k; i++) svd->a[j * k + i] = G[j * k + i] / l->root[j];
    }
    if (hol__svd_factor(svd)) return HOL_NONFINITE;
    while (rank < most && svd->s[rank] > HOL__RANK_TOLERANCE * size) rank++;
    memset(l->x, 0, sizeof *l->x * (size_t)n);
    memcpy(l->part, g, sizeof *g * (size_t)k);
    for (int r = 0; r < rank; r++) {
        double dot = 0;
        for (int i = 0; i < k; i++) dot += svd->u[r * k + i] * g[i];
        for (int i = 0; i < k; i++) l->part[i] -= dot * svd->u[r * k + i];
        for (int j = 0; j < n; j++) l->x[j] += svd->vt[j * n + r] * dot / svd->s[r];
    }
    *left = 0;
    for (int i = 0; i < k; i++) *left = hypot(*left, l->part[i]);
    for (int j = 0; j < n; j++)
        beyond |= has_limits(&a[j]) &&
                  (l->x[j] < a[j].low * l->root[j] || l->x[j] > a[j].high * l->root[j]);
    if (beyond && keep_limits(l, a, rank)) return HOL_SINGULAR;
    for (int j = 0; j < n; j++) u[j] = l->x[j] / l->root[j];
    return HOL_OK;
}
