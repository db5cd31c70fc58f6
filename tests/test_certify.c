/* test_certify.c: certificates are true: bounds cover the distance to closed forms, at all
 * tolerances; and what is broken is refused with its cause. */
#include "model_fixture.h"

#include "analysis/certify.h"

#include <float.h>

/* ---- closed forms ---- */

/* sn, cn, dn of u for the modulus k, by the arithmetic-geometric mean (Abramowitz, Stegun 16.4). */
static void jacobi(double u, double k, double *sn, double *cn, double *dn) {
    enum { MOST = 12 };
    double a[MOST] = {1}, c[MOST] = {k}, b = sqrt(1 - k * k);
    int n = 0;
    for (; n < MOST - 1 && fabs(c[n]) > DBL_EPSILON; n++) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
    }
    double phi = ldexp(a[n] * u, n), last = phi;
    for (; n > 0; n--) {
        last = phi;
        phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
    }
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = fabs(cos(last - phi)) > 0.1 ? cos(phi) / cos(last - phi) : sqrt(1 - k * k * *sn * *sn);
}

static const double mass = 1.385, arm = 0.83, g = 9.81, swing = 2.1;

/* The angle of a pendulum from below that starts at rest at `swing`: sin(angle/2) = k cd(w t). */
static double pendulum_angle(double t) {
    const double k = sin(swing / 2);
    double sn, cn, dn;
    jacobi(sqrt(g / arm) * t, k, &sn, &cn, &dn);
    return 2 * asin(k * cn / dn);
}

static const double stiffness = 85.3, cart = 2.385, start = 0.31;

static double cart_place(double t) {
    return start * cos(sqrt(stiffness / cart) * t);
}

static hol_spec *spec_of(hol_context *ctx, const char *text, const char *settings) {
    hol_spec *spec = hol_spec_new(ctx);
    if (hol_spec_read_text(spec, text, "test.yaml") || run_settings(spec, settings)) {
        run_print_messages(ctx);
        fail();
    }
    return spec;
}

static char pendulum_text[1024], cart_text[1024];

static void write_texts(void) {
    const double x = arm * sin(swing), y = 0 - arm * cos(swing);
    snprintf(pendulum_text, sizeof pendulum_text,
             "holonom: 1\nspace: planar\ngravity: [0, %.17g]\n"
             "bodies:\n  bob: {mass: %.17g, inertia: 0, position: [%.17g, %.17g]}\n"
             "joints:\n  pin: {type: revolute, bodies: [ground, bob], at: [0, 0]}\n"
             "measures:\n  turn: {type: angle, body: bob}\n"
             "simulation: {end: 5}\n",
             0 - g, mass, x, y);
    snprintf(cart_text, sizeof cart_text,
             "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
             "bodies:\n  cart: {mass: %.17g, inertia: 0.1, position: [%.17g, 0]}\n"
             "joints:\n"
             "  rail: {type: prismatic, bodies: [ground, cart], at: [%.17g, 0], axis: [1, 0]}\n"
             "forces:\n  spring: {type: spring, bodies: [ground, cart], from: [-1.1, 0], "
             "to: [%.17g, 0], free_length: 1.1, stiffness: %.17g}\n"
             "measures:\n  x: {type: position, body: cart, component: x}\n"
             "simulation: {end: 5}\n",
             cart, start, start, start, stiffness);
}

/* An entry of the first row of the table values. */
static double value(const hol_answer *answer, const char *name, int column) {
    hol_table table = {.size = sizeof table};
    assert_int_equal(hol_answer_table(answer, hol_answer_find(answer, name), &table), HOL_OK);
    return table.values[column];
}

/* What is claimed of a mechanism with a known end: bounds cover the truth, digits are no more than
 * the bound says. */
static void claim(const char *text, const char *settings, double truth, double size) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = spec_of(ctx, text, settings);
    const hol_certify_options o = {.size = sizeof o, .digits = 1};
    hol_answer *answer;
    assert_int_equal(hol_certify(ctx, spec, &o, &answer), HOL_OK);
    const double off = fabs(value(answer, "values", 0) - truth), bound = value(answer, "values", 1);
    const double run_off = fabs(value(answer, "values", 4) - truth),
                 run_bound = value(answer, "values", 5);
    if (!(off <= bound) || !(run_off <= run_bound))
        fail_msg("%s: off by %.3g, bound %.3g; the run by %.3g, bound %.3g", settings, off, bound,
                 run_off, run_bound);
    /* the largest value over the instants that are compared lies below the amplitude */
    assert_true(pow(10, 0 - value(answer, "digits", 0)) * size >= 0.9 * bound);
    assert_true(pow(10, 0 - value(answer, "digits", 3)) * size >= 0.9 * run_bound);
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* The best answer there is, twelve digits asked for: its bound covers the truth, which the closed
 * form has to some twenty units of the last place of its size (elliptic functions by the
 * arithmetic-geometric mean). */
