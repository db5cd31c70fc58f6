/* test_orders_matrix.c: every formula that makes steps of a given length under every method, and
 * every correction, on constrained mechanisms in the plane and in space: the order by halving the
 * step is the one that the formula states.
 *
 *     p = log2(|x_h - x_(h/2)| / |x_(h/2) - x_(h/4)|)
 *
 * over positions and velocities at the end. Runs are compared with each other, so that a method
 * whose equations are approximate (penalties) is measured against its own exact motion. A row
 * passes as soon as p has settled within 0.4, for the next term, of the stated order or above it,
 * or the differences are rounding: some 1e-16 times the condition of the equations (1e3) times the
 * growth over the run and a hundred evaluations; with penalties of 1e7 times the largest mass
 * accelerations lose seven digits, 2e-9. A combination that the program refuses is counted.
 *
 * braun-goldfarb runs without its energy law: at rest, where these mechanisms start, that has no
 * direction to act in, and its limit costs the order (docs/theory/stabilizers/braun-goldfarb.md).
 *
 * All combinations with HOLONOM_WHOLE=1; otherwise every formula under one method, and every method
 * and every correction under one formula.
 */
#include "model_fixture.h"

#include "integ/integ.h"

static const struct {
    const char *file, *coordinates;
    double end;
    int steps;
} models[] = {{"four_bar", "reference", 0.4, 20}, {"slider_crank_spatial", "reference", 0.15, 20}};

enum { N_MODELS = 2, HALVINGS = 5, MAX_N = 64 };

/* The size of rounding under a method. */
static double rounding(const char *method) {
    return strcmp(method, "penalty") == 0 ? 2e-9 : 5e-12;
}

/* The state at the end of a run. */
typedef struct final {
    int n;
    double x[MAX_N];
} final;

static int is_whole(void) {
    const char *word = getenv("HOLONOM_WHOLE");
    return word && *word && strcmp(word, "0") != 0;
}

/* Run with that many steps; 0 where the combination is refused or does not reach the end. */
static int run_fixed(int i, const char *integrator, const char *method, int steps, final *out) {
    char settings[512];
    snprintf(settings, sizeof settings,
             "simulation.coordinates=%s simulation.integrator=%s simulation.step=%.17g "
             "simulation.end=%.17g simulation.tolerance=1e-12 simulation.method=%s%s",
             models[i].coordinates, integrator, models[i].end / steps, models[i].end, method,
             strcmp(method, "braun-goldfarb") == 0 ? " simulation.energy_limit=0" : "");
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    run r = run_try(ctx, spec, run_read(spec, models[i].file), settings);
    const int good = r.sim && hol_sim_advance(r.sim, models[i].end) == HOL_OK;
    out->n = 0;
    if (good) {
        const hol_model_info info = model_info(r.model);
        const hol_data *data = hol_sim_data(r.sim);
        assert_true(info.n_q + info.n_v <= MAX_N);
        for (int k = 0; k < info.n_q; k++) out->x[out->n++] = hol_data_q(data)[k];
        for (int k = 0; k < info.n_v; k++) out->x[out->n++] = hol_data_v(data)[k];
    }
    run_close(&r);
    return good;
}

static double distance(const final *a, const final *b) {
    double most = 0;
    for (int k = 0; k < a->n; k++) most = fmax(most, fabs(a->x[k] - b->x[k]) / (1 + fabs(b->x[k])));
    return most;
}

/* What the combinations came to. */
static int passed, refused, failed;

static void check(int i, const hol__stepper_type *type, const char *method) {
    final a, b;
    int steps = models[i].steps;
    double before = NAN, p = NAN;
    if (!run_fixed(i, type->name, method, steps, &a)) {
        refused++;
        return;
    }
    for (int k = 0; k < HALVINGS; k++, a = b) {
        if (!run_fixed(i, type->name, method, steps *= 2, &b)) break;
        const double now = distance(&a, &b);
        p = log2(before / now);
        if (now < rounding(method) || p > type->order - 0.4) {
            passed++;
            return;
        }
        before = now;
    }
    failed++;
    print_message("%s, %s, %s: order %.2f of %d, differences of %.1e with %d steps\n",
                  models[i].file, type->name, method, p, type->order, before, steps);
}

/* The i-th formula that makes steps of a given length. */
static const hol__stepper_type *formula(int i) {
    const hol__stepper_type *type;
    for (int k = 0; (type = hol__stepper_get(k)); k++)
        if (!type->paces && !type->missing && i-- == 0) return type;
    return NULL;
}

/* Every formula under every method. */
static void test_methods(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const hol_option *methods = hol_option_find("method");
    passed = refused = failed = 0;
    for (int i = 0; i < N_MODELS; i++)
        for (int k = 0; formula(k); k++)
            for (int m = 0; methods->choice(m); m++) {
                const char *method = methods->choice(m);
                const int sampled = strcmp(formula(k)->name, "rk4") == 0 ||
                                    strcmp(method, "direct-correction") == 0 ||
                                    strcmp(method, "dae") == 0;
                if (strcmp(method, "auto") != 0 && (sampled || is_whole()))
                    check(i, formula(k), method);
            }
    print_message("%d have their order, %d are refused, %d have not\n", passed, refused, failed);
    assert_true(passed > 60);
    assert_int_equal(failed, 0);
}

/* Every correction under a formula, all with HOLONOM_WHOLE. */
static void test_corrections(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const hol_option *corrections = hol_option_find("correction");
    passed = refused = failed = 0;
    for (int i = 0; i < N_MODELS; i++)
        for (int k = 0; formula(k); k++)
            for (int m = 0; corrections->choice(m); m++) {
                char method[128];
                snprintf(method, sizeof method, "direct-correction simulation.correction=%s",
                         corrections->choice(m));
                if (strcmp(formula(k)->name, "rk4") == 0 || is_whole())
                    check(i, formula(k), method);
            }
    print_message("%d have their order, %d are refused, %d have not\n", passed, refused, failed);
    assert_true(passed > 10);
    assert_int_equal(failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_methods),
                                       cmocka_unit_test(test_corrections)};
    return cmocka_run_group_tests_name("orders_matrix", tests, NULL, NULL);
}
