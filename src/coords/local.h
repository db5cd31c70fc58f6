/* local.h: the constraints of a model in local coordinates of its joints [BL 2-12],
 *
 *     x_i = x_i(q)       n_i local coordinates of constrained point i: where the bodies of a joint
 *                        stand to each other (model/element.h, hol__local_space)
 *     J = dx/dv          (k x n_v), stacked over all points
 *     A = C J            C_i (m_i x n_i): the rows of point i over its own coordinates; D_i their
 *                        complement (la/blocks.h)
 *
 * Local coordinates are rows like those of constraints: records in body space, which the
 * coordinates of the model map to their velocities. So they make a model of their own that differs
 * from the first in its records alone. Rows of one joint over the same coordinates are one point;
 * rows that have no others (and those that natural coordinates need among themselves) are their own
 * coordinates: n_i = m_i = 1, C_i = 1.
 */
#ifndef HOL_COORDS_LOCAL_H
#define HOL_COORDS_LOCAL_H

#include "coords/coords.h"
#include "la/blocks.h"

/* The records of a point: batch and number in the model; none where it is a row by itself. */
typedef struct hol__local_point {
    int element;                 /* -1: a row of the coordinates */
    const hol__local_type *type; /* NULL: a row without symbols */
    int n_records;
    struct {
        int batch, record, C;
    } part[HOL__BLOCK_MOST];
} hol__local_point;

typedef struct hol__local {
    hol_model x; /* the rows of the local coordinates in place of those of the constraints */
    const hol_model *model;
    hol__blocks blocks;
    hol__local_point *point; /* one for each block */
    double *G, *Phi;
} hol__local;

/* NULL without memory. */
hol__local *hol__local_new(hol_context *ctx, const hol_model *model);
void hol__local_free(hol__local *local);

/* C, D and J at poses: args are those with which the constraints were filled. */
void hol__local_fill(hol__local *local, const hol__con_args *args, const double *q,
                     const double *work);

#endif
