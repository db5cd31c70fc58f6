/* kept.h: notes of a long sweep in the folder HOLONOM_KEEP, which is absolute, so that the next one
 * goes on where this one was stopped. Without such a folder nothing is noted. */
#ifndef HOLONOM_TEST_KEPT_H
#define HOLONOM_TEST_KEPT_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file of a note; 0 where none are kept. */
static inline int kept_path(const char *name, char path[1024]) {
    const char *folder = getenv("HOLONOM_KEEP");
    if (!folder || !*folder) return 0;
    return snprintf(path, 1024, "%s/%s", folder, name) < 1024;
}

/* A note that is whole, which ends with its line; 0 where there is none. */
static inline int kept_read(const char *name, char *text, size_t size) {
    char path[1024];
    if (!kept_path(name, path)) return 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, size - 1) : 0;
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0 && text[n - 1] == '\n';
}

/* A note of one line; the one before stays until it is whole. */
static inline void kept_write(const char *name, const char *text) {
    char path[1024], next[1032];
    if (!kept_path(name, path)) return;
    snprintf(next, sizeof next, "%s.new", path);
    const int fd = open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const size_t n = strlen(text);
    const int good = fd >= 0 && write(fd, text, n) == (ssize_t)n;
    if (fd >= 0) close(fd);
    if (good) rename(next, path);
}

#endif
