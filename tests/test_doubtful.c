/* test_doubtful.c: models that are doubtful in their numbers: units that meet parameters of the
 * same name, plain numbers beside other units, degrees written for radians, millimetres for metres,
 * drivers into stops. Each has the right value, or an error or a warning that names the element and
 * says what to write. Units are taken from the table of units, all of them.
 */
#include "mechanism_fixture.h"

#include "base/expr.h"

#include <math.h>

/* A slider on a spring with a parameter, a measured expression, and whatever else. */
static void write_model(char *text, size_t size, const char *parameter, const char *expression,
                        const char *joints, const char *forces) {
    snprintf(text, size,
             "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n%s%s%s"
             "bodies:\n  b: {mass: 2.385, inertia: 0.1, along: [[0, 0], [0.6, 0]]}\n"
             "joints:\n  s: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\n%s"
             "forces:\n  k: {type: spring, bodies: [ground, b], from: [-1, 0], to: [0.3, 0], "
             "stiffness: 100, free_length: 1.1}\n%s"
             "measures:\n  q: {type: variable, value: '%s'}\n"
             "  a: {type: angle, body: b}\n"
             "simulation: {end: 0.2}\n",
             *parameter ? "parameters: {" : "", parameter, *parameter ? "}\n" : "", joints, forces,
             expression);
}

/* What comes of a model: the first error, or the first warning; "" and the value of q. */
typedef struct verdict {
    hol_severity severity;
    char element[80], text[400];
    int line;
    double q;
} verdict;

static verdict judge(const char *text) {
    verdict out = {.severity = HOL_NOTE, .q = NAN};
    hol_context *ctx = hol_context_new();
    hol_options *options = NULL;
    hol_model *model = compile_text(ctx, text, "doubtful.yaml", &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    if (sim && hol_sim_run(sim, NULL) == HOL_OK)
        hol_data_measure(hol_sim_data(sim), hol_model_measure_index(model, "q"), &out.q);
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        if (m->severity <= out.severity) continue;
        out.severity = m->severity;
        out.line = m->where.line;
        snprintf(out.element, sizeof out.element, "%s", m->element ? m->element : "");
        snprintf(out.text, sizeof out.text, "%s", m->text);
    }
    hol_sim_free(sim);
    hol_model_free(model);
    hol_options_free(options);
    hol_context_free(ctx);
    return out;
}

/* A unit behind a number is that unit whatever parameters are called; where it goes on behind a
 * sign that could be read otherwise it is an error; behind a sign alone the name is the
 * parameter. */
static void test_parameters_named_as_units(void **state) {
    (void)state;
    for (int i = 0; hol__unit_get(i).name; i++) {
        const hol__unit_doc u = hol__unit_get(i);
        char parameter[40], expression[40], text[2048];
        const int is_time = strcmp(u.name, "t") == 0; /* no parameter may be called so */
        snprintf(parameter, sizeof parameter, "%s: 4.5", is_time ? "z" : u.name);
        snprintf(expression, sizeof expression, "3 %s", u.name);
        write_model(text, sizeof text, parameter, expression, "", "");
        verdict v = judge(text);
        check_close(v.q / (3 * u.factor), 1, 1e-12, expression, v.text);
        if (is_time) continue;
        snprintf(expression, sizeof expression, "100 N/%s", u.name);
        write_model(text, sizeof text, parameter, expression, "", "");
        v = judge(text);
        if (v.severity != HOL_ERROR || !strstr(v.text, "is a unit and also") ||
            strcmp(v.element, "measure 'q'") != 0)
            fail_msg("%s: %s", expression, v.text);
        snprintf(expression, sizeof expression, "7*%s", u.name);
        write_model(text, sizeof text, parameter, expression, "", "");
        v = judge(text);
        check_close(v.q, 31.5, 1e-12, expression, v.text);
    }
}

