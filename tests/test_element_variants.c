/* test_element_variants.c: the forms of joints that their examples do not show, and all examples in
 * other coordinates. */
#include "element_fixture.h"

/* Further forms of joints. */
static const struct {
    int spatial;
    const char *joints;
} variants[] = {
    {1, "  J: {type: planar, bodies: [b1, b2], at: [0.2, 0.5, -0.3], at_second: [0.6, -0.1, "
        "0.2], axis: [0.3, -0.8, 0.5], axis_second: [1, 2, 0]}"},
    {1, "  J: {type: screw, bodies: [b2, b1], at: [0.2, 0.5, -0.3], at_second: [0.6, -0.1, "
        "0.2], axis: [0.3, -0.8, 0.5], axis_second: [1, 2, 0], pitch: -0.7}"},
    {1, "  J: {type: constant_velocity, bodies: [b1, b2], at: [0.2, 0.5, -0.3], at_second: "
        "[0.6, -0.1, 0.2], axis: [0.3, -0.8, 0.5], axis_second: [1, -0.4, 0.2]}"},
    {1, "  J: {type: point_on_line, bodies: [b1, b2], at: [0.2, 0.5, -0.3], at_second: [0.6, "
        "-0.1, 0.2], axis: [0.3, -0.8, 0.5]}"},
    {0, "  J: {type: point_on_line, bodies: [b1, b2], at: [0.2, 0.5], at_second: [0.6, -0.1], "
        "axis: [0.3, -0.8]}"},
    {1, "  J: {type: line_in_plane, bodies: [b2, b1], at: [0.2, 0.5, -0.3], at_second: [0.6, "
        "-0.1, 0.2], axis: [0.3, -0.8, 0.5], line: [1, 2, 0]}"},
    {1, "  J: {type: constant_angle, bodies: [b1, b2], axis: [0.3, -0.8, 0.5], axis_second: "
        "[1, 2, 0], angle: 70 deg}"},
    {1, "  J: {type: same_orientation, bodies: [b1, b2]}"},
    {1, "  J: {type: revolute_spherical, bodies: [b2, b1], from: [0.2, 0.5, -0.3], to: [0.6, "
        "-0.1, 0.2], axis: [0.3, -0.8, 0.5]}"},
    {1, "  J: {type: revolute_revolute, bodies: [b1, b2], from: [0.2, 0.5, -0.3], to: [0.6, "
        "-0.1, 0.2], axis: [0.3, -0.8, 0.5], axis_second: [1, 2, 0]}"},
    {1, "  J: {type: revolute_revolute, bodies: [b1, b2], from: [0.2, 0.5, -0.3], to: [0.6, "
        "-0.1, 0.2], axis: [0.3, -0.8, 0.5]}"},
    {1, "  J: {type: revolute_revolute, bodies: [b1, b2], from: [0, 0, 0], to: [1, 0, 0], "
        "axis: [0, 1, 0.2], axis_second: [0.3, 1, 0.2]}"},
    {1, "  A: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, 0.5]}\n"
        "  B: {type: revolute, bodies: [ground, b1], at: [0.9, 0.5, -0.3], axis: [-0.3, 0.8, "
        "-0.5]}\n"
        "  J: {type: gear, joints: [A, B], teeth: [17, 43], kind: internal}"},
    {1, "  A: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, 0.5]}\n"
        "  B: {type: cylindrical, bodies: [ground, b1], at: [0.2, 0.5, -0.3], axis: [1, 0.2, 0]}\n"
        "  J: {type: gear, joints: [A, B], radii: [0.17, 0.43], kind: bevel}"},
    {1, "  A: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, 0.5]}\n"
        "  B: {type: revolute, bodies: [b1, ground], at: [0.9, 0.5, -0.3], axis: [0.3, -0.8, "
        "0.5]}\n"
        "  J: {type: belt, joints: [A, B], radii: [0.17, 0.43], crossed: true}"},
    {1, "  A: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.5, 0.2, 0]}\n"
        "  B: {type: prismatic, bodies: [b1, ground], at: [0.3, 0.7, -0.1], axis: [0.2, -0.5, "
        "0.3]}\n"
        "  J: {type: rack_pinion, pinion: A, rack: B, radius: 0.31}"},
    {1, "  A: {type: cylindrical, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, "
        "0.5]}\n"
        "  J: {type: coupler, coordinates: {a: {joint: A, component: angle}, s: {joint: A}, l: "
        "{bodies: [ground, b2], from: [3, 1, 2], to: [0, 0.4, 0.2]}, "
        "z: {body: b1, at: [1, 0.2, 0.3], component: z}}, equation: sin(a)*s + l^2/3 - "
        "z*cos(0.7*t) + 0.1*a*z}"},
    {0, "  J: {type: coupler, coordinates: {a: {bodies: [b1, b2]}, l: {bodies: [ground, b2], "
        "from: [3, 1], to: [0, 0.4]}, y: {body: b1, at: [1, 0.2], "
        "component: y}, c: {body: b2, component: angle}}, factors: [0.7, 1.2, -0.4, 0.9], "
        "value: 0.3*sin(t)}"},
    {1, "  J: {type: velocity_coupler, coordinates: {a: {bodies: [b1, b2], axis: [0.3, 0.5, "
        "-1]}, l: {bodies: [ground, b2], from: [3, 1, 2], to: [0, 0.4, 0.2]}, "
        "z: {body: b1, at: [1, 0.2, 0.3], component: z}}, factors: [1 + 0.3*l, cos(z)*t, 0.4], "
        "value: 0.2*t*sin(a) + z}"},
    {1, "  J: {type: velocity_constraint, coordinates: {z: {body: b1, component: z}, x: {body: "
        "b2, at: [0.4, 0.2, 0.1], component: x}}, terms: "
        "[{body: b1, component: vx, at: [1, 0.3, 0.2], factor: z}, {body: b2, against: b1, "
        "component: vy, frame: body, factor: 1 + x^2}, "
        "{body: b2, against: b1, component: wz, factor: 0.4*t}, {body: b1, component: wx, "
        "frame: body, factor: -0.3}], value: sin(x)*t}"},
    {0, "  J: {type: velocity_constraint, coordinates: {a: {body: b1, component: angle}}, "
        "terms: [{body: b1, component: vx, frame: body, at: [1, 0.3]}, "
        "{body: b2, against: b1, component: vy, factor: 1 + a^2}, {body: b2, component: omega, "
        "factor: 0.4*t}], value: sin(a)}"},
    {0, "  J: {type: velocity_constraint, coordinates: {a: {measure: turn}, x: {measure: tip.x}, "
        "y: {measure: up}}, terms: [{body: b1, component: vx, factor: cos(a) + x}, {body: b2, "
        "component: vy, factor: 1 + y^2}], value: sin(a*t) - x*y}\n"
        "measures:\n  turn: {type: angle, body: b1, relative_to: b2}\n  tip: {type: position, "
        "body: b2}\n  up: {type: position, body: b1, at: [0.4, 0.7], component: y}"},
    {1, "  A: {type: cylindrical, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, "
        "0.5]}\n"
        "  J: {type: velocity_constraint, coordinates: {a: {measure: turn}, l: {measure: gap}, "
        "s: {measure: slide}, z: {measure: tip.z}}, terms: [{body: b1, component: vx, factor: "
        "cos(a) + l}, {body: b2, component: wy, factor: s*z}], value: sin(a*t) - l*z}\n"
        "measures:\n  turn: {type: angle, body: b1, axis: [1, 0.3, 2]}\n  gap: {type: distance, "
        "bodies: [ground, b2], from: [3, 1, 2], to: [0, 0.4, 0.2]}\n  slide: {type: "
        "joint_coordinate, joint: A}\n  tip: {type: position, body: b1}"},
    {1, "  J: {type: driver, bodies: [b1, b2], axis: [0.3, 0.5, -1], velocity: 2 + sin(3*t)}"},
    {1, "  J: {type: driver, bodies: [b1, b2], from: [3, 1, 2], to: [0, 0.4, 0.2], position: 2 "
        "+ sin(t)}"},
    {0, "  J: {type: driver, body: b1, at: [1, 0.2], component: x, acceleration: sin(3*t), "
        "initial_rate: 0.3}"},
    {1, "  J: {type: rolling_disk, bodies: [b1, b2], plane: [0.1, 0.2, -0.3], normal: [0.2, "
        "0.1, 1], center: [0.1, 0.3, 0.5], axis: [1, 0.4, 0.1], radius: 0.4}"},
    {0, "  J: {type: rolling_disk, bodies: [b1, b2], plane: [0.1, -0.3], normal: [0.2, 1], "
        "center: [0.1, 0.3], radius: 0.4}"},
    {1, "  J: {type: rolling_sphere, bodies: [b2, b1], plane: [0.1, 0.2, -0.3], normal: [0.2, "
        "0.1, 1], center: [0.1, 0.3, 0.5], radius: 0.4, spin: false}"},
    {1, "  J: {type: wheel, bodies: [b1, b2], plane: [0.1, 0.2, -0.3], normal: [0.2, 0.1, 1], "
        "center: [0.1, 0.3, 0.5], axis: [1, 0.4, 0.1], radius: 0.4}"},
    {0, "  J: {type: wheel, bodies: [b1, b2], center: [0.1, 0.3], axis: [1, 0.4], speed: 0.3 + "
        "t}"},
    {1, "  J: {type: knife_edge, bodies: [b2, b1], plane: [0.1, 0.2, -0.3], normal: [0.2, 0.1, "
        "1], at: [0.1, 0.3, 0.5], axis: [1, 0.4, 0.1]}"},
    {0, "  J: {type: knife_edge, bodies: [b2, b1], at: [0.1, 0.3], axis: [1, 0.4]}"},
    {1, "  J: {type: point_on_curve, bodies: [b1, b2], at: [0.1, 0.2, 0.3], axis: [0.2, 1, "
        "0.3], x: s + 0.1*sin(s), y: 0.1*cos(s), s_from: -9, s_to: 9, "
        "point: [0.3, 0.1, 0.4]}"},
    {0, "  J: {type: point_on_curve, bodies: [b1, b2], at: [0.1, 0.2], axis: [0.2, 1], points: "
        "[[-9, 0.3], [-5, -0.1], [0, 0.2], [4, 0.3], [9, -0.2]], "
        "point: [0.3, 0.1]}"},
    {0, "  J: {type: cam, bodies: [b2, b1], at: [0.1, 0.2], x: 30*cos(s), y: 30*sin(s) + 29 - "
        "0.2*cos(2*s), point: [0.3, 0.1], radius: 0.7}"},
    {0, "  J: {type: cam, bodies: [b2, b1], at: [0.1, 0.2], x: 2*cos(s) + 0.1*cos(2*s), y: "
        "2.2*sin(s), point: [0.3, 0.1], face: [0.3, 1]}"},
    {1, "  J: {type: cam, bodies: [b1, b2], axis: [0.2, 1, 0.3], x: 30*cos(s), y: 30*sin(s) + "
        "29 - 0.2*cos(2*s), point: [0.3, 0.1, 0.2], radius: 0.7}"},
};

