/* test_coords_contract.c: what every set of coordinates has to supply.
 *
 *     (q (+) d) (-) q = d,   q (+) (a (-) q) = a
 *     rate(d, v) = d/dt of the increment along a motion with velocity v
 *     T = 1/2 v^T M v is the sum over the bodies, M is symmetric and positive definite
 *     without forces M v' = Q are Euler's equations: momentum and energy stay
 */
#include "mechanism_fixture.h"

enum { BODIES = 3, MAX_Q = 12 * BODIES, MAX_V = 12 * BODIES };

/* Three free bodies, in no particular pose, with full inertia tensors. */
static const char *const texts[] = {
    "holonom: 1\nspace: planar\nbodies:\n"
    "  b1: {mass: 1.37, inertia: 0.21, position: [0.31, -0.22], com: [0.13, -0.07], angle: 0.83, "
    "velocity: [0.7, -0.4], omega: 2.3}\n"
    "  b2: {mass: 0.83, inertia: 0.11, position: [-0.41, 0.36], angle: -2.1, velocity: [0.1, 0.9], "
    "omega: -3.7}\n"
    "  b3: {mass: 2.71, inertia: 0.92, position: [1.1, 0.6], angle: 5.7, velocity: [-0.3, 0.2]}\n",
    "holonom: 1\nspace: spatial\nbodies:\n"
    "  b1: {mass: 1.37, inertia: [0.21, 0.34, 0.27, 0.02, -0.03, 0.01], position: [0.31, -0.22, "
    "0.47], com: [0.13, -0.07, "
    "0.19], orientation: {euler: [0.4, -0.7, 1.1]}, velocity: [0.7, -0.4, 0.2], omega: [1.9, -0.3, "
    "2.4]}\n"
    "  b2: {mass: 0.83, inertia: [0.11, 0.15, 0.18], position: [-0.41, 0.36, 0.29], orientation: "
    "{axis: [1, 2, -0.5], angle: "
    "0.9}, velocity: [0.1, 0.9, -0.6], omega: [0.02, 3.1, -0.05], omega_frame: body}\n"
    "  b3: {mass: 2.71, inertia: [[0.9, 0.1, -0.2], [0.1, 1.1, 0.05], [-0.2, 0.05, 0.7]], "
    "position: [1.1, 0.6, -0.2], omega: "
    "[-1.2, 0.8, 0.6]}\n",
};

/* The model of a set; its coordinates must be that set. */
static mech open_set(const hol__coords *set) {
    mech_text text = {.used = 0};
    put(&text, "%ssimulation: {end: 4, tolerance: 1e-10, coordinates: %s}\n",
        texts[set->space == HOL_SPATIAL], coordinates_of(set));
    mech m = mech_open(text.text);
    assert_ptr_equal(m.model->coords, set);
    /* free bodies: in natural coordinates a point and a vector in the plane, a point and three
     * vectors in space */
    const int space = set->space == HOL_SPATIAL;
    assert_int_equal(m.model->nq, (m.model->items ? space ? 12 : 4 : space ? 7 : 3) * m.model->nb);
    assert_int_equal(m.model->nv, (m.model->items ? space ? 12 : 4 : space ? 6 : 3) * m.model->nb);
    return m;
}

/* An increment whose rotations are at most `most` in each of the three directions. */
static void random_increment(const hol_model *model, uint64_t *seed, double most, double *d) {
    for (int i = 0; i < model->nv; i++)
        d[i] = (hol__is_turn(model, i) ? most : 2) * random_one(seed);
}

/* Largest difference of two positions; quaternions may differ in sign. */
static double apart(const hol_model *model, const double *a, const double *b) {
    double most = 0;
    const int w = model->nq / model->nb, quaternions = model->dim == 3 && !model->items;
    for (int i = 0; i < model->nb; i++) {
        double sign = 1;
        if (quaternions) {
            double dot = 0;
            for (int k = 3; k < 7; k++) dot += a[w * i + k] * b[w * i + k];
            sign = dot < 0 ? -1 : 1;
        }
        for (int k = 0; k < w; k++)
            most =
                fmax(most, fabs(a[w * i + k] - (k >= 3 && quaternions ? sign : 1) * b[w * i + k]));
    }
    return most;
}

