/* test_references.c: the benchmark mechanisms against reference values.
 *
 * The values of references.txt come from outside. Where a mechanism has few coordinates its
 * equations are written here once more, in those coordinates, and integrated by the classical
 * Runge–Kutta formula with a step so small that its error does not show:
 *
 *     one coordinate (spatial slider-crank)
 *         M(theta) theta'' + M'(theta) theta'^2 / 2 + V'(theta) = 0
 *     rotation (heavy top, about its fixed point)
 *         J omega' + omega x J omega = c x R^T (m g),  p' = p omega / 2
 *     planar chain (five-bar in its plane)
 *         sum_j a_ij (cos(phi_i - phi_j) phi_j'' + sin(phi_i - phi_j) phi_j'^2) = b_i g cos(phi_i)
 */
#include "model_fixture.h"

#include <complex.h>

/* ---- the table ---- */

enum { MAX_GROUPS = 32, MAX_LINES = 24, LINE = 240 };

/* The lines of one model in references.txt. */
typedef struct group {
    char model[64], settings[LINE], title[LINE];
    char measures[MAX_LINES][LINE], values[MAX_LINES][LINE];
    int n_measures, n_values;
} group;

static group groups[MAX_GROUPS];
static int n_groups;

/* Sort a line into the groups. */
static void take_line(const char *line) {
    group *g = n_groups ? &groups[n_groups - 1] : NULL;
    if (strncmp(line, "model ", 6) == 0 && n_groups < MAX_GROUPS) {
        g = &groups[n_groups++];
        if (sscanf(line, "model %63s %239[^\n]", g->model, g->settings) < 1) abort();
    } else if (g && strncmp(line, "title ", 6) == 0)
        snprintf(g->title, sizeof g->title, "%s", line + 6);
    else if (g && strncmp(line, "measure ", 8) == 0 && g->n_measures < MAX_LINES)
        snprintf(g->measures[g->n_measures++], LINE, "%.230s", line + 8);
    else if (g && strncmp(line, "value ", 6) == 0 && g->n_values < MAX_LINES)
        snprintf(g->values[g->n_values++], LINE, "%.230s", line + 6);
    else if (line[0] && line[0] != '#' && strncmp(line, "source ", 7) != 0) {
        fprintf(stderr, "references.txt: cannot read '%s'\n", line);
        abort();
    }
}

static int read_table(const char *path) {
    char line[LINE];
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        take_line(line);
    }
    fclose(file);
    return n_groups;
}

/* The model with the further measures of the group. */
static run open_group(const group *g) {
    char lines[MAX_LINES * LINE];
    size_t used = (size_t)snprintf(lines, sizeof lines, "%s", g->n_measures ? "measures:\n" : "");
    for (int i = 0; i < g->n_measures; i++)
        used += (size_t)snprintf(lines + used, sizeof lines - used, "  %s\n", g->measures[i]);
    return run_with(g->model, lines, g->settings);
}

static void test_group(void **state) {
    const group *g = *state;
    assert_true(g->n_values > 0);
    run r = open_group(g);
    for (int i = 0; i < g->n_values; i++) {
        char measure[64], what[160];
        double t, value, tolerance;
        assert_int_equal(sscanf(g->values[i], "%lf %63s %lf %lf", &t, measure, &value, &tolerance),
                         4);
        run_to(&r, t);
        snprintf(what, sizeof what, "%s at t = %g", measure, t);
        check_near(what, run_measure(&r, measure), value, tolerance);
    }
    run_close(&r);
}

/* ---- integration of the references ---- */

typedef void reference_rhs(const double *y, double *ydot);

enum { MAX_STATE = 7 };

/* n steps of the classical Runge–Kutta formula. */
static void integrate(reference_rhs *f, int size, double h, long n, double *y) {
    double k[4][MAX_STATE], x[MAX_STATE];
    static const double part[4] = {0, 0.5, 0.5, 1};
    for (long step = 0; step < n; step++) {
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < size; i++) x[i] = y[i] + (s ? h * part[s] * k[s - 1][i] : 0);
            f(x, k[s]);
        }
        for (int i = 0; i < size; i++)
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* ---- spatial slider-crank in one coordinate ---- */

typedef double complex number;

static const double rod2 = 0.147 * 0.147 + 0.25 * 0.25; /* square of the length of the rod */