/* Beside a unit that is not SI's a plain number is refused, and beside SI's it is right. */
static void test_plain_numbers(void **state) {
    (void)state;
    for (int i = 0; hol__unit_get(i).name; i++) {
        const hol__unit_doc u = hol__unit_get(i);
        char expression[40], text[2048];
        snprintf(expression, sizeof expression, "3 %s + 2", u.name);
        write_model(text, sizeof text, "", expression, "", "");
        const verdict v = judge(text);
        if (u.factor == 1) {
            check_close(v.q, 5, 1e-14, expression, v.text);
        } else if (v.severity != HOL_ERROR || !strstr(v.text, "2 has no unit beside")) {
            fail_msg("%s: %s", expression, v.text);
        }
    }
}

/* One doubt each: where it is told, and what. */
static void test_doubts(void **state) {
    (void)state;
    static const struct {
        const char *parameter, *joints, *forces, *element, *words;
        hol_severity severity;
    } cases[] = {
        {"", "", "  t: {type: torque, body: b, torque: '5*sin(30)'}\n", "force 't'",
         "write '30 deg' if", HOL_WARNING},
        {"", "", "  t: {type: torque, body: b, torque: 'if(a > 45, 5, 0)'}\n", "force 't'",
         "write '45 deg' if", HOL_WARNING},
        {"", "", "  t: {type: torque, body: b, torque: 'if(-90 < a, 5, 0)'}\n", "force 't'",
         "write '-90 deg' if", HOL_WARNING},
        {"w: 30", "", "  t: {type: torque, body: b, torque: '5*sin(90 deg - w)'}\n", "force 't'",
         "give the parameter its unit", HOL_WARNING},
        {"", "",
         "  f: {type: spring, bodies: [ground, b], from: [-1, 0], to: [600, 0], stiffness: 1}\n",
         "force 'f'", "check `to` and its unit", HOL_WARNING},
        {"f: 3 Hz", "",
         "  f: {type: spring, bodies: [ground, b], from: [-1, 0], to: [0.3, 0], stiffness: 2.3 "
         "kg*f^2}\n",
         "force 'f'", "Hz counts cycles", HOL_ERROR},
        {"",
         "  e: {type: rigid_stop, joint: s, lower: -0.1, upper: 0.1}\n"
         "  d: {type: motor, joint: s, speed: 0.7}\n",
         "", "joint 'd'", "drives the mechanism into joint 'e'", HOL_ERROR},
        {"", "  e: {type: rigid_stop, joint: s, lower: 0.1, upper: -0.1}\n", "", "joint 'e'",
         "must lie below", HOL_ERROR},
        {"", "", "  f: {type: limit, joint: s, lower: 30 deg, stiffness: 3}\n", "force 'f'",
         "expected m, found rad", HOL_ERROR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        write_model(text, sizeof text, cases[i].parameter, "0", cases[i].joints, cases[i].forces);
        const verdict v = judge(text);
        if (v.severity != cases[i].severity || !strstr(v.text, cases[i].words) ||
            strcmp(v.element, cases[i].element) != 0 || v.line < 4)
            fail_msg("%s%s: line %d, %s: %s", cases[i].joints, cases[i].forces, v.line, v.element,
                     v.text);
    }
}

/* What there is to say of a model is said once, however many models its coordinates need. */
static void test_said_once(void **state) {
    (void)state;
    static const char *const sets[] = {"reference", "natural", "relative", "cheapest"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char text[2048];
        int n = 0;
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        write_model(text, sizeof text, "", "0",
                    "  h: {type: revolute, bodies: [ground, b], at: [0, 0], active: false, start: "
                    "{angle: 30}}\n",
                    "  t: {type: torque, body: b, torque: '5*sin(30)'}\n");
        assert_int_equal(hol_spec_read_text(spec, text, "doubtful.yaml"), HOL_OK);
        hol_model_free(hol_model_compile(ctx, spec, sets[i]));
        for (int k = 0; k < hol_message_count(ctx); k++)
            n += strstr(hol_message_get(ctx, k)->text, "if degrees are meant") != NULL;
        assert_int_equal(n, 1);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_named_as_units),
        cmocka_unit_test(test_plain_numbers),
        cmocka_unit_test(test_doubts),
        cmocka_unit_test(test_said_once),
    };
    if (!reads_yaml()) return skip_models();
    return cmocka_run_group_tests_name("doubtful", tests, NULL, NULL);
}
