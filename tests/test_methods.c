/* test_methods.c: the contract of the method table. Each row of hol_method_get is set up on models that are planar and spatial, regular
 * and redundant, scleronomic and rheonomic, holonomic and nonholonomic, and must give
 *
 *     the accelerations and reactions of `lagrange` at one and the same consistent state,
 *     the motion of `auto` over a short time, within what the method promises;
 *
 * parts that cannot work together are refused with both their names and a way out. A new row is tested without new code; a method that
 * needs other settings or a wider bound has a line in `rules`.
 */
#include "model_fixture.h"

/* ---- models ---- */

/* A pendulum of two rods whose upper pin is there twice: two of six rows are redundant and its two reactions are not unique. */
static const char doubled_pin[] =
    "holonom: 1\nspace: planar\ngravity: [0.3, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1.7, inertia: 0.21, along: [[0, 0], [0.83, -0.41]], omega: 1.3, velocity: "
    "[0.2665, 0.5395]}\n"
    "  b: {mass: 0.9, inertia: 0.06, along: [[0.83, -0.41], [1.21, -0.97]]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  again: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [a, b], at: [0.83, -0.41]}\n";

/* A crank turned by a function of time, with a rod behind it and a damped spring at its end; the driver gives the angle, or the rate
 * (then its row is one of velocities only). */
#define DRIVEN_DAMPED(driver)                                                                      \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"                                             \
    "bodies:\n"                                                                                    \
    "  crank: {mass: 1.3, inertia: 0.17, along: [[0, 0], [0.62, 0.23]]}\n"                         \
    "  rod: {mass: 0.8, inertia: 0.09, along: [[0.62, 0.23], [1.37, -0.18]], omega: -0.7}\n"       \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"                                 \
    "  B: {type: revolute, bodies: [crank, rod], at: [0.62, 0.23]}\n"                              \
    "  turn: {type: driver, joint: A, " driver "}\n"                                               \
    "forces:\n"                                                                                    \
    "  strut: {type: spring, bodies: [ground, rod], from: [1.9, -1.2], to: [1.37, -0.18], "        \
    "stiffness: 31, damping: 4.3, "                                                                \
    "free_length: 0.9}\n"
static const char driven_angle[] = DRIVEN_DAMPED("position: 1.1*t + 0.2*sin(3.7*t)");
static const char driven_rate[] = DRIVEN_DAMPED("velocity: 1.1 + 0.6*sin(3.7*t)");

/* later: a time at which the model has moved on, and the length of the short motion. */
static const struct subject {
    const char *name, *text; /* a file of models/, or a text of its own */
    double later, motion;
} subjects[] = {
    {"pendulum", NULL, 0.1, 0.5},
    {"four_bar", NULL, 0.1, 0.5},
    {"slider_crank_spatial", NULL, 0.1, 0.3},
    {"a04_bricard", NULL, 0.1, 0.3},
    {"a03_andrews", NULL, 0.01, 0.015},
    {"heavy_top", NULL, 0.1, 0.2},
    {"doubled pin", doubled_pin, 0.1, 0.3},
    {"driven angle", driven_angle, 0.1, 0.3},
    {"driven rate", driven_rate, 0.1, 0.3},
    {"elements/knife_edge", NULL, 0.1, 0.5},
    {"elements/rolling_disk", NULL, 0.1, 0.3},
};
enum { N_SUBJECTS = sizeof subjects / sizeof *subjects, MOST = 256 };

/* ---- what a method may need, and what it promises ---- */

/* same: relative difference of accelerations and reactions at one state. moved: difference of positions and velocities after the
 * short motion, relative to the largest of them or 1; 0: not compared. */
typedef struct rule {
    const char *method;
    const char *state_settings, *motion_settings;
    double same, moved;
} rule;

/* With error control at 1e-9 per step these motions of up to a few hundred steps are off by some 1e-9, drift included; 1e-8 is what ten
 * steps in phase would add up to. */
static const rule usual_rule = {NULL, "tolerance=1e-9", "tolerance=1e-9", 1e-9, 1e-8};

/* Penalty 1e7: the constraints give way by 1e-7 of the loads, more where a constraint has a small share of its own (Bricard: 4e-6).
 * Braun-Goldfarb: of first order in the step, because the stages of a step correct by 1/h; the largest rates here are 150 rad/s (the
 * top) and some 400 rad/s (the squeezer). The basic augmented canonical form is stiff and not moved. */
