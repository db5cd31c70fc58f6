/* rigid.c: the gaps of joints that push and do not pull, their rows, and what is watched of them.
 *
 * Contact: with n from the first body to the second and the place P (touch.h)
 *
 *     g' = n . u,  u = V2(P) - V1(P)         across: t_k . u,  t_k fixed but for being across n
 *
 * A coordinate: g = x - low or high - x, and the row is that of the coordinate. Rows come with
 * their rates, so that A' is exact. A corner is watched over the other shape: over a plane, over
 * the nearest place of a shape. Of the number that is watched, -g, the sign counts while the gap
 * closes; while it opens again it does not.
 */
#include "element/rigid.h"

#include "element/acting.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- where a slot is ---- */

/* The shape and the corner of it that a slot is about. */
static void corner_of(const hol__rigid *r, int slot, int *shape, int *corner) {
    const int n[2] = {r->pair.shape[0].core.n, r->pair.shape[1].core.n};
    const int half = r->pair.shape[0].half_space ? 0 : r->pair.shape[1].half_space ? 1 : -1;
    *corner = slot;
    if (half >= 0)
        *shape = 1 - half;
    else if (n[1] == 1 || n[0] == 1)
        *shape = n[1] == 1;
    else {
        *shape = slot >= n[0];
        *corner = slot - (*shape ? n[0] : 0);
    }
}

/* Whether a shape has corners and faces without rounding. */
static int is_sharp(const hol__rigid *r, int other) {
    const hol__touch_shape *shape = &r->pair.shape[other];
    return !shape->half_space && shape->core.n_faces > 0 &&
           !(r->pair.shape[0].core.radius + r->pair.shape[1].core.radius > 0);
}

/* How high a point lies over a face of a shape that is at a body, and how fast it rises. */
static hol__dual height_over(const hol__convex *s, const hol__body_dual *body, int face,
                             hol__dual3 x) {
    const hol__dual3 foot = hol__dual_place(body, s->x[s->loop[s->first[face]]]),
                     n = hol__dual_turned(body, s->normals[face]);
    return hol__dual3_dot(n, hol__dual3_add(x, -1, foot));
}

/* The face that a point lies farthest outside of; of those that are the same to rounding, the one
 * from which it goes. The height over it. */
static hol__dual foremost(const hol__rigid *r, const hol__convex *s, const hol__body_dual *body,
                          hol__dual3 x, int *face) {
    hol__dual best = {-INFINITY, 0};
    for (int f = 0; f < s->n_faces; f++) {
        const hol__dual h = height_over(s, body, f, x);
        const int same = fabs(h.f - best.f) <= 16 * r->slack;
        if (same ? h.d > best.d : h.f > best.f) best = h, *face = f;
    }
    return best;
}

/* The feature of a shape that faces a corner of the other; *face: where that is sharp, the face it
 * is on. A closed slot stays on its face, which has no end there; *beside: where it has one, it is
 * behind it. */
static hol__feature facing(const hol__rigid *r, const hol__body_dual *body, int other, hol__dual3 x,
                           int kept, int *face, int *beside) {
    const hol__convex *s = &r->pair.shape[other].core;
    hol__placed at = {.shape = s};
    *face = -1;
    if (is_sharp(r, other)) {
        int first = 0;
        const hol__dual h = foremost(r, s, body, x, &first);
        const int over = h.f <= 16 * r->slack;
        if (kept >= 0) {
            *face = kept;
            *beside = first != kept && h.f > 16 * r->slack &&
                      h.f > height_over(s, body, kept, x).f + 16 * r->slack;
            return (hol__feature){HOL__FACE, {kept, kept}};
        }
        *beside = !over;
        if (over) {
            *face = first;
            return (hol__feature){HOL__FACE, {first, first}};
        }
    }
    memcpy(at.R, body->R, sizeof at.R);
    memcpy(at.r, body->r.f, sizeof at.r);
    const hol__feature near = hol__touch_near(&at, x.f);
    if (is_sharp(r, other) && near.kind == HOL__FACE) *face = near.at[0], *beside = 0;
    return near;
}

