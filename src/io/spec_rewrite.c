/* spec_rewrite.c: a model file with other numbers and everything else as its author wrote it.
 *
 * The file is parsed once more by itself, without its includes, and each value that is to change is
 * found there by its path:
 *
 *     there, a scalar           replaced in its place; of a number with a unit the number alone
 *     a parameter, not there    a new key of the section parameters, which overrides what an
 *                               included file says; a new section where there is none
 *     simulation, not there     the same, unless an included file has it
 *     anything else             not changed, and a warning says so
 *
 * The result is parsed again, and each value is looked at.
 */
#include "base/argument.h"
#include "base/unit_set.h"
#include "common/number.h"
#include "io/text_edit.h"
#include "io/yaml.h"
#include "model/emit.h"
#include "model/path.h"

#include <math.h>
#include <string.h>

static const hol__yaml_kind model_file = {"model file", "bodies"};

/* One value that is to change. */
typedef struct change {
    const hol__node *set;    /* in the description, where a call set it; NULL: a number by value */
    const hol__node *number; /* that one in the description */
    const char *section, *key; /* of what may be inserted; NULL: deeper */
    const char *name;          /* of a number, as the caller has it */
    double value;
    const char *text; /* what stands there afterwards */
} change;

typedef struct rewriting {
    const hol_spec *spec;
    hol_context *quiet;
    hol_spec *file;  /* the arena of the trees and texts */
    hol__node *root; /* of the file by itself */
    hol__edits edits;
    change *changes;
    int n, capacity;
    const char *newline;
    const char *added[2]; /* keys of sections that the file does not have */
} rewriting;

/* ---- numbers ---- */

/* Where the unit of "600 mm" begins; NULL where the text is no number with or without a unit. */
static const char *unit_of(const char *text, double *number, hol_unit *unit) {
    const char *end;
    *number = hol__number_read(text, &end);
    if (end == text) return NULL;
    const char *from = end + strspn(end, " \t");
    return hol__unit_try(from, unit) ? end : NULL;
}

/* The value in the words of an older text: its unit stays; NULL where that was an expression. */
static const char *number_like(rewriting *w, const char *old, double value) {
    char buf[HOL__NUMBER_SIZE];
    double number;
    hol_unit unit;
    const char *rest = unit_of(old, &number, &unit);
    if (!rest) return NULL;
    return hol__arena_format(&w->file->arena, "%s%s",
                             hol__number_text(hol_unit_show(&unit, value), buf), rest);
}

/* Whether a text is a number of that value, but for rounding of its unit. */
static int means(const char *text, double value) {
    double number;
    hol_unit unit;
    if (!unit_of(text, &number, &unit)) return 0;
    const double si = number * unit.times / unit.over;
    return fabs(si - value) <= 4e-16 * fabs(value);
}

/* ---- what is to change ---- */

static change *add_change(rewriting *w) {
    change *list =
        hol__arena_grow(&w->file->arena, w->changes, sizeof *list, w->n, &w->capacity, w->n + 1);
    if (!list) return NULL;
    w->changes = list;
    return &list[w->n++];
}

/* Whether a node is one of the numbers that change by value. */
static int changes_by_value(const rewriting *w, const hol__node *node) {
    for (int i = 0; i < w->n; i++)
        if (w->changes[i].number == node) return 1;
    return 0;
}

/* All values below a node that calls have set; 0 without memory. */
static int gather(rewriting *w, const hol__node *node, int depth) {
    for (const hol__node *child = node->first; child; child = child->next) {
        if (child->kind != HOL__SCALAR) {
            if (!gather(w, child, depth + 1)) return 0;
            continue;
        }
        const int was_set = child->where.file && child->where.line == 0;
        const char *section = depth == 1 ? node->key : NULL;
        if (!was_set || changes_by_value(w, child)) continue;
        change *c = add_change(w);
        if (!c) return 0;
        *c = (change){.set = child, .section = section, .key = child->key, .text = child->text};
    }
    return 1;
}

/* ---- places ---- */

/* The place of a node among those of its list. */
static int place_of(const hol__node *node) {
    int i = 0;
    for (const hol__node *at = node->parent->first; at && at != node; at = at->next) i++;
    return i;
}

