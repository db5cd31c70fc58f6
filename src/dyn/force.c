/* force.c: what one force of the model, or gravity, does at the current state, and what a force
 * tells of itself.
 *
 * The records of the force are evaluated by themselves into a wrench on its bodies: a force
 * (global) and a torque about the mass centre r (in space in the body frame). Moved to the point P
 * of the force on its first body: M = R tau - (P - r) x F.
 */
#include "base/argument.h"
#include "base/give.h"
#include "dyn/data.h"
#include "element/acting.h"
#include "element/forces.h"
#include "math/vec3.h"

#include <string.h>

/* The records of a force into data->wrench. */
static void evaluate(hol_data *data, const hol__element *e, hol__force_args *args) {
    const hol_model *m = data->model;
    args->wrench = data->wrench;
    for (int k = 0; k < 2; k++)
        memset(data->wrench + m->bw * e->body[k], 0, sizeof(double) * (size_t)m->bw);
    for (int i = 0; i < e->n_parts; i++) {
        const hol__force_batch *batch = &m->force_batches[e->part[i].batch];
        batch->type->fill(hol__force_record(batch, e->part[i].record), 1, args);
    }
}

void hol__data_force_wrench(hol_data *data, int force) {
    hol__force_args args = hol__data_force_args(data);
    evaluate(data, &data->model->forces[force], &args);
}

/* The load that data->wrench is on body k of a force, at a place; NULL: at its point on that
 * body. */
static void load_on(const hol_data *data, const hol__element *e, int k, const double *place,
                    hol_load *load) {
    const hol_model *m = data->model;
    const int body = e->body[k];
    const double *w = data->wrench + m->bw * body;
    double u[3], tau[3] = {0, 0, 0}, shift[3], r[3] = {0, 0, 0}, R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
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
    hol__mul3(R, e->marker[k].s, u);
    if (place) hol__sub3(place, r, u);
    hol__add3(r, u, load->point);
    hol__cross3(u, load->force, shift);
    hol__sub3(tau, shift, load->moment);
}

/* The power of a wrench on a body. */
static double power_on(const hol_data *data, int body, const double *w) {
    if (data->bodies.b2) {
        const hol__body2 *b = &data->bodies.b2[body];
        return w[0] * b->v[0] + w[1] * b->v[1] + w[2] * b->w;
    }
    return hol__dot3(w, data->bodies.b3[body].v) + hol__dot3(w + 3, data->bodies.b3[body].w);
}

/* What a force that does not act would see: its own quantities but those of what it does. The
 * rates of its states, which a force writes, are put back. */
static void tell_idle(hol_data *data, const hol__element *e, hol__force_args *args,
                      hol__told *out) {
    enum { MOST = 8 };
    const hol__quantity *quantity = e->type->quantities;
    const size_t size = sizeof(double) * (size_t)(e->n_aux < MOST ? e->n_aux : MOST);
    double rates[MOST];
    if (!e->idle || !quantity) return;
    if (size) memcpy(rates, data->aux_rate + e->aux, size);
    args->wrench = data->wrench;
    e->idle_type->fill(e->idle, 1, args);
    if (size) memcpy(data->aux_rate + e->aux, rates, size);
    for (int i = 0; quantity[i].name; i++)
        if (quantity[i].acts)
            memset(out->own + i * HOL__TOLD_WIDTH, 0, sizeof(double) * HOL__TOLD_WIDTH);
}

void hol__data_tell(hol_data *data, int force, hol__told *out) {
    const hol__element *e = &data->model->forces[force];
    hol__force_args args = hol__data_force_args(data);
    *out = (hol__told){.power = 0};
    args.told = out->own;
    if (e->off) {
        tell_idle(data, e, &args, out);
        return;
    }
    evaluate(data, e, &args);
    for (int k = 0; k < 2; k++) {
        hol_load load = {.size = sizeof load};
        load_on(data, e, k, NULL, &load);
        memcpy(out->force[k], load.force, sizeof load.force);
        memcpy(out->moment[k], load.moment, sizeof load.moment);
        out->power += power_on(data, e->body[k], data->wrench + data->model->bw * e->body[k]);
    }
    out->energy = args.potential;
    out->loss = 0 - args.power;
}

void hol__data_weigh(hol_data *data, int body, hol__told *out) {
    const hol_model *m = data->model;
    double *w = data->wrench + m->bw * body, r[3];
    hol__force_args args = hol__data_force_args(data);
    *out = (hol__told){.power = 0};
    args.wrench = data->wrench;
    memset(w, 0, sizeof(double) * (size_t)m->bw);
    hol__center_of(&args, body, r);
    for (int i = 0; i < m->dim; i++) w[i] = m->bodies[body].mass * m->gravity[i];
    args.potential = 0 - m->bodies[body].mass * hol__dot3(m->gravity, r);
    for (int i = 0; i < m->n_force_batches; i++)
        for (int k = 0;
             m->force_batches[i].type == &hol__force_gravity_field && k < m->force_batches[i].count;
             k++)
            hol__gravity_on(hol__force_record(&m->force_batches[i], k), body, &args);
    memcpy(out->force[0], w, sizeof(double) * (size_t)m->dim);
    out->power = power_on(data, body, w);
    out->energy = args.potential;
}

/* Where a force acts that tells its `place`; 0 where it has none, or does nothing there. */
static int place_of(hol_data *data, int force, double place[3]) {
    const hol__quantity *table = data->model->forces[force].type->quantities;
    const double *F = data->wrench + data->model->bw * data->model->forces[force].body[0];
    int at = 0;
    while (table && table[at].name && strcmp(table[at].name, "place") != 0) at++;
    if (!table || !table[at].name || (F[0] == 0 && F[1] == 0 && (data->bodies.b2 || F[2] == 0)))
        return 0;
    hol__told told;
    hol__data_tell(data, force, &told);
    memcpy(place, told.own + at * HOL__TOLD_WIDTH, 3 * sizeof *place);
    return 1;
}

hol_status hol_data_force(hol_data *data, int force, hol_load *out) {
    static const char call[] = "hol_data_force";
    hol_load load = {.size = sizeof load};
    if (!data) return HOL_ERR_ARGUMENT;
    hol_status status = hol__need_index(data->ctx, call, "force", force, data->model->n_forces);
    if (!status) status = hol__data_answer(data, hol_data_update(data, HOL_STAGE_DYN));
    if (status) return status;
    double place[3];
    hol__data_force_wrench(data, force);
    const int moves = place_of(data, force, place);
    load_on(data, &data->model->forces[force], 0, moves ? place : NULL, &load);
    return hol__give(data->ctx, call, &load, sizeof load, out);
}
