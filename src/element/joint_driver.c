/* joint_driver.c: drivers of coordinates and motors in joints.
 *
 *     x = f(t),   x' = f(t),   or   x'' = f(t) through a state z: x' = z, z' = f(t)
 */
#include "element/coupler.h"
#include "element/joints.h"

/* z' = f(t) of a prescribed acceleration. */
typedef struct integral {
    int element, state;
    hol__law f;
} integral;

/* z' = f(t). */
static void fill_integral(const void *records, int n, hol__force_args *args) {
    const integral *rec = records;
    for (int i = 0; i < n; i++, rec++)
        args->aux_rate[rec->state] = hol__law_value(&rec->f, args->inputs, args->scratch);
}

static const hol__force_type integral_type = {"prescribed acceleration", sizeof(integral),
                                              fill_integral, NULL};

/* The state that integrates f; -1 without memory. */
static int add_integral(hol__build *build, hol__element *joint, hol__law f, double start) {
    const int state = hol__add_state(build, start);
    integral *rec = state < 0 ? NULL : hol__add_force(build, joint, &integral_type);
    if (!rec) return -1;
    rec->state = state;
    rec->f = f;
    return state;
}

/* The law (order 0) or its rate (order 1) at a time. */
static double law_at(hol__build *build, const hol__expr *e, int order, double t) {
    const double in[1] = {t}, one[1] = {1}, zero[1] = {0};
    const hol__jet jet = hol__expr_jet(e, in, one, zero, build->scratch);
    return order ? jet.d1 : jet.f;
}

/* A time of the run at which the law, or its rate, jumps: what does not fade as the stretch around it is halved down to 1e-9 of what it
 * was. 0 when none is met between the samples. */
static int find_jump(hol__build *build, const hol__expr *e, int order, const double span[2],
                     double *at) {
    enum { SAMPLES = 2000, HALVINGS = 30 };
    double size = 0;
    for (int i = 0; i <= SAMPLES; i++)
        size =
            fmax(size, fabs(law_at(build, e, order, span[0] + (span[1] - span[0]) * i / SAMPLES)));
    for (int i = 0; i < SAMPLES; i++) {
        double a = span[0] + (span[1] - span[0]) * i / SAMPLES,
               b = span[0] + (span[1] - span[0]) * (i + 1) / SAMPLES;
        double fa = law_at(build, e, order, a), fb = law_at(build, e, order, b);
        for (int k = 0; k < HALVINGS && fabs(fb - fa) > 1e-6 * size; k++) {
            const double middle = 0.5 * (a + b), fm = law_at(build, e, order, middle);
            if (fabs(fm - fa) > fabs(fb - fm))
                b = middle, fb = fm;
            else
                a = middle, fa = fm;
        }
        *at = 0.5 * (a + b);
        if (fabs(fb - fa) > 1e-6 * size) return 1;
    }
    return 0;
}

/* Refuse a driven coordinate that jumps during the run, and warn of a rate that does. */
static void check_smooth(hol__build *build, hol__node *node, const hol__expr *e, int level) {
    hol__node *run = hol__node_get(build->spec->root, "simulation");
    static const char *const ends[2] = {"start", "end"};
    double span[2] = {0, 10}, at;
    if (level > 1 || !hol__expr_kink(e)) return;
    for (int i = 0; i < 2; i++) {
        hol__node *end = run && run->kind == HOL__MAP ? hol__node_get(run, ends[i]) : NULL;
        if (end) span[i] = hol__read_constant(build, end, NULL, span[i]);
    }
    if (!(span[1] > span[0])) return;
    if (level == 0 && find_jump(build, e, 0, span, &at)) {
        hol__build_error(build, node,
                         "the driven coordinate jumps at t = %.6g; give a continuous function, for "
                         "example with step(t, ...)",
                         at);
        return;
    }
    if (!find_jump(build, e, 1 - level, span, &at)) return;
    hol__warn(
        build->ctx, &node->where, build->element,
        "the driven rate jumps at t = %.6g; this is an impact, which neither the reactions nor "
        "the balance of energy contain. Smooth it, for example with step(t, ...)",
        at);
}

