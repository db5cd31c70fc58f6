/* answer.c: facts and tables with names and units, built by analyses and read by everybody. */
#include "base/answer.h"

#include "base/argument.h"
#include "base/give.h"
#include "base/late.h"
#include "base/unit_set.h"
#include "common/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- building ---- */

hol_answer *hol__answer_new(hol_context *ctx, const char *command, const char *title) {
    hol_answer *answer = hol__alloc(ctx, 1, sizeof *answer);
    if (!answer) return NULL;
    answer->ctx = ctx;
    hol__arena_init(&answer->arena, ctx);
    answer->command = hol__arena_text(&answer->arena, command);
    answer->title = hol__arena_text(&answer->arena, title);
    return answer;
}

hol_answer *hol__answer_of(hol_context *ctx, const char *command, const char *title,
                           const char *model) {
    hol_answer *answer = hol__answer_new(ctx, command, title);
    if (answer && model && *model)
        answer->title = hol__arena_format(&answer->arena, "%s of %s", title, model);
    return answer;
}

void hol_answer_free(hol_answer *answer) {
    if (!answer) return;
    hol_context *ctx = answer->ctx;
    hol__arena_free(&answer->arena);
    hol__release(ctx, answer);
}

const char *hol_answer_model(const hol_answer *answer) {
    return answer ? answer->model : NULL;
}

/* Room for one fact more; NULL without memory. */
static hol_fact *add_fact(hol_answer *a, const char *key, const char *title) {
    hol_fact *facts = hol__arena_grow(&a->arena, a->facts, sizeof *facts, a->n_facts,
                                      &a->fact_capacity, a->n_facts + 1);
    if (!facts) return NULL;
    a->facts = facts;
    a->shown = NULL;
    facts[a->n_facts] = (hol_fact){.size = sizeof *facts,
                                   .key = hol__arena_text(&a->arena, key),
                                   .title = hol__arena_text(&a->arena, title),
                                   .value = NAN,
                                   .unit = ""};
    return &facts[a->n_facts++];
}

void hol__answer_number(hol_answer *answer, const char *key, const char *title, double value,
                        const char *unit) {
    hol_fact *fact = add_fact(answer, key, title);
    if (!fact) return;
    fact->value = value;
    fact->unit = hol__arena_text(&answer->arena, unit ? unit : "");
}

void hol__answer_text(hol_answer *answer, const char *key, const char *title, const char *format,
                      ...) {
    char text[4096];
    va_list list;
    hol_fact *fact = add_fact(answer, key, title);
    if (!fact) return;
    va_start(list, format);
    hol__vprint(text, sizeof text, format, list);
    va_end(list);
    fact->text = hol__arena_text(&answer->arena, text);
}

hol__sheet *hol__answer_sheet(hol_answer *answer, const char *name, const char *title,
                              int columns) {
    hol__arena *arena = &answer->arena;
    hol__sheet **tables = hol__arena_grow(arena, answer->tables, sizeof(void *), answer->n_tables,
                                          &answer->table_capacity, answer->n_tables + 1);
    hol__sheet *t = HOL__NEW(arena, hol__sheet);
    if (!tables || !t) return NULL;
    answer->tables = tables;
    t->arena = arena;
    t->column_names = HOL__NEW_N(arena, const char *, columns + 1);
    t->column_units = HOL__NEW_N(arena, const char *, columns + 1);
    t->column_asked = HOL__NEW_N(arena, const hol_unit *, columns + 1);
    if (!t->column_names || !t->column_units || !t->column_asked) return NULL;
    for (int i = 0; i < columns; i++) {
        t->column_names[i] = t->column_units[i] = "";
        t->column_asked[i] = NULL;
    }
    t->about = (hol_table){.size = sizeof(hol_table),
                           .name = hol__arena_text(arena, name),
                           .title = hol__arena_text(arena, title),
                           .columns = columns,
                           .x = -1};
    return answer->tables[answer->n_tables++] = t;
}

