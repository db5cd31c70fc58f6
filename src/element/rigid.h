/* rigid.h: joints that push and do not pull: rigid contact of two shapes, stops, ropes.
 *
 * Such a joint has some slots, each with a gap g >= 0: a corner of a shape over the other, an end
 * of a coordinate. A slot whose gap is closed is a constraint g = 0; one with friction that sticks
 * is also one of the velocities across the gap. Which slots are closed, which of their rows count
 * and which slide is part of the variant of a model (hol__variant): the joint adds the records of
 * these rows alone, and leaves the rest to whoever decides (sim/rigid.h).
 */
#ifndef HOL_ELEMENT_RIGID_H
#define HOL_ELEMENT_RIGID_H

#include "element/coordinate.h"
#include "element/touch.h"

/* What a slot does, as bits: its rows that count, whether friction acts on it as a force along the
 * direction in which it slides, and whether it is closed at all (a closed slot may have no row of
 * its own where others hold it already). */
enum {
    HOL__TOUCH_GAP = 1,
    HOL__TOUCH_ACROSS = 2, /* and the next bit, in space */
    HOL__TOUCH_ROWS = 7,
    HOL__TOUCH_SLIDES = 8,
    HOL__TOUCH_CLOSED = 16,
    HOL__TOUCH_FACE = 32 /* and the bits above: one more than the face that a sharp corner is on */
};

/* A joint of this kind; it lives in the arena of the model. */
typedef struct hol__rigid {
    int body[2];
    int slots, first;   /* how many, and the first among those of the model */
    int across;         /* directions across the gap: 0 without friction, 1 in the plane, 2 */
    int has_coordinate; /* the gap is that of a coordinate x, else of the pair of shapes */
    hol__touch_pair pair;
    hol__coordinate x;
    double low, high; /* of the coordinate: slot 0 is x - low, slot 1 is high - x */
    double friction, grip, restitution; /* grip: of what sticks, not less than friction */
    int memory;   /* the direction in which each slot slides: three numbers, global */
    double slack; /* what rounding makes of a gap that is closed, and of its rate in a second */
    int corner;   /* one for each slot */
    const hol__touch_bits *touch; /* by slot: what it does in this model; NULL: all are open */
} hol__rigid;

/* A slot at a state: its gap, and rows over the velocities of both bodies of the gap and across
 * it, with their rates. */
typedef struct hol__rigid_point {
    double gap, rate; /* and its rate */
    hol__dual3 lin[3][2], turn[3][2];
    hol__dual3 n, P; /* contact: the direction from the first body to the second, and the place */
    int face;        /* that a sharp corner is on or over, -1: none … */
    int beside;      /* … and whether it has no face to stand on */
} hol__rigid_point;

/* Where a slot is. */
void hol__rigid_at(const hol__rigid *rigid, const hol__con_args *args, int slot,
                   hol__rigid_point *out);

/* The velocity of the second body against the first across the gap, global. */
void hol__rigid_slip(const hol__rigid *rigid, const hol__con_args *args, const hol__rigid_point *at,
                     double u[3]);

/* The direction in which a slot slides (unit, across n): that of u, or the one it has been sliding
 * in, where there is one (not zero) and u is none or has turned round. */
void hol__rigid_direction(const hol__rigid_point *at, const double u[3], const double last[3],
                          double d[3]);

/* Two directions across n: in the plane the one of the plane, in space those nearest to the axis
 * that n is farthest from. */
void hol__across(hol__dual3 n, int plane, hol__dual3 t[2]);

/* The records of the joint as the variant says, and its place among the slots of the model. */
void hol__rigid_add(hol__build *build, hol__element *joint, const hol__rigid *rigid);

/* The row of the gap of a slot, or one across it, in a model that has it; -1 where it has not. */
int hol__rigid_row(const hol_model *model, const hol__element *joint, int slot, int k);

/* How far an open slot is passed: >= 0 where it is and goes on; what parts or rests is not. */
double hol__rigid_passed(const hol__rigid *rigid, const hol__rigid_point *at);

/* What evaluating constraints reads, of forces. */
hol__con_args hol__rigid_args(const hol__force_args *args);

#endif
