/* measure_motion.c: angle, orientation, momentum and angular momentum of a body; distance.
 *
 * All in the global frame.
 */
#include "element/kinematics.h"
#include "element/measures.h"
#include "math/quat.h"

#include <string.h>

/* ---- angle ---- */

static const hol__key angle_keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body.", NULL, HOL__AT(hol__angle_params, body)},
    {"relative_to", HOL__KEY_BODY, NULL, "", 0,
     "The body against which it is counted; default: ground.", NULL,
     HOL__AT(hol__angle_params, relative_to)},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, HOL__IN_SPACE,
     "The axis at the drawn position; the angle is the part of the relative rotation about it, 0 "
     "as drawn.",
     NULL, HOL__AT(hol__angle_params, axis)},
    HOL__KEY_END,
};

static void compile_angle(hol__build *build, hol__measure *m, const void *params) {
    const hol__angle_params *p = params;
    static const double origin[3] = {0, 0, 0};
    double frame[4];
    m->body[1] = p->body;
    m->body[0] = p->relative_to;
    if (build->model->dim == 2) return;
    hol__frame_along(p->axis, NULL, frame);
    for (int i = 0; i < 2; i++)
        hol__marker_set(build->model, m->body[i], origin, frame, &m->marker[i]);
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
    .size = sizeof(hol__angle_params),
    .measure = &angle_type,
    .unit = "rad",
    .compile_measure = compile_angle,
    .component = hol__scalar_component,
};

/* ---- orientation ---- */

typedef struct orientation_params {
    hol__params head;
    int body;
} orientation_params;

static const hol__key orientation_keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body.", NULL, HOL__AT(orientation_params, body)},
    HOL__KEY_END,
};

static void compile_orientation(hol__build *build, hol__measure *m, const void *params) {
    const orientation_params *p = params;
    (void)build;
    m->body[0] = p->body;
}

static void eval_orientation(const hol__measure *m, const hol__measure_args *args, double *out) {
    memcpy(out, args->bodies.b3[m->body[0]].p, 4 * sizeof(double));
}

static const char *orientation_component(const hol__build *build, const void *params, int i) {
    static const char *const names[] = {"w", "x", "y", "z"};
    (void)build, (void)params;
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
    .size = sizeof(orientation_params),
    .measure = &orientation_type,
    .unit = "",
    .units = "none",
    .compile_measure = compile_orientation,
    .component = orientation_component,
};

/* ---- momentum ---- */

typedef struct momentum_params {
    hol__params head;
    int body;
    double about[3];
    int component;
} momentum_params;

#define MOMENTUM_BODY                                                                              \
    {                                                                                              \
        "body", HOL__KEY_BODY, NULL, NULL, 0, "The body; a sum over several is an expression.",    \
            NULL, HOL__AT(momentum_params, body)                                                   \
    }

static const hol__key momentum_keys[] = {
    MOMENTUM_BODY,
    {"component", HOL__KEY_CHOICE, NULL, "", 0,
     "Only this one, or the length of the vector, as a single column; default: all.",
     hol__vector_words, HOL__AT(momentum_params, component)},
    HOL__KEY_END,
};

static const hol__key spin_keys[] = {
    MOMENTUM_BODY,
    {"about", HOL__KEY_POINT, "m", "", 0,
     "The point of space about which it is taken; default: the origin.", NULL,
     HOL__AT(momentum_params, about)},
    {"component", HOL__KEY_CHOICE, NULL, "", HOL__IN_SPACE,
     "Only this one, or the length of the vector; default: all.", hol__vector_words,
     HOL__AT(momentum_params, component)},
    HOL__KEY_END,
};

/* The body, with its masses, and the point in marker[0].s. */
static void compile_momentum(hol__build *build, hol__measure *m, const void *params) {
    const momentum_params *p = params;
    const hol_model *model = build->model;
    m->body[0] = p->body;
    m->component = p->component;
    memcpy(m->marker[0].s, p->about, sizeof p->about);
    if (p->body >= model->nb)
        hol__field_error(build, p, "body", "ground does not move; name a body");
    else if (hol__check_component(build, p, p->component))
        m->of = &model->bodies[p->body];
}

