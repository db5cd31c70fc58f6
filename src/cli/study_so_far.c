/* study_so_far.c: the answer of a study while it runs, in files that are replaced as a whole. */
#include "cli/study.h"

#include "common/extension.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "x.so-far.h5" of output i, to be freed; NULL where it is none of HDF5, or without memory. */
static char *name_of(const cli_args *args, int i) {
    const char *path = args->given[i].value;
    if (strcmp(args->given[i].option->name, "output") != 0 || !hol__has_extension(path, ".h5"))
        return NULL;
    const int stem = (int)(strlen(path) - strlen(".h5"));
    const size_t size = strlen(path) + sizeof ".so-far";
    char *name = malloc(size);
    if (name) snprintf(name, size, "%.*s.so-far.h5", stem, path);
    return name;
}

hol_status cli_study_so_far(void *user, const hol_answer *answer) {
    cli_study_watcher *w = user;
    hol_status status = HOL_OK;
    for (int i = 0; i < w->args->n_given && !status; i++) {
        char *name = name_of(w->args, i);
        if (name) status = hol_answer_write(answer, name);
        free(name);
    }
    if (status) cli_not_written(w->cli, status, "the answer so far");
    return status;
}

void cli_study_so_far_gone(const cli_args *args) {
    for (int i = 0; i < args->n_given; i++) {
        char *name = name_of(args, i);
        if (name) unlink(name);
        free(name);
    }
}
