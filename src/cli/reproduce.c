/* reproduce.c: holonom reproduce: claims, run again. */
#define _XOPEN_SOURCE 700
#include "cli/claim.h"
#include "cli/print_json.h"
#include "cli/run.h"
#include "common/extension.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What became of all claims that were asked for. */
typedef struct tally {
    cli_session *cli;
    const cli_args *args;
    hol__json json;
    int as_json;
    const char *folder; /* of --write */
    int holds, in_part, fails, errors;
} tally;

/* ---- the list ---- */

static void list_text(const cli_claims *all) {
    int width = 0;
    for (int i = 0; i < all->n; i++) {
        const int n = hol__utf8_length(all->items[i].name);
        width = n > width ? n : width;
    }
    for (int i = 0; i < all->n; i++) {
        const cli_claim *c = &all->items[i];
        cli_print_row(stdout, 0, width + 2, c->name, c->title);
        cli_print_row(stdout, 0, width + 2, "", c->source);
    }
}

/* The texts of a list. */
static void put_texts(hol__json *json, const char *key, const hol_item *list) {
    hol__json_open_line(json, key, '[');
    for (const hol_item *i = hol_item_first(list); i; i = hol_item_next(i))
        hol__json_text(json, NULL, hol_item_value(i));
    hol__json_close(json, ']');
}

/* What a claim says of itself. */
static void put_about(hol__json *json, const cli_claim *c) {
    hol__json_text(json, "name", c->name);
    hol__json_text(json, "title", c->title);
    hol__json_text(json, "source", c->source);
    hol__json_text(json, "claim", c->claim);
    hol__json_text(json, "speed", c->fast ? "fast" : "slow");
    put_texts(json, "also", c->also);
    put_texts(json, "answers", c->answers);
}

static void list_json(const cli_claims *all) {
    hol__json json = cli_json_start(stdout);
    hol__json_text(&json, "status", hol_status_name(all->cli->status));
    hol__json_open(&json, "claims", '[');
    for (int i = 0; i < all->n; i++) {
        hol__json_open(&json, NULL, '{');
        put_about(&json, &all->items[i]);
        hol__json_close(&json, '}');
    }
    hol__json_close(&json, ']');
    cli_json_messages(&json, all->cli);
    cli_json_finish(&json);
}

/* ---- verdicts ---- */

/* "holds", "holds in part", "does not hold". */
static const char *overall(const cli_trying *t, tally *sum) {
    const int all = t->n_holds == t->n_findings;
    sum->holds += all;
    sum->in_part += t->n_holds && !all;
    sum->fails += !t->n_holds;
    return all ? "holds" : t->n_holds ? "holds in part" : "does not hold";
}

