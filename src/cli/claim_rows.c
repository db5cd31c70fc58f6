/* claim_rows.c: what the commands of a claim computed: rows of figures, one for each run.
 *
 * The members of the JSON object of a run are the figures of its row, members of members as a.b and
 * items of lists as a.0; what --vary lists keeps its bare names. `ok` is 1 where the run ended
 * well.
 */
#include "cli/claim.h"
#include "common/extension.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_row_add(cli_trying *t, cli_row *row, const char *key, const char *text) {
    const char *end = text;
    cli_cell *room = cli_keep_room(&t->keep, row->cells, sizeof *room, row->n, &row->capacity);
    if (!room || !key || !text) return 0;
    const double number = *text ? hol__number_read(text, &end) : NAN;
    row->cells = room;
    row->cells[row->n++] = (cli_cell){key, text, end != text && !*end ? number : NAN};
    return 1;
}

/* The members of an object or a list as cells, "name.member" and "name.0"; what varies keeps its
 * bare names. */
static int flatten(cli_trying *t, cli_row *row, const char *prefix, const hol_item *item) {
    int k = 0, good = 1;
    for (const hol_item *i = hol_item_first(item); i && good; i = hol_item_next(i), k++) {
        const char *dot = *prefix ? "." : "";
        const char *key = *hol_item_key(i)
                              ? cli_keep_text(&t->keep, "%s%s%s", prefix, dot, hol_item_key(i))
                              : cli_keep_text(&t->keep, "%s%s%d", prefix, dot, k);
        const char *text = hol_item_value(i);
        if (!key) return 0;
        if (text || hol_item_kind_of(i) == HOL_ITEM_EMPTY)
            good = cli_row_add(t, row, key, text ? cli_keep_text(&t->keep, "%s", text) : "");
        else
            good = flatten(t, row, strcmp(key, "vary") == 0 ? "" : key, i);
    }
    return good;
}

/* The rows of that name, new where there are none yet. */
static cli_rows *rows_named(cli_trying *t, const char *name) {
    for (int i = 0; i < t->n_rows; i++)
        if (strcmp(t->rows[i].name, name) == 0) return &t->rows[i];
    cli_rows *room = cli_keep_room(&t->keep, t->rows, sizeof *room, t->n_rows, &t->rows_capacity);
    if (!room) return NULL;
    t->rows = room;
    t->rows[t->n_rows] = (cli_rows){.name = name};
    return &t->rows[t->n_rows++];
}

cli_row *cli_row_new(cli_trying *t, const char *name) {
    cli_rows *rows = rows_named(t, name);
    cli_row *room =
        rows ? cli_keep_room(&t->keep, rows->rows, sizeof *room, rows->n, &rows->capacity) : NULL;
    if (!room) return NULL;
    rows->rows = room;
    cli_row *row = &rows->rows[rows->n++];
    *row = (cli_row){0};
    return !t->each_text || cli_row_add(t, row, t->each_name, t->each_text) ? row : NULL;
}

int cli_row_keep(cli_trying *t, const char *name, const hol_item *item) {
    cli_row *row = cli_row_new(t, name);
    const char *status = hol_item_value(hol_item_find(item, "status"));
    return row && flatten(t, row, "", item) &&
           cli_row_add(t, row, "ok", status && strcmp(status, "HOL_OK") == 0 ? "1" : "0");
}

/* ---- results as rows ---- */

hol_result *cli_claim_result(cli_trying *t, const hol_item *name) {
    const char *word = hol_item_value(name), *path = word ? cli_claim_file(t, name, word) : NULL;
    if (!word) cli_claim_error(t->cli, name, 0, "the name of a result is expected here: out.csv");
    if (!path) return NULL;
    if (access(path, F_OK) != 0) {
        cli_claim_error(t->cli, name, 0, "no step has written '%s'", word);
        return NULL;
    }
    hol_result *result = hol_result_read(t->cli->ctx, path);
    if (result && hol_result_set_units(result, "") == HOL_OK) return result;
    hol_result_free(result);
    cli_claim_error(t->cli, name, 0, "the result '%s' cannot be read", word);
    return NULL;
}

/* The records of a result as rows under its name; NULL after an error. */
static const cli_rows *rows_of_result(cli_trying *t, const hol_item *name) {
    hol_result *result = cli_claim_result(t, name);
    cli_row *row = NULL;
    char buf[HOL__NUMBER_SIZE];
    int good = result != NULL;
    for (int i = 0; result && i < hol_result_rows(result) && good; i++) {
        row = cli_row_new(t, hol_item_value(name));
        good = row != NULL;
        for (int k = 0; k < hol_result_columns(result) && good; k++)
            good = cli_row_add(
                t, row, cli_keep_text(&t->keep, "%s", hol_result_column(result, k)->name),
                cli_keep_text(&t->keep, "%s",
                              hol__number_text(hol_result_values(result, k)[i], buf)));
    }
    hol_result_free(result);
    return good && row ? rows_named(t, hol_item_value(name)) : NULL;
}

/* ---- looked up ---- */

const cli_rows *cli_claim_rows(cli_trying *t, const hol_item *name) {
    const char *word = hol_item_value(name);
    hol__near near = hol__near_start(word ? word : "");
    char hint[160];
    for (int i = 0; word && i < t->n_rows; i++) {
        if (strcmp(t->rows[i].name, word) == 0) return &t->rows[i];
        hol__near_try(&near, t->rows[i].name);
    }
    if (word && (hol__has_extension(word, ".csv") || hol__has_extension(word, ".h5")))
        return rows_of_result(t, name);
    cli_claim_error(t->cli, name, 0, "no command before this has 'as: %s'%s", word ? word : "",
                    hol__did_you_mean(near.best, hint, sizeof hint));
    return NULL;
}

const cli_cell *cli_row_find(const cli_row *row, const char *key) {
    for (int i = 0; i < row->n; i++)
        if (strcmp(row->cells[i].key, key) == 0) return &row->cells[i];
    return NULL;
}

int cli_row_fits(const cli_row *row, const hol_item *where) {
    for (const hol_item *i = hol_item_first(where); i; i = hol_item_next(i)) {
        const cli_cell *cell = cli_row_find(row, hol_item_key(i));
        const char *wanted = hol_item_value(i), *end;
        if (!cell || !wanted) return 0;
        if (strcmp(cell->text, wanted) == 0) continue;
        const double number = hol__number_read(wanted, &end);
        if (end == wanted || *end || !(cell->number == number)) return 0;
    }
    return 1;
}

int cli_row_figure(cli_trying *t, const cli_row *row, const hol_item *item, const char *text,
                   double *value) {
    const cli_cell *cell = text ? cli_row_find(row, text) : NULL;
    if (cell) {
        *value = cell->number;
        return 1;
    }
    if (!text)
        return cli_claim_error(t->cli, item, 0,
                               "the name of a figure, or a formula of figures, is "
                               "expected here");
    const char **names = calloc((size_t)row->n + 1, sizeof *names);
    const double **columns = calloc((size_t)row->n + 1, sizeof *columns);
    const hol_location where = hol_item_place(item);
    hol_status status = HOL_ERR_INPUT;
    for (int i = 0; names && columns && i < row->n; i++) {
        names[i] = row->cells[i].key;
        columns[i] = &row->cells[i].number;
    }
    text = cli_claim_insert(t, item, text, 0, 0);
    if (names && columns && text)
        status = hol_formula(t->cli->ctx, text, &where, row->n, names, 1, columns, value);
    free(names);
    free(columns);
    return status == HOL_OK;
}