static void claim_best(const char *text, const char *settings, double truth, double size) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = spec_of(ctx, text, settings);
    const hol_certify_options o = {.size = sizeof o, .digits = 12, .refine = 1};
    hol_answer *answer;
    assert_int_equal(hol_certify(ctx, spec, &o, &answer), HOL_OK);
    const double off = fabs(value(answer, "values", 0) - truth), bound = value(answer, "values", 1);
    if (!(off <= bound + 20 * DBL_EPSILON * size))
        fail_msg("%s: off by %.3g, bound %.3g", settings, off, bound);
    /* and says that there are eleven at least: both motions are smooth and short */
    assert_true(value(answer, "digits", 0) >= 11);
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void test_closed_forms(void **state) {
    static const char *const settings[] = {
        "tolerance=1e-3",  "tolerance=1e-5",           "tolerance=1e-7",           "tolerance=1e-9",
        "tolerance=1e-11", "step=0.01 integrator=rk4", "step=0.002 integrator=rk4"};
    static const double ends[] = {0.713, 1.937, 3.301, 5.119};
    char text[128];
    (void)state;
    if (!run_reads_files()) skip();
    write_texts();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            snprintf(text, sizeof text, "end=%.17g %s", ends[k], settings[i]);
            claim(cart_text, text, cart_place(ends[k]), start);
            claim(pendulum_text, text, pendulum_angle(ends[k]) - swing, 2 * swing);
        }
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        snprintf(text, sizeof text, "end=%.17g", ends[k]);
        claim_best(cart_text, text, cart_place(ends[k]), start);
        claim_best(pendulum_text, text, pendulum_angle(ends[k]) - swing, 2 * swing);
    }
}

/* ---- forces whose energy is not what they do ---- */

static void (*honest)(const void *records, int n, hol__force_args *args);

/* The spring with a tenth more energy than its force has. */
static void boast(const void *records, int n, hol__force_args *args) {
    const double before = args->potential;
    honest(records, n, args);
    args->potential += 0.1 * (args->potential - before);
}

static hol__force_type boasting;

/* Every model with the broken force in place of the spring. */
static void break_force(hol_model *model) {
    for (int i = 0; i < model->n_force_batches; i++) {
        if (!model->force_batches[i].owner || !model->force_batches[i].owner[0]) continue;
        boasting = *model->force_batches[i].type;
        if (boasting.fill != boast) honest = boasting.fill;
        boasting.fill = boast;
        model->force_batches[i].type = &boasting;
    }
}

