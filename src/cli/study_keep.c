/* study_keep.c: the motions of the cases that a study keeps: x.case-17.h5 beside its answer. */
#define _POSIX_C_SOURCE 200809L
#include "cli/study.h"

#include "cli/run.h"

#include "common/child.h"
#include "common/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 10000 };

/* A case that is run again. */
typedef struct replay {
    hol_writer *writer;
    double begin, most_seconds, most_steps, steps;
} replay;

static hol_status record(void *user, hol_sim *sim) {
    (void)sim;
    return hol_writer_record(((replay *)user)->writer);
}

/* The limits of the study hold here too. */
static hol_status look(void *user, hol_sim *sim) {
    replay *r = user;
    (void)sim;
    const int late = r->most_seconds > 0 && hol__clock_wall() - r->begin > r->most_seconds,
              long_way = r->most_steps > 0 && ++r->steps > r->most_steps;
    return late || long_way ? HOL_ERR_INTERRUPTED : HOL_OK;
}

/* Case k again, into a result file. One that failed before fails again: its file ends there. */
static hol_status write_case(hol_study *study, long long k, const char *path) {
    hol_study_info info = {.size = sizeof info};
    hol_study_describe(study, &info);
    replay r = {
        .begin = hol__clock_wall(), .most_seconds = info.max_seconds, .most_steps = info.max_steps};
    hol_sim *sim = hol_study_sim(study, k);
    if (!sim) return HOL_OK; /* there is no motion of what has no start */
    r.writer = hol_writer_open(sim, path);
    if (!r.writer) return HOL_ERR_IO;
    const hol_observer observer = {record, look, &r};
    hol_sim_run(sim, &observer);
    return hol_writer_close(r.writer);
}

/* The same in a process of its own, which a case may crash: HOL_ERR_IO where the file could not be
 * written. */
static hol_status keep_case(hol_study *study, long long k, const char *path) {
    int state = 0;
    fflush(NULL);
    const long process = hol__child_start();
    if (process == 0) _exit(write_case(study, k, path) ? 1 : 0);
    pid_t ended = -1;
    while (process > 0 && (ended = waitpid((pid_t)process, &state, 0)) < 0 && errno == EINTR) {
    }
    return ended < 0 || (WIFEXITED(state) && WEXITSTATUS(state)) ? HOL_ERR_IO : HOL_OK;
}

/* The stem of the first output, or of the study, to be freed. */
static char *stem_of(const cli_args *args) {
    const char *given = cli_args_value(args, "output");
    char *path = cli_path_from(given ? given : args->words[0], "", !given);
    return path;
}

hol_status cli_study_keep(const cli_args *args, hol_study *study, const hol_answer *answer) {
    long long *cases = malloc(MOST * sizeof *cases);
    char *stem = stem_of(args);
    hol_status status = cases && stem ? HOL_OK : HOL_ERR_MEMORY;
    const int n = status ? 0 : hol_study_kept(study, answer, MOST, cases);
    for (int i = 0; i < n && !status && !cli_interrupt_signal(); i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s.case-%lld.h5", stem, cases[i]);
        status = keep_case(study, cases[i], path);
    }
    if (n && !status && !cli_args_has(args, "quiet"))
        cli_printf(stderr, "motions of %d cases: %s.case-N.h5\n", n, stem);
    free(stem);
    free(cases);
    return status;
}
