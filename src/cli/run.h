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

/* Append the current state to all. */
hol_status cli_outputs_record(cli_outputs *outputs);

/* Close all; the first failure. */
hol_status cli_outputs_close(cli_outputs *outputs);
void cli_outputs_free(cli_outputs *outputs);

/* ---- interruption ---- */

/* From now on SIGINT and SIGTERM raise a flag; another one later ends the program. A signal that
 * was ignored stays so. */
void cli_interrupt_catch(void);

/* The signal that came, or 0. */
int cli_interrupt_signal(void);

/* ---- the progress line ---- */

typedef struct cli_progress {
    int active, estimated;
    double began, shown; /* seconds of a clock */
} cli_progress;

void cli_progress_start(cli_progress *progress, int active);
void cli_progress_update(cli_progress *progress, cli_session *cli, const hol_sim *sim);

/* ---- the run and its summary ---- */

typedef struct cli_run {
    cli_session *cli;
    const cli_args *args;
    const char *path;
    hol_model *model; /* NULL after errors */
    hol_options *options;
    hol_sim *sim; /* NULL after errors */
    hol_sim_info info;
    cli_outputs outputs;
    double recorded; /* the time of the last record */
    cli_progress progress;
    hol_status status;
} cli_run;

/* An instant with so many digits, in the unit that results show it in: "0.35 s". Returns buf. */
const char *cli_time_text(const hol_sim *sim, double t, int digits, char *buf, size_t size);

/* What is known of the run, for readers and for machines. */
void cli_summary_print(const cli_run *run);
void cli_summary_json(const cli_run *run);

/* The instants at which joints and forces took hold or let go. */
void cli_events_print(const cli_run *run);
void cli_events_json(hol__json *json, const cli_run *run);

#endif
