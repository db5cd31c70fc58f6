/* test_sensitivity_models.c: derivatives of a short run of every model, in all sets of coordinates,
 * against differences of whole runs: by a force on its last body, and by numbers of the file drawn
 * by lot (masses, inertias, places, starts, stiffnesses, sizes); or an error says why not. */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include "analysis/goals.h"

#include <math.h>

enum { GOALS = 6, MOST = 3, LARGEST = 400, STEPS = 12, LEAVES = 400 };

static int compared, alone, refused, skipped, rough, failures;

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
        /* the end within a step: no event falls on it */
        snprintf(text, sizeof text, "%.17g", start + 0.93 * (fmin(end, sim_info(sim).t) - start));
        hol_spec_set(spec, "simulation.end", text, NULL);
    }
    hol_sim_free(sim);
    hol_model_free(model);
    hol_options_free(options);
}

/* ---- numbers of the file ---- */

/* Places of numbers that may be varied, as paths. */
typedef struct leaves {
    int n;
    char path[LEAVES][160], text[LEAVES][160];
} leaves;

static leaves found;

/* Whether a key of an element has a number worth varying. */
static int is_varied(const char *key) {
    static const char *const keys[] = {"mass",   "inertia",     "position",  "angle",   "omega",
                                       "at",     "stiffness",   "velocity",  "damping", "start",
                                       "radius", "free_length", "from",      "to",      "length",
                                       "force",  "torque",      "direction", "along"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0) return 1;
    return 0;
}

/* All numbers below a node that are not 0. */
static void collect(const hol__node *node, const char *path, int varied) {
    int i = 0;
    if (node->kind == HOL__SCALAR) {
        char *end;
        const double x = node->text ? strtod(node->text, &end) : 0;
        if (!varied || x == 0 || found.n == LEAVES || strlen(node->text) > 100) return;
        snprintf(found.path[found.n], sizeof *found.path, "%s", path);
        snprintf(found.text[found.n++], sizeof *found.text, "(%s)*test_s", node->text);
        return;
    }
    for (const hol__node *item = node->first; item; item = item->next, i++) {
        char below[160];
        if (node->kind == HOL__MAP)
            snprintf(below, sizeof below, "%s.%s", path, item->key);
        else
            snprintf(below, sizeof below, "%s.%d", path, i);
        if (strcmp(below, "forces.test_push") == 0) continue;
        collect(item, below, varied || (node->kind == HOL__MAP && is_varied(item->key)));
    }
}

/* The description with one of them times the parameter test_s, drawn by lot of those that compile;
 * 0: there is none. */
static int vary_one(hol_context *ctx, hol_spec **spec, const char *name, uint64_t *seed) {
    static const char *const sections[] = {"bodies", "joints", "forces", "points"};
    found.n = 0;
    for (int i = 0; i < 4; i++) {
        const hol__node *section = hol__node_get((*spec)->root, sections[i]);
        if (section) collect(section, sections[i], i == 3);
    }
    for (int tries = 0; tries < 6 && found.n; tries++) {
        const int k = (int)(random_unit(seed) * found.n) % found.n;
        char text[200], *at = strstr(found.text[k], "test_s");
        snprintf(text, sizeof text, "%.*s%s", (int)(at - found.text[k]), found.text[k], name);
        char *whole = hol_spec_text(*spec);
        hol_spec *other = hol_spec_new(ctx);
        char path[1024];
        snprintf(path, sizeof path, "%s/test.yaml", HOLONOM_TEST_MODELS);
        hol_model *model = NULL;
        hol_options *options = NULL;
        if (!hol_spec_read_text(other, whole, path)) {
            hol_item_number(hol_spec_section(other, "parameters"), name, 1);
            if (!hol_spec_set(other, found.path[k], text, NULL))
                model = hol_model_from_spec(ctx, other, &options);
        }
        hol_free(ctx, whole);
        hol_options_free(options);
        if (model) {
            hol_model_free(model);
            hol_spec_free(*spec);
            *spec = other;
            if (getenv("TANGENT_ONLY")) print_message("%s: %s\n", name, found.path[k]);
            return 1;
        }
        hol_spec_free(other);
    }
    return 0;
}

/* The description with a force and measures for the test; the names of the parameters. */
static hol_spec *prepare(hol_context *ctx, const char *file, const char *set, const char **names,
                         int *n, uint64_t *seed) {
    char settings[128];
    *n = 0;
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(settings, sizeof settings, "coordinates=%s tolerance=1e-12 step=0", set);
    if (run_read(spec, file) || run_settings(spec, settings)) return spec;
    hol_options *options = NULL;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    /* factorisations of three times the state are dense */
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
        if (vary_one(ctx, &spec, "test_a", seed)) names[(*n)++] = "test_a";
        if (vary_one(ctx, &spec, "test_b", seed)) names[(*n)++] = "test_b";
        shorten(ctx, spec);
    }
    hol_model_free(model);
    hol_options_free(options);
    return spec;
}

