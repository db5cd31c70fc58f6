/* stability.h: the stability function of a formula, R(z): what one step makes of y' = z y.
 *
 *     y_1 = R(h z) y_0      explicit Runge–Kutta: a polynomial, 1 + z b^T (1 - z A)^-1 1
 *
 * It is found by making that step, with z complex as a 2 x 2 rotation and stretching, so that every
 * formula has it, implicit ones too.
 */
#ifndef HOL_INTEG_STABILITY_H
#define HOL_INTEG_STABILITY_H

#include "integ/stepper.h"

typedef struct hol__stability hol__stability;

/* NULL without memory. */
hol__stability *hol__stability_new(hol_context *ctx, const hol__stepper_type *type);
void hol__stability_free(hol__stability *stability);

/* R(z), real and imaginary part each. self is a hol__stability. */
hol_status hol__stability_at(void *self, const double z[2], double R[2]);

#endif
