/* pass.c: steps around a place that no stage should meet, such as a singular position.
 *
 * The system says when it expects the place, t*, and how near to it in time, w, no step should begin
 * or end because rounding errors count there (pass.h). A step of length h from t passes it well when
 * t* falls into the middle of a gap between the stages, t* = t + g h, and that as late as the middle
 * of the step: the first stages are the least accurate ones, and the end of the step shall not be
 * near t* either. With d = t* - t, G the latest of the gaps and H = max(h, w/G), h being what the
 * controller wants:
 *
 *     d - h >= G H              h: the next step is still far enough away
 *     1.15 G H < d < h + G H    up to t* - G H, from where a step of length H passes it
 *     d <= 1.15 G H             over it, with the longest d / g, g a gap, not much longer than H
 */
#include "integ/integ.h"

#include <math.h>

/* A gap whose half is at least this share of its middle keeps the stages away from t*. */
static const double LEAST_MARGIN = 0.25;
/* No gap later than this: the end of the step has to be away from t* too. */
static const double LATEST = 0.6;
/* A step over t* may be this much longer than the wanted one, and after a rejection, which shortens
 * that to nine tenths at most: no step towards t* is a sliver. */
static const double STRETCH = 1.15, LATER_STRETCH = 1.02;

/* At a place to get over: after EASE_AFTER failures a long step is tried anew; every other time the
 * tolerance is eased by this factor, as long as it stays below EASED_TOLERANCE. */
enum { EASE_AFTER = 5, MOST_LENGTHENED = 3, MOST_ROUNDS = 10 };
#define EASE 30.0
#define EASED_TOLERANCE 1e-7

/* The next larger abscissa after c, at most 1. */
static double next_abscissa(const double *abscissae, int stages, double c) {
    double next = 1;
    for (int i = 0; i < stages; i++)
        if (abscissae[i] > c) next = fmin(next, abscissae[i]);
    return next;
}

void hol__pass_gaps(hol__integrator *integ) {
    hol__pass *pass = &integ->pass;
    double abscissae[HOL__MAX_STAGES];
    const int stages = hol__integrator_stages(integ, abscissae);
    for (double c = 0, next; c < 1; c = next) {
        next = next_abscissa(abscissae, stages, c);
        const double middle = 0.5 * (c + next), half = 0.5 * (next - c);
        if (middle <= LATEST && half >= LEAST_MARGIN * middle) pass->gap[pass->gaps++] = middle;
    }
}

void hol__pass_start(hol__integrator *integ) {
    integ->pass.h_long = 0;
    integ->pass.ease = 1;
}

void hol__pass_begin(hol__integrator *integ) {
    hol__pass *pass = &integ->pass;
    pass->wanted = integ->memory.h_next;
    pass->since = pass->lengthened = pass->rounds = pass->narrow = 0;
    pass->ease = 1;
}

/* d = t* - t and G H. Whether the next step from t has to mind the place. */
static int look_ahead(const hol__integrator *integ, double t, double *d, double *room) {
    const hol__system *system = integ->system;
    const hol__pass *pass = &integ->pass;
    const double h = integ->memory.h_next;
    double width = 0;
    if (!system->passage || integ->control.step > 0 || !pass->gaps) return 0;
    *d = system->passage->obstacle(system->self, &width) - t;
    *room = fmax(pass->gap[pass->gaps - 1] * h, pass->narrow ? 0 : width);
    return *d > 0 && *d < h + *room;
}

int hol__pass_near(const hol__integrator *integ, double t) {
    double d, room;
    return look_ahead(integ, t, &d, &room);
}

double hol__pass_length(const hol__integrator *integ, int tries, int *forced) {
    const hol__pass *pass = &integ->pass;
    const double latest = pass->gaps ? pass->gap[pass->gaps - 1] : 1, h = integ->memory.h_next;
    double d, room;
    *forced = 0;
    if (!look_ahead(integ, integ->step.t, &d, &room)) return h;
    const double longest = (tries ? LATER_STRETCH : STRETCH) * room / latest;
    *forced = room > latest * h;
    if (d > latest * longest) return d - room;
    for (int i = 0; i < pass->gaps; i++)
        if (d <= pass->gap[i] * longest) return d / pass->gap[i];
    return h;
}

void hol__pass_accept(hol__integrator *integ, double h) {
    hol__pass *pass = &integ->pass;
    integ->stats.eased += pass->ease > 1;
    pass->ease = 1;
    pass->h_long = fmax(h, 0.99 * pass->h_long);
}

/* Ease the tolerance of the step under way; 0 when it may not be eased further. */
static int ease(hol__integrator *integ) {
    hol__pass *pass = &integ->pass;
    const double most = fmax(1, EASED_TOLERANCE / integ->control.tolerance), was = pass->ease;
    pass->ease = fmin(EASE * was, most);
    return pass->ease > was;
}

/* Whether the system is at a place to get over. */
static int passes(const hol__integrator *integ) {
    const hol__system *system = integ->system;
    return system->passage && system->passage->passes && system->passage->passes(system->self);
}

int hol__pass_reject(hol__integrator *integ, double h, int forced, hol_status status) {
    hol__pass *pass = &integ->pass;
    double *const h_next = &integ->memory.h_next;
    if (forced && ease(integ)) return 1;
    pass->narrow |= forced;
    /* too near to a place to get over: end behind it */
    if (status == HOL_RETRY && pass->lengthened < MOST_LENGTHENED && passes(integ)) {
        *h_next = fmax(1.7 * h, (0.9 - 0.25 * pass->lengthened) * pass->h_long);
        pass->lengthened++;
        return 1;
    }
    if (++pass->since == EASE_AFTER && pass->rounds < MOST_ROUNDS && passes(integ)) {
        /* a long step again, of another length each time, so that the stages fall elsewhere */
        *h_next = fmax(pass->wanted, (0.9 - 0.07 * pass->rounds) * pass->h_long);
        if (pass->rounds++ % 2) ease(integ);
        pass->since = 0;
    }
    return 0;
}
