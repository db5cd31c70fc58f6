/* change_one_sided.c: goals at the instant of a change that moves with the parameters.
 *
 * At a fixed time T the measure g is g-(t, p) before the change and g+(t, p) after it. At the
 * instant of the change, which moves by tau,
 *
 *     g- + g-' tau dp = g+ + g+' tau dp  along it, so that  dg+/dp - dg-/dp = (g-' - g+') tau
 *
 * where g itself goes on. So a goal at that very time has a derivative only where tau is zero, or
 * where neither g nor its rate g' jumps; otherwise there is one on either side.
 */
#include "analysis/change.h"

#include "dyn/probe.h"

#include <math.h>
#include <string.h>

/* Instants are known to that, at times of 1 s; what jumps by a smaller share goes on, and an
 * instant that moves by a smaller one does not. */
static const double MOMENT = 1e-9, SAME = 1e-6;

/* A goal at the time t, from number i on; the number of goals: none. */
static int goal_at(const hol__goals *g, int i, double t) {
    while (i < g->n && !(g->goals[i].rule == HOL__GOAL_AT &&
                         fabs(g->goals[i].time - t) <= MOMENT * fmax(1, fabs(t))))
        i++;
    return i;
}

/* The rates of all measures along the motion of a state. Steps are not made shorter near the
 * change: a measure that reads what jumps there jumps itself. */
static hol_status slopes_of(hol__bundle *b, const hol_data *at, double *out) {
    const hol__direction motion = {at->v, at->a, at->aux_rate, 1};
    const double h = hol__nudge_step(at, hol__nudge_rate(at), &motion);
    hol_status status = hol_data_copy(b->side, at);
    memset(out, 0, sizeof *out * (size_t)at->model->n_columns);
    for (int i = 0; i < HOL__STENCIL && !status; i++) {
        hol__nudge_put(&b->nudge, at, hol__stencil[i].at * h, &motion, b->side);
        status = hol__nudge_add(&b->nudge, b->side, hol__stencil[i].weight / h, out);
    }
    return status;
}

hol_status hol__change_goals_before(hol__change_work *w, hol__bundle *b, hol__passage *p) {
    const hol__goals *g = w->family->goals;
    const int i = goal_at(g, 0, p->at->t);
    w->taken = i < g->n ? 1 + i : 0;
    if (!w->taken) return HOL_OK;
    w->slopes = HOL__NEW_N(&w->arena, double, p->at->model->n_columns + 1);
    return w->slopes ? slopes_of(b, p->at, w->slopes) : HOL_ERR_MEMORY;
}

/* Whether one number is another on either side. */
static int jumps(double a, double b) {
    return fabs(a - b) > SAME * (fabs(a) + fabs(b));
}

/* Say of goal i that it jumps there, or that its rate does. */
static hol_status say(hol__change_work *w, const hol_sim *sim, int i, int itself) {
    const hol__goals *g = w->family->goals;
    const hol_location *where;
    const char *label = hol__change_name(sim, w->decides, &where), *goal = g->goals[i].text;
    if (itself)
        return hol__report(g->own, HOL_ERROR, HOL_ERR_TOLERANCE, where, label,
                           "goal '%s': at this very instant it switches, which moves with the "
                           "parameters, and the goal jumps there, so that it has no derivative; "
                           "take a time beside it",
                           goal);
    hol__report(g->own, HOL_WARNING, HOL_OK, where, label,
                "goal '%s': at this very instant it switches, which moves with the parameters, so "
                "that the goal has another derivative before it than after it, of which one is "
                "told; take a time beside it",
                goal);
    return HOL_OK;
}

hol_status hol__change_goals_after(hol__change_work *w, hol__bundle *b, hol__passage *p) {
    const hol__goals *g = w->family->goals;
    const int columns = p->at->model->n_columns;
    double moved = 0;
    for (int c = 0; c < b->columns; c++) moved = fmax(moved, fabs(w->tau[c]));
    if (!w->taken || !(moved > 0)) return HOL_OK;
    double *slopes = HOL__NEW_N(&w->arena, double, columns + 1),
           *values = HOL__NEW_N(&w->arena, double, columns + 1);
    hol_status status = slopes && values ? slopes_of(b, p->at, slopes) : HOL_ERR_MEMORY;
    if (!status) status = hol__measure_all(p->at, values);
    int bent = -1;
    for (int i = w->taken - 1; i < g->n && !status; i = goal_at(g, i + 1, p->at->t)) {
        const int k = g->goals[i].column;
        if (jumps(w->measures[k], values[k])) return say(w, p->sim, i, 1);
        if (bent < 0 && jumps(w->slopes[k], slopes[k])) bent = i;
    }
    return status || bent < 0 ? status : say(w, p->sim, bent, 0);
}
