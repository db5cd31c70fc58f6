/* newmark_extrapolated.c: Newmark's average acceleration on constrained equations, smoothed and
 * extrapolated.
 *
 * A step H is made with n = 2, then 4, 6, 8 steps h = H / n of the formula
 *
 *     y_i+1 = y_i + h/2 (y'_i + y'_i+1)        F(t_i+1, y_i+1, y'_i+1, x_i+1) = 0        (dae.h)
 *
 * (generalized_alpha.c with am = af = 0). It is symmetric, so that its error at a fixed time is a
 * sum of even powers of h, and the end is extrapolated to h = 0 with the weights
 *
 *     w_j = prod_k!=j n_j^2 / (n_j^2 - n_k^2)
 *
 * of order 2 s for s runs. The formula itself does not damp what is much faster than it (y_i+1 =
 * -y_i), and sums of such runs may make it grow. Each run goes one step h beyond the end, and its
 * end is smoothed,
 *
 *     1/4 (y_n-1 + 2 y_n + y_n+1),
 *
 * which is even in h, too [LI]. Then
 *
 *     R(z) = sum w_j r_j^(n_j - 1) / (1 - z / 2 n_j)^2,   r_j = (1 + z / 2 n_j) / (1 - z / 2 n_j)
 *
 * is 0 at infinity and at most 1 within 90, 89 and 85 degrees of the negative axis for two, three
 * and four runs: it is the function of Bader and Deuflhard's rule [HW IV.9]. Where f may be another
 * function beyond the end the runs end there, and what is fast keeps its size in this one step.
 *
 * Estimate: the end against that without the first run, of order 2 s - 2. Where the step is tested
 * no more runs are made than pass, nor where one more would not [HNW II.9]. Inside the step y is
 * the polynomial of degree 4 through both ends, with their rates, and the middle, extrapolated like
 * the end.
 *
 * Every step h has derivatives of its own, at the point from which its iteration starts: that of
 * the polynomials through the runs before, with errors that are multiples of 1 / n^2; in the first
 * run that of the step before.
 */
#include "integ/newton.h"

#include "integ/collocate.h"

#include <math.h>
#include <string.h>

enum { RUNS = 4, MOST_STEPS = 8, CAREFUL = 12, PAST = 4 };
static const int STEPS[RUNS] = {2, 4, 6, 8};

static const double NEAR = 10; /* an estimate that is foreseen may be off by this */
/* Steps: beyond this growth the first run starts from too far off, in the CAREFUL steps after one
 * whose iteration failed beyond the second. */
static const double SAFETY = 0.9, LEAST_GROWTH = 0.2, GROWTH = 2.1, CAREFUL_GROWTH = 1.25;

typedef struct extrapolated {
    hol__newton newton;
    double *grid[RUNS][MOST_STEPS + 2]; /* (y, x) of run j after i steps h */
    double *smooth[RUNS];               /* its end */
    double *rate, *ydot;                /* y' at both ends of a step h */
    double *past[2][PAST]; /* y at points before the start of H, and before its end … */
    double when[2][PAST];  /* … and how long before */
    double *half;          /* y at the middle of H, extrapolated */
    double *y, *start, *F; /* the end of a step h as it is iterated; y' = 2/h (y - start) */
    int known[2];          /* how many there are */
    int beyond;            /* the runs go one step beyond the end */
    double *x;             /* at the end of H, extrapolated */
    double factor[RUNS];   /* of the convergence (newton.h), of each run */
    double share;          /* of what an iteration may leave elsewhere */
    int runs;              /* that were made */
    int careful;           /* steps to come since an iteration failed */
} extrapolated;

/* Weights for h = 0 of the runs from `first` on, `runs` in all. */
static void weights(int first, int runs, double *w) {
    for (int j = 0; j < runs; j++) {
        w[j] = j >= first;
        for (int k = first; k < runs; k++) {
            const double a = STEPS[j] * STEPS[j], b = STEPS[k] * STEPS[k];
            if (k != j) w[j] *= a / (a - b);
        }
    }
}

