/* test_elements_refuse.c: what elements refuse, each at its place: coordinates that a joint does
 * not have, units that do not fit the coordinate, keys that would be ignored, names with two
 * meanings, and driven motions that jump. */
#include "model_fixture.h"

enum { LINE_JOINT = 8, LINE_FORCE = 10, LINE_MEASURE = 12 };

typedef struct refusal {
    int space; /* 2 or 3 */
    const char *joint, *force, *measure;
    int line;
    const char *message;
} refusal;

/* The model with one further joint, force and measure, each in a line of its own. */
static void write_model(const refusal *c, char *text, size_t size) {
    snprintf(text, size,
             "holonom: 1\nspace: %s\nparameters: {length: 0.73, gap: 0.11}\nbodies:\n"
             "  rod: {mass: 1.3, inertia: 0.17, position: %s}\njoints:\n"
             "  A: {type: %s, bodies: [ground, rod], at: %s}\n  %s\nforces:\n  %s\nmeasures:\n  "
             "%s\nsimulation: {end: 0.8}\n",
             c->space == 2 ? "planar" : "spatial", c->space == 2 ? "[0.4, 0.2]" : "[0.4, 0.2, 0.1]",
             c->space == 2 ? "revolute" : "revolute, axis: [0, 0.3, 1]",
             c->space == 2 ? "[0, 0]" : "[0, 0, 0]", c->joint ? c->joint : "",
             c->force ? c->force : "", c->measure ? c->measure : "");
}

/* Whether a message of the compilation has the words at the line; *model receives what was
 * compiled. */
static int says(hol_context *ctx, const refusal *c, hol_model **model) {
    char text[2048], line[1024], place[32];
    write_model(c, text, sizeof text);
    snprintf(place, sizeof place, "test.yaml:%d:", c->line);
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    *model = hol_model_from_spec(ctx, spec, NULL);
    hol_spec_free(spec);
    int found = 0;
    for (int k = 0; k < hol_message_count(ctx); k++) {
        hol_message_format(hol_message_get(ctx, k), line, sizeof line);
        found |= strstr(line, c->message) != NULL && strstr(line, place) != NULL;
    }
    return found;
}

static void check_refusals(const refusal *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        hol_context *ctx = hol_context_new();
        hol_model *model;
        const int found = says(ctx, &cases[i], &model);
        if (model) fail_msg("compiled, although: %s", cases[i].message);
        if (!found) {
            run_print_messages(ctx);
            fail_msg("not said: %s", cases[i].message);
        }
        hol_context_free(ctx);
    }
}

#define CHECK_REFUSALS(cases) check_refusals(cases, sizeof(cases) / sizeof *(cases))

/* A joint has the coordinates that it leaves free, and elements that couple others have none. */
static void test_coordinates_of_joints(void **state) {
    static const refusal cases[] = {
        {2, "D: {type: driver, joint: A, component: displacement, position: 0.1*t}", NULL, NULL,
         LINE_JOINT, "does not slide; use component: angle"},
        {2,
         "C: {type: coupler, coordinates: {s: {joint: A, component: displacement}}, factors: [1]}",
         NULL, NULL, LINE_JOINT, "does not slide"},
        {2, "B: {type: prismatic, bodies: [ground, rod], at: [0, 0], axis: [1, 0.2]}",
         "f: {type: torsion, joint: B, stiffness: 3.1}", NULL, LINE_FORCE, "does not turn"},
        {2, "B: {type: distance, bodies: [ground, rod], from: [0, 1], to: [1, 0.3]}",
         "f: {type: torsion, joint: B, stiffness: 3.1}", NULL, LINE_FORCE, "no axis to act about"},
        {2, "M: {type: motor, joint: A, speed: 2.3}", "f: {type: friction, joint: M, level: 0.4}",
         NULL, LINE_FORCE, "no axis to act about"},
        {3, "B: {type: fixed, bodies: [ground, rod], at: [0, 0, 0]}",
         "f: {type: friction, joint: B, level: 0.4}", NULL, LINE_FORCE, "no axis to act about"},
        {3, "B: {type: prismatic, bodies: [ground, rod], at: [0, 0, 0], axis: [1, 0, 0]}",
         "f: {type: torsion, joint: B, damping: 0.4}", NULL, LINE_FORCE, "does not turn"},
    };
    (void)state;
    CHECK_REFUSALS(cases);
}

