/* test_assembly.c: consistent positions and velocities at the start: what is drawn apart is closed,
 * what is fixed is kept, what cannot be done is named with its place.
 */
#include "mechanism_stage.h"

/* A four-bar whose bars are drawn anywhere near; their ends are points of the bars. */
static void put_loose_four_bar(mech_text *to, const char *crank, const char *coupler) {
    put(to,
        "holonom: 1\nspace: planar\nbodies:\n"
        "  crank: {mass: 1, inertia: 0.3, position: [0.1, -0.2], angle: 1.1, com: [1, 0]%s}\n"
        "  coupler: {mass: 2.25, inertia: 2, position: [1.3, 1.5], angle: 0.3, com: [2, 0]%s}\n"
        "  follower: {mass: 2.2, inertia: 1.35, position: [2.3, 0.2], angle: 0.9, com: [2, 0]}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0], at_second: {body: crank, at: "
        "[0, 0]}}\n"
        "  B: {type: revolute, bodies: [crank, coupler], at: {body: crank, at: [2, 0]}, at_second: "
        "{body: coupler, at: [0, 0]}}\n"
        "  C: {type: revolute, bodies: [coupler, follower], at: {body: coupler, at: [4, 0]}, "
        "at_second: {body: follower, at: [4, "
        "0]}}\n"
        "  D: {type: revolute, bodies: [follower, ground], at: {body: follower, at: [0, 0]}, "
        "at_second: [2.5, 0]}\n",
        crank, coupler);
}

static int has_message(const hol_context *ctx, hol_severity severity, const char *element,
                       const char *words, int line) {
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        if (m->severity == severity && strstr(m->text, words) &&
            (!element || (m->element && strcmp(m->element, element) == 0)) &&
            (line == 0 ||
             (m->where.line == line && m->where.file && strcmp(m->where.file, "test.yaml") == 0)))
            return 1;
    }
    return 0;
}

/* Residuals after assembly: below the tolerance, or at rest at rounding: 1e-13 of a size of 4. */
static void check_closed(hol_sim *sim) {
    const hol_model *model = hol_sim_data(sim)->model;
    assert_true(hol__norm(hol_data_position_residual(hol_sim_data(sim)), model->mh) < 4e-13);
    assert_true(hol__norm(hol_data_velocity_residual(hol_sim_data(sim)), model->m) < 4e-12);
}

static void test_assembly_closes(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int fixed = 0; fixed < 2; fixed++) {
        mech_text text = {.used = 0};
        put_loose_four_bar(&text, fixed ? ", fix: [angle], omega: 1.7" : ", omega: 1.7", "");
        mech m = mech_open(text.text);
        hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
        if (!sim) fail_with_messages(m.ctx, text.text);
        hol_data *data = hol_sim_data(sim);
        check_closed(sim);
        const hol_sim_info info = sim_info(sim);
        assert_true(info.assembly_correction > 0.05 && info.assembly_correction < 2);
        assert_true(has_message(m.ctx, HOL_WARNING, "assembly", "largest correction", 0));
        assert_int_equal(info.dof, 1);
        if (fixed) check_close(hol_data_q(data)[2], 1.1, 1e-9, "fixed angle", text.text);
        /* lengths of the loop: |B - A| = 2, |C - B| = 4, |C - D| = 4 by the joints; the crank turns
         * as given */
        check_close(hol_data_v(data)[2], 1.7, 1e-8, "given rate", text.text);
        const hol_pose crank = pose_at(data, 0), coupler = pose_at(data, 1);
        check_close(crank.r[0], 0, 1e-12, "A", text.text);
        check_close(coupler.r[0], 2 * crank.R[0], 1e-12, "B", text.text);
        /* v_B = omega x AB */
        const hol_twist twist = twist_at(data, 1);
        check_close(twist.v[0], -1.7 * coupler.r[1], 1e-7, "velocity of B", text.text);
        check_close(twist.v[1], 1.7 * coupler.r[0], 1e-7, "velocity of B", text.text);
        hol_sim_free(sim);
        mech_close(&m);
    }
}

