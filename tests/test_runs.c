/* test_runs.c: what a run promises, on the models of models/: constraints and energy kept, drift
 * where a method has it, orders of convergence, agreement of kernels, integrators and output modes,
 * the instant of a stop, and equal bits for equal steps.
 */
#include "model_fixture.h"

static const char *const models[] = {"pendulum",
                                     "four_bar",
                                     "slider_crank",
                                     "slider_crank_spatial",
                                     "a01_simple_pendulum",
                                     "a02_two_four_bar",
                                     "a02_forty_four_bar",
                                     "a03_andrews",
                                     "a04_bricard",
                                     "five_bar",
                                     "heavy_top"};
enum { N_MODELS = sizeof models / sizeof *models };

/* ---- energy and constraints ---- */

/* All models are conservative, or (the squeezer) balance the work of a motor. */
static void test_energy(void **state) {
    (void)state;
    for (int i = 0; i < N_MODELS; i++) {
        run r = run_open(models[i], "tolerance=1e-10 output=1e9");
        const hol_sim_info info = run_whole(&r);
        assert_int_equal(info.end, HOL_END_TIME);
        check_near(models[i], info.relative_energy_error, 0, 1e-8);
        check_near(models[i], info.max_position_violation, 0, 1e-12);
        check_near(models[i], info.max_velocity_violation, 0, 1e-12);
        run_close(&r);
    }
}

/* Near a position of rest energies are what rounding makes of them; they must neither hold up the
 * steps nor look like an error. */
static void test_rest_on_a_stiff_spring(void **state) {
    /* rest is at y = 1.4 - 12 g/k - 1; the second is 5e-9 off it and swings with an energy of 1e-12
     * J, the weight of 46 J */
    static const char *const stiffness[] = {"5e4", "5.00001e4"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  b: {mass: 12, inertia: "
            "0.4, position: [0, 0.3976456]}\nforces:\n  f: {type: spring, bodies: [ground, b], "
            "from: [0, -1], to: [0, 0.3976456], free_length: 1.4, stiffness: %s, damping: 500}\n"
            "simulation: {end: 3, tolerance: 1e-9, output: 1e9, max_steps: 2000}\n",
            stiffness[i]);
        run r = run_text(text, "");
        const hol_sim_info info = run_whole(&r);
        assert_int_equal(info.end, HOL_END_TIME);
        /* rounding of 46 J, 1e-14, over the least scale of energy, 6e-8 J */
        check_near("balance", info.relative_energy_error, 0, 2e-6);
        run_close(&r);
    }
}

static void test_four_bar_for_long(void **state) {
    (void)state;
    run r = run_open("four_bar", "tolerance=1e-9 end=1000 output=10");
    const hol_sim_info info = run_whole(&r);
    assert_string_equal(info.method, "direct-correction");
    assert_true(info.t == 1000 && info.choice[0]);
    check_near("positions", info.max_position_violation, 0, 1e-12);
    check_near("velocities", info.max_velocity_violation, 0, 1e-12);
    run_close(&r);
}

/* At every tenth of a second, against a run at 1e-12 that agrees with the references. */
static void test_four_bar_at_every_instant(void **state) {
    (void)state;
    run a = run_open("four_bar", "tolerance=1e-9"), b = run_open("four_bar", "tolerance=1e-12");
    for (int i = 1; i <= 100; i++) {
        run_to(&a, 0.1 * i);
        run_to(&b, 0.1 * i);
        check_near("crank angle", run_measure(&a, "crank_angle"), run_measure(&b, "crank_angle"),
                   1e-7);
    }
    run_close(&a);
    run_close(&b);
}

/* ---- drift ---- */

