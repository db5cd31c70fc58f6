/* files.h: the files of generated code, as texts. */
#ifndef HOL_GENERATE_FILES_H
#define HOL_GENERATE_FILES_H

#include "generate/emit.h"
#include "generate/stages.h"
#include "generate/states.h"

/* What is written, and how it is called. */
typedef struct hol__gcode {
    const hol__program *program;
    const hol__gstates *states;
    hol__gstages formula; /* of the integrator */
    const char *name;     /* of all that is generated, an identifier … */
    const char *upper;    /* … and in capitals */
    const char *model;    /* the model, for readers */
    unsigned long long hash;
    int lanes; /* 0: none */
    /* identifiers: members for parameters and for outputs, and the columns of these */
    const char **parameters;
    int n_outputs, *column;
    const char **outputs;
    int n_near, *near;   /* followed angles in the state */
    int n_known, *known; /* sines and cosines of the coordinates, which steps hand on; and … */
    int *known_at;       /* … by node their place from 1 */
    const char **inputs; /* by input of the program: how functions read it, … */
    const char **lane_inputs; /* … and in lanes */
    /* what was written */
    long rhs_operations, project_operations;
} hol__gcode;

/* Names and lists, in the arena. HOL_ERR_MEMORY. */
hol_status hol__gcode_names(hol__gcode *c, hol__arena *arena);

/* Parts of them: the functions of the equations (source.c); sizes, and the place of a stage of a
 * step (step.c), of a "state" or of "lanes". */
hol_status hol__gcode_equations(hol__gcode *c, int lanes, hol__text *out);
hol_status hol__gcode_rate_functions(hol__gcode *c, hol__text *out);
void hol__gcode_constants(const hol__gcode *c, hol__text *out);
void hol__gcode_stage(const hol__gcode *c, const double *a, int n, const char *of, hol__text *out);

/* The files. */
hol_status hol__gcode_header(hol__gcode *c, hol__text *out);
hol_status hol__gcode_source(hol__gcode *c, hol__text *out);
hol_status hol__gcode_step(const hol__gcode *c, hol__text *out);
hol_status hol__gcode_lanes_header(hol__gcode *c, hol__text *out);
hol_status hol__gcode_lanes_source(hol__gcode *c, hol__text *out);
hol_status hol__gcode_test(hol__gcode *c, hol__text *out);
hol_status hol__gcode_makefile(hol__gcode *c, hol__text *out);
hol_status hol__gcode_readme(hol__gcode *c, hol__text *out);

/* Accelerations and power, for a run of the library (rates.c): one file, with the key by which it
 * is known. */
hol_status hol__gcode_rates(hol__gcode *c, const char *key, hol__text *out);

/* A text in which @name@ and @NAME@ are replaced, and "@, words@" stands where sines and cosines
 * are handed on. */
void hol__gcode_put(const hol__gcode *c, hol__text *out, const char *text);

/* A text of the model within a comment: what would end it is broken. */
void hol__gcode_comment(hol__text *out, const char *text);

#endif
