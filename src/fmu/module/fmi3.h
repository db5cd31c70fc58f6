/* fmi3.h: the interface of FMI 3.0.1, written from the tables of the standard: names, types and
 * values of the functions that an FMU has. */
#ifndef HOL_FMU_FMI3_H
#define HOL_FMU_FMI3_H

#include "fmu/module/exports.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8, fmi3Byte;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean, fmi3Clock;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef const fmi3Byte *fmi3Binary;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;

typedef enum {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;

typedef enum {
    fmi3IntervalNotYetKnown,
    fmi3IntervalUnchanged,
    fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean *,
                                               fmi3Float64 *);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

FMU_EXPORT const char *fmi3GetVersion(void);
FMU_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, size_t, const fmi3String[]);
FMU_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String,
                                                     fmi3Boolean, fmi3Boolean,
                                                     fmi3InstanceEnvironment,
                                                     fmi3LogMessageCallback);
FMU_EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                    fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                                    const fmi3ValueReference[], size_t,
                                                    fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                                    fmi3IntermediateUpdateCallback);
FMU_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3InstanceEnvironment,
    fmi3LogMessageCallback, fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
    fmi3UnlockPreemptionCallback);
FMU_EXPORT void fmi3FreeInstance(fmi3Instance);
FMU_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, fmi3Float64,
                                                  fmi3Float64, fmi3Boolean, fmi3Float64);
FMU_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance);
FMU_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance);
FMU_EXPORT fmi3Status fmi3Terminate(fmi3Instance);
FMU_EXPORT fmi3Status fmi3Reset(fmi3Instance);

FMU_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance, const fmi3ValueReference[], size_t,
                                     fmi3Float64[], size_t);
FMU_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance, const fmi3ValueReference[], size_t,
                                     const fmi3Float64[], size_t);

/* The types of which there are no variables here, with their C types. */
#define FMI3_OTHER_TYPES(X)                                                                        \
    X(Float32, fmi3Float32)                                                                        \
    X(Int8, fmi3Int8)                                                                              \
    X(UInt8, fmi3UInt8)                                                                            \
    X(Int16, fmi3Int16)                                                                            \
    X(UInt16, fmi3UInt16)                                                                          \
    X(Int32, fmi3Int32)                                                                            \
    X(UInt32, fmi3UInt32)                                                                          \
    X(Int64, fmi3Int64)                                                                            \
    X(UInt64, fmi3UInt64)                                                                          \
    X(Boolean, fmi3Boolean)                                                                        \
    X(String, fmi3String)

#define FMI3_DECLARE(name, type)                                                                   \
    FMU_EXPORT fmi3Status fmi3Get##name(fmi3Instance, const fmi3ValueReference[], size_t, type[],  \
                                        size_t);                                                   \
    FMU_EXPORT fmi3Status fmi3Set##name(fmi3Instance, const fmi3ValueReference[], size_t,          \
                                        const type[], size_t);
FMI3_OTHER_TYPES(FMI3_DECLARE)
#undef FMI3_DECLARE

FMU_EXPORT fmi3Status fmi3GetBinary(fmi3Instance, const fmi3ValueReference[], size_t, size_t[],
                                    fmi3Binary[], size_t);
FMU_EXPORT fmi3Status fmi3SetBinary(fmi3Instance, const fmi3ValueReference[], size_t,
                                    const size_t[], const fmi3Binary[], size_t);
FMU_EXPORT fmi3Status fmi3GetClock(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Clock[]);
FMU_EXPORT fmi3Status fmi3SetClock(fmi3Instance, const fmi3ValueReference[], size_t,
                                   const fmi3Clock[]);

FMU_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance, fmi3ValueReference,
                                                          size_t *);
FMU_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance, fmi3ValueReference, size_t[],
                                                  fmi3ValueReference[], size_t[],
                                                  fmi3DependencyKind[], size_t);
FMU_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance, fmi3FMUState *);
FMU_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance, fmi3FMUState);
FMU_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState *);
FMU_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3FMUState, size_t *);
FMU_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3FMUState, fmi3Byte[], size_t);
FMU_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte[], size_t,
                                              fmi3FMUState *);
FMU_EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance, const fmi3ValueReference[], size_t,
                                                   const fmi3ValueReference[], size_t,
                                                   const fmi3Float64[], size_t, fmi3Float64[],
                                                   size_t);
FMU_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance, const fmi3ValueReference[], size_t,
                                               const fmi3ValueReference[], size_t,
                                               const fmi3Float64[], size_t, fmi3Float64[], size_t);
FMU_EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance);
FMU_EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance);

FMU_EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance, const fmi3ValueReference[], size_t,
                                             fmi3Float64[], fmi3IntervalQualifier[]);
FMU_EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance, const fmi3ValueReference[], size_t,
                                              fmi3UInt64[], fmi3UInt64[], fmi3IntervalQualifier[]);
FMU_EXPORT fmi3Status fmi3GetShiftDecimal(fmi3Instance, const fmi3ValueReference[], size_t,
                                          fmi3Float64[]);
FMU_EXPORT fmi3Status fmi3GetShiftFraction(fmi3Instance, const fmi3ValueReference[], size_t,
                                           fmi3UInt64[], fmi3UInt64[]);
FMU_EXPORT fmi3Status fmi3SetIntervalDecimal(fmi3Instance, const fmi3ValueReference[], size_t,
                                             const fmi3Float64[]);
FMU_EXPORT fmi3Status fmi3SetIntervalFraction(fmi3Instance, const fmi3ValueReference[], size_t,
                                              const fmi3UInt64[], const fmi3UInt64[]);
FMU_EXPORT fmi3Status fmi3SetShiftDecimal(fmi3Instance, const fmi3ValueReference[], size_t,
                                          const fmi3Float64[]);
FMU_EXPORT fmi3Status fmi3SetShiftFraction(fmi3Instance, const fmi3ValueReference[], size_t,
                                           const fmi3UInt64[], const fmi3UInt64[]);
FMU_EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance);
FMU_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance, fmi3Boolean *, fmi3Boolean *,
                                               fmi3Boolean *, fmi3Boolean *, fmi3Boolean *,
                                               fmi3Float64 *);

FMU_EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance);
FMU_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance, fmi3Boolean, fmi3Boolean *,
                                                  fmi3Boolean *);
FMU_EXPORT fmi3Status fmi3SetTime(fmi3Instance, fmi3Float64);
FMU_EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance, const fmi3Float64[], size_t);
FMU_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance, fmi3Float64[], size_t);
FMU_EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance, fmi3Float64[], size_t);
FMU_EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance, fmi3Float64[], size_t);
FMU_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance, fmi3Float64[], size_t);
FMU_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance, size_t *);
FMU_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance, size_t *);

FMU_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance);
FMU_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance, const fmi3ValueReference[], size_t,
                                               const fmi3Int32[], fmi3Float64[], size_t);
FMU_EXPORT fmi3Status fmi3DoStep(fmi3Instance, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean *,
                                 fmi3Boolean *, fmi3Boolean *, fmi3Float64 *);
FMU_EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance, fmi3ValueReference, fmi3Float64);

#endif
