/* test_singular.c: N four-bars side by side [IFToMM A02] through their singular positions: every
 * half turn all links lie in one line, where the branch on which the links on the ground stay
 * parallel crosses others.
 *
 * The motion is right when those links are parallel at every output and point B0 ends where it
 * should. Some methods are chosen for this and have to pass, with fixed and with error-controlled
 * steps; every other row of the method table passes or stops with messages that name the singular
 * position and joints in it.
 *
 * How far off B0 may be at the end T. With error control a step adds at most a = 0.05 tolerance (L
 * + v_max) to a velocity, L = 1 the size of a link and v_max < 8 m/s the largest velocity (0.05:
 * the aim of the controller, sim.c), so n steps add n a T to a position; the steps over the 12
 * singular positions may have an eased test, 1e-7 instead of 0.05 tolerance (evolve.c). With fixed
 * steps of h = 2 ms and angular velocities below w = 8 rad/s the stages of the fourth-order formula
 * are off by (h w)^3 = 4e-6 and violations that are divided by h by (h w)^2 = 3e-4: less than 1e-3.
 * The penalty method has relative errors of 1/(penalty sigma^2) in its reactions [penalty.md], with
 * shares sigma^2 > 1e-3 for all but moments 1e4/penalty = 1e-3. On a wrong branch B0 is elsewhere
 * on its circle of radius 1.
 */
#include "model_fixture.h"

enum { LONGEST = 250 };

/* What is known of N four-bars: B0 at some instants, the last of which is the end. */
typedef struct subject {
    const char *model;
    int uprights; /* N + 1 */
    struct instant {
        double t, x, y;
    } at[2];
} subject;

static const subject two = {
    "a02_two_four_bar", 3, {{10, 0.3284581115, 0.9445185382}, {10, 0.3284581115, 0.9445185382}}};
static const subject forty = {
    "a02_forty_four_bar",
    41,
    {{1, -0.1153568806, -0.9933241113}, {10, 0.1805122267, 0.9835727406}}};

static const double fixed_steps = 1e-3, penalty_error = 1e-3, angle_between = 1e-2;

/* The largest errors over a run: of B0 at the known instants, of the uprights' angles at all
 * outputs. */
typedef struct errors {
    const subject *s;
    run *r;
    double point, angle;
    int seen; /* of the known instants */
} errors;

static hol_status look(void *user, hol_sim *sim) {
    errors *e = user;
    const double t = hol_data_time(hol_sim_data(sim)), *q = hol_data_q(hol_sim_data(sim));
    for (int i = 0; i < 2; i++)
        if (fabs(t - e->s->at[i].t) < 1e-9) {
            e->point = fmax(e->point, hypot(run_measure(e->r, "B0.x") - e->s->at[i].x,
                                            run_measure(e->r, "B0.y") - e->s->at[i].y));
            e->seen++;
        }
    /* reference coordinates: (x, y, angle) of the uprights come first */
    if (strcmp(hol_sim_describe(sim).coordinates, "planar reference point") == 0)
        for (int i = 1; i < e->s->uprights; i++)
            e->angle = fmax(e->angle, fabs(q[3 * i + 2] - q[2]));
    return HOL_OK;
}

/* Run to 10 s; *ended receives whether it got there. */
static errors pass(const subject *s, run *r, int *ended) {
    errors e = {.s = s, .r = r};
    const hol_observer observer = {.on_output = look, .user = &e};
    *ended = hol_sim_run(r->sim, &observer) == HOL_OK;
    return e;
}

/* The run went right, by the bounds above. */
static void check_right(const char *settings, const errors *e, const hol_sim_info *info,
                        double tolerance) {
    const double aim = 0.05 * tolerance * (double)info->steps + 1e-7 * 12;
    const double own = tolerance > 0 ? aim * (1 + 8) * 10 : fixed_steps;
    assert_int_equal(e->seen, 2);
    check_near(settings, e->point, 0,
               own + (strcmp(info->kernel, "penalty") == 0 ? penalty_error : 0));
    check_near(settings, e->angle, 0, angle_between);
}

/* ---- methods that have to pass ---- */

static const char *const chosen[] = {"method=penalty", "method=augmented-lagrangian",
                                     "method=udwadia-kalaba", "method=braun-goldfarb",
                                     "method=auto"};

