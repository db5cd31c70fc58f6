/* natural_rows.c: constraint rows of natural coordinates: the rigid bodies' own ones, and the
 * pattern of all.
 *
 *     own       Phi = sigma (d_a . d_b - kappa)
 *               A: sigma d_b on item a, sigma d_a on item b, the opposite on the base of point legs
 *               c   = -2 sigma d_a' . d_b'          A': the same with d'
 *     joints    columns of base, leg 1 and leg 2 of each body (natural_planar.c, natural_spatial.c)
 *
 * Rows that two bodies have in common (the length of a shared vector or segment) are made once;
 * rows among fixed items are none.
 */
#include "coords/natural.h"
#include "math/vec3.h"

#include <stdint.h>
#include <string.h>

/* ---- own rows ---- */

static int is_free(const hol__items *nat, int item) {
    return item < nat->n_free;
}

/* Whether leg k of a body moves. */
static int leg_moves(const hol__items *nat, const hol__carried *b, int k) {
    return is_free(nat, b->item[k]) || (b->by_point[k] && is_free(nat, b->item[0]));
}

/* Two numbers that name a leg whatever the body: its item and base, in order. */
static void leg_key(const hol__carried *b, int k, int key[2]) {
    const int x = b->item[k], y = b->by_point[k] ? b->item[0] : -1;
    key[0] = x < y ? x : y;
    key[1] = x < y ? y : x;
}

static int same_leg(const int a[2], const int b[2]) {
    return a[0] == b[0] && a[1] == b[1];
}

/* The rows found so far, in a list for each of the items: the last row of an item, and the one
 * before it among those of its item; -1: none. */
typedef struct known_rows {
    int *last, *before;
} known_rows;

/* The item under which the product of two legs is kept, whichever body has it. */
static int kept_under(const hol__carried *b, int k, int l) {
    int x[2], y[2];
    leg_key(b, k, x);
    leg_key(b, l, y);
    return x[1] > y[1] ? x[1] : y[1];
}

/* Whether an earlier row holds the same product of the same two legs. */
static int is_known(const hol__items *nat, const known_rows *rows, const hol__carried *b, int k,
                    int l) {
    int a1[2], b1[2], a2[2], b2[2];
    leg_key(b, k, a1);
    leg_key(b, l, b1);
    for (int i = rows->last[kept_under(b, k, l)]; i >= 0; i = rows->before[i]) {
        const hol__rigid *r = &nat->rigid[i];
        const hol__carried *other = &nat->carried[r->body];
        leg_key(other, r->a, a2);
        leg_key(other, r->b, b2);
        if ((same_leg(a1, a2) && same_leg(b1, b2)) || (same_leg(a1, b2) && same_leg(b1, a2)))
            return 1;
    }
    return 0;
}

/* The radius of gyration of a body about its base point: how far its mass is from where the vectors
 * turn it. */
static double gyration(const hol_model *model, int body) {
    const hol__body *x = &model->bodies[body];
    const double *s = model->items->carried[body].s,
                 J = model->dim == 2 ? x->inertia : 0.5 * (x->J[0] + x->J[4] + x->J[8]),
                 own = x->mass > 0 && J > 0 ? sqrt(J / x->mass) : 0,
                 radius = x->mass > 0 ? hypot(own, hypot(s[0], hypot(s[1], s[2]))) : 0;
    return radius > 0 ? radius : model->length;
}

/* sigma: every row is a length, so that penalties weigh them alike; angles of vectors count with
 * the radius of gyration about the base point. */
static double row_scale(const hol_model *model, int body, int k, int l) {
    const hol__carried *b = &model->items->carried[body];
    const double Lk = hol__norm3(b->leg[k]), Ll = hol__norm3(b->leg[l]);
    const int points = b->by_point[k] + b->by_point[l];
    const double scale = points == 2 ? 1 / fmax(Lk, Ll) : points == 0 ? gyration(model, body) : 1;
    return k == l ? 0.5 * scale : scale;
}

/* The own rows of one body that no other has in common with it. */
static void add_own_rows(const hol_model *model, hol__items *nat, known_rows *rows, int body) {
    const hol__carried *b = &nat->carried[body];
    for (int k = 1; k < b->n; k++)
        for (int l = k; l < b->n; l++) {
            if (!leg_moves(nat, b, k) && !leg_moves(nat, b, l)) continue;
            if (is_known(nat, rows, b, k, l)) continue;
            int *last = &rows->last[kept_under(b, k, l)];
            rows->before[nat->n_rigid] = *last;
            *last = nat->n_rigid;
            nat->rigid[nat->n_rigid++] = (hol__rigid){.body = body,
                                                      .a = k,
                                                      .b = l,
                                                      .sigma = row_scale(model, body, k, l),
                                                      .kappa = hol__dot3(b->leg[k], b->leg[l])};
        }
}

