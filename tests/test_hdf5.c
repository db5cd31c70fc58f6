/* test_hdf5.c: HDF5 results: write-read round trips to the last bit, killed runs, full disks,
 * damaged files. */
#define _GNU_SOURCE
#include "record_sample.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "holonom-hdf5-XXXXXX";

/* For the leak checker, where the test is built with it: HDF5 leaks memory when it meets damage. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void) {
    return "leak:libhdf5";
}

const char *__lsan_default_options(void) {
    return "print_suppressions=0";
}

static int setup(void **state) {
    return sample_setup(state, dir, "run.h5");
}

/* A file of n records at path; end as in the info. */
static void write_run(fixture *f, const char *path, int n, hol_end end) {
    const hol_sim_info info = {.end = end,
                               .steps = 1234567,
                               .t_end = 2.385,
                               .relative_energy_error = 3.1e-11,
                               .wall_time = 7};
    sample_write(f, &hol__hdf5_format, path, n, &info);
}

/* The first rows of the result are those of the made-up run: time, measures, energies,
 * violations. */
static void check_result(fixture *f, const hol_result *result) {
    sample_check(f, result, 1 + SAMPLE_MEASURES + 6);
}

static void round_trip(void **state) {
    fixture *f = *state;
    static const int lengths[] = {0, 1, 255, 256, 257, 1000};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        write_run(f, f->path, lengths[k], HOL_END_TIME);
        hol_result *result = hol_result_read(f->ctx, f->path);
        assert_non_null(result);
        assert_int_equal(hol_result_rows(result), lengths[k]);
        check_result(f, result);
        hol_result_free(result);
    }
    assert_int_equal(hol_message_count(f->ctx), 0);
}

/* What `text` of a result file says is the value, to the last bit. */
static void check_text(const hol_statistic *row, hol_statistic_value value, const char *text) {
    char *end;
    if (!text) fail_msg("'%s' was not stored", row->key);
    switch (row->kind) {
    case HOL_STATISTIC_COUNT: assert_int_equal(atol(text), value.count); break;
    case HOL_STATISTIC_REAL: assert_true(strtod(text, NULL) == value.real); break;
    case HOL_STATISTIC_TEXT: assert_string_equal(text, value.text); break;
    case HOL_STATISTIC_LIST:
        for (int i = 0; i < value.list.n; i++, text = end + 2)
            assert_true(strtod(text, &end) == value.list.values[i]);
        break;
    }
}

/* Rows that are stored come back from a file, under the key that the table gives; others do not. */
static void stored_rows_come_back(void **state) {
    fixture *f = *state;
    const hol_sim_info info = sample_info();
    sample_write(f, &hol__hdf5_format, f->path, 2, &info);
    hol_result *result = hol_result_read(f->ctx, f->path);
    assert_non_null(result);
    const hol_statistic *row;
    for (int i = 0; (row = hol_statistic_get(i)); i++) {
        char key[128];
        snprintf(key, sizeof key, "statistics.%s", row->stored ? row->stored : row->key);
        const char *text = hol_result_text(result, key);
        if (row->show & HOL_SHOW_FILE)
            check_text(row, hol_statistic_of(&info, i), text);
        else
            assert_null(text);
    }
    hol_result_free(result);
}

