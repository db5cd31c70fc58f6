/* expr_fixture.h: a scope with inputs and constants for the tests of expressions, and a generator
 * of numbers. */
#ifndef HOL_TESTS_EXPR_FIXTURE_H
#define HOL_TESTS_EXPR_FIXTURE_H

#include "base/expr.h"
#include "common.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { N_INPUTS = 5 };

static const char *const input_names[] = {"x", "y", "z", "t", "tip.x"};
static const char *const constant_names[] = {"L1", "L2", "k", "m", "arm", "lag", "freq"};
static const double constant_values[] = {0.347, 1.273, 861.4, 2.385, 0.613, 0.27, 1.7};
static const char *const constant_units[] = {"", "", "", "", "m", "s", "Hz"}; /* "": none */

enum { N_CONSTANTS = sizeof constant_names / sizeof *constant_names };

/* The inputs t and tip.x again, as quantities of known dimension. */
static hol__symbol quantity(int input, const char *unit) {
    hol__symbol s = {.kind = HOL__SYMBOL_INPUT, .input = input, .dim = hol__dim_of(unit)};
    s.dim.soft = 1;
    return s;
}

static hol__symbol find_symbol(void *self, const char *name, const hol_location *where) {
    hol_context *ctx = self;
    for (int i = 0; i < N_INPUTS; i++)
        if (strcmp(name, input_names[i]) == 0)
            return (hol__symbol){.kind = HOL__SYMBOL_INPUT, .input = i};
    if (strcmp(name, "clock") == 0) return quantity(3, "s");
    if (strcmp(name, "gap") == 0) return quantity(4, "m");
    for (int i = 0; i < N_CONSTANTS; i++)
        if (strcmp(name, constant_names[i]) == 0) {
            hol__symbol s = {.kind = HOL__SYMBOL_CONSTANT, .value = constant_values[i]};
            if (*constant_units[i]) s.dim = hol__dim_of(constant_units[i]);
            return s;
        }
    if (strcmp(name, "broken") == 0) {
        hol__error(ctx, where, NULL, "'broken' is defined by itself");
        return (hol__symbol){.kind = HOL__SYMBOL_ERROR};
    }
    if (strcmp(name, "far") == 0) return (hol__symbol){.kind = HOL__SYMBOL_INPUT, .input = 99};
    return (hol__symbol){.kind = HOL__SYMBOL_UNKNOWN};
}

static const char *name_symbol(const void *self, int i) {
    (void)self;
    if (i < N_INPUTS) return input_names[i];
    return i < N_INPUTS + N_CONSTANTS ? constant_names[i - N_INPUTS] : NULL;
}

typedef struct fixture {
    hol_context *ctx;
    hol__arena arena;
    hol__scope scope;
} fixture;

static int fixture_open(void **state) {
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    f->ctx = hol_context_new();
    hol__arena_init(&f->arena, f->ctx);
    f->scope = (hol__scope){.self = f->ctx, .find = find_symbol, .name = name_symbol};
    *state = f;
    return 0;
}

static int fixture_close(void **state) {
    fixture *f = *state;
    hol__arena_free(&f->arena);
    hol_context_free(f->ctx);
    free(f);
    return 0;
}

static const hol_location text_at = {"model.yaml", 14, 9};

/* The program of a text, or NULL. */
static inline hol__expr *try_compile(fixture *f, const char *text) {
    hol_message_clear(f->ctx);
    return hol__expr_compile(&f->arena, text, &f->scope, N_INPUTS, &text_at, "force 'F'");
}

/* The program of a text that must compile. */
static inline hol__expr *compile(fixture *f, const char *text) {
    hol__expr *e = try_compile(f, text);
    if (!e)
        fail_msg("\"%s\" does not compile: %s", text,
                 hol_message_count(f->ctx) ? hol_message_get(f->ctx, 0)->text : "no message");
    return e;
}

static inline double *new_scratch(const hol__expr *e) {
    return calloc((size_t)hol__expr_scratch(e) + 1, sizeof(double));
}

/* The value of a text at in. */
static inline double value_at(fixture *f, const char *text, const double *in) {
    hol__expr *e = compile(f, text);
    double *scratch = new_scratch(e);
    const double value = hol__expr_value(e, in, scratch);
    free(scratch);
    return value;
}

/* Evenly distributed in [low, high). */
static inline double uniform(uint64_t *state, double low, double high) {
    return low + (high - low) * random_unit(state);
}

/* Whether |a - b| <= tolerance (1 + |b|). */
static inline int close_to(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance * (1 + fabs(b));
}

#endif
