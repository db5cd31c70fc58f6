/* kernel.h: the one constrained linear solve that everything rests on.
 *
 *     W x + A^T mu = f
 *     A x          = c          W symmetric (n x n), A (m x n), possibly rank deficient
 *
 * Accelerations take W = M, f = Q, c = cbar; velocity projection f = W v*, c = b; position
 * projection f = 0, c = -Phi. Where A is rank deficient x is the least-squares compromise for c and
 * mu has minimum norm (in the metric of 1/penalty where rows have penalties of their own).
 * After create nothing allocates.
 */
#ifndef HOL_KERNEL_KERNEL_H
#define HOL_KERNEL_KERNEL_H

#include "base/archive.h"
#include "base/option.h"
#include "la/csr.h"
#include "la/tolerances.h"

enum {
    HOL__KERNEL_REDUNDANT = 1,     /* takes redundant constraints */
    HOL__KERNEL_SINGULAR_MASS = 2, /* takes a positive semi-definite W */
    HOL__KERNEL_SPARSE = 4,        /* has a sparse form */
    HOL__KERNEL_MULTIPLIERS = 8,   /* gives mu */
    HOL__KERNEL_GENERAL = 15,      /* all of these */
    /* x and mu are right up to a share of about 1/penalty, not up to rounding. */
    HOL__KERNEL_APPROXIMATE = 16,
    /* Directions of A whose share is below about penalty^-1/2 fade out instead of being resolved or
     * dropped: bounded and smooth through singular positions. The rank is not looked for: info.rank
     * is m. */
    HOL__KERNEL_SMOOTH = 32,
    HOL__KERNEL_BASIS = 64, /* works with a null-space basis, options.basis */
    HOL__KERNEL_APART = 128 /* mu costs work of its own: ask for it only where it is read */
};

/* How the matrices are stored inside: chosen by size and density unless the user says. */
typedef enum hol__storage {
    HOL__STORAGE_AUTO,
    HOL__STORAGE_DENSE,
    HOL__STORAGE_SPARSE
} hol__storage;

/* How the null-space kernel solves. */
typedef enum hol__nullspace_form {
    HOL__NULLSPACE_REDUCED, /* R^T W R z = R^T (f - W S c), x = S c + R z  [GJB 5.67] */
    HOL__NULLSPACE_STACKED  /* [A; R^T W] x = [c; R^T f]  [GJB 5.17] */
} hol__nullspace_form;

/* How the kernel udwadia-kalaba applies C^+, C = A W^-1/2. */
typedef enum hol__uk_form {
    HOL__UK_PSEUDOINVERSE, /* by a complete orthogonal decomposition of C  [PV 89] */
    HOL__UK_RANGE_SPACE    /* C^T (C C^T)^-1, the kernel schur  [PV 88] */
} hol__uk_form;

/* Where the null-space kernel has its multipliers from. */
typedef enum hol__reactions {
    HOL__REACTIONS_KERNEL, /* the smallest that hold the constraints */
    HOL__REACTIONS_LOCAL   /* from the local frames of the basis local [BL 36, 37] */
} hol__reactions;

/* Rows of A that depend on the others and may be set aside (kernel/aside.h). */
typedef struct hol__set_aside {
    int rows;                 /* of A */
    const unsigned char *row; /* 1 where it is one of them */
    int on;                   /* they are set aside */
    int unvalued;             /* and have no values: nobody asks for their multipliers */
} hol__set_aside;

typedef struct hol__kernel_options {
    hol__storage storage;
    /* A constraint counts as dependent when, in the metric of W^-1, its distance from the span of
     * the others is below this share of its own length. 0: HOL__RANK_TOLERANCE. */
    double rank_tolerance;
    /* Once dependent, a direction stays so until that share exceeds this: a redundant mechanism
     * does not become regular because an integrator's stage lies off its constraints. 0:
     * HOL__RELEASE_TOLERANCE; 1 and more: for good. */
    double release_tolerance;
    /* penalty, augmented-lagrangian: alpha = penalty * mass. 0: HOL__KERNEL_PENALTY, and the
     * largest |W_ij|. */
    double penalty, mass;
    /* The same by row of A, NaN: penalty; NULL: penalty for all rows. Must live as long as the
     * kernel is being made. */
    const double *penalties;
    /* augmented-lagrangian: iterate until |x_new - x| <= this [MSF 25], or no longer falls.
     * 0: until the next change is expected below the share HOL__KERNEL_ITERATION_TOLERANCE of |x|.
     * Negative: exactly max_iterations iterations. */
    double iteration_tolerance;
    /* augmented-lagrangian: iterations after the first solution, which is that of the penalty
     * kernel; 0: HOL__KERNEL_MAX_ITERATIONS, but none when iteration_tolerance is negative. */
    int max_iterations;
    /* nullspace: the basis (NULL: hol__basis_qr, kernel/basis.h) and the form. */
    const struct hol__basis_type *basis;
    hol__nullspace_form form;
    hol__uk_form uk_form;
    hol__reactions reactions; /* local: with the basis local only */
    /* nullspace, basis local: A = C J in local coordinates, with the values of the A that is
     * factored; NULL: the rows are their own coordinates. Kernels over other rows leave it out. */
    const struct hol__blocks *blocks;
    /* open-chain: by row of A, 1 where it closes the chain and is left to multipliers; NULL: all
     * do. Rows beyond those of A are not looked at. */
    const unsigned char *cut;
    /* Must live as long as the kernel; NULL: none. Kernels over fewer rows take the first ones of
     * it. */
    const hol__set_aside *aside;
} hol__kernel_options;