static number dot(const number *a, const number *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* M and V as functions of the crank angle. T is the tip of the crank, S the slider, eta the
 * direction of the rod; its xi axis is perpendicular to eta and to the slider's y axis. A dash (d)
 * is the derivative by theta. */
static void crank_energies(number theta, number *M, number *V) {
    const number c = ccos(theta), s = csin(theta), L = sqrt(rod2);
    const number y = csqrt(rod2 - 0.0325 - 0.03 * c), dy = 0.015 * s / y;
    const number eta[3] = {-0.1 * s / L, y / L, (-0.15 - 0.1 * c) / L};
    const number deta[3] = {-0.1 * c / L, dy / L, 0.1 * s / L};
    const number n = csqrt(eta[0] * eta[0] + eta[2] * eta[2]); /* |eta x e_y| */
    const number xi[3] = {-eta[2] / n, 0, eta[0] / n};
    const number dn[3] = {-deta[2], 0, deta[0]};
    const number along = dot(xi, dn);
    const number dxi[3] = {(dn[0] - xi[0] * along) / n, 0, (dn[2] - xi[2] * along) / n};
    const number zeta[3] = {-xi[2] * eta[1], xi[2] * eta[0] - xi[0] * eta[2], xi[0] * eta[1]};
    /* angular velocity of the rod over theta': (eta'.zeta, (xi' x eta).xi, xi'.eta) */
    const number w_xi = dot(deta, zeta), w_zeta = dot(dxi, eta);
    const number w_eta = (dxi[2] * xi[0] - dxi[0] * xi[2]) * -eta[1];
    const number dcentre[3] = {0.05 * c, 0.5 * dy, -0.05 * s};
    *M = 1e-4 + 0.12 * 0.05 * 0.05 + 0.5 * dot(dcentre, dcentre) + 4e-3 * w_xi * w_xi +
         4e-4 * w_eta * w_eta + 4e-3 * w_zeta * w_zeta + 0.5 * dy * dy;
    *V = 9.81 * (0.12 * 0.05 * c + 0.5 * 0.05 * c);
}

/* y = (theta, theta'); derivatives by theta are the imaginary parts after a tiny imaginary step. */
static void crank_rhs(const double *y, double *ydot) {
    const double h = 1e-30;
    number M, V;
    crank_energies(y[0] + h * I, &M, &V);
    ydot[0] = y[1];
    ydot[1] = -(0.5 * cimag(M) / h * y[1] * y[1] + cimag(V) / h) / creal(M);
}

static void test_spatial_slider_crank(void **state) {
    (void)state;
    static const double instants[] = {0.5, 1, 2.5, 5};
    run r = run_open("slider_crank_spatial", NULL);
    double y[2] = {0, -6.2832};
    const double h = 1e-4; /* theta' reaches 25 rad/s: the error is near 5 (25 h)^4 / 120 < 2e-12 */
    long done = 0;
    for (int i = 0; i < 4; i++) {
        const long to = lround(instants[i] / h);
        integrate(crank_rhs, 2, h, to - done, y);
        done = to;
        run_to(&r, instants[i]);
        check_near("crank angle", run_measure(&r, "crank_angle"), y[0], 1e-7);
        check_near("crank rate", run_measure(&r, "crank_rate"), y[1], 1e-6);
        check_near("slider", run_measure(&r, "y"), sqrt(rod2 - 0.0325 - 0.03 * cos(y[0])), 1e-7);
    }
    run_close(&r);
}

/* ---- heavy top ---- */

static const double top_mass = 15,
                    top_J[3] = {15.234375, 0.46875,
                                15.234375}; /* about the fixed point; the centre is at (0, 1, 0) */

/* The third row of R(p): the vertical in the body frame. */
static void vertical(const double *p, double *z) {
    z[0] = 2 * (p[1] * p[3] - p[0] * p[2]);
    z[1] = 2 * (p[2] * p[3] + p[0] * p[1]);
    z[2] = p[0] * p[0] - p[1] * p[1] - p[2] * p[2] + p[3] * p[3];
}

/* y = (p, omega), omega in the body frame. */
static void top_rhs(const double *y, double *ydot) {
    const double *p = y, *w = y + 4, *J = top_J;
    double z[3];
    vertical(p, z);
    ydot[0] = 0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]);
    ydot[1] = 0.5 * (p[0] * w[0] + p[2] * w[2] - p[3] * w[1]);
    ydot[2] = 0.5 * (p[0] * w[1] + p[3] * w[0] - p[1] * w[2]);
    ydot[3] = 0.5 * (p[0] * w[2] + p[1] * w[1] - p[2] * w[0]);
    /* (0, 1, 0) x -m g z */
    ydot[4] = ((J[1] - J[2]) * w[1] * w[2] - top_mass * 9.81 * z[2]) / J[0];
    ydot[5] = (J[2] - J[0]) * w[2] * w[0] / J[1];
    ydot[6] = ((J[0] - J[1]) * w[0] * w[1] + top_mass * 9.81 * z[0]) / J[2];
}

