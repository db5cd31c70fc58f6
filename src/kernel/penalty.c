/* penalty.c: the kernels 'penalty' and 'augmented-lagrangian', both over K = W + A^T alpha A
 * (normal.h), factored once. alpha is diagonal, with one number for all rows or one for each
 * [GJB 5.29-5.31].
 *
 * Penalty [GJB 5.37, 5.47]:
 *     K x = f + A^T alpha c,   mu = alpha (A x - c)
 * Augmented Lagrangian [GJB 5.51; MSF 23-25], mu_0 = 0:
 *     K x_(i+1) = f - A^T mu_i + A^T alpha c,   mu_(i+1) = mu_i + alpha (A x_(i+1) - c)
 * in the form of corrections, which is the same and refines against rounding on the way:
 *     rf = f - W x - A^T mu, rc = c - A x,  K dx = rf + A^T alpha rc,  dmu = alpha (A dx - rc)
 * Where W is regular, W x_i = f - A^T mu_i, and this is GJB's M x_(i+1) form, whose M x_0 = f makes
 * the first solution that of the penalty. Iterations go on until |x_(i+1) - x_i| <= epsilon
 * [MSF 25]. An error shrinks by 1 / (1 + penalty sigma^2) an iteration, sigma being the share of
 * its direction (kernel.h), so that what is left is that share of epsilon.
 *
 * After each solution W x + A^T mu = f, so mu is the solution of A^T mu = f - W x in the range of
 * A, and that is how it is found: alpha (A x - c) as it stands holds the inconsistent part of c and
 * the rounding of A x, both times alpha. With g = f - W x, from mu = 0:
 *     r = g - A^T mu,  K y = r,  mu += alpha A y
 * in which y is of the size of r / alpha, so that alpha does not enlarge rounding, and mu stays in
 * the range of alpha A: minimum norm where rows have one alpha, and else the smallest mu . alpha^-1
 * mu, so that redundant constraints share a load by their stiffness.
 */
#include "kernel/penalty.h"

#include "kernel/aside.h"
#include "kernel/normal.h"
#include "kernel/saddle.h"

#include <float.h>
#include <math.h>

/* Above this penalty the rounding errors of K, about penalty * eps, exceed 1/penalty: then the
 * solution is refined. */
#define REFINE_ABOVE 2e7
/* Residual of A x = c, over its terms, that tells inconsistent constraints. */
#define INCONSISTENT 1e-10
/* What is left of A^T mu = f - W x below this share may go into x: it is rounding within the
 * constraints. */
#define SETTLED 1e-8

/* Constraints with a smaller share are weak: their errors shrink by less than a thousandth in an
 * iteration at the default penalty, and the last change says little of what is left. */
#define WEAK 1e-2

enum { REFINEMENTS = 3 };

typedef struct penalty {
    hol__saddle system;
    hol__normal *normal;
    double least, largest; /* penalty: the same unless rows have their own */
    double tolerance;
    int most;
    /* share of its own terms that each equation f - W x - A^T mu may leave when mu is recovered,
     * which is what rounding of that sum may be; against |f - W x| the momenta and forces of light
     * bodies would not count */
    double recovered;
    double *b, *g, *y; /* n */
    double *s, *w;     /* m */
} penalty;

/* What rounding of a sum over a row of [W A^T], and of f, may be, over its terms. */
static double rounding_of(const hol__csr *W, const hol__csr *A, int *terms) {
    int most = 0;
    for (int i = 0; i < W->rows; i++) terms[i] = 1 + W->ptr[i + 1] - W->ptr[i];
    for (int p = 0; p < A->ptr[A->rows]; p++) terms[A->idx[p]]++;
    for (int i = 0; i < W->rows; i++) most = terms[i] > most ? terms[i] : most;
    return most * DBL_EPSILON / 2;
}

