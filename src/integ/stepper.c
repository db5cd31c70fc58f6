/* stepper.c: what every stepper uses: making one, sums of slopes, norms. */
#include "integ/stepper.h"

#include <math.h>

hol_status hol__stepper_open(hol__stepper *stepper, hol_context *ctx, const hol__stepper_type *type,
                             const hol__system *system) {
    *stepper = (hol__stepper){
        .type = type, .system = system, .ctx = ctx, .n = system->n, .radius = HOL__RADIUS};
    return type->ops->create(stepper);
}

void hol__stepper_close(hol__stepper *stepper) {
    if (stepper->type && stepper->state) stepper->type->ops->free(stepper);
    stepper->state = NULL;
}

void hol__stepper_reset(hol__stepper *stepper) {
    if (stepper->type->ops->reset) stepper->type->ops->reset(stepper);
}

/* out = base + sum of m <= 4 terms g_j k_j, base NULL: without it; g is zero past m. out may be
 * base, nothing else. */
static void add_terms(int n, const double *base, int m, const double *g, const double *const *k,
                      double *out) {
    const double *restrict k0 = k[0], *restrict k1 = k[m > 1 ? 1 : 0];
    const double *restrict k2 = k[m > 2 ? 2 : 0], *restrict k3 = k[m > 3 ? 3 : 0];
    const double g0 = g[0], g1 = g[1], g2 = g[2], g3 = g[3];
    if (!base)
        for (int i = 0; i < n; i++) out[i] = g0 * k0[i] + g1 * k1[i] + (g2 * k2[i] + g3 * k3[i]);
    else if (m == 1)
        for (int i = 0; i < n; i++) out[i] = base[i] + g0 * k0[i];
    else if (m == 2)
        for (int i = 0; i < n; i++) out[i] = base[i] + (g0 * k0[i] + g1 * k1[i]);
    else if (m == 3)
        for (int i = 0; i < n; i++) out[i] = base[i] + (g0 * k0[i] + g1 * k1[i] + g2 * k2[i]);
    else
        for (int i = 0; i < n; i++)
            out[i] = base[i] + (g0 * k0[i] + g1 * k1[i] + (g2 * k2[i] + g3 * k3[i]));
}

/* The terms that are not zero, four in one pass; y comes last, so that increments are summed before
 * they meet it. */
void hol__combine(int n, const double *y, double h, int m, const double *a, double *const *k,
                  double *out) {
    double g[HOL__MAX_STAGES + 4];
    const double *slope[HOL__MAX_STAGES + 4];
    int terms = 0;
    for (int j = 0; j < m; j++) {
        if (a[j] == 0) continue;
        g[terms] = h * a[j];
        slope[terms++] = k[j];
    }
    if (terms == 0) {
        for (int i = 0; i < n; i++) out[i] = y ? y[i] : 0;
        return;
    }
    for (int j = 0; j < 3; j++) g[terms + j] = 0;
    int at = 0;
    for (; terms - at > 4; at += 4) add_terms(n, at ? out : NULL, 4, g + at, slope + at, out);
    add_terms(n, at ? out : y, terms - at, g + at, slope + at, out);
    if (at && y)
        for (int i = 0; i < n; i++) out[i] += y[i];
}

void hol__cubic(int n, const hol__step *step, double s, const double *f0, const double *f1,
                double *y) {
    const double r = 1 - s, h = step->h;
    for (int i = 0; i < n; i++) {
        const double change = step->y[i] - step->y_old[i];
        y[i] = r * step->y_old[i] + s * step->y[i] +
               s * r * ((s - r) * change + h * (r * f0[i] - s * f1[i]));
    }
}

double hol__mean_square(int n, const double *x, const double *s) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double r = x[i] / s[i];
        sum += r * r;
    }
    return n ? sum / n : 0;
}

double hol__stepper_added(const hol__stepper *stepper, int n, double *x, const double *scale) {
    const hol__system *system = stepper->system;
    if (system->weigh && system->weigh(system->self, x)) return NAN;
    return hol__mean_square(n, x, scale);
}

double hol__stepper_norm(const hol__stepper *stepper, double *error, const double *scale) {
    const hol__system *system = stepper->system;
    if (system->tangent) system->tangent(system->self, error);
    return hol__mean_square(stepper->n, error, scale);
}

/* 0 x is 0 for every finite x and NaN for every other. */
int hol__all_finite(int n, const double *x) {
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int j = 0; j < 4; j++) sum[j] += 0 * x[i + j];
    for (; i < n; i++) sum[0] += 0 * x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}
