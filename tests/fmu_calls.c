/* fmu_calls.c: calls of an FMU in any order; see fmu/calls.h. */
#include "fmu/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 256, STATES = 3 };

typedef struct trial {
    const fmu_calls *f;
    int exchange, n_variables, n_states, n_conditions;
    void *handle, *kept[STATES];
    const fmu_choices *choices;
    double t, numbers[ROOM], out[ROOM];
    unsigned references[ROOM];
    unsigned char *bytes;
    size_t n_bytes;
} trial;

static unsigned pick(trial *r, unsigned below) {
    return r->choices->next(r->choices->user, below);
}

/* A number: mostly a plain one, sometimes none. Not a huge one: a step over 1e300 s is a run that
 * was asked for, and does not end. */
static double number(trial *r) {
    static const double odd[] = {0, -1, 1e-300, 4.7, NAN, INFINITY, -INFINITY};
    return pick(r, 8) ? 0.01 * (double)pick(r, 200) : odd[pick(r, 7)];
}

/* The length of a vector, mostly the right one, and numbers in it. */
static size_t fill_numbers(trial *r, int right) {
    const size_t n = pick(r, 8) ? (size_t)right : pick(r, 12);
    for (size_t i = 0; i < n && i < ROOM; i++) r->numbers[i] = number(r);
    return n < ROOM ? n : ROOM;
}

static size_t fill_references(trial *r) {
    const size_t n = pick(r, 4);
    for (size_t i = 0; i < n; i++) {
        r->references[i] = pick(r, 16) ? pick(r, (unsigned)r->n_variables) : pick(r, 100000);
        r->numbers[i] = number(r);
    }
    return n;
}

/* A pointer that is missing now and then. */
static void *maybe(trial *r, void *p) {
    return pick(r, 40) ? p : NULL;
}

/* Room for the bytes of a state. */
static void make_bytes(trial *r, size_t size) {
    free(r->bytes);
    r->bytes = calloc(size, 1);
    r->n_bytes = size;
}

/* Damage in them, half the time. */
static void damage(trial *r) {
    if (r->n_bytes && pick(r, 2))
        r->bytes[pick(r, (unsigned)r->n_bytes)] ^= (unsigned char)(1u << pick(r, 8));
}

/* The length of a step, and where it begins. */
static double step_length(trial *r, double *from) {
    *from = pick(r, 16) ? r->t : number(r);
    return pick(r, 8) ? 0.01 * (1 + pick(r, 5)) : number(r);
}

/* The start or the end of the run, mostly a plain one. */
static double span_end(trial *r, double plain) {
    return pick(r, 8) ? plain : number(r);
}

/* Calls of FMI 2.0 that only its kind of tool makes, or both. */
static int call2_values(trial *r, unsigned which) {
    const fmu_calls *f = r->f;
    void *c = r->handle, **state = &r->kept[pick(r, STATES)];
    const size_t n = fill_references(r);
    const unsigned unknown = pick(r, (unsigned)r->n_variables);
    int none[2];
    size_t size = 0;
    switch (which) {
    case 6: return (int)f->fmi2GetReal(c, maybe(r, r->references), n, maybe(r, r->out));
    case 7: return (int)f->fmi2SetReal(c, maybe(r, r->references), n, maybe(r, r->numbers));
    case 8: return (int)f->fmi2GetInteger(c, r->references, pick(r, 2), none);
    case 9: return (int)f->fmi2GetFMUstate(c, maybe(r, state));
    case 10: return (int)f->fmi2SetFMUstate(c, *state);
    case 11: return (int)f->fmi2FreeFMUstate(c, state);
    case 12:
        if (f->fmi2SerializedFMUstateSize(c, *state, &size)) return 1;
        make_bytes(r, size);
        return (int)f->fmi2SerializeFMUstate(c, *state, (char *)r->bytes, size - pick(r, 2));
    case 13:
        damage(r);
        return (int)f->fmi2DeSerializeFMUstate(c, (char *)r->bytes, r->n_bytes, state);
    default:
        return (int)f->fmi2GetDirectionalDerivative(c, &unknown, 1, r->references, n, r->numbers,
                                                    r->out);
    }
}

