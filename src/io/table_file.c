/* table_file.c: two columns of a CSV file as the data of a table of the section `tables`.
 *
 *     # comment lines and empty lines are skipped
 *     angle [deg], p [bar]         names, which may have units; left out: numbers alone
 *     0, 1.2
 *
 * Cells are separated by commas, or by semicolons or tabs where the first line has these. The keys
 * `x` and `y` pick columns by name or number. The table receives the keys `data` (x and y in turn),
 * `source`, and the units that the first line gives, instead of `file`, `x` and `y`: a description
 * that was read needs no other file any more.
 */
#include "io/table_file.h"

#include "common/nearest.h"
#include "common/number.h"
#include "common/ascii.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 256, NAME_SIZE = 96 };

/* A cell of the current line, without quotes and blanks around it. */
typedef struct cell {
    const char *text;
    int length, column; /* where it begins in its line, from 1 */
} cell;

typedef struct csv {
    hol_spec *spec;
    const char *path;
    const char *at, *end;
    int line;
    char separator;
    int n;
    cell cells[MOST_COLUMNS];
    int n_names;
    char names[MOST_COLUMNS][NAME_SIZE], units[MOST_COLUMNS][NAME_SIZE];
} csv;

/* Report an error at a column of the current line; returns 0. */
static int wrong(const csv *file, int column, const char *format, ...) HOL__PRINTF(3, 4);
static int wrong(const csv *file, int column, const char *format, ...) {
    const hol_location where = {file->path, file->line, column};
    va_list args;
    va_start(args, format);
    hol__verror(file->spec->ctx, &where, NULL, format, args);
    va_end(args);
    return 0;
}

/* ---- lines and cells ---- */

/* The end of the line that begins at `from`. */
static const char *line_end(const csv *file, const char *from) {
    while (from < file->end && *from != '\n' && *from != '\r') from++;
    return from;
}

/* Cut blanks and a pair of quotes off a cell. */
static void trim(cell *c) {
    while (c->length && hol__is_space(c->text[0])) c->text++, c->length--, c->column++;
    while (c->length && hol__is_space(c->text[c->length - 1])) c->length--;
    if (c->length >= 2 && c->text[0] == '"' && c->text[c->length - 1] == '"')
        c->text++, c->length -= 2, c->column++;
    while (c->length && hol__is_space(c->text[0])) c->text++, c->length--, c->column++;
    while (c->length && hol__is_space(c->text[c->length - 1])) c->length--;
}

/* Split a line into cells; 0 after an error. */
static int split(csv *file, const char *from, const char *to) {
    const char *start = from;
    int quoted = 0;
    file->n = 0;
    for (const char *c = from;; c++) {
        if (c < to && *c == '"') quoted = !quoted;
        if (c < to && (quoted || *c != file->separator)) continue;
        if (file->n == MOST_COLUMNS)
            return wrong(file, 1, "the line has more than %d cells", MOST_COLUMNS);
        cell *out = &file->cells[file->n++];
        *out = (cell){start, (int)(c - start), (int)(start - from) + 1};
        trim(out);
        if (c >= to) return 1;
        start = c + 1;
    }
}

/* The next line that holds something, into cells: 1, 0 at the end, -1 after an error. */
static int next_line(csv *file) {
    while (file->at < file->end) {
        const char *from = file->at, *to = line_end(file, from), *c = from;
        file->line++;
        file->at = to;
        if (file->at < file->end && *file->at == '\r') file->at++;
        if (file->at < file->end && *file->at == '\n') file->at++;
        while (c < to && hol__is_space(*c)) c++;
        if (c == to || *c == '#') continue;
        if (!file->separator) {
            const size_t length = (size_t)(to - from);
            file->separator = memchr(from, ';', length)    ? ';'
                              : memchr(from, '\t', length) ? '\t'
                                                           : ',';
        }
        return split(file, from, to) ? 1 : -1;
    }
    return 0;
}

