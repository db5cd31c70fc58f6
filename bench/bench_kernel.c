/* bench_kernel.c: time of one factor + solve of every kernel and storage on planar chains and
 * N-four-bars.
 *
 * Each line: model, n, m, kernel, storage, form used, ns per factor + solve, ns per body, largest
 * |A x - c|.
 */
#include "common/clock.h"
#include "../tests/linkages.h"
#include "kernel/basis.h"
#include "kernel/kernel.h"

#include <stdio.h>
#include <string.h>

/* Angles that are all different, away from singular positions. */
static void set_angles(const linkage *l, int four_bars, double *angle) {
    const int cranks = (l->bodies + 1) / 2;
    for (int i = 0; i < l->bodies; i++)
        angle[i] = four_bars ? (i < cranks ? 1.37 : 0.0) : 0.3 + 1.9 * sin(1.7 * i + 0.4);
}

/* Seconds of one factor + solve: best of several batches. */
static double measure(hol__kernel *kernel, linkage *l, const double *f, const double *c, double *x,
                      double *mu) {
    double best = 1e9, once = hol__clock_wall();
    hol__kernel_factor(kernel, &l->W, &l->A);
    hol__kernel_solve(kernel, f, c, x, mu);
    once = hol__clock_wall() - once;
    const int repeat = once < 1e-5 ? 20000 : once < 1e-3 ? 200 : 2;
    for (int batch = 0; batch < 7; batch++) {
        const double start = hol__clock_wall();
        for (int i = 0; i < repeat; i++) {
            hol__kernel_factor(kernel, &l->W, &l->A);
            hol__kernel_solve(kernel, f, c, x, mu);
        }
        best = fmin(best, (hol__clock_wall() - start) / repeat);
    }
    return best;
}

/* Whether a variant exists and is worth its time. */
static int is_wanted(const hol__kernel_type *type, int storage, int basis, int size) {
    const int sparse = (type->flags & HOL__KERNEL_SPARSE) != 0;
    if (!sparse && storage != HOL__STORAGE_AUTO) return 0;
    if (basis > 0 && !(type->flags & HOL__KERNEL_BASIS)) return 0;
    return size <= 600 || (sparse && storage != HOL__STORAGE_DENSE);
}

/* All kernels, storages and bases on one linkage. */
static void run(hol_context *ctx, const char *name, linkage *l, int four_bars) {
    static const char *const storages[] = {"auto", "dense", "sparse"};
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    const int n = l->W.rows, m = l->A.rows;
    double *angle = HOL__NEW_N(&arena, double, n), *f = HOL__NEW_N(&arena, double, n),
           *c = HOL__NEW_N(&arena, double, m);
    double *x = HOL__NEW_N(&arena, double, n), *mu = HOL__NEW_N(&arena, double, m),
           *r = HOL__NEW_N(&arena, double, m);
    set_angles(l, four_bars, angle);
    if (l->joint) linkage_fill(l, angle);
    for (int i = 0; i < n; i++) f[i] = sin(2.3 * i + 0.2);
    for (int i = 0; i < m; i++) c[i] = cos(1.3 * i + 0.7);
    for (int t = 0; hol__kernel_get(t); t++)
        for (int v = 0; hol__basis_get(v / 3); v++) {
            const int s = v % 3;
            if (!is_wanted(hol__kernel_get(t), s, v / 3, n + m)) continue;
            hol__kernel *kernel;
            const hol__kernel_options options = {.storage = (hol__storage)s,
                                                 .basis = hol__basis_get(v / 3)};
            const double start = hol__clock_wall();
            if (hol__kernel_new(ctx, hol__kernel_get(t), &l->W, &l->A, &options, &kernel) != HOL_OK)
                continue;
            const double create = hol__clock_wall() - start, time = measure(kernel, l, f, c, x, mu);
            double worst = 0;
            hol__csr_mul(&l->A, x, r);
            for (int i = 0; i < m; i++) worst = fmax(worst, fabs(r[i] - c[i]));
            printf("%-16s n %5d m %5d  %-20s %-7s %-45s %11.0f ns %8.1f ns/body  create %8.0f us  "
                   "|Ax-c| %.1e cond %.1e\n",
                   name, n, m, kernel->type->name, storages[s], kernel->info.form, 1e9 * time,
                   1e9 * time / l->bodies, 1e6 * create, worst, kernel->info.condition);
            hol__kernel_free(kernel);
        }
    hol__arena_free(&arena);
}

/* One family of models at one size. */
typedef struct model {
    const char *name;
    int size;
} model;

static const model models[] = {
    {"four-bar", 3},   {"chain", 10},     {"chain", 100},     {"chain", 1000}, {"four-bars", 1},
    {"four-bars", 4},  {"four-bars", 40}, {"four-bars", 333}, {"natural", 10}, {"natural", 100},
    {"natural", 1000}, {"redundant", 1},  {"redundant", 3},
};

int main(void) {
    hol_context *ctx = hol_context_new();
    char name[40];
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        const char *family = models[k].name;
        const int size = models[k].size, four_bars = strcmp(family, "four-bars") == 0;
        hol__arena arena;
        linkage l;
        hol__arena_init(&arena, ctx);
        if (four_bars)
            linkage_four_bars(&arena, &l, size);
        else if (strcmp(family, "natural") == 0)
            linkage_natural(&arena, &l, size);
        else if (strcmp(family, "redundant") == 0)
            linkage_redundant(&arena, &l, size);
        else
            linkage_chain(&arena, &l, size, strcmp(family, "four-bar") == 0);
        snprintf(name, sizeof name, "%s %d", family, size);
        run(ctx, name, &l, four_bars);
        hol__arena_free(&arena);
    }
    hol_context_free(ctx);
    return 0;
}
