/* contact_shape.c: the shapes of a contact by fields: a half-space, or a core and a radius. */
#include "element/contact.h"
#include "math/polytope.h"

#include <string.h>

typedef enum shape_type { PLANE, SPHERE, CAPSULE, BOX, HULL, CYLINDER } shape_type;

static const char *const types[] = {"plane", "sphere", "capsule", "box", "hull", "cylinder", NULL};

typedef struct shape_params {
    hol__params head;
    int type;
    double at[3], to[3], normal[3], radius, size[3], along[3], across[3];
    hol__corner_list points;
} shape_params;

static const hol__key keys[] = {
    {"type", HOL__KEY_CHOICE, NULL, NULL, 0,
     "What it is. plane: everything behind a plane; sphere and capsule, in the plane a disc and "
     "two "
     "of them with what lies between; hull: the convex hull of some points, in the plane a "
     "polygon; cylinder (in space, with a plane or a sphere): between two flat ends.",
     types, HOL__AT(shape_params, type)},
    {"at", HOL__KEY_POINT, "m", "", 0,
     "A point of the plane, the centre of a sphere or a box, the first end of a capsule or "
     "cylinder, the origin "
     "of the points of a hull, at the drawn position. Default: the mass centre; on ground the "
     "origin.",
     NULL, HOL__AT(shape_params, at)},
    {"to", HOL__KEY_POINT, "m", "", 0,
     "The other end of a capsule or a cylinder (of its axis), at the drawn position.", NULL,
     HOL__AT(shape_params, to)},
    {"normal", HOL__KEY_DIRECTION, NULL, "", 0,
     "The direction out of a plane, to the side where the other shape is.", NULL,
     HOL__AT(shape_params, normal)},
    {"radius", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE,
     "Of a sphere, a capsule or a cylinder; that by which the edges of a box are rounded within "
     "its `size`; "
     "how "
     "far a hull reaches beyond its points, with round edges. Default of box and hull: sharp "
     "edges.",
     NULL, HOL__AT(shape_params, radius)},
    {"size", HOL__KEY_VECTOR, "m", "", 0, "The sides of a box.", NULL, HOL__AT(shape_params, size)},
    {"along", HOL__KEY_DIRECTION, NULL, "", 0,
     "The direction of the first side of a box, and of x of the points of a hull. Default: the x "
     "axis of the body.",
     NULL, HOL__AT(shape_params, along)},
    {"across", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "A direction to which the second side of a box (y of a hull) is as near as it can be. "
     "Default: "
     "the y axis of the body.",
     NULL, HOL__AT(shape_params, across)},
    {"points", HOL__KEY_CORNERS, "m", "", 0, "The points of a hull, from `at`; at most 64.", NULL,
     HOL__AT(shape_params, points)},
    HOL__KEY_END,
};

const hol__group hol__contact_shapes = {"a shape of a contact",
                                        "{type: sphere, at: [0, 1], radius: 0.1}", 2,
                                        sizeof(shape_params), keys};

/* What a type takes beside `at`: a key with ! may be left out. */
static const char *const takes[][5] = {
    [PLANE] = {"normal", NULL, NULL, NULL},
    [SPHERE] = {"radius", NULL, NULL, NULL},
    [CAPSULE] = {"to", "radius", NULL, NULL},
    [BOX] = {"size", "along!", "across!", "radius!"},
    [HULL] = {"points", "along!", "across!", "radius!"},
    [CYLINDER] = {"to", "radius", NULL, NULL},
};

