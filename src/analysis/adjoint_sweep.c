/* adjoint_sweep.c: what goals say of perturbations, from the end of a run to its start. See
 * adjoint.h. */
#include "analysis/adjoint.h"
#include "analysis/tally.h"

/* What the sweep works with, of the size of a station. */
typedef struct sweep {
    hol__arena arena;
    hol__lu *lu;
    double *M, *W, *V, *none;
} sweep;

static hol_status sweep_new(const hol__adjoint *a, const hol__station *s, sweep *x) {
    const int goals = a->l->found->n;
    hol__arena_init(&x->arena, a->arena.ctx);
    x->lu = hol__lu_new(&x->arena, HOL__STAGES * s->n);
    x->M = HOL__NEW_N(&x->arena, double, hol__area(s->n, goals) + 1);
    x->W = HOL__NEW_N(&x->arena, double, HOL__STAGES *hol__area(s->n, goals) + 1);
    x->V = HOL__NEW_N(&x->arena, double, HOL__STAGES * s->n + 1);
    x->none = HOL__NEW_N(&x->arena, double, HOL__STAGES *hol__area(s->n, goals) + 1);
    return x->lu && !x->arena.failed ? HOL_OK : HOL_ERR_MEMORY;
}

/* sum_i a_i b_i */
static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* The settling behind a step: m <- Z^T E^T m, and what m says of y_p. */
static void back_over_settling(const hol__link *l, int n, int np, double *m, double *rest,
                               double *u) {
    const hol__variation_place *last = &l->place[HOL__STAGES - 1];
    for (int j = 0; j < np; j++) rest[j] += dot(m, l->y_p + hol__area(j, n), n);
    for (int k = 0; k < last->r; k++) u[k] = dot(m, l->E + hol__area(k, n), n);
    for (int i = 0; i < n; i++) {
        m[i] = 0;
        for (int k = 0; k < last->r; k++) m[i] += last->Z[hol__area(k, n) + (size_t)i] * u[k];
    }
}

/* From station s back to the one before over the steps between them: mu (goals x size) becomes what
 * goes into its w. */
static hol_status back_over_links(hol__adjoint *a, const hol__station *s, double *mu) {
    hol__station *from = s->before;
    const int goals = a->l->found->n, np = a->l->family->n, n = s->n;
    sweep x;
    hol_status status = sweep_new(a, s, &x);
    for (int i = 0; i < goals && !status; i++)
        for (int r = 0; r < n; r++) {
            double *m = &x.M[hol__area(i, n) + (size_t)r];
            for (int k = 0; k < s->size; k++)
                *m += mu[i * s->size + k] * s->Z[hol__area(k, n) + (size_t)r];
        }
    for (const hol__link *l = from->links; l && !status; l = l->before) {
        for (int i = 0; i < goals && l->E; i++)
            back_over_settling(l, n, np, x.M + hol__area(i, n), from->c + i * np, x.V);
        status = hol__variation_back(l->formula, n, l->h, l->place, goals, l->g ? l->g : x.none,
                                     x.lu, x.M, x.W, x.V);
        for (int i = 0; i < goals && !status; i++)
            for (int j = 0; j < np; j++)
                for (int k = 0; k < HOL__STAGES; k++)
                    from->c[i * np + j] += dot(x.W + hol__area(i, HOL__STAGES * n) + k * n,
                                               l->F[k] + hol__area(j, n), n);
    }
    for (int i = 0; i < goals && !status; i++) {
        const double *m = x.M + hol__area(i, n);
        for (int k = 0; k < from->size; k++)
            from->w[i * from->size + k] += dot(m, from->E + hol__area(k, n), n);
        for (int j = 0; j < np; j++) from->c[i * np + j] += dot(m, from->y_p + hol__area(j, n), n);
    }
    hol__arena_free(&x.arena);
    return status;
}

/* The same over a change. */
static void back_over_change(hol__adjoint *a, const hol__station *s) {
    hol__station *from = s->before;
    for (int i = 0; i < a->l->found->n; i++)
        for (int k = 0; k < s->size; k++)
            for (int c = 0; c < from->size; c++)
                from->w[i * from->size + c] += s->R[k * from->size + c] * s->w[i * s->size + k];
}

hol_status hol__adjoint_sweep(hol__adjoint *a) {
    const hol__gather *found = a->l->found;
    const int np = a->l->family->n;
    hol_status status = HOL_OK;
    for (hol__station *s = a->last; s && !status; s = s->before) {
        for (int i = 0; i < found->n; i++)
            for (int j = 0; j < np; j++) {
                double sum = s->c[i * np + j];
                for (int k = 0; k < s->size; k++) sum += s->w[i * s->size + k] * s->z_p[k * np + j];
                a->l->gradient[i * np + j] += sum;
            }
        if (s->before && s->R)
            back_over_change(a, s);
        else if (s->before)
            status = back_over_links(a, s, s->w);
    }
    for (int i = 0; i < found->n && !status; i++)
        for (int j = 0; j < np; j++) a->l->gradient[i * np + j] /= hol__tally_divisor(found, i);
    return status;
}
