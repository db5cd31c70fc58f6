/* writer.c: hol_writer: a simulation, a record of it, and a file in one of the formats. */
#include "io/format.h"

struct hol_writer {
    hol_context *ctx;
    hol__arena arena;
    hol_sim *sim;
    hol__record record;
    const hol__format *format;
    void *file;
};

hol_writer *hol_writer_open(hol_sim *sim, const char *path) {
    hol_context *ctx = hol_sim_context(sim);
    const hol__format *format = hol__format_of(ctx, path);
    hol_writer *writer = format ? hol__alloc(ctx, 1, sizeof *writer) : NULL;
    if (!writer) return NULL;
    *writer = (hol_writer){.ctx = ctx, .sim = sim, .format = format};
    hol__arena_init(&writer->arena, ctx);
    if (hol__record_of_sim(&writer->record, &writer->arena, sim) &&
        format->open(ctx, &writer->record, path, &writer->file) == HOL_OK)
        return writer;
    hol__arena_free(&writer->arena);
    hol__release(ctx, writer);
    return NULL;
}

hol_status hol_writer_record(hol_writer *writer) {
    const hol_status status = hol__record_fill(&writer->record, writer->sim);
    return status ? status : writer->format->append(writer->file);
}

hol_status hol_writer_close(hol_writer *writer) {
    if (!writer) return HOL_OK;
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(writer->sim, &info);
    hol_context *ctx = writer->ctx;
    const hol_status status = writer->format->close(writer->file, &info);
    hol__arena_free(&writer->arena);
    hol__release(ctx, writer);
    return status;
}
