/* polytope.c: faces, edges and corners of the convex hull of a few points.
 *
 * A plane through three points is that of a face if no point lies outside of it; all points in it
 * are the corners of the face, in the order of their angle. There are few points, at most
 * HOL__POLYTOPE_POINTS, so that all triples are tried: n^4/6 products when a model is compiled,
 * and no case is special.
 * In the plane the same holds of lines through two points.
 *
 * Outside means more than FLAT times the size of the hull, which is what coordinates that were
 * written with a few digits leave of a plane face.
 */
#include "math/polytope.h"

#include <string.h>

static const double FLAT = 1e-9;

typedef struct hull {
    int n, plane;
    double x[HOL__POLYTOPE_POINTS][3], size;
    int n_faces, n_loop, room; /* room: for faces; 0 when there were too many */
    double (*normals)[3];
    int *first, *loop;
} hull;

/* How far point i lies outside of the plane with that normal through point j. */
static double height(const hull *h, const double n[3], int i, int j) {
    double d[3];
    hol__sub3(h->x[i], h->x[j], d);
    return hol__dot3(n, d);
}

/* The normal of the plane through three points (in the plane, of the line through two); 0 where
 * they span none. */
static int normal_of(const hull *h, const int at[3], double n[3]) {
    double d[3], e[3];
    hol__sub3(h->x[at[1]], h->x[at[0]], d);
    if (h->plane)
        n[0] = d[1], n[1] = -d[0], n[2] = 0;
    else {
        hol__sub3(h->x[at[2]], h->x[at[0]], e);
        hol__cross3(d, e, n);
    }
    const double length = hol__norm3(n), least = h->plane ? h->size : h->size * h->size;
    if (!(length > FLAT * least)) return 0;
    for (int i = 0; i < 3; i++) n[i] /= length;
    return 1;
}

static int is_known(const hull *h, const double n[3], int at) {
    for (int k = 0; k < h->n_faces; k++) {
        double d[3];
        hol__sub3(h->normals[k], n, d);
        if (hol__norm3(d) < 1e-6 && fabs(height(h, n, h->loop[h->first[k]], at)) <= FLAT * h->size)
            return 1;
    }
    return 0;
}

/* Sort the points of a face by their angle about the normal, and leave out those between two
 * others. */
static void order_loop(const hull *h, const double n[3], int *loop, int *count) {
    double mid[3] = {0, 0, 0}, u[3], w[3], angle[HOL__POLYTOPE_POINTS];
    for (int k = 0; k < *count; k++)
        for (int i = 0; i < 3; i++) mid[i] += h->x[loop[k]][i] / *count;
    hol__perpendicular3(n, u);
    hol__cross3(n, u, w);
    for (int k = 0; k < *count; k++) {
        double d[3];
        const int point = loop[k];
        hol__sub3(h->x[point], mid, d);
        const double a = atan2(hol__dot3(d, w), hol__dot3(d, u));
        int at = k;
        for (; at > 0 && angle[at - 1] > a; at--)
            angle[at] = angle[at - 1], loop[at] = loop[at - 1];
        angle[at] = a;
        loop[at] = point;
    }
    for (int k = 0; k<*count && * count> 3; k++) {
        double d[3], e[3], turn[3];
        hol__sub3(h->x[loop[k]], h->x[loop[(k + *count - 1) % *count]], d);
        hol__sub3(h->x[loop[(k + 1) % *count]], h->x[loop[k]], e);
        hol__cross3(d, e, turn);
        if (hol__dot3(n, turn) > FLAT * hol__norm3(d) * hol__norm3(e)) continue;
        memmove(loop + k, loop + k + 1, sizeof *loop * (size_t)(*count - k - 1));
        --*count, --k;
    }
}

/* In the plane: the two ends of a line of points. */
static void keep_ends(const hull *h, const double n[3], int *loop, int *count) {
    const double along[3] = {-n[1], n[0], 0};
    int low = loop[0], high = loop[0];
    for (int k = 1; k < *count; k++) {
        if (height(h, along, loop[k], low) < 0) low = loop[k];
        if (height(h, along, loop[k], high) > 0) high = loop[k];
    }
    loop[0] = low, loop[1] = high;
    *count = 2;
}

/* A face through the points, if it is one. */
static void try_face(hull *h, const int at[3], int side) {
    double n[3];
    int *loop = h->loop + h->n_loop, count = 0;
    if (!h->room || !normal_of(h, at, n)) return;
    for (int i = 0; side && i < 3; i++) n[i] = -n[i];
    for (int i = 0; i < h->n; i++) {
        const double out = height(h, n, i, at[0]);
        if (out > FLAT * h->size) return;
        if (out >= -FLAT * h->size) loop[count++] = i;
    }
    if (is_known(h, n, at[0])) return;
    if (h->n_faces == h->room || h->n_loop + count > 6 * h->n) {
        h->room = 0;
        return;
    }
    if (h->plane)
        keep_ends(h, n, loop, &count);
    else
        order_loop(h, n, loop, &count);
    memcpy(h->normals[h->n_faces], n, sizeof n);
    h->first[h->n_faces++] = h->n_loop;
    h->n_loop += count;
    h->first[h->n_faces] = h->n_loop;
}

