/* formula.h: the equations of a model as formulas: what elements and coordinates write them with.
 *
 * Bodies have poses that are formulas of the coordinates; a constraint writes its rows Phi (or, on
 * velocities, psi), a force what it does along scalars x: its share of Q is F dx'/dv, its virtual
 * work. Everything else follows by differentiation along the motion,
 *
 *     x' = sum_i dx/dq_i q_i'(q, v) + dx/dt           (hol__symbolic_rate)
 *
 * Numbers of records are those of the compiled model; their formulas in the parameters of the file
 * come from the same numbers in models that were compiled with other parameters
 * (symbolic/recognise.h).
 */
#ifndef HOL_ELEMENT_FORMULA_H
#define HOL_ELEMENT_FORMULA_H

#include "model/model.h"
#include "symbolic/recognise.h"

/* The pose of a body, and its velocities: linear in those of the coordinates. In the plane r[2],
 * v[2], w[0], w[1] are 0, and R is that of the angle theta. */
typedef struct hol__symbolic_body {
    hol__sym r[3], R[9], p[4], theta;
    hol__sym v[3], w[3]; /* global; in the body frame */
} hol__symbolic_body;

/* Where the value of a symbol that is no parameter comes from at a state. */
typedef enum hol__symbolic_kind {
    HOL__SYMBOLIC_NONE,
    HOL__SYMBOLIC_Q,
    HOL__SYMBOLIC_V,
    HOL__SYMBOLIC_TIME,
    HOL__SYMBOLIC_OWN,    /* a number of the model, by model */
    HOL__SYMBOLIC_INPUT,  /* an input of laws: the column of a measure */
    HOL__SYMBOLIC_ANGLE,  /* a followed angle */
    HOL__SYMBOLIC_POSE,   /* the angle of a body (j < 0), or number j of its quaternion */
    HOL__SYMBOLIC_STATE,  /* a state that an element added */
    HOL__SYMBOLIC_WRENCH, /* what a force does to a body */
    HOL__SYMBOLIC_LAW,    /* a law of time or its first or second derivative, by model */
    HOL__SYMBOLIC_DEFINED /* by a formula */
} hol__symbolic_kind;

/* Where a number of records stands: in record `item` of a batch, of constraints or of forces. */
typedef struct hol__symbolic_place {
    int known, force, batch, item;
    ptrdiff_t offset;
} hol__symbolic_place;

typedef struct hol__symbolic_source {
    hol__symbolic_kind kind;
    int i, j; /* index; WRENCH: force and number in the wrenches of all bodies; LAW: order */
    const double *own;         /* by model */
    const hol__law **law;      /* by model */
    hol__sym is;               /* what it is defined as */
    const char *note;          /* in words; NULL: nothing to say */
    hol__symbolic_place place; /* of OWN */
} hol__symbolic_source;

typedef struct hol__symbolic hol__symbolic;

struct hol__symbolic {
    hol__algebra *a;
    const hol_model *model;
    int n_models;
    const hol_model *const *models; /* models[0] is the model, the others have other parameters */
    hol__candidates *numbers;
    int name_all;               /* numbers that do not follow from parameters get symbols too */
    hol__symbolic_body *bodies; /* ground last */
    hol__sym t;
    hol__sym *q, *v;
    int nv; /* of v */
    /* For programs: a law as a symbol of its own, conditions and tables included; its inputs from
     * `first` on are the n values, those before it are the time and measures. What it returns is
     * NULL, without a reason, for a law that has to be a formula. NULL: all have. */
    hol__sym (*law)(struct hol__symbolic *to, const hol__expr *e, int first, int n,
                    const hol__sym *values);
    int local; /* `first` of the record that is being written */
    /* The same for a where x > 0, else b. NULL: there are no such formulas. */
    hol__sym (*choose)(struct hol__symbolic *to, hol__sym x, hol__sym a, hol__sym b);
    /* The same for u = R s of a moving body, s of numbers: symbols with their rates. NULL: as it
     * is. */
    void (*turned)(struct hol__symbolic *to, int body, const hol__sym s[3], hol__sym u[3]);
    void *self; /* of these three */
    /* by symbol */
    int capacity;
    hol__sym *rate;
    hol__symbolic_source *source;
    /* the equations */
    hol__sym *Phi, *psi; /* by row; psi = Phi' for holonomic ones */
    hol__sym *Q;         /* of the forces */
    hol__sym power;      /* of what they do without a potential; NULL: nobody asks for it */
    /* the record that is being written, in all models, and its element */
    const char **record;
    hol__symbolic_place place; /* which it is, and of the number that is being read */
    int open; /* numbers that differ from model to model stay open: laws must not differ */
    const hol__element *element;
    int row;
    const char *why; /* why it has no formula */
};

