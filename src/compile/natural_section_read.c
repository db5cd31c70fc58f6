/* natural_section_read.c: reading the section `natural`: marks, rods, elements, distances. */
#include "compile/natural_section.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- marks ---- */

static const char *mark_name(const void *self, int i) {
    const hol__natural_section *all = self;
    return i < all->n_marks ? all->marks[i].name : NULL;
}

static int find_mark(const hol__natural_section *all, const char *name) {
    for (int i = 0; i < all->n_marks; i++)
        if (strcmp(all->marks[i].name, name) == 0) return i;
    return -1;
}

/* A part of the section as a map; NULL when it is absent or (reported) something else. */
static hol__node *sub_map(hol__natural_section *all, const char *name) {
    hol__node *node = hol__node_get(all->section, name);
    all->build->element = "natural";
    if (!node || node->kind == HOL__NULL) return NULL;
    if (node->kind == HOL__MAP) return node;
    char hint[160];
    hol__build_error(all->build, node, "'%s' is a map of names, found %s%s", name,
                     hol__node_kind_name(node), hol__unlist(node, hint, sizeof hint));
    return NULL;
}

/* All points of the section `points`, and all vectors; only vectors are read, for a point may be
 * meant for something else. */
static void list_marks(hol__natural_section *all) {
    hol__build *build = all->build;
    hol__node *points = build->points, *vectors = sub_map(all, "vectors");
    if (build->model->dim == 2) vectors = NULL;
    const int n = (points ? points->count : 0) + (vectors ? vectors->count : 0);
    all->marks = HOL__NEW_N(&all->spec->arena, hol__mark, n + 1);
    if (!all->marks) return;
    for (hol__node *node = points ? points->first : NULL; node; node = node->next)
        all->marks[all->n_marks++] = (hol__mark){.name = node->key, .node = node};
    for (hol__node *node = vectors ? vectors->first : NULL; node; node = node->next) {
        const hol__key row[] = {{node->key, HOL__KEY_DIRECTION, "", "", 0, "", NULL, HOL__NO_FIELD},
                                HOL__KEY_END};
        if (find_mark(all, node->key) >= 0) {
            build->errors++;
            hol__error(build->ctx, &node->key_at, "natural",
                       "'%s' is a point already; choose another name for the vector", node->key);
        }
        hol__mark *mark = &all->marks[all->n_marks++];
        *mark = (hol__mark){.name = node->key, .node = node, .is_vector = 1};
        mark->state = hol__read_direction(build, vectors, row, node->key, mark->x) ? 1 : -1;
    }
}

/* The mark that a name means, with its coordinates; -1 after an error, which is reported at the
 * node. */
static int use_mark(hol__natural_section *all, hol__node *node, const char *name) {
    hol__build *build = all->build;
    const int i = name ? find_mark(all, name) : -1;
    char hint[128];
    if (i < 0) {
        hol__build_error(
            build, node, "there is no point%s '%s' in the section points%s%s",
            build->model->dim == 3 ? " or vector" : "", name ? name : "?",
            build->model->dim == 3 ? " or in natural.vectors" : "",
            name ? hol__did_you_mean(hol__nearest(name, mark_name, all), hint, sizeof hint) : "");
        return -1;
    }
    hol__mark *mark = &all->marks[i];
    if (mark->state == 0 && mark->node->kind == HOL__MAP) {
        hol__build_error(build, mark->node,
                         "the point '%s' is given on a body; the points of `natural` are given by "
                         "coordinates",
                         name);
        mark->state = -1;
    }
    mark->node->used = 1;
    if (mark->state == 0) mark->state = hol__read_point_at(build, mark->node, mark->x) ? 1 : -1;
    return mark->state > 0 ? i : -1;
}

/* The mark of a node in a list of names; it must be a vector or must not. */
static int read_mark(hol__natural_section *all, hol__node *node, int vector) {
    if (node->kind != HOL__SCALAR) {
        hol__build_error(all->build, node, "expected the name of a %s, found %s",
                         vector ? "vector" : "point", hol__node_kind_name(node));
        return -1;
    }
    const int i = use_mark(all, node, node->text);
    if (i < 0 || all->marks[i].is_vector == vector) return i;
    hol__build_error(all->build, node, "'%s' is a %s, and a %s is wanted here", node->text,
                     vector ? "point" : "vector", vector ? "vector" : "point");
    return -1;
}

/* The marks that belong to ground. */
static void read_fixed(hol__natural_section *all) {
    hol__node *list = hol__node_get(all->section, "fixed");
    all->build->element = "natural";
    if (!list) return;
    if (list->kind != HOL__LIST) {
        hol__build_error(all->build, list, "'fixed' is a list of names, for example [O, A]");
        return;
    }
    for (hol__node *node = list->first; node; node = node->next) {
        const int i =
            node->kind == HOL__SCALAR ? use_mark(all, node, node->text) : read_mark(all, node, 0);
        if (i < 0) continue;
        if (all->marks[i].fixed_at)
            hol__build_error(all->build, node, "'%s' is named twice", node->text);
        all->marks[i].fixed_at = node;
    }
}

