/* tangent.c: the life of a tangent, and its update: elements in body space first, then the
 * coordinates. See tangent.h. */
#include "dyn/tangent_work.h"

#include <math.h>
#include <string.h>

static double *numbers(hol__tangent *tangent, size_t n) {
    return HOL__NEW_N(&tangent->arena, double, n);
}

/* The most scratch that one record or one gradient of an expression takes. */
static size_t block_size(const hol_model *m) {
    size_t most = (size_t)(2 * 4 * m->bw * m->bw);
    for (int i = 0; i < m->n_con_batches; i++)
        for (int k = 0; k < m->con_batches[i].count; k++) {
            const hol__con *con = hol__con_record(&m->con_batches[i], k);
            const size_t n = (size_t)(con->n_bodies * m->bw), rows = (size_t)con->n_rows,
                         need = 2 * n + 2 * rows + 3 * rows * (size_t)con->stride;
            if (need > most) most = need;
        }
    return (size_t)m->n_inputs > most ? (size_t)m->n_inputs : most;
}

/* Arrays in body space. */
static void make_work(hol__tangent *tangent, const hol_data *data) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    const size_t rows = (size_t)m->m, width = (size_t)(m->bw * m->nb), n_aux = (size_t)m->n_aux,
                 entries = (size_t)m->G.ptr[m->m], nv = (size_t)m->nv, all = width + 6;
    double **const of_bodies[] = {&w->load_time, &w->rows_time, &w->acc, &w->wrench,
                                  &w->body_column};
    double **const of_rows[] = {&w->c_time, &w->x_time, &w->psi_time, &w->right, &w->multipliers};
    double **const of_entries[] = {&w->c_pose, &w->c_twist, &w->x_pose, &w->v_pose};
    double **const of_states[] = {&w->load_state, &w->rate_pose, &w->rate_twist};
    for (int i = 0; i < 5; i++) *of_bodies[i] = numbers(tangent, all);
    for (int i = 0; i < 5; i++) *of_rows[i] = numbers(tangent, rows);
    for (int i = 0; i < 4; i++) *of_entries[i] = numbers(tangent, entries);
    for (int i = 0; i < 3; i++) *of_states[i] = numbers(tangent, width * n_aux);
    w->block = numbers(tangent, block_size(m));
    w->column = numbers(tangent, nv);
    w->zero = numbers(tangent, nv);
    w->q = numbers(tangent, (size_t)m->nq);
    w->place = HOL__NEW_N(&tangent->arena, int, m->nv);
    if (hol__data_is_pushed(data)) w->user = numbers(tangent, 2 * nv * width);
}

/* The results, after the pattern of K. */
static void make_results(hol__tangent *tangent) {
    const hol_model *m = tangent->model;
    const size_t nv = (size_t)m->nv, rows = (size_t)m->m, n_aux = (size_t)m->n_aux,
                 square = (size_t)tangent->K.ptr[m->nv], entries = (size_t)m->A.ptr[m->m];
    tangent->B = tangent->K;
    tangent->Cq = tangent->Cv = tangent->Pq = m->A;
    hol__csr *const results[] = {&tangent->K, &tangent->B, &tangent->Cq, &tangent->Cv,
                                 &tangent->Pq};
    for (int i = 0; i < 5; i++) {
        results[i]->x = numbers(tangent, i < 2 ? square : entries);
        results[i]->live = NULL;
    }
    tangent->F_t = numbers(tangent, nv);
    tangent->C_t = numbers(tangent, rows);
    tangent->P_t = numbers(tangent, rows);
    tangent->Phi_t = numbers(tangent, (size_t)m->mh);
    tangent->Qz = numbers(tangent, nv * n_aux);
    tangent->Cz = numbers(tangent, rows * n_aux);
    tangent->Pz = numbers(tangent, rows * n_aux);
    tangent->Rq = numbers(tangent, n_aux * nv);
    tangent->Rv = numbers(tangent, n_aux * nv);
    tangent->Rz = numbers(tangent, n_aux * n_aux);
    tangent->R_t = numbers(tangent, n_aux);
}

