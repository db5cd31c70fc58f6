/* event_actions.h: the section `events` in a run: which have happened, how often, and what came of
 * it. */
#ifndef HOL_SIM_EVENT_ACTIONS_H
#define HOL_SIM_EVENT_ACTIONS_H

/* Something that happened: an event of the section, a switch of elements, or both. */
typedef struct hol__happened {
    double t;
    int event; /* -1: elements switched by their own conditions */
    int entry; /* of the list of switches; -1: nothing switched */
    int dof, n_redundant;
} hol__happened;

typedef struct hol__events {
    int n;                /* of the model */
    unsigned char *fired; /* by event: its condition has become true, and nothing is done yet */
    long *count;          /* how often it has happened */
    double *last;         /* and when last */
    unsigned char *rests; /* by joint: an impact came to rest at it, and it holds */
    unsigned char *holds; /* by joint: it took hold in the run, and holds */
    double *values;       /* of parameters that events set; NaN: as described */
    int by;               /* the event whose actions are being done; -1: none */

    /* what happened, in order; where the model has no events the list of switches says it all */
    int n_list, room;
    hol__happened *list;
    signed char *none; /* by element: neither took hold nor let go */
    /* events of the section alone, for statistics: when, and their names */
    int n_named;
    double *times;
    char *text;
    size_t text_room;

    long rows; /* that were recorded besides those of the grid */
    int fresh; /* the state in data is the row that was written last */
} hol__events;

#endif
