/* latex_name.c: names of a model file in LaTeX: Greek letters by their words, digits at the end and
 * what follows an underscore as subscripts, words upright: omega_0, m_{1}, l_{\mathrm{rod}}. */
#include "common/ascii.h"
#include "symbolic/sym.h"

#include <string.h>

static const struct {
    const char *word, *latex;
} greek[] = {
    {"alpha", "\\alpha"},
    {"beta", "\\beta"},
    {"gamma", "\\gamma"},
    {"delta", "\\delta"},
    {"epsilon", "\\varepsilon"},
    {"zeta", "\\zeta"},
    {"eta", "\\eta"},
    {"theta", "\\theta"},
    {"kappa", "\\kappa"},
    {"lambda", "\\lambda"},
    {"mu", "\\mu"},
    {"nu", "\\nu"},
    {"xi", "\\xi"},
    {"rho", "\\rho"},
    {"sigma", "\\sigma"},
    {"tau", "\\tau"},
    {"phi", "\\varphi"},
    {"chi", "\\chi"},
    {"psi", "\\psi"},
    {"omega", "\\omega"},
    {"Gamma", "\\Gamma"},
    {"Delta", "\\Delta"},
    {"Theta", "\\Theta"},
    {"Lambda", "\\Lambda"},
    {"Sigma", "\\Sigma"},
    {"Phi", "\\Phi"},
    {"Psi", "\\Psi"},
    {"Omega", "\\Omega"},
    {"pi", "\\pi"},
    {"iota", "\\iota"},
    {"upsilon", "\\upsilon"},
    {"Pi", "\\Pi"},
};

static const char *greek_of(const char *word, size_t n) {
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
        if (strlen(greek[i].word) == n && strncmp(greek[i].word, word, n) == 0)
            return greek[i].latex;
    return NULL;
}

/* One piece: a Greek letter, a letter, digits, or a word. */
static void put_piece(const char *text, size_t n, hol__text *out) {
    const char *letter = greek_of(text, n);
    size_t digits = 0;
    while (digits < n && hol__is_digit(text[digits])) digits++;
    if (letter) {
        hol__text_add(out, "%s", letter);
    } else if (digits == n || (n == 1 && hol__is_letter(*text))) {
        hol__text_add_n(out, text, n);
    } else {
        hol__text_add(out, "\\mathrm{");
        for (size_t i = 0; i < n; i++) {
            if (strchr("#$%&{}_", text[i]))
                hol__text_add(out, "\\%c", text[i]);
            else if (strchr("\\^~ \x7f", text[i]) || (unsigned char)text[i] < 0x20)
                hol__text_add(out, "\\ ");
            else
                hol__text_add_n(out, text + i, 1);
        }
        hol__text_add(out, "}");
    }
}

void hol__latex_name(const char *name, hol__text *out) {
    int below = 0;
    for (const char *at = name; *at;) {
        size_t n = strcspn(at, "_.[]");
        size_t letters = n;
        while (letters > 0 && hol__is_digit(at[letters - 1])) letters--;
        if (n == 0) {
            at++;
            continue;
        }
        /* m1: the digits are a subscript */
        if (letters > 0 && letters < n) n = letters;
        if (at > name && below == 1) hol__text_add(out, "_{");
        if (below > 1) hol__text_add(out, ",");
        put_piece(at, n, out);
        below++;
        at += n;
    }
    if (below > 1) hol__text_add(out, "}");
}
