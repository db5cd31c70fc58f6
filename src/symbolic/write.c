/* write.c: formulas as plain text (m*l^2/3) and in LaTeX (\frac{m\,l^{2}}{3}).
 *
 * Factors with negative exponents stand below the line, signs in front of terms, roots as roots.
 */
#include "symbolic/sym.h"

#include <string.h>

/* What binds how strongly: what stands in a place that binds more gets brackets. */
typedef enum binding { IN_SUM, IN_PRODUCT, IN_POWER } binding;

typedef struct writer {
    const hol__algebra *a;
    int latex;
    hol__text *out;
} writer;

static void put(const writer *w, const char *text) {
    hol__text_add_n(w->out, text, strlen(text));
}

static void write_in(const writer *w, hol__sym x, binding place);

static int is_negative(hol__sym x) {
    return (x->kind == HOL__SYM_NUMBER || x->kind == HOL__SYM_PRODUCT) &&
           hol__exact_value(x->number) < 0;
}

static void open(const writer *w, int brackets) {
    if (brackets) put(w, w->latex ? "\\left(" : "(");
}

static void close(const writer *w, int brackets) {
    if (brackets) put(w, w->latex ? "\\right)" : ")");
}

/* A number without its sign; 1.5e-05 as 1.5 \cdot 10^{-5}. */
static void write_number(const writer *w, hol__exact x) {
    char text[64];
    hol__exact_text(x, text, sizeof text);
    const size_t digits = strcspn(text, "e");
    if (!w->latex || !text[digits]) {
        put(w, text);
        return;
    }
    const char *power = text + digits + 1;
    const int minus = *power == '-';
    while (*power == '+' || *power == '-' || *power == '0') power++;
    hol__text_add_n(w->out, text, digits);
    hol__text_add(w->out, " \\cdot 10^{%s%s}", minus ? "-" : "", power);
}

/* ---- functions and powers ---- */

static const char *const names[] = {
    [HOL__SYM_SIN] = "sin",     [HOL__SYM_COS] = "cos",   [HOL__SYM_TAN] = "tan",
    [HOL__SYM_ASIN] = "asin",   [HOL__SYM_ACOS] = "acos", [HOL__SYM_ATAN] = "atan",
    [HOL__SYM_ATAN2] = "atan2", [HOL__SYM_SINH] = "sinh", [HOL__SYM_COSH] = "cosh",
    [HOL__SYM_TANH] = "tanh",   [HOL__SYM_EXP] = "exp",   [HOL__SYM_LOG] = "log",
    [HOL__SYM_ABS] = "abs",     [HOL__SYM_SIGN] = "sign"};

static const char *const latex_names[] = {[HOL__SYM_SIN] = "\\sin",
                                          [HOL__SYM_COS] = "\\cos",
                                          [HOL__SYM_TAN] = "\\tan",
                                          [HOL__SYM_ASIN] = "\\arcsin",
                                          [HOL__SYM_ACOS] = "\\arccos",
                                          [HOL__SYM_ATAN] = "\\arctan",
                                          [HOL__SYM_ATAN2] = "\\operatorname{atan2}",
                                          [HOL__SYM_SINH] = "\\sinh",
                                          [HOL__SYM_COSH] = "\\cosh",
                                          [HOL__SYM_TANH] = "\\tanh",
                                          [HOL__SYM_EXP] = "\\exp",
                                          [HOL__SYM_LOG] = "\\ln",
                                          [HOL__SYM_ABS] = "\\operatorname{abs}",
                                          [HOL__SYM_SIGN] = "\\operatorname{sgn}"};

/* f(x), or f^e(x) where e is not NULL. */
static void write_call(const writer *w, hol__sym x, hol__sym e) {
    put(w, (w->latex ? latex_names : names)[x->function]);
    if (e) {
        put(w, w->latex ? "^{" : "^");
        write_in(w, e, IN_SUM);
        if (w->latex) put(w, "}");
    }
    open(w, 1);
    for (int i = 0; i < x->n; i++) {
        if (i) put(w, ", ");
        write_in(w, x->arg[i], IN_SUM);
    }
    close(w, 1);
}

static void write_root(const writer *w, hol__sym x) {
    put(w, w->latex ? "\\sqrt{" : "sqrt(");
    write_in(w, x, IN_SUM);
    put(w, w->latex ? "}" : ")");
}

/* base^e, e a node or, where it is NULL, minus that of the node (below the line). */
static void write_power(const writer *w, hol__sym x, int below) {
    const hol__sym base = x->arg[0];
    const hol__exact minus = hol__exact_integer(-1);
    struct hol__sym_node upper = *x->arg[1];
    if (below) upper.number = hol__exact_mul(minus, upper.number);
    const int number = upper.kind == HOL__SYM_NUMBER;
    if (number && hol__exact_is(upper.number, 1)) {
        write_in(w, base, IN_PRODUCT);
        return;
    }
    if (number && upper.number.n == 1 && upper.number.d == 2) {
        write_root(w, base);
        return;
    }
    if (w->latex && base->kind == HOL__SYM_CALL && number && hol__exact_is_integer(upper.number) &&
        upper.number.n > 0) {
        write_call(w, base, &upper);
        return;
    }
    /* a dotted letter takes its exponent behind it as it is; x'^2 in text too */
    write_in(w, base, IN_POWER);
    put(w, w->latex ? "^{" : "^");
    const int plain = w->latex || (number && hol__exact_is_integer(upper.number) &&
                                   hol__exact_value(upper.number) > 0);
    write_in(w, &upper, plain ? IN_SUM : IN_POWER);
    if (w->latex) put(w, "}");
}

/* ---- products ---- */

