/* instructions.c: the instructions that a thread executes, by the counter of the processor.
 *
 * Linux hands it out where the kernel allows (perf_event_paranoid at most 2) and the processor, or
 * the virtual machine, has one. Elsewhere there is none, which is said and not replaced.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "cli/compare.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int cli_instructions_open(char *why, size_t size) {
    struct perf_event_attr about = {.type = PERF_TYPE_HARDWARE,
                                    .size = sizeof about,
                                    .config = PERF_COUNT_HW_INSTRUCTIONS,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
    const long counter =
        syscall(SYS_perf_event_open, &about, 0, -1, -1, (unsigned long)PERF_FLAG_FD_CLOEXEC);
    if (counter >= 0) return (int)counter;
    snprintf(why, size, "%s",
             errno == EACCES || errno == EPERM ? "the kernel does not allow counters"
             : errno == ENOSYS                 ? "the kernel has no counters"
                                               : "this machine has no counter of instructions");
    return -1;
}

double cli_instructions_read(int counter) {
    long long value;
    return counter >= 0 && read(counter, &value, sizeof value) == (ssize_t)sizeof value
               ? (double)value
               : NAN;
}

void cli_instructions_close(int counter) {
    if (counter >= 0) close(counter);
}

#else

int cli_instructions_open(char *why, size_t size) {
    snprintf(why, size, "this system has no counter that programs may read");
    return -1;
}

double cli_instructions_read(int counter) {
    (void)counter;
    return NAN;
}

void cli_instructions_close(int counter) {
    (void)counter;
}

#endif
