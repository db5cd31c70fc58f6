/* passage.h: a run, step after step, with all states inside its steps.
 *
 * Between two changes the motion is smooth; at a change (an instant known from the time, a corner
 * of a law, an event, elements that take hold or let go) f, the state or the coordinates jump. The
 * watcher is told of all in their order:
 *
 *     begin   span span … before after   span … before after … end
 *
 * In `span` states between t0 and t1 are brought into `at` by hol__passage_look. In the others `at`
 * is the state that the word says, solved. A change that stops the run has no `after`.
 */
#ifndef HOL_ANALYSIS_PASSAGE_H
#define HOL_ANALYSIS_PASSAGE_H

#include "sim/step.h"

typedef enum hol__change_kind {
    HOL__CHANGE_INSTANT, /* known from the time alone */
    HOL__CHANGE_CORNER,  /* of a law, a contact begun or ended: the state goes on */
    HOL__CHANGE_EVENT,   /* conditions: events, elements that switch, joints that push */
    HOL__CHANGE_STOP     /* the run ends */
} hol__change_kind;

typedef struct hol__passage hol__passage;

typedef struct hol__passage_watcher {
    hol_status (*begin)(void *self, hol__passage *passage);
    hol_status (*span)(void *self, hol__passage *passage, double t0, double t1);
    hol_status (*before)(void *self, hol__passage *passage, hol__change_kind kind);
    hol_status (*after)(void *self, hol__passage *passage, hol__change_kind kind);
    hol_status (*end)(void *self, hol__passage *passage);
} hol__passage_watcher;

struct hol__passage {
    hol_sim *sim;
    hol_data *at;
    double end;  /* of the span of the run */
    int changes; /* so far */
    const hol__passage_watcher *watcher;
    void *self;
    int behind;      /* the step at hand begins at a corner … */
    int ahead;       /* … or ends at one */
    double singular; /* the instant within it at which it crosses a singular position; or NaN */
    int jumps;       /* the equations change at its end: a corner, an event, an instant */
    int met;         /* within the step at hand: 1 + the kind of a change */
    void *marked;    /* the simulation before the step, where `marks` asks for it */
    size_t marked_size, room;
    int marks;
};

/* Run sim, which has not started, to its end. > 0 becomes an error of the simulation, said. */
hol_status hol__passage_run(hol_sim *sim, const hol__passage_watcher *watcher, void *self);

/* Within `span`: the state at t into `at`, on the constraints where the method corrects, solved. */
hol_status hol__passage_look(hol__passage *passage, double t);

#endif
