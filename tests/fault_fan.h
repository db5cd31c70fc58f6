/* fault_fan.h: every occasion of a fault in one run, each in a process of its own.
 *
 * To fail the k-th occasion of a run one would run up to it again for every k. Here the run goes
 * once, and at an occasion the process forks: the copy fails there and goes on to the end, while
 * the original waits, hears what came of it, and goes on as if nothing had been. The copy has the
 * files of the original as they are at this moment, in the same folder under the same names, which
 * the original takes aside for so long; what is open is open in the copy at the same place.
 *
 * While the library reads the results of strangers in a process of its own neither of the two can
 * be copied: a copy would take bytes meant for the original, and that process may start no other.
 * The copies for these occasions leave before it is started, each for one of its own, until one of
 * them sees it end before.
 *
 * A whole sweep takes hours. Where HOLONOM_KEEP names a folder, how far each subject has come is
 * noted there after every fault, and the next sweep of the same sources goes on behind it; after a
 * finding nothing is noted any more, so that it is met again.
 *
 * Define _GNU_SOURCE before.
 */
#ifndef HOLONOM_TEST_FAULT_FAN_H
#define HOLONOM_TEST_FAULT_FAN_H

#include "fault_way.h"
#include "kept.h"
#include "scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { FAN_SECONDS = 60, FAN_PATH = 512, FAN_WRONG = 1, FAN_FAILED = 2, FAN_PAST = 4 };

/* What was seen of a kind: occasions, copies, and those whose way failed as it should. */
typedef struct fan_counts {
    long points, visited, failed;
} fan_counts;

static struct fan {
    pid_t original;
    pid_t self; /* the process that goes the way: the original or a copy of it */
    int is_copy;
    const subject *of;
    const long *most; /* how many occasions of each kind are wanted, by fault_next */
    long *expected;   /* how many there are */
    long next[N_FAULTS];
    long shift;
    fan_counts counts[N_FAULTS];
    int is_apart;  /* a process of the library lives */
    int n_apart;   /* how many there were */
    int for_apart; /* the copy is for an occasion of it */
    int pipe[2];   /* from which it is read */
    long *apart;   /* the occasions that it has had, of each kind; in memory that both share */
    int bad;
    /* of this subject: the last occasion of each kind that was visited, and how many processes
     * apart; and what the counts were when it began */
    long done[N_FAULTS], done_apart;
    fan_counts begun[N_FAULTS];
} fan;

/* ---- how far it has come ---- */

/* "faults-3" for the fourth subject. */
static const char *fan_note_name(void) {
    static char name[32];
    snprintf(name, sizeof name, "faults-%d", (int)(fan.of - subjects));
    return name;
}

/* What was noted of the subject, which is begun: its counts go on from there. */
static void fan_read_note(void) {
    char text[1024];
    memset(fan.done, 0, sizeof fan.done);
    fan.done_apart = 0;
    memcpy(fan.begun, fan.counts, sizeof fan.begun);
    if (!fault_whole() || !kept_read(fan_note_name(), text, sizeof text)) return;
    char *at = text;
    fan.done_apart = strtol(at, &at, 10);
    for (int kind = 0; kind < N_FAULTS; kind++) {
        fan.done[kind] = strtol(at, &at, 10);
        fan.counts[kind].visited += strtol(at, &at, 10);
        fan.counts[kind].failed += strtol(at, &at, 10);
    }
}

static void fan_note(void) {
    char text[1024];
    const int watching = faults.watching;
    if (!fault_whole() || fan.bad) return;
    faults.watching = 0;
    int n = snprintf(text, sizeof text, "%ld", fan.done_apart);
    for (int kind = 0; kind < N_FAULTS; kind++)
        n += snprintf(text + n, sizeof text - (size_t)n, " %ld %ld %ld", fan.done[kind],
                      fan.counts[kind].visited - fan.begun[kind].visited,
                      fan.counts[kind].failed - fan.begun[kind].failed);
    snprintf(text + n, sizeof text - (size_t)n, "\n");
    kept_write(fan_note_name(), text);
    faults.watching = watching;
}

