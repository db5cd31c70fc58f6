/* test_cone.c: contacts with Coulomb friction against other ways to find their impulses.
 *
 * In the plane: all combinations of states, one linear system each. In space: impulses in closed
 * form, and the conditions themselves, over random bodies that touch each other.
 *
 * w is a sum of m products, from z that solves a linear system to rounding: some m eps of the sum
 * of |G_ij z_j| + |b_i|. The bound TIGHT = 1e-12 of these terms is 50 eps for 90 rows; z itself is
 * compared with condition numbers below 1e4 only, with 1e-9.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "common.h"

#include "base/arena.h"
#include "kernel/cone.h"

#include <float.h>
#include <math.h>

enum { MOST_CONTACTS = 60, MOST_ROWS = 180, MOST_VELOCITIES = 120 };

static const double TIGHT = 1e-12;

typedef struct problem {
    int n, m, dof;
    hol__cone_contact contact[MOST_CONTACTS];
    double J[MOST_ROWS * MOST_VELOCITIES], inverse[MOST_VELOCITIES], v[MOST_VELOCITIES];
    double G[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], z[MOST_ROWS], w[MOST_ROWS];
    hol__cone_state state[MOST_CONTACTS];
} problem;

typedef struct rig {
    hol_context *ctx;
    hol__arena arena;
    counting memory;
    hol__cone *cone;
    problem *p, *q;
    uint64_t seed;
} rig;

static void rig_open(rig *r, uint64_t seed) {
    *r = (rig){.seed = seed};
    r->ctx = counting_context(&r->memory);
    hol__arena_init(&r->arena, r->ctx);
    r->cone = hol__cone_new(&r->arena, MOST_CONTACTS, MOST_ROWS);
    r->p = HOL__NEW(&r->arena, problem);
    r->q = HOL__NEW(&r->arena, problem);
    assert_non_null(r->cone);
    assert_non_null(r->q);
}

static void rig_close(rig *r) {
    hol__arena_free(&r->arena);
    hol_context_free(r->ctx);
}

static hol_status solve(rig *r, problem *p) {
    return hol__cone_solve(r->cone, p->n, p->contact, p->m, p->G, p->b, p->z, p->w, p->state);
}

/* ---- problems ---- */

/* The next contact. */
static hol__cone_contact *add_contact(problem *p, int across, double mu) {
    hol__cone_contact *contact = &p->contact[p->n++];
    *contact = (hol__cone_contact){.first = p->m, .across = across, .mu = mu};
    p->m += 1 + across;
    return contact;
}

/* G = J M^-1 J^T and b = J v. */
static void assemble(problem *p) {
    for (int i = 0; i < p->m; i++) {
        p->b[i] = 0;
        for (int k = 0; k < p->dof; k++) p->b[i] += p->J[i * p->dof + k] * p->v[k];
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < p->dof; k++)
                sum += p->J[i * p->dof + k] * p->inverse[k] * p->J[j * p->dof + k];
            p->G[i * p->m + j] = p->G[j * p->m + i] = sum;
        }
    }
}

/* The row of a direction through a point of a body, in space (v, omega) or the plane (v_x, v_y,
 * omega). */
static void set_row(double *row, int space, const double e[3], const double at[3], double sign) {
    if (space) {
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, h = (k + 2) % 3;
            row[k] = sign * e[k];
            row[3 + k] = sign * (at[l] * e[h] - at[h] * e[l]);
        }
    } else {
        row[0] = sign * e[0];
        row[1] = sign * e[1];
        row[2] = sign * (at[0] * e[1] - at[1] * e[0]);
    }
}

/* A random frame of normal and tangents. */
static void random_frame(uint64_t *seed, int space, double e[3][3]) {
    if (!space) {
        const double angle = 6.283 * random_unit(seed);
        memcpy(e, (double[3][3]){{cos(angle), sin(angle), 0}, {-sin(angle), cos(angle), 0}},
               sizeof(double[3][3]));
        return;
    }
    for (int a = 0; a < 3; a++) {
        double length = 0;
        for (int k = 0; k < 3; k++) e[a][k] = random_one(seed);
        for (int c = 0; c < a; c++) {
            const double part = e[a][0] * e[c][0] + e[a][1] * e[c][1] + e[a][2] * e[c][2];
            for (int k = 0; k < 3; k++) e[a][k] -= part * e[c][k];
        }
        for (int k = 0; k < 3; k++) length += e[a][k] * e[a][k];
        for (int k = 0; k < 3; k++) e[a][k] /= sqrt(length);
    }
}

