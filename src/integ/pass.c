/* pass.c: steps around a place that no stage should meet, such as a singular position.
 *
 * The system says when it expects the place, t*, and how near to it in time, w, no step should begin or end because rounding errors
 * count there (ode.h). A step of length h from t passes it well when t* falls into the middle of a gap between the stages,
 * t* = t + g h, and that as late as the middle of the step: the first stages are the least accurate ones, and the end of the step
 * shall not be near t* either. With d = t* - t, G the latest of the gaps and H = max(h, w/G), h being what the controller wants:
 *
 *     d - h >= G H              h: the next step is still far enough away
 *     1.15 G H < d < h + G H    up to t* - G H, from where a step of length H passes it
 *     d <= 1.15 G H             over it, with the longest d / g, g a gap, that is not much longer than H
 */
#include "integ/integ.h"

#include <math.h>

/* A gap whose half is at least this share of its middle keeps the stages away from t*. */
static const double LEAST_MARGIN = 0.25;
/* No gap later than this: the end of the step has to be away from t* too. */
static const double LATEST = 0.6;
/* A step over t* may be this much longer than the wanted one, and after a rejection, which shortens that to nine tenths at most: no
 * step towards t* is a sliver. */
static const double STRETCH = 1.15, LATER_STRETCH = 1.02;

/* The next larger abscissa after c, at most 1. */
static double next_abscissa(const hol__rk_table *table, double c) {
    double next = 1;
    for (int i = 0; i < table->stages; i++)
        if (table->c[i] > c) next = fmin(next, table->c[i]);
    return next;
}

void hol__pass_gaps(hol__integrator *integ) {
    integ->gaps = 0;
    for (double c = 0, next; c < 1; c = next) {
        next = next_abscissa(integ->table, c);
        const double middle = 0.5 * (c + next), half = 0.5 * (next - c);
        if (middle <= LATEST && half >= LEAST_MARGIN * middle) integ->gap[integ->gaps++] = middle;
    }
}

/* d = t* - t and G H. Whether the next step from t has to mind the place. */
static int look_ahead(const hol__integrator *integ, double t, double *d, double *room) {
    const hol__ode *ode = integ->ode;
    double width = 0;
    if (!ode->obstacle || integ->control.step > 0 || !integ->gaps) return 0;
    *d = ode->obstacle(ode->self, &width) - t;
    *room = fmax(integ->gap[integ->gaps - 1] * integ->h_next, integ->narrow ? 0 : width);
    return *d > 0 && *d < integ->h_next + *room;
}

int hol__pass_near(const hol__integrator *integ, double t) {
    double d, room;
    return look_ahead(integ, t, &d, &room);
}

double hol__pass_length(const hol__integrator *integ, int tries, int *forced) {
    const double latest = integ->gaps ? integ->gap[integ->gaps - 1] : 1, h = integ->h_next;
    double d, room;
    *forced = 0;
    if (!look_ahead(integ, integ->t_old, &d, &room)) return h;
    const double longest = (tries ? LATER_STRETCH : STRETCH) * room / latest;
    *forced = room > latest * h;
    if (d > latest * longest) return d - room;
    for (int i = 0; i < integ->gaps; i++)
        if (d <= integ->gap[i] * longest) return d / integ->gap[i];
    return h;
}
