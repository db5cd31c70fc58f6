/* component.c: the life of an instance, its values, and what it is asked for. See component.h. */
#include "fmu/component.h"

#include "base/text.h"
#include "io/input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- making ---- */

/* The simulation is gone, and with it what was made of it. */
static void drop(hol__fmu *c) {
    hol_derivatives_free(c->derivatives);
    hol_sim_free(c->sim);
    hol__fmu_model_free(&c->made);
    c->derivatives = NULL;
    c->sim = NULL;
    c->placed = 0;
}

/* All but the context. */
static void release(hol__fmu *c) {
    hol_context *ctx = c->ctx;
    drop(c);
    hol_spec_free(c->spec);
    hol__fmu_table_free(&c->table);
    hol__release(ctx, c->parameters);
    hol__release(ctx, c->inputs);
    hol__release(ctx, c->given);
    hol__release(ctx, c->x);
    hol__release(ctx, c);
}

void hol__fmu_free(hol__fmu *c) {
    if (!c) return;
    hol_context *ctx = c->ctx;
    release(c);
    hol_context_free(ctx);
}

/* Values as the model has them. */
static void start_values(hol__fmu *c) {
    const hol__fmu_table *t = &c->table;
    for (int i = t->first_parameter; i < t->first_input; i++)
        c->parameters[i - t->first_parameter] = t->rows[i].start;
    for (int i = 0; i < t->n_inputs; i++)
        c->inputs[i] = c->given[i] = t->rows[t->first_input + i].start;
    c->start = t->start;
    c->stop = INFINITY;
    c->tolerance = 0;
    c->t = t->start;
    c->jumped_at = c->jumped_to = NAN;
    c->happened = 0;
    c->ended = 0;
    c->state = HOL__FMU_INSTANTIATED;
}

/* The table, of a simulation that is not run, and room for values. */
static hol_status equip(hol__fmu *c, const char *tunables, const char *token) {
    hol__fmu_model made;
    hol_status status = hol__fmu_compile(c->ctx, c->spec, &made);
    if (status) return status;
    hol_sim *sim = hol_sim_new(c->ctx, made.model, made.options);
    status = sim ? hol__fmu_table_make(c->ctx, c->spec, sim, tunables, &c->table) : HOL_ERR_INPUT;
    hol_sim_free(sim);
    hol__fmu_model_free(&made);
    if (status) return status;
    const hol__fmu_table *t = &c->table;
    const size_t n_parameters = (size_t)(t->first_input - t->first_parameter + 1);
    c->parameters = hol__alloc(c->ctx, n_parameters, sizeof *c->parameters);
    c->inputs = hol__alloc(c->ctx, (size_t)t->n_inputs + 1, sizeof *c->inputs);
    c->given = hol__alloc(c->ctx, (size_t)t->n_inputs + 1, sizeof *c->given);
    c->x = hol__alloc(c->ctx, (size_t)t->n_states, sizeof *c->x);
    if (!c->parameters || !c->inputs || !c->given || !c->x) return HOL_ERR_MEMORY;
    if (token && strcmp(token, t->token) != 0)
        return hol__report(c->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "FMU",
                           "was made with the token %s, and its model has %s: the description and "
                           "the resources are not of the same FMU, or not of this version of the "
                           "library",
                           token, t->token);
    return HOL_OK;
}

/* The list of parameters that can change during the run, where the FMU has such. */
static hol_status read_tunables(hol_context *ctx, const char *resources, hol__text *names) {
    hol__text path;
    hol__text_init(&path, ctx);
    hol__text_add(&path, "%s/tunable.txt", resources);
    const hol__input input = {.path = path.data, .most = 1 << 20, .what = "list of parameters"};
    hol_status status = path.failed ? HOL_ERR_MEMORY : HOL_OK;
    if (!status && access(path.data, F_OK) == 0) status = hol__input_read(ctx, &input, names);
    hol__text_free(&path);
    return status;
}

/* The description, and the table that it was given when the FMU was made. */
static hol_status read_resources(hol__fmu *c, const char *resources, const char *token) {
    hol__text path, tunables;
    hol__text_init(&path, c->ctx);
    hol__text_init(&tunables, c->ctx);
    hol__text_add(&path, "%s/model.yaml", resources);
    c->spec = hol_spec_new(c->ctx);
    hol_status status = c->spec && !path.failed ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) status = hol_spec_set_include_root(c->spec, "");
    if (!status) status = hol_spec_read_file(c->spec, path.data);
    if (!status) status = read_tunables(c->ctx, resources, &tunables);
    if (!status) status = equip(c, tunables.data, token);
    hol__text_free(&path);
    hol__text_free(&tunables);
    return status;
}

