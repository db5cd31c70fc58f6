/* test_fmu_sources.c: FMUs of sources, 2.0 and 3.0 in turn (HOLONOM_WHOLE: each model as both):
 * taken as ISO C99 without a warning by gcc and by clang, built by one of them in turn, loaded by
 * the importer and compared with the library:
 *
 * - in co-simulation with a run of the same formula at the same steps; what differs is rounding,
 *   which grows with the motion: at 1e-12 a step of the few hundred, 1e-9 of the largest values;
 * - in model exchange with a run of small tolerance, where the importer's formula (RK4) leaves the
 *   error of its steps, as with a binary (fmu/models.c).
 *
 * Their variables are those of the FMU with the library, by name, unit and start. Random calls, on
 * a program in which all is instrumented, neither crash nor leak nor do what C leaves undefined. */
#include "fmu/importer.h"
#include "fmu/models.h"
#include "model_fixture.h"

#include <sys/stat.h>

/* A model, the length of the run, and what model exchange may be off by: the error of RK4 at the
 * steps of the code, or at finer ones. */
typedef struct sample {
    const char *model;
    double end;
    int finer; /* steps of model exchange in one of the code */
    double within;
} sample;

static const sample samples[] = {
    {"four_bar", 0.5, 1, 1e-8},
    {"slider_crank", 0.5, 1, 1e-8},
    {"heavy_top", 0.3, 8, 1e-6},
    {"engine", 0.02, 1, 1e-7},
    {"a02_two_four_bar", 0.4, 1, 1e-7},
    {"a04_bricard", 0.3, 1, 1e-7},
    {"a05_flyball_governor", 0.2, 1, 1e-6},
    {"bicycle", 0.1, 1, 1e-6},
    {"rotary_drive", 0.2, 1, 1e-7},
    {"slider_crank_spatial", 0.3, 1, 1e-7},
    {"double_pendulum_natural", 0.4, 1, 1e-8},
    {"elements/motor_joint", 0.5, 1, 1e-7},
    {"elements/generic", 0.2, 1, 1e-6},
};
enum { SAMPLES = sizeof samples / sizeof *samples, POINTS = 8 };

static const char *stem(const char *model) {
    const char *slash = strrchr(model, '/');
    return slash ? slash + 1 : model;
}

