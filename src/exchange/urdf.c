/* urdf.c: URDF: links that joints connect to a tree, and joints that follow others.
 *
 * The frame of a joint is that of its child at the coordinate 0: x_child = T(origin) exp(axis q).
 * The robot is drawn at q = 0, so that coordinates here are those of the file.
 */
#include "exchange/urdf.h"

#include "math/vec3.h"

#include <string.h>

/* A joint while the tree is sought. */
typedef struct edge {
    hol__xml *element;
    const char *name;
    int parent, child, next; /* next: another joint of the same parent */
    hol__joint_kind kind;
    int bounded; /* it has limits: revolute, prismatic */
} edge;

typedef struct tree {
    hol_import *im;
    int n;
    edge *edges;
    int *first, *above; /* of each link: its first joint to a child; the joint that holds it */
    int *joint;         /* of each edge: its joint in the robot */
} tree;

/* ---- joints ---- */

/* The kind by its name; 0 after an error. */
static int read_kind(hol_import *im, edge *e) {
    static const struct {
        const char *name;
        hol__joint_kind kind;
        int bounded;
    } kinds[] = {{"revolute", HOL__JOINT_HINGE, 1},  {"continuous", HOL__JOINT_HINGE, 0},
                 {"prismatic", HOL__JOINT_SLIDE, 1}, {"fixed", HOL__JOINT_FIXED, 0},
                 {"floating", HOL__JOINT_FREE, 0},   {"planar", HOL__JOINT_PLANAR, 0},
                 {"spherical", HOL__JOINT_BALL, 0},  {"ball", HOL__JOINT_BALL, 0}};
    const char *type = hol__xml_value(e->element, "type");
    for (size_t i = 0; type && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type, kinds[i].name) == 0) {
            e->kind = kinds[i].kind;
            e->bounded = kinds[i].bounded;
            return 1;
        }
    hol__import_error(im, e->element, "type",
                      "the type '%s' is not one of revolute, continuous, prismatic, fixed, "
                      "floating, planar, spherical",
                      type ? type : "");
    return 0;
}

/* The link that <parent> or <child> names; -1 after an error. */
static int read_end(hol_import *im, const edge *e, const char *which) {
    const hol__xml *end = hol__xml_child(e->element, which);
    const char *name = end ? hol__xml_value(end, "link") : NULL;
    const int body = hol__robot_body_named(&im->robot, name);
    if (!name)
        hol__import_error(im, end ? end : e->element, NULL, "the joint has no <%s link=\"…\"/>",
                          which);
    else if (body < 0)
        hol__import_error(im, end, "link", "there is no link '%s'", name);
    return body;
}

/* Enter a joint into the tree; 0 after an error. */
static int add_edge(tree *t, edge *e) {
    hol_import *im = t->im;
    const int kind = read_kind(im, e);
    e->parent = read_end(im, e, "parent");
    e->child = read_end(im, e, "child");
    if (!kind || e->parent < 0 || e->child < 0) return 0;
    if (t->above[e->child] >= 0) {
        const hol_location *at = &t->edges[t->above[e->child]].element->where;
        hol__import_error(
            im, e->element, NULL,
            "the link '%s' has a parent already, by the joint at %s:%d:%d; URDF knows "
            "no loops (add a joint to the model file)",
            im->robot.bodies[e->child].name, at->file, at->line, at->column);
        return 0;
    }
    const int index = (int)(e - t->edges);
    t->above[e->child] = index;
    e->next = t->first[e->parent];
    t->first[e->parent] = index;
    return 1;
}

/* All joints; 0 after errors. */
static int read_edges(tree *t) {
    hol_import *im = t->im;
    const int n_bodies = im->robot.n_bodies;
    hol__name_tree names = {NULL};
    int good = 1;
    for (const hol__xml *j = im->root->first; j; j = j->next) t->n += strcmp(j->name, "joint") == 0;
    t->edges = HOL__NEW_N(&im->arena, edge, t->n + 1);
    t->joint = HOL__NEW_N(&im->arena, int, t->n + 1);
    t->first = HOL__NEW_N(&im->arena, int, n_bodies);
    t->above = HOL__NEW_N(&im->arena, int, n_bodies);
    if (!t->edges || !t->joint || !t->first || !t->above) return 0;
    for (int i = 0; i < n_bodies; i++) t->first[i] = t->above[i] = -1;
    edge *e = t->edges;
    for (hol__xml *j = hol__xml_child(im->root, "joint"); j; j = hol__xml_next(j), e++) {
        *e = (edge){.element = j, .name = hol__xml_value(j, "name"), .next = -1};
        if (!e->name || !*e->name)
            hol__import_error(im, j, NULL, "a joint has no name"), good = 0;
        else if (hol__name_tree_find(&names, e->name))
            hol__import_error(im, j, "name", "there is a joint of this name already"), good = 0;
        else
            hol__name_tree_add(&names, &im->arena, e->name, 1);
        good &= add_edge(t, e);
    }
    return good;
}

