/* mesh_obj.c: OBJ files: lines `v x y z` are corners, `f a b c …` faces, whose corners are counted
 * from 1, or backwards from -1, and may have texture and normal behind a slash; all else is
 * skipped. */
#include "common/number.h"
#include "io/mesh_file.h"

#include <math.h>
#include <string.h>

/* Skip blanks of a line. */
static const char *blanks(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
    return at;
}

/* The number at a place of a line; 0 where there is none. */
static int number(const char **at, const char *end, double *out) {
    const char *stop, *from = blanks(*at, end);
    *out = from < end ? hol__number_read(from, &stop) : 0;
    if (from >= end || stop == from || stop > end) return 0;
    *at = stop;
    return 1;
}

static int read_vertex(hol__mesh *mesh, const char *at, const char *end, int line) {
    double x[3];
    for (int i = 0; i < 3; i++)
        if (!number(&at, end, &x[i]) || !isfinite(x[i]))
            return hol__mesh_wrong(mesh, line, "a corner has three coordinates: v 0.1 0.2 0.3");
    return hol__mesh_vertex(mesh, x, line);
}

static int read_face(hol__mesh *mesh, const char *at, const char *end, int line) {
    int n = 0;
    for (at = blanks(at, end); at < end; at = blanks(at, end), n++) {
        double k;
        if (!number(&at, end, &k) || k != floor(k))
            return hol__mesh_wrong(mesh, line, "a face is a list of corners: f 1 2 3");
        while (at < end && *at != ' ' && *at != '\t' && *at != '\r') at++; /* texture, normal */
        const double index = k > 0 ? k - 1 : mesh->n_vertices + k;
        if (k == 0 || index < 0 || index >= mesh->n_vertices)
            return hol__mesh_wrong(mesh, line, "a face names corner %g, and there are %d so far", k,
                                   mesh->n_vertices);
        if (!hol__mesh_index(mesh, (int)index)) return 0;
    }
    if (n < 3) return hol__mesh_wrong(mesh, line, "a face has %d corners; it needs three", n);
    return hol__mesh_index(mesh, -1);
}

int hol__mesh_obj(hol__mesh *mesh, const char *bytes, size_t n) {
    const char *end = bytes + n;
    int line = 1;
    for (const char *at = bytes; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        const char *word = blanks(at, stop);
        const int named = stop - word > 1 && (word[1] == ' ' || word[1] == '\t');
        if (named && *word == 'v' && !read_vertex(mesh, word + 1, stop, line)) return 0;
        if (named && *word == 'f' && !read_face(mesh, word + 1, stop, line)) return 0;
        at = stop + 1;
    }
    return 1;
}
