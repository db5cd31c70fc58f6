/* writer.c: hol_writer: a simulation, a record of it, and a file in one of the formats, no larger
 * than it may be. */
#define _POSIX_C_SOURCE 200809L
#include "base/argument.h"
#include "common/number.h"
#include "io/writer.h"

#include <stdint.h>
#include <string.h>
#include <sys/statvfs.h>

/* ---- how large a file becomes ---- */

/* The limit that the options set. */
static double limit_of(const hol_sim *sim) {
    double most = 0;
    hol_options_get_real(hol_sim_options(sim), "max_bytes", &most);
    return most;
}

/* Refuse a file that would be too large. */
static hol_status check_size(hol_writer *writer, const char *path) {
    const double rows = hol_sim_rows(writer->sim), bytes = rows * writer->row_bytes;
    const hol_location where = hol_options_where(hol_sim_options(writer->sim), "output");
    char size[HOL__NUMBER_SIZE], most[HOL__NUMBER_SIZE];
    if (!(writer->max_bytes > 0) || bytes <= writer->max_bytes) return HOL_OK;
    return hol__report(writer->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, NULL,
                       "output: '%s' would have %.6g rows and about %s, and max_bytes allows %s: "
                       "write rows further apart, or set max_bytes",
                       path, rows, hol__size_text(bytes, size),
                       hol__size_text(writer->max_bytes, most));
}

/* Warn where the disk has no room for all rows. */
static void look_at_disk(hol_writer *writer) {
    const double bytes = hol_sim_rows(writer->sim) * writer->row_bytes;
    const hol__out_file *out = &writer->sink.out;
    const hol_location where = {out->path, 0, 0};
    struct statvfs disk;
    char size[HOL__NUMBER_SIZE], room[HOL__NUMBER_SIZE];
    if (!out->part || fstatvfs(out->fd, &disk) != 0) return;
    const double there = (double)disk.f_bavail * (double)disk.f_frsize;
    if (bytes > there)
        hol__warn(writer->ctx, &where, NULL, "'%s' will need about %s, and %s are free on its disk",
                  out->path, hol__size_text(bytes, size), hol__size_text(there, room));
}

/* End a file that has become too large. */
static hol_status check_growth(hol_writer *writer) {
    const double bytes = (double)(writer->sink.rows + 1) * writer->row_bytes;
    char size[HOL__NUMBER_SIZE];
    if (!(writer->max_bytes > 0) || bytes <= writer->max_bytes) return HOL_OK;
    const hol_location where = hol_options_where(hol_sim_options(writer->sim), "output");
    return hol__report(writer->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &where, NULL,
                       "'%s' has %ld rows, and max_bytes allows %s; what was computed is kept",
                       writer->sink.out.path ? writer->sink.out.path : "the result in memory",
                       writer->sink.rows, hol__size_text(writer->max_bytes, size));
}

double hol_writer_estimate(hol_sim *sim, const char *path) {
    hol_context *ctx = hol_sim_context(sim);
    if (!ctx || hol__need(ctx, "hol_writer_estimate", "the path", path)) return -1;
    const hol__format *format = hol__format_of(ctx, path);
    hol__arena arena;
    hol__record record;
    double bytes = -1;
    hol__arena_init(&arena, ctx);
    if (format && hol__record_of_sim(&record, &arena, sim))
        bytes = hol_sim_rows(sim) * format->row_bytes(&record);
    hol__arena_free(&arena);
    return bytes;
}

/* ---- writing ---- */

/* An accepted step. */
static void look(void *self, hol_sim *sim) {
    hol_writer *writer = self;
    hol__record_look(&writer->record, sim, writer->sink.format->whole);
}

int hol__writer_keep_extremes(hol_writer *writer) {
    const hol__format *format = writer->sink.format;
    const char *word = "on";
    hol_options_get_choice(hol_sim_options(writer->sim), "extremes", &word);
    if (strcmp(word, "on") != 0 || !(format->whole || writer->record.constraints.n)) return 1;
    if (!hol__record_keep_extremes(&writer->record, &writer->arena)) return 0;
    writer->onlooker = (hol__onlooker){.look = look, .self = writer};
    hol__extremes_add(writer->sim, &writer->onlooker);
    return 1;
}

/* Begin the file: empty, or with the records of an earlier run. */
static hol_status begin(hol_writer *writer, const hol__format *format, const char *path,
                        const hol__sink_start *start) {
    if (start)
        return hol__sink_open_again(writer->ctx, format, &writer->record, path, start,
                                    &writer->sink);
    return hol__sink_open(writer->ctx, format, &writer->record, path, &writer->sink);
}

/* What the record had kept over the steps so far; 0 where it is not that of such a record. */
static int take_over(hol_writer *writer, const hol__sink_start *start) {
    if (!start) return 1;
    hol__archive archive = {.mode = HOL__ARCHIVE_READ,
                            .bytes = (unsigned char *)(uintptr_t)start->kept,
                            .limit = start->n_kept};
    if (start->n_kept) hol__record_walk(&writer->record, &archive);
    if (!archive.mismatch && archive.size == start->n_kept) return 1;
    const hol_location where = {writer->sink.out.path, 0, 0};
    hol__report(writer->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, NULL,
                "the checkpoint has other columns of '%s' than this run; run the model again",
                writer->sink.out.path);
    return 0;
}

