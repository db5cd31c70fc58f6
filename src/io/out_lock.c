/* out_lock.c: who writes a file, and who reads it meanwhile.
 *
 * Locks are those of the open file (F_OFD_SETLK), three bytes far behind any data: one for the
 * writer; one of the process (F_SETLK), which alone tells others its number; one for whoever reads
 * or changes the state of the file. They do not meet those that HDF5 takes (flock).
 *
 * A process that was killed may hold the first for a moment longer than whoever killed it waits:
 * - a process started from it (apart.c) begins with a copy of all its open files, locks among them,
 *   and closes them when it is given a processor. The lock of the process is not copied, so that a
 *   file with a writer's lock and no such process has nobody who writes;
 * - it ends only when the disk has answered, and when its memory is taken down.
 * Both are waited for, so that a run can be resumed at once.
 */
#define _GNU_SOURCE
#include "io/out_lock.h"

#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef F_OFD_SETLK
#define F_OFD_SETLK F_SETLK
#define F_OFD_GETLK F_GETLK
#endif

enum { LOCK_WRITER, LOCK_PROCESS, LOCK_STATE };

static const off_t LOCKS_AT = (off_t)1 << 61;

/* Seconds that readers and writers wait for each other at most, and for those that end. */
static const double PATIENCE = 2.0;

static const struct timespec MOMENT = {0, 2000000};

/* ---- one lock ---- */

/* Set one of the locks; 0, or the error number. */
static int set_lock(int fd, int command, short type, int which) {
    struct flock lock = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = LOCKS_AT + which, .l_len = 1};
    return fcntl(fd, command, &lock) == 0 ? 0 : errno;
}

/* Whether an error number says that somebody else holds a lock; a file system without locks does
 * not. */
static int is_held(int reason) {
    return reason == EAGAIN || reason == EACCES;
}

/* The process that has signed the file, -1 where its number is hidden, 0 where none has. Asked as
 * an open file (F_OFD_GETLK) one meets the own process too. */
static long signer_of(int fd, int command) {
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCKS_AT + LOCK_PROCESS, .l_len = 1};
    if (fcntl(fd, command, &lock) != 0 || lock.l_type == F_UNLCK) return 0;
    return lock.l_pid > 0 ? (long)lock.l_pid : -1;
}

/* ---- the writer ---- */

/* Number i of a line of words, counted from 0; 0 where it has not so many. */
static unsigned long number_at(const char *words, int i) {
    for (words += strspn(words, " "); i-- > 0; words += strspn(words, " "))
        words += strcspn(words, " ");
    return strtoul(words, NULL, 10);
}

/* Whether a process is on its way out: its first thread has ended, or SIGKILL waits for it. The
 * line of /proc/N/stat: number, (name), state, five numbers, flags, 21 numbers, pending signals. */
static int is_ending(long process) {
    enum { FLAGS = 6, PENDING = 28, PF_EXITING = 4 };
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : -1;
    if (fd >= 0) close(fd);
    if (n <= 0) return 0;
    line[n] = '\0';
    const char *name_end = strrchr(line, ')');
    return name_end && (number_at(name_end + 1, FLAGS) & PF_EXITING ||
                        number_at(name_end + 1, PENDING) >> (SIGKILL - 1) & 1);
}

/* The words for who writes the file. */
static void name_writer(long writer, int ending, char who[HOL__OUT_WHO]) {
    if (ending)
        snprintf(who, HOL__OUT_WHO, "process %ld, which is about to end, is writing it; try again",
                 writer);
    else if (writer > 0 && writer != (long)getpid())
        snprintf(who, HOL__OUT_WHO, "process %ld is writing it", writer);
    else
        snprintf(who, HOL__OUT_WHO, "another run of this program is writing it");
}

int hol__out_lock(int fd, char who[HOL__OUT_WHO]) {
    const double end = hol__clock_wall() + PATIENCE;
    while (is_held(set_lock(fd, F_OFD_SETLK, F_WRLCK, LOCK_WRITER))) {
        const long writer = signer_of(fd, F_OFD_GETLK);
        const int ending = writer > 0 && is_ending(writer);
        if ((writer && !ending) || hol__clock_wall() >= end) {
            name_writer(writer, ending, who);
            return 0;
        }
        nanosleep(&MOMENT, NULL);
    }
    set_lock(fd, F_SETLK, F_WRLCK, LOCK_PROCESS);
    return 1;
}

long hol__out_writer_of(int fd) {
    const long writer = signer_of(fd, F_GETLK);
    if (writer) return writer;
    const int reason = set_lock(fd, F_OFD_SETLK, F_RDLCK, LOCK_WRITER);
    if (!reason) set_lock(fd, F_OFD_SETLK, F_UNLCK, LOCK_WRITER);
    return is_held(reason) ? -1 : 0;
}

/* ---- the state ---- */

/* Wait for the lock of the state, up to some seconds; whether we have it. */
static int wait_for_state(int fd, short type, double seconds) {
    const double end = hol__clock_wall() + seconds;
    int reason;
    while (is_held(reason = set_lock(fd, F_OFD_SETLK, type, LOCK_STATE)) && hol__clock_wall() < end)
        nanosleep(&MOMENT, NULL);
    return !is_held(reason);
}

int hol__out_hold(int fd) {
    return wait_for_state(fd, F_RDLCK, PATIENCE);
}

int hol__out_may_change(int fd) {
    return wait_for_state(fd, F_WRLCK, 0);
}

void hol__out_changed(int fd) {
    set_lock(fd, F_OFD_SETLK, F_UNLCK, LOCK_STATE);
}
