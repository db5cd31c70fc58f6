/* test_mesh_files.c: bodies drawn by mesh files: STL (binary and text), OBJ, glTF (.glb, .gltf) of
 * one tetrahedron; files that are cut off, not numbers, or something else are refused by name. */
#define _POSIX_C_SOURCE 200809L
#include "report_fixture.h"

#include <unistd.h>

static const double corners[4][3] = {
    {0, 0, 0}, {238.5, 0, 12.25}, {0, 71.125, -3.5}, {17.75, 9.5, 104.625}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

/* Bytes that are put together. */
typedef struct bytes {
    unsigned char data[4096];
    size_t n;
} bytes;

static void put(bytes *b, const void *data, size_t n) {
    assert_true(b->n + n <= sizeof b->data);
    memcpy(b->data + b->n, data, n);
    b->n += n;
}

static void put_word(bytes *b, unsigned long word) {
    for (int i = 0; i < 4; i++) b->data[b->n++] = (unsigned char)(word >> (8 * i));
}

static void put_float(bytes *b, double value) {
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put_word(b, bits);
}

static void write_file(const char *path, const bytes *b, size_t n) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(b->data, 1, n, file), n);
    fclose(file);
}

/* ---- the tetrahedron in every format ---- */

static void make_stl(bytes *b) {
    static const char head[80] = "solid by its first word, but binary";
    put(b, head, sizeof head);
    put_word(b, 4);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) put_float(b, 0);
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) put_float(b, corners[faces[i][k]][c]);
        put(b, "\0", 2);
    }
}

static void make_stl_text(bytes *b) {
    char line[200];
    put(b, "solid tetrahedron\n", 18);
    for (int i = 0; i < 4; i++) {
        put(b, "facet normal 0 0 1\n outer loop\n", 31);
        for (int k = 0; k < 3; k++) {
            const double *p = corners[faces[i][k]];
            put(b, line,
                (size_t)snprintf(line, sizeof line, "  vertex %.9g %.9e %.9g\n", p[0], p[1], p[2]));
        }
        put(b, " endloop\nendfacet\n", 18);
    }
    put(b, "endsolid tetrahedron\n", 21);
}

static void make_obj(bytes *b) {
    char line[200];
    put(b, "# a comment\no tetrahedron\nvn 0 0 1\n", 35);
    for (int i = 0; i < 4; i++)
        put(b, line,
            (size_t)snprintf(line, sizeof line, "v %.9g %.9g %.9g\r\n", corners[i][0],
                             corners[i][1], corners[i][2]));
    /* from 1, with texture and normal, or backwards from the last one */
    for (int i = 0; i < 4; i++)
        put(b, line,
            (size_t)snprintf(line, sizeof line, i % 2 ? "f %d %d %d\n" : "f %d//1 %d/1/1 %d\n",
                             i % 2 ? faces[i][0] - 4 : faces[i][0] + 1, faces[i][1] + 1,
                             faces[i][2] + 1));
}

/* A .glb whose node moves, turns (a quarter about z) and stretches the mesh back to the corners. */
static void make_glb(bytes *b) {
    bytes data = {.n = 0};
    for (int i = 0; i < 4; i++) {
        /* x = t + R s p with t = (1, 2, 3), s = 2 and R: (x, y, z) -> (-y, x, z) */
        put_float(&data, (corners[i][1] - 2) / 2);
        put_float(&data, -(corners[i][0] - 1) / 2);
        put_float(&data, (corners[i][2] - 3) / 2);
    }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            const unsigned char index[2] = {(unsigned char)faces[i][k], 0};
            put(&data, index, 2);
        }
    char json[1200];
    int n = snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[1]}],\"nodes\":[{"
        "\"mesh\":0,"
        "\"rotation\":[0,0,0.70710678118654752,0.70710678118654752],\"scale\":[2,2,2]},"
        "{\"translation\":[1,2,3],\"children\":[0]}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
        "\"POSITION\":0},\"indices\":1}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
        "\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5123,\"count\":12,"
        "\"type\":"
        "\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},{"
        "\"buffer\":0,"
        "\"byteOffset\":48,\"byteLength\":24}],\"buffers\":[{\"byteLength\":72}]}");
    while (n % 4) json[n++] = ' ';
    put(b, "glTF", 4);
    put_word(b, 2);
    put_word(b, 12 + 8 + (unsigned long)n + 8 + data.n);
    put_word(b, (unsigned long)n);
    put(b, "JSON", 4);
    put(b, json, (size_t)n);
    put_word(b, data.n);
    put(b, "BIN\0", 4);
    put(b, data.data, data.n);
}

