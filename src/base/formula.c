/* formula.c: formulas over named columns of numbers. See holonom/document.h. */
#include <holonom/document.h>

#include "base/argument.h"
#include "base/expr.h"

#include <string.h>

/* The names there are. */
typedef struct names {
    int n;
    const char *const *names;
} names;

static const char *name_at(const void *self, int i) {
    const names *all = self;
    return i < all->n ? all->names[i] : NULL;
}

/* A name is the input of its place; its unit is not known. */
static hol__symbol find(void *self, const char *name, const hol_location *where) {
    const names *all = self;
    (void)where;
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->names[i], name) == 0)
            return (hol__symbol){.kind = HOL__SYMBOL_INPUT, .input = i};
    return (hol__symbol){.kind = HOL__SYMBOL_UNKNOWN};
}

/* The program over all rows. */
static hol_status evaluate(hol__arena *arena, const hol__expr *e, int n, int rows,
                           const double *const *columns, double *out) {
    double *in = HOL__NEW_N(arena, double, n + 1);
    double *scratch = HOL__NEW_N(arena, double, hol__expr_scratch(e) + 1);
    if (!in || !scratch) return HOL_ERR_MEMORY;
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < n; i++) in[i] = columns[i][row];
        out[row] = hol__expr_value(e, in, scratch);
    }
    return HOL_OK;
}

/* HOL_ERR_ARGUMENT, with a message, where there are not n names with a column each. */
static hol_status need_columns(hol_context *ctx, int n, const char *const *list,
                               const double *const *columns) {
    static const char call[] = "hol_formula";
    hol_status status = n ? hol__need_texts(ctx, call, "names", n, list) : HOL_OK;
    if (n && !status) status = hol__need(ctx, call, "the columns", columns);
    for (int i = 0; i < n && !status; i++) status = hol__need(ctx, call, list[i], columns[i]);
    return status;
}

hol_status hol_formula(hol_context *ctx, const char *text, const hol_location *where, int n,
                       const char *const *list, int rows, const double *const *columns,
                       double *out) {
    if (!ctx) return HOL_ERR_ARGUMENT;
    if (hol__need(ctx, "hol_formula", "the text", text) || need_columns(ctx, n, list, columns) ||
        hol__need_array(ctx, "hol_formula", "values", rows, 0, out) ||
        hol__need(ctx, "hol_formula", "room for the values", out))
        return HOL_ERR_ARGUMENT;
    names all = {n, list};
    const hol__scope scope = {.self = &all, .find = find, .name = name_at};
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    const hol__expr *e = hol__expr_compile(&arena, text, &scope, n, where, NULL);
    hol_status status = e              ? evaluate(&arena, e, n, rows, columns, out)
                        : arena.failed ? HOL_ERR_MEMORY
                                       : HOL_ERR_INPUT;
    hol__arena_free(&arena);
    return status;
}
