/* hdf5_guard.h: HDF5's error printing off while we call it, and the reason of its first failure as
 * a text.
 *
 * HDF5 prints its error stack through a handler of the calling thread. Each of our entry points
 * takes a guard first and releases it last, so that the host program finds its handler as it was.
 * One exception: after a failure HDF5's own handler, which nobody has chosen, stays off, because
 * HDF5 then complains on the standard error when the process ends.
 */
#ifndef HOL_IO_HDF5_GUARD_H
#define HOL_IO_HDF5_GUARD_H

#include "io/hdf5_calls.h"

typedef struct hol__h5guard {
    int loaded; /* HDF5 is there, and the handler is its */
    H5E_auto2_t handler;
    void *user;
    int failed;
    char reason[256]; /* of the first failure */
} hol__h5guard;

/* Start and end: HDF5 is loaded, printing off and on again. 0 where it cannot be loaded: the guard
 * has failed with the reason, and nothing of HDF5 may be called. */
int hol__h5guard_take(hol__h5guard *guard);
void hol__h5guard_release(const hol__h5guard *guard);

/* Whether a call that returned r succeeded; keeps the reason of the first that did not. Ask at
 * once: the next call of HDF5 forgets it. */
int hol__h5ok(hol__h5guard *guard, long long r);

/* The type of texts of up to n bytes: UTF-8, ended by a 0; to be closed. Texts have a fixed length
 * because those of any length lie in the global heap of a file, in which HDF5 1.10 runs in circles
 * when it is damaged. */
hid_t hol__h5text_type(size_t n);

#endif
