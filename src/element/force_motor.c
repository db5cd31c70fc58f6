/* force_motor.c: a motor with a curve of torque over speed, and a PID controller, both acting on
 * the coordinate of a joint.
 *
 *     motor   F = u(t, measures) f(speed)
 *             speed: rate of the coordinate
 *     pid     e = target - measured,  I' = e,
 *             F = P e + I-gain I + D (target_rate - measured_rate) + feed,  |F| <= limit
 *             while F is at its limit, I does not grow further in that direction
 *
 * F acts on the second body where it increases the coordinate, the opposite on the first; its power
 * is F x'.
 */
#include "base/unit_set.h"
#include "element/span.h"
#include "element/forces.h"
#include "element/formula.h"

#include <math.h>
#include <stdio.h>

/* ---- motor ---- */

typedef struct motor {
    int element;
    hol__travel x;
    hol__law curve, command;
} motor;

static const char *const motor_locals[] = {"speed", NULL};

static void fill_motor(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const motor *rec = (const motor *)records + i;
        double x, rate;
        hol__travel_get(&rec->x, args, &x, &rate);
        args->inputs[args->local] = rate;
        const double u = hol__law_value(&rec->command, args->inputs, args->scratch),
                     F = u * hol__law_value(&rec->curve, args->inputs, args->scratch);
        hol__travel_act(&rec->x, args, F);
        hol__travel_tell(args, x, rate, F);
        hol__tell(args, 3, u);
        args->power += F * rate;
    }
}

/* u f along the gradient of the coordinate. */
static hol__dual motor_along(const void *record, hol__dual_args *args, hol__dual x,
                             hol__dual rate) {
    const motor *rec = record;
    (void)x;
    return hol__dual_mul(hol__dual_law(&rec->command, args, 1, &rate),
                         hol__dual_law(&rec->curve, args, 1, &rate));
}

static void tangent_motor(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__span x;
    hol__span_travel(&((const motor *)record)->x, args, &x);
    hol__span_tangent(record, args, &x, motor_along, out);
}

/* Of what acts in an angle, and in a displacement. */
static const char *const load_unit[2] = {"N*m", "N"};

/* u f along the coordinate. */
static int motor_formula(const void *record, hol__symbolic *to) {
    const motor *rec = record;
    const hol__sym x = hol__travel_formula(to, &rec->x);
    if (!x) return 0;
    const hol__sym rate = hol__symbolic_short_rate(to, hol__symbolic_rate(to, x), "x"),
                   u = hol__symbolic_law(to, &rec->command, motor_locals, &rate, "u"),
                   f = hol__symbolic_law(to, &rec->curve, motor_locals, &rate, "f");
    if (!u || !f) return 0;
    hol__symbolic_act(to, x, hol__sym_mul(to->a, u, f));
    return 1;
}

static const hol__force_type motor_type = {.name = "motor",
                                           .size = sizeof(motor),
                                           .fill = fill_motor,
                                           .tangent = tangent_motor,
                                           .formula = motor_formula};

typedef struct motor_params {
    hol__params head;
    hol__travel_fields travel;
    hol__law curve, command;
} motor_params;

/* That of the rate. */
static const char *const *motor_units(const hol__build *build, const void *params) {
    const char *const *units = hol__travel_units(build, &((const motor_params *)params)->travel);
    return units ? units + 1 : NULL;
}

static const hol__key motor_keys[] = {
    HOL__KEY_TRAVEL(motor_params),
    {"curve", HOL__KEY_LAW, NULL, NULL, 0,
     "Torque (N*m) or force (N) over `speed` (rad/s or m/s), for example table(speed, 0, 10, 50, "
     "8, 100, 0).",
     NULL, HOL__LAW_BY(motor_params, curve, motor_locals, motor_units)},
    {"command", HOL__KEY_LAW, "", "1", 0,
     "A factor applied to the curve: throttle, sign, switching on and off.", NULL,
     HOL__LAW_BY(motor_params, command, motor_locals, motor_units)},
    HOL__KEY_END,
};

