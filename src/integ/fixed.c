/* fixed.c: steps of a given length.
 *
 * Grid points are t_k = t_start + k step, by multiplication, so that they do not drift. A t_stop
 * within 1e-9 step of t_k counts as t_k; one inside a step cuts it, and the next step returns to
 * the grid.
 */
#include "integ/integ.h"

#include <stdio.h>

/* The end of the next step, the next grid point or t_stop when that comes first, and its length. */
static double plan_step(const hol__integrator *integ, double t_stop, double *h) {
    const double step = integ->control.step, t = integ->step.t,
                 next = hol__evolve_grid(integ, integ->grid + 1);
    if (t_stop > next + HOL__GRID_SLACK * step || t_stop == next) {
        const int whole = t == hol__evolve_grid(integ, integ->grid);
        *h = whole ? step : next - t;
        return next;
    }
    *h = t_stop - t;
    return t_stop;
}

/* How steps come to be chosen by their error. */
static const char *control_of(const hol__stepper_type *type, char *buf, size_t size) {
    char names[256];
    if (type->error_order > 0)
        snprintf(buf, size, "leave out `step`, so that %s chooses its steps by their error",
                 type->name);
    else
        snprintf(buf, size, "take error control with %s",
                 hol__stepper_controlled(names, sizeof names));
    return buf;
}

/* A step that cannot be shortened has failed. */
static hol_status give_up(const hol__integrator *integ, double h, hol_status cause) {
    char control[320];
    const hol_status known = hol__evolve_explained(integ);
    if (known) return known;
    return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "integrator '%s': the step of %.6g from t = %.12g failed: %s; a fixed "
                       "step is not shortened: look at what the model does at this time (a "
                       "singular position, a jump, a stop), try a smaller step, or %s",
                       integ->type->name, h, integ->step.t, hol_status_text(cause),
                       control_of(integ->type, control, sizeof control));
}

/* One attempt without error test. */
hol_status hol__step_fixed(hol__integrator *integ, double t_stop) {
    double h;
    const double t_new = plan_step(integ, t_stop, &h);
    if (!(t_new > integ->step.t))
        return hol__report(
            integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
            "integrator '%s': the step of %.6g is below the resolution of time at t = %.12g",
            integ->type->name, integ->control.step, integ->step.t);
    const hol_status status = hol__evolve_attempt_finite(integ, t_new, h);
    if (status == HOL_NONFINITE)
        integ->stats.rejected++;
    else if (status > 0)
        integ->stats.failures++;
    if (status != HOL_OK) return status < 0 ? status : give_up(integ, h, status);
    hol__evolve_end(integ);
    return HOL_OK;
}
