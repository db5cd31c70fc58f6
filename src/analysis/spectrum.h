/* spectrum.h: the eigenvalues of a state matrix, with zeros that are exact.
 *
 * Directions that a motion does not notice (the place of a vehicle on its road, the angle of its
 * wheels, its speed) have the eigenvalue zero, mostly in chains: a place follows a speed, A^2 = 0.
 * Rounding eps turns a chain of k zeros into eigenvalues of size eps^(1/k). Here the null space of
 * A is split off by a singular value decomposition,
 *
 *     A = [Z W] [0 A12; 0 A22] [Z W]^T        A Z = 0
 *
 * then that of A22, until none is left: the sizes of the null spaces are those of the chains, the
 * zeros are exact, and the other eigenvalues are those of a matrix that has none. The
 * caller says what one unit of each state is worth (scale: lengths and angles, their rates at the
 * fastest rate of the system), because noise must not be balanced against what it is noise of;
 * singular values below HOL__NULL of the largest column, or of the rate that the caller
 * gives, count as 0.
 */
#ifndef HOL_ANALYSIS_SPECTRUM_H
#define HOL_ANALYSIS_SPECTRUM_H

#include "base/arena.h"

#define HOL__NULL 1e-11

typedef struct hol__spectrum {
    int n;
    int n_zero;         /* of the eigenvalues; they come last */
    int n_still;        /* directions with A s = 0, the others of n_zero lead to one of them */
    int *split, splits; /* how many zeros were split off each time */
    /* In falling order of the real part; of a pair that with im > 0 first. Vectors n x n: column k
     * for a real one, k and k + 1 for the real and the imaginary part of a pair; of zeros those
     * of an orthonormal basis of their invariant space, still ones first. Each has the norm 1. */
    double *re, *im, *vectors;
} hol__spectrum;

/* Of A (n x n, column-major) over states with these scales, rate as above, in the arena.
 * HOL_ERR_MEMORY; > 0 where LAPACK finds none. like: split off as many zeros each time as there
 * (the same mechanism with
 * another eigenvalue near to zero, whose sign counts); NULL: by HOL__NULL. */
hol_status hol__spectrum_of(const double *A, int n, const double *scale, double rate,
                            const hol__spectrum *like, hol__arena *arena, hol__spectrum *out);

#endif
