/* measure_motion.c: position, velocity and acceleration of a point; angle, angular velocity and orientation of a body; distance.
 *
 * All in the global frame unless the measure says otherwise.
 */
#include "element/joints.h"
#include "element/kinematics.h"
#include "math/quat.h"

#include <string.h>

static const char *const axes[] = {"x", "y", "z", NULL};

#define KEY_COMPONENT(list)                                                                        \
    {                                                                                              \
        "component", HOL__KEY_CHOICE, NULL, "", 0,                                                 \
            "Only this one, as a single column; all when left out.", list                          \
    }

/* The columns x, y(, z), or a single one when the item picks a component. */
static const char *vector_component(const hol__build *build, const hol__node *item, int i) {
    if (hol__node_get(item, "component")) return i == 0 ? "" : NULL;
    return i < build->model->dim ? axes[i] : NULL;
}

static const char *scalar_component(const hol__build *build, const hol__node *item, int i) {
    (void)build, (void)item;
    return i == 0 ? "" : NULL;
}

/* Keep the picked component of values, or all of them. */
static void put(const hol__measure *m, const double *values, double *out) {
    if (m->component >= 0)
        out[0] = values[m->component];
    else
        memcpy(out, values, sizeof(double) * (size_t)m->count);
}

/* component: -1 when left out; refuses z in the plane. */
static void read_component(hol__build *build, hol__measure *m, hol__node *item,
                           const hol__key *keys, int limit) {
    hol__node *node = hol__node_get(item, "component");
    m->component = node ? hol__read_choice(build, item, keys, "component") : -1;
    if (m->component >= limit)
        hol__build_error(build, node, "there is no component '%s' in the plane", node->text);
}

/* ---- points ---- */

static const hol__key point_keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body.", NULL},
    {"at", HOL__KEY_POINT, "m", "", 0,
     "The point of the body, at the drawn position; the origin of its frame when left out.", NULL},
    KEY_COMPONENT(axes),
    HOL__KEY_END,
};

static void compile_point(hol__build *build, hol__measure *m, hol__node *item) {
    double at[3];
    const int errors = build->errors;
    m->body[0] = hol__read_body(build, item, point_keys, "body");
    const int has_point = hol__read_point(build, item, point_keys, "at", at);
    read_component(build, m, item, point_keys, build->model->dim);
    if (build->errors > errors) return;
    if (has_point)
        hol__marker_set(build->model, m->body[0], at, NULL, &m->marker[0]);
    else if (m->body[0] < build->model->nb)
        for (int i = 0; i < 3; i++) m->marker[0].s[i] = -build->model->bodies[m->body[0]].com[i];
}

/* Position, velocity or acceleration of the point of the measure. */
static void point_motion(const hol__measure *m, const hol__measure_args *args, int order,
                         double out[3]) {
    const double *s = m->marker[0].s;
    if (args->bodies.b2) {
        const hol__body2 *b = &args->bodies.b2[m->body[0]];
        const double *a = args->acc + 3 * m->body[0];
        double u[2];
        hol__arm2(b, s, u);
        for (int i = 0; i < 2; i++) {
            const double Ju = i == 0 ? -u[1] : u[0];
            out[i] = order == 0   ? b->r[i] + u[i]
                     : order == 1 ? b->v[i] + b->w * Ju
                                  : a[i] + a[2] * Ju - b->w * b->w * u[i];
        }
        out[2] = 0;
        return;
    }
    const hol__body3 *b = &args->bodies.b3[m->body[0]];
    const double *a = args->acc + 6 * m->body[0];
    double P[3], V[3], ws[3], wws[3], as[3], sum[3], u[3];
    hol__point_of3(b, s, P, V);
    if (order < 2) {
        memcpy(out, order ? V : P, sizeof P);
        return;
    }
    hol__cross3(b->w, s, ws);
    hol__cross3(b->w, ws, wws);
    hol__cross3(a + 3, s, as);
    hol__add3(wws, as, sum);
    hol__mul3(b->R, sum, u);
    hol__add3(a, u, out);
}

static void eval_position(const hol__measure *m, const hol__measure_args *args, double *out) {
    double values[3];
    point_motion(m, args, 0, values);
    put(m, values, out);
}

static void eval_velocity(const hol__measure *m, const hol__measure_args *args, double *out) {
    double values[3];
    point_motion(m, args, 1, values);
    put(m, values, out);
}

static void eval_acceleration(const hol__measure *m, const hol__measure_args *args, double *out) {
    double values[3];
    point_motion(m, args, 2, values);
    put(m, values, out);
}

