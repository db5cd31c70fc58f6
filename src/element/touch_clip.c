/* touch_clip.c: all touches of two shapes that overlap: the corners of the part in which the faces,
 * edges or segments that face each other lie over each other. See docs/theory/contact.md.
 *
 * Two faces in space: the loop of one, seen along the normal, is cut by the lines of the other. The
 * result is a ring of lines; between two lines of the same face is a corner of it, which touches
 * the other face, and between lines of different faces two edges cross. The corners of the ring
 * share four full touches by the angle by which the ring turns there: a rectangle has one for each,
 * and where a corner is cut off, the two new ones take over its share.
 *
 * Two edges or segments side by side (all there is in the plane): the ends of the part over which
 * they run beside each other. A segment over a face: its ends, and where it leaves the face.
 * Segments also cross: their nearest points count for what the ends leave over.
 */
#include "element/touch.h"

#include <string.h>

static const double HALF_PI = 1.57079632679489661923;

/* A line of the ring: edge i of the loop of the face of shape k, and where it begins. */
typedef struct side {
    int k, i;
    double at[2];
} side;

/* A face in a plane across the normal: n corners, counterclockwise about it. */
typedef struct outline {
    int n, face;
    const int *corner; /* numbers, forwards or backwards */
    int backwards;
    double at[HOL__TOUCHES / 2][2];
} outline;

static int corner_at(const outline *o, int i) {
    return o->corner[o->backwards ? o->n - 1 - i % o->n : i % o->n];
}

/* The face that looks most along d among those with the feature. */
static int face_along(const hol__placed *at, const hol__feature *f, const double d[3]) {
    const hol__convex *s = at->shape;
    double in[3], most = -INFINITY;
    int best = 0;
    if (f->kind == HOL__FACE) return f->at[0];
    hol__mul3_t(at->R, d, in);
    for (int k = 0; k < s->n_faces; k++) {
        const double h = hol__dot3(s->normals[k], in);
        if (h <= most || !hol__touch_face_has(s, k, f->at[0]) ||
            (f->kind == HOL__EDGE && !hol__touch_face_has(s, k, f->at[1])))
            continue;
        most = h;
        best = k;
    }
    return best;
}

static void append(hol__touch *out, int *n, hol__feature first, hol__feature second,
                   double weight) {
    if (*n < HOL__TOUCHES - 1)
        out[(*n)++] =
            (hol__touch){.of = {first, second}, .sign = 1, .weight = weight, .face = {-1, -1}};
}

static hol__feature corner_feature(int i) {
    return (hol__feature){HOL__CORNER, {i, i}};
}

/* ---- two faces in space ---- */

static void outline_of(const hol__placed *at, int face, const double axes[2][3], int backwards,
                       outline *o) {
    const hol__convex *s = at->shape;
    *o = (outline){.n = s->first[face + 1] - s->first[face],
                   .face = face,
                   .corner = s->loop + s->first[face],
                   .backwards = backwards};
    for (int i = 0; i < o->n; i++) {
        double x[3];
        hol__touch_corner(at, corner_at(o, i), x);
        for (int k = 0; k < 2; k++) o->at[i][k] = hol__dot3(axes[k], x);
    }
}

