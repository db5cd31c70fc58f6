/* making.h: from a description to the computation of its mechanism, checked and with its names. */
#ifndef HOL_GENERATE_MAKING_H
#define HOL_GENERATE_MAKING_H

#include "analysis/symbolic.h"
#include "generate/files.h"

#include <holonom/generate.h>

typedef struct hol__making {
    hol_context *ctx;
    const hol_spec *spec;
    const hol_generate_options *how;
    int n_others; /* models with other values: numbers that differ stay open (open.c) */
    const hol_model *const *others;
    hol_options *options;
    hol_model *model;
    hol__arena arena;
    hol__equations equations; /* of the parameters: their symbols, and models with other values */
    hol__program program;
    hol__gstates states;
    hol__gcode code;
} hol__making;

/* An error is reported; to be closed in any case. */
hol_status hol__making_open(hol__making *g, hol_context *ctx, const hol_spec *spec,
                            const hol_generate_options *how);

/* The same for a mechanism whose values vary: models with other ones, in relative coordinates. */
hol_status hol__making_open_varied(hol__making *g, hol_context *ctx, const hol_spec *spec,
                                   const hol_generate_options *how, int n_others,
                                   const hol_model *const *others);
void hol__making_close(hol__making *g);

#endif
