/* frame.h: independent coordinates: rows B that complete the constraints to a system of full column rank.
 *
 *     [A; B] v = [b; w]        v = S b + R w,   A R = 0,  B R = I
 *
 * Solved by QR in the least-squares sense, so that redundant rows of A may stay: whichever of them become dependent on the way, the
 * others serve. B: unit rows that pick coordinates (partition: LU with full pivoting), or an
 * orthonormal basis of the null space of A at selection (qr, svd); kept constant until the watch on R asks for a new choice. [GJB 5.2]
 */
#ifndef HOL_FORM_FRAME_H
#define HOL_FORM_FRAME_H

#include "dyn/data.h"
#include "la/dense.h"
#include "la/lufp.h"

typedef enum hol__frame_basis {
    HOL__FRAME_PARTITION,
    HOL__FRAME_QR,
    HOL__FRAME_SVD
} hol__frame_basis;

typedef struct hol__frame {
    hol__arena *arena; /* of the owner; used at the first selection only */
    hol_data *data;
    hol__frame_basis basis;
    int n, m, rank, f; /* f = n - rank */
    hol__lufp *choice; /* LU of A with full pivoting, at selection: row and column */
    double *B;         /* f x n by rows */
    hol__qrp *qr;      /* of [A; B], (m + f) x n */
    double *work;
    hol__svd *svd;
    double *R;           /* n x f by columns, at the last factorisation */
    double at_selection; /* largest entry of R */
    int stale;           /* R has grown: choose again at the next accepted step */
    long changes;        /* choices after the first */
    unsigned long tag;   /* stamp of the data whose factor lu holds */
} hol__frame;

/* NULL without memory. */
hol__frame *hol__frame_new(hol__arena *arena, hol_data *data, hol__frame_basis basis);

/* Choose rows and B at the state in data. HOL_SINGULAR when the rank has changed (a singular position). */
hol_status hol__frame_select(hol__frame *frame);

/* Factor [A; B] at the state in data, unless it is held; forms R and watches its growth: where the choice becomes bad, a small
 * change of w means a large one of v. */
hol_status hol__frame_factor(hol__frame *frame);

/* x solves [A; B] x = [top; bottom]; top (m) or bottom (f) may be NULL for zero. */
void hol__frame_solve(const hol__frame *frame, const double *top, const double *bottom, double *x);

/* mu (m), the smallest with A^T mu + B^T nu = f. */
void hol__frame_multipliers(const hol__frame *frame, const double *f, double *mu);

/* w = B x. */
void hol__frame_project(const hol__frame *frame, const double *x, double *w);

#endif
