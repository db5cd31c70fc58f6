/* minimize.c: the table of algorithms, and a search in shares. See minimize.h. */
#include "analysis/minimize.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

/* What a violation counts for when the best point so far is told from others, in sizes of the
 * objective at the start, so that one that is met goes before any gain; and how near to a bound or
 * a limit, as a share of its range or size, a point holds it with equality. Neither moves the
 * search. */
static const double penalty = 1e3, met = 1e-5;

static const hol__algorithm algorithms[] = {
    {"slsqp", "LD_SLSQP", HOL__BY_GRADIENT | HOL__BELOW_LIMITS | HOL__ON_LIMITS, 100,
     "sequential quadratic programming [D. Kraft 1988]"},
    {"mma", "LD_MMA", HOL__BY_GRADIENT | HOL__BELOW_LIMITS, 200,
     "moving asymptotes, globally convergent [K. Svanberg 2002]"},
    {"ccsa", "LD_CCSAQ", HOL__BY_GRADIENT | HOL__BELOW_LIMITS, 200,
     "conservative quadratic approximations [K. Svanberg 2002]"},
    {"lbfgs", "LD_LBFGS", HOL__BY_GRADIENT, 100, "limited-memory BFGS [J. Nocedal 1980]"},
    {"tnewton", "LD_TNEWTON_PRECOND_RESTART", HOL__BY_GRADIENT, 200,
     "truncated Newton, preconditioned [R. S. Dembo, T. Steihaug 1983]"},
    {"cobyla", "LN_COBYLA", HOL__BELOW_LIMITS | HOL__ON_LIMITS, 300,
     "linear approximations, without derivatives [M. J. D. Powell 1994]"},
    {"bobyqa", "LN_BOBYQA", 0, 200,
     "quadratic approximations, without derivatives [M. J. D. Powell 2009]"},
    {"sbplx", "LN_SBPLX", 0, 500, "simplices on subspaces [T. Rowan 1990]"},
    {"direct", "GN_DIRECT_L", HOL__SEARCHES_ALL, 500,
     "global: dividing rectangles [J. Gablonsky, C. Kelley 2001]"},
    {"crs2", "GN_CRS2_LM", HOL__SEARCHES_ALL, 500,
     "global: controlled random search [P. Kaelo, M. Ali 2006]"},
    {"isres", "GN_ISRES", HOL__SEARCHES_ALL | HOL__BELOW_LIMITS | HOL__ON_LIMITS, 1000,
     "global: evolution under constraints [T. Runarsson, X. Yao 2005]"},
    {"mlsl", "G_MLSL_LDS", HOL__BY_GRADIENT | HOL__SEARCHES_ALL, 500,
     "global: lbfgs from many starts [A. Rinnooy Kan, G. Timmer 1987]"},
    {"evolution", NULL, HOL__SEARCHES_ALL | HOL__BELOW_LIMITS | HOL__ON_LIMITS | HOL__EVOLVES, 1000,
     "global: differential evolution, on all cores [J. Brest and others 2006]"},
};

const hol__algorithm *hol__algorithm_get(int i) {
    return i >= 0 && i < (int)(sizeof algorithms / sizeof *algorithms) ? &algorithms[i] : NULL;
}

const hol__algorithm *hol__algorithm_find(const char *name) {
    for (int i = 0; hol__algorithm_get(i); i++)
        if (strcmp(algorithms[i].name, name) == 0) return &algorithms[i];
    return NULL;
}

const char *hol__ended_text(hol__ended ended) {
    static const char *const texts[] = {
        "the value changes no more",     "the parameters change no more",
        "evaluations used up",           "rounding and errors of the runs leave no progress",
        "the algorithm found no way on", "interrupted"};
    return texts[ended];
}

/* What stays between calls. */
typedef struct hol__shares_work {
    double *width, *origin, *size; /* n, n: p = origin + width u; 1 + m */
    double *p, *values, *gradient; /* of the last point */
    double *last_u, *start_u;      /* n */
    int known, graded, failed;     /* of the last point: values, gradient */
    double *best_u, *best_p, *best_values, *best_gradient;
    int has_best, best_graded;
    double merit, worst, largest; /* of the best; F; entry of a gradient, in shares */
    int sized;
    long evaluations, gradients, failures;
} hol__shares_work;

static size_t bytes(int n) {
    return sizeof(double) * (size_t)n;
}

/* ---- shares ---- */

