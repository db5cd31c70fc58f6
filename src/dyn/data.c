/* data.c: the life of a state, and setting it. */
#include "base/argument.h"
#include "coords/coords.h"
#include "dyn/data.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Give an array of n doubles from the block, or count it when block is NULL. */
static double *carve(double *block, size_t *used, int n) {
    double *at = block ? block + *used : NULL;
    *used += (size_t)n;
    return at;
}

/* How many doubles hold n bytes. */
static int doubles_of(int n) {
    return (n + (int)sizeof(double) - 1) / (int)sizeof(double);
}

/* Lay all arrays over the block; returns how many doubles they take. */
static size_t lay_out(hol_data *d, double *block) {
    const hol_model *m = d->model;
    const int body_doubles =
        (int)((m->dim == 2 ? sizeof(hol__body2) : sizeof(hol__body3)) / sizeof(double)) *
        (m->nb + 1);
    size_t used = 0;
    d->q = carve(block, &used, m->nq);
    d->v = carve(block, &used, m->nv);
    d->angles_base = carve(block, &used, m->n_angles);
    d->aux = carve(block, &used, m->n_aux);
    d->aux_rate = carve(block, &used, m->n_aux);
    d->memory = carve(block, &used, m->n_memory);
    d->a = carve(block, &used, m->nv);
    d->lambda = carve(block, &used, m->m);
    d->Phi = carve(block, &used, m->m);
    d->b = carve(block, &used, m->m);
    d->c = carve(block, &used, m->m);
    d->psi = carve(block, &used, m->m);
    const hol__maps *maps = m->coords->maps;
    const int body_v = m->bw * (m->nb + 1);
    d->Q = carve(block, &used, m->nv + m->bw);
    d->load = maps ? carve(block, &used, body_v) : d->Q;
    d->A = m->A;
    d->A.x = carve(block, &used, m->A.ptr[m->m]);
    d->G = maps ? carve(block, &used, m->G.ptr[m->m]) : d->A.x;
    carve(block, &used, hol__mass_lay_out(d, block ? block + used : NULL));
    d->recursion = maps ? carve(block, &used, maps->work_size(m)) : NULL;
    d->reactions = maps && maps->reactions ? carve(block, &used, 6 * m->nb) : NULL;
    d->Adot = carve(block, &used, m->A.ptr[m->m]);
    d->Gdot = maps ? carve(block, &used, m->G.ptr[m->m]) : d->Adot;
    d->angles = carve(block, &used, m->n_angles);
    d->inputs = carve(block, &used, m->n_inputs);
    d->scratch = carve(block, &used, m->n_corners + m->scratch);
    if (block) d->scratch += m->n_corners;
    d->trash = carve(block, &used, 8 * HOL__MAX_BODIES * m->bw);
    d->acc = carve(block, &used, body_v);
    d->wrench = carve(block, &used, body_v);
    d->called = carve(block, &used, body_v);
    d->slide = carve(block, &used, hol__slide_size(m));
    d->redundant_rows = (unsigned char *)carve(block, &used, doubles_of(m->m));
    d->undetermined = (unsigned char *)carve(block, &used, doubles_of(m->m));
    d->aside = (unsigned char *)carve(block, &used, doubles_of(m->m));
    double *bodies = carve(block, &used, body_doubles);
    d->bodies.b2 = m->dim == 2 ? (hol__body2 *)(void *)bodies : NULL;
    d->bodies.b3 = m->dim == 3 ? (hol__body3 *)(void *)bodies : NULL;
    return used;
}