static void columns_and_texts(void **state) {
    fixture *f = *state;
    write_run(f, f->path, 3, HOL_END_STOP);
    hol_result *result = hol_result_read(f->ctx, f->path);
    assert_non_null(result);
    assert_string_equal(hol_result_column(result, 0)->name, "time");
    assert_string_equal(hol_result_column(result, 0)->unit, "s");
    for (int i = 0; i < SAMPLE_MEASURES; i++) {
        const hol_column column = *hol_result_column(result, 1 + i);
        assert_string_equal(column.name, sample_measures[i].name);
        assert_string_equal(column.unit, sample_measures[i].unit);
        assert_string_equal(column.frame, sample_measures[i].frame);
        assert_string_equal(column.doc, sample_measures[i].doc);
        assert_int_equal(hol_result_find(result, column.name), 1 + i);
    }
    assert_int_equal(hol_result_find(result, "energy.balance"), 1 + SAMPLE_MEASURES + 3);
    assert_int_equal(hol_result_find(result, "no such"), -1);
    assert_null(hol_result_column(result, 99));
    assert_null(hol_result_values(result, -1));
    assert_string_equal(hol_result_text(result, "model"), f->record.shape.model);
    assert_string_equal(hol_result_text(result, "method"), "made up");
    assert_string_equal(hol_result_text(result, "kernel"), "");
    assert_string_equal(hol_result_text(result, "version"), "9.8.7");
    assert_string_equal(hol_result_text(result, "hash"), "0123456789abcdef");
    assert_string_equal(hol_result_text(result, "options.tolerance"), "1e-09");
    assert_string_equal(hol_result_text(result, "end"), "stop");
    assert_string_equal(hol_result_text(result, "statistics.steps"), "1234567");
    assert_string_equal(hol_result_text(result, "statistics.t_end"), "2.385");
    assert_string_equal(hol_result_text(result, "statistics.relative_energy_error"), "3.1e-11");
    assert_null(hol_result_text(result, "statistics.wall_time"));
    assert_null(hol_result_text(result, "no such"));
    hol_result_free(result);
}

/* Blocks hold what the record held: bodies and joints by record, row and number. */
static void blocks(void **state) {
    fixture *f = *state;
    static const char *const names[][3] = {{"bodies/position", "bodies", "position"},
                                           {"bodies/quaternion", "bodies", "quaternion"},
                                           {"joints/moment_joint", "joints", "moment_joint"},
                                           {"joints/unique", "joints", "unique"},
                                           {"state/q", "state", "q"}};
    static const int sizes[][2] = {{3, 3}, {3, 4}, {2, 3}, {2, 1}, {9, 1}};
    write_run(f, f->path, 300, HOL_END_TIME);
    for (int k = 0; k < 5; k++) {
        int dims[3];
        double *block = hol__hdf5_block(f->ctx, f->path, names[k][0], dims);
        assert_non_null(block);
        assert_int_equal(dims[0], 300);
        assert_int_equal(dims[1], sizes[k][0]);
        assert_int_equal(dims[2], sizes[k][1]);
        const int n = dims[1] * dims[2];
        for (int i = 0; i < 300; i++) {
            sample_fill(&f->record, i);
            const double *at = hol__record_at(&f->record, names[k][1], names[k][2]);
            for (int j = 0; j < n; j++) assert_true(same_bits(block[i * n + j], at[j]));
        }
        hol__release(f->ctx, block);
    }
    int dims[3];
    assert_null(hol__hdf5_block(f->ctx, f->path, "bodies/nothing", dims));
    assert_true(said(f->ctx, "bodies/nothing"));
}

/* A model without measures, bodies and joints still makes a file. */
static void nothing_to_write(void **state) {
    fixture *f = *state;
    hol__shape shape = sample_shape();
    shape.n_measures = shape.n_bodies = shape.n_joints = shape.n_q = shape.n_v = 0;
    assert_true(hol__record_init(&f->record, &f->arena, &shape));
    write_run(f, f->path, 5, HOL_END_TIME);
    hol_result *result = hol_result_read(f->ctx, f->path);
    assert_non_null(result);
    assert_int_equal(hol_result_rows(result), 5);
    assert_int_equal(hol_result_columns(result), 7);
    hol_result_free(result);
}

