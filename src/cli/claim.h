/* claim.h: the pieces of `holonom reproduce`: claims read from files, the commands that show them,
 * the values that are drawn from what the commands computed, and pages.
 *
 * A claim is a list of steps. A step is a command of this program as a user types it, run as a
 * program of its own with --json; or it draws values, shows a table or a picture, says something,
 * or gives a verdict. What the steps say is written as a page in Markdown while they are carried
 * out, so that the page cannot tell anything else than the command.
 */
#ifndef HOL_CLI_CLAIM_H
#define HOL_CLI_CLAIM_H

#include "cli/cli.h"
#include "cli/keep.h"
#include "common/scratch.h"

/* ---- claims ---- */

/* One claim of a file; texts live as long as its document. */
typedef struct cli_claim {
    const char *name, *title, *source, *claim;
    const hol_item *item;    /* its map */
    const hol_item *steps;   /* a list */
    const hol_item *also;    /* other names; a list, or NULL */
    const hol_item *answers; /* rows of a list of claims that it answers, or NULL */
    int fast;                /* a few seconds: --fast runs it */
    const char *folder;      /* files that it names are sought here */
} cli_claim;

typedef struct cli_claims {
    cli_session *cli;
    cli_keep keep;
    int n, capacity, n_documents;
    cli_claim *items;
    hol_document **documents;
} cli_claims;

/* Read the claims of a file, or of all files of the folder that belongs to the program where path
 * is NULL; 0 after errors, which are reported. */
int cli_claims_read(cli_claims *claims, const char *path);
void cli_claims_free(cli_claims *claims);

/* The claim of that name (upper and lower case are alike), or one of its other names; NULL. */
const cli_claim *cli_claims_find(const cli_claims *claims, const char *name);

/* ---- what commands computed ---- */

/* A figure of a row: a text, and the number that it is (NAN: none). */
typedef struct cli_cell {
    const char *key, *text;
    double number;
} cli_cell;

typedef struct cli_row {
    int n, capacity;
    cli_cell *cells;
} cli_row;

/* The rows of a command: one for each run. */
typedef struct cli_rows {
    const char *name;
    int n, capacity;
    cli_row *rows;
} cli_rows;

/* A number with a name. */
typedef struct cli_value {
    const char *name;
    double number;
} cli_value;

/* How one part of a claim turned out. */
typedef enum cli_verdict { CLI_HOLDS, CLI_DIFFERS, CLI_PRINT_WRONG, CLI_VERDICTS } cli_verdict;

typedef struct cli_finding {
    cli_verdict verdict;
    const char *text;
} cli_finding;

/* A claim while it is carried out. */
typedef struct cli_trying {
    cli_session *cli;
    const cli_claim *claim;
    cli_keep keep;
    const char *program;  /* the path of this program */
    const char *command;  /* the one that carries claims out, which no step can be */
    hol__scratch scratch; /* the folder of files that are written */
    FILE *page;           /* what the steps say, in Markdown */
    int width;            /* of its lines */
    const char *images;   /* the folder for pictures; NULL: they are not kept */
    int n_pictures;
    int n_rows, rows_capacity;
    cli_rows *rows;
    int n_values, values_capacity;
    cli_value *values;
    int n_findings, findings_capacity, n_holds;
    cli_finding *findings;
    int n_commands, commands_capacity;
    const char **commands;             /* as they are shown */
    const char *each_name, *each_text; /* what a repeated command has in this turn; or NULL */
    int n_files;                       /* made for what commands print */
    int after_command;                 /* the last thing on the page is a command */
} cli_trying;

/* Carry the steps out; 0 after errors. The page is written as it goes. */
int cli_claim_try(cli_trying *t);

/* Report an error at an item (its key where of_key); returns 0. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
int cli_claim_error(cli_session *cli, const hol_item *item, int of_key, const char *format, ...);

/* The text of a member, NULL where there is none; clears *good where it is no text, or is wanted
 * and missing. */
const char *cli_claim_text(cli_session *cli, const hol_item *map, const char *key, int wanted,
                           int *good);

/* Whether all keys of the map are among the words, up to a NULL; reports the first that is not. */
int cli_claim_keys(cli_session *cli, const hol_item *map, const char *const *words);

/* ---- steps ---- */

/* A command: run, shown, its rows kept. */
int cli_claim_command(cli_trying *t, const hol_item *step, const cli_command *command);

/* Values by name. */
int cli_claim_values(cli_trying *t, const hol_item *step);

/* Instructions of a run, counted by valgrind. */
int cli_claim_count(cli_trying *t, const hol_item *step);

/* A new row under a name, a figure of it, the row of a JSON object; NULL or 0 without memory. */
cli_row *cli_row_new(cli_trying *t, const char *name);
int cli_row_add(cli_trying *t, cli_row *row, const char *key, const char *text);
int cli_row_keep(cli_trying *t, const char *name, const hol_item *item);

/* The rows that a command left under a name; NULL after an error at the item. */
const cli_rows *cli_claim_rows(cli_trying *t, const hol_item *name);

/* A figure of a row by its text: one of its cells, or a formula of them; 0 after an error at the
 * item. */
int cli_row_figure(cli_trying *t, const cli_row *row, const hol_item *item, const char *text,
                   double *value);

/* The result file that a step has written, in SI units; NULL after an error at the item. */
hol_result *cli_claim_result(cli_trying *t, const hol_item *name);

/* The cell of a row, or NULL; and whether the row has the values of a map `where` (NULL: any). */
const cli_cell *cli_row_find(const cli_row *row, const char *key);
int cli_row_fits(const cli_row *row, const hol_item *where);

/* A formula over the values so far; 0 after an error. */
int cli_claim_formula(cli_trying *t, const hol_item *text, double *value);

/* Tables, data for a file, and pictures. */
int cli_claim_table(cli_trying *t, const hol_item *step);
int cli_claim_across(cli_trying *t, const hol_item *step);
int cli_claim_data(cli_trying *t, const hol_item *step);
int cli_claim_picture(cli_trying *t, const hol_item *step);

/* ---- texts ---- */

/* The text with the values that it names in braces put in: {x}, {x:.2f}, {=as written}. Braces that
 * name nothing are an error where strict. checked: a figure that is not in braces is one too. NULL
 * after an error at the item. */
const char *cli_claim_insert(cli_trying *t, const hol_item *item, const char *text, int strict,
                             int checked);

/* A number by the format ".2f", ".1e", ".6g" or "d"; 0 where it is none. */
int cli_claim_format(const char *format, double value, size_t size, char *buf);

/* A paragraph on the page: a blank line, then the text in lines. */
void cli_claim_paragraph(cli_trying *t, const char *text);

/* The path of a file in the scratch folder. */
char *cli_claim_scratch(cli_trying *t, const char *name);

/* The same for a file that an item names; NULL after an error where that leads elsewhere. */
const char *cli_claim_file(cli_trying *t, const hol_item *item, const char *name);

#endif
