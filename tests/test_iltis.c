/* test_iltis.c: the front suspension of the Iltis over a bump (models/iltis_corner*.yaml, MSF
 * example 4) against equations that are written out here.
 *
 * Seen from the chassis, which moves uniformly, the unknowns are the place r and the orientation of
 * the wheel carrier and the angle a of the A-arm about the x axis, seven velocities; the leaf link
 * and the tie rod have no mass. With s a point of the carrier and R its orientation
 *
 *     r + R s_arm - arm(a) = 0                            3 rows: the outer joint of the A-arm
 *     x of (r + R s_leaf - leaf_in) = 0                   the leaf link turns about the x axis
 *     |r + R s_leaf - leaf_in|^2/2 = const                and has its length,
 *     |r + R s_tie - tie_in|^2/2 = const                  as the tie rod has
 *
 * M a + A^T lambda = Q, A a = c by elimination, integrated by the classical Runge–Kutta formula.
 * With h = 1e-4 s and the bump stop (400 rad/s) its local error is (400 h)^5/120 = 1e-9 of an
 * oscillation of some mm. What counts are kinks, which fall inside steps: at the stop the
 * acceleration of the wheel, moving with 1 m/s, gets a slope of 1e7/57 m/s^3, and a step that takes
 * it wrongly is off by h^2 times that, 2e-3 m/s^2 h^2 = 2e-11 m and 2e-7 m/s, which the stop turns
 * into 2e-7/400 m and the following motion into some 1e-8 m. 1e-7 has a margin of ten.
 */
#include "model_fixture.h"
#include "problem_equations.h"

enum { N = 7, ROWS = 6, STATE = 15 }; /* r, quaternion, a; v, omega (body), a' */

typedef double point[3];

/* Points of the benchmark, x from the axle. */
static const point arm_in = {0, -0.259, 0.302}, arm_out = {0, -0.572, 0.229},
                   leaf_in = {0, -0.1585, 0.600}, leaf_out = {0, -0.488, 0.531},
                   tie_in = {-0.14, -0.070, 0.600}, tie_out = {-0.14, -0.448, 0.531},
                   shock_in = {0.075, -0.297, 0.632}, shock_out = {0.075, -0.500, 0.241},
                   wheel = {0, -0.615, 0.356}, arm_centre = {0, -0.4155, 0.2655};
static const double m_wheel = 57.35, J_wheel[3] = {1.2402, 1.9080, 1.2402}, m_arm = 6,
                    J_arm = 0.052099;

static void minus(const double *a, const double *b, double *out) {
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

/* A point of the carrier or the arm: where it is, how it moves, its velocities by those of the
 * system (3 x N) and the acceleration that they leave out. */
typedef struct place {
    double at[3], v[3], by[3][N], bias[3];
} place;

/* The point of the carrier that is drawn there. */
static void on_carrier(const double *y, const point drawn, place *out) {
    double s[3], w[3], d[3], wd[3];
    *out = (place){.at = {0}};
    minus(drawn, wheel, s);
    turned(y + 3, s, d);
    turned(y + 3, y + 11, w); /* omega, global */
    cross(w, d, wd);
    cross(w, wd, out->bias);
    for (int i = 0; i < 3; i++) {
        out->at[i] = y[i] + d[i];
        out->v[i] = y[8 + i] + wd[i];
        out->by[i][i] = 1;
    }
    /* omega_k (body) turns about the axis R e_k */
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        double axis[3], column[3];
        turned(y + 3, e, axis);
        cross(axis, d, column);
        for (int i = 0; i < 3; i++) out->by[i][3 + k] = column[i];
    }
}

/* The point of the arm that is drawn there; the arm turns about the x axis through arm_in. */
static void on_arm(const double *y, const point drawn, place *out) {
    double d[3];
    *out = (place){.at = {0}};
    minus(drawn, arm_in, d);
    const double c = cos(y[7]), s = sin(y[7]), Y = c * d[1] - s * d[2], Z = s * d[1] + c * d[2];
    const double at[3] = {d[0], Y, Z};
    for (int i = 0; i < 3; i++) out->at[i] = arm_in[i] + at[i];
    out->by[1][6] = -Z, out->by[2][6] = Y;
    out->v[1] = -Z * y[14], out->v[2] = Y * y[14];
    out->bias[1] = -Y * y[14] * y[14], out->bias[2] = -Z * y[14] * y[14];
}

/* Q += J^T F of a force at a place. */
static void apply(const place *p, const double *F, double *Q) {
    for (int k = 0; k < N; k++)
        for (int i = 0; i < 3; i++) Q[k] += p->by[i][k] * F[i];
}

/* (53) and (54): the force that pulls the ends of the shock absorber together. */
static double shock_force(double x, double rate) {
    const double spring = -4.0092e6 + 2.8397e7 * x - 6.7061e7 * x * x + 5.2796e7 * x * x * x;
    if (rate < -0.2) return spring - 416.42 + 1844.3 * rate;
    if (rate > 0.21) return spring + 1919.1638 + 1634.727 * rate;
    return spring + 9945.627 * rate + 33955.72 * pow(rate, 2) - 59832.25 * pow(rate, 3) -
           395651.0 * pow(rate, 4);
}

/* The height of the road below the wheel centre: the bump of 5 m begins 5 m ahead of the axle, and
 * steering moves the centre a little along x. */
static double road(double t, double centre) {
    const double x = 5 * t - 5 + centre;
    return x > 0 && x < 5 ? 0.1 * (1 - cos(2 * acos(-1.0) * x / 5)) : 0;
}

