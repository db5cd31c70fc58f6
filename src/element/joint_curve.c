/* joint_curve.c: a point on a curve, and cams with pointed, round and flat followers.
 *
 * The curve C(s) lies in the plane z = 0 of a frame of the first body; all that follows is in that
 * frame. The place s on it is not a coordinate of the mechanism: it is found at every evaluation by
 * Newton's method from its value at the last accepted step, so that it is a function of the
 * positions, and is followed like an angle over full turns.
 *
 * Point P of body 2 (or the centre of a roller with radius rho), e = P - C:
 *     e . C' = 0 gives s,          s' = P' . C' / (C' . C' - e . C'')
 *     Phi = n . e - rho            n the unit normal of the curve
 *     A v = n . (V2(P) - V1(P))    because n' is along C' and e is across it
 * Flat face through Q with the normal m, both fixed in body 2:
 *     m . C' = 0 gives s,          s' = -m' . C' / (m . C'')
 *     Phi = m . (Q - C)            A v = m . (V2(C) - V1(C))
 *
 * Phi is a distance and its first and second derivatives are exact, on the curve and off it. In
 * space a point on a curve also stays in the plane of the curve; a cam leaves that to other joints.
 */
#include "element/curve_bias.h"
#include "element/joints.h"
#include "element/moving.h"
#include "element/rows.h"
#include "math/quat.h"

#include <string.h>

enum { NEWTON = 60, SEARCH = 720 };

/* The geometry of a follower; it lives in the arena of the model. */
typedef struct follower {
    int body[2];
    hol__curve curve;
    double o[3], F[9];     /* the frame of the curve in body 1 */
    double point[3], m[3]; /* P or Q, and the face, in body 2 */
    int flat;
    double radius,
        side;  /* side: which normal of the curve, for the extremum of a flat face its kind */
    double s0; /* at the drawn position */
} follower;

typedef struct record {
    hol__con con;
    const follower *f;
    int track;
} record;

/* a . b in the plane. */
static double dot2(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1];
}

/* ---- the place on the curve ---- */

/* Position and orientation of a body. */
static void pose_of(const hol__bodies *bodies, int body, double r[3], double R[9]) {
    if (bodies->b3) {
        memcpy(r, bodies->b3[body].r, 3 * sizeof *r);
        memcpy(R, bodies->b3[body].R, 9 * sizeof *R);
        return;
    }
    const hol__body2 *b = &bodies->b2[body];
    const double M[9] = {b->c, -b->s, 0, b->s, b->c, 0, 0, 0, 1};
    r[0] = b->r[0], r[1] = b->r[1], r[2] = 0;
    memcpy(R, M, sizeof M);
}

/* The point and the face in the frame of the curve. */
static void look(const follower *f, const double *r1, const double *R1, const double *r2,
                 const double *R2, double P[3], double m[3]) {
    double u[3], o[3], d[3], own[3];
    hol__mul3(R2, f->point, u);
    hol__mul3(R1, f->o, o);
    for (int i = 0; i < 3; i++) d[i] = r2[i] + u[i] - r1[i] - o[i];
    hol__mul3_t(R1, d, own);
    hol__mul3_t(f->F, own, P);
    hol__mul3(R2, f->m, u);
    hol__mul3_t(R1, u, own);
    hol__mul3_t(f->F, own, m);
}

/* Newton's method for s: the nearest point, or the extremum in the direction of the face. */
static double settle(const follower *f, const double *P, const double *m, double s,
                     double *scratch) {
    const double range = f->curve.to - f->curve.from;
    for (int i = 0; i < NEWTON; i++) {
        double C[2], C1[2], C2[2], g, H;
        hol__curve_at(&f->curve, s, C, C1, C2, scratch);
        const double speed2 = dot2(C1, C1), e[2] = {P[0] - C[0], P[1] - C[1]};
        if (f->flat) {
            g = f->side * dot2(m, C1);
            H = -f->side * dot2(m, C2);
            if (!(H > 0)) H = fabs(H) + 1e-3 * sqrt(speed2) / range;
        } else {
            g = dot2(e, C1);
            H = speed2 - dot2(e, C2);
            if (!(H > 0.05 * speed2)) H = speed2;
        }
        const double most = 0.05 * range, step = g / H,
                     ds = step > most    ? most
                          : step < -most ? -most
                                         : step;
        if (!isfinite(ds)) return NAN;
        s += ds;
        if (fabs(ds) <= 1e-15 * range) break;
    }
    return s;
}

