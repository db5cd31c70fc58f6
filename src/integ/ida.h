/* ida.h: the row of the formula with a history of steps on constrained equations, the same with and
 * without the library that makes it. */
#ifndef HOL_INTEG_IDA_H
#define HOL_INTEG_IDA_H

#include "integ/stepper.h"

/* BDF of orders 1 to 5; leaps lead over singular positions, as for bdf (cvode.h). */
#define HOL__IDA_ROW                                                                               \
    .name = "ida",                                                                                 \
    .title = "backward differences of variable order on the constrained equations (IDA)",          \
    .order = 5, .error_order = 5, .dense_order = 5, .implicit = 1, .slots = 1, .lambda_order = 5,  \
    .forms = 1, .paces = 1, .leaper = &hol__stepper_dop853

extern const hol__stepper_type hol__stepper_dop853;

#endif
