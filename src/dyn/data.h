/* data.h: the mutable state of a model and the stage pipeline.
 *
 * Invariants:
 *   1. stage says up to where everything is computed for (t, q, v); changing the state lowers it.
 *      Stage ACC is DYN with solved set, which hol__data_stale and hol__data_set_solved change.
 *   2. stamp (never 0) changes whenever q or t change: a factorisation that remembers it knows
 *      whether it still holds.
 *   3. All numbers lie in one block, so that a copy is one memcpy.
 *   4. Everything that an answer needs belongs to the data: kernel and twin are its own, and
 *      nothing in it points at a simulation.
 */
#ifndef HOL_DYN_DATA_H
#define HOL_DYN_DATA_H

#include "coords/local.h"
#include "kernel/kernel.h"

#include <holonom/sim.h>

/* Who solved the equations of motion for a and lambda at this state. */
typedef enum hol__solved {
    HOL__SOLVED_NOT,
    HOL__SOLVED_PLAIN, /* hol_data_solve: M a + A^T lambda = Q, A a = c */
    HOL__SOLVED_METHOD /* the method of a run, its stabiliser included */
} hol__solved;

/* What has been made from the solution, or from the forces, of this state. */
enum {
    HOL__KNOWN_ACC = 1,      /* acc */
    HOL__KNOWN_TREE = 2,     /* reactions */
    HOL__KNOWN_TWIN = 4,     /* the twin is at this state and solved */
    HOL__KNOWN_MEASURES = 8, /* the columns in inputs */
};

/* Constraints that are not evaluated: by record, batch after batch, 1 where it is not; by row, 1
 * where it belongs to such a record and is zero; by row, 1 where nobody needs it. */
typedef struct hol__spared {
    const unsigned char *records, *zero, *rows;
    int all; /* none is evaluated */
} hol__spared;

/* What a run has left undone at a state inside a step that it shows its observer; NULL: nothing.
 * self goes to the functions. */
typedef struct hol__later {
    hol_status (*velocities)(void *self); /* bring them onto the constraints */
    hol_status (*solution)(void *self);   /* solve by the method of the run */
    void *self;
} hol__later;

struct hol_data {
    const hol_model *model;
    hol_context *ctx;
    double *block; /* all arrays below that hold doubles */
    size_t block_size;

    /* state */
    double t, work;
    double *q, *v;
    double *angles_base; /* tracked angles at the last accepted state */
    double *aux;         /* states that elements added */
    double *memory;      /* what forces remember of the last accepted state */

    /* solution of the equations of motion */
    double *a, *lambda;
    hol__solved solved;
    hol__later later; /* what is still to be done at this state when somebody asks */
    int moving;       /* a is that of the method, lambda is not known yet */
    unsigned known;   /* HOL__KNOWN_... */

    /* derived */
    hol_stage stage;
    unsigned long stamp;
    unsigned long b_stamp; /* stamp for which all of b holds */
    double *Phi, *b, *c, *psi, *Q;
    hol__csr A; /* pattern of the model, values here */
    hol__csr M; /* that of the model where it is constant, else made when asked for (mass.c) */
    double *mass_block;          /* its entries and their columns; NULL: nobody has asked */
    struct hol__data_root *root; /* M by its root (mass.c); NULL: nobody has asked */
    int by_root;                 /* products with M go through it */
    double *G;    /* rows over the velocities of the bodies: A.x in reference-point coordinates */
    double *load; /* wrenches on the bodies, ground last: Q in reference-point coordinates */
    double *recursion;        /* of the coordinates */
    double *reactions;        /* of the joints of the tree, six a link */
    unsigned long mass_stamp; /* stamp for which M holds */
    int recursive;            /* accelerations come from the recursion: Q is not made */
    /* the constraints in local coordinates, at the positions of A; NULL: nobody wants them */
    hol__local *local;
    double *Adot;
    double *Gdot; /* that of G: Adot in reference-point coordinates */
    double *angles;
    /* stamp for which angles hold: what is followed from its last value is found once a state */
    unsigned long angles_stamp;
    double *inputs, *scratch, *trash;
    double *acc;    /* a with zeros for ground */
    double *wrench; /* of one force on all bodies, ground last */
    hol__bodies bodies;
    double *aux_rate;
    double potential, power;

    /* forces of the caller, and what they did: wrenches on the bodies, ground last */
    hol_force_fn *on_force;
    void *user;
    double *called;
    int calling;   /* the caller is being asked */
    double *slide; /* friction of rigid contacts that slide (slide.c) */
    int halted;    /* drivers stand still (halt.c) */

    const hol__element
        *culprit; /* what was not finite in an evaluation that failed, at culprit_time */
    double culprit_time;

