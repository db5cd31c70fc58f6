/* schema.h: the keys that a model file may hold, as tables.
 *
 * A section or an element type has a list of keys; each key has a kind, a unit, a default and one
 * sentence. From these rows come the checks of the compiler, the reference page and the JSON
 * Schema. A key of an element is a field as well: it says where its value stands in the parameters
 * of the element (model/fields.h).
 */
#ifndef HOL_MODEL_SCHEMA_H
#define HOL_MODEL_SCHEMA_H

#include "model/node.h"

#include <stddef.h>

typedef enum hol__key_kind {
    HOL__KEY_NUMBER,   /* a constant expression */
    HOL__KEY_TEXT,     /* any text */
    HOL__KEY_FILES,    /* the name of a file or a list of names */
    HOL__KEY_BOOL,     /* true or false */
    HOL__KEY_CHOICE,   /* one of several words */
    HOL__KEY_LAW,      /* an expression of time, measures and the names that the element offers */
    HOL__KEY_TIME_LAW, /* an expression of time */
    HOL__KEY_POINT,    /* [x, y(, z)] at the drawn position, the name of a point, or {body:, at:} */
    HOL__KEY_POINTS,   /* a list of two points */
    HOL__KEY_VECTOR,   /* a list of numbers, as many as the space has */
    HOL__KEY_DIRECTION,   /* a vector that is not zero, of any length, or a list of two points */
    HOL__KEY_LAWS,        /* a list of laws, as many as the space has */
    HOL__KEY_ORIENTATION, /* {axis:, angle:}, {euler: [x, y, z]} or {quaternion: [..4]} */
    HOL__KEY_INERTIA,     /* a number in the plane; 3, 6 or 3x3 numbers in space */
    HOL__KEY_SPIN,        /* angular velocity: a number in the plane, a vector in space */
    HOL__KEY_TURN,        /* a torque: a law in the plane, a list of laws in space */
    HOL__KEY_BODY,        /* the name of a body or `ground` */
    HOL__KEY_BODIES,      /* a list of two different bodies */
    HOL__KEY_JOINT,       /* the name of a joint */
    HOL__KEY_FORCE,       /* the name of a force */
    HOL__KEY_WORDS,       /* a list of words out of several */
    HOL__KEY_DRIVES,      /* a map from directions to functions of time */
    HOL__KEY_MATRIX,      /* the numbers of the diagonal, or the rows of a matrix */
    HOL__KEY_SHAPES,      /* a shape {type:, …} or a list of them */
    HOL__KEY_GRAVITY,     /* a list of functions of time, or {uniform:, center:, mu:} */
    HOL__KEY_NUMBERS,     /* a list of numbers */
    HOL__KEY_BY_ROW,      /* a number, or a list with one for each equation of a joint */
    HOL__KEY_FORMULA,     /* an expression of time and of the names that the element offers */
    HOL__KEY_FORMULAS,    /* a list of such */
    HOL__KEY_JOINTS,      /* a list of two joints */
    HOL__KEY_NAMES,       /* a list of names of points or vectors */
    HOL__KEY_COORDINATES, /* coordinates by name, each a map such as {joint: A} */
    HOL__KEY_TERMS,       /* a list of velocities with factors, each a map */
    HOL__KEY_CURVE,       /* a list of pairs of numbers */
    HOL__KEY_SOLIDS,      /* a list of two shapes, each a map */
    HOL__KEY_CORNERS,     /* a list of vectors */
    HOL__KEY_ACTIVE,      /* an expression of time and measures, or a map of such */
    HOL__KEY_ELEMENTS,    /* the name of a joint or a force, or a list of such */
    HOL__KEY_SETTINGS,    /* a map from variables to laws */
    HOL__KEY_IMPACT,      /* an impact: a map */
    HOL__KEY_ACTIONS,     /* what an event does: an action or a list of them */
    HOL__KEY_MAP          /* named things with keys of their own */
} hol__key_kind;

enum {
    HOL__IN_PLANE = 1, /* one of these alone restricts the key */
    HOL__IN_SPACE = 2,
    HOL__POSITIVE = 4,
    HOL__NOT_NEGATIVE = 8,
    HOL__AS_TEXT = 16 /* a law that the element compiles itself: the field is a hol__formula */
};

/* What the items of a list or a map of parameters hold (kinds TERMS, COORDINATES, SOLIDS): each
 * fills a struct of its own. */
typedef struct hol__group hol__group;

struct hol__build;

typedef struct hol__key {
    const char *name;
    hol__key_kind kind;
    const char *unit;    /* SI, for example "kg*m^2"; NULL where it has no meaning */
    const char *initial; /* the default; NULL: required; "": optional */
    unsigned flags;      /* HOL__IN_PLANE or HOL__IN_SPACE alone restrict the key */
    const char *doc;
    const char *const *choices; /* NULL-ended, for choices and words */
    /* a field: */
    size_t offset, size;       /* of its value in the parameters; size 0: no field */
    const char *const *locals; /* NULL-ended: what a law may use beside time and measures */
    const hol__group *group;   /* of a list or a map of parameters */
    /* of locals, in their order; or, where they follow from fields in front of this one, what gives
     * them for the parameters read so far (NULL where those are wrong) */
    const char *const *local_units;
    const char *const *(*units_of)(const struct hol__build *build, const void *params);
} hol__key;

struct hol__group {
    const char *what, *example; /* "a term", "{body: rod, component: vx}" */
    int most;                   /* items in a list */
    size_t size;                /* of the parameters of one */
    const hol__key *keys;
};

/* The last columns of a row: where the value stands; the names that its law may use, and
 * their units; the items of a list. */
#define HOL__AT(type, member)                                                                      \
    offsetof(type, member), sizeof(((type *)0)->member), NULL, NULL, NULL, NULL
#define HOL__LAW_OF(type, member, locals, units)                                                   \
    offsetof(type, member), sizeof(((type *)0)->member), locals, NULL, units, NULL
#define HOL__LAW_BY(type, member, locals, units_of)                                                \
    offsetof(type, member), sizeof(((type *)0)->member), locals, NULL, NULL, units_of
#define HOL__LIST_AT(type, member, group)                                                          \
    offsetof(type, member), sizeof(((type *)0)->member), NULL, group, NULL, NULL

/* A key that is read by its name and is no field. */
#define HOL__NO_FIELD 0, 0, NULL, NULL, NULL, NULL

#define HOL__KEY_END                                                                               \
    { NULL, HOL__KEY_TEXT, NULL, NULL, 0, NULL, NULL, HOL__NO_FIELD }

/* "number", "point", …: how the kind is called in messages and on the reference page. */
const char *hol__key_kind_name(hol__key_kind kind);

/* The row of that name in a table that ends with HOL__KEY_END; NULL when there is none. */
const hol__key *hol__key_find(const hol__key *keys, const char *name);

/* The keys of the top level, and of the things in `bodies`. */
extern const hol__key hol__root_keys[];
extern const hol__key hol__body_keys[];

/* The keys of an event, and of an action that is a map. */
extern const hol__key hol__event_keys[];
extern const hol__key hol__action_keys[];
extern const hol__key hol__impact_keys[];

/* The keys of a table. */
extern const hol__key hol__table_keys[];

/* The keys of a shape in a body. */
extern const hol__key hol__shape_keys[];

/* The keys of the section `natural`, and of the rods, distances and elements in it. */
extern const hol__key hol__natural_keys[];
extern const hol__key hol__rod_keys[];
extern const hol__key hol__rod_distance_keys[];
extern const hol__key hol__natural_element_keys[];

#endif
