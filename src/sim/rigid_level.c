/* rigid_level.c: the contact problem at a state: who touches, and what pushes do.
 *
 * With the rows W of the slots that touch and the mechanism M, A of all other joints,
 *
 *     M x_j + A^T mu_j = W_j^T,  A x_j = 0        G = W X
 *
 * a push z along the rows changes velocities (or accelerations) along them by G z, whatever the
 * method of the run is. */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

double hol__rigid_tolerance(const hol_sim *sim) {
    return sim->options[HOL__OPT_CONTACT_TOLERANCE] * sim->whole->length;
}

/* ---- who touches ---- */

/* What a gap reads, of a data. */
static hol__con_args gap_args(hol_data *data) {
    const hol__force_args force = hol__data_force_args(data);
    return hol__rigid_args(&force);
}

/* Refuse shapes that are inside each other. */
static hol_status refuse_overlap(hol_sim *sim, const hol_data *data, const hol__element *joint,
                                 double depth) {
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &joint->where, joint->label,
                       isfinite(sim->switching.resolved_at)
                           ? "is passed by %.3g at t = %.9g, more than a step shows: give "
                             "a smaller max_step, or a smaller tolerance"
                           : "is passed by %.3g at the start, t = %.9g: draw the bodies "
                             "so that they do not overlap",
                       depth, data->t);
}

/* The slots that touch at the state of a data, their bits into touch, and how many. */
static hol_status find_touching(hol_sim *sim, hol_data *data, hol__touch_bits *touch, int *n) {
    const hol_model *m = data->model; /* closed slots are on their faces there */
    const hol__con_args args = gap_args(data);
    const double tolerance = hol__rigid_tolerance(sim);
    *n = 0;
    for (int k = 0; k < m->n_joints; k++) {
        const hol__rigid *r = m->joints[k].rigid;
        for (int i = 0; r && i < r->slots && !sim->switching.off[k]; i++) {
            hol__rigid_point at;
            hol__rigid_at(r, &args, i, &at);
            if (!(at.gap <= tolerance) || at.beside) continue;
            if (at.gap < -tolerance && !(sim->switching.touch[r->first + i] & HOL__TOUCH_CLOSED))
                return refuse_overlap(sim, data, &m->joints[k], -at.gap);
            touch[r->first + i] = (hol__touch_bits)(HOL__TOUCH_CLOSED | HOL__TOUCH_GAP |
                                                    (r->across > 0 ? HOL__TOUCH_ACROSS : 0) |
                                                    (r->across > 1 ? 2 * HOL__TOUCH_ACROSS : 0) |
                                                    (at.face + 1) * HOL__TOUCH_FACE);
            ++*n;
        }
    }
    return HOL_OK;
}

/* The list of them, with their rows, in the model that has these. */
static void list_touching(const hol_sim *sim, hol__contacts *c, const hol__touch_bits *touch) {
    const hol_model *model = c->model;
    const hol__con_args args = gap_args(c->data);
    c->n = c->m = 0;
    for (int k = 0; k < model->n_joints; k++) {
        const hol__rigid *r = model->joints[k].rigid;
        for (int i = 0; r && i < r->slots; i++) {
            hol__rigid_point at;
            if (!touch[r->first + i]) continue;
            hol__rigid_at(r, &args, i, &at);
            const int open = !(sim->switching.touch[r->first + i] & HOL__TOUCH_CLOSED);
            c->at[c->n++] = (hol__touching){.joint = &model->joints[k],
                                            .rigid = r,
                                            .slot = i,
                                            .index = r->first + i,
                                            .face = touch[r->first + i] & ~(HOL__TOUCH_FACE - 1),
                                            .first = c->m,
                                            .passed = open && hol__rigid_passed(r, &at) >= 0};
            for (int j = 0; j <= r->across; j++)
                c->row[c->m++] = hol__rigid_row(model, &model->joints[k], i, j);
        }
    }
}

/* ---- what pushes do ---- */

/* Room for all arrays. */
static hol_status make_room(hol__contacts *c, int n) {
    const hol_model *m = c->data->model;
    const int most = 3 * n;
    hol__arena *arena = &c->arena;
    c->at = HOL__NEW_N(arena, hol__touching, n);
    c->row = HOL__NEW_N(arena, int, most);
    c->other = HOL__NEW_N(arena, int, m->m + 1);
    c->X = HOL__NEW_N(arena, double, most * m->nv);
    c->mu = HOL__NEW_N(arena, double, most *(m->m + 1));
    c->G = HOL__NEW_N(arena, double, most *most);
    double **const rows[] = {&c->u, &c->free, &c->noise, &c->free_noise, &c->z, &c->w};
    for (int i = 0; i < 6; i++) *rows[i] = HOL__NEW_N(arena, double, most);
    c->impulse = HOL__NEW_N(arena, double, most + m->m);
    c->part = HOL__NEW_N(arena, double, most *(most + 3));
    c->part_row = HOL__NEW_N(arena, int, most);
    c->cones = HOL__NEW_N(arena, hol__cone_contact, 2 * n);
    c->state = HOL__NEW_N(arena, hol__cone_state, 2 * n);
    c->flag = HOL__NEW_N(arena, unsigned char, n);
    c->f = HOL__NEW_N(arena, double, m->nv + m->m + 1);
    c->x = HOL__NEW_N(arena, double, m->nv + 1);
    c->cone = hol__cone_new(arena, n, most);
    return c->cone && !arena->failed ? HOL_OK : HOL_ERR_MEMORY;
}

