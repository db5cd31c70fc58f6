/* test_coords_natural.c: natural coordinates: which points and vectors are chosen, the constant
 * mass matrix, rows, biases and rates against differences on and off the constraints, forces by
 * virtual power; then whole models against reference coordinates. */
#include "mechanism_fixture.h"

#include "coords/natural.h"
#include "model_fixture.h"

/* A ternary link, a link that is pinned twice, sliders, a point mass, a free body, a body with one
 * joint near its mass centre. */
static const char *const planar_text =
    "holonom: 1\nspace: planar\ngravity: [0.3, -9.81]\nsimulation: {coordinates: natural}\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: 0.21, position: [0.4, 0.1], angle: 0.3}\n"
    "  b: {mass: 0.7, inertia: 0.11, position: [1.1, 0.5], angle: -0.7}\n"
    "  c: {mass: 0.9, inertia: 0.17, position: [0.2, 0.9], angle: 1.1}\n"
    "  d: {mass: 1.9, inertia: 0.31, position: [-0.6, 0.7], angle: 6.9}\n"
    "  e: {mass: 0.5, inertia: 0.07, position: [-1.2, 0.1], angle: 2.1}\n"
    "  f: {mass: 0.8, inertia: 0.09, position: [2.2, 1.1], angle: 0.2}\n"
    "  p: {mass: 0.6, point: true, position: [1.7, 0.2]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0.1, 0.2]}\n"
    "  B: {type: revolute, bodies: [b, a], at: [0.8, 0.3]}\n"
    "  C: {type: revolute, bodies: [a, c], at: [0.3, 0.5]}\n"
    "  D: {type: revolute, bodies: [d, c], at: [-0.58, 0.71]}\n"
    "  E: {type: prismatic, bodies: [d, e], at: [-0.9, 0.4], axis: [0.8, -0.6]}\n"
    "  P: {type: revolute, bodies: [b, p], at: [1.7, 0.2]}\n"
    "  L: {type: distance, bodies: [b, e], from: [1.3, 0.4], to: [-1.4, 0.3]}\n"
    "  K: {type: distance, bodies: [f, p], from: [2.3, 0.4], to: [1.7, 0.2]}\n"
    "forces:\n"
    "  s: {type: spring, bodies: [a, f], from: [0.5, 0.3], to: [2.0, 0.9], stiffness: 13, damping: "
    "0.7, free_length: 0.9}\n";

static const char *const spatial_text =
    "holonom: 1\nspace: spatial\ngravity: [0.3, -0.4, -9.81]\nsimulation: {coordinates: natural}\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [0.21, 0.24, 0.19], position: [0.4, 0.1, 0.2], orientation: {euler: "
    "[0.3, 0.2, -0.4]}}\n"
    "  b: {mass: 0.7, inertia: [0.11, 0.09, 0.1], position: [1.1, 0.5, -0.2], orientation: {euler: "
    "[-0.3, 0.6, 0.4]}}\n"
    "  c: {mass: 0.9, inertia: [0.17, 0.11, 0.13], position: [0.2, 0.9, 0.1]}\n"
    "  d: {mass: 1.9, inertia: [0.31, 0.22, 0.27, 0.03, -0.02, 0.04], position: [-0.6, 0.7, 0.5], "
    "orientation: {euler: [1.3, 0.2, 0.9]}}\n"
    "  e: {mass: 0.5, inertia: [0.07, 0.06, 0.08], position: [-1.2, 0.1, 0.3]}\n"
    "  f: {mass: 0.8, inertia: [0.09, 0.12, 0.1], position: [2.2, 1.1, 0.8], orientation: {euler: "
    "[0.7, -0.2, 0.1]}}\n"
    "  g: {mass: 1.8, inertia: [0.19, 0.12, 0.14], position: [2.9, 1.4, 0.2]}\n"
    "  h: {mass: 0.6, inertia: [0.05, 0.06, 0.07], position: [-1.9, 0.4, 0.6]}\n"
    "  p: {mass: 0.4, point: true, position: [1.5, 0.9, -0.1]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0.1, 0.2, 0.1], axis: [0.2, 0.5, 0.7]}\n"
    "  B: {type: universal, bodies: [b, a], at: [0.8, 0.3, 0], axis: [0, 0.6, 0.8], axis_second: "
    "[1, 0, 0]}\n"
    "  C: {type: cylindrical, bodies: [a, c], at: [0.3, 0.5, 0.1], axis: [0.6, 0.8, 0.1]}\n"
    "  D: {type: prismatic, bodies: [d, c], at: [-0.3, 0.7, 0.2], axis: [0.8, -0.6, 0.3]}\n"
    "  E: {type: spherical, bodies: [e, d], at: [-0.9, 0.4, 0.3]}\n"
    "  F: {type: fixed, bodies: [f, g], at: [2.5, 1.2, 0.3]}\n"
    "  H: {type: revolute, bodies: [h, e], at: [-1.5, 0.3, 0.4], axis: [1, 0.3, -0.2]}\n"
    "  P: {type: spherical, bodies: [p, b], at: [1.5, 0.9, -0.1]}\n"
    "  L: {type: distance, bodies: [b, h], from: [1.3, 0.4, 0], to: [-1.4, 0.3, 0.2]}\n"
    "  K: {type: distance, bodies: [f, e], from: [2.3, 0.4, 0.3], to: [-1.1, 0.3, 0.4]}\n";

