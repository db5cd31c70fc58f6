/* assemble.c: consistent initial conditions from the drawn position.
 *
 * Positions: Gauss–Newton towards Phi(q) = 0 that moves the bodies as little as their weights
 * allow,
 *     W delta + D^T mu = -K (q (-) q_drawn),   D delta = -Phi,
 *     W = weights (+ K, large, where a coordinate is fixed)
 * with a line search on |Phi|. What this does not close from the drawn position is tried with
 * drivers led to what they ask for (assemble_lead.c), then from bodies that are turned a little.
 *
 * Velocities are in assemble_velocities.c. Values of joints at the start are rows of Phi for the
 * positions and rows of A v = b for the rates (element/joint_start.c).
 */
#include "correct/assemble.h"

#include <math.h>
#include <string.h>

enum { MAX_NEWTON = 80, MAX_HALVINGS = 25 };

static const double hold = 1e8;         /* weight of a fixed coordinate over a free one */
static const double displacement = 0.1; /* radians from a drawn position that cannot be closed */

static int allocate(hol__assembly *s) {
    const hol_model *m = s->data->model;
    hol__arena *arena = &s->arena;
    const int n = m->nv;
    s->W = (hol__csr){.rows = n,
                      .cols = n,
                      .ptr = HOL__NEW_N(arena, int, n + 1),
                      .idx = HOL__NEW_N(arena, int, n),
                      .x = HOL__NEW_N(arena, double, n)};
    s->weight = HOL__NEW_N(arena, double, n);
    s->fixed = HOL__NEW_N(arena, unsigned char, n);
    s->fixed_v = HOL__NEW_N(arena, unsigned char, n);
    s->given = HOL__NEW_N(arena, unsigned char, n);
    s->yields = HOL__NEW_N(arena, unsigned char, n);
    s->q0 = HOL__NEW_N(arena, double, m->nq);
    s->q_try = HOL__NEW_N(arena, double, m->nq);
    s->delta = HOL__NEW_N(arena, double, n);
    s->pull = HOL__NEW_N(arena, double, n);
    s->rhs = HOL__NEW_N(arena, double, m->m);
    s->angles0 = HOL__NEW_N(arena, double, m->n_angles + 1);
    s->off = HOL__NEW_N(arena, double, m->mh + 1);
    s->offset = HOL__NEW_N(arena, double, m->mh + 1);
    if (arena->failed) return 0;
    for (int i = 0; i < n; i++) s->W.ptr[i + 1] = i + 1, s->W.idx[i] = i;
    return 1;
}

/* Weights: mass for translations, inertia (at least a little) for rotations, times the user's. */
static void set_weights(hol__assembly *s) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->nv; i++) {
        const hol__body *b = &m->bodies[i / m->bw];
        const int k = i % m->bw, turn = hol__is_turn(m, i);
        const double J = m->dim == 2 ? b->inertia : turn ? b->J[4 * (k - 3)] : 0;
        const double mass = b->mass > 0 ? b->mass : 1; /* one that moves as given may have none */
        s->weight[i] = b->weight * (turn ? fmax(J, 1e-4 * mass * m->length * m->length) : mass);
        s->fixed[i] = b->fix[k];
        s->fixed_v[i] = b->fix_velocity[k];
        s->given[i] = b->given[k] || b->fix_velocity[k];
    }
}

double hol__assembly_residual(hol__assembly *s) {
    hol_data_update(s->data, HOL_STAGE_POS);
    for (int i = 0; i < s->data->model->mh; i++) s->off[i] = s->data->Phi[i] - s->offset[i];
    return hol__norm(s->off, s->data->model->mh);
}

/* The Gauss–Newton step into delta. */
static hol_status newton_step(hol__assembly *s) {
    const hol_model *m = s->data->model;
    m->coords->minus(m, s->data->q, s->q0, s->pull);
    for (int i = 0; i < m->nv; i++) {
        s->W.x[i] = s->weight[i] * (s->fixed[i] ? hold : 1);
        s->pull[i] = s->fixed[i] ? -s->W.x[i] * s->pull[i] : 0;
    }
    for (int i = 0; i < m->mh; i++) s->rhs[i] = -s->off[i];
    const hol_status status = hol__kernel_factor(s->kernel, &s->W, &s->D);
    return status ? status : hol__kernel_solve(s->kernel, s->pull, s->rhs, s->delta, NULL);
}