/* Write the FMU of sources of a description. */
static void write_one(const char *path, const char *fmu, int version, const char *tunable,
                      const char *input) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    const hol_fmu_options how = {.size = sizeof how,
                                 .version = version,
                                 .sources = 1,
                                 .n_tunables = tunable != NULL,
                                 .tunables = &tunable,
                                 .n_inputs = input != NULL,
                                 .inputs = &input};
    if (hol_fmu_write(ctx, spec, fmu, &how, NULL)) {
        run_print_messages(ctx);
        fail();
    }
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static int has(const char *program) {
    char command[200];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

#define STRICT "-std=c99 -Wall -Wextra -pedantic -Werror -DFMI%d_OVERRIDE_FUNCTION_PREFIX "

/* The other compiler of the two has nothing to say either. */
static void look(const char *folder, const char *compiler, int version) {
    char command[1200];
    snprintf(command, sizeof command, "cd %s && %s " STRICT "-fsyntax-only sources/*.c", folder,
             strcmp(compiler, "clang") == 0 ? "cc" : "clang", version);
    if (system(command)) fail_msg("%s", command);
}

/* Unzip the FMU into the folder and build a library of it: folder/built.so. */
static void build(const char *fmu, const char *folder, const char *compiler, int version) {
    char command[1200];
    mkdir(folder, 0755);
    fmu_unzip(fmu, folder);
    snprintf(command, sizeof command,
             "cd %s && %s " STRICT "-fPIC -shared sources/*.c -o built.so -lm", folder, compiler,
             version);
    if (system(command)) fail_msg("%s", command);
}

/* Written, built and opened. */
static void open_one(fmu_archive *out, const char *path, const char *name, int version,
                     const char *compiler, const char *tunable, const char *input) {
    char fmu[200], folder[200], runtime[300];
    snprintf(fmu, sizeof fmu, "%s_c%d.fmu", name, version);
    snprintf(folder, sizeof folder, "%s_c%d", name, version);
    snprintf(runtime, sizeof runtime, "./%s/built.so", folder);
    write_one(path, fmu, version, tunable, input);
    build(fmu, folder, compiler, version);
    fmu_open(out, fmu, folder, runtime);
    assert_int_equal(out->version, version);
    assert_true(out->has_exchange && out->has_simulation);
}

/* ---- runs ---- */

/* The library's run by the formula of the code at its steps (h), or to a tolerance (h = 0). */
static void open_direct(fmu_direct *d, const char *path, double end, double h) {
    *d = (fmu_direct){.ctx = hol_context_new()};
    d->spec = hol_spec_new(d->ctx);
    assert_int_equal(hol_spec_read_file(d->spec, path), HOL_OK);
    d->options = hol_options_new(d->ctx);
    hol_options *given = hol_options_from_spec(d->ctx, d->spec);
    static const char *const same[] = {"start_at", "assemble"};
    char text[64];
    for (int k = 0; k < 2; k++)
        hol_options_set(d->options, same[k], hol_options_text(given, same[k], text, sizeof text),
                        NULL);
    hol_options_free(given);
    hol_options_set_real(d->options, "end", end);
    hol_options_set_choice(d->options, "coordinates", "relative");
    hol_options_set_choice(d->options, "method", "direct-correction");
    if (h > 0) {
        hol_options_set_choice(d->options, "integrator", "rk4");
        hol_options_set_real(d->options, "step", h);
    } else {
        hol_options_set_choice(d->options, "integrator", "dop853");
        hol_options_set_real(d->options, "tolerance", 1e-11);
    }
    d->model = hol_model_compile(d->ctx, d->spec, "relative");
    d->sim = d->model ? hol_sim_new(d->ctx, d->model, d->options) : NULL;
    if (!d->sim) run_print_messages(d->ctx);
    assert_non_null(d->sim);
}

/* The largest difference of outputs, each by the largest value so far of those with its unit. */
static double worst_output(const fmu_direct *d, fmu_instance *i, double *size) {
    const fmu_archive *fmu = i->fmu;
    double most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int v = 0; v < fmu->n_variables; v++) {
            if (strcmp(fmu->variables[v].causality, "output") != 0) continue;
            double ours = NAN, unit = 0;
            hol_data_measure(hol_sim_data(d->sim),
                             hol_model_measure_index(d->model, fmu->variables[v].name), &ours);
            if (!pass) size[v] = fmax(size[v], fabs(ours));
            for (int k = 0; k < fmu->n_variables; k++)
                if (strcmp(fmu->variables[k].unit, fmu->variables[v].unit) == 0)
                    unit = fmax(unit, size[k]);
            const double off = fabs(ours - fmu_get(i, fmu->variables[v].reference));
            if (pass) most = isfinite(off) ? fmax(most, off / (unit > 0 ? unit : 1)) : INFINITY;
        }
    return most;
}

/* The length of a step of the FMU: the number in its code. */
static double step_of(const fmu_archive *fmu) {
    char name[300];
    snprintf(name, sizeof name, "%s_fmu_longest_step", fmu->identifier);
    return *(const double *)fmu_function(fmu, name);
}

/* Co-simulation with communication points ten steps apart and more. */
static double cosimulate(const sample *s, const char *path, const fmu_archive *fmu) {
    const double h = step_of(fmu), far = ceil(s->end / POINTS / h) * h;
    double worst = 0, *size = calloc((size_t)fmu->n_variables, sizeof *size);
    fmu_direct d;
    fmu_instance i;
    open_direct(&d, path, far * POINTS, h);
    fmu_start(&i, fmu, 0, 0);
    fmu_begin(&i, 0, far * POINTS);
    fmu_ready(&i);
    for (int k = 0; k <= POINTS; k++) {
        assert_int_equal(hol_sim_advance(d.sim, far * k), HOL_OK);
        if (k) assert_int_equal(fmu_do_step(&i, far * (k - 1), far * k - far * (k - 1)), 0);
        worst = fmax(worst, worst_output(&d, &i, size));
    }
    fmu_free(&i);
    fmu_direct_close(&d);
    free(size);
    return worst;
}

static double exchange(const sample *s, const char *path, const fmu_archive *fmu) {
    double worst = 0, *size = calloc((size_t)fmu->n_variables, sizeof *size);
    fmu_direct d;
    fmu_instance i;
    open_direct(&d, path, s->end, 0);
    fmu_start(&i, fmu, 1, 0);
    fmu_begin(&i, 0, s->end);
    fmu_ready(&i);
    for (int k = 1; k <= POINTS; k++) {
        assert_int_equal(hol_sim_advance(d.sim, s->end * k / POINTS), HOL_OK);
        fmu_integrate(&i, s->end * k / POINTS,
                      s->finer * (int)ceil(s->end / POINTS / step_of(fmu)));
        worst = fmax(worst, worst_output(&d, &i, size));
    }
    fmu_free(&i);
    fmu_direct_close(&d);
    free(size);
    return worst;
}