/* Random positions off the constraints: every coordinate moved by up to 0.1 from the drawn one. */
static void random_off(mech *m, uint64_t *seed) {
    const hol_model *model = m->model;
    double *q = calloc((size_t)model->nq + 1, sizeof *q),
           *v = calloc((size_t)model->nv + 1, sizeof *v);
    for (int i = 0; i < model->nv; i++)
        q[i] = model->q0[i] + 0.1 * random_one(seed), v[i] = 1.3 * random_one(seed);
    hol_data_set(m->data, 0.7, q, v);
    free(q);
    free(v);
}

static void read_Phi(void *user, hol_data *data, double *out) {
    (void)user;
    hol_data_update(data, HOL_STAGE_POS);
    memcpy(out, data->Phi, sizeof(double) * (size_t)data->model->mh);
}

static void read_psi(void *user, hol_data *data, double *out) {
    (void)user;
    memcpy(out, hol_data_velocity_residual(data), sizeof(double) * (size_t)data->model->m);
}

static void read_A(void *user, hol_data *data, double *out) {
    (void)user;
    hol_data_update(data, HOL_STAGE_POS);
    memcpy(out, data->A.x, sizeof(double) * (size_t)data->A.ptr[data->model->m]);
}

/* Velocities of all bodies. */
static void read_velocities(void *user, hol_data *data, double *out) {
    const hol_model *m = data->model;
    (void)user;
    hol_data_update(data, HOL_STAGE_VEL);
    for (int i = 0; i < m->nb; i++)
        for (int k = 0; k < m->bw; k++) {
            const int turn = k >= m->dim;
            out[m->bw * i + k] =
                data->bodies.b2 ? (turn ? data->bodies.b2[i].w : data->bodies.b2[i].v[k])
                                : (turn ? data->bodies.b3[i].w[k - 3] : data->bodies.b3[i].v[k]);
        }
}

static void read_potential(void *user, hol_data *data, double *out) {
    (void)user;
    *out = energy_of(data).potential;
}

/* Rows, biases, rates and J' v against differences. Legs of 0.3 m whose ends move with up to 2 m/s
 * turn faster than the fixture supposes, so half its step is taken: truncation falls by 64,
 * rounding doubles. */