/* Units are those of the coordinate, and of the exponent. */
static void test_units_of_the_coordinate(void **state) {
    static const refusal cases[] = {
        {2, NULL, "f: {type: friction, joint: A, level: 3 N}", NULL, LINE_FORCE, "expected N*m"},
        {2, NULL, "f: {type: friction, joint: A, level: 3, slip_speed: 2 mm/s}", NULL, LINE_FORCE,
         "expected rad/s"},
        {2, NULL, "f: {type: friction, joint: A, level: 3, viscous: 2 N*s/m}", NULL, LINE_FORCE,
         "expected N*m*s/rad"},
        {2, NULL, "f: {type: motor, joint: A, curve: 3 N}", NULL, LINE_FORCE, "expected N*m"},
        {2, NULL, "f: {type: pid, joint: A, proportional: 3, limit: 2 N}", NULL, LINE_FORCE,
         "expected N*m"},
        {2, NULL, "f: {type: limit, joint: A, lower: 0.1, stiffness: 3 N/m}", NULL, LINE_FORCE,
         "expected N*m/rad"},
        {2, NULL, "f: {type: limit, joint: A, lower: 0.1, stiffness: 3, depth: 1 mm}", NULL,
         LINE_FORCE, "expected rad"},
        {2, NULL,
         "f: {type: bump_stop, bodies: [ground, rod], from: [0, 1], to: [1, 0], length: 0.3, "
         "exponent: 1.5, stiffness: 3 N/m}",
         NULL, LINE_FORCE, "expected a plain number"},
        {2, NULL,
         "f: {type: contact_plane, bodies: [ground, rod], plane: [0, -1], normal: [0, 1], point: "
         "[0.4, 0.2], stiffness: 2 kN/m}",
         NULL, LINE_FORCE, "expected a plain number"},
    };
    (void)state;
    CHECK_REFUSALS(cases);
}

/* Shapes of a contact that are none. */
static void test_contact_shapes(void **state) {
#define CONTACT(first, second)                                                                     \
    "f: {type: contact, bodies: [ground, rod], shapes: [" first ", " second "], stiffness: 2e5}"
#define FLOOR "{type: plane, normal: [0, 1]}"
#define FLOOR3 "{type: plane, normal: [0, 1, 0]}"
    static const refusal cases[] = {
        {2, NULL, CONTACT(FLOOR, "{type: sphere, radius: 0}"), NULL, LINE_FORCE, "positive"},
        {2, NULL, CONTACT(FLOOR, "{type: sphere, radius: -1 mm}"), NULL, LINE_FORCE, "positive"},
        {2, NULL, CONTACT(FLOOR, "{type: box, size: [0.2, -0.1]}"), NULL, LINE_FORCE,
         "a side of the box is -0.1"},
        {3, NULL, CONTACT(FLOOR3, "{type: box, size: [0.2, 0.1, 0]}"), NULL, LINE_FORCE,
         "a side of the box is 0"},
        {2, NULL, CONTACT("{type: plane, normal: [0, 0]}", "{type: sphere, radius: 1}"), NULL,
         LINE_FORCE, "length 0"},
        {2, NULL, CONTACT(FLOOR, "{type: sphere}"), NULL, LINE_FORCE, "a sphere needs 'radius'"},
        {2, NULL, CONTACT(FLOOR, "{type: sphere, radius: 1, size: [1, 1]}"), NULL, LINE_FORCE,
         "a sphere has no 'size'"},
        {2, NULL, CONTACT(FLOOR, FLOOR), NULL, LINE_FORCE, "two planes"},
        {2, NULL, CONTACT(FLOOR, "{type: capsule, at: [1, 0], to: [1, 0], radius: 1}"), NULL,
         LINE_FORCE, "use a sphere"},
        {2, NULL, CONTACT(FLOOR, "{type: hull, points: [[0, 0], [1, 1], [2, 2]]}"), NULL,
         LINE_FORCE, "on a line"},
        {3, NULL,
         CONTACT(FLOOR3, "{type: hull, points: [[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]]}"),
         NULL, LINE_FORCE, "in a plane"},
        {2, NULL, CONTACT(FLOOR, "{type: hull, points: [[0, 0], [1, 1]]}"), NULL, LINE_FORCE,
         "at least 3 points"},
        {2, NULL, CONTACT(FLOOR, "{type: hull, points: [[0, 0, 1], [1, 1]]}"), NULL, LINE_FORCE,
         "points"},
        {3, NULL,
         CONTACT(FLOOR3, "{type: box, size: [1, 1, 1], along: [1, 0, 0], across: [2, 0, 0]}"), NULL,
         LINE_FORCE, "parallel to the first side"},
        {2, NULL, "f: {type: contact, bodies: [ground, rod], shapes: [" FLOOR "], stiffness: 2e5}",
         NULL, LINE_FORCE, "list of 2 maps"},
        {2, NULL,
         "f: {type: contact, bodies: [ground, rod], shapes: [" FLOOR
         ", {type: box, size: [1, 1]}], "
         "modulus: 2e9}",
         NULL, LINE_FORCE, "the law of Hertz"},
        {2, NULL, CONTACT(FLOOR, "{type: ball, radius: 1}"), NULL, LINE_FORCE, "sphere"},
        {2, NULL, CONTACT(FLOOR, "{type: sphere, radius: 1 kg}"), NULL, LINE_FORCE, "expected m"},
    };
    (void)state;
    CHECK_REFUSALS(cases);
#undef CONTACT
#undef FLOOR
#undef FLOOR3
}

