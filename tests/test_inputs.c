/* test_inputs.c: which files are read: regular ones, below the folder of the model, and all of them
 * noted, so that no output can replace an input. */
#define _GNU_SOURCE
#include "yaml_fixture.h"

#include <holonom/result.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Reads that wait for something that never comes end the test. */
enum { PATIENCE = 20 };

static char outer[300], inner[300]; /* a folder with a secret, and one below it */

/* The file of that name in the outer folder. */
static char *in_outer(const char *name) {
    static char path[4][700];
    static int at;
    char *p = path[at++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", outer, name);
    return p;
}

static int setup_folders(void **state) {
    snprintf(outer, sizeof outer, "%s/outer", dir);
    snprintf(inner, sizeof inner, "%s/outer/inner", dir);
    if (mkdir(outer, 0777) || mkdir(inner, 0777)) return 1;
    put_text("outer/secret.yaml", "parameters: {L: 2.385}\n");
    put_text("outer/secret.csv", "x,y\n0,1\n1,2.385\n");
    put_text("outer/secret.stl", "solid s\nendsolid s\n");
    alarm(PATIENCE);
    return setup(state);
}

static int remove_folders(void **state) {
    char command[400];
    alarm(0);
    snprintf(command, sizeof command, "rm -rf '%s'", outer);
    return system(command) || teardown(state);
}

/* Read the model of that text in the inner folder; whether it is refused with these words. */
static int refused(fixture *f, const char *text, const char *words) {
    again(f);
    const hol_status status = hol_spec_read_file(f->spec, put_text("outer/inner/m.yaml", text));
    const hol_message *m = hol_message_get(f->ctx, 0);
    if (status == HOL_OK || !m || !strstr(m->text, words))
        print_error("%s: %s\n", text, m ? m->text : "read");
    return status < 0 && m && strstr(m->text, words) && m->where.line > 0;
}

/* Includes, tables and meshes outside of the folder of the model, however they are named. */
static void outside(void **state) {
    static const char words[] = "lies outside of";
    fixture *f = *state;
    char text[900];
    assert_true(refused(f, "include: ../secret.yaml\n", words));
    assert_true(refused(f, "include: ./../inner/../secret.yaml\n", words));
    char *absolute = realpath(in_outer("secret.yaml"), NULL);
    snprintf(text, sizeof text, "include: %s\n", absolute);
    free(absolute);
    assert_true(refused(f, text, words));
    assert_true(refused(f, "include: /etc/passwd\n", words));
    assert_true(refused(f, "tables: {p: {file: ../secret.csv}}\n", words));
    assert_true(refused(f, "bodies: {a: {draw: {shape: mesh, file: ../secret.stl}}}\n", words));
    /* a link in the folder that leads out of it, and one to a folder outside */
    assert_int_equal(symlink("../secret.yaml", in_outer("inner/link.yaml")), 0);
    assert_true(refused(f, "include: link.yaml\n", words));
    assert_int_equal(symlink("..", in_outer("inner/up")), 0);
    assert_true(refused(f, "include: up/secret.yaml\n", words));
    /* a folder beside it whose name begins in the same way */
    assert_int_equal(mkdir(in_outer("inner2"), 0777), 0);
    put_text("outer/inner2/x.yaml", "a: 1\n");
    assert_true(refused(f, "include: ../inner2/x.yaml\n", words));
    /* an included file has the same bounds, wherever it lies */
    assert_int_equal(mkdir(in_outer("inner/sub"), 0777), 0);
    put_text("outer/inner/sub/a.yaml", "include: ../../secret.yaml\n");
    assert_true(refused(f, "include: sub/a.yaml\n", words));
    /* and may lead back into the folder */
    put_text("outer/inner/b.yaml", "parameters: {L: 4.75}\n");
    put_text("outer/inner/sub/a.yaml", "include: ../b.yaml\n");
    again(f);
    assert_int_equal(
        hol_spec_read_file(f->spec, put_text("outer/inner/m.yaml", "include: sub/a.yaml\n")), 0);
    assert_string_equal(text_at(f->spec, "parameters.L"), "4.75");
}

/* The folder can be chosen, or no file be allowed at all. */
static void chosen_root(void **state) {
    fixture *f = *state;
    char *path = put_text("outer/inner/m.yaml", "include: ../secret.yaml\n");
    again(f);
    assert_int_equal(hol_spec_set_include_root(f->spec, outer), HOL_OK);
    assert_int_equal(hol_spec_read_file(f->spec, path), HOL_OK);
    assert_string_equal(text_at(f->spec, "parameters.L"), "2.385");
    again(f);
    assert_int_equal(hol_spec_set_include_root(f->spec, ""), HOL_OK);
    path = put_text("outer/inner/m.yaml", "include: n.yaml\n");
    put_text("outer/inner/n.yaml", "a: 1\n");
    assert_true(hol_spec_read_file(f->spec, path) < 0);
    assert_true(said(f->ctx, "may not name other files"));
    again(f);
    assert_int_equal(hol_spec_set_include_root(f->spec, in_outer("nowhere")), HOL_ERR_ARGUMENT);
    assert_true(said(f->ctx, "no such folder"));
    again(f);
    assert_int_equal(hol_spec_set_include_root(f->spec, "/"), HOL_OK);
    path = put_text("outer/inner/m.yaml", "include: ../secret.yaml\n");
    assert_int_equal(hol_spec_read_file(f->spec, path), HOL_OK);
}

/* Pipes, devices and folders that a model names, or that are given as results. */
static void special_files(void **state) {
    fixture *f = *state;
    assert_int_equal(mkfifo(in_outer("inner/pipe.yaml"), 0666), 0);
    assert_int_equal(mkfifo(in_outer("inner/pipe.csv"), 0666), 0);
    assert_int_equal(mkfifo(in_outer("inner/pipe.h5"), 0666), 0);
    assert_true(refused(f, "include: pipe.yaml\n", "it is a pipe"));
    assert_true(refused(f, "tables: {p: {file: pipe.csv}}\n", "it is a pipe"));
    assert_true(refused(f, "include: .\n", "lies outside of")); /* the folder itself */
    assert_int_equal(mkdir(in_outer("inner/sub"), 0777), 0);
    assert_true(refused(f, "include: sub\n", "it is a directory"));
    again(f);
    assert_null(hol_result_read(f->ctx, in_outer("inner/pipe.csv")));
    assert_true(said(f->ctx, "it is a pipe"));
    again(f);
    assert_int_equal(hol_spec_read_file(f->spec, "/dev/zero"), HOL_ERR_IO);
    assert_true(said(f->ctx, "not a regular file"));
    /* extremes beside samples */
    put_text("outer/inner/r.csv", "time [s],a\n0,1\n");
    assert_int_equal(mkfifo(in_outer("inner/r.extremes.csv"), 0666), 0);
    again(f);
    assert_null(hol_result_read(f->ctx, in_outer("inner/r.csv")));
    assert_true(said(f->ctx, "r.extremes.csv"));
}

/* A file with a hole of a terabyte is refused at once. */
static void endless_files(void **state) {
    fixture *f = *state;
    char *path = put_text("outer/inner/hole.csv", "time [s],a\n0,1\n");
    assert_int_equal(truncate(path, (off_t)1 << 40), 0);
    assert_null(hol_result_read(f->ctx, path));
    assert_true(said(f->ctx, "not text"));
}

/* A small file of many columns and many empty lines takes no more than a small file. */
static void empty_lines(void **state) {
    enum { COLUMNS = 15000, LINES = 30000 };
    static char text[3 * COLUMNS + LINES + 16];
    fixture *f = *state;
    char *end = text + sprintf(text, "time");
    for (int i = 0; i < COLUMNS; i++) *end++ = ',', *end++ = 'x';
    memset(end, '\n', LINES);
    char *path = put_text("outer/inner/wide.csv", text);
    hol_result *result = hol_result_read(f->ctx, path);
    assert_non_null(result);
    assert_int_equal(hol_result_rows(result), 0);
    hol_result_free(result);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    assert_true(used.ru_maxrss < 1 << 19); /* KB */
}

/* A model may come through a pipe where the caller names it. */
static void model_from_pipe(void **state) {
    static const char text[] = "parameters: {L: 2.385}\n";
    fixture *f = *state;
    char *path = in_outer("inner/model");
    assert_int_equal(mkfifo(path, 0666), 0);
    const pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        const int fd = open(path, O_WRONLY);
        for (size_t i = 0; i + 1 < sizeof text; i++) {
            if (write(fd, text + i, 1) != 1) _exit(1);
            usleep(2000);
        }
        _exit(0);
    }
    const hol_status status = hol_spec_read_file(f->spec, path);
    waitpid(writer, NULL, 0);
    assert_int_equal(status, HOL_OK);
    assert_string_equal(text_at(f->spec, "parameters.L"), "2.385");
}

