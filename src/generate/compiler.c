/* compiler.c: the system's compiler, and the folder where its libraries are kept. What is found
 * there is loaded and run, so that the folder must be one of this user that nobody else may enter.
 * See compiler.h. */
#define _XOPEN_SOURCE 700
#include "generate/compiler.h"

#include "common/program.h"
#include "io/input.h"
#include "io/out_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a library: the operations that code may have (program.c) take a few bytes each. */
static const size_t LARGEST = 64 << 20;

static hol_status fail(hol__shelf *s, const char *what, const char *path, const char *why) {
    return hol__report(s->ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL, "%s '%s': %s", what, path, why);
}

/* ---- what is kept ---- */

/* Behind the library stand these words and the checksum of what is before them: the loader maps
 * what the head of a file promises, and one that was cut ends the process when it is touched. */
static const char seal[] = "holonom code ";
enum { SEAL = sizeof seal - 1, SUM = 16 };

static void write_seal(const char *bytes, size_t n, char out[SEAL + SUM + 1]) {
    snprintf(out, SEAL + SUM + 1, "%s%0*llx", seal, SUM,
             hol__hash(14695981039346656037ULL, bytes, n));
}

/* Whether the file that is kept is whole. */
static hol_status look_whether_whole(hol__shelf *s, int *whole) {
    const hol__input input = {
        .path = s->path, .passing = 1, .most = LARGEST, .what = "compiled library"};
    char wanted[SEAL + SUM + 1];
    hol__text bytes;
    hol__text_init(&bytes, s->ctx);
    const hol_status status = hol__input_read(s->ctx, &input, &bytes);
    if (!status && bytes.length > SEAL + SUM) {
        const size_t n = bytes.length - SEAL - SUM;
        write_seal(bytes.data, n, wanted);
        *whole = memcmp(bytes.data + n, wanted, SEAL + SUM) == 0;
    }
    hol__text_free(&bytes);
    return status;
}

/* ---- where ---- */

