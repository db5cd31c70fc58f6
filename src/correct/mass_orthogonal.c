/* mass_orthogonal.c: projection onto the constraints, orthogonal in the metric of M, by the
 * augmented Lagrangian. [MSF 26-30]
 *
 *     positions    K delta = -M (q_i (-) q_0) - D^T (lambda_i + alpha Phi(q_i)),
 *                  K = M + D^T alpha D,
 *                  q_{i+1} = q_i (+) delta,  lambda_{i+1} = lambda_i + alpha Phi(q_{i+1})
 *     velocities   (M + A^T alpha A) v_{i+1} = M v_i + A^T alpha b,
 *                  solved for v_{i+1} - v_i = -(M + A^T alpha A)^-1 A^T alpha psi, so that
 *                  rounding times alpha is small with psi
 *     until        |delta| <= epsilon [MSF 29] and |Phi| within the position tolerance; the same
 *                  for velocities
 *
 * The matrix of the velocities depends on positions alone [MSF after 30]: it is that of the last
 * q_i. For positions Newton in full factors K at every q_i. Modified [MSF after 29]: K of q_0 is
 * kept. The right-hand sides are those of q_i, so the limit is the same, but D^T alpha Phi then has
 * a part along the directions that K takes for free, |D - D_0| alpha |Phi| with |D - D_0| about
 * |q_i - q_0| / length: a movement along the constraints of penalty |q_i - q_0| |Phi| / length,
 * which the next iteration calls back. K is factored anew where that is more than the share ALONG
 * of the last delta, or where an iteration has left more than SLOW of Phi.
 */
#include "correct/correct.h"

#include "kernel/penalty.h"

#include <math.h>
#include <string.h>

#define ALONG 1e-3
#define SLOW 0.1

/* An iteration from which a residual comes back so many times as large has lost its way. */
#define DIVERGES 1e3

enum { MAX_ITERATIONS = 30 };

/* K for the next iteration on positions, with that residual and the one before: kept, or factored
 * at the state in data. moved: the last delta; *off: how far K is off its position. */
static hol_status have_matrix(hol__correction *c, double norm, double last, double moved,
                              double *off) {
    const double along = c->penalty * *off * norm / c->data->model->length;
    if (!c->full && last < INFINITY && norm <= SLOW * last && along <= ALONG * moved) return HOL_OK;
    *off = 0;
    return hol__correction_factor(c, c->positions);
}

/* delta of the i-th iteration, from 0, into step. */
static void position_step(hol__correction *c, int i) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    /* f = -M (q (-) q0) - D^T lambda, both zero at first; c = -Phi */
    if (i > 0) {
        m->coords->minus(m, data->q, c->q0, c->step);
        hol__csr_mul(hol__data_mass(data), c->step, c->f);
        hol__csr_mul_t_add(&c->D, 1, c->lambda, c->f);
        for (int k = 0; k < m->nv; k++) c->f[k] = -c->f[k];
    }
    for (int k = 0; k < m->mh; k++) c->rhs[k] = -data->Phi[k];
    hol__penalty_step(c->positions, i > 0 ? c->f : NULL, &c->D, c->rhs, c->step);
}

static hol_status project_positions(hol__correction *c) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    double last = INFINITY, moved = 0, off = 0;
    memcpy(c->q0, data->q, sizeof(double) * (size_t)m->nq);
    memset(c->lambda, 0, sizeof(double) * (size_t)m->m);
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        hol_data_update(data, HOL_STAGE_POS);
        const double norm = hol__norm(data->Phi, m->mh);
        if (!isfinite(norm)) return HOL_NONFINITE;
        if ((norm <= c->position_tolerance && moved <= c->epsilon) ||
            (norm > 0.5 * last && hol__correction_rests(c, norm)))
            return HOL_OK;
        if (norm > DIVERGES * last) return HOL_NOT_CONVERGED;
        if (i > 0) hol__penalty_add(c->positions, data->Phi, m->mh, c->lambda);
        const hol_status status = have_matrix(c, norm, last, moved, &off);
        if (status) return status;
        position_step(c, i);
        last = norm;
        moved = hol__norm(c->step, m->nv);
        off += moved;
        m->coords->plus(m, data->q, c->step, c->q);
        hol__data_set_q(data, data->t, c->q);
        c->iterations++;
    }
    return HOL_NOT_CONVERGED;
}

static hol_status project_velocities(hol__correction *c) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    double last = INFINITY, moved = 0;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        hol__data_psi(data);
        const double norm = hol__norm(data->psi, m->m);
        if (!isfinite(norm)) return HOL_NONFINITE;
        if ((norm <= c->velocity_tolerance && moved <= c->epsilon) || norm > 0.5 * last)
            return norm > DIVERGES * last ? HOL_NOT_CONVERGED : HOL_OK;
        const hol_status status = hol__correction_factor(c, c->velocities);
        if (status) return status;
        last = norm;
        for (int k = 0; k < m->m; k++) c->rhs[k] = -data->psi[k];
        hol__penalty_step(c->velocities, NULL, &data->A, c->rhs, c->step);
        moved = hol__norm(c->step, m->nv);
        for (int k = 0; k < m->nv; k++) c->step[k] += data->v[k];
        hol__data_set_v(data, c->step);
    }
    return HOL_OK;
}

hol_status hol__correct_mass_orthogonal(hol__correction *correction) {
    if (!correction->data->model->m) return HOL_OK;
    const hol_status status = project_positions(correction);
    return status ? status : project_velocities(correction);
}
