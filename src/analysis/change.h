/* change.h: how a change of a run, and what it makes of the state, follow the parameters.
 *
 * A change comes at the instant at which g(x, t, p) = 0 (a condition, a number of a corner), or at
 * one that is known from p alone. To first order in a perturbation Y of the state before it is
 * shifted by tau, the state at the instant by E, and what the change makes of that, H, goes on as
 * Y+:
 *
 *     tau = -(g_x Y + g_p) / g'      E = Y + f- tau      E+ = H_x E + H_p      Y+ = E+ - f+ tau
 *
 * with g' along the motion and f = (v, a, z') on either side. E+ comes from the change itself: the
 * neighbours of the run (family.h) are put at their own instants and states, and the same
 * conditions fire there. So jumps of velocities, values that events set, and joints that hold what
 * they meet need no formulas of their own. A change that is only grazed, two that coincide, and
 * one that ends otherwise nearby have no derivative: an error says so.
 *
 * For free columns (perturbations of the state alone) the run itself, put aside before the step,
 * goes over the change from states nearby.
 */
#ifndef HOL_ANALYSIS_CHANGE_H
#define HOL_ANALYSIS_CHANGE_H

#include "analysis/bundle.h"
#include "analysis/passage.h"

typedef struct hol__change_work {
    hol__family *family;
    hol__arena arena;
    int free, columns;     /* of the bundle */
    double *tau;           /* columns */
    int size;              /* rows of a column before */
    double *f;             /* f-, as many */
    double *numbers;       /* of the corners of the model before */
    double *memory;        /* what forces remembered before */
    int corner;            /* the one that was met last … */
    double ends[2];        /* … its number before and after … */
    unsigned char *starts; /* … and of the memory, whether it begins there */
    int decides;           /* the number that has decided the change, or -1 - an instant */
    double *measures;      /* of the state before … */
    double *slopes;        /* … and their rates, where a goal is taken at this instant … */
    int taken;             /* … which: 1 + its number; 0: none */
    double *last;          /* by instant: when it was met last */
    int n_last;
    double *when;       /* by neighbour: the instant that the run has met, as it has it */
    double rate;        /* the fastest of the motion before */
    hol__trial *mirror; /* the run once more, for the free columns */
    double *mirrored;   /* where it ended, for each of them at each point of the difference … */
    int width;          /* … in so many numbers … */
    double *step;       /* … with that step */
    int replayed;       /* neighbours have gone over the change */
    int closes;         /* the slot whose gap closes; -1: none */
    const char *doubt;  /* why no number tells how the instant moves, which must not count then;
                         * NULL: one does */
    int doubtful;       /* … of that number of rigid contacts */
    double moment;      /* how far instants may be moved for a difference */
    int n_touching;     /* open slots that touch when others are hit … */
    int *touching;      /* … which */
    int hit;            /* contacts change with an impact, or else so: */
    hol__touch_bits *touch;
    double *slides;  /* with these directions in the memory, */
    double *planned; /* and these velocities of the bodies */
    double too_far;  /* > 1: neighbours were so many times farther off than differences can take */
} hol__change_work;

/* mirror: a simulation of the run itself where there are free columns, as the passage marks it. */
hol_status hol__change_open(hol__change_work *work, hol__family *family, hol__trial *mirror);
void hol__change_close(hol__change_work *work);

/* At the state before: tau, and E in place of the columns of the bundle, whose dt becomes tau;
 * where that is known only behind it (a corner) tau is 0 so far. */
hol_status hol__change_meet(hol__change_work *work, hol__bundle *bundle, hol__passage *passage,
                            hol__change_kind kind);

/* Then the neighbours go over it. The bundle is closed where the model may be another one after. */
hol_status hol__change_cross(hol__change_work *work, hol__bundle *bundle, hol__passage *passage,
                             hol__change_kind kind);