static double leaf_deflection(double height) {
    return 2728.9 / 35900 + height - leaf_out[2];
}

/* Weight, shock absorber, leaf spring with its stop, tyre. */
static void forces(double t, const double *y, double *Q) {
    place centre, arm, shock, leaf;
    double along[3], F[3] = {0, 0, 0};
    on_carrier(y, wheel, &centre);
    on_carrier(y, leaf_out, &leaf);
    on_arm(y, arm_centre, &arm);
    on_arm(y, shock_out, &shock);
    F[2] = -m_arm * g;
    apply(&arm, F, Q);
    minus(shock.at, shock_in, along);
    const double length = sqrt(dot(along, along)), rate = dot(along, shock.v) / length,
                 pull = shock_force(length, rate);
    for (int i = 0; i < 3; i++) along[i] *= -pull / length;
    apply(&shock, along, Q);
    const double x = leaf_deflection(leaf.at[2]);
    F[2] = -35900 * x - 1e7 * fmax(0, x - 0.145);
    apply(&leaf, F, Q);
    F[2] = 460000 * fmax(0, 0.364325 - (centre.at[2] - road(t, centre.at[0]))) - m_wheel * g;
    apply(&centre, F, Q);
}

/* A row of a constraint on the place: u . (acceleration) = -u . bias + extra. */
static void add_row(const place *p, const double *u, double extra, double *A, double *c) {
    for (int k = 0; k < N; k++) {
        A[k] = 0;
        for (int i = 0; i < 3; i++) A[k] += u[i] * p->by[i][k];
    }
    *c = extra - dot(u, p->bias);
}

/* A and c of the six constraints. */
static void constraints(const double *y, double A[ROWS * N], double c[ROWS]) {
    static const double x_axis[3] = {1, 0, 0};
    place joint, arm, leaf, tie;
    double u[3];
    on_carrier(y, arm_out, &joint);
    on_arm(y, arm_out, &arm);
    on_carrier(y, leaf_out, &leaf);
    on_carrier(y, tie_out, &tie);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < N; k++) A[N * i + k] = joint.by[i][k] - arm.by[i][k];
        c[i] = arm.bias[i] - joint.bias[i];
    }
    add_row(&leaf, x_axis, 0, A + N * 3, c + 3);
    minus(leaf.at, leaf_in, u);
    add_row(&leaf, u, -dot(leaf.v, leaf.v), A + N * 4, c + 4);
    minus(tie.at, tie_in, u);
    add_row(&tie, u, -dot(tie.v, tie.v), A + N * 5, c + 5);
}

static void suspension(double t, const double *y, double *ydot) {
    const double *p = y + 3, *w = y + 11,
                 d = hypot(arm_centre[1] - arm_in[1], arm_centre[2] - arm_in[2]);
    double M[N * N] = {0}, A[ROWS * N], Q[N] = {0}, c[ROWS], Jw[3], gyro[3];
    for (int i = 0; i < 3; i++) {
        M[N * i + i] = m_wheel;
        M[N * (3 + i) + 3 + i] = J_wheel[i];
        Jw[i] = J_wheel[i] * w[i];
    }
    M[N * 6 + 6] = J_arm + m_arm * d * d;
    cross(w, Jw, gyro);
    for (int i = 0; i < 3; i++) Q[3 + i] -= gyro[i];
    forces(t, y, Q);
    constraints(y, A, c);
    for (int i = 0; i < 3; i++) ydot[i] = y[8 + i];
    turning(p, w, ydot + 3);
    ydot[7] = y[14];
    multipliers(N, ROWS, M, A, Q, c, ydot + 8);
}

/* The motion of the model at t against that of the equations. */
static void check_state(run *r, double t, const double *y, double tolerance) {
    place leaf, shock;
    double along[3];
    on_carrier(y, leaf_out, &leaf);
    on_arm(y, shock_out, &shock);
    minus(shock.at, shock_in, along);
    check_near("wheel.x", run_measure(r, "wheel.x") - 0.97 - 5 * t, y[0], tolerance);
    check_near("wheel.y", run_measure(r, "wheel.y"), y[1], tolerance);
    check_near("wheel.z", run_measure(r, "wheel.z"), y[2], tolerance);
    check_near("leaf", run_measure(r, "leaf_deflection"), leaf_deflection(leaf.at[2]), tolerance);
    check_near("arm", run_measure(r, "arm_angle"), y[7], tolerance);
    check_near("shock", run_measure(r, "shock"), sqrt(dot(along, along)), tolerance);
}

/* The links without mass are exactly the equations. Bodies of 0.1 g on 57 kg shift the weight by
 * 2e-6 of itself, hence the rest by 2e-9 m. */
static void test_motion(void **state) {
    (void)state;
    double y[MAX_STATE] = {wheel[0], wheel[1], wheel[2], 1};
    run links = run_open("iltis_corner_links", "tolerance=1e-10 output=0.25"),
        light = run_open("iltis_corner", "tolerance=1e-10 output=0.25");
    double stop = 0;
    for (int i = 1; i <= 24; i++) {
        const double t = 0.25 * i;
        integrate_by(suspension, STATE, 1e-4, t - 0.25, t, y);
        run_to(&links, t);
        run_to(&light, t);
        check_state(&links, t, y, 1e-7);
        check_state(&light, t, y, 1e-7);
        stop = fmax(stop, run_measure(&links, "leaf_deflection"));
    }
    /* the wheel went up the bump, so far that the stop was near or hit at these instants */
    assert_true(stop > 0.14);
    run_close(&links);
    run_close(&light);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_motion)};
    return run_tests_of_models("tests", tests);
}
