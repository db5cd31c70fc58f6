/* measure_point.c: position, velocity and acceleration of a point of a body, as ground or another
 * body sees them (seen.h). */
#include "element/seen.h"
#include "math/vec3.h"

#include <string.h>

const char *const hol__vector_words[] = {"x", "y", "z", "magnitude", NULL};

const char *hol__axis_component(const hol__build *build, int i) {
    return i < build->model->dim ? hol__vector_words[i] : NULL;
}

int hol__check_component(hol__build *build, const void *params, int component) {
    if (build->model->dim == 3 || component != 2) return 1;
    return hol__field_error(build, params, "component",
                            "there is no component 'z' in the plane; use x, y or magnitude");
}

void hol__put_components(const hol__measure *m, const double values[3], double *out) {
    if (m->component == HOL__MAGNITUDE)
        out[0] = hol__norm3(values);
    else if (m->component >= 0)
        out[0] = values[m->component];
    else
        memcpy(out, values, sizeof(double) * (size_t)m->count);
}

#define KEY_BODY                                                                                   \
    { "body", HOL__KEY_BODY, NULL, NULL, 0, "The body.", NULL, HOL__AT(hol__point_params, body) }
#define KEY_AT                                                                                     \
    {                                                                                              \
        "at", HOL__KEY_POINT, "m", "", 0,                                                          \
            "The point of the body, at the drawn position; default: the origin of its frame.",     \
            NULL, HOL__AT(hol__point_params, at)                                                   \
    }
#define KEY_RELATIVE(words)                                                                        \
    {                                                                                              \
        "relative_to", HOL__KEY_BODY, NULL, "", 0, words, NULL,                                    \
            HOL__AT(hol__point_params, relative_to)                                                \
    }
#define KEY_IN                                                                                     \
    {                                                                                              \
        "in", HOL__KEY_BODY, NULL, "", 0,                                                          \
            "The body along whose axes the components are taken (`ground`: the global axes); "     \
            "default: `relative_to`.",                                                             \
            NULL, HOL__AT(hol__point_params, in)                                                   \
    }
#define KEY_COMPONENT                                                                              \
    {                                                                                              \
        "component", HOL__KEY_CHOICE, NULL, "", 0,                                                 \
            "Only this one, or the length of the vector, as a single column; default: all.",       \
            hol__vector_words, HOL__AT(hol__point_params, component)                               \
    }

static const hol__key position_keys[] = {
    KEY_BODY,
    KEY_AT,
    KEY_RELATIVE("The body that the position is relative to; default: ground."),
    {"from", HOL__KEY_POINT, "m", "", 0,
     "The point of `relative_to` from which it is counted, at the drawn position; default: the "
     "origin of its frame.",
     NULL, HOL__AT(hol__point_params, from)},
    KEY_IN,
    KEY_COMPONENT,
    HOL__KEY_END,
};

static const hol__key rate_keys[] = {
    KEY_BODY,
    KEY_AT,
    KEY_RELATIVE("The body that sees the motion, its own rotation taken out; default: ground."),
    KEY_IN,
    KEY_COMPONENT,
    HOL__KEY_END,
};

/* The columns x, y(, z), or a single one where a component is picked. */
static const char *component(const hol__build *build, const void *params, int i) {
    const hol__point_params *p = params;
    return p->component >= 0 ? hol__scalar_component(build, p, i) : hol__axis_component(build, i);
}

/* A point of a body, or the origin of its frame, as an arm from the mass centre. */
static void place(const hol_model *model, int body, int given, const double at[3], double s[3]) {
    hol__marker marker;
    memset(s, 0, sizeof(double[3]));
    if (given) {
        hol__marker_set(model, body, at, NULL, &marker);
        memcpy(s, marker.s, sizeof marker.s);
    } else if (body < model->nb)
        for (int i = 0; i < 3; i++) s[i] = -model->bodies[body].com[i];
}

const char *hol__frame_name(const hol__build *build, int body) {
    return body < build->model->nb ? build->model->bodies[body].name : "global";
}

