/* ida_without_sundials.c: stands in for the formula with a history of steps on constrained
 * equations where the library was built without SUNDIALS. */
#include "integ/ida.h"

const hol__stepper_type hol__stepper_ida = {HOL__IDA_ROW, .missing = "SUNDIALS"};
