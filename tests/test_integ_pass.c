/* test_integ_pass.c: error-controlled steps around a place that no stage should meet
 * (integ/pass.c): the stages keep away from it, no step ends beside it, and neither landing nor the
 * longest step is forgotten.
 *
 * The system is y'' = -y, harmless everywhere; what is looked at is where it is evaluated.
 */
#include "integ_fixture.h"

typedef struct place {
    double t, width; /* the place */
    double nearest;  /* evaluation */
    hol__integrator *integ;
} place;

static hol_status swing(void *self, double t, const double *y, double *ydot) {
    place *p = self;
    p->nearest = fmin(p->nearest, fabs(t - p->t));
    ydot[0] = y[1];
    ydot[1] = -y[0];
    return HOL_OK;
}

static double ahead(void *self, double *width) {
    const place *p = self;
    *width = p->width;
    return hol__integrator_time(p->integ) < p->t ? p->t : INFINITY;
}

static const hol__passage passage = {.obstacle = ahead};

static const char *const methods[] = {"bs32", "dopri5", "dop853"};
/* Half of the widest gap between stages in the first two thirds of a step: (0, 1/2), (0.3, 0.8),
 * (1/3, 0.6). */
static const double half_gap[] = {0.25, 0.25, 0.1333};

typedef struct swinging {
    hol_context *ctx;
    place place;
    hol__system system;
} swinging;

static void start(swinging *s, int method, double t, double width, hol__control control) {
    s->ctx = hol_context_new();
    s->place = (place){.t = t, .width = width, .nearest = INFINITY};
    s->system = (hol__system){.n = 2, .self = &s->place, .rhs = swing, .passage = &passage};
    s->place.integ =
        hol__integrator_new(s->ctx, hol__stepper_find(methods[method]), &s->system, &control);
    assert_non_null(s->place.integ);
    assert_int_equal(hol__integrator_start(s->place.integ, 0, (double[]){0.7351, -0.4127}), HOL_OK);
}

static void stop(swinging *s) {
    hol__integrator_free(s->place.integ);
    hol_context_free(s->ctx);
}

/* One step; whether it passed the place, and how near to it it ended. */
static int step(swinging *s, double t_stop, double *length, double *beside) {
    hol__integrator *integ = s->place.integ;
    const double before = hol__integrator_time(integ);
    assert_int_equal(hol__integrator_step(integ, t_stop), HOL_OK);
    hol__integrator_commit(integ);
    const double after = hol__integrator_time(integ);
    *length = after - before;
    *beside = fmin(*beside, fabs(after - s->place.t));
    return before < s->place.t && after > s->place.t;
}

/* Wherever the place is, it falls into the middle of a gap of the step that passes it, and no step
 * ends beside it. */
static void test_falls_into_a_gap(void **state) {
    (void)state;
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < 40; k++) {
            swinging s;
            double length = 0, beside = INFINITY;
            start(&s, m, 2.385 + 0.0517 * k, 0, (hol__control){.tolerance = 1e-7});
            int passing = 0;
            do passing = hol__integrator_passing(s.place.integ);
            while (!step(&s, 1000, &length, &beside));
            assert_true(passing);
            /* in the middle up to rounding: the half gap; 1e-9 for 1/3 and the rounding of times */
            assert_true(s.place.nearest > (half_gap[m] - 1e-4) * length);
            assert_true(beside > (half_gap[m] - 1e-4) * length);
            assert_false(hol__integrator_passing(s.place.integ));
            stop(&s);
        }
}

/* From beside the place too, where only a short step could have it in its middle, the stages keep a
 * share of the distance. */
static void test_from_beside(void **state) {
    (void)state;
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < 30; k++) {
            swinging s;
            double length, beside = INFINITY;
            const double d = 0.0117 * pow(0.71, k);
            start(&s, m, d, 0, (hol__control){.tolerance = 1e-4, .first = 0.0513});
            while (!step(&s, 1000, &length, &beside)) continue;
            /* the gaps have a half of at least a quarter of their middle (pass.c), which is at the
             * distance d */
            assert_true(s.place.nearest > 0.25 * d * (1 - 1e-9));
            stop(&s);
        }
}

/* Within the width no step begins or ends, though the controller would want shorter steps; but the
 * longest step allowed counts more. */
static void test_width(void **state) {
    /* steps of these tolerances are shorter than those widths, but not so short that the eased test
     * (evolve.c, 1e-7) fails there */
    static const double tolerances[] = {1e-9, 1e-13, 1e-15}, widths[] = {1.37e-3, 0.0137, 0.0937};
    (void)state;
    for (int m = 0; m < 3; m++) {
        swinging s;
        double length = 0, beside = INFINITY;
        const double width = widths[m];
        start(&s, m, 1.1237, width,
              (hol__control){.tolerance = 1e-11, .max_step = 2e-3, .first = 1e-4});
        int passed = 0;
        while (!passed) {
            passed = step(&s, 1000, &length, &beside);
            assert_true(length > 0 && length <= 2e-3 * (1 + 1e-9));
        }
        stop(&s);
        beside = INFINITY;
        start(&s, m, 1.1237, width, (hol__control){.tolerance = tolerances[m], .first = 1e-4});
        while (!step(&s, 1000, &length, &beside)) continue;
        assert_int_equal(hol__integrator_stats(s.place.integ).eased, 1);
        /* a step from t* - w with t* in its gap at 0.55 (dopri5, the latest) ends at t* + 0.82 w */
        assert_true(beside > 0.81 * width);
        stop(&s);
    }
}

/* A step that the width makes long and a landing cuts is not repeated for ever: it is shortened
 * once its test cannot be eased. */
static void test_width_and_landing(void **state) {
    static const double tolerances[] = {1e-11, 1e-13, 1e-15}, width = 0.3;
    (void)state;
    for (int m = 0; m < 3; m++) {
        swinging s;
        double length, beside = INFINITY;
        start(&s, m, 0.9173, width, (hol__control){.tolerance = tolerances[m], .first = 1e-4});
        while (hol__integrator_time(s.place.integ) < 1.0317) step(&s, 1.0317, &length, &beside);
        assert_true(hol__integrator_time(s.place.integ) == 1.0317);
        stop(&s);
    }
}

/* A time to land on is met also beside the place. */
static void test_landing_wins(void **state) {
    (void)state;
    for (int m = 0; m < 3; m++) {
        swinging s;
        double length, beside = INFINITY;
        start(&s, m, 0.9173, 0.01, (hol__control){.tolerance = 1e-7});
        const double t_stop = 0.9173 - 1.3e-3;
        while (hol__integrator_time(s.place.integ) < t_stop) step(&s, t_stop, &length, &beside);
        assert_true(hol__integrator_time(s.place.integ) == t_stop);
        while (!step(&s, 1000, &length, &beside)) continue;
        stop(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falls_into_a_gap),
        cmocka_unit_test(test_from_beside),
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_width_and_landing),
        cmocka_unit_test(test_landing_wins),
    };
    return cmocka_run_group_tests_name("integ_pass", tests, NULL, NULL);
}
