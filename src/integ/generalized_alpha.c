/* generalized_alpha.c: the generalized-alpha formula on constrained equations [CH, BCA], with those
 * of Hilber, Hughes and Taylor and of Newmark as rows.
 *
 * Unknown at the end of the step are y = (d, v, z) and x = (lambda, mu), with y' and an
 * acceleration a beside v' (of z the same):
 *
 *     (1 - am) a_1 + am a_0 = (1 - af) v'_1 + af v'_0
 *     v_1 = v_0 + h (1 - gamma) a_0 + h gamma a_1
 *     d_1 = h (1 - theta) d'_0 + h theta d'_1 + h^2 (1/2 - theta) a_0,   theta = beta / gamma
 *     F(t_1, y_1, y'_1, x_1) = 0                                                       (dae.h)
 *
 * The first two make v'_1 a linear function of v_1, the third d'_1 of d_1, and what is left are as
 * many equations as unknowns: equilibrium, constraints of positions and of velocities. Where d' = v
 * the third is Newmark's; d are increments of the start of the step on the group, and d'_1 is their
 * rate there, so that rotations are as good as translations. gamma = 1/2 - am + af, beta = (gamma +
 * 1/2)^2 / 4 give order 2; am and af follow from rho, the factor by which the fastest oscillations
 * are damped in a step.
 *
 * a_0 is v' at t_0 + (am - af) h. In a step of another length it is moved there, a_0 <- v'_0 +
 * (h / h_old) (a_0 - v'_0); in a first step it is v'_0 + (am - af) h v''_0, with v'' by a short
 * look ahead. A step that leads over a corner of a law is followed by such a first step: a_0 - v'_0
 * is the jump there, of a step of 1e-14 s, and no measure of v''.
 *
 * Estimate: the leading terms, h^3 v'' (theta/2 + (1/2 - theta) (am - af) - 1/6) of positions and
 * h^3 v''' times the same of v_1, with v'' and v''' by differences of v'. Inside the step y is the
 * cubic of both ends.
 *
 * The row real-time makes two iterations with one matrix in every step, converged or not, no
 * projection and no second try: the number of operations is known beforehand. Constraints do not
 * drift, because each step meets them anew.
 */
#include "integ/newton.h"

#include <math.h>
#include <string.h>

/* How a row makes am and af from rho, and how many iterations it makes; 0: as many as it takes. */
typedef struct alpha_table {
    void (*parameters)(double rho, double *am, double *af);
    int iterations;
} alpha_table;

/* The formula for one step. */
typedef struct coefficients {
    double am, af, gamma, beta, theta;
    double sigma_d, sigma_v; /* of J */
    double error_d, error_v; /* of the estimate, without h^3 */
} coefficients;

typedef struct alpha {
    hol__newton newton;
    double *lead; /* (a_0 - v'_0) / h, of v and z */
    double *rate; /* y' at the start, and of the step before */
    double *before;
    double *start;            /* d*, v*, z*: y' = sigma (y - start) */
    double *ydot, *F, *y, *x; /* at the end; y and x as they are iterated */
    double *jerk;             /* y'' at the start, where the step is a first one */
    double h, h_old;          /* of the step that was made, and of the one before; 0: none */
} alpha;

static hol_status create(hol__stepper *stepper) {
    alpha *own = hol__newton_state(stepper, sizeof *own);
    if (!own) return HOL_ERR_MEMORY;
    double **const vectors[] = {&own->lead, &own->rate, &own->before, &own->start, &own->ydot,
                                &own->F,    &own->y,    &own->x,      &own->jerk};
    return hol__newton_vectors(&own->newton, sizeof vectors / sizeof *vectors, vectors);
}

static void reset(hol__stepper *stepper) {
    alpha *own = stepper->state;
    hol__newton_reset(&own->newton);
    own->h = own->h_old = 0;
}

static void archive(hol__stepper *stepper, hol__archive *archive) {
    alpha *own = stepper->state;
    double *const vectors[] = {own->lead, own->rate, own->before, own->ydot,
                               own->y,    own->x,    own->jerk};
    hol__newton_archive(&own->newton, archive);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        hol__archive_numbers(archive, vectors[i], own->newton.N);
    HOL__ARCHIVE(archive, own->h);
    HOL__ARCHIVE(archive, own->h_old);
}

