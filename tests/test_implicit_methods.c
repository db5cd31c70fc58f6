/* test_implicit_methods.c: every method under every implicit integrator, on a loop and on a loop
 * with a stop, in steps of given and of chosen length: right to the order of the formula, or
 * refused with a reason; never wrong without a word, and never stuck.
 *
 * A formula of order p with steps h and h/2 is off by e(h/2) <= e(h)/2^(p - 1): one order is left
 * to what of the error is not smooth yet; below `floor` it is rounding, or what the reference is
 * off by. Under a penalty the order of a formula is not seen: fast parts of the motion are as large
 * as what the penalty gives way by. There errors may not grow.
 */
#define _POSIX_C_SOURCE 200809L
#include "model_list.h"

#include "integ/stepper.h"

/* The loop, and the same with a stop of 4 kN m/rad that the crank runs into. */
static const char stopped[] =
    "holonom: 1\ninclude: four_bar.yaml\nforces:\n"
    "  bump: {type: limit, joint: A, lower: -2 deg, upper: 40 deg, stiffness: 4e3, damping: 21,\n"
    "    depth: 0.02}\n";

typedef struct outcome {
    int refused, failed; /* before the run, and in it */
    double angle;        /* of the crank at the end */
    long evaluations;
    char words[240]; /* the last error */
} outcome;

static outcome go(const subject *s, const char *method, const char *rest) {
    char settings[256];
    snprintf(settings, sizeof settings, "coordinates=%s method=%s end=0.24 output=0.24 %s", set_now,
             method, rest);
    run r = open_subject(s, settings);
    outcome out = {.refused = !r.sim};
    if (r.sim) {
        out.failed = hol_sim_run(r.sim, NULL) != HOL_OK;
        out.angle = run_measure(&r, "crank_angle");
        out.evaluations = sim_info(r.sim).evaluations;
    }
    const hol_message *last = run_last_error(r.sim ? hol_sim_context(r.sim) : r.ctx);
    snprintf(out.words, sizeof out.words, "%s", last ? last->text : "");
    run_close(&r);
    return out;
}

static int is_penalty(const char *method) {
    return strcmp(method, "penalty") == 0 || strcmp(method, "canonical-augmented-basic") == 0;
}

static int wrong, ran, refused, stopped_runs;

/* What is refused or stops says why; whether it does. */
static int says_why(const outcome *out, const char *what) {
    if (!out->refused && !out->failed) return 0;
    refused += out->refused, stopped_runs += out->failed;
    if (strlen(out->words) < 40) {
        print_error("%s stops without a reason: '%s'\n", what, out->words);
        wrong++;
    }
    return 1;
}

/* How far the end is off with a given step; 0 in *runs where it stops. */
static double off_by(const subject *s, const char *method, const hol__stepper_type *type,
                     double step, double angle, int *runs) {
    char rest[128], what[192];
    snprintf(rest, sizeof rest, "integrator=%s step=%g", type->name, step);
    snprintf(what, sizeof what, "%s, %s, %s", s->name, method, rest);
    const outcome out = go(s, method, rest);
    *runs = !says_why(&out, what);
    return fabs(out.angle - angle);
}

/* Steps of 4 and 2 ms; where the error of the first is small by chance, 8 ms say what is due. */
static void check_fixed(const subject *s, const char *method, const hol__stepper_type *type,
                        double angle, double floor) {
    const int order = is_penalty(method) || s->text ? 0 : type->order - 1;
    int runs;
    const double first = off_by(s, method, type, 4e-3, angle, &runs);
    if (!runs) return;
    const double second = off_by(s, method, type, 2e-3, angle, &runs);
    ran += runs;
    if (!runs || second <= fmax(floor, ldexp(first, -order))) return;
    const double before = off_by(s, method, type, 8e-3, angle, &runs);
    if (runs && second <= ldexp(before, -2 * order)) return;
    print_error("%s, %s, %s: off by %.2g, %.2g and %.2g\n", s->name, method, type->name, before,
                first, second);
    wrong++;
}

/* Chosen steps: the error at the end is some tens of what a step is allowed, the work bounded. */
static void check_chosen(const subject *s, const char *method, const hol__stepper_type *type,
                         double angle) {
    char rest[128], what[192];
    snprintf(rest, sizeof rest, "integrator=%s tolerance=1e-6 max_steps=20000", type->name);
    snprintf(what, sizeof what, "%s, %s, %s", s->name, method, rest);
    const outcome out = go(s, method, rest);
    if (says_why(&out, what)) {
        /* nothing but a formula without an estimate, or another form of equations, is refused */
        if (out.failed) print_error("%s: %s\n", what, out.words), wrong++;
        return;
    }
    ran++;
    if (fabs(out.angle - angle) <= 5e-5) return;
    print_error("%s: off by %.2g\n", what, fabs(out.angle - angle));
    wrong++;
}

/* Every `by`-th method in a set of coordinates. */
static void sweep(const subject *s, const char *set, int by) {
    set_now = set;
    for (int j = 0; hol_method_get(j); j++) {
        const char *method = hol_method_get(j)->name;
        if (!belongs(method) || j % by != by - 1) continue;
        const outcome exact = go(s, method,
                                 strcmp(method, "dae") == 0 ? "integrator=radau9 tolerance=1e-10"
                                                            : "integrator=dop853 tolerance=1e-10");
        assert_false(exact.refused || exact.failed);
        for (int i = 0; part_doc(i).name; i++) {
            if (strcmp(part_doc(i).part, "integrator") != 0) continue;
            const hol__stepper_type *type = hol__stepper_find(part_doc(i).name);
            if (!type->implicit && !type->slots && !type->iterates) continue;
            check_fixed(s, method, type, exact.angle,
                        is_penalty(method) ? 1e-7
                        : s->text          ? 1e-5
                                           : 1e-10);
            check_chosen(s, method, type, exact.angle);
        }
    }
}

static void test_loop(void **unused) {
    static const subject s = {.name = "four_bar"};
    (void)unused;
    for (int i = 0; i < N_SETS; i++) sweep(&s, sets[i], 1 + i);
    print_message("%d right, %d refused, %d stopped\n", ran, refused, stopped_runs);
    assert_int_equal(wrong, 0);
    assert_true(ran > 700);
}

static void test_stop(void **unused) {
    static const subject s = {.name = "four_bar with a stop", .text = stopped};
    (void)unused;
    ran = refused = stopped_runs = 0;
    sweep(&s, "reference", 1);
    print_message("%d right, %d refused, %d stopped\n", ran, refused, stopped_runs);
    assert_int_equal(wrong, 0);
    assert_true(ran > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_stop),
    };
    if (!run_reads_files()) return skip_models();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