/* The place on the curve from the last one, for hol__track_number. */
static double follow(const void *self, const hol__bodies *bodies, double last, double *scratch) {
    const follower *f = self;
    double r1[3], R1[9], r2[3], R2[9], P[3], m[3];
    pose_of(bodies, f->body[0], r1, R1);
    pose_of(bodies, f->body[1], r2, R2);
    look(f, r1, R1, r2, R2, P, m);
    return settle(f, P, m, f->s0 + last, scratch) - f->s0;
}

/* ---- rows ---- */

/* The frame of the curve as a thing that moves. */
typedef struct carrier {
    double Q[9], w[3];
    hol__dual3 O;
} carrier;

/* A point of the plane of the curve with its rate. */
static hol__dual3 in_plane(const double *value, const double *rate) {
    return (hol__dual3){{value[0], value[1], 0}, {rate[0], rate[1], 0}};
}

/* Normal and place of contact for a point, global; Phi. */
static double touch_point(const follower *f, const carrier *k, double s, hol__dual3 P,
                          double *scratch, hol__dual3 *a, hol__dual3 *X) {
    double C[2], C1[2], C2[2], n[2], ndot[2];
    hol__curve_at(&f->curve, s, C, C1, C2, scratch);
    const hol__dual3 p = hol__dual3_in(k->Q, k->w, hol__dual3_add(P, -1, k->O));
    const double e[2] = {p.f[0] - C[0], p.f[1] - C[1]}, speed2 = dot2(C1, C1), speed = sqrt(speed2);
    const double sdot = dot2(p.d, C1) / (speed2 - dot2(e, C2)),
                 bend = (C1[0] * C2[1] - C1[1] * C2[0]) / speed2;
    /* n = (-C1y, C1x)/|C1|; the tangent turns at the rate bend s' */
    n[0] = -f->side * C1[1] / speed;
    n[1] = f->side * C1[0] / speed;
    ndot[0] = -bend * sdot * n[1];
    ndot[1] = bend * sdot * n[0];
    *a = hol__dual3_out(k->Q, k->w, in_plane(n, ndot));
    *X = P;
    return dot2(n, e) - f->radius;
}

/* The same for a flat face. */
static double touch_face(const follower *f, const carrier *k, double s, hol__dual3 Q,
                         hol__dual3 face, double *scratch, hol__dual3 *a, hol__dual3 *X) {
    double C[2], C1[2], C2[2];
    hol__curve_at(&f->curve, s, C, C1, C2, scratch);
    const hol__dual3 m = hol__dual3_in(k->Q, k->w, face);
    const double sdot = -dot2(m.d, C1) / dot2(m.f, C2), rate[2] = {C1[0] * sdot, C1[1] * sdot};
    *a = face;
    *X = hol__dual3_add(k->O, 1, hol__dual3_out(k->Q, k->w, in_plane(C, rate)));
    return hol__dot3(face.f, Q.f) - hol__dot3(face.f, X->f);
}

/* Phi and its row: the distance of the follower from the curve. */
static void fill(const void *records, int n, const hol__con_args *args) {
    const record *rec = records;
    for (int i = 0; i < n; i++, rec++) {
        const follower *f = rec->f;
        hol__mover movers[HOL__MAX_BODIES];
        hol__row row;
        carrier k;
        hol__dual3 a, X;
        memset(&row, 0, sizeof row);
        hol__movers(&rec->con, args, movers);
        hol__mat3_mul(movers[0].R, f->F, k.Q);
        hol__mul3_t(f->F, movers[0].w, k.w);
        k.O = hol__mover_point(&movers[0], f->o);
        const hol__dual3 P = hol__mover_point(&movers[1], f->point);
        const double s = f->s0 + args->angles[rec->track];
        row.Phi = f->flat ? touch_face(f, &k, s, P, hol__mover_direction(&movers[1], f->m),
                                       args->scratch, &a, &X)
                          : touch_point(f, &k, s, P, args->scratch, &a, &X);
        hol__row_at(&movers[0], -1, a, X, &row.lin[0], &row.turn[0]);
        hol__row_at(&movers[1], 1, a, X, &row.lin[1], &row.turn[1]);
        hol__row_put(&rec->con, 0, movers, &row, args);
    }
}

/* All entries may be non-zero. */
static unsigned live(const void *rec, int k, int slot) {
    (void)rec, (void)k, (void)slot;
    return 63;
}

/* What the row holds. */
static const char *label(const void *rec, int k) {
    (void)rec, (void)k;
    return "distance from the curve";
}