/* The violation of positions after each of three spans of 5 s. */
static void violations(const char *settings, double out[3]) {
    run r = run_open("four_bar", settings);
    for (int i = 0; i < 3; i++) {
        const double *Phi;
        double sum = 0;
        run_to(&r, 5 * (i + 1));
        Phi = hol_data_position_residual(hol_sim_data(r.sim));
        for (int k = 0; k < model_info(r.model).n_holonomic; k++) sum += Phi[k] * Phi[k];
        out[i] = sqrt(sum);
    }
    run_close(&r);
}

/* Phi'' = 0 holds only to the error of the formula, so Phi grows with t^2; Baumgarte's terms bound
 * it; the correction removes it. */
static void test_drift(void **state) {
    (void)state;
    double lagrange[3], baumgarte[3], direct[3], half[3];
    violations("method=lagrange step=1e-3 end=15", lagrange);
    violations("method=lagrange step=5e-4 end=15", half);
    violations("method=baumgarte step=1e-3 end=15", baumgarte);
    violations("method=direct-correction step=1e-3 end=15", direct);
    assert_true(lagrange[0] > 1e-9 && lagrange[0] < 1e-6);
    assert_true(lagrange[1] > 3 * lagrange[0] && lagrange[2] > 1.8 * lagrange[1]);
    /* of the order of the formula, whose local error in velocities is h^5: here between 2^4 and
     * 2^5 */
    assert_true(lagrange[2] > 12 * half[2]);
    for (int i = 0; i < 3; i++) {
        assert_true(baumgarte[i] < 1e-8 && baumgarte[i] > 1e-14);
        assert_true(baumgarte[i] < 0.1 * lagrange[i]);
        check_near("direct correction", direct[i], 0, 1e-14);
    }
}

static void test_limit_on_violation(void **state) {
    (void)state;
    run r = run_open("four_bar", "method=lagrange step=1e-3 max_violation=1e-7");
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_TOLERANCE);
    const hol_sim_info info = sim_info(r.sim);
    assert_int_equal(info.end, HOL_END_FAILED);
    assert_true(info.t > 1 && info.t < 10);
    const hol_message *last = run_last_error(r.ctx);
    assert_non_null(strstr(last->text, "max_violation"));
    assert_non_null(strstr(last->element, "joint"));
    run_close(&r);
}

/* ---- orders of convergence ---- */

/* Positions and velocities at t with the given settings and step; returns how many numbers. */
static int final_state(const char *model, const char *settings, double step, double t,
                       double *out) {
    char all[256];
    snprintf(all, sizeof all, "%s step=%.17g end=%.17g", settings, step, t);
    run r = run_open(model, all);
    run_to(&r, t);
    const hol_model_info info = model_info(r.model);
    memcpy(out, hol_data_q(hol_sim_data(r.sim)), sizeof(double) * (size_t)info.n_q);
    memcpy(out + info.n_q, hol_data_v(hol_sim_data(r.sim)), sizeof(double) * (size_t)info.n_v);
    run_close(&r);
    return info.n_q + info.n_v;
}

