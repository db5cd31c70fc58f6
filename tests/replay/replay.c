/* replay.c: a main for the fuzzers where there is no libFuzzer: runs files through the entry, and
 * mutated files, the same at each call.
 *
 *     fuzz_x FILE|FOLDER...                       every file as it is
 *     fuzz_x --mutate N [--seed S] [--from K] FILE|FOLDER...
 *                                                 and N files made of them by changes of bytes,
 *                                                 words and lines, from number K on (0). File K of
 *                                                 a seed is always the same, so that runs with
 *                                                 other K add up; with K the files themselves are
 *                                                 left out
 *
 * The cases run in a process that is started again after a crash, so that all of them are counted.
 * A finding is a crash, more than 10 s of processor time (entry.c), a wait of two minutes, or more
 * than 1 GB; the bytes of each are kept in a file found-<fuzzer>-<number>, and the last line says
 * how many there were. The exit status is 1 where there is one.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST_WAIT = 120, MOST_KB = 1 << 20, MOST_CHANGES = 8, MOST_SIZE = 8 << 20 };

typedef struct bytes {
    uint8_t *data;
    size_t n, room;
} bytes;

/* What the two processes share. */
typedef struct progress {
    volatile long at; /* the case that runs */
} progress;

static struct {
    bytes *files;
    int n;
} base;

/* ---- files ---- */

static void *grown(void *block, size_t size) {
    void *more = realloc(block, size ? size : 1);
    if (!more) abort();
    return more;
}

static void read_one(const char *path) {
    FILE *file = fopen(path, "rb");
    bytes b = {0};
    if (!file) {
        perror(path);
        exit(2);
    }
    for (size_t n = 1; n > 0 && b.n < MOST_SIZE; b.n += n) {
        if (b.room < b.n + 65536) b.data = grown(b.data, b.room = 2 * b.n + 65536);
        n = fread(b.data + b.n, 1, 65536, file);
    }
    fclose(file);
    base.files = grown(base.files, sizeof *base.files * (size_t)(base.n + 1));
    base.files[base.n++] = b;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* A file, or the files of a folder in the order of their names. */
static void read_all(const char *path) {
    struct stat about;
    struct dirent **entries;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) {
        read_one(path);
        return;
    }
    const int n = scandir(path, &entries, NULL, by_name);
    for (int i = 0; i < n; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && stat(name, &about) == 0 && S_ISREG(about.st_mode))
            read_one(name);
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

/* ---- changes ---- */

/* splitmix64 */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t n) {
    return n ? (size_t)(next_random(state) % n) : 0;
}

static void make_room(bytes *b, size_t n) {
    if (b->room < n) b->data = grown(b->data, b->room = 2 * n);
}

/* Put m bytes in the place of k at a position. */
static void splice(bytes *b, size_t at, size_t k, const void *with, size_t m) {
    uint8_t copy[4096];
    if (m > sizeof copy) m = sizeof copy;
    memcpy(copy, with, m);
    if (at > b->n) at = b->n;
    if (k > b->n - at) k = b->n - at;
    make_room(b, b->n - k + m);
    memmove(b->data + at + m, b->data + at + k, b->n - at - k);
    memcpy(b->data + at, copy, m);
    b->n = b->n - k + m;
}

/* The start of the line at a position, and of the next one. */
static size_t line_start(const bytes *b, size_t at) {
    while (at > 0 && b->data[at - 1] != '\n') at--;
    return at;
}

static size_t line_end(const bytes *b, size_t at) {
    while (at < b->n && b->data[at] != '\n') at++;
    return at < b->n ? at + 1 : at;
}

/* The word around a position. */
static size_t word(const bytes *b, size_t *at) {
    static const char ends[] = " \t\r\n,:[]{}()=/*+^'\"";
    size_t end = *at;
    while (*at > 0 && !strchr(ends, b->data[*at - 1])) (*at)--;
    while (end < b->n && !strchr(ends, b->data[end])) end++;
    return end - *at;
}

static const char *const words[] = {"0",        "-1",
                                    "1e308",    "1e-308",
                                    "nan",      "inf",
                                    "-inf",     "~",
                                    "[]",       "{}",
                                    "''",       "1/0",
                                    "t",        "ground",
                                    "true",     "&a [*a]",
                                    "*a",       "? x",
                                    "<<",       "!!str",
                                    "0x10",     "1 m",
                                    "2 kg*m/s", "\xC3\xA9",
                                    "\t",       "\xEF\xBB\xBF",
                                    "|",        ">-",
                                    "#",        "...",
                                    "---",      "%YAML",
                                    "[[[[[[[[", "}}}}",
                                    "sin(sin(", "a ? b : c",
                                    "1,5",      "9999999999999999999999"};