/* Differences of whole runs, order six, with the step h by parameter j; 0 where one fails. */
static int by_step(hol__goals *goals, const double *p, int n_p, int n, int j, double h, double *out,
                   double *size) {
    static const double weight[3] = {0.75, -0.15, 1.0 / 60};
    double q[MOST], value[2][GOALS];
    memset(out, 0, sizeof *out * (size_t)n);
    for (int k = 1; k <= 3; k++) {
        for (int side = 0; side < 2; side++) {
            memcpy(q, p, sizeof *q * (size_t)n_p);
            q[j] += (side ? k : -k) * h;
            if (hol__goals_evaluate(goals, q, 0, value[side], NULL)) return 0;
        }
        for (int i = 0; i < n; i++) {
            out[i] += weight[k - 1] * (value[1][i] - value[0][i]) / h;
            *size = fmax(*size, fabs(value[0][i]));
        }
    }
    return 1;
}

/* The same with two steps, which have to agree: where they do not, the run has a corner at its
 * start, or its end lies beside an impact. A force may change much; places may not. noise: what the
 * errors of runs leave of the quotient, twenty times their tolerance, and what the steps do. */
static int by_runs(hol__goals *goals, const double *p, int n_p, int n, double *out, double *noise) {
    double first[GOALS], second[GOALS];
    for (int j = 0; j < n_p; j++) {
        const double h = (j ? 3e-4 : 2e-2) * (p[j] != 0 ? fabs(p[j]) : 1);
        double size = 1, most = 0, off = 0;
        if (!by_step(goals, p, n_p, n, j, h, first, &size) ||
            !by_step(goals, p, n_p, n, j, 0.6 * h, second, &size))
            return 0;
        noise[j] = 2e-11 * size / h;
        for (int i = 0; i < n; i++) {
            out[i * n_p + j] = second[i];
            most = fmax(most, fabs(second[i]));
            off = fmax(off, fabs(first[i] - second[i]));
        }
        if (off > 1e-5 * most + 5 * noise[j])
            rough++, noise[j] = INFINITY;
        else
            noise[j] += 0.1 * off;
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
            if (!(fabs(a - b) <= share * size + noise[j]) && failures++ < 100)
                print_error("%s: d(%s)/dp%d is %.12g and not %.12g (of %.3g)\n", what,
                            hol__goals_get(goals, i)->text, j, a, b, size);
        }
    }
}

/* A description by some parameters, both ways against runs; 0 where that is refused, or no runs are
 * to be had nearby. */
static int check_by(hol_context *ctx, const hol_spec *spec, const char *what, int n_p,
                    const char *const *names) {
    static const char asked[] =
        "end test_p.x, end test_p.y, end test_v.x, end test_e.kinetic, integral "
        "test_p.x, mean-square test_v.x";
    int n = 0, runs = 0;
    hol__arena arena;
    hol_goal *list;
    hol__goals *goals = NULL;
    double p[MOST], value[GOALS], direct[GOALS * MOST], adjoint[GOALS * MOST], want[GOALS * MOST],
        noise[MOST];
    hol__arena_init(&arena, ctx);
    hol_status status = hol__goals_read(ctx, asked, &arena, &n, &list);
    if (!status) status = hol__goals_new(ctx, spec, NULL, n_p, names, n, list, &goals);
    assert_int_equal(status, HOL_OK);
    hol__goals_given(goals, p);
    status = hol__goals_evaluate(goals, p, HOL__BY_DIRECT, value, direct);
    if (status && !*hol__goals_reason(goals) && failures++ < 100)
        print_error("%s: nothing said\n", what);
    if (status) print_message("%s: %s\n", what, hol__goals_reason(goals));
    if (!status) runs = by_runs(goals, p, n_p, n, want, noise);
    if (!status && !runs) print_message("%s: a run nearby fails\n", what);
    if (runs) {
        compare(goals, what, n_p, n, direct, want, 1e-7, noise);
        status = hol__goals_evaluate(goals, p, HOL__BY_ADJOINT, value, adjoint);
        if (status) print_message("%s, adjoint: %s\n", what, hol__goals_reason(goals));
        if (!status) compare(goals, what, n_p, n, adjoint, direct, 1e-9, noise);
    }
    hol__goals_free(goals);
    hol__arena_free(&arena);
    return runs;
}

/* By all that was drawn, or where that does not go by the force alone. */
static void check_model(const char *file, const char *set, uint64_t *seed) {
    char what[300];
    const char *names[MOST];
    int n_p;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = prepare(ctx, file, set, names, &n_p, seed);
    snprintf(what, sizeof what, "%s, %s", file, set);
    if (!n_p)
        print_message("%s: skipped\n", what), skipped++;
    else if (check_by(ctx, spec, what, n_p, names))
        compared++;
    else if (n_p > 1 && check_by(ctx, spec, what, 1, names))
        alone++;
    else
        refused++;
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void test_models(void **unused) {
    (void)unused;
    if (each_model(check_model, 7)) assert_true(compared > 280 && compared + alone > 310);
    print_message("%d compared, %d by the force alone, %d refused, %d skipped, %d derivatives that "
                  "runs do not tell\n",
                  compared, alone, refused, skipped, rough);
    assert_true(rough < 40);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
