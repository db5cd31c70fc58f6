/* build.h: what an element's compile function works with: typed reading of keys, and adding records.
 *
 * Reading never stops at an error: it reports the place, counts the error and returns something harmless, so that all
 * errors of a file show in one run. A model is made only when there was none.
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
} hol__parameter;

enum { HOL__BUILD_SCRATCH = 16384 };

/* Names that refer to each other may do so this deep; in the order of the file there is no limit. */
enum { HOL__MAX_DEPTH = 200 };

/* Which names an expression may use. */
/* LOCAL: time and the given names alone; the inputs are then t and those names in their order, nothing else. */
typedef enum hol__names {
    HOL__NAMES_CONSTANT,
    HOL__NAMES_TIME,
    HOL__NAMES_LOCAL,
    HOL__NAMES_ALL
} hol__names;

/* Whoever reads an expression of local names may take in measures that it names: the index of the measure among those names, which grow to
 * at most `most`, or -1 when it cannot be (reported). */
typedef struct hol__adopt hol__adopt;
struct hol__adopt {
    int most;
    int (*measure)(hol__build *build, hol__adopt *self, const char *name,
                   const hol_location *where);
};

struct hol__build {
    hol_context *ctx;
    hol__arena *arena; /* of the model */
    hol_model *model;
    const hol_spec *spec;
    hol_spec
        *expanded; /* the description with the bodies and joints of `natural`; NULL without one */
    int errors;
    const char *coordinates; /* the set that is asked for, or "auto" */
    int only_reference;      /* reference-point coordinates whatever is asked for */
    int assembly;       /* a model for assembly: with the values of joints at the start as rows */
    int n_starts;       /* joints that have such values */
    unsigned char *cut; /* by joint: must not be a link of relative coordinates; may be NULL */
    int n_parameters;
    hol__parameter *parameters;
    hol__node *points; /* the section, may be NULL */
    hol__names names;  /* while an expression is compiled */
    const char *const *locals;
    hol__adopt *adopt;   /* set while such expressions are read */
    const char *element; /* label for messages */
    /* Called before the drawn pose of a body is used, while bodies are compiled: 0 when it cannot be known (reported). */
    int (*on_body)(hol__build *build, int body, const hol__node *node);
    struct hol__body_order *body_order; /* what on_body keeps */
    /* Called for every law that may read measures, when set. */
    void (*on_law)(hol__build *build, const hol__expr *e, const hol__node *node);
    double scratch[HOL__BUILD_SCRATCH]; /* for evaluating expressions while compiling */
};

/* Report an error at a node (NULL: no place). */
void hol__build_error(hol__build *build, const hol__node *node, const char *format, ...)
    HOL__PRINTF(3, 4);

/* Every key of the item must be in one of the tables (more may be NULL), required ones present. what: "a revolute joint". */
void hol__check_keys(hol__build *build, hol__node *item, const hol__key *keys, const hol__key *more,
                     const char *what);

/* The node of a key, or NULL (also for a key that the space does not have, which is reported elsewhere); *key receives its row. */
hol__node *hol__take_key(const hol__build *build, hol__node *item, const hol__key *keys,
                         const char *name, const hol__key **key);

/* Compile the expression of a scalar node; locals are further names it may use. NULL after an error. */
const hol__expr *hol__read_expr(hol__build *build, hol__node *node, hol__names names,
                                const char *const *locals, const char *unit);

/* A constant expression at a node, finite; fallback after an error. unit: the dimension it must have. */
double hol__read_constant(hol__build *build, hol__node *node, const char *unit, double fallback);

/* By key, with the default and the range of its row in the table. */
double hol__read_number(hol__build *build, hol__node *item, const hol__key *keys, const char *name);
int hol__read_bool(hol__build *build, hol__node *item, const hol__key *keys, const char *name);
int hol__read_choice(hol__build *build, hol__node *item, const hol__key *keys, const char *name);
const char *hol__read_text(hol__build *build, hol__node *item, const hol__key *keys,
                           const char *name);
hol__law hol__read_law(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                       const char *const *locals);

/* Either where the unit is known only with the element: that of the coordinate it acts on, or of an exponent. */
double hol__read_number_in(hol__build *build, hol__node *item, const hol__key *keys,
                           const char *name, const char *unit);
