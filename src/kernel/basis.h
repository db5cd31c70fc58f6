/* basis.h: bases of the null space of the constraint matrix, A R = 0.
 *
 * Every basis factors the matrix of unit rows, A^ = D A with D = 1 / length of the row, and gives
 *     R (n x (n - r))   with A R = 0, r the rank that the factorisation itself shows
 *     S c               a particular solution of A x = c; of least squares where c is inconsistent
 *     mu                the least-norm solution of A^T mu = g for g in the range of A^T
 * Rank: a pivot (singular value, diagonal entry, length left over) of A^ counts when it exceeds the
 * rank tolerance; a direction that was dependent at the last factorisation counts only beyond the
 * release tolerance. Bases made from A^T A (HOL__BASIS_SQUARED) see the squares, compare them with
 * the square of the tolerance and not below a floor of rounding, HOL__BASIS_FLOOR * n: they take
 * directions below about 1e-7 for dependent, and A R is as small as eps / (smallest share).
 */
#ifndef HOL_KERNEL_BASIS_H
#define HOL_KERNEL_BASIS_H

#include "base/archive.h"
#include "la/blocks.h"

enum {
    HOL__BASIS_ORTHONORMAL = 1, /* R^T R = 1 */
    HOL__BASIS_MINIMUM = 2,     /* S c has minimum norm */
    HOL__BASIS_COORDINATES = 4, /* R has rows of the unit matrix: the independent coordinates */
    HOL__BASIS_KEPT = 8,        /* the choice of coordinates is kept while it serves */
    HOL__BASIS_SQUARED = 16,    /* from A^T A */
    HOL__BASIS_OWN_ROWS = 32    /* takes the rows from A, and fills At where it needs it */
};

#define HOL__BASIS_FLOOR 4e-16

typedef struct hol__basis hol__basis;

typedef struct hol__basis_type {
    const char *name, *title, *source;
    unsigned flags;
    hol_status (*create)(hol__basis *basis, hol__arena *arena);
    /* From At: rank, share, R and, where rank < m, vectors N that span the null space of At. */
    hol_status (*factor)(hol__basis *basis);
    /* At^T x = c, c consistent; At y = g, g in the range, any solution. */
    void (*solve)(hol__basis *basis, const double *c, double *x);
    void (*solve_t)(hol__basis *basis, const double *g, double *y);
    /* What the type keeps from one factorisation to the next; NULL: nothing of its own. */
    void (*remember)(hol__basis *basis, hol__archive *archive);
} hol__basis_type;

struct hol__basis {
    const hol__basis_type *type;
    int n, m;
    double tolerance, release;
    int rank, n_null;        /* n_null = m - rank, remembered from one factorisation to the next */
    double share;            /* smallest pivot that counts; 1 when there is none */
    double *R;               /* n x (n - rank), column-major */
    double *N;               /* m x n_null: orthonormal basis of the null space of A^T */
    double *At;              /* n x m: unit rows of A as columns */
    double *scale;           /* m: D */
    const hol__csr *A;       /* while it is factored and solved with */
    const hol__csr *pattern; /* of A, where it may be factored as a sparse matrix; else NULL */
    double *s;               /* m: scratch */
    int *column; /* n: dependent coordinates first, then independent; NULL without coordinates */
    unsigned char *was_dependent; /* n: of the coordinates, at the factorisation before */
    long factorizations;
    long switches;   /* how often the set of independent coordinates has changed */
    int n_dependent; /* how many of column are dependent: rank, or k of the blocks */
    /* the basis local: A = C J in local coordinates; NULL: the rows are their own coordinates */
    const hol__blocks *blocks;
    void *self;
};

extern const hol__basis_type hol__basis_qr, hol__basis_svd, hol__basis_eigen, hol__basis_schur,
    hol__basis_putd, hol__basis_partition, hol__basis_local;

/* The i-th type, NULL past the end; by name, NULL when there is none. */
const hol__basis_type *hol__basis_get(int i);
const hol__basis_type *hol__basis_find(const char *name);

/* NULL without memory. */
hol__basis *hol__basis_new(hol__arena *arena, const hol__basis_type *type, int n, int m,
                           double tolerance, double release);

/* The same for constraints of the pattern of A, which the basis partition may then factor as a
 * sparse matrix where that costs less. */
hol__basis *hol__basis_new_sparse(hol__arena *arena, const hol__basis_type *type, const hol__csr *A,
                                  double tolerance, double release);

/* The basis local over the local coordinates of blocks, whose values belong to the A that is
 * factored. NULL without memory. */
hol__basis *hol__basis_new_local(hol__arena *arena, const hol__blocks *blocks, int n,
                                 double tolerance, double release);

/* HOL_NONFINITE; HOL_SINGULAR when the decomposition does not converge, or when the local
 * coordinates of blocks depend on each other. */
hol_status hol__basis_factor(hol__basis *basis, const hol__csr *A);

/* out (m) = c projected on the range of A. */
void hol__basis_project(const hol__basis *basis, const double *c, double *out);

/* x = S c, c in the range of A (hol__basis_project). */
void hol__basis_particular(hol__basis *basis, const double *c, double *x);

/* mu of minimum norm with A^T mu = g. */
void hol__basis_multipliers(hol__basis *basis, const double *g, double *mu);

/* The basis local: the reactions of its rows J in their local frames, rho of J'^T rho = g [BL 37],
 * as multipliers of the rows of A; rows that it has left out carry nothing. What g has in the
 * directions that G picks, R^T g, is not looked at: it is zero for a reaction. */
void hol__basis_local_reactions(hol__basis *basis, const double *g, double *mu);

/* What a factorisation takes over from the last one (kernel.h). */
void hol__basis_remember(hol__basis *basis, hol__archive *archive);

/* For the types: 1 / the lengths of the rows of A; and with them the unit rows as columns of At. */
void hol__basis_row_scales(const hol__csr *A, double *scale);
void hol__basis_unit_rows(const hol__csr *A, double *At, double *scale);

/* For the types: what the k-th pivot (from 0, falling) must exceed to count; the number of pivots
 * that count of the falling sequence given. */
double hol__basis_limit(const hol__basis *basis, int k);
int hol__basis_choose_rank(const hol__basis *basis, const double *pivot, int count);

#endif
