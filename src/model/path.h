/* path.h: values of a description by their path: "L2" (a parameter), "bodies.crank.mass",
 * "gravity.1" (elements of lists count from 0).
 */
#ifndef HOL_MODEL_PATH_H
#define HOL_MODEL_PATH_H

#include "model/node.h"

/* The keys of a map as names to suggest (common/nearest.h), asked for in rising order from 0. */
typedef struct hol__key_list {
    const hol__node *map;     /* NULL: none */
    const hol__node **cursor; /* the child that the next index means, so that a walk stays linear */
} hol__key_list;

const char *hol__key_list_name(const void *list, int i);

/* The child that the start of rest names, of a map the longest name up to a dot or the end, of a
 * list by its number; *after is set behind it. NULL: none. */
hol__node *hol__path_step(const hol__node *node, const char *rest, const char **after);

/* Report that rest, the last part of path, names nothing in node. */
hol_status hol__path_not_found(hol_context *ctx, const hol_location *where, const char *path,
                               const hol__node *node, const char *rest);

/* The value of a name: a parameter, or what a path leads to; NULL: neither, which is reported
 * where ctx is given. */
hol__node *hol__path_value(hol_context *ctx, const hol_spec *spec, const char *name);

/* A parameter that has the value of a name: the parameter itself, or a new one that takes the
 * place of the number at the path; *key: its name, in the arena of the description. Reports what
 * is not there, or is no number. */
hol_status hol__path_parameter(hol_spec *spec, const char *name, const char **key);

#endif
