/* contact.c: the force between two shapes that touch.
 *
 * At every touch (touch.h) with p > 0 and the weight w
 *
 *     w N n on body 2 at P, -w N n on body 1; N(p, p') in impact.c, p' = -n . u
 *     friction  -mu w N tanh(|u_t|/slip) u_t/|u_t|,
 *               u: velocity of body 2 against body 1 at P, u_t across n
 *
 * The elastic part has the potential w k p^(n+1)/(n+1); dissipation and friction count as power.
 * So does the little that a touch does which is no nearest place of two bodies: where the weight
 * changes, and where the place moves on a slope, the potential changes without a push.
 */
#include "element/contact.h"

#include <string.h>

typedef struct contact {
    int element;
    int body[2];
    hol__touch_pair pair;
    double reach[2]; /* of the shapes, from the mass centres */
    double mu, slip;
    hol__impact impact; /* memory: that of the first slot */
    int slots;
    int corner; /* half-space: one for each slot; others: depth, and a bound on its rate */
} contact;

/* All touches at a state. */
typedef struct touching {
    hol__body_dual bodies[2];
    int n, deepest;
    hol__touch at[HOL__TOUCHES];
    hol__touch_point where[HOL__TOUCHES];
} touching;

/* Where the bodies are; returns a lower bound of the gap where it is positive and worth more than a
 * search, else 0: two points are compared as soon as their balls. */
static double approach(const contact *rec, const hol__force_args *args, touching *t) {
    for (int k = 0; k < 2; k++) hol__touch_move(args, rec->body[k], &t->bodies[k]);
    return rec->slots > 1 ? fmax(0, hol__touch_apart(&rec->pair, t->bodies)) : 0;
}

static void find(const contact *rec, touching *t) {
    t->n = hol__touch_find(&rec->pair, t->bodies, t->at);
    hol__touch_points(&rec->pair, t->bodies, t->at, t->n, t->where);
    t->deepest = 0;
    for (int i = 1; i < t->n; i++)
        if (t->where[i].p.f > t->where[t->deepest].p.f) t->deepest = i;
}

static int is_half_space(const contact *rec) {
    return rec->pair.shape[0].half_space || rec->pair.shape[1].half_space;
}

/* The law of a touch: that of the contact times its weight, with the memory of its slot. */
static hol__impact law_of(const contact *rec, const hol__touch *touch, double weight) {
    hol__impact law = rec->impact;
    law.k *= weight;
    law.c *= weight;
    if (law.memory >= 0) law.memory += HOL__IMPACT_MEMORY * touch->slot;
    return law;
}

/* u, the velocity of body 2 against body 1 at P. */
static void slip_velocity(const touching *t, const hol__touch_point *at, double u[3]) {
    const hol__dual3 P = hol__dual3_still(at->P.f);
    const hol__dual3 V1 = hol__dual_velocity(&t->bodies[0], P),
                     V2 = hol__dual_velocity(&t->bodies[1], P);
    hol__sub3(V2.f, V1.f, u);
}

/* ---- what is told and watched ---- */

/* The quantities that do not depend on the contact being closed. */
static void tell(const touching *t, const hol__force_args *args) {
    const hol__touch_point *at = &t->where[t->deepest];
    double u[3];
    slip_velocity(t, at, u);
    const double across = hol__dot3(at->n.f, u);
    for (int i = 0; i < 3; i++) u[i] -= across * at->n.f[i];
    hol__tell(args, 0, at->p.f);
    hol__tell(args, 1, -across);
    hol__tell(args, 3, hol__norm3(u));
}

/* A number with the sign of p that is as smooth as the motion: (R^2 - l^2)/(2 R) for spheres, R
 * the sum of the radii, which has no corner where they pass close by. */
static double smooth_depth(const contact *rec, double p) {
    const hol__convex *a = &rec->pair.shape[0].core, *b = &rec->pair.shape[1].core;
    const double R = a->radius + b->radius;
    return a->n == 1 && b->n == 1 && a->radius > 0 ? p * (1 - 0.5 * p / R) : p;
}

