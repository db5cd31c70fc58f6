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

/* A result from what comes through fd, which is closed, at most so many bytes: the caller's side by
 * itself, for tests with answers that no sound process gives. */
hol_status hol__hdf5_take(hol_result *result, const char *path, int fd, size_t most);

#endif
