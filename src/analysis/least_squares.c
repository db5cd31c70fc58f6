/* least_squares.c: bounds by angles, the best point, points without residuals. See
 * least_squares.h. */
#include "analysis/least_squares.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846, met = 1e-6, inside = 1e-2;

/* How p follows x, one of a table. */
typedef struct turn {
    double (*p)(double low, double w, double x);
    double (*dp)(double w, double x);
    double (*x)(double low, double w, double p);
} turn;

typedef struct hol__turning_work {
    const turn **turns; /* n */
    double *from, *w;   /* n: the bound from which p is counted, and the width with its sign */
    double *p, *r, *J;
    double *best_p, *best_r;
    double best, first;
    int has_best;
    long evaluations, gradients, failures;
} hol__turning_work;

/* ---- bounds ---- */

static double both_p(double low, double w, double x) {
    return low + w * (1 - cos(x)) / 2;
}
static double both_dp(double w, double x) {
    return w * sin(x) / 2;
}
static double both_x(double low, double w, double p) {
    return acos(fmin(1, fmax(-1, 1 - 2 * (p - low) / w)));
}
static double one_p(double low, double w, double x) {
    return low + w * (hypot(1, x - pi) - 1);
}
static double one_dp(double w, double x) {
    return w * (x - pi) / hypot(1, x - pi);
}
static double one_x(double low, double w, double p) {
    const double s = 1 + (p - low) / w;
    return pi + sqrt(fmax(0, s * s - 1));
}
static double none_p(double from, double w, double x) {
    return from + w * (x - pi);
}
static double none_dp(double w, double x) {
    (void)x;
    return w;
}
static double none_x(double from, double w, double p) {
    return pi + (p - from) / w;
}

static const turn both = {both_p, both_dp, both_x}, one = {one_p, one_dp, one_x},
                  none = {none_p, none_dp, none_x};

/* Size of a parameter whose range is open: of the distance, else of the number, else 1. */
static double size_of(double distance, double number) {
    return distance != 0 ? fabs(distance) : number != 0 ? fabs(number) : 1;
}

/* A start on a bound goes inside. */
static double move_inside(const hol__residuals *o, int j, double w) {
    const int low = o->start[j] <= o->low[j], high = o->start[j] >= o->high[j];
    if (!low && !high) return o->start[j];
    const double p = o->start[j] + (low ? 1 : -1) * inside * fabs(w);
    hol__report(o->ctx, HOL_NOTE, HOL_OK, NULL, NULL,
                "parameter '%s' starts on its bound %.10g, where the search would stay; it begins "
                "at %.10g",
                o->names[j], o->start[j], p);
    return p;
}

/* Choose how parameter j turns, and where it starts. */
static void set_turn(hol__turning *t, int j) {
    const hol__residuals *o = t->problem;
    hol__turning_work *w = t->work;
    const double low = o->low[j], high = o->high[j], p = o->start[j];
    const int has_low = isfinite(low), has_high = isfinite(high);
    w->turns[j] = has_low && has_high ? &both : has_low || has_high ? &one : &none;
    w->from[j] = has_low ? low : has_high ? high : p;
    w->w[j] = has_low && has_high ? high - low
              : has_low           ? size_of(p - low, p)
              : has_high          ? -size_of(high - p, p)
                                  : size_of(0, p);
    t->x[j] = w->turns[j]->x(w->from[j], w->w[j], move_inside(o, j, w->w[j]));
}

/* ---- points ---- */

static double squares_of(const double *r, int m) {
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i] * r[i];
    return sum;
}

/* Keep w->p, w->r where they are the best; whether they are. */
static int keep_best(hol__turning *t, double squares) {
    hol__turning_work *w = t->work;
    if (w->has_best && squares >= w->best) return 0;
    memcpy(w->best_p, w->p, sizeof(double) * (size_t)t->problem->n);
    memcpy(w->best_r, w->r, sizeof(double) * (size_t)t->problem->m);
    if (!w->has_best) w->first = squares;
    w->best = squares;
    w->has_best = 1;
    return 1;
}

static void tell(hol__turning *t, int failed, double squares, int better) {
    const hol__residuals *o = t->problem;
    const hol__turning_work *w = t->work;
    if (!o->tell) return;
    const hol__attempt trial = {.number = w->evaluations,
                                .better = better,
                                .failed = failed,
                                .value = squares,
                                .gradient = NAN,
                                .p = w->p};
    if (o->tell(o->self, &trial) == HOL_OK) return;
    t->status = HOL_ERR_INTERRUPTED;
    t->ended = HOL__ENDED_INTERRUPTED;
}

