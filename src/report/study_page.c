/* study_page.c: the page of a study: the page that was built in, with the facts and tables of the
 * answer inside. Texts are JSON, numbers of the tables doubles in little-endian order, row after
 * row. A table of more than MOST_BYTES has every so many of its rows, and says so. */
#include "report/study_page.h"

#include "base/bytes.h"
#include "common/json.h"
#include "io/answer_format.h"
#include "io/out_file.h"

#include <holonom/version.h>

enum { MOST_BYTES = 1 << 26 };

static void put_texts(hol__json *json, const char *key, int n, const char *const *texts) {
    hol__json_open_line(json, key, '[');
    for (int i = 0; texts && i < n; i++) hol__json_text(json, NULL, texts[i]);
    hol__json_close(json, ']');
}

static void put_facts(hol__json *json, const hol_answer *answer) {
    hol__json_open(json, "facts", '[');
    for (int i = 0; i < hol_answer_facts(answer); i++) {
        const hol_fact fact = hol__fact(answer, i);
        hol__json_open_line(json, NULL, '{');
        hol__json_text(json, "key", fact.key);
        hol__json_text(json, "title", fact.title);
        if (fact.text) hol__json_text(json, "text", fact.text);
        if (!fact.text) hol__json_number(json, "value", fact.value, 0);
        hol__json_text(json, "unit", fact.unit);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
}

/* A table: what it is, and where its numbers stand. */
static void put_table(hol__json *json, hol__text *bytes, const hol_table *t) {
    const size_t row = sizeof(double) * (size_t)(t->columns > 0 ? t->columns : 1);
    const int every = (int)((size_t)t->rows * row / MOST_BYTES) + 1;
    hol__json_open(json, NULL, '{');
    hol__json_text(json, "name", t->name);
    hol__json_text(json, "title", t->title);
    put_texts(json, "columns", t->columns, t->column_names);
    put_texts(json, "units", t->columns, t->column_units);
    put_texts(json, "rows", t->rows, t->row_names);
    put_texts(json, "rowUnits", t->rows, t->row_units);
    hol__json_number(json, "whole", t->rows, 0);
    hol__json_number(json, "every", every, 0);
    hol__json_open_line(json, "values", '{');
    hol__json_text(json, "type", "f8");
    hol__json_number(json, "offset", (double)bytes->length, 0);
    hol__json_number(json, "count", (double)((t->rows + every - 1) / every) * t->columns, 0);
    hol__json_close(json, '}');
    hol__json_close(json, '}');
    for (int i = 0; i < t->rows; i += every)
        for (int j = 0; j < t->columns; j++)
            hol__put_double(bytes, t->values[(size_t)i * (size_t)t->columns + (size_t)j]);
}

hol_status hol__study_page_write(hol_context *ctx, const hol_answer *answer, const hol__page *page,
                                 const char *path) {
    hol__text text, bytes, coded;
    hol__text_init(&text, ctx);
    hol__text_init(&bytes, ctx);
    hol__text_init(&coded, ctx);
    hol__json json = {.put = hol__text_sink, .to = &text};
    hol__json_open(&json, NULL, '{');
    hol__json_text(&json, "version", hol_version());
    hol__json_text(&json, "title", hol_answer_title(answer));
    put_facts(&json, answer);
    hol__json_open(&json, "tables", '[');
    for (int i = 0; i < hol_answer_tables(answer); i++) {
        const hol_table table = hol__table_of(answer, i);
        put_table(&json, &bytes, &table);
    }
    hol__json_close(&json, ']');
    hol__json_close(&json, '}');
    if (!bytes.failed) hol__base64(&coded, bytes.data ? bytes.data : "", bytes.length);
    hol_status status = HOL_ERR_MEMORY;
    if (!text.failed && !bytes.failed && !coded.failed) {
        const hol__piece pieces[] = {{page->head, page->head_size},
                                     {text.data, text.length},
                                     {page->middle, page->middle_size},
                                     {coded.data ? coded.data : "", coded.length},
                                     {page->tail, page->tail_size}};
        status = hol__out_write(ctx, path, pieces, (int)(sizeof pieces / sizeof *pieces));
    }
    hol__text_free(&coded);
    hol__text_free(&bytes);
    hol__text_free(&text);
    return status;
}
