/* test_rosenbrock_tables.c: every Rosenbrock table against the order conditions, one for each
 * rooted tree [HW IV.7].
 *
 * In the slopes k of the formula, with Gamma^-1 = 1/gamma - c, alpha = a Gamma, b = m Gamma and
 * beta = alpha + Gamma: a tree with subtrees tau_1 … tau_m has Phi_i = prod_j (alpha Phi(tau_j))_i
 * for m > 1 and Phi_i = (beta Phi(tau_1))_i for m = 1, where the exact Jacobian has its say.
 * Weights w have order p at s when sum w_i Phi_i = s^|tau| / density for all trees with |tau| <= p;
 * right-hand side 0 for an estimate.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "integ/rosenbrock.h"

enum { MOST = 8, N_TREES = 17 };

/* A tree as its subtrees, by index; all trees up to order 5. */
typedef struct tree {
    int order, n, sub[4];
    double density;
} tree;

static const tree trees[N_TREES] = {
    {1, 0, {0}, 1},          {2, 1, {0}, 2},     {3, 1, {1}, 6},     {3, 2, {0, 0}, 3},
    {4, 1, {2}, 24},         {4, 1, {3}, 12},    {4, 2, {1, 0}, 8},  {4, 3, {0, 0, 0}, 4},
    {5, 1, {4}, 120},        {5, 1, {5}, 60},    {5, 1, {6}, 40},    {5, 1, {7}, 20},
    {5, 2, {2, 0}, 30},      {5, 2, {3, 0}, 15}, {5, 2, {1, 1}, 20}, {5, 3, {1, 0, 0}, 10},
    {5, 4, {0, 0, 0, 0}, 5},
};

/* The formula in the slopes k. */
typedef struct formula {
    int s;
    double alpha[MOST][MOST], gamma[MOST][MOST], beta[MOST][MOST];
    double phi[N_TREES][MOST];
} formula;

/* Gamma from its inverse, which is lower triangular: column by column. */
static void invert(const hol__rosenbrock_table *t, formula *f) {
    for (int j = 0; j < f->s; j++)
        for (int i = j; i < f->s; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++) sum += t->c[i * f->s + k] * f->gamma[k][j];
            f->gamma[i][j] = sum * t->gamma;
        }
}

/* w = weights of u as weights of k. */
static void in_slopes(const formula *f, const double *u, double *w) {
    for (int j = 0; j < f->s; j++) {
        w[j] = 0;
        for (int i = 0; i < f->s; i++) w[j] += u[i] * f->gamma[i][j];
    }
}

/* Phi of all trees. */
static void elementary_weights(formula *f) {
    for (int k = 0; k < N_TREES; k++)
        for (int i = 0; i < f->s; i++) {
            f->phi[k][i] = 1;
            for (int c = 0; c < trees[k].n; c++) {
                double sum = 0;
                for (int j = 0; j < f->s; j++)
                    sum +=
                        (trees[k].n == 1 ? f->beta : f->alpha)[i][j] * f->phi[trees[k].sub[c]][j];
                f->phi[k][i] *= sum;
            }
        }
}

static formula expand(const hol__rosenbrock_table *t) {
    formula f = {.s = t->stages};
    invert(t, &f);
    for (int i = 0; i < f.s; i++)
        for (int j = 0; j < f.s; j++) {
            for (int k = 0; k < f.s; k++) f.alpha[i][j] += t->a[i * f.s + k] * f.gamma[k][j];
            f.beta[i][j] = f.alpha[i][j] + f.gamma[i][j];
        }
    elementary_weights(&f);
    return f;
}

/* The k-th Rosenbrock formula; NULL past the end. */
static const hol__stepper_type *get(int k) {
    const hol__stepper_type *type;
    for (int i = 0; (type = hol__stepper_get(i)); i++)
        if (type->ops == &hol__rosenbrock && k-- == 0) return type;
    return NULL;
}

/* Largest |sum w_i Phi_i - rhs s^|tau|/density| over the trees of that order. */
static double worst(const formula *f, const double *w, int order, double s, int rhs) {
    double most = 0;
    for (int k = 0; k < N_TREES; k++) {
        if (trees[k].order != order) continue;
        double sum = rhs ? -pow(s, order) / trees[k].density : 0;
        for (int i = 0; i < f->s; i++) sum += w[i] * f->phi[k][i];
        most = fmax(most, fabs(sum));
    }
    return most;
}

/* Numbers up to 57 with 16 digits that cancel to O(1): 57 times 2 eps. A condition that is not met
 * is off by far more than 1e-3. */
static const double MET = 2e-14, NOT_MET = 1e-3;

static void check(const formula *f, const double *u, int order, double s, int rhs) {
    double w[MOST];
    in_slopes(f, u, w);
    for (int p = 1; p <= order; p++) assert_true(worst(f, w, p, s, rhs) < MET);
    assert_true(worst(f, w, order + 1, s, rhs) > NOT_MET);
}

/* Densities: |tau| times those of the subtrees. */
static void test_trees(void **state) {
    (void)state;
    for (int k = 0; k < N_TREES; k++) {
        int order = 1;
        double density = 1;
        for (int c = 0; c < trees[k].n; c++) {
            order += trees[trees[k].sub[c]].order;
            density *= trees[trees[k].sub[c]].density;
        }
        assert_int_equal(order, trees[k].order);
        assert_true(density * order == trees[k].density);
    }
}

/* Row sums give the times of the stages and the weights of df/dt; the last row of beta is b, so
 * that the formula is stiffly accurate: R(infinity) = 1 - b beta^-1 1 = 0. */
static void test_shape(void **state) {
    const hol__stepper_type *type;
    (void)state;
    for (int k = 0; (type = get(k)); k++) {
        const hol__rosenbrock_table *t = type->table;
        const formula f = expand(t);
        double b[MOST];
        in_slopes(&f, t->m, b);
        assert_true(type->implicit);
        for (int i = 0; i < f.s; i++) {
            double alpha = 0, gamma = 0;
            for (int j = 0; j < f.s; j++) alpha += f.alpha[i][j], gamma += f.gamma[i][j];
            for (int j = i; j < f.s; j++)
                assert_true(t->a[i * f.s + j] == 0 && t->c[i * f.s + j] == 0);
            assert_true(fabs(alpha - t->alpha[i]) < MET && fabs(gamma - t->gamma_i[i]) < MET);
            assert_true(fabs(f.beta[f.s - 1][i] - b[i]) < MET);
        }
    }
}

static void test_orders(void **state) {
    const hol__stepper_type *type;
    (void)state;
    assert_non_null(get(0));
    for (int k = 0; (type = get(k)); k++) {
        const hol__rosenbrock_table *t = type->table;
        const formula f = expand(t);
        check(&f, t->m, type->order, 1, 1);
        check(&f, t->e, type->error_order, 1, 0);
    }
}

static void test_dense_orders(void **state) {
    static const double points[] = {0.137, 0.318, 0.5, 0.7431, 0.912};
    const hol__stepper_type *type;
    (void)state;
    for (int k = 0; (type = get(k)); k++) {
        const hol__rosenbrock_table *t = type->table;
        const formula f = expand(t);
        for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
            const double s = points[i];
            double u[MOST];
            for (int j = 0; j < f.s; j++)
                u[j] = s * t->m[j] + s * (1 - s) * (t->d1[j] + s * t->d2[j]);
            check(&f, u, type->dense_order, s, 1);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_dense_orders),
    };
    return cmocka_run_group_tests_name("rosenbrock_tables", tests, NULL, NULL);
}
