/* test_linear.c: the linearised right-hand side of a formulation (form/linear.c) against
 * differences of the right-hand side itself (integ/differences.c): every model in every set of
 * coordinates, each under one of the methods.
 *
 * x = (I - g J)^-1 r by the first is put into I - g J by the second. Row by row what is left of
 * r is compared with the sum of the magnitudes in it: 1e-6, the error of the differences,
 * eps^(2/3) of the third derivatives of stiff laws. Where elements have states (bristles of 1e-5
 * m, against a width of 6e-6) it is 2e-5; away from the constraints, where stiff elements are
 * far from rest, a hundred times as much (an angle of 0.05 left out would show with 1e-2). Of
 * penalties the linearisation takes the limit, from which they are off by 1/P over the square of
 * the smallest share that a constraint has of its own: 10/P, with P = 1e5, where the differences
 * lose 4e-6 to the digits that a penalty takes. Redundant
 * constraints are left out: beside the constraints their rows are no longer dependent, and
 * differences across show that instead; runs are compared below. The derivative by time is compared
 * with what the right-hand side is over a step, and itself: 1e-6 again, and 10/P with penalties.
 */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include "form/linear.h"
#include "integ/differences.h"
#include "sim/sim.h"

static int failures, checked, rough;
static const double penalty = 1e5;

static const char *const methods[] = {"auto",       "lagrange",      "baumgarte",
                                      "projection", "penalty",       "augmented-lagrangian",
                                      "nullspace",  "udwadia-kalaba"};

enum { N_METHODS = sizeof methods / sizeof *methods };

static hol_sim *open_sim(hol_context *ctx, const char *file, const char *set, const char *method,
                         hol_model **model) {
    char path[1024];
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    hol_sim *sim = NULL;
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, file);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    hol_spec_set(spec, "simulation.integrator", "rodas4", "test");
    hol_spec_set(spec, "simulation.coordinates", set, "test");
    hol_spec_set(spec, "simulation.method", method, "test");
    hol_spec_set(spec, "simulation.step", "0", "test");
    snprintf(path, sizeof path, "%g", penalty);
    hol_spec_set(spec, "simulation.penalty", path, "test");
    *model = hol_model_from_spec(ctx, spec, &options);
    if (*model) sim = hol_sim_new(ctx, *model, options);
    hol_options_free(options);
    hol_spec_free(spec);
    return sim;
}

/* The largest share that is left of a row of (I - g J) x - r. */
static double residual_of(const hol__differences *d, int n, double g, const double *x,
                          const double *r, int *row) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        double sum = x[i] - r[i], size = fabs(x[i]) + fabs(r[i]);
        for (int j = 0; j < n; j++) {
            const double term = g * hol__differences_entry(d, i, j) * x[j];
            sum -= term;
            size += fabs(term);
        }
        if (fabs(sum) > most * size) most = fabs(sum) / size, *row = i;
    }
    return most;
}

/* Whether constraints are held by penalties. */
static int yields(const hol_sim *sim) {
    return (sim->kernel_type->flags & HOL__KERNEL_APPROXIMATE) != 0;
}

/* What differences of smooth laws may be off by. */
static double smooth_blur(const hol_sim *sim) {
    return yields(sim) ? 10 / penalty : 1e-6;
}

/* The same where elements may have states, or laws corners beside which they bend (contacts). */
static double blur(const hol_sim *sim) {
    const int bends = sim->model->n_aux || sim->model->n_corners;
    return bends && !yields(sim) ? 2e-5 : smooth_blur(sim);
}

