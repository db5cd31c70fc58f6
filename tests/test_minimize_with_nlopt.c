/* test_minimize_with_nlopt.c: the search for a minimum on plain functions: every algorithm of the
 * table on problems that it takes, with solutions known in closed form or to many digits; active
 * constraints with their multipliers; points without values; interruption; what repeats. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/minimize.h"

#include "common.h"

#include <math.h>

enum { MOST = 4 };

typedef struct problem {
    const char *name;
    int n, m;
    double start[MOST], low[MOST], high[MOST];
    unsigned char equal[MOST];
    hol_status (*evaluate)(void *self, const double *p, double *values, double *gradient);
    double at[MOST], value; /* the solution */
} problem;

/* Rosenbrock's valley with its end at (1.3, 1.69). */
static hol_status valley(void *self, const double *p, double *values, double *gradient) {
    (void)self;
    const double a = 1.3 - p[0], b = p[1] - p[0] * p[0];
    values[0] = a * a + 100 * b * b;
    if (gradient) {
        gradient[0] = -2 * a - 400 * p[0] * b;
        gradient[1] = 200 * b;
    }
    return HOL_OK;
}

/* Problem 71 of Hock and Schittkowski. */
static hol_status hs71(void *self, const double *p, double *values, double *gradient) {
    (void)self;
    values[0] = p[0] * p[3] * (p[0] + p[1] + p[2]) + p[2];
    values[1] = 25 - p[0] * p[1] * p[2] * p[3];
    values[2] = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 40;
    if (gradient) {
        const double rows[] = {p[3] * (2 * p[0] + p[1] + p[2]),
                               p[0] * p[3],
                               p[0] * p[3] + 1,
                               p[0] * (p[0] + p[1] + p[2]),
                               -p[1] * p[2] * p[3],
                               -p[0] * p[2] * p[3],
                               -p[0] * p[1] * p[3],
                               -p[0] * p[1] * p[2],
                               2 * p[0],
                               2 * p[1],
                               2 * p[2],
                               2 * p[3]};
        memcpy(gradient, rows, sizeof rows);
    }
    return HOL_OK;
}

/* (x - 2.385)^2 + 4 (y - 1.71)^2 below x + y = 2.9: mu = 2 (2.385 - x) = 8 (1.71 - y). */
static hol_status hill(void *self, const double *p, double *values, double *gradient) {
    (void)self;
    values[0] = pow(p[0] - 2.385, 2) + 4 * pow(p[1] - 1.71, 2);
    values[1] = p[0] + p[1] - 2.9;
    if (gradient) {
        const double rows[] = {2 * (p[0] - 2.385), 8 * (p[1] - 1.71), 1, 1};
        memcpy(gradient, rows, sizeof rows);
    }
    return HOL_OK;
}

/* Two minima, the lower one at the left: (x^2 - 1)^2 + 0.3 x, plus a bowl of y. */
static hol_status wells(void *self, const double *p, double *values, double *gradient) {
    (void)self;
    const double w = p[0] * p[0] - 1;
    values[0] = w * w + 0.3 * p[0] + pow(p[1] - 0.417, 2);
    if (gradient) {
        gradient[0] = 4 * p[0] * w + 0.3;
        gradient[1] = 2 * (p[1] - 0.417);
    }
    return HOL_OK;
}

#define WELL (-1.0355785963577836) /* 4 x (x^2 - 1) + 0.3 = 0 */

static const problem problems[] = {
    {.name = "valley",
     .n = 2,
     .start = {-1.2, 0.9},
     .low = {-2.3, -2.1},
     .high = {2.7, 3.1},
     .evaluate = valley,
     .at = {1.3, 1.69}},
    {.name = "hill",
     .n = 2,
     .m = 1,
     .start = {0.3, 0.2},
     .low = {-1.1, -1.3},
     .high = {3.7, 3.3},
     .evaluate = hill,
     .at = {2.385 - 0.956, 1.71 - 0.239},
     .value = 0.956 * 0.956 + 4 * 0.239 * 0.239},
    {.name = "hs71",
     .n = 4,
     .m = 2,
     .start = {1, 5, 5, 1},
     .low = {1, 1, 1, 1},
     .high = {5, 5, 5, 5},
     .equal = {0, 1},
     .evaluate = hs71,
     .at = {1, 4.7429996431, 3.8211499789, 1.3794082932},
     .value = 17.014017289},
};

static hol_status find(const problem *b, const char *algorithm, hol__objective *o,
                       hol__arena *arena, hol__minimum *out) {
    static const double none[MOST];
    o->n = b->n;
    o->m = b->m;
    o->start = b->start;
    o->low = b->low;
    o->high = b->high;
    o->equal = b->equal;
    o->size = none;
    o->evaluate = b->evaluate;
    if (!o->tolerance) o->tolerance = 1e-7;
    return hol__minimize(o, hol__algorithm_find(algorithm), arena, out);
}

