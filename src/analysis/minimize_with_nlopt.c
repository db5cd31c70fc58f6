/* minimize_with_nlopt.c: a search in shares by NLopt. See minimize.h. */
#include "analysis/minimize.h"

#include "la/dense.h"

#include <nlopt.h>

#include <math.h>
#include <string.h>

/* Of a constraint that holds, in shares. */
static const double limit_tolerance = 1e-9;

typedef struct search {
    hol__shares *shares;
    nlopt_opt opt;
    int equal; /* which constraints are asked for */
} search;

/* f for NLopt; a search that is over is stopped. */
static double objective(unsigned n, const double *u, double *gradient, void *self) {
    search *s = self;
    if (!hol__shares_at(s->shares, u, gradient != NULL)) {
        nlopt_force_stop(s->opt);
        return HUGE_VAL;
    }
    if (gradient) memcpy(gradient, s->shares->dF, sizeof(double) * n);
    if (s->shares->status) nlopt_force_stop(s->opt);
    return *s->shares->F;
}

/* The constraints of one kind. */
static void constraints(unsigned m, double *result, unsigned n, const double *u, double *gradient,
                        void *self) {
    const search *s = self;
    const hol__objective *o = s->shares->problem;
    unsigned row = 0;
    if (!hol__shares_at(s->shares, u, gradient != NULL)) {
        for (unsigned i = 0; i < m; i++) result[i] = HUGE_VAL;
        nlopt_force_stop(s->opt);
        return;
    }
    for (int i = 0; i < o->m; i++) {
        if (o->equal[i] != s->equal) continue;
        result[row] = s->shares->G[i];
        if (gradient)
            memcpy(gradient + (size_t)row * n, s->shares->dG + hol__area(i, (int)n),
                   sizeof(double) * n);
        row++;
    }
}

/* How NLopt says it ended. */
static hol__ended ended_by(nlopt_result result) {
    static const struct {
        nlopt_result result;
        hol__ended ended;
    } ends[] = {{NLOPT_SUCCESS, HOL__ENDED_PARAMETERS},
                {NLOPT_STOPVAL_REACHED, HOL__ENDED_VALUE},
                {NLOPT_FTOL_REACHED, HOL__ENDED_VALUE},
                {NLOPT_XTOL_REACHED, HOL__ENDED_PARAMETERS},
                {NLOPT_MAXEVAL_REACHED, HOL__ENDED_EVALUATIONS},
                {NLOPT_MAXTIME_REACHED, HOL__ENDED_EVALUATIONS},
                {NLOPT_ROUNDOFF_LIMITED, HOL__ENDED_ROUNDING},
                {NLOPT_FORCED_STOP, HOL__ENDED_INTERRUPTED}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i].result == result) return ends[i].ended;
    return HOL__ENDED_FAILED;
}

/* Constraints of one kind, where there are any. */
static nlopt_result add_constraints(search *s, hol__arena *arena) {
    const hol__objective *o = s->shares->problem;
    double *tolerance = HOL__NEW_N(arena, double, o->m + 1);
    unsigned count = 0;
    if (!tolerance) return NLOPT_OUT_OF_MEMORY;
    for (int i = 0; i < o->m; i++)
        if (o->equal[i] == s->equal) tolerance[count++] = limit_tolerance;
    if (!count) return NLOPT_SUCCESS;
    return s->equal ? nlopt_add_equality_mconstraint(s->opt, count, constraints, s, tolerance)
                    : nlopt_add_inequality_mconstraint(s->opt, count, constraints, s, tolerance);
}

/* When to stop: of an algorithm, and of the one that it starts. */
static nlopt_result set_ends(nlopt_opt opt, const hol__objective *o) {
    nlopt_result bad = nlopt_set_xtol_abs1(opt, o->tolerance);
    if (bad > 0) bad = nlopt_set_ftol_rel(opt, o->tolerance * o->tolerance);
    return bad;
}

/* All that the problem says, to NLopt. */
static nlopt_result set_up(hol__shares *shares, search *below, search *on, hol__arena *arena) {
    const hol__objective *o = shares->problem;
    const nlopt_opt opt = below->opt;
    nlopt_result done = nlopt_set_lower_bounds(opt, shares->low);
    if (done > 0) done = nlopt_set_upper_bounds(opt, shares->high);
    if (done > 0) done = nlopt_set_min_objective(opt, objective, below);
    if (done > 0) done = add_constraints(below, arena);
    if (done > 0) done = add_constraints(on, arena);
    if (done > 0) done = set_ends(opt, o);
    if (done > 0) done = nlopt_set_maxeval(opt, shares->evaluations);
    /* the first step of searches without derivatives, and of globally convergent ones */
    if (done > 0) done = nlopt_set_initial_step1(opt, 0.1);
    if (done > 0 && nlopt_get_algorithm(opt) == NLOPT_G_MLSL_LDS) {
        nlopt_opt local = nlopt_create(NLOPT_LD_LBFGS, (unsigned)o->n);
        done = local ? set_ends(local, o) : NLOPT_OUT_OF_MEMORY;
        if (done > 0) done = nlopt_set_local_optimizer(opt, local);
        nlopt_destroy(local);
    }
    return done;
}

hol_status hol__shares_search(hol__shares *shares) {
    const hol__objective *o = shares->problem;
    hol__arena arena;
    hol__arena_init(&arena, o->ctx);
    nlopt_opt opt =
        nlopt_create(nlopt_algorithm_from_string(shares->algorithm->called), (unsigned)o->n);
    search below = {shares, opt, 0}, on = {shares, opt, 1};
    nlopt_result result = opt ? set_up(shares, &below, &on, &arena) : NLOPT_OUT_OF_MEMORY;
    double value;
    if (result > 0) {
        nlopt_srand(o->seed); /* of this thread: the same points at each call */
        result = nlopt_optimize(opt, shares->u, &value);
        if (!shares->status) shares->ended = ended_by(result);
    } else if (result == NLOPT_OUT_OF_MEMORY)
        shares->status = HOL_ERR_MEMORY;
    else
        shares->status =
            hol__report(o->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                        "the algorithm %s does not take this problem%s%s", shares->algorithm->name,
                        opt && nlopt_get_errmsg(opt) ? ": " : "",
                        opt && nlopt_get_errmsg(opt) ? nlopt_get_errmsg(opt) : "");
    nlopt_destroy(opt);
    hol__arena_free(&arena);
    return HOL_OK;
}
