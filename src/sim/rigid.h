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
#include "kernel/kernel.h"

#include <holonom/sim.h>

/* A slot that touches. */
typedef struct hol__touching {
    const hol__element *joint;
    const hol__rigid *rigid;
    int slot;   /* of the joint */
    int index;  /* among those of the model */
    int face;   /* that it is on, as bits of HOL__TOUCH_FACE */
    int first;  /* its rows: the gap, and those across it */
    int hit;    /* by an impact */
    int passed; /* it was open and has been passed: it approaches, however slowly */
} hol__touching;

/* The contact problem at a state: the slots that touch, and what unit pushes along their rows do to
 * the mechanism whose other joints hold. */
typedef struct hol__contacts {
    hol__arena arena;
    const hol_model *model, *own; /* with all rows of these slots; own: to be released */
    hol_data *data;               /* in reference-point coordinates */
    hol__csr A;                   /* the rows of the other joints */
    hol__kernel *kernel;
    int n, m;
    hol__touching *at;
    int *row;     /* by row: that of the data */
    int *other;   /* by row of A: that of the data */
    double *X;    /* by row: the velocities that a unit push makes */
    double *mu;   /* by row: the multipliers of A beside them */
    double *G;    /* m x m */
    double *u;    /* velocities along the rows … */
    double *free; /* … and accelerations without any push; what of either is rounding */
    double *noise, *free_noise;
    double *z, *w;            /* the last solution, of all rows */
    double *impulse;          /* of all rows so far, and of the rows of A */
    hol__cone_contact *cones; /* by slot, and again those of some of them */
    hol__cone_state *state;   /* the same */
    double *part;             /* G, b, z, w of some of the slots, and which rows these are */
    int *part_row;
    unsigned char *flag;
    hol__cone *cone;
    double *f, *x;
    double left, slowest; /* speeds: what corrections leave; of sliding that has a direction */
    double work;          /* of all impulses */
    double given, moved;  /* of those of contacts alone, and the sizes that it is summed from */
    int hit;              /* there was an impact */
} hol__contacts;

/* Whether the set that acts does not solve the problem of contact at the state in the data of the
 * run, solved: something touches, lets go, slips or sticks. */
hol_status hol__rigid_changed(hol_sim *sim, int *changed);

/* The problem at the state of a data, of a set without regard to contacts; to be closed also after
 * a failure. joints: some have taken hold, and velocities jump for these first. */
hol_status hol__contacts_open(hol_sim *sim, hol_data *from, int joints, hol__contacts *c);
void hol__contacts_close(hol__contacts *c);

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

/* The impulses as multipliers of the data. */
void hol__contacts_lend_impulses(hol__contacts *c);

/* W_i x of a row. */
double hol__contacts_along(const hol__contacts *c, int i, const double *x);

/* The same set without the slots, as a model with rows of those in touch; *own: it is the caller's
 * (switching.c). */
const hol_model *hol__switching_touched(hol_sim *sim, hol__touch_bits *touch, int *own);

/* The gap below which slots touch. */
double hol__rigid_tolerance(const hol_sim *sim);

#endif