/* The node in the file that has the path of one in the description; NULL: none. */
static hol__node *node_like(const rewriting *w, const hol__node *node) {
    if (!node->parent) return w->root;
    const hol__node *parent = node_like(w, node->parent);
    if (!parent || parent->kind != node->parent->kind) return NULL;
    if (parent->kind == HOL__MAP) return hol__node_get(parent, node->key);
    return hol__node_at(parent, place_of(node));
}

static hol__node *find(const rewriting *w, const change *c) {
    return node_like(w, c->set ? c->set : c->number);
}

static size_t offset(const rewriting *w, hol_location where) {
    return hol__text_offset(w->edits.text, where.line, where.column);
}

/* How many nodes stand at one place: more than one for an anchor and its aliases. */
static int nodes_at(const hol__node *node, hol_location where) {
    int n = node->where.line == where.line && node->where.column == where.column &&
            node->kind == HOL__SCALAR;
    for (const hol__node *child = node->first; child; child = child->next)
        n += nodes_at(child, where);
    return n;
}

/* Whether a map is written between braces. */
static int is_flow(const rewriting *w, const hol__node *map) {
    return w->edits.text[offset(w, map->where)] == '{';
}

static int is_within_flow(const rewriting *w, const hol__node *node) {
    for (const hol__node *up = node->parent; up; up = up->parent) {
        const char sign = w->edits.text[offset(w, up->where)];
        if (sign == '{' || sign == '[') return 1;
    }
    return 0;
}

/* ---- edits ---- */

/* The new text of a scalar that has the given one. */
static const char *text_for(rewriting *w, change *c, const hol__node *node) {
    hol__text out;
    if (!c->set) {
        char buf[HOL__NUMBER_SIZE];
        const char *same = node ? number_like(w, node->text, c->value) : NULL;
        if (!same && node)
            hol__report(w->spec->ctx, HOL_NOTE, HOL_OK, &node->where, NULL,
                        "'%s' was the expression '%s'; in the new file it is a number", c->name,
                        node->text);
        return c->text =
                   same ? same : hol__arena_text(&w->file->arena, hol__number_text(c->value, buf));
    }
    if (node && node->quoted) return strpbrk(c->text, "\"'\\\n") ? NULL : c->text;
    hol__text_init(&out, w->quiet);
    hol__emit_text(&out, c->text, node ? is_within_flow(w, node) : 1);
    const char *text = out.failed ? NULL : hol__arena_text(&w->file->arena, out.data);
    hol__text_free(&out);
    return text;
}

/* Replace a scalar in its place; 0 where its text is not there as it was read. */
static int replace(rewriting *w, change *c, const hol__node *node) {
    if (node->kind != HOL__SCALAR || nodes_at(w->root, node->where) != 1) return 0;
    const size_t at = offset(w, node->where), length = strlen(node->text);
    if (strncmp(w->edits.text + at, node->text, length) != 0) return 0;
    const char *text = text_for(w, c, node);
    return text && hol__edits_add(&w->edits, at, length, text);
}

/* A new key in a map of the file. */
static int insert_key(rewriting *w, const hol__node *map, const char *key, const char *text) {
    hol__arena *arena = &w->file->arena;
    if (is_flow(w, map))
        return hol__edits_add(&w->edits, offset(w, map->where) + 1, 0,
                              hol__arena_format(arena, "\"%s\": %s, ", key, text));
    if (!map->first) return 0;
    const hol_location where = {NULL, map->first->key_at.line, 1};
    const int indent = map->first->key_at.column - 1;
    const size_t at = offset(w, where);
    if (strspn(w->edits.text + at, " ") < (size_t)indent) return 0; /* not alone on its line */
    return hol__edits_add(
        &w->edits, at, 0,
        hol__arena_format(arena, "%*s%s: %s%s", indent, "", key, text, w->newline));
}

/* The sections that may get new keys, and a key in one that the file does not have. */
static const char *const growing[] = {"parameters", "simulation"};

static int insert_in_new(rewriting *w, const char *section, const char *key, const char *text) {
    const int k = strcmp(section, growing[0]) != 0;
    const char *before = w->added[k] ? w->added[k] : "";
    w->added[k] = hol__arena_format(&w->file->arena, "%s%s\"%s\": %s", before, *before ? ", " : "",
                                    key, text);
    return w->added[k] != NULL;
}

