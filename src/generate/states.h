/* states.h: states of a run of the library, with which generated code is compared. */
#ifndef HOL_GENERATE_STATES_H
#define HOL_GENERATE_STATES_H

#include "generate/program.h"

#include <holonom/sim.h>

typedef struct hol__gstates {
    hol__arena arena;
    int n;
    hol__gstate *list;
    int *step; /* how many steps led to it; the first is the start */
    double h;  /* the length of a step */
    double position_tolerance, size;
} hol__gstates;

/* What of the options of a run the code depends on: names, NULL at the end. */
extern const char *const hol__gstates_options[];

/* Options with these of the given, for the equations of generated code. NULL after an error. */
hol_options *hol__gstates_new_options(hol_context *ctx, const hol_options *given);

/* The start of the model and states of a run by method direct-correction with the integrator and
 * steps of length h (0: 1 ms, or less where such a run fails), as many as can be made with all
 * steps on the grid: a corner of a law ends steps elsewhere. The start must be assembled; an error
 * is reported. To be freed in any case. */
hol_status hol__gstates_make(hol_context *ctx, const hol_model *model, const hol_options *given,
                             const char *integrator, double h, hol__gstates *out);
void hol__gstates_free(hol__gstates *s);

#endif
