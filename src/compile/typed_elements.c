/* typed_elements.c: joints and forces through the table of element types. */
#include "compile/compile.h"

#include "base/text.h"
#include "common/synonyms.h"
#include "element/joints.h"
#include "model/fields.h"

#include <stdio.h>
#include <string.h>

typedef struct type_list {
    const char *section;
    unsigned space;
} type_list;

/* The i-th type name of a section that exists in the space. */
static const char *type_name(const void *list, int i) {
    const type_list *l = list;
    const hol__element_type *type;
    for (int k = 0; (type = hol__element_type_get(k)); k++)
        if (strcmp(type->section, l->section) == 0 && (type->spaces & l->space) && i-- == 0)
            return type->name;
    return NULL;
}

/* "revolute, prismatic, …" */
static void list_types(const type_list *list, char *buf, size_t size) {
    const char *name;
    buf[0] = '\0';
    for (int i = 0; (name = type_name(list, i)); i++) {
        const size_t used = strlen(buf);
        snprintf(buf + used, size - used, "%s%s", i ? ", " : "", name);
    }
}

/* The type that a word stands for by itself or as another word for it, whatever the space; in the
 * section, or where `elsewhere` in another one. NULL: none. */
static const hol__element_type *type_meant(const char *word, const char *section, int elsewhere) {
    const hol__element_type *type, *best = NULL;
    hol__near near = hol__near_start(word);
    near.distance = 1; /* no mistyped words */
    for (int k = 0; (type = hol__element_type_get(k)); k++) {
        if ((strcmp(type->section, section) == 0) == elsewhere) continue;
        const char *before = near.best;
        hol__near_try(&near, type->name);
        if (near.best != before) best = type;
    }
    return best;
}

/* Report a type that exists in the other space only: what it is here, or all there are. */
static void refuse_space(hol__build *build, hol__node *node, const hol__element_type *type,
                         const char *all) {
    const int same = strcmp(type->name, node->text) == 0, plane = build->model->dim == 2;
    const char *where = plane ? "the plane" : "space",
               *here = plane ? hol__in_plane(type->name) : NULL;
    hol__build_error(build, node, "'%s'%s%s%s does not exist in %s; %s%s%s", node->text,
                     same ? "" : " (", same ? "" : type->name, same ? "" : ")", where,
                     here ? "use '" : "one of: ", here ? here : all, here ? "'" : "");
}

/* Report a type that a section does not have, with what may be meant. */
static void refuse_type(hol__build *build, hol__node *node, const type_list *list,
                        const char *all) {
    const char *word = node->text, *near = hol__nearest(word, type_name, list),
               *advice = hol__advice(word);
    const hol__element_type *here = type_meant(word, list->section, 0),
                            *elsewhere = type_meant(word, list->section, 1);
    char hint[256];
    if (here && !(here->spaces & list->space) && !(near && hol__is_synonym(word, near))) {
        refuse_space(build, node, here, all);
        return;
    }
    /* what a force is called may be the word for what is measured of it */
    const int measured = near && strcmp(list->section, "measures") == 0;
    if (!here && elsewhere && (elsewhere->spaces & list->space) && !measured)
        snprintf(hint, sizeof hint, "; there is '%s' in %s", elsewhere->name, elsewhere->section);
    else if (!here && advice)
        snprintf(hint, sizeof hint, "; %s", advice);
    else
        hol__did_you_mean(near, hint, sizeof hint);
    const char end = hint[0] ? hint[strlen(hint) - 1] : '\0';
    hol__build_error(build, node, "there is no type '%s' in %s%s%s%s", word, list->section, hint,
                     !end         ? "; the types are: "
                     : end == '?' ? " The types are: "
                                  : ". The types are: ",
                     all);
}

const hol__element_type *hol__item_type(hol__build *build, hol__node *item, const char *section) {
    const type_list list = {section, build->model->dim == 2 ? HOL__IN_PLANE : HOL__IN_SPACE};
    hol__node *node = item->kind == HOL__MAP ? hol__node_get(item, "type") : NULL;
    const hol__element_type *type = NULL;
    char all[800];
    if (node && node->kind == HOL__SCALAR) type = hol__element_type_find(section, node->text);
    if (type && (type->spaces & list.space)) return type;
    list_types(&list, all, sizeof all);
    if (!node || node->kind != HOL__SCALAR)
        hol__build_error(build, node ? node : item, "needs a 'type', one of: %s", all);
    else
        refuse_type(build, node, &list, all);
    return NULL;
}

#define TYPE_KEY                                                                                   \
    { "type", HOL__KEY_TEXT, NULL, NULL, 0, "what it is", NULL, HOL__NO_FIELD }

