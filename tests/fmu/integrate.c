/* integrate.c: model exchange by the classical formula of Runge and Kutta, with events located by
 * bisection in the length of the step. */
#include "fmu/importer.h"

#include "model_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    fmu_instance *i;
    int n, m;
    double *x, *y, *k[4], *z0, *z1;
} work;

static void rates_at(work *w, double t, const double *x, double *out) {
    fmu_set_time(w->i, t);
    fmu_set_states(w->i, x);
    fmu_get_rates(w->i, out);
}

/* y = x + h a k. */
static void along(work *w, double h, const double *k) {
    for (int j = 0; j < w->n; j++) w->y[j] = w->x[j] + h * k[j];
}

/* A step of length h from t into y; the instance stands at its end. */
static void step(work *w, double t, double h) {
    rates_at(w, t, w->x, w->k[0]);
    along(w, h / 2, w->k[0]);
    rates_at(w, t + h / 2, w->y, w->k[1]);
    along(w, h / 2, w->k[1]);
    rates_at(w, t + h / 2, w->y, w->k[2]);
    along(w, h, w->k[2]);
    rates_at(w, t + h, w->y, w->k[3]);
    for (int j = 0; j < w->n; j++)
        w->y[j] = w->x[j] + h / 6 * (w->k[0][j] + 2 * w->k[1][j] + 2 * w->k[2][j] + w->k[3][j]);
    fmu_set_time(w->i, t + h);
    fmu_set_states(w->i, w->y);
}

/* Whether some condition has changed its sign since the step began. */
static int crosses(work *w) {
    if (!w->m) return 0;
    fmu_get_conditions(w->i, w->z1);
    for (int j = 0; j < w->m; j++)
        if ((w->z0[j] > 0) != (w->z1[j] > 0)) return 1;
    return 0;
}

/* The step that ends right behind the first change: its length. */
static double shorten(work *w, double t, double h) {
    double low = 0, high = h;
    for (int k = 0; k < 60 && high - low > 1e-13 * fmax(1, fabs(t)); k++) {
        const double middle = 0.5 * (low + high);
        step(w, t, middle);
        *(crosses(w) ? &high : &low) = middle;
    }
    step(w, t, high);
    return high;
}

/* From t on by h at most; returns the new time. */
static double advance(work *w, double t, double h) {
    fmu_instance *i = w->i;
    int event = 0;
    fmu_set_time(i, t);
    fmu_set_states(i, w->x);
    if (w->m) fmu_get_conditions(i, w->z0);
    if (i->has_next && i->next > t && i->next <= t + h) h = i->next - t, event = 1;
    step(w, t, h);
    double to = event ? i->next : t + h;
    if (crosses(w)) to = t + shorten(w, t, h), event = 1;
    if (event && i->has_next && to == i->next) fmu_set_time(i, to), fmu_set_states(i, w->y);
    event |= fmu_step_completed(i);
    memcpy(w->x, w->y, sizeof *w->x * (size_t)w->n);
    if (!event) return to;
    fmu_events(i);
    if (i->changed && !i->terminate) fmu_get_states(i, w->x);
    return to;
}

void fmu_integrate(fmu_instance *i, double end, int n) {
    const size_t nx = (size_t)i->fmu->n_states, nz = (size_t)i->fmu->n_conditions;
    double *room = calloc(6 * nx + 2 * nz + 1, sizeof *room);
    work w = {.i = i, .n = (int)nx, .m = (int)nz, .x = room, .y = room + nx};
    for (int j = 0; j < 4; j++) w.k[j] = room + (size_t)(2 + j) * nx;
    w.z0 = room + 6 * nx, w.z1 = w.z0 + nz;
    fmu_get_states(i, w.x);
    const double start = i->t, h = (end - start) / n;
    double t = start;
    for (long k = 0; t < end - 1e-12 && !i->terminate; k++) {
        /* to the next point of the grid */
        const double next = start + h * (floor((t - start) / h + 1e-9) + 1);
        t = advance(&w, t, fmin(next, end) - t);
        assert_true(k < 100L * n);
    }
    if (!i->terminate) fmu_set_time(i, t), fmu_set_states(i, w.x);
    free(room);
}
