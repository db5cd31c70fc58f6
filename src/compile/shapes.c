/* shapes.c: mass, mass centre and inertia of shapes and of bodies composed of them.
 *
 * About the mass centre of a shape, axis z, mass m, volume v:
 *     box a b c          m (b^2 + c^2)/12 …                                   a b c
 *     cylinder r, ri, L  m (3 (r^2 + ri^2) + L^2)/12,  z: m (r^2 + ri^2)/2    pi (r^2 - ri^2) L
 *     sphere r, ri       2/5 m (r^5 - ri^5)/(r^3 - ri^3)                      4/3 pi (r^3 - ri^3)
 *     cone r, L          3/80 m (4 r^2 + L^2),  z: 3/10 m r^2                 pi r^2 L/3
 *     rod L              m L^2/12,  z: 0                                      thin
 *     ring r             m r^2/2,  z: m r^2                                   thin
 *     torus r, a         m (r^2/2 + 5/8 a^2),  z: m (r^2 + 3/4 a^2)           2 pi^2 r a^2
 *
 * Together: m = sum m_i,  m com = sum m_i r_i,
 *           J = sum (Q_i J_i Q_i^T + m_i (|d|^2 1 - d d^T)),  d = r_i - com
 */
#include "compile/compile.h"

#include "math/quat.h"

#include <string.h>

typedef enum shape_type { BOX, CYLINDER, SPHERE, CONE, ROD, RING, TORUS, POINT, MESH } shape_type;

typedef struct shape {
    shape_type type;
    double size[3], r, inner, tube, L;
    double volume;  /* 0 for thin ones */
    double unit[3]; /* principal inertias for m = 1 */
    double m;
    double at[3], R[9];
} shape;

/* The keys that a type takes besides mass, density, at, axis, orientation; ? marks one that may be
 * left out in the plane, ! one that may always be left out. */
static const char *const takes[][4] = {
    [BOX] = {"size", NULL, NULL, NULL},
    [CYLINDER] = {"radius", "length?", "inner!", NULL},
    [SPHERE] = {"radius", "inner!", NULL, NULL},
    [CONE] = {"radius", "length?", NULL, NULL},
    [ROD] = {"length", NULL, NULL, NULL},
    [RING] = {"radius", NULL, NULL, NULL},
    [TORUS] = {"radius", "tube", NULL, NULL},
    [POINT] = {NULL, NULL, NULL, NULL},
    [MESH] = {"vertices!", "faces!", "data!", "scale!"},
};

/* Whether the type takes a key: 0 no, 1 it may, 2 it must. */
static int takes_key(const hol__build *build, shape_type type, const char *key) {
    const size_t n = strlen(key);
    for (int i = 0; i < 4 && takes[type][i]; i++) {
        if (strncmp(takes[type][i], key, n) != 0) continue;
        const char mark = takes[type][i][n];
        return mark == '!' || (mark == '?' && build->model->dim == 2) ? 1 : 2;
    }
    return 0;
}

/* Lengths that belong to the type must be there, others must not. */
static void check_lengths(hol__build *build, hol__node *node, shape_type type, const char *name) {
    static const char *const lengths[] = {"size",     "radius", "inner", "tube", "length",
                                          "vertices", "faces",  "data",  "scale"};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        hol__node *given = hol__node_get(node, lengths[i]);
        const int wants = takes_key(build, type, lengths[i]);
        if (given && !wants) hol__build_error(build, given, "a %s has no '%s'", name, lengths[i]);
        if (!given && wants == 2)
            hol__build_error(build, node, "a %s needs '%s'", name, lengths[i]);
    }
}

/* Two or three positive lengths. */
static void read_size(hol__build *build, hol__node *node, double size[3]) {
    if (node->kind != HOL__LIST ||
        (node->count != 3 && !(node->count == 2 && build->model->dim == 2))) {
        hol__build_error(build, node, "the size of a box is a list of three lengths%s",
                         build->model->dim == 2 ? ", or two" : "");
        return;
    }
    for (int i = 0; i < node->count; i++) {
        size[i] = hol__read_constant(build, hol__node_at(node, i), "m", 1);
        if (!(size[i] > 0))
            hol__build_error(build, hol__node_at(node, i),
                             "a length of a box is %g; it must be positive", size[i]);
    }
}