/* Every variable of the sources is one of the FMU with the library, in the coordinates of both. */
static void compare_names(const sample *s, const fmu_archive *code) {
    fmu_archive whole;
    fmu_make(&whole, s->model, code->version, 0, NULL);
    for (int v = 0; v < code->n_variables; v++) {
        const fmu_variable *ours = &code->variables[v];
        const int is_state = strncmp(ours->name, "x[", 2) == 0 || ours->name[0] == 'd';
        if (is_state && whole.n_states != code->n_states + 1) continue; /* other coordinates */
        const fmu_variable *theirs = &whole.variables[fmu_find(&whole, ours->name)];
        assert_string_equal(ours->unit, theirs->unit);
        assert_true(strcmp(ours->causality, theirs->causality) == 0 ||
                    strcmp(ours->variability, "constant") == 0);
        if (ours->has_start && theirs->has_start) assert_true(ours->start == theirs->start);
    }
    fmu_close(&whole);
}

static void sources_run_as_the_library(void **state) {
    (void)state;
    const int clang = has("clang");
    int bad = 0;
    if (!clang) print_message("# no clang: all are built by cc\n");
    for (int k = 0; k < SAMPLES; k++) {
        const sample *s = &samples[k];
        for (int version = 2; version <= 3; version++) {
            char path[600], folder[200];
            const char *compiler = clang && (k / 2 + version) % 2 ? "clang" : "cc";
            fmu_archive fmu;
            if (version != 2 + k % 2 && !getenv("HOLONOM_WHOLE")) continue;
            snprintf(path, sizeof path, HOLONOM_TEST_MODELS "/%s.yaml", s->model);
            open_one(&fmu, path, stem(s->model), version, compiler, NULL, NULL);
            snprintf(folder, sizeof folder, "%s_c%d", stem(s->model), version);
            if (clang) look(folder, compiler, version);
            compare_names(s, &fmu);
            const double steps = cosimulate(s, path, &fmu), rates = exchange(s, path, &fmu);
            print_message("# %-24s FMI %d: co-simulation off by %.1e, exchange by %.1e\n", s->model,
                          version, steps, rates);
            bad += !(steps <= 1e-9) + !(rates <= s->within);
            fmu_close(&fmu);
        }
    }
    assert_int_equal(bad, 0);
}

/* ---- what can be set ---- */

