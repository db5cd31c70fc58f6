/* cut.c: which rows close the loops, and why. See cut.h. */
#include "base/argument.h"
#include "coords/cut.h"

#include "base/give.h"
#include "coords/natural.h"
#include "coords/tree.h"

#include <stdio.h>
#include <string.h>

typedef struct cutter {
    hol__cuts *cuts;
    const hol_model *model;
    hol_model span;     /* of reference-point coordinates, with a tree */
    int *rows_of_joint; /* how many of its rows are cut, by joint … */
    int *rows_of_body;  /* … and of its rigid-body rows, by body */
    int *closed_by;     /* by body: the joint that closes its loop, -1 */
} cutter;

/* ---- the tree ---- */

static int carries(const hol__carried *b, int item) {
    for (int k = 0; k < b->n; k++)
        if (b->item[k] == item) return 1;
    return 0;
}

/* A body that is cut stays in the chain with one item, the free one that most bodies have. */
static int kept_item(const hol_model *model, int body) {
    const hol__items *nat = model->items;
    const hol__carried *b = &nat->carried[body];
    int kept = -1, most = 0;
    for (int k = 0; k < b->n; k++) {
        int n = 0;
        for (int i = 0; i < model->nb; i++) n += carries(&nat->carried[i], b->item[k]);
        if (b->item[k] < nat->n_free && n > most) kept = b->item[k], most = n;
    }
    return kept;
}

/* Whether a joint must not be a link: it is cut, or a body of it is and has been opened there. */
static int is_cut(const cutter *c, int joint) {
    const hol__element *e = &c->span.joints[joint];
    const hol_model *m = c->model;
    int cut = e->cut;
    for (int i = 0; i < 2 && m->items; i++) {
        const int body = e->body[i], other = e->body[!i];
        if (body == m->nb || !m->bodies[body].cut) continue;
        cut |= other == m->nb || !carries(&m->items->carried[other], kept_item(m, body));
    }
    return cut;
}

/* The tree of the same mechanism in reference-point coordinates, whose joints have all their
 * records. */
static hol_status make_tree(cutter *c) {
    const hol_model *reference = c->model->reference ? c->model->reference : c->model;
    c->span = *reference;
    c->span.arena = c->cuts->arena;
    unsigned char *cut = HOL__NEW_N(&c->span.arena, unsigned char, reference->n_joints + 1);
    for (int k = 0; cut && k < reference->n_joints; k++) cut[k] = (unsigned char)is_cut(c, k);
    const hol_status status = cut ? hol__tree_span(&c->span, cut) : HOL_ERR_MEMORY;
    c->cuts->arena = c->span.arena;
    return status;
}

static int depth_of(const cutter *c, int body) {
    const hol__tree *tree = c->span.tree;
    int depth = 0;
    if (body == c->span.nb) return 0;
    for (int link = tree->of_body[body]; link < tree->n; link = tree->links[link].parent) depth++;
    return depth;
}

/* ---- rows ---- */

static void cut_row(cutter *c, int row) {
    const int joint = c->model->row_joint[row];
    if (c->cuts->row[row]) return;
    c->cuts->row[row] = 1;
    if (joint >= 0)
        c->rows_of_joint[joint]++;
    else
        c->rows_of_body[c->model->items->rigid[row - c->model->items->first_rigid].body]++;
}

/* The body that stands for the part of the mechanism that a body belongs to. */
static int part_of(int *root, int body) {
    while (root[body] != body) body = root[body];
    return body;
}

/* Massless rods (distances) carry the chain too, but in relative coordinates: those that lead on to
 * what nothing else connects are open. open: by joint. */
static void open_rods(cutter *c, unsigned char *open, int *root) {
    const hol__tree *tree = c->span.tree;
    for (int i = 0; i <= c->span.nb; i++) root[i] = i;
    for (int i = 0; i < tree->n; i++)
        if (tree->links[i].joint >= 0 && !c->span.bodies[tree->links[i].body].point)
            root[part_of(root, tree->links[i].body)] = part_of(root, tree->links[i].parent_body);
    for (int k = 0; k < c->span.n_joints; k++) {
        const hol__element *e = &c->span.joints[k];
        open[k] = tree->of_joint[k] >= 0;
        if (strcmp(e->type->name, "distance") != 0 || is_cut(c, k)) continue;
        const int a = part_of(root, e->body[0]), b = part_of(root, e->body[1]);
        open[k] = a != b && !c->model->tree;
        root[a] = b;
    }
}

/* Rows of joints that are not in the open chain. */
static hol_status cut_joints(cutter *c) {
    const hol_model *m = c->model;
    unsigned char *open = HOL__NEW_N(&c->cuts->arena, unsigned char, m->n_joints + 1);
    int *root = HOL__NEW_N(&c->cuts->arena, int, m->nb + 1);
    if (!open || !root) return HOL_ERR_MEMORY;
    open_rods(c, open, root);
    for (int i = 0; i < m->m; i++)
        if (m->row_joint[i] >= 0 && (i >= m->mh || !open[m->row_joint[i]])) cut_row(c, i);
    return HOL_OK;
}

/* Whether an item of a body belongs to the other body of the joint too: it has it, or (ground) the
 * item is fixed. */
static int is_shared(const cutter *c, int item, int other) {
    const hol__items *nat = c->model->items;
    return other == c->model->nb ? item >= nat->n_free : carries(&nat->carried[other], item);
}

/* Whether an own row of a body is between items that it shares with the other body and ones that
 * it does not. */
