/* test_descriptions.c: what a model and a state say of themselves, for drawings and reports: forces
 * one by one, joints, shapes. */
#include "model_fixture.h"

/* ---- forces of a state, descriptions, shapes ---- */

static const char spring_model[] =
    "holonom: 1\n"
    "space: spatial\n"
    "bodies:\n"
    "  a: {mass: 2.385, inertia: [0.3, 0.4, 0.5], com: [0.1, 0.2, -0.07], position: [0.4, -0.3, "
    "0.7], "
    "orientation: {axis: [1, 2, -1], angle: 0.83}, velocity: [0.3, 0.1, -0.2], omega: [0.5, -1.1, "
    "0.7]}\n"
    "forces:\n"
    "  s: {type: spring, bodies: [a, ground], from: [0.9, 0.13, 0.31], to: [-0.6, 1.2, 0.4], "
    "stiffness: 31.7, "
    "free_length: 0.4, damping: 3.1}\n"
    "  f: {type: force, body: a, at: [0.2, 0.1, 0.9], force: [1.7, -2.3, 0.6]}\n"
    "  t: {type: torque, body: a, torque: [0.7, 1.9, -0.4]}\n"
    "simulation: {end: 1}\n";

/* Forces one by one add up to the acceleration: m a = sum of the forces. A spring pulls along its
 * line with k (l - l0) + c l'. */
static void test_forces_of_a_state(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_text(spring_model, NULL);
    run_to(&r, 0.31);
    hol_data *data = hol_sim_data(r.sim);
    const double *a = hol_data_acceleration(data);
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        const hol_load load = load_of(data, i);
        for (int k = 0; k < 3; k++) sum[k] += load.force[k];
    }
    /* both sides have a few roundings of numbers of this size */
    for (int k = 0; k < 3; k++) assert_true(fabs(sum[k] - 2.385 * a[k]) < 1e-12 * 60);
    const hol_load spring = load_of(data, 0), torque = load_of(data, 2);
    const double anchor[3] = {-0.6, 1.2, 0.4};
    double d[3], l = 0, f = 0, out = 0;
    for (int k = 0; k < 3; k++) d[k] = anchor[k] - spring.point[k], l += d[k] * d[k];
    l = sqrt(l);
    const hol_pose pose = pose_at(data, 0);
    const hol_twist twist = twist_at(data, 0);
    double rate = 0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double v = twist.v[k] + twist.omega[i] * (spring.point[j] - pose.r[j]) -
                         twist.omega[j] * (spring.point[i] - pose.r[i]);
        rate -= v * d[k] / l;
        f += spring.force[k] * d[k] / l;
        out += fabs(spring.moment[k]);
    }
    assert_true(fabs(f - (31.7 * (l - 0.4) + 3.1 * rate)) < 1e-12 * 60);
    assert_true(out < 1e-12 * 60); /* no moment about its own point */
    assert_true(fabs(torque.moment[0] - 0.7) + fabs(torque.moment[1] - 1.9) +
                    fabs(torque.moment[2] + 0.4) <
                1e-13);
    run_close(&r);
}

static void test_descriptions(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_text(spring_model, NULL);
    const hol_element_info spring = force_info(r.model, 0);
    assert_string_equal(spring.type, "spring");
    assert_int_equal(spring.body[0], 0);
    assert_int_equal(spring.body[1], 1);
    /* the point on ground is where it was drawn; the point on the body is in its frame: turned back
     * it is where it was drawn */
    const double drawn[3] = {0.9, 0.13, 0.31};
    hol_data *data = hol_data_new(r.ctx, r.model);
    const hol_pose pose = pose_at(data, 0);
    for (int i = 0; i < 3; i++) {
        double p = pose.r[i];
        for (int k = 0; k < 3; k++) p += pose.R[3 * i + k] * spring.point[0][k];
        assert_true(fabs(p - drawn[i]) < 1e-14 * 10);
    }
    assert_true(spring.point[1][0] == -0.6 && spring.point[1][1] == 1.2);
    const hol_body_info body = body_info(r.model, 0);
    assert_true(body.mass == 2.385 && body.com[1] == 0.2 && body.inertia[4] == 0.4 &&
                body.n_shapes == 0);
    hol_data_free(data);
    run_close(&r);
}

static void test_shapes_are_kept(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_text(
        "holonom: 1\nspace: spatial\nbodies:\n"
        "  a: {shape: [{type: cone, radius: 0.12, length: 0.31, density: 500, axis: [0, 1, 0]}, "
        "{type: torus, radius: 0.2, "
        "tube: 0.03, mass: 1, color: \"#12ab9F\"}, {type: sphere, radius: 0.02, mass: -0.01}]}\n"
        "  b: {mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0, 0], [0.1, 0, 0], [0, 0.2, "
        "0.3]], faces: [[0, 1, 2]]}}\n"
        "simulation: {end: 1}\n",
        NULL);
    const hol_body_info a = body_info(r.model, 0), b = body_info(r.model, 1);
    assert_int_equal(a.n_shapes, 2); /* what is cut out is not drawn */
    assert_int_equal(a.shapes[0].kind, HOL_SHAPE_CONE);
    assert_true(a.shapes[0].size[0] == 0.12 && a.shapes[0].size[1] == 0.31 &&
                fabs(a.shapes[0].R[5] - 1) < 1e-15);
    assert_int_equal(a.shapes[1].kind, HOL_SHAPE_TORUS);
    assert_string_equal(a.shapes[1].color, "#12ab9F");
    assert_true(b.n_shapes == 1 && b.shapes[0].n_vertices == 3 && b.shapes[0].n_indices == 4);
    assert_true(b.shapes[0].vertices[8] == 0.3 && b.shapes[0].indices[2] == 2 &&
                b.shapes[0].indices[3] == -1);
    run_close(&r);
    static const char *const wrong[][2] = {
        {"shape: {type: mesh, vertices: [[0, 0, 0]], faces: [[0, 0, 0]]}", "can only be drawn"},
        {"mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0, 0]], faces: [[0, 1, 0]]}",
         "counted from 0 to 0"},
        {"mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0]], faces: [[0, 0, 0]]}",
         "has 3 coordinates"},
        {"mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0, 0]], faces: [[0, 0]]}",
         "at least three"},
        {"mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0, 0]]}",
         "needs vertices and faces"},
        {"mass: 1, inertia: 1, draw: {type: sphere, radius: 1, color: red}", "#rrggbb"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        snprintf(text, sizeof text, "holonom: 1\nspace: spatial\nbodies:\n  a: {%s}\n",
                 wrong[i][0]);
        assert_int_equal(hol_spec_read_text(spec, text, "wrong.yaml"), HOL_OK);
        assert_null(hol_model_from_spec(ctx, spec, NULL));
        if (!said(ctx, wrong[i][1])) {
            run_print_messages(ctx);
            fail_msg("%s: nothing says '%s'", wrong[i][0], wrong[i][1]);
        }
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_of_a_state),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_shapes_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
