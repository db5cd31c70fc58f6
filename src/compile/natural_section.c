/* natural_section.c: the section `natural`: a mechanism by points, unit vectors, rods and
 * distances, as bodies and joints.
 *
 * Rods with mass, elements and point masses become bodies; what they share becomes joints
 * (natural_section_joints.c); massless rods and distances become distance joints. They are added to
 * a copy of the description, which the later passes read; every node of it has the place in the
 * file of what it was made from, so that their errors point there. The description itself does not
 * change.
 */
#include "compile/natural_section.h"

#include "common/number.h"

#include <string.h>

/* ---- the tree that is made ---- */

/* Give a new node a place. */
static hol__node *put_at(hol__node *node, const hol__node *at) {
    if (!node) return NULL;
    node->where = at->where;
    node->key_at = at->key ? at->key_at : at->where;
    return node;
}

hol__node *hol__put_map(hol__natural_section *all, hol__node *parent, const char *key,
                        const hol__node *at) {
    return parent ? put_at(hol__node_add(all->spec, parent, key, HOL__MAP), at) : NULL;
}

void hol__put_text(hol__natural_section *all, hol__node *parent, const char *key, const char *text,
                   const hol__node *at) {
    if (parent) put_at(hol__node_add_scalar(all->spec, parent, key, text), at);
}

void hol__put_number(hol__natural_section *all, hol__node *parent, const char *key, double value,
                     const hol__node *at) {
    char buf[HOL__NUMBER_SIZE];
    hol__number_write(value, 0, buf);
    hol__put_text(all, parent, key, buf, at);
}

/* An empty list. */
static hol__node *put_list(hol__natural_section *all, hol__node *parent, const char *key,
                           const hol__node *at) {
    return parent ? put_at(hol__node_add(all->spec, parent, key, HOL__LIST), at) : NULL;
}

void hol__put_numbers(hol__natural_section *all, hol__node *parent, const char *key, int n,
                      const double *values, const hol__node *at) {
    hol__node *list = put_list(all, parent, key, at);
    for (int i = 0; list && i < n; i++) hol__put_number(all, list, NULL, values[i], at);
}

void hol__put_names(hol__natural_section *all, hol__node *parent, const char *key,
                    const char *first, const char *second, const hol__node *at) {
    hol__node *list = put_list(all, parent, key, at);
    hol__put_text(all, list, NULL, first, at);
    hol__put_text(all, list, NULL, second, at);
}

hol__node *hol__put_copy(hol__natural_section *all, hol__node *parent, const hol__node *from) {
    hol__node *node = parent ? hol__node_add(all->spec, parent, from->key, from->kind) : NULL;
    if (node) hol__node_share(node, from);
    return node;
}

void hol__put_cut(hol__natural_section *all, hol__node *parent, const hol__node *item) {
    const hol__node *cut = hol__node_get(item, "cut");
    if (cut) hol__put_copy(all, parent, cut);
}

/* A section of the copy that can grow: a map with the items of the one that is given. */
static hol__node *copy_section(hol__natural_section *all, const char *name) {
    const hol__node *given = hol__section(all->build, name);
    hol__node *map = hol__put_map(all, all->spec->root, name, given ? given : all->section);
    for (const hol__node *item = given ? given->first : NULL; item; item = item->next)
        hol__put_copy(all, map, item);
    return map;
}

/* The description again, with sections of bodies and joints of its own. */
static void copy_root(hol__natural_section *all) {
    const hol__node *root = all->build->spec->root;
    all->spec->root->where = root->where;
    for (const hol__node *child = root->first; child; child = child->next)
        if (strcmp(child->key, "bodies") != 0 && strcmp(child->key, "joints") != 0)
            hol__put_copy(all, all->spec->root, child);
    all->bodies = copy_section(all, "bodies");
    all->joints = copy_section(all, "joints");
}

/* ---- bodies ---- */

/* Where the part is drawn: `along` two points, or its first point and an orientation. */
static void put_pose(hol__natural_section *all, const hol__part *part, hol__node *body) {
    const char *first = all->marks[part->mark[0]].name;
    const int space = all->build->model->dim == 3;
    if (part->kind == HOL__PART_ROD || (!space && part->kind == HOL__PART_ELEMENT)) {
        hol__node *length = hol__node_get(part->item, "length");
        hol__put_names(all, body, "along", first, all->marks[part->mark[1]].name, part->at[0]);
        if (length) hol__put_copy(all, body, length);
        return;
    }
    hol__put_text(all, body, "position", first, part->at[0]);
    if (part->kind == HOL__PART_POINT) return;
    hol__node *orientation = hol__put_map(all, body, "orientation", part->item);
    hol__put_numbers(all, orientation, "quaternion", 4, part->p, part->item);
}

