/* fmi3.c: the functions of FMI 3.0.1 over a component. What is not offered is refused in
 * fmi3_none.c. */
#include "fmu/module/fmi3.h"

#include "base/context.h"
#include "fmu/module/fmi3_instance.h"
#include "fmu/module/kept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what may be called when ---- */

#define CALL(name, exchange, simulation)                                                           \
    static const fmu_call name = {"fmi3" #name, exchange, simulation};
CALL(EnterInitializationMode, FMU_I, FMU_I)
CALL(ExitInitializationMode, FMU_N, FMU_N)
CALL(EnterEventMode, FMU_C, FMU_S)
CALL(Terminate, FMU_RUN, FMU_RUN)
CALL(Reset, FMU_KEPT | FMU_X, FMU_KEPT | FMU_X)
CALL(SetDebugLogging, FMU_ANY, FMU_ANY)
CALL(GetFloat64, FMU_READ, FMU_READ)
CALL(SetFloat64, FMU_I | FMU_N | FMU_E | FMU_C, FMU_I | FMU_N | FMU_E | FMU_S)
CALL(GetFMUState, FMU_KEPT, FMU_KEPT)
CALL(SetFMUState, FMU_KEPT | FMU_X, FMU_KEPT | FMU_X)
CALL(FreeFMUState, FMU_ANY, FMU_ANY)
CALL(SerializedFMUStateSize, FMU_ANY, FMU_ANY)
CALL(SerializeFMUState, FMU_ANY, FMU_ANY)
CALL(DeserializeFMUState, FMU_ANY, FMU_ANY)
CALL(GetDirectionalDerivative, FMU_N | FMU_RUN | FMU_T, FMU_N | FMU_RUN | FMU_T | FMU_U)
CALL(GetAdjointDerivative, FMU_N | FMU_RUN | FMU_T, FMU_N | FMU_RUN | FMU_T | FMU_U)
CALL(EvaluateDiscreteStates, FMU_N | FMU_E, FMU_N | FMU_E)
CALL(UpdateDiscreteStates, FMU_E, FMU_E)
CALL(EnterContinuousTimeMode, FMU_E, FMU_NOT)
CALL(CompletedIntegratorStep, FMU_C, FMU_NOT)
CALL(SetTime, FMU_E | FMU_C, FMU_NOT)
CALL(SetContinuousStates, FMU_C, FMU_NOT)
CALL(GetContinuousStateDerivatives, FMU_N | FMU_E | FMU_C | FMU_T, FMU_NOT)
CALL(GetEventIndicators, FMU_N | FMU_E | FMU_C | FMU_T, FMU_NOT)
CALL(GetContinuousStates, FMU_N | FMU_E | FMU_C | FMU_T, FMU_NOT)
CALL(GetNominalsOfContinuousStates, FMU_KEPT, FMU_NOT)
CALL(GetNumberOfEventIndicators, FMU_ANY, FMU_NOT)
CALL(GetNumberOfContinuousStates, FMU_ANY, FMU_NOT)
CALL(EnterStepMode, FMU_NOT, FMU_E)
CALL(DoStep, FMU_NOT, FMU_S)
#undef CALL

/* The instance where it is one on which the call may be made; else NULL. */
static fmi3_instance *open_call(fmi3Instance of, const fmu_call *call) {
    fmi3_instance *i = of;
    return i && fmu_may(i->c, call) ? i : NULL;
}

static fmi3Status status_of(fmi3_instance *i, hol_status status) {
    return fmu_after(i->c, status) ? fmi3Error : fmi3OK;
}

/* ---- life ---- */

static void tell(void *user, hol_severity severity, const char *text) {
    fmi3_instance *i = user;
    if (!i->log || (severity != HOL_ERROR && !i->logs)) return;
    const fmi3Status status = severity == HOL_ERROR     ? fmi3Error
                              : severity == HOL_WARNING ? fmi3Warning
                                                        : fmi3OK;
    const char *category = severity == HOL_ERROR     ? "logStatusError"
                           : severity == HOL_WARNING ? "logStatusWarning"
                                                     : "logEvents";
    i->log(i->environment, status, category, text);
}

const char *fmi3GetVersion(void) {
    return "3.0";
}

/* An instance whose callbacks are set; NULL, with nothing left, after an error. */
static fmi3_instance *make(const fmi3_instance *first, fmi3String name, fmi3String token,
                           fmi3String resources, int exchange) {
    fmi3_instance *i = name && token ? malloc(sizeof *i) : NULL;
    hol_context *ctx = i ? hol_context_new() : NULL;
    if (!ctx) {
        free(i);
        return NULL;
    }
    *i = *first;
    i->sink = (fmu_sink){tell, i};
    fmu_listen(ctx, &i->sink);
    char *path = hol__fmu_path(ctx, resources);
    if (!path)
        hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "fmi3Instantiate",
                    "the path of the resources is no place in the file system: '%s'",
                    resources ? resources : "");
    i->c = path ? hol__fmu_new(ctx, path, token, exchange) : NULL;
    hol__release(ctx, path);
    if (i->c) return i;
    hol_context_free(ctx);
    free(i);
    return NULL;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logs,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
    const fmi3_instance first = {.environment = environment, .log = log, .logs = logs};
    (void)visible;
    return make(&first, name, token, resources, 1);
}

