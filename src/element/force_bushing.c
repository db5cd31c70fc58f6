/* force_bushing.c: an elastic joint: stiffness and damping between two frames in all directions.
 *
 *     x = (d, u):  d = F1^T (P2 - P1) in the frame on body 1,
 *     u: rotation vector of frame 2 against frame 1 (in the plane the angle)
 *     f = -K x - C x' - h(x_k, x_k')          V = x^T K x/2; the rest counts as power
 *
 * Forces act at P2 on both bodies (components in frame 1), torques by the differential of the
 * exponential map: with omega the relative angular velocity in frame 2, u' = B(u) omega, the torque
 * of the moments m in frame 2 is B(u)^T m = B(-u) m (math/quat.h). So the power is f . x' exactly,
 * for displacements and rotations (below a half turn) of any size.
 */
#include "element/dual_forces.h"
#include "element/forces.h"

#include <string.h>

typedef struct bushing {
    int element;
    int body[2];
    hol__marker marker[2];
    double offset; /* in the plane: theta2 - theta1 where the deflection is 0 */
    double K[36], C[36];
    int has_laws;
    hol__law law[6];
} bushing;

static const char *const locals[] = {"deflection", "rate", NULL};
static const char *const length_units[] = {"m", "m/s"}, *const turn_units[] = {"rad", "rad/s"};

/* Everything that the force needs of the frames. */
typedef struct deflection {
    double x[6], rate[6]; /* in the plane x, y and, at 2, the angle */
    double P2[3];
    double R1[9], R2[9]; /* frames, global */
} deflection;

/* The frame of a marker, global. */
static void frame_of(const hol__force_args *args, int body, const hol__marker *m, double R[9]) {
    if (args->bodies.b2) {
        const double a = args->bodies.b2[body].theta + m->angle, c = cos(a), s = sin(a);
        const double Z[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
        memcpy(R, Z, sizeof Z);
    } else
        hol__mat3_mul(args->bodies.b3[body].R, m->F, R);
}

static void translation(const bushing *rec, const hol__force_args *args, deflection *at) {
    double P1[3], V1[3], V2[3], d[3], ddot[3];
    frame_of(args, rec->body[0], &rec->marker[0], at->R1);
    hol__place_of(args, rec->body[0], rec->marker[0].s, P1);
    hol__place_of(args, rec->body[1], rec->marker[1].s, at->P2);
    hol__velocity_at(args, rec->body[0], at->P2, V1); /* the frame turns with body 1 */
    hol__velocity_at(args, rec->body[1], at->P2, V2);
    hol__sub3(at->P2, P1, d);
    hol__sub3(V2, V1, ddot);
    hol__mul3_t(at->R1, d, at->x);
    hol__mul3_t(at->R1, ddot, at->rate);
}

static void rotation(const bushing *rec, const hol__force_args *args, deflection *at) {
    if (args->bodies.b2) {
        const hol__body2 *b1 = &args->bodies.b2[rec->body[0]], *b2 = &args->bodies.b2[rec->body[1]];
        at->x[2] = b2->theta - b1->theta - rec->offset;
        at->rate[2] = b2->w - b1->w;
        return;
    }
    double q1[4], q2[4], p[4], w1[3], w2[3], w[3], omega[3];
    frame_of(args, rec->body[1], &rec->marker[1], at->R2);
    hol__quat_mul(args->bodies.b3[rec->body[0]].p, rec->marker[0].f, q1);
    hol__quat_mul(args->bodies.b3[rec->body[1]].p, rec->marker[1].f, q2);
    hol__quat_mul_c(q1, q2, p);
    hol__quat_log(p, at->x + 3);
    hol__spin_of(args, rec->body[0], w1);
    hol__spin_of(args, rec->body[1], w2);
    hol__sub3(w2, w1, w);
    hol__mul3_t(at->R2, w, omega);
    hol__quat_dexpinv(at->x + 3, omega, at->rate + 3);
}

/* f by direction; adds potential and power. */
static void components(const bushing *rec, const deflection *at, int n, hol__force_args *args,
                       double f[6]) {
    for (int i = 0; i < n; i++) {
        double elastic = 0, rest = 0;
        for (int j = 0; j < n; j++) {
            elastic += rec->K[n * i + j] * at->x[j];
            rest += rec->C[n * i + j] * at->rate[j];
        }
        if (rec->has_laws) {
            args->inputs[args->local] = at->x[i];
            args->inputs[args->local + 1] = at->rate[i];
            rest += hol__law_value(&rec->law[i], args->inputs, args->scratch);
        }
        f[i] = -elastic - rest;
        args->potential += 0.5 * elastic * at->x[i];
        args->power -= rest * at->rate[i];
    }
}

/* The torque of the moments m along the rotation vector, global. */
static void torque_of(const deflection *at, const double *m, double T[3]) {
    const double back[3] = {-at->x[3], -at->x[4], -at->x[5]};
    double local[3];
    hol__quat_dexpinv(back, m, local);
    hol__mul3(at->R2, local, T);
}

static void fill(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const bushing *rec = (const bushing *)records + i;
        deflection at;
        double f[6], F[3], T[3] = {0, 0, 0};
        translation(rec, args, &at);
        rotation(rec, args, &at);
        components(rec, &at, args->bodies.b2 ? 3 : 6, args, f);
        hol__tell_all(args, 0, at.x, args->bodies.b2 ? 3 : 6);
        hol__tell_all(args, 1, at.rate, args->bodies.b2 ? 3 : 6);
        hol__tell_all(args, 2, f, args->bodies.b2 ? 3 : 6);
        if (args->bodies.b2)
            T[2] = f[2], f[2] = 0;
        else
            torque_of(&at, f + 3, T);
        hol__mul3(at.R1, f, F);
        hol__push_body(args, rec->body[0], at.P2, F, -1);
        hol__push_body(args, rec->body[1], at.P2, F, 1);
        hol__turn_body(args, rec->body[0], T, -1);
        hol__turn_body(args, rec->body[1], T, 1);
    }
}

