/* clock.c: the monotonic clock and the processor time of POSIX. */
#define _POSIX_C_SOURCE 200809L
#include "common/clock.h"

#include <time.h>

/* The time that a clock shows. */
static double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double hol__clock_wall(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double hol__clock_thread(void) {
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}