/* The features of a slot that face each other. */
static hol__touch features_of(const hol__rigid *r, const hol__body_dual bodies[2], int slot,
                              int *face, int *beside) {
    hol__touch t = {.sign = 1, .weight = 1, .face = {-1, -1}};
    const int kept = r->touch ? (int)(r->touch[slot] / HOL__TOUCH_FACE) - 1 : -1;
    int k, corner;
    corner_of(r, slot, &k, &corner);
    t.of[k] = (hol__feature){HOL__CORNER, {corner, corner}};
    const hol__touch_shape *other = &r->pair.shape[1 - k];
    *face = -1;
    *beside = 0;
    if (other->half_space)
        t.of[1 - k] = (hol__feature){HOL__FACE, {0, 0}};
    else if (other->core.n == 1)
        t.of[1 - k] = (hol__feature){HOL__CORNER, {0, 0}};
    else {
        const hol__dual3 x = hol__dual_place(&bodies[k], r->pair.shape[k].core.x[corner]);
        t.of[1 - k] = facing(r, &bodies[1 - k], 1 - k, x, kept, face, beside);
    }
    return t;
}

void hol__across(hol__dual3 n, int plane, hol__dual3 t[2]) {
    if (plane) {
        t[0] = (hol__dual3){{n.f[1], -n.f[0], 0}, {n.d[1], -n.d[0], 0}};
        return;
    }
    double axis[3] = {0, 0, 0};
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(n.f[i]) < fabs(n.f[least])) least = i;
    axis[least] = 1;
    const hol__dual3 a = hol__dual3_still(axis);
    const hol__dual along = hol__dual3_dot(a, n), minus = {-along.f, -along.d};
    t[0] = hol__dual3_unit(hol__dual3_add(a, 1, hol__dual3_scale(minus, n)), NULL);
    t[1] = hol__dual3_cross(n, t[0]);
}

/* A row e . (V2(P) - V1(P)). */
static void set_row(const hol__body_dual bodies[2], hol__dual3 e, hol__dual3 P, hol__dual3 lin[2],
                    hol__dual3 turn[2]) {
    for (int k = 0; k < 2; k++) {
        lin[k] = hol__dual3_add((hol__dual3){{0}, {0}}, k ? 1 : -1, e);
        turn[k] = hol__dual3_cross(hol__dual3_add(P, -1, bodies[k].r), lin[k]);
    }
}

static void of_shapes(const hol__rigid *r, const hol__con_args *args, int slot,
                      hol__rigid_point *out) {
    const hol__force_args force = {.bodies = args->bodies};
    hol__body_dual bodies[2];
    hol__touch_point at;
    hol__dual3 t[2];
    for (int k = 0; k < 2; k++) hol__touch_move(&force, r->body[k], &bodies[k]);
    const hol__touch touch = features_of(r, bodies, slot, &out->face, &out->beside);
    hol__touch_points(&r->pair, bodies, &touch, 1, &at);
    out->gap = -at.p.f;
    out->rate = -at.p.d;
    out->n = at.n;
    out->P = at.P;
    set_row(bodies, at.n, at.P, out->lin[0], out->turn[0]);
    hol__across(at.n, args->bodies.b2 != NULL, t);
    for (int i = 0; i < r->across; i++)
        set_row(bodies, t[i], at.P, out->lin[1 + i], out->turn[1 + i]);
}

static void of_coordinate(const hol__rigid *r, const hol__con_args *args, int slot,
                          hol__rigid_point *out) {
    const hol__con con = {.n_bodies = 2, .body = {r->body[0], r->body[1]}};
    hol__mover movers[HOL__MAX_BODIES];
    hol__coordinate_row row;
    const int lower = slot == 0 && isfinite(r->low);
    const double sign = lower ? 1 : -1;
    hol__movers(&con, args, movers);
    hol__coordinate_eval(&r->x, movers, args, &row);
    out->gap = lower ? row.x - r->low : r->high - row.x;
    out->rate = sign * row.rate;
    out->face = -1;
    for (int k = 0; k < 2; k++) {
        static const hol__dual3 zero = {{0, 0, 0}, {0, 0, 0}};
        out->lin[0][k] = hol__dual3_add(zero, sign, row.lin[k]);
        out->turn[0][k] = hol__dual3_add(zero, sign, row.turn[k]);
    }
}

void hol__rigid_at(const hol__rigid *rigid, const hol__con_args *args, int slot,
                   hol__rigid_point *out) {
    memset(out, 0, sizeof *out);
    if (rigid->has_coordinate)
        of_coordinate(rigid, args, slot, out);
    else
        of_shapes(rigid, args, slot, out);
}