/* body[0]: whose point; body[1]: who sees it; body[2]: whose axes. */
static void compile(hol__build *build, hol__measure *m, const void *params) {
    const hol__point_params *p = params;
    m->body[0] = p->body;
    m->body[1] = p->relative_to;
    m->body[2] = hol__is_given(p, "in") ? p->in : p->relative_to;
    m->component = p->component;
    m->choice = hol__is_given(p, "relative_to") || hol__is_given(p, "from") ||
                hol__is_given(p, "in"); /* not simply global */
    m->frame = hol__frame_name(build, m->body[2]);
    if (!hol__check_component(build, p, p->component)) return;
    if (p->body == p->relative_to && p->body < build->model->nb)
        hol__field_error(build, p, "relative_to", "a body does not move relative to itself");
    place(build->model, p->body, hol__is_given(p, "at"), p->at, m->marker[0].s);
    place(build->model, p->relative_to, hol__is_given(p, "from"), p->from, m->marker[1].s);
}

/* What is not counted from the global origin in global axes says so: it is no place to draw. */
static void describe_position(hol__build *build, const hol__measure *m, int i, hol_column *out) {
    const hol__point_params *p = (const void *)m->params;
    const int nb = build->model->nb;
    (void)i;
    if (p->relative_to < nb || m->body[2] < nb || hol__is_given(p, "from"))
        out->doc = "Position of a point of a body relative to a point of another body.";
}

static void eval(const hol__measure *m, const hol__measure_args *args, int order, double *out) {
    double x[3][3];
    if (m->choice)
        hol__seen_motion(args, m->body[0], m->marker[0].s, m->body[1], m->marker[1].s, order, x);
    else
        hol__point_motion(args, m->body[0], m->marker[0].s, order, x);
    if (m->choice) hol__write_in(args, m->body[2], x[order]);
    hol__put_components(m, x[order], out);
}

static void eval_position(const hol__measure *m, const hol__measure_args *args, double *out) {
    eval(m, args, 0, out);
}

static void eval_velocity(const hol__measure *m, const hol__measure_args *args, double *out) {
    eval(m, args, 1, out);
}

static void eval_acceleration(const hol__measure *m, const hol__measure_args *args, double *out) {
    eval(m, args, 2, out);
}

static const hol__measure_type position_type = {HOL__LEVEL_POS, eval_position};
static const hol__measure_type velocity_type = {HOL__LEVEL_VEL, eval_velocity};
static const hol__measure_type acceleration_type = {HOL__LEVEL_ACC, eval_acceleration};

const hol__element_type hol__measure_position = {
    .section = "measures",
    .name = "position",
    .title = "Position of a point of a body, in space or relative to another body.",
    .example = "  tip: {type: position, body: rod, at: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = position_keys,
    .size = sizeof(hol__point_params),
    .measure = &position_type,
    .unit = "m",
    .compile_measure = compile,
    .component = component,
    .describe = describe_position,
};

const hol__element_type hol__measure_velocity = {
    .section = "measures",
    .name = "velocity",
    .title = "Velocity of a point of a body, in space or as another body sees it.",
    .equations = "v = V_P - V_O - w x (P - O), O and w of the body `relative_to`",
    .example = "  tip_speed: {type: velocity, body: rod, at: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = rate_keys,
    .size = sizeof(hol__point_params),
    .measure = &velocity_type,
    .unit = "m/s",
    .compile_measure = compile,
    .component = component,
};

const hol__element_type hol__measure_acceleration = {
    .section = "measures",
    .name = "acceleration",
    .title = "Acceleration of a point of a body, in space or as another body sees it.",
    .equations = "a = A_P - A_O - w' x d - w x (w x d) - 2 w x v, d = P - O",
    .example = "  tip_acceleration: {type: acceleration, body: rod, at: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = rate_keys,
    .size = sizeof(hol__point_params),
    .measure = &acceleration_type,
    .unit = "m/s^2",
    .compile_measure = compile,
    .component = component,
};
