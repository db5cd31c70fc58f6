/* test_creep.c: a run that takes ever so many steps says what holds it back, and stops at limits of
 * time; neither changes a number. */
#include "model_fixture.h"

/* A rod on a soft spring, with a light tip held to it by a stiff bushing. */
#define STIFF(k, damping, more)                                                                    \
    "holonom: 1\nname: stiff\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                       \
    "  rod: {mass: 10, inertia: 0.1, position: [0.5, 0]}\n"                                        \
    "  tip: {mass: 1e-3, inertia: 1e-6, position: [1, 0]" more "}\njoints:\n"                      \
    "  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0]}\nforces:\n"                      \
    "  soft: {type: spring, bodies: [ground, rod], from: [0, 1], to: [1, 0], stiffness: 100}\n"    \
    "  glue: {type: bushing, bodies: [rod, tip], at: [1, 0], stiffness: [" k ", " k ", 1e3], "     \
    "damping: " damping "}\nmeasures:\n  theta: {type: angle, body: rod}\nsimulation: {end: 10}\n"

/* The first message with a word; NULL: none. */
static const hol_message *message_with(const hol_context *ctx, const char *word) {
    for (int i = 0; i < hol_message_count(ctx); i++)
        if (strstr(hol_message_get(ctx, i)->text, word)) return hol_message_get(ctx, i);
    return NULL;
}

/* The force with the fastest time scale is named once, with its coefficient and what to try; the
 * limit stops the run with what it has. */
static void test_stiff(void **state) {
    static const char *const texts[] = {STIFF("1e8", "[1e5, 1e5, 10]", ""),
                                        STIFF("1e12", "[0, 0, 0]", ", velocity: [0, 100]")};
    static const char *const words[] = {"damping of 1e+05 N*s/m", "stiffness of 1e+12 N/m"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        run r = run_text(texts[i], "integrator=dop853 max_creep=1.5");
        assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
        const hol_message *warning = message_with(r.ctx, "creeps"),
                          *error = message_with(r.ctx, "max_creep allows");
        if (!warning || !error) run_print_messages(r.ctx);
        assert_true(warning && warning->element && error);
        assert_int_equal(warning->severity, HOL_WARNING);
        assert_string_equal(warning->element, "force 'glue'");
        assert_int_equal(warning->where.line, 12);
        if (!strstr(warning->text, words[i])) fail_msg("%s", warning->text);
        assert_non_null(strstr(warning->text, "radau5"));
        assert_int_equal(sim_info(r.sim).end, HOL_END_FAILED);
        assert_true(sim_info(r.sim).t > 0);
        run_close(&r);
    }
}

/* Where the limit of steps is reached the same is said: of a singular position nearby (a
 * slider-crank of equal lengths that stands almost upright), with the joint, and of steps that are
 * thrown away at corners which no law shows. */
static void test_limit_of_steps(void **state) {
    static const struct reason {
        const char *text, *options, *words;
        int line;
        const char *named;
    } reasons[] = {
        {"holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
         "  crank: {mass: 1.2, inertia: 0.1, position: [0, 0.5], omega: 1}\n"
         "  rod: {mass: 1.1, inertia: 0.1, position: [0.02, 0.5]}\n"
         "  slider: {mass: 0.7, inertia: 0.1, position: [0.04, 0]}\njoints:\n"
         "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
         "  B: {type: revolute, bodies: [crank, rod], at: [0.02, 1]}\n"
         "  C: {type: revolute, bodies: [rod, slider], at: [0.04, 0]}\n"
         "  D: {type: prismatic, bodies: [ground, slider], at: [0.04, 0], axis: [1, 0]}\n",
         "end=100 method=lagrange crossing=off max_steps=3 integrator=dopri5",
         "; the constraints are close to a singular position: use the method auto, or crossing: on",
         10, "is in or near a singular position"},
        {"holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
         "  rod: {mass: 1.2, inertia: 0.1, position: [0, -0.5]}\njoints:\n"
         "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\nforces:\n"
         "  F: {type: force, body: rod, at: [0, -1], force: [100*tanh(1e5*sin(300*t)), 0]}\n",
         "end=100 max_steps=200 integrator=dopri5 tolerance=1e-4",
         " attempts were thrown away for 200 steps: something jumps or has a corner here", 0, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        const struct reason *c = &reasons[i];
        run r = run_text(c->text, c->options);
        assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
        const hol_message *warning = message_with(r.ctx, "creeps");
        if (!warning || !strstr(warning->text, c->words)) {
            run_print_messages(r.ctx);
            fail_msg("not said: %s", c->words);
        }
        if (c->named) assert_int_equal(message_with(r.ctx, c->named)->where.line, c->line);
        run_close(&r);
    }
}

/* What the warning advises does it. */
static void test_advice(void **state) {
    (void)state;
    run r =
        run_text(STIFF("1e8", "[1e5, 1e5, 10]", ""), "integrator=rodas4 tolerance=1e-5 end=0.5");
    run_whole(&r);
    assert_null(message_with(r.ctx, "creeps"));
    run_close(&r);
}

/* A limit of time ends a run at some step, with the same bits as one that was not limited. */
static void test_limit(void **state) {
    (void)state;
    run r = run_text(STIFF("1e8", "[1e5, 1e5, 10]", ""), "integrator=dop853 max_time=0.05"),
        free_run = run_text(STIFF("1e8", "[1e5, 1e5, 10]", ""), "integrator=dop853");
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
    assert_true(said(r.ctx, "max_time"));
    const hol_sim_info info = sim_info(r.sim);
    for (long i = 0; i < info.steps; i++) assert_int_equal(hol_sim_step(free_run.sim), HOL_OK);
    assert_true(hol_data_time(hol_sim_data(free_run.sim)) == info.t);
    assert_true(run_measure(&free_run, "theta") == run_measure(&r, "theta"));
    run_close(&free_run);
    run_close(&r);
}

/* Long runs of many short steps that outputs ask for, and fixed steps, do not creep. */
static void test_not_creeping(void **state) {
    (void)state;
    run r = run_open("pendulum", "end=1e5 output=0.01 max_time=1.3");
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
    assert_null(message_with(r.ctx, "creeps"));
    run_close(&r);
    r = run_text(STIFF("1e8", "[1e5, 1e5, 10]", ""), "step=1e-8 integrator=rk4 max_time=1.3");
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
    assert_null(message_with(r.ctx, "creeps"));
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiff),        cmocka_unit_test(test_limit_of_steps),
        cmocka_unit_test(test_advice),       cmocka_unit_test(test_limit),
        cmocka_unit_test(test_not_creeping),
    };
    return run_tests_of_models("creep", tests);
}
