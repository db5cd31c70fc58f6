/* local.c: records of local coordinates, and the matrices C, D and J at a state. See local.h. */
#include "base/argument.h"
#include "coords/local.h"

#include "base/give.h"
#include "coords/natural.h"
#include "coords/tree.h"
#include "element/primitives.h"
#include "model/build.h"

#include <string.h>

/* ---- records ---- */

/* The record of a primitive over the two bodies of a joint, in the model of local coordinates. */
static void *add_record(hol__build *build, const hol__element *joint, const hol__con_type *type,
                        int n_rows) {
    hol__element owner = *joint;
    owner.n_parts = 0;
    return hol__add_con(build, &owner, type, n_rows);
}

/* x = P2 - P1 */
static void add_gap(hol__build *build, const hol__element *joint) {
    if (build->model->dim == 2) {
        hol__point2 *rec = add_record(build, joint, &hol__con_point2, 2);
        for (int i = 0; rec && i < 2; i++)
            rec->s1[i] = joint->marker[0].s[i], rec->s2[i] = joint->marker[1].s[i];
        return;
    }
    hol__point3 *rec = add_record(build, joint, &hol__con_point3, 3);
    for (int i = 0; rec && i < 3; i++)
        rec->s1[i] = joint->marker[0].s[i], rec->s2[i] = joint->marker[1].s[i];
}

/* x = R1^T (P2 - P1), component by component */
static void add_seen(hol__build *build, const hol__element *joint) {
    const double *s1 = joint->marker[0].s, *s2 = joint->marker[1].s;
    for (int k = 0; k < build->model->dim; k++) {
        if (build->model->dim == 2) {
            hol__slide2 *rec = add_record(build, joint, &hol__con_slide2, 1);
            for (int i = 0; rec && i < 2; i++)
                rec->s1[i] = s1[i], rec->s2[i] = s2[i], rec->e[i] = i == k;
            continue;
        }
        hol__slide3 *rec = add_record(build, joint, &hol__con_slide3, 1);
        for (int i = 0; rec && i < 3; i++)
            rec->s1[i] = s1[i], rec->s2[i] = s2[i], rec->e[i] = i == k;
    }
}

static void add_turn(hol__build *build, const hol__element *joint) {
    hol__turn3 *rec = add_record(build, joint, &hol__con_turn3, 3);
    if (rec) memcpy(rec->F2, joint->marker[1].F, sizeof rec->F2);
}

/* A record of the model as it is. */
static void add_copy(hol__build *build, const hol_model *model, int batch, int record) {
    const hol__con_type *type = model->con_batches[batch].type;
    const hol__con *con = hol__con_record(&model->con_batches[batch], record);
    void *rec = add_record(build, &model->joints[con->element], type, con->n_rows);
    if (rec) memcpy(rec, con, type->size);
}

/* The first record of the batch of that type that belongs to an element; its row. */
static int row_of(const hol_model *x, const hol__con_type *type, int element, int k) {
    for (int i = 0; i < x->n_con_batches; i++)
        for (int r = 0; x->con_batches[i].type == type && r < x->con_batches[i].count; r++) {
            const hol__con *con = hol__con_record(&x->con_batches[i], r);
            if (con->element == element && k-- == 0) return con->row;
        }
    return -1;
}

/* ---- points ---- */

/* Whether the rows of a primitive are their own coordinates. */
static int is_own(const hol__con_type *type) {
    return !type->local || type->local->space == HOL__LOCAL_ROW;
}

/* The primitive that makes the coordinates of a space. */
static const hol__con_type *primitive_of(const hol_model *model, hol__local_space space) {
    const int plane = model->dim == 2;
    if (space == HOL__LOCAL_TURN) return &hol__con_turn3;
    if (space == HOL__LOCAL_GAP) return plane ? &hol__con_point2 : &hol__con_point3;
    return plane ? &hol__con_slide2 : &hol__con_slide3;
}

/* The point that the rows of a record belong to, made with its records when it is not there. */
static hol__local_point *find_point(hol__local *l, hol__build *build, const hol__con *con,
                                    const hol__local_type *type) {
    const hol__element *joint = &l->model->joints[con->element];
    for (int i = 0; i < l->blocks.n_blocks; i++)
        if (l->point[i].element == con->element && l->point[i].type &&
            l->point[i].type->space == type->space)
            return &l->point[i];
    hol__local_point *point = &l->point[l->blocks.n_blocks];
    hol__block *block = &l->blocks.block[l->blocks.n_blocks++];
    *point = (hol__local_point){.element = con->element, .type = type};
    block->n = type->space == HOL__LOCAL_TURN ? 3 : l->model->dim;
    if (type->space == HOL__LOCAL_GAP) add_gap(build, joint);
    if (type->space == HOL__LOCAL_SEEN) add_seen(build, joint);
    if (type->space == HOL__LOCAL_TURN) add_turn(build, joint);
    return point;
}

