/* test_problems_driven.c: the problems 5/9 and 5/10 of models/gjb (docs/problems), which are about
 * forces: the equations of motion as the pages give them, integrated here, against the models.
 */
#include "model_fixture.h"
#include "problem_equations.h"

/* ---- problem 5/9: the satellite ---- */

/* Legs P1 -> P2, u1, u2 and mass centre in the frame of the satellite, which is drawn along the
 * global axes; inertia about the mass centre; the rotor turns about u2. */
static const double leg[3][3] = {{1.5, 0, 0}, {0, 1, 0}, {0.28, 0, 0.96}};
static const double mass = 120, s_G[3] = {0.75, 0.02, -0.03}, spin_momentum = 0.06 * 150;
static const double J_G[3][3] = {{40, 1.5, -2}, {1.5, 55, 0.8}, {-2, 0.8, 70}};
static const double omega_0[3] = {0.11, 0.27, -0.08}, v1_0[3] = {0.02, -0.01, 0.03};

/* The reciprocal vectors e_k of three vectors d_k: e_j . d_k = 1 for j = k, else 0. */
static void reciprocal(const double d[3][3], double e[3][3]) {
    for (int k = 0; k < 3; k++) {
        cross(d[(k + 1) % 3], d[(k + 2) % 3], e[k]);
        const double volume = dot(e[k], d[k]);
        for (int i = 0; i < 3; i++) e[k][i] /= volume;
    }
}

/* M over (r1, r2, u1, u2): the 4 x 4 matrix m times the unit matrix, from mbar = X^-1 m s and
 * Z = X^-1 S X^-T with S the second moments about point 1. The rows of X^-1 are the reciprocal
 * vectors. */
static void satellite_mass(double M[144]) {
    double e[3][3], mbar[3], Z[3][3], trace = 0;
    reciprocal(leg, e);
    for (int i = 0; i < 3; i++) trace += J_G[i][i] / 2;
    for (int a = 0; a < 3; a++) {
        mbar[a] = mass * dot(e[a], s_G);
        for (int b = 0; b < 3; b++) {
            Z[a][b] = mass * dot(e[a], s_G) * dot(e[b], s_G) + trace * dot(e[a], e[b]);
            for (int i = 0; i < 3; i++) Z[a][b] -= e[a][i] * dot(J_G[i], e[b]);
        }
    }
    const double m[4][4] = {
        {mass - 2 * mbar[0] + Z[0][0], mbar[0] - Z[0][0], mbar[1] - Z[0][1], mbar[2] - Z[0][2]},
        {mbar[0] - Z[0][0], Z[0][0], Z[0][1], Z[0][2]},
        {mbar[1] - Z[0][1], Z[0][1], Z[1][1], Z[1][2]},
        {mbar[2] - Z[0][2], Z[0][2], Z[1][2], Z[2][2]}};
    memset(M, 0, 144 * sizeof *M);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int i = 0; i < 3; i++) M[12 * (3 * a + i) + 3 * b + i] = m[a][b];
}

/* The legs d_k of q = (r1, r2, u1, u2), or their rates. */
static void legs_of(const double *q, double d[3][3]) {
    for (int i = 0; i < 3; i++) d[0][i] = q[3 + i] - q[i], d[1][i] = q[6 + i], d[2][i] = q[9 + i];
}

/* The equivalent forces of the rotor: with T = -I W u2', f_k = T x e_k / 2 on leg k. */
static void rotor_forces(const double *q, const double *v, double Q[12]) {
    double d[3][3], e[3][3], T[3];
    legs_of(q, d);
    reciprocal(d, e);
    for (int i = 0; i < 3; i++) T[i] = -spin_momentum * v[9 + i];
    for (int k = 0; k < 3; k++) {
        cross(T, e[k], Q + 3 + 3 * k);
        for (int i = 0; i < 3; i++) Q[3 + 3 * k + i] /= 2;
    }
    for (int i = 0; i < 3; i++) Q[i] = -Q[3 + i];
}

/* States q and v: multipliers of the six products d_a . d_b. */
static void satellite(double t, const double *y, double *ydot) {
    (void)t;
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    double M[144], Q[12], A[72] = {0}, c[6], d[3][3], w[3][3];
    satellite_mass(M);
    rotor_forces(y, y + 12, Q);
    legs_of(y, d);
    legs_of(y + 12, w);
    for (int k = 0; k < 6; k++) {
        const int a = pair[k][0], b = pair[k][1];
        for (int i = 0; i < 3; i++) {
            A[12 * k + 3 + 3 * a + i] += d[b][i];
            A[12 * k + 3 + 3 * b + i] += d[a][i];
            A[12 * k + i] -= (a == 0) * d[b][i] + (b == 0) * d[a][i];
        }
        c[k] = -2 * dot(w[a], w[b]);
    }
    memcpy(ydot, y + 12, 12 * sizeof *y);
    multipliers(12, 6, M, A, Q, c, ydot + 12);
}