static const rule rules[] = {
    {"penalty", "tolerance=1e-9", "tolerance=1e-9", 1e-5, 1e-4},
    {"braun-goldfarb", "energy_limit=0 step=1e-3", "step=2e-4", 1e-9, 1e-3},
    {"canonical-augmented-basic", "tolerance=1e-9", "tolerance=1e-9", 1e-9, 0},
};

static rule rule_of(const char *method) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].method, method) == 0) return rules[i];
    return usual_rule;
}

/* ---- setting up ---- */

/* Whether an error message holds the text. */
static int said(const hol_context *ctx, const char *text) {
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        if (m->severity == HOL_ERROR && strstr(m->text, text)) return 1;
    }
    return 0;
}

/* Set up a model with settings; sim is NULL where that is refused. */
static run open_subject(const struct subject *s, const char *settings) {
    char path[1024];
    run r = {.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(r.ctx);
    assert_non_null(spec);
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, s->name);
    hol_status status =
        s->text ? hol_spec_read_text(spec, s->text, "test.yaml") : hol_spec_read_file(spec, path);
    if (!status) status = run_settings(spec, settings);
    if (!status) r.model = hol_model_compile(spec);
    if (!r.model) {
        run_print_messages(r.ctx);
        fail_msg("%s does not compile with %s", s->name, settings);
    }
    r.sim = hol_sim_new(r.model);
    hol_spec_free(spec);
    return r;
}

static run open_method(const struct subject *s, const char *method, const char *settings) {
    char all[256];
    snprintf(all, sizeof all, "method=%s end=10 %s", method, settings);
    return open_subject(s, all);
}

/* The same where it must work: no method refuses any of the models here. */
static run start_method(const struct subject *s, const char *method, const char *settings) {
    run r = open_method(s, method, settings);
    if (!r.sim) {
        run_print_messages(r.ctx);
        fail_msg("%s refuses %s", method, s->name);
    }
    return r;
}

/* ---- one state ---- */

/* Accelerations and unique reactions of a solved state. */
typedef struct solution {
    int n_v, n_reactions;
    double a[MOST], reaction[6 * MOST];
    int unique[MOST];
} solution;

static solution solution_of(run *r) {
    const hol_model_info info = hol_model_describe(r->model);
    hol_data *data = hol_sim_data(r->sim);
    solution s = {.n_v = info.n_v, .n_reactions = info.n_joints};
    assert_true(info.n_v <= MOST && info.n_joints <= MOST);
    memcpy(s.a, hol_data_acceleration(data), sizeof(double) * (size_t)info.n_v);
    for (int i = 0; i < info.n_joints; i++) {
        const hol_reaction f = hol_data_reaction(data, i);
        memcpy(s.reaction + 6 * i, f.force, sizeof f.force);
        memcpy(s.reaction + 6 * i + 3, f.moment, sizeof f.moment);
        s.unique[i] = f.unique;
    }
    return s;
}

static double largest(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static double largest_difference(const double *x, const double *y, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, isnan(x[i] - y[i]) ? INFINITY : fabs(x[i] - y[i]));
    return most;
}

/* Compare with the solution of `lagrange`, relative to the largest acceleration and to the largest reaction of the mechanism. */
static void check_solution(const char *what, const solution *got, const solution *wanted,
                           double bound) {
    double off = 0;
    const double scale = largest(wanted->reaction, 6 * wanted->n_reactions);
    for (int i = 0; i < wanted->n_reactions; i++) {
        assert_int_equal(got->unique[i], wanted->unique[i]);
        if (wanted->unique[i])
            off = fmax(off, largest_difference(got->reaction + 6 * i, wanted->reaction + 6 * i, 6));
    }
    const double aoff =
        largest_difference(got->a, wanted->a, wanted->n_v) / largest(wanted->a, wanted->n_v);
    check_near(what, aoff, 0, bound);
    check_near(what, off / scale, 0, bound);
}

/* A state on the constraints. */
typedef struct state {
    double t, q[MOST], v[MOST];
} state;

static state state_of(run *r) {
    const hol_model_info info = hol_model_describe(r->model);
    hol_data *data = hol_sim_data(r->sim);
    state s = {.t = hol_data_time(data)};
    assert_true(info.n_q <= MOST);
    memcpy(s.q, hol_data_q(data), sizeof(double) * (size_t)info.n_q);
    memcpy(s.v, hol_data_v(data), sizeof(double) * (size_t)info.n_v);
    return s;
}

