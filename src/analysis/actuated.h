/* actuated.h: a model with coordinates along which something pushes, at the states of a motion.
 *
 * The rate of such a coordinate is s' = B^T v + s_t, and a load u along it adds B u to the
 * generalised forces. The model is compiled again, in reference-point coordinates, with a measure
 * of each rate; bodies of the same names carry a state over from any model in any coordinates.
 */
#ifndef HOL_ANALYSIS_ACTUATED_H
#define HOL_ANALYSIS_ACTUATED_H

#include "dyn/data.h"

#include <holonom/inverse.h>

/* What an actuator pushes along: a row of a driver, a velocity of a body, or a coordinate whose
 * rate is measured. */
typedef struct hol__actuator {
    const char *name, *unit;
    double weight, low, high;
    int driver;   /* its joint, where it is one */
    int row;      /* of the constraints; -1: */
    int velocity; /* … of the model; -1: */
    int rate;     /* … the measured column of its rate */
    int present;  /* column of the load that it has without us; -1: none */
    double sign;  /* of its load along the coordinate */
} hol__actuator;

typedef struct hol__actuated {
    hol_context *ctx;
    hol__arena arena;
    unsigned long long hash; /* of the model that was given */
    hol_model *whole;        /* with all elements … */
    const hol_model *model;  /* … and with those that act at the last state */
    hol_data *data;
    int sets; /* how often other elements began to act */
    int n;
    hol__actuator *actuators;
    int *power;            /* by force: column of its power, where that was asked for */
    const hol_model *from; /* the model of the last motion … */
    int *body;             /* … and its body by ours */
    double *q, *v, *a;     /* the motion, in our order of bodies */
    double *q0, *v0;       /* in its own */
    double *unit;          /* room for velocities */
} hol__actuated;

enum {
    HOL__WITH_POWERS = 1,    /* measures of the powers of its forces */
    HOL__ONLY_VELOCITIES = 2 /* a name is that of a velocity, also where a joint has it */
};

/* The model with n coordinates by name (hol_actuator in holonom/inverse.h). Reports a name that is
 * none as one of `what` (actuators, shafts, …). Free it in every case. */
hol_status hol__actuated_new(hol_context *ctx, const hol_model *model, const char *what, int n,
                             const hol_actuator *about, int flags, hol__actuated *out);
void hol__actuated_free(hol__actuated *a);

/* Whether the joint is one that drives the motion. */
int hol__is_driver(const hol_model *model, int joint);

/* The state of a data, whose model has bodies of these names, into ours (stage DYN, psi), its
 * accelerations into a. Which elements act, and the states that they have, are those of the data
 * where it is of the same model; of another one elements that come and go, or have states, are
 * refused by name. */
hol_status hol__actuated_take(hol__actuated *a, hol_data *state);

/* actuated_set.c: our model becomes that of the elements that act in the model of a state;
 * actuated.c: rows and columns in it are found again. */
hol_status hol__actuated_set(hol__actuated *a, const hol_model *from);
void hol__actuated_resolve(hol__actuated *a);

/* actuated_set.c: an error where a rigid contact slides, whose friction loads change. */
hol_status hol__actuated_no_slides(const hol__actuated *a);

/* B, nv x n by columns, at the state in the data (stage VEL, whose velocities are put back); rates:
 * those of the coordinates at that state. */
hol_status hol__actuated_directions(hol__actuated *a, double *B, double *rates);

#endif
