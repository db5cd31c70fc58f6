/* turns.h: how the rate of the increments d of a base point depends on d, direction by direction.
 *
 *     d' = rate(d, v)      derivatives E by d and P by v, which it is linear in;  D = P^-1
 *
 * All of them differ from 0 and I only in the three directions of a rotation, for which rate is
 * dexp^-1_-d(omega) = omega + d x omega / 2 + …; at d = 0, P = I.
 */
#ifndef HOL_FORM_TURNS_H
#define HOL_FORM_TURNS_H

#include "dyn/data.h"

/* The matrices of a rotation; F is free for what is made of the others. */
enum { HOL__TURN_E, HOL__TURN_P, HOL__TURN_D, HOL__TURN_F, HOL__N_TURN };

typedef struct hol__turn {
    int at[3];                /* the three directions of a rotation */
    double m[HOL__N_TURN][9]; /* 3 x 3, row-major */
} hol__turn;

typedef struct hol__turns {
    const hol_model *model;
    int n;
    hol__turn *turn;
    double *d, *v, *rate; /* scratch, nv each */
} hol__turns;

/* Finds the rotations of the model; 0 without memory. */
int hol__turns_init(hol__turns *turns, hol__arena *arena, const hol_model *model);

/* E, P and D at d and v. */
void hol__turns_fill(hol__turns *turns, const double *d, const double *v);

/* x <- that matrix of every rotation times x. */
void hol__turns_apply(const hol__turns *turns, int of, double *x);

/* The inverse of a 3 x 3 matrix by its cofactors. */
void hol__turn_invert(const double *a, double *out);

#endif
