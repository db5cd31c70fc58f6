/* rigid_edge.c: edges of two shapes in space that cross, as slots of a rigid contact.
 *
 * The lines a + s e0 and b + t e1 are nearest along m = e0 x e1 (touch.c):
 *
 *     g = (b - a).n,   n = m/|m| or -m/|m|,   s = ((b - a) x e1).m/m^2,   t = ((b - a) x e0).m/m^2
 *
 * They face each other where s and t are on the edges and n goes out of the first shape and into
 * the second: n . i <= 0 for the directions i from the first edge into its two faces, and -n . j
 * <= 0 for those of the second. Such an n supports both shapes, so that g is how far apart they are
 * along it: at most the gap between the shapes, which is that along the direction that parts them
 * best. A g < 0 therefore says something only where no other direction parts them.
 *
 * Shapes that are rounded touch while their cores are apart: n goes from one core to the other, and
 * s and t alone count.
 */
#include "element/rigid.h"

#include "math/overlap.h"

#include <math.h>
#include <string.h>

/* The sine of the angle below which edges count as parallel: what they would hold, the corners at
 * their ends hold. */
static const double PARALLEL = 1e-6;

/* Directions, and lengths beside the size of the shapes, that are not told apart; so much are gaps
 * closed that a run takes for closed. */
static const double ALIKE = 1e-9;

/* Edges that have passed each other by more than this many times the overlap of the shapes do not
 * face each other: others do. */
static const double STEEP = 1e3;

/* From an edge into a face that has it, along the face and across the edge. */
static void set_into(const hol__convex *s, int edge, int face, double out[3]) {
    const int a = s->edges[edge][0], b = s->edges[edge][1];
    double e[3], middle[3] = {0, 0, 0}, from[3];
    const int n = s->first[face + 1] - s->first[face];
    hol__sub3(s->x[b], s->x[a], e);
    for (int k = s->first[face]; k < s->first[face + 1]; k++)
        for (int i = 0; i < 3; i++) middle[i] += s->x[s->loop[k]][i] / n;
    hol__cross3(s->normals[face], e, out);
    hol__sub3(middle, s->x[a], from);
    const double size = hol__norm3(out), sign = hol__dot3(out, from) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) out[i] *= sign / size;
}

void hol__rigid_add_edges(hol__arena *arena, hol__rigid *r) {
    for (int k = 0; k < 2; k++) {
        const hol__convex *s = &r->pair.shape[k].core;
        hol__rigid_edge *edges = HOL__NEW_N(arena, hol__rigid_edge, s->n_edges + 1);
        r->edge[k] = edges;
        for (int i = 0; i < s->n_edges && edges; i++)
            for (int f = 0, n = 0; f < s->n_faces && n < 2; f++)
                if (hol__touch_face_has(s, f, s->edges[i][0]) &&
                    hol__touch_face_has(s, f, s->edges[i][1]))
                    set_into(s, i, f, edges[i].into[n++]);
    }
}

int hol__rigid_edge_slots(const hol__touch_pair *pair) {
    return pair->shape[0].core.n_edges * pair->shape[1].core.n_edges;
}

/* ---- where two edges are ---- */

/* Two edges as lines. */
typedef struct lines {
    int edge[2];
    double a[2][3], e[2][3]; /* a point and the way to the other end, global */
    double m[3], sine;       /* across both, a unit vector, and that of their angle */
    double w[3], s[2];       /* from the first point to the second, and where they are nearest */
} lines;

/* The lines of a pair of edges at bodies; 0: they are parallel. */
static int set_lines(const hol__rigid *r, const hol__body_dual bodies[2], int pair, lines *l) {
    const int n = r->pair.shape[1].core.n_edges;
    double across[2][3], length = 1;
    l->edge[0] = pair / n, l->edge[1] = pair % n;
    for (int k = 0; k < 2; k++) {
        const hol__convex *c = &r->pair.shape[k].core;
        const int *ends = c->edges[l->edge[k]];
        double d[3];
        hol__sub3(c->x[ends[1]], c->x[ends[0]], d);
        hol__mul3(bodies[k].R, d, l->e[k]);
        hol__mul3(bodies[k].R, c->x[ends[0]], l->a[k]);
        hol__add3(l->a[k], bodies[k].r.f, l->a[k]);
        length *= hol__norm3(d);
    }
    hol__cross3(l->e[0], l->e[1], l->m);
    hol__sub3(l->a[1], l->a[0], l->w);
    const double size = hol__norm3(l->m);
    l->sine = size / length;
    if (!(size > 0)) return 0;
    for (int k = 0; k < 2; k++) {
        hol__cross3(l->w, l->e[1 - k], across[k]);
        l->s[k] = hol__dot3(across[k], l->m) / (size * size);
    }
    for (int i = 0; i < 3; i++) l->m[i] /= size;
    return l->sine > PARALLEL;
}

/* Whether they are nearest beyond an end. */
static int are_beyond(const hol__rigid *r, const lines *l) {
    for (int k = 0; k < 2; k++)
        if (fmax(-l->s[k], l->s[k] - 1) * hol__norm3(l->e[k]) > 16 * r->slack) return 1;
    return 0;
}

/* How far a direction n, which goes from the first shape to the second, is from supporting both. */
static double misses(const hol__rigid *r, const hol__body_dual bodies[2], const lines *l,
                     const double n[3], double sign) {
    double most = -INFINITY;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2 && r->pair.shape[k].core.n_faces; i++) {
            double into[3];
            hol__mul3(bodies[k].R, r->edge[k][l->edge[k]].into[i], into);
            most = fmax(most, (k ? -sign : sign) * hol__dot3(n, into));
        }
    return most;
}

/* How deep the shapes overlap along the direction that parts them best. */
static double depth_of(hol__rigid_view *v) {
    hol__placed at[2];
    hol__overlap o;
    if (v->known) return v->depth;
    for (int k = 0; k < 2; k++) hol__rigid_place(v->rigid, v->bodies, k, &at[k]);
    hol__overlap_of(&at[0], &at[1], 0, &o);
    v->known = 1;
    return v->depth = o.depth;
}

int hol__rigid_edges(hol__rigid_view *view, int pair, int closed, hol__touch *out) {
    const hol__rigid *r = view->rigid;
    const hol__body_dual *bodies = view->bodies;
    lines l;
    int face = set_lines(r, bodies, pair, &l);
    face = face && !are_beyond(r, &l);
    if (!face && !closed) return 0;
    const double along = hol__dot3(l.w, l.m);
    out->sign = along < 0 ? -1 : 1;
    for (int k = 0; k < 2; k++) {
        const int *ends = r->pair.shape[k].core.edges[l.edge[k]];
        out->of[k] = (hol__feature){HOL__EDGE, {ends[0], ends[1]}};
    }
    if (hol__rigid_is_rounded(r)) return face;
    const double there = misses(r, bodies, &l, l.m, 1), back = misses(r, bodies, &l, l.m, -1);
    out->sign = back < there ? -1 : 1;
    face = face && fmin(there, back) <= ALIKE;
    const double in = -out->sign * along, alike = ALIKE * r->size;
    if (!face || closed || in <= alike) return face;
    return depth_of(view) > alike && in <= STEEP * depth_of(view);
}