/* What all iterations of a step H leave together is what one leaves elsewhere: each step h of run j
 * counts with |w_j| in the end, sum |w_j| (n_j + 1) = 49 of them. */
static double share_of_iteration(void) {
    double w[RUNS], sum = 0;
    weights(0, RUNS, w);
    for (int j = 0; j < RUNS; j++) sum += fabs(w[j]) * (STEPS[j] + 1);
    return 1 / sum;
}

static hol_status create(hol__stepper *stepper) {
    extrapolated *own = hol__newton_state(stepper, sizeof *own);
    if (!own) return HOL_ERR_MEMORY;
    own->share = share_of_iteration();
    double **vectors[RUNS * (MOST_STEPS + 3) + 7 + 2 * PAST] = {
        &own->rate, &own->ydot, &own->half, &own->y, &own->start, &own->F, &own->x};
    size_t count = 7;
    for (int i = 0; i < 2 * PAST; i++) vectors[count++] = &own->past[i / PAST][i % PAST];
    for (int j = 0; j < RUNS; j++) {
        vectors[count++] = &own->smooth[j];
        for (int i = 0; i < STEPS[j] + 2; i++) vectors[count++] = &own->grid[j][i];
    }
    return hol__newton_vectors(&own->newton, count, vectors);
}

static void reset(hol__stepper *stepper) {
    extrapolated *own = stepper->state;
    hol__newton_reset(&own->newton);
    for (int j = 0; j < RUNS; j++) own->factor[j] = INFINITY;
    own->careful = 0;
}

static void archive(hol__stepper *stepper, hol__archive *archive) {
    extrapolated *own = stepper->state;
    hol__newton_archive(&own->newton, archive);
    hol__archive_numbers(archive, own->half, own->newton.N);
    hol__archive_numbers(archive, own->x, own->newton.N);
    for (int i = 0; i < 2 * PAST; i++)
        hol__archive_numbers(archive, own->past[i / PAST][i % PAST], own->newton.N);
    HOL__ARCHIVE(archive, own->when);
    HOL__ARCHIVE(archive, own->known);
    hol__archive_numbers(archive, own->factor, RUNS);
    HOL__ARCHIVE(archive, own->runs);
    HOL__ARCHIVE(archive, own->careful);
    HOL__ARCHIVE(archive, own->beyond);
}

static void copy(int n, const double *from, double *to) {
    memcpy(to, from, sizeof *to * (size_t)n);
}

/* ---- where a step h is foreseen to end ---- */

/* By what run j differs from the last, in terms of what that differs from the one before it: errors
 * are multiples of 1 / n^2. */
static double ratio(int j) {
    double a[3];
    for (int k = 0; k < 3; k++) a[k] = 1.0 / (STEPS[j - k] * STEPS[j - k]);
    return (a[0] - a[1]) / (a[1] - a[2]);
}

/* to += factor times run j at the time s H, by the polynomial through all its points. */
static void add_run(const hol__stepper *stepper, int j, double s, double factor, double *to) {
    const extrapolated *own = stepper->state;
    double nodes[MOST_STEPS + 2], l[MOST_STEPS + 2];
    const int points = STEPS[j] + 1 + own->beyond;
    for (int i = 0; i < points; i++) nodes[i] = (double)i / STEPS[j];
    hol__lagrange(points, nodes, s, l);
    for (int i = 0; i < points; i++)
        for (int k = 0; k < own->newton.N; k++) to[k] += factor * l[i] * own->grid[j][i][k];
}

/* The end of step i of run j: by the runs before it, or, in the first, by what is known from
 * before H. Positions have neither across steps; they follow from the velocities. */
