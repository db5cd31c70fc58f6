/* test_relative.c: relative coordinates: J, J' v, M, the recursive solution and the maps against
 * differences and dense products at states of no particular kind; then whole models in relative
 * against reference coordinates: motions, energies and reactions. */
#include "mechanism_fixture.h"

#include "coords/tree.h"
#include "model_fixture.h"
#include "tree_models.h"

/* A random state of joint coordinates. */
static void random_joints(mech *m, uint64_t *seed, double *q, double *v) {
    double *d = calloc((size_t)m->model->nv + 1, sizeof *d);
    for (int i = 0; i < m->model->nv; i++)
        d[i] = 0.9 * random_one(seed), v[i] = 1.3 * random_one(seed);
    m->model->coords->plus(m->model, m->model->q0, d, q);
    hol_data_set(m->data, 0.7, q, v);
    free(d);
}

/* Velocities of all bodies, w numbers each. */
static void body_velocities(hol_data *data, double *out) {
    const hol_model *m = data->model;
    hol_data_update(data, HOL_STAGE_VEL);
    for (int i = 0; i < m->nb; i++) {
        if (data->bodies.b2) {
            out[3 * i] = data->bodies.b2[i].v[0], out[3 * i + 1] = data->bodies.b2[i].v[1],
                    out[3 * i + 2] = data->bodies.b2[i].w;
        } else
            for (int k = 0; k < 3; k++)
                out[6 * i + k] = data->bodies.b3[i].v[k],
                            out[6 * i + 3 + k] = data->bodies.b3[i].w[k];
    }
}

/* J by columns (bodies x nv): body velocities for unit v. */
static void jacobian(mech *m, const double *q, const double *v, double *J) {
    const hol_model *model = m->model;
    const int n = model->nv, w = model->bw * model->nb;
    double *unit = calloc((size_t)n + 1, sizeof *unit);
    for (int k = 0; k < n; k++) {
        memset(unit, 0, sizeof(double) * (size_t)n);
        unit[k] = 1;
        hol_data_set(m->data, 0.7, q, unit);
        body_velocities(m->data, J + k * w);
    }
    hol_data_set(m->data, 0.7, q, v);
    free(unit);
}

