/* held.h: Baumgarte's terms made at the start of a step and held through it, and gains that adapt
 * from step to step. */
#ifndef HOL_FORM_HELD_H
#define HOL_FORM_HELD_H

#include "form/form.h"

/* Room for the violations that are held, where the options say so. */
int hol__held_init(hol__form *form, hol__arena *arena);

/* The state in data is where the next step starts: take its violations, and adapt the gains. */
void hol__held_take(hol__form *form);

/* What is held, for exact states. */
void hol__held_walk(hol__form *form, hol__archive *archive);

#endif