/* ---- files ---- */

/* Where the original's files lie while a copy works. */
static void fan_aside(char *path) {
    snprintf(path, FAN_PATH, "%s-aside", scratch_folder);
}

/* Copy all bytes of one file; those that are open are not moved. */
static int fan_copy_bytes(int from, int to) {
    char block[65536];
    off_t at = 0;
    for (;;) {
        const ssize_t n = pread(from, block, sizeof block, at);
        if (n <= 0) return n == 0;
        if (pwrite(to, block, (size_t)n, at) != n) return 0;
        at += n;
    }
}

/* Copy the files of a folder without folders in it. */
static int fan_copy_folder(const char *from, const char *to) {
    char path[2 * FAN_PATH];
    DIR *folder = opendir(from);
    int good = folder && mkdir(to, 0700) == 0;
    for (struct dirent *entry; good && (entry = readdir(folder));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        snprintf(path, sizeof path, "%s/%s", from, entry->d_name);
        const int in = open(path, O_RDONLY | O_CLOEXEC);
        snprintf(path, sizeof path, "%s/%s", to, entry->d_name);
        const int out = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        good = in >= 0 && out >= 0 && fan_copy_bytes(in, out);
        close(in);
        close(out);
    }
    if (folder) closedir(folder);
    return good;
}

/* Lead a descriptor of the original's files to those of the copy: the same name, flags and place;
 * a file without a name gets one of its own. */
static int fan_reopen(int fd, const char *name, int is_named) {
    char path[2 * FAN_PATH];
    struct stat is;
    snprintf(path, sizeof path, "%s/%s", scratch_folder, is_named ? name : "nameless");
    const int flags = fcntl(fd, F_GETFL), own = fcntl(fd, F_GETFD);
    if (fstat(fd, &is) != 0) return 0;
    const int other =
        S_ISDIR(is.st_mode)
            ? open(scratch_folder, O_RDONLY | O_DIRECTORY)
            : open(path, (flags & (O_ACCMODE | O_APPEND)) | (is_named ? 0 : O_CREAT), 0600);
    if (other < 0) return 0;
    int good = is_named || fan_copy_bytes(fd, other);
    if (!is_named) unlink(path);
    if (!S_ISDIR(is.st_mode)) good &= lseek(other, lseek(fd, 0, SEEK_CUR), SEEK_SET) >= 0;
    good &= dup2(other, fd) == fd && fcntl(fd, F_SETFD, own) == 0;
    close(other);
    return good;
}

/* In the copy: all open files of the original, which lie aside now, become those of the copy. */
static int fan_reopen_all(void) {
    char aside[FAN_PATH], link[FAN_PATH], name[2 * FAN_PATH];
    int good = 1, fds[256], n = 0;
    fan_aside(aside);
    DIR *open_files = opendir("/proc/self/fd");
    for (struct dirent *entry; open_files && (entry = readdir(open_files)) && n < 256;)
        if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(open_files))
            fds[n++] = atoi(entry->d_name);
    if (!open_files || closedir(open_files) != 0) return 0;
    for (int i = 0; i < n; i++) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fds[i]);
        const ssize_t length = readlink(link, name, sizeof name - 1);
        if (length < 0) continue;
        name[length] = 0;
        const size_t m = strlen(aside);
        if (strncmp(name, aside, m) != 0) continue;
        good &= fan_reopen(fds[i], name[m] ? name + m + 1 : "", !strstr(name, " (deleted)"));
    }
    return good;
}

/* ---- copies of the process ---- */

/* Take the files aside and leave a copy of them in their place; and the other way round. */
static void fan_take_aside(void) {
    char aside[FAN_PATH];
    fan_aside(aside);
    if (rename(scratch_folder, aside) != 0 || !fan_copy_folder(aside, scratch_folder))
        fail_msg("the files cannot be copied");
}

