/* sink.c: records on their way to a file: begun, appended, ended in one of three ways. */
#include "io/format.h"

hol_status hol__sink_open(hol_context *ctx, const hol__format *format, const hol__record *record,
                          const char *path, hol__sink *sink) {
    *sink = (hol__sink){.format = format, .record = record};
    hol_status status = hol__out_open(ctx, path, format->streams, &sink->out);
    if (status) return status;
    status = format->open(&sink->out, record, &sink->file);
    if (status) hol__out_drop(&sink->out);
    return status;
}

/* The records up to where the run goes on, and the place of the earlier file. */
static hol_status take_over(hol__sink *sink, const char *from, const hol__sink_start *start) {
    const hol_location where = {from, 0, 0};
    hol_status status = sink->format->copy(sink->file, from, start->rows);
    if (!status && sink->out.sum != start->sum)
        status = hol__report(sink->out.ctx, HOL_ERROR, HOL_ERR_INPUT, &where, NULL,
                             "'%s' does not hold the %ld rows that the checkpoint goes on from: "
                             "another run wrote it, or it was changed; run the model again",
                             from, start->rows);
    sink->rows = start->rows;
    sink->out.keep = start->rows > 0;
    if (!status) status = sink->format->sync(sink->file);
    if (!status) status = hol__out_take_place(&sink->out);
    sink->again = !status;
    return status;
}

hol_status hol__sink_open_again(hol_context *ctx, const hol__format *format,
                                const hol__record *record, const char *path,
                                const hol__sink_start *start, hol__sink *sink) {
    char *from;
    *sink = (hol__sink){.format = format, .record = record};
    hol_status status = hol__out_open_again(ctx, path, &sink->out, &from);
    if (status) return status;
    status = format->open(&sink->out, record, &sink->file);
    if (status) {
        hol__out_drop(&sink->out);
    } else {
        status = take_over(sink, from, start);
        if (status) hol__sink_close(sink, NULL);
    }
    hol__release(ctx, from);
    return status;
}

hol_status hol__sink_sync(hol__sink *sink) {
    if (sink->failed) return sink->failed;
    const hol_status status = sink->format->sync(sink->file);
    return status ? status : hol__out_sync(&sink->out);
}

hol_status hol__sink_append(hol__sink *sink) {
    if (sink->failed) return sink->failed;
    const hol_status status = sink->format->append(sink->file);
    if (status) return sink->failed = status;
    sink->rows++;
    sink->out.keep = 1;
    return HOL_OK;
}

/* Give the file its name, or leave it under its present one where a run that was interrupted finds
 * an older file in its place; then write what stands beside it. */
static hol_status settle(hol__sink *sink, const hol_sim_info *info) {
    const hol__format *format = sink->format;
    const hol_location where = {sink->out.path, 0, 0};
    hol_context *ctx = sink->out.ctx;
    const int leave = info->end == HOL_END_INTERRUPTED && sink->out.existed;
    const int beside = format->beside && sink->out.part && !leave;
    char *path = beside ? hol__copy_text(ctx, sink->out.path) : NULL;
    if (leave)
        hol__warn(ctx, &where, NULL,
                  "the older '%s' is as it was; the records of this run are in '%s'",
                  sink->out.path, sink->out.shown);
    hol_status status = leave ? hol__out_leave(&sink->out) : hol__out_finish(&sink->out);
    if (!status && beside && !path) status = HOL_ERR_MEMORY;
    if (!status && beside) status = format->beside(ctx, sink->record, path, sink->rows, info);
    hol__release(ctx, path);
    return status;
}

hol_status hol__sink_close(hol__sink *sink, const hol_sim_info *info) {
    const hol_status closed = sink->format->close(sink->file, info);
    const hol_status status = sink->failed ? sink->failed : closed;
    sink->file = NULL;
    if (info && !status) return settle(sink, info);
    if ((info || sink->again) && sink->out.keep)
        hol__out_leave(&sink->out);
    else
        hol__out_drop(&sink->out);
    return status;
}
