/* entry.c: one input through a fuzzer, with a limit of processor time; and the end of a search.
 *
 * A loaded machine stops a process for seconds at a time, so the clock says nothing about the
 * input; the time that the processor worked for it does. An input that waits instead is found by
 * the limit of the clock of whoever calls: libFuzzer's -timeout, or the alarm of replay.c.
 *
 * For the same reason a search is ended by its processor time: after HOLONOM_FUZZ_SECONDS of the
 * environment, those of its children included, libFuzzer is asked to end (SIGUSR1), which it does
 * with its last lines. Its own -max_total_time is of the clock: on a loaded machine a search would
 * be started again and again, and do little but read its corpus.
 */
#define _DEFAULT_SOURCE
#include "fuzz_tape.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The time is over: a crash, of which the bytes are kept. */
static void end(int number) {
    static const char words[] = "finding: more than 10 s of processor time\n";
    (void)number;
    if (write(STDERR_FILENO, words, strlen(words)) < 0) _exit(78);
    abort();
}

/* Let SIGPROF come after so many seconds of processor time; 0: not at all. */
static void limit(int seconds) {
    const struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

/* Processor time of the process, or of the children that it has waited for. */
static double worked(int who) {
    struct rusage used;
    if (getrusage(who, &used) != 0) return 0;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Ask for the end of the search once its time is over. */
static void look_at_clock(void) {
    static double seconds = -1;
    static unsigned count;
    const char *text = seconds < 0 ? getenv("HOLONOM_FUZZ_SECONDS") : NULL;
    if (seconds < 0) seconds = text ? strtod(text, NULL) : 0;
    if (seconds > 0 && ++count % 16 == 0 &&
        worked(RUSAGE_SELF) + worked(RUSAGE_CHILDREN) >= seconds)
        raise(SIGUSR1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    signal(SIGPROF, end);
    limit(FUZZ_SECONDS);
    fuzz_one(data, size);
    limit(0);
    look_at_clock();
    return 0;
}
