/* claim_words.h: the words of a command that a step of a claim is. */
#ifndef HOL_CLI_CLAIM_WORDS_H
#define HOL_CLI_CLAIM_WORDS_H

#include "cli/claim.h"

/* The words of a command: as they are given to the program, and as a user types them. */
typedef struct cli_claim_words {
    cli_trying *t;
    int n, capacity, n_shown, shown_capacity;
    char **real;
    const char **shown;
    int failed; /* memory ran out */
} cli_claim_words;

/* Add a word to one of the two. */
void cli_words_real(cli_claim_words *w, const char *text);
void cli_words_shown(cli_claim_words *w, const char *text);

/* Whether the command has the option. */
int cli_words_has(const cli_command *command, const char *name);

/* The words of a step, but for the program and the command themselves: the words behind it, then
 * its options, without the keys of `others`, which end with a NULL; 0 after errors. */
int cli_words_make(cli_claim_words *w, const cli_command *command, const hol_item *step,
                   const char *const *others);

/* The command on the page, in a loop over what `each` lists (NULL: none); 0 without memory. */
int cli_words_show(cli_claim_words *w, const hol_item *each);

/* Run the words, which end with a NULL: the exit code, and where output and messages are; -1 after
 * an error at the step, which is reported. */
int cli_words_run(const cli_claim_words *w, const hol_item *step, const char **out,
                  const char **log);

/* The first line of a file. */
void cli_words_start(const char *path, size_t size, char *buf);

/* Once, or for each text that the step lists under `each` in turn; `first`: it is to be shown. */
typedef int cli_claim_turn(cli_trying *t, const hol_item *step, const cli_command *command,
                           const hol_item *each, int first);
int cli_claim_each(cli_trying *t, const hol_item *step, const cli_command *command,
                   cli_claim_turn *turn);

#endif
