/* hdf5_apart_with_hdf5.c: HDF5 results from anybody: read in a process apart, taken over with
 * bounds.
 *
 * The answer of the process:
 *   1 byte                 whether the file was read; if not: the reason, a text
 *   a result:              columns, texts, rows; by column four texts and `rows` numbers; by text
 *                          its key and its value
 *   a block:               three sizes and their product of numbers
 *   records:               block after block, each behind a byte as the first
 * where a text is its length and its bytes, and counts are 64 bits. All of it is checked here: a
 * process that a file has brought out of its way may send anything.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/apart.h"
#include "io/hdf5_calls.h"
#include "io/hdf5_content.h"
#include "io/input.h"
#include "io/out_file.h"
#include "io/out_lock.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Memory and answer may be some times the file, which may be compressed, and not less than this;
 * seconds of the processor to begin with, and bytes that take one more. */
enum { TIMES = 16, LEAST = 256 << 20, SECONDS = 6, BYTES_A_SECOND = 16 << 20 };

/* What the process works on. */
typedef struct task {
    const char *dataset;     /* NULL: the whole result, or … */
    const hol__h5rows *rows; /* … its first records */
} task;

/* ---- in the process ---- */

static void send_count(int out, uint64_t n) {
    hol__apart_send(out, &n, sizeof n);
}

static void send_text(int out, const char *text) {
    const size_t n = strlen(text);
    send_count(out, n);
    hol__apart_send(out, text, n);
}

/* Whether it succeeded, and why not. */
static void send_verdict(int out, int good, const char *reason) {
    const char byte = (char)good;
    hol__apart_send(out, &byte, 1);
    if (!good) send_text(out, reason);
}

static void send_result(hol_context *ctx, int file, int out) {
    char reason[HOL__H5_REASON];
    hol_result result = {.ctx = ctx};
    hol__arena_init(&result.arena, ctx);
    const int good = hol__h5content_result(&result, file, reason);
    send_verdict(out, good, reason);
    if (!good) return;
    send_count(out, (uint64_t)result.n_columns);
    send_count(out, (uint64_t)result.n_texts);
    send_count(out, (uint64_t)result.rows);
    for (int i = 0; i < result.n_columns; i++) {
        const hol_column *c = &result.columns[i];
        const char *const texts[] = {c->name, c->unit, c->frame, c->doc};
        for (int k = 0; k < 4; k++) send_text(out, texts[k]);
        hol__apart_send(out, result.values[i], (size_t)result.rows * sizeof(double));
    }
    for (int i = 0; i < result.n_texts; i++) {
        send_text(out, result.texts[i].key);
        send_text(out, result.texts[i].value);
    }
}

static void send_block(hol_context *ctx, int file, int out, const char *dataset) {
    char reason[HOL__H5_REASON];
    int dims[3];
    const double *values = hol__h5content_block(ctx, file, dataset, dims, reason);
    send_verdict(out, values != NULL, reason);
    if (!values) return;
    for (int i = 0; i < 3; i++) send_count(out, (uint64_t)dims[i]);
    hol__apart_send(out, values,
                    (size_t)dims[0] * (size_t)dims[1] * (size_t)dims[2] * sizeof(double));
}

/* One block of records, behind a byte that says so. */
static void send_some(void *self, const double *values, size_t n) {
    const int out = *(const int *)self;
    send_verdict(out, 1, NULL);
    hol__apart_send(out, values, n * sizeof *values);
}

static void send_rows(hol_context *ctx, int file, int out, const hol__h5rows *rows) {
    char reason[HOL__H5_REASON];
    if (!hol__h5content_rows(ctx, file, rows, send_some, &out, reason))
        send_verdict(out, 0, reason);
}

/* The work: memory comes from a context of its own, not from the allocator of the host program. */
static void work(void *self, int file, int out) {
    const task *t = self;
    hol_context *ctx = hol_context_new();
    if (!ctx) return;
    if (t->rows)
        send_rows(ctx, file, out, t->rows);
    else if (t->dataset)
        send_block(ctx, file, out, t->dataset);
    else
        send_result(ctx, file, out);
}

/* ---- in the caller ---- */

/* The answer while it comes in. */
typedef struct answer {
    hol__apart apart;
    hol_context *ctx;
    hol__input input;
    int no_memory;
} answer;

