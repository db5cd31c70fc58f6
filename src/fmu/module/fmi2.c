/* fmi2.c: the functions of FMI 2.0.4 over a component. */
#include "fmu/module/fmi2.h"

#include "base/context.h"
#include "fmu/module/instance.h"
#include "fmu/module/kept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An instance, with what the importer gave. */
typedef struct instance {
    hol__fmu *c;
    fmu_sink sink;
    fmi2CallbackFunctions callbacks;
    hol_allocator allocator;
    char *name;
    int logs;
} instance;

/* ---- what may be called when ---- */

#define CALL(name, exchange, simulation)                                                           \
    static const fmu_call name = {"fmi2" #name, exchange, simulation};
CALL(SetupExperiment, FMU_I, FMU_I)
CALL(EnterInitializationMode, FMU_I, FMU_I)
CALL(ExitInitializationMode, FMU_N, FMU_N)
CALL(Terminate, FMU_E | FMU_C, FMU_S)
CALL(Reset, FMU_ANY, FMU_ANY)
CALL(SetDebugLogging, FMU_ANY, FMU_ANY)
CALL(GetReal, FMU_READ, FMU_READ)
CALL(GetInteger, FMU_READ, FMU_READ)
CALL(GetBoolean, FMU_READ, FMU_READ)
CALL(GetString, FMU_READ, FMU_READ)
CALL(SetReal, FMU_I | FMU_N | FMU_E | FMU_C, FMU_I | FMU_N | FMU_S)
CALL(SetInteger, FMU_I | FMU_N | FMU_E, FMU_I | FMU_N | FMU_S)
CALL(SetBoolean, FMU_I | FMU_N | FMU_E, FMU_I | FMU_N | FMU_S)
CALL(SetString, FMU_I | FMU_N | FMU_E, FMU_I | FMU_N | FMU_S)
CALL(GetFMUstate, FMU_KEPT, FMU_KEPT)
CALL(SetFMUstate, FMU_KEPT | FMU_X, FMU_KEPT | FMU_X)
CALL(FreeFMUstate, FMU_ANY, FMU_ANY)
CALL(SerializedFMUstateSize, FMU_ANY, FMU_ANY)
CALL(SerializeFMUstate, FMU_ANY, FMU_ANY)
CALL(DeSerializeFMUstate, FMU_ANY, FMU_ANY)
CALL(GetDirectionalDerivative, FMU_N | FMU_RUN | FMU_T, FMU_N | FMU_RUN | FMU_T)
CALL(EnterEventMode, FMU_C, FMU_NOT)
CALL(NewDiscreteStates, FMU_E, FMU_NOT)
CALL(EnterContinuousTimeMode, FMU_E, FMU_NOT)
CALL(CompletedIntegratorStep, FMU_C, FMU_NOT)
CALL(SetTime, FMU_E | FMU_C, FMU_NOT)
CALL(SetContinuousStates, FMU_C, FMU_NOT)
CALL(GetDerivatives, FMU_N | FMU_E | FMU_C | FMU_T, FMU_NOT)
CALL(GetEventIndicators, FMU_N | FMU_E | FMU_C | FMU_T, FMU_NOT)
CALL(GetContinuousStates, FMU_N | FMU_E | FMU_C | FMU_T, FMU_NOT)
CALL(GetNominalsOfContinuousStates, FMU_I | FMU_N | FMU_E | FMU_C | FMU_T, FMU_NOT)
CALL(SetRealInputDerivatives, FMU_NOT, FMU_I | FMU_N | FMU_S)
CALL(GetRealOutputDerivatives, FMU_NOT, FMU_S | FMU_T)
CALL(DoStep, FMU_NOT, FMU_S)
CALL(CancelStep, FMU_NOT, FMU_NOT)
CALL(GetStatus, FMU_NOT, FMU_S | FMU_T | FMU_X)
#undef CALL

/* The instance where it is one on which the call may be made; else NULL. */
static instance *open_call(fmi2Component component, const fmu_call *call) {
    instance *i = component;
    return i && fmu_may(i->c, call) ? i : NULL;
}

/* The status of the library as that of a call. */
static fmi2Status status_of(instance *i, hol_status status) {
    return fmu_after(i->c, status) ? fmi2Error : fmi2OK;
}

/* ---- messages and memory ---- */

static void tell(void *user, hol_severity severity, const char *text) {
    instance *i = user;
    if (!i->callbacks.logger || (severity != HOL_ERROR && !i->logs)) return;
    const fmi2Status status = severity == HOL_ERROR     ? fmi2Error
                              : severity == HOL_WARNING ? fmi2Warning
                                                        : fmi2OK;
    const char *category = severity == HOL_ERROR     ? "logStatusError"
                           : severity == HOL_WARNING ? "logStatusWarning"
                                                     : "logEvents";
    i->callbacks.logger(i->callbacks.componentEnvironment, i->name, status, category, "%s", text);
}

static void *take(void *user, size_t size) {
    const fmi2CallbackFunctions *f = user;
    return f->allocateMemory(1, size);
}

static void give_back(void *user, void *block) {
    const fmi2CallbackFunctions *f = user;
    if (block) f->freeMemory(block);
}

/* A block of the importer's memory, zero. */
static void *get_memory(instance *i, size_t size) {
    return i->callbacks.allocateMemory ? i->callbacks.allocateMemory(1, size) : calloc(1, size);
}

static void free_memory(instance *i, void *block) {
    if (!block) return;
    if (i->callbacks.allocateMemory)
        i->callbacks.freeMemory(block);
    else
        free(block);
}

/* ---- life ---- */

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
    return "2.0";
}