/* The coordinate follows the law that is given under one of three names: position, velocity, acceleration. */
static void drive(hol__build *build, hol__element *joint, hol__node *item, const hol__coordinate *x,
                  int is_angle, const char *const names[3], const hol__key *keys) {
    static const char *const units[2][3] = {{"m", "m/s", "m/s^2"}, {"rad", "rad/s", "rad/s^2"}};
    const int errors = build->errors;
    int level = -1, given = 0;
    for (int i = 0; i < 3; i++)
        if (hol__node_get(item, names[i])) level = i, given++;
    if (given != 1) {
        hol__build_error(build, item, "give exactly one of `%s`, `%s` and `%s`", names[0], names[1],
                         names[2]);
        return;
    }
    hol__node *node = hol__node_get(item, names[level]);
    const hol__expr *e = hol__read_expr(build, node, HOL__NAMES_TIME, NULL, units[is_angle][level]);
    const double start = hol__read_number(build, item, keys, "initial_rate");
    if (level != 2 && hol__node_get(item, "initial_rate"))
        hol__build_error(build, hol__node_get(item, "initial_rate"),
                         "'initial_rate' has a meaning only beside '%s'", names[2]);
    if (!e || build->errors > errors) return;
    const hol__law f =
        hol__expr_is_constant(e) ? (hol__law){hol__expr_constant(e), NULL} : (hol__law){0, e};
    if (f.e) check_smooth(build, node, e, level);
    if (build->errors > errors) return;
    hol__coordinate_lend(x, joint);
    if (level == 0) {
        const hol__coupler c = {
            .n = 1, .x = {*x}, .factor = {1}, .f = f, .label = "driven coordinate"};
        hol__add_coupler(build, joint, &c);
        return;
    }
    hol__rate r = {
        .n = 1, .term = {*x}, .factor = {{1, NULL}}, .f = f, .state = -1, .label = "driven rate"};
    if (level == 2) r.state = add_integral(build, joint, f, start);
    hol__add_rate(build, joint, &r);
}

#define KEY_INITIAL_RATE                                                                           \
    {                                                                                              \
        "initial_rate", HOL__KEY_NUMBER, NULL, "0", 0,                                             \
            "The rate at the start, for a prescribed acceleration.", NULL                          \
    }

static const hol__key driver_keys[] = {
    HOL__KEY_COORDINATE,
    {"position", HOL__KEY_TIME_LAW, NULL, "", 0,
     "The coordinate as a function of time (continuous second derivative).", NULL},
    {"velocity", HOL__KEY_TIME_LAW, NULL, "", 0,
     "Its rate as a function of time (continuous derivative).", NULL},
    {"acceleration", HOL__KEY_TIME_LAW, NULL, "", 0, "Its second derivative as a function of time.",
     NULL},
    KEY_INITIAL_RATE,
    HOL__KEY_END,
};

/* Any coordinate follows a law. */
static void driver(hol__build *build, hol__element *joint, hol__node *item) {
    static const char *const names[3] = {"position", "velocity", "acceleration"};
    hol__coordinate x;
    const char *unit;
    if (hol__coordinate_read(build, item, driver_keys, &x, &unit))
        drive(build, joint, item, &x, unit[0] == 'r', names, driver_keys);
}

const hol__element_type hol__joint_driver = {
    .section = "joints",
    .name = "driver",
    .title = "Prescribes a coordinate (of a joint, a distance, a point or an angle), its rate or "
             "its second derivative.",
    .equations = "x = f(t); x' = f(t); or x' = z, z' = f(t)",
    .example = "  A: {type: driver, body: rod, at: [1, 0], component: y, position: 0.1*sin(3*t)}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = driver_keys,
    .late = 1,
    .compile_element = driver,
};

static const hol__key motor_keys[] = {
    {"joint", HOL__KEY_JOINT, NULL, NULL, 0,
     "The joint that the motor turns (or, where it slides only, pushes).", NULL},
    {"angle", HOL__KEY_TIME_LAW, NULL, "", 0,
     "The angle (displacement) as a function of time; 0 is the drawn position.", NULL},
    {"speed", HOL__KEY_TIME_LAW, NULL, "", 0, "Its rate as a function of time.", NULL},
    {"acceleration", HOL__KEY_TIME_LAW, NULL, "", 0, "Its second derivative as a function of time.",
     NULL},
    KEY_INITIAL_RATE,
    HOL__KEY_END,
};

/* The coordinate of a joint follows a law. */
static void motor(hol__build *build, hol__element *joint, hol__node *item) {
    static const char *const names[3] = {"angle", "speed", "acceleration"};
    hol__coordinate x;
    const char *unit;
    if (hol__node_get(item, "joint") && hol__coordinate_read(build, item, motor_keys, &x, &unit))
        drive(build, joint, item, &x, unit[0] == 'r', names, motor_keys);
}

const hol__element_type hol__joint_motor = {
    .section = "joints",
    .name = "motor",
    .title = "A motor in a joint that prescribes its angle, its speed or its acceleration.",
    .equations = "x = f(t); x' = f(t); or x' = z, z' = f(t)",
    .example = "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n  motor: {type: motor, "
               "joint: A, speed: 2 + sin(t)}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = motor_keys,
    .late = 1,
    .compile_element = motor,
};
