/* sensitivity.h: numbers of a run and how they follow parameters of the model file. */
#ifndef HOLONOM_SENSITIVITY_H
#define HOLONOM_SENSITIVITY_H

#include "answer.h"
#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A goal: one number of a run. In text: "end NAME" (or NAME alone), "at T NAME", "integral NAME",
 * "mean NAME", "mean-square NAME", "max NAME", "min NAME". */
typedef struct hol_goal {
    size_t size;         /* sizeof(hol_goal), set by the caller */
    const char *kind;    /* "end" (value where the run ends; NULL is that), "at" (value at `time`),
                       * "integral", "mean", "mean-square" over the run, "maximum", "minimum" */
    const char *measure; /* a measured column, "tip.x", or a measure, of which `component` counts */
    int component;       /* of a measure with several columns, from 0 */
    double time;         /* of "at", in seconds */
} hol_goal;

#ifdef __cplusplus
}
#endif

#endif