static const hol__measure_type position_type = {HOL__LEVEL_POS, eval_position};
static const hol__measure_type velocity_type = {HOL__LEVEL_VEL, eval_velocity};
static const hol__measure_type acceleration_type = {HOL__LEVEL_ACC, eval_acceleration};

const hol__element_type hol__measure_position = {
    .section = "measures",
    .name = "position",
    .title = "Position of a point of a body.",
    .example = "  tip: {type: position, body: rod, at: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = point_keys,
    .measure = &position_type,
    .unit = "m",
    .compile_measure = compile_point,
    .component = vector_component,
};

const hol__element_type hol__measure_velocity = {
    .section = "measures",
    .name = "velocity",
    .title = "Velocity of a point of a body.",
    .example = "  tip_speed: {type: velocity, body: rod, at: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = point_keys,
    .measure = &velocity_type,
    .unit = "m/s",
    .compile_measure = compile_point,
    .component = vector_component,
};

const hol__element_type hol__measure_acceleration = {
    .section = "measures",
    .name = "acceleration",
    .title = "Acceleration of a point of a body.",
    .example = "  tip_acceleration: {type: acceleration, body: rod, at: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = point_keys,
    .measure = &acceleration_type,
    .unit = "m/s^2",
    .compile_measure = compile_point,
    .component = vector_component,
};

/* ---- angle ---- */

static const hol__key angle_keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body.", NULL},
    {"relative_to", HOL__KEY_BODY, NULL, "", 0,
     "The body against which it is counted; ground when left out.", NULL},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, HOL__IN_SPACE,
     "The axis at the drawn position; the angle is the part of the relative rotation about it, 0 "
     "as drawn.",
     NULL},
    HOL__KEY_END,
};

static void compile_angle(hol__build *build, hol__measure *m, hol__node *item) {
    const int errors = build->errors;
    double axis[3] = {0, 0, 1}, p[4];
    m->body[1] = hol__read_body(build, item, angle_keys, "body");
    m->body[0] = hol__read_body(build, item, angle_keys, "relative_to");
    if (build->model->dim == 2) return;
    hol__read_direction(build, item, angle_keys, "axis", axis);
    if (build->errors > errors) return;
    static const double origin[3] = {0, 0, 0};
    hol__frame_along(axis, NULL, p);
    for (int i = 0; i < 2; i++) hol__marker_set(build->model, m->body[i], origin, p, &m->marker[i]);
    m->angle = hol__track_angle(build, m->body, m->marker);
}

static void eval_angle(const hol__measure *m, const hol__measure_args *args, double *out) {
    out[0] = args->bodies.b2 ? args->bodies.b2[m->body[1]].theta - args->bodies.b2[m->body[0]].theta
                             : args->angles[m->angle];
}

static const hol__measure_type angle_type = {HOL__LEVEL_POS, eval_angle};

const hol__element_type hol__measure_angle = {
    .section = "measures",
    .name = "angle",
    .title = "Angle of a body in the plane, or its rotation about an axis in space, counted over "
             "full turns.",
    .example = "  rod_angle: {type: angle, body: rod}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = angle_keys,
    .measure = &angle_type,
    .unit = "rad",
    .compile_measure = compile_angle,
    .component = scalar_component,
};

/* ---- angular velocity ---- */

static const char *const frames[] = {"global", "body", NULL};

static const hol__key omega_keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body.", NULL},
    {"frame", HOL__KEY_CHOICE, NULL, "global", HOL__IN_SPACE, "The frame of the components.",
     frames},
    {"component", HOL__KEY_CHOICE, NULL, "", HOL__IN_SPACE, "Only this one; all when left out.",
     axes},
    HOL__KEY_END,
};

static void compile_omega(hol__build *build, hol__measure *m, hol__node *item) {
    m->body[0] = hol__read_body(build, item, omega_keys, "body");
    m->choice = hol__read_choice(build, item, omega_keys, "frame");
    read_component(build, m, item, omega_keys, 3);
    if (m->choice) m->frame = "body";
}

static void eval_omega(const hol__measure *m, const hol__measure_args *args, double *out) {
    double values[3];
    if (args->bodies.b2) {
        out[0] = args->bodies.b2[m->body[0]].w;
        return;
    }
    const hol__body3 *b = &args->bodies.b3[m->body[0]];
    if (m->choice)
        memcpy(values, b->w, sizeof values);
    else
        hol__mul3(b->R, b->w, values);
    put(m, values, out);
}