static double distance(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* log2 of how much the difference of successive halvings shrinks. */
static double observed_order(const char *model, const char *settings, double step, double t) {
    double y[3][512];
    int n = 0;
    for (int i = 0; i < 3; i++) n = final_state(model, settings, ldexp(step, -i), t, y[i]);
    return log2(distance(y[0], y[1], n) / distance(y[1], y[2], n));
}

static const struct order_case {
    const char *model, *settings;
    double step, t, order;
} order_cases[] = {
    {"pendulum", "method=lagrange integrator=rk4", 1.0 / 64, 1.5, 4},
    {"pendulum", "method=direct-correction integrator=rk4", 1.0 / 64, 1.5, 4},
    {"four_bar", "method=lagrange integrator=rk4", 1.0 / 256, 1.5, 4},
    {"four_bar", "method=direct-correction integrator=rk4", 1.0 / 256, 1.5, 4},
    {"four_bar", "method=baumgarte integrator=rk4", 1.0 / 256, 1.5, 4},
    {"four_bar", "method=baumgarte gains=optimal integrator=rk4", 1.0 / 256, 1.5, 4},
    {"four_bar", "method=direct-correction correction=direct-mass integrator=rk4", 1.0 / 256, 1.5,
     4},
    {"slider_crank_spatial", "method=lagrange integrator=rk4", 1.0 / 512, 0.5, 4},
    {"slider_crank_spatial", "method=direct-correction integrator=rk4", 1.0 / 512, 0.5, 4},
    {"heavy_top", "method=lagrange integrator=rk4", 1.0 / 2048, 0.25, 4},
    {"heavy_top", "method=direct-correction integrator=rk4", 1.0 / 2048, 0.25, 4},
    {"a03_andrews", "method=direct-correction integrator=rk4", 1.0 / 32768, 0.0078125, 4},
    {"four_bar", "method=direct-correction integrator=euler", 1.0 / 4096, 0.5, 1},
    {"four_bar", "method=direct-correction integrator=heun", 1.0 / 512, 0.5, 2},
    {"four_bar", "method=direct-correction integrator=bs32", 1.0 / 256, 0.5, 3},
    {"four_bar", "method=direct-correction integrator=dopri5", 1.0 / 128, 0.5, 5},
    {"four_bar", "method=direct-correction integrator=dop853", 1.0 / 32, 0.5, 8},
};

/* A correction may remove the leading term of the error at the steps that can be observed, so an
 * order may seem higher by one. */
static void test_orders(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof order_cases / sizeof *order_cases; i++) {
        const struct order_case *c = &order_cases[i];
        char what[256];
        snprintf(what, sizeof what, "order of %s, %s", c->model, c->settings);
        const double order = observed_order(c->model, c->settings, c->step, c->t);
        assert_true(isfinite(order));
        check_near(what, fmin(order, c->order), c->order, 0.04 * c->order);
        check_near(what, fmax(order, c->order), c->order, 1.1);
    }
}

/* ---- the same answer by every way ---- */

static const struct integrator_case {
    const char *settings;
    double tolerance; /* error of the formula at this step */
} integrator_cases[] = {
    {"integrator=euler step=2e-6", 2e-5},
    {"integrator=heun step=1e-4", 1e-7},
    {"integrator=rk4 step=1e-3", 1e-9},
    {"integrator=bs32 tolerance=1e-9", 1e-8},
    {"integrator=dopri5 tolerance=1e-11", 1e-9},
    {"integrator=dop853 tolerance=1e-11", 1e-9},
    {"step=1e-3", 1e-9},
    {"tolerance=1e-6", 1e-5},
};

static void test_integrators_agree(void **state) {
    (void)state;
    run best = run_open("four_bar", "integrator=dop853 tolerance=1e-13");
    run_to(&best, 0.5);
    for (size_t i = 0; i < sizeof integrator_cases / sizeof *integrator_cases; i++) {
        run r = run_open("four_bar", integrator_cases[i].settings);
        run_to(&r, 0.5);
        check_near(integrator_cases[i].settings, run_difference(&r, &best), 0,
                   integrator_cases[i].tolerance);
        run_close(&r);
    }
    run_close(&best);
}

static const char *const kernels[] = {"kernel=kkt storage=dense", "kernel=kkt storage=sparse",
                                      "kernel=schur storage=dense", "kernel=schur storage=sparse"};

/* A while, ending before the first singular position where the model has some: behind it rounding
 * is magnified. */
static double short_span(const char *model) {
    if (strcmp(model, "a03_andrews") == 0) return 0.02;
    return strstr(model, "four_bar") && model[0] == 'a' ? 0.4
           : strcmp(model, "slider_crank") == 0         ? 0.6
           : strcmp(model, "a04_bricard") == 0          ? 0.5
                                                        : 1.5;
}

