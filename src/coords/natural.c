/* natural.c: which points and vectors carry the bodies, and which joints hold by sharing them.
 *
 * Primitive constraints say what their two bodies have in common: a point or a direction
 * (hol__con_type.common). Each body takes of these features what it needs, fixed ones first: in the
 * plane two points far apart, in space a point and three independent legs. Where joints offer too
 * few, the points and vectors by which the section `natural` describes the body follow, then extra
 * ones. A record leaves the constraints when both its bodies took its
 * feature, and the two features become one item.
 */
#include "coords/natural.h"

#include "coords/tree.h"
#include "math/vec3.h"
#include "model/build.h"

#include <math.h>
#include <string.h>

/* Legs count as independent when at least this share of a unit leg is new. */
static const double independent = 0.3;

/* A point or direction of a body (nb: ground) that some joint offers. */
typedef struct feature {
    int vector, body;
    double local[3];
    int next;  /* of the same body; -1: none */
    int root;  /* union-find */
    int own;   /* offered by the description of its body alone */
    int taken; /* by its body; ground takes all */
    int item;
} feature;

/* What a record has in common for its bodies. */
typedef struct offer {
    int batch, record;
    int feature[2];
} offer;

typedef struct chooser {
    hol_model *model;
    hol__items *nat;
    int n_features, n_offers;
    feature *features;
    int *first, *last; /* features of each body and of ground, in the order in which they came */
    offer *offers;     /* in the order of their records */
} chooser;

/* ---- features and what they are joined to ---- */

static int find(const chooser *c, int i) {
    while (c->features[i].root != i) i = c->features[i].root;
    return i;
}

/* Join two classes; ground's features stay roots, so that a class shows whether it is fixed. */
static void join(chooser *c, int i, int j) {
    const int a = find(c, i), b = find(c, j);
    if (a == b) return;
    if (c->features[a].body == c->model->nb)
        c->features[b].root = a;
    else
        c->features[a].root = b;
}

static int is_fixed(const chooser *c, int i) {
    return c->features[find(c, i)].body == c->model->nb;
}

/* The feature of a body at that place, added when it is new. */
static int feature_at(chooser *c, int body, int vector, const double local[3]) {
    const double size = vector ? 1 : 1e-3 + hol__norm3(local);
    for (int i = c->first[body]; i >= 0; i = c->features[i].next) {
        const feature *f = &c->features[i];
        double d[3];
        hol__sub3(f->local, local, d);
        if (f->vector == vector && hol__norm3(d) < 1e-10 * size) return i;
    }
    feature *f = &c->features[c->n_features];
    if (c->last[body] >= 0)
        c->features[c->last[body]].next = c->n_features;
    else
        c->first[body] = c->n_features;
    c->last[body] = c->n_features;
    *f = (feature){.vector = vector,
                   .body = body,
                   .next = -1,
                   .root = c->n_features,
                   .taken = body == c->model->nb,
                   .item = -1};
    memcpy(f->local, local, sizeof f->local);
    return c->n_features++;
}

/* Visit what the records have in common; joints in cut keep their rows. */
static void gather(chooser *c, const unsigned char *cut) {
    const hol_model *model = c->model;
    for (int i = 0; i < model->n_con_batches; i++) {
        const hol__con_batch *batch = &model->con_batches[i];
        for (int k = 0; batch->type->common && k < batch->count; k++) {
            const hol__con *con = hol__con_record(batch, k);
            double local[2][3] = {{0}};
            const int kind = batch->type->common(con, local[0], local[1]);
            if (kind == HOL__COMMON_NONE || (cut && cut[con->element])) continue;
            offer *o = &c->offers[c->n_offers++];
            *o = (offer){.batch = i, .record = k};
            for (int b = 0; b < 2; b++)
                o->feature[b] = feature_at(c, con->body[b], kind == HOL__COMMON_AXIS, local[b]);
        }
    }
    for (int i = 0; i < c->n_offers; i++) join(c, c->offers[i].feature[0], c->offers[i].feature[1]);
}

/* What the section `natural` describes the bodies by and no joint offers. */
static void gather_own(chooser *c) {
    for (int body = 0; body < c->model->nb; body++)
        for (int i = 0; i < c->model->bodies[body].n_marks; i++) {
            const hol__mark_of_body *mark = &c->model->bodies[body].marks[i];
            const int before = c->n_features;
            feature *f = &c->features[feature_at(c, body, mark->vector, mark->local)];
            if (c->n_features > before) f->own = 1;
        }
}

/* ---- what carries a body ---- */

