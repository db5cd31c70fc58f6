/* natural_section_joints.c: the joints between the parts of the section `natural`.
 *
 * Two parts that share marks are joined by what leaves these marks in common:
 *     plane    a point                     revolute
 *              two points                  fixed
 *     space    a point                     spherical
 *              a point and a direction     revolute about it
 *              a point and two directions  fixed
 *              a direction                 parallel axes
 *              two directions              same orientation
 * where a direction is a vector, or the line to a second point. A part is joined to the parts
 * before it: first to the one with which it shares most (the earliest of these), at all marks they
 * share, then likewise at the marks that are left. So k parts at a point have k - 1 joints, and
 * what two parts share is held once. Ground is the part that has the fixed marks. A link becomes a
 * distance joint between the first parts at its ends.
 *
 * What the section `joints` has under the name of such a joint, without a type, is added to it.
 *
 * A joint is called like its point (or vector), and like it with the name of its second body where
 * it has several: P, or P.b.
 */
#include "compile/natural_section.h"

#include <string.h>

/* A joint between two parts. */
typedef struct pair {
    int first, second;
    int at;              /* index within the marks of the second part of what it is called after */
    int point, n_points; /* mark of the first shared point; how many */
    int n_axes;          /* independent directions that are shared, up to 2 */
    double axis[3];
} pair;

/* Another direction that the two have in common. */
static void add_axis(pair *joint, const double d[3]) {
    double cross[3];
    const double size = hol__norm3(d);
    if (joint->n_axes == 0) {
        for (int k = 0; k < 3; k++) joint->axis[k] = d[k] / size;
        joint->n_axes = 1;
        return;
    }
    hol__cross3(joint->axis, d, cross);
    if (hol__norm3(cross) > 1e-6 * size) joint->n_axes = 2;
}

/* Add mark i of the second part to what the two share. */
static void add_mark(const hol__natural_section *all, pair *joint, int i) {
    const int m = all->parts[joint->second].mark[i];
    const hol__mark *mark = &all->marks[m];
    double d[3];
    if (mark->is_vector) {
        add_axis(joint, mark->x);
    } else if (joint->n_points++ == 0) {
        joint->point = m;
    } else {
        hol__sub3(mark->x, all->marks[joint->point].x, d);
        add_axis(joint, d);
    }
}

/* The type of the joint. */
static const char *type_of(const hol__natural_section *all, const pair *joint) {
    if (all->build->model->dim == 2) return joint->n_axes ? "fixed" : "revolute";
    if (joint->n_points)
        return joint->n_axes == 0 ? "spherical" : joint->n_axes == 1 ? "revolute" : "fixed";
    return joint->n_axes == 1 ? "parallel_axes" : "same_orientation";
}

/* An item of the section `joints`; NULL when the name is taken. more: what the file has under this
 * name without a type. */
static hol__node *put_joint(hol__natural_section *all, const char *name, const char *label,
                            const hol__node *at, hol__node **more) {
    hol__node *taken = hol__node_get(all->joints, name);
    *more = NULL;
    if (taken && taken->kind == HOL__MAP && !hol__node_get(taken, "type")) {
        *more = taken;
        hol__node_remove(taken);
        taken = NULL;
    }
    if (!taken) return hol__put_map(all, all->joints, name, at);
    all->build->element = label;
    hol__build_error(all->build, at,
                     "it makes a joint '%s', and there is another one of this name; choose a "
                     "different name",
                     name);
    return NULL;
}

/* Add the further keys that the file has for a joint that was made. */
static void put_more(hol__natural_section *all, hol__node *item, const hol__node *more) {
    for (hol__node *child = item && more ? more->first : NULL; child; child = child->next)
        if (!hol__node_get(item, child->key)) {
            hol__put_copy(all, item, child);
        } else {
            all->build->errors++;
            hol__error(all->build->ctx, &child->key_at, all->build->element,
                       "'%s' of the joint '%s' follows from `natural`; leave it out", child->key,
                       item->key);
        }
}

