/* sdf_joints.c: joints of SDFormat between links in any order: a tree from the ground outwards, and
 * joints that close loops.
 *
 * A joint may hold the tree by either end. Seen from its child it turns the other way: with the
 * bodies exchanged and the axis reversed its coordinate is the same. One with two axes is two
 * hinges with a link of next to no mass between them.
 */
#include "exchange/sdf.h"

#include <string.h>

typedef struct graph {
    hol__sdf *s;
    int n, room;
    hol__sdf_edge *edges;
    int n_bodies;
    int *first, *last; /* edge at each body, the ground behind all; an edge e is 2 e + end */
    char *seen, *is_child;
    int *queue, head, tail;
} graph;

/* ---- edges ---- */

static void add_edge(graph *g, hol__sdf_entry *entry, hol__joint_kind kind, int which, int parent,
                     int child) {
    hol__sdf_edge *grown =
        hol__arena_grow(&g->s->im->arena, g->edges, sizeof *grown, g->n, &g->room, g->n + 1);
    if (!grown) return;
    g->edges = grown;
    grown[g->n++] = (hol__sdf_edge){.entry = entry,
                                    .kind = kind,
                                    .which = which,
                                    .parent = parent,
                                    .child = child,
                                    .next = {-1, -1}};
}

/* The body that <parent> or <child> names; -2 after an error. */
static int read_end(graph *g, const hol__sdf_entry *entry, const char *which) {
    const hol__xml *end = hol__xml_child(entry->element, which);
    const char *name = hol__sdf_text(g->s->im, entry->element, which);
    if (!name || !*name) {
        hol__import_error(g->s->im, end ? end : entry->element, NULL, "the joint has no <%s>",
                          which);
        return -2;
    }
    return hol__sdf_body(g->s, entry->scope, end, name);
}

/* Two hinges with a link between them. */
static void add_two(graph *g, hol__sdf_entry *entry, int parent, int child) {
    hol_import *im = g->s->im;
    const hol__placement at = hol__sdf_at(g->s, entry);
    const int link = hol__robot_add_link(
        im, hol__arena_format(&im->arena, "%s_link", hol__sdf_called(g->s, entry)), entry->element,
        &at);
    if (link < 0) return;
    add_edge(g, entry, HOL__JOINT_HINGE, 0, parent, link);
    add_edge(g, entry, HOL__JOINT_HINGE, 1, link, child);
    hol__note(im, HOL_IMPORT_CHANGED, entry->element, NULL,
              "it is two revolute joints with a body between them that has next to no mass");
}

static void read_joint(hol__sdf *s, hol__sdf_entry *entry, void *user) {
    static const struct {
        const char *name;
        hol__joint_kind kind;
    } kinds[] = {{"revolute", HOL__JOINT_HINGE},  {"continuous", HOL__JOINT_HINGE},
                 {"prismatic", HOL__JOINT_SLIDE}, {"fixed", HOL__JOINT_FIXED},
                 {"ball", HOL__JOINT_BALL},       {"screw", HOL__JOINT_SCREW},
                 {"universal", HOL__JOINT_FREE},  {"revolute2", HOL__JOINT_FREE}};
    graph *g = user;
    const char *type = hol__xml_value(entry->element, "type");
    const int parent = read_end(g, entry, "parent"), child = read_end(g, entry, "child");
    if (parent == -2 || child == -2) return;
    if (parent == child) {
        hol__import_error(s->im, entry->element, NULL, "it joins a link with itself");
        return;
    }
    for (size_t i = 0; type && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(type, kinds[i].name) != 0) continue;
        if (kinds[i].kind == HOL__JOINT_FREE)
            add_two(g, entry, parent, child);
        else
            add_edge(g, entry, kinds[i].kind, 0, parent, child);
        return;
    }
    if (type && strcmp(type, "gearbox") == 0) return;
    hol__import_error(s->im, entry->element, type ? "type" : NULL,
                      "the type '%s' is not one of revolute, continuous, prismatic, fixed, ball, "
                      "screw, universal, revolute2, gearbox",
                      type ? type : "");
}

/* Put an end of an edge behind those of its body. */
static void hang(graph *g, int edge, int end) {
    const int body = end ? g->edges[edge].child : g->edges[edge].parent;
    const int at = body < 0 ? g->n_bodies : body, last = g->last[at];
    if (last < 0)
        g->first[at] = 2 * edge + end;
    else
        g->edges[last / 2].next[last % 2] = 2 * edge + end;
    g->last[at] = 2 * edge + end;
}

