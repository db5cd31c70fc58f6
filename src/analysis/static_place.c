/* static_place.c: see static_place.h. */
#include "analysis/static_place.h"

#include <string.h>

static void copy(double *to, const double *from, int n) {
    if (n) memcpy(to, from, sizeof(double) * (size_t)n);
}

int hol__static_place_keep(hol__arena *arena, const hol_data *data, hol__static_place *p) {
    const hol_model *m = data->model;
    p->q = HOL__NEW_N(arena, double, m->nq);
    p->z = HOL__NEW_N(arena, double, m->n_aux);
    p->angles = HOL__NEW_N(arena, double, m->n_angles);
    p->memory = HOL__NEW_N(arena, double, m->n_memory);
    p->turn = HOL__NEW_N(arena, double, m->nb);
    if (arena->failed) return 0;
    for (int i = 0; data->bodies.b2 && i < m->nb; i++) p->turn[i] = data->bodies.b2[i].turn;
    copy(p->q, data->q, m->nq);
    copy(p->z, data->aux, m->n_aux);
    copy(p->angles, data->angles_base, m->n_angles);
    copy(p->memory, data->memory, m->n_memory);
    return 1;
}

void hol__static_place_put(hol_data *data, const hol__static_place *p) {
    const hol_model *m = data->model;
    copy(data->aux, p->z, m->n_aux);
    copy(data->angles_base, p->angles, m->n_angles);
    copy(data->memory, p->memory, m->n_memory);
    for (int i = 0; data->bodies.b2 && i < m->nb; i++) data->bodies.b2[i].turn = p->turn[i];
    hol_data_set(data, data->t, p->q, NULL);
}