/* A symbol of the model, with where its value comes from, and how it changes (NULL: not at all). */
hol__sym hol__symbolic_symbol(hol__symbolic *to, const char *name, const char *latex,
                              hol__sym_class what, hol__symbolic_source source, hol__sym rate);

/* x' along the motion. */
hol__sym hol__symbolic_rate(hol__symbolic *to, hol__sym x);

/* The number at `field` of the record as a formula; hint: a letter for it where it needs a symbol.
 * angle: it is one. */
hol__sym hol__symbolic_number(hol__symbolic *to, const double *field, const char *hint);
hol__sym hol__symbolic_angle_number(hol__symbolic *to, const double *field, const char *hint);

/* The same of numbers that are given for every model; owner: what the symbol belongs to. */
hol__sym hol__symbolic_of_values(hol__symbolic *to, const double *values, const char *hint,
                                 const char *owner, int angle);

/* Three (in the plane two) numbers of the record. */
void hol__symbolic_vector(hol__symbolic *to, const double *field, const char *hint,
                          hol__sym out[3]);

/* A law of the record; names and values of the local names that it may use (NULL: none). NULL where
 * it has no formula. Of time alone: a symbol with its rates then. */
hol__sym hol__symbolic_law(hol__symbolic *to, const hol__law *law, const char *const *locals,
                           const hol__sym *values, const char *hint);
hol__sym hol__symbolic_drive(hol__symbolic *to, const hol__law *law, const char *hint);

/* a where x > 0, else b; NULL where conditions are no formulas: the element then has none. */
static inline hol__sym hol__symbolic_choose(hol__symbolic *to, hol__sym x, hol__sym a, hol__sym b) {
    return to->choose ? to->choose(to, x, a, b) : NULL;
}

/* ---- geometry ---- */

/* u = R s; P = r + R s; R^T u */
void hol__symbolic_turned(hol__symbolic *to, int body, const hol__sym s[3], hol__sym u[3]);
void hol__symbolic_point(hol__symbolic *to, int body, const hol__sym s[3], hol__sym P[3]);
void hol__symbolic_seen(hol__symbolic *to, int body, const hol__sym u[3], hol__sym s[3]);
hol__sym hol__symbolic_dot(hol__symbolic *to, const hol__sym x[3], const hol__sym y[3]);
void hol__symbolic_cross(hol__symbolic *to, const hol__sym x[3], const hol__sym y[3],
                         hol__sym out[3]);
void hol__symbolic_gap(hol__symbolic *to, const int body[2], const hol__sym s1[3],
                       const hol__sym s2[3], hol__sym d[3]);
void hol__symbolic_multiply(hol__symbolic *to, const hol__sym A[9], const hol__sym B[9],
                            hol__sym out[9]);
void hol__symbolic_quat_mul(hol__symbolic *to, const hol__sym p[4], const hol__sym q[4],
                            hol__sym out[4]);
void hol__symbolic_quat_matrix(hol__symbolic *to, const hol__sym p[4], hol__sym R[9]);

/* |d| as a symbol of its own, l = sqrt(d . d), l' = d . d'/l. */
hol__sym hol__symbolic_length(hol__symbolic *to, const hol__sym d[3], const char *hint);

/* A rate in a force: a symbol of its own where it is long. */
hol__sym hol__symbolic_short_rate(hol__symbolic *to, hol__sym rate, const char *hint);

/* The followed angle i of the model. NULL where it is followed by rules of its own. */
hol__sym hol__symbolic_angle(hol__symbolic *to, int i);

/* ---- conditions that several elements have ---- */

/* P2 - P1 = 0 of points s1, s2 of the record; e . (P2 - P1) = f(t), e fixed in the first body. Both
 * return 1. */
int hol__symbolic_coincide(hol__symbolic *to, const int body[2], const double *s1,
                           const double *s2);
int hol__symbolic_slide(hol__symbolic *to, const int body[2], const double *s1, const double *s2,
                        const double *e, const hol__law *f);

/* ---- what elements say ---- */

/* Row k of the record: Phi = 0; or psi = A v - b = 0. */
void hol__symbolic_row(hol__symbolic *to, int k, hol__sym Phi);
void hol__symbolic_rate_row(hol__symbolic *to, int k, hol__sym psi);

/* F along x; and a torque (body frame) on a body. All of it counts as power, … */
void hol__symbolic_act(hol__symbolic *to, hol__sym x, hol__sym F);
void hol__symbolic_twist(hol__symbolic *to, int body, const hol__sym T[3]);

/* … but a force F along x that is -dV/dx of a potential; a change of V by time is a power P. */
void hol__symbolic_keep(hol__symbolic *to, hol__sym x, hol__sym F);
void hol__symbolic_power(hol__symbolic *to, hol__sym P);

#endif
