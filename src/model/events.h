/* events.h: the section `events` of a model, compiled: conditions, and what is done when they
 * become true. */
#ifndef HOL_MODEL_EVENTS_H
#define HOL_MODEL_EVENTS_H

#include "base/expr.h"

#include <holonom/status.h>

typedef enum hol__action_kind {
    HOL__DO_STOP,     /* the run ends */
    HOL__DO_RECORD,   /* a row of output besides those of the grid */
    HOL__DO_ACTIVATE, /* elements take hold … */
    HOL__DO_RELEASE,  /* … and let go */
    HOL__DO_SET,      /* variables and parameters get values */
    HOL__DO_IMPACT    /* velocities jump as bodies rebound */
} hol__action_kind;

/* A variable or a parameter, and the value that it gets. */
typedef struct hol__setting {
    const char *name;
    int memory;    /* of a variable: where the data keeps it; -1 */
    int parameter; /* of a parameter: its place among those that events set */
    const hol__expr *value;
    hol_location where;
} hol__setting;

typedef struct hol__action {
    hol__action_kind kind;
    hol_location where;
    int n, *elements; /* that it is about: joints first, then forces */
    int n_settings;
    hol__setting *settings;
    int joint; /* of an impact: its rows are the directions … */
    double restitution;
    double friction; /* mu across the one row, at the joint's point on the second body … */
    double radius;   /* … or that far from it, against the push */
} hol__action;

typedef struct hol__event {
    const char *name, *label;
    hol_location where;
    const hol__expr *when; /* it happens where this becomes positive … */
    int both;              /* … or also where it no longer is */
    int discrete;          /* `when` changes by actions alone, never by the motion */
    long times;            /* at most that often; 0: every time */
    int n_actions;
    hol__action *actions;
} hol__event;

#endif
