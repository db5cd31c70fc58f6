/* optimize.h: parameters of the model file that make numbers of a run small, between bounds and
 * under constraints.
 *
 *     const char *vary[] = {"l2=0.1:0.5", "k=10 N/mm:40 N/mm"};
 *     const char *minimize[] = {"mean-square error"}, *subject[] = {"max torque <= 20 N*m"};
 *     hol_optimize_options how = {.size = sizeof how, .n_vary = 2, .vary = vary, .n_minimize = 1,
 *                                 .minimize = minimize, .n_subject = 1, .subject = subject};
 *     hol_answer *answer;
 *     hol_status status = hol_optimize(ctx, spec, &how, &answer);
 *     hol_answer_model(answer)    the model file with the parameters that were found
 *
 * Needs NLopt (hol_feature_get).
 */
#ifndef HOLONOM_OPTIMIZE_H
#define HOLONOM_OPTIMIZE_H

#include "answer.h"
#include "spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A set of values that was tried. */
typedef struct hol_attempt {
    size_t size;              /* of this struct, set by the library */
    long number;              /* of evaluations so far */
    int better;               /* than all before */
    int failed;               /* the model does not run with these values: there is no number */
    double value;             /* of the objective, or the sum of squares */
    double violation;         /* the largest of a constraint, as a share of its size; 0: none */
    int n;                    /* parameters … */
    const char *const *names; /* … with their names … */
    const double *values;     /* … and values, in SI units */
} hol_attempt;

/* Called after each; anything but HOL_OK ends the search, and the answer is the best so far. */
typedef hol_status hol_attempt_fn(void *user, const hol_attempt *attempt);

/* What is asked; zeros are the defaults. */
typedef struct hol_optimize_options {
    size_t size; /* sizeof(hol_optimize_options), set by the caller */
    /* parameters, or numbers of the model file by their paths ("bodies.rod.mass"), with their
     * bounds, "NAME=LOW:HIGH"; numbers in SI units or with a unit; a side may be left out
     * ("NAME=0:"), both with "NAME" alone. The search begins with the values of the model. */
    int n_vary;
    const char *const *vary;
    /* goals (sensitivity.h), each with a factor if wanted: "max torque", "0.5*mean-square error".
     * The objective is their sum, those of `maximize` with a minus. */
    int n_minimize, n_maximize;
    const char *const *minimize, *const *maximize;
    /* constraints, "GOAL <= LIMIT", "GOAL >= LIMIT", "GOAL = LIMIT", with units if wanted */
    int n_subject;
    const char *const *subject;
    const char *algorithm; /* a row of hol_optimize_algorithm, or several with commas between them,
                            * each from where the one before ended; NULL: "slsqp" */
    const char *by;        /* derivatives: "direct", "adjoint"; NULL: whichever takes less */
    double tolerance;      /* of the parameters, as a share of their ranges; 0: 1e-6 */
    int evaluations;       /* at most, by each algorithm; 0: by the algorithm */
    unsigned long seed;    /* of random searches, which repeat; 0: 1 */
    hol_attempt_fn *on_attempt; /* may be NULL */
    void *user;
    int model; /* the answer holds the model file with the values found (hol_answer_model) */
} hol_optimize_options;

/* The parameters with the least objective. *out: an answer with the facts value, at_start, ended,
 * evaluations, failed, violation, first_order, and the tables parameters, goals, active (bounds and
 * constraints that hold with equality, with their multipliers: the derivative of the optimum by the
 * limit) and progress. Messages go to ctx, which the answer keeps. HOL_ERR_FEATURE without
 * NLopt. */
hol_status hol_optimize(hol_context *ctx, const hol_spec *spec, const hol_optimize_options *options,
                        hol_answer **out);

/* ---- searches in many places, on all cores ---- */

/* How far it is. */
typedef struct hol_wide_state {
    size_t size; /* sizeof(hol_wide_state), set by the library */
    int generation;
    long long done, cases; /* searches, or evaluations of this generation */
    double value;          /* the least so far where all constraints hold; NaN: none yet */
    double elapsed;        /* seconds */
} hol_wide_state;

/* Called now and then; anything but HOL_OK ends the search, and the answer is the best so far. */
typedef hol_status hol_wide_fn(void *user, const hol_wide_state *state);

/* How widely it is searched; zeros are the defaults. */
typedef struct hol_wide_options {
    size_t size;     /* sizeof(hol_wide_options), set by the caller */
    int starts;      /* searches, from the values of the model and from starts - 1 points that are
                      * evenly spread between the bounds; 0: one, or a population */
    int population;  /* members, of the algorithm evolution; 0: ten a parameter, at least 20 */
    int threads;     /* 0: one; they make no difference to the numbers */
    const char *log; /* a file in which all that is done stands: begun again, the same search goes
                      * on from it; NULL: none */
    int fresh;       /* begin anew where there is a log */
    hol_wide_fn *on_progress;
    void *user;
} hol_wide_options;

/* hol_optimize from many starts, or with the algorithm `evolution` (first in the list), whose
 * population is evaluated on all threads. The answer has, besides, the tables optima (the different
 * ends of searches, and how many led there) and starts. All parameters need both bounds.
 * options->on_attempt is not called by searches. Processes that mpirun has started share the starts;
 * the first of them makes the answer, the others receive HOL_OK and NULL. */
hol_status hol_optimize_widely(hol_context *ctx, const hol_spec *spec,
                               const hol_optimize_options *options, const hol_wide_options *wide,
                               hol_answer **out);

/* Algorithm i: its name and one line; NULL past the end. */
const char *hol_optimize_algorithm(int i, const char **title);

#ifdef __cplusplus
}
#endif

#endif
