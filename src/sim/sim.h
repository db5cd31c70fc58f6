/* sim.h: the simulation object: the only place where formulation, correction and integrator
 * meet. */
#ifndef HOL_SIM_SIM_H
#define HOL_SIM_SIM_H

#include "base/unit_set.h"
#include "coords/cut.h"
#include "correct/correct.h"
#include "form/dae_form.h"
#include "form/form.h"
#include "dyn/completion.h"
#include "integ/dae.h"
#include "integ/differences.h"
#include "integ/integrator.h"
#include "kernel/basis.h"
#include "la/rank.h"
#include "sim/aside.h"
#include "sim/blocked.h"
#include "sim/contradiction.h"
#include "sim/converge.h"
#include "sim/again.h"
#include "sim/corners.h"
#include "sim/creep.h"
#include "sim/crossing.h"
#include "sim/event_actions.h"
#include "sim/extremes.h"
#include "sim/hybrid.h"
#include "sim/pace.h"
#include "sim/stiff.h"
#include "sim/instants.h"
#include "sim/rigid.h"
#include "sim/sim_options.h"
#include "sim/switching.h"
#include "sim/verdict.h"

/* Read the option `units`; errors name their place. */
hol_status hol__sim_read_units(hol_sim *sim);

/* What moves the state in the data of a simulation, assembled, to a static equilibrium, says what
 * it did, and fills `equilibrium` and `settled_by`. It is an analysis, which the caller of
 * hol__sim_new brings. */
typedef hol_status hol__settle_fn(hol_sim *sim);

struct hol_sim {
    hol_context *ctx;       /* of the simulation alone: the caller's hears all that it is told */
    const hol_model *whole; /* as it was given … */
    const hol_model *model; /* … and that of the elements that act now */
    const hol_model *laws;  /* all elements, with parameters as they are now: conditions, events */
    hol__arena arena;       /* of the parts, which are made for that model */
    hol_data *data;
    hol_options *given;             /* a copy of what the run was asked for */
    double options[HOL__OPT_COUNT]; /* its values */
    hol__unit_set units;            /* of results */
    hol_sim_info made;   /* as it was before a saved state was loaded, for heads of files; size 0:
                        * none was */
    const char *records; /* what results count in place of times ("assembly"); NULL: times */

    const hol_method_doc *method;
    const hol__kernel_type *kernel_type;
    const hol__basis_type *basis;
    hol__completion_basis completion_basis;
    hol__nullspace_form nullspace_form;
    hol__reactions reactions;
    const hol__stabilizer_type *stabilizer;
    const hol__dae_form *dae_form; /* of the equations of method dae */
    const hol__state_type *state;
    const hol__gain_rule_type *gain_rule;
    int held; /* the terms of the stabiliser are held through a step */
    const hol__correction_type *correction_type;
    const hol__correction_type *correction_asked; /* the same, where constraints leave one to do */
    const hol__stepper_type *stepper;
    char choice[320]; /* what `auto` picked */

    hol__kernel *kernel;
    hol__cuts *cuts; /* of the kernel open-chain; NULL: not needed */
    hol__form form;
    const hol__form_code *code; /* of compiled code; NULL: none */
    double *code_numbers;       /* for it; of the context */
    hol__correction *correction;
    hol__system system;
    hol__integrator *integ;
    struct hol__linear *linear; /* implicit integrators have one of these two; else NULL */
    hol__differences *differences;
    struct hol__constrained *constrained; /* for integrators of constrained equations; else NULL */
    hol__dae dae;
    int other_forces; /* forces of the caller have come or gone since these were made */
    double *y, *scales;
    double
        *kept;  /* q, v and the increments at the end of a step, while outputs inside it are made */
    int inside; /* they are being made */
    hol_status unfinished; /* why velocities of one could not be brought onto the constraints */

    unsigned char *redundant, *undetermined; /* by row, from the last rank analysis */
    hol_rank rank;