int hol__items_count_own(const hol_model *model) {
    hol__items *nat = (hol__items *)(uintptr_t)model->items;
    hol__arena *arena = &((hol_model *)(uintptr_t)model)->arena;
    known_rows rows = {HOL__NEW_N(arena, int, nat->n_items + 1),
                       HOL__NEW_N(arena, int, 6 * model->nb + 1)};
    nat->rigid = HOL__NEW_N(arena, hol__rigid, 6 * model->nb + 1);
    if (!nat->rigid || !rows.last || !rows.before) return 0;
    for (int i = 0; i < nat->n_items; i++) rows.last[i] = -1;
    for (int body = 0; body < model->nb; body++) add_own_rows(model, nat, &rows, body);
    return nat->n_rigid;
}

hol_row hol__items_own_row(const hol_model *model, int i) {
    static const char *const lengths[] = {"length of its unit vector", "length of its segment"};
    static const char *const products[] = {"angle of its unit vectors",
                                           "angle of its segment and unit vector",
                                           "angle of its segments"};
    const hol__rigid *r = &model->items->rigid[i];
    const hol__carried *b = &model->items->carried[r->body];
    const hol__body *body = &model->bodies[r->body];
    return (hol_row){body->label,
                     r->a == r->b ? lengths[b->by_point[r->a]]
                                  : products[b->by_point[r->a] + b->by_point[r->b]],
                     body->where};
}

int hol__items_own_body(const hol_model *model, int i) {
    return model->items->rigid[i].body;
}

/* ---- the pattern ---- */

/* Places for items in a row: known ones keep theirs. list: items of the row so far, -1 for
 * fixed. */
static int place_of(const hol_model *model, int item, int *list, int *n) {
    if (!is_free(model->items, item)) return -1;
    for (int i = 0; i < *n; i++)
        if (list[i] == item) return model->dim * i;
    list[*n] = item;
    return model->dim * (*n)++;
}

/* The items that the pose of a body depends on: base and one or two legs. */
static int pose_items(const hol_model *model, const hol__carried *b) {
    const int most = model->dim == 2 ? 2 : 3;
    return b->n < most ? b->n : most;
}

/* Slots and places of a record; list gets its items. */
static int map_record(hol_model *model, hol__items *nat, const hol__con *con, int *n_slots,
                      int *list) {
    hol__item_map *map = &nat->maps[nat->n_maps++];
    int n = 0;
    *map = (hol__item_map){.row = con->row,
                           .n_rows = con->n_rows,
                           .stride = con->stride,
                           .G = model->G.ptr[con->row],
                           .slot = *n_slots};
    for (int s = 0; s < con->n_bodies; s++) {
        if (con->body[s] >= model->nb) continue;
        const hol__carried *b = &nat->carried[con->body[s]];
        hol__item_slot *slot = &nat->slots[(*n_slots)++];
        *slot = (hol__item_slot){
            .body = con->body[s], .at = con->at[s] - map->G, .place = {-1, -1, -1}};
        map->n_slots++;
        for (int k = 0; k < pose_items(model, b); k++)
            slot->place[k] = place_of(model, b->item[k], list, &n);
    }
    map->width = model->dim * n;
    return n;
}

static int place_rigid(const hol_model *model, hol__rigid *r, int *list) {
    const hol__carried *b = &model->items->carried[r->body];
    int n = 0;
    r->at[0] = b->by_point[r->a] || b->by_point[r->b] ? place_of(model, b->item[0], list, &n) : -1;
    r->at[1] = place_of(model, b->item[r->a], list, &n);
    r->at[2] = r->a == r->b ? -1 : place_of(model, b->item[r->b], list, &n);
    return n;
}

/* Columns of a row from its items. */
static void put_columns(const hol_model *model, const int *list, int n, int row) {
    int *idx = model->A.idx + model->A.ptr[row];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < model->dim; k++) *idx++ = model->dim * list[i] + k;
}

enum { MOST_ITEMS = 3 * HOL__MAX_BODIES };

/* Lay the maps of all records; with columns 0 only widths into A.ptr. */
static void lay_maps(hol_model *model, hol__items *nat, int columns) {
    int n_slots = 0, list[MOST_ITEMS];
    nat->n_maps = 0;
    for (int i = 0; i < model->n_con_batches; i++)
        for (int k = 0; k < model->con_batches[i].count; k++) {
            const hol__con *con = hol__con_record(&model->con_batches[i], k);
            const int n = map_record(model, nat, con, &n_slots, list);
            for (int r = 0; r < con->n_rows; r++)
                if (columns)
                    put_columns(model, list, n, con->row + r);
                else
                    model->A.ptr[con->row + r + 1] = model->dim * n;
            if (columns) nat->maps[nat->n_maps - 1].A = model->A.ptr[con->row];
        }
    for (int i = 0; i < nat->n_rigid; i++) {
        const int n = place_rigid(model, &nat->rigid[i], list), row = nat->first_rigid + i;
        if (columns)
            put_columns(model, list, n, row);
        else
            model->A.ptr[row + 1] = model->dim * n;
    }
}

