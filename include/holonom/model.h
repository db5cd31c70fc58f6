/* model.h: the compiled mechanism. Immutable, so that threads may share it. */
#ifndef HOLONOM_MODEL_H
#define HOLONOM_MODEL_H

#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_model hol_model;

typedef enum hol_space { HOL_PLANAR, HOL_SPATIAL } hol_space;

/* Check a description and compile it in the coordinates "reference", "natural", "relative",
 * "cheapest" (reference or relative, as an evaluation takes fewer multiplications by count: what q
 * and v are then depends on the mechanism, hol_model_velocity_name tells) or "auto" (relative for
 * open trees of ten bodies and more, else reference); NULL is auto. All errors
 * of the description but those of its section `simulation`, which hol_options_from_spec reads, are
 * reported to ctx, not only the first. NULL on failure. The description is no longer needed
 * afterwards, nor is the context: memory comes from its allocator, and a model reports nothing once
 * it is made. */
hol_model *hol_model_compile(hol_context *ctx, const hol_spec *spec, const char *coordinates);
void hol_model_free(hol_model *model);

/* Compile a description as its section `simulation` asks; *options receives that section (options
 * may be NULL). All errors of both are reported. NULL on failure, with NULL in *options. */
hol_model *hol_model_from_spec(hol_context *ctx, const hol_spec *spec, hol_options **options);

/* The same from a file: the usual start. */
hol_model *hol_model_from_file(hol_context *ctx, const char *path, hol_options **options);

/* Sizes: coordinates q, velocities v, constraints (holonomic first), measured columns. */
typedef struct hol_model_info {
    size_t size; /* sizeof(hol_model_info), set by the caller */
    const char *name;
    const char *source;      /* the file, or "" */
    const char *coordinates; /* "planar reference point" … */
    hol_space space;
    int n_q, n_v;
    int n_constraints, n_holonomic;
    int n_bodies, n_joints, n_forces, n_measures;
    unsigned long long hash; /* of the description and the version of the format */
    const char *text;        /* the whole description, as a model file */
    int n_switched; /* joints and forces that act at some times only (key `active`, or events) */
    int n_events;   /* of the section `events` */
} hol_model_info;

hol_status hol_model_describe(const hol_model *model, hol_model_info *info);

/* A column of output: the name ("tip.x"), its unit, the frame it is expressed in, what it means. */
typedef struct hol_column {
    const char *name;
    const char *unit;
    const char *frame;
    const char *doc;
} hol_column;

/* Column i of n_measures; NULL past the end. */
const hol_column *hol_model_measure(const hol_model *model, int i);

/* A parameter of the section `parameters`, as the model was compiled with it: a number in SI
 * units. */
typedef struct hol_parameter {
    const char *name;
    double value;
    const char *unit; /* SI, where it was given with a unit; "" otherwise */
} hol_parameter;

/* Parameter i, in the order of the file; NULL past the end. */
const hol_parameter *hol_model_parameter(const hol_model *model, int i);

/* The index of a body, joint, force or measured column by name; -1 when there is none. */
int hol_model_body(const hol_model *model, const char *name);
int hol_model_joint(const hol_model *model, const char *name);
int hol_model_force(const hol_model *model, const char *name);
int hol_model_measure_index(const hol_model *model, const char *name);

/* The name of a body (n_bodies is ground), joint or force by index; NULL when there is none. */
const char *hol_model_body_name(const hol_model *model, int body);
const char *hol_model_joint_name(const hol_model *model, int joint);
const char *hol_model_force_name(const hol_model *model, int force);

/* What a body looks like, in its frame: drawn, never computed with. */
typedef enum hol_shape_kind {
    HOL_SHAPE_BOX,      /* size: its three edges */
    HOL_SHAPE_CYLINDER, /* size: radius, length; along z */
    HOL_SHAPE_SPHERE,   /* size: radius */
    /* size: radius of the base, height; tip along z, its middle a quarter of the height above the
     * base */
    /* a cylinder with round ends; size: radius (0: as suits the drawing), length; along z */
    /* size: radius of the centre line, of the tube (0: as suits the drawing); about z */
    HOL_SHAPE_CONE,
    HOL_SHAPE_ROD,
    HOL_SHAPE_TORUS,
    HOL_SHAPE_MESH, /* faces over vertices; size is not used */
    /* all that lies behind z = 0; size: length, width and thickness of what is drawn of it (0: as
     * suits the drawing) */
    HOL_SHAPE_PLANE
} hol_shape_kind;

