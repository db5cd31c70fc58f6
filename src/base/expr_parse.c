/* expr_parse.c: the grammar, by recursive descent and precedence climbing.
 *
 *     expression = binary ["?" expression ":" expression]
 *     binary     = {"not"} unary {operator binary}      by precedence:
 *                    or, and, not, comparison (one only), + -, *
 *     unary      = {"+" | "-"} power
 *     power      = primary ["^" unary]                   so -x^2 = -(x^2), 2^-1, 2^3^2 = 2^(3^2)
 *     primary    = literal | name | name "(" expression {"," expression} ")" | "(" expression ")"
 *
 * After an error every function returns the failed term; only the first error is reported.
 */
#include "base/expr_internal.h"
#include "base/text.h"
#include "common/utf8.h"

#include <stdio.h>
#include <string.h>

static hol__expr_term expression(hol__expr_parser *p);
static hol__expr_term unary(hol__expr_parser *p);

hol__expr_term hol__expr_failed(hol__expr_parser *p) {
    p->failed = 1;
    return (hol__expr_term){.node = -1};
}

hol__expr_term hol__expr_fail(hol__expr_parser *p, int offset, const char *format, ...) {
    /* what follows from memory that is missing is no mistake in the text */
    if (!p->failed && !p->scratch.failed && !p->arena->failed) {
        char text[512];
        hol_location at = p->where;
        va_list args;
        va_start(args, format);
        hol__vprint(text, sizeof text, format, args);
        va_end(args);
        at.column += offset;
        hol__error(p->ctx, &at, p->element, "%s", text);
    }
    return hol__expr_failed(p);
}

void hol__expr_advance(hol__expr_parser *p) {
    p->before = p->token;
    p->token = hol__expr_lex(&p->lexer);
}

const char *hol__expr_token_text(hol__expr_parser *p, hol__expr_token token) {
    const char *text = hol__arena_text_n(&p->scratch, token.text, (size_t)token.length);
    if (!text) p->failed = 1;
    return text ? text : "";
}

const char *hol__expr_meaning(hol__expr_parser *p, hol__expr_token token) {
    const char *text = hol__expr_token_text(p, token);
    if (p->scope && p->scope->means) return p->scope->means(p->scope->self, text);
    return hol__expr_look_up(p, token).kind == HOL__SYMBOL_UNKNOWN ? NULL : "the name";
}

hol__symbol hol__expr_look_up(hol__expr_parser *p, hol__expr_token token) {
    hol__symbol symbol = {.kind = HOL__SYMBOL_UNKNOWN};
    hol_location at = p->where;
    at.column += token.offset;
    const char *text = hol__expr_token_text(p, token);
    if (p->scope && p->scope->find && !p->failed)
        symbol = p->scope->find(p->scope->self, text, &at);
    if (symbol.kind == HOL__SYMBOL_ERROR) p->failed = 1;
    return symbol;
}

/* The character that a token begins with: its code point and its length in bytes; 0 where it is no
 * text. */
static int first_character(hol__expr_token token, unsigned *code) {
    const char *end = token.text;
    while (end - token.text < 4 && *end) end++;
    const int n = end > token.text ? hol__utf8_decode(token.text, end, code) : 0;
    return n && *code >= 0x20 && *code != 0x7f ? n : 0;
}

/* How a token is called in a message. */
static const char *describe(hol__expr_token token, char *buf, size_t size) {
    unsigned code;
    const int n = token.kind == HOL__TOKEN_BAD ? first_character(token, &code) : 0;
    if (token.kind == HOL__TOKEN_END)
        snprintf(buf, size, "the end");
    else if (token.kind == HOL__TOKEN_BAD && n == 0)
        snprintf(buf, size, "byte 0x%02x", token.length ? (unsigned char)token.text[0] : 0);
    else if (token.kind == HOL__TOKEN_BAD)
        snprintf(buf, size, "'%.*s'", n, token.text);
    else
        snprintf(buf, size, "'%.*s'", token.length < 40 ? token.length : 40, token.text);
    return buf;
}

