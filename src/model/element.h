/* element.h: what an element type supplies, and the records it is compiled to.
 *
 * An element of a model file (a joint, a force, a measure) is described by one hol__element_type:
 * its name, its keys, and a compile function that turns an item of the description into records of
 * primitive constraints or forces. Records of one primitive lie side by side and are evaluated as a
 * batch, once per evaluation of the equations of motion.
 *
 * Primitives work in body space, whatever the coordinates are: they read the poses and velocities
 * of the mass centres and write rows over the body velocities, (x', y', theta') in the plane and
 * (r' global, omega body frame) in space:
 *
 *     Phi = 0     A v = b     A v' = c,  c = b' - A' v
 */
#ifndef HOL_MODEL_ELEMENT_H
#define HOL_MODEL_ELEMENT_H

#include "base/expr.h"
#include "model/schema.h"

#include <holonom/data.h>
#include <holonom/model.h>

/* A body in the plane: mass centre, cosine and sine of the angle, velocities. */
typedef struct hol__body2 {
    double r[2], c, s;
    double theta; /* over full turns: the coordinate plus turn */
    double v[2], w;
    double turn; /* full turns that were taken out of the coordinate, in radians */
} hol__body2;

/* A body in space: mass centre, orientation as quaternion and matrix, velocity (global), angular
 * velocity in the body frame. */
typedef struct hol__body3 {
    double r[3], p[4], R[9];
    double v[3], w[3];
} hol__body3;

/* The bodies of a model as one handle, nb + 1 of them, ground last: b2 in the plane or b3 in space,
 * the other is NULL. Behind a const handle they are only read. */
typedef struct hol__bodies {
    hol__body2 *b2;
    hol__body3 *b3;
} hol__bodies;

/* A frame on a body: origin s relative to the mass centre, and orientation, both in the body frame.
 * In the plane only s[0], s[1] and the angle count. */
typedef struct hol__marker {
    double s[3];
    double f[4], F[9];
    double angle;
} hol__marker;

/* A number that may vary: e is NULL for a constant. */
typedef struct hol__law {
    double value;
    const hol__expr *e;
} hol__law;

/* The value of a law. */
static inline double hol__law_value(const hol__law *law, const double *inputs, double *scratch) {
    return law->e ? hol__expr_value(law->e, inputs, scratch) : law->value;
}

/* Where the number of a corner is written, in front of the scratch of expressions. */
static inline double *hol__recorded(double *scratch, int corner) {
    return scratch - 1 - corner;
}

/* f, f' and f'' of a law that depends on time alone. */
static inline hol__jet hol__law_jet(const hol__law *law, double t, double *scratch) {
    static const double one = 1, zero = 0;
    return law->e ? hol__expr_jet(law->e, &t, &one, &zero, scratch) : (hol__jet){law->value, 0, 0};
}

enum { HOL__LOCK_DRIVEN = 64 };

enum { HOL__MAX_BODIES = 8, HOL__MAX_PARTS = 4, HOL__LOCALS = 4 };

typedef struct hol__element hol__element;
struct hol__symbolic;
typedef struct hol__params hol__params;
typedef struct hol__build hol__build;

/* ---- constraints ---- */

/* The head of every constraint record. Row k of the record is row + k of the system; the values
 * over the velocities of body slot b begin at A[at[b] + k * stride] (at < 0: ground, nothing is
 * stored). */
typedef struct hol__con {
    int element; /* index of the joint */
    int n_bodies, body[HOL__MAX_BODIES];
    int row, n_rows;
    int stride, at[HOL__MAX_BODIES];
    int gains; /* of its first row: place in given_gains of the model, from 1; 0: none */
} hol__con;

enum { HOL__COMMON_NONE, HOL__COMMON_POINT, HOL__COMMON_AXIS };

enum { HOL__WANT_POS = 1, HOL__WANT_VEL = 2, HOL__WANT_ADOT = 4 };

/* Where a constraint batch reads and writes. */
typedef struct hol__con_args {
    int want;
    hol__bodies bodies;
    const double *inputs; /* t, measures, locals */
    double *scratch;      /* for expressions */
    const double *angles; /* tracked angles, continuous */
    const double *memory; /* what elements remember of the last accepted state (hol__add_memory) */
    const double *aux;    /* states that elements added (hol__add_state) */
    const double
        *aux_rate;   /* their rates: valid for states that depend on time and other states alone */
    double *Phi, *A; /* HOL__WANT_POS */
    double *b, *c;   /* HOL__WANT_VEL */
    double *Adot;    /* HOL__WANT_ADOT */
    double *trash;   /* rows of ground go here */
} hol__con_args;