static double diff(const double *a, const double *b, int n) {
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* The position of the mass centres, stacked. */
static void centres(hol_data *data, double *out) {
    const hol_model *m = data->model;
    hol_data_update(data, HOL_STAGE_POS);
    for (int i = 0; i < m->nb; i++)
        for (int k = 0; k < m->dim; k++)
            out[m->dim * i + k] =
                data->bodies.b2 ? data->bodies.b2[i].r[k] : data->bodies.b3[i].r[k];
}

static void check_contract(const char *text, uint64_t seed) {
    mech m = mech_open(text);
    const hol_model *model = m.model;
    const int n = model->nv, w = model->bw * model->nb, rows = model->m;
    assert_non_null(model->tree);
    double *q = calloc((size_t)model->nq, sizeof *q), *v = calloc((size_t)n, sizeof *v),
           *J = calloc((size_t)(n * w), sizeof *J);
    double *x = calloc((size_t)(n * n + 4 * w + 16), sizeof *x),
           *y = calloc((size_t)(n * n + 4 * w + 16), sizeof *y);
    double *z = calloc((size_t)(4 * w + 16), sizeof *z), *a = calloc((size_t)n, sizeof *a),
           *d = calloc((size_t)n, sizeof *d);
    double *body_M = calloc((size_t)(w * w), sizeof *body_M);
    for (int trial = 0; trial < 5; trial++) {
        random_joints(&m, &seed, q, v);
        jacobian(&m, q, v, J);
        /* body velocities against differences of positions along the motion: order h^2, h = 1e-5,
         * curvature within 1e3 */
        const double h = 1e-5;
        body_velocities(m.data, z);
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < n; i++) d[i] = (side ? h : -h) * v[i];
            double *q2 = calloc((size_t)model->nq, sizeof *q2);
            model->coords->plus(model, q, d, q2);
            hol_data_set(m.data, 0.7, q2, v);
            centres(m.data, side ? x : y);
            free(q2);
        }
        for (int i = 0; i < model->nb; i++)
            for (int k = 0; k < model->dim; k++) {
                const int at = model->dim * i + k;
                assert_true(fabs((x[at] - y[at]) / (2 * h) - z[model->bw * i + k]) < 1e-7);
            }
        hol_data_set(m.data, 0.7, q, v);
        /* J' v against differences of J along the motion */
        for (int i = 0; i < n; i++) a[i] = 0;
        hol_data_update(m.data, HOL_STAGE_DYN);
        memcpy(m.data->a, a, sizeof(double) * (size_t)n);
        hol__data_accelerations(m.data);
        memcpy(z, m.data->acc, sizeof(double) * (size_t)w);
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < n; i++) d[i] = (side ? h : -h) * v[i];
            double *q2 = calloc((size_t)model->nq, sizeof *q2);
            model->coords->plus(model, q, d, q2);
            hol_data_set(m.data, 0.7, q2, v);
            body_velocities(m.data, side ? x : y);
            free(q2);
        }
        for (int i = 0; i < w; i++) assert_true(fabs((x[i] - y[i]) / (2 * h) - z[i]) < 1e-6);
        hol_data_set(m.data, 0.7, q, v);
        /* M = J^T M_b J: sums of at most w^2 terms of order 10 */
        memset(body_M, 0, sizeof(double) * (size_t)(w * w));
        for (int i = 0; i < model->nb; i++)
            for (int k = 0; k < model->bw; k++) {
                const hol__body *b = &model->bodies[i];
                const int at = model->bw * i + k;
                if (k < model->dim)
                    body_M[at * w + at] = b->mass;
                else if (model->dim == 2)
                    body_M[at * w + at] = b->inertia;
                else
                    for (int j = 0; j < 3; j++)
                        body_M[at * w + model->bw * i + 3 + j] = b->J[3 * (k - 3) + j];
            }
        const hol__csr *M = hol__data_mass(m.data);
        hol__csr_to_dense(M, x);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int r = 0; r < w; r++)
                    for (int c = 0; c < w; c++)
                        sum += J[i * w + r] * body_M[r * w + c] * J[j * w + c];
                assert_true(fabs(sum - x[i * n + j]) < 1e-12);
            }
        /* T = 1/2 v^T M v is the energy of the bodies */
        assert_true(fabs(hol__data_kinetic(m.data, v) - energy_of(m.data).kinetic) < 1e-12);
        /* Q = J^T (load - M_b J' v) */
        hol_data_update(m.data, HOL_STAGE_DYN);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int r = 0; r < w; r++) {
                double f = m.data->load[r];
                for (int c = 0; c < w; c++) f -= body_M[r * w + c] * z[c];
                sum += J[i * w + r] * f;
            }
            assert_true(fabs(sum - m.data->Q[i]) < 1e-11);
        }
        /* the recursive solution solves M a = Q: condition of M within 1e4 */
        assert_int_equal(
            model->coords->maps->solve(model, &m.data->bodies, m.data->recursion, m.data->load, a),
            HOL_OK);
        hol__csr_mul(M, a, y);
        assert_true(diff(y, m.data->Q, n) < 1e-10);
        /* A = G J */
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0, entry = 0;
                for (int k = model->G.ptr[i]; k < model->G.ptr[i + 1]; k++)
                    sum += m.data->G[k] * J[j * w + model->G.idx[k]];
                for (int k = model->A.ptr[i]; k < model->A.ptr[i + 1]; k++)
                    if (model->A.idx[k] == j) entry = m.data->A.x[k];
                assert_true(fabs(sum - entry) < 1e-13);
            }
        /* from the bodies back to the joints */
        double *q2 = calloc((size_t)model->nq, sizeof *q2), *v2 = calloc((size_t)n, sizeof *v2);
        model->coords->maps->from_bodies(model, &m.data->bodies, q2, v2);
        model->coords->minus(model, q2, q, d);
        for (int i = 0; i < n; i++) assert_true(fabs(remainder(d[i], acos(-1.0) * 2)) < 1e-12);
        assert_true(diff(v2, v, n) < 1e-12);
        free(q2);
        free(v2);
    }
    free(q), free(v), free(J), free(x), free(y), free(z), free(a), free(d), free(body_M);
    mech_close(&m);
}

static void test_plane(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_contract(planar_tree, 88172645463325252u);
}

static void test_space(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_contract(spatial_tree, 362436069521288629u);
}

/* Motions within the tolerance of the integrations, unique reactions within 1e-8 of the largest
 * force at the start. */