/* What is the input of which device and inode. */
static const char *noted(const fixture *f, const char *path) {
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return hol__context_find_input(f->ctx, about.st_dev, about.st_ino, 0);
}

/* Every file that was read for a model is noted, by what it is and not by its name; results are
 * not, which a later run may write anew. */
static void noted_inputs(void **state) {
    fixture *f = *state;
    put_text("outer/inner/part.yaml", "parameters: {L: 1}\n");
    put_text("outer/inner/t.csv", "x,y\n0,1\n1,2.385\n");
    put_text("outer/inner/other.csv", "x,y\n");
    char *path =
        put_text("outer/inner/m.yaml", "include: ./part.yaml\ntables: {p: {file: t.csv}}\n");
    assert_int_equal(hol_spec_read_file(f->spec, path), HOL_OK);
    assert_string_equal(noted(f, path), path);
    assert_non_null(noted(f, in_outer("inner/part.yaml")));
    assert_non_null(noted(f, in_outer("inner/t.csv")));
    assert_null(noted(f, in_outer("inner/other.csv")));
    assert_int_equal(link(path, in_outer("inner/hard.yaml")), 0);
    assert_string_equal(noted(f, in_outer("inner/hard.yaml")), path);
    path = put_text("outer/inner/r.csv", "time [s],a\n0,1\n");
    hol_result_free(hol_result_read(f->ctx, path));
    assert_null(noted(f, path));
}

int main(void) {
    if (!reads_yaml()) {
        puts("1..0 # SKIP built without libfyaml");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(outside, setup_folders, remove_folders),
        cmocka_unit_test_setup_teardown(chosen_root, setup_folders, remove_folders),
        cmocka_unit_test_setup_teardown(special_files, setup_folders, remove_folders),
        cmocka_unit_test_setup_teardown(endless_files, setup_folders, remove_folders),
        cmocka_unit_test_setup_teardown(empty_lines, setup_folders, remove_folders),
        cmocka_unit_test_setup_teardown(model_from_pipe, setup_folders, remove_folders),
        cmocka_unit_test_setup_teardown(noted_inputs, setup_folders, remove_folders),
    };
    if (!mkdtemp(dir)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_all();
    return failed;
}
