/* test_rk_tables.c: every Runge–Kutta table against the order conditions, one for each rooted tree.
 *
 * A tree tau with subtrees tau_1 … tau_m has order |tau| = 1 + sum |tau_j|, density gamma = |tau|
 * prod gamma_j and, for a table, the vector Phi_i = prod_j (A Phi(tau_j))_i. Weights w have order p
 * at s when sum w_i Phi_i = s^|tau| / gamma for all trees with |tau| <= p: s = 1 and w = b for the
 * method; w = b(s) for the interpolant; right-hand side 0 and w = e for an estimate.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "integ/rk.h"

enum { MOST_ORDER = 9, MOST_TREES = 500, MOST_SLOPES = 16 };

/* A tree as the grafting of `right` onto the root of `left` (Butcher product); tree 0 is the single
 * node. */
typedef struct tree {
    int order, left, right;
    double gamma, graft; /* graft: product over the root's subtrees of their gamma */
    double phi[MOST_SLOPES];
} tree;

static tree trees[MOST_TREES];
static int n_trees;

/* All trees up to MOST_ORDER, each once: a subtree is grafted only if it is not older than the last
 * one grafted. */
static void grow_trees(void) {
    trees[0] = (tree){.order = 1, .left = -1, .right = -1, .gamma = 1, .graft = 1};
    n_trees = 1;
    for (int order = 2; order <= MOST_ORDER; order++) {
        const int before = n_trees;
        for (int left = 0; left < before; left++)
            for (int right = 0; right < before; right++) {
                if (trees[left].order + trees[right].order != order) continue;
                if (trees[left].right > right) continue;
                const double graft = trees[left].graft * trees[right].gamma;
                assert_true(n_trees < MOST_TREES);
                trees[n_trees++] = (tree){.order = order,
                                          .left = left,
                                          .right = right,
                                          .graft = graft,
                                          .gamma = order * graft};
            }
    }
}

/* The table with all slopes of the interpolant as stages. */
typedef struct wide {
    int m;
    double a[MOST_SLOPES][MOST_SLOPES], c[MOST_SLOPES];
    double b[MOST_SLOPES];
} wide;

/* The numbers of the k-th explicit Runge–Kutta formula, and its row in the list; NULL past the
 * end. */
static const hol__rk_table *get(int k, const hol__stepper_type **type) {
    for (int i = 0; (*type = hol__stepper_get(i)); i++)
        if ((*type)->ops == &hol__rk && k-- == 0) return (*type)->table;
    return NULL;
}

static wide widen(const hol__rk_table *t) {
    wide w = {0};
    const int last = t->fsal ? t->stages - 1 : t->stages;
    w.m = last + 1 + t->extra_stages;
    for (int i = 0; i < t->stages; i++) {
        w.c[i] = t->c[i];
        w.b[i] = t->b[i];
        for (int j = 0; j < t->stages; j++) w.a[i][j] = t->a[i * t->stages + j];
    }
    if (!t->fsal) {
        w.c[last] = 1;
        for (int j = 0; j < t->stages; j++) w.a[last][j] = t->b[j];
    }
    for (int e = 0; e < t->extra_stages; e++) {
        w.c[last + 1 + e] = t->dense_c[e];
        for (int j = 0; j < w.m; j++) w.a[last + 1 + e][j] = t->dense_a[e * w.m + j];
    }
    return w;
}

/* Phi of all trees. */
static void elementary_weights(const wide *w) {
    for (int k = 0; k < n_trees; k++)
        for (int i = 0; i < w->m; i++) {
            double sum = 0;
            if (k == 0) {
                trees[k].phi[i] = 1;
                continue;
            }
            for (int j = 0; j < w->m; j++) sum += w->a[i][j] * trees[trees[k].right].phi[j];
            trees[k].phi[i] = trees[trees[k].left].phi[i] * sum;
        }
}

/* Largest |sum w_i Phi_i - s^|tau|/gamma| (rhs 1) or |sum w_i Phi_i| (rhs 0) over the trees of that
 * order. */