static int add_own(chooser *c, int body, int vector, const double local[3]) {
    hol__items *nat = c->nat;
    hol__item *item = &nat->items[nat->n_items];
    *item = (hol__item){.vector = vector, .body = body};
    memcpy(item->local, local, sizeof item->local);
    return nat->n_items++;
}

/* The item of a feature, made at its first use; the same for all that are joined to it by dropped
 * records. Until all bodies have chosen, carried holds features as -2 - feature. */
static int as_feature(int f) {
    return -2 - f;
}

/* The base of a body: a fixed point, else the first one; -1 where it has none. */
static int base_feature(const chooser *c, int body) {
    int base = -1;
    for (int i = c->first[body]; i >= 0; i = c->features[i].next) {
        if (c->features[i].vector) continue;
        if (base < 0 || (is_fixed(c, i) && !is_fixed(c, base))) base = i;
    }
    return base;
}

static void add_leg(hol__carried *b, int item, int by_point, const double leg[3]) {
    b->item[b->n] = item;
    b->by_point[b->n] = by_point;
    memcpy(b->leg[b->n++], leg, sizeof b->leg[0]);
}

/* The point of the body farthest from the base, of those that joints offer or of its own; -1 where
 * there is none. */
static int farthest(const chooser *c, int body, int base, int own, double leg[3]) {
    int best = -1;
    double far = 0;
    for (int i = c->first[body]; i >= 0; i = c->features[i].next) {
        const feature *f = &c->features[i];
        double d[3];
        if (f->vector || f->own != own || i == base) continue;
        hol__sub3(f->local, c->features[base].local, d);
        if (hol__norm3(d) <= far) continue;
        far = hol__norm3(d), best = i;
        memcpy(leg, d, sizeof d);
    }
    return best;
}

/* In the plane: the point farthest from the base; else the mass centre, or a vector where that is
 * too near to the base. */
static void choose_planar_leg(chooser *c, int body, int base, hol__carried *b) {
    const hol__body *x = &c->model->bodies[body];
    static const double along_x[3] = {1, 0, 0}, centre[3] = {0, 0, 0};
    double leg[3];
    int best = farthest(c, body, base, 0, leg);
    if (best < 0) best = farthest(c, body, base, 1, leg);
    if (best >= 0) {
        c->features[best].taken = 1;
        add_leg(b, as_feature(best), 1, leg);
    } else if (x->mass * hol__dot3(b->s, b->s) > 0.01 * x->inertia)
        add_leg(b, add_own(c, body, 0, centre), 1, b->s);
    else
        add_leg(b, add_own(c, body, 1, along_x), 0, along_x);
}

/* The part of a unit vector u that is not in the span of the columns of E. */
static double take_off(const double E[3][3], int n, double u[3]) {
    for (int k = 0; k < n; k++) {
        const double x = hol__dot3(E[k], u);
        for (int i = 0; i < 3; i++) u[i] -= x * E[k][i];
    }
    return hol__norm3(u);
}

static void append_unit(double E[3][3], int *n, const double u[3], double norm) {
    for (int i = 0; i < 3; i++) E[*n][i] = u[i] / norm;
    ++*n;
}

/* The feature of the body that adds most to the span of E, fixed ones preferred, of those that
 * joints offer or of its own; its leg, and what is new of it in u. */
static int best_leg(const chooser *c, int body, int base, const double base_at[3], int own,
                    const double E[3][3], int n, double leg[3], double u[3]) {
    int best = -1;
    double most = 0;
    for (int i = c->first[body]; i >= 0; i = c->features[i].next) {
        const feature *f = &c->features[i];
        double d[3], unit[3];
        if (f->taken || f->own != own || i == base) continue;
        memcpy(d, f->local, sizeof d);
        if (!f->vector) hol__sub3(f->local, base_at, d);
        const double length = hol__norm3(d);
        for (int k = 0; k < 3; k++) unit[k] = length > 0 ? d[k] / length : 0;
        const double fresh = take_off(E, n, unit), score = fresh * (is_fixed(c, i) ? 1.5 : 1);
        if (fresh < independent || score <= most) continue;
        most = score, best = i;
        memcpy(leg, d, sizeof d);
        memcpy(u, unit, sizeof unit);
    }
    return best;
}

/* In space: up to three independent legs of the features, those of joints first, then extra unit
 * vectors. */
