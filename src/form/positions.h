/* positions.h: all positions of independent ones (positions.c). */
#ifndef HOL_FORM_POSITIONS_H
#define HOL_FORM_POSITIONS_H

#include "form/form.h"

/* form->d, and data: the positions for z, from those that d has. Statuses > 0: a shorter step may
 * help. */
hol_status hol__form_reach(hol__form *form, double t, const double *z);

/* The largest angle by which a rotation of d has turned from the base point. */
double hol__form_turned(const hol__form *form, const double *d);

#endif
