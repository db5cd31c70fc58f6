/* answer_text.c: an answer as text for a terminal: facts in lines, tables in columns. A table that
 * is wider than a screen is told in blocks of columns, one below the other. */
#include "base/escape.h"
#include "common/format.h"
#include "io/answer_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, CELL = 40, DIGITS = 9, GAP = 2 };

/* Characters of a UTF-8 text. */
static int width_of(const char *text) {
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

/* Text behind so many spaces that it ends (right) or begins at a column. */
static void put_padded(hol__text *out, const char *text, int width, int right) {
    const int spaces = width - width_of(text);
    hol__text_add(out, "%*s%s%*s", right && spaces > 0 ? spaces : 0, "", text,
                  !right && spaces > 0 ? spaces : 0, "");
}

/* An entry as text; "-" where there is nothing to tell. */
static const char *entry_text(const hol_table *t, int i, int j, char buf[CELL]) {
    const double x = hol__entry(t, i, j);
    hol__print(buf, CELL, isnan(x) ? "-" : "%.*g", DIGITS, x == 0 ? 0 : x);
    return buf;
}

static const char *unit_of(const hol_table *t, int j) {
    return t->column_units ? t->column_units[j] : "";
}

static int column_width(const hol_table *t, int j) {
    char cell[CELL];
    int width = width_of(t->column_names[j]);
    if (width_of(unit_of(t, j)) + 2 > width) width = width_of(unit_of(t, j)) + 2;
    for (int i = 0; i < t->rows; i++) {
        const int n = width_of(entry_text(t, i, j, cell));
        if (n > width) width = n;
    }
    return width + GAP;
}

/* The widest name of a row with its unit. */
static int rows_width(const hol_table *t) {
    char label[512];
    int width = 0;
    for (int i = 0; i < t->rows; i++) {
        const int n = width_of(hol__row_label(t, i, label, sizeof label));
        if (n > width) width = n;
    }
    return width;
}

/* Take away the spaces at the end of the line, and end it. */
static void end_line(hol__text *out) {
    while (!out->failed && out->length && out->data[out->length - 1] == ' ') out->length--;
    hol__text_add_n(out, "\n", 1);
}

/* Two lines with names and units of the columns from `first` to before `end`, of these widths. */
static void put_head(hol__text *out, const hol_table *t, int names, int first, int end,
                     const int *widths) {
    int units = 0;
    hol__text_add(out, "  %*s", names, "");
    for (int j = first; j < end; j++) put_padded(out, t->column_names[j], widths[j - first], 1);
    end_line(out);
    for (int j = first; j < end; j++) units |= *unit_of(t, j) != 0;
    if (!units) return;
    hol__text_add(out, "  %*s", names, "");
    for (int j = first; j < end; j++) {
        char unit[128];
        snprintf(unit, sizeof unit, *unit_of(t, j) ? "[%s]" : "%s", unit_of(t, j));
        put_padded(out, unit, widths[j - first], 1);
    }
    end_line(out);
}

/* The columns from `first` to before `end`, of these widths; of more than `most` rows all but the
 * last few of these and the last ones. */
static void put_block(hol__text *out, const hol_table *t, int names, int first, int end,
                      const int *widths, int most) {
    const int last = 3, cut = most > 2 * last && t->rows > most;
    char label[512], cell[CELL];
    put_head(out, t, names, first, end, widths);
    for (int i = 0; i < t->rows; i++) {
        if (cut && i == most - last) {
            i = t->rows - last;
            hol__text_add(out, "  … %d rows more; -o FILE writes all …\n", t->rows - most);
        }
        hol__text_add_n(out, "  ", 2);
        put_padded(out, hol__row_label(t, i, label, sizeof label), names, 0);
        for (int j = first; j < end; j++)
            put_padded(out, entry_text(t, i, j, cell), widths[j - first], 1);
        end_line(out);
    }
}

/* Formulas: a line each, those of a matrix with their row and column; those that are 0 are not
 * told. */
static void put_formulas(hol__text *out, const hol_table *t) {
    const int matrix = t->columns > 1, names = rows_width(t);
    int n = 0, width = 0;
    for (int j = 0; matrix && j < t->columns; j++)
        if (width_of(t->column_names[j]) > width) width = width_of(t->column_names[j]);
    for (int i = 0; i < t->rows; i++)
        for (int j = 0; j < t->columns; j++) {
            const char *formula = t->formulas[i * t->columns + j];
            if (matrix && strcmp(formula, "0") == 0) continue;
            hol__text_add_n(out, "  ", 2);
            if (t->row_names) put_padded(out, t->row_names[i], names + GAP, 0);
            if (matrix) put_padded(out, t->column_names[j], width + GAP, 0);
            hol__text_add(out, "%s\n", formula);
            n++;
        }
    if (n < t->rows * t->columns) hol__text_add(out, "  all others: 0\n");
}

static void put_table(hol__text *out, const hol_table *t, int most) {
    hol__text_add(out, "\n%s\n", t->title);
    if (t->formulas) {
        put_formulas(out, t);
        return;
    }
    if (!t->rows || !t->columns) hol__text_add(out, "  none\n");
    const int names = rows_width(t);
    for (int first = 0, end; t->rows && first < t->columns; first = end) {
        int widths[WIDTH], used = 2 + names; /* a column takes more than one character */
        end = first;
        do used += widths[end - first] = column_width(t, end);
        while (++end < t->columns && end - first < WIDTH - 1 &&
               used + column_width(t, end) <= WIDTH);
        if (first) hol__text_add_n(out, "\n", 1);
        put_block(out, t, names, first, end, widths, most);
    }
}

/* "title  text", the text in lines that fit. */
static void put_fact(hol__text *out, const hol_fact *fact, int width) {
    char number[CELL + 128];
    const char *text = fact->text;
    if (!text) {
        int n = hol__print(number, sizeof number, "%.12g", fact->value);
        snprintf(number + n, sizeof number - (size_t)n, *fact->unit ? " %s" : "%s", fact->unit);
        text = number;
    }
    put_padded(out, fact->title, width, 0);
    for (int at = width; *text;) {
        const int word = (int)strcspn(text, " \n");
        if (at > width && at + 1 + word > WIDTH) {
            hol__text_add(out, "\n%*s", width, "");
            at = width;
        } else if (at > width) {
            hol__text_add_n(out, " ", 1);
            at++;
        }
        hol__text_add_n(out, text, (size_t)word);
        at += word;
        text += word + (text[word] != 0);
    }
    end_line(out);
}

/* Name the tables that are left to files. */
static void put_details(hol__text *out, const hol_answer *answer) {
    int used = 0;
    for (int i = 0; i < hol_answer_tables(answer); i++) {
        const hol_table table = hol__table_of(answer, i);
        char text[512];
        if (!table.detail) continue;
        const int n = hol__print(text, sizeof text, "%s (%d rows)", table.name, table.rows);
        if (!used) hol__text_add(out, "\n-o FILE writes these tables too\n ");
        hol__text_add(out, "%s%s", !used ? " " : used + n + 2 > WIDTH - 2 ? ",\n  " : ", ", text);
        used = used && used + n + 2 <= WIDTH - 2 ? used + n + 2 : n;
    }
    if (used) hol__text_add(out, "\n");
}

/* The same with texts as they are. */
static void put_rows(const hol_answer *answer, int most_rows, hol__text *out) {
    int width = 0;
    for (int i = 0; i < hol_answer_facts(answer); i++) {
        const int n = width_of(hol__fact(answer, i).title) + GAP;
        if (n > width) width = n;
    }
    hol__text_add(out, "%s\n", hol_answer_title(answer));
    for (int i = 0; i < hol_answer_facts(answer); i++) {
        const hol_fact fact = hol__fact(answer, i);
        put_fact(out, &fact, width);
    }
    for (int i = 0; i < hol_answer_tables(answer); i++) {
        const hol_table table = hol__table_of(answer, i);
        if (!table.detail || !most_rows) put_table(out, &table, most_rows);
    }
    if (most_rows) put_details(out, answer);
}

void hol__answer_put_rows(const hol_answer *answer, int most_rows, hol__text *out) {
    hol__text raw;
    hol__text_init(&raw, out->ctx);
    put_rows(answer, most_rows, &raw);
    if (!raw.failed) hol__text_add_plain(out, raw.data, raw.length);
    out->failed |= raw.failed;
    hol__text_free(&raw);
}

hol_status hol__answer_put_text(const hol_answer *answer, hol__text *out) {
    hol__answer_put_rows(answer, 0, out);
    return HOL_OK;
}