/* A step within a doStep is made: the importer may look, and ask for an early return. */
static int between(void *user, double t) {
    fmi3_instance *i = user;
    bool early = false;
    double when = t;
    i->c->state = HOL__FMU_INTERMEDIATE;
    i->update(i->environment, t, false, true, true, i->c->early_return != 0, &early, &when);
    i->c->state = HOL__FMU_STEP;
    return early && when <= t;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logs,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t n_required,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
    const fmi3_instance first = {.environment = environment,
                                 .log = log,
                                 .logs = logs,
                                 .update = update,
                                 .uses_event_mode = event_mode};
    (void)visible, (void)required, (void)n_required; /* every variable can be read there */
    fmi3_instance *i = make(&first, name, token, resources, 0);
    if (!i) return NULL;
    i->c->event_mode = event_mode;
    i->c->early_return = early_return;
    i->c->user = i;
    i->c->between = update ? between : NULL;
    return i;
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logs,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback clock_update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logs, (void)clock_update;
    (void)lock, (void)unlock;
    if (log)
        log(environment, fmi3Error, "logStatusError",
            "fmi3InstantiateScheduledExecution: the FMU has no clocks");
    return NULL;
}

void fmi3FreeInstance(fmi3Instance of) {
    fmi3_instance *i = of;
    if (!i) return;
    hol__fmu_free(i->c);
    free(i);
}

fmi3Status fmi3SetDebugLogging(fmi3Instance of, fmi3Boolean on, size_t n,
                               const fmi3String categories[]) {
    fmi3_instance *i = open_call(of, &SetDebugLogging);
    if (!i || fmu_need(i->c, SetDebugLogging.name, n, categories)) return fmi3Error;
    i->logs = on;
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance of, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop) {
    fmi3_instance *i = open_call(of, &EnterInitializationMode);
    if (!i) return fmi3Error;
    const hol_status status = hol__fmu_setup(i->c, start, has_stop ? stop : (double)INFINITY,
                                             has_tolerance ? tolerance : 0);
    if (!status) i->c->state = HOL__FMU_INITIALIZATION;
    return status_of(i, status);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance of) {
    fmi3_instance *i = open_call(of, &ExitInitializationMode);
    return i ? status_of(i, hol__fmu_initialized(i->c)) : fmi3Error;
}

