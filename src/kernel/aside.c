/* aside.c: dependent rows set aside. See aside.h for the equations. */
#include "kernel/aside.h"

#include "kernel/normal.h"
#include "kernel/penalty.h"

#include <math.h>
#include <string.h>

/* Rounds of the multipliers; good when the last one changed them by less than this, and no good
 * when the load that they leave is more than that. */
enum { ROUNDS = 8 };
#define MU_GOOD 1e-15
#define MU_BAD 1e-12

struct hol__aside {
    const hol__set_aside *rows;
    hol__kernel *kept;
    hol__csr A; /* the kept rows; values of the last factorisation */
    int *row;   /* A.rows: which rows they are */
    int taken;  /* the last factorisation is that of the kept rows */
    const hol__csr *W, *all;
    double *load, *x;    /* n */
    double *c, *y, *mu;  /* by row of A: right-hand side; alpha A y; of the kept rows */
    hol__normal *normal; /* for multipliers */
    int normal_fresh;
    double penalty; /* of it */
};

int hol__aside_serves(const hol__kernel_type *type, const hol__kernel_options *options) {
    const int springs = type->flags & HOL__KERNEL_APPROXIMATE ||
                        (type->flags & HOL__KERNEL_SMOOTH && options->iteration_tolerance < 0);
    return !springs && !options->blocks && type->flags & HOL__KERNEL_REDUNDANT;
}

/* The options of the kernel over the kept rows. */
static hol_status own_options(const struct hol__aside *a, hol__arena *arena,
                              const hol__kernel_options *options, hol__kernel_options *own) {
    *own = *options;
    /* without redundant rows a small share means a singular position nearby: no memory of it */
    own->release_tolerance = own->rank_tolerance;
    double *penalties = HOL__NEW_N(arena, double, a->A.rows + 1);
    unsigned char *cut = HOL__NEW_N(arena, unsigned char, a->A.rows + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < a->A.rows; i++) {
        if (options->penalties) penalties[i] = options->penalties[a->row[i]];
        if (options->cut) cut[i] = options->cut[a->row[i]];
    }
    if (options->penalties) own->penalties = penalties;
    if (options->cut) own->cut = cut;
    return HOL_OK;
}

/* What makes multipliers of all rows. */
static hol_status make_normal(struct hol__aside *a, hol__kernel *kernel, const hol__csr *W,
                              const hol__csr *A, const hol__kernel_options *options) {
    hol__kernel_options plain = {.penalty = HOL__KERNEL_PENALTY};
    double largest;
    if (hol__penalty_is(kernel->type)) plain = *options;
    const hol_status status = hol__normal_new(&kernel->arena, W, A, HOL__STORAGE_AUTO, &a->normal);
    if (status) return status;
    a->normal->mass = plain.mass;
    return hol__normal_take_penalties(a->normal, &kernel->arena, &plain, &a->penalty, &largest)
               ? HOL_OK
               : HOL_ERR_MEMORY;
}

hol_status hol__aside_new(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                          const hol__kernel_options *options, const hol__set_aside *rows) {
    hol__arena *arena = &kernel->arena;
    const size_t n = (size_t)W->rows, m = (size_t)A->rows;
    struct hol__aside *a = kernel->aside = HOL__NEW(arena, struct hol__aside);
    if (!a) return HOL_ERR_MEMORY;
    a->rows = rows;
    a->row = HOL__NEW_N(arena, int, m);
    a->load = HOL__NEW_N(arena, double, 2 * n);
    a->c = HOL__NEW_N(arena, double, 3 * m);
    if (arena->failed || hol__csr_keep_rows(arena, A, rows->row, &a->A, a->row))
        return HOL_ERR_MEMORY;
    a->x = a->load + n;
    a->y = a->c + m;
    a->mu = a->y + m;
    hol__kernel_options own;
    hol_status status = own_options(a, arena, options, &own);
    if (!status) status = hol__kernel_new(arena->ctx, kernel->type, W, &a->A, &own, &a->kept);
    return status ? status : make_normal(a, kernel, W, A, options);
}

void hol__aside_free(struct hol__aside *aside) {
    if (aside) hol__kernel_free(aside->kept);
}

hol_status hol__aside_factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    struct hol__aside *a = kernel->aside;
    const hol__kernel_info *info = &a->kept->info;
    a->W = W;
    a->all = A;
    a->normal_fresh = 0;
    a->taken = a->rows->on;
    if (!a->taken) return kernel->type->factor(kernel, W, A);
    hol__csr_copy_rows(A, a->row, &a->A);
    const long fallbacks = info->fallbacks;
    const hol_status status = kernel->again ? hol__kernel_factor_again(a->kept, W, &a->A)
                                            : hol__kernel_factor(a->kept, W, &a->A);
    kernel->info.form = info->form;
    kernel->info.rank = info->rank;
    kernel->info.condition = info->condition;
    kernel->info.fallbacks += info->fallbacks - fallbacks;
    return status;
}

