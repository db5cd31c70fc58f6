/* goals_linear.c: what passes over a run share. See goals_linear.h. */
#include "analysis/goals_linear.h"

#include <math.h>
#include <string.h>

/* Refuse a parameter with which the mechanism has other freedoms: loops that move with these
 * lengths alone. */
static hol_status check_freedoms(const hol__linear *l, const hol_sim *sim) {
    for (int i = 0; i < l->family->n * HOL__STENCIL; i++) {
        const int dof = l->family->all[i].trial.sim->rank.dof;
        if (dof != sim->rank.dof)
            return hol__report(
                l->goals->own, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                "the mechanism has %d freedom%s, and %d when parameter '%s' changes "
                "by %.3g: it moves with these lengths and directions alone, so there "
                "is no derivative",
                sim->rank.dof, sim->rank.dof == 1 ? "" : "s", dof,
                l->goals->parameters[i / HOL__STENCIL], l->family->all[i].by);
    }
    return HOL_OK;
}

hol_status hol__linear_begin(hol__linear *l, hol__passage *p) {
    l->gathers = 0;
    for (int i = 0; i < l->found->n; i++) l->gathers |= hol__goal_gathers(&l->found->goals[i]);
    for (int i = 0; i < l->family->n * HOL__STENCIL; i++)
        if (l->family->all[i].trial.sim->data->t != p->at->t)
            return hol__report(l->goals->own, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                               "the start of the run follows parameter '%s'; only its end may",
                               l->goals->parameters[i / HOL__STENCIL]);
    const hol_status status = hol__family_check(l->family, p->at);
    return status ? status : check_freedoms(l, p->sim);
}

void hol__linear_move_end(const hol__linear *l, hol__passage *p, hol__bundle *b) {
    for (int c = 0; c < b->columns; c++) {
        double *y = hol__bundle_column(b, b->Y, c);
        b->dt[c] = c < b->free ? 0 : hol__family_end(l->family, c - b->free, p->end);
        hol__bundle_rate(b, p->at, b->x);
        for (int i = 0; i < b->n; i++) y[i] += b->dt[c] * b->x[i];
    }
}

double hol__linear_place(const hol__linear *l, const hol__passage *p, double t0, double t1,
                         const double step[2], int i) {
    const int parts = hol__linear_parts(l, p);
    const double s = (double)i / parts, from = s * s * s, to = (1 - s) * (1 - s) * (1 - s);
    const int begins = p->behind && t0 == step[0], ends = p->ahead && t1 == step[1];
    const double share = begins && ends ? from / (from + to) : begins ? from : ends ? 1 - to : s;
    return i == parts ? t1 : t0 + (t1 - t0) * share;
}

int hol__linear_parts(const hol__linear *l, const hol__passage *p) {
    return isfinite(p->singular) ? 1 : l->parts;
}

/* How near a share of a step comes to a node of a formula. */
static double nearest(void (*fill)(hol__collocation *), double share) {
    hol__collocation f;
    double least = 1;
    fill(&f);
    for (int k = 0; k < HOL__STAGES; k++) least = fmin(least, fabs(f.c[k] - share));
    return least;
}

int hol__linear_inside(const hol__passage *p, double t, double h, const double step[2]) {
    const double share = (p->singular - t) / h;
    if (p->jumps && t + h >= step[1]) return 1;
    return isfinite(share) &&
           nearest(hol__collocation_gauss, share) > nearest(hol__collocation_radau, share);
}