/* p = m v. */
static void eval_momentum(const hol__measure *m, const hol__measure_args *args, double *out) {
    const double *v =
        args->bodies.b2 ? args->bodies.b2[m->body[0]].v : args->bodies.b3[m->body[0]].v;
    double values[3] = {0, 0, 0};
    for (int i = 0; i < (args->bodies.b2 ? 2 : 3); i++) values[i] = m->of->mass * v[i];
    hol__put_components(m, values, out);
}

/* L = (r - about) x m v + J omega. */
static void eval_spin(const hol__measure *m, const hol__measure_args *args, double *out) {
    const double *about = m->marker[0].s, mass = m->of->mass;
    if (args->bodies.b2) {
        const hol__body2 *b = &args->bodies.b2[m->body[0]];
        out[0] = mass * ((b->r[0] - about[0]) * b->v[1] - (b->r[1] - about[1]) * b->v[0]) +
                 m->of->inertia * b->w;
        return;
    }
    const hol__body3 *b = &args->bodies.b3[m->body[0]];
    double d[3], orbit[3], Jw[3], spin[3], values[3];
    for (int i = 0; i < 3; i++) d[i] = mass * (b->r[i] - about[i]);
    hol__cross3(d, b->v, orbit);
    hol__mul3(m->of->J, b->w, Jw);
    hol__mul3(b->R, Jw, spin);
    hol__add3(orbit, spin, values);
    hol__put_components(m, values, out);
}

static const char *momentum_component(const hol__build *build, const void *params, int i) {
    const momentum_params *p = params;
    return p->component >= 0 ? hol__scalar_component(build, p, i) : hol__axis_component(build, i);
}

static const char *spin_component(const hol__build *build, const void *params, int i) {
    return build->model->dim == 2 ? hol__scalar_component(build, params, i)
                                  : momentum_component(build, params, i);
}

static const hol__measure_type momentum_type = {HOL__LEVEL_VEL, eval_momentum};
static const hol__measure_type spin_type = {HOL__LEVEL_VEL, eval_spin};

const hol__element_type hol__measure_momentum = {
    .section = "measures",
    .name = "momentum",
    .title = "Momentum of a body, m v of its mass centre.",
    .example = "  impulse: {type: momentum, body: rod}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = momentum_keys,
    .size = sizeof(momentum_params),
    .measure = &momentum_type,
    .unit = "kg*m/s",
    .compile_measure = compile_momentum,
    .component = momentum_component,
};

const hol__element_type hol__measure_spin = {
    .section = "measures",
    .name = "angular_momentum",
    .title = "Angular momentum of a body about a point of space.",
    .example = "  turning: {type: angular_momentum, body: rod, about: [0.2, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = spin_keys,
    .size = sizeof(momentum_params),
    .measure = &spin_type,
    .unit = "kg*m^2/s",
    .compile_measure = compile_momentum,
    .component = spin_component,
};

/* ---- distance ---- */

static const char *const lengths[] = {"length", "rate", NULL};

static const hol__key distance_keys[] = {
    HOL__KEY_PAIR(hol__gap_params, bodies),
    {"from", HOL__KEY_POINT, "m", NULL, 0, "The point on the first body, at the drawn position.",
     NULL, HOL__AT(hol__gap_params, from)},
    {"to", HOL__KEY_POINT, "m", NULL, 0, "The point on the second body, at the drawn position.",
     NULL, HOL__AT(hol__gap_params, to)},
    {"component", HOL__KEY_CHOICE, NULL, "length", 0, "The distance, or its rate.", lengths,
     HOL__AT(hol__gap_params, component)},
    HOL__KEY_END,
};

static void compile_distance(hol__build *build, hol__measure *m, const void *params) {
    const hol__gap_params *p = params;
    memcpy(m->body, p->bodies, sizeof m->body);
    m->choice = p->component;
    if (m->choice) m->level = HOL__LEVEL_VEL, m->unit = "m/s";
    hol__marker_set(build->model, m->body[0], p->from, NULL, &m->marker[0]);
    hol__marker_set(build->model, m->body[1], p->to, NULL, &m->marker[1]);
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
    .size = sizeof(hol__gap_params),
    .measure = &distance_type,
    .unit = "m",
    .units = "m, of the rate m/s",
    .compile_measure = compile_distance,
    .component = hol__scalar_component,
};
