/* cone_settle.c: the end of the path: H = 0 at t = 0 to rounding.
 *
 *     dy = -(dH/dy)^+ H,  repeated while H shrinks
 *
 * Redundant contacts make dH/dy singular at t = 0: their speeds vanish with t, and the directions
 * of sliding that the path had on its way are no longer asked for. The pseudoinverse moves z as
 * little as it must.
 */
#include "kernel/cone_path.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 12 };

void hol__cone_settle(hol__cone_path *path, hol__cod *cod, double tolerance) {
    const int p = path->p;
    double last = INFINITY;
    path->y[p] = 0;
    for (int k = 0; k < ITERATIONS; k++) {
        double error = 0;
        hol__cone_place(path);
        hol__cone_equations(path, path->rhs);
        for (int i = 0; i < p; i++) error = fmax(error, fabs(path->rhs[i]));
        if (!(error > 0) || error >= 0.5 * last) return;
        last = error;
        hol__cone_matrix(path, NULL);
        cod->qr->m = cod->qr->n = p;
        memcpy(cod->qr->a, path->lu->a, (size_t)p * (size_t)p * sizeof *path->lu->a);
        if (hol__cod_factor(cod) != 0) return;
        hol__cod_truncate(cod, hol__cod_rank(cod, tolerance));
        hol__cod_solve(cod, path->rhs, path->border);
        for (int i = 0; i < p; i++) path->y[i] -= path->border[i];
    }
}