static void choose_spatial_legs(chooser *c, int body, int base, const double base_at[3],
                                hol__carried *b) {
    double E[3][3] = {{0}}, leg[3] = {0}, u[3] = {0};
    int n = 0, own = 0;
    while (n < 3 && own < 2) {
        const int f = best_leg(c, body, base, base_at, own, (const double(*)[3])E, n, leg, u);
        if (f < 0) {
            own++;
            continue;
        }
        c->features[f].taken = 1;
        append_unit(E, &n, u, hol__norm3(u));
        add_leg(b, as_feature(f), !c->features[f].vector, leg);
    }
    while (n < 3) {
        double best[3] = {0, 0, 0}, norm = 0;
        for (int k = 0; k < 3; k++) {
            double axis[3] = {k == 0, k == 1, k == 2};
            const double fresh = take_off((const double(*)[3])E, n, axis);
            if (fresh > norm) norm = fresh, memcpy(best, axis, sizeof best);
        }
        append_unit(E, &n, best, norm);
        add_leg(b, add_own(c, body, 1, E[n - 1]), 0, E[n - 1]);
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) b->E[3 * i + k] = E[k][i];
    /* the third column is the cross product of the first two */
    for (int i = 0; i < 3; i++) leg[i] = b->E[3 * i], u[i] = b->E[3 * i + 1];
    hol__cross3(leg, u, E[2]);
    for (int i = 0; i < 3; i++) b->E[3 * i + 2] = E[2][i];
}

static void carry(chooser *c, int body) {
    const hol_model *model = c->model;
    hol__carried *b = &c->nat->carried[body];
    static const double centre[3] = {0, 0, 0};
    const int base = base_feature(c, body);
    double at[3] = {0, 0, 0};
    if (base >= 0) {
        c->features[base].taken = 1;
        memcpy(at, c->features[base].local, sizeof at);
    }
    b->item[b->n++] = base >= 0 ? as_feature(base) : add_own(c, body, 0, centre);
    for (int i = 0; i < 3; i++) b->s[i] = -at[i];
    if (model->bodies[body].point) return;
    if (model->dim == 2)
        choose_planar_leg(c, body, base, b);
    else
        choose_spatial_legs(c, body, base, at, b);
}

/* ---- items ---- */

/* Features that stay joined: by records both of whose bodies took theirs. */
static void join_taken(chooser *c) {
    for (int i = 0; i < c->n_features; i++) c->features[i].root = i;
    for (int i = 0; i < c->n_offers; i++) {
        const int *f = c->offers[i].feature;
        if (c->features[f[0]].taken && c->features[f[1]].taken) join(c, f[0], f[1]);
    }
}

/* Features in carried become items. */
static void make_items(chooser *c) {
    hol__items *nat = c->nat;
    for (int body = 0; body < c->model->nb; body++)
        for (int k = 0; k < nat->carried[body].n; k++) {
            int *item = &nat->carried[body].item[k];
            if (*item > -2) continue;
            feature *f = &c->features[find(c, -2 - *item)];
            if (f->item < 0) f->item = add_own(c, f->body, f->vector, f->local);
            *item = f->item;
        }
}

/* Free items first, in the order of the bodies; values of the fixed ones. */
static void sort_items(chooser *c, hol__item *sorted, int *place) {
    hol__items *nat = c->nat;
    const int nb = c->model->nb;
    int n = 0;
    for (int i = 0; i < nat->n_items; i++) place[i] = -1;
    for (int body = 0; body < nb; body++)
        for (int k = 0; k < nat->carried[body].n; k++) {
            const int i = nat->carried[body].item[k];
            if (place[i] < 0 && nat->items[i].body < nb) place[i] = n++;
        }
    nat->n_free = n;
    for (int i = 0; i < nat->n_items; i++) {
        if (place[i] < 0) place[i] = n++;
        sorted[place[i]] = nat->items[i];
        if (nat->items[i].body == nb)
            memcpy(nat->fixed + 3 * (place[i] - nat->n_free), nat->items[i].local,
                   3 * sizeof(double));
    }
    for (int body = 0; body < nb; body++)
        for (int k = 0; k < nat->carried[body].n; k++)
            nat->carried[body].item[k] = place[nat->carried[body].item[k]];
    nat->items = sorted;
}

/* ---- records that leave ---- */

/* A joint that only keeps a point mass from turning has nothing to do: the point has no orientation
 * here. */
static int holds_point_mass(const hol_model *model, const hol__element *joint) {
    const unsigned moves = model->dim == 2 ? 3 : 7;
    return !(joint->lock & (moves | HOL__LOCK_DRIVEN)) && joint->lock &&
           joint->body[0] == model->nb && joint->body[1] < model->nb &&
           model->bodies[joint->body[1]].point;
}

