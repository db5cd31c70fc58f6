/* child.c: copies of this process. See child.h. */
#define _GNU_SOURCE
#include "common/child.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { SIGNALS = 64, MOST_FDS = 1 << 16 };

/* Close all files from one on at once, where the system can; whether it could. */
#ifdef SYS_close_range
#define CLOSE_FROM(fd) (syscall(SYS_close_range, (unsigned)(fd), ~0u, 0) == 0)
#else
#define CLOSE_FROM(fd) 0
#endif

void hol__child_close_from(int first) {
    const long most = sysconf(_SC_OPEN_MAX);
    if (CLOSE_FROM(first)) return;
    for (int fd = first; fd < (most > 0 && most < MOST_FDS ? most : MOST_FDS); fd++) close(fd);
}

/* Default actions for all signals, and none blocked. */
static void reset_signals(void) {
    sigset_t none;
    sigemptyset(&none);
    for (int i = 1; i < SIGNALS; i++) signal(i, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

long hol__child_start(void) {
    sigset_t all, before;
    /* no handler of the host program may run in the copy */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t caller = getpid(), process = fork();
    const int reason = errno;
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != caller) _exit(1); /* it was killed before it could take us along */
        reset_signals();
        return 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return process;
}