/* Point masses and start velocities, which are given by the names of marks. */
static void read_given(hol__natural_section *all, const char *section, const char *what) {
    hol__build *build = all->build;
    hol__node *map = sub_map(all, section);
    const int is_mass = strcmp(section, "masses") == 0;
    for (hol__node *node = map ? map->first : NULL; node; node = node->next) {
        build->element = hol__arena_format(&all->spec->arena, "%s of '%s'", what, node->key);
        if (!build->element) return;
        hol__node name = *node;
        name.where = node->key_at;
        const int i = use_mark(all, &name, node->key);
        if (i < 0) continue;
        hol__mark *mark = &all->marks[i];
        const hol__key row[] = {{node->key, is_mass ? HOL__KEY_NUMBER : HOL__KEY_VECTOR,
                                 is_mass           ? "kg"
                                 : mark->is_vector ? "1/s"
                                                   : "m/s",
                                 "", is_mass ? HOL__POSITIVE : 0, "", NULL, HOL__NO_FIELD},
                                HOL__KEY_END};
        if (is_mass && mark->is_vector)
            hol__build_error(build, node, "it is a vector; masses are at points");
        else if (mark->fixed_at)
            hol__build_error(build, node, "it is fixed; leave out its %s", what);
        else if (is_mass) {
            mark->mass = hol__read_number(build, map, row, node->key);
            mark->mass_at = node;
        } else if (hol__read_vector(build, map, row, node->key, mark->v))
            mark->velocity_at = node;
    }
}

/* ---- rods, distances, elements ---- */

/* A list of names into marks from index n on; how many there are then. */
static int read_list(hol__natural_section *all, hol__node *item, const char *key, int vector, int n,
                     int *marks, hol__node **at) {
    hol__node *list = hol__node_get(item, key);
    if (!list) return n;
    if (list->kind != HOL__LIST) {
        hol__build_error(all->build, list, "'%s' is a list of names, for example [%s]", key,
                         vector ? "u, w" : "A, B");
        return n;
    }
    for (hol__node *node = list->first; node; node = node->next) {
        const int i = read_mark(all, node, vector);
        if (i < 0) continue;
        all->marks[i].uses++;
        for (int k = 0; k < n; k++) {
            double d[3];
            hol__sub3(all->marks[marks[k]].x, all->marks[i].x, d);
            if (marks[k] == i)
                hol__build_error(all->build, node, "'%s' is named twice", node->text);
            else if (!vector && !(hol__norm3(d) > 0))
                hol__build_error(all->build, node,
                                 "the points '%s' and '%s' coincide as drawn: length 0",
                                 all->marks[marks[k]].name, node->text);
        }
        marks[n] = i;
        at[n++] = node;
    }
    return n;
}

/* The two points of a rod or a distance; 0 after an error. */
static int read_pair(hol__natural_section *all, hol__node *item, int marks[2], hol__node *at[2]) {
    hol__node *list = hol__node_get(item, "points");
    if (!list) return 0;
    if (list->kind != HOL__LIST || list->count != 2) {
        hol__build_error(all->build, list, "'points' is a list of two points, for example [A, B]");
        return 0;
    }
    const int errors = all->build->errors;
    return read_list(all, item, "points", 0, 0, marks, at) == 2 && all->build->errors == errors;
}

/* Check the keys of an item and label it; 0 when it is no map. */
static int begin_item(hol__natural_section *all, hol__node *item, const char *word,
                      const hol__key *keys, const char **label) {
    char what[64];
    *label = hol__arena_format(&all->spec->arena, "%s '%s'", word, item->key);
    all->build->element = *label ? *label : word;
    if (item->kind != HOL__MAP) {
        hol__build_error(all->build, item, "expected a map of keys such as {points: [A, B]}");
        return 0;
    }
    snprintf(what, sizeof what, "%s %s", word[0] == 'e' ? "an" : "a", word);
    hol__check_keys(all->build, item, keys, NULL, what);
    return 1;
}

/* Room for n marks in a part; 0 without memory. */
static int allocate_part(hol__natural_section *all, hol__part *part, int n) {
    part->mark = HOL__NEW_N(&all->spec->arena, int, n + 1);
    part->at = HOL__NEW_N(&all->spec->arena, hol__node *, n + 1);
    part->joined = HOL__NEW_N(&all->spec->arena, unsigned char, n + 1);
    return part->mark && part->at && part->joined;
}

/* A massless rod or a distance. */
static void read_link(hol__natural_section *all, hol__node *item, const char *label,
                      const char *length) {
    hol__link *link = &all->links[all->n_links];
    *link = (hol__link){.name = item->key, .label = label, .item = item};
    if (!read_pair(all, item, link->mark, link->at)) return;
    link->length = length ? hol__node_get(item, length) : NULL;
    all->n_links++;
}