/* Everything; 0 without memory. */
static int make(hol__tangent *tangent, const hol_data *data) {
    tangent->work = HOL__NEW(&tangent->arena, hol__tangent_work);
    if (!tangent->work) return 0;
    make_work(tangent, data);
    if (!hol__probe_init(&tangent->work->probe, &tangent->arena, tangent->model)) return 0;
    if (!hol__tangent_parts(tangent) || !hol__tangent_blocks(tangent)) return 0;
    if (!hol__tangent_lay_columns(tangent) || !hol__tangent_turn_rows(tangent)) return 0;
    make_results(tangent);
    if (hol__data_is_pushed(data) &&
        !(tangent->work->beside = hol_data_new(data->ctx, tangent->model)))
        return 0;
    return !tangent->arena.failed;
}

hol_status hol__tangent_new(const hol_data *data, hol__tangent **tangent) {
    *tangent = hol__alloc(data->ctx, 1, sizeof **tangent);
    if (!*tangent) return HOL_ERR_MEMORY;
    (*tangent)->model = data->model;
    hol__arena_init(&(*tangent)->arena, data->ctx);
    if (make(*tangent, data)) return HOL_OK;
    hol__tangent_free(*tangent);
    *tangent = NULL;
    return HOL_ERR_MEMORY;
}

void hol__tangent_free(hol__tangent *tangent) {
    if (!tangent) return;
    hol_context *ctx = tangent->arena.ctx;
    if (tangent->work) hol_data_free(tangent->work->beside);
    hol__arena_free(&tangent->arena);
    hol__release(ctx, tangent);
}

/* The accelerations of the bodies by the chosen parts: J a + J' v, J a or J' v. */
static void take_accelerations(hol__tangent *tangent, hol_data *data, int parts) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    const hol__maps *maps = m->coords->maps;
    const int width = m->bw * (m->nb + 1);
    const double *a = parts & HOL__PART_INERTIA ? data->a : w->zero;
    memset(w->acc, 0, sizeof(double) * (size_t)width);
    if (!maps) {
        memcpy(w->acc, a, sizeof(double) * (size_t)m->nv);
        return;
    }
    maps->accelerations(m, &data->bodies, data->recursion, a, w->acc);
    if (parts & HOL__PART_FORCES) return;
    maps->accelerations(m, &data->bodies, data->recursion, w->zero, w->wrench);
    for (int i = 0; i < width; i++) w->acc[i] -= w->wrench[i];
}

/* Whether everything that an integrator may use is finite. */
static int is_finite(const hol__tangent *t) {
    const hol_model *m = t->model;
    double sum = 0;
    for (int i = 0; i < m->nv; i++) sum += 0 * t->F_t[i];
    for (int i = 0; i < m->m; i++) sum += 0 * t->C_t[i];
    return sum == 0 && hol__csr_is_finite(&t->K) && hol__csr_is_finite(&t->B) &&
           hol__csr_is_finite(&t->Cq) && hol__csr_is_finite(&t->Cv);
}

hol_status hol__tangent_update(hol__tangent *tangent, hol_data *data, int parts) {
    hol__tangent_work *w = tangent->work;
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (status) return status;
    w->last = data;
    hol__probe_take(&w->probe, data);
    take_accelerations(tangent, data, parts);
    hol__tangent_measures(tangent, data);
    hol__tangent_forces(tangent, data);
    hol__tangent_constraints(tangent, data);
    status = hol__tangent_user(tangent, data);
    if (status) return status;
    hol__tangent_map(tangent, data, parts);
    if (data->halted) hol__tangent_halt(tangent);
    return is_finite(tangent) ? HOL_OK : HOL_NONFINITE;
}
