/* component.h: an instance in an FMU of sources, which generated code computes: see calls.h. */
#ifndef HOL_FMU_SOURCES_COMPONENT_H
#define HOL_FMU_SOURCES_COMPONENT_H

#include "fmu/calls.h"
#include "fmu/sources/model.h"

/* What a saved state is, besides the mark of the FMU. */
typedef struct fmu_now {
    hol__fmu_state state;
    int ready; /* s is the start, or what has followed from it */
    int given; /* a parameter or an input has changed since s was brought in line */
    double start, stop, t;
    double values[FMU_VALUES + 1]; /* of parameters that can be set, and of inputs */
    fmu_mechanism s;
} fmu_now;

struct hol__fmu {
    hol_context *ctx;
    hol__fmu_state state;
    int exchange, event_mode, early_return;
    int ended; /* never: nothing in the sources ends a run */
    double t;
    struct {
        int n_states, n_conditions;
    } table;
    fmu_now now; /* but for state and t, which stand above */
    void *user;
    int (*between)(void *user, double t);
};

#endif