/* ---- the formula ---- */

/* Chung and Hulbert: the least damping of slow motions for a given rho. */
static void optimal(double rho, double *am, double *af) {
    *am = (2 * rho - 1) / (rho + 1);
    *af = rho / (rho + 1);
}

/* Hilber, Hughes and Taylor: rho from 1/2 to 1. */
static void hilber_hughes_taylor(double rho, double *am, double *af) {
    *am = 0;
    *af = (1 - rho) / (1 + rho);
}

/* Newmark's average acceleration: no damping, whatever rho is. */
static void newmark(double rho, double *am, double *af) {
    (void)rho;
    *am = *af = 0;
}

/* The formula of a stepper for a step of length h. */
static coefficients formula(const hol__stepper *stepper, double h) {
    const alpha_table *table = stepper->type->table;
    coefficients c;
    table->parameters(stepper->radius, &c.am, &c.af);
    const double delta = c.am - c.af;
    c.gamma = 0.5 - delta;
    c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
    c.theta = c.beta / c.gamma;
    c.sigma_d = 1 / (h * c.theta);
    c.sigma_v = (1 - c.am) / ((1 - c.af) * h * c.gamma);
    c.error_d = c.theta / 2 + (0.5 - c.theta) * delta - 1.0 / 6;
    c.error_v = 0.5 * (delta * delta + c.gamma * (1 + 2 * delta)) - 1.0 / 6 + 0.5 * (1 - c.af) -
                0.5 * ((1 - c.am) * (1 + delta) * (1 + delta) + c.am * delta * delta);
    return c;
}

/* y' = sigma (y - start) at the end of the step. */
static void put_rates(const hol__stepper *stepper, const coefficients *c) {
    alpha *own = stepper->state;
    for (int i = 0; i < stepper->n; i++) {
        const double sigma = i < own->newton.dae->nd ? c->sigma_d : c->sigma_v;
        own->ydot[i] = sigma * (own->y[i] - own->start[i]);
    }
}

/* a_0 for a step of length h. */
static double acceleration(const alpha *own, int i, double h) {
    return own->rate[i] + h * own->lead[i];
}

/* Where y' = 0 is, by the equations at the top. */
static void put_start(const hol__stepper *stepper, const hol__step *step, const coefficients *c) {
    alpha *own = stepper->state;
    const int nd = own->newton.dae->nd;
    const double h = step->h, *y0 = step->y_old;
    for (int i = 0; i < nd; i++)
        own->start[i] = y0[i] + h * (1 - c->theta) * own->rate[i] +
                        h * h * (0.5 - c->theta) * acceleration(own, nd + i, h);
    for (int i = nd; i < stepper->n; i++) {
        const double a = acceleration(own, i, h);
        own->start[i] = y0[i] + h * (1 - c->gamma) * a -
                        (c->am * a - c->af * own->rate[i]) / (1 - c->af) / c->sigma_v;
    }
}

/* ---- what is known at the start ---- */

/* y'' by a short look ahead; zero where y' changes by more than its size in a step, because then it
 * says nothing of it. */
static hol_status look_ahead(hol__stepper *stepper, const hol__step *step) {
    alpha *own = stepper->state;
    const double s = 1e-3 * step->h;
    const int n = stepper->n;
    for (int i = 0; i < n; i++) own->y[i] = step->y_old[i] + s * step->f_old[i];
    const hol_status status = hol__stepper_rhs(stepper, step->t + s, own->y, own->jerk);
    if (status != HOL_OK) return status;
    for (int i = 0; i < n; i++) own->jerk[i] = (own->jerk[i] - step->f_old[i]) / s;
    const double change = sqrt(hol__mean_square(n, own->jerk, step->scale)) * step->h,
                 size = sqrt(hol__mean_square(n, step->f_old, step->scale));
    if (change > size)
        for (int i = 0; i < n; i++) own->jerk[i] = 0;
    return HOL_OK;
}