static void check_model(const char *file, double end, double tolerance, int open) {
    run a = run_open(file, "coordinates=reference"), b = run_open(file, "coordinates=relative");
    const int n = model_info(a.model).n_joints;
    if (open) assert_int_equal(b.model->m, 0);
    for (int pass = 0; pass < 2; pass++) {
        const double t = pass ? end : 0;
        run_to(&a, t);
        run_to(&b, t);
        double worst = 0, size = 1;
        for (int j = 0; j < n; j++) {
            const hol_reaction x = reaction_of(hol_sim_data(a.sim), j),
                               y = reaction_of(hol_sim_data(b.sim), j);
            if (!x.unique || !y.unique) continue;
            for (int k = 0; k < 3; k++) {
                size = fmax(size, fmax(fabs(x.force[k]), fabs(x.moment[k])));
                worst = fmax(worst,
                             fmax(fabs(x.force[k] - y.force[k]), fabs(x.moment[k] - y.moment[k])));
            }
        }
        if (!(worst <= (pass ? 1e2 * tolerance : 1e-9) * size))
            fail_msg("%s: reactions differ by %.3g of %.3g at t = %g", file, worst, size, t);
        for (int i = 0; i < a.model->nb; i++) {
            const hol_pose x = pose_at(hol_sim_data(a.sim), i), y = pose_at(hol_sim_data(b.sim), i);
            for (int k = 0; k < 3; k++) check_near(file, y.r[k], x.r[k], pass ? tolerance : 1e-12);
            for (int k = 0; k < 9; k++) check_near(file, y.R[k], x.R[k], pass ? tolerance : 1e-12);
        }
        const hol_energy e1 = energy_of(hol_sim_data(a.sim)), e2 = energy_of(hol_sim_data(b.sim));
        check_near(file, e2.kinetic, e1.kinetic, 1e3 * tolerance * (1 + fabs(e1.kinetic)));
        const double wanted = run_difference(&a, &b);
        check_near("measures", wanted, 0, 1e3 * tolerance * size);
    }
    run_close(&a);
    run_close(&b);
}

static void test_models(void **state) {
    static const struct {
        const char *file;
        double end, tolerance;
        int open;
    } cases[] = {
        {"pendulum", 1, 1e-8, 1},           {"a01_simple_pendulum", 2, 1e-8, 1},
        {"four_bar", 1, 1e-7, 0},           {"a02_two_four_bar", 0.5, 1e-7, 0},
        {"slider_crank", 0.3, 1e-7, 0},     {"slider_crank_spatial", 0.5, 1e-7, 0},
        {"heavy_top", 0.1, 1e-7, 1},        {"five_bar", 1, 1e-7, 1},
        {"a04_bricard", 1, 1e-7, 0},        {"a03_andrews", 0.01, 1e-6, 0},
        {"gjb/problem_5_10", 0.5, 1e-7, 0}, {"a02_forty_four_bar", 0.1, 1e-7, 0},
    };
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_model(cases[i].file, cases[i].end, cases[i].tolerance, cases[i].open);
}

/* The method by name brings its coordinates; clashes are refused. */
static void test_method(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    run a = run_open("four_bar", "method=velocity-transformation"), b = run_open("four_bar", NULL);
    assert_non_null(a.model->tree);
    assert_int_equal(a.model->nv, 3);
    assert_int_equal(a.model->m, 2);
    run_to(&a, 1);
    run_to(&b, 1);
    check_near("crank", run_measure(&a, "crank_angle"), run_measure(&b, "crank_angle"), 1e-7);
    run_close(&a);
    run_close(&b);
}

/* Joints named as cuts stay constraints, wherever in a loop or a tree they are: links, rows, and
 * the same motion. */
static void test_cut(void **state) {
    static const struct {
        const char *settings;
        int cut, nv, m; /* joint by index; -1: whichever */
    } cases[] = {
        {"coordinates=relative joints.A.cut=true", 0, 3, 2},
        {"coordinates=relative joints.B.cut=yes", 1, 3, 2},
        {"coordinates=relative joints.D.cut=true joints.C.cut=false", 3, 3, 2},
        {"coordinates=relative joints.A.cut=true joints.C.cut=true", 2, 5, 4},
        {"coordinates=relative joints.A.cut=true joints.D.cut=true", 3, 5, 4},
    };
    (void)state;
    if (!reads_yaml()) skip();
    run b = run_open("four_bar", "joints.A.cut=true");
    assert_int_equal(b.model->nv, 9);
    run_to(&b, 0.7);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run a = run_open("four_bar", cases[i].settings);
        assert_int_equal(a.model->tree->of_joint[cases[i].cut], -1);
        assert_int_equal(a.model->nv, cases[i].nv);
        assert_int_equal(a.model->m, cases[i].m);
        run_to(&a, 0.7);
        check_near("crank", run_measure(&a, "crank_angle"), run_measure(&b, "crank_angle"), 1e-8);
        run_close(&a);
    }
    run_close(&b);
    hol_context *ctx = hol_context_new();
    assert_null(compile_text(ctx,
                             "holonom: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1}}\n"
                             "joints: {A: {type: revolute, bodies: [ground, a], at: [0, 0], cut: "
                             "perhaps}}\n",
                             "cut.yaml", NULL));
    assert_non_null(strstr(hol_message_get(ctx, 0)->text, "true or false"));
    hol_context_free(ctx);
}