/* The same triangles with the buffer beside the text, and no scene. */
static void make_gltf(bytes *b) {
    bytes data = {.n = 0};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) put_float(&data, corners[faces[i][k]][c]);
    write_file("part.bin", &data, data.n);
    static const char json[] =
        "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"mesh\": 0}],\n\"meshes\": "
        "[{\"primitives\": "
        "[{\"attributes\": {\"POSITION\": 0}}]}],\n\"accessors\": [{\"bufferView\": 0, "
        "\"componentType\": 5126, \"count\": 12, \"type\": \"VEC3\"}],\n\"bufferViews\": "
        "[{\"buffer\": "
        "0, \"byteLength\": 144}],\n\"buffers\": [{\"byteLength\": 144, \"uri\": \"part.bin\"}]}\n";
    put(b, json, sizeof json - 1);
}

static const struct {
    const char *path;
    void (*make)(bytes *b);
    size_t least; /* a file cut off before this byte is no mesh any more */
} formats[] = {{"part.stl", make_stl, SIZE_MAX},
               {"text.stl", make_stl_text, 0},
               {"part.obj", make_obj, 0},
               {"part.glb", make_glb, SIZE_MAX},
               {"part.gltf", make_gltf, 0}};

/* A model with the mesh; NULL where it is refused. */
static hol_model *load(fixture *f, const char *path) {
    char text[600];
    snprintf(text, sizeof text,
             "holonom: 1\nspace: spatial\nbodies:\n  part:\n    mass: 1\n    inertia: 1\n"
             "    draw: {type: mesh, file: %s, scale: 0.001, color: \"#3366cc\"}\n",
             path);
    hol_spec *spec = hol_spec_new(f->ctx);
    const hol_status status = hol_spec_read_text(spec, text, "scene.yaml");
    hol_model *model = status ? NULL : hol_model_compile(f->ctx, spec, NULL);
    hol_spec_free(spec);
    return model;
}

/* Face i of the shape has the corners of face i, in this order, in metres. */
static void check_shape(const hol_model *model, const char *name) {
    hol_body_info body = {.size = sizeof body};
    assert_int_equal(hol_model_body_describe(model, 0, &body), HOL_OK);
    assert_int_equal(body.n_shapes, 1);
    const hol_shape *s = body.shapes;
    assert_int_equal(s->kind, HOL_SHAPE_MESH);
    assert_int_equal(s->n_indices, 16);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            const int at = s->indices[4 * i + k];
            assert_in_range(at, 0, s->n_vertices - 1);
            for (int c = 0; c < 3; c++) {
                const double x = s->vertices[3 * at + c], y = 1e-3 * corners[faces[i][k]][c];
                /* floats of up to 120 have an error of 4e-6, doubled by the scale of the node */
                if (!(fabs(x - y) <= 2e-8)) fail_msg("%s: %g instead of %g", name, x, y);
            }
        }
        assert_int_equal(s->indices[4 * i + 3], -1);
    }
}

static void test_formats(void **state) {
    fixture *f = *state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        bytes b = {.n = 0};
        formats[i].make(&b);
        write_file(formats[i].path, &b, b.n);
        hol_model *model = load(f, formats[i].path);
        if (!model) run_print_messages(f->ctx);
        assert_non_null(model);
        check_shape(model, formats[i].path);
        hol_model_free(model);
    }
}

/* The text of a model that was read holds the mesh: what a result keeps can be drawn without it. */
static void test_text_holds_the_mesh(void **state) {
    fixture *f = *state;
    if (!run_reads_files()) skip();
    bytes b = {.n = 0};
    make_stl(&b);
    write_file("gone.stl", &b, b.n);
    hol_model *model = load(f, "gone.stl");
    assert_non_null(model);
    assert_int_equal(unlink("gone.stl"), 0);
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(model, &info);
    assert_non_null(info.text);
    hol_spec *spec = hol_spec_new(f->ctx);
    assert_int_equal(hol_spec_read_text(spec, info.text, "again"), HOL_OK);
    hol_model *again = hol_model_compile(f->ctx, spec, NULL);
    assert_non_null(again);
    check_shape(again, "again");
    hol_model_free(again);
    hol_spec_free(spec);
    hol_model_free(model);
}

/* The last error of the context begins with the place and has the words. */
static void assert_refused(fixture *f, const char *path, const char *place, const char *words) {
    char line[1024] = "";
    hol_model *model = load(f, path);
    if (model) fail_msg("%s was taken", path);
    for (int i = 0; i < hol_message_count(f->ctx); i++)
        hol_message_format(hol_message_get(f->ctx, i), line, sizeof line);
    if (!strstr(line, place) || !strstr(line, words)) fail_msg("%s: %s", path, line);
}

