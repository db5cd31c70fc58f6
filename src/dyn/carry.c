/* carry.c: the state of bodies over to a data of another model of them: in other coordinates, or
 * with other rows. */
#include "dyn/data.h"

#include <math.h>
#include <string.h>

void hol__data_bodies_state(const hol_data *from, double *q, double *v) {
    for (int i = 0; i < from->model->nb; i++) {
        if (from->bodies.b2) {
            const hol__body2 *b = &from->bodies.b2[i];
            q[3 * i] = b->r[0], q[3 * i + 1] = b->r[1], q[3 * i + 2] = b->theta;
            v[3 * i] = b->v[0], v[3 * i + 1] = b->v[1], v[3 * i + 2] = b->w;
            continue;
        }
        const hol__body3 *b = &from->bodies.b3[i];
        memcpy(q + 7 * i, b->r, sizeof b->r);
        memcpy(q + 7 * i + 3, b->p, sizeof b->p);
        memcpy(v + 6 * i, b->v, sizeof b->v);
        memcpy(v + 6 * i + 3, b->w, sizeof b->w);
    }
}

void hol__data_take_bodies(hol_data *to, hol_data *from) {
    const hol_model *m = to->model;
    hol_data_update(from, HOL_STAGE_VEL);
    if (m->coords->maps)
        m->coords->maps->from_bodies(m, &from->bodies, to->q, to->v);
    else if (from->model->coords->maps)
        hol__data_bodies_state(from, to->q, to->v);
    else {
        memcpy(to->q, from->q, sizeof(double) * (size_t)m->nq);
        memcpy(to->v, from->v, sizeof(double) * (size_t)m->nv);
    }
    /* coordinates that do not count full turns leave that to the bodies */
    hol_data_set(to, from->t, NULL, NULL);
    if (to->bodies.b2) hol_data_update(to, HOL_STAGE_POS);
    for (int i = 0; to->bodies.b2 && i < m->nb; i++) {
        const double turns = from->bodies.b2[i].theta - to->bodies.b2[i].theta;
        if (fabs(turns) > 1) to->bodies.b2[i].turn += turns;
    }
}

void hol__data_take_elements(hol_data *to, const hol_data *from) {
    const hol_model *m = from->model;
    if (m->n_aux) memcpy(to->aux, from->aux, sizeof(double) * (size_t)m->n_aux);
    if (m->n_memory) memcpy(to->memory, from->memory, sizeof(double) * (size_t)m->n_memory);
    if (m->n_angles)
        memcpy(to->angles_base, from->angles_base, sizeof(double) * (size_t)m->n_angles);
    to->work = from->work;
}

void hol__data_carry(hol_data *to, hol_data *from) {
    hol__data_take_bodies(to, from);
    hol__data_take_elements(to, from);
    hol_data_set(to, from->t, NULL, NULL);
}

int hol__models_are_alike(const hol_model *a, const hol_model *b) {
    return a->nq == b->nq && a->nv == b->nv && a->m == b->m && a->mh == b->mh &&
           a->n_aux == b->n_aux && a->n_memory == b->n_memory && a->n_angles == b->n_angles &&
           a->A.ptr[a->m] == b->A.ptr[b->m] && a->coords == b->coords;
}

void hol__data_take_numbers(hol_data *to, const hol_data *from) {
    hol__data_settle_velocities(from);
    hol__data_take_elements(to, from);
    for (int i = 0; to->bodies.b2 && i < from->model->nb; i++)
        to->bodies.b2[i].turn = from->bodies.b2[i].turn;
    to->on_force = from->on_force;
    to->user = from->user;
    to->halted = from->halted;
    hol_data_set(to, from->t, from->q, from->v);
}
