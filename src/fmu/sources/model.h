/* model.h: the mechanism of an FMU of sources, as component.c asks for it. In the FMU a generated
 * file of this name stands in the place of this one (fmu/sources.c), with the sizes and the structs
 * of the mechanism; this one is the form that it has. */
#ifndef HOL_FMU_SOURCES_MODEL_H
#define HOL_FMU_SOURCES_MODEL_H

enum {
    FMU_VARIABLES = 1, /* rows of the table */
    FMU_Q = 1,
    FMU_V = 1,
    FMU_VALUES = 0, /* parameters that can be set, and inputs */
    FMU_OUTPUTS = 0
};

typedef struct fmu_mechanism {
    double t, q[FMU_Q], v[FMU_V];
} fmu_mechanism;

/* ---- the same in every FMU ---- */

typedef enum fmu_kind {
    FMU_TIME,
    FMU_CONSTANT,
    FMU_TUNABLE,
    FMU_INPUT,
    FMU_OUTPUT,
    FMU_STATE,
    FMU_RATE
} fmu_kind;

/* A variable; index: among the values that can be set, the outputs, or in x. */
typedef struct fmu_variable {
    fmu_kind kind;
    int index;
    double start;
    const char *name;
} fmu_variable;

extern const fmu_variable fmu_variables[];
extern const char fmu_token[];
extern const double fmu_start_time, fmu_longest_step;

/* How far positions and velocities may be off before they are brought back. */
extern const double fmu_position_tolerance, fmu_velocity_tolerance;

/* The start; a step; accelerations; the nearest state on the constraints; turns counted from here;
 * outputs. 0, or a code of fmu_model_why. */
void fmu_model_start(fmu_mechanism *s);
int fmu_model_step(fmu_mechanism *s, const double *values, double h);
int fmu_model_accelerations(const fmu_mechanism *s, const double *values, double *vdot);
int fmu_model_project(fmu_mechanism *s, const double *values);
void fmu_model_follow(fmu_mechanism *s, const double *values);
void fmu_model_outputs(const fmu_mechanism *s, const double *values, double *out);

/* The rates of the coordinates: v, and p' = p (0, omega) / 2 for unit quaternions. */
void fmu_model_velocities(const fmu_mechanism *s, double *qdot);

/* What a code means. */
const char *fmu_model_why(int code);

#endif