/* Shorten delta so that no body moves by more than half the mechanism or turns by more than half a
 * radian. */
static void limit_step(hol__assembly *s) {
    const hol_model *m = s->data->model;
    double largest = 0;
    for (int i = 0; i < m->nv; i++) {
        largest = fmax(largest, fabs(s->delta[i]) / (hol__is_turn(m, i) ? 0.5 : 0.5 * m->length));
    }
    if (largest > 1)
        for (int i = 0; i < m->nv; i++) s->delta[i] /= largest;
}

/* Move along delta as far as |Phi| falls; 0 when it does not. */
static int line_search(hol__assembly *s, double norm) {
    const hol_model *m = s->data->model;
    memcpy(s->q_try, s->data->q, sizeof(double) * (size_t)m->nq);
    for (int k = 0; k < MAX_HALVINGS; k++) {
        double *q = s->data->q;
        m->coords->plus(m, s->q_try, s->delta, q);
        hol__data_set_q(s->data, s->data->t, NULL);
        const double now = hol__assembly_residual(s);
        if (now < norm * (1 - 1e-4 * ldexp(1, -k))) {
            /* angles are followed over full turns from step to step */
            memcpy(s->data->angles_base, s->data->angles, sizeof(double) * (size_t)m->n_angles);
            return 1;
        }
        for (int i = 0; i < m->nv; i++) s->delta[i] *= 0.5;
    }
    hol__data_set_q(s->data, s->data->t, s->q_try);
    return 0;
}

/* Fixed coordinates must be where they were drawn. */
static hol_status check_fixed(hol__assembly *s) {
    const hol_model *m = s->data->model;
    hol_status status = HOL_OK;
    m->coords->minus(m, s->data->q, s->q0, s->delta);
    for (int i = 0; i < m->nv; i++)
        if (s->fixed[i] && fabs(s->delta[i]) > 1e-9 * fmax(1, m->length)) {
            const hol__body *b = &m->bodies[i / m->bw];
            status = hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &b->where, b->label,
                                 "a fixed coordinate had to move by %.3g to close the joints; "
                                 "leave out the `fix` or redraw",
                                 s->delta[i]);
        }
    return status;
}

double hol__assembly_slack(const hol__assembly *s) {
    return 1e-10 * fmax(1, s->data->model->length);
}

hol_status hol__assembly_close(hol__assembly *s, int *closed) {
    *closed = 0;
    for (int k = 0; k < MAX_NEWTON; k++) {
        const double norm = hol__assembly_residual(s);
        if (!isfinite(norm)) return HOL_OK;
        if (norm <= s->tolerance) break;
        const hol_status status = newton_step(s);
        if (status < 0) return status;
        if (status > 0) break; /* what is closed needs no step */
        limit_step(s);
        if (!line_search(s, norm)) break;
    }
    *closed = hol__assembly_residual(s) <= fmax(hol__assembly_slack(s), s->tolerance);
    return HOL_OK;
}

/* Positions as drawn, or others from there, with the turns counted from the drawn ones. */
static void start_over(hol__assembly *s, const double *q) {
    memcpy(s->data->angles_base, s->angles0, sizeof(double) * (size_t)s->data->model->n_angles);
    hol__data_set_q(s->data, s->data->t, q);
}

/* Every body turned a little, each by another angle, from where it was drawn: |Phi| may be
 * stationary there without being least, as where two axes point in opposite directions. */
static void displace(hol__assembly *s) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->nv; i++)
        s->delta[i] = hol__is_turn(m, i) && !s->fixed[i] ? displacement * (1 + sin(1.0 + i)) : 0;
    m->coords->plus(m, s->q0, s->delta, s->q_try);
    start_over(s, s->q_try);
}

/* The next way to close what Newton's method from the drawn position did not: drivers led over
 * their turns, then all bodies turned a little. */