/* The kernel over the rows of the other joints, with its factors. */
static hol_status make_kernel(hol_sim *sim, hol__contacts *c) {
    const hol__kernel_options options = {.storage = (hol__storage)sim->options[HOL__OPT_STORAGE],
                                         .rank_tolerance = sim->options[HOL__OPT_RANK_TOLERANCE]};
    unsigned char *left_out = HOL__NEW_N(&c->arena, unsigned char, c->data->model->m + 1);
    if (!left_out) return HOL_ERR_MEMORY;
    for (int i = 0; i < c->m; i++) left_out[c->row[i]] = 1;
    hol_status status = hol__csr_keep_rows(&c->arena, &c->data->A, left_out, &c->A, c->other);
    if (status) return status;
    hol__csr_copy_rows(&c->data->A, c->other, &c->A);
    const hol__csr *M = hol__data_mass(c->data);
    status = hol__kernel_new(sim->ctx, &hol__kernel_kkt, M, &c->A, &options, &c->kernel);
    return status ? status : hol__kernel_factor(c->kernel, M, &c->A);
}

double hol__contacts_along(const hol__contacts *c, int i, const double *x) {
    const hol__csr *A = &c->data->A;
    double sum = 0;
    for (int k = A->ptr[c->row[i]]; k < A->ptr[c->row[i] + 1]; k++) sum += A->x[k] * x[A->idx[k]];
    return sum;
}

/* X and G. */
static hol_status find_responses(hol__contacts *c) {
    const hol__csr *A = &c->data->A;
    const int nv = c->data->model->nv;
    hol_status status = HOL_OK;
    for (int j = 0; j < c->m && !status; j++) {
        memset(c->f, 0, sizeof(double) * (size_t)nv);
        for (int k = A->ptr[c->row[j]]; k < A->ptr[c->row[j] + 1]; k++) c->f[A->idx[k]] = A->x[k];
        status = hol__kernel_solve(c->kernel, c->f, NULL, c->X + (size_t)j * (size_t)nv,
                                   c->mu + (size_t)j * (size_t)(A->rows + 1));
    }
    for (int i = 0; i < c->m && !status; i++)
        for (int j = 0; j <= i; j++) {
            const double g = 0.5 * (hol__contacts_along(c, i, c->X + (size_t)j * (size_t)nv) +
                                    hol__contacts_along(c, j, c->X + (size_t)i * (size_t)nv));
            c->G[i * c->m + j] = c->G[j * c->m + i] = g;
        }
    return status;
}

/* Velocities jump for joints that have taken hold. */
static hol_status take_hold(hol__contacts *c) {
    hol_data *d = c->data;
    const hol_model *m = d->model;
    double *right = c->f, *lambda = c->impulse + c->m;
    hol__csr_mul(&c->A, d->v, right);
    for (int i = 0; i < c->A.rows; i++) right[i] = d->b[c->other[i]] - right[i];
    const hol_status status = hol__kernel_solve(c->kernel, NULL, right, c->x, lambda);
    if (status) return status;
    for (int i = 0; i < m->nv; i++) d->v[i] += c->x[i];
    /* -Lambda^T (A v- + b)/2 with A v- = b - right */
    for (int i = 0; i < c->A.rows; i++)
        c->work -= 0.5 * lambda[i] * (2 * d->b[c->other[i]] - right[i]);
    hol__data_set_v(d, NULL);
    hol_data_update(d, HOL_STAGE_VEL);
    return HOL_OK;
}

hol_status hol__contacts_open(hol_sim *sim, hol_data *from, int joints, hol__contacts *c) {
    hol__touch_bits *touch = NULL;
    int n = 0, own = 0;
    memset(c, 0, sizeof *c);
    hol__arena_init(&c->arena, sim->ctx);
    touch = HOL__NEW_N(&c->arena, hol__touch_bits, sim->whole->n_slots + 1);
    if (!touch) return HOL_ERR_MEMORY;
    hol_status status = hol_data_update(from, HOL_STAGE_VEL);
    if (!status) status = find_touching(sim, from, touch, &n);
    if (status) return status;
    c->model = hol__switching_touched(sim, touch, &own);
    if (own) c->own = c->model;
    if (!c->model) return HOL_ERR_MEMORY;
    if (c->model->reference) c->model = c->model->reference;
    c->data = hol_data_new(sim->ctx, c->model);
    if (!c->data) return HOL_ERR_MEMORY;
    c->data->on_force = sim->data->on_force, c->data->user = sim->data->user;
    hol__data_carry(c->data, from);
    c->left = 64 * sim->options[HOL__OPT_VELOCITY_TOLERANCE] * fmax(1, sim->whole->length);
    c->slowest = sim->options[HOL__OPT_TOLERANCE] * hol__sim_frequency(sim) * sim->whole->length;
    status = hol_data_update(c->data, HOL_STAGE_VEL);
    if (!status) status = make_room(c, n);
    if (status) return status;
    list_touching(sim, c, touch);
    status = make_kernel(sim, c);
    if (!status && joints) status = take_hold(c);
    return status ? status : find_responses(c);
}

void hol__contacts_close(hol__contacts *c) {
    hol__kernel_free(c->kernel);
    hol_data_free(c->data);
    if (c->own) hol__model_release(c->own);
    hol__arena_free(&c->arena);
}
