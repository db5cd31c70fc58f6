/* main.c: compare the library with independent programs, as tests/validation.yaml asks.
 *
 *     validate ROOT PROGRAMS [--quick] [--only KEY] [--jobs N] [--write FOLDER]
 *
 * ROOT is the repository, PROGRAMS the folder of the independent programs. A line for each row that
 * does not pass, and a summary. Exit status 1 where a row fails, a gap without a stated cause.
 */
#include "validate.h"

#include <stdlib.h>
#include <string.h>

static void print_message(void *user, const hol_message *message) {
    char line[1024];
    (void)user;
    hol_message_format(message, line, sizeof line);
    fprintf(stderr, "%s\n", line);
}

/* Read the command line; the folder to write to, NULL: none. */
static const char *read_words(int argc, char **argv, setting *set) {
    const char *folder = NULL;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(word, "--quick") == 0)
            set->quick = 1;
        else if (strcmp(word, "--only") == 0 && value)
            set->only = argv[++i];
        else if (strcmp(word, "--jobs") == 0 && value)
            set->jobs = atoi(argv[++i]);
        else if (strcmp(word, "--write") == 0 && value)
            folder = argv[++i];
        else if (word[0] != '-' && !set->root)
            set->root = word;
        else if (word[0] != '-' && !set->programs)
            set->programs = word;
        else
            set->root = NULL, i = argc;
    }
    if (!set->root || !set->programs || set->jobs < 1) {
        fprintf(stderr, "usage: validate ROOT PROGRAMS [--quick] [--only KEY] [--jobs N] [--write "
                        "FOLDER]\n");
        exit(2);
    }
    return folder;
}

static void say_row(const row *r) {
    char options[TEXT_SIZE];
    row_options(r, options, sizeof options);
    printf("%-4s %-28s %-12s %-9s %-12s %-34s %.1e of %.0e at %g s  %s\n",
           r->verdict == VERDICT_PASS  ? "pass"
           : r->verdict == VERDICT_GAP ? "gap"
                                       : "FAIL",
           r->of->key, r->method, r->coordinates, r->integrator, options, r->worst, r->allowed,
           r->worst_t, r->message);
}

static void say_subject(const subject *s, int all) {
    if (s->failure[0]) printf("FAIL %s: %s\n", s->key, s->failure);
    for (int k = 0; k < s->n_listed; k++)
        if (s->listed[k].verdict == VERDICT_FAIL)
            printf("FAIL %s: %s at %g s is listed as %s, the independent program has %.12g\n",
                   s->key, s->listed[k].quantity, s->listed[k].t, s->listed[k].text,
                   s->listed[k].computed);
    for (int k = 0; k < s->n_rows; k++)
        if (all || s->rows[k].verdict != VERDICT_PASS) say_row(&s->rows[k]);
}

int main(int argc, char **argv) {
    setting set = {.jobs = 1};
    table t;
    char path[1024];
    const char *folder = read_words(argc, argv, &set);
    hol_context *ctx = hol_context_new();
    hol_context_on_message(ctx, print_message, NULL);
    snprintf(path, sizeof path, "%s/tests/validation.yaml", set.root);
    table_read(ctx, path, &t);
    work(&set, &t);
    for (int i = 0; i < t.n; i++) say_subject(&t.subjects[i], set.only != NULL);
    const tally c = tally_all(&t);
    if (set.only && !c.mechanisms)
        fprintf(stderr, "validate: there is no mechanism '%s'\n", set.only);
    printf(
        "%d mechanisms, %d rows: %d pass, %d gaps, %d fail; listed values: %d agree, %d wrong, %d "
        "differ\n",
        c.mechanisms, c.rows[0] + c.rows[1] + c.rows[2], c.rows[0], c.rows[1], c.rows[2],
        c.listed[0], c.listed[1], c.listed[2]);
    int good = c.mechanisms && !c.rows[VERDICT_FAIL] && !c.listed[VERDICT_FAIL];
    if (folder && !pages_write(ctx, &t, folder)) {
        fprintf(stderr, "validate: %s could not be written\n", folder);
        good = 0;
    }
    table_free(&t);
    hol_context_free(ctx);
    return !good;
}
