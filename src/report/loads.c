/* loads.c: which vectors are drawn as arrows, and how long. */
#include "report/loads.h"

#include <math.h>
#include <stdlib.h>

enum { REACTION = 0xD3455B, FORCE = 0x2A9D5C, MOMENT = 0x8A5FD0 };

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double hol__load_length(const double *v) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return isfinite(length) ? length : 0;
}

const double *hol__load_vector(const hol__load_set *set, int row, int index) {
    return set->values + 3 * ((size_t)row * (size_t)set->n + (size_t)index);
}

const double *hol__load_point(const hol__load_set *set, int row, int index) {
    return set->points + 3 * ((size_t)row * (size_t)set->n + (size_t)index);
}

double hol__load_drawn(const hol__load_set *set, double length) {
    const double drawn = fmin(length * set->unit, set->most);
    return drawn > 0.35 * set->width ? drawn : 0;
}

/* How long vectors are: of the longest one in each record that which eight in ten stay below. */
static double typical(hol__movie *movie, const hol__load_set *set, int n_rows, const int *rows) {
    double *most = HOL__NEW_N(&movie->arena, double, n_rows + 1);
    if (!most || !set->values || n_rows < 1) return 0;
    for (int i = 0; i < n_rows; i++)
        for (int k = 0; k < set->n; k++)
            most[i] = fmax(most[i], hol__load_length(hol__load_vector(set, rows ? rows[i] : i, k)));
    qsort(most, (size_t)n_rows, sizeof *most, by_value);
    return most[(int)(0.8 * (n_rows - 1))];
}

void hol__loads_init(hol__loads *loads, hol__movie *m, const hol__geometry *g, int n_rows,
                     const int *rows) {
    const double size = fmax(g->size, 4 * g->radius), longest = 0.15 * size,
                 width = 0.8 * g->radius;
    double sizes[HOL__LOAD_SETS];
    *loads = (hol__loads){
        {{m->joint_force, g->n_joints, g->joints, NULL, REACTION, 0, 0, width, 1.4 * longest},
         {m->joint_moment, g->n_joints, g->joints, NULL, MOMENT, 1, 0, width, 0.3 * longest},
         {m->force_force, g->n_forces, g->forces, m->force_point, FORCE, 0, 0, width,
          1.4 * longest},
         {m->force_moment, g->n_forces, g->forces, m->force_point, MOMENT, 1, 0, width,
          0.3 * longest}}};
    if (!m->model) return; /* the points of the elements are not known */
    for (int i = 0; i < HOL__LOAD_SETS; i++) sizes[i] = typical(m, &loads->sets[i], n_rows, rows);
    const double noise = 1e-9 * fmax(sizes[HOL__REACTIONS], sizes[HOL__FORCES]);
    for (int i = 0; i < HOL__LOAD_SETS; i++) {
        hol__load_set *set = &loads->sets[i];
        const double least = set->turns ? noise * size : noise;
        if (sizes[i] > least) set->unit = (set->turns ? 0.22 : 1) * longest / sizes[i];
    }
}
