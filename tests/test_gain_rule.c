/* test_gain_rule.c: the stability functions of all formulas, and the gains that rules make of them,
 * against what they claim, computed otherwise.
 */
#include "common.h"

#include <complex.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "form/gain_rule.h"
#include "integ/stability.h"

#include <math.h>

/* R(z) of a formula. */
static double complex response(hol__stability *s, double complex z) {
    double in[2] = {creal(z), cimag(z)}, out[2];
    assert_int_equal(hol__stability_at(s, in, out), HOL_OK);
    return out[0] + out[1] * I;
}

/* 1 + z + z^2/2 + … + z^n/n!. */
static double complex truncated_exponential(int n, double complex z) {
    double complex sum = 1, term = 1;
    for (int k = 1; k <= n; k++) sum += term *= z / k;
    return sum;
}

/* Formulas with as many stages as their order, up to 4, have no other R than the series of exp. */
static void test_polynomials(void **unused) {
    static const struct {
        const char *name;
        int stages;
    } formulas[] = {{"euler", 1}, {"heun", 2}, {"rk4", 4}};
    static const double complex z[] = {-0.73, -2.1, -1.2 + 0.9 * I, 0.4 - 2.2 * I};
    (void)unused;
    hol_context *ctx = hol_context_new();
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        hol__stability *s = hol__stability_new(ctx, hol__stepper_find(formulas[i].name));
        assert_non_null(s);
        for (size_t k = 0; k < sizeof z / sizeof *z; k++)
            assert_true(cabs(response(s, z[k]) - truncated_exponential(formulas[i].stages, z[k])) <
                        1e-14);
        hol__stability_free(s);
    }
    hol_context_free(ctx);
}

/* R(z) = exp(z) up to z^(p+1), for all of them: halving z divides the difference by 2^(p+1), within
 * what the next term shifts it by. */
static void test_orders(void **unused) {
    (void)unused;
    hol_context *ctx = hol_context_new();
    for (int i = 0; hol__stepper_get(i); i++) {
        const hol__stepper_type *type = hol__stepper_get(i);
        if (type->paces || type->varies) continue;
        hol__stability *s = hol__stability_new(ctx, type);
        /* at high orders rounding leaves no room for a smaller z, and the next term shifts more */
        const double most = type->order > 5 ? 0.5 : 0.3;
        const double complex z = (-0.8 + 0.5 * I) * (type->order > 5 ? 0.6 : 0.1);
        const double ratio =
            cabs(response(s, z) - cexp(z)) / cabs(response(s, z / 2) - cexp(z / 2));
        if (fabs(log2(ratio) - (type->order + 1)) >= most)
            fail_msg("%s: order %.2f of R", type->name, log2(ratio) - 1);
        hol__stability_free(s);
    }
    hol_context_free(ctx);
}

/* The eigenvalues of R(h G) are R of those of h G. */
static void check_poles(hol__stability *s, double pole, const hol__step_gains *g,
                        const char *name) {
    const double complex root = csqrt(g->alpha * g->alpha - g->beta * g->beta + 0 * I);
    const double complex first = response(s, -g->alpha + root),
                         second = response(s, -g->alpha - root);
    if (cabs(first - pole) > 1e-9 || cabs(second - pole) > 1e-9)
        print_error("%s, pole %g: alpha h %.6f, beta h %.6f: %g %+gi, %g %+gi\n", name, pole,
                    g->alpha, g->beta, creal(first), cimag(first), creal(second), cimag(second));
    assert_true(cabs(first - pole) <= 1e-9 && cabs(second - pole) <= 1e-9);
    assert_true(g->alpha > 0 && g->beta > 0 && g->rate > 0);
}

/* Poles where they were asked for, with every formula and over the range of the option `pole`. */
static void test_poles(void **unused) {
    static const double poles[] = {0, 0.03, 0.1, 0.23, 0.35, 0.5, 0.66, 0.8, 0.92, 0.97, 0.999};
    (void)unused;
    hol_context *ctx = hol_context_new();
    for (int i = 0; hol__stepper_get(i); i++) {
        if (hol__stepper_get(i)->paces || hol__stepper_get(i)->varies) continue;
        hol__stability *s = hol__stability_new(ctx, hol__stepper_get(i));
        for (size_t k = 0; k < sizeof poles / sizeof *poles; k++) {
            hol__step_gains g;
            if (!hol__place_poles(hol__stability_at, s, poles[k], &g))
                fail_msg("%s: no gains for the pole %g", hol__stepper_get(i)->name, poles[k]);
            if (getenv("GAINS_VERBOSE"))
                print_message("%-8s %5.2f: alpha h %.6f, beta h %.6f, rate %.6f (pole %.6f)\n",
                              hol__stepper_get(i)->name, poles[k], g.alpha, g.beta, g.rate,
                              creal(response(s, -g.rate)));
            check_poles(s, poles[k], &g, hol__stepper_get(i)->name);
        }
        hol__stability_free(s);
    }
    hol_context_free(ctx);
}