/* The gyrostat: J omega' + omega x (J omega + h) = 0 in the frame of the satellite, and the unit
 * quaternion of its orientation. States omega, p. */
static void gyrostat(double t, const double *y, double *ydot) {
    (void)t;
    const double *w = y, *p = y + 3;
    double S[MAX_SYSTEM][MAX_SYSTEM] = {{0}}, L[3], minus[3];
    for (int i = 0; i < 3; i++) {
        L[i] = dot(J_G[i], w) + spin_momentum * leg[2][i];
        for (int j = 0; j < 3; j++) S[i][j] = J_G[i][j];
    }
    cross(L, w, minus);
    solve(3, S, minus);
    memcpy(ydot, minus, sizeof minus);
    turning(p, w, ydot + 3);
}

/* The start: v of the items from the angular velocity and the velocity of point 1. */
static void satellite_start(double y[24]) {
    memset(y, 0, 24 * sizeof *y);
    memcpy(y + 3, leg, sizeof leg);
    for (int k = 0; k < 3; k++) cross(omega_0, leg[k], y + 15 + 3 * k);
    for (int i = 0; i < 3; i++) y[12 + i] = v1_0[i], y[15 + i] += v1_0[i];
}

/* The items (r1, r2, u1, u2) of the gyrostat at t, whose mass centre moves uniformly. */
static void gyrostat_items(double t, const double *y, double q[12]) {
    double v_G[3], s[3];
    cross(omega_0, s_G, v_G);
    turned(y + 3, s_G, s);
    for (int i = 0; i < 3; i++) q[i] = s_G[i] + (v1_0[i] + v_G[i]) * t - s[i];
    for (int k = 0; k < 3; k++) turned(y + 3, leg[k], q + 3 + 3 * k);
    for (int i = 0; i < 3; i++) q[3 + i] += q[i];
}

/* The model has the coordinates of the problem, and its motion is that of the natural equations
 * with equivalent forces and that of the gyrostat. */
static void test_5_9(void **state) {
    (void)state;
    double y[MAX_STATE], z[MAX_STATE] = {omega_0[0], omega_0[1], omega_0[2], 1}, q[12];
    run r = run_open("gjb/problem_5_9", "tolerance=1e-12 output=1");
    satellite_start(y);
    assert_int_equal(model_info(r.model).n_v, 12);
    assert_int_equal(model_info(r.model).n_constraints, 6);
    for (int t = 1; t <= 5; t++) {
        integrate(satellite, 24, t - 1, t, y);
        integrate(gyrostat, 7, t - 1, t, z);
        gyrostat_items(t, z, q);
        run_to(&r, t);
        const double *now = hol_data_q(hol_sim_data(r.sim));
        for (int i = 0; i < 12; i++) {
            check_near("natural coordinates", now[i], y[i], exact);
            check_near("gyrostat", now[i], q[i], exact);
        }
    }
    run_close(&r);
}

/* M of the model is that of the formula, and its forces are equivalent to ours: the same power in
 * every motion of the rigid satellite, R^T Q. They need not be equal, for forces along the rows of
 * A are taken up by the multipliers. Products of numbers up to 120 round to some 1e-13. */
static void test_5_9_forces(void **state) {
    (void)state;
    double M[144], M_model[144], Q[12], Q_model[12], R[72];
    run r = run_open("gjb/problem_5_9", "tolerance=1e-12 output=1");
    run_to(&r, 2);
    hol_data *data = hol_sim_data(r.sim);
    assert_int_equal(hol_data_term(data, HOL_TERM_M, M_model, 144), HOL_OK);
    assert_int_equal(hol_data_term(data, HOL_TERM_Q, Q_model, 12), HOL_OK);
    assert_int_equal(hol_data_term(data, HOL_TERM_R, R, 72), HOL_OK);
    satellite_mass(M);
    rotor_forces(hol_data_q(data), hol_data_v(data), Q);
    for (int i = 0; i < 144; i++) check_near("M", M_model[i], M[i], 1e-12);
    for (int k = 0; k < 6; k++) {
        double model = 0, ours = 0;
        for (int i = 0; i < 12; i++)
            model += R[6 * i + k] * Q_model[i], ours += R[6 * i + k] * Q[i];
        check_near("R^T Q", model, ours, 1e-12);
    }
    run_close(&r);
}