/* plus and minus undo each other. Rotations up to 1.7 in three directions stay below a half turn
 * (1.7 sqrt 3 < 2.95). */
static void test_plus_minus(void **state) {
    uint64_t seed = 88172645463325252u;
    const hol__coords *set;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; (set = hol__coords_get(s)); s++) {
        mech m = open_set(set);
        for (int trial = 0; trial < 200; trial++) {
            double t, q[MAX_Q], v[MAX_V], d[MAX_V], a[MAX_Q], back[MAX_V], again[MAX_Q];
            random_state(m.model, &seed, &t, q, v);
            random_increment(m.model, &seed, trial % 4 ? 1.7 : 1e-7, d);
            set->plus(m.model, q, d, a);
            set->minus(m.model, a, q, back);
            /* the logarithm of a rotation by up to 2.95 divides rounding by 2 cos(2.95/2) = 0.19 */
            for (int i = 0; i < m.model->nv; i++)
                check_close(back[i], d[i], 2e-14, "(q + d) - q", set->name);
            random_state(m.model, &seed, &t, a, v);
            set->minus(m.model, a, q, d);
            set->plus(m.model, q, d, again);
            assert_true(apart(m.model, a, again) < 2e-14);
        }
        mech_close(&m);
    }
}

/* Increments of zero change nothing but a last bit, and the rate at zero is the velocity. */
static void test_zero_increment(void **state) {
    uint64_t seed = 1442695040888963407u;
    const hol__coords *set;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; (set = hol__coords_get(s)); s++) {
        mech m = open_set(set);
        double t, q[MAX_Q], v[MAX_V], zero[MAX_V] = {0}, a[MAX_Q], d[MAX_V];
        random_state(m.model, &seed, &t, q, v);
        set->plus(m.model, q, zero, a);
        assert_true(apart(m.model, q, a) < 3e-16);
        set->minus(m.model, q, q, d);
        for (int i = 0; i < m.model->nv; i++) assert_true(fabs(d[i]) < 3e-16);
        set->rate(m.model, zero, v, d);
        for (int i = 0; i < m.model->nv; i++) assert_true(d[i] == v[i]);
        mech_close(&m);
    }
}

/* rate(d, v) against differences of the increment from a base point: the motion with constant v
 * from q = base (+) d is q (+) s v. */
static void test_rate(void **state) {
    static const double w[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    uint64_t seed = 4101842887655102017u;
    const hol__coords *set;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; (set = hol__coords_get(s)); s++) {
        mech m = open_set(set);
        for (int trial = 0; trial < 60; trial++) {
            const double most[3] = {1.5, 0.02, 1e-6}, h = mech_step;
            double t, base[MAX_Q], v[MAX_V], d[MAX_V], q[MAX_Q], rate[MAX_V], found[MAX_V] = {0};
            random_state(m.model, &seed, &t, base, v);
            random_increment(m.model, &seed, most[trial % 3], d);
            set->plus(m.model, base, d, q);
            set->rate(m.model, d, v, rate);
            for (int k = -3; k <= 3; k++) {
                double step[MAX_V], moved[MAX_Q], at[MAX_V];
                for (int i = 0; i < m.model->nv; i++) step[i] = k * h * v[i];
                set->plus(m.model, q, step, moved);
                set->minus(m.model, moved, base, at);
                for (int i = 0; i < m.model->nv && k; i++)
                    found[i] += (k > 0 ? 1 : -1) * w[abs(k) - 1] * at[i] / h;
            }
            /* rotations up to 1.5 sqrt 3 = 2.6 of pi: derivatives of the logarithm grow as 1/(pi -
             * 2.6)^k */
            for (int i = 0; i < m.model->nv; i++)
                check_close(rate[i], found[i], 1e-9, "rate", set->name);
        }
        mech_close(&m);
    }
}

/* The directions that rotations() names together are those whose rates change with the increments
 * of one another; all others keep their velocities. */
