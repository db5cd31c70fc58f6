/* tangent_work.h: what the files of the tangent share: element parts and their sums in body space.
 *
 * Body space: wrenches w over increments x of the poses and over the velocities V of the bodies, bw
 * numbers a body. Blocks of bw x bw numbers, row-major, for every pair of bodies that something
 * couples; the pattern is symmetric, the values are not. Rows of constraints have the layout of G.
 */
#ifndef HOL_DYN_TANGENT_WORK_H
#define HOL_DYN_TANGENT_WORK_H

#include "coords/variation.h"
#include "dyn/probe.h"
#include "dyn/tangent.h"

/* A record of a force: where it acts, what it reads. */
typedef struct hol__force_part {
    const hol__force_type *type;
    const void *record;
    const hol__element *owner; /* NULL: acts on every body by itself */
    hol__force_tangent out;    /* body, reads, aux; input and state stay from the last update */
} hol__force_part;

/* A measure that laws read: derivatives of its columns by its bodies. */
typedef struct hol__measure_part {
    int used;
    int n, *body;         /* moving bodies */
    double *pose, *twist; /* count x n bw */
    double *time;         /* count: explicit */
} hol__measure_part;

typedef struct hol__tangent_work {
    hol__probe probe;
    hol_data *beside; /* for forces of the caller; NULL without any */
    hol_data *last;   /* the state of the last update */

    double *along, *none; /* n_inputs: zeros */
    int n_forces;
    hol__force_part *forces;
    hol__measure_part *measures;

    /* blocks of body i: block_ptr[i] … of block_ptr[i + 1] - 1, bodies in rising order; mirror: the
     * block of the pair reversed */
    int *block_ptr, *block_body, *mirror;
    double *load_pose, *load_twist;     /* of forces, gravity and gyroscopic terms */
    double *rows_pose;                  /* of G^T lambda */
    double *load_time, *rows_time;      /* bw a body, ground last */
    double *load_state;                 /* n_aux columns of bw nb */
    double *c_pose, *c_twist;           /* layout of G */
    double *x_pose, *v_pose;            /* of G x and of G V - b by poses */
    double *c_time, *x_time, *psi_time; /* m */
    double *rate_pose, *rate_twist;     /* n_aux x bw nb */

    double *acc;                     /* x: accelerations of the bodies, ground last */
    double *wrench;                  /* what the bodies' equations have left over, ground last */
    double *block;                   /* scratch of one record */
    double *column;                  /* nv */
    double *body_column;             /* bw nb + bw */
    double *zero;                    /* a zero for every velocity */
    int *place;                      /* nv: of a velocity in the rows of a record */
    double *q;                       /* nq */
    double *user;                    /* forces of the caller: bw nb by nv, by q then by v */
    double *right, *multipliers;     /* m: of one solve */
    int *K_by_column, *K_row, *K_at; /* K by columns: pointers, rows, places in K.x */
    int *A_by_column, *A_row, *A_at; /* the same of A */

    hol__variation variation;
} hol__tangent_work;

/* The block of a pair of moving bodies. */
int hol__block_find(const hol__tangent_work *work, int row, int column);

/* Patterns: parts, blocks; 0 without memory. */
int hol__tangent_parts(hol__tangent *tangent);
int hol__tangent_blocks(hol__tangent *tangent);

/* The matrices of a record of a force, zeroed; its tangent by differences. */
void hol__tangent_open_part(hol__tangent_work *work, hol__force_part *part);
void hol__force_differences(hol__probe *probe, hol__force_part *part);

/* The tangents of one record at the state of the probe, into its part; they last until the next. */
void hol__tangent_part(hol__tangent *tangent, hol__force_part *part);

/* All forces into load_…, rate_…; the measures that laws read first. */
void hol__tangent_measures(hol__tangent *tangent, const hol_data *data);
void hol__tangent_forces(hol__tangent *tangent, const hol_data *data);

/* All constraints into rows_…, c_…, x_…, v_…. */
void hol__tangent_constraints(hol__tangent *tangent, const hol_data *data);

/* Forces of the caller into user; > 0 where one fails. */
hol_status hol__tangent_user(hol__tangent *tangent, const hol_data *data);

/* From body space to the coordinates. */
int hol__tangent_lay_columns(hol__tangent *tangent);
int hol__tangent_turn_rows(hol__tangent *tangent);
void hol__tangent_map(hol__tangent *tangent, hol_data *data, int parts);

/* Zeros for what stands still where drivers do (halt.c). */
void hol__tangent_halt(hol__tangent *tangent);

#endif
