/* form.h: a formulation: the right-hand side of the differential equations that the integrator sees.
 *
 * State `dependent`: y = (d, v, s, W): increments d of all coordinates from a base point, all velocities, the states that
 * elements added, and the work of everything that is not conservative.
 *
 *     d' = rate(d, v)        M v' + A^T lambda = Q,  A v' = cbar        W' = power of forces - lambda . b (drivers)
 */
#ifndef HOL_FORM_FORM_H
#define HOL_FORM_FORM_H

#include "dyn/data.h"
#include "form/method.h"
#include "kernel/kernel.h"

typedef struct hol__form {
    const hol_model *model;
    hol_data *data;
    hol__kernel *kernel;
    hol__stabilizer stabilizer;
    double alpha, beta; /* Baumgarte's gains; used when step_gain is 0 */
    double step_gain;   /* gains of this times 1/h instead */
    double step;        /* h now, for step_gain */
    int n, n_max;       /* size of y now, and with the work */
    int has_work;
    double *base;    /* q of the base point */
    double *q;       /* scratch: base (+) d */
    double *cbar;
    long evaluations;
} hol__form;

/* Allocate in the arena. kernel belongs to the caller. */
hol_status hol__form_init(hol__form *form, hol__arena *arena, hol_data *data, hol__kernel *kernel);

/* Take the work into y, or leave it out, by what the forces of now need. */
void hol__form_resize(hol__form *form);

/* y of the state in data; makes it the base point. */
void hol__form_pack(hol__form *form, double *y);

/* Put (t, y) into data; keeps what is still valid when nothing changed. */
void hol__form_unpack(hol__form *form, double t, const double *y);

/* Replace positions and velocities in y by those in data (after a correction), in such a way that unpacking gives back the very
 * same coordinates. */
void hol__form_repack(hol__form *form, double *y);

/* Factor W = M and A at the state in data, unless the kernel already holds them. */
hol_status hol__form_factor(hol__form *form);

/* Solve the equations of motion at the state in data: a, lambda. */
hol_status hol__form_solve(hol__form *form);

/* The right-hand side, and what happens when a step is accepted; for hol__ode. */
hol_status hol__form_rhs(hol__form *form, double t, const double *y, double *ydot);
void hol__form_rebase(hol__form *form, double *y);

#endif
