/* scratch.c: a folder for files that are not kept. See scratch.h. */
#define _XOPEN_SOURCE 700
#include "common/scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

int hol__scratch_make(size_t size, char *path) {
    const char *below = getenv("TMPDIR");
    const int n = snprintf(path, size, "%s/holonom-XXXXXX", below && *below ? below : "/tmp");
    return n > 0 && (size_t)n < size && mkdtemp(path) != NULL;
}

/* Take a file or a folder away. */
static int discard(const char *path, const struct stat *about, int kind, struct FTW *level) {
    (void)about, (void)kind, (void)level;
    return remove(path);
}

void hol__scratch_remove(const char *path) {
    enum { FOLDERS = 16 }; /* open at a time */
    nftw(path, discard, FOLDERS, FTW_DEPTH | FTW_PHYS);
}
