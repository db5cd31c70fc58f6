/* gjk.c: the distance of two convex cores [GJK88].
 *
 * The points y = b - a of the difference B - A form a convex set; its point v nearest to the origin
 * is the shortest way from A to B. v is found among the convex hulls of at most four points y:
 *
 *     1. y: the point of B - A farthest along -v
 *     2. v.v - v.y bounds what is missing: |v| - v.y/|v| <= |v| - distance <= that.
 *        stop where it is no more than rounding leaves of it, or y is among the points already
 *     3. v: the point nearest to the origin of the hull of the points and y; drop points that it
 *        does not need
 *
 * Step 3 takes the best of all faces of the simplex that contain y. The nearest point of the plane
 * of a face is what remains of a corner when the edges, made orthogonal, are taken out of it: its
 * error is that of the corner, however thin the face is. Faces without extent are left out: v lies
 * on a smaller one. Everything is computed from the origin of A, so that only the distance of the
 * shapes and their size enter, not where they are.
 */
#include "math/gjk.h"

#include <float.h>
#include <string.h>

/* Rounding of v.y: a few units in the last place of |v| times the size of what is compared. */
static const double ROUNDING = 8 * DBL_EPSILON;

/* Polytopes end by themselves after a number of rounds near that of their corners; discs halve what
 * is missing in some rounds. */
enum { MOST_ROUNDS = 300 };

typedef struct vertex {
    double y[3], a[3], b[3];
    int corner[2];
} vertex;

typedef struct simplex {
    int n;
    vertex at[4];
    double share[4], v[3];
} simplex;

/* Edges from the first of n points, made orthonormal; T is what was taken out: e_k = sum T_kj q_j.
 * 0 where they depend on each other. */
static int orthonormal(const double *const y[4], int n, double q[3][3], double T[3][3]) {
    for (int k = 0; k < n - 1; k++) {
        hol__sub3(y[k + 1], y[0], q[k]);
        const double length = hol__norm3(q[k]);
        memset(T[k], 0, sizeof T[k]);
        for (int again = 0; again < 2; again++)
            for (int j = 0; j < k; j++) {
                const double part = hol__dot3(q[k], q[j]);
                for (int i = 0; i < 3; i++) q[k][i] -= part * q[j][i];
                T[k][j] += part;
            }
        T[k][k] = hol__norm3(q[k]);
        if (!(T[k][k] > ROUNDING * length)) return 0;
        for (int i = 0; i < 3; i++) q[k][i] /= T[k][k];
    }
    return 1;
}

/* The point nearest to the origin of the plane of n points, and the share of each; 0 where it lies
 * outside of them, or they span no such plane. */
static int nearest_of(const double *const y[4], int n, double share[4], double v[3]) {
    double q[3][3], T[3][3], along[3];
    if (!orthonormal(y, n, q, T)) return 0;
    memcpy(v, y[0], 3 * sizeof *v);
    for (int again = 0; again < 2; again++)
        for (int k = 0; k < n - 1; k++) {
            const double part = hol__dot3(v, q[k]);
            along[k] = (again ? along[k] : 0) - part;
            for (int i = 0; i < 3; i++) v[i] -= part * q[k][i];
        }
    share[0] = 1;
    for (int k = n - 2; k >= 0; k--) {
        double sum = along[k];
        for (int j = k + 1; j < n - 1; j++) sum -= share[j + 1] * T[j][k];
        share[k + 1] = sum / T[k][k];
        share[0] -= share[k + 1];
    }
    for (int k = 0; k < n; k++)
        if (!(share[k] >= 0)) return 0;
    return 1;
}

/* Reduce the simplex to the face that holds its point nearest to the origin; the last point is the
 * new one. 0 where none is nearer than v. */
static int reduce(simplex *s) {
    simplex best = {.n = 0};
    double least = hol__norm3(s->v);
    for (unsigned set = 0; set < 1u << (s->n - 1); set++) {
        const double *y[4] = {s->at[s->n - 1].y};
        simplex face = {.n = 1, .at = {s->at[s->n - 1]}};
        for (int i = 0; i < s->n - 1; i++)
            if (set >> i & 1) y[face.n] = s->at[i].y, face.at[face.n++] = s->at[i];
        if (!nearest_of(y, face.n, face.share, face.v)) continue;
        const double length = hol__norm3(face.v);
        if (length >= least) continue;
        least = length;
        best = face;
    }
    if (!best.n) return 0;
    *s = best;
    return 1;
}

/* The point of B - A farthest along d, with what it is made of. */
static vertex farthest(const hol__placed *a, const hol__placed *b, const double apart[3],
                       const double d[3]) {
    vertex out;
    const double back[3] = {-d[0], -d[1], -d[2]};
    out.corner[0] = hol__convex_support(a, back, out.a);
    out.corner[1] = hol__convex_support(b, d, out.b);
    hol__add3(out.b, apart, out.b);
    hol__sub3(out.b, out.a, out.y);
    return out;
}

static int holds(const simplex *s, const vertex *w) {
    for (int i = 0; i < s->n; i++)
        if (memcmp(s->at[i].y, w->y, sizeof w->y) == 0) return 1;
    return 0;
}

/* Nearest points from the shares. */
static void write_out(const simplex *s, const double origin[3], hol__proximity *out) {
    memset(out->P, 0, sizeof out->P);
    out->count = s->n;
    for (int k = 0; k < s->n; k++) {
        for (int i = 0; i < 3; i++) {
            out->P[0][i] += s->share[k] * s->at[k].a[i];
            out->P[1][i] += s->share[k] * s->at[k].b[i];
        }
        out->share[k] = s->share[k];
        out->corner[0][k] = s->at[k].corner[0];
        out->corner[1][k] = s->at[k].corner[1];
    }
    for (int i = 0; i < 3; i++) out->P[0][i] += origin[i], out->P[1][i] += origin[i];
    memcpy(out->d, s->v, sizeof out->d);
    out->distance = hol__norm3(s->v);
}

void hol__gjk(const hol__placed *a, const hol__placed *b, hol__proximity *out) {
    double apart[3];
    hol__sub3(b->r, a->r, apart);
    const double size =
        hol__norm3(apart) + hol__convex_reach(a->shape) + hol__convex_reach(b->shape);
    simplex s = {.n = 1, .share = {1}};
    s.at[0] = farthest(a, b, apart, apart);
    memcpy(s.v, s.at[0].y, sizeof s.v);
    out->error = 0;
    for (out->rounds = 0; out->rounds < MOST_ROUNDS; out->rounds++) {
        const double length = hol__norm3(s.v), back[3] = {-s.v[0], -s.v[1], -s.v[2]};
        if (s.n == 4 || length <= ROUNDING * size) {
            memset(s.v, 0, sizeof s.v);
            out->error = 0;
            break;
        }
        const vertex w = farthest(a, b, apart, back);
        out->error = length - hol__dot3(s.v, w.y) / length;
        if (out->error <= ROUNDING * size || holds(&s, &w)) break;
        s.at[s.n++] = w;
        if (!reduce(&s)) {
            s.n--;
            break;
        }
    }
    write_out(&s, a->r, out);
}
