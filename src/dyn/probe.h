/* probe.h: a state of the bodies beside that of a hol_data, to evaluate elements at poses and
 * velocities nearby.
 *
 * Derivatives by differences have fourth order: with f_k = f(x + k h),
 *
 *     f' = (8 (f_1 - f_-1) - (f_2 - f_-2)) / (12 h)        error h^4 f'''''/30 + 1.5 eps |f|/h
 *
 * exact up to rounding for polynomials up to degree four. Steps: docs/theory/tangents.md.
 *
 * Where a law ends at the place itself (the first or the last time of a table), the difference has
 * values on one side alone, with the same order:
 *
 *     f' = ± (-25 f_0 + 48 f_±1 - 36 f_±2 + 16 f_±3 - 3 f_±4) / (12 h)
 */
#ifndef HOL_DYN_PROBE_H
#define HOL_DYN_PROBE_H

#include "dyn/data.h"

enum { HOL__STENCIL = 4 };

/* Place (in steps) and weight (over the step) of the points of the difference. */
extern const struct hol__stencil_point { double at, weight; } hol__stencil[HOL__STENCIL];

/* Those of the difference about a place, ahead of it and behind it; weight 0 past the last. */
enum { HOL__SIDES = 3, HOL__SIDE_POINTS = 5 };

extern const struct hol__stencil_point hol__sides[HOL__SIDES][HOL__SIDE_POINTS];

typedef struct hol__probe {
    const hol_model *model;
    const hol_data *data; /* the state around which it is */
    hol__bodies bodies;
    double *angles, *inputs, *scratch, *aux, *aux_rate;
    double *wrench;                           /* 3 or 6 numbers a body, ground last */
    double *Phi, *b, *c, *G, *Gdot, *trash;   /* of the constraints, like those of data */
    int *angle_ptr, *angle_of;                /* tracked angles by body */
    double step_length, step_turn, step_time; /* steps of differences … */
    double step_speed, step_spin;             /* … the last two by the velocities of the state */
} hol__probe;

/* Allocate in the arena; 0 without memory. */
int hol__probe_init(hol__probe *probe, hol__arena *arena, const hol_model *model);

/* The state of data (stage DYN). */
void hol__probe_take(hol__probe *probe, const hol_data *data);

/* Body moved along direction k of its velocities by h, tracked angles with it; and as it was. */
void hol__probe_move(hol__probe *probe, int body, int k, double h);
void hol__probe_put_back(hol__probe *probe, int body);

/* Whether every stride-th of n numbers is finite. */
int hol__finite_column(int n, const double *x, int stride);

/* Velocity k of a body; and its bw velocities set (NULL: none). */
double *hol__probe_velocity(hol__probe *probe, int body, int k);
void hol__probe_stop(hol__probe *probe, int body);

/* The step of a pose or a velocity along direction k. */
double hol__probe_pose_step(const hol__probe *probe, int k);
double hol__probe_twist_step(const hol__probe *probe, int k);

/* The step of a number of unknown size. */
double hol__probe_number_step(double x);

/* What elements are given. */
hol__force_args hol__probe_force_args(hol__probe *probe);
hol__con_args hol__probe_con_args(hol__probe *probe, int want);

#endif
