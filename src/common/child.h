/* child.h: a copy of this process that works for it. */
#ifndef HOL_COMMON_CHILD_H
#define HOL_COMMON_CHILD_H

/* Make one (fork): 0 in the copy; its number in the caller; -1 with errno. In the copy no handler
 * of the host program runs: every signal has its default action, and none is blocked. It is killed
 * when the thread that made it ends. */
long hol__child_start(void);

/* Close all files from this number on. */
void hol__child_close_from(int fd);

#endif
