/* compare.h: the pieces of `holonom compare`: the plan of runs, the runs in threads,
 * the errors against a reference, the table and its four writers.
 *
 * The plan is entries (methods with their options) times cases (combinations of the values that
 * --vary lists, or the values of --sweep). Each entry of each case is a trial; beside them stand
 * trials that no row shows: the reference, with a sweep what it is checked against, and `lagrange`
 * as the unit of time where the entries lack it.
 */
#ifndef HOL_CLI_COMPARE_H
#define HOL_CLI_COMPARE_H

#include "cli/cli.h"
#include "common/json.h"

#include <pthread.h>

/* ---- the plan ---- */

/* A key of the model with its value, and the option that brought it ("methods", "vary"). */
typedef struct cli_setting {
    const char *key, *value, *origin;
} cli_setting;

/* A method with further options: "nullspace+basis=svd". */
typedef struct cli_entry {
    const char *label;
    int n_settings; /* the first is the method */
    cli_setting *settings;
} cli_entry;

/* A key that takes several values in turn. */
typedef struct cli_axis {
    const char *key;
    int n_values;
    const char **values;
} cli_axis;

enum { CLI_STATISTICS = 64, CLI_PART_SIZE = 32 };

/* The figures of a run. */
typedef struct cli_record {
    hol_status status;
    int is_set_up; /* the simulation exists, so that the figures below mean something */
    double t, cpu_time, instructions;          /* instructions: NAN where they are not counted */
    double statistics[CLI_STATISTICS];         /* counts and reals by row of the table */
    char texts[CLI_STATISTICS][CLI_PART_SIZE]; /* texts that a comparison shows */
    size_t n_samples;                          /* rows of time and all measured columns */
} cli_record;

typedef enum cli_trial_kind {
    CLI_TRIAL_REFERENCE, /* auto at a tight tolerance */
    CLI_TRIAL_CHECK,     /* other equations at the same tolerance */
    CLI_TRIAL_BASE,      /* lagrange, for its time */
    CLI_TRIAL_SHOWN      /* a row of the table */
} cli_trial_kind;

typedef struct cli_trial {
    cli_trial_kind kind;
    const cli_entry *entry; /* NULL for the reference */
    int case_index;
    cli_record record;
    char *message;    /* the first error, or else the first warning; "" */
    double *samples;  /* n_samples rows of 1 + n_columns numbers */
    double error;     /* against the reference, the largest; NAN when unknown */
    double error_end; /* the same at the last common instant */
    int worst;        /* the column in which it is, or -1 */
    double worst_difference, worst_time;
    /* of each column the largest, NAN where it is not judged; NULL without a reference */
    double *differences;
    double time_ratio; /* to lagrange in the same case; NAN when unknown */
} cli_trial;

typedef struct cli_comparison {
    cli_session *cli;
    const cli_args *args;
    const char *path;
    hol_model *model; /* of the first case: names and units */
    int n_columns;    /* measured */
    int n_entries, n_axes, n_cases, n_trials;
    cli_entry *entries, base; /* base: lagrange */
    cli_axis *axes;
    cli_trial *trials;
    int *reference_of;     /* of each case: the trial, -1 without */
    hol_result *file;      /* the reference that was given, or NULL */
    double reference_tol;  /* of the reference that is computed */
    unsigned char *judged; /* 1 where the column counts for the error */
    int may_write;         /* the files that the options name were looked at */
    int is_done;           /* all trials have run */
    int jobs;
    pthread_mutex_t *reading; /* while there are threads: one model is read at a time */
    int repeat;               /* runs of each trial for its time; 0: as their time suggests */
    int is_sweep;             /* the only axis is that of --sweep, from loose to tight */
    const cli_trial *check;   /* that of the reference; NULL: none */
    char no_instructions[96]; /* why none are counted; "" where they are */
    void **blocks;            /* texts and arrays of the plan */
    int n_blocks, block_capacity;
} cli_comparison;

