/* writer_memory.c: the records of a run in memory, one block of numbers with a row for each, and a
 * file made of them afterwards. */
#include "io/writer.h"
#include "base/argument.h"
#include "base/give.h"

#include <limits.h>
#include <string.h>

enum { FIRST_ROWS = 64, MOST_FIRST_ROWS = 65536 };

/* The bytes of one record. */
static double row_bytes(const hol__record *record) {
    return (double)record->size * sizeof(double);
}

static const hol__format memory_format = {
    .extension = "", .title = "memory", .row_bytes = row_bytes, .whole = 1};

/* Room for so many records; what is there stays. */
static hol_status reserve(hol_writer *writer, long rows) {
    const size_t width = (size_t)writer->record.size;
    double *block = hol__alloc(writer->ctx, (size_t)rows, width * sizeof *block);
    if (!block) return HOL_ERR_MEMORY;
    if (writer->block)
        memcpy(block, writer->block, sizeof *block * width * (size_t)writer->sink.rows);
    hol__release(writer->ctx, writer->block);
    writer->block = block;
    writer->capacity = rows;
    return HOL_OK;
}

hol_writer *hol_writer_open_memory(hol_sim *sim) {
    hol_writer *writer = hol_sim_context(sim) ? hol__writer_new(sim) : NULL;
    if (!writer) return NULL;
    const double rows = hol_sim_rows(sim);
    writer->in_memory = 1;
    writer->sink.format = &memory_format;
    writer->row_bytes = row_bytes(&writer->record);
    const long first = rows < FIRST_ROWS        ? FIRST_ROWS
                       : rows > MOST_FIRST_ROWS ? MOST_FIRST_ROWS
                                                : (long)rows + 1;
    if (reserve(writer, first) == HOL_OK && hol__writer_keep_extremes(writer)) return writer;
    hol__writer_release(writer);
    return NULL;
}

hol_status hol__writer_keep(hol_writer *writer) {
    const size_t width = (size_t)writer->record.size;
    const long rows = writer->sink.rows;
    if (rows == INT_MAX)
        return hol__report(writer->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                           "the result in memory has %d rows, the most it can have", INT_MAX);
    if (rows == writer->capacity) {
        const hol_status status = reserve(writer, rows > INT_MAX / 2 ? INT_MAX : 2 * rows);
        if (status) return status;
    }
    memcpy(writer->block + width * (size_t)rows, writer->record.values,
           sizeof *writer->block * width);
    writer->sink.rows = rows + 1;
    return HOL_OK;
}

/* Whether the records of a writer are in memory; reports it where they are not. */
static int is_memory(const hol_writer *writer, const char *call) {
    if (!writer) return 0;
    if (writer->in_memory) return 1;
    hol__report(writer->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                "the records of this writer are in its file; hol_writer_open_memory keeps them");
    return 0;
}

const double *hol_writer_values(const hol_writer *writer, int *rows, int *width) {
    const int is = is_memory(writer, "hol_writer_values");
    if (rows) *rows = is ? (int)writer->sink.rows : 0;
    if (width) *width = is ? writer->record.size : 0;
    return is ? writer->block : NULL;
}

/* The names of what a field has rows of. */
static const char *const *names_of(const hol__shape *shape, const hol__field *field) {
    if (strcmp(field->group, "bodies") == 0) return shape->bodies;
    if (strcmp(field->group, "joints") == 0) return shape->joints;
    return strcmp(field->group, "forces") == 0 ? shape->forces : NULL;
}

hol_status hol_writer_quantity(const hol_writer *writer, int i, hol_quantity *out) {
    if (!writer || i < 0 || i >= writer->record.n_fields) return HOL_ERR_ARGUMENT;
    const hol__field *field = &writer->record.fields[i];
    const hol_quantity quantity = {.group = field->group,
                                   .name = field->name,
                                   .unit = field->unit,
                                   .frame = field->frame,
                                   .doc = field->doc,
                                   .rank = field->rank,
                                   .dims = {field->dims[0], field->dims[1]},
                                   .offset = field->offset,
                                   .names = names_of(&writer->record.shape, field)};
    return hol__give(writer->ctx, "hol_writer_quantity", &quantity, sizeof quantity, out);
}

hol_status hol_writer_cut(hol_writer *writer, int rows) {
    static const char call[] = "hol_writer_cut";
    if (!is_memory(writer, call)) return HOL_ERR_ARGUMENT;
    if (rows < 0 || rows > writer->sink.rows)
        return hol__report(writer->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "there are %ld rows, and %d are to stay", writer->sink.rows, rows);
    writer->sink.rows = rows;
    return HOL_OK;
}

hol_status hol_writer_save(hol_writer *writer, const char *path) {
    static const char call[] = "hol_writer_save";
    hol_sim_info info = {.size = sizeof info};
    hol__sink sink;
    if (!is_memory(writer, call) || hol__need(writer->ctx, call, "the path", path))
        return HOL_ERR_ARGUMENT;
    hol__record *record = &writer->record;
    const hol__format *format = hol__format_of(writer->ctx, path);
    if (!format) return HOL_ERR_INPUT;
    hol_status status = hol__sink_open(writer->ctx, format, record, path, &sink);
    if (status) return status;
    record->known = 0; /* its values become those of the rows */
    for (long i = 0; i < writer->sink.rows && !status; i++) {
        memcpy(record->values, writer->block + (size_t)i * (size_t)record->size,
               sizeof *record->values * (size_t)record->size);
        status = hol__sink_append(&sink);
    }
    hol__writer_describe(writer, format->whole, &info);
    const hol_status closed = hol__sink_close(&sink, &info);
    return status ? status : closed;
}
