/* far.c: how far rotations among the increments have turned from the base point.
 *
 * An increment of rotation is a vector u of three directions, the rotation exp(u). u' =
 * dexp^-1_-u(omega) = omega + u x omega / 2 + … is smooth for |u| < 2 pi only, and beyond pi the
 * logarithm that a correction takes gives another vector. A formula that keeps its history relative
 * to one base point has to move it in time.
 */
#include "form/form.h"

#include <math.h>

/* Two radians are far: a step turns a body by one at most (sim.c), and three are below pi. Where
 * positions follow from independent coordinates by Newton's iteration, which takes u' = omega, its
 * error falls by some |u|/2 each time. */
static const double FAR = 2, FAR_REDUCED = 0.3;

int hol__form_far(hol__form *form, double t, const double *y) {
    const hol_model *m = form->model;
    double *const d = form->x;
    const double far = form->state->reduced ? FAR_REDUCED : FAR;
    if (hol__form_unpack(form, t, y)) return 1;
    m->coords->minus(m, form->data->q, form->base, d);
    for (int k = 0; k < form->turns.n; k++) {
        const int *at = form->turns.turn[k].at;
        const double square = d[at[0]] * d[at[0]] + d[at[1]] * d[at[1]] + d[at[2]] * d[at[2]];
        if (square > far * far) return 1;
    }
    return 0;
}
