/* braun_goldfarb.h: the equation of motion with embedded constraint and energy correction [BG]. */
#ifndef HOL_FORM_BRAUN_GOLDFARB_H
#define HOL_FORM_BRAUN_GOLDFARB_H

#include "form/form.h"

/* cbar at the state in data, psi up to date. */
const double *hol__braun_goldfarb_rhs(hol__form *form);

/* The shift of the kinematic equation, and the energy term added to a. After the kernel has
 * solved. */
hol_status hol__braun_goldfarb(hol__form *form);

#endif