/* How far a point lies to the left of the line from a to b, times its length. */
static double left_of(const double *a, const double *b, const double *x) {
    return (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
}

/* Keep what lies to the left of line i of the first outline. Returns the number of sides. */
static int cut(const outline *by, int i, const side *ring, int n, side *out) {
    const double *a = by->at[i], *b = by->at[(i + 1) % by->n];
    int m = 0;
    for (int j = 0; j < n; j++) {
        const side *from = &ring[j], *to = &ring[(j + 1) % n];
        const double s = left_of(a, b, from->at), t = left_of(a, b, to->at);
        if (s >= 0) out[m++] = *from;
        if ((s >= 0) == (t >= 0)) continue;
        const double share = s / (s - t);
        side *cross = &out[m++];
        *cross = s >= 0 ? (side){.k = 0, .i = i} : *from;
        for (int k = 0; k < 2; k++) cross->at[k] = from->at[k] + share * (to->at[k] - from->at[k]);
    }
    return m;
}

static void direction_of(const hol__placed at[2], const outline o[2], const side *s, double e[3]) {
    double a[3], b[3];
    hol__touch_corner(&at[s->k], corner_at(&o[s->k], s->i), a);
    hol__touch_corner(&at[s->k], corner_at(&o[s->k], s->i + 1), b);
    hol__sub3(b, a, e);
}

/* The other face at an edge. */
static int face_beyond(const hol__convex *s, int face, const hol__feature *edge) {
    for (int f = 0; f < s->n_faces; f++)
        if (f != face && hol__touch_face_has(s, f, edge->at[0]) &&
            hol__touch_face_has(s, f, edge->at[1]))
            return f;
    return face;
}

static hol__feature edge_of(const outline *o, int i) {
    return (hol__feature){HOL__EDGE, {corner_at(o, i), corner_at(o, i + 1)}};
}

/* The corner of the ring between two sides. */
static void add_corner(const hol__placed at[2], const outline o[2], const side *in, const side *to,
                       const double normal[3], hol__touch *out, int *n) {
    double d[3], e[3], m[3];
    direction_of(at, o, in, d);
    direction_of(at, o, to, e);
    hol__cross3(d, e, m);
    const double sine = hol__norm3(m), cosine = hol__dot3(d, e),
                 side_of = hol__dot3(m, normal) < 0 ? -1 : 1,
                 turn = side_of * atan2(sine, cosine) / HALF_PI;
    if (in->k == to->k) {
        const hol__feature corner = corner_feature(corner_at(&o[to->k], to->i)),
                           face = {HOL__FACE, {o[1 - to->k].face, o[1 - to->k].face}};
        append(out, n, to->k ? face : corner, to->k ? corner : face, turn);
        return;
    }
    /* parallel lines cross nowhere and turn by nothing */
    if (!(sine > 1e-9 * (sine + fabs(cosine)))) return;
    const side *s[2] = {in->k ? to : in, in->k ? in : to};
    append(out, n, edge_of(&o[0], s[0]->i), edge_of(&o[1], s[1]->i), 1);
    hol__touch *t = &out[*n - 1];
    for (int k = 0; k < 2; k++) {
        t->face[k] = o[k].face;
        t->beyond[k] = face_beyond(at[k].shape, o[k].face, &t->of[k]);
    }
    t->sign = in->k ? -side_of : side_of;
}

/* The faces of two edges that look at each other most. */
static void choose_faces(const hol__placed at[2], const hol__touch *nearest, const double normal[3],
                         int face[2]) {
    const double back[3] = {-normal[0], -normal[1], -normal[2]};
    double best = INFINITY;
    int of[2][2];
    for (int k = 0; k < 2; k++) {
        of[k][0] = of[k][1] = face_along(&at[k], &nearest->of[k], k ? back : normal);
        if (nearest->of[k].kind == HOL__EDGE)
            of[k][1] = face_beyond(at[k].shape, of[k][0], &nearest->of[k]);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double f[3], g[3];
            hol__mul3(at[0].R, at[0].shape->normals[of[0][i]], f);
            hol__mul3(at[1].R, at[1].shape->normals[of[1][j]], g);
            if (hol__dot3(f, g) >= best) continue;
            best = hol__dot3(f, g);
            face[0] = of[0][i], face[1] = of[1][j];
        }
}

static int face_on_face(const hol__placed at[2], const hol__touch *nearest, const double normal[3],
                        hol__touch *out) {
    double axes[2][3];
    outline o[2];
    side ring[2][HOL__TOUCHES];
    int face[2] = {0, 0}, n = 0, m;
    hol__perpendicular3(normal, axes[0]);
    hol__cross3(normal, axes[0], axes[1]);
    choose_faces(at, nearest, normal, face);
    for (int k = 0; k < 2; k++) outline_of(&at[k], face[k], axes, k, &o[k]);
    for (m = 0; m < o[1].n; m++) ring[0][m] = (side){1, m, {o[1].at[m][0], o[1].at[m][1]}};
    int now = 0;
    for (int i = 0; i < o[0].n && m; i++, now = !now) m = cut(&o[0], i, ring[now], m, ring[!now]);
    for (int i = 0; i < m; i++)
        add_corner(at, o, &ring[now][(i + m - 1) % m], &ring[now][i], normal, out, &n);
    return n;
}

/* ---- edges and segments side by side ---- */

/* An edge by its corners, and its face where it has one. */
typedef struct rail {
    int corner[2], face;
    double e[3], a[3], at[2]; /* at: places along the common direction */
} rail;

static rail rail_of(const hol__placed *at, const hol__feature *f, const double d[3]) {
    const hol__convex *s = at->shape;
    rail r = {.corner = {0, 1}, .face = -1};
    double b[3];
    if (s->n_faces) {
        r.face = face_along(at, f, d);
        for (int k = 0; k < 2; k++) r.corner[k] = s->loop[s->first[r.face] + k];
    }
    hol__touch_corner(at, r.corner[0], r.a);
    hol__touch_corner(at, r.corner[1], b);
    hol__sub3(b, r.a, r.e);
    return r;
}

/* What of a rail a corner at x touches: its face, or along its edge or at an end of it. Across a
 * face it lies over it, or so near beside it that the direction from an end would be no better. */
static hol__feature touched(const rail *r, const double x[3], int sharp) {
    double d[3];
    hol__sub3(x, r->a, d);
    const double t = hol__dot3(d, r->e) / hol__dot3(r->e, r->e);
    const int over = t >= 0 && t <= 1, end = r->corner[t > 1];
    if (r->face >= 0 && (over || sharp)) return (hol__feature){HOL__FACE, {r->face, r->face}};
    return over ? (hol__feature){HOL__EDGE, {r->corner[0], r->corner[1]}} : corner_feature(end);
}

/* The corner of rail k at its end: low 0, high 1. */
static void add_end(const hol__placed at[2], const rail r[2], int k, int end,
                    const double normal[3], hol__touch *out, int *n) {
    const int flip = r[k].at[0] > r[k].at[1];
    const hol__feature corner = corner_feature(r[k].corner[end != flip]);
    double x[3], d[3];
    hol__touch_corner(&at[k], corner.at[0], x);
    const hol__feature other =
        touched(&r[1 - k], x, !(at[0].shape->radius + at[1].shape->radius > 0));
    append(out, n, k ? other : corner, k ? corner : other, 1);
    if (other.kind != HOL__EDGE) return;
    /* from the first to the second, across the edge */
    hol__sub3(x, r[1 - k].a, d);
    const double *e = r[1 - k].e, t = hol__dot3(d, e) / hol__dot3(e, e);
    for (int i = 0; i < 3; i++) d[i] = (k ? 1 : -1) * (d[i] - t * e[i]);
    out[*n - 1].sign = hol__dot3(d, normal) < 0 ? -1 : 1;
}

static int side_by_side(const hol__placed at[2], const hol__touch *nearest, const double normal[3],
                        hol__touch *out) {
    const double back[3] = {-normal[0], -normal[1], -normal[2]};
    rail r[2] = {rail_of(&at[0], &nearest->of[0], normal), rail_of(&at[1], &nearest->of[1], back)};
    const double length[2] = {hol__norm3(r[0].e), hol__norm3(r[1].e)},
                 way = hol__dot3(r[0].e, r[1].e) < 0 ? -1 : 1;
    double u[3];
    int n = 0;
    for (int i = 0; i < 3; i++) u[i] = r[0].e[i] / length[0] + way * r[1].e[i] / length[1];
    for (int k = 0; k < 2; k++) {
        r[k].at[0] = hol__dot3(u, r[k].a);
        r[k].at[1] = r[k].at[0] + hol__dot3(u, r[k].e);
    }
    const double low[2] = {fmin(r[0].at[0], r[0].at[1]), fmin(r[1].at[0], r[1].at[1])},
                 high[2] = {fmax(r[0].at[0], r[0].at[1]), fmax(r[1].at[0], r[1].at[1])};
    const int first = low[1] > low[0], last = high[1] < high[0];
    if (!(low[first] < high[last])) return 0;
    add_end(at, r, first, 0, normal, out, &n);
    add_end(at, r, last, 1, normal, out, &n);
    return n;
}

/* ---- a segment over a face ---- */

/* Where the segment leaves the outline: its share at both ends, and the lines, -1 for its own
 * ends; 0 where it does not pass over it. */
static int span_over(const outline *o, double seg[2][2], double share[2], int line[2]) {
    share[0] = 0, share[1] = 1, line[0] = line[1] = -1;
    for (int i = 0; i < o->n; i++) {
        const double *a = o->at[i], *b = o->at[(i + 1) % o->n];
        const double s = left_of(a, b, seg[0]), t = left_of(a, b, seg[1]);
        if (s < 0 && t < 0) return 0;
        if ((s >= 0) == (t >= 0)) continue;
        const int end = s >= 0;
        const double x = s / (s - t);
        if (end ? x < share[1] : x > share[0]) share[end] = x, line[end] = i;
    }
    return share[0] < share[1];
}

/* Whether the nearest points of the lines a + s e and b + t d lie within 0 <= s, t <= 1. */
static int meet_within(const double a[3], const double e[3], const double b[3], const double d[3]) {
    double m[3], w[3], x[3];
    hol__cross3(e, d, m);
    hol__sub3(b, a, w);
    const double square = hol__dot3(m, m);
    hol__cross3(w, d, x);
    const double s = hol__dot3(x, m) / square;
    hol__cross3(w, e, x);
    const double t = hol__dot3(x, m) / square;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

/* k: the shape that is the segment. */
static int segment_on_face(const hol__placed at[2], const hol__touch *nearest,
                           const double normal[3], int k, hol__touch *out) {
    const hol__placed *rod = &at[k], *has = &at[1 - k];
    double axes[2][3], f[3], ends[2][3], seg[2][2], share[2];
    const double to_rod[3] = {k ? normal[0] : -normal[0], k ? normal[1] : -normal[1],
                              k ? normal[2] : -normal[2]};
    int n = 0, line[2];
    outline o;
    const int face = face_along(has, &nearest->of[1 - k], to_rod);
    hol__mul3(has->R, has->shape->normals[face], f);
    hol__perpendicular3(f, axes[0]);
    hol__cross3(f, axes[0], axes[1]);
    outline_of(has, face, axes, 0, &o);
    for (int i = 0; i < 2; i++) {
        hol__touch_corner(rod, i, ends[i]);
        for (int j = 0; j < 2; j++) seg[i][j] = hol__dot3(axes[j], ends[i]);
        const hol__feature near = hol__touch_near(has, ends[i]), corner = corner_feature(i);
        append(out, &n, k ? near : corner, k ? corner : near, 1);
    }
    if (!span_over(&o, seg, share, line)) return n;
    for (int i = 0; i < 2; i++) {
        if (line[i] < 0) continue;
        const hol__feature edge = edge_of(&o, line[i]), whole = {HOL__EDGE, {0, 1}};
        double a[3], b[3], e[3], d[3], m[3];
        hol__touch_corner(has, edge.at[0], a);
        hol__touch_corner(has, edge.at[1], b);
        hol__sub3(b, a, e);
        hol__sub3(ends[1], ends[0], d);
        hol__cross3(k ? e : d, k ? d : e, m);
        if (!(hol__norm3(m) > 1e-7 * hol__norm3(e) * hol__norm3(d)) ||
            !meet_within(ends[0], d, a, e))
            continue;
        append(out, &n, k ? edge : whole, k ? whole : edge, 1);
        out[n - 1].sign = hol__dot3(m, normal) < 0 ? -1 : 1;
        out[n - 1].first = i, out[n - 1].count = 1;
    }
    return n;
}

int hol__touch_manifold(const hol__touch_pair *pair, const hol__placed at[2],
                        const hol__touch *nearest, const double normal[3], hol__touch *out) {
    const hol__convex *s[2] = {at[0].shape, at[1].shape};
    if (s[0]->n == 1 || s[1]->n == 1) return 0;
    if (pair->plane || (s[0]->n == 2 && s[1]->n == 2))
        return side_by_side(at, nearest, normal, out);
    if (s[0]->n == 2 || s[1]->n == 2)
        return segment_on_face(at, nearest, normal, s[1]->n == 2, out);
    return face_on_face(at, nearest, normal, out);
}
