/* hdf5_input.h: how HDF5 files of strangers are opened: from an open file, links and storages
 * checked before they are followed; see hdf5_input_with_hdf5.c and hdf5_refuse_with_hdf5.c. */
#ifndef HOL_IO_HDF5_INPUT_H
#define HOL_IO_HDF5_INPUT_H

#include "io/hdf5_guard.h"

/* Open the HDF5 file behind a descriptor, whatever names the file holds; negative after a failure,
 * which the guard keeps. */
hid_t hol__h5input_open(hol__h5guard *guard, int fd);

/* Open a group or a dataset of numbers or texts by its path. Every step must be a hard link, and a
 * dataset must keep its data in the file, as they are or through filters that are known. Negative
 * after a failure or a refusal, which the guard keeps with the path. */
hid_t hol__h5input_group(hol__h5guard *guard, hid_t file, const char *path);
hid_t hol__h5input_set(hol__h5guard *guard, hid_t file, const char *path);

/* The most bytes that n stored ones of a dataset can stand for. */
hsize_t hol__h5input_most(hid_t set, hsize_t n);

/* Note a reason in the guard, where it has none yet. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void hol__h5input_wrong(hol__h5guard *guard, const char *format, ...);

/* hdf5_read_with_hdf5.c: open a result for reading, and let HDF5 load no code for it; -1 after an
 * error. And the sizes of an open dataset of numbers (1 in missing dimensions); 0 when it claims
 * more than it stores. */
hid_t hol__h5content_open(hol__h5guard *guard, int fd);
int hol__h5content_sizes(hid_t set, hsize_t dims[3]);

#endif
