/* test_questions_models.c: what is asked of one state is asked of every model in every set of
 * coordinates: the equations hold with the numbers that `equations` tells, `inverse` finds no load
 * beside those that the model has, and `gears` reduces the same matrices to its shafts; or an error
 * says why not. (Other questions have tests of their own over all models: test_assemblies,
 * test_kinematics, test_rest_models, test_linearize_models, test_sensitivity_models,
 * test_search_models_with_cminpack.) */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include <math.h>

static int shown, solved, refused, reduced, refused_shafts, failures;

static run open_model(const char *file, const char *set) {
    char settings[64];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(settings, sizeof settings, "coordinates=%s", set);
    return run_try(ctx, spec, run_read(spec, file), settings);
}

static int find(const hol_answer *answer, const char *name, hol_table *table) {
    *table = answer_table(answer, name);
    return table->name != NULL;
}

static void complain(const char *what, int i, double off, double size) {
    if (failures++ < 20)
        print_error("%s: equation %d is off by %.3g of %.3g\n", what, i, off, size);
}

/* M v' + A^T lambda = Q and A v' = c, as printed; within 1e-9 of the terms, which is what a run
 * solves them to at worst. With a stabiliser, and under penalties, A v' is another number. */
static void check_equations(const hol_answer *answer, const char *what) {
    hol_table M, A, Q, c, a, lambda;
    if (!find(answer, "M", &M)) return; /* nothing moves */
    find(answer, "Q", &Q);
    find(answer, "accelerations", &a);
    const int rows = find(answer, "A", &A) ? A.rows : 0;
    find(answer, "c", &c);
    find(answer, "lambda", &lambda);
    for (int i = 0; i < M.rows; i++) {
        double sum = -Q.values[i], size = fabs(Q.values[i]);
        for (int j = 0; j < M.rows; j++) {
            sum += M.values[i * M.rows + j] * a.values[j];
            size += fabs(M.values[i * M.rows + j] * a.values[j]);
        }
        for (int j = 0; j < rows; j++) {
            sum += A.values[j * M.rows + i] * lambda.values[j];
            size += fabs(A.values[j * M.rows + i] * lambda.values[j]);
        }
        if (!(fabs(sum) <= 1e-9 * (1 + size))) complain(what, i, sum, size);
    }
    for (int j = 0; j < rows; j++) {
        double sum = -c.values[j], size = fabs(c.values[j]);
        for (int i = 0; i < M.rows; i++) {
            sum += A.values[j * M.rows + i] * a.values[i];
            size += fabs(A.values[j * M.rows + i] * a.values[i]);
        }
        if (!(fabs(sum) <= 1e-9 * (1 + size))) complain(what, M.rows + j, sum, size);
    }
}

/* Whether something in the model drives the motion, so that loads are to be found. */
static int is_driven(const hol_model *m) {
    for (int i = 0; i < m->n_joints; i++)
        if (strcmp(m->joints[i].type->name, "driver") == 0 ||
            strcmp(m->joints[i].type->name, "motor") == 0)
            return 1;
    return 0;
}

/* A load at the first body is not needed: the model moves by itself. */
static void check_inverse(run *r, const char *what) {
    const hol_model *m = hol_data_model(hol_sim_data(r->sim));
    char name[300];
    const hol_actuator body = {.name = name};
    const hol_inverse_options how = {.size = sizeof how, .n_actuators = 1, .actuators = &body};
    hol_inverse *inverse = NULL;
    hol_answer *answer = NULL;
    if (!m->nb || is_driven(m)) return;
    snprintf(name, sizeof name, "%s.x", m->bodies[0].name);
    hol_status status = hol_inverse_new(r->ctx, r->model, &how, &inverse);
    if (!status) status = hol_inverse_take(inverse, hol_sim_data(r->sim));
    if (status) {
        if (!run_last_error(r->ctx) && failures++ < 20) print_error("%s: nothing said\n", what);
        hol_inverse_free(inverse);
        refused++;
        return;
    }
    assert_int_equal(hol_inverse_finish(inverse, &answer), HOL_OK);
    hol_table loads;
    find(answer, "loads", &loads);
    hol_table Q = {0};
    hol_answer *equations = NULL;
    assert_int_equal(hol_equations(r->ctx, r->sim, &equations), HOL_OK);
    find(equations, "Q", &Q);
    double size = 1;
    for (int i = 0; i < Q.rows; i++) size = fmax(size, fabs(Q.values[i]));
    if (!(fabs(loads.values[1]) <= 1e-7 * size)) complain(what, -1, loads.values[1], size);
    hol_answer_free(equations);
    hol_answer_free(answer);
    solved++;
}

