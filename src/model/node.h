/* node.h: the tree of a description: maps, lists and scalars, each with its place in the file.
 *
 * The YAML reader and the builder calls make the same tree; the compiler reads it through the
 * schema.
 */
#ifndef HOL_MODEL_NODE_H
#define HOL_MODEL_NODE_H

#include "base/arena.h"
#include "base/name_tree.h"

#include <holonom/spec.h>

typedef enum hol__node_kind { HOL__NULL, HOL__SCALAR, HOL__LIST, HOL__MAP } hol__node_kind;

typedef struct hol_item hol__node;

struct hol_item {
    hol__node_kind kind;
    hol_spec *spec;      /* whose arena it lives in */
    hol_location where;  /* of the value */
    hol_location key_at; /* of the key, for children of a map */
    const char *key;     /* for children of a map */
    const char *text;    /* of a scalar */
    int quoted;          /* the scalar was written in quotes */
    hol__node *parent, *first, *last, *next;
    int count;            /* children */
    hol__name_tree *keys; /* of the children of a large map; NULL: they are searched in turn */
    int used;             /* the compiler has read it */
};

struct hol_spec {
    hol_context *ctx;
    hol__arena arena;
    hol__node *root;    /* a map */
    const char *source; /* file name, or "" */
    const char *text; /* of the file as it was read; NULL when that is not the whole description */
    int failed;       /* an error was reported while it was filled */
    /* the folder, resolved, below which the files lie that it names; "": it may name none; NULL:
     * that of the model file */
    const char *files_below;
    size_t files_bytes; /* of the files that it named, each as often as it was read */
    int massless;       /* bodies may lack mass and inertia */
    const char
        *written; /* the model file itself as it was read, whatever was set since; NULL: none */
};

/* A new node under parent (NULL: a root): key for a map, NULL for a list. NULL without memory. */
hol__node *hol__node_add(hol_spec *spec, hol__node *parent, const char *key, hol__node_kind kind);

/* A scalar child; text is copied. */
hol__node *hol__node_add_scalar(hol_spec *spec, hol__node *parent, const char *key,
                                const char *text);

/* The child of a map by key, or of a list by index; NULL when there is none (also for a NULL
 * node). */
hol__node *hol__node_get(const hol__node *node, const char *key);
hol__node *hol__node_at(const hol__node *node, int i);

/* Append a node that hangs nowhere. */
void hol__node_append(hol__node *parent, hol__node *child);

/* Give a node the kind, value and places of another; it keeps its key and its place in the list.
 * share: the children stay those of the other, to be read only; replace: they become those of the
 * node. */
void hol__node_share(hol__node *node, const hol__node *from);
void hol__node_replace(hol__node *node, const hol__node *from);

/* Take a child out of its parent. */
void hol__node_remove(hol__node *child);

/* Note that the description is not what the caller meant; returns status. */
hol_status hol__spec_fail(hol_spec *spec, hol_status status);

/* Whether there is a description and no call on it has failed; says so otherwise, in the name of
 * the call. */
int hol__spec_is_whole(hol_context *ctx, const char *call, const hol_spec *spec);

/* Whether text is UTF-8 (and not empty where it names something); reports it otherwise. */
int hol__spec_check_text(hol_spec *spec, const char *what, const char *text, int may_be_empty);

/* "a map", "a list", "a number or text", "nothing": for messages. */
const char *hol__node_kind_name(const hol__node *node);

#endif
