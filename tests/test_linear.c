/* test_linear.c: the linearised right-hand side of a formulation (form/linear.c) against
 * differences of the right-hand side itself: every model in every set of coordinates, each under
 * one of the methods, on the constraints and beside them.
 *
 * x = (I - g J)^-1 r by the first is put into I - g J by the second. An entry of the second is the
 * difference of order six at that step, out of a ladder of steps, beside which the next longer and
 * the next shorter one change it least; that change is its error, whatever causes it (rounding,
 * stiff laws, a corner of a law nearby), and at least the rounding of f over the step. Row by row
 * what is left of r may be ten times the errors of the entries in it, and 1e-8 of the sum of the
 * magnitudes, which is what laws by differences have (dyn/tangent.h). Where the errors are above
 * 1e-5 of that sum, with a corner within the shortest step or where rounding hides everything, the
 * row says nothing; such rows are one in a hundred at most.
 *
 * The last row, that of the work, is made by differences of second order in linear.c: 1e-6, its
 * width squared over laws that change within 1/200 of the sizes, and 2e-5 where elements have
 * states (bristles of 1e-5 m, against a width of 6e-6). Redundant constraints are left out: beside
 * the constraints their rows are no longer dependent, and differences across show that instead;
 * runs are compared below. The derivative by time is compared with what the right-hand side is over
 * a step, and itself: 1e-6 again. The penalty is 1e5, so that penalties would show with 1e-5 if
 * they were taken for exact.
 */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include "form/linear.h"
#include "integ/differences.h"
#include "sim/sim.h"

#include <float.h>

static int failures, checked, rough, rows, unclear;
static const double penalty = 1e5;

static const char *const methods[] = {"auto",       "lagrange",      "baumgarte",
                                      "projection", "penalty",       "augmented-lagrangian",
                                      "nullspace",  "udwadia-kalaba"};

enum { N_METHODS = sizeof methods / sizeof *methods, SALTS = 3 };

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
    hol_spec_set(spec, "simulation.iteration_tolerance", "0", "test");
    *model = hol_model_from_spec(ctx, spec, &options);
    if (*model) sim = hol_sim_new(ctx, *model, options);
    hol_options_free(options);
    hol_spec_free(spec);
    return sim;
}

/* ---- J by differences ---- */

enum { LADDER = 11 };

/* What rounding is in the rows of f: eps of the largest acceleration in terms of its scale, because
 * the constraints couple them, times the penalty where it enlarges the matrix; eps of f itself in
 * the rows of states and work. */
static void rounding_of(const hol_sim *sim, const double *f, const double *scale, double *out) {
    const int n = sim->form.n, n_mech = sim->form.n_mech;
    const int yields = (sim->kernel_type->flags & HOL__KERNEL_APPROXIMATE) != 0;
    double most = 0;
    for (int i = 0; i < n_mech; i++) most = fmax(most, fabs(f[i]) / scale[i]);
    for (int i = 0; i < n; i++)
        out[i] = DBL_EPSILON * (i < n_mech ? (yields ? penalty : 1) * most * scale[i] : fabs(f[i]));
}

/* Column j of J at (t, y), of order six with one step. */
static void slope(hol_sim *sim, double t, double *y, int j, double step, double *out) {
    static const double weight[3] = {0.75, -0.15, 1.0 / 60};
    const int n = sim->form.n;
    const double was = y[j];
    double *f = numbers(n);
    memset(out, 0, sizeof *out * (size_t)n);
    for (int k = -3; k <= 3; k++) {
        if (k == 0) continue;
        y[j] = was + k * step;
        assert_int_equal(hol__form_rhs(&sim->form, t, y, f), HOL_OK);
        for (int i = 0; i < n; i++) out[i] += (k < 0 ? -1 : 1) * weight[abs(k) - 1] * f[i] / step;
    }
    y[j] = was;
    free(f);
}

