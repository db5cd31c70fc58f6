/* tree_span.c: choosing the spanning tree.
 *
 * The tree grows from ground (Prim): next comes the joint with the fewest velocities, of those the
 * nearest to ground, of those the first in the file. Such a tree has the fewest velocities of all,
 * and what it leaves out the fewest constraints: every joint that closes a loop has the fewest of
 * its loop, so that the closure has the fewest local coordinates, which [BL] asks for; nearest to
 * ground first means that loops are cut in the middle, which it recommends. Bodies that no such
 * joint connects to the tree hang on ground by a free motion, the heaviest first.
 *
 * Joints that have one body in the tree wait in a heap, so that the cost grows like n log n.
 */
#include "coords/tree.h"
#include "model/build.h"

#include <stdlib.h>

/* A point mass has translations along the global axes and nothing else: only the joint that keeps
 * its frame from turning can be its link. */
static int suits_point(const hol_model *model, const hol__element *joint, int body) {
    const hol__body *b = &model->bodies[body];
    const unsigned turns = model->dim == 2 ? HOL__RZ : HOL__RX | HOL__RY | HOL__RZ;
    return !b->point || b->motion || (joint->body[0] == model->nb && joint->lock == turns);
}

/* A slide along an axis of the first body that the second turns on: only that way round. */
static int is_one_way(const hol_model *model, unsigned move, hol__turn_kind turn) {
    return model->dim == 2 && turn == HOL__TURN_AXIS && move && move != (HOL__X | HOL__Y);
}

static int turn_velocities(const hol_model *model, hol__turn_kind turn) {
    static const int count[] = {0, 1, 2, 3};
    return model->dim == 2 && turn == HOL__TURN_BALL ? 1 : count[turn];
}

/* ---- joints that may come next ---- */

typedef struct edge {
    int joint, velocities, depth;
    unsigned move;
    hol__turn_kind turn;
} edge;

typedef struct growth {
    hol_model *model;
    hol__tree *tree;
    const unsigned char *cut;
    int *depth;        /* by body, -1 outside the tree */
    int *ptr, *joints; /* the joints of each body */
    int n;
    edge *heap; /* the best first; an edge stays until it is taken, also when both bodies are in */
    int base;   /* how many of the bodies by mass have been looked at */
    int *by_mass; /* bodies, the heaviest first, of equal ones the first in the file */
} growth;

/* Whether a comes before b. */
static int is_better(const edge *a, const edge *b) {
    if (a->velocities != b->velocities) return a->velocities < b->velocities;
    return a->depth != b->depth ? a->depth < b->depth : a->joint < b->joint;
}

static void push(growth *g, edge e) {
    int i = g->n++;
    for (; i > 0 && is_better(&e, &g->heap[(i - 1) / 2]); i = (i - 1) / 2)
        g->heap[i] = g->heap[(i - 1) / 2];
    g->heap[i] = e;
}

static edge pop(growth *g) {
    const edge best = g->heap[0], last = g->heap[--g->n];
    int i = 0;
    for (int child; (child = 2 * i + 1) < g->n; i = child) {
        if (child + 1 < g->n && is_better(&g->heap[child + 1], &g->heap[child])) child++;
        if (!is_better(&g->heap[child], &last)) break;
        g->heap[i] = g->heap[child];
    }
    g->heap[i] = last;
    return best;
}

/* Offer the joints between a body that has come into the tree and those outside. */
static void offer(growth *g, int body) {
    const hol_model *model = g->model;
    for (int p = g->ptr[body]; p < g->ptr[body + 1]; p++) {
        edge e = {.joint = g->joints[p], .depth = g->depth[body]};
        const hol__element *joint = &model->joints[e.joint];
        const int second = joint->body[1] == body, other = joint->body[!second];
        if (g->depth[other] >= 0 || (g->cut && g->cut[e.joint]) ||
            !hol__link_motion(model, joint, &e.move, &e.turn))
            continue;
        if (second && is_one_way(model, e.move, e.turn)) continue;
        if (!suits_point(model, joint, other)) continue;
        e.velocities = hol__count_bits(e.move) + turn_velocities(model, e.turn);
        push(g, e);
    }
}

/* The best joint between the tree and a body outside it; joint -1 when there is none. */
static edge next_edge(growth *g) {
    while (g->n) {
        const edge e = pop(g);
        const int *body = g->model->joints[e.joint].body;
        if ((g->depth[body[0]] < 0) != (g->depth[body[1]] < 0)) return e;
    }
    return (edge){.joint = -1};
}

/* The heaviest body outside the tree. */
static int next_base(growth *g) {
    while (g->depth[g->by_mass[g->base]] >= 0) g->base++;
    return g->by_mass[g->base];
}

/* ---- growing ---- */

