/* claim_table.c: what a claim shows: tables, data for charts, pictures. */
#define _POSIX_C_SOURCE 200809L
#include "cli/claim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 128 };

/* ---- cells ---- */

/* "key:.1e" into its key and its format, "" where it has none. */
static void split(const char *spec, size_t size, char *key, const char **format) {
    const char *colon = strrchr(spec, ':');
    char buf[CELL_SIZE];
    const int has = colon && cli_claim_format(colon + 1, 1, sizeof buf, buf);
    snprintf(key, size, "%.*s", has ? (int)(colon - spec) : (int)strlen(spec), spec);
    *format = has ? colon + 1 : "";
}

/* How a run ended, and its error. From 0.1 on (radians, or of the longest length) the motion is
 * lost; the size of the error is chance then, as it is whether the run crashes, which is told apart
 * where `closely`. */
static void outcome(const cli_row *row, int closely, size_t size, char *buf) {
    const cli_cell *error = cli_row_find(row, "error"), *status = cli_row_find(row, "status");
    const char *how = status ? status->text : "";
    const double off = error ? error->number : NAN;
    if (strcmp(how, "HOL_OK") == 0 && off < 0.1)
        snprintf(buf, size, "passes, %.0e", off);
    else
        snprintf(buf, size, "%s",
                 strcmp(how, "HOL_ERR_INPUT") == 0      ? "does not apply"
                 : strcmp(how, "HOL_ERR_SINGULAR") == 0 ? "stops"
                 : !closely                             ? "is lost"
                 : strcmp(how, "HOL_OK") == 0           ? "goes wrong"
                                                        : "crashes");
}

/* The cell of a row, as the text says; 0 after an error. */
static int show(cli_trying *t, const cli_row *row, const hol_item *item, size_t size, char *buf) {
    char key[CELL_SIZE];
    const char *format, *spec = hol_item_value(item);
    double value;
    if (!spec) return cli_claim_error(t->cli, item, 0, "a figure is expected here: error:.1e");
    split(spec, sizeof key, key, &format);
    const cli_cell *cell = cli_row_find(row, key);
    if (!cell && (strcmp(key, "outcome") == 0 || strcmp(key, "ending") == 0))
        outcome(row, strcmp(key, "ending") == 0, size, buf);
    else if (cell && !*format)
        snprintf(buf, size, strcmp(key, "method") == 0 ? "`%s`" : "%s", cell->text);
    else if (!cli_row_figure(t, row, item, key, &value))
        return 0;
    else if (isnan(value))
        snprintf(buf, size, "%s", "");
    else
        cli_claim_format(*format ? format : ".6g", value, size, buf);
    return 1;
}

/* ---- tables ---- */

/* The line under the headings. */
static void put_rule(cli_trying *t, int n) {
    fputs("|\n", t->page);
    for (int i = 0; i < n; i++) fputs("|---", t->page);
    fputs("|\n", t->page);
}

/* A line for each run. */
static int put_rows(cli_trying *t, const cli_rows *rows, const hol_item *columns,
                    const hol_item *where) {
    char buf[CELL_SIZE];
    fputc('\n', t->page);
    for (const hol_item *c = hol_item_first(columns); c; c = hol_item_next(c))
        cli_printf(t->page, "| %s ", hol_item_key(c));
    put_rule(t, hol_item_count(columns));
    for (int i = 0; i < rows->n; i++) {
        const cli_row *row = &rows->rows[i];
        if (!cli_row_fits(row, where)) continue;
        for (const hol_item *c = hol_item_first(columns); c; c = hol_item_next(c)) {
            if (!show(t, row, c, sizeof buf, buf)) return 0;
            cli_printf(t->page, "| %s ", buf);
        }
        fputs("|\n", t->page);
    }
    return 1;
}

/* Lines that the claim writes out, with values put in. */
static int put_lines(cli_trying *t, const hol_item *lines) {
    const hol_item *first = hol_item_first(lines);
    fputc('\n', t->page);
    for (const hol_item *c = hol_item_first(first); c; c = hol_item_next(c))
        cli_printf(t->page, "| %s ", hol_item_key(c));
    put_rule(t, hol_item_count(first));
    for (const hol_item *line = first; line; line = hol_item_next(line)) {
        for (const hol_item *c = hol_item_first(line); c; c = hol_item_next(c)) {
            const char *text = hol_item_value(c);
            text = text ? cli_claim_insert(t, c, text, 1, 0) : "";
            if (!text) return 0;
            cli_printf(t->page, "| %s ", text);
        }
        fputs("|\n", t->page);
    }
    return 1;
}