/* The folder and those above it, as mkdir -p. */
static int make_folders(char *path) {
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        const int failed = mkdir(path, 0700) != 0 && errno != EEXIST;
        *at = '/';
        if (failed) return 0;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* A folder for what is not kept, once. */
static hol_status open_own(hol__shelf *s) {
    const char *below = getenv("TMPDIR");
    if (s->own.path[0] || hol__scratch_make(&s->own)) return HOL_OK;
    return fail(s, "cannot make a folder in", below && *below ? below : "/tmp", strerror(errno));
}

/* Whether somebody else could put another folder in the place of this one: they own a folder above
 * it, or may rename what is in it. The path has its links resolved. */
static int may_be_replaced(char *path) {
    struct stat about;
    int foul = 0;
    for (char *slash; !foul && (slash = strrchr(path, '/'));) {
        const int top = slash == path;
        slash[top] = '\0';
        const int known = stat(path, &about) == 0;
        foul = !known || (about.st_uid != 0 && about.st_uid != geteuid()) ||
               (about.st_mode & S_IWOTH && !(about.st_mode & S_ISVTX));
        if (top) break;
    }
    return foul;
}

/* The same of a path as it is given. */
static int is_in_foul_place(const char *path) {
    char *resolved = realpath(path, NULL);
    const int foul = !resolved || may_be_replaced(resolved);
    free(resolved);
    return foul;
}

static hol_status open_folder(hol__shelf *s) {
    struct stat about;
    if (!s->folder) return open_own(s);
    const int n = snprintf(s->path, sizeof s->path, "%s", s->folder);
    if (n < 0 || n >= (int)sizeof s->path - 80)
        return hol__report(s->ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL,
                           "the name of the folder for compiled code has %d characters; it may "
                           "have %d",
                           n, (int)sizeof s->path - 81);
    if (!make_folders(s->path) || stat(s->path, &about) != 0)
        return fail(s, "cannot make the folder", s->folder, strerror(errno));
    const char *why = !S_ISDIR(about.st_mode)               ? "it is a file"
                      : about.st_uid != geteuid()           ? "it belongs to somebody else"
                      : about.st_mode & (S_IRWXG | S_IRWXO) ? "others may enter it (chmod 700)"
                      : is_in_foul_place(s->path)
                          ? "a folder above it belongs to somebody else, or anybody may write in it"
                          : NULL;
    return why ? fail(s, "cannot keep code in", s->folder, why) : HOL_OK;
}

hol_status hol__shelf_find(hol__shelf *s, const char *name, int *there) {
    struct stat about;
    const hol_status status = open_folder(s);
    *there = 0;
    if (status) return status;
    snprintf(s->path, sizeof s->path, "%s/%s.so", s->folder ? s->folder : s->own.path, name);
    if (lstat(s->path, &about) != 0) return HOL_OK;
    if (!S_ISREG(about.st_mode) || about.st_uid != geteuid())
        return fail(s, "cannot take code from", s->path, "it is not a file of this user");
    return look_whether_whole(s, there);
}

/* ---- the compiler ---- */

/* The first line that the compiler wrote. */
static void first_line(const char *path, char *line, int size) {
    FILE *file = fopen(path, "r");
    line[0] = '\0';
    if (file && fgets(line, size, file)) line[strcspn(line, "\r\n")] = '\0';
    if (file) fclose(file);
}

/* Run the compiler; what it says of a failure is in the log. */
static hol_status call(hol__shelf *s, char *from, char *to, const char *log) {
    char line[200];
    char *const words[] = {(char *)s->compiler,
                           "-std=c99",
                           "-O2",
                           "-ffp-contract=off",
                           "-fPIC",
                           "-shared",
                           "-o",
                           to,
                           from,
                           "-lm",
                           NULL};
    const int code = hol__run_program(words, log, log, NULL);
    if (code == 0) return HOL_OK;
    if (code < 0)
        return hol__report(s->ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL,
                           "cannot run the compiler '%s': %s; install a C compiler, or name one",
                           s->compiler, strerror(errno));
    first_line(log, line, sizeof line);
    return hol__report(s->ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL,
                       "the compiler '%s' failed with code %d: %s", s->compiler, code,
                       *line ? line : "it did not say why");
}

/* The compiled library gets its name when it is whole. */
static hol_status keep(hol__shelf *s, const char *made) {
    const hol__input input = {
        .path = made, .passing = 1, .most = LARGEST, .what = "compiled library"};
    hol__text bytes;
    hol__text_init(&bytes, s->ctx);
    hol_status status = hol__input_read(s->ctx, &input, &bytes);
    char end[SEAL + SUM + 1];
    if (!status) write_seal(bytes.data, bytes.length, end);
    const hol__piece pieces[] = {{bytes.data, bytes.length}, {end, SEAL + SUM}};
    if (!status) status = hol__out_write(s->ctx, s->path, pieces, 2);
    hol__text_free(&bytes);
    return status;
}

hol_status hol__shelf_compile(hol__shelf *s, const hol__text *source) {
    char from[sizeof s->own.path + 16], log[sizeof from], made[sizeof from];
    hol_status status = open_own(s);
    snprintf(from, sizeof from, "%s/code.c", s->own.path);
    snprintf(log, sizeof log, "%s/code.log", s->own.path);
    snprintf(made, sizeof made, "%s/code.o", s->own.path);
    const hol__piece text = {source->data, source->length}, nothing = {"", 0};
    if (!status) status = hol__out_write(s->ctx, from, &text, 1);
    if (!status) status = hol__out_write(s->ctx, log, &nothing, 1);
    if (!status) status = call(s, from, made, log);
    return status ? status : keep(s, made);
}

void hol__shelf_close(hol__shelf *s) {
    hol__scratch_remove(&s->own);
}
