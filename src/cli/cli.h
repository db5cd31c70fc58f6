/* cli.h: what the subcommands of the program share.
 *
 * The program is a client of the public headers, and shares only src/common with the library. A
 * subcommand is one file with one row of type cli_command; the row holds the table of its options,
 * from which come the parser and the help. Data goes to stdout, messages to stderr.
 */
#ifndef HOL_CLI_CLI_H
#define HOL_CLI_CLI_H

#include "common/nearest.h"
#include "common/number.h"
#include "common/utf8.h"

#include <holonom/holonom.h>

#include <stdio.h>

/* What the program returns; `holonom help` prints the list of exits.c. */
enum {
    CLI_OK = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_INPUT = 3,
    CLI_IO = 4,
    CLI_ASSEMBLY = 5,
    CLI_FEATURE = 6,
    CLI_MEMORY = 7,
    CLI_BEYOND = 8,
    CLI_UNCERTIFIED = 9,
    CLI_NOT_TRUE = 10,
    CLI_IN_PART = 11
};

/* The exit code that goes with a status of the library. */
int cli_exit_code(hol_status status);

/* The i-th exit code and what it means, 0 past the end; all of them, for the help. */
int cli_exit_get(int i, const char **code, const char **text);
void cli_print_exit_codes(FILE *out);

/* ---- the command line ---- */

typedef struct cli_session cli_session;
typedef struct cli_args cli_args;

/* Why the words of the command line could not be read: what was reported, or else a mistake in
 * them. */
hol_status cli_why_unread(const cli_session *cli);

/* One option of a subcommand. */
typedef struct cli_option {
    const char *name;     /* "output", without dashes; NULL ends a table */
    char letter;          /* 'o', or 0 */
    const char *argument; /* what follows it, "FILE"; NULL for a switch */
    const char *key;      /* the path in the model that its value goes to, or NULL */
    const char *doc;
} cli_option;

/* One subcommand. */
typedef struct cli_command {
    const char *name;
    const char *arguments; /* "MODEL" */
    const char *title;     /* one line */
    const char *text;      /* more lines for its help, or NULL */
    const cli_option *options;
    int min_words, max_words; /* arguments that are not options; max -1: any number */
    int (*run)(cli_session *cli, const cli_args *args);
} cli_command;

/* An option that was given, with its value. */
typedef struct cli_given {
    const cli_option *option;
    const char *value;
} cli_given;

struct cli_args {
    const cli_command *command;
    int n_given, n_words;
    cli_given *given;
    const char **words;
};

/* The subcommands, in the order of the help; NULL past the end. */
const cli_command *cli_command_get(int i);
const cli_command *cli_command_find(const char *name);

/* Parse the words after the subcommand; 0 after a mistake, which is reported. Free with
 * cli_args_free. */
int cli_args_parse(cli_session *cli, const cli_command *command, int argc, char **argv,
                   cli_args *args);
void cli_args_free(cli_args *args);

/* Whether the option was given, and its last value (NULL when it was not). */
int cli_args_has(const cli_args *args, const char *name);
const char *cli_args_value(const cli_args *args, const char *name);

/* Whether --json is among the words, before they are parsed. */
int cli_args_ask_json(int argc, char **argv);

/* ---- messages ---- */

typedef struct cli_message {
    hol_severity severity;
    char *text;           /* as it was said */
    hol_message as_given; /* its parts, copied */
} cli_message;

/* The context and everything that was said through it and by the program. */
struct cli_session {
    hol_context *ctx;
    int quiet;         /* no notes */
    int color;         /* stderr takes colours */
    int progress;      /* a progress line stands on the terminal */
    hol_status status; /* of the first error; HOL_OK while there is none */
    int n_messages, capacity, n_sources;
    cli_message *messages;
};

/* Set up; 0 when there is no memory. */
int cli_init(cli_session *cli);
void cli_free(cli_session *cli);

/* A message of the program itself. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void cli_report(cli_session *cli, hol_severity severity, hol_status status,
                const char *format, ...);

/* Wrong use of the program: an error, and where the help is. Returns CLI_USAGE. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int cli_usage(cli_session *cli, const cli_command *command, const char *format, ...);

/* Whether the stream is a terminal that understands escape sequences. */
int cli_is_terminal(FILE *stream);

/* Take the progress line off the terminal. */
void cli_progress_clear(cli_session *cli);

/* ---- printing ---- */

enum { CLI_WIDTH = 100 };

/* Line number `line` of a file without its end; free it. NULL when there is none. */
char *cli_read_line(const char *path, int line);

/* Texts of models, results and the command line on a stream: characters that would drive a
 * terminal, and bytes that are not UTF-8, are written out (\x1b, \u202e). Everything that is not a
 * literal is printed by these (tools/check_printing.sh). */
void cli_put(FILE *out, const char *text, size_t n);
void cli_puts(FILE *out, const char *text);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void cli_printf(FILE *out, const char *format, ...);

/* Text, then spaces up to the width. */
void cli_print_padded(FILE *out, const char *text, int width);

