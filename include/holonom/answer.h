/* answer.h: what an analysis answers: facts and tables with names and units.
 *
 * Every analysis that is not a run (equations, statics, linearize, …) returns one: some facts, a
 * number with its unit or a text each, and tables of numbers whose columns, and mostly whose rows,
 * have names. It is complete in itself: the model and the simulation it comes from may go, the
 * context must stay.
 *
 *     hol_answer *answer;
 *     hol_status status = hol_equations(ctx, sim, &answer);
 *     hol_table M = {.size = sizeof M};
 *     hol_answer_table(answer, hol_answer_find(answer, "M"), &M);
 *     … M.values[i * M.columns + j] …
 *     hol_answer_write(answer, "equations.mat");
 *     hol_answer_free(answer);
 */
#ifndef HOLONOM_ANSWER_H
#define HOLONOM_ANSWER_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_answer hol_answer;

void hol_answer_free(hol_answer *answer);

/* The analysis ("statics") and what it was asked of, in a line. */
const char *hol_answer_command(const hol_answer *answer);
const char *hol_answer_title(const hol_answer *answer);

/* One fact: a text, or a number with its unit. */
typedef struct hol_fact {
    size_t size;       /* sizeof(hol_fact), set by the caller */
    const char *key;   /* "least_stiffness" */
    const char *title; /* "least stiffness" */
    const char *text;  /* NULL: it is a number */
    double value;
    const char *unit; /* "" where it has none */
} hol_fact;

/* What the units of a table belong to. */
typedef enum hol_table_units {
    HOL_UNITS_OF_COLUMNS, /* each column has its own */
    HOL_UNITS_OF_ROWS,    /* each row has its own: a vector */
    HOL_UNITS_OF_BOTH     /* a matrix: what stands in row i and column j has the unit of row i over
                           * that of column j */
} hol_table_units;

/* One table. */
typedef struct hol_table {
    size_t size;      /* sizeof(hol_table), set by the caller */
    const char *name; /* "modes": a word */
    const char *title;
    int rows, columns;
    const char *const *row_names; /* NULL: the rows have none */
    const char *const *column_names;
    const char *const *row_units;    /* "" where it has none; NULL where columns alone have units */
    const char *const *column_units; /* the same, NULL where rows alone have units */
    const double *values;            /* row after row; NaN where there is nothing to tell */
    hol_table_units units;
    int x;            /* the column along the horizontal axis of a chart; -1: none */
    int log_x, log_y; /* logarithmic axes of the chart */
    /* A table of formulas: as plain text and in LaTeX, row after row, in SI units; its values are
     * NaN. NULL: it has numbers. */
    const char *const *formulas, *const *latex;
    /* pairs of columns that are places in a plane, x before y (2 n_paths of them): curves of a
     * chart of its own, whose axes have one scale, or the logarithmic ones that are set above */
    int n_paths;
    const int *paths;
    int scattered; /* the places of the rows stand by themselves: dots, no curves */
    int detail;    /* for files and pages: a text that leaves rows out tells its name alone */
} hol_table;

/* An answer of your own, for its files and pages: NULL without memory or after a wrong argument;
 * free with hol_answer_free. Facts and tables follow in the order of the calls; texts and numbers
 * are copied, in SI units. Of a table name, title, rows, columns, their names and units, values and
 * what concerns charts are read; it has units of columns. */
hol_answer *hol_answer_new(hol_context *ctx, const char *command, const char *title);
hol_status hol_answer_add_number(hol_answer *answer, const char *key, const char *title,
                                 double value, const char *unit);
hol_status hol_answer_add_text(hol_answer *answer, const char *key, const char *title,
                               const char *text);
hol_status hol_answer_add_table(hol_answer *answer, const hol_table *table);

/* How many facts and tables there are; fact i and table i, whose texts and numbers last as long as
 * the answer and its units; the index of the table of that name, -1: none. */
int hol_answer_facts(const hol_answer *answer);
int hol_answer_tables(const hol_answer *answer);
hol_status hol_answer_fact(const hol_answer *answer, int i, hol_fact *fact);
hol_status hol_answer_table(const hol_answer *answer, int i, hol_table *table);
int hol_answer_find(const hol_answer *answer, const char *name);

/* The number of a fact by its key; NaN where there is none. */
double hol_answer_value(const hol_answer *answer, const char *key);

/* The model file of an answer that found parameters and was asked for it; NULL otherwise. It lasts
 * as long as the answer. */
const char *hol_answer_model(const hol_answer *answer);

/* Show everything in these units ("angle=deg,length=mm"), as hol_result_set_units does; NULL or "":
 * SI units. */
hol_status hol_answer_set_units(hol_answer *answer, const char *units);

/* Write it to a file, by the end of its name: .txt (as on a terminal), .json, .csv (one file a
 * table, "x.modes.csv", where there are several), .h5, .mat (MATLAB and Octave), .tex (tables and
 * matrices for a paper), .yaml (hol_answer_model). Pages are hol_report_answer. */
hol_status hol_answer_write(const hol_answer *answer, const char *path);

/* The same as .txt and .json have it, in memory; free with hol_free and its context. NULL without
 * memory. most_rows: of longer tables the middle is left out, and said to be; 0: none is. */
char *hol_answer_to_text(const hol_answer *answer, int most_rows);
char *hol_answer_to_json(const hol_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