static void test_kernels_agree(void **state) {
    (void)state;
    for (int i = 0; i < N_MODELS; i++) {
        /* the point mass has no inertia about its centre, which the Schur complement cannot take */
        const int n = strcmp(models[i], "a01_simple_pendulum") == 0 ? 2 : 4;
        run r[4];
        for (int k = 0; k < n; k++) {
            r[k] = run_open(models[i], kernels[k]);
            run_to(&r[k], short_span(models[i]));
            if (k == 0) continue;
            const hol_model_info info = model_info(r[0].model);
            double scale = 1;
            for (int j = 0; j < info.n_measures; j++)
                scale = fmax(scale, fabs(measure_of(hol_sim_data(r[0].sim), j)));
            check_near(models[i], run_difference(&r[0], &r[k]), 0, 1e-10 * scale);
            check_near(models[i],
                       distance(hol_data_q(hol_sim_data(r[0].sim)),
                                hol_data_q(hol_sim_data(r[k].sim)), info.n_q),
                       0, 1e-10);
        }
        for (int k = 0; k < n; k++) run_close(&r[k]);
    }
}

/* Through the singular position all of them stay on the branch, and lose no more than the position
 * costs. */
static void test_kernels_pass_singular_positions(void **state) {
    (void)state;
    static const char *const singular[] = {"slider_crank", "a02_two_four_bar"};
    for (int i = 0; i < 2; i++) {
        run best = run_open(singular[i], "tolerance=1e-13");
        run_to(&best, 2);
        for (int k = 0; k < 4; k++) {
            run r = run_open(singular[i], kernels[k]);
            run_to(&r, 2);
            check_near(singular[i], run_difference(&r, &best), 0, 1e-6);
            run_close(&r);
        }
        run_close(&best);
    }
}

static void test_schur_refuses_a_point_mass(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_file(spec, HOLONOM_TEST_MODELS "/a01_simple_pendulum.yaml"),
                     HOL_OK);
    assert_int_equal(hol_spec_set(spec, "kernel", "schur", "test"), HOL_OK);
    hol_options *options;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    assert_non_null(model);
    assert_null(hol_sim_new(ctx, model, options));
    hol_options_free(options);
    const hol_message *message = hol_message_get(ctx, hol_message_count(ctx) - 1);
    assert_string_equal(message->element, "body 'mass'");
    assert_non_null(strstr(message->text, "kkt"));
    assert_true(message->where.line > 0);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* ---- output ---- */

enum { RECORDS = 101, COLUMNS = 16 };

typedef struct recording {
    int n;
    double t[RECORDS + 8], values[RECORDS + 8][COLUMNS];
} recording;

static hol_status record(void *user, hol_sim *sim) {
    recording *rec = user;
    hol_data *data = hol_sim_data(sim);
    assert_true(rec->n < RECORDS + 8);
    rec->t[rec->n] = hol_data_time(data);
    for (int i = 0; i < COLUMNS; i++) rec->values[rec->n][i] = i < 8 ? measure_of(data, i) : 0;
    rec->n++;
    return HOL_OK;
}

static void record_run(const char *settings, recording *rec) {
    run r = run_open("pendulum", settings);
    const hol_observer observer = {record, NULL, rec};
    rec->n = 0;
    assert_int_equal(hol_sim_run(r.sim, &observer), HOL_OK);
    run_close(&r);
}

/* The pendulum has eight columns or more: angle, rate, reaction, energies. */
static void test_output_modes_agree(void **state) {
    (void)state;
    static recording land, dense;
    record_run("end=3.7 output=0.037 output_mode=land tolerance=1e-11", &land);
    record_run("end=3.7 output=0.037 output_mode=dense tolerance=1e-11", &dense);
    assert_int_equal(land.n, RECORDS);
    assert_int_equal(dense.n, RECORDS);
    for (int k = 0; k < RECORDS; k++) {
        assert_true(land.t[k] == dense.t[k]);
        assert_true(k == RECORDS - 1 ? land.t[k] == 3.7 : fabs(land.t[k] - 0.037 * k) < 1e-14);
        for (int i = 0; i < 8; i++)
            check_near("column", dense.values[k][i], land.values[k][i], 1e-8 * 120);
    }
}

