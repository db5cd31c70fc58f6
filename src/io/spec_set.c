/* spec_set.c: values of a description by their path: what `--set` and programs change in a model
 * that was read.
 *
 * A path starts with a section, or is the plain name of a parameter, an option of the simulation or
 * a key of the file. A value that begins with [ or { is a list or a map as it would be written in
 * the file, and takes the place of whatever is there. After a call that failed the tree is as
 * before, and `failed` is set so that the compiler refuses it.
 */
#include "base/option.h"
#include "base/text.h"
#include "io/yaml.h"
#include "model/path.h"
#include "model/schema.h"

#include <stdio.h>
#include <string.h>

/* Names to suggest: the keys of a map, then those of a table, then the options; each may be left
 * out. */
typedef struct name_list {
    hol__key_list map;
    const hol__key *keys;
    int options;
} name_list;

/* Name i of the list, asked for in rising order from 0. */
static const char *list_name(const void *self, int i) {
    const name_list *list = self;
    const char *key = hol__key_list_name(&list->map, i);
    if (key) return key;
    if (list->map.map && list->map.map->kind == HOL__MAP) i -= list->map.map->count;
    for (const hol__key *row = list->keys; row && row->name; row++)
        if (i-- == 0) return row->name;
    const hol_option *option = list->options ? hol_option_get(i) : NULL;
    return option ? option->name : NULL;
}

/* "; did you mean '…'?" into buf from the keys of a map, a table and the options. */
static const char *suggest(const char *word, const hol__node *map, const hol__key *keys,
                           int options, char buf[128]) {
    const hol__node *cursor;
    const name_list list = {{map, &cursor}, keys, options};
    return hol__did_you_mean(hol__nearest(word, list_name, &list), buf, 128);
}

/* What a path is being set with. */
typedef struct setting {
    hol_spec *spec;
    const char *path, *text;
    hol_location where;
} setting;

/* Whether the value is a list or a map. */
static int is_flow(const setting *set) {
    const char first = set->text[strspn(set->text, " \t\n")];
    return first == '[' || first == '{';
}

/* All places of a tree are that of the setting. */
static void place_tree(const setting *set, hol__node *node) {
    node->where = node->key_at = set->where;
    for (hol__node *child = node->first; child; child = child->next) place_tree(set, child);
}

/* The value as a list or a map; NULL after an error. */
static const hol__node *read_flow(const setting *set) {
    static const hol__yaml_kind kind = {"value", "value"};
    hol_spec *spec = set->spec;
    const char *text = hol__arena_format(&spec->arena, "value: %s", set->text);
    int n_nodes = 0;
    if (!text || !hol__yaml_check(spec, text, strlen(text), set->where.file)) return NULL;
    hol__node *root = hol__yaml_parse(spec, text, strlen(text), set->where.file, &kind, &n_nodes);
    if (!root) return NULL;
    if (root->count != 1) { /* "[1]\nother: 2" */
        hol__error(spec->ctx, &set->where, NULL, "'%s': a value is one list or one map", set->path);
        return NULL;
    }
    place_tree(set, root);
    return root->first;
}

/* Give the node the list or map. */
static hol_status set_flow(const setting *set, hol__node *node) {
    const hol__node *from = read_flow(set);
    if (!from) return set->spec->arena.failed ? HOL_ERR_MEMORY : HOL_ERR_INPUT;
    hol__node_replace(node, from);
    node->where = set->where;
    return HOL_OK;
}

