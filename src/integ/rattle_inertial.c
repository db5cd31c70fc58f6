/* rattle_inertial.c: the halves of RATTLE (rattle.c) by masses and constraints alone.
 *
 * Forces are those of a known position. What a half has to find is a multiplier, and the matrix
 *
 *     [M A^T; A 0]  at d_0        for all substeps h, forwards and backwards
 *
 * finds it: the first half by iterations on Phi(d_1) = 0, each of which costs the positions of the
 * constraints and a solution, and contracts by how far A turns in a substep; the second half at
 * once, since it is linear, with the matrix at d_1, which the first half of the next substep has
 * again. That one also begins with the forces of the second half before it, at the same position:
 * F_v = 0 still where they do not change with the velocity. Whether they do is seen in the
 * iteration that will be the last one, which evaluates F_v; from then on, in this step, all of them
 * do.
 *
 * Forces that change with the velocity and states of elements are iterated without derivatives:
 * this contracts by h/2 |B| / M. Where that is not small (stiff dampers, fast states) the iteration
 * is given up, and the first halves of the step go on with all derivatives.
 */
#include "integ/rattle.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* All derivatives and their factors cost as much as 7 to 13 iterations (docs/theory/rattle.md).
 * They help where forces change with the velocity and not where A turns, so twice as many are
 * made. */
enum { MOST_ITERATIONS = 25 };

/* Where a first half will end, from what the last one has added in this step: lead, half, end, x0.
 * The half before it was lambda - c h_1, h_1 that substep, and lambda + c h is wanted: what is to
 * be added is in proportion to h + h_1, and for velocities to h. A has turned since then; what that
 * leaves of the residuals of v_h and z_h is in F. The next terms of what was added are less by
 * theta: where they would be magnified to more than it, they are not taken for a forecast. */
static void foresee(hol__stepper *stepper, double h) {
    hol__rattle *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int nd = dae->nd, n = stepper->n;
    const double last = own->h[0], by = (h + last) / (last + own->h[1]), by_v = by * h / last;
    own->begun = own->turns * fabs(h) * fmax(fabs(by), fabs(by_v)) < 1 && own->turns > 0;
    for (int i = nd; i < n; i++) own->lead[i] *= own->begun ? by_v : 0;
    for (int i = n; i < n + dae->m; i++) own->lead[i] *= own->begun ? by : 0;
    if (!own->begun) return;
    dae->inertial->times(dae->self, 2 / h, own->lead, own->F);
    for (int i = nd; i < n; i++) own->half[i] += own->lead[i];
    for (int i = 0; i < nd; i++) own->end[i] += h * own->lead[nd + i];
    for (int i = 0; i < dae->m; i++) own->x0[i] += own->lead[n + i];
}

/* The residuals of v_h and z_h in F, where they are evaluated; where they are not, those of the
 * beginning, and 0 behind the first iteration. */
static hol_status kick_residual(hol__stepper *stepper, double t, double h, int evaluate) {
    hol__rattle *own = stepper->state;
    const int begun = own->begun;
    own->begun = 0;
    if (!evaluate) {
        if (!begun) memset(own->F, 0, sizeof(double) * (size_t)stepper->n);
        return HOL_OK;
    }
    hol__rattle_rates(stepper, h, own->y0, own->half);
    hol_status status =
        hol__newton_residual(&own->newton, stepper, t, own->half, own->rate, own->x0, own->F);
    if (status == HOL_OK && !own->kept)
        status = own->newton.dae->inertial->keep(own->newton.dae->self);
    if (status == HOL_OK) own->kept = 1;
    return status;
}

/* d_1 by both rates, the second at d_1 as it was, what that takes from it in gap, and Phi / h there
 * in the rows of psi. */
static hol_status place_residual(hol__stepper *stepper, double t, double h) {
    hol__rattle *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int nd = dae->nd, n = stepper->n;
    for (int i = nd; i < n; i++) own->end[i] = own->half[i];
    dae->inertial->rate(dae->self, own->half, own->gap);
    dae->inertial->rate(dae->self, own->end, own->G);
    for (int i = 0; i < nd; i++) {
        const double before = own->end[i];
        own->end[i] = own->y0[i] + 0.5 * h * (own->gap[i] + own->G[i]);
        own->gap[i] = before - own->end[i];
    }
    const hol_status status = dae->inertial->places(dae->self, t, own->end, own->F + n);
    for (int i = 0; i < dae->mh; i++) own->F[n + i] /= h;
    return status;
}

