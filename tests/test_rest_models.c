/* test_rest_models.c: every model in every set of coordinates, where it rests: `statics` and
 * `linearize --about equilibrium` have one search, so that both have an answer or neither, and they
 * agree on whether it stays there. */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include <math.h>

static int found, neither, failures;

static double number_of(const hol_answer *answer, const char *key, const char **text) {
    hol_fact fact = {.size = sizeof fact};
    for (int i = 0; i < hol_answer_facts(answer); i++)
        if (!hol_answer_fact(answer, i, &fact) && strcmp(fact.key, key) == 0) {
            if (text) *text = fact.text;
            return fact.value;
        }
    if (text) *text = "";
    return NAN;
}

static void complain(const char *what, const char *why, const hol_context *ctx) {
    if (failures++ >= 20) return;
    print_error("%s: %s\n", what, why);
    run_print_messages(ctx);
}

/* Where one direction pushes away, small motions grow, and where none does and forces have a
 * potential they do not (Kelvin and Tait: neither damping nor gyroscopic terms, which rest has
 * none of, change that). */
static void compare(const char *what, const hol_answer *rest, const hol_answer *small,
                    const hol_context *ctx) {
    const char *verdict, *about;
    number_of(rest, "equilibrium", &verdict);
    number_of(small, "about", &about);
    const double growing = number_of(small, "growing", NULL);
    const int symmetric = isnan(number_of(rest, "note_symmetry", NULL)) &&
                          isnan(number_of(rest, "note_states", NULL));
    if (strcmp(about, "equilibrium") != 0) complain(what, about, ctx);
    if (strcmp(verdict, "unstable") == 0 && !(growing > 0)) complain(what, "does not grow", ctx);
    if (strcmp(verdict, "stable") == 0 && symmetric && growing > 0) complain(what, "grows", ctx);
}

static void check_model(const char *file, const char *set, uint64_t *seed) {
    char what[300], settings[64];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx), *copy = hol_spec_new(ctx);
    hol_answer *rest = NULL, *small = NULL;
    (void)seed;
    snprintf(settings, sizeof settings, "coordinates=%s", set);
    snprintf(what, sizeof what, "%s, %s", file, set);
    run r = run_try(ctx, copy, run_read(copy, file), settings);
    if (r.sim && run_read(spec, file) == HOL_OK && run_settings(spec, settings) == HOL_OK) {
        const hol_linearize_options how = {.size = sizeof how, .settle = 2};
        const hol_status resting = hol_statics(ctx, spec, NULL, &rest),
                         moving = hol_linearize(ctx, r.sim, spec, &how, &small);
        if ((resting == HOL_OK) != (moving == HOL_OK))
            complain(what, resting ? "linearize alone has an answer" : "statics alone has one",
                     ctx);
        if (resting && !run_last_error(ctx)) complain(what, "nothing said", ctx);
        if (!resting && !moving) compare(what, rest, small, ctx);
        found += !resting;
        neither += resting && moving;
    }
    hol_answer_free(rest);
    hol_answer_free(small);
    hol_spec_free(spec);
    run_close(&r);
}

static void test_models(void **unused) {
    (void)unused;
    if (each_model(check_model, 11)) assert_true(found > 200);
    print_message("%d rest, %d do not\n", found, neither);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
