/* hdf5_driver.h: how our HDF5 files reach the disk; see hdf5_driver_with_hdf5.c. */
#ifndef HOL_IO_HDF5_DRIVER_H
#define HOL_IO_HDF5_DRIVER_H

#include "base/context.h"

#include "io/hdf5_calls.h"

/* What the driver shares with its user. fd is that of an empty file, open for reading and
 * writing; its user closes it. reason is the errno of the first failure, 0 while there is none.
 * pending: a reader keeps the disk as it was before the last flush. */
typedef struct hol__h5driver {
    hol_context *ctx;
    int fd;
    int reason;
    int pending;
} hol__h5driver;

/* Register the driver and choose it in a file access list, for files that are created. The driver
 * object must outlive the file. The id is to be given to H5FDunregister after the file is closed;
 * negative after a failure. */
hid_t hol__h5driver_choose(hid_t access, hol__h5driver *driver);

#endif
