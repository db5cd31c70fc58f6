/* test_fmu_couple.c: two FMUs that drive each other, beside the model of both: in model exchange
 * coupled within every stage, to the error of the formula; in co-simulation with values held over
 * a step, to an error of first order in it. Derivatives against differences, and inputs that
 * jump. */
#include "fmu/importer.h"
#include "fmu/models.h"
#include "fmu/pulled.h"
#include "model_fixture.h"

/* An FMU of a text, with inputs. */
static void make(fmu_archive *fmu, const char *text, const char *name, int version, int n,
                 const char *const *inputs) {
    char file[100];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text, name), HOL_OK);
    FILE *word = fopen("no_runtime", "w");
    fputs("no runtime", word);
    fclose(word);
    const hol_fmu_options how = {.size = sizeof how,
                                 .version = version,
                                 .module = "no_runtime",
                                 .n_inputs = n,
                                 .inputs = inputs};
    snprintf(file, sizeof file, "%s_%d.fmu", name, version);
    const hol_status status = hol_fmu_write(ctx, spec, file, &how, NULL);
    if (status) run_print_messages(ctx);
    assert_int_equal(status, HOL_OK);
    hol_spec_free(spec);
    hol_context_free(ctx);
    snprintf(file, sizeof file, "%s_%d", name, version);
    char archive[120];
    snprintf(archive, sizeof archive, "%s.fmu", file);
    fmu_open(fmu, archive, file, HOLONOM_TEST_FMU);
}

static unsigned ref(const fmu_archive *fmu, const char *name) {
    return fmu->variables[fmu_find(fmu, name)].reference;
}

/* x1 and x2 of the whole at t. */
static void whole_at(double t, double out[2]) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, fmu_whole, "whole"), HOL_OK);
    hol_options *options;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    hol_sim *sim = hol_sim_new(ctx, model, options);
    assert_int_equal(hol_sim_advance(sim, t), HOL_OK);
    hol_data_measure(hol_sim_data(sim), hol_model_measure_index(model, "x1"), &out[0]);
    hol_data_measure(hol_sim_data(sim), hol_model_measure_index(model, "x2"), &out[1]);
    hol_sim_free(sim);
    hol_model_free(model);
    hol_options_free(options);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

typedef struct pair {
    fmu_archive a, b;
    fmu_instance one, two;
} pair;

static void open_pair(pair *p, int exchange) {
    make(&p->a, fmu_first, "first", 2, 0, NULL);
    make(&p->b, fmu_second, "second", 3, 0, NULL);
    fmu_start(&p->one, &p->a, exchange, 0);
    fmu_start(&p->two, &p->b, exchange, 0);
    fmu_begin(&p->one, 0, 2);
    fmu_begin(&p->two, 0, 2);
    fmu_ready(&p->one);
    fmu_ready(&p->two);
}

static void close_pair(pair *p) {
    fmu_free(&p->one);
    fmu_free(&p->two);
    fmu_close(&p->a);
    fmu_close(&p->b);
}

/* Outputs of each become inputs of the other: positions first, then the force that they make. */
static void connect(pair *p) {
    fmu_set(&p->two, ref(&p->b, "x1"), fmu_get(&p->one, ref(&p->a, "x1")));
    fmu_set(&p->two, ref(&p->b, "v1"), fmu_get(&p->one, ref(&p->a, "v1")));
    fmu_set(&p->one, ref(&p->a, "f"), fmu_get(&p->two, ref(&p->b, "f")));
}

static void rates(pair *p, double t, const double *x, double *out) {
    const int n = p->a.n_states;
    fmu_set_time(&p->one, t);
    fmu_set_states(&p->one, x);
    fmu_set_time(&p->two, t);
    fmu_set_states(&p->two, x + n);
    connect(p);
    fmu_get_rates(&p->one, out);
    fmu_get_rates(&p->two, out + n);
}