/* The largest magnitude. */
static double size_of(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* away: how far from the base point, in radians and lengths of the mechanism. */
static void check_state(hol_sim *sim, const char *what, double away, uint64_t *seed) {
    const int n = sim->form.n;
    const double h = 0.0137, g = 0.25 * h;
    double *f = numbers(n), *ft = numbers(n), *want_t = numbers(n), *r = numbers(n),
           *x = numbers(n), *scale = numbers(n);
    int row = 0;
    hol__differences *d = hol__differences_new(sim->ctx, &sim->system);
    hol__form_pack(&sim->form, sim->y);
    for (int i = 0; i < sim->model->nv; i++)
        sim->y[i] = away * (hol__is_turn(sim->model, i) ? 1 : sim->model->length) *
                    (2 * random_unit(seed) - 1);
    const double t = sim->data->t;
    assert_int_equal(hol__form_rhs(&sim->form, t, sim->y, f), HOL_OK);
    sim->system.size(sim, sim->y, scale);
    assert_int_equal(hol__differences_linearize(d, t, sim->y, f, h, want_t), HOL_OK);
    assert_int_equal(hol__linear_update(sim->linear, t, sim->y, h, ft), HOL_OK);
    assert_int_equal(hol__linear_shift(sim->linear, g), HOL_OK);
    for (int i = 0; i < n; i++) r[i] = scale[i] * (2 * random_unit(seed) - 1);
    assert_int_equal(hol__linear_solve(sim->linear, r, x), HOL_OK);
    const double left = residual_of(d, n, g, x, r, &row);
    checked++;
    if (left > (away > 0 ? 100 : 1) * blur(sim) && failures++ < 40)
        print_error("%s: row %d of %d: %.1e of (I - g J) x is left\n", what, row, n, left);
    const double most = size_of(f, n) / h + size_of(want_t, n);
    for (int i = 0; i < n; i++)
        if (fabs(ft[i] - want_t[i]) > smooth_blur(sim) * most && failures++ < 40)
            print_error("%s: f_t[%d] = %.10g, by differences %.10g\n", what, i, ft[i], want_t[i]);
    hol__differences_free(d);
    double *const all[] = {f, ft, want_t, r, x, scale};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static void check_model(const char *file, const char *set, uint64_t *seed) {
    const char *method = methods[next_word(seed) % N_METHODS];
    hol_context *ctx = hol_context_new();
    hol_model *model;
    hol_sim *sim = open_sim(ctx, file, set, method, &model);
    if (sim && model->nv <= 40 && !sim->rank.n_redundant) {
        char what[256];
        snprintf(what, sizeof what, "%s in %s coordinates under %s", file, set, method);
        assert_non_null(sim->linear);
        hol_status status = HOL_OK;
        for (int i = 0; i < 12 && !status && hol_data_time(sim->data) < 0.01; i++)
            status = hol_sim_step(sim);
        if (!status) {
            check_state(sim, what, 0, seed);
            check_state(sim, what, 0.05, seed);
        } else
            rough++;
    }
    hol_sim_free(sim);
    hol_model_free(model);
    hol_context_free(ctx);
}

/* A force of the caller on the first body that depends on everything. */
static hol_status pull(void *user, hol_data *data) {
    const double *q = hol_data_q(data), *v = hol_data_v(data), t = hol_data_time(data);
    const double at[3] = {0.11, -0.07, 0};
    const double force[3] = {-31 * q[0] + 7 * sin(3 * t), -12 * v[1] * q[0], 0};
    (void)user;
    hol_data_add_force(data, 0, at, force);
    return HOL_OK;
}

/* The derivatives know it, by time too, in whatever coordinates. */
static void test_force_of_the_caller(void **state) {
    static const char *const sets[] = {"reference", "relative", "natural"};
    static const char *const files[] = {"four_bar", "slider_crank_spatial"};
    uint64_t seed = 88172645463325252u;
    (void)state;
    if (!run_reads_files()) skip();
    failures = 0;
    for (int i = 0; i < 6; i++) {
        hol_context *ctx = hol_context_new();
        hol_model *model;
        hol_sim *sim = open_sim(ctx, files[i / 3], sets[i % 3], "auto", &model);
        assert_non_null(sim);
        hol_sim_on_force(sim, pull, NULL);
        for (int k = 0; k < 4; k++) assert_int_equal(hol_sim_step(sim), HOL_OK);
        check_state(sim, files[i / 3], 0, &seed);
        hol_sim_free(sim);
        hol_model_free(model);
        hol_context_free(ctx);
    }
    assert_int_equal(failures, 0);
}

static void test_models(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const int all = each_model(check_model, 2463534242884172645u);
    print_message("%d states checked, %d not reached, %d failures\n", checked, rough, failures);
    assert_int_equal(failures, 0);
    if (all) assert_true(checked > 300 && rough < 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models),
                                       cmocka_unit_test(test_force_of_the_caller)};
    return cmocka_run_group_tests_name("linear", tests, NULL, NULL);
}
