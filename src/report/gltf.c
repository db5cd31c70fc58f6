/* gltf.c: a glTF 2.0 document: nodes, meshes, materials and one animation over a buffer.
 *
 * Every accessor has a view of its own, at a multiple of 4 bytes; numbers are 4-byte floats, low
 * byte first. The first node holds all others and turns what is up in the model to +y, which is up
 * in glTF. */
#include "report/gltf.h"

#include "common/json.h"
#include "base/bytes.h"

#include <holonom/version.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE_STRIP = 3, MAX_NOTES = 8 };
enum { FLOAT = 5126, SHORT = 5123, INT = 5125, ATTRIBUTES = 34962, INDICES = 34963 };
enum { PLACE, TURN, SCALE, WAYS };

static const char *const paths[WAYS] = {"translation", "rotation", "scale"};
static const int widths[WAYS] = {3, 4, 3};

/* Numbers in the buffer. */
typedef struct accessor {
    size_t offset, bytes;
    int type, target, width, count;
    int bounded; /* low and high are given */
    double low[3], high[3];
} accessor;

typedef struct primitive {
    int node, position, material;
    int normal, indices; /* -1: a line */
} primitive;

typedef struct node {
    const char *name;
    int parent, mesh;
    double value[WAYS][4]; /* at the first key frame; a quaternion with its scalar last */
    int sampled[WAYS];     /* the accessor of what changes, -1: none */
} node;

typedef struct material {
    unsigned color;
    double metal;
} material;

struct hol__gltf {
    hol__arena *arena;
    hol__text bytes;
    int n_times, time; /* the accessor of the times, -1 until something moves */
    const double *times;
    int n_accessors, accessor_capacity, n_primitives, primitive_capacity, n_nodes, node_capacity,
        n_materials, material_capacity, n_meshes;
    accessor *accessors;
    primitive *primitives;
    node *nodes;
    material *materials;
    int n_notes;
    struct {
        const char *key;
        double value;
    } notes[MAX_NOTES];
};

hol__gltf *hol__gltf_new(hol__arena *arena, int n_times, const double *times) {
    hol__gltf *g = HOL__NEW(arena, hol__gltf);
    if (!g) return NULL;
    *g = (hol__gltf){.arena = arena, .n_times = n_times, .time = -1, .times = times};
    hol__text_init(&g->bytes, arena->ctx);
    return g;
}

void hol__gltf_free(hol__gltf *g) {
    if (g) hol__text_free(&g->bytes);
}

/* ---- numbers ---- */

/* A new accessor at the end of the buffer; NULL without memory. */
static accessor *add_accessor(hol__gltf *g, int type, int target, int width, int count) {
    accessor *grown = hol__arena_grow(g->arena, g->accessors, sizeof *grown, g->n_accessors,
                                      &g->accessor_capacity, g->n_accessors + 1);
    if (!grown) return NULL;
    while (g->bytes.length % 4 && !g->bytes.failed) hol__text_add_n(&g->bytes, "", 1);
    g->accessors = grown;
    accessor *a = &grown[g->n_accessors++];
    *a = (accessor){g->bytes.length, 0, type, target, width, count, 0, {0}, {0}};
    return a;
}

/* n rows of numbers as floats; bounded: with their least and greatest values, as they are in the
 * buffer. Returns the accessor, -1 without memory. */
static int put_floats(hol__gltf *g, int target, int width, int n, const double *values,
                      int bounded) {
    accessor *a = add_accessor(g, FLOAT, target, width, n);
    if (!a) return -1;
    for (int k = 0; k < 3; k++) a->low[k] = INFINITY, a->high[k] = -INFINITY;
    for (int i = 0; i < n * width; i++) {
        const double x = (float)values[i];
        hol__put_float(&g->bytes, x);
        if (!bounded) continue;
        a->low[i % width] = fmin(a->low[i % width], x);
        a->high[i % width] = fmax(a->high[i % width], x);
    }
    a->bounded = bounded;
    a->bytes = g->bytes.length - a->offset;
    return (int)(a - g->accessors);
}

