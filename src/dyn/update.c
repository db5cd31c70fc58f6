/* update.c: the stages POS -> VEL -> DYN -> ACC, each computed once per state.
 *
 *     POS   body poses, Phi, A                      from t, q
 *     VEL   body velocities, b, c = b' - A' v       from v
 *     DYN   Q, V, power                             from everything
 *     ACC   a, lambda                               by whoever solved first: a method, or solve.c
 */
#include "base/argument.h"
#include "base/give.h"
#include "dyn/data.h"
#include "la/tolerances.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* What constraints read and where they write. */
static hol__con_args con_args(const hol_data *d, int want) {
    return (hol__con_args){.want = want,
                           .bodies = d->bodies,
                           .inputs = d->inputs,
                           .scratch = d->scratch,
                           .angles = d->angles,
                           .memory = d->memory,
                           .aux = d->aux,
                           .aux_rate = d->aux_rate,
                           .Phi = d->Phi,
                           .A = d->G,
                           .b = d->b,
                           .c = d->c,
                           .Adot = d->Gdot,
                           .trash = d->trash};
}

/* Evaluate the records of a batch whose flags say so, run by run. */
static void fill_runs(const hol__con_batch *batch, const unsigned char *flags, int value,
                      const hol__con_args *args) {
    for (int i = 0, end; i < batch->count; i = end) {
        for (end = i + 1; end < batch->count && flags[end] == flags[i];) end++;
        if (flags[i] == value) batch->type->fill(hol__con_record(batch, i), end - i, args);
    }
}

void hol__data_fill_constraints(hol_data *d, int want, int spared) {
    const hol_model *m = d->model;
    const hol__con_args args = con_args(d, want);
    const unsigned char *flags = d->spared ? d->spared->records : NULL;
    if (flags && d->spared->all && !spared) return;
    for (int i = 0; i < m->n_con_batches; i++) {
        const hol__con_batch *batch = &m->con_batches[i];
        if (!flags) {
            batch->type->fill(batch->records, batch->count, &args);
            continue;
        }
        fill_runs(batch, flags, spared, &args);
        flags += batch->count;
    }
}

void hol__data_fill_local(hol_data *data, hol__local *local) {
    const hol__con_args args = con_args(data, HOL__WANT_POS);
    hol__local_fill(local, &args, data->q, data->recursion);
}

/* A row that the coordinates hold by themselves (a joint of the tree a second time) is made of
 * rounding errors: it becomes zero, so that its direction is not taken for a constraint. Terms of G
 * of size one cancel to some 1e-15. */
static void clear_rounding(hol_data *d) {
    const hol__csr *G = &d->model->G, *A = &d->A;
    for (int i = 0; i < A->rows; i++) {
        double from = 0, to = 0;
        if (d->spared && d->spared->rows[i]) continue;
        for (int k = G->ptr[i]; k < G->ptr[i + 1]; k++)
            if (fabs(d->G[k]) > from) from = fabs(d->G[k]);
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            if (fabs(A->x[k]) > to) to = fabs(A->x[k]);
        if (from > 0 && to < HOL__CANCELLED * from)
            memset(A->x + A->ptr[i], 0, sizeof(double) * (size_t)(A->ptr[i + 1] - A->ptr[i]));
    }
}

void hol__data_map_constraints(hol_data *d, int want) {
    const hol_model *m = d->model;
    const hol__maps *maps = m->coords->maps;
    const unsigned char *spared = d->spared ? d->spared->rows : NULL;
    if (spared && d->spared->all) return;
    if (want & HOL__WANT_POS) maps->rows(m, &d->bodies, d->recursion, d->G, spared, d->A.x);
    if ((want & HOL__WANT_POS) && d->redundant) clear_rounding(d);
    if (want & HOL__WANT_VEL) maps->bias(m, &d->bodies, d->recursion, d->G, spared, d->c);
    if (want & HOL__WANT_ADOT)
        maps->rows_rate(m, &d->bodies, d->recursion, d->G, d->Gdot, spared, d->Adot);
    if (!maps->own_row) return;
    if (want & HOL__WANT_POS) maps->own_position(m, d->q, d->Phi, d->A.x);
    if (want & HOL__WANT_VEL) maps->own_bias(m, d->v, d->b, d->c);
    if (want & HOL__WANT_ADOT) maps->own_rate(m, d->v, d->Adot);
}

void hol__data_add_momentum_rate(hol_data *data, double *out) {
    const hol__maps *maps = data->model->coords->maps;
    if (!maps || !maps->momentum_rate) return;
    hol_data_update(data, HOL_STAGE_VEL);
    maps->momentum_rate(data->model, &data->bodies, data->recursion, out);
}