    char certificate[320]; /* what another analysis of the whole run found of it; "" before */
    int broken;            /* its parts are gone, because new ones could not be made */
    int started;
    hol__sim_aside aside;
    hol__crossing crossing;
    hol__contradiction contradiction;
    hol__verdict verdict;
    hol__creep creep;
    hol__converge converge;
    double asked_tolerance; /* as the options have it; tolerance_kind: end may take a smaller */
    const hol_observer *observer; /* of the run under way; NULL: none */
    hol_checkpoint_fn *on_checkpoint;
    void *checkpoint_user;
    int described;    /* that it has failed */
    int between;      /* the state lies between two steps of hol_sim_run, which goes on there */
    double run_began; /* on the clock */
    hol__hybrid hybrid;
    hol__stiff stiff;
    hol__pace pace;
    hol__again_state again;
    hol__switching switching;
    hol__events events;
    hol__instants instants;
    hol__leap leap;
    hol__corners corners;
    hol__extremes extremes;
    hol_end end;
    long output_index;
    double moved;
    hol__settle_fn *settle;
    const char *equilibrium; /* "stable", … where the run starts at one; else "" */
    double settled_by;       /* m: the way to it of the body that went farthest */
    double start_position, start_velocity, max_position, max_velocity;
    double balance0, balance, max_balance, max_kinetic, potential_low, potential_high, max_work;
    double wall_time;
};

/* hol_sim_new with what finds an equilibrium. */
hol_sim *hol__sim_new(hol_context *ctx, const hol_model *model, const hol_options *options,
                      hol__settle_fn *settle);

/* Choose method, kernel, stabiliser, correction and integrator from the options; reports
 * clashes. */
hol_status hol__sim_choose(hol_sim *sim);

/* So many multiplications an evaluation with matrices that are full need no warning: 10 ms. */
#define HOL__FULL_WITHOUT_WARNING 1e7

/* The gains of the rule, times the step; the formula is chosen. */
hol_status hol__sim_step_gains(hol_sim *sim, hol__step_gains *gains);

/* Positions and velocities at the start, as the option `assemble` says, into data. */
hol_status hol__sim_place(hol_sim *sim, const hol__kernel_options *options);

/* How often a second the mechanism moves by its size at the state in data, and once more: what an
 * error of 1 means in a velocity, in radians or lengths of the mechanism. */
double hol__sim_frequency(const hol_sim *sim);

/* The parts of a simulation that has not started, anew for the values in options. */
hol_status hol__sim_remake(hol_sim *sim);

/* The status of a run that ended with one: > 0 becomes fatal, and where no error was said since
 * there were `errors` of them the reason is said now. */
hol_status hol__sim_explain(hol_sim *sim, int errors, hol_status status);

/* again.c: before a step; after one that failed: whether it is worth another try, for which
 * everything is anew at its start; and after the step, which ended with the status. */
void hol__again_begin(hol_sim *sim);
int hol__again(hol_sim *sim, hol_status status);
void hol__again_end(hol_sim *sim, hol_status status);

/* Nothing that is known of y' holds any more, of the same y. */
hol_status hol__sim_start_anew(hol_sim *sim);

/* failure.c: a note with the figures of the last good state, once, where the run has failed with
 * such a status for reasons of numbers. */
void hol__failure_describe(hol_sim *sim, hol_status status);

/* HOL_ERR_ARGUMENT where the simulation is NULL, or where its parts are gone, with a message that
 * names the call. */
hol_status hol__sim_check(const hol_sim *sim, const char *call);

/* The parts anew for the state in data, as the options were read last. */
hol_status hol__sim_remake_parts(hol_sim *sim);

/* Whether M a = Q of an open tree can be solved by recursion with the parts of the run: nothing
 * else needs M. */
int hol__sim_may_recurse(const hol_sim *sim);

/* Whether the parts of the run can do with M by its root (la/root.h), and that is cheaper. */
int hol__sim_takes_root(const hol_sim *sim);

/* The system that the integrator sees; after the form and the corrections. */
hol__system hol__sim_system(hol_sim *sim);

/* Where an option was set, for messages. */
hol_location hol__sim_option_where(const hol_sim *sim, int option);

/* choose.c: whether the method solves the constrained equations as they are: all constraints with
 * multipliers, and a correction. */
int hol__sim_is_constrained(const hol_sim *sim);

/* choose.c: the formula of `auto` for what is stiff. */
const char *hol__sim_stiff_formula(const hol_sim *sim);

/* Whether these equations as they are make the method (dae). */
int hol__sim_is_dae(const hol_sim *sim);

/* For implicit integrators: derivatives of the system, once it is known; and again where forces of
 * the caller have come or gone. */
hol_status hol__sim_make_derivatives(hol_sim *sim);
void hol__sim_free_derivatives(hol_sim *sim);
void hol__sim_walk_derivatives(hol_sim *sim, hol__archive *archive);

/* Rank analysis at the current state. */
hol_status hol__sim_analyse(hol_sim *sim);

/* The rank that the data knows of. */
void hol__sim_take_rank(hol_sim *sim);

/* A warning that names the redundant rows and the joints whose reactions are not unique. */
void hol__sim_report_redundant(hol_sim *sim);