void hol__rigid_slip(const hol__rigid *rigid, const hol__con_args *args, const hol__rigid_point *at,
                     double u[3]) {
    const hol__force_args force = {.bodies = args->bodies};
    hol__body_dual bodies[2];
    const hol__dual3 P = hol__dual3_still(at->P.f);
    for (int k = 0; k < 2; k++) hol__dual_body(&force, rigid->body[k], &bodies[k]);
    const hol__dual3 V1 = hol__dual_velocity(&bodies[0], P), V2 = hol__dual_velocity(&bodies[1], P);
    hol__sub3(V2.f, V1.f, u);
    const double along = hol__dot3(u, at->n.f);
    for (int i = 0; i < 3; i++) u[i] -= along * at->n.f[i];
}

void hol__rigid_direction(const hol__rigid_point *at, const double u[3], const double last[3],
                          double d[3]) {
    const double *from = hol__dot3(u, last) > 0 || !(hol__norm3(last) > 0) ? u : last;
    const double along = hol__dot3(from, at->n.f);
    for (int i = 0; i < 3; i++) d[i] = from[i] - along * at->n.f[i];
    const double size = hol__norm3(d);
    for (int i = 0; i < 3 && size > 0; i++) d[i] /= size;
}

/* ---- rows ---- */

/* Rows of one joint: those of gaps (0), or those across. */
typedef struct rows {
    hol__con con;
    const hol__rigid *rigid;
    const unsigned char *slot, *kind; /* by row: the slot, and 0 the gap, 1 and 2 across */
} rows;

static void fill(const void *records, int n, const hol__con_args *args) {
    const rows *rec = records;
    for (int i = 0; i < n; i++, rec++) {
        hol__mover movers[HOL__MAX_BODIES];
        hol__rigid_point at;
        hol__movers(&rec->con, args, movers);
        for (int k = 0; k < rec->con.n_rows; k++) {
            const int kind = rec->kind[k];
            hol__row row = {.Phi = 0};
            if (!k || rec->slot[k] != rec->slot[k - 1])
                hol__rigid_at(rec->rigid, args, rec->slot[k], &at);
            row.Phi = kind ? 0 : at.gap;
            memcpy(row.lin, at.lin[kind], sizeof at.lin[kind]);
            memcpy(row.turn, at.turn[kind], sizeof at.turn[kind]);
            hol__row_put(&rec->con, k, movers, &row, args);
        }
    }
}

static unsigned live(const void *record, int k, int slot) {
    const rows *rec = record;
    (void)k, (void)slot;
    return rec->rigid->pair.plane ? 7 : 63;
}

static const char *label(const void *record, int k) {
    static const char *const names[] = {"gap", "stick 1", "stick 2"};
    return names[((const rows *)record)->kind[k]];
}

static const hol__con_type gap_type = {.name = "closed gap",
                                       .size = sizeof(rows),
                                       .holonomic = 1,
                                       .live = live,
                                       .label = label,
                                       .fill = fill};
static const hol__con_type stick_type = {.name = "sticking",
                                         .size = sizeof(rows),
                                         .holonomic = 0,
                                         .live = live,
                                         .label = label,
                                         .fill = fill};

/* One of the two records, where it has rows. */
static void add_rows(hol__build *build, hol__element *joint, const hol__rigid *r, int across) {
    unsigned char slot[3 * 256], kind[3 * 256];
    int n = 0;
    for (int i = 0; i < r->slots && r->touch; i++)
        for (int k = across; k <= (across ? r->across : 0); k++)
            if (r->touch[i] >> k & 1) slot[n] = (unsigned char)i, kind[n++] = (unsigned char)k;
    unsigned char *kept = n ? hol__arena_alloc(build->arena, 2 * (size_t)n, 1) : NULL;
    rows *rec = kept ? hol__add_con(build, joint, across ? &stick_type : &gap_type, n) : NULL;
    if (!rec) return;
    memcpy(kept, slot, (size_t)n);
    memcpy(kept + n, kind, (size_t)n);
    rec->rigid = r;
    rec->slot = kept;
    rec->kind = kept + n;
}

int hol__rigid_row(const hol_model *model, const hol__element *joint, int slot, int k) {
    for (int i = 0; i < joint->n_parts; i++) {
        const hol__con_batch *batch = &model->con_batches[joint->part[i].batch];
        if (batch->type != &gap_type && batch->type != &stick_type) continue;
        const rows *rec = hol__con_record(batch, joint->part[i].record);
        for (int row = 0; row < rec->con.n_rows; row++)
            if (rec->slot[row] == slot && rec->kind[row] == k) return rec->con.row + row;
    }
    return -1;
}

/* ---- what is watched, and remembered ---- */

typedef struct watch {
    int element;
    const hol__rigid *rigid;
} watch;

