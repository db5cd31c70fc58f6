/* test_output_modes.c: how states at output times come about: by default they are interpolated and
 * change no step; they lie on the constraints, agree with those that steps end at, and where
 * something is looked for along the steps these end at them.
 */
#define _POSIX_C_SOURCE 200809L
#include "model_list.h"

/* ---- what a run writes ---- */

enum { ROWS = 210, WIDTH = 64 };

typedef struct rows {
    int n, width;
    double x[ROWS][WIDTH];
    double Phi, psi; /* the largest over all outputs */
} rows;

static hol_status take(void *user, hol_sim *sim) {
    rows *r = user;
    hol_data *data = hol_sim_data(sim);
    hol_model_info info = {.size = sizeof info};
    assert_int_equal(hol_model_describe(hol_data_model(data), &info), HOL_OK);
    r->Phi = fmax(r->Phi, largest(hol_data_position_residual(data), info.n_holonomic));
    r->psi = fmax(r->psi, largest(hol_data_velocity_residual(data), info.n_constraints));
    assert_non_null(hol_data_acceleration(data));
    assert_true(r->n < ROWS);
    r->width = info.n_measures < WIDTH ? info.n_measures : WIDTH;
    for (int i = 0; i < r->width; i++)
        assert_int_equal(hol_data_measure(data, i, &r->x[r->n][i]), HOL_OK);
    r->n++;
    return HOL_OK;
}

/* A whole run with its rows and what is left of it. */
static hol_sim_info write_rows(run *r, rows *out) {
    const hol_observer observer = {.on_output = take, .user = out};
    memset(out, 0, sizeof *out);
    if (hol_sim_run(r->sim, &observer)) run_print_messages(r->ctx);
    return sim_info(r->sim);
}

/* ---- steps ---- */

static const char *const models[] = {"four_bar", "a03_andrews", "slider_crank_spatial",
                                     "a04_bricard"};
static const char *const coordinates[] = {"reference", "natural", "relative"};

/* 200 outputs change no step, and are on the constraints as the ends of steps are: 1e-12 is a
 * thousand times rounding of lengths of some meters. */
static void test_outputs_change_no_step(void **unused) {
    (void)unused;
    static rows bare, often;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            char settings[2][128];
            for (int j = 0; j < 2; j++)
                snprintf(settings[j], sizeof settings[j],
                         "end=0.05 tolerance=1e-8 output=%s coordinates=%s", j ? "0.00025" : "0.05",
                         coordinates[k]);
            run a = run_open(models[i], settings[0]), b = run_open(models[i], settings[1]);
            const hol_sim_info x = write_rows(&a, &bare), y = write_rows(&b, &often);
            assert_int_equal(bare.n, 2);
            assert_int_equal(often.n, 201);
            assert_int_equal(x.steps, y.steps);
            assert_int_equal(x.rejected, y.rejected);
            /* pivots that a factorisation inside a step has moved round differently */
            for (int c = 0; c < often.width; c++)
                check_near(models[i], often.x[200][c], bare.x[1][c],
                           1e-11 * (1 + fabs(bare.x[1][c])));
            assert_true(often.Phi < 1e-12);
            assert_true(often.psi < 1e-12 * 100); /* m/s, of a mechanism that is fast */
            run_close(&a);
            run_close(&b);
        }
}

/* Nor do they where iterations for positions go on from the last ones and independent coordinates
 * are watched, over a singular position (at 0.714 s). */
static void test_outputs_change_no_crossing(void **unused) {
    static const char *const methods[] = {"partitioning", "independent", "canonical-independent",
                                          "direct-correction"};
    (void)unused;
    static rows bare, often;
    for (int i = 0; i < 4; i++) {
        char settings[2][128];
        for (int j = 0; j < 2; j++)
            snprintf(settings[j], sizeof settings[j], "end=1 tolerance=1e-10 output=%s method=%s",
                     j ? "0.005" : "1", methods[i]);
        run a = run_open("a02_two_four_bar", settings[0]),
            b = run_open("a02_two_four_bar", settings[1]);
        const hol_sim_info x = write_rows(&a, &bare), y = write_rows(&b, &often);
        assert_int_equal(x.end, HOL_END_TIME);
        assert_int_equal(y.end, HOL_END_TIME);
        assert_int_equal(x.crossings, 1);
        assert_int_equal(y.crossings, 1);
        assert_int_equal(x.steps, y.steps);
        run_close(&a);
        run_close(&b);
    }
}

