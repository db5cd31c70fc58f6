/* root.h: a symmetric positive definite matrix W = L L^T that is known by what L does, not by
 * entries.
 *
 * L need not be triangular. hol__csr.root says that a matrix is known so: its pattern and values
 * are those of the diagonal of W then, and products with it go through L.
 */
#ifndef HOL_LA_ROOT_H
#define HOL_LA_ROOT_H

typedef struct hol__root {
    void *self;
    int singular;                         /* W is not positive definite: L is not to be used */
    void (*lower)(void *self, double *x); /* x <- L^-1 x */
    void (*upper)(void *self, double *x); /* x <- L^-T x */
    void (*times)(void *self, const double *x, double *y); /* y = W x */
} hol__root;

#endif