/* A count of at most `most`; -1 after a failure. */
static long get_count(answer *a, size_t most) {
    uint64_t n;
    if (!hol__apart_get(&a->apart, &n, sizeof n)) return -1;
    if (n <= most && n <= LONG_MAX) return (long)n;
    a->apart.too_much = 1;
    return -1;
}

/* A text in a block of its own; NULL after a failure. */
static char *get_text(answer *a) {
    const long n = get_count(a, a->apart.left);
    char *text = n >= 0 ? hol__alloc(a->ctx, (size_t)n + 1, 1) : NULL;
    if (n >= 0 && !text) a->no_memory = 1;
    if (text && hol__apart_get(&a->apart, text, (size_t)n)) return text;
    hol__release(a->ctx, text);
    return NULL;
}

/* Texts, which are freed together. */
static int get_texts(answer *a, int n, char **texts) {
    int good = 1;
    for (int i = 0; i < n; i++) texts[i] = NULL;
    for (int i = 0; i < n && good; i++) good = (texts[i] = get_text(a)) != NULL;
    return good;
}

static void free_texts(const answer *a, int n, char **texts) {
    for (int i = 0; i < n; i++) hol__release(a->ctx, texts[i]);
}

static int get_column(answer *a, hol_result *result) {
    char *texts[4];
    double *values = NULL;
    if (get_texts(a, 4, texts)) {
        const hol_column column = {texts[0], texts[1], texts[2], texts[3]};
        values = hol__result_add(result, &column);
        if (!values) a->no_memory = 1;
    }
    free_texts(a, 4, texts);
    return values && hol__apart_get(&a->apart, values, (size_t)result->rows * sizeof *values);
}

static int get_pair(answer *a, hol_result *result) {
    char *texts[2];
    int added = 0;
    if (get_texts(a, 2, texts)) {
        added = hol__result_add_text(result, texts[0], texts[1]);
        if (!added) a->no_memory = 1;
    }
    free_texts(a, 2, texts);
    return added;
}

/* All columns and texts; 0 after a failure. */
static int get_result(answer *a, hol_result *result) {
    const long columns = get_count(a, INT_MAX), texts = columns < 0 ? -1 : get_count(a, INT_MAX);
    const long rows = texts < 0 ? -1 : get_count(a, a->apart.left / sizeof(double));
    int good = rows >= 0 && rows <= INT_MAX;
    if (good) result->rows = (int)rows;
    for (long i = 0; i < columns && good; i++) good = get_column(a, result);
    for (long i = 0; i < texts && good; i++) good = get_pair(a, result);
    return good;
}

/* The numbers of a block; NULL after a failure. */
static double *get_block(answer *a, int dims[3]) {
    size_t total = 1;
    for (int i = 0; i < 3; i++) {
        const long n = get_count(a, INT_MAX);
        if (n < 0 || (n > 0 && total > a->apart.left / sizeof(double) / (size_t)n)) return NULL;
        dims[i] = (int)n;
        total *= (size_t)n;
    }
    double *values = hol__alloc(a->ctx, total, sizeof *values);
    if (!values) a->no_memory = 1;
    if (values && hol__apart_get(&a->apart, values, total * sizeof *values)) return values;
    hol__release(a->ctx, values);
    return NULL;
}

/* What a file of that size may take. */
static hol__apart_limits limits_of(long long size) {
    const size_t bytes = size > 0 ? (size_t)size : 0;
    const size_t most = bytes < SIZE_MAX / 4 / TIMES ? TIMES * bytes + LEAST : SIZE_MAX / 4;
    return (hol__apart_limits){most, SECONDS + (double)bytes / BYTES_A_SECOND, most};
}

/* Whether the file is one that its run has not filled yet: the first eight bytes, which make it an
 * HDF5 file, are written last, and may be cut. */
static int is_unborn(const hol__in_file *file, const char *path) {
    static const char signature[8] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    char first[sizeof signature] = {0};
    size_t n = 0;
    if (!hol__out_is_part(path) || pread(file->fd, first, sizeof first, 0) < 0) return 0;
    while (n < sizeof first && first[n] == signature[n]) n++;
    for (size_t i = n; i < sizeof first; i++)
        if (first[i]) return 0;
    return n < sizeof first;
}

