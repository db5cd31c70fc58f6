/* test_aside_rest.c: rows set aside that are not looked at in every step (src/sim/aside_rest.c):
 * how often they are, that the caller sees all of them, that a contradiction is found all the same,
 * and that an open tree without other rows is solved by recursion. */
#include "model_fixture.h"

#include "sim/sim.h"

enum { MOST_HINGES = 33 };

/* A door on hinges of one axis, and what is added to it. */
static const char *door_on(int hinges, const char *more) {
    static char text[MOST_HINGES * 100 + 1096];
    int used = snprintf(text, sizeof text,
                        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                        "  door: {mass: 2.385, inertia: [0.117, 0.217, 0.3], "
                        "position: [0.43, 0.2, 0]}\njoints:\n");
    for (int i = 0; i < hinges; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  h%d: {type: revolute, bodies: [ground, door], at: [0, %g, 0], "
                         "axis: [0, 1, 0]}\n",
                         i, 0.137 * i);
    used += snprintf(text + used, sizeof text - (size_t)used, "%s", more);
    assert_true(used < (int)sizeof text);
    return text;
}

static const char *door(const char *more) {
    return door_on(10, more);
}

/* Any number of hinges, whatever rounding makes of the many rows that depend: the motion is that of
 * the door on one, to ten times the tolerance. */
static void test_any_number(void **state) {
    (void)state;
    run one = run_text(door_on(1, ""), "end=0.1 tolerance=1e-9");
    run_to(&one, 0.1);
    for (int n = 2; n <= MOST_HINGES; n++) {
        run r = run_text(door_on(n, ""), "end=0.1 tolerance=1e-9");
        run_to(&r, 0.1);
        for (int i = 0; i < r.model->nv; i++)
            assert_true(fabs(r.sim->data->v[i] - one.sim->data->v[i]) < 1e-8);
        run_close(&r);
    }
    run_close(&one);
}

/* The share of steps after which the rows were not evaluated. */
static double resting(run *r, int steps) {
    int rested = 0;
    for (int i = 0; i < steps; i++) {
        assert_int_equal(hol_sim_step(r->sim), HOL_OK);
        rested += r->sim->data->owed != NULL;
    }
    return (double)rested / steps;
}

/* Looks cost one row for each velocity in each step: with r rows set aside and v velocities short
 * steps are looked at one in ceil(r/v), after looks at twice the motion each until that many steps
 * are as long: of 200 at most 200/ceil(r/v) and some ten. Long ones where the mechanism has moved
 * by a radian: here by some 0.3 in a step. */
static void test_looks(void **state) {
    static const char *const sets[] = {"reference", "natural", "relative"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        char settings[96];
        snprintf(settings, sizeof settings, "coordinates=%s step=0.001 end=9", sets[k]);
        run fine = run_text(door(""), settings);
        int rows = 0;
        for (int i = 0; i < fine.model->m; i++) rows += fine.sim->aside.rows[i];
        assert_true(rows >= 44); /* nine hinges of five rows; in natural ones one fewer */
        const int every = (rows + fine.model->nv - 1) / fine.model->nv;
        const double looks = 200 * (1 - resting(&fine, 200));
        assert_true(looks >= 200 / every && looks <= 200.0 / every + 10);
        run_close(&fine);
        snprintf(settings, sizeof settings, "coordinates=%s tolerance=1e-8 end=99", sets[k]);
        run coarse = run_text(door(""), settings);
        const double coarse_share = resting(&coarse, 100);
        assert_true(coarse_share > 0.3 && coarse_share < 0.9);
        run_close(&coarse);
    }
}

/* From look to look the stretch of motion at most doubles, so that rows which depend by chance in
 * one position are seen again right behind it. */
static void test_doubling(void **state) {
    (void)state;
    run r = run_text(door(""), "step=0.001 end=9");
    const hol__aside_rest *rest = &r.sim->aside.rest;
    double looked = 0; /* the motion up to the last look */
    int steps = 0;
    for (int i = 0; i < 60; i++) {
        const double stretch = rest->stretch;
        assert_int_equal(hol_sim_step(r.sim), HOL_OK);
        steps++;
        if (rest->stretch == stretch) continue;
        /* not more than twice what was seen before, and the estimate of one step */
        if (looked > 0) assert_true(rest->stretch <= 2 * looked + 2 * rest->step || steps == 1);
        assert_true(steps <= 8); /* 45 rows, 6 velocities */
        looked = rest->stretch;
        steps = 0;
    }
    assert_true(looked > 0);
    run_close(&r);
}

/* A step that rests leaves nothing undone for who asks: residuals and rows are those of a data that
 * is set to the same state, bit for bit. */
static void test_caller(void **state) {
    (void)state;
    run r = run_text(door(""), "step=0.001 end=9");
    hol_data *data = r.sim->data, *other = hol_data_new(r.ctx, r.model);
    const size_t m = (size_t)r.model->m, entries = (size_t)data->A.ptr[m];
    assert_true(resting(&r, 30) > 0.5);
    while (!data->owed) assert_int_equal(hol_sim_step(r.sim), HOL_OK);
    hol_data_set(other, data->t, data->q, data->v);
    hol_data_update(other, HOL_STAGE_VEL);
    assert_memory_equal(hol_data_position_residual(data), other->Phi, m * sizeof(double));
    assert_null(data->owed);
    assert_memory_equal(data->A.x, other->A.x, entries * sizeof(double));
    assert_memory_equal(data->c, other->c, m * sizeof(double));
    double most = 0; /* of a row that is set aside */
    for (int i = data->A.ptr[m - 1]; i < data->A.ptr[m]; i++) most = fmax(most, fabs(data->A.x[i]));
    assert_true(r.sim->aside.rows[m - 1] && most > 0.1);
    hol_data_free(other);
    run_close(&r);
}

/* Two motors that part smoothly, by 1e-4 t^6, which is above the tolerance from t = 0.2 on: an
 * error within a radian of motion, half a second later. */
static void test_contradiction(void **state) {
    static const char *const settings[] = {
        "end=5", "step=0.001 end=5", "coordinates=relative step=0.001 end=5",
        "method=canonical end=5", "method=partitioning-extended end=5"};
    (void)state;
    for (int k = 0; k < 5; k++) {
        run r = run_text(door("  slow: {type: motor, joint: h0, speed: 2}\n"
                              "  fast: {type: motor, joint: h1, speed: 2 + 1e-4*t^6}\n"),
                         settings[k]);
        hol_status status = HOL_OK;
        while (!status && r.sim->data->t < 5) status = hol_sim_step(r.sim);
        if (status != HOL_ERR_TOLERANCE || r.sim->data->t > 1)
            fail_msg("%s: status %d at t = %g", settings[k], (int)status, r.sim->data->t);
        int found = 0;
        for (int i = 0; i < hol_message_count(hol_sim_context(r.sim)); i++)
            found |=
                strstr(hol_message_get(hol_sim_context(r.sim), i)->text, "contradicts") != NULL;
        assert_true(found);
        run_close(&r);
    }
}

/* In relative coordinates the hinges beyond the first leave no rows: accelerations by recursion, as
 * with one hinge, and no kernel. */
static void test_recursion(void **state) {
    (void)state;
    run r = run_text(door(""), "coordinates=relative tolerance=1e-8 end=8");
    assert_int_equal(hol_sim_step(r.sim), HOL_OK);
    const long before = r.sim->kernel->info.factorizations;
    run_to(&r, 8);
    assert_string_equal(sim_info(r.sim).kernel, "recursive");
    assert_true(r.sim->kernel->info.factorizations <= before + 1);
    run_close(&r);
}

/* What has no velocities at all, a body that is welded to ground and held once more, stands. */
static void test_nothing_moves(void **state) {
    (void)state;
    run r = run_text("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                     "  a: {mass: 30, inertia: [2, 2, 3], position: [0.3, 0.4, 0.9]}\njoints:\n"
                     "  A: {type: fixed, bodies: [ground, a], at: [0.3, 0.4, 0]}\n"
                     "  B: {type: spherical, bodies: [ground, a], at: [0.7, 0.4, 0]}\n"
                     "measures:\n  p: {type: position, body: a}\n",
                     "coordinates=relative end=0.3");
    run_whole(&r);
    check_near("z", run_measure(&r, "p.z"), 0.9, 1e-15);
    run_close(&r);
}

/* Redundant rows are told for what they are: nothing to the motion, or springs of their own. */
static void test_told(void **state) {
    static const char *const settings[][2] = {
        {"method=auto", "The motion is not affected"},
        {"method=augmented-lagrangian", "The motion is not affected"},
        {"method=penalty", "Each row is a spring in this method"},
        {"method=canonical-augmented-basic", "Each row is a spring in this method"}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        run r = run_text(door(""), settings[i][0]);
        if (!said(r.ctx, settings[i][1])) {
            run_print_messages(r.ctx);
            fail_msg("%s: not said: %s", settings[i][0], settings[i][1]);
        }
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number),    cmocka_unit_test(test_looks),
        cmocka_unit_test(test_doubling),      cmocka_unit_test(test_caller),
        cmocka_unit_test(test_contradiction), cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_nothing_moves), cmocka_unit_test(test_told),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
