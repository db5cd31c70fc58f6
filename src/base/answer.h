/* answer.h: how an analysis builds its answer (holonom/answer.h).
 *
 * Names and titles are copied. What cannot be added for lack of memory is kept in mind:
 * hol__answer_finish tells.
 */
#ifndef HOL_BASE_ANSWER_H
#define HOL_BASE_ANSWER_H

#include "base/arena.h"

#include <holonom/answer.h>
#include <holonom/options.h>

typedef struct hol__sheet {
    hol_table about; /* as callers get it, in SI units */
    hol__arena *arena;
    int capacity, name_capacity, path_capacity;
    int *paths;
    const char **row_names, **row_units, **column_names, **column_units;
    const hol_unit **row_asked, **column_asked; /* NULL: shown as the others of its kind */
    double *values;
    const char **shown_rows, **shown_columns; /* units as they are shown */
    double *shown;                            /* values in these */
    const char **formulas, **latex;           /* NULL: it has numbers */
    int formula_rows;                         /* that there is room for */
} hol__sheet;

struct hol_answer {
    hol_context *ctx;
    hol__arena arena;
    const char *command, *title;
    int n_facts, fact_capacity, n_tables, table_capacity;
    hol_fact *facts; /* in SI units */
    hol_fact *shown; /* as they are shown */
    hol__sheet **tables;
    const char *model; /* file with the parameters that were found; NULL: none */
};

/* An answer to a command; NULL without memory. */
hol_answer *hol__answer_new(hol_context *ctx, const char *command, const char *title);

/* The same with the title "TITLE of MODEL"; the name of the model may be NULL. */
hol_answer *hol__answer_of(hol_context *ctx, const char *command, const char *title,
                           const char *model);

/* A fact with its key, its title, its value in SI units; or a text. */
void hol__answer_number(hol_answer *answer, const char *key, const char *title, double value,
                        const char *unit);
void hol__answer_text(hol_answer *answer, const char *key, const char *title, const char *format,
                      ...) HOL__PRINTF(4, 5);

/* A table without rows, whose columns have units. Never NULL but for lack of memory; NULL is
 * taken by the functions below, which then do nothing. */
hol__sheet *hol__answer_sheet(hol_answer *answer, const char *name, const char *title, int columns);

/* Put the table that was made first behind all others. */
void hol__answer_last(hol_answer *answer);

/* Name and unit of a column, and of a row that was added. A table of which a row has a unit is a
 * vector; where hol__sheet_matrix was called, a matrix. */
void hol__sheet_column(hol__sheet *table, int i, const char *name, const char *unit);
void hol__sheet_row_unit(hol__sheet *table, int i, const char *unit);
void hol__sheet_matrix(hol__sheet *table);

/* The unit that a row or a column is shown in whatever other quantities of its kind are (NULL:
 * none). */
void hol__sheet_row_shown(hol__sheet *table, int i, const hol_unit *unit);
void hol__sheet_column_shown(hol__sheet *table, int i, const hol_unit *unit);

/* Append a row of zeros with its name (NULL: none); NULL without memory. It stays where it is
 * until the next row is added. */
double *hol__sheet_add(hol__sheet *table, const char *name);

/* The row that was added as the i-th. */
double *hol__sheet_row(hol__sheet *table, int i);

/* The entry of a row that was added is a formula. */
void hol__sheet_formula(hol__sheet *table, int i, int j, const char *formula, const char *latex);

/* How a page draws it: every column of the unit of the first against column x. */
void hol__sheet_plot(hol__sheet *table, int x, int log_x, int log_y);

/* A table for files and pages: terminals tell its name alone. */
void hol__sheet_detail(hol__sheet *table);

/* Columns x and y are a place in a plane that moves from row to row, or (scattered) stands by
 * itself in each: a page draws it with one scale for both. */
void hol__sheet_path(hol__sheet *table, int x, int y, int scattered);

/* The end: *out receives the answer; or it is freed, *out is NULL and HOL_ERR_MEMORY returned
 * where something was lost for lack of memory, and status where that is an error. */
hol_status hol__answer_finish(hol_answer *answer, hol_status status, hol_answer **out);

#endif
