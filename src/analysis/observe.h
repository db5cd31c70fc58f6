/* observe.h: outputs of the linear equations of small motions: measures.
 *
 *     g = C s + D0 u + D1 u'
 *
 * by differences of order four (dyn/probe.h) of the measure over the states moved along the
 * perturbations, equations of motion solved anew where the measure needs them; D0 over the models
 * with other values of the parameter, or with the load.
 */
#ifndef HOL_ANALYSIS_OBSERVE_H
#define HOL_ANALYSIS_OBSERVE_H

#include "analysis/excite.h"

/* C of all columns of the measures by the n perturbations: n_columns x n, column-major, into C. */
hol_status hol__observe_states(hol__small *small, double *C);

/* D0 and D1 of all columns, n_columns each. A measure of accelerations or reactions has none with
 * an input that moves joints: NaN. */
hol_status hol__observe_input(hol__small *small, const hol__excite *input, double *D0, double *D1);

#endif
