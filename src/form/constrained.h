/* constrained.h: the equations of motion with their constraints as they are, for integrators of
 * differential-algebraic equations: what integ/dae.h asks for (constrained.c, inertial.c,
 * saddle_terms.c). */
#ifndef HOL_FORM_CONSTRAINED_H
#define HOL_FORM_CONSTRAINED_H

#include "dyn/tangent.h"
#include "form/dae_form.h"
#include "form/form.h"
#include "form/frames.h"
#include "form/turns.h"
#include "la/splu.h"

/* An entry of the matrix: `to` receives the number at `from` (NULL: 1), times weight and the factor
 * of its kind. */
typedef struct hol__saddle_term {
    const double *from;
    double weight;
    int kind, to;
} hol__saddle_term;

/* A factored matrix; size is that of the unknowns, twice where it is complex. */
typedef struct hol__saddle_slot {
    hol__splu lu;
    int n_terms;
    hol__saddle_term *terms;
    double kd, kv;   /* |sigma| of the rows of d and v, by which unknowns and rows are scaled */
    double sigma[2]; /* sigma_v */
    int complex;
} hol__saddle_slot;

enum { HOL__SADDLE_SLOTS = 3 };

/* What a matrix is made of: everything, real or complex; or M and A alone. */
typedef enum hol__saddle_kind {
    HOL__SADDLE_REAL,
    HOL__SADDLE_COMPLEX,
    HOL__SADDLE_INERTIAL
} hol__saddle_kind;

typedef struct hol__constrained {
    hol__arena arena;
    hol__form *form;
    const hol__dae_form *kind;
    hol__tangent *tangent;
    hol__turns turns; /* F: D E P */
    hol__frames frames;
    int nv, nz, n;    /* n: of y */
    int m, mh;        /* rows that are kept, of all constraints and of Phi where it is solved */
    int *row, *place; /* which rows of A they are */
    double *weight;   /* w, by direction */
    double *lambda;   /* all rows */
    double *u;        /* nv */
    double *rows;     /* of all constraints */
    double *b;        /* scratch of solutions */
    double *driven;   /* b of the rows that are kept, at the last derivatives */
    int slots;
    hol__saddle_slot slot[HOL__SADDLE_SLOTS];
    int has_inertial;
    double *own_A;             /* room for A where all rows are the coordinates' own; else NULL */
    hol__saddle_slot inertial; /* [M A^T; A 0] */
} hol__constrained;

/* Allocates everything: the rows that are kept are those of the last analysis of the data. The form
 * has the state of the kind. slots: how many matrices are kept factored at once, the first real,
 * the others complex. inertial: that of M and A is wanted beside them. */
hol_status hol__constrained_new(hol_context *ctx, hol__form *form, const hol__dae_form *kind,
                                int slots, int inertial, hol__constrained **constrained);
void hol__constrained_free(hol__constrained *constrained);

/* As in integ/dae.h: F at (t, y, y', x); its derivatives there; the matrix for sigma (re, im) of
 * the rows of d and of the others; and solutions with it. */
hol_status hol__constrained_residual(hol__constrained *c, double t, const double *y,
                                     const double *ydot, const double *x, double *F);
hol_status hol__constrained_linearize(hol__constrained *c, double t, const double *y,
                                      const double *ydot, const double *x);
hol_status hol__constrained_shift(hol__constrained *c, int slot, const double sigma_d[2],
                                  const double sigma_v[2]);
hol_status hol__constrained_solve(hol__constrained *c, int slot, double *re, double *im);

/* r <- S^T r at y for rows of F, S r for unknowns (frames.h). */
void hol__constrained_turn(hol__constrained *c, const double *y, int back, double *r);

/* inertial.c: hol__dae_inertial of integ/dae.h. */
void hol__inertial_rate(hol__constrained *c, const double *y, double *rate);
hol_status hol__inertial_places(hol__constrained *c, double t, const double *y, double *Phi);
hol_status hol__inertial_keep(hol__constrained *c);
hol_status hol__inertial_solve(hol__constrained *c, double sigma, double *r);
void hol__inertial_times(hol__constrained *c, double sigma, const double *x, double *r);
int hol__inertial_steady(const hol__constrained *c);

/* Energies at (t, y). */
hol_status hol__constrained_energy(hol__constrained *c, double t, const double *y, double *kinetic,
                                   double *potential, double *power);

/* b . lambda of a solution x, b that of the last derivatives: where drivers alone move a mechanism,
 * y is known before the first iteration and lambda, whose work counts, after it. */
double hol__constrained_driven(const hol__constrained *c, const double *x);

/* The choice of pivots, for exact restarts. */
void hol__constrained_walk(hol__constrained *c, hol__archive *archive);

/* saddle_terms.c: the pattern of the matrix of a slot, and which numbers its entries are made
 * of. */
hol_status hol__saddle_open(hol__constrained *c, hol__saddle_slot *slot, hol__saddle_kind kind);

/* saddle_terms.c: its values, factored. */
hol_status hol__saddle_factor(hol__saddle_slot *slot, const double sigma_d[2],
                              const double sigma_v[2]);

#endif