/* ---- problem 5/10: states psi1, psi2 and their rates ---- */

static const double gains[4] = {-104.92147554, -32.56627676, -35.60949711, -14.59522596};

/* The feedback M = -k . x. */
static double feedback(const double *x) {
    double M = 0;
    for (int i = 0; i < 4; i++) M -= gains[i] * x[i];
    return M;
}

/* Both rods uniform with m = 1 kg and L = 1 m, angles from the vertical: -M on rod 1, +M on rod 2.
 */
static void two_rods(double t, const double *y, double *ydot) {
    (void)t;
    const double c = cos(y[0] - y[1]) / 2, s = sin(y[0] - y[1]) / 2, M = feedback(y);
    const double J[4] = {4.0 / 3, c, c, 1.0 / 3};
    const double Q[2] = {-s * y[3] * y[3] + 1.5 * g * sin(y[0]) - M,
                         s * y[2] * y[2] + 0.5 * g * sin(y[1]) + M};
    ydot[0] = y[2], ydot[1] = y[3];
    multipliers(2, 0, J, NULL, Q, NULL, ydot + 2);
}

/* The motion in three sets of coordinates is that of the equations in psi1 and psi2, and ends
 * upright: the slowest pole is -3 1/s, so after 6 s some exp(-18) of the start remains. */
static void test_5_10(void **state) {
    (void)state;
    static const char *const settings[] = {"tolerance=1e-12 output=1",
                                           "tolerance=1e-12 output=1 coordinates=reference",
                                           "tolerance=1e-12 output=1 coordinates=natural"};
    for (int k = 0; k < 3; k++) {
        const double start = 3 * acos(-1.0) / 180;
        double y[MAX_STATE] = {start, -start};
        run r = run_open("gjb/problem_5_10", settings[k]);
        for (int t = 1; t <= 6; t++) {
            integrate(two_rods, 4, t - 1, t, y);
            run_to(&r, t);
            check_near("psi1", run_measure(&r, "psi1"), y[0], exact);
            check_near("psi2", run_measure(&r, "psi2"), y[1], exact);
            check_near("M", run_measure(&r, "M"), feedback(y), 200 * exact);
            check_near("torque at A", run_measure(&r, "at_A.mz"), 0, exact);
        }
        assert_true(fabs(y[0]) < 1e-5 && fabs(y[1]) < 1e-5);
        run_close(&r);
    }
}

/* det(lambda^2 J - K + B k (1, lambda)) of the linearised rods, with B = (-1, 1). */
static double characteristic(double lambda) {
    double S[2][2] = {{4.0 / 3, 0.5}, {0.5, 1.0 / 3}};
    static const double K[2] = {1.5 * 9.81, 0.5 * 9.81}, B[2] = {-1, 1};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            S[i][j] = S[i][j] * lambda * lambda + B[i] * (gains[j] + gains[2 + j] * lambda);
            if (i == j) S[i][j] -= K[i];
        }
    return S[0][0] * S[1][1] - S[0][1] * S[1][0];
}

/* The poles are where the page says: a quartic with the factor det J = 7/36 has no others. The
 * gains have 10 digits, and det is made of terms up to 1e4. */
static void test_5_10_poles(void **state) {
    (void)state;
    static const double poles[4] = {-3, -3.5, -4, -4.5};
    for (int i = 0; i < 4; i++) check_near("pole", characteristic(poles[i]), 0, 1e-5);
    double at_zero = 7.0 / 36;
    for (int i = 0; i < 4; i++) at_zero *= poles[i];
    check_near("det at 0", characteristic(0), at_zero, 1e-5);
}

/* Without the actuator the rods fall, and the energy is kept: joint A does no work. */
static void test_5_10_free(void **state) {
    (void)state;
    run r = run_open("gjb/problem_5_10", "k1=0 k2=0 k3=0 k4=0 tolerance=1e-10");
    run_to(&r, 3);
    assert_true(fabs(run_measure(&r, "psi2")) > 0.5);
    check_near("work", run_measure(&r, "energy.work"), 0, 1e-12);
    assert_true(sim_info(r.sim).relative_energy_error < 1e-7);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_5_9),       cmocka_unit_test(test_5_9_forces),
        cmocka_unit_test(test_5_10),      cmocka_unit_test(test_5_10_poles),
        cmocka_unit_test(test_5_10_free),
    };
    return run_tests_of_models("tests", tests);
}