/* What a share of 1 is of each parameter, and where 0 lies. */
static void set_widths(hol__shares *s) {
    const hol__objective *o = s->problem;
    hol__shares_work *w = s->work;
    for (int j = 0; j < o->n; j++) {
        const int closed = isfinite(o->low[j]) && isfinite(o->high[j]);
        w->origin[j] = closed ? o->low[j] : o->start[j];
        w->width[j] = closed ? o->high[j] - o->low[j] : o->start[j] != 0 ? fabs(o->start[j]) : 1;
        s->low[j] = (o->low[j] - w->origin[j]) / w->width[j];
        s->high[j] = closed ? 1 : (o->high[j] - w->origin[j]) / w->width[j];
        s->u[j] = (o->start[j] - w->origin[j]) / w->width[j];
    }
}

/* The parameters of shares; on a bound exactly. */
static void put_parameters(const hol__shares *s, const double *u) {
    const hol__objective *o = s->problem;
    for (int j = 0; j < o->n; j++) {
        const double p = s->work->origin[j] + s->work->width[j] * u[j];
        s->work->p[j] = u[j] >= s->high[j] ? o->high[j] : u[j] <= s->low[j] ? o->low[j] : p;
    }
}

/* The largest entry of row i of a gradient in units of p, times the ranges. */
static double largest_entry(const hol__shares *s, const double *row) {
    double most = 0;
    for (int j = 0; j < s->problem->n; j++) most = fmax(most, fabs(row[j]) * s->work->width[j]);
    return most;
}

/* Sizes of f and g from the first point with values. */
static void set_sizes(hol__shares *s) {
    const hol__objective *o = s->problem;
    hol__shares_work *w = s->work;
    for (int i = 0; i <= o->m; i++) {
        const double slope = w->graded ? largest_entry(s, w->gradient + hol__area(i, o->n)) : 0;
        const double size = i ? fmax(o->size[i - 1], slope) : fmax(fabs(w->values[0]), slope);
        w->size[i] = size > 0 ? size : i && w->values[i] != 0 ? fabs(w->values[i]) : 1;
    }
    w->sized = 1;
}

/* The largest violation, as a share. */
static double violation_of(const hol__shares *s, const double *values) {
    const hol__objective *o = s->problem;
    double most = 0;
    for (int i = 0; i < o->m; i++) {
        const double g = values[1 + i] / s->work->size[1 + i];
        most = fmax(most, o->equal[i] ? fabs(g) : g);
    }
    return most;
}

/* The largest entry of the gradient of f that bounds do not take. */
static double slope_of(const hol__shares *s, const double *u) {
    double most = 0;
    for (int j = 0; j < s->problem->n; j++) {
        const double g = s->work->gradient[j] * s->work->width[j];
        if ((u[j] <= s->low[j] && g > 0) || (u[j] >= s->high[j] && g < 0)) continue;
        most = fmax(most, fabs(g));
    }
    return most;
}

/* ---- points ---- */

