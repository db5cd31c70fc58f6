/* rigid_gap.c: where a slot of a joint that pushes is: its gap, and the rows of it and across it.
 *
 * Contact: with n from the first body to the second and the place P (touch.h)
 *
 *     g' = n . u,  u = V2(P) - V1(P)         across: t_k . u,  t_k fixed but for being across n
 *
 * A coordinate: g = x - low or high - x, and the row is that of the coordinate. A line:
 * rigid_line.c. Rows come with
 * their rates, so that A' is exact. A slot is a corner over the other shape: over a plane, over the
 * nearest place of a shape; or in space an edge of each that cross (rigid_edge.c).
 */
#include "element/rigid.h"

#include "element/acting.h"

#include <math.h>
#include <string.h>

/* ---- corners ---- */

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

int hol__rigid_is_rounded(const hol__rigid *r) {
    return r->pair.shape[0].core.radius + r->pair.shape[1].core.radius > 0;
}

void hol__rigid_place(const hol__rigid *r, const hol__body_dual bodies[2], int k,
                      hol__placed *out) {
    out->shape = &r->pair.shape[k].core;
    memcpy(out->R, bodies[k].R, sizeof out->R);
    memcpy(out->r, bodies[k].r.f, sizeof out->r);
}

/* Whether a shape has corners and faces without rounding. */
static int is_sharp(const hol__rigid *r, int other) {
    const hol__touch_shape *shape = &r->pair.shape[other];
    return !shape->half_space && shape->core.n_faces > 0 && !hol__rigid_is_rounded(r);
}

/* How high a point lies over a face of a shape that is at a body, and how fast it rises. */
static hol__dual height_over(const hol__convex *s, const hol__body_dual *body, int face,
                             hol__dual3 x) {
    const hol__dual3 foot = hol__dual_place(body, s->x[s->loop[s->first[face]]]),
                     n = hol__dual_turned(body, s->normals[face]);
    return hol__dual3_dot(n, hol__dual3_add(x, -1, foot));
}

/* Whether a face of a shape has all of the other shape in front of it. */
static int parts(const hol__rigid *r, const hol__body_dual bodies[2], int of, int face) {
    const hol__convex *s = &r->pair.shape[of].core, *other = &r->pair.shape[1 - of].core;
    for (int i = 0; i < other->n; i++) {
        const hol__dual3 x = hol__dual_place(&bodies[1 - of], other->x[i]);
        if (height_over(s, &bodies[of], face, x).f < -1e-9 * r->size) return 0;
    }
    return 1;
}

/* The face that a point lies farthest outside of; of those that are the same to rounding, the one
 * that parts the shapes, and then the one from which it goes. The height over it. */
static hol__dual foremost(const hol__rigid *r, const hol__body_dual bodies[2], int of, hol__dual3 x,
                          int *face) {
    const hol__convex *s = &r->pair.shape[of].core;
    hol__dual best = {-INFINITY, 0};
    for (int f = 0; f < s->n_faces; f++) {
        const hol__dual h = height_over(s, &bodies[of], f, x);
        int more = h.f > best.f;
        if (fabs(h.f - best.f) <= 16 * r->slack) {
            const int more_parts = parts(r, bodies, of, f) - parts(r, bodies, of, *face);
            more = more_parts ? more_parts > 0 : h.d > best.d;
        }
        if (more) best = h, *face = f;
    }
    return best;
}

/* The feature of a shape that faces a corner of the other; *face: where that is sharp, the face it
 * is on. A closed slot stays on its face, which has no end there; *beside: where it has one, it is
 * behind it. */
static hol__feature facing(const hol__rigid *r, const hol__body_dual bodies[2], int other,
                           hol__dual3 x, int kept, int *face, int *beside) {
    const hol__convex *s = &r->pair.shape[other].core;
    const hol__body_dual *body = &bodies[other];
    hol__placed at;
    *face = -1;
    if (is_sharp(r, other)) {
        int first = 0;
        const hol__dual h = foremost(r, bodies, other, x, &first);
        const int over = h.f <= 16 * r->slack;
        if (kept >= 0) {
            *face = kept;
            *beside = first != kept && h.f > 16 * r->slack &&
                      h.f > height_over(s, body, kept, x).f + 16 * r->slack;
            return (hol__feature){HOL__FACE, {kept, kept}};
        }
        *beside = !over;
        /* well above a face: its nearest place may be elsewhere, and is not nearer */
        const int far = r->slots > r->corners && h.f > 1e-6 * r->size;
        if (over) *face = first;
        if (over || far) return (hol__feature){HOL__FACE, {first, first}};
    }
    hol__rigid_place(r, bodies, other, &at);
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
        t.of[1 - k] = facing(r, bodies, 1 - k, x, kept, face, beside);
    }
    return t;
}

/* The axis that n is far from: the first, unless another is farther by more than any rounding. A
 * face across the third axis is equally far from the first two, and a choice between them by
 * rounding would be another one at every look. The least |n_i| is at most 3^-1/2, so that the one
 * that is taken is at most 3^-1/2 + CLEARLY: every CLEARLY between rounding and 1 - 3^-1/2 = 0.42
 * leaves an axis that is across n, 0.1 one with 0.73 of its length there. */
static int far_axis(const double n[3]) {
    static const double CLEARLY = 0.1;
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(n[i]) + CLEARLY < fabs(n[least])) least = i;
    return least;
}