static hol_status try_again(hol__assembly *s, const double *asked, double most, int *closed) {
    const hol_model *m = s->data->model;
    hol_status status = HOL_OK;
    double *best = HOL__NEW_N(&s->arena, double, m->nq);
    if (!best) return HOL_ERR_MEMORY;
    memcpy(best, s->data->q, sizeof(double) * (size_t)m->nq);
    if (most > HOL__LED) {
        start_over(s, s->q0);
        status = hol__assembly_lead(s, asked, most, closed);
        if (status || *closed) return status;
        memcpy(best, s->data->q, sizeof(double) * (size_t)m->nq);
    }
    displace(s);
    status = hol__assembly_close(s, closed);
    if (!status && !*closed) hol__data_set_q(s->data, s->data->t, best);
    return status;
}

static hol_status assemble_positions(hol__assembly *s) {
    const hol_model *m = s->data->model;
    int closed;
    double most = 0, *asked = HOL__NEW_N(&s->arena, double, m->mh + 1);
    if (!asked) return HOL_ERR_MEMORY;
    memcpy(s->angles0, s->data->angles_base, sizeof(double) * (size_t)m->n_angles);
    if (!isfinite(hol__assembly_residual(s))) return hol__assembly_report_infinite(s);
    for (int i = 0; i < m->mh; i++) {
        asked[i] = hol__assembly_asked_turn(s, i);
        most = fmax(most, fabs(asked[i]));
    }
    hol__assembly_warn_of_turns(s, asked);
    hol_status status = hol__assembly_close(s, &closed);
    if (!status && !closed) status = try_again(s, asked, most, &closed);
    if (status) return status;
    return closed ? check_fixed(s) : hol__assembly_report_open(s);
}

/* How far the positions moved: the largest distance, with angles times the size of the
 * mechanism. */
static double distance_moved(hol__assembly *s) {
    const hol_model *m = s->data->model;
    double largest = 0;
    m->coords->minus(m, s->data->q, s->q0, s->delta);
    for (int i = 0; i < m->nv; i++) {
        largest = fmax(largest, fabs(s->delta[i]) * (hol__is_turn(m, i) ? m->length : 1));
    }
    return largest;
}

/* What a kernel of the weights and these rows needs; the kernel. */
static hol_status prepare(hol__assembly *s, const hol__csr *rows,
                          const hol__kernel_options *options) {
    hol__kernel_free(s->kernel);
    s->kernel = NULL;
    return hol__kernel_new(s->data->ctx, hol__kernel_get(0), &s->W, rows, options, &s->kernel);
}

/* The positions, with a kernel for them, and how far they moved. */
static hol_status find_positions(hol__assembly *s, const hol__kernel_options *options,
                                 double *moved) {
    const hol_model *m = s->data->model;
    memcpy(s->q0, s->data->q, sizeof(double) * (size_t)m->nq);
    s->D = s->data->A;
    s->D.rows = m->mh;
    hol_status status = prepare(s, &s->D, options);
    if (!status && m->mh) status = assemble_positions(s);
    if (!status) *moved = distance_moved(s);
    return status;
}

/* Positions, unless moved is NULL, and velocities. */
static hol_status assemble(hol_data *data, const hol__kernel_options *options, double tolerance,
                           double *moved) {
    const hol_model *m = data->model;
    hol__assembly s = {.data = data, .tolerance = tolerance};
    hol__arena_init(&s.arena, data->ctx);
    hol_status status = allocate(&s) ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) set_weights(&s);
    if (!status && moved) status = find_positions(&s, options, moved);
    if (!status && (!moved || m->m > m->mh)) status = prepare(&s, &data->A, options);
    if (!status) status = hol__assembly_velocities(&s);
    hol__kernel_free(s.kernel);
    hol__arena_free(&s.arena);
    return status;
}

hol_status hol__assemble(hol_data *data, const hol__kernel_options *options, double tolerance,
                         double *moved) {
    *moved = 0;
    return assemble(data, options, tolerance, moved);
}

hol_status hol__assemble_velocities(hol_data *data, const hol__kernel_options *options) {
    return assemble(data, options, 0, NULL);
}
