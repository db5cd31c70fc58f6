/* check.c: the computation against the numbers of the library, at the states of a run and at states
 * near them: M, Q, A, Phi, c at all of them, accelerations at those that are on the constraints.
 * Both round: 1e-10 of the largest entry is far above that, and far below any wrong term. */
#include "dyn/data.h"
#include "generate/program.h"

#include <holonom/matrix.h>

#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-10;

enum { OTHERS = 4 }; /* sets of parameters besides that of the model */

static hol_status compare(hol__program *p, const char *name, int n, const double *right,
                          const hol__ref *got, const double *values, double scale) {
    double largest = scale, off = 0;
    int at = -1;
    for (int i = 0; i < n; i++) {
        const double d = fabs(values[got[i]] - right[i]);
        largest = fmax(largest, fabs(right[i]));
        if (!(d <= off)) off = d, at = i; /* NaN counts */
    }
    const double relative = off / largest;
    p->worst = fmax(p->worst, relative);
    if (at < 0 || relative <= TOLERANCE) return HOL_OK;
    return hol__report(p->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "the generated code would have %.15g for entry %d of %s where the library "
                       "has %.15g: nothing was written",
                       values[got[at]], at + 1, name, right[at]);
}

static hol_status compare_terms(hol__program *p, hol_data *data, const double *values,
                                double *right) {
    const struct {
        hol_term term;
        const char *name;
        const hol__ref *got;
    } terms[] = {{HOL_TERM_M, "M", p->M},
                 {HOL_TERM_PHI, "Phi", p->Phi},
                 {HOL_TERM_A, "A", p->A},
                 {HOL_TERM_C, "c", p->c},
                 {HOL_TERM_Q, "Q", p->Q}};
    hol_status status = HOL_OK;
    for (size_t i = 0; i < sizeof terms / sizeof *terms && !status; i++) {
        hol_size size = {.size = sizeof size};
        status = hol_data_term_size(data, terms[i].term, &size);
        const int n = size.rows * size.columns;
        if (!status && n) status = hol_data_term(data, terms[i].term, right, n);
        if (!status && n) status = compare(p, terms[i].name, n, right, terms[i].got, values, 1);
    }
    return status;
}

/* Accelerations, and the power of everything that changes the energy. */
static hol_status check_solution(hol__program *p, const hol_data *data, const hol__gresults *r,
                                 const double *values) {
    const hol_model *m = p->model;
    double power = data->power, size = 1;
    for (int i = 0; m->rheonomic && i < m->m; i++) {
        power -= data->lambda[i] * data->b[i];
        size = fmax(size, fabs(data->lambda[i] * data->b[i]));
    }
    for (int i = 0; i < m->nv; i++) size = fmax(size, fabs(data->v[i] * values[p->Q[i]]));
    const hol_status status = compare(p, "v'", m->nv, data->a, r->vdot, values, 1);
    return status ? status : compare(p, "the power", 1, &power, &r->power, values, size);
}

/* One state; solved: it is on the constraints. */
static hol_status check_state(hol__program *p, hol_data *data, const hol__gstate *s, int solved,
                              double *work) {
    double *inputs = work, *values = inputs + p->dag.n_inputs, *right = values + p->dag.count;
    hol_data_set(data, s->t, s->q, s->v);
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (status > 0) return HOL_OK; /* an element is not defined there */
    hol__gstate own = *s;
    own.angles = data->angles;
    hol__program_values(p, &own, inputs, values);
    if (!status) status = compare_terms(p, data, values, right);
    if (!status) status = compare(p, "the power", 1, &data->power, &p->power, values, 1);
    if (!status && solved) status = hol_data_solve(data);
    if (!status && solved) status = check_solution(p, data, &p->safe, values);
    if (!status && solved && p->partitioned) status = check_solution(p, data, &p->fast, values);
    return status;
}

static double draw(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

/* A state near s, into q and v. */
static void move(const hol_model *m, const hol__gstate *s, unsigned *seed, double *d, double *q,
                 double *v) {
    for (int i = 0; i < m->nv; i++) {
        const double size = hol__is_turn(m, i) ? 1 : m->length > 0 ? m->length : 1;
        d[i] = 0.1 * size * draw(seed);
        v[i] = s->v[i] + size * draw(seed);
    }
    m->coords->plus(m, s->q, d, q);
}

/* The terms with the parameters of another model. */
static hol_status check_other(hol__program *p, int k, const hol__gstate *s, double *work) {
    hol_data *data = hol_data_new(p->ctx, p->models[k]);
    double *own = p->parameter_value, *other = NULL;
    hol_status status = data ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) {
        other = HOL__NEW_N(&p->dag.arena, double, p->n_parameters + 1);
        if (!other) status = HOL_ERR_MEMORY;
    }
    for (int i = 0; !status && i < p->n_parameters; i++)
        for (int j = 0; j < p->n_names; j++)
            if (strcmp(p->names[j], p->parameter[i]) == 0)
                other[i] = p->samples[k][p->symbols[j]->symbol];
    if (!status) {
        p->parameter_value = other;
        p->now = k;
        status = check_state(p, data, s, 0, work);
        p->now = 0;
        p->parameter_value = own;
    }
    hol_data_free(data);
    return status;
}

hol_status hol__program_check(hol__program *p, int n_states, const hol__gstate *states) {
    const hol_model *m = p->model;
    hol_data *data = hol_data_new(p->ctx, m);
    const size_t terms = (size_t)m->nv * (size_t)(m->nv + m->m + 2) + (size_t)m->m + 1,
                 numbers = (size_t)(p->dag.n_inputs + p->dag.count) + terms;
    double *work = hol__alloc(p->ctx, numbers, sizeof *work),
           *near = hol__alloc(p->ctx, (size_t)(2 * m->nv + m->nq) + 1, sizeof *near);
    hol_status status = data && work && near ? HOL_OK : HOL_ERR_MEMORY;
    unsigned seed = 5;
    for (int s = 0; s < n_states && !status; s++) {
        status = check_state(p, data, &states[s], 1, work);
        hol__gstate other = {.t = states[s].t, .q = near + m->nv, .v = near + m->nv + m->nq};
        move(m, &states[s], &seed, near, near + m->nv, near + m->nv + m->nq);
        if (!status) status = check_state(p, data, &other, 0, work);
    }
    for (int k = 1; k < p->n_models && k <= OTHERS && !status; k++)
        status = check_other(p, k, &states[0], work);
    hol_data_free(data);
    hol__release(p->ctx, work);
    hol__release(p->ctx, near);
    return status;
}