/* The vertical component of the angular momentum about the fixed point, from the state of the
 * simulation. */
static double vertical_momentum(run *r) {
    const hol_pose pose = pose_at(hol_sim_data(r->sim), 0);
    const double w[3] = {run_measure(r, "omega.x"), run_measure(r, "omega.y"),
                         run_measure(r, "omega.z")};
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += pose.R[6 + i] * top_J[i] * w[i];
    return sum;
}

static void test_heavy_top(void **state) {
    (void)state;
    run r = run_open("heavy_top", NULL);
    double y[7] = {1, 0, 0, 0, 0, 150, -4.61538};
    const double h = 1e-5; /* 150 rad/s: the error is near 300 (150 h)^4 / 120 < 2e-11 */
    run_to(&r, 0);
    const double momentum = vertical_momentum(&r), energy = run_measure(&r, "energy.balance");
    for (int i = 1; i <= 4; i++) {
        double z[3];
        integrate(top_rhs, 7, h, lround(0.5 / h), y);
        run_to(&r, 0.5 * i);
        vertical(y, z);
        /* the centre is the second column of R */
        check_near("x", run_measure(&r, "r.x"), 2 * (y[1] * y[2] - y[0] * y[3]), 1e-8);
        check_near("y", run_measure(&r, "r.y"),
                   y[0] * y[0] - y[1] * y[1] + y[2] * y[2] - y[3] * y[3], 1e-8);
        check_near("z", run_measure(&r, "r.z"), z[1], 1e-8);
        check_near("omega x", run_measure(&r, "omega.x"), y[4], 1e-6);
        check_near("omega z", run_measure(&r, "omega.z"), y[6], 1e-6);
        /* the spin is constant because two inertias are equal */
        check_near("spin", run_measure(&r, "omega.y"), 150, 1e-9);
        check_near("vertical momentum", vertical_momentum(&r), momentum, 1e-8 * 70);
        check_near("energy", run_measure(&r, "energy.balance"), energy, 1e-9 * 5e3);
    }
    run_close(&r);
}

/* ---- five-bar pendulum ---- */

/* In its plane it is three rigid parts: bars 1 + 2, bars 3 + 4, bar 5; angles phi from +x towards
 * -z. */
static void chain_rhs(const double *y, double *ydot) {
    static const double l[3] = {2, 2, 1}, m[3] = {2, 2, 1};
    const double I2 = (1 + 0.01) / 12, Ic[3] = {2 * (I2 + 0.25), 2 * (I2 + 0.25), I2};
    double M[3][4];
    for (int i = 0; i < 3; i++) {
        double outer = 0; /* mass beyond part i */
        for (int k = i + 1; k < 3; k++) outer += m[k];
        M[i][3] = 9.81 * cos(y[i]) * l[i] * (0.5 * m[i] + outer);
        M[i][i] = Ic[i] + l[i] * l[i] * (0.25 * m[i] + outer);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (i == j) continue;
            const int far = i > j ? i : j;
            double a = 0.5 * m[far];
            for (int k = far + 1; k < 3; k++) a += m[k];
            a *= l[i] * l[j];
            M[i][j] = a * cos(y[i] - y[j]);
            M[i][3] -= a * sin(y[i] - y[j]) * y[3 + j] * y[3 + j];
        }
    /* elimination without pivoting: M is positive definite */
    for (int i = 0; i < 3; i++)
        for (int k = i + 1; k < 3; k++) {
            const double f = M[k][i] / M[i][i];
            for (int j = i; j < 4; j++) M[k][j] -= f * M[i][j];
        }
    for (int i = 2; i >= 0; i--) {
        double sum = M[i][3];
        for (int j = i + 1; j < 3; j++) sum -= M[i][j] * ydot[3 + j];
        ydot[3 + i] = sum / M[i][i];
        ydot[i] = y[3 + i];
    }
}

