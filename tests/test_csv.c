/* test_csv.c: comma-separated results: round trips to the last bit, killed runs, full disks,
 * damaged files, locales. */
#define _GNU_SOURCE
#include "record_sample.h"
#include "base/text.h"
#include "common/number.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "holonom-csv-XXXXXX";

static int setup(void **state) {
    return sample_setup(state, dir, "run.csv");
}

/* A file of n made-up records. */
static void write_run(fixture *f, int n) {
    const hol_sim_info info = {.end = HOL_END_TIME};
    sample_write(f, &hol__csv_format, f->path, n, &info);
}

/* The result holds the made-up run: time and measures. */
static void check_result(fixture *f, const hol_result *result) {
    sample_check(f, result, 1 + SAMPLE_MEASURES);
}

/* Write text as the file and read it. */
static hol_result *read_as(fixture *f, const char *text) {
    FILE *file = fopen(f->path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    hol_message_clear(f->ctx);
    return hol_result_read(f->ctx, f->path);
}

static void round_trip(void **state) {
    fixture *f = *state;
    static const int lengths[] = {0, 1, 700};
    for (int k = 0; k < 3; k++) {
        write_run(f, lengths[k]);
        hol_result *result = hol_result_read(f->ctx, f->path);
        assert_non_null(result);
        assert_int_equal(hol_result_rows(result), lengths[k]);
        check_result(f, result);
        for (int i = 0; i < SAMPLE_MEASURES; i++) {
            assert_string_equal(hol_result_column(result, 1 + i)->name, sample_measures[i].name);
            /* "φ [deg]" with unit rad becomes "φ [deg] [rad]": the last bracket is the unit */
            assert_string_equal(hol_result_column(result, 1 + i)->unit, sample_measures[i].unit);
        }
        hol_result_free(result);
    }
    assert_int_equal(hol_message_count(f->ctx), 0);
}

static void header(void **state) {
    fixture *f = *state;
    char line[512];
    write_run(f, 0);
    FILE *file = fopen(f->path, "rb");
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_string_equal(
        line, "time [s],tip.x [m],\"speed, of \"\"B\"\" [m/s]\",a/b [N*m],a_b,φ [deg] [rad],"
              "\" spaces  [kg*m^2]\",..\n");
}

/* Under a locale with a decimal comma the file is the same. */
static void comma_locale(void **state) {
    fixture *f = *state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR",
                                        "ru_RU.UTF-8"};
    const char *found = NULL;
    for (int i = 0; i < 5 && !found; i++) found = setlocale(LC_NUMERIC, names[i]);
    if (!found) skip();
    write_run(f, 50);
    hol_result *there = hol_result_read(f->ctx, f->path);
    setlocale(LC_NUMERIC, "C");
    hol_result *here = hol_result_read(f->ctx, f->path);
    assert_non_null(there);
    assert_non_null(here);
    check_result(f, there);
    check_result(f, here);
    hol_result_free(there);
    hol_result_free(here);
}

/* Numbers as text: the fewest digits, and back to the same bits. */
static void numbers(void **state) {
    static const struct {
        double value;
        const char *text;
    } known[] = {{0.1, "0.1"},       {-0.0, "-0"},
                 {1e22, "1e+22"},    {0.30000000000000004, "0.30000000000000004"},
                 {5e-324, "5e-324"}, {NAN, "nan"},
                 {INFINITY, "inf"},  {-INFINITY, "-inf"},
                 {2.385, "2.385"},   {DBL_MAX, "1.7976931348623157e+308"}};
    char buf[HOL__NUMBER_SIZE];
    const char *end;
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(hol__number_write(known[i].value, 0, buf), strlen(known[i].text));
        assert_string_equal(buf, known[i].text);
    }
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        const double value = sample_double(&random);
        for (int digits = 0; digits <= 17; digits += 17) {
            hol__number_write(value, digits, buf);
            assert_true(same_bits(hol__number_read(buf, &end), value));
            assert_int_equal(*end, '\0');
        }
    }
    hol__number_read("1.5e3x", &end);
    assert_string_equal(end, "x");
    hol__number_read("x", &end);
    assert_string_equal(end, "x");
}

