/* mesh_gltf.c: glTF 2.0 files: .glb, or .gltf with its buffers in the text or beside it. All
 * triangles of the nodes of the scene (of all nodes where there is none), at the places of the
 * nodes, which are a tree: each is visited once. JSON is read as YAML, of which it is a part.
 * Colours, skins and animations are not read. */
#include "common/number.h"
#include "io/mesh_file.h"
#include "io/yaml.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MAX_BUFFERS = 64, MAX_DEPTH = 64, MAX_BYTES = 256 << 20, FLOAT = 5126, TRIANGLES = 4 };

/* The lists of the file whose items are asked for by number. */
static const char *const list_names[] = {"nodes", "meshes", "accessors", "bufferViews", "scenes"};

enum { N_LISTS = sizeof list_names / sizeof *list_names };

typedef struct list {
    int n;
    hol__node **items;
} list;

typedef struct gltf {
    hol__mesh *mesh;
    hol__node *root;
    hol__read_whole *read;
    list lists[N_LISTS];
    int visits; /* of nodes: a tree has as many as nodes */
    int n_buffers;
    size_t bytes; /* of all buffers */
    hol__text buffers[MAX_BUFFERS];
} gltf;

/* A number of a map, or the other one. */
static double number_of(const hol__node *map, const char *key, double otherwise) {
    const hol__node *node = hol__node_get(map, key);
    const char *end;
    if (!node || node->kind != HOL__SCALAR) return otherwise;
    const double value = hol__number_read(node->text, &end);
    return *end || end == node->text ? NAN : value;
}

/* The items of all lists; 0 without memory. */
static int index_lists(gltf *f) {
    for (int k = 0; k < N_LISTS; k++) {
        const hol__node *all = hol__node_get(f->root, list_names[k]);
        list *l = &f->lists[k];
        if (!all || all->kind != HOL__LIST) continue;
        l->items = HOL__NEW_N(&f->mesh->spec->arena, hol__node *, all->count);
        if (!l->items) return 0;
        for (hol__node *one = all->first; one; one = one->next) l->items[l->n++] = one;
    }
    return 1;
}

/* Item i of a list of the file; NULL with an error where there is none. */
static hol__node *item(const gltf *f, const char *name, double i) {
    int k = 0;
    while (strcmp(list_names[k], name) != 0) k++;
    hol__node *found =
        i >= 0 && i < f->lists[k].n && i == floor(i) ? f->lists[k].items[(int)i] : NULL;
    if (!found || found->kind != HOL__MAP) {
        hol__mesh_wrong(f->mesh, 0, "there is no item %g in '%s'", i, name);
        return NULL;
    }
    return found;
}

/* ---- buffers ---- */