/* The vertices of triangles, in two bytes each where that is enough. */
static int put_indices(hol__gltf *g, const hol__surface *s) {
    const int wide = s->n_vertices > 65535;
    accessor *a = add_accessor(g, wide ? INT : SHORT, INDICES, 1, s->n_indices);
    if (!a) return -1;
    for (int i = 0; i < s->n_indices; i++) hol__put_bits(&g->bytes, s->indices[i], wide ? 4 : 2);
    a->bytes = g->bytes.length - a->offset;
    return (int)(a - g->accessors);
}

/* ---- nodes ---- */

int hol__gltf_node(hol__gltf *g, const char *name, int parent) {
    node *grown = hol__arena_grow(g->arena, g->nodes, sizeof *grown, g->n_nodes, &g->node_capacity,
                                  g->n_nodes + 1);
    if (!grown) return -1;
    g->nodes = grown;
    grown[g->n_nodes] = (node){.name = name,
                               .parent = parent,
                               .mesh = -1,
                               .value = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
                               .sampled = {-1, -1, -1}};
    return g->n_nodes++;
}

/* The material of a colour; -1 without memory. */
static int find_material(hol__gltf *g, unsigned color, double metal) {
    for (int i = 0; i < g->n_materials; i++)
        if (g->materials[i].color == color && g->materials[i].metal == metal) return i;
    material *grown = hol__arena_grow(g->arena, g->materials, sizeof *grown, g->n_materials,
                                      &g->material_capacity, g->n_materials + 1);
    if (!grown) return -1;
    g->materials = grown;
    grown[g->n_materials] = (material){color, metal};
    return g->n_materials++;
}

/* A part of a node through n points; NULL without memory. */
static primitive *add_primitive(hol__gltf *g, int at, int n, const double *points, unsigned color,
                                double metal) {
    primitive *grown = hol__arena_grow(g->arena, g->primitives, sizeof *grown, g->n_primitives,
                                       &g->primitive_capacity, g->n_primitives + 1);
    const int paint = find_material(g, color, metal);
    if (!grown || paint < 0) return NULL;
    g->primitives = grown;
    if (g->nodes[at].mesh < 0) g->nodes[at].mesh = g->n_meshes++;
    primitive *p = &grown[g->n_primitives++];
    *p = (primitive){at, put_floats(g, ATTRIBUTES, 3, n, points, 1), paint, -1, -1};
    return p;
}

void hol__gltf_paint(hol__gltf *g, int at, const hol__surface *s, unsigned color, double metal) {
    if (at < 0 || !s->n_indices) return;
    primitive *p = add_primitive(g, at, s->n_vertices, s->positions, color, metal);
    if (!p) return;
    p->normal = put_floats(g, ATTRIBUTES, 3, s->n_vertices, s->normals, 0);
    p->indices = put_indices(g, s);
}

void hol__gltf_line(hol__gltf *g, int at, int n, const double *points, unsigned color) {
    if (at >= 0 && n > 1) add_primitive(g, at, n, points, color, 0);
}

void hol__gltf_note(hol__gltf *g, const char *key, double value) {
    if (g->n_notes == MAX_NOTES) return;
    g->notes[g->n_notes].key = key;
    g->notes[g->n_notes++].value = value;
}

/* ---- motion ---- */

/* Whether all rows agree. */
static int is_constant(int n, int width, const double *values) {
    for (int i = width; i < n * width; i++)
        if ((float)values[i] != (float)values[i - width]) return 0;
    return 1;
}

/* Quaternions with their scalar last, of length 1, each the nearer one of q and -q. */
static double *turned(hol__gltf *g, int n, const double *turns) {
    double *out = HOL__NEW_N(g->arena, double, 4 * (size_t)n + 1);
    for (int i = 0; out && i < n; i++) {
        const double *q = turns + 4 * (size_t)i;
        double *p = out + 4 * (size_t)i;
        double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), same = 0;
        if (!(size > 0) || !isfinite(size)) size = 0;
        for (int k = 0; k < 4; k++) p[k] = size > 0 ? q[(k + 1) % 4] / size : k == 3;
        for (int k = 0; i && k < 4; k++) same += p[k] * p[k - 4];
        for (int k = 0; same < 0 && k < 4; k++) p[k] = -p[k];
    }
    return out;
}

