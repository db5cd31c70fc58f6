/* rigid.h: joints that push and do not pull: rigid contact of two shapes, stops, ropes.
 *
 * Such a joint has some slots, each with a gap g >= 0: a corner of a shape over the other, an end
 * of a coordinate. A slot whose gap is closed is a constraint g = 0; one with friction that sticks
 * is also one of the velocities across the gap, or, where its place of contact is a fixed point of
 * one body on a fixed face of the other, one of positions (rigid_anchor.c). Which slots are closed,
 * which of their rows count and which slide is part of the variant of a model (hol__variant): the
 * joint adds the records of these rows alone, and leaves the rest to whoever decides (sim/rigid.h).
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
    HOL__TOUCH_SHARES = 32, /* it carries a part of what the rows of others hold */
    HOL__TOUCH_FACE = 64 /* and the bits above: one more than the face that a sharp corner is on */
};

enum { HOL__SLIDE = 7, HOL__STILL = 3, HOL__SECOND = 4 };

/* An edge of a shape: directions into its two faces, across it. */
typedef struct hol__rigid_edge {
    double into[2][3];
} hol__rigid_edge;

/* A joint of this kind; it lives in the arena of the model. */
typedef struct hol__rigid {
    int body[2];
    int slots, first;   /* how many, and the first among those of the model */
    int across;         /* directions across the gap: 0 without friction, 1 in the plane, 2 */
    int has_coordinate; /* the gap is that of a coordinate x … */
    int line;           /* … or along the equation of a joint, else of the pair of shapes */
    double axis[3], end[2][3]; /* of the line: n in the first body, P1 and P2 */
    double radius;             /* from P2 to the place of contact */
    hol__touch_pair pair;
    int corners;                    /* slots that are corners; the others are pairs of edges */
    const hol__rigid_edge *edge[2]; /* of both shapes, where there are such */
    double size;                    /* of the larger shape */
    hol__coordinate x;
    double low, high; /* of the coordinate: slot 0 is x - low, slot 1 is high - x */
    double friction, grip, restitution; /* grip: of what sticks, not less than friction */
    int memory;   /* HOL__SLIDE numbers for each slot: the direction in which it slides, global, as
                   * long as the slowest speed that has a direction of its own; and how fast it may
                   * still go back, slower than that, as it begins; of one that sticks its anchor,
                   * and the second one of two edges; of an open one that touches how fast it may
                   * approach without being an impact */
    int anchored; /* what sticks is held on positions, where it has an anchor */
    int level;    /* so many rounded corners are closed on a plane that the bodies cannot roll */
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
    int of;          /* the body that n and the directions across it are fixed to, 0 or 1 */
    int face;        /* that a sharp corner is on or over, -1: none … */
    int beside;      /* … and whether it has no face to stand on */
} hol__rigid_point;

/* A joint at a state, for a look at several slots: its bodies, and what is found out of both shapes
 * on the way. */
typedef struct hol__rigid_view {
    const hol__rigid *rigid;
    const hol__con_args *args;
    hol__body_dual bodies[2];
    double apart; /* a lower bound of all gaps, where it is positive */
    int known;    /* whether it is known … */
    double depth; /* … how deep they overlap along the direction that parts them best */
} hol__rigid_view;

void hol__rigid_look(const hol__rigid *rigid, const hol__con_args *args, hol__rigid_view *view);

/* Where a slot is. */
void hol__rigid_see(hol__rigid_view *view, int slot, hol__rigid_point *out);
void hol__rigid_at(const hol__rigid *rigid, const hol__con_args *args, int slot,
                   hol__rigid_point *out);

/* The velocity of the second body against the first across the gap, global. */
void hol__rigid_slip(const hol__rigid *rigid, const hol__con_args *args, const hol__rigid_point *at,
                     double u[3]);

/* The direction in which a slot slides (unit, across n): that of last + u without what u has
 * against last, the direction it has been sliding in, which is as long as the slowest speed that
 * has one. last counts with 1/(1 + x^2) where u is x times as long along it. So it goes over from
 * the one to the other without a jump, and does not turn round.
 * Returns the speed with which it turns by 1/s when u changes across it by that a second. */
