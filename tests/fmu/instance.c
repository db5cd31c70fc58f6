/* instance.c: calls on an instance of an FMU, in the order that the standard allows. */
#include "fmu/importer.h"

#include "fmu/module/fmi2.h"
#include "fmu/module/fmi3.h"
#include "model_fixture.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The function of the binary, by the type of the declaration. */
#define F(name) ((__typeof__(&name))fmu_function(i->fmu, #name))

/* ---- callbacks ---- */

static void keep_message(fmu_instance *i, int error, const char *text) {
    i->errors += error;
    snprintf(i->last, sizeof i->last, "%s", text);
}

static void hear2(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                  fmi2String category, fmi2String format, ...) {
    char text[1024];
    va_list args;
    (void)name, (void)category;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    keep_message(environment, status >= fmi2Error, text);
}

static void hear3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String text) {
    (void)category;
    keep_message(environment, status >= fmi3Error, text);
}

/* Blocks that all instances of FMI 2.0 hold. */
static long n_blocks;

static void *take(size_t n, size_t size) {
    n_blocks++;
    return calloc(n, size);
}

static void give(void *block) {
    n_blocks -= block != NULL;
    free(block);
}

static void update(fmi3InstanceEnvironment environment, fmi3Float64 t, fmi3Boolean sets,
                   fmi3Boolean gets, fmi3Boolean finished, fmi3Boolean may_return,
                   fmi3Boolean *early, fmi3Float64 *when) {
    fmu_instance *i = environment;
    assert_false(sets);
    assert_true(gets && finished);
    *early = may_return && ++i->updates == i->ask;
    *when = t;
}

/* ---- life ---- */

static void *make(fmu_instance *i, int exchange, int uses_events) {
    static const fmi2CallbackFunctions none = {NULL, NULL, NULL, NULL, NULL};
    static _Thread_local fmi2CallbackFunctions callbacks;
    const fmu_archive *f = i->fmu;
    callbacks = none;
    callbacks = (fmi2CallbackFunctions){hear2, take, give, NULL, i};
    if (f->version == 2)
        return F(fmi2Instantiate)("one", exchange ? fmi2ModelExchange : fmi2CoSimulation, f->token,
                                  f->resources, &callbacks, 0, 0);
    if (exchange)
        return F(fmi3InstantiateModelExchange)("one", f->token, f->resources, false, false, i,
                                               hear3);
    return F(fmi3InstantiateCoSimulation)("one", f->token, f->resources, false, false,
                                          uses_events != 0, uses_events != 0, NULL, 0, i, hear3,
                                          update);
}

void *fmu_raw(const fmu_archive *fmu, int exchange, int uses_events, long *blocks) {
    static fmu_instance nobody;
    nobody = (fmu_instance){.fmu = fmu};
    if (blocks) *blocks = n_blocks;
    return make(&nobody, exchange, uses_events);
}

void fmu_start(fmu_instance *i, const fmu_archive *fmu, int exchange, int uses_events) {
    *i = (fmu_instance){.fmu = fmu, .exchange = exchange, .uses_events = uses_events};
    assert_true(exchange ? fmu->has_exchange : fmu->has_simulation);
    i->handle = make(i, exchange, uses_events);
    if (!i->handle) fail_msg("%s", i->last);
    assert_string_equal(fmu->version == 2 ? F(fmi2GetVersion)() : F(fmi3GetVersion)(),
                        fmu->version == 2 ? "2.0" : "3.0");
}

void fmu_free(fmu_instance *i) {
    if (i->fmu->version == 2)
        F(fmi2FreeInstance)(i->handle);
    else
        F(fmi3FreeInstance)(i->handle);
    i->handle = NULL;
}

/* A call went well, and was one that may be made now. */
static void good(const fmu_instance *i, int status, unsigned modes) {
    if (!(modes & 1u << i->mode)) fail_msg("the importer made a call in mode %d", (int)i->mode);
    if (status) fail_msg("status %d: %s", status, i->last);
}

#define IN(mode) (1u << (mode))
#define BOTH(name2, name3) (i->fmu->version == 2 ? (int)(name2) : (int)(name3))

void fmu_begin(fmu_instance *i, double start, double stop) {
    if (i->fmu->version == 2) {
        good(i, F(fmi2SetupExperiment)(i->handle, 0, 0, start, isfinite(stop), stop), IN(FMU_NEW));
        good(i, F(fmi2EnterInitializationMode)(i->handle), IN(FMU_NEW));
    } else
        good(i,
             F(fmi3EnterInitializationMode)(i->handle, false, 0, start, isfinite(stop) != 0, stop),
             IN(FMU_NEW));
    i->mode = FMU_INIT;
    i->t = start;
}

