/* solve.c: accelerations, and the steps of a projection, from factorisations that are written out.
 *
 *     W = M + s A^T A = L D L^T from the tips to the root     (s = 0 where M has its rank)
 *     S = A W^-1 A^T = Y^T D^-1 Y,  Y = L^-1 A^T
 *     S lambda = Y^T D^-1 z - c,    z = L^-1 (Q + s A^T c)
 *     v' = L^-T D^-1 (z - Y lambda)
 *
 *     A A^T = L D L^T:   dq = -A^T (A A^T)^-1 Phi,   dv = -A^T (A A^T)^-1 (A v - b)
 *
 * Rows that depend on others at the states of a run are left out (program.h); A A^T of the
 * holonomic rows, which come first, is a leading part of the whole. No pivots are searched: W and S
 * are positive definite while the rows that are left are independent, and `regular` says when they
 * no longer are.
 */
#include "generate/factor.h"
#include "generate/program.h"

/* Work space of a solution. */
typedef struct work {
    hol__program *p;
    int n, m;
    hol__ref *W, *S, *Y, *z, *rhs, *lambda; /* n x n, m x m, m x n (rows reversed), n, m, m */
} work;

static hol__ref *new_refs(hol__program *p, int n) {
    hol__ref *x = HOL__NEW_N(&p->dag.arena, hol__ref, n + 1);
    if (!x) p->dag.status = HOL_ERR_MEMORY;
    return x;
}

/* Entry j of kept row k. */
static hol__ref entry(const hol__program *p, int k, int j) {
    return p->A[p->kept[k] * p->model->nv + j];
}

/* x . y of n entries. */
static hol__ref dot(hol__dag *d, int n, const hol__ref *x, const hol__ref *y) {
    hol__ref sum = d->zero;
    for (int i = 0; i < n; i++) sum = hol__dag_add(d, sum, hol__dag_mul(d, x[i], y[i]));
    return sum;
}

/* W and its right-hand side, in the order of velocities. */
static void make_weights(work *w) {
    hol__program *p = w->p;
    hol__dag *d = &p->dag;
    const hol__ref s = hol__dag_number(d, p->augment);
    for (int i = 0; i < w->n; i++) {
        hol__ref load = p->Q[i];
        for (int k = 0; k < w->m; k++)
            load = hol__dag_add(
                d, load, hol__dag_mul(d, s, hol__dag_mul(d, entry(p, k, i), p->c[p->kept[k]])));
        w->z[w->n - 1 - i] = load;
        for (int j = 0; j < w->n; j++) {
            hol__ref sum = p->M[i * w->n + j];
            for (int k = 0; k < w->m; k++)
                sum = hol__dag_add(
                    d, sum, hol__dag_mul(d, s, hol__dag_mul(d, entry(p, k, i), entry(p, k, j))));
            w->W[i * w->n + j] = sum;
        }
    }
}

/* lambda, and z - Y lambda. */
static void multipliers(work *w, const hol__gfactor *f) {
    hol__program *p = w->p;
    hol__dag *d = &p->dag;
    const int n = w->n, m = w->m;
    hol__ref *scaled = new_refs(p, n * (m + 1));
    if (!scaled) return;
    for (int k = 0; k < m; k++) {
        hol__ref *y = w->Y + k * n, *over = scaled + k * n;
        for (int i = 0; i < n; i++) y[i] = entry(p, k, n - 1 - i);
        hol__gfactor_lower(d, f, n, y);
        for (int i = 0; i < n; i++) over[i] = y[i];
        hol__gfactor_scale(d, f, n, over);
    }
    for (int k = 0; k < m; k++) {
        for (int l = 0; l <= k; l++)
            w->S[k * m + l] = w->S[l * m + k] = dot(d, n, scaled + k * n, w->Y + l * n);
        w->lambda[k] = hol__dag_sub(d, dot(d, n, scaled + k * n, w->z), p->c[p->kept[k]]);
    }
    const hol__gfactor g = hol__gfactor_of(d, m, w->S, 0);
    if (d->status) return;
    hol__gfactor_lower(d, &g, m, w->lambda);
    hol__gfactor_scale(d, &g, m, w->lambda);
    hol__gfactor_upper(d, &g, m, w->lambda);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            w->z[i] = hol__dag_sub(d, w->z[i], hol__dag_mul(d, w->Y[k * n + i], w->lambda[k]));
    p->safe.regular = hol__dag_2(d, HOL__OP_AND, p->safe.regular, g.regular);
}