static int fits(const hol__algorithm *a, const problem *b) {
    for (int i = 0; i < b->m; i++)
        if (!(a->able & (unsigned)(b->equal[i] ? HOL__ON_LIMITS : HOL__BELOW_LIMITS))) return 0;
    return 1;
}

/* How near an algorithm comes: those of second order with derivatives much nearer than the
 * tolerance of the parameters (1e-7) times the condition of the valley (2500); those of first order
 * (mma, ccsa) stop where the steps are short; others build their model from values alone, cobyla a
 * linear one, which is slow in a valley. */
static double reach(const hol__algorithm *a) {
    if (strcmp(a->name, "cobyla") == 0) return 1e-2;
    const int slow = strcmp(a->name, "mma") == 0 || strcmp(a->name, "ccsa") == 0;
    return slow ? 2e-3 : a->able & HOL__BY_GRADIENT ? 1e-5 : 1e-4;
}

/* Local algorithms end at the solution. */
static void test_every_local_algorithm(void **state) {
    (void)state;
    int tried = 0;
    for (int k = 0; hol__algorithm_get(k); k++)
        for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
            const hol__algorithm *a = hol__algorithm_get(k);
            const problem *b = &problems[i];
            if ((a->able & HOL__SEARCHES_ALL) || !fits(a, b)) continue;
            hol_context *ctx = hol_context_new();
            hol__arena arena;
            hol__arena_init(&arena, ctx);
            hol__objective o = {.ctx = ctx, .evaluations = 20000};
            hol__minimum found;
            assert_int_equal(find(b, a->name, &o, &arena, &found), HOL_OK);
            const double near = reach(a);
            for (int j = 0; j < b->n; j++)
                if (fabs(found.p[j] - b->at[j]) > near * (1 + fabs(b->at[j])))
                    fail_msg("%s on %s: p[%d] = %.10g, not %.10g (%s)", a->name, b->name, j,
                             found.p[j], b->at[j], hol__ended_text(found.ended));
            assert_true(fabs(found.values[0] - b->value) < near * (1 + b->value));
            assert_true(found.violation < 1e-6);
            if (!(found.residual < 1e-2))
                fail_msg("%s on %s: residual %g", a->name, b->name, found.residual);
            tried++;
            hol__arena_free(&arena);
            hol_context_free(ctx);
        }
    assert_int_equal(tried, 2 * 3 + 2 * 2 + 4); /* slsqp, cobyla; mma, ccsa; four on the valley */
}

/* The global ones leave the basin of the start, and give the same bits twice. */
static void test_global(void **state) {
    (void)state;
    const problem b = {
        .n = 2, .start = {0.96, 0.1}, .low = {-2.1, -1.3}, .high = {2.3, 1.9}, .evaluate = wells};
    static const char *const names[] = {"direct", "crs2", "mlsl", "isres"};
    for (int k = 0; k < 4; k++) {
        double p[2][2];
        for (int again = 0; again < 2; again++) {
            hol_context *ctx = hol_context_new();
            hol__arena arena;
            hol__arena_init(&arena, ctx);
            hol__objective o = {.ctx = ctx, .seed = 7, .evaluations = 3000};
            hol__minimum found;
            assert_int_equal(find(&b, names[k], &o, &arena, &found), HOL_OK);
            memcpy(p[again], found.p, sizeof p[again]);
            const double near = k < 3 ? 1e-4 : 1e-2; /* an evolution is not for the last digits */
            if (fabs(found.p[0] - WELL) > near || fabs(found.p[1] - 0.417) > near)
                fail_msg("%s: %.8g %.8g", names[k], found.p[0], found.p[1]);
            hol__arena_free(&arena);
            hol_context_free(ctx);
        }
        assert_memory_equal(p[0], p[1], sizeof p[0]);
    }
}