/* Every line is there as soon as it is appended, whatever happens to the process then. */
static void killed(void **state) {
    fixture *f = *state;
    assert_true(sample_kill(f, &hol__csv_format, 321));
    assert_int_equal(access(f->path, F_OK), -1);
    hol_result *result = hol_result_read(f->ctx, f->part);
    assert_non_null(result);
    assert_true(said(f->ctx, "did not end: 321 rows are whole"));
    assert_int_equal(hol_result_rows(result), 321);
    check_result(f, result);
    hol_result_free(result);
}

/* /dev/full: the first line fails with the words of the system, and nothing is left open. */
static void full_device(void **state) {
    fixture *f = *state;
    hol__sink sink;
    if (access("/dev/full", W_OK) != 0) skip();
    assert_int_equal(symlink("/dev/full", f->path), 0);
    char stream[160];
    snprintf(stream, sizeof stream, "stream:%s", f->path);
    assert_int_equal(hol__sink_open(f->ctx, &hol__csv_format, &f->record, stream, &sink),
                     HOL_ERR_IO);
    assert_null(sink.file);
    assert_int_equal(hol_message_count(f->ctx), 1);
    const hol_message *message = hol_message_get(f->ctx, 0);
    assert_non_null(strstr(message->text, "No space left on device"));
    assert_non_null(strstr(message->text, f->path));
}

/* A line that does not fit whole is taken back; the file ends with the line before. */
static void full_in_a_line(void **state) {
    fixture *f = *state;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const hol_sim_info info = {.end = HOL_END_FAILED};
        hol__sink sink;
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){10007, 10007});
        if (hol__sink_open(f->ctx, &hol__csv_format, &f->record, f->path, &sink)) _exit(1);
        hol_status status = HOL_OK;
        for (int i = 0; i < 1000 && !status; i++) {
            sample_fill(&f->record, i);
            status = hol__sink_append(&sink);
        }
        if (status != HOL_ERR_IO || hol__sink_append(&sink) != HOL_ERR_IO) _exit(2);
        if (hol__sink_close(&sink, &info) != HOL_ERR_IO) _exit(3);
        _exit(hol_message_count(f->ctx) == 1 ? 0 : 4);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(access(f->path, F_OK), -1);
    hol_result *result = hol_result_read(f->ctx, f->part);
    assert_non_null(result);
    assert_int_equal(hol_message_count(f->ctx), 1);   /* that it did not end; no cut line */
    assert_in_range(hol_result_rows(result), 40, 70); /* 10007 bytes over about 180 a line */
    check_result(f, result);
    hol_result_free(result);
}

static void other_peoples_files(void **state) {
    fixture *f = *state;
    hol_result *result =
        read_as(f, "\xEF\xBB\xBFTime,x [m], y\r\n0, 1.5 ,-2e-3\r\n\r\n0.25,,inf\r\n");
    assert_non_null(result);
    assert_int_equal(hol_result_rows(result), 2);
    assert_int_equal(hol_result_columns(result), 3);
    assert_string_equal(hol_result_column(result, 0)->name, "time");
    assert_string_equal(hol_result_column(result, 1)->unit, "m");
    assert_string_equal(hol_result_column(result, 2)->name, " y");
    assert_true(hol_result_values(result, 1)[0] == 1.5);
    assert_true(isnan(hol_result_values(result, 1)[1]));
    assert_true(hol_result_values(result, 2)[1] == INFINITY);
    assert_null(hol_result_text(result, "model"));
    hol_result_free(result);
}

/* A last line without its end is left out with a warning. */
static void cut_line(void **state) {
    fixture *f = *state;
    hol_result *result = read_as(f, "time [s],x\n0,1\n0.5,2\n1,3.14");
    assert_non_null(result);
    assert_int_equal(hol_result_rows(result), 2);
    assert_int_equal(hol_message_count_of(f->ctx, HOL_WARNING), 1);
    assert_int_equal(hol_message_get(f->ctx, 0)->where.line, 4);
    hol_result_free(result);
}

