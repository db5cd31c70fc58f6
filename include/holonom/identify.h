/* identify.h: parameters of the model file that make measures follow data.
 *
 *     const char *vary[] = {"k=10:1000", "c=0:5"}, *fit[] = {"position=x [mm]"};
 *     hol_identify_options how = {.size = sizeof how, .n_vary = 2, .vary = vary, .data = "run.csv",
 *                                 .n_fit = 1, .fit = fit};
 *     hol_answer *answer;
 *     hol_status status = hol_identify(ctx, spec, &how, &answer);
 *
 * Needs cminpack (hol_feature_get).
 */
#ifndef HOLONOM_IDENTIFY_H
#define HOLONOM_IDENTIFY_H

#include "optimize.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked; zeros are the defaults. */
typedef struct hol_identify_options {
    size_t size; /* sizeof(hol_identify_options), set by the caller */
    int n_vary;  /* parameters with their bounds, as hol_optimize has them */
    const char *const *vary;
    const char *data; /* a file of records, .csv or .h5, the first column of which is the time */
    /* measured columns of the model, each with the column of the data that it is to follow and a
     * weight: "tip.x", "tip.x=x", "tip.x=x:2.5"; the column has the same name where it is left
     * out. Weights (1 over the deviation of the noise) are needed where units differ. NULL: every
     * measured column that the data have. */
    int n_fit;
    const char *const *fit;
    double tolerance;           /* of the parameters, as a share; 0: 1e-8 */
    int evaluations;            /* at most; 0: 100 a parameter and one more */
    hol_attempt_fn *on_attempt; /* may be NULL; value: the sum of squares */
    void *user;
    int model;  /* the answer holds the model file with the values found (hol_answer_model) */
    double end; /* rows of the data after this time are left out; 0: none */
} hol_identify_options;

/* The parameters with the least sum of squares of weight times (measure - data) over all times of
 * the data, in runs that end with the last of these. *out: an answer with the facts squares, ended,
 * deviation, evaluations, failed, and the tables parameters (with standard errors and intervals of
 * 95 %), correlation, measures (residuals before and after), singular (combinations of parameters
 * by how well the data tell them), fit_NAME (data, before and after over time) and progress.
 * HOL_ERR_FEATURE without cminpack. */
hol_status hol_identify(hol_context *ctx, const hol_spec *spec, const hol_identify_options *options,
                        hol_answer **out);

#ifdef __cplusplus
}
#endif

#endif