typedef struct hol_shape {
    hol_shape_kind kind;
    double at[3]; /* its middle (of a mesh: the origin), in the frame of the body */
    double R[9];  /* its axes, row-major, shape to body */
    double size[3];
    const char *color; /* "#rrggbb", or "" */
    int n_vertices, n_indices;
    const double *vertices; /* of a mesh: three numbers each */
    const int *indices;     /* the vertices of each face in turn, -1 after each face */
} hol_shape;

/* A body as it is described; all in its own frame. */
typedef struct hol_body_info {
    size_t size; /* sizeof(hol_body_info), set by the caller */
    const char *name;
    double mass;
    double com[3];     /* mass centre */
    double inertia[9]; /* about the mass centre, row-major; in the plane only the last one */
    int n_shapes;
    const hol_shape *shapes;
    /* points by which it is described, three numbers each: the ends of `along`, those of the
     * section `natural` */
    int n_points;
    const double *points;
} hol_body_info;

hol_status hol_model_body_describe(const hol_model *model, int body, hol_body_info *info);

/* A joint or a force: the bodies it acts between (n_bodies is ground), and on each of them its
 * point and its axis, in the frame of that body. The axis is that of turning or sliding; in the
 * plane that of sliding. */
typedef struct hol_element_info {
    size_t size; /* sizeof(hol_element_info), set by the caller */
    const char *name;
    const char *type; /* "revolute", "spring" … */
    int body[2];
    double point[2][3];
    double axis[2][3];
    hol_location where;
    const hol_shape *shapes[2]; /* of a contact: what touches, in the frame of each body, or NULL */
} hol_element_info;

hol_status hol_model_joint_describe(const hol_model *model, int joint, hol_element_info *info);
hol_status hol_model_force_describe(const hol_model *model, int force, hol_element_info *info);

/* The road below a tyre: its height at the place x and the time t (z; in the plane y). *moves says
 * whether it depends on time. HOL_ERR_ARGUMENT where the force is no tyre. */
hol_status hol_model_road(hol_context *ctx, const hol_model *model, int force, double t, double x,
                          double *height, int *moves);

/* What follows the curve of a joint `point_on_curve` or `cam`. */
typedef struct hol_curve_info {
    size_t size;      /* sizeof(hol_curve_info), set by the caller */
    double radius;    /* of a roller; 0: a point or a face */
    double normal[3]; /* of the plane of the curve, in the frame of the first body */
    double face[3];   /* the normal of a flat face, in the frame of the second body; 0: none */
} hol_curve_info;

/* n points of that curve from its begin to its end, three numbers each, in the frame of the joint's
 * first body. HOL_ERR_ARGUMENT where the joint has no curve. */
hol_status hol_model_curve(hol_context *ctx, const hol_model *model, int joint, int n,
                           double *points, hol_curve_info *info);

/* The constraints in local coordinates of the joints (basis local, local_coordinates full): rows of
 * one joint over the relative position, or the relative orientation, of its bodies at the joint.
 * Symbols: P1, P2 the joint's point and F1, F2 its frame on the two bodies, R1, R2 their
 * orientations, w1, w2 their angular velocities (body frame), e_i an axis of the joint in the first
 * body, a1, a2 its axes on both, p the relative quaternion of the joint's frames, C_i the rows of
 * C, e_k the axis that C_1 has the least of. */
typedef struct hol_local_point {
    size_t size;                      /* sizeof(hol_local_point), set by the caller */
    const char *element;              /* "joint 'A'", or the body whose row it is */
    int n_constraints, n_coordinates; /* m_i <= n_i */
    const char *x;                    /* the coordinates (x' = … where only their rates exist) */
    const char *C;                    /* the constraint matrix, n_constraints x n_coordinates */
    const char *D;                    /* its complement, C D = 0; "" where there is none */
} hol_local_point;

/* Point i; HOL_ERR_ARGUMENT past the end. */
hol_status hol_model_local_point(hol_context *ctx, const hol_model *model, int i,
                                 hol_local_point *point);

/* The numbers of a field of a joint, a force or a measure by its path, such as
 * "forces.spring.stiffness" or "joints.A.at", as the model was compiled with them: in SI units, a
 * point global at the drawn position, a direction of length 1. *count receives how many there are
 * (0: left out, and without a default); at most `capacity` of them are written to values.
 * HOL_ERR_ARGUMENT and a message to ctx when there is no such field, or when it is not made of
 * constant numbers (a name, an expression of time). hol_spec_set writes the same path of a
 * description. */
hol_status hol_model_field(hol_context *ctx, const hol_model *model, const char *path, int capacity,
                           double *values, int *count);

/* A field of any kind as it would stand in a model file ("" when left out, and without a default);
 * and all that an element was given, by a path such as "forces.spring": "{type: spring, bodies:
 * [ground, rod], …}". Numbers are in SI units, expressions as they were written. Free with
 * hol_free; NULL and a message to ctx when there is no such thing. */