/* A direction of the poses at the state in args: number k of the velocities of the body in a
 * slot. */
typedef struct hol__pose_direction {
    const hol__con *con;
    const hol__con_args *args;
    int slot, k;
} hol__pose_direction;

/* What the local coordinates of a row are [BL 2]: the relative position of its two bodies at the
 * joint, by the joint's frames (P; F) on both, or the row itself. */
typedef enum hol__local_space {
    HOL__LOCAL_ROW,  /* x = Phi, one coordinate a row; nonholonomic: x' = A v */
    HOL__LOCAL_GAP,  /* x = P2 - P1, global: dim coordinates */
    HOL__LOCAL_SEEN, /* x = R1^T (P2 - P1), as the first body sees it: dim coordinates */
    HOL__LOCAL_TURN  /* x' = F2^T (w2 - R2^T R1 w1): three quasi-coordinates, in space */
} hol__local_space;

/* The rows of a record over the full set of their local coordinates. */
typedef struct hol__local_type {
    hol__local_space space;
    const char *x, *C; /* in symbols; C: the row i of the record, "1" for the unit matrix */
    /* C (n_rows x n, row-major) [BL 7]; marker: the frames of the joint. NULL for rows. */
    void (*rows)(const void *record, const hol__marker marker[2], const hol__con_args *args,
                 double *C);
} hol__local_type;

typedef struct hol__con_type {
    const char *name;
    size_t size; /* of a record, which begins with hol__con */
    int holonomic;
    /* The entries of row k over body slot b that can be non-zero, as bits. */
    unsigned (*live)(const void *record, int k, int slot);
    /* What row k holds ("translation x"). */
    const char *(*label)(const void *record, int k);
    /* Evaluate n records. */
    void (*fill)(const void *records, int n, const hol__con_args *args);
    /* What the rows say when they hold: the two bodies have a point (given from each mass centre)
     * or a direction in common, in each body's frame, and nothing else; HOL__COMMON_NONE: something
     * else. NULL: never. */
    int (*common)(const void *record, double first[3], double second[3]);
    /* The derivatives of c of the rows of a record along one direction of the poses; rows come
     * zeroed. NULL: by differences. */
    void (*tangent)(const void *record, const hol__pose_direction *at, double *rows);
    const hol__local_type *local; /* NULL: HOL__LOCAL_ROW without symbols */
    /* The rows of a record as formulas (element/formula.h); 0 where it has none, with the reason in
     * to->why. NULL: never. */
    int (*formula)(const void *record, struct hol__symbolic *to);
} hol__con_type;

/* The values of the rows over the body in that slot. */
static inline double *hol__con_block(const hol__con *con, int slot, double *values, double *trash) {
    return con->at[slot] < 0 ? trash : values + con->at[slot];
}

/* ---- what an element can tell of itself ---- */

/* How many columns a quantity has: one; x, y(, z); the turn about z, in space about x, y, z; all
 * directions of a frame: x, y, angle or x, y, z, rx, ry, rz. */
typedef enum hol__quantity_shape {
    HOL__TELLS_NUMBER,
    HOL__TELLS_VECTOR,
    HOL__TELLS_TURN,
    HOL__TELLS_FRAME
} hol__quantity_shape;

/* A named quantity of a force or of a driver, for the measure `load`. */
typedef struct hol__quantity {
    const char *name;
    hol__quantity_shape shape;
    const char *unit; /* SI, of displacements … */
    const char *turn; /* … and of rotations, or where the element acts in an angle; NULL: as unit */
    int acts;         /* it is zero while the element does not act */
    const char *doc;
} hol__quantity;

/* Rows of a table of quantities end with this. */
#define HOL__QUANTITY_END                                                                          \
    { NULL, HOL__TELLS_NUMBER, NULL, NULL, 0, NULL }

enum { HOL__TOLD_WIDTH = 6, HOL__MAX_TOLD = 8 };

/* What a force does at a state: its own quantities in the order of its table, HOL__TOLD_WIDTH
 * numbers each; force and moment on its two bodies (global, the moment about the point of the
 * force on that body); the power of both; its potential energy; and the power that leaves the
 * mechanical energy through it. */
typedef struct hol__told {
    double own[HOL__MAX_TOLD * HOL__TOLD_WIDTH];
    double force[2][3], moment[2][3];
    double power, energy, loss;
} hol__told;

/* ---- forces ---- */

/* Where a force batch reads and writes: wrench has 3 or 6 numbers a body (force global; torque
 * about the mass centre, in space in the body frame), ground last. potential and power are added
 * to; power is that of the non-conservative part. */
