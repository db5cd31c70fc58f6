/* states.c: the state of a data as one vector x = (q, v, z, W) and its rate, for integrators of the
 * caller's.
 *
 *     q' = T(q) v (coords/turning.h)      M v' + A^T lambda = Q, A v' = c      z' by the elements
 *     W' = power of what is not conservative - lambda^T b
 */
#include "base/argument.h"
#include "coords/turning.h"
#include "dyn/data.h"

#include <holonom/drive.h>

#include <string.h>

static int count(const hol_model *m) {
    return m->nq + m->nv + m->n_aux + 1;
}

int hol_data_n_states(const hol_data *data) {
    return data ? count(data->model) : -1;
}

/* Whether the caller's vector has room for x. */
static hol_status check(const hol_data *data, const char *call, const double *x, int n) {
    if (!data) return HOL_ERR_ARGUMENT;
    return hol__need_array(data->ctx, call, "states", n, count(data->model), x);
}

hol_status hol_data_states(const hol_data *data, double *x, int n) {
    const hol_status status = check(data, "hol_data_states", x, n);
    if (status) return status;
    const hol_model *m = data->model;
    hol__data_settle_velocities(data);
    memcpy(x, data->q, sizeof *x * (size_t)m->nq);
    memcpy(x + m->nq, data->v, sizeof *x * (size_t)m->nv);
    if (m->n_aux) memcpy(x + m->nq + m->nv, data->aux, sizeof *x * (size_t)m->n_aux);
    x[count(m) - 1] = data->work;
    return HOL_OK;
}

hol_status hol_data_set_states(hol_data *data, double t, const double *x, int n) {
    static const char call[] = "hol_data_set_states";
    hol_status status = check(data, call, x, n);
    if (!status) status = hol__need_finite(data->ctx, call, "the time", t);
    for (int i = 0; !status && i < count(data->model); i++)
        status = hol__need_finite(data->ctx, call, "a state", x[i]);
    if (status) return status;
    const hol_model *m = data->model;
    hol_data_set(data, t, x, x + m->nq);
    if (m->n_aux) hol__data_set_aux(data, x + m->nq + m->nv);
    data->work = x[count(m) - 1];
    return HOL_OK;
}

hol_status hol_data_rates(hol_data *data, double *rates, int n) {
    hol_status status = check(data, "hol_data_rates", rates, n);
    if (!status) status = hol_data_solve(data);
    if (status) return status;
    const hol_model *m = data->model;
    int *first = hol__alloc(data->ctx, (size_t)m->nv, sizeof *first);
    if (!first) return HOL_ERR_MEMORY;
    hol__turning_rates(m, hol__turning_find(m, first), first, data->q, data->v, rates);
    hol__release(data->ctx, first);
    double *a = rates + m->nq, *z = a + m->nv, *power = z + m->n_aux;
    memcpy(a, data->a, sizeof *a * (size_t)m->nv);
    if (m->n_aux) memcpy(z, data->aux_rate, sizeof *z * (size_t)m->n_aux);
    *power = hol__data_power(data);
    return HOL_OK;
}

hol_status hol_data_accept(hol_data *data) {
    if (!data) return HOL_ERR_ARGUMENT;
    hol__data_keep_angles(data);
    return HOL_OK;
}

double hol__data_power(const hol_data *data) {
    double power = data->power;
    for (int i = 0; data->model->rheonomic && i < data->model->m; i++)
        power -= data->lambda[i] * data->b[i];
    return power;
}

/* Whether some event sets the variable. */
static int is_set(const hol_model *m, int memory) {
    for (int i = 0; i < m->n_events; i++)
        for (int k = 0; k < m->events[i].n_actions; k++)
            for (int j = 0; j < m->events[i].actions[k].n_settings; j++)
                if (m->events[i].actions[k].settings[j].memory == memory) return 1;
    return 0;
}

static int is_input(const hol_model *m, const hol__measure *measure) {
    return measure->memory >= 0 && !is_set(m, measure->memory);
}

int hol_model_input(const hol_model *model, int i) {
    for (int k = 0; model && i >= 0 && k < model->n_measures; k++)
        if (is_input(model, &model->measures[k]) && i-- == 0) return model->measures[k].first;
    return -1;
}

/* The measure of that column where it is an input. */
static const hol__measure *find(const hol_model *m, int column) {
    for (int i = 0; i < m->n_measures; i++)
        if (m->measures[i].first == column && is_input(m, &m->measures[i])) return &m->measures[i];
    return NULL;
}

hol_status hol__data_check_input(const hol_data *data, const char *call, int column, double value) {
    if (find(data->model, column)) return hol__need_finite(data->ctx, call, "the value", value);
    return hol__report(data->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "column %d is no input; an input is a variable (a measure of that type) "
                       "that no event sets",
                       column);
}

hol_status hol_data_set_input(hol_data *data, int column, double value) {
    static const char call[] = "hol_data_set_input";
    if (!data) return HOL_ERR_ARGUMENT;
    const hol_status status = hol__data_check_input(data, call, column, value);
    if (status) return status;
    data->memory[find(data->model, column)->memory] = value;
    hol_data_set(data, data->t, NULL, NULL);
    data->b_stamp = 0;
    return HOL_OK;
}
