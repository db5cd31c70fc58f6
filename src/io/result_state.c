/* result_state.c: a simulation brought to the records of a result. */
#include "base/argument.h"
#include "io/format.h"
#include "sim/sim.h"

#include <math.h>

/* The states of a result. */
typedef struct states {
    hol_context *ctx;
    const char *path;
    hol_sim *sim;
    hol_result *result; /* its first column is the time in seconds */
    int rows;
    double *q, *v; /* by record */
} states;

/* The dataset with n numbers a record; NULL after an error. */
static double *read_numbers(states *s, const char *dataset, int n) {
    const hol_location where = {s->path, 0, 0};
    int dims[3];
    double *values = hol__hdf5_block(s->ctx, s->path, dataset, dims);
    if (!values) return NULL;
    if (dims[1] * dims[2] != n) {
        hol__error(s->ctx, &where, NULL,
                   "'%s' holds %d numbers a record, the model has %d: the run had other "
                   "coordinates; choose them by --coordinates (the option `coordinates`)",
                   dataset, dims[1] * dims[2], n);
        hol__release(s->ctx, values);
        return NULL;
    }
    if (dims[0] < s->rows) s->rows = dims[0];
    return values;
}

/* Whether a record leaves something of the state untold: which joints and forces act, the states of
 * controllers and of other elements with a memory. Then the run is made again. */
static int is_run_again(const states *s) {
    return hol__model_varies(s->sim->whole) || s->sim->whole->n_aux || s->sim->whole->n_memory;
}

static void close_states(states *s) {
    hol__release(s->ctx, s->q);
    hol__release(s->ctx, s->v);
    hol_result_free(s->result);
}

/* Read them; close in every case. */
static hol_status open_states(states *s) {
    const hol_location where = {s->path, 0, 0};
    const hol_model *m = s->sim->model;
    if (hol__model_varies(s->sim->whole) && m->reference) m = m->reference; /* as it is written */
    s->result = hol_result_read(s->ctx, s->path);
    if (!s->result || hol_result_set_units(s->result, "")) return HOL_ERR_INPUT;
    s->rows = hol_result_rows(s->result);
    s->q = read_numbers(s, "state/q", m->nq);
    s->v = s->q ? read_numbers(s, "state/v", m->nv) : NULL;
    if (!s->v) return HOL_ERR_INPUT;
    if (!s->rows) return hol__error(s->ctx, &where, NULL, "the result has no records");
    return HOL_OK;
}

static double time_of(const states *s, int i) {
    return hol_result_values(s->result, 0)[i];
}

/* By how much two rows of numbers differ, over the largest. */
static double difference(const double *a, const double *b, int n) {
    double off = 0, size = 1e-300;
    for (int i = 0; i < n; i++) {
        off = fmax(off, fabs(a[i] - b[i]));
        size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
    }
    return off / fmax(size, 1e-3);
}

/* The simulation run to record i, whose positions have to be those of the record: so far as errors
 * of steps that end elsewhere grow on the way. */
static hol_status run_to(const states *s, int i) {
    hol_sim *sim = s->sim;
    const hol_location where = {s->path, 0, 0};
    const hol_model *m = sim->whole->reference ? sim->whole->reference : sim->whole;
    const int nq = hol__model_varies(sim->whole) ? m->nq : sim->model->nq;
    if (sim->data->t > time_of(s, i))
        return hol__error(
            s->ctx, &where, NULL,
            "the simulation is at t = %.9g, beyond the record at t = %.9g, and has to "
            "be run up to it: make a new one",
            sim->data->t, time_of(s, i));
    hol_status status = hol_sim_advance(sim, time_of(s, i));
    if (status) return status;
    double *q = hol__alloc(s->ctx, (size_t)(m->nq + m->nv) + 1, sizeof *q);
    if (!q) return HOL_ERR_MEMORY;
    if (hol__model_varies(sim->whole)) hol__sim_bodies_state(sim, q, q + m->nq);
    const double off = difference(hol__model_varies(sim->whole) ? q : sim->data->q,
                                  s->q + (size_t)nq * (size_t)i, nq);
    hol__release(s->ctx, q);
    if (off <= fmax(1e-7, 1e3 * sim->options[HOL__OPT_TOLERANCE])) return HOL_OK;
    return hol__error(
        s->ctx, &where, NULL,
        "a record does not hold all of the state of this model, and a run up to t = "
        "%.9g ends elsewhere (off by %.2g): its motion depends on rounding, or forces "
        "of a caller acted; take an earlier record, or the model file with --at",
        time_of(s, i), off);
}

/* The simulation at record i. */
static hol_status put(const states *s, int i) {
    const size_t nq = (size_t)s->sim->model->nq, nv = (size_t)s->sim->model->nv;
    if (is_run_again(s)) return run_to(s, i);
    return hol_sim_restart(s->sim, time_of(s, i), s->q + nq * (size_t)i, s->v + nv * (size_t)i);
}

hol_status hol_result_restart(hol_context *ctx, const char *path, double t, hol_sim *sim) {
    static const char call[] = "hol_result_restart";
    states s = {.ctx = ctx, .path = path, .sim = sim};
    int best = 0;
    if (!ctx || hol__need(ctx, call, "the path", path) ||
        hol__need(ctx, call, "the simulation", sim) || hol__need_finite(ctx, call, "the time", t))
        return HOL_ERR_ARGUMENT;
    hol_status status = open_states(&s);
    for (int i = 1; i < s.rows && !status; i++)
        if (fabs(time_of(&s, i) - t) < fabs(time_of(&s, best) - t)) best = i;
    if (!status) status = put(&s, best);
    close_states(&s);
    return status;
}

hol_status hol_result_replay(hol_context *ctx, const char *path, double from, double to,
                             hol_sim *sim, const hol_observer *observer) {
    static const char call[] = "hol_result_replay";
    states s = {.ctx = ctx, .path = path, .sim = sim};
    if (!ctx || hol__need(ctx, call, "the path", path) ||
        hol__need(ctx, call, "the simulation", sim) ||
        hol__need(ctx, call, "the observer", observer))
        return HOL_ERR_ARGUMENT;
    hol_status status = open_states(&s);
    for (int i = 0; i < s.rows && !status; i++) {
        if (!(time_of(&s, i) >= from && time_of(&s, i) <= to)) continue;
        status = put(&s, i);
        if (!status) status = hol_data_update(hol_sim_data(sim), HOL_STAGE_ACC);
        if (!status && observer->on_output) status = observer->on_output(observer->user, sim);
    }
    close_states(&s);
    return status;
}