/* The link of an edge, or of a body that moves freely; returns the body. */
static int add_link(growth *g, const edge *e, int body) {
    hol_model *model = g->model;
    hol__tree *tree = g->tree;
    int *depth = g->depth;
    hol__link *link = &tree->links[tree->n];
    int parent = model->nb;
    if (e->joint >= 0) {
        const hol__element *joint = &model->joints[e->joint];
        link->reversed = depth[joint->body[0]] < 0;
        body = joint->body[!link->reversed];
        parent = joint->body[link->reversed];
        tree->of_joint[e->joint] = tree->n;
        link->pitch = joint->pitch;
    }
    link->joint = e->joint;
    link->body = body;
    link->parent_body = parent;
    link->parent = parent == model->nb ? -1 : tree->of_body[parent];
    link->move = (unsigned char)e->move;
    link->turn = (unsigned char)e->turn;
    link->n_move = (unsigned char)hol__count_bits(e->move);
    link->nv = e->velocities;
    link->q = model->nq;
    link->v = model->nv;
    link->kind = link->nv != 1 || link->pitch != 0 ? HOL__LINK_GENERAL
                 : link->n_move                    ? HOL__LINK_PRISMATIC
                                                   : HOL__LINK_REVOLUTE;
    if (link->kind != HOL__LINK_REVOLUTE) tree->turning = 0;
    const int quaternion = model->dim == 3 && e->turn == HOL__TURN_BALL;
    if (quaternion) tree->plain = 0;
    model->nq += link->nv + quaternion;
    model->nv += link->nv;
    depth[body] = parent == model->nb ? 1 : depth[parent] + 1;
    tree->of_body[body] = tree->n++;
    return body;
}

static void grow(growth *g) {
    const hol_model *model = g->model;
    hol__tree *tree = g->tree;
    const unsigned all = model->dim == 2 ? HOL__X | HOL__Y : HOL__X | HOL__Y | HOL__Z;
    const hol__turn_kind ball = model->dim == 2 ? HOL__TURN_AXIS : HOL__TURN_BALL;
    for (int i = 0; i < model->nb; i++) g->depth[i] = -1;
    g->depth[model->nb] = 0;
    offer(g, model->nb);
    while (tree->n < model->nb) {
        edge e = next_edge(g);
        const int is_free = e.joint < 0;
        if (is_free) e = (edge){.joint = -1, .velocities = model->bw, .move = all, .turn = ball};
        offer(g, add_link(g, &e, is_free ? next_base(g) : -1));
    }
    for (int i = 0; i < tree->n; i++)
        if (tree->links[i].parent < 0) tree->links[i].parent = tree->n;
}

/* The joints of each body, in the order of the file. */
static void list_joints(growth *g) {
    const hol_model *model = g->model;
    for (int k = 0; k < model->n_joints; k++)
        for (int i = 0; i < 2; i++) g->ptr[model->joints[k].body[i] + 1]++;
    for (int i = 0; i <= model->nb; i++) g->ptr[i + 1] += g->ptr[i];
    for (int k = model->n_joints - 1; k >= 0; k--) /* from behind, so that ptr ends as it was */
        for (int i = 0; i < 2; i++) g->joints[--g->ptr[model->joints[k].body[i] + 1]] = k;
    for (int i = 0; i <= model->nb; i++) g->ptr[i] = g->ptr[i + 1];
    g->ptr[model->nb + 1] = 2 * model->n_joints;
}

typedef struct weighed {
    double mass;
    int body;
} weighed;

static int compare_mass(const void *a, const void *b) {
    const weighed *x = a, *y = b;
    if (x->mass != y->mass) return x->mass > y->mass ? -1 : 1;
    return (x->body > y->body) - (x->body < y->body);
}

/* The bodies, the heaviest first; 0 without memory. */
static int sort_by_mass(growth *g) {
    const int nb = g->model->nb;
    weighed *all = HOL__NEW_N(&g->model->arena, weighed, nb);
    if (!all) return 0;
    for (int i = 0; i < nb; i++) all[i] = (weighed){g->model->bodies[i].mass, i};
    qsort(all, (size_t)nb, sizeof *all, compare_mass);
    for (int i = 0; i < nb; i++) g->by_mass[i] = all[i].body;
    return 1;
}

hol_status hol__tree_span(hol_model *model, const unsigned char *cut) {
    hol__arena *arena = &model->arena;
    const int nb = model->nb, n_joints = model->n_joints;
    hol__tree *tree = HOL__NEW(arena, hol__tree);
    if (!tree) return HOL_ERR_MEMORY;
    tree->links = HOL__NEW_N(arena, hol__link, nb);
    tree->of_body = HOL__NEW_N(arena, int, nb + 1);
    tree->of_joint = HOL__NEW_N(arena, int, n_joints + 1);
    growth g = {.model = model,
                .tree = tree,
                .cut = cut,
                .depth = HOL__NEW_N(arena, int, nb + 1),
                .ptr = HOL__NEW_N(arena, int, nb + 2),
                .joints = HOL__NEW_N(arena, int, 2 * n_joints + 1),
                .heap = HOL__NEW_N(arena, edge, 2 * n_joints + 1),
                .by_mass = HOL__NEW_N(arena, int, nb)};
    if (arena->failed || !sort_by_mass(&g)) return HOL_ERR_MEMORY;
    for (int k = 0; k < n_joints; k++) tree->of_joint[k] = -1;
    tree->plain = tree->turning = 1;
    model->nq = model->nv = 0;
    list_joints(&g);
    grow(&g);
    model->tree = tree;
    return HOL_OK;
}
