/* model.h: the compiled model. Everything lives in its arena and never changes after
 * hol_model_compile. */
#ifndef HOL_MODEL_MODEL_H
#define HOL_MODEL_MODEL_H

#include "la/csr.h"
#include "model/element.h"
#include "model/events.h"

#include <stdatomic.h>

/* The gains that a row may have of its own. */
enum {
    HOL__GAIN_ALPHA,
    HOL__GAIN_BETA,
    HOL__GAIN_OMEGA,
    HOL__GAIN_MU,
    HOL__GAIN_PENALTY,
    HOL__N_GAINS
};

/* A moving body. */
/* A point or a unit vector of a body, in its frame and from its mass centre. */
typedef struct hol__mark_of_body {
    int vector;
    double local[3];
} hol__mark_of_body;

typedef struct hol__body {
    const char *name, *label;
    hol_location where;
    double mass;
    double inertia;    /* planar, about the mass centre */
    double J[9];       /* spatial, about the mass centre, body frame */
    double Jinv[9];    /* valid when singular is 0 */
    int singular;      /* no inertia in some direction */
    int massless;      /* it was given no mass, or no inertia, where that is allowed */
    double com[3];     /* mass centre in the user's body frame */
    double r[3], p[4]; /* drawn: mass centre and orientation (planar: angle in theta) */
    double theta;
    double
        scale; /* of lengths on the body against those that are drawn (key `length`); 1 without */
    double v[3],
        w[3]; /* start: mass centre, global; angular velocity in the body frame (planar w[2]) */
    unsigned char given[6]; /* velocities that the user gave */
    unsigned char fix[6];   /* coordinates held in assembly: x y (z) angle | rx ry rz */
    unsigned char fix_velocity[6];
    double weight; /* in assembly */
    int gains;     /* of the rows that it brings with it: place in given_gains, from 1; 0: none */
    int n_shapes;  /* how it is drawn */
    hol_shape *shapes;
    int n_points;   /* named by the description: ends of `along`, points of the section `natural` */
    double *points; /* in the user's body frame, three numbers each */
    int point;      /* a point mass: the compiler holds its orientation */
    int cut;        /* natural coordinates: its rigid-body constraints close a loop (key `cut`) */
    int n_marks;    /* points and vectors by which the section `natural` describes it */
    const hol__mark_of_body *marks;
    /* prescribed: displacements and rotations by direction (0 … 5) as functions of time, or NULL */
    const hol__law *motion;
} hol__body;

/* Records of one primitive, side by side. */
typedef struct hol__con_batch {
    const hol__con_type *type;
    int count, capacity;
    char *records;
} hol__con_batch;

typedef struct hol__force_batch {
    const hol__force_type *type;
    int count, capacity, owners;
    char *records;
    const hol__element **owner; /* of each record; NULL: a force of no element (gravity) */
} hol__force_batch;

/* An angle that is followed over full turns: of frame 2 against frame 1 about their z axes. With
 * follow it is any number that follows from the positions and from its own last value (the place on
 * a curve): follow(self, …, last). */
typedef struct hol__angle {
    int body[2];
    hol__marker marker[2];
    double (*follow)(const void *self, const hol__bodies *bodies, double last, double *scratch);
    const void *self;
} hol__angle;

/* An expression that is not smooth everywhere, and a number whose cell decides what a law does,
 * written in front of the scratch at every evaluation (hol__recorded), with what to call it. */
typedef struct hol__choosing {
    hol__expr *e;
    const char *label;
} hol__choosing;

/* thick > 0: the next corner has the fastest rate of this number, which is no deeper than thick
 * where it changes sides; thick < 0: it is such a rate, and decides nothing. */
typedef struct hol__corner {
    hol__cells cells;
    const char *label;
    double thick;
    double deep; /* > 0: beyond this depth a contact holds shapes apart no longer */
} hol__corner;

/* A slot of a joint that pushes (element/rigid.h). */
typedef struct hol__slide {
    int joint, slot;
    int shares; /* it carries its part though it has no row of its own */
} hol__slide;

typedef struct hol__coords hol__coords;

/* What is found by its name. */
typedef enum hol__named { HOL__BODIES, HOL__JOINTS, HOL__FORCES, HOL__COLUMNS } hol__named;

/* Multiplications of an evaluation, as counted before the coordinates were chosen (coords/cost.h);
 * zeros where they were not counted. */
typedef struct hol__cost {
    double reference, relative;
} hol__cost;

struct hol_model {
    hol_context *own; /* of the model alone: its memory, and what was said while it was compiled */
    hol__arena arena;
    const char *name, *source, *text;
    unsigned long long hash;
    hol_space space;
    int dim; /* 2 or 3 */
    int bw;  /* velocities a body: 3 or 6 */

    hol__name_tree named[HOL__COLUMNS + 1]; /* names to indices */
    int nb;
    hol__body *bodies;
    int n_joints, n_forces;
    hol__element *joints, *forces;
    int n_con_batches, n_force_batches;
    hol__con_batch *con_batches;
    hol__force_batch *force_batches;
    double gravity[3];

