/* scratch.h: a folder of its own for a test that writes many files: in memory where that can be,
 * because files that are to survive a crash wait for the disk. Define _GNU_SOURCE before. */
#ifndef HOLONOM_TEST_SCRATCH_H
#define HOLONOM_TEST_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_folder[64];

/* For cmocka: go there; and away, with everything that is in it. */
static inline int scratch_enter(void **unused) {
    (void)unused;
    snprintf(scratch_folder, sizeof scratch_folder, "%s/holonom-test-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    return mkdtemp(scratch_folder) && chdir(scratch_folder) == 0 ? 0 : -1;
}

static inline int scratch_leave(void **unused) {
    char command[128];
    (void)unused;
    snprintf(command, sizeof command, "rm -rf %s", scratch_folder);
    return chdir("/") != 0 || system(command) != 0;
}

#endif
