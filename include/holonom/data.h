/* data.h: the state of a mechanism and what follows from it.
 *
 * hol_data is the mutable counterpart of a model: time, coordinates, velocities, accelerations,
 * multipliers and everything computed from them. hol_data_update brings the parts up to the wanted
 * stage, each computed at most once per state.
 *
 *     M(q) v' + A^T lambda = Q(t,q,v)      A v = b      A v' = c      Phi(q,t) = 0
 *
 * A data is complete in itself. It owns what it needs to solve its equations of motion (a kernel,
 * and the same state in reference-point coordinates where joints hold by the coordinates), makes
 * that when it is first needed, and allocates nothing afterwards. A copy is a snapshot that answers
 * every question as the original does, bit for bit, also when the simulation is gone; only the
 * model has to stay.
 *
 * Every call that can fail returns a status and fills what it was asked for through a pointer;
 * indices that do not exist are HOL_ERR_ARGUMENT with a message. Structs that may grow in later
 * versions begin with their size, which the caller sets; the library fills at most that many bytes:
 *
 *     hol_reaction r = {.size = sizeof r};
 *     hol_status status = hol_data_reaction(data, joint, &r);
 *
 * SI units, radians, right-handed frames. Planar bodies have (x, y, theta) of the mass centre;
 * spatial bodies (r, p) with p a scalar-first unit quaternion, and velocities (r', omega in the
 * body frame).
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
    HOL_STAGE_DYN, /* Q, potential energy, power */
    HOL_STAGE_ACC  /* v' and lambda: the equations of motion are solved */
} hol_stage;

/* Data at the drawn position with the given velocities; NULL when there is no memory. Messages go
 * to ctx, which must outlive the data, as must the model. */
hol_data *hol_data_new(hol_context *ctx, const hol_model *model);
void hol_data_free(hol_data *data);

/* The model that the state is one of. In a run in which joints or forces take hold and let go (key
 * `active`) it is one without the rows of those that do not act: sizes of q, v and of all that has
 * rows are those of this model; bodies, joints, forces and measures are those of the model of the
 * run, by name and by index. */
const hol_model *hol_data_model(const hol_data *data);

/* dst becomes a snapshot of src: its state, its solution with the accelerations and multipliers
 * that it had, what is known of its rank, and the force of the caller. Both must be of one model,
 * or of models of one run (hol_data_model): dst is then of that of src. The first copy may
 * allocate; on failure dst is no snapshot. */
hol_status hol_data_copy(hol_data *dst, const hol_data *src);

/* The state. Setting marks everything computed from it as stale. */
double hol_data_time(const hol_data *data);
const double *hol_data_q(const hol_data *data);
const double *hol_data_v(const hol_data *data);
void hol_data_set(hol_data *data, double t, const double *q, const double *v);

/* Compute everything up to the stage. HOL_STAGE_ACC solves the equations of motion where nobody has
 * at this state: in a run the method solves, with its kernel and its stabiliser, and that solution
 * is kept; elsewhere hol_data_solve does. A force of the caller cannot ask for DYN or ACC, which
 * follow from it: HOL_ERR_ARGUMENT. */
hol_status hol_data_update(hol_data *data, hol_stage stage);

/* Solve the plain equations of motion at the state in the data, M v' + A^T lambda = Q, A v' = c,
 * without the stabiliser of any method, in place of a solution that a method may have left; a run
 * that goes on solves for itself again. Needs no simulation: hol_data_new, hol_data_set and this
 * give accelerations, multipliers and reactions, in every set of coordinates. The state is taken as
 * it is, on the constraints or not. HOL_ERR_SINGULAR, with a message that names body or element,
 * where the equations have no solution. */
hol_status hol_data_solve(hol_data *data);

/* v' and lambda of the solution at this state; NULL where nobody has solved (HOL_STAGE_ACC). Inside
 * a run and in copies of it they are those of the method, after hol_data_solve those of the plain
 * equations. On the constraints the two agree. */
const double *hol_data_acceleration(const hol_data *data);
const double *hol_data_multipliers(const hol_data *data);

/* Residuals of the constraints at the current state: Phi (n_holonomic) and psi = A v - b
 * (n_constraints). */
const double *hol_data_position_residual(hol_data *data);
const double *hol_data_velocity_residual(hol_data *data);

/* The pose of a body: position of its frame's origin and a 3x3 rotation (row-major, body to
 * global). */
typedef struct hol_pose {
    double r[3];
    double R[9];
} hol_pose;

/* Body n_bodies is ground. */
hol_status hol_data_body_pose(hol_data *data, int body, hol_pose *out);

/* The angular velocity of a body and the velocity of its frame's origin, in the global frame. */
typedef struct hol_twist {
    double v[3];
    double omega[3];
} hol_twist;

hol_status hol_data_body_twist(hol_data *data, int body, hol_twist *out);

/* Energies: kinetic, potential, work done so far by everything that is not conservative, and the
 * balance kinetic + potential - work, which stays constant in an exact solution. */
typedef struct hol_energy {
    size_t size; /* sizeof(hol_energy), set by the caller */
    double kinetic, potential, work, balance;
} hol_energy;

hol_status hol_data_energy(hol_data *data, hol_energy *out);

/* What the first body of a joint receives from it, at the joint: in the global frame and in the
 * joint's frame (z along the axis, fixed in the first body). Solves the equations of motion where
 * nobody has at this state (HOL_STAGE_ACC). Where joints hold by the coordinates themselves the
 * reactions are those of the plain equations in reference-point coordinates. After one solution
 * every reaction costs the same, however many joints there are. Where the equations cannot be
 * solved its numbers are NaN, with a status. Which reactions are unique is found where the data is
 * first solved, at the start of a run, and by hol_sim_rank. */
typedef struct hol_reaction {
    size_t size; /* sizeof(hol_reaction), set by the caller */
    double point[3];
    double force[3], moment[3];
    double force_joint[3], moment_joint[3];
    int unique; /* 0 when redundant constraints leave it undetermined (minimum-norm choice shown) */
} hol_reaction;

hol_status hol_data_reaction(hol_data *data, int joint, hol_reaction *out);

/* What the first body of a force receives from it, in the global frame: at the place of contact
 * where it is a contact that touches, else at the force's point on that body. The moment is about
 * that point. */
typedef struct hol_load {
    size_t size; /* sizeof(hol_load), set by the caller */
    double point[3];
    double force[3], moment[3];
} hol_load;

hol_status hol_data_force(hol_data *data, int force, hol_load *out);

/* A measured column at the current state; those of acceleration and reaction solve the equations of
 * motion where nobody has (HOL_STAGE_ACC); where that cannot be done they are NaN, with a
 * status. */
hol_status hol_data_measure(hol_data *data, int column, double *out);

/* Forces from the caller, for use inside a hol_force_fn: a force (global frame) at a point given in
 * the body's frame, a torque (global frame); in the plane only x, y and the torque about z count.
 * Their power enters the energy balance. */
hol_status hol_data_add_force(hol_data *data, int body, const double point[3],
                              const double force[3]);
hol_status hol_data_add_torque(hol_data *data, int body, const double torque[3]);

#ifdef __cplusplus
}
#endif
#endif
