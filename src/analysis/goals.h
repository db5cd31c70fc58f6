/* goals.h: numbers of a run as functions of parameters of the model file, with derivatives.
 *
 *     hol__goals *goals;
 *     status = hol__goals_new(ctx, spec, NULL, 2, names, n, list, &goals);
 *     hol__goals_given(goals, p);                      the values of the file
 *     status = hol__goals_evaluate(goals, p, HOL__BY_CHEAPER, values, gradient);
 *
 * An evaluation is a run with these values of the parameters. One that fails (the mechanism cannot
 * be assembled, the run stops before its end, something has no derivative there) is a status > 0:
 * hol__goals_reason says why, and the next p may be better. Its messages stay with the goals until
 * the next evaluation, and are told to the context when hol__goals_tell is called.
 */
#ifndef HOL_ANALYSIS_GOALS_H
#define HOL_ANALYSIS_GOALS_H

#include "analysis/goal.h"

/* How derivatives are found: along the run for each parameter, backwards for each goal, or
 * whichever takes less. */
enum { HOL__BY_CHEAPER, HOL__BY_DIRECT, HOL__BY_ADJOINT };

typedef struct hol__goals hol__goals;

/* For runs of the description as the options say (NULL: its section `simulation`, which may itself
 * follow the parameters). Everything is copied. Reports unknown parameters and measures, and goals
 * at times outside the run. */
hol_status hol__goals_new(hol_context *ctx, const hol_spec *spec, const hol_options *run,
                          int n_parameters, const char *const *parameters, int n_goals,
                          const hol_goal *list, hol__goals **goals);
void hol__goals_free(hol__goals *goals);

/* Goal i as it was understood; the values of the parameters in the file. */
const hol__goal *hol__goals_get(const hol__goals *goals, int i);
void hol__goals_given(const hol__goals *goals, double *p);

/* The goals (n_goals) at p and, unless gradient is NULL, their derivatives: gradient[i *
 * n_parameters + j], of goal i by parameter j. */
hol_status hol__goals_evaluate(hol__goals *goals, const double *p, int by, double *values,
                               double *gradient);

/* The goals at p without derivatives, of a run that is an error where it can have none (sliding.h).
 */
hol_status hol__goals_try(hol__goals *goals, const double *p, double *values);

/* What an evaluation with derivatives was made of. */
typedef struct hol__goals_info {
    int by;     /* the pass that was taken, HOL__BY_… */
    long steps; /* of the formula in the last pass, with `parts` in each step of the run */
    int parts;
    double uncertain; /* derivatives, against the largest of goals with the same unit by the same
                       * parameter, as passes with other steps differ */
    double end;       /* of the run */
} hol__goals_info;

/* Of the last one; and the tolerance of the next ones (1e-9). */
hol__goals_info hol__goals_describe(const hol__goals *goals);
void hol__goals_set_tolerance(hol__goals *goals, double tolerance);

/* Why the last evaluation failed; "" where it did not. And all that was said in it, to the
 * context. */
const char *hol__goals_reason(const hol__goals *goals);
void hol__goals_tell(hol__goals *goals);

#endif
