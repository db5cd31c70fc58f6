/* saddle.h: the system W x + A^T mu = f, A x = c as such: its residual, and iterative refinement of
 * a solution.
 *
 * How good a solution is, is measured for each equation against the magnitudes of its own terms,
 *     omega = max_i |r_i| / (|K| |z| + |b|)_i      K = [W A^T; A 0], z = (x, mu), b = (f, c)
 * which does not depend on the units of the rows (componentwise backward error, Oettli and Prager).
 * An equation of which nothing but rounding is left, sums below 1000 eps of what its largest
 * coefficients make of the largest |x| and |mu|, counts against that: against its own terms its
 * rounding would be all of it, and refinement would end (Arioli, Demmel and Duff).
 */
#ifndef HOL_KERNEL_SADDLE_H
#define HOL_KERNEL_SADDLE_H

#include "la/csr.h"

typedef struct hol__saddle {
    int n, m;
    const hol__csr *W, *A; /* as last factored */
    double *mu;            /* m: the multipliers when the caller wants none */
    double *c;             /* m: a consistent right-hand side */
    double *rf, *rc;       /* residuals */
    double *sf, *sc;       /* sums of magnitudes */
    double *dx, *dmu;      /* correction */
    double *size;          /* n + m: what the terms of equations might be */
    long *refinements;     /* counted here */
    /* takes the directions of c that are given up out of rc; NULL: there are none */
    void (*give_up)(const void *who, double *rc);
    const void *who;
} hol__saddle;

/* x, mu from f, c (either may be NULL for zero) by whatever factorisation self holds. */
typedef void hol__saddle_apply(void *self, const double *f, const double *c, double *x, double *mu);

/* 0 without memory. */
int hol__saddle_init(hol__saddle *s, hol__arena *arena, int n, int m, long *refinements);

/* Residuals into rf, rc; returns omega. */
double hol__saddle_residual(hol__saddle *s, const double *f, const double *c, const double *x,
                            const double *mu);

/* rf alone; returns its omega. */
double hol__saddle_loads(hol__saddle *s, const double *f, const double *x, const double *mu);

/* Solve and refine at most `most` times, as long as omega shrinks; returns the last omega (0
 * when most is 0). */
double hol__saddle_solve(hol__saddle *s, hol__saddle_apply *apply, void *self, const double *f,
                         const double *c, double *x, double *mu, int most);

/* Below this share of its terms A^T v has cancelled, but for what states off the constraints leave:
 * half-way, by powers, between HOL__RELEASE_TOLERANCE, 1e-4, for dependent rows and 1 for others. */
#define HOL__SADDLE_CANCELLED 1e-2

/* A^T v into rf and the magnitudes of its terms into sf, each column of A in the unit of its largest
 * entry, which hol__saddle_columns has found for the entries of A that are factored. So rows are
 * told from dependent ones by A alone: a metric W in which some columns weigh next to nothing
 * beside others calls rows dependent that are not. */
void hol__saddle_columns(hol__saddle *s);
void hol__saddle_terms(hol__saddle *s, const double *v);

/* Whether each of the columns of N (m x count) cancels so. */
int hol__saddle_depend(hol__saddle *s, int count, const double *N);

/* v <- v - N N^T v for orthonormal columns N (size x count). */
void hol__project_out(int size, int count, const double *N, double *v);

/* Orthonormalise the columns of N (size x count) in place; columns of zeros stay zero. */
void hol__orthonormalise(int size, int count, double *N);

#endif
