/* import.c: a robot description from its file to a description and a list. */
#define _XOPEN_SOURCE 700
#include "exchange/import.h"

#include "base/argument.h"
#include "io/input.h"
#include "io/out_file.h"
#include "io/yaml.h"
#include "model/node.h"

#include <stdlib.h>
#include <string.h>

/* ---- which format ---- */

typedef struct format {
    const char *name, *title, *root;
    void (*read)(hol_import *im);
} format;

static const format formats[] = {{"urdf", "URDF", "robot", hol__import_urdf},
                                 {"mjcf", "MJCF", "mujoco", hol__import_mjcf},
                                 {"sdf", "SDFormat", "sdf", hol__import_sdf}};

enum { N_FORMATS = sizeof formats / sizeof *formats };

/* Whether an element is one of xacro's own words; a call of a macro that was left over is none. */
static int is_word_of_xacro(const hol__xml *element) {
    static const char *const words[] = {"include", "macro", "property", "arg", "if", "unless"};
    if (strncmp(element->name, "xacro:", 6) != 0) return 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(element->name + 6, words[i]) == 0) return 1;
    return !hol__xml_child(element->parent, "link");
}

/* Whether the file is to be processed by xacro before it is a description. */
static int is_xacro(const hol__xml *element) {
    for (const hol__xml_attribute *a = element->attributes; a; a = a->next)
        if (strncmp(a->name, "xacro:", 6) == 0 || strstr(a->value, "${")) return 1;
    if (is_word_of_xacro(element)) return 1;
    for (const hol__xml *child = element->first; child; child = child->next)
        if (is_xacro(child)) return 1;
    return 0;
}

/* The format by what was asked for, or by the root element; NULL after an error. */
static const format *choose(hol_import *im) {
    const char *wanted = im->how.format;
    const format *found = NULL;
    for (int i = 0; i < N_FORMATS; i++)
        if (strcmp(im->root->name, formats[i].root) == 0) found = &formats[i];
    if (wanted && (!found || strcmp(found->name, wanted) != 0)) {
        hol__import_error(im, im->root, NULL, "the file was said to be %s, and its root is <%s>",
                          wanted, im->root->name);
        return NULL;
    }
    if (!found)
        hol__import_error(im, im->root, NULL,
                          "the root element is <%s>; descriptions that can be read begin with "
                          "<robot> (URDF), <mujoco> (MJCF) or <sdf> (SDFormat)",
                          im->root->name);
    else if (is_xacro(im->root)) {
        hol__import_error(im, im->root, NULL,
                          "this is a xacro file, a template; make a description of it first: xacro "
                          "%s > robot.%s",
                          im->path, found->name);
        found = NULL;
    }
    return found;
}

/* ---- order of the list ---- */

/* By file, the first one first, then by line and column; equal ones as they came. */
static int by_place(const void *a, const void *b) {
    const hol_import_note *p = a, *q = b;
    const int order =
        strcmp(p->where.file ? p->where.file : "", q->where.file ? q->where.file : "");
    if (order) return order;
    if (p->where.line != q->where.line) return p->where.line < q->where.line ? -1 : 1;
    if (p->where.column != q->where.column) return p->where.column < q->where.column ? -1 : 1;
    const int by_kind = (p->kind > q->kind) - (p->kind < q->kind);
    return by_kind ? by_kind : strcmp(p->text, q->text);
}

/* Rows that say the same are one: a file may be included several times. */
void hol__import_sort_notes(hol_import *im) {
    int n = 0;
    if (im->n_notes) qsort(im->notes, (size_t)im->n_notes, sizeof *im->notes, by_place);
    for (int i = 0; i < im->n_notes; i++) {
        const hol_import_note *a = n ? &im->notes[n - 1] : NULL, *b = &im->notes[i];
        if (a && by_place(a, b) == 0 && strcmp(a->element, b->element) == 0) continue;
        im->notes[n++] = *b;
    }
    im->n_notes = n;
}

/* ---- folders ---- */

