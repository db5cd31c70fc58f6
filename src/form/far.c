/* far.c: how far rotations among the increments have turned from the base point.
 *
 * An increment of rotation is a vector u of three directions, the rotation exp(u). u' =
 * dexp^-1_-u(omega) = P omega = omega + u x omega / 2 + … is smooth for |u| < 2 pi only, and beyond
 * pi the logarithm that a correction takes gives another vector. A formula that keeps its history
 * relative to one base point has to move it in time.
 *
 * Independent coordinates tell the motion while B P R is regular (positions.c). B R = 1, and
 * |P - 1|^2 = (1 - |u|/2 cot(|u|/2))^2 + |u|^2/4, which is 1/2 at |u| = 1: with entries of R up to
 * 2, as the watch over the coordinates has them, B P R = 1 + B (P - 1) R is regular up to there,
 * and where they are larger by a strain up to that part of it.
 */
#include "form/positions.h"

#include "dyn/completion.h"

#include <math.h>

/* Radians. Two are far: a step turns a body by one at most (sim.c), and three are below pi. */
static const double FAR = 2, FAR_REDUCED = 1;

int hol__form_far(hol__form *form, double t, const double *y) {
    const hol_model *m = form->model;
    if (hol__form_unpack(form, t, y)) return 1;
    m->coords->minus(m, form->data->q, form->base, form->x);
    const double reach =
        form->state->reduced ? FAR_REDUCED / fmax(1, form->completion->strain) : FAR;
    return hol__form_turned(form, form->x) > reach;
}