static void drop(instance *i) {
    const fmi2CallbackFunctions callbacks = i->callbacks;
    instance last = {.callbacks = callbacks};
    free_memory(&last, i->name);
    free_memory(&last, i);
}

/* The component of an instance whose callbacks are set. */
static hol__fmu *make(instance *i, fmi2Type type, const char *token, const char *resources) {
    i->allocator = (hol_allocator){take, give_back, &i->callbacks};
    hol_context *ctx =
        i->callbacks.allocateMemory ? hol_context_new_with(&i->allocator) : hol_context_new();
    if (!ctx) return NULL;
    i->sink = (fmu_sink){tell, i};
    fmu_listen(ctx, &i->sink);
    char *path = hol__fmu_path(ctx, resources);
    if (!path)
        hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "fmi2Instantiate",
                    "the location of the resources is no place in the file system: '%s'",
                    resources ? resources : "");
    hol__fmu *c = path ? hol__fmu_new(ctx, path, token, type == fmi2ModelExchange) : NULL;
    hol__release(ctx, path);
    if (!c) hol_context_free(ctx);
    return c;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token,
                              fmi2String resources, const fmi2CallbackFunctions *callbacks,
                              fmi2Boolean visible, fmi2Boolean logs) {
    (void)visible;
    if (!name || !token || (type != fmi2ModelExchange && type != fmi2CoSimulation)) return NULL;
    instance first = {.logs = 0};
    if (callbacks) first.callbacks = *callbacks;
    if (!first.callbacks.freeMemory) first.callbacks.allocateMemory = NULL;
    instance *i = get_memory(&first, sizeof *i);
    if (!i) return NULL;
    *i = first;
    i->logs = logs;
    i->name = get_memory(i, strlen(name) + 1);
    if (i->name) {
        memcpy(i->name, name, strlen(name) + 1);
        i->c = make(i, type, token, resources);
    }
    if (i->c) return i;
    drop(i);
    return NULL;
}

void fmi2FreeInstance(fmi2Component component) {
    instance *i = component;
    if (!i) return;
    hol__fmu_free(i->c);
    drop(i);
}

fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t n,
                               const fmi2String categories[]) {
    instance *i = open_call(component, &SetDebugLogging);
    if (!i || fmu_need(i->c, SetDebugLogging.name, n, categories)) return fmi2Error;
    i->logs = on;
    return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean has_tolerance,
                               fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,
                               fmi2Real stop) {
    instance *i = open_call(component, &SetupExperiment);
    if (!i) return fmi2Error;
    return status_of(i, hol__fmu_setup(i->c, start, has_stop ? stop : (fmi2Real)INFINITY,
                                       has_tolerance ? tolerance : 0));
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
    instance *i = open_call(component, &EnterInitializationMode);
    if (!i) return fmi2Error;
    i->c->state = HOL__FMU_INITIALIZATION;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
    instance *i = open_call(component, &ExitInitializationMode);
    return i ? status_of(i, hol__fmu_initialized(i->c)) : fmi2Error;
}

fmi2Status fmi2Terminate(fmi2Component component) {
    instance *i = open_call(component, &Terminate);
    if (!i) return fmi2Error;
    i->c->state = HOL__FMU_TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component component) {
    instance *i = open_call(component, &Reset);
    if (!i) return fmi2Error;
    return status_of(i, hol__fmu_reset(i->c));
}

/* ---- values ---- */

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t n,
                       fmi2Real values[]) {
    instance *i = open_call(component, &GetReal);
    if (!i) return fmi2Error;
    hol_status status = fmu_need(i->c, GetReal.name, n, references);
    if (!status) status = fmu_need(i->c, GetReal.name, n, values);
    for (size_t k = 0; k < n && !status; k++)
        status = hol__fmu_get(i->c, references[k], &values[k]);
    return status_of(i, status);
}

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], size_t n,
                       const fmi2Real values[]) {
    instance *i = open_call(component, &SetReal);
    if (!i) return fmi2Error;
    hol_status status = fmu_need(i->c, SetReal.name, n, references);
    if (!status) status = fmu_need(i->c, SetReal.name, n, values);
    for (size_t k = 0; k < n && !status; k++) status = hol__fmu_set(i->c, references[k], values[k]);
    return status_of(i, status);
}

/* There are no variables of other types: only an empty list of them is right. */
static fmi2Status of_none(fmi2Component component, const fmu_call *call, size_t n) {
    instance *i = open_call(component, call);
    if (!i) return fmi2Error;
    if (n == 0) return fmi2OK;
    hol__report(i->c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call->name,
                "the FMU has no variables of this type");
    return status_of(i, HOL_ERR_ARGUMENT);
}

fmi2Status fmi2GetInteger(fmi2Component component, const fmi2ValueReference references[], size_t n,
                          fmi2Integer values[]) {
    (void)references, (void)values;
    return of_none(component, &GetInteger, n);
}

fmi2Status fmi2GetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t n,
                          fmi2Boolean values[]) {
    (void)references, (void)values;
    return of_none(component, &GetBoolean, n);
}

fmi2Status fmi2GetString(fmi2Component component, const fmi2ValueReference references[], size_t n,
                         fmi2String values[]) {
    (void)references, (void)values;
    return of_none(component, &GetString, n);
}

fmi2Status fmi2SetInteger(fmi2Component component, const fmi2ValueReference references[], size_t n,
                          const fmi2Integer values[]) {
    (void)references, (void)values;
    return of_none(component, &SetInteger, n);
}

fmi2Status fmi2SetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t n,
                          const fmi2Boolean values[]) {
    (void)references, (void)values;
    return of_none(component, &SetBoolean, n);
}

fmi2Status fmi2SetString(fmi2Component component, const fmi2ValueReference references[], size_t n,
                         const fmi2String values[]) {
    (void)references, (void)values;
    return of_none(component, &SetString, n);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknown[],
                                        size_t n_unknown, const fmi2ValueReference known[],
                                        size_t n_known, const fmi2Real seed[], fmi2Real out[]) {
    instance *i = open_call(component, &GetDirectionalDerivative);
    if (!i) return fmi2Error;
    const char *call = GetDirectionalDerivative.name;
    hol_status status = fmu_need(i->c, call, n_unknown, unknown);
    if (!status) status = fmu_need(i->c, call, n_unknown, out);
    if (!status) status = fmu_need(i->c, call, n_known, known);
    if (!status) status = fmu_need(i->c, call, n_known, seed);
    if (!status) status = hol__fmu_derivative(i->c, n_unknown, unknown, n_known, known, seed, out);
    return status_of(i, status);
}

