/* sim.h: a simulation: a model, a method, an integrator, and the loop that runs them.
 *
 * hol_sim_new allocates everything that a run needs and assembles the mechanism; afterwards our
 * own integrators allocate nothing, but where joints or forces take hold or let go. Drive it a
 * step at a time (hol_sim_step), to a time (hol_sim_advance), or whole (hol_sim_run), with the
 * same result.
 */
#ifndef HOLONOM_SIM_H
#define HOLONOM_SIM_H

#include "data.h"
#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_sim hol_sim;

/* Set up a run of the model with the options (NULL: the defaults), which are copied. Messages go to
 * ctx, which must outlive the simulation, as must the model. NULL on failure (the mechanism cannot
 * be assembled, has no equilibrium to start at, options clash, no memory): see the messages. */
hol_sim *hol_sim_new(hol_context *ctx, const hol_model *model, const hol_options *options);
void hol_sim_free(hol_sim *sim);

/* The model as it was given, and the simulation's own context: what was said of its model and by
 * the run, and by no other. */
const hol_model *hol_sim_model(const hol_sim *sim);
hol_context *hol_sim_context(const hol_sim *sim);

/* The state now. It belongs to the simulation. Where joints or forces take hold or let go during
 * the run it becomes a state of another model (hol_data_model): arrays that it gave out are then
 * gone, and have other lengths, the data itself stays. */
hol_data *hol_sim_data(hol_sim *sim);

/* Forces from the caller, added at each evaluation of the equations of motion with
 * hol_data_add_force. Non-zero from the callback stops the run with that status. Set it before the
 * first step. */
typedef hol_status hol_force_fn(void *user, hol_data *data);
void hol_sim_on_force(hol_sim *sim, hol_force_fn *fn, void *user);

/* Continue from a state of the caller's: where the method has a correction it is brought onto the
 * constraints first, otherwise it is taken as it is, drift included. Full turns of bodies and
 * joints, which q does not hold, are counted on from the angles that the data has: to continue
 * from a snapshot, hol_data_copy it to hol_sim_data before; the joints and forces that act are
 * then those of the snapshot. Those with memory of `until` and `from` go on as they are. */
hol_status hol_sim_restart(hol_sim *sim, double t, const double *q, const double *v);

/* The exact state between steps: how many bytes it takes now; into the block; and back. A
 * simulation of the same model with the same options that loads it goes on as the one that saved
 * it, with the same bits, statistics included; so a run that is split by a checkpoint is the whole
 * run. The bytes are those of this build on this kind of machine. Saving needs as many bytes as
 * hol_sim_state_size says right before. Set forces of the caller before loading. A block of another
 * model, method or integrator, or a damaged one, is refused with a message, and nothing changes. A
 * checksum finds damage and not malice: load blocks of your own only. checkpoint.h keeps a state
 * with its results in files. */
size_t hol_sim_state_size(hol_sim *sim);
hol_status hol_sim_state_save(hol_sim *sim, void *block, size_t size);
hol_status hol_sim_state_load(hol_sim *sim, const void *block, size_t size);

/* One accepted step of the integrator (it may land earlier on the end of the run);
 * HOL_ERR_ARGUMENT, with a message, when the run is over. */
hol_status hol_sim_step(hol_sim *sim);

/* Steps until the time t, which is met exactly, at most to the end of the run's span if t is beyond
 * a stop; nothing where the run is there already. HOL_ERR_ARGUMENT, with a message, for a t that is
 * not finite, and after a run has failed until it is restarted. */
hol_status hol_sim_advance(hol_sim *sim, double t);

/* Why a run ended. */
typedef enum hol_end {
    HOL_END_RUNNING,
    HOL_END_TIME,
    HOL_END_STOP,
    HOL_END_INTERRUPTED,
    HOL_END_FAILED
} hol_end;

/* Called by hol_sim_run: on_output at each output time (accelerations, multipliers, measures and
 * reactions are those of the method; inside a step they are solved for when they are asked for,
 * here or in a copy of the data); on_step after each accepted step. Non-zero from either stops the
 * run: HOL_ERR_INTERRUPTED cleanly, any other status as a failure. Either may be NULL. */
