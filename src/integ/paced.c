/* paced.c: steps of formulas that pace themselves.
 *
 * A formula with a history of steps chooses and tests them itself and is only told where to end at
 * the latest. Steps of a given length, over singular positions and corners, are made by another
 * formula, its leaper.
 */
#include "integ/integ.h"

#include <float.h>
#include <math.h>

/* Steps of fewer units of rounding than this are too short to build a history on. */
static const double SLIVER = 1000;

/* No step passes, also from a fresh start. */
static hol_status give_up(const hol__integrator *integ, hol_status cause) {
    const hol_status known = hol__evolve_explained(integ);
    const char *said = integ->stepper.said;
    if (known) return known;
    return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "integrator '%s': no step from t = %.12g passes (tolerance %.3g): %s%s%s; "
                       "look at what the model does at this time (a singular position, a jump, a "
                       "stop), or loosen the tolerance",
                       integ->type->name, integ->step.t, hol__evolve_tolerance(integ),
                       hol_status_text(cause), *said ? "; " : "", said);
}

/* One step of the formula's own choice; what it can do from a fresh start is tried once. */
hol_status hol__step_paced(hol__integrator *integ, double t_stop) {
    const double t = integ->step.t, rest = t_stop - t;
    hol_status status = HOL_OK;
    integ->leapt = rest <= SLIVER * DBL_EPSILON * fmax(fabs(t), fabs(t_stop));
    for (int tries = 0; tries < 2; tries++) {
        const double wanted = integ->memory.h_next;
        integ->step.next = wanted;
        status = hol__evolve_attempt_finite(integ, t_stop, wanted > 0 ? fmin(wanted, rest) : rest);
        if (status < 0) return status;
        if (status == HOL_OK) {
            integ->memory.h_next = integ->step.next;
            hol__evolve_end(integ);
            return HOL_OK;
        }
        integ->stats.failures++;
        hol__stepper_reset(&integ->stepper);
    }
    return give_up(integ, status);
}