/* Add the rows of a record to its point. */
static void take_record(hol__local *l, hol__build *build, int batch, int record) {
    const hol__con_type *type = l->model->con_batches[batch].type;
    const hol__con *con = hol__con_record(&l->model->con_batches[batch], record);
    if (is_own(type)) {
        add_copy(build, l->model, batch, record);
        return;
    }
    hol__local_point *point = find_point(l, build, con, type->local);
    hol__block *block = &l->blocks.block[point - l->point];
    point->part[point->n_records].batch = batch;
    point->part[point->n_records].record = record;
    point->part[point->n_records++].C = block->m * block->n;
    for (int k = 0; k < con->n_rows; k++) block->row[block->m++] = con->row + k;
}

/* Rows that are their own coordinates: m = n = 1. */
static void own_point(hol__local *l, int element, const hol__local_type *type, int row, int x) {
    l->point[l->blocks.n_blocks] = (hol__local_point){.element = element, .type = type};
    l->blocks.block[l->blocks.n_blocks++] = (hol__block){.m = 1, .n = 1, .row = {row}, .x = x};
}

/* What stands where in x, now that its rows are laid. */
static void place_points(hol__local *l) {
    const hol_model *m = l->model;
    int *next = HOL__NEW_N(&l->x.arena, int, m->n_joints + 1);
    if (!next) return;
    for (int i = 0; i < l->blocks.n_blocks; i++) {
        const hol__local_point *p = &l->point[i];
        l->blocks.block[i].x = row_of(&l->x, primitive_of(m, p->type->space), p->element, 0);
    }
    for (int b = 0; b < m->n_con_batches; b++) {
        const hol__con_type *type = m->con_batches[b].type;
        if (!is_own(type)) continue;
        memset(next, 0, sizeof *next * (size_t)(m->n_joints + 1));
        for (int r = 0; r < m->con_batches[b].count; r++) {
            const hol__con *con = hol__con_record(&m->con_batches[b], r);
            const int x = row_of(&l->x, type, con->element, next[con->element]++);
            for (int k = 0; k < con->n_rows; k++)
                own_point(l, con->element, type->local, con->row + k, x + k);
        }
    }
    const hol__maps *maps = m->coords->maps;
    const int own = maps && maps->own_row ? m->items->n_rigid : 0;
    for (int i = 0; i < own; i++)
        own_point(l, -1, NULL, m->items->first_rigid + i, l->x.items->first_rigid + i);
}

/* ---- life ---- */

/* What laying rows writes is the new model's own. */
static void own_maps(hol__local *l) {
    const hol_model *m = l->model;
    hol__tree *tree = m->tree ? HOL__NEW(&l->x.arena, hol__tree) : NULL;
    hol__items *items = m->items ? HOL__NEW(&l->x.arena, hol__items) : NULL;
    if (tree) *tree = *m->tree, tree->n_maps = 0;
    if (items) *items = *m->items, items->n_maps = items->n_rigid = 0;
    l->x.tree = tree;
    l->x.items = items;
}

/* The rows of the local coordinates. */
static hol_status make_rows(hol__local *l) {
    const hol_model *m = l->model;
    hol__build *build = hol__alloc(l->x.arena.ctx, 1, sizeof *build);
    if (!build) return HOL_ERR_MEMORY;
    *build = (hol__build){.ctx = l->x.arena.ctx, .arena = &l->x.arena, .model = &l->x};
    l->x.con_batches = NULL;
    l->x.n_con_batches = 0;
    own_maps(l);
    for (int i = 0; i < m->n_con_batches; i++)
        for (int k = 0; k < m->con_batches[i].count; k++) take_record(l, build, i, k);
    hol__release(l->x.arena.ctx, build);
    int first_own;
    return l->x.arena.failed ? HOL_ERR_MEMORY : hol__lay_rows(&l->x, &first_own);
}

