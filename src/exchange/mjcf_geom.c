/* mjcf_geom.c: geoms: what they weigh and how they are drawn.
 *
 * A geom has `mass`, or `density` (1000) times its volume. Sizes are half-lengths; `fromto` gives
 * the two ends of what lies between them.
 */
#include "exchange/geometry.h"
#include "exchange/mjcf.h"

#include "io/input.h"
#include "io/mesh_file.h"
#include "math/quat.h"
#include "model/node.h"

#include <string.h>

typedef struct geom {
    hol__mjcf *m;
    hol__xml *element;
    const char *type;
    double size[3];
    hol__placement at; /* in the frame of the body */
    double volume;
    double unit[3];         /* principal inertias for a mass of 1 */
    double centre[3], J[9]; /* of a mesh: its mass centre, inertia for a mass of 1 about it */
    const hol__xml *mesh;
} geom;

/* ---- meshes ---- */

/* hol__read_whole for a scratch description. */
static int read_bytes(hol_spec *spec, const char *path, const hol_location *asked,
                      hol__text *text) {
    const hol__input input = {
        .path = path, .asked = asked, .below = spec->files_below, .most = 64 << 20, .what = "mesh"};
    return hol__input_read(spec->ctx, &input, text) == HOL_OK;
}

/* Add the tetrahedron of a triangle and the origin to volume, first and second moments. */
static void add_triangle(const double *a, const double *b, const double *c, double *V, double S[3],
                         double Q[9]) {
    double n[3];
    hol__cross3(b, c, n);
    const double v = hol__dot3(a, n) / 6;
    *V += v;
    for (int i = 0; i < 3; i++) S[i] += v * (a[i] + b[i] + c[i]) / 4;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double sum = (a[i] + b[i] + c[i]) * (a[j] + b[j] + c[j]);
            Q[3 * i + j] += v / 20 * (sum + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
        }
}

/* Volume, mass centre and inertia of a closed mesh, scaled along its axes. */
static void integrate(geom *g, const hol__mesh *mesh, const double scale[3]) {
    double V = 0, S[3] = {0}, Q[9] = {0};
    for (int i = 0, first = 0; i < mesh->n_indices; i++) {
        if (mesh->indices[i] >= 0) continue;
        for (int k = first + 1; k + 1 < i; k++) {
            double p[3][3];
            const int corner[3] = {mesh->indices[first], mesh->indices[k], mesh->indices[k + 1]};
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++) p[c][d] = scale[d] * mesh->vertices[3 * corner[c] + d];
            add_triangle(p[0], p[1], p[2], &V, S, Q);
        }
        first = i + 1;
    }
    if (V < 0) { /* seen from inside, or mirrored */
        V = -V;
        for (int i = 0; i < 3; i++) S[i] = -S[i];
        for (int i = 0; i < 9; i++) Q[i] = -Q[i];
    }
    g->volume = V;
    if (!(V > 0)) return;
    for (int i = 0; i < 3; i++) g->centre[i] = S[i] / V;
    for (int i = 0; i < 9; i++) Q[i] = Q[i] / V - g->centre[i / 3] * g->centre[i % 3];
    for (int i = 0; i < 9; i++) g->J[i] = (i % 4 == 0 ? Q[0] + Q[4] + Q[8] : 0) - Q[i];
}

/* The path of a mesh's file, as the compiler's settings have it. */
static const char *mesh_uri(geom *g, const char *file) {
    hol__mjcf *m = g->m;
    const char *slash = m->strip ? strrchr(file, '/') : NULL;
    if (slash) file = slash + 1;
    return m->meshdir && file[0] != '/'
               ? hol__arena_format(&m->im->arena, "%s/%s", m->meshdir, file)
               : file;
}

