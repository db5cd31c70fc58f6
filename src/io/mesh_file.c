/* mesh_file.c: the mesh of a file as the data of a shape, so that a description that was read needs
 * no other file any more. The format is told by the end of the name. */
#include "io/mesh_file.h"

#include "common/number.h"
#include "common/ascii.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int hol__mesh_wrong(const hol__mesh *mesh, int line, const char *format, ...) {
    const hol_location where = {mesh->path, line, line ? 1 : 0};
    va_list args;
    va_start(args, format);
    hol__verror(mesh->spec->ctx, &where, NULL, format, args);
    va_end(args);
    return 0;
}

unsigned long hol__mesh_word(const char *bytes) {
    unsigned long word = 0;
    for (int i = 3; i >= 0; i--) word = word << 8 | (unsigned char)bytes[i];
    return word;
}

double hol__mesh_float(const char *bytes) {
    const uint32_t bits = (uint32_t)hol__mesh_word(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Room for one more item of `size` bytes; 0 without memory. */
static int make_room(const hol__mesh *mesh, void **items, int n, int *room, size_t size) {
    if (n < *room) return 1;
    const int more = 2 * *room + 1024;
    void *next = hol__alloc(mesh->spec->ctx, (size_t)more, size);
    if (!next) return 0;
    if (n) memcpy(next, *items, (size_t)n * size);
    hol__release(mesh->spec->ctx, *items);
    *items = next;
    *room = more;
    return 1;
}

int hol__mesh_vertex(hol__mesh *mesh, const double x[3], long at) {
    void *items = mesh->vertices;
    for (int i = 0; i < 3; i++)
        if (!isfinite(x[i]))
            return hol__mesh_wrong(mesh, 0, "a coordinate of corner %d (at %ld) is not a number",
                                   mesh->n_vertices, at);
    if (mesh->n_vertices >= HOL__MESH_VERTICES)
        return hol__mesh_wrong(mesh, 0,
                               "the mesh has more than %d corners; reduce it before it is drawn",
                               HOL__MESH_VERTICES);
    const int good =
        make_room(mesh, &items, mesh->n_vertices, &mesh->room_vertices, 3 * sizeof(double));
    mesh->vertices = items;
    if (good) memcpy(mesh->vertices + 3 * mesh->n_vertices++, x, 3 * sizeof(double));
    return good;
}

int hol__mesh_index(hol__mesh *mesh, int index) {
    void *items = mesh->indices;
    if (mesh->n_indices >= HOL__MESH_INDICES)
        return hol__mesh_wrong(mesh, 0,
                               "the mesh has too many faces; reduce it before it is drawn");
    const int good = make_room(mesh, &items, mesh->n_indices, &mesh->room_indices, sizeof(int));
    mesh->indices = items;
    if (good) mesh->indices[mesh->n_indices++] = index;
    return good;
}

/* Whether a name ends so, in small letters or capitals. */
static int ends_with(const char *name, const char *end) {
    const size_t n = strlen(name), m = strlen(end);
    return n > m && hol__same_letters(name + n - m, end);
}

/* Read the bytes by the format of their file. */
static int parse(hol__mesh *mesh, const hol__node *file, const hol__text *bytes,
                 hol__read_whole *read) {
    const char *data = bytes->data ? bytes->data : "";
    int good = 0;
    if (ends_with(mesh->path, ".stl"))
        good = hol__mesh_stl(mesh, data, bytes->length);
    else if (ends_with(mesh->path, ".obj"))
        good = hol__mesh_obj(mesh, data, bytes->length);
    else if (ends_with(mesh->path, ".glb") || ends_with(mesh->path, ".gltf"))
        good = hol__mesh_gltf(mesh, data, bytes->length, read);
    else {
        hol__error(mesh->spec->ctx, &file->where, NULL,
                   "'%s': the name of a mesh file ends with .stl, .obj, .glb or .gltf", file->text);
        return 0;
    }
    if (good && !mesh->n_indices) return hol__mesh_wrong(mesh, 0, "the file holds no faces");
    return good;
}

/* The mesh as the key `data` of the shape; 0 without memory. */
static int put_data(hol__mesh *mesh, hol__node *shape, const hol__node *file) {
    char number[HOL__NUMBER_SIZE];
    hol__text out;
    hol__text_init(&out, mesh->spec->ctx);
    hol__text_add(&out, "%d", mesh->n_vertices);
    for (int i = 0; i < 3 * mesh->n_vertices; i++) {
        hol__number_write(mesh->vertices[i], 9, number);
        hol__text_add_n(&out, " ", 1);
        hol__text_add_n(&out, number, strlen(number));
    }
    for (int i = 0; i < mesh->n_indices; i++) hol__text_add(&out, " %d", mesh->indices[i]);
    hol__node *data = out.failed ? NULL : hol__node_add_scalar(mesh->spec, shape, "data", out.data);
    hol__text_free(&out);
    if (!data) return 0;
    data->where = file->where;
    data->key_at = file->key_at;
    data->quoted = 1;
    return 1;
}

int hol__mesh_file(hol_spec *spec, hol__node *shape, const char *path, hol__read_whole *read) {
    hol__node *file = hol__node_get(shape, "file");
    hol__mesh mesh = {.spec = spec, .path = path};
    hol__text bytes;
    hol__text_init(&bytes, spec->ctx);
    const int good = read(spec, path, &file->where, &bytes) && parse(&mesh, file, &bytes, read) &&
                     put_data(&mesh, shape, file);
    if (good) hol__node_remove(file);
    hol__release(spec->ctx, mesh.vertices);
    hol__release(spec->ctx, mesh.indices);
    hol__text_free(&bytes);
    return good;
}
