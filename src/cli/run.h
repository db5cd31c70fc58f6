/* run.h: the pieces of `holonom run`: result files, the progress line, the summary,
 * interruption. */
#ifndef HOL_CLI_RUN_H
#define HOL_CLI_RUN_H

#include "cli/cli.h"
#include "common/json.h"

/* ---- result files ---- */

typedef struct cli_output {
    const char *path;
    char *part;  /* the name that it kept, where it was not given its own; else NULL */
    int written; /* closed without an error */
    hol_writer *writer;
} cli_output;

typedef struct cli_outputs {
    int n, is_open;
    cli_output *items;
    char *own_path; /* of the file that is written when none is named */
} cli_outputs;

/* The files that the options name, or the default; 0 after wrong use. */
int cli_outputs_choose(cli_session *cli, const cli_args *args, const char *model_path,
                       cli_outputs *outputs);

/* Open all or none. */
hol_status cli_outputs_open(cli_session *cli, cli_outputs *outputs, hol_sim *sim);

/* Go on with the files of a checkpoint; all or none. */
hol_status cli_outputs_resume(cli_session *cli, cli_outputs *outputs, hol_sim *sim,
                              const hol_checkpoint *from);

/* Append the current state to all. */
hol_status cli_outputs_record(cli_outputs *outputs);

/* Close all; the first failure. */
hol_status cli_outputs_close(cli_outputs *outputs);
void cli_outputs_free(cli_outputs *outputs);

/* ---- interruption ---- */

/* From now on SIGINT, SIGTERM and SIGHUP raise a flag; another one later ends the program. A signal
 * that was ignored stays so. */
void cli_interrupt_catch(void);

/* The signal that came, or 0. */
int cli_interrupt_signal(void);

/* From now on further signals only raise the flag: the program sees it soon, and cleans up. */
void cli_interrupt_hold(void);

/* From now on, until it is called with 0, a signal that is not caught ends the program with a
 * warning that there is no answer yet. */
void cli_interrupt_tell(int early);

/* ---- the progress line ---- */

typedef struct cli_progress {
    int active, estimated;
    double began, shown; /* seconds of a clock */
} cli_progress;

void cli_progress_start(cli_progress *progress, int active);
void cli_progress_update(cli_progress *progress, cli_session *cli, const hol_sim *sim);

/* ---- checkpoints ---- */

typedef struct cli_checkpoint {
    char *path;              /* of the file; NULL: none can be written */
    char *word;              /* what `resume` is to be given, in quotes where it needs them */
    double every, simulated; /* seconds of the clock and of the run between two; 0: none */
    double last, next;       /* when the last one was written, when the next is due in the run */
    double t;                /* the time that the last one holds */
    int written;             /* there is one of this run */
    hol_checkpoint *from;    /* what the run goes on from; NULL: it begins */
} cli_checkpoint;

/* The keys of the notes that a checkpoint of the program has beside the options of `run`. */
#define CLI_NOTE_FOLDER "folder"
#define CLI_NOTE_MODEL "model"
#define CLI_NOTE_RECORDED "recorded"

/* ---- the run and its summary ---- */

typedef struct cli_run {
    cli_session *cli;
    const cli_args *args;     /* what to run */
    const cli_args *printing; /* how to print it: --json, --quiet */
    const char *path;
    hol_spec *spec;         /* kept for --certify; else NULL */
    const hol_model *model; /* NULL after errors */
    hol_model *made;        /* the same, where the run has made it */
    hol_options *options;
    hol_sim *sim;     /* NULL after errors */
    hol_code *code;   /* with --compiled; else NULL */
    hol_study *study; /* whose case it is, and whose the simulation; else NULL */
    long long number; /* of that case */
    hol_sim_info info;
    cli_outputs outputs;
    cli_checkpoint checkpoint;
    double recorded; /* the time of the last record */
    cli_progress progress;
    hol_status status;
    int uncertified; /* --certify: the run has not the digits that it should */
} cli_run;

/* --compiled: what the description has to say, where it leaves that open; and the code, for the
 * simulation of the run. */
hol_status cli_compiled_prepare(cli_session *cli, hol_spec *spec);
hol_status cli_compiled_use(cli_run *run, const hol_spec *spec);

/* Load, run and print, for `run` and `resume`: run holds the words of the command line, and what to
 * go on from. Returns the exit code. */
int cli_run_whole(cli_run *run);

/* What the options say of checkpoints; 0 after a mistake. */
int cli_checkpoint_choose(cli_run *run);
void cli_checkpoint_free(cli_run *run);

/* Between steps: write a checkpoint where one is due; after a signal write one and stop. */
hol_status cli_checkpoint_pause(void *user, hol_sim *sim);

/* What `resume` is to be given to go on with the run; NULL where there is no checkpoint. */
const char *cli_checkpoint_word(const cli_run *run);

/* The run ended as it should: its checkpoint is not needed any more. */
void cli_checkpoint_remove(cli_run *run);

/* The rows of options about checkpoints. */
#define CLI_CHECKPOINT_OPTIONS                                                                     \
    {"checkpoint", 0, "TIME", NULL,                                                                \
     "Write a checkpoint at this interval of wall-clock time (10s, 5min, 1h); 'holonom resume "    \
     "FILE' "                                                                                      \
     "continues from the last one, however the run ended. It is named after the first result "     \
     "file, "                                                                                      \
     "with the extension .checkpoint."},                                                           \
    {                                                                                              \
        "checkpoint-simulated", 0, "TIME", NULL, "The same at an interval of simulated time."      \
    }

/* Room for a time with its unit. */
enum { CLI_TIME_SIZE = HOL_UNIT_SIZE + 32 };

/* An instant with so many digits, in the unit that results show it in: "0.35 s". Returns buf. */
const char *cli_time_text(const hol_sim *sim, double t, int digits, char *buf, size_t size);

/* What is known of the run, for readers and for machines. */
void cli_summary_print(const cli_run *run);
void cli_summary_json(const cli_run *run);

/* The instants at which joints and forces took hold or let go. */
void cli_events_print(const cli_run *run);
void cli_events_json(hol__json *json, const cli_run *run);

#endif
