/* form.h: a formulation: which state is integrated, and the right-hand side that the integrator
 * sees.
 *
 * Every state is y = (mechanical part, s, W): what the state type makes of positions and
 * velocities, the states that elements added, and the work of everything that is not conservative.
 * Positions are increments d from a base point q_base that moves with each accepted step, so that
 * they live in a vector space also where q holds unit quaternions.
 *
 *     M v' + A^T lambda = Q,  A v' = cbar        W' = power of forces - lambda . b (drivers)
 */
#ifndef HOL_FORM_FORM_H
#define HOL_FORM_FORM_H

#include "dyn/data.h"
#include "form/gain_rule.h"
#include "form/method.h"
#include "form/turns.h"
#include "kernel/kernel.h"
#include "la/dense.h"

typedef struct hol__form hol__form;

/* Accelerations and power from elsewhere than the data: code that was generated for the model. */
typedef struct hol__form_code {
    /* At (t, q, v), with the angles that are followed as at the last accepted state. 0 where the
     * constraints have no digits there: the data is asked then. numbers: those of the model that
     * the code has not folded. */
    int (*at)(double t, const double *q, const double *v, const double *angles,
              const double *numbers, double *vdot, double *power);
} hol__form_code;

/* One kind of state. y points at the mechanical part. */
typedef struct hol__state_type {
    const char *name, *title;
    int dependent; /* y = (d, v): the error of the integrator can be projected on the constraints */
    int completed; /* uses independent coordinates (completion.h) */
    int reduced;   /* integrates as many positions as velocities are independent */
    int keeps;   /* A v = b whatever Phi is, which therefore stays, and no correction can be lent */
    int by_kept; /* rows that depend on others can be left out */
    int gauged;  /* y' is another function of y then, while the motion is the same */
    int (*size)(const hol__form *form);
    /* y of the state in data, at the base point. */
    void (*pack)(hol__form *form, double *y);
    /* Positions and velocities of y into data; keeps what is still valid when nothing changed. */
    hol_status (*unpack)(hol__form *form, double t, const double *y);
    /* ydot at the state in data, which was just unpacked from y. */
    hol_status (*rate)(hol__form *form, const double *y, double *ydot);
    /* y of the state in data after a correction; unpacking y gives back the very same
     * coordinates. */
    void (*repack)(hol__form *form, double *y);
    /* The base point has become base (+) d: the same state relative to it. */
    void (*rebase)(hol__form *form, double t, double *y);
    /* The sizes against which errors count. position and velocity: scales by velocity direction. */
    void (*scale)(const hol__form *form, const double *position, const double *velocity,
                  double *scale);
    /* Errors of momenta as the masses in `scale` times the errors of velocities that they make, in
     * place; NULL: y has no momenta. */
    hol_status (*weigh)(hol__form *form, double *error);
} hol__state_type;

/* The functions of a state type, where its file calls them by these names. */
#define HOL__STATE_FUNCTIONS                                                                       \
    .size = size, .pack = pack, .unpack = unpack, .rate = rate, .repack = repack,                  \
    .rebase = rebase, .scale = scale

/* The i-th state type, NULL past the end; and by name. */
const hol__state_type *hol__state_get(int i);
const hol__state_type *hol__state_find(const char *name);

extern const hol__state_type hol__state_dependent, hol__state_canonical,
    hol__state_canonical_integral, hol__state_canonical_basic, hol__state_canonical_plain,
    hol__state_extended, hol__state_independent, hol__state_canonical_independent;

/* Gains and limits, from the options. */
typedef struct hol__form_options {
    double step;                /* of all steps but short ones; 0: chosen by error */
    double alpha, beta;         /* Baumgarte's gains */
    hol__step_gains step_gains; /* not zero: these over the step instead */
    int held;                   /* the terms are those of the start of the step */
    int adaptive;               /* their gains follow the violation (held.c) */
    double omega, mu;           /* of the penalty terms: s = 2 Omega mu Phi' + Omega^2 Phi */
    double penalty;             /* alpha = penalty times the largest term of M */
    double energy_limit; /* kappa: share by which the energy term may change the speed in a step */
    double threshold;    /* violation that adaptive gains keep */
} hol__form_options;

