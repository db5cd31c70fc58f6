/* aside_rest.c: rows set aside rest from step to step while there is no reason to look at them.
 *
 * That rows D depend on K says that all minors of A with more rows than K vanish. Constraints are
 * analytic between the corners of their laws and curves, and so is the motion: minors that vanish
 * over a stretch of it vanish for as long as K keeps its rank, which is read at every accepted
 * state. So D is evaluated no longer at all of them but
 *
 *     where the mechanism has moved as far since the last look as it had moved while D was seen to
 *     depend, at every look, or by a radian or its size;
 *     after as many steps as D has rows for each velocity of the coordinates;
 *     at the end of the run, behind an instant at which laws jump, and where somebody asks:
 *     outputs, measures of reactions, the caller;
 *     where the shares of K do not let it rest.
 *
 * The stretch s over which nothing was seen at least doubles from look to look. The share of D that
 * is new was below a hundredth of what is taken for dependent: if it grows like s^k it is still
 * dependent at the next look for k <= 6, since 2^6 < 100, so that no position at which D depends by
 * chance, up to that order, is taken for a rule. The number of steps bounds what looks cost: one
 * has the rows of D, so that all of them together cost no more than one more row for each velocity
 * in each step, and independent constraints are fewer than velocities.
 *
 * Residuals, contradictions and rank are those of all rows there, and of the kept ones between. A
 * contradiction is found at the next of these states.
 */
#include "sim/sim.h"

#include <math.h>

static const double most_motion = 1;

/* A share of rows that is new beside the kept ones below this proves something: a hundredth of what
 * is taken for dependent. */
static const double proof = 1e-2 * HOL__RELEASE_TOLERANCE;

int hol__aside_every(const hol_model *m, int rows) {
    return m->nv ? (rows + m->nv - 1) / m->nv : 1; /* nothing moves without velocities */
}

void hol__aside_moves(hol_sim *sim, double motion) {
    sim->aside.rest.step = motion;
    sim->aside.rest.motion += motion;
}

void hol__aside_proves(hol_sim *sim, int good, double newest) {
    hol__aside_rest *r = &sim->aside.rest;
    r->stretch = good && newest <= proof ? r->stretch + r->motion : 0;
    r->steps = 0;
    r->motion = 0;
    r->instants = sim->instants.count;
}

/* Whether the rows may rest at the state that is being accepted. */
static int may_rest(const hol_sim *sim) {
    const hol__aside_rest *r = &sim->aside.rest;
    return sim->aside.set.on && !sim->aside.only_read && r->steps + 1 < sim->aside.every &&
           r->motion + r->step <= fmin(r->stretch, most_motion) &&
           r->instants == sim->instants.count &&
           hol__integrator_time(sim->integ) < sim->options[HOL__OPT_END] && !sim->extremes.solves &&
           !sim->form.embedded && !sim->form.start_psi;
}

void hol__aside_rest_begin(hol_sim *sim) {
    hol__aside_rest *r = &sim->aside.rest;
    if (!may_rest(sim)) return;
    hol__aside_begin(sim);
    r->resting = sim->data->spared != NULL;
    if (r->resting)
        r->steps++;
    else
        hol__aside_end(sim);
}

void hol__aside_rest_end(hol_sim *sim) {
    if (!sim->aside.rest.resting) return;
    sim->aside.rest.resting = 0;
    hol__aside_end(sim);
}

void hol__aside_rest_walk(hol_sim *sim, hol__archive *archive) {
    hol__aside_rest *r = &sim->aside.rest;
    HOL__ARCHIVE(archive, r->stretch);
    HOL__ARCHIVE(archive, r->steps);
    HOL__ARCHIVE(archive, r->motion);
    HOL__ARCHIVE(archive, r->step);
    HOL__ARCHIVE(archive, r->instants);
}