    int n_measures, n_columns;
    hol__measure *measures;
    hol_column *columns;
    int *measure_order; /* evaluation order */
    int n_live;         /* measures that every evaluation needs */
    int n_row_measures; /* measures of single multipliers, which all joints must have */
    int n_aux;          /* states that elements added, with their values at the start */
    double *aux0;
    int n_memory; /* numbers that forces remember between accepted states */
    int n_slots;  /* gaps of joints that push and do not pull … */
    int n_slides; /* … those that slide with friction in this model … */
    hol__slide *slides;
    int n_gaps, n_beside; /* … those with a row of their gap, and those closed without one */
    hol__slide *gaps, *beside;
    int n_angles; /* tracked angles */
    hol__angle *angles;
    int n_inputs, local; /* of expressions: t, columns, locals; index of the first local */
    int scratch;         /* doubles that any expression needs */
    int n_choosing, n_corners;
    hol__choosing *choosing;
    hol__corner *corners;

    const hol__coords *coords;
    hol__cost cost; /* where the coordinates were left open */
    int nq, nv, m, mh;
    int rheonomic; /* some constraint depends on time */
    hol__csr G;    /* pattern of the rows over the velocities of the bodies; x is NULL */
    hol__csr
        A; /* pattern of the rows over v: that of G in reference-point coordinates; x is NULL */
    /* pattern, and values where M is constant (reference-point coordinates); else x is NULL */
    hol__csr M;
    unsigned char *turn; /* by velocity: whether it is an angular one */
    /* natural coordinates, by velocity: the shortest leg that ends in that point: a displacement by
     * as much turns a body by about a radian; else NULL */
    double *legs;
    const struct hol__tree
        *tree; /* relative coordinates: the tree of joints (coords/tree.h); else NULL */
    const struct hol__items
        *items; /* natural coordinates: points and vectors (coords/natural.h); else NULL */
    const char **item_names; /* of the points of the file that they are, or NULL; may be NULL */
    /* with other coordinates: the same in reference-point coordinates, for assembly */
    struct hol_model *reference;
    /* where joints have values at the start: the same with rows for them, in reference-point
     * coordinates; else NULL */
    struct hol_model *assembly;
    hol_row *rows;
    int *row_joint; /* -1: a row that the coordinates need among themselves */
    double *q0, *v0;
    /* Gains of rows that have their own: NaN where not, NULL where no row has that one; and what
     * was given, by equation of the joints. */
    double *gains[HOL__N_GAINS];
    int n_given_gains;
    double (*given_gains)[HOL__N_GAINS];

    int n_parameters; /* of the section `parameters` */
    hol_parameter *parameters;
    int n_events; /* of the section `events` */
    hol__event *events;
    int n_assigned; /* parameters that events set … */
    const char **assigned;
    double *values; /* … and the values that they have in this model; NaN: as described */
    int n_switched; /* joints and forces with the key `active` or that events switch; joints that
                     * push */
    struct hol_spec *spec; /* what it was made of, where such elements are; else NULL */
    /* the model in which some of them do not act, and which outlives this one; else NULL */
    const struct hol_model *whole;
    /* a model in which elements do not act is freed by the last that uses it; else NULL */
    atomic_int *users;

    double length; /* a size of the mechanism: scale of translations */
    const hol__expr *stop_when;
    hol_location stop_where;
};

/* Let the i-th of a kind be found by its name (in the arena of the model; the first of a name is);
 * and its index, -1 when there is none. */
void hol__model_name(hol_model *model, hol__named kind, const char *name, int i);
int hol__model_named(const hol_model *model, hol__named kind, const char *name);

/* The unit that the key `unit` asks for a column of measures to be shown in; NULL: none. */
const hol_unit *hol__model_asked_unit(const hol_model *model, int column);

/* Whether the equations of a model change during a run. */
static inline int hol__model_varies(const hol_model *model) {
    return model->n_switched || model->n_assigned;
}

/* Be one more user of a model that several share, and no longer one; nothing for other models. */
void hol__model_keep(const hol_model *model);
void hol__model_release(const hol_model *model);

/* Whether velocity i is an angular one. */
static inline int hol__is_turn(const hol_model *model, int i) {
    return model->turn[i];
}

/* Record i of a batch. */
static inline const void *hol__con_record(const hol__con_batch *batch, int i) {
    return batch->records + (size_t)i * batch->type->size;
}

/* How many equations a joint has. */
static inline int hol__joint_rows(const hol_model *model, const hol__element *joint) {
    int n = 0;
    for (int i = 0; i < joint->n_parts; i++) {
        const hol__con *con = (const hol__con *)hol__con_record(
            &model->con_batches[joint->part[i].batch], joint->part[i].record);
        n += con->n_rows;
    }
    return n;
}

static inline const void *hol__force_record(const hol__force_batch *batch, int i) {
    return batch->records + (size_t)i * batch->type->size;
}

#endif