/* The resolved folder of a file that need not be there yet; "" where there is none. */
static const char *folder_of(hol_import *im, const char *path) {
    const char *slash = strrchr(path, '/');
    char *name = slash ? hol__arena_text_n(&im->arena, path, (size_t)(slash + 1 - path)) : ".";
    char *resolved = name ? realpath(name, NULL) : NULL;
    const char *kept = resolved ? hol__arena_text(&im->arena, resolved) : "";
    free(resolved);
    return kept;
}

/* The folder above, where this one is the usual one for descriptions beside folders of meshes. */
static const char *above_usual(hol_import *im, const char *folder) {
    static const char *const usual[] = {"/urdf", "/xml", "/mjcf", "/sdf", "/robots"};
    const char *last = strrchr(folder, '/');
    for (size_t i = 0; last && last > folder && i < sizeof usual / sizeof *usual; i++)
        if (strcmp(last, usual[i]) == 0)
            return hol__arena_text_n(&im->arena, folder, (size_t)(last - folder));
    return folder;
}

/* Choose the folders; 0 after an error. */
static int choose_folders(hol_import *im) {
    const char *wanted = im->how.include_root;
    im->below = above_usual(im, folder_of(im, im->path));
    im->from = folder_of(im, im->how.output ? im->how.output : im->path);
    if (!wanted) return im->below && im->from;
    char *resolved = *wanted ? realpath(wanted, NULL) : NULL;
    const hol_location where = {wanted, 0, 0};
    if (*wanted && !resolved)
        hol__report(im->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL, "there is no such folder");
    im->below = resolved ? hol__arena_text(&im->arena, resolved) : "";
    free(resolved);
    return im->below && (!*wanted || *im->below);
}

/* ---- public ---- */

/* Sections in the order in which people read them; those that stay empty are taken out. */
static const char *const sections[] = {"parameters", "points",   "bodies",    "joints",
                                       "forces",     "measures", "simulation"};

/* Take out sections without items. */
static void tidy(hol_import *im) {
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        hol__node *node = hol__node_get(im->spec->root, sections[i]);
        if (node && !node->count) hol__node_remove(node);
    }
}

/* The tree, the format, the description; 0 after errors. */
static int read_tree(hol_import *im, const char *text, size_t length) {
    im->root = hol__xml_parse(im->ctx, &im->arena, text, length, im->path, &im->n_elements);
    const format *chosen = im->root ? choose(im) : NULL;
    if (!chosen) return 0;
    im->format = chosen->title;
    hol_item *root = hol_spec_root(im->spec);
    hol_item_number(root, "holonom", 1);
    hol_item_text(root, "name", "robot");
    hol_item_text(root, "space", "spatial");
    hol_item_vector(root, "gravity", 3, (const double[3]){0, 0, -9.81});
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        hol_spec_section(im->spec, sections[i]);
    im->root->used = 1;
    chosen->read(im);
    tidy(im);
    hol__import_sort_notes(im);
    im->text = hol_spec_text(im->spec);
    int files = 0;
    im->spec->files_below = hol__arena_text(&im->spec->arena, im->below);
    return im->text && !hol__spec_read_meshes(im->spec, im->spec->root, &files);
}

hol_import *hol__import_empty(hol_context *ctx, const char *path) {
    hol_import *im = hol__alloc(ctx, 1, sizeof *im);
    if (!im) return NULL;
    im->ctx = ctx;
    hol__arena_init(&im->arena, ctx);
    im->path = hol__arena_text(&im->arena, path);
    return im;
}

/* An import with nothing read; NULL without memory. */
static hol_import *new_import(hol_context *ctx, const char *path, const hol_import_options *how) {
    hol_import *im = hol__import_empty(ctx, path);
    if (!im) return NULL;
    if (how) memcpy(&im->how, how, how->size < sizeof im->how ? how->size : sizeof im->how);
    im->spec = hol_spec_new(ctx);
    if (im->path && im->spec) return im;
    hol_import_free(im);
    return NULL;
}

