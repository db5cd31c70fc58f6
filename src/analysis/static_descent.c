/* static_descent.c: downhill to a stable equilibrium with steps of limited length. See
 * equilibrium.h. */
#include "analysis/static_contact.h"
#include "analysis/static_search.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 600, MAX_SHIFTS = 200 };

static const double first_radius = 0.1; /* over the length of the mechanism, as radians */
static const double most_radius = 0.3;
static const double least_radius = 1e-13;
static const double near = 1e-7;   /* a force, over the largest one, from which Newton goes on */
static const double enough = 1e-3; /* of the work that was foreseen */
static const double far = 1e3;     /* lengths of the mechanism: it will not come to rest */

typedef struct descent {
    hol__static *s;
    hol__static_states states;
    double *g;       /* f along the eigenvectors, zero where neither force nor stiffness is */
    double *y;       /* the step along them */
    double *x, *end; /* the step; and as it is seen at its end */
    double radius, travelled;
} descent;

/* H with the states that follow, symmetric, into the eigenvalue problem; f along its vectors. */
static void take_stiffness(descent *d) {
    hol__static *s = d->s;
    const int n = s->n;
    hol__static_condense(s, &d->states, d->x, s->KZ);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->eigh->a[j * n + i] = 0.5 * (s->KZ[j * n + i] + s->KZ[i * n + j]);
    hol__eigh_factor(s->eigh, n);
    for (int k = 0; k < n; k++) {
        const double *e = s->eigh->a + (size_t)k * (size_t)n;
        d->g[k] = 0;
        for (int i = 0; i < n; i++) d->g[k] += e[i] * s->f[i];
        const int soft = fabs(s->eigh->values[k]) <= HOL__STATIC_NEUTRAL * hol__static_terms(s, e);
        if (soft && fabs(d->g[k]) <= HOL__STATIC_NEUTRAL * s->force) d->g[k] = 0;
    }
}

/* The step with a shift sigma; returns how far the body goes that goes farthest. */
static double step_with(descent *d, double sigma) {
    const hol__static *s = d->s;
    const int n = s->n;
    memset(d->x, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k < n; k++) {
        const double *e = s->eigh->a + (size_t)k * (size_t)n;
        const double under = fabs(s->eigh->values[k]) + sigma;
        d->y[k] = d->g[k] == 0 ? 0 : d->g[k] / fmax(under, 1e-300);
        for (int i = 0; i < n; i++) d->x[i] += d->y[k] * e[i];
    }
    return hol__static_farthest(s, d->x);
}

/* The step within the trust radius: the shift by doubling, then by halving the interval. */
static void limited_step(descent *d) {
    const double radius = d->radius * d->s->model->length;
    double size = step_with(d, 0), low = 0, high = 0;
    if (size <= radius) return;
    for (int k = 0; k < d->s->n; k++) high = fmax(high, fabs(d->g[k]));
    high = 1e-12 * high / radius;
    for (int k = 0; k < MAX_SHIFTS && !(step_with(d, high) <= radius); k++) low = high, high *= 4;
    for (int k = 0; k < 20; k++) {
        const double middle = low > 0 ? sqrt(low * high) : 0.5 * high;
        size = step_with(d, middle);
        if (size <= radius && size > 0.9 * radius) return;
        if (size > radius)
            low = middle;
        else
            high = middle;
    }
    step_with(d, high);
}

/* The work of the forces along the step if they changed as H says. */
static double foreseen(const descent *d) {
    double work = 0;
    for (int k = 0; k < d->s->n; k++)
        work += d->y[k] * (d->g[k] - 0.5 * d->s->eigh->values[k] * d->y[k]);
    return work;
}

/* Try the step: *work is what the forces did, *gone how far it went, *share how much of it that
 * is. The state stays where it counts. */
