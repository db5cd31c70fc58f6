/* yaml.h: between the loader of model files (spec_read.c) and the YAML parser behind it. */
#ifndef HOL_IO_YAML_H
#define HOL_IO_YAML_H

#include "model/node.h"

enum {
    HOL__YAML_DEPTH = 64,      /* maps and lists inside each other */
    HOL__YAML_NODES = 4000000, /* values in a description, aliases written out */
    HOL__YAML_ANCHORS = 1000,  /* in one file */
    HOL__YAML_MESSAGES = 100,  /* shown for one file */
    HOL__YAML_SIZE = 64 << 20, /* bytes of one file */
    HOL__YAML_INCLUDES = 16,   /* files that include each other in a row */
};

/* Whether the bytes are printable UTF-8, as the parser wants: it may run in circles otherwise. The
 * first place that is not is reported. */
int hol__yaml_check(hol_spec *spec, const char *text, size_t length, const char *file);

/* Put the meshes that bodies are drawn with in the place of the files that they name, beside those
 * of the places of their names; the number of errors, and in *read of files. */
int hol__spec_read_meshes(hol_spec *spec, const hol__node *root, int *read);

/* What a file is in messages. */
typedef struct hol__yaml_kind {
    const char *name, *key; /* "model file"; a key at its root: "bodies" */
} hol__yaml_kind;

/* Read the text of one file, which was checked and has no byte order mark, into a tree that
 * hangs under nothing. file names it in messages and in the tree, and must live as long as the
 * description. *n_nodes counts the nodes of the whole description. NULL after an error, which has
 * been reported. */
hol__node *hol__yaml_parse(hol_spec *spec, const char *text, size_t length, const char *file,
                           const hol__yaml_kind *kind, int *n_nodes);

/* The children of a map, sorted by key and then by place; release it with hol__release. NULL
 * without memory. */
hol__node **hol__node_sorted(const hol__node *map);

#endif