/* A first step. */
static hol_status begin_alone(hol__stepper *stepper, const hol__step *step) {
    alpha *own = stepper->state;
    const coefficients c = formula(stepper, step->h);
    const hol_status status = look_ahead(stepper, step);
    memcpy(own->rate, step->f_old, sizeof(double) * (size_t)stepper->n);
    for (int i = 0; i < stepper->n; i++) own->lead[i] = (c.am - c.af) * own->jerk[i];
    own->h_old = 0;
    return status;
}

/* The end of the step that was accepted is the start: a_1 from v'_1. The rates of increments from
 * the new base point are the velocities. */
static void follow(const hol__stepper *stepper, const hol__step *step) {
    alpha *own = stepper->state;
    const coefficients c = formula(stepper, own->h);
    const int nd = own->newton.dae->nd;
    for (int i = nd; i < stepper->n; i++) {
        const double a0 = acceleration(own, i, own->h), v1 = own->ydot[i];
        const double a1 = ((1 - c.af) * v1 + c.af * own->rate[i] - c.am * a0) / (1 - c.am);
        own->lead[i] = (a1 - v1) / own->h;
        own->before[i] = own->rate[i];
        own->rate[i] = v1;
    }
    memcpy(own->rate, step->y_old + nd, sizeof(double) * (size_t)nd);
    own->h_old = own->h;
}

/* ---- the iteration ---- */

/* v and z go on as they do at the start, d as it follows. */
static void predict(const hol__stepper *stepper, const hol__step *step, const coefficients *c) {
    alpha *own = stepper->state;
    const int nd = own->newton.dae->nd;
    for (int i = nd; i < stepper->n; i++) own->y[i] = step->y_old[i] + step->h * own->rate[i];
    for (int i = 0; i < nd; i++) own->y[i] = own->start[i] + own->y[nd + i] / c->sigma_d;
    memcpy(own->x, own->newton.x, sizeof(double) * (size_t)(own->newton.N - stepper->n));
}

/* Derivatives at the end of the step as it is by now. */
static hol_status linearize(const hol__stepper *stepper, const hol__step *step,
                            const coefficients *c) {
    alpha *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const hol__sigma sigma = {{c->sigma_d, 0}, {c->sigma_v, 0}};
    put_rates(stepper, c);
    const hol_status status = dae->linearize(dae->self, step->t_new, own->y, own->ydot, own->x);
    return status == HOL_OK ? dae->shift(dae->self, 0, &sigma) : status;
}

/* One iteration, and the size of what it adds. */
static hol_status iterate(hol__stepper *stepper, const hol__step *step, const coefficients *c,
                          double *size) {
    alpha *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int n = stepper->n;
    put_rates(stepper, c);
    hol_status status =
        hol__newton_residual(&own->newton, stepper, step->t_new, own->y, own->ydot, own->x, own->F);
    if (status == HOL_OK) status = dae->solve(dae->self, 0, own->F, NULL);
    if (status != HOL_OK) return status;
    for (int i = 0; i < n; i++) own->y[i] -= own->F[i];
    for (int i = n; i < own->newton.N; i++) own->x[i - n] -= own->F[i];
    *size =
        sqrt(hol__stepper_added(stepper, n - dae->apart, own->F, step->scale)) / step->tolerance;
    return isfinite(*size) ? HOL_OK : HOL_NONFINITE;
}

/* As many iterations as it takes. */
static hol_status converge(hol__stepper *stepper, const hol__step *step, const coefficients *c) {
    alpha *own = stepper->state;
    hol__convergence going = hol__convergence_begin(&own->newton, step);
    hol_status status = linearize(stepper, step, c);
    while (status == HOL_OK && !going.done) {
        double size;
        status = iterate(stepper, step, c, &size);
        if (status == HOL_OK) status = hol__convergence_note(&going, size);
        if (status == HOL_NOT_CONVERGED && hol__convergence_again(&going))
            status = linearize(stepper, step, c);
    }
    return status;
}

/* A number of them that is known beforehand. */
static hol_status count_down(hol__stepper *stepper, const hol__step *step, const coefficients *c) {
    const alpha_table *table = stepper->type->table;
    double size;
    hol_status status = linearize(stepper, step, c);
    for (int k = 0; k < table->iterations && status == HOL_OK; k++)
        status = iterate(stepper, step, c, &size);
    return status;
}

