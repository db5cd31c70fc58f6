/* switching.h: elements that act at some times only: what is watched, which act now, and what
 * happened.
 *
 * The elements are numbered: joints first, then forces. A set of those that act is a model of its
 * own, compiled when it is first met (compile/compile.h: hol__model_variant), and a switch makes
 * the parts of the run anew for it. Between switches nothing of this is touched but the watches,
 * which are read at the end of each step.
 */
#ifndef HOL_SIM_SWITCHING_H
#define HOL_SIM_SWITCHING_H

#include "model/build.h"

#include <holonom/sim.h>

/* What an expression that is watched decides when its sign changes. */
typedef enum hol__role {
    HOL__WATCH_STOP,  /* rises: the run ends */
    HOL__WATCH_WHEN,  /* the element acts where it is positive */
    HOL__WATCH_UNTIL, /* rises: the element lets go */
    HOL__WATCH_FROM,  /* rises: the element takes hold */
    HOL__WATCH_EVENT  /* rises, or also falls: the event happens */
} hol__role;

typedef struct hol__watch {
    const hol__expr *e;
    hol__role role;
    int element;  /* or event; -1: none */
    int positive; /* at the state that was accepted last, or as it was decided there */
    int now;      /* at the state under test */
    int at_high;  /* at the end of the interval in which the instant is looked for */
    int decided;  /* at this instant: it is not asked again */
} hol__watch;

/* A set of elements that act, as a model. */
typedef struct hol__set {
    unsigned char *off;     /* by element: does not act */
    hol__touch_bits *touch; /* by slot of joints that push: what it does */
    hol_model *model;       /* NULL: of one place, or not compiled in this process */
    int met;                /* in the run so far */
} hol__set;

/* What happened at an instant: numbers of hol_event, and by element 1 (took hold), -1 (let go) or
 * 0. */
typedef struct hol__switch {
    double gap;
    int dof, n_redundant;
    int rebounds; /* the joint of an impact, from 1; 0: none */
    signed char *change;
    double work; /* of impacts, while the switch is made */
} hol__switch;

enum { HOL__IMPULSE = 6 };

/* What the parts of earlier sets have counted. */
typedef struct hol__counts {
    long factorizations, corrections, refinements, changes;
} hol__counts;

typedef struct hol__switching {
    int n_joints, n_elements; /* 0 elements: nothing is switched */
    int n_watches;
    hol__watch *watches;
    double *block, *scratch;   /* of their expressions, with room for what they record in front */
    unsigned char *off;        /* by element: does not act now */
    unsigned char *next;       /* the set that is wanted */
    double *last;              /* by element: when it last took hold, and when it last let go */
    hol__marker *met;          /* by joint: where one that holds what it met was placed */
    const hol__marker **place; /* by joint: that, or NULL */
    int n_sets, room_sets;
    hol__set *sets;
    const hol_model *own; /* the set in use where it is not among them */
    int fired;            /* elements switch at the end of the step */
    int jumped; /* and the forces jump there: its reactions are those of a set that does not hold,
                   such as a rope that would have to push */

    /* joints that push (rigid.h): by slot what it does now; whether that has changed at the state
     * under test, and at the end of the interval; how often within one instant, and that instant */
    int n_slots;
    hol__touch_bits *touch;
    int touch_now, touch_high;
    int loose;   /* what sticks is held by its velocities alone (hol__sim_hold_loosely) */
    int resolve; /* asked for at this instant */
    int gained;  /* it was said that an impact has made energy */
    int resolved;
    double resolved_at;

    int n, room;
    hol__switch *list;
    /* of the list, for statistics: instants, energies lost; by joint impulse and angular impulse
     * … */
    double *times, *lost, *impulses;
    double *points; /* … with the point, and whether they are unique */
    char *text;     /* what took hold and what let go */
    size_t text_room;
    hol__counts past;
} hol__switching;

/* What joint k passed on at event i, and where. */
static inline double *hol__switching_impulse(const hol__switching *s, int i, int k) {
    return s->impulses + (size_t)i * (size_t)(HOL__IMPULSE * s->n_joints) + HOL__IMPULSE * k;
}

static inline double *hol__switching_point(const hol__switching *s, int i, int k) {
    return s->points + (size_t)i * (size_t)(4 * s->n_joints) + 4 * k;
}

/* switch_list.c: q and v of the state in reference-point coordinates, which are the same numbers
 * whichever elements act. */
void hol__sim_bodies_state(hol_sim *sim, double *q, double *v);

/* switch_sets.c: which sets were met, out or in. */
hol_status hol__switching_walk_sets(hol_sim *sim, struct hol__archive *archive);

#endif