/* At the state after: E+ and its dt as the columns of the bundle; and then Y+. */
hol_status hol__change_behind(hol__change_work *work, hol__bundle *bundle, hol__passage *passage,
                              hol__change_kind kind);
void hol__change_leave(hol__bundle *bundle, const hol_data *after);

/* change_tau.c: tau of all columns for an event at the state before it; for the instants that the
 * run has reached; and for the corner that lies between the numbers before and the state after,
 * where f jumps there. */
hol_status hol__change_event_tau(hol__change_work *work, hol__bundle *bundle, hol_sim *sim,
                                 hol_data *at);
hol_status hol__change_instant_tau(hol__change_work *work, hol_sim *sim);
hol_status hol__change_corner_tau(hol__change_work *work, hol__bundle *bundle,
                                  hol__passage *passage);

/* At the state after, with its equations in the bundle: that the instant does not count, where no
 * number tells how it moves. */
hol_status hol__change_needs_no_instant(hol__change_work *work, hol__bundle *bundle,
                                        hol__passage *passage);

/* An error: what has gone wrong at the instant t, by the name of what number k decides. */
hol_status hol__change_refuse(hol__change_work *work, const hol_sim *sim, int k, double t,
                              const char *what);

/* What it is called (where: its place in the file, or NULL). */
const char *hol__change_name(const hol_sim *sim, int k, const hol_location **where);

/* change_one_sided.c: goals at the very instant of the change, by its state before; and after it
 * (with dt of the columns) a warning where they have another derivative on either side. */
hol_status hol__change_goals_before(hol__change_work *work, hol__bundle *bundle,
                                    hol__passage *passage);
hol_status hol__change_goals_after(hol__change_work *work, hol__bundle *bundle,
                                   hol__passage *passage);

/* By how much the number of the corner that was met last is beyond its boundary at the state of a
 * data, and its rate. */
hol_status hol__change_corner_number(const hol__change_work *work, hol__bundle *bundle,
                                     hol_sim *sim, hol_data *data, double *over, double *rate);

/* ---- change_memory.c ---- */

/* How many speeds of impacts are remembered from the corner on. */
int hol__change_remembers(const hol__change_work *work, const hol_data *at);

/* What the neighbours remember from the corner on, with E as the columns of the bundle. */
hol_status hol__change_remember(hol__change_work *work, hol__bundle *bundle, hol__passage *passage);

/* ---- change_rigid.c ---- */

typedef enum hol__rigid_kind {
    HOL__RIGID_GAP,
    HOL__RIGID_PUSH,
    HOL__RIGID_CONE,
    HOL__RIGID_CONE_OF_ALL,
    HOL__RIGID_SLIP,
    HOL__RIGID_KINDS
} hol__rigid_kind;

/* The number slot * HOL__RIGID_KINDS + kind at the state of a data; whether it decides something in
 * the set of the simulation; and the joint it belongs to. */
hol_status hol__change_rigid_number(hol_data *data, int number, double *g);
int hol__change_rigid_counts(const hol_sim *sim, int number);
const hol__element *hol__change_rigid_joint(const hol_sim *sim, int number);

/* Whether an open slot of the simulation touches at the state of a data. */
int hol__change_rigid_touches(const hol_sim *sim, hol_data *data, int slot);

/* What the contacts of the run will do at the end of the step, which changes them. */
hol_status hol__change_foresee(hol__change_work *work, hol_sim *sim);

/* A neighbour, put near its own instant, goes over a change of contacts: where they are hit it is
 * led to that instant and collides, else it takes the set that the run goes on with. */
hol_status hol__change_rigid_go(hol__change_work *work, hol__bundle *bundle, const hol_data *at,
                                hol_sim *other);

/* A step along a direction from the state before an impact: h, or a shorter one that leaves its
 * speed nearly as it is. */
double hol__change_rigid_step(const hol__change_work *work, hol__bundle *bundle, const hol_data *at,
                              const hol__direction *along, double h);

#endif
