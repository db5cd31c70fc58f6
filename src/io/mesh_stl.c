/* mesh_stl.c: STL files.
 *
 *     binary: 80 bytes, the number n of triangles (4 bytes), n times normal, three corners (12
 *             floats) and 2 bytes
 *     text:   solid … facet normal … outer loop, vertex x y z (three times), endloop, endfacet …
 *
 * A file is binary where its length says so: many of these begin with "solid" as well. Corners that
 * agree to the bit are one.
 */
#include "common/number.h"
#include "io/mesh_file.h"
#include "common/ascii.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { HEAD = 84, TRIANGLE = 50 };

/* Corners by their coordinates: a table of open addressing, -1 where it is empty. */
typedef struct corners {
    hol__mesh *mesh;
    int *slots;
    size_t size;
} corners;

static int corners_init(corners *c, hol__mesh *mesh, size_t n) {
    *c = (corners){.mesh = mesh, .size = 64};
    while (c->size < 2 * n && c->size < (size_t)4 * HOL__MESH_VERTICES) c->size *= 2;
    c->slots = hol__alloc(mesh->spec->ctx, c->size, sizeof *c->slots);
    for (size_t i = 0; c->slots && i < c->size; i++) c->slots[i] = -1;
    return c->slots != NULL;
}

/* Add the corner, or find it, and append it to the face. */
static int add_corner(corners *c, const double x[3], long at) {
    uint64_t hash = 1469598103934665603u;
    double plain[3];
    for (int i = 0; i < 3; i++) plain[i] = x[i] == 0 ? 0 : x[i]; /* no negative zero */
    const unsigned char *bytes = (const unsigned char *)plain;
    for (size_t i = 0; i < sizeof plain; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
    size_t k = (size_t)(hash ^ hash >> 29) & (c->size - 1);
    for (; c->slots[k] >= 0; k = (k + 1) & (c->size - 1))
        if (memcmp(c->mesh->vertices + 3 * c->slots[k], plain, sizeof plain) == 0)
            return hol__mesh_index(c->mesh, c->slots[k]);
    c->slots[k] = c->mesh->n_vertices;
    return hol__mesh_vertex(c->mesh, plain, at) &&
           hol__mesh_index(c->mesh, c->mesh->n_vertices - 1);
}

static int read_binary(hol__mesh *mesh, corners *c, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t start = HEAD + TRIANGLE * i;
        for (int k = 0; k < 3; k++) {
            double x[3];
            const size_t at = start + 12 + 12 * (size_t)k;
            for (int j = 0; j < 3; j++) x[j] = hol__mesh_float(bytes + at + 4 * j);
            if (!add_corner(c, x, (long)at)) return 0;
        }
        if (!hol__mesh_index(mesh, -1)) return 0;
    }
    return 1;
}

/* The next word of a text, its line counted; NULL at the end. */
static const char *next_word(const char **at, const char *end, int *line, size_t *n) {
    const char *p = *at;
    for (; p < end && hol__is_space(*p); p++) *line += *p == '\n';
    const char *word = p;
    while (p < end && !hol__is_space(*p)) p++;
    *n = (size_t)(p - word);
    *at = p;
    return *n ? word : NULL;
}

/* The three numbers behind the word vertex. */
static int read_corner(hol__mesh *mesh, const char **at, const char *end, int *line, double x[3]) {
    for (int i = 0; i < 3; i++) {
        size_t n;
        const char *word = next_word(at, end, line, &n), *stop;
        if (!word)
            return hol__mesh_wrong(mesh, *line, "the file ends within a corner; is it truncated?");
        x[i] = hol__number_read(word, &stop);
        if (stop != word + n)
            return hol__mesh_wrong(mesh, *line, "expected a number, found '%.*s'",
                                   n < 40 ? (int)n : 40, word);
    }
    return 1;
}

static int read_words(hol__mesh *mesh, corners *c, const char *at, const char *end) {
    int line = 1, corner = 0, closed = 0;
    size_t n;
    for (const char *word; (word = next_word(&at, end, &line, &n));) {
        double x[3];
        if (n == 8 && strncmp(word, "endsolid", n) == 0) closed = 1;
        if (n == 7 && strncmp(word, "endloop", n) == 0) {
            if (corner < 3)
                return hol__mesh_wrong(mesh, line, "a face has %d corners; it needs three", corner);
            if (!hol__mesh_index(mesh, -1)) return 0;
            corner = 0;
        }
        if (n != 6 || strncmp(word, "vertex", n) != 0) continue;
        if (!read_corner(mesh, &at, end, &line, x) || !add_corner(c, x, line)) return 0;
        corner++;
    }
    if (corner || !closed)
        return hol__mesh_wrong(mesh, line, "the file ends before 'endsolid'; is it truncated?");
    return 1;
}

int hol__mesh_stl(hol__mesh *mesh, const char *bytes, size_t n) {
    corners c;
    const size_t count = n >= HEAD ? hol__mesh_word(bytes + 80) : 0;
    const int binary = n >= HEAD && n == HEAD + TRIANGLE * count;
    const int text = n >= 5 && strncmp(bytes, "solid", 5) == 0;
    if (!binary && !text)
        return n < HEAD ? hol__mesh_wrong(mesh, 0, "this is no STL file: it has only %zu bytes", n)
                        : hol__mesh_wrong(mesh, 0,
                                          "the file says that it has %zu triangles, which take %zu "
                                          "bytes, and has %zu; is it truncated?",
                                          count, (size_t)HEAD + TRIANGLE * count, n);
    if (!corners_init(&c, mesh, binary ? 3 * count : n / 30 + 8)) return 0;
    const int good =
        binary ? read_binary(mesh, &c, bytes, count) : read_words(mesh, &c, bytes, bytes + n);
    hol__release(mesh->spec->ctx, c.slots);
    return good;
}
