/* study.h: what the files of `holonom study` share. */
#ifndef HOL_CLI_STUDY_H
#define HOL_CLI_STUDY_H

#include "cli/cli.h"

/* Who looks at a study that runs. */
typedef struct cli_study_watcher {
    cli_session *cli;
    const cli_args *args;
    double shown, every; /* when progress was written last; seconds between, 0: the default */
} cli_study_watcher;

/* hol_study_answer_fn with a watcher: for each output x.h5 the answer so far as x.so-far.h5, which
 * is whole at any moment. */
hol_status cli_study_so_far(void *user, const hol_answer *answer);

/* The study has ended, and these files with it. */
void cli_study_so_far_gone(const cli_args *args);

/* The motions of the cases that the study keeps, beside its first output. */
hol_status cli_study_keep(const cli_args *args, hol_study *study, const hol_answer *answer);

#endif
