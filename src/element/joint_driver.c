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

/* f'(t) by time, nothing by anything else. */
static void tangent_integral(const void *record, hol__force_args *args, hol__force_tangent *out) {
    const integral *rec = record;
    const hol__jet f = hol__law_jet(&rec->f, args->inputs[0], args->scratch);
    out->rate_input[(rec->state - out->aux) * out->n_reads] += f.d1;
}

static const hol__force_type integral_type = {.name = "prescribed acceleration",
                                              .size = sizeof(integral),
                                              .fill = fill_integral,
                                              .tangent = tangent_integral};

/* The state that integrates f; -1 without memory. */
static int add_integral(hol__build *build, hol__element *joint, hol__law f, double start) {
    const int state = hol__add_state(build, start);
    integral *rec = state < 0 ? NULL : hol__add_force(build, joint, &integral_type);
    if (!rec) return -1;
    rec->state = state;
    rec->f = f;
    return state;
}

/* Refuse a driven coordinate that jumps during the run, and warn of a rate that does. */
static void check_smooth(hol__build *build, const void *params, const char *field,
                         const hol__expr *e, int level) {
    double span[2], at;
    if (level > 1 || !hol__expr_kink(e)) return;
    hol__read_span(build, span);
    if (!(span[1] > span[0])) return;
    if (level == 0 && hol__expr_find_jump(e, 0, span, build->scratch, &at)) {
        hol__field_error(build, params, field,
                         "the driven coordinate jumps at t = %.6g; give a continuous function, for "
                         "example with step(t, ...)",
                         at);
        return;
    }
    if (build->assembly || !hol__expr_find_jump(e, 1 - level, span, build->scratch, &at)) return;
    hol__warn(
        build->ctx, hol__field_where(params, field), build->element,
        "the driven rate jumps at t = %.6g; this is an impact: velocities jump there, by impulses "
        "that the reactions do not contain. If they matter, smooth it, for example with step(t, "
        "...)",
        at);
}

/* What a driver is given: the law of the coordinate, of its rate or of its second derivative, and
 * the rate at the start. */
typedef struct drive_fields {
    hol__law law[3];
    double initial_rate;
} drive_fields;

/* Which of the three laws is given; -1 after an error. */
static int level_of(hol__build *build, const void *params, const char *const names[3]) {
    int level = -1, given = 0;
    for (int i = 0; i < 3; i++)
        if (hol__is_given(params, names[i])) level = i, given++;
    if (given != 1) {
        hol__field_error(build, params, NULL, "give exactly one of `%s`, `%s` and `%s`", names[0],
                         names[1], names[2]);
        return -1;
    }
    if (level != 2 && hol__is_given(params, "initial_rate")) {
        hol__field_error(build, params, "initial_rate",
                         "'initial_rate' has a meaning only beside '%s'", names[2]);
        return -1;
    }
    return level;
}

/* The coordinate follows the law that is given under one of three names: position, velocity,
 * acceleration. */
static void drive(hol__build *build, hol__element *joint, const void *params,
                  const hol__coordinate *x, int is_angle, const char *const names[3],
                  const drive_fields *fields) {
    static const char *const units[2][3] = {{"m", "m/s", "m/s^2"}, {"rad", "rad/s", "rad/s^2"}};
    const int errors = build->errors, level = level_of(build, params, names);
    if (level < 0) return;
    const hol__law f = fields->law[level];
    hol__field_unit(build, params, names[level], units[is_angle][level]);
    if (f.e) check_smooth(build, params, names[level], f.e, level);
    if (build->errors > errors) return;
    hol__coordinate_lend(x, joint);
    joint->pushes = !is_angle;
    if (level == 0) {
        const hol__coupler c = {
            .n = 1, .x = {*x}, .factor = {1}, .f = f, .label = "driven coordinate"};
        hol__add_coupler(build, joint, &c);
        return;
    }
    hol__rate r = {
        .n = 1, .term = {*x}, .factor = {{1, NULL}}, .f = f, .state = -1, .label = "driven rate"};
    if (level == 2) r.state = add_integral(build, joint, f, fields->initial_rate);
    hol__add_rate(build, joint, &r);
}