/* Volume and inertias for m = 1. */
static void set_unit(shape *s) {
    const double pi = 3.14159265358979323846, r2 = s->r * s->r, q2 = s->inner * s->inner,
                 L2 = s->L * s->L;
    double across = 0, about = 0;
    switch (s->type) {
    case BOX:
        for (int i = 0; i < 3; i++) {
            const double b = s->size[(i + 1) % 3], c = s->size[(i + 2) % 3];
            s->unit[i] = (b * b + c * c) / 12;
        }
        s->volume = s->size[0] * s->size[1] * s->size[2];
        return;
    case CYLINDER:
        about = (r2 + q2) / 2, across = (3 * (r2 + q2) + L2) / 12,
        s->volume = pi * (r2 - q2) * s->L;
        break;
    case SPHERE: {
        const double cubes = r2 * s->r - q2 * s->inner;
        across = about = 0.4 * (r2 * r2 * s->r - q2 * q2 * s->inner) / cubes,
        s->volume = 4.0 / 3 * pi * cubes;
        break;
    }
    case CONE:
        about = 0.3 * r2, across = 3.0 / 80 * (4 * r2 + L2), s->volume = pi * r2 * s->L / 3;
        break;
    case ROD: across = L2 / 12; break;
    case RING: about = r2, across = r2 / 2; break;
    case TORUS:
        about = r2 + 0.75 * s->tube * s->tube, across = 0.5 * r2 + 0.625 * s->tube * s->tube;
        s->volume = 2 * pi * pi * s->r * s->tube * s->tube;
        break;
    case POINT:
    case MESH: break;
    }
    s->unit[0] = s->unit[1] = across, s->unit[2] = about;
}

/* How the shape is turned in the body frame. */
static void read_turn(hol__build *build, hol__node *node, shape *s) {
    static const double along_x[3] = {1, 0, 0};
    double p[4] = {1, 0, 0, 0}, axis[3];
    hol__node *orientation = hol__node_get(node, "orientation");
    if (hol__read_direction(build, node, hol__shape_keys, "axis", axis)) {
        if (orientation)
            hol__build_error(build, orientation, "give either `axis` or `orientation`");
        hol__frame_along(axis, NULL, p);
    } else if (orientation)
        hol__read_orientation(build, orientation, p);
    else if (s->type == ROD)
        hol__frame_along(along_x, NULL, p);
    hol__quat_matrix(p, s->R);
}

/* Mass from the key mass or density; returns whether either was there. */
static int read_mass(hol__build *build, hol__node *node, const char *name, shape *s) {
    hol__node *mass = hol__node_get(node, "mass"), *density = hol__node_get(node, "density");
    if (mass && density) hol__build_error(build, density, "give either `mass` or `density`");
    s->m = hol__read_number(build, node, hol__shape_keys, mass ? "mass" : "density");
    if (!mass && !density) return 0;
    if (s->m == 0) hol__build_error(build, mass ? mass : density, "it is 0; leave the shape out");
    if (!mass && !(s->volume > 0))
        hol__build_error(build, density,
                         s->type == BOX || s->type == CYLINDER || s->type == CONE
                             ? "a %s has no volume without its third length; give that, or a `mass`"
                             : "a %s is thin and has no volume; give its `mass`",
                         name);
    if (!mass) s->m *= s->volume;
    return 1;
}

/* One shape; returns whether it has a mass of its own. */
static int read_shape(hol__build *build, hol__node *node, const double at[3], shape *s) {
    const int errors = build->errors;
    *s = (shape){0};
    if (node->kind != HOL__MAP) {
        hol__build_error(build, node,
                         "a shape is a map such as {type: box, size: [1, 0.1, 0.1], mass: 2}");
        return 1;
    }
    hol__check_keys(build, node, hol__shape_keys, NULL, "a shape");
    if (build->errors > errors) return 1;
    s->type = (shape_type)hol__read_choice(build, node, hol__shape_keys, "type");
    const char *name = hol__node_get(node, "type")->text;
    check_lengths(build, node, s->type, name ? name : "");
    if (hol__node_get(node, "size")) read_size(build, hol__node_get(node, "size"), s->size);
    s->r = hol__read_number(build, node, hol__shape_keys, "radius");
    s->inner = hol__read_number(build, node, hol__shape_keys, "inner");
    s->tube = hol__read_number(build, node, hol__shape_keys, "tube");
    s->L = hol__read_number(build, node, hol__shape_keys, "length");
    if (!hol__read_vector(build, node, hol__shape_keys, "at", s->at))
        memcpy(s->at, at, sizeof s->at);
    read_turn(build, node, s);
    if (build->errors > errors) return 1;
    if (s->inner >= s->r && s->inner > 0)
        hol__build_error(build, hol__node_get(node, "inner"),
                         "the inner radius %g is not below the radius %g", s->inner, s->r);
    if (s->type == TORUS && s->tube > s->r)
        hol__build_error(build, hol__node_get(node, "tube"),
                         "the radius of the tube %g exceeds that of its centre line %g", s->tube,
                         s->r);
    set_unit(s);
    return read_mass(build, node, name, s);
}

/* Shapes without masses of their own share one by volume. */
static void share_mass(hol__build *build, hol__node *node, double share, int n, shape *shapes) {
    double volume = 0;
    for (int i = 0; i < n; i++) volume += shapes[i].volume;
    for (int i = 0; i < n; i++) {
        if (n > 1 && !(shapes[i].volume > 0)) {
            hol__build_error(build, node,
                             "shapes that share a mass do so by volume, and one of these has none; "
                             "give each its own `mass`");
            return;
        }
        shapes[i].m = n == 1 ? share : share * shapes[i].volume / volume;
    }
}