char *hol_model_field_text(hol_context *ctx, const hol_model *model, const char *path);
char *hol_model_element_text(hol_context *ctx, const hol_model *model, const char *path);

/* The acceleration of gravity. */
void hol_model_gravity(const hol_model *model, double gravity[3]);

/* The joint that constraint row i belongs to and what the row holds ("translation x", …). */
typedef struct hol_row {
    const char *element;
    const char *direction;
    hol_location where;
} hol_row;

const hol_row *hol_model_row(const hol_model *model, int i);

/* Where the loops of the mechanism are opened: an element whose constraints close the open chain,
 * and why it is this one. In relative coordinates these are all the constraints; in natural and
 * reference-point coordinates they are what the method velocity-transformation leaves to
 * multipliers. */
typedef struct hol_cut {
    size_t size;         /* sizeof(hol_cut), set by the caller */
    const char *element; /* "joint 'B'", "body 'coupler'" */
    char reason[160];
    int n_rows;
    hol_location where;
} hol_cut;

/* Cut i, joints first; HOL_ERR_ARGUMENT past the end. */
hol_status hol_model_cut(hol_context *ctx, const hol_model *model, int i, hol_cut *cut);

/* The kinds of elements that a model file may use, for `holonom elements`. */
typedef struct hol_element_doc {
    size_t size;           /* sizeof(hol_element_doc), set by the caller */
    const char *section;   /* "joints", "forces", "measures" */
    const char *name;      /* "revolute" */
    const char *title;     /* one line */
    const char *equations; /* what it computes, or NULL */
    const char *
        example; /* the lines of a section that use it; hol_element_example makes a model of them */
    int planar, spatial; /* where it exists */
    const char *unit;    /* of a measure's columns, in words; "" for other elements */
} hol_element_doc;

/* The i-th kind of element; HOL_ERR_ARGUMENT past the end. */
hol_status hol_element_get(int i, hol_element_doc *doc);

/* A whole model file that uses the element and runs as it stands; free with hol_free. NULL (and a
 * message) when there is no such element or no memory. */
char *hol_element_example(hol_context *ctx, const char *section, const char *name);

/* The sections whose items have keys but no types ("bodies", "tables", "rods"). */
typedef struct hol_section_doc {
    size_t size;         /* sizeof(hol_section_doc), set by the caller */
    const char *name;    /* also what hol_element_key takes as a section */
    const char *title;   /* one line */
    const char *example; /* a whole model file that uses it and runs as it stands */
} hol_section_doc;

/* The i-th of them; HOL_ERR_ARGUMENT past the end. */
hol_status hol_section_get(int i, hol_section_doc *doc);

/* A key that a model file may have. */
typedef struct hol_key_doc {
    size_t size; /* sizeof(hol_key_doc), set by the caller */
    const char *name;
    const char *kind; /* "number", "point", "choice" … */
    const char *unit; /* SI; "" where it has none */
    /* the default, "" when there is none and it may be left out, NULL when it must be given */
    const char *initial;
    const char *doc; /* one sentence or more */
    /* the words of a choice or a list of words, NULL at the end; NULL for other kinds */
    const char *const *choices;
    int planar, spatial; /* where it exists */
} hol_key_doc;

/* The i-th key of an element kind; of a section with element NULL ("bodies", and "shapes" of
 * bodies; "tables"; "events" and their "actions"; "natural" with "rods", "distances" and
 * "elements"; "joints", "forces" and "measures" have what all their elements share); of the top
 * level with section NULL or "". HOL_ERR_ARGUMENT past the end. The keys of "simulation" are the
 * rows of hol_option_get. */
hol_status hol_element_key(const char *section, const char *element, int i, hol_key_doc *doc);

/* A quantity that elements of a kind tell through the measure `load`. */
typedef struct hol_quantity_doc {
    size_t size; /* sizeof(hol_quantity_doc), set by the caller */
    const char *name;
    const char *unit; /* SI, of displacements; "" where it has none */
    const char *turn; /* of rotations, where that differs; else "" */
    int vector;       /* has components */
    const char *doc;
} hol_quantity_doc;

/* The i-th quantity of a kind of force or joint, its own first; HOL_ERR_ARGUMENT past the end. */
hol_status hol_element_quantity(const char *section, const char *element, int i,
                                hol_quantity_doc *doc);

/* The whole format as a JSON Schema, or as the reference page in Markdown; free with hol_free. */
char *hol_schema_json(hol_context *ctx);
char *hol_schema_markdown(hol_context *ctx);

#ifdef __cplusplus
}
#endif
#endif