/* One way in which a node moves. */
static void move_one(hol__gltf *g, int at, int way, const double *values) {
    const int width = widths[way], n = g->n_times;
    if (way == TURN && values) values = turned(g, n ? n : 1, values);
    if (!values) return;
    memcpy(g->nodes[at].value[way], values, (size_t)width * sizeof *values);
    if (n < 2 || is_constant(n, width, values)) return;
    if (g->time < 0) g->time = put_floats(g, 0, 1, n, g->times, 1);
    g->nodes[at].sampled[way] = put_floats(g, 0, width, n, values, 0);
}

void hol__gltf_move(hol__gltf *g, int at, const double *places, const double *turns,
                    const double *scales) {
    if (at < 0) return;
    move_one(g, at, PLACE, places);
    move_one(g, at, TURN, turns);
    move_one(g, at, SCALE, scales);
}

/* ---- JSON ---- */

/* A value of a node or a material: as many digits as 4-byte numbers have. */
static void put_values(hol__json *j, const char *key, int n, const double *values) {
    hol__json_numbers(j, key, n, values, 9);
}

/* A quaternion that takes up to +y, its scalar last. */
static void to_y(const double up[3], double q[4]) {
    const double size = sqrt(up[0] * up[0] + up[1] * up[1] + up[2] * up[2]);
    const double y = size > 0 ? up[1] / size : 1;
    if (y < -1 + 1e-9) {
        q[0] = 1, q[1] = q[2] = q[3] = 0;
        return;
    }
    /* (up x y, 1 + up . y), of length 1 */
    const double x = size > 0 ? up[0] / size : 0, z = size > 0 ? up[2] / size : 0;
    const double length = sqrt(z * z + x * x + (1 + y) * (1 + y));
    q[0] = -z / length, q[1] = 0, q[2] = x / length, q[3] = (1 + y) / length;
}

/* The node that turns the model upright: all nodes without a parent are below it. */
static void put_root(const hol__gltf *g, hol__json *j, const char *title, const double up[3],
                     double start) {
    double q[4];
    to_y(up, q);
    hol__json_open(j, NULL, '{');
    hol__json_text(j, "name", title);
    if (q[3] != 1) put_values(j, "rotation", 4, q);
    hol__json_open(j, "children", '[');
    for (int i = 0; i < g->n_nodes; i++)
        if (g->nodes[i].parent < 0) hol__json_integer(j, NULL, i + 1);
    hol__json_close(j, ']');
    hol__json_open(j, "extras", '{');
    hol__json_text(j, "length", "m");
    hol__json_text(j, "time", "s");
    hol__json_number(j, "start", start, 0);
    hol__json_numbers(j, "up", 3, up, 9);
    for (int i = 0; i < g->n_notes; i++) hol__json_number(j, g->notes[i].key, g->notes[i].value, 9);
    hol__json_close(j, '}');
    hol__json_close(j, '}');
}

static void put_node(const hol__gltf *g, hol__json *j, int i) {
    static const double none[WAYS][4] = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const node *n = &g->nodes[i];
    int children = 0;
    hol__json_open(j, NULL, '{');
    hol__json_text(j, "name", n->name);
    if (n->mesh >= 0) hol__json_integer(j, "mesh", n->mesh);
    for (int way = 0; way < WAYS; way++)
        if (memcmp(n->value[way], none[way], (size_t)widths[way] * sizeof(double)) != 0)
            put_values(j, paths[way], widths[way], n->value[way]);
    for (int k = 0; k < g->n_nodes; k++) {
        if (g->nodes[k].parent != i) continue;
        if (!children++) hol__json_open(j, "children", '[');
        hol__json_integer(j, NULL, k + 1);
    }
    if (children) hol__json_close(j, ']');
    hol__json_close(j, '}');
}

