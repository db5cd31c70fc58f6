/* program.h: the equations of one mechanism as a computation (dag.h), in relative coordinates.
 *
 *     M v' + A^T lambda = Q     Phi(q, t) = 0     A v = b     A v' = c
 *
 *     chain.c      the tree of joints: poses, velocities, M by composite bodies, and M v' - Q at
 *                  v' = 0 by Newton and Euler, in the frames of the links
 *     elements.c   rows and forces from the formulas of the elements (element/formula.h) over
 *                  symbols for the poses and velocities of bodies, carried down the tree
 *     measures.c   columns of measures, for laws that read them and as results
 *     solve.c      M = L D L^T from the tips to the root, without fill; A M^-1 A^T = L D L^T; both
 *                  written out; accelerations, and the steps of a projection
 *
 * Wrenches on bodies have forces and torques about the mass centre in global axes.
 */
#ifndef HOL_GENERATE_PROGRAM_H
#define HOL_GENERATE_PROGRAM_H

#include "coords/tree.h"
#include "element/formula.h"
#include "generate/vector.h"

enum { HOL__COLUMN_OPEN = -2 };

/* Nodes that formulas of elements may have. */
enum { HOL__PROGRAM_FORMULAS = 2000000 };

/* A body as the elements see it; a0, alpha0: accelerations at v' = 0. */
typedef struct hol__gbody {
    hol__ref r[3], R[9], p[4], theta;
    hol__ref v[3], w[3], a0[3], alpha0[3]; /* w in its frame; alpha0 is that of … */
    hol__ref omega[3];                     /* … w in global axes */
} hol__gbody;

/* The frame of a link: that of the joint on the child, z along its axis (frames.c). */
typedef struct hol__gframe {
    hol__ref B[9];          /* from it to the frame of the body */
    hol__ref K[9];          /* from it to the parent's at q = 0, less … */
    hol__ref offset;        /* … what is added to the angle of a joint with one axis */
    hol__ref axes[4][3];    /* directions of translations, and of a screw; parent's frame */
    hol__ref f1[4], f2c[4]; /* of the joint on both bodies, as quaternions */
} hol__gframe;

/* A link: how its frame stands in the parent's, and what moves in it. */
typedef struct hol__glink {
    hol__gframe frame;
    hol__ref R[9], global[9];      /* from its frame to the parent's, and to ground's */
    hol__ref s2[3], P[3];          /* from the mass centre to P, its frame; P global */
    hol__ref L[3];                 /* from the parent's P to P, parent's frame */
    hol__ref e[6][3];              /* by velocity: angular velocity that it is, own frame, … */
    hol__ref l[6][3];              /* … and the velocity of P, parent's frame, … */
    hol__ref lc[6][3];             /* … and the same in its own */
    hol__ref w[3], v[3];           /* of P; own frame */
    hol__ref alpha[3], a[3], U[9]; /* at v' = 0 */
    hol__ref g[3];                 /* gravity; 0 where it is an acceleration of the ground */
    /* mass, first and second moment at P: of the body, less what the parent carries as well; and
     * with all that the link carries */
    hol__ref m, h[3], I[9];
    hol__ref mc, hc[3], Ic[9];
} hol__glink;

/* A state of the library: the angles that it follows are those at the last step. */
typedef struct hol__gstate {
    double t;
    double *q, *v, *a, *angles;
} hol__gstate;

/* Accelerations, and the steps dq, dv of a projection onto Phi = 0 and onto A v = b; regular: 1
 * while the factorisations have their digits. power: of all that changes the energy, drivers
 * included. */
typedef struct hol__gresults {
    hol__ref *vdot, regular, power;
    hol__ref *dq, *dv, dq_regular;
} hol__gresults;

/* A number of a model by its place, the same in every model of one structure. */
typedef const void *hol__place_fn(const hol_model *model, int i);
typedef struct hol__gplace {
    hol__place_fn *at; /* NULL: of a record */
    int item;
    hol__symbolic_place record;
    ptrdiff_t offset;
} hol__gplace;

double hol__gplace_value(const hol__gplace *place, const hol_model *model);

/* A number that differs from model to model, and is an input of the code. */
typedef struct hol__gopen {
    hol__gplace place;
    hol__ref ref;
    const double *values; /* by model */
} hol__gopen;

