/* factor.h: factorisations of symmetric positive definite matrices as a computation.
 *
 *     P A P^T = L D L^T, P in the order given or in the opposite one; entries that are 0 stay out
 */
#ifndef HOL_GENERATE_FACTOR_H
#define HOL_GENERATE_FACTOR_H

#include "generate/dag.h"

typedef struct hol__gfactor {
    int n, backwards;
    hol__ref *L;      /* n x n, strictly below the diagonal, in the order of elimination */
    hol__ref *over;   /* 1/D */
    hol__ref regular; /* 1 while every pivot has more than `least` of its diagonal entry left */
} hol__gfactor;

/* Factor A (n x n); HOL_ERR_MEMORY in the status of the graph without memory. */
hol__gfactor hol__gfactor_of(hol__dag *d, int n, const hol__ref *A, int backwards);

/* x = L^-1 x (the first n entries in order of elimination); x = D^-1 x; x = L^-T x. */
void hol__gfactor_lower(hol__dag *d, const hol__gfactor *f, int n, hol__ref *x);
void hol__gfactor_scale(hol__dag *d, const hol__gfactor *f, int n, hol__ref *x);
void hol__gfactor_upper(hol__dag *d, const hol__gfactor *f, int n, hol__ref *x);

#endif
