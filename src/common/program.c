/* program.c: other programs. See program.h. */
#include "common/program.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>

extern char **environ;

int hol__run_program(char *const *words, const char *out, const char *log) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int state;
    errno = posix_spawn_file_actions_init(&actions);
    if (errno) return -1;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out, 1, 0);
    if (strcmp(out, log) == 0)
        posix_spawn_file_actions_adddup2(&actions, 1, 2);
    else
        posix_spawn_file_actions_addopen(&actions, 2, log, 1, 0);
    const int failed = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = failed;
    if (failed) return -1;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 126;
}
