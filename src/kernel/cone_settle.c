/* cone_settle.c: the end of the path: H = 0 at t = 0 to rounding.
 *
 *     dy = -S (dH/dy S)^+ H,  repeated while H shrinks
 *
 * Redundant contacts make dH/dy singular at t = 0: their speeds vanish with t, and the directions
 * of sliding that the path had on its way are no longer asked for. The pseudoinverse moves z as
 * little as it must. S takes the angles to lengths of z: 1/(mu z_N).
 */
#include "kernel/cone_path.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 12 };

/* S. */
static void set_lengths(const hol__cone_path *path, double *S) {
    for (int i = 0; i < path->p; i++) S[i] = 1;
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        const double arm = part->mu * fabs(path->z[part->first]);
        if (hol__cone_turns(part) && arm > 0) S[part->at + 1] = 1 / arm;
    }
}

/* y <- y - S (dH/dy S)^+ H; 0 is well. */
static int improve(hol__cone_path *path, hol__cod *cod, double tolerance) {
    const size_t p = (size_t)path->p;
    double *S = path->before, *dy = path->border;
    hol__cone_matrix(path, NULL);
    set_lengths(path, S);
    cod->qr->m = cod->qr->n = path->p;
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < p; i++) cod->qr->a[j * p + i] = S[j] * path->lu->a[j * p + i];
    if (hol__cod_factor(cod) != 0) return 1;
    hol__cod_truncate(cod, hol__cod_rank(cod, tolerance));
    hol__cod_solve(cod, path->rhs, dy);
    for (size_t i = 0; i < p; i++) dy[i] *= -S[i];
    dy[p] = 0;
    hol__cone_foresee(path, dy);
    for (size_t i = 0; i < p; i++) path->y[i] += dy[i];
    return 0;
}

void hol__cone_settle(hol__cone_path *path, hol__cod *cod, double tolerance) {
    const int p = path->p;
    double last = INFINITY;
    path->y[p] = 0;
    for (int k = 0; k < ITERATIONS; k++) {
        hol__cone_place(path);
        hol__cone_equations(path, path->rhs);
        const double error = hol__cone_error(path, path->rhs);
        if (!(error > 0) || (k > 1 && error >= 0.5 * last)) return;
        if (k == 0) hol__cone_speeds(path);
        last = error;
        if (improve(path, cod, tolerance) != 0) return;
    }
}