/* No point of a shape moves faster against the other body than this. */
static double fastest(const contact *rec, const touching *t) {
    double v[3], sum = 0;
    for (int k = 0; k < 2; k++) sum += hol__norm3(t->bodies[k].w.f) * rec->reach[k];
    hol__sub3(t->bodies[1].v.f, t->bodies[0].v.f, v);
    return sum + hol__norm3(v);
}

/* The numbers whose signs say what touches: every corner over a half-space; of other pairs the
 * deepest alone, because which corners face something changes with rounding where two boxes of the
 * same size lie on each other. */
static void record(const contact *rec, const touching *t, const hol__force_args *args) {
    if (is_half_space(rec)) {
        for (int i = 0; i < t->n; i++)
            *hol__recorded(args->scratch, rec->corner + t->at[i].slot) =
                t->where[i].weight.f != 0 ? t->where[i].p.f : -1; /* what counts for nothing */
        return;
    }
    *hol__recorded(args->scratch, rec->corner) = smooth_depth(rec, t->where[t->deepest].p.f);
    if (rec->slots > 1) *hol__recorded(args->scratch, rec->corner + 1) = fastest(rec, t);
}

/* The same of shapes that are apart by at least the gap: it bounds how soon they can meet. */
static void record_far(const contact *rec, const touching *t, double gap,
                       const hol__force_args *args) {
    *hol__recorded(args->scratch, rec->corner) = -gap;
    *hol__recorded(args->scratch, rec->corner + 1) = fastest(rec, t);
}

/* ---- forces ---- */

/* F += friction for the push N; adds its power. Returns its size. */
static double add_friction(const contact *rec, const double *n, const double *u, double N,
                           double F[3], hol__force_args *args) {
    const double across = hol__dot3(n, u);
    double t[3];
    for (int i = 0; i < 3; i++) t[i] = u[i] - across * n[i];
    const double v = hol__norm3(t), x = v / rec->slip;
    const double k = rec->mu * N * (x > 1e-8 ? tanh(x) / v : 1 / rec->slip);
    for (int i = 0; i < 3; i++) F[i] -= k * t[i];
    args->power -= k * v * v;
    return k * v;
}

/* The power that goes into the potential of a touch without a push. */
static double own_power(const hol__impact *law, const hol__touch_point *at, double rate) {
    const double elastic = law->k * pow(at->p.f, law->n),
                 moved = at->bent ? elastic * (at->p.d - rate) : 0;
    return moved + at->weight.d / at->weight.f * elastic * at->p.f / (law->n + 1);
}

/* What all touches together do. */
typedef struct total {
    double normal, friction, place[3];
} total;

static void push(const contact *rec, const touching *t, int i, hol__force_args *args, total *sum) {
    const hol__touch_point *at = &t->where[i];
    double u[3], F[3];
    slip_velocity(t, at, u);
    const hol__impact law = law_of(rec, &t->at[i], at->weight.f);
    const double rate = -hol__dot3(at->n.f, u), N = hol__impact_push(&law, at->p.f, rate, args);
    for (int k = 0; k < 3; k++) F[k] = N * at->n.f[k];
    if (rec->mu > 0) sum->friction += add_friction(rec, at->n.f, u, N, F, args);
    if (at->bent || at->weight.d != 0) args->power += own_power(&law, at, rate);
    sum->normal += N;
    for (int k = 0; k < 3; k++) sum->place[k] += N * at->P.f[k];
    hol__push_body(args, rec->body[0], at->P.f, F, -1);
    hol__push_body(args, rec->body[1], at->P.f, F, 1);
}

/* A touch that acts; a depth that is not a number does, so that somebody notices. */
static int acts(const hol__touch_point *at) {
    return !(at->p.f <= 0) && at->weight.f != 0;
}

