/* files.c: the files that a robot description names: includes and meshes.
 *
 * Invariant: every file lies below one folder, symbolic links resolved (hol__input_open); where
 * that is not so, or there is none, a mesh is left out with a note and an include is an error.
 *
 *   package://name/path, model://name/path   `name` is a folder on the way up from the file that
 *                                            names it, or below the folder of packages
 *   file:///path, /path                      as it stands
 *   path                                     beside the file that names it
 */
#define _XOPEN_SOURCE 700
#include "exchange/import.h"

#include "io/input.h"
#include "io/mesh_file.h"
#include "model/node.h"

#include <stdlib.h>
#include <string.h>

/* A file below the folder as text; 0 after an error. */
static int read_whole(hol_import *im, const char *path, const hol_location *asked,
                      hol__text *text) {
    const hol__input input = {.path = path,
                              .asked = asked,
                              .below = im->below,
                              .most = HOL__XML_SIZE,
                              .what = "robot description"};
    return hol__input_read(im->ctx, &input, text) == HOL_OK;
}

hol__xml *hol__import_file(hol_import *im, const char *path, const hol_location *asked) {
    hol__text text;
    hol__text_init(&text, im->ctx);
    hol__xml *root = NULL;
    const char *kept = hol__arena_text(&im->arena, path);
    if (kept && read_whole(im, path, asked, &text))
        root = hol__xml_parse(im->ctx, &im->arena, text.data ? text.data : "", text.length, kept,
                              &im->n_elements);
    hol__text_free(&text);
    return root;
}

const char *hol__import_beside(hol_import *im, const char *file, const char *name) {
    const char *slash = strrchr(file, '/');
    if (name[0] == '/' || !slash) return hol__arena_text(&im->arena, name);
    return hol__arena_format(&im->arena, "%.*s%s", (int)(slash + 1 - file), file, name);
}

/* ---- finding ---- */

/* The resolved path of a file that is there and below the folder; NULL otherwise. */
static const char *resolved_below(hol_import *im, const char *path) {
    const size_t n = strlen(im->below);
    char *real = path ? realpath(path, NULL) : NULL;
    const int good = real && n && (n == 1 || (strncmp(real, im->below, n) == 0 && real[n] == '/'));
    const char *kept = good ? hol__arena_text(&im->arena, real) : NULL;
    free(real);
    return kept;
}

/* The file at `rest` below a folder called as the first word of it (n bytes), on the way up from
 * the file, or below a folder of packages, or that word left out. */
static const char *find_packaged(hol_import *im, const char *file, const char *rest) {
    const size_t n = strcspn(rest, "/");
    const char *inside = rest[n] ? rest + n + 1 : "";
    char *here = realpath(file, NULL);
    const char *found = NULL;
    for (char *slash; here && !found && (slash = strrchr(here, '/')) && slash > here;) {
        *slash = '\0';
        const char *name = strrchr(here, '/') ? strrchr(here, '/') + 1 : here;
        if (strlen(name) == n && strncmp(name, rest, n) == 0)
            found = resolved_below(im, hol__arena_format(&im->arena, "%s/%s", here, inside));
    }
    free(here);
    const char *packages = im->how.packages ? im->how.packages : im->below;
    if (!found) found = resolved_below(im, hol__arena_format(&im->arena, "%s/%s", packages, rest));
    if (!found)
        found = resolved_below(im, hol__arena_format(&im->arena, "%s/%s", packages, inside));
    return found;
}

const char *hol__import_near(hol_import *im, const char *path) {
    const char *slash = strrchr(im->path, '/');
    const int n = slash ? (int)(slash + 1 - im->path) : 0;
    char *folder = realpath(n ? hol__arena_text_n(&im->arena, im->path, (size_t)n) : ".", NULL);
    const size_t length = folder ? strlen(folder) : 0;
    const int below = length && strncmp(path, folder, length) == 0 && path[length] == '/';
    free(folder);
    return below ? hol__arena_format(&im->arena, "%.*s%s", n, im->path, path + length + 1) : path;
}

/* What follows the prefix, or NULL. */
static const char *behind(const char *uri, const char *prefix) {
    const size_t n = strlen(prefix);
    return strncmp(uri, prefix, n) == 0 ? uri + n : NULL;
}