/* The solution at a state that `auto` reached. */
static solution solution_at(run *r, const state *s) {
    if (hol_sim_restart(r->sim, s->t, s->q, s->v)) {
        run_print_messages(r->ctx);
        fail_msg("the run cannot start at t = %g", s->t);
    }
    run_to(r, s->t);
    return solution_of(r);
}

/* Whether a method integrates as many positions as velocities are independent. Constraints on velocities alone leave more positions
 * free than that: such a method refuses them, with a way out. Returns 1 where it did. */
static int refuses(const struct subject *s, int method, const hol_model_info *info) {
    const char *kind = hol_method_get(method).state;
    if (info->n_holonomic == info->n_constraints) return 0;
    if (strcmp(kind, "independent") != 0 && strcmp(kind, "canonical-independent") != 0) return 0;
    run r = open_method(s, hol_method_get(method).name, "");
    assert_null(r.sim);
    assert_true(said(r.ctx, "constraints on velocities alone"));
    assert_true(said(r.ctx, "extended"));
    run_close(&r);
    return 1;
}

static void compare_at_states(const struct subject *s) {
    run reference = start_method(s, "lagrange", usual_rule.state_settings);
    run moved = start_method(s, "auto", "tolerance=1e-9");
    run_to(&reference, 0);
    const solution first = solution_of(&reference);
    run_to(&moved, s->later);
    const state later = state_of(&moved);
    const solution second = solution_at(&reference, &later);
    const hol_model_info info = hol_model_describe(reference.model);
    for (int i = 0; hol_method_get(i).name; i++) {
        const char *method = hol_method_get(i).name;
        if (strcmp(method, "velocity-transformation") == 0)
            continue; /* other q and v: compared by its bodies in test_relative.c */
        const rule own = rule_of(method);
        char what[256];
        if (refuses(s, i, &info)) continue;
        snprintf(what, sizeof what, "%s under %s", s->name, method);
        run r = start_method(s, method, own.state_settings);
        assert_string_equal(hol_sim_describe(r.sim).method, method);
        run_to(&r, 0);
        const solution at_start = solution_of(&r), at_later = solution_at(&r, &later);
        check_solution(what, &at_start, &first, own.same);
        check_solution(what, &at_later, &second, own.same);
        run_close(&r);
    }
    run_close(&reference);
    run_close(&moved);
}

static void test_same_state(void **unused) {
    (void)unused;
    for (int i = 0; i < N_SUBJECTS; i++) compare_at_states(&subjects[i]);
}

/* ---- motions ---- */

static void compare_motions(const struct subject *s) {
    run reference = start_method(s, "auto", "tolerance=1e-11");
    run_to(&reference, s->motion);
    const state wanted = state_of(&reference);
    const hol_model_info info = hol_model_describe(reference.model);
    const double size = fmax(1, largest(wanted.q, info.n_q)),
                 speed = fmax(1, largest(wanted.v, info.n_v));
    for (int i = 0; hol_method_get(i).name; i++) {
        const char *method = hol_method_get(i).name;
        if (strcmp(method, "velocity-transformation") == 0)
            continue; /* other q and v: compared by its bodies in test_relative.c */
        const rule own = rule_of(method);
        char what[256];
        if (!(own.moved > 0) || refuses(s, i, &info)) continue;
        snprintf(what, sizeof what, "%s moved by %s", s->name, method);
        run r = start_method(s, method, own.motion_settings);
        run_to(&r, s->motion);
        const state got = state_of(&r);
        check_near(what, largest_difference(got.q, wanted.q, info.n_q) / size, 0, own.moved);
        check_near(what, largest_difference(got.v, wanted.v, info.n_v) / speed, 0, own.moved);
        run_close(&r);
    }
    run_close(&reference);
}

static void test_same_motion(void **unused) {
    (void)unused;
    for (int i = 0; i < N_SUBJECTS; i++) compare_motions(&subjects[i]);
}

/* ---- bases ---- */

/* The choices of an option, in turn. */
static const char *choice_of(const char *option, int i) {
    int n;
    const hol_option *options = hol_options(&n);
    for (int k = 0; k < n; k++)
        if (strcmp(options[k].name, option) == 0) return options[k].choice(i);
    fail_msg("there is no option '%s'", option);
    return NULL;
}

