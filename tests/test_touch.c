/* test_touch.c: where shapes touch: depth and places against their definitions, rates and rows
 * against differences, and how forces of all touches follow a motion.
 *
 * Bodies move by x(h) = x + h v, R(h) = R exp(h w); differences of order four with h = 1e-4 leave
 * h^4 f^(5) of numbers near 1, 1e-13 or so, and rounding 1e-16/h = 1e-12; normals of short edges
 * are a hundred times as curved: 1e-7 of the size.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "common.h"

#include "element/touch.h"
#include "math/gjk.h"
#include "math/polytope.h"
#include "math/quat.h"

#include <math.h>

typedef struct rig {
    hol_context *ctx;
    hol__arena arena;
    uint64_t seed;
    hol__touch_pair pair;
    hol__body_dual bodies[2];
} rig;

typedef enum kind { PLANE, SPHERE, CAPSULE, BOX, HULL, ROUND_BOX, ROUND_HULL, CYLINDER } kind;

static const char *const names[] = {"plane", "sphere",    "capsule",    "box",
                                    "hull",  "round box", "round hull", "cylinder"};

static double (*points(rig *r, int n))[3] {
    double(*x)[3] = hol__arena_alloc(&r->arena, (size_t)n, sizeof *x);
    assert_non_null(x);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < (r->pair.plane ? 2 : 3); i++) x[k][i] = random_one(&r->seed);
    return x;
}

/* A cylinder between two points, in the plane none. */
static void set_cylinder(rig *r, double (*x)[3], hol__convex *core) {
    static const int first[3] = {0, 1, 2}, loop[2] = {0, 1};
    double(*n)[3] = hol__arena_alloc(&r->arena, 2, sizeof *n);
    assert_non_null(n);
    hol__sub3(x[1], x[0], n[1]);
    const double length = hol__norm3(n[1]);
    for (int i = 0; i < 3; i++) n[1][i] /= length, n[0][i] = -n[1][i];
    *core = (hol__convex){.n = 2,
                          .x = (const double(*)[3])x,
                          .disc = 0.2 + 0.3 * random_unit(&r->seed),
                          .normals = (const double(*)[3])n,
                          .first = first,
                          .loop = loop};
    memcpy(core->axis, n[1], sizeof core->axis);
}

/* Which shapes touch each other: cylinders planes and spheres, rounded polytopes none with faces.
 * */
static int fits(kind a, kind b, int plane) {
    const int low = (int)(a < b ? a : b), high = (int)(a < b ? b : a);
    if (high == CYLINDER) return !plane && low <= SPHERE;
    return high > 0 && (high < ROUND_BOX || low <= CAPSULE);
}

static void set_shape(rig *r, kind of, hol__touch_shape *s) {
    double(*x)[3] = points(r, 9), box[8][3];
    double size[3];
    for (int i = 0; i < 3; i++) size[i] = 0.4 + random_unit(&r->seed);
    *s = (hol__touch_shape){.half_space = of == PLANE};
    const int corners = hol__polytope_box(size, r->pair.plane, box),
              is_box = of == BOX || of == ROUND_BOX;
    if (of == PLANE) {
        const double length = hol__norm3(x[1]);
        for (int i = 0; i < 3; i++) x[1][i] /= length;
        s->core = (hol__convex){.n = 1, .x = (const double(*)[3])x};
        s->core.normals = (const double(*)[3])x + 1;
    } else if (of == CYLINDER)
        set_cylinder(r, x, &s->core);
    else if (of == SPHERE)
        s->core = (hol__convex){.n = 1, .x = (const double(*)[3])x, .radius = 0.3};
    else if (of == CAPSULE) {
        s->core = hol__segment((const double(*)[3])x);
        s->core.radius = 0.25;
    } else
        assert_int_equal(hol__polytope_of(&r->arena, (const double(*)[3])(is_box ? box : x),
                                          is_box ? corners : 7, r->pair.plane, &s->core),
                         1);
    if (of == ROUND_BOX || of == ROUND_HULL) s->core.radius = 0.17;
}

