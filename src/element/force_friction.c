/* force_friction.c: friction in a joint, regularised Coulomb with viscous part, or LuGre with a
 * bristle state. [CO95]
 *
 *     g(v) = Fc + (Fs - Fc) exp(-(v/vs)^2)
 *     Fc: level, Fs: static level, vs: Stribeck speed;  v: rate of the coordinate
 *     coulomb   F = g(v) tanh(v/slip) + c v
 *     lugre     z' = v - s0 |v| z / g(v),   F = s0 z + s1 z' + c v
 *
 * -F acts along the coordinate; all of it counts as power, -F v (also what the bristles store).
 */
#include "element/span.h"
#include "element/forces.h"

#include <math.h>

typedef struct friction {
    int element;
    hol__travel x;
    hol__law level, level_static;
    int has_static;
    double stribeck, slip, c;
    double s0, s1;
    int state; /* index of the bristle, -1: Coulomb */
} friction;

static const char *const locals[] = {"coordinate", "rate", NULL};

/* F of the bristle; writes its rate. */
static double lugre(const friction *rec, double g, double v, hol__force_args *args) {
    const double z = args->aux[rec->state];
    const double zdot = g > 0 ? v - rec->s0 * fabs(v) * z / g : 0;
    args->aux_rate[rec->state] = zdot;
    return rec->s0 * z + rec->s1 * zdot;
}

static void fill(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const friction *rec = (const friction *)records + i;
        double x, v;
        hol__travel_get(&rec->x, args, &x, &v);
        args->inputs[args->local] = x;
        args->inputs[args->local + 1] = v;
        double g = hol__law_value(&rec->level, args->inputs, args->scratch);
        if (rec->has_static) {
            const double s = v / rec->stribeck;
            g +=
                (hol__law_value(&rec->level_static, args->inputs, args->scratch) - g) * exp(-s * s);
        }
        const double F =
            rec->c * v + (rec->state < 0 ? g * tanh(v / rec->slip) : lugre(rec, g, v, args));
        hol__travel_act(&rec->x, args, -F);
        hol__travel_tell(args, x, v, -F);
        args->power -= F * v;
    }
}

/* -F along the gradient of the coordinate, in dual numbers; |v| has no derivative at 0. */
static hol__dual along(const void *record, hol__dual_args *args, hol__dual x, hol__dual v) {
    const friction *rec = record;
    const hol__dual local[2] = {x, v};
    hol__dual g = hol__dual_law(&rec->level, args, 2, local), F;
    if (rec->has_static) {
        const double s = v.f / rec->stribeck, fade = exp(-s * s);
        const hol__dual more =
            hol__dual_add(hol__dual_law(&rec->level_static, args, 2, local), -1, g);
        const hol__dual k = {fade, -2 * s * fade * v.d / rec->stribeck};
        g = hol__dual_add(g, 1, hol__dual_mul(more, k));
    }
    if (rec->state < 0) {
        const double t = tanh(v.f / rec->slip);
        F = hol__dual_mul(g, (hol__dual){t, (1 - t * t) * v.d / rec->slip});
    } else {
        const hol__dual size = {fabs(v.f), v.f < 0 ? -v.d : v.f > 0 ? v.d : 0};
        const hol__dual pull = hol__dual_over(hol__dual_mul(size, args->state[0]), g);
        const hol__dual zdot = g.f > 0 ? hol__dual_add(v, -rec->s0, pull) : (hol__dual){0, 0};
        args->rate[0] = zdot;
        F = (hol__dual){rec->s0 * args->state[0].f + rec->s1 * zdot.f,
                        rec->s0 * args->state[0].d + rec->s1 * zdot.d};
    }
    F = hol__dual_add(F, rec->c, v);
    return (hol__dual){-F.f, -F.d};
}

static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__span x;
    hol__span_travel(&((const friction *)record)->x, args, &x);
    hol__span_tangent(record, args, &x, along, out);
}

static const hol__force_type friction_type = {
    .name = "joint friction", .size = sizeof(friction), .fill = fill, .tangent = tangent};

static const char *const models[] = {"coulomb", "lugre", NULL};

typedef struct friction_params {
    hol__params head;
    hol__travel_fields travel;
    int model;
    hol__law level, level_static;
    double stribeck_speed, slip_speed, viscous;
    double bristle_stiffness, bristle_damping;
} friction_params;

static const char *const *local_units(const hol__build *build, const void *params) {
    return hol__travel_units(build, &((const friction_params *)params)->travel);
}