static int base64_digit(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* The bytes of a base64 text. */
static int decode(const char *text, hol__text *out) {
    unsigned bits = 0;
    int n = 0;
    for (; *text && *text != '='; text++) {
        const int digit = base64_digit(*text);
        if (digit < 0) return 0;
        bits = bits << 6 | (unsigned)digit;
        n += 6;
        if (n < 8) continue;
        n -= 8;
        const char byte = (char)(bits >> n & 0xFF);
        hol__text_add_n(out, &byte, 1);
    }
    return !out->failed;
}

/* The bytes of a buffer: inside the text, in a file beside it, or (without a name) the second part
 * of a .glb file. */
static int read_buffer(gltf *f, const hol__node *buffer, const char *rest, size_t n_rest) {
    hol__text *out = &f->buffers[f->n_buffers++];
    const hol__node *uri = hol__node_get(buffer, "uri");
    const char *comma = uri && uri->text ? strstr(uri->text, ";base64,") : NULL;
    hol__text_init(out, f->mesh->spec->ctx);
    if (!uri && f->n_buffers > 1)
        return hol__mesh_wrong(f->mesh, 0, "a buffer has no 'uri'; only the first may be without");
    if (!uri)
        hol__text_add_n(out, rest ? rest : "", n_rest);
    else if (uri->text && strncmp(uri->text, "data:", 5) == 0) {
        if (!comma || !decode(comma + 8, out))
            return hol__mesh_wrong(f->mesh, 0, "a buffer is not base64");
    } else {
        const char *slash = strrchr(f->mesh->path, '/');
        char *path = hol__arena_format(&f->mesh->spec->arena, "%.*s%s",
                                       slash ? (int)(slash + 1 - f->mesh->path) : 0, f->mesh->path,
                                       uri->text ? uri->text : "");
        if (!path || !f->read(f->mesh->spec, path, &uri->where, out)) return 0;
    }
    f->bytes += out->length;
    if (f->bytes > MAX_BYTES)
        return hol__mesh_wrong(f->mesh, 0, "the buffers hold more than %d MB", MAX_BYTES >> 20);
    const double length = number_of(buffer, "byteLength", -1);
    if (!(length >= 0) || (double)out->length < length)
        return hol__mesh_wrong(f->mesh, 0, "a buffer of %g bytes has only %zu; is it truncated?",
                               length, out->length);
    return !out->failed;
}

/* ---- accessors ---- */

/* Numbers of a buffer: n items, `step` bytes apart. */
typedef struct view {
    const char *bytes;
    int n, type;
    size_t step;
} view;

/* The view of accessor i with so many numbers of the type; 0 after an error. */
static int open_view(const gltf *f, double i, int width, view *out) {
    static const int sizes[] = {1, 1, 2, 2, 4, 4, 4}; /* types 5120 to 5126 */
    const hol__node *accessor = item(f, "accessors", i);
    const hol__node *part =
        accessor ? item(f, "bufferViews", number_of(accessor, "bufferView", -1)) : NULL;
    if (!part) return 0;
    const double type = number_of(accessor, "componentType", 0),
                 n = number_of(accessor, "count", -1);
    const double buffer = number_of(part, "buffer", -1);
    if (!(type >= 5120 && type <= FLOAT) || !(n >= 0 && n <= HOL__MESH_INDICES) ||
        !(buffer >= 0 && buffer < f->n_buffers) || hol__node_get(accessor, "sparse"))
        return hol__mesh_wrong(f->mesh, 0, "accessor %g is not one that can be read", i);
    const double item_size = (double)sizes[(int)type - 5120] * width;
    const double step = number_of(part, "byteStride", item_size),
                 start = number_of(part, "byteOffset", 0),
                 from = number_of(accessor, "byteOffset", 0),
                 length = number_of(part, "byteLength", -1);
    const hol__text *bytes = &f->buffers[(int)buffer];
    if (!(step >= item_size && start >= 0 && from >= 0 && length >= 0) ||
        start + length > (double)bytes->length ||
        (n > 0 && from + step * (n - 1) + item_size > length))
        return hol__mesh_wrong(f->mesh, 0, "accessor %g reaches beyond its buffer", i);
    *out = (view){bytes->data + (size_t)(start + from), (int)n, (int)type, (size_t)step};
    return 1;
}

/* Index i of a view of bytes, short or long numbers. */
static double index_at(const view *v, int i) {
    const char *p = v->bytes + (size_t)i * v->step;
    if (v->type == 5121) return (unsigned char)p[0];
    if (v->type == 5123) return (unsigned char)p[0] | (unsigned)(unsigned char)p[1] << 8;
    return v->type == 5125 ? (double)hol__mesh_word(p) : -1;
}

/* ---- nodes ---- */

/* The triangles of a primitive, placed by the matrix T (row-major, 3 x 4). */
static int add_primitive(gltf *f, const hol__node *primitive, const double T[12]) {
    view points, order = {NULL, 0, 0, 0};
    const double position = number_of(hol__node_get(primitive, "attributes"), "POSITION", -1);
    const double indices = number_of(primitive, "indices", -1);
    const int base = f->mesh->n_vertices;
    if (number_of(primitive, "mode", TRIANGLES) != TRIANGLES) return 1; /* lines, points, strips */
    if (!open_view(f, position, 3, &points)) return 0;
    if (points.type != FLOAT) return hol__mesh_wrong(f->mesh, 0, "corners are not floats");
    if (indices >= 0 && !open_view(f, indices, 1, &order)) return 0;
    for (int i = 0; i < points.n; i++) {
        const char *p = points.bytes + (size_t)i * points.step;
        double x[3];
        for (int r = 0; r < 3; r++) {
            x[r] = T[4 * r + 3];
            for (int k = 0; k < 3; k++) x[r] += T[4 * r + k] * hol__mesh_float(p + 4 * k);
        }
        if (!hol__mesh_vertex(f->mesh, x, i)) return 0;
    }
    const int n = indices >= 0 ? order.n : points.n;
    for (int i = 0; i + 2 < n; i += 3) {
        for (int k = 0; k < 3; k++) {
            const double at = indices >= 0 ? index_at(&order, i + k) : i + k;
            if (!(at >= 0 && at < points.n))
                return hol__mesh_wrong(f->mesh, 0, "a triangle names corner %g of %d", at,
                                       points.n);
            if (!hol__mesh_index(f->mesh, base + (int)at)) return 0;
        }
        if (!hol__mesh_index(f->mesh, -1)) return 0;
    }
    return 1;
}

/* n numbers of a list of the node, otherwise the given ones. */
static void numbers_of(const hol__node *node, const char *key, int n, double *out) {
    const hol__node *given = hol__node_get(node, key);
    const char *end;
    if (!given || given->kind != HOL__LIST || given->count != n) return;
    for (int i = 0; i < n; i++) {
        const hol__node *one = hol__node_at(given, i);
        if (one->kind == HOL__SCALAR) out[i] = hol__number_read(one->text, &end);
    }
}

/* T = P times the place of the node: a matrix by columns, or translation, quaternion and scale. */
static void place_node(const hol__node *node, const double P[12], double T[12]) {
    double m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, t[3] = {0, 0, 0},
           q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    numbers_of(node, "matrix", 16, m);
    if (!hol__node_get(node, "matrix")) {
        numbers_of(node, "translation", 3, t);
        numbers_of(node, "rotation", 4, q);
        numbers_of(node, "scale", 3, s);
        const double x = q[0], y = q[1], z = q[2], w = q[3];
        const double R[9] = {
            1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
            2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) m[4 * c + r] = R[3 * r + c] * s[c];
            m[12 + r] = t[r];
        }
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            T[4 * r + c] = c == 3 ? P[4 * r + 3] : 0;
            for (int k = 0; k < 3; k++) T[4 * r + c] += P[4 * r + k] * m[4 * c + k];
        }
}

