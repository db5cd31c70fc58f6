/* models.h: the models that are tried as FMUs, and what is allowed in model exchange. */
#ifndef FMU_MODELS_H
#define FMU_MODELS_H

#include <holonom/holonom.h>

/* One model. steps: of the formula of Runge and Kutta up to `end`; within: how far its results may
 * be off, as a share of the largest value of each output: the error of the formula at these steps,
 * and behind an event, which it meets by its own steps, what that has grown to. */
typedef struct fmu_case {
    const char *model, *what;
    double end;
    int steps;
    double within;
} fmu_case;

extern const fmu_case fmu_cases[];
int fmu_n_cases(void);

/* The description of a model, as it stands, and its simulation set up as the FMU does. */
typedef struct fmu_direct {
    hol_context *ctx;
    hol_spec *spec;
    hol_model *model;
    hol_options *options;
    hol_sim *sim;
} fmu_direct;

/* events: in reference-point coordinates, as FMUs of models are where elements switch. */
void fmu_direct_open(fmu_direct *d, const char *model, double end);
void fmu_direct_close(fmu_direct *d);

/* An FMU of a model of models/ in the current folder, opened. */
struct fmu_archive;
void fmu_make(struct fmu_archive *fmu, const char *model, int version, int n_inputs,
              const char *const *inputs);

#endif
