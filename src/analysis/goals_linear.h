/* goals_linear.h: passes over a run that find the derivatives of goals. */
#ifndef HOL_ANALYSIS_GOALS_LINEAR_H
#define HOL_ANALYSIS_GOALS_LINEAR_H

#include "analysis/bundle.h"

typedef struct hol__linear {
    hol__goals *goals;
    hol__family *family;
    const double *p;          /* the parameters */
    const hol__gather *found; /* the values, and where extremes lie */
    int parts;                /* of a step of the run: steps of the formula */
    int first;                /* the first number of them to try; 0: one */
    double before;            /* by how much the passes before the last one differed; 0: unknown */
    int gathers;              /* some goal is an integral */
    double *gradient;         /* goals x parameters, row-major */
    double *room;             /* goals */
    long steps;               /* of the formula */
    double too_far;           /* as in hol__change_work */
} hol__linear;

/* One pass with the simulation, which has not started. */
hol_status hol__linear_direct(hol__linear *linear, hol_sim *sim);
hol_status hol__linear_adjoint(hol__linear *linear, hol_sim *sim);

/* At the start of a pass: what cannot be differentiated at all is refused. */
hol_status hol__linear_begin(hol__linear *linear, hol__passage *passage);

/* Where step i of the formula begins, of all those from t0 to t1 within a step of the run from
 * `from` to `to`. Towards a corner, where derivatives may change like the root of the time, they
 * become shorter (third powers of equal parts), so that the order of the formula is kept. */
double hol__linear_place(const hol__linear *linear, const hol__passage *passage, double t0,
                         double t1, const double step[2], int i);

/* How many there are: one across a singular position, where shorter ones would only lead nearer. */
int hol__linear_parts(const hol__linear *linear, const hol__passage *passage);

/* Whether step i, from t to t + h, is to have Gauss's nodes: where the equations jump at its end,
 * and across a singular position from which they are farther away than Radau's. */
int hol__linear_inside(const hol__passage *passage, double t, double h, const double step[2]);

/* The columns of the bundle go to the end of the run, where that follows parameters. */
void hol__linear_move_end(const hol__linear *linear, hol__passage *passage, hol__bundle *bundle);

#endif
