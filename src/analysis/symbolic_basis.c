/* symbolic_basis.c: the rows of A solved for as many velocities, as formulas.
 *
 * Gauss-Jordan elimination on [A cbar]: pivots that are numbers first, then the shortest entries;
 * an entry that is zero at the start of the model is none, and rows that are left without any are
 * redundant there. v_d = -(A_d^-1 A_i) v_i gives R, with the unit matrix for the independent
 * velocities, and A_d^-1 cbar gives S cbar.
 */
#include "analysis/symbolic_system.h"

#include <math.h>
#include <string.h>

enum { MOST_OPERATIONS = 3000 }; /* of an entry */

typedef struct elimination {
    system_work *s;
    int rows, columns; /* columns of A; the right-hand side is one more */
    hol__sym *x;
    double *value; /* of the entries, at the start */
    int *pivot;    /* by column: its row, -1: independent */
    unsigned char *used;
} elimination;

static int at(const elimination *g, int i, int j) {
    return i * (g->columns + 1) + j;
}

/* The values of all entries at the start. */
static int evaluate(elimination *g) {
    hol__equations *e = g->s->e;
    double *values = hol__alloc(e->ctx, (size_t)e->a->n_symbols + 1, sizeof *values),
           *work = hol__alloc(e->ctx, (size_t)e->a->n_nodes + 1, sizeof *work);
    hol_data *data = hol_data_new(e->quiet, e->to.model);
    int good = values && work && data && hol_data_update(data, HOL_STAGE_DYN) == HOL_OK;
    if (good) {
        hol__symbolic_values(e, 0, data, values, work);
        hol__sym_values(e->a, g->rows * (g->columns + 1), g->x, values, work, g->value);
    }
    hol_data_free(data);
    hol__release(e->ctx, values);
    hol__release(e->ctx, work);
    return good;
}

/* The best pivot; 0: none is left. */
static int choose(const elimination *g, int *row, int *column) {
    double best = INFINITY, largest = 0;
    for (int i = 0; i < g->rows; i++)
        for (int j = 0; j < g->columns && !g->used[i]; j++)
            if (g->pivot[j] < 0) largest = fmax(largest, fabs(g->value[at(g, i, j)]));
    if (!(largest > 1e-9)) return 0;
    for (int i = 0; i < g->rows; i++)
        for (int j = 0; j < g->columns && !g->used[i]; j++) {
            const hol__sym x = g->x[at(g, i, j)];
            const double size = fabs(g->value[at(g, i, j)]);
            if (g->pivot[j] >= 0 || !(size > 1e-2 * largest)) continue;
            const double cost = hol__sym_is_number(x) ? 0 : 1 + (double)x->operations;
            if (cost < best) {
                best = cost;
                *row = i;
                *column = j;
            }
        }
    return isfinite(best);
}

/* Row i divided by its pivot and taken out of all others; 0: entries become too long. */
static int eliminate(elimination *g, int i, int j) {
    hol__algebra *a = g->s->e->a;
    const hol__sym pivot = g->x[at(g, i, j)];
    for (int c = 0; c <= g->columns; c++) {
        hol__sym *x = &g->x[at(g, i, c)];
        *x = hol__sym_shorten(a, hol__sym_div(a, *x, pivot));
    }
    for (int r = 0; r < g->rows; r++) {
        const hol__sym factor = g->x[at(g, r, j)];
        if (r == i || hol__sym_is(factor, 0)) continue;
        for (int c = 0; c <= g->columns; c++) {
            hol__sym *x = &g->x[at(g, r, c)];
            *x = hol__sym_shorten(a,
                                  hol__sym_sub(a, *x, hol__sym_mul(a, factor, g->x[at(g, i, c)])));
            if (!*x || (*x)->operations > MOST_OPERATIONS) return 0;
        }
    }
    g->used[i] = 1;
    g->pivot[j] = i;
    return 1;
}

/* R and S cbar from the rows. */
static int collect(elimination *g) {
    system_work *s = g->s;
    hol__algebra *a = s->e->a;
    const int n = g->columns;
    for (int j = 0; j < n; j++) s->k += g->pivot[j] < 0;
    s->R = HOL__NEW_N(&a->arena, hol__sym, n * s->k + 1);
    s->Sc = HOL__NEW_N(&a->arena, hol__sym, n + 1);
    s->independent = HOL__NEW_N(&a->arena, const char *, s->k + 1);
    if (!s->R || !s->Sc || !s->independent) return 0;
    for (int i = 0; i < n; i++) {
        s->Sc[i] = g->pivot[i] < 0 ? a->zero : g->x[at(g, g->pivot[i], n)];
        for (int j = 0, k = 0; j < n; j++) {
            if (g->pivot[j] >= 0) continue;
            s->independent[k] = s->velocity[j];
            s->R[i * s->k + k++] = g->pivot[i] >= 0 ? hol__sym_neg(a, g->x[at(g, g->pivot[i], j)])
                                   : i == j         ? a->one
                                                    : a->zero;
        }
    }
    return 1;
}

int hol__symbolic_basis(system_work *s) {
    hol__equations *e = s->e;
    hol__arena *arena = &e->a->arena;
    elimination g = {.s = s, .rows = e->m, .columns = e->nv};
    const int size = e->m * (e->nv + 1);
    int row = 0, column = 0;
    g.x = HOL__NEW_N(arena, hol__sym, size + 1);
    g.value = HOL__NEW_N(arena, double, size + 1);
    g.pivot = HOL__NEW_N(arena, int, e->nv + 1);
    g.used = HOL__NEW_N(arena, unsigned char, e->m + 1);
    if (arena->failed) return 0;
    for (int i = 0; i < e->m; i++) {
        for (int j = 0; j < e->nv; j++) g.x[at(&g, i, j)] = e->A[i * e->nv + j];
        g.x[at(&g, i, e->nv)] = s->cbar[i];
    }
    for (int j = 0; j < e->nv; j++) g.pivot[j] = -1;
    while (evaluate(&g) && choose(&g, &row, &column))
        if (!eliminate(&g, row, column)) return 0;
    return collect(&g);
}