/* The number in a cell; 0 when it is none. */
static int number_of(const cell *c, double *value) {
    char text[64];
    const char *start = text, *end;
    if (!c->length || c->length >= (int)sizeof text) return 0;
    memcpy(text, c->text, (size_t)c->length);
    text[c->length] = '\0';
    if (text[0] == '+') start++;
    *value = hol__number_read(start, &end);
    return end != start && !*end;
}

/* Report a cell that is no finite number; returns 0. */
static int not_a_number(const csv *file, const cell *c, double value) {
    char text[64];
    const int n = c->length < 60 ? c->length : 60;
    memcpy(text, c->text, (size_t)n);
    text[n] = '\0';
    if (!n) return wrong(file, c->column, "an empty cell; every line needs a number here");
    if (memchr(text, ',', (size_t)n))
        return wrong(file, c->column, "'%s' has a decimal comma; write it with a point", text);
    return wrong(file, c->column, "'%s' is not a %snumber", text, isfinite(value) ? "" : "finite ");
}

/* ---- the first line ---- */

/* Name and unit of a column: "p [bar]", "p (bar)". */
static void take_name(csv *file, int i) {
    const cell *c = &file->cells[i];
    const char *open = NULL, *close = c->length ? c->text + c->length - 1 : c->text;
    for (const char *at = c->text; at < c->text + c->length; at++)
        if (*at == '[' || *at == '(') open = at;
    if (open && *close != ']' && *close != ')') open = NULL;
    int name = open ? (int)(open - c->text) : c->length, unit = open ? (int)(close - open) - 1 : 0;
    while (name && hol__is_space(c->text[name - 1])) name--;
    if (name >= NAME_SIZE) name = NAME_SIZE - 1;
    if (unit >= NAME_SIZE) unit = NAME_SIZE - 1;
    memcpy(file->names[i], c->text, (size_t)name);
    if (unit) memcpy(file->units[i], open + 1, (size_t)unit);
    file->names[i][name] = file->units[i][unit] = '\0';
}

/* Take the names where the line in the cells has any; whether it has. */
static int take_names(csv *file) {
    double value;
    int numbers = 0;
    for (int i = 0; i < file->n; i++) numbers += number_of(&file->cells[i], &value);
    if (numbers == file->n) return 0;
    for (int i = 0; i < file->n; i++) take_name(file, i);
    file->n_names = file->n;
    return 1;
}

/* ---- which columns ---- */

static const char *column_name(const void *self, int i) {
    const csv *file = self;
    return i < file->n_names ? file->names[i] : NULL;
}

/* "; its columns are 'a', 'b'", at most some of them. */
static const char *list_columns(const csv *file, char *list, size_t size) {
    size_t used = (size_t)snprintf(list, size, "; its columns are ");
    for (int i = 0; i < file->n_names && used < size; i++)
        used +=
            (size_t)snprintf(list + used, size - used, "%s'%.60s'", i ? ", " : "", file->names[i]);
    return list;
}

/* The column that a key of the table names, from 0; -1 after an error. */
static int find_column(const csv *file, const hol__node *table, const char *key, int fallback) {
    const hol__node *node = hol__node_get(table, key);
    const char *text = node && node->kind == HOL__SCALAR ? node->text : "", *end = text;
    char hint[512];
    if (!node) return fallback;
    for (int i = 0; i < file->n_names; i++)
        if (strcmp(file->names[i], text) == 0) return i;
    const double number = hol__number_read(text, &end);
    if (end != text && !*end && number >= 1 && number <= file->n && number == floor(number))
        return (int)number - 1;
    const char *near = file->n_names ? hol__nearest(text, column_name, file) : NULL;
    hol__error(file->spec->ctx, &node->where, NULL, "'%s' has no column '%s'%s", file->path, text,
               near            ? hol__did_you_mean(near, hint, sizeof hint)
               : file->n_names ? list_columns(file, hint, sizeof hint)
                               : "; its first line has no names, so give the number of the column");
    return -1;
}

/* ---- the data ---- */