/* K, and room for residuals. */
static hol_status create(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                         const hol__kernel_options *options) {
    hol__arena *arena = &kernel->arena;
    const int n = W->rows, m = A->rows;
    penalty *p = kernel->self = HOL__NEW(arena, penalty);
    if (!p || !hol__saddle_init(&p->system, arena, n, m, &kernel->info.refinements))
        return HOL_ERR_MEMORY;
    p->tolerance = options->iteration_tolerance;
    p->most = options->max_iterations;
    p->b = HOL__NEW_N(arena, double, 3 * (size_t)n + 2 * (size_t)m);
    if (!p->b) return HOL_ERR_MEMORY;
    p->g = p->b + n;
    p->y = p->g + n;
    p->s = p->y + n;
    p->w = p->s + m;
    int *terms = HOL__NEW_N(arena, int, n);
    if (!terms) return HOL_ERR_MEMORY;
    p->recovered = rounding_of(W, A, terms);
    const hol_status status = hol__normal_new(arena, W, A, options->storage, &p->normal);
    if (status) return status;
    p->normal->mass = options->mass;
    return hol__normal_take_penalties(p->normal, arena, options, &p->least, &p->largest)
               ? HOL_OK
               : HOL_ERR_MEMORY;
}

/* K = W + A^T alpha A. */
static hol_status factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    penalty *p = kernel->self;
    p->system.W = W;
    p->system.A = A;
    const hol_status status = hol__normal_factor(p->normal, W, A, p->least);
    kernel->info.form = p->normal->form;
    kernel->info.rank = A->rows;
    kernel->info.condition = p->normal->share;
    return status;
}

/* |v| */
static double norm(int n, const double *v) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

/* v += d */
static void add(int n, const double *d, double *v) {
    for (int i = 0; i < n; i++) v[i] += d[i];
}

/* out += A^T alpha s. */
static void add_forces(const penalty *p, const hol__csr *A, const double *s, double *out) {
    const hol__normal *k = p->normal;
    if (k->alphas)
        for (int i = 0; i < A->rows; i++) p->w[i] = k->alphas[i] * s[i];
    hol__csr_mul_t_add(A, k->alphas ? 1 : k->alpha, k->alphas ? p->w : s, out);
}

/* mu += alpha A y. */
static void add_multipliers(const penalty *p, const double *y, double *mu) {
    const hol__normal *k = p->normal;
    if (!k->alphas) {
        hol__csr_mul_add(p->system.A, k->alpha, y, mu);
        return;
    }
    hol__csr_mul(p->system.A, y, p->w);
    for (int i = 0; i < p->system.m; i++) mu[i] += k->alphas[i] * p->w[i];
}

/* out = f - W x - A^T alpha (A x - c). */
static void penalty_residual(const penalty *p, const double *f, const double *c, const double *x,
                             double *out) {
    const hol__saddle *s = &p->system;
    for (int i = 0; i < s->n; i++) out[i] = f ? f[i] : 0;
    for (int i = 0; i < s->m; i++) p->s[i] = c ? c[i] : 0;
    hol__csr_mul_add(s->W, -1, x, out);
    hol__csr_mul_add(s->A, -1, x, p->s);
    add_forces(p, s->A, p->s, out);
}

/* x <- x + K^-1 residual as long as the corrections halve. */
static void refine(penalty *p, const double *f, const double *c, double *x) {
    const int n = p->system.n;
    double before = HUGE_VAL;
    for (int step = 0; step < REFINEMENTS; step++) {
        penalty_residual(p, f, c, x, p->b);
        hol__normal_solve(p->normal, p->b, p->y);
        const double size = norm(n, p->y);
        if (!(size < 0.5 * before)) return;
        add(n, p->y, x);
        ++*p->system.refinements;
        before = size;
    }
}

/* Whether a constraint has become as weak as what it leaves free, near a singular position. */
static int fades(const penalty *p) {
    return p->normal->tangents > p->normal->least_tangents;
}

/* How an error shrinks in one solution: that of the weakest constraint, or that of the lightest
 * motion, of which rounding of K leaves a share; nothing is promised where a constraint fades. */
static double shrinks(const penalty *p) {
    const double share = p->normal->share;
    return fades(p) ? 1 : fmax(1 / (1 + p->least * share * share), p->normal->blur);
}

/* mu in the range of A, from one that is so already, with A^T mu = f - W x up to the share
 * tolerance of the terms of each equation. What is left stands in rf. */