typedef struct hol_observer {
    hol_status (*on_output)(void *user, hol_sim *sim);
    hol_status (*on_step)(void *user, hol_sim *sim);
    void *user;
} hol_observer;

/* With tolerance_kind: end the first call that steps makes the runs that find the step; on_step of
 * the observer is called in these too, with their simulations, and may stop them.
 *
 * HOL_OK at the end of the span or where stop_when is met; a run that ends beyond its tolerances
 * says so in warnings and in hol_sim_info (beyond, verdict). */
hol_status hol_sim_run(hol_sim *sim, const hol_observer *observer);

/* Called by hol_sim_run before every step, when the observer has seen all that is due up to there.
 * A state that is saved within it (hol_sim_state_save, hol_checkpoint_write) goes on in hol_sim_run
 * with that step, and both runs together are the whole run, to the last bit, output included.
 * Non-zero stops the run as in the observer. NULL: nobody. */
typedef hol_status hol_checkpoint_fn(void *user, hol_sim *sim);
void hol_sim_on_checkpoint(hol_sim *sim, hol_checkpoint_fn *fn, void *user);

/* The number of output times of a whole run; 0 where every step is one (output: steps). */
double hol_sim_rows(const hol_sim *sim);

/* "running", "time", "stop", "interrupted", "failed". */
const char *hol_end_name(hol_end end);

/* Numbers that belong to the simulation and last until its next step. */
typedef struct hol_list {
    const double *values;
    int n;
} hol_list;

/* What the run is made of and what it cost. */
typedef struct hol_sim_info {
    size_t size; /* sizeof(hol_sim_info), set by the caller */
    const char *method, *kernel, *stabilizer, *correction, *integrator, *coordinates;
    const char *choice; /* what `auto` picked and why; "" when nothing was left to it */
    double t_start, t_end, t;
    double step; /* the last step size */
    /* factorizations: of every solver of the run, those of independent coordinates and of
     * corrections included */
    long steps, rejected, evaluations, factorizations, corrections, refinements;
    double max_position_violation, max_velocity_violation; /* largest norms over accepted steps */
    double relative_energy_error; /* largest |balance - start| / energy scale */
    /* largest kinetic energy, range of the potential or work; at least that of a very slow motion
     * */
    double energy_scale;
    long crossings;          /* singular positions that were crossed … */
    hol_list crossing_times; /* … and when: the first 1024 */
    long coordinate_changes; /* new choices of independent coordinates, by a state or a basis */
    int dof, n_redundant, n_constraints;
    double wall_time;
    hol_end end;
    double assembly_correction; /* how far assembly moved the drawn position */
    /* hybrid: changes between Baumgarte's terms and pure partitioning, steps with either */
    long hybrid_switches, term_steps, partition_steps;
    int local_coordinates; /* of the basis local: k; 0 with another solver */
    /* norms at the start, which do not count as violations of the run where it starts as drawn */
    double start_position_violation, start_velocity_violation;
    long switches; /* instants at which joints or forces took hold or let go … */
    /* … when, what it was, and the energy that was lost there; by event and joint what its first
     * body received, impulse (N s) and angular impulse (N m s), three numbers each (hol_sim_event,
     * hol_sim_event_impulse) */
    hol_list switch_times, switch_losses, switch_impulses;
    const char *switch_names;
    /* Whether the run ended within what its tolerances mean: "met", "not met: positions, energy",
     * or "unfinished"; the same as HOL_BEYOND_... bits (of the run so far), what was reached
     * (residuals as shares of the mechanism's size) and the limits. */
    const char *verdict;
    unsigned beyond;
    double relative_position_violation, relative_velocity_violation;
    double violation_limit, energy_error_limit;
    long instants; /* instants of time at which steps ended because a law jumps or has a corner */
    long corners;  /* changes of conditions on the state within laws, contacts begun and ended */
    /* by measured column, the least and the largest value over all accepted steps, and when;
     * infinite and NaN before the first step, none with the option `extremes: off` */
    hol_list minima, minimum_times, maxima, maximum_times;
    /* tolerance_kind: end: how many runs it took, and what the measures of the last two differ by,
     * over their sizes */
    int repeats;
    double estimated_error;
    /* the largest reaction, reaction moment and force over the accepted steps at which they were
     * known, with element and time, as a result file with reactions says when it is closed; ""
     * before, and without such a file */
    const char *largest_loads;
    long events; /* how often events of the section `events` have happened, when, and which */
    hol_list event_times;
    const char *event_names; /* "latch; mark; latch" */
    const char *dae_form;    /* of the constrained equations of method dae; "" for other methods */
    /* sets of derivatives of the equations that implicit integrators took; those by differences
     * count as evaluations instead */
    long derivatives;
    /* with compiled code (generate.h): evaluations that integrators asked for and the library made,
     * because the code had no digits there or the caller adds forces */
    long beside_code;
    /* start_at: equilibrium: "stable", "neutral", "unstable" or "undecided", "" where the run
     * starts as drawn; and the way to it of the body that went farthest, rotations times the
     * length of the mechanism */
    const char *equilibrium;
    double equilibrium_moved;
    const char *certificate; /* what hol_certify_run found; "" before */
} hol_sim_info;

