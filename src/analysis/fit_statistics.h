/* fit_statistics.h: how well the data of a fit determine its parameters.
 *
 * With residuals r (m) of equal variance and J = dr/dp of full rank
 *
 *     s^2 = |r|^2 / (m - n)    covariance = s^2 (J^T J)^-1
 *
 * Through the columns of J over their lengths, J = Q R D, R = U S V^T: singular values S (from the
 * largest on) below `rank_tolerance` of the first are combinations of parameters that the data do
 * not tell; their direction is dp = D^-1 v.
 */
#ifndef HOL_ANALYSIS_FIT_STATISTICS_H
#define HOL_ANALYSIS_FIT_STATISTICS_H

#include "base/arena.h"

typedef struct hol__fit_statistics {
    int n, rank;
    double deviation;    /* s; NaN where m = n */
    double quantile;     /* of Student: an interval of 95 % is +- quantile times the error */
    double *error;       /* n: standard errors; NaN where the data do not tell */
    double *correlation; /* n x n; NaN where the data do not tell */
    double *singular;    /* n */
    double *direction;   /* n x n: row k: v of singular value k */
    double *length;      /* n: D */
} hol__fit_statistics;

/* r (m), J (m x n, column-major) at the best point. */
hol_status hol__fit_statistics_of(int m, int n, const double *r, const double *J, hol__arena *arena,
                                  hol__fit_statistics *out);

/* Whether parameter j takes part in the direction of singular value k. */
int hol__fit_takes_part(const hol__fit_statistics *s, int k, int j);

#endif
