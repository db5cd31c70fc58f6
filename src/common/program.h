/* program.h: other programs, run and waited for. */
#ifndef HOL_COMMON_PROGRAM_H
#define HOL_COMMON_PROGRAM_H

/* The number of a signal by which we were asked to end, or 0. */
typedef int hol__asked_to_end(void);

/* Run words[0], found as the shell finds it, with nothing to read, its output in the file `out` and
 * its messages in `log`, which are there already (one file may be both): its exit code, 126 where a
 * signal ended it, or -1 with errno where it cannot be run.
 *
 * It does not outlive us: what `asked` says is passed on to it (NULL: nobody asks), it is killed
 * where it has not ended two seconds later, and it gets SIGTERM when we die. */
int hol__run_program(char *const *words, const char *out, const char *log,
                     hol__asked_to_end *asked);

#endif