hol__fmu *hol__fmu_new(hol_context *ctx, const char *resources, const char *token, int exchange) {
    hol__fmu *c = hol__alloc(ctx, 1, sizeof *c);
    if (!c) return NULL;
    c->ctx = ctx;
    c->exchange = exchange;
    hol__arena_init(&c->table.arena, ctx);
    hol_status status = read_resources(c, resources, token);
    if (!status && exchange && !c->table.exchanges)
        status = hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "FMU",
                             "elements of this model switch in coordinates whose number changes: "
                             "it is for co-simulation alone");
    if (!status) {
        start_values(c);
        return c;
    }
    release(c); /* the caller keeps the context */
    return NULL;
}

hol_status hol__fmu_reset(hol__fmu *c) {
    drop(c);
    start_values(c);
    return HOL_OK;
}

hol_status hol__fmu_setup(hol__fmu *c, double start, double stop, double tolerance) {
    const hol_status status = hol__fmu_check_span(c->ctx, start, stop, tolerance);
    if (status) return status;
    drop(c);
    c->start = c->t = start;
    c->stop = stop;
    c->tolerance = tolerance;
    return HOL_OK;
}

/* The parameters that were set, into a copy of the description. */
static hol_status give_parameters(const hol__fmu *c, hol_spec *spec) {
    const hol__fmu_table *t = &c->table;
    hol_status status = HOL_OK;
    for (int i = t->first_parameter; i < t->first_input && !status; i++) {
        const hol__fmu_variable *row = &t->rows[i];
        const double value = c->parameters[i - t->first_parameter];
        if (row->kind != HOL__FMU_PARAMETER || value == row->start) continue;
        char path[256], text[96];
        snprintf(path, sizeof path, "parameters.%s", row->name);
        hol__print(text, sizeof text, "%.17g %s", value, row->unit);
        status = hol_spec_set(spec, path, text, "FMU");
    }
    return status;
}

/* The span and the tolerance, where they differ from those of the model: never a looser one. */
static hol_status give_span(const hol__fmu *c, hol_options *options) {
    const hol__fmu_table *t = &c->table;
    hol_status status = HOL_OK;
    if (c->start != t->start) status = hol_options_set_real(options, "start", c->start);
    const double end = isfinite(c->stop) ? c->stop : fmax(t->end, c->start + 1);
    if (!status && end != t->end) status = hol_options_set_real(options, "end", end);
    if (!status && c->tolerance > 0 && c->tolerance < t->tolerance)
        status = hol_options_set_real(options, "tolerance", c->tolerance);
    return status;
}

/* Inputs that differ from those that the simulation has. */
static hol_status give_inputs(hol__fmu *c) {
    const int n = c->table.n_inputs;
    if (n == 0 || memcmp(c->inputs, c->given, sizeof *c->inputs * (size_t)n) == 0) return HOL_OK;
    const hol_status status = hol_sim_set_inputs(c->sim, n, c->table.input_columns, c->inputs);
    if (!status) memcpy(c->given, c->inputs, sizeof *c->inputs * (size_t)n);
    return status;
}

hol_status hol__fmu_prepare(hol__fmu *c) {
    if (c->sim) return c->exchange ? HOL_OK : give_inputs(c);
    hol_spec *spec = hol_spec_copy(c->ctx, c->spec);
    hol_status status = spec ? give_parameters(c, spec) : HOL_ERR_MEMORY;
    if (!status) status = hol__fmu_compile(c->ctx, spec, &c->made);
    hol_spec_free(spec);
    if (!status) status = give_span(c, c->made.options);
    if (!status) c->sim = hol_sim_new(c->ctx, c->made.model, c->made.options);
    if (!status && !c->sim) status = HOL_ERR_INPUT;
    if (!status && hol_data_n_states(hol_sim_data(c->sim)) != c->table.n_states)
        status = hol__report(c->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "FMU",
                             "these parameters make another mechanism, with %d states in place of "
                             "%d; make an FMU of it",
                             hol_data_n_states(hol_sim_data(c->sim)), c->table.n_states);
    for (int i = 0; i < c->table.n_inputs; i++)
        c->given[i] = c->table.rows[c->table.first_input + i].start;
    if (!status) status = give_inputs(c);
    if (!status) status = hol_sim_advance(c->sim, c->start);
    if (!status) status = hol_data_states(hol_sim_data(c->sim), c->x, c->table.n_states);
    c->placed = 1;
    if (status) drop(c);
    return status;
}

hol_status hol__fmu_initialized(hol__fmu *c) {
    const hol_status status = hol__fmu_prepare(c);
    if (status) return status;
    c->state = c->exchange || c->event_mode ? HOL__FMU_EVENT : HOL__FMU_STEP;
    return HOL_OK;
}

/* ---- values ---- */

