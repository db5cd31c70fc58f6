/* integ_fixture.h: the system that the tests of the integrators share, with its solution in closed
 * form.
 *
 * n = 6, nonlinear, not autonomous:
 *     Kepler's orbit of eccentricity 0.3871, y_0 … y_3 = (x, y, x', y');
 *     y_4' = cos(t) y_4 + (y_5 - 1/(1 + t^2)) y_4,   y_4 = exp(sin t);
 *     y_5' = -2 t y_5^2,   y_5 = 1/(1 + t^2).
 */
#ifndef HOL_TEST_INTEG_FIXTURE_H
#define HOL_TEST_INTEG_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "integ/differences.h"
#include "integ/integ.h"
#include "integ/rk.h"

enum { N = 6 };

static const double ECC = 0.3871, T0 = 0.3172;

/* What the right-hand side does besides its work. */
typedef struct probe {
    long calls, corrections;
    double bad_after; /* misbehave for t beyond this … */
    long bad_times;   /* … this many times */
    hol_status bad;   /* with this status; HOL_OK: with NaN */
    char log[200];    /* f and c in the order of the calls */
    double last_f[N], last_c[N];
    double kick; /* correct adds this once */
    hol_status bad_correct;
    hol__differences *differences; /* for implicit formulas */
} probe;

static inline void exact(double t, double *y) {
    double E = t;
    for (int i = 0; i < 60; i++) E -= (E - ECC * sin(E) - t) / (1 - ECC * cos(E));
    const double b = sqrt(1 - ECC * ECC), rate = 1 / (1 - ECC * cos(E));
    y[0] = cos(E) - ECC;
    y[1] = b * sin(E);
    y[2] = -sin(E) * rate;
    y[3] = b * cos(E) * rate;
    y[4] = exp(sin(t));
    y[5] = 1 / (1 + t * t);
}

static inline void note(probe *p, char what) {
    const size_t at = strlen(p->log);
    if (at + 1 < sizeof p->log) p->log[at] = what;
}

static inline hol_status rhs(void *self, double t, const double *y, double *ydot) {
    probe *p = self;
    const double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * sqrt(r2);
    p->calls++;
    note(p, 'f');
    memcpy(p->last_f, y, sizeof p->last_f);
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = -y[0] / r3;
    ydot[3] = -y[1] / r3;
    ydot[4] = cos(t) * y[4] + (y[5] - 1 / (1 + t * t)) * y[4];
    ydot[5] = -2 * t * y[5] * y[5];
    if (p->bad_times > 0 && t > p->bad_after) {
        p->bad_times--;
        if (p->bad == HOL_OK) ydot[3] = NAN;
        return p->bad;
    }
    return HOL_OK;
}

static inline hol_status correct(void *self, double t, double *y) {
    probe *p = self;
    (void)t;
    p->corrections++;
    note(p, 'c');
    y[3] += p->kick;
    p->kick = 0;
    memcpy(p->last_c, y, sizeof p->last_c);
    return p->bad_correct;
}

static inline hol_status linearize(void *self, double t, const double *y, const double *f, double h,
                                   double *ft) {
    return hol__differences_linearize(((probe *)self)->differences, t, y, f, h, ft);
}

static inline hol_status shift(void *self, double g) {
    return hol__differences_shift(((probe *)self)->differences, g);
}

static inline hol_status solve(void *self, const double *r, double *x) {
    return hol__differences_solve(((probe *)self)->differences, r, x);
}

typedef struct fixture {
    hol_context *ctx;
    probe probe, quiet; /* the second is for derivatives */
    hol__system system, quiet_system;
    hol__integrator *integ;
} fixture;

/* The system, with derivatives. */
static inline void make_system(fixture *f) {
    f->quiet_system = (hol__system){.n = N, .self = &f->quiet, .rhs = rhs};
    f->probe.differences = hol__differences_new(f->ctx, &f->quiet_system);
    f->system = (hol__system){.n = N,
                              .self = &f->probe,
                              .rhs = rhs,
                              .linearize = linearize,
                              .shift = shift,
                              .solve = solve};
}

static inline fixture *open_at(const char *method, hol__control control, double t) {
    fixture *f = calloc(1, sizeof *f);
    double y[N];
    f->ctx = hol_context_new();
    make_system(f);
    f->integ = hol__integrator_new(f->ctx, hol__stepper_find(method), &f->system, &control);
    assert_non_null(f->integ);
    exact(t, y);
    assert_int_equal(hol__integrator_start(f->integ, t, y), HOL_OK);
    return f;
}

static inline void close_it(fixture *f) {
    hol__integrator_free(f->integ);
    hol__differences_free(f->probe.differences);
    hol_context_free(f->ctx);
    free(f);
}

static inline void advance(hol__integrator *integ, double t) {
    while (hol__integrator_time(integ) < t)
        assert_int_equal(hol__integrator_step(integ, t), HOL_OK);
}

static inline double distance(const double *a, const double *b) {
    double most = 0;
    for (int i = 0; i < N; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* Largest error of the state against the solution. */
static inline double error_of(const hol__integrator *integ) {
    double y[N];
    exact(hol__integrator_time(integ), y);
    return distance(y, hol__integrator_state(integ));
}

/* The steps over [T0, T0 + 1.2] at which the leading term of the error rules and rounding does
 * not. */
static const struct {
    const char *name;
    int steps;
} halving[] = {{"euler", 2000}, {"heun", 300},  {"rk4", 80},
               {"bs32", 150},   {"dopri5", 70}, {"dop853", 12}};

enum { METHODS = sizeof halving / sizeof *halving };

/* A number in [0, 1), the same sequence in every run. */
static inline double uniform(void) {
    static uint64_t seed = 88172645463325252u;
    return random_unit(&seed);
}

#endif