fmi3Status fmi3EnterEventMode(fmi3Instance of) {
    fmi3_instance *i = open_call(of, &EnterEventMode);
    if (!i) return fmi3Error;
    if (!i->c->exchange && !i->uses_event_mode)
        return fmi3_refuse(i, EnterEventMode.name, "the instance was made without event mode");
    i->c->state = HOL__FMU_EVENT;
    return fmi3OK;
}

fmi3Status fmi3Terminate(fmi3Instance of) {
    fmi3_instance *i = open_call(of, &Terminate);
    if (!i) return fmi3Error;
    i->c->state = HOL__FMU_TERMINATED;
    return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance of) {
    fmi3_instance *i = open_call(of, &Reset);
    return i ? status_of(i, hol__fmu_reset(i->c)) : fmi3Error;
}

/* ---- values ---- */

/* Whether the lists of a call belong together: as many values as references. */
static hol_status check_lists(const fmi3_instance *i, const char *call, const void *references,
                              size_t n, const void *values, size_t n_values) {
    hol_status status = fmu_need(i->c, call, n, references);
    if (!status) status = fmu_need(i->c, call, n, values);
    if (status || n == n_values) return status;
    return hol__report(i->c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "there are %zu values for %zu variables, which are numbers", n_values, n);
}

fmi3Status fmi3GetFloat64(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                          fmi3Float64 values[], size_t n_values) {
    fmi3_instance *i = open_call(of, &GetFloat64);
    if (!i) return fmi3Error;
    hol_status status = check_lists(i, GetFloat64.name, references, n, values, n_values);
    for (size_t k = 0; k < n && !status; k++)
        status = hol__fmu_get(i->c, references[k], &values[k]);
    return status_of(i, status);
}

fmi3Status fmi3SetFloat64(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                          const fmi3Float64 values[], size_t n_values) {
    fmi3_instance *i = open_call(of, &SetFloat64);
    if (!i) return fmi3Error;
    hol_status status = check_lists(i, SetFloat64.name, references, n, values, n_values);
    for (size_t k = 0; k < n && !status; k++) status = hol__fmu_set(i->c, references[k], values[k]);
    return status_of(i, status);
}

/* The product of derivatives, forward or back. */
typedef hol_status product(hol__fmu *c, size_t n_unknown, const unsigned *unknown, size_t n_known,
                           const unsigned *known, const double *seed, double *out);

static fmi3Status multiply(fmi3Instance of, const fmu_call *call, product *with,
                           const fmi3ValueReference unknown[], size_t n_unknown,
                           const fmi3ValueReference known[], size_t n_known,
                           const fmi3Float64 seed[], size_t n_seed, size_t seeds, fmi3Float64 out[],
                           size_t n_out, size_t outs) {
    fmi3_instance *i = open_call(of, call);
    if (!i) return fmi3Error;
    hol_status status = fmu_need(i->c, call->name, n_unknown, unknown);
    if (!status) status = fmu_need(i->c, call->name, n_known, known);
    if (!status) status = fmu_need(i->c, call->name, seeds, seed);
    if (!status) status = fmu_need(i->c, call->name, outs, out);
    if (!status && (n_seed != seeds || n_out != outs))
        status = hol__report(i->c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call->name,
                             "there are %zu seeds and %zu results for %zu and %zu variables",
                             n_seed, n_out, seeds, outs);
    if (!status) status = with(i->c, n_unknown, unknown, n_known, known, seed, out);
    return status_of(i, status);
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance of, const fmi3ValueReference unknown[],
                                        size_t n_unknown, const fmi3ValueReference known[],
                                        size_t n_known, const fmi3Float64 seed[], size_t n_seed,
                                        fmi3Float64 out[], size_t n_out) {
    return multiply(of, &GetDirectionalDerivative, hol__fmu_derivative, unknown, n_unknown, known,
                    n_known, seed, n_seed, n_known, out, n_out, n_unknown);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance of, const fmi3ValueReference unknown[],
                                    size_t n_unknown, const fmi3ValueReference known[],
                                    size_t n_known, const fmi3Float64 seed[], size_t n_seed,
                                    fmi3Float64 out[], size_t n_out) {
    return multiply(of, &GetAdjointDerivative, hol__fmu_adjoint, unknown, n_unknown, known, n_known,
                    seed, n_seed, n_unknown, out, n_out, n_known);
}

