/* models.c: see models.h. */
#include "fmu/models.h"

#include "fmu/importer.h"
#include "model_fixture.h"

const fmu_case fmu_cases[] = {
    {"four_bar", "a loop of rigid bodies", 1.3, 1040, 1e-8},
    {"slider_crank", "a loop with singular positions", 0.8, 400, 2e-9},
    {"heavy_top", "unit quaternions", 0.5, 4000, 1e-6},
    {"engine", "a driver, tables, units", 0.021, 420, 2e-9},
    {"elements/motor_joint", "a motor with a law of time", 0.8, 400, 1e-9},
    {"elements/pid", "a controller with states", 0.9, 900, 1e-8},
    {"elements/friction_lugre", "friction with bristles", 0.2, 8000, 5e-8},
    {"elements/variable", "events that set a variable", 1.0, 400, 1e-11},
    {"bouncing_ball", "rebounds", 1.0, 400, 2e-12},
    {"catch", "joints that take hold", 1.0, 400, 2e-9},
    {"elements/bump_stop", "an elastic stop", 0.6, 1200, 1e-6},
    {"double_pendulum_natural", "natural coordinates", 0.7, 700, 1e-10},
};

int fmu_n_cases(void) {
    return (int)(sizeof fmu_cases / sizeof *fmu_cases);
}

static void path_of(const char *model, char *out, size_t size) {
    snprintf(out, size, HOLONOM_TEST_MODELS "/%s.yaml", model);
}

void fmu_direct_open(fmu_direct *d, const char *model, double end) {
    char path[600];
    path_of(model, path, sizeof path);
    *d = (fmu_direct){.ctx = hol_context_new()};
    d->spec = hol_spec_new(d->ctx);
    assert_int_equal(hol_spec_read_file(d->spec, path), HOL_OK);
    for (int again = 0; again < 2; again++) {
        d->options = hol_options_from_spec(d->ctx, d->spec);
        hol_options_set_real(d->options, "end", end);
        d->model = hol_model_compile(d->ctx, d->spec, hol_options_run_coordinates(d->options));
        d->sim = hol_sim_new(d->ctx, d->model, d->options);
        if (!d->sim) run_print_messages(d->ctx);
        assert_non_null(d->sim);
        hol_model_info about = {.size = sizeof about};
        hol_model_describe(d->model, &about);
        if (again || !hol_sim_switches(d->sim) || strstr(about.coordinates, "reference")) return;
        hol_sim_free(d->sim);
        hol_model_free(d->model);
        hol_options_free(d->options);
        hol_spec_set(d->spec, "simulation.coordinates", "reference", "test");
    }
}

void fmu_direct_close(fmu_direct *d) {
    hol_sim_free(d->sim);
    hol_model_free(d->model);
    hol_options_free(d->options);
    hol_spec_free(d->spec);
    hol_context_free(d->ctx);
}

void fmu_make(fmu_archive *fmu, const char *model, int version, int n_inputs,
              const char *const *inputs) {
    char path[600], file[160], folder[160];
    const char *slash = strrchr(model, '/'), *stem = slash ? slash + 1 : model;
    path_of(model, path, sizeof path);
    snprintf(file, sizeof file, "%s_%d.fmu", stem, version);
    snprintf(folder, sizeof folder, "%s_%d", stem, version);
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    /* compressing the runtime takes a second: most FMUs of the tests have a word in its place */
    const int whole = strcmp(model, "four_bar") == 0;
    FILE *word = fopen("no_runtime", "w");
    fputs("no runtime", word);
    fclose(word);
    const hol_fmu_options how = {.size = sizeof how,
                                 .version = version,
                                 .module = whole ? HOLONOM_TEST_FMU : "no_runtime",
                                 .n_inputs = n_inputs,
                                 .inputs = inputs};
    const hol_status status = hol_fmu_write(ctx, spec, file, &how, NULL);
    if (status) run_print_messages(ctx);
    assert_int_equal(status, HOL_OK);
    hol_spec_free(spec);
    hol_context_free(ctx);
    fmu_open(fmu, file, folder, whole ? NULL : HOLONOM_TEST_FMU);
    assert_int_equal(fmu->version, version);
    assert_true(fmu->has_simulation);
}
