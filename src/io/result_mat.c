/* result_mat.c: a result file written once more as a MAT file, for MATLAB, Octave and SciPy.
 *
 * One struct `result`: time (a column), measures, energy, constraints (a column each), state (q, v:
 * a row for each record), bodies, joints, forces (names; arrays records x items x components),
 * units of all these under the same names, names (the columns as the model calls them), options,
 * statistics, and the other texts of the file. What stands in rows is in SI units.
 */
#include "io/format.h"
#include "io/mat.h"

#include "base/argument.h"
#include "common/extension.h"
#include "common/number.h"

#include <stdio.h>
#include <string.h>

/* The groups of the struct. */
enum { MEASURES, ENERGY, CONSTRAINTS, COLUMN_GROUPS };
enum { STATE, BODIES, JOINTS, FORCES, BLOCK_GROUPS };

static const char *const column_groups[] = {"measures", "energy", "constraints"};
static const char *const block_groups[] = {"state", "bodies", "joints", "forces"};

/* The parts of the struct, in their order. */
typedef struct part {
    char name[HOL__MAT_NAME];
    int n; /* fields */
    char (*fields)[HOL__MAT_NAME];
    const char **titles, **units;
    const double **values;
    int (*dims)[3];
} part;

typedef struct export {
    hol_context *ctx;
    const hol_result *result;
    hol__arena arena;
    part columns[COLUMN_GROUPS], blocks[BLOCK_GROUPS];
    const char **names[BLOCK_GROUPS]; /* of bodies, joints, forces */
    int n_names[BLOCK_GROUPS];
}
export;

/* ---- what there is ---- */

/* Room for n fields of a part; 0 without memory. */
static int make_part(export *e, part *p, const char *name, int n) {
    *p = (part){.n = 0};
    hol__mat_name(name, p->name);
    p->fields = hol__arena_alloc(&e->arena, (size_t)n + 1, sizeof *p->fields);
    p->titles = HOL__NEW_N(&e->arena, const char *, n + 1);
    p->units = HOL__NEW_N(&e->arena, const char *, n + 1);
    p->values = HOL__NEW_N(&e->arena, const double *, n + 1);
    p->dims = hol__arena_alloc(&e->arena, (size_t)n + 1, sizeof *p->dims);
    return p->fields && p->titles && p->units && p->values && p->dims;
}

/* Append a field. */
static void add_field(part *p, const char *title, const char *unit, const double *values,
                      const int dims[3]) {
    p->titles[p->n] = title;
    p->units[p->n] = unit;
    p->values[p->n] = values;
    memcpy(p->dims[p->n++], dims, sizeof *p->dims);
}

/* The group of column i by its name, and its name in that group; a measure may have the name of an
 * energy, which stands behind it then. */
static int group_of(const hol_result *result, int i, const char **own) {
    const char *name = hol_result_column(result, i)->name;
    int later = i + 1;
    *own = name;
    while (later < hol_result_columns(result) &&
           strcmp(hol_result_column(result, later)->name, name) != 0)
        later++;
    if (later < hol_result_columns(result)) return MEASURES;
    for (int g = ENERGY; g < COLUMN_GROUPS; g++) {
        const size_t n = strlen(column_groups[g]);
        if (strncmp(name, column_groups[g], n) == 0 && name[n] == '.') {
            *own = name + n + 1;
            return g;
        }
    }
    return MEASURES;
}

/* The columns behind the time, by groups; 0 without memory. */
static int find_columns(export *e) {
    const int n = hol_result_columns(e->result), dims[3] = {hol_result_rows(e->result), 1, 1};
    for (int g = 0; g < COLUMN_GROUPS; g++)
        if (!make_part(e, &e->columns[g], column_groups[g], n)) return 0;
    for (int i = 1; i < n; i++) {
        const hol_column *column = hol_result_column(e->result, i);
        const char *own;
        const int g = group_of(e->result, i, &own);
        add_field(&e->columns[g], own, column->unit, hol_result_values(e->result, i), dims);
    }
    for (int g = 0; g < COLUMN_GROUPS; g++)
        hol__mat_names(e->columns[g].titles, e->columns[g].n, e->columns[g].fields);
    return 1;
}

/* The lines of the names that the file has for a group; 0 without memory. */
static int find_names(export *e, int group) {
    const char *key = hol__arena_format(&e->arena, "%s.names", block_groups[group]);
    const char *text = key ? hol_result_text(e->result, key) : NULL;
    char *lines = text ? hol__arena_text(&e->arena, text) : NULL;
    if (!key || (text && !lines)) return 0;
    int n = 0;
    for (const char *s = lines; s && *s; s++) n += *s == '\n';
    e->names[group] = HOL__NEW_N(&e->arena, const char *, n + 1);
    for (int i = 0; e->names[group] && i < n; i++) {
        e->names[group][i] = lines;
        lines = strchr(lines, '\n');
        *lines++ = '\0';
    }
    e->n_names[group] = n;
    return e->names[group] != NULL;
}