/* The energies at outputs, which ask for no accelerations. */
typedef struct energies {
    int n;
    double first, off, kinetic;
} energies;

static hol_status take_energies(void *user, hol_sim *sim) {
    energies *e = user;
    hol_energy now = {.size = sizeof now};
    assert_int_equal(hol_data_energy(hol_sim_data(sim), &now), HOL_OK);
    if (e->n++ == 0) e->first = now.balance;
    e->off = fmax(e->off, fabs(now.balance - e->first));
    e->kinetic = fmax(e->kinetic, now.kinetic);
    return HOL_OK;
}

/* Nor under corrections, whatever they keep between two outputs in one step; the energy balance of
 * what is written is that of the steps. */
static void test_outputs_under_corrections(void **unused) {
    static const char *const corrections[] = {"direct",    "direct-mass",     "drift",
                                              "partition", "mass-orthogonal", "direct-energy"};
    static const char *const names[] = {"five_bar", "a04_bricard"};
    (void)unused;
    for (int i = 0; i < 2 * 6; i++) {
        const char *correction = corrections[i / 2];
        const int augmented = strcmp(correction, "mass-orthogonal") == 0;
        long steps[2];
        for (int j = 0; j < 2; j++) {
            char settings[192];
            energies e = {.n = 0};
            const hol_observer observer = {.on_output = take_energies, .user = &e};
            snprintf(settings, sizeof settings,
                     "method=%s correction=%s coordinates=reference tolerance=1e-8 end=0.1 "
                     "output=%s",
                     augmented ? "index1-projection" : "lagrange", correction,
                     j ? "0.0005" : "0.1");
            run r = run_open(names[i % 2], settings);
            assert_int_equal(hol_sim_run(r.sim, &observer), HOL_OK);
            assert_int_equal(e.n, j ? 201 : 2);
            assert_true(e.off < 1e-7 * e.kinetic);
            steps[j] = (long)sim_info(r.sim).steps;
            run_close(&r);
        }
        assert_int_equal(steps[0], steps[1]);
    }
}

/* Numbers below this are rounding: moments of hinges, say. */
static const double ROUNDING = 1e-9;

/* The sizes of columns: the largest number with their unit. */
static double size_of(const hol_model *model, const rows *r, int c) {
    const char *const unit = hol_model_measure(model, c)->unit;
    double size = 0;
    for (int k = 0; k < r->width; k++) {
        if (strcmp(unit, hol_model_measure(model, k)->unit) != 0) continue;
        for (int i = 0; i < r->n; i++) size = fmax(size, fabs(r->x[i][k]));
    }
    return size;
}

/* Rows of a default run and of one whose steps end at them, both at 1e-8: measures of positions and
 * velocities differ by what the steps leave, 1e-6 of their sizes in a hundred; forces and
 * accelerations follow with the rates of the mechanism. */
static void test_modes_agree(void **unused) {
    (void)unused;
    static rows dense, land;
    static char names[MOST_MODELS][NAME];
    int differ = 0;
    const int count = list_models("", names, 0);
    for (int i = 0; i < count; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "%.*s", NAME - 1, names[i]);
        run a = run_open(name, "end=0.2 tolerance=1e-8 output=0.001"),
            b = run_open(name, "end=0.2 tolerance=1e-8 output=0.001 output_mode=land");
        const hol_sim_info x = write_rows(&a, &dense), y = write_rows(&b, &land);
        double worst = 0;
        assert_int_equal(x.end, y.end);
        assert_int_equal(dense.n, land.n);
        for (int c = 0; c < dense.width; c++) {
            const double size = size_of(b.model, &land, c);
            for (int k = 0; k < dense.n && size > ROUNDING; k++)
                worst = fmax(worst, fabs(dense.x[k][c] - land.x[k][c]) / size);
        }
        print_message("%-26s %5ld steps, %5ld that end at outputs: %.1e\n", name, x.steps, y.steps,
                      worst);
        assert_true(worst < 1e-6 * fmax(1, (double)x.steps / 100));
        differ += x.steps < y.steps;
        run_close(&a);
        run_close(&b);
    }
    assert_true(differ >= 15);
}

/* Stiff mechanisms under radau9: 150 outputs change no step, and agree with those that steps end
 * at: positions and velocities to the tolerance of 1e-6 of their sizes, stiff forces to a hundred
 * of it, since they are what positions are off by times their stiffness. */