static void predict(const hol__stepper *stepper, const hol__step *step, int j, int i) {
    extrapolated *own = stepper->state;
    const int nd = own->newton.dae->nd, n = stepper->n, N = own->newton.N;
    const double s = (double)i / STEPS[j], t = s * step->h, h = step->h / STEPS[j],
                 *x = own->newton.x;
    for (int k = 0; k < N; k++) own->y[k] = 0;
    if (j > 0) {
        const double more = j > 1 ? ratio(j) : 0;
        add_run(stepper, j - 1, s, 1 + more, own->y);
        if (j > 1) add_run(stepper, j - 2, s, -more, own->y);
        return;
    }
    const int known = own->known[0];
    double l[PAST], l0[PAST];
    hol__lagrange(known, own->when[0], t, l);
    hol__lagrange(known, own->when[0], 0, l0);
    for (int k = nd; k < n; k++) {
        own->y[k] = step->y_old[k] + (known ? 0 : t * step->f_old[k]);
        for (int p = 0; p < known; p++) own->y[k] += (l[p] - l0[p]) * own->past[0][p][k];
    }
    for (int k = 0; k < nd; k++) own->y[k] = own->start[k] + h / 2 * own->y[nd + k];
    for (int k = n; k < N; k++) own->y[k] = i > 1 ? own->grid[j][i - 1][k] : x[k - n];
}

/* ---- a step h ---- */

static void put_rates(const hol__stepper *stepper, double h) {
    const extrapolated *own = stepper->state;
    for (int k = 0; k < stepper->n; k++) own->ydot[k] = 2 / h * (own->y[k] - own->start[k]);
}

/* Derivatives at the end of the step h as it is by now. */
static hol_status linearize(const hol__stepper *stepper, double t, double h) {
    const extrapolated *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    put_rates(stepper, h);
    const hol_status status = dae->linearize(dae->self, t, own->y, own->ydot, own->y + stepper->n);
    return status == HOL_OK ? hol__newton_shift(&own->newton, 0, 2 / h, 0) : status;
}

/* One iteration, and the size of what it adds. */
static hol_status iterate(hol__stepper *stepper, const hol__step *step, double t, double h,
                          double *size) {
    extrapolated *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    put_rates(stepper, h);
    hol_status status = hol__newton_residual(&own->newton, stepper, t, own->y, own->ydot,
                                             own->y + stepper->n, own->F);
    if (status == HOL_OK) status = dae->solve(dae->self, 0, own->F, NULL);
    if (status != HOL_OK) return status;
    for (int k = 0; k < own->newton.N; k++) own->y[k] -= own->F[k];
    *size = sqrt(hol__stepper_added(stepper, stepper->n - dae->apart, own->F, step->scale)) /
            step->tolerance;
    return isfinite(*size) ? HOL_OK : HOL_NONFINITE;
}

/* Step i of run j. What an iteration leaves is known from the steps before; those of the first run
 * start far off and take derivatives at every iterate. */
static hol_status advance(hol__stepper *stepper, const hol__step *step, int j, int i,
                          hol__convergence going) {
    extrapolated *own = stepper->state;
    const double h = step->h / STEPS[j], t = i == STEPS[j] ? step->t_new : step->t + i * h,
                 *from = own->grid[j][i - 1];
    for (int k = 0; k < stepper->n; k++) own->start[k] = from[k] + h / 2 * own->rate[k];
    predict(stepper, step, j, i);
    hol_status status = linearize(stepper, t, h);
    while (status == HOL_OK && !going.done) {
        double size;
        status = iterate(stepper, step, t, h, &size);
        if (status == HOL_OK) status = hol__convergence_note(&going, size);
        const int failed = status == HOL_NOT_CONVERGED;
        if (failed ? hol__convergence_again(&going) : status == HOL_OK && !going.done && j == 0)
            status = linearize(stepper, t, h);
    }
    put_rates(stepper, h);
    copy(stepper->n, own->ydot, own->rate);
    copy(own->newton.N, own->y, own->grid[j][i]);
    return status;
}