/* A pendulum with a spring, whose stiffness, mass and load can be set. */
static const char set_model[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "parameters: {k: 12.5 N*m/rad, load: 1.35 kg, twice: 2*load, L: 0.7 m}\n"
    "bodies:\n  rod: {mass: load, inertia: 0.1, along: [[0, 0], [L, 0]]}\n"
    "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
    "forces:\n  hold: {type: torsion, joint: A, stiffness: k}\n"
    "measures:\n  angle: {type: angle, body: rod}\n  rate: {type: angular_velocity, body: rod}\n"
    "simulation: {end: 1}\n";

/* theta'' = (u - k theta - m g L/2 cos theta)/(I + m L^2/4) by RK4 of 1 ms. */
static void swing(double *y, double k, double m, double u, int steps) {
    for (int s = 0; s < steps; s++) {
        double K[4][2], z[2] = {y[0], y[1]};
        for (int i = 0; i < 4; i++) {
            K[i][0] = z[1];
            K[i][1] = (u - k * z[0] - m * 9.81 * 0.35 * cos(z[0])) / (0.1 + m * 0.35 * 0.35);
            for (int j = 0; j < 2; j++) z[j] = y[j] + (i < 2 ? 0.5e-3 : 1e-3) * K[i][j];
        }
        for (int j = 0; j < 2; j++)
            y[j] += 1e-3 / 6 * (K[0][j] + 2 * K[1][j] + 2 * K[2][j] + K[3][j]);
    }
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A mass and a torque change from step to step; what follows from the mass is left out. */
static void values_change_between_steps(void **state) {
    (void)state;
    write_file("set.yaml", set_model);
    for (int version = 2; version <= 3; version++) {
        fmu_archive fmu;
        fmu_instance i;
        double y[2] = {0, 0};
        open_one(&fmu, "set.yaml", "set", version, "cc", "load", "A");
        const fmu_variable *m = &fmu.variables[fmu_find(&fmu, "load")],
                           *u = &fmu.variables[fmu_find(&fmu, "A_torque")];
        assert_string_equal(m->variability, "tunable");
        assert_string_equal(u->causality, "input");
        assert_string_equal(fmu.variables[fmu_find(&fmu, "k")].variability, "constant");
        for (int v = 0; v < fmu.n_variables; v++)
            assert_string_not_equal(fmu.variables[v].name, "twice");
        fmu_start(&i, &fmu, 0, 0);
        fmu_begin(&i, 0, 2);
        fmu_set(&i, m->reference, 1.9);
        fmu_ready(&i);
        for (int k = 0; k < 10; k++) {
            const double mass = k < 5 ? 1.9 : 0.8, load = 0.7 * k;
            if (k == 5) fmu_set(&i, m->reference, mass);
            fmu_set(&i, u->reference, load);
            assert_int_equal(fmu_do_step(&i, 0.05 * k, 0.05 * (k + 1) - 0.05 * k), 0);
            swing(y, 12.5, mass, load, 50);
            const double angle = fmu_get(&i, fmu.variables[fmu_find(&fmu, "angle")].reference),
                         rate = fmu_get(&i, fmu.variables[fmu_find(&fmu, "rate")].reference);
            if (fabs(angle - y[0]) > 1e-12 || fabs(rate - y[1]) > 1e-11)
                fail_msg("step %d: %.15g and %.15g, not %.15g and %.15g", k, angle, rate, y[0],
                         y[1]);
        }
        fmu_free(&i);
        fmu_close(&fmu);
    }
}

/* The library's FMU: a parameter that laws read changes during the run where it is said to. */
static void tunables_of_the_library(void **state) {
    (void)state;
    const char *tunable = "k", *input = "A";
    write_file("set.yaml", set_model);
    fclose(fopen("no_runtime", "w"));
    for (int version = 2; version <= 3; version++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        fmu_archive fmu;
        fmu_instance i;
        double y[2] = {0, 0};
        assert_int_equal(hol_spec_read_file(spec, "set.yaml"), HOL_OK);
        const hol_fmu_options how = {.size = sizeof how,
                                     .version = version,
                                     .module = "no_runtime",
                                     .n_tunables = 1,
                                     .tunables = &tunable,
                                     .n_inputs = 1,
                                     .inputs = &input};
        assert_int_equal(hol_fmu_write(ctx, spec, "tuned.fmu", &how, NULL), HOL_OK);
        fmu_open(&fmu, "tuned.fmu", "tuned", HOLONOM_TEST_FMU);
        const fmu_variable *k = &fmu.variables[fmu_find(&fmu, "k")];
        assert_string_equal(k->causality, "parameter");
        assert_string_equal(k->variability, "tunable");
        fmu_start(&i, &fmu, 0, 0);
        fmu_begin(&i, 0, 2);
        fmu_set(&i, k->reference, 5.5);
        fmu_ready(&i);
        for (int n = 0; n < 6; n++) {
            const double stiff = n < 3 ? 5.5 : 21.5;
            if (n == 3) fmu_set(&i, k->reference, stiff);
            assert_int_equal(fmu_do_step(&i, 0.05 * n, 0.05 * (n + 1) - 0.05 * n), 0);
            swing(y, stiff, 1.35, 0, 50);
            /* the tolerance of the run is 1e-6 and RK4 leaves less */
            const double angle = fmu_get(&i, fmu.variables[fmu_find(&fmu, "angle")].reference);
            if (fabs(angle - y[0]) > 1e-5) fail_msg("step %d: %.9g, not %.9g", n, angle, y[0]);
        }
        fmu_free(&i);
        fmu_close(&fmu);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

/* ---- what is refused ---- */

/* The first error of an FMU of sources of that model, by names that are kept. */
static void refuse(const char *path, const char *tunable, const char *words) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    const hol_fmu_options how = {
        .size = sizeof how, .sources = 1, .n_tunables = tunable != NULL, .tunables = &tunable};
    int seen = 0;
    assert_int_not_equal(hol_fmu_write(ctx, spec, "refused.fmu", &how, NULL), HOL_OK);
    for (int k = 0; k < hol_message_count(ctx); k++) {
        char text[600];
        hol_message_format(hol_message_get(ctx, k), text, sizeof text);
        seen += strstr(text, words) != NULL;
    }
    if (!seen) run_print_messages(ctx);
    assert_true(seen);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void what_has_no_code_is_refused(void **state) {
    (void)state;
    refuse(HOLONOM_TEST_MODELS "/bouncing_ball.yaml", NULL, "bouncing_ball.yaml:21:3");
    refuse(HOLONOM_TEST_MODELS "/cam_follower.yaml", NULL, "force 'touch'");
    write_file("set.yaml", set_model);
    refuse("set.yaml", "twice", "'twice'");
    refuse("set.yaml", "none", "'none'");
}

/* ---- random calls under sanitizers ---- */

/* The program of them: sequences of calls on an FMU that is linked in. */
static const char driver[] =
    "#include \"fmu/calls.h\"\n#include <stdio.h>\n#include <stdlib.h>\n"
    "static unsigned next(void *user, unsigned below) {\n"
    "    unsigned long long *s = user;\n"
    "    *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17;\n"
    "    return below ? (unsigned)((*s >> 16) % below) : 0;\n}\n"
    "static void update(fmi3InstanceEnvironment e, fmi3Float64 t, fmi3Boolean a, fmi3Boolean b,\n"
    "    fmi3Boolean c, fmi3Boolean d, fmi3Boolean *early, fmi3Float64 *when) {\n"
    "    (void)e, (void)a, (void)b, (void)c, (void)d; *early = 0; *when = t;\n}\n"
    "int main(int n, char **words) {\n"
    "    const int trials = atoi(words[3]);\n    fmu_calls calls;\n    fmu_tally tally = {0, 0};\n"
    "    const fmi2CallbackFunctions f = {NULL, calloc, free, NULL, NULL};\n"
    "    (void)n;\n"
    "#define TAKE(name) calls.name = name;\n    FMU_CALLS2(TAKE)\n    FMU_CALLS3(TAKE)\n"
    "    for (int k = 0; k < 2 * trials; k++) {\n"
    "        unsigned long long s = 88172645463325252ULL + 7919ULL * (unsigned)k;\n"
    "        const fmu_choices choices = {next, &s};\n"
    "        const int version = 2 + k % 2, exchange = k / 2 % 2;\n"
    "        void *handle = version == 2\n"
    "            ? fmi2Instantiate(\"a\", exchange ? fmi2ModelExchange : fmi2CoSimulation,\n"
    "                              words[1], \"\", &f, 0, 0)\n"
    "            : exchange ? fmi3InstantiateModelExchange(\"a\", words[1], \"\", 0, 0, 0, 0)\n"
    "            : fmi3InstantiateCoSimulation(\"a\", words[1], \"\", 0, 0, k % 8 >= 4, k % 8 >= 4,"
    " 0,\n                                          0, 0, 0, update);\n"
    "        if (!handle) return 3;\n"
    "        fmu_call_at_random(&calls, version, exchange, handle, atoi(words[2]), atoi(words[4]),"
    "\n                           0, 28, &choices, &tally);\n    }\n"
    "    printf(\"# %d sequences: %ld calls went well, %ld were refused\\n\", 2 * trials,\n"
    "           tally.good, tally.refused);\n"
    "    return tally.good > 10L * trials && tally.refused > 10L * trials ? 0 : 4;\n}\n";

/* Both interfaces over one model: the sources of the FMU of 2.0, and what that of 3.0 has more. */
static void random_calls_on_instrumented_code(void **state) {
    char command[3000];
    fmu_archive fmu;
    (void)state;
    write_file("set.yaml", set_model);
    open_one(&fmu, "set.yaml", "set", 2, "cc", "load", "A");
    write_one("set.yaml", "set_c3.fmu", 3, "load", "A");
    mkdir("both", 0755);
    fmu_unzip("set_c3.fmu", "both");
    fmu_unzip("set_c2.fmu", "both");
    write_file("driver.c", driver);
    const int n = getenv("HOLONOM_WHOLE") ? 1000 : 500; /* of each version */
    snprintf(
        command, sizeof command,
        "cc -std=gnu99 -g -fsanitize=address,undefined -fno-sanitize-recover=all "
        "-DFMI2_OVERRIDE_FUNCTION_PREFIX -DFMI3_OVERRIDE_FUNCTION_PREFIX -I" HOLONOM_TEST_SOURCE
        "/tests -I" HOLONOM_TEST_SOURCE "/src driver.c " HOLONOM_TEST_SOURCE
        "/tests/fmu_calls.c both/sources/*.c -o driver -lm && ./driver '%s' %d %d %d",
        fmu.token, fmu.n_variables, n, fmu.n_states);
    if (system(command)) fail_msg("%s", command);
    fmu_close(&fmu);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_has_no_code_is_refused),
                                       cmocka_unit_test(values_change_between_steps),
                                       cmocka_unit_test(tunables_of_the_library),
                                       cmocka_unit_test(random_calls_on_instrumented_code),
                                       cmocka_unit_test(sources_run_as_the_library)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