typedef struct hol__program {
    hol_context *ctx;
    const hol_model *model;
    int n_models; /* 1, or with parameters that are inputs, those with other values of them */
    const hol_model *const *models;
    int open; /* numbers that differ between the models are inputs, read from each of them */
    int now;  /* the model whose values they have */
    int n_opened, opened_capacity;
    hol__gopen *opened;
    hol__dag dag;
    hol__algebra *a;
    hol__symbolic to;
    hol__candidates numbers;
    /* inputs */
    hol__ref t, *q, *v;
    int n_parameters;
    const char **parameter; /* names of the parameters that are inputs */
    double *parameter_value;
    hol__ref *parameter_ref;
    /* all parameters of the file that are symbols of the algebra: names, symbols, and what they are
     * by others (NULL: an input, or a number) */
    int n_names;
    const char *const *names;
    const hol__sym *symbols, *definitions;
    const double *const *samples; /* by model and symbol: values */
    hol__sym (*omega)[3];         /* by body: symbols of its angular velocity, global */
    struct hol__gturned *turned;  /* directions of bodies that have symbols */
    int n_turned, turned_capacity;
    hol__ref *of_symbol; /* by symbol of the algebra; -1: not yet */
    int n_of_symbol;
    hol__ref *of_node; /* by node of the algebra: its node here from 1; 0: not yet */
    int n_of_node;
    hol__ref *column; /* by column of measures; -1: not computed; HOL__COLUMN_OPEN: not yet */
    /* angles that are followed over full turns, by angle: what they were at the last step, an
     * input, and what they are; -1: not followed */
    hol__ref *near, *angle;
    /* the mechanism */
    hol__gbody *bodies; /* ground last */
    hol__glink *links;
    hol__ref gravity[3];
    /* the equations: rows of A over velocities */
    hol__ref *M, *A, *Q, *Phi, *psi, *c; /* Q: less what velocities do */
    hol__ref power;                      /* of forces without a potential */
    int *kept, n_kept;                   /* rows that do not depend on others; holonomic first */
    int n_kept_h;                        /* of these, holonomic */
    double augment; /* M + augment A^T A is solved with; 0 where M has its rank */
    /* results: that need no choice (solve.c), and of a choice of velocities, where partitioned */
    hol__gresults safe, fast;
    int partitioned;
    double worst; /* of the check: the largest difference, relative */
} hol__program;

/* A number of the model that stands at the same place in every one of them. at(model, i): the
 * struct, of which `field` of the first model is a member. What rounding left of 0 in a place or a
 * direction is 0. */
typedef enum hol__number_kind {
    HOL__NUMBER_PLAIN,
    HOL__NUMBER_PLACE,
    HOL__NUMBER_ANGLE
} hol__number_kind;
hol__ref hol__program_number(hol__program *p, hol__place_fn *at, int i, const double *field,
                             hol__number_kind kind);

/* The input for a number with these values in the models. */
hol__ref hol__program_open_number(hol__program *p, const hol__gplace *place, const double *values);

/* A formula as a node; symbols by of_symbol, or by what they are defined as. */
hol__ref hol__program_formula(hol__program *p, hol__sym x);

/* A symbol stands for that node; 0 without memory. */
int hol__program_bind(hol__program *p, hol__sym symbol, hol__ref x);

/* A law over its inputs: refs by input, -1 for those that it does not read; and these inputs as far
 * as they are the time and measures: 0 where a measure that it reads is not computed. */
hol__ref hol__program_law(hol__program *p, const hol__expr *e, const hol__ref *inputs);
int hol__program_inputs(hol__program *p, const hol__expr *e, hol__ref *inputs);

/* Whether a text has the name of a parameter that is an input, or that follows from one. */
int hol__program_mentions(const hol__program *p, const char *text);

/* The followed angle i of the model; and the rate of the angle between markers on two bodies. */
hol__ref hol__program_angle(hol__program *p, int i);

/* Whether there is one: not of places on curves, nor where it depends on the parameters. */
int hol__program_has_angle(const hol__program *p, int i);
hol__ref hol__program_angle_rate(hol__program *p, const int body[2], const hol__marker *marker);

/* Everything up to the equations, for ctx, model, models and the parameters, which are set, with
 * the algebra of these or none. Elements that cannot be generated are reported. Afterwards, in any
 * case, hol__program_close. */
hol_status hol__program_open(hol__program *p);
void hol__program_close(hol__program *p);

/* The values of all nodes at a state. */
void hol__program_values(const hol__program *p, const hol__gstate *s, double *inputs,
                         double *values);

/* Choose the rows that are kept (rows.c), and whether M is solved with as it is. */
hol_status hol__program_rows(hol__program *p, int n_states, const hol__gstate *states);
hol_status hol__program_weigh(hol__program *p, int n_states, const hol__gstate *states);

/* Compare with the library (check.c). */
hol_status hol__program_check(hol__program *p, int n_states, const hol__gstate *states);

/* The parts, in this order; frames are the first of the chain. */
void hol__program_parameters(hol__program *p);
void hol__program_frames(hol__program *p);
void hol__program_chain(hol__program *p);
hol_status hol__program_elements(hol__program *p);
void hol__program_mass(hol__program *p);
void hol__program_forces(hol__program *p, const hol__ref *wrench);
void hol__program_row(hol__program *p, const hol__ref *wrench, hol__ref *out);
void hol__program_solve(hol__program *p);
void hol__program_partition(hol__program *p, int n_states, const hol__gstate *states);
void hol__program_power(hol__program *p);

/* The column of a measure, computed when first asked for; -1 where it has no formula, with the
 * reason in *why. */
hol__ref hol__program_column(hol__program *p, int column, const char **why);

#endif
