/* claim_words.c: the words of a command that a step of a claim is, and how the page shows them.
 *
 * The first key of the step is the command, its value the words behind it; every other key is an
 * option of the command by its own name, so that the step says what a user would type. A list is
 * written with commas where the option takes a list and as several options elsewhere; a map as
 * KEY=VALUE. {name} stands for a value, or for what `each` gives it.
 *
 * Files that the command writes go to the scratch folder of the claim, and nowhere else: whoever
 * runs a claim of somebody else keeps what he has. Files that it reads are sought there and then in
 * the folder of the claim.
 */
#define _XOPEN_SOURCE 700
#include "cli/claim_words.h"
#include "cli/run.h"
#include "common/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef cli_claim_words words;

void cli_words_real(cli_claim_words *w, const char *text) {
    char **room = cli_keep_room(&w->t->keep, w->real, sizeof *room, w->n + 1, &w->capacity);
    if (room) w->real = room;
    w->failed |= !room || !text;
    if (room && text) room[w->n++] = (char *)text;
}

void cli_words_shown(cli_claim_words *w, const char *text) {
    const char **room =
        cli_keep_room(&w->t->keep, w->shown, sizeof *room, w->n_shown + 1, &w->shown_capacity);
    if (room) w->shown = room;
    w->failed |= !room || !text;
    if (room && text) room[w->n_shown++] = text;
}

/* ---- files ---- */

char *cli_claim_scratch(cli_trying *t, const char *name) {
    return cli_keep_text(&t->keep, "%s/%s", t->scratch.path, name);
}

/* Whether the name leads to a place below the folder where it is sought. */
static int stays_below(const char *name) {
    if (!*name || *name == '/') return 0;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        const size_t n = strcspn(part, "/");
        if (n == 2 && strncmp(part, "..", n) == 0) return 0;
    }
    return 1;
}

const char *cli_claim_file(cli_trying *t, const hol_item *item, const char *name) {
    if (stays_below(name)) return cli_claim_scratch(t, name);
    cli_claim_error(t->cli, item, 0,
                    "'%s' does not lie in the folder of the claim's files: write a plain name such "
                    "as out.csv",
                    name);
    return NULL;
}

/* The file of that name that a step has written, or that lies in the folder of the claim; otherwise
 * the word itself. */
static const char *input_of(cli_trying *t, const char *word) {
    const char *written = cli_claim_scratch(t, word);
    const char *there = cli_keep_text(&t->keep, "%s/%s", t->claim->folder, word);
    if (written && *word && access(written, R_OK) == 0) return written;
    if (there && *word && access(there, R_OK) == 0) return there;
    return word;
}

/* Whether the option names what the command writes. */
static int is_written(const cli_option *o) {
    static const char *const names[] = {"output", "plot", "folder", "modes", "motion", "model"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(o->name, names[i]) == 0) return strcmp(o->argument, "RESULT") != 0;
    return 0;
}

/* The value of an option as the program is given it; NULL after an error. */
static const char *real_value(cli_trying *t, const hol_item *item, const cli_option *o,
                              const char *text) {
    if (strcmp(text, "none") == 0) return text;
    if (is_written(o)) return cli_claim_file(t, item, text);
    return strcmp(o->argument, "FILE") == 0 ? input_of(t, text) : text;
}

/* ---- words ---- */

/* The text of an item with values put in, as it is and as it is shown. */
static int insert_both(words *w, const hol_item *item, const char **real, const char **shown) {
    cli_trying *t = w->t;
    const char *text = hol_item_value(item), *each = t->each_text;
    if (!text) return cli_claim_error(t->cli, item, 0, "a text is expected here");
    *real = cli_claim_insert(t, item, text, 0, 0);
    if (each) t->each_text = cli_keep_text(&t->keep, "$%s", t->each_name);
    *shown = cli_claim_insert(t, item, text, 0, 0);
    t->each_text = each;
    return *real && *shown;
}

/* A text, or the texts of a list with commas between them. */
static int joined(words *w, const hol_item *item, const char **real, const char **shown) {
    cli_trying *t = w->t;
    if (hol_item_kind_of(item) != HOL_ITEM_LIST) return insert_both(w, item, real, shown);
    cli_grown whole = {0}, seen = {0};
    int good = cli_keep_append(&t->keep, &whole, "", 0) && cli_keep_append(&t->keep, &seen, "", 0);
    for (const hol_item *i = hol_item_first(item); i && good; i = hol_item_next(i)) {
        const char *a, *b;
        const size_t comma = i != hol_item_first(item);
        if (!insert_both(w, i, &a, &b)) return 0;
        good = cli_keep_append(&t->keep, &whole, ",", comma) &&
               cli_keep_append(&t->keep, &whole, a, strlen(a)) &&
               cli_keep_append(&t->keep, &seen, ",", comma) &&
               cli_keep_append(&t->keep, &seen, b, strlen(b));
    }
    *real = whole.data;
    *shown = seen.data;
    return good;
}