/* Read --methods, --vary, --sweep and --reference into entries, axes and trials; 0 after a mistake,
 * which is reported. */
int cli_compare_plan(cli_comparison *comparison);
void cli_compare_plan_free(cli_comparison *comparison);

/* Keep a block until the plan is freed; NULL, with the block freed and the lack reported, without
 * memory. And such a block of zeros, and a text of n bytes. */
void *cli_compare_keep(cli_comparison *comparison, void *block);
void *cli_compare_keep_array(cli_comparison *comparison, int n, size_t size);
char *cli_compare_keep_text(cli_comparison *comparison, const char *text, size_t n);

/* The number of items of a list with commas; the item at *text, which moves on to the next. */
int cli_compare_count_items(const char *text);
char *cli_compare_next_item(cli_comparison *comparison, const char **text);

/* compare_lists.c: each entry once for each of the integrators and coordinates that are listed; 0
 * after a mistake. Whether an option that was given is such a list of several. */
int cli_compare_multiply(cli_comparison *comparison);
int cli_compare_is_list(const cli_given *given);

/* compare_sweep.c: "tolerance=1e-3..1e-12" as an axis; 0 after a mistake. Whether the model lets
 * the number have an effect; reports if not. */
int cli_compare_read_sweep(cli_comparison *comparison, const char *text, cli_axis *axis);
int cli_compare_can_sweep(const cli_comparison *comparison, const hol_options *options);

/* The value that axis a has in a case. */
const char *cli_compare_value(const cli_comparison *comparison, int a, int case_index);

/* The model of a case with the settings on top, and how it is to be run; NULL after errors. */
hol_model *cli_compare_load(const cli_comparison *comparison, cli_session *cli, int case_index,
                            const cli_setting *settings, int n_settings, hol_options **run_options);

/* ---- the runs ---- */

/* All trials, `jobs` at a time; HOL_OK also when some failed, HOL_ERR_INTERRUPTED after a
 * signal. */
hol_status cli_compare_run(cli_comparison *comparison);

/* One trial in this process: its record, and message and samples to be freed. */
void cli_trial_carry_out(const cli_comparison *comparison, cli_trial *trial);

/* ---- errors and times ---- */

/* Which columns count for the error: lengths and angles, or all where there are none. */
void cli_compare_judged(cli_comparison *comparison);

/* The error of each trial against its reference, and its time against that of lagrange. */
void cli_compare_evaluate(cli_comparison *comparison);

/* ---- the table ---- */

typedef enum cli_figure_kind {
    CLI_FIGURE_ERROR,
    CLI_FIGURE_COUNT,
    CLI_FIGURE_RATIO,
    CLI_FIGURE_TIME
} cli_figure_kind;

/* A column of the table: a statistic, or a figure that the comparison finds itself. */
typedef struct cli_figure {
    const char *key;     /* in CSV and JSON */
    const char *heading; /* in text */
    const char *latex;
    cli_figure_kind kind;
    int order;                               /* where it stands, from left to right; 0: nowhere */
    int swept;                               /* the same in a sweep */
    int is_cost;                             /* in a sweep: what errors are held against */
    int statistic;                           /* its row in the table of statistics, or -1 */
    double (*value)(const cli_trial *trial); /* where it is none */
} cli_figure;

/* Figure i from the left; 0 past the end. And the i-th that is a cost of a sweep. */
int cli_figure_get(const cli_comparison *comparison, int i, cli_figure *figure);
int cli_figure_cost(const cli_comparison *comparison, int i, cli_figure *figure);

/* The figure with a key; 0: there is none. */
int cli_figure_find(const cli_comparison *comparison, const char *key, cli_figure *figure);

/* The figure of a trial; NAN where it has nothing to show. */
double cli_figure_value(const cli_figure *figure, const cli_trial *trial);

/* "failed at t = 0.3 s: why". */
void cli_trial_reason(const cli_trial *trial, char *buf, size_t size);

/* What the errors are measured against. */
void cli_compare_reference_text(const cli_comparison *comparison, char *buf, size_t size);

