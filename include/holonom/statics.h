/* statics.h: where a mechanism rests, whether it stays there, and how that follows a parameter.
 *
 *     Q(q, v) - A^T lambda = 0      Phi(q, t) = 0      rates of states of elements = 0
 *
 * at rest (v = 0: drivers hold what they ask for at that time) or in a steady motion.
 *
 *     hol_statics_options options = {.size = sizeof options};
 *     hol_answer *answer;
 *     hol_status status = hol_statics(ctx, spec, &options, &answer);
 *     hol_answer_value(answer, "least_stiffness")
 */
#ifndef HOLONOM_STATICS_H
#define HOLONOM_STATICS_H

#include "answer.h"
#include "spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked; zeros are the defaults. One of starts, vary and preload at a time. */
typedef struct hol_statics_options {
    size_t size;        /* sizeof(hol_statics_options), set by the caller */
    const double *time; /* s, at which drivers and laws hold; NULL: the start of the simulation */
    const char *search; /* "auto" (downhill, and Newton's method where that fails), "descent",
                          * "newton" (also unstable equilibria near the start); NULL: auto */
    double tolerance;   /* of the forces that are left, over the largest force; 0: 1e-9 */
    int steady;         /* the velocities of the start go on: equilibrium in a frame that turns */
    int starts;         /* > 1: from so many starts, and all equilibria that are found */
    double reach;       /* how far starts lie from the first, in radians or lengths of the
                          * mechanism; 0: pi */
    const char
        *vary; /* the parameter, or path of a number, over which a curve of equilibria is followed;
                         * NULL: none */
    double from, to; /* its range */
    int points;      /* of the curve at most; 0: 400 */
    int n_preload;   /* springs whose free lengths make the drawn position an equilibrium … */
    const char *const *preload; /* … by their names */
} hol_statics_options;

/* The equilibrium of a description from its drawn position, or what the options ask for. *out: an
 * answer with tables positions, reactions, loads, measures and stiffness; with `starts` the table
 * equilibria; with `vary` the tables curve and points (limit points and bifurcations); with
 * `preload` the table preload. Messages go to ctx, which the answer keeps. HOL_ERR_TOLERANCE, with
 * a message that names a body or an element, where there is no equilibrium or none was found. */
hol_status hol_statics(hol_context *ctx, const hol_spec *spec, const hol_statics_options *options,
                       hol_answer **out);

#ifdef __cplusplus
}
#endif

#endif
