/* rows.h: rows of constraints that are written once, for the plane and for space, with their rates.
 *
 * A row is a sum over body slots of  lin . v + turn . omega,  both vectors global and with their
 * rates (math/dual3.h). Putting it in its place gives A (omega in the body frame: R^T turn), A',
 * and c = b' - A' v. In the plane a body is one in space that moves in z = 0; the columns x, y and
 * the turn about z remain.
 */
#ifndef HOL_ELEMENT_ROWS_H
#define HOL_ELEMENT_ROWS_H

#include "math/dual3.h"
#include "model/build.h"

/* A body as seen by a row: mass centre, orientation, velocity (global), angular velocity (body
 * frame), quaternion (space only). */
typedef struct hol__mover {
    double r[3], v[3], R[9], w[3];
    const double *p;
} hol__mover;

/* One row: its parts by slot, the residual, and b with its rate. */
typedef struct hol__row {
    hol__dual3 lin[HOL__MAX_BODIES], turn[HOL__MAX_BODIES];
    double Phi;
    hol__dual b;
} hol__row;

/* The bodies of a record. */
void hol__movers(const hol__con *con, const hol__con_args *args, hol__mover *movers);

/* The direction e of a body, and its point s relative to the mass centre and to the origin. */
static inline hol__dual3 hol__mover_direction(const hol__mover *m, const double *e) {
    return hol__dual3_out(m->R, m->w, hol__dual3_still(e));
}

static inline hol__dual3 hol__mover_centre(const hol__mover *m) {
    return (hol__dual3){{m->r[0], m->r[1], m->r[2]}, {m->v[0], m->v[1], m->v[2]}};
}

static inline hol__dual3 hol__mover_point(const hol__mover *m, const double *s) {
    return hol__dual3_add(hol__mover_centre(m), 1, hol__mover_direction(m, s));
}

/* Add sign a . (velocity of the point of the body that is at X) to a row. */
static inline void hol__row_at(const hol__mover *m, double sign, hol__dual3 a, hol__dual3 X,
                               hol__dual3 *lin, hol__dual3 *turn) {
    const hol__dual3 arm = hol__dual3_add(X, -1, hol__mover_centre(m));
    *lin = hol__dual3_add(*lin, sign, a);
    *turn = hol__dual3_add(*turn, sign, hol__dual3_cross(arm, a));
}

/* lin . v + turn . omega */
double hol__row_rate(const hol__mover *m, const hol__dual3 *lin, const hol__dual3 *turn);

/* Write row k of the record to its place, as far as it is wanted. */
void hol__row_put(const hol__con *con, int k, const hol__mover *movers, const hol__row *row,
                  const hol__con_args *args);

/* The slot of a body in a record, added when it is not there; -1 (an error was reported) when all
 * are taken. */
int hol__con_slot(hol__build *build, hol__con *con, int body);

#endif