/* ---- stop ---- */

/* From 45 degrees beside the vertical to the bottom: a quarter of the period, K(sin(A/2)) / omega0,
 * with K by the arithmetic–geometric mean. */
static double time_to_bottom(void) {
    const double omega0 = sqrt(10 * 9.8 * 0.5 / (0.1 + 10 * 0.25));
    double a = 1, b = cos(acos(-1.0) / 8);
    for (int i = 0; i < 8; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return acos(-1.0) / (2 * a * omega0);
}

static void test_stop(void **state) {
    (void)state;
    static const char *const lines[] = {"stop_when: theta < -pi/2\n", "stop_when: -pi/2 - theta\n"};
    static const char *const settings[] = {"tolerance=1e-12", "tolerance=1e-12 output_mode=dense",
                                           "integrator=rk4 step=1e-3",
                                           "tolerance=1e-12 integrator=dopri5"};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++) {
            run r = run_with("pendulum", lines[i], settings[k]);
            const hol_sim_info info = run_whole(&r);
            assert_int_equal(info.end, HOL_END_STOP);
            check_near("instant", info.t, time_to_bottom(), 1e-10);
            check_near("angle", run_measure(&r, "theta"), -acos(-1.0) / 2, 1e-10);
            /* stopped is stopped */
            assert_int_equal(hol_sim_step(r.sim), HOL_ERR_ARGUMENT);
            run_close(&r);
        }
    run r = run_with("pendulum", "stop_when: theta > 0.1\n", "end=1");
    assert_int_equal(run_whole(&r).end, HOL_END_TIME);
    run_close(&r);
}

/* ---- equal bits ----
 *
 * Dense output evaluates the equations at the end of a step before the base of its increments
 * moves, where rounding may differ; so a case with it is one whose angles do not wrap. */

/* Both simulations are at the same time, coordinates and velocities, to the bit. */
static void check_same_bits(run *a, run *b) {
    const hol_model_info info = model_info(a->model);
    hol_data *x = hol_sim_data(a->sim), *y = hol_sim_data(b->sim);
    assert_true(hol_data_time(x) == hol_data_time(y));
    assert_memory_equal(hol_data_q(x), hol_data_q(y), sizeof(double) * (size_t)info.n_q);
    assert_memory_equal(hol_data_v(x), hol_data_v(y), sizeof(double) * (size_t)info.n_v);
    assert_memory_equal(hol_data_acceleration(x), hol_data_acceleration(y),
                        sizeof(double) * (size_t)info.n_v);
}

static const struct bits_case {
    const char *model, *settings;
} bits_cases[] = {
    {"four_bar", "step=0.0078125 end=2 output=0.0078125"},
    {"four_bar", "method=lagrange step=0.0078125 end=2 output=0.25"},
    {"four_bar", "tolerance=1e-9 end=2 output_mode=dense"},
    {"four_bar", "integrator=dopri5 tolerance=1e-7 end=2 output_mode=dense"},
    {"slider_crank_spatial", "tolerance=1e-8 end=1 output=1"},
    {"a03_andrews", "tolerance=1e-8 output=0.05"},
    {"heavy_top", "step=0.0009765625 end=0.5 output=0.25"},
};

static void test_step_advance_and_run(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bits_cases / sizeof *bits_cases; i++) {
        const struct bits_case *c = &bits_cases[i];
        run whole = run_open(c->model, c->settings), steps = run_open(c->model, c->settings),
            leap = run_open(c->model, c->settings);
        const hol_sim_info info = run_whole(&whole);
        long n = 0;
        while (sim_info(steps.sim).end == HOL_END_RUNNING) {
            assert_int_equal(hol_sim_step(steps.sim), HOL_OK);
            n++;
        }
        assert_int_equal(sim_info(steps.sim).end, HOL_END_TIME);
        assert_int_equal(n, info.steps);
        run_to(&steps, info.t_end);
        run_to(&leap, info.t_end);
        check_same_bits(&whole, &steps);
        check_same_bits(&whole, &leap);
        run_close(&whole);
        run_close(&steps);
        run_close(&leap);
    }
}

