/* least_squares_with_cminpack.c: the search by MINPACK's lmder. See least_squares.h. */
#include "analysis/least_squares.h"

#include "la/dense.h"

#include <cminpack.h>

/* The first step turns by a third of a radian at most. */
static const double first_step = 0.1;

/* flag 1: r at x, 2: J. */
static int residuals(void *self, int m, int n, const double *x, double *r, double *J, int rows,
                     int flag) {
    (void)m, (void)n, (void)rows; /* rows = m */
    return hol__turning_at(self, x, r, flag == 2 ? J : NULL) ? 0 : -1;
}

/* How lmder says it ended. */
static hol__ended ended_by(int info) {
    static const hol__ended ends[] = {
        HOL__ENDED_FAILED,   HOL__ENDED_VALUE,    HOL__ENDED_PARAMETERS,
        HOL__ENDED_VALUE,    HOL__ENDED_VALUE,    HOL__ENDED_EVALUATIONS,
        HOL__ENDED_ROUNDING, HOL__ENDED_ROUNDING, HOL__ENDED_ROUNDING};
    return info >= 0 && info <= 8 ? ends[info] : HOL__ENDED_FAILED;
}

hol_status hol__turning_search(hol__turning *t) {
    const hol__residuals *o = t->problem;
    const int n = o->n, m = o->m;
    double *r = HOL__NEW_N(t->arena, double, m + 1), *J = HOL__NEW_N(t->arena, double, m *n + 1),
           *work = HOL__NEW_N(t->arena, double, 5 * n + m + 1);
    int *pivot = HOL__NEW_N(t->arena, int, n + 1), values, gradients;
    if (t->arena->failed) return HOL_ERR_MEMORY;
    const int most = o->evaluations ? o->evaluations : 100 * (n + 1);
    const int info = lmder(residuals, t, m, n, t->x, r, J, m, o->tolerance * o->tolerance,
                           o->tolerance, 0, most, work, 1, first_step, 0, &values, &gradients,
                           pivot, work + n, work + 2 * n, work + 3 * n, work + 4 * n, work + 5 * n);
    if (!t->status) t->ended = ended_by(info);
    return HOL_OK;
}