/* ---- saved states ---- */

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *out) {
    instance *i = open_call(component, &GetFMUstate);
    return i ? status_of(i, fmu_keep(i->c, GetFMUstate.name, out)) : fmi2Error;
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
    instance *i = open_call(component, &SetFMUstate);
    return i ? status_of(i, fmu_bring_back(i->c, SetFMUstate.name, state)) : fmi2Error;
}

fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate *state) {
    instance *i = open_call(component, &FreeFMUstate);
    if (!i) return fmi2Error;
    fmu_let_go(i->c, state);
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t *size) {
    instance *i = open_call(component, &SerializedFMUstateSize);
    return i ? status_of(i, fmu_kept_size(i->c, SerializedFMUstateSize.name, state, size))
             : fmi2Error;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
    instance *i = open_call(component, &SerializeFMUstate);
    return i ? status_of(i, fmu_kept_write(i->c, SerializeFMUstate.name, state, bytes, size))
             : fmi2Error;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *out) {
    instance *i = open_call(component, &DeSerializeFMUstate);
    return i ? status_of(i, fmu_kept_read(i->c, DeSerializeFMUstate.name, bytes, size, out))
             : fmi2Error;
}

/* ---- model exchange ---- */

fmi2Status fmi2EnterEventMode(fmi2Component component) {
    instance *i = open_call(component, &EnterEventMode);
    if (!i) return fmi2Error;
    i->c->state = HOL__FMU_EVENT;
    return fmi2OK;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component component, fmi2EventInfo *info) {
    instance *i = open_call(component, &NewDiscreteStates);
    if (!i || fmu_need(i->c, NewDiscreteStates.name, 1, info)) return fmi2Error;
    int changed = 0, terminate = 0;
    double next = INFINITY;
    const hol_status status = hol__fmu_handle_events(i->c, &changed, &terminate, &next);
    *info = (fmi2EventInfo){.newDiscreteStatesNeeded = fmi2False,
                            .terminateSimulation = terminate,
                            .valuesOfContinuousStatesChanged = changed,
                            .nextEventTimeDefined = isfinite(next) != 0,
                            .nextEventTime = isfinite(next) ? next : 0};
    return status_of(i, status);
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component component) {
    instance *i = open_call(component, &EnterContinuousTimeMode);
    if (!i) return fmi2Error;
    i->c->state = HOL__FMU_CONTINUOUS;
    return fmi2OK;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component component, fmi2Boolean no_earlier,
                                       fmi2Boolean *enter_event_mode, fmi2Boolean *terminate) {
    instance *i = open_call(component, &CompletedIntegratorStep);
    (void)no_earlier;
    if (!i || fmu_need(i->c, CompletedIntegratorStep.name, 1, enter_event_mode) ||
        fmu_need(i->c, CompletedIntegratorStep.name, 1, terminate))
        return fmi2Error;
    *terminate = fmi2False;
    return status_of(i, hol__fmu_accept(i->c, enter_event_mode));
}

fmi2Status fmi2SetTime(fmi2Component component, fmi2Real t) {
    instance *i = open_call(component, &SetTime);
    return i ? status_of(i, hol__fmu_set_time(i->c, t)) : fmi2Error;
}

/* The instance for a call with a vector of n numbers, of which there are `count`. */
static instance *open_vector(fmi2Component component, const fmu_call *call, const void *x, size_t n,
                             int count) {
    instance *i = open_call(component, call);
    if (!i || fmu_need(i->c, call->name, n, x)) return NULL;
    if (n == (size_t)count) return i;
    hol__report(i->c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call->name,
                "there are %d numbers and not %zu", count, n);
    return NULL;
}

/* How many states, and conditions, the instance has; 0 for NULL. */
static int n_states(fmi2Component component) {
    const instance *i = component;
    return i ? i->c->table.n_states : 0;
}