/* ---- limits, damping, friction ---- */

static void read_limits(hol_import *im, const edge *e, int joint) {
    hol__robot_joint *j = &im->robot.joints[joint];
    const hol__xml *limit = e->bounded ? hol__xml_child(e->element, "limit") : NULL;
    if (!e->bounded) return;
    if (!limit) {
        hol__note(im, HOL_IMPORT_CHANGED, e->element, NULL,
                  "it has no <limit>, which URDF wants for this type: it moves without limits");
        return;
    }
    j->lower = hol__xml_limit(im, limit, "lower", 0);
    j->upper = hol__xml_limit(im, limit, "upper", 0);
    hol__robot_limit(im, joint, limit);
}

static void read_dynamics(hol_import *im, const edge *e, int joint) {
    hol__robot_joint *j = &im->robot.joints[joint];
    if (j->kind != HOL__JOINT_HINGE && j->kind != HOL__JOINT_SLIDE) return;
    const hol__xml *dynamics = hol__xml_child(e->element, "dynamics");
    if (!dynamics && (dynamics = hol__xml_child(e->element, "joint_properties")))
        hol__note(im, HOL_IMPORT_CHANGED, dynamics, NULL,
                  "the old name of <dynamics>; it is read as that");
    if (!dynamics) return;
    j->damping = hol__xml_number(im, dynamics, "damping", 0);
    j->friction = hol__xml_number(im, dynamics, "friction", 0);
    hol__robot_losses(im, joint, dynamics);
}

/* The joint of an edge, once its parent is placed. */
static void place(tree *t, int index) {
    hol_import *im = t->im;
    const edge *e = &t->edges[index];
    hol__robot *robot = &im->robot;
    const hol__placement origin = hol__urdf_origin(im, e->element);
    hol__robot_body *child = &robot->bodies[e->child];
    child->at = hol__placement_mul(&robot->bodies[e->parent].at, &origin);
    const int j = hol__robot_add_joint(im, e->name, e->element, e->kind, e->parent, e->child);
    t->joint[index] = j;
    if (j < 0) return;
    hol__robot_joint *joint = &robot->joints[j];
    memcpy(joint->at, child->at.r, sizeof joint->at);
    const int wants =
        e->kind == HOL__JOINT_HINGE || e->kind == HOL__JOINT_SLIDE || e->kind == HOL__JOINT_PLANAR;
    const hol__xml *axis = wants ? hol__xml_child(e->element, "axis") : NULL;
    double direction[3] = {1, 0, 0};
    if (axis) hol__xml_vector(im, axis, "xyz", 3, direction);
    const double length = hol__norm3(direction);
    if (!(length > 0)) {
        hol__import_error(im, axis, "xyz", "the axis has length 0; give a direction such as 0 0 1");
        return;
    }
    for (int i = 0; i < 3; i++) direction[i] /= length;
    hol__placement_turn(&child->at, direction, joint->axis);
    read_limits(im, e, j);
    read_dynamics(im, e, j);
}

/* ---- the tree ---- */

/* The one link without a parent; -1 after an error. */
static int find_root(const tree *t) {
    hol_import *im = t->im;
    int root = -1;
    for (int i = 0; i < im->robot.n_bodies; i++) {
        if (t->above[i] >= 0) continue;
        if (root >= 0) {
            hol__import_error(im, im->robot.bodies[i].element, NULL,
                              "the link has no parent, and neither has '%s': a URDF has one root; "
                              "join them",
                              im->robot.bodies[root].name);
            return -1;
        }
        root = i;
    }
    if (root < 0)
        hol__import_error(im, im->root, NULL,
                          "every link has a parent: the joints form a cycle, and none is the root");
    return root;
}