static void test_wrong_files_are_named(void **state) {
    fixture *f = *state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        bytes b = {.n = 0};
        formats[i].make(&b);
        const size_t least = formats[i].least < b.n ? formats[i].least : b.n;
        /* cut off anywhere: refused where the format can tell, and never more than was there */
        for (size_t n = 0; n < b.n - 1; n += 1 + b.n / 40) {
            char path[64];
            snprintf(path, sizeof path, "cut_%s", formats[i].path);
            write_file(path, &b, n);
            if (n < least && formats[i].least)
                assert_refused(f, path, path, "");
            else
                hol_model_free(load(f, path));
        }
    }
    bytes b = {.n = 0};
    make_stl(&b);
    memset(b.data + 84 + 50 + 12, 0xFF, 4); /* the first corner of the second triangle */
    write_file("nan.stl", &b, b.n);
    assert_refused(f, "nan.stl", "nan.stl", "not a number");
    b.n = 0;
    make_obj(&b);
    put(&b, "f 1 2 9\n", 8);
    write_file("beyond.obj", &b, b.n);
    assert_refused(f, "beyond.obj", "beyond.obj:12:1", "corner 9");
    b.n = 0;
    make_stl_text(&b);
    memcpy(strstr((char *)b.data, "vertex") + 7, "xy", 2);
    write_file("words.stl", &b, b.n);
    assert_refused(f, "words.stl", "words.stl:4:1", "expected a number");
    assert_refused(f, "nowhere.stl", "scene.yaml:7:30", "No such file");
    write_file("part.step", &b, b.n);
    assert_refused(f, "part.step", "scene.yaml:7:30", ".stl, .obj, .glb or .gltf");
}

/* A glTF file whose text is wrong, by what is said of it. */
static void test_wrong_gltf(void **state) {
    static const struct wrong {
        const char *text, *words;
    } cases[] = {
        {"[1, 2]", "a glTF file is a map with keys such as 'meshes:', but this is a list"},
        {"{\"buffers\": [{\"byteLength\": 0, \"uri\": \"data:;base64,\"}, {\"byteLength\": 4}]}",
         "a buffer has no 'uri'; only the first may be without"},
        {"{\"buffers\": [{\"byteLength\": 12, \"uri\": \"data:;base64,AAAAAAAAAAAAAAAA\"}],"
         "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 12}], \"accessors\": [{\"bufferView\": "
         "0, "
         "\"componentType\": 5125, \"count\": 1, \"type\": \"VEC3\"}], \"meshes\": "
         "[{\"primitives\": "
         "[{\"attributes\": {\"POSITION\": 0}}]}], \"nodes\": [{\"mesh\": 0}]}",
         "corners are not floats"},
    };
    fixture *f = *state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes b = {.n = 0};
        put(&b, cases[i].text, strlen(cases[i].text));
        write_file("wrong.gltf", &b, b.n);
        assert_refused(f, "wrong.gltf", "wrong.gltf", cases[i].words);
    }
}

/* Nodes that hang below each other like a chain. */
static void test_deep_gltf(void **state) {
    static char text[32768];
    fixture *f = *state;
    if (!run_reads_files()) skip();
    size_t n = (size_t)snprintf(text, sizeof text,
                                "{\"buffers\": [{\"byteLength\": 0, \"uri\": "
                                "\"data:;base64,\"}], \"scenes\": [{\"nodes\": [0]}], "
                                "\"nodes\": [");
    for (int i = 0; i < 400; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "{\"children\": [%d]}, ", i + 1);
    snprintf(text + n, sizeof text - n, "{}]}");
    FILE *file = fopen("deep.gltf", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_refused(f, "deep.gltf", "deep.gltf", "nodes hang below each other too deep");
}

/* More corners and more faces than are drawn. */
static void test_large_meshes(void **state) {
    static const struct large {
        const char *path, *first, *line;
        int n;
        const char *words;
    } cases[] = {{"corners.obj", "", "v 0 0 1\n", 500001, "the mesh has more than 500000 corners"},
                 {"faces.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "f 1 2 3\n", 1000001,
                  "the mesh has too many faces; reduce it before it is drawn"}};
    fixture *f = *state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *file = fopen(cases[i].path, "w");
        assert_non_null(file);
        fputs(cases[i].first, file);
        for (int k = 0; k < cases[i].n; k++) fputs(cases[i].line, file);
        assert_int_equal(fclose(file), 0);
        assert_refused(f, cases[i].path, cases[i].path, cases[i].words);
        unlink(cases[i].path);
    }
}

/* Buffers that together hold more than is read: one file of 60 MB of holes, named five times. */
static void test_large_buffers(void **state) {
    fixture *f = *state;
    if (!run_reads_files()) skip();
    FILE *file = fopen("holes.bin", "w");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), 60L << 20), 0);
    assert_int_equal(fclose(file), 0);
    file = fopen("large.gltf", "w");
    assert_non_null(file);
    fputs("{\"buffers\": [", file);
    for (int i = 0; i < 5; i++)
        fprintf(file, "%s{\"byteLength\": 12, \"uri\": \"holes.bin\"}", i ? ", " : "");
    fputs("]}\n", file);
    assert_int_equal(fclose(file), 0);
    assert_refused(f, "large.gltf", "large.gltf", "the buffers hold more than 256 MB");
    unlink("holes.bin");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_wrong_gltf, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deep_gltf, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large_meshes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large_buffers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_formats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_text_holds_the_mesh, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_files_are_named, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
