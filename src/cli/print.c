/* print.c: text that no terminal takes for commands, padded and wrapped; numbers and CSV cells. */
#include "cli/cli.h"
#include "common/csv_cell.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void cli_put(FILE *out, const char *text, size_t n) {
    const char *end = text + n, *from = text;
    while (text < end) {
        unsigned code = (unsigned char)*text;
        const int length = hol__utf8_decode(text, end, &code);
        if (length && !hol__utf8_misleads(code)) {
            text += length;
            continue;
        }
        fwrite(from, 1, (size_t)(text - from), out);
        fprintf(out, code < 0x100 ? "\\x%02x" : "\\u%04x", length ? code : (unsigned char)*text);
        from = text += length ? length : 1;
    }
    fwrite(from, 1, (size_t)(text - from), out);
}

void cli_puts(FILE *out, const char *text) {
    cli_put(out, text, strlen(text));
}

void cli_printf(FILE *out, const char *format, ...) {
    char buf[1024];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(buf, sizeof buf, format, args);
    char *text = n >= (int)sizeof buf ? malloc((size_t)n + 1) : NULL;
    if (text) vsnprintf(text, (size_t)n + 1, format, again);
    if (n > 0) cli_puts(out, text ? text : buf);
    free(text);
    va_end(again);
    va_end(args);
}

/* n spaces. */
static void put_spaces(FILE *out, int n) {
    fprintf(out, "%*s", n > 0 ? n : 0, "");
}

void cli_print_padded(FILE *out, const char *text, int width) {
    cli_puts(out, text);
    put_spaces(out, width - hol__utf8_length(text));
}

void cli_print_wrapped(FILE *out, int indent, const char *text) {
    int column = indent;
    while (*text) {
        const size_t n = strcspn(text, " \n");
        int length = 0;
        for (size_t i = 0; i < n; i++) length += hol__utf8_begins(text[i]);
        if (column > indent && column + 1 + length > CLI_WIDTH) {
            fputc('\n', out);
            put_spaces(out, indent);
            column = indent;
        }
        if (column > indent && length) {
            fputc(' ', out);
            column++;
        }
        cli_put(out, text, n);
        column += length;
        text += n;
        for (; *text == ' ' || *text == '\n'; text++)
            if (*text == '\n' && text[1]) {
                fputc('\n', out);
                put_spaces(out, indent);
                column = indent;
            }
    }
    fputc('\n', out);
}

void cli_print_row(FILE *out, int indent, int width, const char *label, const char *text) {
    put_spaces(out, indent);
    cli_print_padded(out, label, width);
    if (hol__utf8_length(label) >= width) {
        fputc('\n', out);
        put_spaces(out, indent + width);
    }
    cli_print_wrapped(out, indent + width, text);
}

void cli_print_block(FILE *out, int indent, const char *text) {
    while (*text) {
        const size_t n = strcspn(text, "\n");
        if (n) put_spaces(out, indent);
        cli_put(out, text, n);
        fputc('\n', out);
        text += n + (text[n] == '\n');
    }
}

void cli_print_cell(FILE *out, const char *text) {
    const int quoted = hol__csv_needs_quotes(text);
    if (quoted) fputc('"', out);
    if (hol__csv_needs_guard(text)) fputc('\'', out);
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        cli_put(out, text, (size_t)(quote + 1 - text));
        fputc('"', out);
    }
    cli_puts(out, text);
    if (quoted) fputc('"', out);
}

void cli_print_extremes(FILE *out, const hol_column *column, const hol_extremes *x, int first) {
    char name[256];
    const int has_unit = column->unit && *column->unit;
    if (first)
        fprintf(out, "\n%-30s %15s %11s %15s %11s\n", "over all steps", "minimum", "at t",
                "maximum", "at t");
    snprintf(name, sizeof name, has_unit ? "  %s [%s]" : "  %s", column->name, column->unit);
    cli_print_padded(out, name, 30);
    fprintf(out, " %15.9g %11.6g %15.9g %11.6g\n", x->minimum, x->minimum_time, x->maximum,
            x->maximum_time);
}
