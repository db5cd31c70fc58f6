/* test_linearize_steady.c: the steady motion that is nearest to a state: a top that is thrown with
 * the wrong precession, against the closed solution of its precession and nutation. */
#include "model_fixture.h"

#include "analysis/linearize.h"

/* The effective potential of a symmetric top over the angle of its axis. */
typedef struct top {
    double I1, mgl, p_psi, p_phi;
} top;

static double potential(const top *t, double theta) {
    const double s = sin(theta), c = cos(theta), p = t->p_phi - t->p_psi * c;
    return p * p / (2 * t->I1 * s * s) + t->mgl * c;
}

/* I1 w^2 is the second derivative of the potential at its minimum, where the first vanishes; by
 * differences of order four with h = 1e-3, off by some 1e-11. */
static void test_top(void **unused) {
    static const char *const sets[] = {"coordinates=reference", "coordinates=relative"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        run r = run_open("heavy_top", sets[i]);
        hol__small *s = NULL;
        hol__spectrum x;
        const hol_status status = hol__small_new(hol_sim_data(r.sim), HOL__SETTLE_STEADY, &s);
        if (status) run_print_messages(r.ctx);
        assert_int_equal(status, HOL_OK);
        assert_int_equal(s->motion, HOL__MOTION_STEADY);
        hol_data *d = s->data;
        hol_data_update(d, HOL_STAGE_VEL);
        const hol__body3 *b = &d->bodies.b3[0];
        const double *R = b->R, spin = b->w[1]; /* the axis is y of the body */
        const double c = R[7], sine = sqrt(1 - c * c), turn = s->carrier.screw[5];
        top t = {.I1 = 0.234375 + 15, .mgl = 15 * 9.81, .p_psi = 0.46875 * spin};
        t.p_phi = t.I1 * turn * sine * sine + t.p_psi * c;
        /* near the drawn axis, which is level, with most of the spin */
        assert_true(fabs(c) < 0.05 && fabs(spin - 150) < 0.5);
        const double off = t.I1 * turn * turn * c - t.p_psi * turn + t.mgl;
        assert_true(fabs(off) < 1e-8 * t.mgl);
        const double theta = acos(c), h = 1e-3, V0 = potential(&t, theta),
                     near = potential(&t, theta + h) + potential(&t, theta - h) - 2 * V0,
                     far = potential(&t, theta + 2 * h) + potential(&t, theta - 2 * h) - 2 * V0,
                     w = sqrt((16 * near - far) / (12 * h * h) / t.I1);
        assert_int_equal(hol__small_spectrum(s, NULL, &x), HOL_OK);
        assert_true(fabs(x.im[0] - w) < 1e-7 * w);
        hol__small_free(s);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_top)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
