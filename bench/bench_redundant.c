/* bench_redundant.c: what redundant constraints cost.
 *
 *     bench_redundant
 *         microseconds of a step: a body on 1, 2 and 10 equal hinges, and N planar four-bars of
 *         revolute joints in space, which have three redundant rows each
 *     bench_redundant MODEL N STEPS KEY=VALUE...
 *         so many steps of one of them with these settings, without a word: tools/redundant.sh
 *         counts its instructions
 *
 * MODEL: plane, space (N hinges), four-bars (N of them). Ten hinges may cost at most twice what one
 * does, and the cost per four-bar must not grow. */
#include "common/clock.h"

#include <holonom/holonom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 3 };

/* The bench fails above these: twice as stated, with room for the clock. */
#define MOST_HINGES 2.4
#define MOST_GROWTH 1.6

static const char *const methods[] = {"auto",
                                      "lagrange",
                                      "augmented-lagrangian",
                                      "projection",
                                      "nullspace",
                                      "udwadia-kalaba",
                                      "partitioning",
                                      "independent",
                                      "canonical",
                                      "canonical-independent"};
enum { METHODS = sizeof methods / sizeof *methods };

/* ---- models ---- */

/* A body on n hinges: at one point in the plane, along one axis in space. */
static char *hinges(int spatial, int n) {
    char *text = malloc((size_t)n * 100 + 400), *at = text;
    if (!text) return NULL;
    at += sprintf(at,
                  "holonom: 1\nspace: %s\ngravity: [%s-9.81]\nbodies:\n  door: {mass: 2.385, "
                  "inertia: %s, position: [0.43, 0.2%s]}\njoints:\n",
                  spatial ? "spatial" : "planar", spatial ? "0, 0, " : "0, ",
                  spatial ? "[0.117, 0.217, 0.3]" : "0.217", spatial ? ", 0" : "");
    for (int i = 0; i < n; i++)
        at += spatial
                  ? sprintf(at,
                            "  h%d: {type: revolute, bodies: [ground, door], "
                            "at: [0, %g, 0], axis: [0, 1, 0]}\n",
                            i, 0.137 * i)
                  : sprintf(at, "  h%d: {type: revolute, bodies: [ground, door], at: [0, 0]}\n", i);
    return text;
}

static char *in_plane(int n) {
    return hinges(0, n);
}

static char *in_space(int n) {
    return hinges(1, n);
}