/* Seven bases of one null space in two forms are one motion: only rounding and the choice of steps differ. */
static void test_bases(void **unused) {
    (void)unused;
    static const char *const forms[] = {"reduced", "stacked"};
    const struct subject *s = &subjects[0];
    run reference = start_method(s, "lagrange", "tolerance=1e-10");
    run_to(&reference, 1);
    const state wanted = state_of(&reference);
    int bases = 0;
    for (int i = 1; choice_of("basis", i); i++, bases++)
        for (int form = 0; form < 2; form++) {
            char settings[128];
            snprintf(settings, sizeof settings, "basis=%s nullspace_form=%s tolerance=1e-10",
                     choice_of("basis", i), forms[form]);
            run r = start_method(s, "nullspace", settings);
            run_to(&r, 1);
            const state got = state_of(&r);
            check_near(settings, largest_difference(got.q, wanted.q, 3), 0, 1e-8);
            check_near(settings, largest_difference(got.v, wanted.v, 3), 0, 1e-8);
            run_close(&r);
        }
    assert_true(bases >= 7);
    run_close(&reference);
}

/* ---- clashes ---- */

/* The two parts that the message names, and what it offers. */
static const struct clash {
    const char *method, *settings, *first, *second, *instead;
} clashes[] = {
    {"lagrange", "basis=svd", "basis 'svd'", "kernel 'kkt'", "nullspace"},
    {"nullspace", "kernel=kkt basis=qr", "basis 'qr'", "kernel 'kkt'", "nullspace"},
    {"udwadia-kalaba", "basis=putd", "basis 'putd'", "kernel 'udwadia-kalaba'", "nullspace"},
    {"canonical", "stabilizer=baumgarte", "method 'canonical'", "stabilizer 'baumgarte'",
     "leave the stabilizer out"},
    {"canonical-augmented", "stabilizer=penalty", "method 'canonical-augmented'",
     "stabilizer 'penalty'", "leave the stabilizer out"},
    {"independent", "stabilizer=baumgarte", "method 'independent'", "stabilizer 'baumgarte'",
     "leave the stabilizer out"},
    {"partitioning", "stabilizer=braun-goldfarb", "method 'partitioning'",
     "stabilizer 'braun-goldfarb'", "lagrange"},
    {"canonical", "stabilizer=braun-goldfarb", "method 'canonical'", "stabilizer 'braun-goldfarb'",
     "lagrange"},
    {"independent", "basis=schur", "method 'independent'", "basis 'schur'", "partition, qr or svd"},
    {"partitioning", "basis=local", "method 'partitioning'", "basis 'local'",
     "partition, qr or svd"},
    {"canonical-independent", "basis=eigen", "method 'canonical-independent'", "basis 'eigen'",
     "partition, qr or svd"},
    {"auto", "basis=qr", "basis 'qr'", "kernel 'kkt'", "nullspace"},
    {"lagrange", "integrator=rk4", "integrator 'rk4'", "fixed step", "dopri5"},
    {"nullspace", "reactions=local", "reactions 'local'", "basis 'qr'", "basis local"},
    {"lagrange", "reactions=local", "reactions 'local'", "kernel 'kkt'", "basis local"},
    {"partitioning", "reactions=local", "reactions 'local'", "kernel 'kkt'", "basis local"},
};

static void test_clashes(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof clashes / sizeof *clashes; i++) {
        const struct clash *c = &clashes[i];
        run r = open_method(&subjects[1], c->method, c->settings);
        if (r.sim || !said(r.ctx, c->first) || !said(r.ctx, c->second) ||
            !said(r.ctx, c->instead)) {
            run_print_messages(r.ctx);
            fail_msg("method=%s %s: %s", c->method, c->settings,
                     r.sim ? "is not refused" : "the message misses a part");
        }
        run_close(&r);
    }
}

int main(void) {
    if (!run_reads_files()) {
        puts("1..0 # SKIP built without libfyaml: there are no model files");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_state),
        cmocka_unit_test(test_same_motion),
        cmocka_unit_test(test_bases),
        cmocka_unit_test(test_clashes),
    };
    return cmocka_run_group_tests_name("methods", tests, NULL, NULL);
}