/* The new sections, as one line each; 0 without memory. */
static int insert_sections(rewriting *w) {
    hol__arena *arena = &w->file->arena;
    const size_t end = strlen(w->edits.text);
    const int flow = is_flow(w, w->root), open = end && w->edits.text[end - 1] != '\n';
    for (int k = 0, n = 0; k < 2; k++) {
        if (!w->added[k]) continue;
        const char *line =
            flow ? hol__arena_format(arena, "\"%s\": {%s}, ", growing[k], w->added[k])
                 : hol__arena_format(arena, "%s%s: {%s}%s", open && !n++ ? w->newline : "",
                                     growing[k], w->added[k], w->newline);
        if (!hol__edits_add(&w->edits, flow ? offset(w, w->root->where) + 1 : end, 0, line))
            return 0;
    }
    return 1;
}

/* Whether an included file has the key: only parameters may be defined again. */
static int is_included(const rewriting *w, const char *section, const char *key) {
    if (!hol__node_get(w->root, "include")) return 0;
    hol_spec *whole = hol_spec_new(w->quiet);
    if (whole) whole->files_below = w->spec->files_below;
    const int there = !whole ||
                      hol_spec_read_text(whole, w->spec->written, w->spec->source) != HOL_OK ||
                      hol__node_get(hol__node_get(whole->root, section), key) != NULL;
    hol_spec_free(whole);
    return there;
}

/* A value that the file does not have, where it may be added. */
static int insert(rewriting *w, change *c) {
    if (!c->section || (strcmp(c->section, growing[0]) != 0 && strcmp(c->section, growing[1]) != 0))
        return 0;
    hol__node *map = hol__node_get(w->root, c->section);
    const char *text = text_for(w, c, NULL);
    if (!text || (map && map->kind != HOL__MAP)) return 0;
    if (strcmp(c->section, growing[0]) != 0 && is_included(w, c->section, c->key)) return 0;
    if (!c->set)
        hol__report(w->spec->ctx, HOL_NOTE, HOL_OK, &c->number->where, NULL,
                    "parameter '%s' stands here; the new file overrides it", c->key);
    return map ? insert_key(w, map, c->key, text) : insert_in_new(w, c->section, c->key, text);
}

/* The path of a node, as --set takes it: bodies.rod.mass. */
static const char *path_of(const hol__node *node, hol__arena *arena) {
    const hol__node *parent = node->parent;
    if (!parent) return "";
    const char *above = path_of(parent, arena), *dot = parent->parent ? "." : "";
    if (!above) return NULL;
    return parent->kind == HOL__MAP
               ? hol__arena_format(arena, "%s%s%s", above, dot, node->key)
               : hol__arena_format(arena, "%s%s%d", above, dot, place_of(node));
}

/* Change everything; what cannot be is told, and an error where it is a parameter. */
static hol_status change_all(rewriting *w) {
    for (int i = 0; i < w->n; i++) {
        change *c = &w->changes[i];
        const hol__node *node = find(w, c);
        if (node ? replace(w, c, node) : insert(w, c)) continue;
        if (w->file->arena.failed) return HOL_ERR_MEMORY;
        if (!c->set)
            return hol__report(w->spec->ctx, HOL_ERROR, HOL_ERR_INPUT, node ? &node->where : NULL,
                               NULL,
                               "'%s' is written in a way, or in an included file, that cannot be "
                               "replaced in its place; write it as 'name: 1.5' or 'name: 150 mm' "
                               "in the section `parameters`",
                               c->name);
        const char *path = path_of(c->set, &w->file->arena);
        hol__warn(
            w->spec->ctx, node ? &node->where : NULL, NULL,
            "'%s' was set to '%s' by %s, which is not in the new file; write it there by hand",
            path ? path : c->key, c->text, c->set->where.file);
        c->text = NULL;
    }
    return insert_sections(w) ? HOL_OK : HOL_ERR_MEMORY;
}

/* ---- the whole ---- */