void hol__answer_last(hol_answer *answer) {
    hol__sheet *first = answer->n_tables ? answer->tables[0] : NULL;
    for (int i = 1; i < answer->n_tables; i++) answer->tables[i - 1] = answer->tables[i];
    if (first) answer->tables[answer->n_tables - 1] = first;
}

void hol__sheet_column(hol__sheet *t, int i, const char *name, const char *unit) {
    if (!t) return;
    t->column_names[i] = hol__arena_text(t->arena, name);
    t->column_units[i] = hol__arena_text(t->arena, unit ? unit : "");
}

void hol__sheet_row_unit(hol__sheet *t, int i, const char *unit) {
    if (!t || i >= t->about.rows) return;
    t->row_units[i] = hol__arena_text(t->arena, unit ? unit : "");
    if (t->about.units == HOL_UNITS_OF_COLUMNS) t->about.units = HOL_UNITS_OF_ROWS;
}

/* A copy of the unit; NULL: there is none. */
static const hol_unit *asked_unit(hol__sheet *t, const hol_unit *unit) {
    hol_unit *own = unit ? HOL__NEW(t->arena, hol_unit) : NULL;
    if (own) *own = *unit;
    return own;
}

void hol__sheet_row_shown(hol__sheet *t, int i, const hol_unit *unit) {
    if (t && i < t->about.rows) t->row_asked[i] = asked_unit(t, unit);
}

void hol__sheet_column_shown(hol__sheet *t, int i, const hol_unit *unit) {
    if (t && i < t->about.columns) t->column_asked[i] = asked_unit(t, unit);
}

void hol__sheet_matrix(hol__sheet *t) {
    if (t) t->about.units = HOL_UNITS_OF_BOTH;
}

double *hol__sheet_add(hol__sheet *t, const char *name) {
    if (!t) return NULL;
    const int n = t->about.rows, width = t->about.columns;
    if (n + 1 > t->capacity) {
        int names = t->capacity, units = t->capacity, asked = t->capacity, room = t->capacity;
        const int want = n < 8 ? 8 : 2 * n;
        t->row_names = hol__arena_grow(t->arena, t->row_names, sizeof(char *), n, &names, want);
        t->row_units = hol__arena_grow(t->arena, t->row_units, sizeof(char *), n, &units, want);
        t->row_asked = hol__arena_grow(t->arena, t->row_asked, sizeof(void *), n, &asked, want);
        t->values = hol__arena_grow(
            t->arena, t->values, sizeof(double) * (size_t)(width > 0 ? width : 1), n, &room, want);
        if (!t->row_names || !t->row_units || !t->row_asked || !t->values) {
            t->capacity = t->about.rows = 0;
            return NULL;
        }
        t->capacity = room < names ? room : names;
    }
    t->row_names[n] = name ? hol__arena_text(t->arena, name) : NULL;
    t->row_units[n] = "";
    t->row_asked[n] = NULL;
    t->about.rows = n + 1;
    return memset(t->values + (size_t)n * (size_t)width, 0, sizeof(double) * (size_t)width);
}

double *hol__sheet_row(hol__sheet *t, int i) {
    return t && i < t->about.rows ? t->values + (size_t)i * (size_t)t->about.columns : NULL;
}

/* Room for the formulas of all rows; 0 without memory. */
static int grow_formulas(hol__sheet *t) {
    const int rows = t->about.rows, width = t->about.columns;
    if (rows <= t->formula_rows) return 1;
    int room = t->formula_rows * width, same = room;
    const int want = 2 * rows * width, had = room;
    t->formulas = hol__arena_grow(t->arena, t->formulas, sizeof(char *), had, &room, want);
    t->latex = hol__arena_grow(t->arena, t->latex, sizeof(char *), had, &same, want);
    if (!t->formulas || !t->latex) return 0;
    for (int i = had; i < want; i++) t->formulas[i] = t->latex[i] = "0";
    t->formula_rows = 2 * rows;
    return 1;
}

