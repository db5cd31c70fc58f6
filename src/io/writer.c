/* writer.c: hol_writer: a simulation, a record of it, and a file in one of the formats. */
#include "base/argument.h"
#include "io/format.h"

struct hol_writer {
    hol_context *ctx;
    hol__arena arena;
    hol_sim *sim;
    hol__record record;
    hol__sink sink;
};

hol_writer *hol_writer_open(hol_sim *sim, const char *path) {
    hol_context *ctx = hol_sim_context(sim);
    if (!ctx || hol__need(ctx, "hol_writer_open", "the path", path)) return NULL;
    const hol__format *format = hol__format_of(ctx, path);
    hol_writer *writer = format ? hol__alloc(ctx, 1, sizeof *writer) : NULL;
    if (!writer) return NULL;
    *writer = (hol_writer){.ctx = ctx, .sim = sim};
    hol__arena_init(&writer->arena, ctx);
    if (hol__record_of_sim(&writer->record, &writer->arena, sim) &&
        hol__sink_open(ctx, format, &writer->record, path, &writer->sink) == HOL_OK)
        return writer;
    hol__arena_free(&writer->arena);
    hol__release(ctx, writer);
    return NULL;
}

hol_status hol_writer_record(hol_writer *writer) {
    if (!writer) return HOL_ERR_ARGUMENT;
    const hol_status status = hol__record_fill(&writer->record, writer->sim);
    return status ? status : hol__sink_append(&writer->sink);
}

const char *hol_writer_file(const hol_writer *writer) {
    if (!writer) return NULL;
    const hol__out_file *out = &writer->sink.out;
    return out->shown ? out->shown : out->path;
}

/* A list of extremes, by measure, or of their times, in the units of the record. */
static hol_list shown(hol_writer *writer, hol_list list, int times) {
    double *values = HOL__NEW_N(&writer->arena, double, list.n);
    for (int i = 0; values && i < list.n; i++) {
        const hol_unit *unit = &writer->record.units[times ? 0 : 1 + i];
        values[i] = unit->times != 0 ? hol_unit_show(unit, list.values[i]) : list.values[i];
    }
    return (hol_list){values, values ? list.n : 0};
}

/* Close the file and free the writer. */
static hol_status end(hol_writer *writer, const hol_sim_info *info) {
    hol_context *ctx = writer->ctx;
    const hol_status status = hol__sink_close(&writer->sink, info);
    hol__arena_free(&writer->arena);
    hol__release(ctx, writer);
    return status;
}

hol_status hol_writer_close(hol_writer *writer) {
    if (!writer) return HOL_OK;
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(writer->sim, &info);
    info.minima = shown(writer, info.minima, 0);
    info.minimum_times = shown(writer, info.minimum_times, 1);
    info.maxima = shown(writer, info.maxima, 0);
    info.maximum_times = shown(writer, info.maximum_times, 1);
    return end(writer, &info);
}

void hol_writer_discard(hol_writer *writer) {
    if (writer) end(writer, NULL);
}
