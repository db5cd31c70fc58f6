/* spec.c: descriptions made by calls: the builder, and values set by their path.
 *
 * Invariants:
 * - the root is a map; what the builder calls hand out as hol_item are maps of the tree;
 * - a text that enters the tree is UTF-8;
 * - after a call that failed the tree is as before, and `failed` is set so that the compiler refuses it.
 */
#include "base/text.h"
#include "model/node.h"
#include "common/number.h"
#include "model/plain.h"
#include "model/schema.h"
#include "common/utf8.h"

#include <holonom/options.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

hol_spec *hol_spec_new(hol_context *ctx) {
    hol_spec *spec = hol__alloc(ctx, 1, sizeof *spec);
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

/* Note that the description is not what the caller meant. */
static hol_status fail(hol_spec *spec, hol_status status) {
    spec->failed = 1;
    return status;
}

/* Whether text is UTF-8 (and not empty where it names something); reports it otherwise. */
static int check_text(hol_spec *spec, const char *what, const char *text, int may_be_empty) {
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
    if (!check_text(spec, "a key", key, 0)) return 0;
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
    return spec->root;
}

hol_item *hol_spec_section(hol_spec *spec, const char *section) {
    hol__node *node = map_under(spec->root, section);
    if (!node) fail(spec, HOL_ERR_ARGUMENT);
    return node;
}

hol_item *hol_item_map(hol_item *item, const char *key) {
    if (!item) return NULL;
    hol__node *node = map_under(item, key);
    if (!node) fail(item->spec, HOL_ERR_ARGUMENT);
    return node;
}

hol_item *hol_spec_add(hol_spec *spec, const char *section, const char *name, const char *type) {
    hol__node *parent = hol_spec_section(spec, section);
    if (!parent) return NULL;
    if (!check_key(spec, name) || (type && !check_text(spec, "a type", type, 0))) {
        fail(spec, HOL_ERR_ARGUMENT);
        return NULL;
    }
    const hol__node *taken = hol__node_get(parent, name);
    if (taken) {
        fail(spec, hol__error(spec->ctx, &taken->key_at, NULL,
                              "'%s' is already in %s; choose another name", name, section));
        return NULL;
    }
    hol__node *item = hol__node_add(spec, parent, name, HOL__MAP);
    if (item && (!type || hol__node_add_scalar(spec, item, "type", type))) return item;
    if (item) hol__node_remove(item);
    fail(spec, HOL_ERR_MEMORY);
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
    if (!check_key(spec, key) || !check_text(spec, "a text", text, 1))
        return fail(spec, HOL_ERR_ARGUMENT);
    hol__node *node = hol__node_add_scalar(spec, NULL, key, text);
    if (!node) return fail(spec, HOL_ERR_MEMORY);
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
    if (!check_key(spec, key)) return fail(spec, HOL_ERR_ARGUMENT);
    hol__node *list = hol__node_add(spec, NULL, key, HOL__LIST);
    for (int i = 0; list && i < n; i++) {
        char buf[HOL__NUMBER_SIZE];
        if (values) hol__number_write(values[i], 0, buf);
        const char *text = values ? buf : texts[i];
        if (!check_text(spec, "a text", text, 1)) return fail(spec, HOL_ERR_ARGUMENT);
        if (!hol__node_add_scalar(spec, list, NULL, text)) list = NULL;
    }
    if (!list) return fail(spec, HOL_ERR_MEMORY);
    put(item, list);
    return HOL_OK;
}

hol_status hol_item_vector(hol_item *item, const char *key, int n, const double *values) {
    return set_list(item, key, n, values, NULL);
}

hol_status hol_item_texts(hol_item *item, const char *key, int n, const char *const *texts) {
    return set_list(item, key, n, NULL, texts);
}

/* ---- values by their path ---- */

/* Names to suggest: the keys of a map, then those of a table, then the options; each may be left out. */
typedef struct name_list {
    const hol__node *map;
    const hol__key *keys;
    int options;
    const hol__node **cursor; /* the child that the next index means, so that a walk stays linear */
} name_list;

/* Name i of the list, asked for in rising order from 0. */
static const char *list_name(const void *self, int i) {
    const name_list *list = self;
    if (i == 0) *list->cursor = list->map && list->map->kind == HOL__MAP ? list->map->first : NULL;
    if (*list->cursor) {
        const char *key = (*list->cursor)->key;
        *list->cursor = (*list->cursor)->next;
        return key;
    }
    if (list->map && list->map->kind == HOL__MAP) i -= list->map->count;
    for (const hol__key *key = list->keys; key && key->name; key++)
        if (i-- == 0) return key->name;
    int n;
    const hol_option *options = hol_options(&n);
    return list->options && i < n ? options[i].name : NULL;
}

/* "; did you mean '…'?" into buf from the keys of a map, a table and the options. */
static const char *suggest(const char *word, const hol__node *map, const hol__key *keys,
                           int options, char buf[128]) {
    const hol__node *cursor;
    const name_list list = {map, keys, options, &cursor};
    return hol__did_you_mean(hol__nearest(word, list_name, &list), buf, 128);
}

/* What a path is being set with. */
typedef struct setting {
    hol_spec *spec;
    const char *path, *text;
    hol_location where;
} setting;

/* Whether there is an option of that name. */
static int is_option(const char *name) {
    int n;
    const hol_option *options = hol_options(&n);
    for (int i = 0; i < n; i++)
        if (strcmp(options[i].name, name) == 0) return 1;
    return 0;
}

/* Give the node the text; it must not be a map or a list. */
static hol_status set_value(const setting *set, hol__node *node) {
    if (node->kind == HOL__MAP || node->kind == HOL__LIST)
        return hol__error(
            set->spec->ctx, &set->where, NULL, "'%s' is %s; set %s, for example '%s.%s'", set->path,
            hol__node_kind_name(node),
            node->kind == HOL__MAP ? "one of its keys" : "one of its elements", set->path,
            node->kind == HOL__LIST ? "0"
            : node->first           ? node->first->key
                                    : "key");
    const char *text = hol__arena_text(&set->spec->arena, set->text);
    if (!text) return HOL_ERR_MEMORY;
    node->kind = HOL__SCALAR;
    node->text = text;
    node->quoted = 0;
    node->where = set->where;
    return HOL_OK;
}

/* Set a key of a map that need not be there yet. */
static hol_status set_key(const setting *set, hol__node *map, const char *key) {
    hol__node *node = hol__node_get(map, key);
    if (node) return set_value(set, node);
    node = hol__node_add_scalar(set->spec, map, key, set->text);
    if (!node) return HOL_ERR_MEMORY;
    node->where = node->key_at = set->where;
    return HOL_OK;
}

/* The child that the longest start of rest names, up to a dot or the end; *after is set behind it. */
static hol__node *child_of_map(const hol__node *map, const char *rest, const char **after) {
    hol__node *best = NULL;
    size_t length = 0;
    for (hol__node *child = map->first; child; child = child->next) {
        const size_t n = strlen(child->key);
        if (n >= length && n > 0 && strncmp(child->key, rest, n) == 0 &&
            (rest[n] == '.' || !rest[n])) {
            best = child;
            length = n;
        }
    }
    *after = rest + length + (rest[length] == '.');
    return best;
}

/* The element that the number at rest counts from 0; NULL when it is no such number. */
static hol__node *child_of_list(const hol__node *list, const char *rest, const char **after) {
    long i = 0;
    const char *at = rest;
    while (*at >= '0' && *at <= '9' && i < INT_MAX / 16) i = 10 * i + (*at++ - '0');
    if (at == rest || (*at && *at != '.')) return NULL;
    *after = at + (*at == '.');
    return hol__node_at(list, (int)i);
}

/* Report that rest names nothing in node. */
static hol_status not_found(const setting *set, const hol__node *node, const char *rest) {
    char word[64], near[128] = "";
    snprintf(word, sizeof word, "%.*s", (int)strcspn(rest, "."), rest);
    if (node->kind == HOL__LIST)
        return hol__error(set->spec->ctx, &set->where, NULL,
                          "'%s': '%s' is no element of the list, which has %d (they count from 0)",
                          set->path, word, node->count);
    if (node->kind != HOL__MAP)
        return hol__error(set->spec->ctx, &set->where, NULL,
                          "'%s': there is nothing below '%.*s', which is %s", set->path,
                          (int)(rest > set->path ? rest - set->path - 1 : 0), set->path,
                          hol__node_kind_name(node));
    const int named = node->parent && !node->parent->parent;
    return hol__error(set->spec->ctx, &set->where, NULL, "'%s': there is no '%s' in %s%s",
                      set->path, word, named ? node->key : "that map",
                      suggest(word, node, NULL, 0, near));
}

/* Follow the rest of the path below node and set what it ends at. */
static hol_status set_below(const setting *set, hol__node *node, const char *rest, int may_add) {
    const char *after = rest;
    hol__node *child = node->kind == HOL__MAP    ? child_of_map(node, rest, &after)
                       : node->kind == HOL__LIST ? child_of_list(node, rest, &after)
                                                 : NULL;
    if (child) return *after ? set_below(set, child, after, 1) : set_value(set, child);
    if (node->kind == HOL__MAP && may_add && !strchr(rest, '.')) return set_key(set, node, rest);
    return not_found(set, node, rest);
}

/* A name without a section: a parameter, or an option of the simulation. */
static hol_status set_plain(const setting *set) {
    hol_spec *spec = set->spec;
    hol__node *parameters = hol__node_get(spec->root, "parameters");
    hol__node *parameter = hol__node_get(parameters, set->path);
    char near[128];
    if (parameter) return set_value(set, parameter);
    if (!is_option(set->path))
        return hol__error(
            spec->ctx, &set->where, NULL,
            "'%s' is neither a parameter of the model nor an option of the simulation%s", set->path,
            suggest(set->path, parameters, NULL, 1, near));
    hol__node *simulation = map_under(spec->root, "simulation");
    return simulation ? set_key(set, simulation, set->path) : HOL_ERR_INPUT;
}

/* A path that starts with a section. */
static hol_status set_in_section(const setting *set, const char *rest) {
    hol_spec *spec = set->spec;
    char section[64], near[128];
    snprintf(section, sizeof section, "%.*s", (int)(rest - set->path - 1), set->path);
    hol__node *node = hol__node_get(spec->root, section);
    if (!node && !hol__key_find(hol__root_keys, section))
        return hol__error(spec->ctx, &set->where, NULL, "'%s': there is no section '%s'%s",
                          set->path, section, suggest(section, NULL, hol__root_keys, 0, near));
    if (strcmp(section, "simulation") == 0) {
        node = map_under(spec->root, section);
        return node ? set_below(set, node, rest, 1) : HOL_ERR_INPUT;
    }
    if (!node)
        return hol__error(spec->ctx, &set->where, NULL, "'%s': the model has no '%s'", set->path,
                          section);
    return set_below(set, node, rest, 0);
}

hol_status hol_spec_set(hol_spec *spec, const char *path, const char *text, const char *origin) {
    if (!check_text(spec, "a path", path, 0) || !check_text(spec, "a value", text, 1))
        return fail(spec, HOL_ERR_ARGUMENT);
    const char *file = hol__arena_text(&spec->arena, origin ? origin : "set");
    if (!file) return fail(spec, HOL_ERR_MEMORY);
    const setting set = {spec, path, text, {file, 0, 0}};
    const char *dot = strchr(path, '.');
    const hol_status status = dot ? set_in_section(&set, dot + 1) : set_plain(&set);
    spec->text = NULL; /* the file no longer says what the model is */
    return status ? fail(spec, status) : HOL_OK;
}