/* The residuals at w->p, and J; status > 0 where there are none. */
static hol_status evaluate(hol__turning *t, double *J) {
    const hol__residuals *o = t->problem;
    hol__turning_work *w = t->work;
    hol_status status = o->evaluate(o->self, w->p, w->r, J);
    w->evaluations++;
    w->gradients += J != NULL;
    double squares = status == HOL_OK ? squares_of(w->r, o->m) : NAN;
    if (status == HOL_OK && !isfinite(squares)) status = HOL_NONFINITE;
    w->failures += status > 0;
    if (status >= 0) tell(t, status > 0, squares, !status && keep_best(t, squares));
    return status;
}

int hol__turning_at(hol__turning *t, const double *x, double *r, double *J) {
    const hol__residuals *o = t->problem;
    hol__turning_work *w = t->work;
    if (t->status) return 0;
    for (int j = 0; j < o->n; j++) w->p[j] = w->turns[j]->p(w->from[j], w->w[j], x[j]);
    const hol_status status = evaluate(t, J);
    if (status < 0) t->status = status;
    if (status > 0 && !w->has_best) t->status = HOL_NOT_CONVERGED;
    if (status > 0 && J && w->has_best) /* there were residuals here a moment ago */
        t->status = hol__report(o->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                                "the model runs with the values that were tried and has no "
                                "derivatives there, so that the search cannot go on; begin with "
                                "other values, or shorten the run (--end)");
    if (t->status) return 0;
    for (int i = 0; i < o->m && !J; i++) r[i] = status > 0 ? 10 * w->best_r[i] : w->r[i];
    if (J)
        for (int j = 0; j < o->n; j++)
            for (int i = 0; i < o->m; i++)
                J[hol__area(j, o->m) + (size_t)i] *= w->turns[j]->dp(w->w[j], x[j]);
    return 1;
}

/* ---- the search ---- */

static double *numbers(hol__arena *arena, size_t n) {
    return HOL__NEW_N(arena, double, n + 1);
}

static hol_status make(const hol__residuals *o, hol__turning *t) {
    const size_t n = (size_t)o->n, m = (size_t)o->m;
    hol__turning_work *w = HOL__NEW(t->arena, hol__turning_work);
    if (!w) return HOL_ERR_MEMORY;
    *w = (hol__turning_work){.turns = HOL__NEW_N(t->arena, const turn *, n + 1),
                             .from = numbers(t->arena, n),
                             .w = numbers(t->arena, n),
                             .p = numbers(t->arena, n),
                             .r = numbers(t->arena, m),
                             .J = numbers(t->arena, m * n),
                             .best_p = numbers(t->arena, n),
                             .best_r = numbers(t->arena, m)};
    t->work = w;
    t->x = numbers(t->arena, n);
    if (t->arena->failed) return HOL_ERR_MEMORY;
    for (int j = 0; j < o->n; j++) set_turn(t, j);
    return HOL_OK;
}

/* The bounds at which the best point lies. */
static void find_bounds(const hol__residuals *o, const hol__turning_work *w, hol__fit *fit) {
    for (int j = 0; j < o->n; j++) {
        const double width = met * fabs(w->w[j]);
        fit->at_bound[j] = fit->p[j] - o->low[j] <= width    ? 1
                           : o->high[j] - fit->p[j] <= width ? 2
                                                             : 0;
        if (fit->at_bound[j]) fit->p[j] = fit->at_bound[j] == 1 ? o->low[j] : o->high[j];
    }
}

hol_status hol__least_squares(const hol__residuals *o, hol__arena *arena, hol__fit *fit) {
    hol__turning t = {.problem = o, .arena = arena};
    hol_status status = make(o, &t);
    if (!status) status = hol__turning_search(&t);
    if (status) return status;
    hol__turning_work *w = t.work;
    if (t.status == HOL_NOT_CONVERGED)
        return hol__report(
            o->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
            "the model does not run with the values that it starts from; see 'holonom "
            "run', and begin with values with which it does");
    if (t.status && t.status != HOL_ERR_INTERRUPTED) return t.status;
    *fit = (hol__fit){.p = w->best_p,
                      .r = w->best_r,
                      .J = w->J,
                      .at_bound = HOL__NEW_N(arena, unsigned char, o->n + 1),
                      .ended = t.ended};
    if (arena->failed) return HOL_ERR_MEMORY;
    find_bounds(o, w, fit);
    /* J at the best point over p itself, with its residuals */
    memcpy(w->p, fit->p, sizeof(double) * (size_t)o->n);
    status = o->evaluate(o->self, w->p, w->r, w->J);
    if (status)
        return status < 0 ? status
                          : hol__report(o->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                                        "the model does not run at the values that were found");
    memcpy(fit->r, w->r, sizeof(double) * (size_t)o->m);
    fit->squares = squares_of(fit->r, o->m);
    fit->at_start = w->first;
    fit->evaluations = w->evaluations + 1;
    fit->gradients = w->gradients + 1;
    fit->failed = w->failures;
    return HOL_OK;
}