/* Joints whose example shows only one of their forms, in the others: in space, against moving
 * bodies, with every kind of coordinate, term and follower. Curves are gentle, and steps are
 * smaller: distances have large derivatives near a centre of curvature, angles where a frame is
 * nearly turned over (a quarter of the step has an error 4^6 times smaller, and rounding of 4.4e-13
 * |f|). */
static void test_variants(void **state) {
    uint64_t seed = 7046029254386353131u, own = 3935559000370003845u;
    int relative = 0;
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        mech_text text = {.used = 0};
        put_bodies(&text, variants[i].spatial);
        put(&text, "%s\n", variants[i].joints);
        check_text_with(text.text, 3, 0.25 * mech_step, &seed);
        relative += check_set(text.text, "relative", 3, 0.25 * mech_step, &own) > 0;
        check_set(text.text, "natural", 3, 0.25 * mech_step, &own);
    }
    /* most of them are no links of a tree */
    assert_true(relative > 25);
}

/* Every example in natural and in relative coordinates. */
static void test_examples_in_other_coordinates(void **state) {
    const hol__element_type *type;
    uint64_t seed = 1181783497276652981u;
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; (type = hol__element_type_get(i)); i++) {
        if (strcmp(type->section, "joints") != 0) continue;
        hol_context *ctx = hol_context_new();
        char *text = hol_element_example(ctx, type->section, type->name);
        assert_non_null(text);
        check_set(text, "relative", 3, 0.25 * mech_step, &seed);
        check_set(text, "natural", 3, 0.25 * mech_step, &seed);
        hol_free(ctx, text);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_examples_in_other_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