/* Run j. */
static hol_status run_through(hol__stepper *stepper, const hol__step *step, int j) {
    extrapolated *own = stepper->state;
    const int n = stepper->n, last = STEPS[j];
    double *const *y = own->grid[j];
    hol_status status = HOL_OK;
    copy(n, step->y_old, y[0]);
    copy(own->newton.N - n, own->newton.x, y[0] + n);
    copy(n, step->f_old, own->rate);
    own->newton.factor = own->factor[j];
    hol__convergence going = hol__convergence_begin(&own->newton, step);
    going.enough *= own->share;
    for (int i = 1; i <= last + own->beyond && status == HOL_OK; i++)
        status = advance(stepper, step, j, i, going);
    own->factor[j] = own->newton.factor;
    copy(own->newton.N, y[last], own->smooth[j]);
    for (int k = 0; k < n && own->beyond; k++)
        own->smooth[j][k] = 0.25 * (y[last - 1][k] + 2 * y[last][k] + y[last + 1][k]);
    return status;
}

/* ---- extrapolation ---- */

/* What the first runs have, at h = 0. */
static void extrapolate(int runs, const double *w, double *const *of, int n, double *to) {
    for (int k = 0; k < n; k++) {
        to[k] = 0;
        for (int j = 0; j < runs; j++) to[k] += w[j] * of[j][k];
    }
}

/* F = what the first run changes at the end. */
static void estimate(const hol__stepper *stepper) {
    const extrapolated *own = stepper->state;
    double w[RUNS], e[RUNS];
    weights(0, own->runs, w);
    weights(1, own->runs, e);
    for (int j = 0; j < own->runs; j++) e[j] = w[j] - e[j];
    extrapolate(own->runs, e, own->smooth, stepper->n, own->F);
}

/* Whether another run is of use: with what there is the step that follows would be shorter, and one
 * more, which makes the estimate as many times less again as the last one did, is near passing. */
static int goes_on(const hol__stepper *stepper, const hol__step *step, double *size) {
    const extrapolated *own = stepper->state;
    const double before = *size;
    if (own->runs == RUNS) return 0;
    if (!step->tested || own->runs < 2) return 1;
    estimate(stepper);
    *size = sqrt(hol__mean_square(stepper->n, own->F, step->scale)) / step->tolerance;
    const double keeps = pow(SAFETY, 2 * own->runs - 1);
    return *size > keeps && *size * *size <= NEAR * before;
}

/* Points before the end of H, of the last run: means of two, which do not see what alternates from
 * step to step. */
static void look_back(const hol__stepper *stepper, const hol__step *step) {
    extrapolated *own = stepper->state;
    const int j = own->runs - 1, last = STEPS[j] + own->beyond;
    own->known[1] = 0;
    for (int i = last; i > 0 && own->known[1] < PAST; i -= 2) {
        const int p = own->known[1]++;
        own->when[1][p] = ((i - 0.5) / STEPS[j] - 1) * step->h;
        for (int k = 0; k < stepper->n; k++)
            own->past[1][p][k] = 0.5 * (own->grid[j][i][k] + own->grid[j][i - 1][k]);
    }
}

/* They are those before the start of the step that follows. */
static void look_ahead(const hol__stepper *stepper, hol__newton_start start) {
    extrapolated *own = stepper->state;
    if (start == HOL__NEWTON_AGAIN) return;
    own->known[0] = start == HOL__NEWTON_FOLLOWS ? own->known[1] : 0;
    for (int p = 0; p < own->known[0]; p++) {
        own->when[0][p] = own->when[1][p];
        copy(stepper->n, own->past[1][p], own->past[0][p]);
    }
}

