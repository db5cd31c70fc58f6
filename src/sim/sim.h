/* sim.h: the simulation object: the only place where formulation, correction and integrator meet. */
#ifndef HOL_SIM_SIM_H
#define HOL_SIM_SIM_H

#include "correct/correct.h"
#include "form/form.h"
#include "form/frame.h"
#include "integ/differences.h"
#include "integ/integrator.h"
#include "kernel/basis.h"
#include "la/rank.h"
#include "sim/sim_options.h"

struct hol_sim {
    hol_context *ctx; /* of the simulation alone: the caller's hears all that it is told */
    const hol_model *model;
    hol__arena arena;
    hol_data *data;
    hol_options *given;             /* a copy of what the run was asked for */
    double options[HOL__OPT_COUNT]; /* its values */

    const hol_method_doc *method;
    const hol__kernel_type *kernel_type;
    const hol__basis_type *basis;
    hol__frame_basis frame_basis;
    hol__nullspace_form nullspace_form;
    hol__reactions reactions;
    const hol__stabilizer_type *stabilizer;
    const hol__correction_type *correction_type;
    const hol__stepper_type *stepper;
    char choice[320]; /* what `auto` picked */

    hol__kernel *kernel;
    hol__form form;
    hol__correction *correction;
    hol__correction *rescue; /* for methods without one, near singular positions; may be NULL */
    hol__system system;
    hol__integrator *integ;
    struct hol__linear *linear; /* implicit integrators have one of these two; else NULL */
    hol__differences *differences;
    int other_forces; /* forces of the caller have come or gone since these were made */
    double *y, *scales;

    unsigned char *redundant, *undetermined; /* by row, from the last rank analysis */
    hol_rank rank;

    int started, eased;
    hol__kernel *
        monitor; /* shows how near a singular position is: the kernel, or kkt beside one that does not show it */
    double share,
        usual; /* of the most dependent constraint: at the last accepted state, and the largest so far */
    double past_share[3], past_t[3]; /* its last values, latest first, and how many there are */
    int n_past;
    double t_singular;     /* when it will be zero, by these; INFINITY: not foreseen */
    double singular_width; /* how near to it in time rounding errors count */
    double *v_before, t_before, a_before,
        balance_before; /* at the last accepted state away from singular positions */
    int near_singular;  /* since then one was near */
    double t_stop;      /* where the step under way has to end at the latest */
    hol_end end;
    long output_index;
    double event_value; /* of stop_when at the last step */
    double moved;
    double max_position, max_velocity;
    double balance0, balance, max_balance, max_kinetic, potential_low, potential_high, max_work;
    double wall_time;
};

/* Choose method, kernel, stabiliser, correction and integrator from the options; reports clashes. */
hol_status hol__sim_choose(hol_sim *sim);

/* The system that the integrator sees; after the form and the corrections. */
hol__system hol__sim_system(hol_sim *sim);

/* Where an option was set, for messages. */
hol_location hol__sim_option_where(const hol_sim *sim, int option);

/* For implicit integrators: derivatives of the system, once it is known; and again where forces of
 * the caller have come or gone. */
hol_status hol__sim_make_derivatives(hol_sim *sim);
void hol__sim_free_derivatives(hol_sim *sim);

/* Rank analysis at the current state. */
hol_status hol__sim_analyse(hol_sim *sim);

/* A warning that names the redundant rows and the joints whose reactions are not unique. */
void hol__sim_report_redundant(hol_sim *sim);

/* Take residuals and energies of the current state into the record. */
hol_status hol__sim_watch(hol_sim *sim, int first);

/* Whether a singular position is near: the share of the most dependent constraint is small against the usual one. */
int hol__sim_near_singular(const hol_sim *sim);

/* At a start, or at a state that was set: nothing is known of what was before. */
hol_status hol__sim_watch_start(hol_sim *sim);

/* Through and behind a singular position the velocity must not jump, or the motion has changed its branch. */
hol_status hol__sim_watch_branch(hol_sim *sim);

/* Energy scale: the largest kinetic energy, range of potential energy, or work so far, and not below that of a very slow motion. */
double hol__sim_energy_scale(const hol_sim *sim);

/* The value of stop_when (NaN counts as not positive). */
double hol__sim_event(hol_sim *sim);

/* A step just made passed the stop: find the instant, end the step there. */
hol_status hol__sim_locate_stop(hol_sim *sim, double before);

#endif
