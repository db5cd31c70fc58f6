/* path.c: values of a description by their path. See path.h. */
#include "model/path.h"

#include "base/text.h"
#include "common/ascii.h"
#include "common/nearest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- suggestions ---- */

const char *hol__key_list_name(const void *self, int i) {
    const hol__key_list *list = self;
    if (i == 0) *list->cursor = list->map && list->map->kind == HOL__MAP ? list->map->first : NULL;
    if (!*list->cursor) return NULL;
    const char *key = (*list->cursor)->key;
    *list->cursor = (*list->cursor)->next;
    return key;
}

/* "; did you mean '…'?" into buf from the keys of a map. */
static const char *suggest(const char *word, const hol__node *map, char buf[128]) {
    const hol__node *cursor;
    const hol__key_list list = {map, &cursor};
    return hol__did_you_mean(hol__nearest(word, hol__key_list_name, &list), buf, 128);
}

/* ---- steps ---- */

/* The child that the longest start of rest names, up to a dot or the end. */
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

hol__node *hol__path_step(const hol__node *node, const char *rest, const char **after) {
    *after = rest;
    if (node->kind == HOL__MAP) return child_of_map(node, rest, after);
    return node->kind == HOL__LIST ? child_of_list(node, rest, after) : NULL;
}

hol_status hol__path_not_found(hol_context *ctx, const hol_location *where, const char *path,
                               const hol__node *node, const char *rest) {
    char word[64], near[128] = "";
    snprintf(word, sizeof word, "%.*s", (int)strcspn(rest, "."), rest);
    if (node->kind == HOL__LIST)
        return hol__error(
            ctx, where, NULL,
            "'%s': '%s' is not an element of the list, which has %d (they count from 0)", path,
            word, node->count);
    if (node->kind != HOL__MAP)
        return hol__error(ctx, where, NULL, "'%s': there is nothing below '%.*s', which is %s",
                          path, (int)(rest > path ? rest - path - 1 : 0), path,
                          hol__node_kind_name(node));
    const int named = node->parent && !node->parent->parent;
    return hol__error(ctx, where, NULL, "'%s': there is no '%s' in %s%s", path, word,
                      named           ? node->key
                      : !node->parent ? "the model"
                                      : "that map",
                      suggest(word, node, near));
}

/* ---- numbers ---- */

/* Report that a name is neither a parameter nor a path. */
static void unknown(hol_context *ctx, const hol_spec *spec, const char *name) {
    const hol__node *section = hol__node_get(spec->root, "parameters");
    char near[128];
    hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                "the model has no parameter '%s'%s; any number of the file can be named by its "
                "path too, such as bodies.crank.mass or gravity.1",
                name, suggest(name, section, near));
}

hol__node *hol__path_value(hol_context *ctx, const hol_spec *spec, const char *name) {
    hol__node *node = hol__node_get(hol__node_get(spec->root, "parameters"), name);
    if (node) return node;
    if (!strchr(name, '.') && !hol__node_get(spec->root, name)) {
        if (ctx) unknown(ctx, spec, name);
        return NULL;
    }
    node = spec->root;
    for (const char *rest = name, *after; *rest; rest = after) {
        hol__node *child = hol__path_step(node, rest, &after);
        if (!child) {
            const hol_location nowhere = {NULL, 0, 0};
            if (ctx) hol__path_not_found(ctx, &nowhere, name, node, rest);
            return NULL;
        }
        node = child;
    }
    return node;
}

/* An identifier like the path that no parameter or variable has; NULL without memory. */
static const char *free_name(hol_spec *spec, const char *path) {
    char *name = hol__arena_text(&spec->arena, path);
    for (char *c = name; c && *c; c++)
        if (!hol__is_letter(*c) && !hol__is_digit(*c)) *c = '_';
    while (name && (hol__node_get(hol__node_get(spec->root, "parameters"), name) ||
                    hol__node_get(hol__node_get(spec->root, "variables"), name)))
        name = hol__arena_format(&spec->arena, "%s_", name);
    return name;
}

/* Whether a node is a key of the section parameters. */
static int is_parameter(const hol_spec *spec, const hol__node *node) {
    return node->parent && node->parent == hol__node_get(spec->root, "parameters");
}

hol_status hol__path_parameter(hol_spec *spec, const char *name, const char **key) {
    hol__node *node = hol__path_value(spec->ctx, spec, name);
    if (!node) return HOL_ERR_ARGUMENT;
    *key = node->key;
    if (is_parameter(spec, node)) return HOL_OK;
    if (node->kind != HOL__SCALAR)
        return hol__report(spec->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &node->where, NULL,
                           "'%s' is %s and no number; name one of its %s, such as '%s.%s'", name,
                           hol__node_kind_name(node), node->kind == HOL__LIST ? "elements" : "keys",
                           name, node->kind == HOL__MAP && node->first ? node->first->key : "0");
    *key = free_name(spec, name);
    hol__node *section = *key ? hol_spec_section(spec, "parameters") : NULL;
    hol__node *made = section ? hol__node_add_scalar(spec, section, *key, node->text) : NULL;
    if (!made) return HOL_ERR_MEMORY;
    made->where = made->key_at = node->where;
    node->text = *key;
    node->quoted = 0;
    return HOL_OK;
}
