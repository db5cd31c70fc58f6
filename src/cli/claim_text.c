/* claim_text.c: texts of claims: values put in, figures checked, lines broken.
 *
 * {x} is the value x as %.1e, {x:.2f} in another format, and {=1e-18} a figure of the document as
 * it is written there. Every decimal figure of a text that says what was found has to stand in
 * braces, so that each comes from a run or is marked as the document's; numbers of equations,
 * tables and sections are none: (5.37), table 5.1, 5.1.4, and so is what stands in backquotes.
 */
#include "cli/claim.h"
#include "common/ascii.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- figures ---- */

/* Whether the text before a number announces the number of something. */
static int is_announced(const char *text, const char *number) {
    static const char *const words[] = {"table ", "section ", "example ", "figure ", "("};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i]);
        if ((size_t)(number - text) >= n && strncmp(number - n, words[i], n) == 0) return 1;
    }
    return 0;
}

/* The end of a number that begins here, and whether it is a decimal figure. */
static const char *skip_number(const char *p, int *decimal) {
    int dots = 0, power = 0;
    while (hol__is_digit(*p) || (*p == '.' && hol__is_digit(p[1]))) dots += *p++ == '.';
    if ((*p == 'e' || *p == 'E') &&
        (hol__is_digit(p[1]) || ((p[1] == '+' || p[1] == '-') && hol__is_digit(p[2])))) {
        power = 1;
        p += 2;
        while (hol__is_digit(*p)) p++;
    }
    *decimal = dots == 1 || power;
    return p;
}

/* The end of what braces, backquotes or the target of a link enclose from here; NULL where nothing
 * begins here or it has no end. A sign of which there is no further one is sought once: `gone`. */
static const char *enclosed(const char *p, int gone[3]) {
    static const char ends[] = "}`)";
    const int kind = *p == '{' ? 0 : *p == '`' ? 1 : *p == ']' && p[1] == '(' ? 2 : 3;
    const char *end = kind < 3 && !gone[kind] ? strchr(p + 1, ends[kind]) : NULL;
    if (kind < 3 && !end) gone[kind] = 1;
    return end;
}

/* The first decimal figure that stands neither in braces nor in backquotes nor in the target of a
 * link; NULL. */
static const char *bare_figure(const char *text) {
    int gone[3] = {0};
    for (const char *p = text; *p;) {
        int decimal;
        const char *end = enclosed(p, gone);
        if (end) {
            p = end + 1;
            continue;
        }
        if (!hol__is_digit(*p)) {
            p++;
            continue;
        }
        end = skip_number(p, &decimal);
        if (decimal && !is_announced(text, p)) return p;
        p = end;
    }
    return NULL;
}

/* ---- values ---- */

int cli_claim_format(const char *format, double value, size_t size, char *buf) {
    char whole[16];
    const char *p = format + (*format == '.');
    size_t n = strspn(p, "0123456789");
    if (n > 2 || !p[n] || p[n + 1] || !strchr("efgd", p[n]) || (*format == '.' && !n)) return 0;
    if (p[n] == 'd')
        snprintf(buf, size, "%.0f", value);
    else {
        snprintf(whole, sizeof whole, "%%%s", format);
        snprintf(buf, size, whole, value);
    }
    return 1;
}

static const cli_value *find_value(const cli_trying *t, const char *name) {
    for (int i = 0; i < t->n_values; i++)
        if (strcmp(t->values[i].name, name) == 0) return &t->values[i];
    return NULL;
}

/* What stands for the words between braces: NULL where they name nothing; *wrong where they do and
 * cannot be shown. */
static const char *stand_in(cli_trying *t, const hol_item *item, const char *words, int *wrong) {
    char name[128], buf[64];
    const size_t n = strcspn(words, ":");
    const char *format = words[n] ? words + n + 1 : ".1e";
    if (*words == '=') return cli_keep_text(&t->keep, "%s", words + 1);
    if (t->each_text && strcmp(words, t->each_name) == 0) return t->each_text;
    if (n >= sizeof name) return NULL;
    memcpy(name, words, n);
    name[n] = '\0';
    const cli_value *value = find_value(t, name);
    if (!value) return NULL;
    *wrong = !isfinite(value->number);
    if (*wrong) cli_claim_error(t->cli, item, 0, "the value '%s' is not a finite number", name);
    if (!*wrong && !cli_claim_format(format, value->number, sizeof buf, buf))
        *wrong = !cli_claim_error(
            t->cli, item, 0, "'%s' is no format: write .1e, .2f, .6g or d behind the name", format);
    return *wrong ? NULL : cli_keep_text(&t->keep, "%s", buf);
}

/* Say that the braces name nothing. */
static const char *unknown(cli_trying *t, const hol_item *item, const char *words) {
    hol__near near = hol__near_start(words);
    char hint[160];
    for (int i = 0; i < t->n_values; i++) hol__near_try(&near, t->values[i].name);
    cli_claim_error(t->cli, item, 0, "there is no value '%s' to put in%s", words,
                    hol__did_you_mean(near.best, hint, sizeof hint));
    return NULL;
}

const char *cli_claim_insert(cli_trying *t, const hol_item *item, const char *text, int strict,
                             int checked) {
    const char *bare = checked ? bare_figure(text) : NULL;
    cli_grown out = {0};
    if (bare) {
        int decimal;
        cli_claim_error(t->cli, item, 0,
                        "the figure '%.*s' in this text comes from no run: insert a value, or "
                        "write {=...} for a figure of the document",
                        (int)(skip_number(bare, &decimal) - bare), bare);
        return NULL;
    }
    for (;;) {
        size_t n = strcspn(text, "{");
        if (!cli_keep_append(&t->keep, &out, text, n)) return NULL;
        text += n;
        if (!*text) return out.data;
        n = strcspn(++text, "{}");
        char *words = text[n] == '}' ? cli_keep_text(&t->keep, "%.*s", (int)n, text) : NULL;
        int wrong = 0;
        const char *value = words ? stand_in(t, item, words, &wrong) : NULL;
        if (wrong) return NULL;
        if (!value && strict) return unknown(t, item, words ? words : text - 1);
        if (!cli_keep_append(&t->keep, &out, value ? value : "{", value ? strlen(value) : 1))
            return NULL;
        if (value) text += n + 1;
    }
}

/* ---- lines ---- */

/* Whether a word at the start of a line would make a list or a heading of it. */
static int is_mark(const char *word, size_t n) {
    if (strchr("-+*#|>", *word) && (n == 1 || *word == '|' || *word == '#' || *word == '>'))
        return 1;
    const size_t digits = strspn(word, "0123456789");
    return digits > 0 && digits + 1 == n && (word[digits] == '.' || word[digits] == ')');
}

/* The characters of a word. */
static int letters(const char *word, size_t n) {
    int count = 0;
    for (size_t i = 0; i < n; i++) count += hol__utf8_begins(word[i]);
    return count;
}

void cli_claim_paragraph(cli_trying *t, const char *text) {
    int column = 0;
    fputc('\n', t->page);
    for (;;) {
        text += strspn(text, " \n");
        const size_t n = strcspn(text, " \n");
        if (!n) break;
        const int wide = letters(text, n);
        if (column && column + 1 + wide > t->width && !is_mark(text, n)) {
            fputc('\n', t->page);
            column = 0;
        }
        if (column) fputc(' ', t->page);
        cli_put(t->page, text, n);
        column += wide + (column > 0);
        text += n;
    }
    fputc('\n', t->page);
}