static void fill(const void *records, int n, hol__force_args *args) {
    const contact *rec = records;
    touching t;
    for (int i = 0; i < n; i++, rec++) {
        total sum = {0, 0, {0, 0, 0}};
        const double gap = approach(rec, args, &t);
        if (gap > 0 && !args->told) {
            record_far(rec, &t, gap, args);
            continue;
        }
        find(rec, &t);
        if (args->told) tell(&t, args);
        record(rec, &t, args);
        for (int k = 0; k < t.n; k++)
            if (acts(&t.where[k])) push(rec, &t, k, args, &sum);
        hol__tell(args, 2, sum.normal);
        hol__tell(args, 4, sum.friction);
        for (int k = 0; k < 3 && sum.normal > 0; k++) sum.place[k] /= sum.normal;
        hol__tell_all(args, 5, sum.place, args->bodies.b2 ? 2 : 3);
    }
}

/* Of each slot the deepest touch is remembered, of one without a touch nothing. */
static void keep(const void *records, int n, const hol__force_args *args, double *memory) {
    const contact *rec = records;
    touching t;
    for (int i = 0; i < n; i++, rec++) {
        if (rec->impact.memory < 0) continue;
        t.n = 0;
        if (!(approach(rec, args, &t) > 0)) find(rec, &t);
        for (int slot = 0; slot < rec->slots; slot++) {
            int best = -1;
            double u[3];
            for (int k = 0; k < t.n; k++)
                if (t.at[k].slot == slot && (best < 0 || t.where[k].p.f > t.where[best].p.f))
                    best = k;
            double *m = memory + rec->impact.memory + HOL__IMPACT_MEMORY * slot;
            if (best < 0) {
                memset(m, 0, sizeof *m * HOL__IMPACT_MEMORY);
                continue;
            }
            const hol__impact law = law_of(rec, &t.at[best], 1);
            slip_velocity(&t, &t.where[best], u);
            hol__impact_keep(&law, t.where[best].p.f, -hol__dot3(t.where[best].n.f, u), memory);
        }
    }
}

/* ---- the same in dual numbers ---- */

/* N n and friction at P on both bodies. */
static void dual_push(const contact *rec, hol__dual_args *args, const hol__touch *touch,
                      const hol__touch_point *at) {
    const hol__dual3 u = hol__dual3_add(hol__dual_velocity(&args->body[1], at->P), -1,
                                        hol__dual_velocity(&args->body[0], at->P));
    const hol__dual across = hol__dual3_dot(at->n, u);
    const hol__impact law = law_of(rec, touch, 1);
    const hol__dual N =
        hol__dual_mul(at->weight, hol__impact_dual(&law, at->p, (hol__dual){-across.f, -across.d},
                                                   args->args->memory));
    hol__dual3 F = hol__dual3_scale(N, at->n);
    if (rec->mu > 0) {
        const hol__dual3 t = hol__dual3_add(u, -1, hol__dual3_scale(across, at->n));
        const hol__dual k = hol__dual_mul((hol__dual){rec->mu * N.f, rec->mu * N.d},
                                          hol__dual_grip(hol__dual_norm(t), rec->slip));
        F = hol__dual3_add(F, -1, hol__dual3_scale(k, t));
    }
    hol__dual_push_body(&args->body[0], at->P, F, -1);
    hol__dual_push_body(&args->body[1], at->P, F, 1);
}

static void dual(const void *record, hol__dual_args *args) {
    const contact *rec = record;
    hol__touch touches[HOL__TOUCHES];
    hol__touch_point where[HOL__TOUCHES];
    if (hol__touch_apart(&rec->pair, args->body) > 0) return;
    const int n = hol__touch_find(&rec->pair, args->body, touches);
    hol__touch_points(&rec->pair, args->body, touches, n, where);
    for (int i = 0; i < n; i++)
        if (acts(&where[i])) dual_push(rec, args, &touches[i], &where[i]);
}

