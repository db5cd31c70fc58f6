/* test_gjk.c: distance and overlap of convex shapes against other ways to compute them.
 *
 * Distance: between polytopes it is the least over all pairs of a corner and a triangle and of two
 * edges, by closed formulas; for shapes with discs, by weak duality: any two points of the shapes
 * bound it from above, and the gap between two parallel planes that part them from below.
 *
 * Overlap: the least distance of the origin from the planes through three points of B - A that have
 * all others on one side, over all triples.
 *
 * Every number is a sum of products of coordinates of the size S of the pair (distance and extent),
 * each with a relative error of 1e-16; some ten of them are added: 1e-14 S. The bound of 1e-12 S
 * leaves room for triangles that are a hundred times as long as wide in the reference.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "common.h"

#include "math/gjk.h"
#include "math/polytope.h"
#include "math/overlap.h"
#include "math/quat.h"

#include <math.h>

typedef struct rig {
    hol_context *ctx;
    hol__arena arena;
    uint64_t seed;
} rig;

static rig rig_open(uint64_t seed) {
    rig r = {.ctx = hol_context_new(), .seed = seed};
    hol__arena_init(&r.arena, r.ctx);
    return r;
}

static void rig_close(rig *r) {
    hol__arena_free(&r->arena);
    hol_context_free(r->ctx);
}

static void random_vector(uint64_t *seed, double size, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = size * random_one(seed);
}

/* A random rotation and the place. */
static hol__placed place(rig *r, const hol__convex *shape, const double at[3]) {
    hol__placed p = {.shape = shape};
    double q[4];
    for (int i = 0; i < 4; i++) q[i] = random_one(&r->seed);
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= length;
    hol__quat_matrix(q, p.R);
    memcpy(p.r, at, sizeof p.r);
    return p;
}

static int make_box(hol__arena *arena, const double size[3], hol__convex *out) {
    double x[8][3];
    return hol__polytope_of(arena, (const double(*)[3])x, hol__polytope_box(size, 0, x), 0, out);
}

/* A random polytope: a point, a segment, a box or a hull. */
static void random_shape(rig *r, double size, hol__convex *out) {
    double x[12][3], sides[3];
    const int kind = (int)(4 * random_unit(&r->seed));
    const int n = kind < 2 ? kind + 1 : 4 + (int)(8 * random_unit(&r->seed));
    for (int k = 0; k < n; k++) random_vector(&r->seed, size, x[k]);
    for (int i = 0; i < 3; i++) sides[i] = size * (0.05 + random_unit(&r->seed));
    const int made = kind == 2 ? make_box(&r->arena, sides, out)
                               : hol__polytope_of(&r->arena, (const double(*)[3])x, n, 0, out);
    assert_int_equal(made, 1);
}

/* ---- distance, feature by feature ---- */

static void global(const hol__placed *p, int i, double out[3]) {
    hol__mul3(p->R, p->shape->x[i], out);
    hol__add3(out, p->r, out);
}

static double point_segment(const double *p, const double *a, const double *b) {
    double e[3], d[3];
    hol__sub3(b, a, e);
    hol__sub3(p, a, d);
    const double t = fmin(1, fmax(0, hol__dot3(d, e) / hol__dot3(e, e)));
    for (int i = 0; i < 3; i++) d[i] -= t * e[i];
    return hol__norm3(d);
}

/* The distance from the plane where the foot lies within the triangle, else infinite. */
static double point_triangle(const double *p, const double *a, const double *b, const double *c) {
    double e[3], f[3], n[3], d[3], x[3];
    hol__sub3(b, a, e);
    hol__sub3(c, a, f);
    hol__cross3(e, f, n);
    hol__sub3(p, a, d);
    const double square = hol__dot3(n, n);
    hol__cross3(d, f, x);
    const double u = hol__dot3(n, x) / square;
    hol__cross3(e, d, x);
    const double w = hol__dot3(n, x) / square;
    return u >= 0 && w >= 0 && u + w <= 1 ? fabs(hol__dot3(n, d)) / sqrt(square) : INFINITY;
}

/* The distance of the lines where the feet lie within both segments, else infinite. */
static double segment_segment(const double *a, const double *b, const double *c, const double *d) {
    double e[3], f[3], n[3], w[3], x[3];
    hol__sub3(b, a, e);
    hol__sub3(d, c, f);
    hol__cross3(e, f, n);
    hol__sub3(c, a, w);
    const double square = hol__dot3(n, n);
    if (square <= 1e-20 * hol__dot3(e, e) * hol__dot3(f, f)) return INFINITY;
    hol__cross3(w, f, x);
    const double s = hol__dot3(n, x) / square;
    hol__cross3(w, e, x);
    const double t = hol__dot3(n, x) / square;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? fabs(hol__dot3(n, w)) / sqrt(square) : INFINITY;
}

