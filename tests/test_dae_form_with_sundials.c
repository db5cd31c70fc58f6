/* test_dae_form_with_sundials.c: the forms of the constrained equations (form/dae_form.h) as
 * integrated by IDA and Radau, against an independent integration.
 *
 * The four-bar drawn apart starts off its constraints, Phi_0 != 0. Its second derivatives know
 * nothing of that: with A v' = c the exact solution has Phi = Phi_0 + psi_0 t, psi = psi_0, and a
 * correction that were lent would show at once. With A v = b, from rest, Phi = Phi_0.
 *
 * The same equations are written out here, M v' + A^T lambda = Q, A v' = c in x, y and angle of
 * three bars and eight rows of four pins, and integrated in plain loops (problem_equations.h).
 */
#include "model_fixture.h"
#include "problem_equations.h"

enum { BODIES = 3, N = 3 * BODIES, ROWS = 8 };

/* A pin between the points that lie at a from the first body's mass centre and b from the
 * second's, in their own axes; body -1: the ground. */
typedef struct pin {
    int first, second;
    double a[2], b[2];
} pin;

typedef struct bars {
    double mass[BODIES], inertia[BODIES];
    pin pins[4];
    double q[N], v[N];
} bars;

/* ---- the independent integration ---- */

/* Phi, A and c of one pin: points r + R(angle) a of both sides are the same. */
static void put_pin(const pin *p, int row, const double *q, const double *v, double *Phi,
                    double A[ROWS][N], double *c) {
    for (int side = 0; side < 2; side++) {
        const int body = side ? p->second : p->first;
        const double *a = side ? p->b : p->a, sign = side ? -1 : 1;
        const double angle = body < 0 ? 0 : q[3 * body + 2], rate = body < 0 ? 0 : v[3 * body + 2];
        const double x = cos(angle) * a[0] - sin(angle) * a[1],
                     y = sin(angle) * a[0] + cos(angle) * a[1];
        Phi[row] += sign * (x + (body < 0 ? 0 : q[3 * body]));
        Phi[row + 1] += sign * (y + (body < 0 ? 0 : q[3 * body + 1]));
        if (body < 0) continue;
        A[row][3 * body] = A[row + 1][3 * body + 1] = sign;
        A[row][3 * body + 2] = -sign * y;
        A[row + 1][3 * body + 2] = sign * x;
        c[row] += sign * rate * rate * x;
        c[row + 1] += sign * rate * rate * y;
    }
}

/* Phi and v' at (q, v) of the bars. */
static void accelerate(const bars *m, const double *q, const double *v, double *Phi, double *out) {
    double A[ROWS][N] = {{0}}, c[ROWS] = {0}, M[N * N] = {0}, Q[N] = {0};
    memset(Phi, 0, sizeof *Phi * ROWS);
    for (int i = 0; i < 4; i++) put_pin(&m->pins[i], 2 * i, q, v, Phi, A, c);
    for (int i = 0; i < N; i++) {
        M[N * i + i] = i % 3 == 2 ? m->inertia[i / 3] : m->mass[i / 3];
        Q[i] = i % 3 == 1 ? -g * m->mass[i / 3] : 0;
    }
    multipliers(N, ROWS, M, &A[0][0], Q, c, out);
}

/* The bars that are integrated. */
static bars apart;

static void rates(double t, const double *y, double *ydot) {
    double Phi[ROWS];
    (void)t;
    memcpy(ydot, y + N, N * sizeof *y);
    accelerate(&apart, y, y + N, Phi, ydot + N);
}

/* The state of the bars at t, and the norm of their Phi there. */
static double at(const bars *m, double t, double y[2 * N]) {
    double Phi[ROWS], a[N], sum = 0;
    apart = *m;
    memcpy(y, m->q, sizeof m->q), memcpy(y + N, m->v, sizeof m->v);
    integrate(rates, 2 * N, 0, t, y);
    accelerate(m, y, y + N, Phi, a);
    for (int i = 0; i < ROWS; i++) sum += Phi[i] * Phi[i];
    return sqrt(sum);
}

/* The four-bar of models/four_bar_apart.yaml: bars of lengths 2, 4, 4 between pivots 2.5 apart,
 * the crank at 60 degrees, the coupler's end 0.01 beside that of the follower. */