/* Whether a factor stands below the line. */
static int is_below(hol__sym x) {
    return x->kind == HOL__SYM_POWER && x->arg[1]->kind == HOL__SYM_NUMBER &&
           hol__exact_value(x->arg[1]->number) < 0;
}

/* How many factors stand above or below the line, the numbers counted. */
static int count(hol__sym x, int below) {
    const hol__exact k = x->number;
    int n = 0;
    for (int i = 0; i < x->n; i++) n += is_below(x->arg[i]) == below;
    if (below) return n + (hol__exact_below(k) != 1);
    const hol__exact upper = hol__exact_below(k) == 1 ? k : hol__exact_integer(k.n);
    return n + !(hol__exact_is(upper, 1) || hol__exact_is(upper, -1));
}

static void write_times(const writer *w, int *first) {
    if (!*first) put(w, w->latex ? "\\," : "*");
    *first = 0;
}

/* The factors above or below the line; `alone` is the one that needs no brackets. */
static void write_factors(const writer *w, hol__sym x, int below) {
    const hol__exact k = x->number;
    const int alone = count(x, below) == 1;
    int first = 1;
    if (below && hol__exact_below(k) != 1) {
        write_times(w, &first);
        write_number(w, hol__exact_integer(k.d));
    } else if (!below && count(x, 0) == 0) {
        write_times(w, &first);
        put(w, "1");
    } else if (!below) {
        const hol__exact upper = hol__exact_below(k) == 1 ? k : hol__exact_integer(k.n);
        if (!hol__exact_is(upper, 1) && !hol__exact_is(upper, -1)) {
            write_times(w, &first);
            write_number(w, upper);
        }
    }
    for (int i = 0; i < x->n; i++) {
        if (is_below(x->arg[i]) != below) continue;
        write_times(w, &first);
        if (below)
            write_power(w, x->arg[i], 1);
        else
            write_in(w, x->arg[i], alone && w->latex && count(x, 1) ? IN_SUM : IN_PRODUCT);
    }
}

static void write_product(const writer *w, hol__sym x) {
    const int below = count(x, 1);
    if (!below) {
        write_factors(w, x, 0);
    } else if (w->latex) {
        put(w, "\\frac{");
        write_factors(w, x, 0);
        put(w, "}{");
        write_factors(w, x, 1);
        put(w, "}");
    } else {
        write_factors(w, x, 0);
        put(w, "/");
        open(w, below > 1);
        write_factors(w, x, 1);
        close(w, below > 1);
    }
}

/* A number or a product without its sign. */
static void write_unsigned(const writer *w, hol__sym x) {
    if (x->kind == HOL__SYM_PRODUCT) {
        write_product(w, x);
        return;
    }
    const long long below = hol__exact_below(x->number);
    if (below != 1 && w->latex) put(w, "\\frac{");
    write_number(w, below == 1 ? x->number : hol__exact_integer(x->number.n));
    if (below != 1) {
        put(w, w->latex ? "}{" : "/");
        write_number(w, hol__exact_integer(below));
        if (w->latex) put(w, "}");
    }
}

/* ---- sums ---- */

/* A term of a sum with its sign. */
static void write_term(const writer *w, hol__sym x, int first) {
    const int minus = is_negative(x);
    if (!first || minus) put(w, minus ? (first ? "-" : " - ") : " + ");
    if (x->kind == HOL__SYM_NUMBER || x->kind == HOL__SYM_PRODUCT)
        write_unsigned(w, x);
    else
        write_in(w, x, IN_PRODUCT);
}

/* The first term that has no minus in front stands first. */
static void write_sum(const writer *w, hol__sym x) {
    int lead = 0;
    while (lead < x->n && is_negative(x->arg[lead])) lead++;
    if (lead == x->n) lead = 0;
    write_term(w, x->arg[lead], 1);
    for (int i = 0; i < x->n; i++)
        if (i != lead) write_term(w, x->arg[i], 0);
}

/* Whether it needs brackets in its place. */
static int needs_brackets(const writer *w, hol__sym x, binding place) {
    switch (x->kind) {
    case HOL__SYM_SUM: return place >= IN_PRODUCT;
    case HOL__SYM_PRODUCT: return place == IN_POWER || (place == IN_PRODUCT && is_negative(x));
    case HOL__SYM_NUMBER:
        return (place == IN_POWER && (is_negative(x) || hol__exact_below(x->number) != 1)) ||
               (place == IN_PRODUCT && is_negative(x));
    case HOL__SYM_POWER: return place == IN_POWER;
    case HOL__SYM_CALL: return place == IN_POWER && w->latex;
    default: return 0;
    }
}

static void write_in(const writer *w, hol__sym x, binding place) {
    const int brackets = needs_brackets(w, x, place);
    open(w, brackets);
    switch (x->kind) {
    case HOL__SYM_NUMBER:
    case HOL__SYM_PRODUCT:
        if (is_negative(x)) put(w, "-");
        write_unsigned(w, x);
        break;
    case HOL__SYM_SYMBOL: {
        const hol__sym_symbol *s = &w->a->symbols[x->symbol];
        put(w, w->latex ? s->latex : s->name);
        break;
    }
    case HOL__SYM_POWER:
        if (is_below(x)) {
            put(w, w->latex ? "\\frac{1}{" : "1/");
            write_power(w, x, 1);
            if (w->latex) put(w, "}");
        } else
            write_power(w, x, 0);
        break;
    case HOL__SYM_SUM: write_sum(w, x); break;
    case HOL__SYM_CALL: write_call(w, x, NULL); break;
    }
    close(w, brackets);
}

void hol__sym_write(const hol__algebra *a, hol__sym x, int latex, hol__text *out) {
    const writer w = {a, latex, out};
    if (x) write_in(&w, x, IN_SUM);
}