static int call2_exchange(trial *r, unsigned which) {
    const fmu_calls *f = r->f;
    void *c = r->handle;
    int flags[2];
    fmi2EventInfo info;
    size_t n;
    switch (which) {
    case 15: return (int)f->fmi2EnterEventMode(c);
    case 16: return (int)f->fmi2NewDiscreteStates(c, maybe(r, &info));
    case 17: return (int)f->fmi2EnterContinuousTimeMode(c);
    case 18: return (int)f->fmi2CompletedIntegratorStep(c, 1, &flags[0], maybe(r, &flags[1]));
    case 19: return (int)f->fmi2SetTime(c, r->t = pick(r, 8) ? r->t + 0.01 : number(r));
    case 20:
        n = fill_numbers(r, r->n_states);
        if (pick(r, 4) && !f->fmi2GetContinuousStates(c, r->numbers, (size_t)r->n_states))
            r->numbers[pick(r, (unsigned)r->n_states)] += 1e-3 * number(r);
        return (int)f->fmi2SetContinuousStates(c, maybe(r, r->numbers), n);
    case 21: return (int)f->fmi2GetDerivatives(c, r->out, fill_numbers(r, r->n_states));
    case 22: return (int)f->fmi2GetEventIndicators(c, r->out, fill_numbers(r, r->n_conditions));
    case 23: return (int)f->fmi2GetContinuousStates(c, r->out, fill_numbers(r, r->n_states));
    default:
        return (int)f->fmi2GetNominalsOfContinuousStates(c, r->out, fill_numbers(r, r->n_states));
    }
}

static int call2(trial *r, unsigned which) {
    const fmu_calls *f = r->f;
    void *c = r->handle;
    int flag = 0;
    double from;
    fmi2Status status;
    if (which >= 6 && which < 15) return call2_values(r, which);
    if (which >= 15 && which < 25) return call2_exchange(r, which);
    switch (which) {
    case 0: return (int)f->fmi2SetDebugLogging(c, (int)pick(r, 2), 0, NULL);
    case 1:
        return (int)f->fmi2SetupExperiment(c, (int)pick(r, 2), 1e-8, span_end(r, 0),
                                           (int)pick(r, 2), span_end(r, 3));
    case 2: return (int)f->fmi2EnterInitializationMode(c);
    case 3: return (int)f->fmi2ExitInitializationMode(c);
    case 4: return pick(r, 4) ? 0 : (int)f->fmi2Terminate(c);
    case 5: return pick(r, 4) ? 0 : (int)f->fmi2Reset(c);
    case 25:
        return (int)f->fmi2SetRealInputDerivatives(c, r->references, pick(r, 2), &flag, r->numbers);
    case 26: {
        const double h = step_length(r, &from);
        status = f->fmi2DoStep(c, from, h, 1);
        if (!status) r->t += h;
        return (int)status;
    }
    case 27: return (int)f->fmi2CancelStep(c);
    case 28: return (int)f->fmi2GetStatus(c, fmi2DoStepStatus, &status);
    case 29: return (int)f->fmi2GetRealStatus(c, (fmi2StatusKind)pick(r, 4), maybe(r, r->out));
    default: return (int)f->fmi2GetBooleanStatus(c, (fmi2StatusKind)pick(r, 4), &flag);
    }
}

static int call3_values(trial *r, unsigned which) {
    const fmu_calls *f = r->f;
    void *c = r->handle, **state = &r->kept[pick(r, STATES)];
    const size_t n = fill_references(r);
    const unsigned unknown = pick(r, (unsigned)r->n_variables);
    size_t size = 0;
    switch (which) {
    case 6:
        return (int)f->fmi3GetFloat64(c, maybe(r, r->references), n, maybe(r, r->out),
                                      n + !pick(r, 20));
    case 7: return (int)f->fmi3SetFloat64(c, maybe(r, r->references), n, maybe(r, r->numbers), n);
    case 8: return (int)f->fmi3GetInt32(c, r->references, pick(r, 2), NULL, 0);
    case 9: return (int)f->fmi3GetFMUState(c, maybe(r, state));
    case 10: return (int)f->fmi3SetFMUState(c, *state);
    case 11: return (int)f->fmi3FreeFMUState(c, state);
    case 12:
        if (f->fmi3SerializedFMUStateSize(c, *state, &size)) return 1;
        make_bytes(r, size);
        return (int)f->fmi3SerializeFMUState(c, *state, r->bytes, size - pick(r, 2));
    case 13: damage(r); return (int)f->fmi3DeserializeFMUState(c, r->bytes, r->n_bytes, state);
    default:
        if (pick(r, 2))
            return (int)f->fmi3GetAdjointDerivative(c, &unknown, 1, r->references, n, r->numbers, 1,
                                                    r->out, n);
        return (int)f->fmi3GetDirectionalDerivative(c, &unknown, 1, r->references, n, r->numbers, n,
                                                    r->out, 1);
    }
}