static void recover(penalty *p, const double *f, const double *x, double tolerance, double *mu) {
    hol__saddle *s = &p->system;
    double left = hol__saddle_loads(s, f, x, mu), before = HUGE_VAL;
    for (int pass = 0; pass <= HOL__KERNEL_MAX_ITERATIONS && left > tolerance; pass++) {
        if (!(left < 0.99 * before)) break;
        hol__normal_solve(p->normal, s->rf, p->y);
        add_multipliers(p, p->y, mu);
        before = left;
        /* a second pass shows how fast it goes, the first has the weakest constraint for it */
        if (left * shrinks(p) <= tolerance && pass == 0) break;
        left = hol__saddle_loads(s, f, x, mu);
    }
}

/* K x = f + A^T alpha c; right-hand sides may be NULL. */
static void solve_once(const penalty *p, const double *f, const hol__csr *A, const double *c,
                       double *x) {
    for (int i = 0; i < p->system.n; i++) p->b[i] = f ? f[i] : 0;
    if (c) add_forces(p, A, c, p->b);
    hol__normal_solve(p->normal, p->b, x);
}

/* K x = f + A^T alpha c, then mu. */
static hol_status solve_penalty(hol__kernel *kernel, const double *f, const double *c, double *x,
                                double *mu) {
    penalty *p = kernel->self;
    const hol__saddle *s = &p->system;
    solve_once(p, f, s->A, c, x);
    if (p->largest > REFINE_ABOVE) refine(p, f, c, x);
    if (!mu) return HOL_OK;
    for (int i = 0; i < s->m; i++) mu[i] = 0;
    recover(p, f, x, p->recovered, mu);
    return HOL_OK;
}

/* rc <- rc - A d, which keeps rc = c - A x after x <- x + d, and mu <- mu - alpha rc, in the
 * system. */
static void follow(penalty *p, const double *d) {
    hol__saddle *s = &p->system;
    hol__csr_mul_add(s->A, -1, d, s->rc);
    for (int i = 0; i < s->m; i++) s->mu[i] -= hol__normal_alpha(p->normal, i) * s->rc[i];
}

/* One correction: K dx = f - W x - A^T (mu - alpha rc), x += dx. dx stays in the system; returns
 * |dx|. */
static double advance(penalty *p, const double *f, double *x) {
    hol__saddle *s = &p->system;
    for (int i = 0; i < s->n; i++) s->rf[i] = f ? f[i] : 0;
    hol__csr_mul_add(s->W, -1, x, s->rf);
    for (int i = 0; i < s->m; i++) p->s[i] = hol__normal_alpha(p->normal, i) * s->rc[i] - s->mu[i];
    hol__csr_mul_t_add(s->A, 1, p->s, s->rf);
    hol__normal_solve(p->normal, s->rf, s->dx);
    add(s->n, s->dx, x);
    return norm(s->n, s->dx);
}

/* Whether x is the last one, after a change of `size`: it is within epsilon [MSF 25], and rounding
 * leaves no more of it than the penalty, or it no longer falls. Without epsilon, or where a
 * constraint is so weak that the change says little of what is left (near a singular position): the
 * next change, by the last two and by the weakest constraint, would be rounding. */
static int is_settled(const penalty *p, double size, double before, const double *x) {
    if (!(size < before)) return 1;
    if (size <= p->tolerance && size * p->normal->blur <= p->tolerance / (1 + p->least) &&
        p->normal->share >= WEAK && !fades(p))
        return 1;
    return size * fmax(size / before, shrinks(p)) <=
           HOL__KERNEL_ITERATION_TOLERANCE * norm(p->system.n, x);
}

/* The iteration, from zero; mu in the system, where its part outside the range of A may grow.
 * Leaves the sum of i dx_i in g. */
static void iterate(hol__kernel *kernel, const double *f, const double *c, double *x) {
    penalty *p = kernel->self;
    hol__saddle *s = &p->system;
    solve_once(p, f, s->A, c, x);
    for (int i = 0; i < s->n; i++) p->g[i] = 0;
    for (int i = 0; i < s->m; i++) {
        s->mu[i] = 0;
        s->rc[i] = c ? c[i] : 0;
    }
    follow(p, x);
    double before = norm(s->n, x);
    for (int i = 1, settled = 0; i <= p->most && !settled; i++) {
        const double size = advance(p, f, x);
        kernel->info.iterations++;
        for (int k = 0; k < s->n; k++) p->g[k] += i * s->dx[k];
        settled = p->tolerance >= 0 && is_settled(p, size, before, x);
        follow(p, s->dx);
        before = size;
    }
}