static void test_rotations(void **state) {
    const hol__coords *set;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; (set = hol__coords_get(s)); s++) {
        mech m = open_set(set);
        const int nv = m.model->nv, n = set->rotations ? set->rotations(m.model, NULL) : 0;
        int first[32], of[96];
        double d[96] = {0}, v[96], rate[96];
        assert_true(nv <= 96 && n <= 32);
        if (n) assert_int_equal(set->rotations(m.model, first), n);
        assert_int_equal(n > 0, m.model->nq > nv);
        for (int i = 0; i < nv; i++) of[i] = -1, v[i] = 1 + 0.37 * (i % 3);
        for (int b = 0; b < n; b++)
            for (int k = 0; k < 3; k++) of[first[b] + k] = b;
        for (int j = 0; j < nv; j++) {
            d[j] = 1e-3;
            set->rate(m.model, d, v, rate);
            d[j] = 0;
            for (int i = 0; i < nv; i++)
                if (i != j) assert_int_equal(rate[i] != v[i], of[j] >= 0 && of[i] == of[j]);
        }
        mech_close(&m);
    }
}

/* Many small increments leave quaternions of length 1. */
static void test_unit_quaternions(void **state) {
    uint64_t seed = 2685821657736338717u;
    const hol__coords *set;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; (set = hol__coords_get(s)); s++) {
        if (set->space != HOL_SPATIAL || strncmp(set->name, "natural", 7) == 0) continue;
        mech m = open_set(set);
        double t, q[MAX_Q], v[MAX_V], d[MAX_V], next[MAX_Q];
        random_state(m.model, &seed, &t, q, v);
        for (int k = 0; k < 20000; k++) {
            random_increment(m.model, &seed, 0.3, d);
            set->plus(m.model, q, d, next);
            memcpy(q, next, sizeof q);
        }
        for (int b = 0; b < m.model->nb; b++) {
            double n2 = 0;
            for (int k = 3; k < 7; k++) n2 += q[7 * b + k] * q[7 * b + k];
            assert_true(fabs(n2 - 1) < 1e-15);
        }
        mech_close(&m);
    }
}

/* The kinetic energy of the bodies from their poses and twists, one by one. */
static double energy_of_bodies(hol_data *data) {
    const hol_model *model = data->model;
    double T = 0;
    for (int b = 0; b < model->nb; b++) {
        const hol__body *body = &model->bodies[b];
        const hol_pose pose = pose_at(data, b);
        const hol_twist twist = twist_at(data, b);
        double u[3], x[3], vc[3], w[3], Jw[3];
        hol__mul3(pose.R, body->com, u);
        hol__cross3(twist.omega, u, x);
        hol__add3(twist.v, x, vc);
        hol__mul3_t(pose.R, twist.omega, w);
        hol__mul3(body->J, w, Jw);
        T += 0.5 * body->mass * hol__dot3(vc, vc) +
             0.5 * (model->dim == 2 ? body->inertia * w[2] * w[2] : hol__dot3(w, Jw));
    }
    return T;
}

static void test_kinetic_energy(void **state) {
    uint64_t seed = 6364136223846793005u;
    const hol__coords *set;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; (set = hol__coords_get(s)); s++) {
        mech m = open_set(set);
        for (int trial = 0; trial < 20; trial++) {
            mech_random(&m, &seed);
            check_close(hol__data_kinetic(m.data, m.data->v), energy_of_bodies(m.data), 4e-15, "T",
                        set->name);
            check_close(energy_of(m.data).kinetic, energy_of_bodies(m.data), 4e-15, "T", set->name);
        }
        mech_close(&m);
    }
}

/* M = M^T, and elimination without pivots meets only positive ones. */
static void test_mass_matrix(void **state) {
    const hol__coords *set;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; (set = hol__coords_get(s)); s++) {
        mech m = open_set(set);
        const int n = m.model->nv;
        double M[MAX_V * MAX_V];
        hol__csr_to_dense(hol__data_mass(m.data), M);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) assert_true(M[i * n + j] == M[j * n + i]);
        for (int k = 0; k < n; k++) {
            assert_true(M[k * n + k] > 0);
            for (int i = k + 1; i < n; i++)
                for (int j = n - 1; j >= k; j--)
                    M[i * n + j] -= M[i * n + k] / M[k * n + k] * M[k * n + j];
        }
        for (int k = 0; m.model->M.live && k < m.model->M.ptr[n]; k++)
            if (!m.model->M.live[k]) assert_true(m.model->M.x[k] == 0);
        mech_close(&m);
    }
}

