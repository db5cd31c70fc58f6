/* jump.c: the velocities when constraints appear.
 *
 *     M (v+ - v-) + A^T Lambda = 0,   A v+ = b
 *
 * the constrained solve of the equations of motion with f = M v- and c = b: the plastic impact,
 * which takes the least kinetic energy that lets the rows hold [PV 5, BL 5]. It is solved where
 * every joint has rows, in reference-point coordinates, by the kernel kkt, so that all methods and
 * coordinates jump alike; where rows depend on each other Lambda is the smallest. The impulses do
 * the work
 *
 *     W = T+ - T- = (v+ + v-)^T M (v+ - v-)/2 = -Lambda^T (A v- + b)/2
 *
 * At an impact the rows of one joint J, which does not act, have rates of their own instead of b,
 *
 *     A_J v+ - b_J = -e (A_J v- - b_J)
 *
 * with the restitution e, and W = -Lambda^T (A v- + A v+)/2.
 *
 * Positions have to fit before: a gap that the errors of the run explain is closed, nearest in the
 * metric of M.
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The norm of the position residual of a joint. */
static double gap_of(const hol_data *data, int joint) {
    double sum = 0;
    for (int i = 0; i < data->model->mh; i++)
        if (data->model->row_joint[i] == joint) sum += data->Phi[i] * data->Phi[i];
    return sqrt(sum);
}

/* Refuse a joint that does not fit. */
static hol_status check_gaps(hol_sim *sim, hol_data *data, hol__jump *jump) {
    const hol_model *m = data->model;
    hol_data_update(data, HOL_STAGE_POS);
    for (int k = 0; k < sim->whole->n_joints; k++) {
        if (jump->change[k] <= 0) continue;
        const double gap = gap_of(data, k);
        jump->gap = fmax(jump->gap, gap);
        if (gap <= jump->tolerance) continue;
        return hol__report(
            sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &m->joints[k].where, m->joints[k].label,
            "cannot take hold at t = %.9g: it is off by %.3g, more than %.3g; let it "
            "take hold where it fits, with `catch: here` if it locks, or raise "
            "catch_tolerance",
            data->t, gap, jump->tolerance);
    }
    return HOL_OK;
}

/* What the kernel is told, with the rank of the constraints at the positions in data. */
static hol__kernel_options solver_options(const hol_sim *sim, const hol_data *data) {
    const double tolerance = sim->options[HOL__OPT_RANK_TOLERANCE];
    return (hol__kernel_options){.storage = (hol__storage)sim->options[HOL__OPT_STORAGE],
                                 .rank_tolerance = tolerance,
                                 .release_tolerance = data->redundant ? 0 : tolerance};
}

/* A kernel kkt of M and A. */
static hol_status new_kernel(const hol_sim *sim, hol_data *data, hol__kernel **kernel) {
    hol_status status = hol__data_analyse(data);
    const hol__kernel_options options = solver_options(sim, data);
    const hol__csr *M = NULL;
    if (!status) status = hol__data_cheaper_mass(data, options.storage, &M);
    if (status) return status;
    return hol__kernel_new(sim->ctx, &hol__kernel_kkt, M, &data->A, &options, kernel);
}

/* The joint that is open most, -1: none is, and by how much. */
static int most_open(const hol_data *data, double *gap) {
    int worst = -1;
    *gap = 0;
    for (int k = 0; k < data->model->n_joints; k++)
        if (gap_of(data, k) > *gap) *gap = gap_of(data, k), worst = k;
    return worst;
}

/* Say that a joint that was open by a gap cannot be closed, with those that are against it: these
 * stay open too where the search ended. */
static hol_status refuse_open(const hol_sim *sim, hol_data *data, int joint, double gap) {
    enum { MOST_NAMED = 6 };
    const hol_model *m = data->model;
    double most;
    int n = 0;
    char list[600] = "";
    size_t used = 0;
    hol_data_update(data, HOL_STAGE_POS);
    if (joint < 0) joint = most_open(data, &gap);
    most_open(data, &most);
    for (int k = 0; k < m->n_joints; k++) {
        if (k == joint || !(gap_of(data, k) > 1e-6 * most) || ++n > MOST_NAMED) continue;
        used += (size_t)hol__print(list + used, sizeof list - used, "%s%.80s",
                                   n > 1 ? ", " : " together with ", m->joints[k].label);
    }
    if (n > MOST_NAMED) snprintf(list + used, sizeof list - used, " and %d more", n - MOST_NAMED);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE,
                       joint < 0 ? NULL : &m->joints[joint].where,
                       joint < 0 ? "switch" : m->joints[joint].label,
                       "cannot be closed at t = %.9g: it is open by %.3g, and no positions near "
                       "these close it%s",
                       data->t, gap, list);
}

/* The correction direct-mass, run once over positions and velocities. */
static hol_status correct(const hol_sim *sim, hol_data *data, hol__kernel *kernel) {
    const double length = fmax(1, data->model->length), *o = sim->options;
    double gap;
    hol_data_update(data, HOL_STAGE_POS);
    const int worst = most_open(data, &gap);
    const hol__kernel_options options = solver_options(sim, data);
    hol__correction *close = hol__correction_new(data, hol__correction_find("direct-mass"), kernel,
                                                 &options, o[HOL__OPT_POSITION_TOLERANCE] * length,
                                                 o[HOL__OPT_VELOCITY_TOLERANCE] * length);
    const hol_status status = close ? hol__correction_run(close) : HOL_ERR_MEMORY;
    hol__correction_free(close);
    return status <= 0 ? status : refuse_open(sim, data, worst, gap);
}

