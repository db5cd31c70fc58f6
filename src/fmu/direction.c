/* direction.c: directional derivatives of an instance, from hol_derivatives (holonom/drive.h).
 *
 * Knowns are states and inputs, unknowns are derivatives, states (co-simulation, where they are
 * outputs like others) and outputs.
 */
#include "fmu/component.h"

#include "base/context.h"

#include <string.h>

/* Room of one question. */
typedef struct room {
    double *dx, *du, *rates, *measures;
} room;

/* The derivatives at the state at hand. */
static hol_status have(hol__fmu *c) {
    double value;
    if (c->derivatives) return HOL_OK;
    /* asking for a state brings it to hol_sim_data */
    const hol_status status = hol__fmu_get(c, (unsigned)c->table.first_state, &value);
    return status ? status : hol_derivatives_new(hol_sim_data(c->sim), &c->derivatives);
}

static int n_measures(const hol__fmu *c) {
    return c->table.n_inputs + c->table.n_outputs;
}

static hol_status make_room(hol__fmu *c, room *r) {
    const size_t nx = (size_t)c->table.n_states, nu = (size_t)c->table.n_inputs,
                 nm = (size_t)n_measures(c);
    r->dx = hol__alloc(c->ctx, 2 * nx + nu + nm + 1, sizeof *r->dx);
    if (!r->dx) return HOL_ERR_MEMORY;
    r->rates = r->dx + nx;
    r->du = r->rates + nx;
    r->measures = r->du + nu;
    return HOL_OK;
}

static hol_status wrong(const hol__fmu *c, unsigned reference, const char *what) {
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                       "value reference %u cannot be %s of a derivative", reference, what);
}

/* The seed of a known, added to the direction. */
static hol_status add_known(const hol__fmu *c, room *r, unsigned reference, double seed) {
    const hol__fmu_table *t = &c->table;
    if (reference >= (unsigned)t->n) return wrong(c, reference, "a known");
    const hol__fmu_variable *row = &t->rows[reference];
    if (row->kind == HOL__FMU_STATE)
        r->dx[row->index] += seed;
    else if (row->kind == HOL__FMU_INPUT)
        r->du[(int)reference - t->first_input] += seed;
    else
        return wrong(c, reference, "a known");
    return HOL_OK;
}

/* Where an unknown stands among the results; NULL: it cannot be one. */
static double *unknown_at(const hol__fmu *c, room *r, unsigned reference) {
    const hol__fmu_table *t = &c->table;
    if (reference >= (unsigned)t->n) return NULL;
    const hol__fmu_variable *row = &t->rows[reference];
    if (row->kind == HOL__FMU_RATE) return &r->rates[row->index];
    return row->kind == HOL__FMU_OUTPUT ? &r->measures[row->index] : NULL;
}

static hol_status solve(hol__fmu *c, room *r) {
    return hol_derivatives_along(c->derivatives, r->dx, c->table.n_inputs, c->table.input_columns,
                                 r->du, r->rates, r->measures);
}

hol_status hol__fmu_derivative(hol__fmu *c, size_t n_unknown, const unsigned *unknown,
                               size_t n_known, const unsigned *known, const double *seed,
                               double *out) {
    room r;
    hol_status status = have(c);
    if (!status) status = make_room(c, &r);
    if (status) return status;
    for (size_t i = 0; i < n_known && !status; i++) status = add_known(c, &r, known[i], seed[i]);
    for (size_t i = 0; i < n_unknown && !status; i++)
        if (!unknown_at(c, &r, unknown[i])) status = wrong(c, unknown[i], "an unknown");
    if (!status) status = solve(c, &r);
    for (size_t i = 0; i < n_unknown && !status; i++) out[i] = *unknown_at(c, &r, unknown[i]);
    hol__release(c->ctx, r.dx);
    return status;
}

hol_status hol__fmu_adjoint(hol__fmu *c, size_t n_unknown, const unsigned *unknown, size_t n_known,
                            const unsigned *known, const double *seed, double *out) {
    room r;
    hol_status status = have(c);
    if (!status) status = make_room(c, &r);
    if (status) return status;
    for (size_t i = 0; i < n_unknown && !status; i++)
        if (!unknown_at(c, &r, unknown[i])) status = wrong(c, unknown[i], "an unknown");
    for (size_t k = 0; k < n_known && !status; k++) {
        memset(r.dx, 0, sizeof *r.dx * (size_t)c->table.n_states);
        if (c->table.n_inputs) memset(r.du, 0, sizeof *r.du * (size_t)c->table.n_inputs);
        status = add_known(c, &r, known[k], 1);
        if (!status) status = solve(c, &r);
        out[k] = 0;
        for (size_t i = 0; i < n_unknown && !status; i++)
            out[k] += seed[i] * *unknown_at(c, &r, unknown[i]);
    }
    hol__release(c->ctx, r.dx);
    return status;
}
