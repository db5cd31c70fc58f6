/* streams.c: the standard streams for libfyaml, which takes them by their place in the program
 * where it is linked as a static library (cmake/HolonomFmu.cmake). */
#include <stdio.h>

extern FILE *fmu_stdin, *fmu_stdout, *fmu_stderr;
FILE *fmu_stdin, *fmu_stdout, *fmu_stderr;

/* When the module is loaded. */
__attribute__((constructor)) static void take_streams(void) {
    fmu_stdin = stdin;
    fmu_stdout = stdout;
    fmu_stderr = stderr;
}
