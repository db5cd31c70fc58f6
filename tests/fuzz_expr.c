/* fuzz_expr.c: any bytes through the expression compiler; what it accepts must evaluate
 * consistently.
 *
 * Checked for each input: no crash, no leak, exactly one message on failure and none on
 * success, and the three evaluations agree on the value.
 */
#include "base/expr.h"
#include "fuzz_tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_INPUTS = 4 };

static const char *const names[] = {"x", "y", "t", "tip.x", "m", "L"};

/* Four inputs and two constants, one of them with the name of a unit. */
static hol__symbol find(void *self, const char *name, const hol_location *where) {
    (void)self, (void)where;
    for (int i = 0; i < 6; i++)
        if (strcmp(name, names[i]) == 0)
            return (hol__symbol){.kind = i < N_INPUTS ? HOL__SYMBOL_INPUT : HOL__SYMBOL_CONSTANT,
                                 .value = 1.75 * i,
                                 .input = i};
    return (hol__symbol){.kind = HOL__SYMBOL_UNKNOWN};
}

static const char *name_of(const void *self, int i) {
    (void)self;
    return i < 6 ? names[i] : NULL;
}

static int same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Evaluate in all ways at a point. */
static void evaluate(const hol__expr *e, const double *in) {
    static const double d1[N_INPUTS] = {1.3, -0.4, 1, 0}, d2[N_INPUTS] = {0.2, 0, 0, -7.1};
    double gradient[N_INPUTS], hessian[N_INPUTS * N_INPUTS];
    double *scratch = malloc(((size_t)hol__expr_scratch(e) + 1) * sizeof *scratch);
    if (!scratch) abort();
    const double f = hol__expr_value(e, in, scratch);
    if (!same(f, hol__expr_jet(e, in, d1, d2, scratch).f)) abort();
    if (!same(f, hol__expr_gradient(e, in, gradient, scratch))) abort();
    if (!same(f, hol__expr_hessian(e, in, gradient, hessian, scratch))) abort();
    if (hol__expr_is_constant(e) && (!isfinite(f) || !same(f, hol__expr_constant(e)))) abort();
    for (int i = 0; i < N_INPUTS; i++)
        if (!hol__expr_reads(e, i) && gradient[i] != 0) abort();
    free(scratch);
}

void fuzz_one(const uint8_t *data, size_t size) {
    static const double points[][N_INPUTS] = {
        {0.83, -1.91, 0.37, 12.5}, {0, 0, 0, 0}, {-1e200, 1e-200, NAN, INFINITY}};
    const hol__scope scope = {.find = find, .name = name_of};
    const hol_location where = {"fuzz", 1, 1};
    char *text = malloc(size + 1);
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    if (!text || !ctx) abort();
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    hol__arena_init(&arena, ctx);
    hol__expr *e = hol__expr_compile(&arena, text, &scope, N_INPUTS, &where, NULL);
    /* warnings may come before */
    if (hol_message_count_of(ctx, HOL_ERROR) != (e ? 0 : 1)) abort();
    for (int i = 0; e && i < 3; i++) evaluate(e, points[i]);
    hol__arena_free(&arena);
    hol_context_free(ctx);
    free(text);
}
