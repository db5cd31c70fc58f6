/* component.c: an instance that generated code computes: fixed steps in co-simulation, rates in
 * model exchange. See calls.h and model.h.
 *
 *     x = (q, v)     x' = (q', v')
 *
 * A step from one communication point to the next is made of equal steps, none longer than
 * fmu_longest_step. Where a parameter or an input changes, the state is brought onto the
 * constraints, which lengths and drivers move.
 */
#include "fmu/sources/component.h"

#include <math.h>
#include <string.h>

static const char fmu[] = "FMU";

/* ---- life ---- */

static void start_values(hol__fmu *c) {
    int i;
    memset(&c->now, 0, sizeof c->now);
    for (i = 0; i < FMU_VARIABLES; i++)
        if (fmu_variables[i].kind == FMU_TUNABLE || fmu_variables[i].kind == FMU_INPUT)
            c->now.values[fmu_variables[i].index] = fmu_variables[i].start;
    c->now.start = fmu_start_time;
    c->now.stop = HUGE_VAL;
    c->t = fmu_start_time;
    c->state = HOL__FMU_INSTANTIATED;
}

hol__fmu *hol__fmu_new(hol_context *ctx, const char *resources, const char *token, int exchange) {
    hol__fmu *c;
    (void)resources; /* there are none */
    if (token && strcmp(token, fmu_token) != 0) {
        hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, fmu,
                    "the token %s is not that of this FMU, %s", token, fmu_token);
        return NULL;
    }
    c = hol__alloc(ctx, 1, sizeof *c);
    if (!c) return NULL;
    c->ctx = ctx;
    c->exchange = exchange;
    c->table.n_states = FMU_Q + FMU_V;
    start_values(c);
    return c;
}

void hol__fmu_free(hol__fmu *c) {
    hol_context *ctx;
    if (!c) return;
    ctx = c->ctx;
    hol__release(ctx, c);
    hol_context_free(ctx);
}

hol_status hol__fmu_reset(hol__fmu *c) {
    start_values(c);
    return HOL_OK;
}

hol_status hol__fmu_setup(hol__fmu *c, double start, double stop, double tolerance) {
    const hol_status status = hol__fmu_check_span(c->ctx, start, stop, tolerance);
    if (status) return status;
    c->now.start = c->t = start;
    c->now.stop = stop;
    c->now.ready = 0;
    return HOL_OK;
}

/* An error with what the code of the mechanism means. */
static hol_status failed(const hol__fmu *c, int code) {
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, fmu, "at t = %.17g: %s",
                       c->now.s.t, fmu_model_why(code));
}

hol_status hol__fmu_prepare(hol__fmu *c) {
    int code;
    if (!c->now.ready) {
        fmu_model_start(&c->now.s);
        c->now.given |= c->now.start != c->now.s.t;
        c->now.s.t = c->now.start;
        c->now.ready = 1;
    }
    if (!c->now.given || (c->exchange && c->state > HOL__FMU_INITIALIZATION)) return HOL_OK;
    code = fmu_model_project(&c->now.s, c->now.values);
    if (code) return failed(c, code);
    c->now.given = 0;
    return HOL_OK;
}

hol_status hol__fmu_initialized(hol__fmu *c) {
    const hol_status status = hol__fmu_prepare(c);
    if (status) return status;
    c->state = c->exchange || c->event_mode ? HOL__FMU_EVENT : HOL__FMU_STEP;
    return HOL_OK;
}

/* ---- values ---- */

static hol_status no_variable(const hol__fmu *c, unsigned reference) {
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, fmu,
                       "there is no variable with the value reference %u", reference);
}

/* All rates. */
static hol_status find_rates(const hol__fmu *c, double *rates) {
    int code;
    fmu_model_velocities(&c->now.s, rates);
    code = fmu_model_accelerations(&c->now.s, c->now.values, rates + FMU_Q);
    return code ? failed(c, code) : HOL_OK;
}