static void test_broken_force(void **state) {
    static const char *const sets[] = {"reference", "natural", "relative"};
    (void)state;
    if (!run_reads_files()) skip();
    write_texts();
    for (int broken = 0; broken < 2; broken++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = spec_of(ctx, cart_text, "end=2.1");
        const hol_certify_options o = {.size = sizeof o, .digits = 6};
        hol__certify *c;
        assert_int_equal(hol__certify_open(ctx, spec, &o, &c), HOL_OK);
        for (int i = 0; i < 3; i++) hol__certify_model(c, sets[i]);
        for (int i = 0; i < HOL__COORDINATES && broken; i++)
            if (c->models[i]) break_force(c->models[i]);
        assert_int_equal(hol__certify_carry_out(c), HOL_OK);
        assert_int_equal(c->certified, !broken);
        if (broken && (!strstr(c->verdict, "energy balance") || !strstr(c->cause, "'spring'")))
            fail_msg("%s / %s", c->verdict, c->cause);
        hol__certify_close(c);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

/* ---- what else is refused ---- */

static void refuse(const char *file, const char *settings, double digits, const char *cause) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    const hol_certify_options o = {.size = sizeof o, .digits = digits};
    hol_answer *answer;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, file);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    assert_int_equal(run_settings(spec, settings), HOL_OK);
    assert_int_equal(hol_certify(ctx, spec, &o, &answer), HOL_OK);
    const int certified = hol_answer_value(answer, "certified") > 0;
    char *text = hol_answer_to_text(answer, 1);
    if (certified != !cause || (cause && !strstr(text, cause))) fail_msg("%s: %s", file, text);
    hol_free(ctx, text);
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* ---- a wrong branch behind a singular position ---- */

enum { N_TIMES = 81 };
static const double crank = 0.7, distance = 1.9, at_first = 1.0, speed = 2.385, span = 1.6;

/* A parallelogram whose crank is driven: it lies in one line at t = (pi - 1) / 2.385, where the
 * motion could go on crossed. */
static const char parallelogram[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "parameters: {r: 0.7, L: 1.9, f: 1.0, w: 2.385}\n"
    "points:\n  A: [0, 0]\n  B: [r*cos(f), r*sin(f)]\n  C: [L + r*cos(f), r*sin(f)]\n"
    "  D: [L, 0]\n"
    "bodies:\n  crank: {mass: 1.1, inertia: 0.05, along: [A, B]}\n"
    "  coupler: {mass: 2.3, inertia: 0.4, along: [B, C]}\n"
    "  rocker: {mass: 1.3, inertia: 0.06, along: [D, C]}\n"
    "joints:\n  A: {type: revolute, bodies: [ground, crank], at: A}\n"
    "  B: {type: revolute, bodies: [crank, coupler], at: B}\n"
    "  C: {type: revolute, bodies: [coupler, rocker], at: C}\n"
    "  D: {type: revolute, bodies: [rocker, ground], at: D}\n"
    "  motor: {type: driver, joint: A, velocity: w}\n"
    "measures:\n  turn: {type: angle, body: rocker}\n"
    "simulation: {end: 1.6, output: 0.02}\n";

/* The angle of the rocker at a time on either branch: its end is where the circle of radius r about
 * D meets that of radius L about the end of the crank. One of the two points makes the
 * parallelogram; behind the line the crossed one is the other. */
static double rocker_angle(double t, int crossed) {
    const double phi = at_first + speed * t, pi = acos(-1);
    if (!crossed || phi <= pi) return phi;
    const double bx = crank * cos(phi), by = crank * sin(phi);
    /* the mirror image of the parallelogram's point in the line through B and D */
    const double px = crank * cos(phi), py = crank * sin(phi), /* from D */
        ux = distance - bx, uy = 0 - by, share = (px * ux + py * uy) / (ux * ux + uy * uy);
    const double angle = atan2(2 * share * uy - py, 2 * share * ux - px);
    return angle < 0 ? angle + 2 * pi : angle;
}

/* The numbers of a branch, to be judged. */
static void judge_branch(int crossed) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = spec_of(ctx, parallelogram, "");
    double times[N_TIMES], turn[N_TIMES];
    const char *const names[] = {"turn"};
    const double *const values[] = {turn};
    for (int i = 0; i < N_TIMES; i++) {
        times[i] = span * i / (N_TIMES - 1);
        turn[i] = rocker_angle(times[i], crossed);
    }
    /* both close the loop, and meet smoothly in the line: the step there is one of 0.02 s */
    for (int i = 1; i < N_TIMES; i++) assert_true(fabs(turn[i] - turn[i - 1]) < 4 * speed * 0.02);
    const hol_certify_samples samples = {N_TIMES, 1, names, times, values};
    const hol_certify_options o = {.size = sizeof o, .digits = 6, .samples = &samples};
    hol_answer *answer;
    assert_int_equal(hol_certify(ctx, spec, &o, &answer), HOL_OK);
    char *text = hol_answer_to_text(answer, 1);
    if ((hol_answer_value(answer, "certified") > 0) == crossed) fail_msg("%s", text);
    if (crossed && !strstr(text, "singular position: branches")) fail_msg("%s", text);
    hol_free(ctx, text);
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* A witness that went on crossed, without a word: it and the answer are named, and the position. */
static void test_wrong_branch(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    judge_branch(0);
    judge_branch(1);
    for (int which = 0; which < 2; which++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = spec_of(ctx, parallelogram, "");
        const hol_certify_options o = {.size = sizeof o, .digits = 6};
        hol__certify *c;
        assert_int_equal(hol__certify_open(ctx, spec, &o, &c), HOL_OK);
        assert_int_equal(hol__certify_judged(c), HOL_OK);
        assert_int_equal(hol__certify_panel(c), HOL_OK);
        assert_true(c->n >= 2);
        hol__run *runs[] = {&c->witness[which].coarse, &c->witness[which].fine};
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < c->grid.rows; i++)
                runs[k]->x[(size_t)i * (size_t)c->grid.width] =
                    rocker_angle(hol__grid_time(&c->grid, i), 1);
        assert_int_equal(hol__certify_bound(c), HOL_OK);
        assert_int_equal(hol__certify_growth(c), HOL_OK);
        hol__certify_judge(c);
        if (c->certified || !strstr(c->verdict, "disagree") || !strstr(c->cause, "singular"))
            fail_msg("%s / %s", c->verdict, c->cause);
        hol__certify_close(c);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

static void test_refusals(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    refuse("pendulum", "", 6, NULL);
    refuse("pendulum", "tolerance=1e-2", 3, "tolerance too loose for this measure");
    refuse("four_bar", "step=0.05 integrator=rk4 end=3", 6, "step too long");
    refuse("stiff_suspension", "step=2e-3 integrator=rk4 end=0.1", 3, "stiff model under a fixed");
    refuse("five_bar", "end=6", 12, "part exponentially");
    refuse("a02_two_four_bar", "method=lagrange crossing=off step=0.003 integrator=rk4 end=4", 3,
           "singular position");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_broken_force),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