/* Many bodies: the buffer shrinks to its bound in bytes, and the numbers still come back. */
static void many_bodies(void **state) {
    fixture *f = *state;
    enum { N = 1200, RECORDS = 70 };
    static const char *names[N];
    for (int i = 0; i < N; i++) names[i] = "link";
    hol__shape shape = sample_shape();
    shape.n_bodies = shape.n_joints = N;
    shape.bodies = shape.joints = names;
    shape.n_q = 7 * N;
    shape.n_v = 6 * N;
    assert_true(hol__record_init(&f->record, &f->arena, &shape));
    write_run(f, f->path, RECORDS, HOL_END_TIME);
    int dims[3];
    double *block = hol__hdf5_block(f->ctx, f->path, "joints/force", dims);
    assert_non_null(block);
    assert_int_equal(dims[0], RECORDS);
    assert_int_equal(dims[1], N);
    sample_fill(&f->record, RECORDS - 1);
    const double *at = hol__record_at(&f->record, "joints", "force");
    assert_memory_equal(block + 3 * N * (RECORDS - 1), at, 3 * N * sizeof *at);
    hol__release(f->ctx, block);
}

/* Read a whole file; *n receives its size. */
static char *slurp(const char *path, long *n) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *n = ftell(file);
    rewind(file);
    char *data = malloc((size_t)*n + 1);
    assert_int_equal(fread(data, 1, (size_t)*n, file), *n);
    fclose(file);
    return data;
}

/* The same run gives the same bytes, also when the clock has moved on by more than a second. */
static void same_bytes(void **state) {
    fixture *f = *state;
    char other[160];
    long n, m;
    snprintf(other, sizeof other, "%s/other.h5", dir);
    write_run(f, f->path, 600, HOL_END_TIME);
    nanosleep(&(struct timespec){1, 100000000}, NULL);
    write_run(f, other, 600, HOL_END_TIME);
    char *a = slurp(f->path, &n), *b = slurp(other, &m);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, (size_t)n);
    free(a);
    free(b);
    unlink(other);
}

/* A run that is killed leaves what it had flushed: all records but those of the last second or
 * buffer. */
static void killed(void **state) {
    fixture *f = *state;
    assert_true(sample_kill(f, &hol__hdf5_format, 700));
    assert_int_equal(access(f->path, F_OK), -1);
    hol_result *result = hol_result_read(f->ctx, f->part);
    assert_non_null(result);
    /* the first record, then pieces of 256 unless a second passed in between */
    assert_in_range(hol_result_rows(result), 512, 700);
    check_result(f, result);
    assert_string_equal(hol_result_text(result, "end"), "running");
    assert_null(hol_result_text(result, "statistics.steps"));
    hol_result_free(result);
}

/* Run `work` in a child that may write `limit` bytes to a file; its exit code. */
static int with_limit(fixture *f, rlim_t limit, int (*work)(fixture *f)) {
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char errors[160];
        snprintf(errors, sizeof errors, "%s/stderr", dir);
        if (!freopen(errors, "wb", stderr)) _exit(90);
        signal(SIGXFSZ, SIG_IGN);
        signal(SIGSEGV, SIG_DFL); /* cmocka would go on with its tests in the child */
        signal(SIGABRT, SIG_DFL);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit});
        exit(work(f)); /* not _exit: what HDF5 does at the end of the process is part of the test */
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Write until it fails, then close; 0 when the failure came as it should: once, with the path and
 * the reason. */
static int write_until_full(fixture *f) {
    hol__sink sink;
    const hol_sim_info info = {.end = HOL_END_FAILED};
    if (hol__sink_open(f->ctx, &hol__hdf5_format, &f->record, f->path, &sink)) return 1;
    int i = 0;
    for (; i < 100000; i++) {
        sample_fill(&f->record, i);
        if (hol__sink_append(&sink)) break;
    }
    if (i == 100000) return 2;
    if (hol_message_count(f->ctx) != 1) return 3;
    const hol_message *message = hol_message_get(f->ctx, 0);
    if (message->status != HOL_ERR_IO || !strstr(message->text, strerror(EFBIG)) ||
        !strstr(message->text, f->path))
        return 4;
    if (hol__sink_append(&sink) != HOL_ERR_IO) return 5;
    if (hol__sink_close(&sink, &info) != HOL_ERR_IO) return 6;
    return hol_message_count(f->ctx) == 1 ? 0 : 7;
}