static bars four_bar_apart(double rate) {
    const double start = acos(0.5), gap = 0.01, L[] = {2, 4, 4}, x = 2.5 - 2 * cos(start),
                 y = -2 * sin(start), d = hypot(x, y);
    const double coupler = atan2(y, x) + acos((16 + d * d - 16) / (8 * d));
    const double B[] = {2 * cos(start), 2 * sin(start)},
                 C[] = {B[0] + 4 * cos(coupler), B[1] + 4 * sin(coupler)};
    const double follower = atan2(C[1], C[0] - 2.5);
    bars m = {.mass = {1, 2.25, 2.2},
              .inertia = {0.3, 2, 1.35},
              .pins = {{-1, 0, {0, 0}, {-L[0] / 2, 0}},
                       {0, 1, {L[0] / 2, 0}, {-L[1] / 2, 0}},
                       {1, 2, {L[1] / 2, 0}, {0, 0}},
                       {2, -1, {-L[2] / 2, 0}, {2.5, 0}}},
              .q = {B[0] / 2, B[1] / 2, start, (B[0] + C[0]) / 2, (B[1] + C[1]) / 2, coupler,
                    (2.5 + C[0]) / 2, C[1] / 2, follower},
              .v = {[2] = rate}};
    m.pins[2].b[0] = L[2] / 2 + gap * cos(follower);
    m.pins[2].b[1] = -gap * sin(follower);
    return m;
}

/* ---- runs ---- */

static const double T = 1;

/* A run of method dae in a form by an integrator. */
static run open_form(const char *file, const char *form, const char *integrator, const char *more) {
    char settings[384];
    snprintf(settings, sizeof settings,
             "simulation.method=dae simulation.dae_form=%s simulation.integrator=%s %s", form,
             integrator, more);
    return run_open(file, settings);
}

static const char *const forms[] = {"index-1", "index-2", "index-2-canonical"};

/* A start off the constraints in positions and velocities: the motion is that of A v' = c, and Phi
 * grows with psi_0 t as that equation says. */
static void test_index_1_keeps_what_it_starts_with(void **state) {
    static const char *const integrators[] = {"ida", "radau5"};
    (void)state;
    if (!run_reads_files()) skip();
    const bars m = four_bar_apart(1);
    double y[2 * N];
    const double size = at(&m, T, y);
    for (int i = 0; i < 2; i++) {
        run r = open_form("four_bar_apart", "index-1", integrators[i],
                          "simulation.assemble=off simulation.tolerance=1e-9");
        run_to(&r, T);
        const hol_sim_info info = sim_info(r.sim);
        const double off = fabs(run_measure(&r, "crank_angle") - y[2]);
        print_message("%s: crank off by %.1e, |Phi| %.9g of %.9g\n", integrators[i], off,
                      info.max_position_violation, size);
        assert_true(off < 1e-8);
        assert_true(fabs(info.max_position_violation - size) < 1e-6);
        assert_string_equal(info.dae_form, "index-1");
        assert_string_equal(info.stabilizer, "none");
        run_close(&r);
    }
}

/* From rest, with joint C apart: all forms that know positions through their derivatives alone make
 * the motion of a four-bar with that gap, in coordinates in which M is constant and in which it is
 * not. The error falls with the tolerance. */
static void test_forms_converge(void **state) {
    static const struct {
        const char *form, *integrator, *coordinates;
    } rows[] = {
        {"index-1", "ida", "reference"},           {"index-1", "ida", "relative"},
        {"index-2", "ida", "reference"},           {"index-2", "ida", "relative"},
        {"index-2-canonical", "ida", "reference"}, {"index-2-canonical", "ida", "relative"},
        {"index-2", "radau5", "reference"},        {"index-2-canonical", "radau5", "relative"},
    };
    (void)state;
    if (!run_reads_files()) skip();
    const bars m = four_bar_apart(0);
    double y[2 * N];
    at(&m, T, y);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double off[3], gap = 0;
        for (int k = 0; k < 3; k++) {
            char more[192];
            snprintf(more, sizeof more,
                     "parameters.rate=0 simulation.assemble=off simulation.tolerance=%g "
                     "simulation.coordinates=%s",
                     pow(10, -5 - 2.5 * k), rows[i].coordinates);
            run r = open_form("four_bar_apart", rows[i].form, rows[i].integrator, more);
            run_to(&r, T);
            off[k] = fabs(run_measure(&r, "crank_angle") - y[2]);
            gap = sim_info(r.sim).max_position_violation;
            run_close(&r);
        }
        print_message("%s by %s in %s: off by %.1e %.1e %.1e, |Phi| %.8f\n", rows[i].form,
                      rows[i].integrator, rows[i].coordinates, off[0], off[1], off[2], gap);
        assert_true(off[2] < 1e-7 && off[1] < 1e-4);
        assert_true(off[2] < 0.1 * off[1] || off[2] < 1e-10);
        assert_true(off[1] < 0.1 * off[0] || off[1] < 1e-8);
        assert_true(fabs(gap - 0.01) < 1e-6);
    }
}

