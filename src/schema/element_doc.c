/* element_doc.c: the tables of elements and keys for readers: lists, help, and an example of each
 * element that runs.
 *
 * The example of an element type is a few lines of its section. They stand in a small frame:
 * gravity, a body `rod` from the origin to x = 1, and, unless the example is a joint itself, a
 * revolute joint `A` between ground and the rod at the origin. The frame is planar where the
 * element exists in the plane, else spatial. An example that needs more begins with `holonom:` and
 * is a whole model file by itself.
 */
#include "base/argument.h"
#include "compile/compile.h"
#include "element/measures.h"
#include "schema/schema_doc.h"

#include "base/give.h"
#include "base/text.h"

#include <string.h>

const char *hol__element_unit(const hol__element_type *type) {
    return type->units ? type->units : type->unit ? type->unit : "";
}

hol_status hol_element_get(int i, hol_element_doc *out) {
    const hol__element_type *type = i < 0 ? NULL : hol__element_type_get(i);
    if (!type) return HOL_ERR_ARGUMENT;
    const hol_element_doc doc = {
        .section = type->section,
        .name = type->name,
        .title = type->title,
        .equations = type->equations,
        .example = type->example,
        .planar = (type->spaces & HOL__IN_PLANE) != 0,
        .spatial = (type->spaces & HOL__IN_SPACE) != 0,
        .unit = hol__element_unit(type),
    };
    return hol__give(NULL, "hol_element_get", &doc, sizeof doc, out);
}

/* ---- keys ---- */

unsigned hol__key_spaces(const hol__key *key, unsigned spaces) {
    const unsigned only = key->flags & (HOL__IN_PLANE | HOL__IN_SPACE);
    return only ? only & spaces : spaces;
}

/* The keys of an element or a section and where it exists; NULL when there is no such thing. */
static const hol__key *keys_of(const char *section, const char *element, unsigned *spaces) {
    *spaces = HOL__IN_PLANE | HOL__IN_SPACE;
    if (!section || !section[0]) return hol__root_keys;
    if (element) {
        const hol__element_type *type = hol__element_type_find(section, element);
        if (type) *spaces = type->spaces;
        return type ? type->keys : NULL;
    }
    const hol__key *plain = hol__section_keys(section);
    if (plain) return plain;
    for (int i = 0; hol__element_type_get(i); i++)
        if (strcmp(hol__element_type_get(i)->section, section) == 0)
            return hol__common_keys(section);
    return NULL;
}

hol_status hol_element_key(const char *section, const char *element, int i, hol_key_doc *out) {
    unsigned spaces;
    const hol__key *key = i < 0 ? NULL : keys_of(section, element, &spaces);
    while (key && key->name && i-- > 0) key++;
    if (!key || !key->name) return HOL_ERR_ARGUMENT;
    spaces = hol__key_spaces(key, spaces);
    const hol_key_doc doc = {
        .name = key->name,
        .kind = hol__key_kind_name(key->kind),
        .unit = key->unit ? key->unit : "",
        .initial = key->initial,
        .doc = key->doc,
        .choices = key->choices,
        .planar = (spaces & HOL__IN_PLANE) != 0,
        .spatial = (spaces & HOL__IN_SPACE) != 0,
    };
    return hol__give(NULL, "hol_element_key", &doc, sizeof doc, out);
}

/* ---- quantities ---- */

const hol__quantity *hol__quantity_row(const hol__element_type *type, int i) {
    const hol__quantity *const tables[2] = {
        type->quantities, strcmp(type->section, "forces") == 0   ? hol__force_quantities
                          : strcmp(type->section, "joints") == 0 ? hol__joint_quantities
                                                                 : NULL};
    for (int t = 0; t < 2; t++)
        for (const hol__quantity *row = tables[t]; row && row->name; row++)
            if (i-- == 0) return row;
    return NULL;
}

hol_status hol_element_quantity(const char *section, const char *element, int i,
                                hol_quantity_doc *out) {
    const hol__element_type *type =
        section && element ? hol__element_type_find(section, element) : NULL;
    const hol__quantity *row = type && i >= 0 ? hol__quantity_row(type, i) : NULL;
    if (!row) return HOL_ERR_ARGUMENT;
    const hol_quantity_doc doc = {
        .name = row->name,
        .unit = row->unit,
        .turn = row->turn ? row->turn : "",
        .vector = row->shape != HOL__TELLS_NUMBER,
        .doc = row->doc,
    };
    return hol__give(NULL, "hol_element_quantity", &doc, sizeof doc, out);
}

/* ---- examples ---- */

void hol__example_frame(hol__text *text, const char *name, int planar, int with_joint) {
    hol__text_add(text,
                  "holonom: 1\nname: %s\nspace: %s\ngravity: %s\nbodies:\n  rod: {mass: 1.2, "
                  "inertia: %s, along: %s}\n",
                  name, planar ? "planar" : "spatial", planar ? "[0, -9.81]" : "[0, 0, -9.81]",
                  planar ? "0.1" : "[0.002, 0.1, 0.1]",
                  planar ? "[[0, 0], [1, 0]]" : "[[0, 0, 0], [1, 0, 0]]");
    hol__text_add(text, "joints:\n");
    if (with_joint)
        hol__text_add(text, "  A: {type: revolute, bodies: [ground, rod], at: %s}\n",
                      planar ? "[0, 0]" : "[0, 0, 0], axis: [0, 1, 0]");
}

char *hol_element_example(hol_context *ctx, const char *section, const char *name) {
    static const char call[] = "hol_element_example";
    if (!ctx || hol__need(ctx, call, "the section", section) ||
        hol__need(ctx, call, "the name", name))
        return NULL;
    const hol__element_type *type = hol__element_type_find(section, name);
    if (!type) {
        hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                    "there is no element '%s' in '%s'", name, section);
        return NULL;
    }
    if (strncmp(type->example, "holonom:", 8) == 0) return hol__copy_text(ctx, type->example);
    const int is_joint = strcmp(section, "joints") == 0;
    hol__text text;
    hol__text_init(&text, ctx);
    hol__example_frame(&text, type->name, (type->spaces & HOL__IN_PLANE) != 0, !is_joint);
    if (!is_joint) hol__text_add(&text, "%s:\n", section);
    hol__text_add(&text, "%s\nsimulation: {end: 0.1}\n", type->example);
    return hol__text_take(&text);
}

/* ---- sections with types ---- */

static const char *const typed[][2] = {
    {"joints", "joint"}, {"forces", "force"}, {"measures", "measure"}, {NULL, NULL}};

const char *hol__typed_section(int i) {
    return typed[i][0];
}

const char *hol__typed_item(int i) {
    return typed[i][1];
}