/* Give the node the text; a map or a list is not lost to one. */
static hol_status set_value(const setting *set, hol__node *node) {
    if (is_flow(set)) return set_flow(set, node);
    const hol__node *parent = node->parent;
    const hol_option *option = parent && parent->key && strcmp(parent->key, "simulation") == 0
                                   ? hol_option_find(node->key)
                                   : NULL;
    /* an option that is a list is set as a whole, from a text with commas */
    const int whole = option && option->kind == HOL_OPTION_LIST;
    if ((node->kind == HOL__MAP || node->kind == HOL__LIST) && !whole)
        return hol__error(set->spec->ctx, &set->where, NULL,
                          "'%s' is %s; set %s, for example '%s.%s', or all of it as '%s=%s'",
                          set->path, hol__node_kind_name(node),
                          node->kind == HOL__MAP ? "one of its keys" : "one of its elements",
                          set->path,
                          node->kind == HOL__LIST ? "0"
                          : node->first           ? node->first->key
                                                  : "key",
                          set->path, node->kind == HOL__LIST ? "[1, 2]" : "{key: value}");
    const char *text = hol__arena_text(&set->spec->arena, set->text);
    if (!text) return HOL_ERR_MEMORY;
    node->kind = HOL__SCALAR;
    node->first = node->last = NULL;
    node->count = 0;
    node->keys = NULL;
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
    const hol_status status = is_flow(set) ? set_flow(set, node) : HOL_OK;
    if (status) hol__node_remove(node);
    return status;
}

/* Follow the rest of the path below node and set what it ends at. */
static hol_status set_below(const setting *set, hol__node *node, const char *rest, int may_add) {
    const char *after;
    hol__node *child = hol__path_step(node, rest, &after);
    if (child) return *after ? set_below(set, child, after, 1) : set_value(set, child);
    if (node->kind == HOL__MAP && may_add && *rest && !strchr(rest, '.'))
        return set_key(set, node, rest);
    return hol__path_not_found(set->spec->ctx, &set->where, set->path, node, rest);
}

/* A name without a section: a parameter, an option of the simulation, or a key of the file. */
static hol_status set_plain(const setting *set) {
    hol_spec *spec = set->spec;
    hol__node *parameters = hol__node_get(spec->root, "parameters");
    hol__node *parameter = hol__node_get(parameters, set->path);
    char near[128];
    if (parameter) return set_value(set, parameter);
    if (strcmp(set->path, "include") == 0)
        return hol__error(spec->ctx, &set->where, NULL,
                          "files are included while the model is read; write `include` in a file");
    if (!hol_option_find(set->path) && hol__key_find(hol__root_keys, set->path))
        return set_key(set, spec->root, set->path);
    if (!hol_option_find(set->path))
        return hol__error(
            spec->ctx, &set->where, NULL,
            "'%s' is neither a parameter of the model nor an option of the simulation%s", set->path,
            suggest(set->path, parameters, NULL, 1, near));
    hol__node *simulation = hol_spec_section(spec, "simulation");
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
        node = hol_spec_section(spec, section);
        return node ? set_below(set, node, rest, 1) : HOL_ERR_INPUT;
    }
    const int adds = is_flow(set); /* a whole element */
    if (!node && adds) node = hol_spec_section(spec, section);
    if (!node)
        return hol__error(spec->ctx, &set->where, NULL, "'%s': the model has no '%s'", set->path,
                          section);
    return set_below(set, node, rest, adds);
}

hol_status hol_spec_set(hol_spec *spec, const char *path, const char *text, const char *origin) {
    if (!spec) return HOL_ERR_ARGUMENT;
    if (!hol__spec_check_text(spec, "a path", path, 0) ||
        !hol__spec_check_text(spec, "a value", text, 1))
        return hol__spec_fail(spec, HOL_ERR_ARGUMENT);
    const char *file = hol__arena_text(&spec->arena, origin ? origin : "set");
    if (!file) return hol__spec_fail(spec, HOL_ERR_MEMORY);
    const setting set = {spec, path, text, {file, 0, 0}};
    const char *dot = strchr(path, '.');
    const hol_status status = dot ? set_in_section(&set, dot + 1) : set_plain(&set);
    spec->text = NULL; /* the file no longer says what the model is */
    return status ? hol__spec_fail(spec, status) : HOL_OK;
}