hol_status hol__fmu_get(hol__fmu *c, unsigned reference, double *value) {
    double out[FMU_OUTPUTS + 1], rates[FMU_Q + FMU_V];
    const fmu_variable *row;
    hol_status status;
    if (reference >= FMU_VARIABLES) return no_variable(c, reference);
    row = &fmu_variables[reference];
    if (row->kind == FMU_TIME) return *value = c->t, HOL_OK;
    if (row->kind == FMU_CONSTANT) return *value = row->start, HOL_OK;
    if (row->kind == FMU_TUNABLE || row->kind == FMU_INPUT)
        return *value = c->now.values[row->index], HOL_OK;
    status = hol__fmu_prepare(c);
    if (status) return status;
    switch (row->kind) {
    case FMU_OUTPUT:
        fmu_model_outputs(&c->now.s, c->now.values, out);
        *value = out[row->index];
        return HOL_OK;
    case FMU_STATE:
        *value = row->index < FMU_Q ? c->now.s.q[row->index] : c->now.s.v[row->index - FMU_Q];
        return HOL_OK;
    default:
        status = find_rates(c, rates);
        if (!status) *value = rates[row->index];
        return status;
    }
}

hol_status hol__fmu_set(hol__fmu *c, unsigned reference, double value) {
    const fmu_variable *row;
    hol_status status;
    if (reference >= FMU_VARIABLES) return no_variable(c, reference);
    row = &fmu_variables[reference];
    status = hol__fmu_check_number(c->ctx, row->name, value);
    if (status) return status;
    if (row->kind == FMU_TUNABLE && c->state == HOL__FMU_CONTINUOUS)
        return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, fmu,
                           "'%s' is a parameter, which changes in event mode", row->name);
    if (row->kind != FMU_TUNABLE && row->kind != FMU_INPUT)
        return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, fmu,
                           row->kind == FMU_CONSTANT
                               ? "'%s' is a number of the code and cannot be set"
                               : "'%s' follows from others and cannot be set",
                           row->name);
    c->now.given |= c->now.values[row->index] != value;
    c->now.values[row->index] = value;
    return HOL_OK;
}

/* ---- model exchange ---- */

hol_status hol__fmu_set_time(hol__fmu *c, double t) {
    const hol_status status = hol__fmu_check_number(c->ctx, "the time", t);
    if (status) return status;
    c->t = c->now.s.t = t;
    return HOL_OK;
}

hol_status hol__fmu_set_states(hol__fmu *c, const double *x) {
    int i;
    for (i = 0; i < FMU_Q + FMU_V; i++) {
        const hol_status status = hol__fmu_check_number(c->ctx, "a state", x[i]);
        if (status) return status;
    }
    memcpy(c->now.s.q, x, sizeof *x * FMU_Q);
    memcpy(c->now.s.v, x + FMU_Q, sizeof *x * FMU_V);
    return HOL_OK;
}

hol_status hol__fmu_get_states(hol__fmu *c, double *x) {
    const hol_status status = hol__fmu_prepare(c);
    if (status) return status;
    memcpy(x, c->now.s.q, sizeof *x * FMU_Q);
    memcpy(x + FMU_Q, c->now.s.v, sizeof *x * FMU_V);
    return HOL_OK;
}

hol_status hol__fmu_get_rates(hol__fmu *c, double *rates) {
    const hol_status status = hol__fmu_prepare(c);
    return status ? status : find_rates(c, rates);
}

hol_status hol__fmu_get_conditions(hol__fmu *c, double *out) {
    (void)c, (void)out; /* there are none */
    return HOL_OK;
}

void hol__fmu_get_nominals(const hol__fmu *c, double *out) {
    int i;
    (void)c;
    for (i = 0; i < FMU_Q + FMU_V; i++) out[i] = 1.0;
}

