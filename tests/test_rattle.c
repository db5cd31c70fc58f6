/* test_rattle.c: RATTLE by masses and constraints alone: the same steps as with all derivatives, to
 * rounding, and as those of a pendulum that is integrated here; where that does not converge, all
 * derivatives are taken. */
#include "model_fixture.h"

#include "sim/sim.h"

enum { MOST = 256 };

/* The state after so many seconds, and how many sets of derivatives were taken. */
typedef struct outcome {
    int n;
    double y[MOST];
    long derivatives, evaluations;
} outcome;

/* As Phi(t, d) of the iteration with M and A. */
static hol_status no_places(void *self, double t, const double *y, double *Phi) {
    (void)self, (void)t, (void)y, (void)Phi;
    return HOL_NOT_CONVERGED;
}

/* whole: the iteration with M and A fails at once. The run is closed. */
static outcome advance(run r, double end, int whole) {
    outcome o = {0};
    run_to(&r, 0);
    hol__dae_inertial failing = *r.sim->dae.inertial;
    failing.places = no_places;
    if (whole) r.sim->dae.inertial = &failing;
    const long before = r.sim->form.derivatives;
    run_to(&r, end);
    o.derivatives = r.sim->form.derivatives - before;
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(r.sim, &info);
    o.evaluations = info.evaluations;
    const hol_model *m = r.model;
    assert_true(m->nq + m->nv + m->n_aux + 1 <= MOST);
    const double *parts[] = {r.sim->data->q, r.sim->data->v, r.sim->data->aux};
    const int sizes[] = {m->nq, m->nv, m->n_aux};
    for (int p = 0; p < 3; p++)
        for (int i = 0; i < sizes[p]; i++) o.y[o.n++] = parts[p][i];
    hol_energy energy = {.size = sizeof energy};
    assert_int_equal(hol_data_energy(r.sim->data, &energy), HOL_OK);
    o.y[o.n++] = energy.work;
    run_close(&r);
    return o;
}

/* The largest difference of two states, against the largest number of its size. */
static double apart(const outcome *a, const outcome *b) {
    double most = 0;
    assert_int_equal(a->n, b->n);
    for (int i = 0; i < a->n; i++)
        most = fmax(most, fabs(a->y[i] - b->y[i]) / fmax(1, fabs(b->y[i])));
    return most;
}

/* Both ways to solve the same equations differ by rounding, which these motions amplify little:
 * some hundred steps of 9 or 17 substeps, each with some ten roundings. */
static void test_same(void **state) {
    static const struct {
        const char *file, *settings;
        double end;
    } rows[] = {
        {"four_bar", "coordinates=reference integrator=rattle8 step=0.0075", 0.6},
        {"four_bar", "coordinates=natural integrator=rattle6 step=0.0075", 0.6},
        {"four_bar", "coordinates=relative integrator=rattle8 step=0.0075", 0.6},
        {"slider_crank_spatial", "coordinates=reference integrator=rattle6 step=0.0063", 0.5},
        {"slider_crank_spatial", "coordinates=natural integrator=rattle step=0.0063", 0.5},
        {"slider_crank_spatial", "coordinates=relative integrator=rattle8 step=0.0063", 0.5},
        {"a04_bricard", "coordinates=reference integrator=rattle step=0.0063", 0.5},
        {"heavy_top", "coordinates=reference integrator=rattle6 step=3.7e-4", 0.03},
        {"elements/motor", "coordinates=reference integrator=rattle step=1.3e-3", 0.1},
        {"elements/pid", "coordinates=reference integrator=rattle step=1.3e-3", 0.1},
        {"elements/spring", "coordinates=relative integrator=rattle8 step=0.0063", 0.5},
        {"elements/torsion", "coordinates=reference integrator=rattle6 step=0.0063", 0.5},
    };
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char settings[256];
        snprintf(settings, sizeof settings,
                 "method=direct-correction expected_energy_error=1 %s end=1e9", rows[i].settings);
        const outcome light = advance(run_open(rows[i].file, settings), rows[i].end, 0),
                      whole = advance(run_open(rows[i].file, settings), rows[i].end, 1);
        print_message("%s, %s: apart by %.1e, derivatives %ld and %ld, evaluations %ld and %ld\n",
                      rows[i].file, rows[i].settings, apart(&light, &whole), light.derivatives,
                      whole.derivatives, light.evaluations, whole.evaluations);
        assert_true(apart(&light, &whole) < 1e-11);
        assert_true(light.derivatives <= 1);
        assert_true(light.evaluations < whole.evaluations);
        assert_true(whole.derivatives >= 70);
    }
}

/* A rod on a damper, which a driver moves at its other end: its work counts. */
static const char damped[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 1.3, inertia: 0.04, along: [[0, 0], [0.31, 0]]}\n"
    "  rod: {mass: 2.1, inertia: 0.09, along: [[0.31, 0], [0.31, -0.64]]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [crank, rod], at: [0.31, 0]}\n"
    "  motor: {type: driver, joint: A, position: 0.7*sin(2.3*t)}\n"
    "forces:\n"
    "  damper: {type: spring, bodies: [ground, rod], from: [0.9, -0.5], to: [0.31, -0.64], "
    "stiffness: 37, free_length: 0.4, damping: %s}\n";

/* The same with a damper that RATTLE feels little, and with one whose h c / 2 m is 14: iterations
 * without its derivatives lead nowhere, those with them do. */
