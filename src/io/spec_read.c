/* spec_read.c: model files: read, checked to be text, included files merged.
 *
 * `include: other.yaml` (or a list) at the top of a file brings in the sections of other files,
 * sought beside the file that includes them. As all files that a model names they lie below one
 * folder (hol_spec_set_include_root). Included files are merged first, in order, then the file
 * itself on top:
 *   map + map                 merged key by key
 *   anything else twice       an error that names both places, except
 *   parameters                where the including file overrides what it includes
 *   holonom                   the version of the format: must agree; that of an included file is
 *                             dropped
 * A file that is reached on two ways is read once. A file that includes itself through others is an
 * error.
 */
#define _XOPEN_SOURCE 700
#include "base/argument.h"
#include "io/yaml.h"
#include "io/input.h"
#include "io/mesh_file.h"
#include "base/text.h"
#include "common/utf8.h"

#include <holonom/model.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One file on the way from the root file down to an include. */
typedef struct chain {
    const struct chain *from;
    const char *path;
    struct stat id;
    int known; /* id is valid */
    int depth;
} chain;

typedef struct seen {
    struct seen *next;
    struct stat id;
} seen;

typedef struct loader {
    hol_spec *spec;
    int n_nodes;
    seen *files; /* included so far */
} loader;

/* ---- sorted children ---- */

/* Order by key, then by place. */
static int by_key(const void *a, const void *b) {
    const hol__node *p = *(hol__node *const *)a, *q = *(hol__node *const *)b;
    const int order = strcmp(p->key, q->key);
    if (order) return order;
    if (p->key_at.line != q->key_at.line) return p->key_at.line < q->key_at.line ? -1 : 1;
    return (p->key_at.column > q->key_at.column) - (p->key_at.column < q->key_at.column);
}

hol__node **hol__node_sorted(const hol__node *map) {
    hol__node **sorted = hol__alloc(map->spec->ctx, (size_t)map->count, sizeof *sorted);
    int n = 0;
    for (hol__node *child = map->first; sorted && child; child = child->next) sorted[n++] = child;
    if (sorted) qsort(sorted, (size_t)n, sizeof *sorted, by_key);
    return sorted;
}