/* hol_sim_data has the state at hand. */
static hol_status place(hol__fmu *c) {
    hol_status status = hol__fmu_prepare(c);
    if (status || !c->exchange) return status;
    hol_data *data = hol_sim_data(c->sim);
    const double t = c->t == c->jumped_at ? c->jumped_to : c->t;
    if (!c->placed) status = hol_data_set_states(data, t, c->x, c->table.n_states);
    for (int i = 0; i < c->table.n_inputs && !status; i++)
        if (c->inputs[i] != c->given[i]) {
            status = hol_data_set_input(data, c->table.input_columns[i], c->inputs[i]);
            c->given[i] = c->inputs[i];
        }
    c->placed = !status;
    return status;
}

/* The state is another one. */
static void moved(hol__fmu *c) {
    hol_derivatives_free(c->derivatives);
    c->derivatives = NULL;
    c->placed = 0;
}

static hol_status no_variable(const hol__fmu *c, unsigned reference) {
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                       "there is no variable with the value reference %u", reference);
}

/* State or rate i. */
static hol_status get_state(hol__fmu *c, int i, int rate, double *value) {
    const int n = c->table.n_states;
    double *all = hol__alloc(c->ctx, (size_t)n, sizeof *all);
    if (!all) return HOL_ERR_MEMORY;
    hol_data *data = hol_sim_data(c->sim);
    const hol_status status = rate ? hol_data_rates(data, all, n) : hol_data_states(data, all, n);
    *value = all[i];
    hol__release(c->ctx, all);
    return status;
}

/* Event indicator i. */
static hol_status get_condition(hol__fmu *c, int i, double *value) {
    const int n = c->table.n_conditions;
    double *all = hol__alloc(c->ctx, (size_t)n, sizeof *all);
    if (!all) return HOL_ERR_MEMORY;
    const hol_status status = hol_sim_conditions(c->sim, all, n);
    *value = all[i];
    hol__release(c->ctx, all);
    return status;
}

/* Whether the library has the variable as an input. */
static int is_input(const hol__fmu_variable *row) {
    return row->kind == HOL__FMU_INPUT || row->kind == HOL__FMU_TUNABLE;
}

hol_status hol__fmu_get(hol__fmu *c, unsigned reference, double *value) {
    const hol__fmu_table *t = &c->table;
    if (reference >= (unsigned)t->n) return no_variable(c, reference);
    const hol__fmu_variable *row = &t->rows[reference];
    if (row->kind == HOL__FMU_TIME) return *value = c->t, HOL_OK;
    if (row->kind == HOL__FMU_PARAMETER) return *value = c->parameters[row->index], HOL_OK;
    if (is_input(row)) return *value = c->inputs[(int)reference - t->first_input], HOL_OK;
    const hol_status status = place(c);
    if (status) return status;
    switch (row->kind) {
    case HOL__FMU_CALCULATED:
        *value = hol_model_parameter(c->made.model, row->index)->value;
        return HOL_OK;
    case HOL__FMU_OUTPUT: return hol_data_measure(hol_sim_data(c->sim), row->index, value);
    case HOL__FMU_STATE: return get_state(c, row->index, 0, value);
    case HOL__FMU_CONDITION: return get_condition(c, row->index, value);
    default: return get_state(c, row->index, 1, value);
    }
}

hol_status hol__fmu_set(hol__fmu *c, unsigned reference, double value) {
    const hol__fmu_table *t = &c->table;
    if (reference >= (unsigned)t->n) return no_variable(c, reference);
    const hol__fmu_variable *row = &t->rows[reference];
    const hol_status status = hol__fmu_check_number(c->ctx, row->name, value);
    if (status) return status;
    if (row->kind == HOL__FMU_TUNABLE && c->state == HOL__FMU_CONTINUOUS)
        return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                           "'%s' is a parameter, which changes in event mode", row->name);
    if (is_input(row)) {
        c->inputs[(int)reference - t->first_input] = value;
        moved(c);
        return HOL_OK;
    }
    const int before = c->state == HOL__FMU_INSTANTIATED || c->state == HOL__FMU_INITIALIZATION;
    if (row->kind == HOL__FMU_PARAMETER && before) {
        if (c->parameters[row->index] != value) drop(c);
        c->parameters[row->index] = value;
        return HOL_OK;
    }
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                       row->kind == HOL__FMU_PARAMETER
                           ? "'%s' is a fixed parameter, to be set before the run"
                           : "'%s' follows from others and cannot be set",
                       row->name);
}

/* ---- model exchange ---- */

hol_status hol__fmu_set_time(hol__fmu *c, double t) {
    const hol_status status = hol__fmu_check_number(c->ctx, "the time", t);
    if (status) return status;
    if (t != c->t) moved(c);
    c->t = t;
    return HOL_OK;
}

