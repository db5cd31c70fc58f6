/* test_constrained_orders.c: the orders of all formulas on constrained equations: positions,
 * velocities and multipliers by halving the step, on mechanisms in the plane and in space, in all
 * coordinates, with a driver, redundant and velocity constraints and a mass matrix that changes.
 *
 * Positions and velocities are compared with a run by dop853 near rounding. Multipliers are those
 * that the formula has found, against the equations of motion solved at its own state; of formulas
 * that have none those of the equations of motion, against the reference.
 */
#include "model_fixture.h"

#include "dyn/data.h"
#include "integ/integ.h"
#include "sim/sim.h"

static const struct {
    const char *file, *coordinates;
    double end;
    int steps;
} rows[] = {
    {"four_bar", "reference", 0.4, 20},
    {"four_bar", "natural", 0.4, 20},
    {"four_bar", "relative", 0.4, 20},
    {"heavy_top", "reference", 0.06, 40},
    {"slider_crank_spatial", "natural", 0.2, 20},
    {"elements/driver", "reference", 0.5, 10},
    {"a04_bricard", "reference", 0.4, 20},
    {"elements/rolling_disk", "reference", 0.1, 20},
};

enum { N_ROWS = sizeof rows / sizeof *rows };

/* The i-th formula that makes steps of a given length: on the constrained equations (slots), or on
 * the accelerations that follow from them, with a correction behind each step. */
static const hol__stepper_type *formula(int i) {
    const hol__stepper_type *type;
    for (int k = 0; (type = hol__stepper_get(k)); k++)
        if (!type->paces && !type->missing && i-- == 0) return type;
    return NULL;
}

/* What a run with fixed steps is off: in q, v and lambda. */
typedef struct errors {
    double q, v, lambda;
} errors;

static double largest(const double *x, const double *y, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]) / (1 + fabs(y[i])));
    return most;
}

/* The multipliers of the formula at the end of the run against those of the equations of motion. */
static double lambda_error(hol_sim *sim) {
    const hol__stepper *stepper = &sim->integ->stepper;
    const hol__dae *dae = sim->system.dae;
    double *f = calloc((size_t)dae->n, sizeof *f);
    double *x = calloc((size_t)hol__dae_size(dae) + 1, sizeof *x), *F = calloc(9999, sizeof *F);
    const double *found = stepper->type->ops->multipliers(stepper);
    hol__form_pack(&sim->form, sim->y);
    assert_int_equal(hol__form_rhs(&sim->form, sim->data->t, sim->y, f), HOL_OK);
    assert_int_equal(hol__dae_multipliers(dae, sim->data->t, sim->y, f, 1e-3, x, F), HOL_OK);
    const double error = largest(found, x, dae->m);
    free(f), free(x), free(F);
    return error;
}

/* The multipliers of the equations of motion at the end of a run against those of the reference:
 * what formulas that have none of their own tell. */
static double lambda_off(const run *r, const run *reference) {
    hol_data *a = hol_sim_data(r->sim), *b = hol_sim_data(reference->sim);
    assert_int_equal(hol_data_update(a, HOL_STAGE_ACC), HOL_OK);
    assert_int_equal(hol_data_update(b, HOL_STAGE_ACC), HOL_OK);
    return largest(a->lambda, b->lambda, a->model->m);
}

/* form: NULL, the one that goes with the method. */
static errors run_fixed(int i, const hol__stepper_type *type, const char *form, int steps,
                        const run *reference) {
    char settings[256];
    const hol_model_info info = model_info(reference->model);
    snprintf(settings, sizeof settings,
             "simulation.coordinates=%s simulation.integrator=%s simulation.step=%.17g "
             "simulation.tolerance=1e-12 "
             "simulation.end=%.17g%s%s",
             rows[i].coordinates, type->name, rows[i].end / steps, rows[i].end,
             form ? " simulation.method=dae simulation.dae_form=" : "", form ? form : "");
    run r = run_open(rows[i].file, settings);
    run_to(&r, rows[i].end);
    const hol_data *a = hol_sim_data(r.sim), *b = hol_sim_data(reference->sim);
    errors e = {.q = largest(hol_data_q(a), hol_data_q(b), info.n_q),
                .v = largest(hol_data_v(a), hol_data_v(b), info.n_v)};
    e.lambda = type->slots ? lambda_error(r.sim) : lambda_off(&r, reference);
    run_close(&r);
    return e;
}

/* 2^p in each halving until it has settled within 0.4, for the next term, of the order that is
 * claimed or above it, or rounding is near: some eps times the condition of the equations of
 * motion, more for multipliers, which are divided by the step. */
static int has_order(const char *what, int order, double coarse, double fine, double rounding) {
    const double p = log2(coarse / fine);
    print_message("    %-10s %.1e %.1e: order %.2f of %d\n", what, coarse, fine, p, order);
    return p > order - 0.4 || fine < rounding;
}

/* Of index 1 the multipliers have the order of the rest: they are solved for at each stage. */
static int order_of_lambda(const hol__stepper_type *type, const char *form) {
    const int solved = !type->slots || (form && strcmp(form, "index-1") == 0);
    return solved ? type->order : type->lambda_order;
}

static void check_orders(int i, const hol__stepper_type *type, const char *form,
                         const run *reference) {
    int steps = rows[i].steps, good = 0;
    errors coarse = run_fixed(i, type, form, steps, reference);
    for (int tries = 0; tries < 4 && !good; tries++) {
        const errors fine = run_fixed(i, type, form, steps *= 2, reference);
        print_message("%s in %s, %s %s, %d steps:\n", rows[i].file, rows[i].coordinates, type->name,
                      form ? form : "", steps);
        good = has_order("positions", type->order, coarse.q, fine.q, 2e-12);
        good &= has_order("velocities", type->order, coarse.v, fine.v, 2e-11);
        good &= has_order("lambda", order_of_lambda(type, form), coarse.lambda, fine.lambda, 1e-9);
        coarse = fine;
    }
    assert_true(good);
}

/* The row by dop853 near rounding. */
static run open_reference(int i) {
    char settings[256];
    snprintf(settings, sizeof settings,
             "simulation.coordinates=%s simulation.integrator=dop853 simulation.step=0 "
             "simulation.tolerance=1e-13 simulation.end=%.17g",
             rows[i].coordinates, rows[i].end);
    run r = run_open(rows[i].file, settings);
    run_to(&r, rows[i].end);
    return r;
}

static void test_orders(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int i = 0; i < N_ROWS; i++) {
        run reference = open_reference(i);
        for (int k = 0; formula(k); k++)
            if (!formula(k)->holonomic || reference.model->m == reference.model->mh)
                check_orders(i, formula(k), NULL, &reference);
        run_close(&reference);
    }
}

/* All forms of the constrained equations, for the formulas that take them: in the plane and in
 * space, with quaternions, a driver, redundant and velocity constraints. */
static void test_forms(void **state) {
    static const char *const forms[] = {"ggl", "index-1", "index-2", "index-2-canonical"};
    (void)state;
    if (!run_reads_files()) skip();
    for (int i = 0; i < N_ROWS; i++) {
        run reference = open_reference(i);
        for (int k = 0; formula(k); k++)
            for (int f = 0; f < 4 && formula(k)->forms; f++)
                check_orders(i, formula(k), forms[f], &reference);
        run_close(&reference);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders), cmocka_unit_test(test_forms)};
    return cmocka_run_group_tests_name("constrained_orders", tests, NULL, NULL);
}