/* The offer of a record; NULL where it has none. */
static const offer *offer_of(const chooser *c, int batch, int record) {
    int low = 0, high = c->n_offers;
    while (low < high) {
        const int middle = (low + high) / 2;
        const offer *o = &c->offers[middle];
        if (o->batch < batch || (o->batch == batch && o->record < record))
            low = middle + 1;
        else
            high = middle;
    }
    const offer *o = &c->offers[low];
    return low < c->n_offers && o->batch == batch && o->record == record ? o : NULL;
}

static int is_dropped(const void *self, int batch, int record) {
    const chooser *c = self;
    const hol__con *con = hol__con_record(&c->model->con_batches[batch], record);
    if (holds_point_mass(c->model, &c->model->joints[con->element])) return 1;
    const offer *o = offer_of(c, batch, record);
    return o && c->features[o->feature[0]].taken && c->features[o->feature[1]].taken;
}

/* A leg of that length ends in the free item. */
static void note_leg(hol_model *model, int item, double length) {
    for (int i = model->dim * item; i < model->dim * (item + 1) && i < model->nv; i++)
        model->legs[i] = fmin(model->legs[i], length);
}

/* The shortest leg at each point; INFINITY where there is none. */
static void find_legs(hol_model *model, const hol__items *nat) {
    for (int i = 0; i < model->nv; i++) model->legs[i] = INFINITY;
    for (int body = 0; body < model->nb; body++) {
        const hol__carried *b = &nat->carried[body];
        for (int k = 1; k < b->n; k++) {
            if (!b->by_point[k]) continue;
            note_leg(model, b->item[0], hol__norm3(b->leg[k]));
            note_leg(model, b->item[k], hol__norm3(b->leg[k]));
        }
    }
}

static hol_status count_coordinates(hol_model *model, const hol__items *nat) {
    model->nq = model->nv = model->dim * nat->n_free;
    model->turn = HOL__NEW_N(&model->arena, unsigned char, model->nv);
    model->legs = HOL__NEW_N(&model->arena, double, model->nv);
    if (model->arena.failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < model->nv; i++)
        model->turn[i] = (unsigned char)nat->items[i / model->dim].vector;
    find_legs(model, nat);
    return HOL_OK;
}

hol_status hol__items_choose(hol_model *model, const unsigned char *cut) {
    hol__arena *arena = &model->arena;
    hol__items *nat = HOL__NEW(arena, hol__items);
    int records = 0, marks = 0;
    for (int i = 0; i < model->n_con_batches; i++) records += model->con_batches[i].count;
    for (int i = 0; i < model->nb; i++) marks += model->bodies[i].n_marks;
    chooser c = {.model = model, .nat = nat};
    c.features = HOL__NEW_N(arena, feature, 2 * records + marks + 1);
    c.offers = HOL__NEW_N(arena, offer, records + 1);
    c.first = HOL__NEW_N(arena, int, model->nb + 1);
    c.last = HOL__NEW_N(arena, int, model->nb + 1);
    const int most = HOL__MAX_ITEMS * model->nb + 2 * records + marks;
    if (arena->failed) return HOL_ERR_MEMORY;
    nat->items = HOL__NEW_N(arena, hol__item, most + 1);
    nat->fixed = HOL__NEW_N(arena, double, 3 * (most + 1));
    nat->carried = HOL__NEW_N(arena, hol__carried, model->nb + 1);
    hol__item *sorted = HOL__NEW_N(arena, hol__item, most + 1);
    int *place = HOL__NEW_N(arena, int, most + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i <= model->nb; i++) c.first[i] = c.last[i] = -1;
    gather(&c, cut);
    gather_own(&c);
    for (int i = 0; i < model->nb; i++) carry(&c, i);
    join_taken(&c);
    make_items(&c);
    sort_items(&c, sorted, place);
    hol__drop_records(model, is_dropped, &c);
    model->items = nat;
    return count_coordinates(model, nat);
}

/* ---- increments ---- */

void hol__items_plus(const hol_model *model, const double *q, const double *d, double *out) {
    for (int i = 0; i < model->nv; i++) out[i] = q[i] + d[i];
}

void hol__items_minus(const hol_model *model, const double *a, const double *b, double *d) {
    for (int i = 0; i < model->nv; i++) d[i] = a[i] - b[i];
}

void hol__items_rate(const hol_model *model, const double *d, const double *v, double *ddot) {
    (void)d;
    memcpy(ddot, v, sizeof(double) * (size_t)model->nv);
}
