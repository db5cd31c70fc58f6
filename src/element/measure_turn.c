/* measure_turn.c: angular velocity and angular acceleration of a body, as ground or another body
 * sees them (seen.h). */
#include "element/seen.h"
#include "math/vec3.h"

static const char *const frames[] = {"global", "body", NULL};

typedef struct turn_params {
    hol__params head;
    int body, relative_to, in, frame, component;
} turn_params;

#define KEYS_TURN                                                                                  \
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body.", NULL, HOL__AT(turn_params, body)},         \
        {"relative_to",                                                                            \
         HOL__KEY_BODY,                                                                            \
         NULL,                                                                                     \
         "",                                                                                       \
         0,                                                                                        \
         "The body that sees the rotation; default: ground.",                                      \
         NULL,                                                                                     \
         HOL__AT(turn_params, relative_to)},                                                       \
    {                                                                                              \
        "in", HOL__KEY_BODY, NULL, "", HOL__IN_SPACE,                                              \
            "The body along whose axes the components are taken (`ground`: the global axes); "     \
            "default: `relative_to`.",                                                             \
            NULL, HOL__AT(turn_params, in)                                                         \
    }

#define KEY_COMPONENT                                                                              \
    {                                                                                              \
        "component", HOL__KEY_CHOICE, NULL, "", HOL__IN_SPACE,                                     \
            "Only this one, or the length of the vector; default: all.", hol__vector_words,        \
            HOL__AT(turn_params, component)                                                        \
    }

static const hol__key omega_keys[] = {
    KEYS_TURN,
    {"frame", HOL__KEY_CHOICE, NULL, "global", HOL__IN_SPACE,
     "`body`: along the axes of the body itself, as `in` with its name.", frames,
     HOL__AT(turn_params, frame)},
    KEY_COMPONENT,
    HOL__KEY_END,
};

static const hol__key alpha_keys[] = {KEYS_TURN, KEY_COMPONENT, HOL__KEY_END};

/* body[0]: which; body[1]: who sees it; body[2]: whose axes. */
static void compile(hol__build *build, hol__measure *m, const void *params) {
    const turn_params *p = params;
    m->body[0] = p->body;
    m->body[1] = p->relative_to;
    m->body[2] = p->frame > 0 ? p->body : hol__is_given(p, "in") ? p->in : p->relative_to;
    m->component = p->component;
    m->frame = p->frame > 0 ? frames[p->frame] : hol__frame_name(build, m->body[2]);
    if (hol__is_given(p, "frame") && hol__is_given(p, "in"))
        hol__field_error(build, p, "in", "give `in` or `frame`, not both");
    if (p->body == p->relative_to && p->body < build->model->nb)
        hol__field_error(build, p, "relative_to", "a body does not turn relative to itself");
}

/* w_1 - w (order 1), or its rate as the second body sees it. */
static void eval(const hol__measure *m, const hol__measure_args *args, int order, double *out) {
    hol__turning t[2];
    double w[3], alpha[3], swing[3];
    for (int i = 0; i < 2; i++) hol__turning_of(args, m->body[i], order, &t[i]);
    hol__sub3(t[0].w, t[1].w, w);
    if (order == 2) {
        hol__sub3(t[0].alpha, t[1].alpha, alpha);
        hol__cross3(t[1].w, w, swing);
        hol__sub3(alpha, swing, w);
    }
    if (args->bodies.b2) {
        out[0] = w[2];
        return;
    }
    hol__write_in(args, m->body[2], w);
    hol__put_components(m, w, out);
}

static void eval_omega(const hol__measure *m, const hol__measure_args *args, double *out) {
    eval(m, args, 1, out);
}

static void eval_alpha(const hol__measure *m, const hol__measure_args *args, double *out) {
    eval(m, args, 2, out);
}

static const char *component(const hol__build *build, const void *params, int i) {
    const turn_params *p = params;
    return build->model->dim == 2 || p->component >= 0 ? hol__scalar_component(build, p, i)
                                                       : hol__axis_component(build, i);
}

static const hol__measure_type omega_type = {HOL__LEVEL_VEL, eval_omega};
static const hol__measure_type alpha_type = {HOL__LEVEL_ACC, eval_alpha};

const hol__element_type hol__measure_omega = {
    .section = "measures",
    .name = "angular_velocity",
    .title = "Angular velocity of a body, in space or relative to another body.",
    .example = "  spin: {type: angular_velocity, body: rod}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = omega_keys,
    .size = sizeof(turn_params),
    .measure = &omega_type,
    .unit = "rad/s",
    .compile_measure = compile,
    .component = component,
};

const hol__element_type hol__measure_alpha = {
    .section = "measures",
    .name = "angular_acceleration",
    .title = "Angular acceleration of a body, in space or as another body sees it.",
    .equations = "w_1' - w' - w x (w_1 - w), w of the body `relative_to`",
    .example = "  spin_up: {type: angular_acceleration, body: rod}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = alpha_keys,
    .size = sizeof(turn_params),
    .measure = &alpha_type,
    .unit = "rad/s^2",
    .compile_measure = compile,
    .component = component,
};
