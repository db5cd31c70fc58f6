/* test_aside.c: redundant constraints that are set aside (src/sim/aside.c): what a run costs with
 * them, its motion, the smallest reactions, rows that come back, and the exact state.
 *
 * The mechanisms: a body on n equal hinges, in the plane at one point and in space along one axis;
 * and an arm on two balls, whose axis turns with its base, so that no choice of rows lasts: of the
 * six rows along x, y and z one depends on the others, the one along the axis.
 */
#include "model_fixture.h"

#include "sim/sim.h"

#include <math.h>

static const char *const methods[] = {"auto",
                                      "lagrange",
                                      "baumgarte",
                                      "projection",
                                      "augmented-lagrangian",
                                      "index1-projection",
                                      "nullspace",
                                      "udwadia-kalaba",
                                      "braun-goldfarb",
                                      "partitioning",
                                      "partitioning-extended",
                                      "partitioning-hybrid",
                                      "independent",
                                      "independent-extended",
                                      "canonical",
                                      "canonical-independent",
                                      "canonical-augmented"};
enum { METHODS = sizeof methods / sizeof *methods };

/* A body on n hinges. */
static const char *hinges(int dim, int n) {
    static char text[4096];
    int used = snprintf(
        text, sizeof text, "%s",
        dim == 2 ? "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                   "  door: {mass: 2.385, inertia: 0.217, position: [0.43, 0]}\n"
                   "measures:\n  at: {type: position, body: door}\njoints:\n"
                 : "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                   "  door: {mass: 2.385, inertia: [0.117, 0.217, 0.3], position: [0.43, 0.2, 0]}\n"
                   "measures:\n  at: {type: position, body: door}\njoints:\n");
    for (int i = 0; i < n; i++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     dim == 2 ? "  h%d: {type: revolute, bodies: [ground, door], at: [0, 0]}\n"
                              : "  h%d: {type: revolute, bodies: [ground, door], at: [0, %g, 0], "
                                "axis: [0, 1, 0]}\n",
                     i, 0.137 * i);
    assert_true(used < (int)sizeof text);
    return text;
}

/* An arm on a turning base, on two balls or on a hinge. */
#define ARM(joints, more)                                                                          \
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"                                \
    "  base: {mass: 7.3, inertia: [0.4, 0.5, 0.9], omega: [0, 0, 2.1]}\n"                          \
    "  arm: {mass: 1.9, inertia: [0.11, 0.07, 0.13], position: [0.5, 0.31, 0.2],\n"                \
    "    velocity: [-0.651, 1.05, 0], omega: [0, 0, 2.1]}\n"                                       \
    "joints:\n"                                                                                    \
    "  post: {type: revolute, bodies: [ground, base], at: [0, 0, 0], axis: [0, 0, 1]}\n" joints    \
    "measures:\n  at: {type: position, body: arm}\n" more
#define BALLS                                                                                      \
    "  near: {type: spherical, bodies: [base, arm], at: [0.3, 0, 0.2]}\n"                          \
    "  far: {type: spherical, bodies: [base, arm], at: [0.8, 0, 0.2]}\n"
#define HINGE "  hinge: {type: revolute, bodies: [base, arm], at: [0.3, 0, 0.2], axis: [1, 0, 0]}\n"
#define PULL                                                                                       \
    "forces:\n  pull: {type: spring, bodies: [ground, arm], from: [0, 0, 1], to: [0.5, 0.31, "     \
    "0.2],\n    stiffness: 9, active: {from: t > 0.4}}\n"

static run open_with(const char *text, const char *method, const char *more) {
    char settings[160];
    snprintf(settings, sizeof settings, "method=%s %s", method, more);
    return run_text(text, settings);
}

/* ---- what it costs ---- */

/* Constraint records that were evaluated, by types that count. */
enum { MOST_BATCHES = 8 };
static const hol_model *counted;
static const hol__con_type *originals[MOST_BATCHES];
static hol__con_type counters[MOST_BATCHES];
static long evaluated;

static void count_fill(const void *records, int n, const hol__con_args *args) {
    int b = 0;
    for (; b < counted->n_con_batches; b++) {
        const hol__con_batch *batch = &counted->con_batches[b];
        const char *at = records;
        if (at >= batch->records && at < batch->records + (size_t)batch->count * batch->type->size)
            break;
    }
    evaluated += n;
    originals[b]->fill(records, n, args);
}

