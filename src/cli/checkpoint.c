/* checkpoint.c: when a run writes checkpoints, and what it notes in them for `resume`.
 *
 * The notes are the folder, the model and the options of the run as they were given, and the time
 * of the last record. A checkpoint that cannot be written does not end the run: the error is said,
 * the older one stays, and the next is tried at its time.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/run.h"
#include "common/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OWN_NOTES = 3, FOLDER_SIZE = 4096 };

/* Seconds that a run which is to stop waits for readers of its results. */
static const double PATIENCE = 6;

/* ---- what was asked for ---- */

static const struct unit_row {
    const char *name;
    double seconds;
} units[] = {{"", 1}, {"s", 1}, {"min", 60}, {"h", 3600}};

/* A time that an option gives, in seconds; 0 where it was not given, and after a mistake, which
 * clears *good. */
static double duration(cli_run *run, const char *name, int *good) {
    const char *text = cli_args_value(run->args, name), *end;
    if (!text) return 0;
    const double value = hol__number_read(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (end != text && strcmp(end + strspn(end, " "), units[i].name) == 0 && value > 0 &&
            isfinite(value))
            return value * units[i].seconds;
    cli_usage(run->cli, run->printing->command,
              "'--%s %s': give a time above 0, such as 10s, 5min or 1h", name, text);
    *good = 0;
    return 0;
}

/* Whether one of the results goes into a stream. */
static int has_stream(const cli_run *run) {
    for (int i = 0; i < run->outputs.n; i++)
        if (strncmp(run->outputs.items[i].path, "stream:", 7) == 0) return 1;
    return 0;
}

/* A path for a shell; NULL without memory. */
static char *quoted(const char *path) {
    const size_t n = strlen(path);
    const int plain = strcspn(path, " \t\n'\"\\$&;()<>|*?[]#~`!") == n;
    char *made = malloc(4 * n + 3), *at = made;
    if (!made) return NULL;
    if (!plain) *at++ = '\'';
    for (const char *s = path; *s; s++) {
        if (*s == '\'') memcpy(at, "'\\'", 3), at += 3;
        *at++ = *s;
    }
    if (!plain) *at++ = '\'';
    *at = '\0';
    return made;
}

/* The names of the checkpoint; 0 without memory. */
static int choose_names(cli_run *run, int asked) {
    cli_checkpoint *c = &run->checkpoint;
    const char *first = run->outputs.n ? run->outputs.items[0].path : NULL;
    if (!c->path && first && !has_stream(run)) c->path = cli_path_from(first, ".checkpoint", 0);
    if (!c->path && !first && asked) c->path = cli_path_from(run->path, ".checkpoint", 1);
    if (c->path) c->word = quoted(first ? first : c->path);
    if ((c->path && c->word) || (!asked && (!first || has_stream(run)))) return 1;
    cli_report(run->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    return 0;
}

int cli_checkpoint_choose(cli_run *run) {
    cli_checkpoint *c = &run->checkpoint;
    int good = 1;
    c->every = duration(run, "checkpoint", &good);
    if (good) c->simulated = duration(run, "checkpoint-simulated", &good);
    const int asked = c->every > 0 || c->simulated > 0;
    if (good && asked && has_stream(run)) {
        cli_usage(run->cli, run->printing->command,
                  "there are no checkpoints of a run into a stream: what was sent cannot be taken "
                  "back");
        good = 0;
    }
    if (!good || !choose_names(run, asked)) return 0;
    c->last = hol__clock_wall();
    c->next = -INFINITY;
    return !asked || hol_output_check(run->cli->ctx, c->path) == HOL_OK;
}

void cli_checkpoint_free(cli_run *run) {
    free(run->checkpoint.path);
    free(run->checkpoint.word);
}

/* ---- writing ---- */

/* The notes for `resume`; how many. */
static int take_notes(const cli_run *run, hol_note *notes, char folder[FOLDER_SIZE],
                      char recorded[HOL__NUMBER_SIZE]) {
    int n = 0;
    if (!getcwd(folder, FOLDER_SIZE)) folder[0] = '\0';
    notes[n++] = (hol_note){CLI_NOTE_FOLDER, folder};
    notes[n++] = (hol_note){CLI_NOTE_MODEL, run->path};
    notes[n++] = (hol_note){CLI_NOTE_RECORDED, hol__number_text(run->recorded, recorded)};
    for (int i = 0; i < run->args->n_given; i++) {
        const cli_given *given = &run->args->given[i];
        if (given->option->argument)
            notes[n++] = (hol_note){given->option->name, given->value};
        else if (strcmp(given->option->name, "no-output") == 0 ||
                 strcmp(given->option->name, "compiled") == 0)
            notes[n++] = (hol_note){given->option->name, ""};
    }
    return n;
}

/* Write a checkpoint now. */
static hol_status write_now(cli_run *run, hol_sim *sim) {
    char folder[FOLDER_SIZE], recorded[HOL__NUMBER_SIZE];
    const size_t most = (size_t)run->args->n_given + OWN_NOTES, files = (size_t)run->outputs.n;
    hol_note *notes = calloc(most, sizeof *notes);
    hol_writer **writers = calloc(files + 1, sizeof *writers);
    hol_status status = HOL_ERR_MEMORY;
    if (notes && writers) {
        for (size_t i = 0; i < files; i++) writers[i] = run->outputs.items[i].writer;
        const hol_checkpoint_parts parts = {.size = sizeof parts,
                                            .n_writers = run->outputs.n,
                                            .writers = writers,
                                            .n_notes = take_notes(run, notes, folder, recorded),
                                            .notes = notes};
        status = hol_checkpoint_write(sim, run->checkpoint.path, &parts);
    }
    free(notes);
    free(writers);
    return status;
}

/* Whether it is time for a checkpoint. */
static int is_due(cli_checkpoint *c, double t, double now) {
    const int first = c->next == -INFINITY;
    if (first && c->simulated > 0) c->next = c->simulated * (floor(t / c->simulated) + 1);
    return (c->every > 0 && now - c->last >= c->every) || (c->simulated > 0 && t >= c->next);
}

/* Note that one was written, or could not be. */
static void mark_written(cli_checkpoint *c, double t, hol_status status) {
    c->last = hol__clock_wall();
    if (c->simulated > 0) c->next = c->simulated * (floor(t / c->simulated) + 1);
    if (status) return;
    c->written = 1;
    c->t = t;
}

/* The last checkpoint of a run that is to stop; readers of the results are waited for. */
static void write_last(cli_run *run, hol_sim *sim, double t) {
    const double end = hol__clock_wall() + PATIENCE;
    const struct timespec moment = {0, 10000000};
    hol_status status = write_now(run, sim);
    while (status == HOL_RETRY && hol__clock_wall() < end) {
        nanosleep(&moment, NULL);
        status = write_now(run, sim);
    }
    mark_written(&run->checkpoint, t, status);
}

hol_status cli_checkpoint_pause(void *user, hol_sim *sim) {
    cli_run *run = user;
    cli_checkpoint *c = &run->checkpoint;
    const double t = hol_data_time(hol_sim_data(sim));
    if (cli_interrupt_signal()) {
        if (c->path) write_last(run, sim, t);
        return HOL_ERR_INTERRUPTED;
    }
    if (!is_due(c, t, c->every > 0 ? hol__clock_wall() : 0)) return HOL_OK;
    const hol_status status = write_now(run, sim);
    if (status != HOL_RETRY) mark_written(c, t, status);
    return HOL_OK;
}

const char *cli_checkpoint_word(const cli_run *run) {
    const cli_checkpoint *c = &run->checkpoint;
    return c->written || c->from ? c->word : NULL;
}

void cli_checkpoint_remove(cli_run *run) {
    const cli_checkpoint *c = &run->checkpoint;
    if (c->path && (c->written || c->from)) hol_checkpoint_remove(run->cli->ctx, c->path);
}