const char *hol__import_find(hol_import *im, const hol__xml *element, const char *uri,
                             const char **why) {
    const char *packaged = behind(uri, "package://"), *plain = behind(uri, "file://");
    if (!packaged) packaged = behind(uri, "model://");
    *why = "there is no such file below the folder of the description (--include-root, --packages)";
    if (packaged) return find_packaged(im, element->where.file, packaged);
    if (!plain) plain = uri;
    if (strstr(plain, "://") || behind(plain, "$(")) {
        *why = behind(plain, "$(") ? "it is to be filled in by xacro first"
                                   : "files of other machines are not read";
        return NULL;
    }
    return resolved_below(im, hol__import_beside(im, element->where.file, plain));
}

/* ---- meshes ---- */

/* hol__read_whole for a scratch description, whose folder is that of the import. */
static int read_for_mesh(hol_spec *spec, const char *path, const hol_location *asked,
                         hol__text *text) {
    const hol__input input = {.path = path,
                              .asked = asked,
                              .below = spec->files_below,
                              .most = HOL__XML_SIZE,
                              .what = "mesh"};
    return hol__input_read(spec->ctx, &input, text) == HOL_OK;
}

/* Whether a mesh can be read here; otherwise the reason, in the arena. */
static const char *mesh_fault(hol_import *im, const char *path) {
    hol_context *ctx = hol__context_like(im->ctx);
    hol_spec *spec = ctx ? hol_spec_new(ctx) : NULL;
    hol_item *shape = spec ? hol_spec_section(spec, "shape") : NULL;
    const char *fault = NULL;
    if (shape) spec->files_below = im->below;
    if (!shape || hol_item_text(shape, "file", path) ||
        !hol__mesh_file(spec, shape, path, read_for_mesh)) {
        const hol_message *message = ctx ? hol_message_get(ctx, 0) : NULL;
        fault = hol__arena_text(&im->arena, message ? message->text : "it cannot be read");
    }
    hol_spec_free(spec);
    hol_context_free(ctx);
    return fault;
}

/* The same, found once for each file. */
static const char *known_fault(hol_import *im, const char *path) {
    const uintptr_t *found = hol__name_tree_find(&im->mesh_faults, path);
    const char *fault = found ? (const char *)*found : mesh_fault(im, path);
    if (!found)
        hol__name_tree_add(&im->mesh_faults, &im->arena, path, (uintptr_t)(fault ? fault : ""));
    return fault && *fault ? fault : NULL;
}

/* A resolved path as seen from the folder of the output, where it lies below that; else NULL. */
static const char *seen_from_output(const hol_import *im, const char *path) {
    const size_t n = strlen(im->from);
    return n && strncmp(path, im->from, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

const char *hol__import_mesh(hol_import *im, const hol__xml *element, const char *attribute,
                             const char *uri) {
    static const char *const readable[] = {".stl", ".STL", ".obj", ".OBJ", ".glb", ".gltf"};
    const char *dot = strrchr(uri, '.'), *why = NULL;
    int known = 0;
    for (size_t i = 0; dot && i < sizeof readable / sizeof *readable; i++)
        known |= strcmp(dot, readable[i]) == 0;
    const char *path = hol__import_find(im, element, uri, &why);
    if (!path)
        hol__note(im, HOL_IMPORT_NO_EFFECT, element, attribute, "'%s' is not drawn: %s", uri, why);
    else if (!known)
        hol__note(im, HOL_IMPORT_NO_EFFECT, element, attribute,
                  "'%s' is not drawn: convert it to .stl, .obj or .glb", uri);
    else if ((why = known_fault(im, path)))
        hol__note(im, HOL_IMPORT_NO_EFFECT, element, attribute, "'%s' is not drawn: %s", uri, why);
    else if (!seen_from_output(im, path))
        hol__note(im, HOL_IMPORT_NO_EFFECT, element, attribute,
                  "'%s' is not drawn: a model file names files in its folder or below; write it to "
                  "a folder above this mesh",
                  uri);
    else
        return seen_from_output(im, path);
    return NULL;
}
