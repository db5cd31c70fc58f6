/* partition.c: accelerations and projections of mechanisms with few degrees of freedom: the rows
 * are solved for as many velocities, the others move freely.
 *
 *     A_d X = [A_i, c, Phi, psi]         L U written out, pivots in the order that the states of a
 *                                        run ask for
 *     R = [-A_d^-1 A_i; 1],  S c = [A_d^-1 c; 0]
 *     R^T M R z = R^T (Q - M S c),       v' = R z + S c
 *     dq = -(1 - R (R^T R)^-1 R^T) S Phi,  dv with psi in place of Phi: the shortest of all steps
 *
 * Pivots that are less than SHARE of what they were at these states make `regular` 0: the solution
 * that needs no choice (solve.c) takes over.
 */
#include "generate/factor.h"
#include "generate/program.h"

#include <math.h>
#include <string.h>

static const double SHARE = 0.02;

typedef struct part {
    hol__program *p;
    int n, m, k;    /* velocities, rows, free velocities */
    int width;      /* of X: n entries of A, then c, Phi, psi */
    hol__ref *X;    /* m x width */
    int *row, *col; /* by pivot */
    double *pivot;  /* the least size at the states */
    int *free;      /* k velocities */
    hol__ref *R;    /* n x k */
} part;

static hol__ref *new_refs(hol__program *p, int n) {
    hol__ref *x = HOL__NEW_N(&p->dag.arena, hol__ref, n + 1);
    if (!x) p->dag.status = HOL_ERR_MEMORY;
    for (int i = 0; x && i < n; i++) x[i] = p->dag.zero;
    return x;
}

/* ---- the order of the pivots ---- */

/* Elimination with the pivots in order, at numbers; sizes of the pivots into `size` where they are
 * smaller. A: m x n, is overwritten. */
static void eliminate(const part *t, double *A, double *size) {
    for (int s = 0; s < t->m; s++) {
        const double *a = A + t->row[s] * t->n;
        const double pivot = a[t->col[s]];
        size[s] = fmin(size[s], fabs(pivot));
        for (int r = s + 1; r < t->m; r++) {
            double *b = A + t->row[r] * t->n;
            const double l = pivot != 0 ? b[t->col[s]] / pivot : 0;
            for (int j = 0; j < t->n; j++) b[j] -= l * a[j];
        }
    }
}

/* Full pivoting at numbers: the order into row and col. 0 where the rows have lost their rank. */
static int choose(part *t, double *A) {
    const int n = t->n, m = t->m;
    unsigned char taken[512] = {0};
    if (n > 512) return 0;
    for (int r = 0; r < m; r++) t->row[r] = r;
    for (int s = 0; s < m; s++) {
        double best = 0;
        int at = -1;
        for (int r = s; r < m; r++)
            for (int j = 0; j < n; j++)
                if (!taken[j] && fabs(A[t->row[r] * n + j]) > best)
                    best = fabs(A[t->row[r] * n + j]), at = r, t->col[s] = j;
        if (at < 0) return 0;
        const int swapped = t->row[s];
        t->row[s] = t->row[at], t->row[at] = swapped;
        taken[t->col[s]] = 1;
        for (int r = s + 1; r < m; r++) {
            const double l = A[t->row[r] * n + t->col[s]] / A[t->row[s] * n + t->col[s]];
            for (int j = 0; j < n; j++) A[t->row[r] * n + j] -= l * A[t->row[s] * n + j];
        }
    }
    for (int j = 0, k = 0; j < n; j++)
        if (!taken[j]) t->free[k++] = j;
    return 1;
}

static void read_rows(const part *t, const double *values, double *A) {
    for (int r = 0; r < t->m; r++)
        for (int j = 0; j < t->n; j++) A[r * t->n + j] = values[t->p->A[t->p->kept[r] * t->n + j]];
}

/* The order at the first state, and the least pivots over all. */
static int order(part *t, int n_states, const hol__gstate *states) {
    hol__program *p = t->p;
    const size_t numbers = (size_t)(t->m * t->n + p->dag.n_inputs + p->dag.count) + 1;
    double *A = hol__alloc(p->ctx, numbers, sizeof *A), *inputs = A + t->m * t->n,
           *values = inputs + p->dag.n_inputs;
    int good = A != NULL;
    if (!A) p->dag.status = HOL_ERR_MEMORY;
    for (int s = 0; s < n_states && good; s++) {
        hol__program_values(p, &states[s], inputs, values);
        read_rows(t, values, A);
        if (s == 0) {
            good = choose(t, A);
            for (int k = 0; k < t->m; k++) t->pivot[k] = INFINITY;
            read_rows(t, values, A);
        }
        if (good) eliminate(t, A, t->pivot);
    }
    for (int k = 0; k < t->m && good; k++) good = t->pivot[k] > 1e-6;
    hol__release(p->ctx, A);
    return good;
}