static int add_named(gltf *f, const hol__node *names, const double P[12], int depth);

/* A node and those below it. */
static int add_node(gltf *f, double i, const double P[12], int depth) {
    double T[12];
    const hol__node *node = item(f, "nodes", i);
    if (!node) return 0;
    if (depth > MAX_DEPTH)
        return hol__mesh_wrong(f->mesh, 0, "nodes hang below each other too deep");
    if (++f->visits > f->lists[0].n)
        return hol__mesh_wrong(f->mesh, 0, "a node hangs below several others, or below itself");
    place_node(node, P, T);
    if (hol__node_get(node, "mesh")) {
        const hol__node *mesh = item(f, "meshes", number_of(node, "mesh", -1));
        const hol__node *parts = mesh ? hol__node_get(mesh, "primitives") : NULL;
        if (!parts || parts->kind != HOL__LIST)
            return hol__mesh_wrong(f->mesh, 0, "a mesh has no primitives");
        for (hol__node *one = parts->first; one; one = one->next)
            if (!add_primitive(f, one, T)) return 0;
    }
    return add_named(f, hol__node_get(node, "children"), T, depth + 1);
}

/* The nodes that a list of numbers names, placed by the matrix P. */
static int add_named(gltf *f, const hol__node *names, const double P[12], int depth) {
    for (hol__node *one = names && names->kind == HOL__LIST ? names->first : NULL; one;
         one = one->next) {
        const char *end;
        if (one->kind != HOL__SCALAR)
            return hol__mesh_wrong(f->mesh, 0, "nodes are named by their numbers");
        if (!add_node(f, hol__number_read(one->text, &end), P, depth)) return 0;
    }
    return 1;
}

