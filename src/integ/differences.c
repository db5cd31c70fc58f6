/* differences.c: J and f_t by differences of f, and a dense LU of I - g J.
 *
 *     J e_j = ( f(t, y + s e_j) - f(t, y - s e_j) ) / 2 s,   s = eps^(1/3) times the size of y_j
 *     f_t   = ( -25 f_0 + 48 f_1 - 36 f_2 + 16 f_3 - 3 f_4 ) / 12 d,   f_k = f(t + k d, y)
 *
 * The error of J is some eps^(2/3) = 4e-11 of its size. f_t is of fourth order in d, a share of the
 * step, so that no order of the formula is lost, and looks ahead only: f need not exist before t.
 */
#include "integ/differences.h"

#include "base/arena.h"
#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* d as a share of the step: 4 d stays well inside, and rounding adds some 50 eps |f| / h. */
static const double TIME_SHARE = 0.02;

struct hol__differences {
    hol_context *ctx;
    hol__arena arena;
    const hol__system *system;
    int n;
    double *J; /* n x n, column-major */
    double *y, *above, *below, *size;
    hol__lu *lu;
};

hol__differences *hol__differences_new(hol_context *ctx, const hol__system *system) {
    hol__differences *d = hol__alloc(ctx, 1, sizeof *d);
    const int n = system->n;
    if (!d) return NULL;
    d->ctx = ctx;
    d->system = system;
    d->n = n;
    hol__arena_init(&d->arena, ctx);
    d->J = HOL__NEW_N(&d->arena, double, (size_t)n *(size_t)n);
    d->y = HOL__NEW_N(&d->arena, double, n);
    d->above = HOL__NEW_N(&d->arena, double, n);
    d->below = HOL__NEW_N(&d->arena, double, n);
    d->size = HOL__NEW_N(&d->arena, double, n);
    d->lu = hol__lu_new(&d->arena, n);
    if (d->lu && !d->arena.failed) return d;
    hol__differences_free(d);
    return NULL;
}

void hol__differences_free(hol__differences *d) {
    if (!d) return;
    hol_context *ctx = d->ctx;
    hol__arena_free(&d->arena);
    hol__release(ctx, d);
}

/* f_t, with f_0 = f. */
static hol_status by_time(hol__differences *d, double t, const double *y, const double *f, double h,
                          double *ft) {
    static const double weight[] = {-25.0 / 12, 4, -3, 4.0 / 3, -1.0 / 4};
    const double end = t + TIME_SHARE * h, step = end - t;
    hol_status status = HOL_OK;
    for (int i = 0; i < d->n; i++) ft[i] = weight[0] * f[i] / step;
    for (int k = 1; k < 5 && status == HOL_OK; k++) {
        status = d->system->rhs(d->system->self, t + k * step, y, d->above);
        for (int i = 0; i < d->n; i++) ft[i] += weight[k] * d->above[i] / step;
    }
    return status;
}

/* Column j of J; y is as it was afterwards. */
static hol_status column(hol__differences *d, double t, int j) {
    const hol__system *system = d->system;
    double *const y = d->y, *const at = d->J + (size_t)j * (size_t)d->n;
    const double was = y[j], step = cbrt(DBL_EPSILON) * d->size[j];
    y[j] = was + step;
    const double high = y[j];
    hol_status status = system->rhs(system->self, t, y, d->above);
    y[j] = was - step;
    const double width = high - y[j];
    if (status == HOL_OK) status = system->rhs(system->self, t, y, d->below);
    for (int i = 0; i < d->n; i++) at[i] = (d->above[i] - d->below[i]) / width;
    y[j] = was;
    return status;
}

hol_status hol__differences_linearize(hol__differences *d, double t, const double *y,
                                      const double *f, double h, double *ft) {
    const hol__system *system = d->system;
    memcpy(d->y, y, sizeof *y * (size_t)d->n);
    if (system->size)
        system->size(system->self, y, d->size);
    else
        for (int i = 0; i < d->n; i++) d->size[i] = 1 + fabs(y[i]);
    hol_status status = ft ? by_time(d, t, y, f, h, ft) : HOL_OK;
    for (int j = 0; j < d->n && status == HOL_OK; j++) status = column(d, t, j);
    return status;
}

hol_status hol__differences_shift(hol__differences *d, double g) {
    const size_t n = (size_t)d->n;
    for (size_t i = 0; i < n * n; i++) d->lu->a[i] = -g * d->J[i];
    for (size_t i = 0; i < n; i++) d->lu->a[i * (n + 1)] += 1;
    return hol__lu_factor(d->lu) == 0 ? HOL_OK : HOL_SINGULAR;
}

hol_status hol__differences_solve(hol__differences *d, const double *r, double *x) {
    memcpy(x, r, sizeof *x * (size_t)d->n);
    hol__lu_solve(d->lu, 0, x);
    return HOL_OK;
}

double hol__differences_entry(const hol__differences *d, int i, int j) {
    return d->J[(size_t)j * (size_t)d->n + (size_t)i];
}
