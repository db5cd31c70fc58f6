/* stabilize.h: terms inside the equations that pull the motion back onto the constraints. */
#ifndef HOL_FORM_STABILIZE_H
#define HOL_FORM_STABILIZE_H

#include "form/form.h"

/* cbar at the state in data. */
const double *hol__stabilized(hol__form *form);

/* Braun–Goldfarb: the shift of the kinematic equation, and the energy term added to a. After the kernel has solved. */
hol_status hol__braun_goldfarb(hol__form *form);

#endif