#define ACTIVE_KEY                                                                                 \
    {                                                                                              \
        "active", HOL__KEY_ACTIVE, NULL, "", 0,                                                    \
            "When it acts: a condition on time and measures, such as `t < 2`, or `until` and "     \
            "`from` that become true (below). Default: always.",                                   \
            NULL, HOL__NO_FIELD                                                                    \
    }

const hol__key hol__type_key[] = {TYPE_KEY, HOL__KEY_END};

static const hol__key force_keys[] = {TYPE_KEY, ACTIVE_KEY, HOL__KEY_END};

static const hol__key joint_keys[] = {
    TYPE_KEY,
    {"cut", HOL__KEY_BOOL, NULL, "false", 0,
     "The loop is opened here. Relative coordinates: this joint stays a constraint and no "
     "coordinate follows from it; a body that no other joint leads to hangs free. Natural "
     "coordinates: its bodies share nothing here, and its rows close the loop.",
     NULL, HOL__NO_FIELD},
    {"start", HOL__KEY_MAP, NULL, "", 0,
     "The coordinates of the joint at the start, such as {angle: 30 deg, angle_rate: 2}: the "
     "bodies "
     "are moved from the drawn position until the joint has them, in every set of coordinates.",
     NULL, HOL__NO_FIELD},
    {"gains", HOL__KEY_MAP, NULL, "", 0,
     "Gains of its equations, such as {alpha: 20, beta: [15, 25]}, instead of those of the run.",
     NULL, HOL__NO_FIELD},
    ACTIVE_KEY,
    HOL__KEY_END};

static const hol__key measure_keys[] = {
    {"type", HOL__KEY_TEXT, NULL, NULL, 0, "what it is", NULL, HOL__NO_FIELD},
    {"invariant", HOL__KEY_BOOL, NULL, "false", 0,
     "The motion keeps this quantity, such as an angular momentum: braun-goldfarb holds it like "
     "the "
     "energy. A measure of velocities, with all its columns; one that the motion changes is an "
     "error of the run.",
     NULL, HOL__NO_FIELD},
    {"unit", HOL__KEY_TEXT, NULL, "", 0,
     "The unit that its columns are shown in, such as deg or mm/s: results hold converted numbers. "
     "In expressions of the model they stay in SI units. Default: the SI unit, or what `units` "
     "says.",
     NULL, HOL__NO_FIELD},
    HOL__KEY_END};

const hol__key *hol__common_keys(const char *section) {
    if (strcmp(section, "joints") == 0) return joint_keys;
    if (strcmp(section, "measures") == 0) return measure_keys;
    return strcmp(section, "forces") == 0 ? force_keys : hol__type_key;
}

void hol__item_words(const char *type, const char *word, char *buf, size_t size) {
    if (strcmp(type, word) == 0)
        snprintf(buf, size, "a %s", word);
    else
        snprintf(buf, size, "%s %s %s", hol__article(type), type, word);
}

/* The items of a section whose type is late, or those whose is not. */
static void compile_items(hol__build *build, const char *section, const char *word, int late,
                          hol__element *e, hol__node *map) {
    for (hol__node *item = map->first; item && !hol__has_enough_errors(build);
         item = item->next, e++) {
        char what[96];
        build->element = e->label;
        if (!late) e->type = hol__item_type(build, item, section);
        if (!e->type || e->type->late != late) continue;
        hol__item_words(e->type->name, word, what, sizeof what);
        const int errors = build->errors;
        build->owner = e;
        e->params = hol__params_read(build, item, e->type->keys, hol__common_keys(section),
                                     e->type->size, what);
        if (e->params && build->errors == errors) e->type->compile_element(build, e, e->params);
        build->owner = NULL;
    }
}

hol__element hol__new_element(hol__build *build, int index, const char *word, const char *name,
                              hol_location where) {
    hol__element e = {.index = index, .angle = -1, .body = {build->model->nb, build->model->nb}};
    e.name = hol__keep(build, name);
    e.label = hol__arena_format(build->arena, "%s '%s'", word, name);
    e.where = where;
    for (int i = 0; i < 2; i++)
        e.marker[i].f[0] = e.marker[i].F[0] = e.marker[i].F[4] = e.marker[i].F[8] = 1;
    return e;
}

/* The elements of a section, with room for some more: names first, so that others can refer to
 * them, then each in turn, those that refer to others last. */
