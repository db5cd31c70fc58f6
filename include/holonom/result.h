/* result.h: results written to files and read back.
 *
 * A writer takes a simulation and appends one record per output time. The format follows the file
 * name: .h5 (HDF5, everything) or .csv (measures). A run that is killed leaves a readable file.
 */
#ifndef HOLONOM_RESULT_H
#define HOLONOM_RESULT_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_writer hol_writer;

/* Open a file for the results of a run; NULL on failure (see the messages). */
hol_writer *hol_writer_open(hol_sim *sim, const char *path);

/* Append the current state (call it from on_output). */
hol_status hol_writer_record(hol_writer *writer);

/* Write the statistics and close; also after a failed run. Frees the writer in every case. */
hol_status hol_writer_close(hol_writer *writer);

/* A result in memory: columns of equal length, the first is "time". */
typedef struct hol_result hol_result;

/* Read a result file (.h5 or .csv); NULL on failure. */
hol_result *hol_result_read(hol_context *ctx, const char *path);
void hol_result_free(hol_result *result);

int hol_result_rows(const hol_result *result);
int hol_result_columns(const hol_result *result);
const hol_column *hol_result_column(const hol_result *result, int i); /* NULL past the end */
const double *hol_result_values(const hol_result *result, int i);

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

/* A text stored with the result ("model", "method", "version", "end" …); NULL where there is
 * none. */
const char *hol_result_text(const hol_result *result, const char *key);

#ifdef __cplusplus
}
#endif
#endif