/* Read the mesh and integrate over it; 0 after an error, which is reported. */
static int weigh_mesh(geom *g, const char *path, const double scale[3]) {
    hol_import *im = g->m->im;
    hol_spec *spec = hol_spec_new(im->ctx);
    hol__mesh mesh = {.spec = spec, .path = path};
    hol__text bytes;
    hol__text_init(&bytes, im->ctx);
    const char *dot = strrchr(path, '.');
    int good = spec != NULL;
    if (spec) spec->files_below = im->below;
    good = good && read_bytes(spec, path, &g->element->where, &bytes);
    if (good && dot && (strcmp(dot, ".stl") == 0 || strcmp(dot, ".STL") == 0))
        good = hol__mesh_stl(&mesh, bytes.data, bytes.length);
    else if (good && dot && (strcmp(dot, ".obj") == 0 || strcmp(dot, ".OBJ") == 0))
        good = hol__mesh_obj(&mesh, bytes.data, bytes.length);
    else if (good) {
        hol__import_error(im, g->element, "mesh",
                          "its inertia follows from the mesh '%s', which is not .stl or .obj",
                          path);
        good = 0;
    }
    if (good) integrate(g, &mesh, scale);
    hol__text_free(&bytes);
    hol__release(im->ctx, mesh.vertices);
    hol__release(im->ctx, mesh.indices);
    hol_spec_free(spec);
    return good;
}

/* What a mesh weighs, which is found once: many geoms may show a mesh of many megabytes. */
static void weigh_once(geom *g, const char *name, const char *path, const double scale[3]) {
    hol__mjcf *m = g->m;
    const uintptr_t *found = hol__name_tree_find(&m->weighed, name);
    geom *before = found ? (geom *)*found : HOL__NEW(&m->im->arena, geom);
    if (!before) return;
    if (!found) {
        weigh_mesh(g, path, scale);
        *before = *g;
        hol__name_tree_add(&m->weighed, &m->im->arena, name, (uintptr_t)before);
    }
    g->volume = before->volume;
    memcpy(g->centre, before->centre, sizeof g->centre);
    memcpy(g->J, before->J, sizeof g->J);
}

/* The mesh of a geom, for its mass where that counts, and to be drawn. */
static void read_mesh(geom *g, int body, int counts, const char *color) {
    hol_import *im = g->m->im;
    const char *name = hol__xml_value(g->element, "mesh"), *why = NULL;
    const uintptr_t *found = name ? hol__name_tree_find(&g->m->meshes, name) : NULL;
    double scale[3] = {1, 1, 1};
    if (!found) {
        hol__import_error(im, g->element, "mesh", "there is no mesh '%s'", name ? name : "");
        return;
    }
    hol__xml *asset = (hol__xml *)*found;
    asset->used = 1;
    hol__xml_value(asset, "name");
    hol__xml_vector(im, asset, "scale", 3, scale);
    const char *file = hol__xml_value(asset, "file"), *uri = file ? mesh_uri(g, file) : NULL;
    const char *path = uri ? hol__import_find(im, asset, uri, &why) : NULL;
    if (counts && !path)
        hol__import_error(im, asset, "file",
                          "the inertia of a body follows from this mesh: %s; give the body an "
                          "<inertial>",
                          file ? why : "it is not in a file");
    else if (counts)
        weigh_once(g, name, path, scale);
    if (uri) hol__draw_mesh(im, body, asset, "file", uri, scale, &g->at, color);
}

/* ---- one geom ---- */

/* The frame and the sizes of what lies between two ends. */
static void read_ends(geom *g) {
    hol_import *im = g->m->im;
    double ends[6], z[3];
    const int n = hol__xml_some(im, g->element, "size", 0, 3, g->size);
    g->at = hol__mjcf_frame(g->m, g->element);
    const int round = strcmp(g->type, "capsule") == 0 || strcmp(g->type, "cylinder") == 0;
    const int solid = strcmp(g->type, "box") == 0 || strcmp(g->type, "ellipsoid") == 0;
    if (!(round || solid) || !hol__xml_vector(im, g->element, "fromto", 6, ends)) {
        const int want = round ? 2 : solid ? 3 : 1;
        if (n < want && (round || solid || strcmp(g->type, "sphere") == 0))
            hol__import_error(im, g->element, "size", "a %s wants %d number%s as its size", g->type,
                              want, want == 1 ? "" : "s");
        return;
    }
    hol__sub3(ends + 3, ends, z);
    const double length = hol__norm3(z);
    if (!(length > 0) || n < 1) {
        hol__import_error(im, g->element, "fromto",
                          length > 0 ? "it has no size" : "it has length 0");
        return;
    }
    for (int i = 0; i < 3; i++) g->at.r[i] = 0.5 * (ends[i] + ends[3 + i]);
    const double half = 0.5 * length;
    g->size[round ? 1 : 2] = half;
    if (solid && n < 2) g->size[1] = g->size[0];
    const double u[3] = {z[0] / length, z[1] / length, z[2] / length};
    const double q[4] = {1 + u[2], -u[1], u[0], 0}, flat[4] = {0, 1, 0, 0};
    memcpy(g->at.q, q[0] < 1e-12 ? flat : q, sizeof q);
    hol__quat_normalize(g->at.q);
}

