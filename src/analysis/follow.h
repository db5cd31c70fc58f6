/* follow.h: positions, velocities and accelerations of a mechanism whose drivers leave no freedom,
 * followed along one branch.
 *
 *     Phi(q, t) = 0,  x_k(q) = x_k(t_0) + int f_k dt      by Newton
 *     A v = b,  A v' = c                                  minimum norm, least squares where rows
 *                                                         depend on each other
 *
 * The second kind of rows are drivers of rates and constraints on rates with constant factors,
 * which are integrable (drives.c). A step starts from q (+) (v h + a h^2/2) and is taken where
 * Newton's iteration contracts by so much that no other branch is near (follow.c).
 */
#ifndef HOL_ANALYSIS_FOLLOW_H
#define HOL_ANALYSIS_FOLLOW_H

#include "dyn/data.h"
#include "element/coupler.h"
#include "la/dense.h"

/* A row on rates that is integrable: sum_i factor_i x_i = target, target' = f(t). */
typedef struct hol__drive {
    const hol__rate *rate;
    int row;
    double target; /* at the last accepted state */
    double speed;  /* z there, of a prescribed acceleration */
} hol__drive;

/* One state of the motion. */
typedef struct hol__posture {
    double t, *q, *v, *a;
    double *angles, *turns, *aux, *targets, *speeds;
    int sign; /* of the determinant of independent rows of A; 0: not known */
} hol__posture;

typedef struct hol__follow {
    hol_data *data;
    hol__arena arena;
    hol__kernel *kernel;
    hol__csr W;
    hol__lu *lu; /* of the independent rows; NULL: fewer than velocities */
    int *rows;
    int n_drives;
    hol__drive *drives;
    hol__posture at, trial, base;
    double *rhs, *delta, *q;
    double step;   /* to try next */
    double length; /* time of the whole motion: what counts as short */
    long steps, rejected;
    double contraction; /* of the last Newton iteration */
    int singular;       /* the state in data was interpolated over a singular position */
    int crossed;        /* the last step went over one, at a time before this … */
    double crossed_at;
    double *crossed_q; /* … and halfway between the positions around it */
} hol__follow;

/* At the state in data, which is on the constraints, of a motion that takes so long. Reports rows
 * on velocities that are not integrable. NULL after an error. */
hol_status hol__follow_new(hol_data *data, double length, hol__follow **out);
void hol__follow_free(hol__follow *follow);

/* One step to the time t at most; HOL_ERR_SINGULAR, without a message, where the branch ends
 * before the next. With ahead the step may go beyond, where t is a singular position: data has the
 * state at t in every case. */
hol_status hol__follow_to(hol__follow *follow, double t);

/* The row of the drivers or joints that the mechanism cannot satisfy at a singular state in data:
 * the left null vector y of A, of m numbers, and how near to singular it is. */
hol_status hol__follow_blocked(hol__follow *follow, double *y);

/* At the singular position that the last step went over: y, and the velocities x, of nv numbers,
 * that the drivers do not determine there. data stays as it is. */
hol_status hol__follow_lost(hol__follow *follow, double *y, double *x);

/* ---- drives.c ---- */

/* The integrable rows on rates of the model, -1 where one is not, with a message, -2 without
 * memory. */
int hol__drives_find(hol__arena *arena, const hol_data *data, hol__drive **drives);

/* sum_i factor_i x_i at the state in data (stage POS). */
double hol__drive_value(const hol__drive *drive, const hol_data *data);

/* Target and speed at t1, from those of the drive at t0. */
void hol__drive_advance(const hol__drive *drive, hol_data *data, double t0, double t1,
                        double *target, double *speed);

/* The coordinate in data that a joint drives, over full turns (*turns: it is an angle); 0 where it
 * drives none. */
int hol__driver_value(const hol_data *data, int joint, double *value, int *turns);

#endif
