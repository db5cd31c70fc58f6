/* answer_mat.c: an answer as a MAT file, which MATLAB, Octave and SciPy read.
 *
 * A table T is the matrix T, with T_columns, T_rows, T_column_units and T_row_units as rows of
 * letters; a fact is a number or a text under its key. A table of formulas is a matrix of letters
 * with a row for each, row after row of the table: that of (i, j) is (i - 1) columns + j; T_latex
 * has the same in LaTeX.
 */
#include "io/answer_format.h"
#include "io/mat.h"

#include <stdio.h>

/* Texts of a table as rows of letters, under the name of the table and what they are. */
static void put_texts(hol__mat *mat, const char *table, const char *what, int n,
                      const char *const *texts) {
    char name[2 * HOL__MAT_NAME];
    snprintf(name, sizeof name, "%.63s%s", table, what);
    if (texts) hol__mat_rows(mat, name, n, texts);
}

static void put_table(hol__mat *mat, const hol_table *t) {
    const int dims[3] = {t->rows, t->columns, 1};
    const size_t steps[3] = {(size_t)t->columns, 1, 0};
    if (t->formulas) {
        put_texts(mat, t->name, "", t->rows * t->columns, t->formulas);
        put_texts(mat, t->name, "_latex", t->rows * t->columns, t->latex);
    } else {
        hol__mat_numbers(mat, t->name, dims, steps, t->values);
    }
    put_texts(mat, t->name, "_columns", t->columns, t->column_names);
    put_texts(mat, t->name, "_column_units", t->columns, t->column_units);
    put_texts(mat, t->name, "_rows", t->rows, t->row_names);
    put_texts(mat, t->name, "_row_units", t->rows, t->row_units);
}

hol_status hol__answer_put_mat(const hol_answer *answer, hol__text *out) {
    hol__mat mat = hol__mat_begin(out);
    const int one[3] = {1, 1, 1};
    const size_t steps[3] = {0};
    for (int i = 0; i < hol_answer_facts(answer); i++) {
        const hol_fact fact = hol__fact(answer, i);
        if (fact.text)
            hol__mat_text(&mat, fact.key, fact.text);
        else
            hol__mat_numbers(&mat, fact.key, one, steps, &fact.value);
    }
    for (int i = 0; i < hol_answer_tables(answer); i++) {
        const hol_table table = hol__table_of(answer, i);
        put_table(&mat, &table);
    }
    return hol__mat_status(&mat);
}