/* The values of a field with rows into a part: as many records as the result has. */
static hol_status add_block(export *e, part *p, const hol__field *field, const char *path) {
    char dataset[128];
    int dims[3];
    snprintf(dataset, sizeof dataset, "%s/%s", field->group, field->name);
    double *values = hol__hdf5_block(e->ctx, path, dataset, dims);
    if (!values) return HOL_ERR_IO;
    const size_t n = (size_t)dims[0] * (size_t)dims[1] * (size_t)dims[2];
    double *own = hol__arena_alloc(&e->arena, n + 1, sizeof *own);
    if (own && n) memcpy(own, values, n * sizeof *own);
    hol__release(e->ctx, values);
    if (dims[0] > hol_result_rows(e->result)) dims[0] = hol_result_rows(e->result);
    if (own) add_field(p, field->name, field->unit, own, dims);
    return own ? HOL_OK : HOL_ERR_MEMORY;
}

/* The blocks of a group, where the file has items of it. */
static hol_status find_blocks(export *e, int group, const char *path) {
    static const hol__shape one = {.n_q = 1, .n_v = 1, .n_bodies = 1, .n_joints = 1, .n_forces = 1};
    part *p = &e->blocks[group];
    hol__record record;
    hol_status status = HOL_OK;
    if (!make_part(e, p, block_groups[group], HOL__FIELD_COUNT) || !find_names(e, group) ||
        !hol__record_init(&record, &e->arena, &one))
        return HOL_ERR_MEMORY;
    const int there = e->n_names[group == STATE ? BODIES : group] > 0;
    for (int i = 0; there && i < record.n_fields && !status; i++)
        if (strcmp(record.fields[i].group, block_groups[group]) == 0)
            status = add_block(e, p, &record.fields[i], path);
    hol__mat_names(p->titles, p->n, p->fields);
    return status;
}

/* ---- the struct ---- */

/* The numbers of a part, with the names of its items where it has some. */
static void put_part(hol__mat *mat, export *e, const part *p, int group) {
    char fields[HOL__FIELD_COUNT + 1][HOL__MAT_NAME] = {"names"};
    const int named = group > STATE;
    const size_t start = hol__mat_struct(
        mat, NULL, named + p->n,
        named ? (memcpy(fields + 1, p->fields, (size_t)p->n * sizeof *fields), fields) : p->fields);
    if (named) hol__mat_texts(mat, NULL, e->n_names[group], e->names[group]);
    for (int i = 0; i < p->n; i++) {
        const size_t steps[3] = {(size_t)p->dims[i][1] * (size_t)p->dims[i][2],
                                 (size_t)p->dims[i][2], 1};
        hol__mat_numbers(mat, NULL, p->dims[i], steps, p->values[i]);
    }
    hol__mat_end(mat, start);
}

/* One text for each field of a part. */
static void put_texts(hol__mat *mat, const part *p, const char *const *texts) {
    const size_t start = hol__mat_struct(mat, NULL, p->n, p->fields);
    for (int i = 0; i < p->n; i++) hol__mat_text(mat, NULL, texts[i] ? texts[i] : "");
    hol__mat_end(mat, start);
}

/* The units of everything, under the same names. */
static void put_units(hol__mat *mat, export *e) {
    char fields[1 + COLUMN_GROUPS + BLOCK_GROUPS][HOL__MAT_NAME] = {"time"};
    for (int g = 0; g < COLUMN_GROUPS; g++) hol__mat_name(column_groups[g], fields[1 + g]);
    for (int g = 0; g < BLOCK_GROUPS; g++)
        hol__mat_name(block_groups[g], fields[1 + COLUMN_GROUPS + g]);
    const size_t start = hol__mat_struct(mat, NULL, 1 + COLUMN_GROUPS + BLOCK_GROUPS, fields);
    hol__mat_text(mat, NULL, hol_result_column(e->result, 0)->unit);
    for (int g = 0; g < COLUMN_GROUPS; g++) put_texts(mat, &e->columns[g], e->columns[g].units);
    for (int g = 0; g < BLOCK_GROUPS; g++) put_texts(mat, &e->blocks[g], e->blocks[g].units);
    hol__mat_end(mat, start);
}