/* Model exchange of both as one system. */
static void coupled_exchange_is_the_whole(void **state) {
    enum { STEPS = 200, MOST = 64 };
    const double end = 1.7, h = end / STEPS;
    (void)state;
    pair p;
    open_pair(&p, 1);
    const int n = p.a.n_states + p.b.n_states;
    double x[MOST], y[MOST], k[4][MOST], wanted[2];
    assert_true(n < MOST);
    fmu_get_states(&p.one, x);
    fmu_get_states(&p.two, x + p.a.n_states);
    static const double c[4] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < STEPS; s++) {
        for (int stage = 0; stage < 4; stage++) {
            for (int j = 0; j < n; j++) y[j] = x[j] + (stage ? h * c[stage] * k[stage - 1][j] : 0);
            rates(&p, s * h + c[stage] * h, y, k[stage]);
        }
        for (int j = 0; j < n; j++) x[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        rates(&p, (s + 1) * h, x, y);
        fmu_step_completed(&p.one);
        fmu_step_completed(&p.two);
    }
    whole_at(end, wanted);
    const double e1 = fabs(fmu_get(&p.one, ref(&p.a, "x1")) - wanted[0]),
                 e2 = fabs(fmu_get(&p.two, ref(&p.b, "x2")) - wanted[1]);
    print_message("# coupled exchange is off by %.1e and %.1e m\n", e1, e2);
    /* (h w)^4/120 a radian with w = 6.7/s: 9e-8 x 0.3 m over 11 radians */
    assert_true(e1 < 3e-7 && e2 < 3e-7);
    close_pair(&p);
}

/* The largest error at the end of coupled co-simulation in n steps. */
static double coupled_steps(int n) {
    const double end = 1.7, h = end / n;
    pair p;
    double wanted[2];
    open_pair(&p, 0);
    for (int s = 0; s < n; s++) {
        connect(&p);
        assert_int_equal(fmu_do_step(&p.one, s * h, (s + 1) * h - s * h), 0);
        assert_int_equal(fmu_do_step(&p.two, s * h, (s + 1) * h - s * h), 0);
    }
    whole_at(end, wanted);
    const double e1 = fabs(fmu_get(&p.one, ref(&p.a, "x1")) - wanted[0]),
                 e2 = fabs(fmu_get(&p.two, ref(&p.b, "x2")) - wanted[1]);
    close_pair(&p);
    return fmax(e1, e2);
}

static void coupled_steps_converge(void **state) {
    (void)state;
    const double coarse = coupled_steps(200), fine = coupled_steps(400);
    print_message("# coupled steps are off by %.2e and %.2e m\n", coarse, fine);
    /* held values: first order */
    assert_true(coarse < 0.05 && coarse / fine > 1.8 && coarse / fine < 2.2);
}

/* ---- derivatives ---- */

/* A four-bar with a load on its coupler: derivatives of all rates and outputs. */
static void open_loaded(fmu_archive *fmu, fmu_instance *i, const char *model) {
    static const char *const inputs[] = {"coupler.fx", "B"};
    char path[600];
    snprintf(path, sizeof path, HOLONOM_TEST_MODELS "/%s.yaml", model);
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    char *text = hol_spec_text(spec);
    make(fmu, text, "loaded", 3, 2, inputs);
    hol_free(ctx, text);
    hol_spec_free(spec);
    hol_context_free(ctx);
    fmu_start(i, fmu, 1, 0);
    fmu_begin(i, 0, 10);
    fmu_ready(i);
    fmu_integrate(i, 0.6, 300);
}

/* The unknowns: all rates and outputs; the knowns: all states but W, and inputs. */
static int unknowns(const fmu_archive *fmu, unsigned *out) {
    int n = 0;
    for (int k = 0; k < fmu->n_states; k++) out[n++] = fmu->rates[k];
    for (int k = 0; k < fmu->n_variables; k++)
        if (strcmp(fmu->variables[k].causality, "output") == 0)
            out[n++] = fmu->variables[k].reference;
    return n;
}

static void values_of(fmu_instance *i, int n, const unsigned *of, double *out) {
    for (int k = 0; k < n; k++) out[k] = fmu_get(i, of[k]);
}

static void derivatives_are_differences(void **state) {
    enum { MOST = 64 };
    (void)state;
    fmu_archive fmu;
    fmu_instance i;
    open_loaded(&fmu, &i, "four_bar");
    unsigned of[MOST];
    const int n = unknowns(&fmu, of);
    double x[MOST], y[MOST], plus[MOST], minus[MOST], exact[MOST];
    const unsigned inputs[2] = {ref(&fmu, "coupler_fx"), ref(&fmu, "B_torque")};
    fmu_set(&i, inputs[0], 3.7);
    fmu_set(&i, inputs[1], -1.9);
    fmu_get_states(&i, x);
    for (int k = 0; k < fmu.n_states - 1 + 2; k++) {
        const int u = k - (fmu.n_states - 1);
        const unsigned known = u < 0 ? fmu.states[k] : inputs[u];
        const double h = 1e-5, seed = 1, at = u < 0 ? x[k] : u ? -1.9 : 3.7;
        fmu_set_states(&i, x);
        fmu_forward(&i, (size_t)n, of, 1, &known, &seed, exact);
        for (int sign = -1; sign <= 1; sign += 2) {
            memcpy(y, x, sizeof x);
            if (u < 0)
                y[k] = at + sign * h;
            else
                fmu_set(&i, known, at + sign * h);
            fmu_set_states(&i, y);
            values_of(&i, n, of, sign > 0 ? plus : minus);
        }
        if (u >= 0) fmu_set(&i, known, at);
        for (int j = 0; j < n; j++) {
            const double difference = (plus[j] - minus[j]) / (2 * h);
            /* second order: h^2 f'''/6, with rates of some 10/s; rounding 1e-16 f/h */
            if (!(fabs(difference - exact[j]) <= 2e-6 * (1 + fabs(exact[j]))))
                fail_msg("d(%u)/d(%u) is %.12g, by differences %.12g", of[j], known, exact[j],
                         difference);
        }
    }
    fmu_free(&i);
    fmu_close(&fmu);
}