/* One option with a value (NULL: a switch); 0 after an error. */
static int add_option(words *w, const hol_item *item, const cli_option *o, const char *real,
                      const char *shown) {
    const char *name = cli_keep_text(&w->t->keep, "--%s", o->name);
    cli_words_real(w, name);
    cli_words_shown(w, name);
    if (!real) return 1;
    const char *value = real_value(w->t, item, o, real);
    if (!value) return 0;
    cli_words_real(w, value);
    cli_words_shown(w, shown);
    return 1;
}

/* A map as KEY=VALUE, several times. */
static int add_pairs(words *w, const cli_option *o, const hol_item *map) {
    for (const hol_item *i = hol_item_first(map); i; i = hol_item_next(i)) {
        const char *real, *shown;
        if (!joined(w, i, &real, &shown)) return 0;
        real = cli_keep_text(&w->t->keep, "%s=%s", hol_item_key(i), real);
        shown = cli_keep_text(&w->t->keep, "%s=%s", hol_item_key(i), shown);
        if (!real || !add_option(w, i, o, real, shown)) return 0;
    }
    return 1;
}

static const cli_option *find_option(const cli_command *command, const char *name) {
    for (const cli_option *o = command->options; o && o->name; o++)
        if (strcmp(o->name, name) == 0) return o;
    return NULL;
}

/* The option of that key; NULL after an error with a suggestion. */
static const cli_option *option_of(cli_trying *t, const cli_command *command,
                                   const hol_item *item) {
    const cli_option *found = find_option(command, hol_item_key(item));
    char hint[160];
    if (found) return found;
    hol__near near = hol__near_start(hol_item_key(item));
    for (const cli_option *o = command->options; o && o->name; o++) hol__near_try(&near, o->name);
    cli_claim_error(t->cli, item, 1, "'holonom %s' has no option '%s'%s", command->name,
                    hol_item_key(item), hol__did_you_mean(near.best, hint, sizeof hint));
    return NULL;
}

/* One key of the step. */
static int add_key(words *w, const cli_command *command, const hol_item *item) {
    const cli_option *o = option_of(w->t, command, item);
    const char *real, *shown, *text = hol_item_value(item);
    const hol_item_kind kind = hol_item_kind_of(item);
    if (!o) return 0;
    if (!o->argument) {
        if (text && strcmp(text, "true") != 0)
            return cli_claim_error(w->t->cli, item, 0, "'%s' is a switch: write true", o->name);
        return add_option(w, item, o, NULL, NULL);
    }
    if (kind == HOL_ITEM_MAP) return add_pairs(w, o, item);
    if (kind == HOL_ITEM_LIST && strcmp(o->argument, "LIST") != 0) {
        for (const hol_item *i = hol_item_first(item); i; i = hol_item_next(i)) {
            if (!insert_both(w, i, &real, &shown) || !add_option(w, i, o, real, shown)) return 0;
        }
        return 1;
    }
    return joined(w, item, &real, &shown) && add_option(w, item, o, real, shown);
}

/* The words behind the command: a text or a list of them. */
static int add_words(words *w, const hol_item *item) {
    const int is_list = hol_item_kind_of(item) == HOL_ITEM_LIST;
    for (const hol_item *i = is_list ? hol_item_first(item) : item; i;
         i = is_list ? hol_item_next(i) : NULL) {
        const char *real, *shown;
        if (!insert_both(w, i, &real, &shown)) return 0;
        cli_words_real(w, input_of(w->t, real));
        cli_words_shown(w, shown);
    }
    return 1;
}

int cli_words_has(const cli_command *command, const char *name) {
    return find_option(command, name) != NULL;
}

/* Whether a word is among others, up to a NULL. */
static int is_among(const char *word, const char *const *others) {
    for (; *others; others++)
        if (strcmp(word, *others) == 0) return 1;
    return 0;
}

int cli_words_make(cli_claim_words *w, const cli_command *command, const hol_item *step,
                   const char *const *others) {
    if (!add_words(w, hol_item_first(step))) return 0;
    for (const hol_item *i = hol_item_next(hol_item_first(step)); i; i = hol_item_next(i))
        if (!is_among(hol_item_key(i), others) && !add_key(w, command, i)) return 0;
    return !w->failed;
}

/* ---- how it is shown ---- */

/* A word as the shell takes it. */
static const char *quoted(cli_keep *keep, const char *word) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/%@^$";
    if (*word && strspn(word, plain) == strlen(word)) return word;
    return strchr(word, '\'') ? cli_keep_text(keep, "\"%s\"", word)
                              : cli_keep_text(keep, "'%s'", word);
}

/* A word that is longer than a line, broken behind commas; returns the column behind it. */
static int put_long(cli_trying *t, const char *word, int column) {
    for (; *word; word++) {
        fputc(*word, t->page);
        column += hol__utf8_begins(*word);
        const int next = (int)strcspn(word + 1, ",") + 1;
        if (*word != ',' || column + next <= t->width - 2) continue;
        fputs("\\\n    ", t->page);
        column = 4;
    }
    return column;
}