/* The drawn position and the given velocities come out of the poses and twists that start()
 * makes. */
static void test_start(void **state) {
    const hol__coords *set;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; (set = hol__coords_get(s)); s++) {
        mech m = open_set(set);
        const hol_pose pose = pose_at(m.data, 0);
        const hol_twist twist = twist_at(m.data, 0);
        const double expected[3] = {0.31, -0.22, set->space == HOL_SPATIAL ? 0.47 : 0};
        for (int k = 0; k < 3; k++)
            check_close(pose.r[k], expected[k], 1e-15, "position", set->name);
        if (set->space == HOL_PLANAR) {
            check_close(pose.R[0], cos(0.83), 1e-15, "cosine", set->name);
            check_close(twist.omega[2], 2.3, 1e-15, "omega", set->name);
        } else {
            const double omega[3] = {1.9, -0.3, 2.4};
            /* up to four rotations there and back, each with rounding of 3 eps |omega| = 1e-15 */
            for (int k = 0; k < 3; k++)
                check_close(twist.omega[k], omega[k], 4e-15, "omega", set->name);
            /* turns about x, the new y, the new z: R = Rx Ry Rz, whose last column is (sin y, -sin
             * x cos y, cos x cos y) */
            check_close(pose.R[2], sin(-0.7), 1e-15, "R_xz", set->name);
            check_close(pose.R[5], -sin(0.4) * cos(-0.7), 1e-15, "R_yz", set->name);
            check_close(pose.R[8], cos(0.4) * cos(-0.7), 1e-15, "R_zz", set->name);
        }
        /* the given velocity is that of the mass centre */
        check_close(m.data->bodies.b2 ? m.data->bodies.b2[0].v[0] : m.data->bodies.b3[0].v[0], 0.7,
                    1e-15, "vx", set->name);
        mech_close(&m);
    }
}

/* ---- free bodies ---- */

/* Linear momentum and angular momentum about the origin, global, of one body (the plane: only
 * L_z). */
static void momentum(hol_data *data, int b, double P[3], double L[3]) {
    const hol_model *model = data->model;
    const hol__body *body = &model->bodies[b];
    const hol_pose pose = pose_at(data, b);
    const hol_twist twist = twist_at(data, b);
    double u[3], x[3], r[3], w[3], Jw[3] = {0, 0, 0}, spin[3], orbit[3];
    hol__mul3(pose.R, body->com, u);
    hol__add3(pose.r, u, r);
    hol__cross3(twist.omega, u, x);
    for (int k = 0; k < 3; k++) P[k] = body->mass * (twist.v[k] + x[k]);
    hol__mul3_t(pose.R, twist.omega, w);
    if (model->dim == 2)
        Jw[2] = body->inertia * w[2];
    else
        hol__mul3(body->J, w, Jw);
    hol__mul3(pose.R, Jw, spin);
    hol__cross3(r, P, orbit);
    hol__add3(orbit, spin, L);
}

/* omega' = J^-1 (-omega x J omega) */
static void euler_rate(const double *J, const double *w, double *wdot) {
    double B[9], Jw[3], gyro[3];
    memcpy(B, J, sizeof B);
    hol__mul3(J, w, Jw);
    hol__cross3(Jw, w, gyro);
    solve_dense(3, B, gyro, wdot);
}

/* Euler's equations by the classical Runge-Kutta method with steps of 1/2000: errors of h^4 =
 * 6e-14. */
