/* polynomial.h: a response as a polynomial of two factors, with the error of leaving cases out; see
 * polynomial.c. */
#ifndef HOL_STUDY_POLYNOMIAL_H
#define HOL_STUDY_POLYNOMIAL_H

#include "base/arena.h"

/* The highest degree, and its terms. */
enum { HOL__DEGREE = 8, HOL__TERMS = (HOL__DEGREE + 1) * (HOL__DEGREE + 2) / 2 };

/* Polynomials of one factor that are orthonormal over its values. */
typedef struct hol__orthogonal {
    int degree; /* the highest: one below the number of different values, at most HOL__DEGREE */
    double centre, half; /* t = (x - centre)/half lies in [-1, 1] */
    double shift[HOL__DEGREE + 1], norm[HOL__DEGREE + 1];
} hol__orthogonal;

/* The values of P_0 … P_degree at x. */
void hol__orthogonal_at(const hol__orthogonal *polynomials, double x, double *p);

typedef struct hol__polynomial {
    hol__orthogonal of[2];
    int n, terms, degree;                       /* cases; of the fit: terms, total degree */
    unsigned char a[HOL__TERMS], b[HOL__TERMS]; /* term k is P_a(x) P_b(y) */
    double L[HOL__TERMS][HOL__TERMS];           /* Cholesky's factor of their Gram matrix */
    double c[HOL__TERMS];                       /* coefficients of L^-1 times the terms */
    double left_out, constant; /* root mean squares of what is left of cases that are
                                          * left out: of the fit, and of the mean alone */
    double scatter;            /* deviation of cases from the fit */
} hol__polynomial;

/* The polynomial of that degree, up to HOL__DEGREE, whose error of leaving cases out is least; all
 * x, y, z are finite. Degree 0 where none is better than the mean. HOL_ERR_MEMORY. */
hol_status hol__polynomial_fit(hol__arena *room, int n, const double *x, const double *y,
                               const double *z, hol__polynomial *out);

/* Its value at a place, and the standard error of that. */
double hol__polynomial_at(const hol__polynomial *fit, double x, double y, double *error);

#endif
