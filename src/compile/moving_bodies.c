/* moving_bodies.c: the moving bodies: drawn pose, start velocities, prescribed motions (mass and
 * inertia are in inertia.c).
 *
 * The user's body frame may have its origin anywhere; the model works with the mass centre and the
 * same axes.
 */
#include "compile/compile.h"

#include "element/joints.h"
#include "math/quat.h"

#include <string.h>

/* ---- pose ---- */

void hol__read_orientation(hol__build *build, hol__node *node, double p[4]) {
    static const hol__key keys[] = {
        {"axis", HOL__KEY_VECTOR, NULL, "", 0, "axis of rotation", NULL, HOL__NO_FIELD},
        {"angle", HOL__KEY_NUMBER, "rad", "0", 0, "angle about the axis", NULL, HOL__NO_FIELD},
        {"euler", HOL__KEY_VECTOR, "rad", "", 0, "turns about x, the new y, the new z", NULL,
         HOL__NO_FIELD},
        {"quaternion", HOL__KEY_VECTOR, "", "", 0, "w, x, y, z", NULL, HOL__NO_FIELD},
        HOL__KEY_END,
    };
    double u[3], e[4], q[4];
    if (node->kind != HOL__MAP) {
        hol__build_error(build, node,
                         "expected an orientation such as {axis: [0, 0, 1], angle: 30 deg}");
        return;
    }
    hol__check_keys(build, node, keys, NULL, "an orientation");
    const int ways = (hol__node_get(node, "axis") || hol__node_get(node, "angle")) +
                     (hol__node_get(node, "euler") != NULL) +
                     (hol__node_get(node, "quaternion") != NULL);
    if (ways != 1 || (hol__node_get(node, "angle") && !hol__node_get(node, "axis"))) {
        hol__build_error(build, node,
                         "an orientation is given in one way: {axis: [0, 0, 1], angle: 30 deg}, "
                         "{euler: [x, y, z]} or {quaternion: [w, x, y, z]}");
        return;
    }
    hol__node *quaternion = hol__node_get(node, "quaternion");
    if (quaternion) {
        if (quaternion->kind != HOL__LIST || quaternion->count != 4) {
            hol__build_error(build, quaternion,
                             "a quaternion is a list of four numbers, scalar first");
            return;
        }
        for (int i = 0; i < 4; i++)
            q[i] = hol__read_constant(build, hol__node_at(quaternion, i), "", i == 0);
        if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 1e-12))
            hol__build_error(build, quaternion, "the quaternion has length 0");
        else
            hol__quat_normalize(q), memcpy(p, q, sizeof q);
    } else if (hol__read_vector(build, node, keys, "euler", u)) {
        for (int i = 0; i < 3; i++) {
            double about[3] = {0, 0, 0};
            about[i] = u[i];
            hol__quat_exp(about, e);
            hol__quat_mul(p, e, q);
            memcpy(p, q, sizeof q);
        }
    } else if (hol__read_direction(build, node, keys, "axis", u)) {
        const double angle = hol__read_number(build, node, keys, "angle");
        for (int i = 0; i < 3; i++) u[i] *= angle;
        hol__quat_exp(u, p);
    }
}

void hol__frame_level(const double x[3], int dim, double p[4]) {
    static const double up[3] = {0, 0, 1}, side[3] = {0, 1, 0};
    if (dim == 2) {
        const double half = 0.5 * atan2(x[1], x[0]);
        p[0] = cos(half), p[1] = p[2] = 0, p[3] = sin(half);
        return;
    }
    double y[3], z[3], R[9];
    hol__cross3(fabs(x[2]) < 0.99 ? up : side, x, y);
    const double s = 1 / hol__norm3(y);
    for (int i = 0; i < 3; i++) y[i] *= s;
    hol__cross3(x, y, z);
    for (int i = 0; i < 3; i++) R[3 * i] = x[i], R[3 * i + 1] = y[i], R[3 * i + 2] = z[i];
    hol__quat_from_matrix(R, p);
}

/* Origin and orientation from two points: x towards the second; in space z as near to the global z
 * as can be. */
static int read_along(hol__build *build, hol__node *node, double origin[3], double p[4],
                      double *length) {
    double to[3], x[3];
    if (node->kind != HOL__LIST || node->count != 2) {
        hol__build_error(build, node,
                         "'along' is a list of two points, for example [A, B] or [[0, 0], [1, 0]]");
        return 0;
    }
    if (!hol__read_point_at(build, node->first, origin) ||
        !hol__read_point_at(build, node->last, to))
        return 0;
    hol__sub3(to, origin, x);
    *length = hol__norm3(x);
    if (!(*length > 0)) {
        hol__build_error(build, node, "the two points of 'along' coincide");
        return 0;
    }
    for (int i = 0; i < 3; i++) x[i] /= *length;
    hol__frame_level(x, build->model->dim, p);
    return 1;
}