/* Full turns leave the joint angles and stay in the bodies: a double pendulum that spins fast,
 * against reference coordinates, then an angle that is not a number. Errors of 1e-10 a step grow
 * with the spread of the motion, by some 1e3 in 2 s. */
static void test_wrap(void **state) {
    static const char text[] =
        "holonom: 1\nspace: planar\nbodies:\n"
        "  a: {mass: 1.7, inertia: 0.21, along: [[0, 0], [0.83, -0.41]], omega: 30}\n"
        "  b: {mass: 0.9, inertia: 0.06, along: [[0.83, -0.41], [1.21, -0.97]], omega: 30}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [b, a], at: [0.83, -0.41]}\n"
        "measures:\n"
        "  A: {type: joint_coordinate, joint: A}\n"
        "  a: {type: angle, body: a}\n"
        "  b: {type: angle, body: b}\n"
        "  omega: {type: angular_velocity, body: a}\n"
        "simulation: {end: 2, tolerance: 1e-10}\n";
    (void)state;
    if (!reads_yaml()) skip();
    run a = run_text(text, "coordinates=reference"), b = run_text(text, "coordinates=relative");
    for (int k = 1; k <= 4; k++) {
        run_to(&a, 0.5 * k);
        run_to(&b, 0.5 * k);
        for (int i = 0; i < 4; i++)
            check_near("angles", measure_of(hol_sim_data(b.sim), i),
                       measure_of(hol_sim_data(a.sim), i), 1e-6);
    }
    hol_data *data = hol_sim_data(b.sim);
    assert_true(run_measure(&b, "A") > 50);
    /* more than 26 rad and what a step adds, less than a turn, are never left */
    assert_true(fabs(data->q[0]) < 26 + 2 * acos(-1.0));
    const double turn = data->bodies.b2[0].turn;
    assert_true(turn > 20 && fabs(remainder(turn, 2 * acos(-1.0))) < 1e-12);
    double q[2] = {NAN, 100};
    b.model->coords->wrap(b.model, q, &data->bodies);
    assert_true(isnan(q[0]) && fabs(q[1]) < acos(-1.0) + 1e-12);
    assert_true(data->bodies.b2[0].turn == turn);
    run_close(&a);
    run_close(&b);
}

/* Left to themselves, long open chains run in relative coordinates; a loop, a method of one's own
 * choice, or fewer bodies do not. */
static void test_choice(void **state) {
    static const struct {
        int bodies, loop;
        const char *method;
        int relative;
    } cases[] = {{10, 0, "auto", 1}, {9, 0, "auto", 0}, {10, 1, "auto", 0}, {10, 0, "lagrange", 0}};
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        mech_text text = {.used = 0};
        const int n = cases[k].bodies;
        put(&text, "holonom: 1\nspace: planar\nsimulation: {method: %s}\nbodies:\n",
            cases[k].method);
        for (int i = 0; i < n; i++)
            put(&text, "  b%d: {mass: 1.3, inertia: 0.08, position: [%d.5, 0]}\n", i, i);
        put(&text, "joints:\n  j0: {type: revolute, bodies: [ground, b0], at: [0, 0]}\n");
        for (int i = 1; i < n; i++)
            put(&text, "  j%d: {type: revolute, bodies: [b%d, b%d], at: [%d, 0]}\n", i, i - 1, i,
                i);
        if (cases[k].loop)
            put(&text, "  end: {type: revolute, bodies: [ground, b%d], at: [%d, 0]}\n", n - 1, n);
        mech m = mech_open(text.text);
        assert_int_equal(m.model->tree != NULL, cases[k].relative);
        mech_close(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),  cmocka_unit_test(test_space),  cmocka_unit_test(test_models),
        cmocka_unit_test(test_method), cmocka_unit_test(test_choice), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
