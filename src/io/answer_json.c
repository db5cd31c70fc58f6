/* answer_json.c: an answer as JSON: {"command", "title", "facts": {key: {…}}, "tables": {name:
 * {…}}}. */
#include "common/json.h"
#include "io/answer_format.h"

/* A list of texts on one line. */
static void put_texts(hol__json *json, const char *key, int n, const char *const *texts) {
    if (!texts) return;
    hol__json_open_line(json, key, '[');
    for (int i = 0; i < n; i++) hol__json_text(json, NULL, texts[i]);
    hol__json_close(json, ']');
}

static void put_fact(hol__json *json, const hol_fact *fact) {
    hol__json_open_line(json, fact->key, '{');
    hol__json_text(json, "title", fact->title);
    if (fact->text) {
        hol__json_text(json, "text", fact->text);
    } else {
        hol__json_number(json, "value", fact->value, 0);
        hol__json_text(json, "unit", fact->unit);
    }
    hol__json_close(json, '}');
}

/* A list of texts a row. */
static void put_formulas(hol__json *json, const char *key, const hol_table *table,
                         const char *const *formulas) {
    hol__json_open(json, key, '[');
    for (int i = 0; i < table->rows; i++)
        put_texts(json, NULL, table->columns, formulas + (size_t)i * (size_t)table->columns);
    hol__json_close(json, ']');
}

static void put_table(hol__json *json, const hol_table *table) {
    hol__json_open(json, table->name, '{');
    hol__json_text(json, "title", table->title);
    put_texts(json, "columns", table->columns, table->column_names);
    put_texts(json, "column_units", table->columns, table->column_units);
    put_texts(json, "rows", table->rows, table->row_names);
    put_texts(json, "row_units", table->rows, table->row_units);
    if (table->formulas) {
        put_formulas(json, "formulas", table, table->formulas);
        put_formulas(json, "latex", table, table->latex);
        hol__json_close(json, '}');
        return;
    }
    hol__json_open(json, "values", '[');
    for (int i = 0; i < table->rows; i++)
        hol__json_numbers(json, NULL, table->columns,
                          table->values + (size_t)i * (size_t)table->columns, 0);
    hol__json_close(json, ']');
    hol__json_close(json, '}');
}

hol_status hol__answer_put_json(const hol_answer *answer, hol__text *out) {
    hol__json json = {.put = hol__text_sink, .to = out};
    hol__json_open(&json, NULL, '{');
    hol__json_text(&json, "command", hol_answer_command(answer));
    hol__json_text(&json, "title", hol_answer_title(answer));
    hol__json_open(&json, "facts", '{');
    for (int i = 0; i < hol_answer_facts(answer); i++) {
        const hol_fact fact = hol__fact(answer, i);
        put_fact(&json, &fact);
    }
    hol__json_close(&json, '}');
    hol__json_open(&json, "tables", '{');
    for (int i = 0; i < hol_answer_tables(answer); i++) {
        const hol_table table = hol__table_of(answer, i);
        put_table(&json, &table);
    }
    hol__json_close(&json, '}');
    hol__json_close(&json, '}');
    hol__text_add_n(out, "\n", 1);
    return HOL_OK;
}