/* The form that holds all constraints has no solution that starts off them, and one that holds
 * velocities none that starts with psi != 0. */
static void test_starts_that_are_refused(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char *const held[] = {"ggl", "index-2", "index-2-canonical"};
    for (int i = 0; i < 3; i++) {
        char settings[256];
        snprintf(settings, sizeof settings,
                 "simulation.method=dae simulation.dae_form=%s simulation.integrator=ida "
                 "simulation.assemble=off",
                 held[i]);
        run_refuses("four_bar_apart", settings, "no solution starts off them");
    }
}

/* In coordinates with a constant M differences of M v are M times those of v: the two forms of
 * index 2 take the same steps, but for what their error tests weigh. */
static void test_momenta_are_velocities(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    static const char same[] = "simulation.tolerance=1e-9 simulation.end=2";
    run a = open_form("heavy_top", "index-2", "ida", same);
    run b = open_form("heavy_top", "index-2-canonical", "ida", same);
    run_to(&a, 0.4), run_to(&b, 0.4);
    print_message("heavy top, the two forms of index 2: %.1e\n", run_distance(&a, &b));
    assert_true(run_distance(&a, &b) < 1e-7);
    run_close(&a), run_close(&b);
}

/* A correction that is asked for holds the constraints in every form. */
static void test_a_correction_is_asked_for(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int i = 0; i < 3; i++) {
        run r =
            open_form("four_bar", forms[i], "ida",
                      "simulation.correction=direct simulation.tolerance=1e-7 simulation.end=2");
        const hol_sim_info info = run_whole(&r);
        print_message("%s: |Phi| %.1e\n", forms[i], info.max_position_violation);
        assert_true(info.max_position_violation < 1e-11); /* position_tolerance of the correction */
        run_close(&r);
    }
}

/* Saved and loaded, a run goes on with the same bits under an integrator of our own. */
static void test_saved_states(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int i = 0; i < 3; i++) {
        static const char relative[] = "simulation.coordinates=relative";
        run a = open_form("four_bar", forms[i], "radau5", relative),
            b = open_form("four_bar", forms[i], "radau5", relative);
        run_to(&a, 0.31);
        const size_t size = hol_sim_state_size(a.sim);
        void *block = malloc(size);
        assert_int_equal(hol_sim_state_save(a.sim, block, size), HOL_OK);
        assert_int_equal(hol_sim_state_load(b.sim, block, size), HOL_OK);
        run_to(&a, 0.72), run_to(&b, 0.72);
        assert_true(run_distance(&a, &b) == 0);
        free(block);
        run_close(&a), run_close(&b);
    }
}

static void test_combinations_that_are_refused(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run_refuses("four_bar", "simulation.dae_form=index-1", "take method dae");
    run_refuses("four_bar",
                "simulation.method=dae simulation.dae_form=index-1 simulation.stabilizer=baumgarte",
                "leave the stabilizer out");
    run_refuses("four_bar",
                "simulation.method=dae simulation.dae_form=index-2 "
                "simulation.integrator=generalized-alpha",
                "take ida or radau5");
    run_refuses("iltis_corner", "simulation.method=dae simulation.dae_form=index-2-canonical",
                "momenta p = M v do not tell its velocity");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_1_keeps_what_it_starts_with),
        cmocka_unit_test(test_forms_converge),
        cmocka_unit_test(test_starts_that_are_refused),
        cmocka_unit_test(test_momenta_are_velocities),
        cmocka_unit_test(test_a_correction_is_asked_for),
        cmocka_unit_test(test_saved_states),
        cmocka_unit_test(test_combinations_that_are_refused),
    };
    return cmocka_run_group_tests_name("dae_form", tests, NULL, NULL);
}