/* One iteration of the first half, and the size of what it adds, in the scale. */
static hol_status iterate(hol__stepper *stepper, const hol__step *step, double t, double h,
                          int evaluate, double *size) {
    hol__rattle *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int nd = dae->nd, n = stepper->n;
    hol_status status = kick_residual(stepper, t, h, evaluate);
    if (status == HOL_OK) status = place_residual(stepper, t + h, h);
    if (status == HOL_OK) status = dae->inertial->solve(dae->self, 2 / h, own->F);
    if (status != HOL_OK) return status;
    for (int i = 0; i < nd; i++) {
        own->end[i] -= h * own->F[nd + i];
        own->F[i] = own->gap[i] + h * own->F[nd + i];
    }
    for (int i = nd; i < n; i++) {
        own->half[i] -= own->F[i];
        own->lead[i] -= own->F[i];
    }
    for (int i = n; i < n + dae->m; i++) {
        own->x0[i - n] -= own->F[i];
        own->lead[i] -= own->F[i];
    }
    *size = sqrt(hol__stepper_added(stepper, n - dae->apart, own->F, step->scale));
    return HOL_OK;
}

/* How the iterations of the first half go. What an increment leaves is theta times it, theta being
 * the ratio of the last two, before there are two in proportion to h that of the last substep; in
 * the rounding of Phi it is at most that. */
typedef struct progress {
    hol__settling going;
    double clear, theta;
    double series; /* the last increment without what is rounding of Phi in it */
    int left;      /* iterations that may still be made */
    int solved;    /* what the last one leaves is less than half a rounding of velocities */
    int last;      /* what the next one will leave is */
    int more;      /* it has added more than those before it foresee */
    int hopeless;  /* those that are left will not do */
} progress;

static progress progress_begin(double rounding, double theta, int left) {
    return (progress){.going = hol__settling_begin(64 * rounding),
                      .clear = 8 * rounding,
                      .theta = theta,
                      .left = left};
}

/* Another increment. */
static hol_status progress_note(progress *p, double size) {
    const double before = p->going.before;
    const int known = isfinite(before);
    const hol_status status = hol__settling_note(&p->going, size);
    p->more = size > 2 * p->theta * before + p->clear;
    if (known) p->theta = size > p->clear ? size / before : fmin(p->theta, p->clear / before);
    p->series = known && size <= p->clear ? p->theta * p->series : size;
    p->left--;
    p->solved = p->going.done || p->theta * p->series <= 0.5 * DBL_EPSILON;
    p->last = p->solved || p->theta * p->theta * p->series <= 0.5 * DBL_EPSILON;
    p->hopeless = p->left <= 0 || (known && size * pow(p->theta, p->left) > p->going.rounding);
    return status;
}

hol_status hol__rattle_first(hol__stepper *stepper, const hol__step *step, double t, double h) {
    hol__rattle *own = stepper->state;
    const double rounding = hol__rattle_rounding(stepper, step, h);
    const double theta = own->turns > 0 ? fmin(1, own->turns * fabs(h)) : 1;
    progress p = progress_begin(rounding, theta, MOST_ITERATIONS);
    hol__rattle_begin(stepper, h);
    foresee(stepper, h);
    for (;;) {
        const int checks = p.last && !own->swayed && !own->steady;
        const int evaluate = checks || own->swayed || !own->kept;
        double size = 0;
        hol_status status = iterate(stepper, step, t, h, evaluate, &size);
        if (status == HOL_OK) status = progress_note(&p, size);
        if (status == HOL_OK && p.solved && (evaluate || own->steady)) {
            own->turns = p.theta / fabs(h);
            own->h[1] = own->h[0];
            own->h[0] = h;
            return HOL_OK;
        }
        if (status != HOL_OK) return status;
        if (checks && p.more) {
            own->swayed = 1; /* the increments before it say nothing of those to come */
            p = progress_begin(rounding, 1, p.left);
        } else if (p.hopeless) {
            return HOL_NOT_CONVERGED;
        }
    }
}

/* F of the second half, made with y' = 0, into what it takes from y and x: an ordinary system has
 * neither masses nor constraints. */
static hol_status solve_second(const hol__stepper *stepper, double h) {
    hol__rattle *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    if (!dae->inertial) {
        for (int i = 0; i < stepper->n; i++) own->F[i] *= 0.5 * h;
        return HOL_OK;
    }
    const hol_status status = dae->inertial->keep(dae->self);
    return status == HOL_OK ? dae->inertial->solve(dae->self, 2 / h, own->F) : status;
}

hol_status hol__rattle_second(hol__stepper *stepper, double t, double h) {
    hol__rattle *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int nd = dae->nd, n = stepper->n;
    for (int i = nd; i < n; i++) own->end[i] = own->half[i];
    memset(own->rate, 0, sizeof(double) * (size_t)n);
    memcpy(own->x1, own->x0, sizeof(double) * (size_t)dae->m);
    hol_status status =
        hol__newton_residual(&own->newton, stepper, t, own->end, own->rate, own->x1, own->F);
    if (status == HOL_OK) status = solve_second(stepper, h);
    if (status != HOL_OK) return status;
    memcpy(own->y1, own->end, sizeof(double) * (size_t)nd);
    for (int i = nd; i < n; i++) {
        own->y1[i] = own->end[i] - own->F[i];
        own->kick[i] = -2 * own->F[i] / h;
    }
    for (int i = 0; i < dae->m; i++) own->x1[i] -= own->F[n + i];
    own->kept = 1;
    return HOL_OK;
}