/* Whether what is left of A x = c (rc in the system) is more than rounding. */
static int is_inconsistent(const penalty *p, const double *c, const double *x) {
    const hol__saddle *s = &p->system;
    const hol__csr *A = s->A;
    double left = 0, most = 0;
    for (int i = 0; i < s->m; i++) {
        left = fmax(left, fabs(s->rc[i]));
        most = fmax(most, c ? fabs(c[i]) : 0);
    }
    if (left <= INCONSISTENT * most) return 0;
    for (int i = 0; i < s->m; i++) {
        double terms = c ? fabs(c[i]) : 0;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) terms += fabs(A->x[k] * x[A->idx[k]]);
        if (fabs(s->rc[i]) > INCONSISTENT * terms) return 1;
    }
    return 0;
}

/* The iteration, then mu, and x where constraints contradict each other. */
static hol_status solve_augmented(hol__kernel *kernel, const double *f, const double *c, double *x,
                                  double *mu) {
    penalty *p = kernel->self;
    hol__saddle *s = &p->system;
    const int exact = p->tolerance < 0;
    iterate(kernel, f, c, x);
    const int settle = !exact && is_inconsistent(p, c, x);
    if (!mu && !settle) return HOL_OK;
    if (!mu) mu = s->mu;
    /* -alpha A (dx_2 + 2 dx_3 + …) where the sum has converged */
    const int converged = shrinks(p) < 0.1;
    if (converged) hol__csr_mul(s->A, p->g, mu);
    for (int i = 0; i < s->m; i++) mu[i] = converged ? -hol__normal_alpha(p->normal, i) * mu[i] : 0;
    recover(p, f, x, p->recovered, mu);
    if (settle && hol__saddle_loads(s, f, x, mu) < SETTLED) {
        hol__normal_solve(p->normal, s->rf, p->y);
        add(s->n, p->y, x);
        add_multipliers(p, p->y, mu);
    }
    return HOL_OK;
}

int hol__penalty_is(const hol__kernel_type *type) {
    return type == &hol__kernel_penalty || type == &hol__kernel_augmented_lagrangian;
}

void hol__penalty_step(hol__kernel *kernel, const double *f, const hol__csr *A, const double *c,
                       double *x) {
    hol__kernel *solver = hol__aside_take(kernel, &A, &c);
    solve_once(solver->self, f, A, c, x);
}

void hol__penalty_add(const hol__kernel *kernel, const double *r, int rows, double *mu) {
    int n = rows;
    const int *row = hol__aside_rows(kernel, &kernel, &n);
    const penalty *p = kernel->self;
    for (int k = 0; k < n; k++) {
        const int i = row ? row[k] : k;
        mu[i] += hol__normal_alpha(p->normal, k) * r[i];
    }
}

/* How many directions the constraints have held at most. */
static void remember(hol__kernel *kernel, hol__archive *archive) {
    const penalty *p = kernel->self;
    int held = p->normal->n - p->normal->least_tangents;
    HOL__ARCHIVE(archive, held);
    p->normal->least_tangents = p->normal->n - held;
}

const hol__kernel_type hol__kernel_penalty = {
    .name = "penalty",
    .flags = HOL__KERNEL_GENERAL | HOL__KERNEL_APPROXIMATE | HOL__KERNEL_SMOOTH | HOL__KERNEL_APART,
    .title = "Penalty: W + A^T alpha A",
    .create = create,
    .factor = factor,
    .solve = solve_penalty,
    .remember = remember,
};

const hol__kernel_type hol__kernel_augmented_lagrangian = {
    .name = "augmented-lagrangian",
    .flags = HOL__KERNEL_GENERAL | HOL__KERNEL_SMOOTH | HOL__KERNEL_APART,
    .title = "Augmented Lagrangian: penalty with multipliers, iterated",
    .create = create,
    .factor = factor,
    .solve = solve_augmented,
    .remember = remember,
};