/* ---- saved states ---- */

fmi3Status fmi3GetFMUState(fmi3Instance of, fmi3FMUState *out) {
    fmi3_instance *i = open_call(of, &GetFMUState);
    return i ? status_of(i, fmu_keep(i->c, GetFMUState.name, out)) : fmi3Error;
}

fmi3Status fmi3SetFMUState(fmi3Instance of, fmi3FMUState state) {
    fmi3_instance *i = open_call(of, &SetFMUState);
    return i ? status_of(i, fmu_bring_back(i->c, SetFMUState.name, state)) : fmi3Error;
}

fmi3Status fmi3FreeFMUState(fmi3Instance of, fmi3FMUState *state) {
    fmi3_instance *i = open_call(of, &FreeFMUState);
    if (!i) return fmi3Error;
    fmu_let_go(i->c, state);
    return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance of, fmi3FMUState state, size_t *size) {
    fmi3_instance *i = open_call(of, &SerializedFMUStateSize);
    return i ? status_of(i, fmu_kept_size(i->c, SerializedFMUStateSize.name, state, size))
             : fmi3Error;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance of, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size) {
    fmi3_instance *i = open_call(of, &SerializeFMUState);
    return i ? status_of(i, fmu_kept_write(i->c, SerializeFMUState.name, state, bytes, size))
             : fmi3Error;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance of, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState *out) {
    fmi3_instance *i = open_call(of, &DeserializeFMUState);
    return i ? status_of(i, fmu_kept_read(i->c, DeserializeFMUState.name, bytes, size, out))
             : fmi3Error;
}

/* ---- events ---- */

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance of) {
    return open_call(of, &EvaluateDiscreteStates) ? fmi3OK : fmi3Error;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance of, fmi3Boolean *needed, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals, fmi3Boolean *values,
                                    fmi3Boolean *has_next, fmi3Float64 *next_time) {
    fmi3_instance *i = open_call(of, &UpdateDiscreteStates);
    const void *const all[] = {needed, terminate, nominals, values, has_next, next_time};
    for (int k = 0; i && k < 6; k++)
        if (fmu_need(i->c, UpdateDiscreteStates.name, 1, all[k])) return fmi3Error;
    if (!i) return fmi3Error;
    int changed = 0, ends = 0;
    double next = INFINITY;
    const hol_status status = hol__fmu_handle_events(i->c, &changed, &ends, &next);
    *needed = *nominals = false;
    *terminate = ends != 0;
    *values = changed != 0;
    *has_next = isfinite(next) != 0;
    *next_time = isfinite(next) ? next : 0;
    return status_of(i, status);
}

/* ---- model exchange ---- */

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance of) {
    fmi3_instance *i = open_call(of, &EnterContinuousTimeMode);
    if (!i) return fmi3Error;
    i->c->state = HOL__FMU_CONTINUOUS;
    return fmi3OK;
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance of, fmi3Boolean no_earlier,
                                       fmi3Boolean *enter_event_mode, fmi3Boolean *terminate) {
    fmi3_instance *i = open_call(of, &CompletedIntegratorStep);
    (void)no_earlier;
    if (!i || fmu_need(i->c, CompletedIntegratorStep.name, 1, enter_event_mode) ||
        fmu_need(i->c, CompletedIntegratorStep.name, 1, terminate))
        return fmi3Error;
    int drifted = 0;
    const hol_status status = hol__fmu_accept(i->c, &drifted);
    *terminate = false;
    *enter_event_mode = drifted != 0;
    return status_of(i, status);
}

