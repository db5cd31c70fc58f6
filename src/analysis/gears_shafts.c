/* gears_shafts.c: the velocities that tell most of the others. See gears_shafts.h.
 *
 * v = R z; with translations over the length of the mechanism, and the columns of R orthonormal,
 * row i of R says how much of a motion of size 1 shows in v_i. The largest row is chosen, what it
 * tells is taken out of the others, and so on (elimination with pivots): the chosen rows are as far
 * from dependent as such an order makes them. Of equal ones turns go before slides, and bodies in
 * their order.
 */
#include "analysis/gears_shafts.h"

#include "model/model.h"

#include <holonom/matrix.h>
#include <holonom/model.h>

#include <float.h>
#include <math.h>

enum { NAME = 256 };

static double dot(int n, const double *x, int dx, const double *y, int dy) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i * dx] * y[i * dy];
    return sum;
}

/* The columns of R (n x k by rows) orthonormal: Gram and Schmidt, twice. */
static void orthonormalize(int n, int k, double *R) {
    for (int j = 0; j < k; j++) {
        for (int twice = 0; twice < 2; twice++)
            for (int l = 0; l < j; l++) {
                const double share = dot(n, R + l, k, R + j, k);
                for (int i = 0; i < n; i++) R[i * k + j] -= share * R[i * k + l];
            }
        const double size = sqrt(dot(n, R + j, k, R + j, k));
        for (int i = 0; i < n && size > 0; i++) R[i * k + j] /= size;
    }
}

/* The row that is the largest, turns first. */
static int largest_row(const hol_model *m, int k, const double *R) {
    const double rounding = 1 + 8 * k * DBL_EPSILON;
    double most = 0;
    int best = 0;
    for (int turns = 1; turns >= 0; turns--)
        for (int i = 0; i < m->nv; i++) {
            if (hol__is_turn(m, i) != turns) continue;
            const double size = dot(k, R + i * k, 1, R + i * k, 1);
            if (size > most * rounding) most = size, best = i;
        }
    return best;
}

/* What row i tells, out of all rows. */
static void take_out(int n, int k, int row, double *R, double *along) {
    const double size = sqrt(dot(k, R + row * k, 1, R + row * k, 1));
    for (int j = 0; j < k; j++) along[j] = size > 0 ? R[row * k + j] / size : 0;
    for (int i = 0; i < n; i++) {
        const double share = dot(k, R + i * k, 1, along, 1);
        for (int j = 0; j < k; j++) R[i * k + j] -= share * along[j];
    }
}

hol_status hol__gears_shafts(hol_data *data, hol__arena *arena, int *n, const char ***names) {
    const hol_model *m = data->model;
    hol_size size = {.size = sizeof size};
    hol_status status = hol_data_term_size(data, HOL_TERM_R, &size);
    if (status) return status;
    const int k = size.columns;
    double *R = HOL__NEW_N(arena, double, m->nv *k + 1), *along = HOL__NEW_N(arena, double, k + 1);
    *names = HOL__NEW_N(arena, const char *, k + 1);
    if (!R || !along || !*names) return HOL_ERR_MEMORY;
    status = hol_data_term(data, HOL_TERM_R, R, m->nv * k);
    if (status) return status;
    for (int i = 0; i < m->nv; i++)
        for (int j = 0; j < k && !hol__is_turn(m, i) && m->length > 0; j++)
            R[i * k + j] /= m->length;
    orthonormalize(m->nv, k, R);
    for (*n = 0; *n < k; (*n)++) {
        char *name = hol__arena_alloc(arena, NAME, 1);
        const int row = largest_row(m, k, R);
        if (!name) return HOL_ERR_MEMORY;
        hol_model_velocity_name(m, row, name, NAME);
        (*names)[*n] = name;
        take_out(m->nv, k, row, R, along);
    }
    return HOL_OK;
}
