/* braun_goldfarb.h: the equation of motion with embedded constraint and energy correction [BG]. */
#ifndef HOL_FORM_BRAUN_GOLDFARB_H
#define HOL_FORM_BRAUN_GOLDFARB_H

#include "form/form.h"

/* Give a form with this stabiliser what it needs, after hol__form_init; options: of a kernel over M
 * and D where there are nonholonomic rows. */
hol_status hol__braun_goldfarb_init(hol__form *form, hol__arena *arena,
                                    const hol__kernel_options *options);
void hol__braun_goldfarb_free(hol__form *form);

/* The violations of the state in data are those at the start of the step; first: invariants have
 * their values from here on. */
void hol__braun_goldfarb_hold(hol__form *form, int first);

/* cbar at the state in data. */
const double *hol__braun_goldfarb_rhs(hol__form *form);

/* The shift of the kinematic equation; the terms of invariants and energy, added to a. After the
 * kernel has solved. */
hol_status hol__braun_goldfarb(hol__form *form);

/* How often a kernel of its own was factored. */
long hol__braun_goldfarb_factorizations(const hol__form *form);

/* What it keeps from one step to the next. */
hol_status hol__braun_goldfarb_walk(hol__form *form, hol__archive *archive);

#endif