/* ---- the computation ---- */

/* X = [A, c, Phi, psi] eliminated, and solved for the dependent velocities; `regular`. */
static hol__ref reduce(part *t) {
    hol__dag *d = &t->p->dag;
    hol__ref regular = d->one;
    for (int s = 0; s < t->m && !d->status; s++) {
        hol__ref *a = t->X + t->row[s] * t->width;
        const hol__ref pivot = a[t->col[s]], over = hol__dag_over(d, d->one, pivot);
        const double least = SHARE * t->pivot[s];
        const hol__ref good = hol__dag_2(d, HOL__OP_LT, hol__dag_number(d, least * least),
                                         hol__dag_mul(d, pivot, pivot));
        if (good != d->one)
            regular = regular == d->one ? good : hol__dag_2(d, HOL__OP_AND, regular, good);
        for (int j = 0; j < t->width; j++) a[j] = hol__dag_mul(d, a[j], over);
        a[t->col[s]] = d->one;
        for (int r = s + 1; r < t->m; r++) {
            hol__ref *b = t->X + t->row[r] * t->width;
            const hol__ref l = b[t->col[s]];
            for (int j = 0; j < t->width; j++)
                b[j] = j == t->col[s] ? d->zero : hol__dag_sub(d, b[j], hol__dag_mul(d, l, a[j]));
        }
    }
    for (int s = t->m - 1; s >= 0 && !d->status; s--)
        for (int r = s - 1; r >= 0; r--) {
            hol__ref *b = t->X + t->row[r] * t->width;
            const hol__ref *a = t->X + t->row[s] * t->width, l = b[t->col[s]];
            b[t->col[s]] = d->zero;
            for (int k = 0; k < t->k + 3; k++) {
                const int j = k < t->k ? t->free[k] : t->n + k - t->k;
                b[j] = hol__dag_sub(d, b[j], hol__dag_mul(d, l, a[j]));
            }
        }
    return regular;
}

/* Column `which` behind the entries of A, as velocities. */
static void particular(const part *t, int which, hol__ref *out) {
    for (int i = 0; i < t->n; i++) out[i] = t->p->dag.zero;
    for (int s = 0; s < t->m; s++) out[t->col[s]] = t->X[t->row[s] * t->width + t->n + which];
}

static void make_basis(part *t) {
    hol__dag *d = &t->p->dag;
    for (int k = 0; k < t->k; k++) {
        t->R[t->free[k] * t->k + k] = d->one;
        for (int s = 0; s < t->m; s++)
            t->R[t->col[s] * t->k + k] = hol__dag_neg(d, t->X[t->row[s] * t->width + t->free[k]]);
    }
}

/* R^T x */
static void onto_free(const part *t, const hol__ref *x, hol__ref *out) {
    hol__dag *d = &t->p->dag;
    for (int k = 0; k < t->k; k++) {
        out[k] = d->zero;
        for (int i = 0; i < t->n; i++)
            out[k] = hol__dag_add(d, out[k], hol__dag_mul(d, t->R[i * t->k + k], x[i]));
    }
}

/* x + sign R z */
static void add_free(const part *t, const hol__ref *z, int sign, hol__ref *x) {
    hol__dag *d = &t->p->dag;
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < t->k; k++) {
            const hol__ref by = hol__dag_mul(d, t->R[i * t->k + k], z[k]);
            x[i] = sign > 0 ? hol__dag_add(d, x[i], by) : hol__dag_sub(d, x[i], by);
        }
}

/* z = (R^T W R)^-1 z, W NULL: the unit; regular is that of the factorisation too. */
static hol__gfactor factor_free(const part *t, const hol__ref *W) {
    hol__dag *d = &t->p->dag;
    hol__ref *G = new_refs(t->p, t->k * t->k), *x = new_refs(t->p, t->n), *y = new_refs(t->p, t->k);
    for (int k = 0; k < t->k && !d->status; k++) {
        for (int i = 0; i < t->n; i++) {
            x[i] = W ? d->zero : t->R[i * t->k + k];
            for (int j = 0; j < t->n && W; j++)
                x[i] = hol__dag_add(d, x[i], hol__dag_mul(d, W[i * t->n + j], t->R[j * t->k + k]));
        }
        onto_free(t, x, y);
        for (int l = 0; l < t->k; l++) G[l * t->k + k] = y[l];
    }
    return d->status ? (hol__gfactor){.regular = d->one} : hol__gfactor_of(d, t->k, G, 0);
}

