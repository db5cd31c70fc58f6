/* scratch.h: a folder for files that are not kept. */
#ifndef HOL_COMMON_SCRATCH_H
#define HOL_COMMON_SCRATCH_H

/* A folder of our own, whose mark is locked for as long as we need it. */
typedef struct hol__scratch {
    char path[1024]; /* "": there is none */
    int lock;
} hol__scratch;

/* Make a folder in $TMPDIR, or in /tmp; 0 with errno when it cannot be made. Folders there that
 * programs of this user left behind when they were killed are taken away. */
int hol__scratch_make(hol__scratch *s);

/* Make an empty file in the folder, which is not there yet; 0 with errno when it cannot be made. */
int hol__scratch_file(const char *path);

/* Take the folder away, with everything in it; there may be none. */
void hol__scratch_remove(hol__scratch *s);

#endif