/* A vector as the frame of the curve sees it: components x_i . g. */
static hol__seen seen_by(const follower *f, const hol__pose_direction *at, const hol__moving *g) {
    hol__seen out = {.x = {{0}, {0}}};
    for (int i = 0; i < 3; i++) {
        const double axis[3] = {f->F[i], f->F[3 + i], f->F[6 + i]};
        const hol__moving x = hol__moving_direction(at, 0, axis);
        const hol__dual value = hol__dual3_dot(x.x, g->x), a = hol__dual3_dot(x.rate, g->x),
                        b = hol__dual3_dot(x.x, g->rate), c = hol__dual3_dot(x.second, g->x),
                        d = hol__dual3_dot(x.rate, g->rate), e = hol__dual3_dot(x.x, g->second);
        out.x.f[i] = value.f, out.x.d[i] = value.d;
        out.rate.f[i] = a.f + b.f, out.rate.d[i] = a.d + b.d;
        out.second.f[i] = c.f + 2 * d.f + e.f, out.second.d[i] = c.d + 2 * d.d + e.d;
    }
    return out;
}

/* The derivative of c. */
static void tangent(const void *rec, const hol__pose_direction *at, double *rows) {
    const record *r = rec;
    const follower *f = r->f;
    const double s = f->s0 + at->args->angles[r->track];
    const hol__moving gap = hol__moving_gap(at, f->o, f->point),
                      face = hol__moving_direction(at, 1, f->m);
    const hol__seen p = seen_by(f, at, &gap), m = seen_by(f, at, &face);
    rows[0] = f->flat ? hol__curve_face_bias(&f->curve, s, &m, &p, at->args->scratch)
                      : hol__curve_point_bias(&f->curve, s, f->side, &p, at->args->scratch);
}

static const hol__con_type curve_type = {
    .name = "contact with a curve",
    .size = sizeof(record),
    .holonomic = 1,
    .tangent = tangent,
    HOL__CON_OWN,
};

/* ---- from the fields ---- */

/* A point on a curve has neither radius nor face. */
typedef struct follower_params {
    hol__params head;
    int bodies[2];
    double at[3], axis[3], x_axis[3];
    hol__curve_fields curve;
    double point[3];
    double radius, face[3];
} follower_params;

#define KEY_FOLLOWER                                                                               \
    {"bodies", HOL__KEY_BODIES,                                                                    \
     NULL,     NULL,                                                                               \
     0,        "The body that carries the curve, and the body that follows it.",                   \
     NULL,     HOL__AT(follower_params, bodies)},                                                  \
        {"at",                                                                                     \
         HOL__KEY_POINT,                                                                           \
         "m",                                                                                      \
         "",                                                                                       \
         0,                                                                                        \
         "The origin of the curve's frame at the drawn position; default: that of the body's "     \
         "frame.",                                                                                 \
         NULL,                                                                                     \
         HOL__AT(follower_params, at)},                                                            \
        {"axis",                                                                                   \
         HOL__KEY_DIRECTION,                                                                       \
         NULL,                                                                                     \
         "",                                                                                       \
         0,                                                                                        \
         "In the plane the x axis of the curve's frame at the drawn position, in space the "       \
         "normal of its plane; default: that of the body's frame (x, z).",                         \
         NULL,                                                                                     \
         HOL__AT(follower_params, axis)},                                                          \
        {"x_axis",                                                                                 \
         HOL__KEY_DIRECTION,                                                                       \
         NULL,                                                                                     \
         "",                                                                                       \
         HOL__IN_SPACE,                                                                            \
         "The x axis of the curve's frame, beside `axis`; default: chosen by the program.",        \
         NULL,                                                                                     \
         HOL__AT(follower_params, x_axis)},                                                        \
        HOL__KEY_CURVE_KEYS(follower_params)

static const hol__key point_keys[] = {
    KEY_FOLLOWER,
    {"point", HOL__KEY_POINT, "m", NULL, 0, "The point of the second body, at the drawn position.",
     NULL, HOL__AT(follower_params, point)},
    HOL__KEY_END,
};

static const hol__key cam_keys[] = {
    KEY_FOLLOWER,
    {"point", HOL__KEY_POINT, "m", NULL, 0,
     "At the drawn position: the tip of a pointed follower, the centre of a roller, or a point of "
     "a flat face.",
     NULL, HOL__AT(follower_params, point)},
    {"radius", HOL__KEY_NUMBER, "m", "0", HOL__NOT_NEGATIVE,
     "The radius of a roller; it stays on the side on which it is drawn.", NULL,
     HOL__AT(follower_params, radius)},
    {"face", HOL__KEY_DIRECTION, NULL, "", 0,
     "For a flat follower: the normal of its face at the drawn position.", NULL,
     HOL__AT(follower_params, face)},
    HOL__KEY_END,
};

