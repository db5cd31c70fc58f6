/* print.c: padded and wrapped text, numbers and CSV cells. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* n spaces. */
static void put_spaces(FILE *out, int n) {
    fprintf(out, "%*s", n > 0 ? n : 0, "");
}

void cli_print_padded(FILE *out, const char *text, int width) {
    fputs(text, out);
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
        fwrite(text, 1, n, out);
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
        fwrite(text, 1, n, out);
        fputc('\n', out);
        text += n + (text[n] == '\n');
    }
}

void cli_print_cell(FILE *out, const char *text) {
    const size_t n = strlen(text);
    if (n && !text[strcspn(text, ",\"\r\n")] && text[0] != ' ' && text[n - 1] != ' ') {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
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
