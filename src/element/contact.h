/* contact.h: the force between two shapes that touch. */
#ifndef HOL_ELEMENT_CONTACT_H
#define HOL_ELEMENT_CONTACT_H

#include "element/impact.h"
#include "element/touch.h"

/* What contacts can tell of themselves. */
extern const hol__quantity hol__contact_quantities[];

/* Make the record of a contact: the shapes of `pair` on the bodies of the force, a law with the
 * effective radius R (0: Hertz has none), and places (global, drawn) that stand for the shapes. */
void hol__add_contact(hol__build *build, hol__element *force, const void *params,
                      const int bodies[2], const double at[2][3], const hol__touch_pair *pair,
                      const hol__contact_fields *f, double R);

/* ---- shapes by fields ---- */

extern const hol__group hol__contact_shapes;

/* The shape of an item of that list on a body, and the place that stands for it; 0 after an
 * error. */
int hol__contact_shape(hol__build *build, const hol__params *item, int body, hol__touch_shape *out,
                       double at[3]);

/* Whether the two shapes can touch each other; 0 after an error at `shapes`. */
int hol__contact_fits(hol__build *build, const void *params, const hol__touch_pair *pair);

/* The effective radius of Hertz: of two spheres, or a sphere and a half-space; 0 for others. */
double hol__contact_radius(const hol__touch_pair *pair);

#endif