static void accelerate(work *w) {
    hol__program *p = w->p;
    hol__dag *d = &p->dag;
    make_weights(w);
    const hol__gfactor f = hol__gfactor_of(d, w->n, w->W, 1);
    if (d->status) return;
    p->safe.regular = f.regular;
    hol__gfactor_lower(d, &f, w->n, w->z);
    if (w->m) multipliers(w, &f);
    if (d->status) return;
    hol__gfactor_scale(d, &f, w->n, w->z);
    hol__gfactor_upper(d, &f, w->n, w->z);
    for (int i = 0; i < w->n; i++) p->safe.vdot[i] = w->z[w->n - 1 - i];
}

/* -A^T (A A^T)^-1 x with the first m kept rows. */
static void step_onto(work *w, const hol__gfactor *g, int m, const hol__ref *x, hol__ref *out) {
    hol__program *p = w->p;
    hol__dag *d = &p->dag;
    for (int k = 0; k < m; k++) w->rhs[k] = x[p->kept[k]];
    hol__gfactor_lower(d, g, m, w->rhs);
    hol__gfactor_scale(d, g, m, w->rhs);
    hol__gfactor_upper(d, g, m, w->rhs);
    for (int i = 0; i < w->n; i++) {
        hol__ref sum = d->zero;
        for (int k = 0; k < m; k++)
            sum = hol__dag_sub(d, sum, hol__dag_mul(d, entry(p, k, i), w->rhs[k]));
        out[i] = sum;
    }
}

static void project(work *w) {
    hol__program *p = w->p;
    hol__dag *d = &p->dag;
    const int n = w->n, m = w->m;
    for (int k = 0; k < m; k++)
        for (int l = 0; l <= k; l++)
            w->S[k * m + l] = w->S[l * m + k] =
                dot(d, n, p->A + p->kept[k] * n, p->A + p->kept[l] * n);
    const hol__gfactor g = hol__gfactor_of(d, m, w->S, 0);
    if (d->status) return;
    p->safe.dq_regular = g.regular;
    step_onto(w, &g, p->n_kept_h, p->Phi, p->safe.dq);
    step_onto(w, &g, m, p->psi, p->safe.dv);
}

/* Of drivers besides: -lambda . b = -v . A^T lambda = v . (M v' - Q) while A v = b. */
static hol__ref power_with(hol__program *p, const hol__ref *vdot) {
    hol__dag *d = &p->dag;
    const int n = p->model->nv;
    hol__ref sum = p->power;
    for (int i = 0; p->model->rheonomic && i < n; i++) {
        const hol__ref load = hol__dag_sub(d, dot(d, n, p->M + i * n, vdot), p->Q[i]);
        sum = hol__dag_add(d, sum, hol__dag_mul(d, p->v[i], load));
    }
    return sum;
}

void hol__program_power(hol__program *p) {
    p->safe.power = power_with(p, p->safe.vdot);
    if (p->partitioned) p->fast.power = power_with(p, p->fast.vdot);
}

void hol__program_solve(hol__program *p) {
    work w = {.p = p, .n = p->model->nv, .m = p->n_kept};
    w.W = new_refs(p, w.n * w.n);
    w.S = new_refs(p, w.m * w.m);
    w.Y = new_refs(p, w.m * w.n);
    w.z = new_refs(p, w.n);
    w.rhs = new_refs(p, w.m);
    w.lambda = new_refs(p, w.m);
    if (p->dag.status) return;
    accelerate(&w);
    p->safe.dq_regular = p->dag.one;
    if (w.m && !p->dag.status) project(&w);
}