hol__con_args hol__rigid_args(const hol__force_args *args) {
    return (hol__con_args){.bodies = args->bodies,
                           .inputs = args->inputs,
                           .scratch = args->scratch,
                           .angles = args->angles};
}

double hol__rigid_passed(const hol__rigid *rigid, const hol__rigid_point *at) {
    const double p = -at->gap - rigid->slack;
    return at->rate > -rigid->slack ? -fabs(p) - rigid->slack : p;
}

/* How far the slots that are open are passed. */
static void record(const void *records, int n, hol__force_args *args) {
    const watch *rec = records;
    const hol__con_args con = hol__rigid_args(args);
    for (int i = 0; i < n; i++, rec++)
        for (int k = 0; k < rec->rigid->slots; k++) {
            const hol__rigid *r = rec->rigid;
            hol__rigid_point at;
            double *out = hol__recorded(args->scratch, r->corner + k);
            *out = -1;
            if (r->touch && r->touch[k] & HOL__TOUCH_CLOSED) continue;
            hol__rigid_at(r, &con, k, &at);
            *out = hol__rigid_passed(r, &at);
        }
}

/* The directions in which slots slide. */
static void keep(const void *records, int n, const hol__force_args *args, double *memory) {
    const watch *rec = records;
    const hol__con_args con = hol__rigid_args(args);
    for (int i = 0; i < n; i++, rec++)
        for (int k = 0; k < rec->rigid->slots; k++) {
            const hol__rigid *r = rec->rigid;
            hol__rigid_point at;
            double u[3], *last = memory + r->memory + 3 * k;
            if (!r->across || !r->touch || !(r->touch[k] & HOL__TOUCH_SLIDES)) continue;
            hol__rigid_at(r, &con, k, &at);
            hol__rigid_slip(r, &con, &at, u);
            if (hol__dot3(u, last) > 0) hol__rigid_direction(&at, u, last, last);
        }
}

/* It does nothing to the bodies. */
static void tangent(const void *record_, hol__force_args *args, hol__force_tangent *out) {
    (void)record_, (void)args, (void)out;
}

static const hol__force_type watch_type = {.name = "gaps of rigid joints",
                                           .size = sizeof(watch),
                                           .fill = record,
                                           .keep = keep,
                                           .tangent = tangent};

/* ---- adding ---- */

/* The slots that slide, where friction acts on them. */
static void note_slides(hol__build *build, hol__element *joint, const hol__rigid *r) {
    hol_model *model = build->model;
    for (int i = 0; i < r->slots && r->touch; i++) {
        int capacity = model->n_slides;
        if (!(r->touch[i] & HOL__TOUCH_SLIDES) || !(r->touch[i] & HOL__TOUCH_GAP)) continue;
        hol__slide *grown = hol__arena_grow(build->arena, model->slides, sizeof *grown,
                                            model->n_slides, &capacity, model->n_slides + 1);
        if (!grown) return;
        model->slides = grown;
        grown[model->n_slides++] = (hol__slide){joint->index, i};
    }
}

void hol__rigid_add(hol__build *build, hol__element *joint, const hol__rigid *rigid) {
    hol_model *model = build->model;
    hol__rigid *r = HOL__NEW(build->arena, hol__rigid);
    watch *rec = hol__add_force(build, joint, &watch_type);
    if (!r || !rec) return;
    *r = *rigid;
    memcpy(r->body, joint->body, sizeof r->body);
    double reach = 1;
    for (int k = 0; k < 2; k++) {
        double at[3];
        hol__drawn_point(model, r->body[k], joint->marker[k].s, at);
        reach = fmax(reach, hol__norm3(at));
    }
    r->slack = 32 * DBL_EPSILON * reach;
    r->first = model->n_slots;
    model->n_slots += r->slots;
    r->memory = hol__add_memory(build, 3 * r->slots);
    for (int i = 0; i < r->slots; i++) {
        const int corner = hol__add_corner(build, &hol__cells_of_sign, joint->label);
        if (!i) r->corner = corner;
    }
    r->touch = build->variant && build->variant->touch ? build->variant->touch + r->first : NULL;
    if (r->touch) {
        hol__touch_bits *kept = HOL__NEW_N(build->arena, hol__touch_bits, r->slots);
        if (!kept) return;
        memcpy(kept, r->touch, sizeof *kept * (size_t)r->slots);
        r->touch = kept;
    }
    rec->rigid = joint->rigid = r;
    add_rows(build, joint, r, 0);
    if (r->across) add_rows(build, joint, r, 1);
    note_slides(build, joint, r);
    model->n_switched++;
}
