/* touch_draw.c: the shapes of a contact as solids to look at.
 *
 * They are told by their cores: a point is a sphere, a segment a rod with round ends, a polytope
 * whose edges have three directions at right angles (two in the plane) a box, others a mesh. A
 * polytope with a radius r about it has faces moved out by r, and between them the arcs from one
 * normal to the next.
 */
#include "element/touch.h"
#include "element/joints.h"

#include <string.h>

enum { ARC = 5, ROUND = 8 }; /* parts of an arc: in space, in the plane */

/* ---- meshes ---- */

/* A mesh that is being made; without room it only counts. */
typedef struct mesh {
    double *vertices;
    int *indices;
    int n_vertices, n_indices;
} mesh;

static void add_vertex(mesh *m, const double x[3], double r, const double n[3]) {
    for (int i = 0; m->vertices && i < 3; i++) m->vertices[3 * m->n_vertices + i] = x[i] + r * n[i];
    if (m->indices) m->indices[m->n_indices] = m->n_vertices;
    m->n_vertices++, m->n_indices++;
}

static void end_face(mesh *m) {
    if (m->indices) m->indices[m->n_indices] = -1;
    m->n_indices++;
}

/* A unit vector on the arc from a to b. */
static void on_arc(const double a[3], const double b[3], double share, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = (1 - share) * a[i] + share * b[i];
    const double length = hol__norm3(out);
    for (int i = 0; i < 3 && length > 0; i++) out[i] /= length;
}

/* The middle of the normals of the faces at a corner. */
static void middle_of(const hol__convex *s, int corner, double out[3]) {
    static const double none[3] = {0, 0, 0};
    double sum[3] = {0, 0, 0};
    for (int f = 0; f < s->n_faces; f++)
        if (hol__touch_face_has(s, f, corner)) hol__add3(sum, s->normals[f], sum);
    on_arc(none, sum, 1, out);
}

/* The part of the sphere about a corner beside an arc of normals, in two rows. */
static void add_cap(const hol__convex *s, int corner, const double a[3], const double b[3],
                    mesh *m) {
    double top[3], inner[2][3];
    middle_of(s, corner, top);
    on_arc(top, a, 0.5, inner[0]);
    on_arc(top, b, 0.5, inner[1]);
    add_vertex(m, s->x[corner], s->radius, inner[0]);
    add_vertex(m, s->x[corner], s->radius, a);
    add_vertex(m, s->x[corner], s->radius, b);
    add_vertex(m, s->x[corner], s->radius, inner[1]);
    end_face(m);
    add_vertex(m, s->x[corner], s->radius, top);
    add_vertex(m, s->x[corner], s->radius, inner[0]);
    add_vertex(m, s->x[corner], s->radius, inner[1]);
    end_face(m);
}

/* The rounding of an edge, and its share of those of its corners. */
static void add_rounding(const hol__convex *s, const int edge[2], mesh *m) {
    int f[2] = {0, 0}, n = 0;
    for (int k = 0; k < s->n_faces && n < 2; k++)
        if (hol__touch_face_has(s, k, edge[0]) && hol__touch_face_has(s, k, edge[1])) f[n++] = k;
    for (int k = 0; k < ARC && n == 2; k++) {
        double a[3], b[3];
        on_arc(s->normals[f[0]], s->normals[f[1]], (double)k / ARC, a);
        on_arc(s->normals[f[0]], s->normals[f[1]], (k + 1.0) / ARC, b);
        add_vertex(m, s->x[edge[0]], s->radius, a);
        add_vertex(m, s->x[edge[0]], s->radius, b);
        add_vertex(m, s->x[edge[1]], s->radius, b);
        add_vertex(m, s->x[edge[1]], s->radius, a);
        end_face(m);
        for (int end = 0; end < 2; end++) add_cap(s, edge[end], a, b, m);
    }
}

static void add_polytope(const hol__convex *s, mesh *m) {
    for (int f = 0; f < s->n_faces; f++) {
        for (int k = s->first[f]; k < s->first[f + 1]; k++)
            add_vertex(m, s->x[s->loop[k]], s->radius, s->normals[f]);
        end_face(m);
    }
    for (int e = 0; e < s->n_edges && s->radius > 0; e++) add_rounding(s, s->edges[e], m);
}

/* The face of a polygon that begins at a corner. */
static int face_from(const hol__convex *s, int corner) {
    int f = 0;
    while (f + 1 < s->n_faces && s->loop[s->first[f]] != corner) f++;
    return f;
}

/* In the plane: around the polygon, with an arc at each corner. */
static void add_polygon(const hol__convex *s, mesh *m) {
    const int steps = s->radius > 0 ? ROUND : 0;
    for (int i = 0, f = 0; i < s->n_faces; i++) {
        const int corner = s->loop[s->first[f] + 1], next = face_from(s, corner);
        for (int k = 0; k <= steps; k++) {
            double n[3];
            on_arc(s->normals[f], s->normals[next], steps ? (double)k / steps : 0, n);
            add_vertex(m, s->x[corner], s->radius, n);
        }
        f = next;
    }
    end_face(m);
}