/* Characters of formulas that an expression writes otherwise. */
static const char *character_hint(unsigned code) {
    static const struct {
        unsigned code;
        const char *hint;
    } rows[] = {
        {0x00b0, "; degrees are written deg, e.g. 30 deg"},
        {0x00b2, "; a square is written x^2"},
        {0x00b3, "; a cube is written x^3"},
        {0x00b5, "; micro is written u, e.g. 5 um"},
        {0x03bc, "; micro is written u, e.g. 5 um"},
        {0x00b7, "; a product is written a*b"},
        {0x00d7, "; a product is written a*b"},
        {0x22c5, "; a product is written a*b"},
        {0x00f7, "; a quotient is written a/b"},
        {0x03c0, "; write pi"},
        {0x2013, "; minus is written -"},
        {0x2212, "; minus is written -"},
        {0x221a, "; a root is written sqrt(x)"},
        {0x2264, "; write <="},
        {0x2265, "; write >="},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].code == code) return rows[i].hint;
    return "";
}

/* What to write instead of a token that other languages have; "" when there is nothing to say. */
static const char *hint(const hol__expr_parser *p) {
    const hol__expr_token token = p->token;
    const char ch = token.length ? token.text[0] : '\0';
    if (token.kind == '*' && p->before.kind == '*') return "; a power is written x^y";
    if (token.kind == HOL__TOKEN_NOT) return "; put 'not' and what it negates in parentheses";
    if (token.kind != HOL__TOKEN_BAD) return "";
    if (ch == '=') return "; equality is written ==";
    if (ch == '%') return "; the remainder is written mod(x, y), a share 0.05";
    if (ch == '&' || ch == '|') return "; write 'and', 'or'";
    unsigned code = 0;
    return first_character(token, &code) > 1 ? character_hint(code) : "";
}

/* The current token cannot stand where a value must. */
static hol__expr_term fail_value(hol__expr_parser *p) {
    char text[64];
    const int at = p->token.offset;
    if (p->token.kind == HOL__TOKEN_END && p->before.length == 0)
        return hol__expr_fail(p, 0, "the expression is empty");
    if (p->token.kind == HOL__TOKEN_END)
        return hol__expr_fail(p, at, "the expression ends where a value is expected");
    describe(p->token, text, sizeof text);
    if (p->token.kind == HOL__TOKEN_BAD)
        return hol__expr_fail(p, at, "unexpected %s%s", text, hint(p));
    return hol__expr_fail(p, at, "a value is expected before %s%s", text, hint(p));
}

/* The current token cannot stand behind a value, where wanted is the only alternative to an
 * operator. */
static hol__expr_term fail_operator(hol__expr_parser *p, const char *wanted) {
    char text[64];
    const int kind = p->token.kind, at = p->token.offset;
    describe(p->token, text, sizeof text);
    if (kind == HOL__TOKEN_NUMBER || kind == HOL__TOKEN_NAME || kind == '(' ||
        kind == HOL__TOKEN_NOT)
        return hol__expr_fail(p, at, "an operator is missing before %s", text);
    if (kind == ')' && !*wanted) return hol__expr_fail(p, at, "this ')' closes no '('");
    if (*wanted) return hol__expr_fail(p, at, "%s is expected before %s%s", wanted, text, hint(p));
    return hol__expr_fail(p, at, "unexpected %s%s", text, hint(p));
}

/* ")" for the "(" at an offset. */
static int close_parenthesis(hol__expr_parser *p, int opened, const char *wanted) {
    if (p->token.kind == ')') {
        hol__expr_advance(p);
        return 1;
    }
    if (p->token.kind == HOL__TOKEN_END)
        hol__expr_fail(p, p->token.offset,
                       "')' is missing for the '(' in column %d; inside { } or [ ] an expression "
                       "with a comma must be quoted",
                       p->where.column + opened);
    else
        fail_operator(p, wanted);
    return 0;
}

