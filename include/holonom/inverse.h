/* inverse.h: the forces that a motion takes.
 *
 *     M v' = Q + B u - A^T lambda       u: the loads of chosen actuators
 *
 * with v' and the state of a motion that is known: of a simulation, of a mechanism that is driven,
 * of a result. What drives the motion is left out: drivers hold no longer, the actuators do it.
 * Where there are more of them than the mechanism has freedoms, the loads are the least, weighted,
 * within their limits; where there are too few, that is an error which says what cannot be moved.
 *
 *     hol_inverse *inverse;
 *     hol_inverse_new(ctx, model, &options, &inverse);
 *     … hol_inverse_take(inverse, hol_sim_data(sim)) at every output of a run …
 *     hol_inverse_finish(inverse, &answer);
 */
#ifndef HOLONOM_INVERSE_H
#define HOLONOM_INVERSE_H

#include "answer.h"
#include "data.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One actuator. */
typedef struct hol_actuator {
    /* a joint with one coordinate ("hip"), one coordinate of a joint ("slide.angle"), or a force
     * along a line or about an axis (a spring, a damper, a torsion spring) */
    const char *name;
    double weight;    /* of its square in the sum that is least; 0: 1 */
    double low, high; /* limits; both 0: none */
} hol_actuator;

typedef struct hol_inverse_options {
    size_t size; /* sizeof(hol_inverse_options), set by the caller */
    int n_actuators;
    const hol_actuator *actuators; /* none: the joints that are driven */
} hol_inverse_options;

typedef struct hol_inverse hol_inverse;

/* Ask for the forces of this model; messages go to ctx. */
hol_status hol_inverse_new(hol_context *ctx, const hol_model *model, const hol_inverse_options *how,
                           hol_inverse **inverse);
void hol_inverse_free(hol_inverse *inverse);

/* The forces at the state of a data, whose model has bodies of the same names: a row more. The data
 * is solved where it is not. HOL_ERR_INPUT, with a message, where the joints of the model do not
 * allow the motion, or the actuators cannot cause it. */
hol_status hol_inverse_take(hol_inverse *inverse, hol_data *state);

/* *out: the table loads with time, the load of each actuator, its power and their sum. The inverse
 * is freed in every case. */
hol_status hol_inverse_finish(hol_inverse *inverse, hol_answer **out);

#ifdef __cplusplus
}
#endif

#endif