fmi3Status fmi3SetTime(fmi3Instance of, fmi3Float64 t) {
    fmi3_instance *i = open_call(of, &SetTime);
    return i ? status_of(i, hol__fmu_set_time(i->c, t)) : fmi3Error;
}

/* The instance for a call with n numbers, as many as there are states, or conditions. */
static fmi3_instance *open_vector(fmi3Instance of, const fmu_call *call, const void *x, size_t n,
                                  int conditions) {
    fmi3_instance *i = open_call(of, call);
    if (!i || fmu_need(i->c, call->name, n, x)) return NULL;
    const int count = conditions ? i->c->table.n_conditions : i->c->table.n_states;
    if (n == (size_t)count) return i;
    hol__report(i->c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call->name,
                "there are %d numbers and not %zu", count, n);
    return NULL;
}

fmi3Status fmi3SetContinuousStates(fmi3Instance of, const fmi3Float64 x[], size_t n) {
    fmi3_instance *i = open_vector(of, &SetContinuousStates, x, n, 0);
    return i ? status_of(i, hol__fmu_set_states(i->c, x)) : fmi3Error;
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance of, fmi3Float64 rates[], size_t n) {
    fmi3_instance *i = open_vector(of, &GetContinuousStateDerivatives, rates, n, 0);
    return i ? status_of(i, hol__fmu_get_rates(i->c, rates)) : fmi3Error;
}

fmi3Status fmi3GetEventIndicators(fmi3Instance of, fmi3Float64 z[], size_t n) {
    fmi3_instance *i = open_vector(of, &GetEventIndicators, z, n, 1);
    return i ? status_of(i, hol__fmu_get_conditions(i->c, z)) : fmi3Error;
}

fmi3Status fmi3GetContinuousStates(fmi3Instance of, fmi3Float64 x[], size_t n) {
    fmi3_instance *i = open_vector(of, &GetContinuousStates, x, n, 0);
    return i ? status_of(i, hol__fmu_get_states(i->c, x)) : fmi3Error;
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance of, fmi3Float64 x[], size_t n) {
    fmi3_instance *i = open_vector(of, &GetNominalsOfContinuousStates, x, n, 0);
    if (!i) return fmi3Error;
    hol__fmu_get_nominals(i->c, x);
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance of, size_t *n) {
    fmi3_instance *i = open_call(of, &GetNumberOfEventIndicators);
    if (!i || fmu_need(i->c, GetNumberOfEventIndicators.name, 1, n)) return fmi3Error;
    *n = (size_t)i->c->table.n_conditions;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance of, size_t *n) {
    fmi3_instance *i = open_call(of, &GetNumberOfContinuousStates);
    if (!i || fmu_need(i->c, GetNumberOfContinuousStates.name, 1, n)) return fmi3Error;
    *n = (size_t)i->c->table.n_states;
    return fmi3OK;
}

/* ---- co-simulation ---- */

fmi3Status fmi3EnterStepMode(fmi3Instance of) {
    fmi3_instance *i = open_call(of, &EnterStepMode);
    if (!i) return fmi3Error;
    i->c->state = HOL__FMU_STEP;
    return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance of, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_earlier,
                      fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early,
                      fmi3Float64 *last) {
    fmi3_instance *i = open_call(of, &DoStep);
    const void *const all[] = {event, terminate, early, last};
    (void)no_earlier;
    for (int k = 0; i && k < 4; k++)
        if (fmu_need(i->c, DoStep.name, 1, all[k])) return fmi3Error;
    if (!i) return fmi3Error;
    if (i->c->ended) return fmi3_refuse(i, DoStep.name, "the model has ended its run");
    hol__fmu_step step;
    const hol_status status = hol__fmu_do_step(i->c, t, h, &step);
    *event = step.event != 0;
    *terminate = step.terminate != 0;
    *early = step.early != 0;
    *last = step.t;
    return status_of(i, status);
}