/* Names of the scope, then constants and functions. */
static const char *known_name(const void *list, int i) {
    const hol__expr_parser *p = list;
    if (!p->scope || !p->scope->name) return hol__expr_function(i).name;
    const char *name = p->scope->name(p->scope->self, i);
    if (name) return name;
    int n = 0;
    while (p->scope->name(p->scope->self, n)) n++;
    return hol__expr_function(i - n).name;
}

/* A name that is not called: a symbol of the scope, or a constant. */
static hol__expr_term symbol(hol__expr_parser *p) {
    const hol__expr_token name = p->token;
    hol__expr_term out = {.offset = name.offset};
    char near[128];
    const hol__symbol s = hol__expr_look_up(p, name);
    double value = s.value;
    hol__expr_advance(p);
    p->graph.offset = name.offset;
    if (p->failed) return hol__expr_failed(p);
    if (s.kind == HOL__SYMBOL_INPUT && s.input >= 0 && s.input < p->n_inputs) {
        out.node = hol__expr_input_node(&p->graph, s.input);
        out.dim = s.dim;
        out.shown = s.shown;
        return out;
    }
    const char *text = hol__expr_token_text(p, name);
    if (s.kind == HOL__SYMBOL_INPUT)
        return hol__expr_fail(p, name.offset, "'%.40s' is not available here", text);
    out.bare = out.has_pi = s.kind == HOL__SYMBOL_UNKNOWN;
    out.dim = s.dim;
    if (s.kind == HOL__SYMBOL_CONSTANT || hol__expr_builtin_constant(name, &value)) {
        out.node = hol__expr_constant_node(&p->graph, value);
        return out;
    }
    if (hol__expr_magnitude(p, name, &out)) return out;
    const hol__expr_builtin *f = hol__expr_builtin_find(name);
    if (f)
        return hol__expr_fail(p, name.offset, "'%s' is a function; write %s", f->name,
                              f->signature);
    if (hol__unit_is(name.text, name.length))
        return hol__expr_fail(p, name.offset,
                              "unknown name '%.40s'; the unit stands behind its number: 2 %.40s, 2 "
                              "1/%.40s",
                              text, text, text);
    return hol__expr_fail(p, name.offset, "unknown name '%.40s'%s", text,
                          hol__did_you_mean(hol__nearest(text, known_name, p), near, sizeof near));
}

/* Put a term on the stack of arguments. */
static int push_argument(hol__expr_parser *p, hol__expr_term term) {
    hol__expr_term *grown = hol__arena_grow(&p->scratch, p->arguments, sizeof term, p->n_arguments,
                                            &p->arguments_capacity, p->n_arguments + 1);
    if (!grown) return 0;
    p->arguments = grown;
    p->arguments[p->n_arguments++] = term;
    return 1;
}

/* The arguments in parentheses, onto the stack; 0 after an error. */
static int take_arguments(hol__expr_parser *p) {
    const int opened = p->token.offset;
    hol__expr_advance(p);
    if (p->token.kind == ')') {
        hol__expr_advance(p);
        return 1;
    }
    for (;;) {
        const hol__expr_term term = expression(p);
        if (p->failed || !push_argument(p, term)) return 0;
        if (p->token.kind != ',') return close_parenthesis(p, opened, "',' or ')'");
        hol__expr_advance(p);
    }
}

/* Report a call of something that is not a function. */
static hol__expr_term fail_call(hol__expr_parser *p, hol__expr_token name) {
    char near[80];
    const char *text = hol__expr_token_text(p, name);
    double value;
    const hol__symbol s = hol__expr_look_up(p, name);
    if (s.kind != HOL__SYMBOL_UNKNOWN || hol__expr_builtin_constant(name, &value))
        return hol__expr_fail(
            p, name.offset, "'%.40s' is not a function; to multiply write %.40s*(...)", text, text);
    return hol__expr_fail(
        p, name.offset, "unknown function '%.40s'%s", text,
        hol__did_you_mean(hol__nearest(text, hol__expr_builtin_name, NULL), near, sizeof near));
}

