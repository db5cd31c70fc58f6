/* collocate.h: polynomials through values at nodes. */
#ifndef HOL_INTEG_COLLOCATE_H
#define HOL_INTEG_COLLOCATE_H

/* l_j(x) of the n nodes c. */
static inline void hol__lagrange(int n, const double *c, double x, double *l) {
    for (int j = 0; j < n; j++) {
        l[j] = 1;
        for (int k = 0; k < n; k++)
            if (k != j) l[j] *= (x - c[k]) / (c[j] - c[k]);
    }
}

/* The same of the nodes 0, c_0, …: n + 1 of them, that of 0 first. */
static inline void hol__lagrange_from_zero(int n, const double *c, double x, double *l) {
    hol__lagrange(n, c, x, l + 1);
    l[0] = 1;
    for (int j = 0; j < n; j++) {
        l[0] *= (c[j] - x) / c[j];
        l[j + 1] *= x / c[j];
    }
}

#endif