/* Mark the nodes that hang below others. */
static void mark_children(const gltf *f, char *below) {
    const list *nodes = &f->lists[0];
    for (int i = 0; i < nodes->n; i++) {
        const hol__node *children = hol__node_get(nodes->items[i], "children");
        if (!children || children->kind != HOL__LIST) continue;
        for (const hol__node *one = children->first; one; one = one->next) {
            const char *end;
            const double k = one->kind == HOL__SCALAR ? hol__number_read(one->text, &end) : -1;
            if (k >= 0 && k < nodes->n) below[(int)k] = 1;
        }
    }
}

/* The nodes of the scene; where there is none, all that hang below no other. */
static int add_scene(gltf *f) {
    static const double unit[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const list *nodes = &f->lists[0];
    if (hol__node_get(f->root, "scenes")) {
        const hol__node *scene = item(f, "scenes", number_of(f->root, "scene", 0));
        const hol__node *names = scene ? hol__node_get(scene, "nodes") : NULL;
        if (!names || names->kind != HOL__LIST)
            return hol__mesh_wrong(f->mesh, 0, "there are no nodes");
        return add_named(f, names, unit, 0);
    }
    char *below = HOL__NEW_N(&f->mesh->spec->arena, char, nodes->n + 1);
    if (!below) return 0;
    if (!nodes->n) return hol__mesh_wrong(f->mesh, 0, "there are no nodes");
    mark_children(f, below);
    for (int i = 0; i < nodes->n; i++)
        if (!below[i] && !add_node(f, i, unit, 0)) return 0;
    return 1;
}

int hol__mesh_gltf(hol__mesh *mesh, const char *bytes, size_t n, hol__read_whole *read) {
    static const hol__yaml_kind kind = {"glTF file", "meshes"};
    gltf f = {.mesh = mesh, .read = read};
    const char *json = bytes, *rest = NULL;
    size_t n_json = n, n_rest = 0;
    int nodes = 0;
    if (n >= 4 && memcmp(bytes, "glTF", 4) == 0) {
        /* 12 bytes (magic, version, length), then parts: length, kind, bytes */
        if (n < 20 || hol__mesh_word(bytes + 4) != 2 || hol__mesh_word(bytes + 8) > n ||
            hol__mesh_word(bytes + 12) > n - 20)
            return hol__mesh_wrong(mesh, 0,
                                   "this is not a whole .glb file of version 2 (%zu bytes)", n);
        n_json = hol__mesh_word(bytes + 12);
        json = bytes + 20;
        const size_t at = 20 + n_json;
        if (n >= at + 8) {
            n_rest = hol__mesh_word(bytes + at);
            rest = bytes + at + 8;
            if (n_rest > n - at - 8)
                return hol__mesh_wrong(mesh, 0, "the data of the file end early; is it truncated?");
        }
    }
    if (!hol__yaml_check(mesh->spec, json, n_json, mesh->path)) return 0;
    f.root = hol__yaml_parse(mesh->spec, json, n_json, mesh->path, &kind, &nodes);
    if (!f.root) return 0;
    const hol__node *buffers = hol__node_get(f.root, "buffers");
    int good = buffers && buffers->kind == HOL__LIST && buffers->count <= MAX_BUFFERS;
    if (!good) hol__mesh_wrong(mesh, 0, "there are no buffers, or more than %d", MAX_BUFFERS);
    for (hol__node *one = good ? buffers->first : NULL; good && one; one = one->next)
        good = read_buffer(&f, one, rest, n_rest);
    good = good && index_lists(&f) && add_scene(&f);
    for (int i = 0; i < f.n_buffers; i++) hol__text_free(&f.buffers[i]);
    return good;
}
