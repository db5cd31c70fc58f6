/* pushes.h: what pushes along some rows do to a mechanism whose joints hold.
 *
 * With the rows W of the pushes and the mechanism M, A of all joints that hold,
 *
 *     M x_j + A^T mu_j = W_j^T,  A x_j = 0        G = W X
 *
 * pushes z along the rows change velocities (or accelerations) along them by G z, whatever the
 * method of the run is. As impulses they do the work z (u+ + u-)/2 along the rows, u = W v - b, and
 * through joints that are driven, A v = b, they take -mu z b from the drivers.
 */
#ifndef HOL_SIM_PUSHES_H
#define HOL_SIM_PUSHES_H

#include "dyn/data.h"
#include "kernel/kernel.h"

#include <holonom/sim.h>

typedef struct hol__pushes {
    hol_data *data;          /* in reference-point coordinates; impulses change its velocities */
    unsigned char *left_out; /* by row of the data: it does not hold */
    hol__csr A;              /* the rows of the joints that hold … */
    int *other;              /* … and which of the data they are */
    hol__kernel *kernel;     /* of these */
    int m;                   /* rows of pushes: */
    hol__csr W;
    double *b, *u;       /* u = W v - b */
    double *X;           /* by row: the velocities that a unit push makes */
    double *mu;          /* by row: the multipliers of A beside them */
    double *G;           /* m x m */
    double *impulse;     /* multipliers of all rows so far (-z), and of the rows of A */
    double *f, *x;       /* room for a right side and a solution */
    double work;         /* of all impulses */
    double given, moved; /* of those along the rows alone, and the sizes that it is summed from */
} hol__pushes;

/* Room in the arena for up to so many rows over the velocities of a data. */
hol_status hol__pushes_new(hol__arena *arena, hol_data *data, int most, hol__pushes *p);

/* Push along a row of the data, which does not hold; or along the loads (nv) of a unit push, whose
 * rate is measured against b. */
void hol__pushes_add_row(hol__pushes *p, int row);
void hol__pushes_add_load(hol__pushes *p, const double *load, double b);

/* The same push in other units, or with the other sign. */
void hol__pushes_scale(hol__pushes *p, int i, double s);

/* The kernel over the rows that hold; then X, mu and G. The kernel is freed by hol__pushes_free. */
hol_status hol__pushes_factor(hol_sim *sim, hol__arena *arena, hol__pushes *p);
hol_status hol__pushes_respond(hol__pushes *p);
void hol__pushes_free(hol__pushes *p);

/* W_i x of a row. */
double hol__pushes_along(const hol__pushes *p, int i, const double *x);

/* u at the velocities of the data. */
void hol__pushes_read(hol__pushes *p);

/* Impulses z at the velocities u: those of the data and u afterwards, and the work. */
void hol__pushes_apply(hol__pushes *p, const double *z);

/* The impulses as multipliers of the data; row: by push the row of the data that it is along, -1:
 * none. */
void hol__pushes_lend(hol__pushes *p, const int *row);

#endif