/* Memory for the bodies and their edges; 0 without. */
static int connect(graph *g) {
    hol__arena *arena = &g->s->im->arena;
    const int n = g->n_bodies = g->s->im->robot.n_bodies;
    g->first = HOL__NEW_N(arena, int, n + 1);
    g->last = HOL__NEW_N(arena, int, n + 1);
    g->seen = HOL__NEW_N(arena, char, n + 1);
    g->is_child = HOL__NEW_N(arena, char, n + 1);
    g->queue = HOL__NEW_N(arena, int, n + 1);
    if (!g->first || !g->last || !g->seen || !g->is_child || !g->queue) return 0;
    for (int i = 0; i <= n; i++) g->first[i] = g->last[i] = -1;
    for (int e = 0; e < g->n; e++) {
        hang(g, e, 0), hang(g, e, 1);
        if (g->edges[e].child >= 0) g->is_child[g->edges[e].child] = 1;
    }
    return 1;
}

/* ---- the tree ---- */

/* Whether a body stands on ground: the ground itself, a link of a static model. */
static int stands(const graph *g, const char *is_static, int body) {
    return body < 0 || body == g->n_bodies || is_static[body];
}

/* Make the joint of an edge that is reached from a body. */
static void make_joint(graph *g, hol__sdf_edge *edge, int reversed, int closes) {
    hol_import *im = g->s->im;
    hol__sdf_entry *entry = edge->entry;
    const char *name = hol__sdf_called(g->s, entry);
    if (edge->which) name = hol__arena_format(&im->arena, "%s_axis2", name);
    const int j =
        hol__robot_add_joint(im, name, entry->element, edge->kind, edge->parent, edge->child);
    if (j < 0) return;
    const hol__placement at = hol__sdf_at(g->s, entry);
    entry->joint[edge->which] = j;
    memcpy(im->robot.joints[j].at, at.r, sizeof at.r);
    im->robot.joints[j].closes = closes;
    hol__sdf_axis(g->s, edge, j);
    hol__robot_joint *joint = &im->robot.joints[j];
    if (closes) hol__note(im, HOL_IMPORT_CHANGED, entry->element, NULL, "it closes a loop (cut)");
    if (!reversed) return;
    joint->parent = edge->child, joint->child = edge->parent;
    for (int i = 0; i < 3; i++) joint->axis[i] = -joint->axis[i];
}

/* Follow the edges of all bodies in the queue. */
static void spread(graph *g, const char *is_static) {
    while (g->head < g->tail) {
        const int body = g->queue[g->head++];
        for (int k = g->first[body]; k >= 0; k = g->edges[k / 2].next[k % 2]) {
            hol__sdf_edge *edge = &g->edges[k / 2];
            const int far = k % 2 ? edge->parent : edge->child, to = far < 0 ? g->n_bodies : far;
            if (edge->done) continue;
            edge->done = 1;
            if (stands(g, is_static, body) && stands(g, is_static, to)) {
                hol__note(g->s->im, HOL_IMPORT_NO_EFFECT, edge->entry->element, NULL,
                          "it joins links that stand still");
                hol__xml_cover(edge->entry->element);
                continue;
            }
            make_joint(g, edge, k % 2 && !g->seen[to], g->seen[to]);
            if (!g->seen[to]) g->queue[g->tail++] = to;
            g->seen[to] = 1;
        }
    }
}

/* Begin a tree at a body, which stands on ground or moves freely. */
static void begin(graph *g, int body, hol__joint_kind kind) {
    hol_import *im = g->s->im;
    const hol__robot_body *b = &im->robot.bodies[body];
    const char *name =
        kind == HOL__JOINT_FIXED ? hol__arena_format(&im->arena, "%s_on_ground", b->name) : NULL;
    const int j = hol__robot_add_joint(im, name, NULL, kind, HOL__GROUND, body);
    if (j >= 0) memcpy(im->robot.joints[j].at, b->at.r, sizeof b->at.r);
    g->seen[body] = 1;
    g->queue[g->tail++] = body;
}

/* Links of static models. */
static void mark_static(hol__sdf *s, hol__sdf_entry *entry, void *user) {
    (void)s;
    if (entry->body >= 0) ((char *)user)[entry->body] = (char)entry->scope->is_static;
}

void hol__sdf_joints(hol__sdf *s) {
    graph g = {.s = s};
    const int errors = hol_message_count_of(s->im->ctx, HOL_ERROR);
    hol__sdf_each(s, s->world, HOL__SDF_JOINT, read_joint, &g);
    char *is_static = HOL__NEW_N(&s->im->arena, char, s->im->robot.n_bodies + 1);
    if (hol_message_count_of(s->im->ctx, HOL_ERROR) != errors || !is_static || !connect(&g)) return;
    hol__sdf_each(s, s->world, HOL__SDF_LINK, mark_static, is_static);
    g.seen[g.n_bodies] = 1;
    g.queue[g.tail++] = g.n_bodies;
    for (int i = 0; i < g.n_bodies; i++)
        if (is_static[i]) begin(&g, i, HOL__JOINT_FIXED);
    spread(&g, is_static);
    for (int pass = 0; pass < 2; pass++) /* first those that no joint holds */
        for (int i = 0; i < g.n_bodies; i++) {
            if (g.seen[i] || (!pass && g.is_child[i])) continue;
            begin(&g, i, HOL__JOINT_FREE);
            spread(&g, is_static);
        }
}
