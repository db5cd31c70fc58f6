/* lapack.h: the LAPACK and BLAS routines in use, by their Fortran symbols. Private to src/la, where
 * la/openblas_calls.h, which the build makes, includes it: OpenBLAS is loaded at the first call.
 *
 * Matrices are column-major. A character argument brings its length as a hidden last argument
 * (size_t, always 1).
 */
#ifndef HOL_LA_LAPACK_H
#define HOL_LA_LAPACK_H

#include <stddef.h>

/* Around every call, so that it is safe from any number of threads (blas_turn.c). Nothing happens
 * where the library cannot be loaded: 0. */
int hol__blas_enter(void);
void hol__blas_leave(void);

#define HOL__BLAS(call) (hol__blas_enter() ? (call, hol__blas_leave(), 1) : 0)

/* info in front of a call that may not happen: a factorisation that has broken down. */
enum { HOL__NOT_CALLED = 1 };

/* Of OpenBLAS alone: 0 in a sequential one. */
int openblas_get_parallel(void);
#pragma weak openblas_get_parallel

/* Cholesky. */
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info, size_t);

/* Bunch-Kaufman. */
void dsytrf_(const char *uplo, const int *n, double *a, const int *lda, int *ipiv, double *work,
             const int *lwork, int *info, size_t);
void dsytrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t);

/* LU with partial pivoting. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t);

/* Orthogonal factorisations. */
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau,
             double *work, const int *lwork, int *info);
void dormqr_(const char *side, const char *trans, const int *m, const int *n, const int *k,
             const double *a, const int *lda, const double *tau, double *c, const int *ldc,
             double *work, const int *lwork, int *info, size_t, size_t);
void dtzrzf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dormrz_(const char *side, const char *trans, const int *m, const int *n, const int *k,
             const int *l, const double *a, const int *lda, const double *tau, double *c,
             const int *ldc, double *work, const int *lwork, int *info, size_t, size_t);

/* Triangular systems. */
void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs,
             const double *a, const int *lda, double *b, const int *ldb, int *info, size_t, size_t,
             size_t);
void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t, size_t, size_t, size_t);

/* Singular values and symmetric eigenvalues. */
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt, const int *ldvt,
             double *work, const int *lwork, int *info, size_t, size_t);
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t, size_t);

/* Real Schur form; select is not looked at with sort "N". */
void dgees_(const char *jobvs, const char *sort, int (*select)(const double *, const double *),
            const int *n, double *a, const int *lda, int *sdim, double *wr, double *wi, double *vs,
            const int *ldvs, double *work, const int *lwork, int *bwork, int *info, size_t, size_t);

/* Eigenvalues and eigenvectors of a general matrix, balanced. */
void dgeevx_(const char *balanc, const char *jobvl, const char *jobvr, const char *sense,
             const int *n, double *a, const int *lda, double *wr, double *wi, double *vl,
             const int *ldvl, double *vr, const int *ldvr, int *ilo, int *ihi, double *scale,
             double *abnrm, double *rconde, double *rcondv, double *work, const int *lwork,
             int *iwork, int *info, size_t, size_t, size_t, size_t);

/* Products. */
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc, size_t,
            size_t);
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy, size_t);

#endif
