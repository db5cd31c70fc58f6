/* test_problems_methods.c: every problem of models/gjb under several methods and coordinates: the
 * same motion, and the energy balance closes. */
#include "model_fixture.h"

static const struct variant {
    const char *file, *settings;
    double tolerance,
        energy; /* against the method auto in reference coordinates; of the energy balance */
} variants[] = {
    /* with local errors of 1e-11 and motions that grow errors some tenfold over 5 s exact methods
     * agree to 1e-8. The error of penalty forms is some hundred times the inverse of their factor
     * (see above; less where only the closure is penalised), and the energy's is in proportion to
     * it. */
    {"problem_5_1", "", 1e-8, 1e-9},
    {"problem_5_1", "method=penalty tolerance=1e-9", 1e-4, 1e-5},
    {"problem_5_1", "method=augmented-lagrangian", 1e-8, 1e-9},
    {"problem_5_1", "coordinates=relative", 1e-8, 1e-9},
    {"problem_5_2", "", 1e-8, 1e-9},
    {"problem_5_2", "method=partitioning", 1e-8, 1e-9},
    {"problem_5_2", "method=nullspace", 1e-8, 1e-9},
    {"problem_5_3", "", 1e-8, 1e-9},
    {"problem_5_3", "method=canonical", 1e-8, 1e-9},
    {"problem_5_4", "", 1e-8, 1e-9},
    {"problem_5_4", "method=partitioning", 1e-8, 1e-9},
    {"problem_5_4", "method=auto coordinates=relative", 1e-8, 1e-9},
    {"problem_5_5", "tolerance=1e-9", 1e-3, 1e-4},
    {"problem_5_5", "tolerance=1e-9 penalty=1e7", 1e-4, 1e-5},
    {"problem_5_6", "", 1e-8, 1e-9},
    {"problem_5_6", "coordinates=reference", 1e-8, 1e-9},
    {"problem_5_6", "method=velocity-transformation", 1e-8, 1e-9},
    {"problem_5_7", "tolerance=1e-9", 1e-4, 1e-5},
    {"problem_5_7", "coordinates=reference tolerance=1e-9 penalty=1e7", 1e-4, 1e-5},
    {"problem_5_7", "method=velocity-transformation", 1e-8, 1e-9},
    {"problem_5_8", "", 1e-8, 1e-9},
    {"problem_5_8", "method=udwadia-kalaba", 1e-8, 1e-9},
    {"problem_5_8", "method=auto coordinates=relative", 1e-8, 1e-9},
    {"problem_5_9", "", 1e-8, 1e-9},
    {"problem_5_9", "method=canonical", 1e-8, 1e-9},
    {"problem_5_9", "method=nullspace", 1e-8, 1e-9},
    {"problem_5_10", "", 1e-8, 1e-9},
    {"problem_5_10", "coordinates=natural", 1e-8, 1e-9},
    {"problem_5_10", "method=partitioning coordinates=reference", 1e-8, 1e-9},
};

/* Positions and angles of two runs, where a measure is not a force or an energy. */
static void check_motion(run *r, run *s, const char *what, double tolerance) {
    for (int i = 0; i < model_info(r->model).n_measures; i++) {
        const hol_column column = *hol_model_measure(r->model, i);
        char text[512];
        if (strcmp(column.unit, "m") != 0 && strcmp(column.unit, "rad") != 0) continue;
        snprintf(text, sizeof text, "%s of %s", column.name, what);
        check_near(text, run_measure(r, column.name), run_measure(s, column.name), tolerance);
    }
}

static void test_variants(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        const struct variant *v = &variants[k];
        char file[64], settings[256], what[400];
        snprintf(file, sizeof file, "gjb/%s", v->file);
        snprintf(settings, sizeof settings, "tolerance=1e-11 output=0.5 %s", v->settings);
        snprintf(what, sizeof what, "%s with '%s'", v->file, v->settings);
        run r = run_open(file, settings),
            s = run_open(file, "tolerance=1e-11 output=0.5 method=auto basis=auto iterations=-1 "
                               "coordinates=reference");
        for (int i = 1; i <= 10; i++) {
            run_to(&r, 0.5 * i);
            run_to(&s, 0.5 * i);
            check_motion(&r, &s, what, v->tolerance);
        }
        check_near(what, sim_info(r.sim).relative_energy_error, 0, v->energy);
        run_close(&r);
        run_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_variants)};
    return run_tests_of_models("tests", tests);
}
