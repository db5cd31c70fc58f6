/* fmu.h: a model as an FMU, for the simulation programs that read the Functional Mock-up Interface
 * 2.0 or 3.0: model exchange and co-simulation.
 *
 * The archive holds the description of the model for the importer, and either the model itself with
 * the library in one shared object that needs nothing but the C library, or the equations of the
 * mechanism as C99 that any compiler builds (holonom/generate.h says which models can be written
 * so). docs/fmi.md tells what is an input, a parameter and an output.
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
    /* Parameters that can change during the run (causality parameter, variability tunable); with a
     * binary those that laws of forces, drivers and conditions read. */
    int n_tunables;
    const char *const *tunables;
    /* C99 in place of the binary; formula and longest step are those of the description
     * (simulation.integrator, .step), else rk4 and 1 ms */
    int sources;
} hol_fmu_options;

/* What was made. */
typedef struct hol_fmu_info {
    size_t size; /* sizeof(hol_fmu_info), set by the caller */
    int n_parameters, n_inputs, n_outputs, n_states, n_conditions;
    int exchanges;   /* model exchange is offered, beside co-simulation */
    char token[64];  /* its GUID, or instantiation token */
    int n_constants; /* of an FMU of sources: parameters that are numbers of its code */
    int n_left_out;  /* measures that its code does not compute */
    double step;     /* the longest step that it makes in co-simulation */
} hol_fmu_info;

/* Write an FMU of a description; info may be NULL. HOL_ERR_FEATURE, with a message, where the
 * library was built without libzip, and HOL_ERR_IO where the runtime is not found. Of an FMU of
 * sources: elements for which there is no code are errors with their place (hol_generate), and
 * measures that the code does not compute are left out with a warning. */
hol_status hol_fmu_write(hol_context *ctx, const hol_spec *spec, const char *path,
                         const hol_fmu_options *how, hol_fmu_info *info);

#ifdef __cplusplus
}
#endif

#endif