/* Event mode until nothing is left to do. */
static void settle(fmu_instance *i) {
    int needed = 1;
    i->changed = 0;
    for (int k = 0; needed && k < 50 && !i->terminate; k++) {
        if (i->fmu->version == 2) {
            fmi2EventInfo info;
            good(i, F(fmi2NewDiscreteStates)(i->handle, &info), IN(FMU_EVENTS));
            needed = info.newDiscreteStatesNeeded;
            i->changed |= info.valuesOfContinuousStatesChanged;
            i->terminate = info.terminateSimulation;
            i->has_next = info.nextEventTimeDefined, i->next = info.nextEventTime;
        } else {
            fmi3Boolean more, ends, nominals, values, defined;
            good(i,
                 F(fmi3UpdateDiscreteStates)(i->handle, &more, &ends, &nominals, &values, &defined,
                                             &i->next),
                 IN(FMU_EVENTS));
            needed = more, i->changed |= values, i->terminate = ends, i->has_next = defined;
        }
    }
    assert_true(!needed || i->terminate);
}

/* From event mode on. */
static void leave_events(fmu_instance *i) {
    if (i->exchange)
        good(i,
             BOTH(F(fmi2EnterContinuousTimeMode)(i->handle),
                  F(fmi3EnterContinuousTimeMode)(i->handle)),
             IN(FMU_EVENTS));
    else
        good(i, F(fmi3EnterStepMode)(i->handle), IN(FMU_EVENTS));
    i->mode = i->exchange ? FMU_CONTINUOUS : FMU_STEPS;
}

void fmu_ready(fmu_instance *i) {
    good(i,
         BOTH(F(fmi2ExitInitializationMode)(i->handle), F(fmi3ExitInitializationMode)(i->handle)),
         IN(FMU_INIT));
    i->mode = i->exchange || i->uses_events ? FMU_EVENTS : FMU_STEPS;
    if (i->mode != FMU_EVENTS) return;
    settle(i);
    leave_events(i);
}

void fmu_events(fmu_instance *i) {
    good(i, BOTH(F(fmi2EnterEventMode)(i->handle), F(fmi3EnterEventMode)(i->handle)),
         IN(FMU_CONTINUOUS) | IN(FMU_STEPS));
    i->mode = FMU_EVENTS;
    settle(i);
    if (!i->terminate) leave_events(i);
}

/* ---- values ---- */

void fmu_set(fmu_instance *i, unsigned reference, double value) {
    good(i,
         BOTH(F(fmi2SetReal)(i->handle, &reference, 1, &value),
              F(fmi3SetFloat64)(i->handle, &reference, 1, &value, 1)),
         IN(FMU_NEW) | IN(FMU_INIT) | IN(FMU_EVENTS) | IN(FMU_CONTINUOUS) | IN(FMU_STEPS));
}

double fmu_get(fmu_instance *i, unsigned reference) {
    double value = NAN;
    good(i,
         BOTH(F(fmi2GetReal)(i->handle, &reference, 1, &value),
              F(fmi3GetFloat64)(i->handle, &reference, 1, &value, 1)),
         IN(FMU_INIT) | IN(FMU_EVENTS) | IN(FMU_CONTINUOUS) | IN(FMU_STEPS) | IN(FMU_ENDED));
    return value;
}

void fmu_set_time(fmu_instance *i, double t) {
    good(i, BOTH(F(fmi2SetTime)(i->handle, t), F(fmi3SetTime)(i->handle, t)), IN(FMU_CONTINUOUS));
    i->t = t;
}

static size_t n_states(const fmu_instance *i) {
    return (size_t)i->fmu->n_states;
}

void fmu_set_states(fmu_instance *i, const double *x) {
    good(i,
         BOTH(F(fmi2SetContinuousStates)(i->handle, x, n_states(i)),
              F(fmi3SetContinuousStates)(i->handle, x, n_states(i))),
         IN(FMU_CONTINUOUS));
}

void fmu_get_states(fmu_instance *i, double *x) {
    good(i,
         BOTH(F(fmi2GetContinuousStates)(i->handle, x, n_states(i)),
              F(fmi3GetContinuousStates)(i->handle, x, n_states(i))),
         IN(FMU_EVENTS) | IN(FMU_CONTINUOUS));
}

void fmu_get_rates(fmu_instance *i, double *rates) {
    good(i,
         BOTH(F(fmi2GetDerivatives)(i->handle, rates, n_states(i)),
              F(fmi3GetContinuousStateDerivatives)(i->handle, rates, n_states(i))),
         IN(FMU_EVENTS) | IN(FMU_CONTINUOUS));
}