hol_status hol__fmu_set_states(hol__fmu *c, const double *x) {
    hol_status status = HOL_OK;
    for (int i = 0; i < c->table.n_states && !status; i++)
        status = hol__fmu_check_number(c->ctx, "a state", x[i]);
    if (status) return status;
    memcpy(c->x, x, sizeof *x * (size_t)c->table.n_states);
    moved(c);
    return HOL_OK;
}

hol_status hol__fmu_get_states(hol__fmu *c, double *x) {
    const hol_status status = hol__fmu_prepare(c);
    if (!status) memcpy(x, c->x, sizeof *x * (size_t)c->table.n_states);
    return status;
}

hol_status hol__fmu_get_rates(hol__fmu *c, double *rates) {
    const hol_status status = place(c);
    return status ? status : hol_data_rates(hol_sim_data(c->sim), rates, c->table.n_states);
}

hol_status hol__fmu_get_conditions(hol__fmu *c, double *out) {
    const hol_status status = place(c);
    return status ? status : hol_sim_conditions(c->sim, out, c->table.n_conditions);
}

void hol__fmu_get_nominals(const hol__fmu *c, double *out) {
    for (int i = 0; i < c->table.n_states; i++) out[i] = 1;
}

/* The norm of n residuals. */
static double norm(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

hol_status hol__fmu_accept(hol__fmu *c, int *drifted) {
    hol_status status = place(c);
    *drifted = 0;
    if (status) return status;
    hol_data *data = hol_sim_data(c->sim);
    hol_model_info about = {.size = sizeof about};
    double position, velocity;
    hol_data_accept(data);
    hol_model_describe(hol_data_model(data), &about);
    hol_options_get_real(hol_sim_options(c->sim), "position_tolerance", &position);
    hol_options_get_real(hol_sim_options(c->sim), "velocity_tolerance", &velocity);
    status = hol_data_update(data, HOL_STAGE_VEL);
    if (status || !about.n_constraints) return status;
    *drifted = norm(hol_data_position_residual(data), about.n_holonomic) > position ||
               norm(hol_data_velocity_residual(data), about.n_constraints) > velocity;
    return HOL_OK;
}

/* Switches and events of the run so far; whether the model ended it. */
static long count_events(const hol_sim *sim, int *ended) {
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    *ended = info.end == HOL_END_STOP;
    return info.switches + info.events;
}

hol_status hol__fmu_handle_events(hol__fmu *c, int *changed, int *terminate, double *next) {
    *changed = 0;
    *next = INFINITY;
    hol_status status = place(c);
    if (status) return status;
    const int n = c->table.n_states;
    if (c->exchange && c->t > c->start) {
        status = hol_sim_arrive(c->sim);
        double *before = hol__alloc(c->ctx, (size_t)n, sizeof *before);
        if (!before) return HOL_ERR_MEMORY;
        memcpy(before, c->x, sizeof *before * (size_t)n);
        if (!status) status = hol_data_states(hol_sim_data(c->sim), c->x, n);
        *changed = !status && memcmp(before, c->x, sizeof *before * (size_t)n) != 0;
        hol__release(c->ctx, before);
        hol_derivatives_free(c->derivatives);
        c->derivatives = NULL;
        if (hol_data_time(hol_sim_data(c->sim)) > c->t)
            c->jumped_at = c->t, c->jumped_to = hol_data_time(hol_sim_data(c->sim));
    }
    if (status) return status;
    c->happened = count_events(c->sim, &c->ended);
    *terminate = c->ended;
    if (c->exchange) *next = hol_sim_next_jump(c->sim, isfinite(c->stop) ? c->stop : c->table.end);
    return HOL_OK;
}

/* ---- co-simulation ---- */

hol_status hol__fmu_do_step(hol__fmu *c, double t, double h, hol__fmu_step *out) {
    *out = (hol__fmu_step){.t = c->t};
    hol_status status = hol__fmu_check_step(c->ctx, c->t, c->stop, t, h);
    if (!status) status = hol__fmu_prepare(c);
    if (status) return status;
    moved(c);
    const double end = t + h;
    double now = hol_data_time(hol_sim_data(c->sim));
    int asked = 0;
    if (!c->event_mode) c->happened = count_events(c->sim, &c->ended);
    while (!status && now < end && !c->ended && !out->event && !asked) {
        status = hol_sim_step_to(c->sim, end);
        if (status) break;
        now = hol_data_time(hol_sim_data(c->sim));
        out->event = count_events(c->sim, &c->ended) > c->happened && c->event_mode;
        c->t = now < end ? now : end;
        if (c->between) asked = c->between(c->user, c->t);
        asked = asked && c->early_return;
    }
    c->t = now < end || status ? now : end;
    out->t = c->t;
    out->early = now < end;
    out->terminate = c->ended;
    return status;
}