/* The colour: its own, or that of its material. */
static void read_color(geom *g, char color[8]) {
    hol_import *im = g->m->im;
    double rgba[4];
    const char *name = hol__xml_value(g->element, "material");
    const uintptr_t *found = name ? hol__name_tree_find(&g->m->materials, name) : NULL;
    color[0] = '\0';
    if (hol__xml_vector(im, g->element, "rgba", 4, rgba)) {
        hol__color(rgba, color);
        return;
    }
    if (!found) return;
    hol__xml *material = (hol__xml *)*found;
    material->used = 1;
    hol__xml_value(material, "name");
    if (hol__xml_vector(im, material, "rgba", 4, rgba)) hol__color(rgba, color);
}

static void draw(geom *g, int body, const char *color) {
    double size[3] = {g->size[0], 2 * g->size[1], 0};
    if (body < 0) {
        hol__note(g->m->im, HOL_IMPORT_NO_EFFECT, g->element, NULL,
                  "ground is not drawn, nor what stands on it");
        return;
    }
    if (strcmp(g->type, "ellipsoid") == 0) {
        hol__note(g->m->im, HOL_IMPORT_NO_EFFECT, g->element, NULL, "ellipsoids are not drawn");
        return;
    }
    if (strcmp(g->type, "box") == 0)
        for (int i = 0; i < 3; i++) size[i] = 2 * g->size[i];
    hol__draw_shape(g->m->im, body, g->element, g->type, size, &g->at, color);
}

/* Put what the geom weighs into its body. */
static void weigh(geom *g, int body) {
    hol_import *im = g->m->im;
    const int mesh = strcmp(g->type, "mesh") == 0;
    const double density = hol__xml_number(im, g->element, "density", 1000);
    const double mass = hol__xml_number(im, g->element, "mass", density * g->volume);
    double J[9] = {g->unit[0], 0, 0, 0, g->unit[1], 0, 0, 0, g->unit[2]}, turned[9], centre[3];
    if (mass < 0)
        hol__import_error(im, g->element, "mass", "the mass is %g; no body has that", mass);
    if (!(mass > 0)) return;
    if (mesh) memcpy(J, g->J, sizeof J);
    for (int i = 0; i < 9; i++) J[i] *= mass;
    hol__turn_inertia(g->at.q, J, turned);
    hol__placement_point(&g->at, g->centre, centre);
    hol__add_inertia(&im->robot.bodies[body], mass, centre, turned);
}

void hol__mjcf_geom(hol__mjcf *m, hol__xml *element, int body, int counts) {
    static const char *const types[] = {"sphere",    "capsule", "cylinder", "box",
                                        "ellipsoid", "mesh",    "plane",    "hfield"};
    hol_import *im = m->im;
    geom g = {.m = m, .element = element, .type = hol__xml_value(element, "type")};
    int known = 0;
    char color[8];
    if (!g.type) g.type = hol__xml_find(element, "mesh") ? "mesh" : "sphere";
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        known |= strcmp(g.type, types[i]) == 0;
    hol__xml_value(element, "name");
    if (!known) {
        hol__import_error(im, element, "type", "geoms of type '%s' are not known", g.type);
        return;
    }
    const double group = hol__xml_number(im, element, "group", 0);
    if (hol__xml_number(im, element, "contype", 1) != 0 ||
        hol__xml_number(im, element, "conaffinity", 1) != 0)
        m->n_touching++;
    read_color(&g, color);
    if (strcmp(g.type, "plane") == 0 || strcmp(g.type, "hfield") == 0) {
        hol__xml_cover(element);
        hol__note(im, HOL_IMPORT_LEFT_OUT, element, NULL, "a %s to stand on is not carried over",
                  g.type);
        return;
    }
    counts = counts && body >= 0 && group >= m->groups[0] && group <= m->groups[1];
    read_ends(&g);
    if (strcmp(g.type, "mesh") == 0)
        read_mesh(&g, body, counts && hol__xml_number(im, element, "density", 1000) != 0, color);
    else {
        g.volume = hol__solid(g.type, g.size, g.unit);
        draw(&g, body, color);
    }
    if (counts)
        weigh(&g, body);
    else
        hol__xml_value(element, "mass"), hol__xml_value(element, "density");
}
