/* test_killed_files.c: result files of a process that is killed at any byte of any write, and of
 * one that goes on while they are read.
 *
 * The functions of the system that change files are replaced here by ones that count, and end the
 * process with SIGKILL in the middle of a chosen call. HOLONOM_KILLS in the environment says at how
 * many moments (default: 120 for each format).
 */
#define _GNU_SOURCE
#include "common/clock.h"
#include "record_sample.h"

#include <stdlib.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

enum { ROWS = 600, OLD_ROWS = 5 };

/* Shared with the child: the calls so far, the one that is the last, how much of it is done, and
 * how many records are surely in the file. */
typedef struct shared {
    long calls, last;
    double share;
    int sure, closed;
} shared;

static shared *common;
static char dir[] = "/tmp/holonom-killed-XXXXXX";

/* ---- the system, up to a point ---- */

/* How many of n bytes may still be written; the process ends when that many are. */
static size_t allowed(size_t n) {
    if (!common || !common->last) return n;
    common->calls++;
    return common->calls < common->last ? n : (size_t)(common->share * (double)n);
}

static ssize_t end_after(ssize_t n) {
    if (common && common->last && common->calls >= common->last) kill(getpid(), SIGKILL);
    return n;
}

ssize_t write(int fd, const void *data, size_t n) {
    const size_t some = fd > 2 ? allowed(n) : n;
    const ssize_t put = some ? (ssize_t)syscall(SYS_write, fd, data, some) : 0;
    return fd > 2 ? end_after(put) : put;
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at) {
    const size_t some = allowed(n);
    return end_after(some ? (ssize_t)syscall(SYS_pwrite64, fd, data, some, at) : 0);
}

int ftruncate(int fd, off_t length) {
    return (int)end_after(allowed(1) ? syscall(SYS_ftruncate, fd, length) : 0);
}

int rename(const char *from, const char *to) {
    return (int)end_after(allowed(1) ? syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0) : 0);
}

/* ---- a run that is killed ---- */

/* In the child: a whole run. HDF5 files are flushed at the first record and at every 256th. */
static void write_all(fixture *f, const hol__format *format) {
    const hol_sim_info info = {.end = HOL_END_TIME};
    const int every = format == &hol__csv_format ? 1 : 256;
    hol__sink sink;
    if (hol__sink_open(f->ctx, format, &f->record, f->path, &sink)) _exit(1);
    for (int i = 0; i < ROWS; i++) {
        sample_fill(&f->record, i);
        if (hol__sink_append(&sink)) _exit(2);
        if (i == 0 || (i + 1) % every == 0) common->sure = i + 1;
    }
    if (hol__sink_close(&sink, &info)) _exit(3);
    common->closed = 1;
    _exit(0);
}

/* A run that ends within call number `last`, when a share of it is done. */
static void run_until(fixture *f, const hol__format *format, long last, double share) {
    int status;
    *common = (shared){.last = last, .share = share};
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) write_all(f, format);
    waitpid(child, &status, 0);
    common->last = 0;
    assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
}

/* All of a file; free it. */
static char *slurp(const char *path, size_t *n) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(*n + 1);
    assert_int_equal(fread(data, 1, *n, file), *n);
    fclose(file);
    return data;
}

/* What the run left: the older file, untouched, and what is surely written beside it; or the new
 * one. */
static void check_left(fixture *f, const hol__format *format, const char *old, size_t n_old) {
    size_t n;
    const int columns =
        1 + SAMPLE_MEASURES + (format == &hol__csv_format ? 0 : 6 /* energies, violations */);
    char *now = slurp(f->path, &n);
    const int is_old = n == n_old && memcmp(now, old, n) == 0;
    free(now);
    assert_true(is_old || access(f->part, F_OK) != 0);
    hol_message_clear(f->ctx);
    hol_result *result = hol_result_read(f->ctx, is_old ? f->part : f->path);
    if (!result) { /* the run had not begun */
        assert_int_equal(common->sure, 0);
        assert_true(said(f->ctx, "no record yet") || access(f->part, F_OK) != 0);
        return;
    }
    const int rows = hol_result_rows(result);
    assert_true(rows >= common->sure && rows <= ROWS);
    if (!is_old) assert_int_equal(rows, ROWS);
    const char *end = hol_result_text(result, "end"); /* "time" where only the name was missing */
    if (is_old && !(end && strcmp(end, "time") == 0)) assert_true(said(f->ctx, "did not end"));
    sample_check(f, result, columns);
    hol_result_free(result);
}

