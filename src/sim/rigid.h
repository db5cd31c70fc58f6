/* rigid.h: joints that push and do not pull, in a run: which of their gaps are closed, which stick
 * and which slide, and the impacts between.
 *
 * A closed gap is a constraint of the model of the set that acts (switching.h). At accepted states
 * and where instants are looked for, it is asked whether the set still solves the complementarity
 * problem of contact; where it does not, a switch follows, with the impact that goes with it.
 */
#ifndef HOL_SIM_RIGID_H
#define HOL_SIM_RIGID_H

#include "element/rigid.h"
#include "kernel/cone.h"
#include "sim/pushes.h"

#include <holonom/sim.h>

#include <float.h>

/* A row of G depends on others where less of it is left beside them: rounding in G hides what is
 * less. */
#define HOL__DEPENDENT (4096 * DBL_EPSILON)

/* A slot that touches. */
typedef struct hol__touching {
    const hol__element *joint;
    const hol__rigid *rigid;
    int slot;    /* of the joint */
    int index;   /* among those of the model */
    int face;    /* that it is on, as bits of HOL__TOUCH_FACE */
    int first;   /* its rows: the gap, and those across it */
    int hit;     /* by an impact */
    int passed;  /* it was open and has been passed: it approaches, however slowly */
    int back;    /* it parts so slowly that it is back before it has risen: it does not part */
    int plastic; /* such a rebound is none: it is hit without one */
} hol__touching;

/* The impact of an event, as one more contact (strike.c). */
typedef struct hol__strike {
    const hol__action *action;
    const hol__element *joint;
    hol_data *data;
    hol__rigid rigid; /* how they meet */
    int row, first;   /* of the joint's equation in the data, and of the pushes */
    double scale;     /* a unit push is this times the row */
    double n[3], Q[3];
    double t[2][3];   /* across n */
    double origin[3]; /* of the impulses in the list */
} hol__strike;

/* The contact problem at a state: the slots that touch, and what unit pushes along their rows do to
 * the mechanism whose other joints hold. */
typedef struct hol__contacts {
    hol__arena arena;
    const hol_model *model, *own; /* with all rows of these slots; own: to be released */
    hol_data *data;               /* in reference-point coordinates */
    hol__pushes p;                /* along the rows of the slots */
    int n;
    hol__touching *at;
    int *row;     /* by row: that of the data */
    double *free; /* accelerations along the rows without any push; what is rounding … */
    double *noise, *free_noise; /* … of velocities and of these */
    double *z, *w;              /* the last solution, of all rows */
    hol__cone_contact *cones;   /* by slot, and again those of some of them */
    hol__cone_state *state;     /* the same */
    double *part;               /* G, b, z, w of some of the slots, and which rows these are */
    int *part_row;
    unsigned char *flag;
    unsigned char *idle; /* by slot: closed, and carries nothing beside the others */
    hol__cone *cone;
    double left, slowest; /* speeds: what corrections leave; of sliding that has a direction */
    int hit;              /* there was an impact */
    hol__strike strike;
} hol__contacts;

/* Whether the set that acts does not solve the problem of contact at the state in the data of the
 * run, solved: something touches, lets go, slips or sticks. */
hol_status hol__rigid_changed(hol_sim *sim, int *changed);

/* The problem at the state of a data, of a set without regard to contacts; to be closed also after
 * a failure. joints: some have taken hold, and velocities jump for these first. strikes: an impact
 * that is one more contact, or NULL. */
hol_status hol__contacts_open(hol_sim *sim, hol_data *from, int joints, const hol__action *strikes,
                              hol__contacts *c);
void hol__contacts_close(hol__contacts *c);

/* z and w = b + G z of all rows, with pushes of the slots that are flagged; their states. */
hol_status hol__contacts_solve(hol__contacts *c, const unsigned char *flag, const double *b);

/* rigid_share.c: the accelerations, with the least pushes of redundant slots. */
hol_status hol__contacts_share(hol__contacts *c, const unsigned char *flag);

/* The impacts at that state: velocities of the data afterwards. */
hol_status hol__contacts_impact(hol_sim *sim, hol__contacts *c);

/* What every slot of the model does from here on (HOL__TOUCH_...), and in the memory of the data
 * the directions of those that slide. */
hol_status hol__contacts_plan(hol_sim *sim, hol__contacts *c, hol__touch_bits *touch);

/* rigid_switch.c: both at the state that a set begins with, with velocities of c->data after the
 * impacts; *changed: other slots are closed, or slide, or velocities are others. c is opened, and
 * to be closed also after a failure. */
hol_status hol__rigid_resolve(hol_sim *sim, hol_data *from, int joints, hol__contacts *c,
                              hol__touch_bits *touch, int *changed);

/* rigid_switch.c: what the joints did, by joint, where the slots did `before` until then; and their
 * impulses into the list of events. */
void hol__rigid_note(hol_sim *sim, hol__contacts *c, const hol__touch_bits *before,
                     signed char *change);

/* rigid_switch.c: what sticks in a data is held where it is. */
void hol__rigid_hold_here(hol_data *data);

/* rigid_switch.c: whether a slot of a joint is closed. */
int hol__rigid_is_closed(const hol__rigid *r, const hol__touch_bits *touch);

/* strike.c: the impact of an event among the contacts, before what pushes do is found. */
hol_status hol__contacts_add_strike(hol_sim *sim, hol__contacts *c, const hol__action *action);

/* strike.c: the row of a joint in a data; -1: it has none, or several. */
int hol__strike_row(const hol_data *data, int joint);

/* rigid_switch.c: say, once, that the impact along a joint has made energy. */
void hol__warn_of_gain(hol_sim *sim, const hol__pushes *p, const hol__element *joint);

/* The same set without the slots, as a model with rows of those in touch; *own: it is the caller's
 * (switch_sets.c). */
const hol_model *hol__switching_touched(hol_sim *sim, hol__touch_bits *touch, int *own);

/* rigid_switch.c: whether slot i of the problem is to slide in another direction than in a data. */
int hol__contacts_turned(const hol_data *data, const hol__contacts *c, int i);

/* By what corners hold at a state: the open slot that has been passed the deepest, and deeper than
 * steps explain, as a corner; -1: none. */
int hol__rigid_too_deep(const hol_sim *sim, const double *corners);

/* The gap below which slots touch; the slowest sliding that has a direction. */
double hol__rigid_tolerance(const hol_sim *sim);
double hol__rigid_slowest(const hol_sim *sim);

#endif