    /* the rank of the constraints, from the last analysis (hol__data_analyse) */
    int analysed;
    int redundant; /* some constraints depend on others, or nobody has looked yet */
    int rank;
    double smallest; /* smallest accepted pivot over the largest */
    /* by row: 1 where it can be left out; 1 where its multiplier is not unique; 1 where it is one
     * to set aside */
    unsigned char *redundant_rows, *undetermined, *aside;
    /* the constraints that are not evaluated (spare.c); NULL: none, as always between the steps of
     * a run */
    const hol__spared *spared;
    const hol__spared *owed; /* those that were not evaluated up to the stage; NULL: none */
    int blank;               /* the rows of those that were spared last are zero */

    /* the solver of the data's own, made when it is first needed */
    hol__kernel_options solving; /* storage and tolerances */
    hol__kernel *kernel;
    int solves_redundant; /* redundant, when the kernel was made */
    unsigned long held; /* stamp for which the kernel whose memory this one has held the factors */

    /* Where joints hold by the coordinates themselves: the same state in reference-point
     * coordinates, in which every joint has its multipliers. NULL until reactions need it. */
    hol_data *twin;
};

/* Nothing that follows from forces or accelerations is valid any more. */
static inline void hol__data_stale(hol_data *data) {
    data->solved = HOL__SOLVED_NOT;
    data->moving = 0;
    data->known = 0;
}

/* a and lambda are the solution at this state. */
static inline void hol__data_set_solved(hol_data *data, hol__solved by) {
    data->solved = by;
    data->moving = 0;
    data->known = 0;
}

/* The data becomes one of another model, at its drawn position; forces of the caller stay. On
 * failure it is as it was. */
hol_status hol__data_remake(hol_data *data, const hol_model *model);

/* ---- from one model of the same bodies to another (carry.c) ---- */

/* q and v in reference-point coordinates from the bodies of a data (stage VEL). */
void hol__data_bodies_state(const hol_data *from, double *q, double *v);

/* Time, positions and velocities of the bodies, full turns included, in the coordinates of `to`. */
void hol__data_take_bodies(hol_data *to, hol_data *from);

/* What elements keep beside them, and the work, where both models have the same elements. */
void hol__data_take_elements(hol_data *to, const hol_data *from);

/* Both. */
void hol__data_carry(hol_data *to, hol_data *from);

/* Whether two models have the same unknowns and rows, so that the numbers of a state of one are a
 * state of the other; and that state, forces of the caller included. */
int hol__models_are_alike(const hol_model *a, const hol_model *b);
void hol__data_take_numbers(hol_data *to, const hol_data *from);

/* Two data change places, each with its model; forces of the caller stay where they are. */
void hol__data_exchange(hol_data *a, hol_data *b);

/* ---- constraints that are not evaluated (spare.c) ---- */

/* From here on, with zeros in their rows; and all of them again, those that are owed at the current
 * state when hol_data_update is asked for it. */
void hol__data_spare(hol_data *data, const hol__spared *spared);
void hol__data_complete(hol_data *data);
void hol__data_settle(hol_data *data);

/* Factors no longer hold, while all that was evaluated does. */
void hol__data_forget_factors(hol_data *data);

/* Evaluate the constraints that are spared, or all others (update.c). */
void hol__data_fill_constraints(hol_data *data, int want, int spared);

/* Rows and right-hand sides of the bodies over to those of the coordinates (update.c). */
void hol__data_map_constraints(hol_data *data, int want);

/* ---- the data's own solution (solve.c, rank.c, twin.c) ---- */

/* Local coordinates at the positions of the data, evaluated. */
void hol__data_fill_local(hol_data *data, hol__local *local);

/* What the analysis of another data of the model found, in place of an own one. */
void hol__data_adopt_rank(hol_data *data, const hol_data *from);

/* The rank of the constraints at the current position, kept in the data; it allocates while it
 * works. */
hol_status hol__data_analyse(hol_data *data);

/* Storage and tolerances of the data's own kernel and of its twin's; those that were made with
 * others are dropped. */
void hol__data_set_solving(hol_data *data, const hol__kernel_options *options);

/* a and lambda where nobody has solved, by the method of the run that looks at the state or as in
 * hol_data_solve, without a message: > 0 where it cannot be done here. */
hol_status hol__data_accelerate(hol_data *data);

/* Do what a run has left undone: the velocities; these and the solution, for a caller who may only
 * look and asks for it. */
hol_status hol__data_settle_velocities(const hol_data *data);
void hol__data_settle_solution(const hol_data *data);

/* The data's own kernel, made once; and with the factors at the current position. */
hol_status hol__data_make_kernel(hol_data *data);
hol_status hol__data_factor(hol_data *data);

/* ---- drivers that stand still (halt.c) ---- */

