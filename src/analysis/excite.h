/* excite.h: how an input enters the linear equations of small motions (small.h).
 *
 *     s' = A s + B0 u + B1 u' + B2 u''
 *
 * An input is a parameter of the model file, by which everything may follow (a torque, a reference
 * value, a stiffness, the law of a driver); what is added to the law of a driver; a force or moment
 * on a body; or a load along the coordinate of a joint, a spring or a damper. What moves joints
 * changes what the constraints leave: with Phi_u = dPhi/du, P_u = dpsi/du
 *
 *     dq = N x + n0 u                    D n0 = - Phi_u
 *     dv = R y + S x + S0 u + S1 u'      A S0 = - P_u - Pq n0,   A S1 = - Phi_u (holonomic rows)
 *     A da = … + (C_u + Cq n0 + Cv S0) u + (Cv S1 - k P_u) u' - Phi_u u''
 *
 * (k = 2 in holonomic rows, whose psi_u is the rate of Phi_u, and 1 in the others), so that its
 * rate and its second derivative act too.
 */
#ifndef HOL_ANALYSIS_EXCITE_H
#define HOL_ANALYSIS_EXCITE_H

#include "analysis/parameter_tangent.h"
#include "analysis/small.h"

typedef struct hol__excite {
    const char *name, *unit;
    hol__parameter_tangent *parameter; /* NULL: no parameter */
    hol__parameter_terms *by; /* how the equations follow it, that or its own; or, NULL: … */
    double *w;                /* … a load: of a unit on the bodies, ground last */
    int moves;                /* joints: B1 or B2, S0 or S1 are not zero */
    double *n0, *S[2];        /* nv */
    double *B[3];             /* n */
} hol__excite;

/* The input of that name in the arena of small: a parameter; a driver or motor, for what is added
 * to its law; a joint or its "joint.angle" or "joint.displacement", a spring or a damper, for a
 * load along it (hol_actuator in holonom/inverse.h); "body.fx", "body.fy", "body.fz", "body.mx",
 * "body.my", "body.mz" (in the plane fx, fy and m) in the global frame. spec and coordinates are
 * those of its model. Reports what is wrong with the name. */
hol_status hol__excite_new(hol__small *small, const hol_spec *spec, const char *coordinates,
                           const char *name, hol__excite *input);
void hol__excite_free(hol__excite *input);

/* ---- by names of elements (excite_named.c) ---- */

int hol__excite_is_parameter(const hol_spec *spec, const char *name);

/* Whether it is a driver, and then `by` and the unit. */
int hol__excite_find_driver(hol__small *small, const char *name, hol__excite *input);

/* Whether it is a joint, a part of one, or a force; and then the load along it, w and the unit. */
int hol__excite_is_coordinate(const hol_model *model, const char *name);
hol_status hol__excite_coordinate(hol__small *small, const char *name, hol__excite *input);

#endif
