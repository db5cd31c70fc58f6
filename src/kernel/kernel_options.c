/* kernel_options.c: the options of the constrained solve: kernel, basis, storage, penalties and
 * ranks. */
#include "kernel/basis.h"
#include "kernel/kernel.h"

static const char *kernel_choice(int i) {
    const hol__kernel_type *row = i > 0 ? hol__kernel_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *basis_choice(int i) {
    const hol__basis_type *row = i > 0 ? hol__basis_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *form_choice(int i) {
    static const char *const names[] = {"auto", "reduced", "stacked", NULL};
    return names[i];
}

static const char *uk_choice(int i) {
    static const char *const names[] = {"pseudoinverse", "range-space", NULL};
    return names[i];
}

static const char *reactions_choice(int i) {
    static const char *const names[] = {"kernel", "local", NULL};
    return names[i];
}

static const char *local_choice(int i) {
    static const char *const names[] = {"fewest", "full", NULL};
    return names[i];
}

static const char *storage_choice(int i) {
    static const char *const names[] = {"auto", "dense", "sparse", NULL};
    return names[i];
}

/* In the order of the documentation. */
static const hol_option rows[] = {
    HOL__CHOICE("kernel", kernel_choice, "auto",
                "The linear solver inside; auto: that of the method."),
    HOL__CHOICE(
        "basis", basis_choice, "auto",
        "Basis of the directions that the constraints leave free; auto: that of the method."),
    HOL__CHOICE("nullspace_form", form_choice, "auto",
                "How the null-space kernel solves: reduced (R^T M R) or "
                "stacked ([A; R^T M]); auto: that of the method."),
    HOL__CHOICE("uk_form", uk_choice, "pseudoinverse",
                "How udwadia-kalaba and braun-goldfarb invert A M^-1/2: pseudoinverse (orthogonal "
                "decomposition of any rank, dense) or range-space (the kernel schur, sparse)."),
    HOL__CHOICE("reactions", reactions_choice, "kernel",
                "How reactions are calculated: kernel (from its multipliers, minimum norm where "
                "they are not unique) or local (from the local frames of the basis local; "
                "constraints that it leaves out carry no load)."),
    HOL__CHOICE("local_coordinates", local_choice, "fewest",
                "Local coordinates of the joints for the basis local: fewest (one for each "
                "constraint) or full (the whole relative position or orientation that a joint "
                "constrains in part, with its complement)."),
    HOL__CHOICE("storage", storage_choice, "auto",
                "Matrices inside the solver; auto: by size and density."),
    HOL__REAL("penalty", 1, 1e15, "1e7", "",
              "Penalty factor alpha of the penalty and augmented-Lagrangian "
              "methods, as a multiple of the largest term of the mass matrix."),
    HOL__INTEGER("iterations", -1, 1000, "-1",
                 "Iterations of the augmented Lagrangian after the first solution; -1: until "
                 "iteration_tolerance is met."),
    HOL__REAL(
        "iteration_tolerance", 0, 1e9, "1e-4", "",
        "epsilon: the augmented Lagrangian iterates until the norm of the change of the "
        "accelerations (velocities in canonical equations) is below this; 0: until rounding."),
    HOL__REAL("rank_tolerance", 1e-15, 1e-2, "1e-11", "",
              "A constraint whose independent part is below this fraction counts as redundant."),
};

const hol__option_rows hol__kernel_option_rows = HOL__ROWS(rows);
