/* result.h: results written to files and read back.
 *
 * A writer takes a simulation and appends one record per output time. The format follows the file
 * name: .h5 (HDF5, everything) or .csv (measures).
 *
 * Every file of the library is written under a name of its own, "x.part.h5" beside "x.h5", and gets
 * its name when it is whole; until then an older file of that name stays as it was. A run that is
 * killed leaves a readable "x.part.h5". While a file is written, a second writer of it is refused.
 * No output may be a file that was read through the context. FIFOs and devices are written to where
 * "stream:" stands before their name, and never replaced.
 */
#ifndef HOLONOM_RESULT_H
#define HOLONOM_RESULT_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_writer hol_writer;

/* The bytes, about, of a result file of that name after a whole run; 0 where the number of rows is
 * not known before. Negative after a failure. */
double hol_writer_estimate(hol_sim *sim, const char *path);

/* Open a file for the results of a run; NULL on failure (see the messages). A file that would be
 * larger than the option max_bytes is refused, and one that becomes larger ends with an error; a
 * warning says when it will not fit on its disk. */
hol_writer *hol_writer_open(hol_sim *sim, const char *path);

/* Append the current state (call it from on_output). */
hol_status hol_writer_record(hol_writer *writer);

/* The name under which the records are until the writer is closed; valid as long as the writer. */
const char *hol_writer_file(const hol_writer *writer);

/* Write the statistics, close and give the file its name; also after a failed run. Two kinds of
 * files keep the name that hol_writer_file tells: that of a run that was interrupted, where there
 * is an older file (a warning says so), and that of records which could not all be written. Frees
 * the writer in every case. */
hol_status hol_writer_close(hol_writer *writer);

/* Close and take the file away again; what was there before the writer was opened stays, with
 * hol_checkpoint_writer the records that it began with. */
void hol_writer_discard(hol_writer *writer);

/* A writer whose records stay in memory: the quantities of an .h5 file, in one block with a row for
 * each record. hol_writer_record appends to it up to max_bytes; hol_writer_close and
 * hol_writer_discard free it. */
hol_writer *hol_writer_open_memory(hol_sim *sim);

/* The block, row after row; *rows and *width (may be NULL) receive how many there are and how many
 * numbers each has. It stays where it is until the next record. NULL for a writer of a file. */
const double *hol_writer_values(const hol_writer *writer, int *rows, int *width);

/* A quantity of the records: a number (rank 0), dims[0] numbers (1) or dims[0] rows of dims[1]
 * numbers (2), from `offset` in each record. */
typedef struct hol_quantity {
    size_t size;       /* sizeof(hol_quantity), set by the caller */
    const char *group; /* "", "measures", "energy", "state", "bodies", "joints" … */
    const char *name;  /* "time", "tip.x", "kinetic", "q", "position" … */
    const char *unit, *frame, *doc;
    int rank, dims[2], offset;
    const char *const *names; /* of bodies, joints or forces, dims[0] of them; else NULL */
} hol_quantity;

/* Quantity i, the time first, then the measures; HOL_ERR_ARGUMENT past the end. Its texts last as
 * long as the writer. */
hol_status hol_writer_quantity(const hol_writer *writer, int i, hol_quantity *out);

/* Keep the first records alone. */
hol_status hol_writer_cut(hol_writer *writer, int rows);

/* Write the records so far to a result file (.h5 or .csv), with the statistics of the simulation as
 * it stands; the writer stays as it is. */
hol_status hol_writer_save(hol_writer *writer, const char *path);

/* Whether a file can be written, before the work for it is done: reports why not, and leaves
 * nothing behind. */
hol_status hol_output_check(hol_context *ctx, const char *path);

/* A whole file at once: n bytes, or what was there before and an error. */
hol_status hol_output_write(hol_context *ctx, const char *path, const void *data, size_t n);

/* A result in memory: columns of equal length, the first is "time". */
typedef struct hol_result hol_result;

/* Read a result file (.h5 or .csv), whoever wrote it; NULL on failure. An .h5 file is read in a
 * process of its own with limits, a copy of this one (the host sees its SIGCHLD), so that damage is
 * a message: SECURITY.md says what holds. */
hol_result *hol_result_read(hol_context *ctx, const char *path);
void hol_result_free(hol_result *result);

int hol_result_rows(const hol_result *result);
int hol_result_columns(const hol_result *result);
const hol_column *hol_result_column(const hol_result *result, int i); /* NULL past the end */
const double *hol_result_values(const hol_result *result, int i);

/* Write a result file once more for other programs, in the format of the new name: .mat, for
 * MATLAB, Octave and SciPy, with the struct `result` (docs/other-programs.md). Of a .csv file only
 * the time and the measures are there. */
hol_status hol_result_convert(hol_context *ctx, const char *from, const char *to);

/* Show the columns in other units: kinds of quantities with their units, "angle=deg, length=mm", as
 * in the option units; "" brings all to SI units. The units of the columns say what they are in
 * afterwards; a column without a unit stays as it is. */
hol_status hol_result_set_units(hol_result *result, const char *units);

/* The column of that name, or -1. */
int hol_result_find(const hol_result *result, const char *name);

/* The least and the largest value of a column over all accepted steps of the run, and when, which
 * the rows may miss. HOL_ERR_ARGUMENT where the file does not say. */
typedef struct hol_extremes {
    size_t size; /* sizeof(hol_extremes), set by the caller */
    double minimum, minimum_time, maximum, maximum_time;
} hol_extremes;

hol_status hol_result_extremes(const hol_result *result, int i, hol_extremes *out);

/* Bring a simulation, of the model and in the coordinates of a result (.h5), to its record nearest
 * to t; or to each record from a time to another in turn, where on_output of the observer is called
 * as in hol_sim_run. Where a record does not say all of the state (elements that switch or have
 * states or a memory of their own) the simulation is run up to it, from where it is; HOL_ERR_INPUT,
 * with a message, where it is beyond already, or does not come to the positions of the record. */
hol_status hol_result_restart(hol_context *ctx, const char *path, double t, hol_sim *sim);
hol_status hol_result_replay(hol_context *ctx, const char *path, double from, double to,
                             hol_sim *sim, const hol_observer *observer);

/* A text stored with the result ("model", "method", "version", "end" …); NULL where there is
 * none. */
const char *hol_result_text(const hol_result *result, const char *key);

#ifdef __cplusplus
}
#endif
#endif