static void test_stiff_outputs(void **unused) {
    static const char *const cases[][2] = {
        {"a05_flyball_governor", "coordinates=relative end=0.15"},
        {"a05_flyball_governor", "coordinates=reference end=0.15"},
        {"stiff_suspension", "end=0.15"}};
    (void)unused;
    static rows bare, dense, land;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char *const outputs[] = {"output=0.15", "output=0.001",
                                              "output=0.001 output_mode=land"};
        rows *const out[] = {&bare, &dense, &land};
        hol_sim_info info[3];
        for (int k = 0; k < 3; k++) {
            char settings[192];
            snprintf(settings, sizeof settings, "integrator=radau9 tolerance=1e-6 %s %s",
                     cases[i][1], outputs[k]);
            run r = run_open(cases[i][0], settings);
            info[k] = write_rows(&r, out[k]);
            for (int c = 0; k == 2 && c < land.width; c++) {
                const double size = size_of(r.model, &land, c);
                const int is_load = strncmp(hol_model_measure(r.model, c)->name, "load", 4) == 0;
                for (int t = 0; t < land.n && size > ROUNDING; t++)
                    assert_true(fabs(dense.x[t][c] - land.x[t][c]) <
                                size * (is_load ? 1e-4 : 1e-6));
            }
            run_close(&r);
        }
        assert_int_equal(info[0].steps, info[1].steps);
        print_message("%-26s %5ld steps, %5ld that end at outputs\n", cases[i][0], info[1].steps,
                      info[2].steps);
        assert_true(info[2].steps > info[1].steps);
        assert_int_equal(dense.n, land.n);
        assert_true(dense.Phi < 1e-12);
    }
}

/* Steps end at outputs by themselves where they are fixed, under implicit integrators whose
 * interpolant nothing holds, and where conditions, contacts or corners are looked for. */
static void test_where_steps_end_at_outputs(void **unused) {
    static const char *const cases[][2] = {{"four_bar", "integrator=esdirk4 end=0.1 output=0.003"},
                                           {"four_bar", "step=2e-3 end=0.1 output=0.003"},
                                           {"catch", "end=0.1 output=0.003"},
                                           {"rebounding_ball", "end=0.1 output=0.003"},
                                           {"bouncing_ball", "end=0.1 output=0.003"},
                                           {"stick_slip", "end=0.1 output=0.003"}};
    (void)unused;
    static rows own, land;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char settings[128];
        snprintf(settings, sizeof settings, "%s output_mode=land", cases[i][1]);
        run a = run_open(cases[i][0], cases[i][1]), b = run_open(cases[i][0], settings);
        assert_int_equal(write_rows(&a, &own).steps, write_rows(&b, &land).steps);
        assert_memory_equal(&own, &land, sizeof own);
        run_close(&a);
        run_close(&b);
    }
}

/* ---- what is worked out at an output ---- */

/* What an observer sees who looks at the solution, in the data or in a copy, or not at all. */
typedef struct looker {
    enum { LOOKS_AT_NOTHING, LOOKS_AT_DATA, LOOKS_AT_COPY } at;
    hol_data *copy;
    int n, n_v, n_rows;
    double psi; /* the largest residual that velocities leave */
    double v[ROWS][WIDTH], a[ROWS][WIDTH], lambda[ROWS][WIDTH];
} looker;

static hol_status look(void *user, hol_sim *sim) {
    looker *l = user;
    const hol_data *data = hol_sim_data(sim);
    if (l->at == LOOKS_AT_NOTHING) return HOL_OK;
    if (l->at == LOOKS_AT_COPY) {
        assert_int_equal(hol_data_copy(l->copy, data), HOL_OK);
        data = l->copy;
    }
    memcpy(l->v[l->n], hol_data_v(data), sizeof(double) * (size_t)l->n_v);
    memcpy(l->a[l->n], hol_data_acceleration(data), sizeof(double) * (size_t)l->n_v);
    memcpy(l->lambda[l->n], hol_data_multipliers(data), sizeof(double) * (size_t)l->n_rows);
    if (l->at == LOOKS_AT_COPY)
        l->psi = fmax(l->psi, largest(hol_data_velocity_residual(l->copy), l->n_rows));
    l->n++;
    return HOL_OK;
}

