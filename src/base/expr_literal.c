/* expr_literal.c: a number and the unit behind it.
 *
 *     literal = number [["1" "/"] unit {("*" | "/") unit}],   unit = name ["^" ["-"] integer]
 *
 * A name directly behind a number can only be a unit, because writing two things side by side means
 * nothing else; so "2 m" is two metres also where a parameter is called m. After "*" or "/" the
 * unit goes on when the next name is a unit and not called. Where that name stands for something
 * else as well, "100 N/m" could be a stiffness or a force divided by m: an error that names both.
 * A 1 behind a number is the 1 of "2 1/s", since two numbers side by side mean nothing else.
 * The one exception is t, which is the time there ("30 deg/s*t") and never the tonne.
 */
#include "base/expr_internal.h"
#include "base/text.h"

#include <math.h>

/* The token behind the current one. */
static hol__expr_token peek(const hol__expr_parser *p) {
    hol__expr_lexer ahead = p->lexer;
    return hol__expr_lex(&ahead);
}

/* Report the name behind a number that is not a unit. */
static void fail_unit(hol__expr_parser *p) {
    const hol__expr_token number = p->before, name = p->token;
    const char *text = hol__expr_token_text(p, name);
    char near[80];
    if (peek(p).kind == '(' || hol__expr_look_up(p, name).kind != HOL__SYMBOL_UNKNOWN)
        hol__expr_fail(p, name.offset, "'%.40s' is not a unit; to multiply write %.*s*%.40s", text,
                       number.length < 20 ? number.length : 20, number.text, text);
    else
        hol__expr_fail(
            p, name.offset, "unknown unit '%.40s'%s", text,
            hol__did_you_mean(hol__nearest(text, hol__unit_name, NULL), near, sizeof near));
}

/* The power behind a unit, 1 when there is none; 0 and an error when it is not a small integer. */
static int read_power(hol__expr_parser *p, int *power) {
    *power = 1;
    if (p->token.kind != '^') return 1;
    hol__expr_advance(p);
    const int offset = p->token.offset, negative = p->token.kind == '-';
    if (negative) hol__expr_advance(p);
    const double n = p->token.kind == HOL__TOKEN_NUMBER ? hol__expr_token_number(p->token) : 0.5;
    if (n != floor(n) || n > HOL__UNIT_MAX_POWER) {
        hol__expr_fail(p, offset,
                       "the power of a unit must be an integer from %d to %d; to raise the number "
                       "with its unit put "
                       "both in parentheses",
                       -HOL__UNIT_MAX_POWER, HOL__UNIT_MAX_POWER);
        return 0;
    }
    *power = negative ? -(int)n : (int)n;
    hol__expr_advance(p);
    if (p->token.kind == '^') {
        hol__expr_fail(p, p->token.offset, "a unit has one power only; use parentheses");
        return 0;
    }
    return 1;
}

/* Take one unit with its power into the product. */
static int take_unit(hol__expr_parser *p, int sign, hol__unit_product *product) {
    const hol__expr_token name = p->token;
    int power;
    if (!hol__unit_is(name.text, name.length) || peek(p).kind == '(') {
        fail_unit(p);
        return 0;
    }
    if (p->before.kind == HOL__TOKEN_NUMBER && !p->doubt && hol__expr_meaning(p, name))
        p->doubt = hol__expr_token_text(p, name);
    hol__expr_advance(p);
    if (!read_power(p, &power)) return 0;
    if (hol__unit_multiply(product, name.text, name.length, sign * power)) return 1;
    hol__expr_fail(p, name.offset, "the powers of the units are too large");
    return 0;
}

/* Report a name behind "*" or "/" that is a unit and means something else as well; start is where
 * the number stands. */
static void fail_meanings(hol__expr_parser *p, int start, hol__expr_token name, const char *other) {
    const char *text = hol__expr_token_text(p, name), *literal = p->lexer.text + start;
    int length = p->token.offset - start;
    const char sign = (char)p->token.kind;
    while (length > 0 && (literal[length - 1] == ' ' || literal[length - 1] == '\t')) length--;
    if (length > 60) length = 60;
    hol__expr_fail(p, name.offset,
                   "'%s' is a unit and also %s '%s': for %s write (%.*s)%c%s, for the unit rename "
                   "%s",
                   text, other, text, other, length, literal, sign, text, other);
}

/* Whether the unit goes on behind the "*" or "/" that is the current token; an error where that can
 * be read in two ways. */
static int unit_goes_on(hol__expr_parser *p, int start) {
    if (p->token.kind != '*' && p->token.kind != '/') return 0;
    hol__expr_lexer ahead = p->lexer;
    const hol__expr_token name = hol__expr_lex(&ahead);
    if (name.kind != HOL__TOKEN_NAME || !hol__unit_is(name.text, name.length)) return 0;
    if (hol__expr_lex(&ahead).kind == '(') return 0;
    const char *other = hol__expr_meaning(p, name);
    if (!other) return !p->failed;
    if (!hol__expr_token_is(name, "t")) fail_meanings(p, start, name, other);
    return 0;
}

/* Whether the current token is the 1 of a unit such as "1/s". */
static int is_inverse_unit(const hol__expr_parser *p) {
    hol__expr_lexer ahead = p->lexer;
    if (p->token.kind != HOL__TOKEN_NUMBER || !hol__expr_token_is(p->token, "1")) return 0;
    if (hol__expr_lex(&ahead).kind != '/') return 0;
    const hol__expr_token name = hol__expr_lex(&ahead);
    return name.kind == HOL__TOKEN_NAME && hol__unit_is(name.text, name.length);
}

/* The units behind a number; 0 after an error. */
static int read_units(hol__expr_parser *p, int start, hol__unit_product *product) {
    int sign = 1;
    if (p->token.kind == HOL__TOKEN_NUMBER) {
        hol__expr_advance(p), hol__expr_advance(p);
        sign = -1;
    }
    if (!take_unit(p, sign, product)) return 0;
    while (unit_goes_on(p, start)) {
        sign = p->token.kind == '*' ? 1 : -1;
        hol__expr_advance(p);
        if (!take_unit(p, sign, product)) return 0;
    }
    return !p->failed;
}

/* Whether a product of units is no plain number, and not that of SI. */
static int is_scaled(const hol__unit_product *u) {
    const int plain = !u->dim.m && !u->dim.kg && !u->dim.s && !u->dim.rad;
    return !plain && u->times != u->over;
}

hol__expr_term hol__expr_literal(hol__expr_parser *p) {
    const hol__expr_token number = p->token;
    hol__unit_product product = {1, 1, {.known = 1}};
    double value = hol__expr_token_number(number);
    hol__expr_advance(p);
    if (!isfinite(value)) return hol__expr_fail(p, number.offset, "this number is too large");
    const int has_unit = p->token.kind == HOL__TOKEN_NAME || is_inverse_unit(p);
    const char *unit = p->token.text;
    if (has_unit) {
        if (!read_units(p, number.offset, &product)) return hol__expr_failed(p);
        value = value * product.times / product.over;
    }
    if (!isfinite(value)) return hol__expr_fail(p, number.offset, "this number is too large");
    p->graph.offset = number.offset;
    hol__expr_term out = {.node = hol__expr_constant_node(&p->graph, value),
                          .offset = number.offset,
                          .bare = !has_unit,
                          .dim = product.dim};
    if (!has_unit) {
        out.dim.known = 0;
        return out;
    }
    out.dim.scaled = (unsigned char)is_scaled(&product);
    out.unit = unit;
    out.unit_length = (int)(p->before.text + p->before.length - unit);
    return out;
}