struct hol__form {
    const hol_model *model;
    hol_data *data;
    hol__kernel *kernel;
    const hol__state_type *state;
    hol__stabilizer stabilizer;
    hol__form_options options;
    int terms;   /* whether the terms of the hybrid stabiliser act in this step */
    double step; /* h: of the step being tried; 0 before the first */
    /* What gains are divided by: h, but where a step ends early (at an output, an event) the usual
     * step or half the reach of the step before, whichever is longer. A violation Phi that is
     * removed in a short step h leaves the velocity Phi/h, which the next step would carry as many
     * times too far as it is longer. */
    double reach, kept_reach;
    double balance;   /* the energy balance at the start */
    int n_mech, n;    /* size of the mechanical part and of y */
    double *base;     /* q of the base point */
    double *q;        /* scratch: base (+) d */
    hol__turns turns; /* rotations among the increments */
    double *cbar;
    double *g1, *g0;               /* gains of psi and of Phi by row, m each */
    double gains_step;             /* the step for which they were made; NaN: not made */
    double *start_Phi, *start_psi; /* held terms: of the start of the step; else NULL */
    double pole, violation;        /* adaptive gains: of the step to come, and where it starts */
    int sampled;                   /* whether there is such a violation */
    double *shift; /* velocity that is added in the kinematic equation; NULL when there is none */
    struct hol__braun_goldfarb
        *embedded; /* its terms (braun_goldfarb.c); NULL when there are none */
    int fresh;     /* the start of a step has been set since the last one began */
    double *x, *f; /* scratch, nv */
    /* canonical states */
    double *p, *integral, *sigma, *rhs;
    hol__kernel *mass; /* of M alone, for v = M^-1 p; NULL: not needed */
    hol__csr no_rows;
    double largest_mass;
    int apart;              /* lambda costs extra and the right-hand side does not read it */
    unsigned long unpacked; /* stamp of the data for which y was solved */
    /* independent states */
    struct hol__completion *completion;
    int by_completion;  /* accelerations from R^T M R instead of the kernel */
    int reduced_lambda; /* multipliers come from the completion */
    hol_status status;  /* of the choice of coordinates */
    double *d, *w, *y;  /* increments found, f, copy of the unpacked y */
    double unpacked_t;
    double *MR, *RMR;
    hol__lu *turned;            /* B P R (positions.c) */
    unsigned long reduced;      /* stamp for which R and R^T M R hold */
    const hol__form_code *code; /* NULL: the data has them */
    const double *code_numbers; /* for it */
    long evaluations;
    long beside_code; /* that code was asked for and did not make */
    long derivatives; /* sets of them that were taken, without those by differences */
};

/* Allocate in the arena. kernel belongs to the caller. */
hol_status hol__form_init(hol__form *form, hol__arena *arena, hol_data *data, hol__kernel *kernel,
                          const hol__state_type *state, hol__stabilizer stabilizer,
                          const hol__form_options *options);

/* What momenta p = M v need, after hol__form_init; nothing for other states. Then x = M^-1 f at
 * the state in data. */
hol_status hol__form_init_mass(hol__form *form, const hol__kernel_options *options);
hol_status hol__form_solve_mass(hol__form *form, const double *f, double *x);

/* Give the form independent coordinates; before hol__form_init. */
hol_status hol__form_complete(hol__form *form, hol__arena *arena, hol_data *data, int basis,
                              double watch, const hol__set_aside *aside, int by_completion);

/* At an accepted step: choose the independent coordinates again when the watch asks for it. Returns
 * whether y has to be packed anew. */
int hol__form_renew(hol__form *form, hol_status *status);

/* y of the state in data; makes it the base point. */
void hol__form_pack(hol__form *form, double *y);

/* Put (t, y) into data. */
hol_status hol__form_unpack(hol__form *form, double t, const double *y);

/* Replace positions and velocities in y by those in data (after a correction). */
void hol__form_repack(hol__form *form, double *y);

/* Factor W = M and A at the state in data, unless the kernel already holds them; and the same for
 * another kernel over M and other rows. */
hol_status hol__form_factor(hol__form *form);
hol_status hol__form_factor_rows(hol__form *form, hol__kernel *kernel, const hol__csr *rows);

/* A run begins: no step has been made yet. */
void hol__form_reset_step(hol__form *form);

/* The state in data, with its energies and residuals, is where the next step starts; first: nothing
 * before it counts. */
void hol__form_hold(hol__form *form, int first);

/* A step whose longest try has the length h is about to be tried from there. Whether the right-hand
 * side is another function than the one last evaluated. */
int hol__form_begin_step(hol__form *form, double h);

/* Solve the equations of motion at the state in data: a, lambda; and a alone where lambda costs
 * extra and the right-hand side does not read it. */
hol_status hol__form_solve(hol__form *form);
hol_status hol__form_accelerate(hol__form *form);

/* The power of forces without a potential and of drivers at (t, y), which goes into data. */
hol_status hol__form_power(hol__form *form, double t, const double *y, double *out);

/* A status of an evaluation: where something is not finite, the data keeps which element it was. */
hol_status hol__form_judge(hol__form *form, hol_status status);

/* The right-hand side, and what happens when a step is accepted; for an integrator. */
hol_status hol__form_rhs(hol__form *form, double t, const double *y, double *ydot);
void hol__form_rebase(hol__form *form, double t, double *y);

/* far.c: whether a rotation among the increments has turned so far that the base point has to
 * move. */
int hol__form_far(hol__form *form, double t, const double *y);

/* Remove from increments d and velocities v what lies across the constraints, in the metric of M,
 * at the state in data. */
void hol__form_tangent(hol__form *form, double *d, double *v);

/* What the form and its kernel keep from one evaluation to the next; after the data was walked
 * over. */
hol_status hol__form_walk(hol__form *form, hol__archive *archive);

/* q <- base (+) d into data when it differs. */
void hol__form_place(hol__form *form, double t, const double *d);

#endif