/* The adjoint product is the same sum. */
static void adjoint_is_the_transpose(void **state) {
    enum { MOST = 64 };
    (void)state;
    fmu_archive fmu;
    fmu_instance i;
    open_loaded(&fmu, &i, "four_bar");
    unsigned of[MOST], by[MOST];
    const int n = unknowns(&fmu, of), m = fmu.n_states;
    double left[MOST], right[MOST], forward[MOST], back[MOST], a = 0, b = 0;
    for (int j = 0; j < m; j++) by[j] = fmu.states[j], right[j] = 0.3 + 0.17 * j;
    for (int j = 0; j < n; j++) left[j] = 0.9 - 0.23 * j;
    fmu_forward(&i, (size_t)n, of, (size_t)m, by, right, forward);
    fmu_backward(&i, (size_t)n, of, (size_t)m, by, left, back);
    for (int j = 0; j < n; j++) a += left[j] * forward[j];
    for (int j = 0; j < m; j++) b += right[j] * back[j];
    /* measures are differences along each direction, to some 1e-12 of their values */
    assert_true(fabs(a - b) <= 1e-9 * (1 + fabs(a)));
    fmu_free(&i);
    fmu_close(&fmu);
}

/* ---- inputs and parameters ---- */

/* A force that changes between steps: x'' = f/m in pieces, exactly. */
static void inputs_hold_over_steps(void **state) {
    static const double f[4] = {3.7, -2.9, 0, 5.3};
    (void)state;
    fmu_archive fmu;
    fmu_instance i;
    make(&fmu, fmu_first, "pieces", 2, 0, NULL);
    fmu_start(&i, &fmu, 0, 0);
    fmu_begin(&i, 0, 2);
    fmu_ready(&i);
    double x = 0, v = 0.4;
    for (int k = 0; k < 4; k++) {
        fmu_set(&i, ref(&fmu, "f"), f[k]);
        fmu_do_step(&i, 0.3 * k, 0.3 * (k + 1) - 0.3 * k);
        const double a = f[k] / 1.35;
        x += 0.3 * v + 0.045 * a;
        v += 0.3 * a;
        assert_true(fabs(fmu_get(&i, ref(&fmu, "x1")) - x) < 1e-12);
        assert_true(fabs(fmu_get(&i, ref(&fmu, "v1")) - v) < 1e-12);
    }
    fmu_free(&i);
    fmu_close(&fmu);
}

/* A parameter that is set before the run: k of the second part. */
static void parameters_are_those_that_were_set(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        fmu_archive fmu;
        fmu_instance i;
        make(&fmu, fmu_second, "stiff", version, 0, NULL);
        fmu_start(&i, &fmu, 0, 0);
        fmu_set(&i, ref(&fmu, "k"), 51.25);
        fmu_begin(&i, 0, 2);
        fmu_ready(&i);
        /* f = k (x2 - x1 - gap) + c (v2 - v1) at the start */
        const double wanted = 51.25 * (0.9 - 0.7) + 1.3 * (-0.3 - 0.4);
        assert_true(fabs(fmu_get(&i, ref(&fmu, "f")) - wanted) < 1e-13 * 20);
        fmu_free(&i);
        fmu_close(&fmu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(coupled_exchange_is_the_whole),
                                       cmocka_unit_test(coupled_steps_converge),
                                       cmocka_unit_test(derivatives_are_differences),
                                       cmocka_unit_test(adjoint_is_the_transpose),
                                       cmocka_unit_test(inputs_hold_over_steps),
                                       cmocka_unit_test(parameters_are_those_that_were_set)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