/* The frame of the curve as drawn; 0 after an error. */
static int set_frame(hol__build *build, const follower_params *f, double at[3], double p[4]) {
    const hol_model *model = build->model;
    const hol__body *b = f->bodies[0] < model->nb ? &model->bodies[f->bodies[0]] : NULL;
    const double identity[4] = {1, 0, 0, 0};
    memcpy(p, b ? b->p : identity, sizeof identity);
    memcpy(at, f->at, sizeof f->at);
    if (!hol__is_given(f, "at")) {
        double R[9], u[3] = {0};
        hol__quat_matrix(p, R);
        if (b) hol__mul3(R, b->com, u);
        for (int i = 0; i < 3; i++) at[i] = b ? b->r[i] - u[i] : 0;
    }
    return !hol__is_given(f, "axis") || hol__axis_frame(build, f, f->axis, f->x_axis, p);
}

/* The drawn place on the curve: the nearest point, or the extremum in the direction of the face
 * that is nearest to it; 0 without one. */
static int find_start(hol__build *build, follower *f, const double *P, const double *m) {
    const double range = f->curve.to - f->curve.from;
    double best = INFINITY, before = 0, C[2], C1[2], C2[2];
    for (int i = 0; i <= SEARCH; i++) {
        const double s = f->curve.from + range * i / SEARCH;
        hol__curve_at(&f->curve, s, C, C1, C2, build->scratch);
        const double slope = dot2(m, C1), gap = f->flat
                                                    ? fabs(dot2(m, P) + m[2] * P[2] - dot2(m, C))
                                                    : hypot(P[0] - C[0], P[1] - C[1]);
        const int turns = slope == 0 || (i && slope * before < 0);
        before = slope;
        if (!(gap < best) || (f->flat && !turns)) continue;
        best = gap;
        f->s0 = s;
        if (f->flat) f->side = dot2(m, C2) < 0 ? 1 : -1;
    }
    if (!isfinite(best)) return 0;
    f->s0 = settle(f, P, m, f->s0, build->scratch);
    return isfinite(f->s0);
}

/* Finish a follower whose keys were read: where it touches as drawn, and on which side. */
static int place(hol__build *build, const follower_params *p, follower *f) {
    double r1[3], R1[9], r2[3], R2[9], P[3], m[3], C[2], C1[2], C2[2];
    hol__drawn_pose(build->model, f->body[0], r1, R1);
    hol__drawn_pose(build->model, f->body[1], r2, R2);
    look(f, r1, R1, r2, R2, P, m);
    if (!find_start(build, f, P, m)) {
        hol__field_error(build, p, NULL,
                         f->flat
                             ? "the face touches the curve nowhere: no tangent of it is parallel "
                               "to the face as drawn"
                             : "the place on the curve that is nearest to the point cannot be "
                               "found; draw the point nearer to the curve");
        return 0;
    }
    if (f->flat) return 1;
    hol__curve_at(&f->curve, f->s0, C, C1, C2, build->scratch);
    const double e[2] = {P[0] - C[0], P[1] - C[1]}, n[2] = {-C1[1], C1[0]};
    f->side = f->radius > 0 && dot2(n, e) < 0 ? -1 : 1;
    return 1;
}

/* The curve and its follower; 0 after an error. */
static int set_follower(hol__build *build, hol__element *joint, const follower_params *p,
                        follower *f) {
    const int errors = build->errors;
    double at[3], frame[4], r[3], R[9];
    set_frame(build, p, at, frame);
    hol__curve_set(build, p, &p->curve, &f->curve);
    f->radius = p->radius;
    f->flat = hol__is_given(p, "face");
    if (f->flat && f->radius > 0)
        hol__field_error(build, p, NULL, "a flat follower has no radius; give `face` or `radius`");
    if (build->errors > errors) return 0;
    memcpy(joint->body, p->bodies, sizeof joint->body);
    hol__marker_set(build->model, joint->body[0], at, frame, &joint->marker[0]);
    hol__marker_set(build->model, joint->body[1], p->point, frame, &joint->marker[1]);
    memcpy(f->body, joint->body, sizeof f->body);
    memcpy(f->o, joint->marker[0].s, sizeof f->o);
    memcpy(f->F, joint->marker[0].F, sizeof f->F);
    memcpy(f->point, joint->marker[1].s, sizeof f->point);
    hol__drawn_pose(build->model, joint->body[1], r, R);
    if (f->flat) hol__mul3_t(R, p->face, f->m);
    return place(build, p, f);
}