#define HOL__KERNEL_PENALTY 1e7
#define HOL__KERNEL_ITERATION_TOLERANCE 1e-12
#define HOL__KERNEL_MAX_ITERATIONS 50

/* What the last factorisation found. */
typedef struct hol__kernel_info {
    const char *form; /* "sparse LDL^T", "dense", "complete orthogonal", … as used last */
    int rank;         /* of A as far as known; m when regular */
    double condition; /* smallest share (see rank_tolerance) that counts as independent */
    long factorizations, refinements; /* counts so far */
    long fallbacks;  /* factorisations by the paths for (nearly) dependent constraints */
    long iterations; /* of the augmented Lagrangian, after the first solution; count so far */
    long switches;   /* changes of the independent coordinates by a basis; count so far */
    double work;     /* multiplications of a factorisation, by a kernel that may fill up; 0: none */
} hol__kernel_info;

typedef struct hol__kernel hol__kernel;

typedef struct hol__kernel_type {
    const char *name;
    const char *title;
    unsigned flags;
    /* The patterns of W (both triangles stored, symmetric) and A are fixed from here on; values
     * come with factor. */
    hol_status (*create)(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                         const hol__kernel_options *options);
    hol_status (*factor)(hol__kernel *kernel, const hol__csr *W, const hol__csr *A);
    /* f (n), c (m) -> x (n), mu (m); mu may be NULL, f or c may be NULL for zero. W and A must
     * still hold the factored values. */
    hol_status (*solve)(hol__kernel *kernel, const double *f, const double *c, double *x,
                        double *mu);
    /* Frees what does not live in the arena; may be NULL. self may be NULL. */
    void (*destroy)(hol__kernel *kernel);
    /* What a factorisation takes over from those before it (dependent directions, pivots, chosen
     * coordinates); NULL: nothing. */
    void (*remember)(hol__kernel *kernel, hol__archive *archive);
} hol__kernel_type;

struct hol__kernel {
    const hol__kernel_type *type;
    hol__arena arena; /* everything of the kernel lives here */
    void *self;       /* the type's own */
    hol__kernel_info info;
    unsigned long tag; /* the caller's mark of what it factored last; 0 after a new factorisation */
    /* the factorisation under way repeats one that was there before (hol__kernel_factor_again) */
    int again;
    int rooted;               /* W is known by its root (la/root.h) */
    unsigned char *bytes;     /* of hol__kernel_remember_as; NULL until it is called */
    struct hol__aside *aside; /* a second kernel for the rows that are kept; NULL: none */
};

/* The functions of a kernel type, where its file calls them by these names. */
#define HOL__KERNEL_FUNCTIONS                                                                      \
    .create = create, .factor = factor, .solve = solve, .destroy = destroy, .remember = remember

/* The types there are, one file each. */
extern const hol__kernel_type hol__kernel_kkt, hol__kernel_schur, hol__kernel_penalty,
    hol__kernel_augmented_lagrangian, hol__kernel_udwadia_kalaba, hol__kernel_nullspace,
    hol__kernel_open_chain;

/* The i-th kernel type, NULL past the end; by name, NULL when there is none. */
const hol__kernel_type *hol__kernel_get(int i);
const hol__kernel_type *hol__kernel_find(const char *name);

/* The type that solves what `type` does over a W that is known by its root: the multipliers through
 * A W^-1 A^T for those that take any W apart; NULL: it needs the entries of W. */
const hol__kernel_type *hol__kernel_over_root(const hol__kernel_type *type);

hol_status hol__kernel_new(hol_context *ctx, const hol__kernel_type *type, const hol__csr *W,
                           const hol__csr *A, const hol__kernel_options *options,
                           hol__kernel **kernel);
void hol__kernel_free(hol__kernel *kernel);

hol_status hol__kernel_factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A);
/* The same for the very values that the kernel whose memory this one has taken over holds factored:
 * by the path that it ended on, also where that was changed by a solution. */
hol_status hol__kernel_factor_again(hol__kernel *kernel, const hol__csr *W, const hol__csr *A);
/* x must not overlap f, nor mu c. */
hol_status hol__kernel_solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                             double *mu);

/* The same where rows may be set aside, with mu of the rows that are kept and zero for the others:
 * A^T mu is the same. */
hol_status hol__kernel_solve_kept(hol__kernel *kernel, const double *f, const double *c, double *x,
                                  double *mu);

/* The memory of a kernel through the archive: with that of another of the same pattern and options
 * it factors and solves as the other does, bit for bit. Zeros make it as new. */
void hol__kernel_remember(hol__kernel *kernel, hol__archive *archive);

/* The whole state of a kernel whose tags are stamps: memory, counts, and whether it holds the
 * factors of W and A at the stamp, which are then made again when it is read. */
hol_status hol__kernel_walk(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                            unsigned long stamp, hol__archive *archive);

/* dst remembers what src does (NULL: nothing). The first call allocates. */
hol_status hol__kernel_remember_as(hol__kernel *dst, hol__kernel *src);

/* The options of kernels and bases. */
extern const hol__option_rows hol__kernel_option_rows;

#endif