static void check_differences(const char *text, uint64_t seed) {
    mech m = mech_open(text);
    const hol_model *model = m.model;
    const int nnz = model->A.ptr[model->m], w = model->bw * model->nb;
    double *x = calloc((size_t)(nnz + w + model->m + 1), sizeof *x),
           *A = calloc((size_t)(model->m * model->nv + 1), sizeof *A);
    assert_non_null(model->items);
    assert_true(model->items->n_rigid > 0);
    for (int trial = 0; trial < 5; trial++) {
        random_off(&m, &seed);
        mech_line line = line_open(&m);
        line.h = 0.5 * mech_step;
        /* A against Phi, direction by direction */
        for (int k = 0; k < model->nv; k++) {
            line_along_coordinate(&line, k);
            line_derivative(&line, read_Phi, NULL, model->mh, x);
            hol_data_update(m.data, HOL_STAGE_POS);
            hol__csr_to_dense(&m.data->A, A);
            for (int i = 0; i < model->mh; i++)
                check_close(A[i * model->nv + k], x[i], mech_tolerance, "A",
                            model->rows[i].element);
        }
        /* c = -d/dt (A v) with v held: d/dt psi at constant v */
        line_along_motion(&line, NULL);
        line_derivative(&line, read_psi, NULL, model->m, x);
        hol_data_update(m.data, HOL_STAGE_VEL);
        for (int i = 0; i < model->m; i++)
            check_close(-m.data->c[i], x[i], mech_tolerance, "c", model->rows[i].element);
        line_derivative(&line, read_A, NULL, nnz, x);
        hol__data_adot(m.data);
        for (int i = 0; i < nnz; i++) check_close(m.data->Adot[i], x[i], mech_tolerance, "A'", "");
        /* J' v: accelerations of the bodies with a = 0 */
        line_derivative(&line, read_velocities, NULL, w, x);
        hol_data_update(m.data, HOL_STAGE_VEL);
        memset(m.data->a, 0, sizeof(double) * (size_t)model->nv);
        hol__data_accelerations(m.data);
        for (int i = 0; i < w; i++) check_close(m.data->acc[i], x[i], mech_tolerance, "J' v", "");
        line_close(&line);
    }
    free(x);
    free(A);
    mech_close(&m);
}

static void test_differences(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_differences(planar_text, 88172645463325252u);
    check_differences(spatial_text, 362436069521288629u);
}

/* At rest the forces are the gradient of the potential, also across the constraints, because poses
 * are functions of q: Q = -dV/dq. */
static void test_forces(void **state) {
    uint64_t seed = 88172645463325252u;
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open(planar_text);
    for (int trial = 0; trial < 5; trial++) {
        random_off(&m, &seed);
        memset(m.data->v, 0, sizeof(double) * (size_t)m.model->nv);
        hol__data_set_v(m.data, NULL);
        mech_line line = line_open(&m);
        for (int k = 0; k < m.model->nv; k++) {
            double slope;
            line_along_coordinate(&line, k);
            line_derivative(&line, read_potential, NULL, 1, &slope);
            hol_data_update(m.data, HOL_STAGE_DYN);
            check_close(m.data->Q[k], -slope, 30 * mech_tolerance, "Q", "");
        }
        line_close(&line);
    }
    mech_close(&m);
}

/* The kinetic energy of bodies that move rigidly is 1/2 v^T M v: drawn bodies with random
 * velocities, each alone in a model. */
static void test_kinetic(void **state) {
    uint64_t seed = 521288629546311u;
    (void)state;
    if (!reads_yaml()) skip();
    for (int space = 0; space < 2; space++)
        for (int trial = 0; trial < 20; trial++) {
            mech_text text = {.used = 0};
            double x[18];
            for (int i = 0; i < 18; i++) x[i] = random_one(&seed);
            put(&text, "holonom: 1\nspace: %s\nsimulation: {coordinates: natural}\nbodies:\n",
                space ? "spatial" : "planar");
            if (space)
                put(&text,
                    "  a: {mass: 1.7, inertia: [0.31, 0.22, 0.27, %.17g, %.17g, 0.01], com: "
                    "[%.17g, "
                    "%.17g, %.17g], position: [%.17g, %.17g, %.17g], orientation: {euler: [%.17g, "
                    "%.17g, %.17g]}, velocity: [%.17g, %.17g, %.17g], omega: [%.17g, %.17g, "
                    "%.17g]}\n",
                    0.02 * x[0], 0.02 * x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10],
                    x[11], x[12], x[13], x[14], x[15], x[16]);
            else
                put(&text,
                    "  a: {mass: 1.7, inertia: 0.31, com: [%.17g, %.17g], position: [%.17g, "
                    "%.17g], "
                    "angle: %.17g, velocity: [%.17g, %.17g], omega: %.17g}\n",
                    x[0], x[1], x[2], x[3], 3 * x[4], x[5], x[6], 2 * x[7]);
            mech m = mech_open(text.text);
            hol_data_update(m.data, HOL_STAGE_VEL);
            check_close(hol__data_kinetic(m.data, m.data->v), energy_of(m.data).kinetic, 1e-13, "T",
                        text.text);
            mech_close(&m);
        }
}