hol_status hol__sim_close_positions(const hol_sim *sim, hol_data *data) {
    const size_t size = sizeof(double) * (size_t)data->model->nv;
    double *v = hol__alloc(sim->ctx, 1, size + 1);
    hol__kernel *kernel = NULL;
    hol_status status = v ? new_kernel(sim, data, &kernel) : HOL_ERR_MEMORY;
    if (v) memcpy(v, data->v, size);
    if (!status) status = correct(sim, data, kernel);
    if (v) hol__data_set_v(data, v); /* the velocities stay */
    hol__kernel_free(kernel);
    hol__release(sim->ctx, v);
    return status;
}

/* What the rows are to be after the jump: b, or at an impact the rebound; A v- is in c. */
static void set_aim(const hol_data *data, const hol__jump *jump, double *aim) {
    for (int i = 0; i < data->model->m; i++) {
        const int rebounds = !jump->change && data->model->row_joint[i] == jump->joint;
        aim[i] = data->b[i];
        if (rebounds) aim[i] -= jump->restitution * (data->c[i] - data->b[i]);
    }
}

/* v+ and Lambda by two passes of the solve, the second over what rounding left of A v+ = aim. */
static hol_status solve_jump(hol_data *data, hol__kernel *kernel, const double *aim, double *f,
                             double *x) {
    const hol_model *m = data->model;
    double *const c = data->psi;
    hol_status status = HOL_OK;
    memset(data->lambda, 0, sizeof(double) * (size_t)m->m);
    for (int pass = 0; pass < 2 && !status; pass++) {
        hol__csr_mul(&data->A, data->v, c);
        for (int i = 0; i < m->m; i++) c[i] = aim[i] - c[i];
        memset(f, 0, sizeof(double) * (size_t)m->nv);
        status = hol__kernel_solve(kernel, f, c, x, f + m->nv);
        for (int i = 0; i < m->m; i++) data->lambda[i] += f[m->nv + i];
        for (int i = 0; i < m->nv; i++) data->v[i] += x[i];
    }
    return status;
}

/* The largest of |A| |v| + |b| over the rows: what rounding counts against. */
static double row_size(const hol_data *data) {
    const hol__csr *A = &data->A;
    double size = 0;
    for (int i = 0; i < data->model->m; i++) {
        double sum = fabs(data->b[i]);
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) sum += fabs(A->x[k] * data->v[A->idx[k]]);
        size = fmax(size, sum);
    }
    return size;
}

/* Refuse rows that ask for velocities which contradict each other: where they can hold, rounding is
 * left of psi, else about all of it; the square root of eps lies between the two. What is at rest
 * has rounding of rounding for speeds; below the least normal number these have no digits. */
static hol_status check_velocities(hol_sim *sim, hol_data *data, const double *aim, double size) {
    const hol_model *m = data->model;
    int worst = 0;
    hol__csr_mul(&data->A, data->v, data->psi);
    for (int i = 0; i < m->m; i++) data->psi[i] -= aim[i];
    for (int i = 1; i < m->m; i++)
        if (fabs(data->psi[i]) > fabs(data->psi[worst])) worst = i;
    if (!m->m || fabs(data->psi[worst]) <= fmax(sqrt(DBL_EPSILON) * size, DBL_MIN)) return HOL_OK;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &m->rows[worst].where,
                       m->rows[worst].element,
                       "cannot take hold at t = %.9g: the joints that act ask for velocities that "
                       "contradict each other (%s is off by %.3g)",
                       data->t, m->rows[worst].direction, data->psi[worst]);
}

/* The jump at positions that fit. */
static hol_status jump_velocities(hol_sim *sim, hol_data *data, hol__kernel *kernel, double *f,
                                  double *x, hol__jump *jump) {
    const hol_model *m = data->model;
    double *const aim = f + m->nv + m->m;
    hol_data_update(data, HOL_STAGE_VEL);
    hol_status status = hol__kernel_factor(kernel, hol__data_mass_for(data, kernel), &data->A);
    if (status) return status;
    hol__csr_mul(&data->A, data->v, data->c); /* A v-, in the place of c */
    const double size = row_size(data);
    set_aim(data, jump, aim);
    status = solve_jump(data, kernel, aim, f, x);
    for (int i = 0; i < m->m; i++) jump->work -= 0.5 * data->lambda[i] * (data->c[i] + aim[i]);
    hol__data_set_v(data, NULL);
    return status ? status : check_velocities(sim, data, aim, size);
}

hol_status hol__sim_jump(hol_sim *sim, hol_data *data, hol__jump *jump) {
    const hol_model *m = data->model;
    hol__kernel *kernel = NULL;
    hol__arena arena;
    hol__arena_init(&arena, sim->ctx);
    double *f = HOL__NEW_N(&arena, double, m->nv + 2 * m->m + 1),
           *x = HOL__NEW_N(&arena, double, m->nv);
    hol_status status = f && x ? HOL_OK : HOL_ERR_MEMORY;
    if (!status && jump->change) status = check_gaps(sim, data, jump);
    if (!status && jump->change) status = hol__sim_close_positions(sim, data);
    if (!status) status = new_kernel(sim, data, &kernel);
    if (!status) status = jump_velocities(sim, data, kernel, f, x, jump);
    hol__kernel_free(kernel);
    hol__arena_free(&arena);
    return status;
}
