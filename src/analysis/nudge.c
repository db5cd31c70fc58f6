/* nudge.c: a state moved along a direction. See nudge.h. */
#include "analysis/nudge.h"

#include "analysis/carrier.h"
#include "dyn/probe.h"

#include <math.h>
#include <string.h>

/* The step of a difference, as a share of what changes a mechanism. */
#define STEP 1e-3

/* How often a step is made ten times shorter: steps of a run that end at a corner may come as close
 * to it as rounding lets them, and the shorter they are the less their derivatives count. */
enum { SHORTER = 12 };

int hol__nudge_init(hol__nudge *n, const hol_model *m, hol__arena *arena) {
    n->q = HOL__NEW_N(arena, double, m->nq + 1);
    n->v = HOL__NEW_N(arena, double, m->nv + 1);
    n->dq = HOL__NEW_N(arena, double, m->nv + 1);
    n->z = HOL__NEW_N(arena, double, m->n_aux + 1);
    n->value = HOL__NEW_N(arena, double, m->n_columns + 1);
    return !arena->failed;
}

void hol__nudge_put(hol__nudge *n, const hol_data *from, double h, const hol__direction *along,
                    hol_data *to) {
    const hol_model *m = from->model;
    for (int j = 0; j < m->nv; j++) {
        n->dq[j] = along->dq ? h * along->dq[j] : 0;
        n->v[j] = from->v[j] + (along->dv ? h * along->dv[j] : 0);
    }
    for (int j = 0; j < m->n_aux; j++) n->z[j] = from->aux[j] + (along->dz ? h * along->dz[j] : 0);
    m->coords->plus(m, from->q, n->dq, n->q);
    hol_data_set(to, from->t + h * along->dt, n->q, n->v);
    if (m->n_aux) hol__data_set_aux(to, n->z);
}

double hol__nudge_energy(hol_data *data) {
    if (hol_data_update(data, HOL_STAGE_DYN)) return NAN;
    return hol__data_kinetic(data, data->v) + data->potential;
}

hol_status hol__nudge_add(hol__nudge *n, hol_data *at, double weight, double *out) {
    const hol_status status = hol__measure_all(at, n->value);
    if (status < 0 && status != HOL_ERR_SINGULAR) return status;
    for (int i = 0; i < at->model->n_columns; i++) out[i] += weight * n->value[i];
    return HOL_OK;
}

int hol__nudge_same_sides(const hol_data *a, const hol_data *b) {
    const hol_model *m = a->model;
    for (int i = 0; i < m->n_corners; i++)
        if (m->corners[i].thick >= 0 &&
            hol__cell(&m->corners[i].cells, *hol__recorded(a->scratch, i)) !=
                hol__cell(&b->model->corners[i].cells, *hol__recorded(b->scratch, i)))
            return 0;
    return 1;
}

/* The same with this very step; *same: no corner is crossed. */
static hol_status differences(hol__nudge *n, const hol_data *from, double h,
                              const hol__direction *along, hol_data *at, double *out, int *same) {
    hol_status status = HOL_OK;
    double energy = 0;
    *same = 1;
    if (n->works) { /* from a copy, which may be brought to its stage */
        status = hol_data_copy(at, from);
        if (!status) energy = hol__nudge_energy(at);
    }
    memset(out, 0, sizeof(double) * (size_t)from->model->n_columns);
    for (int i = 0; i < HOL__STENCIL && !status; i++) {
        hol__nudge_put(n, from, hol__stencil[i].at * h, along, at);
        if (n->works) at->work = from->work + hol__nudge_energy(at) - energy;
        status = hol__nudge_add(n, at, hol__stencil[i].weight / h, out);
        if (!status && from->model->n_corners) {
            status = hol_data_update(at, HOL_STAGE_DYN);
            *same &= hol__nudge_same_sides(from, at);
        }
    }
    return status;
}

hol_status hol__nudge_measures(hol__nudge *n, const hol_data *from, double h, int inside,
                               const hol__direction *along, hol_data *at, double *out) {
    int same = 0;
    hol_status status = HOL_OK;
    double shorter = h;
    for (int i = 0; i < SHORTER && !same && !status; i++, shorter *= 0.1)
        status = differences(n, from, shorter, along, at, out, &same);
    if (status || same) return status;
    if (!inside) return differences(n, from, h, along, at, out, &same);
    memset(out, 0, sizeof(double) * (size_t)from->model->n_columns);
    return HOL_OK;
}

double hol__nudge_step(const hol_data *from, double rate, const hol__direction *along) {
    const hol_model *m = from->model;
    double most = fabs(along->dt) * rate;
    for (int j = 0; j < m->nv; j++) {
        const double unit = hol__coordinate_size(m, j);
        most = fmax(most, fmax(fabs(along->dq ? along->dq[j] : 0),
                               fabs(along->dv ? along->dv[j] : 0) / rate) /
                              unit);
    }
    for (int j = 0; along->dz && j < m->n_aux; j++)
        most = fmax(most, fabs(along->dz[j]) / (1 + fabs(from->aux[j])));
    return most > 0 ? STEP / most : STEP;
}

double hol__nudge_rate(const hol_data *data) {
    const hol_model *m = data->model;
    double rate = 0;
    for (int j = 0; j < m->nv; j++) {
        const double unit = hol__coordinate_size(m, j);
        rate = fmax(rate, fmax(fabs(data->v[j]) / unit, sqrt(fabs(data->a[j]) / unit)));
    }
    return rate > 0 ? rate : 1;
}