static const hol__key keys[] = {
    HOL__KEY_TRAVEL(friction_params),
    {"model", HOL__KEY_CHOICE, NULL, "coulomb", 0,
     "Regularised Coulomb friction, which creeps while it sticks, or LuGre, which does not.",
     models, HOL__AT(friction_params, model)},
    {"level", HOL__KEY_LAW, NULL, NULL, HOL__NOT_NEGATIVE,
     "Fc, friction while sliding: N for a displacement, N*m for an angle (coefficient times load, "
     "times radius); may use `coordinate` and "
     "`rate`.",
     NULL, HOL__LAW_BY(friction_params, level, locals, local_units)},
    {"level_static", HOL__KEY_LAW, NULL, "", HOL__NOT_NEGATIVE,
     "Fs, friction at rest; default: as `level`.", NULL,
     HOL__LAW_BY(friction_params, level_static, locals, local_units)},
    {"stribeck_speed", HOL__KEY_NUMBER, NULL, "0.01", HOL__POSITIVE,
     "vs, over which friction falls from Fs to Fc.", NULL,
     HOL__AT(friction_params, stribeck_speed)},
    {"slip_speed", HOL__KEY_NUMBER, NULL, "0.001", HOL__POSITIVE,
     "Coulomb: friction is Fc tanh(v/slip_speed), full above some three times this speed.", NULL,
     HOL__AT(friction_params, slip_speed)},
    {"viscous", HOL__KEY_NUMBER, NULL, "0", HOL__NOT_NEGATIVE,
     "c, the part that is proportional to the speed.", NULL, HOL__AT(friction_params, viscous)},
    {"bristle_stiffness", HOL__KEY_NUMBER, NULL, "", HOL__POSITIVE, "LuGre: s0.", NULL,
     HOL__AT(friction_params, bristle_stiffness)},
    {"bristle_damping", HOL__KEY_NUMBER, NULL, "0", HOL__NOT_NEGATIVE, "LuGre: s1.", NULL,
     HOL__AT(friction_params, bristle_damping)},
    HOL__KEY_END,
};

/* Units of what acts in an angle, and in a displacement. */
static void check_units(hol__build *build, const friction_params *p, int slides) {
    static const char *const units[][3] = {
        {"level", "N*m", "N"},
        {"level_static", "N*m", "N"},
        {"stribeck_speed", "rad/s", "m/s"},
        {"slip_speed", "rad/s", "m/s"},
        {"viscous", "N*m*s/rad", "N*s/m"},
        {"bristle_stiffness", "N*m/rad", "N/m"},
        {"bristle_damping", "N*m*s/rad", "N*s/m"},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        hol__field_unit(build, p, units[i][0], units[i][slides ? 2 : 1]);
}

/* Fields of the other model are refused, and a speed of something that is not there. */
static void check_model(hol__build *build, const friction_params *p) {
    static const char *const of_lugre[] = {"bristle_stiffness", "bristle_damping"};
    for (int i = 0; i < 2; i++)
        if (!p->model && hol__is_given(p, of_lugre[i]))
            hol__field_error(build, p, of_lugre[i], "'%s' belongs to model: lugre", of_lugre[i]);
    if (p->model && hol__is_given(p, "slip_speed"))
        hol__field_error(build, p, "slip_speed", "'slip_speed' belongs to model: coulomb");
    if (hol__is_given(p, "stribeck_speed") && !hol__is_given(p, "level_static"))
        hol__field_error(build, p, "stribeck_speed",
                         "'stribeck_speed' has a meaning only beside 'level_static'");
    if (p->model && !hol__is_given(p, "bristle_stiffness"))
        hol__field_error(build, p, NULL, "the model lugre needs 'bristle_stiffness'");
}

static void compile(hol__build *build, hol__element *force, const void *params) {
    const friction_params *p = params;
    const int errors = build->errors;
    friction s = {.level = p->level,
                  .level_static = p->level_static,
                  .has_static = hol__is_given(p, "level_static"),
                  .stribeck = p->stribeck_speed,
                  .slip = p->slip_speed,
                  .c = p->viscous,
                  .s0 = p->bristle_stiffness,
                  .s1 = p->bristle_damping,
                  .state = -1};
    check_model(build, p);
    if (hol__travel_set(build, force, p, &p->travel, &s.x)) check_units(build, p, s.x.slides);
    if (build->errors > errors) return;
    if (p->model) {
        s.state = hol__add_state(build, 0);
        if (s.state < 0) return;
    }
    friction *rec = hol__add_force(build, force, &friction_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity quantities[] = {
    HOL__QUANTITIES_TRAVEL,
    HOL__QUANTITY_END,
};

const hol__element_type hol__force_friction = {
    .section = "forces",
    .name = "friction",
    .title = "Friction in a joint: regularised Coulomb with a viscous part, or LuGre.",
    .equations = "F = g tanh(v/slip) + c v, or F = s0 z + s1 z' + c v with z' = v - s0 |v| z/g;  g "
                 "= Fc + (Fs - Fc) exp(-(v/vs)^2)",
    .example = "  drag: {type: friction, joint: A, level: 0.4, slip_speed: 0.05, viscous: 0.02}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .size = sizeof(friction_params),
    .quantities = quantities,
    .compile_element = compile,
};
