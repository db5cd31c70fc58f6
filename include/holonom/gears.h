/* gears.h: gear trains and other mechanisms seen from some of their shafts.
 *
 * All velocities follow from those of the chosen shafts, v = V s', and so
 *
 *     V^T M V s'' + K s' = 0,   K = -V^T dQ/dv V      for small changes of a steady motion
 *
 * whose characteristic equation det(lambda V^T M V + K) = 0 says whether it is stable (E. Pennestri
 * and P. P. Valentini, equations 34 to 46).
 */
#ifndef HOLONOM_GEARS_H
#define HOLONOM_GEARS_H

#include "answer.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_gears_options {
    size_t size; /* sizeof(hol_gears_options), set by the caller */
    /* as many as there are freedoms: joints ("shaft", "screw.angle"), or velocities of bodies
     * ("sun.angle", in space "sun.omega_z"); 0: velocities of bodies are chosen, those that tell
     * most of the others */
    int n_shafts;
    const char *const *shafts;
    /* the forces and drivers that take power out; none: those with a negative power, of which what
     * dampers, friction and the like take counts as lost */
    int n_loads;
    const char *const *loads;
} hol_gears_options;

/* At the state of a simulation. *out: tables V, M (V^T M V), K, characteristic (coefficients of
 * lambda^0, lambda^1, …), eigenvalues, speeds, power (what bodies receive from joints and forces);
 * facts with the power that goes in and out and is lost, and the efficiency. Messages go to ctx. */
hol_status hol_gears(hol_context *ctx, hol_sim *sim, const hol_gears_options *how,
                     hol_answer **out);

#ifdef __cplusplus
}
#endif

#endif