void hol__across(hol__dual3 n, const hol__body_dual *body, int plane, hol__dual3 t[2]) {
    if (plane) {
        t[0] = (hol__dual3){{n.f[1], -n.f[0], 0}, {n.d[1], -n.d[0], 0}};
        return;
    }
    double axis[3] = {0, 0, 0}, own[3];
    memcpy(own, n.f, sizeof own);
    for (int i = 0; body && i < 3; i++)
        own[i] = body->R[i] * n.f[0] + body->R[3 + i] * n.f[1] + body->R[6 + i] * n.f[2];
    axis[far_axis(own)] = 1;
    const hol__dual3 a = body ? hol__dual_turned(body, axis) : hol__dual3_still(axis);
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

/* The features of a slot, a corner or a pair of edges; 0 where an open one is nowhere near. */
static int find_features(hol__rigid_view *v, int slot, hol__touch *touch, hol__rigid_point *out) {
    const hol__rigid *r = v->rigid;
    const int closed = r->touch && r->touch[slot] & HOL__TOUCH_CLOSED;
    if (!closed && v->apart > 0) {
        out->face = -1;
        out->beside = 1;
        return 0;
    }
    if (slot < r->corners) {
        *touch = features_of(r, v->bodies, slot, &out->face, &out->beside);
        return 1;
    }
    *touch = (hol__touch){.sign = 1, .weight = 1, .face = {-1, -1}};
    out->face = -1;
    out->beside = !hol__rigid_edges(v, slot - r->corners, closed, touch);
    return closed || !out->beside;
}

static void of_shapes(hol__rigid_view *v, int slot, hol__rigid_point *out) {
    const hol__rigid *r = v->rigid;
    hol__touch touch;
    hol__touch_point at;
    hol__dual3 t[2];
    if (!find_features(v, slot, &touch, out)) {
        out->gap = v->apart > 0 ? v->apart : r->size;
        return;
    }
    hol__touch_points(&r->pair, v->bodies, &touch, 1, &at);
    out->gap = -at.p.f;
    out->rate = -at.p.d;
    out->n = at.n;
    out->P = at.P;
    set_row(v->bodies, at.n, at.P, out->lin[0], out->turn[0]);
    out->of = touch.of[1].kind == HOL__FACE; /* n stays where it is beside a face */
    hol__across(at.n, &v->bodies[out->of], v->args->bodies.b2 != NULL, t);
    /* rows of positions are those of the corner itself, and exact beside a closed gap too */
    const int corner = slot < r->corners && hol__rigid_has_anchor(r);
    for (int i = 0; i < r->across; i++)
        set_row(v->bodies, t[i], corner ? at.S[1 - out->of] : at.P, out->lin[1 + i],
                out->turn[1 + i]);
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

static void of_line(hol__rigid_view *v, int slot, hol__rigid_point *out) {
    const hol__rigid *r = v->rigid;
    hol__dual gap;
    hol__dual3 t[2];
    hol__rigid_on_line(r, v->bodies, slot, &gap, &out->n, &out->P);
    out->gap = gap.f;
    out->rate = gap.d;
    out->face = -1;
    set_row(v->bodies, out->n, out->P, out->lin[0], out->turn[0]);
    hol__across(out->n, &v->bodies[0], v->args->bodies.b2 != NULL, t);
    for (int i = 0; i < r->across; i++)
        set_row(v->bodies, t[i], out->P, out->lin[1 + i], out->turn[1 + i]);
}

void hol__rigid_look(const hol__rigid *rigid, const hol__con_args *args, hol__rigid_view *view) {
    const hol__force_args force = {.bodies = args->bodies};
    view->rigid = rigid;
    view->args = args;
    view->apart = 0;
    view->known = 0;
    if (rigid->has_coordinate) return;
    for (int k = 0; k < 2; k++) hol__touch_move(&force, rigid->body[k], &view->bodies[k]);
    if (rigid->slots > rigid->corners) view->apart = hol__touch_apart(&rigid->pair, view->bodies);
}

void hol__rigid_see(hol__rigid_view *view, int slot, hol__rigid_point *out) {
    memset(out, 0, sizeof *out);
    if (view->rigid->has_coordinate)
        of_coordinate(view->rigid, view->args, slot, out);
    else if (view->rigid->line)
        of_line(view, slot, out);
    else
        of_shapes(view, slot, out);
}

void hol__rigid_at(const hol__rigid *rigid, const hol__con_args *args, int slot,
                   hol__rigid_point *out) {
    hol__rigid_view view;
    hol__rigid_look(rigid, args, &view);
    hol__rigid_see(&view, slot, out);
}

void hol__rigid_push(const hol__rigid *rigid, hol__force_args *args, const hol__rigid_point *at) {
    for (int k = 0; k < 2; k++) {
        double r[3];
        hol__center_of(args, rigid->body[k], r);
        hol__push_body(args, rigid->body[k], r, at->lin[0][k].f, 1);
        hol__turn_body(args, rigid->body[k], at->turn[0][k].f, 1);
    }
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

double hol__rigid_direction(const hol__rigid_point *at, const double u[3], const double last[3],
                            double d[3]) {
    const double slowest = hol__norm3(last);
    const double x = slowest > 0 ? hol__dot3(u, last) / (slowest * slowest) : 0;
    const double weight = x > 0 ? 1 / (1 + x * x) : 1 - x;
    for (int i = 0; i < 3; i++) d[i] = u[i] + weight * last[i];
    const double along = hol__dot3(d, at->n.f);
    for (int i = 0; i < 3; i++) d[i] -= along * at->n.f[i];
    const double size = hol__norm3(d);
    for (int i = 0; i < 3 && size > 0; i++) d[i] /= size;
    return size;
}

int hol__rigid_turns_back(const hol__rigid *rigid, const hol__con_args *args,
                          const hol__rigid_point *at, const double last[HOL__SLIDE]) {
    double u[3];
    hol__rigid_slip(rigid, args, at, u);
    return hol__dot3(u, last) < -(16 * rigid->slack + last[3]) * hol__norm3(last);
}