/* Values of C, D, J and G. */
static void make_values(hol__local *l) {
    hol__arena *arena = &l->x.arena;
    hol__blocks *blocks = &l->blocks;
    int n_C = 0, n_D = 0;
    for (int i = 0; i < blocks->n_blocks; i++) {
        hol__block *b = &blocks->block[i];
        b->C = n_C, b->D = n_D;
        n_C += b->m * b->n, n_D += b->n * (b->n - b->m);
    }
    blocks->m = l->model->m;
    blocks->k = l->x.m;
    blocks->C = HOL__NEW_N(arena, double, n_C + 1);
    blocks->D = HOL__NEW_N(arena, double, n_D + 1);
    blocks->J = l->x.A;
    blocks->J.x = HOL__NEW_N(arena, double, l->x.A.ptr[l->x.m] + 1);
    l->G = l->model->coords->maps ? HOL__NEW_N(arena, double, l->x.G.ptr[l->x.m] + 1) : blocks->J.x;
    l->Phi = HOL__NEW_N(arena, double, l->x.m + 1);
    for (int i = 0; blocks->C && i < blocks->n_blocks; i++)
        if (!l->point[i].n_records) blocks->C[blocks->block[i].C] = 1;
}

hol__local *hol__local_new(hol_context *ctx, const hol_model *model) {
    hol__local *l = hol__alloc(ctx, 1, sizeof *l);
    if (!l) return NULL;
    l->x = *model;
    l->model = model;
    hol__arena_init(&l->x.arena, ctx);
    l->point = HOL__NEW_N(&l->x.arena, hol__local_point, model->m + 1);
    l->blocks.block = HOL__NEW_N(&l->x.arena, hol__block, model->m + 1);
    if (!l->x.arena.failed && make_rows(l) == HOL_OK) {
        place_points(l);
        make_values(l);
        if (!l->x.arena.failed) return l;
    }
    hol__local_free(l);
    return NULL;
}

void hol__local_free(hol__local *local) {
    if (!local) return;
    hol_context *ctx = local->x.arena.ctx;
    hol__arena_free(&local->x.arena);
    hol__release(ctx, local);
}

/* ---- in symbols ---- */

hol_status hol_model_local_point(hol_context *ctx, const hol_model *model, int i,
                                 hol_local_point *out) {
    if (!ctx || hol__need(ctx, "hol_model_local_point", "the model", model))
        return HOL_ERR_ARGUMENT;
    hol__local *l = hol__local_new(ctx, model);
    if (!l) return HOL_ERR_MEMORY;
    hol_status status = HOL_ERR_ARGUMENT;
    if (i >= 0 && i < l->blocks.n_blocks) {
        const hol__block *b = &l->blocks.block[i];
        const hol__local_type *type = l->point[i].type;
        const hol_local_point point = {.element = model->rows[b->row[0]].element,
                                       .n_constraints = b->m,
                                       .n_coordinates = b->n,
                                       .x = type ? type->x : "the row itself",
                                       .C = type ? type->C : "1",
                                       .D = hol__block_complement_text(b->m, b->n)};
        status = hol__give(ctx, "hol_model_local_point", &point, sizeof point, out);
    }
    hol__local_free(l);
    return status;
}

/* ---- values ---- */

/* J over the velocities of the model. */
static void fill_jacobian(hol__local *l, const hol__con_args *args, const double *q,
                          const double *work) {
    const hol__maps *maps = l->x.coords->maps;
    hol__con_args own = *args;
    own.want = HOL__WANT_POS;
    own.Phi = l->Phi;
    own.A = l->G;
    for (int i = 0; i < l->x.n_con_batches; i++) {
        const hol__con_batch *batch = &l->x.con_batches[i];
        batch->type->fill(batch->records, batch->count, &own);
    }
    if (!maps) return;
    maps->rows(&l->x, &own.bodies, work, l->G, NULL, l->blocks.J.x);
    if (maps->own_row) maps->own_position(&l->x, q, l->Phi, l->blocks.J.x);
}

void hol__local_fill(hol__local *l, const hol__con_args *args, const double *q,
                     const double *work) {
    fill_jacobian(l, args, q, work);
    for (int i = 0; i < l->blocks.n_blocks; i++) {
        const hol__local_point *p = &l->point[i];
        const hol__block *b = &l->blocks.block[i];
        double *C = l->blocks.C + b->C;
        for (int k = 0; k < p->n_records; k++) {
            const hol__con_batch *batch = &l->model->con_batches[p->part[k].batch];
            batch->type->local->rows(hol__con_record(batch, p->part[k].record),
                                     l->model->joints[p->element].marker, args, C + p->part[k].C);
        }
        hol__block_complement(b->m, b->n, C, l->blocks.D + b->D);
    }
}