static hol__expr_term fail_count(hol__expr_parser *p, const hol__expr_builtin *f, int n,
                                 int offset) {
    return hol__expr_fail(p, offset, "%s takes %s%d argument%s, not %d; write %s", f->name,
                          f->most == f->least ? "" : "at least ", f->least,
                          f->least == 1 ? "" : "s", n, f->signature);
}

/* The table of the scope that has the name, or NULL. */
static const hol__table *find_table(hol__expr_parser *p, hol__expr_token name) {
    if (!p->scope || !p->scope->table) return NULL;
    return p->scope->table(p->scope->self, hol__expr_token_text(p, name));
}

/* The arguments of a call onto the stack, from *first on; how many, -1 after an error. */
static int arguments_of(hol__expr_parser *p, int *first) {
    *first = p->n_arguments;
    hol__expr_advance(p);
    if (!take_arguments(p)) return -1;
    const int n = p->n_arguments - *first;
    p->n_arguments = *first;
    return n;
}

/* table(x) of a table of the scope. */
static hol__expr_term call_table(hol__expr_parser *p, const hol__table *table) {
    const int offset = p->token.offset;
    int first;
    const int n = arguments_of(p, &first);
    if (n < 0) return hol__expr_failed(p);
    if (n != 1)
        return hol__expr_fail(p, offset,
                              "the table '%.40s' takes 1 argument, not %d; write %.40s(x)",
                              table->name, n, table->name);
    if (!table->n) return hol__expr_failed(p); /* reported where it stands */
    p->graph.offset = offset;
    hol__expr_term out = hol__expr_call_named(p, table, p->arguments + first);
    out.offset = offset;
    return out;
}

/* name(…). */
static hol__expr_term call(hol__expr_parser *p) {
    const hol__expr_token name = p->token;
    const hol__expr_builtin *f = hol__expr_builtin_find(name);
    const hol__table *table = f ? NULL : find_table(p, name);
    int first;
    if (table) return call_table(p, table);
    if (!f) return fail_call(p, name);
    const int n = arguments_of(p, &first);
    if (n < 0) return hol__expr_failed(p);
    if (n < f->least || (f->most != HOL__EXPR_ANY && n > f->most))
        return fail_count(p, f, n, name.offset);
    p->graph.offset = name.offset;
    hol__expr_term out = f->build(p, f, p->arguments + first, n);
    out.offset = name.offset;
    return out;
}

/* "(" expression ")". */
static hol__expr_term parenthesis(hol__expr_parser *p) {
    const int opened = p->token.offset;
    hol__expr_advance(p);
    hol__expr_term out = expression(p);
    if (p->failed || !close_parenthesis(p, opened, "')'")) return hol__expr_failed(p);
    out.offset = opened;
    return out;
}

static hol__expr_term primary(hol__expr_parser *p) {
    hol__expr_lexer ahead = p->lexer;
    switch (p->token.kind) {
    case HOL__TOKEN_NUMBER: return hol__expr_literal(p);
    case HOL__TOKEN_NAME: return hol__expr_lex(&ahead).kind == '(' ? call(p) : symbol(p);
    case '(': return parenthesis(p);
    default: return fail_value(p);
    }
}

/* One level deeper; 0 and an error below the deepest. */
static int enter(hol__expr_parser *p) {
    if (++p->depth <= HOL__EXPR_MAX_DEPTH) return 1;
    hol__expr_fail(p, p->token.offset, "nested deeper than %d levels", HOL__EXPR_MAX_DEPTH);
    return 0;
}