static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__dual_tangent(record, args, dual, out);
}

static const hol__force_type contact_type = {
    .name = "contact", .size = sizeof(contact), .fill = fill, .keep = keep, .tangent = tangent};

/* ---- making one ---- */

const hol__quantity hol__contact_quantities[] = {
    {"penetration", HOL__TELLS_NUMBER, "m", NULL, 0,
     "p, where they overlap most; negative while they do not touch: the gap."},
    {"rate", HOL__TELLS_NUMBER, "m/s", NULL, 0, "p', the speed of approach there."},
    {"normal", HOL__TELLS_NUMBER, "N", NULL, 1, "N, of all touches together; never negative."},
    {"slip", HOL__TELLS_NUMBER, "m/s", NULL, 0,
     "The speed at which the bodies slide at the place of contact, never negative."},
    {"friction", HOL__TELLS_NUMBER, "N", NULL, 1,
     "The size of the friction, across the normal; of several touches the sum."},
    {"place", HOL__TELLS_VECTOR, "m", NULL, 1,
     "The place of contact, global: of several touches the mean by their pushes."},
    HOL__QUANTITY_END,
};

/* The least width of a shape: what is passed through unnoticed has to be passed within. */
static double thickness(const hol__convex *s) {
    double least = s->n_faces ? INFINITY : 0;
    if (s->disc > 0) {
        double d[3];
        hol__sub3(s->x[1], s->x[0], d);
        return fmin(hol__norm3(d), 2 * s->disc);
    }
    for (int f = 0; f < s->n_faces; f++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < s->n; i++) {
            const double h = hol__dot3(s->normals[f], s->x[i]);
            low = fmin(low, h), high = fmax(high, h);
        }
        least = fmin(least, high - low);
    }
    return least + 2 * s->radius;
}

/* The numbers that are watched; the first. */
static int add_corners(hol__build *build, const contact *c, const char *label) {
    const double thick = thickness(&c->pair.shape[0].core) + thickness(&c->pair.shape[1].core);
    const int solid = !is_half_space(c), fast = solid && c->slots > 1;
    const int first = fast ? hol__add_fast_corner(build, &hol__cells_of_sign, label, thick)
                           : hol__add_corner(build, &hol__cells_of_sign, label);
    for (int i = 1; i < c->slots && !fast; i++) hol__add_corner(build, &hol__cells_of_sign, label);
    /* 0.72 of the way until the middles meet; what is watched of spheres is (R^2 - d^2)/(2 R) */
    if (solid && !build->arena->failed)
        build->model->corners[first].deep = (fast ? 0.36 : 0.23) * thick;
    return first;
}

void hol__add_contact(hol__build *build, hol__element *force, const void *params,
                      const int bodies[2], const double at[2][3], const hol__touch_pair *pair,
                      const hol__contact_fields *f, double R) {
    contact c = {.pair = *pair, .mu = f->friction, .slip = f->slip_speed};
    if (!hol__impact_of_contact(build, params, f, R, &c.impact)) return;
    c.pair.plane = build->model->dim == 2;
    c.slots = hol__touch_slots(pair);
    hol__touch_bound(&c.pair);
    if (c.impact.memory >= 0) hol__add_memory(build, HOL__IMPACT_MEMORY * (c.slots - 1));
    memcpy(force->body, bodies, sizeof force->body);
    memcpy(c.body, bodies, sizeof c.body);
    for (int k = 0; k < 2; k++) {
        hol__marker_set(build->model, bodies[k], at[k], NULL, &force->marker[k]);
        c.reach[k] = hol__convex_reach(&pair->shape[k].core) + pair->shape[k].core.radius;
    }
    hol__touch_draw(build, force, &c.pair);
    contact *rec = hol__add_force(build, force, &contact_type);
    c.corner = add_corners(build, &c, force->label);
    if (!rec) return;
    c.element = rec->element;
    *rec = c;
}
