/* natural.c: the section `natural`: a mechanism by points, unit vectors, rods and distances, as bodies and joints.
 *
 * Rods with mass, elements and point masses become bodies; what they share becomes joints (natural_joints.c); massless rods and
 * distances become distance joints. They are added to a copy of the description, which the later passes read; every node of it has
 * the place in the file of what it was made from, so that their errors point there. The description itself does not change.
 */
#include "compile/natural.h"

#include "model/number.h"

#include <string.h>

/* ---- the tree that is made ---- */

/* Give a new node a place. */
static hol__node *put_at(hol__node *node, const hol__node *at) {
    if (!node) return NULL;
    node->where = at->where;
    node->key_at = at->key ? at->key_at : at->where;
    return node;
}

hol__node *hol__put_map(hol__natural *nat, hol__node *parent, const char *key,
                        const hol__node *at) {
    return parent ? put_at(hol__node_add(nat->spec, parent, key, HOL__MAP), at) : NULL;
}

void hol__put_text(hol__natural *nat, hol__node *parent, const char *key, const char *text,
                   const hol__node *at) {
    if (parent) put_at(hol__node_add_scalar(nat->spec, parent, key, text), at);
}

void hol__put_number(hol__natural *nat, hol__node *parent, const char *key, double value,
                     const hol__node *at) {
    char buf[HOL__NUMBER_SIZE];
    hol__number_write(value, 0, buf);
    hol__put_text(nat, parent, key, buf, at);
}

/* An empty list. */
static hol__node *put_list(hol__natural *nat, hol__node *parent, const char *key,
                           const hol__node *at) {
    return parent ? put_at(hol__node_add(nat->spec, parent, key, HOL__LIST), at) : NULL;
}

void hol__put_numbers(hol__natural *nat, hol__node *parent, const char *key, int n,
                      const double *values, const hol__node *at) {
    hol__node *list = put_list(nat, parent, key, at);
    for (int i = 0; list && i < n; i++) hol__put_number(nat, list, NULL, values[i], at);
}

void hol__put_names(hol__natural *nat, hol__node *parent, const char *key, const char *first,
                    const char *second, const hol__node *at) {
    hol__node *list = put_list(nat, parent, key, at);
    hol__put_text(nat, list, NULL, first, at);
    hol__put_text(nat, list, NULL, second, at);
}

/* A node like another one under a new parent; its children are shared. */
static hol__node *copy_shallow(hol__natural *nat, hol__node *parent, const hol__node *from) {
    hol__node *node = parent ? hol__node_add(nat->spec, parent, from->key, from->kind) : NULL;
    if (!node) return NULL;
    node->where = from->where;
    node->key_at = from->key_at;
    node->text = from->text;
    node->quoted = from->quoted;
    node->first = from->first;
    node->last = from->last;
    node->count = from->count;
    return node;
}

/* A section of the copy that can grow: a map with the items of the one that is given. */
static hol__node *copy_section(hol__natural *nat, const char *name) {
    const hol__node *given = hol__node_get(nat->build->spec->root, name);
    hol__node *map = hol__put_map(nat, nat->spec->root, name, given ? given : nat->section);
    for (const hol__node *item = given ? given->first : NULL; item; item = item->next)
        copy_shallow(nat, map, item);
    return map;
}

/* The description again, with sections of bodies and joints of its own. */
static void copy_root(hol__natural *nat) {
    const hol__node *root = nat->build->spec->root;
    nat->spec->root->where = root->where;
    for (const hol__node *child = root->first; child; child = child->next)
        if (strcmp(child->key, "bodies") != 0 && strcmp(child->key, "joints") != 0)
            copy_shallow(nat, nat->spec->root, child);
    nat->bodies = copy_section(nat, "bodies");
    nat->joints = copy_section(nat, "joints");
}

/* ---- bodies ---- */

/* Where the part is drawn: `along` two points, or its first point and an orientation. */
static void put_pose(hol__natural *nat, const hol__part *part, hol__node *body) {
    const char *first = nat->marks[part->mark[0]].name;
    const int space = nat->build->model->dim == 3;
    if (part->kind == HOL__PART_ROD || (!space && part->kind == HOL__PART_ELEMENT)) {
        hol__put_names(nat, body, "along", first, nat->marks[part->mark[1]].name, part->at[0]);
        return;
    }
    hol__put_text(nat, body, "position", first, part->at[0]);
    if (part->kind == HOL__PART_POINT) return;
    hol__node *orientation = hol__put_map(nat, body, "orientation", part->item);
    hol__put_numbers(nat, orientation, "quaternion", 4, part->p, part->item);
}

/* Mark i of the part in its frame. */
static void local(const hol__natural *nat, const hol__part *part, int i, double out[3]) {
    double d[3];
    hol__sub3(nat->marks[part->mark[i]].x, nat->marks[part->mark[0]].x, d);
    hol__mul3_t(part->R, d, out);
}

