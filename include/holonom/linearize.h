/* linearize.h: small motions about a state, a steady motion or a cycle.
 *
 *     s' = A s + B u     g = C s + D u
 *
 * s are independent perturbations of positions, of velocities and of the states of elements, chosen
 * among the coordinates of the model; nonholonomic joints leave fewer of velocities than of
 * positions. Perturbations of a steady motion (a vehicle that rolls on, a governor that turns) are
 * seen from the frame that goes along, in which A is constant. docs/questions/linearize.md and
 * docs/theory/linearize.md say more.
 */
#ifndef HOLONOM_LINEARIZE_H
#define HOLONOM_LINEARIZE_H

#include "answer.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked; all but size may be left 0. */
typedef struct hol_linearize_options {
    size_t size; /* sizeof(hol_linearize_options), set by the caller */
    /* 1: about the steady motion that Newton's iteration finds from the state, with its velocities
     * (an equilibrium where it rests); 2: about the equilibrium that is found from it at rest;
     * with a period: about the cycle that is found */
    int settle;
    /* parameters of the model; drivers, for what is added to their laws; joints, springs and
     * dampers, for loads along them (hol_actuator in inverse.h); or loads on bodies such as
     * "rod.fx" and "rod.mz" (plane: "rod.m") */
    int n_inputs;
    const char *const *inputs;
    /* measures or single columns of them; none: all of the model */
    int n_outputs;
    const char *const *outputs;
    /* frequencies of the response, in Hz, evenly on a logarithmic scale; 0: chosen by the
     * eigenvalues, 400 of them */
    double frequency_from, frequency_to;
    int n_frequencies;
    /* > 0: the motion repeats itself after this time; its multipliers (Floquet) are the answer */
    double period;
} hol_linearize_options;

/* Linear equations about the state in the simulation. *out: facts on the state and its stability,
 * tables eigenvalues, shapes, phases, joints, joint_phases and A; with inputs B, C, D, gain and
 * phase; with a period multipliers and M. spec: the description that the model was compiled from,
 * needed for parameters as inputs (else NULL). how may be NULL. With a period the simulation is run
 * on. Messages go to ctx, which the answer keeps. */
hol_status hol_linearize(hol_context *ctx, hol_sim *sim, const hol_spec *spec,
                         const hol_linearize_options *how, hol_answer **out);

/* What is varied. */
typedef struct hol_locus_options {
    size_t size;           /* sizeof(hol_locus_options), set by the caller */
    const char *parameter; /* of the model, or the path of a number ("bodies.rod.mass") */
    double from, to;       /* its values, from below to above */
    int n;                 /* how many; 0: 101 */
    double at;             /* the time of a run at which; 0: at the start */
    int settle;            /* as above */
} hol_locus_options;

/* Root locus: the eigenvalues over a parameter, for which the model is compiled and started again
 * at every value with the options (NULL: the defaults). *out: tables locus, and crossings: the
 * values at which an eigenvalue crosses the border of stability, located to rounding; also two that
 * cancel between neighbouring values, where slopes and the middle show them. */
hol_status hol_locus(hol_context *ctx, const hol_spec *spec, const hol_options *options,
                     const hol_locus_options *how, hol_answer **out);

/* The modes as motions: of a simulation that stands at the state, as hol_linearize numbers them. */
typedef struct hol_modes hol_modes;

hol_status hol_modes_new(hol_context *ctx, hol_sim *sim, int settle, hol_modes **modes);
void hol_modes_free(hol_modes *modes);
int hol_modes_count(const hol_modes *modes);

/* The time that shows mode i: a period, or three time constants where it does not oscillate. */
double hol_modes_time(const hol_modes *modes, int i);

/* The state of the simulation becomes that of mode i at the time tau after the state, carried on
 * with the steady motion. Its largest displacement is this share of the size of the mechanism, its
 * largest rotation this in radians at most. An oscillation neither grows nor decays here. Not to be
 * run on from: hol_writer_record and hol_sim_data take it. */
hol_status hol_modes_put(hol_modes *modes, int i, double tau, double amplitude, hol_sim *sim);

#ifdef __cplusplus
}
#endif

#endif
