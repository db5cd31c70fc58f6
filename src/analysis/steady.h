/* steady.h: the one search for a steady motion: from the state of a mechanism, with its velocities,
 * for statics and small motions alike.
 *
 * A steady motion is a frame (carrier.h) and a position that stays as it is, seen from there. There
 * are three ways to one, each with every choice of the frame (carrier.h: which):
 *
 *     ride    the frame of the start stays; downhill or by Newton's method to the position where
 *             all forces, those of inertia too, are in balance (static_system.h), with gaps that
 *             close and open on the way. It comes from far, and ends where damping would end it.
 *     near    Newton's iteration on positions and velocities at once, the frame taken anew from
 *             them (settle.h): wheels that roll, tops.
 *     free    the same, where the frame and each spin may become faster or slower.
 *
 * The search asks for the motion that a damped one would end in (auto, descent: ride first), or for
 * the nearest one, stable or not (newton: near, free, ride; what is within half a radian or half a
 * length is taken at once). What a way comes to counts where the motion is one that stays steady:
 * its accelerations are those of the frame, and carried on the mechanism is the same.
 */
#ifndef HOL_ANALYSIS_STEADY_H
#define HOL_ANALYSIS_STEADY_H

#include "analysis/small.h"
#include "analysis/static_case.h"

typedef struct hol__frame {
    hol__arena arena;
    hol__carrier carrier;
    int which;   /* the choice that the start made it by; -1: it was found with the motion */
    int growing; /* eigenvalues of small motions with positive real part, where one was found */
} hol__frame;

/* How many choices there are: those of the carrier, and those of whole parts that do not spin. */
enum { HOL__FRAMES = HOL__CARRIERS + 2 };

void hol__frame_free(hol_context *ctx, hol__frame *frame);

/* The frame of the state in c by a choice, the nearest to it that the joints and drivers let pass,
 * for the system to ride. > 0: there is none. */
hol_status hol__steady_frame(hol__static_case *c, int which);

/* The first frame of a case that was opened: rigid where the bodies move so, else with spins. */
hol_status hol__steady_begin(hol__static_case *c);

/* A steady motion from the state in c, by the method of e; the system rides its frame there and is
 * evaluated with its stiffness. small: its linear equations, the caller's; NULL: not wanted.
 * Reports why there is none. */
hol_status hol__steady_find(hol__static_case *c, hol__equilibrium *e, hol__small **small);

/* The nearest one to a state, and its linear equations. */
hol_status hol__steady_about(const hol_data *data, hol__small **small);

/* Whether the state in c, on which the system rides, stays steady. */
hol_status hol__steady_check(hol__static_case *c, int *steady);

#endif