/* The list of an import or an export, which get gives row by row, the counts of its kinds and the
 * file that was written, unless --quiet. */
typedef const hol_import_note *cli_note_get(const void *of, int i);
void cli_print_notes(const cli_args *args, int n, cli_note_get *get, const void *of,
                     const char *path);

/* A line of a table of extremes over all steps; first: with its head. */
void cli_print_extremes(FILE *out, const hol_column *column, const hol_extremes *x, int first);

/* Text broken at spaces to CLI_WIDTH; the cursor stands at column indent, where further lines start
 * too. */
void cli_print_wrapped(FILE *out, int indent, const char *text);

/* A line "label  text" with the text wrapped at column width. */
void cli_print_row(FILE *out, int indent, int width, const char *label, const char *text);

/* Lines as they are, each behind indent spaces. */
void cli_print_block(FILE *out, int indent, const char *text);

/* One cell of a CSV file, in quotes where it needs them. */
void cli_print_cell(FILE *out, const char *text);

/* The options of a simulation as a table. */
void cli_print_simulation_options(FILE *out, int indent);

/* The value range or the choices of an option, "" where every value goes. */
const char *cli_option_range(const hol_option *option, char *buf, size_t size);

/* The help of a subcommand (NULL: of the program), and its manual page. */
void cli_print_help(FILE *out, const cli_command *command);
void cli_print_manual(FILE *out, const cli_command *command);

/* ---- numbers that options give ---- */

/* The number that an option gives, otherwise the other; *good is cleared when it is none, or not
 * within its limits. */
double cli_number(cli_session *cli, const cli_args *args, const char *name, double otherwise,
                  double low, double high, int *good);

/* The numbers that an option that was given lists, with commas between them, to be freed; NULL
 * after a mistake, which says what was wanted, or without memory. */
double *cli_numbers(cli_session *cli, const cli_args *args, const char *name, const char *wanted,
                    int *n);

/* The words that an option lists, with commas between them, and how many: none where it was not
 * given. To be freed, all at once; NULL after a mistake, or without memory. */
const char **cli_words(cli_session *cli, const cli_args *args, const char *name, int *n);

/* ---- files that are written ---- */

/* The name of a file with another ending, such as ".html", beside it or (here) in the current
 * folder; NULL without memory. */
char *cli_path_from(const char *path, const char *ending, int here);

/* Whether two names are those of one file. */
int cli_is_same_file(const char *a, const char *b);

/* Report that a file ("the page") could not be written, unless something said why already. */
void cli_not_written(cli_session *cli, hol_status status, const char *what);

/* The end of a command that writes one file: that report, or its name unless --quiet; returns the
 * exit code. */
int cli_written(cli_session *cli, const cli_args *args, hol_status status, const char *what,
                const char *path);

/* What pictures and scenes show beside the mechanism (show.c): the row of the option with its
 * default in words, and its HOL_MOTION_... bits; 0 after a mistake. */
#define CLI_SHOW(initial)                                                                          \
    {                                                                                              \
        "show", 0, "LIST", NULL,                                                                   \
            "What is shown beside the mechanism, of trails (of measured points, or of mass "       \
            "centres where none is measured), reactions, forces, axes (of the bodies' frames), "   \
            "or "                                                                                  \
            "none (default: " initial ")."                                                         \
    }
int cli_read_show(cli_session *cli, const cli_args *args, unsigned *bits);

/* ---- models ---- */

/* The row that says which files a model may name, for all that read models; the rows that set
 * options of the simulation too, for the tables of `run` and `check`. */
#define CLI_INCLUDE_ROOT                                                                           \
    {                                                                                              \
        "include-root", 0, "DIR", NULL,                                                            \
            "Files named by the model (includes, tables, meshes) must be in or below this folder " \
            "(default: the folder of the model file)."                                             \
    }
#define CLI_MODEL_OPTIONS                                                                          \
    {"set", 's', "KEY=VALUE", NULL,                                                                \
     "Set a parameter, an option of the simulation or any value of the model by its path, such "   \
     "as bodies.crank.mass or gravity.1 (items of a list count from 0); 'gravity=[0, -1.62]' and " \
     "'forces.push={type: force, …}' set a whole list or map. May be given several times."},       \
        {"method", 'm', "M", "simulation.method", "How the equations are solved."},                \
        {"integrator", 0, "I", "simulation.integrator", "The integration formula."},               \
        {"kernel", 0, "K", "simulation.kernel", "The linear solver inside the method."},           \
        {"correction", 0, "C", "simulation.correction",                                            \
         "What restores the constraints inside each step."},                                       \
        {"coordinates", 0, "C", "simulation.coordinates",                                          \
         "The unknowns: reference, natural, relative or auto."},                                   \
        {"basis", 0, "B", "simulation.basis",                                                      \
         "Basis of the directions that the constraints leave free."},                              \
        {"stabilizer", 0, "S", "simulation.stabilizer",                                            \
         "Terms that pull the motion back onto the constraints."},                                 \
        {"gains", 0, "G", "simulation.gains", "How the gains of Baumgarte's terms are chosen."},   \
        {"units", 'u', "LIST", "simulation.units",                                                 \
         "Units of results, such as angle=deg,length=mm."},                                        \
        {"step", 0, "H", "simulation.step", "Fixed step in seconds; 0 chooses steps by error."},   \
        {"tol", 0, "T", "simulation.tolerance",                                                    \
         "Local error allowed per step; with tolerance_kind=end that of the results."},            \
        CLI_INCLUDE_ROOT, {                                                                        \
        "end", 0, "T", "simulation.end", "Time at which the run ends, in seconds."                 \
    }