typedef struct mix {
    int space, bodies, contacts;
    double decades; /* of the masses */
    double mu;      /* up to this */
    double given;   /* the share of contacts whose direction is given */
} mix;

/* Random bodies that touch each other and the ground at random points with random frames. */
static void random_bodies(rig *r, const mix *of, problem *p) {
    uint64_t *seed = &r->seed;
    const int each = of->space ? 6 : 3, across = of->space ? 2 : 1;
    memset(p, 0, sizeof *p);
    p->dof = each * of->bodies;
    for (int k = 0; k < of->bodies; k++) {
        const double mass = pow(10, 0.5 * of->decades * random_one(seed));
        for (int l = 0; l < each; l++) {
            const double share = l < (of->space ? 3 : 2) ? 1 : 0.03 + 0.3 * random_unit(seed);
            p->inverse[k * each + l] = 1 / (mass * share);
            p->v[k * each + l] = random_one(seed);
        }
    }
    for (int i = 0; i < of->contacts; i++) {
        const double mu = random_unit(seed) < 0.1 ? 0 : of->mu * random_unit(seed);
        hol__cone_contact *contact = add_contact(p, across, mu);
        const int one = i < of->bodies ? i : (int)(of->bodies * random_unit(seed)),
                  two = (int)((of->bodies + 1) * random_unit(seed));
        double e[3][3], at[2][3];
        random_frame(seed, of->space, e);
        for (int k = 0; k < 6; k++) at[k / 3][k % 3] = random_one(seed);
        for (int a = 0; a <= across; a++) {
            double *row = p->J + (contact->first + a) * p->dof;
            set_row(row + one * each, of->space, e[a], at[0], 1);
            if (two < of->bodies && two != one)
                set_row(row + two * each, of->space, e[a], at[1], -1);
        }
        contact->slides = random_unit(seed) < of->given;
        const double angle = 6.283 * random_unit(seed);
        contact->slide[0] = of->space ? cos(angle) : angle < 3.1 ? 1 : -1;
        contact->slide[1] = of->space ? sin(angle) : 0;
    }
    assemble(p);
}

/* ---- the conditions ---- */

/* By how much they are missed, as a share of the terms of w. */
static double residual(const problem *p, const double *z) {
    double most = 0;
    for (int i = 0; i < p->n; i++) {
        const hol__cone_contact *c = &p->contact[i];
        double w[3] = {0}, terms = 0, miss, push = z[c->first], z_T[2] = {0};
        for (int k = 0; k <= c->across; k++) {
            double sum = fabs(p->b[c->first + k]);
            w[k] = p->b[c->first + k];
            for (int j = 0; j < p->m; j++) {
                const double term = p->G[(c->first + k) * p->m + j] * z[j];
                w[k] += term;
                sum += fabs(term);
            }
            terms = fmax(terms, sum);
            if (k > 0) z_T[k - 1] = z[c->first + k];
        }
        if (push < 0 || !isfinite(push)) return INFINITY;
        miss = fmax(-w[0], fmin(w[0], p->G[c->first * p->m + c->first] * push));
        /* on the cone to rounding of z_T itself */
        const double limit = c->mu * push, length = hypot(z_T[0], z_T[1]),
                     speed = hypot(w[1], w[2]);
        if (length > limit * (1 + 1e-14)) return INFINITY;
        if (c->slides && c->across > 0) {
            if (hypot(z_T[0] + limit * c->slide[0], z_T[1] + limit * c->slide[1]) > 1e-14 * limit)
                return INFINITY;
        } else if (limit > 0) {
            miss = fmax(miss, hypot(z_T[0] * speed + limit * w[1], z_T[1] * speed + limit * w[2]) /
                                  limit);
        }
        if (miss > 0) most = fmax(most, miss / terms);
    }
    return most;
}

/* The states fit z and w. */
static void check_states(const problem *p) {
    for (int i = 0; i < p->n; i++) {
        const hol__cone_contact *c = &p->contact[i];
        const double *z = p->z + c->first, *w = p->w + c->first;
        if (p->state[i] == HOL__CONE_OPEN) {
            assert_true(w[0] > 0);
            assert_true(z[0] == 0);
        }
        if (p->state[i] == HOL__CONE_SLIDES)
            assert_true(c->slides || hypot(w[1], w[c->across]) > 0);
    }
}