static void damaged(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } cases[] = {
        {"", 1, 1, "empty"},
        {"time", 1, 5, "ends within"},
        {"x,y\n1,2\n", 1, 1, "first column must be the time"},
        {"time,\"x\n0,1\n", 1, 6, "no closing quote"},
        {"time,\"x\"y\n0,1\n", 1, 9, "expected a comma"},
        {"time,x\n0,1\n0.5\n", 3, 4, "fewer numbers"},
        {"time,x\n0,1,2\n", 2, 4, "more numbers"},
        {"time,x\n0,1\n0.5,abc\n", 3, 5, "expected a number"},
        {"time,x\n0,1;5\n", 2, 4, "expected the end"},
        {"time,x\n0;1\n", 2, 2, "expected a comma"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(read_as(f, cases[i].text));
        assert_int_equal(hol_message_count(f->ctx), 1);
        const hol_message *message = hol_message_get(f->ctx, 0);
        assert_int_equal(message->where.line, cases[i].line);
        assert_int_equal(message->where.column, cases[i].column);
        assert_non_null(strstr(message->text, cases[i].words));
    }
}

/* Names that a spreadsheet would take for formulas, and names that look like guarded ones, come
 * back as they were. */
static void formulas(void **state) {
    fixture *f = *state;
    static const struct {
        const char *name, *cell;
    } cases[] = {
        {"=1+1", "'=1+1"},     {"@sum", "'@sum"}, {"+a", "'+a"},
        {"-a", "'-a"},         {"'=x", "''=x"},   {"''", "'''"},
        {"\tx", "\"'\tx\""},   {"'a", "'a"},      {"=\"a\"", "\"'=\"\"a\"\"\""},
        {"=a,b", "\"'=a,b\""}, {"-5", "-5"},      {"a=b", "a=b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const hol__field field = {.name = cases[i].name, .unit = ""};
        char text[200];
        hol__text cell;
        hol__text_init(&cell, f->ctx);
        hol__csv_put_name(&cell, &field);
        assert_string_equal(cell.data, cases[i].cell);
        snprintf(text, sizeof text, "time [s],%s\n0,1\n", cell.data);
        hol__text_free(&cell);
        hol_result *result = read_as(f, text);
        assert_non_null(result);
        assert_string_equal(hol_result_column(result, 1)->name, cases[i].name);
        hol_result_free(result);
    }
}

/* Bytes of every kind: a result or a message. */
static void scrambled(void **state) {
    fixture *f = *state;
    uint64_t random = 362436069u;
    static const char letters[] = "time [s],0123456789.e+-\n\"\r\t ,nainf\xE9\x01";
    for (int i = 0; i < 2000; i++) {
        char text[200] = "time,x\n";
        const size_t n = (size_t)(next_word(&random) % 150), start = next_word(&random) % 2 ? 7 : 0;
        for (size_t k = 0; k < n; k++)
            text[start + k] = letters[next_word(&random) % (sizeof letters - 1)];
        text[start + n] = '\0';
        hol_result *result = read_as(f, text);
        assert_true(result || hol_message_count_of(f->ctx, HOL_ERROR) > 0);
        hol_result_free(result);
    }
}

static void cannot_open(void **state) {
    fixture *f = *state;
    hol__sink sink;
    assert_int_equal(
        hol__sink_open(f->ctx, &hol__csv_format, &f->record, "/nonexistent/run.csv", &sink),
        HOL_ERR_IO);
    assert_null(sink.file);
    assert_null(hol_result_read(f->ctx, "/nonexistent/run.csv"));
    assert_int_equal(hol_message_count(f->ctx), 2);
    for (int i = 0; i < 2; i++)
        assert_non_null(strstr(hol_message_get(f->ctx, i)->text, strerror(ENOENT)));
    char path[160];
    snprintf(path, sizeof path, "%s/folder.csv", dir);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_null(hol_result_read(f->ctx, path));
    assert_non_null(strstr(hol_message_get(f->ctx, 2)->text, "directory"));
    rmdir(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(header, setup, teardown),
        cmocka_unit_test_setup_teardown(comma_locale, setup, teardown),
        cmocka_unit_test(numbers),
        cmocka_unit_test_setup_teardown(killed, setup, teardown),
        cmocka_unit_test_setup_teardown(full_device, setup, teardown),
        cmocka_unit_test_setup_teardown(full_in_a_line, setup, teardown),
        cmocka_unit_test_setup_teardown(other_peoples_files, setup, teardown),
        cmocka_unit_test_setup_teardown(cut_line, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged, setup, teardown),
        cmocka_unit_test_setup_teardown(formulas, setup, teardown),
        cmocka_unit_test_setup_teardown(scrambled, setup, teardown),
        cmocka_unit_test_setup_teardown(cannot_open, setup, teardown),
    };
    if (!mkdtemp(dir)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(dir);
    return failed;
}
