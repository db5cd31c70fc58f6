/* optimize_restore.c: from a point at which constraints are violated to one at which they hold.
 *
 *     min 1/2 sum_i (g_i / size_i)^2    over equations and the inequalities with g_i > 0
 *
 * between the bounds, which has no constraints of its own: the linear constraints of a quadratic
 * program, as slsqp solves them, can contradict each other far from a solution although there is
 * one; least squares cannot.
 */
#include "analysis/optimize.h"

#include <math.h>

typedef struct restoration {
    const hol__objective *problem;
    const double *size; /* of the constraints */
    double *values, *gradient;
} restoration;

/* Half the sum of squares, and its slope. */
static hol_status violate(void *self, const double *p, double *f, double *slope) {
    restoration *r = self;
    const hol__objective *o = r->problem;
    const hol_status status = o->evaluate(o->self, p, r->values, slope ? r->gradient : NULL);
    if (status) return status;
    *f = 0;
    for (int j = 0; j < o->n && slope; j++) slope[j] = 0;
    for (int i = 0; i < o->m; i++) {
        const double g = r->values[1 + i] / r->size[i];
        if (!o->equal[i] && g <= 0) continue;
        *f += 0.5 * g * g;
        for (int j = 0; j < o->n && slope; j++)
            slope[j] += g * r->gradient[(i + 1) * o->n + j] / r->size[i];
    }
    return HOL_OK;
}

/* The caller hears of an attempt by what is violated. */
static hol_status tell_violation(void *self, const hol__attempt *attempt) {
    const restoration *r = self;
    hol__attempt told = *attempt;
    told.better = 0;
    told.violation = sqrt(2 * attempt->value);
    told.value = r->values[0];
    return r->problem->tell ? r->problem->tell(r->problem->self, &told) : HOL_OK;
}

hol_status hol__optimization_restore(hol__optimization *q, const hol__objective *o,
                                     hol__minimum *best, int *holds) {
    hol__arena *arena = &q->arena;
    hol__minimum found;
    double *size = HOL__NEW_N(arena, double, o->m + 1);
    restoration r = {o, size, HOL__NEW_N(arena, double, o->m + 2),
                     HOL__NEW_N(arena, double, (o->m + 1) * o->n + 1)};
    *holds = 0;
    if (!size || !r.values || !r.gradient) return HOL_ERR_MEMORY;
    for (int i = 0; i < o->m; i++)
        size[i] = o->size[i] > 0             ? o->size[i]
                  : best->values[1 + i] != 0 ? fabs(best->values[1 + i])
                                             : 1;
    hol__objective back = *o;
    back.m = 0;
    back.start = best->p;
    back.evaluate = violate;
    back.tell = tell_violation;
    back.self = &r;
    const hol_status status = hol__minimize(&back, hol__algorithm_find("slsqp"), arena, &found);
    if (status) return status > 0 || status == HOL_ERR_TOLERANCE ? HOL_OK : status;
    q->before += found.evaluations;
    q->restored = 1;
    /* half the sum of squares, each within what counts as met */
    *holds = found.values[0] <= 0.5 * HOL__FEASIBLE * HOL__FEASIBLE * o->m;
    best->p = found.p;
    return HOL_OK;
}