static int is_between(const cutter *c, const hol__rigid *r, int other) {
    const hol__carried *b = &c->model->items->carried[r->body];
    const int based = b->by_point[r->a] || b->by_point[r->b];
    const int items[3] = {b->item[r->a], b->item[r->b], based ? b->item[0] : b->item[r->a]};
    int in = 0, out = 0;
    for (int i = 0; i < 3; i++)
        if (is_shared(c, items[i], other))
            in = 1;
        else
            out = 1;
    return in && out;
}

/* Natural coordinates: the rigid-body rows of bodies that are cut, and of those at which a loop is
 * closed by sharing. */
static void cut_bodies(cutter *c) {
    const hol_model *m = c->model;
    const hol__items *nat = m->items;
    for (int i = 0; i < nat->n_rigid; i++)
        if (m->bodies[nat->rigid[i].body].cut) cut_row(c, nat->first_rigid + i);
    for (int k = 0; k < m->n_joints; k++) {
        const hol__element *joint = &m->joints[k];
        if (c->span.tree->of_joint[k] >= 0 || is_cut(c, k) || !(joint->lock & 63)) continue;
        int second = depth_of(c, joint->body[1]) >= depth_of(c, joint->body[0]);
        if (joint->body[second] < m->nb && m->bodies[joint->body[second]].cut) second = !second;
        const int body = joint->body[second], other = joint->body[!second];
        for (int i = 0; i < nat->n_rigid; i++) {
            if (nat->rigid[i].body != body || !is_between(c, &nat->rigid[i], other)) continue;
            cut_row(c, nat->first_rigid + i);
            c->closed_by[body] = k;
        }
    }
}

/* ---- reasons ---- */

static void add_cut(cutter *c, const char *element, const char *reason, int rows,
                    hol_location where) {
    hol_cut *cut = &c->cuts->cut[c->cuts->n++];
    *cut = (hol_cut){.size = sizeof *cut, .element = element, .n_rows = rows, .where = where};
    snprintf(cut->reason, sizeof cut->reason, "%s", reason);
}

/* Why a joint closes a loop. */
static const char *reason_of(const cutter *c, int joint) {
    const hol__element *e = &c->span.joints[joint];
    unsigned move;
    hol__turn_kind turn;
    if (e->cut) return "given: cut";
    if (is_cut(c, joint)) return "a body of it is cut";
    if (!hol__link_motion(&c->span, e, &move, &turn))
        return "joints of this type cannot be part of the tree";
    return "of the joints in its loop the one with the fewest constraints, then the farthest "
           "from ground";
}

static void list_cuts(cutter *c) {
    const hol_model *m = c->model;
    for (int k = 0; k < m->n_joints; k++)
        if (c->rows_of_joint[k])
            add_cut(c, m->joints[k].label, reason_of(c, k), c->rows_of_joint[k],
                    m->joints[k].where);
    for (int i = 0; i < m->nb; i++) {
        if (!c->rows_of_body[i]) continue;
        char reason[sizeof c->cuts->cut->reason] = "given: cut";
        if (!m->bodies[i].cut)
            snprintf(reason, sizeof reason, "rigid-body constraints that close the loop at %s",
                     m->joints[c->closed_by[i]].label);
        add_cut(c, m->bodies[i].label, reason, c->rows_of_body[i], m->bodies[i].where);
    }
}

/* ---- life ---- */

static hol_status find_cuts(cutter *c) {
    const hol_model *m = c->model;
    hol__arena *arena = &c->cuts->arena;
    c->cuts->row = HOL__NEW_N(arena, unsigned char, m->m + 1);
    c->cuts->cut = HOL__NEW_N(arena, hol_cut, m->n_joints + m->nb + 1);
    c->rows_of_joint = HOL__NEW_N(arena, int, m->n_joints + 1);
    c->rows_of_body = HOL__NEW_N(arena, int, m->nb + 1);
    c->closed_by = HOL__NEW_N(arena, int, m->nb + 1);
    if (arena->failed || make_tree(c) || cut_joints(c)) return HOL_ERR_MEMORY;
    if (m->items) cut_bodies(c);
    list_cuts(c);
    return arena->failed ? HOL_ERR_MEMORY : HOL_OK;
}

hol__cuts *hol__cuts_new(hol_context *ctx, const hol_model *model) {
    hol__cuts *cuts = hol__alloc(ctx, 1, sizeof *cuts);
    if (!cuts) return NULL;
    hol__arena_init(&cuts->arena, ctx);
    cutter c = {.cuts = cuts, .model = model};
    if (find_cuts(&c) == HOL_OK) return cuts;
    hol__cuts_free(cuts);
    return NULL;
}

void hol__cuts_free(hol__cuts *cuts) {
    if (!cuts) return;
    hol_context *ctx = cuts->arena.ctx;
    hol__arena_free(&cuts->arena);
    hol__release(ctx, cuts);
}

hol_status hol_model_cut(hol_context *ctx, const hol_model *model, int i, hol_cut *out) {
    if (!ctx || hol__need(ctx, "hol_model_cut", "the model", model)) return HOL_ERR_ARGUMENT;
    hol__cuts *cuts = hol__cuts_new(ctx, model);
    if (!cuts) return HOL_ERR_MEMORY;
    const hol_status status = i < 0 || i >= cuts->n ? HOL_ERR_ARGUMENT
                                                    : hol__give(ctx, "hol_model_cut", &cuts->cut[i],
                                                                sizeof cuts->cut[i], out);
    hol__cuts_free(cuts);
    return status;
}
