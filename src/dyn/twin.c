/* twin.c: a state in other coordinates over to reference-point coordinates, where every joint has multipliers.
 *
 *     M_b a_b + G^T lambda = load        over all joints; the accelerations are the same, the multipliers are the reactions
 */
#include "dyn/data.h"

#include <string.h>

/* q and v of reference-point coordinates from the bodies. */
static void bodies_state(const hol_data *from, double *q, double *v) {
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

/* What elements keep beside positions and velocities. */
static void copy_states(const hol_data *from, hol_data *to) {
    const hol_model *m = from->model;
    if (m->n_aux) memcpy(to->aux, from->aux, sizeof(double) * (size_t)m->n_aux);
    if (m->n_memory) memcpy(to->memory, from->memory, sizeof(double) * (size_t)m->n_memory);
    if (m->n_angles)
        memcpy(to->angles_base, from->angles_base, sizeof(double) * (size_t)m->n_angles);
    to->work = from->work;
    to->on_force = from->on_force;
    to->user = from->user;
}

hol_data *hol__data_twin(hol_data *data) {
    hol_data *twin = data->twin;
    if (data->twin_solved && data->solved) return twin;
    hol_data_update(data, HOL_STAGE_VEL);
    copy_states(data, twin);
    for (int i = 0; twin->bodies.b2 && i < data->model->nb; i++) twin->bodies.b2[i].turn = 0;
    bodies_state(data, twin->q, twin->v);
    hol_data_set(twin, data->t, NULL, NULL);
    if (data->solve_twin(data->twin_self, twin)) return NULL;
    data->twin_solved = data->solved;
    return twin;
}
