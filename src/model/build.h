/* build.h: what an element's compile function works with: places and frames, errors, and adding
 * records.
 *
 * Its parameters are in fields.h; what reads a description is in read.h. Reading never stops at an
 * error: it reports the place, counts the error and returns something harmless, so that all errors
 * of a file show in one run. A model is made only when there was none.
 */
#ifndef HOL_MODEL_BUILD_H
#define HOL_MODEL_BUILD_H

#include "model/model.h"

enum { HOL__PARAMETER_OPEN, HOL__PARAMETER_BUSY, HOL__PARAMETER_DONE, HOL__PARAMETER_FAILED };

typedef struct hol__parameter {
    const char *name;
    hol__node *node;
    int state;
    double value;
    hol__dim dim; /* known where it was given with a unit */
} hol__parameter;

enum { HOL__BUILD_SCRATCH = 16384 };

/* Names that refer to each other may do so this deep; in the order of the file there is no
 * limit. */
enum { HOL__MAX_DEPTH = 200 };

/* Which names an expression may use. */
/* LOCAL: time and the given names alone; the inputs are then t and those names in their order,
 * nothing else. */
typedef enum hol__names {
    HOL__NAMES_CONSTANT,
    HOL__NAMES_TIME,
    HOL__NAMES_LOCAL,
    HOL__NAMES_ALL
} hol__names;

/* Whoever reads an expression of local names may take in measures that it names: the index of the
 * measure among those names, which grow to at most `most`, or -1 when it cannot be (reported). */
typedef struct hol__adopt hol__adopt;
struct hol__adopt {
    int most;
    int (*measure)(hol__build *build, hol__adopt *self, const char *name,
                   const hol_location *where);
};

/* A measure that is named before measures are compiled: its name, what stands behind the dot (""
 * without), and its type (NULL when there is no such type); params: where they were read. */
typedef struct hol__measure_found {
    const char *name, *part;
    const hol__element_type *type;
    struct hol_item *item; /* in the description */
    const hol__params *params;
} hol__measure_found;

/* A parameter that is to have its value changed: name and by how much; found and value come
 * back. */
typedef struct hol__shift {
    const char *name;
    double by, value;
    int found;
} hol__shift;

/* What a slot of a joint that pushes does: HOL__TOUCH_... (element/rigid.h). */
typedef unsigned short hol__touch_bits;

/* A model in which some elements do not act: by joint, then by force, whether it does not; and by
 * joint the place on the second body of one that holds what it met (NULL: as drawn). */
typedef struct hol__variant {
    int n_joints;
    const unsigned char *off;
    const hol__marker *const *place;
    const hol__touch_bits *touch; /* by slot of joints that push; NULL: all are open */
    int anchored; /* what sticks is held on positions, by anchors that data remember */
    int n_values; /* parameters that have other values than described (NaN: as described) */
    const char *const *names;
    const double *values;
} hol__variant;

struct hol__build {
    hol_context *ctx;
    hol__arena *arena; /* of the model */
    hol_model *model;
    const hol_spec *spec;
    hol_spec
        *expanded; /* the description with the bodies and joints of `natural`; NULL without one */
    const struct hol__natural_section *natural; /* what they were made from */
    int errors;
    const hol__node *wrong_list[8]; /* reported: points are read for each who uses them */
    unsigned long long no_maps; /* sections that are no maps, reported: bits by hol__root_keys */
    int stopped;                /* it was said that no more are reported */
    const char *coordinates;    /* the set that is asked for, or "auto" */
    int only_reference;         /* reference-point coordinates whatever is asked for */
    int assembly; /* a model for assembly: with the values of joints at the start as rows */
    int n_starts; /* joints that have such values */
    double orbit; /* the largest distance of a body from a centre of gravity; 0: there is none */
    unsigned char *cut; /* by joint: must not be a link of relative coordinates; may be NULL */
    int n_parameters, n_busy; /* of them, those that are being evaluated */
    hol__parameter *parameters;
    hol__name_tree parameter_names; /* to their indices */
    hol__shift *shift;              /* NULL: none */
    const hol__variant *variant;    /* NULL: all elements act */
    int n_tables;
    hol__table *tables;
    hol__node *points; /* the section, may be NULL */
    hol__names names;  /* while an expression is compiled */
    const char *const *locals, *const *local_units;
    hol__adopt *adopt;     /* set while such expressions are read */
    const char *element;   /* label for messages */
    hol__element *owner;   /* joint or force that is being compiled: new states are its own */
    const char *kept_file; /* the last file name that hol__keep_location copied */
    hol__dim dim;          /* of the expression that was read last */
    const char *doubt;     /* hol__expr_doubt of it */
    /* Called before the drawn pose of a body is used, while bodies are compiled: 0 when it cannot
     * be known (reported). */
    int (*on_body)(hol__build *build, int body, const hol__node *node);
    struct hol__body_order *body_order; /* what on_body keeps */
    /* Called for every law that may read measures, when set. */
    void (*on_law)(hol__build *build, const hol__expr *e, const hol__node *node);
    /* The measure that a column belongs to, 0 when there is none; and its parameters, NULL without
     * memory. Errors are counted. */
    /* The type of a section by its name; NULL when there is none. */
    const hol__element_type *(*find_type)(const char *section, const char *name);
    int (*find_measure)(hol__build *build, const char *column, hol__measure_found *found);
    const hol__params *(*read_measure)(hol__build *build, const hol__measure_found *found);
    double scratch[HOL__BUILD_SCRATCH]; /* for evaluating expressions while compiling */
};

