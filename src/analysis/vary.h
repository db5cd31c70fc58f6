/* vary.h: parameters with bounds, and numbers with units, from texts of the caller. */
#ifndef HOL_ANALYSIS_VARY_H
#define HOL_ANALYSIS_VARY_H

#include "base/answer.h"
#include "base/expr.h"

#include <holonom/optimize.h>

/* Parameters that a search may change. */
typedef struct hol__vary {
    int n;
    const char **names, **units; /* the unit as far as the model file tells, "" otherwise */
    double *low, *high, *start;
} hol__vary;

/* A number with or without a unit, "20 N*m", "2*pi", and its dimension, which has to fit `unit`
 * (NULL: any). what is for messages: "--subject". */
hol_status hol__quantity_read(hol_context *ctx, hol__arena *arena, const char *what,
                              const char *text, const char *unit, double *value);

/* The same of a text that stands in a file. */
hol_status hol__quantity_at(hol_context *ctx, hol__arena *arena, const hol_location *where,
                            const char *text, const char *unit, double *value);

/* The unit of a parameter, or of a number by its path (model/path.h), that is written with one, in
 * SI units, "" otherwise; text of the arena. NULL: there is none, which is reported. */
const char *hol__parameter_unit(hol_context *ctx, const hol_spec *spec, hol__arena *arena,
                                const char *name);

/* "NAME=LOW:HIGH" each; start is left to hol__vary_start. */
hol_status hol__vary_read(hol_context *ctx, const hol_spec *spec, hol__arena *arena, int n,
                          const char *const *texts, hol__vary *vary);

/* Whether the starts lie within the bounds, and bounds have a width; reports what does not. */
hol_status hol__vary_check(hol_context *ctx, const hol__vary *vary);

/* The unit of one quantity over another, in SI units, as a text of the arena. */
const char *hol__unit_over(hol__arena *arena, const char *unit, const char *over);

/* Whether the model file can be written anew with other values of the parameters: reports why not,
 * before the work is done. */
hol_status hol__vary_can_rewrite(hol_context *ctx, const hol_spec *spec, const hol__vary *vary);

/* The model file with these values, into the answer. */
hol_status hol__vary_rewrite(const hol_spec *spec, const hol__vary *vary, const double *p,
                             hol_answer *answer);

#endif
