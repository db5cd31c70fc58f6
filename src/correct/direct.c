/* direct.c: direct correction of constraint violation. [MSF 41, 49]
 *
 *     repeat   delta = -W^-1 D^T (D W^-1 D^T)^-1 Phi(q),   q <- q (+) delta
 *     until    |Phi| <= tolerance
 *     then     v <- v - W^-1 A^T (A W^-1 A^T)^-1 psi
 *
 * W is the identity (plain) or M (mass-weighted). Each step is one constrained solve: W delta + D^T
 * mu = 0, D delta = -Phi. Redundant rows give the least-squares, minimum-norm step. A partitioned
 * correction (partition.c) takes the same way with steps that leave the independent coordinates
 * where they are.
 *
 * Where the factors of the first position are kept (c->keeps), D and A in front of the residuals
 * are those of there. A position that is off by d then leaves of a residual r some d r: as little
 * as Newton leaves of Phi, r = d, and less than rounding of psi. A residual that falls by less than
 * CHORD is not of that kind, and the matrices are factored anew. It decides what iterations cost
 * and not where they end, which is at the tolerances: 1e-3 leaves three digits an iteration, and
 * two of them take a step that is off by its tolerance, 1e-10, to rounding.
 *
 * Such a correction does not look at what is left of Phi where that cannot be seen: a step of delta
 * with factors of a position that is d behind the one where it ends leaves |Phi''| d delta at most,
 * and the second derivatives are lengths of the mechanism by squares of angles, some in each row.
 */
#include "correct/correct.h"

#include <math.h>

enum { MAX_ITERATIONS = 12 };

static const double CHORD = 1e-3;

/* d delta, in squares of lengths of the mechanism and radians: a hundred such terms are half of
 * what rounding leaves of a length. */
static const double UNSEEN = 1e-18;

/* A residual has become norm, from last: keep the factors if they did well. */
static void judge_factors(hol__correction *c, double norm, double last) {
    if (!(norm <= CHORD * last)) c->kept = 0;
}

/* One Newton step on the positions, and how long it is: the largest entry, in lengths of the
 * mechanism and radians. */
static hol_status position_step(hol__correction *c, double *length) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    for (int i = 0; i < m->mh; i++) c->rhs[i] = -data->Phi[i];
    const hol_status status = hol__correction_solve(c, 1, c->rhs, c->step);
    if (status) return status;
    double most = 0, sum = 0;
    for (int i = 0; i < m->nv; i++) {
        const double moved = fabs(c->step[i]) / (hol__is_turn(m, i) ? 1 : m->length);
        most = fmax(most, moved);
        sum += moved;
    }
    *length = isfinite(sum) ? most : INFINITY;
    c->moved = fmax(c->moved, most);
    m->coords->plus(m, data->q, c->step, c->q);
    hol__data_set_q(data, data->t, c->q);
    c->iterations++;
    return HOL_OK;
}

/* Newton until the residual is below the tolerance, or rests at rounding near it. */
static hol_status correct_positions(hol__correction *c) {
    hol_data *data = c->data;
    const int mh = data->model->mh;
    double last = INFINITY, behind = 0, length;
    for (int i = 0; i <= MAX_ITERATIONS; i++) {
        hol_data_update(data, HOL_STAGE_POS);
        const double norm = hol__norm(data->Phi, mh);
        if (!isfinite(norm)) return HOL_NONFINITE;
        if (norm <= c->position_tolerance) return HOL_OK;
        if (norm > 0.5 * last && hol__correction_rests(c, norm)) return HOL_OK;
        if (i == MAX_ITERATIONS || norm > 1e3 * last) return HOL_NOT_CONVERGED;
        judge_factors(c, norm, last);
        last = norm;
        if (!c->kept) behind = 0;
        const hol_status status = position_step(c, &length);
        if (status) return status;
        behind += length;
        if (c->keeps && behind * length <= UNSEEN) return HOL_OK;
    }
    return HOL_NOT_CONVERGED;
}

/* The nearest velocity that satisfies A v = b; a second pass removes what rounding left. */
hol_status hol__correct_velocities(hol__correction *c) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    double last = INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        hol__data_psi_alone(data);
        const double norm = hol__norm(data->psi, m->m);
        if (!isfinite(norm)) return HOL_NONFINITE;
        if (norm <= c->velocity_tolerance) return HOL_OK;
        judge_factors(c, norm, last);
        last = norm;
        for (int i = 0; i < m->m; i++) c->rhs[i] = -data->psi[i];
        const hol_status status = hol__correction_solve(c, 0, c->rhs, c->step);
        if (status) return status;
        for (int i = 0; i < m->nv; i++) data->v[i] += c->step[i];
        hol__data_set_v(data, NULL);
    }
    return HOL_OK;
}

hol_status hol__correct_direct(hol__correction *correction) {
    if (!correction->data->model->m) return HOL_OK;
    correction->moved = 0;
    correction->kept = 0;
    hol_status status = correct_positions(correction);
    if (!status && !correction->halves) status = hol__correct_velocities(correction);
    return status;
}