static void test_five_bar_in_plane(void **state) {
    (void)state;
    run r = run_open("five_bar", "tolerance=1e-12");
    double y[6] = {0};
    const double h = 5e-5;
    for (int i = 1; i <= 5; i++) {
        integrate(chain_rhs, 6, h, lround(1 / h), y);
        run_to(&r, i);
        /* errors grow by less than 100 in 5 s, while the z hinges and the y coordinate stay at
         * rounding */
        check_near("hinge 1", run_measure(&r, "q1"), y[0], 1e-8);
        check_near("hinge 3", run_measure(&r, "q3"), y[1] - y[0], 1e-8);
        check_near("hinge 5", run_measure(&r, "q5"), y[2] - y[1], 1e-8);
        check_near("tip x", run_measure(&r, "tip.x"), 2 * cos(y[0]) + 2 * cos(y[1]) + cos(y[2]),
                   1e-8);
        check_near("tip z", run_measure(&r, "tip.z"), -2 * sin(y[0]) - 2 * sin(y[1]) - sin(y[2]),
                   1e-8);
        check_near("hinge 2", run_measure(&r, "q2"), 0, 1e-11);
        check_near("hinge 4", run_measure(&r, "q4"), 0, 1e-11);
        check_near("tip y", run_measure(&r, "tip.y"), 0, 1e-11);
    }
    run_close(&r);
}

/* With the z hinges turning it is truly spatial: two formulas of different order must agree, and
 * the energy stays. */
static void test_five_bar_in_space(void **state) {
    (void)state;
    run a = run_open("five_bar", "spin=1 integrator=dop853 tolerance=1e-12");
    run b = run_open("five_bar", "spin=1 integrator=dopri5 tolerance=1e-12");
    run_to(&a, 0);
    check_near("start", run_measure(&a, "tip.y"), 0, 1e-12);
    const double energy = run_measure(&a, "energy.balance");
    run_to(&a, 3);
    run_to(&b, 3);
    assert_true(fabs(run_measure(&a, "tip.y")) > 0.1);
    assert_true(fabs(run_measure(&a, "q2")) > 0.1 && fabs(run_measure(&a, "q4")) > 0.1);
    check_near("agreement", run_difference(&a, &b), 0, 1e-7);
    check_near("energy of dop853", run_measure(&a, "energy.balance"), energy, 1e-9);
    check_near("energy of dopri5", run_measure(&b, "energy.balance"), energy, 1e-9);
    run_close(&a);
    run_close(&b);
}

/* ---- Bricard's redundancy ---- */

static void test_bricard_names_its_redundancy(void **state) {
    (void)state;
    run r = run_open("a04_bricard", NULL);
    hol_rank rank = {.size = sizeof rank};
    assert_int_equal(hol_sim_rank(r.sim, &rank), HOL_OK);
    assert_int_equal(rank.n_rows, 30);
    assert_int_equal(rank.rank, 29);
    assert_int_equal(rank.n_redundant, 1);
    assert_int_equal(rank.dof, 1);
    assert_int_equal(hol_message_count_of(r.ctx, HOL_WARNING), 1);
    const hol_message *warning = hol_message_get(r.ctx, 0);
    assert_non_null(strstr(warning->text, "1 of 30"));
    for (int i = 0; i < rank.n_rows; i++)
        if (rank.redundant[i]) {
            const hol_row row = *hol_model_row(r.model, i);
            assert_non_null(strstr(warning->text, row.element));
            assert_non_null(strstr(warning->text, row.direction));
        }
    /* the loop shares the redundancy among all its hinges */
    run_to(&r, 0.5);
    for (int j = 0; j < model_info(r.model).n_joints; j++)
        assert_false(reaction_of(hol_sim_data(r.sim), j).unique);
    hol_sim_rank(r.sim, &rank);
    assert_int_equal(rank.n_redundant, 1);
    run_close(&r);
}

int main(void) {
    if (!run_reads_files()) return skip_models();
    if (!read_table(HOLONOM_TEST_SOURCE "/tests/references.txt")) return 1;
    static struct CMUnitTest tests[MAX_GROUPS + 8];
    size_t n = 0;
    for (int i = 0; i < n_groups; i++)
        tests[n++] = (struct CMUnitTest){groups[i].title, test_group, NULL, NULL, &groups[i]};
    const struct CMUnitTest others[] = {
        cmocka_unit_test(test_spatial_slider_crank),
        cmocka_unit_test(test_heavy_top),
        cmocka_unit_test(test_five_bar_in_plane),
        cmocka_unit_test(test_five_bar_in_space),
        cmocka_unit_test(test_bricard_names_its_redundancy),
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) tests[n++] = others[i];
    return _cmocka_run_group_tests("references", tests, n, NULL, NULL);
}
