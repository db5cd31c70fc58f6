/* test_rigid_stack.c: boxes that slip on four corners: when they begin to, how they turn, which of
 * two contacts gives way first, and how often contacts switch meanwhile.
 *
 * The four corners of a box share its weight as equal springs would, N_i = a + b x_i + c y_i: the
 * least of all pushes with their sum and moments. With that the motion is compared with equations
 * written out here: sliding by RK4, the beginning of slip by the centre about which it turns, and
 * both by Moreau's time stepping, in which corners stick and slide without being told to.
 */
#include "model_fixture.h"

#include <math.h>

static const double g = 9.81;

static const char *const sets[] = {"simulation.coordinates=reference",
                                   "simulation.coordinates=natural",
                                   "simulation.coordinates=relative"};
enum { N_SETS = 3, CORNERS = 4 };

/* ---- a box that slides on its lower face, by itself ---- */

typedef struct box {
    double mass, inertia, half[2], height; /* about z; of the lower face; of the mass centre */
    double mu;
} box;

/* Where corner i is from the centre when the box has turned by `turn`. */
static void corner_of(const box *b, double turn, int i, double r[2]) {
    const double x = i & 1 ? b->half[0] : -b->half[0], y = i & 2 ? b->half[1] : -b->half[1];
    r[0] = cos(turn) * x - sin(turn) * y;
    r[1] = sin(turn) * x + cos(turn) * y;
}

