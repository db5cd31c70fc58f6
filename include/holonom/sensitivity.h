/* sensitivity.h: numbers of a run and how they follow parameters of the model file.
 *
 *     const char *names[] = {"L", "k"};
 *     hol_sensitivity_options options = {
 *         .size = sizeof options, .n_parameters = 2, .parameters = names, .goals = "max pin.fx"};
 *     hol_answer *answer;
 *     hol_status status = hol_sensitivity(ctx, spec, &options, &answer);
 */
#ifndef HOLONOM_SENSITIVITY_H
#define HOLONOM_SENSITIVITY_H

#include "answer.h"
#include "spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A goal: one number of a run. In text: "end NAME" (or NAME alone), "at T NAME", "integral NAME",
 * "mean NAME", "mean-square NAME", "max NAME", "min NAME"; and times of it, which have no
 * derivatives: "when max NAME", "when min NAME", "when NAME > 30 deg", "when NAME < 0.1". */
typedef struct hol_goal {
    size_t size;         /* sizeof(hol_goal), set by the caller */
    const char *kind;    /* "end" (value where the run ends; NULL is that), "at" (value at `time`),
                       * "integral", "mean", "mean-square" over the run, "maximum", "minimum";
                       * times: "when-maximum", "when-minimum", "when-above", "when-below" (the
                       * first time above or below `level`; NaN: never) */
    const char *measure; /* a measured column, "tip.x", or a measure, of which `component` counts */
    int component;       /* of a measure with several columns, from 0 */
    double time;         /* of "at", in seconds */
    const char *level;   /* of "when-above" and "when-below": "30 deg" */
} hol_goal;

/* What is asked; zeros are the defaults. */
typedef struct hol_sensitivity_options {
    size_t size;      /* sizeof(hol_sensitivity_options), set by the caller */
    int n_parameters; /* by their names, or paths of numbers ("bodies.rod.mass"); 0: all of the
                       * section `parameters` */
    const char *const *parameters;
    const char *goals; /* as text, with commas between them; NULL: all measures at the end */
    const char *by;    /* "direct" (along the run, for each parameter), "adjoint" (backwards, for
                        * each goal), "auto" (what takes less); NULL: auto */
    double tolerance;  /* of derivatives, against the largest of goals with the same unit by the
                        * same parameter; 0: 1e-9 */
    int points;        /* > 0: all measures and their derivatives at so many equal intervals of the
                        * run too */
} hol_sensitivity_options;

/* The derivatives of goals of a run by parameters, at their values in the description. *out: an
 * answer with the tables goals (values), sensitivity (dg/dp) and scaled (p/g dg/dp), and with
 * `points` the table history. Messages go to ctx, which the answer keeps. HOL_ERR_TOLERANCE, with a
 * message that names an element, where the run fails or has no derivative. */
hol_status hol_sensitivity(hol_context *ctx, const hol_spec *spec,
                           const hol_sensitivity_options *options, hol_answer **out);

#ifdef __cplusplus
}
#endif

#endif
