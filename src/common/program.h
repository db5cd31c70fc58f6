/* program.h: other programs, run and waited for. */
#ifndef HOL_COMMON_PROGRAM_H
#define HOL_COMMON_PROGRAM_H

/* Run words[0], found as the shell finds it, with nothing to read, its output in the file `out` and
 * its messages in `log`, which are there already (one file may be both): its exit code, 126 where a
 * signal ended it, or -1 with errno where it cannot be run. */
int hol__run_program(char *const *words, const char *out, const char *log);

#endif
