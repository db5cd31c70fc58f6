/* answer_mat.c: an answer as a MAT file of level 4, which MATLAB, Octave and SciPy read.
 *
 * One matrix after another: five numbers of four bytes (type, rows, columns, imaginary part, length
 * of the name with its 0), the name, the numbers column after column [MathWorks, MAT-File Format,
 * level 4]. Type 0 is a matrix of doubles, 1 one whose numbers are letters; the low byte comes
 * first. A table T is the matrix T, with T_columns, T_rows, T_column_units and T_row_units as rows
 * of letters; a fact is a number or a text under its key. A table of formulas is a matrix of
 * letters with a row for each, row after row of the table: that of (i, j) is (i - 1) columns + j;
 * T_latex has the same in LaTeX.
 */
#include "base/bytes.h"
#include "io/answer_format.h"

#include <string.h>

enum { NUMBERS = 0, LETTERS = 1, NAME = 64 };

/* What stands before the numbers of a matrix. A name has letters, digits and underlines, and
 * begins with a letter. */
static void put_head(hol__text *out, int type, int rows, int columns, const char *name) {
    char word[NAME] = "x";
    size_t n = 0;
    const char *digits = "0123456789";
    if (strchr(digits, *name) || *name == '_') n = 1;
    for (; *name && n + 1 < sizeof word; name++)
        word[n++] = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                            strchr(digits, *name)
                        ? *name
                        : '_';
    word[n] = '\0';
    const int head[] = {type, rows, columns, 0, (int)n + 1};
    for (int i = 0; i < 5; i++) hol__put_bits(out, (uint64_t)head[i], 4);
    hol__text_add_n(out, word, n + 1);
}

/* Texts as the rows of a matrix of letters (bytes of UTF-8), as wide as the longest. */
static void put_texts(hol__text *out, const char *table, const char *what, int n,
                      const char *const *texts) {
    char name[2 * NAME];
    size_t width = 0;
    if (!texts) return;
    for (int i = 0; i < n; i++)
        if (texts[i] && strlen(texts[i]) > width) width = strlen(texts[i]);
    size_t used = 0;
    for (const char *s = table; *s && used + 1 < NAME; s++) name[used++] = *s;
    for (const char *s = what; *s; s++) name[used++] = *s;
    name[used] = '\0';
    put_head(out, LETTERS, n, (int)width, name);
    for (size_t j = 0; j < width; j++)
        for (int i = 0; i < n; i++) {
            const char *s = texts[i] ? texts[i] : "";
            hol__put_double(out, j < strlen(s) ? (unsigned char)s[j] : ' ');
        }
}

static void put_table(hol__text *out, const hol_table *t) {
    if (t->formulas) {
        put_texts(out, t->name, "", t->rows * t->columns, t->formulas);
        put_texts(out, t->name, "_latex", t->rows * t->columns, t->latex);
    } else {
        put_head(out, NUMBERS, t->rows, t->columns, t->name);
        for (int j = 0; j < t->columns; j++)
            for (int i = 0; i < t->rows; i++) hol__put_double(out, hol__entry(t, i, j));
    }
    put_texts(out, t->name, "_columns", t->columns, t->column_names);
    put_texts(out, t->name, "_column_units", t->columns, t->column_units);
    put_texts(out, t->name, "_rows", t->rows, t->row_names);
    put_texts(out, t->name, "_row_units", t->rows, t->row_units);
}

hol_status hol__answer_put_mat(const hol_answer *answer, hol__text *out) {
    for (int i = 0; i < hol_answer_facts(answer); i++) {
        const hol_fact fact = hol__fact(answer, i);
        if (fact.text) {
            put_texts(out, fact.key, "", 1, &fact.text);
        } else {
            put_head(out, NUMBERS, 1, 1, fact.key);
            hol__put_double(out, fact.value);
        }
    }
    for (int i = 0; i < hol_answer_tables(answer); i++) {
        const hol_table table = hol__table_of(answer, i);
        put_table(out, &table);
    }
    return HOL_OK;
}