static hol__expr_term power(hol__expr_parser *p) {
    const hol__expr_term base = primary(p);
    hol__expr_term out = {.offset = base.offset};
    if (p->failed || p->token.kind != '^') return base;
    const int at = p->token.offset;
    hol__expr_advance(p);
    if (!enter(p)) return hol__expr_failed(p);
    const hol__expr_term exponent = unary(p);
    p->depth--;
    if (p->failed || !hol__expr_power_dim(p, exponent.offset, &base, &exponent, &out))
        return hol__expr_failed(p);
    p->graph.offset = at;
    out.node = hol__expr_node2(&p->graph, HOL__OP_POW, base.node, exponent.node);
    return out;
}

static hol__expr_term unary(hol__expr_parser *p) {
    const int offset = p->token.offset;
    int negative = 0;
    for (; p->token.kind == '-' || p->token.kind == '+'; hol__expr_advance(p))
        negative ^= p->token.kind == '-';
    hol__expr_term out = power(p);
    if (p->failed) return out;
    p->graph.offset = out.offset = offset;
    if (negative) out.node = hol__expr_node1(&p->graph, HOL__OP_NEG, out.node);
    return out;
}

enum { LEVEL_NONE, LEVEL_OR, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT };

static const struct operator_row {
    int token, level;
    hol__expr_op op;
    int swap; /* the operands change places */
    const char *verb;
} operators[] = {
    {HOL__TOKEN_OR, LEVEL_OR, HOL__OP_OR, 0, ""},
    {HOL__TOKEN_AND, LEVEL_AND, HOL__OP_AND, 0, ""},
    {'<', LEVEL_COMPARE, HOL__OP_LT, 0, "compare"},
    {'>', LEVEL_COMPARE, HOL__OP_LT, 1, "compare"},
    {HOL__TOKEN_LE, LEVEL_COMPARE, HOL__OP_LE, 0, "compare"},
    {HOL__TOKEN_GE, LEVEL_COMPARE, HOL__OP_LE, 1, "compare"},
    {HOL__TOKEN_EQ, LEVEL_COMPARE, HOL__OP_EQ, 0, "compare"},
    {HOL__TOKEN_NE, LEVEL_COMPARE, HOL__OP_NE, 0, "compare"},
    {'+', LEVEL_SUM, HOL__OP_ADD, 0, "add"},
    {'-', LEVEL_SUM, HOL__OP_SUB, 0, "subtract"},
    {'*', LEVEL_PRODUCT, HOL__OP_MUL, 0, ""},
    {'/', LEVEL_PRODUCT, HOL__OP_DIV, 0, ""},
};

/* The operator that the current token is; NULL when it is none. */
static const struct operator_row *current_operator(const hol__expr_parser *p) {
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].token == p->token.kind) return &operators[i];
    return NULL;
}

/* Warn of a plain number beside a quantity that users see in another unit than it has here. */
static void warn_of_shown(hol__expr_parser *p, int at, const hol__expr_term *quantity,
                          const hol__expr_term *number) {
    char si[64];
    double value;
    if (!quantity->shown || !number->bare || number->has_pi || !quantity->dim.known ||
        !hol__expr_node_constant(&p->graph, number->node, &value) || value == 0)
        return;
    hol_location where = p->where;
    where.column += at;
    hol__dim_text(quantity->dim, si, sizeof si);
    hol__warn(p->ctx, &where, p->element,
              "%.9g is taken in %s, as all expressions are, and not in %s, in which the measure is "
              "shown; write '%.9g %s' or '%.9g %s'",
              value, si, quantity->shown, value, quantity->shown, value, si);
}