void hol__sheet_formula(hol__sheet *t, int i, int j, const char *formula, const char *latex) {
    if (!t || i >= t->about.rows || !grow_formulas(t)) return;
    const int at = i * t->about.columns + j;
    t->values[at] = NAN;
    t->formulas[at] = hol__arena_text(t->arena, formula);
    t->latex[at] = hol__arena_text(t->arena, latex);
}

void hol__sheet_plot(hol__sheet *t, int x, int log_x, int log_y) {
    if (!t) return;
    t->about.x = x;
    t->about.log_x = log_x;
    t->about.log_y = log_y;
}

void hol__sheet_detail(hol__sheet *t) {
    if (t) t->about.detail = 1;
}

void hol__sheet_path(hol__sheet *t, int x, int y, int scattered) {
    if (!t) return;
    const int n = t->about.n_paths;
    int *paths =
        hol__arena_grow(t->arena, t->paths, 2 * sizeof *paths, n, &t->path_capacity, n + 1);
    if (!paths) return;
    paths[2 * n] = x, paths[2 * n + 1] = y;
    t->about.paths = t->paths = paths;
    t->about.n_paths = n + 1;
    t->about.scattered = scattered;
}

hol_status hol__answer_finish(hol_answer *answer, hol_status status, hol_answer **out) {
    *out = NULL;
    if (!answer) return HOL_ERR_MEMORY;
    const hol_status missed = hol__late_check(answer->ctx);
    if (missed) status = missed;
    if (!status && answer->arena.failed) status = HOL_ERR_MEMORY;
    if (!status) status = hol_answer_set_units(answer, NULL);
    if (status)
        hol_answer_free(answer);
    else
        *out = answer;
    return status;
}

/* ---- units ---- */

/* How the SI unit is shown, its name in the arena; the unit as it is where it is none. */
static const char *show_unit(hol_answer *a, const hol__unit_set *set, const char *si,
                             hol_unit *out) {
    hol__unit_set_show(set, si, out);
    return hol__arena_text(&a->arena, *si ? out->name : "");
}

/* A number of that unit as it is shown. */
static double show_number(const char *si, const hol_unit *unit, double value) {
    return *si ? hol_unit_show(unit, value) : value;
}

static void show_facts(hol_answer *a, const hol__unit_set *set) {
    a->shown = HOL__NEW_N(&a->arena, hol_fact, a->n_facts + 1);
    for (int i = 0; a->shown && i < a->n_facts; i++) {
        hol_unit unit;
        a->shown[i] = a->facts[i];
        if (a->facts[i].text) continue;
        a->shown[i].unit = show_unit(a, set, a->facts[i].unit, &unit);
        a->shown[i].value = show_number(a->facts[i].unit, &unit, a->facts[i].value);
    }
}

/* The units of n rows or columns as they are shown, and what is multiplied for them. asked: those
 * that have one of their own. */
static const char **show_units(hol_answer *a, const hol__unit_set *set, int n,
                               const char *const *si, const hol_unit *const *asked,
                               double *factor) {
    const char **shown = HOL__NEW_N(&a->arena, const char *, n + 1);
    for (int i = 0; shown && i < n; i++) {
        hol_unit unit;
        shown[i] = show_unit(a, set, si[i], &unit);
        factor[i] = show_number(si[i], &unit, 1);
        if (!asked[i]) continue;
        shown[i] = hol__arena_text(&a->arena, asked[i]->name);
        factor[i] = hol_unit_show(asked[i], 1);
    }
    return shown;
}