enum { CHOSEN = sizeof chosen / sizeof *chosen };

/* tolerance 0: fixed steps. */
static void check_passes(const subject *s, const char *method, double tolerance) {
    char settings[LONGEST];
    int ended;
    snprintf(settings, sizeof settings,
             tolerance > 0 ? "%s end=10 tolerance=%g" : "%s end=10 step=2e-3", method, tolerance);
    run r = run_open(s->model, settings);
    const errors e = pass(s, &r, &ended);
    if (!ended) {
        run_print_messages(r.ctx);
        fail_msg("%s with %s stopped", s->model, settings);
    }
    const hol_sim_info info = hol_sim_describe(r.sim);
    check_right(settings, &e, &info, tolerance);
    run_close(&r);
}

static void test_two_fixed(void **state) {
    (void)state;
    for (int i = 0; i < CHOSEN; i++) check_passes(&two, chosen[i], 0);
}

static void test_two_controlled(void **state) {
    (void)state;
    for (int i = 0; i < CHOSEN; i++) {
        check_passes(&two, chosen[i], 1e-4);
        check_passes(&two, chosen[i], 1e-6);
        check_passes(&two, chosen[i], 1e-8);
    }
}

static void test_forty_fixed(void **state) {
    (void)state;
    for (int i = 0; i < CHOSEN; i++) check_passes(&forty, chosen[i], 0);
}

/* Terms divided by the step cost Braun and Goldfarb's method its order: small tolerances take it
 * long. */
static void test_forty_controlled(void **state) {
    (void)state;
    for (int i = 0; i < CHOSEN; i++)
        check_passes(&forty, chosen[i], strstr(chosen[i], "braun") ? 1e-6 : 1e-8);
}

/* Outputs at intervals that have nothing to do with the passages; some fall close to one. */
static void test_outputs_do_not_matter(void **state) {
    (void)state;
    static const double intervals[] = {1.3e-3, 2.71e-3, 0.0171, 0.4};
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        char settings[LONGEST];
        snprintf(settings, sizeof settings, "method=auto output=%g", intervals[i]);
        check_passes(&two, settings, 1e-8);
        snprintf(settings, sizeof settings, "method=penalty output=%g", intervals[i]);
        check_passes(&two, settings, 1e-8);
    }
}

/* ---- all others ---- */

/* A note that names a joint in a singular position. */
static int names_joint(const hol_context *ctx) {
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        if (m->severity == HOL_NOTE && m->element && strstr(m->element, "joint '") &&
            strstr(m->text, "singular position"))
            return 1;
    }
    return 0;
}

/* An error that speaks of a singular position. */
static int tells_why(const hol_context *ctx) {
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        if (m->severity == HOL_ERROR && ((m->element && strstr(m->element, "singular position")) ||
                                         strstr(m->text, "singular position")))
            return 1;
    }
    return 0;
}

static void check_right_or_stops(const char *method, double tolerance) {
    char settings[LONGEST];
    int ended;
    snprintf(settings, sizeof settings,
             tolerance > 0 ? "method=%s end=10 tolerance=%g" : "method=%s end=10 step=2e-3", method,
             tolerance);
    run r = run_open(two.model, settings);
    const errors e = pass(&two, &r, &ended);
    const hol_sim_info info = hol_sim_describe(r.sim);
    if (ended)
        check_right(settings, &e, &info, tolerance);
    else if (info.end != HOL_END_FAILED || !names_joint(r.ctx) || !tells_why(r.ctx)) {
        run_print_messages(r.ctx);
        fail_msg("%s stopped without naming the singular position and a joint", settings);
    }
    run_close(&r);
}

static void test_every_row(void **state) {
    (void)state;
    for (int i = 0; hol_method_get(i).name; i++) {
        check_right_or_stops(hol_method_get(i).name, 1e-6);
        check_right_or_stops(hol_method_get(i).name, 1e-8);
        check_right_or_stops(hol_method_get(i).name, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_fixed),   cmocka_unit_test(test_two_controlled),
        cmocka_unit_test(test_forty_fixed), cmocka_unit_test(test_forty_controlled),
        cmocka_unit_test(test_every_row),   cmocka_unit_test(test_outputs_do_not_matter),
    };
    return run_tests_of_models("tests", tests);
}