/* A random pose and motion. */
static void set_body(rig *r, double far, hol__body_dual *b) {
    double q[4] = {random_one(&r->seed), random_one(&r->seed), random_one(&r->seed),
                   random_one(&r->seed)};
    const int dim = r->pair.plane ? 2 : 3;
    if (r->pair.plane) q[1] = q[2] = 0;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= length;
    memset(b, 0, sizeof *b);
    hol__quat_matrix(q, b->R);
    for (int i = 0; i < dim; i++) {
        b->r.f[i] = far * random_one(&r->seed);
        b->v.f[i] = b->r.d[i] = random_one(&r->seed);
    }
    for (int i = 0; i < 3; i++) b->turn[i] = r->pair.plane && i < 2 ? 0 : random_one(&r->seed);
    hol__mul3(b->R, b->turn, b->w.f);
}

/* The body after h along its motion. */
static hol__body_dual moved(const hol__body_dual *b, double h) {
    hol__body_dual out = *b;
    const double w = hol__norm3(b->turn), half = 0.5 * h * w, s = w > 0 ? sin(half) / w : 0,
                 q[4] = {cos(half), s * b->turn[0], s * b->turn[1], s * b->turn[2]};
    double T[9];
    hol__quat_matrix(q, T);
    hol__mat3_mul(b->R, T, out.R);
    for (int i = 0; i < 3; i++) out.r.f[i] += h * b->r.d[i];
    return out;
}

static int is_polytope(const hol__touch_shape *s) {
    return !s->half_space;
}

/* The depth of the deepest touch is that of the cores by GJK, while these are apart. */
static void check_depth(const rig *r, const hol__touch_point *all, int n, const char *what) {
    hol__placed at[2];
    hol__proximity near;
    double deepest = -INFINITY;
    if (!is_polytope(&r->pair.shape[0]) || !is_polytope(&r->pair.shape[1])) return;
    if (r->pair.shape[0].core.disc + r->pair.shape[1].core.disc > 0) return;
    for (int k = 0; k < 2; k++) {
        at[k].shape = &r->pair.shape[k].core;
        memcpy(at[k].R, r->bodies[k].R, sizeof at[k].R);
        memcpy(at[k].r, r->bodies[k].r.f, sizeof at[k].r);
    }
    hol__gjk(&at[0], &at[1], &near);
    if (!(near.distance > 1e-6)) return;
    for (int i = 0; i < n; i++) deepest = fmax(deepest, all[i].p.f);
    const double expected = at[0].shape->radius + at[1].shape->radius - near.distance;
    if (fabs(deepest - expected) > 1e-12)
        fail_msg("%s: depth %.17g, not %.17g", what, deepest, expected);
}

/* S1 - S0 = -p n, |n| = 1. */
static void check_places(const hol__touch_point *at) {
    assert_true(fabs(hol__norm3(at->n.f) - 1) < 1e-12);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(at->S[1].f[i] - at->S[0].f[i] + at->p.f * at->n.f[i]) < 1e-9);
}

/* What follows from the positions, as a list: p, weight, n, P, row. */
enum { VALUES = 2 + 3 + 3 + 12 };

static void list(const hol__touch_point *at, const hol__body_dual bodies[2], double f[VALUES],
                 double d[VALUES]) {
    hol__dual3 row[2][2];
    int m = 0;
    hol__touch_row(at, bodies, row);
    f[m] = at->p.f, d[m++] = at->p.d;
    f[m] = at->weight.f, d[m++] = at->weight.d;
    const hol__dual3 all[] = {at->n, at->P, row[0][0], row[0][1], row[1][0], row[1][1]};
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 3; i++) f[m] = all[k].f[i], d[m++] = all[k].d[i];
}

