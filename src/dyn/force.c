/* force.c: what one force of the model does at the current state.
 *
 * The records of the force are evaluated by themselves into a wrench on its bodies: a force
 * (global) and a torque about the mass centre r (in space in the body frame). Moved to the point P
 * of the force on its first body: M = R tau - (P - r) x F.
 */
#include "base/give.h"
#include "dyn/data.h"
#include "math/vec3.h"

#include <string.h>

void hol__data_force_wrench(hol_data *data, int force) {
    const hol_model *m = data->model;
    const hol__element *e = &m->forces[force];
    hol__force_args args = hol__data_force_args(data);
    args.wrench = data->wrench;
    for (int k = 0; k < 2; k++)
        memset(data->wrench + m->bw * e->body[k], 0, sizeof(double) * (size_t)m->bw);
    for (int i = 0; i < e->n_parts; i++) {
        const hol__force_batch *batch = &m->force_batches[e->part[i].batch];
        batch->type->fill(hol__force_record(batch, e->part[i].record), 1, &args);
    }
}

/* The load of a force on its first body (stage DYN). */
static void find_load(hol_data *data, int force, hol_load *load) {
    const hol_model *m = data->model;
    const hol__element *e = &m->forces[force];
    const int body = e->body[0];
    const double *w = data->wrench + m->bw * body;
    double u[3], tau[3] = {0, 0, 0}, shift[3], r[3] = {0, 0, 0}, R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    hol__data_force_wrench(data, force);
    if (data->bodies.b2) {
        const hol__body2 *b = &data->bodies.b2[body];
        r[0] = b->r[0], r[1] = b->r[1];
        R[0] = R[4] = b->c, R[1] = -b->s, R[3] = b->s;
        load->force[0] = w[0], load->force[1] = w[1];
        tau[2] = w[2];
    } else {
        memcpy(r, data->bodies.b3[body].r, sizeof r);
        memcpy(R, data->bodies.b3[body].R, sizeof R);
        memcpy(load->force, w, sizeof load->force);
        hol__mul3(R, w + 3, tau);
    }
    hol__mul3(R, e->marker[0].s, u);
    hol__add3(r, u, load->point);
    hol__cross3(u, load->force, shift);
    hol__sub3(tau, shift, load->moment);
}

hol_status hol_data_force(hol_data *data, int force, hol_load *out) {
    static const char call[] = "hol_data_force";
    hol_load load = {.size = sizeof load};
    hol_status status = hol__data_check_index(data, call, "force", force, data->model->n_forces);
    if (!status) status = hol_data_update(data, HOL_STAGE_DYN);
    if (status) return status;
    find_load(data, force, &load);
    return hol__give(data->ctx, call, &load, sizeof load, out);
}