/* What of a run is beyond its tolerances. */
enum { HOL_BEYOND_POSITIONS = 1, HOL_BEYOND_VELOCITIES = 2, HOL_BEYOND_ENERGY = 4 };

hol_status hol_sim_describe(const hol_sim *sim, hol_sim_info *info);

/* What a joint or a force did at an event. The last three are those of joints that push and do not
 * pull (rigid contacts, stops, ropes): hit, and open again or closed as before; sticking or sliding
 * from then on. */
typedef enum hol_change {
    HOL_LETS_GO = -1,
    HOL_STAYS = 0,
    HOL_TAKES_HOLD = 1,
    HOL_IS_HIT = 2,
    HOL_STICKS = 3,
    HOL_SLIDES = 4
} hol_change;

/* "lets go", "", "takes hold", "is hit", "sticks", "slides"; "unknown" for anything else. */
const char *hol_change_name(hol_change change);

/* An instant at which joints or forces took hold or let go, by `active` or by an event; at
 * which joints that push were hit or began to stick or slide; or at which an event of the section
 * `events` happened. */
typedef struct hol_event {
    size_t size; /* sizeof(hol_event), set by the caller */
    double t;
    /* by joint and by force what it did (hol_change): 1 where it took hold, -1 where it let go */
    const signed char *joints, *forces;
    /* what the mechanism lost: kinetic energy in the jump of the velocities, potential of forces
     * that let go; less than 0 where drivers or forces that took hold brought more */
    double energy_lost;
    double gap; /* by how much the joints that took hold were open, in m and rad */
    int dof, n_redundant;
    const char *name; /* of the event in the section `events`; "": by the key `active` */
    int rebounds;     /* the joint along which bodies rebound, by the action `impact`; -1: none */
} hol_event;

/* Event i of the run so far; HOL_ERR_ARGUMENT past the last. The arrays last until the next
 * step. */
hol_status hol_sim_event(const hol_sim *sim, int i, hol_event *event);

/* What the first body of a joint received from it at event i: impulse (N s) and angular impulse
 * about the point (N m s), in the global frame; zero where no joint took hold or was hit. */
typedef struct hol_impulse {
    size_t size; /* sizeof(hol_impulse), set by the caller */
    double point[3];
    double impulse[3], angular[3];
    int unique; /* 0 when redundant constraints leave it undetermined (minimum-norm choice shown) */
} hol_impulse;

hol_status hol_sim_event_impulse(const hol_sim *sim, int i, int joint, hol_impulse *impulse);

/* The members of hol_sim_info as a table of statistics, from which the summary, JSON, result files,
 * reports and comparisons take them. */