static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    extrapolated *own = stepper->state;
    const int n = stepper->n;
    double w[RUNS], *middle[RUNS], size = INFINITY;
    const hol__newton_start start = hol__newton_begin(&own->newton, step);
    hol_status status = hol__stepper_first(stepper, step);
    if (status == HOL_OK)
        status = hol__newton_prepare(&own->newton, stepper, step,
                                     start == HOL__NEWTON_FOLLOWS ? own->x : NULL);
    look_ahead(stepper, start);
    own->beyond = step->t_new + step->h / STEPS[0] <= step->edge;
    own->runs = 0;
    while (status == HOL_OK && goes_on(stepper, step, &size)) {
        const int j = own->runs++;
        middle[j] = own->grid[j][STEPS[j] / 2];
        status = run_through(stepper, step, j);
    }
    own->careful = status > 0 ? CAREFUL : own->careful > 0 ? own->careful - 1 : 0;
    if (status != HOL_OK) return status;
    weights(0, own->runs, w);
    extrapolate(own->runs, w, own->smooth, own->newton.N, own->F);
    extrapolate(own->runs, w, middle, n, own->half);
    look_back(stepper, step);
    copy(n, own->F, step->y);
    copy(own->newton.N - n, own->F + n, own->x);
    return hol__stepper_project(stepper, step);
}

/* Steps h of the first `runs` runs. */
static double work(int runs) {
    double sum = 0;
    for (int j = 0; j < runs; j++) sum += STEPS[j] + 1;
    return sum;
}

/* The norm of the estimate. */
static double error(hol__stepper *stepper, const hol__step *step, const double *scale,
                    double tolerance) {
    extrapolated *own = stepper->state;
    (void)step;
    estimate(stepper);
    return sqrt(hol__stepper_norm(stepper, own->F, scale)) / tolerance;
}

/* Where fewer runs pass, to where one more pays [HNW II.9]. Where a step does not pass f is mostly
 * not as smooth as the order of all runs asks for. */
static double growth(const hol__stepper *stepper, double norm) {
    const extrapolated *own = stepper->state;
    const double most = own->careful ? CAREFUL_GROWTH : GROWTH;
    if (norm > 1) return fmax(LEAST_GROWTH, SAFETY / sqrt(norm));
    const double more = own->runs < RUNS ? work(own->runs + 1) / work(own->runs) : 1;
    return fmin(most, SAFETY * pow(norm, -1.0 / (2 * own->runs - 1)) * more);
}

/* The polynomial of degree 4 through both ends, with their rates, and the middle: the cubic, and
 * what it is off there. */
static hol_status dense(hol__stepper *stepper, hol__step *step, double s, double *y) {
    const extrapolated *own = stepper->state;
    const hol_status status = hol__stepper_last(stepper, step);
    const double b = 16 * s * s * (1 - s) * (1 - s);
    hol__cubic(stepper->n, step, s, step->f_old, step->f, y);
    for (int k = 0; k < stepper->n; k++) {
        const double middle =
            0.5 * (step->y_old[k] + step->y[k]) + step->h / 8 * (step->f_old[k] - step->f[k]);
        y[k] += b * (own->half[k] - middle);
    }
    return status;
}

/* The start, and the ends of all steps. */
static int abscissae(const hol__stepper *stepper, double *c) {
    (void)stepper;
    int count = 1;
    c[0] = 0;
    for (int j = 0; j < RUNS; j++)
        for (int i = 1; i <= STEPS[j]; i++) {
            const double x = (double)i / STEPS[j];
            int known = 0;
            for (int k = 0; k < count; k++) known |= fabs(c[k] - x) < 1e-9;
            if (!known) c[count++] = x;
        }
    return count;
}

static const double *multipliers(const hol__stepper *stepper) {
    return ((const extrapolated *)stepper->state)->x;
}

static const hol__stepper_ops ops = {
    .error = error, .growth = growth, .dense = dense, HOL__NEWTON_FUNCTIONS};

const hol__stepper_type hol__stepper_newmark_extrapolated = {
    .name = "newmark-extrapolated",
    .title = "Newmark's formula, smoothed and extrapolated to order 8, for stiff systems",
    .order = 2 * RUNS,
    .error_order = 2 * RUNS - 2,
    .dense_order = 4,
    .implicit = 1,
    .iterates = 1,
    .slots = 1,
    .varies = 1,
    .lambda_order = 2,
    .ops = &ops};
