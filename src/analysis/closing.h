/* closing.h: joints closed from any position, with some coordinates held.
 *
 *     Phi(q) = offset,   q_i = held_i      Gauss-Newton with a line search on the norm of both
 *
 * in reference-point coordinates; increments are measured in radians and sizes of the mechanism.
 */
#ifndef HOL_ANALYSIS_CLOSING_H
#define HOL_ANALYSIS_CLOSING_H

#include "dyn/data.h"
#include "la/dense.h"

typedef struct hol__closing {
    hol_data *data;
    hol__arena *arena;
    hol__kernel *kernel;
    hol__csr W, D; /* weights; rows of positions, then those that hold */
    int n_held, *held;
    double *reference; /* positions whose held coordinates count */
    double *rhs, *delta, *q, *away;
    double *angles; /* tracked ones of the drawn position */
    double *offset; /* Phi that counts as closed, by row; zeros */
} hol__closing;

/* Room for up to nv coordinates to hold; HOL_ERR_MEMORY. */
hol_status hol__closing_init(hol__closing *c, hol__arena *arena, hol_data *data);
void hol__closing_end(hol__closing *c);

/* Hold one more coordinate, where it is in reference. */
void hol__closing_hold(hol__closing *c, int velocity);

/* Close from the positions q; HOL_OK: data has the positions, HOL_NOT_CONVERGED: it does not
 * close from there. */
hol_status hol__closing_run(hol__closing *c, const double *q);

/* The freedoms that are left at the positions in data, and one coordinate that would take one of
 * them (-1: none): the one that moves most, of bodies that are joined to ground first. */
hol_status hol__closing_freedoms(hol__closing *c, int *freedoms, int *next);

/* The independent rows at the positions in data (room for nv), and how many. */
hol_status hol__closing_independent(hol__closing *c, int *rows, int *n);

/* The sign of the determinant of nv rows at the positions in data; 0: singular. */
int hol__closing_sign(hol__closing *c, hol__lu *lu, const int *rows);

#endif