/* The key `length`: that of the body between the two points, which are drawn *drawn apart; the
 * body's scale, and its length into *drawn. */
static void read_length(hol__build *build, hol__body *body, hol__node *item, double *drawn) {
    const hol__node *length = hol__node_get(item, "length");
    if (!length) return;
    if (!hol__node_get(item, "along")) {
        hol__build_error(build, length,
                         "a `length` goes with `along`: it is that from the first to the second "
                         "point");
        return;
    }
    const double given = hol__read_number(build, item, hol__body_keys, "length");
    if (!(*drawn > 0) || !(given > 0)) return;
    body->scale = given / *drawn;
    *drawn = given;
}

/* The ends of `along`, in the frame of the body. */
static void keep_ends(hol__build *build, hol__body *body, double length) {
    body->points = HOL__NEW_N(build->arena, double, 6);
    if (!body->points) return;
    body->points[3] = length;
    body->n_points = 2;
}

static void compile_pose(hol__build *build, hol__body *body, hol__node *item) {
    double origin[3] = {0, 0, 0}, length = 0;
    body->scale = 1;
    hol__node *along = hol__node_get(item, "along"),
              *orientation = hol__node_get(item, "orientation");
    body->p[0] = 1;
    if (along) {
        hol__node *other = hol__node_get(item, "position");
        if (!other) other = hol__node_get(item, "angle");
        if (!other) other = orientation;
        if (other)
            hol__build_error(build, other, "'along' already says where the body is; leave out '%s'",
                             other->key);
        read_along(build, along, origin, body->p, &length);
    } else {
        hol__read_point(build, item, hol__body_keys, "position", origin);
        if (build->model->dim == 2) {
            body->theta = hol__read_number(build, item, hol__body_keys, "angle");
            body->p[0] = cos(0.5 * body->theta);
            body->p[3] = sin(0.5 * body->theta);
        } else if (orientation)
            hol__read_orientation(build, orientation, body->p);
    }
    read_length(build, body, item, &length);
    if (length > 0) keep_ends(build, body, length);
    if (along && build->model->dim == 2) body->theta = 2 * atan2(body->p[3], body->p[0]);
    if (!hol__read_vector(build, item, hol__body_keys, "com", body->com))
        body->com[0] = 0.5 * length;
    hol__compile_inertia(build, body, item);
    double R[9], u[3];
    hol__quat_matrix(body->p, R);
    hol__mul3(R, body->com, u);
    hol__add3(origin, u, body->r);
}

/* ---- velocities ---- */

static void compile_velocity(hol__build *build, hol__body *body, hol__node *item) {
    const int dim = build->model->dim;
    hol__node *omega = hol__node_get(item, "omega");
    const int in_body = hol__read_choice(build, item, hol__body_keys, "omega_frame");
    if (hol__read_vector(build, item, hol__body_keys, "velocity", body->v))
        memset(body->given, 1, (size_t)dim);
    if (!omega) return;
    if (dim == 2) {
        body->w[2] = hol__read_constant(build, omega, "rad/s", 0);
        body->given[2] = 1;
        return;
    }
    double w[3], R[9];
    if (!hol__read_vector(build, item, hol__body_keys, "omega", w)) return;
    memset(body->given + 3, 1, 3);
    hol__quat_matrix(body->p, R);
    if (in_body)
        memcpy(body->w, w, sizeof w);
    else
        hol__mul3_t(R, w, body->w);
}

/* The words of fix and fix_velocity as flags on the velocities of the body: x y z angle rx ry
 * rz. */
static void compile_fix(hol__build *build, hol__node *item, const char *key, unsigned char *flags) {
    const unsigned words = hol__read_words(build, item, hol__body_keys, key);
    const int dim = build->model->dim;
    for (int i = 0; i < 7; i++) {
        if (!(words & (1u << i))) continue;
        const int slot = dim == 2 ? (i < 2    ? i
                                     : i == 3 ? 2
                                              : -1)
                                  : (i < 3   ? i
                                     : i > 3 ? i - 1
                                             : -1);
        if (slot < 0)
            hol__build_error(build, hol__node_get(item, key), "a %s body has %s",
                             dim == 2 ? "planar" : "spatial",
                             dim == 2 ? "only x, y, angle (vx, vy, omega)"
                                      : "x, y, z, rx, ry, rz (vx, vy, vz, wx, wy, wz)");
        else
            flags[slot] = 1;
    }
}

