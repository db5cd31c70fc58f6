/* mass_orthogonal.c: projection onto the constraints, orthogonal in the metric of M, by the
 * augmented Lagrangian. [MSF 26-30]
 *
 *     positions    (M + D^T alpha D) delta = -M (q_i (-) q_0) - D^T (lambda_i + alpha Phi(q_i)),
 *                  q_{i+1} = q_i (+) delta,  lambda_{i+1} = lambda_i + alpha Phi(q_{i+1})
 *     velocities   (M + A^T alpha A) v_{i+1} = M v_i + A^T alpha b,
 *                  solved for v_{i+1} - v_i = -(M + A^T alpha A)^-1 A^T alpha psi, so that
 *                  rounding times alpha is small with psi
 *
 * Both are solves of the penalty kernel: f and c are what stands for M x and for alpha.
 */
#include "correct/correct.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 30 };

static hol_status project_positions(hol__correction *c) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    double last = INFINITY;
    memcpy(c->q0, data->q, sizeof(double) * (size_t)m->nq);
    memset(c->lambda, 0, sizeof(double) * (size_t)m->m);
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        hol_data_update(data, HOL_STAGE_POS);
        const double norm = hol__norm(data->Phi, m->mh);
        if (!isfinite(norm)) return HOL_NONFINITE;
        if (norm <= c->position_tolerance || (norm > 0.5 * last && hol__correction_rests(c, norm)))
            return HOL_OK;
        last = norm;
        hol_status status = hol__correction_factor(c, c->positions);
        if (status) return status;
        /* f = -M (q (-) q0) - D^T lambda, c = -Phi */
        m->coords->minus(m, data->q, c->q0, c->step);
        hol__csr_mul(hol__data_mass(data), c->step, c->f);
        hol__csr_mul_t_add(&c->D, 1, c->lambda, c->f);
        for (int k = 0; k < m->nv; k++) c->f[k] = -c->f[k];
        for (int k = 0; k < m->mh; k++) c->rhs[k] = -data->Phi[k];
        status = hol__kernel_solve(c->positions, c->f, c->rhs, c->step, data->psi);
        if (status) return status;
        /* the kernel's multipliers are alpha (D delta + Phi), which is alpha Phi at the new point
         * to first order */
        for (int k = 0; k < m->mh; k++) c->lambda[k] += data->psi[k];
        m->coords->plus(m, data->q, c->step, c->q);
        hol__data_set_q(data, data->t, c->q);
        c->iterations++;
    }
    return HOL_NOT_CONVERGED;
}

static hol_status project_velocities(hol__correction *c) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    double last = INFINITY;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        hol__data_psi(data);
        const double norm = hol__norm(data->psi, m->m);
        if (!isfinite(norm)) return HOL_NONFINITE;
        if (norm <= c->velocity_tolerance || norm > 0.5 * last) return HOL_OK;
        last = norm;
        hol_status status = hol__correction_factor(c, c->velocities);
        for (int k = 0; k < m->m; k++) c->rhs[k] = -data->psi[k];
        if (!status) status = hol__kernel_solve(c->velocities, NULL, c->rhs, c->step, NULL);
        if (status) return status;
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