/* A part as an item of the section `bodies`. */
static void put_body(hol__natural_section *all, const hol__part *part) {
    hol__build *build = all->build;
    const int dim = build->model->dim;
    hol__node *inertia = hol__node_get(part->item, "inertia"),
              *gains = hol__node_get(part->item, "gains");
    build->element = part->label;
    if (hol__node_get(all->bodies, part->name)) {
        build->errors++;
        hol__error(build->ctx, &part->item->key_at, part->label,
                   "there is another body '%s'; choose a different name", part->name);
        return;
    }
    hol__node *body = hol__put_map(all, all->bodies, part->name, part->item);
    hol__put_number(all, body, "mass", part->mass, part->item);
    if (gains) hol__put_copy(all, body, gains);
    if (part->kind != HOL__PART_POINT) hol__put_cut(all, body, part->item);
    put_pose(all, part, body);
    if (part->moves) {
        hol__put_numbers(all, body, "velocity", dim, part->v, part->item);
        if (part->kind != HOL__PART_POINT && dim == 2)
            hol__put_number(all, body, "omega", part->w[2], part->item);
        if (part->kind != HOL__PART_POINT && dim == 3)
            hol__put_numbers(all, body, "omega", 3, part->w, part->item);
    }
    if (part->kind == HOL__PART_POINT) {
        hol__put_text(all, body, "point", "true", part->item);
        return;
    }
    const double *J = part->J, tensor[6] = {J[0], J[4], J[8], J[1], J[2], J[5]};
    hol__put_numbers(all, body, "com", dim, part->com, part->item);
    if (dim == 2)
        hol__put_number(all, body, "inertia", J[8], inertia ? inertia : part->item);
    else
        hol__put_numbers(all, body, "inertia", 6, tensor, inertia ? inertia : part->item);
}

/* ---- the pass ---- */

int hol__part_has(const hol__natural_section *all, int part, int mark) {
    if (part == 0) return all->marks[mark].fixed_at != NULL;
    for (int i = 0; i < all->parts[part].n; i++)
        if (all->parts[part].mark[i] == mark) return 1;
    return 0;
}

int hol__natural_owner(const hol__natural_section *all, int mark) {
    for (int i = 0; i < all->n_parts; i++)
        if (hol__part_has(all, i, mark)) return i;
    return -1;
}

int hol__compile_natural_section(hol__build *build) {
    const int errors = build->errors;
    hol__node *section = hol__section(build, "natural");
    if (!section) return build->errors == errors;
    build->expanded = hol_spec_new(build->ctx);
    hol__natural_section *all =
        build->expanded ? HOL__NEW(&build->expanded->arena, hol__natural_section) : NULL;
    if (!all) return 0;
    *all = (hol__natural_section){.build = build, .spec = build->expanded, .section = section};
    copy_root(all);
    hol__natural_read(all);
    if (build->errors == errors) hol__natural_add_masses(all);
    if (build->errors == errors) hol__natural_velocities(all);
    if (build->errors == errors && all->bodies && all->joints) {
        for (int i = 1; i < all->n_parts; i++) put_body(all, &all->parts[i]);
        hol__natural_joints(all);
    }
    build->spec = all->spec;
    build->natural = all;
    build->element = NULL;
    return build->errors == errors && !all->spec->arena.failed && !build->arena->failed;
}

/* ---- what the bodies are described by ---- */

/* The marks of a part as those of its body. */
static void keep_marks(hol__build *build, const hol__part *part, int index) {
    hol_model *model = build->model;
    hol__body *body = &model->bodies[index];
    hol__mark_of_body *marks = HOL__NEW_N(build->arena, hol__mark_of_body, part->n + 1);
    double *points = HOL__NEW_N(build->arena, double, 3 * (part->n_points + 1));
    if (!marks || !points) return;
    for (int i = 0; i < part->n; i++) {
        const hol__mark *mark = &build->natural->marks[part->mark[i]];
        marks[i].vector = mark->is_vector;
        hol__marker place;
        hol__marker_set(model, index, mark->x, NULL, &place);
        memcpy(marks[i].local, place.s, sizeof place.s);
        if (mark->is_vector) hol__drawn_direction(model, index, mark->x, marks[i].local);
        if (i < part->n_points) hol__add3(body->com, marks[i].local, points + 3 * i);
    }
    body->n_points = part->n_points;
    body->points = points;
    body->n_marks = part->n;
    body->marks = marks;
}

void hol__compile_natural_marks(hol__build *build) {
    if (!build->natural || build->errors) return;
    for (int i = 1; i < build->natural->n_parts; i++) {
        const hol__part *part = &build->natural->parts[i];
        for (int k = 0; k < build->model->nb; k++)
            if (strcmp(build->model->bodies[k].name, part->name) == 0) keep_marks(build, part, k);
    }
}