hol_writer *hol__writer_new(hol_sim *sim) {
    hol_context *ctx = hol_sim_context(sim);
    hol_writer *writer = hol__alloc(ctx, 1, sizeof *writer);
    if (!writer) return NULL;
    *writer = (hol_writer){.ctx = ctx, .sim = sim, .max_bytes = limit_of(sim)};
    hol__arena_init(&writer->arena, ctx);
    if (hol__record_of_sim(&writer->record, &writer->arena, sim))
        writer->extremes =
            HOL__NEW_N(&writer->arena, double,
                       4 * (size_t)(writer->record.shape.n_measures + HOL__FIELD_NUMBERS));
    if (writer->extremes) return writer;
    hol__writer_release(writer);
    return NULL;
}

void hol__writer_release(hol_writer *writer) {
    hol_context *ctx = writer->ctx;
    hol__extremes_drop(writer->sim, &writer->onlooker);
    hol__release(ctx, writer->block);
    hol__arena_free(&writer->arena);
    hol__release(ctx, writer);
}

hol_writer *hol__writer_open(hol_sim *sim, const char *path, const hol__sink_start *start) {
    const hol__format *format = hol__format_of(hol_sim_context(sim), path);
    hol_writer *writer = format ? hol__writer_new(sim) : NULL;
    if (!writer) return NULL;
    writer->row_bytes = format->row_bytes(&writer->record);
    if (check_size(writer, path) == HOL_OK && begin(writer, format, path, start) == HOL_OK) {
        look_at_disk(writer);
        if (hol__writer_keep_extremes(writer) && take_over(writer, start)) return writer;
        hol__sink_close(&writer->sink, NULL);
    }
    hol__writer_release(writer);
    return NULL;
}

hol_writer *hol_writer_open(hol_sim *sim, const char *path) {
    hol_context *ctx = hol_sim_context(sim);
    if (!ctx || hol__need(ctx, "hol_writer_open", "the path", path)) return NULL;
    return hol__writer_open(sim, path, NULL);
}

hol_status hol__writer_pause(hol_writer *writer, hol__arena *arena, hol__sink_start *so_far,
                             const char **path) {
    const hol__out_file *out = &writer->sink.out;
    const hol_location where = {out->path, 0, 0};
    *path = out->path;
    if (!out->part)
        return hol__report(writer->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL,
                           "there is no checkpoint of a run into a stream: what was sent cannot be "
                           "taken back");
    hol_status status = hol__sink_sync(&writer->sink);
    if (status) return status;
    hol__archive count = {.mode = HOL__ARCHIVE_COUNT};
    hol__record_walk(&writer->record, &count);
    unsigned char *kept = hol__arena_alloc(arena, count.size, 1);
    hol__archive archive = {.mode = HOL__ARCHIVE_WRITE, .bytes = kept};
    if (!kept) return HOL_ERR_MEMORY;
    hol__record_walk(&writer->record, &archive);
    *so_far = (hol__sink_start){writer->sink.rows, out->sum, kept, count.size};
    return HOL_OK;
}

hol_status hol_writer_record(hol_writer *writer) {
    if (!writer) return HOL_ERR_ARGUMENT;
    hol_status status = check_growth(writer);
    if (!status)
        status = hol__record_fill(&writer->record, writer->sim, writer->sink.format->whole);
    if (status) return status;
    return writer->in_memory ? hol__writer_keep(writer) : hol__sink_append(&writer->sink);
}

const char *hol_writer_file(const hol_writer *writer) {
    if (!writer || writer->in_memory) return NULL;
    const hol__out_file *out = &writer->sink.out;
    return out->shown ? out->shown : out->path;
}

/* A list of extremes, by measure and behind them by single constraint, energy and violation
 * (`own`), or of their times, in the units of the record; k: which of the four. */
static hol_list shown(hol_writer *writer, int k, hol_list list, const double *own, int times,
                      int most) {
    const hol__record *record = &writer->record;
    const int n = record->extremes.n ? most : list.n;
    double *values = writer->extremes + (size_t)k * (size_t)most;
    for (int i = 0; i < n; i++) {
        const hol_unit *unit = &record->units[times ? 0 : 1 + i];
        const double value = i < list.n ? list.values[i] : own[1 + i];
        values[i] = unit->times != 0 ? hol_unit_show(unit, value) : value;
    }
    return (hol_list){values, n};
}

void hol__writer_describe(hol_writer *writer, int whole, hol_sim_info *info) {
    char loads[512];
    /* all columns have extremes, or measures alone */
    const int most = writer->record.shape.n_measures + (whole ? HOL__FIELD_NUMBERS : 0);
    hol__record_tell_loads(&writer->record, writer->sim, loads, sizeof loads);
    if (*loads) hol__extremes_tell(writer->sim, loads);
    hol_sim_describe(writer->sim, info);
    const hol__record_extremes *x = &writer->record.extremes;
    info->minima = shown(writer, 0, info->minima, x->low, 0, most);
    info->minimum_times = shown(writer, 1, info->minimum_times, x->t_low, 1, most);
    info->maxima = shown(writer, 2, info->maxima, x->high, 0, most);
    info->maximum_times = shown(writer, 3, info->maximum_times, x->t_high, 1, most);
}

hol_status hol_writer_close(hol_writer *writer) {
    hol_sim_info info = {.size = sizeof info};
    hol_status status = HOL_OK;
    if (!writer) return HOL_OK;
    if (!writer->in_memory) {
        const int whole = writer->sink.format->whole;
        hol__writer_describe(writer, whole, &info);
        if (whole) hol__record_warn(writer->ctx, &writer->record);
        hol__extremes_drop(writer->sim, &writer->onlooker);
        status = hol__sink_close(&writer->sink, &info);
    }
    hol__writer_release(writer);
    return status;
}

void hol_writer_discard(hol_writer *writer) {
    if (!writer) return;
    if (!writer->in_memory) hol__sink_close(&writer->sink, NULL);
    hol__writer_release(writer);
}