static void compile_motor(hol__build *build, hol__element *force, const void *params) {
    const motor_params *p = params;
    const int errors = build->errors;
    motor s = {.curve = p->curve, .command = p->command};
    if (!hol__travel_set(build, force, p, &p->travel, &s.x)) return;
    hol__field_unit(build, p, "curve", load_unit[s.x.slides]);
    motor *rec = build->errors > errors ? NULL : hol__add_force(build, force, &motor_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity motor_quantities[] = {
    HOL__QUANTITIES_TRAVEL,
    {"command", HOL__TELLS_NUMBER, "", NULL, 0, "The factor on the curve."},
    HOL__QUANTITY_END,
};

const hol__element_type hol__force_motor = {
    .section = "forces",
    .name = "motor",
    .title = "A motor in a joint with a curve of torque (or force) over speed.",
    .equations = "F = command f(speed)",
    .example = "  motor: {type: motor, joint: A, curve: 'table(speed, 0, 14, 20, 12, 40, 0)', "
               "command: 'step(t, 0, 0, 0.05, 1)'}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .outside = 1,
    .keys = motor_keys,
    .size = sizeof(motor_params),
    .quantities = motor_quantities,
    .compile_element = compile_motor,
};

/* ---- pid ---- */

typedef struct pid {
    int element;
    hol__travel x;
    hol__law target, target_rate, measured, measured_rate, feed;
    int own, own_rate; /* the coordinate itself is measured, and its rate */
    double p, i, d, limit;
    int state; /* index of the integral, -1 without */
} pid;

static const char *const pid_locals[] = {"coordinate", "rate", NULL};

/* F and, where there is one, the rate of the integral. */
static double control(const pid *rec, double x, double rate, hol__force_args *args) {
    const double *in = args->inputs;
    double *scratch = args->scratch;
    const double e = hol__law_value(&rec->target, in, scratch) -
                     (rec->own ? x : hol__law_value(&rec->measured, in, scratch));
    const double edot = hol__law_value(&rec->target_rate, in, scratch) -
                        (rec->own_rate ? rate : hol__law_value(&rec->measured_rate, in, scratch));
    hol__tell(args, 3, e);
    double F = rec->p * e + rec->d * edot + hol__law_value(&rec->feed, in, scratch);
    if (rec->state >= 0) F += rec->i * args->aux[rec->state];
    const int over = fabs(F) > rec->limit;
    if (rec->state >= 0) args->aux_rate[rec->state] = over && F * rec->i * e > 0 ? 0 : e;
    return over ? copysign(rec->limit, F) : F;
}

static void fill_pid(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const pid *rec = (const pid *)records + i;
        double x, rate;
        hol__travel_get(&rec->x, args, &x, &rate);
        args->inputs[args->local] = x;
        args->inputs[args->local + 1] = rate;
        const double F = control(rec, x, rate, args);
        hol__travel_act(&rec->x, args, F);
        hol__travel_tell(args, x, rate, F);
        args->power += F * rate;
    }
}

/* The same in dual numbers; at the limit only the integral is left. */
static hol__dual pid_along(const void *record, hol__dual_args *args, hol__dual x, hol__dual rate) {
    const pid *rec = record;
    const hol__dual local[2] = {x, rate};
    const hol__dual is = rec->own ? x : hol__dual_law(&rec->measured, args, 2, local),
                    is_rate =
                        rec->own_rate ? rate : hol__dual_law(&rec->measured_rate, args, 2, local);
    const hol__dual e = hol__dual_add(hol__dual_law(&rec->target, args, 2, local), -1, is),
                    edot = hol__dual_add(hol__dual_law(&rec->target_rate, args, 2, local), -1,
                                         is_rate);
    hol__dual F = hol__dual_add(hol__dual_law(&rec->feed, args, 2, local), rec->p, e);
    F = hol__dual_add(F, rec->d, edot);
    if (rec->state >= 0) F = hol__dual_add(F, rec->i, args->state[0]);
    const int over = fabs(F.f) > rec->limit;
    if (rec->state >= 0) args->rate[0] = over && F.f * rec->i * e.f > 0 ? (hol__dual){0, 0} : e;
    return over ? (hol__dual){copysign(rec->limit, F.f), 0} : F;
}

static void tangent_pid(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__span x;
    hol__span_travel(&((const pid *)record)->x, args, &x);
    hol__span_tangent(record, args, &x, pid_along, out);
}

static const hol__force_type pid_type = {
    .name = "pid controller", .size = sizeof(pid), .fill = fill_pid, .tangent = tangent_pid};

typedef struct pid_params {
    hol__params head;
    hol__travel_fields travel;
    hol__law target, target_rate, measured, measured_rate, feed;
    double proportional, integral, derivative, limit;
} pid_params;

static const char *const *pid_units(const hol__build *build, const void *params) {
    return hol__travel_units(build, &((const pid_params *)params)->travel);
}

static const hol__key pid_keys[] = {
    HOL__KEY_TRAVEL(pid_params),
    {"target", HOL__KEY_LAW, NULL, "0", 0,
     "Target of the measured value, in its unit; may use `coordinate` and `rate`, as all laws "
     "here.",
     NULL, HOL__LAW_BY(pid_params, target, pid_locals, pid_units)},
    {"target_rate", HOL__KEY_LAW, NULL, "0", 0, "Its rate.", NULL,
     HOL__LAW_BY(pid_params, target_rate, pid_locals, pid_units)},
    {"measured", HOL__KEY_LAW, NULL, "", 0,
     "The measured value; default: the coordinate of the joint.", NULL,
     HOL__LAW_BY(pid_params, measured, pid_locals, pid_units)},
    {"measured_rate", HOL__KEY_LAW, NULL, "", 0,
     "Its rate, from a measure of velocity; default, without `measured`: that of the "
     "coordinate.",
     NULL, HOL__LAW_BY(pid_params, measured_rate, pid_locals, pid_units)},
    {"proportional", HOL__KEY_NUMBER, NULL, "0", 0, "P, in N*m or N for a unit of the error.", NULL,
     HOL__AT(pid_params, proportional)},
    {"integral", HOL__KEY_NUMBER, NULL, "0", 0, "I.", NULL, HOL__AT(pid_params, integral)},
    {"derivative", HOL__KEY_NUMBER, NULL, "0", 0, "D.", NULL, HOL__AT(pid_params, derivative)},
    {"feed", HOL__KEY_LAW, NULL, "0", 0,
     "Torque or force that is added, for example to hold a weight.", NULL,
     HOL__LAW_BY(pid_params, feed, pid_locals, pid_units)},
    {"limit", HOL__KEY_NUMBER, NULL, "", HOL__POSITIVE,
     "The largest torque or force in either direction; default: none.", NULL,
     HOL__AT(pid_params, limit)},
    HOL__KEY_END,
};

/* What is compared has the unit of the coordinate, and the gains go from it to what acts; of
 * another measured value the units are known where it has some, and those of the gains are open. */
static void check_pid_units(hol__build *build, const pid_params *p, const pid *s) {
    static const char *const units[][3] = {
        {"target", "rad", "m"},
        {"target_rate", "rad/s", "m/s"},
        {"measured_rate", "rad/s", "m/s"},
        {"proportional", "N*m/rad", "N/m"},
        {"integral", "N*m/rad/s", "N/m/s"},
        {"derivative", "N*m*s/rad", "N*s/m"},
    };
    const hol__dim measured = hol__field_dim(p, "measured");
    char unit[64], rate[80];
    for (size_t i = 0; s->own && i < sizeof units / sizeof *units; i++)
        hol__field_unit(build, p, units[i][0], units[i][s->x.slides ? 2 : 1]);
    if (s->own || !measured.known) return;
    hol__unit_of_dim(measured, unit, sizeof unit);
    snprintf(rate, sizeof rate, "%s/s", unit[0] ? unit : "1");
    hol__field_unit(build, p, "target", unit);
    hol__field_unit(build, p, "target_rate", rate);
    hol__field_unit(build, p, "measured_rate", rate);
}

/* What the D part needs, and units. */
static void check_pid(hol__build *build, const pid_params *p, const pid *s) {
    if (s->d != 0 && !s->own && s->own_rate)
        hol__field_error(build, p, "derivative",
                         "the D part needs `measured_rate`, the rate of what is `measured`, from a "
                         "measure of velocity");
    if (s->p == 0 && s->i == 0 && s->d == 0)
        hol__field_error(build, p, NULL,
                         "all gains are 0; give `proportional`, `integral` or `derivative`");
    check_pid_units(build, p, s);
    hol__field_unit(build, p, "feed", load_unit[s->x.slides]);
    hol__field_unit(build, p, "limit", load_unit[s->x.slides]);
}

static void compile_pid(hol__build *build, hol__element *force, const void *params) {
    const pid_params *p = params;
    const int errors = build->errors;
    pid s = {.target = p->target,
             .target_rate = p->target_rate,
             .measured = p->measured,
             .measured_rate = p->measured_rate,
             .feed = p->feed,
             .own = !hol__is_given(p, "measured"),
             .own_rate = !hol__is_given(p, "measured_rate"),
             .p = p->proportional,
             .i = p->integral,
             .d = p->derivative,
             .limit = hol__is_given(p, "limit") ? p->limit : HUGE_VAL,
             .state = -1};
    if (!hol__travel_set(build, force, p, &p->travel, &s.x)) return;
    check_pid(build, p, &s);
    if (build->errors > errors) return;
    if (s.i != 0) {
        s.state = hol__add_state(build, 0);
        if (s.state < 0) return;
    }
    pid *rec = hol__add_force(build, force, &pid_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity pid_quantities[] = {
    HOL__QUANTITIES_TRAVEL,
    {"error", HOL__TELLS_NUMBER, "", NULL, 0,
     "e = target - measured, in the unit of what is measured."},
    HOL__QUANTITY_END,
};

const hol__element_type hol__force_pid = {
    .section = "forces",
    .name = "pid",
    .title = "A PID controller on a measured value that acts in a joint.",
    .equations = "F = P e + I int(e) + D e' + feed, e = target - measured, |F| <= limit",
    .example = "  hold: {type: pid, joint: A, target: 0.3, proportional: 40, integral: 15, "
               "derivative: 6, limit: 30}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .outside = 1,
    .keys = pid_keys,
    .size = sizeof(pid_params),
    .quantities = pid_quantities,
    .compile_element = compile_pid,
};
