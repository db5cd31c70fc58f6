/* test_gear_train.c: the rotary drive of [PV 6.1] (models/rotary_drive.yaml, docs/problems):
 * speeds, kinetic energy and motion of the model against the closed forms of the paper, which are
 * written out here.
 */
#include "model_fixture.h"

/* Ratios of table 1 and what the model file says of its bodies. */
static const double t1 = -60.0 / 24, t2 = -20.0 / 28, t3 = 76.0 / 28;
static const double I2 = 0.011, I3 = 0.047, I4 = 0.008, I5 = 0.006, I6 = 0.039, m5 = 0.9,
                    delta = 0.096;
static const double Kd1 = 0.09, Kd2 = 0.05, Kr = 0.07, steady[2] = {30, -5}, away[2] = {4, -7};

/* The reduced mass matrix, as printed. */
static void reduced_mass(double M[2][2]) {
    M[0][0] = I2 + (I3 + m5 * delta * delta) / (t1 * t1) + pow((t2 - 1) / t1, 2) * I5 +
              pow((t2 - t3) / (t1 * t3), 2) * I6;
    M[0][1] = M[1][0] = (1 - t2) * t2 / t1 * I5 + (t3 - t2) * t2 / (t1 * t3 * t3) * I6;
    M[1][1] = I4 + I5 * t2 * t2 + t2 * t2 / (t3 * t3) * I6;
}

/* The matrix of the torque-speed lines, as printed. */
static void reduced_slopes(double kd1, double kd2, double K[2][2]) {
    K[0][0] = kd1 + pow((t2 - t3) / (t1 * t3), 2) * Kr;
    K[0][1] = K[1][0] = t2 * (t3 - t2) / (t1 * t3 * t3) * Kr;
    K[1][1] = kd2 + t2 * t2 / (t3 * t3) * Kr;
}

/* x <- exp(-M^-1 K t) x by its power series over 64 parts of the time: with |M^-1 K| t/64 below 0.1
 * twelve terms are exact to rounding. */
static void decay(double kd1, double kd2, double t, double x[2]) {
    double M[2][2], K[2][2];
    reduced_mass(M);
    reduced_slopes(kd1, kd2, K);
    const double det = M[0][0] * M[1][1] - M[0][1] * M[1][0], h = t / 64;
    for (int part = 0; part < 64; part++) {
        double term[2] = {x[0], x[1]};
        for (int n = 1; n <= 12; n++) {
            const double f[2] = {K[0][0] * term[0] + K[0][1] * term[1],
                                 K[1][0] * term[0] + K[1][1] * term[1]};
            term[0] = -h / n * (M[1][1] * f[0] - M[0][1] * f[1]) / det;
            term[1] = -h / n * (M[0][0] * f[1] - M[1][0] * f[0]) / det;
            x[0] += term[0], x[1] += term[1];
        }
    }
}

/* The speeds of the model at a state with these of the driving shafts. */
static void check_speeds(run *r, const double w[2], double tolerance) {
    double M[2][2];
    reduced_mass(M);
    check_near("omega2", run_measure(r, "omega2"), w[0], tolerance);
    check_near("omega3", run_measure(r, "omega3"), w[0] / t1, tolerance);
    check_near("omega4", run_measure(r, "omega4"), w[1], tolerance);
    check_near("omega5", run_measure(r, "omega5"), (1 - t2) / t1 * w[0] + t2 * w[1], tolerance);
    check_near("omega6", run_measure(r, "omega6"), (t3 - t2) / (t1 * t3) * w[0] + t2 / t3 * w[1],
               tolerance);
    check_near("kinetic energy", run_measure(r, "energy.kinetic"),
               (M[0][0] * w[0] * w[0] + 2 * M[0][1] * w[0] * w[1] + M[1][1] * w[1] * w[1]) / 2,
               30 * tolerance);
}

/* The way back to the steady state, in three sets of coordinates. With local errors of 1e-12 in the
 * angles over a thousand steps, speeds up to 35 rad/s are good for some 1e-10. */
static void test_motion(void **state) {
    (void)state;
    static const char *const settings[] = {"tolerance=1e-12 output=0.25",
                                           "tolerance=1e-12 output=0.25 coordinates=natural",
                                           "tolerance=1e-12 output=0.25 coordinates=relative"};
    for (int k = 0; k < 3; k++) {
        run r = run_open("rotary_drive", settings[k]);
        double x[2] = {away[0], away[1]};
        for (int i = 0; i <= 4; i++) {
            run_to(&r, 0.25 * i);
            if (i > 0) decay(Kd1, Kd2, 0.25, x);
            const double w[2] = {steady[0] + x[0], steady[1] + x[1]};
            check_speeds(&r, w, 1e-9);
        }
        run_close(&r);
    }
}

/* Motors whose torque rises with their speed, which is how (35) and (36) are printed: the printed
 * matrix with the opposite sign of Kd, and the drive runs away. */
static void test_rising_motors(void **state) {
    (void)state;
    run r = run_open("rotary_drive", "tolerance=1e-12 output=0.25 kd1=-0.09 kd2=-0.05");
    double x[2] = {away[0], away[1]};
    run_to(&r, 1);
    decay(-Kd1, -Kd2, 1, x);
    const double w[2] = {steady[0] + x[0], steady[1] + x[1]};
    assert_true(fabs(x[0]) > 2 * fabs(away[0]));
    check_speeds(&r, w, 1e-8);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_rising_motors),
    };
    return run_tests_of_models("tests", tests);
}
