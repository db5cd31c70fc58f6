/* answer_format.h: the kinds of files that answers are written as; see answer_write.c. */
#ifndef HOL_IO_ANSWER_FORMAT_H
#define HOL_IO_ANSWER_FORMAT_H

#include "base/text.h"
#include "io/out_file.h"

#include <holonom/answer.h>

/* The bytes of a file of one kind behind those in out. */
typedef hol_status hol__answer_put(const hol_answer *answer, hol__text *out);

hol__answer_put hol__answer_put_text, hol__answer_put_json, hol__answer_put_tex,
    hol__answer_put_mat, hol__answer_put_hdf5;

/* As text, of tables with more rows than these (0: any number) the first and the last ones. */
void hol__answer_put_rows(const hol_answer *answer, int most_rows, hol__text *out);

/* One table as comma-separated values. */
void hol__answer_put_csv(const hol_table *table, hol__text *out);

/* Fact i and table i of an answer that has them. */
static inline hol_fact hol__fact(const hol_answer *answer, int i) {
    hol_fact fact = {.size = sizeof fact};
    hol_answer_fact(answer, i, &fact);
    return fact;
}

static inline hol_table hol__table_of(const hol_answer *answer, int i) {
    hol_table table = {.size = sizeof table};
    hol_answer_table(answer, i, &table);
    return table;
}

/* The entry in row i and column j. */
static inline double hol__entry(const hol_table *t, int i, int j) {
    return t->values[(size_t)i * (size_t)t->columns + (size_t)j];
}

/* The name of row or column i with its unit behind it, "x [m]", into buf; returns buf. */
const char *hol__row_label(const hol_table *table, int i, char *buf, size_t size);
const char *hol__column_label(const hol_table *table, int i, char *buf, size_t size);

#endif
