/* fmi3_instance.h: what the files of FMI 3.0 share. */
#ifndef HOL_FMU_FMI3_INSTANCE_H
#define HOL_FMU_FMI3_INSTANCE_H

#include "fmu/module/fmi3.h"
#include "fmu/module/instance.h"

/* An instance, with what the importer gave. */
typedef struct fmi3_instance {
    hol__fmu *c;
    fmu_sink sink;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    fmi3IntermediateUpdateCallback update;
    int logs, uses_event_mode;
} fmi3_instance;

/* An error that says why the call cannot be made on this instance, or not so. */
fmi3Status fmi3_refuse(fmi3_instance *i, const char *call, const char *why);

#endif
