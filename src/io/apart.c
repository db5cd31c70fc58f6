/* apart.c: work in a process of its own.
 *
 * For libraries that a damaged file can bring down. The process is a copy of the caller (fork), so
 * that nothing has to be installed or found, and gives up at its start all that it does not need:
 *   files       all are closed but the one to read and the pipe; none can be opened or created, and
 *               none can grow (RLIMIT_NOFILE, RLIMIT_FSIZE)
 *   memory      what the caller had and a limit (RLIMIT_AS)
 *   time        of the processor (RLIMIT_CPU); the caller waits a while longer, and then ends it
 *   signals     every one has its default action, so that no handler of the host program runs
 *               there; a crash leaves no core file
 *   processes   none can be started (RLIMIT_NPROC, but for root)
 * It ends with _exit: nothing that the host program has registered runs. What it sends is not
 * trusted: the caller reads it with bounds. The host program sees one SIGCHLD.
 */
#define _GNU_SOURCE
#include "io/apart.h"
#include "common/child.h"
#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds of wall time that are allowed beyond those of the processor, for a busy machine. */
static const double PATIENCE = 50;

enum { FILE_FD = 3, OUT_FD = 4, FIRST_OTHER = 5 };

/* ---- in the process ---- */

/* A limit, lowered where that is still possible. */
static rlim_t lowered(const struct rlimit *now, rlim_t most) {
    return now->rlim_max != RLIM_INFINITY && now->rlim_max < most ? now->rlim_max : most;
}

/* Lower a limit of the process. The names of limits have a type of their own in some C libraries
 * and are numbers in others. */
#define LIMIT(what, most)                                                                          \
    do {                                                                                           \
        struct rlimit now;                                                                         \
        if (getrlimit(what, &now) == 0) {                                                          \
            const rlim_t to = lowered(&now, most);                                                 \
            setrlimit(what, &(struct rlimit){to, to});                                             \
        }                                                                                          \
    } while (0)

/* Bytes of address space that the process has; 0 where that is not known. */
static rlim_t address_space(void) {
    char text[64];
    const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) close(fd);
    if (n <= 0) return 0;
    text[n] = '\0';
    return (rlim_t)strtoull(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Keep the two files, as FILE_FD and OUT_FD, and no other; 0 after a failure. */
static int keep_files(int file, int out) {
    const int in = fcntl(file, F_DUPFD, FIRST_OTHER), pipe_end = fcntl(out, F_DUPFD, FIRST_OTHER);
    if (in < 0 || pipe_end < 0 || dup2(in, FILE_FD) < 0 || dup2(pipe_end, OUT_FD) < 0) return 0;
    for (int fd = 0; fd < FILE_FD; fd++) close(fd);
    hol__child_close_from(FIRST_OTHER);
    return 1;
}

/* Give up what the work does not need, do it, and end. */
static void be_apart(const hol__apart_limits *limits, int file, int out, hol__apart_work *work,
                     void *self) {
    /* first of all the caller's files, whose locks would outlive it here */
    if (!keep_files(file, out)) _exit(1);
    const rlim_t space = address_space();
    prctl(PR_SET_DUMPABLE, 0);
    LIMIT(RLIMIT_CORE, 0);
    LIMIT(RLIMIT_FSIZE, 0);
    LIMIT(RLIMIT_NOFILE, 0);
    LIMIT(RLIMIT_NPROC, 0);
    /* at the limit that can be raised comes SIGXCPU, which says why; at the other one SIGKILL */
    LIMIT(RLIMIT_CPU, (rlim_t)limits->seconds + 1);
    setrlimit(RLIMIT_CPU, &(struct rlimit){(rlim_t)limits->seconds, (rlim_t)limits->seconds + 1});
    if (space) LIMIT(RLIMIT_AS, space + limits->memory);
    work(self, FILE_FD, OUT_FD);
    _exit(0);
}

void hol__apart_send(int out, const void *data, size_t n) {
    const char *at = data;
    while (n > 0) {
        const ssize_t put = write(out, at, n);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) _exit(1);
        at += put;
        n -= (size_t)put;
    }
}

/* ---- in the caller ---- */

const char *hol__apart_start(hol__apart *apart, const hol__apart_limits *limits, int file,
                             hol__apart_work *work, void *self) {
    int ends[2];
    *apart = (hol__apart){.process = -1, .fd = -1, .left = limits->answer};
    if (pipe2(ends, O_CLOEXEC) != 0) return strerror(errno);
    const long process = hol__child_start();
    if (process == 0) be_apart(limits, file, ends[1], work, self);
    const int reason = errno;
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return strerror(reason);
    }
    apart->process = process;
    apart->fd = ends[0];
    apart->until = hol__clock_wall() + limits->seconds + PATIENCE;
    return NULL;
}

void hol__apart_from(hol__apart *apart, int fd, size_t answer) {
    *apart = (hol__apart){
        .process = -1, .fd = fd, .left = answer, .until = hol__clock_wall() + PATIENCE};
}

/* Wait until there is something to read; 0 when the time is over. */
static int wait_for_bytes(hol__apart *apart) {
    for (;;) {
        struct pollfd ready = {apart->fd, POLLIN, 0};
        const double left = apart->until - hol__clock_wall();
        const int n = left > 0 ? poll(&ready, 1, (int)(1000 * left) + 1) : 0;
        if (n > 0) return 1;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return 0;
        if (left > 0) continue;
        apart->too_long = 1;
        return 0;
    }
}

int hol__apart_get(hol__apart *apart, void *to, size_t n) {
    char *at = to;
    if (n > apart->left) {
        apart->too_much = 1;
        return 0;
    }
    apart->left -= n;
    while (n > 0) {
        if (!wait_for_bytes(apart)) return 0;
        const ssize_t got = read(apart->fd, at, n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            apart->ended = 1;
            return 0;
        }
        at += got;
        n -= (size_t)got;
    }
    return 1;
}

const char *hol__apart_finish(hol__apart *apart, char *buf, size_t size) {
    const pid_t process = (pid_t)apart->process;
    int status = 0;
    pid_t ended = -1;
    if (apart->fd >= 0) close(apart->fd);
    if (process > 0 && !apart->ended) kill(process, SIGKILL);
    do ended = process > 0 ? waitpid(process, &status, 0) : 0;
    while (ended < 0 && errno == EINTR);
    const int by = ended > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (apart->too_long || by == SIGXCPU)
        snprintf(buf, size, "it is damaged: reading it takes too long");
    else if (apart->too_much)
        snprintf(buf, size, "it is damaged: it claims to hold more than such a file can");
    else if (by == SIGKILL)
        snprintf(buf, size,
                 "the process that reads it was killed, by hand or for want of memory; try again");
    else if (by && by != SIGPIPE)
        snprintf(buf, size, "it is damaged: the library that reads it crashed (%s)", strsignal(by));
    else
        snprintf(buf, size, "it is damaged: the library that reads it gave up");
    return buf;
}