static void fan_take_back(void) {
    char aside[FAN_PATH], path[2 * FAN_PATH];
    fan_aside(aside);
    DIR *folder = opendir(scratch_folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", scratch_folder, entry->d_name);
        unlink(path);
    }
    if (folder) closedir(folder);
    if (rmdir(scratch_folder) != 0 || rename(aside, scratch_folder) != 0)
        fail_msg("the files cannot be taken back");
}

/* Hear what came of a copy; 0 where it had no occasion to fail. */
static int fan_hear(pid_t copy, fault_kind kind, long now, int for_good) {
    int how = 0;
    while (waitpid(copy, &how, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(how) && WEXITSTATUS(how) == FAN_PAST) return 0;
    fan.counts[kind].visited++;
    fan.counts[kind].failed += WIFEXITED(how) && (WEXITSTATUS(how) & FAN_FAILED) != 0;
    if (WIFEXITED(how) && !(WEXITSTATUS(how) & ~FAN_FAILED)) return 1;
    fan.bad++;
    print_error("%s (%s): %s at %ld%s: the process ended with %s %d\n", fan.of->file,
                fan.of->settings, fault_names[kind], now, for_good ? " and from there on" : "",
                WIFSIGNALED(how) ? "signal" : "status",
                WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
    return 1;
}

/* Fork, for a fault at this occasion. In the original, whether there was one; -1 in the copy. */
static int fan_fork(fault_kind kind, long now, int for_good) {
    int there = 0;
    fan_take_aside();
    const pid_t copy = FAULT_NEXT("fork", pid_t(*)(void))();
    if (copy == 0) {
        fan.self = getpid();
        fan.is_copy = 1;
        if (chdir(scratch_folder) != 0 || !fan_reopen_all()) _exit(99);
        alarm(FAN_SECONDS);
        faults.kind = kind;
        faults.at = now;
        faults.for_good = for_good;
        return -1;
    }
    if (copy > 0) there = fan_hear(copy, kind, now, for_good);
    fan_take_back();
    if (copy < 0) fail_msg("no process");
    return there;
}

/* The same, once and for good where it may last. */
static int fan_fork_each(fault_kind kind, long now) {
    const int watching = faults.watching;
    int there = 1;
    faults.watching = 0;
    for (int good = kind == FAULT_CLOCK; good <= fault_lasts(kind) && there == 1; good++)
        there = fan_fork(kind, now, good);
    faults.watching = watching;
    return there;
}

/* At an occasion: 1 in a copy that fails here. */
static int fan_branch(fault_kind kind, long now) {
    if (getpid() != fan.self) fan.apart[kind] = now;
    if (getpid() != fan.self || fan.is_copy || fan.is_apart) return 0;
    fan.counts[kind].points++;
    if (!fault_wanted(kind) || now < fan.next[kind]) return 0;
    fan.next[kind] = fault_next(now, fan.expected[kind], fan.most[kind], fan.shift + (long)kind);
    if (now <= fan.done[kind]) return 0;
    if (fan_fork_each(kind, now) < 0) return 1;
    fan.done[kind] = now;
    fan_note();
    return 0;
}

/* ---- processes of the library ---- */

/* Before one starts: copies that fail while it lives, here or in it. Of a clock that stands a day
 * back no occasion differs from the next: every 50th will do. Returns in copies, too. */
static void fan_visit_apart(void) {
    const int turn = fan.n_apart++;
    if (turn < fan.done_apart || (!fault_whole() && turn % 8 != fan.shift % 8)) return;
    for (int kind = 0; kind < N_FAULTS; kind++) {
        const long before = faults.count[kind];
        int there = fault_wanted((fault_kind)kind);
        for (long k = fault_whole() ? 1 : 1 + fan.shift % 3; there == 1;
             k += kind == FAULT_CLOCK ? 50 : 1) {
            there = fan_fork_each((fault_kind)kind, before + k);
            if (!fault_whole()) break;
        }
        fan.for_apart = there < 0;
        if (fan.for_apart) return;
    }
    fan.done_apart = turn + 1;
    fan_note();
}

int pipe2(int ends[2], int flags) {
    const int status = FAULT_NEXT("pipe2", int (*)(int *, int))(ends, flags);
    memcpy(fan.pipe, ends, sizeof fan.pipe);
    return status;
}

/* In the copy: a pipe of its own, under the same numbers. */
static int fan_new_pipe(void) {
    int ends[2];
    int good = FAULT_NEXT("pipe2", int (*)(int *, int))(ends, O_CLOEXEC) == 0;
    for (int i = 0; i < 2 && good; i++)
        good = dup3(ends[i], fan.pipe[i], O_CLOEXEC) == fan.pipe[i] && close(ends[i]) == 0;
    return good;
}

pid_t fork(void) {
    if (!faults.branch || getpid() != fan.self) return FAULT_NEXT("fork", pid_t(*)(void))();
    if (!fan.is_copy) fan_visit_apart();
    if (fan.for_apart && !fan_new_pipe()) _exit(99);
    memcpy(fan.apart, faults.count, sizeof faults.count);
    fan.is_apart = 1;
    return FAULT_NEXT("fork", pid_t(*)(void))();
}

/* A copy that left inside of fork is asked for as the original. */
pid_t getppid(void) {
    const pid_t parent = FAULT_NEXT("getppid", pid_t(*)(void))();
    return fan.for_apart && parent == fan.self ? fan.original : parent;
}

pid_t waitpid(pid_t process, int *how, int options) {
    const pid_t ended = FAULT_NEXT("waitpid", pid_t(*)(pid_t, int *, int))(process, how, options);
    if (!fan.is_apart || getpid() != fan.self) return ended;
    fan.is_apart = 0;
    if (fan.for_apart && faults.count[faults.kind] < faults.at &&
        fan.apart[faults.kind] < faults.at)
        _exit(FAN_PAST);
    fan.for_apart = 0;
    return ended;
}

/* ---- the way ---- */

/* Say what is wrong with the way of a subject and the fault that is armed. */
static void fan_complain(const subject *of, const way *w, const char *wrong) {
    print_error("%s (%s): %s at %ld%s fails at '%s' %s (%s)\n", of->file, of->settings,
                fault_names[faults.kind], faults.at, faults.for_good ? " and from there on" : "",
                w->at, wrong, hol_status_name(w->status));
}

/* The way of one subject, with a fault at every wanted occasion. expected: how many occasions of
 * each kind it has. Copies end here. */
static void fan_out(const subject *of, long *expected, const long *most, long shift) {
    way w;
    fan.original = fan.self = getpid();
    fan.of = of;
    fan.most = most;
    fan.expected = expected;
    fan.shift = shift;
    fan.n_apart = fan.is_apart = 0;
    fan_read_note();
    if (!fan.apart)
        fan.apart = mmap(NULL, sizeof faults.count, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(fan.apart != MAP_FAILED);
    for (int kind = 0; kind < N_FAULTS; kind++)
        fan.next[kind] = fault_next(0, expected[kind], most[kind], shift + (long)kind);
    fault_arm(FAULT_MEMORY, 0, 0);
    faults.branch = fan_branch;
    const char *wrong = go(of, &w);
    if (fan.is_copy) {
        if (wrong) fan_complain(of, &w, wrong);
        fflush(NULL);
        _exit((wrong ? FAN_WRONG : 0) | (w.status ? FAN_FAILED : 0));
    }
    faults.branch = NULL;
    if (wrong || w.status) fail_msg("%s: fails at '%s' without a fault", of->file, w.at);
}

#endif