/* mu of minimum norm for the load f - W x that the constraints carry; whether it carries it. */
static int find_multipliers(struct hol__aside *a, const double *f, const double *x, double *mu) {
    const int n = a->W->rows, m = a->all->rows;
    double whole = 0, left = 0, most = 0;
    if (!a->normal_fresh && hol__normal_factor(a->normal, a->W, a->all, a->penalty)) return 0;
    a->normal_fresh = 1;
    hol__csr_mul(a->W, x, a->load);
    for (int i = 0; i < n; i++) {
        const double given = f ? f[i] : 0;
        whole = fmax(whole, fabs(given) + fabs(a->load[i]));
        a->load[i] = given - a->load[i];
    }
    memset(mu, 0, sizeof *mu * (size_t)m);
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0;
        hol__normal_solve(a->normal, a->load, a->x);
        hol__csr_mul(a->all, a->x, a->y);
        for (int i = 0; i < m; i++) {
            a->y[i] *= hol__normal_alpha(a->normal, i);
            mu[i] += a->y[i];
            change = fmax(change, fabs(a->y[i]));
            most = fmax(most, fabs(mu[i]));
        }
        hol__csr_mul_t_add(a->all, -1, a->y, a->load);
        if (change <= MU_GOOD * most) break;
    }
    for (int i = 0; i < n; i++) left = fmax(left, fabs(a->load[i]));
    return left <= MU_BAD * whole;
}

/* x, and the multipliers of the kept rows where they are wanted. */
static hol_status solve_kept(hol__kernel *kernel, const double *f, const double *c, double *x,
                             double *mu) {
    struct hol__aside *a = kernel->aside;
    const hol__kernel_info *info = &a->kept->info;
    const long refinements = info->refinements, iterations = info->iterations;
    for (int i = 0; c && i < a->A.rows; i++) a->c[i] = c[a->row[i]];
    const hol_status status = hol__kernel_solve(a->kept, f, c ? a->c : NULL, x, mu);
    kernel->info.refinements += info->refinements - refinements;
    kernel->info.iterations += info->iterations - iterations;
    return status;
}

hol_status hol__aside_solve_kept(hol__kernel *kernel, const double *f, const double *c, double *x,
                                 double *mu) {
    struct hol__aside *a = kernel->aside;
    if (!a->taken) return kernel->type->solve(kernel, f, c, x, mu);
    const hol_status status = solve_kept(kernel, f, c, x, mu ? a->mu : NULL);
    if (status || !mu) return status;
    memset(mu, 0, sizeof *mu * (size_t)a->all->rows);
    for (int i = 0; i < a->A.rows; i++) mu[a->row[i]] = a->mu[i];
    return HOL_OK;
}

/* mu of all rows and minimum norm; by all rows where the load is too irregular for the rounds. */
static hol_status complete(hol__kernel *kernel, const double *f, const double *c, const double *x,
                           double *mu) {
    struct hol__aside *a = kernel->aside;
    if (find_multipliers(a, f, x, mu)) return HOL_OK;
    const hol_status status = kernel->type->factor(kernel, a->W, a->all);
    return status ? status : kernel->type->solve(kernel, f, c, a->x, mu);
}

hol_status hol__aside_solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                            double *mu) {
    struct hol__aside *a = kernel->aside;
    if (!a->taken || a->rows->unvalued) return hol__aside_solve_kept(kernel, f, c, x, mu);
    const hol_status status = solve_kept(kernel, f, c, x, NULL);
    return status || !mu ? status : complete(kernel, f, c, x, mu);
}

hol__kernel *hol__aside_take(hol__kernel *kernel, const hol__csr **A, const double **c) {
    struct hol__aside *a = kernel->aside;
    if (!a || !a->taken) return kernel;
    hol__csr_copy_rows(*A, a->row, &a->A);
    for (int i = 0; *c && i < a->A.rows; i++) a->c[i] = (*c)[a->row[i]];
    *A = &a->A;
    if (*c) *c = a->c;
    return a->kept;
}

const int *hol__aside_rows(const hol__kernel *kernel, const hol__kernel **solver, int *n) {
    const struct hol__aside *a = kernel->aside;
    if (!a || !a->taken) return NULL;
    *solver = a->kept;
    *n = a->A.rows;
    return a->row;
}

void hol__aside_remember(struct hol__aside *aside, hol__archive *archive) {
    HOL__ARCHIVE(archive, aside->taken);
    hol__kernel_remember(aside->kept, archive);
}