/* A file by itself as a tree; NULL after an error. */
static hol__node *parse(hol_spec *file, const char *text, const char *name) {
    int n_nodes = 0;
    return hol__yaml_parse(file, text, strlen(text), name, &model_file, &n_nodes);
}

/* Whether the new text says what it is to say. */
static hol_status check(rewriting *w, const char *text) {
    hol__node *root = parse(w->file, text, w->spec->source);
    w->root = root;
    for (int i = 0; root && i < w->n; i++) {
        const hol__node *node = w->changes[i].text ? find(w, &w->changes[i]) : NULL;
        if (!w->changes[i].text || (node && node->kind == HOL__SCALAR &&
                                    (w->changes[i].set ? strcmp(node->text, w->changes[i].text) == 0
                                                       : means(node->text, w->changes[i].value))))
            continue;
        root = NULL;
    }
    if (root) return HOL_OK;
    return hol__report(w->spec->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, w->spec->source,
                       "the values cannot be replaced in their places; write each parameter on a "
                       "line of its own");
}

static hol_status rewrite(rewriting *w, int n, const char *const *parameters, const double *values,
                          hol__text *out) {
    const hol_spec *spec = w->spec;
    w->edits = (hol__edits){.arena = &w->file->arena, .text = spec->written};
    w->newline = strstr(spec->written, "\r\n") ? "\r\n" : "\n";
    w->root = parse(w->file, spec->written, spec->source);
    if (!w->root) {
        hol__context_take_messages(spec->ctx, w->quiet);
        return HOL_ERR_INPUT;
    }
    for (int i = 0; i < n; i++) {
        change *c = add_change(w);
        if (!c) return HOL_ERR_MEMORY;
        const hol__node *number = hol__path_value(NULL, spec, parameters[i]);
        const hol__node *section = number->parent;
        *c = (change){.number = number,
                      .section = section && section->parent == spec->root ? section->key : NULL,
                      .key = number->key,
                      .name = parameters[i],
                      .value = values[i]};
    }
    if (!gather(w, spec->root, 0)) return HOL_ERR_MEMORY;
    hol_status status = change_all(w);
    if (status) return status;
    hol__edits_apply(&w->edits, out);
    if (out->failed || w->file->arena.failed) return HOL_ERR_MEMORY;
    return check(w, out->data ? out->data : "");
}

/* That of a description which no file was read into. */
static char *plain_text(const hol_spec *spec, int n, const char *const *parameters,
                        const double *values) {
    hol_spec *copy = hol_spec_copy(spec->ctx, spec);
    char *text = NULL, buf[HOL__NUMBER_SIZE];
    hol_status status = copy ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < n && !status; i++)
        status = hol_spec_set(copy, parameters[i], hol__number_text(values[i], buf), "rewrite");
    if (!status) text = hol_spec_text(copy);
    hol_spec_free(copy);
    return text;
}

char *hol_spec_rewrite(const hol_spec *spec, int n, const char *const *parameters,
                       const double *values) {
    static const char call[] = "hol_spec_rewrite";
    if (!spec || !hol__spec_is_whole(spec->ctx, call, spec) ||
        (n && (hol__need(spec->ctx, call, "the parameters", parameters) ||
               hol__need(spec->ctx, call, "the values", values))))
        return NULL;
    for (int i = 0; i < n; i++) {
        const hol__node *at = parameters[i] ? hol__path_value(NULL, spec, parameters[i]) : NULL;
        if (at && at->kind == HOL__SCALAR && isfinite(values[i])) continue;
        hol__report(spec->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                    "'%s' is neither a parameter nor the path of a number of the model, or its "
                    "value is not finite",
                    parameters[i] ? parameters[i] : "");
        return NULL;
    }
    if (!spec->written) return plain_text(spec, n, parameters, values);
    rewriting w = {.spec = spec, .quiet = hol__context_like(spec->ctx)};
    hol__text out;
    hol__text_init(&out, spec->ctx);
    w.file = w.quiet ? hol_spec_new(w.quiet) : NULL;
    hol_status status = w.file ? rewrite(&w, n, parameters, values, &out) : HOL_ERR_MEMORY;
    char *text = status ? NULL : hol__text_take(&out);
    hol__text_free(&out);
    hol_spec_free(w.file);
    hol_context_free(w.quiet);
    return text;
}