/* Ground stands still at the origin. */
static void place_ground(hol_data *d) {
    const int nb = d->model->nb;
    if (d->bodies.b2)
        d->bodies.b2[nb] = (hol__body2){.c = 1};
    else
        d->bodies.b3[nb] = (hol__body3){.p = {1, 0, 0, 0}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

hol_data *hol_data_new(hol_context *ctx, const hol_model *model) {
    if (!ctx || hol__need(ctx, "hol_data_new", "the model", model)) return NULL;
    hol_data *d = hol__alloc(ctx, 1, sizeof *d);
    if (!d) return NULL;
    d->model = model;
    d->ctx = ctx;
    d->stamp = 1;
    d->redundant = 1;
    d->block_size = lay_out(d, NULL);
    d->block = hol__alloc(d->ctx, d->block_size, sizeof(double));
    if (!d->block) {
        hol__release(d->ctx, d);
        return NULL;
    }
    lay_out(d, d->block);
    hol__model_keep(model);
    place_ground(d);
    memcpy(d->q, model->q0, sizeof(double) * (size_t)model->nq);
    memcpy(d->v, model->v0, sizeof(double) * (size_t)model->nv);
    if (model->n_aux) memcpy(d->aux, model->aux0, sizeof(double) * (size_t)model->n_aux);
    for (int i = 0; i < model->n_measures; i++)
        if (model->measures[i].memory >= 0)
            d->memory[model->measures[i].memory] = model->measures[i].start;
    return d;
}

void hol_data_free(hol_data *data) {
    if (!data) return;
    hol_data_free(data->twin);
    hol__kernel_free(data->kernel);
    hol__local_free(data->local);
    hol__model_release(data->model);
    hol__release(data->ctx, data->mass_block);
    hol__release(data->ctx, data->root);
    hol__release(data->ctx, data->block);
    hol__release(data->ctx, data);
}

void hol__data_exchange(hol_data *a, hol_data *b) {
    const hol_data first = *a, second = *b;
    *a = second;
    *b = first;
    a->on_force = first.on_force, a->user = first.user;
    b->on_force = second.on_force, b->user = second.user;
    /* no factors hold */
    a->stamp = b->stamp = (first.stamp > second.stamp ? first.stamp : second.stamp) + 1;
    a->mass_stamp = b->mass_stamp = 0;
    hol__data_forget_root(a);
    hol__data_forget_root(b);
}

hol_status hol__data_remake(hol_data *data, const hol_model *model) {
    hol_data *fresh = hol_data_new(data->ctx, model);
    if (!fresh) return HOL_ERR_MEMORY;
    hol__data_exchange(data, fresh);
    hol_data_free(fresh);
    return HOL_OK;
}

/* Whether two models are one in which different elements act. */
static int are_variants(const hol_model *a, const hol_model *b) {
    return hol__model_varies(a) && a->hash == b->hash && a->coords == b->coords &&
           a->n_columns == b->n_columns;
}

/* What was found of the rank, where anybody has looked; the rows lie in the block. */
static void copy_rank(hol_data *dst, const hol_data *src) {
    dst->analysed = src->analysed;
    dst->redundant = src->redundant;
    dst->rank = src->rank;
    dst->smallest = src->smallest;
}

hol_status hol_data_copy(hol_data *dst, const hol_data *src) {
    if (!dst || hol__need(dst->ctx, "hol_data_copy", "the data to copy", src))
        return HOL_ERR_ARGUMENT;
    const hol_model *m = src->model;
    if (dst == src) return HOL_OK;
    if (dst->model != m && are_variants(dst->model, m) && hol__data_remake(dst, m))
        return HOL_ERR_MEMORY;
    if (dst->model != m)
        return hol__report(dst->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_data_copy",
                           "the two are of different models; make both with hol_data_new of one");
    hol__data_settle_solution(src);
    memcpy(dst->block, src->block, src->block_size * sizeof(double));
    dst->t = src->t;
    dst->work = src->work;
    dst->stage = src->stage;
    dst->solved = src->solved;
    dst->moving = src->moving;
    dst->potential = src->potential;
    dst->power = src->power;
    dst->on_force = src->on_force;
    dst->user = src->user;
    dst->halted = src->halted;
    dst->stamp++;
    dst->mass_stamp = 0;
    hol__data_forget_root(dst);
    dst->angles_stamp = src->angles_stamp == src->stamp ? dst->stamp : 0;
    dst->owed = NULL;
    dst->blank = 0;
    if (src->owed || src->spared) hol__data_set_q(dst, dst->t, NULL);
    copy_rank(dst, src);
    if (dst->local && dst->stage >= HOL_STAGE_POS) hol__data_fill_local(dst, dst->local);
    if (src->recursive && !dst->recursive && dst->stage >= HOL_STAGE_DYN)
        m->coords->maps->forces(m, &dst->bodies, dst->recursion, dst->load, dst->Q);
    const hol_status status = hol__data_copy_solver(dst, src);
    dst->known = status ? 0 : src->known;
    return status;
}

void hol__data_set_q(hol_data *data, double t, const double *q) {
    data->t = t;
    if (q) memcpy(data->q, q, sizeof(double) * (size_t)data->model->nq);
    data->stage = HOL_STAGE_NONE;
    data->owed = NULL;
    data->later.velocities = NULL;
    hol__data_stale(data);
    data->stamp++;
}

void hol__data_set_v(hol_data *data, const double *v) {
    if (v) memcpy(data->v, v, sizeof(double) * (size_t)data->model->nv);
    data->later.velocities = NULL;
    if (data->stage > HOL_STAGE_POS) data->stage = HOL_STAGE_POS;
    hol__data_stale(data);
}

void hol__data_set_aux(hol_data *data, const double *aux) {
    const size_t size = sizeof(double) * (size_t)data->model->n_aux;
    if (!size || memcmp(aux, data->aux, size) == 0) return;
    memcpy(data->aux, aux, size);
    data->b_stamp = 0;
    if (data->stage > HOL_STAGE_POS) data->stage = HOL_STAGE_POS;
    hol__data_stale(data);
}

void hol_data_set(hol_data *data, double t, const double *q, const double *v) {
    if (!data) return;
    hol__data_set_q(data, t, q);
    hol__data_set_v(data, v);
}

const hol_model *hol_data_model(const hol_data *data) {
    return data ? data->model : NULL;
}

double hol_data_time(const hol_data *data) {
    return data ? data->t : NAN;
}

const double *hol_data_q(const hol_data *data) {
    return data ? data->q : NULL;
}

const double *hol_data_v(const hol_data *data) {
    if (data) hol__data_settle_velocities(data);
    return data ? data->v : NULL;
}

const double *hol_data_acceleration(const hol_data *data) {
    if (data) hol__data_settle_solution(data);
    return data && data->solved ? data->a : NULL;
}

const double *hol_data_multipliers(const hol_data *data) {
    if (data) hol__data_settle_solution(data);
    return data && data->solved ? data->lambda : NULL;
}

double hol__data_rounding(const hol_data *data) {
    const hol_model *m = data->model;
    double most = 0, slope = 1;
    for (int i = 0; i < m->nb; i++) {
        const double *r = m->dim == 2 ? data->bodies.b2[i].r : data->bodies.b3[i].r;
        for (int k = 0; k < m->dim; k++) most = fmax(most, fabs(r[k]));
        if (m->dim == 2) most = fmax(most, fabs(data->bodies.b2[i].theta));
    }
    for (int i = 0; i < m->n_angles; i++) most = fmax(most, fabs(data->angles[i]));
    for (int k = 0; k < data->A.ptr[m->m]; k++) slope = fmax(slope, fabs(data->A.x[k]));
    return DBL_EPSILON * slope * most;
}

void hol__data_keep_angles(hol_data *data) {
    const hol_model *m = data->model;
    if (m->n_angles) {
        hol_data_update(data, HOL_STAGE_POS);
        memcpy(data->angles_base, data->angles, sizeof(double) * (size_t)m->n_angles);
    }
    if (!m->n_memory) return;
    hol_data_update(data, HOL_STAGE_VEL);
    const hol__force_args args = hol__data_force_args(data);
    for (int i = 0; i < m->n_force_batches; i++) {
        const hol__force_batch *batch = &m->force_batches[i];
        if (batch->type->keep) batch->type->keep(batch->records, batch->count, &args, data->memory);
    }
}

double hol__norm(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}