/* A text of the file: a number where it is one. */
static void put_text(hol__mat *mat, const char *text) {
    const int one[3] = {1, 1, 1};
    const size_t steps[3] = {0};
    const char *end;
    const double value = hol__number_read(text, &end);
    if (end != text && !*end)
        hol__mat_numbers(mat, NULL, one, steps, &value);
    else
        hol__mat_text(mat, NULL, text);
}

/* Whether a text of the file stands in the struct of that prefix ("": in none of them). */
static int belongs(const char *key, const char *prefix) {
    static const char *const prefixes[] = {"options.", "statistics.", "bodies.", "joints.",
                                           "forces."};
    if (*prefix) return strncmp(key, prefix, strlen(prefix)) == 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(key, prefixes[i], strlen(prefixes[i])) == 0) return 0;
    return 1;
}

/* The texts with a prefix as a struct, without it. */
static hol_status put_info(hol__mat *mat, export *e, const char *prefix) {
    const hol_result *result = e->result;
    const char **keys = HOL__NEW_N(&e->arena, const char *, result->n_texts + 1);
    const char **texts = HOL__NEW_N(&e->arena, const char *, result->n_texts + 1);
    char(*fields)[HOL__MAT_NAME] =
        hol__arena_alloc(&e->arena, (size_t)result->n_texts + 1, sizeof *fields);
    int n = 0;
    if (!keys || !texts || !fields) return HOL_ERR_MEMORY;
    for (int i = 0; i < result->n_texts; i++)
        if (belongs(result->texts[i].key, prefix)) {
            keys[n] = result->texts[i].key + strlen(prefix);
            texts[n++] = result->texts[i].value;
        }
    hol__mat_names(keys, n, fields);
    const size_t start = hol__mat_struct(mat, NULL, n, fields);
    for (int i = 0; i < n; i++) put_text(mat, texts[i]);
    hol__mat_end(mat, start);
    return HOL_OK;
}

/* Everything as one variable. */
static hol_status put_result(hol__text *out, export *e) {
    static const char fields[][HOL__MAT_NAME] = {
        "time",   "measures", "energy", "constraints", "state",      "bodies", "joints",
        "forces", "units",    "names",  "options",     "statistics", "about"};
    hol__mat mat = hol__mat_begin(out);
    const int n = sizeof fields / sizeof *fields, dims[3] = {hol_result_rows(e->result), 1, 1};
    const size_t steps[3] = {1, 0, 0};
    const size_t start = hol__mat_struct(&mat, "result", n, fields);
    hol__mat_numbers(&mat, NULL, dims, steps, hol_result_values(e->result, 0));
    for (int g = 0; g < COLUMN_GROUPS; g++) put_part(&mat, e, &e->columns[g], STATE);
    for (int g = 0; g < BLOCK_GROUPS; g++) put_part(&mat, e, &e->blocks[g], g);
    put_units(&mat, e);
    put_texts(&mat, &e->columns[MEASURES], e->columns[MEASURES].titles);
    hol_status status = put_info(&mat, e, "options.");
    if (!status) status = put_info(&mat, e, "statistics.");
    if (!status) status = put_info(&mat, e, "");
    hol__mat_end(&mat, start);
    return status ? status : hol__mat_status(&mat);
}

/* What the file holds, and all of it into the text. */
static hol_status export_result(export *e, const char *path, hol__text *out) {
    hol_status status = find_columns(e) ? HOL_OK : HOL_ERR_MEMORY;
    for (int g = BLOCK_GROUPS - 1; g >= 0 && !status; g--) status = find_blocks(e, g, path);
    return status ? status : put_result(out, e);
}

hol_status hol_result_convert(hol_context *ctx, const char *from, const char *to) {
    if (!ctx || hol__need(ctx, "hol_result_convert", "the path", from) ||
        hol__need(ctx, "hol_result_convert", "the new path", to))
        return HOL_ERR_ARGUMENT;
    const hol_location where = {to, 0, 0};
    if (!hol__has_extension(to, ".mat"))
        return hol__report(
            ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL,
            "unknown extension: results are converted to .mat (MATLAB, Octave, SciPy)");
    hol_result *result = hol_result_read(ctx, from);
    if (!result) return HOL_ERR_IO;
    export e = {.ctx = ctx, .result = result};
    hol__text out;
    hol__arena_init(&e.arena, ctx);
    hol__text_init(&out, ctx);
    hol_status status = export_result(&e, from, &out);
    const hol__piece piece = {out.data, out.length};
    if (!status) status = hol__out_write(ctx, to, &piece, 1);
    hol__text_free(&out);
    hol__arena_free(&e.arena);
    hol_result_free(result);
    return status;
}
