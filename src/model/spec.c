/* spec.c: descriptions made by calls.
 *
 * Invariants:
 * - the root is a map; what the builder calls hand out as hol_item are maps of the tree;
 * - a text that enters the tree is UTF-8;
 * - after a call that failed the tree is as before, and `failed` is set so that the compiler
 *   refuses it.
 */
#include "base/argument.h"
#include "base/text.h"
#include "model/node.h"
#include "common/number.h"
#include "model/plain.h"
#include "model/schema.h"
#include "common/utf8.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

hol_spec *hol_spec_new(hol_context *ctx) {
    hol_spec *spec = ctx ? hol__alloc(ctx, 1, sizeof *spec) : NULL;
    if (!spec) return NULL;
    spec->ctx = ctx;
    spec->source = "";
    hol__arena_init(&spec->arena, ctx);
    spec->root = hol__node_add(spec, NULL, NULL, HOL__MAP);
    if (spec->root) return spec;
    hol_spec_free(spec);
    return NULL;
}

void hol_spec_free(hol_spec *spec) {
    if (!spec) return;
    hol__arena_free(&spec->arena);
    hol__release(spec->ctx, spec);
}

/* A place whose file name lives in the copy; it is mostly that of the place before. */
static hol_location copy_place(hol_spec *copy, hol_location where, const char **last) {
    if (!where.file) return where;
    if (!*last || strcmp(where.file, *last) != 0) *last = hol__arena_text(&copy->arena, where.file);
    where.file = *last;
    return where;
}

/* The children of a node under another; 0 without memory. */
static int copy_children(hol_spec *copy, hol__node *to, const hol__node *from, const char **last) {
    for (const hol__node *child = from->first; child; child = child->next) {
        hol__node *node = child->kind == HOL__SCALAR
                              ? hol__node_add_scalar(copy, to, child->key, child->text)
                              : hol__node_add(copy, to, child->key, child->kind);
        if (!node) return 0;
        node->where = copy_place(copy, child->where, last);
        node->key_at = copy_place(copy, child->key_at, last);
        node->quoted = child->quoted;
        if (!copy_children(copy, node, child, last)) return 0;
    }
    return 1;
}

hol_spec *hol_spec_copy(hol_context *ctx, const hol_spec *spec) {
    hol_spec *copy = spec ? hol_spec_new(ctx) : NULL;
    const char *last = NULL;
    if (!copy) return NULL;
    copy->failed = spec->failed;
    copy->source = hol__arena_text(&copy->arena, spec->source ? spec->source : "");
    copy->text = spec->text ? hol__arena_text(&copy->arena, spec->text) : NULL;
    copy->written = spec->written ? hol__arena_text(&copy->arena, spec->written) : NULL;
    copy->files_below = spec->files_below ? hol__arena_text(&copy->arena, spec->files_below) : NULL;
    copy->massless = spec->massless;
    copy->root->where = copy_place(copy, spec->root->where, &last);
    if (copy_children(copy, copy->root, spec->root, &last) && !copy->arena.failed) return copy;
    hol_spec_free(copy);
    return NULL;
}

hol_status hol_spec_allow_massless(hol_spec *spec) {
    if (!spec) return HOL_ERR_ARGUMENT;
    spec->massless = 1;
    return HOL_OK;
}

hol_status hol__spec_fail(hol_spec *spec, hol_status status) {
    spec->failed = 1;
    return status;
}

int hol__spec_is_whole(hol_context *ctx, const char *call, const hol_spec *spec) {
    if (hol__need(ctx, call, "the description", spec)) return 0;
    if (!spec->failed) return 1;
    hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                "the description is not whole: a call on it failed (see the messages before)");
    return 0;
}

int hol__spec_check_text(hol_spec *spec, const char *what, const char *text, int may_be_empty) {
    const char *end = text ? text + strlen(text) : NULL;
    unsigned code;
    if (!text || (!*text && !may_be_empty)) {
        hol__report(spec->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL, "%s is empty", what);
        return 0;
    }
    for (int n; text < end; text += n) {
        n = hol__utf8_decode(text, end, &code);
        if (n > 0) continue;
        hol__report(spec->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                    "%s is not UTF-8 text (byte 0x%02X)", what, (unsigned char)*text);
        return 0;
    }
    return 1;
}

/* Whether text may be a key; reports it otherwise. */
static int check_key(hol_spec *spec, const char *key) {
    if (!hol__spec_check_text(spec, "a key", key, 0)) return 0;
    if (strlen(key) <= HOL__KEY_LENGTH) return 1;
    hol__report(spec->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                "a key has more than %d bytes: '%.40s…'", HOL__KEY_LENGTH, key);
    return 0;
}

