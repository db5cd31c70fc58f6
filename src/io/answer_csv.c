/* answer_csv.c: a table as comma-separated values [RFC 4180]: names with their units in the first
 * line and, where rows have names, in the first column. Empty where there is nothing to tell. */
#include "common/number.h"
#include "io/answer_format.h"
#include "io/format.h"

#include <math.h>

static void put_number(hol__text *out, double value) {
    char number[HOL__NUMBER_SIZE];
    if (!isnan(value)) hol__text_add(out, "%s", hol__number_text(value, number));
}

void hol__answer_put_csv(const hol_table *table, hol__text *out) {
    const int names = table->row_names != NULL;
    char label[512];
    if (names) hol__csv_put_cell(out, "row");
    for (int j = 0; j < table->columns; j++) {
        if (j || names) hol__text_add_n(out, ",", 1);
        hol__csv_put_cell(out, hol__column_label(table, j, label, sizeof label));
    }
    hol__text_add_n(out, "\n", 1);
    for (int i = 0; i < table->rows; i++) {
        if (names) hol__csv_put_cell(out, hol__row_label(table, i, label, sizeof label));
        for (int j = 0; j < table->columns; j++) {
            if (j || names) hol__text_add_n(out, ",", 1);
            if (table->formulas)
                hol__csv_put_cell(out, table->formulas[i * table->columns + j]);
            else
                put_number(out, hol__entry(table, i, j));
        }
        hol__text_add_n(out, "\n", 1);
    }
}