static int all_finite(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

/* The functions at w->p; their status. */
static hol_status evaluate(hol__shares *s, int gradient) {
    const hol__objective *o = s->problem;
    hol__shares_work *w = s->work;
    hol_status status = o->evaluate(o->self, w->p, w->values, gradient ? w->gradient : NULL);
    w->evaluations++;
    w->gradients += gradient != 0;
    if (status == HOL_OK && (!all_finite(w->values, (size_t)o->m + 1) ||
                             (gradient && !all_finite(w->gradient, hol__area(o->m + 1, o->n)))))
        status = HOL_NONFINITE;
    w->failed = status > 0;
    w->failures += w->failed;
    w->known = status >= 0;
    w->graded = gradient && status == HOL_OK;
    return status < 0 ? status : HOL_OK;
}

/* Keep the last point where it is the best; whether it is. */
static int keep_best(hol__shares *s) {
    const hol__objective *o = s->problem;
    hol__shares_work *w = s->work;
    const double F = w->values[0] / w->size[0], merit = F + penalty * violation_of(s, w->values);
    const int better = !w->has_best || merit < w->merit;
    if (F > w->worst) w->worst = F;
    if (w->graded) w->largest = fmax(w->largest, largest_entry(s, w->gradient) / w->size[0]);
    const int again = w->has_best && !better && w->graded && !w->best_graded &&
                      memcmp(w->last_u, w->best_u, bytes(o->n)) == 0;
    if (better || again) {
        memcpy(w->best_u, w->last_u, bytes(o->n));
        memcpy(w->best_p, w->p, bytes(o->n));
        memcpy(w->best_values, w->values, bytes(o->m + 1));
        w->best_graded = w->graded;
        if (w->graded)
            memcpy(w->best_gradient, w->gradient, sizeof(double) * hol__area(o->m + 1, o->n));
        w->merit = merit;
        w->has_best = 1;
    }
    return better;
}

/* Tell of the last point; not HOL_OK ends the search. */
static void tell(hol__shares *s, int better) {
    const hol__objective *o = s->problem;
    const hol__shares_work *w = s->work;
    if (!o->tell) return;
    const hol__attempt trial = {.number = w->evaluations,
                                .better = better,
                                .failed = w->failed,
                                .value = w->failed ? NAN : w->values[0],
                                .violation = w->failed ? NAN : violation_of(s, w->values),
                                .gradient = w->graded ? slope_of(s, w->last_u) : NAN,
                                .p = w->p};
    if (o->tell(o->self, &trial) == HOL_OK) return;
    s->status = HOL_ERR_INTERRUPTED;
    s->ended = HOL__ENDED_INTERRUPTED;
}

/* A stand-in for values at a failed point: above all others, rising away from the best one. */
static void stand_in(hol__shares *s, const double *u, int gradient) {
    const hol__objective *o = s->problem;
    const hol__shares_work *w = s->work;
    double rise = 0;
    for (int j = 0; j < o->n; j++) rise += pow(u[j] - (w->has_best ? w->best_u[j] : s->u[j]), 2);
    *s->F = w->worst + 10 + rise;
    for (int i = 0; i < o->m; i++)
        s->G[i] = (w->has_best ? w->best_values[1 + i] / w->size[1 + i] : 0) + 1 + rise;
    for (int j = 0; j < o->n && gradient; j++) {
        s->dF[j] = 2 * (u[j] - (w->has_best ? w->best_u[j] : s->u[j]));
        for (int i = 0; i < o->m; i++) s->dG[hol__area(i, o->n) + (size_t)j] = s->dF[j];
    }
}

/* The values of the last point in shares. */
static void share(hol__shares *s, int gradient) {
    const hol__objective *o = s->problem;
    const hol__shares_work *w = s->work;
    *s->F = w->values[0] / w->size[0];
    for (int i = 0; i < o->m; i++) s->G[i] = w->values[1 + i] / w->size[1 + i];
    for (int i = 0; i <= o->m && gradient; i++)
        for (int j = 0; j < o->n; j++)
            (i ? s->dG + hol__area(i - 1, o->n) : s->dF)[j] =
                w->gradient[hol__area(i, o->n) + (size_t)j] * w->width[j] / w->size[i];
}

int hol__shares_at(hol__shares *s, const double *u, int gradient) {
    const hol__objective *o = s->problem;
    hol__shares_work *w = s->work;
    if (s->status) return 0;
    const int same = w->known && memcmp(u, w->last_u, bytes(o->n)) == 0;
    if (!same || (gradient && !w->graded && !w->failed)) {
        memcpy(w->last_u, u, bytes(o->n));
        put_parameters(s, u);
        s->status = evaluate(s, gradient);
        if (s->status) return 0;
        if (!w->failed && !w->sized) set_sizes(s);
        tell(s, !w->failed && keep_best(s));
    }
    if (w->failed)
        stand_in(s, u, gradient);
    else
        share(s, gradient);
    return 1;
}

/* ---- the search ---- */

static double *numbers(hol__arena *arena, size_t n) {
    return HOL__NEW_N(arena, double, n + 1);
}

static hol_status make(const hol__objective *o, hol__arena *arena, hol__shares *s) {
    const size_t n = (size_t)o->n, m = (size_t)o->m, all = (m + 1) * n;
    hol__shares_work *w = HOL__NEW(arena, hol__shares_work);
    if (!w) return HOL_ERR_MEMORY;
    *w = (hol__shares_work){.width = numbers(arena, n),
                            .origin = numbers(arena, n),
                            .size = numbers(arena, m + 1),
                            .p = numbers(arena, n),
                            .values = numbers(arena, m + 1),
                            .gradient = numbers(arena, all),
                            .last_u = numbers(arena, n),
                            .start_u = numbers(arena, n),
                            .best_u = numbers(arena, n),
                            .best_p = numbers(arena, n),
                            .best_values = numbers(arena, m + 1),
                            .best_gradient = numbers(arena, all)};
    s->work = w;
    s->low = numbers(arena, n);
    s->high = numbers(arena, n);
    s->u = numbers(arena, n);
    s->F = numbers(arena, 1);
    s->G = numbers(arena, m);
    s->dF = numbers(arena, n);
    s->dG = numbers(arena, m * n);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i <= o->m; i++) w->size[i] = 1;
    set_widths(s);
    memcpy(w->start_u, s->u, bytes(o->n));
    return HOL_OK;
}