/* ---- the same in dual numbers ---- */

/* g of math/quat.h, in the differential of the exponential map. */
static hol__dual dual_g(hol__dual3 u) {
    const hol__dual s2 = hol__dual3_dot(u, u);
    const double s = sqrt(s2.f), h = 0.5 * s;
    if (s < 0.03)
        return (hol__dual){(1 + s2.f / 60 * (1 + s2.f / 42)) / 12, (1 + s2.f / 21) / 720 * s2.d};
    const double g = (1 - h / tan(h)) / s2.f,
                 by_s = (0.5 * h / (sin(h) * sin(h)) - 0.5 / tan(h)) / s2.f;
    return (hol__dual){g, (0.5 * by_s / s - g / s2.f) * s2.d};
}

/* w + sign u x w/2 + g u x (u x w): hol__quat_dexpinv of u or -u. */
static hol__dual3 dual_dexpinv(hol__dual3 u, double sign, hol__dual3 w) {
    const hol__dual3 first = hol__dual3_cross(u, w);
    return hol__dual3_add(hol__dual3_add(w, 0.5 * sign, first), 1,
                          hol__dual3_scale(dual_g(u), hol__dual3_cross(u, first)));
}

/* The rotation vector of p, which turns by y in its own frame: u' = B(u) y. */
static hol__dual3 dual_log(const double p[4], const double y[3]) {
    hol__dual3 u;
    hol__quat_log(p, u.f);
    hol__quat_dexpinv(u.f, y, u.d);
    return u;
}