/* The largest difference of two vectors. */
static double apart(const double *a, const double *b, int n) {
    double most = 0.0;
    int i;
    for (i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

hol_status hol__fmu_accept(hol__fmu *c, int *drifted) {
    fmu_mechanism on;
    int code;
    *drifted = 0;
    fmu_model_follow(&c->now.s, c->now.values);
    on = c->now.s;
    code = fmu_model_project(&on, c->now.values);
    if (code) return failed(c, code);
    *drifted = apart(on.q, c->now.s.q, FMU_Q) > fmu_position_tolerance ||
               apart(on.v, c->now.s.v, FMU_V) > fmu_velocity_tolerance;
    return HOL_OK;
}

hol_status hol__fmu_handle_events(hol__fmu *c, int *changed, int *terminate, double *next) {
    fmu_mechanism before;
    hol_status status = hol__fmu_prepare(c);
    int code;
    *changed = *terminate = 0;
    *next = HUGE_VAL;
    if (status || !c->exchange || (c->t <= c->now.start && !c->now.given)) return status;
    before = c->now.s;
    code = fmu_model_project(&c->now.s, c->now.values);
    if (code) return failed(c, code);
    c->now.given = 0;
    *changed = apart(before.q, c->now.s.q, FMU_Q) > 0.0 || apart(before.v, c->now.s.v, FMU_V) > 0.0;
    return HOL_OK;
}

/* ---- co-simulation ---- */

hol_status hol__fmu_do_step(hol__fmu *c, double t, double h, hol__fmu_step *out) {
    hol_status status = hol__fmu_check_step(c->ctx, c->t, c->now.stop, t, h);
    double n, k;
    int asked = 0;
    memset(out, 0, sizeof *out);
    out->t = c->t;
    if (!status) status = hol__fmu_prepare(c);
    if (status) return status;
    n = ceil(h / fmu_longest_step * (1.0 - 1e-12));
    if (n < 1.0) n = 1.0;
    for (k = 1.0; k <= n && !asked; k += 1.0) {
        const int code = fmu_model_step(&c->now.s, c->now.values, h / n);
        if (code) return failed(c, code);
        c->t = c->now.s.t = k < n ? t + h * (k / n) : t + h;
        if (c->between) asked = c->between(c->user, c->t) && c->early_return;
    }
    out->t = c->t;
    out->early = k <= n;
    return HOL_OK;
}

/* ---- derivatives ---- */

static hol_status no_derivatives(const hol__fmu *c) {
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, fmu,
                       "an FMU of sources gives no derivatives");
}

hol_status hol__fmu_derivative(hol__fmu *c, size_t n_unknown, const unsigned *unknown,
                               size_t n_known, const unsigned *known, const double *seed,
                               double *out) {
    (void)n_unknown, (void)unknown, (void)n_known, (void)known, (void)seed, (void)out;
    return no_derivatives(c);
}

hol_status hol__fmu_adjoint(hol__fmu *c, size_t n_unknown, const unsigned *unknown, size_t n_known,
                            const unsigned *known, const double *seed, double *out) {
    (void)n_unknown, (void)unknown, (void)n_known, (void)known, (void)seed, (void)out;
    return no_derivatives(c);
}

/* ---- saved states ---- */

/* The mark of the FMU, and a sum over the bytes behind it: importers keep them in files. */
typedef struct kept_head {
    char token[64];
    int exchange;
    unsigned long long sum;
} kept_head;

size_t hol__fmu_state_size(hol__fmu *c) {
    (void)c;
    return sizeof(kept_head) + sizeof(fmu_now);
}

/* FNV-1a over the bytes of a state. */
static kept_head head_of(const hol__fmu *c, const void *now) {
    const unsigned char *byte = now;
    kept_head head;
    size_t i;
    memset(&head, 0, sizeof head);
    strncpy(head.token, fmu_token, sizeof head.token - 1);
    head.exchange = c->exchange;
    head.sum = 14695981039346656037ULL;
    for (i = 0; i < sizeof(fmu_now); i++) head.sum = (head.sum ^ byte[i]) * 1099511628211ULL;
    return head;
}

hol_status hol__fmu_state_save(hol__fmu *c, void *block, size_t size) {
    kept_head head;
    if (size < hol__fmu_state_size(c)) return HOL_ERR_ARGUMENT;
    c->now.state = c->state;
    c->now.t = c->t;
    head = head_of(c, &c->now);
    memcpy(block, &head, sizeof head);
    memcpy((char *)block + sizeof head, &c->now, sizeof c->now);
    return HOL_OK;
}

hol_status hol__fmu_state_load(hol__fmu *c, const void *block, size_t size) {
    const char *now = (const char *)block + sizeof(kept_head);
    kept_head head;
    if (size >= hol__fmu_state_size(c)) head = head_of(c, now);
    if (size < hol__fmu_state_size(c) || memcmp(block, &head, sizeof head) != 0)
        return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, fmu,
                           "the bytes are no state of an instance of this FMU");
    memcpy(&c->now, now, sizeof c->now);
    c->state = c->now.state;
    c->t = c->now.t;
    return HOL_OK;
}

char *hol__fmu_path(hol_context *ctx, const char *uri) {
    (void)uri; /* nothing is read: the model is in the code */
    return hol__alloc(ctx, 1, 1);
}