static void test_damper(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int stiff = 0; stiff < 2; stiff++) {
        char text[1024];
        const char *settings = "coordinates=reference method=direct-correction integrator=rattle "
                               "step=0.0063 end=1e9 expected_energy_error=1";
        snprintf(text, sizeof text, damped, stiff ? "9000" : "3.7");
        const outcome light = advance(run_text(text, settings), 0.4, 0),
                      whole = advance(run_text(text, settings), 0.4, 1);
        print_message("damper %s: apart by %.1e, derivatives %ld and %ld\n", stiff ? "9000" : "3.7",
                      apart(&light, &whole), light.derivatives, whole.derivatives);
        assert_true(apart(&light, &whole) < 1e-12);
        assert_true(fabs(light.y[light.n - 1]) > 0.1);
        if (stiff)
            assert_true(light.derivatives >= whole.derivatives - 2);
        else
            assert_true(light.derivatives <= 1);
    }
}

/* A force of the caller that changes with the velocity, from some instant on. */
static hol_status brake(void *user, hol_data *data) {
    hol_twist twist;
    const double since = *(const double *)user;
    const hol_status status = hol_data_body_twist(data, 0, &twist);
    const double torque[3] = {0, 0, hol_data_time(data) < since ? 0 : -1.7 * twist.omega[2]};
    return status ? status : hol_data_add_torque(data, 0, torque);
}

/* Where M is constant and gravity acts alone forces are evaluated once a substep; a caller's may
 * depend on everything, and are felt. */
static void test_caller(void **state) {
    static const char *const coordinates[] = {"reference", "natural"};
    (void)state;
    if (!run_reads_files()) skip();
    for (int i = 0; i < 2; i++) {
        char settings[256];
        double since = 0.2;
        snprintf(settings, sizeof settings,
                 "coordinates=%s method=direct-correction integrator=rattle8 step=0.0075 end=1e9 "
                 "expected_energy_error=1",
                 coordinates[i]);
        const outcome free = advance(run_open("four_bar", settings), 0.6, 0);
        assert_true(free.evaluations <= 20 * 80 + 10);
        run light_run = run_open("four_bar", settings), whole_run = run_open("four_bar", settings);
        hol_sim_on_force(light_run.sim, brake, &since);
        hol_sim_on_force(whole_run.sim, brake, &since);
        const outcome light = advance(light_run, 0.6, 0), whole = advance(whole_run, 0.6, 1);
        print_message("%s, a caller's brake: apart by %.1e, from none by %.1e, evaluations %ld\n",
                      coordinates[i], apart(&light, &whole), apart(&light, &free),
                      light.evaluations);
        assert_true(apart(&light, &whole) < 1e-11);
        assert_true(apart(&light, &free) > 1e-2);
    }
}

/* RATTLE of a rod of mass m, inertia J, length l to its pin, by hand: q = (x, y, phi), Phi = (x - l
 * cos phi, y - l sin phi). */
typedef struct rod {
    double m, J, l, g;
    double q[3], v[3];
} rod;

/* v - W A^T (A W A^T)^-1 r, W = M^-1, A that at phi; A' (r) is that at psi. */
static void push(const rod *p, double phi, double psi, const double *r, double *v) {
    const double at[2] = {p->l * sin(phi), -p->l * cos(phi)},
                 on[2] = {p->l * sin(psi), -p->l * cos(psi)};
    const double a = 1 / p->m + on[0] * at[0] / p->J, b = on[0] * at[1] / p->J,
                 c = on[1] * at[0] / p->J, d = 1 / p->m + on[1] * at[1] / p->J, det = a * d - b * c;
    const double lambda[2] = {(d * r[0] - b * r[1]) / det, (a * r[1] - c * r[0]) / det};
    for (int i = 0; i < 2; i++) v[i] -= lambda[i] / p->m;
    v[2] -= (at[0] * lambda[0] + at[1] * lambda[1]) / p->J;
}

static void rattle_by_hand(rod *p, double h) {
    double v[3] = {p->v[0], p->v[1] - 0.5 * h * p->g, p->v[2]}, q[3];
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < 3; i++) q[i] = p->q[i] + h * v[i];
        const double r[2] = {(q[0] - p->l * cos(q[2])) / h, (q[1] - p->l * sin(q[2])) / h};
        push(p, p->q[2], q[2], r, v);
    }
    for (int i = 0; i < 3; i++) p->q[i] += h * v[i];
    v[1] -= 0.5 * h * p->g;
    const double r[2] = {v[0] + p->l * sin(p->q[2]) * v[2], v[1] - p->l * cos(p->q[2]) * v[2]};
    push(p, p->q[2], p->q[2], r, v);
    memcpy(p->v, v, sizeof v);
}

/* models/pendulum.yaml over 400 steps, as it is made here: rounding of each step and no more. */
static void test_pendulum(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const double start = -acos(-1.0) / 4, h = 0.0083;
    rod p = {.m = 10, .J = 0.1, .l = 0.5, .g = 9.8};
    p.q[0] = p.l * cos(start);
    p.q[1] = p.l * sin(start);
    p.q[2] = start;
    run r = run_open("pendulum", "coordinates=reference method=direct-correction "
                                 "integrator=rattle step=0.0083 end=1e9 expected_energy_error=1");
    for (int i = 0; i < 400; i++) rattle_by_hand(&p, h);
    run_to(&r, 400 * h);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(r.sim->data->q[i] - p.q[i]) < 1e-12);
        assert_true(fabs(r.sim->data->v[i] - p.v[i]) < 1e-11);
    }
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_damper),
        cmocka_unit_test(test_caller),
        cmocka_unit_test(test_pendulum),
    };
    return cmocka_run_group_tests_name("rattle", tests, NULL, NULL);
}
