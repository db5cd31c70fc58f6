/* parts.h: generated code as texts, with what it consists of, for who writes a file around it: an
 * FMU of sources (src/fmu/sources.c). */
#ifndef HOL_GENERATE_PARTS_H
#define HOL_GENERATE_PARTS_H

#include "base/text.h"

#include <holonom/generate.h>

typedef struct hol__gparts {
    hol__text source, header; /* NAME.c, NAME.h */
    const char *name;         /* of functions and structs */
    const char *integrator;
    double step; /* at which the code was compared with the library */
    double position_tolerance, velocity_tolerance;
    int n_q, n_v;
    int n_angles; /* that are followed over full turns: NAME_follow is there */
    int n_turns;  /* unit quaternions: the places of each among q and v */
    const int (*turns)[2];
    int n_parameters; /* those of the options: how they are called in NAME_inputs */
    const char *const *parameters;
    int n_outputs; /* the members of NAME_outputs, and the names of their measured columns */
    const char *const *outputs, *const *columns;
    int n_following; /* parameters of the model that follow from those */
    const char *const *following;
    void *owned;
    hol_spec *held;
} hol__gparts;

/* As hol_generate, into texts: folder and lanes are not read. To be freed in any case. */
hol_status hol__gparts_make(hol_context *ctx, const hol_spec *spec, const hol_generate_options *how,
                            hol__gparts *out);
void hol__gparts_free(hol__gparts *parts);

/* The options of a run that assembles the mechanism as the code starts: in relative coordinates;
 * given: those of the description. NULL after an error. */
hol_options *hol__gparts_options(hol_context *ctx, const hol_options *given);

#endif