static void put_mesh(const hol__gltf *g, hol__json *j, int at) {
    hol__json_open(j, NULL, '{');
    hol__json_text(j, "name", g->nodes[at].name);
    hol__json_open(j, "primitives", '[');
    for (int i = 0; i < g->n_primitives; i++) {
        const primitive *p = &g->primitives[i];
        if (p->node != at) continue;
        hol__json_open(j, NULL, '{');
        hol__json_open(j, "attributes", '{');
        hol__json_integer(j, "POSITION", p->position);
        if (p->normal >= 0) hol__json_integer(j, "NORMAL", p->normal);
        hol__json_close(j, '}');
        if (p->indices >= 0)
            hol__json_integer(j, "indices", p->indices);
        else
            hol__json_integer(j, "mode", LINE_STRIP);
        hol__json_integer(j, "material", p->material);
        hol__json_close(j, '}');
    }
    hol__json_close(j, ']');
    hol__json_close(j, '}');
}

/* The meshes in the order of their numbers. */
static void put_meshes(const hol__gltf *g, hol__json *j) {
    if (!g->n_meshes) return;
    hol__json_open(j, "meshes", '[');
    for (int m = 0; m < g->n_meshes; m++)
        for (int i = 0; i < g->n_nodes; i++)
            if (g->nodes[i].mesh == m) put_mesh(g, j, i);
    hol__json_close(j, ']');
}