/* Column j of J, each entry at the step beside which it changes least, and its error. */
static void column(hol_sim *sim, double t, double *y, int j, double size, const double *rounding,
                   double *J, double *error) {
    const int n = sim->form.n;
    double *at[3] = {numbers(n), numbers(n), numbers(n)};
    for (int i = 0; i < n; i++) error[i] = INFINITY;
    for (int k = 0; k < LADDER; k++) {
        double *const oldest = at[0], step = 0.01 * size / (1 << 2 * k);
        at[0] = at[1], at[1] = at[2], at[2] = oldest;
        slope(sim, t, y, j, step, at[2]);
        for (int i = 0; k > 1 && i < n; i++) {
            const double change = fmax(fabs(at[2][i] - at[1][i]), fabs(at[1][i] - at[0][i])),
                         off = fmax(change, rounding[i] / step);
            if (off < error[i]) error[i] = off, J[i] = at[1][i];
        }
    }
    for (int k = 0; k < 3; k++) free(at[k]);
}

/* What is left of the rows of (I - g J) x - r, what the errors of J may be of it, and the sums of
 * the magnitudes. */
static void residual_rows(hol_sim *sim, double t, double g, const double *x, const double *r,
                          const double *scale, double *left, double *error, double *size) {
    const int n = sim->form.n;
    double *J = numbers(n), *off = numbers(n), *rounding = numbers(n);
    assert_int_equal(hol__form_rhs(&sim->form, t, sim->y, J), HOL_OK);
    rounding_of(sim, J, scale, rounding);
    for (int i = 0; i < n; i++) {
        left[i] = x[i] - r[i];
        size[i] = fabs(x[i]) + fabs(r[i]);
        error[i] = 0;
    }
    for (int j = 0; j < n - 1; j++) { /* nothing depends on the work */
        column(sim, t, sim->y, j, scale[j], rounding, J, off);
        for (int i = 0; i < n; i++) {
            left[i] -= g * J[i] * x[j];
            size[i] += fabs(g * J[i] * x[j]);
            error[i] += fabs(g * off[i] * x[j]);
        }
    }
    free(J);
    free(off);
    free(rounding);
}

/* What may be left of row i but for the errors of J. */
static double allowed(const hol_sim *sim, int i) {
    const int is_work = i == sim->form.n - 1;
    return !is_work ? 1e-8 : sim->model->n_aux ? 2e-5 : 1e-6;
}

static void check_rows(hol_sim *sim, const char *what, double t, double g, const double *x,
                       const double *r, const double *scale) {
    const int n = sim->form.n;
    double *left = numbers(n), *error = numbers(n), *size = numbers(n);
    residual_rows(sim, t, g, x, r, scale, left, error, size);
    for (int i = 0; i < n; i++)
        if (rows++, error[i] > 1e-5 * size[i])
            unclear++;
        else if (!(fabs(left[i]) <= 10 * error[i] + allowed(sim, i) * size[i]) && failures++ < 40)
            print_error("%s: row %d of %d: %.1e of (I - g J) x is left, errors %.1e\n", what, i, n,
                        fabs(left[i]) / size[i], error[i] / size[i]);
    free(left);
    free(error);
    free(size);
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
    check_rows(sim, what, t, g, x, r, scale);
    checked++;
    const double most = size_of(f, n) / h + size_of(want_t, n);
    for (int i = 0; i < n; i++)
        if (fabs(ft[i] - want_t[i]) > 1e-6 * most && failures++ < 40)
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
    int all = 0;
    for (int k = 0; k < SALTS; k++)
        all = each_model(check_model, 2463534242884172645u + (unsigned)k * 88172645463325253u);
    print_message("%d states checked, %d not reached, %d of %d rows unclear, %d failures\n",
                  checked, rough, unclear, rows, failures);
    assert_int_equal(failures, 0);
    if (all) assert_true(checked > SALTS * 300 && rough < SALTS * 10 && unclear < rows / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models),
                                       cmocka_unit_test(test_force_of_the_caller)};
    return cmocka_run_group_tests_name("linear", tests, NULL, NULL);
}