static hol_status attempt(descent *d, double before, double *work, double *gone, double *share) {
    hol__static *s = d->s;
    const int dim = s->n;
    *gone = hol__static_farthest(s, d->x);
    s->met = 0;
    if (d->states.n) hol__static_states_follow(s, &d->states, 1, d->x);
    hol_status status = hol__static_step(s, d->x, d->states.n ? d->states.dz : NULL, share);
    *gone *= *share;
    if (!status) status = hol__static_evaluate(s);
    if (!status && s->n != dim) status = HOL_RETRY; /* a singular position */
    if (status) return status;
    hol__static_last_step(s, d->end);
    *work = 0.5 * *share * before;
    for (int k = 0; k < s->n; k++) *work += 0.5 * s->f[k] * d->end[k];
    return HOL_OK;
}

/* One accepted step, with as many attempts as it takes; > 0 where none is. */
static hol_status advance(descent *d, hol__equilibrium *e) {
    hol__static *s = d->s;
    while (d->radius > least_radius) {
        double before = 0, work = 0, gone = 0, share = 1;
        limited_step(d);
        for (int k = 0; k < s->n; k++) before += s->f[k] * d->x[k];
        const double whole = foreseen(d);
        const hol_status status = attempt(d, before, &work, &gone, &share);
        const double wanted = share * whole;
        e->iterations++;
        if (status < 0) return status;
        if (!status && (work > enough * wanted || (s->met && gone <= s->gaps->touches))) {
            const double radius = gone / s->model->length;
            if (work < 0.25 * wanted) d->radius = 0.5 * radius;
            if (work > 0.7 * wanted && radius > 0.5 * d->radius)
                d->radius = fmin(2 * d->radius, most_radius);
            d->travelled += radius;
            hol__static_accept(s);
            return HOL_OK;
        }
        hol__static_back(s);
        const hol_status back = hol__static_evaluate(s);
        if (back) return back;
        d->radius = 0.25 * fmin(d->radius, gone / s->model->length);
    }
    return HOL_NOT_CONVERGED;
}

/* States of elements go to rest where the positions are. */
static hol_status settle(descent *d) {
    hol__static *s = d->s;
    if (!d->states.n) return HOL_OK;
    hol__static_states_take(s, &d->states);
    hol__static_states_follow(s, &d->states, 1, NULL);
    for (int i = 0; i < d->states.n; i++) d->states.dz[i] += s->data->aux[i];
    hol__data_set_aux(s->data, d->states.dz);
    const hol_status status = hol__static_evaluate(s);
    return status ? status : hol__static_stiffness(s);
}

static hol_status descend(descent *d, hol__equilibrium *e) {
    hol__static *s = d->s;
    for (int k = 0; k < MAX_STEPS; k++) {
        hol_status status = hol__static_evaluate(s);
        if (!status) status = hol__static_stiffness(s);
        if (!status) status = settle(d);
        if (status) return status;
        if (!s->n) return HOL_OK;
        take_stiffness(d);
        if (hol__norm(d->g, s->n) <= near * s->force) return HOL_OK;
        if (d->travelled > far) return HOL_NOT_CONVERGED;
        status = advance(d, e);
        if (status) return status;
        if (s->met) return HOL_RETRY; /* the gaps that are closed are others from here on */
    }
    return HOL_NOT_CONVERGED;
}

hol_status hol__static_descend(hol__static *s, hol__equilibrium *e) {
    descent d = {.s = s, .radius = first_radius};
    hol__arena arena;
    const int n = s->model->nv + s->model->n_aux + 1;
    hol__arena_init(&arena, s->data->ctx);
    d.g = HOL__NEW_N(&arena, double, n);
    d.y = HOL__NEW_N(&arena, double, n);
    d.x = HOL__NEW_N(&arena, double, n);
    d.end = HOL__NEW_N(&arena, double, n);
    const int made = hol__static_states_new(s, &arena, &d.states) && !arena.failed;
    const hol_status status = made ? descend(&d, e) : HOL_ERR_MEMORY;
    hol__arena_free(&arena);
    return status;
}