/* What would be ignored is refused. */
static void test_keys_without_effect(void **state) {
    static const refusal cases[] = {
        {3,
         "B: {type: cylindrical, bodies: [ground, rod], at: [0, 0, 0], axis: [1, 2, 0], x_axis: "
         "[-2, -4, 0]}",
         NULL, NULL, LINE_JOINT, "lies along the axis itself"},
        {3, NULL,
         "f: {type: bushing, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1], x_axis: [0, 0, "
         "3], stiffness: [1, 2, 3, 4, 5, 6]}",
         NULL, LINE_FORCE, "lies along the axis itself"},
        {2,
         "B: {type: generic, bodies: [ground, rod], at: [0, 0], lock: [x, y], drive: {y: 0.1*t}}",
         NULL, NULL, LINE_JOINT, "'y' is both locked and driven"},
        {2, NULL, "f: {type: spring, bodies: [ground, rod], from: [0, 1], to: [1, 0]}", NULL,
         LINE_FORCE, "has no effect; give `stiffness`, `damping` or `force`"},
        {2, NULL, "f: {type: torsion, joint: A, free_angle: 0.3}", NULL, LINE_FORCE,
         "has no effect; give `stiffness`, `damping` or `torque`"},
        {2, NULL, "f: {type: friction, joint: A, level: 0.3, stribeck_speed: 0.02}", NULL,
         LINE_FORCE, "only beside 'level_static'"},
        {2, NULL,
         "f: {type: contact_plane, bodies: [ground, rod], plane: [0, -1], normal: [0, 1], point: "
         "[0.4, 0.2], stiffness: 2e5, slip_speed: 0.1}",
         NULL, LINE_FORCE, "only beside 'friction'"},
        {2, "B: {type: coupler, coordinates: {a: {joint: A}}, equation: abs(a) - 0.3*t}", NULL,
         NULL, LINE_JOINT, "has no continuous derivatives"},
        {2, "B: {type: gear, joints: [A, A], teeth: [17, 22.5]}", NULL, NULL, LINE_JOINT,
         "teeth are whole numbers"},
    };
    (void)state;
    CHECK_REFUSALS(cases);
}

/* A name that has two meanings where it is used. */
static void test_names_with_two_meanings(void **state) {
    static const refusal cases[] = {
        {2, NULL,
         "f: {type: spring, bodies: [ground, rod], from: [0, 1], to: [1, 0], stiffness: 30*length}",
         NULL, LINE_FORCE, "'length' is a parameter and also what this key offers"},
        {2, NULL, "f: {type: torque, body: rod, torque: 3*gap}",
         "gap: {type: distance, bodies: [ground, rod], from: [0, 1], to: [1, 0]}", LINE_FORCE,
         "'gap' is a parameter and also a measure"},
    };
    (void)state;
    CHECK_REFUSALS(cases);
}