static void count_records(run *r) {
    counted = r->model;
    evaluated = 0;
    assert_true(r->model->n_con_batches <= MOST_BATCHES);
    for (int b = 0; b < r->model->n_con_batches; b++) {
        hol__con_batch *batch = &r->model->con_batches[b];
        originals[b] = batch->type;
        counters[b] = *batch->type;
        counters[b].fill = count_fill;
        batch->type = &counters[b];
    }
}

/* Steps, evaluated records and factorisations, all and by the paths for dependent rows. */
typedef struct cost {
    double steps, records, factorizations, fallbacks;
} cost;

static cost cost_of(const char *text, const char *method, const char *more, int redundant) {
    run r = open_with(text, method, more);
    count_records(&r);
    run_to(&r, 8);
    const hol_sim_info info = sim_info(r.sim);
    const cost found = {(double)info.steps, (double)evaluated, (double)info.factorizations,
                        (double)r.sim->kernel->info.fallbacks};
    assert_int_equal(r.sim->aside.set.on, redundant);
    run_close(&r);
    return found;
}

/* A run with ten hinges makes the steps of one with one (the errors of its angles count by another
 * length), at most twice the evaluations of constraints though it has ten times as many, and no
 * factorisation for dependent rows but at the start. */
static void check_cost(const char *method, const char *more, int dim) {
    const cost one = cost_of(hinges(dim, 1), method, more, 0);
    for (int n = 2; n <= 10; n += 8) {
        const cost all = cost_of(hinges(dim, n), method, more, 1);
        if (all.steps > 1.2 * one.steps || all.records > 2 * 1.2 * one.records ||
            all.factorizations > 1.5 * one.factorizations || all.fallbacks > 4)
            fail_msg("%s, %s, %d hinges, %d dimensions: %g steps, %g records, %g and %g "
                     "factorisations; one hinge: %g, %g, %g",
                     method, more, n, dim, all.steps, all.records, all.factorizations,
                     all.fallbacks, one.steps, one.records, one.factorizations);
    }
}

static void test_cost(void **state) {
    (void)state;
    for (int k = 0; k < METHODS; k++)
        for (int dim = 2; dim <= 3; dim++) check_cost(methods[k], "tolerance=1e-8 end=8", dim);
}

/* The same where steps are fixed or implicit. */
static void test_cost_of_integrators(void **state) {
    static const char *const some[] = {"auto", "nullspace", "partitioning", "canonical"};
    static const char *const integrators[] = {"integrator=rk4 step=0.01 end=8",
                                              "integrator=rodas4 tolerance=1e-6 end=8",
                                              "integrator=esdirk4 tolerance=1e-6 end=8"};
    (void)state;
    for (int k = 0; k < 12; k++)
        for (int dim = 2; dim <= 3; dim++) check_cost(some[k % 4], integrators[k / 4], dim);
}

/* ---- motion ---- */

/* The same motion as on one hinge, in fixed steps: 2000 steps make some thousand roundings of
 * 2e-16, which a pendulum enlarges in proportion to time. */
static void test_motion(void **state) {
    static const char *const sets[] = {"reference", "natural", "relative"};
    (void)state;
    for (int k = 0; k < METHODS * 3; k++)
        for (int dim = 2; dim <= 3; dim++) {
            char settings[96];
            snprintf(settings, sizeof settings, "coordinates=%s step=1e-3 integrator=rk4 end=2",
                     sets[k % 3]);
            run one = open_with(hinges(dim, 1), methods[k / 3], settings);
            run ten = open_with(hinges(dim, 10), methods[k / 3], settings);
            run_to(&one, 2);
            run_to(&ten, 2);
            const double off = run_difference(&one, &ten);
            if (!(off <= 1e-11))
                fail_msg("%s, %s, %d dimensions: off by %g", methods[k / 3], sets[k % 3], dim, off);
            run_close(&one);
            run_close(&ten);
        }
}

/* The same by the velocity transformation in reference-point coordinates, where further hinges
 * close nothing that the open chain leaves free; and with balls, where all rows count now and
 * then. */