/* The node with that key among n sorted ones, or NULL. */
static hol__node *find_sorted(hol__node *const *sorted, int n, const char *key) {
    int low = 0, high = n;
    while (low < high) {
        const int mid = low + (high - low) / 2, order = strcmp(key, sorted[mid]->key);
        if (order == 0) return sorted[mid];
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

/* ---- merging ---- */

/* What a key that both sides have means. */
typedef enum merge_rule { MERGE_STRICT, MERGE_OVERRIDE } merge_rule;

static int merge(hol__node *into, hol__node *from, merge_rule parameters, merge_rule rule);

/* Merge two nodes of the same key; the number of errors. */
static int merge_pair(hol__node *old, hol__node *node, merge_rule parameters, merge_rule rule) {
    const int at_top = !old->parent->parent;
    const merge_rule below = at_top && strcmp(old->key, "parameters") == 0 ? parameters : rule;
    if (node->kind == HOL__NULL && old->kind == HOL__MAP && at_top) return 0;
    if (old->kind == HOL__MAP && node->kind == HOL__MAP) return merge(old, node, parameters, below);
    if (rule == MERGE_OVERRIDE || (at_top && old->kind == HOL__NULL)) {
        hol__node_replace(old, node);
        return 0;
    }
    const hol_location *at = &old->key_at;
    const int is_version = at_top && strcmp(node->key, "holonom") == 0;
    if (is_version && old->kind == HOL__SCALAR && node->kind == HOL__SCALAR &&
        strcmp(old->text, node->text) == 0)
        return 0;
    hol__error(node->spec->ctx, &node->key_at, NULL, "'%s' is %s at %s:%d:%d", node->key,
               is_version ? "not the same as" : "already defined", at->file, at->line, at->column);
    return 1;
}

/* Move all children of `from` into the map `into`; the number of errors. */
static int merge(hol__node *into, hol__node *from, merge_rule parameters, merge_rule rule) {
    const int n = into->count;
    int errors = 0;
    hol__node **sorted = hol__node_sorted(into);
    if (!sorted) return 1;
    for (hol__node *child = from->first, *next; child; child = next) {
        next = child->next;
        hol__node *old = find_sorted(sorted, n, child->key);
        if (old)
            errors += merge_pair(old, child, parameters, rule);
        else
            hol__node_append(into, child);
    }
    hol__release(into->spec->ctx, sorted);
    return errors;
}

/* ---- files as text ---- */

/* What all files together may hold that a description names: a hundred shapes may name one mesh. */
enum { MOST_BYTES = 128 << 20 };

/* A file that the description names as text; 0 after an error. */
static int read_text(hol_spec *spec, const char *path, const hol_location *asked, hol__text *text) {
    const hol__input input = {.path = path,
                              .asked = asked,
                              .below = spec->files_below,
                              .most = HOL__YAML_SIZE,
                              .what = "model file"};
    if (hol__input_read(spec->ctx, &input, text)) return 0;
    spec->files_bytes += text->length;
    return 1;
}

/* Whether one more file may be named at a place; reports it where not. */
static int may_name_more(hol_spec *spec, const hol_location *asked) {
    if (spec->files_bytes <= MOST_BYTES) return 1;
    hol__error(spec->ctx, asked, NULL,
               "the files that the model names hold more than %d MB together, counted as often as "
               "they are named; reduce meshes and tables",
               MOST_BYTES >> 20);
    return 0;
}

/* ---- the folder below which files are read ---- */

/* Take the folder of the file at path for it, where the caller has chosen none. One that does not
 * exist holds no files. */
static int choose_folder(hol_spec *spec, const char *path) {
    const char *slash = strrchr(path, '/');
    if (spec->files_below) return 1;
    char *name = slash ? hol__arena_text_n(&spec->arena, path, (size_t)(slash + 1 - path)) : ".";
    char *resolved = name ? realpath(name, NULL) : NULL;
    spec->files_below = resolved ? hol__arena_text(&spec->arena, resolved) : "";
    free(resolved);
    return name && spec->files_below;
}

hol_status hol_spec_set_include_root(hol_spec *spec, const char *folder) {
    if (!spec) return HOL_ERR_ARGUMENT;
    if (hol__need(spec->ctx, "hol_spec_set_include_root", "the folder", folder))
        return hol__spec_fail(spec, HOL_ERR_ARGUMENT);
    const hol_location where = {folder, 0, 0};
    char *resolved = *folder ? realpath(folder, NULL) : NULL;
    if (*folder && !resolved)
        return hol__spec_fail(spec,
                              hol__report(spec->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL,
                                          "there is no such folder: %s", strerror(errno)));
    spec->files_below = hol__arena_text(&spec->arena, resolved ? resolved : "");
    free(resolved);
    return spec->files_below ? HOL_OK : hol__spec_fail(spec, HOL_ERR_MEMORY);
}

/* ---- characters ---- */

int hol__yaml_check(hol_spec *spec, const char *text, size_t length, const char *file) {
    const char *end = text + length;
    hol_location where = {file, 1, 1};
    if (length >= 2 &&
        ((text[0] == '\xFF' && text[1] == '\xFE') || (text[0] == '\xFE' && text[1] == '\xFF'))) {
        hol__error(spec->ctx, &where, NULL, "the file is UTF-16; save it as UTF-8");
        return 0;
    }
    if (length >= 4 && memcmp(text, "\x89HDF", 4) == 0) {
        hol__error(spec->ctx, &where, NULL,
                   "this is an HDF5 file, such as the results of a run, and no model: give the "
                   "model file");
        return 0;
    }
    for (int n; text < end; text += n) {
        unsigned code;
        n = hol__utf8_decode(text, end, &code);
        if (n == 0) {
            hol__error(spec->ctx, &where, NULL,
                       "this is not UTF-8 text (byte 0x%02X); is it a model file?",
                       (unsigned char)*text);
            return 0;
        }
        if (!hol__utf8_printable(code) || code == 0xFEFF) {
            hol__error(spec->ctx, &where, NULL, "the character U+%04X cannot stand in a model file",
                       code);
            return 0;
        }
        where.column++;
        if (code == '\n' || (code == '\r' && (text + 1 == end || text[1] != '\n')))
            where = (hol_location){file, where.line + 1, 1};
    }
    return 1;
}

/* Check the characters and parse; the text goes to the description where it is the root file. */
static hol__node *parse(loader *load, const char *text, size_t length, const char *path,
                        int is_root) {
    static const hol__yaml_kind model_file = {"model file", "bodies"};
    hol_spec *spec = load->spec;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3, length -= 3;
    if (length > HOL__YAML_SIZE) {
        const hol__input input = {.path = path};
        hol__input_fail(spec->ctx, &input,
                        "it is larger than 64 MB, the most that is read of a model file");
        return NULL;
    }
    if (!hol__yaml_check(spec, text, length, path)) return NULL;
    if (is_root) spec->text = spec->written = hol__arena_text_n(&spec->arena, text, length);
    if (is_root && !spec->text) return NULL;
    return hol__yaml_parse(spec, text, length, path, &model_file, &load->n_nodes);
}

/* ---- includes ---- */

/* Whether two names lead to one file. */
static int same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Add "a -> b -> c" from the root file down to `link`, from the place where `start` is reached. */
static void put_chain(hol__text *out, const chain *link, const chain *start) {
    if (link != start && link->from) put_chain(out, link->from, start);
    hol__text_add(out, "%s -> ", link->path);
}

/* Whether the file is on the way that led here, which is a cycle, or the way is too long; reports
 * it. */
static int check_chain(loader *load, const chain *link, const hol_location *asked) {
    hol_spec *spec = load->spec;
    if (link->depth > HOL__YAML_INCLUDES) {
        hol__error(spec->ctx, asked, NULL, "files include each other more than %d deep",
                   HOL__YAML_INCLUDES);
        return 0;
    }
    for (const chain *up = link->from; up; up = up->from) {
        if (!up->known || !link->known || !same_file(&up->id, &link->id)) continue;
        hol__text names;
        hol__text_init(&names, spec->ctx);
        put_chain(&names, link->from, up);
        hol__error(spec->ctx, asked, NULL, "files include each other in a circle: %s%s",
                   names.data ? names.data : "", link->path);
        hol__text_free(&names);
        return 0;
    }
    return 1;
}

/* Whether the file was included before; remembers it. -1 without memory. */
static int seen_before(loader *load, const chain *link) {
    if (!link->known) return 0;
    for (const seen *file = load->files; file; file = file->next)
        if (same_file(&file->id, &link->id)) return 1;
    seen *file = HOL__NEW(&load->spec->arena, seen);
    if (!file) return -1;
    file->id = link->id;
    file->next = load->files;
    load->files = file;
    return 0;
}

/* name beside the file at path, in the arena. */
static char *beside(hol__arena *arena, const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    if (name[0] == '/' || !slash) return hol__arena_text(arena, name);
    return hol__arena_format(arena, "%.*s%s", (int)(slash + 1 - path), path, name);
}

static int merge_includes(loader *load, hol__node *root, const chain *link);

/* Read one included file with its own includes and merge it into `into`; the number of errors. */
static int include_one(loader *load, const hol__node *name, hol__node *into, const chain *from) {
    hol_spec *spec = load->spec;
    if (name->kind != HOL__SCALAR) {
        hol__error(spec->ctx, &name->where, NULL,
                   "include wants the name of a file or a list of names, not %s",
                   hol__node_kind_name(name));
        return 1;
    }
    chain link = {from, beside(&spec->arena, from->path, name->text), {0}, 0, from->depth + 1};
    if (!link.path) return 1;
    link.known = stat(link.path, &link.id) == 0;
    if (!check_chain(load, &link, &name->where)) return 1;
    const int again = seen_before(load, &link);
    if (again) return again < 0;
    hol__text text;
    hol__text_init(&text, spec->ctx);
    hol__node *root = read_text(spec, link.path, &name->where, &text)
                          ? parse(load, text.data ? text.data : "", text.length, link.path, 0)
                          : NULL;
    hol__text_free(&text);
    if (!root) return 1;
    const int errors = merge_includes(load, root, &link);
    return errors + merge(into, root, MERGE_STRICT, MERGE_STRICT);
}

/* Replace the tree of a file by its includes with the file itself on top; the number of errors. */
static int merge_includes(loader *load, hol__node *root, const chain *link) {
    hol_spec *spec = load->spec;
    hol__node *include = hol__node_get(root, "include");
    if (!include) return 0;
    hol__node *all = hol__node_add(spec, NULL, NULL, HOL__MAP);
    if (!all) return 1;
    int errors = 0;
    hol__node_remove(include);
    if (include->kind == HOL__LIST)
        for (const hol__node *name = include->first; name; name = name->next)
            errors += include_one(load, name, all, link);
    else
        errors += include_one(load, include, all, link);
    const hol__node *version = hol__node_get(root, "holonom");
    errors += merge(all, root, MERGE_OVERRIDE, MERGE_STRICT);
    hol__node *inherited = hol__node_get(all, "holonom");
    if (inherited && !version) hol__node_remove(inherited);
    const hol_location where = root->where;
    hol__node_replace(root, all);
    root->where = where;
    return errors;
}

/* ---- tables ---- */

/* The data of the files that tables name, each beside the file in which it is named; the number of
 * errors, and in *read of files. */
static int read_tables(hol_spec *spec, const hol__node *root, int *read) {
    const hol__node *section = hol__node_get(root, "tables");
    int errors = 0;
    for (hol__node *table = section && section->kind == HOL__MAP ? section->first : NULL; table;
         table = table->next) {
        const hol__node *name = table->kind == HOL__MAP ? hol__node_get(table, "file") : NULL;
        if (!name || name->kind != HOL__SCALAR) continue;
        if (!may_name_more(spec, &name->where)) return errors + 1;
        const char *path = beside(&spec->arena, name->where.file, name->text);
        if (!path || !hol__table_file(spec, table, path, read_text)) errors++;
        ++*read;
    }
    return errors;
}

/* ---- meshes ---- */

/* The mesh of a shape that names a file, which stands beside the file of the shape; the number of
 * errors, and in *read of files. */
static int read_mesh(hol_spec *spec, hol__node *shape, int *read) {
    const hol__node *file = shape->kind == HOL__MAP ? hol__node_get(shape, "file") : NULL;
    if (!file || file->kind != HOL__SCALAR) return 0;
    if (!may_name_more(spec, &file->where)) return 1;
    const char *path = beside(&spec->arena, file->where.file, file->text);
    ++*read;
    return !path || !hol__mesh_file(spec, shape, path, read_text);
}

int hol__spec_read_meshes(hol_spec *spec, const hol__node *root, int *read) {
    const hol__node *bodies = hol__node_get(root, "bodies");
    int errors = 0;
    for (hol__node *body = bodies && bodies->kind == HOL__MAP ? bodies->first : NULL; body;
         body = body->next) {
        hol__node *draw = body->kind == HOL__MAP ? hol__node_get(body, "draw") : NULL;
        if (!draw) continue;
        if (draw->kind == HOL__MAP) errors += read_mesh(spec, draw, read);
        for (hol__node *one = draw->kind == HOL__LIST ? draw->first : NULL; one; one = one->next)
            errors += read_mesh(spec, one, read);
    }
    return errors;
}

/* ---- public ---- */

/* Whether the description is still empty; reports it otherwise. */
static int check_empty(hol_spec *spec) {
    if (spec->root->count == 0 && !spec->text) return 1;
    hol__report(spec->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                "a model file can only be read into an empty description");
    return 0;
}

/* Parse the root file, merge its includes and take the tree over. */
static hol_status read_root(hol_spec *spec, const char *text, size_t length, const char *path) {
    loader load = {.spec = spec};
    chain link = {.path = path};
    link.known = stat(path, &link.id) == 0;
    hol__node *root = parse(&load, text, length, path, 1);
    const int whole = root && !hol__node_get(root, "include");
    if (!root || merge_includes(&load, root, &link) > 0) return HOL_ERR_INPUT;
    int files = 0;
    if (read_tables(spec, root, &files) || hol__spec_read_meshes(spec, root, &files))
        return HOL_ERR_INPUT;
    spec->root = root;
    if (!whole || files) spec->text = NULL; /* the root file alone does not say what it is */
    return HOL_OK;
}

/* The status of the first error after n messages, so that a missing file is told from a wrong
 * one. */
static hol_status first_status(const hol_context *ctx, int n, hol_status fallback) {
    const int now = hol_message_count(ctx);
    for (int i = n; i < now; i++) {
        const hol_message *message = hol_message_get(ctx, i);
        if (message->severity == HOL_ERROR && message->status) return message->status;
    }
    return fallback;
}

/* The common end of the two calls: name the source, and mark the description when it failed. */
static hol_status read_named(hol_spec *spec, const char *text, size_t length, const char *name,
                             int n_messages) {
    const char *path = hol__arena_text(&spec->arena, name);
    hol_status status = HOL_ERR_MEMORY;
    if (path && choose_folder(spec, path)) {
        spec->source = path;
        status = read_root(spec, text, length, path);
    }
    if (!status) return HOL_OK;
    spec->failed = 1;
    return first_status(spec->ctx, n_messages, status);
}

hol_status hol_spec_read_text(hol_spec *spec, const char *text, const char *name) {
    if (!spec || hol__need(spec->ctx, "hol_spec_read_text", "the text", text))
        return HOL_ERR_ARGUMENT;
    const int n = hol_message_count(spec->ctx);
    if (!check_empty(spec)) return HOL_ERR_ARGUMENT;
    return read_named(spec, text, strlen(text), name && *name ? name : "text", n);
}

hol_status hol_spec_read_file(hol_spec *spec, const char *path) {
    if (!spec || hol__need(spec->ctx, "hol_spec_read_file", "the path", path))
        return HOL_ERR_ARGUMENT;
    const int n = hol_message_count(spec->ctx);
    hol__text text;
    if (!check_empty(spec)) return HOL_ERR_ARGUMENT;
    hol__text_init(&text, spec->ctx);
    hol_status status;
    const hol__input input = {
        .path = path, .pipes = 1, .most = HOL__YAML_SIZE, .what = "model file"};
    if (hol__input_read(spec->ctx, &input, &text) == HOL_OK)
        status = read_named(spec, text.data ? text.data : "", text.length, path, n);
    else {
        spec->failed = 1;
        status = first_status(spec->ctx, n, text.failed ? HOL_ERR_MEMORY : HOL_ERR_IO);
    }
    hol__text_free(&text);
    return status;
}

hol_model *hol_model_from_file(hol_context *ctx, const char *path, hol_options **options) {
    hol_spec *spec = hol_spec_new(ctx);
    hol_model *model = NULL;
    if (options) *options = NULL;
    if (spec && hol_spec_read_file(spec, path) == HOL_OK)
        model = hol_model_from_spec(ctx, spec, options);
    hol_spec_free(spec);
    return model;
}