/* One change. */
static void change(bytes *b, uint64_t *r) {
    static const uint8_t special[] = {0, 1, 0x7F, 0x80, 0xFF, '\n', ' ', ':', '-', '"'};
    uint8_t some[8];
    size_t at = below(r, b->n + 1), n;
    const bytes *other = &base.files[below(r, (size_t)base.n)];
    const size_t from = below(r, other->n);
    const int is_text = !memchr(other->data, 0, other->n);
    for (int i = 0; i < 8; i++) some[i] = (uint8_t)next_random(r);
    /* in texts mostly words and lines: changed bytes seldom get past the parser */
    switch (is_text && below(r, 4) ? 9 + below(r, 4) : below(r, 14)) {
    case 0:
        if (at < b->n) b->data[at] ^= (uint8_t)(1u << below(r, 8));
        break;
    case 1: splice(b, at, 1, some, 1); break;
    case 2: splice(b, at, 1, special + below(r, sizeof special), 1); break;
    case 3: splice(b, at, 1 + below(r, 8), some, 0); break;
    case 4: splice(b, at, 0, some, 1 + below(r, 8)); break;
    case 5: splice(b, at, 8, some, 8); break;
    case 6: /* a number of 4 or 8 bytes that is large, small or negative */
        memset(some, below(r, 2) ? 0xFF : 0, sizeof some);
        some[below(r, 8)] = (uint8_t)next_random(r);
        n = below(r, 2) ? 4 : 8;
        splice(b, at, n, some, n);
        break;
    case 7: /* bytes of another place */
        n = below(r, b->n);
        splice(b, at, below(r, 64), b->data + n, below(r, b->n - n < 64 ? b->n - n : 64));
        break;
    case 8: splice(b, at, below(r, 200), other->data + from, below(r, other->n - from)); break;
    case 9: /* a line that is gone, or comes twice */
        at = line_start(b, at);
        n = line_end(b, at) - at;
        if (below(r, 2))
            splice(b, at, n, some, 0);
        else
            splice(b, at, 0, b->data + at, n);
        break;
    case 10: /* a line of another place */
        at = line_start(b, at);
        n = line_start(other, from);
        splice(b, at, below(r, 2) ? line_end(b, at) - at : 0, other->data + n,
               line_end(other, n) - n);
        break;
    case 11:
    case 12: { /* a word */
        const char *with = words[below(r, sizeof words / sizeof *words)];
        n = word(b, &at);
        splice(b, at, n, with, strlen(with));
        break;
    }
    default: /* the end is gone */
        if (below(r, 4) == 0) b->n = at;
        break;
    }
}

/* Case k of a seed: one of the files with a few changes. */
static void make_case(uint64_t seed, long k, bytes *out) {
    uint64_t random = seed * 1000003u + (uint64_t)k;
    const bytes *from = &base.files[below(&random, (size_t)base.n)];
    make_room(out, from->n + 1);
    if (from->n) memcpy(out->data, from->data, from->n);
    out->n = from->n;
    for (size_t i = below(&random, 2) ? 1 : 1 + below(&random, MOST_CHANGES); i > 0; i--)
        change(out, &random);
}

/* ---- running ---- */

static void run_cases(uint64_t seed, long from, long to, progress *shared) {
    bytes b = {0};
    for (long k = from; k < to; k++) {
        shared->at = k;
        if (k < base.n) {
            alarm(LONGEST_WAIT);
            LLVMFuzzerTestOneInput(base.files[k].data, base.files[k].n);
        } else {
            make_case(seed, k - base.n, &b);
            alarm(LONGEST_WAIT);
            LLVMFuzzerTestOneInput(b.data, b.n);
        }
        alarm(0);
        struct rusage used;
        if (getrusage(RUSAGE_SELF, &used) == 0 && used.ru_maxrss > MOST_KB) _exit(77);
        if (getrusage(RUSAGE_CHILDREN, &used) == 0 && used.ru_maxrss > MOST_KB) _exit(77);
    }
    free(b.data);
    _exit(0);
}

/* Keep the bytes of a finding and say what it was. */
static void keep(const char *name, uint64_t seed, long k, int status) {
    char path[512];
    bytes b = {0};
    if (k < base.n)
        b = base.files[k];
    else
        make_case(seed, k - base.n, &b);
    snprintf(path, sizeof path, "found-%s-%llu-%ld", name, (unsigned long long)seed, k);
    FILE *file = fopen(path, "wb");
    if (file) fwrite(b.data, 1, b.n, file), fclose(file);
    printf("%s: %s: %s\n", name,
           WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "it waited for two minutes"
           : WIFSIGNALED(status)                              ? strsignal(WTERMSIG(status))
           : WEXITSTATUS(status) == 77                        ? "more than 1 GB"
                                                              : "it ended the process",
           path);
    if (k >= base.n) free(b.data);
}

int main(int argc, char **argv) {
    long cases = 0, from = 0, findings = 0;
    uint64_t seed = 1;
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--mutate") == 0 && i + 1 < argc)
            cases = atol(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--from") == 0 && i + 1 < argc)
            from = atol(argv[++i]);
        else
            read_all(argv[i]);
    if (base.n == 0) {
        fprintf(stderr, "%s: no files\n", name);
        return 2;
    }
    progress *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 2;
    const long end = base.n + from + cases;
    const time_t start = time(NULL);
    fflush(NULL);
    for (long k = from ? base.n + from : 0; k < end; k++) {
        int status;
        const pid_t worker = fork();
        if (worker == 0) run_cases(seed, k, end, shared);
        if (worker < 0 || waitpid(worker, &status, 0) < 0) return 2;
        if (status == 0) break;
        k = shared->at;
        findings++;
        keep(name, seed, k, status);
        fflush(stdout);
    }
    printf("%s: %d files, %ld mutated ones (seed %llu), %ld findings, %ld s\n", name, base.n, cases,
           (unsigned long long)seed, findings, (long)(time(NULL) - start));
    return findings != 0;
}
