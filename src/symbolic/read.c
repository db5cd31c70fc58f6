/* read.c: the register program of an expression (base/expr.h), run over formulas. */
#include "symbolic/read.h"

#include "base/expr_internal.h"
#include "symbolic/recognise.h"

#include <string.h>

/* Operations of one operand that are functions here. */
static int function_of(unsigned op, hol__sym_function *f) {
    static const struct {
        hol__expr_op op;
        hol__sym_function f;
    } rows[] = {
        {HOL__OP_SIN, HOL__SYM_SIN},   {HOL__OP_COS, HOL__SYM_COS},   {HOL__OP_TAN, HOL__SYM_TAN},
        {HOL__OP_ASIN, HOL__SYM_ASIN}, {HOL__OP_ACOS, HOL__SYM_ACOS}, {HOL__OP_ATAN, HOL__SYM_ATAN},
        {HOL__OP_SINH, HOL__SYM_SINH}, {HOL__OP_COSH, HOL__SYM_COSH}, {HOL__OP_TANH, HOL__SYM_TANH},
        {HOL__OP_EXP, HOL__SYM_EXP},   {HOL__OP_LOG, HOL__SYM_LOG},   {HOL__OP_ABS, HOL__SYM_ABS},
        {HOL__OP_SIGN, HOL__SYM_SIGN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == (hol__expr_op)op) {
            *f = rows[i].f;
            return 1;
        }
    return 0;
}

/* One instruction; NULL where it has no formula. */
static hol__sym run_one(hol__algebra *a, unsigned op, hol__sym x, hol__sym y) {
    hol__sym_function f;
    if (function_of(op, &f)) return hol__sym_call(a, f, x, NULL);
    switch (op) {
    case HOL__OP_NEG: return hol__sym_neg(a, x);
    case HOL__OP_ADD: return hol__sym_add(a, x, y);
    case HOL__OP_SUB: return hol__sym_sub(a, x, y);
    case HOL__OP_MUL: return hol__sym_mul(a, x, y);
    case HOL__OP_DIV: return hol__sym_is(y, 0) ? NULL : hol__sym_div(a, x, y);
    case HOL__OP_POW: return hol__sym_power(a, x, y);
    case HOL__OP_SQRT: return hol__sym_sqrt(a, x);
    case HOL__OP_CBRT: return hol__sym_power(a, x, hol__sym_fraction(a, 1, 3));
    case HOL__OP_ATAN2: return hol__sym_call(a, HOL__SYM_ATAN2, x, y);
    case HOL__OP_HYPOT:
        return hol__sym_sqrt(a, hol__sym_add(a, hol__sym_square(a, x), hol__sym_square(a, y)));
    case HOL__OP_LOG10:
        return hol__sym_div(a, hol__sym_call(a, HOL__SYM_LOG, x, NULL),
                            hol__sym_call(a, HOL__SYM_LOG, hol__sym_integer(a, 10), NULL));
    default: return NULL;
    }
}

static hol__sym number(hol__algebra *a, double x) {
    const hol__exact exact = hol__exact_of(x);
    return exact.d ? hol__sym_exact(a, exact) : hol__recognise_number(a, x, 0, 1);
}

static hol__sym operand(hol__algebra *a, const hol__expr *e, unsigned which,
                        const hol__sym *registers, const hol__sym *inputs) {
    const unsigned i = HOL__OPERAND_INDEX(which);
    switch (HOL__OPERAND_FROM(which)) {
    case HOL__FROM_REGISTER: return registers[i];
    case HOL__FROM_CONSTANT: return number(a, e->constants[i]);
    default: return inputs[i];
    }
}

static hol__sym run_program(hol__algebra *a, const hol__expr *e, const hol__sym *inputs) {
    hol__sym out = NULL, *r = hol__alloc(a->ctx, (size_t)e->n_registers + 1, sizeof *r);
    if (!r) {
        a->status = HOL_ERR_MEMORY;
        return NULL;
    }
    int good = 1;
    for (int i = 0; good && i < e->n_code; i++) {
        const hol__expr_instruction *c = &e->code[i];
        const int two = c->op >= HOL__OP_ADD;
        const hol__sym x = operand(a, e, c->a, r, inputs),
                       y = two ? operand(a, e, c->b, r, inputs) : NULL;
        r[c->to] = run_one(a, c->op, x, y);
        good = r[c->to] != NULL;
    }
    if (good) out = operand(a, e, e->result, r, inputs);
    hol__release(a->ctx, r);
    return out;
}

/* ---- names ---- */

typedef struct scope {
    int n;
    const char *const *names;
} scope;

static int index_of(const scope *s, const char *name) {
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->names[i], name) == 0) return i;
    return -1;
}

static hol__symbol find(void *self, const char *name, const hol_location *where) {
    const int i = index_of(self, name);
    (void)where;
    return i < 0 ? (hol__symbol){.kind = HOL__SYMBOL_UNKNOWN}
                 : (hol__symbol){.kind = HOL__SYMBOL_INPUT, .input = i, .dim = {.soft = 1}};
}

static const char *name_at(const void *self, int i) {
    const scope *s = self;
    return i < s->n ? s->names[i] : NULL;
}

static const char *means(const void *self, const char *name) {
    return index_of(self, name) >= 0 ? "the parameter" : NULL;
}

hol__sym hol__sym_read(hol__algebra *a, const char *text, int n, const char *const *names,
                       const hol__sym *values) {
    scope own = {n, names};
    const hol__scope how = {.self = &own, .find = find, .name = name_at, .means = means};
    const hol_location nowhere = {.file = NULL};
    hol_context *quiet = a->status ? NULL : hol__context_like(a->ctx);
    hol__sym out = NULL;
    if (!quiet) {
        if (!a->status) a->status = HOL_ERR_MEMORY;
        return NULL;
    }
    hol__arena arena;
    hol__arena_init(&arena, quiet);
    const hol__expr *e = hol__expr_compile(&arena, text, &how, n, &nowhere, NULL);
    if (e)
        out =
            hol__expr_is_constant(e) ? number(a, hol__expr_constant(e)) : run_program(a, e, values);
    if (arena.failed) a->status = HOL_ERR_MEMORY;
    hol__arena_free(&arena);
    hol_context_free(quiet);
    return a->status ? NULL : out;
}