/* ---- all combinations of states in the plane ---- */

/* a x = b by elimination; the smallest pivot over the largest, 0 for a singular a. */
static double eliminate(int n, double *a, double *b) {
    double least = INFINITY, most = 0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        const double pivot = a[best * n + k];
        least = fmin(least, fabs(pivot));
        most = fmax(most, fabs(pivot));
        if (!(least > 1e-10 * most)) return 0;
        for (int j = 0; j < n; j++) {
            const double swap = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = swap;
        }
        const double swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; k++) b[k] /= a[k * n + k];
    return n > 0 ? least / most : 1;
}

/* z for these states (0 open, 1 sticks, 2 and 3 slide one way and the other), a system over all z:
 * z = 0, w = 0 or z_T = -+mu z_N. Whether it is regular. */
static int solve_states(const problem *p, const int *states, double *z) {
    double a[100] = {0};
    const int m = p->m;
    for (int i = 0; i < p->n; i++) {
        const hol__cone_contact *c = &p->contact[i];
        for (int k = c->first; k <= c->first + c->across; k++) {
            const int held = states[i] == 1 || (states[i] > 1 && k == c->first);
            for (int j = 0; j < m; j++) a[k * m + j] = held ? p->G[k * m + j] : 0;
            z[k] = held ? -p->b[k] : 0;
            if (held) continue;
            a[k * m + k] = 1;
            const double way = c->slides ? c->slide[0] : states[i] == 2 ? 1 : -1;
            if (states[i] > 1) a[k * m + c->first] = c->mu * way;
        }
    }
    return eliminate(m, a, z) > 1e-4;
}

/* How many regular combinations give a solution, *z one of them; *close when it is a near thing
 * for some combination, or one is singular. */
static int enumerate(const problem *p, double *z, int *close) {
    int states[5] = {0}, found = 0, count = 1;
    *close = 0;
    for (int i = 0; i < p->n; i++) count *= 4;
    for (int k = 0; k < count; k++) {
        double trial[10];
        int skip = 0;
        for (int i = 0, rest = k; i < p->n; i++, rest /= 4) {
            states[i] = rest % 4;
            const int given = p->contact[i].slides || p->contact[i].mu == 0;
            if (given && (states[i] == 1 || states[i] == 3)) skip = 1;
        }
        if (skip) continue;
        if (!solve_states(p, states, trial)) {
            *close = 1;
            continue;
        }
        for (int i = 0; i < p->m; i++)
            if (fabs(trial[i]) < 1e-13) trial[i] = 0;
        /* a solution to 1e-9 that is none to 1e-12 is a near thing */
        for (int i = 0; i < p->n; i++) {
            const double limit = p->contact[i].mu * trial[2 * i];
            if (fabs(trial[2 * i + 1]) > limit && fabs(trial[2 * i + 1]) < limit * (1 + 1e-12))
                trial[2 * i + 1] = copysign(limit, trial[2 * i + 1]);
        }
        const double miss = residual(p, trial);
        if (miss > 1e-12 && miss < 1e-8) *close = 1;
        if (miss > 1e-12) continue;
        if (found == 0 || memcmp(z, trial, sizeof(double) * (size_t)p->m) != 0) found++;
        memcpy(z, trial, sizeof(double) * (size_t)p->m);
    }
    return found;
}