/* Uniform rods share the points at their ends: m/3, m/6, m/3. [GJB 4; FORMULATIONS 8b] */
static void test_rod(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open("holonom: 1\nspace: planar\nsimulation: {coordinates: natural}\n"
                       "bodies:\n"
                       "  a: {mass: 2.1, inertia: 0.7, position: [1, 0]}\n"
                       "  b: {mass: 3.6, inertia: 0.3, position: [2.5, 0]}\n"
                       "joints:\n"
                       "  O: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
                       "  A: {type: revolute, bodies: [a, b], at: [2, 0]}\n"
                       "  B: {type: distance, bodies: [b, ground], from: [3, 0], to: [4, 1]}\n");
    /* a: length 2, I = m L^2 / 12 = 0.7; b has one shared point, its mass centre is the other: L =
     * 0.5, I_A = 0.3 + 3.6 / 4 = 1.2 */
    double M[16];
    assert_int_equal(m.model->nv, 4);
    hol__csr_to_dense(&m.model->M, M);
    check_close(M[0], 2.1 / 3 + (3.6 - 2 * 3.6 + 1.2 / 0.25), 1e-14, "at A", "");
    check_close(M[2], 3.6 - 1.2 / 0.25, 1e-14, "between A and the mass centre", "");
    check_close(M[10], 1.2 / 0.25, 1e-14, "at the mass centre", "");
    mech_close(&m);
}

/* How many unknowns and constraints the models of the documents have in natural coordinates. */
static void test_counts(void **state) {
    static const struct {
        const char *file;
        int nv, m;
    } cases[] = {
        {"pendulum", 2, 1},         /* one moving point */
        {"four_bar", 4, 3},         /* two moving points, three lengths */
        {"a02_two_four_bar", 6, 5}, /* BG 4.2: three moving points, five lengths */
        {"a02_forty_four_bar", 82, 81},
        {"slider_crank", 4, 3}, /* two moving points, two lengths, one on the line */
        {"heavy_top", 9, 6},    /* a fixed point, three vectors */
    };
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run r = run_open(cases[i].file, "coordinates=natural");
        if (r.model->nv != cases[i].nv || r.model->m != cases[i].m)
            fail_msg("%s: %d unknowns and %d constraints instead of %d and %d", cases[i].file,
                     r.model->nv, r.model->m, cases[i].nv, cases[i].m);
        run_close(&r);
    }
}

/* A plate has no second moment across itself: M is singular, the motion is not. */
static void test_singular_mass(void **state) {
    static const char *const inertias[] = {"[0.2, 0.3, 0.5]", "[0.4, 0.1, 0.5]"};
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < 2; i++) {
        hol_data *data[2];
        hol_sim *sim[2];
        hol_model *model[2];
        hol_context *ctx = hol_context_new();
        for (int k = 0; k < 2; k++) {
            mech_text text = {.used = 0};
            hol_options *options;
            put(&text,
                "holonom: 1\nspace: spatial\nbodies:\n  plate: {mass: 1.3, inertia: %s, position: "
                "[0.3, 0.1, 0.2], orientation: {euler: [0.3, 0.4, 0.5]}, omega: [1.1, 2.3, 0.4]}\n"
                "simulation: {coordinates: %s, tolerance: 1e-11, end: 2}\n",
                inertias[i], k ? "natural" : "reference");
            model[k] = compile_text(ctx, text.text, "plate.yaml", &options);
            assert_non_null(model[k]);
            sim[k] = hol_sim_new(ctx, model[k], options);
            hol_options_free(options);
            if (!sim[k]) fail_with_messages(ctx, text.text);
            if (hol_sim_advance(sim[k], 2)) fail_with_messages(ctx, text.text);
            data[k] = hol_sim_data(sim[k]);
        }
        const hol_twist a = twist_at(data[0], 0), b = twist_at(data[1], 0);
        /* a thousand times the tolerance a step */
        for (int k = 0; k < 3; k++) check_close(a.omega[k], b.omega[k], 1e-8, "omega", inertias[i]);
        for (int k = 0; k < 2; k++) hol_sim_free(sim[k]), hol_model_free(model[k]);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences), cmocka_unit_test(test_forces),
        cmocka_unit_test(test_kinetic),     cmocka_unit_test(test_rod),
        cmocka_unit_test(test_counts),      cmocka_unit_test(test_singular_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