hol_status hol__items_lay_rows(hol_model *model) {
    hol__items *nat = (hol__items *)(uintptr_t)model->items;
    hol__arena *arena = &model->arena;
    int maps = 0;
    for (int i = 0; i < model->n_con_batches; i++) maps += model->con_batches[i].count;
    nat->first_rigid = model->mh - nat->n_rigid;
    nat->maps = HOL__NEW_N(arena, hol__item_map, maps + 1);
    nat->slots = HOL__NEW_N(arena, hol__item_slot, HOL__MAX_BODIES * (maps + 1));
    model->A = (hol__csr){
        .rows = model->m, .cols = model->nv, .ptr = HOL__NEW_N(arena, int, model->m + 1)};
    if (arena->failed) return HOL_ERR_MEMORY;
    lay_maps(model, nat, 0);
    for (int i = 0; i < model->m; i++) model->A.ptr[i + 1] += model->A.ptr[i];
    model->A.idx = HOL__NEW_N(arena, int, model->A.ptr[model->m] + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    lay_maps(model, nat, 1);
    return HOL_OK;
}

/* ---- values ---- */

typedef const double *item_fn(const hol_model *model, const double *x, int i);

static const double *place(const hol_model *model, const double *x, int i) {
    return hol__item_place(model, x, i);
}

static const double *velocity(const hol_model *model, const double *x, int i) {
    return hol__item_rate(model, x, i);
}

/* d of leg k, or d' where at is velocity. */
static void leg_of(const hol_model *model, const hol__carried *b, int k, const double *x,
                   item_fn *at, double d[3]) {
    const double *tip = at(model, x, b->item[k]), *base = at(model, x, b->item[0]);
    for (int i = 0; i < model->dim; i++) d[i] = tip[i] - (b->by_point[k] ? base[i] : 0);
}

/* The gradient of an own row over its items, from the legs (or their rates). */
static void put_gradient(const hol_model *model, const hol__rigid *r, const double *da,
                         const double *db, double *row, int width) {
    const hol__carried *b = &model->items->carried[r->body];
    memset(row, 0, sizeof(double) * (size_t)width);
    for (int i = 0; i < model->dim; i++) {
        const double ga = r->sigma * db[i], gb = r->sigma * da[i];
        if (r->at[1] >= 0) row[r->at[1] + i] += r->a == r->b ? ga + gb : ga;
        if (r->at[2] >= 0) row[r->at[2] + i] += gb;
        if (r->at[0] >= 0)
            row[r->at[0] + i] -= (b->by_point[r->a] ? ga : 0) + (b->by_point[r->b] ? gb : 0);
    }
}

static double dot(const hol_model *model, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < model->dim; i++) sum += a[i] * b[i];
    return sum;
}

void hol__items_own_position(const hol_model *model, const double *q, double *Phi, double *A) {
    const hol__items *nat = model->items;
    const int *ptr = model->A.ptr + nat->first_rigid;
    for (int i = 0; i < nat->n_rigid; i++) {
        const hol__rigid *r = &nat->rigid[i];
        double da[3], db[3];
        leg_of(model, &nat->carried[r->body], r->a, q, place, da);
        leg_of(model, &nat->carried[r->body], r->b, q, place, db);
        Phi[nat->first_rigid + i] = r->sigma * (dot(model, da, db) - r->kappa);
        put_gradient(model, r, da, db, A + ptr[i], ptr[i + 1] - ptr[i]);
    }
}

void hol__items_own_bias(const hol_model *model, const double *v, double *b, double *c) {
    const hol__items *nat = model->items;
    for (int i = 0; i < nat->n_rigid; i++) {
        const hol__rigid *r = &nat->rigid[i];
        double da[3], db[3];
        leg_of(model, &nat->carried[r->body], r->a, v, velocity, da);
        leg_of(model, &nat->carried[r->body], r->b, v, velocity, db);
        b[nat->first_rigid + i] = 0;
        c[nat->first_rigid + i] = -2 * r->sigma * dot(model, da, db);
    }
}

void hol__items_own_rate(const hol_model *model, const double *v, double *Adot) {
    const hol__items *nat = model->items;
    const int *ptr = model->A.ptr + nat->first_rigid;
    for (int i = 0; i < nat->n_rigid; i++) {
        const hol__rigid *r = &nat->rigid[i];
        double da[3], db[3];
        leg_of(model, &nat->carried[r->body], r->a, v, velocity, da);
        leg_of(model, &nat->carried[r->body], r->b, v, velocity, db);
        put_gradient(model, r, da, db, Adot + ptr[i], ptr[i + 1] - ptr[i]);
    }
}