/* Of two bodies that are drawn apart and share a joint, the one with the large weight stays and the
 * other comes. */
static void test_assembly_weights(void **state) {
    static const char *const format = "holonom: 1\nspace: %s\nbodies:\n"
                                      "  b1: {mass: 1.3, inertia: 0.2, position: %s%s}\n  b2: "
                                      "{mass: 0.7, inertia: 0.3, position: %s%s}\n"
                                      "joints:\n  J: {type: fixed, bodies: [b1, b2], at: {body: "
                                      "b1, at: %s}, at_second: {body: b2, at: %s}}\n";
    (void)state;
    if (!reads_yaml()) skip();
    for (int spatial = 0; spatial < 2; spatial++)
        for (int heavy = 0; heavy < 2; heavy++) {
            char text[1024];
            const char *far = spatial ? "[1.2, 0.4, -0.3]" : "[1.2, 0.4]",
                       *near = spatial ? "[0.1, 0.2, 0]" : "[0.1, 0.2]";
            snprintf(text, sizeof text, format, spatial ? "spatial" : "planar", near,
                     heavy ? "" : ", weight: 1e6", far, heavy ? ", weight: 1e6" : "", near, near);
            mech m = mech_open(text);
            hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
            if (!sim) fail_with_messages(m.ctx, text);
            check_closed(sim);
            const int w = m.model->coords->nq_body;
            double moved[2];
            for (int b = 0; b < 2; b++)
                moved[b] = hypot(hol_data_q(hol_sim_data(sim))[w * b] - m.model->q0[w * b],
                                 hol_data_q(hol_sim_data(sim))[w * b + 1] - m.model->q0[w * b + 1]);
            assert_true(moved[heavy] < 1e-5 && moved[!heavy] > 0.5);
            hol_sim_free(sim);
            mech_close(&m);
        }
}

/* Andrews' squeezer is drawn roughly, with the crank held. */
static void test_assembly_andrews(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    stage s = stage_open("a03_andrews.yaml", NULL);
    check_closed(s.sim);
    check_close(hol_data_q(s.data)[2], -0.0620, 1e-9, "beta", "a03_andrews.yaml");
    assert_int_equal(sim_info(s.sim).dof, 1);
    stage_close(&s);
}

/* The spatial slider-crank drawn apart and turned: the crank is held, the rest is found. */
static void test_assembly_spatial(void **state) {
    static const char *const text =
        "holonom: 1\nspace: spatial\nbodies:\n"
        "  crank: {mass: 0.12, inertia: [1e-4, 1e-4, 1e-5], position: [0, 0, 0.05], omega: [0, "
        "-6.2832, 0], fix: [x, y, z, rx, ry, rz]}\n"
        "  rod: {mass: 0.5, inertia: [4e-3, 4e-4, 4e-3], position: [0.02, 0.06, -0.04], "
        "orientation: {euler: [-0.9, 0.1, -0.2]}}\n"
        "  slider: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], position: [0.01, 0.12, -0.14], "
        "orientation: {euler: [0.1, 0.05, -0.1]}}\n"
        "joints:\n"
        "  O: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}\n"
        "  T: {type: spherical, bodies: [crank, rod], at: [0, 0, 0.1], at_second: {body: rod, at: "
        "[0, -0.145, 0]}}\n"
        "  S: {type: universal, bodies: [slider, rod], at: {body: slider, at: [0, 0, 0]}, "
        "at_second: {body: rod, at: [0, 0.145, 0]}, "
        "axis: [0.1, 1, 0.1], axis_second: [1, -0.05, -0.1]}\n"
        "  guide: {type: generic, bodies: [ground, slider], at: [0, 0, -0.15], at_second: {body: "
        "slider, at: [0, 0, 0]}, axis: [0, 1, "
        "0], lock: [x, y, rx, ry, rz]}\n";
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open(text);
    hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
    if (!sim) fail_with_messages(m.ctx, text);
    hol_data *data = hol_sim_data(sim);
    check_closed(sim);
    for (int k = 0; k < 7; k++)
        check_close(hol_data_q(data)[k], m.model->q0[k], 1e-9, "crank", text);
    const double omega = -6.2832;
    check_close(hol_data_v(data)[4], omega, 1e-8, "rate of the crank", text);
    const hol_pose slider = pose_at(data, 2);
    /* the rod is 0.29 long, its tip at (0, 0, 0.1): y^2 + 0.25^2 = 0.29^2 */
    check_close(slider.r[1], sqrt(0.29 * 0.29 - 0.25 * 0.25), 1e-11, "slider", text);
    check_close(slider.r[2], -0.15, 1e-11, "slider", text);
    /* the tip moves with (omega z, 0, 0), across the rod: the slider rests at this instant */
    check_close(twist_at(data, 2).v[1], 0, 1e-8, "speed of the slider", text);
    check_close(twist_at(data, 0).v[0], 0.05 * omega, 1e-8, "speed of the crank", text);
    hol_sim_free(sim);
    mech_close(&m);
}

