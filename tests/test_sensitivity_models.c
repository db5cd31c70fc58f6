/* test_sensitivity_models.c: derivatives of a short run of every model, in all sets of coordinates,
 * against differences of whole runs: by a force on its last body; or an error says why not. */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include "analysis/goals.h"

#include <math.h>

enum { GOALS = 6, MOST = 2, LARGEST = 40, STEPS = 12 };

static int compared, refused, skipped, failures;

/* A span of the run of STEPS steps or so, and no longer than 0.06 s. */
static void shorten(hol_context *ctx, hol_spec *spec) {
    hol_options *options = NULL;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    if (sim) {
        const double start = sim_info(sim).t, end = fmin(sim_info(sim).t_end, start + 0.06);
        char text[64];
        for (int i = 0; i < STEPS && sim_info(sim).t < end && !hol_sim_step(sim); i++) {
        }
        snprintf(text, sizeof text, "%.17g", fmin(end, sim_info(sim).t));
        hol_spec_set(spec, "simulation.end", text, NULL);
    }
    hol_sim_free(sim);
    hol_model_free(model);
    hol_options_free(options);
}

/* The description with a force and measures for the test; the names of the parameters. */
static hol_spec *prepare(hol_context *ctx, const char *file, const char *set, const char **names,
                         int *n) {
    char settings[128];
    *n = 0;
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(settings, sizeof settings, "coordinates=%s tolerance=1e-12 step=0", set);
    if (run_read(spec, file) || run_settings(spec, settings)) return spec;
    hol_options *options = NULL;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    /* factorisations of three times the state are dense: large models take minutes */
    if (model && model->nb && model->nv <= LARGEST) {
        const char *body = model->bodies[model->nb - 1].name;
        const double mass =
            model->bodies[model->nb - 1].mass > 0 ? model->bodies[model->nb - 1].mass : 1;
        hol_item *push = hol_spec_add(spec, "forces", "test_push", "force");
        const char *const planar[] = {"test_f", "0.3*test_f"}, *const spatial[] = {"test_f",
                                                                                   "0.3*test_f",
                                                                                   "-0.2*test_f"};
        hol_item_text(push, "body", body);
        hol_item_texts(push, "force", model->dim, model->dim == 2 ? planar : spatial);
        hol_item_number(hol_spec_section(spec, "parameters"), "test_f", 7.31 * mass);
        hol_item_text(hol_spec_add(spec, "measures", "test_p", "position"), "body", body);
        hol_item_text(hol_spec_add(spec, "measures", "test_v", "velocity"), "body", body);
        hol_spec_add(spec, "measures", "test_e", "energy");
        names[(*n)++] = "test_f";
        shorten(ctx, spec);
    }
    hol_model_free(model);
    hol_options_free(options);
    return spec;
}

/* Differences of whole runs, order six; 0 where one fails. */
static int by_runs(hol__goals *goals, const double *p, int n_p, int n, double *out, double *noise) {
    static const double weight[3] = {0.75, -0.15, 1.0 / 60};
    double q[MOST], value[2][GOALS];
    memset(out, 0, sizeof *out * (size_t)(n * n_p));
    for (int j = 0; j < n_p; j++) {
        const double h = 2e-2 * (p[j] != 0 ? fabs(p[j]) : 1);
        for (int k = 1; k <= 3; k++) {
            for (int side = 0; side < 2; side++) {
                memcpy(q, p, sizeof *q * (size_t)n_p);
                q[j] += (side ? k : -k) * h;
                if (hol__goals_evaluate(goals, q, 0, value[side], NULL)) return 0;
            }
            for (int i = 0; i < n; i++)
                out[i * n_p + j] += weight[k - 1] * (value[1][i] - value[0][i]) / h;
        }
        /* what the errors of runs leave of the quotient: twenty times their tolerance */
        noise[j] = 0;
        for (int i = 0; i < n; i++) noise[j] = fmax(noise[j], 2e-11 * (1 + fabs(value[0][i])) / h);
    }
    return 1;
}

static void compare(hol__goals *goals, const char *what, int n_p, int n, const double *is,
                    const double *want, double share, const double *noise) {
    for (int j = 0; j < n_p; j++) {
        double size = 0;
        for (int i = 0; i < n; i++) size = fmax(size, fabs(want[i * n_p + j]));
        for (int i = 0; i < n; i++) {
            const double a = is[i * n_p + j], b = want[i * n_p + j];
            if (!(fabs(a - b) <= share * size + noise[j]) && failures++ < 30)
                print_error("%s: d(%s)/dp%d is %.12g and not %.12g (of %.3g)\n", what,
                            hol__goals_get(goals, i)->text, j, a, b, size);
        }
    }
}

static void check_model(const char *file, const char *set, uint64_t *seed) {
    static const char planar[] =
        "end test_p.x, end test_p.y, end test_v.x, end test_e.kinetic, integral "
        "test_p.x, mean-square test_v.x";
    char what[300];
    const char *names[MOST];
    int n_p, n = 0;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = prepare(ctx, file, set, names, &n_p);
    hol__arena arena;
    hol_goal *list;
    hol__goals *goals = NULL;
    double p[MOST], value[GOALS], direct[GOALS * MOST], adjoint[GOALS * MOST], want[GOALS * MOST],
        noise[MOST];
    (void)seed;
    snprintf(what, sizeof what, "%s, %s", file, set);
    hol__arena_init(&arena, ctx);
    hol_status status = n_p ? hol__goals_read(ctx, planar, &arena, &n, &list) : HOL_ERR_INPUT;
    if (!status) status = hol__goals_new(ctx, spec, NULL, n_p, names, n, list, &goals);
    if (!status) {
        hol__goals_given(goals, p);
        status = hol__goals_evaluate(goals, p, HOL__BY_DIRECT, value, direct);
        if (status && !*hol__goals_reason(goals) && failures++ < 30)
            print_error("%s: nothing said\n", what);
        if (status) print_message("%s: %s\n", what, hol__goals_reason(goals)), refused++;
    } else
        skipped++;
    if (!status && by_runs(goals, p, n_p, n, want, noise)) {
        compare(goals, what, n_p, n, direct, want, 1e-7, noise);
        compared++;
        status = hol__goals_evaluate(goals, p, HOL__BY_ADJOINT, value, adjoint);
        if (status) print_message("%s, adjoint: %s\n", what, hol__goals_reason(goals));
        if (!status) compare(goals, what, n_p, n, adjoint, direct, 1e-9, noise);
    }
    hol__goals_free(goals);
    hol__arena_free(&arena);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void test_models(void **unused) {
    (void)unused;
    if (each_model(check_model, 7)) assert_true(compared > 200);
    print_message("%d compared, %d refused, %d skipped\n", compared, refused, skipped);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