/* RK4: R(z) = 0 at z = -1.729444 +- 0.888974 i; on the real axis R is at least 0.2704, at
 * -1.596072 (the zero of R'). For poles above that the smallest gains are critically damped. */
static void test_rk4(void **unused) {
    (void)unused;
    hol_context *ctx = hol_context_new();
    hol__stability *s = hol__stability_new(ctx, hol__stepper_find("rk4"));
    hol__step_gains g;
    assert_true(hol__place_poles(hol__stability_at, s, 0, &g));
    const double complex z = -g.alpha + csqrt(g.alpha * g.alpha - g.beta * g.beta + 0 * I);
    assert_true(cabs(truncated_exponential(4, z)) < 1e-12);
    assert_true(fabs(g.alpha - 1.729444) < 1e-6 && fabs(g.beta - 1.944544) < 1e-6);
    assert_true(fabs(g.rate - 1.596072) < 1e-6);
    assert_true(hol__place_poles(hol__stability_at, s, 0.5, &g));
    assert_true(g.alpha == g.beta);
    assert_true(cabs(truncated_exponential(4, -g.alpha) - 0.5) < 1e-12);
    assert_true(fabs(g.rate - g.alpha) < 1e-9);
    hol__stability_free(s);
    hol_context_free(ctx);
}

/* ---- held terms ---- */

/* x_(k+1) for x = (Phi, h Phi'), from Phi'' = u constant in the step. */
static void held_step(const hol__step_gains *g, double x[2]) {
    const double u = -2 * g->alpha * x[1] - g->beta * g->beta * x[0];
    x[0] += x[1] + u / 2;
    x[1] += u;
}

/* The map has trace 2 p and determinant p^2. */
static void test_held_poles(void **unused) {
    static const double poles[] = {0, 0.3, 0.9};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        const hol__step_gains g = hol__place_held_poles(poles[i]);
        double a[2] = {1, 0}, b[2] = {0, 1};
        held_step(&g, a);
        held_step(&g, b);
        assert_true(fabs(a[0] + b[1] - 2 * poles[i]) < 1e-15);
        assert_true(fabs(a[0] * b[1] - a[1] * b[0] - poles[i] * poles[i]) < 1e-15);
        assert_true(fabs(1 - g.rate - poles[i]) < 1e-15);
    }
}

/* The sum of Phi^2 + (h Phi')^2 over 200 steps, from two starts at right angles to each other. */
static double cost(const hol__step_gains *g) {
    static const double starts[2][2] = {{1, 0.4}, {-0.4, 1}};
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        double x[2] = {starts[i][0], starts[i][1]};
        for (int k = 0; k < 200; k++) {
            sum += x[0] * x[0] + x[1] * x[1];
            held_step(g, x);
        }
    }
    return sum;
}

/* No other gains have a smaller sum; alpha h = 2/3, beta^2 h^2 = 2/3 with poles 0 and 1/3 is the
 * solution in closed form. */
static void test_optimal(void **unused) {
    (void)unused;
    const hol__step_gains best = hol__optimal_gains();
    const double least = cost(&best);
    assert_true(fabs(best.alpha - 2.0 / 3) < 1e-14);
    assert_true(fabs(best.beta * best.beta - 2.0 / 3) < 1e-14);
    for (int a = -40; a <= 40; a++)
        for (int b = -40; b <= 40; b++) {
            const hol__step_gains other = {.alpha = best.alpha * (1 + 0.01 * a),
                                           .beta = best.beta * (1 + 0.01 * b),
                                           .rate = 1};
            assert_true((!a && !b) || cost(&other) > least);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomials), cmocka_unit_test(test_orders),
        cmocka_unit_test(test_poles),       cmocka_unit_test(test_rk4),
        cmocka_unit_test(test_held_poles),  cmocka_unit_test(test_optimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