void fmu_get_conditions(fmu_instance *i, double *z) {
    const size_t n = (size_t)i->fmu->n_conditions;
    good(i,
         BOTH(F(fmi2GetEventIndicators)(i->handle, z, n),
              F(fmi3GetEventIndicators)(i->handle, z, n)),
         IN(FMU_EVENTS) | IN(FMU_CONTINUOUS));
}

int fmu_step_completed(fmu_instance *i) {
    int events = 0, ends = 0;
    fmi3Boolean events3 = false, ends3 = false;
    good(i,
         BOTH(F(fmi2CompletedIntegratorStep)(i->handle, 0, &events, &ends),
              F(fmi3CompletedIntegratorStep)(i->handle, false, &events3, &ends3)),
         IN(FMU_CONTINUOUS));
    return events || events3;
}

int fmu_do_step(fmu_instance *i, double t, double h) {
    if (i->fmu->version == 2) {
        const fmi2Status status = F(fmi2DoStep)(i->handle, t, h, 0);
        good(i, status == fmi2Discard ? 0 : (int)status, IN(FMU_STEPS));
        i->reached = t + h;
        if (status != fmi2Discard) return 0;
        fmi2Boolean terminated = 0;
        good(i, F(fmi2GetBooleanStatus)(i->handle, fmi2Terminated, &terminated), IN(FMU_STEPS));
        good(i, F(fmi2GetRealStatus)(i->handle, fmi2LastSuccessfulTime, &i->reached),
             IN(FMU_STEPS));
        assert_true(terminated);
        return 1;
    }
    fmi3Boolean event, ends, early;
    good(i, F(fmi3DoStep)(i->handle, t, h, false, &event, &ends, &early, &i->reached),
         IN(FMU_STEPS));
    i->event = event, i->early = early;
    return ends;
}

/* ---- derivatives ---- */

void fmu_forward(fmu_instance *i, size_t n_unknown, const unsigned *unknown, size_t n_known,
                 const unsigned *known, const double *seed, double *out) {
    good(i,
         BOTH(F(fmi2GetDirectionalDerivative)(i->handle, unknown, n_unknown, known, n_known, seed,
                                              out),
              F(fmi3GetDirectionalDerivative)(i->handle, unknown, n_unknown, known, n_known, seed,
                                              n_known, out, n_unknown)),
         IN(FMU_INIT) | IN(FMU_EVENTS) | IN(FMU_CONTINUOUS) | IN(FMU_STEPS));
}

void fmu_backward(fmu_instance *i, size_t n_unknown, const unsigned *unknown, size_t n_known,
                  const unsigned *known, const double *seed, double *out) {
    good(i,
         F(fmi3GetAdjointDerivative)(i->handle, unknown, n_unknown, known, n_known, seed, n_unknown,
                                     out, n_known),
         IN(FMU_INIT) | IN(FMU_EVENTS) | IN(FMU_CONTINUOUS) | IN(FMU_STEPS));
}

/* ---- states ---- */

enum { ANY_MODE = ~0 };

void *fmu_keep(fmu_instance *i) {
    void *state = NULL;
    good(i, BOTH(F(fmi2GetFMUstate)(i->handle, &state), F(fmi3GetFMUState)(i->handle, &state)),
         (unsigned)ANY_MODE);
    return state;
}

void fmu_load(fmu_instance *i, void *state) {
    good(i, BOTH(F(fmi2SetFMUstate)(i->handle, state), F(fmi3SetFMUState)(i->handle, state)),
         (unsigned)ANY_MODE);
}

void fmu_drop(fmu_instance *i, void *state) {
    good(i, BOTH(F(fmi2FreeFMUstate)(i->handle, &state), F(fmi3FreeFMUState)(i->handle, &state)),
         (unsigned)ANY_MODE);
}

void *fmu_carry(fmu_instance *from, void *state, fmu_instance *to) {
    size_t size = 0;
    void *arrived = NULL;
    fmu_instance *i = from;
    good(i,
         BOTH(F(fmi2SerializedFMUstateSize)(i->handle, state, &size),
              F(fmi3SerializedFMUStateSize)(i->handle, state, &size)),
         (unsigned)ANY_MODE);
    char *bytes = malloc(size);
    good(i,
         BOTH(F(fmi2SerializeFMUstate)(i->handle, state, bytes, size),
              F(fmi3SerializeFMUState)(i->handle, state, (fmi3Byte *)bytes, size)),
         (unsigned)ANY_MODE);
    i = to;
    good(i,
         BOTH(F(fmi2DeSerializeFMUstate)(i->handle, bytes, size, &arrived),
              F(fmi3DeserializeFMUState)(i->handle, (fmi3Byte *)bytes, size, &arrived)),
         (unsigned)ANY_MODE);
    free(bytes);
    return arrived;
}
