/* fmu.h: a model as an FMU, for the simulation programs that read the Functional Mock-up Interface
 * 2.0 or 3.0: model exchange and co-simulation.
 *
 * The archive holds the description of the model for the importer, the model itself, and the
 * library in one shared object that needs nothing but the C library. docs/fmi.md tells what is an
 * input, a parameter and an output.
 */
#ifndef HOLONOM_FMU_H
#define HOLONOM_FMU_H

#include "spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How an FMU is made; all but size may be left 0. */
typedef struct hol_fmu_options {
    size_t size;        /* sizeof(hol_fmu_options), set by the caller */
    int version;        /* of the standard: 2 or 3; 0: 2 */
    const char *name;   /* its identifier in C; NULL: from the name of the file */
    const char *module; /* the shared object of the runtime, holonom_fmu.so; NULL: where it was
                         * installed, or beside the program */
    /* inputs beside the variables of the model that no event sets (hol_spec_add_input) */
    int n_inputs;
    const char *const *inputs;
} hol_fmu_options;

/* What was made. */
typedef struct hol_fmu_info {
    size_t size; /* sizeof(hol_fmu_info), set by the caller */
    int n_parameters, n_inputs, n_outputs, n_states, n_conditions;
    int exchanges;  /* model exchange is offered, beside co-simulation */
    char token[64]; /* its GUID, or instantiation token */
} hol_fmu_info;

/* Write an FMU of a description; info may be NULL. HOL_ERR_FEATURE, with a message, where the
 * library was built without libzip, and HOL_ERR_IO where the runtime is not found. */
hol_status hol_fmu_write(hol_context *ctx, const hol_spec *spec, const char *path,
                         const hol_fmu_options *how, hol_fmu_info *info);

#ifdef __cplusplus
}
#endif

#endif
