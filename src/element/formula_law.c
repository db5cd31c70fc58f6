/* formula_law.c: laws of elements as formulas: their text with the parameters as symbols. */
#include "base/expr_internal.h"
#include "element/formula.h"
#include "symbolic/read.h"

#include <stdio.h>
#include <string.h>

enum { NAMES = 256 };

/* The names that a law may use, with their formulas. */
typedef struct scope {
    int n;
    const char *names[NAMES];
    hol__sym values[NAMES];
} scope;

static void add_name(scope *s, const char *name, hol__sym value) {
    if (s->n >= NAMES || !value) return;
    s->names[s->n] = name;
    s->values[s->n++] = value;
}

/* The symbol for the column of a measure. */
static hol__sym column_symbol(hol__symbolic *to, int column) {
    hol__algebra *a = to->a;
    for (int s = 0; s < a->n_symbols && s < to->capacity; s++)
        if (to->source[s].kind == HOL__SYMBOLIC_INPUT && to->source[s].i == 1 + column)
            return a->symbols[s].node;
    return hol__symbolic_symbol(to, to->model->columns[column].name, NULL, HOL__SYM_OTHER,
                                (hol__symbolic_source){.kind = HOL__SYMBOLIC_INPUT,
                                                       .i = 1 + column,
                                                       .note = "the measure of that name"},
                                NULL);
}

/* Local names first, then parameters, the time, and those columns whose names occur. */
static void fill_scope(hol__symbolic *to, const char *text, const char *const *locals,
                       const hol__sym *values, scope *s) {
    hol__algebra *a = to->a;
    for (int i = 0; locals && locals[i]; i++) add_name(s, locals[i], values[i]);
    const int n = a->n_symbols < to->capacity ? a->n_symbols : to->capacity;
    for (int i = 0; i < n; i++)
        if (a->symbols[i].what == HOL__SYM_PARAMETER && to->source[i].kind != HOL__SYMBOLIC_OWN)
            add_name(s, a->symbols[i].name,
                     to->source[i].kind == HOL__SYMBOLIC_NONE ? a->symbols[i].node
                                                              : to->source[i].is);
    add_name(s, "t", to->t);
    add_name(s, "time", to->t);
    for (int i = 0; i < to->model->n_columns; i++)
        if (strstr(text, to->model->columns[i].name))
            add_name(s, to->model->columns[i].name, column_symbol(to, i));
}

/* The law as a symbol of its own. */
static hol__sym law_of_program(hol__symbolic *to, const hol__expr *e, const char *const *locals,
                               const hol__sym *values) {
    int n = 0;
    while (locals && locals[n]) n++;
    return to->law(to, e, to->local, n, values);
}

/* Whether the law, at its place in the record, is the same in all models. */
static int is_one_law(const hol__symbolic *to, const hol__law *law) {
    const ptrdiff_t at = (const char *)law - to->record[0];
    for (int k = 1; k < to->n_models; k++) {
        hol__law other;
        memcpy(&other, to->record[k] + at, sizeof other);
        if (!other.e || !hol__expr_is_same(law->e, other.e)) return 0;
    }
    return 1;
}

hol__sym hol__symbolic_law(hol__symbolic *to, const hol__law *law, const char *const *locals,
                           const hol__sym *values, const char *hint) {
    scope s = {.n = 0};
    if (!law->e) return hol__symbolic_number(to, &law->value, hint);
    if (to->open && !is_one_law(to, law)) {
        to->why = "its law is another one from case to case";
        return NULL;
    }
    if (to->law) {
        const hol__sym symbol = law_of_program(to, law->e, locals, values);
        if (symbol || to->why || to->a->status) return symbol;
    }
    const char *text = hol__expr_text(law->e);
    fill_scope(to, text, locals, values, &s);
    const hol__sym out = hol__sym_read(to->a, text, s.n, s.names, s.values);
    if (!out) to->why = "its law has conditions, tables or steps";
    return out;
}

/* Symbols f, f' and f'' for a law of time. */
static hol__sym law_symbols(hol__symbolic *to, const hol__law *law, const char *hint) {
    const ptrdiff_t at = (const char *)law - to->record[0];
    const hol__law **by_model = HOL__NEW_N(&to->a->arena, const hol__law *, to->n_models);
    hol__sym rate = NULL;
    if (!by_model) {
        to->a->status = HOL_ERR_MEMORY;
        return NULL;
    }
    for (int k = 0; k < to->n_models; k++)
        by_model[k] = (const hol__law *)(const void *)(to->record[k] + at);
    for (int order = 2; order >= 0; order--) {
        char plain[200], name[210], latex[400];
        hol__text written;
        snprintf(plain, sizeof plain, "%s_%s", hint, to->element->name);
        snprintf(name, sizeof name, "%s%.*s", plain, order, "''");
        hol__text_init(&written, to->a->ctx);
        hol__latex_name(plain, &written);
        snprintf(latex, sizeof latex,
                 order == 0   ? "%s"
                 : order == 1 ? "\\dot{%s}"
                              : "\\ddot{%s}",
                 written.data ? written.data : "");
        hol__text_free(&written);
        rate =
            hol__symbolic_symbol(to, name, latex, HOL__SYM_OTHER,
                                 (hol__symbolic_source){.kind = HOL__SYMBOLIC_LAW,
                                                        .i = order,
                                                        .law = by_model,
                                                        .note = "a law of time without a formula"},
                                 rate);
    }
    return rate;
}

hol__sym hol__symbolic_drive(hol__symbolic *to, const hol__law *law, const char *hint) {
    const hol__sym out = hol__symbolic_law(to, law, NULL, NULL, hint);
    if (out || to->a->status) return out;
    to->why = NULL;
    return law_symbols(to, law, hint);
}
