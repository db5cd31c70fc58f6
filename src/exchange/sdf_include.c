/* sdf_include.c: <include>: the model of another file in a world or a model.
 *
 * A URI leads to a file, or to a folder with a `model.config`, which names the file for each
 * version of the format, or with a `model.sdf`. The root of the file becomes a child of the
 * <include>. Each use reads the file anew: a wheel may be included four times.
 */
#include "exchange/sdf.h"

#include <string.h>

/* Whether a path ends so. */
static int ends_with(const char *path, const char *end) {
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

/* The file that a model.config names: that of the highest version; NULL after an error. */
static const char *configured(hol_import *im, const hol__xml *include, const char *path) {
    const hol__xml *root = hol__import_file(im, hol__import_near(im, path), &include->where);
    const char *name = NULL;
    int best = -1;
    for (const hol__xml *f = hol__xml_child(root, "sdf"); f; f = hol__xml_next(f)) {
        const int version = hol__sdf_version(f);
        if (version > best && *f->text) best = version, name = f->text;
    }
    if (root && !name)
        hol__import_error(im, include, NULL, "'%s' names no file (<sdf version=\"…\">)", path);
    if (!name) return NULL;
    const size_t n = strcspn(name, " \t\r\n");
    return hol__import_beside(im, path, hol__arena_text_n(&im->arena, name, n));
}

/* The file of a URI; NULL: there is none, and *why says so. */
static const char *file_of(hol_import *im, const hol__xml *include, const char *uri,
                           const char **why) {
    if (ends_with(uri, ".sdf") || ends_with(uri, ".world") || ends_with(uri, ".urdf"))
        return hol__import_find(im, include, uri, why);
    const char *config =
        hol__import_find(im, include, hol__arena_format(&im->arena, "%s/model.config", uri), why);
    if (config) return configured(im, include, config);
    return hol__import_find(im, include, hol__arena_format(&im->arena, "%s/model.sdf", uri), why);
}

/* Whether a URI names scenery that comes with the simulator and does not move. */
static int is_scenery(const char *uri) {
    static const char *const names[] = {"sun", "ground_plane", "Sun", "Ground Plane"};
    const char *last = strrchr(uri, '/');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(last ? last + 1 : uri, names[i]) == 0) return 1;
    return 0;
}

/* Whether a file is open already on the way to this element. */
static int in_circle(const hol_import *im, const hol__xml *element, const char *path) {
    if (strcmp(path, im->path) == 0) return 1;
    for (; element; element = element->parent)
        if (element->where.file && strcmp(element->where.file, path) == 0) return 1;
    return 0;
}

/* Read the file of one <include>; 0 after an error. */
static int read_include(hol_import *im, hol__xml *include, int depth) {
    const char *uri = hol__sdf_text(im, include, "uri"), *why = NULL;
    if (!uri || !*uri) {
        hol__import_error(im, include, NULL, "it names no file (<uri>)");
        return 0;
    }
    const char *path = file_of(im, include, uri, &why);
    if (!path && why && is_scenery(uri)) {
        hol__note(im, HOL_IMPORT_LEFT_OUT, include, NULL,
                  "'%s' comes with Gazebo and is not here: light, or a ground to stand on", uri);
        hol__xml_cover(include);
        return 1;
    }
    if (!path) {
        if (why)
            hol__import_error(im, include, NULL,
                              "'%s' is not found: %s; copy its folder beside the description, or "
                              "take the <include> out",
                              uri, why);
        return 0;
    }
    path = hol__import_near(im, path);
    if (!path || depth >= HOL__XML_INCLUDES || in_circle(im, include, path)) {
        hol__import_error(im, include, NULL, "'%s' is included in a circle", uri);
        return 0;
    }
    hol__xml *root = hol__import_file(im, path, &include->where);
    if (!root) return 0;
    if (strcmp(root->name, "sdf") != 0) {
        hol__import_error(im, include, NULL,
                          "'%s' begins with <%s>, and only SDFormat can be included", uri,
                          root->name);
        return 0;
    }
    root->used = 1;
    hol__xml_append(include, root);
    return hol__sdf_include(im, root, depth + 1);
}

int hol__sdf_include(hol_import *im, hol__xml *element, int depth) {
    for (hol__xml *child = element->first; child; child = child->next) {
        const int holds = strcmp(child->name, "world") == 0 || strcmp(child->name, "model") == 0;
        if (holds && !hol__sdf_include(im, child, depth)) return 0;
        if (strcmp(child->name, "include") != 0) continue;
        child->used = 1;
        if (!read_include(im, child, depth)) return 0;
    }
    return 1;
}
