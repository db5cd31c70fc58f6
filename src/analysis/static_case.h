/* static_case.h: a mechanism at its start, ready for statics: compiled from its description,
 * assembled, at rest or in a steady motion.
 *
 * At rest all velocities are zero: drivers hold what they ask for at that time. In a steady motion
 * the velocities of the start go on, carried by a frame (steady.h), and equilibrium is that of all
 * else as it is seen from there. Joints and forces that do not act at the start do not act here; of
 * joints that push, static_contact.h.
 */
#ifndef HOL_ANALYSIS_STATIC_CASE_H
#define HOL_ANALYSIS_STATIC_CASE_H

#include "analysis/equilibrium.h"

#include <holonom/sim.h>
#include <holonom/spec.h>

typedef struct hol__static_case {
    hol_context *ctx;
    hol_model *own; /* made for the case; NULL: the model is another's */
    const hol_model *model;
    hol_options *options;
    hol_sim *sim;
    hol_data *data;
    hol__static *system;
    int steady;
    struct hol__static_gaps *gaps; /* of joints that push, or NULL */
    struct hol__frame *frame;      /* that carries a steady motion, or NULL */
} hol__static_case;

/* From a description; time: NaN for the start of the simulation. What cannot be done is reported.
 * Free it after a failure too. */
hol_status hol__static_case_open(hol_context *ctx, const hol_spec *spec, double time, int steady,
                                 hol__static_case *c);
void hol__static_case_close(hol__static_case *c);

/* The same of a model that is there, with options of its run, at rest at its start. */
hol_status hol__static_case_of(hol_context *ctx, const hol_model *model, const hol_options *options,
                               hol__static_case *c);

/* The part of closing for a case of another's simulation, which stays. */
void hol__static_case_forget(hol__static_case *c);

/* The same mechanism made of another description, at the positions of one that is there: the same
 * numbers q, states and turns, the same elements that act, the same gaps that are closed. */
hol_status hol__static_case_like(const hol__static_case *from, hol_context *ctx,
                                 const hol_spec *spec, hol__static_case *c);

/* Whether the equilibrium in c is one in all that was left out of the search: contacts push and
 * stick. Reports what is not. (A steady motion has been looked at by the search.) */
hol_status hol__static_case_check(hol__static_case *c);

#endif