/* The map under a key, made when it is not there; NULL when something else is. */
static hol__node *map_under(hol__node *parent, const char *key) {
    hol_spec *spec = parent->spec;
    if (!check_key(spec, key)) return NULL;
    hol__node *node = hol__node_get(parent, key);
    if (!node) return hol__node_add(spec, parent, key, HOL__MAP);
    if (node->kind == HOL__NULL) node->kind = HOL__MAP;
    if (node->kind == HOL__MAP) return node;
    hol__error(spec->ctx, &node->where, NULL, "'%s' is %s here, not a map with keys", key,
               hol__node_kind_name(node));
    return NULL;
}

hol_item *hol_spec_root(hol_spec *spec) {
    return spec ? spec->root : NULL;
}

hol_item *hol_spec_section(hol_spec *spec, const char *section) {
    if (!spec) return NULL;
    hol__node *node = map_under(spec->root, section);
    if (!node) hol__spec_fail(spec, HOL_ERR_ARGUMENT);
    return node;
}

hol_item *hol_item_map(hol_item *item, const char *key) {
    if (!item) return NULL;
    hol__node *node = map_under(item, key);
    if (!node) hol__spec_fail(item->spec, HOL_ERR_ARGUMENT);
    return node;
}

hol_item *hol_spec_add(hol_spec *spec, const char *section, const char *name, const char *type) {
    hol__node *parent = hol_spec_section(spec, section);
    if (!parent) return NULL;
    if (!check_key(spec, name) || (type && !hol__spec_check_text(spec, "a type", type, 0))) {
        hol__spec_fail(spec, HOL_ERR_ARGUMENT);
        return NULL;
    }
    const hol__node *taken = hol__node_get(parent, name);
    if (taken) {
        const hol_status status =
            hol__error(spec->ctx, &taken->key_at, NULL,
                       "'%s' is already in %s; choose another name", name, section);
        hol__spec_fail(spec, status);
        return NULL;
    }
    hol__node *item = hol__node_add(spec, parent, name, HOL__MAP);
    if (item && (!type || hol__node_add_scalar(spec, item, "type", type))) return item;
    if (item) hol__node_remove(item);
    hol__spec_fail(spec, HOL_ERR_MEMORY);
    return NULL;
}

/* Put the finished node under the key of the item, in the place of what was there. */
static void put(hol__node *item, hol__node *node) {
    hol__node *old = hol__node_get(item, node->key);
    if (old)
        hol__node_replace(old, node);
    else
        hol__node_append(item, node);
}

/* The common part of setting a scalar. */
static hol_status set_scalar(hol_item *item, const char *key, const char *text) {
    hol_spec *spec = item->spec;
    if (!check_key(spec, key) || !hol__spec_check_text(spec, "a text", text, 1))
        return hol__spec_fail(spec, HOL_ERR_ARGUMENT);
    hol__node *node = hol__node_add_scalar(spec, NULL, key, text);
    if (!node) return hol__spec_fail(spec, HOL_ERR_MEMORY);
    put(item, node);
    return HOL_OK;
}

hol_status hol_item_number(hol_item *item, const char *key, double value) {
    char buf[HOL__NUMBER_SIZE];
    if (!item) return HOL_ERR_ARGUMENT;
    hol__number_write(value, 0, buf);
    return set_scalar(item, key, buf);
}

hol_status hol_item_text(hol_item *item, const char *key, const char *text) {
    return item ? set_scalar(item, key, text) : HOL_ERR_ARGUMENT;
}

/* A list of n scalars from the numbers, or from the texts where there are no numbers. */
static hol_status set_list(hol_item *item, const char *key, int n, const double *values,
                           const char *const *texts) {
    hol_spec *spec = item ? item->spec : NULL;
    if (!item) return HOL_ERR_ARGUMENT;
    if (hol__need_array(spec->ctx, "hol_item", values ? "numbers" : "texts", n, 0,
                        values ? (const void *)values : (const void *)texts) ||
        !check_key(spec, key))
        return hol__spec_fail(spec, HOL_ERR_ARGUMENT);
    hol__node *list = hol__node_add(spec, NULL, key, HOL__LIST);
    for (int i = 0; list && i < n; i++) {
        char buf[HOL__NUMBER_SIZE];
        if (values) hol__number_write(values[i], 0, buf);
        const char *text = values ? buf : texts[i];
        if (!hol__spec_check_text(spec, "a text", text, 1))
            return hol__spec_fail(spec, HOL_ERR_ARGUMENT);
        if (!hol__node_add_scalar(spec, list, NULL, text)) list = NULL;
    }
    if (!list) return hol__spec_fail(spec, HOL_ERR_MEMORY);
    put(item, list);
    return HOL_OK;
}

hol_status hol_item_vector(hol_item *item, const char *key, int n, const double *values) {
    return set_list(item, key, n, values, NULL);
}

hol_status hol_item_texts(hol_item *item, const char *key, int n, const char *const *texts) {
    return set_list(item, key, n, NULL, texts);
}
