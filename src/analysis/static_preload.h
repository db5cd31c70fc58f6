/* static_preload.h: free lengths of springs that make the drawn position an equilibrium.
 *
 * The forces of a spring are linear in its free length (free angle), so that
 *     f + S y = 0,     y_i: change of spring i,    S_i = Z^T dQ/dy_i
 * has the solution of smallest norm in the forces: with d_i = |S_i| each y_i is measured by the
 * force it makes.
 */
#ifndef HOL_ANALYSIS_STATIC_PRELOAD_H
#define HOL_ANALYSIS_STATIC_PRELOAD_H

#include "analysis/static_case.h"

typedef struct hol__preload {
    char path[256]; /* "forces.spring.free_length" */
    double before, after;
    const char *unit; /* "m" or "rad" */
} hol__preload;

/* For these forces of the model; the position is that of c, as drawn and assembled. On success c is
 * the case of the description with the new values, at that position. *residual: |f| that is left
 * over the largest force. */
hol_status hol__static_preload(hol__static_case *c, const hol_spec *spec, int n,
                               const char *const *names, hol__preload *out, double *residual);

#endif
