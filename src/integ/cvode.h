/* cvode.h: the rows of the formulas with a history of steps, the same with and without the library
 * that makes them. */
#ifndef HOL_INTEG_CVODE_H
#define HOL_INTEG_CVODE_H

#include "integ/stepper.h"

/* BDF of orders 1 to 5 in the form with a fixed leading coefficient; Adams of orders 1 to 12. The
 * orders are the highest. Leaps lead over singular positions, where derivatives mislead: an
 * explicit formula makes them. */
#define HOL__BDF_ROW                                                                               \
    .name = "bdf", .title = "backward differences of variable order (CVODE), for stiff systems",   \
    .order = 5, .error_order = 5, .dense_order = 5, .implicit = 1, .paces = 1,                     \
    .leaper = &hol__stepper_dop853
#define HOL__ADAMS_ROW                                                                             \
    .name = "adams", .title = "Adams formulas of variable order (CVODE), where f is dear",         \
    .order = 12, .error_order = 12, .dense_order = 12, .paces = 1, .leaper = &hol__stepper_dop853

extern const hol__stepper_type hol__stepper_dop853;

#endif