/* Corners of one against corners, edges and faces of the other. */
static double corners_against(const hol__placed *p, const hol__placed *q) {
    double least = INFINITY, x[3], a[3], b[3], c[3];
    for (int i = 0; i < p->shape->n; i++) {
        global(p, i, x);
        for (int j = 0; j < q->shape->n; j++) {
            global(q, j, a);
            hol__sub3(a, x, b);
            least = fmin(least, hol__norm3(b));
        }
        for (int j = 0; j < q->shape->n_edges; j++) {
            global(q, q->shape->edges[j][0], a);
            global(q, q->shape->edges[j][1], b);
            least = fmin(least, point_segment(x, a, b));
        }
        for (int f = 0; f < q->shape->n_faces; f++)
            for (int k = q->shape->first[f] + 1; k + 1 < q->shape->first[f + 1]; k++) {
                global(q, q->shape->loop[q->shape->first[f]], a);
                global(q, q->shape->loop[k], b);
                global(q, q->shape->loop[k + 1], c);
                least = fmin(least, point_triangle(x, a, b, c));
            }
    }
    return least;
}

static double reference_distance(const hol__placed *p, const hol__placed *q) {
    double least = fmin(corners_against(p, q), corners_against(q, p)), a[3], b[3], c[3], d[3];
    for (int i = 0; i < p->shape->n_edges; i++)
        for (int j = 0; j < q->shape->n_edges; j++) {
            global(p, p->shape->edges[i][0], a);
            global(p, p->shape->edges[i][1], b);
            global(q, q->shape->edges[j][0], c);
            global(q, q->shape->edges[j][1], d);
            least = fmin(least, segment_segment(a, b, c, d));
        }
    return least;
}

/* Whether a plane parts them: the largest gap over the axes of faces and edges. */
static int are_apart(const hol__placed *p, const hol__placed *q) {
    hol__overlap o;
    hol__overlap_of(p, q, 0, &o);
    return o.depth < 0;
}

/* ---- certificates ---- */

static double size_of(const hol__placed *p, const hol__placed *q) {
    double d[3];
    hol__sub3(q->r, p->r, d);
    return hol__norm3(d) + hol__convex_reach(p->shape) + hol__convex_reach(q->shape);
}

/* How far a point lies outside of a shape along the direction d, at most. */
static double beyond(const hol__placed *p, const double P[3], const double d[3]) {
    double s[3], x[3];
    hol__convex_support(p, d, s);
    hol__sub3(P, p->r, x);
    return hol__dot3(d, x) - hol__dot3(d, s);
}

/* The points lie in the shapes (along many directions), are as far apart as was said, and planes
 * across the line between them part the shapes by as much. Rounding by 1e-15 S turns a line of that
 * length by 1e-15 S/distance, and moves a plane at S by S times as much. */
static void check_certificate(rig *r, const hol__placed *p, const hol__placed *q,
                              const hol__proximity *near, double tolerance) {
    double d[3], n[3];
    hol__sub3(near->P[1], near->P[0], d);
    if (fabs(hol__norm3(d) - near->distance) > tolerance)
        fail_msg("points are %.17g apart, not %.17g", hol__norm3(d), near->distance);
    for (int k = 0; k < 40; k++) {
        random_vector(&r->seed, 1, n);
        const double length = hol__norm3(n);
        for (int i = 0; i < 3; i++) n[i] /= length;
        assert_true(beyond(p, near->P[0], n) <= tolerance);
        assert_true(beyond(q, near->P[1], n) <= tolerance);
    }
    if (near->distance == 0) return;
    double back[3];
    const double S = size_of(p, q), turned = tolerance + 1e-15 * S * S / near->distance;
    for (int i = 0; i < 3; i++) n[i] = near->d[i] / near->distance, back[i] = -n[i];
    if (fabs(beyond(p, near->P[0], n)) > turned || fabs(beyond(q, near->P[1], back)) > turned)
        fail_msg("not nearest: %g %g beside %g (%d rounds)", beyond(p, near->P[0], n),
                 beyond(q, near->P[1], back), tolerance, near->rounds);
}

/* ---- tests ---- */

