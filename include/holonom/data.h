/* data.h: the state of a mechanism and what follows from it.
 *
 * hol_data is the mutable twin of a model: time, coordinates, velocities, accelerations, multipliers and
 * everything computed from them. A copy is a snapshot. hol_data_update brings the parts up to the wanted
 * stage, each computed at most once per state.
 *
 *     M(q) v' + A^T lambda = Q(t,q,v)      A v = b      Phi(q,t) = 0
 *
 * SI units, radians, right-handed frames. Planar bodies have (x, y, theta) of the mass centre; spatial
 * bodies (r, p) with p a scalar-first unit quaternion, and velocities (r', omega in the body frame).
 */
#ifndef HOLONOM_DATA_H
#define HOLONOM_DATA_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_data hol_data;

typedef enum hol_stage {
    HOL_STAGE_NONE = 0,
    HOL_STAGE_POS, /* body poses, Phi, A */
    HOL_STAGE_VEL, /* body velocities, b, c, psi */
    HOL_STAGE_DYN  /* Q, potential energy, power */
} hol_stage;

/* Data at the drawn position with the given velocities; NULL when there is no memory. */
hol_data *hol_data_new(const hol_model *model);
void hol_data_free(hol_data *data);

/* dst becomes a snapshot of src (both of one model). */
void hol_data_copy(hol_data *dst, const hol_data *src);

/* The state. Setting marks everything computed from it as stale. */
double hol_data_time(const hol_data *data);
const double *hol_data_q(const hol_data *data);
const double *hol_data_v(const hol_data *data);
void hol_data_set(hol_data *data, double t, const double *q, const double *v);

/* The results of the last solution of the equations of motion: v' and lambda. */
const double *hol_data_acceleration(const hol_data *data);
const double *hol_data_multipliers(const hol_data *data);

/* Compute everything up to the stage. */
hol_status hol_data_update(hol_data *data, hol_stage stage);

/* Residuals of the constraints at the current state: Phi (n_holonomic) and psi = A v - b (n_constraints). */
const double *hol_data_position_residual(hol_data *data);
const double *hol_data_velocity_residual(hol_data *data);

/* The pose of a body: position of its frame's origin and a 3x3 rotation (row-major, body to global). */
typedef struct hol_pose {
    double r[3];
    double R[9];
} hol_pose;

/* Body n_bodies is ground. */
hol_pose hol_data_body_pose(hol_data *data, int body);

/* The angular velocity of a body and the velocity of its frame's origin, both in the global frame. */
typedef struct hol_twist {
    double v[3];
    double omega[3];
} hol_twist;

hol_twist hol_data_body_twist(hol_data *data, int body);

/* Energies: kinetic, potential, work done so far by everything that is not conservative, and the balance
 * kinetic + potential - work, which stays constant in an exact solution. */
typedef struct hol_energy {
    double kinetic, potential, work, balance;
} hol_energy;

hol_energy hol_data_energy(hol_data *data);

/* What the first body of a joint receives from it, at the joint: in the global frame and in the joint's
 * frame (z along the axis, fixed in the first body). Valid after the equations of motion were solved. */
typedef struct hol_reaction {
    double point[3];
    double force[3], moment[3];
    double force_joint[3], moment_joint[3];
    int unique; /* 0 when redundant constraints leave it undetermined (minimum-norm choice shown) */
} hol_reaction;

hol_reaction hol_data_reaction(hol_data *data, int joint);

/* What the first body of a force receives from it, in the global frame, at the force's point on that body. */
typedef struct hol_load {
    double point[3];
    double force[3], moment[3];
} hol_load;

hol_load hol_data_force(hol_data *data, int force);

/* A measured column at the current state; those of acceleration and reaction need solved equations. */
double hol_data_measure(hol_data *data, int column);

/* Forces from the caller, for use inside a hol_force_fn: a force (global frame) at a point given in the
 * body's frame, a torque (global frame); in the plane only x, y and the torque about z count. Their
 * power enters the energy balance. */
void hol_data_add_force(hol_data *data, int body, const double point[3], const double force[3]);
void hol_data_add_torque(hol_data *data, int body, const double torque[3]);

#ifdef __cplusplus
}
#endif
#endif
