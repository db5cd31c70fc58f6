/* hdf5_content.h: what is read out of HDF5 results, in a process apart (hdf5_apart_with_hdf5.c). */
#ifndef HOL_IO_HDF5_CONTENT_H
#define HOL_IO_HDF5_CONTENT_H

#include "io/format.h"

enum { HOL__H5_REASON = 256 };

/* Everything of the file behind fd into an empty result; 0 with the reason after a failure. */
int hol__h5content_result(hol_result *result, int fd, char reason[HOL__H5_REASON]);

/* The numbers of one dataset (see hol__hdf5_block); NULL with the reason after a failure. */
double *hol__h5content_block(hol_context *ctx, int fd, const char *dataset, int dims[3],
                             char reason[HOL__H5_REASON]);

/* The first records of a result, as its writer has laid them out: by field, a dataset (a path, NULL
 * where the field is empty) and how many numbers of a record it holds. */
typedef struct hol__h5rows {
    long rows;
    int block; /* records that are sent at once */
    int n_fields;
    const hol__field *fields;
    char *const *paths;
    int size; /* numbers of a record */
} hol__h5rows;

/* Read them from the file behind fd and send them, block by block: by field, its numbers of as many
 * records as there are. 0 with the reason after a failure, which may come after some blocks. */
typedef void hol__h5rows_fn(void *self, const double *values, size_t n);
int hol__h5content_rows(hol_context *ctx, int fd, const hol__h5rows *what, hol__h5rows_fn *send,
                        void *self, char reason[HOL__H5_REASON]);

/* Take them from a file, read in a process apart: `take` gets each block with its number of
 * records. */
typedef hol_status hol__h5rows_take_fn(void *self, const double *block, int records);
hol_status hol__hdf5_rows(hol_context *ctx, const char *path, const hol__h5rows *what,
                          hol__h5rows_take_fn *take, void *self);

/* A result from what comes through fd, which is closed, at most so many bytes: the caller's side by
 * itself, for tests with answers that no sound process gives. */
hol_status hol__hdf5_take(hol_result *result, const char *path, int fd, size_t most);

#endif
