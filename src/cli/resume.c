/* resume.c: holonom resume: a run that was stopped goes on from its last checkpoint.
 *
 * The checkpoint knows the model file and the options of the run; from them the words of `holonom
 * run` are made again. Names of files are those of the folder in which the run was started.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The words of the run, made again. */
typedef struct words {
    cli_args args;
    const char *path[1];
    char **made; /* names that were put together */
    int n_made;
} words;

/* ---- the checkpoint of a result ---- */

/* The name of the checkpoint that belongs to a result, its part, or itself; NULL without memory. */
static char *checkpoint_of(const char *file) {
    const char *dot = strrchr(file, '.');
    const size_t n = dot ? (size_t)(dot - file) : 0;
    if (n > 5 && strncmp(dot - 5, ".part", 5) == 0) {
        char *whole = strdup(file);
        if (!whole) return NULL;
        memmove(whole + n - 5, whole + n, strlen(whole + n) + 1);
        char *made = checkpoint_of(whole);
        free(whole);
        return made;
    }
    return cli_path_from(file, ".checkpoint", 0);
}

/* Read the checkpoint of a result; 0 after a message. */
static int read_checkpoint(cli_run *run, const char *file) {
    cli_checkpoint *c = &run->checkpoint;
    c->path = checkpoint_of(file);
    if (!c->path)
        cli_report(run->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    else if (access(c->path, F_OK) != 0)
        cli_report(
            run->cli, HOL_ERROR, HOL_ERR_IO,
            "there is no checkpoint '%s': they are written by 'holonom run --checkpoint 10s' "
            "and when a run is interrupted, and removed when it has ended",
            c->path);
    else
        c->from = hol_checkpoint_read(run->cli->ctx, c->path);
    return c->from != NULL;
}

/* ---- the words of the run ---- */

/* The value of a note; NULL where there is none. */
static const char *note_of(const hol_checkpoint *from, const char *key) {
    const hol_note *note;
    for (int i = 0; (note = hol_checkpoint_note(from, i)); i++)
        if (strcmp(note->key, key) == 0) return note->value;
    return NULL;
}

/* A name of a file as it is called from here; NULL without memory. */
static const char *file_from_here(words *w, const hol_checkpoint *from, const char *name) {
    char here[4096];
    const char *folder = note_of(from, CLI_NOTE_FOLDER);
    const int same = getcwd(here, sizeof here) && folder && strcmp(here, folder) == 0;
    if (same || !folder || !*folder || *name == '/' || strcmp(name, "none") == 0) return name;
    char *made = malloc(strlen(folder) + strlen(name) + 2);
    if (!made) return NULL;
    sprintf(made, "%s/%s", folder, name);
    return w->made[w->n_made++] = made;
}

/* The option of `run` of that name; NULL where there is none. */
static const cli_option *option_of(const char *name) {
    for (const cli_option *o = cli_command_run.options; o->name; o++)
        if (strcmp(o->name, name) == 0) return o;
    return NULL;
}

/* Whether the value of an option names a file. */
static int names_file(const char *option) {
    return strcmp(option, "output") == 0 || strcmp(option, "include-root") == 0;
}

/* Add an option; 0 without memory. */
static int add_option(words *w, const hol_checkpoint *from, const char *name, const char *value) {
    const cli_option *option = option_of(name);
    if (!option) return 1;
    if (from && names_file(name)) value = file_from_here(w, from, value);
    if (!value && option->argument) return 0;
    w->args.given[w->args.n_given++] = (cli_given){option, option->argument ? value : NULL};
    return 1;
}

/* The model and the options of the run, then those that are given now; 0 without memory. */
static int make_words(words *w, const hol_checkpoint *from, const cli_args *now) {
    hol_checkpoint_info info = {.size = sizeof info};
    hol_checkpoint_describe(from, &info);
    const size_t most = (size_t)(info.n_notes + now->n_given) + 1;
    *w = (words){.args = {.command = &cli_command_run, .n_words = 1}};
    w->args.given = calloc(most, sizeof *w->args.given);
    w->made = calloc(most, sizeof *w->made);
    if (!w->args.given || !w->made) return 0;
    const char *model = cli_args_value(now, "model"), *was = note_of(from, CLI_NOTE_MODEL);
    w->path[0] = model ? model : file_from_here(w, from, was ? was : "");
    w->args.words = w->path;
    int good = w->path[0] != NULL;
    for (int i = 0; i < info.n_notes && good; i++) {
        const hol_note *note = hol_checkpoint_note(from, i);
        good = add_option(w, from, note->key, note->value);
    }
    for (int i = 0; i < now->n_given && good; i++)
        good = add_option(w, NULL, now->given[i].option->name, now->given[i].value);
    return good;
}

static void free_words(words *w) {
    for (int i = 0; i < w->n_made; i++) free(w->made[i]);
    free(w->made);
    free(w->args.given);
}

/* ---- the command ---- */

static int run_resume(cli_session *cli, const cli_args *args) {
    cli_run run = {.cli = cli, .printing = args, .path = args->words[0]};
    words w = {0};
    int code;
    if (!read_checkpoint(&run, args->words[0]) || !make_words(&w, run.checkpoint.from, args)) {
        if (!cli->status) cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        run.status = cli->status;
        if (cli_args_has(args, "json")) cli_summary_json(&run);
        cli_checkpoint_free(&run);
        code = cli_exit_code(run.status);
    } else {
        const char *recorded = note_of(run.checkpoint.from, CLI_NOTE_RECORDED), *end;
        hol_checkpoint_info info = {.size = sizeof info};
        hol_checkpoint_describe(run.checkpoint.from, &info);
        run.args = &w.args;
        run.path = w.path[0];
        run.recorded = recorded ? hol__number_read(recorded, &end) : 0;
        run.checkpoint.t = info.t;
        code = cli_run_whole(&run);
    }
    free_words(&w);
    hol_checkpoint_free(run.checkpoint.from);
    return code;
}

static const cli_option options[] = {
    {"model", 0, "FILE", NULL, "The model file, where it is not where it was."},
    CLI_CHECKPOINT_OPTIONS,
    {"json", 0, NULL, NULL, "Print one JSON object instead of the summary, also after a failure."},
    {"quiet", 'q', NULL, NULL,
     "No summary, no progress line, no notes; warnings and errors remain."},
    {0},
};

const cli_command cli_command_resume = {
    .name = "resume",
    .arguments = "RESULT",
    .title = "Continue a run that was interrupted or killed, from its last checkpoint.",
    .text =
        "RESULT is the result file of the run, or its checkpoint. The run ends in the same bits "
        "as one that was never stopped (but for adams, bdf and ida, which begin anew within the "
        "tolerance): records that were written after the checkpoint are cut "
        "off and written again. The model and the options are those of the run; where the model "
        "file has changed since, or the program is another one, nothing is done.\n\n"
        "  holonom run engine.yaml -o engine.h5 --checkpoint 5min\n"
        "  holonom resume engine.h5",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_resume,
};