typedef struct hol__force_args {
    hol__bodies bodies;
    double *inputs; /* t, measures, locals (written by the force before its law) */
    int local;      /* index of the first local */
    double *scratch;
    const double *angles; /* tracked angles of joints, continuous */
    const double *aux;    /* states that elements added (hol__add_state) … */
    double *aux_rate;     /* … and their rates, to be written by the force that owns them */
    const double *memory; /* what forces remember of the last accepted state (hol__add_memory) */
    double *wrench;
    double potential, power;
    double *told; /* the quantities of the force, where somebody asks (hol__tell); else NULL */
} hol__force_args;

/* Quantity i of the force that is being evaluated. */
static inline void hol__tell(const hol__force_args *args, int i, double value) {
    if (args->told) args->told[i * HOL__TOLD_WIDTH] = value;
}

/* The same for one of n <= HOL__TOLD_WIDTH components. */
static inline void hol__tell_all(const hol__force_args *args, int i, const double *values, int n) {
    for (int k = 0; args->told && k < n; k++) args->told[i * HOL__TOLD_WIDTH + k] = values[k];
}

/* The tangent of one record of a force over the two bodies of its element: n = 2 x 3 or 2 x 6
 * numbers, those of the first body first (what belongs to ground is ignored). Increments of poses
 * have the directions of the velocities (r, and a rotation, in space in the body frame). Matrices
 * are row-major and come zeroed; the record adds to them. */
typedef struct hol__force_tangent {
    int n;
    int body[2];
    double *pose, *twist; /* n x n: of the wrenches by poses and by velocities */
    int n_reads;
    const int *reads; /* what its laws read: input 0, the time, and columns of measures */
    double *input;  /* n x n_reads: of the wrenches by these, where positions and velocities stay */
    int aux, n_aux; /* states of the element: the first, how many */
    double *state;  /* n x n_aux: of the wrenches by these */
    double *rate_pose, *rate_twist, *rate_input, *rate_state; /* n_aux rows: of their rates */
    const double *none; /* zeros, as many as there are inputs … */
    double *along;      /* … and a direction among the inputs, zeros too: left as found */
} hol__force_tangent;

typedef struct hol__force_type {
    const char *name;
    size_t size; /* of a record, which begins with int element */
    void (*fill)(const void *records, int n, hol__force_args *args);
    /* At an accepted state: what the records remember of it. The forces at this state must not
     * change by it. NULL where nothing is remembered. */
    void (*keep)(const void *records, int n, const hol__force_args *args, double *memory);
    /* The tangent of one record at the state in args. NULL: by differences. A force of no element
     * (gravity) acts on each body by itself, must have one, and is asked for body[0] alone. */
    void (*tangent)(const void *record, hol__force_args *args, hol__force_tangent *out);
    /* What a record does as formulas (element/formula.h); 0 where it has none: what it does then
     * stands as symbols. NULL: always. */
    int (*formula)(const void *record, struct hol__symbolic *to);
} hol__force_type;

/* ---- measures ---- */

typedef enum hol__level {
    HOL__LEVEL_POS,
    HOL__LEVEL_VEL,
    HOL__LEVEL_FORCE,
    HOL__LEVEL_ACC
} hol__level;

typedef struct hol__measure hol__measure;
typedef struct hol__element_type hol__element_type;

/* What a measure may read. acc: 3 or 6 numbers a body like the velocities; the callbacks go to the
 * data. */
typedef struct hol__measure_args {
    hol__bodies bodies;
    const double *acc;
    const double *inputs;
    double *scratch;
    const double *angles;
    const double *memory; /* values of variables, among what forces remember */
    void *self;
    hol_reaction (*reaction)(void *self, int joint);
    hol_energy (*energy)(void *self);
    void (*force)(void *self, int force, hol__told *out);
    /* lambda of a row of a joint (from 0); and the power of what all its rows exert */
    double (*multiplier)(void *self, int joint, int row);
    double (*power)(void *self, int joint);
    /* what gravity does to a body, in the places of a force on its first body */
    void (*weight)(void *self, int body, hol__told *out);
} hol__measure_args;

typedef struct hol__measure_type {
    hol__level level;
    void (*eval)(const hol__measure *measure, const hol__measure_args *args, double *out);
} hol__measure_type;

