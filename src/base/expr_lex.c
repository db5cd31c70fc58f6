/* expr_lex.c: a text into tokens, without allocation.
 *
 *   number   digits [. digits] [e [+-] digits]   or   . digits [e [+-] digits]
 *   name     letter or _, then letters, digits, _; more such parts may follow, each behind a dot
 *   others   + - * / ^ ( ) , ? : < <= > >= == != && || !  and the words  and  or  not
 *
 * The "e" of a number is part of it only when digits follow, so "2 e" is a number and a name.
 */
#include "base/expr_internal.h"
#include "common/ascii.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_letter(char ch) {
    return hol__is_letter(ch) || ch == '_';
}

/* The character i places ahead; 0 past the end. */
static char peek(const hol__expr_lexer *lexer, int i) {
    return lexer->at + i < lexer->length ? lexer->text[lexer->at + i] : '\0';
}

static void skip_digits(hol__expr_lexer *lexer) {
    while (hol__is_digit(peek(lexer, 0))) lexer->at++;
}

static void skip_number(hol__expr_lexer *lexer) {
    skip_digits(lexer);
    if (peek(lexer, 0) == '.') lexer->at++;
    skip_digits(lexer);
    if (peek(lexer, 0) != 'e' && peek(lexer, 0) != 'E') return;
    const int sign = peek(lexer, 1) == '+' || peek(lexer, 1) == '-';
    if (!hol__is_digit(peek(lexer, 1 + sign))) return;
    lexer->at += 1 + sign;
    skip_digits(lexer);
}

static void skip_name(hol__expr_lexer *lexer) {
    for (;;) {
        while (is_letter(peek(lexer, 0)) || hol__is_digit(peek(lexer, 0))) lexer->at++;
        if (peek(lexer, 0) != '.' || !(is_letter(peek(lexer, 1)) || hol__is_digit(peek(lexer, 1))))
            return;
        lexer->at++;
    }
}

/* The kind of a token of two characters; 0 when these are not one. */
static int kind_of_pair(char a, char b) {
    if (a == '<' && b == '=') return HOL__TOKEN_LE;
    if (a == '>' && b == '=') return HOL__TOKEN_GE;
    if (a == '=' && b == '=') return HOL__TOKEN_EQ;
    if (a == '!' && b == '=') return HOL__TOKEN_NE;
    if (a == '&' && b == '&') return HOL__TOKEN_AND;
    if (a == '|' && b == '|') return HOL__TOKEN_OR;
    return 0;
}

/* Take an operator or a character that means nothing; its kind. */
static int take_operator(hol__expr_lexer *lexer) {
    const char ch = peek(lexer, 0);
    const int pair = kind_of_pair(ch, peek(lexer, 1));
    lexer->at += pair ? 2 : 1;
    if (pair) return pair;
    if (ch == '!') return HOL__TOKEN_NOT;
    return ch && strchr("+-*/^(),?:<>", ch) ? ch : HOL__TOKEN_BAD;
}

int hol__expr_token_is(hol__expr_token token, const char *word) {
    return strlen(word) == (size_t)token.length &&
           memcmp(token.text, word, (size_t)token.length) == 0;
}

/* NAME, or the kind of the word operator that it is. */
static int kind_of_name(hol__expr_token name) {
    if (hol__expr_token_is(name, "and")) return HOL__TOKEN_AND;
    if (hol__expr_token_is(name, "or")) return HOL__TOKEN_OR;
    if (hol__expr_token_is(name, "not")) return HOL__TOKEN_NOT;
    return HOL__TOKEN_NAME;
}

hol__expr_token hol__expr_lex(hol__expr_lexer *lexer) {
    for (char ch = peek(lexer, 0); ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r';
         ch = peek(lexer, 0))
        lexer->at++;
    hol__expr_token token = {HOL__TOKEN_END, lexer->at, 0, lexer->text + lexer->at};
    const char ch = peek(lexer, 0);
    if (lexer->at >= lexer->length) return token;
    if (hol__is_digit(ch) || (ch == '.' && hol__is_digit(peek(lexer, 1)))) {
        token.kind = HOL__TOKEN_NUMBER;
        skip_number(lexer);
    } else if (is_letter(ch)) {
        token.kind = HOL__TOKEN_NAME;
        skip_name(lexer);
    } else {
        token.kind = take_operator(lexer);
    }
    token.length = lexer->at - token.offset;
    if (token.kind == HOL__TOKEN_NAME) token.kind = kind_of_name(token);
    return token;
}

/* Digits that can decide the rounding of a double are fewer than 770; of those beyond only
 * whether one is not zero matters. */
enum { DIGITS = 780, LARGEST_EXPONENT = 1000000 };

/* The exponent "e-12" at the end of a number, at most LARGEST_EXPONENT in size. */
static long read_exponent(const char *at, const char *end) {
    long e = 0;
    if (at == end) return 0;
    const int negative = at[1] == '-';
    for (at += at[1] == '-' || at[1] == '+' ? 2 : 1; at < end; at++)
        if (e < LARGEST_EXPONENT) e = 10 * e + (*at - '0');
    return negative ? -e : e;
}

double hol__expr_token_number(hol__expr_token token) {
    /* d.ddd is handed to strtod as dddde-3, which has no decimal point that a locale could
     * change */
    char digits[DIGITS + 32];
    const char *at = token.text, *end = at + token.length;
    int n = 0, fraction = 0, rest = 0;
    long exponent = 0;
    for (; at < end && (*at == '.' || hol__is_digit(*at)); at++) {
        if (*at == '.') {
            fraction = 1;
        } else if (n < DIGITS) {
            if (n > 0 || *at != '0') digits[n++] = *at;
            exponent -= fraction;
        } else {
            rest |= *at != '0';
            exponent += !fraction;
        }
    }
    if (n == 0) return 0;
    if (rest) {
        digits[n++] = '1';
        exponent--;
    }
    snprintf(digits + n, sizeof digits - (size_t)n, "e%ld", exponent + read_exponent(at, end));
    return strtod(digits, NULL);
}