/* ---- steps ---- */

static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    const alpha_table *table = stepper->type->table;
    alpha *own = stepper->state;
    const coefficients c = formula(stepper, step->h);
    const hol__newton_start start = hol__newton_begin(&own->newton, step);
    hol_status status = hol__newton_prepare(&own->newton, stepper, step,
                                            start == HOL__NEWTON_FOLLOWS ? own->x : NULL);
    if (status == HOL_OK && start == HOL__NEWTON_ALONE) status = begin_alone(stepper, step);
    if (status != HOL_OK) {
        hol__newton_reset(&own->newton);
        return status;
    }
    if (start == HOL__NEWTON_FOLLOWS) follow(stepper, step);
    own->h = step->h;
    put_start(stepper, step, &c);
    predict(stepper, step, &c);
    status = table->iterations ? count_down(stepper, step, &c) : converge(stepper, step, &c);
    if (status != HOL_OK) return status;
    put_rates(stepper, &c);
    memcpy(step->y, own->y, sizeof(double) * (size_t)stepper->n);
    return table->iterations ? HOL_OK : hol__stepper_project(stepper, step);
}

/* The norm of the leading terms of the error. */
static double error(hol__stepper *stepper, const hol__step *step, const double *scale,
                    double tolerance) {
    alpha *own = stepper->state;
    const coefficients c = formula(stepper, step->h);
    const int nd = own->newton.dae->nd, n = stepper->n;
    const double h = step->h, h_old = own->h_old;
    for (int i = nd; i < n; i++) {
        const double slope = (own->ydot[i] - own->rate[i]) / h;
        const double bend =
            h_old > 0 ? 2 * (slope - (own->rate[i] - own->before[i]) / h_old) / (h + h_old)
                      : 2 * (slope - own->jerk[i]) / h;
        own->F[i] = c.error_v * h * h * h * bend;
        if (i < 2 * nd) own->F[i - nd] = c.error_d * h * h * h * slope;
    }
    return sqrt(hol__stepper_norm(stepper, own->F, scale)) / tolerance;
}

/* The cubic of both ends. */
static hol_status dense(hol__stepper *stepper, hol__step *step, double s, double *y) {
    const alpha *own = stepper->state;
    hol__cubic(stepper->n, step, s, own->rate, own->ydot, y);
    return HOL_OK;
}

/* Its ends. */
static int abscissae(const hol__stepper *stepper, double *c) {
    (void)stepper;
    c[0] = 0;
    c[1] = 1;
    return 2;
}

static const double *multipliers(const hol__stepper *stepper) {
    return ((const alpha *)stepper->state)->x;
}

static const hol__stepper_ops ops = {.error = error, .dense = dense, HOL__NEWTON_FUNCTIONS};

#define ALPHA_ROW(row_name, row_title, estimate, function, count)                                  \
    {                                                                                              \
        .name = row_name, .title = row_title, .order = 2, .error_order = estimate,                 \
        .dense_order = 2, .implicit = 1, .iterates = 1, .slots = 1, .lambda_order = 2,             \
        .recalls = 1, .ops = &ops, .table = &(const alpha_table) {                                 \
            function, count                                                                        \
        }                                                                                          \
    }

const hol__stepper_type hol__stepper_generalized_alpha = ALPHA_ROW(
    "generalized-alpha", "generalized-alpha, for structures and constraints with chosen damping", 2,
    optimal, 0);

const hol__stepper_type hol__stepper_hht = ALPHA_ROW(
    "hht", "Hilber, Hughes and Taylor's form of generalized-alpha", 2, hilber_hughes_taylor, 0);

const hol__stepper_type hol__stepper_newmark =
    ALPHA_ROW("newmark", "Newmark's average acceleration, without damping", 2, newmark, 0);

const hol__stepper_type hol__stepper_real_time =
    ALPHA_ROW("real-time", "generalized-alpha with two iterations a step, always, fixed steps", 0,
              optimal, 2);
