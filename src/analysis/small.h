/* small.h: the linear equations of small perturbations of a motion.
 *
 *     s' = A s     s = (x, y, z): the independent perturbations (perturb.h), n of them
 *
 * as they are seen from the frame that carries the motion (carrier.h). In an equilibrium the
 * carrier rests. In a steady motion A is constant, and independent of the choice of coordinates up
 * to similarity.
 *
 * The rates come from the exact tangents: with the accelerations a(q, v, z) of the solved equations
 *
 *     da = a_q dq + a_v dv + a_z dz     dz' = Rq dq + Rv dv + Rz dz
 *
 * they are carried over to the bodies, where the carrier is known, X = E s and X' = F s, and A is
 * the solution of E A = F. E has full column rank, and F lies in its range where the motion is
 * steady; `left` says how far it does not. Of any other state A is that of the instant, in the
 * independent coordinates and velocities themselves (small_instant.c); its eigenvalues say nothing
 * about stability.
 */
#ifndef HOL_ANALYSIS_SMALL_H
#define HOL_ANALYSIS_SMALL_H

#include "analysis/accelerate.h"
#include "analysis/carrier.h"
#include "analysis/perturb.h"

typedef enum hol__motion {
    HOL__MOTION_REST,   /* an equilibrium */
    HOL__MOTION_STEADY, /* a steady motion, checked */
    HOL__MOTION_STATE   /* any other state */
} hol__motion;

/* Where to go before: nowhere; to the nearest steady motion with the velocities of the state
 * (steady.h); to the equilibrium in which a damped motion would end, as statics finds it,
 * with drivers that hold what they ask for at that time (halt.c), also where the state rests. */
enum { HOL__SETTLE_NOT, HOL__SETTLE_STEADY, HOL__SETTLE_REST };

typedef struct hol__small {
    const hol_model *model;
    hol_data *data;                /* the state, its own copy, solved */
    hol__accelerator *accelerator; /* of data */
    hol__tangent *tangent;
    hol__arena arena;    /* of the carrier … */
    hol__arena matrices; /* … and of all that follows it */
    hol__carrier carrier;
    hol__perturb p;
    double *A;     /* n x n, column-major */
    double *scale; /* n: what a unit of each state is worth against the others (spectrum.h) */
    double *a;     /* nv x n: accelerations of the perturbations */
    double *E, *F; /* rows x n: the bodies' dx, dV in units of the mechanism, and z; their rates */
    int rows;
    struct hol__cod *range; /* of E, factored */
    double rate;            /* the fastest of the system, or of the state itself */
    hol__motion motion;
    double off;  /* how far the state is from being steady, as a share of its accelerations */
    double left; /* what F has outside the range of E, over its size */
} hol__small;

/* About the state in data, which is brought onto the constraints first (never by more than
 * rounding where it comes from a run). settle: see above. Reports errors
 * to the context of data. */
hol_status hol__small_new(const hol_data *data, int settle, hol__small **small);
void hol__small_free(hol__small *small);

/* The steps of it, which report nothing: a state with its tangent, not linearised yet; and its
 * linear equations, with what kind of motion it is. */
hol_status hol__small_blank(const hol_data *data, hol__small **small);
hol_status hol__small_found(hol__small *small);

/* The same about the state of a simulation, with the joints that push and do not pull among what an
 * equilibrium or a steady motion rests on (static_contact.h); the simulation stays as it is. */
hol_status hol__small_about(struct hol_sim *sim, int settle, hol__small **small);

/* About a state at rest, whose drivers hold. */
hol_status hol__small_at_rest(const hol_data *data, hol__small **small);

/* A change of the state as it is seen over the bodies: X (rows) from dq, dv and dz (n_aux, NULL:
 * none), and its rates from da too; rate NULL: not made. room: bw nb. */
void hol__small_column(const hol__small *small, const double *dq, const double *dv,
                       const double *da, const double *dz, double *X, double *rate, double *room);

/* About a state that is not steady: the rates of x and y (n_q + n_v) for a change of the state; and
 * A. */
hol_status hol__small_instant(hol__small *small, const double *dq, const double *dv,
                              const double *da, double *out);
hol_status hol__small_instant_matrix(hol__small *small);

/* s with E s = X, as near as it can be. */
void hol__small_states(const hol__small *small, const double *X, double *s);

#endif
