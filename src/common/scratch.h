/* scratch.h: a folder for files that are not kept. */
#ifndef HOL_COMMON_SCRATCH_H
#define HOL_COMMON_SCRATCH_H

#include <stddef.h>

/* Make a folder of our own in $TMPDIR, or in /tmp; its name goes to path. 0 when it cannot be
 * made. */
int hol__scratch_make(size_t size, char *path);

/* Take the folder away, with everything in it. */
void hol__scratch_remove(const char *path);

#endif