/* The largest difference of z over its largest entry. */
static double apart(int m, const double *z, const double *y) {
    double most = 0, size = 0;
    for (int i = 0; i < m; i++) {
        most = fmax(most, fabs(z[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return size > 0 ? most / size : most;
}

/* In the plane a solution is found where there is one, and none where there is none. */
static void test_against_all_states(void **unused) {
    (void)unused;
    static const mix mixes[] = {
        {0, 1, 1, 0, 1.5, 0},   {0, 2, 2, 2, 2, 0},     {0, 3, 3, 2, 1, 0},   {0, 4, 4, 3, 2, 0},
        {0, 5, 5, 2, 1.3, 0},   {0, 1, 1, 0, 4, 1},     {0, 2, 2, 0, 3, 0.7}, {0, 3, 3, 0, 2, 0.6},
        {0, 4, 4, 0, 1.2, 0.5}, {0, 4, 5, 0, 0.7, 0.5},
    };
    rig r;
    rig_open(&r, 8142765);
    int solved = 0, unsolvable = 0, same = 0;
    for (size_t k = 0; k < sizeof mixes / sizeof *mixes; k++)
        for (int run = 0; run < (mixes[k].contacts < 5 ? 150 : 40); run++) {
            double z[10];
            int close;
            random_bodies(&r, &mixes[k], r.p);
            const int count = enumerate(r.p, z, &close);
            const hol_status status = solve(&r, r.p);
            if (status == HOL_OK) assert_true(residual(r.p, r.p->z) <= TIGHT);
            if (count > 0) assert_int_equal(status, HOL_OK);
            if (count == 0 && !close) assert_int_equal(status, HOL_NOT_CONVERGED);
            solved += status == HOL_OK;
            unsolvable += status != HOL_OK;
            if (count == 1 && !close) {
                assert_true(apart(r.p->m, r.p->z, z) < 1e-9);
                same++;
            }
        }
    assert_true(solved > 1000);
    assert_true(unsolvable > 10);
    assert_true(same > 300);
    rig_close(&r);
}

/* ---- random bodies ---- */

/* Thousands of problems, many with fewer velocities than rows. */
static void test_random_bodies(void **unused) {
    (void)unused;
    static const struct {
        mix mix;
        int runs;
    } set[] = {
        {{1, 1, 1, 0, 1.5, 0}, 400}, {{1, 1, 4, 0, 1, 0}, 400},     {{1, 2, 3, 4, 2, 0}, 400},
        {{1, 2, 6, 8, 1, 0}, 300},   {{1, 4, 10, 8, 2, 0}, 300},    {{1, 8, 8, 8, 2, 0}, 200},
        {{1, 10, 30, 8, 1, 0}, 10},  {{1, 20, 60, 4, 0.8, 0}, 2},   {{0, 2, 6, 8, 2, 0}, 300},
        {{0, 20, 60, 8, 1, 0}, 5},   {{1, 3, 3, 0, 0.2, 0.5}, 200},
    };
    rig r;
    rig_open(&r, 55411873);
    int seen[3] = {0};
    for (size_t k = 0; k < sizeof set / sizeof *set; k++)
        for (int run = 0; run < set[k].runs; run++) {
            random_bodies(&r, &set[k].mix, r.p);
            const hol_status status = solve(&r, r.p);
            const double miss = residual(r.p, r.p->z);
            if (status != HOL_OK || miss > TIGHT)
                print_message("set %d, run %d: status %d, residual %.2e\n", (int)k, run, status,
                              miss);
            assert_int_equal(status, HOL_OK);
            assert_true(miss <= TIGHT);
            check_states(r.p);
            for (int i = 0; i < r.p->n; i++) seen[r.p->state[i]]++;
        }
    for (int k = 0; k < 3; k++) assert_true(seen[k] > 1000);
    rig_close(&r);
}

/* ---- closed solutions ---- */

/* A ball with spin hits a plane: J_N = -m v_N; the contact point sticks where its speed u is at
 * most 7/2 mu |v_N|, J_T = -2/7 m u; otherwise J_T = -mu J_N u/|u|. */
static void test_spinning_ball(void **unused) {
    (void)unused;
    rig r;
    rig_open(&r, 71);
    int sticks = 0;
    for (int run = 0; run < 50; run++) {
        problem *p = r.p;
        const double mass = 0.387, radius = 0.113, mu = 0.1 + 0.9 * random_unit(&r.seed),
                     angle = 6.28 * random_unit(&r.seed), c = cos(angle), s = sin(angle);
        const double frame[3][3] = {{0, 0, 1}, {c, s, 0}, {-s, c, 0}}, at[3] = {0, 0, -radius};
        memset(p, 0, sizeof *p);
        p->dof = 6;
        add_contact(p, 2, mu);
        for (int k = 0; k < 6; k++) {
            p->inverse[k] = k < 3 ? 1 / mass : 1 / (0.4 * mass * radius * radius);
            p->v[k] = 2.1 * random_one(&r.seed) / (k < 3 ? 1 : radius);
        }
        p->v[2] = -0.3 - random_unit(&r.seed);
        for (int a = 0; a < 3; a++) set_row(p->J + 6 * a, 1, frame[a], at, 1);
        assemble(p);
        assert_int_equal(solve(&r, p), HOL_OK);
        /* u = v + omega x at, in the frame */
        const double u_x = p->v[0] - p->v[4] * radius, u_y = p->v[1] + p->v[3] * radius,
                     u = hypot(u_x, u_y), N = -mass * p->v[2];
        const int holds = mass * u / 3.5 <= mu * N;
        const double factor = holds ? -mass / 3.5 : -mu * N / u;
        const double expected[3] = {N, factor * (c * u_x + s * u_y), factor * (-s * u_x + c * u_y)};
        assert_true(apart(3, p->z, expected) < 1e-13);
        assert_int_equal(p->state[0], holds ? HOL__CONE_STICKS : HOL__CONE_SLIDES);
        sticks += holds;
    }
    assert_true(sticks > 10 && sticks < 40);
    rig_close(&r);
}

/* The block of the next test: forces at the corners of its base, under gravity on an incline that
 * falls along x; v is M^-1 f, so that b and w are accelerations. */
static void set_block(problem *p, const double size[3], double mass, double slope, double mu) {
    static const double frame[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    const double g = 9.81;
    memset(p, 0, sizeof *p);
    p->dof = 6;
    for (int k = 0; k < 6; k++) {
        const double a = size[(k + 1) % 3], b = size[(k + 2) % 3];
        p->inverse[k] = k < 3 ? 1 / mass : 12 / (mass * (a * a + b * b));
    }
    p->v[0] = g * sin(slope);
    p->v[2] = -g * cos(slope);
    for (int i = 0; i < 4; i++) {
        const double at[3] = {(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1],
                              -0.5 * size[2]};
        add_contact(p, 2, mu);
        for (int a = 0; a < 3; a++) set_row(p->J + 6 * (3 * i + a), 1, frame[a], at, 1);
    }
    assemble(p);
}

/* Whether equal friction at all corners is within the cones of the upper ones. */
static int is_inside(double weight, double slope, double F, const double size[3], double mu) {
    return F < mu * (weight * cos(slope) - F * size[2] / size[0]);
}

/* A block at rest on an incline, on four corners (12 rows, rank 6): it stays where tan slope <= mu,
 * and slides with g (sin - mu cos) otherwise. The friction F bends the load forward: the lower
 * corners carry F h/a more than the upper ones. */
static void test_block_on_incline(void **unused) {
    (void)unused;
    static const double size[3] = {0.62, 0.41, 0.17}, mass = 3.7, mu = 0.37, g = 9.81;
    rig r;
    rig_open(&r, 3);
    for (int k = 0; k <= 12; k++) {
        const double slope = 0.05 * k, holds = tan(slope) <= mu;
        problem *p = r.p;
        set_block(p, size, mass, slope, mu);
        assert_int_equal(solve(&r, p), HOL_OK);
        assert_true(residual(p, p->z) <= TIGHT);
        const double weight = mass * g, F = holds ? weight * sin(slope) : mu * weight * cos(slope);
        double N = 0, T[2] = {0}, forward = 0;
        for (int i = 0; i < 4; i++) {
            N += p->z[3 * i];
            forward += (i & 1 ? 1 : -1) * p->z[3 * i];
            for (int l = 0; l < 2; l++) T[l] += p->z[3 * i + 1 + l];
            assert_int_equal(p->state[i], holds ? HOL__CONE_STICKS : HOL__CONE_SLIDES);
            const double a = holds ? 0 : g * (sin(slope) - mu * cos(slope));
            assert_true(fabs(p->w[3 * i + 1] - a) < 1e-13 * g);
            /* of all loads with these sums the least: left and right the same, and friction equal
             * where the cones allow it */
            assert_true(fabs(p->z[3 * i] - p->z[3 * (i ^ 2)]) < 1e-13 * weight);
            if (holds && is_inside(weight, slope, F, size, mu))
                assert_true(fabs(p->z[3 * i + 1] + 0.25 * F) < 1e-13 * weight);
        }
        assert_true(fabs(N - weight * cos(slope)) < 1e-13 * weight);
        assert_true(fabs(T[0] + F) < 1e-13 * weight);
        assert_true(fabs(T[1]) < 1e-13 * weight);
        assert_true(fabs(forward - F * size[2] / size[0]) < 1e-13 * weight);
    }
    rig_close(&r);
}

/* The same near the angle of friction: corners that together can hold the block do, however little
 * is left, although frictions that lack the angle d, and with it d^2/2 of what they hold, let it
 * begin to slide with a residual of rounding. What slides does so with its acceleration: it lacks
 * as much for d of which d times the acceleration is rounding. */
static void test_near_the_angle(void **unused) {
    static const double left[] = {1e-6, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, -1e-6, -1e-7, -1e-8};
    const double g = 9.81;
    (void)unused;
    rig r;
    rig_open(&r, 11);
    for (int k = 0; k < 360; k++) {
        const double mu = 0.1 + 0.5 * random_unit(&r.seed), less = left[k % 9],
                     slope = atan(mu * (1 - less)),
                     size[3] = {0.3 + 0.6 * random_unit(&r.seed), 0.3 + 0.6 * random_unit(&r.seed),
                                0.1 + 0.2 * random_unit(&r.seed)};
        problem *p = r.p;
        set_block(p, size, 0.4 + 8.6 * random_unit(&r.seed), slope, mu);
        assert_int_equal(solve(&r, p), HOL_OK);
        assert_true(residual(p, p->z) <= TIGHT);
        const double a = less > 0 ? 0 : g * (sin(slope) - mu * cos(slope)),
                     d = less > 0 ? 0 : 64 * DBL_EPSILON * g / a;
        for (int i = 0; i < 4; i++) {
            assert_int_equal(p->state[i], less > 0 ? HOL__CONE_STICKS : HOL__CONE_SLIDES);
            if (less < 0) assert_true(fabs(p->w[3 * i + 1] - a) < 1e-13 * g + mu * g * d * d / 2);
        }
    }
    rig_close(&r);
}

/* Blocks on top of each other on an incline, four contacts between each two, masses up to 1e8
 * apart, the heavy ones above, below or in turn. Below the angle of friction each interface carries
 * what stands on it; above it all slide alike, or with a heavy block on top also otherwise (a light
 * one below may turn over). G is known to eps, its softest direction is 1e-8 of the stiffest: loads
 * to some 1e-8. */
static void test_stacks(void **unused) {
    (void)unused;
    static const double frame[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, size[3] = {1, 0.7, 0.3},
                        g = 9.81, mu = 0.5;
    rig r;
    rig_open(&r, 3);
    for (int k = 0; k < 5 * 4 * 3; k++) {
        problem *p = r.p;
        const int count = 1 + k % 5, order = k / 5 % 4;
        const double slope = 0.25 * (k / 20), a = g * fmax(0, sin(slope) - mu * cos(slope));
        double mass[5], load = 0;
        memset(p, 0, sizeof *p);
        p->dof = 6 * count;
        for (int i = 0; i < count; i++) {
            const double part = count > 1 ? 8.0 * i / (count - 1) : 0;
            mass[i] = pow(10, order == 0   ? 0
                              : order == 1 ? part
                              : order == 2 ? -part
                                           : 8 * (i % 2));
            for (int l = 0; l < 6; l++) {
                const double c = size[(l + 1) % 3], d = size[(l + 2) % 3];
                p->inverse[6 * i + l] = l < 3 ? 1 / mass[i] : 12 / (mass[i] * (c * c + d * d));
            }
            p->v[6 * i] = g * sin(slope);
            p->v[6 * i + 2] = -g * cos(slope);
            for (int corner = 0; corner < 4; corner++) {
                const double x = corner & 1 ? 0.5 * size[0] : -0.5 * size[0],
                             y = corner & 2 ? 0.5 * size[1] : -0.5 * size[1],
                             low[3] = {x, y, -0.5 * size[2]}, high[3] = {x, y, 0.5 * size[2]};
                const int row = add_contact(p, 2, mu)->first;
                for (int l = 0; l < 3; l++) {
                    set_row(p->J + (row + l) * p->dof + 6 * i, 1, frame[l], low, 1);
                    if (i > 0)
                        set_row(p->J + (row + l) * p->dof + 6 * (i - 1), 1, frame[l], high, -1);
                }
            }
        }
        assemble(p);
        assert_int_equal(solve(&r, p), HOL_OK);
        assert_true(residual(p, p->z) <= TIGHT);
        for (int i = count - 1; i >= 0 && (a == 0 || order == 0); i--) {
            double N = 0, T = 0;
            load += mass[i];
            for (int l = 4 * i; l < 4 * i + 4; l++) {
                N += p->z[3 * l];
                T += p->z[3 * l + 1];
            }
            assert_true(fabs(N - load * g * cos(slope)) < 1e-6 * load * g);
            assert_true(fabs(T + load * (g * sin(slope) - a)) < 1e-6 * load * g);
        }
    }
    rig_close(&r);
}

/* Painleve's rod slides on its end, its angle to the ground theta: G_NN = (1 + 3 cos^2)/m,
 * G_NT = 3 sin cos/m. With mu large enough the normal force pulls itself down:
 * G_NN - mu G_NT < 0. */
static void test_painleve(void **unused) {
    (void)unused;
    const double theta = 1.1, mass = 2.3, c = cos(theta), s = sin(theta),
                 normal = (1 + 3 * c * c) / mass, mixed = 3 * s * c / mass,
                 beside = (1 + 3 * s * s) / mass, critical = normal / mixed;
    rig r;
    rig_open(&r, 5);
    for (int k = 0; k < 4; k++) {
        problem *p = r.p;
        memset(p, 0, sizeof *p);
        const double mu = critical * (k & 1 ? 1.2 : 0.8), b = k & 2 ? 0.73 : -0.73;
        hol__cone_contact *contact = add_contact(p, 1, mu);
        contact->slides = 1;
        contact->slide[0] = 1;
        memcpy(p->G, (double[]){normal, mixed, mixed, beside}, 4 * sizeof(double));
        p->b[0] = b;
        p->b[1] = 0.31;
        const hol_status status = solve(&r, p);
        /* pulled down without end: no force is right */
        if ((k & 1) && b < 0) {
            assert_int_equal(status, HOL_NOT_CONVERGED);
            assert_true(isfinite(p->z[0]) && isfinite(p->w[0]));
            continue;
        }
        assert_int_equal(status, HOL_OK);
        assert_true(residual(p, p->z) <= TIGHT);
        if (b < 0) assert_true(fabs(p->z[0] * (normal - mu * mixed) + b) < 1e-14);
    }
    rig_close(&r);
}

/* A block in a slot, held by the ground and two walls at 12 corners (36 rows, rank 6), with errors
 * in b that no motion explains: walls that close by up to 1e-10 g. Within a noise of 20 times
 * as much it rests; without it there is no solution. The ground and friction carry the weight. */
static void test_noise(void **unused) {
    (void)unused;
    static const double size[3] = {0.62, 0.41, 0.17}, mass = 3.7, mu = 0.37, g = 9.81;
    static const double walls[2][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                          {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    rig r;
    rig_open(&r, 40961);
    int refused = 0;
    for (int run = 0; run < 20; run++) {
        problem *p = r.p;
        set_block(p, size, mass, 0, mu);
        for (int i = 0; i < 8; i++) {
            const int wall = i / 4, row = add_contact(p, 2, mu)->first;
            const double at[3] = {(wall ? 0.5 : -0.5) * size[0], (i & 1 ? 0.5 : -0.5) * size[1],
                                  (i & 2 ? 0.5 : -0.5) * size[2]};
            for (int a = 0; a < 3; a++) set_row(p->J + 6 * (row + a), 1, walls[wall][a], at, 1);
        }
        assemble(p);
        for (int i = 0; i < p->m; i++) p->b[i] += 1e-10 * g * random_one(&r.seed);
        refused += solve(&r, p) != HOL_OK;
        for (int i = 0; i < p->n; i++) p->contact[i].noise = 20e-10 * g;
        assert_int_equal(solve(&r, p), HOL_OK);
        double lift = 0;
        for (int i = 0; i < p->n; i++) {
            lift += p->z[3 * i + (i < 4 ? 0 : 2)];
            assert_int_equal(p->state[i], HOL__CONE_STICKS);
        }
        assert_true(fabs(lift - mass * g) < 1e-8 * mass * g);
    }
    assert_true(refused > 0);
    rig_close(&r);
}

/* ---- invariance ---- */

/* q <- p with its contacts in another order; order[i] is where contact i went. */
static void permute(rig *r, const problem *p, problem *q, int *order) {
    int row[MOST_ROWS];
    memset(q, 0, sizeof *q);
    for (int i = 0; i < p->n; i++) order[i] = i;
    for (int i = p->n - 1; i > 0; i--) {
        const int j = (int)((i + 1) * random_unit(&r->seed)), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    int where[MOST_CONTACTS];
    for (int i = 0; i < p->n; i++) where[order[i]] = i;
    for (int k = 0; k < p->n; k++) {
        hol__cone_contact *to = add_contact(q, p->contact[where[k]].across, 0);
        const hol__cone_contact *from = &p->contact[where[k]];
        for (int l = 0; l <= from->across; l++) row[to->first + l] = from->first + l;
        const int first = to->first;
        *to = *from;
        to->first = first;
    }
    for (int i = 0; i < q->m; i++) {
        q->b[i] = p->b[row[i]];
        for (int j = 0; j < q->m; j++) q->G[i * q->m + j] = p->G[row[i] * p->m + row[j]];
    }
}

/* The order of contacts and the units of force and length do not matter. At most two contacts per
 * body and little friction: the solution is then unique. */
static void test_order_and_units(void **unused) {
    (void)unused;
    static const mix one = {1, 6, 8, 2, 0.3, 0};
    rig r;
    rig_open(&r, 9127);
    int order[MOST_CONTACTS];
    for (int run = 0; run < 100; run++) {
        random_bodies(&r, &one, r.p);
        assert_int_equal(solve(&r, r.p), HOL_OK);
        permute(&r, r.p, r.q, order);
        for (int i = 0; i < r.q->m * r.q->m; i++) r.q->G[i] *= 1e-7;
        for (int i = 0; i < r.q->m; i++) r.q->b[i] *= 1e5;
        assert_int_equal(solve(&r, r.q), HOL_OK);
        double size = 0;
        for (int i = 0; i < r.p->m; i++) size = fmax(size, fabs(r.p->z[i]));
        for (int i = 0; i < r.p->n; i++) {
            const int from = r.p->contact[i].first, to = r.q->contact[order[i]].first;
            for (int k = 0; k <= 2; k++)
                assert_true(fabs(r.q->z[to + k] * 1e-12 - r.p->z[from + k]) < 1e-9 * size);
            assert_int_equal(r.q->state[order[i]], r.p->state[i]);
        }
    }
    rig_close(&r);
}

/* The same problem gives the same bits, whatever was solved before, and solving allocates
 * nothing. */
static void test_same_bits(void **unused) {
    (void)unused;
    static const mix one = {1, 3, 9, 4, 1, 0.1};
    rig r;
    rig_open(&r, 662);
    random_bodies(&r, &one, r.p);
    const long made = r.memory.made;
    const hol_status status = solve(&r, r.p);
    double z[MOST_ROWS];
    memcpy(z, r.p->z, sizeof z);
    random_bodies(&r, &one, r.q);
    (void)solve(&r, r.q);
    assert_int_equal(solve(&r, r.p), status);
    assert_memory_equal(z, r.p->z, sizeof(double) * (size_t)r.p->m);
    assert_int_equal(r.memory.made, made);
    rig_close(&r);
}

/* Nothing to do, nothing to move, nothing finite. */
static void test_edges(void **unused) {
    (void)unused;
    rig r;
    rig_open(&r, 1);
    problem *p = r.p;
    memset(p, 0, sizeof *p);
    assert_int_equal(solve(&r, p), HOL_OK);
    /* a row that cannot move: fine at rest or opening, without a solution when it closes */
    add_contact(p, 0, 0);
    for (int k = -1; k <= 1; k++) {
        p->b[0] = 0.4 * k;
        assert_int_equal(solve(&r, p), k < 0 ? HOL_NOT_CONVERGED : HOL_OK);
        assert_int_equal(p->state[0], k > 0 ? HOL__CONE_OPEN : HOL__CONE_STICKS);
    }
    /* what counts as 0 */
    p->G[0] = 2.7;
    p->b[0] = 1e-9;
    assert_int_equal(solve(&r, p), HOL_OK);
    assert_int_equal(p->state[0], HOL__CONE_OPEN);
    p->contact[0].noise = 1e-8;
    assert_int_equal(solve(&r, p), HOL_OK);
    assert_int_equal(p->state[0], HOL__CONE_STICKS);
    p->b[0] = NAN;
    assert_int_equal(solve(&r, p), HOL_NONFINITE);
    rig_close(&r);
    /* every allocation fails in turn */
    for (long k = 1; k < 60; k++) {
        counting memory;
        hol_context *ctx = failing_context(&memory, k);
        if (!ctx) continue;
        hol__arena arena;
        hol__arena_init(&arena, ctx);
        hol__cone *cone = hol__cone_new(&arena, 4, 12);
        assert_true(cone != NULL || memory.made >= k);
        hol__arena_free(&arena);
        hol_context_free(ctx);
        assert_int_equal(memory.live, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_states),
        cmocka_unit_test(test_random_bodies),
        cmocka_unit_test(test_spinning_ball),
        cmocka_unit_test(test_block_on_incline),
        cmocka_unit_test(test_near_the_angle),
        cmocka_unit_test(test_painleve),
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_order_and_units),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests_name("cone", tests, NULL, NULL);
}
