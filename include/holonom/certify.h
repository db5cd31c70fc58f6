/* certify.h: how many digits of a run are certain.
 *
 *     hol_certify_options options = {.size = sizeof options, .digits = 6};
 *     hol_answer *answer;
 *     hol_status status = hol_certify(ctx, spec, &options, &answer);
 *     if (!status && hol_answer_value(answer, "certified") == 1) …
 */
#ifndef HOLONOM_CERTIFY_H
#define HOLONOM_CERTIFY_H

#include "answer.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers to be judged in place of a run: columns by the names of measured columns, in SI units;
 * others are passed over. */
typedef struct hol_certify_samples {
    int rows, columns;
    const char *const *names;    /* columns of them */
    const double *times;         /* rows of them, ascending */
    const double *const *values; /* by column, rows of them each; a column may be NULL */
} hol_certify_samples;

/* What is asked; zeros are the defaults. */
typedef struct hol_certify_options {
    size_t size;   /* sizeof(hol_certify_options), set by the caller */
    double digits; /* that every measure must have all along the run; 0: 3 */
    int points;    /* instants that are compared, at most; 0: 200 */
    int refine;    /* judge the best answer there is, not the run that the description asks for */
    int quick;     /* one refined run and one by other equations, no more */
    const char *conserved; /* measures that are said to stay constant, with commas between them */
    const hol_certify_samples *samples; /* NULL: the run is made */
} hol_certify_options;

/* Run the description under formulations, coordinates and integrators that have nothing in common,
 * each with two tolerances at least, and find how many digits of its measures are certain. *out: an
 * answer with the facts `certified` (1 or 0), `verdict`, and `cause` and `try` where it is 0, and
 * the tables values, digits, runs and history. HOL_OK also where it is refused: the answer says
 * why. Messages go to ctx, which the answer keeps; those of the runs are left out. */
hol_status hol_certify(hol_context *ctx, const hol_spec *spec, const hol_certify_options *options,
                       hol_answer **out);

/* The cheap half of it for a run that has ended, of this description: it is made once more, finer,
 * and by other equations in other coordinates. What is found is kept with the simulation as a line
 * (hol_sim_info, certificate), which result files that are closed afterwards hold too; *certified:
 * 1 or 0. Forces of the caller are not repeated: HOL_ERR_ARGUMENT where there are some. */
hol_status hol_certify_run(hol_context *ctx, const hol_spec *spec, hol_sim *sim, int *certified);

#ifdef __cplusplus
}
#endif

#endif
