/* program.c: other programs. See program.h. */
#define _GNU_SOURCE
#include "common/program.h"
#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIGNALS = 64, MILLION = 1000000 };

/* Seconds that a program has to end after it was asked to. */
static const double PATIENCE = 2;

/* ---- in the new process ---- */

/* No handler of the caller runs here, what it ignores stays ignored, and its mask is back. */
static void reset_signals(const sigset_t *mask) {
    struct sigaction now;
    for (int i = 1; i < SIGNALS; i++)
        if (sigaction(i, NULL, &now) == 0 && now.sa_handler != SIG_IGN) signal(i, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

/* A file as one of the standard ones; 0 after a failure. */
static int redirect(const char *path, int how, int to) {
    const int fd = open(path, how);
    return fd >= 0 && (fd == to || (dup2(fd, to) == to && close(fd) == 0));
}

/* Become the program; the reason why not goes to the pipe. */
static void become(char *const *words, const char *out, const char *log, const sigset_t *mask,
                   pid_t parent, int tell) {
    reset_signals(mask);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1); /* it died before that */
    const int one_file = strcmp(out, log) == 0;
    if (redirect("/dev/null", O_RDONLY, 0) && redirect(out, O_WRONLY, 1) &&
        (one_file ? dup2(1, 2) == 2 : redirect(log, O_WRONLY, 2)))
        execvp(words[0], words);
    const int reason = errno;
    if (write(tell, &reason, sizeof reason) < 0) _exit(1);
    _exit(127);
}

/* ---- in ours ---- */

/* Start it; -1 with errno. */
static pid_t start(char *const *words, const char *out, const char *log) {
    int ends[2], reason = 0;
    sigset_t all, before;
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t parent = getpid(), child = fork();
    if (child == 0) become(words, out, log, &before, parent, ends[1]);
    if (child < 0) reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    /* the end of the pipe closes when the program has begun */
    ssize_t n = 0;
    while (child > 0 && (n = read(ends[0], &reason, sizeof reason)) < 0 && errno == EINTR) {
    }
    close(ends[0]);
    if (child > 0 && n <= 0) return child;
    if (child > 0) waitpid(child, NULL, 0);
    errno = reason;
    return -1;
}

/* Wait for its end, and pass on that we are asked to end: looked at after a hundredth of the time
 * that it has run so far, between 0.1 ms and 20 ms. */
static int wait_for(pid_t child, hol__asked_to_end *asked) {
    const double began = hol__clock_wall();
    double told = 0;
    int state, killed = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &state, asked ? WNOHANG : 0);
        if (ended == child) return WIFEXITED(state) ? WEXITSTATUS(state) : 126;
        if (ended < 0 && errno != EINTR) return -1;
        if (!asked) continue;
        const double now = hol__clock_wall();
        if (asked() && !told) {
            told = now;
            kill(child, asked());
        } else if (told && !killed && now - told > PATIENCE) {
            killed = 1;
            kill(child, SIGKILL);
        }
        const double wait = (now - began) / 100;
        const double seconds = wait < 1e-4 ? 1e-4 : wait > 0.02 ? 0.02 : wait;
        nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1000 * MILLION)}, NULL);
    }
}

int hol__run_program(char *const *words, const char *out, const char *log,
                     hol__asked_to_end *asked) {
    const pid_t child = start(words, out, log);
    return child < 0 ? -1 : wait_for(child, asked);
}