/* A run with what its observer saw. */
static hol_sim_info watch(const char *model, const char *settings, looker *l) {
    run r = run_open(model, settings);
    const hol_observer observer = {.on_output = look, .user = l};
    hol_model_info info = {.size = sizeof info};
    assert_int_equal(hol_model_describe(r.model, &info), HOL_OK);
    l->n_v = info.n_v, l->n_rows = info.n_constraints;
    assert_true(l->n_v <= WIDTH && l->n_rows <= WIDTH);
    l->copy = hol_data_new(r.ctx, r.model);
    assert_int_equal(hol_sim_run(r.sim, &observer), HOL_OK);
    hol_data_free(l->copy);
    const hol_sim_info end = sim_info(r.sim);
    run_close(&r);
    return end;
}

/* The equations are solved at an output inside a step only where somebody wants what follows from
 * them: otherwise 200 outputs take the evaluations of the interpolant alone, at most four a step.
 * Who looks sees the same velocities and solution in the data and in a copy, to the last bit;
 * velocities that nobody had asked for before are on the constraints then, where the method brings
 * them there. */
static void test_outputs_solve_what_is_asked(void **unused) {
    static const char *const methods[] = {"direct-correction", "baumgarte"};
    static looker bare, none, data, copy;
    (void)unused;
    for (int i = 0; i < 2; i++) {
        char often[128], once[128];
        snprintf(often, sizeof often, "end=1 tolerance=1e-8 output=0.005 method=%s", methods[i]);
        snprintf(once, sizeof once, "end=1 tolerance=1e-8 output=1 method=%s", methods[i]);
        bare.at = none.at = LOOKS_AT_NOTHING, data.at = LOOKS_AT_DATA, copy.at = LOOKS_AT_COPY;
        data.n = copy.n = 0, copy.psi = 0;
        const hol_sim_info x = watch("four_bar", once, &bare), y = watch("four_bar", often, &none),
                           z = watch("four_bar", often, &data);
        watch("four_bar", often, &copy);
        assert_int_equal(x.steps, y.steps);
        assert_true(y.evaluations - x.evaluations <= 4 * x.steps);
        assert_true(4 * x.steps < 190 && z.evaluations - y.evaluations > 190);
        assert_int_equal(data.n, 201);
        assert_memory_equal(data.v, copy.v, sizeof data.v);
        assert_true(i == 1 || copy.psi < 1e-12);
        assert_memory_equal(data.a, copy.a, sizeof data.a);
        assert_memory_equal(data.lambda, copy.lambda, sizeof data.lambda);
    }
}

/* ---- a state that cannot be interpolated ---- */

/* A force that does nothing and fails once: at a second call in a row for one time, which is f at
 * the end of a step as the interpolant needs it. */
typedef struct hiccup {
    double last;
    int calls, failures;
} hiccup;

static hol_status stumble(void *user, hol_data *data) {
    hiccup *h = user;
    const double t = hol_data_time(data);
    const int again = t == h->last && t > 0.3;
    h->last = t;
    h->calls++;
    if (!again || h->failures) return HOL_OK;
    h->failures++;
    return HOL_RETRY;
}

/* The step ends at the output instead, and the run goes on. */
static void test_step_ends_at_what_cannot_be_interpolated(void **unused) {
    (void)unused;
    static rows plain, other;
    hiccup h = {.last = -1};
    run a = run_open("four_bar", "end=1 output=0.01"),
        b = run_open("four_bar", "end=1 output=0.01");
    hol_sim_on_force(b.sim, stumble, &h);
    const hol_sim_info x = write_rows(&a, &plain), y = write_rows(&b, &other);
    assert_int_equal(h.failures, 1);
    assert_int_equal(y.end, HOL_END_TIME);
    assert_int_equal(other.n, 101);
    assert_true(y.steps > x.steps);
    for (int k = 0; k < 101; k++) check_near("angle", other.x[k][0], plain.x[k][0], 1e-7);
    run_close(&a);
    run_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs_change_no_step),
        cmocka_unit_test(test_outputs_change_no_crossing),
        cmocka_unit_test(test_outputs_under_corrections),
        cmocka_unit_test(test_modes_agree),
        cmocka_unit_test(test_stiff_outputs),
        cmocka_unit_test(test_where_steps_end_at_outputs),
        cmocka_unit_test(test_outputs_solve_what_is_asked),
        cmocka_unit_test(test_step_ends_at_what_cannot_be_interpolated),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests_name("output_modes", tests, NULL, NULL);
}