/* How the root link stands: on ground, or free. */
static void hold_root(hol_import *im, int root) {
    const hol__robot_body *b = &im->robot.bodies[root];
    const hol__joint_kind kind = im->how.floating ? HOL__JOINT_FREE : HOL__JOINT_FIXED;
    hol__robot_add_joint(im, hol__arena_format(&im->arena, "%s_on_ground", b->name), NULL, kind,
                         HOL__GROUND, root);
    if (b->mass > 0 || im->how.floating)
        hol__note(im, HOL_IMPORT_CHANGED, b->element, NULL,
                  im->how.floating ? "the root link moves freely, as was asked for"
                                   : "the root link is fixed to ground (--floating lets it move)");
}

/* Place all links from the root on; links that are not reached are in a cycle. */
static int walk(tree *t, int root) {
    hol_import *im = t->im;
    int *queue = HOL__NEW_N(&im->arena, int, im->robot.n_bodies);
    int head = 0, tail = 0;
    if (!queue) return 0;
    queue[tail++] = root;
    while (head < tail) {
        const int parent = queue[head++], first = tail;
        for (int e = t->first[parent]; e >= 0; e = t->edges[e].next) queue[tail++] = e;
        /* joints in the order of the file: the list has them backwards */
        for (int a = first, b = tail - 1; a < b; a++, b--) {
            const int swap = queue[a];
            queue[a] = queue[b], queue[b] = swap;
        }
        for (int i = first; i < tail; i++) {
            place(t, queue[i]);
            queue[i] = t->edges[queue[i]].child;
        }
    }
    if (tail == im->robot.n_bodies) return 1;
    for (int i = 0; i < t->n; i++)
        if (t->edges[i].parent >= 0 && t->joint[i] == 0 && i != t->above[root]) {
            hol__import_error(im, t->edges[i].element, NULL,
                              "its links are not connected with the root '%s': they are in a cycle",
                              im->robot.bodies[root].name);
            break;
        }
    return 0;
}

/* ---- joints that follow others ---- */

/* The joint that another one follows; -1: none. */
static int read_mimic(tree *t, const edge *e, double *factor, double *offset, hol__xml **mimic) {
    hol_import *im = t->im;
    const int moves = e->kind == HOL__JOINT_HINGE || e->kind == HOL__JOINT_SLIDE;
    *mimic = moves ? hol__xml_child(e->element, "mimic") : NULL;
    if (!*mimic) return -1;
    const char *name = hol__xml_value(*mimic, "joint");
    *factor = hol__xml_number(im, *mimic, "multiplier", 1);
    *offset = hol__xml_number(im, *mimic, "offset", 0);
    const int master = hol__robot_joint_named(&im->robot, name);
    if (master < 0) {
        hol__import_error(im, *mimic, "joint", "there is no joint '%s'", name ? name : "");
        return -1;
    }
    const hol__robot_joint *m = &im->robot.joints[master];
    if (m->kind == HOL__JOINT_HINGE || m->kind == HOL__JOINT_SLIDE) return master;
    hol__import_error(im, *mimic, "joint", "the joint '%s' has no coordinate to follow", name);
    return -1;
}

static void follow(tree *t) {
    for (int i = 0; i < t->n; i++) {
        double factor, offset;
        hol__xml *mimic;
        const int master = read_mimic(t, &t->edges[i], &factor, &offset, &mimic);
        if (master >= 0) hol__robot_follow(t->im, mimic, t->joint[i], master, factor, offset);
    }
}

/* ---- all ---- */

void hol__import_urdf(hol_import *im) {
    tree t = {.im = im};
    const char *name = hol__xml_value(im->root, "name");
    if (name && *name) hol_item_text(hol_spec_root(im->spec), "name", name);
    if (!hol__urdf_links(im) || !read_edges(&t)) return;
    const int root = find_root(&t);
    if (root < 0) return;
    hold_root(im, root);
    if (!walk(&t, root)) return;
    follow(&t);
    if (!hol__robot_settle(im)) return;
    hol__robot_write(im);
    hol__note(im, HOL_IMPORT_CHANGED, im->root, NULL,
              "URDF says nothing of gravity and of how long to run: 9.81 m/s^2 along -z, 1 s");
    hol__note_unused(im, im->root, hol__urdf_known);
}