/* A driver, and a motor in a joint. */
typedef struct driver_params {
    hol__params head;
    hol__coordinate_fields x;
    drive_fields drive;
} driver_params;

#define KEY_INITIAL_RATE                                                                           \
    {                                                                                              \
        "initial_rate", HOL__KEY_NUMBER, NULL, "0", 0,                                             \
            "The rate at the start, for a prescribed acceleration.", NULL,                         \
            HOL__AT(driver_params, drive.initial_rate)                                             \
    }

static const hol__key driver_keys[] = {
    HOL__KEY_COORDINATE(driver_params),
    {"position", HOL__KEY_TIME_LAW, NULL, "", 0,
     "The coordinate as a function of time (continuous second derivative): itself, not a "
     "displacement from the drawn position; that of a joint is 0 as drawn.",
     NULL, HOL__AT(driver_params, drive.law[0])},
    {"velocity", HOL__KEY_TIME_LAW, NULL, "", 0,
     "Its rate as a function of time (continuous derivative).", NULL,
     HOL__AT(driver_params, drive.law[1])},
    {"acceleration", HOL__KEY_TIME_LAW, NULL, "", 0, "Its second derivative as a function of time.",
     NULL, HOL__AT(driver_params, drive.law[2])},
    KEY_INITIAL_RATE,
    HOL__KEY_END,
};

/* Any coordinate follows a law. */
static void driver(hol__build *build, hol__element *joint, const void *params) {
    static const char *const names[3] = {"position", "velocity", "acceleration"};
    const driver_params *p = params;
    hol__coordinate x;
    const char *unit;
    if (hol__coordinate_set(build, p, &p->x, &x, &unit))
        drive(build, joint, p, &x, unit[0] == 'r', names, &p->drive);
}

static const hol__quantity quantities[] = {
    {"load", HOL__TELLS_NUMBER, "N", "N*m", 1,
     "The force or torque required to drive the coordinate, positive when it increases it."},
    HOL__QUANTITY_END,
};

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
    .size = sizeof(driver_params),
    .quantities = quantities,
    .compile_element = driver,
};

static const hol__key motor_keys[] = {
    {"joint", HOL__KEY_JOINT, NULL, NULL, 0,
     "The joint that the motor turns (or pushes, where it only slides); of a cylindrical joint and "
     "a screw it prescribes the angle.",
     NULL, HOL__AT(driver_params, x.joint)},
    {"angle", HOL__KEY_TIME_LAW, NULL, "", 0,
     "The angle as a function of time, or, where the joint only slides, the displacement; 0 is "
     "the drawn position.",
     NULL, HOL__AT(driver_params, drive.law[0])},
    {"speed", HOL__KEY_TIME_LAW, NULL, "", 0, "Its rate as a function of time.", NULL,
     HOL__AT(driver_params, drive.law[1])},
    {"acceleration", HOL__KEY_TIME_LAW, NULL, "", 0, "Its second derivative as a function of time.",
     NULL, HOL__AT(driver_params, drive.law[2])},
    KEY_INITIAL_RATE,
    HOL__KEY_END,
};

/* The angle of a joint, or the displacement of one that only slides, follows a law. */
static void motor(hol__build *build, hol__element *joint, const void *params) {
    static const char *const names[3] = {"angle", "speed", "acceleration"};
    const driver_params *p = params;
    hol__coordinate_fields fields = p->x;
    hol__coordinate x;
    const char *unit;
    fields.turning = 1;
    if (hol__coordinate_set(build, p, &fields, &x, &unit))
        drive(build, joint, p, &x, unit[0] == 'r', names, &p->drive);
}

const hol__element_type hol__joint_motor = {
    .section = "joints",
    .name = "motor",
    .title = "A motor in a joint that prescribes its angle, its speed or its acceleration; one "
             "that gives a "
             "torque is a force (`motor`, `torsion`).",
    .equations = "x = f(t); x' = f(t); or x' = z, z' = f(t)",
    .example = "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n  motor: {type: motor, "
               "joint: A, speed: 2 + sin(t)}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = motor_keys,
    .late = 1,
    .size = sizeof(driver_params),
    .quantities = quantities,
    .compile_element = motor,
};
