/* claim_count.c: what a run costs, in instructions, counted by valgrind.
 *
 *     - instructions: models/pendulum.yaml
 *       as: costs
 *       each: {basis: [qr, svd]}
 *       from: 1
 *       to: 1.2
 *       step: 1e-3
 *       method: nullspace
 *       set: {basis: '{basis}'}
 *
 * The run is made to the time `from` and to the time `to`, without output between; the difference
 * is that of the steps between them. The row has `counted`, with a fixed step also `per_step`,
 * and the options that are texts by their names.
 */
#include "cli/claim_words.h"

#include <stdlib.h>
#include <string.h>

/* The number behind "Collected : " in the messages of valgrind; -1 where there is none. */
static double collected(const char *path) {
    static const char mark[] = "Collected : ";
    FILE *file = fopen(path, "r");
    char line[512];
    double n = -1;
    while (file && fgets(line, sizeof line, file)) {
        const char *at = strstr(line, mark), *end;
        if (at) n = hol__number_read(at + strlen(mark), &end);
    }
    if (file) fclose(file);
    return n;
}

/* The words of the run up to a time. */
static int make_words(cli_claim_words *w, const cli_command *run, const hol_item *step,
                      const char *end) {
    static const char *const others[] = {"as", "each", "from", "to", NULL};
    static const char *const before[] = {"valgrind", "--tool=callgrind"};
    for (int i = 0; i < 2; i++) {
        cli_words_real(w, before[i]);
        cli_words_shown(w, before[i]);
    }
    cli_words_real(w, "--callgrind-out-file=/dev/null");
    cli_words_real(w, w->t->program);
    cli_words_shown(w, "holonom");
    cli_words_real(w, run->name);
    cli_words_shown(w, run->name);
    if (!cli_words_make(w, run, step, others)) return 0;
    const char *const after[] = {"--end", end, "--set",
                                 cli_keep_text(&w->t->keep, "output=%s", end)};
    for (int i = 0; i < 4; i++) {
        cli_words_real(w, after[i]);
        cli_words_shown(w, after[i]);
    }
    cli_words_real(w, "--quiet");
    cli_words_real(w, "--no-output");
    if (!w->failed) w->real[w->n] = NULL;
    return !w->failed;
}

/* All instructions of the run up to a time; -1 after an error. */
static double count(cli_trying *t, const cli_command *run, const hol_item *step, const char *end,
                    const hol_item *each, int shown) {
    cli_claim_words w = {.t = t};
    const char *out, *log;
    if (!make_words(&w, run, step, end) || (shown && !cli_words_show(&w, each))) return -1;
    const int code = cli_words_run(&w, step, &out, &log);
    const double n = code == CLI_OK || code == CLI_BEYOND ? collected(log) : -1;
    if (code >= 0 && n < 0)
        cli_claim_error(t->cli, step, 0,
                        "valgrind, which counts instructions, ended with exit code %d", code);
    return n;
}

/* The options that are texts, by their names. */
static int add_options(cli_trying *t, cli_row *row, const hol_item *map) {
    int good = 1;
    for (const hol_item *i = hol_item_first(map); i && good; i = hol_item_next(i)) {
        const char *text = hol_item_value(i), *key = hol_item_key(i);
        if (hol_item_kind_of(i) == HOL_ITEM_MAP && strcmp(key, "set") == 0)
            good = add_options(t, row, i);
        else if (text && strcmp(key, "as") != 0 &&
                 !(t->each_name && strcmp(key, t->each_name) == 0))
            good = cli_row_add(t, row, key, cli_claim_insert(t, i, text, 0, 0));
    }
    return good;
}

/* Count once, with what `each` stands for. */
static int count_once(cli_trying *t, const hol_item *step, const cli_command *run,
                      const hol_item *each, int first) {
    int good = 1;
    char text[HOL__NUMBER_SIZE];
    const char *as = hol_item_value(hol_item_find(step, "as")), *end;
    const char *from = cli_claim_text(t->cli, step, "from", 1, &good);
    const char *to = cli_claim_text(t->cli, step, "to", 1, &good);
    const char *h = hol_item_value(hol_item_find(step, "step"));
    if (!good) return 0;
    const double b = count(t, run, step, to, each, first);
    const double a = b < 0 ? -1 : count(t, run, step, from, each, 0);
    cli_row *row = a < 0 ? NULL : cli_row_new(t, as ? as : "instructions");
    if (!row || !add_options(t, row, step)) return 0;
    const double steps =
        h ? (hol__number_read(to, &end) - hol__number_read(from, &end)) / hol__number_read(h, &end)
          : 0;
    good = cli_row_add(t, row, "counted",
                       cli_keep_text(&t->keep, "%s", hol__number_text(b - a, text)));
    if (good && steps > 0) {
        snprintf(text, sizeof text, "%.0f", (b - a) / steps);
        good = cli_row_add(t, row, "per_step", cli_keep_text(&t->keep, "%s", text));
    }
    return good;
}

int cli_claim_count(cli_trying *t, const hol_item *step) {
    return cli_claim_each(t, step, cli_command_find("run"), count_once);
}