/* Kill runs of a format at many moments, over an older file. */
static void kill_often(fixture *f, const hol__format *format) {
    const char *wanted = getenv("HOLONOM_KILLS");
    const hol_sim_info info = {.end = HOL_END_TIME};
    const int kills = wanted ? atoi(wanted) : 120;
    uint64_t random = 88172645463325252u;
    size_t n_old;
    sample_write(f, format, f->path, OLD_ROWS, &info);
    char *old = slurp(f->path, &n_old);
    run_until(f, format, 1000000, 1);
    assert_true(common->closed);
    const long calls = common->calls;
    assert_true(calls > 20);
    for (int i = 0; i < kills; i++) {
        /* every call once, as far as there are enough kills; else some of them */
        const long last =
            kills >= calls ? 1 + i % calls : 1 + (long)(next_word(&random) % (uint64_t)calls);
        const double share = (double)(next_word(&random) % 1000) / 999;
        FILE *file = fopen(f->path, "wb");
        assert_int_equal(fwrite(old, 1, n_old, file), n_old);
        fclose(file);
        run_until(f, format, last, share);
        check_left(f, format, old, n_old);
    }
    free(old);
}

static int setup_hdf5(void **state) {
    return sample_setup(state, dir, "run.h5");
}

static int setup_csv(void **state) {
    return sample_setup(state, dir, "run.csv");
}

static void killed_hdf5(void **state) {
    if (!built_with("hdf5")) skip();
    kill_often(*state, &hol__hdf5_format);
}

static void killed_csv(void **state) {
    kill_often(*state, &hol__csv_format);
}

/* ---- killed before anything could be read ---- */

/* The part holds the first n bytes of `head`, then zeros up to `size`: it has no record yet. */
static void check_unborn(const fixture *f, const char *head, size_t n, size_t size) {
    char bytes[64] = {0};
    memcpy(bytes, head, n);
    FILE *file = fopen(f->part, "wb");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    hol_message_clear(f->ctx);
    assert_null(hol_result_read(f->ctx, f->part));
    assert_true(said(f->ctx, "no record yet"));
}

/* The signature of an HDF5 file is written last; it may be cut, before zeros or at the end. */
static void unborn_hdf5(void **state) {
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    fixture *f = *state;
    if (!built_with("hdf5")) skip();
    for (size_t n = 0; n < 8; n++) {
        check_unborn(f, signature, n, n);
        check_unborn(f, signature, n, 53);
    }
    /* one of another kind is called what it is */
    FILE *file = fopen(f->part, "wb");
    fputs("\x89HDX, and so on", file);
    fclose(file);
    hol_message_clear(f->ctx);
    assert_null(hol_result_read(f->ctx, f->part));
    assert_true(said(f->ctx, "not an HDF5 file"));
    unlink(f->part);
}

/* The line of names may be cut anywhere. A file that is no part is told as it was. */
static void unborn_csv(void **state) {
    static const char head[] = "time [s],swing [rad]";
    fixture *f = *state;
    for (size_t n = 0; n < sizeof head; n++) check_unborn(f, head, n, n);
    assert_int_equal(rename(f->part, f->path), 0);
    hol_message_clear(f->ctx);
    assert_null(hol_result_read(f->ctx, f->path));
    assert_true(said(f->ctx, "ends within the line of column names"));
}

/* ---- a run that goes on ---- */

/* In the child: records without an end, at most some hundred a second. */
static void write_on(fixture *f, const hol__format *format) {
    const struct timespec moment = {0, 100000};
    hol__sink sink;
    if (hol__sink_open(f->ctx, format, &f->record, f->path, &sink)) _exit(1);
    for (int i = 0;; i++) {
        sample_fill(&f->record, i);
        if (hol__sink_append(&sink)) _exit(2);
        common->sure = i + 1;
        nanosleep(&moment, NULL);
    }
}

/* A file is read again and again while a process writes it: every time it is whole, never shorter,
 * and the process is named. */
