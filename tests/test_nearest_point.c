/* test_nearest_point.c: the point of a polyhedron nearest to the origin, against the best of all
 * sets of rows that may be tight. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "common.h"

#include "la/dense.h"
#include "la/nearest_point.h"

#include <math.h>
#include <string.h>

enum { MOST = 9, UNKNOWNS = 3 };

static unsigned long long seed = 88172645463325252ULL;

static double uniform(void) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(seed >> 11) / 4503599627370496. - 1;
}

/* How far the worst row is from being satisfied. */
static double missing(const hol__nearest_point *p, const double *z) {
    double worst = 0;
    for (int i = 0; i < p->m; i++) {
        double sum = p->h[i];
        for (int j = 0; j < p->n; j++) sum -= p->B[i * p->n + j] * z[j];
        worst = fmax(worst, sum);
    }
    return worst;
}

/* z = S^T (S S^T)^-1 h_S for the rows of a set, by Gauss's elimination; 0 where they depend on each
 * other. */
static int tight(const hol__nearest_point *p, unsigned set, double *z) {
    double a[UNKNOWNS][UNKNOWNS + 1];
    int row[UNKNOWNS], k = 0;
    for (int i = 0; i < p->m; i++)
        if (set >> i & 1) {
            if (k == UNKNOWNS) return 0;
            row[k++] = i;
        }
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            a[i][j] = 0;
            for (int l = 0; l < p->n; l++)
                a[i][j] += p->B[row[i] * p->n + l] * p->B[row[j] * p->n + l];
        }
        a[i][k] = p->h[row[i]];
    }
    for (int i = 0; i < k; i++) {
        if (fabs(a[i][i]) < 1e-9) return 0;
        for (int l = 0; l < k; l++) {
            const double f = l == i ? 0 : a[l][i] / a[i][i];
            for (int j = i; j <= k; j++) a[l][j] -= f * a[i][j];
        }
    }
    memset(z, 0, sizeof *z * (size_t)p->n);
    for (int i = 0; i < k; i++)
        for (int l = 0; l < p->n; l++) z[l] += p->B[row[i] * p->n + l] * a[i][k] / a[i][i];
    return 1;
}

static double length(int n, const double *z) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum = hypot(sum, z[i]);
    return sum;
}

/* The shortest of all; infinite where no point satisfies the rows. */
static double shortest(const hol__nearest_point *p) {
    double best = INFINITY, z[UNKNOWNS];
    for (unsigned set = 0; set < 1u << p->m; set++)
        if (tight(p, set, z) && missing(p, z) < 1e-9 && length(p->n, z) < best)
            best = length(p->n, z);
    return best;
}

static void test_all_sets(void **unused) {
    hol_context *ctx = hol_context_new();
    int none = 0;
    (void)unused;
    for (int k = 0; k < 2000; k++) {
        hol__arena arena;
        hol__arena_init(&arena, ctx);
        hol__nearest_point *p = hol__nearest_point_new(&arena, MOST, UNKNOWNS);
        assert_non_null(p);
        p->m = 1 + k % MOST;
        p->n = 1 + k % UNKNOWNS;
        for (int i = 0; i < p->m * p->n; i++) p->B[i] = uniform();
        for (int i = 0; i < p->m; i++) p->h[i] = uniform() - 0.3;
        const double best = shortest(p);
        const hol_status status = hol__nearest_point_solve(p);
        none += isinf(best);
        assert_int_equal(status, isinf(best) ? HOL_SINGULAR : HOL_OK);
        if (!status) {
            /* r_n = 1/(1 + |z|^2) has an error of some eps */
            const double allowed = 1e-13 * (1 + best * best) * (1 + best);
            assert_true(missing(p, p->z) < allowed);
            assert_true(fabs(length(p->n, p->z) - best) < allowed);
        }
        hol__arena_free(&arena);
    }
    print_message("%d of 2000 have no point\n", none);
    assert_true(none > 50);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
