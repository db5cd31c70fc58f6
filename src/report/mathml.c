/* mathml.c: formulas as MathML. See mathml.h.
 *
 *     formula  = { atom [ _ group ] [ ^ group ] }
 *     atom     = group | number | letter | sign | command { group }
 *     group    = "{" formula "}"
 *
 * The commands are those of the tables below, as many as symbolic/write.c and latex_name.c write;
 * what is none of them stands there as text.
 */
#include "report/mathml.h"

#include "base/escape.h"
#include "common/ascii.h"

#include <string.h>

/* ---- the commands ---- */

/* What a command without an argument stands for: a letter, a sign, space, or a function's name, to
 * which it is applied. */
typedef struct word {
    const char *name, *shown;
} word;

static const word letters[] = {
    {"alpha", "α"}, {"beta", "β"},    {"gamma", "γ"}, {"delta", "δ"},  {"varepsilon", "ε"},
    {"zeta", "ζ"},  {"eta", "η"},     {"theta", "θ"}, {"kappa", "κ"},  {"lambda", "λ"},
    {"mu", "μ"},    {"nu", "ν"},      {"xi", "ξ"},    {"rho", "ρ"},    {"sigma", "σ"},
    {"tau", "τ"},   {"varphi", "φ"},  {"chi", "χ"},   {"psi", "ψ"},    {"omega", "ω"},
    {"Gamma", "Γ"}, {"Delta", "Δ"},   {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Sigma", "Σ"},
    {"Phi", "Φ"},   {"Psi", "Ψ"},     {"Omega", "Ω"}, {"pi", "π"},     {"iota", "ι"},
    {"Pi", "Π"},    {"upsilon", "υ"},
};

static const word functions[] = {
    {"sin", "sin"},       {"cos", "cos"},       {"tan", "tan"},   {"arcsin", "arcsin"},
    {"arccos", "arccos"}, {"arctan", "arctan"}, {"sinh", "sinh"}, {"cosh", "cosh"},
    {"tanh", "tanh"},     {"exp", "exp"},       {"ln", "ln"},
};

static const word signs[] = {{"cdot", "·"}, {"left", ""}, {"right", ""}};

/* Elements with arguments: as many groups as follow, and what stands behind them. */
typedef struct element {
    const char *name;
    int groups;
    const char *open, *close;
} element;

static const element elements[] = {
    {"frac", 2, "<mfrac>", "</mfrac>"},
    {"sqrt", 1, "<msqrt>", "</msqrt>"},
    {"dot", 1, "<mover accent=\"true\">", "<mo>˙</mo></mover>"},
    {"ddot", 1, "<mover accent=\"true\">", "<mo>¨</mo></mover>"},
};

#define FIND(table, name, n) find(table, sizeof *(table), sizeof(table) / sizeof *(table), name, n)

/* The row of a table whose rows begin with their name; NULL: none has it. */
static const void *find(const void *table, size_t size, size_t rows, const char *name, size_t n) {
    for (size_t i = 0; i < rows; i++) {
        const void *row = (const char *)table + i * size;
        const char *const known = *(const char *const *)row;
        if (strlen(known) == n && strncmp(known, name, n) == 0) return row;
    }
    return NULL;
}

/* How many letters the name of the command at `at`, behind its backslash, has. */
static size_t name_length(const char *at) {
    size_t n = 0;
    while (hol__is_letter(at[n])) n++;
    return n;
}

/* ---- where things end ---- */

/* Behind the group that begins at `at`, or behind its first character. */
static const char *behind_group(const char *at, const char *end) {
    int depth = 0;
    for (const char *p = at; p < end; p++) {
        if (*p == '\\' && p + 1 < end) {
            p++;
            continue;
        }
        depth += (*p == '{') - (*p == '}');
        if (depth == 0) return p + 1;
    }
    return end;
}

/* Groups that belong to a command. */
static int groups_of(const char *name, size_t n) {
    const element *e = FIND(elements, name, n);
    if (e) return e->groups;
    return (n == 6 && strncmp(name, "mathrm", n) == 0) ||
           (n == 12 && strncmp(name, "operatorname", n) == 0);
}

static int is_number(char c) {
    return hol__is_digit(c) || c == '.';
}

/* Behind the atom that begins at `at`. */
static const char *behind_atom(const char *at, const char *end) {
    if (*at == '\\') {
        const size_t n = name_length(at + 1);
        const char *p = at + 1 + (n ? n : 1);
        for (int i = groups_of(at + 1, n); i > 0 && p < end; i--) p = behind_group(p, end);
        return p < end ? p : end;
    }
    if (*at == '{') return behind_group(at, end);
    const char *p = at;
    while (p < end && is_number(*p)) p++;
    if (p > at) return p;
    for (p = at + 1; p < end && ((unsigned char)*p & 0xc0) == 0x80;) p++; /* one of UTF-8 */
    return p;
}

/* ---- writing ---- */

static void put_formula(hol__text *out, const char *at, const char *end);

/* The inside of a group, as one element. */
static void put_group(hol__text *out, const char *at, const char *end) {
    hol__text_add(out, "<mrow>");
    if (*at == '{')
        put_formula(out, at + 1, end - 1);
    else
        put_formula(out, at, end);
    hol__text_add(out, "</mrow>");
}

/* A word, upright, without the backslashes before its signs. */
static void put_word(hol__text *out, const char *at, const char *end) {
    hol__text_add(out, "<mi mathvariant=\"normal\">");
    while (at < end) {
        const char *run = at;
        while (at < end && *at != '\\') at++;
        hol__text_add_xml_n(out, run, (size_t)(at - run));
        if (at < end) at++;
    }
    hol__text_add(out, "</mi>");
}

/* A command with its groups, from behind the backslash to `end`. */
static void put_command(hol__text *out, const char *at, const char *end) {
    const size_t n = name_length(at);
    const element *e = FIND(elements, at, n);
    const word *w;
    const char *p = at + n;
    if (e) {
        hol__text_add(out, "%s", e->open);
        for (int i = 0; i < e->groups && p < end; i++) {
            const char *next = behind_group(p, end);
            put_group(out, p, next);
            p = next;
        }
        hol__text_add(out, "%s", e->close);
    } else if (groups_of(at, n)) {
        put_word(out, p + 1 < end ? p + 1 : end, end > p ? end - 1 : end);
    } else if ((w = FIND(letters, at, n)) || (w = FIND(functions, at, n))) {
        hol__text_add(out, "<mi>%s</mi>", w->shown);
    } else if ((w = FIND(signs, at, n))) {
        if (*w->shown) hol__text_add(out, "<mo>%s</mo>", w->shown);
    } else if (!n && *at == ',') {
        hol__text_add(out, "<mspace width=\"0.17em\"/>");
    } else {
        put_word(out, at, end);
    }
}

static void put_atom(hol__text *out, const char *at, const char *end) {
    if (*at == '\\') {
        put_command(out, at + 1, end);
    } else if (*at == '{') {
        put_group(out, at, end);
    } else if (is_number(*at) || !strchr(" +-=(),*/|", *at)) {
        const char *tag = is_number(*at) ? "mn" : "mi";
        hol__text_add(out, "<%s>", tag);
        hol__text_add_xml_n(out, at, (size_t)(end - at));
        hol__text_add(out, "</%s>", tag);
    } else if (*at != ' ') {
        /* brackets stand within a row, where nothing else tells which side they are of */
        hol__text_add(out, "<mo%s>",
                      *at == '('   ? " form=\"prefix\""
                      : *at == ')' ? " form=\"postfix\""
                                   : "");
        hol__text_add(out, *at == '-' ? "−" : "%c", *at);
        hol__text_add(out, "</mo>");
    }
}

/* Whether an atom is the name of a function, which is applied to what follows. */
static int is_function(const char *at) {
    const size_t n = *at == '\\' ? name_length(at + 1) : 0;
    return n &&
           (FIND(functions, at + 1, n) || (n == 12 && strncmp(at + 1, "operatorname", n) == 0));
}

static void put_formula(hol__text *out, const char *at, const char *end) {
    static const char *const tags[] = {"", "msub", "msup", "msubsup"};
    while (at < end) {
        const char *behind = behind_atom(at, end), *script[2] = {NULL, NULL}, *past = behind;
        while (past < end && (*past == '_' || *past == '^') && !script[*past == '^']) {
            script[*past == '^'] = past + 1;
            past = behind_group(past + 1, end);
        }
        const char *tag = tags[(script[0] != NULL) + 2 * (script[1] != NULL)];
        if (*tag) hol__text_add(out, "<%s>", tag);
        put_atom(out, at, behind);
        for (int i = 0; i < 2; i++)
            if (script[i]) put_group(out, script[i], behind_group(script[i], end));
        if (*tag) hol__text_add(out, "</%s>", tag);
        if (is_function(at)) hol__text_add(out, "<mo>&#x2061;</mo>");
        at = past;
    }
}

void hol__mathml(hol__text *out, const char *latex, const char *plain) {
    hol__text_add(out, "<math displaystyle=\"true\" alttext=\"");
    hol__text_add_xml(out, plain);
    hol__text_add(out, "\">");
    put_group(out, latex, latex + strlen(latex));
    hol__text_add(out, "</math>");
}