/* Axes that are drawn in opposite directions are closed by half a turn: |Phi| is stationary there
 * and largest. */
static void test_assembly_half_turn(void **state) {
    static const char *const types[] = {"revolute", "prismatic", "cylindrical", "planar"};
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\nbodies:\n  rod: {mass: 2.5, "
                 "inertia: [0.2, 0.3, 0.1], position: [0.5, 0.1, 0]}\njoints:\n  A: {type: %s, "
                 "bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0.6, 0.8]%s}\n",
                 types[k], strcmp(types[k], "planar") ? ", axis_second: [0, -0.6, -0.8]" : "");
        mech m = mech_open(text);
        hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
        if (!sim) fail_with_messages(m.ctx, text);
        check_closed(sim);
        hol_sim_free(sim);
        mech_close(&m);
    }
}

/* Joints that stay open are named up to five, and the others are counted. */
static void test_assembly_counts_open(void **state) {
    mech_text text = {.used = 0};
    (void)state;
    if (!reads_yaml()) skip();
    put(&text, "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n");
    for (int i = 0; i < 4; i++)
        put(&text, "  b%d: {mass: 1.3, inertia: 0.2, position: [0.3, %d]}\n", i, i);
    put(&text, "joints:\n");
    for (int i = 0; i < 4; i++) /* pins 0.6 and more apart in ground, 0.5 on the body */
        put(&text,
            "  L%d: {type: revolute, bodies: [ground, b%d], at: [0, %d]}\n"
            "  R%d: {type: revolute, bodies: [ground, b%d], at: [%g, %d], at_second: [0.5, %d]}\n",
            i, i, i, i, i, 0.6 + 0.1 * i, i, i);
    mech m = mech_open(text.text);
    assert_null(hol_sim_new(m.ctx, m.model, m.options));
    assert_true(has_message(m.ctx, HOL_ERROR, "joint 'R3'", "cannot be closed: off by 0.2", 0));
    assert_int_equal(hol_message_count_of(m.ctx, HOL_ERROR), 5);
    assert_true(has_message(m.ctx, HOL_NOTE, NULL, "3 more joints cannot be closed", 0));
    mech_close(&m);
}

/* A driver that was given a displacement from the drawn position where it takes the coordinate
 * itself is named where the mechanism does not reach there; one that begins as drawn is not. */