/* All velocities become zero and drivers hold what they have come to, from here on and in copies: b
 * and the rates of their states are zero, and so is c, which at rest is of second order in the
 * velocities. For equilibria and small motions about them; not to be run on from. */
void hol__data_halt(hol_data *data);

/* The same of rows (stage VEL) and rates (stage DYN) that were evaluated. */
void hol__data_halt_rows(hol_data *data);
void hol__data_halt_states(hol_data *data);

/* ---- rigid contacts that slide (slide.c) ---- */

/* The numbers that they take in a data; their friction, added to load, when Q without it is there;
 * what it does to the bodies, NULL where nothing slides; the push of slide k, and what its friction
 * would do to the bodies for a unit push. */
int hol__slide_size(const hol_model *model);
hol_status hol__data_slide(hol_data *data);
const double *hol__data_rubbing(const hol_data *data);
double hol__data_slide_push(const hol_data *data, int k, const double **wrench);

/* The part of the push of a row that slide k carries. */
double hol__data_slide_part(const hol_data *data, int k, int row);

/* Where something slides and slots share: the push that a slot carries; of one that is idle it is
 * negative where it should carry a part. */
double hol__data_carries(const hol_data *data, int joint, int slot);

/* The speed over which friction changes its direction, the least of all that slides; in the plane
 * it does not, and where nothing slides: INFINITY. */
double hol__data_slide_range(hol_data *data);

/* Whether something acts whose derivatives follow by differences: forces of the caller, friction of
 * contacts that slide. */
static inline int hol__data_is_pushed(const hol_data *data) {
    return data->on_force || data->model->n_slides;
}

/* Whether the reactions come from the twin (the rank is known). */
int hol__data_needs_twin(const hol_data *data);

/* The twin at the state of data, solved. */
hol_status hol__data_twin(hol_data *data);

/* Have a twin, at no particular state, or none. */
hol_status hol__data_have_twin(hol_data *data, int wanted);

/* The kernel and the twin of dst as they are in src: made where they are missing, remembering the
 * same. */
hol_status hol__data_copy_solver(hol_data *dst, const hol_data *src);

/* ---- the exact state (state.c) ---- */

/* How many bytes the state takes now; out; and in. Loading makes what the state needs of kernel and
 * twin; a data that cannot take the bytes (HOL_ERR_ARGUMENT) stays as it is. */
size_t hol__data_state_size(hol_data *data);
void hol__data_state_save(hol_data *data, void *block);
hol_status hol__data_state_load(hol_data *data, const void *block, size_t size);

/* The same as parts of a longer walk: all, and the kernel. */
hol_status hol__data_walk(hol_data *data, hol__archive *archive);
hol_status hol__data_walk_kernel(hol_data *data, hol__archive *archive);

/* A stamp that says which state something belongs to: that of the data, or another. */
void hol__data_walk_stamp(const hol_data *data, unsigned long *stamp, hol__archive *archive);

/* Say why the equations cannot be solved at the current state; returns HOL_ERR_SINGULAR. */
hol_status hol__data_report_unsolvable(hol_data *data, hol_status status);

/* The status of a question of the caller: one that is > 0, of which only integrators make
 * something, becomes HOL_ERR_SINGULAR, with the reason in a message. */
hol_status hol__data_answer(hol_data *data, hol_status status);

/* The forces of the caller, added to load; a failure is reported. */
hol_status hol__data_call(hol_data *data);

/* Whether a law of the element has no value at t: its text, and (table not NULL) the table that it
 * reads beyond its ends. */
int hol__data_law_beyond(const hol_data *data, const hol__element *e, double t, const char **text,
                         hol__beyond *beyond);

/* Name the element that was not finite at t; 0 when none is known. */
int hol__data_report_culprit(const hol_data *data, const hol__element *culprit, double t);

/* The first driver whose law cannot be followed from t0 to t1, at or right before *when (NULL: all
 * can); and its error. */
const hol__element *hol__data_driver_breaks(hol_data *data, double t0, double t1, double *when);
hol_status hol__data_report_break(const hol_data *data, const hol__element *e, double when,
                                  hol_status status);

/* Whether some body has no inertia in some direction. */
int hol__data_has_singular_body(const hol_data *data);

/* Whether constraints and inertias determine every acceleration at the current position: the rank
 * of [A; M] is that of all velocities. 0 where they are not finite, or without memory. */
int hol__data_is_determined(hol_data *data);

/* Set the time, or the coordinates, or the velocities (the arrays are copied unless NULL). */
void hol__data_set_q(hol_data *data, double t, const double *q);
void hol__data_set_v(hol_data *data, const double *v);

/* The rows of A' at the current state, with the pattern of A, into data->Adot. */
void hol__data_adot(hol_data *data);