/* The frame of a marker and its turn, in its own components. */
static void dual_frame(const hol__body_dual *b, const hol__marker *m, int plane, double R[9],
                       double turn[3]) {
    const double c = cos(m->angle), s = sin(m->angle), Z[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    const double *F = plane ? Z : m->F;
    hol__mat3_mul(b->R, F, R);
    hol__mul3_t(F, b->turn, turn);
}

/* Deflections and rates, with the frames. */
typedef struct dual_deflection {
    double R1[9], R2[9], turn1[3], turn2[3];
    hol__dual3 P2, x[2], rate[2]; /* translations, rotations */
} dual_deflection;

static void dual_deflect(const bushing *rec, const hol__dual_args *args, dual_deflection *at) {
    const hol__body_dual *b1 = &args->body[0], *b2 = &args->body[1];
    dual_frame(b1, &rec->marker[0], args->plane, at->R1, at->turn1);
    dual_frame(b2, &rec->marker[1], args->plane, at->R2, at->turn2);
    at->P2 = hol__dual_place(b2, rec->marker[1].s);
    const hol__dual3 d = hol__dual3_add(at->P2, -1, hol__dual_place(b1, rec->marker[0].s));
    const hol__dual3 ddot =
        hol__dual3_add(hol__dual_velocity(b2, at->P2), -1, hol__dual_velocity(b1, at->P2));
    const hol__dual3 w = hol__dual3_add(b2->w, -1, b1->w);
    at->x[0] = hol__dual3_in(at->R1, at->turn1, d);
    at->rate[0] = hol__dual3_in(at->R1, at->turn1, ddot);
    if (args->plane) {
        const hol__bodies *bodies = &args->args->bodies;
        at->x[1] = (hol__dual3){{0, 0, 0}, {0, 0, b2->turn[2] - b1->turn[2]}};
        at->x[1].f[2] =
            bodies->b2[rec->body[1]].theta - bodies->b2[rec->body[0]].theta - rec->offset;
        at->rate[1] = w;
        return;
    }
    const hol__body3 *b3 = args->args->bodies.b3;
    double q1[4], q2[4], p[4], turn[3], y[3];
    hol__quat_mul(b3[rec->body[0]].p, rec->marker[0].f, q1);
    hol__quat_mul(b3[rec->body[1]].p, rec->marker[1].f, q2);
    hol__quat_mul_c(q1, q2, p);
    hol__mul3(at->R1, at->turn1, turn);
    hol__mul3_t(at->R2, turn, y);
    hol__sub3(at->turn2, y, y);
    at->x[1] = dual_log(p, y);
    at->rate[1] = dual_dexpinv(at->x[1], 1, hol__dual3_in(at->R2, at->turn2, w));
}

/* Component k of the six (in the plane of the three) deflections or rates. */
static hol__dual pick(const hol__dual3 x[2], int k, int plane) {
    const int part = plane ? k == 2 : k / 3, at = plane ? k : k % 3;
    return (hol__dual){x[part].f[at], x[part].d[at]};
}

static void dual(const void *record, hol__dual_args *args) {
    const bushing *rec = record;
    const int plane = args->plane, n = plane ? 3 : 6;
    dual_deflection at;
    hol__dual3 f[2] = {{{0}, {0}}, {{0}, {0}}};
    dual_deflect(rec, args, &at);
    for (int i = 0; i < n; i++) {
        const hol__dual local[2] = {pick(at.x, i, plane), pick(at.rate, i, plane)};
        hol__dual sum = {0, 0};
        for (int j = 0; j < n; j++) {
            sum = hol__dual_add(sum, rec->K[n * i + j], pick(at.x, j, plane));
            sum = hol__dual_add(sum, rec->C[n * i + j], pick(at.rate, j, plane));
        }
        if (rec->has_laws) sum = hol__dual_add(sum, 1, hol__dual_law(&rec->law[i], args, 2, local));
        const int part = plane ? i == 2 : i / 3, k = plane ? i : i % 3;
        f[part].f[k] = -sum.f, f[part].d[k] = -sum.d;
    }
    const hol__dual3 F = hol__dual3_out(at.R1, at.turn1, f[0]);
    const hol__dual3 T =
        plane ? f[1] : hol__dual3_out(at.R2, at.turn2, dual_dexpinv(at.x[1], -1, f[1]));
    hol__dual_push_body(&args->body[0], at.P2, F, -1);
    hol__dual_push_body(&args->body[1], at.P2, F, 1);
    hol__dual_turn_body(&args->body[0], T, -1);
    hol__dual_turn_body(&args->body[1], T, 1);
}

static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__dual_tangent(record, args, dual, out);
}

static const hol__force_type bushing_type = {
    .name = "bushing", .size = sizeof(bushing), .fill = fill, .tangent = tangent};

typedef struct bushing_params {
    hol__params head;
    hol__frame_fields frame;
    double stiffness[36], damping[36];
    hol__law force[3], torque[3];
} bushing_params;

static const hol__key keys[] = {
    HOL__KEY_PAIR(bushing_params, frame.bodies),
    HOL__KEY_PLACE(bushing_params),
    HOL__KEY_AXIS(bushing_params, "",
                  "The z axis of the bushing's frame (in the plane: its x axis); default: "
                  "the global one."),
    {"x_axis", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The x axis of the bushing's frame; default: chosen by the program.", NULL,
     HOL__AT(bushing_params, frame.x_axis)},
    {"stiffness", HOL__KEY_MATRIX, "N/m", "", 0,
     "K for x, y, z, rx, ry, rz (in the plane x, y, angle), in N/m, N, N*m and N*m/rad: the "
     "diagonal, or a symmetric matrix.",
     NULL, HOL__AT(bushing_params, stiffness)},
    {"damping", HOL__KEY_MATRIX, "N*s/m", "", 0,
     "C in the same way, in N*s/m, N*s, N*m*s and N*m*s/rad.", NULL,
     HOL__AT(bushing_params, damping)},
    {"force", HOL__KEY_LAWS, "N", "", 0,
     "h of the translations, against the deflection: laws that may use `deflection` and `rate` of "
     "their direction.",
     NULL, HOL__LAW_OF(bushing_params, force, locals, length_units)},
    {"torque", HOL__KEY_TURN, "N*m", "", 0,
     "h of the rotations: laws that may use `deflection` and `rate` of their direction.", NULL,
     HOL__LAW_OF(bushing_params, torque, locals, turn_units)},
    HOL__KEY_END,
};