/* Add what the joint holds: the distance from the curve, and for a point in space the plane of the
 * curve. */
static void compile(hol__build *build, hol__element *joint, const follower_params *p, int is_cam) {
    follower *f = HOL__NEW(build->arena, follower);
    if (!f || !set_follower(build, joint, p, f)) return;
    record *rec = hol__add_con(build, joint, &curve_type, 1);
    if (!rec) return;
    rec->f = f;
    rec->track = hol__track_number(build, joint->body, follow, f);
    if (build->model->dim == 3 && !is_cam) hol__lock(build, joint, 4, NULL);
}

/* The follower of a joint; NULL where the joint has no curve. */
static const follower *follower_of(const hol_model *model, int joint) {
    for (int b = 0; b < model->n_con_batches; b++) {
        const hol__con_batch *batch = &model->con_batches[b];
        for (int i = 0; batch->type == &curve_type && i < batch->count; i++) {
            const record *rec = hol__con_record(batch, i);
            if (rec->con.element == joint) return rec->f;
        }
    }
    return NULL;
}

int hol__joint_curve(const hol_model *model, int joint, hol_context *ctx, int n, double *points,
                     hol_curve_info *info) {
    const follower *f = follower_of(model, joint);
    double C[2], C1[2], C2[2];
    if (!f) return 0;
    /* an evaluation writes the switches of the model in front of its scratch */
    double *block = hol__alloc(ctx, (size_t)(model->n_corners + model->scratch) + 1, sizeof *block);
    if (!block) return -1;
    double *scratch = block + model->n_corners;
    for (int i = 0; i < n; i++) {
        const double s = f->curve.from + (f->curve.to - f->curve.from) * i / (n > 1 ? n - 1 : 1);
        hol__curve_at(&f->curve, s, C, C1, C2, scratch);
        const double *com = f->body[0] < model->nb ? model->bodies[f->body[0]].com : NULL;
        for (int k = 0; k < 3; k++)
            points[3 * i + k] =
                f->o[k] + f->F[3 * k] * C[0] + f->F[3 * k + 1] * C[1] + (com ? com[k] : 0);
    }
    hol__release(ctx, block);
    info->radius = f->radius;
    for (int k = 0; k < 3; k++) {
        info->normal[k] = f->F[3 * k + 2];
        info->face[k] = f->flat ? f->m[k] : 0;
    }
    return 1;
}

/* A point that follows the curve. */
static void point_on_curve(hol__build *build, hol__element *joint, const void *params) {
    compile(build, joint, params, 0);
}

const hol__element_type hol__joint_point_on_curve = {
    .section = "joints",
    .name = "point_on_curve",
    .title = "A point of the second body stays on a plane curve of the first.",
    .equations =
        "n . (P - C(s)) = 0 at the s where (P - C) . C' = 0; in space also z . (P - O) = 0",
    .example = "  track: {type: point_on_curve, bodies: [ground, rod], x: s, y: 0.2*s^2, s_from: "
               "-2, s_to: 2, point: [0, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = point_keys,
    .size = sizeof(follower_params),
    .compile_element = point_on_curve,
};

/* A roller or a flat face that follows the curve. */
static void cam(hol__build *build, hol__element *joint, const void *params) {
    compile(build, joint, params, 1);
}

const hol__element_type hol__joint_cam = {
    .section = "joints",
    .name = "cam",
    .title = "A cam and its follower: pointed, with a roller, or with a flat face; they stay in "
             "contact.",
    .equations = "n . (P - C(s)) - rho = 0 at the s where (P - C) . C' = 0; flat: m . (Q - C(s)) = "
                 "0 at the s where m . C' = 0",
    .example = "holonom: 1\nname: cam\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  cam: {mass: "
               "1, inertia: 0.02, position: [0, 0], velocity: [0.8, 0]}\n"
               "  follower: {mass: 0.5, inertia: 0.01, position: [0, 1]}\n"
               "joints:\n  A: {type: prismatic, bodies: [ground, cam], at: [0, 0], axis: [1, 0]}\n"
               "  B: {type: prismatic, bodies: [ground, follower], at: [0, 1], axis: [0, 1]}\n"
               "  lift: {type: cam, bodies: [cam, follower], x: s, y: 0.2*cos(s), s_from: -4, "
               "s_to: 4, point: [0, 0.3], "
               "radius: 0.1}\nsimulation: {end: 0.1}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = cam_keys,
    .size = sizeof(follower_params),
    .compile_element = cam,
};
