/* component.h: an instance that the library computes: see calls.h. An instance owns its context,
 * model and simulation.
 *
 * Invariants:
 * - parameters and inputs are kept as they were set; the simulation is made anew where parameters
 *   or the span differ from those it was made with, before the run alone;
 * - in model exchange the state is x, a copy; hol_sim_data has it whenever something is asked.
 */
#ifndef HOL_FMU_COMPONENT_H
#define HOL_FMU_COMPONENT_H

#include "fmu/calls.h"
#include "fmu/table.h"

struct hol__fmu {
    hol_context *ctx;
    hol_spec *spec;
    hol__fmu_table table;
    hol__fmu_model made;
    hol_sim *sim; /* NULL: to be made when it is needed */
    hol__fmu_state state;
    int exchange;                  /* model exchange; else co-simulation */
    int event_mode, early_return;  /* of co-simulation, as the importer asked for */
    double start, stop, tolerance; /* stop INFINITY and tolerance 0: not given */
    double t;
    double *parameters, *inputs, *given, *x; /* given: the inputs that the simulation has */
    double jumped_at, jumped_to; /* a law jumped at the first time; behind it is the second */
    int placed;                  /* hol_sim_data has x at t */
    long happened;               /* switches and events that were told of */
    int ended;
    hol_derivatives *derivatives; /* of the state at hand; NULL: to be made */
    void *user;
    /* after each step within a doStep (may be NULL): 1 asks to return early */
    int (*between)(void *user, double t);
};

#endif
