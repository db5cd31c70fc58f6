/* entry.c: one input through a fuzzer, with a limit of processor time.
 *
 * A loaded machine stops a process for seconds at a time, so the clock says nothing about the
 * input; the time that the processor worked for it does. An input that waits instead is found by
 * the limit of the clock of whoever calls: libFuzzer's -timeout, or the alarm of replay.c.
 */
#define _DEFAULT_SOURCE
#include "fuzz_tape.h"

#include <signal.h>
#include <string.h>
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    signal(SIGPROF, end);
    limit(FUZZ_SECONDS);
    fuzz_one(data, size);
    limit(0);
    return 0;
}
