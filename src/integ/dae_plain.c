/* dae_plain.c: an ordinary system y' = f(t, y) as a constrained one without constraints. See dae.h.
 *
 *     F = y' - f(t, y),   J = sigma - df/dy
 *
 * df/dy comes from differences of f; a complex matrix R + i S is the real one [R -S; S R].
 */
#include "integ/dae.h"

#include "base/arena.h"
#include "integ/differences.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

struct hol__dae_plain {
    hol__arena arena;
    const hol__system *system;
    hol__differences *differences;
    hol__lu *lu[HOL__DAE_SLOTS]; /* the first of size n, the others of 2 n */
    double *b;
};

static hol_status residual(void *self, double t, const double *y, const double *ydot,
                           const double *x, double *F) {
    hol__dae_plain *p = self;
    (void)x;
    const hol_status status = p->system->rhs(p->system->self, t, y, F);
    for (int i = 0; i < p->system->n; i++) F[i] = ydot[i] - F[i];
    return status;
}

static hol_status linearize(void *self, double t, const double *y, const double *ydot,
                            const double *x) {
    hol__dae_plain *p = self;
    (void)ydot, (void)x;
    return hol__differences_linearize(p->differences, t, y, NULL, 0, NULL);
}

static hol_status shift(void *self, int slot, const hol__sigma *sigma) {
    hol__dae_plain *p = self;
    const int n = p->system->n, parts = slot ? 2 : 1, size = parts * n;
    double *a = p->lu[slot]->a;
    memset(a, 0, sizeof *a * (size_t)size * (size_t)size);
    for (int k = 0; k < parts; k++)
        for (int j = 0; j < n; j++) {
            double *column = a + (size_t)(k * n + j) * (size_t)size;
            for (int i = 0; i < n; i++)
                column[k * n + i] = -hol__differences_entry(p->differences, i, j);
            column[k * n + j] += sigma->v[0];
            if (parts == 2) column[(1 - k) * n + j] = k ? -sigma->v[1] : sigma->v[1];
        }
    return hol__lu_factor(p->lu[slot]) == 0 ? HOL_OK : HOL_SINGULAR;
}

static hol_status solve(void *self, int slot, double *re, double *im) {
    hol__dae_plain *p = self;
    const size_t n = (size_t)p->system->n, size = sizeof *re * n;
    memset(p->b, 0, 2 * size);
    memcpy(p->b, re, size);
    if (im) memcpy(p->b + n, im, size);
    hol__lu_solve(p->lu[slot], 0, p->b);
    memcpy(re, p->b, size);
    if (im) memcpy(im, p->b + n, size);
    return HOL_OK;
}

hol__dae_plain *hol__dae_plain_new(hol_context *ctx, const hol__system *system, int slots,
                                   hol__dae *dae) {
    hol__dae_plain *p = hol__alloc(ctx, 1, sizeof *p);
    if (!p) return NULL;
    hol__arena_init(&p->arena, ctx);
    p->system = system;
    p->differences = hol__differences_new(ctx, system);
    p->b = HOL__NEW_N(&p->arena, double, 2 * system->n);
    int made = p->differences && p->b;
    for (int i = 0; i < slots && made; i++)
        made = (p->lu[i] = hol__lu_new(&p->arena, (i ? 2 : 1) * system->n)) != NULL;
    *dae = (hol__dae){.n = system->n,
                      .self = p,
                      .residual = residual,
                      .linearize = linearize,
                      .shift = shift,
                      .solve = solve};
    if (made) return p;
    hol__dae_plain_free(p);
    return NULL;
}

void hol__dae_plain_free(hol__dae_plain *p) {
    if (!p) return;
    hol_context *ctx = p->arena.ctx;
    hol__differences_free(p->differences);
    hol__arena_free(&p->arena);
    hol__release(ctx, p);
}
