/* cvode_without_sundials.c: stands in for the formulas with a history of steps where the library
 * was built without SUNDIALS: an integrator of one of them cannot be made. */
#include "integ/cvode.h"

const hol__stepper_type hol__stepper_bdf = {HOL__BDF_ROW, .missing = "SUNDIALS"};
const hol__stepper_type hol__stepper_adams = {HOL__ADAMS_ROW, .missing = "SUNDIALS"};