static void test_open_chain(void **state) {
    static const char settings[] = "kernel=open-chain coordinates=reference step=1e-3 end=2";
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        run one = open_with(hinges(dim, 1), "lagrange", settings);
        run ten = open_with(hinges(dim, 10), "lagrange", settings);
        run_to(&one, 2);
        run_to(&ten, 2);
        assert_int_equal(ten.sim->aside.set.on, 1);
        assert_true(run_difference(&one, &ten) <= 1e-11);
        run_close(&one);
        run_close(&ten);
    }
    run balls = open_with(ARM(BALLS, ""), "lagrange", settings);
    run hinge = open_with(ARM(HINGE, ""), "lagrange", settings);
    run_to(&balls, 2);
    run_to(&hinge, 2);
    /* rows that nothing corrects drift by 8e-8 in 2000 steps, by the kernel kkt too, and by 7e-9 in
     * 4000 */
    assert_true(run_difference(&balls, &hinge) <= 2e-7);
    run_close(&balls);
    run_close(&hinge);
}

/* ---- reactions ---- */

/* The smallest lambda with A^T lambda = r: A y with A^T A y = r, by conjugate gradients. */
static void smallest(const hol__csr *A, const double *r, double *lambda) {
    double y[32] = {0}, g[32], p[32], Ap[64], w[32];
    const int n = A->cols;
    double rr = 0, whole;
    assert_true(n <= 32 && A->rows <= 64);
    for (int i = 0; i < n; i++) p[i] = g[i] = r[i], rr += r[i] * r[i];
    whole = rr;
    for (int round = 0; round < 3 * n && rr > 0; round++) {
        double pw = 0, next = 0;
        hol__csr_mul(A, p, Ap);
        hol__csr_mul_t(A, Ap, w);
        for (int i = 0; i < n; i++) pw += p[i] * w[i];
        if (!(pw > 0)) break;
        for (int i = 0; i < n; i++) y[i] += rr / pw * p[i], g[i] -= rr / pw * w[i];
        for (int i = 0; i < n; i++) next += g[i] * g[i];
        for (int i = 0; i < n; i++) p[i] = g[i] + next / rr * p[i];
        rr = next;
        if (rr < 1e-20 * whole) break;
    }
    hol__csr_mul(A, y, lambda);
}

/* Multipliers of all rows are the smallest that carry the load, whatever rows are kept: within the
 * 1e-10 at which the iteration of the test ends and the 1e-12 by which rows may have drifted. */
static void test_reactions(void **state) {
    (void)state;
    for (int k = 0; k < METHODS; k++)
        for (int dim = 2; dim <= 3; dim++) {
            double load[32], lambda[64], most = 0;
            run r = open_with(hinges(dim, 10), methods[k], "tolerance=1e-12 end=1");
            run_to(&r, 0.2);
            hol_data *data = r.sim->data;
            assert_int_equal(r.sim->aside.set.on, 1);
            hol__data_stale(data);
            assert_int_equal(hol__form_solve(&r.sim->form), HOL_OK);
            hol__csr_mul(&data->M, data->a, load);
            for (int i = 0; i < data->model->nv; i++)
                load[i] = data->Q[i] - load[i], most = fmax(most, fabs(load[i]));
            smallest(&data->A, load, lambda);
            for (int i = 0; i < data->model->m; i++)
                if (!(fabs(lambda[i] - data->lambda[i]) <= 1e-9 * most))
                    fail_msg("%s, %d dimensions, row %d: %.15g instead of %.15g", methods[k], dim,
                             i, data->lambda[i], lambda[i]);
            run_close(&r);
        }
}

/* ---- rows that come back ---- */

/* How far a run has been off its constraints. */
static double drift_of(const run *r) {
    hol_sim_info info = {.size = sizeof info};
    assert_int_equal(hol_sim_describe(r->sim, &info), HOL_OK);
    return info.max_position_violation;
}

/* The axis of the balls turns away from the row that was set aside: all rows come back, and go
 * again behind it; the motion is that of a hinge. */