/* A measure: its columns are first … first + count - 1. */
struct hol__measure {
    const char *name, *label;
    hol_location where;
    const hol__element_type *kind;
    const hol__params *params;
    int sound; /* nothing is wrong with them */
    const hol__measure_type *type;
    hol__level level; /* what it needs; expressions take that of what they read */
    const char *unit, *frame;
    int first, count;
    int body[3];
    hol__marker marker[2];
    int joint, angle;           /* indices, -1 when unused */
    int force;                  /* the force that it is about, -1: none … */
    unsigned long long acts;    /* … and bits: the columns that show what the force does */
    int component;              /* -1: all */
    int choice;                 /* frame or variant, by type */
    const struct hol__body *of; /* the body whose masses it needs */
    const void *self;           /* what its type keeps */
    const hol__expr *e;
    int live;          /* a law needs it at every evaluation, or the equations of motion do */
    int memory;        /* of a variable: where its value is kept; -1: it is none … */
    double start;      /* … and the value at the start */
    int below;         /* while such measures are found: the next of them, -1 for none */
    int invariant;     /* the motion keeps it, and braun-goldfarb holds it */
    const char *asked; /* the unit that it is to be shown in; NULL: none */
    hol_location asked_where; /* where that stands */
    hol_unit shown;           /* the same, as it was understood */
};

/* ---- the table ---- */

struct hol__element_type {
    const char *section; /* "joints", "forces", "measures" */
    const char *name;
    const char *title;
    const char *equations; /* plain text */
    const char *example;   /* the lines of a model file that use it */
    unsigned spaces;       /* HOL__IN_PLANE | HOL__IN_SPACE */
    const hol__key *keys;
    size_t size; /* of its parameters, which the keys fill (model/fields.h) */
    int late;    /* a joint that refers to other joints: compiled after those */
    int outside; /* a force whose power comes from outside the mechanism, or goes there */
    const hol__quantity
        *quantities; /* what a force or a driver can tell; NULL: nothing of its own */
    /* Joints and forces: called when all parameters are there. */
    void (*compile_element)(hol__build *build, hol__element *element, const void *params);
    const hol__measure_type *measure; /* measures only, from here on */
    const char *unit;                 /* of its columns */
    const char *units;                /* in words, where they differ; NULL: `unit` */
    const char *(*unit_of)(const hol__measure *measure,
                           int i); /* where columns differ; NULL elsewhere */
    /* unit, frame and doc of a column, where these differ; NULL elsewhere */
    void (*describe)(hol__build *build, const hol__measure *measure, int i, hol_column *column);
    /* called when forces are compiled; may be NULL */
    void (*finish)(hol__build *build, hol__measure *measure);
    void (*compile_measure)(hol__build *build, hol__measure *measure, const void *params);
    /* The names of a measure's columns, NULL past the end; "" for a scalar. Called before all
     * parameters are known to be right. */
    const char *(*component)(const hol__build *build, const void *params, int i);
};

/* Row i over all sections, NULL past the end; and by section and name. */
const hol__element_type *hol__element_type_get(int i);
const hol__element_type *hol__element_type_find(const char *section, const char *name);

/* When an element acts: where `when` is positive; or from `from` on and until `until`, each of
 * which may be missing; or, with none of them, always or never. */
typedef struct hol__active {
    const hol__expr *when, *until, *from;
    int initially; /* at the start; -1: as `when` says */
    int here;      /* holds what it meets */
    hol_location where;
} hol__active;

/* A joint or a force of the model. */
struct hol__element {
    const char *name, *label;
    const hol__element_type *type;
    hol_location where;
    int index;
    const hol__params *params; /* what it was made of; NULL where bodies brought it with them */
    int body[2];               /* n_bodies is ground */
    hol__marker marker[2];     /* the joint's frame on each body */
    int n_parts;
    struct {
        int batch, record;
    } part[HOL__MAX_PARTS];
    /* what hol__lock locks as drawn, as bits x y z rx ry rz; HOL__LOCK_DRIVEN beside them where
     * something is driven */
    unsigned lock;
    double second_axis[3];     /* universal: the axis on the second body, in its frame */
    double pitch;              /* screw: displacement along the axis per radian */
    int angle;                 /* index of the tracked angle about the axis, or -1 */
    int aux, n_aux;            /* states that it added: the first, how many */
    int n_reads, *reads;       /* columns of measures that its laws read */
    const hol__active *active; /* NULL: acts at all times */
    int by_event;              /* events make it take hold or let go */
    int off;                   /* does not act in this model */
    int cut;          /* a joint that must not be a link of relative coordinates (key `cut`) */
    int start;        /* not a joint but its values at the start, in a model for assembly */
    int slides;       /* has a displacement along its axis */
    int pushes;       /* a driver, or a force on a coordinate: on a length, else on an angle */
    const void *idle; /* a force that does not act: its record, of the type … */
    const hol__force_type *idle_type;
    const hol_shape *shape[2];          /* what touches, on each body; NULL: nothing */
    const struct hol__rolling *contact; /* where a disk or a sphere touches its plane, else NULL */
    const struct hol__rigid *rigid;     /* a joint that pushes and does not pull, else NULL */
};

#endif