/* Read the model file and apply the options of the command line in their order; NULL after
 * errors. */
hol_spec *cli_load_spec(cli_session *cli, const cli_args *args, const char *path);

/* The same, and compile; NULL after
 * errors. *options receives how it is to be run. */
hol_model *cli_load(cli_session *cli, const cli_args *args, const char *path,
                    hol_options **options);

/* The same for a run: in the cheapest coordinates, where these and the method are left open; and
 * the second half of it. */
hol_model *cli_model_to_run(cli_session *cli, const hol_spec *spec, hol_options **options);
hol_model *cli_load_to_run(cli_session *cli, const cli_args *args, const char *path,
                           hol_options **options);

/* The description that a result (.h5) holds, for the coordinates of its run; and the model of it,
 * compiled. */
hol_spec *cli_stored_spec(cli_session *cli, const char *path);
hol_model *cli_load_stored(cli_session *cli, const char *path, hol_options **options);

/* ---- answers of analyses ---- */

/* The rows that every command with an answer has, behind CLI_MODEL_OPTIONS. */
#define CLI_ANSWER_OPTIONS                                                                         \
    {"output", 'o', "FILE", NULL,                                                                  \
     "Write the answer to this file; the extension sets its format: .html (a page), .txt, .json, " \
     ".csv (a file "                                                                               \
     "for each table), .h5, .mat, .tex. May be given several times."},                             \
        {"json", 0, NULL, NULL, "Print one JSON object instead of text."}, {                       \
        "quiet", 'q', NULL, NULL, "Do not print the answer."                                       \
    }

/* What such a command is asked about. */
typedef struct cli_question {
    cli_session *cli;
    const cli_args *args;
    void *user;
    int stored;     /* the first word is a result (.h5) */
    hol_spec *spec; /* of the model file with what the command line sets, or of the result */
    hol_options *options;
    hol_model *model;
    hol_sim *sim;
    double at;     /* its time */
    int elsewhere; /* set by the question: another process of an MPI job answers */
} cli_question;

/* How far it is opened: the description; the same, or that which a result holds; the model; the
 * model of which masses are not asked for; a simulation at the time that the option `at` says, of a
 * model file that runs up to there or of a result at the nearest record. */
typedef enum cli_wanted {
    CLI_WANTS_SPEC,
    CLI_WANTS_ANY_SPEC,
    CLI_WANTS_MODEL,
    CLI_WANTS_GEOMETRY,
    CLI_WANTS_SIM
} cli_wanted;

#define CLI_AT                                                                                     \
    {                                                                                              \
        "at", 't', "T", NULL,                                                                      \
            "At this time of a run, in seconds (default: at the start); of a result at the "       \
            "nearest "                                                                             \
            "record."                                                                              \
    }

/* The answer to a question; after an error it is said, and the status or that of the session tells
 * it. */
typedef hol_status cli_ask(cli_question *question, hol_answer **answer);

/* The whole of such a command: open, ask, print and write; user is that of the question. Returns
 * the exit code. */
int cli_answer(cli_session *cli, const cli_args *args, cli_wanted wanted, cli_ask *ask, void *user);

/* The end of such a command: in the units of the options, print the answer and write its files;
 * free it. status is that of the analysis, whose answer may be NULL. Returns the exit code. */
int cli_answer_finish(cli_session *cli, const cli_args *args, const hol_options *options,
                      hol_status status, hol_answer *answer);

/* What a model and a simulation are made of. */
hol_model_info cli_about(const hol_model *model);
hol_sim_info cli_figures(const hol_sim *sim);

/* The page of the local coordinates of all joint types; an exit code. */
int cli_schema_local(cli_session *cli);

/* Snippets of all elements for editors. */
int cli_schema_snippets(cli_session *cli);

/* The subcommands. */
extern const cli_command cli_command_run, cli_command_resume, cli_command_check,
    cli_command_methods, cli_command_elements, cli_command_options, cli_command_schema,
    cli_command_results, cli_command_report, cli_command_view, cli_command_plot,
    cli_command_animate, cli_command_compare, cli_command_equations, cli_command_generate,
    cli_command_statics, cli_command_linearize, cli_command_inverse, cli_command_gears,
    cli_command_assemble, cli_command_kinematics, cli_command_sensitivity, cli_command_optimize,
    cli_command_identify, cli_command_study, cli_command_certify, cli_command_import,
    cli_command_export, cli_command_fmu, cli_command_reproduce, cli_command_help,
    cli_command_completion, cli_command_version;

#endif
