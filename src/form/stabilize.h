/* stabilize.h: terms inside the equations that pull the motion back onto the constraints. */
#ifndef HOL_FORM_STABILIZE_H
#define HOL_FORM_STABILIZE_H

#include "dyn/tangent.h"
#include "form/form.h"

/* g1 and g0 of the form for its step: those of the penalty terms, or of Baumgarte's. */
void hol__form_make_gains(hol__form *form, int penalty);

/* The gains at the state in data; NULL where the stabiliser does nothing that depends on the
 * state. */
hol__gains hol__form_gains(hol__form *form);

/* cbar at the state in data. */
const double *hol__stabilized(hol__form *form);

#endif
