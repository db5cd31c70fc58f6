/* equilibrium.c: which search, when it has found something, and why not. See equilibrium.h. */
#include "analysis/equilibrium.h"

#include "analysis/static_place.h"
#include "analysis/static_rest.h"
#include "analysis/static_search.h"

#include <math.h>
#include <string.h>

enum { MAX_SADDLES = 8 };

static const double default_tolerance = 1e-9;
static const double off_saddle = 0.02; /* lengths of the mechanism, or radians */

/* The residuals of the state in s; whether it is an equilibrium. */
static int judge(hol__static *s, hol__equilibrium *e) {
    const double tolerance = e->tolerance > 0 ? e->tolerance : default_tolerance;
    e->residual = hol__static_unbalance(s);
    e->rest = hol__static_unrest(s, &e->state);
    return e->residual <= tolerance && e->rest <= tolerance;
}

/* How far the bodies are from where they were. */
static double distance(hol__static *s, const double *from) {
    const hol_model *m = s->model;
    double most = 0;
    if (!s->n_body) return 0;
    m->coords->minus(m, s->data->q, from, s->step);
    hol__dense_mul(s->n_body, m->nv, 1, s->B, s->step, 0, s->part);
    for (int i = 0; i < m->nb; i++) most = fmax(most, hol__norm(s->part + i * m->bw, m->bw));
    return most;
}

/* One search from the state in s. */
static hol_status search(hol__static *s, hol__equilibrium *e, int downhill) {
    hol_status status = downhill ? hol__static_descend(s, e) : HOL_OK;
    if (!status) status = hol__static_newton(s, e);
    if (!status && !judge(s, e)) status = HOL_NOT_CONVERGED;
    return status;
}

/* A step downhill from a saddle along its least stable direction, of two opposite ones that in
 * which the body that moves most moves along its first positive axis; 0 where it is none. */
static hol_status step_off(hol__static *s, int *saddle) {
    hol__rest *rest;
    hol_status status = hol__rest_new(s, &rest);
    *saddle = 0;
    if (status) return status;
    if (rest->n_negative && s->n_body) {
        double *x = rest->motion, most = 0;
        hol__static_displace(s, x, s->part);
        for (int i = 0; i < s->n_body; i++)
            if (fabs(s->part[i]) > 1.001 * fabs(most)) most = s->part[i];
        const double by =
            copysign(off_saddle * s->model->length / hol__static_farthest(s, x), most);
        for (int i = 0; i < s->n; i++) x[i] *= by;
        status = hol__static_move(s, x, NULL);
        if (!status) hol__static_accept(s);
        *saddle = 1;
    }
    hol__rest_free(rest);
    return status;
}

/* A search downhill that has come to a saddle goes on from it, as the least disturbance would let
 * it: not from the start itself, where the mechanism was drawn. Where nothing is found below, the
 * saddle stays. */
static hol_status leave_saddles(hol__static *s, hol__equilibrium *e, hol__arena *arena,
                                const double *start) {
    hol__static_place saddle;
    for (int k = 0; k < MAX_SADDLES; k++) {
        int is_saddle;
        if (distance(s, start) <= 1e-6 * s->model->length) return HOL_OK;
        if (!hol__static_place_keep(arena, s->data, &saddle)) return HOL_ERR_MEMORY;
        hol_status status = step_off(s, &is_saddle);
        if (status < 0 || !is_saddle) return status;
        if (!status) status = search(s, e, 1);
        if (status < 0 || s->met) return status;
        if (!status) continue;
        hol__static_place_put(s->data, &saddle);
        return search(s, e, 0);
    }
    return HOL_OK;
}

hol_status hol__equilibrium_find(hol__static *s, hol__equilibrium *e) {
    hol__arena arena;
    hol__static_place start, best;
    e->iterations = 0;
    hol__arena_init(&arena, s->data->ctx);
    hol_status status = hol__static_place_keep(&arena, s->data, &start) ? HOL_OK : HOL_ERR_MEMORY;
    if (!status && e->method != HOL__STATICS_NEWTON) status = hol__static_approach(s, e);
    if (!status) status = search(s, e, e->method != HOL__STATICS_NEWTON);
    if (!status && e->method != HOL__STATICS_NEWTON) status = leave_saddles(s, e, &arena, start.q);
    if (status > 0 && !s->met && e->method == HOL__STATICS_AUTO) {
        if (!hol__static_place_keep(&arena, s->data, &best)) status = HOL_ERR_MEMORY;
        hol__static_place_put(s->data, &start);
        if (status > 0) status = search(s, e, 0);
        if (status > 0) hol__static_place_put(s->data, &best);
        if (status > 0 && !hol__static_evaluate(s) && !hol__static_stiffness(s)) judge(s, e);
    }
    if (!status || (status > 0 && s->met)) e->moved = distance(s, start.q);
    hol__arena_free(&arena);
    return status;
}