/* Solve three equations by elimination. */
static void solve3(double a[3][4], double x[3]) {
    for (int k = 0; k < 3; k++) {
        int best = k;
        for (int i = k; i < 3; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        for (int j = 0; j < 4; j++) {
            const double kept = a[k][j];
            a[k][j] = a[best][j], a[best][j] = kept;
        }
        for (int i = 0; i < 3; i++)
            for (int j = 3; i != k && j >= k; j--) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    for (int k = 0; k < 3; k++) x[k] = a[k][3] / a[k][k];
}

/* N of the corners: sum m g, and with forces F per corner at the floor and a pull at the height of
 * the mass centre no moment about x and y: sum y N = -h sum F_y, sum x N = -h sum F_x. */
static void spread(const box *b, double r[CORNERS][2], const double F[2], double N[CORNERS]) {
    double a[3][4] = {{0, 0, 0, b->mass * g},
                      {0, 0, 0, -b->height * F[0]},
                      {0, 0, 0, -b->height * F[1]}},
           x[3];
    for (int i = 0; i < CORNERS; i++) {
        const double row[3] = {1, r[i][0], r[i][1]};
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) a[j][k] += row[j] * row[k];
    }
    solve3(a, x);
    for (int i = 0; i < CORNERS; i++) N[i] = x[0] + x[1] * r[i][0] + x[2] * r[i][1];
}

/* N and the friction of corners that slide along d: both follow from each other. */
static void rub(const box *b, double r[CORNERS][2], double d[CORNERS][2], double N[CORNERS],
                double F[CORNERS][2]) {
    for (int i = 0; i < CORNERS; i++) N[i] = b->mass * g / CORNERS;
    for (int round = 0; round < 60; round++) {
        double sum[2] = {0, 0};
        for (int i = 0; i < CORNERS; i++)
            for (int k = 0; k < 2; k++) {
                F[i][k] = -b->mu * N[i] * d[i][k];
                sum[k] += F[i][k];
            }
        spread(b, r, sum, N);
    }
}

/* x, y, turn and their rates: the box slides with no pull. */
static void slide_rate(const box *b, const double y[6], double out[6]) {
    double r[CORNERS][2], d[CORNERS][2], N[CORNERS], F[CORNERS][2];
    for (int i = 0; i < CORNERS; i++) {
        corner_of(b, y[2], i, r[i]);
        d[i][0] = y[3] - y[5] * r[i][1], d[i][1] = y[4] + y[5] * r[i][0];
        const double speed = hypot(d[i][0], d[i][1]);
        d[i][0] /= speed, d[i][1] /= speed;
    }
    rub(b, r, d, N, F);
    for (int k = 0; k < 3; k++) out[k] = y[3 + k], out[3 + k] = 0;
    for (int i = 0; i < CORNERS; i++) {
        out[3] += F[i][0] / b->mass, out[4] += F[i][1] / b->mass;
        out[5] += (r[i][0] * F[i][1] - r[i][1] * F[i][0]) / b->inertia;
    }
}

/* A box that slides and turns on a floor. */
static void test_turning_box(void **unused) {
    const box b = {
        .mass = 1.3, .inertia = 0.0153, .half = {0.125, 0.1}, .height = 0.075, .mu = 0.3};
    double y[6] = {0, 0, 0, 1.3, 0.2, 4.2}, k[4][6], x[6];
    static const double at[] = {0, 0.5, 0.5, 1};
    const double end = 0.31, h = end / 4000;
    (void)unused;
    for (int n = 0; n < 4000; n++) {
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 6; i++) x[i] = y[i] + (s ? at[s] * h * k[s - 1][i] : 0);
            slide_rate(&b, x, k[s]);
        }
        for (int i = 0; i < 6; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    for (int set = 0; set < N_SETS; set++) {
        run r = run_text("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                         "  box: {mass: 1.3, inertia: [0.01, 0.012, 0.0153], position: [0, 0, "
                         "0.075], velocity: [1.3, 0.2, 0], omega: [0, 0, 4.2]}\njoints:\n"
                         "  floor: {type: rigid_contact, bodies: [ground, box], friction: 0.3, "
                         "shapes: [{type: plane, normal: [0, 0, 1]}, {type: box, size: [0.25, 0.2, "
                         "0.15]}]}\nmeasures:\n  p: {type: position, body: box}\n"
                         "  v: {type: velocity, body: box}\n"
                         "  w: {type: angular_velocity, body: box}\n"
                         "simulation: {end: 0.31, tolerance: 1e-10, output: 0.1}\n",
                         sets[set]);
        run_whole(&r);
        check_near("x", run_measure(&r, "p.x"), y[0], 1e-9);
        check_near("y", run_measure(&r, "p.y"), y[1], 1e-9);
        check_near("vx", run_measure(&r, "v.x"), y[3], 1e-8);
        check_near("vy", run_measure(&r, "v.y"), y[4], 1e-8);
        check_near("turning", run_measure(&r, "w.z"), y[5], 1e-7);
        assert_int_equal(sim_info(r.sim).switches, 1);
        run_close(&r);
    }
}

/* ---- a box on a box, pulled off its middle ---- */

static const box upper = {
    .mass = 1, .inertia = 0.015, .half = {0.125, 0.1}, .height = 0.075, .mu = 0.3};
static const double pull[2] = {4, 1}, pulled[2] = {0, 0.04}; /* N/s, at; from the mass centre */

/* Of friction against turning about c, with the pull of time t: what is left of forces and
 * moment. */
static void left_at(const double x[3], double out[3]) {
    double r[CORNERS][2], d[CORNERS][2], N[CORNERS], F[CORNERS][2];
    for (int i = 0; i < CORNERS; i++) {
        corner_of(&upper, 0, i, r[i]);
        d[i][0] = r[i][1] - x[1], d[i][1] = -(r[i][0] - x[0]); /* it turns to the right */
        const double size = hypot(d[i][0], d[i][1]);
        d[i][0] /= size, d[i][1] /= size;
    }
    rub(&upper, r, d, N, F);
    out[0] = x[2] * pull[0], out[1] = x[2] * pull[1];
    out[2] = x[2] * (pulled[0] * pull[1] - pulled[1] * pull[0]);
    for (int i = 0; i < CORNERS; i++) {
        out[0] += F[i][0], out[1] += F[i][1];
        out[2] += r[i][0] * F[i][1] - r[i][1] * F[i][0];
    }
}

/* When the pull is the most that friction holds, by Newton's iteration over the centre and t. */
static double slips_at(void) {
    double x[3] = {0.02, -0.1, 0.6};
    for (int round = 0; round < 200; round++) {
        double a[3][4], F[3], next[3], dx[3];
        left_at(x, F);
        for (int j = 0; j < 3; j++) {
            const double kept = x[j];
            x[j] += 1e-7;
            left_at(x, next);
            x[j] = kept;
            for (int i = 0; i < 3; i++) a[i][j] = (next[i] - F[i]) / 1e-7;
        }
        for (int i = 0; i < 3; i++) a[i][3] = -F[i];
        solve3(a, dx);
        for (int i = 0; i < 3; i++) x[i] += (round < 150 ? 0.1 : 1) * dx[i];
    }
    double F[3];
    left_at(x, F);
    assert_true(fabs(F[0]) + fabs(F[1]) + fabs(F[2]) < 1e-9);
    return x[2];
}

/* Moreau's time stepping: positions at mid-step, impulses of friction within mu N h, against the
 * speeds after the step; N from the frictions of the last round. */
static void step_box(double t, double h, double y[6], double P[CORNERS][2]) {
    const double turn = y[2] + 0.5 * h * y[5], mid = t + 0.5 * h,
                 force[2] = {mid * pull[0], mid * pull[1]};
    const double at[2] = {cos(turn) * pulled[0] - sin(turn) * pulled[1],
                          sin(turn) * pulled[0] + cos(turn) * pulled[1]};
    double r[CORNERS][2], N[CORNERS], v[3], change = 1;
    for (int i = 0; i < CORNERS; i++) corner_of(&upper, turn, i, r[i]);
    for (int round = 0; round < 2000 && change > 1e-13; round++) {
        double sum[2] = {0, 0};
        change = 0;
        for (int i = 0; i < CORNERS; i++) sum[0] += P[i][0] / h, sum[1] += P[i][1] / h;
        spread(&upper, r, sum, N);
        for (int i = 0; i < CORNERS; i++) {
            for (int k = 0; k < 2; k++) v[k] = y[3 + k] + h * force[k] / upper.mass;
            v[2] = y[5] + h * (at[0] * force[1] - at[1] * force[0]) / upper.inertia;
            for (int j = 0; j < CORNERS; j++) {
                v[0] += P[j][0] / upper.mass, v[1] += P[j][1] / upper.mass;
                v[2] += (r[j][0] * P[j][1] - r[j][1] * P[j][0]) / upper.inertia;
            }
            const double u[2] = {v[0] - v[2] * r[i][1], v[1] + v[2] * r[i][0]};
            double next[2] = {P[i][0] - 0.3 * upper.mass * u[0], P[i][1] - 0.3 * upper.mass * u[1]};
            const double size = hypot(next[0], next[1]), most = upper.mu * h * N[i];
            for (int k = 0; k < 2; k++) {
                if (size > most) next[k] *= most / size;
                change = fmax(change, fabs(next[k] - P[i][k]));
                P[i][k] = next[k];
            }
        }
    }
    for (int k = 0; k < 3; k++) y[k] += 0.5 * h * (y[3 + k] + v[k]), y[3 + k] = v[k];
}

static void step_to(double end, int steps, double y[6]) {
    double P[CORNERS][2] = {{0}};
    for (int n = 0; n < steps; n++) step_box(n * end / steps, end / steps, y, P);
}

static const char stack[] =
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  low: {mass: 3, inertia: [0.05, 0.06, 0.08], position: [0, 0, 0.1]}\n"
    "  top: {mass: 1, inertia: [0.01, 0.012, 0.015], position: [0.03, 0.02, 0.275]}\njoints:\n"
    "  floor: {type: rigid_contact, bodies: [ground, low], friction: 0.5, shapes: [{type: plane, "
    "normal: [0, 0, 1]}, {type: box, size: [0.6, 0.5, 0.2]}]}\n"
    "  between: {type: rigid_contact, bodies: [low, top], friction: 0.3, shapes: [{type: box, "
    "size: "
    "[0.6, 0.5, 0.2]}, {type: box, size: [0.25, 0.2, 0.15]}]}\n"
    "forces:\n  pull: {type: force, body: top, at: [0.03, 0.06, 0.275], force: [4*t, 1*t, 0]}\n"
    "measures:\n  p: {type: position, body: top}\n  q: {type: position, body: low}\n"
    "  w: {type: angular_velocity, body: top}\nsimulation: {end: 0.8, output: 0.1}\n";

/* The same end at any tolerance, in any coordinates: the upper box begins to slip once, when the
 * pull is too much, and turns as it goes. */
static void test_pulled_stack(void **unused) {
    static const struct {
        const char *tolerance;
        int set;
    } cases[] = {{"1e-7", 0}, {"1e-6", 1}, {"1e-8", 2}, {"1e-9", 0}};
    const double t0 = slips_at();
    double first[3] = {0}, coarse[6] = {0}, fine[6] = {0};
    (void)unused;
    step_to(0.8, 2000, coarse);
    step_to(0.8, 4000, fine);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char settings[160];
        snprintf(settings, sizeof settings, "%s simulation.tolerance=%s", sets[cases[k].set],
                 cases[k].tolerance);
        run r = run_text(stack, settings);
        run_to(&r, t0 - 1e-6);
        assert_true(fabs(run_measure(&r, "p.x") - 0.03) < 1e-12);
        assert_int_equal(sim_info(r.sim).switches, 1);
        run_to(&r, t0 + 1e-4);
        assert_true(sim_info(r.sim).switches > 1);
        run_to(&r, 0.8);
        const double end[3] = {run_measure(&r, "p.x"), run_measure(&r, "p.y"),
                               run_measure(&r, "w.z")};
        print_message("slips at %.9f, %ld switches, ends at %.10f %.10f, turns by %.9f/s\n", t0,
                      sim_info(r.sim).switches, end[0], end[1], end[2]);
        assert_int_equal(sim_info(r.sim).switches, 2);
        /* errors of the time stepping are of first order: its extrapolated end is right to the
         * square of its steps over the time in which the slip begins */
        check_near("x by time stepping", end[0] - 0.03, 2 * fine[0] - coarse[0], 2e-6);
        check_near("y by time stepping", end[1] - 0.02, 2 * fine[1] - coarse[1], 2e-6);
        check_near("turning by time stepping", end[2], 2 * fine[5] - coarse[5], 1e-4);
        check_near("low", run_measure(&r, "q.x"), 0, 1e-13);
        for (int i = 0; i < 3; i++) {
            if (k) check_near("the same end", end[i], first[i], i < 2 ? 5e-10 : 3e-8);
            first[i] = k ? first[i] : end[i];
        }
        run_close(&r);
    }
}

/* ---- which contact slips first ---- */

/* Two boxes in line, the upper one pulled by k t at its mass centre: the floor gives way at
 * mu1 M g, and the boxes go together; the upper one slips when what it hands down, P - m2 a with
 * a = (P - mu1 M g)/M, is mu2 m2 g. */
static void test_order_of_slip(void **unused) {
    const double m1 = 3.2, m2 = 1.4, M = m1 + m2, mu1 = 0.1, mu2 = 0.45, k = 6.5, end = 1.4;
    const double t1 = mu1 * M * g / k, t2 = (mu2 * m2 * g - m2 * mu1 * g) * M / m1 / k;
    (void)unused;
    assert_true(t1 < t2 && t2 < end);
    /* together: x' = k/2M (t - t1)^2; apart: the lower one keeps a = (mu2 m2 - mu1 M) g/m1 */
    const double v2 = k / (2 * M) * pow(t2 - t1, 2), x2 = k / (6 * M) * pow(t2 - t1, 3),
                 a1 = (mu2 * m2 - mu1 * M) * g / m1, s = end - t2;
    const double low = x2 + v2 * s + a1 * s * s / 2,
                 top = x2 + v2 * s + (k * t2 / m2 - mu2 * g) * s * s / 2 + k / (6 * m2) * s * s * s;
    for (int set = 0; set < N_SETS; set += 2) {
        char text[2048];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                 "  low: {mass: %g, inertia: [0.05, 0.06, 0.08], position: [0, 0, 0.1]}\n"
                 "  top: {mass: %g, inertia: [0.01, 0.012, 0.015], position: [-1, 0, 0.23]}\n"
                 "joints:\n  floor: {type: rigid_contact, bodies: [ground, low], friction: %g, "
                 "shapes: [{type: plane, normal: [0, 0, 1]}, {type: box, size: [3, 0.5, 0.2]}]}\n"
                 "  between: {type: rigid_contact, bodies: [low, top], friction: %g, shapes: "
                 "[{type: box, size: [3, 0.5, 0.2]}, {type: box, size: [0.4, 0.2, 0.06]}]}\n"
                 "forces:\n  pull: {type: force, body: top, at: [-1, 0, 0.23], "
                 "force: [%g*t, 0, 0]}\nmeasures:\n  p: {type: position, body: top}\n"
                 "  q: {type: position, body: low}\nsimulation: {end: %g, tolerance: 1e-8, output: "
                 "0.2}\n",
                 m1, m2, mu1, mu2, k, end);
        run r = run_text(text, sets[set]);
        run_to(&r, t1 - 1e-6);
        check_near("at rest", run_measure(&r, "q.x"), 0, 1e-13);
        run_to(&r, t2 - 1e-6);
        check_near("together", run_measure(&r, "p.x") + 1, run_measure(&r, "q.x"), 1e-12);
        check_near("as far as", run_measure(&r, "q.x"), x2, 1e-6 * v2 + 1e-9);
        run_to(&r, end);
        check_near("low", run_measure(&r, "q.x"), low, 5e-8);
        check_near("top", run_measure(&r, "p.x") + 1, top, 5e-8);
        /* across the pull there is what the integration leaves: less than its tolerance */
        check_near("in line", run_measure(&r, "p.y"), 0, 1e-8);
        assert_int_equal(sim_info(r.sim).switches, 3);
        run_close(&r);
    }
}

/* ---- near the angle of friction ---- */

/* A block at rest on an incline with mu = tan + more: it stays where mu is not less, and creeps
 * down with g (sin - mu cos) otherwise, slower for all of the run than friction has a direction of
 * its own. Speeds are known to what the tolerance leaves in some hundred steps, so that its way is
 * as well; it neither switches nor goes in steps of rounding. 1e-12 is less than what rounding of
 * the frictions leaves. */
static void test_angle_of_friction(void **unused) {
    static const double more[] = {1e-6, 1e-8, 1e-10, 1e-12, 0, -1e-12, -1e-8, -1e-6};
    const double slope = 20 * 3.14159265358979323846 / 180, tolerance = 1e-9, end = 1;
    (void)unused;
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        const double mu = tan(slope) + more[k],
                     way = more[k] < -1e-11 ? -more[k] * g * cos(slope) * end * end / 2 : 0;
        char text[1024];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\ngravity: [%.17g, 0, %.17g]\nbodies:\n"
                 "  block: {mass: 1.3, inertia: [0.01, 0.012, 0.015], position: [0, 0, 0.1]}\n"
                 "joints:\n  floor: {type: rigid_contact, bodies: [ground, block], friction: "
                 "%.17g, shapes: [{type: plane, normal: [0, 0, 1]}, {type: box, size: [0.3, 0.25, "
                 "0.2]}]}\nmeasures:\n  p: {type: position, body: block}\n"
                 "simulation: {end: %g, tolerance: %g, output: 0.1}\n",
                 g * sin(slope), -g * cos(slope), mu, end, tolerance);
        run r = run_text(text, sets[k % 3]);
        run_whole(&r);
        print_message("%8.1g: %ld steps, %ld evaluations, x %.4g instead of %.4g\n", more[k],
                      sim_info(r.sim).steps, sim_info(r.sim).evaluations, run_measure(&r, "p.x"),
                      way);
        check_near("way", run_measure(&r, "p.x"), way, way > 0 ? 100 * tolerance : 1e-14);
        check_near("across", run_measure(&r, "p.y"), 0, way > 0 ? 100 * tolerance : 1e-14);
        assert_int_equal(sim_info(r.sim).switches, 1);
        assert_true(sim_info(r.sim).steps < 1000 && sim_info(r.sim).evaluations < 20000);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turning_box),
        cmocka_unit_test(test_pulled_stack),
        cmocka_unit_test(test_order_of_slip),
        cmocka_unit_test(test_angle_of_friction),
    };
    return cmocka_run_group_tests_name("rigid_stack", tests, NULL, NULL);
}
