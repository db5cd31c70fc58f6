/* family.h: the neighbours of a run: the same description with a parameter a little larger or
 * smaller, four for each parameter.
 *
 * Derivatives by a parameter at fixed numbers q, v, z are differences of order four over them,
 *
 *     df/dp = sum_i w_i (f_i - f_0) / h      at p + h (-2 -1 1 2), or on one side of p where the
 *                                            other has no model (a restitution of 1)
 *
 * with h = 1e-3 |p| (1e-3 where p is 0). Each neighbour is a simulation that makes no steps: it is
 * assembled as the run is, and follows its changes (change.h), so that what events set and what
 * elements hold follows the parameter too.
 */
#ifndef HOL_ANALYSIS_FAMILY_H
#define HOL_ANALYSIS_FAMILY_H

#include "analysis/goals_object.h"
#include "analysis/nudge.h"
#include "analysis/parameter_tangent.h"
#include "dyn/probe.h"

typedef struct hol__neighbour {
    hol__trial trial;
    double by;      /* how much larger the parameter is */
    double weight;  /* over h */
    void *start;    /* as it was made, exactly … */
    size_t size;    /* … in so many bytes */
    double *memory; /* what it remembers beside what the run does, n_memory */
} hol__neighbour;

typedef struct hol__family {
    hol__goals *goals;
    hol_context *ctx; /* what neighbours say */
    hol__arena arena;
    int n;               /* parameters */
    hol__neighbour *all; /* HOL__STENCIL of each */
    double *rest;        /* by parameter: the weight of f_0 */
    double *room;        /* nv */
    /* a neighbour was on another side of a corner or an instant than the run; the time of the state
     * that was looked at last; and up to when some have not passed the last instant, or have */
    int split, beside; /* … in such a way that differences still were to be had */
    double latest, until;
    double *energy; /* by parameter: how T + V at the start follows it */
} hol__family;

/* The neighbours of a run at p, started as it is. share: h over |p|; 0: 1e-3. */
hol_status hol__family_new(hol__goals *goals, const double *p, double share, hol__family **family);
void hol__family_free(hol__family *family);

/* All as they were at the start. */
hol_status hol__family_reset(hol__family *family);

/* Neighbour i of parameter j. */
static inline hol__neighbour *hol__family_get(const hol__family *f, int j, int i) {
    return &f->all[j * HOL__STENCIL + i];
}

/* Whether all of them have the coordinates and constraints of data; else an error that names the
 * parameter. */
hol_status hol__family_check(const hol__family *family, const hol_data *data);

/* A neighbour with the numbers of data. */
hol_data *hol__family_put(const hol__family *family, int j, int i, const hol_data *data);

/* How the start follows the parameters: Y (n x parameters, n = 2 nv + n_aux); and the end of the
 * span, by parameter. */
void hol__family_start(const hol__family *family, hol_data *start, double *Y);
double hol__family_end(const hol__family *family, int j, double end);

/* The run has met an instant at t, and those of neighbours lie up to `by` from it. */
void hol__family_pass(hol__family *family, double t, double by);

/* The derivatives of the equations (parameter_tangent.h), of all measures (out: columns), at the
 * state of data, solved. inside: the state lies between two changes. */
hol_status hol__family_terms(hol__family *family, int j, hol_data *data, int inside,
                             hol__parameter_terms *terms);
hol_status hol__family_measures(const hol__family *family, int j, hol_data *data, hol__nudge *nudge,
                                double *out);

#endif
