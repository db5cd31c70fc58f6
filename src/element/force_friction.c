/* force_friction.c: friction in a joint, regularised Coulomb with viscous part, or LuGre with a bristle state. [CO95]
 *
 *     g(v) = Fc + (Fs - Fc) exp(-(v/vs)^2)          Fc: level, Fs: static level, vs: Stribeck speed;  v: rate of the coordinate
 *     coulomb   F = g(v) tanh(v/slip) + c v
 *     lugre     z' = v - s0 |v| z / g(v),   F = s0 z + s1 z' + c v
 *
 * -F acts along the coordinate; all of it counts as power, -F v (also what the bristles store).
 */
#include "element/travel.h"
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
        args->power -= F * v;
    }
}

static const hol__force_type friction_type = {"joint friction", sizeof(friction), fill, NULL};

static const char *const models[] = {"coulomb", "lugre", NULL};

static const hol__key keys[] = {
    HOL__KEY_TRAVEL,
    {"model", HOL__KEY_CHOICE, NULL, "coulomb", 0,
     "Regularised Coulomb friction, which creeps while it sticks, or LuGre, which does not.",
     models},
    {"level", HOL__KEY_LAW, NULL, NULL, HOL__NOT_NEGATIVE,
     "Fc, friction while sliding: N for a displacement, N*m for an angle (coefficient times load, "
     "times radius); may use `coordinate` and "
     "`rate`.",
     NULL},
    {"level_static", HOL__KEY_LAW, NULL, "", HOL__NOT_NEGATIVE,
     "Fs, friction at rest; as `level` when left out.", NULL},
    {"stribeck_speed", HOL__KEY_NUMBER, NULL, "0.01", HOL__POSITIVE,
     "vs, over which friction falls from Fs to Fc.", NULL},
    {"slip_speed", HOL__KEY_NUMBER, NULL, "0.001", HOL__POSITIVE,
     "Coulomb: friction is Fc tanh(v/slip_speed), full above some three times this speed.", NULL},
    {"viscous", HOL__KEY_NUMBER, NULL, "0", HOL__NOT_NEGATIVE,
     "c, the part that is proportional to the speed.", NULL},
    {"bristle_stiffness", HOL__KEY_NUMBER, NULL, "", HOL__POSITIVE, "LuGre: s0.", NULL},
    {"bristle_damping", HOL__KEY_NUMBER, NULL, "0", HOL__NOT_NEGATIVE, "LuGre: s1.", NULL},
    HOL__KEY_END,
};

/* Units in an angle, in a displacement, and in neither. */
enum { LOAD, SPEED, STIFFNESS, DAMPING };
static const char *const units[3][4] = {{"N*m", "rad/s", "N*m/rad", "N*m*s/rad"},
                                        {"N", "m/s", "N/m", "N*s/m"},
                                        {NULL, NULL, NULL, NULL}};

/* Keys of the other model are refused, and a speed of something that is not there. */
static void check_model(hol__build *build, hol__node *item, int is_lugre) {
    static const char *const of_lugre[] = {"bristle_stiffness", "bristle_damping"};
    hol__node *slip = hol__node_get(item, "slip_speed");
    for (int i = 0; i < 2; i++)
        if (!is_lugre && hol__node_get(item, of_lugre[i]))
            hol__build_error(build, hol__node_get(item, of_lugre[i]),
                             "'%s' belongs to model: lugre", of_lugre[i]);
    if (is_lugre && slip) hol__build_error(build, slip, "'slip_speed' belongs to model: coulomb");
    if (hol__node_get(item, "stribeck_speed") && !hol__node_get(item, "level_static"))
        hol__build_error(build, hol__node_get(item, "stribeck_speed"),
                         "'stribeck_speed' has a meaning only beside 'level_static'");
    if (is_lugre && !hol__node_get(item, "bristle_stiffness"))
        hol__build_error(build, item, "the model lugre needs 'bristle_stiffness'");
}

static void compile(hol__build *build, hol__element *force, hol__node *item) {
    const int errors = build->errors;
    friction s = {.state = -1};
    const int found = hol__read_travel(build, force, item, keys, &s.x);
    const char *const *unit = units[found ? s.x.slides : 2];
    const int is_lugre = hol__read_choice(build, item, keys, "model");
    check_model(build, item, is_lugre);
    s.level = hol__read_law_in(build, item, keys, "level", locals, unit[LOAD]);
    s.level_static = hol__read_law_in(build, item, keys, "level_static", locals, unit[LOAD]);
    s.has_static = hol__node_get(item, "level_static") != NULL;
    s.stribeck = hol__read_number_in(build, item, keys, "stribeck_speed", unit[SPEED]);
    s.slip = hol__read_number_in(build, item, keys, "slip_speed", unit[SPEED]);
    s.c = hol__read_number_in(build, item, keys, "viscous", unit[DAMPING]);
    s.s0 = hol__read_number_in(build, item, keys, "bristle_stiffness", unit[STIFFNESS]);
    s.s1 = hol__read_number_in(build, item, keys, "bristle_damping", unit[DAMPING]);
    if (build->errors > errors) return;
    if (is_lugre) {
        s.state = hol__add_state(build, 0);
        if (s.state < 0) return;
    }
    friction *rec = hol__add_force(build, force, &friction_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

const hol__element_type hol__force_friction = {
    .section = "forces",
    .name = "friction",
    .title = "Friction in a joint: regularised Coulomb with a viscous part, or LuGre.",
    .equations = "F = g tanh(v/slip) + c v, or F = s0 z + s1 z' + c v with z' = v - s0 |v| z/g;  g "
                 "= Fc + (Fs - Fc) exp(-(v/vs)^2)",
    .example = "  drag: {type: friction, joint: A, level: 0.4, slip_speed: 0.05, viscous: 0.02}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .compile_element = compile,
};
