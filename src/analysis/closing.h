/* closing.h: joints closed from any position, with some coordinates held.
 *
 *     Phi(q) = offset,   q_i = held_i,   joint_j(q) = held_j
 *
 * by Gauss-Newton steps with a line search on the norm of all, in reference-point coordinates;
 * increments are measured in radians and sizes of the mechanism.
 */
#ifndef HOL_ANALYSIS_CLOSING_H
#define HOL_ANALYSIS_CLOSING_H

#include "analysis/joint_place.h"
#include "dyn/data.h"
#include "la/dense.h"

/* What is held: a coordinate of a body (`velocity`), or that of a joint. */
typedef struct hol__hold {
    int velocity, joint; /* -1: the other */
    double at;           /* of the joint */
} hol__hold;

typedef struct hol__closing {
    hol_data *data;
    hol__arena *arena;
    hol__kernel *kernel;
    hol__csr W, D; /* weights; rows of positions, then those that hold */
    int n_held;
    hol__hold *held;
    double *reference; /* positions whose held coordinates count */
    double *rhs, *delta, *q, *away;
    double *angles; /* tracked ones of the drawn position */
    double *offset; /* Phi that counts as closed, by row; zeros */
} hol__closing;

/* Room for nv coordinates to hold; HOL_ERR_MEMORY. */
hol_status hol__closing_init(hol__closing *c, hol__arena *arena, hol_data *data);
void hol__closing_end(hol__closing *c);

/* Hold one more: a coordinate of a body where it is in reference, that of a joint where it is in
 * data. Nothing is done where it is held already. HOL_ERR_INPUT: as many are as coordinates. */
hol_status hol__closing_hold(hol__closing *c, hol__hold hold);

/* Close from the positions q; HOL_OK: data has the positions, HOL_NOT_CONVERGED: it does not
 * close from there. */
hol_status hol__closing_run(hol__closing *c, const double *q);

/* The freedoms that are left at the positions in data. */
hol_status hol__closing_freedoms(hol__closing *c, int *freedoms);

/* The same, and what would take one of them (both -1: nothing): of bodies and joints at ground
 * first, what moves most; in space joints first, since what is held of a turn about three axes
 * depends on the other two. */
hol_status hol__closing_choose(hol__closing *c, int *freedoms, hol__hold *next);

/* The independent rows at the positions in data (room for nv), and how many. */
hol_status hol__closing_independent(hol__closing *c, int *rows, int *n);

/* The sign of the determinant of nv rows at the positions in data; 0: singular. */
int hol__closing_sign(hol__closing *c, hol__lu *lu, const int *rows);

#endif