/* The numbers of two columns of the current line, added to data; 0 after an error. */
static int take_row(csv *file, const int column[2], double *last, hol__text *data) {
    char buf[HOL__NUMBER_SIZE], was[HOL__NUMBER_SIZE];
    for (int k = 0; k < 2; k++) {
        double value = 0;
        if (column[k] >= file->n)
            return wrong(file, 1, "the line has no cell for column %d", column[k] + 1);
        const cell *c = &file->cells[column[k]];
        if (!number_of(c, &value)) return not_a_number(file, c, 0);
        if (!isfinite(value)) return not_a_number(file, c, value);
        if (k == 0 && !(value > *last))
            return wrong(file, c->column, "abscissae must increase, but %s follows %s",
                         hol__number_text(value, buf), hol__number_text(*last, was));
        if (k == 0) *last = value;
        hol__text_add(data, "%s%s", hol__number_text(value, buf), k ? "\n" : " ");
    }
    return 1;
}

/* All lines; 0 after an error. */
static int take_rows(csv *file, const hol__node *table, int column[2], hol__text *data) {
    int status = next_line(file), rows = 0, cells = 0;
    double last = -HUGE_VAL;
    const int named = status > 0 && take_names(file);
    if (status > 0) {
        cells = file->n;
        for (int k = 0; k < 2; k++)
            if ((column[k] = find_column(file, table, k ? "y" : "x", k)) < 0) return 0;
    }
    if (named) status = next_line(file);
    for (; status > 0; status = next_line(file), rows++) {
        if (file->n != cells)
            return wrong(file, 1, "the line has %d cells and the first one %d%s", file->n, cells,
                         file->separator == ',' ? "; decimal commas are written as points" : "");
        if (!take_row(file, column, &last, data)) return 0;
    }
    if (status == 0 && rows < 2) return wrong(file, 1, "a table has at least two lines of numbers");
    return status == 0;
}

/* The unit of a column as a key of the table; 0 where the file and the table disagree. */
static int put_unit(csv *file, hol__node *table, const char *key, const char *unit) {
    const hol__node *given = hol__node_get(table, key);
    if (!unit[0]) return 1;
    if (!given) return hol__node_add_scalar(file->spec, table, key, unit) != NULL;
    if (given->kind == HOL__SCALAR && strcmp(given->text, unit) == 0) return 1;
    hol__error(file->spec->ctx, &given->where, NULL,
               "the file says [%s] for this column; leave out '%s', or the unit in the file", unit,
               key);
    return 0;
}

/* The keys that the table has instead of those of the file. */
static int put_data(csv *file, hol__node *table, const int column[2], const char *data) {
    static const char *const gone[] = {"x", "y"};
    hol_spec *spec = file->spec;
    hol__node *name = hol__node_get(table, "file");
    const hol_location where = name->where;
    hol__node *source = hol__node_add_scalar(spec, table, "source", name->text),
              *node = hol__node_add_scalar(spec, table, "data", data);
    if (!node || !source || !put_unit(file, table, "x_unit", file->units[column[0]]) ||
        !put_unit(file, table, "y_unit", file->units[column[1]]))
        return 0;
    node->where = node->key_at = source->where = source->key_at = where;
    for (hol__node *child = table->first; child; child = child->next)
        if (!child->where.file) child->where = child->key_at = where;
    hol__node_remove(name);
    for (int i = 0; i < 2; i++)
        if ((name = hol__node_get(table, gone[i]))) hol__node_remove(name);
    return 1;
}

int hol__table_file(hol_spec *spec, hol__node *table, const char *path, hol__read_whole *read) {
    const hol__node *name = hol__node_get(table, "file");
    hol__text text, data;
    int column[2] = {0, 1}, sound = 0;
    csv *file = HOL__NEW(&spec->arena, csv);
    hol__text_init(&text, spec->ctx);
    hol__text_init(&data, spec->ctx);
    if (file && read(spec, path, &name->where, &text)) {
        const char *start = text.data ? text.data : "", *end = start + text.length;
        if (text.length >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0) start += 3;
        *file = (csv){
            .spec = spec, .path = hol__arena_text(&spec->arena, path), .at = start, .end = end};
        sound = file->path && take_rows(file, table, column, &data) && !data.failed &&
                put_data(file, table, column, data.data);
    }
    hol__text_free(&text);
    hol__text_free(&data);
    return sound;
}
