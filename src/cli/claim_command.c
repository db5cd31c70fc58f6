/* claim_command.c: a step of a claim that is a command of this program, run as a program of its
 * own: what it printed under --json is kept as rows. `as` names them; `each: {name: [a, b]}`
 * repeats the command, and its rows say which turn they are of.
 */
#include "cli/claim_words.h"

#include <string.h>

/* All words of the step, and beside what is asked: for machines, and nothing that nobody looks
 * at. */
static int make_words(cli_claim_words *w, const cli_command *command, const hol_item *step) {
    static const char *const others[] = {"as", "each", NULL};
    cli_words_real(w, w->t->program);
    cli_words_shown(w, "holonom");
    cli_words_real(w, command->name);
    cli_words_shown(w, command->name);
    if (!cli_words_make(w, command, step, others)) return 0;
    if (cli_words_has(command, "json")) cli_words_real(w, "--json");
    if (cli_words_has(command, "quiet")) cli_words_real(w, "--quiet");
    if (strcmp(command->name, "compare") == 0) cli_words_real(w, "--repeat=1");
    if (strcmp(command->name, "run") == 0 && !hol_item_find(step, "output"))
        cli_words_real(w, "--no-output");
    if (!w->failed) w->real[w->n] = NULL;
    return !w->failed;
}

/* Keep the rows of the object that the command printed: one for each run of a comparison; none
 * where it has written its answer to a file instead. */
static int keep_rows(cli_trying *t, const char *name, const char *path) {
    char start[2];
    cli_words_start(path, sizeof start, start);
    if (!*start) return 1;
    hol_document *document = hol_document_read(t->cli->ctx, path);
    const hol_item *root = hol_document_root(document), *list = hol_item_find(root, "rows");
    int good = document != NULL;
    if (hol_item_kind_of(list) == HOL_ITEM_LIST)
        for (const hol_item *i = hol_item_first(list); i && good; i = hol_item_next(i))
            good = cli_row_keep(t, name, i);
    else if (good)
        good = cli_row_keep(t, name, root);
    hol_document_free(document);
    return good;
}

/* Run the words; a run that stops, or ends beyond its tolerances, has its place in the rows. */
static int carry_out(cli_trying *t, const cli_claim_words *w, const cli_command *command,
                     const hol_item *step) {
    const char *out = NULL, *log = NULL, *name = hol_item_value(hol_item_find(step, "as"));
    const int code = cli_words_run(w, step, &out, &log);
    const int runs = strcmp(command->name, "run") == 0 || strcmp(command->name, "compare") == 0;
    char start[400];
    if (code < 0) return 0;
    cli_words_start(log, sizeof start, start);
    if (code != CLI_OK && !(runs && (code == CLI_FAILED || code == CLI_BEYOND)))
        return cli_claim_error(t->cli, step, 0, "holonom %s ended with exit code %d: %s",
                               command->name, code,
                               *start ? start
                                      : "it could not even say why; is there room in the folder "
                                        "for temporary files?");
    if (!cli_words_has(command, "json")) return 1;
    return keep_rows(t, name ? name : command->name, out);
}

/* ---- the step ---- */

/* Once, with what `each` stands for. */
static int run_once(cli_trying *t, const hol_item *step, const cli_command *command,
                    const hol_item *each, int first) {
    cli_claim_words w = {.t = t};
    return make_words(&w, command, step) && (!first || cli_words_show(&w, each)) &&
           carry_out(t, &w, command, step);
}

int cli_claim_command(cli_trying *t, const hol_item *step, const cli_command *command) {
    return cli_claim_each(t, step, command, run_once);
}
