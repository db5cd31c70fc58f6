/* mesh_file.h: meshes from files, as the data of a shape. */
#ifndef HOL_IO_MESH_FILE_H
#define HOL_IO_MESH_FILE_H

#include "io/table_file.h"

enum {
    HOL__MESH_VERTICES = 500000,
    HOL__MESH_INDICES = 4000000 /* of all faces, with the mark after each */
};

/* A mesh while it is read. */
typedef struct hol__mesh {
    hol_spec *spec;
    const char *path;
    int n_vertices, room_vertices;
    double *vertices; /* three numbers each */
    int n_indices, room_indices;
    int *indices; /* -1 after each face */
} hol__mesh;

/* Replace `file` in a shape by `data`: "n x y z …  a b c -1 …", n corners and the faces over them.
 * read gives the bytes of a file. 0 after an error, which has been reported. */
int hol__mesh_file(hol_spec *spec, hol__node *shape, const char *path, hol__read_whole *read);

/* Add a corner (at: line of a text, or byte of a file), or one that is there to a face, -1 at its
 * end; 0 after an error. */
int hol__mesh_vertex(hol__mesh *mesh, const double x[3], long at);
int hol__mesh_index(hol__mesh *mesh, int index);

/* Report what is wrong at a line of a text file, or at a byte of another (line 0); returns 0. */
int hol__mesh_wrong(const hol__mesh *mesh, int line, const char *format, ...) HOL__PRINTF(3, 4);

/* The formats; 0 after an error. */
int hol__mesh_stl(hol__mesh *mesh, const char *bytes, size_t n);
int hol__mesh_obj(hol__mesh *mesh, const char *bytes, size_t n);
int hol__mesh_gltf(hol__mesh *mesh, const char *bytes, size_t n, hol__read_whole *read);

/* The unsigned number of 4 bytes, the lowest first; the float that these are. */
unsigned long hol__mesh_word(const char *bytes);
double hol__mesh_float(const char *bytes);

#endif
