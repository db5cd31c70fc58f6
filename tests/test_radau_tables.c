/* test_radau_tables.c: every number of the Radau IIA formulas through what defines it: quadrature,
 * collocation, the inverse, its real Jordan form, the estimate; and how often derivatives
 * are taken.
 *
 * Sums have up to five terms of size 30: rounding of 1e-13.
 */
#include "integ_fixture.h"

#include "integ/dae.h"
#include "integ/radau.h"

static const double ROUNDING = 1e-13;

static const hol__stepper_type *formula(int i) {
    static const char *const names[] = {"radau3", "radau5", "radau9", NULL};
    return names[i] ? hol__stepper_find(names[i]) : NULL;
}

/* sum_j a_ij c_j^(q-1) = c_i^q / q for q <= s, and the last row, the weights, for q <= 2 s - 1. */
static void test_collocation(void **state) {
    (void)state;
    for (int f = 0; formula(f); f++) {
        const hol__radau_table *r = formula(f)->table;
        const int s = r->stages;
        assert_int_equal(formula(f)->order, 2 * s - 1);
        assert_true(r->c[s - 1] == 1);
        for (int i = 0; i < s; i++)
            for (int q = 1; q <= (i == s - 1 ? 2 * s - 1 : s); q++) {
                double sum = 0;
                for (int j = 0; j < s; j++) sum += r->a[i * s + j] * pow(r->c[j], q - 1);
                assert_true(fabs(sum - pow(r->c[i], q) / q) < ROUNDING);
            }
    }
}

/* The entry (i, j) of a product. */
static double product(int s, const double *a, const double *b, int i, int j) {
    double sum = 0;
    for (int k = 0; k < s; k++) sum += a[i * s + k] * b[k * s + j];
    return sum;
}

/* w a = 1, t ti = 1, and w t = t B. */
static void test_transformation(void **state) {
    (void)state;
    for (int f = 0; formula(f); f++) {
        const hol__radau_table *r = formula(f)->table;
        const int s = r->stages;
        double B[25] = {0};
        if (r->real) B[0] = r->sigma0;
        for (int i = r->real, p = 0; i < s; i += 2, p++) {
            B[i * s + i] = B[(i + 1) * s + i + 1] = r->pair[p][0];
            B[i * s + i + 1] = -(B[(i + 1) * s + i] = r->pair[p][1]);
        }
        assert_int_equal(formula(f)->slots, 1 + (s - r->real) / 2);
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                assert_true(fabs(product(s, r->w, r->a, i, j) - (i == j)) < ROUNDING);
                assert_true(fabs(product(s, r->t, r->ti, i, j) - (i == j)) < ROUNDING);
                assert_true(fabs(product(s, r->w, r->t, i, j) - product(s, r->t, B, i, j)) <
                            10 * ROUNDING);
            }
    }
}

/* The estimate vanishes for polynomials up to degree s: f_0 + sum e_j y(c_j) = 0 for y = x^q, q =
 * 1 … s, and not for s + 1. */
static void test_estimate(void **state) {
    (void)state;
    for (int f = 0; formula(f); f++) {
        const hol__radau_table *r = formula(f)->table;
        for (int q = 1; q <= r->stages + 1; q++) {
            double sum = q == 1;
            for (int j = 0; j < r->stages; j++) sum += r->e[j] * pow(r->c[j], q);
            if (q <= r->stages)
                assert_true(fabs(sum) < ROUNDING);
            else
                assert_true(fabs(sum) > 1e-3);
        }
        assert_int_equal(formula(f)->error_order, r->stages);
    }
}

/* ---- derivatives ---- */

static long jacobians;
static hol__dae inner;

static hol_status counted(void *self, double t, const double *y, const double *ydot,
                          const double *x) {
    jacobians++;
    return inner.linearize(self, t, y, ydot, x);
}

/* Derivatives are taken once a try, and again only where the iteration leads nowhere. */
static void test_one_jacobian_a_step(void **state) {
    (void)state;
    for (int i = 0; formula(i); i++) {
        hol_context *ctx = hol_context_new();
        probe p = {0};
        double y[N];
        hol__system system = {.n = N, .self = &p, .rhs = rhs, .linearize = linearize};
        hol__dae_plain *plain = hol__dae_plain_new(ctx, &system, 3, &inner);
        hol__dae dae = inner;
        dae.linearize = counted;
        system.dae = &dae;
        hol__integrator *integ = hol__integrator_new(
            ctx, formula(i), &system, &(hol__control){.tolerance = 1e-7, .first = 1.1});
        exact(T0, y);
        jacobians = 0;
        hol__integrator_start(integ, T0, y);
        while (hol__integrator_time(integ) < T0 + 2) hol__integrator_step(integ, T0 + 2);
        const hol__integ_stats s = hol__integrator_stats(integ);
        print_message("%s: %ld steps, %ld rejected, %ld failures, %ld derivatives\n",
                      formula(i)->name, s.steps, s.rejected, s.failures, jacobians);
        assert_true(s.rejected > 0);
        assert_in_range(jacobians, s.steps + s.rejected, s.steps + s.rejected + 6);
        hol__integrator_free(integ);
        hol__dae_plain_free(plain);
        hol_context_free(ctx);
    }
}

/* The integral from 0 to x of prod (u - c_i), of degree s: Gauss's rule of four points on each of
 * 64 parts. */
static double defect_integral(int s, const double *c, double x) {
    static const double at[2] = {0.3399810435848563, 0.8611363115940526};
    static const double weight[2] = {0.6521451548625461, 0.3478548451374538};
    const double half = x / 128;
    double sum = 0;
    for (int part = 0; part < 64; part++)
        for (int k = 0; k < 4; k++) {
            const double u = half * (2 * part + 1 + (k % 2 ? 1 : -1) * at[k / 2]);
            double w = half * weight[k / 2];
            for (int i = 0; i < s; i++) w *= u - c[i];
            sum += w;
        }
    return sum;
}

/* What docs/theory/radau.md says of the interpolant: off by 0.37, 0.25, 0.19 of the estimate. */
static void test_interpolant_is_held(void **state) {
    static const double share[] = {0.37, 0.25, 0.19};
    (void)state;
    for (int f = 0; formula(f); f++) {
        const hol__radau_table *r = formula(f)->table;
        double most = 0, nodes = 1;
        for (int i = 0; i < r->stages; i++) nodes *= r->c[i];
        for (int k = 0; k <= 1000; k++)
            most = fmax(most, fabs(defect_integral(r->stages, r->c, k * 1e-3)));
        const double off = most / nodes * r->sigma0;
        assert_true(off < share[f] && off > share[f] - 0.01);
        assert_true(formula(f)->dense_held);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collocation),
        cmocka_unit_test(test_transformation),
        cmocka_unit_test(test_estimate),
        cmocka_unit_test(test_one_jacobian_a_step),
        cmocka_unit_test(test_interpolant_is_held),
    };
    return cmocka_run_group_tests_name("radau_tables", tests, NULL, NULL);
}