/* The element that a state belongs to; NULL: nobody knows. */
static const hol__element *owner(const hol_model *m, int state) {
    for (int i = 0; i < m->n_forces + m->n_joints; i++) {
        const hol__element *e = i < m->n_forces ? &m->forces[i] : &m->joints[i - m->n_forces];
        if (e->n_aux && state >= e->aux && state < e->aux + e->n_aux) return e;
    }
    return NULL;
}

/* A state that does not come to rest. */
static hol_status explain_state(hol__static *s, const hol__equilibrium *e) {
    const hol__element *of = owner(s->model, e->state);
    return hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, of ? &of->where : NULL,
                       of ? of->label : "statics",
                       "does not come to rest: its state changes by %.4g in a second at the "
                       "position nearest to an equilibrium; a controller needs a setpoint that "
                       "the mechanism reaches, or no integral part",
                       s->rate[e->state]);
}

hol_status hol__equilibrium_explain(hol__static *s, const hol__equilibrium *e) {
    const hol_model *m = s->model;
    hol_data *data = s->data;
    char motion[512];
    if (hol__static_evaluate(s) || hol__static_stiffness(s)) {
        if (!hol__data_report_culprit(data, hol__data_blame(data), data->t))
            hol__report(data->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, "statics",
                        "forces or constraints are NaN or infinite where the search ended; check "
                        "masses, stiffnesses and loads for numbers that are too large");
        return HOL_ERR_TOLERANCE;
    }
    if (e->state >= 0 && e->rest > e->residual) return explain_state(s, e);
    const hol__body *b = m->nb ? &m->bodies[hol__static_most(s, s->f)] : NULL;
    hol__static_tell(s, s->f, motion, sizeof motion);
    const double force = hol__norm(s->f, s->n);
    double held = 0;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) held += s->f[i] * s->H[j * s->n + i] * s->f[j];
    const int loose = fabs(held) <= HOL__STATIC_NEUTRAL * hol__static_terms(s, s->f) || force == 0;
    return hol__report(
        data->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, b ? &b->where : NULL, b ? b->label : "statics",
        loose ? "no equilibrium: nothing holds it in a direction in which a force of %.4g N acts "
                "(%s); hold it with a joint or a spring, or leave the force out"
              : "no equilibrium found: the largest force that is left is %.4g N (%s); draw the "
                "mechanism nearer to it, try --starts or %s, or look for a direction "
                "that nothing holds",
        force, motion, e->method == HOL__STATICS_NEWTON ? "--search descent" : "--search newton");
}

hol_status hol__equilibrium_of(hol__static *s, hol__equilibrium *e) {
    const hol_status status = hol__equilibrium_find(s, e);
    return status > 0 ? hol__equilibrium_explain(s, e) : status;
}

/* Multipliers of smallest norm of M a + A^T lambda = Q, A a = 0, in a data; a = 0. */
static hol_status solve_at_rest(hol_data *data, double *zero) {
    const hol_model *m = data->model;
    const double *Q = hol__data_forces(data);
    hol_status status = Q ? hol__data_factor(data) : HOL_NONFINITE;
    if (!status) status = hol__kernel_solve(data->kernel, Q, zero, data->a, data->lambda);
    if (status) return status;
    memset(data->a, 0, sizeof(double) * (size_t)m->nv);
    hol__data_set_solved(data, HOL__SOLVED_PLAIN);
    return HOL_OK;
}

hol_status hol__equilibrium_solve(hol__static *s) {
    const hol_model *m = s->model;
    hol_data *data = s->data;
    if (s->carrier) return hol_data_solve(data); /* its accelerations are those of the carrier */
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (!status && !data->analysed) status = hol__data_analyse(data);
    if (status) return status;
    const int rows = m->reference && m->reference->m > m->m ? m->reference->m : m->m;
    double *zero = hol__alloc(data->ctx, (size_t)rows + 1, sizeof *zero);
    if (!zero) return HOL_ERR_MEMORY;
    if (m->m) status = solve_at_rest(data, zero);
    if (status > 0) { /* no inertia somewhere: the multipliers of the independent rows */
        memcpy(data->lambda, s->lambda, sizeof(double) * (size_t)m->m);
        status = HOL_OK;
    }
    hol__data_halt_rows(data); /* drivers hold: they have no power */
    memset(data->a, 0, sizeof(double) * (size_t)m->nv);
    hol__data_set_solved(data, HOL__SOLVED_PLAIN);
    if (!status && hol__data_needs_twin(data)) {
        status = hol__data_twin(data);
        if (!status) status = solve_at_rest(data->twin, zero);
    }
    hol__release(data->ctx, zero);
    return status < 0 ? status : HOL_OK;
}