double hol__rigid_direction(const hol__rigid_point *at, const double u[3], const double last[3],
                            double d[3]);

/* Whether a slot that slides goes back against its direction; one that has just begun to slide has
 * no speed but rounding. */
int hol__rigid_turns_back(const hol__rigid *rigid, const hol__con_args *args,
                          const hol__rigid_point *at, const double last[HOL__SLIDE]);

/* Two directions across n: in the plane the one of the plane, in space that nearest to an axis of a
 * body (NULL: of the global frame) which n is far from, and the one across both. They turn with the
 * body, so that slots of two bodies that stick to each other keep theirs. */
void hol__across(hol__dual3 n, const hol__body_dual *body, int plane, hol__dual3 t[2]);

/* rigid_anchor.c: whether slots can have anchors, and whether they have them in this model, after a
 * look at what is closed; an anchor is put where the slot is, into a memory; and how far the slot has moved from the one in args->memory along direction k = 1, 2 across the gap. */
int hol__rigid_can_anchor(const hol__rigid *rigid);
int hol__rigid_has_anchor(const hol__rigid *rigid);
int hol__rigid_is_level(const hol__rigid *rigid);
void hol__rigid_drop_anchor(const hol__rigid *rigid, const hol__con_args *args, int slot,
                            double *memory);
double hol__rigid_strayed(const hol__rigid *rigid, const hol__con_args *args, int slot,
                          const hol__rigid_point *at, int k);

/* What a unit push of a slot does to the bodies, along its normal; args->wrench is added to. */
void hol__rigid_push(const hol__rigid *rigid, hol__force_args *args, const hol__rigid_point *at);

/* The records of the joint as the variant says, and its place among the slots of the model. */
void hol__rigid_add(hol__build *build, hol__element *joint, const hol__rigid *rigid);

/* The row of the gap of a slot, or one across it, in a model that has it; -1 where it has not. */
int hol__rigid_row(const hol_model *model, const hol__element *joint, int slot, int k);

/* How far an open slot is passed: >= 0 where it is and goes on; what parts or rests is not. */
double hol__rigid_passed(const hol__rigid *rigid, int slot, const double *memory,
                         const hol__rigid_point *at);

/* rigid_edge.c: how many pairs of edges two shapes in space have; the directions at their edges;
 * and the edges of a pair at bodies, as features: returns whether they face each other. A closed
 * pair has its features also where it does not. */
int hol__rigid_edge_slots(const hol__touch_pair *pair);
void hol__rigid_add_edges(hol__arena *arena, hol__rigid *r);
int hol__rigid_edges(hol__rigid_view *view, int pair, int closed, hol__touch *out);

/* rigid_line.c: a joint with one equation along a line as one that pushes and rubs; 0 where it has
 * none of that kind. Whether a closed slot stands for the equation of the joint. And the gap of a
 * slot, its direction and its place. */
int hol__rigid_add_line(hol__build *build, hol__element *joint, double friction, double radius);
int hol__rigid_stands_in(const hol__element *joint);
void hol__rigid_on_line(const hol__rigid *r, const hol__body_dual bodies[2], int slot,
                        hol__dual *gap, hol__dual3 *n, hol__dual3 *P);

/* Whether rows are those of a joint that pushes; whether a model has rows that hold what sticks on
 * positions. */
int hol__rigid_has_rows(const hol__con_type *type);
int hol__rigid_holds_places(const hol_model *model);

/* Whether one of the shapes is rounded, so that they touch while their cores are apart; and a shape
 * where its body is. */
int hol__rigid_is_rounded(const hol__rigid *r);
void hol__rigid_place(const hol__rigid *r, const hol__body_dual bodies[2], int k, hol__placed *out);

/* What evaluating constraints reads, of forces. */
hol__con_args hol__rigid_args(const hol__force_args *args);

#endif