static const char *omega_component(const hol__build *build, const hol__node *item, int i) {
    return build->model->dim == 2 ? scalar_component(build, item, i)
                                  : vector_component(build, item, i);
}

static const hol__measure_type omega_type = {HOL__LEVEL_VEL, eval_omega};

const hol__element_type hol__measure_omega = {
    .section = "measures",
    .name = "angular_velocity",
    .title = "Angular velocity of a body.",
    .example = "  spin: {type: angular_velocity, body: rod}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = omega_keys,
    .measure = &omega_type,
    .unit = "rad/s",
    .compile_measure = compile_omega,
    .component = omega_component,
};

/* ---- orientation ---- */

static const hol__key orientation_keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body.", NULL},
    HOL__KEY_END,
};

static void compile_orientation(hol__build *build, hol__measure *m, hol__node *item) {
    m->body[0] = hol__read_body(build, item, orientation_keys, "body");
}

static void eval_orientation(const hol__measure *m, const hol__measure_args *args, double *out) {
    memcpy(out, args->bodies.b3[m->body[0]].p, 4 * sizeof(double));
}

static const char *orientation_component(const hol__build *build, const hol__node *item, int i) {
    static const char *const names[] = {"w", "x", "y", "z"};
    (void)build, (void)item;
    return i < 4 ? names[i] : NULL;
}

static const hol__measure_type orientation_type = {HOL__LEVEL_POS, eval_orientation};

const hol__element_type hol__measure_orientation = {
    .section = "measures",
    .name = "orientation",
    .title = "Orientation of a body as a unit quaternion (scalar first).",
    .example = "  attitude: {type: orientation, body: rod}",
    .spaces = HOL__IN_SPACE,
    .keys = orientation_keys,
    .measure = &orientation_type,
    .unit = "",
    .compile_measure = compile_orientation,
    .component = orientation_component,
};

/* ---- distance ---- */

static const char *const lengths[] = {"length", "rate", NULL};

static const hol__key distance_keys[] = {
    HOL__KEY_PAIR,
    {"from", HOL__KEY_POINT, "m", NULL, 0, "The point on the first body, at the drawn position.",
     NULL},
    {"to", HOL__KEY_POINT, "m", NULL, 0, "The point on the second body, at the drawn position.",
     NULL},
    {"component", HOL__KEY_CHOICE, NULL, "length", 0, "The distance, or its rate.", lengths},
    HOL__KEY_END,
};

static void compile_distance(hol__build *build, hol__measure *m, hol__node *item) {
    double from[3], to[3];
    hol__read_bodies(build, item, distance_keys, "bodies", m->body);
    hol__read_point(build, item, distance_keys, "from", from);
    hol__read_point(build, item, distance_keys, "to", to);
    m->choice = hol__read_choice(build, item, distance_keys, "component");
    if (m->choice) m->level = HOL__LEVEL_VEL, m->unit = "m/s";
    hol__marker_set(build->model, m->body[0], from, NULL, &m->marker[0]);
    hol__marker_set(build->model, m->body[1], to, NULL, &m->marker[1]);
}

static void eval_distance(const hol__measure *m, const hol__measure_args *args, double *out) {
    double d[3] = {0, 0, 0}, e[3] = {0, 0, 0};
    if (args->bodies.b2) {
        double u1[2], u2[2];
        hol__arm2(&args->bodies.b2[m->body[0]], m->marker[0].s, u1);
        hol__arm2(&args->bodies.b2[m->body[1]], m->marker[1].s, u2);
        hol__gap2(&args->bodies.b2[m->body[0]], u1, &args->bodies.b2[m->body[1]], u2, d, e);
    } else
        hol__gap3(&args->bodies.b3[m->body[0]], m->marker[0].s, &args->bodies.b3[m->body[1]],
                  m->marker[1].s, d, e);
    const double l = hol__norm3(d);
    out[0] = !m->choice ? l : l > 0 ? hol__dot3(d, e) / l : 0;
}

static const hol__measure_type distance_type = {HOL__LEVEL_POS, eval_distance};

const hol__element_type hol__measure_distance = {
    .section = "measures",
    .name = "distance",
    .title = "Distance of two points, or its rate.",
    .example = "  gap: {type: distance, bodies: [ground, rod], from: [0, 1], to: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = distance_keys,
    .measure = &distance_type,
    .unit = "m",
    .compile_measure = compile_distance,
    .component = scalar_component,
};
