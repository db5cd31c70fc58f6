/* answer_make.c: answers that a caller makes: the public calls over base/answer.h. */
#include "base/answer.h"

#include "base/argument.h"

#include <string.h>

/* What was added, ready to be read. */
static hol_status settle(hol_answer *answer) {
    return answer->arena.failed ? HOL_ERR_MEMORY : hol_answer_set_units(answer, NULL);
}

hol_answer *hol_answer_new(hol_context *ctx, const char *command, const char *title) {
    static const char call[] = "hol_answer_new";
    if (!ctx || hol__need(ctx, call, "the command", command) ||
        hol__need(ctx, call, "the title", title))
        return NULL;
    hol_answer *answer = hol__answer_new(ctx, command, title), *out;
    hol__answer_finish(answer, HOL_OK, &out);
    return out;
}

hol_status hol_answer_add_number(hol_answer *answer, const char *key, const char *title,
                                 double value, const char *unit) {
    static const char call[] = "hol_answer_add_number";
    if (!answer || hol__need(answer->ctx, call, "the key", key) ||
        hol__need(answer->ctx, call, "the title", title))
        return HOL_ERR_ARGUMENT;
    hol__answer_number(answer, key, title, value, unit);
    return settle(answer);
}

hol_status hol_answer_add_text(hol_answer *answer, const char *key, const char *title,
                               const char *text) {
    static const char call[] = "hol_answer_add_text";
    if (!answer || hol__need(answer->ctx, call, "the key", key) ||
        hol__need(answer->ctx, call, "the title", title) ||
        hol__need(answer->ctx, call, "the text", text))
        return HOL_ERR_ARGUMENT;
    hol__answer_text(answer, key, title, "%s", text);
    return settle(answer);
}

static const char call_table[] = "hol_answer_add_table";

/* Whether the table can be added; HOL_ERR_ARGUMENT after a message. */
static hol_status check_table(hol_context *ctx, const hol_table *t) {
    static const char *const call = call_table;
    hol_status status = HOL_OK;
    if (hol__need(ctx, call, "the name", t->name) || hol__need(ctx, call, "the title", t->title) ||
        hol__need_texts(ctx, call, "column_names", t->columns, t->column_names) ||
        hol__need_array(ctx, call, "rows", t->rows, 0, t->values) ||
        (t->row_names && t->rows > 0 &&
         hol__need_texts(ctx, call, "row_names", t->rows, t->row_names)) ||
        hol__need_array(ctx, call, "paths", t->n_paths, 0, t->paths))
        return HOL_ERR_ARGUMENT;
    if (t->x >= 0) status = hol__need_index(ctx, call, "column", t->x, t->columns);
    for (int i = 0; i < 2 * t->n_paths && !status; i++)
        status = hol__need_index(ctx, call, "column", t->paths[i], t->columns);
    return status;
}

hol_status hol_answer_add_table(hol_answer *answer, const hol_table *table) {
    hol_table own = {.x = -1};
    const hol_table *t = &own;
    if (!answer || hol__need(answer->ctx, call_table, "the table", table)) return HOL_ERR_ARGUMENT;
    memcpy(&own, table, table->size < sizeof own ? table->size : sizeof own);
    if (check_table(answer->ctx, t)) return HOL_ERR_ARGUMENT;
    hol__sheet *sheet = hol__answer_sheet(answer, t->name, t->title, t->columns);
    for (int j = 0; j < t->columns; j++)
        hol__sheet_column(sheet, j, t->column_names[j],
                          t->column_units && t->column_units[j] ? t->column_units[j] : "");
    for (int i = 0; i < t->rows; i++) {
        double *row = hol__sheet_add(sheet, t->row_names ? t->row_names[i] : NULL);
        for (int j = 0; row && j < t->columns; j++)
            row[j] = t->values[(size_t)i * (size_t)t->columns + (size_t)j];
    }
    hol__sheet_plot(sheet, t->x, t->log_x, t->log_y);
    if (t->detail) hol__sheet_detail(sheet);
    for (int i = 0; i < t->n_paths; i++)
        hol__sheet_path(sheet, t->paths[2 * i], t->paths[2 * i + 1], t->scattered);
    return settle(answer);
}