/* The multipliers of the hill and of problem 71, to what they are known. */
static void test_multipliers(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    hol__objective o = {.ctx = ctx, .tolerance = 1e-9};
    hol__minimum found;
    assert_int_equal(find(&problems[1], "slsqp", &o, &arena, &found), HOL_OK);
    assert_true(found.is_active[0]);
    assert_true(fabs(found.on_limit[0] - 2 * 0.956) < 1e-6);
    assert_true(found.residual < 1e-7);
    assert_int_equal(find(&problems[2], "slsqp", &o, &arena, &found), HOL_OK);
    assert_true(fabs(found.on_limit[0] - 0.55229366) < 1e-6);
    assert_true(fabs(found.on_limit[1] - 0.16146857) < 1e-6);
    assert_true(fabs(found.on_low[0] - 1.08787122) < 1e-6);
    assert_true(found.on_low[1] == 0 && found.on_high[1] == 0);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* f = (x - 0.7)^2 + y^2 / 2 with no values where x > 0.9, y > 0.8 or (x, y) is near (0.2, -0.3):
 * steps that overshoot come back. */
static hol_status holes(void *self, const double *p, double *values, double *gradient) {
    *(int *)self += p[0] > 0.9;
    if (p[0] > 0.9 || p[1] > 0.8 || hypot(p[0] - 0.2, p[1] + 0.3) < 0.05) return HOL_NOT_CONVERGED;
    values[0] = exp(6 * (p[0] - 0.7)) - 6 * (p[0] - 0.7) + p[1] * p[1] / 2;
    if (gradient) {
        gradient[0] = 6 * exp(6 * (p[0] - 0.7)) - 6;
        gradient[1] = p[1];
    }
    return HOL_OK;
}

static void test_points_without_values(void **state) {
    (void)state;
    const problem b = {
        .n = 2, .start = {-0.8, -0.7}, .low = {-1, -1}, .high = {5, 4}, .evaluate = holes};
    for (int k = 0; hol__algorithm_get(k); k++) {
        const hol__algorithm *a = hol__algorithm_get(k);
        if (a->able & HOL__EVOLVES) continue; /* no part of NLopt */
        hol_context *ctx = hol_context_new();
        hol__arena arena;
        hol__arena_init(&arena, ctx);
        int beyond = 0;
        hol__objective o = {.ctx = ctx, .self = &beyond, .evaluations = 4000};
        hol__minimum found;
        assert_int_equal(find(&b, a->name, &o, &arena, &found), HOL_OK);
        const double near = a->able & HOL__SEARCHES_ALL ? 2e-2 : 1e-3;
        if (fabs(found.p[0] - 0.7) > near || fabs(found.p[1]) > near)
            fail_msg("%s: %.8g %.8g, %s, failed %ld", a->name, found.p[0], found.p[1],
                     hol__ended_text(found.ended), found.failed);
        assert_true(found.failed >= beyond);
        hol__arena_free(&arena);
        hol_context_free(ctx);
    }
}

/* An open side, and a start on a bound that the search leaves. */
static void test_open_bounds(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    hol__objective o = {.ctx = ctx};
    hol__minimum found;
    const problem b = {.n = 2,
                       .m = 1,
                       .start = {-1.1, 0},
                       .low = {-1.1, -INFINITY},
                       .high = {INFINITY, INFINITY},
                       .evaluate = hill};
    assert_int_equal(find(&b, "slsqp", &o, &arena, &found), HOL_OK);
    assert_true(fabs(found.p[0] - problems[1].at[0]) < 1e-6);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* Stop at the 7th evaluation: the best so far stays. */
typedef struct watch {
    long count;
    double best;
} watch;

static hol_status stop(void *self, const hol__attempt *trial) {
    watch *w = self;
    w->count = trial->number;
    if (trial->better) w->best = trial->value;
    return trial->number < 7 ? HOL_OK : HOL_ERR_INTERRUPTED;
}

static void test_interrupted(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    watch w = {0, 0};
    hol__objective o = {.ctx = ctx, .tell = stop, .self = &w};
    hol__minimum found;
    assert_int_equal(find(&problems[0], "cobyla", &o, &arena, &found), HOL_OK);
    assert_int_equal(found.ended, HOL__ENDED_INTERRUPTED);
    assert_int_equal(w.count, 7);
    assert_true(found.values[0] == w.best);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* Not one point with values is an error, and so is an error of the function. */
static hol_status nothing(void *self, const double *p, double *values, double *gradient) {
    (void)p, (void)values, (void)gradient;
    return *(const hol_status *)self;
}

static void test_nothing(void **state) {
    (void)state;
    static const hol_status statuses[] = {HOL_RETRY, HOL_ERR_MEMORY},
                            ends[] = {HOL_ERR_TOLERANCE, HOL_ERR_MEMORY};
    for (int k = 0; k < 2; k++) {
        hol_context *ctx = hol_context_new();
        hol__arena arena;
        hol__arena_init(&arena, ctx);
        hol_status status = statuses[k];
        hol__objective o = {.ctx = ctx, .self = &status};
        hol__minimum found;
        const problem b = {.n = 1, .high = {1}, .start = {0.3}, .evaluate = nothing};
        assert_int_equal(find(&b, "slsqp", &o, &arena, &found), ends[k]);
        hol__arena_free(&arena);
        hol_context_free(ctx);
    }
}

/* NLopt's own word where an algorithm is given a problem that it does not take. */
static void test_not_taken(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    hol__objective o = {.ctx = ctx};
    hol__minimum found;
    const problem b = {
        .n = 2, .m = 1, .start = {1, 1}, .low = {0, 0}, .high = {3, 3}, .evaluate = hill};
    assert_int_equal(find(&b, "lbfgs", &o, &arena, &found), HOL_ERR_ARGUMENT);
    assert_true(said(ctx, "the algorithm lbfgs does not take this problem"));
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_local_algorithm),
        cmocka_unit_test(test_global),
        cmocka_unit_test(test_multipliers),
        cmocka_unit_test(test_points_without_values),
        cmocka_unit_test(test_open_bounds),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