double hol__data_kinetic(hol_data *data, const double *v) {
    const hol__csr *M = hol__data_mass(data);
    double T = 0;
    for (int i = 0; i < M->rows; i++)
        for (int k = M->ptr[i]; k < M->ptr[i + 1]; k++) T += v[i] * M->x[k] * v[M->idx[k]];
    return 0.5 * T;
}

/* T from the velocities of the bodies. */
static double kinetic_of_bodies(const hol_data *d) {
    double T = 0;
    for (int i = 0; i < d->model->nb; i++) {
        const hol__body *b = &d->model->bodies[i];
        if (d->bodies.b2) {
            const hol__body2 *x = &d->bodies.b2[i];
            T += b->mass * (x->v[0] * x->v[0] + x->v[1] * x->v[1]) + b->inertia * x->w * x->w;
        } else {
            double Jw[3];
            hol__mul3(b->J, d->bodies.b3[i].w, Jw);
            T += b->mass * hol__dot3(d->bodies.b3[i].v, d->bodies.b3[i].v) +
                 hol__dot3(d->bodies.b3[i].w, Jw);
        }
    }
    return 0.5 * T;
}

void hol__data_accelerations(hol_data *data) {
    const hol_model *m = data->model;
    if (data->known & HOL__KNOWN_ACC) return;
    data->known |= HOL__KNOWN_ACC;
    if (m->coords->maps)
        m->coords->maps->accelerations(m, &data->bodies, data->recursion, data->a, data->acc);
    else
        memcpy(data->acc, data->a, sizeof(double) * (size_t)m->nv);
}

hol__force_args hol__data_force_args(hol_data *d) {
    return (hol__force_args){.bodies = d->bodies,
                             .inputs = d->inputs,
                             .local = d->model->local,
                             .scratch = d->scratch,
                             .angles = d->angles,
                             .aux = d->aux,
                             .aux_rate = d->aux_rate,
                             .memory = d->memory,
                             .wrench = d->load};
}

hol_status hol__data_call(hol_data *d) {
    memset(d->called, 0, sizeof(double) * (size_t)(d->model->bw * (d->model->nb + 1)));
    d->calling = 1;
    const hol_status status = d->on_force(d->user, d);
    d->calling = 0;
    if (status < 0 && status != HOL_ERR_INTERRUPTED)
        hol__report(d->ctx, HOL_ERROR, status, NULL, "hol_force_fn",
                    "the force of the caller failed at t = %.6g (%s)", d->t,
                    hol_status_text(status));
    return status;
}

/* Evaluate all force batches, gravity and the caller's forces. */
static hol_status fill_forces(hol_data *d) {
    const hol_model *m = d->model;
    hol__force_args args = hol__data_force_args(d);
    args.potential = m->coords->inertia(m, &d->bodies, d->load);
    for (int i = 0; i < m->n_force_batches; i++) {
        const hol__force_batch *batch = &m->force_batches[i];
        batch->type->fill(batch->records, batch->count, &args);
    }
    if (d->halted) hol__data_halt_states(d);
    d->potential = args.potential;
    d->power = args.power;
    hol_status status = d->on_force ? hol__data_call(d) : HOL_OK;
    const int maps = m->coords->maps && !d->recursive;
    if (maps) m->coords->maps->forces(m, &d->bodies, d->recursion, d->load, d->Q);
    if (status || !m->n_slides) return status;
    status = hol__data_slide(d);
    if (maps) m->coords->maps->forces(m, &d->bodies, d->recursion, d->load, d->Q);
    return status;
}

/* The tracked angles, once a state. */
static void follow_angles(hol_data *d) {
    if (d->angles_stamp == d->stamp) return;
    hol__angles_update(d->model, &d->bodies, d->angles_base, d->scratch, d->angles);
    d->angles_stamp = d->stamp;
}

/* Positions, and velocities where the stage wants them. */
static void update_motion(hol_data *d, hol_stage stage) {
    const hol_model *m = d->model;
    int want = 0;
    if (d->stage < HOL_STAGE_POS) {
        d->inputs[0] = d->t;
        m->coords->poses(m, d->q, &d->bodies, d->recursion);
        if (m->n_angles) follow_angles(d);
        want |= HOL__WANT_POS;
    }
    if (d->stage < HOL_STAGE_VEL && stage >= HOL_STAGE_VEL) {
        m->coords->twists(m, d->v, &d->bodies, d->recursion);
        want |= HOL__WANT_VEL;
    }
    if (want) hol__data_fill_constraints(d, want, 0);
    if (want && !d->spared) d->blank = 0;
    if (m->coords->maps && m->m) hol__data_map_constraints(d, want);
    if (d->halted && (want & HOL__WANT_VEL)) hol__data_halt_rows(d);
    if (want & HOL__WANT_VEL) d->b_stamp = d->spared ? 0 : d->stamp;
    if (d->local && (want & HOL__WANT_POS)) hol__data_fill_local(d, d->local);
    d->stage = stage < HOL_STAGE_VEL ? stage : HOL_STAGE_VEL;
}