static void find_faces(hull *h) {
    for (int i = 0; i < h->n; i++)
        for (int j = i + 1; j < h->n; j++)
            for (int k = h->plane ? h->n - 1 : j + 1; k < h->n; k++)
                for (int side = 0; side < 2; side++) try_face(h, (int[]){i, j, k}, side);
}

/* An edge of each direction; how many there are. */
static int find_ways(double (*x)[3], int (*edges)[2], int n_edges, int *ways) {
    int n = 0;
    for (int i = 0; i < n_edges; i++) {
        double e[3], d[3], m[3];
        int known = 0;
        hol__sub3(x[edges[i][1]], x[edges[i][0]], e);
        for (int k = 0; k < n && !known; k++) {
            hol__sub3(x[edges[ways[k]][1]], x[edges[ways[k]][0]], d);
            hol__cross3(e, d, m);
            known = hol__norm3(m) <= HOL__SAME_WAY * hol__norm3(e) * hol__norm3(d);
        }
        if (!known) ways[n++] = i;
    }
    return n;
}

/* The edges of all loops once, and the corners that they use in the order of the points. */
static int finish(hol__arena *arena, hull *h, hol__convex *out) {
    int number[HOL__POLYTOPE_POINTS], n = 0, n_edges = 0;
    int(*edges)[2] = hol__arena_alloc(arena, (size_t)h->n_loop + 1, sizeof *edges);
    double(*x)[3] = hol__arena_alloc(arena, (size_t)h->n, sizeof *x);
    if (!edges || !x) return -1;
    for (int i = 0; i < h->n; i++) {
        number[i] = -1;
        for (int k = 0; k < h->n_loop && number[i] < 0; k++)
            if (h->loop[k] == i) number[i] = n;
        if (number[i] >= 0) memcpy(x[n++], h->x[i], sizeof *x);
    }
    for (int k = 0; k < h->n_loop; k++) h->loop[k] = number[h->loop[k]];
    for (int f = 0; f < h->n_faces; f++)
        for (int k = h->first[f]; k < h->first[f + 1]; k++) {
            const int a = h->loop[k], b = h->loop[k + 1 < h->first[f + 1] ? k + 1 : h->first[f]];
            if (h->plane ? k == h->first[f] : a < b) edges[n_edges][0] = a, edges[n_edges++][1] = b;
        }
    int *ways = hol__arena_alloc(arena, (size_t)n_edges + 1, sizeof *ways);
    if (!ways) return -1;
    *out = (hol__convex){.n = n,
                         .n_ways = find_ways(x, edges, n_edges, ways),
                         .ways = ways,
                         .x = (const double(*)[3])x,
                         .n_faces = h->n_faces,
                         .normals = (const double(*)[3])h->normals,
                         .first = h->first,
                         .loop = h->loop,
                         .n_edges = n_edges,
                         .edges = (const int(*)[2])edges};
    return 1;
}

/* The points without those that stand at the place of another. */
static void take_points(hull *h, const double (*x)[3], int n) {
    double low[3], high[3];
    for (int i = 0; i < 3; i++) low[i] = high[i] = x[0][i];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            low[i] = fmin(low[i], x[k][i]), high[i] = fmax(high[i], x[k][i]);
    for (int i = 0; i < 3; i++) h->size = fmax(h->size, high[i] - low[i]);
    for (int k = 0; k < n; k++) {
        int twice = 0;
        for (int j = 0; j < h->n && !twice; j++) {
            double d[3];
            hol__sub3(x[k], h->x[j], d);
            twice = hol__norm3(d) <= FLAT * h->size;
        }
        if (!twice) memcpy(h->x[h->n++], x[k], sizeof h->x[0]);
    }
}

int hol__polytope_of(hol__arena *arena, const double (*x)[3], int n, int plane, hol__convex *out) {
    hull h = {.plane = plane};
    take_points(&h, x, n);
    /* a polytope with N corners has at most 2 N faces and 6 N corners of faces; the loop of one
     * that is being looked at needs N more */
    const size_t faces = 2 * (size_t)h.n;
    h.room = (int)faces;
    h.normals = hol__arena_alloc(arena, faces, sizeof *h.normals);
    h.first = hol__arena_alloc(arena, faces + 1, sizeof *h.first);
    h.loop = hol__arena_alloc(arena, 8 * (size_t)h.n + 8, sizeof *h.loop);
    if (!h.normals || !h.first || !h.loop) return -1;
    if (h.n > 2) find_faces(&h);
    if (h.n > 2 && (!h.room || h.n_faces < (plane ? 3 : 4))) return 0;
    if (h.n <= 2)
        for (h.n_loop = 0; h.n_loop < h.n; h.n_loop++) h.loop[h.n_loop] = h.n_loop;
    const int status = finish(arena, &h, out);
    if (status < 0 || h.n != 2) return status;
    *out = hol__segment(out->x);
    return 1;
}

hol__convex hol__segment(const double (*x)[3]) {
    static const int edge[1][2] = {{0, 1}}, way[1] = {0};
    return (hol__convex){.n = 2, .x = x, .n_edges = 1, .edges = edge, .n_ways = 1, .ways = way};
}

int hol__polytope_box(const double size[3], int plane, double x[8][3]) {
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = (k >> i & 1 ? 0.5 : -0.5) * (plane && i == 2 ? 0 : size[i]);
    return plane ? 4 : 8;
}
