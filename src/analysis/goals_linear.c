/* goals_linear.c: what passes over a run share. See goals_linear.h. */
#include "analysis/goals_linear.h"

#include <string.h>

hol_status hol__linear_begin(hol__linear *l, hol__passage *p) {
    l->gathers = 0;
    for (int i = 0; i < l->found->n; i++) l->gathers |= hol__goal_gathers(&l->found->goals[i]);
    for (int i = 0; i < l->family->n * HOL__STENCIL; i++)
        if (l->family->all[i].trial.sim->data->t != p->at->t)
            return hol__report(l->goals->own, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                               "the start of the run follows parameter '%s'; only its end may",
                               l->goals->parameters[i / HOL__STENCIL]);
    return hol__family_check(l->family, p->at);
}

void hol__linear_move_end(const hol__linear *l, hol__passage *p, hol__bundle *b) {
    for (int c = 0; c < b->columns; c++) {
        double *y = hol__bundle_column(b, b->Y, c);
        b->dt[c] = c < b->free ? 0 : hol__family_end(l->family, c - b->free, p->end);
        hol__bundle_rate(b, p->at, b->x);
        for (int i = 0; i < b->n; i++) y[i] += b->dt[c] * b->x[i];
    }
}
