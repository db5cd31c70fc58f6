/* test_problems_driven.c: the problems 5/9 and 5/10 of models/gjb (docs/problems), which are about
 * forces: the equations of motion as the pages give them, integrated here, against the models.
 */
#include "model_fixture.h"
#include "problem_equations.h"

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
        cmocka_unit_test(test_5_10),
        cmocka_unit_test(test_5_10_poles),
        cmocka_unit_test(test_5_10_free),
    };
    return run_tests_of_models("tests", tests);
}