typedef enum hol_statistic_kind {
    HOL_STATISTIC_COUNT,
    HOL_STATISTIC_REAL,
    HOL_STATISTIC_TEXT,
    HOL_STATISTIC_LIST
} hol_statistic_kind;

/* Who shows a statistic. */
enum {
    HOL_SHOW_SUMMARY = 1, /* a line of its own in the summary of a run: counts and lists if not 0 */
    HOL_SHOW_JSON = 2,
    HOL_SHOW_HEAD = 4,     /* known at the start: stored in the head of a result file */
    HOL_SHOW_FILE = 8,     /* stored in a result file with its statistics when it is closed */
    HOL_SHOW_LISTING = 16, /* named by `holonom results` */
    HOL_SHOW_REPORT = 32,
    HOL_SHOW_COMPARE = 64 /* in the JSON of a comparison beside its columns, see below */
};

/* One row of the table. */
typedef struct hol_statistic {
    const char *key;    /* in JSON, and in result files unless `stored` says otherwise */
    const char *stored; /* the key in result files; NULL: the same */
    const char *title;  /* for readers: "wall time" */
    const char *format; /* of a real in the summary, as printf has it */
    hol_statistic_kind kind;
    unsigned show;
    int column;          /* its order among the columns of a comparison; 0: not shown there */
    const char *heading; /* of that column in text */
    const char *latex;   /* and in LaTeX */
} hol_statistic;

/* Row i; NULL past the end. */
const hol_statistic *hol_statistic_get(int i);

/* The value of a statistic: the member of its kind is set; `real` for counts too. */
typedef struct hol_statistic_value {
    long count;
    double real;
    const char *text;
    hol_list list;
} hol_statistic_value;

/* The value that row i has in the info of a run. */
hol_statistic_value hol_statistic_of(const hol_sim_info *info, int i);

/* The options of the run. They belong to the simulation. */
const hol_options *hol_sim_options(const hol_sim *sim);

/* The unit in which results show a quantity with that SI unit ("m/s"), and a measured column: what
 * the option units asks for, or the key `unit` of the measure. hol_unit_show converts. */
void hol_sim_unit(const hol_sim *sim, const char *si, hol_unit *out);
hol_status hol_sim_measure_unit(const hol_sim *sim, int measure, hol_unit *out);

/* Methods, integrators, corrections …: the rows of the tables, for lists and help. */
typedef struct hol_method_doc {
    const char *name, *title;
    const char *state, *kernel, *basis, *stabilizer, *correction;
    const char *source;
    const char *form;        /* of the null-space kernel: "reduced" or "stacked"; NULL elsewhere */
    const char *coordinates; /* those it takes unless others are asked for; NULL: reference */
} hol_method_doc;

/* Row i of the method table; NULL past the end. */
const hol_method_doc *hol_method_get(int i);

typedef struct hol_part_doc {
    size_t size;      /* sizeof(hol_part_doc), set by the caller */
    const char *part; /* "kernel", "solver", "integrator", "correction", "gains", … */
    const char *name, *title;
} hol_part_doc;

/* Part i over all tables; HOL_ERR_ARGUMENT past the end. */
hol_status hol_part_get(int i, hol_part_doc *doc);

/* Constraint analysis at the current state (rank-revealing): see holonom check. */
typedef struct hol_rank {
    size_t size;     /* sizeof(hol_rank), set by the caller */
    int rank;        /* independent constraints */
    int n_redundant; /* constraints minus rank */
    int dof;         /* velocities minus rank */
    int n_rows;
    const unsigned char *redundant;    /* n_rows: 1 where a row can be left out */
    const unsigned char *undetermined; /* n_rows: 1 where the multiplier is not unique */
    double smallest; /* smallest accepted pivot over the largest: small near singular positions */
} hol_rank;

/* Analyse now; the arrays belong to the simulation and last until the next call. */
hol_status hol_sim_rank(hol_sim *sim, hol_rank *rank);

#ifdef __cplusplus
}
#endif
#endif