/* A V = 0 and V^T M V as told, with A and M of `equations`, which have the same coordinates. */
static void check_reduced(const hol_answer *gears, const hol_answer *equations, const char *what) {
    hol_table V, R, M, A;
    if (!find(gears, "V", &V) || !find(gears, "M", &R) || !find(equations, "M", &M)) {
        complain(what, -2, 0, 0);
        return;
    }
    const int n = M.rows, k = V.columns, rows = find(equations, "A", &A) ? A.rows : 0;
    assert_int_equal(V.rows, n);
    for (int j = 0; j < k; j++)
        for (int i = 0; i < rows; i++) {
            double sum = 0, size = 0;
            for (int l = 0; l < n; l++) {
                const double term = A.values[i * n + l] * V.values[l * k + j];
                sum += term, size += fabs(term);
            }
            if (!(fabs(sum) <= 1e-9 * (1 + size))) complain(what, i, sum, size);
        }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            double sum = -R.values[i * k + j], size = fabs(sum);
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++) {
                    const double term =
                        V.values[a * k + i] * M.values[a * n + b] * V.values[b * k + j];
                    sum += term, size += fabs(term);
                }
            if (!(fabs(sum) <= 1e-10 * (1 + size))) complain(what, -3, sum, size);
        }
}

/* Seen from its first hinges and slides, as many as it has freedoms. */
static void check_gears(run *r, const char *what) {
    enum { MOST = 64 };
    const hol_model *m = r->model;
    const char *names[MOST];
    int n = 0, freedoms = sim_info(r->sim).dof;
    for (int i = 0; i < m->n_joints && n < freedoms && n < MOST; i++)
        if (strcmp(m->joints[i].type->name, "revolute") == 0 ||
            strcmp(m->joints[i].type->name, "prismatic") == 0)
            names[n++] = m->joints[i].name;
    if (!n) return;
    const hol_gears_options how = {.size = sizeof how, .n_shafts = n, .shafts = names};
    hol_answer *answer = NULL, *equations = NULL;
    hol_message_clear(r->ctx);
    const hol_status status = hol_gears(r->ctx, r->sim, &how, &answer);
    const hol_message *last = run_last_error(r->ctx);
    if (status && (!last || strlen(last->text) < 30) && failures++ < 20)
        print_error("%s: no word why there are no shafts\n", what);
    refused_shafts += status != HOL_OK;
    if (!status && !hol_equations(r->ctx, r->sim, &equations)) {
        check_reduced(answer, equations, what);
        reduced++;
    }
    hol_answer_free(equations);
    hol_answer_free(answer);
}

static void check_model(const char *file, const char *set, uint64_t *seed) {
    char what[300];
    run r = open_model(file, set);
    (void)seed;
    snprintf(what, sizeof what, "%s, %s", file, set);
    if (r.sim && hol_sim_advance(r.sim, sim_info(r.sim).t) == HOL_OK) {
        hol_answer *answer = NULL;
        const hol_status status = hol_equations(r.ctx, r.sim, &answer);
        if (status && failures++ < 20) print_error("%s: %s\n", what, hol_status_name(status));
        const hol_sim_info info = sim_info(r.sim);
        if (answer && strcmp(info.stabilizer, "none") == 0 && !strstr(info.method, "augmented"))
            check_equations(answer, what);
        shown += answer != NULL;
        hol_answer_free(answer);
        check_inverse(&r, what);
        if (strcmp(set, "reference") == 0) check_gears(&r, what);
    }
    run_close(&r);
}

static void test_models(void **unused) {
    (void)unused;
    if (each_model(check_model, 7)) assert_true(shown > 250 && solved > 100 && reduced > 30);
    print_message("%d shown, %d inverse, %d refused; %d seen from shafts, %d refused\n", shown,
                  solved, refused, reduced, refused_shafts);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