static int n_conditions(fmi2Component component) {
    const instance *i = component;
    return i ? i->c->table.n_conditions : 0;
}

fmi2Status fmi2SetContinuousStates(fmi2Component component, const fmi2Real x[], size_t n) {
    instance *i = open_vector(component, &SetContinuousStates, x, n, n_states(component));
    return i ? status_of(i, hol__fmu_set_states(i->c, x)) : fmi2Error;
}

fmi2Status fmi2GetDerivatives(fmi2Component component, fmi2Real rates[], size_t n) {
    instance *i = open_vector(component, &GetDerivatives, rates, n, n_states(component));
    return i ? status_of(i, hol__fmu_get_rates(i->c, rates)) : fmi2Error;
}

fmi2Status fmi2GetEventIndicators(fmi2Component component, fmi2Real z[], size_t n) {
    instance *i = open_vector(component, &GetEventIndicators, z, n, n_conditions(component));
    return i ? status_of(i, hol__fmu_get_conditions(i->c, z)) : fmi2Error;
}

fmi2Status fmi2GetContinuousStates(fmi2Component component, fmi2Real x[], size_t n) {
    instance *i = open_vector(component, &GetContinuousStates, x, n, n_states(component));
    return i ? status_of(i, hol__fmu_get_states(i->c, x)) : fmi2Error;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component component, fmi2Real x[], size_t n) {
    instance *i = open_vector(component, &GetNominalsOfContinuousStates, x, n, n_states(component));
    if (!i) return fmi2Error;
    hol__fmu_get_nominals(i->c, x);
    return fmi2OK;
}

/* ---- co-simulation ---- */

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component,
                                       const fmi2ValueReference references[], size_t n,
                                       const fmi2Integer orders[], const fmi2Real values[]) {
    (void)references, (void)orders, (void)values;
    return of_none(component, &SetRealInputDerivatives, n);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component,
                                        const fmi2ValueReference references[], size_t n,
                                        const fmi2Integer orders[], fmi2Real values[]) {
    (void)references, (void)orders, (void)values;
    return of_none(component, &GetRealOutputDerivatives, n);
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real t, fmi2Real h, fmi2Boolean no_earlier) {
    instance *i = open_call(component, &DoStep);
    (void)no_earlier;
    if (!i) return fmi2Error;
    if (i->c->ended) {
        hol__report(i->c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, DoStep.name,
                    "the model has ended its run at t = %.17g", i->c->t);
        return status_of(i, HOL_ERR_ARGUMENT);
    }
    hol__fmu_step step;
    const fmi2Status status = status_of(i, hol__fmu_do_step(i->c, t, h, &step));
    return !status && step.terminate ? fmi2Discard : status;
}

fmi2Status fmi2CancelStep(fmi2Component component) {
    open_call(component, &CancelStep);
    return fmi2Error;
}

fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2StatusKind kind, fmi2Real *value) {
    instance *i = open_call(component, &GetStatus);
    if (!i || fmu_need(i->c, "fmi2GetRealStatus", 1, value)) return fmi2Error;
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = i->c->t;
    return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component component, fmi2StatusKind kind, fmi2Boolean *value) {
    instance *i = open_call(component, &GetStatus);
    if (!i || fmu_need(i->c, "fmi2GetBooleanStatus", 1, value)) return fmi2Error;
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = i->c->ended;
    return fmi2OK;
}

fmi2Status fmi2GetStatus(fmi2Component component, fmi2StatusKind kind, fmi2Status *value) {
    (void)kind, (void)value;
    return open_call(component, &GetStatus) ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component component, fmi2StatusKind kind, fmi2Integer *value) {
    (void)kind, (void)value;
    return open_call(component, &GetStatus) ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetStringStatus(fmi2Component component, fmi2StatusKind kind, fmi2String *value) {
    (void)kind, (void)value;
    return open_call(component, &GetStatus) ? fmi2Discard : fmi2Error;
}
