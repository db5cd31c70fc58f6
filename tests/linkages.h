/* linkages.h: patterns and values of W and A for planar chains and N-four-bars, shared by kernel
 * tests and benchmark.
 *
 * Bodies have coordinates (x, y, theta) of their centre; a revolute joint between a (at s_a) and b
 * (at s_b) has the rows
 *     x:  [1 0 -s_a,y | -1 0 s_b,y]     y:  [0 1 s_a,x | 0 -1 -s_b,x]
 * with s turned into the global frame. All six places of a row are stored; those that are zero for
 * good are not live.
 */
#ifndef HOL_TESTS_LINKAGES_H
#define HOL_TESTS_LINKAGES_H

#include "la/csr.h"

#include <math.h>

/* Joint k: bodies a, b (-1 is the ground) and where on them, along the body from its centre. */
typedef struct linkage_joint {
    int a, b;
    double at_a, at_b;
} linkage_joint;

typedef struct linkage {
    int bodies, joints;
    linkage_joint *joint;
    hol__csr W, A;
} linkage;

static inline void linkage_patterns(hol__arena *arena, linkage *l) {
    const int n = 3 * l->bodies, m = 2 * l->joints;
    l->W = (hol__csr){.rows = n,
                      .cols = n,
                      .ptr = HOL__NEW_N(arena, int, n + 1),
                      .idx = HOL__NEW_N(arena, int, n)};
    l->W.x = HOL__NEW_N(arena, double, n);
    for (int i = 0; i < n; i++) {
        l->W.idx[i] = i;
        l->W.ptr[i + 1] = i + 1;
        l->W.x[i] = i % 3 == 2 ? 0.083 + 0.001 * (i % 7) : 1.25 + 0.01 * (i / 3 % 11);
    }
    l->A = (hol__csr){.rows = m,
                      .cols = n,
                      .ptr = HOL__NEW_N(arena, int, m + 1),
                      .idx = HOL__NEW_N(arena, int, 6 * m)};
    l->A.x = HOL__NEW_N(arena, double, 6 * m);
    l->A.live = HOL__NEW_N(arena, unsigned char, 6 * m);
    int e = 0;
    for (int r = 0; r < m; r++) {
        for (int side = 0; side < 2; side++) {
            const int body = side ? l->joint[r / 2].b : l->joint[r / 2].a;
            for (int k = 0; k < 3 && body >= 0; k++) {
                l->A.idx[e] = 3 * body + k;
                l->A.live[e++] = k == 2 || k == r % 2;
            }
        }
        l->A.ptr[r + 1] = e;
    }
}

/* Values of A for the angles of the bodies. */
static inline void linkage_fill(linkage *l, const double *angle) {
    int e = 0;
    for (int r = 0; r < l->A.rows; r++)
        for (int side = 0; side < 2; side++) {
            const linkage_joint *j = &l->joint[r / 2];
            const int body = side ? j->b : j->a;
            if (body < 0) continue;
            const double at = side ? j->at_b : j->at_a, sign = side ? -1 : 1;
            l->A.x[e++] = r % 2 == 0 ? sign : 0;
            l->A.x[e++] = r % 2 == 0 ? 0 : sign;
            l->A.x[e++] = sign * at * (r % 2 == 0 ? -sin(angle[body]) : cos(angle[body]));
        }
}

/* A chain of links of unit length from a ground pivot; closed: its end is pinned to the ground
 * too. */
static inline void linkage_chain(hol__arena *arena, linkage *l, int links, int closed) {
    *l = (linkage){.bodies = links, .joints = links + (closed ? 1 : 0)};
    l->joint = HOL__NEW_N(arena, linkage_joint, l->joints);
    for (int k = 0; k < l->joints; k++)
        l->joint[k] = (linkage_joint){k - 1, k < links ? k : -1, 0.5, -0.5};
    linkage_patterns(arena, l);
}

/* N four-bars in a row: cranks 0 … N, couplers N + 1 … 2 N. */
static inline void linkage_four_bars(hol__arena *arena, linkage *l, int N) {
    *l = (linkage){.bodies = 2 * N + 1, .joints = 3 * N + 1};
    l->joint = HOL__NEW_N(arena, linkage_joint, l->joints);
    int k = 0;
    for (int i = 0; i <= N; i++) {
        l->joint[k++] = (linkage_joint){-1, i, 0, -0.5};
        if (i > 0) l->joint[k++] = (linkage_joint){i, N + i, 0.5, 0.5};
        if (i < N) l->joint[k++] = (linkage_joint){i, N + 1 + i, 0.5, -0.5};
    }
    linkage_patterns(arena, l);
}

/* The end points of the links of a chain as coordinates (natural coordinates): W joins neighbours,
 * m/3 and m/6 times the unit matrix, and each link has one row, constant length: A_i = [-e, e]
 * with e along the link. bodies is the number of links. */
static inline void linkage_natural(hol__arena *arena, linkage *l, int links) {
    const int n = 2 * links, m = links;
    *l = (linkage){.bodies = links};
    l->W = (hol__csr){.rows = n,
                      .cols = n,
                      .ptr = HOL__NEW_N(arena, int, n + 1),
                      .idx = HOL__NEW_N(arena, int, 3 * n)};
    l->W.x = HOL__NEW_N(arena, double, 3 * n);
    int e = 0;
    for (int i = 0; i < n; i++) {
        for (int k = -2; k <= 2; k += 2) {
            if (i + k < 0 || i + k >= n) continue;
            l->W.idx[e] = i + k;
            l->W.x[e++] = k ? 1.0 / 6 : i + 2 < n ? 2.0 / 3 : 1.0 / 3;
        }
        l->W.ptr[i + 1] = e;
    }
    l->A = (hol__csr){.rows = m,
                      .cols = n,
                      .ptr = HOL__NEW_N(arena, int, m + 1),
                      .idx = HOL__NEW_N(arena, int, 4 * m)};
    l->A.x = HOL__NEW_N(arena, double, 4 * m);
    e = 0;
    for (int r = 0; r < m; r++) {
        const double angle = 0.3 + 1.9 * sin(1.7 * r + 0.4);
        for (int k = r > 0 ? -2 : 0; k < 2; k++) {
            l->A.idx[e] = 2 * r + k;
            l->A.x[e++] = (k < 0 ? -1 : 1) * (k % 2 ? sin(angle) : cos(angle));
        }
        l->A.ptr[r + 1] = e;
    }
}

/* A four-bar whose last joint is there `copies` times more: redundant for good. */
static inline void linkage_redundant(hol__arena *arena, linkage *l, int copies) {
    *l = (linkage){.bodies = 3, .joints = 4 + copies};
    l->joint = HOL__NEW_N(arena, linkage_joint, l->joints);
    for (int k = 0; k < l->joints; k++)
        l->joint[k] = k < 4 ? (linkage_joint){k - 1, k < 3 ? k : -1, 0.5, -0.5}
                            : (linkage_joint){2, -1, 0.5, -0.5};
    linkage_patterns(arena, l);
}

#endif
