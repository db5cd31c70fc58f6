/* data.h: the mutable state of a model and the stage pipeline.
 *
 * Invariants:
 *   1. stage says up to where everything is computed for (t, q, v); changing the state lowers it.
 *   2. stamp (never 0) changes whenever q or t change: a factorisation that remembers it knows whether it still holds.
 *   3. All numbers lie in one block, so that a copy is one memcpy.
 */
#ifndef HOL_DYN_DATA_H
#define HOL_DYN_DATA_H

#include "coords/coords.h"

#include <holonom/sim.h>

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
    int solved;
    int measured; /* the columns in inputs belong to this state */

    /* derived */
    hol_stage stage;
    unsigned long stamp;
    double *Phi, *b, *c, *psi, *Q;
    hol__csr A; /* pattern of the model, values here */
    hol__csr M; /* those of the model where they are constant, else values here (hol__data_mass) */
    double *G;  /* rows over the velocities of the bodies: A.x in reference-point coordinates */
    double *load;      /* wrenches on the bodies, ground last: Q in reference-point coordinates */
    double *recursion; /* of the coordinates */
    double *reactions; /* of the joints of the tree, six a link */
    unsigned long mass_stamp; /* stamp for which M holds */
    int direct;               /* accelerations come from the recursion: Q is not made */
    double *Adot;
    double *Gdot; /* that of G: Adot in reference-point coordinates */
    double *angles;
    double *inputs, *scratch, *trash;
    double *acc;    /* a with zeros for ground */
    double *wrench; /* of one force on all bodies, ground last */
    hol__bodies bodies;
    double *aux_rate;
    double potential, power;

    /* forces of the caller */
    hol_force_fn *on_force;
    void *user;

    const hol__element
        *culprit; /* what was not finite in an evaluation that failed, at culprit_time */
    double culprit_time;

    int redundant; /* some constraints depend on others, or nobody has looked yet */
    const unsigned char *undetermined; /* rows whose multiplier is not unique, or NULL */

    /* Where joints hold by the coordinates themselves: the same state in reference-point coordinates, in which every joint has its
     * multipliers, and who solves it. NULL in other coordinates, and where nobody asks for reactions. */
    hol_data *twin;
    hol_status (*solve_twin)(void *self, hol_data *twin);
    void *twin_self;
    int twin_solved; /* for the state that is solved */
};

/* The twin at the state of data, solved; NULL where that fails. */
hol_data *hol__data_twin(hol_data *data);

/* Set the time, or the coordinates, or the velocities (the arrays are copied unless NULL). */
void hol__data_set_q(hol_data *data, double t, const double *q);
void hol__data_set_v(hol_data *data, const double *v);

/* The rows of A' at the current state, with the pattern of A, into data->Adot. */
void hol__data_adot(hol_data *data);

/* M at the current position. */
const hol__csr *hol__data_mass(hol_data *data);

/* out += M' v at the current state. */
void hol__data_add_momentum_rate(hol_data *data, double *out);

/* T = 1/2 v^T M v for any velocities. */
double hol__data_kinetic(hol_data *data, const double *v);

/* Accelerations of the bodies from a, into data->acc. */
void hol__data_accelerations(hol_data *data);

/* psi = A v - b (stage VEL). */
void hol__data_psi(hol_data *data);

/* Set the states that elements added. */
void hol__data_set_aux(hol_data *data, const double *aux);

/* What rounding may leave in a row of Phi (stage POS): eps max|A_ij| times the largest position or angle, over full turns. */
double hol__data_rounding(const hol_data *data);

/* Make the current angles the base from which full turns are counted, and let forces remember what they need of this
 * state. */
void hol__data_keep_angles(hol_data *data);

/* Arguments for the forces at the current state. */
hol__force_args hol__data_force_args(hol_data *data);

/* The joint or the force that is not finite at the current state; NULL when there is none. */
const hol__element *hol__data_blame(hol_data *data);

/* All measured columns at the current state into out (n_columns); evaluates up to what each needs. */
void hol__measure_all(hol_data *data, double *out);

/* Measures that laws need, into data->inputs. */
void hol__measure_live(hol_data *data);

/* Whether the constraints determine the reaction of a joint, as the last rank analysis found. */
int hol__reaction_unique(const hol_data *data, int joint);

/* The norm of Phi and of psi over the constraints. */
double hol__norm(const double *x, int n);

#endif