/* The limit is met while the file is closed. */
static int close_when_full(fixture *f) {
    hol__sink sink;
    const hol_sim_info info = {.end = HOL_END_TIME};
    if (hol__sink_open(f->ctx, &hol__hdf5_format, &f->record, f->path, &sink)) return 1;
    for (int i = 0; i < 100; i++) {
        sample_fill(&f->record, i);
        if (hol__sink_append(&sink)) return 2;
    }
    struct rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    if (hol__sink_close(&sink, &info) != HOL_ERR_IO) return 3;
    return hol_message_count(f->ctx) == 1 &&
                   strstr(hol_message_get(f->ctx, 0)->text, strerror(EFBIG))
               ? 0
               : 4;
}

/* No room for the description already. */
static int open_when_full(fixture *f) {
    hol__sink sink;
    if (hol__sink_open(f->ctx, &hol__hdf5_format, &f->record, f->path, &sink) != HOL_ERR_IO)
        return 1;
    if (sink.file) return 2;
    return hol_message_count(f->ctx) == 1 &&
                   strstr(hol_message_get(f->ctx, 0)->text, strerror(EFBIG))
               ? 0
               : 3;
}

/* Nothing may appear on the standard error of the child. */
static void check_silent(void) {
    char errors[160];
    long n;
    snprintf(errors, sizeof errors, "%s/stderr", dir);
    char *text = slurp(errors, &n);
    text[n] = '\0';
    assert_string_equal(text, "");
    free(text);
    unlink(errors);
}

static void full_disk(void **state) {
    fixture *f = *state;
    assert_int_equal(with_limit(f, 600 * 1024, write_until_full), 0);
    check_silent();
    /* what was flushed before is still there */
    hol_result *result = hol_result_read(f->ctx, f->part);
    assert_non_null(result);
    assert_in_range(hol_result_rows(result), 256, 2000);
    check_result(f, result);
    assert_string_equal(hol_result_text(result, "end"), "running");
    hol_result_free(result);
}

static void full_disk_at_open(void **state) {
    fixture *f = *state;
    assert_int_equal(with_limit(f, 700, open_when_full), 0);
    check_silent();
}

static void full_disk_at_close(void **state) {
    fixture *f = *state;
    assert_int_equal(with_limit(f, 64 << 20, close_when_full), 0);
    check_silent();
    hol_result *result = hol_result_read(f->ctx, f->part);
    assert_non_null(result);
    assert_in_range(hol_result_rows(result), 1, 100);
    check_result(f, result);
    hol_result_free(result);
}

static void cannot_open(void **state) {
    fixture *f = *state;
    hol__sink sink;
    assert_int_equal(
        hol__sink_open(f->ctx, &hol__hdf5_format, &f->record, "/nonexistent/run.h5", &sink),
        HOL_ERR_IO);
    assert_null(sink.file);
    assert_true(said(f->ctx, "/nonexistent/run.h5"));
    assert_true(said(f->ctx, strerror(ENOENT)));
    assert_null(hol_result_read(f->ctx, "/nonexistent/run.h5"));
    assert_int_equal(hol_message_count(f->ctx), 2);
    assert_null(hol_result_read(f->ctx, "run.xyz"));
    assert_true(said(f->ctx, ".h5 (") && said(f->ctx, ".csv ("));
}

/* Write bytes as a file. */
static void spit(const char *path, const char *data, size_t n) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, n, file), n);
    fclose(file);
}