/* A driven coordinate that jumps is refused; a rate that jumps is warned of; pieces that join
 * smoothly are neither. */
static void test_driven_jumps(void **state) {
    static const refusal jump = {
        2,          "M: {type: motor, joint: A, angle: 't < 0.31 ? 0 : 0.2'}",
        NULL,       NULL,
        LINE_JOINT, "coordinate jumps at t = 0.31"};
    static const refusal pulse = {
        2,          "M: {type: motor, joint: A, angle: 't > 0.31 and t < 0.31001 ? 0.2 : 0'}",
        NULL,       NULL,
        LINE_JOINT, "coordinate jumps at t = 0.31"};
    static const refusal warned[] = {
        {2, "M: {type: motor, joint: A, angle: 'max(0, t - 0.317)'}", NULL, NULL, LINE_JOINT,
         "warning: joint 'M': the driven rate jumps at t = 0.317"},
        {2, "M: {type: motor, joint: A, speed: 't < 0.317 ? 0 : 2.3'}", NULL, NULL, LINE_JOINT,
         "warning: joint 'M': the driven rate jumps at t = 0.317"},
        {2, "M: {type: motor, joint: A, speed: 't > 0.317 and t < 0.3170001 ? 2.3 : 0'}", NULL,
         NULL, LINE_JOINT, "warning: joint 'M': the driven rate jumps at t = 0.317"},
        {2, "M: {type: motor, joint: A, angle: 'sin(7*t) + 1e-3*max(0, t - 0.317)'}", NULL, NULL,
         LINE_JOINT, "warning: joint 'M': the driven rate jumps at t = 0.317"},
        {2, "M: {type: motor, joint: A, angle: '1e3*sin(1e3*t) + abs(t - 0.317)^3'}", NULL, NULL,
         LINE_JOINT, NULL},
        {2, "M: {type: motor, joint: A, angle: 'max(0, t - 0.317)^3'}", NULL, NULL, LINE_JOINT,
         NULL},
        {2, "M: {type: motor, joint: A, speed: 'abs(t - 0.317)'}", NULL, NULL, LINE_JOINT, NULL},
        {2, "M: {type: motor, joint: A, acceleration: 't < 0.317 ? 0 : 2.3'}", NULL, NULL,
         LINE_JOINT, NULL},
        {2, "M: {type: motor, joint: A, angle: 'max(0, t - 0.917)'}", NULL, NULL, LINE_JOINT, NULL},
    };
    (void)state;
    check_refusals(&jump, 1);
    check_refusals(&pulse, 1);
    for (size_t i = 0; i < sizeof warned / sizeof *warned; i++) {
        refusal c = warned[i];
        if (!c.message) c.message = "jumps";
        hol_context *ctx = hol_context_new();
        hol_model *model;
        const int found = says(ctx, &c, &model);
        if (!model) run_print_messages(ctx);
        assert_non_null(model);
        assert_int_equal(found, warned[i].message != NULL);
        hol_model_free(model);
        hol_context_free(ctx);
    }
}

/* An orientation is given in one way. */
static void test_orientation_in_one_way(void **state) {
    static const char *const ways[] = {"{quaternion: [1, 0, 0, 0], euler: [0.1, 0, 0]}",
                                       "{axis: [0, 0, 1], angle: 0.3, euler: [0.1, 0, 0]}",
                                       "{angle: 0.3}", "{}"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        char text[512], line[1024];
        int found = 0;
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\nbodies:\n  b: {mass: 1.2, inertia: 0.3, orientation: "
                 "%s}\n",
                 ways[i]);
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
        assert_null(hol_model_from_spec(ctx, spec, NULL));
        for (int k = 0; k < hol_message_count(ctx); k++) {
            hol_message_format(hol_message_get(ctx, k), line, sizeof line);
            found |= strstr(line, "test.yaml:4:45") && strstr(line, "given in one way");
        }
        assert_true(found);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    if (!run_reads_files()) return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates_of_joints),
        cmocka_unit_test(test_units_of_the_coordinate),
        cmocka_unit_test(test_contact_shapes),
        cmocka_unit_test(test_keys_without_effect),
        cmocka_unit_test(test_names_with_two_meanings),
        cmocka_unit_test(test_driven_jumps),
        cmocka_unit_test(test_orientation_in_one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