static void test_far_driver(void **state) {
    static const char *const lift[] = {"0.05*sin(3*t)", "1.731 + 0.05*sin(3*t)"};
    (void)state;
    if (!reads_yaml()) skip();
    for (int good = 0; good < 2; good++) {
        mech_text text = {.used = 0};
        put(&text,
            "holonom: 1\nspace: planar\nbodies:\n"
            "  rod: {mass: 1.3, inertia: 0.2, along: [[0, 1.231], [1.2, 1.731]]}\n"
            "joints:\n"
            "  A: {type: revolute, bodies: [ground, rod], at: [0, 1.231]}\n"
            "  lift: {type: driver, body: rod, at: [1.2, 1.731], component: y, position: %s}\n",
            lift[good]);
        if (!good)
            put(&text,
                "  B: {type: distance, bodies: [ground, rod], from: [2, 2], to: [1.2, 1.731]}\n");
        mech m = mech_open(text.text);
        hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
        assert_int_equal(sim != NULL, good);
        assert_int_equal(
            has_message(m.ctx, HOL_NOTE, "joint 'lift'", "1.731 away from the drawn position", 7),
            !good);
        hol_sim_free(sim);
        mech_close(&m);
    }
}

/* What cannot be closed is named: a follower that is too short, and fixed bodies that are too far
 * apart. */
static void test_assembly_fails(void **state) {
    static const char *const too_short =
        "holonom: 1\nspace: planar\nbodies:\n"
        "  crank: {mass: 1, inertia: 0.3, along: [[0, 0], [1, 0]]}\n"
        "  follower: {mass: 1, inertia: 0.3, along: [[3, 0], [2.2, 0]]}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [crank, follower], at: [1, 0], at_second: [2.2, 0]}\n"
        "  D: {type: revolute, bodies: [follower, ground], at: [3, 0]}\n";
    static const char *const held =
        "holonom: 1\nspace: planar\nbodies:\n"
        "  block: {mass: 1, inertia: 0.3, position: [0.7, 0.4], fix: [x, y]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, block], at: [0, 0], at_second: {body: block, at: "
        "[0, 0]}}\n";
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open(too_short);
    assert_null(hol_sim_new(m.ctx, m.model, m.options));
    /* at best the gap of 1.2 is shared among the joints; each that stays open is named with its
     * place */
    assert_true(has_message(m.ctx, HOL_ERROR, "joint 'B'", "cannot be closed", 8));
    assert_true(has_message(m.ctx, HOL_ERROR, "joint 'B'", "translation x", 8));
    for (int i = 0; i < hol_message_count(m.ctx); i++)
        if (hol_message_get(m.ctx, i)->severity == HOL_ERROR)
            assert_int_equal(hol_message_get(m.ctx, i)->status, HOL_ERR_ASSEMBLY);
    mech_close(&m);

    m = mech_open(held);
    assert_null(hol_sim_new(m.ctx, m.model, m.options));
    assert_true(
        has_message(m.ctx, HOL_ERROR, "body 'block'", "a fixed coordinate had to move by -0.7", 4));
    assert_true(
        has_message(m.ctx, HOL_ERROR, "body 'block'", "a fixed coordinate had to move by -0.4", 4));
    mech_close(&m);
}

/* Lengths that contradict each other by less than a picometre in a millimetre are refused with
 * their joints, not with a number alone. */
static void test_almost_closed(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open(
        "holonom: 1\nspace: planar\nbodies:\n"
        "  rod: {mass: 1, inertia: 0.3, position: [1, 0]}\njoints:\n"
        "  A: {type: distance, bodies: [ground, rod], from: [0, 0], to: [1, 0], length: 1}\n"
        "  B: {type: distance, bodies: [ground, rod], from: [0, 0], to: [1, 0], length: "
        "1+6e-10}\n");
    assert_null(hol_sim_new(m.ctx, m.model, m.options));
    assert_true(has_message(m.ctx, HOL_ERROR, "joint 'A'", "cannot be closed: off by 3e-10", 6));
    assert_true(has_message(m.ctx, HOL_ERROR, "joint 'B'", "cannot be closed: off by 3e-10", 7));
    assert_int_equal(hol_message_count_of(m.ctx, HOL_ERROR), 2);
    mech_close(&m);
}

