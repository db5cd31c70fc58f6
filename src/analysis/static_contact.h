/* static_contact.h: equilibria with joints that push and do not pull (rigid contacts, stops,
 * ropes).
 *
 * The gaps that a run from rest at the position has closed (sim/rigid.h: complementarity, friction
 * that sticks or slides) are constraints. The search goes downhill with these, as far as the open
 * gaps allow. Where one closes, and where the search comes to rest, the closed gaps are found anew
 * for the position, so that one that pulls lets go and one whose friction does not hold slides. It
 * is an equilibrium where they are those that it was found with.
 */
#ifndef HOL_ANALYSIS_STATIC_CONTACT_H
#define HOL_ANALYSIS_STATIC_CONTACT_H

#include "analysis/static_case.h"
#include "base/answer.h"

/* The gaps that are open in the set of a simulation, whose data has the same model. */
struct hol__static_gaps {
    const hol_sim *sim;
    double touches; /* m: a gap that is not larger is closed */
    int all;        /* those that are closed in the set too */
};

/* The least of them at the state of s; infinite where there are none. */
double hol__static_gap(const hol__static *s);

/* Move by Z x (and states by dz, NULL: none), or, where an open gap is passed on the way, by the
 * share of it that closes the gap; x and dz are then that. */
hol_status hol__static_step(hol__static *s, double *x, double *dz, double *share);

/* Whether one of them is passed there. */
int hol__static_passes(const hol__static *s);

/* The gaps of a case whose simulation is there; none where it has no such joints. */
hol_status hol__static_case_gaps(hol__static_case *c);

/* The closed gaps of the position in c, at rest or in its steady motion: data and system are made
 * anew. */
hol_status hol__static_case_touch(hol__static_case *c);

/* An equilibrium from the position in c, with contacts where it has some, or a steady motion; or
 * why there is none. */
hol_status hol__static_case_settle(hol__static_case *c, hol__equilibrium *e);

/* The part of it with contacts: settled with one set after the other, until it stays. In a steady
 * motion nothing is reported, and > 0 returned. */
hol_status hol__static_case_rounds(hol__static_case *c, hol__equilibrium *e);

/* Which contacts carry: a row for each joint of this kind into the answer. */
void hol__static_case_tell(hol_answer *answer, const hol__static_case *c);

#endif
