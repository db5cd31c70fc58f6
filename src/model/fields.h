/* fields.h: the parameters of an element as a struct, and its keys as the fields of that struct.
 *
 * An element type has a struct of parameters that begins with hol__params, and a table of keys
 * (model/schema.h), each with the place of its value in the struct. One reader fills it and reports
 * what is wrong with a value at its place; the same table documents the keys, and gives the values
 * back as numbers and as text. What a field holds by its kind:
 *
 *     NUMBER            double
 *     TEXT              const char *
 *     BOOL              int
 *     CHOICE            int, -1 without one
 *     WORDS             unsigned, bits
 *     LAW, TIME_LAW     hol__law
 *     LAWS, TURN        hol__law[3]
 *     FORMULA, FORMULAS hol__formula, hol__formulas
 *     DRIVES            hol__drives
 *     POINT             double[3], global, at the drawn position
 *     VECTOR            double[3], zero beyond the dimension
 *     DIRECTION         double[3] of length 1; zero where there is none
 *     MATRIX            double[36]: n x n, n = 3 in the plane and 6 in space
 *     BODY, JOINT       int: the index (default: ground, -1)
 *     BODIES            int[2]
 *     FORCE             hol__force_ref
 *     JOINTS            hol__joint_pair
 *     NUMBERS, BY_ROW   hol__numbers
 *     CURVE             hol__polygon
 *     CORNERS           hol__corner_list
 *     COORDINATES, TERMS, SOLIDS  hol__param_list
 *
 * All memory is in the arena of the model, and the parameters live as long as it. Numbers are in SI
 * units.
 */
#ifndef HOL_MODEL_FIELDS_H
#define HOL_MODEL_FIELDS_H

#include "base/text.h"
#include "model/build.h"

/* A field that was given: where, and for a number or a text what was written and the dimension that
 * its units have. */
typedef struct hol__given {
    const hol__key *key;
    hol_location where;
    const char *text;
    hol__dim dim;
} hol__given;

/* The head of all parameters. */
struct hol__params {
    const hol__key *keys;
    hol_location where; /* of the element */
    int n_given;
    const hol__given *given;
};

/* ---- values ---- */

/* An expression whose names only the element knows. text NULL: left out, without a default. */
typedef struct hol__formula {
    const char *text;
    hol_location where;
    int quoted;
} hol__formula;

typedef struct hol__formulas {
    int n;
    const hol__formula *f;
} hol__formulas;

/* Numbers with what was written for each, and where. */
typedef struct hol__numbers {
    int n;
    int single; /* BY_ROW: one number that was not written as a list */
    const double *x;
    const char *const *text;
    const hol_location *where;
} hol__numbers;

/* A force by name, which may not be compiled yet: its index (-1: none), its type (NULL: unknown),
 * and whether it acts along a displacement of a joint. */
typedef struct hol__force_ref {
    int index;
    const hol__element_type *type;
    int pushes;
} hol__force_ref;

typedef struct hol__joint_pair {
    int joint[2];
    hol_location where[2];
} hol__joint_pair;

/* What follows a function of time: bits 0 … 5 for x, y, z, rx, ry, rz (the angle of the plane is
 * 5), and the laws by bit. */
typedef struct hol__drives {
    unsigned bits;
    hol__law law[6];
} hol__drives;

/* The points of a curve. */
typedef struct hol__polygon {
    int n;
    const double *x, *y;
    const hol_location *where;
} hol__polygon;

/* Vectors, zero beyond the dimension. */
typedef struct hol__corner_list {
    int n;
    const double (*x)[3];
} hol__corner_list;

/* Parameters within parameters: n structs as the hol__group of the key says, by name where they
 * stand in a map. */
typedef struct hol__param_list {
    int n;
    const char *const *names; /* NULL in a list */
    const hol__params *const *items;
} hol__param_list;

/* ---- reading ---- */

/* New parameters of that size from an item: unknown and missing keys are reported, and every field
 * is filled. more: further keys that the item may have, which are no fields. what: "a revolute
 * joint"; NULL: keys are not checked. NULL without memory. */
hol__params *hol__params_read(hol__build *build, hol__node *item, const hol__key *keys,
                              const hol__key *more, size_t size, const char *what);

/* The size of the value of a field; 0 where the kind is none of a field. */
size_t hol__field_size(const hol__key *key);

/* Whether a field was given; its place (that of the element where it was not, or where name is
 * NULL). params begin with hol__params. */
int hol__is_given(const void *params, const char *name);
const hol_location *hol__field_where(const void *params, const char *name);

/* Report an error at a field (name NULL: at the element). Returns 0, so that `return
 * hol__field_error(…)` reads well. */
int hol__field_error(hol__build *build, const void *params, const char *name, const char *format,
                     ...) HOL__PRINTF(4, 5);

/* Report a field whose units do not fit, where the unit is known only with the element: that of the
 * coordinate it acts on, or of an exponent. unit NULL: any. */
void hol__field_unit(hol__build *build, const void *params, const char *name, const char *unit);

/* The same of a place on a coordinate, with a warning of an angle that looks like degrees. */
void hol__field_end(hol__build *build, const void *params, const char *name, const char *unit);

/* The dimension of a field as it was written; not known where it is not given, or has no units. */
hol__dim hol__field_dim(const void *params, const char *name);

/* The expression of a formula that was given, with the units of its local names (NULL: not known);
 * NULL after an error. As hol__read_expr. */
const hol__expr *hol__formula_expr(hol__build *build, const hol__formula *formula, hol__names names,
                                   const char *const *locals, const char *const *local_units,
                                   const char *unit);

/* The same as a law of time and the given names alone (HOL__NAMES_LOCAL), constants folded; 0 after
 * an error. */
hol__law hol__formula_law(hol__build *build, const hol__formula *formula, const char *const *locals,
                          const char *const *local_units, const char *unit);

/* ---- values by the table ---- */

/* Visit every law of the parameters that is an expression, until a visit returns not 0; that. */
typedef int hol__law_visit(void *user, const hol__key *key, const hol__law *law);

int hol__params_laws(const hol__params *params, hol__law_visit *visit, void *user);

/* The numbers of a field, at most n of them into out: how many there are, 0 where it was left out
 * and has no default; -1 where it is not made of numbers (a name, an expression of something that
 * varies). */
int hol__field_numbers(const hol_model *model, const hol__params *params, const hol__key *key,
                       double *out, int n);

/* A field, or all that were given with the type in front, as they stand in a model file on one
 * line. */
void hol__field_write(const hol_model *model, const hol__params *params, const hol__key *key,
                      hol__text *out);
void hol__params_write(const hol_model *model, const hol__params *params, const char *type,
                       hol__text *out);

#endif