/* Velocities that the joints do not allow: given ones are changed with a warning, fixed ones are
 * refused. */
static void test_velocities(void **state) {
    static const char *const format =
        "holonom: 1\nspace: planar\nbodies:\n"
        "  rod: {mass: 1, inertia: 0.3, along: [[0, 0], [1, 0]], velocity: [0.4, 0.9], omega: "
        "1.3%s}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n";
    (void)state;
    if (!reads_yaml()) skip();
    char text[512];
    snprintf(text, sizeof text, format, "");
    mech m = mech_open(text);
    hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
    if (!sim) fail_with_messages(m.ctx, text);
    check_closed(sim);
    const double *v = hol_data_v(hol_sim_data(sim));
    assert_true(has_message(m.ctx, HOL_WARNING, "body 'rod'", "vx = 0.4 was changed to", 4));
    assert_true(has_message(m.ctx, HOL_WARNING, "body 'rod'", "vy = 0.9 was changed to", 4));
    /* nearest in the metric of mass and inertia: vx = 0, vy = omega/2, minimise (omega/2 - 0.9)^2 +
     * 0.3 (omega - 1.3)^2 */
    const double omega = (0.45 + 0.39) / (0.25 + 0.3);
    check_close(v[2], omega, 1e-6, "nearest velocity", text);
    check_close(v[1], omega / 2, 1e-6, "nearest velocity", text);
    hol_sim_free(sim);
    mech_close(&m);

    snprintf(text, sizeof text, format, ", fix_velocity: [vx]");
    m = mech_open(text);
    assert_null(hol_sim_new(m.ctx, m.model, m.options));
    assert_true(has_message(m.ctx, HOL_ERROR, "body 'rod'", "the joints do not allow vx = 0.4", 4));
    mech_close(&m);

    /* a fixed one that can be met is met exactly, and the others give way */
    snprintf(text, sizeof text, format, ", fix_velocity: [omega]");
    m = mech_open(text);
    sim = hol_sim_new(m.ctx, m.model, m.options);
    if (!sim) fail_with_messages(m.ctx, text);
    check_close(hol_data_v(hol_sim_data(sim))[2], 1.3, 1e-8, "fixed velocity", text);
    check_close(hol_data_v(hol_sim_data(sim))[1], 0.65, 1e-8, "velocity that follows", text);
    hol_sim_free(sim);
    mech_close(&m);
}

/* One given rate determines all others, in the plane and in space, also with redundant
 * constraints. */
static void test_one_rate(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < 2; i++) {
        stage s = i ? stage_open("slider_crank_spatial.yaml", NULL) : stage_open("twin", twin_text);
        check_closed(s.sim);
        assert_int_equal(hol_message_count_of(s.m.ctx, HOL_ERROR), 0);
        for (int k = 0; k < hol_message_count(s.m.ctx); k++)
            if (strstr(hol_message_get(s.m.ctx, k)->text, "was changed"))
                fail_msg("%s", hol_message_get(s.m.ctx, k)->text);
        check_close(twist_at(s.data, 0).omega[i ? 1 : 2], i ? -6.2832 : 1.3, 1e-8, "given rate",
                    s.name);
        /* the motion has one degree of freedom: the velocities are those of the run a moment later,
         * in the same ratio */
        double *v = calloc((size_t)s.m.model->nv, sizeof *v),
               *q = calloc((size_t)s.m.model->nq, sizeof *q),
               *d = calloc((size_t)s.m.model->nv, sizeof *d);
        memcpy(v, hol_data_v(s.data), (size_t)s.m.model->nv * sizeof *v);
        memcpy(q, hol_data_q(s.data), (size_t)s.m.model->nq * sizeof *q);
        const double h = 1e-5;
        assert_int_equal(hol_sim_advance(s.sim, h), HOL_OK);
        s.m.model->coords->minus(s.m.model, hol_data_q(s.data), q, d);
        double scale = 1;
        for (int k = 0; k < s.m.model->nv; k++) scale = fmax(scale, fabs(v[k]));
        /* accelerations of up to 40 times the velocity scale: h^2/2 of them */
        for (int k = 0; k < s.m.model->nv; k++)
            if (!(fabs(d[k] / h - v[k]) < 40 * h * scale * 10))
                fail_msg("%s: velocity %d is %g, the motion has %g", s.name, k, v[k], d[k] / h);
        free(v), free(q), free(d);
        stage_close(&s);
    }
}

