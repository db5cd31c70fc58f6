/* newton.c: what formulas on constrained equations share. See newton.h. */
#include "integ/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 10, MOST_FRESH = 3 };
static const double LEFT_OVER = 0.01;
static const double SURE = 0.1; /* of what may be left, where it is not this step that says so */
static const double FORGETTING = 0.8; /* power of what is known of the convergence, a step */
static const double ROUNDING = 1e-14; /* of the scale: no iteration gets below some 50 eps */

/* For formulas that iterate until rounding. */
enum { MOST_SETTLING = 60 };
static const double SETTLED = 1e-15;       /* of the scale: nothing is left to add */
static const double NEAR_ROUNDING = 1e-11; /* what no longer shrinks below this is rounding */

/* The equations, and the vectors that all kinds have. */
static hol_status open_equations(hol__newton *newton, hol__stepper *stepper) {
    newton->ctx = stepper->ctx;
    newton->dae = stepper->system->dae;
    if (!newton->dae) {
        newton->plain = hol__dae_plain_new(stepper->ctx, stepper->system, stepper->type->slots,
                                           &newton->plain_dae);
        if (!newton->plain) return HOL_ERR_MEMORY;
        newton->dae = &newton->plain_dae;
    }
    newton->N = hol__dae_size(newton->dae);
    newton->F = hol__alloc(stepper->ctx, 2 * (size_t)newton->N, sizeof *newton->F);
    if (!newton->F) return HOL_ERR_MEMORY;
    newton->x = newton->F + newton->N;
    hol__newton_reset(newton);
    return HOL_OK;
}

void *hol__newton_state(hol__stepper *stepper, size_t size) {
    hol__newton *newton = stepper->state = hol__alloc(stepper->ctx, 1, size);
    return newton && open_equations(newton, stepper) == HOL_OK ? newton : NULL;
}

hol_status hol__newton_vectors(hol__newton *newton, size_t count, double **const *vectors) {
    const size_t N = (size_t)newton->N;
    newton->block = hol__alloc(newton->ctx, count * N, sizeof *newton->block);
    for (size_t i = 0; newton->block && i < count; i++) *vectors[i] = newton->block + i * N;
    return newton->block ? HOL_OK : HOL_ERR_MEMORY;
}

void hol__newton_free(hol__stepper *stepper) {
    hol__newton *newton = stepper->state;
    hol__dae_plain_free(newton->plain);
    hol__release(stepper->ctx, newton->F);
    hol__release(stepper->ctx, newton->block);
    hol__release(stepper->ctx, newton);
}

void hol__newton_reset(hol__newton *newton) {
    newton->t = newton->t_new = NAN;
    newton->known = 0;
    newton->factor = INFINITY;
    newton->h = 0;
}

void hol__newton_archive(hol__newton *newton, hol__archive *archive) {
    HOL__ARCHIVE(archive, newton->t);
    HOL__ARCHIVE(archive, newton->t_new);
    HOL__ARCHIVE(archive, newton->known);
    HOL__ARCHIVE(archive, newton->factor);
    HOL__ARCHIVE(archive, newton->h);
    hol__archive_numbers(archive, newton->x, newton->N - newton->dae->n);
}

hol__newton_start hol__newton_begin(hol__newton *newton, const hol__step *step) {
    const hol__newton_start start = step->t == newton->t       ? HOL__NEWTON_AGAIN
                                    : step->t == newton->t_new ? HOL__NEWTON_FOLLOWS
                                                               : HOL__NEWTON_ALONE;
    if (start != HOL__NEWTON_AGAIN) newton->known = 0;
    newton->t = step->t;
    newton->t_new = step->t_new;
    return start;
}

/* The multipliers at the start: lambda of the step before, mu = 0. */
static hol_status take_multipliers(hol__newton *newton, const hol__step *step, const double *end) {
    const hol__dae *dae = newton->dae;
    if (newton->known) return HOL_OK;
    newton->known = 1;
    if (!end)
        return hol__dae_multipliers(dae, step->t, step->y_old, step->f_old, step->h, newton->x,
                                    newton->F);
    for (int i = 0; i < dae->m + dae->mh; i++) newton->x[i] = i < dae->m ? end[i] : 0;
    return HOL_OK;
}

hol_status hol__newton_prepare(hol__newton *newton, hol__stepper *stepper, hol__step *step,
                               const double *end) {
    hol_status status = HOL_OK;
    if (!end && !newton->known) status = hol__stepper_first(stepper, step);
    return status == HOL_OK ? take_multipliers(newton, step, end) : status;
}

hol_status hol__newton_residual(hol__newton *newton, hol__stepper *stepper, double t,
                                const double *y, const double *ydot, const double *x, double *F) {
    stepper->evaluations++;
    return newton->dae->residual(newton->dae->self, t, y, ydot, x, F);
}

hol_status hol__newton_shift(const hol__newton *newton, int slot, double re, double im) {
    const hol__sigma sigma = {{re, im}, {re, im}};
    return newton->dae->shift(newton->dae->self, slot, &sigma);
}

hol__convergence hol__convergence_begin(hol__newton *newton, const hol__step *step) {
    const double longer = newton->h > 0 ? fmax(1, step->h / newton->h) : 1,
                 enough = fmax(LEFT_OVER, ROUNDING / step->tolerance);
    newton->factor = pow(fmax(newton->factor, DBL_EPSILON), FORGETTING) * longer * longer;
    newton->h = step->h;
    /* where rounding is near sizes say little of the convergence */
    if (enough * step->tolerance < 2 * ROUNDING) newton->factor = INFINITY;
    return (hol__convergence){.newton = newton,
                              .enough = enough,
                              .most_fresh = step->tested ? MOST_FRESH : MOST_ITERATIONS};
}

hol_status hol__convergence_note(hol__convergence *c, double size) {
    const double theta = c->before > 0 ? size / c->before : 1;
    const int left = MOST_ITERATIONS - ++c->iterations;
    if (c->before > 0) c->newton->factor = theta < 1 ? theta / (1 - theta) : INFINITY;
    c->done = size <= 0.01 * c->enough ||
              c->newton->factor * size <= c->enough * (c->before > 0 ? 1 : SURE);
    if (c->done) return HOL_OK;
    const int hopeless =
        c->before > 0 && (theta >= 1 || pow(theta, left) / (1 - theta) * size > c->enough);
    c->before = size;
    return left == 0 || hopeless ? HOL_NOT_CONVERGED : HOL_OK;
}

int hol__convergence_again(hol__convergence *c) {
    c->newton->factor = INFINITY;
    c->before = 0;
    c->iterations = 0;
    return c->fresh++ < c->most_fresh;
}

hol__settling hol__settling_begin(double rounding) {
    return (hol__settling){.before = INFINITY, .rounding = fmax(rounding, NEAR_ROUNDING)};
}

hol_status hol__settling_note(hol__settling *s, double size) {
    const int shrinks = size < 0.7 * s->before;
    if (!isfinite(size)) return HOL_NONFINITE;
    s->done = size <= SETTLED || (size < s->rounding && !shrinks);
    s->before = size;
    return s->done || ++s->iterations < MOST_SETTLING ? HOL_OK : HOL_NOT_CONVERGED;
}

hol_status hol__newton_dense(hol__stepper *stepper, hol__step *step, double s, double *y) {
    const hol_status status = hol__stepper_last(stepper, step);
    hol__cubic(stepper->n, step, s, step->f_old, step->f, y);
    return status;
}
