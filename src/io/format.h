/* format.h: the formats of result files as a table, and a result in memory while it is being
 * read. */
#ifndef HOL_IO_FORMAT_H
#define HOL_IO_FORMAT_H

#include "io/out_file.h"
#include "io/record.h"

#include <holonom/result.h>

/* One format. `open` begins a file that was opened by out_file.c, and an open file appends
 * record->values as they stand at each call; append and close report their errors once, with the
 * path and the reason. close writes what comes last, unless info is NULL, and frees the file in
 * every case; out_file.c gives it its name. `beside` (may be NULL) then writes what stands beside
 * the samples at path. */
typedef struct hol__format {
    const char *extension, *title;
    hol_status (*open)(hol__out_file *out, const hol__record *record, void **file);
    hol_status (*append)(void *file);
    hol_status (*close)(void *file, const hol_sim_info *info);
    hol_status (*read)(hol_result *result, const char *path);
    hol_status (*beside)(hol_context *ctx, const hol__record *record, const char *path, long rows,
                         const hol_sim_info *info);
    /* bring the records so far to the disk, HOL_RETRY where a reader keeps the file as it is; and
     * append the first records of another file of the same run as they are */
    hol_status (*sync)(void *file);
    hol_status (*copy)(void *file, const char *from, long rows);
    double (*row_bytes)(const hol__record *record); /* of one record, about */
    int streams;                                    /* it can be written to a FIFO */
    int whole;                                      /* it has all fields, and not only measures */
} hol__format;

/* Records on their way to a file of some format (sink.c). */
typedef struct hol__sink {
    const hol__format *format;
    const hol__record *record;
    hol__out_file out;
    void *file;
    long rows;
    int again; /* it began with the records of an earlier run, which are not taken away */
    hol_status failed;
} hol__sink;

/* Begin a file, and append the values as they stand; after a failure there is nothing to close. */
hol_status hol__sink_open(hol_context *ctx, const hol__format *format, const hol__record *record,
                          const char *path, hol__sink *sink);
hol_status hol__sink_append(hol__sink *sink);

/* Bring the records so far to the disk; HOL_RETRY where a reader keeps the file as it is. */
hol_status hol__sink_sync(hol__sink *sink);

/* Begin a file with the first records of an earlier run, which have that checksum. */
typedef struct hol__sink_start {
    long rows;
    unsigned long long sum;
    const void *kept; /* by the record, over all steps so far (hol__record_walk) … */
    size_t n_kept;    /* … in bytes */
} hol__sink_start;

hol_status hol__sink_open_again(hol_context *ctx, const hol__format *format,
                                const hol__record *record, const char *path,
                                const hol__sink_start *start, hol__sink *sink);

/* End it: a whole file gets its name; one of a run that was interrupted keeps its own where there
 * is an older file, and one that could not be written whole keeps it in any case. With info NULL
 * everything is taken back. */
hol_status hol__sink_close(hol__sink *sink, const hol_sim_info *info);

/* writer.c: a writer that goes on with the records of an earlier run (NULL: with none); and the
 * records so far on the disk, HOL_RETRY where a reader keeps the file as it is, with what the
 * record keeps in the arena. */
hol_writer *hol__writer_open(hol_sim *sim, const char *path, const hol__sink_start *start);
hol_status hol__writer_pause(hol_writer *writer, hol__arena *arena, hol__sink_start *so_far,
                             const char **path);

extern const hol__format hol__csv_format, hol__hdf5_format;

/* The readers of the two formats. */
hol_status hol__csv_read(hol_result *result, const char *path);

/* A file of such columns of which none need be the time; NULL after errors. */
hol_result *hol__csv_columns(hol_context *ctx, const char *path);
hol_status hol__hdf5_read(hol_result *result, const char *path);

/* csv.c: a text as a cell, and one of names; csv_extremes.c: the extremes over all steps in a file
 * beside path, none where there are none; and read from there, as texts of the statistics. */
struct hol__text;
void hol__csv_put_cell(struct hol__text *out, const char *text);
void hol__csv_put_name(struct hol__text *out, const hol__field *field);
hol_status hol__csv_write_extremes(hol_context *ctx, const hol__record *record, const char *path,
                                   long rows, const hol_sim_info *info);
hol_status hol__csv_read_extremes(hol_result *result, const char *path);

/* The format of a file name; NULL and a message when there is none. */
const hol__format *hol__format_of(hol_context *ctx, const char *path);

/* A result: columns of equal length and texts, all in the arena. */
struct hol_result {
    hol_context *ctx;
    hol__arena arena;
    int rows;
    int n_columns, column_capacity;
    hol_column *columns;
    double **values;
    int value_capacity;
    const char **stored; /* the units of the file, in which it has the extremes of the columns */
    int stored_capacity;
    int n_texts, text_capacity;
    hol__pair *texts;
};

/* Append a column (texts are copied, NULL counts as ""); its values, all zero, or NULL without
 * memory. */
double *hol__result_add(hol_result *result, const hol_column *column);

/* Append a text; 0 without memory. */
int hol__result_add_text(hol_result *result, const char *key, const char *value);

/* Bring the columns to the units that those of the same names have in another result; an error that
 * names the file where a column is no such quantity there. */
hol_status hol__result_follow(hol_result *result, const hol_result *first, const char *file);

/* The numbers of one dataset of an HDF5 result, for example "bodies/position": dims[0] records of
 * dims[1] rows of dims[2] numbers (1 where it has fewer dimensions). Release it with hol__release;
 * NULL after an error. */
double *hol__hdf5_block(hol_context *ctx, const char *path, const char *dataset, int dims[3]);

#endif