int cli_claim_table(cli_trying *t, const hol_item *step) {
    static const char *const keys[] = {"table", "columns", "where", NULL};
    const hol_item *what = hol_item_first(step), *columns = hol_item_find(step, "columns");
    if (!cli_claim_keys(t->cli, step, keys)) return 0;
    if (hol_item_kind_of(what) == HOL_ITEM_LIST) return put_lines(t, what);
    const cli_rows *rows = cli_claim_rows(t, what);
    if (!rows) return 0;
    if (hol_item_kind_of(columns) != HOL_ITEM_MAP)
        return cli_claim_error(t->cli, columns ? columns : step, 0,
                               "a table has columns: {HEADING: figure:.1e, ...}");
    return put_rows(t, rows, columns, hol_item_find(step, "where"));
}

/* ---- tables across ---- */

/* The different texts of a key, in the order of the rows; their number. */
static int texts_of(const cli_rows *rows, const char *key, const hol_item *where,
                    const char **out) {
    int n = 0;
    for (int i = 0; i < rows->n; i++) {
        const cli_cell *cell = cli_row_find(&rows->rows[i], key);
        int known = !cell || !cli_row_fits(&rows->rows[i], where);
        for (int k = 0; k < n && !known; k++) known = strcmp(out[k], cell->text) == 0;
        if (!known) out[n++] = cell->text;
    }
    return n;
}

/* The cell of the run with these two texts, "" where there is none; 0 after an error. */
static int put_crossing(cli_trying *t, const cli_rows *rows, const hol_item *cell,
                        const char *const keys[2], const char *const texts[2]) {
    char buf[CELL_SIZE] = "";
    for (int i = 0; i < rows->n; i++) {
        const cli_row *row = &rows->rows[i];
        const cli_cell *a = cli_row_find(row, keys[0]), *b = cli_row_find(row, keys[1]);
        if (!a || !b || strcmp(a->text, texts[0]) != 0 || strcmp(b->text, texts[1]) != 0) continue;
        if (!show(t, row, cell, sizeof buf, buf)) return 0;
    }
    cli_printf(t->page, "| %s ", buf);
    return 1;
}

int cli_claim_across(cli_trying *t, const hol_item *step) {
    static const char *const words[] = {"across", "rows", "columns", "cell", "where", NULL};
    cli_session *cli = t->cli;
    int good = cli_claim_keys(cli, step, words);
    const char *down = cli_claim_text(cli, step, "rows", 1, &good);
    const char *right = cli_claim_text(cli, step, "columns", 1, &good);
    cli_claim_text(cli, step, "cell", 1, &good);
    const hol_item *cell = hol_item_find(step, "cell"), *where = hol_item_find(step, "where");
    const cli_rows *rows = good ? cli_claim_rows(t, hol_item_first(step)) : NULL;
    if (!rows) return 0;
    const char **lines = cli_keep_new(&t->keep, (size_t)(rows->n + 1) * sizeof *lines);
    const char **columns = cli_keep_new(&t->keep, (size_t)(rows->n + 1) * sizeof *columns);
    if (!lines || !columns) return 0;
    const int n = texts_of(rows, down, where, lines), m = texts_of(rows, right, where, columns);
    const char *const keys[] = {down, right};
    cli_printf(t->page, "\n| %s ", down);
    for (int k = 0; k < m; k++) cli_printf(t->page, "| %s = %s ", right, columns[k]);
    put_rule(t, m + 1);
    for (int i = 0; i < n && good; i++) {
        cli_printf(t->page, strcmp(down, "method") == 0 ? "| `%s` " : "| %s ", lines[i]);
        for (int k = 0; k < m && good; k++)
            good = put_crossing(t, rows, cell, keys, (const char *const[]){lines[i], columns[k]});
        fputs("|\n", t->page);
    }
    return good;
}

/* ---- data for charts ---- */

/* Say at an item what the data of a step are made of; 0. */
static int bad_data(cli_trying *t, const hol_item *item) {
    return cli_claim_error(t->cli, item, 0,
                           "data names a file, and has columns: {NAME: {of: RUN, figure: KEY}}");
}