/* Rods between the points of a part; in the plane an area where there are more than two. */
static void put_drawing(hol__natural *nat, const hol__part *part, hol__node *body) {
    const int dim = nat->build->model->dim;
    double x[3], middle[3], last[3] = {0, 0, 0};
    hol__node *list = put_list(nat, body, "draw", part->item);
    if (dim == 2 && part->n_points > 2) {
        hol__node *mesh = hol__put_map(nat, list, NULL, part->item);
        hol__put_text(nat, mesh, "type", "mesh", part->item);
        hol__node *corners = put_list(nat, mesh, "vertices", part->item),
                  *faces = put_list(nat, mesh, "faces", part->item),
                  *face = put_list(nat, faces, NULL, part->item);
        for (int i = 0; i < part->n_points; i++) {
            local(nat, part, i, x);
            hol__put_numbers(nat, corners, NULL, 2, x, part->item);
            hol__put_number(nat, face, NULL, i, part->item);
        }
        return;
    }
    for (int i = 1; i < part->n_points; i++) {
        local(nat, part, i, x);
        double axis[3];
        hol__sub3(x, last, axis);
        for (int k = 0; k < 3; k++) middle[k] = 0.5 * (x[k] + last[k]);
        hol__node *rod = hol__put_map(nat, list, NULL, part->item);
        hol__put_text(nat, rod, "type", "rod", part->item);
        hol__put_number(nat, rod, "length", hol__norm3(axis), part->item);
        hol__put_numbers(nat, rod, "at", dim, middle, part->item);
        if (dim == 3) hol__put_numbers(nat, rod, "axis", 3, axis, part->item);
        memcpy(last, x, sizeof last);
    }
}

/* A part as an item of the section `bodies`. */
static void put_body(hol__natural *nat, const hol__part *part) {
    hol__build *build = nat->build;
    const int dim = build->model->dim;
    hol__node *inertia = hol__node_get(part->item, "inertia");
    build->element = part->label;
    if (hol__node_get(nat->bodies, part->name)) {
        build->errors++;
        hol__error(build->ctx, &part->item->key_at, part->label,
                   "there is another body '%s'; choose a different name", part->name);
        return;
    }
    hol__node *body = hol__put_map(nat, nat->bodies, part->name, part->item);
    hol__put_number(nat, body, "mass", part->mass, part->item);
    put_pose(nat, part, body);
    if (part->moves) {
        hol__put_numbers(nat, body, "velocity", dim, part->v, part->item);
        if (part->kind != HOL__PART_POINT && dim == 2)
            hol__put_number(nat, body, "omega", part->w[2], part->item);
        if (part->kind != HOL__PART_POINT && dim == 3)
            hol__put_numbers(nat, body, "omega", 3, part->w, part->item);
    }
    if (part->kind == HOL__PART_POINT) {
        hol__put_text(nat, body, "point", "true", part->item);
        return;
    }
    const double *J = part->J, tensor[6] = {J[0], J[4], J[8], J[1], J[2], J[5]};
    hol__put_numbers(nat, body, "com", dim, part->com, part->item);
    if (dim == 2)
        hol__put_number(nat, body, "inertia", J[8], inertia ? inertia : part->item);
    else
        hol__put_numbers(nat, body, "inertia", 6, tensor, inertia ? inertia : part->item);
    if (part->n_points > 1) put_drawing(nat, part, body);
}

/* ---- the pass ---- */

int hol__part_has(const hol__natural *nat, int part, int mark) {
    if (part == 0) return nat->marks[mark].fixed_at != NULL;
    for (int i = 0; i < nat->parts[part].n; i++)
        if (nat->parts[part].mark[i] == mark) return 1;
    return 0;
}

int hol__natural_owner(const hol__natural *nat, int mark) {
    for (int i = 0; i < nat->n_parts; i++)
        if (hol__part_has(nat, i, mark)) return i;
    return -1;
}

int hol__compile_natural(hol__build *build) {
    const int errors = build->errors;
    hol__natural nat = {.build = build, .section = hol__section(build, "natural")};
    if (!nat.section) return build->errors == errors;
    nat.spec = build->expanded = hol_spec_new(build->ctx);
    if (!nat.spec) return 0;
    copy_root(&nat);
    hol__natural_read(&nat);
    if (build->errors == errors) hol__natural_add_masses(&nat);
    if (build->errors == errors) hol__natural_velocities(&nat);
    if (build->errors == errors && nat.bodies && nat.joints) {
        for (int i = 1; i < nat.n_parts; i++) put_body(&nat, &nat.parts[i]);
        hol__natural_joints(&nat);
    }
    build->spec = nat.spec;
    build->element = NULL;
    return build->errors == errors && !nat.spec->arena.failed && !build->arena->failed;
}