/* Random pairs, near and far, small and large: the distance to 1e-12 of the size. */
static void test_distance(void **state) {
    rig r = rig_open(88172645463325252u);
    int apart = 0, over = 0;
    (void)state;
    for (int k = 0; k < 6000; k++) {
        const double scale = pow(10, 6 * random_one(&r.seed)),
                     other = scale * pow(10, k % 5 == 0 ? 3 * random_one(&r.seed) : 0),
                     far = (k % 7 == 0 ? 100 : 0.8) * fmax(scale, other);
        hol__convex a, b;
        double at[3], from[3];
        random_shape(&r, scale, &a);
        random_shape(&r, other, &b);
        random_vector(&r.seed, far, at);
        random_vector(&r.seed, far, from);
        const hol__placed p = place(&r, &a, from), q = place(&r, &b, at);
        hol__proximity near;
        hol__gjk(&p, &q, &near);
        /* coordinates are those of global points here */
        const double tolerance = 1e-12 * (size_of(&p, &q) + hol__norm3(from));
        const double expected = reference_distance(&p, &q);
        if (a.n_faces + b.n_faces == 0 || are_apart(&p, &q)) {
            apart++;
            if (fabs(near.distance - expected) > tolerance)
                fail_msg("pair %d: %.17g instead of %.17g", k, near.distance, expected);
            assert_true(near.rounds < 60);
        } else {
            over++;
            assert_true(near.distance <= tolerance);
        }
        check_certificate(&r, &p, &q, &near, tolerance);
    }
    if (apart < 2000 || over < 500) fail_msg("%d apart, %d over each other", apart, over);
    rig_close(&r);
}

/* Boxes with parallel faces, edges and corners on each other: gaps from 0 to 1e-15 … 1. */
static void test_parallel(void **state) {
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    rig r = rig_open(362436069u);
    (void)state;
    for (int k = 0; k < 2000; k++) {
        hol__convex a, b;
        double sa[3], sb[3];
        for (int i = 0; i < 3; i++) {
            sa[i] = 0.1 + random_unit(&r.seed);
            sb[i] = k % 3 ? 0.1 + random_unit(&r.seed) : sa[i];
        }
        make_box(&r.arena, sa, &a);
        make_box(&r.arena, sb, &b);
        const double gap = k % 4 ? pow(10, -16 * random_unit(&r.seed)) : 0;
        hol__placed p = {.shape = &a}, q = {.shape = &b};
        memcpy(p.R, identity, sizeof identity);
        memcpy(q.R, identity, sizeof identity);
        double exact = 0;
        for (int i = 0; i < 3; i++) {
            /* beside each other in one direction, aligned or shifted in the others */
            const double reach = 0.5 * (sa[i] + sb[i]), by = i == k % 3 ? reach + gap
                                                             : k % 5 ? reach * random_one(&r.seed)
                                                                     : 0;
            q.r[i] = by;
            exact = fmax(exact, fabs(by) - reach);
        }
        hol__proximity near;
        hol__gjk(&p, &q, &near);
        if (fabs(near.distance - fmax(0, exact)) > 1e-14)
            fail_msg("pair %d: %.17g instead of %.17g", k, near.distance, exact);
        check_certificate(&r, &p, &q, &near, 1e-14);
        hol__overlap o;
        hol__overlap_of(&p, &q, 0, &o);
        if (fabs(o.depth + exact) > 1e-14)
            fail_msg("pair %d: %.17g, not %.17g", k, o.depth, -exact);
    }
    rig_close(&r);
}

/* Discs and cylinders: planes that part the shapes by what was found. A disc is curved, and what is
 * missing after the last round is bounded by the shapes themselves. */
static void test_discs(void **state) {
    static const double tops[2][3] = {{0, 0, -0.35}, {0, 0, 0.35}};
    rig r = rig_open(521288629u);
    int most = 0;
    (void)state;
    for (int k = 0; k < 2000; k++) {
        hol__convex b,
            a = {.n = 1 + k % 2, .x = tops, .axis = {0, 0, 1}, .disc = 0.05 + random_unit(&r.seed)},
            c = {.n = 1 + k % 3 / 2,
                 .x = tops,
                 .axis = {0, 0, 1},
                 .disc = 0.05 + random_unit(&r.seed)};
        double at[3], from[3] = {0, 0, 0};
        random_shape(&r, 1, &b);
        random_vector(&r.seed, 3, at);
        const hol__placed p = place(&r, &a, from), q = place(&r, k % 2 ? &b : &c, at);
        hol__proximity near;
        hol__gjk(&p, &q, &near);
        check_certificate(&r, &p, &q, &near, 1e-12 * size_of(&p, &q) + near.error);
        if (near.distance > 1e-3 && near.error > 1e-11)
            fail_msg("pair %d: error %g of %g", k, near.error, near.distance);
        most = near.rounds > most ? near.rounds : most;
    }
    assert_true(most < 300);
    rig_close(&r);
}