/* Which components of a reaction are not unique as the mechanism stands (hol__reaction_open). */
unsigned hol__sim_reaction_open(const hol_sim *sim, int joint);

/* Take residuals and energies of the current state into the record. */
hol_status hol__sim_watch(hol_sim *sim, int first);

/* The step that is open leads to numbers that can be squared; otherwise an error that names an
 * element, and the step is taken back. */
hol_status hol__sim_check_finite(hol_sim *sim);

/* independent.c: the coordinates that the user gave go to whoever has independent ones; after form
 * and correction are made. */
hol_status hol__independent_give(hol_sim *sim);

/* independent.c: the next state does not follow from the one before. */
void hol__independent_restart(hol_sim *sim);

/* independent.c: the run has failed with a status at the state in data: where coordinates that were
 * given are the cause, says so. Returns the status to go on with. */
hol_status hol__independent_explain(hol_sim *sim, hol_status status);

/* A correction by a kernel, with the tolerances of the options; NULL without memory. */
hol__correction *hol__sim_correction(hol_sim *sim, const hol__correction_type *type,
                                     hol__kernel *kernel, const hol__kernel_options *options);

/* crossing.c: singular positions. What is lent, before the system is made; all else, after the
 * integrator is. */
hol_status hol__crossing_lend(hol_sim *sim, const hol__kernel_options *options);
hol_status hol__crossing_init(hol_sim *sim);

/* crossing.c: whether the assembled position in data, with dependent constraints, is singular: then
 * the rank is that beside it. */
hol_status hol__crossing_probe(hol_sim *sim, const hol__kernel_options *options);
void hol__crossing_free(hol_sim *sim);
long hol__crossing_factorizations(const hol_sim *sim);

/* crossing.c: correct the state in data, which y was interpolated to at t inside a step; where the
 * correction is not small against the distance to a singular position, the state stays as it is. */
hol_status hol__crossing_correct(hol_sim *sim, double t, const double *y);

/* crossing.c: what it keeps, out or in. */
hol_status hol__crossing_walk(hol_sim *sim, hol__archive *archive);

/* crossing.c: at a start or a state that was set, and at an accepted state, in data. */
hol_status hol__crossing_start(hol_sim *sim);
hol_status hol__crossing_accept(hol_sim *sim);

/* crossing.c: one step, to t_soft at the latest, or up to t_hard where it crosses a singular
 * position. */
hol_status hol__crossing_step(hol_sim *sim, double t_soft, double t_hard);

/* crossing.c: the point at which the right-hand side is taken in a step over a singular position:
 * *y becomes the nearest one on the constraints. */
hol_status hol__crossing_stage(hol_sim *sim, double t, const double **y);

/* crossing.c: the correction of the step under way; NULL: none. */
hol__correction *hol__crossing_correction(const hol_sim *sim);

/* crossing.c: notes that name the joints in a singular position at the state in data, if it is
 * one. */
void hol__crossing_name(hol_sim *sim, hol_status status);

/* Energy scale: the largest kinetic energy, range of potential energy, or work so far, and not
 * below that of a very slow motion; and the energy of all bodies at a speed in sizes of the
 * mechanism a second. */
double hol__sim_energy_scale(const hol_sim *sim);
double hol__sim_energy_of(const hol_sim *sim, double speed);

/* event.c: the time within which two instants are the same. */
double hol__sim_same_instant(double t);

/* event.c: the conditions at the end of a step just made: where one changes, the step ends at that
 * instant, and the end of the run or the switch is set. */
hol_status hol__sim_end_of_step(hol_sim *sim);

/* event.c: read everything that is watched on the interpolant at t; *any: something has changed
 * since the start of the step. And the corners anew at the state in data. */
hol_status hol__sim_read_at(hol_sim *sim, double t, int *any);
hol_status hol__sim_read_corners(hol_sim *sim);

/* corners.c: of the model that acts now; at the state that was read last: whether one has changed;
 * that state as the start of the next step, and as the first one; which were crossed; what they
 * keep. */
hol_status hol__corners_init(hol_sim *sim);
int hol__corners_read(hol_sim *sim);
void hol__corners_accept(hol_sim *sim);
void hol__corners_start(hol_sim *sim);
void hol__corners_crossed(hol_sim *sim);
void hol__corners_walk(hol_sim *sim, hol__archive *archive);

/* corners.c: the times between which the first one changes within the step that was made, the same
 * where none does; the first that has at the numbers g, -1: none; and how far g of it is behind the
 * boundary that it crosses. */