/* ---- orders ---- */

/* Whether exactly one number varies, over two values or more. */
int cli_compare_has_orders(const cli_comparison *comparison);

/* The number that varies in a case; 0 when it is none. */
int cli_compare_axis_number(const cli_comparison *comparison, int case_index, double *value);

/* The order of a figure of a method in that number; NAN when it is unknown. */
double cli_compare_order(const cli_comparison *comparison, const cli_figure *figure, int entry);

/* The figure of a method in a case; NAN where the run failed. */
double cli_compare_figure(const cli_comparison *comparison, const cli_figure *figure, int entry,
                          int case_index);

/* The orders as a table, with room for methods of that width; nothing where there are none. */
void cli_compare_write_orders(const cli_comparison *comparison, int width, FILE *out);

/* Whether --figures and the name of the picture are right, before the runs; reports if not. */
int cli_compare_can_plot(const cli_comparison *comparison, const char *path);

/* Errors over the number that varies, or bars, as a picture: an exit code. */
int cli_compare_plot(const cli_comparison *comparison, const char *path);

/* ---- work and precision (--sweep) ---- */

/* compare_fit.c: how the errors of a method fall over the settings that tell. */
typedef struct cli_fit {
    int used;         /* settings, from `first` (loose) to `last` (tight) */
    int first, last;  /* cases; -1: none */
    double order;     /* error ~ number^order; NAN where fewer than two tell */
    double by_cost;   /* error ~ evaluations^-by_cost; NAN the same */
    double deviation; /* of an error from the line, at most, in decades */
    double level;     /* errors below ten times this are left out */
} cli_fit;

cli_fit cli_compare_fit(const cli_comparison *comparison, const cli_figure *error, int entry);

/* Whether the error of a setting is left out of the fit. */
int cli_compare_is_left_out(const cli_fit *fit, double error);

/* What the reference may be off by itself, along the run or at the end; 0 where it was not
 * checked. */
double cli_compare_reference_error(const cli_comparison *comparison, int at_end);

/* compare_front.c: whether no other setting is as good in the error and better in the cost, or the
 * other way round. */
int cli_compare_is_front(const cli_comparison *comparison, const cli_figure *cost,
                         const cli_trial *trial);

/* The next trial of a front behind another (NULL: the first), towards smaller errors;
 * NULL: none. */
const cli_trial *cli_compare_next_front(const cli_comparison *comparison, const cli_figure *cost,
                                        const cli_trial *after);

/* compare_work.c: fits, fronts and the check of the reference as text, and as members of the JSON
 * object; what the check said, in words. */
void cli_compare_write_work(const cli_comparison *comparison, int width, FILE *out);
void cli_compare_json_work(const cli_comparison *comparison, hol__json *json);

/* The front of a cost, from loose to tight: "auto 1e-3, 1e-4; lagrange 1e-5". */
void cli_compare_front_text(const cli_comparison *comparison, const cli_figure *cost, char *buf,
                            size_t size);
void cli_compare_check_text(const cli_comparison *comparison, char *buf, size_t size);

/* compare_answer.c: the comparison as an answer, for files (.h5, .mat) and pages (.html). */
hol_status cli_compare_write_answer(const cli_comparison *comparison, const char *path);

/* Whether a file is one of those, by its ending. */
int cli_compare_is_answer(const char *path);

/* instructions.c: a counter of the instructions that this thread executes outside the kernel: -1,
 * and why, where there is none; what it shows (NAN without). */
int cli_instructions_open(char *why, size_t size);
double cli_instructions_read(int counter);
void cli_instructions_close(int counter);

/* ---- writers ---- */

void cli_compare_write_text(const cli_comparison *comparison, FILE *out);
void cli_compare_write_csv(const cli_comparison *comparison, FILE *out);
void cli_compare_write_json(const cli_comparison *comparison, hol_status status, FILE *out);
void cli_compare_write_latex(const cli_comparison *comparison, FILE *out);

#endif