static double worst(const double *weights, int m, int order, double s, int rhs) {
    double most = 0;
    for (int k = 0; k < n_trees; k++) {
        if (trees[k].order != order) continue;
        double sum = rhs ? -pow(s, order) / trees[k].gamma : 0;
        for (int i = 0; i < m; i++) sum += weights[i] * trees[k].phi[i];
        most = fmax(most, fabs(sum));
    }
    return most;
}

/* Coefficients reach 43 and cancel to O(1): 2e-14 is 43 times 2 eps; a coefficient of size 1 that
 * is wrong in its 13th place shows. A condition that is not met is off by far more than 1e-7. */
static const double MET = 2e-14, NOT_MET = 1e-7;

static void check_order(const double *weights, int m, int order, double s, int rhs) {
    for (int p = 1; p <= order; p++) assert_true(worst(weights, m, p, s, rhs) < MET);
    assert_true(worst(weights, m, order + 1, s, rhs) > NOT_MET);
}

static void test_number_of_trees(void **state) {
    static const int known[] = {1, 1, 2, 4, 9, 20, 48, 115, 286};
    (void)state;
    for (int order = 1; order <= MOST_ORDER; order++) {
        int n = 0;
        for (int k = 0; k < n_trees; k++) n += trees[k].order == order;
        assert_int_equal(n, known[order - 1]);
    }
}

static void test_shape(void **state) {
    (void)state;
    const hol__stepper_type *type;
    const hol__rk_table *t;
    for (int k = 0; (t = get(k, &type)); k++) {
        const wide w = widen(t);
        assert_ptr_equal(hol__stepper_find(type->name), type);
        for (int i = 0; i < w.m; i++) {
            double sum = 0;
            for (int j = 0; j < w.m; j++) sum += w.a[i][j];
            for (int j = i; j < w.m; j++) assert_true(w.a[i][j] == 0);
            assert_true(fabs(sum - w.c[i]) < 1e-14 * 60);
        }
        if (t->fsal)
            assert_memory_equal(w.a[t->stages - 1], t->b, sizeof(double) * (size_t)t->stages);
    }
    assert_null(hol__stepper_get(-1));
    assert_null(hol__stepper_find("rk5"));
}

static void test_method_orders(void **state) {
    (void)state;
    const hol__stepper_type *type;
    const hol__rk_table *t;
    for (int k = 0; (t = get(k, &type)); k++) {
        const wide w = widen(t);
        elementary_weights(&w);
        check_order(w.b, w.m, type->order, 1, 1);
    }
}

static void test_estimate_orders(void **state) {
    static const struct {
        const char *name;
        int e, e2;
    } rows[] = {{"bs32", 2, 0}, {"dopri5", 4, 0}, {"dop853", 5, 3}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const hol__rk_table *t = hol__stepper_find(rows[r].name)->table;
        const wide w = widen(t);
        elementary_weights(&w);
        check_order(t->e, t->stages, rows[r].e, 1, 0);
        if (rows[r].e2) check_order(t->e2, t->stages, rows[r].e2, 1, 0);
    }
}

/* b_i(s) of an interpolant as rk_dense.c documents it, with the rows d over m slopes. */
static void dense_weights(const hol__rk_table *t, const wide *w, const double *d, int m, double s,
                          double *out) {
    const double r = 1 - s, powers[] = {s * s * r * r, s * s * s * r * r, s * s * s * r * r * r,
                                        s * s * s * s * r * r * r};
    const int last = t->fsal ? t->stages - 1 : t->stages;
    for (int i = 0; i < m; i++) {
        out[i] = s * s * (1 + 2 * r) * w->b[i] + (i == 0) * s * r * r - (i == last) * s * s * r;
        for (int j = 0; j < t->dense_rows; j++) out[i] += powers[j] * d[j * m + i];
    }
}

static const double points[] = {0.137, 0.318, 0.5, 0.7431, 0.912};
enum { POINTS = sizeof points / sizeof *points };