hol_status hol__corners_bracket(hol_sim *sim, double *low, double *high);
int hol__corners_changed(const hol_sim *sim, const double *g);
int hol__corners_other(const hol_sim *sim, int i, double g);
double hol__corners_depth(const hol_sim *sim, int i, double g);

/* event.c: at the start, solved; at the same instant after a switch, or behind a jump of the forces
 * (there with what touches), but for what was decided there; and when it has passed. */
hol_status hol__sim_first_reading(hol_sim *sim);
hol_status hol__sim_read_again(hol_sim *sim, int touches);
void hol__sim_next_instant(hol_sim *sim);

/* leap.c: room and kernel; what the joints ask for in front of an instant; an error where positions
 * would have to jump behind it; and velocities that do, once the integrator is there. */
hol_status hol__leap_init(hol_sim *sim);
void hol__leap_before(hol_sim *sim);
hol_status hol__leap_check(hol_sim *sim);
hol_status hol__leap_after(hol_sim *sim);

/* instants.c: of the model that acts now; from the state in data on; what they keep. */
hol_status hol__instants_init(hol_sim *sim);
void hol__instants_start(hol_sim *sim);
void hol__instants_walk(hol_sim *sim, hol__archive *archive);

/* instants.c: go on behind the instants that the state in data has reached, up to a switch of
 * elements, and find where the next step, to t_hard at the latest, has to end. */
hol_status hol__instants_pass(hol_sim *sim, double t_hard);

/* instants.c: whether instant k of the list is reached at the time t; and when it comes for the
 * first time after `from`, up to `end`: NaN where it does not. */
int hol__instants_reached(const hol_sim *sim, int k, double t);
double hol__instants_when(hol_sim *sim, int k, double from, double end);

/* extremes.c: of all measures; from here on; with the state in data, which may be a sample of the
 * output; a warning where samples miss them. */
hol_status hol__extremes_init(hol_sim *sim);
void hol__extremes_free(hol_sim *sim);
void hol__extremes_start(hol_sim *sim);
void hol__extremes_take(hol_sim *sim, int sample);
void hol__extremes_take_motion(hol_sim *sim); /* positions and velocities alone */
void hol__extremes_warn(hol_sim *sim);
void hol__extremes_walk(hol_sim *sim, hol__archive *archive);

/* switch_start.c: what is watched and which elements act at the start, drawn; its end. */
hol_status hol__switching_init(hol_sim *sim);
void hol__switching_free(hol_sim *sim);

/* switching.c: switch at the state in data for as long as conditions ask for it at this instant. */
hol_status hol__switching_run(hol_sim *sim);

/* switching.c: from the set of elements in `off` to that in `next`, as an entry of the list. */
hol_status hol__switching_change(hol_sim *sim);

/* event_actions.c: what the section `events` of the model needs; its end. */
hol_status hol__events_init(hol_sim *sim);
void hol__events_free(hol_sim *sim);

/* event_actions.c: whether event i may happen when its condition goes over to `now`; it has; and
 * what all that have do, in the order of the file. */
int hol__events_may(const hol_sim *sim, int i, int now);
hol_status hol__events_run(hol_sim *sim);

/* event_list.c: entry i of the list of switches, or -1, has come from the event at hand; and what
 * is kept, out or in. */
hol_status hol__events_note(hol_sim *sim, int entry);
hol_status hol__events_walk(hol_sim *sim, hol__archive *archive);

/* run_loop.c: output time k; the last is the end itself. */
double hol__sim_output_time(const hol_sim *sim, long k);

/* run_loop.c: the state in data as a row of output besides those of the grid. */
hol_status hol__sim_record(hol_sim *sim);

/* switch_entries.c: an entry at the end of the list, not counted yet, NULL without memory; counted;
 * what it holds let go; and the list cut to n entries. */
hol__switch *hol__switching_new_entry(hol_sim *sim);
hol_status hol__switching_close_entry(hol_sim *sim);
void hol__switching_drop_entry(hol_sim *sim, hol__switch *entry);
void hol__switching_shorten(hol_sim *sim, int n);

/* switch_entries.c: an element by its number, joints first, then forces; and "joint 'A' takes hold,
 * force 'F' lets go". */
const hol__element *hol__switching_element(const hol_sim *sim, int i);
void hol__switching_name(const hol_sim *sim, const signed char *change, char *out, size_t size);

/* switch_sets.c: the parts of the set in `off`, at the state of the data that the archive goes on
 * with. */
hol_status hol__switching_load_set(hol_sim *sim, const hol__archive *archive);