/* Write a joint between two parts. */
static void put_pair(hol__natural_section *all, const pair *joint) {
    hol__build *build = all->build;
    const hol__part *first = &all->parts[joint->first], *second = &all->parts[joint->second];
    const hol__mark *mark = &all->marks[second->mark[joint->at]];
    const hol__node *at = second->at[joint->at];
    const char *type = type_of(all, joint);
    build->element = second->label;
    if (joint->first == 0 && strcmp(type, "fixed") == 0) {
        hol__build_error(
            build, second->item,
            "it cannot move, for what it has in common with ground holds it; leave it out, or "
            "name less in `fixed`");
        return;
    }
    const char *name = mark->n_joints == 1 ? mark->name
                                           : hol__arena_format(&all->spec->arena, "%s.%s",
                                                               mark->name, second->name);
    hol__node *more = NULL, *item = name ? put_joint(all, name, second->label, at, &more) : NULL;
    hol__put_text(all, item, "type", type, at);
    hol__put_names(all, item, "bodies", first->name, second->name, at);
    if (joint->n_points) hol__put_text(all, item, "at", all->marks[joint->point].name, at);
    if (strcmp(type, "parallel_axes") == 0 ||
        (joint->n_points && joint->n_axes == 1 && build->model->dim == 3))
        hol__put_numbers(all, item, "axis", 3, joint->axis, at);
    put_more(all, item, more);
}

/* How many marks the first part has that the second one has not been joined at. */
static int count_shared(const hol__natural_section *all, int first, int second) {
    const hol__part *part = &all->parts[second];
    int n = 0;
    for (int i = 0; i < part->n; i++)
        n += !part->joined[i] && hol__part_has(all, first, part->mark[i]);
    return n;
}

/* The joint of the second part with the first at all these marks. */
static void share(hol__natural_section *all, int first, int second, pair *joint) {
    hol__part *part = &all->parts[second];
    *joint = (pair){.first = first, .second = second, .at = -1};
    for (int i = 0; i < part->n; i++) {
        if (part->joined[i] || !hol__part_has(all, first, part->mark[i])) continue;
        add_mark(all, joint, i);
        if (joint->at < 0) joint->at = i;
        part->joined[i] = 1;
    }
    all->marks[part->mark[joint->at]].n_joints++;
}

/* Join a part to those before it, with most in common first; the number of joints. */
static int join(hol__natural_section *all, int second, pair *joints) {
    int n = 0, first, shared;
    do {
        first = shared = 0;
        for (int i = 0; i < second; i++) {
            const int now = count_shared(all, i, second);
            if (now > shared) first = i, shared = now;
        }
        if (shared) share(all, first, second, &joints[n++]);
    } while (shared);
    return n;
}

/* A massless rod or a distance. */
static void put_link(hol__natural_section *all, const hol__link *link) {
    hol__build *build = all->build;
    int owner[2];
    build->element = link->label;
    for (int k = 0; k < 2; k++) {
        owner[k] = hol__natural_owner(all, link->mark[k]);
        if (owner[k] >= 0) continue;
        hol__build_error(
            build, link->at[k],
            "the point '%s' has no mass: give it one under `masses`, or give one of its "
            "rods a mass",
            all->marks[link->mark[k]].name);
        return;
    }
    for (int p = 0; p < all->n_parts; p++)
        if (hol__part_has(all, p, link->mark[0]) && hol__part_has(all, p, link->mark[1])) {
            hol__build_error(build, link->item, "both of its points belong to %s; leave it out",
                             p ? all->parts[p].label : "ground");
            return;
        }
    hol__node *gains = hol__node_get(link->item, "gains");
    hol__node *more, *item = put_joint(all, link->name, link->label, link->item, &more);
    hol__put_text(all, item, "type", "distance", link->item);
    hol__put_names(all, item, "bodies", all->parts[owner[0]].name, all->parts[owner[1]].name,
                   link->item);
    hol__put_text(all, item, "from", all->marks[link->mark[0]].name, link->at[0]);
    hol__put_text(all, item, "to", all->marks[link->mark[1]].name, link->at[1]);
    if (link->length) hol__put_copy(all, item, link->length);
    if (gains) hol__put_copy(all, item, gains);
    hol__put_cut(all, item, link->item);
    put_more(all, item, more);
}

void hol__natural_joints(hol__natural_section *all) {
    int n = 0, most = 0;
    for (int i = 1; i < all->n_parts; i++) most += all->parts[i].n;
    pair *joints = HOL__NEW_N(&all->spec->arena, pair, most + 1);
    if (!joints) return;
    for (int second = 1; second < all->n_parts; second++) n += join(all, second, joints + n);
    for (int i = 0; i < n; i++) put_pair(all, &joints[i]);
    for (int i = 0; i < all->n_links; i++) put_link(all, &all->links[i]);
}