static void compile_section(hol__build *build, const char *section, const char *word, int more,
                            hol__element **elements, int *count) {
    hol__node *map = hol__section(build, section);
    if (!map && !more) return;
    *elements = HOL__NEW_N(build->arena, hol__element, (map ? map->count : 0) + more);
    const hol__named kind = *elements == build->model->forces ? HOL__FORCES : HOL__JOINTS;
    if (!*elements || !map) return;
    for (hol__node *item = map->first; item; item = item->next) {
        (*elements)[*count] = hol__new_element(build, *count, word, item->key,
                                               hol__keep_location(build, item->key_at));
        hol__model_name(build->model, kind, (*elements)[*count].name, *count);
        (*count)++;
    }
    for (int late = 0; late < 2; late++) compile_items(build, section, word, late, *elements, map);
}

/* The joints that the user cuts. */
static void read_cuts(hol__build *build) {
    hol__node *map = hol__section(build, "joints");
    const hol_model *model = build->model;
    build->cut = map ? HOL__NEW_N(build->arena, unsigned char, model->n_joints + 1) : NULL;
    if (!build->cut) return;
    int k = 0;
    for (hol__node *item = map->first; item; item = item->next, k++) {
        build->element = model->joints[k].label;
        if (model->joints[k].type)
            build->cut[k] = hol__read_bool(build, item, joint_keys, "cut") != 0;
        model->joints[k].cut = build->cut[k];
    }
}

/* How many joints have values at the start. */
static int count_starts(hol__build *build) {
    hol__node *map = hol__node_get(build->spec->root, "joints");
    int n = 0;
    for (hol__node *item = map && map->kind == HOL__MAP ? map->first : NULL; item;
         item = item->next)
        n += item->kind == HOL__MAP && hol__node_get(item, "start") != NULL;
    return n;
}

/* The key `start` of a joint; NULL after an error. */
static const hol__start_params *read_start(hol__build *build, hol__node *start) {
    const int errors = build->errors;
    if (start->kind != HOL__MAP) {
        hol__build_error(build, start, "expected values such as {angle: 30 deg, angle_rate: 2}");
        return NULL;
    }
    const void *params = hol__params_read(build, start, hol__start_keys, NULL,
                                          sizeof(hol__start_params), "the start of a joint");
    return build->errors > errors ? NULL : params;
}

/* The values of joints at the start; rows for them in a model for assembly. */
static void compile_starts(hol__build *build) {
    hol__node *map = hol__section(build, "joints");
    hol_model *model = build->model;
    int k = 0;
    for (hol__node *item = map ? map->first : NULL; item; item = item->next, k++) {
        hol__node *start = item->kind == HOL__MAP ? hol__node_get(item, "start") : NULL;
        hol__element *joint = &model->joints[k], *rows = NULL;
        if (!start || !joint->type) continue;
        build->element = joint->label;
        const hol__start_params *params = read_start(build, start);
        if (!params) continue;
        if (build->assembly) {
            rows = &model->joints[model->n_joints];
            *rows = hol__new_element(build, model->n_joints++, "start of joint", joint->name,
                                     hol__keep_location(build, start->where));
            rows->type = joint->type;
            rows->start = 1;
        }
        hol__joint_start(build, joint, params, rows);
    }
}

void hol__compile_joints(hol__build *build) {
    build->n_starts = count_starts(build);
    const int more = hol__count_body_joints(build) + (build->assembly ? build->n_starts : 0);
    compile_section(build, "joints", "joint", more, &build->model->joints, &build->model->n_joints);
    if (!build->model->joints) return;
    if (more) hol__compile_body_joints(build);
    if (build->n_starts) compile_starts(build);
    hol__compile_joint_gains(build);
    read_cuts(build);
}

/* The measures that a law of a force reads are live, and the force knows them. */
static void on_force_law(hol__build *build, const hol__expr *e, const hol__node *node) {
    hol__element *force = build->owner;
    hol__use_measures(build, e, node);
    for (int j = 0, input; (input = hol__expr_read(e, j)) >= 0; j++) {
        const int column = input - 1; /* input 0 is the time */
        int known = column < 0 || column >= build->model->n_columns;
        for (int k = 0; k < force->n_reads; k++) known |= force->reads[k] == column;
        if (known) continue;
        force->reads =
            hol__arena_append(build->arena, force->reads, sizeof(int), force->n_reads, 1);
        if (!force->reads) force->n_reads = 0;
        if (force->reads) force->reads[force->n_reads++] = column;
    }
}

void hol__compile_forces(hol__build *build) {
    build->on_law = on_force_law;
    compile_section(build, "forces", "force", 0, &build->model->forces, &build->model->n_forces);
    build->on_law = NULL;
}
