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
void hol__making_close(hol__making *g);

#endif