/* A rod: a part when it has mass, else a link. */
static void read_rod(hol__natural_section *all, hol__node *item) {
    static const char *const of_mass[] = {"mass_centre", "inertia", "radius"};
    const int n = all->build->model->dim == 2 ? 2 : 3;
    const char *label;
    if (!begin_item(all, item, "rod", hol__rod_keys, &label)) return;
    if (!hol__node_get(item, "mass")) {
        for (int i = 0; i < n; i++)
            if (hol__node_get(item, of_mass[i]))
                hol__build_error(all->build, hol__node_get(item, of_mass[i]),
                                 "a rod without `mass` has no '%s'", of_mass[i]);
        read_link(all, item, label, "length");
        return;
    }
    hol__part *part = &all->parts[all->n_parts];
    *part = (hol__part){.kind = HOL__PART_ROD, .name = item->key, .label = label, .item = item};
    if (!allocate_part(all, part, 2) || !read_pair(all, item, part->mark, part->at)) return;
    part->n = part->n_points = 2;
    hol__natural_mass(all, part);
    all->n_parts++;
}

/* An element of points and vectors. */
static void read_element(hol__natural_section *all, hol__node *item) {
    const char *label;
    const int errors = all->build->errors, space = all->build->model->dim == 3;
    if (!begin_item(all, item, "element", hol__natural_element_keys, &label)) return;
    const hol__node *points = hol__node_get(item, "points"),
                    *vectors = hol__node_get(item, "vectors");
    const int named = (points ? points->count : 0) + (vectors ? vectors->count : 0);
    hol__part *part = &all->parts[all->n_parts];
    *part = (hol__part){.kind = HOL__PART_ELEMENT, .name = item->key, .label = label, .item = item};
    if (!allocate_part(all, part, named)) return;
    part->n_points = read_list(all, item, "points", 0, 0, part->mark, part->at);
    part->n = space ? read_list(all, item, "vectors", 1, part->n_points, part->mark, part->at)
                    : part->n_points;
    if (all->build->errors > errors || part->n < named) return;
    if (part->n_points < 1 || part->n < 2) {
        hol__build_error(all->build, item,
                         space ? "an element has at least one point, and a second point or a "
                                 "vector; a point alone goes to `masses`"
                               : "an element of the plane has at least two points; a point alone "
                                 "goes to `masses`");
        return;
    }
    hol__natural_mass(all, part);
    all->n_parts++;
}

/* ---- all ---- */

/* Marks that are named without being part of anything. */
static void check_uses(hol__natural_section *all) {
    hol__build *build = all->build;
    build->element = "natural";
    for (int i = 0; i < all->n_marks; i++) {
        const hol__mark *mark = &all->marks[i];
        if (mark->uses || mark->state < 0) continue;
        if (mark->is_vector && !mark->fixed_at) {
            build->errors++;
            hol__error(build->ctx, &mark->node->key_at, "natural",
                       "no element has the vector '%s'; name it there, or leave it out",
                       mark->name);
        } else if (mark->fixed_at)
            hol__build_error(build, mark->fixed_at,
                             "no rod, distance or element has '%s'; leave it out here", mark->name);
        else if (mark->velocity_at && !mark->mass_at)
            hol__build_error(build, mark->velocity_at,
                             "no rod or element has the point '%s', and there is no mass at it",
                             mark->name);
    }
}

void hol__natural_read(hol__natural_section *all) {
    hol__arena *arena = &all->spec->arena;
    all->build->element = "natural";
    hol__check_keys(all->build, all->section, hol__natural_keys, NULL, "the section natural");
    hol__node *rods = sub_map(all, "rods"), *elements = sub_map(all, "elements"),
              *distances = sub_map(all, "distances");
    list_marks(all);
    const int n_rods = rods ? rods->count : 0;
    all->parts =
        HOL__NEW_N(arena, hol__part, 1 + n_rods + (elements ? elements->count : 0) + all->n_marks);
    all->links = HOL__NEW_N(arena, hol__link, 1 + n_rods + (distances ? distances->count : 0));
    if (!all->marks || !all->parts || !all->links) return;
    all->parts[all->n_parts++] = (hol__part){.kind = HOL__PART_GROUND, .name = "ground"};
    read_fixed(all);
    read_given(all, "masses", "mass");
    read_given(all, "velocities", "velocity");
    for (hol__node *item = rods ? rods->first : NULL; item; item = item->next) read_rod(all, item);
    for (hol__node *item = elements ? elements->first : NULL; item; item = item->next)
        read_element(all, item);
    for (hol__node *item = distances ? distances->first : NULL; item; item = item->next) {
        const char *label;
        if (begin_item(all, item, "distance", hol__rod_distance_keys, &label))
            read_link(all, item, label, "length");
    }
    check_uses(all);
}