static void read_running(fixture *f, const hol__format *format) {
    char words[64];
    *common = (shared){.sure = 0};
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) write_on(f, format);
    while (!*(volatile int *)&common->sure) usleep(1000);
    int rows = 0;
    for (int i = 0; i < 60; i++) {
        hol_message_clear(f->ctx);
        hol_result *result = hol_result_read(f->ctx, f->part);
        assert_non_null(result);
        assert_true(hol_result_rows(result) >= rows);
        rows = hol_result_rows(result);
        snprintf(words, sizeof words, "process %ld is writing", (long)child);
        assert_true(said(f->ctx, words));
        hol_result_free(result);
        usleep(5000);
    }
    /* a second writer is told the same */
    hol__sink sink;
    hol_message_clear(f->ctx);
    assert_int_equal(hol__sink_open(f->ctx, format, &f->record, f->path, &sink), HOL_ERR_IO);
    assert_true(said(f->ctx, words));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(rows > 1);
    /* and nobody holds the file any more */
    const hol_sim_info info = {.end = HOL_END_TIME};
    sample_write(f, format, f->path, OLD_ROWS, &info);
    assert_int_equal(access(f->part, F_OK), -1);
}

static void running_hdf5(void **state) {
    if (!built_with("hdf5")) skip();
    read_running(*state, &hol__hdf5_format);
}

static void running_csv(void **state) {
    read_running(*state, &hol__csv_format);
}

/* ---- a process that outlives the one that was killed ---- */

/* In the child: a record, and a process that keeps copies of all open files for 0.3 s, as one that
 * reads files apart does until it is given a processor. */
static void write_and_fork(fixture *f, const hol__format *format) {
    const struct timespec moment = {0, 300000000};
    hol__sink sink;
    if (hol__sink_open(f->ctx, format, &f->record, f->path, &sink)) _exit(1);
    sample_fill(&f->record, 0);
    if (hol__sink_append(&sink)) _exit(2);
    const pid_t heir = fork();
    if (heir < 0) _exit(3);
    if (heir == 0) {
        nanosleep(&moment, NULL);
        _exit(0);
    }
    common->sure = 1;
    for (;;) pause();
}

/* The locks of a process that was killed do not outlive it in copies of its open files: the next
 * writer waits until those are gone. A writer that lives is told at once. */
static void killed_with_heir(void **state) {
    fixture *f = *state;
    const hol_sim_info info = {.end = HOL_END_TIME};
    hol__sink sink;
    *common = (shared){.sure = 0};
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) write_and_fork(f, &hol__csv_format);
    while (!*(volatile int *)&common->sure) usleep(1000);
    const double asked = hol__clock_wall();
    assert_int_equal(hol__sink_open(f->ctx, &hol__csv_format, &f->record, f->path, &sink),
                     HOL_ERR_IO);
    assert_true(hol__clock_wall() - asked < 0.2); /* the heir is still there */
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    hol_message_clear(f->ctx);
    sample_write(f, &hol__csv_format, f->path, OLD_ROWS, &info);
    assert_int_equal(hol_message_count(f->ctx), 0);
    assert_int_equal(access(f->part, F_OK), -1);
}

/* The same where a run goes on with the records of one that was killed. */
static void resumed_with_heir(void **state) {
    fixture *f = *state;
    char *from;
    hol__out_file out;
    *common = (shared){.sure = 0};
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) write_and_fork(f, &hol__csv_format);
    while (!*(volatile int *)&common->sure) usleep(1000);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    hol_message_clear(f->ctx);
    assert_int_equal(hol__out_open_again(f->ctx, f->path, &out, &from), HOL_OK);
    assert_string_equal(from, f->part);
    hol__release(f->ctx, from);
    hol__out_drop(&out);
    assert_int_equal(hol_message_count(f->ctx), 0);
    unlink(f->part);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(killed_hdf5, setup_hdf5, teardown),
        cmocka_unit_test_setup_teardown(killed_csv, setup_csv, teardown),
        cmocka_unit_test_setup_teardown(unborn_hdf5, setup_hdf5, teardown),
        cmocka_unit_test_setup_teardown(unborn_csv, setup_csv, teardown),
        cmocka_unit_test_setup_teardown(running_hdf5, setup_hdf5, teardown),
        cmocka_unit_test_setup_teardown(running_csv, setup_csv, teardown),
        cmocka_unit_test_setup_teardown(killed_with_heir, setup_csv, teardown),
        cmocka_unit_test_setup_teardown(resumed_with_heir, setup_csv, teardown),
    };
    common = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (common == MAP_FAILED || !mkdtemp(dir)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(dir);
    return failed;
}
