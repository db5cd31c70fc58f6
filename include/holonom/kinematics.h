/* kinematics.h: the motion of a mechanism that its drivers determine, without integration.
 *
 * As many drivers as freedoms: positions follow from Phi(q, t) = 0 by Newton's method along one
 * branch, velocities from A v = b, accelerations from A v' = c. Masses are not needed
 * (hol_spec_allow_massless); where all bodies have them the reactions and the loads of drivers are
 * those of inverse dynamics.
 *
 *     hol_sim *sim = hol_kinematics_new(ctx, model, options);
 *     hol_kinematics_options how = {.size = sizeof how, .cycle = "motor"};
 *     hol_answer *answer;
 *     hol_status status = hol_kinematics(ctx, sim, &how, &answer);
 */
#ifndef HOLONOM_KINEMATICS_H
#define HOLONOM_KINEMATICS_H

#include "answer.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A simulation for hol_kinematics: assembled at the start, with times, output, units and assembly
 * from the options, and nothing of how a run is integrated. NULL on failure. */
hol_sim *hol_kinematics_new(hol_context *ctx, const hol_model *model, const hol_options *options);

typedef struct hol_kinematics_options {
    size_t size; /* sizeof(hol_kinematics_options), set by the caller */
    /* a driver: from the start until it has made its turns; NULL: to the end */
    const char *cycle;
    int points;               /* of that cycle, both ends included; 0: 360 a turn and the end */
    int loads;                /* tell the loads of drivers: every body must have its mass */
    const char *transmission; /* an angle among the measures: how it transmits; NULL: none */
    /* called at each output time with the state in the data of the simulation, as that of
     * hol_observer; may be NULL */
    hol_status (*on_output)(void *user, hol_sim *sim);
    void *user;
    int motion;   /* the table `motion` too: every measure at each position */
    double turns; /* of the driver of the cycle, for example 2 of a four-stroke engine; 0: 1 */
} hol_kinematics_options;

/* The motion over the output times of the simulation, which may not have been run; once. *out: the
 * facts (freedoms, steps, residuals), the tables `extremes` (of each measure) and `times` (when),
 * `curves` (of each point that is measured by x and y in the plane: extent, and of a closed curve
 * length and area), `singular` (positions in which branches meet), `loads`, `transmission`,
 * and, where it is asked for, `motion`.
 *
 * HOL_ERR_INPUT where drivers are missing, or there are too many; HOL_ERR_SINGULAR where a driver
 * comes to a dead point and cannot go on: the states up to there were handed to on_output. Messages
 * name them. */
hol_status hol_kinematics(hol_context *ctx, hol_sim *sim, const hol_kinematics_options *options,
                          hol_answer **out);

typedef struct hol_workspace_options {
    size_t size;            /* sizeof(hol_workspace_options), set by the caller */
    const char *drivers[2]; /* that are moved, each on its own; the others stand still */
    double from[2], to[2];  /* between these values of their coordinates */
    int points;             /* of each; 0: 41 */
    const char *point;      /* a measure of a position */
} hol_workspace_options;

/* Where a measured point can be brought by two drivers that prescribe positions: from the assembled
 * start of the simulation over a grid of their values, without passing a singular position. *out:
 * the table `workspace` (values of the drivers, place of the point) with all that were reached, how
 * many these are of all, the extent and, in the plane, the area that the point covers (as often as
 * it is covered). */
hol_status hol_workspace(hol_context *ctx, hol_sim *sim, const hol_workspace_options *options,
                         hol_answer **out);

#ifdef __cplusplus
}
#endif

#endif