static void test_coming_back(void **state) {
    (void)state;
    for (int k = 0; k < METHODS; k++) {
        run balls = open_with(ARM(BALLS, ""), methods[k], "tolerance=1e-10 end=4");
        run hinge = open_with(ARM(HINGE, ""), methods[k], "tolerance=1e-10 end=4");
        int changes = 0;
        for (int on = 0; balls.sim->data->t < 4; on = balls.sim->aside.set.on) {
            if (hol_sim_step(balls.sim)) {
                run_print_messages(balls.ctx);
                fail_msg("%s fails", methods[k]);
            }
            changes += on != balls.sim->aside.set.on;
        }
        run_to(&hinge, 4);
        const double off = run_difference(&balls, &hinge);
        if (changes < 5) fail_msg("%s: rows came and went %d times", methods[k], changes);
        /* some hundred steps at 1e-10; where nothing holds the positions, both have drifted off
         * their constraints by as much as they say, and from each other by about the sum */
        const double drift = drift_of(&balls) + drift_of(&hinge);
        if (!(drift <= 1e-5)) fail_msg("%s: drifts by %g", methods[k], drift);
        if (!(off <= 1e-8 + 3 * drift)) fail_msg("%s: off by %g", methods[k], off);
        run_close(&balls);
        run_close(&hinge);
    }
}

/* ---- exact state ---- */

/* A run that is saved at every tenth of a second and loaded by another, which was never started,
 * goes on with the same bits: where rows are aside, where they are not, and where the parts were
 * made at another position than that of the state (PULL). */
static int check_state(const char *text, const char *method) {
    int others = 0; /* states in which other rows would be chosen */
    for (int i = 1; i < 17; i++) {
        run first = open_with(text, method, "tolerance=1e-7 end=2");
        run second = open_with(text, method, "tolerance=1e-7 end=2");
        run_to(&first, 0.1 * i);
        const size_t size = hol_sim_state_size(first.sim);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        assert_int_equal(hol_sim_state_save(first.sim, bytes, size), HOL_OK);
        if (hol_sim_state_load(second.sim, bytes, size)) {
            run_print_messages(second.ctx);
            fail_msg("%s: the state at %g cannot be loaded", method, 0.1 * i);
        }
        assert_memory_equal(first.sim->aside.rows, second.sim->aside.rows,
                            (size_t)first.sim->model->m);
        assert_int_equal(hol__data_analyse(second.sim->data), HOL_OK);
        others += memcmp(first.sim->aside.rows, second.sim->data->aside,
                         (size_t)first.sim->model->m) != 0;
        run_to(&first, 1.7);
        run_to(&second, 1.7);
        const hol_data *a = first.sim->data, *b = second.sim->data;
        if (memcmp(a->q, b->q, sizeof(double) * (size_t)a->model->nq) != 0 ||
            memcmp(a->v, b->v, sizeof(double) * (size_t)a->model->nv) != 0)
            fail_msg("%s: other bits after the state at %g", method, 0.1 * i);
        free(bytes);
        run_close(&first);
        run_close(&second);
    }
    return others;
}

static void test_state(void **state) {
    static const char *const some[] = {
        "auto",        "lagrange",  "augmented-lagrangian",  "nullspace",          "partitioning",
        "independent", "canonical", "canonical-independent", "canonical-augmented"};
    (void)state;
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        check_state(hinges(3, 3), some[k]);
        check_state(ARM(BALLS, ""), some[k]);
    }
    assert_true(check_state(ARM(BALLS, PULL), "auto") > 0);
    assert_true(check_state(ARM(BALLS, PULL), "index1-projection") > 0);
}

/* ---- which rows ---- */

/* Rows of the first joints are kept; where they are nearly dependent, others take their place. */
static void test_choice(void **state) {
    (void)state;
    run r = run_text(hinges(3, 4), "end=1");
    for (int i = 0; i < r.model->m; i++)
        assert_int_equal(r.sim->aside.rows[i], r.model->row_joint[i] > 0);
    run_close(&r);
    /* two balls beside each other and one far away: the near one goes, not the far one */
    r = run_text("holonom: 1\nspace: spatial\nbodies:\n"
                 "  b: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [0.5, 0.2, 0]}\njoints:\n"
                 "  a: {type: spherical, bodies: [ground, b], at: [0, 0, 0]}\n"
                 "  near: {type: spherical, bodies: [ground, b], at: [0.003, 0, 0]}\n"
                 "  far: {type: spherical, bodies: [ground, b], at: [1, 0, 0]}\n",
                 "end=1");
    int near = 0, far = 0;
    for (int i = 0; i < r.model->m; i++) {
        near += r.sim->aside.rows[i] && r.model->row_joint[i] == 1;
        far += r.sim->aside.rows[i] && r.model->row_joint[i] == 2;
    }
    assert_int_equal(near, 3);
    assert_int_equal(far, 1);
    run_close(&r);
}