/* Q at the current state, also where accelerations come from the recursion and nobody needs it;
 * NULL where forces cannot be evaluated. */
const double *hol__data_forces(hol_data *data);

/* mass.c: M at the current position. Where it cannot be made it is zero, and so no kernel factors
 * it; the reason is reported. */
const hol__csr *hol__data_mass(hol_data *data);

/* Room for M, for those who are to say why there is none. */
hol_status hol__data_hold_mass(hol_data *data);

/* Whether M by its root (la/root.h) is cheaper than by its entries; room for it; M so, at the
 * current position. */
int hol__data_prefers_root(const hol_data *data);
hol_status hol__data_hold_root(hol_data *data);
const hol__csr *hol__data_root(hol_data *data);

/* M in the cheaper of the two ways at the current position, for a kernel kkt over it with that
 * storage. */
hol_status hol__data_cheaper_mass(hol_data *data, hol__storage storage, const hol__csr **M);

/* The root holds at no state; or at the current one, if it did at that stamp. */
void hol__data_forget_root(hol_data *data);
void hol__data_carry_root(hol_data *data, unsigned long stamp);

/* M as the kernel was made for, at the current position: by its root or by its entries. */
const hol__csr *hol__data_mass_for(hol_data *data, const hol__kernel *kernel);

/* y = M x. */
void hol__data_mass_times(hol_data *data, const double *x, double *y);

/* What stands for M until then, over the block; how many doubles it takes. */
int hol__mass_lay_out(hol_data *data, double *block);

/* out += M' v at the current state. */
void hol__data_add_momentum_rate(hol_data *data, double *out);

/* T = 1/2 v^T M v for any velocities. */
double hol__data_kinetic(hol_data *data, const double *v);

/* Accelerations of the bodies from a, into data->acc. */
void hol__data_accelerations(hol_data *data);

/* psi = A v - b (stage VEL); and without the rest of that stage where b is known: it depends on
 * time and positions alone, and is zero where no constraint depends on time. */
void hol__data_psi(hol_data *data);
void hol__data_psi_alone(hol_data *data);

/* The power of what is not conservative at a solved state; and (states.c) an error where the column
 * is no input of the model, or the value not finite. */
double hol__data_power(const hol_data *data);
hol_status hol__data_check_input(const hol_data *data, const char *call, int column, double value);

/* Set the states that elements added. */
void hol__data_set_aux(hol_data *data, const double *aux);

/* What rounding may leave in a row of Phi (stage POS): eps max|A_ij| times the largest position or
 * angle, over full turns. */
double hol__data_rounding(const hol_data *data);

/* Make the current angles the base from which full turns are counted, and let forces remember what
 * they need of this state. */
void hol__data_keep_angles(hol_data *data);

/* Arguments for the forces at the current state. */
hol__force_args hol__data_force_args(hol_data *data);

/* What a force does to its bodies, by itself, into data->wrench at these bodies (stage VEL at
 * least); other entries are left as they are. */
void hol__data_force_wrench(hol_data *data, int force);

/* What a force does at the current state (stage DYN), and what it tells of itself. */
void hol__data_tell(hol_data *data, int force, hol__told *out);

/* What gravity does to a body (stage DYN), in the places of a force on its first body. */
void hol__data_weigh(hol_data *data, int body, hol__told *out);

/* Of a joint: the multiplier of its equation k, and the power of what all its equations exert; NaN
 * where the equations of motion cannot be solved. */
double hol__data_multiplier(hol_data *data, int joint, int k);
double hol__data_joint_power(hol_data *data, int joint);

/* The joint or the force that is not finite at the current state; NULL when there is none. */
const hol__element *hol__data_blame(hol_data *data);

/* hol_data_energy for callers inside: all of out is filled. */
hol_status hol__data_energy(hol_data *data, hol_energy *out);

/* All measured columns at the current state into out (n_columns, may be NULL); evaluates up to what
 * each needs. Those of accelerations are not a number where the equations cannot be solved. */
hol_status hol__measure_all(hol_data *data, double *out);

/* Measures that laws need, into data->inputs. */
void hol__measure_live(hol_data *data);

/* Whether the constraints determine the reaction of a joint, as the last rank analysis found. */
int hol__reaction_unique(const hol_data *data, int joint);

/* Which components of the reaction (bits of fx, fy, fz, mx, my, mz, global, at the point of the
 * first body) have a part in multipliers that are not unique, as the data stands; none where it is
 * unique, all where the joint has no rows of its own. */
enum { HOL__OPEN_ALL = 63 };
unsigned hol__reaction_open(const hol_data *data, int joint);

/* The norm of Phi and of psi over the constraints. */
double hol__norm(const double *x, int n);

#endif