/* Whether options have a size of their own; reports it where they do not. */
static int has_size(hol_context *ctx, const hol_import_options *how) {
    if (!how || how->size > sizeof how->size) return 1;
    hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_import_read",
                "the options have size %zu; set options.size = sizeof options before the call",
                how->size);
    return 0;
}

/* The import of a text; NULL after errors. */
static hol_import *read_named(hol_context *ctx, const char *text, size_t length, const char *name,
                              const hol_import_options *how) {
    const int errors = hol_message_count_of(ctx, HOL_ERROR);
    hol_import *im = new_import(ctx, name, how);
    hol_model *model = NULL; /* what is handed out compiles */
    if (im && choose_folders(im) && read_tree(im, text, length) && !im->arena.failed &&
        !im->spec->failed && hol_message_count_of(ctx, HOL_ERROR) == errors)
        model = hol_model_compile(ctx, im->spec, NULL);
    hol_model_free(model);
    if (!model) hol_import_free(im), im = NULL;
    return im;
}

hol_import *hol_import_read_text(hol_context *ctx, const char *text, const char *name,
                                 const hol_import_options *options) {
    if (!ctx || hol__need(ctx, "hol_import_read_text", "the text", text)) return NULL;
    if (!has_size(ctx, options)) return NULL;
    return read_named(ctx, text, strlen(text), name && *name ? name : "text", options);
}

hol_import *hol_import_read(hol_context *ctx, const char *path, const hol_import_options *options) {
    if (!ctx || hol__need(ctx, "hol_import_read", "the path", path)) return NULL;
    if (!has_size(ctx, options)) return NULL;
    const hol__input input = {
        .path = path, .pipes = 1, .most = HOL__XML_SIZE, .what = "robot description"};
    hol_import *im = NULL;
    hol__text text;
    hol__text_init(&text, ctx);
    if (hol__input_read(ctx, &input, &text) == HOL_OK)
        im = read_named(ctx, text.data ? text.data : "", text.length, path, options);
    hol__text_free(&text);
    return im;
}

void hol_import_free(hol_import *import) {
    if (!import) return;
    hol_spec_free(import->spec);
    hol_free(import->ctx, import->text);
    hol__arena_free(&import->arena);
    hol__release(import->ctx, import);
}

const hol_spec *hol_import_spec(const hol_import *import) {
    return import ? import->spec : NULL;
}

char *hol_import_text(const hol_import *import) {
    if (!import) return NULL;
    int count[4] = {0};
    for (int i = 0; i < import->n_notes; i++) count[import->notes[i].kind]++;
    hol__text out;
    hol__text_init(&out, import->ctx);
    const char *slash = strrchr(import->path, '/');
    hol__text_add(&out, "# Imported from %s (%s) by holonom import.\n",
                  slash ? slash + 1 : import->path, import->format);
    hol__text_add(&out, "# %d changed, %d left out, %d unknown, %d without effect on the motion",
                  count[0], count[1], count[3], count[2]);
    hol__text_add(&out, "%s\n", count[0] + count[1] + count[3] ? ":" : ".");
    for (int i = 0; i < import->n_notes; i++) {
        const hol_import_note *n = &import->notes[i];
        if (n->kind == HOL_IMPORT_NO_EFFECT) continue;
        hol__text_add(&out, "#   line %d, %s: %s: %s\n", n->where.line, n->element,
                      hol_import_kind_name(n->kind), n->text);
    }
    hol__text_add_n(&out, import->text, strlen(import->text));
    return hol__text_take(&out);
}

hol_status hol_import_write(const hol_import *import, const char *path) {
    if (!import || hol__need(import->ctx, "hol_import_write", "the path", path))
        return HOL_ERR_ARGUMENT;
    char *text = hol_import_text(import);
    const hol__piece piece = {text, text ? strlen(text) : 0};
    const hol_status status = text ? hol__out_write(import->ctx, path, &piece, 1) : HOL_ERR_MEMORY;
    hol_free(import->ctx, text);
    return status;
}