/* The number of a column {of, figure, where} in the run whose key `over` has that text. */
static int put_number(cli_trying *t, const hol_item *column, const char *over, const char *text,
                      FILE *out) {
    const hol_item *of = hol_item_find(column, "of");
    const char *figure = hol_item_value(hol_item_find(column, "figure"));
    char buf[HOL__NUMBER_SIZE];
    if (!of || !figure) return bad_data(t, column);
    const cli_rows *rows = cli_claim_rows(t, of);
    for (int i = 0; rows && i < rows->n; i++) {
        const cli_row *row = &rows->rows[i];
        const cli_cell *at = cli_row_find(row, over);
        double value;
        if (!at || strcmp(at->text, text) != 0) continue;
        if (!cli_row_fits(row, hol_item_find(column, "where"))) continue;
        if (!cli_row_figure(t, row, hol_item_find(column, "figure"), figure, &value)) return 0;
        cli_printf(out, ",%s", hol__number_text(value, buf));
        return 1;
    }
    if (rows)
        cli_claim_error(t->cli, column, 0, "no run of '%s' has %s = %s", rows->name, over, text);
    return 0;
}

int cli_claim_data(cli_trying *t, const hol_item *step) {
    static const char *const keys[] = {"data", "over", "columns", NULL};
    cli_session *cli = t->cli;
    int good = cli_claim_keys(cli, step, keys);
    const char *name = hol_item_value(hol_item_first(step));
    const char *over = cli_claim_text(cli, step, "over", 1, &good);
    const hol_item *columns = hol_item_find(step, "columns"), *first = hol_item_first(columns);
    if (!good) return 0;
    if (!name || !hol_item_find(first, "of")) return bad_data(t, columns ? columns : step);
    const cli_rows *rows = cli_claim_rows(t, hol_item_find(first, "of"));
    const char *path = cli_claim_file(t, hol_item_first(step), name);
    if (!rows || !path) return 0;
    const char **texts = cli_keep_new(&t->keep, (size_t)(rows->n + 1) * sizeof *texts);
    char *csv = NULL;
    size_t size = 0;
    FILE *out = texts ? open_memstream(&csv, &size) : NULL;
    if (!out) return 0;
    const int n = texts_of(rows, over, hol_item_find(first, "where"), texts);
    cli_printf(out, "time [s],%s", over);
    for (const hol_item *c = first; c; c = hol_item_next(c)) {
        fputc(',', out);
        cli_print_cell(out, hol_item_key(c));
    }
    fputc('\n', out);
    for (int i = 0; i < n && good; i++) {
        cli_printf(out, "%d,%s", i + 1, texts[i]);
        for (const hol_item *c = first; c && good; c = hol_item_next(c))
            good = put_number(t, c, over, texts[i], out);
        fputc('\n', out);
    }
    good &= fclose(out) == 0;
    good = good && hol_output_write(cli->ctx, path, csv, size) == HOL_OK;
    free(csv);
    return good;
}

/* ---- pictures ---- */

/* Copy a file; 0 after a failure. */
static int copy(cli_trying *t, const char *from, const char *to) {
    FILE *in = fopen(from, "rb");
    char *data = NULL;
    size_t n = 0;
    FILE *out = in ? open_memstream(&data, &n) : NULL;
    int c;
    while (out && (c = fgetc(in)) != EOF) fputc(c, out);
    if (in) fclose(in);
    const int whole = out && fclose(out) == 0;
    const int good = whole && hol_output_write(t->cli->ctx, to, data, n) == HOL_OK;
    free(data);
    return good;
}

int cli_claim_picture(cli_trying *t, const hol_item *step) {
    static const char *const keys[] = {"picture", "text", NULL};
    int good = cli_claim_keys(t->cli, step, keys);
    const char *name = cli_claim_text(t->cli, step, "picture", 1, &good);
    const char *text = cli_claim_text(t->cli, step, "text", 1, &good);
    if (!good) return 0;
    const char *from = cli_claim_file(t, hol_item_first(step), name), *slash = strrchr(name, '/');
    if (!from) return 0;
    const char *base = cli_keep_text(&t->keep, "%s-%s", t->claim->name, slash ? slash + 1 : name);
    FILE *file = fopen(from, "rb");
    if (!file || !base) return cli_claim_error(t->cli, step, 0, "no step has written '%s'", name);
    fclose(file);
    t->n_pictures++;
    if (!t->images) return 1;
    const char *to = cli_keep_text(&t->keep, "%s/%s", t->images, base);
    cli_printf(t->page, "\n![%s](images/%s)\n", text, base);
    return to && copy(t, from, to);
}
