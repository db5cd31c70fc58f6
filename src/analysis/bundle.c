/* bundle.c: neighbouring motions to first order. See bundle.h. */
#include "analysis/bundle.h"

#include <string.h>

static double *numbers(hol__bundle *b, size_t n) {
    return HOL__NEW_N(&b->arena, double, n + 1);
}

hol_status hol__bundle_open(hol__bundle *b, hol__family *f, const hol_data *data, int free) {
    const hol_model *m = data->model;
    *b = (hol__bundle){.family = f, .model = m, .nv = m->nv, .free = free, .columns = free + f->n};
    hol__arena_init(&b->arena, data->ctx);
    b->n = 2 * m->nv + m->n_aux;
    b->dt = numbers(b, (size_t)b->columns);
    b->stage = numbers(b, hol__area(b->n, b->columns));
    b->measures = numbers(b, hol__area(m->n_columns, b->columns));
    b->room = numbers(b, (size_t)m->n_columns);
    b->x = numbers(b, (size_t)b->n);
    if (m->m > m->mh) b->particular = numbers(b, hol__area(b->n, f->n));
    b->terms = HOL__NEW_N(&b->arena, hol__parameter_terms, f->n + 1);
    for (int j = 0; b->terms && j < f->n; j++)
        hol__parameter_terms_init(&b->terms[j], m, &b->arena);
    b->side = hol_data_new(data->ctx, m);
    hol_status status = b->side && hol__nudge_init(&b->nudge, m, &b->arena)
                            ? hol_data_copy(b->side, data)
                            : HOL_ERR_MEMORY;
    b->nudge.works = 1;
    if (!status) status = hol__variation_new(data, b->columns > 0 ? b->columns : 1, &b->equations);
    for (int k = 0; k < HOL__STAGES && !status; k++)
        if (!hol__variation_forcing(b->equations, k)) status = HOL_ERR_MEMORY;
    if (!status) b->Y = hol__variation_columns(b->equations, b->columns);
    return status ? status : hol__family_check(f, data);
}

void hol__bundle_close(hol__bundle *b) {
    hol__variation_free(b->equations);
    hol_data_free(b->side);
    if (b->arena.ctx) hol__arena_free(&b->arena);
    *b = (hol__bundle){0};
}

/* The terms of all parameters at the state that was taken. */
static hol_status take_terms(hol__bundle *b, int inside) {
    hol_status status = HOL_OK;
    for (int j = 0; j < b->family->n && !status; j++)
        status = hol__family_terms(b->family, j, hol__variation_data(b->equations), inside,
                                   &b->terms[j]);
    return status;
}

hol_status hol__bundle_node(hol__bundle *b, const hol_data *data, int k) {
    hol_status status = hol__variation_node(b->equations, data, k);
    if (!status) status = take_terms(b, 1);
    for (int j = 0; j < b->family->n && !status; j++) {
        double *f = hol__bundle_column(b, hol__variation_forcing(b->equations, k), b->free + j);
        memset(b->x, 0, sizeof(double) * (size_t)b->n);
        status = hol__variation_settle(b->equations, &b->terms[j], b->x);
        if (b->particular)
            memcpy(hol__bundle_column(b, b->particular, j), b->x, sizeof(double) * (size_t)b->n);
        if (!status) status = hol__variation_apply(b->equations, &b->terms[j], b->x, f);
    }
    return status;
}

hol_status hol__bundle_step(hol__bundle *b, double h) {
    return hol__variation_step(b->equations, h);
}

int hol__bundle_settles(const hol__bundle *b, const hol__collocation *formula) {
    return b->particular && formula->c[HOL__STAGES - 1] == 1;
}

hol_status hol__bundle_settle_step(hol__bundle *b) {
    hol_status status = HOL_OK;
    for (int c = 0; c < b->columns && !status; c++)
        status = hol__variation_settle(b->equations, c < b->free ? NULL : &b->terms[c - b->free],
                                       hol__bundle_column(b, b->Y, c));
    return status;
}

hol_status hol__bundle_settle(hol__bundle *b, const hol_data *data) {
    hol_status status = hol__variation_take(b->equations, data);
    if (!b->model->m || status) return status;
    status = take_terms(b, 0);
    return status ? status : hol__bundle_settle_step(b);
}

hol_status hol__bundle_settle_back(hol__bundle *b, double *w, double *rest) {
    return hol__variation_settle_back(b->equations, b->family->n, b->terms, w, rest);
}

void hol__bundle_rate(const hol__bundle *b, const hol_data *data, double *x) {
    const size_t size = sizeof(double) * (size_t)b->nv;
    memcpy(x, data->v, size);
    memcpy(x + b->nv, data->a, size);
    if (b->model->n_aux)
        memcpy(x + 2 * b->nv, data->aux_rate, sizeof(double) * (size_t)b->model->n_aux);
}

hol__direction hol__bundle_direction(const hol__bundle *b, const double *Y, int c) {
    const double *y = Y + hol__area(c, b->n);
    return (hol__direction){y, y + b->nv, y + 2 * b->nv, b->dt[c]};
}

hol_status hol__bundle_measure(hol__bundle *b, hol_data *data, const double *Y, int c, int inside,
                               double *out) {
    const hol__direction along = hol__bundle_direction(b, Y, c);
    hol_status status = hol_data_copy(b->side, data);
    if (!status)
        status = hol__nudge_measures(&b->nudge, data,
                                     hol__nudge_step(data, hol__nudge_rate(data), &along), inside,
                                     &along, b->side, out);
    if (status || c < b->free) return status;
    status = hol__family_measures(b->family, c - b->free, data, &b->nudge, b->room);
    for (int i = 0; i < b->model->n_columns; i++) out[i] += b->room[i];
    return status;
}
