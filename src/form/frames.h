/* frames.h: derivatives that turn with the bodies.
 *
 * In reference-point coordinates translations are written in the fixed frame. What a body carries
 * with it, springs, dampers, contacts, then has derivatives that turn with it: where body b has
 * turned by S_b since they were taken, those at the new state are nearer to S J S^T than to J. An
 * iteration that solves with S J S^T,
 *
 *     x = S (J^-1 (S^T r))             S = diag(S_b, 1): forces, positions and velocities of b
 *
 * converges by what has changed between the bodies, instead of by stiffness times the angle that
 * all of them have turned. Angular velocities are in the frame of the body anyway. Points that
 * coincide are constraints along the axes of the fixed frame too: their rows and multipliers turn
 * with one of the two bodies. Other constraints are along directions of bodies, and other
 * coordinates have nothing to turn.
 *
 * Where bodies turn by an angle an iteration with J contracts by that times |B + K / sigma| over
 * sigma m, the stiffness on the translations of a body against its inertia, and by the angle
 * itself. So only bodies turn of which that is above one, and those that points join to them. Nor
 * does all that is stiff turn with a body: a cam feels its follower always from the same side. Each
 * time that derivatives are taken it is seen whether the block has come nearer to S old S^T than to
 * the old one, and that is believed until the next time; a body stays until it is seen to turn.
 */
#ifndef HOL_FORM_FRAMES_H
#define HOL_FORM_FRAMES_H

#include "base/archive.h"
#include "dyn/tangent.h"

/* Two or three numbers of a vector that turn with a body, from `at` on, where the other one turns
 * too (which may be the same). */
typedef struct hol__framed {
    int at, body, other;
} hol__framed;

typedef struct hol__frames {
    const hol_model *model;
    int n; /* 0: nothing turns */
    hol__framed *all;
    double *kept;           /* orientations R of the bodies where derivatives were taken */
    double *S;              /* scratch: R R_kept^T of each, or 1 */
    double *held;           /* the blocks of B + K / sigma there */
    unsigned char *follows; /* by body: what is stiff on it turns with it */
    unsigned char *turns;   /* by body: it does, or one that it is joined to */
} hol__frames;

/* Of vectors that begin with positions and velocities, nv each. 0 without memory. */
int hol__frames_init(hol__frames *frames, hol__arena *arena, const hol_model *model);

/* They have n rows of constraints from `at` on: row[i] of the model, ascending. */
void hol__frames_add_rows(hol__frames *frames, const int *row, int n, int at);

/* Derivatives have been taken at base (+) d; per_sigma: 1 / sigma. */
void hol__frames_keep(hol__frames *frames, const hol__tangent *tangent, double per_sigma,
                      const double *base, const double *d);

/* What is kept, for exact restarts. */
void hol__frames_walk(hol__frames *frames, hol__archive *archive);

/* r <- S^T r at base (+) d; back: r <- S r. */
void hol__frames_turn(hol__frames *frames, const double *base, const double *d, int back,
                      double *r);

#endif
