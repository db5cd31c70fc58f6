/* document.c: YAML and JSON files other than model files, as trees. See holonom/document.h.
 *
 * A document is a description that is never compiled: the same reader, the same tree, the same
 * limits (yaml.h), without includes.
 */
#include <holonom/document.h>

#include "base/argument.h"
#include "io/input.h"
#include "io/yaml.h"

#include <string.h>

struct hol_document {
    hol_context *ctx;
    hol_spec *spec;
};

/* The tree of a text; NULL after errors. */
static hol_document *parse(hol_context *ctx, const char *text, size_t length, const char *name) {
    static const hol__yaml_kind kind = {"file", "claims"};
    hol_document *document = hol__alloc(ctx, 1, sizeof *document);
    int n_nodes = 0;
    if (!document) return NULL;
    document->ctx = ctx;
    document->spec = hol_spec_new(ctx);
    hol_spec *spec = document->spec;
    const char *file = spec ? hol__arena_text(&spec->arena, name) : NULL;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3, length -= 3;
    hol__node *root = file && hol__yaml_check(spec, text, length, file)
                          ? hol__yaml_parse(spec, text, length, file, &kind, &n_nodes)
                          : NULL;
    if (root) {
        spec->root = root;
        return document;
    }
    hol_document_free(document);
    return NULL;
}

hol_document *hol_document_read_text(hol_context *ctx, const char *text, const char *name) {
    if (!ctx || hol__need(ctx, "hol_document_read_text", "the text", text)) return NULL;
    return parse(ctx, text, strlen(text), name && *name ? name : "text");
}

hol_document *hol_document_read(hol_context *ctx, const char *path) {
    if (!ctx || hol__need(ctx, "hol_document_read", "the path", path)) return NULL;
    const hol__input input = {.path = path, .pipes = 1, .most = HOL__YAML_SIZE, .what = "file"};
    hol_document *document = NULL;
    hol__text text;
    hol__text_init(&text, ctx);
    if (hol__input_read(ctx, &input, &text) == HOL_OK)
        document = parse(ctx, text.data ? text.data : "", text.length, path);
    hol__text_free(&text);
    return document;
}

void hol_document_free(hol_document *document) {
    if (!document) return;
    hol_spec_free(document->spec);
    hol__release(document->ctx, document);
}

const hol_item *hol_document_root(const hol_document *document) {
    return document ? document->spec->root : NULL;
}

/* ---- items ---- */

hol_item_kind hol_item_kind_of(const hol_item *item) {
    if (!item || item->kind == HOL__NULL) return HOL_ITEM_EMPTY;
    return item->kind == HOL__SCALAR ? HOL_ITEM_TEXT
           : item->kind == HOL__LIST ? HOL_ITEM_LIST
                                     : HOL_ITEM_MAP;
}

const char *hol_item_key(const hol_item *item) {
    return item && item->key ? item->key : "";
}

const char *hol_item_value(const hol_item *item) {
    return item && item->kind == HOL__SCALAR ? item->text : NULL;
}

int hol_item_count(const hol_item *item) {
    return item ? item->count : 0;
}

const hol_item *hol_item_first(const hol_item *item) {
    return item ? item->first : NULL;
}

const hol_item *hol_item_next(const hol_item *item) {
    return item ? item->next : NULL;
}

const hol_item *hol_item_find(const hol_item *item, const char *key) {
    return item && item->kind == HOL__MAP && key ? hol__node_get(item, key) : NULL;
}

hol_location hol_item_place(const hol_item *item) {
    return item ? item->where : (hol_location){NULL, 0, 0};
}

hol_location hol_item_key_place(const hol_item *item) {
    return item && item->key ? item->key_at : hol_item_place(item);
}

hol_status hol_place_error(hol_context *ctx, hol_location where, const char *text) {
    if (!ctx || hol__need(ctx, "hol_place_error", "the text", text)) return HOL_ERR_ARGUMENT;
    return hol__error(ctx, where.file ? &where : NULL, NULL, "%s", text);
}