/* Colours on the screen are sRGB, those of materials linear. */
static double linear(unsigned level) {
    const double c = level / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void put_materials(const hol__gltf *g, hol__json *j) {
    if (!g->n_materials) return;
    hol__json_open(j, "materials", '[');
    for (int i = 0; i < g->n_materials; i++) {
        const unsigned c = g->materials[i].color;
        const double color[4] = {linear(c >> 16 & 0xFF), linear(c >> 8 & 0xFF), linear(c & 0xFF),
                                 1};
        hol__json_open(j, NULL, '{');
        hol__json_open(j, "pbrMetallicRoughness", '{');
        put_values(j, "baseColorFactor", 4, color);
        hol__json_number(j, "metallicFactor", g->materials[i].metal, 9);
        hol__json_number(j, "roughnessFactor", 0.55, 9);
        hol__json_close(j, '}');
        hol__json_bool(j, "doubleSided", 1);
        hol__json_close(j, '}');
    }
    hol__json_close(j, ']');
}

/* One animation: a sampler and a channel for everything that changes. */
static void put_animation(const hol__gltf *g, hol__json *j) {
    if (g->time < 0) return;
    hol__json_open(j, "animations", '[');
    hol__json_open(j, NULL, '{');
    hol__json_text(j, "name", "motion");
    hol__json_open(j, "samplers", '[');
    for (int i = 0; i < g->n_nodes * WAYS; i++) {
        const int output = g->nodes[i / WAYS].sampled[i % WAYS];
        if (output < 0) continue;
        hol__json_open(j, NULL, '{');
        hol__json_integer(j, "input", g->time);
        hol__json_integer(j, "output", output);
        hol__json_close(j, '}');
    }
    hol__json_close(j, ']');
    hol__json_open(j, "channels", '[');
    for (int i = 0, sampler = 0; i < g->n_nodes * WAYS; i++) {
        if (g->nodes[i / WAYS].sampled[i % WAYS] < 0) continue;
        hol__json_open(j, NULL, '{');
        hol__json_integer(j, "sampler", sampler++);
        hol__json_open(j, "target", '{');
        hol__json_integer(j, "node", i / WAYS + 1);
        hol__json_text(j, "path", paths[i % WAYS]);
        hol__json_close(j, '}');
        hol__json_close(j, '}');
    }
    hol__json_close(j, ']');
    hol__json_close(j, '}');
    hol__json_close(j, ']');
}

static void put_accessors(const hol__gltf *g, hol__json *j) {
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    if (!g->n_accessors) return;
    hol__json_open(j, "accessors", '[');
    for (int i = 0; i < g->n_accessors; i++) {
        const accessor *a = &g->accessors[i];
        hol__json_open(j, NULL, '{');
        hol__json_integer(j, "bufferView", i);
        hol__json_integer(j, "componentType", a->type);
        hol__json_integer(j, "count", a->count);
        hol__json_text(j, "type", types[a->width]);
        if (a->bounded) hol__json_numbers(j, "min", a->width, a->low, 0);
        if (a->bounded) hol__json_numbers(j, "max", a->width, a->high, 0);
        hol__json_close(j, '}');
    }
    hol__json_close(j, ']');
    hol__json_open(j, "bufferViews", '[');
    for (int i = 0; i < g->n_accessors; i++) {
        const accessor *a = &g->accessors[i];
        hol__json_open(j, NULL, '{');
        hol__json_integer(j, "buffer", 0);
        hol__json_integer(j, "byteOffset", (long long)a->offset);
        hol__json_integer(j, "byteLength", (long long)a->bytes);
        if (a->target) hol__json_integer(j, "target", a->target);
        hol__json_close(j, '}');
    }
    hol__json_close(j, ']');
}

/* The buffer; its bytes stand in the JSON where `coded` has them. */
static void put_buffer(const hol__gltf *g, hol__json *j, const char *coded) {
    if (!g->n_accessors) return;
    hol__json_open(j, "buffers", '[');
    hol__json_open(j, NULL, '{');
    hol__json_integer(j, "byteLength", (long long)g->bytes.length);
    if (coded) hol__json_text(j, "uri", coded);
    hol__json_close(j, '}');
    hol__json_close(j, ']');
}

static void put_document(const hol__gltf *g, hol__json *j, const char *title, const double up[3],
                         double start, const char *coded) {
    char generator[64];
    snprintf(generator, sizeof generator, "Holonom %s", hol_version());
    hol__json_open(j, NULL, '{');
    hol__json_open(j, "asset", '{');
    hol__json_text(j, "version", "2.0");
    hol__json_text(j, "generator", generator);
    hol__json_close(j, '}');
    hol__json_integer(j, "scene", 0);
    hol__json_open(j, "scenes", '[');
    hol__json_open(j, NULL, '{');
    hol__json_raw(j, "nodes", "[0]");
    hol__json_close(j, '}');
    hol__json_close(j, ']');
    hol__json_open(j, "nodes", '[');
    put_root(g, j, title, up, start);
    for (int i = 0; i < g->n_nodes; i++) put_node(g, j, i);
    hol__json_close(j, ']');
    put_meshes(g, j);
    put_materials(g, j);
    put_animation(g, j);
    put_accessors(g, j);
    put_buffer(g, j, coded);
    hol__json_close(j, '}');
}

/* ---- files ---- */

/* Header and chunks of a .glb: JSON filled up with blanks, bytes with zeros. */
static void put_binary(hol__text *out, const hol__text *json, const hol__text *bytes) {
    const size_t n = (json->length + 3) / 4 * 4, m = (bytes->length + 3) / 4 * 4;
    if (!json->data) return; /* no memory */
    hol__text_add_n(out, "glTF", 4);
    hol__put_bits(out, 2, 4);
    hol__put_bits(out, 12 + 8 + n + (m ? 8 + m : 0), 4);
    hol__put_bits(out, n, 4);
    hol__text_add_n(out, "JSON", 4);
    hol__text_add_n(out, json->data, json->length);
    hol__text_add_n(out, "   ", n - json->length);
    if (!m) return;
    hol__put_bits(out, m, 4);
    hol__text_add_n(out, "BIN\0", 4);
    hol__text_add_n(out, bytes->data, bytes->length);
    hol__text_add_n(out, "\0\0\0", m - bytes->length);
}

int hol__gltf_finish(hol__gltf *g, const char *title, const double up[3], double start, int binary,
                     hol__text *out) {
    hol__text coded, json;
    hol__text_init(&coded, g->arena->ctx);
    hol__text_init(&json, g->arena->ctx);
    if (!binary) {
        hol__text_add(&coded, "data:application/octet-stream;base64,");
        hol__base64(&coded, g->bytes.data, g->bytes.length);
    }
    hol__json j = {.put = hol__text_sink, .to = &json, .flags = HOL__JSON_COMPACT};
    put_document(g, &j, title, up, start, binary ? NULL : coded.data);
    if (binary)
        put_binary(out, &json, &g->bytes);
    else if (json.data)
        hol__text_add_n(out, json.data, json.length);
    const int good = !g->arena->failed && !g->bytes.failed && !coded.failed && !json.failed;
    hol__text_free(&coded);
    hol__text_free(&json);
    return good && !out->failed;
}
