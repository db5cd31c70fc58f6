/* halt.c: a mechanism at rest whose drivers stand still, Phi(q, t) = 0 at a fixed t.
 *
 * Of a moving driver, b = -Phi_t and c have the rates of its law. Held, b = 0 and c = -(A v)_q v,
 * of second order in velocities: zero for equilibria and small motions about them. States of joints
 * are those of drivers that are given by their rates, and stay.
 */
#include "dyn/tangent_work.h"

#include <string.h>

/* Zeros in n numbers; n may be 0. */
static void clear(double *x, int n) {
    if (n > 0) memset(x, 0, sizeof(double) * (size_t)n);
}

void hol__data_halt(hol_data *data) {
    data->halted = 1;
    clear(data->v, data->model->nv);
    hol_data_set(data, data->t, NULL, NULL);
}

void hol__data_halt_rows(hol_data *data) {
    clear(data->b, data->model->m);
    clear(data->c, data->model->m);
}

void hol__data_halt_states(hol_data *data) {
    const hol_model *m = data->model;
    for (int i = 0; i < m->n_joints; i++)
        clear(data->aux_rate + m->joints[i].aux, m->joints[i].n_aux);
}

void hol__tangent_halt(hol__tangent *t) {
    const hol_model *m = t->model;
    hol__csr *const rows[] = {&t->Cq, &t->Cv, &t->Pq};
    for (int i = 0; i < 3 && m->m; i++) clear(rows[i]->x, rows[i]->ptr[m->m]);
    clear(t->Cz, m->m * m->n_aux);
    clear(t->Pz, m->m * m->n_aux);
    clear(t->C_t, m->m);
    clear(t->P_t, m->m);
    clear(t->Phi_t, m->mh);
    for (int i = 0; i < m->n_joints; i++) {
        const int z = m->joints[i].aux, n = m->joints[i].n_aux;
        if (!n) continue;
        clear(t->Rq + z * m->nv, n * m->nv);
        clear(t->Rv + z * m->nv, n * m->nv);
        clear(t->Rz + z * m->n_aux, n * m->n_aux);
        clear(t->R_t + z, n);
    }
}
