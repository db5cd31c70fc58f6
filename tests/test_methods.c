/* test_methods.c: motions under the rows of the method table. Each row of hol_method_get is set up
 * on models that are planar and spatial, regular and redundant, scleronomic and rheonomic,
 * holonomic and nonholonomic, and must give the motion of `auto` over a short time, within what the
 * method promises (test_methods_contract.c compares solutions at single states);
 *
 * parts that cannot work together are refused with both their names and a way out. A new row is
 * tested without new code; a method that needs other settings or a wider bound has a line in
 * `rules`.
 */
#include "method_fixture.h"

/* ---- models ---- */

/* A pendulum of two rods whose upper pin is there twice: two of six rows are redundant and its two
 * reactions are not unique. */
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

/* A crank turned by a function of time, with a rod behind it and a damped spring at its end; the
 * driver gives the angle, or the rate (then its row is one of velocities only). */
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

/* Planar and spatial, regular and redundant, driven, and with constraints on velocities alone:
 * sleigh, coin, ball, car, bicycle. */
static const subject subjects[] = {
    {"pendulum", NULL, 0.5},
    {"four_bar", NULL, 0.5},
    {"slider_crank_spatial", NULL, 0.3},
    {"a04_bricard", NULL, 0.3},
    {"a03_andrews", NULL, 0.015},
    {"heavy_top", NULL, 0.2},
    {"doubled pin", doubled_pin, 0.3},
    {"driven angle", driven_angle, 0.3},
    {"driven rate", driven_rate, 0.3},
    {"elements/knife_edge", NULL, 0.5},
    {"elements/rolling_disk", NULL, 0.3},
    {"elements/rolling_sphere", NULL, 0.3},
    {"elements/wheel", NULL, 0.3},
    {"elements/velocity_coupler", NULL, 0.3},
    {"bicycle", NULL, 0.2},
};
enum { N_SUBJECTS = sizeof subjects / sizeof *subjects };

/* ---- motions ---- */

static void compare_motions(const subject *s) {
    run reference = start_method(s, "auto", "tolerance=1e-11");
    run_to(&reference, s->motion);
    const state wanted = state_of(&reference);
    const hol_model_info info = model_info(reference.model);
    const double size = fmax(1, largest(wanted.q, info.n_q)),
                 speed = fmax(1, largest(wanted.v, info.n_v));
    for (int i = 0; hol_method_get(i); i++) {
        const char *method = hol_method_get(i)->name;
        if (!belongs(method)) continue;
        const rule own = rule_of(method);
        char what[256];
        if (!(own.moved > 0) || refuses(s, i, &info)) continue;
        snprintf(what, sizeof what, "%s moved by %s in %s coordinates", s->name, method, set_now);
        run r = start_method(s, method, own.motion_settings);
        run_to(&r, s->motion);
        const state got = state_of(&r);
        /* unit vectors of a top that turns at 150 rad/s need ten times the steps that its angular
         * velocity needs */
        const double bound = own.moved * (strcmp(set_now, "natural") == 0 ? 10 : 1);
        check_near(what, largest_difference(got.q, wanted.q, info.n_q) / size, 0, bound);
        check_near(what, largest_difference(got.v, wanted.v, info.n_v) / speed, 0, bound);
        run_close(&r);
    }
    run_close(&reference);
}

static void test_same_motion(void **unused) {
    (void)unused;
    for (int k = 0; k < N_SETS; k++) {
        set_now = sets[k];
        for (int i = 0; i < N_SUBJECTS; i++) compare_motions(&subjects[i]);
    }
    set_now = sets[0];
}

/* ---- bases ---- */

/* The choices of an option, in turn. */
static const char *choice_of(const char *option, int i) {
    const hol_option *row = hol_option_find(option);
    if (!row) fail_msg("there is no option '%s'", option);
    return row->choice(i);
}

/* Seven bases of one null space in two forms are one motion: only rounding and the choice of steps
 * differ. */
static void test_bases(void **unused) {
    (void)unused;
    static const char *const forms[] = {"reduced", "stacked"};
    const subject *s = &subjects[0];
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
    {"partitioning-extended", "stabilizer=hybrid", "state 'extended'", "stabilizer 'hybrid'",
     "partitioning-hybrid"},
    {"partitioning", "stabilizer=baumgarte", "state 'independent'", "stabilizer 'baumgarte'",
     "leave the stabilizer out"},
    {"partitioning-hybrid", "stabilizer=none", "correction 'hybrid'", "stabilizer 'none'",
     "stabilizer hybrid or baumgarte"},
    {"partitioning-extended", "correction=hybrid", "correction 'hybrid'", "state 'extended'",
     "partitioning-hybrid"},
    {"partitioning-hybrid", "integrator=rodas4", "integrator 'rodas4'", "correction 'hybrid'",
     "dopri5"},
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
    {"lagrange", "gains=taylor", "gains 'taylor'", "stabilizer 'none'", "baumgarte"},
    {"penalty", "gains=optimal", "gains 'optimal'", "stabilizer 'penalty'", "baumgarte"},
    {"baumgarte", "gains=adaptive sampling=stage", "gains 'adaptive'", "sampling 'stage'",
     "leave the sampling out"},
    {"lagrange", "sampling=step", "held through a step", "stabilizer 'none'", "baumgarte"},
};

static void test_clashes(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof clashes / sizeof *clashes; i++) {
        const struct clash *c = &clashes[i];
        run r = open_method(&subjects[1], c->method, c->settings);
        if (r.sim || !said_why(r.ctx, c->first) || !said_why(r.ctx, c->second) ||
            !said_why(r.ctx, c->instead)) {
            run_print_messages(r.ctx);
            fail_msg("method=%s %s: %s", c->method, c->settings,
                     r.sim ? "is not refused" : "the message misses a part");
        }
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_motion),
        cmocka_unit_test(test_bases),
        cmocka_unit_test(test_clashes),
    };
    return run_tests_of_models("methods", tests);
}
