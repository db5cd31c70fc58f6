/* scratch.c: a folder for files that are not kept. See scratch.h.
 *
 * In it lies a file, the mark, which its maker holds locked; the lock ends with the process,
 * however that ends. A folder of our user with a mark that nobody holds belongs to nobody, and
 * whoever makes the next one takes it away. Where that happens before the maker has the lock, the
 * maker finds that the mark is no longer the file of that name, and makes another folder.
 */
#define _XOPEN_SOURCE 700
#include "common/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char PREFIX[] = "holonom-", MARK[] = ".holonom-scratch";

/* ---- taken away ---- */

/* Take a file or a folder away. */
static int discard(const char *path, const struct stat *about, int kind, struct FTW *level) {
    (void)about, (void)kind, (void)level;
    return remove(path);
}

static void remove_tree(const char *path) {
    enum { FOLDERS = 16 }; /* open at a time */
    nftw(path, discard, FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* Open the mark of a folder; negative where it has none that is ours. */
static int open_mark(const char *folder, int flags) {
    char path[1024 + sizeof MARK + 1];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", folder, MARK);
    const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0600);
    if (fd < 0) return fd;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid()) return fd;
    close(fd);
    return -1;
}

/* Take away what a program that was killed left behind. */
static void remove_left(const char *below) {
    DIR *all = opendir(below);
    char path[1024];
    struct stat about;
    for (const struct dirent *e; all && (e = readdir(all));) {
        if (strncmp(e->d_name, PREFIX, sizeof PREFIX - 1) != 0) continue;
        const int n = snprintf(path, sizeof path, "%s/%s", below, e->d_name);
        if (n < 0 || n >= (int)sizeof path || lstat(path, &about) != 0) continue;
        if (!S_ISDIR(about.st_mode) || about.st_uid != geteuid()) continue;
        const int mark = open_mark(path, 0);
        if (mark < 0) continue;
        if (flock(mark, LOCK_EX | LOCK_NB) == 0) remove_tree(path);
        close(mark);
    }
    if (all) closedir(all);
}

/* ---- made ---- */

/* Lock the mark of a new folder: 1, 0 where somebody took it away meanwhile, -1 with errno. */
static int mark_it(hol__scratch *s) {
    char path[sizeof s->path + sizeof MARK + 1];
    struct stat held, named;
    snprintf(path, sizeof path, "%s/%s", s->path, MARK);
    s->lock = open_mark(s->path, O_CREAT);
    if (s->lock < 0) return errno == ENOENT ? 0 : -1;
    if (flock(s->lock, LOCK_EX | LOCK_NB) == 0 && fstat(s->lock, &held) == 0 &&
        stat(path, &named) == 0 && held.st_ino == named.st_ino && held.st_dev == named.st_dev)
        return 1;
    close(s->lock);
    return 0;
}

int hol__scratch_make(hol__scratch *s) {
    enum { TRIES = 100 }; /* more than one only where somebody cleans at the same instant */
    const char *given = getenv("TMPDIR"), *below = given && *given ? given : "/tmp";
    remove_left(below);
    for (int i = 0; i < TRIES; i++) {
        const int n = snprintf(s->path, sizeof s->path, "%s/%sXXXXXX", below, PREFIX);
        if (n < 0 || n >= (int)sizeof s->path) errno = ENAMETOOLONG;
        if (n < 0 || n >= (int)sizeof s->path || !mkdtemp(s->path)) break;
        const int marked = mark_it(s);
        if (marked > 0) return 1;
        if (marked < 0) {
            const int reason = errno;
            remove_tree(s->path);
            errno = reason;
            break;
        }
    }
    s->path[0] = '\0';
    return 0;
}

int hol__scratch_file(const char *path) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return fd >= 0 && close(fd) == 0;
}

void hol__scratch_remove(hol__scratch *s) {
    if (!s->path[0]) return;
    remove_tree(s->path);
    close(s->lock);
    s->path[0] = '\0';
}
