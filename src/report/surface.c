/* surface.c: surfaces of triangles: storage, boxes, prisms, faces of meshes. */
#include "report/surface.h"

#include <math.h>
#include <string.h>

/* ---- storage ---- */

/* out = R x (+ at) */
static void placed(const hol__placement *place, const double x[3], int is_point, double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = (is_point ? place->at[i] : 0) + place->R[3 * i] * x[0] +
                 place->R[3 * i + 1] * x[1] + place->R[3 * i + 2] * x[2];
}

int hol__surface_vertex(hol__surface *s, const hol__placement *place, const double point[3],
                        const double normal[3]) {
    if (s->n_vertices == s->vertex_capacity) {
        const int more = 2 * s->vertex_capacity + 128;
        double *positions = HOL__NEW_N(s->arena, double, 3 * (size_t)more),
               *normals = HOL__NEW_N(s->arena, double, 3 * (size_t)more);
        if (!positions || !normals) return -1;
        if (s->n_vertices) {
            memcpy(positions, s->positions, 3 * (size_t)s->n_vertices * sizeof *positions);
            memcpy(normals, s->normals, 3 * (size_t)s->n_vertices * sizeof *normals);
        }
        s->positions = positions, s->normals = normals;
        s->vertex_capacity = more;
    }
    double *n = s->normals + 3 * (size_t)s->n_vertices;
    placed(place, point, 1, s->positions + 3 * (size_t)s->n_vertices);
    placed(place, normal, 0, n);
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; i++) n[i] = size > 0 ? n[i] / size : i == 2;
    return s->n_vertices++;
}

void hol__surface_triangle(hol__surface *s, int a, int b, int c) {
    if (a < 0 || b < 0 || c < 0) return;
    if (s->n_indices + 3 > s->index_capacity) {
        const int more = 2 * s->index_capacity + 384;
        unsigned *indices = HOL__NEW_N(s->arena, unsigned, more);
        if (!indices) return;
        if (s->n_indices) memcpy(indices, s->indices, (size_t)s->n_indices * sizeof *indices);
        s->indices = indices;
        s->index_capacity = more;
    }
    const int corners[3] = {a, b, c};
    for (int i = 0; i < 3; i++) s->indices[s->n_indices++] = (unsigned)corners[i];
}

/* A flat face with a normal of its own: n points around it, counter-clockwise, convex. */
static void add_face(hol__surface *s, const hol__placement *place, int n, const double (*p)[3],
                     const double normal[3]) {
    int first = 0, last = 0;
    for (int i = 0; i < n; i++) {
        const int now = hol__surface_vertex(s, place, p[i], normal);
        if (i == 0) first = now;
        if (i >= 2) hol__surface_triangle(s, first, last, now);
        last = now;
    }
}

/* ---- boxes and prisms ---- */

void hol__surface_box(hol__surface *s, const hol__placement *place, const double size[3]) {
    for (int k = 0; k < 6; k++) {
        const int i = k / 2, j = (i + 1) % 3, l = (i + 2) % 3;
        const double side = k % 2 ? 0.5 : -0.5;
        double p[4][3], normal[3] = {0, 0, 0};
        for (int c = 0; c < 4; c++) {
            const int turn = k % 2 ? c : 3 - c;
            p[c][i] = side * size[i];
            p[c][j] = (turn == 1 || turn == 2 ? 0.5 : -0.5) * size[j];
            p[c][l] = (turn >= 2 ? 0.5 : -0.5) * size[l];
        }
        normal[i] = 2 * side;
        add_face(s, place, 4, (const double(*)[3])p, normal);
    }
}

/* Twice the area of a polygon, positive where it is counter-clockwise. */
static double area_of(int n, const double *xy) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % n);
        sum += a[0] * b[1] - a[1] * b[0];
    }
    return sum;
}

/* The two lids of a prism. */
static void add_lids(hol__surface *s, const hol__placement *place, int n, const double *xy,
                     double low, double high) {
    int *triangles = HOL__NEW_N(s->arena, int, 3 * n), *scratch = HOL__NEW_N(s->arena, int, n);
    if (!triangles || !scratch) return;
    const int count = hol__triangulate(n, xy, triangles, scratch);
    for (int lid = 0; lid < 2; lid++) {
        const int start = s->n_vertices;
        const double normal[3] = {0, 0, lid ? 1 : -1};
        for (int i = 0; i < n; i++) {
            const double p[3] = {xy[2 * i], xy[2 * i + 1], lid ? high : low};
            if (hol__surface_vertex(s, place, p, normal) < 0) return;
        }
        for (int i = 0; i + 2 < count; i += 3)
            hol__surface_triangle(s, start + triangles[i], start + triangles[i + (lid ? 1 : 2)],
                                  start + triangles[i + (lid ? 2 : 1)]);
    }
}

void hol__surface_prism(hol__surface *s, const hol__placement *place, int n, const double *xy,
                        double low, double high) {
    double *round = HOL__NEW_N(s->arena, double, 2 * (size_t)n + 1);
    if (!round || n < 3) return;
    const int back = area_of(n, xy) < 0;
    for (int i = 0; i < n; i++)
        memcpy(round + 2 * i, xy + 2 * (back ? n - 1 - i : i), 2 * sizeof *round);
    add_lids(s, place, n, round, low, high);
    for (int i = 0; i < n; i++) {
        const double *a = round + 2 * i, *b = round + 2 * ((i + 1) % n);
        const double p[4][3] = {
            {a[0], a[1], low}, {b[0], b[1], low}, {b[0], b[1], high}, {a[0], a[1], high}};
        const double normal[3] = {b[1] - a[1], a[0] - b[0], 0};
        if (normal[0] != 0 || normal[1] != 0) add_face(s, place, 4, p, normal);
    }
}

/* ---- meshes ---- */

void hol__surface_faces(hol__surface *s, const hol__placement *place, int n_vertices,
                        const double *vertices, int n_indices, const int *indices) {
    for (int i = 0, start = 0; i < n_indices; i++) {
        if (indices[i] >= 0) continue;
        for (int k = start + 1; k + 1 < i; k++) {
            const int corner[3] = {indices[start], indices[k], indices[k + 1]};
            double p[3][3], normal[3];
            int good = 1;
            for (int c = 0; c < 3; c++) {
                good &= corner[c] < n_vertices;
                if (good) memcpy(p[c], vertices + 3 * (size_t)corner[c], sizeof p[c]);
            }
            for (int c = 0; good && c < 3; c++) {
                const int d = (c + 1) % 3, e = (c + 2) % 3;
                normal[c] = (p[1][d] - p[0][d]) * (p[2][e] - p[0][e]) -
                            (p[1][e] - p[0][e]) * (p[2][d] - p[0][d]);
            }
            if (good) add_face(s, place, 3, (const double(*)[3])p, normal);
        }
        start = i + 1;
    }
}
