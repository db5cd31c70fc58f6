/* overlap.c: the least translation that parts two convex polytopes.
 *
 * The second has to move by f(n) = max n.a - min n.b along a unit vector n. The set B - A is a
 * polytope whose faces have the normals of the faces of A and (negative) of B and, in space, those
 * across an edge of each; f is least at one of them, for f is the distance of the origin from the
 * supporting plane, and the origin is nearest to a face. So the least of f over these directions is
 * the depth, exactly; a direction too many does no harm, because every f(n) bounds the depth from
 * above. Shapes without faces (points, segments) part across what the other one has; two that have
 * nothing to offer part along any direction across them, at depth 0.
 */
#include "math/overlap.h"

#include <float.h>
#include <string.h>

typedef struct search {
    const hol__placed *a, *b;
    double apart[3];
    hol__overlap *best;
} search;

/* Look along n. */
static void try_along(search *s, const double n[3], int face_a, int face_b, int edge_a,
                      int edge_b) {
    double pa[3], pb[3];
    const double back[3] = {-n[0], -n[1], -n[2]};
    hol__convex_support(s->a, n, pa);
    hol__convex_support(s->b, back, pb);
    const double f = hol__dot3(n, pa) - hol__dot3(n, pb) - hol__dot3(n, s->apart);
    if (!(f < s->best->depth)) return;
    *s->best = (hol__overlap){f, {n[0], n[1], n[2]}, {face_a, face_b}, {edge_a, edge_b}};
}

static void try_faces(search *s, const hol__placed *of, int second) {
    for (int k = 0; k < of->shape->n_faces; k++) {
        double n[3];
        hol__mul3(of->R, of->shape->normals[k], n);
        for (int i = 0; second && i < 3; i++) n[i] = -n[i];
        try_along(s, n, second ? -1 : k, second ? k : -1, -1, -1);
    }
}

static void direction_of(const hol__placed *of, int edge, double e[3]) {
    const int *ends = of->shape->edges[edge];
    double d[3];
    hol__sub3(of->shape->x[ends[1]], of->shape->x[ends[0]], d);
    hol__mul3(of->R, d, e);
}

/* n and -n, made a unit vector; nothing where it is zero beside `size`. */
static void try_both(search *s, double n[3], double size, int edge_a, int edge_b) {
    const double length = hol__norm3(n);
    if (!(length > DBL_EPSILON * size)) return;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 3; i++) n[i] = side ? -n[i] : n[i] / length;
        try_along(s, n, -1, -1, edge_a, edge_b);
    }
}

static void try_edges(search *s) {
    for (int i = 0; i < s->a->shape->n_ways; i++)
        for (int j = 0; j < s->b->shape->n_ways; j++) {
            const int edge[2] = {s->a->shape->ways[i], s->b->shape->ways[j]};
            double e[3], d[3], n[3];
            direction_of(s->a, edge[0], e);
            direction_of(s->b, edge[1], d);
            hol__cross3(e, d, n);
            try_both(s, n, hol__norm3(e) * hol__norm3(d), edge[0], edge[1]);
        }
}

/* Of the edges parallel to one, that which lies farthest along n. */
static int farthest_edge(const hol__placed *of, int edge, const double n[3]) {
    double e[3], d[3], m[3], in[3], most = -INFINITY;
    int best = edge;
    hol__mul3_t(of->R, n, in);
    const double(*x)[3] = of->shape->x;
    hol__sub3(x[of->shape->edges[edge][1]], x[of->shape->edges[edge][0]], e);
    for (int i = 0; i < of->shape->n_edges; i++) {
        const int *ends = of->shape->edges[i];
        hol__sub3(x[ends[1]], x[ends[0]], d);
        hol__cross3(e, d, m);
        const double far = hol__dot3(in, x[ends[0]]) + hol__dot3(in, x[ends[1]]);
        if (far > most && hol__norm3(m) <= HOL__SAME_WAY * hol__norm3(e) * hol__norm3(d))
            most = far, best = i;
    }
    return best;
}

/* A segment without faces, across it: in the plane its normals; in space what is nearest to the
 * direction of the other shape. */
static void try_segment(search *s, const hol__placed *of, int second, int plane) {
    if (of->shape->n_faces || of->shape->n_edges != 1) return;
    double e[3], n[3];
    direction_of(of, 0, e);
    const double along = hol__dot3(e, s->apart) / hol__dot3(e, e);
    if (plane)
        n[0] = e[1], n[1] = -e[0], n[2] = 0;
    else
        for (int i = 0; i < 3; i++) n[i] = s->apart[i] - along * e[i];
    try_both(s, n, plane ? 0 : hol__norm3(s->apart), second ? -1 : 0, second ? 0 : -1);
}

void hol__overlap_of(const hol__placed *a, const hol__placed *b, int plane, hol__overlap *out) {
    search s = {.a = a, .b = b, .best = out};
    hol__sub3(b->r, a->r, s.apart);
    *out = (hol__overlap){INFINITY, {0, 0, 0}, {-1, -1}, {-1, -1}};
    try_faces(&s, a, 0);
    try_faces(&s, b, 1);
    if (!plane) try_edges(&s);
    try_segment(&s, a, 0, plane);
    try_segment(&s, b, 1, plane);
    if (out->edge[0] >= 0 && out->edge[1] >= 0) {
        const double back[3] = {-out->n[0], -out->n[1], -out->n[2]};
        out->edge[0] = farthest_edge(a, out->edge[0], out->n);
        out->edge[1] = farthest_edge(b, out->edge[1], back);
    }
    if (out->depth < INFINITY) return;
    double n[3] = {0, 1, 0};
    const hol__placed *long_one = a->shape->n_edges ? a : b;
    if (long_one->shape->n_edges) {
        double e[3];
        direction_of(long_one, 0, e);
        const double length = hol__norm3(e);
        for (int i = 0; i < 3; i++) e[i] /= length;
        hol__perpendicular3(e, n);
    } else if (hol__norm3(s.apart) > 0)
        for (int i = 0; i < 3; i++) n[i] = s.apart[i] / hol__norm3(s.apart);
    try_along(&s, n, -1, -1, -1, -1);
}
