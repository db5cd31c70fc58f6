/* read.h: typed reading of the nodes of a description, by the passes of the compiler and by the
 * reader of fields (fields.h).
 *
 * Elements do not read nodes: they get their parameters filled.
 */
#ifndef HOL_MODEL_READ_H
#define HOL_MODEL_READ_H

#include "model/build.h"

/* Report an error at a node (NULL: no place). */
void hol__build_error(hol__build *build, const hol__node *node, const char *format, ...)
    HOL__PRINTF(3, 4);

/* Every key of the item must be in one of the tables (more may be NULL), required ones present.
 * what: "a revolute joint". */
void hol__check_keys(hol__build *build, hol__node *item, const hol__key *keys, const hol__key *more,
                     const char *what);

/* The node of a key, or NULL (also for a key that the space does not have, which is reported
 * elsewhere); *key receives its row. */
hol__node *hol__take_key(const hol__build *build, hol__node *item, const hol__key *keys,
                         const char *name, const hol__key **key);

/* Whether the node can be an expression; reports it otherwise. */
int hol__is_expression(hol__build *build, hol__node *node);

/* Report an expression whose units do not have the wanted dimension (unit NULL, or no units:
 * any). */
void hol__check_unit(hol__build *build, const hol_location *where, const char *text, hol__dim have,
                     const char *unit);

/* Warn of a number without a unit that is taken as an angle (unit "rad") of more than a turn. */
void hol__warn_of_degrees(hol__build *build, const hol_location *where, const char *text,
                          const char *unit);

/* Compile the expression of a scalar node; locals are further names it may use. NULL after an
 * error. */
const hol__expr *hol__read_expr(hol__build *build, hol__node *node, hol__names names,
                                const char *const *locals, const char *unit);

/* A constant expression at a node, finite; fallback after an error. unit: the dimension it must
 * have. */
double hol__read_constant(hol__build *build, hol__node *node, const char *unit, double fallback);

/* The value of a key at its node, with the range of its row, or the default of the row where the
 * node is NULL. */
double hol__number_at(hol__build *build, hol__node *node, const hol__key *key);
int hol__bool_at(hol__build *build, const hol__node *node, const hol__key *key);
int hol__choice_at(hol__build *build, const hol__node *node, const hol__key *key);
unsigned hol__words_at(hol__build *build, const hol__node *node, const hol__key *key);
const char *hol__text_at(hol__build *build, const hol__node *node, const hol__key *key);
hol__law hol__law_at(hol__build *build, hol__node *node, const hol__key *key,
                     const char *const *locals);

/* Those that have no default: 0 after an error, or when the node is something else. */
int hol__laws_at(hol__build *build, hol__node *node, const hol__key *key, const char *const *locals,
                 hol__law out[3]);
int hol__matrix_at(hol__build *build, hol__node *node, const hol__key *key, int n, double *out);
int hol__direction_at(hol__build *build, hol__node *node, const hol__key *key, double out[3]);
int hol__bodies_at(hol__build *build, hol__node *node, const char *name, int body[2]);

/* A map from the words for directions to functions of time, into laws by bit (0 … 5, the angle of
 * the plane is 5). Returns the bits. */
unsigned hol__drives_at(hol__build *build, hol__node *node, const char *name, hol__law drive[6]);

/* By key, with the default and the range of its row in the table. */
double hol__read_number(hol__build *build, hol__node *item, const hol__key *keys, const char *name);
int hol__read_bool(hol__build *build, hol__node *item, const hol__key *keys, const char *name);
int hol__read_choice(hol__build *build, hol__node *item, const hol__key *keys, const char *name);
const char *hol__read_text(hol__build *build, hol__node *item, const hol__key *keys,
                           const char *name);

/* A list of dim numbers into out (the rest zero); 0 when it is none, or when the key is absent. */
int hol__read_vector_at(hol__build *build, hol__node *node, const char *what, const char *unit,
                        double out[3]);
int hol__read_vector(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                     double out[3]);

/* A unit vector into out; 0 when the key is absent. */
int hol__read_direction(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                        double out[3]);

/* The words of a list as bits by their index in the choices. */
unsigned hol__read_words(hol__build *build, hol__node *item, const hol__key *keys,
                         const char *name);

/* Bodies by name: index, n_bodies for ground, ground also after an error. */
int hol__read_body(hol__build *build, hol__node *item, const hol__key *keys, const char *name);
int hol__find_body(hol__build *build, hol__node *node);

/* A joint by name, -1 after an error. */
int hol__find_joint(hol__build *build, hol__node *node);

/* A force by name, as the description has it: forces are compiled after those that name them. */
struct hol__force_ref;
void hol__find_force(hol__build *build, hol__node *node, struct hol__force_ref *ref);

/* A point: global coordinates at the drawn position into out; 0 when the key is absent or wrong. */
int hol__read_point(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                    double out[3]);
int hol__read_point_at(hol__build *build, hol__node *node, double out[3]);

#endif