/* Files cut anywhere, and text: a message each, no crash. */
static void damaged(void **state) {
    fixture *f = *state;
    char path[160];
    long n;
    write_run(f, f->path, 300, HOL_END_TIME);
    char *data = slurp(f->path, &n);
    snprintf(path, sizeof path, "%s/bad.h5", dir);
    for (int i = 0; i < 40; i++) {
        hol_message_clear(f->ctx);
        spit(path, data, (size_t)(n * i / 40));
        assert_null(hol_result_read(f->ctx, path));
        assert_int_equal(hol_message_count_of(f->ctx, HOL_ERROR), 1);
        assert_string_equal(hol_message_get(f->ctx, 0)->where.file, path);
    }
    hol_message_clear(f->ctx);
    spit(path, "time [s]\n0\n", 11);
    assert_null(hol_result_read(f->ctx, path));
    assert_true(said(f->ctx, "not an HDF5 file"));
    unlink(path);
    free(data);
}

/* Read 150 files with random bytes changed; 0 when each is a result or a message. */
static int read_scrambled(fixture *f) {
    char path[160];
    long n;
    uint64_t random = 0x2545F4914F6CDD1Du;
    char *data = slurp(f->path, &n), *bad = malloc((size_t)n);
    int silent = 0;
    snprintf(path, sizeof path, "%s/bad.h5", dir);
    for (int i = 0; i < 150; i++) {
        memcpy(bad, data, (size_t)n);
        for (int k = 0; k < 8; k++)
            bad[next_word(&random) % (uint64_t)n] = (char)next_word(&random);
        spit(path, bad, (size_t)n);
        hol_message_clear(f->ctx);
        hol_result *result = hol_result_read(f->ctx, path);
        silent += !result && hol_message_count_of(f->ctx, HOL_ERROR) == 0;
        hol_result_free(result);
    }
    unlink(path);
    free(bad);
    free(data);
    return silent != 0;
}

/* Whatever a damaged file says: no crash, nothing printed. In a child, to see the end of the
 * process. */
static void scrambled(void **state) {
    fixture *f = *state;
    write_run(f, f->path, 20, HOL_END_TIME);
    assert_int_equal(with_limit(f, RLIM_INFINITY, read_scrambled), 0);
    check_silent();
}

/* ---- failing allocations ---- */

/* Write and read with the k-th allocation failing, for every k: nothing leaks and nothing
 * crashes. */
static void failing_allocations(void **state) {
    fixture *f = *state;
    for (long k = 1;; k++) {
        counting c;
        hol_context *ctx = failing_context(&c, k);
        hol__sink sink;
        if (ctx && hol__sink_open(ctx, &hol__hdf5_format, &f->record, f->path, &sink) == HOL_OK) {
            const hol_sim_info info = {.end = HOL_END_TIME};
            sample_fill(&f->record, 0);
            hol_status closed = hol__sink_append(&sink);
            assert_true(closed == HOL_OK || c.made >= k);
            closed = hol__sink_close(&sink, &info);
            assert_true(closed == HOL_OK || c.made >= k);
            hol_result *result = closed ? NULL : hol_result_read(ctx, f->path);
            assert_true(result || c.made >= k);
            hol_result_free(result);
        }
        hol_context_free(ctx);
        assert_int_equal(c.live, 0);
        if (c.made < k) break;
    }
}

int main(void) {
    if (!built_with("hdf5")) {
        puts("1..0 # SKIP built without HDF5");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(columns_and_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(stored_rows_come_back, setup, teardown),
        cmocka_unit_test_setup_teardown(blocks, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_to_write, setup, teardown),
        cmocka_unit_test_setup_teardown(many_bodies, setup, teardown),
        cmocka_unit_test_setup_teardown(same_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(killed, setup, teardown),
        cmocka_unit_test_setup_teardown(full_disk, setup, teardown),
        cmocka_unit_test_setup_teardown(full_disk_at_open, setup, teardown),
        cmocka_unit_test_setup_teardown(full_disk_at_close, setup, teardown),
        cmocka_unit_test_setup_teardown(cannot_open, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged, setup, teardown),
        cmocka_unit_test_setup_teardown(scrambled, setup, teardown),
        cmocka_unit_test_setup_teardown(failing_allocations, setup, teardown),
    };
    if (!mkdtemp(dir)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(dir);
    return failed;
}