/* Fields that belong to the type must be there, others must not. */
static void check_fields(hol__build *build, const shape_params *p) {
    for (const hol__key *key = keys + 2; key->name; key++) {
        const size_t n = strlen(key->name);
        const char *taken = NULL;
        for (int i = 0; takes[p->type][i]; i++)
            if (strncmp(takes[p->type][i], key->name, n) == 0 &&
                (takes[p->type][i][n] == '\0' || takes[p->type][i][n] == '!'))
                taken = takes[p->type][i];
        const int given = hol__is_given(p, key->name);
        if (given && !taken)
            hol__field_error(build, p, key->name, "a %s has no '%s'", types[p->type], key->name);
        if (!given && taken && taken[n] != '!')
            hol__field_error(build, p, NULL, "a %s needs '%s'", types[p->type], key->name);
    }
    for (int i = 0; p->type == BOX && hol__is_given(p, "size") && i < build->model->dim; i++)
        if (!(p->size[i] > 0))
            hol__field_error(build, p, "size", "a side of the box is %g; it must be positive",
                             p->size[i]);
        else if (!(2 * p->radius < p->size[i]))
            hol__field_error(
                build, p, "radius",
                "a side of the box is %g, which edges rounded with %g leave nothing of", p->size[i],
                p->radius);
    if (p->type == CYLINDER && build->model->dim == 2)
        hol__field_error(
            build, p, "type",
            "a cylinder is in space; seen from its end it is a sphere, from its side a "
            "box");
    if (p->type == HULL && p->points.n > HOL__POLYTOPE_POINTS)
        hol__field_error(build, p, "points", "a hull has at most %d points, found %d",
                         HOL__POLYTOPE_POINTS, p->points.n);
}

/* The axes of a box or hull in the frame of the body, as columns. */
static int axes_of(hol__build *build, const shape_params *p, int body, double R[9]) {
    double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3];
    if (hol__is_given(p, "along")) hol__drawn_direction(build->model, body, p->along, x);
    if (hol__is_given(p, "across"))
        hol__drawn_direction(build->model, body, p->across, y);
    else if (build->model->dim == 2)
        y[0] = -x[1], y[1] = x[0], y[2] = 0;
    else if (hol__is_given(p, "along") && fabs(x[1]) > 0.9)
        y[0] = 0, y[1] = 0, y[2] = 1;
    hol__cross3(x, y, z);
    const double sine = hol__norm3(z);
    if (!(sine > 1e-6))
        return hol__field_error(build, p, "across",
                                "it is parallel to the first side; give another direction");
    for (int i = 0; i < 3; i++) z[i] /= sine;
    hol__cross3(z, x, y);
    for (int i = 0; i < 3; i++) R[3 * i] = x[i], R[3 * i + 1] = y[i], R[3 * i + 2] = z[i];
    return 1;
}

/* A core of corners that are given along the axes of the shape, from s. */
static int set_hull(hol__build *build, const shape_params *p, int body, const double s[3],
                    hol__convex *core) {
    double x[HOL__POLYTOPE_POINTS][3], R[9] = {0}, box[8][3], size[3];
    for (int i = 0; i < 3; i++) size[i] = p->size[i] - 2 * p->radius;
    const int plane = build->model->dim == 2, corners = hol__polytope_box(size, plane, box),
              n = p->type == BOX ? corners : p->points.n;
    if (!axes_of(build, p, body, R)) return 0;
    for (int k = 0; k < n; k++) {
        hol__mul3(R, p->type == BOX ? box[k] : p->points.x[k], x[k]);
        hol__add3(x[k], s, x[k]);
    }
    const int made = hol__polytope_of(build->arena, (const double(*)[3])x, n, plane, core);
    core->radius = p->radius;
    if (made && core->n < (plane ? 3 : 4) && made > 0)
        return hol__field_error(build, p, "points", "a hull needs at least %d points%s",
                                plane ? 3 : 4, plane ? "" : " that lie not in a plane");
    if (!made)
        hol__field_error(build, p, p->type == BOX ? "size" : "points",
                         "these points lie %s, or so nearly that they have no inside",
                         plane ? "on a line" : "in a plane");
    return made > 0;
}

