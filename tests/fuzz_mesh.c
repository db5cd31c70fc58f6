/* fuzz_mesh.c: any bytes as a mesh: the first byte chooses STL, OBJ or glTF. Every face of what is
 * read names corners that are there, with finite coordinates. Run it with -detect_leaks=0: libfyaml
 * 0.7.12, which reads the JSON of glTF, leaks on some syntax errors. */
#include "fuzz_tape.h"
#include "io/mesh_file.h"

#include <math.h>
#include <stdlib.h>

/* No other file is there. */
static int give_none(hol_spec *spec, const char *path, const hol_location *asked, hol__text *text) {
    (void)path, (void)text;
    hol__error(spec->ctx, asked, NULL, "no such file");
    return 0;
}

void fuzz_one(const uint8_t *data, size_t size) {
    tape t = {data, size};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol__mesh mesh = {.spec = spec, .path = "fuzz.mesh"};
    const int kind = tape_below(&t, 3);
    hol__text bytes; /* with a 0 behind it, as files have */
    hol__text_init(&bytes, ctx);
    hol__text_add_n(&bytes, (const char *)t.at, t.left);
    const int good = kind == 0   ? hol__mesh_stl(&mesh, bytes.data, bytes.length)
                     : kind == 1 ? hol__mesh_obj(&mesh, bytes.data, bytes.length)
                                 : hol__mesh_gltf(&mesh, bytes.data, bytes.length, give_none);
    if (!good && hol_message_count_of(ctx, HOL_ERROR) == 0) abort();
    for (int i = 0; good && i < 3 * mesh.n_vertices; i++)
        if (!isfinite(mesh.vertices[i])) abort();
    for (int i = 0; good && i < mesh.n_indices; i++)
        if (mesh.indices[i] < -1 || mesh.indices[i] >= mesh.n_vertices) abort();
    hol__text_free(&bytes);
    hol__release(ctx, mesh.vertices);
    hol__release(ctx, mesh.indices);
    hol_spec_free(spec);
    hol_context_free(ctx);
}
