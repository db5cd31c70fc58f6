/* test_outputs.c: files that are written: never an input, never a special file unless asked, whole
 * or not at all, one writer at a time, with the permissions of before. */
#define _GNU_SOURCE
#include "common.h"
#include "io/out_file.h"

#include <holonom/holonom.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "/tmp/holonom-outputs-XXXXXX";

/* Write a text as a file, and compare a file with a text. */
static void spit(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void holds(const char *path, const char *text) {
    char data[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    data[fread(data, 1, sizeof data - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(data, text);
}

static int is_absent(const char *path) {
    struct stat about;
    return lstat(path, &about) != 0;
}

static int setup(void **state) {
    *state = hol_context_new();
    return *state && mkdtemp(dir) && chdir(dir) == 0 ? 0 : -1;
}

static int teardown(void **state) {
    char command[128];
    hol_context_free(*state);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    const int failed = chdir("/") != 0 || system(command) != 0;
    memset(strrchr(dir, '-') + 1, 'X', 6);
    return failed;
}

/* Write "new" to a path. */
static hol_status put(hol_context *ctx, const char *path) {
    hol_message_clear(ctx);
    return hol_output_write(ctx, path, "new", 3);
}

/* A whole file, over nothing and over an older one. */
static void whole_files(void **state) {
    assert_int_equal(put(*state, "a.txt"), HOL_OK);
    holds("a.txt", "new");
    spit("a.txt", "something longer than before");
    assert_int_equal(put(*state, "a.txt"), HOL_OK);
    holds("a.txt", "new");
    assert_true(is_absent("a.part.txt"));
    assert_int_equal(put(*state, ".hidden"), HOL_OK);
    assert_int_equal(put(*state, "no_extension"), HOL_OK);
    assert_int_equal(hol_message_count(*state), 0);
}

/* The older file stays until the new one is whole, and for ever when it is dropped. */
static void older_stays(void **state) {
    hol__out_file out;
    spit("a.txt", "old");
    assert_int_equal(hol__out_open(*state, "a.txt", 0, &out), HOL_OK);
    assert_int_equal(hol__out_append(&out, "half", 4), HOL_OK);
    holds("a.txt", "old");
    holds("a.part.txt", "half");
    hol__out_drop(&out);
    holds("a.txt", "old");
    assert_true(is_absent("a.part.txt"));
    assert_int_equal(hol__out_open(*state, "a.txt", 0, &out), HOL_OK);
    assert_int_equal(hol__out_append(&out, "half", 4), HOL_OK);
    assert_int_equal(hol__out_leave(&out), HOL_OK);
    holds("a.txt", "old");
    holds("a.part.txt", "half");
    assert_int_equal(put(*state, "a.txt"), HOL_OK); /* one that was left is in nobody's way */
    holds("a.txt", "new");
    assert_true(is_absent("a.part.txt"));
    spit("a.txt", "old");
    assert_int_equal(hol_output_check(*state, "a.txt"), HOL_OK);
    holds("a.txt", "old");
}

/* Permissions are those of the older file, or what the umask leaves of a new one. */
static void permissions(void **state) {
    struct stat about;
    const mode_t mask = umask(027);
    assert_int_equal(put(*state, "new.txt"), HOL_OK);
    stat("new.txt", &about);
    assert_int_equal(about.st_mode & 0777, 0640);
    spit("old.txt", "old");
    chmod("old.txt", 0604);
    assert_int_equal(put(*state, "old.txt"), HOL_OK);
    stat("old.txt", &about);
    assert_int_equal(about.st_mode & 0777, 0604);
    umask(mask);
}

/* A symbolic link stays one, whether there is something behind it or not; a second name of a file
 * keeps its content. */
static void links(void **state) {
    char target[64];
    spit("real.txt", "old");
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("../real.txt", "folder/link.txt"), 0);
    assert_int_equal(link("real.txt", "second.txt"), 0);
    assert_int_equal(put(*state, "folder/link.txt"), HOL_OK);
    assert_true(readlink("folder/link.txt", target, sizeof target) > 0);
    holds("real.txt", "new");
    holds("second.txt", "old");
    assert_int_equal(symlink("folder/later.txt", "dangling.txt"), 0);
    assert_int_equal(put(*state, "dangling.txt"), HOL_OK);
    holds("folder/later.txt", "new");
    assert_int_equal(symlink("loop.txt", "loop.txt"), 0);
    assert_int_equal(put(*state, "loop.txt"), HOL_ERR_IO);
    assert_true(said(*state, strerror(ELOOP)));
    /* a link in the place of the part leads nowhere */
    spit("precious.txt", "precious");
    assert_int_equal(symlink("precious.txt", "b.part.txt"), 0);
    assert_int_equal(put(*state, "b.txt"), HOL_ERR_IO);
    holds("precious.txt", "precious");
    /* nor does a second name there */
    assert_int_equal(link("precious.txt", "c.part.txt"), 0);
    assert_int_equal(put(*state, "c.txt"), HOL_OK);
    holds("precious.txt", "precious");
}

/* No name of a file that was read leads to an output. */
static void inputs(void **state) {
    if (!reads_yaml()) skip();
    static const char *const names[] = {"model.yaml", "./model.yaml", "soft.csv", "hard.csv",
                                        "part.yaml",  "table.csv",    "body.stl"};
    const char model[] = "holonom: 1\nspace: planar\ninclude: part.yaml\nbodies:\n"
                         "  a: {mass: 1, inertia: 1, draw: {shape: mesh, file: body.stl}}\n"
                         "tables:\n  f: {file: table.csv}\n";
    spit("model.yaml", model);
    spit("part.yaml", "gravity: [0, -9.81]\n");
    spit("table.csv", "x,y\n0,1\n1,2\n");
    spit("body.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                     "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n");
    assert_int_equal(symlink("model.yaml", "soft.csv"), 0);
    assert_int_equal(link("model.yaml", "hard.csv"), 0);
    hol_spec *spec = hol_spec_new(*state);
    hol_spec_read_file(spec, "model.yaml");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(put(*state, names[i]), HOL_ERR_ARGUMENT);
        assert_true(said(*state, "would overwrite"));
    }
    holds("model.yaml", model);
    hol_spec_free(spec);
    /* the same for results that are read for the output */
    const char *const results[] = {"other.h5", "model.yaml"};
    assert_int_equal(hol__out_none_of(*state, "hard.csv", 2, results), HOL_ERR_ARGUMENT);
    assert_int_equal(hol__out_none_of(*state, "new.csv", 2, results), HOL_OK);
}

/* A file that was read, is gone and left its inode to another is no input any more. */
static void inode_again(void **state) {
    if (!reads_yaml()) skip();
    char path[128];
    snprintf(path, sizeof path, "%s/gone.yaml", dir);
    spit(path, "holonom: 1\nspace: planar\n");
    hol_spec *spec = hol_spec_new(*state);
    hol_spec_read_file(spec, path);
    hol_spec_free(spec);
    assert_int_equal(put(*state, path), HOL_ERR_ARGUMENT);
    assert_int_equal(rename(path, "other.txt"), 0); /* the same inode under another name */
    assert_int_equal(put(*state, "other.txt"), HOL_OK);
}

/* Nothing but regular files is replaced; "stream:" writes into what is there. */
static void special_files(void **state) {
    struct stat about;
    char got[8] = "";
    assert_int_equal(mkfifo("pipe.csv", 0666), 0);
    const int fd = open("pipe.csv", O_RDONLY | O_NONBLOCK);
    assert_int_equal(put(*state, "pipe.csv"), HOL_ERR_IO);
    assert_true(said(*state, "not a regular file") && said(*state, "stream:"));
    assert_int_equal(put(*state, "stream:pipe.csv"), HOL_OK);
    assert_int_equal(read(fd, got, sizeof got), 3);
    assert_string_equal(got, "new");
    close(fd);
    assert_int_equal(stat("pipe.csv", &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
    assert_int_equal(put(*state, "/dev/null"), HOL_ERR_IO);
    assert_int_equal(put(*state, "stream:/dev/null"), HOL_OK);
    assert_int_equal(put(*state, "stream:/dev/full"), HOL_ERR_IO);
    assert_true(said(*state, strerror(ENOSPC)));
    if (mknod("null.csv", S_IFCHR | 0666, makedev(1, 3)) == 0) { /* root alone may */
        assert_int_equal(put(*state, "null.csv"), HOL_ERR_IO);
        assert_int_equal(stat("null.csv", &about), 0);
        assert_true(S_ISCHR(about.st_mode));
    }
    spit("file.csv", "old");
    assert_int_equal(put(*state, "stream:file.csv"), HOL_ERR_IO);
    assert_int_equal(put(*state, "stream:missing.csv"), HOL_ERR_IO);
    holds("file.csv", "old");
    hol__out_file out;
    assert_int_equal(hol__out_open(*state, "stream:pipe.csv", 0, &out), HOL_ERR_IO);
}

/* Names that cannot be written, each with its reason. */
static void wrong_names(void **state) {
    char longest[300];
    memset(longest, 'x', sizeof longest);
    memcpy(longest + 255, "", 1);
    mkdir("folder.csv", 0777);
    spit("file", "");
    assert_int_equal(put(*state, "folder.csv"), HOL_ERR_IO);
    assert_true(said(*state, "'folder.csv'") && said(*state, "directory"));
    assert_int_equal(put(*state, "nowhere/a.csv"), HOL_ERR_IO);
    assert_true(said(*state, "'nowhere/a.csv'") && said(*state, strerror(ENOENT)));
    assert_int_equal(put(*state, "file/a.csv"), HOL_ERR_IO);
    assert_true(said(*state, strerror(ENOTDIR)));
    assert_int_equal(put(*state, longest), HOL_ERR_IO);
    assert_true(said(*state, strerror(ENAMETOOLONG)));
    assert_int_equal(put(*state, ""), HOL_ERR_IO);
    assert_int_equal(put(*state, "a.part.csv"), HOL_ERR_IO);
    assert_true(said(*state, "not whole yet"));
    assert_int_equal(put(*state, "part.csv"), HOL_OK);
    assert_int_equal(put(*state, "folder.csv/"), HOL_ERR_IO);
    assert_int_equal(put(*state, "new.csv/"), HOL_ERR_IO);
}

/* The exit code of work in a child. */
static int in_child(hol_context *ctx, int (*work)(hol_context *ctx)) {
    int status;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(work(ctx));
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* As somebody who may not write here. */
static int write_as_nobody(hol_context *ctx) {
    if (geteuid() == 0 && setuid(65534) != 0) return 77;
    if (put(ctx, "ro/a.txt") != HOL_ERR_IO || !said(ctx, strerror(EACCES))) return 1;
    if (!said(ctx, "folder must be writable")) return 2;
    if (put(ctx, "mine.txt") != HOL_ERR_IO || !said(ctx, strerror(EACCES))) return 3;
    return 0;
}

static void read_only(void **state) {
    assert_int_equal(mkdir("ro", 0555), 0);
    spit("ro/a.txt", "old");
    chmod("ro/a.txt", 0666);
    spit("mine.txt", "old");
    chmod("mine.txt", 0444);
    chmod(".", 0777);
    assert_int_equal(in_child(*state, write_as_nobody), 0);
    holds("ro/a.txt", "old");
    holds("mine.txt", "old");
}

/* A limit on the size of files, in place of a full disk. */
static int write_too_much(hol_context *ctx) {
    char data[8192] = "x";
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){5000, 5000});
    if (hol_output_write(ctx, "a.txt", data, sizeof data) != HOL_ERR_IO) return 1;
    return said(ctx, strerror(EFBIG)) && said(ctx, "the older file is as it was") ? 0 : 2;
}

static void too_much(void **state) {
    spit("a.txt", "old");
    assert_int_equal(in_child(*state, write_too_much), 0);
    holds("a.txt", "old");
    assert_true(is_absent("a.part.txt"));
}

/* A real full disk, where one can be mounted. */
static int write_to_full_disk(hol_context *ctx) {
    static char data[1 << 20];
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mkdir("disk", 0777) != 0 || mount("none", "disk", "tmpfs", 0, "size=64k") != 0)
        return 77;
    spit("disk/a.txt", "old");
    memset(data, 'x', sizeof data);
    if (hol_output_write(ctx, "disk/a.txt", data, sizeof data) != HOL_ERR_IO) return 1;
    if (!said(ctx, strerror(ENOSPC)) || !said(ctx, "the older file is as it was")) return 2;
    if (access("disk/a.part.txt", F_OK) == 0) return 3;
    holds("disk/a.txt", "old");
    return 0;
}

static void full_disk(void **state) {
    const int code = in_child(*state, write_to_full_disk);
    if (code == 77) skip();
    assert_int_equal(code, 0);
}

/* Two writers of one file within a program. */
static void two_writers(void **state) {
    hol__out_file first, second;
    assert_int_equal(hol__out_open(*state, "a.txt", 0, &first), HOL_OK);
    assert_int_equal(hol__out_append(&first, "first", 5), HOL_OK);
    assert_int_equal(hol__out_open(*state, "./a.txt", 0, &second), HOL_ERR_IO);
    assert_true(said(*state, "is writing it"));
    assert_int_equal(hol__out_finish(&first), HOL_OK);
    holds("a.txt", "first");
    assert_int_equal(put(*state, "a.txt"), HOL_OK);
}

/* A part that somebody has taken away, or put another file in its place, gets no name. */
static void part_gone(void **state) {
    hol__out_file out;
    spit("a.txt", "old");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(hol__out_open(*state, "a.txt", 0, &out), HOL_OK);
        assert_int_equal(hol__out_append(&out, "new", 3), HOL_OK);
        assert_int_equal(unlink("a.part.txt"), 0);
        if (i) spit("a.part.txt", "other");
        assert_int_equal(hol__out_finish(&out), HOL_ERR_IO);
        holds("a.txt", "old");
    }
    holds("a.part.txt", "other");
}

/* The file that standard output goes to. */
static int write_to_output(hol_context *ctx) {
    if (!freopen("out.txt", "wb", stdout)) return 1;
    if (put(ctx, "out.txt") != HOL_ERR_IO || !said(ctx, "standard output")) return 2;
    return put(ctx, "stream:/dev/stdout") == HOL_OK ? 0 : 3;
}

static void standard_output(void **state) {
    assert_int_equal(in_child(*state, write_to_output), 0);
    holds("out.txt", "new");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole_files, setup, teardown),
        cmocka_unit_test_setup_teardown(older_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(permissions, setup, teardown),
        cmocka_unit_test_setup_teardown(links, setup, teardown),
        cmocka_unit_test_setup_teardown(inputs, setup, teardown),
        cmocka_unit_test_setup_teardown(inode_again, setup, teardown),
        cmocka_unit_test_setup_teardown(special_files, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_names, setup, teardown),
        cmocka_unit_test_setup_teardown(read_only, setup, teardown),
        cmocka_unit_test_setup_teardown(too_much, setup, teardown),
        cmocka_unit_test_setup_teardown(full_disk, setup, teardown),
        cmocka_unit_test_setup_teardown(two_writers, setup, teardown),
        cmocka_unit_test_setup_teardown(part_gone, setup, teardown),
        cmocka_unit_test_setup_teardown(standard_output, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