/* A core of two points as a cylinder of that radius, with its flat ends as faces. */
static int make_cylinder(hol__build *build, double radius, hol__convex *core) {
    static const int first[3] = {0, 1, 2}, loop[2] = {0, 1};
    double(*normals)[3] = hol__arena_alloc(build->arena, 2, sizeof *normals);
    if (!normals) return 0;
    hol__sub3(core->x[1], core->x[0], core->axis);
    const double length = hol__norm3(core->axis);
    for (int i = 0; i < 3; i++) {
        core->axis[i] /= length;
        normals[1][i] = core->axis[i];
        normals[0][i] = -core->axis[i];
    }
    core->normals = (const double(*)[3])normals;
    core->first = first, core->loop = loop;
    core->disc = radius, core->radius = 0;
    return 1;
}

/* One or two points, or a point with a normal. */
static int set_points(hol__build *build, const shape_params *p, int body, const double s[3],
                      hol__touch_shape *out) {
    double(*x)[3] = hol__arena_alloc(build->arena, 3, sizeof *x);
    hol__marker end;
    if (!x) return 0;
    memcpy(x[0], s, sizeof *x);
    out->core = (hol__convex){.n = 1, .x = (const double(*)[3])x, .radius = p->radius};
    out->half_space = p->type == PLANE;
    if (p->type == PLANE) {
        hol__drawn_direction(build->model, body, p->normal, x[1]);
        out->core.normals = (const double(*)[3])x + 1;
    }
    if (p->type != CAPSULE && p->type != CYLINDER) return 1;
    hol__marker_set(build->model, body, p->to, NULL, &end);
    memcpy(x[1], end.s, sizeof *x);
    out->core = hol__segment((const double(*)[3])x);
    out->core.radius = p->radius;
    double d[3];
    hol__sub3(x[1], x[0], d);
    if (!(hol__norm3(d) > 0))
        return hol__field_error(build, p, "to", "both ends of the %s are at the same place%s",
                                types[p->type], p->type == CAPSULE ? "; use a sphere" : "");
    return p->type == CAPSULE || make_cylinder(build, p->radius, &out->core);
}

int hol__contact_shape(hol__build *build, const hol__params *item, int body, hol__touch_shape *out,
                       double at[3]) {
    static const double center[3] = {0, 0, 0};
    const shape_params *p = (const shape_params *)(const void *)item;
    const int errors = build->errors;
    hol__marker marker = {0};
    *out = (hol__touch_shape){0};
    check_fields(build, p);
    if (build->errors > errors) return 0;
    if (hol__is_given(p, "at")) {
        memcpy(at, p->at, 3 * sizeof *at);
        hol__marker_set(build->model, body, at, NULL, &marker);
    } else
        hol__sketched_point(build->model, body, center, at);
    return p->type == BOX || p->type == HULL ? set_hull(build, p, body, marker.s, &out->core)
                                             : set_points(build, p, body, marker.s, out);
}

/* Whether a shape has faces that meet at edges, rounded or not. */
static int has_edges(const hol__touch_shape *s) {
    return s->core.n_faces > 0;
}

int hol__contact_fits(hol__build *build, const void *params, const hol__touch_pair *pair) {
    for (int k = 0; k < 2; k++) {
        const hol__touch_shape *one = &pair->shape[k], *other = &pair->shape[1 - k];
        if (one->half_space && other->half_space)
            return hol__field_error(
                build, params, "shapes",
                "two planes overlap without end; one of the shapes must be another");
        if (one->core.disc > 0 && !other->half_space && (other->core.n > 1 || other->core.disc > 0))
            return hol__field_error(build, params, "shapes",
                                    "a cylinder touches a plane or a sphere; for other shapes use "
                                    "a capsule or a hull instead of it");
        if (has_edges(one) && one->core.radius > 0 && has_edges(other))
            return hol__field_error(
                build, params, "shapes",
                "a box or hull with a radius touches a plane, a sphere or a capsule; leave the "
                "radius out where two shapes with faces touch");
    }
    return 1;
}

double hol__contact_radius(const hol__touch_pair *pair) {
    const hol__touch_shape *a = &pair->shape[0], *b = &pair->shape[1];
    const double r1 = a->core.radius, r2 = b->core.radius;
    if (a->core.n > 1 || b->core.n > 1) return 0;
    if (a->half_space || b->half_space) return r1 + r2;
    return r1 * r2 / (r1 + r2);
}
