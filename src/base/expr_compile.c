/* expr_compile.c: a text into a program: limits, parsing, the last checks, the program. */
#include "base/expr_internal.h"

#include <math.h>
#include <string.h>

/* Parse p's text and make the program in arena; NULL after an error. */
static hol__expr *compile(hol__expr_parser *p, hol__arena *arena) {
    const hol__expr_term term = hol__expr_parse(p);
    double value;
    int registers;
    if (p->failed || term.node < 0) return NULL;
    if (hol__expr_node_constant(&p->graph, term.node, &value) && !isfinite(value)) {
        hol__expr_fail(p, p->graph.nodes[term.node].offset,
                       "the value is not a finite number: this gives %s",
                       isnan(value) ? "no number (NaN)" : "infinity");
        return NULL;
    }
    hol__expr *e = hol__expr_emit(arena, &p->graph, term.node, p->n_inputs, &registers);
    if (e)
        e->dim = term.dim;
    else if (registers > HOL__EXPR_MAX_REGISTERS)
        hol__expr_fail(p, 0,
                       "the expression needs more than %d intermediate values at once; split it",
                       HOL__EXPR_MAX_REGISTERS);
    return e;
}

int hol__expr_is_number(const char *text, double *value) {
    const size_t length = strlen(text);
    if (length > HOL__EXPR_MAX_TEXT) return 0;
    hol__expr_lexer lexer = {.text = text, .length = (int)length};
    hol__expr_token token = hol__expr_lex(&lexer);
    const int negative = token.kind == '-';
    if (negative) token = hol__expr_lex(&lexer);
    if (token.kind != HOL__TOKEN_NUMBER || hol__expr_lex(&lexer).kind != HOL__TOKEN_END) return 0;
    const double size = hol__expr_token_number(token);
    *value = negative ? -size : size;
    return isfinite(size);
}

hol__expr *hol__expr_compile(hol__arena *arena, const char *text, const hol__scope *scope,
                             int n_inputs, const hol_location *where, const char *element) {
    hol__expr_parser p = {.ctx = arena->ctx,
                          .arena = arena,
                          .scope = scope,
                          .n_inputs = n_inputs,
                          .element = element};
    const size_t length = strlen(text);
    if (arena->failed) return NULL; /* names may be missing for that reason alone */
    if (where) p.where = *where;
    if (p.where.column < 1) p.where.column = 1;
    if (length > HOL__EXPR_MAX_TEXT) {
        hol__expr_fail(&p, 0, "the expression has %zu bytes; at most %d are allowed", length,
                       (int)HOL__EXPR_MAX_TEXT);
        return NULL;
    }
    hol__arena_init(&p.scratch, arena->ctx);
    p.graph.arena = &p.scratch;
    p.lexer = (hol__expr_lexer){.text = text, .length = (int)length};
    hol__expr *e = compile(&p, arena);
    if (e) {
        e->text = hol__expr_is_constant(e) ? "" : hol__arena_text(arena, text);
        e->doubt = p.doubt ? hol__arena_text(arena, p.doubt) : "";
    }
    /* the caller tells missing memory from a mistake by its own arena */
    if (p.scratch.failed) arena->failed = 1;
    hol__arena_free(&p.scratch);
    return e && e->text && e->doubt ? e : NULL;
}

const char *hol__expr_doubt(const hol__expr *e) {
    return e->doubt;
}

const char *hol__expr_text(const hol__expr *e) {
    return e->text;
}