/* What was found, for machines. */
static void put_trying(hol__json *json, const cli_trying *t, const char *verdict) {
    static const char *const words[] = {"holds", "differs", "the print is wrong"};
    hol__json_open(json, NULL, '{');
    put_about(json, t->claim);
    hol__json_text(json, "verdict", verdict);
    hol__json_open(json, "findings", '[');
    for (int i = 0; i < t->n_findings; i++) {
        hol__json_open(json, NULL, '{');
        hol__json_text(json, "verdict", words[t->findings[i].verdict]);
        hol__json_text(json, "text", t->findings[i].text);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
    hol__json_open(json, "values", '{');
    for (int i = 0; i < t->n_values; i++)
        hol__json_number(json, t->values[i].name, t->values[i].number, 0);
    hol__json_close(json, '}');
    hol__json_open(json, "commands", '[');
    for (int i = 0; i < t->n_commands; i++) hol__json_text(json, NULL, t->commands[i]);
    hol__json_close(json, ']');
    hol__json_close(json, '}');
}

/* ---- one claim ---- */

/* The page to its file. */
static int write_page(tally *sum, cli_trying *t, const char *text, size_t n) {
    const char *path = cli_keep_text(&t->keep, "%s/reproduce/%s.md", sum->folder, t->claim->name);
    if (!path || hol_output_write(sum->cli->ctx, path, text, n) != HOL_OK) return 0;
    if (!sum->as_json) cli_printf(stdout, "%s\n", path);
    return 1;
}

/* Carry a claim out and say what became of it. */
static void try_claim(tally *sum, const cli_claim *claim) {
    enum { PAGE_WIDTH = 140 };
    cli_trying t = {.cli = sum->cli,
                    .claim = claim,
                    .command = sum->args->command->name,
                    .width = sum->folder ? PAGE_WIDTH : CLI_WIDTH};
    char *text = NULL;
    size_t n = 0;
    t.page = open_memstream(&text, &n);
    if (sum->folder) t.images = cli_keep_text(&t.keep, "%s/reproduce/images", sum->folder);
    int good = t.page && (!sum->folder || t.images) && cli_claim_try(&t);
    if (t.page) good &= fclose(t.page) == 0;
    if (!good && !sum->cli->status && !cli_interrupt_signal())
        cli_report(sum->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    const char *verdict = good ? overall(&t, sum) : "failed";
    if (good && sum->folder) good = write_page(sum, &t, text, n);
    if (sum->as_json)
        put_trying(&sum->json, &t, verdict);
    else if (!sum->folder && text) {
        cli_put(stdout, text, n);
        if (good)
            cli_printf(stdout, "\n%s: %s (%d of %d)\n", claim->name, verdict, t.n_holds,
                       t.n_findings);
    }
    sum->errors += !good;
    free(text);
    cli_keep_free(&t.keep);
}

/* ---- all of them ---- */

/* The folders of --write. */
static int make_folders(cli_session *cli, const char *folder) {
    char path[4096];
    static const char *const parts[] = {"", "/reproduce", "/reproduce/images"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", folder, parts[i]);
        if (mkdir(path, 0777) == 0 || errno == EEXIST) continue;
        cli_report(cli, HOL_ERROR, HOL_ERR_IO, "cannot make the folder '%s': %s", path,
                   strerror(errno));
        return 0;
    }
    return 1;
}

/* Whether all names are those of claims; says so otherwise. */
static int check_names(cli_session *cli, const cli_claims *all, int n, const char *const *names) {
    for (int i = 0; i < n; i++) {
        if (cli_claims_find(all, names[i])) continue;
        hol__near near = hol__near_start(names[i]);
        char hint[160];
        for (int k = 0; k < all->n; k++) hol__near_try(&near, all->items[k].name);
        cli_report(cli, HOL_ERROR, HOL_ERR_ARGUMENT,
                   "there is no claim '%s'%s (run 'holonom reproduce' for a list)", names[i],
                   hol__did_you_mean(near.best, hint, sizeof hint));
        return 0;
    }
    return 1;
}

/* The exit code. */
static int code_of(const tally *sum) {
    if (cli_interrupt_signal()) return 128 + cli_interrupt_signal();
    if (sum->errors) return cli_exit_code(sum->cli->status ? sum->cli->status : HOL_ERR_INPUT);
    if (sum->folder) return CLI_OK;
    if (!sum->fails && !sum->in_part) return CLI_OK;
    return sum->holds || sum->in_part ? CLI_IN_PART : CLI_NOT_TRUE;
}

/* The claims of these names, or all, or all fast ones. */
static int try_claims(tally *sum, const cli_claims *all, int n, const char *const *names) {
    const int fast = cli_args_has(sum->args, "fast");
    if (!check_names(sum->cli, all, n, names)) return CLI_USAGE;
    if (sum->folder && !make_folders(sum->cli, sum->folder)) return CLI_IO;
    cli_interrupt_catch();
    cli_interrupt_hold();
    if (sum->as_json) {
        sum->json = cli_json_start(stdout);
        hol__json_open(&sum->json, "claims", '[');
    }
    for (int i = 0; i < all->n && !cli_interrupt_signal(); i++) {
        const cli_claim *c = &all->items[i];
        int wanted = !n && (c->fast || !fast);
        for (int k = 0; k < n; k++) wanted |= cli_claims_find(all, names[k]) == c;
        if (!wanted) continue;
        try_claim(sum, c);
        if (cli_interrupt_signal())
            cli_report(sum->cli, HOL_WARNING, HOL_OK, "interrupted while running '%s'", c->name);
    }
    if (sum->as_json) {
        hol__json_close(&sum->json, ']');
        hol__json_text(&sum->json, "status", hol_status_name(sum->cli->status));
        cli_json_messages(&sum->json, sum->cli);
        cli_json_finish(&sum->json);
    }
    return code_of(sum);
}

static int run_reproduce(cli_session *cli, const cli_args *args) {
    const int is_file = args->n_words && (hol__has_extension(args->words[0], ".yaml") ||
                                          hol__has_extension(args->words[0], ".yml"));
    cli_claims all = {.cli = cli};
    tally sum = {.cli = cli,
                 .args = args,
                 .as_json = cli_args_has(args, "json"),
                 .folder = cli_args_value(args, "write")};
    cli->quiet = cli_args_has(args, "quiet");
    int code = CLI_OK;
    const int n = args->n_words - is_file;
    const int runs = n || sum.folder || cli_args_has(args, "all") || cli_args_has(args, "fast");
    if (!cli_claims_read(&all, is_file ? args->words[0] : NULL))
        code = cli_exit_code(cli->status ? cli->status : HOL_ERR_MEMORY);
    else if (runs)
        code = try_claims(&sum, &all, n, args->words + is_file);
    if (!runs || (code && sum.as_json && !sum.json.put)) {
        if (sum.as_json)
            list_json(&all);
        else
            list_text(&all);
    }
    cli_claims_free(&all);
    return code;
}

static const cli_option options[] = {
    {"all", 'a', NULL, NULL, "Run all claims."},
    {"fast", 0, NULL, NULL, "Run all claims that take a few seconds at most."},
    {"write", 0, "DIR", NULL,
     "Write a page for each claim to DIR/reproduce, and its pictures to DIR/reproduce/images, "
     "instead of printing it."},
    {"json", 0, NULL, NULL, "Print one JSON object: the list, or verdicts, values and commands."},
    {"quiet", 'q', NULL, NULL, "No notes."},
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_reproduce = {
    "reproduce",
    "[FILE.yaml] [NAME...]",
    "Run claims from the literature, or your own, and say whether they hold.",
    "Without names the claims are listed. A claim is run by commands of this program, which are "
    "shown; what they compute is compared with what is claimed. The exit code is 0 where every "
    "claim holds, 10 where none does and 11 where some do, or hold in part. With --write it only "
    "says whether the pages could be written.\n\n"
    "holonom reproduce                        # the list\n"
    "holonom reproduce bg-04-steps            # one claim\n"
    "holonom reproduce my_claims.yaml --all   # claims of your own (docs/questions/reproduce.md)",
    options,
    0,
    -1,
    run_reproduce,
};