/* Rates of the values of all touches by differences of order four. */
static void differences(const rig *r, const hol__touch *touches, int n, double h,
                        double (*rate)[VALUES]) {
    static const double weights[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
    static hol__touch_point by[HOL__TOUCHES];
    memset(rate, 0, sizeof *rate * (size_t)n);
    for (int s = 0; s < 4; s++) {
        hol__body_dual there[2];
        double f[VALUES], ignore[VALUES];
        for (int k = 0; k < 2; k++) there[k] = moved(&r->bodies[k], h * (s < 2 ? s - 2 : s - 1));
        hol__touch_points(&r->pair, there, touches, n, by);
        for (int i = 0; i < n; i++) {
            list(&by[i], there, f, ignore);
            for (int k = 0; k < VALUES; k++) rate[i][k] += weights[s] * f[k] / h;
        }
    }
}

/* Rates against differences (where those of two steps agree: there is a corner nearby where they do
 * not), and p' against the row times the velocities. Returns how many could not be compared. */
static int check_rates(const rig *r, const hol__touch *touches, int n, const char *what) {
    static hol__touch_point at[HOL__TOUCHES];
    static double rate[HOL__TOUCHES][VALUES], finer[HOL__TOUCHES][VALUES];
    int corners = 0;
    hol__touch_points(&r->pair, r->bodies, touches, n, at);
    differences(r, touches, n, 1e-4, rate);
    differences(r, touches, n, 3e-5, finer);
    for (int i = 0; i < n; i++) {
        double f[VALUES], d[VALUES];
        list(&at[i], r->bodies, f, d);
        for (int k = 0; k < VALUES; k++) {
            const double tolerance = 1e-6 * (1 + fabs(d[k]));
            if (fabs(rate[i][k] - finer[i][k]) > tolerance)
                corners++;
            else if (fabs(rate[i][k] - d[k]) > tolerance)
                fail_msg("%s: touch %d (kinds %d %d), rate %d: %.12g, not %.12g", what, i,
                         touches[i].of[0].kind, touches[i].of[1].kind, k, d[k], rate[i][k]);
        }
        hol__dual3 row[2][2];
        double sum = 0;
        hol__touch_row(&at[i], r->bodies, row);
        for (int k = 0; k < 2; k++)
            sum +=
                hol__dot3(row[k][0].f, r->bodies[k].v.f) + hol__dot3(row[k][1].f, r->bodies[k].w.f);
        if (!at[i].bent && fabs(sum + at[i].p.d) > 1e-9)
            fail_msg("%s: row v = %g, p' = %g", what, sum, at[i].p.d);
    }
    return corners;
}

/* All pairs of shapes at random poses. */
static void test_rates(void **state) {
    static hol__touch touches[HOL__TOUCHES];
    static hol__touch_point at[HOL__TOUCHES];
    rig r = {.ctx = hol_context_new(), .seed = 88172645463325252u};
    int corners = 0;
    (void)state;
    hol__arena_init(&r.arena, r.ctx);
    for (int plane = 0; plane < 2; plane++)
        for (int a = 0; a <= CYLINDER; a++)
            for (int b = 0; b <= CYLINDER; b++) {
                int met = 0;
                if (!fits((kind)a, (kind)b, plane)) continue;
                char what[64];
                snprintf(what, sizeof what, "%s and %s %s", names[a], names[b],
                         plane ? "in the plane" : "in space");
                for (int k = 0; k < 400; k++) {
                    r.pair.plane = plane;
                    set_shape(&r, (kind)a, &r.pair.shape[0]);
                    set_shape(&r, (kind)b, &r.pair.shape[1]);
                    for (int i = 0; i < 2; i++) set_body(&r, 0.8, &r.bodies[i]);
                    const int n = hol__touch_find(&r.pair, r.bodies, touches);
                    assert_true(n > 0 && n <= HOL__TOUCHES);
                    hol__touch_points(&r.pair, r.bodies, touches, n, at);
                    for (int i = 0; i < n; i++) {
                        check_places(&at[i]);
                        assert_true(touches[i].slot >= 0 &&
                                    touches[i].slot < hol__touch_slots(&r.pair));
                        met += at[i].p.f > 0 && at[i].weight.f > 0;
                    }
                    check_depth(&r, at, n, what);
                    corners += check_rates(&r, touches, n, what);
                }
                if (met < 10) fail_msg("%s: %d touches", what, met);
            }
    /* of a million */
    if (corners > 300) fail_msg("%d rates could not be compared", corners);
    hol__arena_free(&r.arena);
    hol_context_free(r.ctx);
}

/* Balls around the shapes never touch before these do, and do not where these are far apart. */
static void test_bounds(void **state) {
    static hol__touch touches[HOL__TOUCHES];
    static hol__touch_point at[HOL__TOUCHES];
    rig r = {.ctx = hol_context_new(), .seed = 2463534242u};
    int apart = 0, close = 0;
    (void)state;
    hol__arena_init(&r.arena, r.ctx);
    for (int k = 0; k < 20000; k++) {
        r.pair.plane = k % 2;
        const kind a = (kind)(1 + k / 2 % 7), b = (kind)(1 + k / 14 % 7);
        if (!fits(a, b, k % 2)) continue;
        set_shape(&r, a, &r.pair.shape[0]);
        set_shape(&r, b, &r.pair.shape[1]);
        for (int i = 0; i < 2; i++) set_body(&r, 3, &r.bodies[i]);
        assert_true(hol__touch_apart(&r.pair, r.bodies) < 0);
        hol__touch_bound(&r.pair);
        const double gap = hol__touch_apart(&r.pair, r.bodies);
        const int n = hol__touch_find(&r.pair, r.bodies, touches);
        double deepest = -INFINITY;
        hol__touch_points(&r.pair, r.bodies, touches, n, at);
        for (int i = 0; i < n; i++) deepest = fmax(deepest, at[i].p.f);
        if (gap > 0 && deepest > 1e-12 - gap)
            fail_msg("shapes %d: depth %g, but apart by %g", k, deepest, gap);
        apart += gap > 0;
        close += gap <= 0 && deepest < 0;
    }
    /* the balls tell three in four of the pairs that do not touch */
    if (apart < 3 * close) fail_msg("%d apart, %d close", apart, close);
    hol__arena_free(&r.arena);
    hol_context_free(r.ctx);
}

/* ---- cylinders ---- */

/* The signed distance of a point from the cylinder of body k. */
static double distance_to(const rig *r, int k, const double C[3]) {
    const hol__convex *core = &r->pair.shape[k].core;
    double in[3], d[3], e[3];
    hol__sub3(C, r->bodies[k].r.f, d);
    hol__mul3_t(r->bodies[k].R, d, in);
    hol__sub3(core->x[1], core->x[0], e);
    const double h = 0.5 * hol__norm3(e);
    for (int i = 0; i < 3; i++) d[i] = in[i] - 0.5 * (core->x[0][i] + core->x[1][i]);
    const double z = fabs(hol__dot3(d, e)) / (2 * h),
                 rho = sqrt(fmax(0, hol__dot3(d, d) - z * z)) - core->disc;
    return rho > 0 && z > h ? hypot(rho, z - h) : fmax(rho, z - h);
}

/* Depths of cylinders against their definitions: spheres by the distance of their centres, planes
 * by the lowest point of a rim, the least of h + R (f.e1 cos + f.e2 sin) over the angle. */
static void test_cylinders(void **state) {
    static hol__touch touches[HOL__TOUCHES];
    static hol__touch_point at[HOL__TOUCHES];
    rig r = {.ctx = hol_context_new(), .seed = 1234567u};
    int inside = 0;
    (void)state;
    hol__arena_init(&r.arena, r.ctx);
    for (int k = 0; k < 4000; k++) {
        const int one = k / 2 % 2, sphere = k % 2;
        double expected = -INFINITY, deepest = -INFINITY, f[3], C[3];
        set_shape(&r, CYLINDER, &r.pair.shape[one]);
        set_shape(&r, sphere ? SPHERE : PLANE, &r.pair.shape[1 - one]);
        for (int i = 0; i < 2; i++) set_body(&r, 0.8, &r.bodies[i]);
        const hol__convex *core = &r.pair.shape[one].core, *other = &r.pair.shape[1 - one].core;
        hol__mul3(r.bodies[1 - one].R, other->x[0], C);
        hol__add3(C, r.bodies[1 - one].r.f, C);
        if (sphere)
            expected = other->radius - distance_to(&r, one, C);
        else {
            double a[3], e[2][3], c[3];
            hol__mul3(r.bodies[1 - one].R, other->normals[0], f);
            hol__mul3(r.bodies[one].R, core->axis, a);
            hol__perpendicular3(a, e[0]);
            hol__cross3(a, e[0], e[1]);
            for (int end = 0; end < 2; end++) {
                hol__mul3(r.bodies[one].R, core->x[end], c);
                hol__add3(c, r.bodies[one].r.f, c);
                hol__sub3(c, C, c);
                expected =
                    fmax(expected, core->disc * hypot(hol__dot3(f, e[0]), hol__dot3(f, e[1])) -
                                       hol__dot3(f, c));
            }
        }
        const int n = hol__touch_find(&r.pair, r.bodies, touches);
        hol__touch_points(&r.pair, r.bodies, touches, n, at);
        for (int i = 0; i < n; i++)
            if (at[i].weight.f > 0) deepest = fmax(deepest, at[i].p.f);
        if (fabs(deepest - expected) > 2e-12)
            fail_msg("cylinder %d: depth %.17g, not %.17g", k, deepest, expected);
        inside += expected > 0;
    }
    assert_true(inside > 300);
    hol__arena_free(&r.arena);
    hol_context_free(r.ctx);
}

/* A cylinder that stands on a plane, tilted by up to 5e-3 in any direction with all of its rim
 * below it: with N = p the force is 4 p of the middle and the moment about it 2 R^2 sin(tilt),
 * through upright, where the points of the rim change. */
static void test_standing(void **state) {
    static hol__touch touches[HOL__TOUCHES];
    static hol__touch_point at[HOL__TOUCHES];
    static const double ends[2][3] = {{0, 0, -0.3}, {0, 0, 0.9}}, up[1][3] = {{0, 0, 1}},
                        origin[1][3] = {{0, 0, 0}};
    static const double normals[2][3] = {{0, 0, -1}, {0, 0, 1}};
    static const int first[3] = {0, 1, 2}, loop[2] = {0, 1};
    const double R = 0.37;
    rig r = {.seed = 7654321u};
    (void)state;
    r.pair.shape[0] =
        (hol__touch_shape){.half_space = 1, .core = {.n = 1, .x = origin, .normals = up}};
    r.pair.shape[1].core = (hol__convex){.n = 2,
                                         .x = ends,
                                         .disc = R,
                                         .axis = {0, 0, 1},
                                         .normals = normals,
                                         .first = first,
                                         .loop = loop};
    for (int k = 0; k < 400; k++) {
        const double tilt = k % 40 ? 5e-3 * pow(random_unit(&r.seed), 3) : 0,
                     way = 6.3 * random_unit(&r.seed),
                     q[4] = {cos(0.5 * tilt), sin(0.5 * tilt) * cos(way),
                             sin(0.5 * tilt) * sin(way), 0};
        memset(r.bodies, 0, sizeof r.bodies);
        r.bodies[0].R[0] = r.bodies[0].R[4] = r.bodies[0].R[8] = 1;
        hol__quat_matrix(q, r.bodies[1].R);
        r.bodies[1].r.f[2] = 0.29;
        const double p = -(0.29 - 0.3 * cos(tilt));
        const int n = hol__touch_find(&r.pair, r.bodies, touches);
        hol__touch_points(&r.pair, r.bodies, touches, n, at);
        double N = 0, M[3] = {0, 0, 0}, c[3];
        hol__mul3(r.bodies[1].R, ends[0], c);
        for (int i = 0; i < n; i++) {
            const double push = fmax(0, at[i].p.f) * at[i].weight.f;
            double d[3], F[3] = {0, 0, push}, m[3];
            hol__sub3(at[i].S[1].f, c, d);
            d[2] -= 0.29;
            hol__cross3(d, F, m);
            hol__add3(M, m, M);
            N += push;
        }
        if (fabs(N - 4 * p) > 1e-14) fail_msg("tilt %g: force %.17g, not %.17g", tilt, N, 4 * p);
        /* the axis of the moment is that of the tilt; the arm of the points is level to cos(tilt)
         * */
        const double along = M[0] * cos(way) + M[1] * sin(way),
                     wanted = -2 * R * R * sin(tilt) * cos(tilt);
        if (fabs(along - wanted) > 1e-14 || fabs(M[1] * cos(way) - M[0] * sin(way)) > 1e-14)
            fail_msg("tilt %g: moment %.17g, not %.17g", tilt, along, wanted);
    }
}

/* ---- along a motion ---- */

/* Force and potential of all touches, N = p^1.5. */
static void forces(const rig *r, double F[3], double *V) {
    static hol__touch touches[HOL__TOUCHES];
    static hol__touch_point at[HOL__TOUCHES];
    const int n = hol__touch_find(&r->pair, r->bodies, touches);
    hol__touch_points(&r->pair, r->bodies, touches, n, at);
    F[0] = F[1] = F[2] = *V = 0;
    for (int i = 0; i < n; i++) {
        const double p = fmax(0, at[i].p.f), w = at[i].weight.f;
        for (int k = 0; k < 3; k++) F[k] += w * p * sqrt(p) * at[i].n.f[k];
        *V += w * p * p * sqrt(p) / 2.5;
    }
}

static void make_box(rig *r, int k, const double size[3]) {
    double x[8][3];
    const int n = hol__polytope_box(size, r->pair.plane, x);
    assert_int_equal(hol__polytope_of(&r->arena, (const double(*)[3])x, n, r->pair.plane,
                                      &r->pair.shape[k].core),
                     1);
}

/* The first body at rest with its axes along the global ones, its top at y = 0. */
static void set_table(rig *r, const double size[3]) {
    make_box(r, 0, size);
    memset(&r->bodies[0], 0, sizeof r->bodies[0]);
    r->bodies[0].R[0] = r->bodies[0].R[4] = r->bodies[0].R[8] = 1;
    r->bodies[0].r.f[1] = -0.5 * size[1];
}

/* Let the second body overlap the first by `depth`. */
static void press(rig *r, double depth) {
    double deepest = 0;
    r->bodies[1].r.f[1] = 0;
    for (int i = 0; i < r->pair.shape[1].core.n; i++) {
        double x[3];
        hol__mul3(r->bodies[1].R, r->pair.shape[1].core.x[i], x);
        deepest = fmin(deepest, x[1]);
    }
    r->bodies[1].r.f[1] = -deepest - depth;
}

/* The largest change of force and potential in steps of h along the motion. */
static void largest_change(rig *r, int steps, double h, double *force, double *potential) {
    double F[3], G[3], d[3], V, U;
    *force = *potential = 0;
    forces(r, F, &V);
    for (int i = 0; i < steps; i++) {
        for (int j = 0; j < 2; j++) r->bodies[j] = moved(&r->bodies[j], h);
        forces(r, G, &U);
        hol__sub3(F, G, d);
        *force = fmax(*force, hol__norm3(d));
        *potential = fmax(*potential, fabs(U - V));
        memcpy(F, G, sizeof F);
        V = U;
    }
}

/* A box of any attitude that rolls and slides over a table, 4 % of it in the table: forces change
 * by no more than four corners can, 4 x 1.5 sqrt(p) p' h with p' < 3: 4e-4 for h = 1e-4; where they
 * jump it is by some p^1.5 = 1e-2. */
static void test_rolling(void **state) {
    static const double table[3] = {40, 40, 40}, small[3] = {1.2, 1.5, 0.8};
    rig r = {.ctx = hol_context_new(), .seed = 362436069u};
    (void)state;
    hol__arena_init(&r.arena, r.ctx);
    for (int plane = 0; plane < 2; plane++)
        for (int k = 0; k < 200; k++) {
            double force, potential;
            r.pair.plane = plane;
            set_table(&r, table);
            make_box(&r, 1, small);
            set_body(&r, 1, &r.bodies[1]);
            press(&r, 0.04);
            r.bodies[1].r.d[1] = r.bodies[1].v.f[1] = 0;
            largest_change(&r, 100, 1e-4, &force, &potential);
            if (force > 5e-4 || potential > 1e-4)
                fail_msg("box %d: force changes by %g, potential by %g", k, force, potential);
        }
    hol__arena_free(&r.arena);
    hol_context_free(r.ctx);
}

/* A box that lies on a table with a tilt of some 1e-3 slides over its edges, turning: corners leave
 * the table one by one, edges cross, and forces change without jumps beyond the square of the tilt.
 * One corner more or less would be a jump of 0.01^1.5 = 1e-3. */
static void test_sliding_off(void **state) {
    static const double table[3] = {2, 1, 2}, small[3] = {1.1, 0.6, 0.9};
    rig r = {.ctx = hol_context_new(), .seed = 521288629u};
    (void)state;
    hol__arena_init(&r.arena, r.ctx);
    for (int k = 0; k < 100; k++) {
        double force, potential;
        set_table(&r, table);
        make_box(&r, 1, small);
        set_body(&r, 1, &r.bodies[1]);
        hol__body_dual *b = &r.bodies[1];
        const double a = 3 * random_one(&r.seed), q[4] = {cos(0.5 * a), 1e-3 * random_one(&r.seed),
                                                          sin(0.5 * a), 1e-3 * random_one(&r.seed)};
        hol__quat_matrix(q, b->R);
        press(&r, 0.01);
        b->turn[0] = b->turn[2] = b->r.d[1] = 0;
        b->r.f[0] = 0.4, b->r.f[2] = 0.3, b->r.d[0] = 1, b->r.d[2] = 0.3 * random_one(&r.seed);
        largest_change(&r, 5000, 1e-4, &force, &potential);
        if (force > 1e-5)
            fail_msg("box %d: force changes by %g, potential by %g", k, force, potential);
    }
    hol__arena_free(&r.arena);
    hol_context_free(r.ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),     cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_cylinders), cmocka_unit_test(test_standing),
        cmocka_unit_test(test_rolling),   cmocka_unit_test(test_sliding_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
