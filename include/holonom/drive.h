/* drive.h: a simulation that another program drives: numbers that it gives, steps up to its times,
 * and states for its own integrator. src/fmu/ is made of these calls.
 *
 * Inputs are the variables of a model (measures of that type) that no event sets. They hold from
 * one call to the next; a run in which nothing is set is the run as it is described.
 *
 * For an integrator of the caller's the state is one vector, in SI units,
 *
 *     x = (q, v, z, W)     x' = (q', v', z', W')
 *
 * z: the states of elements (bristles of friction, controllers), W: the work done so far by what is
 * not conservative. q' follows from v: q' = v, and for unit quaternions p' = p (0, omega) / 2. v'
 * is that of the plain equations of motion (hol_data_solve), so that x drifts off the constraints
 * as any integrator lets it; hol_sim_arrive brings it back.
 *
 *     hol_data *data = hol_sim_data(sim);
 *     const int n = hol_data_n_states(data);
 *     hol_data_states(data, x, n);
 *     …
 *     hol_data_set_states(data, t, x, n);
 *     hol_data_rates(data, rates, n);
 */
#ifndef HOLONOM_DRIVE_H
#define HOLONOM_DRIVE_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- inputs ---- */

/* Make an input of a description, before it is compiled: of a parameter that laws, drivers or
 * conditions read (it becomes a variable of the same name; where it decides masses, places or
 * other parameters the compiler says so); a load on a body, "rod.fx" or "rod.mz" (in the plane
 * "rod.m"), global, at the mass centre, which adds a variable "rod_fx" and a force; or a torque
 * about the axis of a joint, "hinge", by a variable "hinge_torque". A variable stays as it is. */
hol_status hol_spec_add_input(hol_spec *spec, const char *name);

/* The measured column of input i, in the order of the measures; -1 past the last. */
int hol_model_input(const hol_model *model, int i);

/* Inputs get values, by their columns, at the state where the simulation is. Forces may jump
 * there: the integrator starts anew, conditions and contacts are read again, and what the change
 * does to the potential is work. Where a driver follows an input the bodies are brought onto the
 * constraints. HOL_ERR_ARGUMENT, with a message and nothing changed, for a column that is no input
 * and a number that is not finite. */
hol_status hol_sim_set_inputs(hol_sim *sim, int n, const int *columns, const double *values);

/* The same in a data that stands by itself: what was computed is stale. */
hol_status hol_data_set_input(hol_data *data, int column, double value);

/* ---- steps ---- */

/* One accepted step, which ends at the time t at the latest; nothing where the run is there
 * already. hol_sim_advance is this call until t is reached. */
hol_status hol_sim_step_to(hol_sim *sim, double t);

/* ---- states for an integrator of the caller's ---- */

/* How many numbers x has; -1 for NULL. */
int hol_data_n_states(const hol_data *data);

/* x of a data; x set, with the time: what was computed is stale; and x' there. n: how many numbers
 * there is room for, at least those of x. */
hol_status hol_data_states(const hol_data *data, double *x, int n);
hol_status hol_data_set_states(hol_data *data, double t, const double *x, int n);
hol_status hol_data_rates(hol_data *data, double *rates, int n);

/* A step of the caller's integrator has ended at the state in the data: full turns are counted from
 * here, and elements take over what they remember of it (the speed at which an impact began). */
hol_status hol_data_accept(hol_data *data);

/* The state that the caller's integrator has come to, in hol_sim_data: it is brought onto the
 * constraints (where the method has a correction), and what has become true since the state before
 * happens: elements switch, bodies hit each other, events of the model run. The state after that
 * is in hol_sim_data. */
hol_status hol_sim_arrive(hol_sim *sim);

/* Whether joints or forces come and go in the run: then so do coordinates, but for reference-point
 * coordinates, whose x keeps its numbers. 0 for NULL. */
int hol_sim_switches(const hol_sim *sim);

/* Numbers whose signs change where hol_sim_arrive will find something to do, or where laws of the
 * state have corners (contacts that begin and end), at the state in hol_sim_data: how many; and
 * they. */
int hol_sim_n_conditions(const hol_sim *sim);
hol_status hol_sim_conditions(hol_sim *sim, double *out, int n);

/* The next time after the state in hol_sim_data at which a law of time jumps; INFINITY where there
 * is none up to `end`. NaN for NULL. */
double hol_sim_next_jump(hol_sim *sim, double end);

/* ---- derivatives ---- */

typedef struct hol_derivatives hol_derivatives;

/* The derivatives of x' and of all measures at the state of a data, which stays as it is: from the
 * tangents of the equations of motion; measures, work and inputs by differences of order four. */
hol_status hol_derivatives_new(hol_data *data, hol_derivatives **derivatives);
void hol_derivatives_free(hol_derivatives *derivatives);

/* Along a direction dx of x (NULL: none; that of a quaternion counts as far as it keeps its
 * length), and du of n_inputs inputs by their columns: how x' follows (n_states numbers), and all
 * measured columns (n_measures numbers). Either result may be NULL. */
hol_status hol_derivatives_along(hol_derivatives *derivatives, const double *dx, int n_inputs,
                                 const int *columns, const double *du, double *rates,
                                 double *measures);

#ifdef __cplusplus
}
#endif

#endif