static void set_mesh(hol__build *build, const hol__convex *s, int plane, hol_shape *out) {
    mesh m = {0};
    for (int pass = 0; pass < 2; pass++) {
        if (pass) {
            m.vertices = HOL__NEW_N(build->arena, double, 3 * m.n_vertices);
            m.indices = HOL__NEW_N(build->arena, int, m.n_indices);
            if (!m.vertices || !m.indices) return;
            m.n_vertices = m.n_indices = 0;
        }
        if (plane)
            add_polygon(s, &m);
        else
            add_polytope(s, &m);
    }
    out->kind = HOL_SHAPE_MESH;
    out->n_vertices = m.n_vertices, out->n_indices = m.n_indices;
    out->vertices = m.vertices, out->indices = m.indices;
}

/* ---- others ---- */

/* Turn z to a direction of length 1; in the plane x goes along the line and y out of it. */
static void set_axes(const double z[3], int plane, double R[9]) {
    double x[3] = {z[1], -z[0], 0}, y[3];
    if (!plane) hol__perpendicular3(z, x);
    hol__cross3(z, x, y);
    for (int i = 0; i < 3; i++) R[3 * i] = x[i], R[3 * i + 1] = y[i], R[3 * i + 2] = z[i];
}

/* A segment with a radius; a cylinder where it has discs. */
static void set_rod(const hol__convex *s, hol_shape *out) {
    double d[3];
    hol__sub3(s->x[1], s->x[0], d);
    const double length = hol__norm3(d);
    for (int i = 0; i < 3; i++) d[i] /= length, out->at[i] = 0.5 * (s->x[0][i] + s->x[1][i]);
    out->kind = s->disc > 0 ? HOL_SHAPE_CYLINDER : HOL_SHAPE_ROD;
    out->size[0] = s->radius + s->disc, out->size[1] = length;
    set_axes(d, 0, out->R);
}

/* A box by the directions of its edges; 0 where it is none. */
static int set_box(const hol__convex *s, int plane, hol_shape *out) {
    const int n = plane ? 2 : 3;
    double e[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    if (s->n_ways != n || s->n != 1 << n || s->radius > 0) return 0;
    for (int k = 0; k < n; k++) {
        const int *ends = s->edges[s->ways[k]];
        hol__sub3(s->x[ends[1]], s->x[ends[0]], e[k]);
        out->size[k] = hol__norm3(e[k]);
        for (int i = 0; i < 3; i++) e[k][i] /= out->size[k];
    }
    double z[3];
    hol__cross3(e[0], e[1], z);
    for (int i = 0; !plane && hol__dot3(z, e[2]) < 0 && i < 3; i++) e[2][i] = -e[2][i];
    if (fabs(hol__dot3(e[0], e[1])) > HOL__SAME_WAY ||
        fabs(hol__dot3(e[0], e[2])) > HOL__SAME_WAY || fabs(hol__dot3(e[1], e[2])) > HOL__SAME_WAY)
        return 0;
    if (plane && z[2] < 0)
        for (int i = 0; i < 3; i++) e[1][i] = -e[1][i];
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < 3; i++) out->at[i] += s->x[k][i] / s->n;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out->R[3 * i + k] = e[k][i];
    out->kind = HOL_SHAPE_BOX;
    return 1;
}

/* A shape, from the mass centre of its body; 0 for a point without extent. */
static int set_shape(hol__build *build, const hol__touch_shape *touch, hol_shape *out) {
    const hol__convex *s = &touch->core;
    const int plane = build->model->dim == 2;
    *out = (hol_shape){.color = "", .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (touch->half_space || s->n == 1) memcpy(out->at, s->x[0], sizeof out->at);
    if (touch->half_space) {
        out->kind = HOL_SHAPE_PLANE;
        set_axes(s->normals[0], plane, out->R);
    } else if (s->n == 1) {
        out->kind = HOL_SHAPE_SPHERE;
        out->size[0] = s->radius;
        return s->radius > 0;
    } else if (s->n == 2)
        set_rod(s, out);
    else if (!set_box(s, plane, out))
        set_mesh(build, s, plane, out);
    return 1;
}

void hol__touch_draw(hol__build *build, hol__element *element, const hol__touch_pair *pair) {
    for (int k = 0; k < 2; k++) {
        hol_shape *shape = HOL__NEW(build->arena, hol_shape);
        const int body = element->body[k];
        if (!shape || !set_shape(build, &pair->shape[k], shape)) continue;
        if (body < build->model->nb)
            hol__add3(shape->at, build->model->bodies[body].com, shape->at);
        element->shape[k] = shape;
    }
}
