/* calls.h: calls of an FMU in any order, legal or not, with arguments that are right or not. */
#ifndef FMU_CALLS_H
#define FMU_CALLS_H

#include "fmu/module/fmi2.h"
#include "fmu/module/fmi3.h"

#include <stddef.h>

/* What is called: the functions of a binary, or those that are linked. */
#define FMU_CALLS2(X)                                                                              \
    X(fmi2SetDebugLogging)                                                                         \
    X(fmi2SetupExperiment)                                                                         \
    X(fmi2EnterInitializationMode)                                                                 \
    X(fmi2ExitInitializationMode)                                                                  \
    X(fmi2Terminate)                                                                               \
    X(fmi2Reset)                                                                                   \
    X(fmi2GetReal)                                                                                 \
    X(fmi2SetReal)                                                                                 \
    X(fmi2GetInteger)                                                                              \
    X(fmi2GetFMUstate)                                                                             \
    X(fmi2SetFMUstate)                                                                             \
    X(fmi2FreeFMUstate)                                                                            \
    X(fmi2SerializedFMUstateSize)                                                                  \
    X(fmi2SerializeFMUstate)                                                                       \
    X(fmi2DeSerializeFMUstate)                                                                     \
    X(fmi2GetDirectionalDerivative)                                                                \
    X(fmi2EnterEventMode)                                                                          \
    X(fmi2NewDiscreteStates)                                                                       \
    X(fmi2EnterContinuousTimeMode)                                                                 \
    X(fmi2CompletedIntegratorStep)                                                                 \
    X(fmi2SetTime)                                                                                 \
    X(fmi2SetContinuousStates)                                                                     \
    X(fmi2GetDerivatives)                                                                          \
    X(fmi2GetEventIndicators)                                                                      \
    X(fmi2GetContinuousStates)                                                                     \
    X(fmi2GetNominalsOfContinuousStates)                                                           \
    X(fmi2SetRealInputDerivatives)                                                                 \
    X(fmi2DoStep)                                                                                  \
    X(fmi2CancelStep)                                                                              \
    X(fmi2GetStatus)                                                                               \
    X(fmi2GetRealStatus)                                                                           \
    X(fmi2GetBooleanStatus)                                                                        \
    X(fmi2FreeInstance)
#define FMU_CALLS3(X)                                                                              \
    X(fmi3SetDebugLogging)                                                                         \
    X(fmi3EnterInitializationMode)                                                                 \
    X(fmi3ExitInitializationMode)                                                                  \
    X(fmi3Terminate)                                                                               \
    X(fmi3Reset)                                                                                   \
    X(fmi3GetFloat64)                                                                              \
    X(fmi3SetFloat64)                                                                              \
    X(fmi3GetInt32)                                                                                \
    X(fmi3SetClock)                                                                                \
    X(fmi3GetFMUState)                                                                             \
    X(fmi3SetFMUState)                                                                             \
    X(fmi3FreeFMUState)                                                                            \
    X(fmi3SerializedFMUStateSize)                                                                  \
    X(fmi3SerializeFMUState)                                                                       \
    X(fmi3DeserializeFMUState)                                                                     \
    X(fmi3GetDirectionalDerivative)                                                                \
    X(fmi3GetAdjointDerivative)                                                                    \
    X(fmi3EnterConfigurationMode)                                                                  \
    X(fmi3EnterEventMode)                                                                          \
    X(fmi3EvaluateDiscreteStates)                                                                  \
    X(fmi3UpdateDiscreteStates)                                                                    \
    X(fmi3EnterContinuousTimeMode)                                                                 \
    X(fmi3EnterStepMode)                                                                           \
    X(fmi3CompletedIntegratorStep)                                                                 \
    X(fmi3SetTime)                                                                                 \
    X(fmi3SetContinuousStates)                                                                     \
    X(fmi3GetContinuousStateDerivatives)                                                           \
    X(fmi3GetEventIndicators)                                                                      \
    X(fmi3GetContinuousStates)                                                                     \
    X(fmi3GetNominalsOfContinuousStates)                                                           \
    X(fmi3GetNumberOfEventIndicators)                                                              \
    X(fmi3DoStep)                                                                                  \
    X(fmi3FreeInstance)

#define FMU_MEMBER(name) __typeof__(&name) name;
typedef struct fmu_calls {
    FMU_CALLS2(FMU_MEMBER)
    FMU_CALLS3(FMU_MEMBER)
} fmu_calls;
#undef FMU_MEMBER

/* Where choices come from: bytes, or numbers of a generator. */
typedef struct fmu_choices {
    unsigned (*next)(void *user, unsigned below);
    void *user;
} fmu_choices;

/* How many of the calls went well, and how many were refused. */
typedef struct fmu_tally {
    long good, refused;
} fmu_tally;

/* Up to `most` calls on an instance of that version with so many variables, states and conditions,
 * which is freed at the end; a share of them follows the order of the standard, so that the
 * instance gets somewhere. */
void fmu_call_at_random(const fmu_calls *calls, int version, int exchange, void *handle,
                        int n_variables, int n_states, int n_conditions, int most,
                        const fmu_choices *choices, fmu_tally *tally);

#endif