/* K must have a potential; C must not feed energy. */
static void check_matrices(hol__build *build, const bushing_params *p, int n) {
    const double *K = p->stiffness, *C = p->damping;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            if (fabs(K[n * i + j] - K[n * j + i]) >
                1e-12 * (fabs(K[n * i + i]) + fabs(K[n * j + j]))) {
                hol__field_error(build, p, "stiffness",
                                 "the stiffness matrix is not symmetric, so it has no energy");
                return;
            }
        if (K[n * i + i] < 0)
            hol__field_error(build, p, "stiffness",
                             "the stiffness in direction %d is %g; it must not be negative", i + 1,
                             K[n * i + i]);
        if (C[n * i + i] < 0)
            hol__field_error(build, p, "damping",
                             "the damping in direction %d is %g; it must not be negative", i + 1,
                             C[n * i + i]);
    }
}

/* In the plane: theta2 - theta1 without deflection, counted near the drawn position. */
static double drawn_offset(const hol__build *build, const hol__element *force) {
    const hol_model *m = build->model;
    double theta[2];
    for (int i = 0; i < 2; i++)
        theta[i] = force->body[i] < m->nb ? m->bodies[force->body[i]].theta : 0;
    const double offset = force->marker[0].angle - force->marker[1].angle, turn = 2 * acos(-1.0);
    return offset + turn * round((theta[1] - theta[0] - offset) / turn);
}

static void compile(hol__build *build, hol__element *force, const void *params) {
    const bushing_params *p = params;
    const int errors = build->errors, dim = build->model->dim, n = dim == 2 ? 3 : 6;
    bushing s = {.has_laws = hol__is_given(p, "force") || hol__is_given(p, "torque")};
    if (!hol__is_given(p, "stiffness") && !hol__is_given(p, "damping") && !s.has_laws)
        hol__field_error(build, p, NULL,
                         "a bushing needs `stiffness`, `damping`, `force` or `torque`");
    check_matrices(build, p, n);
    if (!hol__joint_frame(build, force, p, &p->frame) || build->errors > errors) return;
    memcpy(s.K, p->stiffness, sizeof s.K);
    memcpy(s.C, p->damping, sizeof s.C);
    memcpy(s.law, p->force, sizeof p->force);
    for (int i = 0; i < 3; i++)
        if (dim == 3 || i == 2) s.law[dim == 3 ? 3 + i : 2] = p->torque[i];
    memcpy(s.body, force->body, sizeof s.body);
    memcpy(s.marker, force->marker, sizeof s.marker);
    s.offset = drawn_offset(build, force);
    bushing *rec = hol__add_force(build, force, &bushing_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity quantities[] = {
    {"deflection", HOL__TELLS_FRAME, "m", "rad", 0,
     "x: displacements and rotation vector, in the frame on the first body."},
    {"rate", HOL__TELLS_FRAME, "m/s", "rad/s", 0, "x'."},
    {"load", HOL__TELLS_FRAME, "N", "N*m", 1, "f on the second body, in the directions of x."},
    HOL__QUANTITY_END,
};

const hol__element_type hol__force_bushing = {
    .section = "forces",
    .name = "bushing",
    .title = "An elastic joint: stiffness and damping between two frames in all directions, also "
             "coupled and nonlinear.",
    .equations = "f = -K x - C x' - h(x, x'), x = (displacements, rotation vector) in the frame on "
                 "the first body; V = x^T K x/2",
    .example = "  mount: {type: bushing, bodies: [ground, rod], at: [1, 0], stiffness: [2e3, 3e3, "
               "5], damping: [4, 4, 0.1], "
               "force: [1e6*deflection^3, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .size = sizeof(bushing_params),
    .quantities = quantities,
    .compile_element = compile,
};