/* ---- starts that are left as drawn ---- */

/* With `assemble: off` the start is the drawing, its residual is reported and kept, and every
 * method runs from it in every set of coordinates: those that hold constraints have it back on them
 * after their first step. */
static void test_assemble_off(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    mech_text text = {.used = 0};
    put_loose_four_bar(&text, ", omega: 1.7", "");
    put(&text, "simulation: {assemble: \"off\", method: braun-goldfarb, step: 1e-4}\n");
    mech m = mech_open(text.text);
    hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
    if (!sim) fail_with_messages(m.ctx, text.text);
    hol_data *data = hol_sim_data(sim);
    /* A, where the crank is drawn 0.1 and -0.2 beside it, is open by that much */
    check_close(fabs(hol_data_position_residual(data)[0]), 0.1, 1e-14, "gap of A", text.text);
    check_close(fabs(hol_data_position_residual(data)[1]), 0.2, 1e-14, "gap of A", text.text);
    check_close(hol_data_v(data)[2], 1.7, 0, "given rate", text.text);
    assert_true(hol_data_v(data)[5] == 0);
    assert_true(has_message(m.ctx, HOL_NOTE, "assembly", "starts as drawn", 0));
    const hol_sim_info info = sim_info(sim);
    assert_true(info.assembly_correction == 0 && info.start_velocity_violation > 1);
    check_close(info.start_position_violation,
                hol__norm(hol_data_position_residual(data), m.model->mh), 1e-15, "reported", "");
    /* what one step takes back is off by the fifth power of the gaps, 0.3 to 1 here */
    assert_int_equal(hol_sim_step(sim), HOL_OK);
    assert_true(sim_info(sim).max_position_violation < 1e-2 * info.start_position_violation);
    assert_int_equal(hol_sim_step(sim), HOL_OK);
    assert_int_equal(hol_sim_step(sim), HOL_OK);
    assert_true(hol__norm(hol_data_position_residual(data), m.model->mh) < 1e-10);
    hol_sim_free(sim);
    mech_close(&m);
}

/* A start of a joint needs assembly: its place is named. */
static void test_assemble_off_refuses(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open("holonom: 1\nspace: planar\n"
                       "bodies:\n  rod: {mass: 1, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"
                       "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0], start: "
                       "{angle: 0.3}}\n"
                       "simulation: {assemble: \"off\"}\n");
    assert_null(hol_sim_new(m.ctx, m.model, m.options));
    assert_true(has_message(m.ctx, HOL_ERROR, "start of joint 'A'", "assemble: off", 6));
    mech_close(&m);
}

/* The four-bar that is drawn apart, or the one that closes, left as it is drawn. */
static void put_as_drawn(char *text, size_t size, const char *file, const char *method,
                         const char *set) {
    snprintf(text, size,
             "holonom: 1\ninclude: %s.yaml\nsimulation: {assemble: \"off\", method: %s, "
             "coordinates: %s}\n",
             file, method, set);
}

