/* test_frames.c: derivatives that turn with the bodies (form/frames.h).
 *
 * A mechanism about the z axis at rest in nothing but its own forces has, turned by an angle as a
 * whole, the derivatives S J S^T. What is solved with J there through hol__dae_solve_at is then
 * what the matrix taken anew gives, to rounding times its condition, 1e-9; without turning it is
 * not, by the angle.
 */
#include "model_fixture.h"

#include "form/constrained.h"
#include "form/linear.h"
#include "math/quat.h"
#include "sim/sim.h"

static const double angle = 0.37;

static const char *const planar =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
    "bodies:\n"
    "  arm: {mass: 2.3, inertia: 0.11, position: [0.31, 0.07], omega: 1.9}\n"
    "  fore: {mass: 1.1, inertia: 0.05, position: [0.83, 0.21], omega: 1.9}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"
    "  elbow: {type: revolute, bodies: [arm, fore], at: [0.6, 0.1]}\n"
    "forces:\n"
    "  strut: {type: spring, bodies: [arm, fore], from: [0.2, 0.2], to: [0.8, 0.35], "
    "stiffness: 3e5, damping: 2e4}\n";

/* The state of the run turned about z, as its base point. */
static void turn_state(run *r, double by) {
    hol_data *data = hol_sim_data(r->sim);
    const hol_model *m = r->model;
    const int planes = model_info(m).space == HOL_PLANAR;
    const double c = cos(by), s = sin(by), half[4] = {cos(by / 2), 0, 0, sin(by / 2)};
    double all_q[64], all_v[64], *q = all_q, *v = all_v;
    assert_true(m->nq <= 64);
    memcpy(q, data->q, sizeof *q * (size_t)m->nq);
    memcpy(v, data->v, sizeof *v * (size_t)m->nv);
    for (int b = 0; b < m->nb; b++, q += planes ? 3 : 7, v += planes ? 3 : 6) {
        double *const vectors[] = {q, v};
        for (int k = 0; k < 2; k++) {
            const double x[2] = {vectors[k][0], vectors[k][1]};
            vectors[k][0] = c * x[0] - s * x[1];
            vectors[k][1] = s * x[0] + c * x[1];
        }
        if (planes) {
            q[2] += by;
            continue;
        }
        double p[4];
        hol__quat_mul(half, q + 3, p);
        memcpy(q + 3, p, sizeof p);
    }
    hol_data_set(data, 0, all_q, all_v);
}

static double noise(int i) {
    return sin(2.385 * i + 0.71) + 0.3 * cos(7.13 * i);
}

static double distance(const double *a, const double *b, int n) {
    double off = 0, size = 0;
    for (int i = 0; i < n; i++) {
        off = fmax(off, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return off / size;
}

/* The base is the state; derivatives there, with its multipliers, and the matrix for sigma. */
static void take(run *r, const hol__dae *dae, double *y, double *f, double *x, double *F) {
    const hol__sigma sigma = {{371, 0}, {371, 0}};
    hol__form_pack(&r->sim->form, y);
    assert_int_equal(hol__form_rhs(&r->sim->form, 0, y, f), HOL_OK);
    assert_int_equal(hol__dae_multipliers(dae, 0, y, f, 1e-3, x, F), HOL_OK);
    assert_int_equal(dae->linearize(dae->self, 0, y, f, x), HOL_OK);
    assert_int_equal(dae->shift(dae->self, 0, &sigma), HOL_OK);
}

/* What is solved where the mechanism has turned, with rows of constraints or without: with the
 * matrix taken there, with the one of before, turned, and with that as it is. */
static void check(run r, int rows, const char *what) {
    hol_sim *sim = r.sim;
    const hol__dae *dae = sim->system.dae;
    assert_non_null(dae);
    assert_non_null(dae->turn);
    enum { MOST = 200 };
    const int N = rows ? hol__dae_size(dae) : dae->n;
    double y[MOST], f[MOST], x[MOST], F[MOST], truth[MOST], turned[MOST], plain[MOST];
    assert_true(hol__dae_size(dae) <= MOST);
    take(&r, dae, y, f, x, F);
    turn_state(&r, angle);
    take(&r, dae, y, f, x, F); /* what turns is seen here */
    for (int i = 0; i < MOST; i++) truth[i] = turned[i] = plain[i] = i < N ? noise(i) : 0;
    assert_int_equal(dae->solve(dae->self, 0, truth, NULL), HOL_OK);
    turn_state(&r, -angle);
    take(&r, dae, y, f, x, F);
    turn_state(&r, angle);
    hol__form_pack(&sim->form, y);
    assert_int_equal(hol__dae_solve_at(dae, 0, y, turned), HOL_OK);
    assert_int_equal(dae->solve(dae->self, 0, plain, NULL), HOL_OK);
    print_message("%s: turned %.1e, as it is %.1e\n", what, distance(turned, truth, N),
                  distance(plain, truth, N));
    assert_true(distance(turned, truth, N) < 1e-9);
    assert_true(distance(plain, truth, N) > 0.01);
    /* there and back */
    for (int i = 0; i < N; i++) F[i] = truth[i];
    dae->turn(dae->self, y, 0, F);
    dae->turn(dae->self, y, 1, F);
    assert_true(distance(F, truth, N) < 1e-14);
    run_close(&r);
}

static void test_turned(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    check(run_text(planar, "simulation.integrator=radau5"), 1, "plane");
    /* its shaft is held by directions of the ground, which do not turn: two rows mix */
    check(run_open("a05_flyball_governor",
                   "simulation.integrator=radau5 simulation.coordinates=reference"),
          0, "governor");
}

/* A cam below a follower turns and is pressed from the same side: it is seen that nothing turns
 * with it, and what is solved is solved as it was. Other coordinates have nothing to turn. */
static void test_stays(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_open("cam_follower", "simulation.integrator=radau5 simulation.tolerance=1e-6");
    run_to(&r, 0.3);
    const hol__frames *frames = &r.sim->constrained->frames;
    assert_true(frames->n > 0);
    assert_int_equal(frames->turns[0], 0);
    run_close(&r);
    r = run_open("cam_follower", "simulation.integrator=radau5 simulation.coordinates=relative");
    assert_int_equal(r.sim->constrained->frames.n, 0);
    run_close(&r);
}

/* A stiff mechanism that spins takes as many evaluations where its velocities are written in the
 * fixed frame as where they are not, within a half; they were eight times as many. */
static void test_governor(void **state) {
    static const char *const sets[] = {"reference", "relative"};
    long evaluations[2];
    (void)state;
    if (!run_reads_files()) skip();
    for (int i = 0; i < 2; i++) {
        char settings[160];
        snprintf(settings, sizeof settings,
                 "simulation.integrator=radau9 simulation.tolerance=1e-6 simulation.output=3 "
                 "simulation.coordinates=%s",
                 sets[i]);
        run r = run_open("a05_flyball_governor", settings);
        run_to(&r, 3);
        evaluations[i] = sim_info(r.sim).evaluations;
        run_close(&r);
    }
    print_message("reference %ld evaluations, relative %ld\n", evaluations[0], evaluations[1]);
    assert_true(2 * evaluations[0] < 3 * evaluations[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_stays),
        cmocka_unit_test(test_governor),
    };
    return cmocka_run_group_tests_name("frames", tests, NULL, NULL);
}