/* Open the file and start the work, while its writer, if there is one, keeps it as it is; 0 with a
 * message after a failure. */
static int begin(answer *a, hol_context *ctx, const char *path, task *t) {
    hol__in_file file;
    *a = (answer){.ctx = ctx, .input = {.path = path, .passing = 1}};
    if (hol__input_open(ctx, &a->input, &file) != HOL_OK) return 0;
    hol__out_hold(file.fd);
    const hol__apart_limits limits = limits_of(file.size);
    const char *reason = hol__hdf5_load(); /* here, since the process has limits */
    if (!reason)
        reason = is_unborn(&file, path) ? HOL__NO_RECORD
                                        : hol__apart_start(&a->apart, &limits, file.fd, work, t);
    hol__in_close(&file);
    if (reason) hol__input_fail(ctx, &a->input, reason);
    return !reason;
}

/* Whether the process has read the file; its reason otherwise, to be released, or NULL. */
static int get_verdict(answer *a, char **reason) {
    char good = 0;
    *reason = NULL;
    if (!hol__apart_get(&a->apart, &good, 1)) return 0;
    if (!good) *reason = get_text(a);
    return good;
}

/* End the process; after a failure say why. */
static hol_status end(answer *a, int good, char *reason) {
    char how[128];
    hol__apart_finish(&a->apart, how, sizeof how);
    hol_status status = HOL_OK;
    if (a->no_memory)
        status = HOL_ERR_MEMORY;
    else if (!good)
        status = hol__input_fail(a->ctx, &a->input, reason ? reason : how);
    hol__release(a->ctx, reason);
    return status;
}

/* The whole answer as a result. */
static hol_status take(answer *a, hol_result *result) {
    char *reason;
    const int good = get_verdict(a, &reason) && get_result(a, result);
    return end(a, good, reason);
}

hol_status hol__hdf5_read(hol_result *result, const char *path) {
    answer a;
    task t = {.dataset = NULL};
    return begin(&a, result->ctx, path, &t) ? take(&a, result) : HOL_ERR_IO;
}

hol_status hol__hdf5_take(hol_result *result, const char *path, int fd, size_t most) {
    answer a = {.ctx = result->ctx, .input = {.path = path}};
    hol__apart_from(&a.apart, fd, most);
    return take(&a, result);
}

double *hol__hdf5_block(hol_context *ctx, const char *path, const char *dataset, int dims[3]) {
    answer a;
    task t = {.dataset = dataset};
    char *reason;
    if (!begin(&a, ctx, path, &t)) return NULL;
    double *values = get_verdict(&a, &reason) ? get_block(&a, dims) : NULL;
    if (end(&a, values != NULL, reason) == HOL_OK) return values;
    hol__release(ctx, values);
    return NULL;
}

/* All records, block by block; 0 after a failure, *status where `take` had one. */
static int get_rows(answer *a, const hol__h5rows *what, double *block, hol__h5rows_take_fn *take_fn,
                    void *self, char **reason, hol_status *status) {
    for (long first = 0; first < what->rows && !*status; first += what->block) {
        const long left = what->rows - first;
        const int n = left < what->block ? (int)left : what->block;
        if (!get_verdict(a, reason) ||
            !hol__apart_get(&a->apart, block, (size_t)n * (size_t)what->size * sizeof *block))
            return 0;
        *status = take_fn(self, block, n);
    }
    return 1;
}

hol_status hol__hdf5_rows(hol_context *ctx, const char *path, const hol__h5rows *what,
                          hol__h5rows_take_fn *take_fn, void *self) {
    answer a;
    task t = {.rows = what};
    char *reason = NULL;
    hol_status status = HOL_OK;
    double *block = hol__alloc(ctx, (size_t)what->block * (size_t)what->size, sizeof *block);
    if (!block) return HOL_ERR_MEMORY;
    if (!begin(&a, ctx, path, &t)) {
        hol__release(ctx, block);
        return HOL_ERR_IO;
    }
    const int good = get_rows(&a, what, block, take_fn, self, &reason, &status);
    const hol_status ended = end(&a, good, reason);
    hol__release(ctx, block);
    return status ? status : ended;
}