/* ---- long loops ---- */

/* A loop of n links between two points of the ground, in the plane x z of space or in the plane. */
static const char *loop_of(int dim, int n) {
    static char text[32768];
    const double turn = 2.8 / n, radius = 0.055 / sin(turn / 2);
    int used = snprintf(text, sizeof text, "holonom: 1\nspace: %s\ngravity: [%s-9.81]\npoints:\n",
                        dim == 2 ? "planar" : "spatial", dim == 2 ? "0, " : "0, 0, ");
    for (int i = 0; i <= n; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "  p%d: [%.15g, %s%.15g]\n", i,
                         -radius * cos(i * turn), dim == 2 ? "" : "0, ", -radius * sin(i * turn));
    used += snprintf(text + used, sizeof text - (size_t)used, "bodies:\n");
    for (int i = 0; i < n; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  b%d: {mass: %g, inertia: %s, along: [p%d, p%d]}\n", i, 0.23 + 0.01 * i,
                         dim == 2 ? "2e-4" : "[1e-5, 2e-4, 2e-4]", i, i + 1);
    used += snprintf(text + used, sizeof text - (size_t)used, "joints:\n");
    for (int i = 0; i <= n; i++) {
        char first[16] = "ground", second[16] = "ground";
        if (i > 0) snprintf(first, sizeof first, "b%d", i - 1);
        if (i < n) snprintf(second, sizeof second, "b%d", i);
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  j%d: {type: revolute, bodies: [%s, %s], at: p%d%s}\n", i, first, second,
                         i, dim == 2 ? "" : ", axis: [0, 1, 0]");
    }
    assert_true(used < (int)sizeof text);
    return text;
}

/* The shares of a long loop are small everywhere, also where the kept rows were chosen, so that its
 * redundant rows are set aside all the same. Those of the kept rows rule out that a singular
 * position is near, so that the eigenvalues of all rows, cubic in their number, are not asked for;
 * the motion is that of the loop in the plane, to the tolerance. */
static void check_long_loop(int links) {
    const char *settings = "coordinates=reference tolerance=1e-9 end=0.2";
    hol_pose a, b;
    run space = run_text(loop_of(3, links), settings);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(hol_sim_step(space.sim), HOL_OK);
        assert_true(space.sim->aside.share < HOL__SMOOTH);
        assert_false(space.sim->crossing.t_share < INFINITY);
        assert_true(space.sim->aside.set.on);
    }
    run plane = run_text(loop_of(2, links), settings);
    run_to(&space, 0.2);
    run_to(&plane, 0.2);
    assert_int_equal(hol_data_body_pose(space.sim->data, links / 3, &a), HOL_OK);
    assert_int_equal(hol_data_body_pose(plane.sim->data, links / 3, &b), HOL_OK);
    /* the errors of some ten steps, each within 1e-9 */
    assert_float_equal(a.r[0], b.r[0], 1e-7);
    assert_float_equal(a.r[2], b.r[1], 1e-7);
    run_close(&space);
    run_close(&plane);
}

static void test_long_loop(void **state) {
    (void)state;
    check_long_loop(40);
    check_long_loop(120); /* shares of 1.4e-3, below those at which a short loop sets none aside */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cost),      cmocka_unit_test(test_cost_of_integrators),
        cmocka_unit_test(test_motion),    cmocka_unit_test(test_open_chain),
        cmocka_unit_test(test_reactions), cmocka_unit_test(test_coming_back),
        cmocka_unit_test(test_state),     cmocka_unit_test(test_choice),
        cmocka_unit_test(test_long_loop),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