static void show_table(hol_answer *a, hol__sheet *t, const hol__unit_set *set) {
    const int rows = t->about.rows, columns = t->about.columns;
    double *up = HOL__NEW_N(&a->arena, double, rows + 1),
           *across = HOL__NEW_N(&a->arena, double, columns + 1);
    t->shown = HOL__NEW_N(&a->arena, double, (size_t)rows *(size_t)columns + 1);
    if (!up || !across || !t->shown) return;
    t->shown_rows = show_units(a, set, rows, (const char *const *)t->row_units,
                               (const hol_unit *const *)t->row_asked, up);
    t->shown_columns = show_units(a, set, columns, (const char *const *)t->column_units,
                                  (const hol_unit *const *)t->column_asked, across);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const size_t k = (size_t)i * (size_t)columns + (size_t)j;
            const double factor = t->about.units == HOL_UNITS_OF_COLUMNS ? across[j]
                                  : t->about.units == HOL_UNITS_OF_ROWS  ? up[i]
                                                                         : up[i] / across[j];
            t->shown[k] = t->values[k] * factor;
        }
}

hol_status hol_answer_set_units(hol_answer *answer, const char *units) {
    hol__unit_set set = {0};
    if (!answer) return HOL_ERR_ARGUMENT;
    if (hol__unit_set_read(answer->ctx, &set, units)) return HOL_ERR_ARGUMENT;
    show_facts(answer, &set);
    for (int i = 0; i < answer->n_tables; i++) show_table(answer, answer->tables[i], &set);
    return answer->arena.failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* ---- reading ---- */

const char *hol_answer_command(const hol_answer *answer) {
    return answer ? answer->command : "";
}

const char *hol_answer_title(const hol_answer *answer) {
    return answer ? answer->title : "";
}

int hol_answer_facts(const hol_answer *answer) {
    return answer ? answer->n_facts : 0;
}

int hol_answer_tables(const hol_answer *answer) {
    return answer ? answer->n_tables : 0;
}

hol_status hol_answer_fact(const hol_answer *answer, int i, hol_fact *fact) {
    static const char call[] = "hol_answer_fact";
    if (!answer) return HOL_ERR_ARGUMENT;
    if (hol__need(answer->ctx, call, "the fact", fact) ||
        hol__need_index(answer->ctx, call, "fact", i, answer->n_facts))
        return HOL_ERR_ARGUMENT;
    return hol__give(answer->ctx, call, &answer->shown[i], sizeof *fact, fact);
}

hol_status hol_answer_table(const hol_answer *answer, int i, hol_table *table) {
    static const char call[] = "hol_answer_table";
    if (!answer) return HOL_ERR_ARGUMENT;
    if (hol__need(answer->ctx, call, "the table", table) ||
        hol__need_index(answer->ctx, call, "table", i, answer->n_tables))
        return HOL_ERR_ARGUMENT;
    const hol__sheet *t = answer->tables[i];
    hol_table out = t->about;
    out.row_names = t->about.rows && t->row_names[0] ? (const char *const *)t->row_names : NULL;
    out.column_names = (const char *const *)t->column_names;
    out.row_units = out.units == HOL_UNITS_OF_COLUMNS ? NULL : (const char *const *)t->shown_rows;
    out.column_units =
        out.units == HOL_UNITS_OF_ROWS ? NULL : (const char *const *)t->shown_columns;
    out.values = t->shown;
    out.formulas = (const char *const *)t->formulas;
    out.latex = (const char *const *)t->latex;
    return hol__give(answer->ctx, call, &out, sizeof *table, table);
}

int hol_answer_find(const hol_answer *answer, const char *name) {
    for (int i = 0; answer && name && i < answer->n_tables; i++)
        if (strcmp(answer->tables[i]->about.name, name) == 0) return i;
    return -1;
}

double hol_answer_value(const hol_answer *answer, const char *key) {
    for (int i = 0; answer && key && i < answer->n_facts; i++)
        if (strcmp(answer->shown[i].key, key) == 0) return answer->shown[i].value;
    return NAN;
}
