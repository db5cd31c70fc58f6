/* rows.c: which rows do not depend on others: Gram and Schmidt over the rows of A at the states of
 * a run, in their order. Of the states the one with the most independent rows decides: others are
 * singular positions. */
#include "generate/program.h"

#include <math.h>
#include <string.h>

/* The share of a row that must be left, as the library has it where nobody gives another. */
static const double INDEPENDENT = 1e-9;

/* Independent rows of A (m x n), which becomes orthonormal; into kept, and their number. A row that
 * is nothing but rounding beside the largest one (what a loop in a tilted plane has across it) is
 * none. */
static int choose(int m, int n, double *A, int *kept) {
    int found = 0;
    double most = 0;
    for (int i = 0; i < m; i++) {
        double square = 0;
        for (int j = 0; j < n; j++) square += A[i * n + j] * A[i * n + j];
        most = fmax(most, square);
    }
    for (int i = 0; i < m; i++) {
        double *x = A + i * n, before = 0, after = 0;
        for (int j = 0; j < n; j++) before += x[j] * x[j];
        if (before <= INDEPENDENT * INDEPENDENT * most) continue;
        for (int twice = 0; twice < 2; twice++)
            for (int k = 0; k < found; k++) {
                const double *y = A + kept[k] * n;
                double dot = 0;
                for (int j = 0; j < n; j++) dot += x[j] * y[j];
                for (int j = 0; j < n; j++) x[j] -= dot * y[j];
            }
        for (int j = 0; j < n; j++) after += x[j] * x[j];
        if (!(after > INDEPENDENT * INDEPENDENT * before)) continue;
        for (int j = 0; j < n; j++) x[j] /= sqrt(after);
        kept[found++] = i;
    }
    return found;
}

hol_status hol__program_rows(hol__program *p, int n_states, const hol__gstate *states) {
    const hol_model *m = p->model;
    const size_t numbers = (size_t)(m->m * m->nv + p->dag.n_inputs + p->dag.count) + 1;
    double *A = hol__alloc(p->ctx, numbers, sizeof *A), *inputs = A + m->m * m->nv,
           *values = inputs + p->dag.n_inputs;
    int *kept = hol__alloc(p->ctx, (size_t)m->m + 1, sizeof *kept);
    p->n_kept = p->n_kept_h = 0;
    for (int s = 0; A && kept && s < n_states; s++) {
        hol__program_values(p, &states[s], inputs, values);
        for (int i = 0; i < m->m * m->nv; i++) A[i] = values[p->A[i]];
        const int found = choose(m->m, m->nv, A, kept);
        if (found <= p->n_kept) continue;
        p->n_kept = found;
        memcpy(p->kept, kept, sizeof *kept * (size_t)found);
    }
    while (p->n_kept_h < p->n_kept && p->kept[p->n_kept_h] < m->mh) p->n_kept_h++;
    const hol_status status = A && kept ? HOL_OK : HOL_ERR_MEMORY;
    hol__release(p->ctx, A);
    hol__release(p->ctx, kept);
    return status;
}
