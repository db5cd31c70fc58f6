/* rattle.h: what the files of RATTLE share (rattle.c: the formula and its compositions;
 * rattle_inertial.c: its halves by masses and constraints alone). */
#ifndef HOL_INTEG_RATTLE_H
#define HOL_INTEG_RATTLE_H

#include "integ/newton.h"

typedef struct hol__rattle {
    hol__newton newton;
    double *y0, *y1;           /* of a substep */
    double *half, *end, *rate; /* (d_0, v_h, z_h), (d_1, v_h, z_h), and y' */
    double *x0, *x1;           /* lambda_0, lambda_1 */
    double *F, *G;
    double *gap;  /* F of positions */
    double *kick; /* y' by which half begins: that of the half before it */
    double *lead; /* what the last first half added to half and x0 from where it began */
    /* In this step: */
    int whole;    /* the first half needs all derivatives */
    int kept;     /* M and A at y0 are, and kick is that of its forces */
    int swayed;   /* forces change with the velocity */
    int steady;   /* they do not, whatever they are */
    int begun;    /* F has the residual of v_h and z_h where a first half begins */
    double h[2];  /* the last substep and the one before it; 0: none */
    double turns; /* theta / |h| of the last one; 0: not known */
} hol__rattle;

/* half, end and x0 of the first half of a substep from y0 at t, begun with kick and x0, by masses
 * and constraints. Statuses > 0: they are not found by these alone. */
hol_status hol__rattle_first(hol__stepper *stepper, const hol__step *step, double t, double h);

/* y1 and x1 of the second half, which ends at t, and the kick that it was. */
hol_status hol__rattle_second(hol__stepper *stepper, double t, double h);

/* Where the first half begins: v_h, z_h by kick, d_1 by v_h. */
void hol__rattle_begin(const hol__stepper *stepper, double h);

/* A rounding of positions over h, in the scale of velocities. Phi is known to some 64 of them at
 * the worst, and velocities of the first half no better; across the constraints the second half
 * takes that away. */
double hol__rattle_rounding(const hol__stepper *stepper, const hol__step *step, double h);

/* y' of v and z over half a step from one state to another, in rate. */
void hol__rattle_rates(const hol__stepper *stepper, double h, const double *from, const double *to);

#endif