/* N four-bars in the plane y = 0, each on the ground, with springs from one to the next. */
static char *four_bars(int n) {
    char *text = malloc((size_t)n * 1200 + 400), *at = text;
    if (!text) return NULL;
    at += sprintf(at, "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < n; i++)
        at += sprintf(
            at,
            "  c%d: {mass: 1.3, inertia: [0.01, 0.11, 0.11], along: [[%d, 0, 0], [%g, 0, 0.8]]}\n"
            "  l%d: {mass: 0.9, inertia: [0.01, 0.12, 0.12], along: [[%g, 0, 0.8], [%g, 0, 1.1]]}\n"
            "  r%d: {mass: 1.1, inertia: [0.01, 0.13, 0.13], along: [[%g, 0, 0], [%g, 0, 1.1]]}\n",
            i, 2 * i, 2 * i + 0.3, i, 2 * i + 0.3, 2 * i + 1.5, i, 2 * i + 1.2, 2 * i + 1.5);
    at += sprintf(at, "joints:\n");
    for (int i = 0; i < n; i++)
        at += sprintf(
            at,
            "  A%d: {type: revolute, bodies: [ground, c%d], at: [%d, 0, 0], axis: [0, 1, 0]}\n"
            "  B%d: {type: revolute, bodies: [c%d, l%d], at: [%g, 0, 0.8], axis: [0, 1, 0]}\n"
            "  C%d: {type: revolute, bodies: [l%d, r%d], at: [%g, 0, 1.1], axis: [0, 1, 0]}\n"
            "  D%d: {type: revolute, bodies: [ground, r%d], at: [%g, 0, 0], axis: [0, 1, 0]}\n",
            i, i, 2 * i, i, i, i, 2 * i + 0.3, i, i, i, 2 * i + 1.5, i, i, 2 * i + 1.2);
    at += sprintf(at, "forces:\n");
    for (int i = 0; i + 1 < n; i++)
        at += sprintf(
            at,
            "  s%d: {type: spring, bodies: [r%d, c%d], from: [%g, 0, 1.1], to: [%g, 0, 0.8], "
            "stiffness: 40}\n",
            i, i, i + 1, 2 * i + 1.5, 2 * i + 2.3);
    return text;
}

static const struct {
    const char *name;
    char *(*text)(int n);
} models[] = {{"plane", in_plane}, {"space", in_space}, {"four-bars", four_bars}};
enum { MODELS = sizeof models / sizeof *models };

/* ---- runs ---- */

/* Microseconds of one step, the best of several runs; negative when the model does not run.
 * settings: KEY=VALUE. */
static double step_time(char *text, char *const *settings, int n_settings, int repeats, int steps) {
    double best = -1;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    hol_model *model = NULL;
    int fine = text && hol_spec_read_text(spec, text, "bench") == HOL_OK &&
               hol_spec_set(spec, "tolerance", "1e-8", "bench") == HOL_OK &&
               hol_spec_set(spec, "end", "1e9", "bench") == HOL_OK;
    for (int i = 0; i < n_settings && fine; i++) {
        char key[64];
        const size_t length = strcspn(settings[i], "=");
        fine = settings[i][length] && length < sizeof key;
        if (!fine) break;
        snprintf(key, sizeof key, "%.*s", (int)length, settings[i]);
        fine = hol_spec_set(spec, key, settings[i] + length + 1, "bench") == HOL_OK;
    }
    if (fine) model = hol_model_from_spec(ctx, spec, &options);
    for (int repeat = 0; model && repeat < repeats; repeat++) {
        hol_sim *sim = hol_sim_new(ctx, model, options);
        hol_status status = sim ? hol_sim_step(sim) : HOL_ERR_MEMORY;
        const double begin = hol__clock_wall();
        for (int i = 0; i < steps && !status; i++) status = hol_sim_step(sim);
        const double each = 1e6 * (hol__clock_wall() - begin) / (steps > 0 ? steps : 1);
        if (!status && (best < 0 || each < best)) best = each;
        hol_sim_free(sim);
    }
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
    free(text);
    return best;
}

static double time_of(char *text, const char *method, int steps) {
    char setting[64], *const settings[] = {setting};
    snprintf(setting, sizeof setting, "method=%s", method);
    return step_time(text, settings, 1, REPEATS, steps);
}

/* One run without a word. */
static int run_one(int argc, char *const *argv) {
    for (int k = 0; k < MODELS; k++)
        if (strcmp(argv[1], models[k].name) == 0)
            return step_time(models[k].text(atoi(argv[2])), argv + 4, argc - 4, 1, atoi(argv[3])) <
                   0;
    fprintf(stderr, "there is no model '%s'\n", argv[1]);
    return 2;
}

int main(int argc, char **argv) {
    int bad = 0;
    if (argc > 3) return run_one(argc, argv);
    puts("microseconds a step on 1, 2 and 10 hinges, and 10 against 1");
    for (int k = 0; k < METHODS; k++)
        for (int spatial = 0; spatial < 2; spatial++) {
            const double one = time_of(hinges(spatial, 1), methods[k], 150),
                         two = time_of(hinges(spatial, 2), methods[k], 150),
                         ten = time_of(hinges(spatial, 10), methods[k], 150);
            printf("%-22s %-6s %9.2f %9.2f %9.2f %8.2f\n", methods[k], spatial ? "space" : "plane",
                   one, two, ten, ten / one);
            bad |= !(one > 0 && ten > 0 && ten < MOST_HINGES * one);
        }
    puts("microseconds a step and four-bar");
    double first = 0, last = 0;
    for (int n = 1; n <= 64; n *= 4) {
        last = time_of(four_bars(n), "auto", 100 / n + 10) / n;
        if (n == 1) first = last;
        printf("N = %2d  %9.2f\n", n, last);
    }
    return bad || !(last > 0 && last < MOST_GROWTH * first);
}