/* Report an error at a place (NULL: none); returns 0, so that `return hol__place_error(…)` reads
 * well. */
int hol__place_error(hol__build *build, const hol_location *where, const char *format, ...)
    HOL__PRINTF(3, 4);

/* Whether there are as many errors as anyone reads at once; says so the first time. What reads many
 * items asks before each, so that a file that is wrong everywhere takes no longer than a right
 * one. */
int hol__has_enough_errors(hol__build *build);

/* The parameter of that name, or NULL. */
hol__parameter *hol__named_parameter(const hol__build *build, const char *name);

/* The time span of the run that the description asks for. */
void hol__read_span(hol__build *build, double span[2]);

/* The same at a place (NULL: none), with the arguments of the format. */
void hol__build_error_at(hol__build *build, const hol_location *where, const char *format,
                         va_list args) HOL__PRINTF(3, 0);

/* A copy of text in the model; and a place with a file name that lives as long as the model. */
const char *hol__keep(hol__build *build, const char *text);
hol_location hol__keep_location(hol__build *build, hol_location where);

/* The words for directions: x, y, z, rx, ry, rz, angle; the bit of one; and whether the space has
 * it (what to use instead into *use). */
extern const char *const hol__directions[];
int hol__direction_bit(int word);
int hol__has_direction(const hol_model *model, int word, const char **use);

/* A body as it is drawn, ground included: its quaternion; its mass centre and matrix; the global
 * place of a point s of it, from the mass centre; and a drawn direction in its components. A body
 * whose length is given is drawn to a scale of its own: sketched is where the point stands in the
 * drawing, which hol__marker_set takes back to s. */
const double *hol__drawn_turn(const hol_model *model, int body);
void hol__drawn_pose(const hol_model *model, int body, double r[3], double R[9]);
void hol__drawn_point(const hol_model *model, int body, const double s[3], double out[3]);
void hol__sketched_point(const hol_model *model, int body, const double s[3], double out[3]);
void hol__drawn_direction(const hol_model *model, int body, const double drawn[3], double e[3]);

/* The frame with that origin and orientation (global, drawn) as a marker of a body. */
void hol__marker_set(const hol_model *model, int body, const double at[3], const double p[4],
                     hol__marker *marker);

/* The unit quaternion of a frame with z along `axis` and x as near to `x` as can be (x NULL:
 * chosen). */
void hol__frame_along(const double axis[3], const double *x, double p[4]);

/* A new record of a primitive for the element, over its two bodies; NULL without memory. */
void *hol__add_con(hol__build *build, hol__element *element, const hol__con_type *type, int n_rows);
void *hol__add_force(hol__build *build, hol__element *element, const hol__force_type *type);

/* Take records out of the constraints: those for which is_dropped says so. */
void hol__drop_records(hol_model *model, int (*is_dropped)(const void *self, int batch, int record),
                       const void *self);

/* Take the records of forces out whose elements do not act. */
void hol__drop_forces(hol__build *build);

/* A further state of the differential equations that belongs to an element (the integral of a
 * controller, a bristle): its index in aux; -1 without memory. */
int hol__add_state(hol__build *build, double start);

/* Numbers that a force remembers from one accepted state to the next (the speed at which a contact
 * began), 0 at the start: the index of the first of n. */
int hol__add_memory(hol__build *build, int n);

/* A number that an element writes to hol__recorded(scratch, corner) at every evaluation of its
 * forces, and whose cell decides what they are; no step passes unseen from one cell to another. */
int hol__add_corner(hol__build *build, const hol__cells *cells, const char *label);

/* The same for the depth of shapes that may pass through each other within a step: the element
 * writes behind it, to corner + 1, a bound on the rate of the number; thick: how far they move
 * while they overlap, at least. */
int hol__add_fast_corner(hol__build *build, const hol__cells *cells, const char *label,
                         double thick);

/* Keep in mind an expression that chooses somewhere. */
void hol__note_choosing(hol__build *build, hol__expr *e);

/* A tracked angle between two frames about their z axes; -1 without memory. And that of a joint
 * about its axis (made at the first call). */
int hol__track_angle(hol__build *build, const int body[2], const hol__marker marker[2]);
int hol__track_joint_angle(hol__build *build, int joint);

/* A number of two bodies that is followed like an angle: 0 at the start, then follow(self, poses,
 * last value, scratch). */
int hol__track_number(hol__build *build, const int body[2],
                      double (*follow)(const void *self, const hol__bodies *bodies, double last,
                                       double *scratch),
                      const void *self);

#endif
