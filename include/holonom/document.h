/* document.h: a YAML or JSON text as a tree with places, and formulas over names: what files beside
 * the model file are read with (the claims of `holonom reproduce`).
 *
 *     hol_document *document = hol_document_read(ctx, "claims.yaml");
 *     const hol_item *claims = hol_item_find(hol_document_root(document), "claims");
 *     for (const hol_item *c = hol_item_first(claims); c; c = hol_item_next(c))
 *         puts(hol_item_key(c));
 */
#ifndef HOLONOM_DOCUMENT_H
#define HOLONOM_DOCUMENT_H

#include "spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_document hol_document;

/* Read a file, or a text (name stands for the file in messages), whose root is a map. NULL after
 * errors, which name line and column. */
hol_document *hol_document_read(hol_context *ctx, const char *path);
hol_document *hol_document_read_text(hol_context *ctx, const char *text, const char *name);
void hol_document_free(hol_document *document);

/* The root, which lives as long as the document. */
const hol_item *hol_document_root(const hol_document *document);

/* What an item is. */
typedef enum hol_item_kind {
    HOL_ITEM_EMPTY, /* nothing, null */
    HOL_ITEM_TEXT,  /* a number or a text */
    HOL_ITEM_LIST,
    HOL_ITEM_MAP
} hol_item_kind;

/* The calls below take NULL for an item that is not there: it is empty. */
hol_item_kind hol_item_kind_of(const hol_item *item);

/* Its key in a map, "" elsewhere; its text as it is written, without quotes, NULL for a list, a map
 * and nothing. */
const char *hol_item_key(const hol_item *item);
const char *hol_item_value(const hol_item *item);

/* Members of a map or items of a list in turn, NULL behind the last; and the member of that key. */
int hol_item_count(const hol_item *item);
const hol_item *hol_item_first(const hol_item *item);
const hol_item *hol_item_next(const hol_item *item);
const hol_item *hol_item_find(const hol_item *item, const char *key);

/* Where it stands: its value, or its key. */
hol_location hol_item_place(const hol_item *item);
hol_location hol_item_key_place(const hol_item *item);

/* Add an error at a place to the messages of the context. Returns HOL_ERR_INPUT. */
hol_status hol_place_error(hol_context *ctx, hol_location where, const char *text);

/* A formula, as in model files, over n names with a value in each of `rows` rows: columns[i][row].
 * Conditions have the value 1 or 0. out: a number for each row, NaN where it is not defined.
 * HOL_ERR_INPUT, with a message at its column, for a mistake; where: the place of its text. */
hol_status hol_formula(hol_context *ctx, const char *text, const hol_location *where, int n,
                       const char *const *names, int rows, const double *const *columns,
                       double *out);

#ifdef __cplusplus
}
#endif
#endif
