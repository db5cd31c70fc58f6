/* compiler.c: the system's compiler, and the folder where its libraries are kept. What is found
 * there is loaded and run, so that the folder and the file must be those of this user, and nobody
 * else may be able to write them. See compiler.h. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "generate/compiler.h"

#include "io/out_file.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static hol_status fail(hol__shelf *s, const char *what, const char *path, const char *why) {
    return hol__report(s->ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL, "%s '%s': %s", what, path, why);
}

/* Why others might have written it; NULL: it is this user's own. */
static const char *doubt(const struct stat *about) {
    if (about->st_uid != geteuid()) return "it belongs to somebody else";
    if (about->st_mode & (S_IWGRP | S_IWOTH)) return "others may write to it (chmod go-w)";
    return NULL;
}

/* ---- where ---- */

/* The folder and those above it, as mkdir -p. */
static int make_folders(char *path) {
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        const int failed = mkdir(path, 0700) != 0 && errno != EEXIST;
        *at = '/';
        if (failed) return 0;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static hol_status open_folder(hol__shelf *s) {
    struct stat about;
    if (!s->folder) {
        strcpy(s->own, "/tmp/holonom-XXXXXX");
        if (!mkdtemp(s->own)) {
            s->own[0] = '\0';
            return fail(s, "cannot make a folder in", "/tmp", strerror(errno));
        }
        return HOL_OK;
    }
    const int n = snprintf(s->path, sizeof s->path, "%s", s->folder);
    if (n < 0 || n >= (int)sizeof s->path - 80)
        return fail(s, "cannot keep code in", s->folder, "the name is too long");
    if (!make_folders(s->path) || stat(s->path, &about) != 0)
        return fail(s, "cannot make the folder", s->folder, strerror(errno));
    if (!S_ISDIR(about.st_mode)) return fail(s, "cannot keep code in", s->folder, "it is a file");
    return doubt(&about) ? fail(s, "cannot keep code in", s->folder, doubt(&about)) : HOL_OK;
}

hol_status hol__shelf_find(hol__shelf *s, const char *name, int *there) {
    struct stat about;
    const hol_status status = open_folder(s);
    *there = 0;
    if (status) return status;
    snprintf(s->path, sizeof s->path, "%s/%s.so", s->folder ? s->folder : s->own, name);
    if (lstat(s->path, &about) != 0) return HOL_OK;
    const char *why = S_ISREG(about.st_mode) ? doubt(&about) : "it is not a regular file";
    if (why) return fail(s, "cannot take code from", s->path, why);
    *there = 1;
    return HOL_OK;
}

/* ---- the compiler ---- */

/* Run it with its words in a file: its exit code, or -1 with errno. */
static int run(char *const *words, const char *log) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int state;
    errno = posix_spawn_file_actions_init(&actions);
    if (errno) return -1;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log, 1 /* O_WRONLY */, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    const int failed = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = failed;
    if (failed) return -1;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 126;
}

/* The first line that the compiler wrote. */
static void first_line(const char *path, char *line, int size) {
    FILE *file = fopen(path, "r");
    line[0] = '\0';
    if (file && fgets(line, size, file)) line[strcspn(line, "\r\n")] = '\0';
    if (file) fclose(file);
}

hol_status hol__shelf_compile(hol__shelf *s, const hol__text *source) {
    char base[sizeof s->path + 32], from[sizeof base + 4], log[sizeof base + 4],
        part[sizeof base + 4], line[200];
    snprintf(base, sizeof base, "%s.%ld", s->path, (long)getpid());
    snprintf(from, sizeof from, "%s.c", base);
    snprintf(log, sizeof log, "%s.log", base);
    snprintf(part, sizeof part, "%s.o", base);
    const hol__piece text = {source->data, source->length}, nothing = {"", 0};
    hol_status status = hol__out_write(s->ctx, from, &text, 1);
    if (!status) status = hol__out_write(s->ctx, log, &nothing, 1);
    char *const words[] = {(char *)s->compiler,
                           "-std=c99",
                           "-O2",
                           "-ffp-contract=off",
                           "-fPIC",
                           "-shared",
                           "-o",
                           part,
                           from,
                           "-lm",
                           NULL};
    const int code = status ? 0 : run(words, log);
    if (code < 0)
        status = hol__report(s->ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL,
                             "cannot run the compiler '%s': %s; install a C compiler, or name one",
                             s->compiler, strerror(errno));
    if (code > 0) {
        first_line(log, line, sizeof line);
        status = hol__report(s->ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL,
                             "the compiler '%s' failed with code %d: %s", s->compiler, code,
                             *line ? line : "it did not say why");
    }
    if (!status && rename(part, s->path) != 0)
        status = fail(s, "cannot write", s->path, strerror(errno));
    if (status) unlink(part);
    unlink(from);
    unlink(log);
    return status;
}

void hol__shelf_close(hol__shelf *s) {
    if (!s->own[0]) return;
    unlink(s->path);
    rmdir(s->own);
    s->own[0] = '\0';
}