/* The depth against all planes through three points of B - A. */
static double reference_depth(const hol__placed *p, const hol__placed *q) {
    enum { MOST = 12 * 12 };
    double y[MOST][3], least = INFINITY, size = 0;
    int n = 0;
    for (int i = 0; i < p->shape->n; i++)
        for (int j = 0; j < q->shape->n; j++) {
            double a[3], b[3];
            global(p, i, a);
            global(q, j, b);
            hol__sub3(b, a, y[n]);
            size = fmax(size, hol__norm3(y[n++]));
        }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = j + 1; k < n; k++) {
                double d[3], e[3], x[3];
                hol__sub3(y[j], y[i], d);
                hol__sub3(y[k], y[i], e);
                hol__cross3(d, e, x);
                const double length = hol__norm3(x);
                /* triples on a line have no plane; thin ones have a poor one, and another triple of
                 * the same face is wider */
                if (!(length > 1e-2 * hol__norm3(d) * hol__norm3(e))) continue;
                const double h = hol__dot3(x, y[i]) / length;
                int above = 0, below = 0;
                for (int m = 0; m < n && !(above && below); m++) {
                    const double s = hol__dot3(x, y[m]) / length - h;
                    above |= s > 1e-9 * size, below |= s < -1e-9 * size;
                }
                if (!(above && below)) least = fmin(least, above ? -h : h);
            }
    return least;
}

static void test_overlap(void **state) {
    rig r = rig_open(1181783497276652981u);
    int met = 0;
    (void)state;
    for (int k = 0; k < 120; k++) {
        hol__convex a, b;
        double at[3], from[3], x[5][3];
        for (int i = 0; i < 5; i++) random_vector(&r.seed, 1, x[i]);
        const double sides[3] = {0.3 + random_unit(&r.seed), 0.3 + random_unit(&r.seed),
                                 0.3 + random_unit(&r.seed)};
        make_box(&r.arena, sides, &a);
        if (k % 2)
            hol__polytope_of(&r.arena, (const double(*)[3])x, k % 4 == 1 ? 2 : 5, 0, &b);
        else
            make_box(&r.arena, (double[]){0.4, 0.9, 0.6}, &b);
        random_vector(&r.seed, 0.4, at);
        random_vector(&r.seed, 0.1, from);
        const hol__placed p = place(&r, &a, from), q = place(&r, &b, at);
        hol__overlap o;
        hol__overlap_of(&p, &q, 0, &o);
        if (o.depth < 0) continue;
        met++;
        const double expected = reference_depth(&p, &q);
        if (fabs(o.depth - expected) > 1e-12)
            fail_msg("pair %d: %.17g instead of %.17g", k, o.depth, expected);
        /* moved by as much they touch */
        hol__placed moved = q;
        hol__proximity near;
        for (int i = 0; i < 3; i++) moved.r[i] += (o.depth + 1e-3) * o.n[i];
        hol__gjk(&p, &moved, &near);
        assert_true(fabs(near.distance - 1e-3) < 1e-12);
    }
    assert_true(met > 60);
    rig_close(&r);
}

/* Faces, edges and corners: Euler's number, normals outwards, corners in their planes; points
 * within are left out, and what has no volume is refused. */
static void test_hull(void **state) {
    rig r = rig_open(88675123u);
    (void)state;
    for (int k = 0; k < 60; k++) {
        hol__convex c;
        double x[30][3];
        const int n = 4 + k % 27, cube = k % 3 == 0 && n > 8;
        for (int i = 0; i < n; i++) {
            random_vector(&r.seed, 0.4, x[i]);
            for (int j = 0; cube && i < 8 && j < 3; j++) x[i][j] = i >> j & 1 ? 0.5 : -0.5;
        }
        assert_int_equal(hol__polytope_of(&r.arena, (const double(*)[3])x, n, 0, &c), 1);
        assert_int_equal(c.n - c.n_edges + c.n_faces, 2);
        if (cube) assert_true(c.n == 8 && c.n_edges == 12 && c.n_faces == 6);
        for (int f = 0; f < c.n_faces; f++)
            for (int i = 0; i < n; i++) {
                double d[3];
                hol__sub3(x[i], c.x[c.loop[c.first[f]]], d);
                assert_true(hol__dot3(d, c.normals[f]) < 2e-9);
            }
    }
    hol__convex c;
    const double flat[5][3] = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0.3, 0.7, 1}},
                 line[3][3] = {{0, 0, 0}, {1, 2, 0}, {2, 4, 0}},
                 square[6][3] = {{0, 0, 0}, {1, 0, 0},   {1, 1, 0},
                                 {0, 1, 0}, {0.5, 0, 0}, {0.2, 0.6, 0}};
    assert_int_equal(hol__polytope_of(&r.arena, flat, 5, 0, &c), 0);
    assert_int_equal(hol__polytope_of(&r.arena, line, 3, 0, &c), 0);
    assert_int_equal(hol__polytope_of(&r.arena, line, 3, 1, &c), 0);
    assert_int_equal(hol__polytope_of(&r.arena, square, 6, 1, &c), 1);
    assert_true(c.n == 4 && c.n_edges == 4 && c.n_faces == 4);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hull),     cmocka_unit_test(test_distance),
        cmocka_unit_test(test_parallel), cmocka_unit_test(test_discs),
        cmocka_unit_test(test_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