/* What moves as given follows functions of time in all directions. */
static void compile_motion(hol__build *build, hol__body *body, hol__node *item) {
    static const char *const idle[] = {"velocity", "omega", "fix", "fix_velocity"};
    if (!hol__node_get(item, "motion")) return;
    hol__law *motion = HOL__NEW_N(build->arena, hol__law, 6);
    if (!motion) return;
    hol__drives_at(build, hol__node_get(item, "motion"), "motion", motion);
    body->motion = motion;
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (hol__node_get(item, idle[i]))
            hol__build_error(build, hol__node_get(item, idle[i]),
                             "the body moves as its `motion` says; leave out '%s'", idle[i]);
}

static void compile_body(hol__build *build, hol__body *body, hol__node *item) {
    if (item->kind != HOL__MAP) {
        hol__build_error(build, item, "a body is a map of keys such as {mass: 1, inertia: 0.1}");
        return;
    }
    hol__check_keys(build, item, hol__body_keys, NULL, "a body");
    compile_motion(build, body, item);
    body->weight = hol__read_number(build, item, hol__body_keys, "weight");
    compile_pose(build, body, item);
    compile_velocity(build, body, item);
    body->cut = hol__read_bool(build, item, hol__body_keys, "cut") != 0;
    compile_fix(build, item, "fix", body->fix);
    compile_fix(build, item, "fix_velocity", body->fix_velocity);
    hol__compile_body_gains(build, body, item);
}

/* ---- in which order ---- */

/* A body may be drawn at a point of another one, wherever that stands in the file: what is needed
 * is compiled first. */
enum { OPEN, BUSY, DONE, MOST_DEEP = 200 };

typedef struct hol__body_order {
    hol__node **item;
    unsigned char *state;
    int depth;
} body_order;

/* Compile body i unless that has been done; 0 when it is needed for its own place. */
static int visit_body(hol__build *build, int i, const hol__node *node) {
    body_order *order = build->body_order;
    const hol__body *body = i < build->model->nb ? &build->model->bodies[i] : NULL;
    if (!body || order->state[i] == DONE) return 1;
    if (order->state[i] == BUSY || order->depth >= MOST_DEEP) {
        hol__build_error(build, node,
                         order->state[i] == BUSY
                             ? "the place of %s depends on itself"
                             : "bodies are drawn on others too many deep; put %s before those that "
                               "are drawn on it",
                         body->label);
        return 0;
    }
    const char *element = build->element;
    order->state[i] = BUSY;
    order->depth++;
    build->element = body->label;
    compile_body(build, &build->model->bodies[i], order->item[i]);
    build->element = element;
    order->depth--;
    order->state[i] = DONE;
    return 1;
}

static void compile_in_order(hol__build *build, hol__node *section) {
    const int n = section->count;
    body_order order = {HOL__NEW_N(build->arena, hol__node *, n),
                        HOL__NEW_N(build->arena, unsigned char, n), 0};
    if (!order.item || !order.state) return;
    int k = 0;
    for (hol__node *item = section->first; item; item = item->next) order.item[k++] = item;
    build->body_order = &order;
    build->on_body = visit_body;
    for (int i = 0; i < n && !hol__has_enough_errors(build); i++) visit_body(build, i, NULL);
    build->on_body = NULL;
    build->body_order = NULL;
}

void hol__compile_bodies(hol__build *build) {
    hol_model *model = build->model;
    hol__node *section = hol__section(build, "bodies");
    const hol__node *given = hol__node_get(build->spec->root, "bodies");
    build->element = NULL;
    if (!section) {
        if (given && given->kind == HOL__NULL)
            hol__build_error(build, given,
                             "the section 'bodies' is empty; a model has at least one body");
        else if (!given)
            hol__build_error(
                build, build->spec->root,
                "a model file needs the key 'bodies' (map), or 'natural', which makes bodies");
        return;
    }
    if (!section->count)
        hol__build_error(build, section,
                         "the section 'bodies' is empty; a model has at least one body");
    model->bodies = HOL__NEW_N(build->arena, hol__body, section->count);
    if (!model->bodies) return;
    for (hol__node *item = section->first; item; item = item->next) {
        hol__body *body = &model->bodies[model->nb];
        body->name = hol__keep(build, item->key);
        hol__model_name(model, HOL__BODIES, body->name, model->nb++);
        body->label = hol__arena_format(build->arena, "body '%s'", item->key);
        body->where = hol__keep_location(build, item->key_at);
        if (strcmp(item->key, "ground") == 0) {
            build->errors++;
            hol__error(build->ctx, &item->key_at, body->label,
                       "the name 'ground' is taken; ground is always there");
        }
    }
    compile_in_order(build, section);
}
