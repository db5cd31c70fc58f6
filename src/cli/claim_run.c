/* claim_run.c: the steps of a claim in turn, and its page. */
#define _XOPEN_SOURCE 700
#include "cli/claim.h"
#include "cli/run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- words ---- */

static int say(cli_trying *t, const hol_item *step) {
    static const char *const keys[] = {"say", NULL};
    const hol_item *item = hol_item_first(step);
    const char *text = hol_item_value(item);
    if (!cli_claim_keys(t->cli, step, keys)) return 0;
    if (!text) return cli_claim_error(t->cli, item, 0, "a text is expected here");
    text = cli_claim_insert(t, item, text, 1, 1);
    if (text) cli_claim_paragraph(t, text);
    return text != NULL;
}

/* What the document says, and where. */
static void put_claim(cli_trying *t, const char *text) {
    const char *leaning = cli_keep_text(&t->keep, "*%s*", text);
    if (leaning) cli_claim_paragraph(t, leaning);
}

static void put_source(cli_trying *t, const char *text) {
    const char *line = cli_keep_text(&t->keep, "Source: %s.", text);
    if (line) cli_claim_paragraph(t, line);
}

static int claim(cli_trying *t, const hol_item *step) {
    int good = 1;
    const char *text = cli_claim_text(t->cli, step, "claim", 1, &good);
    if (text) put_claim(t, text);
    return good;
}

static int source(cli_trying *t, const hol_item *step) {
    int good = 1;
    const char *text = cli_claim_text(t->cli, step, "source", 1, &good);
    if (text) put_source(t, text);
    return good;
}

/* ---- verdicts ---- */

static const char *const kinds[CLI_VERDICTS] = {"holds", "differs", "wrong"};
static const char *const titles[CLI_VERDICTS] = {"Holds", "Differs", "The print is wrong"};

/* The condition, and the text that goes with it: `holds`, or else `differs` or `wrong`. */
static int verdict(cli_trying *t, const hol_item *step) {
    static const char *const keys[] = {"verdict", "holds", "differs", "wrong", NULL};
    const hol_item *condition = hol_item_first(step);
    double value;
    if (!cli_claim_keys(t->cli, step, keys) || !cli_claim_formula(t, condition, &value)) return 0;
    cli_verdict how = value == 1                     ? CLI_HOLDS
                      : hol_item_find(step, "wrong") ? CLI_PRINT_WRONG
                                                     : CLI_DIFFERS;
    const hol_item *item = hol_item_find(step, kinds[how]);
    const char *text = hol_item_value(item);
    if (!text)
        return cli_claim_error(t->cli, condition, 0,
                               "the condition is %s, and there is no text '%s' to say so",
                               value == 1 ? "true" : "not true", kinds[how]);
    text = cli_claim_insert(t, item, text, 1, 1);
    const char *whole = text ? cli_keep_text(&t->keep, "**%s.** %s", titles[how], text) : NULL;
    cli_finding *room =
        cli_keep_room(&t->keep, t->findings, sizeof *room, t->n_findings, &t->findings_capacity);
    if (!whole || !room) return 0;
    cli_claim_paragraph(t, whole);
    t->findings = room;
    t->findings[t->n_findings++] = (cli_finding){how, text};
    t->n_holds += how == CLI_HOLDS;
    return 1;
}

/* ---- steps ---- */

static const struct step_row {
    const char *key;
    int (*carry_out)(cli_trying *t, const hol_item *step);
    int silent; /* 1: it puts nothing on the page; 2: a command */
} steps[] = {{"instructions", cli_claim_count, 2},
             {"values", cli_claim_values, 1},
             {"data", cli_claim_data, 1},
             {"table", cli_claim_table, 0},
             {"across", cli_claim_across, 0},
             {"picture", cli_claim_picture, 0},
             {"say", say, 0},
             {"claim", claim, 0},
             {"source", source, 0},
             {"verdict", verdict, 0}};

/* Say what a step can be. */
static int unknown(cli_trying *t, const hol_item *key) {
    hol__near near = hol__near_start(hol_item_key(key));
    char hint[160];
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) hol__near_try(&near, steps[i].key);
    for (int i = 0; cli_command_get(i); i++) hol__near_try(&near, cli_command_get(i)->name);
    return cli_claim_error(t->cli, key, 1,
                           "a step begins with a command (run, compare, plot, ...) or with "
                           "values, table, across, data, picture, say, claim, source or "
                           "verdict%s",
                           hol__did_you_mean(near.best, hint, sizeof hint));
}

/* One step; 0 after an error. */
static int carry_out(cli_trying *t, const hol_item *step) {
    const hol_item *key = hol_item_first(step);
    if (hol_item_kind_of(step) != HOL_ITEM_MAP || !key)
        return cli_claim_error(t->cli, step, 0, "a step is a map, e.g. {say: text}");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (strcmp(steps[i].key, hol_item_key(key)) != 0) continue;
        if (!steps[i].silent) t->after_command = 0;
        const int good = steps[i].carry_out(t, step);
        t->after_command |= steps[i].silent == 2;
        return good;
    }
    const cli_command *command = cli_command_find(hol_item_key(key));
    if (!command || strcmp(command->name, t->command) == 0) return unknown(t, key);
    if (strcmp(command->name, "resume") == 0)
        return cli_claim_error(t->cli, key, 1,
                               "a claim does not write to a run that is there; let it `run`");
    const int good = cli_claim_command(t, step, command);
    t->after_command = 1;
    return good;
}

/* ---- the whole ---- */

int cli_claim_try(cli_trying *t) {
    const cli_claim *c = t->claim;
    const char *file = hol_item_place(c->item).file, *slash = file ? strrchr(file, '/') : NULL;
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    t->program = n > 0 ? path : "holonom";
    if (!hol__scratch_make(&t->scratch)) {
        cli_report(t->cli, HOL_ERROR, HOL_ERR_IO,
                   "cannot make a folder for the files of claims: %s", strerror(errno));
        return 0;
    }
    cli_printf(t->page, "# %s\n", c->title);
    if (t->images)
        cli_printf(t->page,
                   "\n<!-- Written by `holonom reproduce --write` from %s; change that, "
                   "not this. -->\n",
                   slash ? slash + 1 : file);
    put_source(t, c->source);
    if (c->claim) put_claim(t, c->claim);
    int good = 1;
    for (const hol_item *i = hol_item_first(c->steps); i && good; i = hol_item_next(i))
        good = !cli_interrupt_signal() && carry_out(t, i);
    if (good && !t->n_findings)
        good = cli_claim_error(t->cli, c->steps, 0, "the steps of '%s' end without a verdict",
                               c->name);
    hol__scratch_remove(&t->scratch);
    return good;
}