static void euler_run(const double *J, double *w, double time) {
    const int steps = (int)ceil(2000 * time);
    const double h = time / steps;
    for (int i = 0; i < steps; i++) {
        double k[4][3], at[3];
        for (int stage = 0; stage < 4; stage++) {
            const double part = stage == 0 ? 0 : stage == 3 ? h : h / 2;
            for (int j = 0; j < 3; j++) at[j] = w[j] + (stage ? part * k[stage - 1][j] : 0);
            euler_rate(J, at, k[stage]);
        }
        for (int j = 0; j < 3; j++) w[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

/* Free bodies at tolerance 1e-10 over some turns: momenta and energy keep nine digits, and angular
 * velocities in the body follow Euler's equations. */
static void test_free_bodies(void **state) {
    const hol__coords *set;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; (set = hol__coords_get(s)); s++) {
        mech m = open_set(set);
        hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
        if (!sim) fail_with_messages(m.ctx, "free bodies");
        hol_data *data = hol_sim_data(sim);
        double P0[BODIES][3], L0[BODIES][3], w[BODIES][3];
        for (int b = 0; b < BODIES; b++) {
            momentum(data, b, P0[b], L0[b]);
            memcpy(w[b], m.model->bodies[b].w, sizeof w[b]);
        }
        const double T0 = energy_of(data).kinetic;
        for (int k = 1; k <= 8; k++) {
            assert_int_equal(hol_sim_advance(sim, 0.5 * k), HOL_OK);
            check_close(energy_of(data).kinetic, T0, 1e-9, "energy", set->name);
            for (int b = 0; b < BODIES; b++) {
                double P[3], L[3];
                momentum(data, b, P, L);
                for (int i = 0; i < 3; i++) {
                    check_close(P[i], P0[b][i], 1e-9, "momentum", set->name);
                    check_close(L[i], L0[b][i], 1e-9, "angular momentum", set->name);
                }
                if (set->space != HOL_SPATIAL) continue;
                euler_run(m.model->bodies[b].J, w[b], 0.5);
                for (int i = 0; i < 3; i++)
                    check_close(data->bodies.b3[b].w[i], w[b][i], 1e-8, "Euler's equations",
                                set->name);
            }
        }
        hol_sim_free(sim);
        mech_close(&m);
    }
}

/* Q without forces is the gyroscopic term alone, at any state; in natural coordinates nothing, and
 * Euler's equations come with the constraints (test_free_bodies). */
static void test_gyroscopic(void **state) {
    uint64_t seed = 1181783497276652981u;
    const hol__coords *set;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; (set = hol__coords_get(s)); s++) {
        mech m = open_set(set);
        for (int trial = 0; trial < 10; trial++) {
            double a[MAX_V], power = 0;
            mech_random(&m, &seed);
            hol_data_update(m.data, HOL_STAGE_DYN);
            for (int i = 0; m.model->items && i < m.model->nv; i++) assert_true(m.data->Q[i] == 0);
            if (m.model->items) continue;
            free_acceleration(m.data, a);
            for (int i = 0; i < m.model->nv; i++) power += m.data->Q[i] * m.data->v[i];
            memcpy(m.data->a, a, sizeof(double) * (size_t)m.model->nv);
            hol__data_accelerations(m.data);
            check_close(power, 0, 1e-14, "power of the inertia terms", set->name);
            for (int b = 0; b < m.model->nb; b++) {
                const int w = m.model->bw;
                for (int k = 0; k < m.model->dim; k++) assert_true(m.data->acc[w * b + k] == 0);
                if (set->space != HOL_SPATIAL) {
                    assert_true(m.data->acc[w * b + 2] == 0);
                    continue;
                }
                double expected[3];
                euler_rate(m.model->bodies[b].J, m.data->bodies.b3[b].w, expected);
                for (int k = 0; k < 3; k++)
                    check_close(m.data->acc[6 * b + 3 + k], expected[k], 1e-14, "omega'",
                                set->name);
            }
        }
        mech_close(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plus_minus),     cmocka_unit_test(test_zero_increment),
        cmocka_unit_test(test_rate),           cmocka_unit_test(test_unit_quaternions),
        cmocka_unit_test(test_kinetic_energy), cmocka_unit_test(test_mass_matrix),
        cmocka_unit_test(test_start),          cmocka_unit_test(test_free_bodies),
        cmocka_unit_test(test_gyroscopic),     cmocka_unit_test(test_rotations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