/* One method from the four-bar that is drawn apart; its residuals at t = 0.05 s. */
static void run_apart(const char *method, const char *set, double *position, double *velocity) {
    char text[512];
    put_as_drawn(text, sizeof text, "four_bar_apart", method, set);
    hol_context *ctx = hol_context_new();
    hol_options *options;
    hol_model *model = compile_text(ctx, text, HOLONOM_TEST_MODELS "/test.yaml", &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    if (!sim || hol_sim_advance(sim, 0.05)) fail_with_messages(ctx, text);
    /* points that bodies share have one velocity: what is drawn otherwise is told */
    const int lost = has_message(ctx, HOL_WARNING, "body 'crank'", "its velocities are off by", 0);
    if (lost != (strcmp(set, "natural") == 0)) fail_with_messages(ctx, text);
    *position = hol__norm(hol_data_position_residual(hol_sim_data(sim)), model->mh);
    *velocity = hol__norm(hol_data_velocity_residual(hol_sim_data(sim)), model->m);
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    hol_context_free(ctx);
}

/* A method that has the constraints among its equations: no solution starts off them, which is said
 * at once, with the element; from a drawing that closes it runs. */
static void check_refused_apart(const char *method, const char *set) {
    static const char *const files[] = {"four_bar_apart", "four_bar"};
    /* natural coordinates share the point of the joint: the body is too long for its points */
    const char *widest =
        strcmp(set, "natural") == 0 ? "most at body 'coupler'" : "most at joint 'C'";
    for (int k = 0; k < 2; k++) {
        char text[512];
        put_as_drawn(text, sizeof text, files[k], method, set);
        hol_context *ctx = hol_context_new();
        hol_options *options;
        hol_model *model = compile_text(ctx, text, HOLONOM_TEST_MODELS "/test.yaml", &options);
        hol_sim *sim = hol_sim_new(ctx, model, options);
        if (!sim != !k || (sim && hol_sim_advance(sim, 0.05))) fail_with_messages(ctx, text);
        if (!k) assert_true(has_message(ctx, HOL_ERROR, "simulation", widest, 0));
        hol_sim_free(sim);
        hol_options_free(options);
        hol_model_free(model);
        hol_context_free(ctx);
    }
}

/* Every method in every set: independent states solve for the dependent positions and velocities in
 * their first evaluation, corrections act in the first step, Braun and Goldfarb's terms over the
 * first; others keep Phi + t psi or pull it in slowly. */
static void test_assemble_off_methods(void **state) {
    (void)state;
    static const char *const sets[] = {"reference", "natural", "relative"};
    const hol_method_doc *method;
    if (!reads_yaml()) skip();
    for (int k = 0; k < 3; k++)
        for (int i = 0; (method = hol_method_get(i)); i++) {
            double position, velocity;
            if (method->coordinates && strcmp(method->coordinates, sets[k]) != 0) continue;
            if (strcmp(method->stabilizer, "ggl") == 0) {
                check_refused_apart(method->name, sets[k]);
                continue;
            }
            run_apart(method->name, sets[k], &position, &velocity);
            const int holds = (strcmp(method->correction, "none") != 0 &&
                               strcmp(method->correction, "hybrid") != 0) ||
                              strstr(method->state, "independent") ||
                              strcmp(method->name, "braun-goldfarb") == 0;
            if (holds && !(position < 1e-7 && velocity < 1e-4))
                fail_msg("%s in %s coordinates: %g, %g", method->name, sets[k], position, velocity);
            if (!(position < 0.2 && velocity < 3)) fail_msg("%s: %g", method->name, position);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assembly_closes),
        cmocka_unit_test(test_assembly_weights),
        cmocka_unit_test(test_assembly_half_turn),
        cmocka_unit_test(test_assembly_counts_open),
        cmocka_unit_test(test_assembly_andrews),
        cmocka_unit_test(test_assembly_spatial),
        cmocka_unit_test(test_far_driver),
        cmocka_unit_test(test_almost_closed),
        cmocka_unit_test(test_assembly_fails),
        cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_one_rate),
        cmocka_unit_test(test_assemble_off),
        cmocka_unit_test(test_assemble_off_refuses),
        cmocka_unit_test(test_assemble_off_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