static void test_dense_orders(void **state) {
    (void)state;
    const hol__stepper_type *type;
    const hol__rk_table *t;
    for (int k = 0; (t = get(k, &type)); k++) {
        const wide w = widen(t);
        elementary_weights(&w);
        for (int i = 0; i < POINTS; i++) {
            double b[MOST_SLOPES];
            dense_weights(t, &w, t->dense_d, w.m, points[i], b);
            for (int p = 1; p <= type->dense_order; p++)
                assert_true(worst(b, w.m, p, points[i], 1) < MET);
            assert_true(worst(b, w.m, type->dense_order + 1, points[i], 1) > NOT_MET);
        }
    }
}

/* The symmetry of a tree: for each subtree at its root that occurs n times, n! times the n-th power
 * of its own. A tree is its left part with its right part grafted onto the root. */
static double symmetry(int k) {
    int branches[MOST_ORDER], n = 0, same;
    double product = 1;
    for (; k; k = trees[k].left) branches[n++] = trees[k].right;
    for (int i = 0; i < n; i++) {
        same = 0;
        for (int j = 0; j <= i; j++) same += branches[j] == branches[i];
        product *= same * symmetry(branches[i]);
    }
    return product;
}

/* sum w_i Phi_i - rhs s^7/gamma of all trees of order 7, over their symmetry; the norm. */
static double residual_7(const double *weights, int m, double s, int rhs) {
    double sum = 0;
    for (int k = 0; k < n_trees; k++) {
        if (trees[k].order != 7) continue;
        double r = rhs ? -pow(s, 7) / trees[k].gamma : 0;
        for (int i = 0; i < m; i++) r += weights[i] * trees[k].phi[i];
        r /= symmetry(k);
        sum += r * r;
    }
    return sqrt(sum);
}

/* The interpolant without extra stages has order 6; the weights of its estimate meet the conditions
 * up to there with zeros, and are twice as large in those of order 7 as the interpolant is at
 * worst. No other one of order 6 has smaller residuals: they stand at right angles to what is left
 * open. Weights reach 5000 times 0.0084 = 42, as those of the others. */
static void test_free_interpolant(void **state) {
    (void)state;
    const hol__stepper_type *type;
    const hol__rk_table *t;
    int found = 0;
    for (int k = 0; (t = get(k, &type)); k++) {
        if (!t->free_d) continue;
        const wide w = widen(t);
        const int m = t->stages + 1;
        double b[MOST_SLOPES], most = 0;
        found++;
        elementary_weights(&w);
        for (int i = 0; i < POINTS; i++) {
            dense_weights(t, &w, t->free_d, m, points[i], b);
            check_order(b, m, 6, points[i], 1);
        }
        check_order(t->free_e, m, 6, 1, 0);
        const double size = residual_7(t->free_e, m, 1, 0);
        for (int i = 1; i < 40; i++) {
            double up[MOST_SLOPES], down[MOST_SLOPES];
            dense_weights(t, &w, t->free_d, m, i / 40.0, b);
            for (int j = 0; j < m; j++)
                up[j] = b[j] + 1e-3 * t->free_e[j], down[j] = b[j] - 1e-3 * t->free_e[j];
            const double here = residual_7(b, m, i / 40.0, 1);
            most = fmax(most, here);
            assert_true(here < residual_7(up, m, i / 40.0, 1));
            assert_true(here < residual_7(down, m, i / 40.0, 1));
        }
        print_message("%s: residual %.4e, of the estimate %.4e\n", type->name, most, size);
        assert_true(fabs(2 * most / size - 1) < 1e-3);
    }
    assert_int_equal(found, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_of_trees), cmocka_unit_test(test_shape),
        cmocka_unit_test(test_method_orders),   cmocka_unit_test(test_estimate_orders),
        cmocka_unit_test(test_dense_orders),    cmocka_unit_test(test_free_interpolant),
    };
    grow_trees();
    return cmocka_run_group_tests_name("rk_tables", tests, NULL, NULL);
}