/* J += m (|d|^2 1 - d d^T) + Q diag Q^T */
static void add_shape(const shape *s, const double com[3], double J[9]) {
    double d[3];
    hol__sub3(s->at, com, d);
    const double d2 = hol__dot3(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double turned = 0;
            for (int k = 0; k < 3; k++) turned += s->R[3 * i + k] * s->unit[k] * s->R[3 * j + k];
            J[3 * i + j] += s->m * (turned + (i == j ? d2 : 0) - d[i] * d[j]);
        }
}

int hol__compile_shapes(hol__build *build, hol__node *node, double share, const double at[3],
                        double *m, double com[3], double J[9]) {
    const int errors = build->errors, n = node->kind == HOL__LIST ? node->count : 1;
    shape *shapes = HOL__NEW_N(build->arena, shape, n);
    int own = 0;
    if (!shapes) return 0;
    if (!n) hol__build_error(build, node, "the list of shapes is empty");
    hol__node *one = node->kind == HOL__LIST ? node->first : node;
    for (int i = 0; i < n; i++, one = one->next) {
        own += read_shape(build, one, at, &shapes[i]);
        if (shapes[i].type == MESH)
            hol__build_error(build, node, "a mesh can only be drawn; put it under `draw`");
    }
    if (build->errors > errors) return 0;
    if (own && share > 0)
        hol__build_error(
            build, node,
            "the shapes have masses of their own; leave out the `mass` of the body, or theirs");
    else if (own != n && !(share > 0))
        hol__build_error(
            build, node,
            "every shape needs `mass` or `density`, or the body a `mass` for all of them");
    else if (!own)
        share_mass(build, node, share, n, shapes);
    *m = com[0] = com[1] = com[2] = 0;
    for (int i = 0; i < n; i++) {
        *m += shapes[i].m;
        for (int k = 0; k < 3; k++) com[k] += shapes[i].m * shapes[i].at[k];
    }
    if (build->errors == errors && !(*m > 0))
        hol__build_error(build, node, "the shapes together have the mass %g; it must be positive",
                         *m);
    if (build->errors > errors) return 0;
    for (int k = 0; k < 3; k++) com[k] /= *m;
    memset(J, 0, 9 * sizeof *J);
    for (int i = 0; i < n; i++) add_shape(&shapes[i], com, J);
    return 1;
}

/* ---- drawing ---- */

/* A shape as it is drawn. */
static void draw_shape(hol__build *build, hol__node *node, const shape *s, hol_shape *out) {
    static const hol_shape_kind kinds[] = {
        [BOX] = HOL_SHAPE_BOX,     [CYLINDER] = HOL_SHAPE_CYLINDER, [SPHERE] = HOL_SHAPE_SPHERE,
        [CONE] = HOL_SHAPE_CONE,   [ROD] = HOL_SHAPE_ROD,           [RING] = HOL_SHAPE_TORUS,
        [TORUS] = HOL_SHAPE_TORUS, [POINT] = HOL_SHAPE_SPHERE,      [MESH] = HOL_SHAPE_MESH,
    };
    const char *color =
        hol__node_get(node, "color") ? hol__read_text(build, node, hol__shape_keys, "color") : "";
    *out = (hol_shape){.kind = kinds[s->type], .color = hol__keep(build, color)};
    memcpy(out->at, s->at, sizeof out->at);
    memcpy(out->R, s->R, sizeof out->R);
    out->size[0] = s->type == BOX ? s->size[0] : s->type == ROD ? 0 : s->r;
    out->size[1] = s->type == BOX ? s->size[1] : s->type == TORUS ? s->tube : s->L;
    out->size[2] = s->size[2];
    if (*color && !hol__is_color(color))
        hol__build_error(build, hol__node_get(node, "color"),
                         "a color is written in quotes as \"#rrggbb\", for example \"#3366cc\"");
    if (s->type == MESH) hol__read_mesh(build, node, out);
}

void hol__compile_drawing(hol__build *build, hol__body *body, hol__node *item, const double at[3]) {
    hol__node *draw = hol__node_get(item, "draw"),
              *node = draw ? draw : hol__node_get(item, "shape");
    const int errors = build->errors;
    if (!node) return;
    const int n = node->kind == HOL__LIST ? node->count : 1;
    body->shapes = HOL__NEW_N(build->arena, hol_shape, n);
    hol__node *one = node->kind == HOL__LIST ? node->first : node;
    for (int i = 0; body->shapes && i < n; i++, one = one->next) {
        shape s;
        read_shape(build, one, at, &s);
        /* what is cut out of the others is not drawn */
        if (build->errors == errors && s.m >= 0)
            draw_shape(build, one, &s, &body->shapes[body->n_shapes++]);
    }
}