/* The words in lines that end with a backslash. */
static void put_words(cli_trying *t, const words *w, int indent) {
    int column = indent;
    cli_print_padded(t->page, "", indent);
    for (int i = 0; i < w->n_shown; i++) {
        const char *word = quoted(&t->keep, w->shown[i]);
        const int n = word ? hol__utf8_length(word) : 0;
        const int follows = i > 0 && w->shown[i - 1][0] == '-' && w->shown[i][0] != '-';
        const int with_next =
            i + 1 < w->n_shown && w->shown[i][0] == '-' && w->shown[i + 1][0] != '-'
                ? hol__utf8_length(w->shown[i + 1]) + 1
                : 0;
        if (!word) return;
        if (i && !follows && column + 1 + n + with_next > t->width - 2) {
            fputs(" \\\n", t->page);
            cli_print_padded(t->page, "", indent + 4);
            column = indent + 4;
        } else if (i) {
            fputc(' ', t->page);
            column++;
        }
        column = column + n > t->width - 2 ? put_long(t, word, column)
                                           : (cli_puts(t->page, word), column + n);
    }
    fputc('\n', t->page);
}

int cli_words_show(cli_claim_words *w, const hol_item *each) {
    cli_trying *t = w->t;
    const int looped = each != NULL, indent = looped ? 8 : 4;
    cli_grown line = {0};
    for (int i = 0; i < w->n_shown; i++) {
        const char *word = quoted(&t->keep, w->shown[i]);
        if (!word || !cli_keep_append(&t->keep, &line, " ", i > 0) ||
            !cli_keep_append(&t->keep, &line, word, strlen(word)))
            return 0;
    }
    const char **room =
        cli_keep_room(&t->keep, t->commands, sizeof *room, t->n_commands, &t->commands_capacity);
    if (!room || !line.data) return 0;
    t->commands = room;
    t->commands[t->n_commands++] = line.data;
    if (!t->after_command) fputc('\n', t->page);
    if (looped) {
        cli_printf(t->page, "    for %s in", hol_item_key(each));
        for (const hol_item *i = hol_item_first(each); i; i = hol_item_next(i))
            cli_printf(t->page, " %s", hol_item_value(i) ? hol_item_value(i) : "");
        fputs("; do\n", t->page);
    }
    put_words(t, w, indent);
    if (looped) fputs("    done\n", t->page);
    return 1;
}

/* ---- carried out ---- */

/* An empty file in the scratch folder; NULL after an error when it cannot be made. */
static const char *new_file(cli_trying *t, const char *name) {
    const char *path = cli_keep_text(&t->keep, "%s/.%s%d", t->scratch.path, name, t->n_files++);
    if (!path || hol__scratch_file(path)) return path;
    cli_report(t->cli, HOL_ERROR, HOL_ERR_IO, "cannot write '%s': %s", path, strerror(errno));
    return NULL;
}

void cli_words_start(const char *path, size_t size, char *buf) {
    FILE *file = fopen(path, "r");
    const size_t n = file ? fread(buf, 1, size - 1, file) : 0;
    if (file) fclose(file);
    buf[n] = '\0';
    buf[strcspn(buf, "\n")] = '\0';
}

int cli_words_run(const cli_claim_words *w, const hol_item *step, const char **out,
                  const char **log) {
    cli_trying *t = w->t;
    *out = new_file(t, "out");
    *log = new_file(t, "log");
    if (!*out || !*log) return -1;
    const int code = hol__run_program(w->real, *out, *log, cli_interrupt_signal);
    if (cli_interrupt_signal()) return -1; /* whatever became of it */
    if (code < 0)
        cli_claim_error(t->cli, step, 0, "'%s' cannot be run: %s", w->real[0], strerror(errno));
    return code;
}

int cli_claim_each(cli_trying *t, const hol_item *step, const cli_command *command,
                   cli_claim_turn *turn) {
    const hol_item *map = hol_item_find(step, "each"), *each = hol_item_first(map);
    int good = 1;
    if (!map) return turn(t, step, command, NULL, 1);
    if (hol_item_count(map) != 1 || hol_item_kind_of(each) != HOL_ITEM_LIST)
        return cli_claim_error(t->cli, map, 0,
                               "each wants one name with a list, e.g. {method: [lagrange, dae]}");
    t->each_name = hol_item_key(each);
    for (const hol_item *i = hol_item_first(each); i && good; i = hol_item_next(i)) {
        t->each_text = hol_item_value(i);
        if (!t->each_text)
            good = cli_claim_error(t->cli, i, 0, "a text is expected here");
        else
            good = turn(t, step, command, each, i == hol_item_first(each));
    }
    t->each_name = t->each_text = NULL;
    return good;
}