/* A run that is taken up half-way from its state goes on as if nothing had happened: steps of
 * powers of two, no memory of the formula. */
static void test_restart(void **state) {
    (void)state;
    static const struct bits_case cases[] = {
        {"four_bar", "step=0.0078125 end=2"},
        {"slider_crank_spatial", "step=0.001953125 end=2"},
        {"heavy_top", "step=0.0009765625 end=2 method=lagrange"}};
    for (int i = 0; i < 3; i++) {
        run whole = run_open(cases[i].model, cases[i].settings),
            part = run_open(cases[i].model, cases[i].settings);
        run_to(&whole, 0.5);
        hol_data *data = hol_sim_data(whole.sim);
        run_to(&part, 0.125); /* somewhere else */
        assert_int_equal(
            hol_sim_restart(part.sim, hol_data_time(data), hol_data_q(data), hol_data_v(data)),
            HOL_OK);
        run_to(&whole, 1);
        run_to(&part, 1);
        check_same_bits(&whole, &part);
        run_close(&whole);
        run_close(&part);
    }
}

/* A state off the constraints is brought onto them first. */
static void test_restart_corrects(void **state) {
    (void)state;
    run r = run_open("four_bar", NULL);
    run_to(&r, 0.7);
    double q[9], v[9];
    memcpy(q, hol_data_q(hol_sim_data(r.sim)), sizeof q);
    memcpy(v, hol_data_v(hol_sim_data(r.sim)), sizeof v);
    for (int i = 0; i < 9; i++) q[i] += 1e-3 * sin(3.7 * i), v[i] += 1e-2 * cos(2.3 * i);
    assert_int_equal(hol_sim_restart(r.sim, 0.7, q, v), HOL_OK);
    const double *Phi = hol_data_position_residual(hol_sim_data(r.sim)),
                 *psi = hol_data_velocity_residual(hol_sim_data(r.sim));
    for (int i = 0; i < 8; i++) {
        check_near("Phi", Phi[i], 0, 1e-13);
        check_near("psi", psi[i], 0, 1e-13);
    }
    run_to(&r, 1);
    run_close(&r);
}

/* Times of outputs. */
typedef struct output_times {
    double t[8];
    int n;
} output_times;

static hol_status note_time(void *user, hol_sim *sim) {
    output_times *seen = user;
    if (seen->n < 8) seen->t[seen->n++] = hol_data_time(hol_sim_data(sim));
    return HOL_OK;
}

/* A run may follow steps of the caller: outputs are where it stands and at the times after it. */
static void test_run_after_advance(void **state) {
    (void)state;
    run r = run_open("four_bar", "end=1 output=0.25");
    output_times seen = {.n = 0};
    const hol_observer observer = {.on_output = note_time, .user = &seen};
    assert_int_equal(hol_sim_advance(r.sim, 0.5), HOL_OK);
    assert_int_equal(hol_sim_run(r.sim, &observer), HOL_OK);
    assert_int_equal(seen.n, 3);
    for (int i = 0; i < 3; i++) assert_true(seen.t[i] == 0.5 + 0.25 * i);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_after_advance),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_rest_on_a_stiff_spring),
        cmocka_unit_test(test_four_bar_for_long),
        cmocka_unit_test(test_four_bar_at_every_instant),
        cmocka_unit_test(test_drift),
        cmocka_unit_test(test_limit_on_violation),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_integrators_agree),
        cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_kernels_pass_singular_positions),
        cmocka_unit_test(test_schur_refuses_a_point_mass),
        cmocka_unit_test(test_output_modes_agree),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_step_advance_and_run),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_restart_corrects),
    };
    return run_tests_of_models("runs", tests);
}