static void solve_free(const part *t, const hol__gfactor *f, hol__ref *z) {
    hol__gfactor_lower(&t->p->dag, f, t->k, z);
    hol__gfactor_scale(&t->p->dag, f, t->k, z);
    hol__gfactor_upper(&t->p->dag, f, t->k, z);
}

static hol__ref accelerate(part *t, hol__ref *vdot) {
    hol__program *p = t->p;
    hol__dag *d = &p->dag;
    hol__ref *load = new_refs(p, t->n), *z = new_refs(p, t->k);
    if (d->status) return -1;
    particular(t, 0, vdot);
    for (int i = 0; i < t->n; i++) {
        load[i] = p->Q[i];
        for (int j = 0; j < t->n; j++)
            load[i] = hol__dag_sub(d, load[i], hol__dag_mul(d, p->M[i * t->n + j], vdot[j]));
    }
    onto_free(t, load, z);
    const hol__gfactor f = factor_free(t, p->M);
    if (d->status) return -1;
    solve_free(t, &f, z);
    add_free(t, z, 1, vdot);
    return f.regular;
}

/* The shortest x with A x = -(column). */
static void shortest(const part *t, const hol__gfactor *f, int which, hol__ref *x) {
    hol__dag *d = &t->p->dag;
    hol__ref *z = new_refs(t->p, t->k);
    if (d->status) return;
    particular(t, which, x);
    for (int i = 0; i < t->n; i++) x[i] = hol__dag_neg(d, x[i]);
    onto_free(t, x, z);
    solve_free(t, f, z);
    add_free(t, z, -1, x);
}

static void write(part *t) {
    hol__program *p = t->p;
    hol__dag *d = &p->dag;
    for (int r = 0; r < t->m; r++) {
        hol__ref *x = t->X + r * t->width;
        memcpy(x, p->A + p->kept[r] * t->n, sizeof *x * (size_t)t->n);
        x[t->n] = p->c[p->kept[r]];
        x[t->n + 1] = p->Phi[p->kept[r]];
        x[t->n + 2] = p->psi[p->kept[r]];
    }
    const hol__ref regular = reduce(t);
    make_basis(t);
    const hol__ref positive = accelerate(t, p->fast.vdot);
    const hol__gfactor f = factor_free(t, NULL);
    if (d->status) return;
    shortest(t, &f, 1, p->fast.dq);
    shortest(t, &f, 2, p->fast.dv);
    p->fast.regular = hol__dag_2(d, HOL__OP_AND, regular, positive);
    p->fast.dq_regular = regular;
    p->partitioned = 1;
}

/* How many operations the results take. */
static long operations(hol__program *p, const hol__gresults *r) {
    unsigned char *need = HOL__NEW_N(&p->dag.arena, unsigned char, p->dag.count + 1);
    long n = 0;
    if (!need) {
        p->dag.status = HOL_ERR_MEMORY;
        return 0;
    }
    for (int i = 0; i < p->model->nv; i++) need[r->vdot[i]] = 1;
    hol__dag_mark(&p->dag, p->dag.count, need);
    for (int i = 0; i < p->dag.count; i++) n += need[i] && p->dag.nodes[i].a >= 0;
    return n;
}

void hol__program_partition(hol__program *p, int n_states, const hol__gstate *states) {
    part t = {.p = p, .n = p->model->nv, .m = p->n_kept, .k = p->model->nv - p->n_kept};
    t.width = t.n + 3;
    /* rows on velocities alone would need a solution of their own for positions */
    if (!t.m || p->n_kept_h != p->n_kept) return;
    t.X = new_refs(p, t.m * t.width);
    t.R = new_refs(p, t.n * t.k);
    t.row = HOL__NEW_N(&p->dag.arena, int, t.m + 1);
    t.col = HOL__NEW_N(&p->dag.arena, int, t.m + 1);
    t.free = HOL__NEW_N(&p->dag.arena, int, t.k + 1);
    t.pivot = HOL__NEW_N(&p->dag.arena, double, t.m + 1);
    p->fast.vdot = new_refs(p, t.n);
    p->fast.dq = new_refs(p, t.n);
    p->fast.dv = new_refs(p, t.n);
    if (p->dag.arena.failed) p->dag.status = HOL_ERR_MEMORY;
    if (!p->dag.status && order(&t, n_states, states)) write(&t);
    if (p->partitioned && !p->dag.status)
        p->partitioned = operations(p, &p->fast) < operations(p, &p->safe);
}
