/* mesh.c: meshes, which are only drawn: corners in the frame of the shape, and faces over them. */
#include "compile/compile.h"

#include "common/number.h"
#include "common/ascii.h"

#include <limits.h>
#include <math.h>
#include <string.h>

int hol__is_color(const char *text) {
    int n = 0;
    if (text[0] != '#') return 0;
    while (hol__is_hex(text[1 + n])) n++;
    return n == 6 && !text[7];
}

/* A list of points; 0 after an error. */
static int read_vertices(hol__build *build, hol__node *list, hol_shape *shape) {
    const int dim = build->model->dim, errors = build->errors;
    if (list->kind != HOL__LIST) {
        hol__build_error(build, list, "'vertices' is a list of points, found %s",
                         hol__node_kind_name(list));
        return 0;
    }
    double *to = HOL__NEW_N(build->arena, double, 3 * (size_t)list->count);
    if (!to) return 0;
    shape->vertices = to;
    for (hol__node *node = list->first; node; node = node->next, to += 3) {
        if (node->kind != HOL__LIST || node->count != dim) {
            hol__build_error(build, node, "a corner has %d coordinates", dim);
            return 0;
        }
        for (int i = 0; i < dim; i++)
            to[i] = hol__read_constant(build, hol__node_at(node, i), "m", 0);
    }
    shape->n_vertices = list->count;
    return build->errors == errors;
}

/* How many indices the faces take, with the mark after each; -1 after an error. */
static int count_indices(hol__build *build, hol__node *list) {
    long n = 0;
    if (list->kind != HOL__LIST) {
        hol__build_error(build, list, "'faces' is a list of lists of corners, found %s",
                         hol__node_kind_name(list));
        return -1;
    }
    for (hol__node *face = list->first; face; face = face->next) {
        if (face->kind != HOL__LIST || face->count < 3) {
            hol__build_error(build, face,
                             "a face is a list of at least three corners, counted from 0");
            return -1;
        }
        n += face->count + 1;
    }
    return n < INT_MAX ? (int)n : -1;
}

/* The next number of a text with blanks between them; *at stays where there is none. */
static double next_number(const char **at) {
    const char *from = *at + strspn(*at, " \n"), *end;
    const double value = hol__number_read(from, &end);
    if (end != from) *at = end;
    return value;
}

/* The text that the reader made of a file: n, 3 n coordinates, faces with -1 behind each. */
static void read_data(hol__build *build, hol__node *node, double scale, hol_shape *shape) {
    hol__node *data = hol__node_get(node, "data");
    const char *at = hol__read_text(build, node, hol__shape_keys, "data"), *from = at;
    const size_t length = strlen(at);
    const double n = next_number(&at);
    if (at == from || !(n >= 3 && n == floor(n) && n <= (double)length / 2)) {
        hol__build_error(build, data, "'data' begins with the number of corners");
        return;
    }
    double *to = HOL__NEW_N(build->arena, double, 3 * (size_t)n);
    if (!to) return;
    shape->vertices = to;
    for (size_t i = 0; i < 3 * (size_t)n; i++) {
        from = at;
        to[i] = scale * next_number(&at);
        if (at == from || !isfinite(to[i])) {
            hol__build_error(build, data, "'data' has %zu of %zu coordinates", i, 3 * (size_t)n);
            return;
        }
    }
    shape->n_vertices = (int)n;
    int *indices = HOL__NEW_N(build->arena, int, length / 2 + 1);
    if (!indices) return;
    shape->indices = indices;
    for (;;) {
        from = at;
        const double k = next_number(&at);
        if (at == from) break;
        if (!(k >= -1 && k < n && k == floor(k))) {
            hol__build_error(build, data, "a face of 'data' names corner %g of %g", k, n);
            return;
        }
        indices[shape->n_indices++] = (int)k;
    }
    if (!shape->n_indices || indices[shape->n_indices - 1] != -1)
        hol__build_error(build, data, "'data' ends within a face");
}

/* Whether the corners come in one way: as lists, or as data that was read from a file. */
static int check_source(hol__build *build, hol__node *node) {
    hol__node *data = hol__node_get(node, "data"), *file = hol__node_get(node, "file");
    const int lists = hol__node_get(node, "vertices") && hol__node_get(node, "faces");
    if (file)
        hol__build_error(build, file,
                         "mesh files are read with the model file; here give vertices and faces");
    else if (data && (hol__node_get(node, "vertices") || hol__node_get(node, "faces")))
        hol__build_error(build, node, "a mesh has vertices and faces, or a file, not both");
    else if (!data && !lists)
        hol__build_error(build, node, "a mesh needs vertices and faces, or a file");
    return !file && (data != NULL) != lists;
}

void hol__read_mesh(hol__build *build, hol__node *node, hol_shape *shape) {
    hol__node *faces = hol__node_get(node, "faces");
    const double scale = hol__read_number(build, node, hol__shape_keys, "scale");
    if (!check_source(build, node)) return;
    if (hol__node_get(node, "data")) {
        read_data(build, node, scale, shape);
        return;
    }
    if (!read_vertices(build, hol__node_get(node, "vertices"), shape)) return;
    const int n = count_indices(build, faces);
    int *to = n < 0 ? NULL : HOL__NEW_N(build->arena, int, n);
    if (!to) return;
    shape->indices = to;
    shape->n_indices = n;
    for (hol__node *face = faces->first; face; face = face->next, *to++ = -1)
        for (hol__node *corner = face->first; corner; corner = corner->next) {
            const double k = hol__read_constant(build, corner, "", 0);
            const int inside = k >= 0 && k < shape->n_vertices && k == floor(k);
            if (!inside)
                hol__build_error(build, corner, "the corners are counted from 0 to %d",
                                 shape->n_vertices - 1);
            *to++ = inside ? (int)k : 0;
        }
}