hol__law hol__read_law_in(hol__build *build, hol__node *item, const hol__key *keys,
                          const char *name, const char *const *locals, const char *unit);

/* A list of dim numbers into out (the rest zero); 0 when it is none, or when the key is absent. */
int hol__read_vector_at(hol__build *build, hol__node *node, const char *what, const char *unit,
                        double out[3]);
int hol__read_vector(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                     double out[3]);
int hol__read_laws(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                   hol__law out[3]);

/* A torque: out[2] in the plane, all three in space; 0 when the key is absent. */
int hol__read_turn(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                   hol__law out[3]);

/* Either of these with names that each law may use, as in hol__read_law. */
int hol__read_laws_of(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                      const char *const *locals, hol__law out[3]);

/* n numbers (a diagonal) or n rows of n numbers into out (n x n, row-major); 0 when the key is absent or wrong. */
int hol__read_matrix(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                     int n, double *out);

/* A unit vector into out; 0 when the key is absent. */
int hol__read_direction(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                        double out[3]);

/* The words of a list as bits by their index in the choices. */
unsigned hol__read_words(hol__build *build, hol__node *item, const hol__key *keys,
                         const char *name);

/* Bodies by name: index, n_bodies for ground, ground also after an error. */
int hol__read_body(hol__build *build, hol__node *item, const hol__key *keys, const char *name);
int hol__read_bodies(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                     int body[2]);
int hol__find_body(hol__build *build, hol__node *node);

/* A joint by name, -1 after an error. */
int hol__find_joint(hol__build *build, hol__node *node);
int hol__read_joint(hol__build *build, hol__node *item, const hol__key *keys, const char *name);

/* A point: global coordinates at the drawn position into out; 0 when the key is absent or wrong. */
int hol__read_point(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                    double out[3]);
int hol__read_point_at(hol__build *build, hol__node *node, double out[3]);

/* A body as it is drawn, ground included: its quaternion; its mass centre and matrix; the global place of a point s of it, from
 * the mass centre; and a drawn direction in its components. */
const double *hol__drawn_turn(const hol_model *model, int body);
void hol__drawn_pose(const hol_model *model, int body, double r[3], double R[9]);
void hol__drawn_point(const hol_model *model, int body, const double s[3], double out[3]);
void hol__drawn_direction(const hol_model *model, int body, const double drawn[3], double e[3]);

/* The frame with that origin and orientation (global, drawn) as a marker of a body. */
void hol__marker_set(const hol_model *model, int body, const double at[3], const double p[4],
                     hol__marker *marker);

/* The key `x_axis` beside the unit vector `axis`: a unit vector that is not along it into x; 0 when absent or wrong. */
int hol__read_x_axis(hol__build *build, hol__node *item, const hol__key *keys, const double axis[3],
                     double x[3]);

/* The unit quaternion of a frame with z along `axis` and x as near to `x` as can be (x NULL: chosen). */
void hol__frame_along(const double axis[3], const double *x, double p[4]);

/* A new record of a primitive for the element, over its two bodies; NULL without memory. */
void *hol__add_con(hol__build *build, hol__element *element, const hol__con_type *type, int n_rows);
void *hol__add_force(hol__build *build, hol__element *element, const hol__force_type *type);

/* Take records out of the constraints: those for which is_dropped says so. */
void hol__drop_records(hol_model *model, int (*is_dropped)(const void *self, int batch, int record),
                       const void *self);

/* A further state of the differential equations that belongs to an element (the integral of a controller, a bristle): its
 * index in aux; -1 without memory. */
int hol__add_state(hol__build *build, double start);

/* Numbers that a force remembers from one accepted state to the next (the speed at which a contact began), 0 at the start: the index
 * of the first of n. */
int hol__add_memory(hol__build *build, int n);

/* A tracked angle between two frames about their z axes; -1 without memory. And that of a joint about its axis (made at the
 * first call). */
int hol__track_angle(hol__build *build, const int body[2], const hol__marker marker[2]);
int hol__track_joint_angle(hol__build *build, int joint);

/* A number that is followed like an angle: 0 at the start, then follow(self, poses, last value, scratch). */
int hol__track_number(hol__build *build,
                      double (*follow)(const void *self, const hol__bodies *bodies, double last,
                                       double *scratch),
                      const void *self);

#endif