static int call3_exchange(trial *r, unsigned which) {
    const fmu_calls *f = r->f;
    void *c = r->handle;
    bool b[5];
    size_t n;
    switch (which) {
    case 15: return (int)f->fmi3EnterEventMode(c);
    case 16:
        return (int)f->fmi3UpdateDiscreteStates(c, &b[0], &b[1], &b[2], &b[3], &b[4],
                                                maybe(r, r->out));
    case 17:
        return (int)(r->exchange ? f->fmi3EnterContinuousTimeMode(c) : f->fmi3EnterStepMode(c));
    case 18: return (int)f->fmi3CompletedIntegratorStep(c, true, &b[0], maybe(r, &b[1]));
    case 19: return (int)f->fmi3SetTime(c, r->t = pick(r, 8) ? r->t + 0.01 : number(r));
    case 20:
        n = fill_numbers(r, r->n_states);
        if (pick(r, 4) && !f->fmi3GetContinuousStates(c, r->numbers, (size_t)r->n_states))
            r->numbers[pick(r, (unsigned)r->n_states)] += 1e-3 * number(r);
        return (int)f->fmi3SetContinuousStates(c, maybe(r, r->numbers), n);
    case 21:
        return (int)f->fmi3GetContinuousStateDerivatives(c, r->out, fill_numbers(r, r->n_states));
    case 22: return (int)f->fmi3GetEventIndicators(c, r->out, fill_numbers(r, r->n_conditions));
    case 23: return (int)f->fmi3GetContinuousStates(c, r->out, fill_numbers(r, r->n_states));
    default:
        return (int)f->fmi3GetNominalsOfContinuousStates(c, r->out, fill_numbers(r, r->n_states));
    }
}

static int call3(trial *r, unsigned which) {
    const fmu_calls *f = r->f;
    void *c = r->handle;
    bool b[3];
    size_t size;
    double from;
    fmi3Status status;
    if (which >= 6 && which < 15) return call3_values(r, which);
    if (which >= 15 && which < 25) return call3_exchange(r, which);
    switch (which) {
    case 0: return (int)f->fmi3SetDebugLogging(c, pick(r, 2) != 0, 0, NULL);
    case 1:
    case 2:
        return (int)f->fmi3EnterInitializationMode(c, pick(r, 2) != 0, 1e-8, span_end(r, 0),
                                                   pick(r, 2) != 0, span_end(r, 3));
    case 3: return (int)f->fmi3ExitInitializationMode(c);
    case 4: return pick(r, 4) ? 0 : (int)f->fmi3Terminate(c);
    case 5: return pick(r, 4) ? 0 : (int)f->fmi3Reset(c);
    case 25: return (int)f->fmi3SetClock(c, r->references, pick(r, 2), b);
    case 26: {
        const double h = step_length(r, &from);
        status = f->fmi3DoStep(c, from, h, true, &b[0], &b[1], &b[2], &r->out[0]);
        if (!status) r->t = r->out[0];
        return (int)status;
    }
    case 27: return (int)f->fmi3EnterConfigurationMode(c);
    case 28: return (int)f->fmi3GetNumberOfEventIndicators(c, maybe(r, &size));
    case 29: return (int)f->fmi3EvaluateDiscreteStates(c);
    default: return (int)(pick(r, 2) ? f->fmi3EnterStepMode(c) : f->fmi3EnterContinuousTimeMode(c));
    }
}

/* A walk as the standard has it. */
static unsigned next_legal(const trial *r, int at) {
    static const unsigned exchange[] = {1, 2, 3, 16, 17, 19, 20, 21, 18, 15, 16, 17, 6, 9},
                          steps[] = {1, 2, 3, 17, 26, 26, 6, 7, 9, 26, 15, 16, 17, 26};
    return (r->exchange ? exchange : steps)[at % 14];
}

void fmu_call_at_random(const fmu_calls *calls, int version, int exchange, void *handle,
                        int n_variables, int n_states, int n_conditions, int most,
                        const fmu_choices *choices, fmu_tally *tally) {
    trial r = {.f = calls,
               .exchange = exchange,
               .handle = handle,
               .n_variables = n_variables,
               .n_states = n_states,
               .n_conditions = n_conditions,
               .choices = choices};
    int at = 0;
    for (int k = 0; k < most; k++) {
        const unsigned which = pick(&r, 3) ? next_legal(&r, at++) : pick(&r, 31);
        const int status = version == 2 ? call2(&r, which) : call3(&r, which);
        *(status ? &tally->refused : &tally->good) += 1;
    }
    for (int k = 0; k < STATES; k++)
        if (version == 2)
            calls->fmi2FreeFMUstate(handle, &r.kept[k]);
        else
            calls->fmi3FreeFMUState(handle, &r.kept[k]);
    if (version == 2)
        calls->fmi2FreeInstance(handle);
    else
        calls->fmi3FreeInstance(handle);
    free(r.bytes);
}