/* The gradients at a point, where there are any. */
static hol_status grade(hol__shares *s, const double *u) {
    hol__shares_work *w = s->work;
    memcpy(w->last_u, u, bytes(s->problem->n));
    put_parameters(s, w->last_u);
    const hol_status status = evaluate(s, 1);
    if (!status && w->graded) keep_best(s);
    return status == HOL_ERR_MEMORY ? status : HOL_OK;
}

/* The gradients at the best point, where they are not known, and where no algorithm asked for any
 * those at the start, to compare with; without them the conditions are not checked. */
static hol_status grade_best(hol__shares *s) {
    hol__shares_work *w = s->work;
    if (s->ended == HOL__ENDED_INTERRUPTED) return HOL_OK;
    s->status = HOL_OK;
    hol_status status = w->best_graded ? HOL_OK : grade(s, w->best_u);
    if (!status && w->best_graded && !(s->algorithm->able & HOL__BY_GRADIENT))
        status = grade(s, w->start_u);
    return status;
}

/* What was found, from the best point. */
static hol_status finish(hol__shares *s, hol__arena *arena, hol__minimum *out) {
    hol__shares_work *w = s->work;
    const hol__objective *o = s->problem;
    const hol_status status = grade_best(s);
    if (status) return status;
    *out = (hol__minimum){.p = w->best_p,
                          .values = w->best_values,
                          .gradient = w->best_graded ? w->best_gradient : NULL,
                          .violation = violation_of(s, w->best_values),
                          .ended = s->ended,
                          .evaluations = w->evaluations,
                          .gradients = w->gradients,
                          .failed = w->failures,
                          .residual = NAN};
    return hol__first_order(o, w->width, w->size, met, w->largest, arena, out);
}

hol_status hol__minimize(const hol__objective *o, const hol__algorithm *algorithm,
                         hol__arena *arena, hol__minimum *out) {
    hol__shares s = {.problem = o, .algorithm = algorithm};
    hol_status status = make(o, arena, &s);
    if (status) return status;
    s.evaluations = o->evaluations ? o->evaluations : algorithm->evaluations * (o->n + 1);
    hol__shares_at(&s, s.u,
                   algorithm->able & HOL__BY_GRADIENT); /* the start has a row, and sizes */
    if (!s.status && s.work->failed && !(algorithm->able & HOL__SEARCHES_ALL))
        return hol__report(o->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                           "the search cannot begin with the values of the model, with which there "
                           "is no %s; change them, or take an algorithm that %s",
                           s.work->evaluations && algorithm->able & HOL__BY_GRADIENT
                               ? "run to the end or no derivative"
                               : "run to the end",
                           algorithm->able & HOL__BY_GRADIENT
                               ? "needs no derivatives (cobyla) or searches everywhere (crs2)"
                               : "searches everywhere (crs2)");
    if (!s.status) {
        status = hol__shares_search(&s);
        if (status) return status;
    }
    if (s.status && s.status != HOL_ERR_INTERRUPTED) return s.status;
    if (!s.work->has_best)
        return hol__report(o->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                           "none of %ld trial points could be evaluated; try narrower bounds, or "
                           "values in the model with which it runs",
                           s.work->evaluations);
    return finish(&s, arena, out);
}

hol_status hol__minimize_judge(const hol__objective *o, const double *p, hol__arena *arena,
                               hol__minimum *out) {
    static const hol__algorithm none = {"none", NULL, HOL__BY_GRADIENT, 0, ""};
    hol__shares s = {.problem = o, .algorithm = &none};
    hol_status status = make(o, arena, &s);
    if (status) return status;
    hol__shares_at(&s, s.u, 1);
    for (int j = 0; j < o->n; j++) s.u[j] = (p[j] - s.work->origin[j]) / s.work->width[j];
    hol__shares_at(&s, s.u, 1);
    if (s.status && s.status != HOL_ERR_INTERRUPTED) return s.status;
    if (!s.work->has_best && grade_best(&s)) return HOL_ERR_MEMORY;
    return s.work->has_best ? finish(&s, arena, out) : HOL_ERR_TOLERANCE;
}
