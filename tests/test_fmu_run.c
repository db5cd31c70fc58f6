/* test_fmu_run.c: FMUs of a dozen models, of both versions, in co-simulation and in model exchange,
 * beside the same model run by the library.
 *
 * Co-simulation makes the steps of hol_sim_advance to the same times: the same bits. In model
 * exchange a formula of the importer integrates; what it is off by is that of the formula at its
 * steps (fourth order), which is stated with each model and shrinks by about 16 where the steps are
 * halved, and drift off the constraints, which is taken out beyond the tolerances of the model.
 */
#include "fmu/importer.h"
#include "fmu/models.h"
#include "model_fixture.h"

enum { POINTS = 20 };

/* Output o of the FMU, and the measured column that it is. */
static int column_of(const fmu_direct *d, const fmu_archive *fmu, int variable) {
    return hol_model_measure_index(d->model, fmu->variables[variable].name);
}

static int is_output(const fmu_archive *fmu, int k) {
    return strcmp(fmu->variables[k].causality, "output") == 0;
}

static double measure(const fmu_direct *d, int column) {
    double value = NAN;
    hol_data_measure(hol_sim_data(d->sim), column, &value);
    return value;
}

static int same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Co-simulation: every output at every step has the bits of the library's run. */
static void cosimulate(const fmu_case *c, const fmu_archive *fmu) {
    fmu_direct d;
    fmu_instance i;
    fmu_direct_open(&d, c->model, c->end);
    fmu_start(&i, fmu, 0, 0);
    fmu_begin(&i, 0, c->end);
    fmu_ready(&i);
    int compared = 0, ended = 0;
    for (int k = 0; k <= POINTS && !ended; k++) {
        const double t = c->end * k / POINTS, before = c->end * (k - 1) / POINTS,
                     to = k ? before + (t - before) : t;
        assert_int_equal(hol_sim_advance(d.sim, to), HOL_OK);
        if (k) ended = fmu_do_step(&i, before, t - before);
        for (int v = 0; v < fmu->n_variables; v++) {
            if (!is_output(fmu, v)) continue;
            const double ours = measure(&d, column_of(&d, fmu, v)),
                         theirs = fmu_get(&i, fmu->variables[v].reference);
            if (!same(ours, theirs))
                fail_msg("%s: %s at t = %g is %.17g in the FMU and %.17g in the run", c->model,
                         fmu->variables[v].name, t, theirs, ours);
            compared++;
        }
    }
    assert_true(compared > POINTS / 2);
    fmu_free(&i);
    fmu_direct_close(&d);
}

/* The largest value so far of outputs with the unit of output v. */
static double size_of(const fmu_archive *fmu, const double *size, int v) {
    double most = 0;
    for (int k = 0; k < fmu->n_variables; k++)
        if (is_output(fmu, k) && strcmp(fmu->variables[k].unit, fmu->variables[v].unit) == 0)
            most = fmax(most, size[k]);
    return most > 0 ? most : 1;
}

/* The largest difference of an output from the run, as a share of the largest value of all outputs
 * with its unit. */
static double exchange(const fmu_case *c, const fmu_archive *fmu, int steps) {
    fmu_direct d;
    fmu_instance i;
    double most = 0, *size = calloc((size_t)fmu->n_variables, sizeof *size);
    fmu_direct_open(&d, c->model, c->end);
    fmu_start(&i, fmu, 1, 0);
    fmu_begin(&i, 0, c->end);
    fmu_ready(&i);
    for (int k = 1; k <= 4; k++) {
        const double t = c->end * k / 4;
        assert_int_equal(hol_sim_advance(d.sim, t), HOL_OK);
        fmu_integrate(&i, t, steps / 4);
        for (int v = 0; v < fmu->n_variables; v++)
            if (is_output(fmu, v))
                size[v] = fmax(size[v], fabs(measure(&d, column_of(&d, fmu, v))));
        for (int v = 0; v < fmu->n_variables; v++) {
            if (!is_output(fmu, v)) continue;
            const double ours = measure(&d, column_of(&d, fmu, v)),
                         theirs = fmu_get(&i, fmu->variables[v].reference),
                         error = fabs(ours - theirs) / size_of(fmu, size, v);
            if (!(error <= c->within))
                print_message("# %s: %s at t = %g: %.12g in the run, %.12g by exchange\n", c->model,
                              fmu->variables[v].name, t, ours, theirs);
            most = isfinite(error) ? fmax(most, error) : INFINITY;
        }
    }
    free(size);
    fmu_free(&i);
    fmu_direct_close(&d);
    return most;
}

static void try_version(int version) {
    int bad = 0;
    for (int k = 0; k < fmu_n_cases(); k++) {
        const fmu_case *c = &fmu_cases[k];
        fmu_archive fmu;
        fmu_make(&fmu, c->model, version, 0, NULL);
        cosimulate(c, &fmu);
        assert_true(fmu.has_exchange);
        const double error = exchange(c, &fmu, c->steps);
        print_message("# %-28s FMI %d: exchange off by %.2e (%.0e)\n", c->model, version, error,
                      c->within);
        bad += !(error <= c->within);
        fmu_close(&fmu);
    }
    assert_int_equal(bad, 0);
}

/* Where the steps are halved the error is 16 times smaller, up to 32 where the next order counts,
 * but for what error control leaves the run. */
static void exchange_has_the_order_of_the_formula(void **state) {
    static const int cases[] = {0, 2};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const fmu_case *c = &fmu_cases[cases[k]];
        const fmu_case loose = {c->model, c->what, c->end, c->steps, INFINITY};
        fmu_archive fmu;
        fmu_make(&fmu, c->model, 3, 0, NULL);
        const double ratio =
            exchange(&loose, &fmu, c->steps / 4) / exchange(&loose, &fmu, c->steps / 2);
        print_message("# %-28s errors shrink by %.1f\n", c->model, ratio);
        assert_true(ratio > 12 && ratio < 36);
        fmu_close(&fmu);
    }
}

static void fmi2_runs_as_the_library(void **state) {
    (void)state;
    try_version(2);
}

static void fmi3_runs_as_the_library(void **state) {
    (void)state;
    try_version(3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fmi2_runs_as_the_library),
                                       cmocka_unit_test(fmi3_runs_as_the_library),
                                       cmocka_unit_test(exchange_has_the_order_of_the_formula)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