/* a operator b. */
static hol__expr_term combine(hol__expr_parser *p, const struct operator_row *o, int at,
                              const hol__expr_term *a, const hol__expr_term *b) {
    hol__expr_term out = {.offset = a->offset};
    if (o->level == LEVEL_PRODUCT)
        hol__expr_product_dim(a, b, o->op == HOL__OP_MUL ? 1 : -1, &out);
    else if (o->level >= LEVEL_COMPARE && !hol__expr_same_dim(p, o->verb, at, a, b, &out))
        return hol__expr_failed(p);
    if (o->level == LEVEL_COMPARE || o->level == LEVEL_SUM) {
        warn_of_shown(p, at, a, b);
        warn_of_shown(p, at, b, a);
    }
    if (o->level == LEVEL_COMPARE) {
        hol__expr_doubt_angle(p, a, b);
        hol__expr_doubt_angle(p, b, a);
    }
    if (o->level <= LEVEL_COMPARE) {
        out.bare = 1;
        out.dim.known = 0;
    }
    p->graph.offset = at;
    out.node =
        hol__expr_node2(&p->graph, o->op, o->swap ? b->node : a->node, o->swap ? a->node : b->node);
    return out;
}

static hol__expr_term binary(hol__expr_parser *p, int level);

/* {"not"} comparison: two cancel, except that what is left is 0 or 1. */
static hol__expr_term negation(hol__expr_parser *p) {
    const int offset = p->token.offset;
    int count = 0;
    for (; p->token.kind == HOL__TOKEN_NOT; hol__expr_advance(p)) count++;
    hol__expr_term out = binary(p, LEVEL_COMPARE);
    if (p->failed) return out;
    p->graph.offset = out.offset = offset;
    out.dim.known = 0;
    out.bare = 1;
    for (int i = count % 2 ? 1 : 2; i > 0; i--)
        out.node = hol__expr_node1(&p->graph, HOL__OP_NOT, out.node);
    return out;
}

/* Operators of at least this level. */
static hol__expr_term binary(hol__expr_parser *p, int level) {
    hol__expr_term left =
        p->token.kind == HOL__TOKEN_NOT && level <= LEVEL_NOT ? negation(p) : unary(p);
    for (const struct operator_row *o;
         !p->failed && (o = current_operator(p)) && o->level >= level;) {
        const int at = p->token.offset;
        hol__expr_advance(p);
        const hol__expr_term right = binary(p, o->level + 1);
        if (p->failed) return right;
        left = combine(p, o, at, &left, &right);
        const struct operator_row *next = current_operator(p);
        if (o->level == LEVEL_COMPARE && next && next->level == LEVEL_COMPARE)
            return hol__expr_fail(p, p->token.offset,
                                  "comparisons do not chain; write a < b and b < c");
    }
    return left;
}

/* condition "?" a ":" b, where the condition has been parsed. */
static hol__expr_term conditional(hol__expr_parser *p, hol__expr_term condition) {
    hol__expr_term x[3] = {condition};
    const int at = p->token.offset;
    hol__expr_advance(p);
    x[1] = expression(p);
    if (p->failed) return x[1];
    if (p->token.kind == HOL__TOKEN_END)
        return hol__expr_fail(p, p->token.offset, "':' is missing for the '?' in column %d",
                              p->where.column + at);
    if (p->token.kind != ':') return fail_operator(p, "':'");
    hol__expr_advance(p);
    x[2] = expression(p);
    if (p->failed) return x[2];
    p->graph.offset = at;
    return hol__expr_call_if(p, NULL, x, 3);
}

static hol__expr_term expression(hol__expr_parser *p) {
    if (!enter(p)) return hol__expr_failed(p);
    hol__expr_term out = binary(p, LEVEL_OR);
    if (!p->failed && p->token.kind == '?') out = conditional(p, out);
    p->depth--;
    if (out.node < 0) p->failed = 1;
    return out;
}

hol__expr_term hol__expr_parse(hol__expr_parser *p) {
    hol__expr_advance(p);
    const hol__expr_term out = expression(p);
    if (!p->failed && p->token.kind != HOL__TOKEN_END) return fail_operator(p, "");
    return out;
}
