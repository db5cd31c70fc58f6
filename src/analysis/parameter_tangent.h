/* parameter_tangent.h: derivatives of the equations of motion by a parameter of the model file.
 *
 *     F = d(Q - M a - A^T lambda)/dp    C = d(c - A a)/dp    P = dpsi/dp    Phi = dPhi/dp    R =
 * dz'/dp
 *
 * at fixed a, lambda and at the same state. A parameter may stand anywhere, in masses, places, axes
 * and laws, and what follows from it is made by the compiler: so these are differences of order
 * four (dyn/probe.h) over four models that are compiled once with other values of p. With the step
 * h = 1e-3 |p| (1e-3 where p is 0) they are off by some 1e-12 of the values over |p|.
 *
 * The same state means the same numbers q, v, z. Those of a body are its mass centre and its frame
 * as drawn: where a parameter moves the mass centre within the body, the body moves.
 */
#ifndef HOL_ANALYSIS_PARAMETER_TANGENT_H
#define HOL_ANALYSIS_PARAMETER_TANGENT_H

#include "dyn/tangent.h"

#include <holonom/spec.h>

/* The derivatives. */
typedef struct hol__parameter_terms {
    double *F;     /* nv */
    double *C, *P; /* m */
    double *Phi;   /* mh */
    double *R;     /* n_aux */
} hol__parameter_terms;

/* In the arena; as zeros; and with weight times the values at one point of the difference, a data
 * of a model like that of data, at the same numbers (DYN, psi), added. */
void hol__parameter_terms_init(hol__parameter_terms *terms, const hol_model *model,
                               hol__arena *arena);
void hol__parameter_terms_clear(hol__parameter_terms *terms, const hol_model *model);
void hol__parameter_terms_add(hol__parameter_terms *terms, const hol_data *data, hol_data *at,
                              double weight);

typedef struct hol__parameter_tangent {
    const hol_model *model;
    hol__arena arena;
    double value; /* of the parameter */
    hol__parameter_terms by;
    struct hol__parameter_work *work;
} hol__parameter_tangent;

/* Why a model or a simulation was not made: a lack of memory that was reported, else the status of
 * the last error. */
hol_status hol__why_not_made(const hol_context *ctx);

/* The value of a parameter of the description. Reports an unknown one. */
hol_status hol__parameter_value(hol_context *ctx, const hol_spec *spec, const char *coordinates,
                                const char *name, double *value);

/* The step of differences by a parameter of that value: a thousandth of it, of order four with
 * errors of some 1e-12, or another share. */
double hol__parameter_step_at(double value, double share);

/* Whether a model like this one can be had with neighbouring values of the parameter, on one side
 * at least; *why, where it cannot: the last error, in the arena. HOL_ERR_MEMORY. */
hol_status hol__parameter_varies(const hol_model *model, const hol_spec *spec,
                                 const char *coordinates, const char *name, hol__arena *arena,
                                 int *varies, const char **why);

/* For the states of data, whose model was compiled from the description in these coordinates.
 * Reports an unknown parameter, and one whose change makes another mechanism of the model. */
hol_status hol__parameter_tangent_new(hol_context *ctx, const hol_spec *spec,
                                      const char *coordinates, const char *name,
                                      const hol_data *data, hol__parameter_tangent **tangent);
void hol__parameter_tangent_free(hol__parameter_tangent *tangent);

/* The derivatives at the state in data with its a and lambda. */
hol_status hol__parameter_tangent_update(hol__parameter_tangent *tangent, const hol_data *data);

/* Point i (of HOL__STENCIL, dyn/probe.h) of the differences: the model there with the state of the
 * last update, and by how much the parameter is larger. */
hol_data *hol__parameter_point(const hol__parameter_tangent *tangent, int i, double *shift);

/* The step of the differences. */
double hol__parameter_step(const hol__parameter_tangent *tangent);

/* How a and lambda follow the parameter (dyn/tangent.h); lambda may be NULL. */
hol_status hol__parameter_accelerations(hol__parameter_tangent *tangent, const hol__gains *gains,
                                        hol__solve_fn *solve, void *self, double *a,
                                        double *lambda);

#endif
