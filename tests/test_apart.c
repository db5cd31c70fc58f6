/* test_apart.c: work in a process apart: whatever it does there, the caller goes on, and it can do
 * little. */
#define _GNU_SOURCE
#include "common.h"
#include "io/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#ifdef __has_feature
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static const hol__apart_limits limits = {64 << 20, 2, 1 << 20};

/* Do the work on this file; the bytes of its answer, at most size, and how it ended. */
static size_t do_apart(hol__apart_work *work, void *self, char *answer, size_t size, char *how,
                       size_t how_size) {
    hol__apart apart;
    size_t n = 0;
    const int file = open(__FILE__, O_RDONLY), null = file < 0 ? open("/dev/null", O_RDONLY) : -1;
    const char *reason = hol__apart_start(&apart, &limits, file >= 0 ? file : null, work, self);
    if (file >= 0) close(file);
    if (null >= 0) close(null);
    assert_null(reason);
    while (n < size && hol__apart_get(&apart, answer + n, 1)) n++;
    hol__apart_finish(&apart, how, how_size);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* none is left */
    assert_int_equal(errno, ECHILD);
    return n;
}

/* ---- ways to end ---- */

static void answer_well(void *self, int file, int out) {
    (void)file;
    hol__apart_send(out, self, 5);
}

static void do_abort(void *self, int file, int out) {
    (void)self, (void)file, (void)out;
    abort();
}

static void do_fault(void *self, int file, int out) {
    (void)self, (void)file, (void)out;
    raise(SIGSEGV);
}

/* Deeper and deeper. */
static int dig(volatile char *above, int depth) {
    volatile char here[4096];
    here[0] = above[0];
    return depth > (1 << 24) ? here[0] : dig(here, depth + 1) + here[0];
}

static void do_overflow(void *self, int file, int out) {
    volatile char c = 1;
    (void)self, (void)file;
    const int n = dig(&c, 0);
    hol__apart_send(out, &n, sizeof n);
}

static void do_loop(void *self, int file, int out) {
    volatile unsigned k = 0;
    (void)self, (void)file, (void)out;
    for (;;) k++;
}

static void do_flood(void *self, int file, int out) {
    static const char zeros[65536];
    (void)self, (void)file;
    for (;;) hol__apart_send(out, zeros, sizeof zeros);
}

/* Ends with 0 where memory beyond the limit is refused. */
static void do_devour(void *self, int file, int out) {
    char got = 0;
    (void)self, (void)file;
    for (int i = 0; i < 1024 && got >= 0; i++) {
        char *block = malloc(1 << 20);
        if (!block) break;
        memset(block, 1, 1 << 20);
        got = i < 100 ? (char)i : 100;
    }
    hol__apart_send(out, &got, 1);
}

static void ends(void **state) {
    static const struct {
        hol__apart_work *work;
        const char *words;
    } cases[] = {{do_abort, "crashed"},
                 {do_fault, "crashed"},
                 {do_overflow, "crashed"},
                 {do_loop, "too long"},
                 {do_flood, "more than such a file can"}};
    static char answer[2 << 20];
    char how[128], hello[] = "hello";
    (void)state;
    assert_int_equal(do_apart(answer_well, hello, answer, sizeof answer, how, sizeof how), 5);
    assert_memory_equal(answer, "hello", 5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const time_t start = time(NULL);
        do_apart(cases[i].work, NULL, answer, sizeof answer, how, sizeof how);
        if (!strstr(how, cases[i].words)) fail_msg("case %zu: %s", i, how);
        assert_true(time(NULL) - start < 60);
    }
}

/* But for builds with a sanitizer, which takes all address space that it may need at the start. */
static void memory(void **state) {
    char got = -1, how[128];
    (void)state;
    if (SANITIZED) skip();
    assert_int_equal(do_apart(do_devour, NULL, &got, 1, how, sizeof how), 1);
    assert_true(got > 8 && got < 80); /* MB of 64 */
}

/* ---- what it cannot do ---- */

enum { OPENS, CREATES, CONNECTS, WRITES, READS_OTHER, HAS_STDOUT, SEES_FILE, N_DEEDS };

static void do_deeds(void *self, int file, int out) {
    char done[N_DEEDS] = {0}, byte;
    const int other = *(int *)self;
    done[OPENS] = open("/etc/passwd", O_RDONLY) >= 0;
    done[CREATES] = open("apart.txt", O_RDWR | O_CREAT, 0666) >= 0;
    done[CONNECTS] = socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
    done[WRITES] = write(other, "x", 1) == 1;
    done[READS_OTHER] = fcntl(other, F_GETFD) >= 0;
    done[HAS_STDOUT] = fcntl(1, F_GETFD) >= 0 || fcntl(2, F_GETFD) >= 0;
    done[SEES_FILE] = read(file, &byte, 1) >= 0;
    hol__apart_send(out, done, sizeof done);
}

static void confined(void **state) {
    char done[N_DEEDS], how[128];
    FILE *mine = tmpfile();
    (void)state;
    assert_non_null(mine);
    int other = fcntl(fileno(mine), F_DUPFD, 40);
    assert_int_equal(do_apart(do_deeds, &other, done, sizeof done, how, sizeof how), N_DEEDS);
    for (int i = 0; i < N_DEEDS; i++) assert_int_equal(done[i], i == SEES_FILE);
    assert_int_equal(access("apart.txt", F_OK), -1);
    close(other);
    fclose(mine);
}

/* ---- the host program ---- */

static volatile sig_atomic_t handled;
static void on_signal(int number) {
    handled = number;
}

static void do_term(void *self, int file, int out) {
    (void)self, (void)file;
    raise(SIGTERM);
    hol__apart_send(out, "x", 1);
}

/* Handlers and masks of the host are as before, and do not act there; one that ignores its children
 * gets its answer too. */
static void host(void **state) {
    char answer[8], how[128], hello[] = "hello";
    sigset_t set, now;
    (void)state;
    signal(SIGTERM, on_signal);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    assert_int_equal(do_apart(do_term, NULL, answer, 1, how, sizeof how), 0);
    assert_int_equal(handled, 0);
    sigprocmask(SIG_SETMASK, NULL, &now);
    assert_true(sigismember(&now, SIGUSR2) && !sigismember(&now, SIGINT));
    raise(SIGTERM);
    assert_int_equal(handled, SIGTERM);
    signal(SIGTERM, SIG_DFL);
    signal(SIGCHLD, SIG_IGN);
    assert_int_equal(do_apart(answer_well, hello, answer, sizeof answer, how, sizeof how), 5);
    signal(SIGCHLD, SIG_DFL);
}

/* Where no process can be had there is a reason and nothing is left behind. */
static void no_process(void **state) {
    hol__apart apart;
    struct rlimit before, none;
    (void)state;
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
    const char *reason = hol__apart_start(&apart, &limits, 0, answer_well, NULL);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_non_null(reason);
    assert_int_equal(apart.fd, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends), cmocka_unit_test(memory),     cmocka_unit_test(confined),
        cmocka_unit_test(host), cmocka_unit_test(no_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
