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

typedef enum kind { PLANE, SPHERE, CAPSULE, BOX, HULL } kind;

static const char *const names[] = {"plane", "sphere", "capsule", "box", "hull"};

static double (*points(rig *r, int n))[3] {
    double(*x)[3] = hol__arena_alloc(&r->arena, (size_t)n, sizeof *x);
    assert_non_null(x);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < (r->pair.plane ? 2 : 3); i++) x[k][i] = random_one(&r->seed);
    return x;
}

static void set_shape(rig *r, kind of, hol__touch_shape *s) {
    double(*x)[3] = points(r, 9), box[8][3];
    double size[3];
    for (int i = 0; i < 3; i++) size[i] = 0.4 + random_unit(&r->seed);
    *s = (hol__touch_shape){.half_space = of == PLANE};
    const int corners = hol__polytope_box(size, r->pair.plane, box);
    if (of == PLANE) {
        const double length = hol__norm3(x[1]);
        for (int i = 0; i < 3; i++) x[1][i] /= length;
        s->core = (hol__convex){.n = 1, .x = (const double(*)[3])x};
        s->core.normals = (const double(*)[3])x + 1;
    } else if (of == SPHERE)
        s->core = (hol__convex){.n = 1, .x = (const double(*)[3])x, .radius = 0.3};
    else if (of == CAPSULE) {
        s->core = hol__segment((const double(*)[3])x);
        s->core.radius = 0.25;
    } else
        assert_int_equal(hol__polytope_of(&r->arena, (const double(*)[3])(of == BOX ? box : x),
                                          of == BOX ? corners : 7, r->pair.plane, &s->core),
                         1);
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
        for (int a = 0; a <= HULL; a++)
            for (int b = 0; b <= HULL; b++) {
                int met = 0;
                char what[64];
                snprintf(what, sizeof what, "%s and %s %s", names[a], names[b],
                         plane ? "in the plane" : "in space");
                for (int k = 0; k < 300 && (a || b); k++) {
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
                if ((a || b) && met < 10) fail_msg("%s: %d touches", what, met);
            }
    /* of a million */
    if (corners > 300) fail_msg("%d rates could not be compared", corners);
    hol__arena_free(&r.arena);
    hol_context_free(r.ctx);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates), cmocka_unit_test(test_rolling),
                                       cmocka_unit_test(test_sliding_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
