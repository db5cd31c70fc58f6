/* carrier.h: the frame that carries a steady motion along.
 *
 * In a steady motion (a relative equilibrium) every body i follows
 *
 *     g_i(t) = exp(t (u, Omega)) g_i(0) exp(t s_i)
 *
 * one screw motion of all bodies that belong together, velocity u + Omega x r, and a spin s_i of
 * each about its mass centre, constant in the frame of the body. So
 *
 *     r' = u + Omega x r     v' = Omega x v     omega = R^T Omega + s     omega' = omega x s
 *
 * A body at rest has u = Omega = s = 0; a governor turns with Omega; a wheel of a bicycle that
 * rolls straight on has u and s. Such a motion is carried by symmetries of the mechanism: moved
 * along
 * (time included) it is the same mechanism, which hol__small_is_carried checks by its linear
 * equations there. Perturbations that are seen from the frame that goes along have
 *
 *     dr'     = dv - Omega x dr          dv'     = da - Omega x dv
 *     dtheta' = domega - (R^T Omega) x dtheta     domega' = dalpha + s x domega
 *
 * (dtheta, omega in the body frame), constant coefficients in a steady motion. u, Omega are found
 * from the equations above, which are linear in them; what they leave open is chosen such that
 * spins are small (which = 0), or Omega is (which = 1), or what of Omega is not along gravity and
 * of u + Omega x P at joints with ground (which = 2; in space, of a state that is yet to become
 * steady, Omega is along gravity, and bodies spin about their axes of symmetry alone: a bicycle
 * that tips does not go on tipping).
 *
 * Bodies belong together where joints or forces act between them: two governors on a table have a
 * screw motion each. The same choices with bodies that only touch, mesh, or have only a force
 * between them, taken apart (which = 3, 4, 5): a belt runs below a block that a spring holds, two
 * shafts with gears turn about axes of their own.
 */
#ifndef HOL_ANALYSIS_CARRIER_H
#define HOL_ANALYSIS_CARRIER_H

#include "dyn/data.h"

enum { HOL__CARRIERS = 6 };

typedef struct hol__carrier {
    int parts;     /* bodies that belong together, */
    int *part;     /* by body */
    double *screw; /* six a part: u and Omega, global frame */
    double *spin;  /* three a body, body frame */
    int moving;    /* something of it is not zero */
    int repeats;   /* nothing is taken apart: the same as that of which - 3 */
} hol__carrier;

/* u of the part of a body; Omega behind it. */
static inline const double *hol__carrier_screw(const hol__carrier *carrier, int body) {
    return carrier->screw + 6 * carrier->part[body];
}

/* One at rest, in the arena, which says where that fails; and the numbers of another in it. */
hol__carrier hol__carrier_new(const hol_model *model, hol__arena *arena);
void hol__carrier_copy(const hol_model *model, const hol__carrier *from, hol__carrier *to);

/* What lengths are counted against; and whether entry i of a vector over the bodies is one, or an
 * angle. */
static inline double hol__mechanism_size(const hol_model *m) {
    return m->length > 0 ? m->length : 1;
}

static inline int hol__is_length(const hol_model *m, int i) {
    return m->bw == 3 ? i % 3 < 2 : i % 6 < 3;
}

/* What a unit of coordinate j is counted against: a length of the mechanism, or a radian. */
static inline double hol__coordinate_size(const hol_model *m, int j) {
    return hol__is_turn(m, j) ? 1 : hol__mechanism_size(m);
}

/* The largest entry of a vector over the bodies, angles times the length of the mechanism. */
double hol__motion_largest(const hol_model *model, const double *x);

/* The fastest velocity of a body in data (with data->acc), angles times the length of the
 * mechanism; and the largest acceleration that gravity, one of the forces or its own motion would
 * give a body. */
void hol__motion_scales(hol_data *data, double *speed, double *acceleration);

/* The carrier of the motion in data, solved; in the arena. still: accelerations are not looked at
 * (for a state that is yet to become steady). HOL_ERR_MEMORY. */
hol_status hol__carrier_find(hol_data *data, int which, int still, hol__arena *arena,
                             hol__carrier *carrier);

/* What the motion in data differs from the carried one: (V - V_carried, acc - acc_carried), bw
 * numbers a body each. */
void hol__carrier_residual(const hol__carrier *carrier, hol_data *data, double *dV, double *dacc);

/* Rates of perturbations (dx, dV, dacc of the bodies) as seen from the carrier: dV - .. into x_rate
 * and dacc - .. into V_rate. */
void hol__carrier_rates(const hol__carrier *carrier, const hol_data *data, const double *dx,
                        const double *dV, const double *dacc, double *x_rate, double *V_rate);

/* The state of `from` carried on by the time tau into `to`, a data of the same model. */
void hol__carrier_move(const hol__carrier *carrier, hol_data *from, double tau, hol_data *to);

/* Perturbations of the bodies (dx, dV) carried on by tau, in place. */
void hol__carrier_turn(const hol__carrier *carrier, const hol_model *model, double tau, double *dx,
                       double *dV);

#endif
