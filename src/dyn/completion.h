/* completion.h: independent coordinates: rows B that complete the constraints to a system of full
 * column rank.
 *
 *     [A; B] v = [b; w]        v = S b + R w,   A R = 0,  B R = I
 *
 * B: unit rows that pick coordinates (partition), or an orthonormal basis of the null space of A
 * at the time of the choice (qr, svd), in coordinates divided by their sizes s; kept constant
 * while it serves; or rows that the caller gives (completion_given.c). [GJB 5.2] s is a radian for
 * turns and three lengths of the mechanism for displacements: displacements turn back, angles of a
 * mechanism that turns do not, so an angle serves longer before it has to be exchanged.
 *
 * Where all rows of A are independent, K = [A; B] is square and factored by LU with the pivots
 * fixed (la/lu_fixed.h), sparse. Where some are redundant, QR solves in the least-squares sense
 * with all rows: whichever become dependent on the way, the others serve. While these are set aside
 * (kernel/aside.h), K has the rows that are kept, and R is the same: it depends on the null space
 * of A alone.
 *
 * The watch looks at R^, R in those sizes: an entry says how much further a dependent coordinate
 * moves than an independent one, and |det A_d| grows by just that factor when the two change places
 * (completion_choice.c).
 */
#ifndef HOL_DYN_COMPLETION_H
#define HOL_DYN_COMPLETION_H

#include "dyn/data.h"
#include "la/dense.h"
#include "la/lu_fixed.h"
#include "la/lufp.h"

typedef enum hol__completion_basis {
    HOL__COMPLETION_PARTITION,
    HOL__COMPLETION_QR,
    HOL__COMPLETION_SVD,
    HOL__COMPLETION_GIVEN /* by the caller */
} hol__completion_basis;

typedef struct hol__completion {
    hol__arena *arena; /* of the owner; used at the first selection only */
    hol_data *data;
    hol__completion_basis basis;
    int n, m, rank, f; /* f = n - rank; rank < 0: nothing chosen yet */
    double *size;      /* n: of the coordinates */
    double watch;      /* largest entry of R^ for a partition */
    hol__lufp *choice; /* LU of A with full pivoting, at the first selection: row and column */
    int *picked;       /* f: the independent coordinates of a partition, else where B came from */
    double *B;         /* f x n by rows */
    hol__csr K;        /* [A; B] where no row is redundant, or with the rows that are kept */
    int kept, *row;    /* how many rows of A it has, and which */
    int *from;         /* by entry of K in the rows of A: its place in A */
    hol__lu_fixed *lu; /* of K, or NULL */
    int laid;          /* it has pivots */
    hol__qrp *qr;      /* of [A; B], (m + f) x n, where rows are redundant, or NULL */
    hol__svd *svd;
    const hol__set_aside *aside; /* redundant rows that may be set aside; NULL: none */
    int square;                  /* the last factorisation is that of K */
    double *work, *y;            /* m + f each */
    double *R, *T;               /* n x f by columns: R, and R^ while a choice is made */
    unsigned long tag, R_tag;    /* stamps of the data to which factor and R belong */
    /* given rows */
    double *own;   /* f: the sizes of z = B d, the largest |B_kj| s_j */
    int exchanges; /* the watch may choose others in their place; else they are kept */
    double bound;  /* entry of R^ at which they no longer tell the motion */
    double first;  /* largest entry of R^ when they were given, at least 1 */
    double last;   /* at the state before; 0: none */
    double worst;  /* at the last look … */
    int worst_row, worst_column; /* … and where */
    /* how much further than the watch allows independent coordinates are levered */
    int waits;     /* a change is left to the caller: hol__completion_renew only looks */
    double strain; /* 1: as far as the watch goes */
    double *lever; /* f: the same of each, at least 1, while a change is waited for; else 1 */
    long changes;  /* choices after the first */
    long factorizations;
} hol__completion;

/* watch: what an entry of R^ may grow to before another choice is made. aside: redundant rows that
 * may be set aside, or NULL. NULL without memory. */
hol__completion *hol__completion_new(hol__arena *arena, hol_data *data, hol__completion_basis basis,
                                     double watch, const hol__set_aside *aside);

/* Choose B at the state in data. HOL_SINGULAR when the rank has changed (a singular position). */
hol_status hol__completion_select(hol__completion *completion);

/* Rows B (f x n) of the caller, kept as they are, instead of the choice that was made at the state
 * in data. HOL_SINGULAR: *row is the first that depends on A and on the rows before it, *alone that
 * it does so without them: it cannot move. exchanges: the watch may exchange them later. bound: the
 * entry of R^ at which they no longer tell the motion. */
hol_status hol__completion_give(hol__completion *completion, const double *B, int exchanges,
                                double bound, int *row, int *alone);

/* For completion_choice.c: the watch over given rows: HOL_SINGULAR where they fail, *exchange where
 * others are to be chosen. T holds R^. */
hol_status hol__completion_watch_given(hol__completion *completion, int *exchange);

/* At an accepted state: look at R^, and choose B anew where another choice is clearly better,
 * unless the completion waits; *changed says whether. */
hol_status hol__completion_renew(hol__completion *completion, int *changed);

/* Factor [A; B] at the state in data, unless it is held. */
hol_status hol__completion_factor(hol__completion *completion);

/* R at the factored state, unless it is held. */
void hol__completion_form_basis(hol__completion *completion);

/* x solves [A; B] x = [top; bottom]; top (m) or bottom (f) may be NULL for zero. */
void hol__completion_solve(const hol__completion *completion, const double *top,
                           const double *bottom, double *x);

/* Whether the factors are those of the rows that are kept. */
static inline int hol__completion_leaves_rows(const hol__completion *completion) {
    return completion->square && completion->qr;
}

/* mu (m), the smallest with A^T mu + B^T nu = f; zero for rows that are set aside. */
void hol__completion_multipliers(const hol__completion *completion, const double *f, double *mu);

/* w = B x. */
void hol__completion_project(const hol__completion *completion, const double *x, double *w);

/* Which coordinates, since when, and [A; B] as it is factored; after the data was walked over. */
hol_status hol__completion_walk(hol__completion *completion, hol__archive *archive);

/* For momenta: coordinates of light bodies are the larger, so that they become the dependent ones
 * where heavy bodies move with them. p_k = R_k^T M v would else be that of a heavy body, of which
 * the light one's is a small difference: w = (R^T M R)^-1 p then changes with positions by the
 * ratio of the masses, and steps shrink with its root. Before the first choice. */
void hol__completion_weigh(hol__completion *completion);

/* The size of the k-th independent coordinate. */
double hol__completion_own_size(const hol__completion *completion, int k);

/* The largest entry of T and where it is. */
double hol__completion_largest(const hol__completion *completion, int *row, int *column);

/* For completion_choice.c: room for [A; B], once the rank is known; the rows of B into it. */
hol_status hol__completion_make_room(hol__completion *completion);
void hol__completion_set_rows(hol__completion *completion);

#endif