/* switch_sets.c: joints that push part, before a state that is set anew. */
hol_status hol__switching_part(hol_sim *sim);

/* switch_sets.c: another data was copied onto that of the run, of a set that is not its own: the
 * parts of that set. */
hol_status hol__switching_adopt(hol_sim *sim);

/* switch_list.c: what it keeps, out or in; reading makes the parts of the set that it finds. */
hol_status hol__switching_walk(hol_sim *sim, hol__archive *archive);

/* sim.c: the parts of a run anew for another model and the state in `next`, which gets the old one,
 * up to the first solution there. */
hol_status hol__sim_change_model(hol_sim *sim, const hol_model *model, hol_data *next);

/* sim.c: the same at the state in data, for another integrator. */
hol_status hol__sim_change_integrator(hol_sim *sim);

/* run_loop.c: what the parts have counted: factorizations, changes of independent coordinates. */
long hol__sim_factorizations(const hol_sim *sim);
long hol__sim_coordinate_changes(const hol_sim *sim);

/* jump.c: rows appear at the state in data, of a model in reference-point coordinates that has
 * them: positions are closed, velocities jump; data->lambda receives the impulses. */
typedef struct hol__jump {
    const signed char *change; /* by joint: 1 where it takes hold; NULL: at an impact none does */
    int joint;                 /* of an impact: its rows have rates of … */
    double restitution;        /* … so much of those before, with the other sign */
    double tolerance;          /* largest gap */
    double gap, work;          /* closed, and done by the impulses */
} hol__jump;

hol_status hol__sim_jump(hol_sim *sim, hol_data *data, hol__jump *jump);

/* reassign.c: the parameters that events set have other values from the state in data on, whose
 * energy was `energy`; what is kept of them, out or in (*other: they differ); and those of another
 * model of the run. */
hol_status hol__sim_reassign(hol_sim *sim, double energy);
hol_status hol__sim_walk_values(hol_sim *sim, hol__archive *archive, int *other);
hol_status hol__sim_adopt_values(hol_sim *sim, const hol_model *model);

/* switch_start.c: what is watched, of the laws as they are now. */
void hol__switching_aim(hol_sim *sim);

/* switch_sets.c: the models of sets that were met are forgotten; and that of the set in `off`, kept
 * from before or compiled (*is_new, which may be NULL: for the first time), NULL without memory. */
void hol__switching_forget_sets(hol_sim *sim);
const hol_model *hol__switching_model(hol_sim *sim, int *is_new);

/* strike.c: an impact along one equation, as one more contact at the state of the run: the entry at
 * the end of the list. */
hol_status hol__sim_strike(hol_sim *sim, const hol__action *action, hol__switch *entry);

/* impact.c: an action of an event: the velocities jump as bodies rebound. */
hol_status hol__sim_impact(hol_sim *sim, const hol__action *action);

/* What bodies that part have to rise by before they are back: `least`, or what the integrator can
 * tell from none. */
double hol__sim_least_rise(const hol_sim *sim, double least);

/* Heights of rebounds that are not told apart from 0. */
double hol__sim_least_height(const hol_sim *sim);

/* resting.c: the bands of numbers that joints hold at rest, at the state in data; and whether a
 * condition that was evaluated last differs from the start of the step within them alone. */
hol_status hol__resting_read(hol_sim *sim);
int hol__resting_holds(const hol_sim *sim, const hol__expr *e);

/* switch_sets.c: the model with a joint beside those that act, to be released; NULL without memory.
 * switch_entries.c: the multipliers in a data of it, which are impulses, into the entry at the end
 * of the list. switching.c: the state of a data, with the impacts of contacts that follow from it,
 * as that of the run. */
const hol_model *hol__switching_with(hol_sim *sim, int joint);
void hol__switching_keep_impulses(hol_sim *sim, hol_data *data);
hol_status hol__switching_take(hol_sim *sim, hol_data *from, hol__switch *entry);

/* switching.c: the slots do what is said from here on, with the directions in this memory, without
 * a look at whether that solves the problem of contact; velocities follow the rows. */
hol_status hol__switching_force(hol_sim *sim, const hol__touch_bits *touch, const double *memory);

/* switch_sets.c: what sticks from here on is held by its velocities alone: neighbouring motions,
 * with which derivatives are found, stick at places of their own. NULL stays. */
void hol__sim_hold_loosely(hol_sim *sim);

/* jump.c: the nearest positions on the constraints in the metric of M; the velocities stay. */
hol_status hol__sim_close_positions(const hol_sim *sim, hol_data *data);

#endif