hol_status hol_data_update(hol_data *d, hol_stage stage) {
    if (!d) return HOL_ERR_ARGUMENT;
    if (d->owed && stage > HOL_STAGE_NONE) hol__data_settle(d);
    if (d->later.velocities && stage > HOL_STAGE_POS) {
        const hol_status status = hol__data_settle_velocities(d);
        if (status) return status;
    }
    if (d->stage >= stage) return HOL_OK;
    if (stage > HOL_STAGE_ACC)
        return hol__need_index(d->ctx, "hol_data_update", "stage", (int)stage, HOL_STAGE_ACC + 1);
    if (stage == HOL_STAGE_ACC) return hol__data_answer(d, hol__data_accelerate(d));
    update_motion(d, stage);
    if (stage < HOL_STAGE_DYN) return HOL_OK;
    if (d->calling)
        return hol__report(d->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_force_fn",
                           "asks for forces, energies or accelerations while it is asked for its "
                           "own force; they follow from it: use positions and velocities");
    hol__measure_live(d);
    const hol_status status = fill_forces(d);
    if (!status) d->stage = HOL_STAGE_DYN;
    return status;
}

const double *hol__data_forces(hol_data *data) {
    const hol_model *m = data->model;
    if (hol_data_update(data, HOL_STAGE_DYN)) return NULL;
    if (data->recursive)
        m->coords->maps->forces(m, &data->bodies, data->recursion, data->load, data->Q);
    return data->Q;
}

void hol__data_adot(hol_data *data) {
    hol_data_update(data, HOL_STAGE_VEL);
    hol__data_fill_constraints(data, HOL__WANT_ADOT, 0);
    if (data->model->coords->maps) hol__data_map_constraints(data, HOL__WANT_ADOT);
}

/* psi = A v - b, zero in rows that nobody needs. */
static void psi_of_kept(hol_data *data) {
    const int n = data->A.rows, *ptr = data->A.ptr, *idx = data->A.idx;
    const double *x = data->A.x, *v = data->v, *b = data->b;
    const unsigned char *spared = data->spared->rows;
    double *restrict psi = data->psi;
    memset(psi, 0, sizeof *psi * (size_t)n);
    for (int i = 0; !data->spared->all && i < n; i++) {
        if (spared[i]) continue;
        double sum = 0;
        for (int k = ptr[i]; k < ptr[i + 1]; k++) sum += x[k] * v[idx[k]];
        psi[i] = sum - b[i];
    }
}

/* psi from A, v and b as they stand. */
static void make_psi(hol_data *data) {
    const double *b = data->b;
    double *restrict psi = data->psi;
    if (data->spared) {
        psi_of_kept(data);
        return;
    }
    hol__csr_mul(&data->A, data->v, data->psi);
    for (int i = 0; i < data->model->m; i++) psi[i] -= b[i];
}

void hol__data_psi(hol_data *data) {
    hol_data_update(data, HOL_STAGE_VEL);
    make_psi(data);
}

void hol__data_psi_alone(hol_data *data) {
    const int known = !data->model->rheonomic || data->b_stamp == data->stamp;
    hol_data_update(data, known ? HOL_STAGE_POS : HOL_STAGE_VEL);
    make_psi(data);
}

const double *hol_data_position_residual(hol_data *data) {
    if (!data) return NULL;
    hol_data_update(data, HOL_STAGE_POS);
    return data->Phi;
}

const double *hol_data_velocity_residual(hol_data *data) {
    if (!data) return NULL;
    hol__data_psi(data);
    return data->psi;
}

hol_status hol__data_energy(hol_data *data, hol_energy *out) {
    const hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    const double T =
        data->model->coords->maps ? kinetic_of_bodies(data) : hol__kinetic(data->model, data->v);
    *out =
        (hol_energy){sizeof *out, T, data->potential, data->work, T + data->potential - data->work};
    return status;
}

hol_status hol_data_energy(hol_data *data, hol_energy *out) {
    hol_energy energy;
    if (!data) return HOL_ERR_ARGUMENT;
    const hol_status status = hol__data_energy(data, &energy);
    return status ? hol__data_answer(data, status)
                  : hol__give(data->ctx, "hol_data_energy", &energy, sizeof energy, out);
}
