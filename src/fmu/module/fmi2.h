/* fmi2.h: the interface of FMI 2.0.4, written from the tables of the standard: names, types and
 * values of the functions that an FMU has. */
#ifndef HOL_FMU_FMI2_H
#define HOL_FMU_FMI2_H

#include "fmu/module/exports.h"

#include <stddef.h>

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;

enum { fmi2False = 0, fmi2True = 1 };

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;

typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;

typedef enum {
    fmi2DoStepStatus,
    fmi2PendingStatus,
    fmi2LastSuccessfulTime,
    fmi2Terminated
} fmi2StatusKind;

typedef void fmi2CallbackLogger(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String,
                                fmi2String, ...);
typedef void *fmi2CallbackAllocateMemory(size_t, size_t);
typedef void fmi2CallbackFreeMemory(void *);
typedef void fmi2StepFinished(fmi2ComponentEnvironment, fmi2Status);

typedef struct {
    fmi2CallbackLogger *logger;
    fmi2CallbackAllocateMemory *allocateMemory;
    fmi2CallbackFreeMemory *freeMemory;
    fmi2StepFinished *stepFinished;
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
        valuesOfContinuousStatesChanged, nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

FMU_EXPORT const char *fmi2GetTypesPlatform(void);
FMU_EXPORT const char *fmi2GetVersion(void);
FMU_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, size_t, const fmi2String[]);
FMU_EXPORT fmi2Component fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String,
                                         const fmi2CallbackFunctions *, fmi2Boolean, fmi2Boolean);
FMU_EXPORT void fmi2FreeInstance(fmi2Component);
FMU_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real,
                                          fmi2Boolean, fmi2Real);
FMU_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component);
FMU_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component);
FMU_EXPORT fmi2Status fmi2Terminate(fmi2Component);
FMU_EXPORT fmi2Status fmi2Reset(fmi2Component);
FMU_EXPORT fmi2Status fmi2GetReal(fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]);
FMU_EXPORT fmi2Status fmi2GetInteger(fmi2Component, const fmi2ValueReference[], size_t,
                                     fmi2Integer[]);
FMU_EXPORT fmi2Status fmi2GetBoolean(fmi2Component, const fmi2ValueReference[], size_t,
                                     fmi2Boolean[]);
FMU_EXPORT fmi2Status fmi2GetString(fmi2Component, const fmi2ValueReference[], size_t,
                                    fmi2String[]);
FMU_EXPORT fmi2Status fmi2SetReal(fmi2Component, const fmi2ValueReference[], size_t,
                                  const fmi2Real[]);
FMU_EXPORT fmi2Status fmi2SetInteger(fmi2Component, const fmi2ValueReference[], size_t,
                                     const fmi2Integer[]);
FMU_EXPORT fmi2Status fmi2SetBoolean(fmi2Component, const fmi2ValueReference[], size_t,
                                     const fmi2Boolean[]);
FMU_EXPORT fmi2Status fmi2SetString(fmi2Component, const fmi2ValueReference[], size_t,
                                    const fmi2String[]);
FMU_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component, fmi2FMUstate *);
FMU_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component, fmi2FMUstate);
FMU_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate *);
FMU_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, size_t *);
FMU_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate, fmi2Byte[], size_t);
FMU_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte[], size_t,
                                              fmi2FMUstate *);
FMU_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component, const fmi2ValueReference[],
                                                   size_t, const fmi2ValueReference[], size_t,
                                                   const fmi2Real[], fmi2Real[]);
FMU_EXPORT fmi2Status fmi2EnterEventMode(fmi2Component);
FMU_EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component, fmi2EventInfo *);
FMU_EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component);
FMU_EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component, fmi2Boolean, fmi2Boolean *,
                                                  fmi2Boolean *);
FMU_EXPORT fmi2Status fmi2SetTime(fmi2Component, fmi2Real);
FMU_EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component, const fmi2Real[], size_t);
FMU_EXPORT fmi2Status fmi2GetDerivatives(fmi2Component, fmi2Real[], size_t);
FMU_EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component, fmi2Real[], size_t);
FMU_EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component, fmi2Real[], size_t);
FMU_EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component, fmi2Real[], size_t);
FMU_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component, const fmi2ValueReference[], size_t,
                                                  const fmi2Integer[], const fmi2Real[]);
FMU_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component, const fmi2ValueReference[],
                                                   size_t, const fmi2Integer[], fmi2Real[]);
FMU_EXPORT fmi2Status fmi2DoStep(fmi2Component, fmi2Real, fmi2Real, fmi2Boolean);
FMU_EXPORT fmi2Status fmi2CancelStep(fmi2Component);
FMU_EXPORT fmi2Status fmi2GetStatus(fmi2Component, fmi2StatusKind, fmi2Status *);
FMU_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component, fmi2StatusKind, fmi2Real *);
FMU_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component, fmi2StatusKind, fmi2Integer *);
FMU_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component, fmi2StatusKind, fmi2Boolean *);
FMU_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component, fmi2StatusKind, fmi2String *);

#endif
