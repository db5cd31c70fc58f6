/* answer_tex.c: an answer for a paper in LaTeX: matrices and vectors between brackets (amsmath),
 * other tables as tabulars (booktabs). */
#include "base/escape.h"
#include "common/format.h"
#include "io/answer_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL = 40, DIGITS = 9 };

/* Text with what LaTeX would take for its own escaped, in one line. */
static void put_text(hol__text *out, const char *given) {
    hol__text line;
    hol__text_init(&line, out->ctx);
    hol__text_add_line(&line, given ? given : "");
    out->failed |= line.failed;
    for (const char *text = line.failed ? "" : line.data; *text; text++) {
        if (strchr("#$%&_{}", *text))
            hol__text_add(out, "\\%c", *text);
        else if (*text == '\\')
            hol__text_add(out, "\\textbackslash{}");
        else if (*text == '~' || *text == '^')
            hol__text_add(out, "\\%c{}", *text);
        else
            hol__text_add_n(out, text, 1);
    }
    hol__text_free(&line);
}

/* A number within formulas: 1.5 \cdot 10^{-3}. */
static void put_number(hol__text *out, double x) {
    char cell[CELL];
    if (isnan(x)) return;
    if (isinf(x)) {
        hol__text_add(out, x < 0 ? "-\\infty" : "\\infty");
        return;
    }
    hol__print(cell, sizeof cell, "%.*g", DIGITS, x == 0 ? 0 : x);
    const size_t digits = strcspn(cell, "e");
    hol__text_add_n(out, cell, digits);
    if (!cell[digits]) return;
    const char *power = cell + digits + 1;
    const int minus = *power == '-';
    while (*power == '+' || *power == '-' || *power == '0') power++;
    hol__text_add(out, " \\cdot 10^{%s%s}", minus ? "-" : "", power);
}

/* The names of rows or columns with their units, as a comment. */
static void put_names(hol__text *out, const hol_table *t, const char *what, int n,
                      const char *(*label)(const hol_table *, int, char *, size_t)) {
    char text[512];
    hol__text_add(out, "%% %s:", what);
    for (int i = 0; i < n; i++) {
        hol__text_add(out, i ? ", " : " ");
        hol__text_add_line(out, label(t, i, text, sizeof text));
    }
    hol__text_add_n(out, "\n", 1);
}

/* Between brackets. */
static void put_matrix(hol__text *out, const hol_table *t) {
    if (t->row_names) put_names(out, t, "rows", t->rows, hol__row_label);
    if (t->units == HOL_UNITS_OF_BOTH) put_names(out, t, "columns", t->columns, hol__column_label);
    hol__text_add(out, "\\setcounter{MaxMatrixCols}{%d}\n\\[\n\\mathrm{", t->columns + 1);
    put_text(out, t->name);
    hol__text_add(out, "} = \\begin{bmatrix}\n");
    for (int i = 0; i < t->rows; i++) {
        for (int j = 0; j < t->columns; j++) {
            if (j) hol__text_add_n(out, " & ", 3);
            if (t->latex)
                hol__text_add(out, "%s", t->latex[i * t->columns + j]);
            else
                put_number(out, hol__entry(t, i, j));
        }
        hol__text_add(out, i + 1 < t->rows ? " \\\\\n" : "\n");
    }
    hol__text_add(out, "\\end{bmatrix}\n\\]\n");
}

/* Equations "left = right", one below the other. */
static void put_equations(hol__text *out, const hol_table *t) {
    hol__text_add(out, "\\begin{align*}\n");
    for (int i = 0; i < t->rows; i++) {
        const char *equation = t->latex[i], *equals = strstr(equation, " = ");
        if (equals) {
            hol__text_add_n(out, equation, (size_t)(equals - equation));
            hol__text_add(out, " &%s", equals);
        } else
            hol__text_add(out, "%s", equation);
        hol__text_add(out, i + 1 < t->rows ? " \\\\\n" : "\n");
    }
    hol__text_add(out, "\\end{align*}\n");
}

/* Between lines. */
static void put_tabular(hol__text *out, const hol_table *t) {
    char label[512];
    hol__text_add(out, "\\begin{tabular}{%s", t->row_names ? "l" : "");
    for (int j = 0; j < t->columns; j++) hol__text_add_n(out, "r", 1);
    hol__text_add(out, "}\n\\toprule\n");
    for (int j = 0; j < t->columns; j++) {
        if (j || t->row_names) hol__text_add_n(out, " & ", 3);
        put_text(out, hol__column_label(t, j, label, sizeof label));
    }
    hol__text_add(out, " \\\\\n\\midrule\n");
    for (int i = 0; i < t->rows; i++) {
        if (t->row_names) put_text(out, t->row_names[i]);
        for (int j = 0; j < t->columns; j++) {
            hol__text_add(out, j || t->row_names ? " & $" : "$");
            put_number(out, hol__entry(t, i, j));
            hol__text_add_n(out, "$", 1);
        }
        hol__text_add(out, " \\\\\n");
    }
    hol__text_add(out, "\\bottomrule\n\\end{tabular}\n");
}

static void put_fact(hol__text *out, const hol_fact *fact) {
    put_text(out, fact->title);
    hol__text_add(out, ": ");
    if (fact->text) {
        put_text(out, fact->text);
    } else {
        hol__text_add_n(out, "$", 1);
        put_number(out, fact->value);
        hol__text_add(out, *fact->unit ? "$~" : "$");
        put_text(out, fact->unit);
    }
    hol__text_add(out, "\\\\\n");
}

hol_status hol__answer_put_tex(const hol_answer *answer, hol__text *out) {
    hol__text_add(out, "%% %s: ", hol_answer_command(answer));
    hol__text_add_line(out, hol_answer_title(answer));
    hol__text_add(out, "; packages amsmath, booktabs\n");
    for (int i = 0; i < hol_answer_facts(answer); i++) {
        const hol_fact fact = hol__fact(answer, i);
        put_fact(out, &fact);
    }
    for (int i = 0; i < hol_answer_tables(answer); i++) {
        const hol_table t = hol__table_of(answer, i);
        hol__text_add(out, "\n%% ");
        hol__text_add_line(out, t.title);
        hol__text_add(out, "\n");
        if (t.latex && t.columns == 1 && t.rows && strstr(t.latex[0], " = "))
            put_equations(out, &t);
        else if (t.units == HOL_UNITS_OF_COLUMNS)
            put_tabular(out, &t);
        else if (t.rows && t.columns)
            put_matrix(out, &t);
    }
    return HOL_OK;
}
